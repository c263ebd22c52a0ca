"""An attack in War before its die: the six results with their chances, for each set of allies that may join.

Rules: WCB-005, WCB-006, WCB-007, WCB-012 to WCB-014, WCB-017 to WCB-020, WCB-023, WCB-026, WCB-027, WCB-029, WCB-030
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from paxtui.pax.board.tables import Tables
from paxtui.pax.combat import combat_table
from paxtui.pax.narration.dice_narration import RESULTS
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import ARMY, Unit
from paxtui.pax.state.questions import JoinAttack, Pending
from paxtui.pax.state.war import War
from paxtui.pax.war.campaign import battle
from paxtui.pax.words.spoken import powers_named

ORDER = ("E", "AR", "EX", "HX", "DR", "DE")
"""Results from the worst for the attackers to the best."""


class Prospect(NamedTuple):
    """One result of the table.

    Attributes:
        result: E, AR, EX, HX, DR or DE.
        faces: how many of the six bring it.
        ours, theirs: strength points that attackers and defenders lose by it at least.
        clears: whether no defender stays.
        text: what it does, in words.
    """

    result: str
    faces: int
    ours: int
    theirs: int
    clears: bool
    text: str


class Assault(NamedTuple):
    """An attack by one set of allies.

    Attributes:
        powers: who attacks.
        aside: who could and does not.
        force: strength points of the Units that attack.
        attack, defend: strength points that count, those of an Area that fights among them.
        table: 1 or 2; 0 where there is nothing to fight.
        column: the ratio column, as it is printed.
        row: the result of each face of the die.
        prospects: the results that are possible, the worst first.
    """

    powers: tuple[str, ...]
    aside: tuple[str, ...]
    force: int
    attack: int
    defend: int
    table: int
    column: str
    row: tuple[str, ...]
    prospects: tuple[Prospect, ...]

    @property
    def wins(self) -> int:
        """Faces of the die after which no defender stays and some attacker does."""
        return sum(p.faces for p in self.prospects if p.clears and p.ours < self.force)

    @property
    def fails(self) -> int:
        """Faces of the die after which no attacker stays."""
        return sum(p.faces for p in self.prospects if p.result == "AR" or p.ours >= self.force)


def assaults(tables: Tables, state: State, war: War, place: str, kind: str, power: str) -> tuple[Assault, ...]:
    """An attack ordered by a Power in a place, alone and with each set of its allies there; the largest force first.

    Minor Powers attack with their Great Power allies whether these like it or not.

    Rules: WCB-005, WCB-006, WCB-007, WCB-012
    """
    there = dict.fromkeys(u.power for u in battle.attackers(state, war, place, kind))
    must = battle.bound(tables, state, war).get(place, ()) if kind == ARMY else ()
    asked = [p for p in there if p != power and p in state.powers and p not in must]
    found = []
    for n in range(len(asked), -1, -1):
        for joining in combinations(asked, n):
            aside = tuple(p for p in asked if p not in joining)
            found.append(assault(tables, state, war, place, kind, aside))
    return tuple(found)


def assault(tables: Tables, state: State, war: War, place: str, kind: str, aside: tuple[str, ...]) -> Assault:
    """The attack of the phasing Alliance in a place without the allies that stand aside.

    Rules: WCB-011, WCB-012, WCB-013, WCB-014
    """
    ours = battle.attackers(state, war, place, kind, aside)
    theirs = battle.defenders(state, war, place, kind)
    helps, resists = 0, 0
    if kind == ARMY:
        helps, resists = battle.support(tables, state, war, place), battle.defence(tables, state, war, place)
    attack, defend = sum(u.strength for u in ours) + helps, sum(u.strength for u in theirs) + resists
    powers = tuple(dict.fromkeys(u.power for u in ours))
    if not attack or not defend:
        return Assault(powers, aside, attack - helps, attack, defend, 0, "", (), ())
    table, index = combat_table.table_for(attack, defend), combat_table.column(tables, attack, defend)
    row = tuple(combat_table.look_up(tables, table, die, index) for die in range(1, 7))
    prospects = tuple(
        _prospect(result, row.count(result), (attack, _points(ours)), (defend, _points(theirs)))
        for result in ORDER
        if result in row
    )
    label = combat_table.label(tables.ratios[index])
    return Assault(powers, aside, attack - helps, attack, defend, table, label, row, prospects)


def _points(units: tuple[Unit, ...]) -> tuple[int, ...]:
    return tuple(u.strength for u in units)


Force = tuple[int, tuple[int, ...]]
"""The strength that counts in a combat, an Area's own among it, and the strength of each Unit."""


