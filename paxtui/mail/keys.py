"""Keys and invitation codes of sealed mail games; signing and sealing with Ed25519 and NaCl sealed boxes.

A player's key file also names the gamemaster's public key; a different gamemaster key is refused. The crypto library is
loaded only when it is needed.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.mail.game_directory import GameDirectory, MailTerms, read_small, write_whole
from paxtui.session.storage.extras import install_command
from paxtui.session.storage.files import player_data, replace_file

SEED_BYTES = 32
"""Bytes of a secret key."""

SIGNATURE_BYTES = 64
"""Bytes of a signature, which precedes the signed message."""


def new_secret_key() -> bytes:
    return secrets.token_bytes(SEED_BYTES)


def public_key(secret: bytes) -> str:
    """Return the public key of a secret key, in hexadecimal. Raises: Refusal `no_seals`."""
    from nacl.signing import SigningKey

    return bytes(SigningKey(secret).verify_key).hex()


def check_library() -> None:
    """Check that the crypto library is installed. Raises: Refusal `no_seals`."""
    try:
        import nacl.signing  # noqa: F401
    except ImportError:
        raise Refusal("no_seals", (), f"Sealed forms need an additional library: {install_command('mail')}") from None


def seal_message(message: bytes, secret: bytes, receiver: str) -> bytes:
    """Sign and seal a message. Args: the message; the sender's secret key; the receiver's public key."""
    from nacl.public import SealedBox
    from nacl.signing import VerifyKey

    box = SealedBox(VerifyKey(bytes.fromhex(receiver)).to_curve25519_public_key())
    return bytes(box.encrypt(sign_message(message, secret)))


def sign_message(message: bytes, secret: bytes) -> bytes:
    """Sign a message; the signature comes first."""
    from nacl.signing import SigningKey

    return bytes(SigningKey(secret).sign(message))


def lock_message(message: bytes, lock: bytes) -> bytes:
    """Encrypt a message with a key of 32 bytes."""
    from nacl.secret import SecretBox

    return bytes(SecretBox(lock).encrypt(message))


def unlock_message(box: bytes, lock: bytes) -> bytes:
    """Decrypt a locked box. Raises: Refusal `locked`."""
    from nacl.exceptions import CryptoError
    from nacl.secret import SecretBox

    try:
        return bytes(SecretBox(lock).decrypt(box))
    except (CryptoError, ValueError, TypeError):
        raise Refusal("locked", (), "The key does not open the form.") from None


def unseal_message(letter: bytes, secret: bytes) -> bytes:
    """Open a sealed letter without verifying its signature. Raises: Refusal `not_for_us`."""
    from nacl.exceptions import CryptoError
    from nacl.public import SealedBox
    from nacl.signing import SigningKey

    try:
        return bytes(SealedBox(SigningKey(secret).to_curve25519_private_key()).decrypt(letter))
    except (CryptoError, ValueError, TypeError):
        raise Refusal("not_for_us", (), "It is not sealed for this key, or it is damaged.") from None


def verify_message(signed: bytes, sender: str) -> bytes:
    """Verify a signature and return the message. Raises: Refusal `bad_signature`."""
    from nacl.exceptions import CryptoError
    from nacl.signing import VerifyKey

    try:
        return bytes(VerifyKey(bytes.fromhex(sender)).verify(signed))
    except (CryptoError, ValueError, TypeError):
        raise Refusal("bad_signature", (), "It is not signed with the key of its sender.") from None


def open_sealed_message(letter: bytes, secret: bytes, sender: str) -> bytes:
    """Open a sealed letter and verify its sender. Raises: Refusal `not_for_us`, `bad_signature`."""
    return verify_message(unseal_message(letter, secret), sender)


FINGERPRINT_LENGTH = 16
"""Characters of a key in a code."""

JOIN_SUFFIX = ".join"
PENDING_KEY_SUFFIX = ".key-asked"
"""Suffix of a key for a new code while an older key exists."""

CODE_BYTES = 10


class SeatKey(msgspec.Struct, frozen=True):
    """A player's key for a seat: the secret in hexadecimal, and the gamemaster's public key."""

    game: str
    seat: str
    secret: str
    desk: str

    @property
    def seed(self) -> bytes:
        """The secret key."""
        return bytes.fromhex(self.secret)


class JoinLetter(msgspec.Struct, frozen=True):
    """Letter that claims a seat: the code, the player's public key and name."""

    game: str
    seat: str
    code: str
    key: str
    name: str = ""


