"""A Colonial Combat as it goes: the odds before it, the die, what was lost, and what followed from it.

Rules: CCB-043 to CCB-060
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from paxtui.pax.board.tables import Tables
from paxtui.pax.combat import combat_table
from paxtui.pax.combat.combat_table import DEFEATED, ELIMINATED, LOSSES
from paxtui.pax.combat.losses import armies, strength
from paxtui.pax.history import events as ev
from paxtui.pax.narration.dice_narration import RESULTS
from paxtui.pax.narration.narrate import Narrator
from paxtui.pax.reports.page import BAD, GOOD, PLAIN, Told
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import CONTROL
from paxtui.pax.words.spoken import place_name, sentence, the_powers


class Chance(NamedTuple):
    """One result of the table and how many faces of the die bring it.

    Attributes:
        result: E, AR, EX, HX, DR or DE.
        faces: how many of the six.
        wins: whether the Area is defeated by it.
        lost: strength points that the attackers lose by it at least.
    """

    result: str
    faces: int
    wins: bool
    lost: int


class Odds(NamedTuple):
    """What a force can expect against an Area before the die is rolled.

    Attributes:
        attack, defend: strength points.
        table: 1 or 2; 0 where the Area does not resist.
        column: the ratio column, as it is printed.
        chances: the results that are possible, in the order of the die.
    """

    attack: int
    defend: int
    table: int
    column: str
    chances: tuple[Chance, ...]

    @property
    def wins(self) -> int:
        """Faces of the die, of six, by which the Area is defeated."""
        return sum(c.faces for c in self.chances if c.wins) if self.table else 6


def odds(tables: Tables, force: Sequence[int], defend: int) -> Odds:
    """The odds of armies against an Area.

    Args:
        force: strength of each Army Unit that attacks.
        defend: Combat Strength of the Area.

    Rules: CCB-008, CCB-043, CCB-044, CCB-046, CCB-052 to CCB-057
    """
    attack = sum(force)
    if not defend:
        return Odds(attack, 0, 0, "", ())
    table, index = combat_table.table_for(attack, defend), combat_table.column(tables, attack, defend)
    faces: dict[str, int] = {}
    for die in range(1, 7):
        result = combat_table.look_up(tables, table, die, index)
        faces[result] = faces.get(result, 0) + 1
    chances = []
    for result, count in faces.items():
        outcome = combat_table.read(result, attack, defend)
        lost = {ELIMINATED: attack, LOSSES: _least(force, outcome.losses)}.get(outcome.effect, 0)
        wins = outcome.effect == DEFEATED or (outcome.effect == LOSSES and lost < attack)
        chances.append(Chance(result, count, wins, lost))
    return Odds(attack, defend, table, combat_table.label(tables.ratios[index]), tuple(chances))


def odds_at(tables: Tables, state: State, area: str, powers: Sequence[str]) -> Odds:
    """The odds of all armies that some Powers have in an Area against it. Rules: CCB-014, CCB-022."""
    strengths = [strength([name]) for power in powers for name in armies(state, area, power)]
    return odds(tables, strengths, tables.areas[area].strength)


def _least(force: Iterable[int], needed: int) -> int:
    """The smallest strength of at least `needed` points that can be made of the armies; all of it where none can."""
    sums = {0}
    for points in force:
        sums |= {total + points for total in sums}
    return min((total for total in sums if total >= needed), default=max(sums))


def odds_said(odds: Odds) -> str:
    """The odds in a sentence or two."""
    if not odds.table:
        return f"{odds.attack} against 0: the Area does not resist."
    head = f"{odds.attack} against {odds.defend}, Table {odds.table} at {odds.column}"
    return f"{head}: {won_said(odds)}. Of six faces: {'; '.join(map(_chance_said, odds.chances))}."


def odds_in_short(odds: Odds) -> str:
    """The same as short as it goes, with the results as the table has them: `10:5 wins 4/6 · 1 AR 1 EX-5 4 DE`."""
    if not odds.table:
        return f"{odds.attack}:0 wins"
    faces = " ".join(f"{c.faces} {c.result}{f'-{c.lost}' if c.lost else ''}" for c in odds.chances)
    return f"{odds.attack}:{odds.defend} wins {odds.wins}/6 · {faces}"


def won_said(odds: Odds) -> str:
    """How often the attackers win, as it goes on in a sentence."""
    return {0: "it cannot be won", 6: "it is won in any case"}.get(odds.wins, f"won {odds.wins} times in 6")


def _chance_said(chance: Chance) -> str:
    lost = f" (strength {chance.lost} lost)" if chance.lost and chance.result in ("EX", "HX") else ""
    return f"{chance.faces} {RESULTS[chance.result]}{lost}"


class Fight(NamedTuple):
    """A combat with what followed from it in the same act."""

    combat: ev.ColonialCombat
    follows: tuple[ev.Event, ...]


_FOLLOWS = (ev.UnitsLost, ev.UnitsMoved, ev.UnrestEnded, ev.MarkerEstablished, ev.MarkerLowered, ev.WarDue)


def fights(events: Sequence[ev.Event]) -> list[Fight]:
    """The Colonial Combats among some events, each with what came of it in its Area."""
    starts = [n for n, event in enumerate(events) if isinstance(event, ev.ColonialCombat)]
    out = []
    for start, end in pairwise([*starts, len(events)]):
        combat = events[start]
        assert isinstance(combat, ev.ColonialCombat)
        rest = events[start + 1 : end]
        stop = next((n for n, e in enumerate(rest) if isinstance(e, ev.PhaseBegan)), len(rest))
        follows = tuple(e for e in rest[:stop] if isinstance(e, _FOLLOWS) and combat.area in _places(e))
        out.append(Fight(combat, follows))
    return out


def _places(event: ev.Event) -> tuple[str, ...]:
    if isinstance(event, ev.UnitsMoved):
        return event.path
    return (getattr(event, "area", "") or getattr(event, "place", ""),)


def after_it(narrator: Narrator, fight: Fight) -> list[str]:
    """What followed from a combat, a sentence each, and at the end whether the Area is won or lost."""
    tables, combat = narrator.known.tables, fight.combat
    out = [sentence(narrator.tell(event)) for event in fight.follows]
    where = place_name(tables, combat.area)
    lost = any(isinstance(e, ev.MarkerLowered) and e.marker in CONTROL and not e.to for e in fight.follows)
    won = any(isinstance(e, ev.MarkerEstablished | ev.UnrestEnded) for e in fight.follows)
    if lost:
        out.append(f"{where} is lost.")
    elif won:
        out.append(f"{where} is won.")
    elif combat.effect == LOSSES:
        out.append(f"Armies worth {combat.losses} strength points are still to be named.")
    return out


def told_fight(narrator: Narrator, fight: Fight, mine: tuple[str, ...]) -> Told:
    """A combat and what followed from it in one line of a report, briefly where it is others'.

    Args:
        narrator: of who reads it.
        mine: the Powers of who reads it.
    """
    tables, combat = narrator.known.tables, fight.combat
    follows = after_it(narrator, fight)
    if set(combat.powers) & set(mine):
        won = combat.effect == DEFEATED or any(isinstance(e, ev.MarkerEstablished) for e in fight.follows)
        text = " ".join([sentence(narrator.tell(combat)), *follows])
        return Told(text, combat.area, GOOD if won else BAD)
    if not combat.die:
        return Told(sentence(narrator.tell(combat)), combat.area)
    who, verb = the_powers(tables, combat.powers), "attack" if len(combat.powers) > 1 else "attacks"
    how = f"{combat.attack} against {combat.defend}, die {combat.die}: {RESULTS.get(combat.result, combat.result)}"
    lost = [f"{' '.join(e.units)} lost" for e in fight.follows if isinstance(e, ev.UnitsLost)]
    end = follows[-1] if follows and follows[-1].endswith((" won.", " lost.")) else ""
    said = sentence(f"{who} {verb} {place_name(tables, combat.area)} ({', '.join([how, *lost])})")
    return Told(f"{said} {end}".rstrip(), combat.area, PLAIN)
