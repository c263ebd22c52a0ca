"""Colours and signs by the name of what they stand for, so that a scene need not know which palette is on.

A key is the id of a power, the type of an Area, or one of the roles below. Palettes differ in their inks alone;
papers of labels are the ink let into the land. `mono` has no colours at all and tells things apart by weight,
underline and reverse; letters and signs say the same in every palette. The ASCII set is for terminals and fonts
that lack the rest, and goes with any palette.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

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

ASCII = str.maketrans(
    {
        "○": "o", "●": "*", "◇": "^", "◆": "#", "★": "@", "⚔": "x", "·": ".", "▐": "[", "▌": "]", "▸": ">", "…": "~",
        "£": "L", "│": "|", "─": "-", "✓": "+", "✗": "x", "“": '"', "”": '"', "→": ">", "←": "<", "↑": "^", "↓": "v",
        "▮": "#", "█": "#", "░": ".", "═": "=", "—": "-",
    }
)  # fmt: skip

ALIASES = {"chinese_empire": "china", "chinese_vassal": "china", "good": "russia"}
"""What has the ink of something else: types of Areas, and the role of what is allowed or has gone well."""

_DARK = {
    "britain": "#f07b7b", "france": "#79aef5", "germany": "#b9c0cb", "austria_hungary": "#efe6b8",
    "united_states": "#43cbd8", "japan": "#f49ccf", "russia": "#74d68a", "italy": "#b3e04f",
    "netherlands": "#f59a42", "belgium": "#c8a27c", "spain": "#f3da4b", "portugal": "#bf93f0",
    "china": "#dcab5c", "ottoman": "#84c9a2",
    "independent": "#f7f9fb", "unorganized": "#aab4bc",
    "second": "#c3ccd3", "faint": "#7d8a94", "alarm": "#ff5f57", "war": "#ffffff",
}  # fmt: skip
_LIGHT = {
    "britain": "#b3202c", "france": "#1c58b8", "germany": "#4b535e", "austria_hungary": "#6c5d0c",
    "united_states": "#006c7a", "japan": "#b02a7d", "russia": "#127a33", "italy": "#4b7300",
    "netherlands": "#a04f00", "belgium": "#7d5632", "spain": "#7a6000", "portugal": "#6d35b5",
    "china": "#855300", "ottoman": "#1d6e50",
    "independent": "#101418", "unorganized": "#525c64",
    "second": "#333c44", "faint": "#737d84", "alarm": "#c80000", "war": "#000000",
}  # fmt: skip
# Told apart by lightness as much as by hue; deuteranopes and protanopes see blue against yellow, not red against green.
_DEUTER = {
    "britain": "#e8821e", "france": "#4f9dff", "germany": "#b5bcc7", "austria_hungary": "#fff3c0",
    "united_states": "#7fd3ff", "japan": "#e6a8d8", "russia": "#2fb8b0", "italy": "#d6d64a",
    "netherlands": "#ffb35c", "belgium": "#b29d86", "spain": "#ffe14d", "portugal": "#9a86ff",
    "china": "#c79a4a", "ottoman": "#9fd0e0",
}  # fmt: skip
_PROTAN = {
    "britain": "#f0a04a", "france": "#5aa2ff", "germany": "#b5bcc7", "austria_hungary": "#fff6cc",
    "united_states": "#86dcff", "japan": "#d3b0ee", "russia": "#38c2c8", "italy": "#dede5c",
    "netherlands": "#ffc36b", "belgium": "#a59a86", "spain": "#ffee66", "portugal": "#8f92ff",
    "china": "#cfae5a", "ottoman": "#a6d6e6", "alarm": "#ffd23e",
}  # fmt: skip


@dataclass(frozen=True)
class Palette:
    """Inks by key, and the colours of the ground. `ground` is False where no colour may be set at all."""

    name: str
    inks: Mapping[str, str] = field(default_factory=lambda: _DARK)
    sea: str = "#07111d"
    land: str = "#17212a"
    coast: str = "#3d6480"
    route: str = "#7a775a"
    route_lit: str = "#ffe28a"
    path: str = "#ffffff"
    sea_name: str = "#6f9cc4"
    sea_name_dim: str = "#41607c"
    accent: str = "#ffffff"
    on_accent: str = "#05080c"
    lit: str = "#ffd75e"
    dark: bool = True
    colour: bool = True
    ascii: bool = False
    paper_share: float = 0.27
    plain_share: float = 0.10

    def ink(self, key: str) -> str:
        """The colour of a power, a type of Area or a role; a colour written out stays what it is."""
        if key.startswith("#"):
            return key
        key = ALIASES.get(key, key)
        return self.inks.get(key) or self.inks["unorganized"]

    def paper(self, key: str, owned: bool) -> str:
        """What a label with this ink lies on: a tint of it for the owned, barely more than the land for the rest."""
        if owned:
            return blend(self.ink(key), self.land, self.paper_share)
        return blend("#ffffff" if self.dark else "#000000", self.land, self.plain_share)

    def text(self, text: str) -> str:
        """The text with the signs this palette may show."""
        return text.translate(ASCII) if self.ascii else text

    def in_ascii(self) -> Palette:
        """The same colours with signs every terminal has."""
        return replace(self, name=self.name + "+ascii", ascii=True)


def blend(over: str, under: str, share: float) -> str:
    """`share` of one colour let into another, both as #rrggbb."""
    parts = (
        round(int(over[at : at + 2], 16) * share + int(under[at : at + 2], 16) * (1.0 - share)) for at in (1, 3, 5)
    )
    return "#" + "".join(f"{part:02x}" for part in parts)


PALETTES: Mapping[str, Palette] = {
    palette.name: palette
    for palette in (
        Palette("dark"),
        Palette(
            "light", _LIGHT, sea="#cfe0ee", land="#f4f1e6", coast="#7f9db5", route="#bdb59a", route_lit="#a06a00",
            path="#000000", sea_name="#376690", sea_name_dim="#86a6c2", accent="#10161c", on_accent="#ffffff",
            lit="#c98a00", dark=False, paper_share=0.18, plain_share=0.07,
        ),
        Palette(
            "high-contrast",
            {**_DARK, "unorganized": "#e4e8ec", "second": "#ffffff", "faint": "#c8d0d6", "china": "#ffc46b",
             "germany": "#d8dee6", "belgium": "#e6bd92", "ottoman": "#9ff0c4"},
            sea="#000000", land="#14181c", coast="#7fb4dc", route="#a39f78", sea_name="#a9d4ff",
            sea_name_dim="#7396b5", paper_share=0.22,
        ),
        Palette("deuteranopia", {**_DARK, **_DEUTER, "alarm": "#ffd23e"}),
        Palette("protanopia", {**_DARK, **_PROTAN}),
        Palette("mono", colour=False),
    )
}  # fmt: skip
DEFAULT = PALETTES["dark"]
