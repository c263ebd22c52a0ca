"""Asking a terminal whether it has all colours, and taking its answer out of what is typed.

Few terminals say so in their environment, and over SSH none does. All of xterm's kin answer two questions: which
colours they would draw in just now, after having been told one of 16 million (DECRQSS), and what they know of the
capabilities RGB and Tc (XTGETTCAP). Nobody waits: a game begins in 256 colours and gets the others as soon as the
answer is there. What is no answer is a key, and stays one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

ASKED = "\x1b[48;2;1;2;3m\x1bP$qm\x1b\\\x1b[0m\x1bP+q524742\x1b\\\x1bP+q5463\x1b\\"
"""Lay down a colour of 16 million, ask which it is, take it away; ask for RGB and Tc."""
QUESTIONS = 3
ANSWER = re.compile(r"\x1bP([01])([$+])r([^\x1b\x07]*)(?:\x1b\\|\x07)")
"""A whole answer: whether it is one, to which question, and what it says."""
BEGUN = re.compile(r"\x1b(?:P(?:[01](?:[$+](?:r[^\x1b\x07]*\x1b?)?)?)?)?\Z")
"""The beginning of an answer, at the end of what has come."""
SHOWN = re.compile(r"48[:;]2[:;]+1[:;]2[:;]3")
PATIENCE = 2.0
"""Seconds within which an answer is looked for."""
TORN = 0.05
"""Seconds after which what began like an answer is a key."""
SILENT = ("linux", "dumb", "unknown")
"""Terminals that answer nothing, or write the question on the screen."""


def may_ask(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether the terminal is one that bears being asked."""
    terminal = environment.get("TERM", "dumb")
    return terminal not in SILENT and environment.get("TERM_PROGRAM") != "Apple_Terminal"


class Answers:
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
        self._left, self._until = QUESTIONS, now + PATIENCE

    def keys(self, text: str, now: float) -> str:
        """What is left of what has come when answers are taken out. Args: what has come; the time in seconds."""
        text, self._held = self._held + text, ""
        if not self._left:
            return text
        text = ANSWER.sub(self._take, text)
        if now > self._until:
            self._left = 0
        begun = BEGUN.search(text) if self._left else None
        if begun is not None and begun.group():
            self._held, self._held_at = begun.group(), now
            text = text[: begun.start()]
        return text

    def late(self, now: float) -> str:
        """What was held back too long to be an answer. Args: the time in seconds."""
        if self._held and now - self._held_at > TORN:
            held, self._held = self._held, ""
            return held
        return ""

    def _take(self, found: re.Match[str]) -> str:
        is_answer, question, says = found.groups()
        self._left -= 1
        if is_answer == "1" and (question == "+" or SHOWN.search(says)):
            self.all_colours = True
        return ""
