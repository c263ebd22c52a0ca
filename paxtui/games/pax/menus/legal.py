"""Legal actions of a seat, for screens, completion, bots, protocol and tests.

This module contains no rules: the candidates are tried, most of them with the functions of their rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.status import powers_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.menus import treaties, war
from paxtui.games.pax.menus.candidates import Candidates, answers, unit_moves, waivers
from paxtui.games.pax.menus.menu import Menu
from paxtui.games.pax.position.view import check_seat
from paxtui.games.pax.preview.dry_run import run_trial
from paxtui.games.pax.sequence import OPEN
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.questions import Offer
from paxtui.games.pax.transaction import default_answer


def legal_actions(tables: Tables, state: State, seat: str) -> Menu:
    """Return all actions open to `seat`.

    Raises:
        Refusal: `unknown_seat`.
    """
    check_seat(state, seat)
    if state.result is not None or seat == SPECTATOR:
        return Menu(tables, seat)
    if seat == ARBITER:
        return Menu(tables, seat, (actions.Advance(), actions.Advance(force=True), actions.Step()))
    powers = powers_of(tables, state, seat) if state.phase in OPEN else ()
    peaceful = [Candidates(tables, state, seat, power) for power in powers]
    found = chain(
        _legal_answers(tables, state, seat),
        (action for candidates in peaceful for action in candidates if candidates.is_legal(action)),
        _waivers_and_ready(tables, state, seat) if state.phase in OPEN else (),
        treaties.treaty_templates(tables, state, seat) if state.phase in OPEN else (),
        treaties.peace_offers(tables, state, seat),
        treaties.agreement_actions(tables, state, seat),
        treaties.congress_calls(tables, state, seat),
        war.war_orders(tables, state, seat),
    )
    moves = [move for power in powers if state.phase == "movement" for move in unit_moves(tables, state, power)]
    moves += war.war_moves(tables, state, seat)
    pays = tuple(gift for candidates in peaceful for gift in candidates.gifts())
    return Menu(tables, seat, tuple(dict.fromkeys(found)), tuple(moves), pays)


def _legal_answers(tables: Tables, state: State, seat: str) -> Iterator[actions.Action]:
    """The legal answers to the choices of a seat, the default of each first, and simple orders for fights."""
    for choice, action in answers(state, seat):
        # after an undo an offer can be pending in a Phase that does not allow its answer
        is_sure = not isinstance(action, actions.Choose) or (
            action.answer == default_answer(choice) and not isinstance(choice.about, Offer)
        )
        if is_sure or not isinstance(run_trial(tables, state, seat, action), Refusal):
            yield action


def _waivers_and_ready(tables: Tables, state: State, seat: str) -> Iterator[actions.Action]:
    """Casus Belli to waive, and ready or unready, whichever is legal."""
    if state.phase == "negotiation":
        for waiver in waivers(tables, state, seat):
            if not isinstance(run_trial(tables, state, seat, waiver), Refusal):
                yield waiver
    if seat in state.ready:
        yield actions.Unready()
    elif not isinstance(run_trial(tables, state, seat, actions.Ready()), Refusal):
        yield actions.Ready()
