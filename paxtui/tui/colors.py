"""Palettes of the map and conversion of colours to the depth of the terminal.

Keys of a palette are the ids of Powers, the types of Areas, and the roles below. Colours are `#rrggbb`. Contrast
follows the Web Content Accessibility Guidelines. `mono` uses weight, underline and reverse instead of colours; ASCII
signs go with any palette. For 256 colours, the colours of territories are chosen by eye, in `TERRITORY_COLOURS`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import lru_cache
from typing import Any

MIN_CONTRAST = 4.5
"""The minimum contrast of text."""
BLEND_STEPS = 24
"""Number of steps from a colour to white or black in the search for a legible colour."""

Lab = tuple[float, float, float]


@lru_cache(8192)
def blend(over: str, under: str, share: float) -> str:
    """Mix `share` of one colour into another."""
    parts = (
        round(int(over[at : at + 2], 16) * share + int(under[at : at + 2], 16) * (1.0 - share)) for at in (1, 3, 5)
    )
    return "#" + "".join(f"{part:02x}" for part in parts)


def _linear(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return _straight(red), _straight(green), _straight(blue)


def _straight(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


@lru_cache(8192)
def luminance(colour: str) -> float:
    """Return the relative luminance of a colour, from 0 for black to 1 for white."""
    red, green, blue = _linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 for equal ones to 21 for black and white."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@lru_cache(4096)
def oklab(colour: str) -> Lab:
    """Convert a colour to Ottosson's OKLab: lightness, green to red, blue to yellow. Distances are perceptual."""
    r, g, b = _linear(colour)
    l_ = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)
    m_ = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    s_ = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        0.2104542553 * l_ + 0.7936177850 * m_ - 0.0040720468 * s_,
        1.9779984951 * l_ - 2.4285922050 * m_ + 0.4505937099 * s_,
        0.0259040371 * l_ + 0.7827717662 * m_ - 0.8086757660 * s_,
    )


def distance(one: str, other: str) -> float:
    """Return the perceptual distance of two colours: 0 for equal ones, 1 for black and white."""
    (l0, a0, b0), (l1, a1, b1) = oklab(one), oklab(other)
    return float(((l0 - l1) ** 2 + (a0 - a1) ** 2 + (b0 - b1) ** 2) ** 0.5)


@lru_cache(16384)
def legible(ink: str, paper: str, among: Sequence[str] | None = None) -> str:
    """Return the colour nearest to `ink` that is legible on `paper`.

    Args: both colours; the available colours, if they are limited.
    """
    if among is not None:
        readable = [colour for colour in among if contrast(colour, paper) >= MIN_CONTRAST]
        return min(readable, key=lambda colour: distance(colour, ink))
    if contrast(ink, paper) >= MIN_CONTRAST:
        return ink
    end = "#ffffff" if contrast("#ffffff", paper) >= contrast("#000000", paper) else "#000000"
    for step in range(1, BLEND_STEPS):
        nearer = blend(end, ink, step / BLEND_STEPS)
        if contrast(nearer, paper) >= MIN_CONTRAST:
            return nearer
    return end


class Depth(IntEnum):
    """Number of colours of a terminal."""

    SIXTEEN = 16
    CUBE = 256
    ALL = 1 << 24


DEPTH_NAMES: Mapping[str, Depth] = {"16": Depth.SIXTEEN, "256": Depth.CUBE, "all": Depth.ALL}
"""Names of the depths in the settings."""

SIXTEEN = (
    "#000000", "#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd", "#00cdcd", "#e5e5e5",
    "#7f7f7f", "#ff0000", "#00ff00", "#ffff00", "#5c5cff", "#ff00ff", "#00ffff", "#ffffff",
)  # fmt: skip
"""The sixteen colours of xterm by number."""
_LEVELS = (0x00, 0x5F, 0x87, 0xAF, 0xD7, 0xFF)
CUBE = (
    *(f"#{r:02x}{g:02x}{b:02x}" for r in _LEVELS for g in _LEVELS for b in _LEVELS),
    *(f"#{level:02x}{level:02x}{level:02x}" for level in range(8, 248, 10)),
)
"""The colours 16 to 255: a cube of six levels, and greys. The terminal defines the first sixteen."""
CUBE_START = 16
"""Number of the first colour of the cube."""

