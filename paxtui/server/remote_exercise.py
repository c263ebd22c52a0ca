"""An exercise of Empires in Arms on a server, as one player or spectator has it."""

from __future__ import annotations

from paxtui.engine.game import Undo
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import SPECTATOR
from paxtui.games.empires.orders import Action
from paxtui.server import messages
from paxtui.server.remote_game import RemoteGame
from paxtui.server.remote_seat import RemoteSeat
from paxtui.session.exercise_menus import MenuEntry
from paxtui.session.exercise_session import BEGIN, ExerciseSession, OrderCallback


class RemoteExercise(RemoteSeat, ExerciseSession):
    """The session of a remote player or spectator.

    `act` and `undo` wait for the answer of the hub. `submit` does not: `receive` finds the answer.

    Args: the game.
    """

    leave_hint = "The game continues on the server. Connect again to play on."

    def __init__(self, game: RemoteGame) -> None:
        self.table = self.game = game
        self.at, self.replay, self.refusal = None, game.seat == SPECTATOR, None
        self._listeners = []

    @property
    def seat(self) -> str:
        """The seat of the received log."""
        return self.game.seat

    @property
    def persons(self) -> tuple[str, ...]:
        """The seat of this client; none for a spectator."""
        return () if self.replay else (self.game.seat,)

    @property
    def menu(self) -> tuple[MenuEntry, ...]:
        """What the seat may do now: before the dice are made, only to begin."""
        if self.game.seat in self.game.game.dice.lacking and not self.game.has_started:
            return (MenuEntry(label="Begin the game", order=BEGIN),)
        return super().menu

    def submit(self, order: str | Action | Undo, done: OrderCallback) -> None:
        """Send an order to the hub; `receive` calls `done` when the answer is there."""
        self.game.start(self._run(order), done)

    def act(self, asked: str | Action) -> None:
        """Carry out an act, or `begin`. Raises: Refusal, OSError."""
        self.game.wait(self._run(asked))

    def undo(self) -> None:
        """Take back the own last act, or ask the others for consent. Raises: Refusal, OSError."""
        self.game.wait(self._run(Undo()))

    async def _run(self, order: str | Action | Undo) -> None:
        """Carry out an order. `begin` says that the game may begin. Raises: Refusal, OSError."""
        if self.replay:
            raise Refusal("not_a_player", (), "You are a spectator: you can watch, but not act.")
        if self.at is not None:
            raise Refusal("history", (), "You are looking at an earlier position. Return to the present first.")
        if order == BEGIN:
            await self.game.advance()
        elif isinstance(order, Undo):
            await self.game.command(messages.Undo())
        else:
            rules = self.game.rules
            action = rules.parse_order(order, self.game.state) if isinstance(order, str) else order
            await self.game.command(messages.Act(rules.encode_action(action)), rules.format_order(action))

    def begin_notice(self) -> str:
        """Return the seats that are not yet ready to begin, in a sentence; "" when the dice are made."""
        if self.game.has_started:
            return ""
        names = ", ".join(map(self.game.rules.seat_name, self.game.game.dice.lacking)) or "the server"
        return f"The game begins when all players have entered 'begin'. It waits for {names}."

    def _report_news(self) -> None:
        self._notify()
