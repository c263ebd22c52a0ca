"""A report of a mail game as one page of HTML that needs nothing else: maps before and after, charts, and its text.

Whatever a player has written stands on it as text: nothing of it is markup, and the page runs and fetches nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape

from paxtui.charts.chart import Chart
from paxtui.charts.of_game import empires, indexes, points, treasury
from paxtui.charts.page import page
from paxtui.cli.outward.outlet import clean
from paxtui.cli.pictures import world
from paxtui.cli.pictures.inks import inks
from paxtui.engine.seats import SPECTATOR
from paxtui.table.authority import Table
from paxtui.table.onlooker import course_of
from paxtui.table.postal.document import Document, Part
from paxtui.table.postal.report import adjudications

STYLE = """
.due { border: 2px solid var(--ink); border-radius: 4px; padding: .2rem 1rem .6rem; margin: 1rem 0; }
.due h2 { margin: .4rem 0; } li { margin: .1rem 0; } h3 { margin: .8rem 0 .2rem; }
"""


def pages(table: Table) -> Callable[[Document], str]:
    """What makes pages of the reports that go out after the last adjudication of a game."""
    tables, done = table.tables, adjudications(table)
    after = table.state_for(SPECTATOR)
    before = table.state_for(SPECTATOR, _number(table, done[-1].n - 1))
    new = world.changed(tables, before, after)
    course = course_of(table, SPECTATOR)
    charts: tuple[Chart, ...] = tuple(make(tables, course) for make in (points, treasury, empires, indexes))
    maps = [
        world.shapes(),
        "<h2>The map</h2>",
        world.world(tables, after, "The map as it is now", new),
        "<p>What has changed has a bright border; point at a place to read what stands there. The Powers' colours are "
        "the stronger the firmer they hold an Area.</p>",
        *_list([world.told(tables, after, area) for area in tables.areas if area in new]),
        "<h2>The map before</h2>",
        world.world(tables, before, "The map as it was before"),
    ]

    def made(document: Document) -> str:
        first = [f"<p>For {escape(document.reader)}.</p>", '<div class="due">', *_part(document.due), "</div>"]
        body = [piece for part in document.parts for piece in _part(part)]
        whole = page(
            document.title, [*first, *body, *maps], charts, inks("light"), inks("dark"), style=world.STYLE + STYLE
        )
        return "\n".join(map(clean, whole.split("\n")))

    return made


def _number(table: Table, line: int) -> int:
    """A line of the log by the number that onlookers have for it."""
    return table.known(SPECTATOR).number(max(1, line))


def _part(part: Part) -> Iterator[str]:
    yield f"<h2>{escape(part.title)}</h2>"
    for group in part.groups:
        if group.title:
            yield f"<h3>{escape(group.title)}</h3>"
        yield from _list(group.lines)


def _list(lines: tuple[str, ...] | list[str]) -> Iterator[str]:
    if lines:
        yield "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>"
