"""`BotPlayer`: the interface of the bots of a game, with the requests that they answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol

import msgspec

from paxtui.engine.game import Game
from paxtui.engine.seating import SeatOccupant


class BotAction(NamedTuple):
    """An action in order notation, and a short reason (may be "")."""

    text: str
    why: str = ""


class BotRequest(msgspec.Struct, frozen=True):
    """A request to a bot.

    Attributes:
        bot: its name.
        seat: the seat that it plays.
        seed: of its preferences; reveals nothing about the dice of the game.
        state: the position as the seat knows it.
        what: "move"; "replies" to answer drafts and dispatches only; "last word" after its move, when all others are
            ready.
        writers: seats whose dispatches wait for a reply.
        askers: those of them that ask what the bot wants.
    """

    bot: str
    seat: str
    seed: str
    state: Any
    what: Literal["move", "replies", "last word"] = "move"
    writers: Sequence[str] = ()
    askers: Sequence[str] = ()


SearchReport = Callable[[int, int, Sequence[BotAction]], None]
"""Takes the progress of a search: the part that is done, the whole, and the best actions so far."""


class BotPlayer(Protocol):
    """The bots of one kind of game. They see what their seat sees.

    Attributes:
        names: bot -> how it plays; the first is the default.
        instant: bots that respond without noticeable delay.
        substitute: the bot that plays for a late player, and for a bot that fails.
    """

    names: Mapping[str, str]
    instant: tuple[str, ...]
    substitute: str

    def parse_name(self, text: str) -> SeatOccupant:
        """Parse the name of a bot.

        Raises:
            ValueError: the name is unknown; the message lists the valid names.
        """

    def name_of(self, occupant: SeatOccupant) -> str:
        """Format the name of a bot for `parse_name`; "" if the occupant is not a bot."""

    def choose(self, game: Game[Any], request: BotRequest, report: SearchReport | None = None) -> list[BotAction]:
        """Choose what a bot does, to be tried in order. The caller skips refused actions.

        A bot that searches calls `report` meanwhile.

        Raises:
            ValueError: no bot has this name; or any error of the bot.
        """
