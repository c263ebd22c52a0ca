"""Charts of a game, for the terminal and for HTML.

`chart` defines the data of a chart, `game_charts` and `exercise_charts` build the charts of the games. `terminal` draws
them in cells, `html` as a page.
"""