def _prospect(result: str, faces: int, ours: Force, theirs: Force) -> Prospect:
    """What a result would cost both sides. Rules: WCB-019, WCB-020, WCB-023, WCB-026, WCB-027, WCB-029, WCB-030."""
    (attack, our_units), (defend, their_units) = ours, theirs
    mine, others = sum(our_units), sum(their_units)
    lost, killed, what = 0, 0, RESULTS[result]
    if result == "E":
        lost = mine
    elif result == "DE":
        killed = others
    elif result in ("EX", "HX"):
        weaker = min(attack, defend)
        needed = weaker if result == "EX" else (weaker + 1) // 2
        if attack > defend:
            lost, killed = least(our_units, needed), others
        elif attack < defend or result == "HX":
            lost, killed = mine, least(their_units, needed)
        else:
            lost, killed = mine, others
    clears = result in ("DR", "DE") or (killed >= others and result != "E" and attack >= defend)
    costs = [f"{n} of {all_} {whose}" for n, all_, whose in ((lost, mine, "yours"), (killed, others, "theirs")) if n]
    return Prospect(result, faces, lost, killed, clears, f"{what} (lost: {', '.join(costs)})" if costs else what)


def least(points: tuple[int, ...], needed: int) -> int:
    """The smallest strength of at least `needed` points that can be made of some Units; all of it where none can."""
    sums = {0}
    for n in points:
        sums |= {total + n for total in sums}
    return min((total for total in sums if total >= needed), default=max(sums))


def asked_to_join(tables: Tables, state: State, choice: Pending) -> tuple[Assault, ...]:
    """What a Power that is asked to join an attack has to choose between: the attack with it, and without it.

    Who has not answered yet is counted in.
    """
    about = choice.about
    war = next((w for w in state.wars if isinstance(about, JoinAttack) and w.id == about.war), None)
    if war is None or not isinstance(about, JoinAttack):
        return ()
    return tuple(
        assault(tables, state, war, choice.area, about.unit_kind, aside)
        for aside in (about.aside, (*about.aside, choice.power))
    )


def said(tables: Tables, assault: Assault) -> str:
    """An attack and its chances in a sentence or two, for lists and for reading aloud."""
    if not assault.table:
        return ""
    who = powers_named(tables, assault.powers)
    head = f"{who}: {assault.attack} against {assault.defend}, Table {assault.table} at {assault.column}"
    return f"{head}. {chances(assault)} Of six faces: {'; '.join(f'{p.faces} {p.text}' for p in assault.prospects)}."


def chances(assault: Assault) -> str:
    """How often an attack clears the place, and how often it fails."""
    return f"No defender stays {assault.wins} times in 6, no attacker {assault.fails} times in 6."


def summary(assault: Assault) -> str:
    """An attack in a few words, for a line of a menu."""
    if not assault.table:
        return ""
    return (
        f"{assault.attack} against {assault.defend}, {assault.column}: clears {assault.wins}/6, fails {assault.fails}/6"
    )


def openings(tables: Tables, state: State, war: War) -> Iterator[tuple[str, str, Assault]]:
    """Every place and kind of Unit with which the phasing Alliance could attack, and the attack with all allies."""
    for place, kind in battle.places(tables, state, war):
        yield place, kind, assault(tables, state, war, place, kind, ())
