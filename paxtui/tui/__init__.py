"""Textual interface. `app` lists the screens, `bindings` the classes that bind keys; the packages hold the rest."""

import os

# Textual draws at most so many frames a second: a key waits for the next one, half as long as by default.
os.environ.setdefault("TEXTUAL_FPS", "120")
# Milliseconds after which an Esc is no longer taken for the beginning of another key.
os.environ.setdefault("ESCDELAY", "50")
