"""Screens before a game.

`start` is the first one; `new_game`, `scenarios`, `open_game`, `archive`, `puzzles`, `hosting`, `settings` and
`scenario_editor` open from it. `game_screens` has the screens of each game, `backdrop` draws the map.
"""
