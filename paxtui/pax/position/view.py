"""What a seat sees: the one shape in which a game leaves the authority.

All pieces, all money and all points lie open; hidden are the seed and the dice queue, which are no part of a state,
and what `paxtui.pax.play.secrecy` keeps from a seat. Lists of choices are a seat's own.

The dicts of what has not changed (Areas, Home Countries, Powers, options) are shared between views: whoever gets a view
reads it and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Generic, TypeVar

import msgspec

from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.engine.upcast import Raw
from paxtui.pax.board.neighbours import Board, board
from paxtui.pax.board.remembered import remembered
from paxtui.pax.board.tables import Tables
from paxtui.pax.congress.calling import seating
from paxtui.pax.congress.sitting import step_of
from paxtui.pax.play import casus_belli
from paxtui.pax.play.secrecy import treaties_seen
from paxtui.pax.position.wars_seen import wars_seen
from paxtui.pax.sequence import waiting
from paxtui.pax.state.model import PowerState, State
from paxtui.pax.state.options import Options, in_texts
from paxtui.pax.state.pieces import AreaState, Unit
from paxtui.pax.state.questions import Pending
from paxtui.pax.turn import record_sheet

LINES = tuple(f"{n:02d}" for n in range(1, 32))
"""Printed lines of the Administrative Record Sheet."""

Part = TypeVar("Part")


class _Shared(Generic[Part]):
    """What is seen of the Areas, or of the Home Countries: of one that has not changed, what the last view had."""

    def __init__(self) -> None:
        self._last: tuple[object, dict[str, Part], dict[str, Raw]] = (None, {}, {})

    def of(self, parts: dict[str, Part], by: object, show: Callable[[str, Part], Raw]) -> dict[str, Raw]:
        """What is seen of each. Args: the parts by name; the very object that shows them; how it shows one."""
        shown_by, before, seen = self._last
        if shown_by is not by:
            before, seen = {}, {}
        if parts is not before:
            seen = {name: seen[name] if before.get(name) is here else show(name, here) for name, here in parts.items()}
            self._last = (by, parts, seen)
        return seen


_AREAS: _Shared[AreaState] = _Shared()
_HOMES: _Shared[tuple[Unit, ...]] = _Shared()
_POWERS: dict[str, tuple[PowerState, Raw]] = {}


def view(tables: Tables, state: State, seat: str, version: int) -> Raw:
    """The game as `seat` sees it, as builtins.

    Args: the tables; the position; a seat, SPECTATOR or ARBITER; the number of the last line that the seat has.
    Raises: Refusal `unknown_seat`.
    """
    check_seat(state, seat)
    map_ = board(tables, state)
    at_sea = {zone: [_unit(u, False) for u in units] for zone, units in state.at_sea.items()}
    return {
        "version": version,
        "year": tables.turns[state.turn - 1].year,
        "turn": state.turn,
        "phase": state.phase,
        "waiting": list(waiting(tables, state)),
        "pending": pending(state, seat),
        "ready": [s for s in state.players if s in state.ready],
        "players": list(state.players),
        "minors": list(state.minors),
        **({"abandoned": list(state.abandoned)} if state.abandoned else {}),
        "options": _options(state.options),
        "powers": {name: _power(tables, state, name, p) for name, p in state.powers.items()},
        "areas": _AREAS.of(state.areas, map_, partial(_area, tables, map_)),
        "homes": _HOMES.of(state.homes, tables, partial(_home, tables)),
        "sea_zones": {
            name: {"merchant_fleets": list(fleets), "units": at_sea.get(name, [])}
            for name, fleets in state.sea_zones.items()
        },
        "capes": {name: {"units": at_sea.get(name, [])} for name in tables.capes},
        "indexes": {"european_tensions": state.tension, "chinese_resentment": state.resentment},
        "events_in_force": list(state.events),
        "casus_belli": [
            {
                "id": c.id,
                "area": c.area or None,
                "holder": c.holder,
                "against": c.against,
                "rule": c.rule,
                "cause": c.cause,
                "lapses": casus_belli.lapses(c),
                "reconstructed": casus_belli.reconstructed(tables, c),
            }
            for c in state.casus_belli
        ],
        "treaties": treaties_seen(tables, state, seat),
        "congress": congress_seen(tables, state),
        "wars": wars_seen(tables, state),
        "result": _result(state),
    }


def congress_seen(tables: Tables, state: State) -> Raw | None:
    """The Congress of the turn, with its delegates as they sit and who has cast a sealed ballot; None without one.

    Rules: CON-024, CON-040
    """
    congress = state.congress
    if congress is None:
        return None
    seen: Raw = {name: msgspec.to_builtins(getattr(congress, name)) for name in congress.__struct_fields__}
    step = step_of(state, congress)
    seen["holders"] = [str(holding) for holding in congress.holders]
    return {**seen, "step": step, "seating": list(seating(tables, congress)), "ballots_cast": list(state.ballots)}


def check_seat(state: State, seat: str) -> None:
    """Raises: Refusal `unknown_seat` for anything but a seat, SPECTATOR or ARBITER."""
    if seat not in state.players and seat not in (ARBITER, SPECTATOR):
        raise Refusal(
            "unknown_seat",
            (),
            f"There is no seat {seat!r}; the seats are {', '.join(state.players)}, {SPECTATOR} and {ARBITER}.",
        )


def pending(state: State, seat: str) -> list[Raw]:
    """The choices that wait for `seat`; all of them for the arbiter, none for a spectator."""
    return [_choice(c) for c in state.choices if seat in (ARBITER, c.seat)]


def _choice(c: Pending) -> Raw:
    return {
        "id": c.id,
        "seat": c.seat,
        "power": c.power,
        "kind": c.kind,
        "options": [_texts(o) for o in c.options],
        "default": _texts(c.default),
    }


def _texts(option: str | Iterable[str]) -> str | list[str]:
    return option if isinstance(option, str) else list(option)


def _power(tables: Tables, state: State, name: str, p: PowerState) -> Raw:
    written = p.record.get("01") is not None
    known = _POWERS.get(name)
    if written and known is not None and known[0] is p:
        return known[1]
    record = record_sheet.shown(tables, state, name)
    seen = {
        "treasury": p.treasury,
        "victory_points": p.victory_points,
        "merchants_due": p.merchants_due,
        "record": {line: record.get(line) for line in LINES},
    }
    if written:
        _POWERS[name] = (p, seen)
    return seen


def _area(tables: Tables, map_: Board, name: str, here: AreaState) -> Raw:
    split = bool(map_.split_coasts(name)) or bool(tables.areas[name].passage)
    return {
        "type": here.type or tables.areas[name].type,
        "unrest": here.unrest,
        "codominion": list(here.codominion),
        "canal": here.canal,
        "markers": [{"power": m.power, "marker": m.marker, "established": m.established} for m in here.markers],
        "units": [_unit(u, split) for u in here.units],
    }


def _home(tables: Tables, name: str, units: tuple[Unit, ...]) -> Raw:
    several = len(tables.homes[name].boxes) > 1
    return {"units": [_unit(u, several) for u in units]}


@remembered(most=4, by=lambda options: ((), (options,)))
def _options(options: Options) -> dict[str, str]:
    return in_texts(options)


def _unit(u: Unit, coasts: bool) -> Raw:
    seen: Raw = {"power": u.power, "kind": u.kind, "strength": u.strength}
    if coasts and u.coast:
        seen["coast"] = u.coast
    return seen


def _result(state: State) -> Raw | None:
    if state.result is None:
        return None
    return {
        "reason": state.result.reason,
        "turn": state.result.turn,
        "culprits": list(state.result.culprits),
        "ranks": dict(state.result.ranks),
    }
