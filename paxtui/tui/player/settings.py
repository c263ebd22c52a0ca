"""What a player may set: one table. The settings screen, the file and its comments are all drawn from it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from paxtui.table.files import read_regular, write_named
from paxtui.table.resources import player_config

Value = str | bool | int

LARGEST, MOST_DOTS = 64 * 1024, 100
"""Bytes of a file of settings, and dots in one of its lines."""


@dataclass(frozen=True)
class Setting:
    """One row of the table of settings.

    Attributes:
        key: its name in the file.
        title: its name on the screen.
        help: what it does, in a sentence.
        values: what it may be, in the order in which the screen goes through them.
        group: the heading it stands under.
        default: what it is when nobody has said anything.
    """

    key: str
    title: str
    help: str
    values: tuple[Value, ...]
    group: str
    default: Value


def _row(default: Value, group: str, title: str, help_: str, *values: Value) -> Any:
    """A field of `Settings` that carries its row of the table."""
    shown = values or (False, True)
    return field(default=default, metadata={"title": title, "help": help_, "values": shown, "group": group})


PALETTE_NAMES = ("dark", "light", "high-contrast", "deuteranopia", "protanopia", "mono")


@dataclass(frozen=True)
class Settings:
    """The settings of a player."""

    palette: str = _row(
        "dark", "Looks", "Palette", "Colours; two are for the colour-blind, one has none at all", *PALETTE_NAMES
    )
    ascii: bool = _row(False, "Looks", "ASCII signs", "Signs every terminal and font has, instead of ● ◇ ◆ ★")
    zoom: str = _row("world", "Looks", "Zoom at the start", "What a game opens with", "world", "theatre", "cards")
    pane: str = _row(
        "record",
        "Looks",
        "Pane at the start",
        "What the side column opens with",
        "record",
        "indexes",
        "treaties",
        "log",
    )
    animation: bool = _row(True, "Looks", "Animation", "Scrolling that glides; off for slow links")
    dice: str = _row(
        "panel", "Dice", "Dice and combat", "A panel with roll, table and result, or the log alone", "panel", "log"
    )
    speed: int = _row(4, "Time", "Speed of a replay", "Lines of the log a second while it plays", 1, 2, 4, 8, 16)
    curtain: str = _row(
        "secret",
        "Table",
        "Curtain",
        "A blank screen between players at one keyboard: where something is secret, or at every change of seats",
        "off",
        "secret",
        "always",
    )
    bell: bool = _row(False, "Table", "Bell", "Ring when it is another seat's move")
    title: bool = _row(True, "Table", "Window title", "Year, Phase and who has to act in the terminal's title")
    confirm_ready: bool = _row(False, "Table", "Ask before a Phase ends", "Ready of the last seat asks once more")


SETTINGS: tuple[Setting, ...] = tuple(
    Setting(
        f.name,
        f.metadata["title"],
        f.metadata["help"],
        f.metadata["values"],
        f.metadata["group"],
        f.default,  # type: ignore[arg-type]
    )
    for f in fields(Settings)
)
"""The table, in the order of the screen."""


def config_file(name: str) -> Path:
    """A file of the player's configuration; PAXTUI_HOME moves the directory. Raises: StoreError."""
    return player_config() / name


def settings_path() -> Path:
    """The file of the settings."""
    return config_file("settings.toml")


def read_toml(path: Path) -> dict[str, Any]:
    """A small file of the player's; empty when it is not there, cannot be read, or is none that anybody writes."""
    try:
        data = read_regular(path)
        # Of a name in many parts the library makes a table in a table for each, in more and more time.
        if len(data) > LARGEST or max((line.count(b".") for line in data.splitlines()), default=0) > MOST_DOTS:
            return {}
        return tomllib.loads(data.decode("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}


def load_settings() -> Settings:
    """The stored settings; whatever is missing or makes no sense has its default."""
    raw = read_toml(settings_path())
    good = {s.key: raw[s.key] for s in SETTINGS if _may_be(s, raw.get(s.key))}
    return Settings(**good)


def _may_be(setting: Setting, value: object) -> bool:
    """Whether a stored value is one of those a setting may have (True is no 1)."""
    return any(type(v) is type(value) and v == value for v in setting.values)


def save_settings(settings: Settings) -> None:
    """Store the settings.

    Raises: OSError when the directory cannot be written.
    """
    lines = []
    for s in SETTINGS:
        choices = ", ".join(toml(v) for v in s.values)
        lines.append(f"# {s.help}: {choices}\n{s.key} = {toml(getattr(settings, s.key))}\n")
    write_file(settings_path(), "".join(lines))


def write_file(path: Path, text: str) -> None:
    """Write a file of the player's whole or not at all.

    Raises: OSError.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    write_named(path, text.encode())


def toml(value: Value) -> str:
    """A value as TOML writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f'"{value}"' if isinstance(value, str) else str(value)
