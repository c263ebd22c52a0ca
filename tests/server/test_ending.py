"""A player and a spectator of a shared game read how it was decided, at its end and in all its pages."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from paxtui.engine.seats import SPECTATOR
from paxtui.server.data_directory import DataDirectory
from paxtui.session.ending import game_ending_pages
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.loader import load_tables
from tests.server.conftest import POWERS, Running


def test_the_pages_of_the_end_reach_every_seat_and_the_spectators():
    with TemporaryDirectory(prefix="pax") as root:
        house = DataDirectory(Path(root) / "house")
        with PaxHost.new(load_tables(), POWERS, "1898", path=house.games / "friday.jsonl") as table:
            table.act("arbiter", {"type": "set_position", "patch": {"turn": 10, "phase": "victory_point_record"}})
        running = Running(Path(root) / "house")
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
