"""Adjudicate the Movement/Status Change Phase by mail: the orders of all seats at once.

Each seat's orders run on its own board: the board at the start of the Phase plus the seat's earlier orders. Gifts
that both sides order come first. Conditional orders form a system of equations, solved by `solve_conditions`.

Rules: PBM-014 to PBM-025, PBM-118, PBM-119, PBM-127, CAN-012 (R-PBM-02, R-PBM-03, R-PBM-04, R-PBM-24)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import chain, combinations
from typing import NamedTuple

from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.actions import Action
from paxtui.games.pax.board.adjacency import canals
from paxtui.games.pax.board.status import area_state, powers_of, seat_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.diplomacy import transfers
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.expansion import duties
from paxtui.games.pax.expansion.canals import CANAL_POINTS
from paxtui.games.pax.expansion.garrisons import has_garrison
from paxtui.games.pax.mail.conditions import (
    OrderEffect,
    actual_effects,
    condition_parts,
    is_condition_met,
    matches_effect,
    possible_effects,
)
from paxtui.games.pax.mail.forms import AcceptOrder, FormOrder, OrderForm
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import CONTROL
from paxtui.games.pax.text.display import join_with_and, place_name, power_name, powers_text
from paxtui.games.pax.transaction import DryRun, GameOver, Transaction

DONE, UNMET, NULLIFIED, PARADOX, DECLINED, WAITS = "done", "unmet", "nullified", "paradox", "declined", "waits"
"""Status of an order. UNMET: its condition is not met. NULLIFIED: the rules forbid it, or money or pieces are missing.
The others: part of a paradox; a gift not accepted; a draft not signed by all.
"""

OrderNode = tuple[str, int]
"""An order: its seat, and its index in the form, from 0."""

ActionExecutor = Callable[[Transaction, str, Action], None]
"""Executes an action of a seat; raises Refusal."""

GIFT_ACTIONS = (actions.Pay, actions.Transfer)

AGREEMENT_ACTIONS = (
    actions.Draft,
    actions.Sign,
    actions.Reject,
    actions.Reveal,
    actions.Lapse,
    actions.Release,
    actions.Renounce,
    actions.Charge,
    actions.Judge,
    actions.Choose,
)
"""Actions between several seats, carried out after the orders of the Movement/Status Change Phase."""


class OrderOutcome(NamedTuple):
    """Outcome of an order.

    Attributes:
        status: one of the constants above.
        events: the events of the order.
        effects: the same as effects for conditions.
        why: the reason why it is not carried out.
    """

    status: str
    events: tuple[ev.Event, ...] = ()
    effects: tuple[OrderEffect, ...] = ()
    why: Refusal | None = None


class OrderOutcomes(NamedTuple):
    """Outcomes of all orders for a given set of conditional orders.

    Attributes:
        outcomes: by order.
        effects: all effects.
        gifts: the gifts, in sequence.
        last: each seat's own board after its orders.
    """

    outcomes: Mapping[OrderNode, OrderOutcome]
    effects: tuple[OrderEffect, ...]
    gifts: tuple[OrderNode, ...]
    last: Mapping[str, State]


class _GiftOutcome(NamedTuple):
    """The board after the gifts, and the outcome of each."""

    state: State
    outcomes: dict[OrderNode, OrderOutcome]
    made: tuple[OrderNode, ...]


class _SeatRun(NamedTuple):
    outcomes: dict[OrderNode, OrderOutcome]
    last: State


class SeatBoards:
    """The orders of all seats in the Movement/Status Change Phase, for trial on each seat's own board."""

    def __init__(self, tables: Tables, state: State, forms: Mapping[str, OrderForm], carry: ActionExecutor) -> None:
        self.tables, self.state, self._carry = tables, state, carry
        self.orders: dict[OrderNode, FormOrder] = {
            (seat, n): order
            for seat in state.players
            if seat in forms
            for n, order in enumerate(forms[seat].orders)
            if not is_agreement(order)
        }
        self.own = {seat: powers_of(tables, state, seat) for seat in state.players}
        self.seat_of = {power: seat for seat, powers in self.own.items() for power in powers}
        self._given: dict[frozenset[OrderNode], _GiftOutcome] = {}
        self._walks: dict[tuple[str, tuple[OrderNode, ...], frozenset[int]], _SeatRun] = {}

    @property
    def conditional(self) -> frozenset[OrderNode]:
        """The orders with a condition."""
        return frozenset(node for node, order in self.orders.items() if order.condition is not None)

    def outcomes_with(self, fires: Iterable[OrderNode]) -> OrderOutcomes:
        """Outcomes of all orders when exactly these conditional orders are carried out."""
        wanted = frozenset(fires) | (self.orders.keys() - self.conditional)
        given = self._gifts(wanted)
        outcomes, last = dict(given.outcomes), dict[str, State]()
        for seat in self.state.players:
            walk = self._run_orders(seat, given, frozenset(n for s, n in wanted if s == seat))
            outcomes.update(walk.outcomes)
            last[seat] = walk.last
        for node in self.orders.keys() - wanted:
            outcomes[node] = OrderOutcome(UNMET)
        effects = tuple(effect for node in self.orders for effect in outcomes[node].effects)
        return OrderOutcomes(outcomes, effects, given.made, last)

    def met(self, node: OrderNode, outcomes: OrderOutcomes) -> bool:
        """Whether the condition of an order is met. Rules: PBM-015."""
        condition = self.orders[node].condition
        return condition is None or is_condition_met(condition, outcomes.effects, self.own[node[0]])

    def accepts(self, gift: OrderNode) -> tuple[OrderNode, ...]:
        """The orders that accept a gift. Rules: PBM-118."""
        found = []
        for act in self.orders[gift].acts:
            giver = getattr(act, "power", "") or gift[0]
            for node, order in self.orders.items():
                for other in order.acts:
                    if isinstance(other, AcceptOrder) and _is_matching_gift(act, giver, other, node[0]):
                        found.append(node)
        return tuple(found)

    def is_gift(self, node: OrderNode) -> bool:
        """Whether an order gives something to a Power of another seat, or accepts a gift."""
        return any(
            isinstance(act, AcceptOrder) or (isinstance(act, GIFT_ACTIONS) and self.seat_of.get(act.to) != node[0])
            for act in self.orders[node].acts
        )

    def _gifts(self, wanted: frozenset[OrderNode]) -> _GiftOutcome:
        """Make the gifts that both sides order, each giver's in the sequence of its form.

        A giver can pass on what it has received. The result does not depend on the order of the forms: in each round
        all givers give what they had at its start.

        Rules: PBM-118 (R-PBM-04)
        """
        concerned = frozenset(node for node in wanted if self.is_gift(node))
        known = self._given.get(concerned)
        if known is None:
            known = self._given[concerned] = self._give(concerned)
        return known

    def _give(self, concerned: frozenset[OrderNode]) -> _GiftOutcome:
        outcomes: dict[OrderNode, OrderOutcome] = {}
        left: list[OrderNode] = []
        taken: dict[OrderNode, OrderNode] = {}
        why: Refusal | None
        for node in (node for node in self.orders if node in concerned):
            if any(isinstance(act, AcceptOrder) for act in self.orders[node].acts):
                why = None if self._is_alone(node) else _not_alone()
                outcomes[node] = OrderOutcome(NULLIFIED if why else DONE, why=why)
                continue
            able = filter(self._is_alone, self.accepts(node))
            answer = next((a for a in able if a in concerned and a not in taken), None)
            if not self._is_alone(node):
                outcomes[node] = OrderOutcome(DECLINED, why=_not_alone())
                continue
            if answer is None:
                why = Refusal("not_accepted", ("PBM-118",), "The other side's form does not accept it.")
                outcomes[node] = OrderOutcome(DECLINED, why=why)
                continue
            taken[answer] = node
            left.append(node)
        state, made = self.state, list[OrderNode]()
        while left:
            began, refused, round_ = state, dict[OrderNode, Refusal](), list[OrderNode]()
            boards = dict.fromkeys({seat for seat, _ in left}, began)
            for node in left:
                try:
                    boards[node[0]] = self._gift(boards[node[0]], node).state
                    round_.append(node)
                except Refusal as refusal:
                    refused[node] = refusal
            for node in round_:
                try:
                    play = self._gift(state, node)
                except Refusal as refusal:  # two markers for one place
                    refused[node] = refusal
                    continue
                act = self.orders[node].acts[0]
                assert isinstance(act, Action)
                outcomes[node] = OrderOutcome(
                    DONE, tuple(play.events), actual_effects(state, act, node[0], play.events)
                )
                state = play.state
                made.append(node)
            left = [node for node in left if node not in outcomes]
            if state == began:
                outcomes.update({node: OrderOutcome(NULLIFIED, why=refused[node]) for node in left})
                break
        for node in (node for node, found in outcomes.items() if found.status == DONE and node not in made):
            if taken.get(node) not in made:
                why = Refusal("not_given", ("PBM-118",), "No form orders that gift.")
                outcomes[node] = OrderOutcome(DECLINED, why=why)
        return _GiftOutcome(state, outcomes, tuple(made))

    def _is_alone(self, node: OrderNode) -> bool:
        return len(self.orders[node].acts) == 1

    def _gift(self, state: State, node: OrderNode) -> Transaction:
        """Make a gift on a copy of the state. Raises: Refusal."""
        play, act = DryRun(self.tables, state), self.orders[node].acts[0]
        assert isinstance(act, GIFT_ACTIONS)
        make_gift(play, act, act.power or node[0])
        return play

    def _run_orders(self, seat: str, given: _GiftOutcome, numbers: frozenset[int]) -> _SeatRun:
        """Carry out the given orders of a seat in sequence; skip those that cannot be done.

        Rules: PBM-019, PBM-127 (R-PBM-03, R-PBM-24)
        """
        own = frozenset(n for n in numbers if not self.is_gift((seat, n)))
        key = (seat, given.made, own)
        known = self._walks.get(key)
        if known is not None:
            return known
        outcomes: dict[OrderNode, OrderOutcome] = {}
        state = given.state
        for n in sorted(own):
            outcomes[seat, n], state = self._carry_out_order(seat, self.orders[seat, n], state)
        found = self._walks[key] = _SeatRun(outcomes, state)
        return found

    def _carry_out_order(self, seat: str, order: FormOrder, state: State) -> tuple[OrderOutcome, State]:
        """Carry out all actions of an order, or none. Rules: PBM-018, PBM-019."""
        play, effects = DryRun(self.tables, state), list[OrderEffect]()
        try:
            for act in order.acts:
                if isinstance(act, AcceptOrder):
                    raise _not_alone()
                before, count = play.state, len(play.events)
                self._carry(play, seat, act)
                effects += actual_effects(before, act, seat, play.events[count:])
        except Refusal as refusal:
            return OrderOutcome(NULLIFIED, why=refusal), state
        except GameOver:  # the game ends when the orders of all seats are carried out
            effects += [effect for act in order.acts for effect in possible_effects(act, seat)]
        return OrderOutcome(DONE, tuple(play.events), tuple(effects)), play.state


