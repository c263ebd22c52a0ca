"""Measures the menus of a great campaign: two Alliances of several Powers, with all the Units that there are."""

from __future__ import annotations

from time import perf_counter

from msgspec.structs import replace

from paxtui.pax.board.tables import Tables
from paxtui.pax.legal import legal
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import ARMY, NAVAL, PROTECTORATE, AreaState, Marker, Unit
from paxtui.pax.state.progress import InProgress, WarNotes
from paxtui.pax.state.war import FOUGHT, MANEUVER, War
from paxtui.pax.war.campaign import ways


def war_menu_times(tables: Tables, states: list[State]) -> list[float]:
    """Milliseconds of one legal menu, texts included, for each seat whose Maneuver Phase it is, at these positions.

    All Powers of the game are at War in two Alliances, and every piece of the counter limits stands abroad as a Unit.
    """
    times = []
    for state in states:
        for side in (1, 2):
            at_war = campaign(tables, state, side)
            for seat in at_war.players:
                if at_war.wars[0].side_of(seat) == side:
                    start = perf_counter()
                    list(legal(tables, at_war, seat).texts())
                    times.append((perf_counter() - start) * 1000)
    return times


def campaign(tables: Tables, state: State, side: int) -> State:
    """A position with everybody at War in the Maneuver Phase of an Alliance, every Area held and all Units abroad."""
    powers = (*state.powers, *state.minors)
    war = War("w1", (powers[::2], powers[1::2]), stage=MANEUVER, order=(1, 2), turn_of=side, looked_at=state.minors)
    areas = {
        area: AreaState(markers=(Marker(powers[n % len(powers)], PROTECTORATE),)) for n, area in enumerate(state.areas)
    }
    at_sea: dict[str, tuple[Unit, ...]] = dict.fromkeys((*tables.sea_zones, *tables.capes), ())
    for number, power in enumerate(powers):
        own = [area for n, area in enumerate(areas) if n % len(powers) == number]
        for n, strength in enumerate(_pieces(tables, power)):
            unit = Unit(power, NAVAL if n % 3 == 2 else ARMY, strength)
            if unit.kind == NAVAL:
                zone = list(at_sea)[(n + number) % len(at_sea)]
                at_sea[zone] = (*at_sea[zone], unit)
            else:
                area = own[n % len(own)]
                areas[area] = replace(areas[area], units=(*areas[area].units, unit))
    fleets = {zone: tuple(p for p in powers if (len(zone) + len(p)) % 2) for zone in tables.sea_zones}
    phase = InProgress(phase="war", step=FOUGHT, notes=WarNotes())
    ready = replace(
        state, areas=areas, homes=dict.fromkeys(state.homes, ()), sea_zones=fleets, wars=(war,), frames=(phase,),
        choices=(), ready=(), phase_start=None, at_sea=at_sea,
    )  # fmt: skip
    assert not list(ways.uncoasted(tables, ready))
    return ready


def _pieces(tables: Tables, power: str) -> list[int]:
    """The strength of every Military Unit that the counters of a Power allow."""
    counters = tables.counters[power]
    return [10] * counters.tens + [3] * counters.threes + [1] * counters.ones
