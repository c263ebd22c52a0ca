"""A round: letters fetched, taken or refused by name to their senders alone, reports and answers sent.

Whatever somebody sends, only his own letter is refused for it: nothing else waits for it, and nobody else hears of it.

Rules: PBM-001, PBM-018

Letters that wait to be sent, and what has been dealt with: on the disk, so that a program that is killed goes on.

A letter is written into the outbox before its cause is noted as dealt with, and leaves it once the server has it.
Killed in between, the same letter with the same id is sent again, which mail programs show once.

What the desk writes: a report to each seat, an answer to whoever has written, a reminder to who has sent nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.text.display import power_name
from paxtui.games.pax.text.free_text import clean_text
from paxtui.mail import message_parser, transport
from paxtui.mail.game_directory import (
    FORM_SUFFIX,
    PAGE_SUFFIX,
    PUBLIC_REPORT,
    TERMS_FILE,
    TEXT_SUFFIX,
    GameDirectory,
    MailTerms,
    deadline_utc_text,
    read_small,
    write_whole,
)
from paxtui.mail.gamemaster import GamemasterService
from paxtui.mail.intake import IntakeResult, requested_proof, take_message
from paxtui.mail.message_parser import IncomingMessage, parse_message
from paxtui.mail.reports import POSITION_SUFFIX
from paxtui.mail.sealed_letters import SEALED_SUFFIX
from paxtui.mail.transport import MailSettings, ReceivedLetter, is_address
from paxtui.session.storage.files import FileLocked, lock_file, read_regular
from paxtui.session.tables.loader import load_tables

LETTER_SUFFIX = ".eml"


class ProcessedLetters(msgspec.Struct, frozen=True):
    """What has been dealt with.

    Attributes:
        letters: where each letter lay that has come, by its id.
        sent: names of the letters that have been written.
        taken: the ids of letters that were taken.
        answers: how many letters of an address have been refused with an answer on that day.
        day: that day.
        forms: digests of the sealed forms that have come in this stop.
        stop: that stop.
    """

    letters: dict[str, str] = {}
    sent: tuple[str, ...] = ()
    answers: dict[str, int] = {}
    forms: tuple[str, ...] = ()
    stop: int = 0
    taken: tuple[str, ...] = ()
    day: str = ""


class Outbox:
    """The outbox of a game. Args: its directory. Raises everywhere: OSError."""

    def __init__(self, folder: GameDirectory) -> None:
        self._directory = folder.desk / "outbox"
        self._dealt = folder.desk / "mail.json"

    @property
    def dealt(self) -> ProcessedLetters:
        """What has been dealt with. Raises: Refusal `bad_mail`."""
        if not self._dealt.exists():
            return ProcessedLetters()
        try:
            return msgspec.json.decode(read_regular(self._dealt), type=ProcessedLetters)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            why = f"{self._dealt} cannot be read: put it aside, and letters are sent again."
            raise Refusal("bad_mail", (), why) from None

    def note(self, dealt: ProcessedLetters) -> None:
        """Note what has been dealt with."""
        write_whole(self._dealt, msgspec.json.encode(dealt), 0o600)

    def put(self, name: str, letter: bytes) -> None:
        """Put a letter there. Args: what is only this letter's; it."""
        write_whole(self._directory / f"{sha256(name.encode()).hexdigest()[:24]}{LETTER_SUFFIX}", letter, 0o600)

    def waiting(self) -> Iterator[Path]:
        """The letters that wait, in the order in which they were put there."""
        found = self._directory.glob(f"*{LETTER_SUFFIX}") if self._directory.is_dir() else ()
        yield from sorted(found, key=lambda path: (path.stat().st_mtime_ns, path.name))


MIME_TYPES: dict[str, tuple[str, str]] = {
    ".txt": ("text", "plain"), ".md": ("text", "markdown"), ".html": ("text", "html"), ".form": ("text", "plain"),
    ".json": ("application", "json"),
}  # fmt: skip
"""What a file is, by its ending."""


