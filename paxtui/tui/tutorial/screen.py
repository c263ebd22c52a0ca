"""The tutorial on the game screen: a strip with the current step, the last page, and the saved lessons.

A lesson is a real game. It resumes at the last step; a saved lesson is never overwritten.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.events import Resize
from textual.screen import Screen
from textual.widget import Widget

from paxtui.engine.game import Redo, Undo
from paxtui.engine.log import BrokenLog
from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import PERSON, SeatOccupant
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions.actions import Choose
from paxtui.games.pax.position.setup import seats_for
from paxtui.games.pax.transaction import default_answer
from paxtui.games.pax.turn import administration
from paxtui.session.local_session import LessonSession
from paxtui.session.pax_host import PaxHost
from paxtui.session.session import Advance, SessionChange
from paxtui.session.storage.files import NotRegularFile
from paxtui.session.storage.saved_games import (
    TURN_LESSON,
    WAR_LESSON,
    Sidecar,
    free_path,
    lessons_under_way,
    read_sidecar,
    write_sidecar,
)
from paxtui.session.tables.loader import load_rules, load_tables
from paxtui.tui.base.dialogs import ListDialog
from paxtui.tui.base.keymap import bind, bindings_of
from paxtui.tui.base.screen import PlainText, TextPanel
from paxtui.tui.game.screen import GameScreen
from paxtui.tui.map.world_map import WorldMap
from paxtui.tui.tutorial.lessons import (
    Cursor,
    Filter,
    LearnerActions,
    Lesson,
    LessonStep,
    Opened,
    Pane,
    Past,
    Reached,
    Read,
    Redone,
    ScreenState,
    Undone,
    format_lesson_text,
    is_condition_met,
    is_step_past,
    load_lesson,
    place_in_turn,
    render_prompt,
    rule_behind_step,
)
from paxtui.tui.widgets.map_scene import FILTERS


class EndOfTutorial(ListDialog[str | None]):
    """The last page: what to try next."""

    list_id, detail_id = "ways", "way"
    hint_text = "Enter choose · {ways.close} back to the game"

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("ways.close", "escape,q", "close", "Close", "Back to the game of the tutorial"),
    ]

    def __init__(self, lesson: Lesson) -> None:
        super().__init__()
        self._lesson, self.title_text = lesson, lesson.title

    def head(self) -> Iterable[Widget]:
        return [PlainText(self.look.palette.text(self._lesson.farewell.strip())), PlainText()]

    def lines(self) -> Iterable[Text]:
        return (Text(way.title) for way in self._lesson.ways)

    def detail(self, row: int) -> Text:
        return Text(self.look.palette.text(self._lesson.ways[row].text))

    def choose(self, row: int) -> None:
        self.dismiss(self._lesson.ways[row].id)


ROOMY_COLUMNS, RULE_COLUMNS = 150, 46
"""Columns from which the rule behind a step is shown, and its own columns."""
HINT_AFTER_STEPS = 8
"""Cursor moves without progress after which a hint is shown."""
PAST = "You are looking at the past: {game.last} returns to the present."
EARLIER = "The game is at an earlier Phase. Continue, or press {tutorial.skip}."
DONE = "Already done. {tutorial.on} continues."
READ = "{tutorial.on} continues"
HERE = "▸ "


class TutorialScreen(GameScreen):
    """The game screen with a teacher."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("tutorial.on", "space", "on", "Go on", "Next step; while moving, next group of units"),
        bind("tutorial.back", "f8", "step_back", "Previous step", "Previous step"),
        bind("tutorial.skip", "f9", "skip", "Skip the step", "Let the program play this step"),
    ]

    CLOSING = ()  # the continue key works with any overlay
    SHOWS_REPORTS = False  # the strip reports events
    session: LessonSession

    def __init__(self, session: LessonSession, lesson: Lesson, number: int = 0) -> None:
        super().__init__(session)
        self.lesson = lesson
        self.number = number
        self.seen = LearnerActions(session.version)
        self.over = False
        self._reread = False
        self._hinting = False
        self._begun = False
        # the acts of this step were played before the lesson was saved
        self._played = {step.id for step in lesson.steps[: number + 1]} if number else set[str]()
        self._names_of_keys: dict[str, str] = {}
        self._figures: dict[str, str] = {}

    @property
    def step(self) -> LessonStep:
        return self.lesson.steps[self.number]

    # --- the strip ------------------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        for widget in super().compose():
            if widget.id == "hint":
                words_of_it = Vertical(TextPanel(id="lesson-text"), TextPanel(id="lesson-note"), id="lesson-words")
                yield Horizontal(words_of_it, TextPanel(id="lesson-why"), id="lesson")
            yield widget

    def on_mount(self) -> None:
        """Begin the lesson when the game screen is ready. Keys may arrive earlier."""
        self.set_class(self.app.size.width >= ROOMY_COLUMNS, "roomy")
        self._names_of_keys = self.key_names()
        self.app.screen_change_signal.subscribe(self, self._screen_changed)
        self.call_after_refresh(self._first_step)

    def _first_step(self) -> None:
        self.view.side.pane = self.lesson.pane
        self._begun = True
        self.begin_step(self.number)

    def key_names(self) -> dict[str, str]:
        """Return the player's keys by binding id."""
        owners = (WorldMap, TutorialScreen, type(self.app))
        bindings = (binding for owner in owners for binding in bindings_of(owner))
        return {str(one.id): self.app.key_of(str(one.id), one.key) for one in bindings}

    def on_resize(self, event: Resize) -> None:
        """Show the rule behind the step if there is room."""
        self.set_class(event.size.width >= ROOMY_COLUMNS, "roomy")

    def drawn(self) -> None:
        """Check whether the step is complete: a redraw or an opened pane can complete it."""
        self.check_step()

    def restyle(self) -> None:
        """Apply changed colours, signs or keys."""
        self._names_of_keys = self.key_names()
        super().restyle()

    def figures(self) -> dict[str, str]:
        """Return the current figures that texts refer to."""
        s, seat = self.session, self.lesson.seat
        power = s.live.powers[seat]
        return {
            "treasury": str(power.treasury),
            "forecast": str(administration.forecast_net_income(s.tables, s.live, seat)),
            "tension": str(s.live.tension),
            "points": str(power.victory_points),
        }

    def draw_strip(self) -> None:
        look, step = self.look, self.step
        width = self.app.size.width - 3 - (RULE_COLUMNS if self.app.size.width >= ROOMY_COLUMNS else 0)
        count = len(self.lesson.steps)
        text = render_prompt(step, self.number + 1, count, self._names_of_keys, self._figures, look, width)
        self.query_one("#lesson-text", TextPanel).show(look.signs(text))
        note = self.current_note()
        shown = look.text((HERE, look.key)) if note else look.text("")
        shown.append_text(format_lesson_text(note, self._names_of_keys, self._figures, look))
        self.query_one("#lesson-note", TextPanel).show(look.signs(shown))
        rules = load_rules()
        why = rule_behind_step([rules[r] for r in step.rules if r in rules], look)
        self.query_one("#lesson-why", TextPanel).show(look.signs(why))

    def current_note(self) -> str:
        """Return the note below the text: how to continue, or a hint."""
        s, step = self.session, self.step
        if self._reread:
            return DONE
        if s.at is not None and step.id not in ("past", "present"):
            return PAST
        if step.phase and place_in_turn(s.live.phase, s.live.turn) < place_in_turn(step.phase) and self._hinting:
            return EARLIER if step.id != "dice" else step.hint
        if isinstance(step.done, Read):
            return READ
        return step.hint if self._hinting else ""

    # --- from step to step ------------------------------------------------------------------------------------------

    def begin_step(self, number: int) -> None:
        """Begin the first step from `number` on that still applies."""
        while number < len(self.lesson.steps) - 1 and is_step_past(self.session, self.lesson.steps[number]):
            number += 1
        self.number = min(number, len(self.lesson.steps) - 1)
        self.seen = LearnerActions(self.session.version)
        self._reread = self._hinting = False
        step = self.step
        self._keep_place()
        if step.acts and step.id not in self._played:
            self._played.add(step.id)
            self.session.play_script(step.acts)
        if step.map:
            self.view.filter = 0
            self.view.cards = False
            self.remove_class("-side")
            self.set_focus(self.view.map)
        self._figures = self.figures()
        # the dice stay until the learner's next key
        self.view.dice.fresh = self.view.dice.display
        self.view.side.from_start()
        self.view.draw_soon()
        if step.line:
            self.call_after_refresh(self._bring_into_sight, step.line)

    def _bring_into_sight(self, line: str) -> None:
        """Scroll the pane to the line that begins with the given text."""
        pane = self.view.side.page
        rows = pane.text.plain.splitlines()
        row = next((n for n, text in enumerate(rows) if text.startswith(line)), 0)
        pane.scroll_to(y=max(0, row + 2 - pane.size.height), animate=False)

    def _key_pressed(self) -> None:
        """Hide the dice, also on keys that redraw nothing."""
        self.view.dice.fresh = False
        self.view.dice.put_away()

    def check_step(self) -> None:
        """Continue if the step is complete; draw the strip."""
        if not self._begun or self.over:
            return
        if self.app.screen is self and not self._reread:
            if is_step_past(self.session, self.step) and self.number < len(self.lesson.steps) - 1:
                self.begin_step(self.number + 1)
                return
            if is_condition_met(self.session, self.step.done, self.seen, self.sight()):
                self.next_step()
                return
        self.draw_strip()

    def _keep_place(self, learned: bool = False) -> None:
        """Save the current step next to the log."""
        path = self.session.file.path
        if path is not None:
            # if it cannot be saved, the tutorial restarts at its first step
            with suppress(OSError):
                kept = Sidecar(
                    game=self.session.view.header.game, step=self.step.id, lesson=self.lesson.id, learned=learned
                )
                write_sidecar(path, kept)

    def next_step(self) -> None:
        """Begin the next step, or show the last page."""
        if self.number + 1 < len(self.lesson.steps):
            self.begin_step(self.number + 1)
        else:
            self._keep_place(learned=True)
            self.draw_strip()
            self.app.push_screen(EndOfTutorial(self.lesson), self.go_way)

    def sight(self) -> ScreenState:
        """Return the visible state of the screen."""
        hidden = self.has_class("small") and not self.has_class("-side")
        return ScreenState(self.view.map.cursor, "" if hidden else self.view.side.pane, FILTERS[self.view.filter])

    def _screen_changed(self, screen: Screen[object]) -> None:
        """Handle an opened or closed screen."""
        if screen is self:
            self.check_step()
        else:
            self._key_pressed()
            # on small screens a dialog is above the strip, not over it
            screen.add_class("over-lesson")
            self.seen.opened.add(type(screen).__name__)
            wanted = self.step.done
            if (
                isinstance(wanted, Opened)
                and wanted.at_once
                and is_condition_met(self.session, wanted, self.seen, self.sight())
            ):
                self.next_step()

    @on(WorldMap.Selected)
    def _place_selected(self) -> None:
        self.seen.moves += 1
        self._hinting = self._hinting or self.seen.moves >= HINT_AFTER_STEPS
        self.check_step()

    def session_changed(self, change: SessionChange) -> None:
        """Check the step after an order; show a hint if the order does not complete it."""
        number = self.number
        super().session_changed(change)
        if change.order:
            if change.refusal is not None:
                self.seen.refused.update(change.refusal.rules)
            self.check_step()
            if number == self.number:
                self._hinting = True
                self.check_step()

    # --- keys -----------------------------------------------------------------------------------------------------

    def action_on(self) -> None:
        """Continue; during a move of units, select the next group."""
        if self.view.march is not None or self.over:
            self.orders.action_group()
            return
        self._key_pressed()
        if self._reread or isinstance(self.step.done, Read):
            self.next_step()
        else:
            self._hinting = True
            self.draw_strip()

    def action_skip(self) -> None:
        """Play the orders of the step, if they change anything, and continue."""
        self._key_pressed()
        if self.over:
            return
        number = self.number
        if not (self._reread or is_condition_met(self.session, self.step.done, self.seen, self.sight())):
            self._play_step()
        if number == self.number:  # the orders may have completed the step
            self.next_step()

    def _play_step(self) -> None:
        """Play the orders of a step; skip those that are no longer legal."""
        s, wanted = self.session, self.step.done
        s.look_at(None)
        match wanted:
            case Cursor(place=place):
                self.view.map.cursor = place
            case Pane(name=name):
                self.view.action_pane(name)
            case Filter(name=name):
                self.view.filter = FILTERS.index(name)
            case Past():
                s.look_at(s.line - 1)
            case Undone():
                self.carry_out(Undo())
            case Redone():
                self.carry_out(Redo())
            case Reached() if self.seats.can_advance:
                self.carry_out(Advance())
            case _:
                for order in self.step.plays:
                    with suppress(Refusal):
                        self._play(order)

    def _play(self, order: str) -> None:
        """Give an order of a step, or answer the first pending question. Raises: Refusal."""
        s = self.session
        verb, _, answer = order.partition(" ")
        if verb != "answer":
            s.act_text(order)
            return
        choice = next((c for c in s.live.choices if c.seat == s.seat), None)
        if choice is not None:
            s.act(Choose(choice.id, (answer,) if answer else default_answer(choice)))

    def action_step_back(self) -> None:
        self._key_pressed()
        if self.number and not self.over:
            self.number -= 1
            self._reread = True
            self._figures = self.figures()
            self.draw_strip()

    # --- the end ----------------------------------------------------------------------------------------------------

    def go_way(self, way: str | None) -> None:
        """Follow the chosen suggestion of the last page; without one, stay."""
        if way == "on":
            self.over = True
            self.query_one("#lesson").display = False
            self.session.end_lesson()
            self.view.draw_soon()
        elif way == "rules":
            self.screens.action_rules()
        elif way in ("again", WAR_LESSON):
            self.session.close()
            self.post_message(self.Left(then="war" if WAR_LESSON in (way, self.lesson.id) else "tutorial"))
        elif way == "new":
            self.session.close()
            self.post_message(self.Left(then="new"))
        elif way == "leave":
            self.action_leave()


