"""Text for every screen, without widgets.

`look` has colours, signs and wrapping, `reports` effects, report pages, Treaties and charts, `review` the chances to
win, `timeline` the history line, chapters and differences between two moments.
"""