def compose_letter(
    settings: MailSettings,
    to: str,
    subject: str,
    body: str,
    *,
    name: str,
    at: datetime,
    files: Mapping[str, bytes] | None = None,
    to_letter: str = "",
) -> bytes:
    """A letter from the desk.

    Args: the settings; whom it goes to; subject; text; what is only this letter's, for its id; when; files by name;
        the id of the letter that it answers, "" for none.
    """
    message = EmailMessage(policy=SMTP)
    message["From"] = Address(clean_text(settings.name), addr_spec=settings.address)
    message["To"] = Address(addr_spec=to)
    message["Subject"] = clean_text(subject)[:400]
    message["Date"] = format_datetime(at)
    message["Message-ID"] = f"<{sha256(name.encode()).hexdigest()[:32]}@{settings.address.rpartition('@')[2]}>"
    message["Auto-Submitted"] = "auto-replied" if to_letter else "auto-generated"
    if is_message_id(to_letter):
        message["In-Reply-To"] = to_letter
        message["References"] = to_letter
    message.set_content(body, cte="quoted-printable" if not body.isascii() else None)
    for file, data in (files or {}).items():
        main, sub = MIME_TYPES.get(file[file.rfind(".") :], ("application", "octet-stream"))
        if main == "text":
            message.add_attachment(data.decode(), subtype=sub, filename=file)
        else:
            message.add_attachment(data, maintype=main, subtype=sub, filename=file)
    return message.as_bytes()


def is_message_id(text: str) -> bool:
    """Whether a text is the id of a letter that may be named in another."""
    return text.startswith("<") and text.endswith(">") and text.isascii() and " " not in text and len(text) < 250


def accepted_reply(written: IncomingMessage, says: str) -> str:
    """The answer to a letter that has been taken. Args: it; what was taken, in sentences."""
    return f"{says.rstrip()}\n\n{_quoted_subject(written)}"


def duplicate_reply(written: IncomingMessage, was_taken: bool) -> str:
    """The answer to a letter that was delivered twice."""
    if was_taken:
        says = (
            "This letter has come a second time. It was taken the first time, and that holds: you need not do "
            "anything. If "
            "you have sent other orders since, those count."
        )
    else:
        says = (
            "This letter has come a second time. It was refused the first time, for the reason in the answer that "
            "you got "
            "then. To send orders again write a new letter."
        )
    return f"{says}\n\n{_quoted_subject(written)}"


def refused_reply(written: IncomingMessage, why: str, remedy: str = "") -> str:
    """The answer to a letter that could not be taken."""
    more = f"{remedy}\n\n" if remedy else ""
    return (
        f'Nothing of your letter "{written.subject[:100]}" has been taken:\n\n{why}\n\n{more}{_quoted_subject(written)}'
    )


def _quoted_subject(written: IncomingMessage) -> str:
    """What a letter is called, for whoever has sent several."""
    return f"Subject: {written.subject[:200]}\nMessage-ID: {written.id[:200]}\n"


def report_cover_text(report_text: str, form: str, sealed: bool, has_own: bool = True) -> str:
    """The text of the letter that brings a report.

    Args: the report; the form, "" for none; whether the game is sealed, and then whether the seat's own is enclosed.
    """
    if sealed and not has_own:
        return (
            f"{report_text}\n"
            "Your own report is not enclosed: nobody has taken your seat with its code yet. Ask the gamemaster "
            "for the\n"
            "code, put the enclosed postal.json into a directory of its own and type\n"
            "    paxtui postal join DIR CODE --name YOURS\n"
            "Then answer this letter and enclose the file in orders/joining that it makes.\n"
        )
    if sealed:
        return (
            f"{report_text}\n"
            "Your own report is enclosed, sealed for your key. Put the files into your directory of the game and type\n"
            "    paxtui postal read DIR --form my.form\n"
            "and send the sealed form that 'paxtui postal submit' makes as the enclosure of your answer.\n"
        )
    if not form:
        return report_text
    return (
        f"{report_text}\n"
        "HOW TO ANSWER\n"
        "Answer this letter and leave its subject as it is: it proves that the answer is yours. Write your orders "
        "one a\n"
        "line, or attach them as a text file. An END line ends them. The receipt repeats what was read as an "
        "order and\n"
        "what was not. A later letter with orders replaces an earlier one; 'withdraw orders' takes yours back, and\n"
        "'no orders' says that you have none.\n"
    )


MOST_STRANGERS = 20
"""Answers in a day to addresses that are no player's; each of them gets one."""

