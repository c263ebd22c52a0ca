"""Fair dice by mail: each seat commits to a word by its hash, then reveals it; the seed is committed before.

Words travel like forms: plain in an open game, signed and sealed in a sealed game.
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
from paxtui.mail import keys
from paxtui.mail.game_directory import GameDirectory, MailTerms, read_small, write_whole
from paxtui.mail.keys import key_directory, player_key
from paxtui.mail.sealed_letters import read_letter
from paxtui.mail.submissions import MailClock, set_aside_files
from paxtui.session.fair_dice import MAIL_PATIENCE_S, RANDOM_BYTES, DiceKeeper
from paxtui.session.pax_host import PaxHost
from paxtui.session.storage.files import StorageError, write_new

STAGE_REQUESTS: dict[str, str] = {
    "hashes": "a word of each seat for the dice, sealed",
    "words": "the word that each has sealed",
}
"""What is waited for, in words."""

DICE_SUFFIX = ".dice"


class DiceLetter(msgspec.Struct, frozen=True, tag="dice"):
    """What a seat says about the dice: the hash of its word, or the word."""

    game: str
    seat: str
    hash: str = ""
    word: str = ""


JOINING_DAYS = 28
"""Days for which players are waited for in a sealed game before their words are asked for."""


def joining_terms(terms: MailTerms, table: PaxHost, now: datetime) -> MailTerms:
    """The terms of a game that begins, as they are until words are asked for; as they were where no dice are fair."""
    if not table.game.dice.fair:
        return terms
    until = (now + timedelta(days=JOINING_DAYS)).isoformat(timespec="seconds")
    return replace(
        terms, fair=table.game.header.commitment, dice="joining", asks="a player for every seat",
        waits_for=tuple(terms.players), deadline=until,
    )  # fmt: skip


# --- the player -------------------------------------------------------------------------------------------------------


def send_dice_answer(folder: GameDirectory, terms: MailTerms, seat: str = "") -> str:
    """Send what is wanted of a seat for the dice, if anything is; what was sent, in a word.

    Args: the directory; its terms; the seat, "" for the only one whose key is at hand.
    Raises: Refusal `no_key`, `which_seat`, `unknown_seat`; OSError.
    """
    if terms.dice not in STAGE_REQUESTS:
        return ""
    key = player_key(terms, seat) if terms.desk_key else None
    seat = key.seat if key is not None else seat
    if seat not in terms.players:
        raise Refusal("unknown_seat", (), f"Name your seat: one of {', '.join(terms.players)}.")
    if seat not in terms.waits_for or dice_letter_path(folder, seat, terms.dice).exists():
        return ""
    word = _dice_client(terms, seat)
    hash_ = word_hash(terms.fair, seat, word)
    if terms.dice == "words" and terms.hashes.get(seat) != hash_:
        raise Refusal("no_word", (), "The word that you have sealed is not here: it lies where you joined.")
    letter = DiceLetter(terms.game, seat, hash_) if terms.dice == "hashes" else DiceLetter(terms.game, seat, "", word)
    data = msgspec.json.encode(letter)
    sealed = keys.seal_message(data, key.seed, key.desk) if key is not None else data
    write_whole(dice_letter_path(folder, seat, terms.dice), sealed)
    return terms.dice


def _dice_client(terms: MailTerms, seat: str) -> str:
    """The word of a seat, made when it is first asked for. Raises: OSError."""
    path = key_directory() / f"{terms.game}-{seat}.word"
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with suppress(FileExistsError):
        write_new(path, secrets.token_hex(RANDOM_BYTES).encode())
    return read_small(path).decode("ascii", "replace")


def dice_letter_path(folder: GameDirectory, seat: str, stage: str) -> Path:
    """Where a seat's hash or word lies."""
    return folder.orders / "dice" / f"{seat}-{stage}{DICE_SUFFIX}"


# --- the desk ---------------------------------------------------------------------------------------------------------


def advance_dice(folder: GameDirectory, table: PaxHost, terms: MailTerms, secret: bytes, now: MailClock) -> MailTerms:
    """Take what has come for the dice, leave out who has had his time, and tell the seed of a game that is over.

    Args: the directory; the game; its terms; the desk's secret key, b"" in an open game; the time.
    Returns: the terms as they are after it.
    Raises: OSError.
    """
    dice = table.game.dice
    if not dice.fair:
        return terms
    keeper = DiceKeeper(table, MAIL_PATIENCE_S, now)
    ready = not terms.desk_key or set(terms.keys) == set(terms.players) or terms.closed(now())
    if not ready and not dice.asked:
        return terms
    keeper.ask()
    for stage in ("hashes", "words"):
        if dice.stage == stage:
            _take_letters(folder, table, terms, secret)
            keeper.tend(leave_out=keeper.late)
    keeper.tend()
    if dice.stage not in STAGE_REQUESTS:
        return replace(terms, dice=dice.stage)
    return replace(
        terms, dice=dice.stage, hashes=dict(dice.hashes), waits_for=dice.lacking, asks=STAGE_REQUESTS[dice.stage],
        deadline=datetime.fromisoformat(dice.until).isoformat() if dice.until else terms.deadline,
    )  # fmt: skip


def _take_letters(folder: GameDirectory, table: PaxHost, terms: MailTerms, secret: bytes) -> None:
    """Put what has come into the log; what is none of it is kept aside. Raises: OSError."""
    directory, dice = folder.orders / "dice", table.game.dice
    for path in sorted(directory.glob(f"*{DICE_SUFFIX}")) if directory.is_dir() else ():
        try:
            seat = path.name.removesuffix(DICE_SUFFIX).rpartition("-")[0]
            data = read_small(path)
            if secret:
                data = keys.open_sealed_message(data, secret, terms.keys.get(seat, ""))
            letter = read_letter(data, DiceLetter)
            if (letter.game, letter.seat) != (terms.game, seat):
                raise Refusal("other_game", (), "The letter is for another game or seat.")
            known = dice.hashes.get(seat) == letter.hash if letter.hash else dice.words.get(seat) == letter.word
            if not known:  # else it was taken by a program that was killed then
                table.dice_note(WordHash(letter.hash) if letter.hash else Word(letter.word), seat)
        except (Refusal, StorageError) as problem:
            set_aside_files(directory, {path.name: str(problem)})
        else:
            path.unlink()
