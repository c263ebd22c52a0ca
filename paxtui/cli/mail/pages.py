"""Reports of a mail game as self-contained HTML pages, with maps before and after, charts and text.

Each map is SVG: Areas in the colours of their owners, with labels. The shapes are defined once per page; colours are
variables of its style sheet. Text of players is escaped, and a page has no script and loads no external resource.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape

from paxtui.charts.chart import Curves
from paxtui.charts.game_charts import all_charts
from paxtui.charts.html import css_colour, render_page
from paxtui.cli.runtime import clean_line
from paxtui.cli.terminal_output import page_colours
from paxtui.engine.seats import SPECTATOR
from paxtui.games.pax.board.status import area_state, units_line
from paxtui.games.pax.board.tables import HOME, Tables
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import AreaState
from paxtui.games.pax.text.display import place_name, power_name
from paxtui.mail.reports import ReportDocument, ReportPart, adjudications
from paxtui.session.game_viewer import game_course
from paxtui.session.pax_host import PaxHost
from paxtui.tui.colors import CASUS_BELLI, LETTERS, SIGNS, UNESTABLISHED, UNREST
from paxtui.tui.map.geometry import AREA, SEA, SVG_HEIGHT, SVG_WIDTH, svg_outlines
from paxtui.tui.map.layout import LabelSpot, lay_out
from paxtui.tui.map.projection import WORLD
from paxtui.tui.widgets.map_scene import shown_markers

SHADES = {"interest": 0.25, "influence": 0.35, "protectorate": 0.6, "possession": 0.8, "dominion": 1.0, "state": 1.0}
"""Opacity of the owner's colour, by marker."""

CELL = SVG_WIDTH // WORLD.width, SVG_HEIGHT // WORLD.height
"""Width and height of a character of a label."""

MAP_STYLE = """
.map { background: var(--page); border: 1px solid var(--faint); font: 9.5px ui-monospace, monospace; width: 100%; }
.map path, .map use { stroke: var(--page); stroke-width: .8; }
.map .land { fill: var(--faint); fill-opacity: .3; }
.map text { paint-order: stroke; stroke: var(--page); stroke-width: 2.5px; }
.map .sea { font-style: italic; fill: var(--faint); } .map .new { stroke: var(--alarm); stroke-width: 2.5; }
"""


def map_shapes() -> str:
    """Return the hidden definitions of the shapes that all maps of a page use."""
    paths = "".join(f'<path id="at-{place or "none"}" d="{path}"/>' for place, path in _by_id().items())
    return f'<svg width="0" height="0" style="position:absolute" aria-hidden="true"><defs>{paths}</defs></svg>'


def world_map(tables: Tables, state: State, title: str, new: frozenset[str] = frozenset()) -> str:
    """Return the map of a position. Args: the tables; the position; a title; the changed places."""
    return "\n".join(
        [
            f'<svg class="map" viewBox="0 0 {SVG_WIDTH} {SVG_HEIGHT}" role="img" aria-label="{escape(title)}">',
            *_land_shapes(tables, state, new),
            *_area_labels(tables, state),
            "</svg>",
        ]
    )


def changed_areas(tables: Tables, before: State, after: State) -> frozenset[str]:
    """Return the Areas that look different in a later position."""
    return frozenset(
        area
        for area in tables.areas
        if place_description(tables, before, area) != place_description(tables, after, area)
    )


def place_description(tables: Tables, state: State, place: str) -> str:
    """Describe the contents of a place in one line."""
    if place.startswith(HOME):
        units = units_line(state.homes.get(place.removeprefix(HOME), ()))
        return f"{power_name(tables, place.removeprefix(HOME))}, Home Country{f': {units}' if units else ''}"
    here = area_state(state, place)
    markers = ", ".join(f"{m.marker} of {power_name(tables, m.power)}{_doubt(m.established)}" for m in here.markers)
    units = ", ".join(f"{u.name} of {power_name(tables, u.power)}" for u in here.units)
    unrest = "Unrest" if here.unrest else ""
    contents = "; ".join(filter(None, (markers, units, unrest, "canal" if here.canal else "")))
    return f"{tables.areas[place].name}: {contents or 'nothing'}"


def _doubt(established: bool) -> str:
    return "" if established else " (not established)"


def _by_id() -> dict[str, str]:
    return {place.replace(":", "-"): path for place, path in svg_outlines().items()}


def _land_shapes(tables: Tables, state: State, new: frozenset[str]) -> Iterator[str]:
    yield '<g class="land"><use href="#at-none"/>'
    places = [place for place in svg_outlines() if place]
    yield from (f'<use href="#at-{place.replace(":", "-")}"/>' for place in places)
    yield "</g>"
    for place in sorted(places, key=lambda place: place in new):
        name, description = place.replace(":", "-"), escape(place_description(tables, state, place))
        if place.startswith(HOME):
            look = f'fill="{css_colour(place.removeprefix(HOME))}"'
        else:
            look = _area_look(area_state(state, place))
        marked = ' class="new"' if place in new else ""
        yield f'<use href="#at-{name}" {look}{marked}><title>{description}</title></use>'


def _area_look(here: AreaState) -> str:
    """Return the colour of an Area; stronger markers have stronger colours."""
    if not here.markers:
        return 'fill-opacity="0"'
    shown = shown_markers(here)
    return f'fill="{css_colour(shown[0].power)}" fill-opacity="{SHADES[shown[0].marker]}"'


