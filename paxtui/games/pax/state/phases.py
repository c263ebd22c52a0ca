"""Phases of a Game Turn, the frames of the sequence of play, and the notes of each Phase. Data only.

The lowest frame of the stack is a Phase of the Game Turn. A procedure inside it, such as a Congress, is a frame on
top.
"""

from __future__ import annotations

import msgspec

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
"""Phases in which Powers may transfer money and markers by agreement."""


CONGRESS_SESSION = "sitting"
"""The procedure of a Congress of Europe."""

PROCEDURES = (CONGRESS_SESSION,)
"""Procedures that may be in progress inside a Phase."""


class PhaseNotes(msgspec.Struct, frozen=True, tag_field="of", omit_defaults=True):
    """Base of the notes of a Phase."""


class CombatNotes(PhaseNotes, frozen=True, tag="colonial_combat"):
    """Notes of Colonial Combat, by Area.

    Attributes:
        done: Powers that have fought or declined.
        order: the order of attack that was drawn.
        waited: Powers that let the others attack first.
        combine: answer of each member of a Codominion.
    """

    done: dict[str, tuple[str, ...]] = {}
    order: dict[str, tuple[str, ...]] = {}
    waited: dict[str, tuple[str, ...]] = {}
    combine: dict[str, dict[str, str]] = {}


class AdjustmentNotes(PhaseNotes, frozen=True, tag="marker_adjustment"):
    """Notes of Marker Adjustment: Random Events (dice) whose demand was met when the Phase began."""

    raised: tuple[str, ...] = ()


class NegotiationNotes(PhaseNotes, frozen=True, tag="negotiation"):
    """Notes of Negotiation: waived Casus Belli by Area; their holders give way first."""

    waived: dict[str, tuple[Waiver, ...]] = {}


class WarNotes(PhaseNotes, frozen=True, tag="war"):
    """Notes of the War Phase. Casus Belli numbered from `since` on are new in the present Phase of a War."""

    since: int = 0


AnyPhaseNotes = CombatNotes | AdjustmentNotes | NegotiationNotes | WarNotes


class InProgress(msgspec.Struct, frozen=True, omit_defaults=True):
    """A frame: a Phase or procedure in progress."""

    phase: str
    step: str = ""  # empty before the first
    notes: AnyPhaseNotes | None = None
