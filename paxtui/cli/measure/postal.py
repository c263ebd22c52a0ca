"""What `bench` measures of play by mail."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from paxtui.cli.postal.page import pages
from paxtui.pax.board.tables import Tables
from paxtui.pax.position.setup import seats_for
from paxtui.table.postal.arrivals import now_utc
from paxtui.table.postal.desk import Desk
from paxtui.table.postal.folder import Folder

SEATS = 8
STOPS = 3
"""Stops that are played, by caretakers, before the reports are made."""


def measure_reports(tables: Tables) -> dict[str, float]:
    """`postal_report_s`: all reports of a turn of eight seats, in plain text, Markdown and HTML with maps."""
    with TemporaryDirectory() as root:
        desk = Desk.begin(
            Folder.made(Path(root) / "bench"), tables, seats_for(SEATS), seed="bench", options={"belgium": "yes"}
        )
        for _ in range(STOPS):
            if not desk.terms.over:
                desk.extend(now_utc().isoformat())
                desk.adjudicate()
        began = perf_counter()
        Desk(desk.folder, draw=pages).reports(desk.terms.stop)
        return {"postal_report_s": perf_counter() - began}
