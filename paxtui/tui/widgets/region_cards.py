"""A region as cards, one for each Area: the natural way to play on a small screen."""

from __future__ import annotations

from rich.text import Text

from paxtui.pax.links import linked_areas
from paxtui.pax.paths import entry
from paxtui.pax.status import units_line
from paxtui.tui.look import Look, clickable
from paxtui.tui.session import Session


def regions(session: Session) -> dict[str, list[str]]:
    """Areas by region, in the order of the table."""
    out: dict[str, list[str]] = {}
    for area in session.tables.areas.values():
        out.setdefault(area.region, []).append(area.id)
    return out


def region_text(session: Session, look: Look, region: str, cursor: str, width: int) -> Text:
    """The Areas of a region, a card each; the one under the cursor is marked."""
    tables, state, power = session.tables, session.state, session.power
    linked = linked_areas(tables, state, power)
    out = Text()
    out.append(f"{region.replace('_', ' ').title()}\n\n", "bold")
    for id_ in regions(session).get(region, []):
        area, here = tables.areas[id_], state.areas[id_]
        mark = "▸ " if id_ == cursor else "  "
        out.append(mark, look.key)
        name = f"bold {look.ink(area.type)}" + (" reverse" if id_ == cursor else "")
        out.append(f"{area.name:<24}", clickable(name, f"screen.mouse_card('{id_}')"))
        out.append(f"{area.type.replace('_', ' '):<15} ", look.faint)
        out.append(f"value {area.value:>2}  strength {area.strength:>2}  ")
        if here.unrest:
            out.append("! unrest ", look.alarm)
        if any(c.area == id_ for c in state.casus_belli):
            out.append("⚔ ", look.alarm)
        out.append("\n    ")
        for m in here.markers:
            out.append_text(look.text(look.marker(tables, m.power, m.marker, m.established), " "))
        if not here.markers:
            out.append("nobody's ", look.faint)
        for p in dict.fromkeys(u.power for u in here.units):
            text = units_line(tuple(u for u in here.units if u.power == p))
            out.append(f" {tables.powers[p].letters if p in tables.powers else '??'} {text}", look.ink(p))
        may = []
        if id_ in linked:
            may.append("linked")
        if entry(state, power, id_):
            may.append("armies may enter")
        out.append(f"   {', '.join(may)}\n", look.faint)
    return out
