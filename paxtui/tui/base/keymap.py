"""The player's keymap: every binding by its id, and the file with changed keys.

The file holds one line per binding, `"game.move" = "v"`; other bindings keep their default. Keys have Textual's names:
letters, `f1`, `ctrl+r`, `left_square_bracket`; commas separate several keys.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from textual.binding import Binding
from textual.dom import DOMNode

from paxtui.engine.toml_text import toml_value
from paxtui.session.storage.files import config_file, read_toml, write_config

_KEY = re.compile(r"(?:(?:ctrl|alt|shift|super|meta|hyper)\+)*(?:[a-z0-9_]+|[A-Z])")
_KEY_NAMES = {
    "left_square_bracket": "[", "right_square_bracket": "]", "left_curly_bracket": "{", "right_curly_bracket": "}",
    "question_mark": "?", "colon": ":", "slash": "/", "equals_sign": "=", "plus": "+", "minus": "-",
    "escape": "Esc", "enter": "Enter", "space": "Space", "tab": "Tab", "home": "Home", "end": "End",
    "up": "↑", "down": "↓", "left": "←", "right": "→", "pageup": "PgUp", "pagedown": "PgDn", "comma": ",",
    "full_stop": ".", "backspace": "Backspace", "delete": "Del", "less_than_sign": "<", "greater_than_sign": ">",
    "exclamation_mark": "!", "at": "@", "semicolon": ";", "apostrophe": "'", "asterisk": "*",
}  # fmt: skip


@dataclass(frozen=True)
class KeyBinding:
    """A binding of the program: its owner and its default."""

    id: str
    key: str
    title: str
    help: str
    where: str


def bind(
    id_: str, key: str, action: str, title: str, help_: str, *, show: bool = True, priority: bool = False
) -> Binding:
    """Return a binding; palette, keymap and help find it by its id."""
    return Binding(key, action, title, id=id_, tooltip=help_, show=show, priority=priority)


def bindings_of(owner: type[DOMNode]) -> Iterator[Binding]:
    """Yield the bindings with an id of a class, then those of its bases."""
    for kind in owner.__mro__:
        for binding in vars(kind).get("BINDINGS", ()):
            if isinstance(binding, Binding) and binding.id:
                yield binding


def collect_bindings(owners: Iterable[type[DOMNode]]) -> list[KeyBinding]:
    """Return every binding with an id, the game screen's first."""
    out: dict[str, KeyBinding] = {}
    for kind in owners:
        for b in kind.BINDINGS:
            if isinstance(b, Binding) and b.id and b.id not in out:
                out[b.id] = KeyBinding(b.id, b.key, b.description, b.tooltip, b.id.partition(".")[0])
    first = ("game", "map", "app")
    return sorted(out.values(), key=lambda b: (first.index(b.where) if b.where in first else 9, b.where))


def keymap_path() -> Path:
    """Return the path of the keymap file."""
    return config_file("keymap.toml")


def load_keymap(bindings: Callable[[], Iterable[KeyBinding]]) -> tuple[dict[str, str], list[str]]:
    """Return the player's keys by binding id, and a list of errors in the file.

    Invalid lines are skipped.

    Args: returns every binding of the program, called only if the file exists.
    """
    raw = read_toml(keymap_path())
    known = {b.id: b.key for b in bindings()} if raw else {}
    good: dict[str, str] = {}
    wrong: list[str] = []
    try:
        entries = list(_flat(raw))
    except RecursionError:
        return {}, ["nested too deeply"]
    for id_, keys in entries:
        if id_ not in known:
            wrong.append(f"{id_}: unknown binding")
        elif not isinstance(keys, str) or not all(_KEY.fullmatch(k.strip()) for k in keys.split(",")):
            wrong.append(f"{id_}: {keys!r} is not a key")
        elif keys != known[id_]:
            good[id_] = keys
    return good, wrong


def _flat(raw: Mapping[str, object], before: str = "") -> Iterable[tuple[str, object]]:
    """Yield TOML entries by dotted name, quoted or not."""
    for name, value in raw.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{name}.")
        else:
            yield before + name, value


def save_keymap(bindings: Iterable[KeyBinding], keymap: Mapping[str, str]) -> None:
    """Save the keymap; default keys are written as comments.

    Args: every binding of the program; the player's keys by binding id.
    Raises: OSError.
    """
    lines = ["# Keys of paxtui. Remove the # of a line to give that binding another key.\n"]
    where = ""
    for b in bindings:
        if b.where != where:
            where = b.where
            lines.append("\n")
        key = keymap.get(b.id, b.key)
        mark = "" if key != b.key else "# "
        lines.append(f"{mark}{toml_value(b.id)} = {toml_value(key)}  # {b.title}: {b.help}\n")
    write_config(keymap_path(), "".join(lines))


def conflicting_binding(
    bindings: Iterable[KeyBinding], keymap: Mapping[str, str], id_: str, key: str
) -> KeyBinding | None:
    """Return the binding of the same screen that uses a key already; app bindings conflict with all screens."""
    where = id_.partition(".")[0]
    for b in bindings:
        near = b.where == where or "app" in (b.where, where) or {b.where, where} == {"game", "map"}
        if b.id != id_ and near and key in keymap.get(b.id, b.key).split(","):
            return b
    return None


def key_name(key: str) -> str:
    """Return the readable name of a key: `ctrl+r`, `[`, `Esc`; of several keys the first."""
    first = key.split(",")[0].strip()
    front, plus, last = first.rpartition("+")
    return front + plus + _KEY_NAMES.get(last, last.upper() if re.fullmatch(r"f\d+", last) else last)
