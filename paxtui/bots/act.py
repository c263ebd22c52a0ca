"""What a bot does: a text of the notation, and why."""

from __future__ import annotations

from typing import NamedTuple


class Act(NamedTuple):
    """An act in the notation, and the reason for it in a few words; "" where it has none to give."""

    text: str
    why: str = ""
