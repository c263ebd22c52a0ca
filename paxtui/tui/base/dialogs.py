"""Generic dialogs: confirmation, list, single and multiple choice, text input, text page, filtered list."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.events import Key
from textual.widgets import Input
from textual.widgets.option_list import Option

from paxtui.tui.base.screen import ChoiceList, KeyHints, ModalDialog, PlainText, Result
from paxtui.tui.rendering.key_queue import DebouncedScreen


class ConfirmDialog(DebouncedScreen, ModalDialog[bool | None]):
    """Ask for confirmation; True only after `y`, a key that is rarely held down.

    Args:
        title: the title.
        told: the consequences, in full sentences.
        yes: what `y` does, in one or two words.
    """

    TOPIC = "confirmation"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "yes", "Yes", id="confirm.yes", tooltip="Do it"),
        Binding("escape,n", "no", "No", id="confirm.no", tooltip="Leave everything as it is"),
    ]

    def __init__(self, title: str, told: str, yes: str = "do it") -> None:
        super().__init__()
        self._title, self._told, self._yes = title, told, yes

    def compose(self) -> ComposeResult:
        """Create the question and the two keys."""
        with Vertical(classes="box"):
            yield PlainText(self._title, classes="title")
            yield PlainText(self.look.palette.text(self._told))
            yes, no = self.format_keys("{confirm.yes}"), self.format_keys("{confirm.no}")
            yield PlainText(f"\n{yes} {self._yes} · {no} leaves everything as it is", classes="note")

    def action_yes(self) -> None:
        """Confirm."""
        self.dismiss(True)

    def action_no(self) -> None:
        """Cancel."""
        self.dismiss(False)


class ListDialog(ModalDialog[Result]):
    """A box with one focused list. It can close without a result."""

    first = 0
    """Index of the line highlighted first."""

    def on_mount(self) -> None:
        """Fill the list."""
        self.fill(self.first)
        self.set_focus(self.query_one(ChoiceList))

    @abstractmethod
    def lines(self) -> Iterable[Text]:
        """Return the current lines."""

    def fill(self, row: int) -> None:
        """Rebuild the lines. Args: the line to highlight."""
        rows = self.query_one(ChoiceList)
        rows.clear_options()
        rows.add_options(Option(line, id=str(n)) for n, line in enumerate(self.lines()))
        rows.highlighted = row if rows.option_count else None

    @property
    def row(self) -> int | None:
        """Return the index of the highlighted line; None in an empty list."""
        return self.query_one(ChoiceList).highlighted

    def action_close(self) -> None:
        """Cancel."""
        self.dismiss(None)


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
        Binding("escape", "close", "Close", id="ask.close", tooltip="Leave everything as it is"),
    ]

    def __init__(
        self, title: str, value: str = "", wrong: Callable[[str], str] = lambda words: "", hint: str = ""
    ) -> None:
        super().__init__()
        self._title, self._value, self._wrong, self._hint = title, value, wrong, hint

    def compose(self) -> ComposeResult:
        """Create the title, the input and the error line."""
        with Vertical(classes="box"):
            yield PlainText(self._title, classes="title")
            yield Input(self._value, placeholder=self._hint, id="ask")
            yield PlainText(id="ask-wrong", classes="note")
            yield KeyHints(self.format_keys("Enter takes it · {ask.close} leaves it"))

    def on_mount(self) -> None:
        """Focus the input."""
        self.set_focus(self.query_one(Input))

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        wrong = self._wrong(event.value)
        if wrong:
            self.query_one("#ask-wrong", PlainText).update(wrong)
        else:
            self.dismiss(event.value.strip())

    def action_close(self) -> None:
        """Cancel."""
        self.dismiss(None)


class TextDialog(ModalDialog[None]):
    """A text in a box; every leaving key closes it."""

    TOPIC = "text"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q,space,question_mark", "close", "Close", id="text.close", tooltip="Back to the game"),
    ]

    def __init__(self, title: str, text: Text | str) -> None:
        super().__init__()
        self._title, self._text = title, text

    def compose(self) -> ComposeResult:
        """Create the title and the text."""
        with Vertical(classes="box"):
            yield PlainText(self._title, classes="title")
            with VerticalScroll():
                yield PlainText(self._text)

    def action_close(self) -> None:
        """Close."""
        self.dismiss(None)


LETTERS = "abcdefghijklmnoprstuvwxyz"


def pick_line_width(columns: int) -> int:
    """Return the cells of a line after its letter, on a screen of a number of columns."""
    return columns * 96 // 100 - 9


class PickDialog(ModalDialog[int | None]):
    """Choose one line; return its index.

    Args:
        title: the title.
        lines: the choices.
        now: the index of the current choice.
        enters: what a letter or Enter does, in one or two words.
        more: details of each line, shown below the list when it is highlighted.
    """

    TOPIC = "pick"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Close", id="pick.close", tooltip="Leave everything as it is"),
    ]

    def __init__(
        self, title: str, lines: Sequence[str], now: int = 0, more: Sequence[str] = (), enters: str = "takes it"
    ) -> None:
        super().__init__()
        self._enters = enters
        self._title, self._lines, self._now, self._more = title, list(lines), now, list(more)

    def compose(self) -> ComposeResult:
        """Create the title and the lines."""
        look = self.look
        with Vertical(classes="box -more" if self._more else "box"):
            yield PlainText(self._title, classes="title")
            rows = []
            for n, line in enumerate(self._lines):
                text = Text(no_wrap=True, overflow="ellipsis")
                text.append(f"{LETTERS[n] if n < len(LETTERS) else ' '} ", look.key)
                text.append(look.palette.text(line))
                text.truncate(max(20, pick_line_width(self.app.size.width) + 2), overflow="ellipsis")
                rows.append(Option(text, id=str(n)))
            yield ChoiceList(*rows, id="pick")
            if self._more:
                yield PlainText(id="pick-more")
            yield KeyHints(self.format_keys(f"a letter or Enter {self._enters} · {{pick.close}} leaves it"))

    def on_mount(self) -> None:
        """Highlight the current choice."""
        said = [line for text in self._more for line in text.splitlines()]
        longest = max((len(line) for line in (self._title, *self._lines, *said)), default=0)
        width = max(48, min(longest + 10, self.app.size.width * 96 // 100))
        self.query_one(".box").styles.width = width
        if self._more:  # reserve the height of the longest details, so that the list does not move
            most = max(sum(-(-len(line) // (width - 8)) for line in text.splitlines()) for text in self._more)
            self.query_one("#pick-more").styles.height = 1 + most
        rows = self.query_one(ChoiceList)
        self.set_focus(rows)
        if self._lines:
            rows.highlighted = self._now

    @on(ChoiceList.OptionHighlighted)
    def _told(self, event: ChoiceList.OptionHighlighted) -> None:
        if self._more:
            self.query_one("#pick-more", PlainText).update(self.look.palette.text(self._more[event.option_index]))

    @on(ChoiceList.OptionSelected)
    def _selected(self, event: ChoiceList.OptionSelected) -> None:
        self.dismiss(event.option_index)

    def on_key(self, event: Key) -> None:
        """Choose the line of a letter."""
        if event.character and event.character in LETTERS[: len(self._lines)]:
            event.stop()
            self.dismiss(LETTERS.index(event.character))

    def action_close(self) -> None:
        """Cancel."""
        self.dismiss(None)


CHECKED_SIGN, UNCHECKED_SIGN = "[x]", "[ ]"


class MultiPickDialog(ListDialog[frozenset[int] | None]):
    """Choose several lines; return their indices.

    Args:
        title: the question.
        lines: the choices.
        ticked: the indices ticked at first.
    """

    TOPIC = "tick"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Close", id="tick.close", tooltip="Leave everything as it was"),
        Binding("space", "tick", "Tick", id="tick.tick", tooltip="Tick the line, or take the tick away"),
    ]

    def __init__(self, title: str, lines: Sequence[str], ticked: Collection[int] = ()) -> None:
        super().__init__()
        self.asked, self._lines, self.ticked = title, list(lines), set(ticked)

    def compose(self) -> ComposeResult:
        """Create the title and the lines."""
        with Vertical(classes="box"):
            yield PlainText(self.asked, classes="title")
            yield ChoiceList(id="tick")
            keys = "{tick.tick} or a letter ticks · Enter takes what is ticked · {tick.close} leaves it"
            yield KeyHints(self.format_keys(keys))

    def lines(self) -> Iterable[Text]:
        """Return the lines with letters and ticks."""
        look = self.look
        for n, line in enumerate(self._lines):
            text = Text(no_wrap=True, overflow="ellipsis")
            text.append(f"{LETTERS[n] if n < len(LETTERS) else ' '} ", look.key)
            text.append(
                f"{CHECKED_SIGN if n in self.ticked else UNCHECKED_SIGN} ", look.key if n in self.ticked else ""
            )
            text.append(look.palette.text(line))
            yield text

    def _tick(self, row: int) -> None:
        self.ticked ^= {row}
        self.fill(row)

    def on_key(self, event: Key) -> None:
        """Toggle the line of a letter."""
        if event.character and event.character in LETTERS[: len(self._lines)]:
            event.stop()
            self._tick(LETTERS.index(event.character))

    def action_tick(self) -> None:
        """Toggle the highlighted line."""
        if self.row is not None:
            self._tick(self.row)

    @on(ChoiceList.OptionSelected)
    def _selected(self, event: ChoiceList.OptionSelected) -> None:
        event.stop()
        self.dismiss(self._answer())

    def _answer(self) -> frozenset[int]:
        return frozenset(self.ticked)


class FilterDialog(ModalDialog[int | None]):
    """Return the index of the chosen line, None if the player cancels.

    Args:
        title: the title.
        lines: the choices.
        hint: the placeholder of the input.
    """

    TOPIC = "chooser"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Close", id="chooser.close", tooltip="Close the list without a choice"),
    ]

    def __init__(self, title: str, lines: Sequence[str], hint: str = "type to filter") -> None:
        super().__init__()
        self._title, self._lines, self._hint = title, tuple(lines), hint
        self._shown: list[int] = []

    def compose(self) -> ComposeResult:
        """Create the title, the input and the choices."""
        with Vertical(classes="box"):
            yield PlainText(self._title, classes="title")
            yield Input(placeholder=self._hint, id="chooser-filter")
            yield ChoiceList(id="chooser-list")
            yield KeyHints(self.format_keys("↑ ↓ move · Enter choose · {chooser.close} cancel"))

    def on_mount(self) -> None:
        """Fill the list and focus the input."""
        self.query_one(ChoiceList).can_focus = False
        self.set_focus(self.query_one(Input))
        self._filter("")

    def _filter(self, text: str) -> None:
        words = text.casefold().split()
        found = [n for n, line in enumerate(self._lines) if all(word in line.casefold() for word in words)]
        # lines that begin with the typed text come first
        self._shown = sorted(found, key=lambda n: not self._lines[n].casefold().startswith(text.casefold()))
        rows = self.query_one(ChoiceList)
        rows.clear_options()
        rows.add_options(Option(self.look.palette.text(self._lines[n])) for n in self._shown)
        rows.highlighted = 0 if self._shown else None

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        self._filter(event.value)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        at = self.query_one(ChoiceList).highlighted
        if at is not None and at < len(self._shown):
            self.dismiss(self._shown[at])

    @on(ChoiceList.OptionSelected)
    def _clicked(self, event: ChoiceList.OptionSelected) -> None:
        event.stop()
        self.dismiss(self._shown[event.option_index])

    def on_key(self, event: Key) -> None:
        """Move in the list while the input has focus."""
        rows = self.query_one(ChoiceList)
        moves = {
            "up": rows.action_cursor_up,
            "down": rows.action_cursor_down,
            "pageup": rows.action_page_up,
            "pagedown": rows.action_page_down,
        }
        if event.key in moves:
            event.stop()
            moves[event.key]()

    def action_close(self) -> None:
        """Cancel."""
        self.dismiss(None)
