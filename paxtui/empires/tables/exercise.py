"""An exercise as its file tells it: the map, the Powers, the pieces at the start, the numbers that are ours."""

from __future__ import annotations

from typing import Literal

import msgspec

from paxtui.empires.state.ledger import Account
from paxtui.empires.state.model import Minor
from paxtui.empires.state.pieces import Corps, Depot, Factors, Fleet, Garrison, Leader
from paxtui.empires.state.relations import Relation
from paxtui.empires.state.sea import ShipsDue
from paxtui.empires.tables.cells import Cell
from paxtui.empires.tables.map import Area, Border


class Station(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Waters that are worth political points to who holds them at the end of a naval phase. No rule of the game: ours.

    Attributes:
        power: who gains by it.
        where: sea areas, any of them.
        ships: how many ships of the Power, and of those who move combined with it, must be in one of them.
        points: political points, at most once a month; no enemy ship may be there.
        why: in a few words.
    """

    power: str
    where: tuple[str, ...]
    ships: int
    points: int
    why: str


class Reinforcement(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What comes to a Power in a month.

    Attributes:
        month: as "1805-10".
        power: to whom.
        money: money points.
        where: the area of the factors, "" for any that the rules of a campaign allow.
        nation: the minor free state whose factors they are, "" for the Power itself.
        factors: army factors.
        corps: corps counters, with their factors.
    """

    month: str
    power: str
    money: int = 0
    where: str = ""
    nation: str = ""
    factors: Factors = Factors()
    corps: tuple[Corps, ...] = ()


class Exercise(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An exercise.

    Attributes:
        id: its name, that of its file.
        title: as it is shown.
        about: what it is and what it exercises, a few sentences.
        powers: who plays.
        first, last: its first and last month, as "1805-06".
        phases: the phases that it plays, in the order of the month; the others are passed over.
        without: steps of these phases that it leaves out.
        order: `campaign`, or `scenario` (France moves first on land, then all others).
        victory: in a sentence, how it is won.
        accounts: what each Power has at the start.
        relations, areas, borders, minors, fleets, corps, garrisons, depots, leaders: the start.
        shipyard: ships and fleet counters that come later.
        access: who lets whom into its areas and ports, holder and guest, all the time.
        combined: allies who move together in every month.
        stations: what holding waters is worth.
        modifiers: national modifiers for minor country control, by minor country and Power.
        dominant: Powers in the Dominant Zone of the status display, which itself is not public.
        morale: by nation the kind of its row in the morale table, if it has several.
        reinforcements: what comes later, by land.
        prizes: political points at the end for who controls an area that he did not control at the start.
        battles: field combats after which it is over, 0 for no end by them.
        cells: numbers of tables.
    """

    id: str
    title: str
    about: str
    powers: tuple[str, ...]
    first: str
    last: str
    phases: tuple[str, ...]
    without: tuple[str, ...] = ()
    order: Literal["campaign", "scenario"] = "campaign"
    victory: str = ""
    accounts: dict[str, Account] = {}
    relations: tuple[Relation, ...] = ()
    areas: tuple[Area, ...] = ()
    borders: tuple[Border, ...] = ()
    minors: tuple[Minor, ...] = ()
    fleets: tuple[Fleet, ...] = ()
    corps: tuple[Corps, ...] = ()
    garrisons: tuple[Garrison, ...] = ()
    depots: tuple[Depot, ...] = ()
    leaders: tuple[Leader, ...] = ()
    shipyard: tuple[ShipsDue, ...] = ()
    access: tuple[tuple[str, str], ...] = ()
    combined: tuple[tuple[str, ...], ...] = ()
    stations: tuple[Station, ...] = ()
    modifiers: dict[str, dict[str, int]] = {}
    dominant: tuple[str, ...] = ()
    morale: dict[str, str] = {}
    reinforcements: tuple[Reinforcement, ...] = ()
    prizes: dict[str, int] = {}
    battles: int = 0
    cells: dict[str, Cell] = {}
