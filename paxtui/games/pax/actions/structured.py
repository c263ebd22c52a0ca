"""Structured actions: JSON objects with a `type`, in which names may be spelt as freely as in the notation."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

import msgspec
from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions, treaty_notation
from paxtui.games.pax.actions.actions import FieldKind
from paxtui.games.pax.actions.dispatches import Dispatch
from paxtui.games.pax.actions.notation import find_passage
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.clauses import registry
from paxtui.games.pax.text.parsing import MAX_UNITS, expand_home, find_marker, name_index, unit_name

MAX_PATH_LENGTH = 60
"""Maximum number of places in a path."""


def decode_action(tables: Tables, raw: object) -> actions.AnyAction:
    """Return a structured action (builtins with a `type`) with all names normalized.

    Raises:
        Refusal: `bad_action` with the path of the error; `notation` or `ambiguous` for a name.
    """
    if isinstance(raw, dict) and isinstance(raw.get("clauses"), list):
        raw = {**raw, "clauses": [registry.with_structured_condition(tables, clause) for clause in raw["clauses"]]}
    try:
        action: actions.AnyAction = msgspec.convert(raw, type=actions.AnyAction)
    except (msgspec.ValidationError, ValueError, TypeError, RecursionError) as error:
        raise Refusal("bad_action", (), f"This is no action: {error}.") from None
    return normalize_names(tables, action)


def decode_dispatch(tables: Tables, raw: object) -> Dispatch:
    """Return a dispatch (builtins with the `type` "dispatch") with all names normalized.

    Raises:
        Refusal: `bad_action`, `notation` or `ambiguous`.
    """
    try:
        asked = msgspec.convert(raw, type=_Dispatch)
    except (msgspec.ValidationError, ValueError, TypeError, RecursionError) as error:
        raise Refusal("bad_action", (), f"This is no dispatch: {error}.") from None
    return Dispatch(tuple(name_index(tables).powers.find(power) for power in asked.to), asked.text, asked.opens)


class _Dispatch(msgspec.Struct, frozen=True, tag_field="type", tag="dispatch", forbid_unknown_fields=True):
    text: str
    to: tuple[str, ...] = ()
    opens: int = 0


def normalize_names(tables: Tables, action: actions.AnyAction) -> actions.AnyAction:
    """Return `action` with ids in place of names; the type of a field says what it names.

    Raises:
        Refusal: `bad_action`, `notation` or `ambiguous`.
    """
    changes: dict[str, Any] = {}
    for field in _fields(type(action)):
        value = getattr(action, field.name)
        if value == field.default:
            continue
        if not field.each:
            changes[field.name] = FIELD_FINDERS[field.named](tables, action, value)
        elif value:
            changes[field.name] = tuple(FIELD_FINDERS[field.named](tables, action, one) for one in value)
        else:
            raise Refusal("bad_action", (), "One Power is named at least.")
    return treaty_notation.normalize_agreement(tables, replace(action, **changes))


class _Field(NamedTuple):
    """A field that names objects. `each`: it holds several; `default`: its value if it is missing."""

    name: str
    named: FieldKind
    each: bool
    default: object


@cache
def _fields(kind: type[actions.Action]) -> tuple[_Field, ...]:
    hints = get_type_hints(kind, include_extras=True)
    found = []
    for field in msgspec.structs.fields(kind):
        hint = hints[field.name]
        each = get_origin(hint) is tuple
        for named in getattr(get_args(hint)[0] if each else hint, "__metadata__", ()):
            found.append(_Field(field.name, named, each, field.default))
    return tuple(found)


def _marker(tables: Tables, action: actions.Action, value: str) -> str:
    return find_marker(tables, value, name_index(tables).areas.find(getattr(action, "area", "")))


def _start(tables: Tables, action: actions.Action, value: str) -> str:
    return value if value == "new" else name_index(tables).zones.find(value)


def _units(tables: Tables, action: actions.Action, value: tuple[str, ...]) -> tuple[str, ...]:
    if not value or len(value) > MAX_UNITS:
        raise Refusal("bad_action", (), f"From 1 to {MAX_UNITS} units are named at once.")
    return tuple(unit_name(tables, unit) for unit in value)


def _path(tables: Tables, action: actions.Action, value: tuple[str, ...]) -> tuple[str, ...]:
    if not 2 <= len(value) <= MAX_PATH_LENGTH:
        raise Refusal("bad_action", (), "A path has two ends at least.")
    names, power = name_index(tables), getattr(action, "power", "")
    return expand_home(tuple(names.places.find(place) for place in value), power and names.parties.find(power))


def _pounds(tables: Tables, action: actions.Action, value: int) -> int:
    if abs(value) >= 10**9:
        raise Refusal("bad_action", (), "Nobody has that much money.")
    return value


FIELD_FINDERS: dict[FieldKind, Callable[[Tables, actions.Action, Any], Any]] = {
    FieldKind.AREA: lambda tables, action, value: name_index(tables).areas.find(value),
    FieldKind.MARKER: _marker,
    FieldKind.PARTY: lambda tables, action, value: name_index(tables).parties.find(value),
    FieldKind.PASSAGE: lambda tables, action, value: find_passage(tables, value),
    FieldKind.PATH: _path,
    FieldKind.PLACE: lambda tables, action, value: name_index(tables).places.find(value),
    FieldKind.POUNDS: _pounds,
    FieldKind.POWER: lambda tables, action, value: name_index(tables).powers.find(value),
    FieldKind.START: _start,
    FieldKind.UNITS: _units,
    FieldKind.ZONE: lambda tables, action, value: name_index(tables).zones.find(value),
}
"""Functions that normalize a field, by what it names; each raises a Refusal `bad_action`, `notation` or
`ambiguous`.

They receive the whole action, because some fields depend on another one.
"""
