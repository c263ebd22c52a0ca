"""The keys of a player: every binding of every screen by its id, and the file that gives some of them other keys.

The file holds one line a binding, `"game.move" = "v"`; what is not in it keeps its own key. Keys are named as
Textual names them: letters, `f1`, `ctrl+r`, `left_square_bracket`; several are parted by commas.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

from textual.binding import Binding
from textual.dom import DOMNode

from paxtui.tui.player.settings import config_file, read_toml, write_file

_KEY = re.compile(r"(?:(?:ctrl|alt|shift|super|meta|hyper)\+)*(?:[a-z0-9_]+|[A-Z])")
_WORDS = {
    "left_square_bracket": "[", "right_square_bracket": "]", "left_curly_bracket": "{", "right_curly_bracket": "}",
    "question_mark": "?", "colon": ":", "slash": "/", "equals_sign": "=", "plus": "+", "minus": "-",
    "escape": "Esc", "enter": "Enter", "space": "Space", "tab": "Tab", "home": "Home", "end": "End",
    "up": "↑", "down": "↓", "left": "←", "right": "→", "pageup": "PgUp", "pagedown": "PgDn", "comma": ",",
    "full_stop": ".", "backspace": "⌫", "delete": "Del", "less_than_sign": "<", "greater_than_sign": ">",
    "exclamation_mark": "!", "at": "@", "semicolon": ";", "apostrophe": "'", "asterisk": "*",
}  # fmt: skip


@dataclass(frozen=True)
class Bound:
    """A binding of the program: where it is at home, and what it is by itself."""

    id: str
    key: str
    title: str
    help: str
    where: str


def owners() -> list[type[DOMNode]]:
    """Every class of the program that binds keys: the app, all screens, the map."""
    import paxtui.tui as tui
    from paxtui.tui.app import PaxApp
    from paxtui.tui.map.world_map import WorldMap

    found: dict[str, type[DOMNode]] = {"PaxApp": PaxApp, "WorldMap": WorldMap}
    for module in walk_packages(tui.__path__, f"{tui.__name__}."):
        loaded = import_module(module.name)
        for name, kind in vars(loaded).items():
            if isinstance(kind, type) and issubclass(kind, DOMNode) and kind.__module__ == loaded.__name__:
                found[name] = kind
    return [kind for kind in found.values() if "BINDINGS" in vars(kind)]


def bindings() -> list[Bound]:
    """Every binding that has an id, the game screen's first."""
    out: dict[str, Bound] = {}
    for kind in owners():
        for b in kind.BINDINGS:
            if isinstance(b, Binding) and b.id and b.id not in out:
                out[b.id] = Bound(b.id, b.key, b.description, b.tooltip, b.id.partition(".")[0])
    first = ("game", "map", "app")
    return sorted(out.values(), key=lambda b: (first.index(b.where) if b.where in first else 9, b.where))


def keymap_path() -> Path:
    """The file of the player's keys."""
    return config_file("keymap.toml")


def load_keymap(path: Path | None = None) -> tuple[dict[str, str], list[str]]:
    """The player's keys by binding id, and what is wrong with the file, in words.

    Lines that make no sense are left out and named; they never keep a game from opening.
    """
    raw = read_toml(path or keymap_path())
    known = {b.id: b.key for b in bindings()} if raw else {}
    good: dict[str, str] = {}
    wrong: list[str] = []
    try:
        entries = list(_flat(raw))
    except RecursionError:
        return {}, ["it is nested too deeply"]
    for id_, keys in entries:
        if id_ not in known:
            wrong.append(f"{id_}: there is no such binding")
        elif not isinstance(keys, str) or not all(_KEY.fullmatch(k.strip()) for k in keys.split(",")):
            wrong.append(f"{id_}: {keys!r} names no key")
        elif keys != known[id_]:
            good[id_] = keys
    return good, wrong


def _flat(raw: Mapping[str, object], before: str = "") -> Iterable[tuple[str, object]]:
    """Entries of a TOML file by dotted name, whether they were quoted or not."""
    for name, value in raw.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{name}.")
        else:
            yield before + name, value


def save_keymap(keymap: Mapping[str, str], path: Path | None = None) -> None:
    """Store the player's keys: every binding has its line, those of the program as comments.

    Raises: OSError.
    """
    lines = ["# Keys of paxtui. A line without # gives a binding another key; without its line it keeps its own.\n"]
    where = ""
    for b in bindings():
        if b.where != where:
            where = b.where
            lines.append("\n")
        key = keymap.get(b.id, b.key)
        mark = "" if key != b.key else "# "
        lines.append(f'{mark}"{b.id}" = "{key}"  # {b.title}: {b.help}\n')
    write_file(path or keymap_path(), "".join(lines))


def clash(keymap: Mapping[str, str], id_: str, key: str) -> Bound | None:
    """The binding of the same screen that has this key already; keys of the app count everywhere."""
    where = id_.partition(".")[0]
    for b in bindings():
        near = b.where == where or "app" in (b.where, where) or {b.where, where} == {"game", "map"}
        if b.id != id_ and near and key in keymap.get(b.id, b.key).split(","):
            return b
    return None


def words(key: str) -> str:
    """A key as people write it: `ctrl+r`, `[`, `Esc`; of several the first."""
    first = key.split(",")[0].strip()
    front, plus, last = first.rpartition("+")
    return front + plus + _WORDS.get(last, last.upper() if re.fullmatch(r"f\d+", last) else last)
