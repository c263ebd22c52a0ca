"""Undo and redo, and walking through the history of a game."""

from __future__ import annotations

from rich.text import Text
from textual.events import Click
from textual.timer import Timer

from paxtui.games.pax.text.display import phase_name
from paxtui.session.player_news import open_undo_request, undo_request_text
from paxtui.tui.base.dialogs import PickDialog, TextDialog
from paxtui.tui.base.playing import SessionScreen
from paxtui.tui.formatting.timeline import NO_DIFFERENCE, differences, line_at, war_differences
from paxtui.tui.reference_screens.log import LogScreen

COMPARISON_WIDTH = 70
"""Row width in cells of the comparison of two moments, if the screen is wide enough."""
FRAME_CELLS = 12
"""Cells of the box's frame and padding."""


class HistoryControls(SessionScreen[None]):
    """The part of the game screen for history."""

    marked: int = 1
    """The log line marked for comparison."""
    player: Timer | None = None
    """The timer of the playback."""

    def action_undo(self) -> None:
        """Undo the last act; if it belongs to an earlier Phase, say so and name the redo key."""
        s = self.session
        before = s.live
        if not self.tried(s.undo):
            return
        now = s.live
        if (before.turn, before.phase) != (now.turn, now.phase):
            when = f"{s.tables.turns[now.turn - 1].year}, {phase_name(now.phase)}"
            on = self.app.key_of("game.redo", "ctrl+r")
            text = f"Your last act was in {when}, and all that came after it went with it. {on} brings it back."
            self.notify(text, title="Taken back", severity="warning", timeout=10)

    def action_redo(self) -> None:
        """Redo the last undone act."""
        self.tried(self.session.redo)

    def action_undo_here(self) -> None:
        """Undo to the line shown: at once with one keyboard, otherwise with the other players' consent."""
        s, at = self.session, self.session.at
        request = open_undo_request(s)
        if request is not None and at in (None, request.line):
            self._answer_request(request.line)
            return
        if at is None:
            self.notify("Look at an earlier line first: [ goes back.", timeout=4)
            return
        year, phase = s.tables.turns[s.state.turn - 1].year, phase_name(s.state.phase)
        gone, last = s.version - at, s.version

        def done(number: int | None) -> None:
            if number == 0 and self.tried(lambda: s.undo_together(at)):
                back = self.app.key_of("game.redo", "ctrl+r")
                self.notify(f"The game stands as after line {at}. {back} brings back what came later.", timeout=5)
            elif number == 1 and self.tried(lambda: s.undo(at)):
                self._tell_undone(at, last)

        def jump_to(number: int | None) -> None:
            if number == 0 and self.tried(lambda: s.undo(at)):
                s.look_at(None)
                self._tell_undone(at, last)

        lines = (
            "Yes, everybody at this keyboard agrees",
            "Ask the others first",
            "No, I only look at it",
        )
        if not s.shares_keyboard:
            title = f"Take the game back to line {at} ({year}, {phase})? All who have acted since must agree."
            self.app.push_screen(PickDialog(title, ("Ask the others", "No, I only look at it"), 1), jump_to)
            return
        title = f"Take the game back to line {at} ({year}, {phase})? {gone} later line{'s' * (gone > 1)} would go."
        self.app.push_screen(PickDialog(title, lines, 2), done)

    def _tell_undone(self, to: int, last: int) -> None:
        """Report the undo, or that it waits for consent. Args: the target line; the last line before."""
        s, key = self.session, self.app.key_of("game.undo_here", "U")
        request = next((r for r in s.undo_requests() if s.seat in r.seats), None)
        if request is not None and s.version > last and s.lines[-1].kind != "undo":
            text = f"You have asked to go back to line {to}. Nothing has changed yet: the others answer with {key}."
        else:
            text = f"The game stands as after line {to}."
        self.notify(text, timeout=6)

    def _answer_request(self, line: int) -> None:
        """Consent to an undo request, or show its line first."""
        s, last = self.session, self.session.version

        def done(number: int | None) -> None:
            if number == 0 and self.tried(lambda: s.undo(line)):
                s.look_at(None)
                self._tell_undone(line, last)
            elif number == 1:
                s.look_at(line)

        gone = s.version - line
        title = f"{undo_request_text(s)} {gone} later line{'s' * (gone > 1)} would go."
        self.app.push_screen(PickDialog(title, ("Agree", "Look at that line first", "Not now"), 2), done)

    def action_mouse_line(self, line: int) -> None:
        """Show a log line that was clicked."""
        self.session.look_at(line)

    def on_click(self, event: Click) -> None:
        """Show the moment clicked on the timeline."""
        if self.session.at is not None and event.widget is not None and event.widget.id == "hint":
            self.session.look_at(line_at(self.session, self.app.size.width, event.x))

    def action_history(self, step: int) -> None:
        """Step through the log."""
        self.session.look_at(self.session.line + step)

    def here(self) -> str:
        """Return the place under the cursor; "" without a map."""
        return ""

    def action_log(self) -> None:
        """Choose a moment from the whole log."""

        def done(line: int | None) -> None:
            if line is not None:
                self.session.look_at(line)

        self.app.push_screen(LogScreen(self.session, self.here()), done)

    def action_play(self) -> None:
        """Play the log from the line shown; stop if it is playing."""
        if self.player is not None:
            self.stop_playing()
            return
        if self.session.at is None:
            self.session.look_at(1)
        self.player = self.set_interval(1 / self.app.settings.speed, self._play_on)

    def _play_on(self) -> None:
        self.session.look_at(self.session.line + 1)
        if self.session.at is None or self.session.line >= self.session.version:
            self.stop_playing()

    def stop_playing(self) -> None:
        """Stop the playback."""
        if self.player is not None:
            self.player.stop()
            self.player = None

    def action_mark(self) -> None:
        """Mark the moment shown."""
        self.marked = self.session.line
        compare = self.app.key_of("game.compare", "=")
        self.notify(f"Line {self.marked} is marked: {compare} compares another moment with it.", timeout=4)

    def action_compare(self) -> None:
        """Compare the marked moment with the one shown."""
        s = self.session
        before, after = sorted((self.marked, s.line))
        then, now = (s.position(line) for line in (before, after))
        text = differences(s.tables, then, now, self.look)
        wars = war_differences(s, before, after, self.look, min(COMPARISON_WIDTH, self.app.size.width - FRAME_CELLS))
        if wars:
            text = Text() if text.plain == NO_DIFFERENCE else text
            text.append_text(wars)
        self.app.push_screen(TextDialog(f"line {before} and line {after}", text))

    def action_turn(self, step: int) -> None:
        """Step through the log by turns."""
        turns = [e.line for e in self.session.log() if e.kind == "TurnBegan"]
        marks = sorted({1, *turns, self.session.version})
        here = self.session.line
        later = [m for m in marks if m > here]
        earlier = [m for m in marks if m < here]
        self.session.look_at((later[0] if later else None) if step > 0 else (earlier[-1] if earlier else 1))
