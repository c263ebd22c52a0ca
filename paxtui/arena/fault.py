"""A fault of the program, as the games tried for faults find it."""

from __future__ import annotations


class Fault(Exception):
    """Something that must never be. Args: what it is about, in a word or two; what was found."""

    def __init__(self, kind: str, found: object = "") -> None:
        super().__init__(f"{kind}: {found}" if found != "" else kind)
        self.kind = kind


def claim(holds: bool, found: object, kind: str = "books") -> None:
    """Raises: Fault, where something does not hold that has to."""
    if not holds:
        raise Fault(kind, found)
