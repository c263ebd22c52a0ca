"""What the help says of each screen and each part of the game screen: the texts of `data/help.toml`."""

from __future__ import annotations

import tomllib
from functools import cache

import msgspec
from textual.screen import Screen
from textual.widgets import Input

from paxtui.table.reference.glossary import load_glossary
from paxtui.table.tablefiles.sources import shipped_text
from paxtui.table.tablefiles.text import TableError

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


GAME = ("map", "now", "record", "indexes", "treaties", "log", "cards", "move", "history", "command", "find")
"""Parts of the game screen in the order in which they are leafed through."""

SCREENS = {
    "AreaMenu": "menu",
    "ChoiceScreen": "choice",
    "PickScreen": "pick",
    "RulesScreen": "rules",
    "GlossaryScreen": "glossary",
    "LogScreen": "log_screen",
    "RecordScreen": "sheet",
    "StartScreen": "start",
    "NewGameScreen": "new",
    "SettingsScreen": "settings",
    "KeysScreen": "keys",
    "TextScreen": "text",
    "CurtainScreen": "curtain",
    "CommandPalette": "palette",
}
"""The topic of each screen of one part, by the name of its class."""


def topics_of(screen: Screen[object]) -> tuple[Topic, ...]:
    """What can be read about a screen, first what has focus. A screen unknown here speaks by its own description."""
    kinds = [kind.__name__ for kind in type(screen).__mro__]
    own = next((SCREENS[kind] for kind in kinds if kind in SCREENS), "")
    if own:
        return (load_topics()[own],)
    if "GameScreen" in kinds:
        here = part_of_game(screen)
        parts = (here, *(p for p in GAME if p != here))
        if "TutorialScreen" in kinds:
            parts = ("tutorial", *parts) if here == "map" else (here, "tutorial", *parts[1:])
        return tuple(load_topics()[p] for p in parts)
    described = (type(screen).__doc__ or "").strip().partition("\n")[0]
    title = "".join(f" {c}" if c.isupper() else c for c in kinds[0].removesuffix("Screen")).strip()
    return (Topic(title, described, ("near",)),)


def part_of_game(screen: Screen[object]) -> str:
    """The part of the game screen that has focus: a mode, the history, the cards, a pane in front, else the map."""
    if isinstance(screen.focused, Input):
        return str(getattr(screen, "asked", "command"))
    if getattr(screen, "mode", "") == "move":
        return "move"
    if screen.has_class("small") and screen.has_class("-side"):
        return str(getattr(screen, "pane", "now"))
    if getattr(getattr(screen, "session", None), "at", None) is not None:
        return "history"
    return "cards" if getattr(screen, "cards", False) else "map"
