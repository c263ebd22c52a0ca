"""The words of an order, taken one after the other, each with its place for the message of a refusal."""

from __future__ import annotations

import re

from paxtui.engine.refusal import Refusal
from paxtui.pax.board.tables import Tables
from paxtui.pax.words.names import Names, index, shorten, unknown

MOST_UNITS = 200
"""Units that one order may name."""

_UNITS = re.compile(
    r"(?:(\d{1,3})(?:\s*[x×*]\s*|\s+)?)?((?:[an]\d{1,3})+)(?:[\s,;]+|$)", re.IGNORECASE | re.ASCII
)
"""Units with their count before them: A10, A10A3, 8A1, 8 A1, 8xA1, 8 x A1."""
_ONE_UNIT = re.compile(r"[an]\d{1,3}", re.IGNORECASE | re.ASCII)
_WORD = re.compile(r"\S+")


class Words:
    """The words of an order after its verb, each with its number in the whole text, counted from 1."""

    def __init__(self, tables: Tables, text: str, first: int) -> None:
        self.tables = tables
        self.text = text.strip()
        self.first = first

    @property
    def words(self) -> list[str]:
        """The words that are left."""
        return _WORD.findall(self.text)

    def take(self, expected: str) -> str:
        """The next word.

        Raises: Refusal `notation` when there is none.
        """
        found = _WORD.match(self.text)
        if found is None:
            raise unknown("", expected, word=self.first)
        self.text = self.text[found.end() :].lstrip()
        self.first += 1
        return found.group()

    def rest(self) -> tuple[str, int]:
        """All that is left, and the number of its first word."""
        text, first = self.text, self.first
        self.first += len(self.words)
        self.text = ""
        return text, first

    def end(self) -> None:
        """Raises: Refusal `notation` when there is more."""
        if self.text:
            raise Refusal(
                "notation",
                (),
                f"Word {self.first}: nothing more is expected here, not '{shorten(self.text)}'.",
                position=self.first,
                expected="nothing",
            )

    def split(self, word: str) -> tuple[Words, Words | None]:
        """What stands before and after the last `word`; the second is None where it does not occur."""
        found = list(re.finditer(rf"(?<!\S){word}(?!\S)", self.text, re.IGNORECASE))
        if not found:
            return self, None
        at = found[-1]
        before = Words(self.tables, self.text[: at.start()], self.first)
        number = self.first + len(before.words) + 1
        return before, Words(self.tables, self.text[at.end() :], number)

    def number(self, expected: str) -> int:
        """The next word as a whole number, with or without a pound sign.

        Raises: Refusal `notation`.
        """
        at = self.first
        word = self.take(expected).removeprefix("£").removesuffix("£")
        if not re.fullmatch(r"-?\d{1,9}", word, re.ASCII):
            raise unknown(word or "£", expected, word=at)
        return int(word)

    def parts(self, expected: str) -> tuple[int, ...]:
        """The next word as whole numbers with strokes between them: 15/15.

        Raises: Refusal `notation`.
        """
        at = self.first
        word = self.take(f"{expected} of each, as in 15/15,")
        if not re.fullmatch(r"\d{1,4}(/\d{1,4}){0,11}", word, re.ASCII):
            raise unknown(word, f"{expected} of each, as in 15/15,", word=at)
        return tuple(int(n) for n in word.split("/"))

    def area(self) -> str:
        """All that is left as an Area."""
        return index(self.tables).areas.find(*self.rest())

    def zone(self) -> str:
        """All that is left as a Sea Zone."""
        return index(self.tables).zones.find(*self.rest())

    def power(self) -> str:
        """All that is left as a Power."""
        return index(self.tables).powers.find(*self.rest())

    def powers(self) -> tuple[str, ...]:
        """All that is left as Powers, one after the other."""
        return self._one_by_one(index(self.tables).powers)

    def parties(self) -> tuple[str, ...]:
        """All that is left as parties to disputes, the Ottoman Empire among them."""
        return self._one_by_one(index(self.tables).parties)

    def _one_by_one(self, names: Names) -> tuple[str, ...]:
        found: list[str] = []
        at = self.first
        words = [w for w in re.split(r"[\s,]+", self.rest()[0]) if w and w.casefold() != "and"]
        while words:
            for n in range(min(len(words), 3), 0, -1):
                meant = names.among(" ".join(words[:n]))
                if len(meant) == 1:
                    found.append(meant[0])
                    words, at = words[n:], at + n
                    break
            else:
                names.find(words[0], at)
        return tuple(found)

    def units(self) -> tuple[str, ...]:
        """The units that come next: A10, n3, 2xA1, 8 A1, A10A3N1.

        Raises: Refusal `notation`.
        """
        names: list[str] = []
        while found := _UNITS.match(self.text):
            count, several = found.groups()
            for name in _ONE_UNIT.findall(several):
                names.extend([unit_name(self.tables, name, self.first)] * (int(count) if count else 1))
            if len(names) > MOST_UNITS:
                raise Refusal("notation", (), f"Word {self.first}: there are not so many units.", position=self.first)
            self.first += len(found.group().split())
            self.text = self.text[found.end() :]
        if not names:
            raise unknown(self.text.split(" ")[0], "a unit such as A10, A3 or N1", word=self.first)
        return tuple(names)


def unit_name(tables: Tables, word: str, at: int = 0) -> str:
    """The short name of a unit as the state has it: A10, N3; A5 for an Army of the Empires.

    Raises: Refusal `notation`.
    """
    digits = word[1:]
    imperial = f"a{tables.other_armies.strength}"
    written = re.fullmatch(r"[anAN]\d{1,3}", word, re.ASCII)
    if not written or (int(digits) not in tables.units and word.casefold() != imperial):
        strengths = ", ".join(str(s) for s in sorted(tables.units))
        raise unknown(word, f"a unit, A or N with one of the strengths {strengths},", word=at)
    return word[0].upper() + str(int(digits))
