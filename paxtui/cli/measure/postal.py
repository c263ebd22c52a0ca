"""What `bench` measures of play by mail."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from paxtui.cli.postal.page import pages
from paxtui.engine.seats import ARBITER
from paxtui.pax.board.tables import Tables
from paxtui.pax.orders.actions import Adjudicate, Sheet
from paxtui.pax.position.setup import seats_for
from paxtui.table.authority import Table
from paxtui.table.postal.arrivals import now_utc
from paxtui.table.postal.desk import Desk
from paxtui.table.postal.folder import Folder
from paxtui.table.postal.keeping.audit import audit

SEATS = 8
STOPS = 3
"""Stops that are played, by caretakers, before the reports are made."""
PROVED = 1_000
"""Stops at most of the game that is proved: it is over before."""
ORDERS = 40
"""Orders with conditions on each form."""


def measure_mail(tables: Tables) -> dict[str, float]:
    """`postal_report_s`, `postal_adjudicate_s` and `postal_audit_s`, in seconds."""
    return {**_reports(tables), **_adjudication(tables), **_audit(tables)}


@contextmanager
def _desk(tables: Tables) -> Iterator[Desk]:
    """The desk of a game of eight that has just begun."""
    with TemporaryDirectory() as root:
        yield Desk.begin(
            Folder.made(Path(root) / "bench"), tables, seats_for(SEATS), seed="bench", options={"belgium": "yes"}
        )


def _next_stop(desk: Desk) -> None:
    """Let the deadline pass: caretakers write all forms."""
    desk.extend(now_utc().isoformat())
    desk.adjudicate()


def _reports(tables: Tables) -> dict[str, float]:
    """All reports of a turn of eight seats, in plain text, Markdown and HTML with maps."""
    with _desk(tables) as desk:
        for _ in range(STOPS):
            _next_stop(desk)
        began = perf_counter()
        Desk(desk.folder, draw=pages).reports(desk.terms.stop)
        return {"postal_report_s": perf_counter() - began}


def _adjudication(tables: Tables) -> dict[str, float]:
    """All forms of a turn opened, each with forty orders that hang on those of others."""
    seats = seats_for(SEATS)
    with Table.new(tables, seats, "bench", {"belgium": "yes"}) as table:
        table.act(ARBITER, Adjudicate())
        sheets = tuple(Sheet(seat, _form(seats, n)) for n, seat in enumerate(seats))
        began = perf_counter()
        table.act(ARBITER, Adjudicate(sheets))
        return {"postal_adjudicate_s": perf_counter() - began}


def _form(seats: tuple[str, ...], n: int) -> str:
    """Forty orders of a seat, on conditions that speak of its neighbours in the list."""
    lines = []
    for number in range(ORDERS):
        other, third = seats[(n + 1 + number) % SEATS], seats[(n + 3 + number) % SEATS]
        others = [name for name in (other, third) if name != seats[n]]
        wanted = " or ".join(f"{name} builds {'A1' if number % 2 else 'N1'}" for name in others)
        lines.append(f"build {'A1' if number % 3 else 'N1'} {'unless' if number % 7 == 6 else 'if'} {wanted}")
    return "\n".join(["build A1", *lines[1:]])


def _audit(tables: Tables) -> dict[str, float]:
    """A whole game proved, from its beginning to its end."""
    with _desk(tables) as desk:
        while not desk.terms.over and desk.terms.stop < PROVED:
            _next_stop(desk)
        began = perf_counter()
        found = audit(desk)
        assert found.fault is None, found.fault
        return {"postal_audit_s": perf_counter() - began}
