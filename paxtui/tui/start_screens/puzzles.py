"""Puzzles: which act gains most? A list of acts beside the map, and after the answer the chances of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets.option_list import Option

from paxtui.games.pax.text.display import percent, power_name
from paxtui.session.tables.loader import load_tables
from paxtui.studies.puzzles import RULES, Puzzle, ask, draft_terms, explain, load_puzzles, open_puzzle
from paxtui.tui.base.keymap import bind
from paxtui.tui.base.screen import BaseScreen, ChoiceList, KeyHints, PlainText
from paxtui.tui.diplomacy.comparison import MapListScreen
from paxtui.tui.formatting.look import wrap_hanging
from paxtui.tui.widgets.map_scene import build_scene

BAR_CELLS = 24
"""Cells of a bar of 100 %."""


class PuzzleList(BaseScreen[None]):
    """All puzzles. Those solved in this session are marked."""

    TOPIC = "puzzles"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("puzzles.back", "escape,q", "back", "Back", "Back to the start screen"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.puzzles: Sequence[Puzzle] = ()
        self._answered: dict[int, bool] = {}

    def compose(self) -> ComposeResult:
        with Vertical(classes="box", id="puzzle-box"):
            yield PlainText("Puzzles: which act gains most?", classes="title")
            yield ChoiceList(id="puzzle-rows")
            yield KeyHints(self.format_keys("Enter open a puzzle · {puzzles.back} back"))

    def on_mount(self) -> None:
        super().on_mount()
        self.puzzles = load_puzzles()
        self._fill(0)

    def _fill(self, at: int) -> None:
        tables, rows, options = load_tables(), self.query_one(ChoiceList), []
        for n, puzzle in enumerate(self.puzzles):
            row = Text(f"{n + 1:>2}  {puzzle.year}  {power_name(tables, puzzle.seat):<15}{puzzle.kind:<9}")
            if n in self._answered:
                row.append("solved" if self._answered[n] else "not solved", self.look.good if self._answered[n] else "")
            options.append(Option(self.look.signs(row)))
        rows.refill(options, at)
        self.set_focus(rows)

    @on(ChoiceList.OptionSelected)
    def _selected(self, event: ChoiceList.OptionSelected) -> None:
        event.stop()
        number = event.option_index

        def done(is_right: bool | None) -> None:
            if is_right is not None:
                self._answered.setdefault(number, is_right)
            self._fill(min(number + 1, len(self.puzzles) - 1) if is_right is not None else number)

        self.app.push_screen(PuzzleScreen(self.puzzles[number]), done)

    def action_back(self) -> None:
        self.dismiss(None)


class PuzzleScreen(MapListScreen[bool | None]):
    """A puzzle. Its result: whether the first answer was right; None without an answer."""

    TOPIC = "puzzles"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("puzzle.close", "escape,q", "close", "Back", "Back to the list of puzzles"),
        bind("puzzle.map", "tab", "turn", "Map", "Show the map (small screens)", priority=True),
    ]
    before = True

    def __init__(self, puzzle: Puzzle) -> None:
        super().__init__()
        self.puzzle = puzzle
        host = open_puzzle(puzzle)
        self._tables, self._state = host.tables, host.state
        self._answer: int | None = None

    def begin(self) -> None:
        self.rows.add_options([Option(self._row(n)) for n in range(len(self.puzzle.candidates))])
        self.rows.highlighted = 0

    def write(self) -> None:
        terms = draft_terms(self._tables, self._state, self.puzzle)
        lines = [wrap_hanging(Text(line), self.room, 0) for line in (ask(self._tables, self.puzzle), terms) if line]
        self.question_panel.update(self.look.signs(Text("\n").join(lines)))
        keys = ["↑↓ act", "Enter your answer" if self._answer is None else "Enter goes on"]
        keys += ["Tab map"] if self.has_class("small") else []
        self.show_keys(" · ".join([*keys, "Esc back"]))

    def _row(self, number: int) -> Text:
        """Return a candidate; after the answer with its chance as a bar."""
        candidate, seat = self.puzzle.candidates[number], self.puzzle.seat
        text = candidate.text[0].upper() + candidate.text[1:]
        if self._answer is None:
            return self.look.signs(Text(text))
        chance = candidate.chances[seat]
        is_best = number == self.puzzle.solution
        row = Text(f"{text[:30]:<31}", self.look.good if is_best else "")
        row.append("█" * max(1, round(chance * BAR_CELLS)), self.look.ink(seat))
        return self.look.signs(row.append(f" {percent(chance)}"))

    @on(ChoiceList.OptionHighlighted)
    def _highlighted(self, event: ChoiceList.OptionHighlighted) -> None:
        self._draw()

    @on(ChoiceList.OptionSelected)
    def _selected(self, event: ChoiceList.OptionSelected) -> None:
        if self._answer is not None:
            self.action_close()
            return
        self._answer = event.option_index
        for number in range(len(self.puzzle.candidates)):
            self.rows.replace_option_prompt_at_index(number, self._row(number))
        explanation = explain(self._tables, self.puzzle, self._answer)
        count = self.puzzle.rollouts
        rule = f"Chances to win by {count} rollouts of each act: {RULES[self.puzzle.kind]}."
        lines = [wrap_hanging(Text(line), self.room, 0) for line in (*explanation, rule)]
        self.effects_panel.update(self.look.signs(Text("\n\n").join(lines)))
        self.write()

    def _draw(self) -> None:
        at = self.rows.highlighted or 0
        place = self.puzzle.candidates[at].place
        scene = build_scene(self._tables, self._state, place, self.puzzle.seat)
        self.map.scene = scene
        self.map.centre_on(place)

    def map_turned(self) -> None:
        """Keep the map as it is; the list takes the keys again when it is shown."""
        self.before = True
        self._draw()
        if not self.has_class("-map"):
            self.call_after_refresh(self.set_focus, self.rows)

    def action_close(self) -> None:
        self.dismiss(None if self._answer is None else self._answer == self.puzzle.solution)
