"""Seats that belong to no player."""

from __future__ import annotations

from typing import Final

# Sees what everybody at the table sees and can do nothing.
SPECTATOR: Final = "spectator"

# Sees everything, the log's own numbers included; may step the game and rewind it.
ARBITER: Final = "arbiter"
