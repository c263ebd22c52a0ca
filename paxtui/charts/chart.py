"""Data of charts, independent of the output. Colours are names of a palette."""

from __future__ import annotations

from typing import NamedTuple

SIGNS = "●◆▲★○▼⊗✗≈"
"""Markers of lines and Powers, distinct without colours and in ASCII."""


class Series(NamedTuple):
    """A line of a chart.

    Attributes:
        ink: name of its colour, usually a Power.
        sign: marker of its points.
        short, label: labels at its end, for narrow and wide charts.
        values: one for each place on the axis, None for no value.
    """

    ink: str
    sign: str
    short: str
    label: str
    values: tuple[float | None, ...]


class Curves(NamedTuple):
    """A line chart over the years.

    Attributes:
        title: the title; note: a remark.
        ticks: labels of the axis.
        series: the lines, the most important last, because it is drawn on top.
        limit: a reference value with its label; None for none.
    """

    title: str
    note: str
    ticks: tuple[str, ...]
    series: tuple[Series, ...]
    limit: tuple[float, str] | None = None


class BarPart(NamedTuple):
    """A part of a bar: its index in `Bars.parts`, and its length."""

    part: int
    amount: int


class Bar(NamedTuple):
    """A bar: colour and label, the sum, and its parts; negative ones are subtracted."""

    ink: str
    short: str
    label: str
    total: int
    parts: tuple[BarPart, ...]
    why: tuple[str, ...] = ()


class Bars(NamedTuple):
    """Bars made of parts."""

    title: str
    note: str
    parts: tuple[str, ...]
    bars: tuple[Bar, ...]


class Tile(NamedTuple):
    """An Area: id, code, name, holder and the holder's letters; `fresh`: the holder has changed."""

    area: str
    code: str
    name: str
    inks: tuple[str, ...]
    letters: str
    fresh: bool


class TileRow(NamedTuple):
    """A row of tiles: a region, and the text at its end."""

    label: str
    tiles: tuple[Tile, ...]
    texts: tuple[tuple[str, str], ...]


class Tiles(NamedTuple):
    """Rows of tiles."""

    title: str
    note: str
    rows: tuple[TileRow, ...]


class Lane(NamedTuple):
    """A period on the axis; `end` is None while it lasts.

    Attributes:
        label: its name; who: Powers with their letters, and words between them.
        ink: its colour. ending: how it ended.
        marks: places on the axis of its events, with the letters of the acting Power.
    """

    label: str
    who: tuple[tuple[str, str], ...]
    ink: str
    begin: int
    end: int | None
    ending: str
    marks: tuple[tuple[int, str], ...] = ()


class Lanes(NamedTuple):
    """A time line: groups of lanes with headings, and a text for an empty group."""

    title: str
    note: str
    ticks: tuple[str, ...]
    groups: tuple[tuple[str, str, tuple[Lane, ...]], ...]


Chart = Curves | Bars | Tiles | Lanes
