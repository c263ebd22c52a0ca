"""Parse incoming letters: sender, subject, reply token, orders and enclosed files.

A sender address proves nothing. Each report letter has a reply token in its subject, made for game, stop and seat with
a key of the gamemaster. A reply repeats the token and so proves that the sender received the report.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.errors import MessageError
from email.message import EmailMessage, MIMEPart
from email.policy import default
from email.utils import parseaddr
from hashlib import sha256
from html.parser import HTMLParser
from itertools import islice
from secrets import token_hex
from typing import NamedTuple

from paxtui.engine.free_text import clean_text
from paxtui.engine.refusal import Refusal
from paxtui.mail.fair_dice import DICE_SUFFIX
from paxtui.mail.game_directory import FORM_SUFFIX, GameDirectory, read_small, write_whole
from paxtui.mail.keys import JOIN_SUFFIX
from paxtui.mail.sealed_letters import SEALED_SUFFIX, UNLOCK_SUFFIX
from paxtui.mail.submissions import decode_form

TOKEN_LENGTH = 20
"""Hexadecimal digits of the proof in a token (80 bits)."""

_TOKEN = re.compile(r"\[pax ([\w-]{1,40}) (\d{1,5}) ([a-z_]{1,30}) ([0-9a-f]{8,64})\]")


class ReplyToken(NamedTuple):
    """A token found in a subject; not yet verified."""

    game: str
    stop: int
    seat: str
    proof: str


def token_key(folder: GameDirectory) -> bytes:
    """Read the gamemaster's key for tokens; create it if it does not exist. Raises: OSError."""
    path = folder.desk / "passes.key"
    if not path.exists():
        write_whole(path, token_hex(32), 0o600)
    return bytes.fromhex(read_small(path).decode())


def make_token(key: bytes, game: str, stop: int, seat: str) -> str:
    """Return the token for the subject of a report."""
    proof = hmac.new(key, f"{game}|{stop}|{seat}".encode(), sha256).hexdigest()[:TOKEN_LENGTH]
    return f"[pax {game} {stop} {seat} {proof}]"


def parse_token(subject: str) -> ReplyToken | None:
    """Return the token in a subject, without verifying it."""
    found = _TOKEN.search(" ".join(subject.split()))
    return ReplyToken(found[1], int(found[2]), found[3], found[4]) if found else None


def is_valid_token(key: bytes, mark: ReplyToken) -> bool:
    """Whether a token was made with the given key."""
    true = make_token(key, mark.game, mark.stop, mark.seat)
    return hmac.compare_digest(true, f"[pax {mark.game} {mark.stop} {mark.seat} {mark.proof}]")


_QUOTED = re.compile(r"\s*>")
MOST_PARTS = 50
"""Maximum number of MIME parts examined."""


class IncomingMessage(NamedTuple):
    """A parsed letter.

    Attributes:
        sender: Address in the From header, unverified; "" for none.
        subject: Subject in one line.
        id: Message id.
        mark: Token in the subject; None for none.
        by_machine: An automatic reply, a bounce or a mailing list.
        message: The whole message.
    """

    sender: str
    subject: str
    id: str
    mark: ReplyToken | None
    by_machine: bool
    message: EmailMessage


@contextmanager
def _refuse_unreadable() -> Iterator[None]:
    """Replace the errors that the standard library raises for malformed letters by Refusal `not_text`."""
    try:
        yield
    except (MessageError, ValueError, LookupError, AttributeError, TypeError, AssertionError, RecursionError):
        raise Refusal("not_text", (), "The letter cannot be read.") from None


def parse_message(data: bytes) -> IncomingMessage:
    """Parse a letter. Raises: Refusal `not_text`."""
    with _refuse_unreadable():
        message = message_from_bytes(data, EmailMessage, policy=default)
        subject = clean_text(str(message.get("Subject", "")))[:300]
        sender = parseaddr(str(message.get("From", "")))[1]
        mark = parse_token(subject)
        machine = _is_by_machine(message, sender) or (mark is None and _refuses_auto_reply(message))
        id_ = clean_text(str(message.get("Message-ID", "")))[:300]
        return IncomingMessage(sender, subject, id_, mark, machine, message)


_MACHINES = ("mailer-daemon", "postmaster", "no-reply", "noreply", "donotreply", "do-not-reply", "bounce", "bounces")


