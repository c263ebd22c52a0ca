"""The reports of a Game Turn of a saved game for each of seven seats, as text."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from paxtui.games.pax.reports.todo import page_lines, todo_items, todo_lines
from paxtui.games.pax.text.display import phase_name, power_name
from paxtui.session.local_session import LocalSession
from paxtui.session.pax_host import PaxHost
from paxtui.session.player_news import pages_since
from paxtui.session.session import Session
from tests.places import GOLDEN

RECORDED = Path(__file__).with_name("reports.txt")

FIRST, LAST = 84, 224
"""Lines of the saved game with which Game Turn 2 and Game Turn 3 begin."""


def report_text() -> str:
    """Return all pages from the end of 1880 to the beginning of 1888, and the tasks of each seat meanwhile."""
    with TemporaryDirectory() as home:
        path = Path(home) / "game.jsonl"
        with GOLDEN.open(encoding="utf-8") as log:
            path.write_text("".join(islice(log, LAST)), encoding="utf-8")
        with PaxHost.open(path, write=False) as table:
            return "\n".join([*_pages(LocalSession(table)), *_waiting(table)]) + "\n"


def _pages(session: Session) -> Iterator[str]:
    for seat in session.live.players:
        session.take_seat(seat)
        yield f"======== {power_name(session.tables, seat)}"
        for page in pages_since(session, FIRST - 1, everything=True):
            yield "--------"
            yield from page_lines(session.tables, page)


def _waiting(table: PaxHost) -> Iterator[str]:
    """Yield the tasks of each seat when they change."""
    last_lines: dict[str, tuple[str, ...]] = {}
    for line in range(FIRST, LAST + 1):
        for seat in table.state.players:
            state = table.state_for(seat, line)
            lines = (phase_name(state.phase), *todo_lines(todo_items(table.tables, state, seat)))
            if last_lines.get(seat) != lines and len(lines) > 1:
                yield f"-------- line {line}, {power_name(table.tables, seat)}: {lines[0]}"
                yield from lines[1:]
            last_lines[seat] = lines
