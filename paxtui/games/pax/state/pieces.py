"""Status markers, Military Units, the ladder of Status, and the contents of an Area."""

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
"""The ladder of Status. Differences between levels count for the European Tensions Index."""

CONTROL = frozenset({PROTECTORATE, POSSESSION, DOMINION, STATE})
FULL_CONTROL = frozenset({POSSESSION, DOMINION, STATE})
"""Control markers that exclude an Interest of another Power."""

OTTOMAN_EMPIRE = "ottoman_empire"
"""Owner of Ottoman armies and of the markers of the optional Ottoman expansion; never has a seat."""
CHINA = "china"
"""Owner of the Chinese armies of a Rebellion; never has a seat."""


class Marker(msgspec.Struct, frozen=True, omit_defaults=True):
    """A Status marker. `since` is the Game Turn in which it reached its present level, 0 for 1880."""

    power: str
    marker: str
    established: bool = True
    since: int = 0


class Unit(msgspec.Struct, frozen=True, omit_defaults=True):
    """A Military Unit.

    `coast` is a Sea Zone: the home box, or the side of an Area with several. `halted` units move no more this Phase.
    """

    power: str
    kind: str
    strength: int
    coast: str = ""
    halted: bool = False

    @property
    def name(self) -> str:
        """Short name in the notation: A10, N3."""
        return ("A" if self.kind == ARMY else "N") + str(self.strength)


class Holding(NamedTuple):
    """A Power and an Area in which it has a marker or units."""

    power: str
    area: str

    def __str__(self) -> str:
        """Both ids, as in patches and the protocol: `france egypt`."""
        return f"{self.power} {self.area}"


class SentArmies(NamedTuple):
    """Armies that a Minor Power has sent to an Area in Unrest in a Game Turn."""

    power: str
    area: str
    turn: int


class AreaState(msgspec.Struct, frozen=True, omit_defaults=True):
    """Contents of an Area. `type` overrides the table after the optional Ottoman expansion has changed it."""

    markers: tuple[Marker, ...] = ()
    units: tuple[Unit, ...] = ()
    unrest: bool = False
    codominion: tuple[str, ...] = ()
    canal: bool = False
    type: str = ""


def unit_from_name(name: str, power: str, coast: str = "", halted: bool = False) -> Unit:
    """Return a Military Unit for its short name (A10, N3)."""
    return Unit(power, ARMY if name[0] == "A" else NAVAL, int(name[1:]), coast, halted)


def home_place(power: str) -> str:
    """Return the place id of a Power's Home Country."""
    return "home:" + power
