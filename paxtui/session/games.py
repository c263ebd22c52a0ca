"""The games there are: `GAME_KINDS` has a row for each. No module above this one asks which rulebook a game has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from paxtui.engine.game import Game
from paxtui.engine.log import FIRST_RULEBOOK, BrokenLog, Header


class GameKind(NamedTuple):
    """A kind of game. Its modules are imported when they are first needed.

    Attributes:
        rulebook: its name in headers of logs.
        title: its name for players.
        load: returns the game of a header. Raises: TableError, BrokenLog.
    """

    rulebook: str
    title: str
    load: Callable[[Header], Game[Any]]


def _load_pax(header: Header) -> Game[Any]:
    from paxtui.games.pax.game import PaxGame
    from paxtui.session.tables.loader import load_tables_from_header

    return PaxGame(load_tables_from_header({name: str(text) for name, text in header.tables.items()}))


def _load_empires(header: Header) -> Game[Any]:
    from paxtui.games.empires.game import EmpiresGame
    from paxtui.session.tables.exercises import load_exercise

    return EmpiresGame(load_exercise(str(header.options.get("exercise", ""))))


GAME_KINDS = {
    kind.rulebook: kind
    for kind in (
        GameKind(FIRST_RULEBOOK, "Pax Britannica", _load_pax),
        GameKind("empires", "Empires in Arms", _load_empires),
    )
}


def load_game(header: Header) -> Game[Any]:
    """Return the game of a header, with its tables.

    Raises:
        BrokenLog: no game has this rulebook.
        TableError: its tables cannot be used.
    """
    kind = GAME_KINDS.get(header.rulebook)
    if kind is None:
        known = ", ".join(GAME_KINDS)
        raise BrokenLog(1, f"it is a game by the rules '{header.rulebook}', and this program knows {known}")
    return kind.load(header)
