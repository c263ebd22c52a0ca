"""Single numbers of tables, each with where it comes from; those that nobody published are `ours`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec


class Cell(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A number of a table.

    Attributes:
        value: the number.
        source: `text` (the rules give it), `public` (a public file has it), `ours` (nobody published it).
        why: in which section or file, or why we chose it.
    """

    value: int
    source: Literal["text", "public", "ours"]
    why: str


NEEDED: Mapping[str, tuple[str, ...]] = {
    "political": ("alliance_points",),
    "naval": ("naval.intercept", *(f"naval.combat.{roll}" for roll in range(8)), "winter.from", "winter.to"),
}
"""Names of the cells that each phase cannot do without, by phase. The kernel ships them empty."""


def missing(cells: Mapping[str, Cell], phases: tuple[str, ...]) -> tuple[str, ...]:
    """The cells that some phases need and nobody has given."""
    return tuple(name for phase in phases for name in NEEDED.get(phase, ()) if name not in cells)
