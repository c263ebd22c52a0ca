"""Palettes: colours and signs by the name of what they stand for, so that a scene need not know which one is on.

A key is the id of a power, the type of an Area, or one of the roles below. Palettes differ in their inks alone;
tints of territories are the ink let into the land. `mono` has no colours at all and tells things apart by weight,
underline and reverse; letters and signs say the same in every palette. The ASCII set is for terminals and fonts
that lack the rest, and goes with any palette.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from paxtui.tui.colours.contrast import blend, legible
from paxtui.tui.colours.depth import LANDS, SIXTEEN, STATUS_RANK, TABLES, Depth, cube_colour, nearest
from paxtui.tui.colours.inks import (
    CONTRAST,
    DARK,
    DEUTER,
    INKS_OF_SIXTEEN,
    LANDS_OF_SIXTEEN,
    LIGHT,
    PROTAN,
)

POWERS = (
    "britain", "france", "germany", "austria_hungary", "united_states", "japan", "russia",
    "italy", "netherlands", "belgium", "spain", "portugal", "china", "ottoman",
)  # fmt: skip
LETTERS: Mapping[str, str] = {
    "britain": "GB", "france": "FR", "germany": "DE", "austria_hungary": "AH", "united_states": "US", "japan": "JP",
    "russia": "RU", "italy": "IT", "netherlands": "NL", "belgium": "BE", "spain": "ES", "portugal": "PT",
    "china": "CN", "ottoman": "OT",
}  # fmt: skip
SIGNS: Mapping[str, str] = {
    "interest": "○",
    "influence": "●",
    "protectorate": "◇",
    "possession": "◆",
    "dominion": "★",
    "state": "★",
}
UNREST, CASUS_BELLI, UNESTABLISHED = "!", "⚔", "?"
CANAL, FORCE = "=", "▪"

ASCII = str.maketrans(
    {
        "○": "o", "●": "*", "◇": "^", "◆": "#", "★": "@", "⚔": "x", "·": ".", "▐": "[", "▌": "]", "▸": ">", "…": "~",
        "£": "L", "│": "|", "─": "-", "✓": "+", "✗": "x", "“": '"', "”": '"', "→": ">", "←": "<", "↑": "^", "↓": "v",
        "▮": "#", "█": "#", "░": ".", "═": "=", "—": "-", "▲": "^", "▼": "v", "△": "^", "▽": "v", "⊗": "0", "≈": "~",
        "▴": "+", "▾": "-", "▪": "'",
    }
)  # fmt: skip

ALIASES = {
    "chinese_empire": "china", "chinese_vassal": "china", "ottoman_empire": "ottoman", "good": "russia",
}  # fmt: skip
"""What has the ink of something else: types of Areas, and the role of what is allowed or has gone well."""

@dataclass(frozen=True, eq=False)
class Palette:
    """Inks by key, and the colours of the ground. A palette is the same as itself only.

    Attributes:
        name: what the player calls it.
        depth: how many colours its terminal has; every colour in here is one of them.
        dark: whether text is lighter than what it stands on.
        colour: False where no colour may be set at all.
        ascii: whether only signs of plain ASCII may be shown.
        tint_share: how strongly territories are tinted, 1 being as the dark palette has it.
        plain_share: how much the paper of what is nobody's stands out from the land.
        border: how much darker a border is than the land that it divides.
    """

    name: str
    inks: Mapping[str, str] = field(default_factory=lambda: DARK)
    sea: str = "#060f1c"
    shallow: str = "#0a182a"
    land: str = "#1e292f"
    coast: str = "#3d6480"
    route: str = "#7a775a"
    route_lit: str = "#ffe28a"
    path: str = "#ffffff"
    sea_name: str = "#6f9cc4"
    sea_name_dim: str = "#5a82a8"
    accent: str = "#ffffff"
    on_accent: str = "#05080c"
    lit: str = "#ffd75e"
    shade: str = "#000000"
    dark: bool = True
    colour: bool = True
    ascii: bool = False
    tint_share: float = 1.0
    plain_share: float = 0.10
    border: float = 0.28
    depth: Depth = Depth.ALL

    @property
    def painted(self) -> bool:
        """Whether land is painted: with colours, and with the quarters of a cell that ASCII has not."""
        return self.colour and not self.ascii

    def ink(self, key: str) -> str:
        """The colour of a Power, a type of Area or a role; a colour written out stays what it is."""
        if key.startswith("#"):
            return key
        key = ALIASES.get(key, key)
        return self.inks.get(key) or self.inks["unorganized"]

    def tint(self, colour: str) -> str:
        """A colour, or what stands for it on this terminal."""
        return nearest(colour, self.depth)

    def tint_of(self, holder: str, status: str, share: float, land: str) -> str:
        """The colour of a Power's land: `share` of its ink let into the land, or the one chosen by eye."""
        if self.depth == Depth.ALL or not self.dark:
            return self.tint(blend(self.ink(holder), land, share))
        rank = STATUS_RANK.get(status)
        if rank is None or holder not in LANDS:
            return land
        if self.depth == Depth.SIXTEEN:
            return SIXTEEN[LANDS_OF_SIXTEEN.get(holder, 7)]
        if self.inks_of_dark:
            return cube_colour(LANDS[holder][rank])
        return self.tint(blend(self.ink(holder), land, min(1.0, share * BOLDER)))

    @property
    def inks_of_dark(self) -> bool:
        """Whether the Powers have the colours of the dark palette, for which those of 256 were chosen."""
        return self.name in ("dark", "high-contrast")

    def paper(self, key: str, owned: bool) -> str:
        """The paper of a label with this ink, where it needs one: a tint, or barely more than the land."""
        if self.depth == Depth.SIXTEEN:
            return self.land
        if owned:
            return self.tint(blend(self.ink(key), self.land, 0.27 * self.tint_share))
        return self.tint(blend(self.shade_of_paper, self.land, self.plain_share))

    @property
    def shade_of_paper(self) -> str:
        """What makes paper stand out from the land."""
        return "#ffffff" if self.dark else "#000000"

    def legible(self, ink: str, paper: str) -> str:
        """The colour nearest to an ink that this terminal has and that can be read on a paper."""
        return legible(ink, paper, TABLES.get(self.depth))

    def text(self, text: str) -> str:
        """The text with the signs this palette may show."""
        return text.translate(ASCII) if self.ascii else text

    def in_ascii(self) -> Palette:
        """The same colours with signs every terminal has."""
        return replace(self, ascii=True)

    def in_depth(self, depth: Depth) -> Palette:
        """The same on a terminal of so many colours."""
        if depth == self.depth or not self.colour:
            return self
        ground = GROUNDS.get((depth, self.dark), {})
        grounds: dict[str, Any] = {name: ground.get(name) or nearest(getattr(self, name), depth) for name in GROUND}
        if depth == Depth.SIXTEEN:
            inks = INKS_OF_SIXTEEN[self.dark]
        else:
            inks = {key: nearest(ink, depth) for key, ink in self.inks.items()}
        return replace(self, inks=inks, depth=depth, **grounds)


