"""The log of one seat, as it may leave the authority: a whole log by itself, with its own numbers and its own chain.

It begins with the position at the start as the seat may know it. Whoever folds it has at each line what the seat may
know then; so it is all that a player needs, to look at a game and to take it home.

Rules: TRE-011
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from paxtui.engine.log import digest, encode_header, encode_line
from paxtui.table.seats_eyes import SeatsEyes

TIP = 16
"""Bytes of a hash."""


class SeatLog:
    """The log of a seat; it grows with that of the table.

    Args:
        table: the game.
        seat: a player's, or the spectators'.

    Attributes:
        header: its first line, newline included.

    Raises:
        Refusal: `unknown_seat`.
    """

    def __init__(self, table: SeatsEyes, seat: str) -> None:
        self._table = table
        self.seat = seat
        start = msgspec.to_builtins(table.state_for(seat, 1))
        self.header = encode_header(replace(table.header_for(seat), start=start))
        self._tips = bytearray(bytes.fromhex(digest(self.header)))
        self._count = 0
        self._reached = 0, ""  # how many lines `at` has passed, and the latest time among them

    @property
    def version(self) -> int:
        """The number of the last line."""
        self._grow()
        return self._count + 1

    def after(self, number: int, until: int | None = None) -> bytes:
        """The lines after line `number`, and up to line `until` where that is said, as bytes of a log."""
        self._grow()
        last = self._count + 1 if until is None else min(until, self._count + 1)
        lines = self._table.known(self.seat).lines
        return b"".join(encode_line(replace(lines[n - 2], prev=self._tip(n - 1))) for n in range(number + 1, last + 1))

    def at(self, time: str) -> int:
        """The last line that was written at a time or before it. Args: the time, ISO 8601 in UTC."""
        self._grow()
        lines = self._table.known(self.seat).lines
        count, latest = self._reached
        if latest > time:
            count, latest = 0, ""
        while count < self._count and max(lines[count].time, latest) <= time:
            latest = max(lines[count].time, latest)
            count += 1
        self._reached = count, latest
        return count + 1

    def holds(self, number: int, tip: str) -> bool:
        """Whether somebody who has all lines up to line `number`, the last one with this hash, can go on from there."""
        self._grow()
        return 1 <= number <= self._count + 1 and self._tip(number) == tip

    def whole(self) -> bytes:
        """The header and all lines."""
        return self.header + self.after(1)

    def _tip(self, number: int) -> str:
        """The hash of a line. Only hashes are kept here: the lines are those of the projection."""
        return self._tips[(number - 1) * TIP : number * TIP].hex()

    def _grow(self) -> None:
        """Take account of what has been added to the table's log."""
        for line in self._table.known(self.seat).lines[self._count :]:
            data = encode_line(replace(line, prev=self._tip(self._count + 1)))
            self._tips += bytes.fromhex(digest(data))
            self._count += 1
