"""Small screens over the others: a text to read, a curtain, and the rule reference."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from paxtui.pax.tables import Rule
from paxtui.table.tables import load_rules


class TextScreen(ModalScreen[None]):
    """A text in a box; any of the leaving keys closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q,space,f1,question_mark", "close", "Close", id="text.close", tooltip="Back to the game"),
    ]

    def __init__(self, title: str, text: Text | str) -> None:
        super().__init__()
        self._title, self._text = title, text

    def compose(self) -> ComposeResult:
        """Title and text."""
        with Vertical(classes="box"):
            yield Static(self._title, classes="title")
            with VerticalScroll():
                yield Static(self._text)

    def action_close(self) -> None:
        """Back."""
        self.dismiss(None)


class CurtainScreen(ModalScreen[None]):
    """A blank screen between two players at one keyboard."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,space", "lift", "Lift the curtain", id="curtain.lift", tooltip="Show the game"),
    ]

    def __init__(self, name: str) -> None:
        super().__init__()
        self._who = name

    def compose(self) -> ComposeResult:
        """Who should sit down."""
        yield Static(f"{self._who}, sit down.\n\nEnter lifts the curtain.", classes="title")

    def action_lift(self) -> None:
        """Show the game."""
        self.dismiss(None)


class RulesScreen(ModalScreen[None]):
    """The rule reference: find rules by id or by words, read them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Close", id="rules.close", tooltip="Back to the game"),
        Binding("down", "list", "List", id="rules.list", tooltip="Go to the list of rules found", show=False),
    ]

    def __init__(self, words: str = "") -> None:
        super().__init__()
        self._words = words

    def compose(self) -> ComposeResult:
        """A line to search with, what it finds, and the rule."""
        with Vertical(classes="box"):
            yield Input(self._words, placeholder="rule id or words, such as CCB-014 or garrison", id="rule-words")
            yield OptionList(id="rule-list")
            yield Static("", id="rule-text")

    def on_mount(self) -> None:
        """Show what the words find."""
        self._show(self._words)

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        self._show(event.value)

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self.action_list()

    def _show(self, words: str) -> None:
        found = find_rules(words)[:200]
        rows = self.query_one(OptionList)
        rows.clear_options()
        rows.add_options([Option(f"{r.id}  {r.statement[:90]}", id=r.id) for r in found])
        if found:
            rows.highlighted = 0
            self._read(found[0])

    @on(OptionList.OptionHighlighted)
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        if event.option_id:
            self._read(load_rules()[event.option_id])

    def _read(self, rule: Rule) -> None:
        text = Text()
        text.append(f"{rule.id}  ", "bold")
        text.append(f"{rule.phase.replace('_', ' ')} · {rule.kind} · {rule.edition} · {rule.lines}\n", "dim")
        text.append(rule.statement)
        self.query_one("#rule-text", Static).update(text)

    def action_list(self) -> None:
        """Go to the list."""
        self.query_one(OptionList).focus()

    def action_close(self) -> None:
        """Back."""
        self.dismiss(None)


def find_rules(words: str) -> list[Rule]:
    """Rules whose id begins with, or whose statement contains, every one of the words."""
    wanted = words.casefold().replace(",", " ").split()
    rules = load_rules().values()
    ids = [r for r in rules if any(r.id.casefold() == w for w in wanted)]
    if ids:
        return ids
    return [
        r
        for r in rules
        if all(r.id.casefold().startswith(w) or w in r.statement.casefold() for w in wanted)
    ]
