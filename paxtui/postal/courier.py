"""A round: letters fetched, taken or refused by name to their senders alone, reports and answers sent.

Whatever somebody sends, only his own letter is refused for it: nothing else waits for it, and nobody else hears of it.

Rules: PBM-001, PBM-018
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from typing import NamedTuple

from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.pax.words.spoken import power_name
from paxtui.postal import answers, hook, mailbox, passes, sending
from paxtui.postal.intake import Intake, taken_from
from paxtui.postal.mailbox import Received
from paxtui.postal.outbox import Dealt, Outbox
from paxtui.postal.proofs import asked_of
from paxtui.postal.reading import Written, read
from paxtui.postal.settings import MailSettings, is_address
from paxtui.table.disk.files import Locked, lock
from paxtui.table.postal.desk import Desk
from paxtui.table.postal.folder import FORM, PAGE, PUBLIC, TERMS, TEXT, read_small, write
from paxtui.table.postal.letters import SEALED
from paxtui.table.postal.position import POSITION
from paxtui.table.postal.terms import Terms, said_anywhere
from paxtui.table.tables import load_tables

MOST_STRANGERS = 20
"""Answers in a day to addresses that are no player's; each of them gets one."""

MOST_REFUSALS = 10
"""Answers in a day that refuse letters from a player's address: two machines do not write to each other for ever."""


