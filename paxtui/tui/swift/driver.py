"""Keys as they come: Textual's own reader looks for a lone Esc ten times a second, which is felt when a menu closes."""

from __future__ import annotations

import os
import selectors
from codecs import getincrementaldecoder
from contextlib import suppress

from textual._parser import ParseError
from textual._time import get_time
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver

IDLE = 0.1
"""Seconds between two looks at whether the program has ended."""


class PromptDriver(LinuxDriver):
    """A driver that tells a lone Esc at the moment when it can be told from the beginning of another key.

    That moment is ESCDELAY milliseconds after it (an environment variable, as in other programs of the terminal).
    """

    def run_input_thread(self) -> None:
        """Read keys until the program ends."""
        parser = XTermParser(self._debug)
        decode = getincrementaldecoder("utf-8")().decode
        with selectors.SelectSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                due = parser._timeout_time
                wait = IDLE if due is None else min(IDLE, max(0.0, due - get_time()))
                if selector.select(wait):
                    text = decode(os.read(self.fileno, 4096))
                    if text:
                        for event in parser.feed(text):
                            self.process_message(event)
                for event in parser.tick():
                    self.process_message(event)
        with suppress(EOFError, ParseError):
            for _ in parser.feed(""):
                pass
