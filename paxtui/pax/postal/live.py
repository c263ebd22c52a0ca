"""The orders of a stop outside the Movement/Status Change Phase: carried out on the one board, seat by seat.

Where several have to agree, the same words on each of their forms are the agreement.

Rules: PBM-033 to PBM-041, PBM-072, PBM-080, PBM-082, PBM-118, PBM-120, PBM-121
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.pax.board.status import established, level, powers_of, seat_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.diplomacy import acts, giving_way
from paxtui.pax.diplomacy.disputes import best_beside, dispute
from paxtui.pax.history import events as ev
from paxtui.pax.orders import actions as ac
from paxtui.pax.orders.action import Action
from paxtui.pax.play.casus_belli import MARKERS
from paxtui.pax.play.play import Play
from paxtui.pax.postal import boards as bo
from paxtui.pax.postal import stops
from paxtui.pax.postal.boards import Carry, Node, Outcome
from paxtui.pax.postal.conditions import Deed, holds, moves
from paxtui.pax.postal.forms import Accept, Form, Order
from paxtui.pax.postal.movement import tell
from paxtui.pax.postal.standing import Instructions
from paxtui.pax.state import questions as qu
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import ARMY, LEVEL, NAVAL
from paxtui.pax.state.treaty import CONGRESS, DRAFT, Clause
from paxtui.pax.state.war import MANEUVER
from paxtui.pax.war import cycle
from paxtui.pax.war.campaign.battle import ASIDE, JOIN
from paxtui.pax.war.campaign.ways import is_sea
from paxtui.pax.words.places import in_order
from paxtui.pax.words.spoken import powers_named

Forms = Mapping[str, Form]


def agreements(play: Play, forms: Forms, carry: Carry) -> None:
    """Carry out what the forms of the Movement/Status Change Phase say of agreements. Rules: PBM-038 to PBM-044."""
    for node, order in _orders(play.state, forms):
        if bo.is_agreement(order):
            carry_out(play, node, order, carry)
    _tell_of_drafts(play, forms)


def negotiation(play: Play, forms: Forms, silent: tuple[str, ...], carry: Carry) -> None:
    """Carry out the forms of the Negotiation Phase; then silent parties to a dispute step down.

    Args: the decision in progress; the forms by seat; the seats that sent none; lets a seat do an act.
    Rules: PBM-033 to PBM-049, PBM-121
    """
    later: list[tuple[Node, Order]] = []
    for node, order in _orders(play.state, forms):
        if any(isinstance(act, Accept) for act in order.acts):
            later.append((node, order))  # what is offered comes first
        else:
            carry_out(play, node, order, carry)
    for node, order in later:
        carry_out(play, node, order, carry)
    _tell_of_drafts(play, forms)
    _silent_step_down(play, silent)


def split(forms: Forms) -> tuple[dict[str, Form], dict[str, Form]]:
    """The forms with their answers alone, and with all else."""

    def part(form: Form, answers: bool) -> Form:
        kept = (o for o in form.orders if all(isinstance(act, ac.Choose) for act in o.acts) == answers)
        return replace(form, orders=tuple(kept))

    return (
        {seat: part(form, True) for seat, form in forms.items()},
        {seat: part(form, False) for seat, form in forms.items()},
    )


def answers(play: Play, forms: Forms, carry: Carry) -> None:
    """Carry out the forms of any other stop: answers, proposals, moves and attacks.

    Fleets move before armies, and attacks come after the moves of all that move now, so that they may hang on them; in
    Wars that have nothing to do with each other all move before anybody attacks.

    Rules: PBM-072, PBM-077, PBM-080, PBM-082, PBM-084, PBM-100, PBM-123
    """
    first = len(play.events)
    attacks: list[tuple[Node, Order]] = []
    moving: list[tuple[Node, Order]] = []
    for node, order in _orders(play.state, forms):
        (attacks if any(isinstance(act, ac.Attack) for act in order.acts) else moving).append((node, order))
    moving.sort(key=lambda found: any(_marches(act) for act in found[1].acts))
    turn = stops.movers(play.state)
    _in_each_war(play, turn, moving, lambda order, seat: _done(play, seat, order, carry))
    _tell_of_drafts(play, forms)
    if not attacks:
        return
    while _phase_of(play, turn) == MANEUVER and not any(c.about.pressing for c in play.state.choices):
        stops.pass_phase(play)
    _attack(play, turn, attacks, moves(play.events[first:]), carry)


def _marches(act: Action | Accept) -> bool:
    """Whether an act moves Army Units. Rules: PBM-123."""
    return isinstance(act, ac.Move) and any(unit.startswith("A") for unit in act.units)


def _phase_of(play: Play, turn: tuple[stops.Mover, ...]) -> str:
    """The Phase of the War that is played now, "" where it is none of these turns."""
    war = cycle.current(play.state) if play.state.phase == "war" else None
    return war.stage if war is not None and (war.id, war.cycle, war.turn_of) in turn else ""


def _in_each_war(
    play: Play,
    turn: tuple[stops.Mover, ...],
    orders: list[tuple[Node, Order]],
    do: Callable[[Order, str], Refusal | None],
) -> None:
    """Carry out orders in the present Phase of one War after the other, each in the first where it can be done.

    Rules: PBM-100
    """
    stage, left = _phase_of(play, turn), orders
    for _ in range(max(1, len(turn))):
        refused = [(node, order, why) for node, order in left if (why := do(order, node[0])) is not None]
        done = [found for found in left if found not in [(node, order) for node, order, _ in refused]]
        for node, order in done:
            _tell(play, node, order, None)
        left = [(node, order) for node, order, _ in refused]
        if not stage or not left or play.state.result is not None or len(turn) < 2:
            break
        stops.pass_phase(play)
        if _phase_of(play, turn) != stage:
            break
    for node, order, why in refused:
        _tell(play, node, order, why)


def _attack(
    play: Play, turn: tuple[stops.Mover, ...], attacks: list[tuple[Node, Order]], moved: tuple[Deed, ...], carry: Carry
) -> None:
    """Carry out the attacks whose conditions are met; allies that order one in the same place make it together, and who
    has ordered none stands aside.

    Rules: PBM-080, PBM-082, PBM-084
    """
    met: list[tuple[Node, Order]] = []
    for node, order in attacks:
        own = powers_of(play.tables, play.state, node[0])
        if order.condition is not None and not holds(order.condition, moved, own):
            tell(play, node, order, Outcome(bo.UNMET))
        else:
            met.append((node, order))
    ordered = {key for node, order in met for key in _clashes(play.tables, node[0], order)}

    def attack(order: Order, seat: str) -> Refusal | None:
        why = _done(play, seat, order, lambda play, seat, act: _together(play, seat, act, ordered, carry))
        return None if why is not None and _fought_already(play, seat, order) else why

    _in_each_war(play, turn, met, attack)


def _clashes(tables: Tables, seat: str, order: Order) -> tuple[tuple[str, str, str], ...]:
    """Power, place and kind of Unit of the attacks of an order."""
    return tuple(
        (act.power or seat, act.place, NAVAL if act.naval or is_sea(tables, act.place) else ARMY)
        for act in order.acts
        if isinstance(act, ac.Attack)
    )


def _together(play: Play, seat: str, act: Action, ordered: set[tuple[str, str, str]], carry: Carry) -> None:
    """Attack, and have every ally that is asked join by its own form or stand aside. Rules: PBM-084."""
    carry(play, seat, act)
    while choice := next((c for c in play.state.choices if isinstance(c.about, qu.JoinAttack)), None):
        assert isinstance(choice.about, qu.JoinAttack)
        joins = (choice.power, choice.area, choice.about.unit_kind) in ordered
        carry(play, choice.seat, ac.Choose(choice.id, (JOIN if joins else ASIDE,)))


def _fought_already(play: Play, seat: str, order: Order) -> bool:
    """Whether all attacks of an order have been made together with an ally's. Rules: PBM-084."""
    made = {(p, e.place, e.kind) for e in play.events if isinstance(e, ev.BattleFought) for p in e.attackers}
    return all(isinstance(act, ac.Attack) for act in order.acts) and made.issuperset(_clashes(play.tables, seat, order))


