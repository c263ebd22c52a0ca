"""Watching bots: pause, single moves, speed, and taking the seat back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from paxtui.engine.seating import SeatOccupant
from paxtui.games.pax.position.setup import seats_for
from paxtui.session.game_host import empty_clock
from paxtui.session.local_session import LocalSession
from paxtui.session.pax_host import PaxHost
from paxtui.tui.app import PaxApp
from paxtui.tui.base.dialogs import ConfirmDialog
from paxtui.tui.base.settings import Settings
from paxtui.tui.colors import DEFAULT
from paxtui.tui.dialogs.reports import ReportScreen
from paxtui.tui.formatting.look import Look
from paxtui.tui.panes.what_now import what_now, what_now_short
from tests.rules.harness import tables
from tests.tui.playing import NEGOTIATION, QUIET, burst, drawn_text, press, wait_for_keys
from tests.waiting import until

FOUR = tuple(seats_for(4))
CARETAKER = SeatOccupant(by="bot", level="caretaker")


def watched_game(home: Path, persons: int = 0, patch: dict[str, Any] | None = None, **settings: Any) -> PaxApp:
    """Start a game of four with people at the first seats and caretakers at the others."""
    path = home / "game.jsonl"
    with PaxHost.new(tables(), FOUR, "3", {}, path=path, undo="free", clock=empty_clock) as table:
        table.act("arbiter", {"type": "set_position", "patch": patch or {"phase": "movement"}})
        table.seat(dict.fromkeys(FOUR[persons:], CARETAKER))
    app = PaxApp(path=path, settings=Settings(**{**QUIET, "bots": "1 s", **settings}))
    app.leisurely = True
    return app


def test_bots_play_a_game_without_people_to_its_end() -> None:
    with PaxHost.new(tables(), FOUR, "3", {}) as table:
        table.seat(dict.fromkeys(FOUR, CARETAKER))
        session = LocalSession(table)
        assert session.live.result is not None and session.live.turn == 10


def test_watched_game_lists_no_tasks_of_a_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    with PaxHost.new(tables(), seats_for(7), "3", {}) as table:
        table.act("arbiter", {"type": "set_position", "patch": NEGOTIATION})
        session = LocalSession(table)

        def panes() -> list[str]:
            return [draw(session, Look(DEFAULT), 80, lambda _, key: key).plain for draw in (what_now, what_now_short)]

        assert "You have £" in panes()[0] and all("draft of the Treaty of Lisbon" in text for text in panes())
        monkeypatch.setattr(session.seats, "here", lambda: ())  # bots play all seats
        assert "Great Britain has £" in panes()[0] and not any("Lisbon" in text for text in panes())


async def test_watched_game_pauses_and_advances_by_moves(home: Path) -> None:
    app = watched_game(home)
    async with app.run_test(size=(120, 40)) as pilot:
        session = app.screen.session
        await burst(pilot, "space")
        await until(lambda: app.screen.bots._is_paused and app.screen.view.greeting.display, pilot=pilot)
        assert "space goes on" in drawn_text(app, "#keys") and "A take your seat" in drawn_text(app, "#keys")
        at = session.version
        await burst(pilot, "enter")
        await until(lambda: session.version > at, pilot=pilot)
        await burst(pilot, "plus", "plus")
        assert app.settings.bots == "0.1 s" and app.screen.bots._is_paused
        await burst(pilot, "minus")
        assert app.settings.bots == "0.3 s"
        at = session.version
        await burst(pilot, "space")
        await until(lambda: session.version > at, pilot=pilot)


async def test_map_follows_moves_until_the_cursor_moves(home: Path) -> None:
    app = watched_game(home, bots="0.1 s")
    async with app.run_test(size=(80, 24)) as pilot:
        screen = app.screen
        seen = set()

        def has_followed() -> bool:
            seen.add(screen.view.map.cursor)
            return len(seen) > 3

        await until(has_followed, pilot=pilot)
        assert screen.view.map.label_region(screen.view.map.cursor) is not None
        screen.view.map.cursor = "hawaii"
        at = screen.session.version
        await until(lambda: screen.session.version > at + 3, pilot=pilot)
        assert screen.view.map.cursor == "hawaii"


async def test_seat_is_taken_back(home: Path) -> None:
    app = watched_game(home)
    async with app.run_test(size=(120, 40)) as pilot:
        session = app.screen.session
        await burst(pilot, "space")
        await until(lambda: app.screen.bots._is_paused, pilot=pilot)
        await burst(pilot, "A")
        await until(lambda: session.seats.here() == (FOUR[0],) and not session.bots.is_at_work, pilot=pilot)
        assert session.seat == FOUR[0] and session.live.result is None


async def test_bots_play_the_rest_and_the_end_is_reported(home: Path) -> None:
    app = watched_game(home, 1, {"phase": "negotiation", "turn": 10}, bots="at once")
    async with app.run_test(size=(120, 40)) as pilot:
        await wait_for_keys(pilot)
        await press(pilot, "A")
        assert isinstance(app.screen, ConfirmDialog)
        await burst(pilot, "y")
        await until(lambda: isinstance(app.screen, ReportScreen), pilot=pilot)
        assert " wins · page 1 of 2" in drawn_text(app, "#report-title"), "no name of a seat"
