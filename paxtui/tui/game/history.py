"""Undo and redo, and stepping through the history of a game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from textual.timer import Timer

from paxtui.engine.game import Redo, Undo
from paxtui.engine.log import Line
from paxtui.games.pax.text.display import phase_name, power_name, the_powers
from paxtui.session.player_news import open_undo_request, undo_request_text
from paxtui.session.session import AgreedUndo, Session
from paxtui.tui.base.dialogs import PickDialog, TextDialog
from paxtui.tui.base.playing import SessionScreen
from paxtui.tui.formatting.timeline import comparison_width, differences, line_at, war_differences
from paxtui.tui.game.controller import Controller
from paxtui.tui.reference_screens.log import LogScreen
from paxtui.tui.rendering.prepared_screens import ScreenRecipe


class HistoryController(Controller):
    """Undo, redo, the moment shown and the playback.

    Args:
        screen: the game screen.
        cursor: returns the place under the cursor.
        played: called after each line of the playback.
    """

    def __init__(self, screen: SessionScreen[None], cursor: Callable[[], str], played: Callable[[], None]) -> None:
        super().__init__(screen)
        self._cursor, self._played = cursor, played
        self._marked: dict[str, int] = {}  # the line marked for comparison, by seat
        self._playback: Timer | None = None

    # --- undo -----------------------------------------------------------------------------------------------------

    def action_undo(self) -> None:
        """Undo the last act. If it was another seat's, name the seat; if of an earlier Phase, name the redo key."""
        s, key_of = self.session, self.app.key_of
        last = s.seats.last_to_act()
        has_acted = any(line.seat == s.seat for line, _ in s.view.in_force())
        if last and last != s.seat and not has_acted and last in s.seats.here():
            name, back, undo = power_name(s.tables, last), key_of("game.seat_back", "S"), key_of("game.undo", "u")
            hint = f"The last act was {name}'s: {back} returns to that seat, {undo} undoes the act."
            self.notify(f"{power_name(s.tables, s.seat)} has done nothing yet. {hint}")
            return
        before, acts = s.live, [line for line, _ in s.view.in_force()]

        def undone() -> None:
            now, kept = s.live, {line.n for line, _ in s.view.in_force()}
            if (before.turn, before.phase) != (now.turn, now.phase):
                when = f"{s.tables.turns[now.turn - 1].year}, {phase_name(now.phase)}"
                on = self.app.key_of("game.redo", "ctrl+r")
                text = f"Your last act was in {when}. All later acts are undone too. {on} redoes them."
                self.notify(text, title="Undone", severity="warning", timeout=10)
            elif others := _acts_of_others(s, [line for line in acts if line.n not in kept]):
                self.notify(f"{others} undone too. They decide again.", title="Undone", timeout=6)

        self.screen.carry_out(Undo(), undone)

    def action_redo(self) -> None:
        self.screen.carry_out(Redo())

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

        def done(number: int) -> None:
            if number == 0:
                back = self.app.key_of("game.redo", "ctrl+r")
                text = f"The game is now at line {at}. {back} redoes the later lines."
                self.screen.carry_out(AgreedUndo(at), lambda: self.notify(text, timeout=5))
            elif number == 1:
                self._undo_to(at, last)

        title = f"Take the game back to line {at} ({year}, {phase})?"
        if s.seats.is_shared:
            lines = ("Yes, all players at this keyboard agree", "Ask the others first", "No, only look at it")
            self.app.ask(PickDialog(f"{title} {gone} later line{'s' * (gone > 1)} would go.", lines, 2), done)
        else:
            title += " All who have acted since must agree."
            dialog = PickDialog(title, ("Ask the others", "No, only look at it"), 1)
            self.app.ask(dialog, lambda number: self._undo_to(at, last) if number == 0 else None)

    def _undo_to(self, line: int, last: int) -> None:
        """Undo to a line, or ask the others."""

        def undone() -> None:
            self.session.look_at(None)
            self._tell_undone(line, last)

        self.screen.carry_out(Undo(line), undone)

    def _tell_undone(self, to: int, last: int) -> None:
        """Report the undo, or that it waits for consent. Args: the target line; the last line before."""
        s, key = self.session, self.app.key_of("game.undo_here", "U")
        request = next((r for r in s.view.undo_requests() if s.seat in r.seats), None)
        if request is not None and s.version > last and s.view.lines[-1].kind != "undo":
            text = f"You asked the others to go back to line {to}. Nothing has changed yet. They answer with {key}."
        else:
            text = f"The game is now at line {to}."
        self.notify(text, timeout=6)

    def _answer_request(self, line: int) -> None:
        """Consent to an undo request, or show its line first."""
        s, last = self.session, self.session.version

        def done(number: int) -> None:
            if number == 0:
                self._undo_to(line, last)
            elif number == 1:
                s.look_at(line)

        gone = s.version - line
        title = f"{undo_request_text(s)} {gone} later line{'s' * (gone > 1)} would go."
        self.app.ask(PickDialog(title, ("Agree", "Show that line first", "Not now"), 2), done)

    # --- the moment shown -----------------------------------------------------------------------------------------

    def action_click(self, line: int) -> None:
        self.session.look_at(line)

    def click_timeline(self, column: int) -> None:
        """Show the moment at a column of the timeline."""
        if self.session.at is not None:
            self.session.look_at(line_at(self.session, self.app.size.width, column))

    def action_step(self, step: int) -> None:
        self.session.look_at(self.session.line + step)

    def log_recipe(self) -> ScreenRecipe[int | None]:
        """Return how the whole log is shown."""
        make = partial(LogScreen, self.session, self._cursor())
        return ScreenRecipe("log", make, (self.screen.moment, self._cursor()))

    def action_log(self) -> None:
        self.app.ask(self.log_recipe(), self.session.look_at)

    def action_play(self) -> None:
        """Play the log from the line shown; stop if it is playing."""
        if self._playback is not None:
            self.stop_playing()
            return
        if self.session.at is None:
            self.session.look_at(1)
        self._playback = self.screen.set_interval(1 / self.app.settings.speed, self._play_line)

    def _play_line(self) -> None:
        self.session.look_at(self.session.line + 1)
        if self.session.at is None or self.session.line >= self.session.version:
            self.stop_playing()
        self._played()

    @property
    def is_playing(self) -> bool:
        """Return whether the log is being played."""
        return self._playback is not None

    def stop_playing(self) -> None:
        """Stop the playback."""
        if self._playback is not None:
            self._playback.stop()
            self._playback = None

    @property
    def marked(self) -> int:
        """Return the line that the seat has marked for comparison, at first the start of the game."""
        return self._marked.get(self._marking_seat, 1)

    @property
    def _marking_seat(self) -> str:
        return "" if self.session.read_only_label else self.session.seat

    def action_mark(self) -> None:
        self._marked[self._marking_seat] = self.session.line
        compare = self.app.key_of("game.compare", "=")
        self.notify(f"Line {self.marked} is marked: {compare} compares it with another moment.", timeout=4)

    def action_compare(self) -> None:
        s = self.session
        before, after = sorted((self.marked, s.line))
        then, now = (s.view.position(line) for line in (before, after))
        wars = war_differences(s, before, after, self.look, comparison_width(self.app.size.width))
        text = differences(s.tables, then, now, self.look, wars)
        self.app.push_screen(TextDialog(f"line {before} and line {after}", text))

    def action_turn(self, step: int) -> None:
        """Step through the log by turns."""
        turns = [e.line for e in self.session.view.log() if e.kind == "TurnBegan"]
        marks = sorted({1, *turns, self.session.version})
        here = self.session.line
        later = [m for m in marks if m > here]
        earlier = [m for m in marks if m < here]
        self.session.look_at((later[0] if later else None) if step > 0 else (earlier[-1] if earlier else 1))


def _acts_of_others(s: Session, lines: Sequence[Line]) -> str:
    """Count the acts of other seats: "2 later acts of Britain and France are"; "" for none."""
    acts = [line for line in lines if line.seat in s.live.players and line.seat != s.seat]
    if not acts:
        return ""
    who = the_powers(s.tables, list(dict.fromkeys(line.seat for line in acts)))
    return f"{len(acts)} later act{'s' * (len(acts) > 1)} of {who} {'are' if len(acts) > 1 else 'is'}"