def _orders(state: State, forms: Forms) -> Iterator[tuple[Node, Order]]:
    for seat in state.players:
        if seat in forms:
            yield from (((seat, n), order) for n, order in enumerate(forms[seat].orders))


def carry_out(play: Play, node: Node, order: Order, carry: Carry) -> None:
    """Carry out one order, and tell its owner."""
    _tell(play, node, order, _done(play, node[0], order, carry))


def _tell(play: Play, node: Node, order: Order, why: Refusal | None) -> None:
    """Tell the owner of an order what has become of it; of a draft only when all forms are read."""
    if why is None and any(isinstance(act, ac.Draft) and act.form != CONGRESS for act in order.acts):
        return
    tell(play, node, order, Outcome(bo.DONE) if why is None else Outcome(bo.NULLIFIED, why=why))


def _done(play: Play, seat: str, order: Order, carry: Carry) -> Refusal | None:
    """Carry out all acts of an order or none; what forbids it."""

    def step(play: Play) -> None:
        for act in order.acts:
            if order.condition is not None and not isinstance(act, ac.Attack):
                raise Refusal(
                    "condition", ("PBM-079",), "Only orders of the Movement/Status Change Phase, and attacks, may "
                    "have a condition.",
                )  # fmt: skip
            carry(play, seat, meant(play, seat, act))

    return stops.attempt(play, step)


def _tell_of_drafts(play: Play, forms: Forms) -> None:
    """Tell who has drafted a Treaty whether it is signed by all. A draft is no Treaty: nobody reads "carried out".

    Rules: PBM-039, PBM-040, PBM-041
    """
    noted = {(e.power, e.text.partition(",")[0]) for e in play.events if isinstance(e, ev.Noted)}
    for node, order in _orders(play.state, forms):
        if (node[0], f"Line {order.line}") in noted:
            continue
        drafts = [act for act in order.acts if isinstance(act, ac.Draft) and act.form != CONGRESS]
        waiting = next(filter(None, (_unsigned(play, node[0], act) for act in drafts)), None)
        if waiting is not None:
            tell(play, node, order, Outcome(bo.WAITS, why=Refusal("unsigned", ("PBM-040",), waiting)))
        elif drafts:
            tell(play, node, order, Outcome(bo.DONE))


