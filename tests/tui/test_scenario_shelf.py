"""The shelf of scenarios on the start screen: choose scenario, seat and level by keyboard, and begin."""

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
from tests.tui.playing import QUIET, press, rows, shown

ABOUT = "#scenario-about"


def at_start() -> PaxApp:
    """The program at its start screen."""
    return PaxApp(settings=Settings(**QUIET))  # type: ignore[arg-type]


async def on_shelf(pilot, scenario: str) -> ScenarioShelf:
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
    async with at_start().run_test(size=(80, 24)) as pilot:
        await on_shelf(pilot, "evening")
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
        assert "scored for that length" in shown(pilot.app, ABOUT)
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, StartScreen)


@pytest.mark.slow
async def test_seat_and_level_are_chosen_and_the_game_begins(home: Path) -> None:
    async with at_start().run_test(size=(80, 24)) as pilot:
        await on_shelf(pilot, "race-for-africa")
        await press(pilot, "left", "left", "l")
        about = " ".join(shown(pilot.app, ABOUT).split())
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
async def test_two_persons_share_the_keyboard(home: Path) -> None:
    async with at_start().run_test(size=(80, 24)) as pilot:
        await on_shelf(pilot, "duel")
        await press(pilot, "left")
        about = " ".join(shown(pilot.app, ABOUT).split())
        assert "You play Great Britain and France; statesmen (normal) play the others." in about
        await press(pilot, "enter")
        session = pilot.app.screen.session
        persons = [seat for seat in session.live.players if session.seats.occupant(seat) == PERSON]
        assert persons == ["britain", "france"]


@pytest.mark.slow
async def test_a_challenge_has_one_seat_its_dice_and_no_undo(home: Path) -> None:
    async with at_start().run_test(size=(80, 24)) as pilot:
        await on_shelf(pilot, "place-in-the-sun")
        await press(pilot, "right", "right")
        assert "You play Germany; the scenario chooses your rivals." in " ".join(shown(pilot.app, ABOUT).split())
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, GameScreen)
        header = read_log(next((home / "saves").glob("*.jsonl"))).header
        assert (header.seed, header.undo) == ("a place in the sun", "strict")


@pytest.mark.slow
async def test_an_own_scenario_with_a_fault_is_named_and_the_others_stay(home: Path) -> None:
    own = home / "scenarios"
    own.mkdir()
    (own / "mine.toml").write_text('title = "Mine"\nabout = "My own."\n[options]\nlast_turn = 2\n', "utf-8")
    (own / "broken.toml").write_text('title = "Broken"\n', "utf-8")
    async with at_start().run_test(size=(80, 24)) as pilot:
        await on_shelf(pilot, "mine")
        assert any(line.startswith("Mine") for line in rows(pilot.app))
        assert "broken.toml:1: no about (a text)" in shown(pilot.app, "#scenario-faults").replace("\n", "")
