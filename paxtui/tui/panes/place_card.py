"""The card under the map: what stands at a place, and what the acting Power could do there."""

from __future__ import annotations

from rich.text import Text

from paxtui.pax.board.links import link_path
from paxtui.pax.board.status import units_line
from paxtui.pax.words.spoken import place_name, power_name, the_powers
from paxtui.table.session import Session
from paxtui.tui.writing.look import Look


def place_card(session: Session, look: Look, place: str) -> Text:
    """The card under the map: what stands at a place and what the acting Power could do there."""
    tables, state = session.tables, session.state
    out = Text()
    if place in tables.areas:
        here = state.areas[place]
        for m in here.markers:
            name = tables.markers[m.marker].name
            new = "" if m.established else " (unestablished)"
            out.append_text(
                look.text(look.marker(tables, m.power, m.marker, m.established), f" {name}{new}   ")
            )
        if not here.markers:
            out.append("nobody's yet   ", look.faint)
        for p in dict.fromkeys(u.power for u in here.units):
            out.append_text(look.text(look.units(p, tuple(u for u in here.units if u.power == p)), "   "))
        if here.unrest:
            out.append("! Unrest   ", look.alarm)
        if here.codominion:
            out.append(f"Codominion of {', '.join(power_name(tables, p) for p in here.codominion)}   ")
        for war in state.wars:
            if war.conqueror(place):
                out.append(f"conquered by {the_powers(tables, war.alliance(war.conqueror(place)))}   ", look.alarm)
        if here.canal:
            out.append("canal   ")
        path = link_path(tables, state, session.power, place)
        link = " → ".join(place_name(tables, p) for p in path[1:-1]) if path else ""
        out.append(
            ("your link: " + (link or "next door")) if path else f"no link for {power_name(tables, session.power)}",
            look.faint,
        )
    elif place in tables.sea_zones or place in tables.capes:
        here_at_sea = state.at_sea.get(place, ())
        for p in dict.fromkeys(u.power for u in here_at_sea):
            out.append_text(look.text(look.units(p, tuple(u for u in here_at_sea if u.power == p)), "   "))
        fleets = state.sea_zones.get(place, ())
        if place in tables.capes:
            return out
        out.append("Merchant Fleets: ")
        for p in fleets:
            out.append_text(look.text(look.power(tables, p, long=False), " "))
        if not fleets:
            out.append("none", look.faint)
    elif place.startswith("home:"):
        units = state.homes.get(place[5:], ())
        out.append(f"at home: {units_line(units) or 'nothing'}")
    out.append_text(_acted(session, look, place))
    return out


def _acted(session: Session, look: Look, place: str) -> Text:
    """Who of the others at a shared table has acted here last."""
    out = Text()
    for seat, there in session.acted_at.items():
        if there == place:
            out.append_text(look.text("   ", look.power(session.tables, seat, long=False)))
    if out:
        out.append(" acted here last", look.faint)
    return out
