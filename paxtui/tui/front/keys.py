"""Every key of the program, and another one for it: Enter on a line, then the key."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.events import Key
from textual.widgets.option_list import Option

from paxtui.tui.stage import keymap
from paxtui.tui.stage.prose import Listed, Prose, Rows
from paxtui.tui.stage.screen import PaxOverlay

PLACES = {
    "game": "Game", "map": "Map", "app": "Everywhere", "menu": "Action menu", "choice": "A choice", "text": "A text",
    "curtain": "Curtain", "rules": "Rules", "record": "Record Sheet", "log": "Log", "start": "Start", "new": "New game",
    "settings": "Settings", "keys": "Keys",
}  # fmt: skip


class KeysScreen(PaxOverlay[None]):
    """The keymap as a list.

    Args: every binding of the program.
    """

    TOPIC = "keys"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Close", id="keys.close", tooltip="Back to where you were"),
        Binding("d", "default", "Default", id="keys.default", tooltip="Give the line its own key back"),
        Binding("ctrl+d", "all_default", "All defaults", id="keys.all", tooltip="Give every line its own key back"),
    ]

    def __init__(self, bound: tuple[keymap.Bound, ...]) -> None:
        super().__init__()
        self._bound = bound
        self._rows: list[keymap.Bound | None] = []
        self._waits = ""

    def compose(self) -> ComposeResult:
        """Title, lines, help."""
        with Vertical(classes="box", id="keys-box"):
            yield Prose("Keys", classes="title")
            yield Rows(id="keys-lines")
            yield Prose(id="keys-help")
            yield Prose(classes="note", id="keys-note")

    def on_mount(self) -> None:
        """Show every binding."""
        self._fill(1)
        self.set_focus(self.query_one(Rows))

    def _fill(self, row: int) -> None:
        look = self.look
        rows = self.query_one(Rows)
        rows.clear_options()
        self._rows = []
        where = ""
        for b in self._bound:
            if b.where != where:
                where = b.where
                self._rows.append(None)
                title = PLACES.get(where, where.replace("_", " ").capitalize())
                rows.add_option(Option(Text(title, "bold"), disabled=True))
            own = self.app.own_keys.get(b.id)
            text = Text(no_wrap=True, overflow="ellipsis")
            keys = "  ".join(keymap.words(k) for k in (own or b.key).split(","))
            text.append(look.palette.text(f"  {keys:<16}"), look.key)
            text.append(f"{b.title:<20}")
            text.append(b.help + (f"  (was {keymap.words(b.key)})" if own else ""), look.faint)
            self._rows.append(b)
            rows.add_option(Option(text, id=b.id))
        rows.highlighted = row
        self._say("")
        own = "{keys.default} its own key · {keys.all} all their own"
        note = self.keyed(f"Enter, then the new key · {own} · {{keys.close}} back")
        if self.app.stored:
            note += f"\n{keymap.keymap_path()}"
        self.query_one("#keys-note", Prose).update(Listed(look.palette.text(note)))

    def _say(self, text: str) -> None:
        self.query_one("#keys-help", Prose).update(Text(text, "bold"))

    def _row(self) -> keymap.Bound | None:
        at = self.query_one(Rows).highlighted
        return self._rows[at] if at is not None else None

    @on(Rows.OptionSelected)
    def _selected(self) -> None:
        row = self._row()
        if row is not None:
            self._waits = row.id
            self._say(f"Press the key for “{row.title}”; Esc leaves it as it is.")
            self.query_one(Rows).disabled = True
            self.set_focus(None)

    def on_key(self, event: Key) -> None:
        """The key that was asked for."""
        if not self._waits:
            return
        event.stop()
        event.prevent_default()
        id_, self._waits = self._waits, ""
        rows = self.query_one(Rows)
        rows.disabled = False
        self.set_focus(rows)
        row = self._row()
        if event.key == "escape" or row is None:
            self._say("")
            return
        other = keymap.clash(self._bound, self.app.own_keys, id_, event.key)
        if other is not None:
            self._say(f"{keymap.words(event.key)} is “{other.title}” already: give that one another key first.")
            return
        own = {k: v for k, v in self.app.own_keys.items() if k != id_}
        if event.key not in row.key.split(","):
            own[id_] = event.key
        self.app.use_keys(own, self._bound)
        self._fill(rows.highlighted or 0)
        self._say(f"“{row.title}” is {keymap.words(event.key)} now.")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While a key is waited for, no key does anything else."""
        return not self._waits

    def action_default(self) -> None:
        """The line's own key."""
        row = self._row()
        if row is not None:
            self.app.use_keys({k: v for k, v in self.app.own_keys.items() if k != row.id}, self._bound)
            self._fill(self.query_one(Rows).highlighted or 0)

    def action_all_default(self) -> None:
        """Everybody's own key."""
        self.app.use_keys({}, self._bound)
        self._fill(self.query_one(Rows).highlighted or 0)

    def action_close(self) -> None:
        """Back."""
        self.dismiss(None)
