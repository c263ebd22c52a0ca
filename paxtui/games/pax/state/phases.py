"""The place in the sequence of play, and what a Phase notes down while it lasts. Data only.

The lowest frame of the stack is a Phase of the Game Turn; a procedure inside it stands on top, as the sitting of a
Congress does.

The Phases of a Game Turn, in their order.
"""

from __future__ import annotations

import msgspec

from paxtui.engine.frames import PhaseFrame
from paxtui.games.pax.state.diplomacy import Waiver

PHASES = (
    "random_events",
    "administrative",
    "minor_powers",
    "movement",
    "colonial_combat",
    "marker_adjustment",
    "negotiation",
    "congress",
    "chinese_resentment",
    "war",
    "victory_point_record",
    "final_record",
)

TRADING_PHASES = ("movement", "negotiation")
"""Phases in which money and markers change hands by agreement."""


CONGRESS_SESSION = "sitting"
"""The procedure of a Congress of Europe from its first to its last step."""

PROCEDURES = (CONGRESS_SESSION,)
"""What may be in progress inside a Phase."""


class PhaseNotes(msgspec.Struct, frozen=True, tag_field="of", omit_defaults=True):
    """Base of what a Phase notes down."""


class CombatNotes(PhaseNotes, frozen=True, tag="colonial_combat"):
    """Colonial Combat, by Area.

    Attributes:
        done: Powers that have fought or declined.
        order: the order of attack that was drawn.
        waited: Powers that let the others go first.
        combine: what each member of a Codominion has answered.
    """

    done: dict[str, tuple[str, ...]] = {}
    order: dict[str, tuple[str, ...]] = {}
    waited: dict[str, tuple[str, ...]] = {}
    combine: dict[str, dict[str, str]] = {}


class AdjustmentNotes(PhaseNotes, frozen=True, tag="marker_adjustment"):
    """Marker Adjustment: Random Events (dice) whose demand was met when the Phase began."""

    raised: tuple[str, ...] = ()


class NegotiationNotes(PhaseNotes, frozen=True, tag="negotiation"):
    """Negotiation: the Casus Belli that were given up, by Area; their holders give way first."""

    waived: dict[str, tuple[Waiver, ...]] = {}


class WarNotes(PhaseNotes, frozen=True, tag="war"):
    """The War Phase: `since` is the number of the first Casus Belli that can arise in the present Phase of a War."""

    since: int = 0


AnyPhaseNotes = CombatNotes | AdjustmentNotes | NegotiationNotes | WarNotes


class InProgress(PhaseFrame[AnyPhaseNotes], frozen=True, omit_defaults=True):
    """A Phase or procedure in progress."""
