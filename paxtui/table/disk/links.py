"""The chain of a log's lines, as each says its own place in it."""

from __future__ import annotations

import msgspec


class Link(msgspec.Struct, frozen=True):
    """What a line says about its own place: its number, the hash of the line before, and its time."""

    n: int
    prev: str = ""
    time: str = ""


def link(data: bytes) -> Link:
    """The place in the chain of one encoded line.

    Raises:
        ValueError: `data` is no single line with its newline (msgspec's errors are ValueErrors).
    """
    if not data.endswith(b"\n") or data.count(b"\n") != 1:
        raise ValueError("a line of a log ends in its only newline")
    return msgspec.json.decode(data, type=Link)
