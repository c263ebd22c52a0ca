"""The text form of a position as TOML: what a FEN is to chess. Written by hand, dumped, read again.

Areas, homes, Sea Zones and Powers are tables; markers and units are one inline table a line.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from typing import Any

from paxtui.pax.play.play import refuse

MOST_DOTS = 500
"""Dots in a line of a position: each may be a table in a table, which takes more and more time to read."""

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def read_toml(text: str) -> dict[str, Any]:
    """The patch that a text holds.

    Raises: Refusal `bad_position_text`, with the line and what is wrong with it.
    """
    deep = next((n for n, line in enumerate(text.split("\n"), start=1) if line.count(".") > MOST_DOTS), 0)
    if deep:
        refuse("bad_position_text", (), f"The position is no TOML of ours: more than {MOST_DOTS} dots in line {deep}.")
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        refuse("bad_position_text", (), f"The position is no TOML: {error}.")


def write_toml(patch: Mapping[str, Any]) -> str:
    """A patch as TOML: plain values first, then a table for every part."""
    lines = [f"{_key(key)} = {toml_value(value)}" for key, value in patch.items() if not isinstance(value, Mapping)]
    for key, value in patch.items():
        if not isinstance(value, Mapping):
            continue
        if value and all(isinstance(inner, Mapping) for inner in value.values()):
            for name, inner in value.items():
                lines += ["", f"[{_key(key)}.{_key(name)}]"] + [f"{k} = {toml_value(v)}" for k, v in inner.items()]
        elif value:
            lines += ["", f"[{_key(key)}]"] + [f"{_key(k)} = {toml_value(v)}" for k, v in value.items()]
    return "\n".join(lines) + "\n"


def _key(key: str) -> str:
    """A bare key, or a quoted one where it holds other signs than those of ids."""
    return key if _BARE.fullmatch(key) else _text(key)


def _text(text: str) -> str:
    """A text in quotes; what is no sign of a text is told by its number."""
    return '"' + "".join(_sign(c) for c in text) + '"'


def _sign(c: str) -> str:
    if c in ('"', "\\"):
        return "\\" + c
    if unicodedata.category(c) in ("Cc", "Cf", "Cn", "Co", "Zl", "Zp"):
        return f"\\u{ord(c):04x}" if ord(c) < 0x10000 else f"\\U{ord(c):08x}"
    return c


def toml_value(value: object) -> str:
    """A value in TOML; lists of tables take a line for each."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(k)} = {toml_value(v)}" for k, v in value.items()) + " }"
    if isinstance(value, list | tuple):
        if any(isinstance(item, Mapping) for item in value):
            return "[\n" + "".join(f"    {toml_value(item)},\n" for item in value) + "]"
        return "[" + ", ".join(toml_value(item) for item in value) + "]"
    return _text(str(value))
