"""The wind, and what a broadside sinks: dice, modifiers and percentages of one naval combat, without a position.

Rules: EIA 6.3.3
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from paxtui.engine.refusal import Refusal

BRITISH = "great_britain"
POOR_SAILORS = ("prussia", "austria")
"""Powers whose fleets fire worse."""
BEST_WIND = 6
"""The highest modified roll for the wind."""
COLUMNS = 20
"""The columns of the casualty table; larger numbers are taken apart into twenties."""


def wind_roll(die: int, powers: Collection[str], nelson: bool) -> int:
    """The roll for the wind after modifiers.

    Args: the die, 1 to 6; whose fleets are on this side; whether Nelson is with them.

    Rules: EIA 6.3.3.1
    """
    return min(BEST_WIND, die + (BRITISH in powers) + nelson)


def fire_roll(die: int, powers: Collection[str]) -> int:
    """The roll of a broadside after modifiers, 0 to 7.

    Args: the die, 1 to 6; whose fleets are on this side.

    Rules: EIA 6.3.3.2
    """
    return die + (BRITISH in powers) - any(power in powers for power in POOR_SAILORS)


def percentage(table: Mapping[int, int], roll: int) -> int:
    """The part of the firing ships that the other side loses, in per cent.

    Args: the naval combat table of the exercise, roll -> per cent; the modified roll.
    Raises: Refusal, where the table has no such cell.

    Rules: EIA 6.3.3.2
    """
    if roll not in table:
        raise Refusal(
            "unknown_cell",
            ("EIA 6.3.3.2",),
            f"The naval combat table of this exercise has no cell for a roll of {roll}.",
            roll=roll,
        )
    return table[roll]


def casualties(table: Mapping[int, Sequence[int]], percent: int, ships: int) -> int:
    """How many ships `percent` of `ships` are, looked up and never computed.

    Args: the casualty table, per cent -> its columns for 1 to 20; a row of it; a number of ships.
    Raises: Refusal, where the table has no such row.

    Rules: EIA 6.3.3.2
    """
    if percent not in table:
        raise Refusal(
            "unknown_cell",
            ("EIA 6.3.3.2",),
            f"The casualty table has no row for {percent} per cent.",
            percent=percent,
        )
    row = table[percent]
    whole, rest = divmod(ships, COLUMNS)
    return whole * row[COLUMNS - 1] + (row[rest - 1] if rest else 0)