# --- codes ------------------------------------------------------------------------------------------------------------


def with_desk_key(folder: GameDirectory, terms: MailTerms, two_step: bool) -> MailTerms:
    """Create the gamemaster's key; return the terms of a sealed game. Raises: Refusal `no_seals`; OSError."""
    check_library()
    secret = new_secret_key()
    write_whole(folder.key, secret.hex(), 0o600)
    return replace(terms, desk_key=public_key(secret), two_step=two_step)


def new_code(seat: str, desk_key: str) -> str:
    """Return a code for a seat: valid once, and bound to the gamemaster's key."""
    digits = secrets.token_hex(CODE_BYTES)
    return f"{seat}-{digits}{_check_letters(seat, digits)}-{desk_key[:FINGERPRINT_LENGTH]}"


def _check_letters(seat: str, digits: str) -> str:
    return sha256(f"{seat}|{digits}".encode()).hexdigest()[:4]


def code_hash(code: str) -> str:
    """Return the hash of a code, as the gamemaster stores it."""
    return sha256(b"paxtui/postal|" + code.strip().encode("utf-8", "replace")).hexdigest()


def read_code_hashes(folder: GameDirectory) -> dict[str, str]:
    """Read the hashes of the valid codes by seat. Raises: OSError."""
    path = folder.desk / "codes.json"
    return msgspec.json.decode(read_small(path), type=dict[str, str]) if path.exists() else {}


def write_code_hashes(folder: GameDirectory, codes: dict[str, str]) -> None:
    """Save the hashes of the valid codes. Raises: OSError."""
    write_whole(folder.desk / "codes.json", msgspec.json.encode(codes), 0o600)


# --- a player's keys ------------------------------------------------------------------------------------------------


def key_directory() -> Path:
    """Return the directory of a player's keys."""
    return player_data() / "postal"


def player_keys(game: str, known: Mapping[str, str] | None = None) -> dict[str, SeatKey]:
    """Return a player's keys for a game by seat.

    Args: the game; the accepted public keys by seat, which decide between several keys of a seat.
    Raises: Refusal `bad_seat_key`; OSError.
    """
    found: dict[str, SeatKey] = {}
    for path in (
        *sorted(key_directory().glob(f"{game}-*.key")),
        *sorted(key_directory().glob(f"{game}-*{PENDING_KEY_SUFFIX}")),
    ):
        try:
            key = msgspec.json.decode(read_small(path), type=SeatKey)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            raise Refusal("bad_seat_key", (), f"{path} cannot be read: join again with a new code.") from None
        accepted = (known or {}).get(key.seat)
        if key.seat not in found or (accepted is not None and public_key(key.seed) == accepted):
            found[key.seat] = key
    return found


def player_key(terms: MailTerms, seat: str) -> SeatKey:
    """Return a player's key for a seat; "" means their only seat.

    Raises: Refusal `no_key`, `which_seat`, `other_desk`; OSError.
    """
    keys = player_keys(terms.game, terms.keys)
    if not seat and len(keys) > 1:
        raise Refusal("which_seat", (), f"You have several seats in this game; name one of {', '.join(keys)}.")
    key = next(iter(keys.values()), None) if not seat else keys.get(seat)
    if key is None:
        text = "You have no key for that seat. Join with your code: 'paxtui postal join DIR CODE'."
        raise Refusal("no_key", (), text)
    if key.desk != terms.desk_key:
        raise Refusal("other_desk", (), "The gamemaster's key of this game is not the one in your invitation code.")
    return key


