"""The door: the forms of a stop are opened and carried out, and the game goes on to its next stop.

Rules: PBM-001, PBM-005, PBM-014, PBM-032, PBM-072, PBM-107, PBM-113, PBM-116
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.pax import sequence
from paxtui.pax.board.status import powers_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.congress import beside_war
from paxtui.pax.expansion import duties
from paxtui.pax.orders import actions as ac
from paxtui.pax.play.play import Play
from paxtui.pax.postal import congress, in_war, live, movement, standing, stops
from paxtui.pax.postal.boards import Carry
from paxtui.pax.postal.forms import Fault, Form
from paxtui.pax.postal.reading import read_form
from paxtui.pax.postal.standing import Instructions
from paxtui.pax.sequence import OPEN
from paxtui.pax.state.model import State
from paxtui.pax.state.questions import CodominionWar, Spoils
from paxtui.pax.words.spoken import power_name


def adjudicate(play: Play, action: ac.Adjudicate, carry: Carry) -> None:
    """Carry out the forms of all seats at this stop, and play on to the next.

    Args:
        play: the decision in progress.
        action: the forms; at the beginning of a game, before the first stop, there are none; a game that comes from a
            table is only brought to its next stop.
        carry: lets a seat do an act, with all that follows from it at once.

    Raises: Refusal `unknown_seat`, `twice`, `bad_form`, `not_a_stop`; GameOver.
    Rules: PBM-001, PBM-005, PBM-014, PBM-032, PBM-072, PBM-107, PBM-113, PBM-116
    """
    play.by_mail = True
    if action.begins:
        stops.go_on(play, {})
        return
    forms = opened(play.tables, play.state, action)
    silent = silent_seats(play.state, action)
    forms |= {seat: _in_silence(play.state, seat, forms[seat]) for seat in silent if seat in forms}
    instructions = {seat: form.standing for seat, form in forms.items()}
    live.deliver(play, instructions)
    waiting = sequence.waiting(play.tables, play.state)
    if not waiting:
        if forms:
            raise Refusal("not_a_stop", ("PBM-005",), "Nobody is waited for yet: the game first goes on to its stop.")
    elif beside_war.is_aside(play.state):
        for_congress, for_war = congress.split_beside_war(play.state, forms)
        _answers(play, for_war, instructions, carry)
        _congress_beside_war(play, for_congress, instructions, carry)
    elif congress.is_open(play.state):
        congress.hold(play, forms, instructions, carry)
    elif _asked(play.state) or play.state.phase not in OPEN:
        _answers(play, forms, instructions, carry)
    elif play.state.phase == "movement":
        movement.carry_out(play, forms, carry)
        live.agreements(play, forms, carry)
        for seat in play.state.players if play.state.result is None else ():
            duties.forfeit(play, seat)
        _end_phase(play)
    else:
        live.negotiation(play, forms, silent, carry)
        _end_phase(play)
    in_war.hand_on(play, instructions)
    stops.go_on(play, instructions)


def _congress_beside_war(
    play: Play, forms: Mapping[str, Form], instructions: Instructions, carry: Carry
) -> None:
    """Carry out what the forms of a stop of the War say for the Congress that stays open beside it.

    Rules: PBM-057, WAR-046 (Decision 66)
    """
    if play.state.result is not None:
        return
    if beside_war.is_aside(play.state):
        beside_war.swap(play)
    if congress.is_open(play.state):
        congress.hold(play, forms, instructions, carry)
    else:
        _answers(play, forms, instructions, carry)


def _asked(state: State) -> tuple[str, ...]:
    """The choices that the game waits for, by their names."""
    return tuple(choice.id for choice in state.choices if choice.about.pressing)


def _answers(play: Play, forms: Mapping[str, Form], instructions: Instructions, carry: Carry) -> None:
    """Carry out forms that answer what some are asked, or that are of an Alliance's turn in War.

    What nobody has answered takes what silence means. What is only asked now is for the next stop; but victors divide
    all spoils at once, and who had to retreat first moves by the same form.

    Rules: PBM-072, PBM-075, PBM-101, PBM-102, PBM-105, PBM-120, PBM-124, PBM-125
    """
    before, turn = _asked(play.state), stops.movers(play.state)
    retreats = bool(before) and all(stops.held_back(play.state, c) for c in play.state.choices if c.about.pressing)
    entry = any(isinstance(choice.about, CodominionWar) for choice in play.state.choices)
    said, rest = live.split(forms) if retreats or entry else (forms, {})
    live.answers(play, said, carry)
    for id_ in before:
        choice = next((c for c in play.state.choices if c.id == id_), None)
        if choice is not None:
            standing.answer(play, choice, instructions, stops.attempt)
    _divide(play, instructions)
    if retreats and not _asked(play.state):
        sequence.resume(play)
        stops.pass_on(play, turn)
        turn = stops.movers(play.state)
    if rest:
        live.answers(play, rest, carry)
    if play.state.result is not None or _asked(play.state):
        return
    if play.state.phase in OPEN:
        _end_phase(play)
    elif before and not retreats and not entry:
        sequence.resume(play)
    else:
        stops.pass_on(play, turn)


def _divide(play: Play, instructions: Instructions) -> None:
    """All spoils of a War are divided at one stop: who has said nothing of an Area leaves it to the others.

    Rules: PBM-105, R-PBM-32
    """
    while choice := next((c for c in play.state.choices if isinstance(c.about, Spoils)), None):
        standing.answer(play, choice, instructions, stops.attempt)


def _end_phase(play: Play) -> None:
    """The forms have said all: nobody is waited for any more in this Phase, unless somebody is asked something by them.

    Rules: SEQ-010, STA-039, PBM-101
    """
    if play.state.result is None and not _asked(play.state):
        sequence.force(play)


def silent_seats(state: State, action: ac.Adjudicate) -> tuple[str, ...]:
    """The seats that have sent no form of their own."""
    sent = {sheet.seat for sheet in action.sheets if not sheet.missed}
    return tuple(seat for seat in state.players if seat not in sent)


def _in_silence(state: State, seat: str, form: Form) -> Form:
    """The form that the caretaker has written for a silent seat, without what silence means by itself.

    A silent seat steps down by PBM-121. Unless it is abandoned it answers no call to War, and says nothing in a
    Congress: it abstains and signs.

    Rules: PBM-055, PBM-060, PBM-102, PBM-113, PBM-120, PBM-121 (R-PBM-07, R-PBM-11, R-PBM-25, R-PBM-35)
    """
    kept = standing.BY_SILENCE if seat not in state.abandoned else ()
    unanswered = {c.id for c in state.choices if isinstance(c.about, kept)}

    def meant(act: object) -> bool:
        steps_down = state.phase == "negotiation" and isinstance(act, ac.Downgrade | ac.Withdraw)
        return steps_down or (isinstance(act, ac.Choose) and act.id in unanswered)

    return replace(form, orders=tuple(order for order in form.orders if not any(map(meant, order.acts))))


def opened(tables: Tables, state: State, action: ac.Adjudicate) -> dict[str, Form]:
    """The forms by seat.

    Raises: Refusal `unknown_seat`, `twice`, `bad_form` with the first of the faults.
    """
    forms: dict[str, Form] = {}
    for sheet in action.sheets:
        if sheet.seat not in state.players:
            seats = ", ".join(state.players)
            raise Refusal("unknown_seat", (), f"There is no seat {sheet.seat[:40]!r}; the seats are {seats}.")
        if sheet.seat in forms:
            raise Refusal("two_forms", (), f"There are two forms of {power_name(tables, sheet.seat)}.")
        form, faults = read_form(tables, sheet.text, powers_of(tables, state, sheet.seat))
        if faults:
            whose = power_name(tables, sheet.seat)
            raise Refusal("bad_form", (), f"The form of {whose}: {_first(faults)}", seat=sheet.seat)
        forms[sheet.seat] = form
    return forms


def _first(faults: tuple[Fault, ...]) -> str:
    more = len(faults) - 1
    return f"{faults[0]}" + (f" (and {more} more)" if more else "")
