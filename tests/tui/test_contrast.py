"""All texts have a contrast of 4.5 to 1, in each palette, with all, 256 and 16 colors."""

from __future__ import annotations

import re
from functools import cache
from itertools import product

import pytest
from rich.style import Style
from textual.widgets import OptionList

from paxtui.tui.app import PaxApp
from paxtui.tui.base.settings import Settings
from paxtui.tui.colors import (
    CUBE,
    DEPTH_NAMES,
    MIN_CONTRAST,
    PALETTES,
    POWERS,
    SIXTEEN,
    Depth,
    contrast,
    distance,
    legible,
    nearest,
    number_of,
    oklab,
    palette_of,
)
from paxtui.tui.map.canvas import Canvas
from paxtui.tui.map.layout import lay_out
from paxtui.tui.map.projection import ZOOMS
from paxtui.tui.themes import roles_of
from tests.tui.playing import press
from tools.bench.map_demo import crowded_scene, initial_scene, move_scene

TEXT = re.compile(r"[^\s\u2500-\u259f\u2800-\u28ff]")
LOOKS = [
    (name, depth) for name, palette in PALETTES.items() for depth in DEPTH_NAMES if palette.colour or depth == "all"
]
"""Each palette with each number of colors."""


def lowest_contrast(rows, app=None) -> tuple[float, str]:
    """Return the lowest contrast of drawn texts, and that text with its colors."""
    found = (21.0, "")
    for row in rows:
        for text, style, *_ in row:
            if style is not None and (pair := style_colors(style)) and TEXT.search(text):
                ink, paper = pair
                found = min(found, (contrast(ink, paper), f"{text!r} {ink} on {paper}"))
    return found


@cache
def style_colors(style: Style) -> tuple[str, str] | None:
    """Return text and background color of a style, None for the terminal's own. Cached: styles are few, texts many."""
    if style.color is None or style.bgcolor is None or style.color.is_default or style.bgcolor.is_default:
        return None
    ink, paper = style.color.get_truecolor().hex, style.bgcolor.get_truecolor().hex
    return (paper, ink) if style.reverse else (ink, paper)


def terminal_rows(rows, depth: Depth):
    """Return rows in the colors that a terminal shows."""
    for row in rows:
        yield [(text, None if style is None else terminal_style(style, depth)) for text, style, *_ in row]


@cache
def terminal_style(style: Style, depth: Depth) -> Style:
    parts = {}
    for name, colour in (("color", style.color), ("bgcolor", style.bgcolor)):
        if colour is not None and not colour.is_default:
            parts[name] = nearest(colour.get_truecolor().hex, depth)
    return style + Style(**parts)


@pytest.mark.parametrize(("name", "colours"), LOOKS)
def test_map_labels_have_enough_contrast(name: str, colours: str) -> None:
    palette = palette_of(name, depth=DEPTH_NAMES[colours])
    if not palette.colour:
        assert all(not s.style.color for s in Canvas(lay_out("world", 160, 46), palette).strip(20) if s.style)
        return
    found = (21.0, "")
    for zoom, scene in product(
        ZOOMS.values(), (initial_scene(), crowded_scene(initial_scene()), move_scene(crowded_scene(initial_scene(), 8)))
    ):
        canvas = Canvas(lay_out(zoom.name, zoom.width, zoom.height), palette)
        canvas.show(scene)
        found = min(
            found, lowest_contrast(terminal_rows((canvas.strip(y) for y in range(canvas.height)), palette.depth))
        )
    print(f"{name}, {colours} colours, the map: {found[0]:.2f} to 1, {found[1]}")
    assert found[0] >= MIN_CONTRAST, found


SCREENS = (
    (), ("enter",), ("down", "down"), ("escape", "z"), ("z",), ("3",), ("4",), ("5",), ("f1",), ("escape", "e"),
    ("escape", "f4"), ("down", "down"), ("escape", "F"), ("end",), ("escape", "t"), ("n",), ("escape", "escape", "l"),
    ("escape", "f2"), ("escape", "f5"), ("escape", "colon"),
)  # fmt: skip
"""Keys that go from screen to screen."""


