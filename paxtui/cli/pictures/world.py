"""The map of a position for a page of HTML: every territory a shape in the colour of its holder, and what stands there.

The shapes are drawn once a page, and every map of that page uses them. Colours are variables of the page's style.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from paxtui.charts.svg import colour
from paxtui.pax.board.status import at, units_line
from paxtui.pax.board.tables import HOME, Tables
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import AreaState
from paxtui.pax.words.spoken import place_name, power_name
from paxtui.tui.colours.palette import CASUS_BELLI, LETTERS, SIGNS, UNESTABLISHED, UNREST
from paxtui.tui.land.places import AREA, SEA
from paxtui.tui.land.projection import WORLD
from paxtui.tui.land.shapes import HEIGHT, WIDTH, outlines
from paxtui.tui.map.layout import Spot, lay_out
from paxtui.tui.widgets.scene_of import shown_markers

SHADES = {"interest": 0.25, "influence": 0.35, "protectorate": 0.6, "possession": 0.8, "dominion": 1.0, "state": 1.0}
"""How strong the colour of a holder is, by the marker."""

CELL = WIDTH // WORLD.width, HEIGHT // WORLD.height
"""Across and down of a sign of a label."""

STYLE = """
.map { background: var(--page); border: 1px solid var(--faint); font: 9.5px ui-monospace, monospace; width: 100%; }
.map path, .map use { stroke: var(--page); stroke-width: .8; }
.map .land { fill: var(--faint); fill-opacity: .3; }
.map text { paint-order: stroke; stroke: var(--page); stroke-width: 2.5px; }
.map .sea { font-style: italic; fill: var(--faint); } .map .new { stroke: var(--alarm); stroke-width: 2.5; }
"""


def shapes() -> str:
    """The shapes that the maps of a page use, themselves unseen."""
    paths = "".join(f'<path id="at-{place or "none"}" d="{path}"/>' for place, path in _by_id().items())
    return f'<svg width="0" height="0" style="position:absolute" aria-hidden="true"><defs>{paths}</defs></svg>'


def world(tables: Tables, state: State, title: str, new: frozenset[str] = frozenset()) -> str:
    """The map of a position. Args: the tables; it; what it shows, in words; the places that have changed."""
    return "\n".join(
        [
            f'<svg class="map" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">',
            *_land(tables, state, new),
            *_labels(tables, state),
            "</svg>",
        ]
    )


def changed(tables: Tables, before: State, after: State) -> frozenset[str]:
    """The Areas that look otherwise in a later position."""
    return frozenset(area for area in tables.areas if told(tables, before, area) != told(tables, after, area))


def told(tables: Tables, state: State, place: str) -> str:
    """What stands in a place, in a line."""
    if place.startswith(HOME):
        units = units_line(state.homes.get(place.removeprefix(HOME), ()))
        return f"{power_name(tables, place.removeprefix(HOME))}, Home Country{f': {units}' if units else ''}"
    here = at(state, place)
    markers = ", ".join(f"{m.marker} of {power_name(tables, m.power)}{_doubt(m.established)}" for m in here.markers)
    units = ", ".join(f"{u.name} of {power_name(tables, u.power)}" for u in here.units)
    unrest = "Unrest" if here.unrest else ""
    said = "; ".join(filter(None, (markers, units, unrest, "canal" if here.canal else "")))
    return f"{tables.areas[place].name}: {said or 'nothing'}"


def _doubt(established: bool) -> str:
    return "" if established else " (not established)"


def _by_id() -> dict[str, str]:
    return {place.replace(":", "-"): path for place, path in outlines().items()}


def _land(tables: Tables, state: State, new: frozenset[str]) -> Iterator[str]:
    yield '<g class="land"><use href="#at-none"/>'
    places = [place for place in outlines() if place]
    yield from (f'<use href="#at-{place.replace(":", "-")}"/>' for place in places)
    yield "</g>"
    for place in sorted(places, key=lambda place: place in new):
        name, said = place.replace(":", "-"), escape(told(tables, state, place))
        if place.startswith(HOME):
            look = f'fill="{colour(place.removeprefix(HOME))}"'
        else:
            look = _look(at(state, place))
        marked = ' class="new"' if place in new else ""
        yield f'<use href="#at-{name}" {look}{marked}><title>{said}</title></use>'


def _look(here: AreaState) -> str:
    """The colour of an Area; the firmer it is held, the stronger."""
    if not here.markers:
        return 'fill-opacity="0"'
    shown = shown_markers(here)
    return f'fill="{colour(shown[0].power)}" fill-opacity="{SHADES[shown[0].marker]}"'


def _labels(tables: Tables, state: State) -> Iterator[str]:
    for spot in lay_out(WORLD.name, WORLD.width, WORLD.height):
        if spot.echo:
            continue
        if spot.place.kind == SEA:
            yield from _sea(tables, spot, state)
        elif spot.place.kind == AREA:
            yield _text(spot, 0, "".join([escape(spot.words[0]), *_signs(state, spot.id)]))
        else:
            yield _text(spot, 0, escape(spot.words[0]), "home" if spot.id.startswith(HOME) else "sea")


def _signs(state: State, area: str) -> Iterator[str]:
    """Markers, and what else is to be seen at a glance."""
    here = at(state, area)
    if here.markers:
        shown = shown_markers(here)
        for marker in shown:
            letters = LETTERS.get(marker.power, marker.power[:2].upper()) if len(shown) == 1 else ""
            doubt = "" if marker.established else UNESTABLISHED
            yield f'<tspan fill="{colour(marker.power)}">{SIGNS[marker.marker]}{escape(letters)}{doubt}</tspan>'
    flags = (UNREST if here.unrest else "") + (
        CASUS_BELLI if any(cause.area == area for cause in state.casus_belli) else ""
    )
    if flags:
        yield f'<tspan fill="var(--alarm)">{flags}</tspan>'


def _sea(tables: Tables, spot: Spot, state: State) -> Iterator[str]:
    units = units_in(tables, state, spot.id)
    for row, words in enumerate(spot.words):
        yield _text(spot, row, escape(words), "sea")
    if units:
        last = spot.rows[-1]
        x, y = last.x * CELL[0], (last.y + 1.6) * CELL[1]
        yield f'<text x="{x}" y="{y:g}"><title>{escape(units)}</title>{_fleets(state, spot.id)}</text>'
    left = list(state.sea_zones.get(spot.id, ()))
    for room in spot.below:
        here, left = left[: (room.width + 1) // 3], left[(room.width + 1) // 3 :]
        if here:
            said = " ".join(f'<tspan fill="{colour(p)}">{escape(LETTERS.get(p, p[:2].upper()))}</tspan>' for p in here)
            yield f'<text x="{room.x * CELL[0]}" y="{(room.y + 0.8) * CELL[1]:g}">{said}</text>'


def units_in(tables: Tables, state: State, zone: str) -> str:
    """The Military Units in a Sea Zone, in a line; "" for none."""
    units = state.at_sea.get(zone, ())
    said = ", ".join(f"{u.name} of {power_name(tables, u.power)}" for u in units)
    return f"{place_name(tables, zone)}: {said}" if said else ""


def _fleets(state: State, zone: str) -> str:
    """The Powers with Units in a Sea Zone, each with their strength points."""
    strength: dict[str, int] = {}
    for unit in state.at_sea.get(zone, ()):
        strength[unit.power] = strength.get(unit.power, 0) + unit.strength
    return " ".join(
        f'<tspan fill="{colour(p)}">{escape(LETTERS.get(p, p[:2].upper()))}⚓{points}</tspan>'
        for p, points in strength.items()
    )


def _text(spot: Spot, row: int, words: str, kind: str = "") -> str:
    """A label, a row of it at a time."""
    here = spot.rows[row]
    x, y = here.x * CELL[0], (here.y + 0.8) * CELL[1]
    return f'<text x="{x}" y="{y:g}"{f" class={kind!r}" if kind else ""}>{words}</text>'