def _not_alone() -> Refusal:
    message = "Write a gift, or its acceptance, as an order of its own, without semicolons."
    return Refusal("not_alone", ("PBM-118",), message)


def is_agreement(order: FormOrder) -> bool:
    """Whether an order is an agreement, and is carried out after the Phase's other orders."""
    return any(isinstance(act, AGREEMENT_ACTIONS) for act in order.acts)


def _is_matching_gift(act: Action | AcceptOrder, giver: str, accept: AcceptOrder, seat: str) -> bool:
    if accept.giver != giver or not isinstance(act, GIFT_ACTIONS) or act.to != (accept.power or seat):
        return False
    return act.amount == accept.amount if isinstance(act, actions.Pay) else act.area == accept.area


def make_gift(play: Transaction, act: actions.Pay | actions.Transfer, giver: str) -> None:
    """Make a gift that both sides have ordered.

    Raises:
        Refusal: as in a live game.

    Rules: PBM-118, MOV-020, STA-034
    """
    if isinstance(act, actions.Pay):
        transfers.check_gift(play, giver, act.to, act.amount)
        duties.check_spending(play, giver, act.amount)
        transfers.transfer_money(play, giver, act.to, act.amount, ("MOV-020", "PBM-118"))
        return
    marker = transfers.check_transfer(play, giver, act.to, act.area)
    transfers.transfer_marker(play, giver, act.to, act.area, marker, ("PBM-118",))