GROUND = (
    *("sea", "shallow", "land", "coast", "route", "route_lit", "path", "sea_name", "sea_name_dim"),
    *("accent", "on_accent", "lit"),
)
"""The fields of a palette that are colours."""

GROUNDS: Mapping[tuple[Depth, bool], Mapping[str, str]] = {
    (Depth.CUBE, True): {"sea": "#080808", "shallow": "#121212", "land": "#262626", "sea_name": "#87afd7"},
    (Depth.CUBE, False): {"sea": "#d7d7ff", "shallow": "#d7ffff", "land": "#ffffd7"},
    (Depth.SIXTEEN, True): {
        "sea": "#000000", "shallow": "#000000", "land": "#000000", "coast": "#00cdcd", "route": "#7f7f7f",
        "route_lit": "#ffff00", "sea_name": "#00cdcd", "sea_name_dim": "#7f7f7f", "lit": "#ffff00",
    },
    (Depth.SIXTEEN, False): {
        "sea": "#e5e5e5", "shallow": "#e5e5e5", "land": "#ffffff", "coast": "#7f7f7f", "route": "#7f7f7f",
        "route_lit": "#cd0000", "sea_name": "#0000ee", "sea_name_dim": "#0000ee", "lit": "#0000ee",
    },
}  # fmt: skip
"""Colours of the ground chosen by eye, on terminals of few colours, for dark palettes (True) and light ones."""
BOLDER = 1.25
"""How much stronger tints are where few colours lie between the land and the ink."""

PALETTES: Mapping[str, Palette] = {
    palette.name: palette
    for palette in (
        Palette("dark"),
        Palette(
            "light", LIGHT, sea="#cfe0ee", shallow="#bdd4e8", land="#f4f1e6", coast="#7f9db5", route="#bdb59a",
            route_lit="#a06a00", path="#000000", sea_name="#2f5c85", sea_name_dim="#48698a", accent="#10161c",
            on_accent="#ffffff", lit="#8f6000", dark=False, plain_share=0.07, border=0.15,
        ),
        Palette(
            "high-contrast", {**DARK, **CONTRAST}, sea="#000000", shallow="#0c1a2a", land="#181e22", coast="#7fb4dc",
            route="#a39f78", sea_name="#a9d4ff", sea_name_dim="#86acd0", tint_share=1.1,
        ),
        Palette("deuteranopia", {**DARK, **DEUTER}),
        Palette("protanopia", {**DARK, **PROTAN}),
        Palette("mono", colour=False),
    )
}  # fmt: skip
DEFAULT = PALETTES["dark"]


@lru_cache
def palette_of(name: str, ascii_: bool = False, depth: Depth = Depth.ALL) -> Palette:
    """A palette on a terminal of so many colours; the dark one where there is none of the name."""
    palette = PALETTES.get(name, DEFAULT).in_depth(depth)
    return palette.in_ascii() if ascii_ else palette
