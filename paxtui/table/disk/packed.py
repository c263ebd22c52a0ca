"""Bytes that are held in case they are wanted, and take little room until then."""

from __future__ import annotations

import zlib

QUICK = 1
"""How much trouble is taken to make them small: a log shrinks to a tenth in a few milliseconds all the same."""


class Packed:
    """Bytes that grow at their end. What was there at first is packed, what is added is small and is not."""

    def __init__(self, data: bytes) -> None:
        self._packed = zlib.compress(data, QUICK)
        self._first = len(data)
        self._added = bytearray()

    def __len__(self) -> int:
        return self._first + len(self._added)

    def __bytes__(self) -> bytes:
        return zlib.decompress(self._packed) + self._added

    def add(self, data: bytes) -> None:
        """Add bytes at the end."""
        self._added += data
