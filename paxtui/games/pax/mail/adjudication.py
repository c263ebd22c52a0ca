"""Adjudicate a stop of a mail game: order forms of the Phases, of a Congress and of a War, then play to the next stop.

Orders that need several parties take effect when the forms of all parties contain the same order. Orders of the
Movement/Status Change Phase are in `movement`.

Rules: PBM-001, PBM-005, PBM-014, PBM-032, PBM-033 to PBM-041, PBM-051 to PBM-055, PBM-058, PBM-072, PBM-080, PBM-082,
    PBM-107, PBM-113, PBM-116, PBM-118, PBM-120, PBM-121 (R-PBM-10, R-PBM-34)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.games.pax import sequence
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.actions import Action
from paxtui.games.pax.board.status import established, level, powers_of, seat_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.casus_belli import MARKER_CAUSES
from paxtui.games.pax.congress import calling, session
from paxtui.games.pax.congress.proposals import update_congress
from paxtui.games.pax.congress.session import ask_for_proposal
from paxtui.games.pax.diplomacy import disputes, settlement
from paxtui.games.pax.diplomacy.disputes import area_dispute
from paxtui.games.pax.events import events
from paxtui.games.pax.expansion import duties
from paxtui.games.pax.expansion.placement import best_compatible_marker
from paxtui.games.pax.mail import movement, standing_orders, stops
from paxtui.games.pax.mail.conditions import OrderEffect, is_condition_met, move_effects
from paxtui.games.pax.mail.forms import AcceptOrder, FormOrder, OrderForm, StandingInstruction, parse_form
from paxtui.games.pax.mail.movement import ActionExecutor, OrderNode, OrderOutcome, notify_owner
from paxtui.games.pax.mail.standing_orders import SeatInstructions
from paxtui.games.pax.sequence import OPEN
from paxtui.games.pax.state import questions
from paxtui.games.pax.state.diplomacy import CONGRESS, DRAFT, TABLED, Clause
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import ARMY, LEVEL, NAVAL
from paxtui.games.pax.state.questions import CodominionWar, Spoils
from paxtui.games.pax.state.war import MANEUVER
from paxtui.games.pax.text.display import power_name, powers_text
from paxtui.games.pax.text.parsing import in_table_order
from paxtui.games.pax.transaction import Transaction
from paxtui.games.pax.war import alliances
from paxtui.games.pax.war.campaign.battle import DECLINE, JOIN_ATTACK
from paxtui.games.pax.war.campaign.war_adjacency import is_sea

FormsBySeat = Mapping[str, OrderForm]


def carry_out_agreements(play: Transaction, forms: FormsBySeat, carry: ActionExecutor) -> None:
    """Carry out the agreements in the forms of the Movement/Status Change Phase. Rules: PBM-038 to PBM-044."""
    for node, order in _orders(play.state, forms):
        if movement.is_agreement(order):
            carry_out_order(play, node, order, carry)
    _notify_drafters(play, forms)


def carry_out_negotiation(
    play: Transaction, forms: FormsBySeat, silent: tuple[str, ...], carry: ActionExecutor
) -> None:
    """Carry out the forms of the Negotiation Phase, then lower the markers of silent parties to disputes.

    Orders that accept an offer are carried out after all other orders.

    Rules: PBM-033 to PBM-049, PBM-121
    """
    orders = _orders(play.state, forms)
    for node, order in sorted(orders, key=lambda found: any(isinstance(act, AcceptOrder) for act in found[1].acts)):
        carry_out_order(play, node, order, carry)
    _notify_drafters(play, forms)
    _silent_step_down(play, silent)


def _split_forms(
    forms: FormsBySeat, belongs: Callable[[str, FormOrder], bool]
) -> tuple[dict[str, OrderForm], dict[str, OrderForm]]:
    """Split each form into the orders that belong to a part, and the others."""

    def part(wanted: bool) -> dict[str, OrderForm]:
        return {
            seat: replace(form, orders=tuple(order for order in form.orders if belongs(seat, order) == wanted))
            for seat, form in forms.items()
        }

    return part(True), part(False)


def carry_out_answers(play: Transaction, forms: FormsBySeat, carry: ActionExecutor) -> None:
    """Carry out the forms of any other stop: answers, proposals, moves and attacks.

    Fleets move before armies. Attacks follow all moves of this stop, so that their conditions can refer to moves. In
    independent Wars all Units move before the first attack.

    Rules: PBM-072, PBM-077, PBM-080, PBM-082, PBM-084, PBM-100, PBM-123
    """
    first = len(play.events)
    attacks: list[tuple[OrderNode, FormOrder]] = []
    moving: list[tuple[OrderNode, FormOrder]] = []
    for node, order in _orders(play.state, forms):
        (attacks if any(isinstance(act, actions.Attack) for act in order.acts) else moving).append((node, order))
    moving.sort(key=lambda found: any(_moves_armies(act) for act in found[1].acts))
    turn = stops.movers(play.state)
    _in_each_war(play, turn, moving, lambda order, seat: _try_order(play, seat, order, carry))
    _notify_drafters(play, forms)
    if not attacks:
        return
    while _phase_of(play, turn) == MANEUVER and not play.state.has_pressing_choice:
        stops.pass_phase(play)
    _attack(play, turn, attacks, move_effects(play.events[first:]), carry)


def _moves_armies(act: Action | AcceptOrder) -> bool:
    """Whether an action moves Army Units. Rules: PBM-123."""
    return isinstance(act, actions.Move) and any(unit.startswith("A") for unit in act.units)


def _phase_of(play: Transaction, turn: tuple[stops.Mover, ...]) -> str:
    """The current Phase of the current War; "" if the turn is not one of `turn`."""
    war = alliances.current_war(play.state) if play.state.phase == "war" else None
    return war.stage if war is not None and (war.id, war.cycle, war.turn_of) in turn else ""


def _in_each_war(
    play: Transaction,
    turn: tuple[stops.Mover, ...],
    orders: list[tuple[OrderNode, FormOrder]],
    do: Callable[[FormOrder, str], Refusal | None],
) -> None:
    """Carry out orders in the current Phase of each War in turn, each order in the first War that allows it.

    Rules: PBM-100
    """
    stage, left = _phase_of(play, turn), orders
    for _ in range(max(1, len(turn))):
        refused = [(node, order, why) for node, order in left if (why := do(order, node[0])) is not None]
        done = [found for found in left if found not in [(node, order) for node, order, _ in refused]]
        for node, order in done:
            _notify_order(play, node, order, None)
        left = [(node, order) for node, order, _ in refused]
        if not stage or not left or play.state.result is not None or len(turn) < 2:
            break
        stops.pass_phase(play)
        if _phase_of(play, turn) != stage:
            break
    for node, order, why in refused:
        _notify_order(play, node, order, why)


def _attack(
    play: Transaction,
    turn: tuple[stops.Mover, ...],
    attacks: list[tuple[OrderNode, FormOrder]],
    moved: tuple[OrderEffect, ...],
    carry: ActionExecutor,
) -> None:
    """Carry out the attacks whose conditions are met.

    Allies that order an attack on the same place attack together. Allies without such an order stand aside.

    Rules: PBM-080, PBM-082, PBM-084
    """
    met: list[tuple[OrderNode, FormOrder]] = []
    for node, order in attacks:
        own = powers_of(play.tables, play.state, node[0])
        if order.condition is not None and not is_condition_met(order.condition, moved, own):
            notify_owner(play, node, order, OrderOutcome(movement.UNMET))
        else:
            met.append((node, order))
    ordered = {key for node, order in met for key in _attack_targets(play.tables, node[0], order)}

    def attack(order: FormOrder, seat: str) -> Refusal | None:
        why = _try_order(play, seat, order, lambda play, seat, act: _attack_together(play, seat, act, ordered, carry))
        return None if why is not None and _fought_already(play, seat, order) else why

    _in_each_war(play, turn, met, attack)


def _attack_targets(tables: Tables, seat: str, order: FormOrder) -> tuple[tuple[str, str, str], ...]:
    """Power, place and Unit kind of each attack of an order."""
    return tuple(
        (act.power or seat, act.place, NAVAL if act.naval or is_sea(tables, act.place) else ARMY)
        for act in order.acts
        if isinstance(act, actions.Attack)
    )


def _attack_together(
    play: Transaction, seat: str, act: Action, ordered: set[tuple[str, str, str]], carry: ActionExecutor
) -> None:
    """Attack. Each ally asked to join does so if its own form orders the attack. Rules: PBM-084."""
    carry(play, seat, act)
    while choice := next((c for c in play.state.choices if isinstance(c.about, questions.JoinAttack)), None):
        assert isinstance(choice.about, questions.JoinAttack)
        joins = (choice.power, choice.area, choice.about.unit_kind) in ordered
        carry(play, choice.seat, actions.Choose(choice.id, (JOIN_ATTACK if joins else DECLINE,)))


def _fought_already(play: Transaction, seat: str, order: FormOrder) -> bool:
    """Whether all attacks of an order were already made together with an ally. Rules: PBM-084."""
    made = {(p, e.place, e.kind) for e in play.events if isinstance(e, events.BattleFought) for p in e.attackers}
    attacks = _attack_targets(play.tables, seat, order)
    return len(attacks) == len(order.acts) and made.issuperset(attacks)


def _orders(state: State, forms: FormsBySeat) -> Iterator[tuple[OrderNode, FormOrder]]:
    for seat in state.players:
        if seat in forms:
            yield from (((seat, n), order) for n, order in enumerate(forms[seat].orders))


def carry_out_order(play: Transaction, node: OrderNode, order: FormOrder, carry: ActionExecutor) -> None:
    """Carry out one order and notify its owner of the outcome."""
    _notify_order(play, node, order, _try_order(play, node[0], order, carry))


def _notify_order(play: Transaction, node: OrderNode, order: FormOrder, why: Refusal | None) -> None:
    """Notify the owner of an order of its outcome. Drafts that succeed wait until all forms are processed."""
    if why is None and any(isinstance(act, actions.Draft) and act.form != CONGRESS for act in order.acts):
        return
    outcome = OrderOutcome(movement.DONE) if why is None else OrderOutcome(movement.NULLIFIED, why=why)
    notify_owner(play, node, order, outcome)


def _try_order(play: Transaction, seat: str, order: FormOrder, carry: ActionExecutor) -> Refusal | None:
    """Carry out all actions of an order, or none; return the Refusal, if any."""

    def step(play: Transaction) -> None:
        for act in order.acts:
            if order.condition is not None and not isinstance(act, actions.Attack):
                raise Refusal(
                    "condition", ("PBM-079",), "Only orders of the Movement/Status Change Phase, and attacks, may "
                    "have a condition.",
                )  # fmt: skip
            carry(play, seat, effective_action(play, seat, act))

    return stops.try_step(play, step)


def _notify_drafters(play: Transaction, forms: FormsBySeat) -> None:
    """Notify each drafter of a Treaty whether all parties signed it. A mere draft is not reported as carried out.

    Rules: PBM-039, PBM-040, PBM-041
    """
    noted = {(e.power, e.text.partition(",")[0]) for e in play.events if isinstance(e, events.Noted)}
    for node, order in _orders(play.state, forms):
        if (node[0], f"Line {order.line}") in noted:
            continue
        drafts = [act for act in order.acts if isinstance(act, actions.Draft) and act.form != CONGRESS]
        waiting = next(filter(None, (_missing_signatures(play, node[0], act) for act in drafts)), None)
        if waiting is not None:
            why = Refusal("unsigned", ("PBM-040",), waiting)
            notify_owner(play, node, order, OrderOutcome(movement.WAITS, why=why))
        elif drafts:
            notify_owner(play, node, order, OrderOutcome(movement.DONE))


def _missing_signatures(play: Transaction, seat: str, act: actions.Draft) -> str:
    """The reason why a draft is not yet a Treaty; "" when all parties have signed."""
    power = act.power or seat
    parties = set(in_table_order(play.tables.powers, (power, *act.parties)))
    drafts = [t for t in play.state.treaties if t.stage == DRAFT and (set(t.parties) == parties or t.id == act.instead)]
    clauses = _clauses(play, act)
    own = next((t for t in drafts if power in t.signed and t.clauses == clauses), None)
    if own is None:
        return ""
    missing = tuple(p for p in own.parties if p not in own.signed)
    others = [t for t in drafts if t is not own and t.drafter in missing and power not in t.signed]
    if others:
        words = ", ".join(f"{t.id} of {powers_text(play.tables, (t.drafter,))}" for t in others)
        return f"it has other words than {words}, so that neither is a Treaty. Sign one of them: 'sign {others[0].id}'."
    return f"it waits as {own.id} for the signature of {powers_text(play.tables, missing)}."


def _clauses(play: Transaction, draft: actions.Draft) -> tuple[Clause, ...]:
    """The clauses of a draft with short forms expanded; unchanged if they cannot be carried out now."""
    try:
        return settlement.expand_short_forms(play, draft.clauses)
    except Refusal:
        return draft.clauses


MESSAGE_CODE = "anonymous_message"
"""Code of the note that delivers a message between players."""


def deliver_messages(play: Transaction, instructions: SeatInstructions) -> None:
    """Deliver the messages of all forms, anonymously, each to its recipients only."""
    sent = {one.answer for some in instructions.values() for one in some if one.verb == "message"}
    for *powers, words in sorted(sent):
        seats = {seat_of(play.tables, play.state, power) for power in powers}
        only = tuple(seat for seat in play.state.players if seat in seats)
        if only:
            play.add_note(MESSAGE_CODE, f"To {powers_text(play.tables, only)}: {words}", (), only=only)


def effective_action(play: Transaction, seat: str, act: Action | AcceptOrder) -> Action:
    """The action to execute for an order: it becomes an agreement if another form has the same order already.

    Raises:
        Refusal: `not_given`.

    Rules: PBM-039, PBM-040, PBM-041, PBM-118
    """
    state = play.state
    if isinstance(act, AcceptOrder):
        return _accepting(state, act, act.power or seat)
    power = getattr(act, "power", "") or seat
    if isinstance(act, actions.Draft):
        parties = in_table_order(play.tables.powers, (power, *act.parties))
        clauses = _clauses(play, act)
        for treaty in state.treaties:
            openly = treaty.public or treaty.publish
            same = (treaty.form, treaty.clauses, openly) == (act.form, clauses, act.public)
            unsigned = treaty.stage == DRAFT and power not in treaty.signed and set(treaty.parties) == set(parties)
            if unsigned and same and (not act.name or act.name == treaty.name):
                return actions.Sign(treaty.id, act.power)
    if isinstance(act, actions.Codominion):
        for choice in state.choices:
            about = choice.about
            if isinstance(about, questions.ShareOffer) and (choice.power, about.area) == (power, act.area):
                return actions.Choose(choice.id, ("accept",))
    return act


def _accepting(state: State, accept: AcceptOrder, power: str) -> Action:
    for choice in state.choices:
        about = choice.about
        if choice.power != power:
            continue
        money = isinstance(about, questions.MoneyOffer) and (about.giver, about.amount) == (accept.giver, accept.amount)
        marker = isinstance(about, questions.MarkerOffer) and (about.giver, about.area) == (accept.giver, accept.area)
        if money or marker:
            return actions.Choose(choice.id, ("accept",))
    raise Refusal("not_given", ("PBM-118",), "No form orders that gift.")


def _silent_step_down(play: Transaction, silent: tuple[str, ...]) -> None:
    """Lower the marker of each silent party to a dispute to the highest level that ends the conflict.

    If all parties are silent, or none, the default applies: the holders of the Casus Belli step down.

    Rules: PBM-121 (R-PBM-06, R-PBM-25)
    """
    if play.state.congress is not None and play.state.congress.turn == play.state.turn:
        return
    for area in dict.fromkeys(cause.area for cause in play.state.casus_belli if cause.cause in MARKER_CAUSES):
        found = area_dispute(play.state, area)
        parties = {p for cause in (found.causes if found else ()) for p in (cause.holder, cause.against)}
        seats = {power: seat_of(play.tables, play.state, power) for power in parties}
        silent_parties = sorted(power for power, seat in seats.items() if seat in silent)
        at_war = any(war.side_of(p) for war in play.state.wars for p in parties)
        if found is None or at_war or len(silent_parties) == len(seats):
            continue
        for power in silent_parties:
            own, best = established(play.state, area, power), best_compatible_marker(play.state, area, power)
            if own is not None and level(own) > LEVEL[best]:
                disputes.lower_marker(play, power, area, own, best)


MAX_RENEWALS = 2
"""Number of deadline extensions of a Congress, unless its host orders `renew congress`."""

FORM_QUESTIONS = (
    questions.Site,
    questions.Attend,
    questions.Invite,
    questions.Agenda,
    questions.Ballot,
    questions.Tie,
    questions.Signature,
)
"""Questions of a Congress that the forms of one stop answer, even if the question arises during the stop."""


def is_congress_open(state: State) -> bool:
    """Whether a Congress waits for members to meet, propose or vote. A defiance is a separate stop."""
    return state.phase == "congress" and any(
        isinstance(c.about, (*FORM_QUESTIONS, questions.Propose)) for c in state.choices
    )


def hold_congress(play: Transaction, forms: FormsBySeat, instructions: SeatInstructions, carry: ActionExecutor) -> None:
    """Carry out the forms of one stop of a Congress.

    One stop serves to meet and propose, the next to vote on all proposals. A stop without proposals sets a new
    deadline.

    Raises:
        GameOver: by any of its consequences.

    Rules: PBM-051, PBM-053, PBM-055, PBM-058, PBM-120
    """
    congress = play.state.congress
    known = {p.id for p in congress.proposals} if congress is not None else set()
    voting = any(isinstance(c.about, questions.Ballot) for c in play.state.choices)
    proposing, rest = _split_forms(forms, lambda seat, order: is_proposal(order))
    proposals = [((seat, n), order) for seat, form in proposing.items() for n, order in enumerate(form.orders)]
    attend = StandingInstruction(0, "attend", "attend", answer=("attend",))
    attending = {seat: (*instructions.get(seat, ()), attend) for (seat, _), _ in proposals}
    _reset_rounds(play)
    others = [
        c.id for c in play.state.choices if c.about.pressing and not isinstance(c.about, questions.CongressQuestion)
    ]
    carry_out_answers(play, rest, carry)
    for choice in [c for c in play.state.choices if c.id in others]:
        standing_orders.answer_choice(play, choice, instructions, stops.try_step)
    _answer_congress(play, {**instructions, **attending}, known)
    if not _asks_for_proposals(play.state):
        return
    _propose(play, proposals, carry)
    if not _asks_for_proposals(play.state) or (
        not _has_tabled_proposal(play.state) and (voting or _renew_deadline(play, instructions))
    ):
        return
    for choice in play.state.choices:
        if isinstance(choice.about, questions.Propose):
            standing_orders.answer_choice(play, choice, instructions, stops.try_step)
    sequence.resume(play)


def is_for_congress(state: State, seat: str, order: FormOrder) -> bool:
    """Whether an order is for the Congress that a War has suspended, and not for the War.

    These are proposals, answers to its choices, and declarations of War over conflicts before it.

    Rules: PBM-056, PBM-057
    """
    there = state.waiting_phase
    if there is None or not session.is_suspended(state):
        return False
    ids = {choice.id for choice in there.choices}
    pairs = [conflict.pair for conflict in calling.open_conflicts(state)]

    def belongs(act: object) -> bool:
        if isinstance(act, actions.DeclareWar):
            return any({act.power or seat, other} in pairs for other in act.on)
        return isinstance(act, actions.Choose) and act.id in ids

    return is_proposal(order) or any(map(belongs, order.acts))


def _is_answer(order: FormOrder) -> bool:
    return all(isinstance(act, actions.Choose) for act in order.acts)


def is_proposal(order: FormOrder) -> bool:
    """Whether an order proposes a Treaty to a Congress."""
    return any(isinstance(act, actions.Draft) and act.form == CONGRESS for act in order.acts)


def _answer_congress(play: Transaction, instructions: SeatInstructions, known: set[str]) -> None:
    """Answer the questions of a Congress by the instructions, up to a new proposal or a defiance.

    `known` holds the proposals that the members could vote on with these forms.

    Rules: PBM-053, PBM-120
    """
    for _ in range(stops.MAX_STEPS):
        if play.state.result is not None or play.state.phase != "congress":
            return
        choice = next((c for c in play.state.choices if isinstance(c.about, FORM_QUESTIONS)), None)
        if choice is None or (isinstance(choice.about, questions.Ballot) and choice.about.proposal not in known):
            return
        standing_orders.answer_choice(play, choice, instructions, stops.try_step)
        sequence.resume(play)
    raise AssertionError("the Congress never ends")


def _propose(play: Transaction, proposals: list[tuple[OrderNode, FormOrder]], carry: ActionExecutor) -> None:
    """Submit the proposals of all forms. A member can submit several with one form. Rules: PBM-053."""
    seats = [seat for (seat, _), _ in proposals]
    members = play.state.congress.members if play.state.congress is not None else ()
    for n, seat in enumerate(seats):
        if seat in members and seat in seats[:n]:
            ask_for_proposal(play, seat)
    for node, order in proposals:
        carry_out_order(play, node, order, carry)


def _asks_for_proposals(state: State) -> bool:
    return any(isinstance(choice.about, questions.Propose) for choice in state.choices)


def _has_tabled_proposal(state: State) -> bool:
    return state.congress is not None and any(p.stage == TABLED for p in state.congress.proposals)


def _renew_deadline(play: Transaction, instructions: SeatInstructions) -> bool:
    """Set a new deadline after a stop without proposals; return whether it was set.

    After two renewals the Congress ends, unless its host orders `renew congress`.

    Rules: PBM-055 (R-PBM-10, R-PBM-34)
    """
    congress = play.state.congress
    if congress is None:
        return False
    host = seat_of(play.tables, play.state, congress.site)
    is_ordered = any(instruction.verb == "renew" for instruction in instructions.get(host, ()))
    if congress.renewed >= MAX_RENEWALS and not is_ordered:
        return False
    note = "No Treaty has been proposed: the Congress gets a new deadline."
    update_congress(play, note, ("PBM-055",), renewed=congress.renewed + 1)
    return True


def _reset_rounds(play: Transaction) -> None:
    """Reset the round count: by mail only deadlines limit a Congress, so it continues while members propose.

    Rules: PBM-055 (R-PBM-34)
    """
    congress = play.state.congress
    if congress is not None and congress.round and _asks_for_proposals(play.state):
        update_congress(play, "", ("PBM-055",), round=0)


def adjudicate(play: Transaction, action: actions.Adjudicate, carry: ActionExecutor) -> None:
    """Carry out the forms of all seats at this stop, and play on to the next.

    Args:
        play: the transaction.
        action: the forms; none when a mail game begins or an existing game is converted, which only plays to its next
            stop.
        carry: executes an action of a seat with all its immediate consequences.

    Raises:
        Refusal: `unknown_seat`, `two_forms`, `bad_form`, `not_a_stop`.
        GameOver: by any of its consequences.

    Rules: PBM-001, PBM-005, PBM-014, PBM-032, PBM-072, PBM-107, PBM-113, PBM-116
    """
    play.by_mail = True
    if action.begins:
        stops.play_to_next_stop(play, {})
        return
    forms = open_forms(play.tables, play.state, action)
    silent = silent_seats(play.state, action)
    forms |= {seat: _without_defaults(play.state, seat, forms[seat]) for seat in silent if seat in forms}
    instructions = {seat: form.standing for seat, form in forms.items()}
    deliver_messages(play, instructions)
    waiting = sequence.waiting_seats(play.tables, play.state)
    if not waiting:
        if forms:
            raise Refusal(
                "not_a_stop", ("PBM-005",), "The game waits for no seat yet. It first continues to its next stop."
            )
    elif session.is_suspended(play.state):
        for_congress, for_war = _split_forms(forms, lambda seat, order: is_for_congress(play.state, seat, order))
        _adjudicate_answers(play, for_war, instructions, carry)
        _adjudicate_congress(play, for_congress, instructions, carry)
    elif is_congress_open(play.state):
        hold_congress(play, forms, instructions, carry)
    elif play.state.has_pressing_choice or play.state.phase not in OPEN:
        _adjudicate_answers(play, forms, instructions, carry)
    elif play.state.phase == "movement":
        movement.carry_out_movement(play, forms, carry)
        carry_out_agreements(play, forms, carry)
        for seat in play.state.players if play.state.result is None else ():
            duties.forfeit_money(play, seat)
        _end_phase(play)
    else:
        carry_out_negotiation(play, forms, silent, carry)
        _end_phase(play)
    standing_orders.transfer_commands(play, instructions)
    stops.play_to_next_stop(play, instructions)


def _adjudicate_congress(
    play: Transaction, forms: FormsBySeat, instructions: SeatInstructions, carry: ActionExecutor
) -> None:
    """Carry out the orders for a suspended Congress in the forms of a stop of the War.

    Rules: PBM-057, WAR-046 (Decision 66)
    """
    if play.state.result is not None:
        return
    if session.is_suspended(play.state):
        session.swap_congress_and_war(play)
    if is_congress_open(play.state):
        hold_congress(play, forms, instructions, carry)
    else:
        _adjudicate_answers(play, forms, instructions, carry)


def _adjudicate_answers(
    play: Transaction, forms: FormsBySeat, instructions: SeatInstructions, carry: ActionExecutor
) -> None:
    """Carry out forms that answer choices, or that belong to an Alliance's turn in War.

    Choices without an answer take the default for silence. New choices wait for the next stop. Exceptions: victors
    divide all spoils at once, and Units that had to retreat move afterwards by the same form.

    Rules: PBM-072, PBM-075, PBM-101, PBM-102, PBM-105, PBM-120, PBM-124, PBM-125
    """
    before, turn = [c for c in play.state.choices if c.about.pressing], stops.movers(play.state)
    retreats = bool(before) and all(stops.is_retreat_deferred(play.state, choice) for choice in before)
    entry = any(isinstance(choice.about, CodominionWar) for choice in play.state.choices)
    answers, rest = _split_forms(forms, lambda seat, order: _is_answer(order)) if retreats or entry else (forms, {})
    carry_out_answers(play, answers, carry)
    for asked in before:
        choice = play.state.choice(asked.id)
        if choice is not None:
            standing_orders.answer_choice(play, choice, instructions, stops.try_step)
    _divide_spoils(play, instructions)
    if retreats and not play.state.has_pressing_choice:
        sequence.resume(play)
        stops.pass_turns(play, turn)
        turn = stops.movers(play.state)
    if rest:
        carry_out_answers(play, rest, carry)
    if play.state.result is not None or play.state.has_pressing_choice:
        return
    if play.state.phase in OPEN:
        _end_phase(play)
    elif before and not retreats and not entry:
        sequence.resume(play)
    else:
        stops.pass_turns(play, turn)


def _divide_spoils(play: Transaction, instructions: SeatInstructions) -> None:
    """Divide all spoils of a War at one stop. A seat without an order for an Area leaves it to the others.

    Rules: PBM-105, R-PBM-32
    """
    while choice := next((c for c in play.state.choices if isinstance(c.about, Spoils)), None):
        standing_orders.answer_choice(play, choice, instructions, stops.try_step)


def _end_phase(play: Transaction) -> None:
    """End the Phase for all waiting seats, unless the forms have raised choices. Rules: SEQ-010, STA-039, PBM-101."""
    if play.state.result is None and not play.state.has_pressing_choice:
        sequence.force_defaults(play)


def silent_seats(state: State, action: actions.Adjudicate) -> tuple[str, ...]:
    """The seats that sent no form of their own."""
    sent = {sheet.seat for sheet in action.sheets if not sheet.missed}
    return tuple(seat for seat in state.players if seat not in sent)


def _without_defaults(state: State, seat: str, form: OrderForm) -> OrderForm:
    """The bot's form for a silent seat, without the orders for which silence has its own default.

    A silent seat steps down by PBM-121. Unless the seat is abandoned, it answers no call to War. In a Congress it
    abstains and signs.

    Rules: PBM-055, PBM-060, PBM-102, PBM-113, PBM-120, PBM-121 (R-PBM-07, R-PBM-11, R-PBM-25, R-PBM-35)
    """
    kept = standing_orders.SILENCE_QUESTIONS if seat not in state.abandoned else ()
    unanswered = {c.id for c in state.choices if isinstance(c.about, kept)}

    def meant(act: object) -> bool:
        steps_down = state.phase == "negotiation" and isinstance(act, actions.Downgrade | actions.Withdraw)
        return steps_down or (isinstance(act, actions.Choose) and act.id in unanswered)

    return replace(form, orders=tuple(order for order in form.orders if not any(map(meant, order.acts))))


def open_forms(tables: Tables, state: State, action: actions.Adjudicate) -> dict[str, OrderForm]:
    """Parse the forms, by seat.

    Raises:
        Refusal: `unknown_seat`, `two_forms`, `bad_form` with the first fault.
    """
    forms: dict[str, OrderForm] = {}
    for sheet in action.sheets:
        if sheet.seat not in state.players:
            seats = ", ".join(state.players)
            raise Refusal("unknown_seat", (), f"There is no seat {sheet.seat[:40]!r}. The seats are {seats}.")
        if sheet.seat in forms:
            raise Refusal("two_forms", (), f"There are two forms for {power_name(tables, sheet.seat)}.")
        form, faults = parse_form(tables, sheet.text, powers_of(tables, state, sheet.seat))
        if faults:
            more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
            message = f"The form of {power_name(tables, sheet.seat)}: {faults[0]}{more}"
            raise Refusal("bad_form", (), message, seat=sheet.seat)
        forms[sheet.seat] = form
    return forms
