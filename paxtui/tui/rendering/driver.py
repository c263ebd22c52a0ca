"""Terminal input without Textual's polling for Esc, and detection of 24-bit colour and of the terminal's name.

Few terminals announce 24-bit colour in the environment, and none does over SSH. The driver sends two queries (DECRQSS,
and XTGETTCAP for RGB and Tc). The app starts in 256 colours and switches when an answer arrives. A third query
(XTVERSION) asks for the name of the terminal. Input that is not an answer is passed on as keys.
"""

from __future__ import annotations

import os
import re
import selectors
import signal
from codecs import getincrementaldecoder
from collections.abc import Mapping
from contextlib import suppress
from io import TextIOWrapper
from typing import IO, Any, Protocol, cast, runtime_checkable

from textual._parser import ParseError
from textual._time import get_time
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver

from paxtui.tui.rendering.ansi_writer import can_encode, to_ascii

QUERY_CODES = "\x1b[48;2;1;2;3m\x1bP$qm\x1b\\\x1b[0m\x1bP+q524742\x1b\\\x1bP+q5463\x1b\\"
"""Set a 24-bit colour, query it, reset it; query RGB and Tc."""
NAME_QUERY_CODES = "\x1b[>0q"
"""Query the name of the terminal."""
QUESTIONS = 3
"""Number of answers to QUERY_CODES."""
ANSWER = re.compile(r"\x1bP(?:([01])([$+])r|>\|)([^\x1b\x07]*)(?:\x1b\\|\x07)")
"""A complete answer; its groups are the status and the query, both missing for the name, and the value."""
PARTIAL_ANSWER = re.compile(r"\x1b(?:P(?:(?:[01](?:[$+](?:r[^\x1b\x07]*\x1b?)?)?|>(?:\|[^\x1b\x07]*\x1b?)?)?)?)?\Z")
"""The beginning of an answer at the end of the input."""
SHOWN = re.compile(r"48[:;]2[:;]+1[:;]2[:;]3")
ANSWER_TIMEOUT_S = 2.0
"""Time to wait for an answer."""
PARTIAL_TIMEOUT_S = 0.05
"""Time after which a partial answer counts as keys."""
SILENT_TERMINALS = ("linux", "dumb", "unknown")
"""Terminals that do not answer, or that print the query."""


