"""The words of one clause while it is read: Powers, places, markers and units found in them, each with its place.

Rules: TRE-002, TRE-004
"""

from __future__ import annotations

import re

from paxtui.pax.board.tables import Tables
from paxtui.pax.state.pieces import ARMY, NAVAL
from paxtui.pax.words.names import find_marker, index, unknown
from paxtui.pax.words.order_words import Words
from paxtui.pax.words.places import written_out

ALL = ("all", "everybody", "everyone", "each", "both", "nobody")
"""Words for all parties alike."""

MOST = 10**6
"""No clause is about so many pounds or points."""

_ARMIES = ("army", "armies", "troops")
_FLEETS = ("naval", "navy", "navies", "fleet", "fleets", "ship", "ships")
_ANY_UNITS = ("unit", "units", "point", "points", "strength")


def words_of(pattern: str) -> re.Pattern[str]:
    """A form of words, capitals or not, digits as in ASCII."""
    return re.compile(pattern, re.IGNORECASE | re.ASCII)


class Reader:
    """One clause while it is read: its words, and where they stand in the order."""

    def __init__(self, tables: Tables, text: str, first: int) -> None:
        self.tables = tables
        self.text = text
        self.first = first
        self.names = index(tables)

    def at(self, offset: int) -> int:
        """Number of the word that begins at `offset` of the text."""
        return self.first + len(self.text[:offset].split())

    def part(self, m: re.Match[str], group: str) -> Reader:
        """What a group holds, to be read by itself."""
        start = len(self.text) if m[group] is None else m.start(group)
        return Reader(self.tables, m[group] or "", self.at(start))

    def power(self, m: re.Match[str], group: str) -> str:
        """The Power a group names, the Ottoman Empire among them, "" where it is left out."""
        return self.names.parties.find(m[group], self.at(m.start(group))) if m[group] else ""

    def powers(self, m: re.Match[str], group: str) -> tuple[str, ...]:
        """The Powers a group names, () where it is left out."""
        return Words(self.tables, m[group], self.at(m.start(group))).powers() if m[group] else ()

    def who(self, m: re.Match[str], group: str = "by") -> str:
        """The Power a group names, "" for all alike."""
        return self.power(m, group) if m[group] and m[group].casefold() not in ALL else ""

    def area(self, m: re.Match[str], group: str) -> tuple[str, ...]:
        """The one Area a group names, () where it is left out."""
        return (self.names.areas.find(m[group], self.at(m.start(group))),) if m[group] else ()

    def marker(self, m: re.Match[str], group: str, area: str = "") -> str:
        """The kind of Status marker a group names, "" where it is left out."""
        return find_marker(self.tables, m[group], area, self.at(m.start(group))) if m[group] else ""

    def number(self, m: re.Match[str], group: str) -> int:
        """The number a group holds; whatever is too high is too high by one."""
        return min(int(m[group][:9]), MOST)

    def places(self, m: re.Match[str], zones: bool) -> tuple[str, tuple[str, ...]]:
        """The region that the group `places` names, "" for none, and its places. Raises: Refusal."""
        if not m["places"]:
            raise unknown("", "'in' and Areas, as in 'in kenya, uganda',", word=self.at(len(self.text)))
        return written_out(self.tables, m["places"], zones, self.at(m.start("places")))

    def units(self, text: str, at: int) -> tuple[str, ...]:
        """Units, or a kind of them; () for any."""
        found: list[str] = []
        for piece in re.split(r"[\s,]+", text.strip()):
            word = piece.casefold()
            if word in _ARMIES:
                found.append(ARMY)
            elif word in _FLEETS:
                found.append(NAVAL)
            elif word not in (*_ANY_UNITS, "military", "and", "of", ""):
                found.extend(Words(self.tables, piece, at).units())
            at += 1
        return tuple(found)
