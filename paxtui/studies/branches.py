"""Branches: games that play on from a line of another log, each in a log of its own."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from paxtui import __version__
from paxtui.engine.log import LogParent
from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import SeatOccupant
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.visibility import visible_state
from paxtui.session.game_host import Clock, utc_now
from paxtui.session.pax_host import PaxHost
from paxtui.session.storage.log_store import LogStore
from paxtui.studies.study import Branch, line_hash


def create_branch(
    host: PaxHost,
    line: int,
    viewpoint: str,
    path: Path,
    seat: str,
    occupants: Mapping[str, SeatOccupant],
    *,
    title: str = "",
    clock: Clock = utc_now,
) -> Branch:
    """Create the log of a branch. It begins with the position after a line; the dice are new ones.

    Args:
        host: the game that it leaves.
        line: the number of the line in the full log.
        viewpoint: the seat whose knowledge the position contains; ARBITER for all of it.
        path: the file, which must not exist.
        seat: the seat that its author plays.
        occupants: the occupants of all seats.
        title: the title.
        clock: returns the time for the log.

    Returns:
        The branch, for the study; `file` is its full path.

    Raises:
        Refusal: the game is over at the line.
        FileExistsError, OSError: the file cannot be made.
    """
    state = host.game.seek(line)
    if viewpoint != ARBITER:
        state = visible_state(host.tables, state, viewpoint)
    if state.result is not None:
        raise Refusal("over", (), "The game is over here. Go back to an earlier line and play on from there.")
    lines, tip = host.game.lines, host.game.tip
    parent = LogParent(line_hash(lines, tip, 1), line, line_hash(lines, tip, line))
    header = replace(
        host.game.header,
        program=f"paxtui {__version__}",
        game=secrets.token_hex(6),
        seed=secrets.token_hex(8),
        commitment="",
        start=host.rules.encode_state(state),
        undo="free",
        created=clock(),
        rules=host.rules.rules_number,
        dice="plain",
        parent=parent,
    )
    LogStore.create(path, header).close()
    with PaxHost.open(path, clock=clock) as table:
        table.seat(occupants)
        lines, tip = table.game.lines, table.game.tip
    return Branch(
        file=str(path), hash=line_hash(lines, tip, 1), lines=len(lines) + 1, tip=tip, title=title,
        parent=parent.hash, line=line, seat=seat,
    )  # fmt: skip
