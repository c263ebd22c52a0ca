"""The game screen: the map, the column beside it, the line for words, units in hand, seats, and walking through time.

`screen` owns the flow; the widgets tell it by messages what the player wants, and know nothing of each other.
"""
