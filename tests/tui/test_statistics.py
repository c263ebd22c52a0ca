"""Charts of a game: at each moment, in each palette, and at the end of the game."""

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
from tests.tui.playing import AppWithoutCurtain, open_log, press, sizes, wait_for_keys

WHOLE = SAVES / "whole-game-0.2.0.jsonl"


def chart_text(app: PaxApp) -> str:
    """Return the text of the current chart."""
    return app.screen.query_one(ScrollingText).text.plain


@sizes((80, 24), (160, 50))
@pytest.mark.parametrize("chart", ["1", "2", "5", "6", "7"])
def test_charts(home, compare_screen, size, chart):
    async def before(pilot) -> None:
        await press(pilot, "i", chart)

    assert compare_screen(open_log(home, WHOLE, curtain=False), terminal_size=size, run_before=before)


@pytest.mark.parametrize("look", ["mono", "light", "ascii"])
def test_other_looks(home, compare_screen, look):
    async def before(pilot) -> None:
        await press(pilot, "i", "6" if look == "light" else "1")

    settings = {"ascii": True} if look == "ascii" else {"palette": look}
    app = open_log(home, SAVES / "ten-turns-0.2.0.jsonl", curtain=False, **settings)
    assert compare_screen(app, terminal_size=(120, 40), run_before=before)


async def test_keys_change_chart_and_return_to_the_map(home):
    async with open_log(home, WHOLE, curtain=False).run_test(size=(80, 24)) as pilot:
        assert isinstance(await press(pilot, "i"), StatisticsScreen)
        assert "Victory Points" in chart_text(pilot.app)
        await press(pilot, "right")
        assert "Sources of Victory Points" in chart_text(pilot.app)
        await press(pilot, "left", "left")
        assert "Ottoman War" in chart_text(pilot.app)
        await press(pilot, "3")
        assert "Treasury" in chart_text(pilot.app)
        pilot.app.settings = Settings(palette="mono")
        await wait_for_keys(pilot)
        assert "Treasury" in chart_text(pilot.app)
        assert isinstance(await press(pilot, "escape"), GameScreen)


async def test_charts_end_at_the_viewed_moment(home):
    async with open_log(home, WHOLE, curtain=False).run_test(size=(80, 24)) as pilot:
        await press(pilot, "home", "i")
        assert "1884" not in chart_text(pilot.app) and "end" not in chart_text(pilot.app).split("\n")[-1]
        await press(pilot, "escape", "end", "i")
        assert "1916" in chart_text(pilot.app)


async def test_replay_has_charts(home):
    app = PaxApp(settings=Settings())
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(ReplayScreen(ReplaySession(WHOLE)))
        await wait_for_keys(pilot)
        await press(pilot, "end", "i", "7")
        assert "Chinese Rebellion" in chart_text(app)


async def test_charts_open_at_the_end_of_a_game(home):
    """Keys lead from the result through the charts back to the map."""
    path = home / "game.jsonl"
    with PaxHost.new(load_tables(), seats_for(4), "7", {}, path=path, undo="free", clock=lambda: "") as table:
        table.act(ARBITER, {"type": "set_position", "patch": {"turn": 10, "phase": "war"}})
    app = AppWithoutCurtain(path=path, settings=Settings(reports="none"))
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_keys(pilot)
        await press(pilot, "R")
        for _ in range(20):
            if isinstance(app.screen, ReportScreen):
                break
            await press(pilot, "R")
        assert isinstance(app.screen, ReportScreen), "who won, and how"
        text = " ".join(screen_text(app))
        assert " with " in text and "Victory Points" in text and "page 1 of 2" in text
        await press(pilot, "right")
        assert "How each Power got its points" in " ".join(screen_text(app))
        await press(pilot, "escape")
        assert isinstance(app.screen, ClosingScreen)
        assert "Victory Points" in chart_text(app) and "the last step is the final record" in chart_text(app)
        note = app.screen.query_one("#statistics-note")
        assert " won." in "".join(strip.text for strip in note.render_lines(note.size.region)), "on 80 columns, too"
        assert isinstance(await press(pilot, "escape"), GameScreen)
        assert not isinstance(await press(pilot, "r"), ClosingScreen)
        await press(pilot, "escape", "w")
        assert isinstance(app.screen, ReportScreen) and " with " in " ".join(screen_text(app)), "and again later"


async def test_end_of_a_replay_shows_what_decided_the_game(home):
    app = PaxApp(settings=Settings())
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(ReplayScreen(ReplaySession(WHOLE)))
        await wait_for_keys(pilot)
        await press(pilot, "end", "w")
        text = " ".join(screen_text(app))
        assert "Great Britain wins" in text and "6 behind" in text and "What decided it" in text
