"""What a seat may do now: the menu for the screen, the completion, the bots and the tests.

`decide` alone judges an act. Nothing here knows a rule: candidates come from the same predicates that `decide`
asks, and what is rare is simply tried with the rules' own functions on a position thrown away afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator

from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.pax.board.status import powers_of, seat_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.menus import treaty_menu, war_menu
from paxtui.pax.menus.menu import Menu, Moves, Pays
from paxtui.pax.menus.menu_moves import moves_of
from paxtui.pax.menus.order_menu import Orders
from paxtui.pax.menus.trial import possible_answers, try_action
from paxtui.pax.orders import actions as ac
from paxtui.pax.orders.notation import text_of
from paxtui.pax.play.choices import default_of
from paxtui.pax.position.view import check_seat
from paxtui.pax.sequence import OPEN
from paxtui.pax.state.model import State
from paxtui.pax.state.questions import Combine, FightOrDecline, Offer


def legal(tables: Tables, state: State, seat: str) -> Menu:
    """Every action open to `seat` now.

    Raises: Refusal `unknown_seat`.
    """
    check_seat(state, seat)
    if state.result is not None or seat == SPECTATOR:
        return Menu(seat)
    if seat == ARBITER:
        return Menu(seat, ("advance", "advance!", "step"))
    orders = list(_answers(tables, state, seat))
    moves: list[Moves] = []
    pays: list[Pays] = []
    if state.phase in OPEN:
        for power in powers_of(tables, state, seat):
            find = Orders(tables, state, seat, power)
            pays.extend(find.gifts())
            if state.phase == "movement":
                orders.extend(find.movement())
                moves.extend(moves_of(tables, state, power))
            else:
                orders.extend(find.negotiation())
        orders.extend(_flags(tables, state, seat))
        orders.extend(text_of(tables, draft) for draft in treaty_menu.templates(tables, state, seat))
    orders.extend(text_of(tables, draft) for draft in treaty_menu.peace_offers(tables, state, seat))
    orders.extend(text_of(tables, action) for action in treaty_menu.open_actions(tables, state, seat))
    orders.extend(text_of(tables, action) for action in treaty_menu.congress_calls(tables, state, seat))
    orders.extend(text_of(tables, action) for action in war_menu.orders(tables, state, seat))
    moves.extend(war_menu.moves(tables, state, seat))
    return Menu(seat, tuple(dict.fromkeys(orders)), tuple(moves), tuple(pays))


# --- answers and flags ----------------------------------------------------------------------------------------------


def _answers(tables: Tables, state: State, seat: str) -> Iterator[str]:
    """Answers to the seat's choices, the default of each first; the fights' plain orders too."""
    for choice in state.choices:
        if choice.seat != seat:
            continue
        for answer in possible_answers(choice):
            action = ac.Choose(choice.id, answer)
            # an offer may have come over an undo into a Phase in which it cannot be answered
            sure = answer == default_of(choice) and not isinstance(choice.about, Offer)
            if sure or not isinstance(try_action(tables, state, seat, action), Refusal):
                yield text_of(tables, action)
        if isinstance(choice.about, FightOrDecline | Combine):
            for option in (f"fight {choice.area}", f"decline {choice.area}"):
                yield option if choice.power == seat else f"{choice.power}: {option}"


def _flags(tables: Tables, state: State, seat: str) -> Iterator[str]:
    """Ready or unready, whichever is possible, and Casus Belli to waive."""
    if state.phase == "negotiation":
        for cause in state.casus_belli:
            if seat_of(tables, state, cause.holder) == seat:
                if not isinstance(try_action(tables, state, seat, ac.Waive(cause.id)), Refusal):
                    yield f"waive {cause.id}"
    flag = ac.Unready() if seat in state.ready else ac.Ready()
    if isinstance(flag, ac.Unready) or not isinstance(try_action(tables, state, seat, flag), Refusal):
        yield text_of(tables, flag)
