"""The acts that decided a game: those that changed a seat's chance to win most, by the prediction.

Purchases of the Movement Phase count when they succeed. Income and points of a turn are expected, and decide nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from paxtui.bots.pax.prediction import predict_results
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.clauses.notation import describe_clause
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.events.events import evolve
from paxtui.games.pax.narration.narrator import Narrator, is_bookkeeping, place_of
from paxtui.games.pax.state.model import State
from paxtui.games.pax.text.display import join_with_and, of_power, percent, power_name, sentence

DECIDING_PHASES = ("colonial_combat", "marker_adjustment", "negotiation", "congress", "chinese_resentment", "war")
"""Phases whose events decide something."""
BEGINNINGS = (ev.PhaseBegan, ev.TurnBegan, ev.ColonialCombat, ev.BattleFought, ev.WarDecided, ev.MarkerEstablished)
"""Events that begin a stretch of events with one cause."""
HEADLINES = (
    *(ev.BattleFought, ev.ColonialCombat, ev.WarDecided, ev.WarDeclared, ev.TreatyInForce, ev.CongressChanged),
    *(ev.MarkerEstablished, ev.MarkerTransferred, ev.CodominionSet, ev.MarkerLowered, ev.TreatyBroken),
)
"""Events that name a stretch, the most important first."""
MAX_POINTS = 5
"""Number of acts."""
MIN_CHANGE = 0.03
"""Change of a chance that counts."""
OTHER_SEAT_COUNT = 2
"""Number of other seats named with an act."""


class TurningPoint(NamedTuple):
    """An act that changed the chances to win.

    Attributes:
        turn: Game Turn.
        text: what happened, in a sentence.
        place: where, "" for nowhere.
        before, after: chance to win by seat, 0 to 1.
        act: index of the act among all acts.
        power: the Power that the event names; "" for none.
        is_whole: whether it is the whole act.
    """

    turn: int
    text: str
    place: str
    before: Mapping[str, float]
    after: Mapping[str, float]
    act: int = 0
    power: str = ""
    is_whole: bool = True

    @property
    def change(self) -> float:
        """The largest change of a seat's chance."""
        return max(abs(self.after[seat] - self.before[seat]) for seat in self.after)


class _Stretch(NamedTuple):
    """Events with one cause, the positions before and after them, and the index of their act."""

    events: tuple[ev.Event, ...]
    before: State
    after: State
    act: int
    is_whole: bool


class Knowledge(NamedTuple):
    """What a reader may know: functions that remove secrets from a position, and from an event (None: all of it)."""

    state: Callable[[State], State]
    event: Callable[[ev.Event], ev.Event | None]


EVERYTHING = Knowledge(lambda state: state, lambda event: event)


def turning_points(
    tables: Tables,
    first: State,
    acts: Iterable[Sequence[ev.Event]],
    narrator: Narrator,
    most: int = MAX_POINTS,
    known: Knowledge = EVERYTHING,
    least: float = MIN_CHANGE,
) -> tuple[TurningPoint, ...]:
    """Return the acts that changed a chance most, in their order.

    Args:
        tables: the tables of the game.
        first: the position before the acts.
        acts: the events of each act in force, secrets included.
        narrator: knows the names of the game.
        most: number of acts.
        known: what the reader may know.
        least: change of a chance that counts.
    """
    stretches = _stretches(first, acts)
    points = (_point(tables, stretch, narrator, known) for stretch in stretches)
    found = [point for point in points if point is not None and point.change >= least]
    best = sorted(found, key=lambda point: -point.change)[:most]
    return tuple(point for point in found if point in best)


def _stretches(first: State, acts: Iterable[Sequence[ev.Event]]) -> Iterator[_Stretch]:
    state = first
    for n, act in enumerate(acts):
        begun, events, is_whole = state, list[ev.Event](), True
        for event in act:
            if isinstance(event, BEGINNINGS) and events:
                is_whole = False
                yield _Stretch(tuple(events), begun, state, n, is_whole)
                begun, events = state, []
            events.append(event)
            state = evolve(state, event)
        yield _Stretch(tuple(events), begun, state, n, is_whole)


def _point(tables: Tables, stretch: _Stretch, narrator: Narrator, known: Knowledge) -> TurningPoint | None:
    before, after = stretch.before, stretch.after
    if before.phase != after.phase or before.turn != after.turn or before.phase not in DECIDING_PHASES:
        return None
    if before.players != after.players or not _has_changed(before, after):
        return None
    events = [seen for event in stretch.events if (seen := known.event(event)) is not None]
    head = _headline(events, narrator)
    if head is None:
        return None
    then, now = known.state(before), known.state(after)
    chances = [{seat: one.chance for seat, one in predict_results(tables, state).items()} for state in (then, now)]
    power, text = str(getattr(head, "power", "")), _text(tables, now, head, narrator)
    return TurningPoint(after.turn, text, place_of(head), chances[0], chances[1], stretch.act, power, stretch.is_whole)


def _has_changed(before: State, after: State) -> bool:
    """Whether anything that the prediction uses has changed."""
    names = ("areas", "homes", "powers", "treaties", "tension")
    return any(getattr(before, name) is not getattr(after, name) for name in names)


def _headline(events: Sequence[ev.Event], narrator: Narrator) -> ev.Event | None:
    """The event that names a stretch; None if only money and bookkeeping changed, or the arbiter set the position."""
    if any(isinstance(event, ev.PositionSet) for event in events):
        return None
    for kind in HEADLINES:
        found = next((event for event in events if isinstance(event, kind)), None)
        if found is not None:
            return found
    news = (e for e in events if not is_bookkeeping(e) and not isinstance(e, ev.PhaseBegan))
    return next((event for event in news if narrator.tell(event)), None)


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
    main, others = (
        seats[0],
        [s for s in seats[1:] if abs(point.after[s] - point.before[s]) >= MIN_CHANGE][:OTHER_SEAT_COUNT],
    )
    verb = "rose" if point.after[main] > point.before[main] else "fell"
    chances = f"{of_power(tables, main)} chance to win {verb} from {percent(point.before[main])} to "
    chances += percent(point.after[main])
    if others:
        named = [f"{power_name(tables, seat)} to {percent(point.after[seat])}" for seat in others]
        chances += ", that of " + join_with_and(named)
    return f"{tables.turns[point.turn - 1].year}: {point.text} {sentence(chances)}"
