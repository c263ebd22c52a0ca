"""Previews for a seat: the consequences of an order before it is given.

`preview.preview_action` decides an action once and returns its `Preview`; `preview.describe_preview` describes it.
`dry_run` decides on a copy of the position, `forecast` covers Treaties and declarations of War, `supply` supply in War,
`odds` combat, `war_answers` answers to questions of War, `peace` a peace, `order_form` a form by mail.
Nothing here changes the game.
"""
