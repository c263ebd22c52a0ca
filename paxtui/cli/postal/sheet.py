"""The order sheet of a mail game, opened for a directory or for a form."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from paxtui.cli import start
from paxtui.cli.outward.faults import CommandError
from paxtui.pax.words.names import index
from paxtui.table.disk.files import write_over
from paxtui.table.disk.resources import player_data
from paxtui.table.postal import keys, seals
from paxtui.table.postal.arrivals import submit_to
from paxtui.table.postal.folder import FORM, Folder, read_small
from paxtui.table.postal.letters import SEALED, opened_report
from paxtui.table.postal.position import POSITION, SeatPosition, read_position
from paxtui.table.postal.terms import Terms, read_terms, said
from paxtui.table.tables import load_tables

if TYPE_CHECKING:
    from paxtui.tui.postal.sheet import HandIn, OrderSheetScreen


class Draft(NamedTuple):
    """A form that is being written: the position, its file, and how it is handed in (None where not from here)."""

    position: SeatPosition
    path: Path
    hand_in: HandIn | None


def write(args: argparse.Namespace) -> int:
    """Open the order sheet."""
    found = draft(Path(args.where).expanduser(), args.seat)

    def only() -> OrderSheetScreen:
        from paxtui.tui.postal.sheet import OrderSheetScreen

        return OrderSheetScreen(load_tables(), found.position, found.path, found.hand_in)

    code = start.on_screen("postal", only=only)
    print(f"the form is in {found.path}")
    return code


def draft(where: Path, seat: str) -> Draft:
    """The form to be written. Args: a directory or a form; the seat, "" where there is only one.

    Raises: Refusal, CommandError, OSError.
    """
    if not where.is_dir():
        return Draft(read_position(where.with_suffix(POSITION)), where, None)
    folder = Folder(where)
    terms = read_terms(folder)
    tables = load_tables()
    seat = index(tables).powers.find(seat) if seat else ""
    if terms.desk_key:
        seals.check()
        key = keys.own_key(terms, seat)
        letter = opened_report(read_small(folder.reports_of(terms.stop) / (key.seat + SEALED)), key)
        position = msgspec.json.decode(letter.position or "null", type=SeatPosition | None)
        blank = letter.form
    else:
        path = folder.reports_of(terms.stop) / ((seat or _only_seat(folder, terms)) + POSITION)
        position = read_position(path)
        blank = path.with_suffix(FORM).read_text("utf-8")
    if position is None:
        raise CommandError("nothing is asked of you at this stop")
    seat = position.seat
    file = player_data() / "postal" / f"{terms.game}-{terms.stop:04}-{seat}{FORM}"
    if not file.exists():
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_over(file, blank.encode())

    def hand_in(text: str) -> str:
        now = read_terms(folder)
        submit_to(folder, now, tables, text, seat)
        return f"Taken for stop {now.stop}; the deadline is {said(now.deadline)}. A later form takes its place."

    return Draft(position, file, hand_in)


def _only_seat(folder: Folder, terms: Terms) -> str:
    """The seat whose position lies there, where it is one alone. Raises: CommandError."""
    found = [path.stem for path in sorted(folder.reports_of(terms.stop).glob(f"*{POSITION}"))]
    if len(found) != 1:
        raise CommandError(f"name a seat with --seat: {', '.join(found) or 'none is asked for orders now'}")
    return found[0]
