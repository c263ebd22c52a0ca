"""Scenes: values that describe what the map shows, independent of the rules.

A screen builds one `Scene` and passes it to the canvas or the widget; to change it, use `replace`. Marks that stay
equal are not redrawn. `PlaceLook` holds all that decides how one place is drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from paxtui.tui.colors import SIGNS, letters_of
from paxtui.tui.map.geometry import AREA, HOME, Atlas

TextSegments = tuple[tuple[str, str], ...]
"""Pieces of text, each with a colour key (Power, type of Area, role of the palette) or #rrggbb."""

NO_TEXT_SEGMENTS: TextSegments = ()

AT_WAR, WITHIN_REACH, COALING = "at war", "armies can come here", "coaling"
WAR_VIEWS = (AT_WAR, WITHIN_REACH, COALING)
"""Map filters that are available only during a War. `tui/widgets/war_scene.py` draws them."""


@dataclass(frozen=True, slots=True)
class PlaceMark:
    """The look of one place beside its code and name: colours, signs, second line."""

    ink: str = "unorganized"
    """Colour key of the label: its owner, or its type without an owner."""
    owned: bool = False
    """Whether the background is a tint of its ink."""
    solid: bool = False
    """Whether text is dark on full colour, as for Home Countries."""
    sign: TextSegments = NO_TEXT_SEGMENTS
    """Text after the code at world zoom, at most three cells."""
    second: TextSegments = NO_TEXT_SEGMENTS
    """Second line at theatre zoom, after the sign: garrison, value, strength. Cut off from the end."""
    unrest: bool = False
    casus_belli: bool = False
    unestablished: bool = False
    canal: bool = False
    force: bool = False
    """Whether more than a garrison is there."""
    type: str = ""
    """Type of an Area, or "". Some types tint land without a holder."""
    status: str = ""
    """`home`, or the highest Status marker; "" without a holder."""
    holders: tuple[str, ...] = ()
    """Powers that hold the place; several if it is shared."""
    dim: bool = False
    highlight: bool = False
    """Whether it is highlighted without the cursor: search result, place of the selected event."""


@dataclass(frozen=True, slots=True)
class Scene:
    """All that is drawn above the ground. Places without a mark look as on the empty board."""

    marks: Mapping[str, PlaceMark] = field(default_factory=dict)
    cursor: str = ""
    lit: frozenset[str] = frozenset()
    """Places that can be reached or chosen. They are highlighted and the others are dimmed."""
    costs: Mapping[str, str] = field(default_factory=dict)
    """Cost of a move to a lit place, shown instead of its sign, at most three cells."""
    path: tuple[str, ...] = ()
    """Places that a line connects."""
    routes_lit: frozenset[tuple[str, str]] = frozenset()
    """Highlighted overland routes; the order of the ends does not matter."""
    own_lines: frozenset[tuple[str, str]] = frozenset()
    """Lines of Supply of the viewer's side, drawn solid."""
    enemy_lines: frozenset[tuple[str, str]] = frozenset()
    """Lines of Supply of other sides, drawn dotted."""
    arrows: tuple[tuple[str, str], ...] = ()
    """Arrows between two places each, drawn solid with a head at the second."""
    sea_merchants: Mapping[str, TextSegments] = field(default_factory=dict)
    """Merchant Fleets and fleets below the name of a Sea Zone, one piece each."""
    heat: Mapping[str, float] | None = None
    """Heat of each place, 0 to 1. If set, land is coloured by heat, and land without heat is dimmed."""
    filter: frozenset[str] | None = None
    """Places that match the filter. If set, all others are dimmed."""

    def at(self, cursor: str) -> Scene:
        """Return the scene with another cursor."""
        return replace(self, cursor=cursor)


def base_mark(kind: str, type_: str) -> PlaceMark:
    """Return the mark of a place on the empty board."""
    if kind == HOME:
        return home_mark(type_)
    if kind == AREA:
        return PlaceMark(ink=type_, type=type_)
    return PlaceMark(ink="sea")


def base_marks(atlas: Atlas) -> dict[str, PlaceMark]:
    """Return the marks of all places on the empty board."""
    return {place.id: base_mark(place.kind, place.type) for place in atlas.places.values()}


def home_mark(power: str, garrison: str = "") -> PlaceMark:
    """Return the mark of a Home Country."""
    return PlaceMark(power, solid=True, status="home", holders=(power,), second=_second(garrison, ""))


def owner_sign(status: str, powers: Iterable[str]) -> TextSegments:
    """Return the sign of a marker: `◆GB` for one owner, one sign for each owner of a codominion (`◆◆◆`)."""
    owners = tuple(powers)
    sign = SIGNS[status]
    if len(owners) == 1:
        return ((sign, owners[0]), (letters_of(owners[0]), owners[0]))
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
    """Return the mark of an Area with a marker. `garrison` as `A10N3`, `numbers` as value and strength, `6·1`."""
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
    """Return the mark of an Area without markers."""
    return PlaceMark(ink=type_, type=type_, second=_second(garrison, numbers), unrest=unrest)


def _second(garrison: str, numbers: str) -> TextSegments:
    return tuple((text, key) for text, key in ((garrison, "second"), (numbers, "faint")) if text)


@dataclass(frozen=True, slots=True)
class PlaceLook:
    """All that decides how a place is drawn.

    Attributes:
        mark: its mark.
        cursor: whether it is under the cursor.
        lit: whether it can be chosen.
        cost: cost of a move there.
        dim: whether it is dimmed.
        heat: heat from 0 to 1; None without a heat map.
        fleets: Merchant Fleets and fleets of a Sea Zone.
    """

    mark: PlaceMark
    cursor: bool = False
    lit: bool = False
    cost: str = ""
    dim: bool = False
    heat: float | None = None
    fleets: TextSegments = NO_TEXT_SEGMENTS


SHORE_SHARES = (0.0, 0.0, 0.12, 0.32, 0.55, 0.8, 1.0, 1.0, 1.0)
"""Share of the land colour in a cell with 0 to 8 land dots."""
QUARTERS = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"
"""Block characters by the bits of their quarters: 1 upper left, 2 upper right, 4 lower left, 8 lower right."""
