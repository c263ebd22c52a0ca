"""Structured actions: the same as the notation's, as JSON with a `type`. Names in them may be spelt as freely."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

import msgspec
from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.pax.board.tables import Tables
from paxtui.pax.clauses import upon
from paxtui.pax.orders import actions as ac
from paxtui.pax.orders import treaty_orders
from paxtui.pax.orders.action import Named
from paxtui.pax.orders.dispatches import Dispatch
from paxtui.pax.orders.war_orders import find_passage
from paxtui.pax.words.names import find_marker, index, own_home
from paxtui.pax.words.order_words import MOST_UNITS, unit_name

LONGEST_PATH = 60
"""Places of the longest path that is understood."""


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
    """`action` with ids in place of names: what a field names is said by its type.

    Raises: Refusal `bad_action`, `notation` or `ambiguous`.
    """
    changes: dict[str, Any] = {}
    for field in _fields(type(action)):
        value = getattr(action, field.name)
        if value == field.default:
            continue
        if not field.each:
            changes[field.name] = FINDERS[field.named](tables, action, value)
        elif value:
            changes[field.name] = tuple(FINDERS[field.named](tables, action, one) for one in value)
        else:
            raise Refusal("bad_action", (), "One Power is named at least.")
    return treaty_orders.put_right(tables, replace(action, **changes))


class _Field(NamedTuple):
    """A field that names something. `each`: every one of several; `default`: what it is when it is left out."""

    name: str
    named: Named
    each: bool
    default: object


@cache
def _fields(kind: type[ac.Action]) -> tuple[_Field, ...]:
    """The fields of a kind of action that name something."""
    hints = get_type_hints(kind, include_extras=True)
    found = []
    for field in msgspec.structs.fields(kind):
        hint = hints[field.name]
        each = get_origin(hint) is tuple
        for named in getattr(get_args(hint)[0] if each else hint, "__metadata__", ()):
            found.append(_Field(field.name, named, each, field.default))
    return tuple(found)


def _marker(tables: Tables, action: ac.Action, value: str) -> str:
    return find_marker(tables, value, index(tables).areas.find(getattr(action, "area", "")))


def _start(tables: Tables, action: ac.Action, value: str) -> str:
    return value if value == "new" else index(tables).zones.find(value)


def _units(tables: Tables, action: ac.Action, value: tuple[str, ...]) -> tuple[str, ...]:
    if not value or len(value) > MOST_UNITS:
        raise Refusal("bad_action", (), f"From 1 to {MOST_UNITS} units are named at once.")
    return tuple(unit_name(tables, unit) for unit in value)


def _path(tables: Tables, action: ac.Action, value: tuple[str, ...]) -> tuple[str, ...]:
    if not 2 <= len(value) <= LONGEST_PATH:
        raise Refusal("bad_action", (), "A path has two ends at least.")
    names, power = index(tables), getattr(action, "power", "")
    return own_home(tuple(names.places.find(place) for place in value), power and names.parties.find(power))


def _pounds(tables: Tables, action: ac.Action, value: int) -> int:
    if abs(value) >= 10**9:
        raise Refusal("bad_action", (), "Nobody has that much money.")
    return value


FINDERS: dict[Named, Callable[[Tables, ac.Action, Any], Any]] = {
    Named.AREA: lambda tables, action, value: index(tables).areas.find(value),
    Named.MARKER: _marker,
    Named.PARTY: lambda tables, action, value: index(tables).parties.find(value),
    Named.PASSAGE: lambda tables, action, value: find_passage(tables, value),
    Named.PATH: _path,
    Named.PLACE: lambda tables, action, value: index(tables).places.find(value),
    Named.POUNDS: _pounds,
    Named.POWER: lambda tables, action, value: index(tables).powers.find(value),
    Named.START: _start,
    Named.UNITS: _units,
    Named.ZONE: lambda tables, action, value: index(tables).zones.find(value),
}
"""What a field of an action comes to, by what it names; each raises a Refusal `bad_action`, `notation` or `ambiguous`.

They get the whole action, for some things depend on another field of it.
"""
