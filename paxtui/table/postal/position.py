"""The position as a seat may know it, sent with its report: the order sheet tries orders on it, without the log."""

from __future__ import annotations

from pathlib import Path

import msgspec

from paxtui.engine.refusal import Refusal
from paxtui.pax.state.model import State
from paxtui.table.authority import Table
from paxtui.table.disk.files import read_regular

POSITION = ".position"


class SeatPosition(msgspec.Struct, frozen=True):
    """The file. `state`: as the seat may know it when the stop begins."""

    game: str
    stop: int
    seat: str
    state: State


def position_text(table: Table, stop: int, seat: str) -> str:
    """The position of a seat at the stop at which a game is."""
    found = SeatPosition(table.game.header.game, stop, seat, table.state_for(seat))
    return msgspec.json.encode(found, order="deterministic").decode() + "\n"


def read_position(path: Path) -> SeatPosition:
    """The position in a file. Raises: Refusal `no_position`, `bad_position`; OSError."""
    if not path.is_file():
        raise Refusal("no_position", (), f"There is no {path}: the position comes with the report, beside the form.")
    try:
        return msgspec.json.decode(read_regular(path), type=SeatPosition)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Refusal("bad_position", (), f"{path} cannot be read ({error}): have the report sent again.") from None
