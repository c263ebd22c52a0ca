"""The text form of a position as TOML: what a FEN is to chess. Written by hand, dumped, read again.

Areas, homes, Sea Zones and Powers are tables; markers and units are one inline table a line.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any

from paxtui.pax.play.play import refuse


def read_toml(text: str) -> dict[str, Any]:
    """The patch that a text holds.

    Raises: Refusal `bad_position_text`, with the line and what is wrong with it.
    """
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        refuse("bad_position_text", (), f"The position is no TOML: {error}.")


def write_toml(patch: Mapping[str, Any]) -> str:
    """A patch as TOML: plain values first, then a table for every part."""
    lines = [f"{key} = {_value(value)}" for key, value in patch.items() if not isinstance(value, Mapping)]
    for key, value in patch.items():
        if not isinstance(value, Mapping):
            continue
        if value and all(isinstance(inner, Mapping) for inner in value.values()):
            for name, inner in value.items():
                lines += ["", f"[{key}.{name}]"] + [f"{k} = {_value(v)}" for k, v in inner.items()]
        elif value:
            lines += ["", f"[{key}]"] + [f"{_key(k)} = {_value(v)}" for k, v in value.items()]
    return "\n".join(lines) + "\n"


def _key(key: str) -> str:
    """A bare key, or a quoted one where it holds a blank."""
    return key if key.replace("_", "").isalnum() else f'"{key}"'


def _value(value: Any) -> str:
    """A value in TOML; lists of tables take a line for each."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(k)} = {_value(v)}" for k, v in value.items()) + " }"
    if isinstance(value, list | tuple):
        if any(isinstance(item, Mapping) for item in value):
            return "[\n" + "".join(f"    {_value(item)},\n" for item in value) + "]"
        return "[" + ", ".join(_value(item) for item in value) + "]"
    text = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'
