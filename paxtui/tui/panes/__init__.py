"""What stands around the map: a function for each pane from session and look to a text, and `registry`, a row for each.

No widgets: the game screen, pictures and tests draw the same texts.
"""
