"""Select the bots of Pax Britannica by name; `PaxBots` is them as `paxtui.engine.bots.BotPlayer`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from paxtui.bots.pax.profiles import EXPERT, LEVELS, NAME, character_of, parse_level_and_temper
from paxtui.engine.bots import BotAction, BotRequest, SearchReport
from paxtui.engine.game import Game
from paxtui.engine.seating import BotLevel, SeatOccupant
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.state.model import State
from paxtui.games.pax.text.display import capitalize

CARETAKER: BotLevel = "caretaker"
STEADY: BotLevel = "steady"
STATESMAN = NAME

BOTS: dict[str, str] = {
    STEADY: "trades and takes what pays, and provokes nobody",
    CARETAKER: "keeps what is held, by the General Orders for a Power whose player has left",
    STATESMAN: "plays to win; a level (easy, normal, hard, expert), a temper (cautious, bold, treacherous) may follow",
}
"""Bot name -> description."""


def parse_bot_name(text: str) -> SeatOccupant:
    """Parse a bot name: `steady`, `caretaker`, `statesman`, `statesman:hard`, `statesman:normal:bold`.

    Raises:
        ValueError: the name is unknown; the message lists the valid names.
    """
    name, *words = text.strip().casefold().split(":")
    if name not in BOTS:
        raise ValueError(f"there is no bot {text!r}; there are {', '.join(BOTS)}")
    if name == STATESMAN:
        level, temper = parse_level_and_temper(words)
        return SeatOccupant(by="bot", level=level, temper=temper)
    if words:
        raise ValueError(f"only a statesman has a level and a temper: {name}, not {text!r}")
    return SeatOccupant(by="bot", level=msgspec.convert(name, type=BotLevel))


def bot_name(occupant: SeatOccupant) -> str:
    """Format the name of a bot for `parse_bot_name`; "" if the occupant is not a bot."""
    if occupant.level in LEVELS:
        return ":".join(word for word in (STATESMAN, occupant.level, occupant.temper) if word)
    return occupant.level


def choose_bot_actions(
    name: str,
    tables: Tables,
    state: State,
    view: Callable[[], Mapping[str, Any]],
    seat: str,
    seed: str | int,
    last: bool = False,
    report: SearchReport | None = None,
) -> list[BotAction]:
    """Choose a bot's actions for a seat, to be tried in order. The caller skips refused actions.

    Args:
        name: the bot's name.
        tables: the tables of the game.
        state: the position as the seat sees it.
        view: returns the same position as a view; only the steady bot uses it.
        seat: the bot's seat.
        seed: seed of the bot's own random choices.
        last: whether this is the bot's last call in a Phase in which it has moved.
        report: takes the progress of a search.

    Raises:
        ValueError: no bot has this name.
    """
    # Imported on first use: games without bots need none of these modules, and the statesman runs in a
    # separate process (`paxtui.session.bot_process`).
    occupant = parse_bot_name(name)
    if occupant.level == CARETAKER:
        from paxtui.bots.pax.caretaker import general_orders

        return general_orders.choose_caretaker_actions(tables, state, seat, seed)
    if occupant.level in LEVELS:
        from paxtui.bots.pax.expert import search
        from paxtui.bots.pax.statesman import player

        character = character_of(occupant.level, occupant.temper)
        if occupant.level == EXPERT and search.has_choice(state, seat):
            acts = search.search_movement(tables, state, seat, character, str(seed), report)
        else:
            acts = player.choose_statesman_actions(tables, state, seat, character, seed, last)
        return [BotAction(act.text, _without_order_numbers(act.why)) for act in acts]
    from paxtui.bots.pax import steady

    return [BotAction(text) for text in steady.choose_steady_actions(tables, view(), seat, seed)]


_ORDER_NUMBER = re.compile(r"\bRules? \d+[a-z]?(?: to \d+)?: ")


def _without_order_numbers(why: str) -> str:
    """Return a reason of the caretaker without the numbers of the General Orders, which bind no statesman."""
    return capitalize(_ORDER_NUMBER.sub("", why))


def bot_replies(
    name: str,
    tables: Tables,
    state: State,
    seat: str,
    seed: str,
    writers: Sequence[str] = (),
    askers: Sequence[str] = (),
) -> list[BotAction]:
    """Choose a bot's replies to drafts and messages. Only the statesman negotiates; other bots sign nothing.

    Args: as `choose_bot_actions`; `writers` are the seats whose messages wait for a reply, `askers` those of them that
        ask what the bot wants.

    Raises:
        ValueError: no bot has this name.
    """
    occupant = parse_bot_name(name)
    if occupant.level in LEVELS:
        from paxtui.bots.pax import wishes
        from paxtui.bots.pax.statesman import player

        character = character_of(occupant.level, occupant.temper)
        others = [writer for writer in writers if writer not in askers]
        acts = player.statesman_replies(tables, state, seat, character, seed, others)
        return acts + wishes.answer_wish_questions(tables, state, seat, character, seed, askers)
    from paxtui.bots.pax.caretaker import general_orders

    told = general_orders.refuse_wish_questions(tables, askers)
    if occupant.level == CARETAKER:
        return general_orders.refuse_drafts(tables, state, seat) + told
    return general_orders.refuse_drafts(tables, state, seat, "It makes no Treaties") + told


class PaxBots:
    """The bots of Pax Britannica."""

    names: Mapping[str, str] = BOTS
    instant: tuple[str, ...] = (CARETAKER, STEADY)
    substitute: str = CARETAKER

    def parse_name(self, text: str) -> SeatOccupant:
        """Parse the name of a bot. Raises: ValueError, with the valid names."""
        return parse_bot_name(text)

    def name_of(self, occupant: SeatOccupant) -> str:
        """Format the name of a bot; "" if the occupant is not a bot."""
        return bot_name(occupant)

    def choose(self, game: Game[Any], request: BotRequest, report: SearchReport | None = None) -> list[BotAction]:
        """Choose what a bot does: moves, or replies to drafts and dispatches. Raises: any error of the bot."""
        bot, tables, state, seat, seed = request.bot, game.tables, request.state, request.seat, request.seed
        if request.what == "replies":
            return bot_replies(bot, tables, state, seat, seed, request.writers, request.askers)
        view = partial(game.seat_view, state, seat, 0)  # no bot reads the number of the last line
        return choose_bot_actions(bot, tables, state, view, seat, seed, request.what == "last word", report)
