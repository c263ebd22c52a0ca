"""The commands of `paxtui`, a module for each; what a command writes to its streams, and what it says of its faults."""
