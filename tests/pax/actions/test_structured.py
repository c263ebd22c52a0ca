"""Structured actions: names may be spelled as freely there as in the notation."""

from __future__ import annotations

from typing import Any, get_args, get_type_hints

import msgspec
import pytest

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.forms import field_kinds
from paxtui.games.pax.actions.structured import decode_action
from tests.rules.harness import tables

T = tables()

FREE_TEXTS = {"name", "form", "instead", "parties", "clauses", "patch"}
"""Texts of drafts, which `normalize_draft` normalizes, and patches."""


@pytest.mark.parametrize("kind", get_args(actions.AnyAction), ids=lambda kind: kind.__name__)
def test_each_text_field_of_an_action_has_a_kind(kind: type[actions.Action]) -> None:
    hints = get_type_hints(kind, include_extras=True)
    for field in kind.__struct_fields__:
        assert field in field_kinds(kind) or field in FREE_TEXTS or "str" not in str(hints[field]), field


@pytest.mark.parametrize(
    ("raw", "action"),
    [
        ({"type": "place", "marker": "Prot", "area": "EGY", "power": "Great B"}, ("protectorate", "egypt", "britain")),
        ({"type": "call_congress", "site": "France"}, ("france", (), "")),
        (
            {"type": "move", "units": ["n3"], "path": ["Egypt", "home"], "start_coast": "Med", "power": "France"},
            (("N3",), ("egypt", "home:france"), "", "france", "mediterranean"),
        ),
        ({"type": "merchant", "start": "new", "to": "Caribbean"}, ("new", "caribbean", "")),
        ({"type": "merchant", "start": "Carib", "to": "Med"}, ("caribbean", "mediterranean", "")),
        ({"type": "declare_war", "on": ["Germany", "Ottoman"]}, (("germany", "ottoman_empire"), (), "", "")),
        ({"type": "join_war", "side": "Ottoman Empire"}, ("ottoman_empire", "")),
        ({"type": "codominion", "area": "Tunis", "also": ["Italy"]}, ("tunis", ("italy",), "")),
        ({"type": "codominion", "area": "Tunis", "also": []}, ("tunis", (), "")),
        ({"type": "deny", "passage": "Suez", "to": "France"}, ("suez", "france", "")),
    ],
)
def test_structured_names_become_ids(raw: dict[str, Any], action: tuple[object, ...]) -> None:
    assert msgspec.structs.astuple(decode_action(T, raw)) == action


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ({"type": "declare_war", "on": []}, "Name at least one Power"),
        ({"type": "build", "units": []}, "units can be named at once"),
        ({"type": "move", "units": ["A1"], "path": ["egypt"]}, "a start and an end"),
        ({"type": "pay", "to": "france", "amount": 10**9}, "that much money"),
        ({"type": "transfer", "area": "tunis", "to": ""}, "a Power"),
        ({"type": "call_congress", "site": "Nowhere"}, "Nowhere"),
    ],
)
def test_structured_action_without_a_name_is_refused(raw: dict[str, Any], message: str) -> None:
    with pytest.raises(Refusal, match=message):
        decode_action(T, raw)


@pytest.mark.parametrize(
    ("action", "raw"),
    [
        (actions.Build(("A1",)), {"type": "build", "units": ("A1",)}),
        (actions.Ready(), {"type": "ready"}),
        (actions.Advance(force=True), {"type": "advance", "force": True}),
        (actions.Place("interest", "tunis", "austria_hungary"),
         {"type": "place", "marker": "interest", "area": "tunis", "power": "austria_hungary"}),
    ],
)  # fmt: skip
def test_default_fields_are_not_encoded(action: actions.Action, raw: dict[str, Any]) -> None:
    assert msgspec.to_builtins(action) == raw
