"""Numbered lines: read a page at a time, and remembered, so that a number or a bare text takes one of them."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import NamedTuple

from paxtui.engine.refusal import Refusal
from paxtui.pax.words.names import key

PAGE = 30
"""Numbered lines that are read at once; `more` goes on."""


class Option(NamedTuple):
    """A numbered line: what is read out, what it stands for, the bare texts that name it too, a line before it."""

    shown: str
    say: str
    names: tuple[str, ...] = ()
    heading: str = ""


class Answer(NamedTuple):
    """Lines to read, numbered lines after them, and lines at the end."""

    lines: list[str]
    options: tuple[Option, ...] = ()
    after: tuple[str, ...] = ()


class Numbered:
    """The numbered lines that were read last, of which some may not have been read yet."""

    def __init__(self) -> None:
        self._options: tuple[Option, ...] = ()
        self._read = 0

    def ask(self, answer: Answer) -> list[str]:
        """Read numbered lines and remember them."""
        self._options, self._read = answer.options, 0
        page = self.more() if answer.options else []
        return [*answer.lines, *page, *answer.after]

    def more(self) -> list[str]:
        """The next numbered lines of a list that was cut."""
        start, self._read = self._read, min(len(self._options), self._read + PAGE)
        out = []
        for n in range(start, self._read):
            option = self._options[n]
            out += [option.heading] if option.heading else []
            out.append(f"{n + 1} {option.shown}")
        left = len(self._options) - self._read
        return out + ([f"{left} more: say 'more'."] if left else []) or ["There is nothing more."]

    def meant(self, numbers: Sequence[int]) -> str:
        """What numbers stand for; several of them answer one question together.

        Raises: Refusal.
        """
        most = len(self._options)
        for n in numbers:
            if not 1 <= n <= most:
                last = f"the last list has 1 to {most}" if most else "no list is open; 'what' makes one"
                raise Refusal("notation", (), f"There is no line {n}: {last}.")
        said = [self._options[n - 1].say for n in numbers]
        heads = {" ".join(text.split()[:2]) for text in said}
        if len(said) > 1 and (len(heads) > 1 or not said[0].startswith("choose ")):
            raise Refusal("notation", (), "Several numbers together must answer one question.")
        return " ".join([said[0], *(text.split(" ", 2)[2] for text in said[1:])])

    def named(self, text: str, words: Container[str]) -> str:
        """What a bare text stands for, "" when it names no line; `words` go before the beginning of a name."""
        found = [o.say for o in self._options if any(key(name) == key(text) for name in o.names)]
        if found:
            return found[0]
        if text.split()[0].casefold() in words:
            return ""
        found = [o.say for o in self._options if any(key(name).startswith(key(text)) for name in o.names)]
        return found[0] if len(set(found)) == 1 else ""