def accepted_key(terms: MailTerms, seat: str) -> SeatKey:
    """Return a player's key for a seat if the gamemaster has accepted it.

    Raises: Refusal `void_key` and those of `player_key`; OSError.
    """
    key = player_key(terms, seat)
    accepted = terms.keys.get(seat)
    if accepted is None:
        text = f"Your key for {seat} is not accepted yet. Wait for the reply to your code, and save its postal.json"
        raise Refusal("void_key", (), f"{text} in your directory.")
    if public_key(key.seed) != accepted:
        text = f"Your key for {seat} is not the accepted one, so the form would be rejected."
        raise Refusal("void_key", (), f"{text} Ask the gamemaster for a new code and join again.")
    return key


def request_seat(folder: GameDirectory, terms: MailTerms, code: str, name: str = "") -> SeatKey:
    """Request a seat with an invitation code: create a key and send it. Returns: the key.

    The seat is taken when the gamemaster accepts the code; an older accepted key is valid until then.

    Raises: Refusal `not_sealed`, `bad_code`, `other_desk`; OSError.
    """
    parts = code.strip().split("-")
    if not terms.desk_key:
        raise Refusal("not_sealed", (), "This game is not sealed and needs no keys.")
    if len(parts) != 3 or parts[0] not in terms.players:
        text = "Not a code of this game. A code begins with a seat, as in france-0a1b...-2c3d..."
        raise Refusal("bad_code", (), text)
    if parts[2] != terms.desk_key[:FINGERPRINT_LENGTH]:
        raise Refusal("other_desk", (), "The gamemaster's key of this game is not the one in the code.")
    if len(parts[1]) == 2 * CODE_BYTES + len(_check_letters("", "")) and not parts[1].endswith(
        _check_letters(parts[0], parts[1][: 2 * CODE_BYTES])
    ):
        raise Refusal("bad_code", (), "The code is mistyped. Compare it with the one from the gamemaster.")
    secret = new_secret_key()
    key = SeatKey(terms.game, parts[0], secret.hex(), terms.desk_key)
    key_directory().mkdir(mode=0o700, parents=True, exist_ok=True)
    path = key_directory() / f"{terms.game}-{key.seat}.key"
    if path.exists():  # the existing key may be accepted: keep it, and any pending key
        path = path.with_name(f"{path.stem}-{public_key(secret)[:8]}{PENDING_KEY_SUFFIX}")
    replace_file(path, msgspec.json.encode(key))
    letter = JoinLetter(terms.game, key.seat, code.strip(), public_key(secret), name)
    data = seal_message(msgspec.json.encode(letter), secret, terms.desk_key)
    write_whole(join_letter_path(folder, key.seat, data), data)
    return key


def join_letter_path(folder: GameDirectory, seat: str, data: bytes = b"") -> Path:
    """Return the path of a join letter; a different one if there is another letter."""
    path = folder.orders / "joining" / f"{seat}{JOIN_SUFFIX}"
    if data and path.exists() and read_small(path) != data:
        return path.with_name(f"{seat}-{sha256(data).hexdigest()[:8]}{JOIN_SUFFIX}")
    return path


def accept_join_letter(letter: bytes, secret: bytes, terms: MailTerms, codes: dict[str, str]) -> JoinLetter:
    """Open and verify a join letter.

    Args: `secret`: the gamemaster's secret key; `codes`: hashes of the valid codes, by seat.
    Raises: Refusal `not_for_us`, `bad_signature`, `bad_code`, `other_game`.
    """
    signed = unseal_message(letter, secret)
    try:
        claim = msgspec.json.decode(signed[SIGNATURE_BYTES:], type=JoinLetter)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise Refusal("bad_code", (), "The letter cannot be read.") from None
    verify_message(signed, claim.key)
    if claim.game != terms.game:
        raise Refusal("other_game", (), "The letter is for another game.")
    if not hmac.compare_digest(codes.get(claim.seat, ""), code_hash(claim.code)):
        raise Refusal("bad_code", (), "The code is not valid for this game, or it was used.")
    return claim
