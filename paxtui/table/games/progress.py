"""How far a saved game has come and who plays it, read from its log without playing it through."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from paxtui.engine.log import Line
from paxtui.engine.seats import ARBITER
from paxtui.engine.upcast import Raw
from paxtui.pax.orders.seating import SEATING, Sitter, seated
from paxtui.table.disk.files import open_regular
from paxtui.table.games.saves import Summary, backwards

FIRST_YEAR = 1880


class Progress(msgspec.Struct, frozen=True):
    """How far a game has come.

    Attributes:
        turn: the Game Turn.
        year: its year.
        phase: the Phase, "" where none has begun yet.
        winners: the seats with the first rank, of a game that is over.
        sitters: who sits at the seats of which the log says it; at the others there are persons.
    """

    turn: int = 1
    year: int = FIRST_YEAR
    phase: str = ""
    winners: tuple[str, ...] = ()
    sitters: dict[str, Sitter] = {}


class _Place(msgspec.Struct, frozen=True):
    n: int
    kind: str = "act"
    seat: str = ""
    target: int = 0


class _Acts(msgspec.Struct, frozen=True):
    events: list[Raw] = []


class _Said(msgspec.Struct, frozen=True):
    action: Any = None


def progress(game: Summary) -> Progress:
    """How far a game has come; as at its start where that cannot be read."""
    try:
        known = os.stat(game.path)
    except OSError:
        return Progress()
    return _progress(game.path, known.st_mtime_ns, known.st_size)


@lru_cache(maxsize=512)
def _progress(path: Path, changed: int, size: int) -> Progress:
    """From the last line back to the first; what was taken back is passed over. Args: the file, its time and size."""
    found: Raw = {}
    seatings: list[Line] = []
    in_force = None  # the last line that counts; None: all do
    try:
        with os.fdopen(open_regular(path), "rb") as file:
            for data in backwards(file):
                place = msgspec.json.decode(data, type=_Place)
                if place.kind == "note":
                    if SEATING.encode() in data:
                        action = msgspec.json.decode(data, type=_Said).action
                        seatings.append(Line(n=place.n, prev="", seat=ARBITER, kind="note", action=action))
                elif in_force is not None and place.n > in_force:
                    continue
                elif place.kind == "act":
                    if b"began" in data or b"game_ended" in data:
                        _note_down(found, msgspec.json.decode(data, type=_Acts).events)
                else:
                    in_force = place.target
    except (OSError, msgspec.MsgspecError, RecursionError, ValueError):
        return Progress()
    return Progress(**found, sitters=seated(reversed(seatings)))


def _note_down(found: Raw, events: list[Raw]) -> None:
    """What the events of an act tell that no later act has told."""
    for event in reversed(events):
        kind = event.get("type")
        if kind == "turn_began" and "turn" not in found:
            found |= {"turn": int(event["turn"]), "year": int(event["year"])}
        elif kind == "phase_began":
            found.setdefault("phase", str(event.get("phase", "")))
        elif kind == "game_ended":
            ranks = event.get("result", {}).get("ranks", {})
            found.setdefault("winners", tuple(seat for seat, rank in ranks.items() if rank == 1))
