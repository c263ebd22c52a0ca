"""Bytes that are held in case they are wanted, and take little room until then."""

from __future__ import annotations

import zlib

QUICK = 1
"""Compression level: a log shrinks to a tenth in a few milliseconds all the same."""

LARGEST = 64 * 1024
"""Added bytes that are compressed together."""


class Packed:
    """Bytes that grow at their end, compressed but for the last ones."""

    def __init__(self, data: bytes) -> None:
        self._packed = [zlib.compress(data, QUICK)]
        self._packed_length = len(data)
        self._added = bytearray()

    def __len__(self) -> int:
        return self._packed_length + len(self._added)

    def __bytes__(self) -> bytes:
        return b"".join(map(zlib.decompress, self._packed)) + self._added

    def add(self, data: bytes) -> None:
        """Add bytes at the end."""
        self._added += data
        if len(self._added) >= LARGEST:
            self._packed.append(zlib.compress(self._added, QUICK))
            self._packed_length += len(self._added)
            self._added = bytearray()
