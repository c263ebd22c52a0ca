"""Mail games for tests: a directory, a clock that stands still, and players whose keys lie in one place."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from paxtui.games.pax.position.setup import seats_for
from paxtui.mail import fair_dice, keys, sealed_letters
from paxtui.mail.game_directory import GameDirectory
from paxtui.mail.gamemaster import GamemasterService
from paxtui.mail.submissions import submit_form
from paxtui.session.pax_host import PaxHost
from tests.rules.harness import tables

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


class MailGame:
    """A mail game in a directory. Args: where; how many seats; what `Desk.begin` takes."""

    def __init__(self, root: Path, seats: int = 4, **rest: Any) -> None:
        self.time = NOON
        self.folder = GameDirectory.made(root / "spring")
        self.seats = seats_for(seats)
        self.key: dict[str, keys.SeatKey] = {}
        self.desk = GamemasterService.begin(
            self.folder, tables(), self.seats, seed="mail", game_id="g1", now=lambda: self.time, **rest
        )
        if self.desk.terms.desk_key:
            for seat in self.seats:
                self.join(seat, self.desk.new_code(seat), seat.title())
            self.desk.status()

    def join(self, seat: str, code: str, name: str) -> None:
        """A player takes a seat."""
        self.key[seat] = keys.request_seat(self.folder, self.desk.terms, code, name)

    def later(self, **time: float) -> None:
        """Let time go by."""
        self.time += timedelta(**time)

    def words(self, *silent: str) -> None:
        """Everybody but these gives what is wanted for the dice; the desk looks."""
        for seat in self.seats:
            if seat not in silent:
                fair_dice.send_dice_answer(self.folder, self.desk.terms, seat)
        self.desk.status()

    def send(self, seat: str, text: str) -> Path:
        """A seat hands its form in."""
        return submit_form(self.folder, self.desk.terms, tables(), text, seat, lambda: self.time)

    def all_send(self, *silent: str, **forms: str) -> None:
        """All that are waited for hand their forms in, but these."""
        for seat in self.desk.terms.waits_for:
            if seat not in silent:
                self.send(seat, forms.get(seat, ""))

    def unlock(self, *seats: str) -> list[bool]:
        """These send the keys of their forms."""
        return [sealed_letters.send_unlock_key(self.folder, self.desk.terms, self.key[seat]) for seat in seats]

    def public(self, stop: int = 0) -> str:
        """The public report of a stop, of the last one by default."""
        return (self.folder.reports_of(stop or self.desk.terms.stop) / "public.txt").read_text("utf-8")

    def report(self, seat: str) -> str:
        """What a seat has been told last."""
        directory = self.folder.reports_of(self.desk.terms.stop)
        if seat in self.key:
            return sealed_letters.open_report((directory / f"{seat}.sealed").read_bytes(), self.key[seat]).report
        return (directory / f"{seat}.txt").read_text("utf-8")

    def sound(self) -> bool:
        """Whether `verify` accounts for every line of the log."""
        with PaxHost.open(self.folder.game, write=False) as table:
            return table.verify() == []
