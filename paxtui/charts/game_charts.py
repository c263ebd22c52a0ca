"""The charts of a game: points, Treasuries, indexes, sources of points, regions, Wars and Treaties."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import NamedTuple

from paxtui.charts.chart import SIGNS, Bar, BarPart, Bars, Chart, Curves, Lane, Lanes, Series, Tile, TileRow, Tiles
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.figures import FIGURES, Figure
from paxtui.games.pax.statistics import AreaHolders, GameStatistics, TimeSpan, TurnFigures
from paxtui.games.pax.text.display import place_name, power_name, sentence, the_powers

PARTS = ("left in the Treasury", "bonuses", "bonuses at the end", "twice the income at the end", "Great War")
"""Sources of Victory Points."""


class NamedChart(NamedTuple):
    """A chart of a game: its name for programs, its title, and the function that builds it."""

    name: str
    title: str
    help: str
    make: Callable[[Tables, GameStatistics], Chart]


def all_charts(tables: Tables, statistics: GameStatistics) -> dict[str, Chart]:
    """Return all charts of a game by name."""
    return {chart.name: chart.make(tables, statistics) for chart in CHARTS}


def power_letters(tables: Tables, power: str) -> str:
    """Return two letters for a Power."""
    return tables.powers[power].letters if power in tables.powers else power[:2].upper()


def points(tables: Tables, statistics: GameStatistics) -> Curves:
    """Return the Victory Points over the years, with Section VI at the end."""
    over = bool(statistics.reason)
    ends = {seat: statistics.sources[seat].total for seat in statistics.players}

    def values(seat: str) -> tuple[float | None, ...]:
        run: list[float | None] = [float(turn.points.get(seat, 0)) for turn in statistics.turns]
        return (*run, float(ends[seat])) if over else tuple(run)

    years = tuple(str(turn.year) for turn in statistics.turns)
    note = "the last step is the final record" if over else "at the end of each Game Turn, without the final record"
    return Curves(
        "Victory Points", note, (*years, "end") if over else years, _power_series(tables, statistics.players, values)
    )


def treasury(tables: Tables, statistics: GameStatistics) -> Curves:
    """Return the money that each Power had in each Game Turn."""
    note = "highest Treasury in each Game Turn, in pounds"
    return _by_power(tables, statistics, "Treasury", note, lambda turn, power: turn.money.get(power))


def chart_figure(figure: Figure, tables: Tables, statistics: GameStatistics) -> Curves:
    """Return a figure of each Power over the Game Turns."""
    note = f"{figure.chart} at the end of each Game Turn"
    return _by_power(tables, statistics, figure.title, note, lambda turn, power: turn.figures[figure.name].get(power))


def _by_power(
    tables: Tables, statistics: GameStatistics, title: str, note: str, value: Callable[[TurnFigures, str], int | None]
) -> Curves:
    powers = tuple(statistics.turns[-1].income)

    def values(power: str) -> tuple[float | None, ...]:
        found = (value(turn, power) for turn in statistics.turns)
        return tuple(None if v is None else float(v) for v in found)

    ticks = tuple(str(turn.year) for turn in statistics.turns)
    return Curves(title, note, ticks, _power_series(tables, powers, values))


def _power_series(
    tables: Tables, powers: tuple[str, ...], values: Callable[[str], tuple[float | None, ...]]
) -> tuple[Series, ...]:
    return tuple(
        Series(power, SIGNS[n % len(SIGNS)], power_letters(tables, power), power_name(tables, power), values(power))
        for n, power in enumerate(powers)
    )


def indexes(tables: Tables, statistics: GameStatistics) -> Curves:
    """Return European Tensions and Chinese Resentment."""
    ticks = tuple(str(turn.year) for turn in statistics.turns)
    tension = tuple(float(turn.tension) for turn in statistics.turns)
    resentment = tuple(float(turn.resentment) for turn in statistics.turns)
    return index_curves(
        "European Tensions and Chinese Resentment at the end of each Game Turn", ticks, tension, resentment
    )


def index_curves(
    note: str, ticks: tuple[str, ...], tension: tuple[float | None, ...], resentment: tuple[float | None, ...]
) -> Curves:
    """Return the chart of both indexes."""
    lines = (
        Series("key", SIGNS[4], "Resentment", "Chinese Resentment", resentment),
        Series("alarm", SIGNS[0], "Tensions", "European Tensions", tension),
    )
    return Curves("Indexes", note, ticks, lines, (100.0, "100: the Great War"))


def sources(tables: Tables, statistics: GameStatistics) -> Bars:
    """Return the sources of each player's points, the leader first."""

    def bar(seat: str) -> Bar:
        found = statistics.sources[seat]
        parts = positive_first(found.amounts)
        why = tuple(f"{bonus.amount:+d} {_when(tables, bonus.turn)}: {bonus.why}" for bonus in found.why)
        rank = f"{statistics.ranks[seat]}. " if statistics.ranks else ""
        name = power_name(tables, seat)
        return Bar(seat, power_letters(tables, seat), f"{rank}{name}", found.total, parts, why)

    best = sorted(statistics.players, key=lambda seat: -statistics.sources[seat].total)
    note = "" if statistics.reason else "as if the game ended now"
    return Bars("Sources of Victory Points", note, PARTS, tuple(bar(seat) for seat in best))


