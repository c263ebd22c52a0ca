"""What leaves a command by its standard streams: no sign that could steer a terminal, none that it cannot show.

A log, a table or a file name may come from anybody. Every text that a command prints goes through here.
"""

from __future__ import annotations

import os
import re
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO, cast

_STEERING = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""Kinds of signs that are no text: controls, direction of writing among them, halves of signs, ends of lines, and
numbers that stand for nothing or for what each font likes."""

_ASCII = str.maketrans(
    {"£": "L", "→": "->", "×": "x", "·": ",", "–": "-", "—": "-", "−": "-", "’": "'", "‘": "'", "…": "..."}
    | {"“": '"', "”": '"', "●": "*", "○": "o", "◆": "*", "◇": "o", "★": "*", "☆": "*", "⚔": "x", "▸": ">", "═": "="}
    | {"█": "#", "░": ".", "─": "-", "│": "|", "↑": "Up", "↓": "Down", "←": "Left", "≥": ">=", "≤": "<=", "½": "1/2"}
    | {"•": "*", "┃": "|", "━": "-", **dict.fromkeys("▁▂▃▄▅▆▇▉▊▋▌▍▎▏▐", "#"), **dict.fromkeys("╭╮╰╯┌┐└┘├┤┬┴┼", "+")}
)


def clean(text: str) -> str:
    """`text` in one line without signs that are no text, so that nothing in it can steer a terminal."""
    if text.isprintable():
        return text
    return "".join(" " if unicodedata.category(c) in _STEERING else c for c in text)


def printable(text: str, encoding: str) -> str:
    """`text` as a stream of this encoding can show it."""
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        plain = unicodedata.normalize("NFKD", text.translate(_ASCII))
        return plain.encode("ascii", "ignore").decode()
    return text


def escaped(json: str) -> str:
    """JSON that says the same, with escapes for the signs in its texts that are no text."""
    if json.isprintable():
        return json
    return re.sub(r"[^ -~]", lambda m: _escape(m[0]) if unicodedata.category(m[0]) in _STEERING else m[0], json)


def _escape(sign: str) -> str:
    units = sign.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))


class Outlet:
    """A text stream that cleans what is written to it, line by line; all else is the stream's own."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write `text` as far as it is text."""
        shown = "\n".join(map(clean, text.split("\n")))
        return self._stream.write(printable(shown, self._stream.encoding or "ascii"))

    def writelines(self, lines: Any) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def outlets() -> Iterator[None]:
    """Let everything that is printed go through outlets."""
    out, err = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = cast(TextIO, Outlet(out)), cast(TextIO, Outlet(err))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = out, err


def hush() -> None:
    """Let go of a standard output that nobody takes any more, so that the program ends without a complaint."""
    with suppress(OSError, ValueError):
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, sys.stdout.fileno())
        os.close(nothing)
