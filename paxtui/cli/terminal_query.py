"""Query the terminal: its name, colours, keys and mouse."""

from __future__ import annotations

import os
import re
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from paxtui.tui.rendering.driver import TerminalAnswers

ANSWER_TIMEOUT_S = 0.4
"""Time that a terminal has to answer a query."""


class TerminalAnswer(NamedTuple):
    """What the terminal is, and what it answered.

    Attributes:
        is_terminal: whether input and output are a terminal.
        answers: everything it sent.
        columns: width, 0 if unknown.
        lines: height, 0 if unknown.
    """

    is_terminal: bool = False
    answers: str = ""
    columns: int = 0
    lines: int = 0


def query_terminal() -> TerminalAnswer:
    """Query colours, keys and mouse; a terminal that answers nothing costs `ANSWER_TIMEOUT_S`."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return TerminalAnswer()
    from paxtui.tui.rendering.driver import NAME_QUERY_CODES, QUERY_CODES, can_query

    columns, lines = os.get_terminal_size()
    if not can_query():
        return TerminalAnswer(True, "", columns, lines)
    # the last query is answered by every terminal, so the answers before it are complete
    codes = f"{NAME_QUERY_CODES}{QUERY_CODES}\x1b[?u\x1b[?2026$p\x1b[?1006$p\x1b[c"
    return TerminalAnswer(True, _answers_to(codes), columns, lines)


def _answers_to(codes: str) -> str:
    import select
    import termios
    import tty

    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    found = b""
    try:
        tty.setcbreak(descriptor)
        write_codes(codes)
        end = time.monotonic() + ANSWER_TIMEOUT_S
        while not re.search(rb"\x1b\[\?[\d;]*c", found) and (left := end - time.monotonic()) > 0:
            if select.select([descriptor], [], [], left)[0]:
                found += os.read(descriptor, 4096)
    finally:
        termios.tcsetattr(descriptor, termios.TCSAFLUSH, before)
        write_codes("\r\x1b[K")
    return found.decode("latin-1")


def write_codes(codes: str) -> None:
    """Write to the terminal itself: the output stream removes escape codes."""
    sys.stdout.flush()
    os.write(sys.stdout.fileno(), codes.encode())


def parse_answers(answers: str) -> TerminalAnswers:
    """Return what the answers of a terminal say."""
    from paxtui.tui.rendering.driver import ANSWER, QUESTIONS, TerminalAnswers

    heard = TerminalAnswers()
    heard.note_queries(0.0, QUESTIONS + 1)
    heard.keys("".join(match.group() for match in ANSWER.finditer(answers)), 0.0)
    return heard


def terminal_program(answers: str) -> str:
    """Return the name that the terminal reports, "" for none."""
    return parse_answers(answers).program
