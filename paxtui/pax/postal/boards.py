"""Each seat's orders on the board as the Phase began: its own earlier orders change it, those of others do not.

Gifts of money and markers that both sides agree to are made before anything is bought.

Rules: PBM-014, PBM-018, PBM-019, PBM-118, PBM-127 (R-PBM-03, R-PBM-04, R-PBM-24)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from paxtui.engine.refusal import Refusal
from paxtui.pax.board.status import powers_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.diplomacy import gifts, transfers
from paxtui.pax.expansion import duties
from paxtui.pax.history import events as ev
from paxtui.pax.orders import actions as ac
from paxtui.pax.orders.action import Action
from paxtui.pax.play.play import GameOver, Play, Trial
from paxtui.pax.postal.conditions import Deed, done, holds, possible
from paxtui.pax.postal.forms import Accept, Form, Order
from paxtui.pax.state.model import State

DONE, UNMET, NULLIFIED, PARADOX, DECLINED, WAITS = "done", "unmet", "nullified", "paradox", "declined", "waits"
"""What becomes of an order: carried out; its condition not met; refused by the rules, or money or pieces lacking; part
of a paradox; a gift that the other side does not accept; a draft that not all have signed."""

_ALONE = "A gift, or its acceptance, is an order of its own, without semicolons."

Node = tuple[str, int]
"""An order: its seat, and its place in the form, from 0."""

Carry = Callable[[Play, str, Action], None]
"""Lets a seat do an act; raises Refusal."""

GIFTS = (ac.Pay, ac.Transfer)

AGREEMENTS = (
    ac.Draft, ac.Sign, ac.Reject, ac.Reveal, ac.Lapse, ac.Release, ac.Renounce, ac.Charge, ac.Judge, ac.Choose,
)  # fmt: skip
"""Acts between several seats, which are no acts of the Movement/Status Change Phase."""


class Outcome(NamedTuple):
    """What becomes of an order.

    Attributes:
        status: one of those above.
        events: what happens by it.
        deeds: the same, as conditions speak of it.
        why: why it is not carried out.
    """

    status: str
    events: tuple[ev.Event, ...] = ()
    deeds: tuple[Deed, ...] = ()
    why: Refusal | None = None


class Judged(NamedTuple):
    """What becomes of all orders when some of the conditional ones are to be carried out.

    Attributes:
        outcomes: by order.
        deeds: all that is done.
        gifts: the gifts that are made, in their order.
        last: each seat's own board after its orders.
    """

    outcomes: Mapping[Node, Outcome]
    deeds: tuple[Deed, ...]
    gifts: tuple[Node, ...]
    last: Mapping[str, State]


class _Given(NamedTuple):
    """The board once the gifts are made, and what became of each."""

    state: State
    outcomes: dict[Node, Outcome]
    made: tuple[Node, ...]


class _Walk(NamedTuple):
    """A seat's orders carried out on its own board."""

    outcomes: dict[Node, Outcome]
    last: State