class Round(NamedTuple):
    """What a round has done.

    Attributes:
        taken: seats whose forms were taken, one for each letter.
        refused: senders whose letters were not, each with the reason.
        sent: letters that the server has.
        waiting: letters that it has not; they are tried again.
        told: what else is to be said.
    """

    taken: tuple[str, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()
    sent: int = 0
    waiting: int = 0
    told: tuple[str, ...] = ()


class Courier:
    """Carries the letters of a game. Args: its desk; the settings."""

    def __init__(self, desk: Desk, settings: MailSettings) -> None:
        self.desk, self.settings = desk, settings
        self.outbox = Outbox(desk.folder)
        self._tables = load_tables()
        self._taken: list[str] = []
        self._refused: list[tuple[str, str]] = []
        self._told: list[str] = []

    def round(self) -> Round:
        """Fetch, take, answer, send. Raises: Refusal `mailbox`, `not_sent`, `busy`, ...; OSError."""
        with self._alone():
            self.desk.status()
            with mailbox.opened(self.settings.imap) as box:
                for received in box.unread():
                    self._deal_with(received)
                    box.dealt_with(received)
            self.desk.status()  # lets those in who have sent a code
            self._write_reports()
            sent = self._send()
        waiting = sum(1 for _ in self.outbox.waiting())
        return Round(tuple(self._taken), tuple(self._refused), sent, waiting, tuple(self._told))

    def remind(self) -> tuple[str, ...]:
        """Write a reminder to each player whose form is missing, once a day; the next round sends it.

        Returns: their seats. Raises: Refusal, OSError.
        """
        with self._alone():
            status = self.desk.status()
            today = self.desk.now().date().isoformat()
            written = []
            for seat in status.missing:
                name = self._name(status.terms, seat, f"reminder {today}")
                if seat in self.settings.players and name not in self.outbox.dealt.sent:
                    self._write(name, self._reminder(status.terms, seat, name))
                    written.append(seat)
        return tuple(written)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Nobody else carries letters of this game meanwhile. Raises: Refusal `busy`."""
        path = self.desk.folder.desk / "mail.lock"
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            lock(descriptor, path)
            yield
        except Locked:
            raise Refusal("busy", (), "Another program carries letters of this game: try again in a minute.") from None
        finally:
            os.close(descriptor)

    # --- letters that have come -----------------------------------------------------------------------------------

    def _deal_with(self, received: Received) -> None:
        """Take a letter or refuse it, answer its sender, and note that it has come."""
        dealt = self.outbox.dealt
        digest = sha256(received.data).hexdigest()
        try:
            written = read(received.data)
        except Refusal as refusal:
            self._put_aside(received, refusal.message)
            return
        id_ = written.id or digest
        if dealt.letters.get(id_) == received.place:
            return  # killed before the server was told
        terms = self.desk.terms
        if dealt.stop != terms.stop:
            dealt = replace(dealt, forms=(), stop=terms.stop)
        today = self.desk.now().date().isoformat()
        if dealt.day != today:
            dealt = replace(dealt, answers={}, day=today)
        if id_ in dealt.letters:
            self.outbox.note(self._answer_twin(dealt, written, id_, digest, received.place))
            return
        try:
            taken = self._take(written, received, terms, dealt)
        except (Refusal, OSError) as problem:
            why = problem.message if isinstance(problem, Refusal) else str(problem)
            self._put_aside(received, why)
            self._refused.append((written.sender, why))
            self._tell("refused", terms, "")
            dealt = self._answer(dealt, written, answers.refused(written, why), digest, refuses=True)
        else:
            for seat in taken.seats:
                self._taken.append(seat)
                self._tell("arrived", terms, seat)
            dealt = self._answer(dealt, written, answers.taken(written, taken.says), digest, files=taken.files)
            dealt = replace(dealt, forms=(*dealt.forms, *taken.digests), taken=(*dealt.taken, id_))
        self.outbox.note(replace(dealt, letters={**dealt.letters, id_: received.place}))

    def _answer_twin(self, dealt: Dealt, written: Written, id_: str, digest: str, place: str) -> Dealt:
        """Answer a letter that was delivered before: what became of it then still holds."""
        was = "taken" if id_ in dealt.taken else "refused"
        self._told.append(f"{written.sender}: the same letter came again; it was {was} the first time")
        if self._is_foreign(written.sender):
            return replace(dealt, letters={**dealt.letters, id_: place})
        text = answers.came_twice(written, was == "taken")
        return self._answer(dealt, written, text, f"{digest} {place}", refuses=True)

    def _is_foreign(self, address: str) -> bool:
        return not self.settings.seats_of(address)

    def _take(self, written: Written, received: Received, terms: Terms, dealt: Dealt) -> Intake:
        """Take what a letter brings. Raises: Refusal, OSError."""
        if written.by_machine:
            raise Refusal("machine", (), "A machine has written it.")
        if received.size > mailbox.LARGEST:
            raise Refusal("too_large", (), f"The letter has {received.size} bytes; {mailbox.LARGEST} are the most.")
        seats = self.settings.seats_of(written.sender)
        if not seats:
            raise Refusal(
                "foreign", (), f"{written.sender} is no address of a player of this game. Write from the one that the "
                "gamemaster knows, or tell him of the new one.",
            )  # fmt: skip
        return taken_from(self.desk, self._tables, terms, written, received.at, seats, frozenset(dealt.forms))

    def _answer(
        self, dealt: Dealt, written: Written, text: str, digest: str, *, refuses: bool = False,
        files: Mapping[str, bytes] | None = None,
    ) -> Dealt:  # fmt: skip
        """Write an answer, to the sender alone.

        Machines get none, strangers one a day, and players no endless row of refusals (RFC 3834).
        """
        to = written.sender
        key = to.casefold()
        often = dealt.answers.get(key, 0)
        if written.by_machine or not is_address(to) or key == self.settings.address.casefold():
            return dealt
        if self._is_foreign(to):
            strangers = sum(1 for other in dealt.answers if self._is_foreign(other))
            if often or strangers >= MOST_STRANGERS:
                return dealt
        elif refuses and often >= MOST_REFUSALS:
            return dealt
        subject = f"Re: {written.subject.removeprefix('Re: ')}"
        name = f"answer {digest}"
        at = self.desk.now()
        letter = answers.letter(
            self.settings, to, subject, text, name=name, at=at, to_letter=written.id, files=files
        )
        self.outbox.put(name, letter)
        if not refuses:
            return dealt
        return replace(dealt, answers={**dealt.answers, key: often + 1})

    def _put_aside(self, received: Received, why: str) -> None:
        """Keep a letter that was not taken, with the reason, where only the gamemaster looks."""
        directory = self.desk.folder.desk / "refused"
        name = sha256(received.data or received.place.encode()).hexdigest()[:24]
        write(directory / f"{name}.eml", received.data, 0o600)
        write(directory / f"{name}.why.txt", why + "\n", 0o600)

    # --- letters that go out --------------------------------------------------------------------------------------

    def _write_reports(self) -> None:
        """Write the letters that bring the reports of this stop, to all who have not been sent theirs."""
        terms = self.desk.terms
        for seat in self.settings.players:
            what, said = asked_of(terms, seat)
            name = self._name(terms, seat, f"asked {what}")
            if what and name not in self.outbox.dealt.sent:
                self._write(name, self._asked(terms, seat, name, said))
        for seat in terms.players if terms.stop else ():
            name = self._name(terms, seat, f"report {terms.keys.get(seat, '')}")
            if seat in self.settings.players and name not in self.outbox.dealt.sent:
                self._write(name, self._report(terms, seat, name))
                self._tell("sent", terms, seat)

    def _write(self, name: str, letter: bytes) -> None:
        self.outbox.put(name, letter)
        dealt = self.outbox.dealt
        self.outbox.note(replace(dealt, sent=(*dealt.sent, name)))

    def _name(self, terms: Terms, seat: str, what: str) -> str:
        return f"{terms.game} {terms.stop} {seat} {what}"

    def _subject(self, terms: Terms, seat: str, what: str) -> str:
        mark = passes.mark_of(passes.key_of(self.desk.folder), terms.game, terms.stop, seat)
        return f"Pax Britannica, {power_name(self._tables, seat)}: {what} {mark}"

    def _report(self, terms: Terms, seat: str, name: str) -> bytes:
        """The letter that brings a seat its report."""
        there, sealed = self.desk.folder.reports_of(terms.stop), bool(terms.desk_key)
        own = [seat + SEALED] if sealed else [seat + PAGE, seat + FORM, seat + POSITION]
        files = {file: read_small(there / file) for file in (*own, PUBLIC + PAGE) if (there / file).is_file()}
        if sealed:
            files[TERMS] = read_small(self.desk.folder.terms)
        body = read_small(there / ((PUBLIC if sealed else seat) + TEXT)).decode()
        text = answers.report(body, files.get(seat + FORM, b"").decode(), sealed, seat + SEALED in files)
        return answers.letter(
            self.settings, self.settings.players[seat], self._subject(terms, seat, f"report {terms.stop}"), text,
            name=name, at=self.desk.now(), files=files,
        )  # fmt: skip

    def _asked(self, terms: Terms, seat: str, name: str, said: str) -> bytes:
        """The letter that asks a player's program for a key or a word, or invites him to take his seat."""
        return answers.letter(
            self.settings, self.settings.players[seat], self._subject(terms, seat, "something is wanted of you"), said,
            name=name, at=self.desk.now(), files={TERMS: read_small(self.desk.folder.terms)},
        )  # fmt: skip

    def _reminder(self, terms: Terms, seat: str, name: str) -> bytes:
        text = f"Nothing of yours has come for stop {terms.stop}: {terms.asks}.\nDeadline: "
        text += f"{said_anywhere(terms.deadline)}. Then the caretaker plays for you.\n"
        return answers.letter(
            self.settings, self.settings.players[seat], self._subject(terms, seat, f"a reminder, stop {terms.stop}"),
            text, name=name, at=self.desk.now(),
        )  # fmt: skip

    def _send(self) -> int:
        """Send what waits; what the server does not take waits on. Returns: how many it has taken."""
        waiting = list(self.outbox.waiting())
        if not waiting:
            return 0
        sent = 0
        with sending.opened(self.settings.smtp) as sender:
            for path in waiting:
                try:
                    sender.send(path.read_bytes())
                except Refusal as refusal:
                    self._told.append(refusal.message)
                else:
                    path.unlink()
                    sent += 1
        return sent

    def _tell(self, event: str, terms: Terms, seat: str) -> None:
        """Tell the hook."""
        told = {"game": terms.game, "stop": str(terms.stop), "seat": seat, "dir": str(self.desk.folder.root)}
        wrong = hook.tell(self.settings.hook, event, told)
        if wrong:
            self._told.append(wrong)