MAX_ROUNDS = 50
"""Rounds after which orders without a fixed point are a paradox (R-PBM-03)."""

MAX_TRIED = 10
"""Largest cycle of conditional orders with an exclusion for which all combinations are tried."""

Edges = Mapping[OrderNode, Mapping[OrderNode, bool]]
"""The dependencies of each order, with True for an exclusion (`unless`, `not`)."""


class ConditionSolution(NamedTuple):
    """The conditional orders that are carried out.

    Attributes:
        fires: those whose condition is met.
        paradox: those that exclude each other; none of them is in `fires`.
        outcomes: the outcomes of all orders.
    """

    fires: frozenset[OrderNode]
    paradox: frozenset[OrderNode]
    outcomes: OrderOutcomes


def solve_conditions(boards: SeatBoards) -> ConditionSolution:
    """Solve the conditional orders of all forms.

    An order depends on the orders that its condition names, and on earlier orders of its form that compete for money or
    pieces. A cycle without exclusions takes the greatest fixed point: start with all, drop the unmet. A cycle with
    `unless` or `not` needs exactly one consistent combination. Otherwise its orders are a paradox, and none is carried
    out. The first pass counts earlier orders only if money or pieces can be short; if that fails, a second counts all.

    Rules: PBM-015, PBM-016, PBM-017, PBM-019
    """
    if not boards.conditional:
        return ConditionSolution(frozenset(), frozenset(), boards.outcomes_with(()))
    found = _solve(boards, _edges(boards, thorough=False))
    if not _is_solution(boards, found):
        found = _solve(boards, _edges(boards, thorough=True))
    return found


