"""Combat odds and combat reports: Colonial Combat, and attacks in War for each set of allies.

Rules: CCB-043 to CCB-060, WCB-005, WCB-006, WCB-007, WCB-012 to WCB-014, WCB-017 to WCB-020, WCB-023, WCB-026, WCB-027,
WCB-029, WCB-030
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.combat import results
from paxtui.games.pax.combat.results import DEFEATED, ELIMINATED, LOSE_UNITS, army_names, units_strength
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.events.turn import COMBAT_RESULTS
from paxtui.games.pax.narration.narrator import BAD, GOOD, PLAIN, Narrator, ReportLine, with_consequences
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import ARMY, CONTROL, Unit
from paxtui.games.pax.state.questions import JoinAttack, Pending
from paxtui.games.pax.state.war import War
from paxtui.games.pax.text.display import place_name, powers_text, sentence, the_powers
from paxtui.games.pax.war.campaign import battle


class ResultChance(NamedTuple):
    """A result of the table and the number of die faces that give it.

    Attributes:
        result: E, AR, EX, HX, DR or DE.
        faces: number of die faces, of six.
        wins: whether it defeats the Area.
        lost: minimum loss of the attackers, in strength points.
    """

    result: str
    faces: int
    wins: bool
    lost: int


class CombatOdds(NamedTuple):
    """Odds of a force against an Area before the die roll.

    Attributes:
        attack, defend: strength points.
        table: 1 or 2; 0 if the Area does not resist.
        column: the ratio column, as printed.
        chances: the possible results, in die order.
    """

    attack: int
    defend: int
    table: int
    column: str
    chances: tuple[ResultChance, ...]

    @property
    def wins(self) -> int:
        """Number of die faces, of six, that defeat the Area."""
        return sum(c.faces for c in self.chances if c.wins) if self.table else 6


def combat_odds(tables: Tables, force: Sequence[int], defend: int) -> CombatOdds:
    """Return the odds of armies against an Area.

    Args:
        force: strength of each Army Unit that attacks.
        defend: Combat Strength of the Area.

    Rules: CCB-008, CCB-043, CCB-044, CCB-046, CCB-052 to CCB-057
    """
    attack = sum(force)
    if not defend:
        return CombatOdds(attack, 0, 0, "", ())
    table, index = results.table_number(attack, defend), results.ratio_column(tables, attack, defend)
    faces: dict[str, int] = {}
    for die in range(1, 7):
        result = results.look_up_result(tables, table, die, index)
        faces[result] = faces.get(result, 0) + 1
    chances = []
    for result, count in faces.items():
        outcome = results.read_result(result, attack, defend)
        lost = {ELIMINATED: attack, LOSE_UNITS: least_loss(force, outcome.losses)}.get(outcome.effect, 0)
        wins = outcome.effect == DEFEATED or (outcome.effect == LOSE_UNITS and lost < attack)
        chances.append(ResultChance(result, count, wins, lost))
    return CombatOdds(attack, defend, table, results.ratio_label(tables.ratios[index]), tuple(chances))


def combat_odds_at(tables: Tables, state: State, area: str, powers: Sequence[str]) -> CombatOdds:
    """Return the odds of all armies of some Powers in an Area against it. Rules: CCB-014, CCB-022."""
    strengths = [units_strength([name]) for power in powers for name in army_names(state, area, power)]
    return combat_odds(tables, strengths, tables.areas[area].strength)


def describe_odds(odds: CombatOdds) -> str:
    """Describe odds in one or two sentences."""
    if not odds.table:
        return f"{odds.attack} against 0: the Area does not resist."
    head = f"{odds.attack} against {odds.defend}, Table {odds.table} at {odds.column}"
    return f"{head}: {win_chance_text(odds)}. Of six faces: {'; '.join(map(_chance_text, odds.chances))}."


def short_odds(odds: CombatOdds) -> str:
    """Describe odds briefly, with the results as printed in the table: `10:5 wins 4/6 · 1 AR 1 EX-5 4 DE`."""
    if not odds.table:
        return f"{odds.attack}:0 wins"
    faces = " ".join(f"{c.faces} {c.result}{f'-{c.lost}' if c.lost else ''}" for c in odds.chances)
    return f"{odds.attack}:{odds.defend} wins {odds.wins}/6 · {faces}"


def win_chance_text(odds: CombatOdds) -> str:
    """The chance of victory, worded for use inside a sentence."""
    return {0: "no win is possible", 6: "certain win"}.get(odds.wins, f"won {odds.wins} times in 6")


def _chance_text(chance: ResultChance) -> str:
    lost = f" (strength {chance.lost} lost)" if chance.lost and chance.result in ("EX", "HX") else ""
    return f"{chance.faces} {COMBAT_RESULTS[chance.result]}{lost}"


class CombatReport(NamedTuple):
    """A combat and its consequences in the same act."""

    combat: ev.ColonialCombat
    follows: tuple[ev.Event, ...]


_FOLLOWS = (ev.UnitsLost, ev.UnitsMoved, ev.UnrestEnded, ev.MarkerEstablished, ev.MarkerLowered, ev.WarDue)


def combat_reports(events: Sequence[ev.Event]) -> list[CombatReport]:
    """The Colonial Combats among some events, each with its consequences in its Area."""
    found = with_consequences(events, ev.ColonialCombat, _FOLLOWS, (ev.PhaseBegan,))
    return [CombatReport(combat, follows) for combat, follows in found]


def combat_aftermath(narrator: Narrator, fight: CombatReport) -> list[str]:
    """Describe the consequences of a combat, one sentence each; the last says whether the Area is won or lost."""
    tables, combat = narrator.known.tables, fight.combat
    out = [sentence(narrator.tell(event)) for event in fight.follows]
    where = place_name(tables, combat.area)
    lost = any(isinstance(e, ev.MarkerLowered) and e.marker in CONTROL and not e.to for e in fight.follows)
    won = any(isinstance(e, ev.MarkerEstablished | ev.UnrestEnded) for e in fight.follows)
    if lost:
        out.append(f"{where} is lost.")
    elif won:
        out.append(f"{where} is won.")
    elif combat.effect == LOSE_UNITS:
        out.append(f"Armies worth {combat.losses} strength points are still to be named.")
    return out


def describe_combat(narrator: Narrator, fight: CombatReport, mine: tuple[str, ...]) -> ReportLine:
    """Describe a combat and its consequences in one line of a report, briefly for combats of others.

    Args:
        narrator: the reader's narrator.
        mine: the reader's Powers.
    """
    tables, combat = narrator.known.tables, fight.combat
    follows = combat_aftermath(narrator, fight)
    if set(combat.powers) & set(mine):
        won = combat.effect == DEFEATED or any(isinstance(e, ev.MarkerEstablished) for e in fight.follows)
        text = " ".join([sentence(narrator.tell(combat)), *follows])
        return ReportLine(text, combat.area, GOOD if won else BAD)
    if not combat.die:
        return ReportLine(sentence(narrator.tell(combat)), combat.area)
    who, verb = the_powers(tables, combat.powers), "attack" if len(combat.powers) > 1 else "attacks"
    how = (
        f"{combat.attack} against {combat.defend}, die {combat.die}: {COMBAT_RESULTS.get(combat.result, combat.result)}"
    )
    lost = [f"{' '.join(e.units)} lost" for e in fight.follows if isinstance(e, ev.UnitsLost)]
    end = follows[-1] if follows and follows[-1].endswith((" won.", " lost.")) else ""
    said = sentence(f"{who} {verb} {place_name(tables, combat.area)} ({', '.join([how, *lost])})")
    return ReportLine(f"{said} {end}".rstrip(), combat.area, PLAIN)


RESULT_ORDER = ("E", "AR", "EX", "HX", "DR", "DE")
"""Results from worst to best for the attackers."""


class AssaultResult(NamedTuple):
    """A result of the table.

    Attributes:
        result: E, AR, EX, HX, DR or DE.
        faces: number of die faces, of six.
        ours, theirs: minimum losses of attackers and defenders, in strength points.
        clears: whether no defender stays.
        text: the effect in words.
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
        powers: the attackers.
        aside: allies that could attack but stand aside.
        force: strength points of the attacking Units.
        attack, defend: strength points that count, including those of an Area.
        table: 1 or 2; 0 if there is nothing to fight.
        column: the ratio column, as printed.
        row: the result for each die face.
        prospects: the possible results, worst first.
    """

    powers: tuple[str, ...]
    aside: tuple[str, ...]
    force: int
    attack: int
    defend: int
    table: int
    column: str
    row: tuple[str, ...]
    prospects: tuple[AssaultResult, ...]

    @property
    def wins(self) -> int:
        """Number of die faces after which no defender and at least one attacker stays."""
        return sum(p.faces for p in self.prospects if p.clears and p.ours < self.force)

    @property
    def fails(self) -> int:
        """Number of die faces after which no attacker stays."""
        return sum(p.faces for p in self.prospects if p.result == "AR" or p.ours >= self.force)


def possible_assaults(tables: Tables, state: State, war: War, place: str, kind: str, power: str) -> tuple[Assault, ...]:
    """Return the attacks that a Power can order in a place, alone and with each set of allies; the largest force
    first.

    Minor Powers must attack with their Great Power allies.

    Rules: WCB-005, WCB-006, WCB-007, WCB-012
    """
    there = dict.fromkeys(u.power for u in battle.attackers(state, war, place, kind))
    must = battle.bound_attacks(tables, state, war).get(place, ()) if kind == ARMY else ()
    asked = [p for p in there if p != power and p in state.powers and p not in must]
    found = []
    for n in range(len(asked), -1, -1):
        for joining in combinations(asked, n):
            aside = tuple(p for p in asked if p not in joining)
            found.append(find_assault(tables, state, war, place, kind, aside))
    return tuple(found)


def find_assault(tables: Tables, state: State, war: War, place: str, kind: str, aside: tuple[str, ...]) -> Assault:
    """Return the attack of the phasing Alliance in a place without the allies that stand aside.

    Rules: WCB-011, WCB-012, WCB-013, WCB-014
    """
    ours = battle.attackers(state, war, place, kind, aside)
    theirs = battle.defenders(state, war, place, kind)
    helps, resists = 0, 0
    if kind == ARMY:
        helps, resists = battle.area_support(tables, state, war, place), battle.area_defence(tables, state, war, place)
    attack, defend = sum(u.strength for u in ours) + helps, sum(u.strength for u in theirs) + resists
    powers = tuple(dict.fromkeys(u.power for u in ours))
    if not attack or not defend:
        return Assault(powers, aside, attack - helps, attack, defend, 0, "", (), ())
    table, index = results.table_number(attack, defend), results.ratio_column(tables, attack, defend)
    row = tuple(results.look_up_result(tables, table, die, index) for die in range(1, 7))
    prospects = tuple(
        _prospect(result, row.count(result), (attack, _points(ours)), (defend, _points(theirs)))
        for result in RESULT_ORDER
        if result in row
    )
    label = results.ratio_label(tables.ratios[index])
    return Assault(powers, aside, attack - helps, attack, defend, table, label, row, prospects)


def _points(units: tuple[Unit, ...]) -> tuple[int, ...]:
    return tuple(u.strength for u in units)


ForcePoints = tuple[int, tuple[int, ...]]
"""The strength that counts in a combat, including an Area's own, and the strength of each Unit."""


