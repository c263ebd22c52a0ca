"""Widgets of the game screen: map (`board`), `side_column`, `order_line`, `dice_panel`.

`map_scene` and `war_scene` turn a position into a map scene. Widgets report input by messages and do not know each
other or the screen.
"""
