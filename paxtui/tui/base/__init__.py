"""What all screens share.

`app` has the settings, keys and messages that every screen sees. `screen` has the base classes of screens and dialogs
and the widgets for plain text, `playing` those of screens of an open game. `dialogs` are generic: confirmation, list,
input, text. `settings` is the table of settings, `keymap` the bindings and the file with the player's keys.
"""
