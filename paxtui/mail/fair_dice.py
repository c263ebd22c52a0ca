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
from paxtui.mail.submissions import MailClock, quarantine_files
from paxtui.session.fair_dice import MAIL_PATIENCE_S, RANDOM_BYTES, DiceKeeper
from paxtui.session.pax_host import PaxHost
from paxtui.session.storage.files import StorageError, write_new

STAGE_REQUESTS: dict[str, str] = {
    "hashes": "a sealed word for the dice from each seat",
    "words": "the sealed word of each seat, revealed",
}
"""Description of each step."""

DICE_SUFFIX = ".dice"


class DiceLetter(msgspec.Struct, frozen=True, tag="dice"):
    """Letter of a seat about the dice: the hash of its word, or the word."""

    game: str
    seat: str
    hash: str = ""
    word: str = ""


JOINING_DAYS = 28
"""Days for players to join a sealed game, before their words are required."""


def joining_terms(terms: MailTerms, table: PaxHost, now: datetime) -> MailTerms:
    """Return the terms of a new game with fair dice before words are required; otherwise unchanged."""
    if not table.game.dice.fair:
        return terms
    until = (now + timedelta(days=JOINING_DAYS)).isoformat(timespec="seconds")
    return replace(
        terms, fair=table.game.header.commitment, dice="joining", asks="a player for every seat",
        waits_for=tuple(terms.players), deadline=until,
    )  # fmt: skip


# --- the player -------------------------------------------------------------------------------------------------------


def send_dice_answer(folder: GameDirectory, terms: MailTerms, seat: str = "") -> str:
    """Send the dice letter of a seat, if one is needed; return the step, "" for none.

    Args: the directory; its terms; the seat, "" for the only one with a key.
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
    word = _dice_word(terms, seat)
    hash_ = word_hash(terms.fair, seat, word)
    if terms.dice == "words" and terms.hashes.get(seat) != hash_:
        raise Refusal(
            "no_word", (), "Your sealed word is not on this computer. Run the command where you joined the game."
        )
    letter = DiceLetter(terms.game, seat, hash_) if terms.dice == "hashes" else DiceLetter(terms.game, seat, "", word)
    data = msgspec.json.encode(letter)
    sealed = keys.seal_message(data, key.seed, key.desk) if key is not None else data
    write_whole(dice_letter_path(folder, seat, terms.dice), sealed)
    return terms.dice


def _dice_word(terms: MailTerms, seat: str) -> str:
    """Return the word of a seat; create it on first use. Raises: OSError."""
    path = key_directory() / f"{terms.game}-{seat}.word"
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with suppress(FileExistsError):
        write_new(path, secrets.token_hex(RANDOM_BYTES).encode())
    return read_small(path).decode("ascii", "replace")


def dice_letter_path(folder: GameDirectory, seat: str, stage: str) -> Path:
    """Return the path of a seat's hash or word."""
    return folder.orders / "dice" / f"{seat}-{stage}{DICE_SUFFIX}"


# --- the desk ---------------------------------------------------------------------------------------------------------


def advance_dice(folder: GameDirectory, table: PaxHost, terms: MailTerms, secret: bytes, now: MailClock) -> MailTerms:
    """Process dice letters, skip seats that are too late, and reveal the seed of a finished game.

    Args: the directory; the game; its terms; the gamemaster's secret key, b"" in an open game; the time.
    Returns: the new terms.
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
    """Add dice letters to the log; set invalid ones aside. Raises: OSError."""
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
            if not known:  # otherwise a killed process has accepted it already
                table.dice_note(WordHash(letter.hash) if letter.hash else Word(letter.word), seat)
        except (Refusal, StorageError) as problem:
            quarantine_files(directory, {path.name: str(problem)})
        else:
            path.unlink()
