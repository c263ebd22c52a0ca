"""Mail games opened on the screen: the order sheet of a player, the gamemaster's desk, with its letters."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from paxtui.cli.outward.faults import CommandError
from paxtui.cli.postal.mail import said as told
from paxtui.cli.postal.page import pages
from paxtui.pax.words.names import index
from paxtui.pax.words.spoken import power_name
from paxtui.postal.courier import Courier
from paxtui.postal.settings import path_of, read_settings
from paxtui.table.disk.files import write_over
from paxtui.table.disk.resources import player_data
from paxtui.table.postal import keys, seals
from paxtui.table.postal.arrivals import submit_to
from paxtui.table.postal.desk import Desk, desk_of
from paxtui.table.postal.folder import FORM, Folder, read_small
from paxtui.table.postal.letters import SEALED, opened_report
from paxtui.table.postal.position import POSITION, SeatPosition, read_position
from paxtui.table.postal.terms import Terms, read_terms, said
from paxtui.table.tables import load_tables

if TYPE_CHECKING:
    from textual.screen import Screen

    from paxtui.tui.postal.desk import MailDeskScreen
    from paxtui.tui.postal.sheet import HandIn, OrderSheetScreen


class MailGames:
    """Opens the directories of mail games for the start screen."""

    def found(self, where: Path) -> list[tuple[str, str]]:
        """What can be opened there: a seat, "" for the desk, and what it is called. Raises: Refusal, OSError."""
        if not where.is_dir():
            return [(where.stem, f"The order sheet of {where.name}")]
        folder, tables = Folder(where), load_tables()
        terms = read_terms(folder)
        if terms.desk_key:
            seats = list(keys.own_keys(terms.game))
        else:
            seats = [seat for seat in terms.players if (folder.reports_of(terms.stop) / (seat + POSITION)).exists()]
        sheets = [(seat, f"The order sheet of {power_name(tables, seat)}") for seat in seats]
        return [("", "The gamemaster's desk"), *sheets] if folder.game.exists() else sheets

    def screen(self, where: Path, seat: str) -> Screen[None]:
        """The order sheet of a seat, or the desk. Args: a directory or a form; the seat, "" for the desk.

        Raises: Refusal, CommandError, OSError, ValueError.
        """
        return sheet_screen(draft(where, seat)) if seat else desk_screen(str(where))


def sheet_screen(found: Draft) -> OrderSheetScreen:
    """The order sheet of a form."""
    from paxtui.tui.postal.sheet import OrderSheetScreen

    return OrderSheetScreen(load_tables(), found.position, found.path, found.hand_in)


def desk_screen(where: str) -> MailDeskScreen:
    """The desk of a directory. Raises: Refusal, OSError, ValueError for letters whose settings are wrong."""
    from paxtui.tui.postal.desk import MailDeskScreen

    found = desk_of(where, draw=pages)
    found.status()
    letters = Letters(found) if path_of(found.folder).exists() else None
    if letters is not None:
        _ = letters.addresses  # what is wrong with the settings is said before the screen opens
    return MailDeskScreen(found, letters)


class Letters:
    """Carries the letters of a desk. Args: it."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def _courier(self) -> Courier:
        return Courier(self._desk, read_settings(self._desk.folder, self._desk.terms.players))

    @property
    def addresses(self) -> Mapping[str, str]:
        """The players' addresses by seat."""
        return self._courier().settings.players

    def carry(self) -> str:
        """Fetch, answer and send."""
        return "\n".join(told(self._courier().round()))

    def remind(self) -> str:
        """Remind who has sent nothing, and send it."""
        courier = self._courier()
        courier.remind()
        return "\n".join(told(courier.round()))


class Draft(NamedTuple):
    """A form that is being written: the position, its file, and how it is handed in (None where not from here)."""

    position: SeatPosition
    path: Path
    hand_in: HandIn | None


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
