"""Before the game: the start screen, a new game and a saved one opened, settings, keys."""
