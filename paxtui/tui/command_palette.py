"""The command palette (ctrl+p): the bindings of a screen, most useful first, dangerous last."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar, NamedTuple

from rich.text import Text
from textual import on
from textual.app import ComposeResult, SystemCommand
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.fuzzy import Matcher
from textual.widgets import Input
from textual.widgets.option_list import Option

from paxtui.tui.base.screen import ChoiceList, KeyHints, ModalDialog, PlainText

FIRST_COMMANDS = (
    "game.menu", "game.move", "game.find", "game.command", "game.choose", "game.next_task", "game.since", "game.ready",
    "game.treaties", "game.dispatches", "game.congress", "game.sheet", "game.undo", "game.log",
    "game.statistics", "game.rules",
)  # fmt: skip
"""The most frequent commands of the game screen, in order."""

LAST_COMMANDS = (
    "game.sitters",
    "game.undo_here",
    "start.trash",
    "game.all_ready",
    "game.leave",
    "start.quit",
    "app.quit",
)
"""Commands that end or change much, at the end of the list; the most drastic last."""


class CommandEntry(NamedTuple):
    """A line of the palette: the id of its binding, and the command that Textual shows and runs."""

    id: str
    command: SystemCommand


def sort_commands(entries: Iterable[CommandEntry]) -> list[SystemCommand]:
    """Sort entries: frequent ones first, the others in the order of the screen, dangerous ones last."""

    def place(entry: CommandEntry) -> int:
        if entry.id in FIRST_COMMANDS:
            return FIRST_COMMANDS.index(entry.id)
        return len(FIRST_COMMANDS) + (1 + LAST_COMMANDS.index(entry.id) if entry.id in LAST_COMMANDS else 0)

    return [entry.command for entry in sorted(entries, key=place)]


def match_commands(commands: Sequence[SystemCommand], words: str) -> list[SystemCommand]:
    """Return the commands whose title or description match `words`, best first; all if there are no words."""
    if not words.strip():
        return list(commands)
    matcher = Matcher(words.strip())
    scores = [max(2 * matcher.match(one.title), matcher.match(one.help)) for one in commands]
    found = [n for n, score in enumerate(scores) if score > 0]
    return [commands[n] for n in sorted(found, key=lambda n: (-scores[n], n))]


class CommandPalette(ModalDialog[SystemCommand | None]):
    """Choose a command by its name.

    Args:
        commands: in the order of the list.
    """

    TOPIC = "palette"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Close", id="palette.close", tooltip="Close the list of commands"),
        Binding("down", "move(1)", "Next", id="palette.down", tooltip="Next command"),
        Binding("up", "move(-1)", "Previous", id="palette.up", tooltip="Previous command"),
        Binding("pagedown", "move(10)", "Page down", id="palette.page_down", tooltip="Ten commands down"),
        Binding("pageup", "move(-10)", "Page up", id="palette.page_up", tooltip="Ten commands up"),
    ]

    def __init__(self, commands: Sequence[SystemCommand]) -> None:
        super().__init__()
        self._commands = tuple(commands)
        self._found = list(self._commands)

    def compose(self) -> ComposeResult:
        with Vertical(classes="box", id="palette-box"):
            yield PlainText("Commands", classes="title")
            yield Input(placeholder="type a part of the name", id="palette-words", compact=True)
            yield ChoiceList(id="palette-list")
            yield KeyHints(self.format_keys("Enter run · {palette.close} close"))

    def on_mount(self) -> None:
        super().on_mount()
        self._fill()
        self.set_focus(self.query_one(Input))

    @on(Input.Changed)
    def _filter(self, event: Input.Changed) -> None:
        self._found = match_commands(self._commands, event.value)
        self._fill()

    def _fill(self) -> None:
        rows, look = self.query_one(ChoiceList), self.look
        rows.clear_options()
        for command in self._found:
            line = Text(no_wrap=True, overflow="ellipsis")
            line.append(look.palette.text(f"{command.title:<24} "), look.key)
            line.append(look.palette.text(command.help))
            rows.add_option(Option(line))
        rows.highlighted = 0 if self._found else None

    @on(Input.Submitted)
    def _submitted(self) -> None:
        highlighted = self.query_one(ChoiceList).highlighted
        self.dismiss(None if highlighted is None else self._found[highlighted])

    @on(ChoiceList.OptionSelected)
    def _selected(self, event: ChoiceList.OptionSelected) -> None:
        self.dismiss(self._found[event.option_index])

    def action_move(self, steps: int) -> None:
        """Move the highlight. It stops at both ends."""
        rows = self.query_one(ChoiceList)
        if self._found:
            rows.highlighted = max(0, min(len(self._found) - 1, (rows.highlighted or 0) + steps))

    def action_close(self) -> None:
        """Close the palette without running a command."""
        self.dismiss(None)
