"""Forms that the desk cannot read before the deadline: locked by a key that their player sends after it.

Before the deadline comes a letter with the form in a locked box; when no more forms are taken everybody who has sent
one sends the key. One whose key does not come is a missed move.

Rules: PBM-018
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from pathlib import Path

import msgspec

from paxtui.engine.refusal import Refusal
from paxtui.table.disk.files import write_over
from paxtui.table.postal import seals
from paxtui.table.postal.folder import Folder, read_small, write
from paxtui.table.postal.keys import SeatKey, ring
from paxtui.table.postal.letters import FormLetter, LockedLetter, read_letter
from paxtui.table.postal.terms import Terms

KEYS_DAYS = 3
"""Days for which keys are waited for once no more forms are taken."""

UNLOCKING = ".unlock"


class UnlockLetter(msgspec.Struct, frozen=True, tag="unlock"):
    """The key of a locked form."""

    game: str
    stop: int
    seat: str
    key: str


def locked_form(terms: Terms, key: SeatKey, text: str) -> bytes:
    """A form on its way to the desk, locked; its key is kept in the player's own data directory. Raises: OSError."""
    form = FormLetter(terms.game, terms.stop, key.seat, text)
    lock = seals.new_key()
    write_over(_kept(terms, key.seat), lock.hex().encode())
    box = seals.locked(seals.signed(msgspec.json.encode(form), key.seed), lock)
    letter = LockedLetter(terms.game, terms.stop, key.seat, b64encode(box).decode())
    return seals.sealed(msgspec.json.encode(letter), key.seed, key.desk)


def unlock(folder: Folder, terms: Terms, key: SeatKey) -> bool:
    """Send the key of the form of this stop, if one was sent and it is time; whether it was. Raises: OSError."""
    path, kept = unlocking_of(folder, terms.stop, key.seat), _kept(terms, key.seat)
    if not terms.opening or path.exists() or not kept.exists():
        return False
    letter = UnlockLetter(terms.game, terms.stop, key.seat, read_small(kept).decode("ascii", "replace"))
    write(path, seals.sealed(msgspec.json.encode(letter), key.seed, key.desk))
    return True


def key_sent(folder: Folder, terms: Terms, seat: str, secret: bytes) -> str:
    """The key of a seat's form, "" where it has not come. Args: the directory; its terms; the seat; the desk's key.

    Raises: Refusal, where what came is no such letter; OSError.
    """
    path = unlocking_of(folder, terms.stop, seat)
    if not path.is_file() or seat not in terms.keys:
        return ""
    letter = read_letter(seals.opened(read_small(path), secret, terms.keys[seat]), UnlockLetter)
    if (letter.game, letter.stop, letter.seat) != (terms.game, terms.stop, seat):
        raise Refusal("other_stop", (), "The key is for another game, stop or seat.")
    return letter.key


def opened_box(box: str, key: str) -> bytes:
    """What is in a locked box, its signature in front. Raises: Refusal `locked`."""
    try:
        return seals.unlocked(b64decode(box, validate=True), bytes.fromhex(key))
    except ValueError:
        raise Refusal("locked", (), "The key does not open the form.") from None


def unlocking_of(folder: Folder, stop: int, seat: str) -> Path:
    """Where the key of a form lies."""
    return folder.orders_of(stop) / f"{seat}{UNLOCKING}"


def _kept(terms: Terms, seat: str) -> Path:
    return ring() / f"{terms.game}-{seat}-{terms.stop}.lock"
