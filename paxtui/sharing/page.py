"""The page of a game: one HTML file with map, script, styles and data, which loads nothing.

The contents are data, which the script inserts as text. A Content Security Policy allows only the script and the styles
of this file, named by their hashes.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path

import msgspec

from paxtui.games.pax.state.pieces import OTTOMAN_EMPIRE
from paxtui.sharing.atlas import HEIGHT, WIDTH, vector_atlas
from paxtui.sharing.contents import SharedGame
from paxtui.tui.colors import PALETTES, POWERS, Palette, blend
from paxtui.tui.map.geometry import AREA, HOME_PREFIX, SEA
from paxtui.tui.map.layout import LabelSpot, Layout, lay_out
from paxtui.tui.map.projection import THEATRE, WORLD, Zoom, load_warp

PAGE_FILES = Path(__file__).parent / "page"
DARK_SHARE = 0.78
"""Factor for the dark palette, whose colours are bright."""
STATUS_SHARE = {
    "home": 0.78,
    "dominion": 0.70,
    "state": 0.70,
    "possession": 0.58,
    "protectorate": 0.40,
    "influence": 0.20,
    "interest": 0.11,
}
"""Share of a Power's colour in its land, by Status: stronger than in the terminal, whose labels need contrast."""
GRATICULE = range(-150, 190, 30), range(-30, 80, 15)
"""Longitudes and latitudes of the lines on the sea."""


def render_game_page(game: SharedGame) -> str:
    style = _style()
    script = _page_file("page.js")
    policy = "; ".join(
        (
            "default-src 'none'",
            f"script-src {_hash_source(script)}",
            f"style-src {_hash_source(style)}",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    return _fill_template(
        _page_file("page.html"),
        {
            "title": escape(game.title),
            "policy": escape(policy),
            "style": style,
            "map": _map_svg(),
            "data": _script_data(game),
            "script": script,
        },
    )


@cache
def _page_file(name: str) -> str:
    return (PAGE_FILES / name).read_text(encoding="utf-8")


def _fill_template(template: str, values: Mapping[str, str]) -> str:
    """Replace each `{{name}}` of the template once; the inserted texts are not searched."""
    return re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], template)


def _hash_source(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _script_data(game: SharedGame) -> str:
    """Return the contents as JSON that can end no element and begin no comment."""
    data = msgspec.json.encode(game).decode()
    return data.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


# --- colours ----------------------------------------------------------------------------------------------------------


@cache
def _style() -> str:
    """Return the style sheet with the colours of the light and the dark palette."""
    light, dark = (_variables(PALETTES[name]) for name in ("light", "dark"))
    return _fill_template(_page_file("page.css"), {"light": light, "dark": dark})


def _variables(palette: Palette) -> str:
    """Return the colours of a palette as CSS variables."""
    found = {
        "sea": palette.sea,
        "shallow": palette.shallow,
        "land": palette.land,
        "coast": palette.coast,
        "sea-name": palette.sea_name,
        "ink": palette.accent,
        "on-ink": palette.on_accent,
        "second": palette.ink("second"),
        "faint": palette.ink("faint"),
        "alarm": palette.ink("alarm"),
        "good": palette.ink("good"),
        "key": palette.lit,
    }
    for power in (*POWERS, OTTOMAN_EMPIRE):
        found[f"p-{power}"] = palette.ink(power)
        for status, share in STATUS_SHARE.items():
            strength = share * DARK_SHARE if palette.dark else share
            found[f"f-{power}-{status}"] = blend(palette.ink(power), palette.land, strength)
    return "".join(f"--{name}:{colour};" for name, colour in found.items())


# --- the map ----------------------------------------------------------------------------------------------------------


@cache
def _map_svg() -> str:
    """Return the map of the empty board. The script colours it and writes the signs."""
    atlas = vector_atlas()
    lands = "".join(f'<path class="land" data-place="{escape(place)}" d="{d}"/>' for place, d in atlas.lands.items())
    return (
        f'<svg id="map" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="map-title">'
        '<title id="map-title">Map of the world</title>'
        f'<defs><path id="coast" d="{atlas.coast}"/><clipPath id="on-land"><use href="#coast" clip-rule="evenodd"/>'
        '</clipPath><g id="patterns"></g></defs>'
        f'<rect class="sea" width="{WIDTH}" height="{HEIGHT}"/><path class="graticule" d="{_graticule()}"/>'
        '<use href="#coast" class="shore wide"/><use href="#coast" class="shore"/>'
        '<g clip-path="url(#on-land)"><use href="#coast" class="nobody"/>'
        f'<g id="lands">{lands}</g><path class="borders" d="{atlas.borders}"/><path id="changed" d=""/>'
        '<path id="picked" d=""/></g><use href="#coast" class="coastline"/><path id="arrows" d=""/>'
        f'<g id="codes">{"".join(_labels(WORLD))}</g><g id="names">{"".join(_labels(THEATRE))}</g></svg>'
    )


def _graticule() -> str:
    warp = load_warp()
    down = "".join(f"M{round(warp.unit(0, lon)[0] * WIDTH)} 0v{HEIGHT}" for lon in GRATICULE[0])
    return down + "".join(f"M0 {round(warp.unit(lat, 0)[1] * HEIGHT)}h{WIDTH}" for lat in GRATICULE[1])


def _labels(zoom: Zoom) -> Iterator[str]:
    """Return the labels of a zoom at the cells where the terminal has them."""
    layout = lay_out(zoom.name, zoom.width, zoom.height)
    for spot in layout.spots.values():
        if spot.place.kind in (AREA, SEA) or spot.id.startswith(HOME_PREFIX):
            yield _label(layout, spot)


def _label(layout: Layout, spot: LabelSpot) -> str:
    """Return a label: its words, and empty text for signs, behind a code or below a name."""
    across, down = WIDTH / layout.width, HEIGHT / layout.height
    kind = {SEA: "sea-zone", AREA: "area"}.get(spot.place.kind, "home")
    last, rows = spot.rows[-1], []
    if not layout.zoom.names and kind != "sea-zone":
        words = f'{escape(spot.words[0])} <tspan class="signs"></tspan>'
        rows.append(_text(last.x * across, (last.y + 0.78) * down, words))
    else:
        for row, words in zip(spot.rows, spot.words, strict=True):
            rows.append(_text((row.x + len(words) / 2) * across, (row.y + 0.78) * down, escape(words), "middle"))
        middle = (last.x + len(spot.words[-1]) / 2) * across
        rows.append(_text(middle, (last.y + 1.72) * down, "", "middle signs"))
    return f'<g class="label {kind}" data-place="{escape(spot.id)}">{"".join(rows)}</g>'


def _text(x: float, y: float, words: str, kind: str = "") -> str:
    return f'<text x="{round(x)}" y="{round(y)}"{f" class={kind!r}" if kind else ""}>{words}</text>'
