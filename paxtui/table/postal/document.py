"""A report before it is written down: its parts, and the two ways to write them as text.

A line may hold what a player has written (a remark, a name, a clause). It is cleaned of signs that steer, and in
Markdown nothing in it is markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from paxtui.pax.words.free_text import clean

_MARKUP = re.compile(r"[\\`*_{}\[\]<>#|&~$@]|(?<=\w):(?=//)|(?<=www)\.", re.IGNORECASE)
"""Signs that mean something in Markdown; a colon and a point where they would make a link."""

_AT_START = re.compile(r"^([-+=]|\d+(?=[.)]))")
"""What begins a list or a heading at the beginning of a line."""


class Group(NamedTuple):
    """Lines under a heading of their own; "" for none."""

    title: str
    lines: tuple[str, ...]


class Part(NamedTuple):
    """A part of a report under its heading."""

    title: str
    groups: tuple[Group, ...]


class Document(NamedTuple):
    """A report.

    Attributes:
        title: which report of which game.
        reader: whom it is for.
        parts: in the order in which they are read; none is empty.
        due: what is due next, and when.
    """

    title: str
    reader: str
    parts: tuple[Part, ...]
    due: Part


def part(title: str, lines: Iterable[str]) -> tuple[Part, ...]:
    """A part of one group, none where it has no lines."""
    found = tuple(map(clean, lines))
    return (Part(title, (Group("", found),)),) if found else ()


def text_of(document: Document) -> str:
    """The report in plain text."""
    return "\n".join(_text(document)).strip() + "\n"


def _text(document: Document) -> Iterator[str]:
    yield document.title
    yield f"For {document.reader}."
    for each in (*document.parts, document.due):
        yield from ("", each.title.upper())
        for group in each.groups:
            if group.title:
                yield f"{group.title}:"
            yield from group.lines


def markdown_of(document: Document) -> str:
    """The report in Markdown."""
    return "\n".join(_markdown(document)).strip() + "\n"


def _markdown(document: Document) -> Iterator[str]:
    yield f"# {plain(document.title)}"
    yield from ("", f"For {plain(document.reader)}.")
    for each in (document.due, *document.parts):
        yield from ("", f"## {plain(each.title)}")
        for group in each.groups:
            if group.title:
                yield from ("", f"### {plain(group.title)}")
            yield ""
            yield from (f"- {plain(line)}" for line in group.lines)


def plain(text: str) -> str:
    """A line as Markdown in which nothing is markup."""
    return _AT_START.sub(lambda m: f"\\{m[1]}" if not m[1].isdigit() else m[1] + "\\", _MARKUP.sub(r"\\\g<0>", text))
