"""The settings and the key bindings, each as a list that is edited in place."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import ClassVar

from msgspec.structs import replace
from rich.text import Text
from textual.binding import BindingType
from textual.events import Key
from textual.widget import Widget
from textual.widgets.option_list import Option

from paxtui.tui.base import keymap
from paxtui.tui.base.dialogs import ListDialog
from paxtui.tui.base.keymap import bind
from paxtui.tui.base.screen import KeyRows, PlainText, next_in_circle
from paxtui.tui.base.settings import SETTINGS, SettingValue, settings_path
from paxtui.tui.rendering.prepared_screens import ScreenRecipe


class SettingsScreen(ListDialog[None]):
    """The settings. Each change takes effect at once and is stored."""

    TOPIC = "settings"
    title_text = "Settings"
    box_id, list_id, detail_id = "settings-box", "settings-lines", "settings-help"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("settings.close", "escape,q", "close", "Close", "Close"),
        bind("settings.next", "right,space", "change(1)", "Next value", "Next value of the line"),
        bind("settings.previous", "left", "change(-1)", "Previous value", "Previous value of the line"),
        bind("settings.default", "d", "default", "Default", "Reset the line"),
        bind("settings.keys", "k", "keys", "Keys", "Change the keys"),
    ]

    def notes(self) -> Iterable[Widget]:
        return [PlainText(classes="note", id="settings-note")]

    def restyle(self) -> None:
        self.fill(self.row)

    def fill(self, row: int | None) -> None:
        """Rebuild the rows and the keys, which depend on the palette."""
        super().fill(row)
        look = self.look
        arrows = "left right" if look.palette.ascii else "← →"
        keys = " change · {settings.default} default · {settings.keys} keys · {settings.close} back"
        note = arrows + self.format_keys(keys)
        if self.app.stored:
            note += f"\n{settings_path()}"
        self.query_one("#settings-note", PlainText).update(look.palette.text(note))

    def lines(self) -> Iterable[Text]:
        look = self.look
        left, right = "<>" if look.palette.ascii else "‹›"
        group = ""
        for setting in SETTINGS:
            value = getattr(self.app.settings, setting.key)
            yield look.line(
                (f"{setting.group if setting.group != group else '':<8}", look.faint),
                f"{setting.title:<26}",
                (f"{left} {value_text(value):^14} {right}", look.key),
                ("" if value == setting.default else "  changed", look.faint),
            )
            group = setting.group

    def detail(self, row: int) -> Text:
        setting = SETTINGS[row]
        choices = " · ".join(value_text(v) for v in setting.values)
        return Text(f"{setting.help}.\n").append(self.look.palette.text(choices), "dim")

    def choose(self, row: int) -> None:
        self.action_change(1)

    def action_change(self, step: int) -> None:
        setting = SETTINGS[self.row or 0]
        self._set(setting.key, next_in_circle(setting.values, getattr(self.app.settings, setting.key), step))

    def action_default(self) -> None:
        setting = SETTINGS[self.row or 0]
        self._set(setting.key, setting.default)

    def _set(self, key: str, value: SettingValue) -> None:
        self.app.settings = replace(self.app.settings, **{key: value})

    async def action_keys(self) -> None:
        await self.app.run_action("keys")


def settings_recipe() -> ScreenRecipe[None]:
    """Return how the settings are shown."""
    return ScreenRecipe("settings", SettingsScreen)


def keys_recipe(bound: tuple[keymap.KeyBinding, ...]) -> ScreenRecipe[None]:
    """Return how the keys are shown. Args: all bindings of the program."""
    return ScreenRecipe("keys", partial(KeysScreen, bound))


def value_text(value: SettingValue) -> str:
    """Format a value for its row."""
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


SCREEN_NAMES = {
    "game": "Game", "map": "Map", "app": "Everywhere", "menu": "Action menu", "choice": "A choice", "text": "A text",
    "curtain": "Curtain", "rules": "Rules", "record": "Record Sheet", "log": "Log", "start": "Start", "new": "New game",
    "settings": "Settings", "keys": "Keys",
}  # fmt: skip


class KeysScreen(ListDialog[None]):
    """The keymap as a list."""

    TOPIC = "keys"
    title_text = "Keys"
    box_id, list_id = "keys-box", "keys-lines"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("keys.close", "escape,q", "close", "Close", "Close"),
        bind("keys.default", "d", "default", "Default", "Reset the key of the line"),
        bind("keys.all", "ctrl+d", "all_default", "All defaults", "Reset all keys"),
    ]

    def __init__(self, bound: tuple[keymap.KeyBinding, ...]) -> None:
        super().__init__()
        self._bound = bound
        self._bindings_by_row: list[keymap.KeyBinding | None] = []
        self.first = 1
        self._waits = ""

    def notes(self) -> Iterable[Widget]:
        """Return the line for messages, and the keys."""
        return [PlainText(id="keys-help"), PlainText(classes="note", id="keys-note")]

    def fill(self, row: int | None) -> None:
        super().fill(row)
        self._write_message("")
        own = "{keys.default} default · {keys.all} reset all"
        note = self.format_keys(f"Enter, then the new key · {own} · {{keys.close}} back")
        if self.app.stored:
            note += f"\n{keymap.keymap_path()}"
        self.query_one("#keys-note", PlainText).update(KeyRows(self.look.palette.text(note)))

    def options(self) -> Iterable[Option]:
        """Return the bindings, with a heading for each screen."""
        self._bindings_by_row = []
        where = ""
        for binding in self._bound:
            if binding.where != where:
                where = binding.where
                self._bindings_by_row.append(None)
                title = SCREEN_NAMES.get(where, where.replace("_", " ").capitalize())
                yield Option(Text(title, "bold"), disabled=True)
            self._bindings_by_row.append(binding)
            yield Option(self._line(binding), id=binding.id)

    def lines(self) -> Iterable[Text]:
        return (self._line(binding) for binding in self._bound)

    def _line(self, binding: keymap.KeyBinding) -> Text:
        look, own = self.look, self.app.own_keys.get(binding.id)
        keys = "  ".join(keymap.key_name(key) for key in (own or binding.key).split(","))
        was = f"  (was {keymap.key_name(binding.key)})" if own else ""
        return look.line((f"  {keys:<16}", look.key), f"{binding.title:<20}", (binding.help + was, look.faint))

    def _write_message(self, text: str) -> None:
        self.query_one("#keys-help", PlainText).update(Text(text, "bold"))

    def _selected_binding(self) -> keymap.KeyBinding | None:
        return self._bindings_by_row[self.row] if self.row is not None else None

    def choose(self, row: int) -> None:
        binding = self._bindings_by_row[row]
        if binding is not None:
            self._waits = binding.id
            self._write_message(f"Press the new key for “{binding.title}”. Esc cancels.")
            self.rows.disabled = True
            self.set_focus(None)

    def on_key(self, event: Key) -> None:
        if not self._waits:
            return
        event.stop()
        event.prevent_default()
        id_, self._waits = self._waits, ""
        rows = self.rows
        rows.disabled = False
        self.set_focus(rows)
        row = self._selected_binding()
        if event.key == "escape" or row is None:
            self._write_message("")
            return
        other = keymap.conflicting_binding(self._bound, self.app.own_keys, id_, event.key)
        if other is not None:
            self._write_message(f"{keymap.key_name(event.key)} is the key of “{other.title}”. Change that key first.")
            return
        own = {k: v for k, v in self.app.own_keys.items() if k != id_}
        if event.key not in row.key.split(","):
            own[id_] = event.key
        self.app.store_keymap(own, self._bound)
        self.fill(self.row)
        self._write_message(f"“{row.title}” is {keymap.key_name(event.key)} now.")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable all actions while the screen waits for a key."""
        return not self._waits

    def action_default(self) -> None:
        row = self._selected_binding()
        if row is not None:
            self.app.store_keymap({k: v for k, v in self.app.own_keys.items() if k != row.id}, self._bound)
            self.fill(self.row)

    def action_all_default(self) -> None:
        self.app.store_keymap({}, self._bound)
        self.fill(self.row)
