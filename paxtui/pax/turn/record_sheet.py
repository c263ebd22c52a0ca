"""The Administrative Record Sheet of a Power, figured from the position: lines 01 to 21, and what is to be expected.

Only established markers to which a Communication Link runs are counted, for income and for maintenance alike
(R-ADM-02); the units abroad are paid for wherever they stand.
Rules: ADM-001, ADM-004 to ADM-006, ADM-011 to ADM-018, ADM-022, ADM-023
"""

from __future__ import annotations

import msgspec

from paxtui.pax.board.holdings import holdings
from paxtui.pax.board.links import linked_areas
from paxtui.pax.board.remembered import MadeOf, remembered
from paxtui.pax.board.status import effective_value
from paxtui.pax.board.tables import Tables
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import DOMINION, INFLUENCE, INTEREST, POSSESSION, PROTECTORATE, STATE, AreaState

FIGURED = ("01", "02", "03", "04", "05", "06", "07", "08", "09", "11", "12", "13", "14", "16", "17", "18", "19", "20")
"""Lines that follow from the position alone; line 21 is a sum of them, 10, 15 and 22 need the Colonial Office."""


class Kind(msgspec.Struct, frozen=True):
    """Where a kind of marker stands on the sheet: lines of its number, value, income and maintenance ("": none)."""

    number: str
    value: str
    income: str
    maintenance: str
    shared: bool  # in a Codominion its Area counts with the effective value


SHEET = {
    DOMINION: Kind("01", "03", "11", "17", True),
    STATE: Kind("01", "03", "11", "17", True),
    POSSESSION: Kind("02", "03", "11", "18", True),
    PROTECTORATE: Kind("04", "05", "12", "19", True),
    INFLUENCE: Kind("06", "07", "13", "20", False),
    INTEREST: Kind("08", "09", "14", "", False),
}

@remembered(most=8, by=lambda areas: ((), (areas,)))
def _abroad(areas: dict[str, AreaState]) -> dict[str, int]:
    """Strength points abroad of every Power that cost upkeep, gathered once a position."""
    abroad: dict[str, int] = {}
    for here in areas.values():
        for power in {unit.power for unit in here.units}:
            if not free_of_upkeep(here, power):
                points = sum(unit.strength for unit in here.units if unit.power == power)
                abroad[power] = abroad.get(power, 0) + points
    return abroad


def free_of_upkeep(here: AreaState, power: str) -> bool:
    """Whether units of the Power in this Area cost nothing: its own State or Dominion.

    Rules: ADM-017, R-ADM-06
    """
    return any(m.power == power and m.established and m.marker in (STATE, DOMINION) for m in here.markers)


def area_value(tables: Tables, state: State, area: str, marker: str) -> int:
    """Economic Value in pounds that a marker of this kind earns on.

    Rules: ADM-023
    """
    return effective_value(tables, state, area) if SHEET[marker].shared else tables.areas[area].value


def figure(tables: Tables, state: State, power: str) -> dict[str, int]:
    """Lines 01-09, 11-14 and 16-21 of a Power as the position stands now, in pieces and pounds.

    Rules: ADM-004, ADM-005, ADM-006, ADM-007, ADM-011, ADM-013 to ADM-017, ADM-022, ADM-023
    """
    return dict(_figured(tables, state, power))


def _made_of(tables: Tables, state: State, power: str) -> MadeOf:
    """What the lines of a Power are figured from."""
    return (power, state.balkan_wars), (tables, state.options, state.areas, state.sea_zones)


@remembered(most=64, by=_made_of)
def _figured(tables: Tables, state: State, power: str) -> dict[str, int]:
    lines = dict.fromkeys(FIGURED, 0)
    held = holdings(state, power)
    linked = linked_areas(tables, state, power) if held else frozenset()
    for area, marker in held:
        if area not in linked:
            continue
        kind, cost, value = SHEET[marker], tables.markers[marker], area_value(tables, state, area, marker)
        lines[kind.number] += 1
        lines[kind.value] += value
        lines[kind.income] += value * cost.multiplier
        if kind.maintenance:
            lines[kind.maintenance] += cost.maintenance
    lines["16"] = _abroad(state.areas).get(power, 0)
    lines["21"] = sum(lines[line] for line in ("16", "17", "18", "19", "20"))
    return lines


def earnings(tables: Tables, state: State, power: str) -> dict[str, int]:
    """What each Area with a marker of the Power earns it in a turn, in pounds after the marker's own maintenance.

    Rules: ADM-011, ADM-013 to ADM-016, ADM-023
    """
    linked = linked_areas(tables, state, power)
    out: dict[str, int] = {}
    for area, marker in holdings(state, power):
        cost = tables.markers[marker]
        income = area_value(tables, state, area, marker) * cost.multiplier
        upkeep = cost.maintenance if SHEET[marker].maintenance else 0
        out[area] = out.get(area, 0) + (income - upkeep if area in linked else 0)
    return out


def colonial_income(lines: dict[str, int]) -> int:
    """Lines 11 to 14 together, in pounds: the income from Areas, without the Colonial Office."""
    return lines["11"] + lines["12"] + lines["13"] + lines["14"]


def forecast(tables: Tables, state: State, power: str) -> int:
    """Line 22 to be expected without the Colonial Office (line 10), in pounds.

    Rules: ADM-018, SET-066
    """
    lines = figure(tables, state, power)
    return colonial_income(lines) - lines["21"]


def shown(tables: Tables, state: State, power: str) -> dict[str, int | None]:
    """The whole sheet, lines 01 to 31: what has been written down this turn, else the lines of the position.

    A line that is not known yet (10, 15 and 22 before the Colonial Office, 23 to 31 before their Phase) is None.

    Rules: SET-054, ADM-022
    """
    record = state.powers[power].record
    written = record.get("01") is not None
    figured: dict[str, int] = {} if written else figure(tables, state, power)
    return {line: figured.get(line, record.get(line)) for line in tables.record}
