"""View of a game for a seat, as builtins, and the summary of a position in lines.

Pieces, money and points are public. The seed and the dice queue are not part of a state.
`paxtui.games.pax.visibility` removes other secrets. Views share the dicts of unchanged parts: do not change them.

Rules: WAR-020, WAR-064, STR-015
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Generic, TypeVar

import msgspec

from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.engine.upcast import Raw
from paxtui.games.pax import casus_belli
from paxtui.games.pax.board.adjacency import Board, board
from paxtui.games.pax.board.caching import cached
from paxtui.games.pax.board.status import units_line
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.congress.calling import seating_order
from paxtui.games.pax.congress.proposals import congress_step
from paxtui.games.pax.figures import describe_figures, describe_indexes
from paxtui.games.pax.position.writer import POWER_KEYS, dump_war
from paxtui.games.pax.sequence import waiting_seats
from paxtui.games.pax.state.model import PowerState, State
from paxtui.games.pax.state.options import Options, options_to_texts
from paxtui.games.pax.state.pieces import CHINA, OTTOMAN_EMPIRE, AreaState, Unit
from paxtui.games.pax.state.questions import Pending
from paxtui.games.pax.state.war import War
from paxtui.games.pax.text.display import describe_marker, phase_name, place_name, power_name
from paxtui.games.pax.turn import administration
from paxtui.games.pax.visibility import visible_treaties
from paxtui.games.pax.war.campaign import war_adjacency


def wars_view(tables: Tables, state: State) -> list[Raw]:
    """Return the Wars as builtins, in order. A passage is denied if all Powers that decide deny it."""
    return [
        {
            **dump_war(war),
            "denied": [
                {"passage": what, "to": to}
                for what, to in dict.fromkeys((d.passage, d.to) for d in war.denied)
                if war_adjacency.is_passage_closed(tables, state, war, what, to)
            ],
        }
        for war in state.wars
    ]


RECORD_LINES = tuple(f"{n:02d}" for n in range(1, 32))
"""Printed lines of the Administrative Record Sheet."""

Part = TypeVar("Part")


class _ViewCache(Generic[Part]):
    """Views of Areas or Home Countries. Unchanged parts keep their last view."""

    def __init__(self) -> None:
        self._last: tuple[object, dict[str, Part], dict[str, Raw]] = (None, {}, {})

    def of(self, parts: dict[str, Part], by: object, show: Callable[[str, Part], Raw]) -> dict[str, Raw]:
        """Return the view of each part.

        Args:
            parts: the parts by name.
            by: object whose identity decides whether the cache is valid.
            show: returns the view of a part.
        """
        shown_by, before, seen = self._last
        if shown_by is not by:
            before, seen = {}, {}
        if parts is not before:
            seen = {name: seen[name] if before.get(name) is here else show(name, here) for name, here in parts.items()}
            self._last = (by, parts, seen)
        return seen


_AREAS: _ViewCache[AreaState] = _ViewCache()
_HOMES: _ViewCache[tuple[Unit, ...]] = _ViewCache()
_POWERS: dict[str, tuple[PowerState, Raw]] = {}


def view_for_seat(tables: Tables, state: State, seat: str, version: int) -> Raw:
    """Return the game as `seat` sees it, as builtins.

    Args:
        seat: a seat, SPECTATOR or ARBITER.
        version: number of the seat's last log line.

    Raises:
        Refusal: `unknown_seat`.
    """
    check_seat(state, seat)
    map_ = board(tables, state)
    at_sea = {zone: [_unit(u, False) for u in units] for zone, units in state.at_sea.items()}
    return {
        "version": version,
        "year": tables.turns[state.turn - 1].year,
        "turn": state.turn,
        "phase": state.phase,
        "waiting": list(waiting_seats(tables, state)),
        "pending": pending_for_seat(state, seat),
        "ready": [s for s in state.players if s in state.ready],
        "players": list(state.players),
        "minors": list(state.minors),
        **({"abandoned": list(state.abandoned)} if state.abandoned else {}),
        **({"scenario": state.scenario} if state.scenario else {}),
        "options": _options(state.options),
        "powers": {name: _power_view(tables, state, name, p) for name, p in state.powers.items()},
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
                "lapses": casus_belli.lapse_time(c),
                "reconstructed": casus_belli.is_reconstructed(tables, c),
            }
            for c in state.casus_belli
        ],
        "treaties": [_all_fields(treaty) for treaty in visible_treaties(tables, state, seat)],
        "congress": congress_view(tables, state),
        "wars": wars_view(tables, state),
        "result": _result(state),
    }


def congress_view(tables: Tables, state: State) -> Raw | None:
    """Return the Congress of the turn with its delegates and the seats that have voted; None without one.

    Rules: CON-024, CON-040
    """
    congress = state.congress
    if congress is None:
        return None
    return {
        **_all_fields(congress),
        "holders": [str(holding) for holding in congress.holders],
        "step": congress_step(state, congress),
        "seating": list(seating_order(tables, congress)),
        "ballots_cast": list(state.ballots),
    }


def _all_fields(value: msgspec.Struct) -> Raw:
    return {name: msgspec.to_builtins(getattr(value, name)) for name in value.__struct_fields__}


def check_seat(state: State, seat: str) -> None:
    """Accept a seat, SPECTATOR or ARBITER.

    Raises:
        Refusal: `unknown_seat`.
    """
    if seat not in state.players and seat not in (ARBITER, SPECTATOR):
        seats = f"{', '.join(state.players)}, {SPECTATOR} and {ARBITER}"
        raise Refusal("unknown_seat", (), f"There is no seat {seat!r}. The seats are {seats}.")


def pending_for_seat(state: State, seat: str) -> list[Raw]:
    """Return the pending choices of `seat`; all for the arbiter, none for a spectator."""
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


def _power_view(tables: Tables, state: State, name: str, p: PowerState) -> Raw:
    written = p.record.get("01") is not None
    known = _POWERS.get(name)
    if written and known is not None and known[0] is p:
        return known[1]
    record = administration.sheet_values(tables, state, name)
    seen = {
        **{key: getattr(p, key) for key in POWER_KEYS if key != "had_control"},
        "record": {line: record.get(line) for line in RECORD_LINES},
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


@cached(most=4, by=lambda options: ((), (options,)))
def _options(options: Options) -> dict[str, str]:
    return options_to_texts(options)


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


def position_summary(tables: Tables, state: State) -> str:
    """Describe the whole position, one line a fact."""
    out = [
        f"{tables.turns[state.turn - 1].year}, Game Turn {state.turn} of {state.last_turn}, "
        f"{phase_name(state.phase)} Phase",
        describe_indexes(state),
    ]
    due = waiting_seats(tables, state)
    if due:
        out.append("waiting for " + ", ".join(power_name(tables, s) for s in due))
    for choice in state.choices:
        options = " / ".join(o if isinstance(o, str) else " ".join(o) for o in choice.options)
        out.append(f"choice {choice.id} for {power_name(tables, choice.power)} ({choice.kind}): {options}")
    if state.events:
        out.append("events in force: " + ", ".join(f"{tables.events[e].title} ({e})" for e in state.events))
    for cause in state.casus_belli:
        where = f" over {place_name(tables, cause.area)}" if cause.area else ""
        out.append(
            f"Casus Belli {cause.id}: {power_name(tables, cause.holder)} "
            f"against {power_name(tables, cause.against)}{where}"
        )
    out += [_war_lines(tables, war) for war in state.wars]
    if state.result:
        for seat, rank in sorted(state.result.ranks.items(), key=lambda kv: kv[1]):
            out.append(f"rank {rank}: {power_name(tables, seat)}, {state.result.totals.get(seat, 0)} Victory Points")
    out.append("")
    for name in tables.powers:
        out.extend(_power_lines(tables, state, name))
    for empire in (CHINA, OTTOMAN_EMPIRE):
        if any(u.power == empire for here in state.areas.values() for u in here.units):
            out.extend(_power_lines(tables, state, empire))
    return "\n".join(out)


def _war_lines(tables: Tables, war: War) -> str:
    sides = " against ".join(", ".join(power_name(tables, p) for p in side) for side in war.alliances)
    alliance_text = f" of Alliance {war.turn_of}" if war.turn_of else ""
    taken = [f"{place_name(tables, c.area)} conquered by Alliance {c.alliance}" for c in war.conquered]
    taken += [f"{place_name(tables, area)} defeated" for area in war.defeated]
    prisoners = [f"{power_name(tables, s.power)} {s.name} surrendered" for s in war.surrendered]
    more = "".join(f"; {what}" for what in (*taken, *prisoners))
    return f"War {war.id}: {sides}; cycle {war.cycle}, {war.stage}{alliance_text}{more}"


def _power_lines(tables: Tables, state: State, name: str) -> list[str]:
    figures = describe_figures(tables, state, name)
    about = f": {figures}" if figures else "" if name in (CHINA, OTTOMAN_EMPIRE) else " (Minor Power)"
    fleets = [place_name(tables, z) for z, ps in state.sea_zones.items() if name in ps]
    lines = [f"{power_name(tables, name)}{about}"]
    at_home = units_line(state.homes.get(name, ()))
    if at_home:
        lines.append(f"  at home: {at_home}")
    if fleets:
        lines.append(f"  Merchant Fleets: {', '.join(fleets)}")
    for area, here in state.areas.items():
        marks = [describe_marker(tables, m) for m in here.markers if m.power == name]
        units = units_line(tuple(u for u in here.units if u.power == name))
        if marks or units:
            flags = " in Unrest" if here.unrest else ""
            shared = ", Codominion" if name in here.codominion else ""
            lines.append(f"  {place_name(tables, area)}{flags}: {', '.join(marks) or 'no marker'}{shared} {units}")
    for zone, there in state.at_sea.items():
        at_sea = units_line(tuple(u for u in there if u.power == name))
        if at_sea:
            lines.append(f"  {place_name(tables, zone)}: {at_sea}")
    return lines
