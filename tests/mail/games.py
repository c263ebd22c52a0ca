"""A mail game for tests, with a clock that the test moves and the keys of all players."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from paxtui.games.pax.position.setup import seats_for
from paxtui.mail import fair_dice, keys, sealed_letters
from paxtui.mail.game_directory import GameDirectory, write_whole
from paxtui.mail.gamemaster import GamemasterService
from paxtui.mail.submissions import submit_form
from paxtui.session.pax_host import PaxHost
from tests.rules.harness import tables

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def killed_after(writes: int) -> Callable[..., None]:
    """Return a `write_whole` that is interrupted after some files."""
    left = iter(range(writes))

    def write(*args: Any) -> None:
        if next(left, None) is None:
            raise KeyboardInterrupt
        write_whole(*args)

    return write


class MailGame:
    """A mail game in a directory. Args: its parent directory; the number of seats; arguments of `begin`."""

    def __init__(self, root: Path, seats: int = 4, **rest: Any) -> None:
        self.time = NOON
        self.folder = GameDirectory.made(root / "spring")
        self.seats = seats_for(seats)
        self.key: dict[str, keys.SeatKey] = {}
        self.service = GamemasterService.begin(
            self.folder, tables(), self.seats, seed="mail", game_id="g1", now=lambda: self.time, **rest
        )
        if self.service.terms.desk_key:
            for seat in self.seats:
                self.join(seat, self.service.new_code(seat), seat.title())
            self.service.status()

    def join(self, seat: str, code: str, name: str) -> None:
        """Let a player take a seat."""
        self.key[seat] = keys.request_seat(self.folder, self.service.terms, code, name)

    def later(self, **time: float) -> None:
        """Move the clock."""
        self.time += timedelta(**time)

    def words(self, *silent: str) -> None:
        """Let all seats but these answer for the fair dice, and let the gamemaster's program process the answers."""
        for seat in self.seats:
            if seat not in silent:
                fair_dice.send_dice_answer(self.folder, self.service.terms, seat)
        self.service.status()

    def send(self, seat: str, text: str = "") -> Path:
        """Submit the form of a seat."""
        return submit_form(self.folder, self.service.terms, tables(), text, seat, lambda: self.time)

    def all_send(self, *silent: str, **forms: str) -> None:
        """Submit the forms of all awaited seats but these."""
        for seat in self.service.terms.waits_for:
            if seat not in silent:
                self.send(seat, forms.get(seat, ""))

    def unlock(self, *seats: str) -> list[bool]:
        """Send the keys of the forms of these seats; return whether each was accepted."""
        return [sealed_letters.send_unlock_key(self.folder, self.service.terms, self.key[seat]) for seat in seats]

    def public(self, stop: int = 0) -> str:
        """Return the public report of a stop, by default of the last one."""
        return (self.folder.reports_of(stop or self.service.terms.stop) / "public.txt").read_text("utf-8")

    def report(self, seat: str) -> str:
        """Return the last report of a seat."""
        directory = self.folder.reports_of(self.service.terms.stop)
        if seat in self.key:
            return sealed_letters.open_report((directory / f"{seat}.sealed").read_bytes(), self.key[seat]).report
        return (directory / f"{seat}.txt").read_text("utf-8")

    def sound(self) -> bool:
        """Return whether `verify` finds no difference."""
        with PaxHost.open(self.folder.game, write=False) as table:
            return table.verify() == []
