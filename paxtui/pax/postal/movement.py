"""The Movement/Status Change Phase by mail: the orders of all seats at once.

Rules: PBM-014 to PBM-025, PBM-118, PBM-119, PBM-127, CAN-012
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from paxtui.engine.seats import ARBITER
from paxtui.pax.board.neighbours import canals
from paxtui.pax.board.status import at, seat_of
from paxtui.pax.expansion.canals import POINTS
from paxtui.pax.expansion.garrison_plan import garrisoned
from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play
from paxtui.pax.postal import boards as bo
from paxtui.pax.postal.boards import Boards, Carry, Node, Outcome
from paxtui.pax.postal.equations import Solution, solve
from paxtui.pax.postal.forms import Form, Order
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import CONTROL
from paxtui.pax.words.spoken import all_of, place_name, power_name, powers_named

NO_ARMY = "no_army"
"""Code of the warning that a new Control marker stands without an Army Unit."""

TOLD: dict[str, str] = {
    bo.DONE: "carried out.",
    bo.UNMET: "not carried out: its condition was not met.",
    bo.PARADOX: "not carried out: it is part of a paradox, and of such orders none is carried out.",
}
"""What the owner of an order is told of it."""

RULES: dict[str, tuple[str, ...]] = {
    bo.DONE: ("PBM-014",),
    bo.UNMET: ("PBM-015", "PBM-020"),
    bo.NULLIFIED: ("PBM-019", "PBM-020"),
    bo.PARADOX: ("PBM-017", "PBM-020"),
    bo.DECLINED: ("PBM-118", "PBM-020"),
    bo.WAITS: ("PBM-039", "PBM-040"),
}


def carry_out(play: Play, forms: Mapping[str, Form], carry: Carry) -> Solution:
    """Carry out the orders of all forms; every owner is told what has become of his.

    Nothing that is told to all depends on the sequence of the seats.

    Args: the decision in progress; the forms by seat; lets a seat do an act.
    Raises: GameOver.
    Rules: PBM-014, PBM-016, PBM-017, PBM-019, PBM-020, PBM-118, PBM-127
    """
    boards = Boards(play.tables, play.state, forms, carry)
    solution = solve(boards)
    began, first = play.state, len(play.events)
    outcomes = solution.judged.outcomes
    for node in solution.judged.gifts:
        act = boards.orders[node].acts[0]
        assert isinstance(act, bo.GIFTS)
        bo.give(play, act, act.power or node[0])
    canal_builders: list[tuple[str, str]] = []
    for node in boards.orders:
        if node not in solution.judged.gifts:
            _happen(play, outcomes[node], canal_builders)
    _first_canal(play, began, canal_builders)
    for node, order in boards.orders.items():
        tell(play, node, order, told(outcomes[node], node in solution.paradox))
    _warn(play, first)
    _flag(play, first)
    return solution


def told(outcome: Outcome, paradox: bool = False) -> Outcome:
    """An outcome as its owner is told of it."""
    return Outcome(bo.PARADOX) if paradox else outcome


def _happen(play: Play, outcome: Outcome, canal_builders: list[tuple[str, str]]) -> None:
    """Let the events of an order happen after those of others: what is counted together is counted anew."""
    builds = [e for e in outcome.events if isinstance(e, ev.CanalBuilt)]
    for event in outcome.events:
        if isinstance(event, ev.TensionRaised):
            play.tension(event.amount, event.reason, event.rules, event.blame, event.area)
        elif isinstance(event, ev.ResentmentRaised):
            play.resentment(event.amount, event.reason, event.rules, event.power, event.area)
        elif isinstance(event, ev.CasusBelliArose):
            play.emit(replace(event, id=f"cb{play.state.next_cause}"))
        elif isinstance(event, ev.CanalBuilt):
            if all(power != event.power for power, _ in canal_builders):
                canal_builders.append((event.power, event.area))
            if not play.state.areas[event.area].canal:
                play.emit(event)
        elif isinstance(event, ev.VictoryPointsChanged) and builds:
            continue  # dice say who was first
        elif not isinstance(event, ev.Noted) or event.code != NO_ARMY:
            play.emit(event)


def _first_canal(play: Play, began: State, builders: list[tuple[str, str]]) -> None:
    """Victory Points for the first canal of the game: of several at the same time dice decide who was first.

    Rules: CAN-009, CAN-012
    """
    if not builders or canals(began):
        return
    left = builders
    while len(left) > 1:
        rolled = [(play.dice.roll(), who) for who in left]
        best = max(number for number, _ in rolled)
        left = [who for number, who in rolled if number == best]
        names = powers_named(play.tables, tuple(power for power, _ in left))
        dice = tuple(number for number, _ in rolled)
        play.emit(ev.DiceRolled(what="first_canal", dice=dice, outcome=names, rules=("CAN-012",)))
    power, area = left[0]
    name = play.tables.areas[area].name
    rules = ("CAN-009", "CAN-012") if len(builders) > 1 else ("CAN-009",)
    play.victory_points(power, POINTS, f"first canal, in {name}", rules, bonus=True)


# --- what is told -------------------------------------------------------------------------------------------------


def tell(play: Play, node: Node, order: Order, outcome: Outcome) -> None:
    """Tell the owner of an order, and nobody else, what has become of it. Rules: PBM-020, R-PBM-03."""
    why = outcome.why
    begins = "no Treaty yet: " if outcome.status == bo.WAITS else "not carried out: "
    said = TOLD.get(outcome.status) or f"{begins}{why.message if why else 'it could not be.'}"
    rules = tuple(dict.fromkeys((*RULES[outcome.status], *(why.rules if why else ()))))
    play.noted(f"order_{outcome.status}", f"Line {order.line}, {order.text}: {said}", rules, node[0], only=(node[0],))


def _warn(play: Play, first: int) -> None:
    """Warn the owner of a new Control marker without an Army Unit of its own: it was carried out all the same.

    Rules: PBM-023
    """
    placed = [e for e in play.events[first:] if isinstance(e, ev.MarkerPlaced) and e.marker in CONTROL]
    for event in placed:
        here = any(m.power == event.power and m.marker == event.marker for m in at(play.state, event.area).markers)
        if here and not garrisoned(play.state, event.area, event.power):
            seat = seat_of(play.tables, play.state, event.power)
            where = place_name(play.tables, event.area)
            text = f"No Army Unit of {power_name(play.tables, event.power)} stands in {where}: the marker is reduced."
            play.noted(NO_ARMY, text, ("PBM-023", "STA-016"), event.power, event.area, only=(seat or ARBITER,))


def _flag(play: Play, first: int) -> None:
    """Note for the arbiter what of the orders raises the European Tensions or the Chinese Resentment.

    Rules: PBM-025
    """
    raised = [e for e in play.events[first:] if isinstance(e, ev.TensionRaised | ev.ResentmentRaised)]
    if raised:
        said = [f"{_index(e)} +{e.amount} ({e.reason})" for e in raised]
        play.noted("raising", f"Orders that raise an index: {all_of(said)}.", ("PBM-025",), only=(ARBITER,))


def _index(event: ev.TensionRaised | ev.ResentmentRaised) -> str:
    return "European Tensions" if isinstance(event, ev.TensionRaised) else "Chinese Resentment"
