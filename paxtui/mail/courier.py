"""Exchange the letters of a mail game: fetch letters, take or refuse forms, send reports and replies.

A bad letter is refused to its sender only and never blocks other letters. The outbox is on disk: a letter is stored
there before its cause is marked as processed, and removed once the server has accepted it. After a crash in between,
the same letter is sent again with the same id.

Rules: PBM-001, PBM-018
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

from paxtui.engine.free_text import clean_text
from paxtui.engine.refusal import Refusal
from paxtui.games.pax.text.display import power_name
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
    """Record of the letters already processed.

    Attributes:
        letters: Mailbox location of each received letter, by message id.
        sent: Names of the letters already composed.
        taken: Message ids of accepted letters.
        answers: Number of refusals sent to each address on `day`.
        day: Date of `answers`.
        forms: Digests of the sealed forms received in `stop`.
        stop: Stop of `forms`.
    """

    letters: dict[str, str] = {}
    sent: tuple[str, ...] = ()
    answers: dict[str, int] = {}
    forms: tuple[str, ...] = ()
    stop: int = 0
    taken: tuple[str, ...] = ()
    day: str = ""


class Outbox:
    """The outbox of a game. All methods raise OSError."""

    def __init__(self, folder: GameDirectory) -> None:
        self._directory = folder.desk / "outbox"
        self._record = folder.desk / "mail.json"

    @property
    def processed(self) -> ProcessedLetters:
        """Read the record of processed letters. Raises: Refusal `bad_mail`."""
        if not self._record.exists():
            return ProcessedLetters()
        try:
            return msgspec.json.decode(read_regular(self._record), type=ProcessedLetters)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            why = f"{self._record} cannot be read. Move it away; letters are then sent again."
            raise Refusal("bad_mail", (), why) from None

    def save_processed(self, processed: ProcessedLetters) -> None:
        """Save the record of processed letters."""
        write_whole(self._record, msgspec.json.encode(processed), 0o600)

    def put(self, name: str, letter: bytes) -> None:
        """Store a letter under a unique name."""
        write_whole(self._directory / f"{sha256(name.encode()).hexdigest()[:24]}{LETTER_SUFFIX}", letter, 0o600)

    def waiting(self) -> Iterator[Path]:
        """Yield the unsent letters, oldest first."""
        found = self._directory.glob(f"*{LETTER_SUFFIX}") if self._directory.is_dir() else ()
        yield from sorted(found, key=lambda path: (path.stat().st_mtime_ns, path.name))


MIME_TYPES: dict[str, tuple[str, str]] = {
    ".txt": ("text", "plain"), ".md": ("text", "markdown"), ".html": ("text", "html"), ".form": ("text", "plain"),
    ".json": ("application", "json"),
}  # fmt: skip
"""MIME type by file suffix."""


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
    """Compose a letter from the gamemaster.

    Args:
        settings: Mail settings.
        to: Address of the recipient.
        subject: Subject line.
        body: Text.
        name: Unique name of the letter; its message id is derived from it.
        at: Date of the letter.
        files: Attachments by file name.
        to_letter: Message id of the letter it replies to; "" for none.
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
    """Whether a text is a valid message id."""
    return text.startswith("<") and text.endswith(">") and text.isascii() and " " not in text and len(text) < 250


def accepted_reply(written: IncomingMessage, says: str) -> str:
    """Reply to an accepted letter. Args: `says`: what was accepted, in sentences."""
    return f"{says.rstrip()}\n\n{_quoted_subject(written)}"


def duplicate_reply(written: IncomingMessage, was_taken: bool) -> str:
    """Reply to a letter that was delivered twice."""
    if was_taken:
        says = (
            "This letter arrived twice. It was accepted the first time; you need not do anything. If you have sent "
            "other orders since then, those count."
        )
    else:
        says = (
            "This letter arrived twice. It was rejected the first time; the reply to it has the reason. To send "
            "orders again, write a new letter."
        )
    return f"{says}\n\n{_quoted_subject(written)}"


def refused_reply(written: IncomingMessage, why: str) -> str:
    """Reply to a letter that was refused."""
    return f'Your letter "{written.subject[:100]}" was rejected:\n\n{why}\n\n{_quoted_subject(written)}'


