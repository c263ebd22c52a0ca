"""An exercise of Empires in Arms on a server, as one player or spectator has it."""

from __future__ import annotations

from typing import Any

from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import SPECTATOR
from paxtui.server import messages
from paxtui.server.remote_game import RemoteGame
from paxtui.session.exercise_session import ExerciseSession


class RemoteExercise(ExerciseSession):
    """The session of a remote player or spectator. Acts wait for the answer of the hub.

    Args: the game.
    """

    def __init__(self, game: RemoteGame) -> None:
        self.table = self.game = game
        self.at, self.replay = None, game.seat == SPECTATOR

    @property
    def seat(self) -> str:
        """The seat of the received log."""
        return self.game.seat

    @property
    def persons(self) -> tuple[str, ...]:
        """The seat of this client; none for a spectator."""
        return () if self.replay else (self.game.seat,)

    def act(self, asked: str | Any) -> None:
        """Carry out an act. Raises: Refusal, OSError."""
        self._check_can_act()
        order = self.game.rules.parse_order(asked, self.game.state) if isinstance(asked, str) else asked
        operation = messages.Act(self.game.rules.encode_action(order))
        self.game.wait(self.game.command(operation, self.game.rules.format_order(order)))

    def undo(self) -> None:
        """Take back the own last act, or ask the others for consent. Raises: Refusal, OSError."""
        self._check_can_act()
        self.game.wait(self.game.command(messages.Undo()))

    def advance(self) -> None:
        """Say that the game may begin; it begins when all players have. Raises: Refusal, OSError."""
        self.game.wait(self.game.advance())

    def begin_notice(self) -> str:
        """Return the seats that are not yet ready to begin, in a sentence; "" when the dice are made."""
        if self.game.has_begun:
            return ""
        names = ", ".join(map(self.game.rules.seat_name, self.game.game.dice.lacking)) or "the server"
        return f"The game begins when all players have entered 'begin'. It waits for {names}."

    def close(self) -> None:
        """Disconnect."""
        self.game.close()

    def _check_can_act(self) -> None:
        """Raise Refusal for a spectator and while the past is displayed."""
        if self.replay:
            raise Refusal("not_a_player", (), "You are a spectator: you can look at the game, but not act.")
        if self.at is not None:
            raise Refusal("history", (), "You are looking at the past: 'now' returns to the present.")