def _is_solution(boards: SeatBoards, found: ConditionSolution) -> bool:
    """Whether each condition agrees with the outcomes, except for orders of a paradox."""
    rest = boards.conditional - found.paradox
    return all(boards.met(node, found.outcomes) == (node in found.fires) for node in rest)


def _solve(boards: SeatBoards, edges: Edges) -> ConditionSolution:
    fires: set[OrderNode] = set()
    paradox: set[OrderNode] = set()
    for circle in _components(boards.orders, edges):
        open_ = sorted(circle & boards.conditional)
        if not open_:
            continue
        alone = len(circle) == 1 and open_[0] not in edges[open_[0]]
        excluded = any(no for node in circle for other, no in edges[node].items() if other in circle)
        settled: frozenset[OrderNode] | None
        if alone:
            settled = _met_orders(boards, fires, open_)
        elif excluded:
            settled = _unique_solution(boards, fires, open_)
        else:
            settled = _drop_unmet(boards, fires, open_)
        if settled is None:
            paradox.update(open_)
        else:
            fires |= settled
    return ConditionSolution(frozenset(fires), frozenset(paradox), boards.outcomes_with(fires))


def _met_orders(boards: SeatBoards, fires: Iterable[OrderNode], open_: Iterable[OrderNode]) -> frozenset[OrderNode]:
    """The orders of `open_` whose condition is met when exactly `fires` are carried out."""
    outcomes = boards.outcomes_with(fires)
    return frozenset(node for node in open_ if boards.met(node, outcomes))


def _drop_unmet(boards: SeatBoards, fires: set[OrderNode], open_: list[OrderNode]) -> frozenset[OrderNode] | None:
    """Start with all orders and drop those with unmet conditions until nothing changes; None without a fixed point.

    Rules: PBM-016 (R-PBM-02, R-PBM-03)
    """
    now = frozenset(open_)
    for _ in range(MAX_ROUNDS):
        after = _met_orders(boards, fires | now, open_)
        if after == now:
            return now
        now = after
    return None


def _unique_solution(boards: SeatBoards, fires: set[OrderNode], open_: list[OrderNode]) -> frozenset[OrderNode] | None:
    """The only combination in which each condition agrees with the outcomes; None if there is none or several.

    Rules: PBM-017 (R-PBM-02)
    """
    if len(open_) > MAX_TRIED:
        # too many to try: accept a fixed point reached from both ends
        high = _drop_unmet(boards, fires, open_)
        low = frozenset[OrderNode]()
        for _ in range(MAX_ROUNDS):
            low = _met_orders(boards, fires | low, open_)
        return high if high == low else None
    every = chain.from_iterable(combinations(open_, count) for count in range(len(open_) + 1))
    found = [chosen for chosen in map(frozenset, every) if _met_orders(boards, fires | chosen, open_) == chosen]
    return found[0] if len(found) == 1 else None


