"""What a bot is asked: the position as its seat knows it, and what it would do there; in this process or in another.

A thought depends on what is in the question and on nothing else, so that it is the same wherever it is had. A bot that
stumbles gives a thought that says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from hashlib import sha256
from typing import Literal

import msgspec
from msgspec.structs import replace

from paxtui.bots.act import Act
from paxtui.bots.players import CARETAKER, STEADY, choose_acts, reply
from paxtui.pax.board.tables import Tables
from paxtui.pax.position.view import view
from paxtui.pax.state.model import State
from paxtui.table.authority import Table

AT_ONCE = (CARETAKER, STEADY)
"""Bots whose thoughts take no time worth waiting for."""


class Question(msgspec.Struct, frozen=True):
    """What is asked of a bot.

    Attributes:
        bot: which, by its name.
        seat: the seat that it plays.
        seed: of its taste, which says nothing about the dice of the game.
        version: number of the last line that the seat has.
        state: the position as the seat knows it.
        what: "move"; "counsel" where the drafts before the seat are weighed first, and then its move; "replies" where
            it is to answer drafts and dispatches, and do nothing else; "last word" where it has moved, and all others
            are ready.
        writers: seats whose dispatches wait for a word from this one.
    """

    bot: str
    seat: str
    seed: str
    version: int
    state: State
    what: Literal["move", "counsel", "replies", "last word"] = "move"
    writers: Sequence[str] = ()


class Thought(msgspec.Struct, frozen=True):
    """What a bot would do.

    Attributes:
        acts: to be tried in turn.
        failure: why there are none, in a few words; "" where the bot has not failed.
    """

    acts: Sequence[Act] = ()
    failure: str = ""


def question(table: Table, seat: str, bot: str) -> Question:
    """What a bot is asked at a seat now. Raises: Refusal `unknown_seat`."""
    return Question(bot, seat, taste(table, seat), table.version_for(seat), table.state_for(seat))


def correspondence(table: Table, seat: str, bot: str, writers: Sequence[str]) -> Question:
    """What a bot is asked about the drafts before it, and the dispatches of these seats. Raises: as `question`."""
    return replace(question(table, seat, bot), what="replies", writers=tuple(writers))


def counsel(table: Table, seat: str, bot: str) -> Question:
    """What a bot is asked that shall say what it would do in the place of a seat's player. Raises: as `question`."""
    return replace(question(table, seat, bot), what="counsel")


def last_word(table: Table, seat: str, bot: str) -> Question:
    """What a bot is asked when all others are ready, and it has moved. Raises: as `question`."""
    return replace(question(table, seat, bot), what="last word")


def taste(table: Table, seat: str) -> str:
    """The seed of the taste of who plays a seat: a hash from which the seed of the dice cannot be had, nor a die."""
    secret = table.game.secret("taste") or table.game.header.game
    return sha256(f"paxtui/taste|{secret}|{seat}".encode("utf-8", "surrogatepass")).hexdigest()


def think(tables: Tables, asked: Question) -> Thought:
    """What a bot answers; one that stumbles answers with its failure."""
    try:
        return Thought(acts_for(tables, asked))
    except Exception as error:  # a mistake of a bot's must not end the game of those who sit with it
        return Thought(failure=f"because it failed ({type(error).__name__})")


def acts_for(tables: Tables, asked: Question) -> list[Act]:
    """What a bot would do. Raises: whatever the bot stumbles over."""
    state, seat = asked.state, asked.seat
    if asked.what == "replies":
        return reply(asked.bot, tables, state, seat, asked.seed, asked.writers)
    seen = partial(view, tables, state, seat, asked.version)
    answers = reply(asked.bot, tables, state, seat, asked.seed) if asked.what == "counsel" else []
    return answers + choose_acts(asked.bot, tables, state, seen, seat, asked.seed, asked.what == "last word")
