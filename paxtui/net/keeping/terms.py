"""The terms of a house: what those may do who have no seat at a table, or want one, as the host has said."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, TypeVar

import msgspec

from paxtui.engine.refusal import Refusal
from paxtui.table.disk.files import read_regular, write_over

T = TypeVar("T")

Who = Literal["nobody", "known", "anybody"]
"""Nobody; whoever has a seat in the house, or has had a code; everybody with a key."""

LONGEST_DELAY = 24 * 60
"""Minutes by which spectators may be behind."""


class Terms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The terms of one table.

    Attributes:
        watch: who may look on.
        delay: minutes by which those who look on are behind.
        talk: whether they may talk, too: the players alone, or everybody.
        seats: who may take a seat that has nobody.
    """

    watch: Who = "known"
    delay: Annotated[int, msgspec.Meta(ge=0, le=LONGEST_DELAY)] = 0
    talk: Literal["players", "everybody"] = "players"
    seats: Who = "nobody"


class _File(msgspec.Struct, forbid_unknown_fields=True):
    """The file: who may open a game, the terms of each table, and the player who opened each game of a player."""

    open: Literal["host", "known"] = "host"
    tables: dict[str, Terms] = {}
    openers: dict[str, str] = {}


class HouseTerms:
    """The terms of a house.

    Args:
        path: their file; it need not be there.

    Raises:
        OSError: it cannot be read.
        Refusal: `bad_terms`: it is none.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = _File()
        if path.exists():
            try:
                self._file = msgspec.json.decode(read_regular(path), type=_File)
            except (msgspec.MsgspecError, ValueError, RecursionError) as error:
                raise Refusal("bad_terms", (), f"{path} holds no terms: {error}.") from None

    def of(self, game: str) -> Terms:
        """The terms of a table."""
        return self._file.tables.get(game, Terms())

    @property
    def opens(self) -> str:
        """Who may open a game: `host`, or `known` for whoever is known."""
        return self._file.open

    def let_open(self, who: str) -> None:
        """Say who may open a game. Raises: Refusal `bad_terms`; OSError."""
        self._file = _made(_File, {"open": who, "tables": self._file.tables, "openers": self._file.openers})
        self._write()

    def opener(self, game: str) -> str:
        """The player who opened a game, "" for the host."""
        return self._file.openers.get(game, "")

    def set(self, game: str, wanted: dict[str, str], opener: str = "") -> Terms:
        """Change terms of a table; what is not named stays. Args: it; what is changed; who opens it now.

        Raises: Refusal `bad_terms`; OSError.
        """
        now = msgspec.to_builtins(self.of(game))
        terms = self._file.tables[game] = _made(Terms, {**now, **wanted})
        if opener:
            self._file.openers[game] = opener
        self._write()
        return terms

    def _write(self) -> None:
        write_over(self._path, msgspec.json.format(msgspec.json.encode(self._file), indent=1) + b"\n")


def _made(kind: type[T], said: dict[str, object]) -> T:
    """Terms of what was said. Raises: Refusal `bad_terms`."""
    try:
        return msgspec.convert(said, kind, strict=False)
    except msgspec.ValidationError as error:
        raise Refusal("bad_terms", (), f"These are no terms: {error}.") from None
