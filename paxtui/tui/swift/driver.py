"""Keys as they come: Textual's own reader looks for a lone Esc ten times a second, which is felt when a menu closes."""

from __future__ import annotations

import os
import selectors
import signal
from codecs import getincrementaldecoder
from contextlib import suppress
from io import TextIOWrapper
from typing import IO, Any, Protocol, cast, runtime_checkable

from textual._parser import ParseError
from textual._time import get_time
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver

from paxtui.tui.swift.answers import ASKED, TORN, Answers, may_ask
from paxtui.tui.swift.poor import can_say, said_plainly

IDLE = 0.1
"""Seconds between two looks at whether the program has ended."""

GONE = 128 + signal.SIGHUP
"""The exit code when the terminal has gone away."""


@runtime_checkable
class AsksTerminal(Protocol):
    """An app that wants to know how many colours its terminal has."""

    asks_for_colours: bool

    def has_all_colours(self) -> None:
        """The terminal has all of them."""


class Paper:
    """The terminal to write on. When it is gone, what is written is lost, and whoever writes goes on to the end.

    Where its encoding lacks the signs of the screen, it is given signs that it has.
    """

    def __init__(self, file: IO[str]) -> None:
        self._file = file
        self._plainly = not can_say("●─⠿▚", getattr(file, "encoding", "utf-8"))

    def write(self, text: str) -> int:
        """Write `text`, if anybody is there."""
        with suppress(OSError):
            self._file.write(said_plainly(text) if self._plainly else text)
        return len(text)

    def flush(self) -> None:
        """Write what is still to be written."""
        with suppress(OSError):
            self._file.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


class PromptDriver(LinuxDriver):
    """A driver that tells a lone Esc at the moment when it can be told from the beginning of another key.

    That moment is ESCDELAY milliseconds after it (an environment variable, as in other programs of the terminal).
    When the terminal goes away, the program ends: Textual's own reader and writer would leave it waiting for ever.
    """

    def __init__(self, *args: Any, **words: Any) -> None:
        super().__init__(*args, **words)
        assert self._file is not None
        self._file = cast(TextIOWrapper, Paper(self._file))
        self.answers = Answers()

    def start_application_mode(self) -> None:
        """Take the terminal over, and ask what it can do."""
        super().start_application_mode()  # type: ignore[no-untyped-call]
        app = self._app
        if isinstance(app, AsksTerminal) and app.asks_for_colours and may_ask():
            self.answers.asked(get_time())
            self.write(ASKED)
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
                wait = IDLE if due is None else min(IDLE, max(0.0, due - get_time()))
                if answers.waiting:
                    wait = min(wait, TORN)
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
        if self.answers.all_colours and isinstance(app, AsksTerminal) and app.asks_for_colours:
            app.asks_for_colours = False
            self._loop.call_soon_threadsafe(app.has_all_colours)

    def _typed(self) -> bytes:
        """What has been typed; nothing where the terminal is gone, and then the program is asked to end."""
        with suppress(OSError):
            typed = os.read(self.fileno, 4096)
            if typed:
                return typed
        self._loop.call_soon_threadsafe(self._app.exit, None, GONE)
        return b""