def _edges(boards: SeatBoards, thorough: bool) -> Edges:
    edges: dict[OrderNode, dict[OrderNode, bool]] = {node: {} for node in boards.orders}
    effects = {
        node: tuple(effect for act in order.acts for effect in possible_effects(act, node[0]))
        for node, order in boards.orders.items()
    }
    by_verb: dict[str, list[OrderNode]] = {}
    for node, some in effects.items():
        for verb in {effect.verb for effect in some}:
            by_verb.setdefault(verb, []).append(node)
    for node in boards.conditional:
        condition = boards.orders[node].condition
        assert condition is not None
        for does, wanted in condition_parts(condition):
            for other in by_verb.get(does.verb, ()):
                if other[0] != node[0] and any(
                    matches_effect(does, effect, boards.own[node[0]]) for effect in effects[other]
                ):
                    edges[node][other] = edges[node].get(other, False) or not wanted
    _add_competing_claims(boards, edges, thorough)
    return edges


def _add_competing_claims(boards: SeatBoards, edges: dict[OrderNode, dict[OrderNode, bool]], thorough: bool) -> None:
    """Add dependencies on earlier orders that compete for money or pieces, and on gifts and their acceptance."""
    everything, nothing = boards.outcomes_with(boards.conditional), boards.outcomes_with(())
    gifts = [node for node in boards.orders if boards.is_gift(node)]
    for node in boards.orders:
        if node in gifts:
            claims = [*boards.accepts(node), *(gift for gift in gifts if gift != node)]
        else:
            earlier = [(node[0], n) for n in range(node[1])]
            claims = [*gifts, *(one for one in earlier if one in boards.orders)]
        if not thorough and node not in gifts and not _depends_on_others(boards, node, everything, nothing):
            continue
        for other in claims:
            edges[node].setdefault(other, False)


def _depends_on_others(boards: SeatBoards, node: OrderNode, everything: OrderOutcomes, nothing: OrderOutcomes) -> bool:
    one, other = everything.outcomes[node], nothing.outcomes[node]
    if node in boards.conditional:  # without the others it was not tried
        other = boards.outcomes_with((node,)).outcomes[node]
    return one.status != other.status or one.effects != other.effects