def positive_first(amounts: Iterable[int]) -> tuple[BarPart, ...]:
    """Return the parts of a bar, negative ones last; amounts of 0 are left out."""
    parts = (BarPart(n, amount) for n, amount in enumerate(amounts) if amount)
    return tuple(sorted(parts, key=lambda part: part.amount < 0))


def _when(tables: Tables, turn: int) -> str:
    return str(tables.turns[turn - 1].year) if turn else "at the end"


def regions(tables: Tables, statistics: GameStatistics) -> Tiles:
    """Return all Areas in the colour of their controller, with Economic Values and their change in each row."""
    rows = []
    for region in statistics.regions:
        tiles = tuple(_area_tile(tables, holder) for holder in region.areas)
        texts: list[tuple[str, str]] = []
        known = {**region.values, **{p: 0 for p in region.first if p not in region.values}}
        for power, value in known.items():
            grown = value - region.first.get(power, 0)
            texts.append((f"{power_letters(tables, power)} {value}{f' ({grown:+d})' if grown else ''}  ", power))
        rows.append(TileRow(region_name(region.name), tiles, tuple(texts)))
    note = "Control of each Area (' since the start), Economic Values and their change"
    return Tiles("Balance of the regions", note, tuple(rows))


def region_name(region: str) -> str:
    """Return the name of a region of the map."""
    return region.replace("_", " ").title().replace(" And ", " and ")


def _area_tile(tables: Tables, holders: AreaHolders) -> Tile:
    name, now = place_name(tables, holders.area), holders.now
    letters = [power_letters(tables, power) for power in now[:2]]
    short = letters[0] if len(now) == 1 else "".join(two[0] for two in letters)
    return Tile(holders.area, name[:3].upper(), name, now, short, set(now) != set(holders.first))


def with_codes(chart: Chart, codes: Mapping[str, str]) -> Chart:
    """Return a chart whose Areas have the codes of the map."""
    if not isinstance(chart, Tiles):
        return chart
    rows = (
        row._replace(tiles=tuple(tile._replace(code=codes.get(tile.area, tile.code)) for tile in row.tiles))
        for row in chart.rows
    )
    return chart._replace(rows=tuple(rows))


def times(tables: Tables, statistics: GameStatistics) -> Lanes:
    """Return Wars, Congresses and Treaties on a time line."""
    first = statistics.turns[0].turn
    by_kind: dict[str, list[Lane]] = {"war": [], "congress": [], "treaty": []}
    for span in statistics.spans:
        by_kind[span.kind].append(_span_lane(tables, span, first))
    groups = (
        ("Wars", "none", tuple(by_kind["war"])),
        ("Congresses of Europe", "none", tuple(by_kind["congress"])),
        ("Treaties", "none known", tuple(by_kind["treaty"])),
    )
    ticks = tuple(str(turn.year) for turn in statistics.turns)
    broken = any(span.broken for span in statistics.spans)
    note = "✗ broken, and by which Power" if broken else ""
    return Lanes("Wars and Treaties", note, ticks, groups)


def _span_lane(tables: Tables, span: TimeSpan, first: int) -> Lane:
    who: list[tuple[str, str]] = []
    for n, side in enumerate(span.sides):
        if n:
            who.append((" v ", ""))
        for m, power in enumerate(side):
            who.append((f"{'·' if m else ''}{power_letters(tables, power)}", power))
    ink = {"war": "alarm", "congress": "key", "treaty": "good"}[span.kind]
    end = span.ended - first if span.ended else None
    text = span.how + (" (secret)" if span.secret else "")
    marks = tuple((turn - first, power_letters(tables, power)) for turn, power in span.broken)
    return Lane(span.title, tuple(who), ink, max(0, span.began - first), end, text.strip(), marks)


CHARTS = (
    NamedChart("points", "Points", "Victory Points over the turns", points),
    NamedChart("sources", "Sources", "Sources of each Power's points", sources),
    NamedChart("treasury", "Treasury", "Money of each Power", treasury),
    *(NamedChart(f.name, f.title, f.chart, partial(chart_figure, f)) for f in FIGURES if f.chart),
    NamedChart("indexes", "Indexes", "Tensions and Resentment over the turns", indexes),
    NamedChart("regions", "Regions", "Balance of all regions", regions),
    NamedChart("times", "Time line", "Wars, Congresses and Treaties on a time line", times),
)
"""The charts of a game in reading order."""


def outcome_sentence(tables: Tables, statistics: GameStatistics) -> str:
    """Describe the standing or the result of a game in a sentence."""
    last = statistics.turns[-1]
    if not statistics.reason:
        return f"{last.year}, Game Turn {last.turn}."
    won = the_powers(tables, [seat for seat in statistics.players if statistics.ranks.get(seat) == 1])
    why = "The Great War ended the game" if statistics.reason == "great_war" else "The game ended with its last turn"
    by = f", caused by {the_powers(tables, statistics.culprits)}" if statistics.culprits else ""
    return f"{why} in {last.year}{by}. {sentence(f'{won} won')}"
