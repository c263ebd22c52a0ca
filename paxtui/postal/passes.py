"""What proves that an answer comes from who was sent the report: a pass in its subject, made by a key of the desk.

Anybody can write any address above a letter. The pass of a seat and stop stands in the letter that went to its player,
and nowhere else: whoever answers it gives it back.
"""

from __future__ import annotations

import hmac
import re
from hashlib import sha256
from secrets import token_hex
from typing import NamedTuple

from paxtui.table.postal.folder import Folder, read_small, write

LENGTH = 20
"""Signs of a pass: eighty bits."""

_MARK = re.compile(r"\[pax ([\w-]{1,40}) (\d{1,5}) ([a-z_]{1,30}) ([0-9a-f]{8,64})\]")


class Mark(NamedTuple):
    """What the subject of an answer says."""

    game: str
    stop: int
    seat: str
    proof: str


def key_of(folder: Folder) -> bytes:
    """The key of the desk for passes, made when it is asked for first. Raises: OSError."""
    path = folder.desk / "passes.key"
    if not path.exists():
        write(path, token_hex(32), 0o600)
    return bytes.fromhex(read_small(path).decode())


def mark_of(key: bytes, game: str, stop: int, seat: str) -> str:
    """What stands in the subject of a report."""
    proof = hmac.new(key, f"{game}|{stop}|{seat}".encode(), sha256).hexdigest()[:LENGTH]
    return f"[pax {game} {stop} {seat} {proof}]"


def read_mark(subject: str) -> Mark | None:
    """The mark in a subject, whoever has made it."""
    found = _MARK.search(" ".join(subject.split()))
    return Mark(found[1], int(found[2]), found[3], found[4]) if found else None


def is_true(key: bytes, mark: Mark) -> bool:
    """Whether a mark is one of this desk."""
    true = mark_of(key, mark.game, mark.stop, mark.seat)
    return hmac.compare_digest(true, f"[pax {mark.game} {mark.stop} {mark.seat} {mark.proof}]")
