"""What the arbiter of a table does for fair dice: asks for words, leaves out who is silent, tells the seed at the end.

A table on a hub and a game by mail do it alike; when nobody is waited for any longer is for them to say.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from msgspec.structs import replace

from paxtui.engine.dice import commitment
from paxtui.engine.fair_dice import HashesClosed, WordsAsked, WordsClosed
from paxtui.engine.log import Header, Line, Parsed, digest, encode_header, encode_line
from paxtui.engine.refusal import Refusal
from paxtui.table.authority import Table
from paxtui.table.disk.files import move_file, read_regular, write_new
from paxtui.table.disk.seeds import keep_seed, seed_file
from paxtui.table.disk.store import read
from paxtui.table.verification import moment

LIVE = 120.0
"""Seconds for which a word is waited for at a table where everybody sits."""

BY_MAIL = 24 * 3600.0
"""The same in a game by mail."""


def new_seed() -> str:
    """A seed that nobody finds by trying: 256 bits, as hexadecimal digits."""
    return secrets.token_hex(32)


class DiceKeeper:
    """Brings the dice of a table about.

    Args:
        table: the game.
        patience: seconds for which each hash, and then each word, is waited for.
        now: gives the time, in UTC.
    """

    def __init__(self, table: Table, patience: float = LIVE, now: Callable[[], datetime] | None = None) -> None:
        self._table = table
        self.patience = patience
        self._now = now or (lambda: datetime.now(UTC))

    @property
    def waits(self) -> bool:
        """Whether the dice have still to be made."""
        dice = self._table.game.dice
        return dice.fair and dice.stage in ("hashes", "words")

    @property
    def asked(self) -> bool:
        """Whether hashes or words are waited for now."""
        dice = self._table.game.dice
        return self.waits and (dice.asked or dice.stage == "words")

    @property
    def late(self) -> bool:
        """Whether those who are waited for have had their time, by the clock; a time that is none is over."""
        until = moment(self._table.game.dice.until)
        return self.asked and (until is None or self._now() >= until)

    def ask(self) -> bool:
        """The game is to begin: ask for hashes, once. Whether that was done. Raises: OSError."""
        dice = self._table.game.dice
        if not self.waits or dice.asked or dice.stage != "hashes":
            return False
        self._table.dice_note(WordsAsked(self._until()))
        self.tend()
        return True

    def tend(self, leave_out: bool = False) -> bool:
        """Do what is due: go on where everybody has given what is waited for, and tell the seed of a game that is over.

        Args: whether who is silent is waited for no longer.
        Returns: whether anything was done.
        Raises: OSError.
        """
        table, before = self._table, self._table.version
        dice = table.game.dice
        if not dice.fair:
            return False
        if dice.stage == "hashes":
            bots = tuple(seat for seat in dice.lacking if table.sitter(seat).plays_itself)
            silent = tuple(seat for seat in dice.lacking if seat not in bots)
            if not silent or (leave_out and dice.asked):
                table.dice_note(HashesClosed(silent, bots, self._until()))
                leave_out = False  # who has given a hash has time for the word
        if dice.stage == "words" and (leave_out or not dice.lacking):
            table.dice_note(WordsClosed(dice.lacking))
        if dice.stage == "made" and table.state.result is not None and table.game.has_seed:
            table.tell_seed()
        return table.version > before

    def _until(self) -> str:
        return (self._now() + timedelta(seconds=self.patience)).isoformat(timespec="seconds")


# --- making a game fair -----------------------------------------------------------------------------------------------


def made_fair(parsed: Parsed, seed: str) -> bytes:
    """The log of a game in which no die has fallen yet, with fair dice from now on; nothing is taken back freely in it.

    Args: the log; the seed that it promises.
    Raises: Refusal `dice_begun`.
    """
    if not can_be_fair(parsed):
        raise Refusal("dice_begun", (), "Dice have fallen in this game already: they stay what they are.")
    header = replace(parsed.header, seed="", commitment=commitment(seed), dice="fair", undo="strict")
    return chained(header, parsed.lines)


def can_be_fair(parsed: Parsed) -> bool:
    """Whether a game can have fair dice from now on: it has none yet, and no die has fallen."""
    return parsed.header.dice == "plain" and not any(line.dice or line.queue for line in parsed.lines)


def move_fair(path: Path, new: Path) -> bool:
    """Move the log of a game to another place, with fair dice where none have fallen; whether it was.

    Args: the log; where it goes: there is no file yet.
    Raises: OSError, BrokenLog.
    """
    parsed = read(path)
    if not can_be_fair(parsed):
        return False
    seed = new_seed()
    keep_seed(new, seed)
    write_new(new, made_fair(parsed, seed))
    path.unlink()
    return True


def move(path: Path, new: Path) -> None:
    """Move a log to another place, and the file of its seed with it. The places may be on different file systems.

    Raises: FileExistsError, OSError; then the log is where it was.
    """
    seed = seed_file(path)
    if seed.exists():
        write_new(seed_file(new), read_regular(seed))
    try:
        move_file(path, new)
    except BaseException:
        if seed.exists():
            seed_file(new).unlink(missing_ok=True)
        raise
    seed.unlink(missing_ok=True)


def chained(header: Header, lines: Iterable[Line]) -> bytes:
    """A log of these lines, each with the hash of the one before."""
    log = data = encode_header(header)
    for line in lines:
        data = encode_line(replace(line, prev=digest(data)))
        log += data
    return log
