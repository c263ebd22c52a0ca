"""The action menu of a place: what can be done there, what it costs, and why the rest is forbidden."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.events import Key, Resize
from textual.geometry import Region, Size
from textual.widgets.option_list import Option

from paxtui.engine.refusal import Refusal
from paxtui.pax.menus.menu import MenuItem
from paxtui.table.reference.remedies import remedy_of_code
from paxtui.tui.reading.reading import RulesScreen
from paxtui.tui.stage.prose import Prose, Rows
from paxtui.tui.stage.screen import PaxOverlay
from paxtui.tui.writing.look import signed

LETTERS = "abdefghijklmnopqrstuwxyz"


class AreaMenu(PaxOverlay[MenuItem | None]):
    """What can I do here: allowed lines first, forbidden ones dim with their reason. A letter picks a line.

    Args:
        title: the place in words.
        items: the lines.
        beside: where the place's label is on the screen, None while it is out of sight.
    """

    TOPIC = "menu"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Close", id="menu.close", tooltip="Do nothing"),
        Binding("question_mark", "rules", "Rules", id="menu.rules", tooltip="The rules of the line chosen"),
    ]

    def __init__(self, title: str, items: Sequence[MenuItem], beside: Region | None = None) -> None:
        super().__init__()
        self._title, self._beside = title, beside
        self._fitted = Size(0, 0)  # the terminal for which it stands where it does
        self._items = sorted(items, key=lambda item: not item.allowed)

    def compose(self) -> ComposeResult:
        """Title and lines."""
        with Vertical(classes="box"):
            yield Prose(self._title, classes="title")
            yield Rows(*(self._line(n) for n in range(len(self._items))), id="menu")
            yield Prose(id="menu-why")
            yield Prose("a letter or Enter does it · ? the rule of the line · Esc nothing", classes="note")

    def _line(self, n: int) -> Option:
        item, look = self._items[n], self.look
        text = Text(no_wrap=True, overflow="ellipsis")
        letter = LETTERS[n] if n < len(LETTERS) else " "
        # what the frame, the padding and a scrollbar leave of the box
        room = min(88, self.app.size.width * 96 // 100) - 5
        if item.allowed:
            rules = " ".join(item.rules[: 2 if room > 75 else 1])
            label = Text(item.label)
            label.truncate(max(20, room - 2 - 6 - 13 - 2 - len(rules) - 1), overflow="ellipsis", pad=True)
            text.append(f"{letter} ", look.key)
            text.append_text(label)
            text.append(f"{'£' + str(item.price) if item.price else '':>6}")
            text.append(f"{('line 22 ' + signed(item.income)) if item.income else '':>13}", look.good)
            text.append(f"  {rules}", look.faint)
        else:
            text.append(f"{letter} {item.label:<24}", look.faint)
            text.append(f" {item.reason}", look.faint)
        text.truncate(room, overflow="ellipsis")
        return Option(text, id=str(n))

    def on_mount(self) -> None:
        """The first allowed line is under the cursor."""
        rows = self.query_one(Rows)
        self.set_focus(rows)
        if self._items:
            rows.highlighted = 0
        self._fitted = self.app.size
        if self._beside is not None:
            self._stand_beside(self._beside)

    def _stand_beside(self, label: Region) -> None:
        """Put the list under the place's label, or above it in the lower half of the screen."""
        screen = self.app.size
        width = min(88, screen.width * 96 // 100)
        height = min(len(self._items) + 7, screen.height - 2)
        x = max(0, min(label.right + 2, screen.width - width - 1))
        y = label.y + 1 if label.y < screen.height // 2 else label.y - height
        self.styles.align = ("left", "top")
        box = self.query_one(".box")
        box.styles.width = width
        # frame, title with its line below, the reason, and the note
        self.query_one(Rows).styles.max_height = max(3, min(24, screen.height - 2 - 7))
        box.styles.offset = (x, max(1, min(y, screen.height - height - 1)))

    def on_resize(self, event: Resize) -> None:
        """In a terminal of another size the place is elsewhere: the list goes to the middle."""
        if self._beside is None or event.size == self._fitted:
            return
        self._beside = None
        self.styles.align = ("center", "middle")
        box = self.query_one(".box")
        box.styles.offset = (0, 0)
        box.styles.width = min(88, event.size.width * 96 // 100)
        self.query_one(Rows).styles.max_height = max(3, min(24, event.size.height - 2 - 7))

    @on(Rows.OptionHighlighted)
    def _say_why(self, event: Rows.OptionHighlighted) -> None:
        """The whole reason of a line that is not allowed; what is allowed needs none."""
        item = self._items[event.option_index]
        text = "" if item.allowed else f"{item.reason} [{' '.join(item.rules[:3])}]"
        self.query_one("#menu-why", Prose).update(Text(text, self.look.alarm))

    @on(Rows.OptionSelected)
    def _selected(self, event: Rows.OptionSelected) -> None:
        self._pick(event.option_index)

    def on_key(self, event: Key) -> None:
        """A letter picks its line."""
        if event.character and event.character in LETTERS[: len(self._items)]:
            event.stop()
            self._pick(LETTERS.index(event.character))

    def action_rules(self) -> None:
        """The rules of a line; of a forbidden one all that is to be said about the refusal."""
        row = self.query_one(Rows).highlighted
        if row is None:
            return
        item = self._items[row]
        refusal = None if item.allowed else Refusal(item.code, item.rules, item.reason)
        if item.rules or refusal:
            self.app.push_screen(RulesScreen(" ".join(item.rules), refusal))

    def _pick(self, n: int) -> None:
        item = self._items[n]
        if item.allowed:
            self.dismiss(item)
        else:
            rules = " ".join(item.rules[:3])
            text = "\n".join(line for line in (item.reason, remedy_of_code(item.code), "? tells more") if line)
            self.notify(text, title=f"Not allowed [{rules}]", severity="warning", timeout=8)

    def action_close(self) -> None:
        """Do nothing."""
        self.dismiss(None)
