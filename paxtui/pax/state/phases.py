"""The Phases of a Game Turn, in their order."""

from __future__ import annotations

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

TRADING = ("movement", "negotiation")
"""Phases in which money and markers change hands by agreement."""
