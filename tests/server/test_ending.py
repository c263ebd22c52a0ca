"""The pages at the end of a shared game, for players and spectators."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from paxtui.engine.seats import SPECTATOR
from paxtui.server.data_directory import DataDirectory
from paxtui.session.ending import game_ending_pages
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.loader import load_tables
from tests.server.conftest import POWERS, RunningHub


def test_ending_pages_for_seats_and_spectators():
    with TemporaryDirectory(prefix="pax") as root:
        data = DataDirectory(Path(root) / "data")
        with PaxHost.new(load_tables(), POWERS, "1898", path=data.games / "friday.jsonl") as table:
            table.act("arbiter", {"type": "set_position", "patch": {"turn": 10, "phase": "victory_point_record"}})
        running = RunningHub(Path(root) / "data")
        try:
            session = running.session("britain")
            assert game_ending_pages(session) == ()
            session.advance()
            pages = game_ending_pages(session)
            assert pages[0].title.endswith((" wins", " win together")) and len(pages) == 2
            assert pages[0].standings[0].rank == 1
            assert game_ending_pages(running.session(SPECTATOR)) == pages
        finally:
            running.stop()
