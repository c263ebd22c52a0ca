"""The pieces: Status markers and Military Units, the ladder of Status, and what lies in an Area."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

ARMY = "army"
NAVAL = "naval"

INTEREST = "interest"
INFLUENCE = "influence"
PROTECTORATE = "protectorate"
POSSESSION = "possession"
DOMINION = "dominion"
STATE = "state"

LEVEL = {"": 0, INTEREST: 1, INFLUENCE: 2, PROTECTORATE: 3, POSSESSION: 4, DOMINION: 5, STATE: 5}
"""Ladder of Status: the steps counted for the European Tensions Index are differences of these."""

CONTROL = frozenset({PROTECTORATE, POSSESSION, DOMINION, STATE})
FULL_CONTROL = frozenset({POSSESSION, DOMINION, STATE})
"""Control markers beside which no Interest of another Power can stand."""

OTTOMAN_EMPIRE = "ottoman_empire"
"""Owner of Ottoman armies, and of the markers of the optional Ottoman expansion; never a Power with a seat."""
CHINA = "china"
"""Owner of the Chinese armies of a Rebellion; never a Power with a seat."""


class Marker(msgspec.Struct, frozen=True, omit_defaults=True):
    """A Status marker. `since` is the Game Turn in which it got its present level (0: it stood there in 1880)."""

    power: str
    marker: str
    established: bool = True
    since: int = 0


class Unit(msgspec.Struct, frozen=True, omit_defaults=True):
    """A Military Unit. `coast` is a Sea Zone: its home box, or its side of an Area with several.

    `halted` units have ended their movement for the Phase.
    """

    power: str
    kind: str
    strength: int
    coast: str = ""
    halted: bool = False

    @property
    def name(self) -> str:
        """Short name as in the notation: A10, N3."""
        return ("A" if self.kind == ARMY else "N") + str(self.strength)


class Holding(NamedTuple):
    """A Power in an Area: whose marker or units there something is about."""

    power: str
    area: str

    def __str__(self) -> str:
        """Both ids, as patches and the protocol have them: `france egypt`."""
        return f"{self.power} {self.area}"


class SentArmies(NamedTuple):
    """Armies that a Minor Power sent to an Area against Unrest in a Game Turn."""

    power: str
    area: str
    turn: int


class AreaState(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is in an Area. `type` overrides the table where the optional Ottoman expansion has changed it."""

    markers: tuple[Marker, ...] = ()
    units: tuple[Unit, ...] = ()
    unrest: bool = False
    codominion: tuple[str, ...] = ()
    canal: bool = False
    type: str = ""


def unit_from_name(name: str, power: str, coast: str = "", halted: bool = False) -> Unit:
    """A Military Unit from its short name (A10, N3)."""
    return Unit(power, ARMY if name[0] == "A" else NAVAL, int(name[1:]), coast, halted)


def home_place(power: str) -> str:
    """Place id of a Power's Home Country."""
    return "home:" + power
