"""Screens of diplomacy: messages, Treaties and their editor, Congress, peace, questions of War.

`comparison` shows a list beside the map before and after. Orders go through `tui.base.playing`.
"""
