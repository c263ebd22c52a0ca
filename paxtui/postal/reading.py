"""What somebody has written to the desk: who, about what, and the form in it."""

from __future__ import annotations

import re
from email import message_from_bytes
from email.errors import MessageError
from email.message import EmailMessage, MIMEPart
from email.policy import default
from email.utils import parseaddr
from typing import NamedTuple

from paxtui.engine.refusal import Refusal
from paxtui.pax.words.free_text import clean
from paxtui.postal.passes import Mark, read_mark
from paxtui.table.postal.arrivals import text_of
from paxtui.table.postal.dice import SUFFIX
from paxtui.table.postal.folder import FORM
from paxtui.table.postal.keys import JOINING
from paxtui.table.postal.letters import SEALED
from paxtui.table.postal.locks import UNLOCKING

_QUOTED = re.compile(r"\s*>")
_WROTE = re.compile(r"\S.*:\s*$")
MOST_PARTS = 50
"""Parts of a letter that are looked at."""


class Written(NamedTuple):
    """A letter to the desk.

    Attributes:
        sender: the address it names, which anybody could have written there; "" for none.
        subject: in one line.
        id: what it calls itself.
        mark: what its subject says, None for nothing.
        by_machine: a machine has written it (an answer while somebody is away, a letter that came back).
        message: all of it.
    """

    sender: str
    subject: str
    id: str
    mark: Mark | None
    by_machine: bool
    message: EmailMessage


def read(data: bytes) -> Written:
    """A letter as it came. Raises: Refusal `not_text`."""
    try:
        message = message_from_bytes(data, EmailMessage, policy=default)
        subject = clean(str(message.get("Subject", "")))[:300]
        sender = parseaddr(str(message.get("From", "")))[1]
        machine = str(message.get("Auto-Submitted", "no")).strip().casefold() != "no"
        machine |= str(message.get("Precedence", "")).casefold() in ("bulk", "list", "junk", "auto_reply")
        machine |= str(message.get("Return-Path", "")).strip() == "<>"
        id_ = clean(str(message.get("Message-ID", "")))[:300]
        return Written(sender, subject, id_, read_mark(subject), machine, message)
    except (MessageError, ValueError, LookupError, IndexError, AttributeError, TypeError, RecursionError):
        # the parser of the standard library stumbles over some letters that nobody has written in earnest
        raise Refusal("not_text", (), "The letter cannot be read.") from None


class Enclosed(NamedTuple):
    """A file for the desk that is enclosed. `name`: of its file, without any directory."""

    name: str
    data: bytes


def enclosed(written: Written) -> tuple[Enclosed, ...]:
    """Sealed forms, keys, words for dice, and what takes a seat, that are enclosed. Raises: Refusal `not_text`."""
    found = []
    for name, part in _files(written):
        if name.endswith((SEALED, JOINING, UNLOCKING, SUFFIX)):
            found.append(Enclosed(name, _data(part)))
    return tuple(found)


def form_of(written: Written) -> str:
    """The form in a letter: a file that is enclosed, else what it says itself, without what it quotes.

    Raises: Refusal `not_text`, `no_form`, `two_forms`.
    """
    files = [part for name, part in _files(written) if name.endswith(FORM)]
    if len(files) > 1:
        raise Refusal("two_forms", (), f"The letter encloses {len(files)} forms: send one.")
    if files:
        return text_of(_data(files[0]))
    try:
        body = written.message.get_body(("plain",))
    except (MessageError, ValueError, LookupError, AttributeError, TypeError, RecursionError):
        raise Refusal("not_text", (), "The letter cannot be read.") from None
    if body is None:
        raise Refusal("no_form", (), "The letter encloses no form, and has no plain text: write it as plain text.")
    text = text_of(_utf8(body))
    if str(body.get_param("format", "")).casefold() == "flowed":
        text = unfolded(text)
    return own_words(text)


def own_words(text: str) -> str:
    """What a letter says itself: without lines that it quotes, who is quoted, and the signature."""
    lines: list[str] = []
    for line in text.splitlines():
        if line in ("-- ", "--"):
            break
        if _QUOTED.match(line):
            while lines and not lines[-1].strip():
                lines.pop()
            if lines and _WROTE.match(lines[-1]) and _introduces(lines[-1]):
                lines.pop()
            continue
        lines.append(line)
    return "\n".join(lines).strip() + "\n" if any(line.strip() for line in lines) else ""


def _introduces(line: str) -> bool:
    """Whether a line before a quotation says who is quoted, and is none of a form."""
    return line.strip().casefold() not in ("standing:", "orders:") and len(line.split()) > 1


def unfolded(text: str) -> str:
    """Lines that a mail program has folded (`format=flowed`), whole again."""
    out: list[str] = []
    open_ = False
    for line in text.splitlines():
        line = line[1:] if line.startswith(" ") else line
        if open_ and not _QUOTED.match(line):
            out[-1] += line
        else:
            out.append(line)
        open_ = line.endswith(" ") and line != "-- " and not _QUOTED.match(line)
    return "\n".join(out)


def _files(written: Written) -> list[tuple[str, EmailMessage]]:
    """The files that are enclosed, by name. Raises: Refusal `not_text`."""
    found = []
    try:
        for n, part in enumerate(written.message.walk()):
            if n >= MOST_PARTS:
                break
            name = part.get_filename()
            if name and isinstance(part, EmailMessage) and not part.is_multipart():
                found.append((clean(str(name)).replace("\\", "/").rpartition("/")[2].casefold(), part))
    except (MessageError, ValueError, LookupError, AttributeError, TypeError, RecursionError):
        raise Refusal("not_text", (), "The letter cannot be read.") from None
    return found


def _data(part: MIMEPart) -> bytes:
    """What a part holds."""
    try:
        found = part.get_payload(decode=True)
    except (ValueError, LookupError, TypeError):
        found = None
    if not isinstance(found, bytes):
        raise Refusal("not_text", (), "What the letter encloses cannot be read.")
    return found


def _utf8(part: MIMEPart) -> bytes:
    """A text in UTF-8, whatever it was sent in. Raises: Refusal `not_text`."""
    data, charset = _data(part), part.get_content_charset("utf-8")
    try:
        return data.decode(charset).encode()
    except (UnicodeDecodeError, UnicodeEncodeError, LookupError):
        raise Refusal("not_text", (), f"The letter is not in {charset[:30]}, as it says.") from None
