"""Handing the keyboard to the next player: greeting, card, curtain, and the view of each seat."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.text import Text

from paxtui.engine.seating import SeatOccupant
from paxtui.games.pax.actions.actions import Choose
from paxtui.games.pax.transaction import default_answer
from paxtui.session.pax_host import PaxHost
from paxtui.tui.app import PaxApp
from paxtui.tui.base.dialogs import PickDialog, TextDialog
from paxtui.tui.base.screen import ChoiceList
from paxtui.tui.base.settings import Settings
from paxtui.tui.dialogs.area_menu import AreaMenu
from paxtui.tui.dialogs.reports import CombatResultDialog, ReportScreen
from paxtui.tui.dialogs.seats import PrivacyScreen, SeatCard
from paxtui.tui.diplomacy.congress import CongressScreen
from paxtui.tui.game.screen import GameScreen
from tests.tui.playing import MOVEMENT, NEGOTIATION, PUBLIC_NEGOTIATION, TWO_FIGHTS, burst, start_at, wait_for_keys

RICH: dict[str, Any] = {"phase": "movement", "powers": {"britain": {"treasury": 60}, "germany": {"treasury": 60}}}


def greeting(app: PaxApp) -> str:
    """Return the line above the map, "" if there is none."""
    game = next(screen for screen in app.screen_stack if isinstance(screen, GameScreen))
    return game.view.greeting.text.plain.strip() if game.view.greeting.display else ""


async def test_greeting_names_the_seat_until_an_act_or_esc(home: Path) -> None:
    app = start_at(home, RICH)
    async with app.run_test(size=(120, 40)) as pilot:
        assert greeting(app) == ""
        await burst(pilot, "r")
        assert greeting(app).startswith("France is at the keyboard · Movement/Status Change Phase")
        await burst(pilot, "right")
        assert greeting(app)
        await burst(pilot, "escape")
        assert not greeting(app)
        await burst(pilot, "r")
        assert app.screen.session.seat == "germany" and greeting(app)
        await burst(pilot, "colon", *"place", "space", *"interest", "space", *"kamerun", "enter")
        assert app.screen.session.seat == "germany" and not greeting(app)


async def test_no_greeting_after_choosing_a_seat(home: Path) -> None:
    app = start_at(home, MOVEMENT)
    async with app.run_test(size=(120, 40)) as pilot:
        await burst(pilot, "s", "s", "s")
        assert app.screen.session.seat == "united_states" and not greeting(app)


async def test_card_names_the_seat_and_its_tasks(home: Path) -> None:
    app = start_at(home, MOVEMENT, handover="card")
    async with app.run_test(size=(120, 40)) as pilot:
        await burst(pilot, "r", "r", "enter", "space")  # keys after the first are too early
        assert isinstance(app.screen, SeatCard) and "France, it is your turn." in app.screen.words()
        await burst(pilot, "enter", "r")
        assert isinstance(app.screen, SeatCard)
        await burst(pilot, "space")
        assert isinstance(app.screen, GameScreen) and app.screen.session.live.ready == ("britain",)
        await burst(pilot, "r")
        assert app.screen.words().startswith("Germany, it is your turn.")


async def test_handover_setting_none_shows_nothing(home: Path) -> None:
    app = start_at(home, MOVEMENT, handover="none")
    async with app.run_test(size=(120, 40)) as pilot:
        await burst(pilot, *"rrrr")
        assert not greeting(app) and app.screen.session.live.ready == ("britain",)


@pytest.mark.parametrize("handover", ["card", "line", "none"])
async def test_curtain_hides_secrets_at_any_setting(home: Path, handover: str) -> None:
    app = start_at(home, NEGOTIATION, handover=handover)
    async with app.run_test(size=(120, 40)) as pilot:
        assert isinstance(app.screen, PrivacyScreen) and "Great Britain" in app.screen.words()
        await burst(pilot, "enter", "r", "q")
        assert isinstance(app.screen, PrivacyScreen)
        await burst(pilot, "space")
        assert isinstance(app.screen, GameScreen) and not greeting(app)
        await burst(pilot, "s")
        assert isinstance(app.screen, PrivacyScreen) and "France" in app.screen.words()
        await burst(pilot, "space", "r")
        await burst(pilot, "y")  # `r` asks because of the dispute in Tunis
        assert isinstance(app.screen, PrivacyScreen) and "Germany" in app.screen.words()
        await burst(pilot, "space")
        assert greeting(app).startswith("Germany is at the keyboard")


async def test_curtain_shows_only_its_text(home: Path) -> None:
    app = start_at(home, NEGOTIATION)
    async with app.run_test(size=(120, 40)):
        rows = "\n".join(strip.text for strip in app.screen._compositor.render_strips())
        assert [row.strip() for row in rows.splitlines() if row.strip()] == [
            "Great Britain, it is your turn.",
            "Space shows the game.",
        ]


async def test_messages_are_cleared_with_the_seat(home: Path) -> None:
    app = start_at(home, NEGOTIATION)
    async with app.run_test(size=(120, 40)) as pilot:
        await burst(pilot, "space")
        await burst(pilot, "colon", *"pay", "space", *"us", "space", "5", "0", "0", "enter")
        assert app._notifications and app.screen.session.refusal is not None
        await burst(pilot, "S")
        assert isinstance(app.screen, PrivacyScreen)
        assert not app._notifications
        assert app.screen_stack[-2].session.refusal is None


async def test_each_seat_has_its_own_view(home: Path) -> None:
    app = start_at(home, MOVEMENT)
    async with app.run_test(size=(120, 40)) as pilot:
        game: Any = app.screen
        await burst(pilot, "slash", *"egy", "enter", "z", "f", "3", "m")
        left = game.view.capture_state()
        assert (left.cursor, left.zoom, left.filter, game.history.marked) == ("egypt", "theatre", 1, 2)
        await burst(pilot, "colon", *"place", "space", *"interest", "space", *"siam", "enter", "r")
        assert game.session.seat == "france"
        assert game.view.capture_state() == game.view.initial_state() and game.view.map.cursor == "home:france"
        assert game.view.line.given == [] and game.history.marked == 1
        await burst(pilot, "c", "slash", *"sia", "enter")
        await burst(pilot, "S")
        assert game.view.capture_state() == replace(left, orders=("place interest siam", "ready"))
        assert game.history.marked == 2
        await burst(pilot, "s")
        assert game.view.map.cursor == "siam"


async def test_unfinished_order_is_cleared_with_the_seat(home: Path) -> None:
    app = start_at(home, MOVEMENT)
    async with app.run_test(size=(120, 40)) as pilot:
        await burst(pilot, "colon", *"pay")
        app.screen.session.take_seat("france")
        await burst(pilot, "h")
        assert not app.screen.view.line.display


async def test_undo_names_the_seat_of_the_last_act(home: Path) -> None:
    app = start_at(home, MOVEMENT)
    async with app.run_test(size=(120, 40)) as pilot:
        await burst(pilot, "r")
        await burst(pilot, "u")
        texts = [note.message for note in app._notifications]
        assert texts == [
            "France has done nothing yet. The last act was Great Britain's: S returns to that seat, u undoes the act."
        ]
        await burst(pilot, "S", "u")
        assert app.screen.session.live.ready == ()


async def test_combat_result_is_shown_before_the_handover(home: Path) -> None:
    app = start_at(home, TWO_FIGHTS, reports="all")
    async with app.run_test(size=(80, 24)) as pilot:
        game = app.screen
        for seat in game.session.live.players:
            game.session.take_seat(seat)
            game.session.act_text("ready")
        await wait_for_keys(pilot)
        while not isinstance(app.screen, GameScreen):
            await burst(pilot, "space")
        first = game.session.seat
        assert first in ("britain", "france") and game.session.live.phase == "colonial_combat"
        await burst(pilot, "c", "enter")
        assert isinstance(app.screen, CombatResultDialog) and game.session.seat == first
        words = app.screen.words()
        assert "Combat Results Table 2" in words and "continue with " in words
        await burst(pilot, "x")
        assert game.session.seat != first and isinstance(app.screen, ReportScreen)
        await burst(pilot, "escape")
        assert isinstance(app.screen, GameScreen) and not game.view.dice.display, (
            "the dice of another seat are not shown"
        )


async def test_no_handover_for_a_single_player(home: Path) -> None:
    app = start_at(home, NEGOTIATION)
    path = app.open_path
    assert path is not None
    with PaxHost.open(path) as table:
        table.seat({seat: SeatOccupant(by="bot", level="steady") for seat in table.state.players if seat != "britain"})
    app = PaxApp(path=path, settings=Settings())
    async with app.run_test(size=(120, 40)):
        assert isinstance(app.screen, GameScreen) and not greeting(app)


async def test_all_ready_stops_at_a_seat_with_a_task(home: Path) -> None:
    app = start_at(home, NEGOTIATION, curtain=False)
    async with app.run_test(size=(120, 40)) as pilot:
        session = app.screen.session
        await burst(pilot, "R")
        await burst(pilot, "y")  # Britain has a draft to sign
        assert session.seat == "france" and session.live.ready == ("britain",)
        assert "France is at the keyboard" in greeting(app) and "Tunis" in greeting(app)


async def test_greeting_names_the_act_that_withdrew_ready(home: Path) -> None:
    app = start_at(home, {"phase": "movement", "powers": {p: {"treasury": 60} for p in ("britain", "france")}})
    async with app.run_test(size=(120, 40)) as pilot:
        session = app.screen.session
        await burst(pilot, "r")
        await burst(pilot, "colon", *"place", "space", *"interest", "space", *"tunis", "enter")
        assert session.live.ready == ()
        for seat in session.live.players[1:]:
            await burst(pilot, "h", "r")
            assert seat in session.live.ready
        assert session.seat == "britain" and "France" in greeting(app).partition("Phase")[2]
        assert "Tunis" in greeting(app)


async def test_what_now_names_the_power_of_the_orders(home: Path) -> None:
    app = start_at(home, MOVEMENT)
    async with app.run_test(size=(120, 40)) as pilot:
        await burst(pilot, "s", "s")
        assert "Your orders are" not in app.screen.view.side.now.text.plain
        await burst(pilot, "a")
        assert "Your orders are those of Austria-Hungary." in app.screen.view.side.now.text.plain


async def test_menu_fits_a_smaller_terminal(home: Path) -> None:
    app = start_at(home, MOVEMENT)
    async with app.run_test(size=(200, 60)) as pilot:
        await burst(pilot, "slash", *"ann", "enter")
        await burst(pilot, "enter")
        await pilot.resize_terminal(80, 24)
        box = app.screen.query_one(".box").region
        assert isinstance(app.screen, AreaMenu) and box.area and app.screen.region.contains_region(box)
        menu = app.screen.query_one(ChoiceList)
        assert menu.virtual_size.height == menu.option_count, "each line has one row, as on a small terminal"


@pytest.mark.parametrize(("handover", "next_"), [("line", SeatCard), ("none", CongressScreen)])
async def test_card_calls_the_next_delegate_of_the_congress(home: Path, handover: str, next_: type) -> None:
    app = start_at(home, PUBLIC_NEGOTIATION, handover=handover)
    async with app.run_test(size=(80, 24)) as pilot:
        session = app.screen.session
        session.take_seat("france")
        assert session.act_text("congress britain") and not session.seats.has_secrets
        for seat in session.live.players:
            session.take_seat(seat)
            session.act_text("ready")
        await wait_for_keys(pilot)
        while isinstance(app.screen, SeatCard):
            await burst(pilot, "space")
        first = session.seat
        assert isinstance(app.screen, CongressScreen)
        await burst(pilot, "enter", "a")
        assert session.seat != first and type(app.screen) is next_
        asked = len(session.live.choices)
        await burst(pilot, "y", "a", "enter")
        if next_ is SeatCard:
            assert len(session.live.choices) == asked, "keys for the previous question answer no other"
        await burst(pilot, "space")
        assert isinstance(app.screen, CongressScreen | PickDialog)


async def test_congress_screen_closes_after_the_news(home: Path) -> None:
    app = start_at(home, PUBLIC_NEGOTIATION, handover="none")
    async with app.run_test(size=(80, 24)) as pilot:
        game, session = app.screen, app.screen.session
        session.take_seat("france")
        assert session.act_text("congress britain")
        for seat in session.live.players:
            session.take_seat(seat)
            session.act_text("ready")
        await wait_for_keys(pilot)
        hall = app.screen
        assert isinstance(hall, CongressScreen)
        while (congress := session.live.congress) is not None and not congress.outcome and session.live.choices:
            choice = session.live.choices[0]
            session.take_seat(choice.seat)
            session.act(Choose(choice.id, default_answer(choice)))
        await wait_for_keys(pilot)
        assert app.screen is hall, "the result can be read"
        app.push_screen(TextDialog("News", Text("of the new turn")))
        await wait_for_keys(pilot)
        await burst(pilot, "escape")
        assert app.screen is game
        await burst(pilot, "C")
        assert app.screen is not hall
