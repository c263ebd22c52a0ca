"""Seats that belong to no player."""

from __future__ import annotations

from typing import Final, Protocol

# Sees what everybody at the table sees and can do nothing.
SPECTATOR: Final = "spectator"

# Sees everything, the log's own numbers included; may step the game and rewind it.
ARBITER: Final = "arbiter"


class Names(Protocol):
    """Names for players; each `paxtui.engine.game.Game` has these."""

    def seat_name(self, seat: str) -> str:
        """Return the name of a seat; "" for an unknown one."""

    def phase_name(self, phase: str) -> str:
        """Return the name of a Phase."""
