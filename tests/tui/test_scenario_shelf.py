"""The scenario list on the start screen: choose scenario, seat and level by keys, and start."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import OptionList

from paxtui.engine.seating import PERSON
from paxtui.session.storage.log_store import read_log
from paxtui.tui.app import PaxApp
from paxtui.tui.base.settings import Settings
from paxtui.tui.game.screen import GameScreen
from paxtui.tui.start_screens.scenarios import ScenarioShelf
from paxtui.tui.start_screens.start import StartScreen
from tests.tui.playing import QUIET, drawn_text, press, rows

ABOUT = "#scenario-about"


def start_app() -> PaxApp:
    """Start the program at its start screen."""
    return PaxApp(settings=Settings(**QUIET))  # type: ignore[arg-type]


async def select_scenario(pilot, scenario: str) -> ScenarioShelf:
    await pilot.pause()
    await press(pilot, "c")
    shelf = pilot.app.screen
    assert isinstance(shelf, ScenarioShelf)
    options = shelf.query_one(OptionList)
    options.highlighted = options.get_option_index(scenario)
    await pilot.pause()
    return shelf


@pytest.mark.slow
async def test_each_scenario_has_years_turns_and_seats(home: Path) -> None:
    async with start_app().run_test(size=(80, 24)) as pilot:
        await select_scenario(pilot, "evening")
        lines = rows(pilot.app)
        assert lines[0].split() == [
            "The",
            "whole",
            "game",
            "1880",
            "to",
            "1916",
            "10",
            "turns",
            *["GB", "FR", "DE", "US", "JP", "RU", "IT"],
        ]
        assert "1880 to 1892   4 turns   GB FR DE US JP RU IT" in lines[1]
        assert "scored for that length" in drawn_text(pilot.app, ABOUT)
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, StartScreen)


@pytest.mark.slow
async def test_game_starts_with_the_chosen_seat_and_level(home: Path) -> None:
    async with start_app().run_test(size=(80, 24)) as pilot:
        await select_scenario(pilot, "race-for-africa")
        await press(pilot, "left", "left", "l")
        about = " ".join(drawn_text(pilot.app, ABOUT).split())
        assert "You play Italy; statesmen (hard) play the others." in about
        await press(pilot, "enter")
        game = pilot.app.screen
        assert isinstance(game, GameScreen)
        session = game.session
        assert (session.state.scenario, session.seat) == ("race-for-africa", "italy")
        assert session.state.players == ("britain", "france", "germany", "italy")
        assert session.seats.occupant("italy") == PERSON
        assert session.seats.occupant("france").level == "hard"


@pytest.mark.slow
async def test_two_people_share_the_keyboard(home: Path) -> None:
    async with start_app().run_test(size=(80, 24)) as pilot:
        await select_scenario(pilot, "duel")
        await press(pilot, "left")
        about = " ".join(drawn_text(pilot.app, ABOUT).split())
        assert "You play Great Britain and France; statesmen (normal) play the others." in about
        await press(pilot, "enter")
        session = pilot.app.screen.session
        persons = [seat for seat in session.live.players if session.seats.occupant(seat) == PERSON]
        assert persons == ["britain", "france"]


@pytest.mark.slow
async def test_challenge_has_one_seat_fixed_dice_and_no_undo(home: Path) -> None:
    async with start_app().run_test(size=(80, 24)) as pilot:
        await select_scenario(pilot, "place-in-the-sun")
        await press(pilot, "right", "right")
        assert "You play Germany; the scenario chooses your rivals." in " ".join(drawn_text(pilot.app, ABOUT).split())
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, GameScreen)
        header = read_log(next((home / "saves").glob("*.jsonl"))).header
        assert (header.seed, header.undo) == ("a place in the sun", "strict")


@pytest.mark.slow
async def test_faulty_scenario_is_named_and_others_stay(home: Path) -> None:
    own = home / "scenarios"
    own.mkdir()
    (own / "mine.toml").write_text('title = "Mine"\nabout = "My own."\n[options]\nlast_turn = 2\n', "utf-8")
    (own / "broken.toml").write_text('title = "Broken"\n', "utf-8")
    async with start_app().run_test(size=(80, 24)) as pilot:
        await select_scenario(pilot, "mine")
        assert any(line.startswith("Mine") for line in rows(pilot.app))
        assert "broken.toml:1: no about (a text)" in drawn_text(pilot.app, "#scenario-faults").replace("\n", "")
