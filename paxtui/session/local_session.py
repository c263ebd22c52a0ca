"""The session of a game in the same process.

`LessonSession` is the game of a lesson, in which a script controls the other seats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress

from paxtui.engine.bots import BotRequest
from paxtui.engine.game import Redo, Undo
from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import WITH_PERSONS, BotOrder, SeatOccupant
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.transaction import default_answer
from paxtui.games.pax.war import alliances
from paxtui.session.bot_runner import CompletedStep, events_since
from paxtui.session.game_viewer import GameViewer
from paxtui.session.orders_ahead import OrdersAhead, SeatOrders, ahead_path
from paxtui.session.pax_bot_runner import PaxBotRunner
from paxtui.session.pax_host import PaxHost
from paxtui.session.session import (
    Advance,
    AgreedUndo,
    AssignSeats,
    BotControl,
    ChooseWord,
    GameFile,
    InternalError,
    KeyboardSeats,
    LeaveOrders,
    Operation,
    Order,
    SendChat,
    Session,
    SessionChange,
)


class LocalSession(Session):
    """A local game: all persons share the keyboard.

    Args:
        host: the game.
        seat: the first seat at the keyboard, "" for the one that must act.
        bots_enabled: False in lessons: bots only answer and pass.
        step_by_step: whether bots wait for `bots.step` after each step; otherwise they have finished when an operation
            returns.
        war_script: the orders of a bot in War in a lesson; None for its own.
        bot_order: when bots act in a simultaneous Phase.
    """

    def __init__(
        self,
        host: PaxHost,
        seat: str = "",
        bots_enabled: bool = True,
        step_by_step: bool = False,
        war_script: Callable[[str], Sequence[str]] | None = None,
        bot_order: BotOrder = WITH_PERSONS,
    ) -> None:
        self._game = host
        self._runner = PaxBotRunner(host)
        self._runner.bots_enabled, self._runner.war_script, self._runner.order = bots_enabled, war_script, bot_order
        self._runner.plays_unattended = bots_enabled
        view = GameViewer(host, host.state.players[0])
        bots = BotControl(host, self._runner, step_by_step)
        super().__init__(host, view, KeyboardSeats(host, view), bots, GameFile(host.store, host.notice))
        bots.on_step = self._report_step
        self._ahead = OrdersAhead(host, ahead_path(host.store.path) if host.store is not None else None)
        self._order = ""  # the order whose events are reported when the bots have finished
        self._since = host.version
        bots.start()
        here = self.seats.here()
        self.take_seat(seat or self.seats.next_to_act() or (here[0] if here else self.live.players[0]))

    def perform(self, operation: Operation) -> tuple[ev.Event, ...]:
        """Carry out an operation. Raises: as `Session.perform`."""
        match operation:
            case Advance():
                return self._advance()
            case Undo(to):
                self._undo(to)
            case AgreedUndo(to):
                self._undo_together(to)
            case Redo():
                self._redo()
            case AssignSeats(occupants):
                self._assign_seats(occupants)
            case LeaveOrders(version, lines):
                self._ahead.set_orders(self.seat, version, lines)
                self._advance_ahead()
            case SendChat():
                raise Refusal("no_talk", (), "Only games on a server have a chat. 'paxtui serve' starts one.")
            case ChooseWord():
                raise Refusal("plain_dice", (), "The dice of a local game need no words from players.")
            case _:
                return self._carry_out(operation)
        return ()

    # --- operations -----------------------------------------------------------------------------------------------

    def _carry_out(self, order: Order) -> tuple[ev.Event, ...]:
        """Carry out an order and the automatic Phases after it."""
        text = self.format(order)
        try:
            self._check_present(order)
            before = self._game.version
            self._interrupt_bots()
            self._game.play(self.seat, order)
            self._carry_out_ahead()
            self._start_bots(before)
        except Refusal as refusal:
            self._report_refusal(text, refusal)
            raise
        except OSError:
            raise
        except Exception as error:
            raise InternalError(f"{type(error).__name__}: {error}") from error
        self.refusal = None
        return self._report(text)

    def _advance(self) -> tuple[ev.Event, ...]:
        before = self._game.version
        self._interrupt_bots()
        self._game.advance(self.seat)
        self._carry_out_ahead()
        self._start_bots(before)
        return self._report("")

    def _interrupt_bots(self) -> None:
        """In a simultaneous Phase, do not wait for bots that plan: they plan again. Raises: Refusal `bots_at_work`."""
        if self.can_interrupt_bots:
            self.bots.finish()
        self.bots.check_idle()

    def _undo(self, to: int | None) -> None:
        self._interrupt_bots()
        line = self._game.undo(self.seat, to)
        self._reset_after_undo(to is not None and line.kind == "undo")

    def _undo_together(self, to: int) -> None:
        """Let each seat ask for the undo in turn.

        If hidden lines make these requests differ, the arbiter takes the game back, which all players see.
        """
        self.bots.check_idle()
        place = self.view.place_of(to)
        for seat in (self.seat, *(seat for seat in self.live.players if seat != self.seat)):
            with suppress(Refusal):
                if self._game.undo(seat, self._game.known(seat).number(place)).kind == "undo":
                    break
        else:
            self._game.undo(ARBITER, place)
        self._reset_after_undo(True)

    def _redo(self) -> None:
        self._interrupt_bots()
        self._game.redo(self.seat)
        self.bots.forget()
        self.look_at(None)

    def _assign_seats(self, occupants: Mapping[str, SeatOccupant]) -> None:
        self.bots.check_idle()
        before = self._game.version
        self._game.seat(occupants)
        self._start_bots(before)
        here = self.seats.here()
        if here and self.seat not in here:
            self.take_seat(self.seats.next_to_act() or here[0])
        self._report("")

    def _reset_after_undo(self, is_further: bool) -> None:
        """Show the present after an undo. Args: whether it may go further back than the last act."""
        self.look_at(None)
        self.bots.forget()
        if is_further:
            self._start_bots(self._game.version)
            self._report("")

    # --- orders ahead ---------------------------------------------------------------------------------------------

    @property
    def orders_ahead(self) -> SeatOrders | None:
        """The orders ahead of the seat."""
        return self._ahead.orders(self.seat)

    def _carry_out_ahead(self) -> bool:
        """Carry out the orders ahead whose time has come; return whether there were any."""
        with suppress(OSError):  # a failed write is retried after the next act
            return self.at is None and self._ahead.carry_out(settled=not self.bots.is_at_work)
        return False

    def _advance_ahead(self) -> None:
        """Carry out orders that were left now, and let the bots go on."""
        before = self._game.version
        if not self.bots.is_at_work and self._carry_out_ahead():
            self._start_bots(before)
        self._report("")

    # --- reports --------------------------------------------------------------------------------------------------

    def _start_bots(self, since: int) -> None:
        """Run the bots, or their first step. Args: the line from which on events are reported."""
        self._since = since
        self.bots.start()
        while not self.bots.is_at_work and self._carry_out_ahead():
            self.bots.start()

    def _report(self, order: str) -> tuple[ev.Event, ...]:
        """Notify the listeners of the result of an order so far, as the seat may know it."""
        self._order = order
        events = events_since(self._game, self._since, self.seat)
        self._notify(SessionChange(events=events, more=True) if self.bots.is_at_work else SessionChange(order, events))
        return events

    def _report_step(self) -> None:
        if not isinstance(self.bots.current, BotRequest) and self._carry_out_ahead():
            self.bots.restart()
        step = self.bots.current
        if step is None:
            self._report(self._order)
        elif isinstance(step, CompletedStep):
            self._notify(SessionChange(events=events_since(self._game, step.line - 1, self.seat), more=True))

    def close(self) -> None:
        """Close the file. Closing twice does nothing."""
        super().close()
        self._game.close()


class LessonSession(LocalSession):
    """A game in which bots are ready and answer, but do not move until the lesson ends.

    Args:
        host: the game.
        player: the seat of the person.
        cues: orders of bots in War as "seat: order", by cycle, number of the Alliance and Phase; then they pass.
    """

    def __init__(
        self, host: PaxHost, player: str, cues: Mapping[tuple[int, int, str], Sequence[str]] | None = None
    ) -> None:
        self._cues = dict(cues or {})
        super().__init__(host, player, bots_enabled=False, war_script=self._war_orders if self._cues else None)

    def _war_orders(self, seat: str) -> tuple[str, ...]:
        """Return the orders of a bot in War: the default answer to a question; else those of the lesson, then a pass.

        The caretaker may answer otherwise: alone in a War, it fights on.
        """
        state = self._game.state
        war = alliances.current_war(state)
        if asked := [choice for choice in state.choices if choice.seat == seat]:
            return (f"choose {asked[0].id} {' '.join(default_answer(asked[0]))}".strip(),)
        cues = self._cues.get((war.cycle, war.turn_of, war.stage), ()) if war else ()
        acts = (line.partition(": ") for line in cues)
        return (*(order for who, _, order in acts if who == seat), "pass")

    def play_script(self, acts: Iterable[str]) -> None:
        """Carry out the acts of other seats in a script ("seat: order"); skip refused ones."""
        for line in acts:
            seat, _, order = line.partition(": ")
            with suppress(Refusal):
                self._game.act(seat, order)
        self._notify()

    def end_lesson(self) -> None:
        """End the lesson: bots now move by themselves."""
        self._runner.bots_enabled, self._runner.war_script = True, None
        self._start_bots(self._game.version)
        self._report("")
