"""Seats at one keyboard: who acts, who is ready, the handover between players, and the reports of each seat.

In games with secrets a privacy screen hides everything during a handover. Otherwise a card, a line above the map or
nothing announces the seat, as set. Keys typed before the announcement was readable are discarded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from time import monotonic

from rich.text import Text

from paxtui.engine.seating import SeatOccupant, occupant_label
from paxtui.games.pax.actions import actions
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.narration.narrator import ReportPage
from paxtui.games.pax.reports.changes import CHANGES_TITLE
from paxtui.games.pax.reports.todo import TREATIES
from paxtui.games.pax.sequence import OPEN
from paxtui.games.pax.state.questions import CongressQuestion
from paxtui.games.pax.text.display import phase_name, power_name
from paxtui.session.ending import game_ending_pages
from paxtui.session.orders_ahead import STAY_READY
from paxtui.session.player_news import NewsTracker, chronicle_pages, pending_tasks, reopened_reason, stays_ready
from paxtui.session.session import Advance, AssignSeats, LeaveOrders, Session, SessionChange
from paxtui.tui.base.dialogs import ConfirmDialog
from paxtui.tui.base.playing import SessionScreen
from paxtui.tui.base.screen import next_in_circle
from paxtui.tui.dialogs.reports import CombatResultDialog, ReportScreen
from paxtui.tui.dialogs.seats import PrivacyScreen, SeatCard, SeatsDialog
from paxtui.tui.formatting.look import truncate
from paxtui.tui.game.bots import BotController
from paxtui.tui.game.controller import Controller
from paxtui.tui.game.review import ReviewController
from paxtui.tui.game.view import SeatScreenState, ViewController
from paxtui.tui.panes.what_now import STAYS_READY
from paxtui.tui.rendering.prepared_screens import ScreenRecipe
from paxtui.tui.widgets.dice_panel import dice_panel, dice_text

REPEAT_S = 1.0
"""Seconds within which a key that closed a report is taken to be repeated by mistake."""
CARD, LINE, NONE = "card", "line", "none"
"""The settings of the announcement of a seat."""
GREETING_SLACK = 8
"""Maximum empty cells at the end of the first row of the greeting."""
MAX_NAMED_TASKS = 3
"""Number of pending tasks named in the greeting."""
MAX_WARNED_TASKS = 4
"""Number of pending tasks named before readiness."""


class SeatController(Controller):
    """The seats of the keyboard: after an act, the next seat that must act takes over.

    Args:
        screen: the game screen.
        view: the view; it keeps the screen state of each seat.
        bots: the bots; they move after an act.
        review: what decided the game.
        shows_reports: whether report pages open automatically.
    """

    def __init__(
        self,
        screen: SessionScreen[None],
        view: ViewController,
        bots: BotController,
        review: ReviewController,
        shows_reports: bool,
    ) -> None:
        super().__init__(screen)
        self._view, self._bots, self._review, self._shows_reports = view, bots, review, shows_reports
        session = self.session
        self.shown_seat = session.seat
        self._news = NewsTracker(session)
        self._states: dict[str, SeatScreenState] = {}
        self._is_passing_on = False
        self._phase = session.live.phase, session.live.turn
        self._before = self._live = session.live  # the positions before and after the last change
        self._is_readying_all = False  # no handover in between
        self._is_new = False  # another seat or Phase since the last warning before readiness
        self._unseen_key = 0  # the number of the first key that could be meant for the Phase that has begun
        self._has_fought = False  # the seat fought since its last report, which covers it
        self._closed_report_at = 0  # key count when a report was closed
        self._closed_report_time = 0.0
        self._is_over = session.live.result is not None
        self._reminders: set[tuple[int, str, str, str]] = set()

    def session_changed(self, change: SessionChange) -> None:
        """After an act, hand over to the next seat or report the results to this one.

        If bots continue, the report waits until they are done and covers all of it.
        """
        if change.more:
            self._bots.run()
            return
        if self.session.bots.is_at_work and self.session.seat == self.shown_seat:
            return  # another moment is shown: the report follows when the bots are done
        before, sat = self._phase, self.shown_seat
        if change.events:
            self._before, self._live = self._live, self.session.live
        self._phase = self.session.live.phase, self.session.live.turn
        self._is_new = self._is_new or self._phase != before or self.session.seat != self.shown_seat
        if self._phase != before:
            self.expect_key()
        acted = bool(change.events or (change.order and change.refusal is None))
        self._has_fought = self._has_fought or self._own_fights(change.events)
        fights = any(isinstance(event, ev.ColonialCombat | ev.BattleFought) for event in change.events)
        ends = fights and (self.after or self._phase != before)
        has_report = ends and change.order and self._shows_reports and not self._is_readying_all
        if has_report and self._show_combat_result(change.events, before):
            return
        if acted and not self._is_readying_all:
            self._pass_on()
        self._seats_changed()
        if acted and not self._is_readying_all:
            self._close_game()
            is_reported = sat == self.shown_seat and self._seen_done(before, change.events)
            if not is_reported and (not change.order or self._phase != before or fights):
                self.report_dice(change.events)

    def _show_combat_result(self, events: Sequence[ev.Event], before: tuple[str, int]) -> bool:
        """Show the result of a fight before the seat or the Phase changes. Return whether there is one.

        Args: the events; Phase and Game Turn before them.
        """
        if self.app.settings.dice != "panel" or not self._own_fights(events):
            return False
        text = dice_text(self.session, self.look, events, self._before)
        sat, after = self.session.seat, self.after

        def seen(_: None) -> None:
            self.expect_key()
            self._pass_on()
            self._seats_changed()
            if self.shown_seat == sat:
                self._seen_done(before, events)

        self.app.push_screen(CombatResultDialog(text, power_name(self.session.tables, after) if after else ""), seen)
        return True

    def _own_fights(self, events: Sequence[ev.Event]) -> bool:
        """Return whether a Power of the seat fights in the events, with a die roll."""
        mine = set(self.session.powers())
        colonial = any(mine & set(e.powers) and e.die for e in events if isinstance(e, ev.ColonialCombat))
        return colonial or any(mine & {*e.attackers, *e.defenders} for e in events if isinstance(e, ev.BattleFought))

    def _seats_changed(self) -> None:
        """Hand over if the seat has changed; not while all seats are being made ready."""
        before, now = self.shown_seat, self.session.seat
        if before != now and not self._is_readying_all:
            self.shown_seat = now
            if not self.session.read_only_label:
                self._change_seats(before)

    def report_dice(self, events: Sequence[ev.Event]) -> None:
        """Show die rolls in a small panel until the next key; the log keeps them."""
        shown = self.app.settings.dice == "panel"
        self._view.dice.report(dice_panel(self.session, self.look, events, self._before) if shown else None)

    # --- what has happened ----------------------------------------------------------------------------------------

    def _seen_done(self, before: tuple[str, int], events: Sequence[ev.Event]) -> bool:
        """After an act of the same seat: show reports if a Phase ended or others acted after it was ready.

        Otherwise mark what happened as seen.
        """
        seat, is_ready = self.session.seat, self.session.seat in self.session.live.ready
        reacted = any(isinstance(event, ev.ReadyCleared) and seat in event.seats for event in events)
        if self._phase != before or (reacted and not is_ready):
            return self.show_reports()
        self.open_pending_congress()
        if not self._has_fought:
            self._news.mark_read(self.session)
        return False

    def _close_game(self) -> None:
        """At the end of the game, show how it was decided below the last report, and the charts below that."""
        over = self.session.live.result is not None
        if over and not self._is_over and self._shows_reports:
            from paxtui.tui.reference_screens.statistics import ClosingScreen

            self.app.push_screen(ClosingScreen(self.session))
            self._push_pages(self._ending_pages())
        self._is_over = over

    def _ending_pages(self) -> tuple[ReportPage, ...]:
        """Return the pages of a finished game, with the turning points of its review; none before its end."""
        if self.session.live.result is None:
            return ()
        return game_ending_pages(self.session, self._review.turning_point_lines())

    def show_reports(self) -> bool:
        """Show the seat's unread reports, with the Congress behind them; return whether there are any."""
        self.open_pending_congress()
        wanted = self.app.settings.reports
        if not self.session.seats.here() and self.session.bots.runs_here:  # a watched game: nobody has missed anything
            self._news.mark_read(self.session)
            return False
        if not self._shows_reports or wanted == "none" or self.session.at is not None:
            return False
        self._has_fought = False
        pages = [page for page in self._news.unread(self.session) if wanted == "all" or page.title != CHANGES_TITLE]
        if pages:
            self._show_pages(pages)
        return bool(pages)

    def _show_pages(self, pages: Sequence[ReportPage]) -> None:
        """Show report pages. Close a finished Congress."""
        if not self.is_in_front and getattr(self.app.screen, "is_over", False):
            self.app.pop_screen()
        self._push_pages(pages)

    def _push_pages(
        self, pages: Sequence[ReportPage], first: int = 0, again: tuple[str, str] = ("game.since", "w")
    ) -> None:
        """Show pages from `first` on; their lines link to the map, and a key (`again`) shows them again."""
        if not pages:
            return
        name = power_name(self.session.tables, self.session.seat) if self.session.seats.here() else ""
        report = ReportScreen(self.session.tables, pages, name, first, again)

        def closed(place: str | None) -> None:
            self._closed_report_at, self._closed_report_time = self.app.keyboard.heard, monotonic()
            self._view.go_to(place)
            if report.is_advice_requested:
                self.app.call_later(self.screen.run_action, "orders('advice')")

        self.app.push_screen(report, closed)

    @property
    def has_repeated_close(self) -> bool:
        """Return whether the current key quickly repeats the one that closed a report."""
        keyboard = self.app.keyboard
        is_quick = monotonic() - self._closed_report_time < REPEAT_S
        return keyboard.repeated and keyboard.heard == self._closed_report_at + 1 and is_quick

    def action_since(self) -> None:
        """Show what happened since the seat's last report or act, and the start of the Game Turn.

        At the end of a game, first show how it was decided.
        """
        pages = [*self._ending_pages(), *self._news.again(self.session)]
        if pages:
            self._show_pages(pages)
        else:
            self.notify("Nothing has happened since you last acted.", timeout=4)

    def action_chronicle(self) -> None:
        """Show the game as a newspaper, opened at the latest page."""
        pages = list(chronicle_pages(self.session.view).values())
        if pages:
            self._push_pages(pages, len(pages) - 1, ("game.chronicle", "E"))
        else:
            self.notify("The chronicle begins with the first Game Turn.", timeout=4)

    def open_pending_congress(self) -> None:
        """Open the Congress when it waits for the seat, unless a dialog is open."""
        s = self.session
        if s.at is None and self.is_in_front and s.live.congress is not None and _has_congress_question(s):
            from paxtui.tui.diplomacy.congress import CongressScreen

            self.app.push_screen(CongressScreen(s))

    # --- handover ----------------------------------------------------------------------------------------------------

    @property
    def is_shared(self) -> bool:
        """Return whether several players share this keyboard. A replay has no handover."""
        return len(self.session.seats.here()) > 1 and not self.session.read_only_label

    def open(self) -> None:
        """Open a game; one with secrets opens on the privacy screen."""
        if self.is_shared and self.session.seats.has_secrets:
            self._show_privacy_screen(False)
        else:
            self.show_reports()

    @property
    def after(self) -> str:
        """Return the next local seat if the current one is done; "" if there is none."""
        due = self.session.waiting()
        return self.session.seats.next_to_act(self.session.seat) if due and self.session.seat not in due else ""

    def _pass_on(self) -> None:
        """Switch to the next local seat with pending tasks if the current one is done."""
        after = self.after
        if after and not self.session.read_only_label:
            self.app.ring()
            self._is_passing_on = True
            self.session.take_seat(after)
            self._is_passing_on = False

    def _change_seats(self, before: str) -> None:
        """Switch the screen to another seat: close dialogs and messages, save the previous seat's screen state."""
        self._states[before] = self._view.capture_state()
        while isinstance(self.app.screen, SessionScreen) and not (self.is_in_front or self.app.screen.STAYS):
            self.app.pop_screen()
        self.app.clear_notifications()
        self.session.refusal = None
        self._view.hide_greeting()
        self._view.restore_state(self._states.get(self.session.seat) or self._view.initial_state())
        if self.is_shared and self.session.seats.has_secrets:
            self._show_privacy_screen(self._is_passing_on)
        elif self.is_shared and self._is_passing_on and self.app.settings.handover == CARD:
            self._show_seat_card(tells=True)
        else:
            # the line above the map is hidden in the Congress screen, where one key casts a ballot
            in_sight = self.is_in_front
            self._announce_seat(self._is_passing_on)
            is_reported = self.show_reports()
            is_seen = in_sight or is_reported
            if self.is_shared and self._is_passing_on and not is_seen and self.app.settings.handover == LINE:
                self._show_seat_card()

    def _show_seat_card(self, tells: bool = False) -> None:
        """Announce the seat by a card. `tells`: whether reports follow."""

        def sits(_: None) -> None:
            if tells:
                self.show_reports()

        self.app.push_screen(SeatCard(self._seat_name(), self._phase_text(), waiting_tasks(self.session)), sits)

    def _show_privacy_screen(self, passed: bool) -> None:
        """Hide everything until the seat's player confirms. Pending tasks are secret."""

        def lifted(_: None) -> None:
            self._announce_seat(passed)
            self.show_reports()

        self.app.push_screen(PrivacyScreen(self._seat_name()), lifted)

    def _announce_seat(self, passed: bool) -> None:
        """Announce the seat and its tasks in a line above the map until it acts or presses Esc.

        Args: whether the switch was automatic.
        """
        if not (passed and self.is_shared):
            return
        self.app.expect_frame()
        if self.app.settings.handover == NONE and not self.session.seats.has_secrets:
            return
        waits = waiting_tasks(self.session)
        text = f" {self._seat_name()} is at the keyboard · {self._phase_text()} "
        if waits:
            more = f"and {len(waits) - MAX_NAMED_TASKS} more " if len(waits) > MAX_NAMED_TASKS else ""
            text += f"· {'; '.join(waits[:MAX_NAMED_TASKS])} {more}"
        _, ink = self.look.power(self.session.tables, self.session.seat)
        line = truncate(Text(text, f"{ink} reverse"), 2 * self.app.size.width - GREETING_SLACK)
        self._view.show_greeting(line)

    def _seat_name(self) -> str:
        return power_name(self.session.tables, self.session.seat)

    def _phase_text(self) -> str:
        return f"{phase_name(self.session.live.phase)} Phase"

    # --- current seat -------------------------------------------------------------------------------------------

    def action_next(self, step: int) -> None:
        here, seat = self.session.seats.here(), self.session.seat
        if here and here != (seat,):
            self.session.take_seat(next_in_circle(here, seat, step))
        else:
            self.notify("No other player is at this keyboard.", timeout=4)

    def action_click(self, seat: str) -> None:
        if self.session.seats.occupant(seat).is_automatic:
            name, who = power_name(self.session.tables, seat), occupant_label(self.session.seats.occupant(seat))
            self.notify(f"{name}: {who}. The program moves for it.", timeout=4)
        else:
            self.session.take_seat(seat)

    def action_occupants(self) -> None:
        def done(changed: dict[str, SeatOccupant]) -> None:
            if changed:
                self.screen.carry_out(AssignSeats(changed))

        self.app.ask(self.occupants_recipe(), done)

    def occupants_recipe(self) -> ScreenRecipe[dict[str, SeatOccupant] | None]:
        """Return how the occupants of the seats are shown."""
        return ScreenRecipe("occupants", partial(SeatsDialog, self.session), self.screen.moment)

    def action_power(self) -> None:
        self.session.take_power(next_in_circle(self.session.powers(), self.session.power))

    # --- ready --------------------------------------------------------------------------------------------------

    @property
    def can_advance(self) -> bool:
        """Return whether no seat must act, so that automatic steps can be played."""
        return not self.session.waiting() and self.session.live.result is None

    def action_ready(self) -> None:
        """Mark the seat ready, or take it back."""
        live = self.session.live
        if self.can_advance or self.session.begin_notice:
            self.screen.carry_out(Advance())
        elif self.session.seat in live.ready and live.phase in OPEN:
            self.screen.act(actions.Unready())
        elif stays_ready(self.session):
            self._set_stay(False)
        else:
            # costs in War are among the mandatory tasks and reported there
            order = actions.Ready()
            self._confirm_ready(lambda: self.screen.act(order, shown=self.session.war_warnings(order)))

    def _confirm_ready(self, be_ready: Callable[[], object]) -> None:
        """Mark the seat ready; ask first if tasks are pending or the key may have been meant for another seat.

        A repeated or held key, and the first key of a new Phase, end only what they were pressed for.
        """
        phase, warnings = phase_name(self.session.live.phase), self.unmentioned_tasks()
        if self._is_hasty:
            who = power_name(self.session.tables, self.session.seat)
            warnings.append(f"{who} has done nothing yet in the {phase} Phase.")
        live = self.session.live
        if self.app.settings.confirm_ready and live.phase in OPEN and self.session.waiting() == (self.session.seat,):
            warnings.append(f"That ends the {phase} Phase.")
        self._is_new = False
        if not warnings:
            be_ready()
            return
        self.app.ask(ConfirmDialog("Ready?", "\n".join(warnings), "ready"), lambda _: be_ready())

    def expect_key(self) -> None:
        """Note that the next key is the first one after a Phase began or the dice of the last one were shown."""
        self._unseen_key = self.app.keyboard.heard + 1

    @property
    def _is_hasty(self) -> bool:
        """Return whether the current key may have been meant for the Phase before or for another seat."""
        keyboard = self.app.keyboard
        return self._is_new and (keyboard.repeated or keyboard.heard <= self._unseen_key)

    def unmentioned_tasks(self) -> list[str]:
        """Return pending tasks not yet named in a warning; each is named once."""
        s = self.session
        waits = pending_tasks(s)
        # a draft that was named in the Negotiation Phase is not named again in a War of the same turn
        keys = {task: (s.seat, "" if task.where == TREATIES else self._phase[0], task.text) for task in waits}
        fresh = [task for task, key in keys.items() if task.asks and (self._phase[1], *key) not in self._reminders]
        if not fresh or not (self._shows_reports and self.app.settings.remind):
            return []
        if waits[0].bars:
            return []  # it cannot be ready; the refusal says why
        self._reminders |= {(self._phase[1], *keys[task]) for task in fresh}
        lines = [f"! {task.text}" for task in fresh[:MAX_WARNED_TASKS]]
        return lines + ([f"and {len(fresh) - MAX_WARNED_TASKS} more"] if len(fresh) > MAX_WARNED_TASKS else [])

    def action_all_ready(self) -> None:
        """Mark every seat ready, up to the first with a decision; switch to that one.

        A single seat at this keyboard stays ready until something concerns it, in War by passing.
        """
        if self.can_advance:
            self.screen.carry_out(Advance())
            return
        orders = self.session.orders_ahead
        if self.is_shared or orders is None:
            self._confirm_ready(self._all_ready)
        elif orders.stays_ready:
            self._set_stay(False)
        else:
            self._confirm_ready(self._stay_ready)

    def _stay_ready(self) -> None:
        """Mark the seat ready, and let it stay so until something concerns it."""
        order, moment = actions.Ready(), self._phase

        def leave() -> None:
            if (self.session.live.phase, self.session.live.turn) == moment:
                self._set_stay(True)

        if self.session.seat in self.session.live.ready:
            leave()
        else:
            self.screen.act(order, shown=self.session.war_warnings(order), then=leave)

    def _set_stay(self, stays: bool) -> None:
        """Leave the order to stay ready in this Phase, or delete it."""
        orders = self.session.orders_ahead
        if orders is None:
            return

        def done(failure: Exception | None) -> None:
            if failure is not None:
                self.screen.notify_failure(failure)
            elif not self._is_readying_all:
                self.notify(STAYS_READY if stays else "You no longer stay ready.", timeout=4)

        lines = [(line.text, line.standing) for line in orders.lines if not line.stays_ready]
        stay = [(f"{self.session.live.phase}: {STAY_READY}", False)] * stays
        self.session.submit(LeaveOrders(orders.version, (*lines, *stay)), done)

    def _all_ready(self) -> None:
        self._is_readying_all = True
        here = self.session.seats.here()
        self._ready_each([seat for seat in self.session.waiting() if seat in here], self.session.seat, self._phase)

    def _ready_each(self, seats: Sequence[str], begun: str, first: tuple[str, int]) -> None:
        """Mark seats ready, one after the other. Args: the seats; the first seat; Phase and Game Turn at the start."""
        if not seats or self._phase != first:
            self._all_done(first, False)
            return
        self.session.take_seat(seats[0])
        if seats[0] != begun and self.unmentioned_tasks():
            self._all_done(first, True)
            return
        self.screen.act(
            actions.Ready(),
            then=lambda: self._keep_ready(first, lambda: self._ready_each(seats[1:], begun, first)),
            otherwise=lambda: self._all_done(first, False),
        )

    def _keep_ready(self, first: tuple[str, int], then: Callable[[], object]) -> None:
        """Let the seat stay ready if the Phase goes on; in War a seat passes once.

        Args: Phase and Game Turn at the start; what follows.
        """
        if first[0] in OPEN and (self.session.live.phase, self.session.live.turn) == first:
            self._set_stay(True)
        then()

    def _all_done(self, first: tuple[str, int], stopped: bool) -> None:
        """Hand over or report a new Phase. Args: Phase and Game Turn at the start; whether a seat must decide."""
        self._is_readying_all = False
        if not stopped:
            self._pass_on()
        if self.shown_seat != self.session.seat:
            self._is_passing_on = True
            self._seats_changed()
            self._is_passing_on = False
        elif self._phase != first or stopped:
            self._close_game()
            self.show_reports()


def _has_congress_question(session: Session) -> bool:
    """Return whether a Congress choice is pending for the current seat."""
    mine = (c for c in session.live.choices if c.seat == session.seat)
    return any(isinstance(c.about, CongressQuestion) for c in mine)


def waiting_tasks(session: Session) -> Sequence[str]:
    """Return the pending tasks of the current seat, one sentence each; first the reason for a repeated request."""
    again = reopened_reason(session)
    return [*([again] if again else []), *(task.text for task in pending_tasks(session))]
