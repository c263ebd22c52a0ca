"""Charts of a game, for the terminal and for HTML.

`chart` defines the data of a chart, `game_charts` builds the charts of a game. `terminal` draws them in cells, `html`
as a page.
"""
