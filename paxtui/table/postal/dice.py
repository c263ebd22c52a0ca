"""Fair dice by mail: each seat sends the hash of a word, then the word; the desk has promised its seed before.

Words travel as forms do: plain in an open game, signed and sealed in a sealed one.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

import msgspec
from msgspec.structs import replace

from paxtui.engine.fair_dice import Word, WordHash, word_hash
from paxtui.engine.refusal import Refusal
from paxtui.table.arbiter.fair_dice import BY_MAIL, DiceKeeper
from paxtui.table.arbiter.own_word import RANDOM
from paxtui.table.authority import Table
from paxtui.table.disk.files import StoreError, write_new
from paxtui.table.postal import seals
from paxtui.table.postal.arrivals import Now, put_aside
from paxtui.table.postal.folder import Folder, read_small, write
from paxtui.table.postal.keys import own_key, ring
from paxtui.table.postal.letters import read_letter
from paxtui.table.postal.terms import Terms

ASKS: dict[str, str] = {"hashes": "a word of each seat for the dice, sealed", "words": "the word that each has sealed"}
"""What is waited for, in words."""

SUFFIX = ".dice"


class DiceLetter(msgspec.Struct, frozen=True, tag="dice"):
    """What a seat says about the dice: the hash of its word, or the word."""

    game: str
    seat: str
    hash: str = ""
    word: str = ""


JOINING_DAYS = 28
"""Days for which players are waited for in a sealed game before their words are asked for."""


def joining(terms: Terms, table: Table, now: datetime) -> Terms:
    """The terms of a game that begins, as they are until words are asked for; as they were where no dice are fair."""
    if not table.game.dice.fair:
        return terms
    until = (now + timedelta(days=JOINING_DAYS)).isoformat(timespec="seconds")
    return replace(
        terms, fair=table.game.header.commitment, dice="joining", asks="a player for every seat",
        waits_for=tuple(terms.players), deadline=until,
    )  # fmt: skip


# --- the player -------------------------------------------------------------------------------------------------------


def answer(folder: Folder, terms: Terms, seat: str = "") -> str:
    """Send what is wanted of a seat for the dice, if anything is; what was sent, in a word.

    Args: the directory; its terms; the seat, "" for the only one whose key is at hand.
    Raises: Refusal `no_key`, `which_seat`, `unknown_seat`; OSError.
    """
    if terms.dice not in ASKS:
        return ""
    key = own_key(terms, seat) if terms.desk_key else None
    seat = key.seat if key is not None else seat
    if seat not in terms.players:
        raise Refusal("unknown_seat", (), f"Name your seat: one of {', '.join(terms.players)}.")
    if seat not in terms.waits_for or letter_of(folder, seat, terms.dice).exists():
        return ""
    word = _own_word(terms, seat)
    hash_ = word_hash(terms.fair, seat, word)
    if terms.dice == "words" and terms.hashes.get(seat) != hash_:
        raise Refusal("no_word", (), "The word that you have sealed is not here: it lies where you joined.")
    letter = DiceLetter(terms.game, seat, hash_) if terms.dice == "hashes" else DiceLetter(terms.game, seat, "", word)
    data = msgspec.json.encode(letter)
    sealed = seals.sealed(data, key.seed, key.desk) if key is not None else data
    write(letter_of(folder, seat, terms.dice), sealed)
    return terms.dice


def _own_word(terms: Terms, seat: str) -> str:
    """The word of a seat, made when it is first asked for. Raises: OSError."""
    path = ring() / f"{terms.game}-{seat}.word"
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with suppress(FileExistsError):
        write_new(path, secrets.token_hex(RANDOM).encode())
    return read_small(path).decode("ascii", "replace")


def letter_of(folder: Folder, seat: str, stage: str) -> Path:
    """Where a seat's hash or word lies."""
    return folder.orders / "dice" / f"{seat}-{stage}{SUFFIX}"


# --- the desk ---------------------------------------------------------------------------------------------------------


def tend(folder: Folder, table: Table, terms: Terms, secret: bytes, now: Now) -> Terms:
    """Take what has come for the dice, leave out who has had his time, and tell the seed of a game that is over.

    Args: the directory; the game; its terms; the desk's secret key, b"" in an open game; the time.
    Returns: the terms as they are after it.
    Raises: OSError.
    """
    dice = table.game.dice
    if not dice.fair:
        return terms
    keeper = DiceKeeper(table, BY_MAIL, now)
    ready = not terms.desk_key or set(terms.keys) == set(terms.players) or terms.closed(now())
    if not ready and not dice.asked:
        return terms
    keeper.ask()
    for stage in ("hashes", "words"):
        if dice.stage == stage:
            _take(folder, table, terms, secret)
            keeper.tend(leave_out=keeper.late)
    keeper.tend()
    if dice.stage not in ASKS:
        return replace(terms, dice=dice.stage)
    return replace(
        terms, dice=dice.stage, hashes=dict(dice.hashes), waits_for=dice.lacking, asks=ASKS[dice.stage],
        deadline=datetime.fromisoformat(dice.until).isoformat() if dice.until else terms.deadline,
    )  # fmt: skip


def _take(folder: Folder, table: Table, terms: Terms, secret: bytes) -> None:
    """Put what has come into the log; what is none of it is kept aside. Raises: OSError."""
    directory, dice = folder.orders / "dice", table.game.dice
    for path in sorted(directory.glob(f"*{SUFFIX}")) if directory.is_dir() else ():
        try:
            seat = path.name.removesuffix(SUFFIX).rpartition("-")[0]
            data = read_small(path)
            if secret:
                data = seals.opened(data, secret, terms.keys.get(seat, ""))
            letter = read_letter(data, DiceLetter)
            if (letter.game, letter.seat) != (terms.game, seat):
                raise Refusal("other_game", (), "The letter is for another game or seat.")
            known = dice.hashes.get(seat) == letter.hash if letter.hash else dice.words.get(seat) == letter.word
            if not known:  # else it was taken by a program that was killed then
                table.dice_note(WordHash(letter.hash) if letter.hash else Word(letter.word), seat)
        except (Refusal, StoreError) as problem:
            put_aside(directory, {path.name: str(problem)})
        else:
            path.unlink()
