"""What decided a game: each seat's chance to win at each Game Turn, and the acts that changed it most.

`review_game` computes a review from the prediction at once. `refine` improves it with rollouts of statesmen, and
`review_file` keeps it beside the log. A reader of reviews needs only `Review`, `TurnChances` and `TurningPoint`.

A review of a running game contains only what one seat knows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from math import hypot, sqrt

import msgspec
from msgspec.structs import replace

from paxtui.bots.pax.prediction import predict_results
from paxtui.bots.pax.turning_points import MAX_POINTS, MIN_CHANGE, Knowledge, turning_points
from paxtui.bots.pax.turning_points import TurningPoint as PredictedPoint
from paxtui.engine.log import Line
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.state.model import State
from paxtui.games.pax.text.display import percent, power_name, sentence
from paxtui.games.pax.visibility import visible_event, visible_state
from paxtui.session.game_viewer import GameViewer
from paxtui.session.pax_host import PaxViews
from paxtui.studies.act_analysis import (
    advise,
    describe_omissions,
    describe_own_ideas,
    describe_placement,
    find_placement,
    placement_of,
)

POOL, LEAST_POOLED = 40, 0.01
"""Number of acts that the prediction finds, and the least change of a chance by which it finds one."""
CANDIDATES = 6
"""Number of acts that rollouts compare."""
MOST_OF_TURN = 2
"""Maximum number of them in one Game Turn."""
SURE, SURE_OWN, SURE_OTHER = 2.0, 1.5, 3.0
"""Standard errors beyond which a change counts: if no seat acts, that of the seat that acts, and that of other seats.

Many other seats are compared, and one of them changes by chance.
"""
LEAST_SURE = 0.02
"""Least part of a change beyond these."""
NAMED_CHANGE = 0.02
"""Change of a chance that is named with a turning point."""
MOST_TURNS = 3
"""Maximum number of turning points that are whole Game Turns, unless too few acts count."""
TURN_CHANGE = 0.15
"""Least change of a chance for which a whole Game Turn is a turning point."""
NO_ORDERS = ("ready", "unready", "advance")
"""Acts after which the rules play on."""
MOST_NAMED = 3
"""Maximum number of seats that are named with a turning point."""

CHANCE = "The rollouts do not tell this from chance."

Chances = dict[str, float]
"""Chance to win by seat, 0 to 1; the chances of all seats add up to 1."""


class TurnChances(msgspec.Struct, frozen=True, omit_defaults=True):
    """The chances to win at the beginning of a Game Turn, or at the end of the game or of the log.

    Attributes:
        turn: Game Turn.
        year: its year.
        line: the line of the log after which the position stands, by the number of the review's reader.
        predicted: the chances by the prediction from the position; at the end of the game its result.
        refined: the chances by rollouts, empty without any.
        rollouts: their number.
        is_end: whether it is the end of the game.
    """

    turn: int
    year: int
    line: int
    predicted: Chances
    refined: Chances = {}
    rollouts: int = 0
    is_end: bool = False

    @property
    def chances(self) -> Chances:
        """The best known chances: those by rollouts if there are any."""
        return self.refined or self.predicted

    def error_of(self, seat: str) -> float:
        """Return an upper bound of the standard error of a refined chance; 0 without rollouts."""
        if not self.refined:
            return 0.0
        chance = (self.refined[seat] * self.rollouts + 1) / (self.rollouts + 2)
        return sqrt(chance * (1 - chance) / self.rollouts)


class TurningPoint(msgspec.Struct, frozen=True, omit_defaults=True):
    """An act that changed the chances to win, or a Game Turn in which a seat did not do what a statesman would.

    Attributes:
        turn: Game Turn.
        year: its year.
        line: the line of the log that contains it, by the number of the review's reader.
        text: what happened, as a sentence.
        before: the chances without the act.
        after: the chances with the act.
        seat: the seat that acted; "" if the rules or the dice did.
        power: the Power that the act names; "" for none.
        place: the Area, Sea Zone or Home Country; "" for none.
        rollouts: number of rollouts behind each of `before` and `after`; 0 if they are predictions.
        advice: what a statesman would have done, as a sentence; "" if that is unknown.
        error: standard error of the largest change, by the rollouts.
        is_turn: whether it is a whole Game Turn: `before` if statesmen play it, `after` as it was played.
        errors: standard error of the change of each seat.
        expected: the predicted change of each seat, if rollouts have replaced it.
        places: the Areas that the text of a Game Turn names.
    """

    turn: int
    year: int
    line: int
    text: str
    before: Chances
    after: Chances
    seat: str = ""
    power: str = ""
    place: str = ""
    rollouts: int = 0
    advice: str = ""
    error: float = 0.0
    is_turn: bool = False
    errors: Chances = {}
    expected: dict[str, float] = {}
    places: tuple[str, ...] = ()

    def predicted_change(self, seat: str) -> float:
        """Return the change of a chance by the prediction alone."""
        return self.expected[seat] if self.expected else self.after[seat] - self.before[seat]

    @property
    def sure_change(self) -> float:
        """The largest change beyond what may be chance; the prediction knows no chance. Zero or less: none."""
        if not self.rollouts:
            return self.change
        return max(self._sure_change(seat) for seat in self.after)

    def _sure_change(self, seat: str) -> float:
        errors = SURE if self.is_turn or not self.seat else SURE_OWN if seat == self.seat else SURE_OTHER
        return abs(self.after[seat] - self.before[seat]) - errors * self.errors.get(seat, self.error)

    @property
    def may_be_chance(self) -> bool:
        """Whether rollouts do not tell its change from chance."""
        return bool(self.rollouts) and self.sure_change < LEAST_SURE

    @property
    def change(self) -> float:
        """The largest change of a seat's chance."""
        return max((abs(self.after[seat] - self.before[seat]) for seat in self.after), default=0.0)

    @property
    def changed_seats(self) -> tuple[str, ...]:
        """The seats whose chances changed most, the largest change first; of a Game Turn first that of its text."""
        own = self.seat if self.is_turn else ""
        seats = sorted(self.after, key=lambda seat: (seat != own, -abs(self.after[seat] - self.before[seat])))
        return tuple(s for s in seats[:MOST_NAMED] if abs(self.after[s] - self.before[s]) >= NAMED_CHANGE)


