"""Sealed letters: their text goes out as a line of its own when their Game Turn has come."""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

from paxtui.engine.game import Game
from paxtui.engine.log import Line
from paxtui.pax.orders import dispatches
from paxtui.pax.state.model import State


class SealedLetters:
    """The letters of one game that nobody has opened yet."""

    def __init__(self, game: Game[State]) -> None:
        self._game = game
        self._shut: dict[int, Line] = {}
        self._searched = 1

    def open_due(self, state: State, time: str) -> None:
        """Open every letter that is due at a position; an opened one stays so, whatever is taken back.

        Args: the position now; the time for the log.
        """
        for line in self._game.lines_after(self._searched):
            said = line.action
            if dispatches.is_sealed(said):
                self._shut[line.n] = line
            elif line.kind == "note" and isinstance(said, dict) and said.get("type") == dispatches.LETTER:
                self._shut.pop(said.get("line", 0), None)
        self._searched = self._game.version
        for n, line in self._shut.items():
            if dispatches.due(state, line.action):
                # What cannot be written now is written after the next act.
                with suppress(OSError):
                    self._game.note(line.seat, dispatches.opened(n, line.seat, line.action), time)


class Waiting(NamedTuple):
    """Whose word is waited for.

    Attributes:
        pairs: whose, and who waits.
        searched: the last line of the log that was looked at.
    """

    pairs: dict[tuple[str, str], None]
    searched: int


class Unanswered:
    """The dispatches of one game that wait for a word of those they were sent to. Public ones wait for nobody."""

    def __init__(self, game: Game[State], before: Waiting | None = None) -> None:
        self._game = game
        self._waiting, self._searched = before or Waiting({}, 1)

    @property
    def now(self) -> Waiting:
        """What has been found out, for when the same game is opened again."""
        return Waiting(self._waiting, self._searched)

    def writers(self, seat: str) -> tuple[str, ...]:
        """The seats that have written to a seat since it last wrote to them; what is sealed waits for no word."""
        for line in self._game.lines_after(self._searched):
            said = line.action
            if line.kind == "note" and said.get("type") == dispatches.DISPATCH and not dispatches.is_sealed(said):
                for to in said.get("to", ()):
                    self._waiting[to, line.seat] = None
                    self._waiting.pop((line.seat, to), None)
        self._searched = self._game.version
        return tuple(writer for to, writer in self._waiting if to == seat)

    def put_aside(self, seat: str, writer: str) -> None:
        """A seat has been asked for its word, and has none to say."""
        self._waiting.pop((seat, writer), None)
