"""Previews for a seat: the consequences of an order before it is given.

`dry_run` tries an order on a copy of the position, `preview` describes its consequences. `odds` covers combat, `supply`
dangers to Lines of Supply, `peace` a peace, `war_answers` answers to questions of War, `order_form` a form by mail.
Nothing here changes the game.
"""
