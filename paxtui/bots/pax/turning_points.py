"""The acts that decided a game: those that changed a seat's chance to win most, by the prediction.

Purchases of the Movement Phase count when they succeed. Income and points of a turn are expected, and decide nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from paxtui.bots.pax.prediction import predict_results
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.clauses.notation import describe_clause
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.events.events import evolve
from paxtui.games.pax.narration.narrator import Narrator, is_bookkeeping, place_of
from paxtui.games.pax.state.model import State
from paxtui.games.pax.text.display import join_with_and, of_power, power_name, sentence

DECIDING_PHASES = ("colonial_combat", "marker_adjustment", "negotiation", "congress", "chinese_resentment", "war")
"""Phases whose events decide something."""
BEGINNINGS = (ev.PhaseBegan, ev.TurnBegan, ev.ColonialCombat, ev.BattleFought, ev.WarDecided, ev.MarkerEstablished)
"""Events that begin a stretch of events with one cause."""
HEADLINES = (
    *(ev.BattleFought, ev.ColonialCombat, ev.WarDecided, ev.WarDeclared, ev.TreatyInForce, ev.CongressChanged),
    *(ev.MarkerEstablished, ev.MarkerTransferred, ev.CodominionSet, ev.MarkerLowered, ev.TreatyBroken),
)
"""Events that name a stretch, the most important first."""
MOST_POINTS = 3
"""Number of acts."""
LEAST_CHANGE = 0.03
"""Change of a chance that counts."""
OTHERS = 2
"""Number of other seats named with an act."""


class TurningPoint(NamedTuple):
    """An act that changed the chances to win.

    Attributes:
        turn: Game Turn.
        text: what happened, in a sentence.
        place: where, "" for nowhere.
        before, after: chance to win by seat, 0 to 1.
    """

    turn: int
    text: str
    place: str
    before: Mapping[str, float]
    after: Mapping[str, float]

    @property
    def change(self) -> float:
        """The largest change of a seat's chance."""
        return max(abs(self.after[seat] - self.before[seat]) for seat in self.after)


class _Stretch(NamedTuple):
    """Events with one cause, and the positions before and after them."""

    events: tuple[ev.Event, ...]
    before: State
    after: State


def turning_points(
    tables: Tables, first: State, acts: Iterable[Sequence[ev.Event]], narrator: Narrator
) -> tuple[TurningPoint, ...]:
    """Return the acts that changed a chance most, in their order.

    Args:
        tables: the tables of the game.
        first: the position before the acts.
        acts: the events of each act in force.
        narrator: knows the names of the game.
    """
    found = [point for stretch in _stretches(first, acts) if (point := _point(tables, stretch, narrator)) is not None]
    best = sorted(found, key=lambda point: -point.change)[:MOST_POINTS]
    return tuple(point for point in found if point in best)


def _stretches(first: State, acts: Iterable[Sequence[ev.Event]]) -> Iterator[_Stretch]:
    state = first
    for act in acts:
        begun, events = state, list[ev.Event]()
        for event in act:
            if isinstance(event, BEGINNINGS) and events:
                yield _Stretch(tuple(events), begun, state)
                begun, events = state, []
            events.append(event)
            state = evolve(state, event)
        yield _Stretch(tuple(events), begun, state)


def _point(tables: Tables, stretch: _Stretch, narrator: Narrator) -> TurningPoint | None:
    before, after = stretch.before, stretch.after
    if before.phase != after.phase or before.turn != after.turn or before.phase not in DECIDING_PHASES:
        return None
    if before.players != after.players or not _has_changed(before, after):
        return None
    head = _headline(stretch.events)
    if head is None:
        return None
    chances = ({seat: found.chance for seat, found in predict_results(tables, s).items()} for s in (before, after))
    point = TurningPoint(after.turn, _text(tables, after, head, narrator), place_of(head), *chances)
    return point if point.change >= LEAST_CHANGE else None


def _has_changed(before: State, after: State) -> bool:
    """Whether anything that the prediction uses has changed."""
    names = ("areas", "homes", "powers", "treaties", "tension")
    return any(getattr(before, name) is not getattr(after, name) for name in names)


def _headline(events: Sequence[ev.Event]) -> ev.Event | None:
    """The event that names a stretch; None if only money and bookkeeping changed."""
    for kind in HEADLINES:
        found = next((event for event in events if isinstance(event, kind)), None)
        if found is not None:
            return found
    return next((e for e in events if not is_bookkeeping(e) and not isinstance(e, ev.PhaseBegan)), None)


def _text(tables: Tables, state: State, head: ev.Event, narrator: Narrator) -> str:
    text = sentence(narrator.tell(head))
    if isinstance(head, ev.TreatyInForce):
        treaty = next((t for t in state.treaties if t.id == head.id), None)
        if treaty is not None:
            articles = "; ".join(describe_clause(tables, clause) for clause in treaty.clauses)
            text = sentence(f"{text.rstrip('.')}: {articles}")
    return text


def describe_point(tables: Tables, point: TurningPoint) -> str:
    """Return an act that decided the game and the chances that it changed, in sentences."""
    seats = sorted(point.after, key=lambda seat: -abs(point.after[seat] - point.before[seat]))
    main, others = seats[0], [s for s in seats[1:] if abs(point.after[s] - point.before[s]) >= LEAST_CHANGE][:OTHERS]
    verb = "rose" if point.after[main] > point.before[main] else "fell"
    said = f"{of_power(tables, main)} chance to win {verb} from {_percent(point.before[main])} to "
    said += _percent(point.after[main])
    if others:
        said += ", that of " + join_with_and([f"{power_name(tables, s)} to {_percent(point.after[s])}" for s in others])
    return f"{tables.turns[point.turn - 1].year}: {point.text} {sentence(said)}"


def _percent(chance: float) -> str:
    return f"{chance * 100:.0f} %"
