"""The session of a player or spectator of a game on a server."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from paxtui.engine.game import Redo, Undo
from paxtui.engine.log import UNDO_REQUEST
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import SPECTATOR
from paxtui.games.pax.actions.dispatches import Dispatch
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.text.display import power_name
from paxtui.server import messages
from paxtui.server.remote_game import RemotePaxGame
from paxtui.server.remote_seat import RemoteSeat
from paxtui.session.game_viewer import GameViewer
from paxtui.session.orders_ahead import SeatOrders
from paxtui.session.player_news import LastActs, open_undo_request
from paxtui.session.session import (
    Advance,
    AgreedUndo,
    AssignSeats,
    BotControl,
    ChooseWord,
    Done,
    KeyboardSeats,
    LeaveOrders,
    Operation,
    Order,
    OtherPlayers,
    SendChat,
    Session,
    SessionChange,
)

ANNOUNCED = ("clock", "dice", UNDO_REQUEST, "undo", "redo")
"""Kinds of log entries that are announced to the other players."""


class RemotePlayers(OtherPlayers):
    """The players at other keyboards of a game on a server.

    Args: the game.
    """

    def __init__(self, game: RemotePaxGame) -> None:
        self._game, self._acts = game, LastActs(game)

    @property
    def connected(self) -> tuple[str, ...]:
        """The connected seats of others."""
        return tuple(seat for seat in self._game.connected if seat != self._game.seat)

    def last_places(self) -> Mapping[str, str]:
        """Return the place of each other seat's last public act."""
        return {seat: place for seat, place in self._acts.places().items() if seat != self._game.seat}


class RemoteSession(RemoteSeat, Session):
    """The session of a remote player or spectator.

    `perform` waits for the answer of the hub. `submit` does not: `receive`, called when the descriptor is readable,
    finds the answer.

    Args:
        game: the game.
    """

    game: RemotePaxGame
    chat_binding = "game.talk"

    def __init__(self, game: RemotePaxGame) -> None:
        view = GameViewer(game, game.seat)
        super().__init__(game, view, KeyboardSeats(game, view, game.seat), BotControl(game, None))
        self.game = game
        self.clock, self.chat, self.others = game.clock, game.chat, RemotePlayers(game)
        self.bots.allows_advice = game.allows_advice
        game.watch_orders_ahead()
        self._reported_line = game.version
        self.take_seat(game.seat)

    # --- state ----------------------------------------------------------------------------------------------------

    @property
    def read_only_label(self) -> str:
        """What the top line shows for spectators and while disconnected."""
        if self.game.trouble:
            return "no connection"
        return "spectator" if self.game.seat == SPECTATOR else ""

    @property
    def begin_notice(self) -> str:
        """The players who are not yet ready to begin, in a sentence; "" when the dice are made."""
        if self.game.has_started:
            return ""
        dice, seat = self.game.game.dice, self.game.seat
        persons = [seat for seat in dice.lacking if not self.game.occupant(seat).is_automatic]
        names = ", ".join(power_name(self.tables, seat) for seat in persons) or "the server"
        if dice.stage == "words" or dice.asked:
            return f"The game begins: waiting for a word for the dice from {names}."
        if seat == SPECTATOR:
            return f"The game has not begun. It waits for {names}."
        if seat in dice.lacking:
            return f"Confirm that the game can begin. It waits for {names}."
        return f"You are ready to begin. The game waits for {names}, or for the host to begin it."

    def take_seat(self, seat: str) -> None:
        """Change the displayed seat; only for spectators, who see public information in any case."""
        players, own = self.live.players, self.game.seat
        self.seat = self.power = own if own in players else seat if seat in players else players[0]
        self._notify()

    # --- acting ---------------------------------------------------------------------------------------------------

    def perform(self, operation: Operation) -> tuple[ev.Event, ...]:
        """Carry out an operation and wait for the answer of the hub. Raises: as `Session.perform`."""
        before = self.game.version
        try:
            self.game.wait(self._run(operation))
        finally:
            self._report_news()
        return self.game.events_after(before)

    def submit(self, operation: Operation, done: Done) -> None:
        """Send an operation to the hub; `receive` calls `done` when the answer is there."""
        self.game.start(self._run(operation), done)

    async def _run(self, operation: Operation) -> None:
        """Carry out an operation. Raises: Refusal, OSError."""
        match operation:
            case Advance():
                await self.game.advance()
                self._report("")
            case Undo(to) | AgreedUndo(to):
                await self.game.command(messages.Undo(to))
                self.look_at(None)
            case Redo():
                await self.game.command(messages.Redo())
                self.look_at(None)
            case SendChat(text):
                await self.game.send_chat(text)
                self._notify()
            case LeaveOrders(version, lines):
                await self.game.leave_orders(version, lines)
                self._notify()
            case ChooseWord(text):
                await self.game.choose_word(text)
                self._notify()
            case AssignSeats():
                raise Refusal("not_arbiter", (), "Only the host of the game assigns seats.")
            case _:
                await self._give(operation)

    async def _give(self, order: Order) -> None:
        """Carry out an order. Raises: Refusal, OSError."""
        text = self.format(order)
        try:
            self._check_present(order)
            await self.game.command(messages.Act(_order_builtins(order)), text)
        except Refusal as refusal:
            self._report_refusal(text, refusal)
            raise
        self.refusal = None
        self._report(text)

    @property
    def orders_ahead(self) -> SeatOrders | None:
        return self.game.ahead

    # --- news -----------------------------------------------------------------------------------------------------

    @property
    def must_consent(self) -> bool:
        """Whether others ask the seat to agree to an undo."""
        return open_undo_request(self) is not None

    def announcements(self) -> list[str]:
        """Return what others did about clock, dice and undo since the game began, in sentences."""
        by_others = (entry for entry in self.view.log() if entry.seat != self.view.viewpoint)
        return [entry.text for entry in by_others if entry.kind in ANNOUNCED]

    # --- study ----------------------------------------------------------------------------------------------------

    def log_to_study(self) -> Path | None:
        """Save the log of the seat in the player's own directory on the server; None for spectators of a running game.

        Raises: OSError.
        """
        if self.game.seat == SPECTATOR and not self.game.is_over:
            return None
        return self.game.save_log()

    # --- reports --------------------------------------------------------------------------------------------------

    def _report(self, order: str) -> None:
        events, self._reported_line = self.game.events_after(self._reported_line), self.game.version
        self._notify(SessionChange(order, events))

    def _report_news(self) -> None:
        """Notify the listeners of what others did. While an order is under way, its answer reports the log lines."""
        self.bots.allows_advice = self.game.allows_advice
        if self.game.is_answer_pending:
            self._notify()
        else:
            self._report("")


def _order_builtins(order: Order) -> dict[str, object]:
    if isinstance(order, Dispatch):
        return {"type": "dispatch", "to": list(order.to), "text": order.text, "opens": order.opens}
    builtins: dict[str, object] = msgspec.to_builtins(order)
    return builtins