TABLES: Mapping[Depth, tuple[str, ...]] = {Depth.SIXTEEN: SIXTEEN, Depth.CUBE: CUBE}

STATUS_RANK = {"home": 0, "dominion": 1, "state": 1, "possession": 2, "protectorate": 3}
"""Column of TERRITORY_COLOURS for each Status. A lower Status has the colour of unowned land."""
TERRITORY_COLOURS: Mapping[str, tuple[int, int, int, int]] = {
    "britain": (131, 131, 95, 52),
    "france": (68, 67, 61, 60),
    "germany": (246, 244, 243, 240),
    "austria_hungary": (144, 101, 101, 59),
    "united_states": (30, 30, 30, 23),
    "japan": (132, 132, 132, 89),
    "russia": (65, 65, 65, 22),
    "italy": (106, 64, 64, 58),
    "netherlands": (172, 130, 130, 94),
    "belgium": (137, 137, 137, 95),
    "spain": (142, 100, 100, 58),
    "portugal": (98, 97, 97, 54),
}
"""Colour numbers, of 256, of the territories of a Power by Status."""


@lru_cache(8192)
def nearest(colour: str, depth: Depth) -> str:
    """Return the colour of a terminal that is nearest to another colour."""
    table = TABLES.get(depth)
    return colour if table is None else min(table, key=lambda each: distance(each, colour))


def number_of(colour: str, depth: Depth) -> int:
    """Return the number of the terminal colour nearest to a colour."""
    found = nearest(colour, depth)
    return SIXTEEN.index(found) if depth == Depth.SIXTEEN else CUBE_START + CUBE.index(found)


DARK_INKS = {
    "britain": "#f07b7b", "france": "#79aef5", "germany": "#b9c0cb", "austria_hungary": "#efe6b8",
    "united_states": "#43cbd8", "japan": "#f49ccf", "russia": "#74d68a", "italy": "#b3e04f",
    "netherlands": "#f59a42", "belgium": "#c8a27c", "spain": "#f3da4b", "portugal": "#bf93f0",
    "china": "#dcab5c", "ottoman": "#84c9a2",
    "independent": "#f7f9fb", "unorganized": "#aab4bc",
    "second": "#c3ccd3", "faint": "#8895a0", "alarm": "#ff6b63", "war": "#ffffff",
    "sand": "#dcab5c", "olive": "#84c9a2", "good": "#74d68a",
}  # fmt: skip
LIGHT_INKS = {
    "britain": "#b3202c", "france": "#1c58b8", "germany": "#4b535e", "austria_hungary": "#6c5d0c",
    "united_states": "#006c7a", "japan": "#b02a7d", "russia": "#127a33", "italy": "#4b7300",
    "netherlands": "#a04f00", "belgium": "#7d5632", "spain": "#7a6000", "portugal": "#6d35b5",
    "china": "#855300", "ottoman": "#1d6e50",
    "independent": "#101418", "unorganized": "#525c64",
    "second": "#333c44", "faint": "#5b656c", "alarm": "#b80000", "war": "#000000",
    "sand": "#b07a1a", "olive": "#1d6e50", "good": "#0d6a2a",
}  # fmt: skip
# Maximum distance for red-green colour blindness; distinct for normal vision too.
DEUTERANOPIA_INKS = {
    "britain": "#f95005", "france": "#009cc6", "germany": "#b7e2a3", "austria_hungary": "#ffffcf",
    "united_states": "#5adefc", "japan": "#fdd8fb", "russia": "#22c6bb", "italy": "#8fe100",
    "netherlands": "#dfa079", "belgium": "#a18286", "spain": "#fff82f", "portugal": "#8676ff",
    "china": "#c79a4a", "ottoman": "#9fd0e0", "alarm": "#ffd23e", "good": "#4f9dff",
}  # fmt: skip
PROTANOPIA_INKS = {
    "britain": "#f37430", "france": "#3cabff", "germany": "#c9adc0", "austria_hungary": "#ffffe3",
    "united_states": "#7ed4fe", "japan": "#de5bb5", "russia": "#19e8c0", "italy": "#bfe06a",
    "netherlands": "#ffae6e", "belgium": "#9e8883", "spain": "#ffff10", "portugal": "#8279fa",
    "china": "#cfae5a", "ottoman": "#a6d6e6", "alarm": "#ffd23e", "good": "#5aa2ff",
}  # fmt: skip
HIGH_CONTRAST_INKS = {
    "unorganized": "#e4e8ec", "second": "#ffffff", "faint": "#c8d0d6", "china": "#ffc46b", "germany": "#d8dee6",
    "belgium": "#e6bd92", "ottoman": "#9ff0c4",
}  # fmt: skip
"""Differences of the high-contrast palette from the dark one."""

