"""The settings: one table defines the settings screen, the file and its comments."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NamedTuple, get_args, get_type_hints

import msgspec

from paxtui.engine.seating import BotOrder
from paxtui.engine.toml_text import toml_value
from paxtui.session.storage.files import config_file, read_toml, write_config
from paxtui.tui.colors import DEPTH_NAMES, PALETTES
from paxtui.tui.map.projection import ZOOMS
from paxtui.tui.panes.registry import SIDE_PANES
from paxtui.tui.rendering.terminal_notifications import KINDS

SettingValue = str | bool | int
YES_OR_NO = (False, True)


class SettingRow(NamedTuple):
    """Metadata of a setting.

    Attributes:
        group: its heading.
        title: its name on the screen.
        help: a sentence about its effect.
        values: the allowed values, in the order of the screen.
    """

    group: str
    title: str
    help: str
    values: tuple[SettingValue, ...] = YES_OR_NO


class Settings(msgspec.Struct, frozen=True):
    """The settings of a player."""

    palette: Annotated[
        str,
        SettingRow(
            "Looks", "Palette", "Colours; two palettes for colour-blind players, one without colours", tuple(PALETTES)
        ),
    ] = "dark"
    colours: Annotated[
        str,
        SettingRow(
            "Looks",
            "Colours of the terminal",
            "Colours: detect or set",
            ("asked", *DEPTH_NAMES),
        ),
    ] = "asked"
    ascii: Annotated[bool, SettingRow("Looks", "ASCII signs", "ASCII symbols instead of ● ◇ ◆ ★")] = False
    zoom: Annotated[
        str, SettingRow("Looks", "Zoom at the start", "Zoom of the map when a game opens", (*ZOOMS, "cards"))
    ] = "world"
    pane: Annotated[
        str,
        SettingRow(
            "Looks", "Pane at the start", "Pane of the side column when a game opens", tuple(p.name for p in SIDE_PANES)
        ),
    ] = "record"
    animation: Annotated[bool, SettingRow("Looks", "Animation", "Smooth scrolling; off for slow connections")] = True
    dice: Annotated[
        str,
        SettingRow("Dice", "Dice and combat", "A panel with roll, table and result, or only the log", ("panel", "log")),
    ] = "panel"
    speed: Annotated[
        int, SettingRow("Time", "Speed of a replay", "Log lines per second in a replay", (1, 2, 4, 8, 16))
    ] = 4
    bots: Annotated[
        str,
        SettingRow(
            "Time",
            "Moves of bots",
            "How long each act of a bot is shown; key: until you press a key",
            ("at once", "0.1 s", "0.3 s", "1 s", "a key each"),
        ),
    ] = "0.3 s"
    bot_order: Annotated[
        BotOrder,
        SettingRow(
            "Time",
            "Turn of bots",
            "When bots act in a Movement Phase: in small steps in random order; all before you; all after you",
            get_args(BotOrder),
        ),
    ] = "with you"
    reasons: Annotated[
        str,
        SettingRow(
            "Time",
            "Reasons of bots",
            "When the log shows the bots' reasons: at once (secrets excluded), or when the game is over",
            ("at the end", "at once"),
        ),
    ] = "at the end"
    rivals: Annotated[
        str,
        SettingRow(
            "Table",
            "Level of rivals",
            "Level of the bots when you play alone; asked: ask before the next game",
            ("asked", "easy", "normal", "hard", "expert"),
        ),
    ] = "asked"
    handover: Annotated[
        str,
        SettingRow(
            "Table",
            "Hand-over",
            "Announce the next player by a card, by a line above the map, or not. Secrets are always behind a curtain",
            ("card", "line", "none"),
        ),
    ] = "line"
    reports: Annotated[
        str,
        SettingRow(
            "Table",
            "Reports",
            "Report pages: at the end and the beginning of a Game Turn, and after acts of others",
            ("none", "turns", "all"),
        ),
    ] = "all"
    bell: Annotated[
        bool, SettingRow("Table", "Bell", "Ring the bell when another seat must act; on a server when you must act")
    ] = False
    notifications: Annotated[
        str,
        SettingRow(
            "Table",
            "Notifications",
            "Notification of the terminal when you must act and its window is not in front: detect, set, or off",
            ("detect", *KINDS, "off"),
        ),
    ] = "detect"
    title: Annotated[
        bool, SettingRow("Table", "Window title", "Year, Phase and who has to act in the terminal's title")
    ] = True
    remind: Annotated[
        bool, SettingRow("Table", "Remind before ready", "Before ready, list once what you can still do")
    ] = True
    confirm_ready: Annotated[
        bool, SettingRow("Table", "Ask before a Phase ends", "Ask before the last ready of a Phase")
    ] = False


class Setting(NamedTuple):
    """A row of the table: `key` is its name in the file, `default` its initial value."""

    key: str
    default: SettingValue
    group: str
    title: str
    help: str
    values: tuple[SettingValue, ...]


def _table() -> tuple[Setting, ...]:
    default, hints = Settings(), get_type_hints(Settings, include_extras=True)
    return tuple(Setting(key, getattr(default, key), *get_args(hint)[1]) for key, hint in hints.items())


SETTINGS = _table()
"""The table, in the order of the screen."""


def settings_path() -> Path:
    """Return the path of the settings file."""
    return config_file("settings.toml")


def load_settings() -> Settings:
    """Return the stored settings; missing or invalid values have their default."""
    raw = read_toml(settings_path())
    good = {s.key: raw[s.key] for s in SETTINGS if _is_allowed(s, raw.get(s.key))}
    return Settings(**good)


def _is_allowed(setting: Setting, value: object) -> bool:
    """Return whether a stored value is allowed (True does not equal 1 here)."""
    return any(type(v) is type(value) and v == value for v in setting.values)


def save_settings(settings: Settings) -> None:
    """Save the settings.

    Raises: OSError if the directory is not writable.
    """
    lines = []
    for s in SETTINGS:
        choices = ", ".join(toml_value(v) for v in s.values)
        lines.append(f"# {s.help}: {choices}\n{s.key} = {toml_value(getattr(settings, s.key))}\n")
    write_config(settings_path(), "".join(lines))
