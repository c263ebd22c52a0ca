"""Charts: what they say, and how they are drawn in the cells of a terminal and on a page. They know no screen.

`chart` says what a chart is, `of_game` makes those of a game, `curves` draws lines by plotext, `bars` all others;
`cells` is what both draw with. `svg` draws curves for a page of HTML, `page` is that page.
"""
