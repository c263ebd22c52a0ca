"""The door: the forms of a stop are opened and carried out, and the game goes on to its next stop.

Rules: PBM-001, PBM-005, PBM-014, PBM-032, PBM-072, PBM-107, PBM-113, PBM-116
"""

from __future__ import annotations

from paxtui.engine.refusal import Refusal
from paxtui.pax import sequence
from paxtui.pax.board.status import powers_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.orders import actions as ac
from paxtui.pax.play.play import Play
from paxtui.pax.postal import live, movement, standing, stops
from paxtui.pax.postal.boards import Carry
from paxtui.pax.postal.forms import Fault, Form
from paxtui.pax.postal.reading import read_form
from paxtui.pax.state.model import State


def adjudicate(play: Play, action: ac.Adjudicate, carry: Carry) -> None:
    """Carry out the forms of all seats at this stop, and play on to the next.

    Args:
        play: the decision in progress.
        action: the forms; at the beginning of a game, before the first stop, there are none.
        carry: lets a seat do an act, with all that follows from it at once.

    Raises: Refusal `unknown_seat`, `twice`, `bad_form`, `not_a_stop`; GameOver.
    Rules: PBM-001, PBM-005, PBM-014, PBM-032, PBM-072, PBM-107, PBM-113, PBM-116
    """
    forms = opened(play.tables, play.state, action)
    silent = silent_seats(play.state, action)
    instructions = {seat: form.standing for seat, form in forms.items()}
    waiting = sequence.waiting(play.tables, play.state)
    if not waiting:
        if forms:
            raise Refusal("not_a_stop", ("PBM-005",), "Nobody is waited for yet: the game first goes on to its stop.")
    elif play.state.phase == "movement":
        movement.carry_out(play, forms, carry)
        live.agreements(play, forms, carry)
        _end_phase(play)
    elif play.state.phase == "negotiation":
        live.negotiation(play, forms, silent, carry)
        _end_phase(play)
    else:
        where = _place(play.state)
        live.answers(play, forms, carry)
        for choice in play.state.choices:
            if choice.about.pressing and _place(play.state) == where and choice in play.state.choices:
                standing.answer(play, choice, instructions, stops.attempt)
        if play.state.result is None and sequence.waiting(play.tables, play.state):
            sequence.force(play)
        else:
            sequence.resume(play)
    stops.go_on(play, instructions)


def _place(state: State) -> tuple[int, str, int]:
    return state.turn, state.phase, len(state.frames)


def _end_phase(play: Play) -> None:
    """The forms have said all: nobody is waited for any more in this Phase. Rules: SEQ-010, STA-039."""
    if play.state.result is None:
        sequence.force(play)


def silent_seats(state: State, action: ac.Adjudicate) -> tuple[str, ...]:
    """The seats that have sent no form of their own."""
    sent = {sheet.seat for sheet in action.sheets if not sheet.missed}
    return tuple(seat for seat in state.players if seat not in sent)


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
            raise Refusal("two_forms", (), f"There are two forms of {sheet.seat}.")
        form, faults = read_form(tables, sheet.text, powers_of(tables, state, sheet.seat))
        if faults:
            raise Refusal("bad_form", (), f"The form of {sheet.seat}: {_first(faults)}", seat=sheet.seat)
        forms[sheet.seat] = form
    return forms


def _first(faults: tuple[Fault, ...]) -> str:
    more = len(faults) - 1
    return f"{faults[0]}" + (f" (and {more} more)" if more else "")
