"""The act of a turning point: its order, the positions with and without it, and what a statesman would have done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from paxtui.bots.pax.profiles import character_of
from paxtui.bots.pax.statesman.player import choose_statesman_actions
from paxtui.engine.bots import BotAction
from paxtui.engine.dice import Dice
from paxtui.engine.log import Line
from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.notation import PowerAction, format_for_seat, parse_order
from paxtui.games.pax.actions.structured import decode_action
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.decide import decide
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import LEVEL, PROTECTORATE
from paxtui.games.pax.text.display import (
    join_with_and,
    join_with_or,
    marker_with_article,
    place_name,
    the_power,
)
from paxtui.games.pax.visibility import visible_state
from paxtui.session.pax_host import PaxViews

MOVEMENT = "movement"
STATESMAN = character_of("normal", "")
"""The statesman whose advice a review gives."""
ADVICE_SEED = "review"
MOST_NAMED = 3
"""Maximum number of markers that are named."""
UNADVISED = ("war",)
"""Phases in which a statesman takes too long to advise."""

Placement = actions.Place | actions.Upgrade


class ActPositions(NamedTuple):
    """Two positions of a game: one without an act, and one with it."""

    without: State
    with_act: State


# --- the lines of the act ---------------------------------------------------------------------------------------------


def find_placement(host: PaxViews, n: int, area: str, power: str) -> int:
    """Return the line with the latest order before line `n` of the log that placed a marker; 0 if there is none.

    Args: the game; the line; the Area; the Power of the marker.
    """
    turn = host.game.seek(n).turn
    for line in reversed(host.game.effective_lines()):
        if line.n < n:
            if host.game.seek(line.n).turn < turn:
                break
            order = _order(host, line)
            if isinstance(order, Placement) and order.area == area and power in (order.power, line.seat):
                return line.n
    return 0


def placement_of(host: PaxViews, n: int) -> Placement | None:
    """Return the order of line `n` if it placed a marker."""
    order = _order(host, host.game.line(n))
    return order if isinstance(order, Placement) else None


def describe_placement(tables: Tables, seat: str, order: Placement) -> str:
    """Return an order in words: `Italy places a Protectorate in Tunis`."""
    where = place_name(tables, order.area)
    return f"{the_power(tables, order.power or seat)} places {marker_with_article(tables, order.marker)} in {where}"


def _order(host: PaxViews, line: Line) -> actions.Action | None:
    if line.kind != "act" or line.action is None:  # the log of a seat hides orders of others
        return None
    order = decode_action(host.tables, dict(line.action))
    return order if isinstance(order, actions.Action) else None


def _before(host: PaxViews, n: int) -> int:
    """Return the last act in force before line `n`; 1 if there is none."""
    return max((line.n for line in host.game.effective_lines() if line.n < n), default=1)


# --- with and without it ----------------------------------------------------------------------------------------------


def act_positions(host: PaxViews, n: int) -> ActPositions | None:
    """Return the positions that rollouts compare to find what the act in line `n` of the log changed.

    The placement of a marker is left out of the Movement Phase with the moves of its army; all other orders stay. Any
    other act is compared with the position before it. None if its line plays on into the next Game Turn.
    """
    before, after = host.game.seek(_before(host, n)), host.game.seek(n)
    order = placement_of(host, n)
    if order is not None and before.phase == MOVEMENT:
        return _without_placement(host, n, order)
    return ActPositions(before, after) if before.turn == after.turn and after.result is None else None


def _without_placement(host: PaxViews, n: int, order: Placement) -> ActPositions | None:
    """Replay the Movement Phase from line `n` on without the orders of a seat for an Area."""
    state, seat = host.game.seek(_before(host, n)), host.game.line(n).seat
    for line in host.game.effective_lines():
        if line.n < n:
            continue
        action = _order(host, line)
        if action is None or (line.seat == seat and _is_for(action, order.area)):
            continue
        try:
            state = decide(host.tables, state, line.seat, action, Dice(str(line.n))).state
        except Refusal:
            continue
        after = host.game.seek(line.n)
        if after.phase != MOVEMENT:
            return ActPositions(state, after) if state.phase == after.phase else None
    return None


def _is_for(action: actions.Action, area: str) -> bool:
    """Whether an order is for an Area: a marker, or the move of units there."""
    path: Sequence[str] = getattr(action, "path", ())
    return getattr(action, "area", "") == area or (bool(path) and path[-1] == area)


# --- what a statesman would have done ---------------------------------------------------------------------------------


def advise(host: PaxViews, n: int, loser: str) -> str:
    """Return what a statesman would have done about the act in line `n` of the log; "" if that is unknown.

    Takes up to half a second.

    Args: the game; the line; the seat whose chance fell most, "" for none.
    """
    line = host.game.line(n)
    before, order = host.game.seek(_before(host, n)), _order(host, line)
    if before.phase in UNADVISED or order is None or line.seat not in before.players:
        return "the dice decided it" if line.dice else ""
    if isinstance(order, Placement):
        advice = [_advise_placement(host.tables, before, line.seat, order)]
        if loser and loser != line.seat:
            advice.append(_advise_defence(host, n, loser, order.area))
        return "; ".join(filter(None, advice))
    if not isinstance(order, PowerAction):
        return ""
    own = format_for_seat(host.tables, order, line.seat)
    plan = _plan(host.tables, before, line.seat)
    if any(act.text == own for act in plan):
        return "a statesman would have done the same"
    return "a statesman would have done otherwise" if isinstance(order, actions.Choose | actions.DeclareWar) else ""


def _advise_placement(tables: Tables, before: State, seat: str, order: Placement) -> str:
    placed = _placements(tables, _plan(tables, before, seat))
    if any(other.area == order.area for other in placed):
        return "a statesman would have done so too"
    if not placed:
        return "a statesman would have kept the money"
    first = placed[0]
    other = f"{marker_with_article(tables, first.marker)} in {place_name(tables, first.area)}"
    return f"a statesman would not have done so, but would have placed {other} first"


def _advise_defence(host: PaxViews, n: int, loser: str, area: str) -> str:
    """Return whether a statesman at the seat that lost most would have contested the Area."""
    tables, after = host.tables, host.game.seek(n)
    who = f"a statesman at the seat of {the_power(host.tables, loser)}"
    if any(line.seat == loser and _is_for_area(host, line, area) for line in _movement_lines(host, n)):
        return ""
    wanted = [order for order in _placements(tables, _plan(tables, after, loser)) if order.area == area]
    if wanted:
        return f"{who} would have contested it with {marker_with_article(tables, wanted[-1].marker)}"
    return f"{who} would not have contested it"


def describe_omissions(host: PaxViews, start: int, end: int, seat: str) -> tuple[str, tuple[str, ...]]:
    """Return the markers that a statesman would place in a Game Turn and the seat did not, in words, and their Areas.

    Empty if there are none.

    Args: the game; the line in which the Game Turn begins, and that in which it ends; the seat.
    """
    placed, planned = _placed_and_planned(host, start, end, seat)
    text, areas = _name_markers(host.tables, [order for order in planned if order.area not in _areas(placed)], "or")
    return (f"{the_power(host.tables, seat)} does not place {text}, as a statesman would" if text else ""), areas


def describe_own_ideas(host: PaxViews, start: int, end: int, seat: str) -> tuple[str, tuple[str, ...]]:
    """Return the markers that the seat placed in a Game Turn and a statesman would not. Args, result: as above.

    Less than a Protectorate or three Interests explains no large change.
    """
    placed, planned = _placed_and_planned(host, start, end, seat)
    own = [order for order in placed if order.area not in _areas(planned)]
    if sum(LEVEL[order.marker] for order in own) < LEVEL[PROTECTORATE]:
        return "", ()
    text, areas = _name_markers(host.tables, own, "and")
    return (f"{the_power(host.tables, seat)} places {text}, which a statesman would not" if text else ""), areas


def _placed_and_planned(host: PaxViews, start: int, end: int, seat: str) -> tuple[list[Placement], list[Placement]]:
    """Return what a seat placed in a Game Turn, and what a statesman at its seat would."""
    lines = [line for line in host.game.effective_lines() if start <= line.n <= end]
    moving = next((state for line in lines if (state := host.game.seek(line.n)).phase == MOVEMENT), None)
    if moving is None:
        return [], []
    orders = [_order(host, line) for line in lines if line.seat == seat]
    placed = [order for order in orders if isinstance(order, Placement) and order.power in ("", seat)]
    return placed, _placements(host.tables, _plan(host.tables, moving, seat))


def _areas(orders: Sequence[Placement]) -> set[str]:
    return {order.area for order in orders}


def _name_markers(tables: Tables, orders: Sequence[Placement], joint: str) -> tuple[str, tuple[str, ...]]:
    """Name the highest markers, at most `MOST_NAMED`; return their Areas, too. Args: `joint`: "and", "or"."""
    join = join_with_or if joint == "or" else join_with_and
    last = {order.area: order for order in orders}
    named = sorted(last.values(), key=lambda order: -LEVEL[order.marker])[:MOST_NAMED]
    groups = [
        f"{marker_with_article(tables, marker)} in {join([place_name(tables, order.area) for order in some])}"
        for marker, some in groupby(named, lambda order: order.marker)
    ]
    return join(groups), tuple(order.area for order in named)


def _is_for_area(host: PaxViews, line: Line, area: str) -> bool:
    order = _order(host, line)
    return order is not None and _is_for(order, area)


def _movement_lines(host: PaxViews, n: int) -> Iterator[Line]:
    """Yield the acts of the Movement Phase that contains line `n`."""
    turn = host.game.seek(n).turn
    for line in host.game.effective_lines():
        state = host.game.seek(line.n)
        if state.turn == turn and state.phase == MOVEMENT:
            yield line
        elif line.n > n:
            return


def _plan(tables: Tables, state: State, seat: str) -> list[BotAction]:
    known = visible_state(tables, state, seat)
    return choose_statesman_actions(tables, known, seat, STATESMAN, ADVICE_SEED)


def _placements(tables: Tables, plan: Sequence[BotAction]) -> list[Placement]:
    found = []
    for act in plan:
        try:
            order = parse_order(tables, act.text)
        except Refusal:
            continue
        if isinstance(order, Placement):
            found.append(order)
    return found