def _unsigned(play: Play, seat: str, act: ac.Draft) -> str:
    """Why a draft is no Treaty yet; "" where all have signed it."""
    power = act.power or seat
    parties = set(in_order(play.tables.powers, (power, *act.parties)))
    drafts = [t for t in play.state.treaties if t.stage == DRAFT and (set(t.parties) == parties or t.id == act.instead)]
    clauses = _clauses(play, act)
    own = next((t for t in drafts if power in t.signed and t.clauses == clauses), None)
    if own is None:
        return ""
    missing = tuple(p for p in own.parties if p not in own.signed)
    others = [t for t in drafts if t is not own and t.drafter in missing and power not in t.signed]
    if others:
        words = ", ".join(f"{t.id} of {powers_named(play.tables, (t.drafter,))}" for t in others)
        return f"it has other words than {words}, so that neither is a Treaty. Sign one of them: 'sign {others[0].id}'."
    return f"it waits as {own.id} for the signature of {powers_named(play.tables, missing)}."


def _clauses(play: Play, draft: ac.Draft) -> tuple[Clause, ...]:
    """Return the articles of a draft as a Treaty keeps them; as they are written if they cannot be carried out now."""
    try:
        return acts.written_out(play, draft.clauses)
    except Refusal:
        return draft.clauses


MESSAGE = "anonymous_message"
"""Code of the note that brings a player a message."""


def deliver(play: Play, instructions: Instructions) -> None:
    """Deliver the messages of all forms, each to its recipients only; nothing says who has sent them."""
    sent = [said.answer for told in instructions.values() for said in told if said.verb == "message"]
    for *powers, words in sorted(set(sent)):
        seats = {seat_of(play.tables, play.state, power) for power in powers}
        only = tuple(seat for seat in play.state.players if seat in seats)
        if only:
            play.noted(MESSAGE, f"To {powers_named(play.tables, only)}: {words}", (), only=only)


# --- agreed by the same words -----------------------------------------------------------------------------------------


def meant(play: Play, seat: str, act: Action | Accept) -> Action:
    """The act that an order comes to, where another form has said the same already.

    Raises: Refusal `not_given`.
    Rules: PBM-039, PBM-040, PBM-041, PBM-118
    """
    state = play.state
    if isinstance(act, Accept):
        return _accepting(state, act, act.power or seat)
    power = getattr(act, "power", "") or seat
    if isinstance(act, ac.Draft):
        parties = in_order(play.tables.powers, (power, *act.parties))
        clauses = _clauses(play, act)
        for treaty in state.treaties:
            openly = treaty.public or treaty.publish
            same = (treaty.form, treaty.clauses, openly) == (act.form, clauses, act.public)
            unsigned = treaty.stage == DRAFT and power not in treaty.signed and set(treaty.parties) == set(parties)
            if unsigned and same and (not act.name or act.name == treaty.name):
                return ac.Sign(treaty.id, act.power)
    if isinstance(act, ac.Codominion):
        for choice in state.choices:
            if isinstance(choice.about, qu.ShareOffer) and (choice.power, choice.about.area) == (power, act.area):
                return ac.Choose(choice.id, ("accept",))
    return act


def _accepting(state: State, accept: Accept, power: str) -> Action:
    for choice in state.choices:
        about = choice.about
        if choice.power != power:
            continue
        money = isinstance(about, qu.MoneyOffer) and (about.giver, about.amount) == (accept.giver, accept.amount)
        marker = isinstance(about, qu.MarkerOffer) and (about.giver, about.area) == (accept.giver, accept.area)
        if money or marker:
            return ac.Choose(choice.id, ("accept",))
    raise Refusal("not_given", ("PBM-118",), "Nobody gives that: no form orders it.")


# --- silence ------------------------------------------------------------------------------------------------------


def _silent_step_down(play: Play, silent: tuple[str, ...]) -> None:
    """Where one party to a dispute is silent it lowers its marker to the highest level that ends the conflict.

    Where all are silent, or none, the holders of the Casus Belli do so by default.

    Rules: PBM-121 (R-PBM-06, R-PBM-25)
    """
    if play.state.congress is not None and play.state.congress.turn == play.state.turn:
        return
    for area in dict.fromkeys(cause.area for cause in play.state.casus_belli if cause.cause in MARKERS):
        found = dispute(play.state, area)
        parties = {p for cause in (found.causes if found else ()) for p in (cause.holder, cause.against)}
        seats = {power: seat_of(play.tables, play.state, power) for power in parties}
        gone = sorted(power for power, seat in seats.items() if seat in silent)
        if found is None or any(war.side_of(p) for war in play.state.wars for p in parties) or len(gone) == len(seats):
            continue
        for power in gone:
            own, best = established(play.state, area, power), best_beside(play.state, area, power)
            if own is not None and level(own) > LEVEL[best]:
                giving_way.step_down(play, power, area, own, best)
