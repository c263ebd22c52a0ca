"""An exercise as its file tells it: the map, the Powers, the pieces at the start, the numbers that are ours."""

from __future__ import annotations

from typing import Literal

import msgspec

from paxtui.empires.state.ledger import Account
from paxtui.empires.state.model import Minor
from paxtui.empires.state.pieces import Corps, Depot, Fleet, Garrison, Leader
from paxtui.empires.state.relations import Relation
from paxtui.empires.tables.cells import Cell
from paxtui.empires.tables.map import Area, Border


class Exercise(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An exercise.

    Attributes:
        id: its name, that of its file.
        title: as it is shown.
        about: what it is and what it exercises, a few sentences.
        powers: who plays.
        first, last: its first and last month, as "1805-06".
        phases: the phases that it plays, in the order of the month; the others are passed over.
        order: `campaign`, or `scenario` (France moves first on land, then all others).
        victory: in a sentence, how it is won.
        accounts: what each Power has at the start.
        relations, areas, borders, minors, fleets, corps, garrisons, depots, leaders: the start.
        modifiers: national modifiers for minor country control, by minor country and Power.
        dominant: Powers in the Dominant Zone of the status display, which itself is not public.
        cells: numbers of tables.
    """

    id: str
    title: str
    about: str
    powers: tuple[str, ...]
    first: str
    last: str
    phases: tuple[str, ...]
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
    modifiers: dict[str, dict[str, int]] = {}
    dominant: tuple[str, ...] = ()
    cells: dict[str, Cell] = {}
