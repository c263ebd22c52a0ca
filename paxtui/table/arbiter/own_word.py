"""The word that a seat gives for fair dice: made by the seat's own program, and kept by it until it is told.

It has something random in it, so that nobody finds it from its hash; a player may put something of his own before that.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from paxtui.engine.fair_dice import LONGEST_WORD, FairDice, Word, WordHash, word_hash
from paxtui.engine.log import Header
from paxtui.engine.refusal import Refusal
from paxtui.pax.words.free_text import clean
from paxtui.table.disk.files import read_regular, write_new, write_over

RANDOM = 16
"""Random bytes in a word."""

LONGEST_TYPED = LONGEST_WORD - 2 * RANDOM - 1
"""Characters that a player may put before them."""


class OwnWord:
    """The word of one seat of one game.

    Args:
        header: of the game.
        seat: whose word it is.
        folder: where it is kept, so that another terminal of the same player, or the next program, can tell it; None
            for nowhere.
    """

    def __init__(self, header: Header, seat: str, folder: Path | None) -> None:
        self._promise, self._seat = header.commitment, seat
        self._folder = folder / "words" if folder is not None else None
        self._word, self._round = "", 1

    def choose(self, typed: str, dice: FairDice) -> WordHash:
        """Take what a player has typed into the word; the note that seals it.

        Raises: Refusal `plain_dice`, `dice_stage`, `dice_twice`, `bad_word`; OSError.
        """
        if not dice.fair:
            raise Refusal("plain_dice", (), "The dice of this game need no words.")
        self._turn_to(dice.round)
        text = clean(typed)
        if not text or len(text) > LONGEST_TYPED:
            raise Refusal("bad_word", (), f"A word for the dice has 1 to {LONGEST_TYPED} characters.")
        if self._seat in dice.hashes:
            raise Refusal("dice_twice", (), "Your word for the dice is sealed already.")
        word = f"{text} {secrets.token_hex(RANDOM)}"
        note = WordHash(word_hash(self._promise, self._seat, word, dice.round))
        dice.check(self._seat, note, over=False)
        self._keep(word, new=False)
        return note

    def seal(self, dice: FairDice) -> WordHash | None:
        """The hash of the word before anybody asks for it: the seat is ready to begin. None where it is given."""
        if not dice.fair or dice.stage != "hashes" or self._seat not in dice.lacking:
            return None
        return self._hash(dice)

    def next_note(self, dice: FairDice) -> WordHash | Word | None:
        """What the seat has to say about the dice now: None where nothing is wanted of it."""
        if dice.stage == "hashes" and dice.asked and self._seat in dice.lacking:
            return self._hash(dice)
        if dice.stage == "words" and self._seat in dice.lacking:
            self._turn_to(dice.round)
            word = self._kept()
            if word and word_hash(self._promise, self._seat, word, dice.round) == dice.hashes[self._seat]:
                return Word(word)
        return None

    def _hash(self, dice: FairDice) -> WordHash:
        """The hash of the word of this round, which is made when there is none."""
        self._turn_to(dice.round)
        return WordHash(word_hash(self._promise, self._seat, self._kept() or self._made(), dice.round))

    def _turn_to(self, round_: int) -> None:
        """Forget the word of another round: each round has a fresh one."""
        if round_ != self._round:
            self._word, self._round = "", round_

    @property
    def _file(self) -> Path | None:
        """Where the word of this round is kept."""
        later = f"|{self._round}" if self._round > 1 else ""
        name = sha256(f"{self._promise}|{self._seat}{later}".encode()).hexdigest()[:16]
        return self._folder / name if self._folder is not None else None

    def _made(self) -> str:
        """A word that nobody foresees."""
        self._keep(secrets.token_hex(RANDOM), new=True)
        return self._kept()

    def _kept(self) -> str:
        """The word as it was kept, by whichever program of the player's was first."""
        if (file := self._file) is not None:
            with suppress(OSError):
                self._word = read_regular(file).decode("utf-8", "replace").strip("\n") or self._word
        return self._word

    def _keep(self, word: str, new: bool) -> None:
        """Keep a word; one that is only made does not replace another. What cannot be written is kept in mind."""
        self._word = word
        if (file := self._file) is not None:
            with suppress(OSError):
                file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                write = write_new if new else write_over
                write(file, word.encode() + b"\n")
