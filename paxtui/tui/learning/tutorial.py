"""The tutorial: a real first turn on the real game screen, with a strip that says what to do next and why."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from paxtui.engine.log import BrokenLog
from paxtui.pax.position.setup import seats_for
from paxtui.pax.turn import record_sheet
from paxtui.table.authority import Table
from paxtui.table.rivals import SoloSession
from paxtui.table.store import Store, save_dir
from paxtui.table.tables import load_rules, load_tables
from paxtui.tui.game import scene_of
from paxtui.tui.game.screen import GameScreen
from paxtui.tui.learning.lesson import Lesson, Read, Seen, Sight, Step, done, load_lesson, passed, place_in_turn
from paxtui.tui.learning.prompt import behind, prompt, words
from paxtui.tui.map.world_map import WorldMap
from paxtui.tui.player.keymap import words as key_words
from paxtui.tui.player.look import Look
from paxtui.tui.swift.overlay import Overlay
from paxtui.tui.swift.page import Page

SEATS = 7
PATIENCE = 8
"""Places walked to without coming nearer, after which a hint is given."""
PAST = "You are looking at the past: {game.last} returns to the present."
SEAT = "Another Power sits here now: {game.seat_back} until your own name stands in 'What now'."
EARLIER = "The game stands at an earlier Phase: play on, or {tutorial.skip}."
DONE = "Done already; {tutorial.on} goes on."
READ = "{tutorial.on} goes on"
HERE = "▸ "


class TutorialScreen(GameScreen):
    """The game screen with a teacher."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "on", "Go on", id="tutorial.on", tooltip="Read on; while moving, the next group of units"),
        Binding("f8", "step_back", "Step back", id="tutorial.back", tooltip="Read the step before once more"),
        Binding("f9", "skip", "Skip the step", id="tutorial.skip", tooltip="Go on without doing what it asks for"),
    ]

    session: SoloSession

    def __init__(self, session: SoloSession, lesson: Lesson) -> None:
        super().__init__(session)
        self.lesson = lesson
        self.number = 0
        self.seen = Seen(session.version)
        self.over = False
        self._turn_of_rivals = 0
        self._reread = False
        self._hinting = False
        self._begun = False
        self._played: set[str] = set()
        self._names_of_keys: dict[str, str] = {}
        self._told: dict[str, str] = {}

    @property
    def step(self) -> Step:
        """The step on show."""
        return self.lesson.steps[self.number]

    # --- the strip ------------------------------------------------------------------------------------------------

    async def on_mount(self) -> None:
        """Put the strip above the line of keys, and begin when the game screen stands."""
        words_of_it = Vertical(Static(id="lesson-text"), Static(id="lesson-note"), id="lesson-words")
        await self.mount(Horizontal(words_of_it, Static(id="lesson-why"), id="lesson"), before="#hint")
        self.app.screen_change_signal.subscribe(self, self._screen_changed)
        self.call_after_refresh(self._first_step)

    def _first_step(self) -> None:
        self.pane = self.lesson.pane
        self._names_of_keys = self.key_names()
        self._begun = True
        self.begin_step(0)

    def key_names(self) -> dict[str, str]:
        """Every key that a text may name, as this player has it."""
        out = {}
        for owner in (WorldMap, GameScreen, TutorialScreen, type(self.app)):
            for binding in owner.BINDINGS:
                if isinstance(binding, Binding) and binding.id:
                    out[binding.id] = key_words(self.pax.own_keys.get(binding.id, binding.key))
        return out

    def _resized(self, width: int, height: int) -> None:
        super()._resized(width, height)
        self.set_class(width >= 150, "roomy")

    def redraw(self) -> None:
        """The game, then whether the step is done."""
        super().redraw()
        self.look_on()

    def restyle(self) -> None:
        """Other colours, signs or keys."""
        self._names_of_keys = self.key_names()
        super().restyle()

    def figures(self) -> dict[str, str]:
        """Figures that a text may name, as they are at this moment."""
        s, seat = self.session, self.lesson.seat
        power = s.live.powers[seat]
        return {
            "treasury": str(power.treasury),
            "forecast": str(record_sheet.forecast(s.tables, s.live, seat)),
            "tension": str(s.live.tension),
            "points": str(power.victory_points),
        }

    def draw_strip(self) -> None:
        """Draw the strip."""
        look, step = self.look, self.step
        width = self.app.size.width - 3 - (46 if self.app.size.width >= 150 else 0)
        count = len(self.lesson.steps)
        text = prompt(step, self.number + 1, count, self._names_of_keys, self._told, look, width)
        self._put("#lesson-text", text)
        note = self.note_now()
        said = look.text((HERE, look.key)) if note else look.text("")
        said.append_text(words(note, self._names_of_keys, self._told, look))
        self._put("#lesson-note", said)
        rules = load_rules()
        self._put("#lesson-why", behind([rules[r] for r in step.rules if r in rules], look))

    def note_now(self) -> str:
        """What else there is to say: where one is lost, or a hint."""
        s, step = self.session, self.step
        if self._reread:
            return DONE
        if s.seat != self.lesson.seat:
            return SEAT
        if s.at is not None and step.id not in ("past", "present"):
            return PAST
        if step.phase and place_in_turn(s.live.phase, s.live.turn) < place_in_turn(step.phase) and self._hinting:
            return EARLIER if step.id != "dice" else step.hint
        if isinstance(step.done, Read):
            return READ
        return step.hint if self._hinting else ""

    # --- from step to step ------------------------------------------------------------------------------------------

    def begin_step(self, number: int) -> None:
        """Begin a step: the first from `number` on that still makes sense."""
        while number < len(self.lesson.steps) - 1 and passed(self.session, self.lesson.steps[number]):
            number += 1
        self.number = min(number, len(self.lesson.steps) - 1)
        self.seen = Seen(self.session.version)
        self._reread = self._hinting = False
        step = self.step
        if step.acts and step.id not in self._played:
            self._played.add(step.id)
            self.session.play_script(step.acts)
        if step.map:
            self.show = 0
            self.cards = False
            self.remove_class("-side")
            self.map.display = True
            self.set_focus(self.map)
        self._told = self.figures()
        # what the dice said stays until the learner's next key
        self.dice_fresh = self.query_one("#dice").display
        self.redraw()
        if step.line:
            self.call_after_refresh(self._bring_into_sight, step.line)

    def _bring_into_sight(self, line: str) -> None:
        """Scroll the pane to the line that begins so."""
        rows = self._shown["#pane"].plain.splitlines()
        row = next((n for n, text in enumerate(rows) if text.startswith(line)), 0)
        pane = self.query_one("#pane", Page)
        pane.scroll_to(y=max(0, row + 2 - pane.size.height), animate=False)

    def _key_pressed(self) -> None:
        """A key that redraws nothing puts the dice away, too."""
        self.dice_fresh = False
        self.put_dice_away()

    def look_on(self) -> None:
        """Go on when the step is done; draw the strip."""
        if not self._begun or self.over:
            return
        if self.app.screen is self and not self._reread:
            if passed(self.session, self.step) and self.number < len(self.lesson.steps) - 1:
                self.begin_step(self.number + 1)
                return
            if done(self.session, self.step.done, self.seen, self.sight()):
                self.next_step()
                return
        self.draw_strip()

    def next_step(self) -> None:
        """The next step, or the last page."""
        if self.number + 1 < len(self.lesson.steps):
            self.begin_step(self.number + 1)
        else:
            self.draw_strip()
            self.app.push_screen(EndOfTutorial(self.lesson, self.look), self.go_way)

    def sight(self) -> Sight:
        """What is on the screen."""
        hidden = self.has_class("small") and not self.has_class("-side")
        return Sight(self.map.cursor, "" if hidden else self.pane, scene_of.FILTERS[self.show])

    def _screen_changed(self, screen: Screen[Any]) -> None:
        """Another screen has been opened, or the game is back."""
        if screen is self:
            self.look_on()
        else:
            self._key_pressed()
            self.seen.opened.add(type(screen).__name__)

    @on(WorldMap.Selected)
    def _walked(self) -> None:
        self.seen.moves += 1
        self._hinting = self._hinting or self.seen.moves >= PATIENCE
        self.look_on()

    def act(self, text: str) -> bool:
        """Give an order; one that is not what the step asks for is answered by a hint."""
        number = self.number
        accepted = super().act(text)
        if not accepted:
            self.seen.refused.update(self.refused)
        if number == self.number:
            self._hinting = True
        self.look_on()
        return accepted

    def _seat_after_act(self) -> None:
        """The learner keeps the seat; the rivals go on when there is nothing to wait for."""
        events = self.session.rivals_go_on()
        if events:
            self.report(events)
        self._rivals_move()

    def _rivals_move(self) -> None:
        """After the tutorial the rivals move in earnest: first, once in each Movement/Status Change Phase."""
        live = self.session.live
        if self.over and live.phase == "movement" and live.turn > self._turn_of_rivals:
            self._turn_of_rivals = live.turn
            self.session.rivals_move()

    # --- keys -----------------------------------------------------------------------------------------------------

    def action_on(self) -> None:
        """Read on; while units are being moved, the next group."""
        if self.mode == "move" or self.over:
            self.action_group()
            return
        self._key_pressed()
        if self._reread or isinstance(self.step.done, Read):
            self.next_step()
        else:
            self._hinting = True
            self.draw_strip()

    def action_skip(self) -> None:
        """Go on without doing what the step asks for."""
        self._key_pressed()
        if not self.over:
            self.next_step()

    def action_step_back(self) -> None:
        """Read the step before."""
        self._key_pressed()
        if self.number and not self.over:
            self.number -= 1
            self._reread = True
            self._told = self.figures()
            self.draw_strip()

    # --- the end ----------------------------------------------------------------------------------------------------

    def go_way(self, way: str | None) -> None:
        """Go the way that was chosen on the last page; none stays where one is."""
        from paxtui.tui.front.start import NewGameScreen, StartScreen

        if way == "on":
            self.over = True
            self.query_one("#lesson").display = False
            self._rivals_move()
            self.redraw()
        elif way == "rules":
            self.action_rules()
        elif way == "again":
            self.session.close()
            self.app.switch_screen(new_tutorial(self.pax.tables_dir))
        elif way == "new":
            self.session.close()
            self.app.switch_screen(StartScreen())
            self.app.push_screen(NewGameScreen())
        elif way == "leave":
            self.action_leave()


