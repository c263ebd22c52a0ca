"""The lines of a log in memory: recent ones as they are, older ones compressed.

A long game stays small: beyond `RECENT` lines, each further line costs about a hundred bytes. Old lines are decoded
again when they are read.
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, overload

import msgspec

from paxtui.engine.log import Line

RECENT = 1024
"""Lines that are kept as they are; a whole game has about 700."""

BLOCK = 128
"""Lines that are compressed together."""

UNPACKED = 4
"""Blocks that stay decoded after they were read."""

LONGEST_SHARED = 40
"""Characters of the longest text that is stored once for all lines: names, not letters."""

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(list[Line])


class _Lines(Sequence[Line]):
    """Lines that equal any other sequence of equal lines."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]


class Lines(_Lines):
    """A growing sequence of lines."""

    def __init__(self) -> None:
        self._blocks: list[bytes] = []
        self._recent: list[Line] = []
        self._unpacked: dict[int, list[Line]] = {}

    def append(self, line: Line) -> None:
        """Add a line at the end."""
        self._recent.append(line)
        if len(self._recent) >= RECENT + BLOCK:
            self._blocks.append(zlib.compress(_encoder.encode(self._recent[:BLOCK]), 1))
            del self._recent[:BLOCK]

    def __len__(self) -> int:
        return len(self._blocks) * BLOCK + len(self._recent)

    @overload
    def __getitem__(self, at: int) -> Line: ...

    @overload
    def __getitem__(self, at: slice) -> list[Line]: ...

    def __getitem__(self, at: int | slice) -> Line | list[Line]:
        if isinstance(at, slice):
            return [self[n] for n in range(*at.indices(len(self)))]
        length = len(self)
        place = at + length if at < 0 else at
        if not 0 <= place < length:
            raise IndexError(at)
        packed = length - len(self._recent)
        return self._recent[place - packed] if place >= packed else self._block(place // BLOCK)[place % BLOCK]

    def __iter__(self) -> Iterator[Line]:
        for block in range(len(self._blocks)):
            yield from self._block(block)
        yield from self._recent

    def _block(self, number: int) -> list[Line]:
        lines = self._unpacked.pop(number, None)
        if lines is None:
            lines = _decoder.decode(zlib.decompress(self._blocks[number]))
        self._unpacked[number] = lines
        if len(self._unpacked) > UNPACKED:
            del self._unpacked[next(iter(self._unpacked))]
        return lines


class SelectedLines(_Lines):
    """Some lines of a log, read when they are asked for.

    Args:
        lines: those from line 2 on.
        numbers: of the selected lines.
    """

    def __init__(self, lines: Sequence[Line], numbers: Sequence[int]) -> None:
        self._lines, self._numbers = lines, numbers

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, at: int) -> Line: ...

    @overload
    def __getitem__(self, at: slice) -> SelectedLines: ...

    def __getitem__(self, at: int | slice) -> Line | SelectedLines:
        if isinstance(at, slice):
            return SelectedLines(self._lines, self._numbers[at])
        return self._lines[self._numbers[at] - 2]


def share_texts(raw: Any) -> None:
    """Store each short text of builtins only once, in place: a log repeats a few hundred words."""
    items: Iterable[tuple[Any, Any]] = ()
    if isinstance(raw, dict):
        items = raw.items()
    elif isinstance(raw, list):
        items = enumerate(raw)
    for at, value in items:
        if isinstance(value, str):
            if len(value) <= LONGEST_SHARED:
                raw[at] = sys.intern(value)
        elif isinstance(value, dict | list):
            share_texts(value)
