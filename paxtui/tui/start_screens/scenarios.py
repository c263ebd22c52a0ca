"""The shelf of scenarios: choose one, your seat and the level of your rivals, and begin."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.events import Resize
from textual.widgets.option_list import Option

from paxtui.bots.pax.profiles import LEVELS, NAME
from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import PERSON, BotLevel, SeatOccupant
from paxtui.games.pax.text.display import power_name
from paxtui.session.hosts import new_game
from paxtui.session.local_session import LocalSession
from paxtui.session.pax_host import PaxHost
from paxtui.session.scores import SCORES_FILE, best_scores, medal_of, record_scores
from paxtui.session.storage.saved_games import free_path
from paxtui.session.tables.loader import load_tables
from paxtui.session.tables.records import TableError
from paxtui.session.tables.scenarios import PaxScenario, read_all, scenario_files
from paxtui.tui.base.keymap import bind
from paxtui.tui.base.screen import BaseScreen, ChoiceList, KeyHints, PlainText, next_in_circle
from paxtui.tui.colors import LETTERS
from paxtui.tui.game.screen import GameScreen

OTHER_ROWS = 16
"""Rows of the screen outside the list."""
MOST_FAULTS = 2
"""Maximum number of own files with errors that are named."""
MOST_SCORES = 3
"""Maximum number of games of a challenge that are named."""
TITLE_WIDTH, YEARS_WIDTH = 26, 14


class ScenarioShelf(BaseScreen[None]):
    """All scenarios, with length, seats and a sentence."""

    TOPIC = "scenarios"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("shelf.back", "escape,q", "back", "Back", "Back to the start screen"),
        bind("shelf.next", "right", "seat(1)", "Next seat", "Play the next Power"),
        bind("shelf.previous", "left", "seat(-1)", "Previous seat", "Play the previous Power"),
        bind("shelf.level", "l", "level", "Level", "Level of your rivals"),
        bind("shelf.edit", "e", "edit", "Edit", "Make a scenario of your own from this one"),
        bind("shelf.puzzles", "p", "puzzles", "Puzzles", "Positions with one clearly best act"),
        bind("shelf.begin", "f10", "begin", "Start", "Start a game of this scenario"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.scenarios: Sequence[PaxScenario] = ()
        self.seat: dict[str, int] = {}
        self.level: BotLevel = "normal"

    def compose(self) -> ComposeResult:
        with Vertical(classes="box", id="scenario-box"):
            yield PlainText("Scenarios", classes="title")
            yield ChoiceList(id="scenario-rows")
            yield PlainText(id="scenario-about", classes="note")
            yield PlainText(id="scenario-faults")
            keys = "Enter start · {shelf.previous} {shelf.next} your seat · {shelf.level} level of the rivals"
            keys += " · {shelf.edit} editor · {shelf.puzzles} puzzles · {shelf.back} back"
            yield KeyHints(self.format_keys(keys))

    def on_mount(self) -> None:
        self.tables = load_tables(self.app.tables_dir)
        self._fill("")

    def _fill(self, id_: str) -> None:
        """Read the files and fill the list. Args: the scenario under the cursor, "" for the first."""
        self.scenarios, faults = read_all()
        try:
            record_scores(self.scenarios)
        except OSError as error:
            faults = [f"{SCORES_FILE}: {error}", *faults]
        self.query_one("#scenario-faults", PlainText).update(Text("\n".join(faults[:MOST_FAULTS]), self.look.alarm))
        rows = self.query_one(ChoiceList)
        row = next((n for n, one in enumerate(self.scenarios) if one.id == id_), 0)
        rows.refill((Option(self._row(one), id=one.id) for one in self.scenarios), row)
        self.set_focus(rows)

    def on_resize(self, event: Resize) -> None:
        self.query_one(ChoiceList).styles.max_height = max(4, event.size.height - OTHER_ROWS)

    # --- texts ------------------------------------------------------------------------------------------------------

    def _row(self, one: PaxScenario) -> Text:
        """Format a scenario: title, years, number of Game Turns, letters of the seats."""
        look, turns = self.look, one.last_turn - one.first_turn + 1
        years = f"{self._year(one.first_turn)} to {self._year(one.last_turn)}"
        return look.line(
            f"{one.title:<{TITLE_WIDTH}} ",
            (f"{years:<{YEARS_WIDTH}}", look.key),
            f"{turns:>2} turn{'s' if turns > 1 else ' '}  ",
            *((f" {LETTERS.get(seat, '??')}", look.faint if seat in one.bots else "bold") for seat in one.seats),
        )

    def _year(self, turn: int) -> int:
        return self.tables.turns[turn - 1].year

    def _detail(self, one: PaxScenario) -> Text:
        """Describe a scenario: its words, handicaps, who plays whom."""
        look = self.look
        text = Text()
        text.append(look.palette.text(f"{one.about}\n"), look.key)
        persons = self._choices(one)[self._at(one)]
        text.append("You play ")
        text.append(" and ".join(power_name(self.tables, seat) for seat in persons), look.key)
        text.append(look.palette.text(f"; {self._rivals(one, persons)}.\n"))
        if one.handicaps:
            given = ", ".join(f"{power_name(self.tables, seat)} {n:+d}" for seat, n in one.handicaps.items())
            text.append(look.palette.text(f"Handicaps in Victory Points: {given}.\n"))
        text.append(look.palette.text(self._scores(one) + " ".join(one.text.split())))
        return text

    def _scores(self, one: PaxScenario) -> str:
        """Describe goals and best games of a challenge; "" for other scenarios."""
        if one.challenge is None:
            return ""
        goals = ", ".join(f"{name} {points}" for name, points in one.challenge.goals.items())
        best = best_scores(one.id)[:MOST_SCORES]
        games = ", ".join(" ".join(filter(None, (str(s.points), medal_of(one, s.points), f"({s.day})"))) for s in best)
        return f"Goals: {goals}. Your best games: {games or 'none yet'}.\n"

    def _rivals(self, one: PaxScenario, persons: Sequence[str]) -> str:
        count = len(one.seats) - len(persons)
        if not count:
            return "no rivals"
        if not any(_takes_level(one, seat) for seat in one.seats if seat not in persons):
            return "the scenario chooses your rivals"
        return f"statesmen ({self.level}) play the others"

    # --- choices ----------------------------------------------------------------------------------------------------

    def _choices(self, one: PaxScenario) -> list[tuple[str, ...]]:
        """Return the seats that persons can take: each one alone, or all that are for persons."""
        if one.challenge is not None:
            return [(one.challenge.seat,)]
        free = one.free_seats
        alone: list[tuple[str, ...]] = [(seat,) for seat in free]
        return alone if len(free) == 1 else [*alone, free]

    def _at(self, one: PaxScenario) -> int:
        return self.seat.get(one.id, 0)

    @property
    def _chosen(self) -> PaxScenario | None:
        at = self.query_one(ChoiceList).highlighted
        return None if at is None else self.scenarios[at]

    def _show(self) -> None:
        one = self._chosen
        if one is not None:
            self.query_one("#scenario-about", PlainText).update(self._detail(one))

    @on(ChoiceList.OptionHighlighted)
    def _highlighted(self, event: ChoiceList.OptionHighlighted) -> None:
        self._show()

    @on(ChoiceList.OptionSelected)
    def _selected(self, event: ChoiceList.OptionSelected) -> None:
        self.action_begin()

    def action_seat(self, step: int) -> None:
        one = self._chosen
        if one is not None:
            self.seat[one.id] = (self._at(one) + step) % len(self._choices(one))
            self._show()

    def action_level(self) -> None:
        self.level = next_in_circle(LEVELS, self.level)
        self._show()

    def action_back(self) -> None:
        self.dismiss(None)

    def action_edit(self) -> None:
        """Open the editor with the selected scenario; begin a game if the editor asks for it."""
        from paxtui.tui.start_screens.scenario_editor import ScenarioEditor

        one = self._chosen
        if one is None:
            return

        def done(played: str | None) -> None:
            self._fill(played or one.id)
            if played:
                self.action_begin()

        self.app.push_screen(ScenarioEditor(one), done)

    def action_puzzles(self) -> None:
        from paxtui.tui.start_screens.puzzles import PuzzleList

        self.app.push_screen(PuzzleList())

    def action_begin(self) -> None:
        one = self._chosen
        if one is None:
            return
        try:
            screen = self._begin(one)
        except (Refusal, TableError, OSError) as error:
            text = str(error)
            self.notify(text, title="This scenario cannot begin", severity="error", timeout=8)
        else:
            self.app.switch_screen(screen)

    def _begin(self, one: PaxScenario) -> GameScreen:
        """Create the game. Raises: Refusal, TableError, OSError."""
        persons = self._choices(one)[self._at(one)]
        rival = SeatOccupant(by="bot", level=self.level)
        occupants = {seat: PERSON if seat in persons else rival for seat in one.seats if _takes_level(one, seat)}
        challenge = one.challenge
        table = new_game(
            "pax",
            challenge.seed if challenge else secrets.token_hex(8),
            scenario=str(scenario_files()[one.id]),
            path=free_path(one.title),
            tables_dir=self.app.tables_dir,
            undo="strict" if challenge else "free",
            occupants={seat: who for seat, who in occupants.items() if who.is_automatic},
        )
        assert isinstance(table, PaxHost)
        screen = GameScreen(LocalSession(table, step_by_step=self.app.leisurely))
        screen.plays_first_steps = len(persons) == 1
        return screen


def _takes_level(one: PaxScenario, seat: str) -> bool:
    """Return whether a seat is for a person, or for a statesman of any level."""
    return one.bots.get(seat, NAME) == NAME
