"""The screen."""

import os

# Textual draws at most so many frames a second; a key may have to wait for the next one, here
# half as long as by default.
os.environ.setdefault("TEXTUAL_FPS", "120")