def _quoted_subject(written: IncomingMessage) -> str:
    """Subject of the letter in quotes, for players who send several letters."""
    return f"Subject: {written.subject[:200]}\nMessage-ID: {written.id[:200]}\n"


def report_cover_text(report_text: str, form: str, sealed: bool, has_own: bool) -> str:
    """Text of the letter that carries a report.

    Args:
        report_text: The report.
        form: The blank form; "" for none.
        sealed: The game is sealed.
        has_own: In a sealed game, whether the seat's own report is attached.
    """
    if sealed and not has_own:
        return (
            f"{report_text}\n"
            "Your own report is not attached, because you have not joined with your invitation code yet. Ask the\n"
            "gamemaster for the code, save the attached postal.json in a new directory and run\n"
            "    paxtui postal join DIR CODE --name YOURS\n"
            "Then reply to this letter and attach the new file from orders/joining.\n"
        )
    if sealed:
        return (
            f"{report_text}\n"
            "Your own report is attached, sealed for your key. Save the files in your directory of the game and run\n"
            "    paxtui postal read DIR --form my.form\n"
            "Then reply and attach the sealed form that 'paxtui postal submit' writes.\n"
        )
    if not form:
        return report_text
    return (
        f"{report_text}\n"
        "HOW TO REPLY\n"
        "Reply to this letter and keep the subject: it proves that the reply is yours. Write one order per line,\n"
        "or attach a text file with your orders. A line with END ends them. The receipt lists the lines that were\n"
        "read as orders and those that were not. A later letter replaces an earlier one. Write 'withdraw orders'\n"
        "to withdraw your orders, or 'no orders' if you have none.\n"
    )


MOST_STRANGERS = 20
"""Maximum replies per day to addresses that belong to no player; each address gets one."""

MOST_REFUSALS = 10
"""Maximum refusals per day to one player's address. Prevents mail loops between two programs."""


