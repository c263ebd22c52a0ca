"""The settings, drawn from their table: one line each, arrows change it, what it does stands below."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets.option_list import Option

from paxtui.tui.stage.prose import Prose, Rows
from paxtui.tui.stage.screen import PaxOverlay
from paxtui.tui.stage.settings import SETTINGS, Value, settings_path


class SettingsScreen(PaxOverlay[None]):
    """What the player may set. Every change counts at once and is stored."""

    TOPIC = "settings"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Close", id="settings.close", tooltip="Back to where you were"),
        Binding("right,space", "change(1)", "Next value", id="settings.next", tooltip="The next value of the line"),
        Binding("left", "change(-1)", "Previous value", id="settings.previous", tooltip="The value before"),
        Binding("d", "default", "Default", id="settings.default", tooltip="What the line is without any setting"),
        Binding("k", "keys", "Keys", id="settings.keys", tooltip="Change the keys"),
    ]

    def compose(self) -> ComposeResult:
        """Title, lines, help."""
        with Vertical(classes="box", id="settings-box"):
            yield Prose("Settings", classes="title")
            yield Rows(id="settings-lines")
            yield Prose(id="settings-help")
            yield Prose(classes="note", id="settings-note")

    def on_mount(self) -> None:
        """Show the table."""
        self._fill(0)
        self.set_focus(self.query_one(Rows))

    def restyle(self) -> None:
        """Draw again in other colours."""
        self._fill(self.query_one(Rows).highlighted or 0)

    def _fill(self, row: int) -> None:
        look = self.look
        rows = self.query_one(Rows)
        rows.clear_options()
        group = ""
        for setting in SETTINGS:
            value = getattr(self.app.settings, setting.key)
            text = Text(no_wrap=True, overflow="ellipsis")
            text.append(f"{setting.group if setting.group != group else '':<8}", look.faint)
            group = setting.group
            text.append(f"{setting.title:<26}")
            left, right = "<>" if look.palette.ascii else "‹›"
            text.append(f"{left} {shown(value):^14} {right}", look.key)
            text.append("" if value == setting.default else "  changed", look.faint)
            rows.add_option(Option(text, id=setting.key))
        rows.highlighted = row
        arrows = "left right" if look.palette.ascii else "← →"
        keys = " change · {settings.default} default · {settings.keys} keys · {settings.close} back"
        note = arrows + self.keyed(keys)
        if self.app.stored:
            note += f"\n{settings_path()}"
        self.query_one("#settings-note", Prose).update(look.palette.text(note))

    @on(Rows.OptionHighlighted)
    def _explain(self, event: Rows.OptionHighlighted) -> None:
        setting = SETTINGS[event.option_index]
        choices = " · ".join(shown(v) for v in setting.values)
        text = Text(f"{setting.help}.\n")
        text.append(self.look.palette.text(choices), "dim")
        self.query_one("#settings-help", Prose).update(text)

    @on(Rows.OptionSelected)
    def _selected(self) -> None:
        self.action_change(1)

    def action_change(self, step: int) -> None:
        """Another value for the line."""
        row = self.query_one(Rows).highlighted or 0
        setting = SETTINGS[row]
        at = setting.values.index(getattr(self.app.settings, setting.key))
        self._set(setting.key, setting.values[(at + step) % len(setting.values)])

    def action_default(self) -> None:
        """The default of the line."""
        setting = SETTINGS[self.query_one(Rows).highlighted or 0]
        self._set(setting.key, setting.default)

    def _set(self, key: str, value: Value) -> None:
        self.app.settings = replace(self.app.settings, **{key: value})

    async def action_keys(self) -> None:
        """The keys."""
        await self.app.run_action("keys")

    def action_close(self) -> None:
        """Back."""
        self.dismiss(None)


def shown(value: Value) -> str:
    """A value as it stands in the line."""
    return ("on" if value else "off") if isinstance(value, bool) else str(value)
