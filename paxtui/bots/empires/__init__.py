"""Players that see only what their seat sees, and answer with texts of the notation.

Offers `players.choose_acts`, by the name of the bot. `steady` is a simple example to copy, with `campaign`, `odds`,
`worth` and `seen`; the room `caretaker` follows the General Orders.
"""
