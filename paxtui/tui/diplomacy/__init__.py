"""Screens of diplomacy, which give orders through the class `SessionScreen`.

`messages` (dispatches and chat), `treaties` and `treaty_editor`, `congress`, `peace`, `war_questions`, `orders_ahead`.
`comparison` shows a list beside the map before and after.
"""