def _prospect(result: str, faces: int, ours: ForcePoints, theirs: ForcePoints) -> AssaultResult:
    """The costs of a result for both sides. Rules: WCB-019, WCB-020, WCB-023, WCB-026, WCB-027, WCB-029, WCB-030."""
    (attack, our_units), (defend, their_units) = ours, theirs
    mine, others = sum(our_units), sum(their_units)
    lost, killed, what = 0, 0, COMBAT_RESULTS[result]
    if result == "E":
        lost = mine
    elif result == "DE":
        killed = others
    elif result in ("EX", "HX"):
        weaker = min(attack, defend)
        needed = weaker if result == "EX" else (weaker + 1) // 2
        if attack > defend:
            lost, killed = least_loss(our_units, needed), others
        elif attack < defend or result == "HX":
            lost, killed = mine, least_loss(their_units, needed)
        else:
            lost, killed = mine, others
    clears = result in ("DR", "DE") or (killed >= others and result != "E" and attack >= defend)
    costs = [f"{n} of {all_} {whose}" for n, all_, whose in ((lost, mine, "yours"), (killed, others, "theirs")) if n]
    return AssaultResult(result, faces, lost, killed, clears, f"{what} (lost: {', '.join(costs)})" if costs else what)


def least_loss(points: Iterable[int], needed: int) -> int:
    """Return the smallest loss of at least `needed` points that some Units allow; their total if none does."""
    sums = {0}
    for n in points:
        sums |= {total + n for total in sums}
    return min((total for total in sums if total >= needed), default=max(sums))


