"""The archive: find games by a query, open one as a replay, and walk through the openings of the games found."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import ClassVar, NamedTuple

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.events import Key
from textual.timer import Timer
from textual.widgets import Input
from textual.widgets.option_list import Option

from paxtui.archive.index import Archive, FoundGame, Progress, describe_end
from paxtui.archive.openings import OpeningNode, Step, describe_opening, describe_results, find_opening
from paxtui.archive.query import EXAMPLES, Query, Vocabulary, load_vocabulary
from paxtui.engine.refusal import Refusal
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.text.display import place_name, power_name
from paxtui.session.storage.saved_games import game_name
from paxtui.session.tables.loader import load_tables
from paxtui.tui.base.keymap import bind
from paxtui.tui.base.screen import BaseScreen, ChoiceList, KeyHints, PlainText, next_in_circle
from paxtui.tui.colors import LETTERS
from paxtui.tui.rendering.key_queue import BACKGROUND_GROUP
from paxtui.tui.start_screens.game_screens import GAME_SCREENS

MOST_GAMES = 500
"""Maximum number of games in the list."""
MOST_SUGGESTIONS = 12
TYPING_S = 0.15
"""The query is read this long after the last key, in seconds."""
NAME_WIDTH, AREA_WIDTH = 24, 24


class Branch(NamedTuple):
    """A branch of the openings: the Power and the placements."""

    power: str
    steps: tuple[Step, ...]


class ArchiveScreen(BaseScreen[None]):
    """All games of the archive, or those that a query finds; their openings."""

    TOPIC = "archive"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("archive.back", "escape", "back", "Back", "Back to the list, then to the start screen"),
        bind("archive.query", "slash", "query", "Query", "Type a query"),
        bind("archive.openings", "f3", "openings", "Openings", "Openings in the games, or the list of games"),
        bind("archive.next", "right", "power(1)", "Next Power", "Openings of the next Power"),
        bind("archive.previous", "left", "power(-1)", "Previous Power", "Openings of the previous Power"),
        bind("archive.up", "backspace", "up", "Up", "Undo the last placement of the branch"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.games: Sequence[FoundGame] = ()
        self.nodes: Sequence[OpeningNode] = ()
        self.branch: Branch | None = None
        self.query_text = ""
        self._notice = ""
        self._pending: Timer | None = None

    def compose(self) -> ComposeResult:
        with Vertical(classes="box", id="archive-box"):
            yield PlainText("Archive", classes="title", id="archive-title")
            yield Input(placeholder=f"such as: {' · '.join(EXAMPLES)}", id="archive-query", compact=True)
            yield PlainText(id="archive-hint")
            yield ChoiceList(id="archive-rows")
            yield PlainText(id="archive-about", classes="note")
            keys = "Enter open · {archive.query} query · {archive.openings} openings · "
            yield KeyHints(
                self.format_keys(f"{keys}{{archive.previous}} {{archive.next}} Power · {{archive.back}} back")
            )

    def on_mount(self) -> None:
        """Show what is indexed, and bring the index up to date."""
        self.tables: Tables = load_tables(self.app.tables_dir)
        self.powers = [one.id for one in self.tables.powers.values() if one.kind.startswith("great")]
        try:
            self.archive = Archive()
        except OSError as error:
            self.notify(str(error), title="The archive cannot be opened", severity="error", timeout=8)
            self.dismiss(None)
            return
        self.vocabulary: Vocabulary = load_vocabulary(self.tables, self.archive)
        self._show()
        self.set_focus(self.query_one("#archive-rows"))
        self.run_worker(self._update, thread=True, group=BACKGROUND_GROUP, exclusive=True)

    def on_unmount(self) -> None:
        with suppress(AttributeError):
            self.archive.close()

    # --- update -----------------------------------------------------------------------------------------------------

    def _update(self) -> None:
        """Read new logs, in a thread with its own connection."""
        call = self.app.call_from_thread
        try:
            with Archive(self.archive.path) as archive:
                report = archive.update(progress=lambda progress: call(self._show_progress, progress))
                notice = self.archive.notice or archive.notice
        except OSError as error:
            call(self._updated, str(error))
            return
        damaged = f"{report.damaged} logs could not be read; 'paxtui archive' lists them." if report.damaged else ""
        call(self._updated, " ".join(filter(None, (notice, damaged))))

    def _show_progress(self, progress: Progress) -> None:
        if self.is_attached:
            self._set_title(f"reading {progress.done} of {progress.total} logs")

    def _updated(self, notice: str) -> None:
        if self.is_attached:
            self._notice = notice
            self.vocabulary = load_vocabulary(self.tables, self.archive)
            self._show()

    # --- contents ---------------------------------------------------------------------------------------------------

    def _set_title(self, text: str) -> None:
        self.query_one("#archive-title", PlainText).update(self.look.palette.text(f"Archive · {text}"))

    def _show(self) -> None:
        """Read the query and fill the list with games or openings."""
        hint, look = self.query_one("#archive-hint", PlainText), self.look
        try:
            query = Query(self.query_text, self.vocabulary)
            if self.branch is None:
                self._fill_games(query)
            else:
                self._fill_openings(query, self.branch)
        except (Refusal, OSError) as error:
            suggested = self._suggested() if isinstance(error, Refusal) else ""
            hint.update(look.text((suggested, look.faint)) if suggested else look.text((str(error), look.alarm)))
        else:
            hint.update(look.text((self._suggested() if self.query_text else self._notice, look.faint)))

    def _suggested(self) -> str:
        """Return the words with which the query can go on."""
        found = Query.suggest(self.query_text, self.vocabulary, MOST_SUGGESTIONS)
        return " · ".join(one.word for one in found)

    def _fill_games(self, query: Query) -> None:
        count = self.archive.count(*query.condition)
        self.games = self.archive.find(*query.condition, limit=MOST_GAMES)
        shown = f", the latest {MOST_GAMES} listed" if count > MOST_GAMES else ""
        self._set_title(f"{count} {'game' if count == 1 else 'games'}{' found' if self.query_text else ''}{shown}")
        self._fill([self._game_row(game) for game in self.games], "No game. 'paxtui archive --add FOLDER' adds games.")

    def _game_row(self, game: FoundGame) -> Text:
        """Format a game: name, last year, seats with the winner in bold, how it ended."""
        look, name = self.look, game_name(Path(game.paths[0]))
        return look.line(
            f"{name[:NAME_WIDTH]:<{NAME_WIDTH}} ",
            (f"{game.year} ", look.key),
            *((f" {LETTERS.get(one.seat, '??')}", "bold" if one.rank == 1 else look.faint) for one in game.seats),
            f"  {describe_end(self.tables, game)}",
        )

    def _fill_openings(self, query: Query, branch: Branch) -> None:
        opening = find_opening(self.archive, branch.power, branch.steps, query.condition)
        self.nodes = opening.nodes
        self._set_title(describe_opening(self.tables, opening))
        self._fill([self._node_row(node) for node in self.nodes], "No finished game with this opening.")

    def _node_row(self, node: OpeningNode) -> Text:
        """Format a placement: its turn, Area, share and results."""
        look = self.look
        return look.line(
            ("turn 2  " if node.step.turn == 2 else "turn 1  ", look.faint),
            f"{place_name(self.tables, node.step.area):<{AREA_WIDTH}} ",
            (f"{node.share:>4.0%}  ", look.key),
            describe_results(node),
        )

    def _fill(self, lines: Sequence[Text], empty: str) -> None:
        options = [Option(line) for line in lines] or [Option(Text(empty), disabled=True)]
        self.query_one("#archive-rows", ChoiceList).refill(options, 0 if lines else None)
        if not lines:
            self.query_one("#archive-about", PlainText).update("")

    @on(ChoiceList.OptionHighlighted)
    def _highlighted(self, event: ChoiceList.OptionHighlighted) -> None:
        if self.branch is None and event.option_index < len(self.games):
            about = self._about(self.games[event.option_index])
        else:
            about = self.look.palette.text(
                f"Enter: the games in which {power_name(self.tables, self.power)} placed there"
            )
        self.query_one("#archive-about", PlainText).update(about)

    @property
    def power(self) -> str:
        """The Power whose openings are shown."""
        return self.branch.power if self.branch else self.powers[0]

    def _about(self, game: FoundGame) -> str:
        """Describe a game: ranks, players, file."""
        places = sorted(game.seats, key=lambda one: (one.rank or 99, -one.total))
        names = (
            f"{power_name(self.tables, one.seat)}{f' {one.total}' if one.total else ''}"
            f"{f' ({one.player})' if one.player else ''}"
            for one in places
        )
        copies = f" and {len(game.paths) - 1} copies" if len(game.paths) > 1 else ""
        played = f", played {game.played[:10]}" if game.played else ""
        file, width = f"{game.paths[0]}{copies}{played}", max(20, self.query_one("#archive-rows").size.width - 1)
        file = file if len(file) <= width else f"…{file[1 - width :]}"
        return self.look.palette.text(f"{file}\n{', '.join(names)}")

    # --- keys -------------------------------------------------------------------------------------------------------

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        self.query_text = event.value
        if self._pending is not None:
            self._pending.stop()
        self._pending = self.set_timer(TYPING_S, self._show)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        """Go to the list, or say what is wrong with the query."""
        event.stop()
        try:
            Query(self.query_text, self.vocabulary)
        except Refusal as error:
            self.query_one("#archive-hint", PlainText).update(self.look.text((error.message, self.look.alarm)))
        else:
            self._show()
            self.set_focus(self.query_one("#archive-rows"))

    def on_key(self, event: Key) -> None:
        """Complete the query with Tab; go from the query to the list with the arrow down."""
        if not isinstance(self.focused, Input):
            return
        if event.key == "tab":
            event.prevent_default()
            event.stop()
            found = Query.suggest(self.focused.value, self.vocabulary, 1)
            if found:
                self.focused.value = found[0].fills
                self.focused.cursor_position = len(found[0].fills)
        elif event.key == "down":
            event.stop()
            self.set_focus(self.query_one("#archive-rows"))

    @on(ChoiceList.OptionSelected)
    def _selected(self, event: ChoiceList.OptionSelected) -> None:
        if self.branch is not None:
            step = self.nodes[event.option_index].step
            self.branch = Branch(self.branch.power, (*self.branch.steps, step))
            self._show()
            return
        game = self.games[event.option_index]
        try:
            self.app.push_screen(GAME_SCREENS[game.rulebook].replay(Path(game.paths[0])))
        except Exception as error:  # as in the start screen: a log may be damaged in any way
            self.notify(str(error), title="This log cannot be read", severity="error", timeout=8)

    def action_query(self) -> None:
        self.set_focus(self.query_one("#archive-query"))

    def action_openings(self) -> None:
        """Show the openings of the games found, or the games."""
        self.branch = None if self.branch else Branch(self.powers[0], ())
        self._show()
        self.set_focus(self.query_one("#archive-rows"))

    def action_power(self, step: int) -> None:
        if self.branch is not None:
            self.branch = Branch(next_in_circle(self.powers, self.branch.power, step), ())
            self._show()

    def action_up(self) -> None:
        """Undo the last placement of the branch; without one, show the games."""
        if self.branch is not None:
            self.branch = Branch(self.branch.power, self.branch.steps[:-1]) if self.branch.steps else None
            self._show()

    def action_back(self) -> None:
        """Go from the query to the list, from the openings to the games, then close."""
        if isinstance(self.focused, Input):
            self.set_focus(self.query_one("#archive-rows"))
        elif self.branch is not None:
            self.branch = None
            self._show()
        else:
            self.dismiss(None)
