"""The text form of a position as TOML: what a FEN is to chess. Written by hand, dumped, read again.

Areas, homes, Sea Zones and Powers are tables; markers and units are one inline table a line.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any

from paxtui.engine.toml_text import toml_key, toml_value
from paxtui.pax.play.play import refuse

MOST_DOTS = 500
"""Dots in a line of a position: each may be a table in a table, which takes more and more time to read."""


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
    lines = [f"{toml_key(key)} = {toml_value(value)}" for key, value in patch.items() if not isinstance(value, Mapping)]
    for key, value in patch.items():
        if not isinstance(value, Mapping):
            continue
        if value and all(isinstance(inner, Mapping) for inner in value.values()):
            for name, inner in value.items():
                lines += ["", f"[{toml_key(key)}.{toml_key(name)}]"]
                lines += [f"{k} = {toml_value(v)}" for k, v in inner.items()]
        elif value:
            lines += ["", f"[{toml_key(key)}]"] + [f"{toml_key(k)} = {toml_value(v)}" for k, v in value.items()]
    return "\n".join(lines) + "\n"
