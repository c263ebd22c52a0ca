"""Generic dialogs: confirmation, list, single and multiple choice, text input, text page, filtered list."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.events import Key
from textual.geometry import Size
from textual.layout import ArrangeResult, Layout
from textual.layouts.vertical import VerticalLayout
from textual.widget import Widget
from textual.widgets import Input
from textual.widgets.option_list import Option

from paxtui.engine.refusal import Refusal
from paxtui.session.storage.files import typed_path
from paxtui.tui.base.app import BaseApp
from paxtui.tui.base.keymap import bind
from paxtui.tui.base.screen import ChoiceList, KeyHints, ModalDialog, PlainText, Result
from paxtui.tui.rendering.key_queue import DebouncedScreen
from paxtui.tui.rendering.text_widgets import LazyText


class ConfirmDialog(DebouncedScreen, ModalDialog[bool | None]):
    """Ask for confirmation; True only after `y`, a key that is rarely held down.

    Args:
        title: the title.
        text: the consequences, in full sentences.
        yes: what `y` does, in one or two words.
    """

    TOPIC = "confirmation"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("confirm.yes", "y", "yes", "Yes", "Confirm"),
        bind("confirm.no", "escape,n", "no", "No", "Cancel"),
    ]

    def __init__(self, title: str, text: str, yes: str = "do it") -> None:
        super().__init__()
        self._title, self._text, self._yes = title, text, yes

    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield PlainText(self._title, classes="title")
            yield PlainText(self.look.palette.text(self._text))
            yes, no = self.format_keys("{confirm.yes}"), self.format_keys("{confirm.no}")
            yield PlainText(f"\n{yes} {self._yes} · {no} cancel", classes="note")

    def action_yes(self) -> None:
        self.dismiss(True)

    def action_no(self) -> None:
        self.dismiss(False)


LETTERS = "abcdefghijklmnoprstuvwxyz"
"""Letters before the rows of a list; `q` closes it."""
CHECKED_SIGN, UNCHECKED_SIGN = "[x]", "[ ]"


BELOW_LIST = "-below-list"
"""Class of key hints directly below a list: a blank line separates them, as it does below a text."""
LEAST_ROWS = 3
"""Rows that a list keeps in a box that is too low."""


class ListBoxLayout(VerticalLayout):
    """Stacks the parts of a dialog. In a box that is too low the list gets fewer rows, and scrolls."""

    def arrange(self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True) -> ArrangeResult:
        """Place the parts; a size without height asks how high they want to be."""
        placements = super().arrange(parent, children, size, greedy)
        excess = max((p.region.bottom for p in placements), default=0) - size.height
        at = next((n for n, p in enumerate(placements) if isinstance(p.widget, ChoiceList)), None)
        if at is None or excess <= 0 or not size.height:
            return placements
        rows = placements[at].region
        removed = min(excess, max(0, rows.height - LEAST_ROWS))
        shrunk = placements[at]._replace(region=rows.shrink((0, 0, removed, 0)))
        below = [p._replace(region=p.region.translate((0, -removed))) for p in placements[at + 1 :]]
        return [*placements[:at], shrunk, *below]


_LIST_BOX_LAYOUT = ListBoxLayout()


class ListBox(Vertical):
    """The box of a dialog with one list."""

    @property
    def layout(self) -> Layout:
        """How the parts are placed."""
        return _LIST_BOX_LAYOUT


class ListDialog(ModalDialog[Result]):
    """A dialog with one list. Its optional parts are a filter, letters, ticks and details of the highlighted row.

    A subclass returns the rows and acts on a chosen one. Without a filter the list has the focus.

    Attributes:
        title_text: the title.
        hint_text: what the keys do.
        first: the row highlighted at first; None for none.
        ticked: the ticked rows.
    """

    title_text = hint_text = ""
    box_id: str | None = None
    list_id = "list"
    detail_id = ""
    """Id of the text below the list; "" without details."""
    hides_empty_detail = False

    def __init__(self) -> None:
        super().__init__()
        self.first: int | None = 0
        self.ticked: set[int] = set()
        self._filter_field = self.filter_input()

    # --- contents -------------------------------------------------------------------------------------------------

    def heading(self) -> str | Text:
        """Return the title."""
        return self.title_text

    @abstractmethod
    def lines(self) -> Iterable[Text]:
        """Return the current rows."""

    def choose(self, row: int) -> None:
        """Act on a row chosen by Enter, a click or its letter."""

    def hints(self) -> str:
        """Return what the keys do."""
        return self.hint_text

    def letters(self) -> str:
        """Return the letters that choose the rows, in their order."""
        return ""

    def detail(self, row: int) -> Text:
        """Return the text below the list for the highlighted row."""
        return Text()

    def detail_panel(self) -> Widget:
        """Return the place for details."""
        return PlainText(id=self.detail_id)

    def head(self) -> Iterable[Widget]:
        """Return what stands between title and list."""
        return ()

    def notes(self) -> Iterable[Widget]:
        """Return what stands between list and key hints."""
        return ()

    def filter_input(self) -> Input | None:
        """Return the input above the list; None without a filter."""
        return None

    def filter_rows(self, text: str) -> None:
        """Show the rows that match the text of the filter."""

    # --- list -----------------------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Lay out the parts from top to bottom."""
        with ListBox(classes="box", id=self.box_id):
            yield PlainText(self.heading(), classes="title")
            yield from self.head()
            if self._filter_field is not None:
                yield self._filter_field
            yield ChoiceList(id=self.list_id)
            if self.detail_id:
                yield self.detail_panel()
            notes = list(self.notes())
            yield from notes
            if hints := self.hints():
                keys = KeyHints(self.format_keys(hints))
                keys.set_class(not self.detail_id and not notes, BELOW_LIST)
                yield keys

    def on_mount(self) -> None:
        self.fill(self.first)
        self.rows.can_focus = self._filter_field is None
        self.set_focus(self._filter_field or self.rows)

    @property
    def rows(self) -> ChoiceList:
        return self.query_one(f"#{self.list_id}", ChoiceList)

    def options(self) -> Iterable[Option]:
        """Return the rows as options."""
        return (Option(LazyText.of(line), id=str(n)) for n, line in enumerate(self.lines()))

    def fill(self, row: int | None) -> None:
        """Rebuild the rows. Args: the row to highlight."""
        self.rows.refill(self.options(), row)

    @property
    def row(self) -> int | None:
        """Return the index of the highlighted row; None in an empty list."""
        return self.rows.highlighted

    def show_detail(self, text: Text) -> None:
        """Show a text below the list. `hides_empty_detail`: an empty one leaves no gap."""
        panel = self.query_one(f"#{self.detail_id}", PlainText)
        panel.update(text)
        if self.hides_empty_detail:
            panel.display = bool(text.plain)
            for keys in self.query(KeyHints)[:1]:
                keys.set_class(not panel.display, BELOW_LIST)

    def letter_text(self, row: int) -> Text:
        """Return the beginning of a row: its letter."""
        letters = self.letters()
        return self.look.line((f"{letters[row] if row < len(letters) else ' '} ", self.look.key))

    def tick_text(self, row: int) -> Text:
        checked = row in self.ticked
        return Text(f"{CHECKED_SIGN if checked else UNCHECKED_SIGN} ", self.look.key if checked else "")

    def tick(self, row: int | None) -> None:
        """Toggle the tick of a row."""
        if row is not None:
            self.ticked ^= {row}
            self.fill(row)

    # --- events ---------------------------------------------------------------------------------------------------

    @on(ChoiceList.OptionHighlighted)
    def _row_highlighted(self, event: ChoiceList.OptionHighlighted) -> None:
        event.stop()
        if self.detail_id and self.row is not None:
            self.show_detail(self.detail(self.row))

    @on(ChoiceList.OptionSelected)
    def _row_selected(self, event: ChoiceList.OptionSelected) -> None:
        event.stop()
        self.choose(event.option_index)

    @on(Input.Changed)
    def _filter_changed(self, event: Input.Changed) -> None:
        event.stop()
        self.filter_rows(event.value)

    @on(Input.Submitted)
    def _filter_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if self.row is None:
            self.enter_without_match()
        else:
            self.choose(self.row)

    def enter_without_match(self) -> None:
        """Act on Enter in the filter if no row matches."""

    def choose_letter(self, row: int) -> None:
        """Act on the letter of a row."""
        self.choose(row)

    def on_key(self, event: Key) -> None:
        if event.character and event.character in self.letters():
            event.stop()
            self.choose_letter(self.letters().index(event.character))


