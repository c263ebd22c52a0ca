"""What stands on the map: fleets, corps, garrisons, depots, leaders. A place is the id of an area or of a sea area."""

from __future__ import annotations

import msgspec


class Fleet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A fleet counter.

    Attributes:
        id: its name in orders.
        power: the Power that moves it.
        nation: whose ships they are: that Power, or a minor country.
        where: a sea area or the area of a port.
        box: "" at sea; "port" in the port of that area, "blockade" in its blockade box.
        ships: strength, in ships.
        most: how many ships it may hold, 0 where the exercise sets no limit.
        cargo: ids of the corps aboard.
        leaders: ids of leaders aboard.
        moved: movement points used this month.
    """

    id: str
    power: str
    nation: str = ""
    where: str
    box: str = ""
    ships: int
    most: int = 0
    cargo: tuple[str, ...] = ()
    leaders: tuple[str, ...] = ()
    moved: int = 0


class Factors(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Army factors by their kinds."""

    infantry: int = 0
    militia: int = 0
    cavalry: int = 0
    guard: int = 0
    artillery: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return self.infantry + self.militia + self.cavalry + self.guard + self.artillery

    def plus(self, more: Factors) -> Factors:
        """These and some more, kind by kind."""
        return Factors(
            self.infantry + more.infantry,
            self.militia + more.militia,
            self.cavalry + more.cavalry,
            self.guard + more.guard,
            self.artillery + more.artillery,
        )


class Corps(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A corps counter, or another counter that moves by itself.

    Attributes:
        id: its name in orders.
        power: the Power that moves it.
        nation: whose factors they are: that Power, or a minor country.
        kind: infantry, cavalry, artillery, cossack, freikorps, guerrilla.
        where: an area, "" while it is aboard a fleet.
        inside: whether it stands inside the city of the area.
        factors: what it holds.
        most: what it may hold.
        moved: movement points used this month.
        forced: whether it force-marched this month.
        swift: whether its allowance stands in brackets: one more under French control.
    """

    id: str
    power: str
    nation: str = ""
    kind: str = "infantry"
    where: str
    inside: bool = False
    factors: Factors
    most: Factors
    moved: int = 0
    forced: bool = False
    swift: bool = False


HIDDEN = "hidden:"
"""What stands before a Power in place of the id of one of its corps, in an event that another seat reads."""


def is_hidden(corps: Corps) -> bool:
    """Return whether a corps of a view lies face down: where it is and its kind are known, its strength is not."""
    return not corps.factors.total


class Garrison(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Factors without a corps, in the city of an area or with a depot.

    Attributes:
        where: the area.
        power: whose they are.
        of_depot: whether they guard a depot and not a city.
        factors: what they are.
    """

    where: str
    power: str
    of_depot: bool = False
    factors: Factors


class Depot(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A depot.

    Attributes:
        where: the area, or the id of a fleet.
        power: whose it is.
        inside: whether it stands in the city itself (a besieged port).
        since: the month in which it was placed, 0 for one of the start.
        at: of one on a fleet, the sea area.
    """

    where: str
    power: str
    inside: bool = False
    since: int = 0
    at: str = ""


class Leader(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A leader.

    Attributes:
        id: the name in orders.
        power: whose he is.
        where: the id of a corps, of a fleet, or of an area; "" off the map.
        rank: A to D; the order among commanders.
        strategic: his strategic rating.
        tactical: his tactical rating.
        most: how many corps he commands at his full tactical rating.
        naval: whether he commands at sea.
        captor: the Power that holds him prisoner, "" for none.
    """

    id: str
    power: str
    where: str
    rank: str = "C"
    strategic: int = 0
    tactical: int = 0
    most: int = 0
    naval: bool = False
    captor: str = ""
