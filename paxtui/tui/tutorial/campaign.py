"""The lesson of the campaign of 1805: the exercise screen with a strip that leads to a first battle.

The steps are in `data/tutorial-ulm.toml`. The lesson is a real game; it is saved and resumes at its step.
"""

from __future__ import annotations

import tomllib
from contextlib import suppress
from pathlib import Path

import msgspec
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import Screen

from paxtui.bots.empires.registry import EmpiresBots
from paxtui.engine.log import BrokenLog
from paxtui.engine.refusal import Refusal
from paxtui.games.empires.calendar import turn_of
from paxtui.session.exercise_session import ExerciseSession
from paxtui.session.hosts import new_game, open_game
from paxtui.session.storage.files import NotRegularFile, data_path
from paxtui.session.storage.saved_games import (
    CAMPAIGN_LESSON,
    Sidecar,
    free_path,
    lessons_under_way,
    read_sidecar,
    write_sidecar,
)
from paxtui.tui.base.dialogs import TextDialog
from paxtui.tui.base.keymap import bindings_of
from paxtui.tui.base.screen import TextPanel
from paxtui.tui.exercise.keys import AreaKeys, ExerciseKeys, LessonKeys
from paxtui.tui.exercise.screen import ExerciseScreen
from paxtui.tui.tutorial.lessons import format_lesson_text

FILE = "tutorial-ulm.toml"
STEPS = ("army", "depots", "movement", "supply", "combat")
"""The steps of a month in the campaign, in their order."""
SAVE_NAME = "tutorial of the campaign"
"""File name of the saved lesson."""


class Condition(msgspec.Struct, frozen=True, tag_field="kind", tag=str.lower, forbid_unknown_fields=True):
    """The condition that completes a step; the file names it by `kind`."""


class Area(Condition, frozen=True):
    """The cursor is on an area."""

    area: str


class Opened(Condition, frozen=True):
    """A page was opened and closed again."""


class Step(Condition, frozen=True):
    """The game has reached a step of the first month."""

    step: str


class Supply(Condition, frozen=True):
    """The map shows the supply."""


class Stack(Condition, frozen=True):
    """A stack with this corps is chosen."""

    corps: str


class Happened(Condition, frozen=True):
    """An event is in the log; `area` is its area or the end of its path."""

    event: str
    corps: str = ""
    area: str = ""


AnyCondition = Area | Opened | Step | Supply | Stack | Happened


class LessonStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A step of the lesson.

    Attributes:
        id, title, text: as shown. `{exercise.find}` is the key of that binding, text between backticks is typed.
        done: the condition that completes it, None for a step that is only read.
        hint: shown after an act that does not complete it.
        before: the step of the month with which the chance to do it ends; "" for none.
        ends: the event with which the chance to do it ends.
        keys: keys that complete it, for the tests; with `repeat`, pressed until it is completed.
        plays: orders that complete it, used if the learner skips it.
    """

    id: str
    title: str
    text: str
    done: AnyCondition | None = None
    hint: str = ""
    before: str = ""
    ends: str = ""
    keys: list[str] = []
    repeat: bool = False
    plays: list[str] = []


class CampaignLesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The lesson: its game, its steps and its last words."""

    id: str
    title: str
    exercise: str
    seed: str
    seat: str
    bots: dict[str, str]
    farewell: str
    steps: list[LessonStep]


def load_campaign_lesson() -> CampaignLesson:
    """Load the lesson. Raises: msgspec.ValidationError, tomllib.TOMLDecodeError, OSError: the file is invalid."""
    return msgspec.convert(tomllib.loads(data_path(FILE).read_text("utf-8")), CampaignLesson)


