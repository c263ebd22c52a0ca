"""Seats at one keyboard: who acts, who is ready, and the screens of a seat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import getters

from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import SeatOccupant, occupant_label
from paxtui.games.pax.actions import actions
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.menus.treaties import congress_calls
from paxtui.games.pax.narration.narrator import ReportPage
from paxtui.games.pax.preview import peace
from paxtui.games.pax.reports.changes import CHANGES_TITLE, is_about_seat
from paxtui.games.pax.sequence import OPEN
from paxtui.games.pax.state.questions import CongressQuestion
from paxtui.games.pax.text.display import phase_name, power_name, sentence
from paxtui.session.local_session import Session, SessionChange
from paxtui.session.place_menu import preview_for_seat
from paxtui.session.player_news import NewsTracker, pending_tasks
from paxtui.tui.base.dialogs import ConfirmDialog, PickDialog
from paxtui.tui.dialogs.reports import CombatResultDialog, ReportScreen
from paxtui.tui.dialogs.seats import SeatsDialog
from paxtui.tui.formatting.reports import effect_sentences
from paxtui.tui.game import lazy_screens
from paxtui.tui.game.bots import BotControls
from paxtui.tui.reference_screens.record import RecordScreen
from paxtui.tui.reference_screens.reference import GlossaryScreen, RulesScreen
from paxtui.tui.widgets.dice_panel import DicePanel, dice_panel, dice_text


class SeatControls(BotControls):
    """The part of the game screen for seats: after an act, the next seat that must act takes over."""

    dice = getters.query_one("#dice", DicePanel)

    MOST = 4
    """Number of pending tasks named before readiness."""
    BRIEFS: ClassVar[bool] = True
    """Whether report pages open automatically."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.news = NewsTracker(session)
        self.laid_for = session.seat
        self._moment = session.live.phase, session.live.turn
        self._before = self._live = session.live  # the positions before and after the last change
        self._together = False  # all seats are being made ready: no handover in between
        self._new = False  # another seat or Phase since the last warning before readiness
        self._passes_on = False  # the seat passes in War until something concerns it
        self._has_fought = False  # the seat fought since its last report, which covers it
        self._read_at = 0  # key count when a report was closed
        self._over = session.live.result is not None
        self._reminders: set[tuple[str, tuple[str, int], str]] = set()

    def session_changed(self, change: SessionChange) -> None:
        """After an act, hand over to the next seat or report the results to this one.

        If bots continue, the report waits until they are done and covers all of it.
        """
        if change.more:
            self.watch_bots()
            return
        if self.session.bots_at_work and self.session.seat == self.laid_for:
            return  # another moment is shown: the report follows when the bots are done
        before, sat = self._moment, self.laid_for
        if change.events:
            self._before, self._live = self._live, self.session.live
        self._moment = self.session.live.phase, self.session.live.turn
        self._new = self._new or self._moment != before or self.session.seat != self.laid_for
        acted = bool(change.events or (change.order and change.refusal is None))
        self._has_fought = self._has_fought or self._own_fights(change.events)
        fights = any(isinstance(event, ev.ColonialCombat | ev.BattleFought) for event in change.events)
        ends = fights and (self.after or self._moment != before)
        if (
            ends
            and change.order
            and self.BRIEFS
            and not self._together
            and self._show_combat_result(change.events, before)
        ):
            return
        if acted and not self._together:
            self.pass_on()
        self._keep_passing(change.events)
        self._seats_changed()
        if acted and not self._together:
            self._close_game()
            told = sat == self.laid_for and self._seen_done(before)
            if not told and (not change.order or self._moment != before or fights):
                self.report(change.events)

    def _show_combat_result(self, events: Sequence[ev.Event], before: tuple[str, int]) -> bool:
        """Show the result of a fight before the seat or the Phase changes. Return whether there is one.

        Args: the events; Phase and Game Turn before them.
        """
        if self.app.settings.dice != "panel" or not self._own_fights(events):
            return False
        said = dice_text(self.session, self.look, events, self._before)
        sat, after = self.session.seat, self.after
        self._passes_on = False

        def seen(_: None) -> None:
            self.pass_on()
            self._seats_changed()
            if self.laid_for == sat:
                self._seen_done(before)

        self.app.push_screen(CombatResultDialog(said, power_name(self.session.tables, after) if after else ""), seen)
        return True

    def _keep_passing(self, events: Sequence[ev.Event]) -> None:
        """Pass again for a seat that passes until something concerns it, or stop and say why."""
        s = self.session
        if not self._passes_on or not events:
            return
        mine = s.my_powers()
        concerning = [e for e in events if is_about_seat(s.narrator, e, s.seat, mine) and s.narrator.tell(e)]
        asked = any(choice.seat == s.seat for choice in s.live.choices)
        if s.live.phase != "war" or s.live.result is not None or concerning or asked or s.seat != self.laid_for:
            self._passes_on = False
            why = sentence(s.narrator.tell(concerning[-1])) if concerning else ""
            if s.live.phase == "war" and s.live.result is None:
                self.notify(f"{why} You decide again.".strip(), title="You no longer pass", timeout=8)
        elif s.seat in s.waiting():
            self.call_next(self._pass_again)

    def _pass_again(self) -> None:
        """Pass in War automatically."""
        s = self.session
        if self._passes_on and s.live.phase == "war" and s.seat in s.waiting() and not s.bots_at_work:
            self.act(actions.Ready(), told=s.war_warnings(actions.Ready()))

    def _own_fights(self, events: Sequence[ev.Event]) -> bool:
        """Return whether a Power of the seat fights in the events, with a die roll."""
        mine = set(self.session.my_powers())
        colonial = any(mine & set(e.powers) and e.die for e in events if isinstance(e, ev.ColonialCombat))
        return colonial or any(mine & {*e.attackers, *e.defenders} for e in events if isinstance(e, ev.BattleFought))

    def _seats_changed(self) -> None:
        """Hand over if the seat has changed; not while all seats are being made ready."""
        before, now = self.laid_for, self.session.seat
        if before != now and not self._together:
            self.laid_for = now
            self.change_seats(before)

    def greet_player(self) -> bool:
        """Show the reports of the seat after the handover."""
        return self.brief()

    def report(self, events: Sequence[ev.Event]) -> None:
        """Show die rolls in a small panel until the next key; the log keeps them."""
        shown = self.app.settings.dice == "panel"
        self.dice.report(dice_panel(self.session, self.look, events, self._before) if shown else None)

    # --- what has happened ----------------------------------------------------------------------------------------

    def _seen_done(self, before: tuple[str, int]) -> bool:
        """After an act of the same seat: show reports if a Phase ended, else mark the act as seen."""
        if self._moment != before:
            return self.brief()
        self.enter_hall()
        if not self._has_fought:
            self.news.heard(self.session)
        return False

    def _close_game(self) -> None:
        """At the end of the game, show the charts below the last report."""
        over = self.session.live.result is not None
        if over and not self._over and self.BRIEFS:
            self.app.push_screen(lazy_screens.closing_screen(self.session))
        self._over = over

    def brief(self) -> bool:
        """Show the seat's unread reports, with the Congress behind them; return whether there are any."""
        self.enter_hall()
        wanted = self.app.settings.reports
        if not self.BRIEFS or wanted == "none" or self.session.at is not None:
            return False
        self._has_fought = False
        pages = [page for page in self.news.unread(self.session) if wanted == "all" or page.title != CHANGES_TITLE]
        if pages:
            self.read(pages)
        return bool(pages)

    def read(self, pages: Sequence[ReportPage]) -> None:
        """Show report pages; their lines link to places on the map. Close a finished Congress."""
        if self.app.screen is not self and getattr(self.app.screen, "is_over", False):
            self.app.pop_screen()
        name = power_name(self.session.tables, self.session.seat)

        def closed(place: str | None) -> None:
            self._read_at = self.app.keyboard.heard
            self.go_to(place)

        self.app.push_screen(ReportScreen(self.session.tables, pages, name), closed)

    @property
    def is_repeated_close(self) -> bool:
        """Return whether the current key repeats the one that closed a report."""
        keyboard = self.app.keyboard
        return keyboard.repeated and keyboard.heard == self._read_at + 1

    def action_since(self) -> None:
        """Show what happened since the seat's last report or act, and the start of the Game Turn."""
        pages = self.news.again(self.session)
        if pages:
            self.read(pages)
        else:
            self.notify("Nothing has happened since you last acted.", timeout=4)

    def enter_hall(self) -> None:
        """Open the Congress when it waits for the seat, unless a dialog is open."""
        s = self.session
        if s.at is None and self.app.screen is self and s.live.congress is not None and _has_congress_question(s):
            self.app.push_screen(lazy_screens.congress_screen(s))

    # --- current seat -------------------------------------------------------------------------------------------

    def action_seat(self, step: int) -> None:
        """Switch to another seat."""
        here, seat = self.session.seats_here(), self.session.seat
        if here and here != (seat,):
            self.session.take_seat(here[(here.index(seat) + step) % len(here) if seat in here else 0])
        else:
            self.notify("Nobody else sits at this keyboard.", timeout=4)

    def action_mouse_seat(self, seat: str) -> None:
        """Switch to a clicked seat."""
        if self.session.occupant(seat).is_automatic:
            name = power_name(self.session.tables, seat)
            self.notify(f"{name}: {occupant_label(self.session.occupant(seat))}. The table moves it.", timeout=4)
        else:
            self.session.take_seat(seat)

    def action_sitters(self) -> None:
        """Assign players, bots or nobody to the seats."""

        def done(changed: dict[str, SeatOccupant] | None) -> None:
            if changed:
                self.tried(lambda: self.session.seat_players(changed))

        self.app.push_screen(SeatsDialog(self.session), done)

    def action_other_power(self) -> None:
        """Switch to the other Power of the seat."""
        mine = self.session.my_powers()
        at = mine.index(self.session.power) if self.session.power in mine else 0
        self.session.take_power(mine[(at + 1) % len(mine)])

    # --- ready --------------------------------------------------------------------------------------------------

    @property
    def can_advance(self) -> bool:
        """Return whether no seat must act, so that automatic steps can be played."""
        return not self.session.waiting() and self.session.live.result is None

    def action_ready(self) -> None:
        """Mark the seat ready, or take it back."""
        live = self.session.live
        if self.can_advance or self.session.before_begin:
            self.tried(self.session.advance)
        elif self.session.seat in live.ready:
            self.act(actions.Unready())
        else:
            # costs in War are among the mandatory tasks and reported there
            order = actions.Ready()
            self._confirm_ready(lambda: self.act(order, told=self.session.war_warnings(order)))

    def _confirm_ready(self, be_ready: Callable[[], object]) -> None:
        """Mark the seat ready; ask first if tasks are pending or the key may have been meant for another seat.

        A repeated or held key ends only what it was pressed for.
        """
        phase, told = phase_name(self.session.live.phase), self.unmentioned_tasks()
        if self._new and self.app.keyboard.repeated:
            who = power_name(self.session.tables, self.session.seat)
            told.append(f"{who} has done nothing yet in the {phase} Phase.")
        if self.app.settings.confirm_ready and self._ends_phase():
            told.append(f"That ends the {phase} Phase.")
        self._new = False
        if not told:
            be_ready()
            return

        def answered(yes: bool | None) -> None:
            if yes:
                be_ready()

        self.app.push_screen(ConfirmDialog("Ready?", "\n".join(told), "is ready"), answered)

    def _ends_phase(self) -> bool:
        """Return whether the current seat is the last that must act."""
        return self.session.live.phase in OPEN and self.session.waiting() == (self.session.seat,)

    def unmentioned_tasks(self) -> list[str]:
        """Return pending tasks not yet named in a warning; each is named once."""
        s = self.session
        waits = pending_tasks(s)
        fresh = [must for must in waits if (s.seat, self._moment, must.text) not in self._reminders]
        if not fresh or not (self.BRIEFS and self.app.settings.remind):
            return []
        if waits[0].bars:
            return []  # it cannot be ready; the refusal says why
        self._reminders |= {(s.seat, self._moment, must.text) for must in fresh}
        lines = [f"! {must.text}" for must in fresh[: self.MOST]]
        return lines + ([f"and {len(fresh) - self.MOST} more"] if len(fresh) > self.MOST else [])

    def action_all_ready(self) -> None:
        """Mark every seat ready, up to the first with a decision; switch to that one."""
        if self.can_advance:
            self.tried(self.session.advance)
            return
        if self.session.live.phase == "war" and not self.shared:
            self._confirm_ready(self._pass_on_in_war)
            return
        self._confirm_ready(self._all_ready)

    def _pass_on_in_war(self) -> None:
        """Pass in War until something concerns the seat."""
        self._passes_on = True
        order = actions.Ready()
        if not self.act(order, told=self.session.war_warnings(order)):
            self._passes_on = False

    def _all_ready(self) -> None:
        first, begun = self._moment, self.session.seat
        self._together = True
        stopped = False
        for seat in self.session.waiting():
            if self._moment != first:
                break
            self.session.take_seat(seat)
            stopped = seat != begun and bool(self.unmentioned_tasks())
            if stopped or not self.act(actions.Ready()):
                break
        self._together = False
        if not stopped:
            self.pass_on()
        if self.laid_for != self.session.seat:
            self._passing = True
            self._seats_changed()
            self._passing = False
        elif self._moment != first or stopped:
            self._close_game()
            self.brief()

    # --- screens of the seat ------------------------------------------------------------------------------------

    def action_treaties(self, chosen: str = "") -> None:
        """Open the treaties of the seat, optionally with one selected by id."""
        self.app.push_screen(lazy_screens.treaties_screen(self.session, chosen))

    def action_peace(self) -> None:
        """Open the peace offers to the seat; without any, draft one."""
        s = self.session
        at_war = ((p, war) for p in s.my_powers() for war in peace.wars_to_end(s.tables, s.live, p))
        power, war = next(at_war, ("", None))
        if war is None:
            self.notify("You fight no War that an agreement could end. [WEN-036]", timeout=4)
        elif peace.proposed_treaties(s.live, power):
            self.app.push_screen(lazy_screens.peace_offers_screen(s, war, power))
        else:
            self.app.push_screen(lazy_screens.peace_screen(s, war, power))

    def action_congress(self) -> None:
        """Open the Congress; before there is one, propose it."""
        s = self.session
        if s.state.congress is not None:
            self.app.push_screen(lazy_screens.congress_screen(s))
            return
        calls = list(congress_calls(s.tables, s.live, s.seat))
        if not calls:
            self.notify("Only the holder of a Casus Belli may call a Congress, in the Negotiation Phase. [CON-001]")
            return

        def done(number: int | None) -> None:
            if number is not None and self.act(calls[number]):
                ready = self.app.key_of("game.ready", "r")
                said = [entry.text for entry in self.session.log()[-2:]]
                self.notify("\n".join([*said, f"It meets when all are ready ({ready})."]), title="Congress", timeout=8)

        names = [power_name(s.tables, call.site) for call in calls]
        seen = [preview_for_seat(s, call) for call in calls]
        brings = ["" if isinstance(one, Refusal) else effect_sentences(s, self.look, one).plain for one in seen]
        self.app.push_screen(PickDialog("Where shall the Congress of Europe meet?", names, more=brings), done)

    def action_dispatches(self) -> None:
        """Open the dispatches of the seat."""
        self.app.push_screen(lazy_screens.dispatches_screen(self.session))

    def action_talk(self) -> None:
        """Open the chat."""
        if self.session.talks or self.session.talk:
            self.app.push_screen(lazy_screens.chat_screen(self.session))
        else:
            self.notify("Table talk is for tables that are kept for several.", timeout=4)

    def action_sheet(self) -> None:
        """Open the Record Sheet with its arithmetic."""
        self.app.push_screen(RecordScreen(self.session))

    def action_statistics(self) -> None:
        """Open the charts up to the moment shown."""
        self.app.push_screen(lazy_screens.statistics_screen(self.session))

    def action_rules(self) -> None:
        """Open the rule reference."""
        self.app.push_screen(RulesScreen())

    def action_glossary(self) -> None:
        """Open the glossary."""
        self.app.push_screen(GlossaryScreen())


def _has_congress_question(session: Session) -> bool:
    """Return whether a Congress choice is pending for the current seat."""
    mine = (c for c in session.live.choices if c.seat == session.seat)
    return any(isinstance(c.about, CongressQuestion) for c in mine)
