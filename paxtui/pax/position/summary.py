"""A position in plain lines: for `show`, logs and screen readers."""

from __future__ import annotations

from paxtui.pax.board.status import units_line
from paxtui.pax.board.tables import Tables
from paxtui.pax.sequence import waiting
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import CHINA, EXPANSION
from paxtui.pax.state.war import War
from paxtui.pax.words.spoken import phase_name, place_name, power_name


def summary(tables: Tables, state: State) -> str:
    """The whole position, one line a fact."""
    out = [
        f"{tables.turns[state.turn - 1].year}, Game Turn {state.turn} of {len(tables.turns)}, "
        f"{phase_name(state.phase)} Phase",
        f"European Tensions {state.tension}, Chinese Resentment {state.resentment}",
    ]
    due = waiting(tables, state)
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
    out += [_war(tables, war) for war in state.wars]
    if state.result:
        for seat, rank in sorted(state.result.ranks.items(), key=lambda kv: kv[1]):
            out.append(f"rank {rank}: {power_name(tables, seat)}, {state.result.totals.get(seat, 0)} Victory Points")
    out.append("")
    for name in tables.powers:
        out.extend(_power(tables, state, name))
    for empire in (CHINA, EXPANSION):
        if any(u.power == empire for here in state.areas.values() for u in here.units):
            out.extend(_power(tables, state, empire))
    return "\n".join(out)


def _war(tables: Tables, war: War) -> str:
    """A War: its sides, where it is in the War Sequence, and what has been conquered or defeated."""
    sides = " against ".join(", ".join(power_name(tables, p) for p in side) for side in war.alliances)
    whose = f" of Alliance {war.turn_of}" if war.turn_of else ""
    taken = [f"{place_name(tables, c.area)} conquered by Alliance {c.alliance}" for c in war.conquered]
    taken += [f"{place_name(tables, area)} defeated" for area in war.defeated]
    prisoners = [f"{power_name(tables, s.power)} {s.name} surrendered" for s in war.surrendered]
    more = "".join(f"; {what}" for what in (*taken, *prisoners))
    return f"War {war.id}: {sides}; cycle {war.cycle}, {war.stage}{whose}{more}"


def _power(tables: Tables, state: State, name: str) -> list[str]:
    p = state.powers.get(name)
    money = f": £{p.treasury}, {p.victory_points} Victory Points" if p else " (Minor Power)"
    if name in (CHINA, EXPANSION):
        money = ""
    fleets = [place_name(tables, z) for z, ps in state.sea_zones.items() if name in ps]
    lines = [f"{power_name(tables, name)}{money}"]
    at_home = units_line(state.homes.get(name, ()))
    if at_home:
        lines.append(f"  at home: {at_home}")
    if fleets:
        lines.append(f"  Merchant Fleets: {', '.join(fleets)}")
    for area, here in state.areas.items():
        marks = [
            tables.markers[m.marker].name + ("" if m.established else " (unestablished)")
            for m in here.markers
            if m.power == name
        ]
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
