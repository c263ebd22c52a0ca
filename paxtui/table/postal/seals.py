"""Letters of a mail game signed by who sends them and sealed for who opens them: Ed25519, and sealed boxes of NaCl.

Everybody has one key: it signs, and the box is made of it. The library is only loaded where something is sealed.
"""

from __future__ import annotations

import secrets

from paxtui.engine.refusal import Refusal
from paxtui.table.disk.extras import adding

SEED = 32
"""Bytes of a secret key."""

SIGNATURE = 64
"""Bytes of a signature, which stands before what is signed."""


def new_key() -> bytes:
    """A fresh secret key."""
    return secrets.token_bytes(SEED)


def public_key(secret: bytes) -> str:
    """The public key that belongs to a secret one, in hexadecimal. Raises: Refusal `no_seals`."""
    from nacl.signing import SigningKey

    return bytes(SigningKey(secret).verify_key).hex()


def check() -> None:
    """Whether letters can be sealed here. Raises: Refusal `no_seals`."""
    try:
        import nacl.signing  # noqa: F401
    except ImportError:
        raise Refusal("no_seals", (), f"Sealed forms need one more library: {adding('mail')}") from None


def sealed(message: bytes, secret: bytes, receiver: str) -> bytes:
    """A message signed by one and sealed for another. Args: it; the sender's secret key; the receiver's public one."""
    from nacl.public import SealedBox
    from nacl.signing import SigningKey, VerifyKey

    box = SealedBox(VerifyKey(bytes.fromhex(receiver)).to_curve25519_public_key())
    return bytes(box.encrypt(bytes(SigningKey(secret).sign(message))))


def signed(message: bytes, secret: bytes) -> bytes:
    """A message with the signature of whoever sends it in front. Args: it; the sender's secret key."""
    from nacl.signing import SigningKey

    return bytes(SigningKey(secret).sign(message))


def locked(message: bytes, lock: bytes) -> bytes:
    """A message that can be read by whoever has its key. Args: it; the key, 32 bytes."""
    from nacl.secret import SecretBox

    return bytes(SecretBox(lock).encrypt(message))


def unlocked(box: bytes, lock: bytes) -> bytes:
    """What is in a locked box. Raises: Refusal `locked`."""
    from nacl.exceptions import CryptoError
    from nacl.secret import SecretBox

    try:
        return bytes(SecretBox(lock).decrypt(box))
    except (CryptoError, ValueError, TypeError):
        raise Refusal("locked", (), "The key does not open the form.") from None


def unsealed(letter: bytes, secret: bytes) -> bytes:
    """What a letter holds, its signature in front; who has signed it is not looked at. Raises: Refusal `not_for_us`."""
    from nacl.exceptions import CryptoError
    from nacl.public import SealedBox
    from nacl.signing import SigningKey

    try:
        return bytes(SealedBox(SigningKey(secret).to_curve25519_private_key()).decrypt(letter))
    except (CryptoError, ValueError, TypeError):
        raise Refusal("not_for_us", (), "It is not sealed for this key, or has been damaged.") from None


def verified(signed: bytes, sender: str) -> bytes:
    """What somebody has signed. Raises: Refusal `bad_signature`."""
    from nacl.exceptions import CryptoError
    from nacl.signing import VerifyKey

    try:
        return bytes(VerifyKey(bytes.fromhex(sender)).verify(signed))
    except (CryptoError, ValueError, TypeError):
        raise Refusal("bad_signature", (), "It is not signed by the key of its sender.") from None


def opened(letter: bytes, secret: bytes, sender: str) -> bytes:
    """The message of a letter from somebody. Raises: Refusal `not_for_us`, `bad_signature`."""
    return verified(unsealed(letter, secret), sender)
