"""The log of one seat, as it may leave the authority: a whole log by itself, with its own numbers and its own chain.

It begins with the position at the start as the seat may know it. Whoever folds it has at each line what the seat may
know then; so it is all that a player needs, to look at a game and to take it home.

Rules: TRE-011
"""

from __future__ import annotations

from bisect import bisect_right

import msgspec
from msgspec.structs import replace

from paxtui.engine.log import digest, encode_header, encode_line
from paxtui.table.seats_eyes import SeatsEyes


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
        self._lines: list[bytes] = []
        self._tips = [digest(self.header)]
        self._times = [""]

    @property
    def version(self) -> int:
        """The number of the last line."""
        self._grow()
        return len(self._lines) + 1

    def after(self, number: int, until: int | None = None) -> bytes:
        """The lines after line `number`, and up to line `until` where that is said, as bytes of a log."""
        self._grow()
        return b"".join(self._lines[max(0, number - 1) : None if until is None else max(0, until - 1)])

    def at(self, time: str) -> int:
        """The last line that was written at a time or before it. Args: the time, ISO 8601 in UTC."""
        self._grow()
        return bisect_right(self._times, time)

    def holds(self, number: int, tip: str) -> bool:
        """Whether somebody who has all lines up to line `number`, the last one with this hash, can go on from there."""
        self._grow()
        return 1 <= number <= len(self._tips) and self._tips[number - 1] == tip

    def whole(self) -> bytes:
        """The header and all lines."""
        return self.header + self.after(1)

    def _grow(self) -> None:
        """Take account of what has been added to the table's log."""
        for line in self._table.known(self.seat).lines[len(self._lines) :]:
            data = encode_line(replace(line, prev=self._tips[-1]))
            self._lines.append(data)
            self._tips.append(digest(data))
            self._times.append(max(line.time, self._times[-1]))