class Review(msgspec.Struct, frozen=True, omit_defaults=True):
    """What decided a game.

    Attributes:
        game: id of the game.
        seats: its seats, in order.
        version: number of the log's last line when the review was made.
        tip: hash of that line.
        turns: the chances at each Game Turn, in order.
        points: the turning points, in the order of the game.
        seat: the seat whose knowledge the review contains; ARBITER for everything.
        rollouts: wanted number of rollouts of each Game Turn; 0 for a review by the prediction alone.
        seed: seed of the rollouts.
        candidates: the acts among which the turning points were found.
        is_refined: whether all wanted rollouts are done.
    """

    game: str
    seats: tuple[str, ...]
    version: int
    tip: str
    turns: tuple[TurnChances, ...]
    points: tuple[TurningPoint, ...]
    seat: str = ARBITER
    rollouts: int = 0
    seed: str = ""
    candidates: tuple[TurningPoint, ...] = ()
    is_refined: bool = False


def review_game(host: PaxViews, seat: str = "") -> Review:
    """Review a game by the prediction alone. Takes less than a second.

    Args:
        host: the game.
        seat: the seat whose knowledge may be used; by default everything of a finished game or of a game of bots,
            else what everybody knows.

    Raises:
        Refusal: `unknown_seat`; `not_over` for everything about a running game with persons.
    """
    seat = seat or (ARBITER if may_show_everything(host) else SPECTATOR)
    host.check_seat(seat)
    if seat == ARBITER and not may_show_everything(host):
        raise Refusal("not_over", (), "A review with all secrets is possible when the game is over. Name a seat.")
    game = host.game
    turns = tuple(_turn_chances(host, seat))
    known = Knowledge(partial(visible_state, host.tables, seat=seat), partial(visible_event, seat=seat))
    lines = [line.n for line in game.effective_lines()]
    acts = [game.events(n) for n in lines]
    narrator = GameViewer(host, seat).narrator
    found = turning_points(host.tables, game.seek(1), acts, narrator, POOL, known, LEAST_POOLED)
    points: dict[int, TurningPoint] = {}
    for point in sorted((_turning_point(host, seat, lines[one.act], one) for one in found), key=lambda one: one.change):
        points[point.line] = point  # of several changes in one line the largest
    review = Review(game.header.game, host.state.players, host.version, game.tip, turns, (), seat)
    return with_candidates(review, tuple(points[line] for line in sorted(points)))


def may_show_everything(host: PaxViews) -> bool:
    """Whether nothing in a game is secret: it is over, or bots play all seats."""
    return host.is_over or all(host.occupant(seat).is_automatic for seat in host.seats)


