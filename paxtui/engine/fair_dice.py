"""Fair dice: the dice depend on a committed seed and on a secret word of each seat, so no seat can choose them.

The header holds the hash of the seed. Each seat first sends the hash of its word, then the word itself, as notes of the
log. The arbiter's notes set the deadlines, name the seats that are left out, and reveal the seed at the end of the
game. Then every die can be checked. An undo returns no dice, and no die is rolled after the seed is revealed.

If the host takes the game back to before its start, the words are collected again in a new round. Hashes and dice of
later rounds depend on the round number. Hashes and words of earlier rounds are rejected.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Literal, get_args

import msgspec

from paxtui.engine.dice import commitment
from paxtui.engine.log import Header, Line
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER
from paxtui.engine.upcast import Raw

LONGEST_WORD = 200
"""Maximum length of a word, in characters."""

DicePhase = Literal["hashes", "words", "made", "told"]
"""What is waited for: hashes, words, or nothing more until the game is over; then the seed is told."""


class _Note(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    pass


class WordsRequested(_Note, frozen=True, tag="dice_asked"):
    """The arbiter asks for hashes. Seats without a hash at `until` (ISO 8601) may be left out."""

    until: str


class WordHash(_Note, frozen=True, tag="dice_hash"):
    """The hash of a seat's word, see `word_hash`."""

    hash: str


class HashesClosed(_Note, frozen=True, tag="dice_hashes_closed"):
    """The arbiter accepts no more hashes and asks for the words.

    Attributes:
        silent: seats that are left out because they gave no hash.
        bots: seats of bots, which give none.
        until: ISO 8601 time from which seats without a word may be left out.
    """

    silent: tuple[str, ...]
    bots: tuple[str, ...]
    until: str


class Word(_Note, frozen=True, tag="dice_word"):
    """The word of a seat."""

    word: str


class WordsClosed(_Note, frozen=True, tag="dice_words_closed"):
    """The arbiter accepts no more words, and the dice are made. `silent`: seats with a hash and no word."""

    silent: tuple[str, ...]


class DicePassed(_Note, frozen=True, tag="dice_passed"):
    """The arbiter notes that the undo in the line before took back dice, which are not rolled again.

    Attributes:
        taken_back: count of numbers drawn in the acts taken back.
        next: the number of the next die, counted from 0.
    """

    taken_back: int
    next: int


class WordsReopened(_Note, frozen=True, tag="dice_reopened"):
    """The arbiter collects words again, because the game was taken back to before its start.

    Attributes:
        round: number of the new round. No note opens round 1.
    """

    round: int


class SeedRevealed(_Note, frozen=True, tag="dice_seed"):
    """The seed, revealed by the arbiter when the game is over."""

    seed: str


DiceNote = WordsRequested | WordHash | HashesClosed | Word | WordsClosed | DicePassed | WordsReopened | SeedRevealed

_OF_SEATS = (WordHash, Word)
_TAGS = frozenset(kind.__struct_config__.tag for kind in get_args(DiceNote))


def is_dice_note(content: object) -> bool:
    """Whether the content of a note is about fair dice."""
    return isinstance(content, dict) and content.get("type") in _TAGS


def read_note(content: object) -> DiceNote:
    """Decode a note of the log. Raises: ValueError."""
    note: DiceNote = msgspec.convert(content, DiceNote)
    return note


def word_hash(promise: str, seat: str, word: str, round_: int = 1) -> str:
    """Return the hash by which a seat commits to its word. It holds for this seat and round of this game only.

    A short word can be found by trying.

    Args:
        promise: the commitment in the header, different in each game.
        word: its word.
        round_: the round of words.
    """
    return _hash_parts("paxtui/word", promise, seat, word, *_later_round(round_)).hex()


def dice_key(seed: str, words: Iterable[tuple[str, str]], round_: int = 1) -> str:
    """Return the key that replaces the seed of the dice in a fair game.

    Args:
        seed: the seed.
        words: seat and word of each seat that gave one, in the order of the seats.
        round_: the round of words.
    """
    parts = [part for seat_and_word in words for part in seat_and_word]
    return _hash_parts("paxtui/fair", seed, *parts, *_later_round(round_)).hex()


def _later_round(round_: int) -> tuple[str, ...]:
    # hashes of round 1 do not contain its number, as in older logs
    return (f"round {round_}",) if round_ > 1 else ()


def _hash_parts(*parts: str) -> bytes:
    # each part is hashed first, so that no two lists of parts give the same bytes
    whole = sha256()
    for part in parts:
        whole.update(sha256(part.encode("utf-8", "surrogatepass")).digest())
    return whole.digest()


