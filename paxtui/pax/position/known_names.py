"""Check that a position names what its tables know, and lacks nothing: anybody may have written a log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from paxtui.pax.board.tables import Tables
from paxtui.pax.state.model import State
from paxtui.pax.state.phases import PHASES
from paxtui.pax.state.pieces import ARMY, CHINA, EXPANSION, NAVAL
from paxtui.pax.state.progress import PROCEDURES


def unknown_name(tables: Tables, state: State) -> str:
    """Return the first name that is unknown or missing in a position, in a few words; "" if there is none."""
    return next(_unknown(tables, state), "")


def _unknown(tables: Tables, state: State) -> Iterator[str]:
    owners = {*tables.powers, *tables.homes, EXPANSION}
    kinds = {ARMY, NAVAL}

    def among(names: Iterable[str], known: Iterable[str], what: str) -> Iterator[str]:
        for name in names:
            if name not in known:
                yield f"'{name[:40]}' is no {what}"

    def lacking(names: Iterable[str], known: Iterable[str], what: str) -> Iterator[str]:
        for name in sorted(set(known) - set(names)):
            yield f"the {what} '{name}' is missing"

    if not 1 <= state.turn <= len(tables.turns):
        yield f"there is no Game Turn {state.turn}"
    if not state.frames:
        yield "it is in no Phase"
    yield from among((frame.phase for frame in state.frames[:1]), PHASES, "Phase")
    yield from among((frame.phase for frame in state.frames[1:]), (*PHASES, *PROCEDURES), "Phase or procedure")
    yield from among(state.areas, tables.areas, "Area")
    yield from among(state.homes, owners, "Power")
    yield from among(state.sea_zones, tables.sea_zones, "Sea Zone")
    yield from among(state.powers, tables.powers, "Power")
    yield from among((*state.players, *state.minors, *state.ready), tables.powers, "Power")
    yield from among(state.events, tables.events, "Random Event")
    for here in state.areas.values():
        yield from among((m.power for m in here.markers), owners, "Power")
        yield from among((m.marker for m in here.markers), tables.markers, "marker")
        yield from among(here.codominion, owners, "Power")
    yield from among(state.at_sea, (*tables.sea_zones, *tables.capes), "Sea Zone or Cape Zone")
    for war in state.wars:
        yield from among(war.powers, (*owners, CHINA), "Power")
    for units in (*(here.units for here in state.areas.values()), *state.homes.values(), *state.at_sea.values()):
        yield from among((u.power for u in units), (*owners, CHINA), "Power")
        yield from among((u.kind for u in units), kinds, "kind of unit")
    for fleets in state.sea_zones.values():
        yield from among(fleets, owners, "Power")
    for cause in state.casus_belli:
        yield from among((cause.holder, cause.against), owners, "Power")
        yield from among((cause.area,), ("", *tables.areas), "Area")
    for treaty in state.treaties:
        yield from among(treaty.parties, owners, "Power")
    for choice in state.choices:
        yield from among((choice.seat, choice.power), owners, "Power")
    if state.result is not None:
        yield from among(state.result.ranks, tables.powers, "Power")
    yield from lacking(state.areas, tables.areas, "Area")
    yield from lacking(state.homes, tables.homes, "Home Country")
    yield from lacking(state.sea_zones, tables.sea_zones, "Sea Zone")
    yield from lacking(state.powers, state.players, "player")
