"""Mail games opened on the screen: the order sheet of a player, the gamemaster's desk, with its letters.

Letters of a mail game, carried by e-mail.

The gamemaster's desk as a screen, with its letters where they travel by e-mail.

The order sheet of a mail game, opened for a directory or for a form.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from paxtui.cli.mail.pages import report_pages
from paxtui.cli.runtime import CommandError, run_single_screen
from paxtui.games.pax.text.display import power_name
from paxtui.games.pax.text.parsing import name_index
from paxtui.mail import keys
from paxtui.mail.courier import Courier, RoundResult
from paxtui.mail.game_directory import FORM_SUFFIX, GameDirectory, MailTerms, deadline_text, read_small, read_terms
from paxtui.mail.gamemaster import GamemasterService, open_gamemaster
from paxtui.mail.reports import POSITION_SUFFIX, SeatPosition, read_position
from paxtui.mail.sealed_letters import SEALED_SUFFIX, open_report
from paxtui.mail.submissions import submit_form
from paxtui.mail.transport import read_settings, settings_path
from paxtui.session.storage.files import player_data, replace_file, typed_path
from paxtui.session.tables.loader import load_tables

if TYPE_CHECKING:
    from textual.screen import Screen

    from paxtui.tui.gamemaster import GamemasterScreen
    from paxtui.tui.order_sheet import OrderSheetScreen, SubmitForm


def run_mail(args: argparse.Namespace) -> int:
    """Fetch the letters, answer them, and send reports that have not been sent; 1 where some could not be sent."""
    courier = open_courier(args.dir)
    if args.remind:
        reminded = courier.remind()
        print(f"reminded: {_name_seats(reminded)}")
    done = courier.round()
    print("\n".join(round_lines(done)))
    return 1 if done.waiting else 0


def open_courier(path: str) -> Courier:
    """Who carries the letters of a game. Raises: Refusal, OSError."""
    desk = open_gamemaster(path, draw=report_pages)
    return Courier(desk, read_settings(desk.folder, desk.terms.players))


def round_lines(done: RoundResult) -> list[str]:
    """What a round has done, a line for each matter."""
    out = [f"taken: {_name_seats(done.taken)}"]
    out += [f"refused: {sender or 'somebody'}: {' '.join(why.split())}" for sender, why in done.refused]
    out.append(f"sent: {done.sent}" + (f"; {done.waiting} wait to be sent" if done.waiting else ""))
    return [*out, *done.told]


def _name_seats(seats: tuple[str, ...]) -> str:
    tables = load_tables()
    return ", ".join(power_name(tables, seat) for seat in seats) or "none"


class MailGames:
    """Opens the directories of mail games for the start screen."""

    def found(self, where: Path) -> list[tuple[str, str]]:
        """What can be opened there: a seat, "" for the desk, and what it is called. Raises: Refusal, OSError."""
        if not where.is_dir():
            return [(where.stem, f"The order sheet of {where.name}")]
        folder, tables = GameDirectory(where), load_tables()
        terms = read_terms(folder)
        if terms.desk_key:
            seats = list(keys.player_keys(terms.game))
        else:
            seats = [
                seat for seat in terms.players if (folder.reports_of(terms.stop) / (seat + POSITION_SUFFIX)).exists()
            ]
        sheets = [(seat, f"The order sheet of {power_name(tables, seat)}") for seat in seats]
        return [("", "The gamemaster's desk"), *sheets] if folder.game.exists() else sheets

    def screen(self, where: Path, seat: str) -> Screen[None]:
        """The order sheet of a seat, or the desk. Args: a directory or a form; the seat, "" for the desk.

        Raises: Refusal, CommandError, OSError, ValueError.
        """
        return sheet_screen(open_draft(where, seat)) if seat else desk_screen(str(where))


def sheet_screen(found: OpenDraft) -> OrderSheetScreen:
    """The order sheet of a form."""
    from paxtui.tui.order_sheet import OrderSheetScreen

    return OrderSheetScreen(load_tables(), found.position, found.path, found.hand_in)


def desk_screen(where: str) -> GamemasterScreen:
    """The desk of a directory. Raises: Refusal, OSError, ValueError for letters whose settings are wrong."""
    from paxtui.tui.gamemaster import GamemasterScreen

    found = open_gamemaster(where, draw=report_pages)
    found.status()
    letters = LetterCarrier(found) if settings_path(found.folder).exists() else None
    if letters is not None:
        _ = letters.addresses  # what is wrong with the settings is said before the screen opens
    return GamemasterScreen(found, letters)


class LetterCarrier:
    """Carries the letters of a desk. Args: it."""

    def __init__(self, desk: GamemasterService) -> None:
        self._desk = desk

    def _courier(self) -> Courier:
        return Courier(self._desk, read_settings(self._desk.folder, self._desk.terms.players))

    @property
    def addresses(self) -> Mapping[str, str]:
        """The players' addresses by seat."""
        return self._courier().settings.players

    def carry(self) -> str:
        """Fetch, answer and send."""
        return "\n".join(round_lines(self._courier().round()))

    def remind(self) -> str:
        """Remind who has sent nothing, and send it."""
        courier = self._courier()
        courier.remind()
        return "\n".join(round_lines(courier.round()))


