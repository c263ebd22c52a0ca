"""What a chart says, whatever it is drawn on. Data only: colours are names that a palette knows."""

from __future__ import annotations

from typing import NamedTuple

SIGNS = "●◆▲★○▼⊗✗≈"
"""Signs of lines and Powers, by turns: told apart without colours, and in ASCII too."""


class Series(NamedTuple):
    """A line of a chart.

    Attributes:
        ink: what its colour is called, a Power mostly.
        sign: at its points.
        short, label: what stands at its end, in little room and in enough.
        values: one for each place on the axis, None where there is none.
    """

    ink: str
    sign: str
    short: str
    label: str
    values: tuple[float | None, ...]


class Curves(NamedTuple):
    """Lines over the years.

    Attributes:
        title: what is to be seen; note: what else one should know.
        ticks: what stands below each place on the axis.
        series: the lines, what is most important last: it lies over the others.
        limit: a height that means something, and what; None for none.
    """

    title: str
    note: str
    ticks: tuple[str, ...]
    series: tuple[Series, ...]
    limit: tuple[float, str] | None = None


class BarPart(NamedTuple):
    """A part of a bar: which of `Bars.parts` it is, and how long."""

    part: int
    amount: int


class Bar(NamedTuple):
    """A bar: colour and name of whose it is, the sum, and its parts; negative ones take from it."""

    ink: str
    short: str
    label: str
    total: int
    parts: tuple[BarPart, ...]
    why: tuple[str, ...] = ()


class Bars(NamedTuple):
    """Bars with the parts that they are made of."""

    title: str
    note: str
    parts: tuple[str, ...]
    bars: tuple[Bar, ...]


class Tile(NamedTuple):
    """An Area: its id, its code and its name, who holds it, with his letters; `fresh`: another than held it first."""

    area: str
    code: str
    name: str
    inks: tuple[str, ...]
    letters: str
    fresh: bool


class TileRow(NamedTuple):
    """A row of tiles: a region, and what to say at its end."""

    label: str
    tiles: tuple[Tile, ...]
    said: tuple[tuple[str, str], ...]


class Tiles(NamedTuple):
    """Rows of tiles."""

    title: str
    note: str
    rows: tuple[TileRow, ...]


class Lane(NamedTuple):
    """Something that lasted from one place on the axis to another, `end` None for longer than that.

    Attributes:
        label: its name; who: Powers with their letters, and words between them.
        ink: its colour. said: how it ended.
        marks: places on the axis at which something happened, with the letters of whose doing it was.
    """

    label: str
    who: tuple[tuple[str, str], ...]
    ink: str
    begin: int
    end: int | None
    said: str
    marks: tuple[tuple[int, str], ...] = ()


class Lanes(NamedTuple):
    """A time line: groups of lanes under their headings, with what is said of a group that is empty."""

    title: str
    note: str
    ticks: tuple[str, ...]
    groups: tuple[tuple[str, str, tuple[Lane, ...]], ...]


Chart = Curves | Bars | Tiles | Lanes
