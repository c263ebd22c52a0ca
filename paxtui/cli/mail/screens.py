"""Screens of mail games: the player's order sheet and the gamemaster's screen, with e-mail if it is set up."""

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

    from paxtui.tui.mail.gamemaster import GamemasterScreen
    from paxtui.tui.mail.order_sheet import OrderSheetScreen, SubmitForm


def run_mail(args: argparse.Namespace) -> int:
    """Fetch e-mail, answer it and send unsent reports; the exit code is 1 if some could not be sent."""
    courier = open_courier(args.dir)
    if args.remind:
        reminded = courier.remind()
        print(f"reminded: {_name_seats(reminded)}")
    done = courier.round()
    print("\n".join(round_lines(done)))
    return 1 if done.waiting else 0


def open_courier(path: str) -> Courier:
    """Open the e-mail of a game. Raises: Refusal, OSError."""
    service = open_gamemaster(path, draw=report_pages)
    return Courier(service, read_settings(service.folder, service.terms.players))


def round_lines(done: RoundResult) -> list[str]:
    """Describe the result of a round of e-mail, line by line."""
    out = [f"accepted: {_name_seats(done.taken)}"]
    out += [f"rejected: {sender or 'unknown sender'}: {' '.join(why.split())}" for sender, why in done.refused]
    out.append(f"sent: {done.sent}" + (f"; not sent yet: {done.waiting}" if done.waiting else ""))
    return [*out, *done.told]


def _name_seats(seats: tuple[str, ...]) -> str:
    tables = load_tables()
    return ", ".join(power_name(tables, seat) for seat in seats) or "none"


class MailGames:
    """Opens the directories of mail games for the start screen."""

    def found(self, where: Path) -> list[tuple[str, str]]:
        """List what can be opened: a seat, "" for the gamemaster's screen, and a title. Raises: Refusal, OSError."""
        if not where.is_dir():
            return [(where.stem, f"Order sheet of {where.name}")]
        folder, tables = GameDirectory(where), load_tables()
        terms = read_terms(folder)
        if terms.desk_key:
            seats = list(keys.player_keys(terms.game))
        else:
            seats = [
                seat for seat in terms.players if (folder.reports_of(terms.stop) / (seat + POSITION_SUFFIX)).exists()
            ]
        sheets = [(seat, f"Order sheet of {power_name(tables, seat)}") for seat in seats]
        return [("", "Gamemaster's screen"), *sheets] if folder.game.exists() else sheets

    def screen(self, where: Path, seat: str) -> Screen[None]:
        """Open an order sheet or the gamemaster's screen. Args: a directory or form; the seat, "" for the gamemaster.

        Raises: Refusal, CommandError, OSError, ValueError.
        """
        return sheet_screen(open_draft(where, seat)) if seat else desk_screen(str(where))


def sheet_screen(found: OpenDraft) -> OrderSheetScreen:
    """Return the order sheet of a form."""
    from paxtui.tui.mail.order_sheet import OrderSheetScreen

    return OrderSheetScreen(found.position.tables, found.position, found.path, found.hand_in)


def desk_screen(where: str) -> GamemasterScreen:
    """Return the gamemaster's screen. Raises: Refusal, OSError, ValueError for wrong e-mail settings."""
    from paxtui.tui.mail.gamemaster import GamemasterScreen

    found = open_gamemaster(where, draw=report_pages)
    found.status()
    letters = LetterCarrier(found) if settings_path(found.folder).exists() else None
    if letters is not None:
        _ = letters.addresses  # reports wrong settings before the screen opens
    return GamemasterScreen(found, letters)


class LetterCarrier:
    """E-mail of a game for the gamemaster's screen. Args: the gamemaster's service."""

    def __init__(self, service: GamemasterService) -> None:
        self._service = service

    def _courier(self) -> Courier:
        return Courier(self._service, read_settings(self._service.folder, self._service.terms.players))

    @property
    def addresses(self) -> Mapping[str, str]:
        """Addresses of the players by seat."""
        return self._courier().settings.players

    def carry(self) -> str:
        """Fetch, answer and send."""
        return "\n".join(round_lines(self._courier().round()))

    def remind(self) -> str:
        """Send reminders to players without a form."""
        courier = self._courier()
        courier.remind()
        return "\n".join(round_lines(courier.round()))


class OpenDraft(NamedTuple):
    """A form in progress: its position, its file, and the function that submits it, if possible."""

    position: SeatPosition
    path: Path
    hand_in: SubmitForm | None


def open_draft(where: Path, seat: str) -> OpenDraft:
    """Open a form to write. Args: a directory or a form; the seat, "" if there is only one.

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
        raise CommandError("no orders are needed from you at this stop")
    seat = position.seat
    file = player_data() / "postal" / f"{terms.game}-{terms.stop:04}-{seat}{FORM_SUFFIX}"
    if not file.exists():
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        replace_file(file, blank.encode())

    def hand_in(text: str) -> str:
        now = read_terms(folder)
        submit_form(folder, now, tables, text, seat)
        return f"Submitted for stop {now.stop}; deadline {deadline_text(now.deadline)}. A later form replaces it."

    return OpenDraft(position, file, hand_in)


def _only_seat(folder: GameDirectory, terms: MailTerms) -> str:
    """Return the only seat with a position. Raises: CommandError."""
    found = [path.stem for path in sorted(folder.reports_of(terms.stop).glob(f"*{POSITION_SUFFIX}"))]
    if len(found) != 1:
        raise CommandError(f"name your seat with --seat: {', '.join(found) or 'no seat needs orders now'}")
    return found[0]


def run_desk(args: argparse.Namespace) -> int:
    """Open the gamemaster's screen."""
    screen = desk_screen(args.dir)
    return run_single_screen("postal", lambda: screen)


def run_order_sheet(args: argparse.Namespace) -> int:
    found = open_draft(typed_path(args.where), args.seat)
    code = run_single_screen("postal", lambda: sheet_screen(found))
    print(f"your form: {found.path}")
    return code