def refusal_of(check: Callable[[str], object]) -> Callable[[str], str]:
    """Return a function that returns why a check refuses a text, "" if it does not. For `InputDialog`."""

    def find_error(text: str) -> str:
        try:
            check(text)
        except Refusal as refusal:
            return refusal.message
        return ""

    return find_error


class InputDialog(ModalDialog[str | None]):
    """Ask for a line of text; return it, or None if the player cancels.

    Args:
        title: what is asked for.
        value: the initial text.
        wrong: returns an error message for a text, "" if it is valid.
        hint: the placeholder.
    """

    TOPIC = "ask"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("ask.close", "escape", "close", "Close", "Cancel"),
    ]

    def __init__(
        self, title: str, value: str = "", wrong: Callable[[str], str] = lambda words: "", hint: str = ""
    ) -> None:
        super().__init__()
        self._title, self._value, self._wrong, self._hint = title, value, wrong, hint

    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield PlainText(self._title, classes="title")
            yield Input(self._value, placeholder=self._hint, id="ask")
            yield PlainText(id="ask-wrong", classes="note")
            yield KeyHints(self.format_keys("Enter confirm · {ask.close} cancel"))

    def on_mount(self) -> None:
        self.set_focus(self.query_one(Input))

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        wrong = self._wrong(event.value)
        if wrong:
            self.query_one("#ask-wrong", PlainText).update(wrong)
        else:
            self.dismiss(event.value.strip())


