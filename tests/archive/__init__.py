"""The archive of games."""
