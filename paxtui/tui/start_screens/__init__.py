"""Screens before a game: `start`, `new_game`, `scenarios`, `scenario_editor`, `open_game`, `hosting` and `settings`.

`backdrop` draws the map.
"""