class Boards:
    """The orders of all seats in the Movement/Status Change Phase, to be tried on each seat's own board.

    Args: the tables; the position as the Phase began; the forms by seat; lets a seat do an act.
    """

    def __init__(self, tables: Tables, state: State, forms: Mapping[str, Form], carry: Carry) -> None:
        self.tables, self.state, self._carry = tables, state, carry
        self.orders: dict[Node, Order] = {
            (seat, n): order
            for seat in state.players
            if seat in forms
            for n, order in enumerate(forms[seat].orders)
            if not is_agreement(order)
        }
        self.own = {seat: powers_of(tables, state, seat) for seat in state.players}
        self.seat_of = {power: seat for seat, powers in self.own.items() for power in powers}
        self._given: dict[frozenset[Node], _Given] = {}
        self._walks: dict[tuple[str, tuple[Node, ...], frozenset[int]], _Walk] = {}

    @property
    def conditional(self) -> frozenset[Node]:
        """The orders that have a condition."""
        return frozenset(node for node, order in self.orders.items() if order.condition is not None)

    def judged(self, fires: Iterable[Node]) -> Judged:
        """What becomes of all orders, where these of the conditional ones are to be carried out, and no others."""
        wanted = frozenset(fires) | (self.orders.keys() - self.conditional)
        given = self._gifts(wanted)
        outcomes, last = dict(given.outcomes), dict[str, State]()
        for seat in self.state.players:
            walk = self._walk(seat, given, frozenset(n for s, n in wanted if s == seat))
            outcomes.update(walk.outcomes)
            last[seat] = walk.last
        for node in self.orders.keys() - wanted:
            outcomes[node] = Outcome(UNMET)
        deeds = tuple(deed for node in self.orders for deed in outcomes[node].deeds)
        return Judged(outcomes, deeds, given.made, last)

    def met(self, node: Node, judged: Judged) -> bool:
        """Whether the condition of an order is met. Rules: PBM-015."""
        condition = self.orders[node].condition
        return condition is None or holds(condition, judged.deeds, self.own[node[0]])

    # --- gifts ----------------------------------------------------------------------------------------------------

    def accepts(self, gift: Node) -> tuple[Node, ...]:
        """The orders by which a gift is accepted. Rules: PBM-118."""
        found = []
        for act in self.orders[gift].acts:
            giver = getattr(act, "power", "") or gift[0]
            for node, order in self.orders.items():
                for other in order.acts:
                    if isinstance(other, Accept) and _agree(act, giver, other, node[0]):
                        found.append(node)
        return tuple(found)

    def is_gift(self, node: Node) -> bool:
        """Whether an order gives something to a Power of another seat, or accepts a gift."""
        return any(
            isinstance(act, Accept) or (isinstance(act, GIFTS) and self.seat_of.get(act.to) != node[0])
            for act in self.orders[node].acts
        )

    def _gifts(self, wanted: frozenset[Node]) -> _Given:
        """Make the gifts that both sides agree to, each giver's in the sequence of its form.

        What a giver has received may be given on. Nothing depends on whose form is read first: in each round all
        givers give what they had when it began.

        Rules: PBM-118 (R-PBM-04)
        """
        concerned = frozenset(node for node in wanted if self.is_gift(node))
        known = self._given.get(concerned)
        if known is None:
            known = self._given[concerned] = self._give(concerned)
        return known

    def _give(self, concerned: frozenset[Node]) -> _Given:
        outcomes: dict[Node, Outcome] = {}
        left: list[Node] = []
        taken: dict[Node, Node] = {}
        for node in (node for node in self.orders if node in concerned):
            if any(isinstance(act, Accept) for act in self.orders[node].acts):
                outcomes[node] = self._accepting(node)
                continue
            able = filter(self._alone, self.accepts(node))
            answer = next((a for a in able if a in concerned and a not in taken), None)
            if answer is None or len(self.orders[node].acts) > 1:
                outcomes[node] = Outcome(DECLINED, why=self._unaccepted(node))
                continue
            taken[answer] = node
            left.append(node)
        state, made = self.state, list[Node]()
        while left:
            began, refused, round_ = state, dict[Node, Refusal](), list[Node]()
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
                outcomes[node] = Outcome(DONE, tuple(play.events), done(state, act, node[0], play.events))
                state = play.state
                made.append(node)
            left = [node for node in left if node not in outcomes]
            if state == began:
                outcomes.update({node: Outcome(NULLIFIED, why=refused[node]) for node in left})
                break
        for node in (node for node, found in outcomes.items() if found.status == DONE and node not in made):
            if taken.get(node) not in made:
                why = Refusal("not_given", ("PBM-118",), "Nobody gives that: no form orders it.")
                outcomes[node] = Outcome(DECLINED, why=why)
        return _Given(state, outcomes, tuple(made))

    def _gift(self, state: State, node: Node) -> Play:
        """A gift made at a position. Raises: Refusal."""
        play, act = Trial(self.tables, state), self.orders[node].acts[0]
        assert isinstance(act, GIFTS)
        give(play, act, act.power or node[0])
        return play

    def _alone(self, node: Node) -> bool:
        """Whether an order is one act and no more. Rules: PBM-118."""
        *others, _ = self.orders[node].acts
        return not others

    def _accepting(self, node: Node) -> Outcome:
        order = self.orders[node]
        if len(order.acts) == 1:
            return Outcome(DONE)
        why = Refusal("not_alone", ("PBM-118",), _ALONE)
        return Outcome(NULLIFIED, why=why)

    def _unaccepted(self, node: Node) -> Refusal:
        if len(self.orders[node].acts) > 1:
            return Refusal("not_alone", ("PBM-118",), _ALONE)
        return Refusal("not_accepted", ("PBM-118",), "The other side's form does not accept it.")

    # --- all other orders -----------------------------------------------------------------------------------------

    def _walk(self, seat: str, given: _Given, numbers: frozenset[int]) -> _Walk:
        """Carry out these of a seat's orders, one after the other; what cannot be done is left out.

        Rules: PBM-019, PBM-127 (R-PBM-03, R-PBM-24)
        """
        mine = frozenset(n for n in numbers if not self.is_gift((seat, n)))
        key = (seat, given.made, mine)
        known = self._walks.get(key)
        if known is not None:
            return known
        outcomes: dict[Node, Outcome] = {}
        state = given.state
        for n in sorted(mine):
            outcomes[seat, n], state = self._carried_out(seat, self.orders[seat, n], state)
        found = self._walks[key] = _Walk(outcomes, state)
        return found

    def _carried_out(self, seat: str, order: Order, state: State) -> tuple[Outcome, State]:
        """All acts of an order or none of them. Rules: PBM-018, PBM-019."""
        play, deeds = Trial(self.tables, state), list[Deed]()
        try:
            for act in order.acts:
                if isinstance(act, Accept):
                    raise Refusal("not_alone", ("PBM-118",), _ALONE)
                before, count = play.state, len(play.events)
                self._carry(play, seat, act)
                deeds += done(before, act, seat, play.events[count:])
        except Refusal as refusal:
            return Outcome(NULLIFIED, why=refusal), state
        except GameOver:  # it happens, and the game ends by it when the orders of all are carried out
            deeds += [deed for act in order.acts for deed in possible(act, seat)]
        return Outcome(DONE, tuple(play.events), tuple(deeds)), play.state


def is_agreement(order: Order) -> bool:
    """Whether an order is about agreements, and so is carried out after the Phase's own orders."""
    return any(isinstance(act, AGREEMENTS) for act in order.acts)


def _agree(act: Action | Accept, giver: str, accept: Accept, seat: str) -> bool:
    """Whether a gift and an acceptance speak of the same."""
    if accept.giver != giver or not isinstance(act, GIFTS) or act.to != (accept.power or seat):
        return False
    return act.amount == accept.amount if isinstance(act, ac.Pay) else act.area == accept.area


def give(play: Play, act: ac.Pay | ac.Transfer, giver: str) -> None:
    """Make a gift that both sides have agreed to.

    Raises: Refusal, as for a gift at the table.
    Rules: PBM-118, MOV-020, STA-034
    """
    if isinstance(act, ac.Pay):
        gifts.check_gift(play, giver, act.to, act.amount)
        duties.check_spending(play, giver, act.amount)
        gifts.hand_money(play, giver, act.to, act.amount, ("MOV-020", "PBM-118"))
        return
    marker = transfers.check_transfer(play, giver, act.to, act.area)
    transfers.hand_marker(play, giver, act.to, act.area, marker, ("PBM-118",))
