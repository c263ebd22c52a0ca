"""The Chinese Rebellion: a War between the Empire of China and all Powers with markers there.

Rules: CRI-003
"""

from __future__ import annotations

from paxtui.pax.play.play import Play


def open_war(play: Play) -> None:
    """The Rebellion of the turn, if there is one.

    Rules: CRI-003
    """
    if play.state.rebellion:
        play.noted(
            "war_not_yet",
            "A Chinese Rebellion breaks out. This version does not play Wars: the game goes on without it.",
            ("CRI-003",),
        )
