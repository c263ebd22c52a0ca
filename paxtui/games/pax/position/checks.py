"""Reads the tables of a patch into structs, and collects what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from typing import Any, TypeVar

import msgspec

from paxtui.games.pax.board.tables import Tables

Row = TypeVar("Row", bound=msgspec.Struct)

_EXPECTED = {
    "int": "a whole number",
    "bool": "true or false",
    "str": "text",
    "array": "a list",
    "object": "a table",
}
"""Names of the types in messages of msgspec."""


class PatchChecker:
    """Collects the problems of a patch, each with its place, and the rules that it breaks."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.problems: list[str] = []
        self.rules: list[str] = []

    def wrong(self, where: str, what: str, *rules: str) -> None:
        """Record a problem."""
        self.problems.append(f"{where}: {what}")
        self.rules.extend(r for r in rules if r not in self.rules)

    def row(self, value: object, where: str, type_: type[Row], **defaults: Any) -> Row | None:
        """Return a table as a struct. An absent or null value takes its default.

        Records each unknown key, and each value of a wrong type, which also takes its default. Returns None if `value`
        is no table, or if a value without a default is absent or wrong.
        """
        if not isinstance(value, Mapping):
            self.wrong(where, "must be a table")
            return None
        keys = type_.__struct_fields__
        required = keys[: len(keys) - len(type_.__struct_defaults__)]
        for key in value:
            if key not in keys:
                self.wrong(where, f"unknown key {key!r} (known: {', '.join(keys)})")
        row = {**defaults, **{key: value[key] for key in keys if value.get(key) is not None}}
        missing = [key for key in required if key not in row]
        if missing:
            self.wrong(where, f"lacks {', '.join(missing)}")
            return None
        try:
            return msgspec.convert(row, type_)
        except msgspec.ValidationError as error:
            message, _, path = str(error).partition("`$.")
            expected = re.search(r"Expected `(\w+)", message)
            what = _EXPECTED.get(expected[1], expected[1]) if expected else "another value"
            self.wrong(f"{where}.{path.rstrip('`')}".removeprefix("position."), f"must be {what}")
            del row[key := re.split(r"\W", path)[0]]
            return None if key in required else self.row(row, where, type_)

    def rows(self, listed: Iterable[object], where: str, type_: type[Row], **defaults: Any) -> list[tuple[str, Row]]:
        """Return the tables of a list as structs, each with its place."""
        found = ((at := f"{where}[{i}]", self.row(value, at, type_, **defaults)) for i, value in enumerate(listed))
        return [(at, row) for at, row in found if row is not None]

    def whole(self, value: object, where: str, low: int, high: int | None = None, default: int = 0) -> int:
        """Return a number if it is between `low` and `high`; otherwise record a problem and return `default`."""
        if isinstance(value, bool) or not isinstance(value, int):
            self.wrong(where, "must be a whole number")
            return default
        if value < low or (high is not None and value > high):
            bounds = f"{low} or more" if high is None else f"from {low} to {high}"
            self.wrong(where, f"{value} must be {bounds}")
            return default
        return value

    def name(self, value: object, where: str, known: Container[str], what: str) -> str:
        """Return `value` if it is a known id; otherwise record a problem and return ""."""
        if not isinstance(value, str) or value not in known:
            self.wrong(where, f"unknown {what}: {value!r}")
            return ""
        return value

    def names(self, values: Iterable[str], where: str, known: Container[str], what: str) -> tuple[str, ...]:
        """Return the known ids in a list, and record the others."""
        return tuple(name for value in values if (name := self.name(value, where, known, what)))