def with_candidates(review: Review, candidates: tuple[TurningPoint, ...]) -> Review:
    """Return a review with other candidates; its turning points are those with the largest sure changes.

    If there are fewer than `MAX_POINTS`, acts follow whose change may be chance.
    As soon as rollouts have compared acts, only these count, and Game Turns. Before that acts count as far as they
    explain the change of the chances in their Game Turn.
    """
    ranked = sorted((point for point in candidates if point.rollouts), key=lambda point: -point.sure_change)
    if all(point.is_turn for point in ranked):
        ranked += [act for act, explained in _rank_by_explanation(review, candidates) if explained > 0]
    chosen: list[TurningPoint] = []
    for most_turns, least in ((MOST_TURNS, LEAST_SURE), (MAX_POINTS, LEAST_SURE), (MOST_TURNS, -1.0)):
        for point in ranked:
            has_room = len(chosen) < MAX_POINTS and not (
                point.is_turn and sum(other.is_turn for other in chosen) >= most_turns
            )
            is_large = point.change >= MIN_CHANGE and point.sure_change >= least
            if has_room and is_large and not any(_is_explained(point, other) for other in chosen):
                chosen.append(point)
    return replace(review, points=tuple(one for one in candidates if one in chosen), candidates=candidates)


def _is_explained(point: TurningPoint, other: TurningPoint) -> bool:
    """Whether a turning point is another one, or is about the same Areas in the same Game Turn."""
    shared = {point.place, *point.places} & {other.place, *other.places} - {""}
    return point == other or (point.turn == other.turn and bool(shared))


def acts_to_compare(review: Review) -> Iterator[TurningPoint]:
    """Yield the acts that rollouts should compare, the best first: those that explain the changes of the curve."""
    count = Counter[int]()
    for point, _ in _rank_by_explanation(review, review.candidates):
        if count[point.turn] < MOST_OF_TURN:
            count[point.turn] += 1
            yield point


def _rank_by_explanation(review: Review, candidates: tuple[TurningPoint, ...]) -> list[tuple[TurningPoint, float]]:
    """Return the acts with what they explain of the changes of the chances in their Game Turns, the best first.

    The figure is below zero if the predicted change of an act goes the other way.
    """
    swings = {
        turn.turn: {seat: after.chances[seat] - turn.chances[seat] for seat in review.seats}
        for turn, after in pairwise(review.turns)
    }

    def explained(point: TurningPoint) -> float:
        swing = swings.get(point.turn, {})
        return sum(change * point.predicted_change(seat) for seat, change in swing.items())

    acts = [(point, explained(point)) for point in candidates if not point.is_turn]
    return sorted(acts, key=lambda act: act[1], reverse=True)


def turn_lines(host: PaxViews) -> Iterator[int]:
    """Yield the line of the start position, and the lines in which Game Turns begin."""
    start, begun = 1, False
    for line in host.game.effective_lines():
        events = host.game.events(line.n)
        if any(isinstance(event, ev.TurnBegan) for event in events):
            if not begun:
                yield start
            begun = True
            yield line.n
        elif not begun and any(isinstance(event, ev.PositionSet) for event in events):
            start = line.n
    if not begun:
        yield start


def _turn_chances(host: PaxViews, seat: str) -> Iterator[TurnChances]:
    """Yield the chances at each Game Turn, and at the last line."""
    tables, number = host.tables, host.known(seat).number
    lines = list(turn_lines(host))
    for n in lines:
        state = host.game.seek(n)
        if state.result is None:
            yield TurnChances(state.turn, _year(tables, state.turn), number(n), _chances(host, seat, state))
    last = host.state
    if host.version > lines[-1] or last.result is not None:
        yield TurnChances(
            last.turn, _year(tables, last.turn), number(host.version), _chances(host, seat, last), is_end=host.is_over
        )


def _year(tables: Tables, turn: int) -> int:
    return tables.turns[turn - 1].year


def _chances(host: PaxViews, seat: str, state: State) -> Chances:
    return position_chances(host.tables, visible_state(host.tables, state, seat))


def position_chances(tables: Tables, state: State) -> Chances:
    """Return the chances to win by the prediction; in a finished game the winners share 1."""
    if state.result is not None:
        winners = [seat for seat, rank in state.result.ranks.items() if rank == 1]
        return {seat: (seat in winners) / len(winners) for seat in state.players}
    return {seat: round(found.chance, 4) for seat, found in predict_results(tables, state).items()}


