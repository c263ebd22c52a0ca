"""Notes in the log as sentences: seating, dice, clock."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

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
from paxtui.engine.log import Line
from paxtui.games.pax.actions import clock, seats
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.text.display import power_name


def describe_dice_note(tables: Tables, line: Line) -> str:
    """Describe a note about fair dice in one line; "" if it is malformed."""
    try:
        note = read_note(line.action)
    except ValueError:
        return ""
    who = power_name(tables, line.seat) if line.seat in tables.powers else "The table"
    match note:
        case WordsRequested(until):
            return f"The game begins: each seat gives a word for the dice, by {_clock(until)}."
        case WordHash():
            return f"{who} has sealed a word for the dice."
        case HashesClosed(silent, bots, _):
            left = _left_out(tables, silent, "sealed no word")
            played = f" Bots give none: {_names(tables, bots)}." if bots else ""
            return f"The words for the dice are sealed, and are told now.{left}{played}"
        case Word(word):
            return f"{who} tells its word for the dice: {word}"
        case WordsClosed(silent):
            left = _left_out(tables, silent, "did not tell its word")
            return f"The dice are made of the promised seed and the words that were told.{left}"
        case DicePassed(taken_back, next_):
            fell = "1 die was" if taken_back == 1 else f"{taken_back} dice were"
            return f"{fell} taken back and will not fall again: the next is number {next_ + 1}."
        case WordsReopened(round_):
            words = f"words for the dice are collected again (round {round_})"
            return f"The game is taken back to before its begin: {words}."
        case SeedRevealed(seed):
            return f"The seed of the dice was {seed}: `paxtui verify` rolls every die again."


def dice_status(tables: Tables, contributors: Sequence[str], stage: str, lacking: Sequence[str]) -> str:
    """Describe the progress of the fair dice in a few words, for the status line."""
    if stage in ("hashes", "words"):
        return f"fair, not made yet: {_names(tables, lacking) or 'the table'} to give {_WANTED[stage]}"
    words = _names(tables, contributors)
    made = f"fair, made of a promised seed and {f'the words of {words}' if words else 'nobody else’s word'}"
    return f"{made}; the seed is told" if stage == "told" else made


_WANTED = {"hashes": "a word", "words": "the word itself"}


def _names(tables: Tables, seats: Sequence[str]) -> str:
    return ", ".join(power_name(tables, seat) for seat in seats if seat in tables.powers)


def _left_out(tables: Tables, silent: Sequence[str], why: str) -> str:
    """Name the seats that are left out, in a sentence."""
    names = _names(tables, silent)
    return f" Left out, because {'each' if len(silent) > 1 else 'it'} {why} in time: {names}." if names else ""


def _clock(time: str) -> str:
    """Format a log time as hours and minutes in UTC."""
    return f"{time[11:16]} UTC" if len(time) >= 16 else time


class TableNote(NamedTuple):
    """A note in words: its subject, and the sentence ("" if it is malformed)."""

    kind: str
    text: str


def describe_table_note(tables: Tables, line: Line) -> TableNote | None:
    """Describe a note about seating, dice or clock; None for any other note."""
    note = line.action
    if seats.is_seating_note(note):
        return TableNote(seats.SEATING_NOTE, seats.describe_seating(tables, note))
    if seats.is_fallback_note(note):
        return TableNote(seats.BOT_FALLBACK, seats.describe_fallback(tables, note))
    if clock.is_clock_note(note):
        return TableNote("clock", clock.describe_clock_note(tables, note))
    if is_dice_note(note):
        return TableNote("dice", describe_dice_note(tables, line))
    return None