def _components(nodes: Iterable[OrderNode], edges: Edges) -> list[frozenset[OrderNode]]:
    """Strongly connected components of the orders, dependencies first (Tarjan)."""
    number: dict[OrderNode, int] = {}
    low: dict[OrderNode, int] = {}
    stack: list[OrderNode] = []
    on: set[OrderNode] = set()
    out: list[frozenset[OrderNode]] = []
    for root in nodes:
        if root in number:
            continue
        number[root] = low[root] = len(number)
        stack.append(root)
        on.add(root)
        work = [(root, iter(edges[root]))]
        while work:
            node, further = work[-1]
            for other in further:
                if other not in number:
                    number[other] = low[other] = len(number)
                    stack.append(other)
                    on.add(other)
                    work.append((other, iter(edges[other])))
                    break
                if other in on:
                    low[node] = min(low[node], number[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == number[node]:
                    circle = set[OrderNode]()
                    while node not in circle:
                        one = stack.pop()
                        on.discard(one)
                        circle.add(one)
                    out.append(frozenset(circle))
    return out


NO_ARMY = "no_army"
"""Code of the warning that a new Control marker has no Army Unit."""

OUTCOME_TEXTS: dict[str, str] = {
    DONE: "carried out.",
    UNMET: "not carried out: its condition was not met.",
    PARADOX: "not carried out: it is part of a paradox, and of such orders none is carried out.",
}
"""Text of each status in the report to the owner of an order."""

OUTCOME_RULES: dict[str, tuple[str, ...]] = {
    DONE: ("PBM-014",),
    UNMET: ("PBM-015", "PBM-020"),
    NULLIFIED: ("PBM-019", "PBM-020"),
    PARADOX: ("PBM-017", "PBM-020"),
    DECLINED: ("PBM-118", "PBM-020"),
    WAITS: ("PBM-039", "PBM-040"),
}


def carry_out_movement(play: Transaction, forms: Mapping[str, OrderForm], carry: ActionExecutor) -> ConditionSolution:
    """Carry out the orders of all forms, and notify each owner of the outcomes.

    Public events do not depend on the sequence of the seats.

    Raises:
        GameOver: by any of its consequences.

    Rules: PBM-014, PBM-016, PBM-017, PBM-019, PBM-020, PBM-118, PBM-127
    """
    boards = SeatBoards(play.tables, play.state, forms, carry)
    solution = solve_conditions(boards)
    began, first = play.state, len(play.events)
    outcomes = solution.outcomes.outcomes
    for node in solution.outcomes.gifts:
        act = boards.orders[node].acts[0]
        assert isinstance(act, GIFT_ACTIONS)
        make_gift(play, act, act.power or node[0])
    canal_builders: list[tuple[str, str]] = []
    for node in boards.orders:
        if node not in solution.outcomes.gifts:
            _apply_events(play, outcomes[node], canal_builders)
    _first_canal(play, began, canal_builders)
    for node, order in boards.orders.items():
        notify_owner(play, node, order, OrderOutcome(PARADOX) if node in solution.paradox else outcomes[node])
    _warn_of_missing_army(play, first)
    _note_for_arbiter(play, first)
    return solution


def _apply_events(play: Transaction, outcome: OrderOutcome, canal_builders: list[tuple[str, str]]) -> None:
    """Apply the events of an order after those of others; recompute shared totals."""
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
            continue  # dice decide the first
        elif not isinstance(event, ev.Noted) or event.code != NO_ARMY:
            play.emit(event)


def _first_canal(play: Transaction, began: State, builders: list[tuple[str, str]]) -> None:
    """Score the first canal of the game. If several are built at once, dice decide the first.

    Rules: CAN-009, CAN-012
    """
    if not builders or canals(began):
        return
    left = builders
    while len(left) > 1:
        rolled = [(play.dice.roll(), who) for who in left]
        best = max(number for number, _ in rolled)
        left = [who for number, who in rolled if number == best]
        names = powers_text(play.tables, tuple(power for power, _ in left))
        dice = tuple(number for number, _ in rolled)
        play.emit(ev.DiceRolled(what="first_canal", dice=dice, outcome=names, rules=("CAN-012",)))
    power, area = left[0]
    name = play.tables.areas[area].name
    rules = ("CAN-009", "CAN-012") if len(builders) > 1 else ("CAN-009",)
    play.victory_points(power, CANAL_POINTS, f"first canal, in {name}", rules, bonus=True)


def notify_owner(play: Transaction, node: OrderNode, order: FormOrder, outcome: OrderOutcome) -> None:
    """Notify only the owner of an order of its outcome. Rules: PBM-020, R-PBM-03."""
    why = outcome.why
    begins = "no Treaty yet: " if outcome.status == WAITS else "not carried out: "
    text = OUTCOME_TEXTS.get(outcome.status) or f"{begins}{why.message if why else 'it could not be.'}"
    rules = tuple(dict.fromkeys((*OUTCOME_RULES[outcome.status], *(why.rules if why else ()))))
    play.add_note(
        f"order_{outcome.status}", f"Line {order.line}, {order.text}: {text}", rules, node[0], only=(node[0],)
    )


def _warn_of_missing_army(play: Transaction, first: int) -> None:
    """Warn the owner of a new Control marker without an Army Unit of its own. The order is carried out anyway.

    Rules: PBM-023
    """
    placed = [e for e in play.events[first:] if isinstance(e, ev.MarkerPlaced) and e.marker in CONTROL]
    for event in placed:
        here = any(
            m.power == event.power and m.marker == event.marker for m in area_state(play.state, event.area).markers
        )
        if here and not has_garrison(play.state, event.area, event.power):
            seat = seat_of(play.tables, play.state, event.power)
            where = place_name(play.tables, event.area)
            text = f"No Army Unit of {power_name(play.tables, event.power)} stands in {where}: the marker is reduced."
            play.add_note(NO_ARMY, text, ("PBM-023", "STA-016"), event.power, event.area, only=(seat or ARBITER,))


def _note_for_arbiter(play: Transaction, first: int) -> None:
    """Note for the gamemaster which orders raise the European Tensions or the Chinese Resentment. Rules: PBM-025."""
    raised = [e for e in play.events[first:] if isinstance(e, ev.TensionRaised | ev.ResentmentRaised)]
    if raised:
        names = {ev.TensionRaised: "European Tensions", ev.ResentmentRaised: "Chinese Resentment"}
        texts = [f"{names[type(e)]} +{e.amount} ({e.reason})" for e in raised]
        play.add_note("raising", f"Orders that raise an index: {join_with_and(texts)}.", ("PBM-025",), only=(ARBITER,))