def can_query(environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether it is safe to query the terminal."""
    terminal = environment.get("TERM", "dumb")
    return terminal not in SILENT_TERMINALS and environment.get("TERM_PROGRAM") != "Apple_Terminal"


class TerminalAnswers:
    """Filter answers out of the terminal input.

    Attributes:
        all_colours: whether an answer reported 24-bit colour.
        program: the name of the terminal, "" if it has not answered.
    """

    def __init__(self) -> None:
        self.all_colours = False
        self.program = ""
        self._left = 0
        self._until = 0.0
        self._held = ""
        self._held_at = 0.0

    @property
    def waiting(self) -> bool:
        """Return whether a partial answer is held back."""
        return bool(self._held)

    def note_queries(self, now: float, count: int = QUESTIONS) -> None:
        """Note that queries were sent. Args: the time in seconds; the number of answers."""
        self._left, self._until = count, now + ANSWER_TIMEOUT_S

    def keys(self, text: str, now: float) -> str:
        """Return the input without answers. Args: the input; the time in seconds."""
        text, self._held = self._held + text, ""
        if not self._left:
            return text
        text = ANSWER.sub(self._take, text)
        if now > self._until:
            self._left = 0
        begun = PARTIAL_ANSWER.search(text) if self._left else None
        if begun is not None and begun.group():
            self._held, self._held_at = begun.group(), now
            text = text[: begun.start()]
        return text

    def late(self, now: float) -> str:
        """Return held-back input that has timed out. Args: the time in seconds."""
        if self._held and now - self._held_at > PARTIAL_TIMEOUT_S:
            held, self._held = self._held, ""
            return held
        return ""

    def _take(self, found: re.Match[str]) -> str:
        is_answer, question, says = found.groups()
        self._left -= 1
        if question is None:
            self.program = "".join(c for c in says if c.isprintable())[:40]
        elif is_answer == "1" and (question == "+" or SHOWN.search(says)):
            self.all_colours = True
        return ""


POLL_S = 0.1
"""Interval for checking whether the program has ended."""

EXIT_HANGUP = 128 + signal.SIGHUP
"""The exit code when the terminal disconnects."""


@runtime_checkable
class ColorQueryApp(Protocol):
    """An app that is notified of 24-bit colour."""

    asks_for_colours: bool

    def has_all_colours(self) -> None:
        """Handle the answer that the terminal has 24-bit colour."""


class TerminalFile:
    """Terminal output that ignores writes after a disconnect and replaces signs missing in the encoding."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file
        self._plainly = not can_encode("●─⠿▚", getattr(file, "encoding", "utf-8"))

    def write(self, text: str) -> int:
        """Write `text` if the terminal is connected."""
        with suppress(OSError):
            self._file.write(to_ascii(text) if self._plainly else text)
        return len(text)

    def flush(self) -> None:
        """Flush the output if the terminal is connected."""
        with suppress(OSError):
            self._file.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


class TerminalDriver(LinuxDriver):
    """A driver that reports a lone Esc as soon as it cannot start another key.

    That is ESCDELAY milliseconds later (an environment variable that other terminal programs use, too). The program
    ends when the terminal disconnects; Textual's driver would wait forever.
    """

    def __init__(self, *args: Any, **words: Any) -> None:
        super().__init__(*args, **words)
        assert self._file is not None
        self._file = cast(TextIOWrapper, TerminalFile(self._file))
        self.answers = TerminalAnswers()

    def start_application_mode(self) -> None:
        """Enter application mode and query the name of the terminal and its colours."""
        super().start_application_mode()  # type: ignore[no-untyped-call]
        app = self._app
        if isinstance(app, ColorQueryApp) and can_query():
            self.answers.note_queries(get_time(), 1 + QUESTIONS * app.asks_for_colours)
            self.write(NAME_QUERY_CODES + (QUERY_CODES if app.asks_for_colours else ""))
            self.flush()

    def run_input_thread(self) -> None:
        """Read keys until the program ends."""
        answers = self.answers
        parser = XTermParser(self._debug)
        # ignore invalid UTF-8, such as keys of a Latin-1 terminal
        decode = getincrementaldecoder("utf-8")("ignore").decode
        with selectors.SelectSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                due = parser._timeout_time
                wait = POLL_S if due is None else min(POLL_S, max(0.0, due - get_time()))
                if answers.waiting:
                    wait = min(wait, PARTIAL_TIMEOUT_S)
                if selector.select(wait):
                    typed = self._typed()
                    if not typed:
                        return
                    keys = answers.keys(decode(typed), get_time())
                    self._report_all_colours()
                else:
                    keys = answers.late(get_time())
                # an empty text means end of input to the parser
                if keys:
                    for event in parser.feed(keys):
                        self.process_message(event)
                for event in parser.tick():
                    self.process_message(event)
        with suppress(EOFError, ParseError):
            for _ in parser.feed(""):
                pass

    def _report_all_colours(self) -> None:
        app = self._app
        if self.answers.all_colours and isinstance(app, ColorQueryApp) and app.asks_for_colours:
            app.asks_for_colours = False
            self._loop.call_soon_threadsafe(app.has_all_colours)

    def _typed(self) -> bytes:
        """Return the input; if the terminal is disconnected, return nothing and ask the app to exit."""
        with suppress(OSError):
            typed = os.read(self.fileno, 4096)
            if typed:
                return typed
        self._loop.call_soon_threadsafe(self._app.exit, None, EXIT_HANGUP)
        return b""
