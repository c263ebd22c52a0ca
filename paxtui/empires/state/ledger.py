"""What each Power has, and every change of it with its reason."""

from __future__ import annotations

from typing import Literal

import msgspec

What = Literal["points", "money", "manpower"]


class Account(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a Power has: political points, money, manpower."""

    points: int = 0
    money: int = 0
    manpower: int = 0


class Posting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One change of an account: the month, whose, of what, by how much, why, by which sections."""

    turn: int
    power: str
    what: What
    amount: int
    reason: str
    rules: tuple[str, ...] = ()
