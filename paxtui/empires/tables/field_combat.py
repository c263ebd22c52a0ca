"""The tables of field combat: facts from a public transcription of the Game Card (MIT), rules around them our own."""

from __future__ import annotations

import msgspec

ATTACKER_CHITS = ("outflank", "assault", "escalated_assault", "echelon", "probe")
DEFENDER_CHITS = ("outflank", "counterattack", "escalated_counterattack", "cordon", "withdraw", "defend")

ROUNDS = 3
"""Rounds of one day of combat."""

Level = tuple[int, int]
"""Casualty level and morale level of the table a side uses in a round; (0, 0): it does not fight."""


class Pairing(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What the chart says of a chit of the attacker against one of the defender.

    Attributes:
        attacker, defender: the chits.
        river: whether this row is for an attacker who came over a river (only Cordon has rows of its own).
        attacker_rounds, defender_rounds: the table of either side in each round.
        attacker_arrived, defender_arrived: the same in the rounds after an outflanking force has arrived.
        withdrawal: what is added to the strategic rating of a defender who withdraws; None: no such roll.
        outflank: what is added to the strategic rating of who outflanks, after rounds 1 and 2; empty: no such roll.
        defender_leaves: the defender gets away where the chart has no more table for him.
        ratings_count: whether tactical ratings change the dice.
        national: nations with a peculiarity of their own in this pairing, known by name only and not applied.
    """

    attacker: str
    defender: str
    attacker_rounds: tuple[Level, Level, Level]
    defender_rounds: tuple[Level, Level, Level]
    river: bool = False
    attacker_arrived: tuple[Level, ...] = ()
    defender_arrived: tuple[Level, ...] = ()
    withdrawal: int | None = None
    outflank: tuple[int, ...] = ()
    defender_leaves: bool = False
    ratings_count: bool = True
    national: tuple[str, ...] = ()


class Shifts(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a terrain adds to the levels of either side, to a roll for outflanking and to one for reinforcing."""

    attacker_casualties: int = 0
    defender_casualties: int = 0
    attacker_morale: int = 0
    defender_morale: int = 0
    outflank: int = 0
    reinforce: int = 0


class Ratings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What ratings add to the dice of attacker and defender: by tactical rating of the defender, then the attacker."""

    modifiers: tuple[tuple[tuple[int, int], ...], ...]


class FieldCombat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All tables of field combat.

    Attributes:
        provenance: where they come from.
        tables: by name ("3-1", casualty level and morale level) the percentage and the tenths of morale for a modified
            die of 0 to 7.
        ratings: see `Ratings`.
        terrain: shifts by terrain.
        chart: the operational possibilities chart.
        casualties: by percentage the factors lost for 1 to 20 factors of the side that inflicts the loss.
    """

    provenance: str
    tables: dict[str, tuple[tuple[int, int], ...]]
    ratings: Ratings
    terrain: dict[str, Shifts]
    chart: tuple[Pairing, ...]
    casualties: dict[int, tuple[int, ...]] = {}

    def pairing(self, attacker: str, defender: str, river: bool) -> Pairing:
        """The row of two chits. Raises: KeyError, where the chart has none."""
        rows = [row for row in self.chart if (row.attacker, row.defender) == (attacker, defender)]
        for row in rows:
            if row.river == river:
                return row
        if not rows:
            raise KeyError(f"{attacker} against {defender}")
        return rows[0]


def faults(tables: FieldCombat) -> list[str]:
    """What is missing from or wrong with the tables, each in a line; an unknown cell is never guessed."""
    found = [
        f"tables.{casualty}-{morale}: not there, or not 8 columns"
        for casualty in range(1, 6)
        for morale in range(1, 6)
        if len(tables.tables.get(f"{casualty}-{morale}", ())) != 8
    ]
    percentages = {percent for table in tables.tables.values() for percent, _ in table} - {0}
    found += [
        f"casualties.{percent}: not there, or not 20 columns"
        for percent in sorted(percentages)
        if len(tables.casualties.get(percent, ())) != 20
    ]
    if [len(row) for row in tables.ratings.modifiers] != [6] * 6:
        found.append("ratings.modifiers: 6 rows of 6 are needed")
    rows = {(row.attacker, row.defender, row.river) for row in tables.chart}
    wanted = {(a, d, False) for a in ATTACKER_CHITS for d in DEFENDER_CHITS}
    wanted |= {(a, "cordon", True) for a in ATTACKER_CHITS}
    found += [
        f"chart: no row for {a} against {d}{' over a river' if river else ''}" for a, d, river in sorted(wanted - rows)
    ]
    found += [f"chart: {a} against {d} is no pairing" for a, d, river in sorted(rows - wanted)]
    levels = (
        (row, level)
        for row in tables.chart
        for rounds in (row.attacker_rounds, row.defender_rounds, row.attacker_arrived, row.defender_arrived)
        for level in rounds
    )
    found += [
        f"chart: {row.attacker} against {row.defender} names the table {level[0]}-{level[1]}"
        for row, level in levels
        if level != (0, 0) and f"{level[0]}-{level[1]}" not in tables.tables
    ]
    return found
