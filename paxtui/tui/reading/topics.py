"""What the help says of each screen and each part of the game screen: the texts of `data/help.toml`."""

from __future__ import annotations

import tomllib
from functools import cache

import msgspec
from textual.screen import Screen

from paxtui.table.reference.glossary import load_glossary
from paxtui.table.tablefiles.sources import shipped_text
from paxtui.table.tablefiles.text import TableError
from paxtui.tui.panes.registry import PANES
from paxtui.tui.stage.screen import PaxScreen

FILE = "help.toml"


class Topic(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a screen: what it shows, the bindings and the terms that matter there."""

    title: str
    text: str
    keys: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    orders: bool = False


@cache
def load_topics() -> dict[str, Topic]:
    """Every topic by its name, the lines of a paragraph joined.

    Raises:
        TableError: the file is broken or names a term that there is not.
    """
    try:
        raw = msgspec.convert(tomllib.loads(shipped_text(FILE)), dict[str, Topic])
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise TableError(FILE, 1, str(error)) from None
    for name, topic in raw.items():
        for term in topic.terms:
            if term not in load_glossary():
                raise TableError(FILE, 1, f"[{name}] names '{term}' (a term of glossary.toml)")
    return {name: msgspec.structs.replace(t, text=_joined(t.text)) for name, t in raw.items()}


def _joined(text: str) -> str:
    """Paragraphs with their lines joined."""
    return "\n\n".join(" ".join(p.split("\n")) for p in text.strip("\n").split("\n\n"))


def topics_of(screen: Screen[object]) -> tuple[Topic, ...]:
    """What can be read about a screen, first what has focus. A screen without a page speaks by its own description."""
    names = screen.topics() if isinstance(screen, PaxScreen) else ()
    if names:
        return tuple(map(topic, names))
    described = (type(screen).__doc__ or "").strip().partition("\n")[0]
    title = "".join(f" {c}" if c.isupper() else c for c in type(screen).__name__.removesuffix("Screen")).strip()
    return (Topic(title, described, ("near",)),)


def topic(name: str) -> Topic:
    """A page of the help; a pane that has none yet speaks by its row."""
    pane = next((pane for pane in PANES if pane.name == name), None)
    if pane is not None and name not in load_topics():
        return Topic(pane.title, f"{pane.help}.")
    return load_topics()[name]
