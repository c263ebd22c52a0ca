"""What a player's program sends beside his forms: the key of a locked one, and his word for fair dice.

Rules: PBM-018
"""

from __future__ import annotations

from pathlib import PurePosixPath

from paxtui.engine.refusal import Refusal
from paxtui.postal.reading import Enclosed
from paxtui.table.postal import seals
from paxtui.table.postal.dice import SUFFIX, DiceLetter, letter_of
from paxtui.table.postal.folder import TERMS, Folder, write
from paxtui.table.postal.letters import read_letter
from paxtui.table.postal.locks import UNLOCKING, UnlockLetter, unlocking_of
from paxtui.table.postal.terms import Terms, said_anywhere


def is_proof(file: Enclosed) -> bool:
    """Whether a file is a key or a word."""
    return file.name.endswith((UNLOCKING, SUFFIX))


def seat_of_file(file: Enclosed) -> str:
    """The seat that a file is named for; that of a word has its step behind it."""
    stem = PurePosixPath(file.name).stem
    return stem.rpartition("-")[0] if file.name.endswith(SUFFIX) else stem


def take_proof(folder: Folder, terms: Terms, file: Enclosed, seat: str, secret: bytes) -> None:
    """Take a key or a word. Args: the directory; its terms; the file; its seat; the desk's key, empty in an open game.

    Raises: Refusal `no_key_yet`, `not_yet`, `other_game`, `not_for_us`, `bad_signature`, `not_text`; OSError.
    """
    if secret and seat not in terms.keys:
        raise Refusal("no_key_yet", (), f"Nobody has taken the seat of {seat} with its code.")
    data = seals.opened(file.data, secret, terms.keys[seat]) if secret else file.data
    if file.name.endswith(UNLOCKING):
        if not (terms.two_step and terms.opening):
            raise Refusal("not_yet", (), "Keys are sent once no more forms are taken, and before the forms are opened.")
        key = read_letter(data, UnlockLetter)
        if (key.game, key.stop, key.seat) != (terms.game, terms.stop, seat):
            raise Refusal("other_stop", (), "The key is for another game, stop or seat.")
        write(unlocking_of(folder, terms.stop, seat), file.data)
        return
    stage = PurePosixPath(file.name).stem.rpartition("-")[2]
    if not terms.dice or stage != terms.dice:
        raise Refusal("not_yet", (), f"The dice do not wait for {stage[:20]} now.")
    word = read_letter(data, DiceLetter)
    if (word.game, word.seat) != (terms.game, seat):
        raise Refusal("other_game", (), "The word is for another game or seat.")
    write(letter_of(folder, seat, stage), file.data)


def asked_of(terms: Terms, seat: str) -> tuple[str, str]:
    """What is wanted of a seat's program now: what it is, and in sentences; "" for nothing."""
    if terms.opening and seat in terms.boxes:
        what, file = f"key {terms.opening}", f"orders/{terms.stop:04}/{seat}{UNLOCKING}"
        why = "No more forms are taken: now the desk needs the key of yours, which your program has kept."
    elif terms.dice in ("hashes", "words") and seat in terms.waits_for:
        what, file = f"dice {terms.dice}", f"orders/dice/{seat}-{terms.dice}{SUFFIX}"
        why = f"The dice of this game are fair: each player's program has a part in them. Wanted: {terms.asks}."
    elif not terms.stop and terms.desk_key and seat not in terms.keys:
        what, file = "join", f"orders/joining/{seat}.join"
        why = "A seat of a sealed game is kept for you; the gamemaster gives you its code."
        type_ = f"Put {TERMS} into a directory and type\n    paxtui postal join DIR CODE --name YOURS\n"
        return what, f"{why}\n{type_}{_send(file)}"
    else:
        return "", ""
    until = terms.opening or terms.deadline
    when = f" Until {said_anywhere(until)}." if until else ""
    type_ = f"Put {TERMS} into your directory of the game and type\n    paxtui postal answer DIR --seat {seat}\n"
    return what, f"{why}{when}\n{type_}{_send(file)}"


def _send(file: str) -> str:
    return f"and send the file {file} that it makes as the enclosure of your answer, its subject as it is.\n"
