"""Notes that every game has: seating, clock, dice. `rewrite_note` checks one, `describe_table_note` describes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from paxtui.engine import clock, seating
from paxtui.engine.fair_dice import (
    DicePassed,
    HashesClosed,
    SeedRevealed,
    Word,
    WordHash,
    WordsClosed,
    WordsReopened,
    WordsRequested,
    is_dice_note,
    read_note,
)
from paxtui.engine.game import Game
from paxtui.engine.log import Line
from paxtui.engine.seats import Names
from paxtui.engine.upcast import Raw


def describe_dice_note(names: Names, line: Line) -> str:
    """Describe a note about fair dice in one line; "" if it is malformed."""
    try:
        note = read_note(line.action)
    except ValueError:
        return ""
    who = names.seat_name(line.seat) or "The table"
    match note:
        case WordsRequested(until):
            return f"The game begins: each seat gives a word for the dice, by {_hour(until)}."
        case WordHash():
            return f"{who} has sealed a word for the dice."
        case HashesClosed(silent, bots, _):
            left = _left_out(names, silent, "sealed no word")
            played = f" Bots give none: {_names(names, bots)}." if bots else ""
            return f"The words for the dice are sealed and can be revealed now.{left}{played}"
        case Word(word):
            return f"{who} reveals its word for the dice: {word}"
        case WordsClosed(silent):
            left = _left_out(names, silent, "did not reveal its word")
            return f"The dice come from the promised seed and the revealed words.{left}"
        case DicePassed(taken_back, next_):
            fell = "1 die was" if taken_back == 1 else f"{taken_back} dice were"
            return f"{fell} taken back and will not fall again: the next is number {next_ + 1}."
        case WordsReopened(round_):
            words = f"words for the dice are collected again (round {round_})"
            return f"The game is undone to before its beginning: {words}."
        case SeedRevealed(seed):
            return f"The seed of the dice was {seed}. `paxtui verify` rolls all dice again."


def dice_status(names: Names, contributors: Sequence[str], stage: str, lacking: Sequence[str]) -> str:
    """Describe the progress of the fair dice in a few words, for the status line."""
    if stage in ("hashes", "words"):
        return f"fair, not ready yet: {_names(names, lacking) or 'the table'} to give {_WANTED[stage]}"
    words = _names(names, contributors)
    made = f"fair, from a promised seed and {f'the words of {words}' if words else 'nobody else’s word'}"
    return f"{made}; the seed is published" if stage == "told" else made


_WANTED = {"hashes": "a word", "words": "the word itself"}


def _names(names: Names, seats: Sequence[str]) -> str:
    return ", ".join(filter(None, map(names.seat_name, seats)))


def _left_out(names: Names, silent: Sequence[str], why: str) -> str:
    left = _names(names, silent)
    return f" Left out, because {'each' if len(silent) > 1 else 'it'} {why} in time: {left}." if left else ""


def _hour(time: str) -> str:
    return f"{time[11:16]} UTC" if len(time) >= 16 else time


def rewrite_note(game: Game[Any], state: Any, seats: Sequence[str], line: Line, lines: Sequence[Line]) -> Raw | None:
    """Return the content that a note about seating or clock has if it is written now; None for any other note.

    Args:
        game, state, seats: the game, its position, its seats.
        line: the note.
        lines: the lines before it.

    Raises:
        Refusal, ValueError: the note is not allowed here.
    """
    if seating.is_seating_note(line.action):
        return seating.rewrite_seating_note(seats, line)
    if seating.is_fallback_note(line.action):
        return seating.rewrite_fallback_note(seats, line)
    if not clock.is_clock_note(line.action):
        return None
    note = clock.rewrite_clock_note(seats, game.phases, line, lines)
    early = set(note.get("seats", ())) - set(game.waiting_seats(state))
    if early:
        raise ValueError(f"it says that the time is over for {', '.join(sorted(early))}, who is not waited for")
    return note


class TableNote(NamedTuple):
    """A note in words: its subject, and the sentence ("" if it is malformed)."""

    kind: str
    text: str


def describe_table_note(names: Names, line: Line) -> TableNote | None:
    """Describe a note about seating, dice or clock; None for any other note."""
    note = line.action
    if seating.is_seating_note(note):
        return TableNote(seating.SEATING_NOTE, seating.describe_seating(names, note))
    if seating.is_fallback_note(note):
        return TableNote(seating.BOT_FALLBACK, seating.describe_fallback(names, note))
    if clock.is_clock_note(note):
        return TableNote("clock", clock.describe_clock_note(names, note))
    if is_dice_note(note):
        return TableNote("dice", describe_dice_note(names, line))
    return None
