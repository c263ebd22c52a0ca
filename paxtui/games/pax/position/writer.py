"""Text form of positions: dump, difference and TOML.

A patch is a tree of plain values (TOML files, JSON in the protocol) applied to the 1880 start; `reader` reads it.
A list replaces the whole list.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import to_builtins

from paxtui.engine.toml_text import toml_key, toml_value
from paxtui.engine.upcast import Raw
from paxtui.games.pax.state.model import ACCOUNTS_OF_THE_TURN, PowerState, State
from paxtui.games.pax.state.pieces import AreaState, Holding
from paxtui.games.pax.state.war import War
from paxtui.games.pax.transaction import refuse

POWER_KEYS = tuple(name for name in PowerState.__struct_fields__ if name not in ACCOUNTS_OF_THE_TURN)
"""Fields of a Power in a patch."""
SAME_KEYS = ("coaling", "denied", "conquered", "defeated", "surrendered", "began", "unsupplied")
"""Fields of a War that a patch contains unchanged."""


def dump_position(state: State) -> Raw:
    """Return the whole position as a patch."""
    capes = {name: {"units": _rows(u)} for name, u in state.at_sea.items() if name not in state.sea_zones}
    return {
        "turn": state.turn,
        "phase": state.phase,
        "areas": {name: _dump_area(a) for name, a in state.areas.items()},
        "homes": {name: {"units": _rows(units)} for name, units in state.homes.items()},
        "sea_zones": {
            zone: {
                "merchant_fleets": list(fleets),
                **({"units": _rows(state.at_sea[zone])} if zone in state.at_sea else {}),
            }
            for zone, fleets in state.sea_zones.items()
        },
        **({"capes": capes} if capes else {}),
        "powers": {name: {key: getattr(p, key) for key in POWER_KEYS} for name, p in state.powers.items()},
        "indexes": {"european_tensions": state.tension, "chinese_resentment": state.resentment},
        "events_in_force": list(state.events),
        "balkan_wars": state.balkan_wars,
        "casus_belli": [
            {key: value for key, value in to_builtins(c).items() if key != "id"} for c in state.casus_belli
        ],
        "treaties": _rows(state.treaties),
        "active_minors": dict(state.active_minors),
        "moved_minors": {str(Holding(power, area)): turn for power, area, turn in state.moved_minors},
        **({"wars": [dump_war(war) for war in state.wars]} if state.wars else {}),
        **({"abandoned": list(state.abandoned)} if state.abandoned else {}),
        **({"scenario": state.scenario} if state.scenario else {}),
    }


def _rows(parts: Iterable[object]) -> list[Any]:
    return [to_builtins(part) for part in parts]


def _dump_area(a: AreaState) -> Raw:
    return {
        "markers": [msgspec.structs.asdict(m) for m in a.markers],
        "units": _rows(a.units),
        "unrest": a.unrest,
        "codominion": list(a.codominion),
        "canal": a.canal,
        **({"type": a.type} if a.type else {}),
    }


def dump_war(war: War) -> Raw:
    """Return a War as in a patch, with each denial that makes up a closed passage."""
    return {
        "id": war.id,
        "kind": war.kind,
        "alliances": [list(side) for side in war.alliances],
        "order": list(war.order) or None,
        "declared": list(war.declared),
        "commands": dict(war.commands),
        "cycle": war.cycle,
        "phase": war.stage,
        "turn_of": war.turn_of or None,
        "quiet": war.quiet,
        **{key: _rows(getattr(war, key)) for key in SAME_KEYS},
        "over": [area or None for area in war.over],
        **({"defended": [{"minor": m, "power": p} for m, p in war.defended]} if war.defended else {}),
        **({"marching": list(war.marching)} if war.marching else {}),
        **({"left": list(war.left)} if war.left else {}),
        **({"beaten": list(war.beaten)} if war.beaten else {}),
        **({"links": [{"power": p, "on": target} for p, target in war.links]} if war.links else {}),
        **({"helps": [{"power": p, "partner": partner} for p, partner in war.helps]} if war.helps else {}),
    }


def diff_positions(start: Mapping[str, Any], whole: Mapping[str, Any]) -> Raw:
    """Return the smallest patch from `start` to `whole`, both as `dump_position` returns them."""
    out: Raw = {}
    for key, value in whole.items():
        old = start.get(key)
        if isinstance(value, dict) and isinstance(old, dict) and key not in ("active_minors", "moved_minors"):
            inner = diff_positions(old, value)
            if inner:
                out[key] = inner
        elif value != old:
            out[key] = value
    return out


MAX_DOTS = 500
"""Maximum number of dots in a line of a position; nested tables are slow to parse."""


def read_toml(text: str) -> dict[str, Any]:
    """Return the patch in a TOML text.

    Raises:
        Refusal: `bad_position_text`, with the line and the error.
    """
    deep = next((n for n, line in enumerate(text.split("\n"), start=1) if line.count(".") > MAX_DOTS), 0)
    if deep:
        message = f"The position is not TOML that paxtui writes: line {deep} has more than {MAX_DOTS} dots."
        refuse("bad_position_text", (), message)
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        refuse("bad_position_text", (), f"The position is not valid TOML: {error}.")


def write_toml(patch: Mapping[str, Any]) -> str:
    """Return a patch as TOML: plain values first, then one table for each part."""
    lines = [f"{toml_key(key)} = {toml_value(value)}" for key, value in patch.items() if not isinstance(value, Mapping)]
    for key, value in patch.items():
        if not isinstance(value, Mapping):
            continue
        if value and all(isinstance(inner, Mapping) for inner in value.values()):
            for name, inner in value.items():
                lines += ["", f"[{toml_key(key)}.{toml_key(name)}]"]
                lines += [f"{k} = {toml_value(v)}" for k, v in inner.items()]
        elif value:
            lines += ["", f"[{toml_key(key)}]"] + [f"{toml_key(k)} = {toml_value(v)}" for k, v in value.items()]
    return "\n".join(lines) + "\n"
