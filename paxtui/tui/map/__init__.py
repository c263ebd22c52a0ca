"""Map of the world, independent of the rules.

`projection` and `geometry` compute places and territories, `layout` the labels, `ground` the land under them. `scene`
describes what to draw, `styles` the colors, `canvas` turns rows into Strips, `world_map` is the widget.
"""
