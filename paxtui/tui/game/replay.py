"""The replay screen: the game screen on a read-only log, with chapters, viewpoints and notes."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace
from rich.text import Text
from textual.binding import BindingType

from paxtui.engine.refusal import Refusal
from paxtui.session.replay import ReplaySession
from paxtui.session.session import SessionChange
from paxtui.tui.base.dialogs import InputDialog, PickDialog
from paxtui.tui.base.keymap import bind
from paxtui.tui.base.screen import TextPanel, next_in_circle
from paxtui.tui.formatting.timeline import Chapter, chapters
from paxtui.tui.game.controller import Controller
from paxtui.tui.game.screen import GameScreen

SPEEDS = (1, 2, 4, 8, 16)
"""Lines per second, by setting."""
CHANCES, SMALL_CHANCES = 6, 3
"""Rows of the chances to win."""
CHANGES = frozenset(("ready", "all_ready", "undo_here", "occupants"))
"""Actions that are refused at once; the session refuses all others that would change the game."""


class ReplayScreen(GameScreen):
    """The game screen, read-only."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("replay.play", "p,space", "history('play')", "Play", "Play to the next chapter; press again to stop"),
        bind("replay.slower", "minus", "speed(-1)", "Slower", "Play slower"),
        bind("replay.faster", "plus", "speed(1)", "Faster", "Play faster"),
        bind("replay.chapters", "c", "chapters", "Chapters", "Turns, Congresses, breaches, wars, notes"),
        bind("replay.eyes", "s", "eyes(1)", "Next view", "Show the view of the public, a seat, or everybody"),
        bind("replay.eyes_back", "S", "eyes(-1)", "Previous view", "Show the previous view"),
        bind("replay.study", "y", "study", "Study", "Study: comments, marks and branches; stored beside the log"),
        bind("replay.chances", "I", "chances", "Chances", "Show the chances of winning below the timeline"),
        bind("replay.note", "N", "note", "Note", "Write a note on this line; stored beside the log"),
    ]

    SHOWS_REPORTS = False
    session: ReplaySession

    def __init__(self, session: ReplaySession) -> None:
        super().__init__(session)
        self._chapters: tuple[str, list[Chapter]] = ("", [])
        self._noted = 0
        self._chances, self._shows_chances = TextPanel(id="chances"), False

    def on_mount(self) -> None:
        super().on_mount()
        self.mount(self._chances, after=self.view.hint)

    def topics(self) -> tuple[str, ...]:
        return ("replay", *super().topics())

    # --- chapters -------------------------------------------------------------------------------------------------

    def chapters(self) -> list[Chapter]:
        """Return the chapters visible from the current viewpoint."""
        if self._chapters[0] != self.session.view.viewpoint:
            self._chapters = self.session.view.viewpoint, chapters(self.session)
        return self._chapters[1]

    def action_chapters(self) -> None:
        number_of = self.session.view.number_of
        notes = [Chapter(number_of(n), f"  Note: {note}", False) for n, note in self.session.notes.items()]
        all_ = sorted([Chapter(1, "The start"), *self.chapters(), *notes], key=lambda chapter: chapter.line)
        here = max((n for n, chapter in enumerate(all_) if chapter.line <= self.session.line), default=0)
        dialog = PickDialog("Chapters", [chapter.title for chapter in all_], here)
        self.app.ask(dialog, lambda number: self.session.look_at(all_[number].line))

    def line_played(self) -> None:
        here = next((c for c in self.chapters() if c.stops and c.line == self.session.line), None)
        if here is not None and self.history.is_playing:
            self.history.stop_playing()
            self.notify(f"{here.title.strip()}. {self.app.key_of('replay.play', 'p')} plays on.", timeout=4)

    def action_speed(self, step: int) -> None:
        speed = self.app.settings.speed
        at = SPEEDS.index(speed) if speed in SPEEDS else 2
        speed = SPEEDS[max(0, min(len(SPEEDS) - 1, at + step))]
        self.app.settings = replace(self.app.settings, speed=speed)
        if self.history.is_playing:
            self.history.stop_playing()
            self.history.action_play()
        self.notify(f"{speed} line{'s' * (speed > 1)} a second.", timeout=2)

    # --- the chances to win ----------------------------------------------------------------------------------------

    def action_chances(self) -> None:
        self._shows_chances = self._chances.display = not self._shows_chances
        self._draw_chances()

    def drawn(self) -> None:
        super().drawn()
        self._draw_chances()

    def _draw_chances(self) -> None:
        if self._shows_chances:
            from paxtui.tui.formatting.review import chances_strip

            rows = SMALL_CHANCES if self.has_class("small") else CHANCES
            strip = chances_strip(self.session, self.review.review, self.look, self.app.size.width, rows)
            self._chances.show(Text("\n").join(strip))

    # --- viewpoints and notes ----------------------------------------------------------------------------------

    def action_eyes(self, step: int) -> None:
        self.history.stop_playing()
        self.session.set_viewpoint(next_in_circle(self.session.viewpoints, self.session.view.viewpoint, step))

    def action_note(self) -> None:
        def done(text: str) -> None:
            try:
                path = self.session.save_note(text)
            except OSError as error:
                self.notify(f"The note could not be saved: {error}", severity="error", timeout=8)
            else:
                self.notify(f"Saved in {path.name}." if text else "The note is deleted.", timeout=4)

        title = f"A note on line {self.session.line}"
        self.app.ask(InputDialog(title, self.session.note_at_line()), done)

    def session_changed(self, change: SessionChange) -> None:
        """Show the note of the line, if it has one."""
        super().session_changed(change)
        note, line = self.session.note_at_line(), self.session.line
        if note and line != self._noted:
            self.notify(note, title=f"Your note on line {line}", timeout=4)
        self._noted = line

    # --- read-only ----------------------------------------------------------------------------------------------

    def perform(self, controller: Controller, action: str, arguments: tuple[object, ...]) -> object:
        """Perform an action of a controller; refuse those that would change the game."""
        if action not in CHANGES:
            return super().perform(controller, action, arguments)
        self.tell(Refusal("replay", (), "This is a replay: it is read-only."))
        return None