LESSON_SEATS = 7
LESSON_SAVE_NAMES = {TURN_LESSON: "tutorial", WAR_LESSON: "tutorial of War"}
"""File names of the saved lessons."""


def open_tutorial(tables_dir: Path | None = None, name: str = TURN_LESSON) -> TutorialScreen:
    """Resume a lesson, or begin it if there is no unfinished save.

    Raises: Locked if another program has it open; OSError.
    """
    for path in lessons_under_way(name):
        try:
            return resume_tutorial(path)
        except (BrokenLog, NotRegularFile, FileNotFoundError):
            continue
    return new_tutorial(tables_dir, name)


def resume_tutorial(path: Path) -> TutorialScreen:
    """Resume the lesson of a saved game at its last step.

    Raises: BrokenLog, Locked, NotRegular, OSError.
    """
    table = PaxHost.open(path)
    beside = read_sidecar(path, table.game.header.game)
    lesson = load_lesson(beside.lesson or TURN_LESSON)
    number = next((n for n, step in enumerate(lesson.steps) if step.id == beside.step), 0)
    return TutorialScreen(lesson_session(lesson, table), lesson, number)


def new_tutorial(tables_dir: Path | None = None, name: str = TURN_LESSON) -> TutorialScreen:
    """Begin a lesson in a new file.

    Raises: OSError.
    """
    lesson = load_lesson(name)
    table = new_lesson_table(lesson, free_path(LESSON_SAVE_NAMES[name]), tables_dir)
    return TutorialScreen(lesson_session(lesson, table), lesson)


def lesson_session(lesson: Lesson, table: PaxHost) -> LessonSession:
    """Return the session of the learner in a lesson."""
    cues = {(cue.at.cycle, cue.at.side, cue.at.stage): cue.acts for cue in lesson.cues}
    return LessonSession(table, lesson.seat, cues)


def new_lesson_table(lesson: Lesson, path: Path | None = None, tables_dir: Path | None = None) -> PaxHost:
    """Create the game of a lesson. Args: the lesson; its file, None for none; replacement tables."""
    seats = seats_for(LESSON_SEATS)
    table = PaxHost.new(load_tables(tables_dir), seats, lesson.seed, {}, path=path, undo="free", tables_dir=tables_dir)
    if lesson.position:
        table.act(ARBITER, {"type": "set_position", "patch": lesson.position})
    table.seat({s: PERSON if s == lesson.seat else SeatOccupant(by="bot", level="steady") for s in seats})
    return table
