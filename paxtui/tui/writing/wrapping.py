"""Lines wrapped with a hanging indent, and the names of Powers in their colours."""

from __future__ import annotations

import re
from functools import lru_cache

from rich.cells import cell_len
from rich.text import Text

from paxtui.pax.board.tables import Tables
from paxtui.tui.writing.look import Look


def cut(text: Text, room: int) -> Text:
    """A text in at most `room` cells: what is too long ends in a sign of it, the rules in brackets at its end stay."""
    if text.cell_len <= room:
        return text
    rules = text.plain.rfind(" [") if text.plain.endswith("]") else len(text)
    said, cited = text[:rules], text[rules:]
    said.truncate(max(1, room - cited.cell_len), overflow="ellipsis")
    return said.append_text(cited)


def hanging(text: Text, width: int, indent: int) -> Text:
    """A line wrapped between its words, all rows but the first indented.

    Args: the line; cells of a row; cells by which the rows after the first are indented.
    """
    cuts: list[int] = []
    used, at, room = 0, 0, max(8, width)
    for word in re.findall(r"\S+\s*", text.plain) if text.plain[:1] != " " else _words(text.plain):
        wide = cell_len(word.rstrip())
        if used and used + wide > room:
            cuts.append(at)
            used, room = 0, max(8, width - indent)
        used += cell_len(word)
        at += len(word)
    rows = text.divide(cuts)
    out = Text()
    for n, row in enumerate(rows):
        row.rstrip()
        out.append("\n" + " " * indent if n else "")
        out.append_text(row)
    return out


def _words(plain: str) -> list[str]:
    """The words of a line that begins with blanks, these being part of the first."""
    return re.findall(r"^\s*\S*\s*|\S+\s*", plain)


def coloured(tables: Tables, look: Look, text: Text) -> Text:
    """The line with every Power that it names in the colour of that Power."""
    if look.palette.colour:
        for match in _names(tables).finditer(text.plain):
            text.stylize(f"bold {look.ink(_power(tables, match.group()))}", match.start(), match.end())
    return text


@lru_cache(4)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(r"\b(?:" + "|".join(map(re.escape, names)) + r")\b")


def _names(tables: Tables) -> re.Pattern[str]:
    return _pattern(tuple(sorted((p.name for p in tables.powers.values()), key=len, reverse=True)))


def _power(tables: Tables, name: str) -> str:
    return next(p.id for p in tables.powers.values() if p.name == name)
