"""Text from players: dispatches, free articles, reasons, and chat, which no log contains."""

from __future__ import annotations

import unicodedata

import msgspec

from paxtui.engine.refusal import Refusal

MAX_MARKS = 4
"""Maximum number of combining marks on one character."""


def clean_text(text: str) -> str:
    """Return `text` in one line without control and invisible characters."""
    plain = "".join(" " if unicodedata.category(c) in ("Cc", "Zl", "Zp") else c for c in text)
    return " ".join("".join(c for c in plain if unicodedata.category(c) not in ("Cf", "Cs", "Co", "Cn")).split())


def without_stacks(text: str) -> str:
    """Return `text` with at most MAX_MARKS combining marks on a character; more would overlap other lines."""
    kept: list[str] = []
    marks = 0
    for sign in text:
        marks = marks + 1 if unicodedata.category(sign) in ("Mn", "Me") else 0
        if marks <= MAX_MARKS:
            kept.append(sign)
    return "".join(kept)


def check_stacks(text: str) -> None:
    """Refuse excessive combining marks.

    Raises:
        Refusal: `bad_text`.
    """
    if without_stacks(text) != text:
        raise Refusal("bad_text", (), f"A character has at most {MAX_MARKS} combining marks. Remove the others.")


MAX_CHAT_LENGTH = 400
"""Maximum length of a chat message, in characters."""


class ChatLine(msgspec.Struct, frozen=True):
    """A chat message.

    Attributes:
        n: its number, from 1.
        time: ISO 8601 in UTC.
        seat: seat of the sender; a spectator's is "spectator".
        name: name of the sender, "" for the host.
        text: the message.
    """

    n: int
    time: str
    seat: str
    name: str
    text: str


def clean_chat(text: str) -> str:
    """Return a chat message in one clean line.

    Raises:
        Refusal: `empty`, `too_long`.
    """
    words = clean_text(text)
    check_stacks(words)
    if not words:
        raise Refusal("empty", (), "The chat message is empty.")
    if len(words) > MAX_CHAT_LENGTH:
        message = f"A chat message has at most {MAX_CHAT_LENGTH} characters, not {len(words)}."
        raise Refusal("too_long", (), message, most=MAX_CHAT_LENGTH)
    return words
