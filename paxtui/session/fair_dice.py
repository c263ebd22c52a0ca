"""Fair dice: `DiceKeeper` requests words and publishes the seed, `DiceClient` makes the word of a seat.

A word holds random bytes, so that its hash does not reveal it. `DiceWordCollector` adds time limits for live games: a
seat is left out only if both the log times and a monotonic clock say that it is late.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

from msgspec.structs import replace

from paxtui.engine.dice import commitment
from paxtui.engine.fair_dice import (
    LONGEST_WORD,
    FairDice,
    HashesClosed,
    Word,
    WordHash,
    WordsClosed,
    WordsRequested,
    word_hash,
)
from paxtui.engine.free_text import clean_text
from paxtui.engine.log import Header, Line, Parsed, digest, encode_header, encode_line
from paxtui.engine.refusal import Refusal
from paxtui.session.game_host import Clock, GameHost
from paxtui.session.storage.files import read_regular, replace_file, take_away, write_new
from paxtui.session.storage.interface import FILES, Storage, seed_file, write_seed
from paxtui.session.storage.log_store import read_log
from paxtui.session.verification import parse_time

LIVE_PATIENCE_S = 120.0
"""Time limit for a word in a live game, in seconds."""

MAIL_PATIENCE_S = 24 * 3600.0
"""Time limit for a word in a game by mail, in seconds."""


def new_seed() -> str:
    """Return a random seed of 256 bits, as hexadecimal digits."""
    return secrets.token_hex(32)


class DiceKeeper:
    """The arbiter of fair dice.

    Args:
        table: the game.
        patience: time limit for each hash, and then for each word, in seconds.
        now: returns the time, in UTC.
    """

    def __init__(
        self, table: GameHost, patience: float = LIVE_PATIENCE_S, now: Callable[[], datetime] | None = None
    ) -> None:
        self._table = table
        self.patience = patience
        self._now = now or (lambda: datetime.now(UTC))

    @property
    def waits(self) -> bool:
        """Whether the dice are not made yet."""
        dice = self._table.game.dice
        return dice.fair and dice.stage in ("hashes", "words")

    @property
    def is_requested(self) -> bool:
        """Whether hashes or words are requested now."""
        dice = self._table.game.dice
        return self.waits and (dice.asked or dice.stage == "words")

    @property
    def late(self) -> bool:
        """Whether the time limit is over; an invalid time counts as over."""
        until = parse_time(self._table.game.dice.until)
        return self.is_requested and (until is None or self._now() >= until)

    def ask(self) -> bool:
        """Request the hashes, once. Returns: whether that was done. Raises: OSError."""
        dice = self._table.game.dice
        if not self.waits or dice.asked or dice.stage != "hashes":
            return False
        self._table.dice_note(WordsRequested(self._until()))
        self.tend()
        return True

    def tend(self, leave_out: bool = False) -> bool:
        """Do what is due: continue when all seats have answered; publish the seed of a finished game.

        Args: whether to leave out seats that have not answered.
        Returns: whether anything was done.
        Raises: OSError.
        """
        table, before = self._table, self._table.version
        dice = table.game.dice
        if not dice.fair:
            return False
        if dice.stage == "hashes":
            bots = tuple(seat for seat in dice.lacking if table.occupant(seat).is_automatic)
            silent = tuple(seat for seat in dice.lacking if seat not in bots)
            if not silent or (leave_out and dice.asked):
                table.dice_note(HashesClosed(silent, bots, self._until()))
                leave_out = False  # seats that gave a hash get time for the word
        if dice.stage == "words" and (leave_out or not dice.lacking):
            table.dice_note(WordsClosed(dice.lacking))
        if dice.stage == "made" and table.is_over and table.game.has_seed:
            table.reveal_seed()
        return table.version > before

    def _until(self) -> str:
        return (self._now() + timedelta(seconds=self.patience)).isoformat(timespec="seconds")


# --- making a game fair -----------------------------------------------------------------------------------------------


def with_fair_dice(parsed: Parsed, seed: str) -> bytes:
    """Convert the log of a game without dice rolls to fair dice; free undo is switched off.

    Args: the log; the seed to commit to.
    Raises: Refusal `dice_begun`.
    """
    if not can_be_fair(parsed):
        raise Refusal("dice_begun", (), "Dice were already rolled in this game. They cannot change.")
    header = replace(parsed.header, seed="", commitment=commitment(seed), dice="fair", undo="strict")
    return chain_lines(header, parsed.lines)


def can_be_fair(parsed: Parsed) -> bool:
    """Whether a game can change to fair dice: no fair dice yet, and nothing rolled."""
    return parsed.header.dice == "plain" and not any(line.dice or line.queue for line in parsed.lines)


def move_log_with_fair_dice(path: Path, new: Path, storage: Storage = FILES) -> bool:
    """Move a log, with fair dice if nothing was rolled. Returns: whether it was converted.

    Args: the log; the new path, which must be free; the storage of the new path.
    Raises: OSError, BrokenLog.
    """
    parsed = read_log(path)
    if not can_be_fair(parsed):
        return False
    seed = new_seed()
    write_seed(new, seed, storage)
    storage.add_log(new, with_fair_dice(parsed, seed))
    path.unlink()
    return True


def move_log(path: Path, new: Path, storage: Storage = FILES) -> None:
    """Move a log with its seed file, also to another file system or storage.

    Raises: FileExistsError, OSError; then the log was not moved.
    """
    seed = seed_file(path)
    for there in (new, seed_file(new)):
        if storage.exists(there):
            raise FileExistsError(17, "It exists already", str(there))
    if seed.exists():
        storage.replace(seed_file(new), read_regular(seed))
    try:
        with take_away(path) as log:
            storage.add_log(new, log)
    except BaseException:
        if seed.exists():
            storage.remove(seed_file(new))
        raise
    seed.unlink(missing_ok=True)


def chain_lines(header: Header, lines: Iterable[Line]) -> bytes:
    """Return a log of these lines, each with the hash of the one before."""
    log = data = encode_header(header)
    for line in lines:
        data = encode_line(replace(line, prev=digest(data)))
        log += data
    return log


RANDOM_BYTES = 16
"""Number of random bytes in a word."""

LONGEST_TYPED = LONGEST_WORD - 2 * RANDOM_BYTES - 1
"""Maximum length of the part that a player types, in characters."""


class DiceClient:
    """The word of one seat of one game.

    Args:
        header: of the game.
        seat: the seat.
        folder: where the word is stored for other terminals of the player; None for nowhere.
    """

    def __init__(self, header: Header, seat: str, folder: Path | None) -> None:
        self._commitment, self._seat = header.commitment, seat
        self._folder = folder / "words" if folder is not None else None
        self._word, self._round = "", 1

    def choose(self, typed: str, dice: FairDice) -> WordHash:
        """Add typed text to the word and return the note with its hash.

        Raises: Refusal `plain_dice`, `dice_stage`, `dice_twice`, `bad_word`; OSError.
        """
        if not dice.fair:
            raise Refusal("plain_dice", (), "The dice of this game need no words from players.")
        self._start_round(dice.round)
        text = clean_text(typed)
        if not text or len(text) > LONGEST_TYPED:
            raise Refusal("bad_word", (), f"A word for the dice has 1 to {LONGEST_TYPED} characters.")
        if self._seat in dice.hashes:
            raise Refusal("dice_twice", (), "You have already sealed your word for the dice.")
        word = f"{text} {secrets.token_hex(RANDOM_BYTES)}"
        note = WordHash(word_hash(self._commitment, self._seat, word, dice.round))
        dice.check(self._seat, note, over=False)
        self._store_word(word, new=False)
        return note

    def seal(self, dice: FairDice) -> WordHash | None:
        """Return the hash of the word before it is requested, to be ready to begin. None if already given."""
        if not dice.fair or dice.stage != "hashes" or self._seat not in dice.lacking:
            return None
        return self._hash(dice)

    def next_note(self, dice: FairDice) -> WordHash | Word | None:
        """Return the note that the seat owes now, or None."""
        if dice.stage == "hashes" and dice.asked and self._seat in dice.lacking:
            return self._hash(dice)
        if dice.stage == "words" and self._seat in dice.lacking:
            self._start_round(dice.round)
            word = self._read_word()
            if word and word_hash(self._commitment, self._seat, word, dice.round) == dice.hashes[self._seat]:
                return Word(word)
        return None

    def _hash(self, dice: FairDice) -> WordHash:
        """Return the hash of the word of this round; make the word if necessary."""
        self._start_round(dice.round)
        if not self._read_word():
            self._store_word(secrets.token_hex(RANDOM_BYTES), new=True)
        return WordHash(word_hash(self._commitment, self._seat, self._read_word(), dice.round))

    def _start_round(self, round_: int) -> None:
        """Drop the word of another round: each round has a fresh one."""
        if round_ != self._round:
            self._word, self._round = "", round_

    @property
    def _file(self) -> Path | None:
        later = f"|{self._round}" if self._round > 1 else ""
        name = sha256(f"{self._commitment}|{self._seat}{later}".encode()).hexdigest()[:16]
        return self._folder / name if self._folder is not None else None

    def _read_word(self) -> str:
        """Return the stored word, from whichever program of the player was first."""
        if (file := self._file) is not None:
            with suppress(OSError):
                self._word = read_regular(file).decode("utf-8", "replace").strip("\n") or self._word
        return self._word

    def _store_word(self, word: str, new: bool) -> None:
        """Store a word; a random one replaces no other. Without a file it stays in memory."""
        self._word = word
        if (file := self._file) is not None:
            with suppress(OSError):
                file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                write = write_new if new else replace_file
                write(file, word.encode() + b"\n")


SteadyClock = Callable[[], float]
"""Monotonic seconds."""


def clock_time(clock: Clock) -> datetime:
    """Parse the time of a clock; use the system time if it has none."""
    text = clock()
    return datetime.fromisoformat(text) if text else datetime.now(UTC)


class DiceWordCollector(DiceKeeper):
    """The arbiter of fair dice in a live game, with time limits.

    Args:
        table: the game.
        clock: the time, ISO 8601 in UTC.
        steady: monotonic seconds.
    """

    def __init__(self, table: GameHost, clock: Clock, steady: SteadyClock) -> None:
        super().__init__(table, LIVE_PATIENCE_S, lambda: clock_time(clock))
        self._steady = steady
        self._stage, self._since = "", 0.0

    @property
    def lacking(self) -> tuple[str, ...]:
        """The seats of persons whose hash or word is missing."""
        return tuple(s for s in self._table.game.dice.lacking if not self._table.occupant(s).is_automatic)

    def begin(self) -> None:
        """Request the words to begin the game. Raises: Refusal `dice_wait` while words are missing; OSError."""
        self.ask()
        self.check_made()

    def ask(self) -> bool:
        """Request the hashes, once. Returns: whether that was done. Raises: OSError."""
        self.patience = LIVE_PATIENCE_S
        return super().ask()

    def check_made(self) -> None:
        """Raise Refusal `dice_wait`, which names the missing seats, while the dice are not made."""
        if not self.waits:
            return
        dice = self._table.game.dice
        names = ", ".join(map(self._table.rules.seat_name, self.lacking))
        if self.is_requested and dice.asked:
            message = f"The dice wait for a word of each seat: {names}, until {dice.until[11:16]} UTC at the latest."
        elif self.is_requested:
            message = f"The dice wait for a word of each seat: {names}."
        else:
            message = f"The game begins when all players are ready, or when the host starts it. It waits for {names}."
        raise Refusal("dice_wait", (), message, lacking=list(dice.lacking), until=dice.until)

    def look(self) -> bool:
        """Do what is due. Returns: whether it made the dice. Raises: OSError."""
        if not self.waits:
            self.tend()
            return False
        table = self._table
        if all(table.occupant(seat).is_automatic for seat in table.seats):
            self.ask()
        stage = table.game.dice.stage if self.is_requested else ""
        if stage != self._stage:
            self._stage, self._since = stage, self._steady()
        # where all players have agreed to begin, one who is away has time to come back and tell the word
        self.patience = LIVE_PATIENCE_S if table.game.dice.asked else MAIL_PATIENCE_S
        waited = self._steady() - self._since >= self.patience
        self.tend(leave_out=waited and self.late)
        return not self.waits