class OpenDraft(NamedTuple):
    """A form that is being written: the position, its file, and how it is handed in (None where not from here)."""

    position: SeatPosition
    path: Path
    hand_in: SubmitForm | None


def open_draft(where: Path, seat: str) -> OpenDraft:
    """The form to be written. Args: a directory or a form; the seat, "" where there is only one.

    Raises: Refusal, CommandError, OSError.
    """
    if not where.is_dir():
        return OpenDraft(read_position(where.with_suffix(POSITION_SUFFIX)), where, None)
    folder = GameDirectory(where)
    terms = read_terms(folder)
    tables = load_tables()
    seat = name_index(tables).powers.find(seat) if seat else ""
    if terms.desk_key:
        keys.check_library()
        key = keys.player_key(terms, seat)
        letter = open_report(read_small(folder.reports_of(terms.stop) / (key.seat + SEALED_SUFFIX)), key)
        position = msgspec.json.decode(letter.position or "null", type=SeatPosition | None)
        blank = letter.form
    else:
        path = folder.reports_of(terms.stop) / ((seat or _only_seat(folder, terms)) + POSITION_SUFFIX)
        position = read_position(path)
        blank = path.with_suffix(FORM_SUFFIX).read_text("utf-8")
    if position is None:
        raise CommandError("nothing is asked of you at this stop")
    seat = position.seat
    file = player_data() / "postal" / f"{terms.game}-{terms.stop:04}-{seat}{FORM_SUFFIX}"
    if not file.exists():
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        replace_file(file, blank.encode())

    def hand_in(text: str) -> str:
        now = read_terms(folder)
        submit_form(folder, now, tables, text, seat)
        return (
            f"Taken for stop {now.stop}; the deadline is {deadline_text(now.deadline)}. A later form takes its place."
        )

    return OpenDraft(position, file, hand_in)


def _only_seat(folder: GameDirectory, terms: MailTerms) -> str:
    """The seat whose position lies there, where it is one alone. Raises: CommandError."""
    found = [path.stem for path in sorted(folder.reports_of(terms.stop).glob(f"*{POSITION_SUFFIX}"))]
    if len(found) != 1:
        raise CommandError(f"name a seat with --seat: {', '.join(found) or 'none is asked for orders now'}")
    return found[0]


def run_desk(args: argparse.Namespace) -> int:
    """Open the desk."""
    screen = desk_screen(args.dir)
    return run_single_screen("postal", lambda: screen)


def run_order_sheet(args: argparse.Namespace) -> int:
    """Open the order sheet."""
    found = open_draft(typed_path(args.where), args.seat)
    code = run_single_screen("postal", lambda: sheet_screen(found))
    print(f"the form is in {found.path}")
    return code