def _turning_point(host: PaxViews, seat: str, n: int, point: PredictedPoint) -> TurningPoint:
    """Return a turning point of line `n` of the log; for a marker, that of the order that placed it."""
    text, line = point.text, host.game.line(n)
    is_order = point.is_whole and line.seat != ARBITER and _type_of(line) not in NO_ORDERS
    placed = find_placement(host, n, point.place, point.power) if _establishes(host, n, point) else 0
    if placed and (order := placement_of(host, placed)) is not None:
        line, is_order = host.game.line(placed), True
        text = sentence(describe_placement(host.tables, line.seat, order))
    return TurningPoint(
        turn=point.turn,
        year=_year(host.tables, point.turn),
        line=host.known(seat).number(line.n),
        text=text,
        before={seat: round(chance, 4) for seat, chance in point.before.items()},
        after={seat: round(chance, 4) for seat, chance in point.after.items()},
        seat=line.seat if is_order else "",
        power=point.power,
        place=point.place,
    )


def _type_of(line: Line) -> str:
    """Return the type of an order; "" if the log of a seat hides it."""
    return str(dict(line.action or {}).get("type", ""))


def _establishes(host: PaxViews, n: int, point: PredictedPoint) -> bool:
    return any(
        isinstance(event, ev.MarkerEstablished) and (event.area, event.power) == (point.place, point.power)
        for event in host.game.events(n)
    )


def with_advice(host: PaxViews, review: Review) -> Review:
    """Return a review whose turning points say what a statesman would have done. Takes a second or two.

    With rollouts, Game Turns that decided much are turning points, too. No advice for one seat's knowledge.
    """
    if review.seat != ARBITER:
        return review
    acts = tuple(point for point in review.candidates if not point.is_turn)
    review = with_candidates(review, tuple(sorted((*acts, *_decided_turns(host, review)), key=lambda one: one.line)))

    def advised(point: TurningPoint) -> TurningPoint:
        loser = min(point.after, key=lambda seat: point.after[seat] - point.before[seat])
        fell = point.before[loser] - point.after[loser] >= NAMED_CHANGE
        return replace(point, advice=advise(host, point.line, loser if fell else ""))

    wanted = [point for point in review.points if not point.advice and not point.is_turn]  # advice takes time
    return with_candidates(review, tuple(advised(one) if one in wanted else one for one in review.candidates))


def _decided_turns(host: PaxViews, review: Review) -> Iterator[TurningPoint]:
    """Yield the Game Turns that changed most, if a seat left out what statesmen buy, or had its own ideas."""
    changes = []
    for turn, after in pairwise(review.turns):
        if turn.refined and (after.refined or after.is_end):
            point = TurningPoint(
                turn=turn.turn, year=turn.year, line=turn.line, text="", before=turn.chances, after=after.chances,
                rollouts=turn.rollouts, is_turn=True,
                errors={seat: hypot(turn.error_of(seat), after.error_of(seat)) for seat in review.seats},
            )  # fmt: skip
            if point.change >= TURN_CHANGE and point.sure_change >= LEAST_SURE:
                changes.append((point, after.line))
    for point, end in sorted(changes, key=lambda one: -one[0].sure_change)[:MAX_POINTS]:
        for seat in point.changed_seats:
            is_loss = point.after[seat] < point.before[seat]
            text, places = (describe_omissions if is_loss else describe_own_ideas)(host, point.line, end, seat)
            if text and abs(point.after[seat] - point.before[seat]) >= TURN_CHANGE:
                yield replace(point, text=sentence(text), seat=seat, power=seat, places=places)
                break


# --- in words ---------------------------------------------------------------------------------------------------------


def describe_changes(tables: Tables, point: TurningPoint) -> str:
    """Return the changes of a turning point: `Italy 14 % to 23 %, France 21 % to 15 %`."""
    return ", ".join(
        f"{power_name(tables, seat)} {percent(point.before[seat])} to {percent(point.after[seat])}"
        for seat in point.changed_seats
    )


def describe_point(tables: Tables, point: TurningPoint) -> str:
    """Return a turning point in one or two sentences, with its year."""
    text = f"{point.year}: {point.text.rstrip('.')}: {describe_changes(tables, point)}."
    return " ".join(filter(None, (text, explain_point(point))))


def explain_point(point: TurningPoint) -> str:
    """Return what a statesman would have done, and whether the change may be chance, in sentences; "" for neither."""
    return " ".join(filter(None, (sentence(point.advice), CHANCE * point.may_be_chance)))
