"""Who holds which seat of a sealed game: codes from the desk, keys of players, and how a code becomes a key.

A player's key lies in his own data directory, beside the key of the desk as his code named it: a desk with another key
is not spoken to.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from secrets import token_hex

import msgspec
from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.table.disk.files import write_over
from paxtui.table.disk.resources import player_data
from paxtui.table.postal import seals
from paxtui.table.postal.folder import Folder, read_small, write
from paxtui.table.postal.terms import Terms

FINGERPRINT = 16
"""Signs of a key by which a code names it."""

JOINING = ".join"
ASKED = ".key-asked"
"""Ending of a key that was made for a new code while there was another."""

CODE_BYTES = 10


class SeatKey(msgspec.Struct, frozen=True):
    """The key of a seat, as its player keeps it: game and seat, the secret in hexadecimal, the desk's public key."""

    game: str
    seat: str
    secret: str
    desk: str

    @property
    def seed(self) -> bytes:
        """The secret key."""
        return bytes.fromhex(self.secret)


class Joining(msgspec.Struct, frozen=True):
    """What a player sends to take a seat: the code, his public key and his name."""

    game: str
    seat: str
    code: str
    key: str
    name: str = ""


# --- codes ------------------------------------------------------------------------------------------------------------


def with_desk_key(folder: Folder, terms: Terms, two_step: bool) -> Terms:
    """Make a key for the desk: the terms of a game in which forms are sealed, and locked too. Raises: Refusal
    `no_seals`; OSError."""
    seals.check()
    secret = seals.new_key()
    write(folder.key, secret.hex(), 0o600)
    return replace(terms, desk_key=seals.public_key(secret), two_step=two_step)


def new_code(seat: str, desk_key: str) -> str:
    """A code for a seat: good once, and it names the desk's key."""
    said = token_hex(CODE_BYTES)
    return f"{seat}-{said}{_check(seat, said)}-{desk_key[:FINGERPRINT]}"


def _check(seat: str, said: str) -> str:
    """Signs of a code that show a mistyped one."""
    return sha256(f"{seat}|{said}".encode()).hexdigest()[:4]


def hash_of(code: str) -> str:
    """What the desk keeps of a code."""
    return sha256(b"paxtui/postal|" + code.strip().encode("utf-8", "replace")).hexdigest()


def codes_of(folder: Folder) -> dict[str, str]:
    """Hashes of the codes that are still good, by seat. Raises: OSError."""
    path = folder.desk / "codes.json"
    return msgspec.json.decode(read_small(path), type=dict[str, str]) if path.exists() else {}


def keep_codes(folder: Folder, codes: dict[str, str]) -> None:
    """Keep the hashes of the codes that are good. Raises: OSError."""
    write(folder.desk / "codes.json", msgspec.json.encode(codes), 0o600)


# --- a player's keys ------------------------------------------------------------------------------------------------


def ring() -> Path:
    """Where a player's keys lie."""
    return player_data() / "postal"


def own_keys(game: str, known: Mapping[str, str] | None = None) -> dict[str, SeatKey]:
    """A player's keys for a game, by seat.

    Args: the game; the public keys that the desk knows, by seat: of several keys of a seat the known one is taken.
    Raises: Refusal `bad_seat_key`; OSError.
    """
    found: dict[str, SeatKey] = {}
    for path in (*sorted(ring().glob(f"{game}-*.key")), *sorted(ring().glob(f"{game}-*{ASKED}"))):
        try:
            key = msgspec.json.decode(read_small(path), type=SeatKey)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            raise Refusal("bad_seat_key", (), f"{path} cannot be read: join again with a new code.") from None
        accepted = (known or {}).get(key.seat)
        if key.seat not in found or (accepted is not None and seals.public_key(key.seed) == accepted):
            found[key.seat] = key
    return found


def own_key(terms: Terms, seat: str) -> SeatKey:
    """A player's key for a seat of a game, "" for the only one he has.

    Raises: Refusal `no_key`, `which_seat`, `other_desk`; OSError.
    """
    keys = own_keys(terms.game, terms.keys)
    if not seat and len(keys) > 1:
        raise Refusal("which_seat", (), f"You hold several seats of this game: name one of {', '.join(keys)}.")
    key = next(iter(keys.values()), None) if not seat else keys.get(seat)
    if key is None:
        raise Refusal("no_key", (), "You hold no key of that seat: 'paxtui postal join DIR CODE' makes one of a code.")
    if key.desk != terms.desk_key:
        raise Refusal("other_desk", (), "The desk of this game has another key than the one your code named.")
    return key


