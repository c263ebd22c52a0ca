"""Structured actions: the same as the notation's, as JSON with a `type`. Names in them may be spelt as freely."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.pax.board.tables import Tables
from paxtui.pax.clauses import upon
from paxtui.pax.orders import actions as ac
from paxtui.pax.orders import treaty_orders
from paxtui.pax.orders.dispatches import Dispatch
from paxtui.pax.orders.war_orders import find_passage
from paxtui.pax.state.pieces import EXPANSION
from paxtui.pax.words.names import find_marker, index, own_home
from paxtui.pax.words.order_words import MOST_UNITS, unit_name


def decode(tables: Tables, raw: object) -> ac.AnyAction:
    """A structured action (builtins with a `type`) with every name in it put right.

    Raises: Refusal `bad_action` with the path of what is wrong, `notation` or `ambiguous` for a name.
    """
    if isinstance(raw, dict) and isinstance(raw.get("clauses"), list):
        raw = {**raw, "clauses": [upon.structured(tables, clause) for clause in raw["clauses"]]}
    try:
        action: ac.AnyAction = msgspec.convert(raw, type=ac.AnyAction)
    except (msgspec.ValidationError, ValueError, TypeError, RecursionError) as error:
        raise Refusal("bad_action", (), f"This is no action: {error}.") from None
    return checked(tables, action)


def decode_dispatch(tables: Tables, raw: object) -> Dispatch:
    """A dispatch (builtins with the `type` "dispatch") with every name in it put right.

    Raises: Refusal `bad_action`, `notation` or `ambiguous`.
    """
    try:
        asked = msgspec.convert(raw, type=_Dispatch)
    except (msgspec.ValidationError, ValueError, TypeError, RecursionError) as error:
        raise Refusal("bad_action", (), f"This is no dispatch: {error}.") from None
    return Dispatch(tuple(index(tables).powers.find(power) for power in asked.to), asked.text, asked.opens)


class _Dispatch(msgspec.Struct, frozen=True, tag_field="type", tag="dispatch", forbid_unknown_fields=True):
    text: str
    to: tuple[str, ...] = ()
    opens: int = 0


def checked(tables: Tables, action: ac.AnyAction) -> ac.AnyAction:
    """`action` with ids in place of names.

    Raises: Refusal `bad_action`, `notation` or `ambiguous`.
    """
    names = index(tables)
    changes: dict[str, Any] = {}
    sails = isinstance(action, ac.Merchant)  # `to` is where to, for others it is to whom
    for field in action.__struct_fields__:
        value = getattr(action, field)
        if field == "area":
            changes[field] = names.areas.find(value)
        elif field == "marker":
            changes[field] = find_marker(tables, value, names.areas.find(getattr(action, "area", "")))
        elif (field in ("power", "box", "coast") and not value) or (field in ("side", "power") and value == EXPANSION):
            continue
        elif field in ("power", "minor", "who", "against", "side") or (field == "to" and not sails):
            changes[field] = names.powers.find(value)
        elif field == "place":
            changes[field] = names.places.find(value)
        elif field in ("on", "guests", "seats"):
            if not value:
                raise Refusal("bad_action", (), "One Power is named at least.")
            known = names.parties if field == "on" else names.powers
            changes[field] = tuple(known.find(p) for p in value)
        elif field == "passage":
            changes[field] = find_passage(tables, value)
        elif field == "also":
            changes[field] = tuple(names.powers.find(p) for p in value)
        elif field in ("box", "coast", "to") or (field == "start" and value != "new"):
            changes[field] = names.zones.find(value)
        elif field == "units":
            if not value or len(value) > MOST_UNITS:
                raise Refusal("bad_action", (), f"From 1 to {MOST_UNITS} units are named at once.")
            changes[field] = tuple(unit_name(tables, u) for u in value)
        elif field == "path":
            if not 2 <= len(value) <= 60:
                raise Refusal("bad_action", (), "A path has two ends at least.")
            changes[field] = own_home(tuple(names.places.find(p) for p in value), getattr(action, "power", ""))
        elif field == "amount" and abs(value) >= 10**9:
            raise Refusal("bad_action", (), "Nobody has that much money.")
    return treaty_orders.put_right(tables, replace(action, **changes))