def ask_log(app: BaseApp, then: Callable[[Path], object]) -> None:
    """Ask for the path of a log that is only read."""

    def find_error(text: str) -> str:
        if not text.strip():
            return "Type the name of a file."
        try:
            path = typed_path(text.strip())
            return "" if path.is_file() else f"There is no file {path}."
        except OSError as error:
            return f"{error}."

    dialog = InputDialog("Which log? Nothing is written to it.", "", find_error, "/home/ann/game.jsonl")
    app.ask(dialog, lambda text: then(typed_path(text.strip())))


class TextDialog(ModalDialog[None]):
    """A text in a box; every leaving key closes it.

    Args: the title; the text; the line at the top at first.
    """

    TOPIC = "text"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("text.close", "escape,enter,q,space,question_mark", "close", "Close", "Back to the game"),
    ]

    def __init__(self, title: str, text: Text | str, line: int = 0) -> None:
        super().__init__()
        self._title, self._text, self._line = title, text, line

    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield PlainText(self._title, classes="title")
            with VerticalScroll():
                yield PlainText(self._text)

    def on_mount(self) -> None:
        """Scroll to the first line that matters."""
        super().on_mount()
        if self._line:
            self.call_after_refresh(self.query_one(VerticalScroll).scroll_to, y=self._line, animate=False)


PICK_FRAME_ROWS = 7
"""Rows of a list to choose from that are not lines or details: border, padding, title and keys."""


def pick_line_width(columns: int) -> int:
    """Return the cells of a line after its letter, on a screen of a number of columns."""
    return columns * 96 // 100 - 9


DETAILS_COLUMNS = 88
"""Columns of details below a list, which are wrapped, unless its lines are wider."""


