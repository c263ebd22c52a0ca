"""The colour of a territory: its holder's, let into the land the more the firmer the hold; stripes where several share.

What a place looks like says it all (`Look`): who holds it and how, whether it is in Unrest, whether the cursor stands
on it. The colours are worked out here and nowhere else, so that map, picture and test of contrast agree.
"""

from __future__ import annotations

from dataclasses import dataclass

from paxtui.tui.colours.contrast import blend, contrast
from paxtui.tui.colours.depth import Depth
from paxtui.tui.colours.palette import Palette
from paxtui.tui.map.look import Look
from paxtui.tui.map.scene import PlaceMark

SHARE = {
    "home": 0.55,
    "dominion": 0.50,
    "state": 0.50,
    "possession": 0.40,
    "protectorate": 0.26,
    "influence": 0.14,
    "interest": 0.08,
}
"""How much of its holder's colour a territory has, by the holder's Status."""
BREATH = {"chinese_empire": ("sand", 0.07), "chinese_vassal": ("sand", 0.04), "ottoman": ("olive", 0.06)}
"""What the land of an Area has of the colour of an empire that is no player's."""
EDGE = 0.72
"""How much of its colour the edge of a territory in Unrest or dispute has."""
CURSOR, LIT, FOUND = 0.26, 0.30, 0.14
"""How much light falls on the territory under the cursor, on one that may be chosen, and on one that is pointed out."""
ASIDE = 0.68
"""How much of the bare land a territory takes that steps back."""
ROOM, STEP, MOST_STEPS = 4.75, 0.04, 24
"""The contrast of a tint to the purest text, and by how little at a time it is brought there."""
COOL, HOT = 0.08, 0.50
"""How much of the light has what earns least and what earns most."""


@dataclass(frozen=True, slots=True)
class Wash:
    """The colours of a territory, side by side in stripes if they are several; the colour of its edge; who holds it."""

    colours: tuple[str, ...]
    edge: str = ""
    holder: str = ""


def wash(look: Look, palette: Palette) -> Wash:
    """The colours of a territory whose place looks so."""
    colours = tuple(dict.fromkeys(_lit(colour, look, palette) for colour in _held(look.mark, palette)))
    holder = look.mark.holders[0] if look.mark.holders else look.mark.ink if look.mark.solid else ""
    role = "alarm" if look.mark.unrest else "war" if look.mark.casus_belli else ""
    if not role or look.dim:
        return Wash(colours, holder=holder)
    return Wash(colours, palette.tint(blend(palette.ink(role), colours[0], EDGE)), holder)


def bare(palette: Palette) -> Wash:
    """Land that is nobody's and never will be."""
    return Wash((palette.land,))


def _held(mark: PlaceMark, palette: Palette) -> list[str]:
    """The stripes of a territory before any light falls on it."""
    land = _land(mark.type, palette)
    share = SHARE.get(mark.status, 0.0) * palette.tint_share
    if not share or not mark.holders:
        return [land]
    stripes = [_below_text(palette.tint_of(holder, mark.status, share, land), palette) for holder in mark.holders]
    return [*stripes, land] if mark.unestablished else stripes


def _below_text(colour: str, palette: Palette) -> str:
    """A colour on which light text can be read, and on light palettes dark text: darker or lighter if it must be."""
    if palette.depth != Depth.ALL:
        return colour
    for _ in range(MOST_STEPS):
        if contrast(palette.path, colour) >= ROOM:
            break
        colour = blend("#000000" if palette.dark else "#ffffff", colour, STEP)
    return colour


def _land(type_: str, palette: Palette) -> str:
    ink, share = BREATH.get(type_, ("", 0.0))
    return palette.tint(blend(palette.ink(ink), palette.land, share)) if ink else palette.land


def _lit(colour: str, look: Look, palette: Palette) -> str:
    """A colour in the light that falls on the place."""
    if look.heat is not None:
        colour = _below_text(blend(palette.lit, palette.land, COOL + (HOT - COOL) * look.heat), palette)
    elif look.lit:
        colour = _below_text(blend(palette.lit, colour, LIT), palette)
    elif look.dim:
        colour = blend(palette.land, colour, ASIDE)
    if look.cursor:
        colour = blend(palette.accent, colour, CURSOR)
    elif look.mark.highlight:
        colour = blend(palette.accent, colour, FOUND)
    return palette.tint(colour)
