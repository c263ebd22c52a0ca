"""A report in plain lines: for the plain mode, letters, and whoever reads with his ears."""

from __future__ import annotations

from collections.abc import Iterable

from paxtui.pax.board.tables import Tables
from paxtui.pax.reports.must_do import MustDo
from paxtui.pax.reports.page import Page, Standing
from paxtui.pax.words.spoken import power_name


def page_lines(tables: Tables, page: Page) -> list[str]:
    """A page, a line for each thought: its title, the Victory Points, the sections."""
    out = [f"{page.title}."]
    if page.standings:
        out += ["Victory Points:", *standing_lines(tables, page)]
    for section in page.sections:
        out.append(f"{section.title}:")
        out += [line.text for line in section.lines]
    return out


def standing_lines(tables: Tables, page: Page) -> list[str]:
    """The Victory Points of a page, a line for each seat."""
    return [_standing(tables, standing) for standing in page.standings]


def _standing(tables: Tables, standing: Standing) -> str:
    gained = f", {standing.gained:+d} this turn" if standing.gained else ""
    why = f" ({standing.why})" if standing.why else ""
    return f"{standing.rank}. {power_name(tables, standing.seat)}: {standing.total}{gained}{why}."


def must_do_lines(musts: Iterable[MustDo]) -> list[str]:
    """What waits for a seat, what the game waits for first."""
    return [f"{'Must do' if must.bars else 'Waits for you'}: {must.text}" for must in musts]