MOST_REFUSALS = 10
"""Answers in a day that refuse letters from a player's address: two machines do not write to each other for ever."""


class RoundResult(NamedTuple):
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

    def __init__(self, desk: GamemasterService, settings: MailSettings) -> None:
        self.desk, self.settings = desk, settings
        self.outbox = Outbox(desk.folder)
        self._tables = load_tables()
        self._taken: list[str] = []
        self._refused: list[tuple[str, str]] = []
        self._told: list[str] = []

    def round(self) -> RoundResult:
        """Fetch, take, answer, send. Raises: Refusal `mailbox`, `not_sent`, `busy`, ...; OSError."""
        with self._alone():
            self.desk.status()
            with transport.open_mailbox(self.settings.imap) as box:
                for received in box.unread():
                    self._deal_with(received)
                    box.mark_processed(received)
            self.desk.status()  # lets those in who have sent a code
            self._write_reports()
            sent = self._send()
        waiting = sum(1 for _ in self.outbox.waiting())
        return RoundResult(tuple(self._taken), tuple(self._refused), sent, waiting, tuple(self._told))

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
            lock_file(descriptor, path)
            yield
        except FileLocked:
            raise Refusal("busy", (), "Another program carries letters of this game: try again in a minute.") from None
        finally:
            os.close(descriptor)

    # --- letters that have come -----------------------------------------------------------------------------------

    def _deal_with(self, received: ReceivedLetter) -> None:
        """Take a letter or refuse it, answer its sender, and note that it has come."""
        dealt = self.outbox.dealt
        digest = sha256(received.data).hexdigest()
        try:
            written = parse_message(received.data)
        except Refusal as refusal:
            self._set_aside(received, refusal.message)
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
            self._set_aside(received, why)
            self._refused.append((written.sender, why))
            self._tell("refused", terms, "")
            dealt = self._answer(dealt, written, refused_reply(written, why), digest, refuses=True)
        else:
            for seat in taken.seats:
                self._taken.append(seat)
                self._tell("arrived", terms, seat)
            dealt = self._answer(dealt, written, accepted_reply(written, taken.says), digest, files=taken.files)
            dealt = replace(dealt, forms=(*dealt.forms, *taken.digests), taken=(*dealt.taken, id_))
        self.outbox.note(replace(dealt, letters={**dealt.letters, id_: received.place}))

    def _answer_twin(
        self, dealt: ProcessedLetters, written: IncomingMessage, id_: str, digest: str, place: str
    ) -> ProcessedLetters:
        """Answer a letter that was delivered before: what became of it then still holds."""
        was = "taken" if id_ in dealt.taken else "refused"
        self._told.append(f"{written.sender}: the same letter came again; it was {was} the first time")
        if self._is_foreign(written.sender):
            return replace(dealt, letters={**dealt.letters, id_: place})
        text = duplicate_reply(written, was == "taken")
        return self._answer(dealt, written, text, f"{digest} {place}", refuses=True)

    def _is_foreign(self, address: str) -> bool:
        return not self.settings.seats_of(address)

    def _take(
        self, written: IncomingMessage, received: ReceivedLetter, terms: MailTerms, dealt: ProcessedLetters
    ) -> IntakeResult:
        """Take what a letter brings. Raises: Refusal, OSError."""
        if written.by_machine:
            raise Refusal("machine", (), "A machine has written it.")
        if received.size > transport.LARGEST_LETTER:
            raise Refusal(
                "too_large", (), f"The letter has {received.size} bytes; {transport.LARGEST_LETTER} are the most."
            )
        seats = self.settings.seats_of(written.sender)
        if not seats:
            raise Refusal(
                "foreign", (), f"{written.sender} is no address of a player of this game. Write from the one that the "
                "gamemaster knows, or tell him of the new one.",
            )  # fmt: skip
        return take_message(self.desk, self._tables, terms, written, received.at, seats, frozenset(dealt.forms))

    def _answer(
        self, dealt: ProcessedLetters, written: IncomingMessage, text: str, digest: str, *, refuses: bool = False,
        files: Mapping[str, bytes] | None = None,
    ) -> ProcessedLetters:  # fmt: skip
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
        letter = compose_letter(
            self.settings, to, subject, text, name=name, at=at, to_letter=written.id, files=files
        )
        self.outbox.put(name, letter)
        if not refuses:
            return dealt
        return replace(dealt, answers={**dealt.answers, key: often + 1})

    def _set_aside(self, received: ReceivedLetter, why: str) -> None:
        """Keep a letter that was not taken, with the reason, where only the gamemaster looks."""
        directory = self.desk.folder.desk / "refused"
        name = sha256(received.data or received.place.encode()).hexdigest()[:24]
        write_whole(directory / f"{name}.eml", received.data, 0o600)
        write_whole(directory / f"{name}.why.txt", why + "\n", 0o600)

    # --- letters that go out --------------------------------------------------------------------------------------

    def _write_reports(self) -> None:
        """Write the letters that bring the reports of this stop, to all who have not been sent theirs."""
        terms = self.desk.terms
        for seat in self.settings.players:
            what, said = requested_proof(terms, seat)
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

    def _name(self, terms: MailTerms, seat: str, what: str) -> str:
        return f"{terms.game} {terms.stop} {seat} {what}"

    def _subject(self, terms: MailTerms, seat: str, what: str) -> str:
        mark = message_parser.make_token(message_parser.token_key(self.desk.folder), terms.game, terms.stop, seat)
        return f"Pax Britannica, {power_name(self._tables, seat)}: {what} {mark}"

    def _report(self, terms: MailTerms, seat: str, name: str) -> bytes:
        """The letter that brings a seat its report."""
        there, sealed = self.desk.folder.reports_of(terms.stop), bool(terms.desk_key)
        own = [seat + SEALED_SUFFIX] if sealed else [seat + PAGE_SUFFIX, seat + FORM_SUFFIX, seat + POSITION_SUFFIX]
        files = {
            file: read_small(there / file) for file in (*own, PUBLIC_REPORT + PAGE_SUFFIX) if (there / file).is_file()
        }
        if sealed:
            files[TERMS_FILE] = read_small(self.desk.folder.terms)
        body = read_small(there / ((PUBLIC_REPORT if sealed else seat) + TEXT_SUFFIX)).decode()
        text = report_cover_text(
            body, files.get(seat + FORM_SUFFIX, b"").decode(), sealed, seat + SEALED_SUFFIX in files
        )
        return compose_letter(
            self.settings, self.settings.players[seat], self._subject(terms, seat, f"report {terms.stop}"), text,
            name=name, at=self.desk.now(), files=files,
        )  # fmt: skip

    def _asked(self, terms: MailTerms, seat: str, name: str, said: str) -> bytes:
        """The letter that asks a player's program for a key or a word, or invites him to take his seat."""
        return compose_letter(
            self.settings, self.settings.players[seat], self._subject(terms, seat, "something is wanted of you"), said,
            name=name, at=self.desk.now(), files={TERMS_FILE: read_small(self.desk.folder.terms)},
        )  # fmt: skip

    def _reminder(self, terms: MailTerms, seat: str, name: str) -> bytes:
        text = f"Nothing of yours has come for stop {terms.stop}: {terms.asks}.\nDeadline: "
        text += f"{deadline_utc_text(terms.deadline)}. Then the caretaker plays for you.\n"
        return compose_letter(
            self.settings, self.settings.players[seat], self._subject(terms, seat, f"a reminder, stop {terms.stop}"),
            text, name=name, at=self.desk.now(),
        )  # fmt: skip

    def _send(self) -> int:
        """Send what waits; what the server does not take waits on. Returns: how many it has taken."""
        waiting = list(self.outbox.waiting())
        if not waiting:
            return 0
        sent = 0
        with transport.open_sender(self.settings.smtp) as sender:
            for path in waiting:
                try:
                    sender.send(path.read_bytes())
                except Refusal as refusal:
                    self._told.append(refusal.message)
                else:
                    path.unlink()
                    sent += 1
        return sent

    def _tell(self, event: str, terms: MailTerms, seat: str) -> None:
        """Tell the hook."""
        told = {"game": terms.game, "stop": str(terms.stop), "seat": seat, "dir": str(self.desk.folder.root)}
        wrong = transport.run_hook(self.settings.hook, event, told)
        if wrong:
            self._told.append(wrong)