def valid_key(terms: Terms, seat: str) -> SeatKey:
    """A player's key for a seat, if it is the one that the desk has accepted.

    Raises: Refusal `void_key` and those of `own_key`; OSError.
    """
    key = own_key(terms, seat)
    accepted = terms.keys.get(seat)
    if accepted is None:
        raise Refusal(
            "void_key", (), f"The desk has not accepted your key for {seat} yet. Wait for its answer to your "
            "code, and put "
            "the postal.json that comes with it into your directory.",
        )  # fmt: skip
    if seals.public_key(key.seed) != accepted:
        raise Refusal(
            "void_key", (), f"Your key for {seat} is not the one that the desk knows, so the form would not be "
            "taken. Ask "
            "the gamemaster for a new code and join again.",
        )  # fmt: skip
    return key


def join(folder: Folder, terms: Terms, code: str, name: str = "") -> SeatKey:
    """Ask for a seat with a code from the desk: make a key and send it. Returns: the key.

    The seat is taken once the desk has accepted the code; a key that it knows already stays good until then.

    Raises: Refusal `not_sealed`, `bad_code`, `other_desk`; OSError.
    """
    parts = code.strip().split("-")
    if not terms.desk_key:
        raise Refusal("not_sealed", (), "Forms of this game are not sealed: nobody needs a key.")
    if len(parts) != 3 or parts[0] not in terms.players:
        raise Refusal("bad_code", (), "That is no code of this game: it names a seat, as in france-0a1b...-2c3d...")
    if parts[2] != terms.desk_key[:FINGERPRINT]:
        raise Refusal("other_desk", (), "The desk of this game has another key than the one the code names.")
    if len(parts[1]) == 2 * CODE_BYTES + len(_check("", "")) and not parts[1].endswith(
        _check(parts[0], parts[1][: 2 * CODE_BYTES])
    ):
        raise Refusal("bad_code", (), "The code is mistyped: compare it with the one that the gamemaster sent you.")
    secret = seals.new_key()
    key = SeatKey(terms.game, parts[0], secret.hex(), terms.desk_key)
    ring().mkdir(mode=0o700, parents=True, exist_ok=True)
    path = ring() / f"{terms.game}-{key.seat}.key"
    if path.exists():  # the desk may know the key in it: keep it, and the one asked for before
        path = path.with_name(f"{path.stem}-{seals.public_key(secret)[:8]}{ASKED}")
    write_over(path, msgspec.json.encode(key))
    letter = Joining(terms.game, key.seat, code.strip(), seals.public_key(secret), name)
    data = seals.sealed(msgspec.json.encode(letter), secret, terms.desk_key)
    write(joining_of(folder, key.seat, data), data)
    return key


def joining_of(folder: Folder, seat: str, data: bytes = b"") -> Path:
    """Where the letter lies by which a seat is asked for; one of its own where another letter lies there already."""
    path = folder.orders / "joining" / f"{seat}{JOINING}"
    if data and path.exists() and read_small(path) != data:
        return path.with_name(f"{seat}-{sha256(data).hexdigest()[:8]}{JOINING}")
    return path


def joined(letter: bytes, secret: bytes, terms: Terms, codes: dict[str, str]) -> Joining:
    """Who takes a seat by a letter.

    Args: the letter; the desk's secret key; the terms; the hashes of codes that are good.
    Raises: Refusal `not_for_us`, `bad_signature`, `bad_code`, `other_game`.
    """
    signed = seals.unsealed(letter, secret)
    try:
        said = msgspec.json.decode(signed[seals.SIGNATURE :], type=Joining)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise Refusal("bad_code", (), "The letter cannot be read.") from None
    seals.verified(signed, said.key)
    if said.game != terms.game:
        raise Refusal("other_game", (), "The letter is for another game.")
    if not hmac.compare_digest(codes.get(said.seat, ""), hash_of(said.code)):
        raise Refusal("bad_code", (), "The code is none of this game, or has been used.")
    return said