TERRITORIES_16 = {
    "britain": 1, "france": 4, "germany": 7, "austria_hungary": 7, "united_states": 6, "japan": 5, "russia": 2,
    "italy": 2, "netherlands": 3, "belgium": 3, "spain": 3, "portugal": 5,
}  # fmt: skip
"""Colour numbers, of sixteen, of territories: the first eight, the only portable backgrounds."""
INKS_16 = {
    True: {
        "britain": "#ff0000", "france": "#00ffff", "germany": "#e5e5e5", "austria_hungary": "#ffffff",
        "united_states": "#00cdcd", "japan": "#ff00ff", "russia": "#00ff00", "italy": "#00cd00",
        "netherlands": "#cdcd00", "belgium": "#cdcd00", "spain": "#ffff00", "portugal": "#ff00ff",
        "china": "#cdcd00", "ottoman": "#00cd00", "independent": "#ffffff", "unorganized": "#e5e5e5",
        "second": "#e5e5e5", "faint": "#7f7f7f", "alarm": "#ff0000", "war": "#ffffff", "sand": "#cdcd00",
        "olive": "#00cd00", "good": "#00ff00",
    },
    False: {
        "britain": "#cd0000", "france": "#0000ee", "germany": "#000000", "austria_hungary": "#000000",
        "united_states": "#0000ee", "japan": "#cd0000", "russia": "#000000", "italy": "#000000",
        "netherlands": "#cd0000", "belgium": "#000000", "spain": "#000000", "portugal": "#0000ee",
        "china": "#000000", "ottoman": "#000000", "independent": "#000000", "unorganized": "#000000",
        "second": "#000000", "faint": "#000000", "alarm": "#cd0000", "war": "#000000", "sand": "#000000",
        "olive": "#000000", "good": "#0000ee",
    },
}  # fmt: skip
"""Inks of sixteen colours, for dark and for light palettes. Some Powers share an ink; their letters differ."""


POWERS = (
    "britain", "france", "germany", "austria_hungary", "united_states", "japan", "russia",
    "italy", "netherlands", "belgium", "spain", "portugal", "china", "ottoman",
)  # fmt: skip
LETTERS: Mapping[str, str] = {
    "britain": "GB", "france": "FR", "germany": "DE", "austria_hungary": "AH", "united_states": "US", "japan": "JP",
    "russia": "RU", "italy": "IT", "netherlands": "NL", "belgium": "BE", "spain": "ES", "portugal": "PT",
    "china": "CN", "ottoman": "OT",
}  # fmt: skip


def letters_of(power: str) -> str:
    """Return the two letters of a Power."""
    return LETTERS.get(power, power[:2].upper())


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

ALIASES = {"chinese_empire": "china", "chinese_vassal": "china", "ottoman_empire": "ottoman"}
"""Types of Areas that share the ink of another key."""