class CampaignLessonScreen(ExerciseScreen, LessonKeys):
    """The exercise screen with a teacher. It is the first base: Textual takes styles from the first one only.

    Args: the game of the lesson; its log; the lesson; the number of the step at which it goes on.
    """

    def __init__(self, session: ExerciseSession, path: Path, lesson: CampaignLesson, number: int = 0) -> None:
        super().__init__(session)
        self.lesson, self.number, self.is_over = lesson, number, False
        self._path = path
        self._first_month = turn_of(session.tables.exercise.first)
        self._has_opened = self._is_hinting = False
        self._reread: int | None = None

    @property
    def step(self) -> LessonStep:
        return self.lesson.steps[self.number]

    def compose(self) -> ComposeResult:
        for widget in super().compose():
            if widget.id == "exercise-keys":
                yield Vertical(TextPanel(id="lesson-text"), TextPanel(id="lesson-note"), id="lesson")
            yield widget

    def on_mount(self) -> None:
        super().on_mount()
        self.app.screen_change_signal.subscribe(self, self._screen_changed)
        self._save_step()

    def show(self) -> None:
        """Show the selected moment and the current step."""
        super().show()
        self.check_step()

    def _screen_changed(self, screen: Screen[object]) -> None:
        if screen is self:
            self.check_step()
        elif isinstance(screen, TextDialog):
            self._has_opened = True

    def check_step(self) -> None:
        """Go on while steps are complete or past; draw the strip."""
        if self.is_over or self.app.screen is not self:
            return
        while self.number + 1 < len(self.lesson.steps) and (self._is_done() or self._is_past()):
            self._next_step()
        self._draw_strip()

    def _next_step(self) -> None:
        self.number += 1
        self._has_opened = self._is_hinting = False
        self._reread = None
        self._save_step()

    def _save_step(self) -> None:
        """Save the current step beside the log. If that fails, the lesson resumes at an earlier one."""
        game = self.session.table.game.header.game
        beside = Sidecar(game=game, step=self.step.id, lesson=CAMPAIGN_LESSON, learned=self.is_over)
        with suppress(OSError):
            write_sidecar(self._path, beside)

    def _is_done(self) -> bool:
        match self.step.done:
            case None:
                return False
            case Area(area=area):
                return self.chosen_area == area
            case Opened():
                return self._has_opened
            case Step(step=step):
                return self._has_reached(step)
            case Supply():
                return self.shows_supply
            case Stack(corps=corps):
                return corps in self.chosen_stack
            case Happened() as wanted:
                return self._has_happened(wanted)

    def _has_reached(self, step: str) -> bool:
        state = self.session.state
        if state.turn > self._first_month or state.result is not None or state.campaign.fought:
            return True
        now = state.cursor.step
        return now in STEPS and STEPS.index(now) >= STEPS.index(step)

    def _is_past(self) -> bool:
        """Return whether the game has passed the step."""
        step = self.step
        if step.ends and self._has_happened(Happened(event=step.ends)):
            return True
        return bool(step.before) and self._has_reached(step.before)

    def _has_happened(self, wanted: Happened) -> bool:
        for _, event in self.session.events():
            if str(event.__struct_config__.tag) != wanted.event:
                continue
            path = getattr(event, "path", ())
            depot = getattr(event, "depot", None)
            area = path[-1] if path else depot.where if depot else getattr(event, "area", "")
            if wanted.corps in ("", getattr(event, "corps", "")) and wanted.area in ("", area):
                return True
        return False

    # --- the strip ------------------------------------------------------------------------------------------------

    def _key_names(self) -> dict[str, str]:
        bindings = (one for owner in (AreaKeys, ExerciseKeys, LessonKeys) for one in bindings_of(owner))
        return {str(one.id): self.app.key_of(str(one.id), one.key) for one in bindings}

    def _draw_strip(self) -> None:
        shown = self.number if self._reread is None else self._reread
        step, names, look = self.lesson.steps[shown], self._key_names(), self.look
        count = len(self.lesson.steps)
        head = look.text((f"{shown + 1}/{count} {step.title}  ", "bold"))
        keys = "{lesson.on} continue · {lesson.back} back · {lesson.skip} skip"
        head.append_text(format_lesson_text(keys, names, {}, look))
        head.append("\n")
        head.append_text(format_lesson_text(" ".join(step.text.split()), names, {}, look))
        self.query_one("#lesson-text", TextPanel).show(head)
        note = "{lesson.on} continues" if step.done is None or self._reread is not None else ""
        note = step.hint if self._is_hinting and not note else note
        self.query_one("#lesson-note", TextPanel).show(format_lesson_text(note, names, {}, look))

    # --- keys -----------------------------------------------------------------------------------------------------

    def action_on(self) -> None:
        """Go on after a step that is only read; else show the hint."""
        if self._reread is not None:
            self._reread = self._reread + 1 if self._reread + 1 < self.number else None
        elif self.step.done is not None:
            self._is_hinting = True
        elif self.number + 1 < len(self.lesson.steps):
            self._next_step()
        else:
            self._end()
            return
        self.check_step()

    def action_step_back(self) -> None:
        shown = self.number if self._reread is None else self._reread
        if shown and not self.is_over:
            self._reread = shown - 1
            self._draw_strip()

    def action_skip(self) -> None:
        """Play the orders of the step, and go on."""
        if self.is_over:
            return
        match self.step.done:
            case Step(step=step):
                with suppress(Refusal):
                    while not self._has_reached(step):
                        self.session.act("done")
            case Happened(event="attack_over") as wanted:
                while not self._has_happened(wanted) and self.session.menu:
                    entry = self.session.menu[0]
                    self.session.act((entry.goals or (entry,))[0].order)
            case _:
                for order in self.step.plays:
                    with suppress(Refusal):
                        self.session.act(order)
        if self.number + 1 < len(self.lesson.steps):
            number = self.number
            self.greet_player()
            if number == self.number:
                self._next_step()
                self.check_step()
        else:
            self._end()

    def _end(self) -> None:
        """Show the last words, and leave the game to the player."""
        self.is_over = True
        self._save_step()
        self.query_one("#lesson").display = False
        text = format_lesson_text(self.lesson.farewell, self._key_names(), {}, self.look)
        self.app.push_screen(TextDialog(self.lesson.title, text))
        self.call_after_refresh(self.show)


def open_campaign_lesson() -> CampaignLessonScreen:
    """Resume the lesson, or begin it if there is no unfinished save. Raises: FileLocked, OSError."""
    for path in lessons_under_way(CAMPAIGN_LESSON):
        with suppress(BrokenLog, NotRegularFile, FileNotFoundError):
            return resume_campaign_lesson(path)
    lesson, path = load_campaign_lesson(), free_path(SAVE_NAME)
    occupants = {seat: EmpiresBots().parse_name(level) for seat, level in lesson.bots.items()}
    table = new_game("empires", lesson.seed, scenario=lesson.exercise, path=path, undo="free", occupants=occupants)
    return CampaignLessonScreen(ExerciseSession(table), path, lesson)


def resume_campaign_lesson(path: Path) -> CampaignLessonScreen:
    """Resume the lesson of a saved game at its last step. Raises: BrokenLog, FileLocked, NotRegularFile, OSError."""
    table, lesson = open_game(path), load_campaign_lesson()
    saved = read_sidecar(path, table.game.header.game).step
    number = next((n for n, step in enumerate(lesson.steps) if step.id == saved), 0)
    return CampaignLessonScreen(ExerciseSession(table), path, lesson, number)
