"""The command palette (ctrl+p): the bindings of a screen, most useful first, dangerous last."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar, NamedTuple

from rich.text import Text
from textual.app import SystemCommand
from textual.binding import BindingType
from textual.fuzzy import Matcher
from textual.widgets import Input

from paxtui.tui.base.dialogs import ListDialog
from paxtui.tui.base.keymap import bind

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


class CommandPalette(ListDialog[SystemCommand | None]):
    """Choose a command by its name."""

    TOPIC = "palette"
    title_text, hint_text = "Commands", "Enter run · {palette.close} close"
    box_id, list_id = "palette-box", "palette-list"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("palette.close", "escape", "close", "Close", "Close the list of commands"),
        bind("palette.down", "down", "move(1)", "Next", "Next command"),
        bind("palette.up", "up", "move(-1)", "Previous", "Previous command"),
        bind("palette.page_down", "pagedown", "move(10)", "Page down", "Ten commands down"),
        bind("palette.page_up", "pageup", "move(-10)", "Page up", "Ten commands up"),
    ]

    def __init__(self, commands: Sequence[SystemCommand]) -> None:
        super().__init__()
        self._commands = tuple(commands)
        self._found = list(self._commands)

    def lines(self) -> Iterable[Text]:
        for command in self._found:
            yield self.look.line((f"{command.title:<24} ", self.look.key), command.help)

    def filter_input(self) -> Input:
        return Input(placeholder="type part of the name", id="palette-words", compact=True)

    def filter_rows(self, text: str) -> None:
        self._found = match_commands(self._commands, text)
        self.fill(0)

    def choose(self, row: int) -> None:
        self.dismiss(self._found[row])

    def enter_without_match(self) -> None:
        self.dismiss(None)

    def action_move(self, steps: int) -> None:
        """Move the highlight. It stops at both ends."""
        if self._found:
            self.rows.highlighted = max(0, min(len(self._found) - 1, (self.row or 0) + steps))