@dataclass(frozen=True, eq=False)
class Palette:
    """Inks by key, and the colours of the ground. Compared by identity.

    Attributes:
        name: as shown to the player.
        depth: number of colours of the terminal; each colour of the palette is one of them.
        dark: whether text is lighter than its background.
        colour: False if no colours are allowed.
        ascii: whether only ASCII signs are allowed.
        tint_share: strength of the tint of territories, 1 for that of the dark palette.
        plain_share: contrast between the background of unowned labels and the land.
        border: how much darker a border is than the land.
    """

    name: str
    inks: Mapping[str, str] = field(default_factory=lambda: DARK_INKS)
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
        """Whether land is painted. This needs colours and quarter blocks, which ASCII lacks."""
        return self.colour and not self.ascii

    def ink(self, key: str) -> str:
        """Return the colour of a Power, a type of Area or a role; a literal colour is returned unchanged."""
        if key.startswith("#"):
            return key
        key = ALIASES.get(key, key)
        return self.inks.get(key) or self.inks["unorganized"]

    def tint(self, colour: str) -> str:
        """Return a colour, or its replacement on this terminal."""
        return nearest(colour, self.depth)

    def tint_of(self, holder: str, status: str, share: float, land: str) -> str:
        """Return the colour of a Power's land: `share` of its ink mixed into the land, or chosen by eye."""
        if self.depth == Depth.ALL or not self.dark:
            return self.tint(blend(self.ink(holder), land, share))
        rank = STATUS_RANK.get(status)
        if rank is None or holder not in TERRITORY_COLOURS:
            return land
        if self.depth == Depth.SIXTEEN:
            return SIXTEEN[TERRITORIES_16.get(holder, 7)]
        if self.name in ("dark", "high-contrast"):  # the colours chosen by eye match these inks
            return CUBE[TERRITORY_COLOURS[holder][rank] - CUBE_START]
        return self.tint(blend(self.ink(holder), land, min(1.0, share * BOLDER)))

    def paper(self, key: str, owned: bool) -> str:
        """Return the background of a label with this ink, if it needs one: a tint, or a shade of the land."""
        if self.depth == Depth.SIXTEEN:
            return self.land
        if owned:
            return self.tint(blend(self.ink(key), self.land, 0.27 * self.tint_share))
        return self.tint(blend(self.shade_of_paper, self.land, self.plain_share))

    @property
    def shade_of_paper(self) -> str:
        """The colour that is mixed into the land for the background of labels."""
        return "#ffffff" if self.dark else "#000000"

    def legible(self, ink: str, paper: str) -> str:
        """Return the available colour nearest to an ink that is legible on a background."""
        return legible(ink, paper, TABLES.get(self.depth))

    def text(self, text: str) -> str:
        """Replace the signs that this palette does not allow."""
        return text.translate(ASCII) if self.ascii else text

    def in_ascii(self) -> Palette:
        """Return the palette with ASCII signs."""
        return replace(self, ascii=True)

    def in_depth(self, depth: Depth) -> Palette:
        """Return the palette for a terminal with this number of colours."""
        if depth == self.depth or not self.colour:
            return self
        ground = GROUNDS.get((depth, self.dark), {})
        grounds: dict[str, Any] = {name: ground.get(name) or nearest(getattr(self, name), depth) for name in GROUND}
        if depth == Depth.SIXTEEN:
            inks = INKS_16[self.dark]
        else:
            inks = {key: nearest(ink, depth) for key, ink in self.inks.items()}
        return replace(self, inks=inks, depth=depth, **grounds)


GROUND = (
    *("sea", "shallow", "land", "coast", "route", "route_lit", "path", "sea_name", "sea_name_dim"),
    *("accent", "on_accent", "lit"),
)
"""Fields of a palette that are colours."""

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
"""Ground colours for terminals with few colours, for dark palettes (True) and light ones. Chosen by eye."""
BOLDER = 1.25
"""Factor for tints on terminals with few colours between land and ink."""

PALETTES: Mapping[str, Palette] = {
    palette.name: palette
    for palette in (
        Palette("dark"),
        Palette(
            "light",
            LIGHT_INKS,
            sea="#cfe0ee",
            shallow="#bdd4e8",
            land="#f4f1e6",
            coast="#7f9db5",
            route="#bdb59a",
            route_lit="#a06a00",
            path="#000000",
            sea_name="#2f5c85",
            sea_name_dim="#48698a",
            accent="#10161c",
            on_accent="#ffffff",
            lit="#8f6000",
            dark=False,
            plain_share=0.07,
            border=0.15,
        ),
        Palette(
            "high-contrast",
            {**DARK_INKS, **HIGH_CONTRAST_INKS},
            sea="#000000",
            shallow="#0c1a2a",
            land="#181e22",
            coast="#7fb4dc",
            route="#a39f78",
            sea_name="#a9d4ff",
            sea_name_dim="#86acd0",
            tint_share=1.1,
        ),
        Palette("deuteranopia", {**DARK_INKS, **DEUTERANOPIA_INKS}),
        Palette("protanopia", {**DARK_INKS, **PROTANOPIA_INKS}),
        Palette("mono", colour=False),
    )
}
DEFAULT = PALETTES["dark"]


@lru_cache
def palette_of(name: str, ascii_: bool = False, depth: Depth = Depth.ALL) -> Palette:
    """Return a palette for a colour depth; the dark one if the name is unknown."""
    palette = PALETTES.get(name, DEFAULT).in_depth(depth)
    return palette.in_ascii() if ascii_ else palette
