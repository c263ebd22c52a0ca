"""The position that a view shows, for a bot that sits at the other end of the protocol.

What a view leaves out (which units have halted, since when a marker stands) keeps its default: a bot may then try
something that is refused, and loses nothing by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from paxtui.engine.upcast import Raw
from paxtui.pax.board.tables import Tables
from paxtui.pax.state.model import PowerState, Result, State
from paxtui.pax.state.options import of_texts
from paxtui.pax.state.pieces import AreaState, Marker, Unit
from paxtui.pax.state.progress import InProgress
from paxtui.pax.state.questions import AnyQuestion, FightOrDecline, Pending

UNIT_UPKEEP = "16"
NET_INCOME = "22"
"""Lines of the record sheet from which the spending of the turn is told."""


def position_seen(tables: Tables, view: Mapping[str, Any]) -> State:
    """The position of a view as builtins, as `paxtui.pax.position.view.view` or the protocol gives it."""
    result = view["result"]
    return State(
        turn=view["turn"],
        frames=(InProgress(view["phase"]),),
        areas={
            name: AreaState(
                markers=tuple(Marker(m["power"], m["marker"], m["established"]) for m in here["markers"]),
                units=_units(here["units"]),
                unrest=here["unrest"],
                codominion=tuple(here["codominion"]),
                canal=here["canal"],
                type="" if here["type"] == tables.areas[name].type else here["type"],
            )
            for name, here in view["areas"].items()
        },
        homes={name: _units(home["units"]) for name, home in view["homes"].items()},
        sea_zones={name: tuple(zone["merchant_fleets"]) for name, zone in view["sea_zones"].items()},
        powers={name: _power(p) for name, p in view["powers"].items()},
        players=tuple(view["players"]),
        minors=tuple(view["minors"]),
        options=of_texts(view["options"]),
        tension=view["indexes"]["european_tensions"],
        resentment=view["indexes"]["chinese_resentment"],
        events=tuple(view["events_in_force"]),
        choices=tuple(_choice(c) for c in view["pending"]),
        ready=tuple(view["ready"]),
        result=Result(result["reason"], result["turn"]) if result else None,
    )


def _units(raw: list[Raw]) -> tuple[Unit, ...]:
    return tuple(Unit(u["power"], u["kind"], u["strength"], u.get("coast", "")) for u in raw)


def _power(p: Mapping[str, Any]) -> PowerState:
    """A Power; all that has gone from its income counts as spent on what an event asks for."""
    record = p["record"]
    spent = max(0, (record[NET_INCOME] or 0) - p["treasury"])
    return PowerState(
        treasury=p["treasury"],
        victory_points=p["victory_points"],
        merchants_due=p["merchants_due"],
        record=dict(record),
        upkeep=record[UNIT_UPKEEP] or 0,
        spent_on_units=spent,
        spent_on_naval=spent,
    )


def _choice(c: Mapping[str, Any]) -> Pending:
    options = tuple(o if isinstance(o, str) else tuple(o) for o in c["options"])
    default = c["default"] if isinstance(c["default"], str) else tuple(c["default"])
    words = options[0].split() if options and isinstance(options[0], str) else []
    about: AnyQuestion = msgspec.convert({"kind": c["kind"]}, type=AnyQuestion)
    area = words[1] if isinstance(about, FightOrDecline) and len(words) > 1 else ""
    return Pending(c["id"], c["seat"], c["power"], about, options, default, area)
