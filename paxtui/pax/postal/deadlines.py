"""How long a mail game waits at a stop, by what it stops for.

Rules: PBM-002, PBM-052, PBM-053, PBM-060, PBM-073, PBM-075, PBM-105, PBM-124 (R-PBM-10, R-PBM-22, R-PBM-32, R-PBM-35)
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from paxtui.pax.state import questions as qu
from paxtui.pax.state.model import State

Kind = Literal["movement", "negotiation", "congress", "vote", "war", "spoils", "call"]
"""What a mail game stops for: orders, talks, a Congress to meet and propose, its votes and signatures, an Alliance's
orders in War, the division of spoils, and whatever is asked of some at once (a call to War, a defiance, a deficit)."""


class Wait(NamedTuple):
    """How long a stop of a kind lasts.

    Attributes:
        days: unless the game has others.
        says: what is waited for, in words.
    """

    days: int
    says: str


WAITS: dict[Kind, Wait] = {
    "movement": Wait(28, "orders of the Movement/Status Change Phase"),
    "negotiation": Wait(28, "what is settled in the Negotiation Phase"),
    "congress": Wait(28, "the Congress of Europe"),
    "vote": Wait(14, "votes and signatures"),
    "war": Wait(14, "orders in War"),
    "spoils": Wait(14, "the division of spoils"),
    "call": Wait(3, "an answer at once"),
}
"""The kinds of stops. The long end of three to four weeks in peace, two in War, as the rules for mail recommend."""

PACES: dict[str, dict[Kind, int]] = {
    "slow": {kind: wait.days for kind, wait in WAITS.items()},
    "weekly": {"movement": 7, "negotiation": 4, "congress": 4, "vote": 3, "war": 4, "spoils": 3, "call": 2},
}
"""Days of each kind of stop by the name of a pace. At "weekly" a peaceful turn ends within two weeks."""

_VOTES = (qu.Ballot, qu.Signature, qu.Tie)
_SPOILS = (qu.Spoils, qu.Cession, qu.Cessions)


def kind_of(state: State) -> Kind:
    """What a mail game waits for at a position where it stops."""
    asked = [choice.about for choice in state.choices if choice.about.pressing]
    if any(isinstance(about, _VOTES) for about in asked):
        return "vote"
    if any(isinstance(about, _SPOILS) for about in asked):
        return "spoils"
    if asked and all(isinstance(about, qu.WarRetreat) for about in asked):
        return "war"  # they retreat by the form with their orders
    if asked and not any(isinstance(about, qu.CongressQuestion) and not _at_once(about) for about in asked):
        return "call"
    for kind in ("movement", "negotiation", "congress"):
        if state.phase == kind:
            return kind
    return "war"


def _at_once(about: qu.AnyQuestion) -> bool:
    return isinstance(about, qu.Defiance)