@pytest.mark.parametrize(("name", "colours"), LOOKS)
async def test_screens_have_enough_contrast(fresh, name: str, colours: str) -> None:
    fresh.set_reactive(PaxApp.settings, Settings(palette=name, colours=colours))
    found = (21.0, "")
    async with fresh.run_test(size=(110, 34)) as pilot:  # wide enough for every pane; each of sixteen looks draws all
        await pilot.pause()
        fresh.screen.view.map.cursor = "siam"
        selected = 0
        for keys in SCREENS:
            await press(pilot, *keys)
            update = fresh.screen._compositor.render_strips()
            found = min(found, lowest_contrast(terminal_rows(update, DEPTH_NAMES[colours])))
            selected += any(lines.highlighted is not None for lines in fresh.screen.query(OptionList))
    assert selected > 4, "some screens have a selected line"
    print(f"{name}, {colours} colours, the screens: {found[0]:.2f} to 1, {found[1]}")
    assert found[0] >= MIN_CONTRAST, found


def test_contrast_agrees_with_wcag() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    assert contrast("#cd0000", "#000000") == contrast("#000000", "#cd0000")


def test_legible_finds_a_readable_color() -> None:
    assert legible("#ffffff", "#000000") == "#ffffff"
    for ink, paper in (("#445566", "#334455"), ("#f07b7b", "#875255"), ("#dddddd", "#ffffff"), ("#000000", "#000000")):
        found = legible(ink, paper)
        assert contrast(found, paper) >= MIN_CONTRAST
    assert legible("#0000ee", "#000000", SIXTEEN) in SIXTEEN


def test_reduced_colors_are_the_nearest() -> None:
    assert len(CUBE) == 240 and CUBE[0] == "#000000" and CUBE[-1] == "#eeeeee"
    assert nearest("#875f5f", Depth.CUBE) == "#875f5f" and number_of("#875f5f", Depth.CUBE) == 95
    assert number_of("#ff0000", Depth.SIXTEEN) == 9
    assert nearest("#123456", Depth.ALL) == "#123456"
    assert oklab("#ffffff")[0] == pytest.approx(1.0, abs=1e-3)


# Machado, Oliveira and Fernandes (2009), severity 1: what linear red, green and blue become.
BLINDNESS = {
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
}


def simulated_color(colour: str, kind: str) -> str:
    """Return a color as a person without one kind of cones sees it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    mixed = [min(1.0, max(0.0, sum(a * b for a, b in zip(row, linear, strict=True)))) for row in BLINDNESS[kind]]
    shown = [12.92 * p if p <= 0.0031308 else 1.055 * p ** (1 / 2.4) - 0.055 for p in mixed]
    return "#" + "".join(f"{round(255 * p):02x}" for p in shown)


PLAYERS = POWERS[:12]
MIN_DISTANCE = 0.1
"""Minimum distance of the colors of two Powers; black and white have 1."""


@pytest.mark.parametrize("kind", sorted(BLINDNESS))
def test_color_blind_players_can_distinguish_powers(kind: str) -> None:
    palette = PALETTES[kind]
    pairs = [
        (distance(simulated_color(palette.ink(one), kind), simulated_color(palette.ink(other), kind)), one, other)
        for at, one in enumerate(PLAYERS)
        for other in PLAYERS[at + 1 :]
    ]
    assert min(pairs)[0] >= MIN_DISTANCE, sorted(pairs)[:5]


def test_blues_of_france_and_united_states_differ() -> None:
    inks = [
        simulated_color(PALETTES["deuteranopia"].ink(power), "deuteranopia") for power in ("france", "united_states")
    ]
    assert distance(*inks) >= 0.18


@pytest.mark.parametrize(("name", "colours"), LOOKS)
def test_good_bad_and_plain_text_differ(name: str, colours: str) -> None:
    palette = palette_of(name, depth=DEPTH_NAMES[colours])
    if palette.colour:
        assert len({palette.ink("good"), palette.ink("alarm"), roles_of(palette)["ink"]}) == 3
