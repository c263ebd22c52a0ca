"""A Congress of Europe by mail: one stop to meet and propose, one to vote, and new deadlines where nothing is proposed.

Members attend, invite, say what comes first and propose with one form. They vote on all proposals with the next one.

Rules: PBM-051 to PBM-055, PBM-058, PBM-120 (R-PBM-10, R-PBM-34)
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from paxtui.pax import sequence
from paxtui.pax.board.status import seat_of
from paxtui.pax.congress import beside_war, conflicts
from paxtui.pax.congress.session import ask_for_proposal
from paxtui.pax.congress.sitting import change
from paxtui.pax.orders import actions as ac
from paxtui.pax.play.play import Play
from paxtui.pax.postal import live, standing, stops
from paxtui.pax.postal.boards import Carry, Node
from paxtui.pax.postal.forms import Form, Order, Standing
from paxtui.pax.postal.standing import Instructions
from paxtui.pax.state import questions as qu
from paxtui.pax.state.congress import TABLED
from paxtui.pax.state.model import State
from paxtui.pax.state.treaty import CONGRESS

RENEWALS = 2
"""How often the deadline is renewed, unless the host asks for more (`renew congress`)."""

BY_FORM = (qu.Site, qu.Attend, qu.Invite, qu.Agenda, qu.Ballot, qu.Tie, qu.Signature)
"""Questions of a Congress that the forms of one stop answer, also where they are asked only during it."""


def is_open(state: State) -> bool:
    """Whether a Congress waits for members: to meet, to propose or to vote. A defiance is asked by itself."""
    return state.phase == "congress" and any(isinstance(c.about, (*BY_FORM, qu.Propose)) for c in state.choices)


def hold(play: Play, forms: Mapping[str, Form], instructions: Instructions, carry: Carry) -> None:
    """Carry out the forms of one stop of a Congress.

    Args: the decision in progress; the forms by seat; the standing instructions by seat; lets a seat do an act.
    Raises: GameOver.
    Rules: PBM-051, PBM-053, PBM-055, PBM-058, PBM-120
    """
    congress = play.state.congress
    known = {p.id for p in congress.proposals} if congress is not None else set()
    voting = any(isinstance(c.about, qu.Ballot) for c in play.state.choices)
    proposals, rest = _split(forms)
    proposing = {seat for (seat, _), _ in proposals}
    attend = Standing(0, "attend", "attend", answer=("attend",))
    attending = {seat: (*instructions.get(seat, ()), attend) for seat in proposing}
    _reset_rounds(play)
    others = [c.id for c in play.state.choices if c.about.pressing and not isinstance(c.about, qu.CongressQuestion)]
    live.answers(play, rest, carry)
    for choice in [c for c in play.state.choices if c.id in others]:
        standing.answer(play, choice, instructions, stops.attempt)
    _answer(play, {**instructions, **attending}, known)
    if not _asks_for_proposals(play.state):
        return
    _propose(play, proposals, carry)
    if not _asks_for_proposals(play.state) or (not _tabled(play.state) and (voting or _renew(play, instructions))):
        return
    for choice in play.state.choices:
        if isinstance(choice.about, qu.Propose):
            standing.answer(play, choice, instructions, stops.attempt)
    sequence.resume(play)


def _split(forms: Mapping[str, Form]) -> tuple[list[tuple[Node, Order]], dict[str, Form]]:
    """The proposals of all forms in the order of the seats, and the forms without them."""
    proposals: list[tuple[Node, Order]] = []
    rest: dict[str, Form] = {}
    for seat, form in forms.items():
        kept = tuple(order for order in form.orders if not is_proposal(order))
        proposals += [((seat, n), order) for n, order in enumerate(form.orders) if is_proposal(order)]
        rest[seat] = replace(form, orders=kept)
    return proposals, rest


def split_beside_war(state: State, forms: Mapping[str, Form]) -> tuple[dict[str, Form], dict[str, Form]]:
    """Split forms into what is for a Congress beside a War, and what is for the War. Rules: PBM-057."""

    def part(seat: str, form: Form, for_congress: bool) -> Form:
        return replace(form, orders=tuple(o for o in form.orders if is_for_congress(state, seat, o) == for_congress))

    return (
        {seat: part(seat, form, True) for seat, form in forms.items()},
        {seat: part(seat, form, False) for seat, form in forms.items()},
    )


def is_for_congress(state: State, seat: str, order: Order) -> bool:
    """Whether an order is for the Congress that stays open beside a War, and not for the War.

    These are proposals, answers to what it asks, and declarations of War over what is before it.

    Rules: PBM-056, PBM-057
    """
    there = state.beside
    if there is None or not beside_war.is_aside(state):
        return False
    ids = {choice.id for choice in there.choices}
    pairs = [conflict.pair for conflict in conflicts.before_it(state)]

    def belongs(act: object) -> bool:
        if isinstance(act, ac.DeclareWar):
            return any({act.power or seat, other} in pairs for other in act.on)
        return isinstance(act, ac.Choose) and act.id in ids

    return is_proposal(order) or any(map(belongs, order.acts))


def is_proposal(order: Order) -> bool:
    """Whether an order puts a Treaty before a Congress."""
    return any(isinstance(act, ac.Draft) and act.form == CONGRESS for act in order.acts)


def _answer(play: Play, instructions: Instructions, known: set[str]) -> None:
    """Answer what the Congress asks by the instructions, up to a new proposal or a defiance. `known`: proposals that
    the members could vote on with these forms.

    Rules: PBM-053, PBM-120
    """
    for _ in range(stops.MOST_STEPS):
        if play.state.result is not None or play.state.phase != "congress":
            return
        choice = next((c for c in play.state.choices if isinstance(c.about, BY_FORM)), None)
        if choice is None or (isinstance(choice.about, qu.Ballot) and choice.about.proposal not in known):
            return
        standing.answer(play, choice, instructions, stops.attempt)
        sequence.resume(play)
    raise AssertionError("the Congress never ends")


def _propose(play: Play, proposals: list[tuple[Node, Order]], carry: Carry) -> None:
    """Table the proposals of all forms. A member may table several with one form. Rules: PBM-053."""
    seats = [seat for (seat, _), _ in proposals]
    members = play.state.congress.members if play.state.congress is not None else ()
    for n, seat in enumerate(seats):
        if seat in members and seat in seats[:n]:
            ask_for_proposal(play, seat)
    for node, order in proposals:
        live.carry_out(play, node, order, carry)


def _asks_for_proposals(state: State) -> bool:
    return any(isinstance(choice.about, qu.Propose) for choice in state.choices)


def _tabled(state: State) -> bool:
    return state.congress is not None and any(p.stage == TABLED for p in state.congress.proposals)


def _renew(play: Play, instructions: Instructions) -> bool:
    """Set a new deadline when one has passed and nothing is proposed; whether it was set.

    After two renewals the Congress ends, unless its host says `renew congress`.

    Rules: PBM-055 (R-PBM-10, R-PBM-34)
    """
    congress = play.state.congress
    if congress is None:
        return False
    host = seat_of(play.tables, play.state, congress.site)
    if congress.renewed >= RENEWALS and not any(said.verb == "renew" for said in instructions.get(host, ())):
        return False
    note = "No Treaty has been proposed: the Congress gets a new deadline."
    change(play, note, ("PBM-055",), renewed=congress.renewed + 1)
    return True


def _reset_rounds(play: Play) -> None:
    """By mail deadlines count, not rounds of proposals: the Congress goes on as long as somebody proposes.

    Rules: PBM-055 (R-PBM-34)
    """
    congress = play.state.congress
    if congress is not None and congress.round and _asks_for_proposals(play.state):
        change(play, "", ("PBM-055",), round=0)