class EndOfTutorial(Overlay[str | None]):
    """The last page: what to try next."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Close", id="ways.close", tooltip="Back to the game of the tutorial"),
    ]

    def __init__(self, lesson: Lesson, look: Look) -> None:
        super().__init__()
        self._lesson, self._look = lesson, look

    def compose(self) -> ComposeResult:
        """What was learned, and the ways on."""
        with Vertical(classes="box"):
            yield Static("Your first turn", classes="title")
            yield Static(self._look.palette.text(self._lesson.farewell.strip()))
            yield Static("")
            yield OptionList(*(Option(way.title, id=way.id) for way in self._lesson.ways), id="ways")
            yield Static("", id="way")
            yield Static("Enter chooses · Esc back to the board", classes="note")

    def on_mount(self) -> None:
        """The first way is under the cursor."""
        rows = self.query_one(OptionList)
        rows.highlighted = 0
        self.set_focus(rows)

    @on(OptionList.OptionHighlighted)
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        way = self._lesson.ways[event.option_index]
        self.query_one("#way", Static).update(self._look.palette.text(way.text))

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_id)

    def action_close(self) -> None:
        """Stay."""
        self.dismiss(None)


def tutorial_path() -> Path:
    """Where the tutorial's game is kept until the next one begins."""
    return save_dir() / "tutorial.jsonl"


def new_tutorial(tables_dir: Path | None = None) -> TutorialScreen:
    """The tutorial at its first step; the game of an earlier one goes.

    Raises: Locked while another program plays it; OSError.
    """
    lesson = load_lesson()
    path = tutorial_path()
    if path.exists():
        # whoever plays it elsewhere keeps it: opening takes the lock
        with suppress(BrokenLog):
            Store.open(path).close()
        path.unlink()
    tables = load_tables(tables_dir)
    table = Table.new(tables, seats_for(SEATS), lesson.seed, {}, path=path, undo="free", tables_dir=tables_dir)
    return TutorialScreen(SoloSession(table, lesson.seat), lesson)
