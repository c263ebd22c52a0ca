"""Structured actions: JSON objects with a `type`, in which names may be spelt as freely as in the notation."""

from __future__ import annotations

from typing import TypeVar

import msgspec
from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.dispatches import Dispatch
from paxtui.games.pax.actions.forms import field_defaults, field_kinds
from paxtui.games.pax.actions.treaty_notation import normalize_draft
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.clauses import registry
from paxtui.games.pax.text.parsing import name_index

AnyStruct = TypeVar("AnyStruct", bound=actions.Action)


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
        raise Refusal("bad_action", (), f"This is not an action: {error}.") from None
    return normalize_names(tables, action)


def decode_dispatch(tables: Tables, raw: object) -> Dispatch:
    """Return a dispatch (builtins with the `type` "dispatch") with all names normalized.

    Raises:
        Refusal: `bad_action`, `notation` or `ambiguous`.
    """
    try:
        asked = msgspec.convert(raw, type=_Dispatch)
    except (msgspec.ValidationError, ValueError, TypeError, RecursionError) as error:
        raise Refusal("bad_action", (), f"This is not a dispatch: {error}.") from None
    return Dispatch(tuple(name_index(tables).powers.find(power) for power in asked.to), asked.text, asked.opens)


class _Dispatch(msgspec.Struct, frozen=True, tag_field="type", tag="dispatch", forbid_unknown_fields=True):
    text: str
    to: tuple[str, ...] = ()
    opens: int = 0


def normalize_names(tables: Tables, action: AnyStruct) -> AnyStruct:
    """Return `action` with ids in place of names; the kind of a field says what it names.

    Raises:
        Refusal: `bad_action`, `notation` or `ambiguous`.
    """
    default = field_defaults(type(action))
    given = ((name, kind, getattr(action, name)) for name, kind in field_kinds(type(action)).items())
    found = {name: kind.find(tables, action, value) for name, kind, value in given if value != default[name]}
    action = replace(action, **found)
    return normalize_draft(tables, action) if isinstance(action, actions.Draft) else action
