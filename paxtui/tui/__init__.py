"""Textual interface. `app` is the application, `bindings` lists the classes that bind keys.

`game` is the game screen, with `widgets`, `panes`, the `map` and the `dialogs` over it. `start_screens` come before it,
`diplomacy` and `reference_screens` open from it; `tutorial`, `study`, `exercise` and `mail` have screens of their own.
`base` has what all screens share, `rendering` draws and reads keys, `formatting` makes text, `colors` and `themes` are
the palettes, `command_palette` lists commands.
"""

import os

# Textual draws at most so many frames a second: a key waits for the next one, half as long as by default.
os.environ.setdefault("TEXTUAL_FPS", "120")
# Milliseconds after which an Esc is no longer taken for the beginning of another key.
os.environ.setdefault("ESCDELAY", "50")
