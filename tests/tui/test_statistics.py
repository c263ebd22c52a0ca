"""The course of a game in charts on the screen: at any moment, in every palette, and unasked when the game is over."""

from __future__ import annotations

import pytest

from paxtui.engine.seats import ARBITER
from paxtui.games.pax.position.setup import seats_for
from paxtui.session.pax_host import PaxHost
from paxtui.session.replay import ReplaySession
from paxtui.session.tables.loader import load_tables
from paxtui.tui.app import PaxApp
from paxtui.tui.base.settings import Settings
from paxtui.tui.dialogs.reports import ReportScreen
from paxtui.tui.game.replay import ReplayScreen
from paxtui.tui.game.screen import GameScreen
from paxtui.tui.reference_screens.statistics import ClosingScreen, StatisticsScreen
from paxtui.tui.rendering.text_widgets import ScrollingText
from tests.places import SAVES
from tests.tui.conftest import screen_text
from tests.tui.playing import NobodyLooks, opened, press, settled, sizes

WHOLE = SAVES / "whole-game-0.2.0.jsonl"


def words(app: PaxApp) -> str:
    """What the chart in front says."""
    return app.screen.query_one(ScrollingText).text.plain


@sizes((80, 24), (160, 50))
@pytest.mark.parametrize("chart", ["1", "2", "5", "6", "7"])
def test_the_charts(home, compare_screen, size, chart):
    async def before(pilot) -> None:
        await press(pilot, "i", chart)

    assert compare_screen(opened(home, WHOLE, curtain=False), terminal_size=size, run_before=before)


@pytest.mark.parametrize("look", ["mono", "light", "ascii"])
def test_other_looks(home, compare_screen, look):
    async def before(pilot) -> None:
        await press(pilot, "i", "6" if look == "light" else "1")

    settings = {"ascii": True} if look == "ascii" else {"palette": look}
    app = opened(home, SAVES / "ten-turns-0.2.0.jsonl", curtain=False, **settings)
    assert compare_screen(app, terminal_size=(120, 40), run_before=before)


async def test_keys_go_from_chart_to_chart_and_back_to_the_map(home):
    async with opened(home, WHOLE, curtain=False).run_test(size=(80, 24)) as pilot:
        assert isinstance(await press(pilot, "i"), StatisticsScreen)
        assert "Victory Points" in words(pilot.app)
        await press(pilot, "right")
        assert "Sources of Victory Points" in words(pilot.app)
        await press(pilot, "left", "left")
        assert "Ottoman War" in words(pilot.app)
        await press(pilot, "3")
        assert "Treasury" in words(pilot.app)
        pilot.app.settings = Settings(palette="mono")
        await settled(pilot)
        assert "Treasury" in words(pilot.app)
        assert isinstance(await press(pilot, "escape"), GameScreen)


async def test_it_ends_at_the_moment_looked_at(home):
    async with opened(home, WHOLE, curtain=False).run_test(size=(80, 24)) as pilot:
        await press(pilot, "home", "i")
        assert "1884" not in words(pilot.app) and "end" not in words(pilot.app).split("\n")[-1]
        await press(pilot, "escape", "end", "i")
        assert "1916" in words(pilot.app)


async def test_a_replay_has_it(home):
    app = PaxApp(settings=Settings())
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(ReplayScreen(ReplaySession(WHOLE)))
        await settled(pilot)
        await press(pilot, "end", "i", "7")
        assert "Chinese Rebellion" in words(app)


async def test_the_end_of_a_game_opens_it(home):
    """Nothing typed before it was seen closes it, and going on from it leads back to the map."""
    path = home / "game.jsonl"
    with PaxHost.new(load_tables(), seats_for(4), "7", {}, path=path, undo="free", clock=lambda: "") as table:
        table.act(ARBITER, {"type": "set_position", "patch": {"turn": 10, "phase": "war"}})
    app = NobodyLooks(path=path, settings=Settings(reports="none"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await press(pilot, "R")
        for _ in range(20):
            if isinstance(app.screen, ReportScreen):
                break
            await press(pilot, "R")
        assert isinstance(app.screen, ReportScreen), "who won, and how"
        text = " ".join(screen_text(app))
        assert " with " in text and "Victory Points" in text and "page 1 of 2" in text
        await pilot.pause(0.2)
        await press(pilot, "right")
        assert "How each Power got its points" in " ".join(screen_text(app))
        await pilot.pause(0.2)
        await press(pilot, "escape")
        assert isinstance(app.screen, ClosingScreen)
        assert "Victory Points" in words(app) and "the last step is the final record" in words(app)
        told = app.screen.query_one("#statistics-note")
        assert " won." in "".join(strip.text for strip in told.render_lines(told.size.region)), "on 80 columns, too"
        await pilot.pause(0.2)
        assert isinstance(await press(pilot, "escape"), GameScreen)
        assert not isinstance(await press(pilot, "r"), ClosingScreen)
        await press(pilot, "escape", "w")
        assert isinstance(app.screen, ReportScreen) and " with " in " ".join(screen_text(app)), "and again later"


async def test_a_replay_tells_at_its_end_how_the_game_was_decided(home):
    app = PaxApp(settings=Settings())
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(ReplayScreen(ReplaySession(WHOLE)))
        await settled(pilot)
        await press(pilot, "end", "w")
        text = " ".join(screen_text(app))
        assert "Great Britain wins" in text and "6 behind" in text and "What decided it" in text
