"""Orders as they are typed, made from a form of each action, and read by it.

A form is a line of words and fields: `move {fleet} to {path} [with {cargo}]`. A field that is a text or a number is one
word; a tuple is a list with commas between (`a,b,c`); a dict is one of `name=number`. What stands in brackets may be
left out, and its fields then have their defaults.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, get_origin, get_type_hints

import msgspec

from paxtui.empires.orders.action import Action
from paxtui.empires.orders.actions import FORMS
from paxtui.engine.refusal import Refusal

_PIECE = re.compile(r"\{(\w+)\}|([^\s{}\[\]]+)|([\[\]])")


@cache
def _pattern(kind: type[Action]) -> re.Pattern[str]:
    """What the words of an action look like."""
    parts: list[str] = []
    for field, word, bracket in _PIECE.findall(FORMS[kind]):
        if field:
            parts.append(rf"\s+(?P<{field}>\S+)")
        elif word:
            parts.append(rf"\s+{re.escape(word)}")
        else:
            parts.append("(?:" if bracket == "[" else ")?")
    return re.compile("".join(parts) + r"\s*", re.IGNORECASE)


def parse(text: str) -> Action:
    """The action that is typed. Raises: Refusal `bad_order`."""
    words = " " + " ".join(text.lower().split())
    for kind in FORMS:
        found = _pattern(kind).fullmatch(words)
        if found:
            return _made(kind, {name: value for name, value in found.groupdict().items() if value is not None}, text)
    first = words.split()[:1]
    near = [form for form in FORMS.values() if form.split()[:1] == first]
    forms = near or sorted({form.split()[0] for form in FORMS.values()})
    raise Refusal("bad_order", (), f"'{text.strip()}' is no order; try: {'; '.join(forms)}.", forms=forms)


def _made(kind: type[Action], given: dict[str, str], text: str) -> Action:
    """An action from the words of its fields. Raises: Refusal `bad_order`."""
    hints = get_type_hints(kind)
    try:
        fields = {name: _value(hints[name], word) for name, word in given.items()}
        action: Action = msgspec.convert(fields | {"type": kind.__struct_config__.tag}, type=kind)
    except (ValueError, msgspec.ValidationError) as error:
        raise Refusal("bad_order", (), f"'{text.strip()}' is no order: {error}; say: {FORMS[kind]}.") from None
    return action


def _value(hint: Any, word: str) -> Any:
    """What a word means as the value of a field. Raises: ValueError."""
    if hint is int:
        return int(word)
    if get_origin(hint) is tuple:
        return tuple(part for part in word.split(",") if part)
    if get_origin(hint) is dict:
        pairs = (part.partition("=") for part in word.split(",") if part)
        return {name: int(number) for name, _, number in pairs}
    return word


def text_of(action: Action) -> str:
    """An action as it is typed."""
    fields: dict[str, Any] = {name: getattr(action, name) for name in action.__struct_fields__}
    default = dict(
        zip(action.__struct_fields__[::-1], action.__struct_defaults__[::-1], strict=False)
    )

    def written(text: str) -> str:
        return re.sub(r"\{(\w+)\}", lambda found: _word(fields[found[1]]), text)

    def optional(found: re.Match[str]) -> str:
        names = re.findall(r"\{(\w+)\}", found[1])
        return written(found[1]) if any(fields[name] != default.get(name) for name in names) else ""

    return " ".join(written(re.sub(r"\[([^\]]*)\]", optional, FORMS[type(action)])).split())


def _word(value: Any) -> str:
    """A value as one word."""
    if isinstance(value, tuple):
        return ",".join(value)
    if isinstance(value, dict):
        return ",".join(f"{name}={number}" for name, number in value.items())
    return str(value)
