"""Commands of `paxtui`. `main` parses the command line and imports the module of the command."""