def _area_labels(tables: Tables, state: State) -> Iterator[str]:
    for spot in lay_out(WORLD.name, WORLD.width, WORLD.height):
        if spot.echo:
            continue
        if spot.place.kind == SEA:
            yield from _sea_label(tables, spot, state)
        elif spot.place.kind == AREA:
            yield _label_element(spot, 0, "".join([escape(spot.words[0]), *_area_signs(state, spot.id)]))
        else:
            yield _label_element(spot, 0, escape(spot.words[0]), "home" if spot.id.startswith(HOME) else "sea")


def _area_signs(state: State, area: str) -> Iterator[str]:
    """Return the label of an Area: markers and flags."""
    here = area_state(state, area)
    if here.markers:
        shown = shown_markers(here)
        for marker in shown:
            letters = LETTERS.get(marker.power, marker.power[:2].upper()) if len(shown) == 1 else ""
            doubt = "" if marker.established else UNESTABLISHED
            yield f'<tspan fill="{css_colour(marker.power)}">{SIGNS[marker.marker]}{escape(letters)}{doubt}</tspan>'
    flags = (UNREST if here.unrest else "") + (
        CASUS_BELLI if any(cause.area == area for cause in state.casus_belli) else ""
    )
    if flags:
        yield f'<tspan fill="var(--alarm)">{flags}</tspan>'


def _sea_label(tables: Tables, spot: LabelSpot, state: State) -> Iterator[str]:
    units = units_in(tables, state, spot.id)
    for row, words in enumerate(spot.words):
        yield _label_element(spot, row, escape(words), "sea")
    if units:
        last = spot.rows[-1]
        x, y = last.x * CELL[0], (last.y + 1.6) * CELL[1]
        yield f'<text x="{x}" y="{y:g}"><title>{escape(units)}</title>{_fleets(state, spot.id)}</text>'
    left = list(state.sea_zones.get(spot.id, ()))
    for room in spot.below:
        here, left = left[: (room.width + 1) // 3], left[(room.width + 1) // 3 :]
        if here:
            letters = " ".join(
                f'<tspan fill="{css_colour(p)}">{escape(LETTERS.get(p, p[:2].upper()))}</tspan>' for p in here
            )
            yield f'<text x="{room.x * CELL[0]}" y="{(room.y + 0.8) * CELL[1]:g}">{letters}</text>'


def units_in(tables: Tables, state: State, zone: str) -> str:
    """Describe the Military Units in a Sea Zone in one line; "" for none."""
    units = state.at_sea.get(zone, ())
    names = ", ".join(f"{u.name} of {power_name(tables, u.power)}" for u in units)
    return f"{place_name(tables, zone)}: {names}" if names else ""


def _fleets(state: State, zone: str) -> str:
    """Return the Powers with Units in a Sea Zone, with their strength points."""
    strength: dict[str, int] = {}
    for unit in state.at_sea.get(zone, ()):
        strength[unit.power] = strength.get(unit.power, 0) + unit.strength
    return " ".join(
        f'<tspan fill="{css_colour(p)}">{escape(LETTERS.get(p, p[:2].upper()))}⚓{points}</tspan>'
        for p, points in strength.items()
    )


def _label_element(spot: LabelSpot, row: int, words: str, kind: str = "") -> str:
    """Return one row of a label."""
    here = spot.rows[row]
    x, y = here.x * CELL[0], (here.y + 0.8) * CELL[1]
    return f'<text x="{x}" y="{y:g}"{f" class={kind!r}" if kind else ""}>{words}</text>'


REPORT_STYLE = """
.due { border: 2px solid var(--ink); border-radius: 4px; padding: .2rem 1rem .6rem; margin: 1rem 0; }
.due h2 { margin: .4rem 0; } li { margin: .1rem 0; } h3 { margin: .8rem 0 .2rem; }
"""


def report_pages(table: PaxHost) -> Callable[[ReportDocument], str]:
    """Return the renderer of HTML reports for the last adjudication of a game."""
    tables, done = table.tables, adjudications(table)
    after = table.state_for(SPECTATOR)
    before = table.state_for(SPECTATOR, _number(table, done[-1].n - 1))
    new = changed_areas(tables, before, after)
    course = game_course(table, SPECTATOR)
    charts = [chart for chart in all_charts(tables, course).values() if isinstance(chart, Curves)]
    maps = [
        map_shapes(),
        "<h2>The map</h2>",
        world_map(tables, after, "The map now", new),
        "<p>Changed places have a bright border. Point at a place to see its contents. The Powers' colours are "
        "stronger where their markers are stronger.</p>",
        *_list_html([place_description(tables, after, area) for area in tables.areas if area in new]),
        "<h2>The map before</h2>",
        world_map(tables, before, "The map before this report"),
    ]

    def made(document: ReportDocument) -> str:
        first = [f"<p>For {escape(document.reader)}.</p>", '<div class="due">', *_part_html(document.due), "</div>"]
        body = [piece for part in document.parts for piece in _part_html(part)]
        whole = render_page(
            document.title,
            [*first, *body, *maps],
            charts,
            page_colours("light"),
            page_colours("dark"),
            style=MAP_STYLE + REPORT_STYLE,
        )
        return "\n".join(map(clean_line, whole.split("\n")))

    return made


def _number(table: PaxHost, line: int) -> int:
    """Return a log line by its public number."""
    return table.known(SPECTATOR).number(max(1, line))


def _part_html(part: ReportPart) -> Iterator[str]:
    yield f"<h2>{escape(part.title)}</h2>"
    for group in part.groups:
        if group.title:
            yield f"<h3>{escape(group.title)}</h3>"
        yield from _list_html(group.lines)


def _list_html(lines: tuple[str, ...] | list[str]) -> Iterator[str]:
    if lines:
        yield "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>"
