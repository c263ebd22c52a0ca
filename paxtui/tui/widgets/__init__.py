"""Widgets of the game screen: map (`board`), side column, order line, dice panel.

`map_scene` and `war_scene` turn a position into a map scene. Widgets report input by messages and do not know each
other or the screen.
"""
