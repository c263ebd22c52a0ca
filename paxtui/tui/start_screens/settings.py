"""The settings and the key bindings, each as a list that is edited in place."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.events import Key
from textual.widgets.option_list import Option

from paxtui.tui.base import keymap
from paxtui.tui.base.screen import ChoiceList, KeyRows, ModalDialog, PlainText
from paxtui.tui.base.settings import SETTINGS, SettingValue, settings_path


class SettingsScreen(ModalDialog[None]):
    """The settings. Each change takes effect at once and is stored."""

    TOPIC = "settings"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Close", id="settings.close", tooltip="Back to where you were"),
        Binding("right,space", "change(1)", "Next value", id="settings.next", tooltip="The next value of the line"),
        Binding("left", "change(-1)", "Previous value", id="settings.previous", tooltip="The value before"),
        Binding("d", "default", "Default", id="settings.default", tooltip="What the line is without any setting"),
        Binding("k", "keys", "Keys", id="settings.keys", tooltip="Change the keys"),
    ]

    def compose(self) -> ComposeResult:
        """Yield title, rows and help."""
        with Vertical(classes="box", id="settings-box"):
            yield PlainText("Settings", classes="title")
            yield ChoiceList(id="settings-lines")
            yield PlainText(id="settings-help")
            yield PlainText(classes="note", id="settings-note")

    def on_mount(self) -> None:
        """Fill the list."""
        self._fill(0)
        self.set_focus(self.query_one(ChoiceList))

    def restyle(self) -> None:
        """Redraw with the current palette."""
        self._fill(self.query_one(ChoiceList).highlighted or 0)

    def _fill(self, row: int) -> None:
        look = self.look
        rows = self.query_one(ChoiceList)
        rows.clear_options()
        group = ""
        for setting in SETTINGS:
            value = getattr(self.app.settings, setting.key)
            text = Text(no_wrap=True, overflow="ellipsis")
            text.append(f"{setting.group if setting.group != group else '':<8}", look.faint)
            group = setting.group
            text.append(f"{setting.title:<26}")
            left, right = "<>" if look.palette.ascii else "‹›"
            text.append(f"{left} {value_text(value):^14} {right}", look.key)
            text.append("" if value == setting.default else "  changed", look.faint)
            rows.add_option(Option(text, id=setting.key))
        rows.highlighted = row
        arrows = "left right" if look.palette.ascii else "← →"
        keys = " change · {settings.default} default · {settings.keys} keys · {settings.close} back"
        note = arrows + self.format_keys(keys)
        if self.app.stored:
            note += f"\n{settings_path()}"
        self.query_one("#settings-note", PlainText).update(look.palette.text(note))

    @on(ChoiceList.OptionHighlighted)
    def _explain(self, event: ChoiceList.OptionHighlighted) -> None:
        setting = SETTINGS[event.option_index]
        choices = " · ".join(value_text(v) for v in setting.values)
        text = Text(f"{setting.help}.\n")
        text.append(self.look.palette.text(choices), "dim")
        self.query_one("#settings-help", PlainText).update(text)

    @on(ChoiceList.OptionSelected)
    def _selected(self) -> None:
        self.action_change(1)

    def action_change(self, step: int) -> None:
        """Set the selected row to its next or previous value."""
        row = self.query_one(ChoiceList).highlighted or 0
        setting = SETTINGS[row]
        at = setting.values.index(getattr(self.app.settings, setting.key))
        self._set(setting.key, setting.values[(at + step) % len(setting.values)])

    def action_default(self) -> None:
        """Reset the selected row."""
        setting = SETTINGS[self.query_one(ChoiceList).highlighted or 0]
        self._set(setting.key, setting.default)

    def _set(self, key: str, value: SettingValue) -> None:
        self.app.settings = replace(self.app.settings, **{key: value})

    async def action_keys(self) -> None:
        """Open the key bindings."""
        await self.app.run_action("keys")

    def action_close(self) -> None:
        """Close the screen."""
        self.dismiss(None)


def value_text(value: SettingValue) -> str:
    """Format a value for its row."""
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


SCREEN_NAMES = {
    "game": "Game", "map": "Map", "app": "Everywhere", "menu": "Action menu", "choice": "A choice", "text": "A text",
    "curtain": "Curtain", "rules": "Rules", "record": "Record Sheet", "log": "Log", "start": "Start", "new": "New game",
    "settings": "Settings", "keys": "Keys",
}  # fmt: skip


class KeysScreen(ModalDialog[None]):
    """The keymap as a list.

    Args: all bindings of the program.
    """

    TOPIC = "keys"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Close", id="keys.close", tooltip="Back to where you were"),
        Binding("d", "default", "Default", id="keys.default", tooltip="Give the line its own key back"),
        Binding("ctrl+d", "all_default", "All defaults", id="keys.all", tooltip="Give every line its own key back"),
    ]

    def __init__(self, bound: tuple[keymap.KeyBinding, ...]) -> None:
        super().__init__()
        self._bound = bound
        self._rows: list[keymap.KeyBinding | None] = []
        self._waits = ""

    def compose(self) -> ComposeResult:
        """Yield title, rows and help."""
        with Vertical(classes="box", id="keys-box"):
            yield PlainText("Keys", classes="title")
            yield ChoiceList(id="keys-lines")
            yield PlainText(id="keys-help")
            yield PlainText(classes="note", id="keys-note")

    def on_mount(self) -> None:
        """Fill the list."""
        self._fill(1)
        self.set_focus(self.query_one(ChoiceList))

    def _fill(self, row: int) -> None:
        look = self.look
        rows = self.query_one(ChoiceList)
        rows.clear_options()
        self._rows = []
        where = ""
        for b in self._bound:
            if b.where != where:
                where = b.where
                self._rows.append(None)
                title = SCREEN_NAMES.get(where, where.replace("_", " ").capitalize())
                rows.add_option(Option(Text(title, "bold"), disabled=True))
            own = self.app.own_keys.get(b.id)
            text = Text(no_wrap=True, overflow="ellipsis")
            keys = "  ".join(keymap.key_name(k) for k in (own or b.key).split(","))
            text.append(look.palette.text(f"  {keys:<16}"), look.key)
            text.append(f"{b.title:<20}")
            text.append(b.help + (f"  (was {keymap.key_name(b.key)})" if own else ""), look.faint)
            self._rows.append(b)
            rows.add_option(Option(text, id=b.id))
        rows.highlighted = row
        self._write_message("")
        own = "{keys.default} its own key · {keys.all} all their own"
        note = self.format_keys(f"Enter, then the new key · {own} · {{keys.close}} back")
        if self.app.stored:
            note += f"\n{keymap.keymap_path()}"
        self.query_one("#keys-note", PlainText).update(KeyRows(look.palette.text(note)))

    def _write_message(self, text: str) -> None:
        self.query_one("#keys-help", PlainText).update(Text(text, "bold"))

    def _row(self) -> keymap.KeyBinding | None:
        at = self.query_one(ChoiceList).highlighted
        return self._rows[at] if at is not None else None

    @on(ChoiceList.OptionSelected)
    def _selected(self) -> None:
        row = self._row()
        if row is not None:
            self._waits = row.id
            self._write_message(f"Press the key for “{row.title}”; Esc leaves it as it is.")
            self.query_one(ChoiceList).disabled = True
            self.set_focus(None)

    def on_key(self, event: Key) -> None:
        """Assign the pressed key to the selected binding."""
        if not self._waits:
            return
        event.stop()
        event.prevent_default()
        id_, self._waits = self._waits, ""
        rows = self.query_one(ChoiceList)
        rows.disabled = False
        self.set_focus(rows)
        row = self._row()
        if event.key == "escape" or row is None:
            self._write_message("")
            return
        other = keymap.conflicting_binding(self._bound, self.app.own_keys, id_, event.key)
        if other is not None:
            self._write_message(
                f"{keymap.key_name(event.key)} is “{other.title}” already: give that one another key first."
            )
            return
        own = {k: v for k, v in self.app.own_keys.items() if k != id_}
        if event.key not in row.key.split(","):
            own[id_] = event.key
        self.app.store_keymap(own, self._bound)
        self._fill(rows.highlighted or 0)
        self._write_message(f"“{row.title}” is {keymap.key_name(event.key)} now.")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable all actions while the screen waits for a key."""
        return not self._waits

    def action_default(self) -> None:
        """Reset the selected binding."""
        row = self._row()
        if row is not None:
            self.app.store_keymap({k: v for k, v in self.app.own_keys.items() if k != row.id}, self._bound)
            self._fill(self.query_one(ChoiceList).highlighted or 0)

    def action_all_default(self) -> None:
        """Reset all bindings."""
        self.app.store_keymap({}, self._bound)
        self._fill(self.query_one(ChoiceList).highlighted or 0)

    def action_close(self) -> None:
        """Close the screen."""
        self.dismiss(None)
