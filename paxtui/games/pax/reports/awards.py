"""Awards at the end of a game: the best bargain, the boldest War and the most faithful ally, from the events alone.

Rules: VIC-001
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.clauses.exchanges import CEDE, PAY, TRANSFER
from paxtui.games.pax.clauses.registry import CLAUSE_KINDS
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.events.events import evolve
from paxtui.games.pax.state.diplomacy import TREATY, Treaty
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.war import War
from paxtui.games.pax.text.display import join_with_and, place_name, sentence, the_power, the_powers

ALLIANCES = ("defensive", "offensive")
"""Kinds of articles that make allies."""
HONOURED_CALL = 3
"""Worth of a War declared for an ally, in Game Turns of a kept Treaty."""


class Award(NamedTuple):
    """An award: its title, the Powers that get it, and the reason in a sentence."""

    title: str
    powers: tuple[str, ...]
    why: str


class Happening(NamedTuple):
    """An event with the position before it, and the events of the same act."""

    event: ev.Event
    before: State
    act: tuple[ev.Event, ...]


def happenings(first: State, acts: Iterable[Sequence[ev.Event]]) -> Iterator[Happening]:
    """Yield all events in order, from the position before them."""
    state = first
    for act in acts:
        for event in act:
            yield Happening(event, state, tuple(act))
            state = evolve(state, event)


def game_awards(tables: Tables, course: Sequence[Happening]) -> tuple[Award, ...]:
    """Return the awards of a game; an award that nobody has earned is left out."""
    makers: tuple[Callable[[Tables, Sequence[Happening]], Award | None], ...] = (
        best_bargain, boldest_war, most_faithful_ally,
    )  # fmt: skip
    return tuple(award for make in makers if (award := make(tables, course)) is not None)


class _Bargain(NamedTuple):
    """What one Power gained by an agreement: pounds by the end, and its text."""

    pounds: int
    power: str
    why: str


def best_bargain(tables: Tables, course: Sequence[Happening]) -> Award | None:
    """The agreement that brought a Power most: the income of the Areas handed over, less what it paid in the same act.

    The income counts for the Game Turns to come and, as in the final record, twice more. The reason names the other
    articles of the agreement, which may be the price of the Area.
    """
    deals = [deal for one in course if isinstance(one.event, ev.MarkerTransferred) for deal in _bargain(tables, one)]
    best = max(deals, key=lambda deal: deal.pounds, default=None)
    if best is None or best.pounds <= 0:
        return None
    return Award("Best bargain", (best.power,), best.why)


def _bargain(tables: Tables, one: Happening) -> Iterator[_Bargain]:
    event, state = one.event, one.before
    if not isinstance(event, ev.MarkerTransferred) or not _is_agreed(one.act) or event.to not in state.players:
        return
    paid = -sum(e.amount for e in one.act if isinstance(e, ev.TreasuryChanged) and e.power == event.to)
    turns = state.last_turn - state.turn + 2
    income = tables.areas[event.area].value * tables.markers[event.marker].multiplier * turns
    year = tables.turns[state.turn - 1].year
    price = f"for £{paid}" if paid > 0 else f"and £{-paid} besides" if paid < 0 else "for nothing"
    to, giver, where = (the_power(tables, event.to), the_power(tables, event.power), place_name(tables, event.area))
    others = _other_articles(one)
    if others:
        price = f"for {others}" if paid == 0 else f"{price}, with {others}"
    why = sentence(f"{to} got {where} from {giver} in {year} {price}; it brought £{income} by the end")
    yield _Bargain(income - paid, event.to, why)


def _other_articles(one: Happening) -> str:
    """Name the articles beside transfers and payments in the agreement that hands over a marker; "" for none."""
    ids = {e.id for e in one.act if isinstance(e, ev.TreatyInForce | ev.TreatySigned | ev.ClauseDone)}
    treaty = next((t for t in one.before.treaties if t.id in ids), None)
    kinds = [c.kind for c in treaty.clauses] if treaty else []
    others = [CLAUSE_KINDS[kind].summary for kind in dict.fromkeys(kinds) if kind not in (PAY.id, TRANSFER.id, CEDE.id)]
    return join_with_and(others)


def _is_agreed(act: Iterable[ev.Event]) -> bool:
    """Whether an act signs or fulfils an agreement; spoils of War are no bargain."""
    return any(isinstance(event, ev.TreatyInForce | ev.TreatySigned | ev.ClauseDone) for event in act)


class _BoldWar(NamedTuple):
    """A declared War: the enemy's strength as a multiple of the declarer's, the declarer, its id, and its text."""

    odds: float
    power: str
    war: str
    text: str


def boldest_war(tables: Tables, course: Sequence[Happening]) -> Award | None:
    """The War declared on the strongest enemy in comparison, among those that the declarer won, else among all.

    A War on a weaker enemy is not bold.
    """
    declared: list[_BoldWar] = []
    sides: dict[str, War] = {}
    won: set[tuple[str, str]] = set()  # War and Power
    for one in course:
        event = one.event
        if isinstance(event, ev.WarDeclared | ev.WarArose | ev.WarsMerged | ev.GreatWarBegan):
            sides[event.war.id] = event.war
        if isinstance(event, ev.WarDeclared) and not event.treaty:
            bold = _bold_war(tables, one.before, event)
            declared += [bold] if bold.odds >= 1 else []
        elif isinstance(event, ev.WarDecided) and event.victor and event.war in sides:
            war = next((war for war in one.before.wars if war.id == event.war), sides[event.war])
            won.update((event.war, power) for power in war.alliance(event.victor))
    victories = [bold for bold in declared if (bold.war, bold.power) in won]
    best = max(victories or declared, key=lambda bold: bold.odds, default=None)
    if best is None:
        return None
    return Award("Boldest War", (best.power,), f"{best.text}{', and won' if best in victories else ''}.")


def _bold_war(tables: Tables, before: State, event: ev.WarDeclared) -> _BoldWar:
    war, side = event.war, event.war.side_of(event.power)
    friends = war.alliance(side) if side else (event.power,)
    foes = tuple(p for n, alliance in enumerate(war.alliances, 1) if n != side for p in alliance) or event.on
    own, enemy = (sum(_strength(before, power) for power in powers) for powers in (friends, foes))
    year = tables.turns[before.turn - 1].year
    who = sentence(f"{the_power(tables, event.power)} declared War on {the_powers(tables, event.on)} in {year}")
    return _BoldWar(enemy / max(1, own), event.power, war.id, f"{who[:-1]}, {own} strength points against {enemy}")


def _strength(state: State, power: str) -> int:
    places = (*state.homes.values(), *state.at_sea.values(), *(here.units for here in state.areas.values()))
    return sum(unit.strength for units in places for unit in units if unit.power == power)


class _Faith:
    """What a Power did for its allies: Wars declared for them, and Game Turns of Treaties that it kept."""

    def __init__(self) -> None:
        self.calls = self.turns = 0
        self.treaties: set[str] = set()

    @property
    def score(self) -> int:
        return HONOURED_CALL * self.calls + self.turns


def most_faithful_ally(tables: Tables, course: Sequence[Happening]) -> Award | None:
    """The Power that did most for its allies, among those that broke no Treaty; several with the same score."""
    known: dict[str, Treaty] = {}
    began: dict[str, int] = {}
    faith: dict[str, _Faith] = {}
    broke: set[str] = set()

    def kept(id_: str, turn: int) -> None:
        treaty = known.get(id_)
        if treaty is None or id_ not in began or not _makes_allies(treaty):
            return
        turns = turn - began.pop(id_) + 1
        for power in treaty.parties:
            one = faith.setdefault(power, _Faith())
            one.turns += turns
            one.treaties.add(id_)

    turn = 1
    for event, before, _ in course:
        turn = before.turn
        match event:
            case ev.TreatyDrafted(treaty=treaty):
                known[treaty.id] = treaty
            case ev.TreatyInForce(id=id_):
                began[id_] = turn
            case ev.TreatyEnded(id=id_, openly=False):
                kept(id_, turn)
            case ev.TreatyBroken(power=power):
                broke.add(power)
            case ev.WarDeclared(power=power, treaty=id_) if id_:
                faith.setdefault(power, _Faith()).calls += 1
    for id_ in tuple(began):
        kept(id_, turn)
    scores = {power: one.score for power, one in faith.items() if power not in broke and one.score}
    if not scores:
        return None
    powers = tuple(p for p in tables.powers if scores.get(p) == max(scores.values()))
    return Award("Most faithful ally", powers, _faith_text(tables, powers, faith[powers[0]], len(powers) > 1))


def _makes_allies(treaty: Treaty) -> bool:
    return treaty.form == TREATY and any(clause.kind in ALLIANCES for clause in treaty.clauses)


def _faith_text(tables: Tables, powers: tuple[str, ...], one: _Faith, several: bool) -> str:
    deeds = []
    if one.calls:
        deeds.append(f"declared War for an ally {'once' if one.calls == 1 else f'{one.calls} times'}")
    if one.turns and not several:
        count = len(one.treaties)
        deeds.append(f"kept {count} Alliance{'s' * (count != 1)} for {one.turns} Game Turns in all")
    elif one.turns:
        deeds.append(f"kept Alliances for {one.turns} Game Turns in all")
    return sentence(f"{the_powers(tables, powers)} {join_with_and([*deeds, 'broke no Treaty'])}")
