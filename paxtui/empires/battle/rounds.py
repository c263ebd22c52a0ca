"""One round of a field combat: which tables, which dice, what is lost. Reconstructed from a public program."""

from __future__ import annotations

import msgspec

from paxtui.empires.tables.field_combat import FieldCombat, Level, Pairing, Shifts

LEAST, MOST = 0, 7
"""The columns of a combat table."""

LOWEST, HIGHEST = 1, 5
"""The levels that have a table."""

PLAIN = Shifts()


class Blow(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one side does to the other in a round.

    Attributes:
        table: the table it uses, "" where it does not fight.
        die: what it threw; 0 where it does not fight.
        modifier: what was added.
        percent: of its own factors, what the other side loses.
        losses: factors the other side loses.
        morale: tenths of morale the other side loses.
    """

    table: str = ""
    die: int = 0
    modifier: int = 0
    percent: int = 0
    losses: int = 0
    morale: int = 0


def losses(tables: FieldCombat, percent: int, factors: int) -> int:
    """What `factors` factors inflict at a percentage: above 20 they are taken in twenties.

    Raises: KeyError, where the card has no such percentage.
    """
    if not percent:
        return 0
    row = tables.casualties[percent]
    whole, rest = divmod(factors, len(row))
    return whole * row[-1] + (row[rest - 1] if rest else 0)


def levels(pairing: Pairing, number: int, arrived: bool) -> tuple[Level, Level]:
    """The levels of attacker and defender in round 1, 2 or 3; after an outflanking force has arrived, its own."""
    attacker, defender = pairing.attacker_rounds, pairing.defender_rounds
    if arrived and pairing.attacker_arrived:
        return pairing.attacker_arrived[number - 1], pairing.defender_arrived[number - 1]
    return attacker[number - 1], defender[number - 1]


def shifted(level: Level, casualties: int, morale: int) -> Level:
    """A level after what terrain adds, never beyond the tables; a side that does not fight stays out."""
    if level == (0, 0):
        return level
    return (
        min(HIGHEST, max(LOWEST, level[0] + casualties)),
        min(HIGHEST, max(LOWEST, level[1] + morale)),
    )


def modifiers(tables: FieldCombat, pairing: Pairing, attacker: int, defender: int) -> tuple[int, int]:
    """What tactical ratings add to the dice of attacker and defender."""
    if not pairing.ratings_count:
        return 0, 0
    return tables.ratings.modifiers[defender][attacker]


def blow(tables: FieldCombat, level: Level, factors: int, die: int, modifier: int) -> Blow:
    """What a side of `factors` factors does with a die on the table of a level."""
    if level == (0, 0) or not factors:
        return Blow()
    name = f"{level[0]}-{level[1]}"
    percent, morale = tables.tables[name][min(MOST, max(LEAST, die + modifier))]
    return Blow(name, die, modifier, percent, losses(tables, percent, factors), morale)


class Side(msgspec.Struct, frozen=True):
    """What counts of one side in a round: its factors that fight and its commander's tactical rating."""

    factors: int
    rating: int = 0


def exchange(
    tables: FieldCombat,
    pairing: Pairing,
    number: int,
    sides: tuple[Side, Side],
    dice: tuple[int, int],
    arrived: bool = False,
    terrain: Shifts = PLAIN,
) -> tuple[Blow, Blow]:
    """What attacker and defender do to each other in a round, both at once.

    Args: the tables; the row of the chart; the round, 1 to 3; attacker and defender; their dice; whether an outflanking
        force is there; the shifts of the terrain.
    """
    attack, defence = levels(pairing, number, arrived)
    attack = shifted(attack, terrain.attacker_casualties, terrain.attacker_morale)
    defence = shifted(defence, terrain.defender_casualties, terrain.defender_morale)
    more = modifiers(tables, pairing, sides[0].rating, sides[1].rating)
    return (
        blow(tables, attack, sides[0].factors, dice[0], more[0]),
        blow(tables, defence, sides[1].factors, dice[1], more[1]),
    )
