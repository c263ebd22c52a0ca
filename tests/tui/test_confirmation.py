"""Acts that cannot be undone easily ask for confirmation, and held keys do not confirm them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from paxtui.tui.base.dialogs import ConfirmDialog
from tests.rules.harness import army, marker
from tests.tui.playing import MOVEMENT, NEGOTIATION, burst, start_at, wait_for_keys

KENYA_TREATY = {**MOVEMENT, "treaties": NEGOTIATION["treaties"][:1]}
"""Great Britain has promised to place no Status marker in Kenya."""


@pytest.mark.parametrize(("answer", "broken"), [("y", True), ("escape", False), ("n", False)])
async def test_breaking_a_treaty_asks_first(home: Path, answer: str, broken: bool) -> None:
    app = start_at(home, KENYA_TREATY)
    async with app.run_test(size=(120, 40)) as pilot:
        session = app.screen.session
        before = session.version
        await burst(pilot, "colon", *"place", "space", *"interest", "space", *"kenya", "enter")
        assert isinstance(app.screen, ConfirmDialog) and "Kenya" in app.screen.words()
        assert session.version == before
        await burst(pilot, answer)
        assert not isinstance(app.screen, ConfirmDialog)
        assert (session.version > before) is broken


async def test_held_enter_breaks_no_treaty(home: Path) -> None:
    app = start_at(home, KENYA_TREATY)
    async with app.run_test(size=(120, 40)) as pilot:
        await burst(pilot, "colon", *"place", "space", *"interest", "space", *"kenya", *["enter"] * 20)
        await burst(pilot, *["enter"] * 20)
        assert isinstance(app.screen, ConfirmDialog)


async def test_held_r_makes_one_seat_ready(home: Path) -> None:
    app = start_at(home, MOVEMENT)
    async with app.run_test(size=(120, 40)) as pilot:
        session = app.screen.session
        for _ in range(10):
            await burst(pilot, "r")
        assert session.live.ready == ("britain",) and session.seat == "france"
        assert isinstance(app.screen, ConfirmDialog) and "France has done nothing" in app.screen.words()
        await burst(pilot, "y")
        assert session.live.ready == ("britain", "france") and session.seat == "germany"


async def test_seat_that_has_acted_is_not_asked(home: Path) -> None:
    app = start_at(home, MOVEMENT)
    async with app.run_test(size=(120, 40)) as pilot:
        session = app.screen.session
        await burst(pilot, "r")
        await burst(pilot, "h", "r")
        assert session.live.ready == ("britain", "france")


async def test_extra_r_does_not_end_the_next_phase(home: Path) -> None:
    app = start_at(home, MOVEMENT, confirm_ready=True, handover="none")
    async with app.run_test(size=(120, 40)) as pilot:
        session = app.screen.session
        for seat in session.live.players[:-1]:
            session.take_seat(seat)
            session.act_text("ready")
        last = session.live.players[-1]
        session.take_seat(last)
        await wait_for_keys(pilot)
        await burst(pilot, "h", "r")
        await burst(pilot, "y")
        assert session.live.phase == "negotiation" and not isinstance(app.screen, ConfirmDialog)
        session.take_seat(last)
        await wait_for_keys(pilot)
        await burst(pilot, "r")
        assert isinstance(app.screen, ConfirmDialog), "the key was not repeated, but the Phase has just begun"
        assert "has done nothing yet in the Negotiation Phase" in app.screen.words()
        await burst(pilot, "escape")
        await burst(pilot, "h", "r")
        assert last in session.live.ready


@pytest.mark.parametrize(("armies", "asks"), [([army("britain", 10)] * 6, False), ([army("britain", 1)], True)])
async def test_ready_asks_about_unrest_unless_victory_is_certain(home: Path, armies: Any, asks: bool) -> None:
    kenya = {"markers": [marker("britain", "possession")], "unrest": True, "units": armies}
    app = start_at(home, {**MOVEMENT, "areas": {"kenya": kenya}})
    async with app.run_test(size=(120, 40)) as pilot:
        await burst(pilot, "r")
        assert isinstance(app.screen, ConfirmDialog) is asks
        assert not asks or "Kenya is in Unrest" in app.screen.words()


async def test_screen_closes_once(home: Path) -> None:
    app = start_at(home, MOVEMENT)
    async with app.run_test(size=(120, 40)) as pilot:
        game: Any = app.screen
        await burst(pilot, "l")
        log = app.screen
        log.dismiss(None)
        log.dismiss(None)
        await burst(pilot, "h")
        assert app.screen is game


async def test_palette_opens_once(home: Path) -> None:
    app = start_at(home, MOVEMENT)
    async with app.run_test(size=(120, 40)) as pilot:
        await burst(pilot, "ctrl+p")
        await burst(pilot, "f1")
        await burst(pilot, "ctrl+p")
        assert app.crash is None and len([s for s in app.screen_stack if type(s).__name__ == "CommandPalette"]) == 1