def _is_by_machine(message: EmailMessage, sender: str) -> bool:
    """Whether a letter is automatic: a reply, a bounce or a mailing list (RFC 3834)."""
    if str(message.get("Auto-Submitted", "no")).partition(";")[0].strip().casefold() != "no":
        return True
    if str(message.get("Precedence", "")).strip().casefold() in ("bulk", "list", "junk", "auto_reply"):
        return True
    if any(name in message for name in ("List-Id", "List-Post", "List-Unsubscribe", "X-Autoreply", "X-Autorespond",
                                        "X-Failed-Recipients", "X-Loop")):  # fmt: skip
        return True
    if str(message.get("Return-Path", "")).strip() == "<>" or message.get_content_type() == "multipart/report":
        return True
    return sender.partition("@")[0].casefold() in _MACHINES


def _refuses_auto_reply(message: EmailMessage) -> bool:
    """Whether a letter asks for no automatic reply (Exchange header)."""
    asked = str(message.get("X-Auto-Response-Suppress", "")).casefold()
    return any(word.strip() in ("all", "autoreply") for word in asked.split(","))


class EnclosedFile(NamedTuple):
    """An attached game file. `name`: its name without directories."""

    name: str
    data: bytes


def enclosed_files(written: IncomingMessage) -> tuple[EnclosedFile, ...]:
    """Return the attached sealed forms, keys, dice letters and join letters. Raises: Refusal `not_text`."""
    found = []
    for name, part in _attached_files(written):
        if name.endswith((SEALED_SUFFIX, JOIN_SUFFIX, UNLOCK_SUFFIX, DICE_SUFFIX)):
            found.append(EnclosedFile(name, _part_data(part)))
    return tuple(found)


class OrderSource(NamedTuple):
    """A text of a letter that can contain orders.

    Attributes:
        name: Name of the attached file; "" for the letter itself.
        text: The text.
    """

    name: str
    text: str


def order_sources(written: IncomingMessage) -> tuple[OrderSource, ...]:
    """Return the text of a letter and its attached forms and text files.

    Raises: Refusal `not_text`.
    """
    found: list[OrderSource] = []
    body: list[str] = []
    with _refuse_unreadable():
        for part in _leaves(written.message):
            name, type_ = _file_name(part), part.get_content_type()
            if name.endswith(_TEXT_FILES) or (name and type_ == "text/plain" and part.is_attachment()):
                found.append(OrderSource(name, _file_text(name, part)))
            elif not name and type_ == "text/plain":
                body.append(_body_text(part))
            elif not name and type_ == "text/html":
                body.append(text_of_html(_declared_text(part)))
    return (OrderSource("", "\n".join(body)), *found)


def _body_text(part: EmailMessage) -> str:
    """Return a text part with folded lines joined. Raises: Refusal `not_text`."""
    text = _declared_text(part).removeprefix("\ufeff")
    if str(part.get_param("format", "")).casefold() == "flowed":
        delete_space = str(part.get_param("delsp", "")).casefold() == "yes"
        return unfold_text(text, delete_space)
    return text


def _file_text(name: str, part: EmailMessage) -> str:
    """Decode an attached text file. Raises: Refusal `not_text`."""
    data = _part_data(part)
    charset = part.get_content_charset("") or "utf-8"
    guesses = ["utf-8-sig", "utf-16"] if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ["utf-8-sig", charset]
    for guess in guesses:
        if (text := _decode(data, guess)) is not None:
            return text
    if name.endswith(FORM_SUFFIX) or any(sign < 9 for sign in data):
        return decode_form(data)
    return data.decode("windows-1252", "replace")


_TEXT_FILES = (FORM_SUFFIX, ".txt", ".text", ".orders", ".md")


def _file_name(part: EmailMessage) -> str:
    """Return the name of an attached file in lower case, without directories; "" for none."""
    return clean_text(str(part.get_filename() or "")).replace("\\", "/").rpartition("/")[2].casefold()


