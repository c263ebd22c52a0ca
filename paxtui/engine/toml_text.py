"""Format Python values as TOML text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def toml_key(key: str) -> str:
    """Format a key: bare if TOML allows it, otherwise quoted."""
    return key if _BARE.fullmatch(key) else _text(key)


def _text(text: str) -> str:
    return '"' + "".join(_sign(c) for c in text) + '"'


def _sign(c: str) -> str:
    if c in ('"', "\\"):
        return "\\" + c
    if unicodedata.category(c) in ("Cc", "Cf", "Cn", "Co", "Zl", "Zp"):
        return f"\\u{ord(c):04x}" if ord(c) < 0x10000 else f"\\U{ord(c):08x}"
    return c


def toml_value(value: object) -> str:
    """Format a value. A list of tables takes one line per table."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{toml_key(k)} = {toml_value(v)}" for k, v in value.items()) + " }"
    if isinstance(value, list | tuple):
        if any(isinstance(item, Mapping) for item in value):
            return "[\n" + "".join(f"    {toml_value(item)},\n" for item in value) + "]"
        return "[" + ", ".join(toml_value(item) for item in value) + "]"
    return _text(str(value))