def join_options(tables: Tables, state: State, choice: Pending) -> tuple[Assault, ...]:
    """Return the attack with and without a Power that is asked to join it.

    Powers that have not answered yet count as joining.
    """
    about = choice.about
    war = state.war(about.war) if isinstance(about, JoinAttack) else None
    if war is None or not isinstance(about, JoinAttack):
        return ()
    return tuple(
        find_assault(tables, state, war, choice.area, about.unit_kind, aside)
        for aside in (about.aside, (*about.aside, choice.power))
    )


def describe_assault(tables: Tables, assault: Assault) -> str:
    """Describe an attack and its chances in one or two sentences, for lists and screen readers."""
    if not assault.table:
        return ""
    who = powers_text(tables, assault.powers)
    head = f"{who}: {assault.attack} against {assault.defend}, Table {assault.table} at {assault.column}"
    chances = f"No defender stays {assault.wins} times in 6, no attacker {assault.fails} times in 6."
    return f"{head}. {chances} Of six faces: {'; '.join(f'{p.faces} {p.text}' for p in assault.prospects)}."


def assault_summary(assault: Assault) -> str:
    """Summarize an attack in a few words, for a menu line."""
    if not assault.table:
        return ""
    chances = f"clears {assault.wins}/6, fails {assault.fails}/6"
    return f"{assault.attack} against {assault.defend}, {assault.column}: {chances}"


def possible_attacks(tables: Tables, state: State, war: War) -> Iterator[tuple[str, str, Assault]]:
    """Return each place and Unit kind that the phasing Alliance could attack with, and the attack with all allies."""
    for place, kind in battle.attack_places(tables, state, war):
        yield place, kind, find_assault(tables, state, war, place, kind, ())
