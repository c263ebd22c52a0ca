"""How two Powers stand to each other: facts of a pair, each with the month since when, and until when it holds."""

from __future__ import annotations

from typing import Literal

import msgspec

Kind = Literal["war", "alliance", "enforced_peace", "broken_alliance", "marriage"]


class Relation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One fact about two Powers, or about a Power and a minor country.

    Attributes:
        kind: what it is.
        a: one of them; in a war the one that declared it, of an enforced peace the one that it binds.
        b: the other.
        since: the month in which it began, see `State.turn`.
        order: which war of the game it is, the first is 1; later wars have higher numbers. 0 for other kinds.
        until: the last month in which it holds, 0 for no end.
    """

    kind: Kind
    a: str
    b: str
    since: int
    order: int = 0
    until: int = 0

    def between(self, one: str, other: str) -> bool:
        """Whether it is about these two."""
        return {self.a, self.b} == {one, other}