def _leaves(message: EmailMessage, depth: int = 0) -> Iterator[EmailMessage]:
    """Yield the parts of a letter; of alternatives the plain text. Attached messages are skipped."""
    if depth > 10 or message.get_content_maintype() == "message":
        return
    if not message.is_multipart():
        yield message
        return
    parts = [part for part in message.iter_parts() if isinstance(part, EmailMessage)][:MOST_PARTS]
    if message.get_content_subtype() == "alternative":
        leaves = [list(_leaves(part, depth + 1)) for part in parts]
        plain = [found for found in leaves if any(_has_text(leaf, "text/plain") for leaf in found)]
        rich = [found for found in leaves if any(_has_text(leaf, "text/html") for leaf in found)]
        for found in (plain or rich)[:1]:
            yield from found
        return
    for part in parts:
        yield from _leaves(part, depth + 1)


def _has_text(part: EmailMessage, kind: str) -> bool:
    return part.get_content_type() == kind and bool(_part_data(part).strip())


# --- HTML -------------------------------------------------------------------------------------------------------------

_BLOCKS = frozenset(("p", "div", "tr", "li", "ul", "ol", "table", "h1", "h2", "h3", "blockquote", "pre", "hr"))
_SKIPPED_TAGS = frozenset(("style", "script", "head", "title"))


class _HtmlText(HTMLParser):
    """Converts HTML to plain text: one line for each block, quotations marked by '>'."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = [""]
        self._quotes = self._silent = self._pre = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SKIPPED_TAGS:
            self._silent += 1
        if tag in _BLOCKS:
            self._break()
        if tag == "blockquote":
            self._quotes += 1
        if tag == "pre":
            self._pre += 1
        if tag == "hr":
            self.lines[-1] = "_" * 32
            self._break()
        if tag == "br":
            self.lines.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag in _SKIPPED_TAGS:
            self._silent = max(0, self._silent - 1)
        if tag in _BLOCKS:
            self._break()
        if tag == "blockquote":
            self._quotes = max(0, self._quotes - 1)
        if tag == "pre":
            self._pre = max(0, self._pre - 1)

    def handle_data(self, data: str) -> None:
        if self._silent:
            return
        pieces = data.split("\n") if self._pre else [re.sub(r"[ \t\r\n]+", " ", data)]
        for n, piece in enumerate(pieces):
            if n:
                self.lines.append("")
            if not self.lines[-1] and self._quotes:
                self.lines[-1] = "> "
            self.lines[-1] += piece

    def _break(self) -> None:
        if self.lines[-1].strip():
            self.lines.append("")


def text_of_html(html: str) -> str:
    """Convert an HTML letter to plain text, with quotations marked by '>'."""
    parser = _HtmlText()
    parser.feed(html)
    parser.close()
    return "\n".join(line.strip() if line.strip() != ">" else ">" for line in parser.lines) + "\n"


def unfold_text(text: str, delete_space: bool = False) -> str:
    """Join folded lines (`format=flowed`, RFC 3676)."""
    out: list[str] = []
    open_ = False
    for line in text.splitlines():
        line = line[1:] if line.startswith(" ") else line
        if open_ and not _QUOTED.match(line) and line != "-- ":
            out[-1] = (out[-1][:-1] if delete_space else out[-1]) + line
        else:
            out.append(line)
        open_ = line.endswith(" ") and line != "-- " and not _QUOTED.match(line)
    return "\n".join(out)


def _attached_files(written: IncomingMessage) -> list[tuple[str, EmailMessage]]:
    """Return the attached files with their names. Raises: Refusal `not_text`."""
    found = []
    with _refuse_unreadable():
        for part in islice(written.message.walk(), MOST_PARTS):
            if isinstance(part, EmailMessage) and part.get_filename() and not part.is_multipart():
                found.append((_file_name(part), part))
    return found


def _part_data(part: MIMEPart) -> bytes:
    try:
        found = part.get_payload(decode=True)
    except (ValueError, LookupError, TypeError):
        found = None
    if not isinstance(found, bytes):
        raise Refusal("not_text", (), "An attachment cannot be read.")
    return found


def _declared_text(part: MIMEPart) -> str:
    """Decode a text part by its header. Raises: Refusal `not_text`."""
    charset = part.get_content_charset("utf-8")
    text = _decode(_part_data(part), charset)
    if text is None:
        raise Refusal("not_text", (), f"The letter is not in its declared character set {charset[:30]}.")
    return text


def _decode(data: bytes, charset: str) -> str | None:
    """Decode a text; None if that is impossible, or the text could not be written as UTF-8."""
    try:
        text = data.decode(charset)
        text.encode()
    except (ValueError, LookupError):
        return None
    return text
