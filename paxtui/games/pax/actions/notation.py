"""The notation: `parse_order` reads the text of an action, `format_order` writes it.

Command line, log, protocol, menus and tests use it. For any text, `parse_order` returns an action or raises a
`Refusal` that names the word at fault, what was expected, and the nearest known name.
"""

from __future__ import annotations

from difflib import get_close_matches

import msgspec
from msgspec.structs import replace

from paxtui.engine.game import Redo, Undo
from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions, forms, treaty_notation
from paxtui.games.pax.actions.dispatches import Dispatch
from paxtui.games.pax.actions.forms import form_of
from paxtui.games.pax.board.tables import HOME, Tables
from paxtui.games.pax.state.pieces import OTTOMAN_EMPIRE
from paxtui.games.pax.text.display import join_with_or
from paxtui.games.pax.text.parsing import (
    HOME_WORD,
    WordReader,
    expand_home,
    fold_name,
    name_index,
    shorten,
    unknown_name,
)

# Dispatches stand last, whichever of the two modules is imported first.
ORDERS = dict(sorted(forms.ORDERS.items(), key=lambda item: item[1].kind is Dispatch))
"""All orders by verb."""

MAX_ORDER_LENGTH = 2000
"""Maximum length of an order, in characters."""

FREE_TEXT_VERBS = tuple(verb for verb, form in ORDERS.items() if form.is_long)
"""Verbs of orders that may be longer."""

Order = actions.AnyAction | Undo | Redo | Dispatch

PowerAction = (
    actions.Move
    | actions.Merchant
    | actions.Garrison
    | actions.Place
    | actions.Upgrade
    | actions.Downgrade
    | actions.Withdraw
    | actions.Build
    | actions.Canal
    | actions.Transfer
    | actions.Pay
    | actions.Codominion
    | actions.Defend
    | actions.CallCongress
    | actions.DeclareWar
    | actions.Draft
    | actions.Sign
    | actions.Reject
    | actions.Reveal
    | actions.Renounce
    | actions.Volunteer
)
"""Orders of a Power that the rules, or a bot, propose."""


def _unknown_verb(word: str, position: int) -> Refusal:
    written = word.casefold()[:20]
    near = get_close_matches(written, ORDERS, n=3, cutoff=0.65) or get_close_matches(written, ORDERS, n=1, cutoff=0.5)
    hint = f" Did you mean {join_with_or(near)}?" if near else ""
    message = f"There is no order '{shorten(word)}'.{hint}"
    return Refusal("notation", (), message, position=position, expected="an order", near=near[0] if near else "")


def parse_order(tables: Tables, text: str) -> Order:
    """Return the action that `text` asks for.

    `home` in a path stays unchanged, unless a Power precedes the order; `decide` knows the acting Power.

    Raises:
        Refusal: `notation` or `ambiguous`, with `position`: the number of the word at fault, from 1.
    """
    text = text.strip()
    first = 1
    prefix = ""
    head, colon, tail = text.partition(":")
    before = head.split()
    if colon and (not before or before[0].casefold() not in ORDERS):
        # an ally of the Ottoman Empire gives the orders of its Armies
        prefix = (
            OTTOMAN_EMPIRE if fold_name(head) == fold_name(OTTOMAN_EMPIRE) else name_index(tables).powers.find(head, 1)
        )
        text, first = tail.strip(), len(before) + 1
    words = text.split(None, 1)
    if not words:
        raise unknown_name("", "an order, such as 'ready',", word=first)
    verb = words[0].casefold()
    if verb.partition(":")[0] in ("proclaim", *treaty_notation.DRAFTING) and ":" in verb:
        verb = verb.partition(":")[0]
        words = [verb, text[len(verb) :]]
    if len(text) > MAX_ORDER_LENGTH and verb not in FREE_TEXT_VERBS:
        raise Refusal("notation", (), f"An order has {MAX_ORDER_LENGTH} characters at most.", position=first)
    form = ORDERS.get(verb)
    if form is None:
        raise _unknown_verb(words[0], first)
    order: Order = form.parse(WordReader(tables, words[1] if len(words) > 1 else "", first + 1))
    if prefix:
        if not hasattr(order, "power"):
            raise Refusal(
                "notation", (), f"'{verb}' is an order of the seat. Write it without a Power in front.", position=1
            )
        order = replace(order, power=prefix)
    if isinstance(order, actions.Move):
        order = replace(order, path=expand_home(order.path, order.power))
    return order


def format_order(tables: Tables, action: msgspec.Struct) -> str:
    """Return the text of an action, in ids; `parse_order` of it returns the same action."""
    power = getattr(action, "power", "")
    text = form_of(action).format(tables, action)
    return f"{power}: {text}" if power else text


def format_for_seat(tables: Tables, action: PowerAction, seat: str) -> str:
    """Return the text of an order as the seat types it: without the name of its own Power."""
    power = action.power or seat
    if isinstance(action, actions.Move):
        path = tuple(HOME_WORD if place == HOME + power else place for place in action.path)
        action = replace(action, path=path)
    return format_order(tables, replace(action, power="" if power == seat else power))
