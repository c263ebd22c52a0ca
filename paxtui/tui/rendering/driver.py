"""Keys as they come: Textual's own reader looks for a lone Esc ten times a second, which is felt when a menu closes.

Asking a terminal whether it has all colours, and taking its answer out of what is typed.

Few terminals say so in their environment, and over SSH none does. All of xterm's kin answer two questions: which
colours they would draw in just now, after having been told one of 16 million (DECRQSS), and what they know of the
capabilities RGB and Tc (XTGETTCAP). Nobody waits: a game begins in 256 colours and gets the others as soon as the
answer is there. What is no answer is a key, and stays one.
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
"""Lay down a colour of 16 million, ask which it is, take it away; ask for RGB and Tc."""
QUESTIONS = 3
ANSWER = re.compile(r"\x1bP([01])([$+])r([^\x1b\x07]*)(?:\x1b\\|\x07)")
"""A whole answer: whether it is one, to which question, and what it says."""
PARTIAL_ANSWER = re.compile(r"\x1b(?:P(?:[01](?:[$+](?:r[^\x1b\x07]*\x1b?)?)?)?)?\Z")
"""The beginning of an answer, at the end of what has come."""
SHOWN = re.compile(r"48[:;]2[:;]+1[:;]2[:;]3")
ANSWER_TIMEOUT_S = 2.0
"""Seconds within which an answer is looked for."""
PARTIAL_TIMEOUT_S = 0.05
"""Seconds after which what began like an answer is a key."""
SILENT_TERMINALS = ("linux", "dumb", "unknown")
"""Terminals that answer nothing, or write the question on the screen."""


def can_query(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether the terminal is one that bears being asked."""
    terminal = environment.get("TERM", "dumb")
    return terminal not in SILENT_TERMINALS and environment.get("TERM_PROGRAM") != "Apple_Terminal"


class TerminalAnswers:
    """Takes answers out of what a terminal sends.

    Attributes:
        all_colours: whether an answer has said that there are all.
    """

    def __init__(self) -> None:
        self.all_colours = False
        self._left = 0
        self._until = 0.0
        self._held = ""
        self._held_at = 0.0

    @property
    def waiting(self) -> bool:
        """Whether something is held back that may be the beginning of an answer."""
        return bool(self._held)

    def asked(self, now: float) -> None:
        """The questions have been asked. Args: the time in seconds."""
        self._left, self._until = QUESTIONS, now + ANSWER_TIMEOUT_S

    def keys(self, text: str, now: float) -> str:
        """What is left of what has come when answers are taken out. Args: what has come; the time in seconds."""
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
        """What was held back too long to be an answer. Args: the time in seconds."""
        if self._held and now - self._held_at > PARTIAL_TIMEOUT_S:
            held, self._held = self._held, ""
            return held
        return ""

    def _take(self, found: re.Match[str]) -> str:
        is_answer, question, says = found.groups()
        self._left -= 1
        if is_answer == "1" and (question == "+" or SHOWN.search(says)):
            self.all_colours = True
        return ""


POLL_S = 0.1
"""Seconds between two looks at whether the program has ended."""

EXIT_HANGUP = 128 + signal.SIGHUP
"""The exit code when the terminal has gone away."""


@runtime_checkable
class ColorQueryApp(Protocol):
    """An app that wants to know how many colours its terminal has."""

    asks_for_colours: bool

    def has_all_colours(self) -> None:
        """The terminal has all of them."""


class TerminalFile:
    """The terminal to write on. When it is gone, what is written is lost, and whoever writes goes on to the end.

    Where its encoding lacks the signs of the screen, it is given signs that it has.
    """

    def __init__(self, file: IO[str]) -> None:
        self._file = file
        self._plainly = not can_encode("●─⠿▚", getattr(file, "encoding", "utf-8"))

    def write(self, text: str) -> int:
        """Write `text`, if anybody is there."""
        with suppress(OSError):
            self._file.write(to_ascii(text) if self._plainly else text)
        return len(text)

    def flush(self) -> None:
        """Write what is still to be written."""
        with suppress(OSError):
            self._file.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


class TerminalDriver(LinuxDriver):
    """A driver that tells a lone Esc at the moment when it can be told from the beginning of another key.

    That moment is ESCDELAY milliseconds after it (an environment variable, as in other programs of the terminal).
    When the terminal goes away, the program ends: Textual's own reader and writer would leave it waiting for ever.
    """

    def __init__(self, *args: Any, **words: Any) -> None:
        super().__init__(*args, **words)
        assert self._file is not None
        self._file = cast(TextIOWrapper, TerminalFile(self._file))
        self.answers = TerminalAnswers()

    def start_application_mode(self) -> None:
        """Take the terminal over, and ask what it can do."""
        super().start_application_mode()  # type: ignore[no-untyped-call]
        app = self._app
        if isinstance(app, ColorQueryApp) and app.asks_for_colours and can_query():
            self.answers.asked(get_time())
            self.write(QUERY_CODES)
            self.flush()

    def run_input_thread(self) -> None:
        """Read keys until the program ends."""
        answers = self.answers
        parser = XTermParser(self._debug)
        # bytes that are no UTF-8 (a key of a terminal set to Latin-1, a pasted file) are no keys
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
                    self._heard()
                else:
                    keys = answers.late(get_time())
                # an empty text would tell the parser that there will be no more
                if keys:
                    for event in parser.feed(keys):
                        self.process_message(event)
                for event in parser.tick():
                    self.process_message(event)
        with suppress(EOFError, ParseError):
            for _ in parser.feed(""):
                pass

    def _heard(self) -> None:
        """Tell the app that the terminal has all colours, once it has said so."""
        app = self._app
        if self.answers.all_colours and isinstance(app, ColorQueryApp) and app.asks_for_colours:
            app.asks_for_colours = False
            self._loop.call_soon_threadsafe(app.has_all_colours)

    def _typed(self) -> bytes:
        """What has been typed; nothing where the terminal is gone, and then the program is asked to end."""
        with suppress(OSError):
            typed = os.read(self.fileno, 4096)
            if typed:
                return typed
        self._loop.call_soon_threadsafe(self._app.exit, None, EXIT_HANGUP)
        return b""
