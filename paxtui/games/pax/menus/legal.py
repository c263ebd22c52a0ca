"""Legal actions of a seat, for screens, completion, bots and tests.

This module contains no rules: candidates come from the predicates of `decide`, and rare ones are tried.
"""

from __future__ import annotations

from collections.abc import Iterator

from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.notation import format_order
from paxtui.games.pax.board.status import powers_of, seat_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.menus import treaties, war
from paxtui.games.pax.menus.menu import GiftRange, Menu, OrderFinder, UnitMoves, unit_moves
from paxtui.games.pax.position.view import check_seat
from paxtui.games.pax.preview.dry_run import possible_answers, try_action
from paxtui.games.pax.sequence import OPEN
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.questions import Combine, FightOrDecline, Offer
from paxtui.games.pax.transaction import default_answer


def legal_actions(tables: Tables, state: State, seat: str) -> Menu:
    """Return all actions open to `seat`. Raises: Refusal `unknown_seat`."""
    check_seat(state, seat)
    if state.result is not None or seat == SPECTATOR:
        return Menu(seat)
    if seat == ARBITER:
        return Menu(seat, ("advance", "advance!", "step"))
    orders = list(_answers(tables, state, seat))
    moves: list[UnitMoves] = []
    pays: list[GiftRange] = []
    if state.phase in OPEN:
        for power in powers_of(tables, state, seat):
            find = OrderFinder(tables, state, seat, power)
            pays.extend(find.gifts())
            if state.phase == "movement":
                orders.extend(find.movement())
                moves.extend(unit_moves(tables, state, power))
            else:
                orders.extend(find.negotiation())
        orders.extend(_flags(tables, state, seat))
        orders.extend(format_order(tables, draft) for draft in treaties.treaty_templates(tables, state, seat))
    orders.extend(format_order(tables, draft) for draft in treaties.peace_offers(tables, state, seat))
    orders.extend(format_order(tables, action) for action in treaties.agreement_actions(tables, state, seat))
    orders.extend(format_order(tables, action) for action in treaties.congress_calls(tables, state, seat))
    orders.extend(format_order(tables, action) for action in war.war_orders(tables, state, seat))
    moves.extend(war.war_moves(tables, state, seat))
    return Menu(seat, tuple(dict.fromkeys(orders)), tuple(moves), tuple(pays))


# --- answers and flags ----------------------------------------------------------------------------------------------


def _answers(tables: Tables, state: State, seat: str) -> Iterator[str]:
    """Answers to the seat's choices, the default of each first, and simple orders for fights."""
    for choice in state.choices:
        if choice.seat != seat:
            continue
        for answer in possible_answers(choice):
            action = actions.Choose(choice.id, answer)
            # after an undo an offer can be pending in a Phase that does not allow its answer
            sure = answer == default_answer(choice) and not isinstance(choice.about, Offer)
            if sure or not isinstance(try_action(tables, state, seat, action), Refusal):
                yield format_order(tables, action)
        if isinstance(choice.about, FightOrDecline | Combine):
            for option in (f"fight {choice.area}", f"decline {choice.area}"):
                yield option if choice.power == seat else f"{choice.power}: {option}"


def _flags(tables: Tables, state: State, seat: str) -> Iterator[str]:
    """Ready or unready, whichever is possible, and Casus Belli to waive."""
    if state.phase == "negotiation":
        for cause in state.casus_belli:
            if seat_of(tables, state, cause.holder) == seat:
                if not isinstance(try_action(tables, state, seat, actions.Waive(cause.id)), Refusal):
                    yield f"waive {cause.id}"
    flag = actions.Unready() if seat in state.ready else actions.Ready()
    if isinstance(flag, actions.Unready) or not isinstance(try_action(tables, state, seat, flag), Refusal):
        yield format_order(tables, flag)
