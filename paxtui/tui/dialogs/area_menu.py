"""The action menu of a place, with costs, effects and reasons for refusals; and the dialog that sends units there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import ClassVar

from rich.cells import cell_len
from rich.text import Text
from textual.binding import BindingType
from textual.events import Key, Resize
from textual.geometry import Region, Size
from textual.widget import Widget

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.status import free_pieces
from paxtui.games.pax.menus.place import MenuItem
from paxtui.session.place_menu import preview_item
from paxtui.session.reference import remedy_of_code
from paxtui.session.session import Session
from paxtui.tui.base.dialogs import ListDialog, MultiPickDialog
from paxtui.tui.base.keymap import bind
from paxtui.tui.base.screen import PlainText
from paxtui.tui.formatting.reports import effect_sentences, effect_signs, income_text
from paxtui.tui.reference_screens.reference import RulesScreen

MIN_WIDTH, MAX_WIDTH = 92, 140
"""Preferred width of the list in columns. Long reasons widen it."""
MAX_ROWS = 24
"""Maximum number of visible lines."""
PRICE_COLUMNS, LEFT_COLUMNS, INCOME_COLUMNS = 7, 6, 8
"""Columns of price, remaining pieces and income."""
EFFECT_COLUMNS = 16
"""Columns reserved for other effects."""
DETAIL_ROWS = 5
"""Rows for the effects of the highlighted line, including the blank row above."""
LOW_STOCK = 3
"""Number of remaining pieces at or below which the menu warns."""


class AreaMenu(ListDialog[MenuItem | None]):
    """The actions possible in a place. Forbidden actions stay in the list, dimmed, with the reason.

    Each line shows price and effects; the highlighted line shows all of them below the list. A line that gives
    something up is never highlighted at first.

    Args:
        session: the open game.
        title: the place in words.
        items: the lines.
        beside: where the place's label is on the screen, None while it is out of sight.
        choose: whether the first harmless line is highlighted.
        power: the Power that acts, by default the selected one.
    """

    TOPIC = "menu"
    hint_text = "Enter or a letter choose · {menu.rules} rules of the line · {menu.close} cancel"
    list_id, detail_id = "menu", "menu-why"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("menu.close", "escape,q", "close", "Close", "Do nothing"),
        bind("menu.rules", "question_mark", "rules", "Rules", "The rules of the selected line"),
    ]

    def __init__(
        self,
        session: Session,
        title: str,
        items: Sequence[MenuItem],
        beside: Region | None = None,
        choose: bool = True,
        power: str = "",
    ) -> None:
        super().__init__()
        self._choose, self._power = choose, power or session.power
        self._session, self.title_text, self._beside = session, title, beside
        self._fitted = Size(0, 0)  # the terminal for which it stands where it does
        self._items = list(items)
        self._seen = [preview_item(session, item) for item in items]
        priced = zip(self._items, self._seen, strict=True)
        self._left = [self._pieces_left(item.action) for item in items]
        self._counted = any(left is not None for left in self._left)
        self._priced = any(seen.price > 0 or seen.income if seen else item.price for item, seen in priced)
        # no line that gives something up; if no line is allowed, the first one, to show its reason
        barred = 0 if self._items and not any(item.allowed for item in self._items) else None
        harmless = next((n for n, item in enumerate(self._items) if item.harmless), barred)
        self.first = harmless if choose else None

    def head(self) -> Iterable[Widget]:
        return [PlainText(self._heads(), id="menu-head")]

    def lines(self) -> Iterable[Text]:
        return (self._line(n) for n in range(len(self._items)))

    def _heads(self) -> Text:
        if not self._priced:
            return Text()
        left = f"{'left':>{LEFT_COLUMNS}}" if self._counted else ""
        heads = f"{'':<{self._label + 2}}{'price':>{PRICE_COLUMNS}}{left}{'income':>{INCOME_COLUMNS}}"
        return Text(heads, self.look.faint)

    @property
    def _room(self) -> int:
        return self._width - 5

    @property
    def _width(self) -> int:
        """Return the width in columns, within limits, that fits the longest reason."""
        labels = max((cell_len(item.label) for item in self._items), default=0)
        reasons = max((cell_len(item.reason) for item in self._items if not item.allowed), default=0)
        wanted = min(MAX_WIDTH, max(MIN_WIDTH, labels + reasons + 9))
        return min(wanted, self.app.size.width * 96 // 100)

    @cached_property
    def _signs(self) -> list[Text]:
        return [effect_signs(self._session, self.look, seen) if seen else Text() for seen in self._seen]

    @property
    def _label(self) -> int:
        widest = max((cell_len(item.label) for item in self._items), default=0)
        brought = max((signs.cell_len for signs in self._signs), default=0)
        figures = PRICE_COLUMNS + LEFT_COLUMNS * self._counted + INCOME_COLUMNS if self._priced else 0
        return max(12, min(widest, self._room - 2 - figures - min(2 + brought, EFFECT_COLUMNS)))

    def _line(self, n: int) -> Text:
        item, seen, look = self._items[n], self._seen[n], self.look
        text = Text(no_wrap=True, overflow="ellipsis")
        label = Text(item.label)
        label.truncate(self._label, overflow="ellipsis", pad=True)
        if not item.allowed:
            text.append(f"{item.letter or ' '} {label.plain}  {item.reason}", look.faint)
        else:
            text.append(f"{item.letter or ' '} ", look.key)
            text.append_text(label)
            price = seen.price if seen else item.price
            if self._priced:
                text.append(f"{'£' + str(price) if price > 0 else '':>{PRICE_COLUMNS}}")
                if self._counted:
                    left = self._left[n]
                    shown, is_low = ("", False) if left is None else (str(left), left <= LOW_STOCK)
                    text.append(f"{shown:>{LEFT_COLUMNS}}", look.alarm if is_low else "")
                earned = income_text(look, seen.income if seen else 0)
                text.append(" " * (INCOME_COLUMNS - earned.cell_len))
                text.append_text(earned)
            if seen:
                text.append("  ")
                text.append_text(self._signs[n])
        text.truncate(self._room, overflow="ellipsis")
        return look.signs(text)

    def on_mount(self) -> None:
        if not self._choose:
            self.show_detail(Text("You pressed Enter twice. Choose a line by its letter or with the arrow keys."))
        self._fitted = self.app.size
        if self._beside is not None:
            self._place_near_label(self._beside)

    def _place_near_label(self, label: Region) -> None:
        """Put the list below the label of the place, or above it in the lower half of the screen."""
        screen = self.app.size
        width = self._width
        # frame, title with its line below, the heads, details, and the note
        around = 6 + DETAIL_ROWS
        height = min(len(self._items) + around, screen.height - 2)
        x = max(0, min(label.right + 2, screen.width - width - 1))
        y = label.y + 1 if label.y < screen.height // 2 else label.y - height
        self.styles.align = ("left", "top")
        box = self.query_one(".box")
        box.styles.width = width
        self.rows.styles.max_height = max(3, min(MAX_ROWS, screen.height - 2 - around))
        box.styles.offset = (x, max(1, min(y, screen.height - height - 1)))

    def on_resize(self, event: Resize) -> None:
        """Center the menu, because the place has moved."""
        if event.size == self._fitted:
            return
        self._fitted, rows = event.size, self.rows
        self.query_one("#menu-head", PlainText).update(self._heads())
        for n in range(len(self._items)):
            rows.replace_option_prompt_at_index(n, self._line(n))
        if self._beside is None:
            return
        self._beside = None
        self.styles.align = ("center", "middle")
        box = self.query_one(".box")
        box.styles.offset = (0, 0)
        box.styles.width = self._width
        rows.styles.max_height = max(3, min(MAX_ROWS, event.size.height - 8 - DETAIL_ROWS))

    def detail(self, row: int) -> Text:
        """Return the effects of a line, or the full reason if it is not allowed."""
        item, seen = self._items[row], self._seen[row]
        text = Text(item.reason) if item.allowed else self._refused(item)
        if seen:
            text = effect_sentences(self._session, self.look, seen)
        if cell_len(item.label) > self._label:
            text = Text(f"{item.label}. ").append_text(text)
        if item.allowed:
            text.append(self._pieces_warning(row), self.look.key)
        if item.allowed and item.rules and text:
            text.append(f" [{' '.join(item.rules[:3])}]", self.look.faint)
        return self.look.signs(text)

    def _pieces_left(self, action: actions.Action | None) -> int | None:
        """Return the number of remaining pieces for a marker; None for other actions and without limits."""
        s = self._session
        if not isinstance(action, actions.Place | actions.Upgrade) or s.live.options.counter_limits == "unlimited":
            return None
        return free_pieces(s.tables, s.live, action.power or self._power, s.tables.markers[action.marker].pool)

    def _pieces_warning(self, row: int) -> str:
        """Return the number of remaining pieces for a line, if it is low."""
        left = self._left[row]
        return "" if left is None or left > LOW_STOCK else f" {left} piece{'s' * (left != 1)} left for it."

    def on_key(self, event: Key) -> None:
        picked = [n for n, item in enumerate(self._items) if event.character and item.letter == event.character]
        if picked:
            event.stop()
            self.choose(picked[0])

    def action_rules(self) -> None:
        """Show the rules of a line, with the refusal of a forbidden one."""
        row = self.row
        if row is None:
            return
        item = self._items[row]
        refusal = None if item.allowed else Refusal(item.code, item.rules, item.reason)
        if item.rules or refusal:
            self.app.push_screen(RulesScreen(" ".join(item.rules), refusal))

    def choose(self, row: int) -> None:
        """Return an allowed line; highlight a forbidden one."""
        item = self._items[row]
        if item.allowed:
            self.dismiss(item)
        else:
            # below the lines stands why; a message would cover them
            self.rows.highlighted = row

    def _refused(self, item: MenuItem) -> Text:
        """Return the reason for a refusal, its rules, and what would make the order legal."""
        rules = f" [{' '.join(item.rules[:3])}]" if item.rules else ""
        text = Text(f"Not allowed: {item.reason}{rules}", self.look.alarm)
        remedy = remedy_of_code(item.code)
        return Text.assemble(text, f" {remedy}" if remedy else "")


OTHER_ROWS = 14
"""Rows of the dialog outside the list."""


class ReinforceDialog(MultiPickDialog):
    """Choose units. Enter without ticks takes the highlighted line.

    Args:
        title: the question.
        lines: the units.
        worth: the effects of sending units, by their indices.
    """

    TOPIC = "reinforce"
    hint_text = "{tick.tick} or a letter select · Enter send · {tick.close} cancel"
    detail_id = "worth"

    def __init__(self, title: str, lines: Sequence[str], worth: Callable[[frozenset[int]], str]) -> None:
        super().__init__(title, lines)
        self._worth = worth

    def detail(self, row: int) -> Text:
        """Return the effects of sending what Enter would send now."""
        return self.look.signs(Text(self._worth(self._answer(row))))

    def _answer(self, row: int) -> frozenset[int]:
        return frozenset(self.ticked) or frozenset((row,))

    def choose(self, row: int) -> None:
        """Return what is ticked, or else the row."""
        self.dismiss(self._answer(row))

    def on_resize(self, event: Resize) -> None:
        self.rows.styles.max_height = max(4, event.size.height * 9 // 10 - OTHER_ROWS)
