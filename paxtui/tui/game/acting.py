"""Giving orders from the game screen: menus, readiness, seats, choices, and what is shown of the outcome."""

from __future__ import annotations

from collections.abc import Sequence

from textual import on
from textual.widgets import Static

from paxtui.engine.refusal import Refusal
from paxtui.pax.expansion.garrison_plan import missing
from paxtui.pax.menus.treaty_menu import congress_calls
from paxtui.pax.orders.notation import text_of
from paxtui.pax.sequence import OPEN
from paxtui.pax.state.questions import CongressQuestion
from paxtui.pax.words.spoken import phase_name, power_name
from paxtui.table.place_menu import MOVE, place_menu
from paxtui.tui.game.menus import AreaMenu, ChoiceScreen
from paxtui.tui.game.moving import Moving
from paxtui.tui.map.world_map import WorldMap
from paxtui.tui.panes.dice_panel import dice_panel
from paxtui.tui.player.look import place_line
from paxtui.tui.stage.pick import PickScreen
from paxtui.tui.stage.texts import CurtainScreen


class Acting(Moving):
    """Orders of the game screen."""

    dice_fresh: bool = False
    together: bool = False
    """Whether all seats are being made ready at once: nobody sits down in between."""
    _asked: int = -1
    _warned: tuple[int, str] = (-1, "")

    def act(self, text: str) -> bool:
        """Give an order for the seat at the keyboard; whether it was accepted."""
        s = self.session
        if self._warned != (s.version, text):
            broken = s.warnings(text)
            if broken:
                self._warned = (s.version, text)
                told = "\n".join((*broken, "Once more to do it."))
                self.notify(told, title="A Treaty", severity="warning", timeout=9)
                return False
        before = s.live.phase, s.live.turn
        try:
            events = s.act(text)
        except Refusal as refusal:
            self.tell(refusal)
            return False
        except OSError as error:
            self.notify(f"The log could not be written: {error}. Nothing has changed.", severity="error", timeout=15)
            return False
        except Exception as error:
            # our own mistake must not cost the player the screen: the log holds nothing of this act
            self.notify(f"A mistake of the program, nothing has changed: {error!r}", severity="error", timeout=20)
            return False
        self.history.append(text)
        self.recalled = len(self.history)
        self.refused, self.refusal = (), None
        after = s.live.phase, s.live.turn
        if after != before or any(type(e).__name__ == "ColonialCombat" for e in events):
            self.report(events)
        seat = s.seat
        self._seat_after_act()
        if s.seat == seat:
            self.redraw()
        return True

    def report(self, events: Sequence[object]) -> None:
        """What the dice said, in one small panel until the next key; the log keeps it."""
        text = None
        if self.pax.settings.dice == "panel":
            text = dice_panel(self.session.tables, self.look, events, self.session.power)
        panel = self.query_one("#dice", Static)
        panel.display = text is not None
        if text is not None:
            panel.update(text)
            self.dice_fresh = True

    def put_dice_away(self) -> None:
        """The panel of the dice goes with the first key after it came."""
        if self.dice_fresh:
            self.dice_fresh = False
            return
        panel = self.query_one("#dice", Static)
        if panel.display:
            panel.display = False

    def _seat_after_act(self) -> None:
        """When the seat has nothing more to do, the next one that has sits down."""
        s = self.session
        due = s.waiting()
        if s.seat not in due and due and not self.together:
            self.pax.ring()
            self.sit(s.next_seat(s.seat))

    def sit(self, seat: str) -> None:
        """Another seat sits down; where something is secret, behind a curtain."""
        changed = seat != self.session.seat
        self.session.take_seat(seat)
        wanted = self.pax.settings.curtain
        secret = self.session.has_secrets
        if changed and (wanted == "always" or (wanted == "secret" and secret)):
            # a screen over this one that has just given the order closes first
            self.call_later(self.app.push_screen, CurtainScreen(power_name(self.session.tables, seat)))
            self.call_later(self.redraw)
        else:
            self.redraw()

    def cursor_moved(self) -> None:
        """The cursor stands on another place."""
        self.put_dice_away()
        self.draw_map()
        self.draw_card()

    def rules_here(self) -> tuple[str, ...]:
        """Rules of everything that could be done under the cursor now, allowed or not."""
        found = [rule for item in place_menu(self.session, self.map.cursor) for rule in item.rules]
        return tuple(dict.fromkeys(found))

    @on(WorldMap.Activated)
    def _activated(self) -> None:
        self.action_menu()

    def action_menu(self) -> None:
        """What can I do here; in move mode: go here."""
        if self.mode == "move":
            self._go()
            return
        s = self.session
        place = self.map.cursor
        items = place_menu(s, place)
        if not items:
            self.notify("There is nothing to do here in this Phase.")
            return

        def done(text: str | None) -> None:
            if text == MOVE:
                self.action_move()
            elif text:
                self.act(text)

        beside = self.map.label_region(place) if self.map.display else None
        self.app.push_screen(AreaMenu(place_line(s.tables, s.state, place), items, self.look, beside), done)

    def action_treaties(self) -> None:
        """Treaties and proposals of the seat."""
        from paxtui.tui.diplomacy.treaties import TreatyScreen

        self.app.push_screen(TreatyScreen(self.session, self.look, self.act), lambda _: self.redraw())

    def action_congress(self) -> None:
        """The hall of a Congress; before there is one, the call for it."""
        s = self.session
        if s.state.congress is not None:
            from paxtui.tui.diplomacy.congress import CongressScreen

            self.app.push_screen(CongressScreen(s, self.look, self.act, self.sit), lambda _: self.redraw())
            return
        calls = list(congress_calls(s.tables, s.live, s.seat))
        if not calls:
            self.notify("Only who holds a Casus Belli may call a Congress, in the Negotiation Phase. [CON-001]")
            return
        names = [power_name(s.tables, c.site) for c in calls]

        def done(number: int | None) -> None:
            if number is not None:
                self.act(text_of(s.tables, calls[number]))

        self.app.push_screen(PickScreen("Call a Congress of Europe to", names, self.look), done)

    def action_dispatches(self) -> None:
        """Letters of the seat."""
        from paxtui.tui.diplomacy.dispatches import DispatchScreen

        self.app.push_screen(DispatchScreen(self.session, self.look), lambda _: self.redraw())

    # --- seats and readiness ---

    def action_seat(self, step: int) -> None:
        """Another seat sits down."""
        players = self.session.live.players
        self.sit(players[(players.index(self.session.seat) + step) % len(players)])

    def action_mouse_seat(self, seat: str) -> None:
        """A seat sits down: for the mouse on its letters."""
        self.sit(seat)

    def action_other_power(self) -> None:
        """The other Power of the seat."""
        mine = self.session.my_powers()
        at = mine.index(self.session.power) if self.session.power in mine else 0
        self.session.power = mine[(at + 1) % len(mine)]
        self.redraw()

    def action_ready(self) -> None:
        """The seat is ready, or takes it back."""
        if not self.session.waiting() and self.session.live.result is None:
            self._go_on()
            return
        if self.session.seat in self.session.live.ready:
            self.act("unready")
        elif not self._ends_phase() or self._asked == self.session.version or not self.pax.settings.confirm_ready:
            self.act("ready")
        else:
            self._asked = self.session.version
            self.notify(f"That ends the {phase_name(self.session.live.phase)} Phase. Once more to do it.", timeout=5)

    def _ends_phase(self) -> bool:
        """Whether the seat at the keyboard is the last one that is waited for."""
        return self.session.live.phase in OPEN and self.session.waiting() == (self.session.seat,)

    def _go_on(self) -> None:
        """Nobody is waited for: roll and play what is automatic."""
        try:
            events = self.session.advance()
        except OSError as error:
            self.notify(f"The log could not be written: {error}. Nothing has changed.", severity="error", timeout=15)
            return
        self.report(events)
        self._seat_after_act()
        self.redraw()

    def action_all_ready(self) -> None:
        """Every seat that can be is ready."""
        if not self.session.waiting() and self.session.live.result is None:
            self._go_on()
            return
        first = self.session.live.phase, self.session.live.turn
        self.together = True
        for seat in self.session.waiting():
            if (self.session.live.phase, self.session.live.turn) != first:
                break
            self.session.take_seat(seat)
            if not self.act("ready"):
                break
        self.together = False
        self._seat_after_act()
        self.redraw()

    def action_choose(self) -> None:
        """Answer the first pending choice of the seat."""
        mine = [c for c in self.session.live.choices if c.seat == self.session.seat]
        if not mine:
            self.notify("There is nothing for you to choose.")
            return
        if isinstance(mine[0].about, CongressQuestion) and self.session.live.congress is not None:
            self.action_congress()
            return
        if mine[0].area:
            self.map.cursor = mine[0].area

        def done(text: str | None) -> None:
            if text:
                self.act(text)

        self.app.push_screen(ChoiceScreen(mine[0], self.look), done)

    def action_next_task(self) -> None:
        """Jump to the next place that wants something: a choice, a missing garrison, Unrest, a Casus Belli."""
        s = self.session
        wants = [c.area for c in s.live.choices if c.seat == s.seat and c.area]
        if s.live.phase == "movement" and s.seat not in s.live.ready:
            for power in s.my_powers():
                wants += missing(s.tables, s.live, power)
        wants += [a for a, here in s.live.areas.items() if here.unrest]
        wants += [c.area for c in s.live.casus_belli if c.area]
        if not wants:
            self.notify("Nothing on the map wants you.")
            return
        at = wants.index(self.map.cursor) + 1 if self.map.cursor in wants else 0
        self.map.cursor = wants[at % len(wants)]
        self.redraw()

