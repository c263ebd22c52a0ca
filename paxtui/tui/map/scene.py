"""What is to be drawn on the map, said without rules: marks on places, and what is lit.

A screen builds one `Scene` out of whatever it knows and hands it to the canvas or the widget. Scenes are values:
to change one, make another with `replace`; equal marks cost nothing to draw again.

All that decides how one place is drawn: its label and the colour of its territory.

The styles of a palette, made once: the ground by its colours, labels by how they look.

Styles are shared objects, so that rows can be cut into segments by identity alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from paxtui.tui.colors import LETTERS, SIGNS
from paxtui.tui.map.geometry import AREA, HOME, Atlas

TextSegments = tuple[tuple[str, str], ...]
"""Pieces of text, each with the key of its colour (a power, a type of Area, a role of the palette) or a #rrggbb."""

NO_TEXT_SEGMENTS: TextSegments = ()

AT_WAR, WITHIN_REACH, COALING = "at war", "armies could come here", "coaling"
WAR_VIEWS = (AT_WAR, WITHIN_REACH, COALING)
"""Map filters that are available only during a War. `tui/war/view.py` draws them."""


@dataclass(frozen=True, slots=True)
class PlaceMark:
    """How one place looks. The layout knows its code and name, the mark how they are coloured and what follows."""

    ink: str = "unorganized"
    """The key of the label's colour: its owner, or its type while it has none."""
    owned: bool = False
    """Lies on a tint of its ink."""
    solid: bool = False
    """Dark on full colour, as Home Countries are."""
    sign: TextSegments = NO_TEXT_SEGMENTS
    """What follows the code at world zoom, at most three cells."""
    second: TextSegments = NO_TEXT_SEGMENTS
    """Under the name at theatre zoom, after the sign: garrison, value and strength. Pieces from the end make room."""
    unrest: bool = False
    casus_belli: bool = False
    unestablished: bool = False
    canal: bool = False
    force: bool = False
    """Whether more than a mere garrison stands there."""
    type: str = ""
    """The type of an Area, or "": some have a breath of colour while they are nobody's."""
    status: str = ""
    """How it is held: `home`, or the highest marker there; "" while it is nobody's."""
    holders: tuple[str, ...] = ()
    """Who holds it: several where it is shared."""
    dim: bool = False
    highlight: bool = False
    """Stands out without being under the cursor: a place found, a place of the event being read."""


@dataclass(frozen=True, slots=True)
class Scene:
    """All that is drawn above the ground. Places without a mark look as the empty board has them."""

    marks: Mapping[str, PlaceMark] = field(default_factory=dict)
    cursor: str = ""
    lit: frozenset[str] = frozenset()
    """Places that may be reached or chosen; they light up and the others step back."""
    costs: Mapping[str, str] = field(default_factory=dict)
    """Beside a lit place, instead of its sign: what it costs to go there, at most three cells."""
    path: tuple[str, ...] = ()
    """A line drawn from place to place."""
    routes_lit: frozenset[tuple[str, str]] = frozenset()
    """Overland routes drawn bright, the ends in either order."""
    own_lines: frozenset[tuple[str, str]] = frozenset()
    """Lines of Supply of one's own side, drawn unbroken from place to place."""
    enemy_lines: frozenset[tuple[str, str]] = frozenset()
    """Those of the others, drawn in dots."""
    sea_merchants: Mapping[str, TextSegments] = field(default_factory=dict)
    """Under the name of a Sea Zone: merchants and fleets, one piece each."""
    heat: Mapping[str, float] | None = None
    """When set, land has the colour of its heat, from 0 to 1, and what has none steps back."""
    filter: frozenset[str] | None = None
    """When set, every place outside it is dim."""

    def at(self, cursor: str) -> Scene:
        """The same scene with the cursor elsewhere."""
        return replace(self, cursor=cursor)


def base_mark(kind: str, type_: str) -> PlaceMark:
    """The look of a place on the empty board."""
    if kind == HOME:
        return home_mark(type_)
    if kind == AREA:
        return PlaceMark(ink=type_, type=type_)
    return PlaceMark(ink="sea")


def base_marks(atlas: Atlas) -> dict[str, PlaceMark]:
    """The looks of all places on the empty board."""
    return {place.id: base_mark(place.kind, place.type) for place in atlas.places.values()}


def home_mark(power: str, garrison: str = "") -> PlaceMark:
    """The mark of a Home Country."""
    return PlaceMark(power, solid=True, status="home", holders=(power,), second=_second(garrison, ""))


def owner_sign(status: str, powers: Iterable[str]) -> TextSegments:
    """A marker as it follows a code: `◆GB` for one owner, one sign each for a codominion (`◆◆◆`)."""
    owners = tuple(powers)
    sign = SIGNS[status]
    if len(owners) == 1:
        return ((sign, owners[0]), (LETTERS.get(owners[0], owners[0][:2].upper()), owners[0]))
    return tuple((sign, power) for power in owners[:3])


def owned_mark(
    status: str,
    powers: Iterable[str],
    *,
    garrison: str = "",
    numbers: str = "",
    unrest: bool = False,
    casus_belli: bool = False,
    unestablished: bool = False,
    type_: str = "",
) -> PlaceMark:
    """The mark of an Area with a marker on it. `garrison` as `A10N3`, `numbers` as value and strength, `6·1`."""
    owners = tuple(powers)
    return PlaceMark(
        ink=owners[0],
        owned=True,
        sign=owner_sign(status, owners),
        second=_second(garrison, numbers),
        unrest=unrest,
        casus_belli=casus_belli,
        unestablished=unestablished,
        type=type_,
        status=status,
        holders=owners,
    )


def free_mark(type_: str, numbers: str = "", *, garrison: str = "", unrest: bool = False) -> PlaceMark:
    """The mark of an Area that is nobody's."""
    return PlaceMark(ink=type_, type=type_, second=_second(garrison, numbers), unrest=unrest)


def _second(garrison: str, numbers: str) -> TextSegments:
    return tuple((text, key) for text, key in ((garrison, "second"), (numbers, "faint")) if text)


@dataclass(frozen=True, slots=True)
class PlaceLook:
    """How a place is drawn.

    Attributes:
        mark: what stands there.
        cursor: whether the cursor stands there.
        lit: whether it may be chosen.
        cost: what it costs to go there.
        dim: whether it steps back.
        heat: how hot it is on a map of heat, from 0 to 1; None where the map is none.
        fleets: what lies in a Sea Zone.
    """

    mark: PlaceMark
    cursor: bool = False
    lit: bool = False
    cost: str = ""
    dim: bool = False
    heat: float | None = None
    fleets: TextSegments = NO_TEXT_SEGMENTS


SHORE_SHARES = (0.0, 0.0, 0.12, 0.32, 0.55, 0.8, 1.0, 1.0, 1.0)
"""How much of the land's colour a cell has that is covered by 0 to 8 dots of land."""
QUARTERS = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"
"""The signs of a cell by which of its quarters are inked: 1 upper left, 2 upper right, 4 lower left, 8 lower right."""









