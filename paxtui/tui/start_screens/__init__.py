"""Screens before a game: `start`, `new_game`, `open_game`, `hosting` and `settings`. `backdrop` draws the map."""
