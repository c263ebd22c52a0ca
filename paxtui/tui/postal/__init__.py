"""Play by mail on the screen: the order sheet of a player, and the desk of the gamemaster.

`sheet` is the order sheet and `written` the file behind it, `line` the box in which an order is written; `desk` is the
desk, and `told` what stands on it.
"""