class RoundResult(NamedTuple):
    """Result of one mail round.

    Attributes:
        taken: Seats whose forms were accepted, one entry for each letter.
        refused: Senders of refused letters, each with the reason.
        sent: Number of letters accepted by the server.
        waiting: Number of letters not yet accepted; they are tried again.
        told: Other messages for the gamemaster.
    """

    taken: tuple[str, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()
    sent: int = 0
    waiting: int = 0
    told: tuple[str, ...] = ()


class Courier:
    """Fetches, processes and sends the letters of a game.

    Args:
        service: Gamemaster service of the game.
        settings: Mail settings.
    """

    def __init__(self, service: GamemasterService, settings: MailSettings) -> None:
        self.service, self.settings = service, settings
        self.outbox = Outbox(service.folder)
        self._tables = load_tables()
        self._taken: list[str] = []
        self._refused: list[tuple[str, str]] = []
        self._messages: list[str] = []

    def round(self) -> RoundResult:
        """Fetch, process, reply and send. Raises: Refusal `mailbox`, `not_sent`, `busy`, ...; OSError."""
        with self._alone():
            self.service.status()
            with transport.open_mailbox(self.settings.imap) as box:
                for received in box.unread():
                    self._process(received)
                    box.mark_processed(received)
            self.service.status()  # accepts players who have sent a code
            self._write_reports()
            sent = self._send()
        waiting = sum(1 for _ in self.outbox.waiting())
        return RoundResult(tuple(self._taken), tuple(self._refused), sent, waiting, tuple(self._messages))

    def remind(self) -> tuple[str, ...]:
        """Compose a reminder for each player whose form is missing, at most one a day; the next round sends it.

        Returns: the seats reminded. Raises: Refusal, OSError.
        """
        with self._alone():
            status = self.service.status()
            today = self.service.now().date().isoformat()
            written = []
            for seat in status.missing:
                name = self._name(status.terms, seat, f"reminder {today}")
                if seat in self.settings.players and name not in self.outbox.processed.sent:
                    self._write(name, self._reminder(status.terms, seat, name))
                    written.append(seat)
        return tuple(written)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Lock the game's mail against other processes. Raises: Refusal `busy`."""
        path = self.service.folder.desk / "mail.lock"
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            lock_file(descriptor, path)
            yield
        except FileLocked:
            text = "Another process handles the e-mail of this game. Try again in a minute."
            raise Refusal("busy", (), text) from None
        finally:
            os.close(descriptor)

    # --- letters that have come -----------------------------------------------------------------------------------

    def _process(self, received: ReceivedLetter) -> None:
        """Accept or refuse a letter, reply to its sender, and mark it as processed."""
        processed = self.outbox.processed
        digest = sha256(received.data).hexdigest()
        try:
            written = parse_message(received.data)
        except Refusal as refusal:
            self._quarantine(received, refusal.message)
            return
        id_ = written.id or digest
        if processed.letters.get(id_) == received.place:
            return  # killed before the server was told
        terms = self.service.terms
        if processed.stop != terms.stop:
            processed = replace(processed, forms=(), stop=terms.stop)
        today = self.service.now().date().isoformat()
        if processed.day != today:
            processed = replace(processed, answers={}, day=today)
        if id_ in processed.letters:
            self.outbox.save_processed(self._answer_duplicate(processed, written, id_, digest, received.place))
            return
        try:
            taken = self._take(written, received, terms, processed)
        except (Refusal, OSError) as problem:
            why = problem.message if isinstance(problem, Refusal) else str(problem)
            self._quarantine(received, why)
            self._refused.append((written.sender, why))
            self._tell("refused", terms, "")
            processed = self._answer(processed, written, refused_reply(written, why), digest, refuses=True)
        else:
            for seat in taken.seats:
                self._taken.append(seat)
                self._tell("arrived", terms, seat)
            processed = self._answer(processed, written, accepted_reply(written, taken.says), digest, files=taken.files)
            processed = replace(processed, forms=(*processed.forms, *taken.digests), taken=(*processed.taken, id_))
        self.outbox.save_processed(replace(processed, letters={**processed.letters, id_: received.place}))

    def _answer_duplicate(
        self, processed: ProcessedLetters, written: IncomingMessage, id_: str, digest: str, place: str
    ) -> ProcessedLetters:
        """Reply to a letter that was delivered before; the earlier result still applies."""
        was = "accepted" if id_ in processed.taken else "rejected"
        self._messages.append(f"{written.sender}: duplicate letter; it was {was} the first time")
        if self._is_foreign(written.sender):
            return replace(processed, letters={**processed.letters, id_: place})
        text = duplicate_reply(written, was == "accepted")
        return self._answer(processed, written, text, f"{digest} {place}", refuses=True)

    def _is_foreign(self, address: str) -> bool:
        return not self.settings.seats_of(address)

    def _take(
        self, written: IncomingMessage, received: ReceivedLetter, terms: MailTerms, processed: ProcessedLetters
    ) -> IntakeResult:
        """Accept the content of a letter. Raises: Refusal, OSError."""
        if written.by_machine:
            raise Refusal("machine", (), "It is an automatic message.")
        if received.size > transport.LARGEST_LETTER:
            text = f"The letter has {received.size} bytes; the maximum is {transport.LARGEST_LETTER}."
            raise Refusal("too_large", (), text)
        seats = self.settings.seats_of(written.sender)
        if not seats:
            text = f"{written.sender} is not the address of a player of this game. Write from your registered address"
            raise Refusal("foreign", (), f"{text}, or ask the gamemaster to change it.")
        return take_message(self.service, self._tables, terms, written, received.at, seats, frozenset(processed.forms))

    def _answer(
        self, processed: ProcessedLetters, written: IncomingMessage, text: str, digest: str, *, refuses: bool = False,
        files: Mapping[str, bytes] | None = None,
    ) -> ProcessedLetters:  # fmt: skip
        """Compose a reply to the sender.

        Automatic senders get no reply, unknown addresses one a day, and players a limited number of refusals (RFC
        3834).
        """
        to = written.sender
        key = to.casefold()
        often = processed.answers.get(key, 0)
        if written.by_machine or not is_address(to) or key == self.settings.address.casefold():
            return processed
        if self._is_foreign(to):
            strangers = sum(1 for other in processed.answers if self._is_foreign(other))
            if often or strangers >= MOST_STRANGERS:
                return processed
        elif refuses and often >= MOST_REFUSALS:
            return processed
        subject = f"Re: {written.subject.removeprefix('Re: ')}"
        name, at = f"answer {digest}", self.service.now()
        letter = compose_letter(self.settings, to, subject, text, name=name, at=at, to_letter=written.id, files=files)
        self.outbox.put(name, letter)
        if not refuses:
            return processed
        return replace(processed, answers={**processed.answers, key: often + 1})

    def _quarantine(self, received: ReceivedLetter, why: str) -> None:
        """Keep a refused letter and the reason in the gamemaster's private directory."""
        directory = self.service.folder.desk / "refused"
        name = sha256(received.data or received.place.encode()).hexdigest()[:24]
        write_whole(directory / f"{name}.eml", received.data, 0o600)
        write_whole(directory / f"{name}.why.txt", why + "\n", 0o600)

    # --- letters that go out --------------------------------------------------------------------------------------

    def _write_reports(self) -> None:
        """Compose the report letters of this stop for all players who have not received theirs."""
        terms = self.service.terms
        for seat in self.settings.players:
            what, text = requested_proof(terms, seat)
            name = self._name(terms, seat, f"asked {what}")
            if what and name not in self.outbox.processed.sent:
                files = {TERMS_FILE: read_small(self.service.folder.terms)}
                self._write(name, self._compose(terms, seat, "action needed", text, name, files))
        for seat in terms.players if terms.stop else ():
            name = self._name(terms, seat, f"report {terms.keys.get(seat, '')}")
            if seat in self.settings.players and name not in self.outbox.processed.sent:
                self._write(name, self._report(terms, seat, name))
                self._tell("sent", terms, seat)

    def _write(self, name: str, letter: bytes) -> None:
        self.outbox.put(name, letter)
        processed = self.outbox.processed
        self.outbox.save_processed(replace(processed, sent=(*processed.sent, name)))

    def _name(self, terms: MailTerms, seat: str, what: str) -> str:
        return f"{terms.game} {terms.stop} {seat} {what}"

    def _compose(
        self, terms: MailTerms, seat: str, what: str, text: str, name: str, files: Mapping[str, bytes] | None = None
    ) -> bytes:
        """Compose a letter to a player. Args: `what`: what its subject says; `name`: its unique name."""
        mark = message_parser.make_token(message_parser.token_key(self.service.folder), terms.game, terms.stop, seat)
        subject = f"Pax Britannica, {power_name(self._tables, seat)}: {what} {mark}"
        to = self.settings.players[seat]
        return compose_letter(self.settings, to, subject, text, name=name, at=self.service.now(), files=files)

    def _report(self, terms: MailTerms, seat: str, name: str) -> bytes:
        there, sealed = self.service.folder.reports_of(terms.stop), bool(terms.desk_key)
        own = [seat + SEALED_SUFFIX] if sealed else [seat + PAGE_SUFFIX, seat + FORM_SUFFIX, seat + POSITION_SUFFIX]
        files = {
            file: read_small(there / file) for file in (*own, PUBLIC_REPORT + PAGE_SUFFIX) if (there / file).is_file()
        }
        if sealed:
            files[TERMS_FILE] = read_small(self.service.folder.terms)
        body = read_small(there / ((PUBLIC_REPORT if sealed else seat) + TEXT_SUFFIX)).decode()
        form = files.get(seat + FORM_SUFFIX, b"").decode()
        text = report_cover_text(body, form, sealed, seat + SEALED_SUFFIX in files)
        return self._compose(terms, seat, f"report {terms.stop}", text, name, files)

    def _reminder(self, terms: MailTerms, seat: str, name: str) -> bytes:
        text = f"Your orders for stop {terms.stop} are missing: {terms.asks}.\nDeadline: "
        text += f"{deadline_utc_text(terms.deadline)}. Without orders, the caretaker plays for you.\n"
        return self._compose(terms, seat, f"a reminder, stop {terms.stop}", text, name)

    def _send(self) -> int:
        """Send all waiting letters; failed ones stay in the outbox. Returns: the number sent."""
        waiting = list(self.outbox.waiting())
        if not waiting:
            return 0
        sent = 0
        with transport.open_sender(self.settings.smtp) as sender:
            for path in waiting:
                try:
                    sender.send(path.read_bytes())
                except Refusal as refusal:
                    self._messages.append(refusal.message)
                else:
                    path.unlink()
                    sent += 1
        return sent

    def _tell(self, event: str, terms: MailTerms, seat: str) -> None:
        values = {"game": terms.game, "stop": str(terms.stop), "seat": seat, "dir": str(self.service.folder.root)}
        wrong = transport.run_hook(self.settings.hook, event, values)
        if wrong:
            self._messages.append(wrong)