class FairDice:
    """The progress of the fair dice protocol in one game, from the lines of its log.

    Attributes:
        fair: whether the game has fair dice; other games need no notes about dice.
        stage: what the protocol waits for.
        asked: whether the arbiter has asked for hashes.
        until: ISO 8601 time from which missing seats may be left out; "" if there is none.
        hashes: the hash of each seat that gave one.
        words: the word of each seat that gave one.
        seed: the revealed seed, or "".
        round: number of the round of words, from 1.
        made_at: the line that made the dice of this round; 0 before.
        reopened_at: the line that opened this round, 0 for the first.
    """

    def __init__(self, header: Header) -> None:
        self._header = header
        self.fair = header.dice == "fair"
        self.stage: DicePhase = "hashes"
        self.asked = False
        self.until = ""
        self.hashes: dict[str, str] = {}
        self.words: dict[str, str] = {}
        self.seed = ""
        self.round = 1
        self.made_at = 0
        self.reopened_at = 0
        self._spent: set[str] = set()  # hashes and words of earlier rounds
        self._key = ("", "")

    @property
    def contributors(self) -> tuple[str, ...]:
        """The seats that gave a word, in seat order."""
        return self._in_order(self.words)

    @property
    def lacking(self) -> tuple[str, ...]:
        """The seats whose hash or word is missing."""
        if self.stage == "hashes":
            return tuple(seat for seat in self._header.seats if seat not in self.hashes)
        if self.stage == "words":
            return tuple(seat for seat in self._in_order(self.hashes) if seat not in self.words)
        return ()

    def key(self, seed: str) -> str:
        """Return the key of the dice. `seed` is "" if it is unknown.

        Raises:
            Refusal: `no_seed`, `dice_wait`, if no die can be rolled.
        """
        if not self.fair:
            if self._header.commitment and not seed:
                raise Refusal("no_seed", (), "The seed of this game is missing, so no dice can be rolled.")
            return seed
        if self.stage in ("hashes", "words"):
            waited = ", ".join(self.lacking)
            message = f"The dice are not ready: they wait for {waited or 'the table'}."
            raise Refusal("dice_wait", (), message, stage=self.stage, lacking=list(self.lacking), until=self.until)
        if not seed:
            raise Refusal("no_seed", (), "The seed of this game is missing, so no dice can be rolled.")
        if self._key[0] != seed:
            words = ((seat, self.words[seat]) for seat in self.contributors)
            self._key = (seed, dice_key(seed, words, self.round))
        return self._key[1]

    def check_open(self) -> None:
        """Check that the seed is not revealed.

        Raises:
            Refusal: ``seed_told``.
        """
        if self.stage == "told":
            raise Refusal("seed_told", (), "The seed of the dice has been published, so the result is final.")

    def is_before(self, line: int) -> bool:
        """Return whether a line is before the start of the game: the dice were not made yet.

        While words are collected this holds for each line; it is False before the arbiter has asked for words.
        """
        if self.stage == "made":
            return line < self.made_at
        return self.fair and self.stage != "told" and (self.asked or self.stage == "words")

    def check(
        self, seat: str, note: DiceNote, over: bool, passed: DicePassed | None = None, begun: bool = False
    ) -> None:
        """Check that a seat may write a note now.

        Args:
            note: its content.
            over: whether the game is over.
            passed: the note that is due about dice taken back; None if there were none.
            begun: whether an act after the creation of the dice is in force.

        Raises:
            Refusal: `plain_dice`, `not_a_player`, `not_arbiter`, `dice_stage`, `dice_twice`, `bad_hash`, `bad_word`,
                `dice_left_out`, `wrong_seed`, `dice_not_over`, `dice_passed`, `dice_begun`.
        """
        if not self.fair:
            raise Refusal("plain_dice", (), "The dice of this game need no words from players.")
        if isinstance(note, _OF_SEATS):
            if seat not in self._header.seats:
                raise Refusal("not_a_player", (), "Only players with a seat can give a word for the dice.")
        elif seat != ARBITER:
            raise Refusal("not_arbiter", (), "Only the arbiter can do that.")
        match note:
            case WordsRequested():
                self._check_phase("hashes")
            case WordHash(hash_):
                self._check_hash(seat, hash_)
            case HashesClosed(silent, bots, _):
                self._check_phase("hashes")
                if set(silent) & set(bots) or sorted((*silent, *bots)) != sorted(self.lacking):
                    raise _left_out(self.lacking, "hash")
            case Word(word):
                self._check_word(seat, word)
            case WordsClosed(silent):
                self._check_phase("words")
                if tuple(silent) != self.lacking:
                    raise _left_out(self.lacking, "word")
            case DicePassed():
                if note != passed:
                    raise Refusal("dice_passed", (), "It does not say which dice the undo before it went past.")
            case WordsReopened(round_):
                self._check_reopening(round_, begun)
            case SeedRevealed(seed):
                self._check_seed(seed, over)

    def _check_reopening(self, round_: int, begun: bool) -> None:
        self.check_open()
        if begun:
            raise Refusal("dice_begun", (), "Acts are in force that came after the dice were made.")
        if not self.is_before(self.made_at - 1):
            raise Refusal("dice_stage", (), "No new words have been requested since the last round.")
        if round_ != self.round + 1:
            raise Refusal("dice_stage", (), f"The next round of words is {self.round + 1}, not {round_}.")

    def _check_phase(self, stage: DicePhase) -> None:
        if self.stage != stage:
            late = {
                "hashes": "No more hashes of words are taken: the words are being told, or the dice are made.",
                "words": "Words are told after all hashes are there, and before the dice are made.",
            }
            raise Refusal("dice_stage", (), late.get(stage, "This is not possible now."))

    def _check_hash(self, seat: str, hash_: str) -> None:
        self._check_phase("hashes")
        if seat in self.hashes:
            raise Refusal("dice_twice", (), f"{seat} has already given the hash of its word.")
        if len(hash_) != 64 or set(hash_) - set("0123456789abcdef"):
            raise Refusal("bad_hash", (), "The hash of a word has 64 hexadecimal digits.")
        if hash_ in self._spent:
            raise Refusal("bad_hash", (), "This hash was given in an earlier round of words: choose another word.")
        copied = [other for other, known in self.hashes.items() if known == hash_]
        if copied:
            message = f"This is the hash that {copied[0]} has given: each seat has a word of its own."
            raise Refusal("bad_hash", (), message)

    def _check_word(self, seat: str, word: str) -> None:
        self._check_phase("words")
        if seat not in self.hashes:
            raise Refusal("dice_left_out", (), f"{seat} has given no hash, so it has no word for the dice.")
        if seat in self.words:
            raise Refusal("dice_twice", (), f"{seat} has already given its word.")
        if not word or len(word) > LONGEST_WORD or not word.isprintable():
            message = f"A word for the dice has 1 to {LONGEST_WORD} characters, all of which can be printed."
            raise Refusal("bad_word", (), message)
        if word_hash(self._header.commitment, seat, word, self.round) != self.hashes[seat]:
            raise Refusal("bad_word", (), f"This is not the word whose hash {seat} has given.")
        if word in self._spent:
            raise Refusal("bad_word", (), "This word was published in an earlier round.")

    def _check_seed(self, seed: str, over: bool) -> None:
        if self.stage == "told":
            raise Refusal("dice_twice", (), "The seed has already been published.")
        if commitment(seed) != self._header.commitment:
            raise Refusal("wrong_seed", (), "This is not the seed that was promised at the beginning.")
        if not over:
            raise Refusal("dice_not_over", (), "The seed can be published only when the game is over.")

    def follow(self, line: Line, begun: bool = False) -> None:
        """Add the next line of the log. Invalid notes are ignored.

        Args:
            begun: whether an act after the creation of the dice is in force.
        """
        if not self.fair or line.kind != "note" or not is_dice_note(line.action):
            return
        try:
            note = read_note(line.action)
            if not isinstance(note, DicePassed):
                self.check(line.seat, note, over=True, begun=begun)
        except (Refusal, ValueError):
            return
        match note:
            case WordsRequested(until):
                self.asked, self.until = True, until
            case WordHash(hash_):
                self.hashes[line.seat] = hash_
            case HashesClosed(_, _, until):
                self.stage, self.until = "words", until
            case Word(word):
                self.words[line.seat] = word
            case WordsClosed():
                self.stage, self.until, self.made_at = "made", "", line.n
            case WordsReopened(round_):
                self._spent.update(self.hashes.values(), self.words.values())
                self.hashes, self.words = {}, {}
                self.stage, self.asked, self.until, self.made_at = "hashes", False, "", 0
                self.round, self.reopened_at, self._key = round_, line.n, ("", "")
            case SeedRevealed(seed):
                self.stage, self.seed = "told", seed

    def _in_order(self, given: Mapping[str, str]) -> tuple[str, ...]:
        return tuple(seat for seat in self._header.seats if seat in given)


def revealed_seed(header: Header, lines: Iterable[Line]) -> str:
    """Return the seed revealed in the lines if it matches the commitment, otherwise ""."""
    for line in lines:
        content = line.action
        if line.kind == "note" and isinstance(content, dict) and content.get("type") == "dice_seed":
            seed = content.get("seed")
            if isinstance(seed, str) and commitment(seed) == header.commitment:
                return seed
    return ""


def raw_note(note: DiceNote) -> Raw:
    """Encode a note for the log."""
    raw: Raw = msgspec.to_builtins(note)
    return raw


def _left_out(lacking: tuple[str, ...], what: str) -> Refusal:
    names = ", ".join(lacking) or "nobody"
    message = f"Seats without a {what}: {names}. The note must name exactly these."
    return Refusal("dice_left_out", (), message)