class PickDialog(ListDialog[int | None]):
    """Choose one line; return its index.

    Args:
        title: the title.
        lines: the choices.
        now: the index of the current choice.
        enters: what a letter or Enter does, in one or two words.
        more: details of each line, shown below the list when it is highlighted.
    """

    TOPIC = "pick"
    list_id = "pick"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("pick.close", "escape,q", "close", "Close", "Cancel"),
    ]

    def __init__(
        self, title: str, lines: Sequence[str], now: int = 0, more: Sequence[str] = (), enters: str = "choose"
    ) -> None:
        super().__init__()
        self.title_text, self._lines, self._more = title, list(lines), list(more)
        self.hint_text = f"Enter or a letter {enters} · {{pick.close}} cancel"
        self.first, self.detail_id = now, "pick-more" if more else ""

    def lines(self) -> Iterable[Text]:
        width = max(20, pick_line_width(self.app.size.width) + 2)
        for n, line in enumerate(self._lines):
            text = self.letter_text(n).append(self.look.palette.text(line))
            text.truncate(width, overflow="ellipsis")
            yield text

    def letters(self) -> str:
        return LETTERS[: len(self._lines)]

    def detail(self, row: int) -> Text:
        return Text(self.look.palette.text(self._more[row]))

    def on_mount(self) -> None:
        """Set the width, and the heights so that the list does not move and details and keys stay visible."""
        texts = [line for text in self._more for line in text.splitlines()]
        details_width = min(max(map(len, texts), default=0), DETAILS_COLUMNS)
        longest = max(details_width, *(len(line) for line in (self.title_text, *self._lines)))
        width = max(48, min(longest + 10, self.app.size.width * 96 // 100))
        self.query_one(".box").styles.width = width
        details = 0
        if self._more:
            details = 2 + max(sum(-(-len(line) // (width - 8)) for line in text.splitlines()) for text in self._more)
            self.query_one("#pick-more").styles.height = details
        height = self.app.size.height
        room = height * 9 // 10 - PICK_FRAME_ROWS - details
        if room < len(self._lines):  # the whole screen if that shows more lines
            self.query_one(".box").styles.max_height = height
            room = height - PICK_FRAME_ROWS - details
        self.rows.styles.max_height = max(1, room)

    def choose(self, row: int) -> None:
        self.dismiss(row)


class MultiPickDialog(ListDialog[frozenset[int] | None]):
    """Choose several lines; return their indices.

    Args:
        title: the question.
        lines: the choices.
        ticked: the indices ticked at first.
    """

    TOPIC = "tick"
    list_id = "tick"
    hint_text = "{tick.tick} or a letter select · Enter confirm · {tick.close} cancel"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("tick.close", "escape,q", "close", "Close", "Cancel"),
        bind("tick.tick", "space", "tick", "Select", "Select or deselect the line"),
    ]

    def __init__(self, title: str, lines: Sequence[str], ticked: Collection[int] = ()) -> None:
        super().__init__()
        self.title_text, self._lines, self.ticked = title, list(lines), set(ticked)

    def lines(self) -> Iterable[Text]:
        for n, line in enumerate(self._lines):
            yield self.letter_text(n).append_text(self.tick_text(n)).append(self.look.palette.text(line))

    def letters(self) -> str:
        return LETTERS[: len(self._lines)]

    def choose_letter(self, row: int) -> None:
        self.tick(row)

    def action_tick(self) -> None:
        self.tick(self.row)

    def choose(self, row: int) -> None:
        self.dismiss(frozenset(self.ticked))


class FilterDialog(ListDialog[int | None]):
    """Type to filter a list and choose a line; return its index.

    Args:
        title: the title.
        lines: the choices.
        hint: the placeholder of the input.
    """

    TOPIC = "chooser"
    list_id = "chooser-list"
    hint_text = "↑ ↓ move · Enter choose · {chooser.close} cancel"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("chooser.close", "escape", "close", "Close", "Cancel"),
    ]

    def __init__(self, title: str, lines: Sequence[str], hint: str = "type to filter") -> None:
        self.title_text, self._lines, self._hint = title, tuple(lines), hint
        super().__init__()
        self._shown = list(range(len(self._lines)))

    def lines(self) -> Iterable[Text]:
        return (Text(self.look.palette.text(self._lines[n])) for n in self._shown)

    def filter_input(self) -> Input:
        return Input(placeholder=self._hint, id="chooser-filter", compact=True)

    def filter_rows(self, text: str) -> None:
        """Show the choices with all words; those that begin with the text come first."""
        words = text.casefold().split()
        found = [n for n, line in enumerate(self._lines) if all(word in line.casefold() for word in words)]
        self._shown = sorted(found, key=lambda n: not self._lines[n].casefold().startswith(text.casefold()))
        self.fill(0)

    def choose(self, row: int) -> None:
        self.dismiss(self._shown[row])

    def on_key(self, event: Key) -> None:
        """Move in the list while the input has the focus."""
        rows = self.rows
        moves = {
            "up": rows.action_cursor_up,
            "down": rows.action_cursor_down,
            "pageup": rows.action_page_up,
            "pagedown": rows.action_page_down,
        }
        if event.key in moves:
            event.stop()
            moves[event.key]()
