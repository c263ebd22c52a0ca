"""The text form of a position: patch the 1880 start, dump, and say everything that is impossible about it.

A patch is a tree of plain values (TOML by hand, JSON in the protocol). A list replaces the whole list. Links,
effective values, record lines and what is waited for are always worked out anew.

Rules: SET-029, SET-039, MOV-003, COD-001
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from paxtui.engine.upcast import Raw
from paxtui.pax import sequence
from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.position.position_reader import Reader
from paxtui.pax.position.setup import start_of
from paxtui.pax.position.wars_seen import wars_written
from paxtui.pax.state.model import State
from paxtui.pax.state.options import Options
from paxtui.pax.state.pieces import CONTROL, POSSESSION, PROTECTORATE, AreaState, Holding, Unit


def read_position(tables: Tables, players: tuple[str, ...], options: Options, patch: Any) -> State:
    """The 1880 start of this game with `patch` applied.

    Raises: Refusal `impossible_position` with every problem in `detail["problems"]`.
    """
    reader = Reader(tables, start_of(tables, players, options))
    state = reader.read(patch)
    if reader.problems:
        refuse(
            "impossible_position",
            tuple(reader.rules),
            "No game can have this position: " + "; ".join(reader.problems),
            problems=reader.problems,
        )
    control = {m.power for a in state.areas.values() for m in a.markers if m.established and m.marker in CONTROL}
    bought = {
        m.power
        for a in state.areas.values()
        for m in a.markers
        if m.marker in (PROTECTORATE, POSSESSION) and (not m.established or m.since == state.turn)
    }
    powers = {
        n: replace(p, had_control=p.had_control or n in control, bought_control=n in bought)
        for n, p in state.powers.items()
    }
    return replace(state, powers=powers)


def set_position(play: Play, patch: Any) -> None:
    """Arbiter: put the patched 1880 start on the board. Nothing is rolled and nothing advances."""
    state = read_position(play.tables, play.state.players, play.state.options, patch)
    play.emit(ev.PositionSet(state=state))
    sequence.now(play).begin(play)


def dump(state: State) -> Raw:
    """The whole position in the shape of a patch."""
    return {
        "turn": state.turn,
        "phase": state.phase,
        "areas": {name: _dump_area(a) for name, a in state.areas.items()},
        "homes": {name: {"units": [_dump_unit(u) for u in us]} for name, us in state.homes.items()},
        "sea_zones": {name: _dump_zone(state, name, fleets) for name, fleets in state.sea_zones.items()},
        **({"capes": capes} if (capes := _dump_capes(state)) else {}),
        "powers": {
            name: {
                "treasury": p.treasury,
                "victory_points": p.victory_points,
                "merchants_due": p.merchants_due,
                "had_control": p.had_control,
            }
            for name, p in state.powers.items()
        },
        "indexes": {"european_tensions": state.tension, "chinese_resentment": state.resentment},
        "events_in_force": list(state.events),
        "balkan_wars": state.balkan_wars,
        "casus_belli": [
            {key: value for key, value in msgspec.to_builtins(c).items() if key != "id"} for c in state.casus_belli
        ],
        "treaties": [msgspec.to_builtins(t) for t in state.treaties],
        "active_minors": dict(state.active_minors),
        "moved_minors": {str(Holding(power, area)): turn for power, area, turn in state.moved_minors},
        **({"wars": wars} if (wars := wars_written(state)) else {}),
        **({"abandoned": list(state.abandoned)} if state.abandoned else {}),
    }


def _dump_zone(state: State, name: str, fleets: tuple[str, ...]) -> Raw:
    out: Raw = {"merchant_fleets": list(fleets)}
    if name in state.at_sea:
        out["units"] = [_dump_unit(u) for u in state.at_sea[name]]
    return out


def _dump_capes(state: State) -> Raw:
    """Cape Zones with Units in them."""
    at_sea = {name: units for name, units in state.at_sea.items() if name not in state.sea_zones}
    return {name: {"units": [_dump_unit(u) for u in units]} for name, units in at_sea.items()}


def _dump_area(a: AreaState) -> Raw:
    out: Raw = {
        "markers": [
            {"power": m.power, "marker": m.marker, "established": m.established, "since": m.since} for m in a.markers
        ],
        "units": [_dump_unit(u) for u in a.units],
        "unrest": a.unrest,
        "codominion": list(a.codominion),
        "canal": a.canal,
    }
    if a.type:
        out["type"] = a.type
    return out


def _dump_unit(u: Unit) -> Raw:
    out: Raw = {"power": u.power, "kind": u.kind, "strength": u.strength}
    if u.coast:
        out["coast"] = u.coast
    if u.halted:
        out["halted"] = True
    return out


def difference(start: Mapping[str, Any], whole: Mapping[str, Any]) -> Raw:
    """The smallest patch that makes `whole` out of `start`, both as `dump` gives them."""
    out: Raw = {}
    for key, value in whole.items():
        old = start.get(key)
        if isinstance(value, dict) and isinstance(old, dict) and key not in ("active_minors", "moved_minors"):
            inner = difference(old, value)
            if inner:
                out[key] = inner
        elif value != old:
            out[key] = value
    return out
