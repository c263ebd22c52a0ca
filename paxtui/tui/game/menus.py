"""Lists that act: the action menu of a place, and the answer to a pending choice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.events import Key
from textual.geometry import Region
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from paxtui.engine.refusal import Refusal
from paxtui.pax.play.choices import default_of, options_of
from paxtui.pax.state.questions import Pending
from paxtui.table.reference.remedies import remedy_of_code
from paxtui.tui.player.look import Look, signed
from paxtui.tui.swift.overlay import Overlay

LETTERS = "abdefghijklmnopqrstuwxyz"


class AreaMenu(Overlay[str | None]):
    """What can I do here: allowed lines first, forbidden ones dim with their reason. A letter picks a line.

    Args:
        title: the place in words.
        items: objects with text, label, allowed, price, income, rules, reason (`paxtui.pax.legal.MenuItem`).
        look: colours.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Close", id="menu.close", tooltip="Do nothing"),
        Binding("question_mark", "rules", "Rules", id="menu.rules", tooltip="The rules of the line chosen"),
    ]

    def __init__(self, title: str, items: Sequence[object], look: Look, beside: Region | None = None) -> None:
        super().__init__()
        self._title, self._look, self._beside = title, look, beside
        self._items = sorted(items, key=lambda i: not i.allowed)  # type: ignore[attr-defined]

    def compose(self) -> ComposeResult:
        """Title and lines."""
        with Vertical(classes="box"):
            yield Static(self._title, classes="title")
            yield OptionList(*(self._line(n) for n in range(len(self._items))), id="menu")
            yield Static("", id="menu-why")
            yield Static("a letter or Enter does it · ? the rule of the line · Esc nothing", classes="note")

    def _line(self, n: int) -> Option:
        item = self._items[n]
        text = Text(no_wrap=True, overflow="ellipsis")
        letter = LETTERS[n] if n < len(LETTERS) else " "
        # what the frame, the padding and a scrollbar leave of the box
        room = min(88, self.app.size.width * 96 // 100) - 5
        if item.allowed:  # type: ignore[attr-defined]
            rules = " ".join(item.rules[: 2 if room > 75 else 1])  # type: ignore[attr-defined]
            label = Text(item.label)  # type: ignore[attr-defined]
            label.truncate(max(20, room - 2 - 6 - 13 - 2 - len(rules) - 1), overflow="ellipsis", pad=True)
            text.append(f"{letter} ", self._look.key)
            text.append_text(label)
            price = item.price  # type: ignore[attr-defined]
            text.append(f"{'£' + str(price) if price else '':>6}")
            income = item.income  # type: ignore[attr-defined]
            text.append(f"{('line 22 ' + signed(income)) if income else '':>13}", self._look.good)
            text.append(f"  {rules}", self._look.faint)
        else:
            text.append(f"{letter} {item.label:<24}", self._look.faint)  # type: ignore[attr-defined]
            text.append(f" {item.reason}", self._look.faint)  # type: ignore[attr-defined]
        text.truncate(room, overflow="ellipsis")
        return Option(text, id=str(n))

    def on_mount(self) -> None:
        """The first allowed line is under the cursor."""
        rows = self.query_one(OptionList)
        self.set_focus(rows)
        if self._items:
            rows.highlighted = 0
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
        self.query_one(OptionList).styles.max_height = max(3, min(24, screen.height - 2 - 7))
        box.styles.offset = (x, max(1, min(y, screen.height - height - 1)))

    @on(OptionList.OptionHighlighted)
    def _say_why(self, event: OptionList.OptionHighlighted) -> None:
        """The whole reason of a line that is not allowed; what is allowed needs none."""
        item = self._items[event.option_index]
        rules = " ".join(item.rules[:3])  # type: ignore[attr-defined]
        text = "" if item.allowed else f"{item.reason} [{rules}]"  # type: ignore[attr-defined]
        self.query_one("#menu-why", Static).update(Text(text, self._look.alarm))

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        self._pick(int(event.option_id or 0))

    def on_key(self, event: Key) -> None:
        """A letter picks its line."""
        if event.character and event.character in LETTERS[: len(self._items)]:
            event.stop()
            self._pick(LETTERS.index(event.character))

    def action_rules(self) -> None:
        """The rules of a line; of a forbidden one all that is to be said about the refusal."""
        from paxtui.tui.reading.rules import RulesScreen

        row = self.query_one(OptionList).highlighted
        if row is None:
            return
        item = self._items[row]
        words = " ".join(item.rules)  # type: ignore[attr-defined]
        refusal = None if item.allowed else Refusal(item.code, item.rules, item.reason)  # type: ignore[attr-defined]
        if words or refusal:
            self.app.push_screen(RulesScreen(words, refusal))

    def _pick(self, n: int) -> None:
        item = self._items[n]
        if item.allowed:  # type: ignore[attr-defined]
            self.dismiss(item.text)  # type: ignore[attr-defined]
        else:
            rules = " ".join(item.rules[:3])  # type: ignore[attr-defined]
            remedy = remedy_of_code(item.code)  # type: ignore[attr-defined]
            text = "\n".join(line for line in (item.reason, remedy, "? tells more") if line)  # type: ignore[attr-defined]
            self.notify(text, title=f"Not allowed [{rules}]", severity="warning", timeout=8, markup=False)

    def action_close(self) -> None:
        """Do nothing."""
        self.dismiss(None)


class ChoiceScreen(Overlay[str | None]):
    """A pending choice: Space marks where several may be named, Enter answers."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Later", id="choice.close", tooltip="Answer later"),
        Binding("space", "mark", "Mark", id="choice.mark", tooltip="Mark or unmark this option"),
        Binding("d", "default", "Default", id="choice.default", tooltip="Take the default"),
        Binding("question_mark", "rules", "Rules", id="choice.rules", tooltip="The rules of the question"),
    ]

    def __init__(self, choice: Pending, look: Look) -> None:
        super().__init__()
        self._choice, self._look = choice, look
        self._options = list(options_of(choice))
        self._marked: set[int] = set()
        if choice.about.several:
            left = list(default_of(choice))
            for i, text in enumerate(self._options):
                if text in left:
                    left.remove(text)
                    self._marked.add(i)

    def compose(self) -> ComposeResult:
        """The question and its options."""
        c = self._choice
        with Vertical(classes="box"):
            yield Static(f"{c.id}: {c.prompt or c.kind}", classes="title")
            yield OptionList(id="options")
            several = "Space marks · " if c.about.several else ""
            default = " ".join(default_of(c))
            yield Static(f"{several}Enter answers · d default ({default}) · ? rules · Esc later", classes="note")

    def on_mount(self) -> None:
        """Fill the list."""
        self._fill(0)

    def _fill(self, row: int) -> None:
        rows = self.query_one(OptionList)
        rows.clear_options()
        several = self._choice.about.several
        for i, text in enumerate(self._options):
            mark = ("[x] " if i in self._marked else "[ ] ") if several else ""
            rows.add_option(Option(Text(mark + text), id=str(i)))
        if self._options:
            rows.highlighted = row
        self.set_focus(rows)

    def action_mark(self) -> None:
        """Mark or unmark."""
        row = self.query_one(OptionList).highlighted
        if row is not None and self._choice.about.several:
            self._marked ^= {row}
            self._fill(row)

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        if self._choice.about.several and self._marked:
            answer = " ".join(self._options[i] for i in sorted(self._marked))
        else:
            answer = self._options[event.option_index]
        self.dismiss(f"choose {self._choice.id} {answer}")

    def action_default(self) -> None:
        """Take the default."""
        self.dismiss(f"choose {self._choice.id} {' '.join(default_of(self._choice))}")

    def action_rules(self) -> None:
        """The rules of the question: those of this one, then those of its kind."""
        from paxtui.table.reference.rule_links import load_orders
        from paxtui.tui.reading.rules import RulesScreen

        kind = load_orders()[1].get(self._choice.kind)
        self.app.push_screen(RulesScreen(" ".join((*self._choice.rules, *(kind.rules if kind else ())))))

    def action_close(self) -> None:
        """Answer later."""
        self.dismiss(None)
