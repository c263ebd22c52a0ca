"""Games on the main screen, and comparison of screens with recordings."""

import asyncio
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from rich.text import Text
from textual._doc import take_svg_screenshot
from textual.app import App
from textual.notifications import Notification
from textual.pilot import Pilot
from textual.screen import Screen

from paxtui.bots.pax import prediction
from paxtui.games.pax.board.tables import PredictionWeights
from paxtui.tui.app import PaxApp
from paxtui.tui.game import screen
from paxtui.tui.panes import registry, status_lines
from paxtui.tui.reference_screens import help, statistics
from paxtui.tui.rendering import app, key_queue
from paxtui.tui.widgets import side_column
from tests.recorded import same_as_recorded
from tests.tui.playing import MOVEMENT, open_log, start_at

PRESS = Pilot.press
HELD_BACK_S = 2.0
"""Seconds after which a key counts as intentionally held back."""


async def press_and_see(pilot: Pilot[object], *keys: str) -> None:
    """Press keys, and wait until they have been handled, or are held back."""
    await PRESS(pilot, *keys)
    keyboard, waited = getattr(pilot.app, "keyboard", None), 0.0
    while keyboard is not None and keyboard.busy and waited < HELD_BACK_S:
        await asyncio.sleep(0.005)
        waited += 0.005


@pytest.fixture(autouse=True)
def wait_for_each_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait until each key has been handled: on a busy machine, Textual takes a program without CPU time for idle."""
    monkeypatch.setattr(Pilot, "press", press_and_see)


@pytest.fixture(autouse=True)
def accept_keys_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Accept keys as soon as a dialog is drawn; `test_type_ahead.py` tests the usual delay."""
    monkeypatch.setattr(key_queue, "MIN_VISIBLE_S", 0.0)


@pytest.fixture(autouse=True)
def no_idle_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run no idle tasks: they draw maps in advance and freeze objects of the app."""
    monkeypatch.setattr(app, "IDLE_DELAY_S", 3600.0)


@pytest.fixture(autouse=True)
def long_notices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Show notices for longer, because a test reads them some keys later."""
    monkeypatch.setattr(Notification, "time_left", property(lambda notice: 100 * notice.timeout))


WEIGHTS = msgspec.json.decode((Path(__file__).parent / "prediction.json").read_bytes(), type=PredictionWeights)


@pytest.fixture(autouse=True)
def fixed_predictions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use fixed weights for expected ranks, so that a new fit to games of bots changes no recording."""
    monkeypatch.setattr(prediction, "fitted_weights", lambda tables: WEIGHTS)


@pytest.fixture
def fresh(home: Path) -> PaxApp:
    """A game in the Movement Phase of 1880, with money."""
    return start_at(home, MOVEMENT)


@pytest.fixture
def golden(home: Path) -> PaxApp:
    """The golden game at its end."""
    return open_log(home)


TEXTS = Path(__file__).parent / "screen_texts"
SNAPSHOTS = Path(__file__).parent / "__snapshots__"

PICTURES = {
    "test_exercise_pictures::test_exercise_screen[danube-1805-160x50]",
    "test_help::test_help_of_a_pane[120x40]",
    "test_reference::test_glossary_look[dark-120x40]",
    "test_screens::test_move_highlights_its_destinations[120x40]",
    "test_screens::test_new_game[80x24]",
    "test_screens::test_congress[ballots-120x40]",
    "test_screens::test_main_screen[ascii-80x24]",
    "test_screens::test_main_screen[dark-160x50]",
    "test_screens::test_main_screen[dark-200x60]",
    "test_screens::test_main_screen[deuteranopia-120x40]",
    "test_screens::test_map_only[light]",
    "test_screens::test_combat_result[80x24]",
    "test_settings::test_settings_and_keys[f4-80x24]",
    "test_statistics::test_other_looks[light]",
    "test_statistics::test_charts[1-160x50]",
    "test_tutorial::test_tutorial_look[result-120x40]",
    "test_war_screen::test_war_pane_and_map_look[160x50]",
}
"""Tests whose screens are compared as pictures, with their colours. Of all others the text is compared."""

WITH_ALL_PANES = {"test_screens::test_main_screen[dark-160x50]"}
"""Tests whose recordings show the tabs of all panes. A new pane does not change the others."""


def hide_other_panes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide what shows all panes: their tabs, their keys in the bottom line, their topics and keys in the help."""
    panes = {pane.name for pane in registry.PANES}
    keys = {f"game.pane{pane.key}" for pane in registry.PANES}
    all_keys = help.help_keys

    def other_keys(screen: Screen[object]) -> list[help.HelpKey]:
        topic = help.screen_topics(screen)[0]
        return [key for key in all_keys(screen) if key.id not in keys or key.title == topic.title]

    monkeypatch.setattr(
        side_column, "pane_tabs", lambda session, name: [p for p in registry.SIDE_PANES if p.name == name]
    )
    monkeypatch.setattr(status_lines, "pane_keys", lambda is_war: "1-n")
    monkeypatch.setattr(help, "help_keys", other_keys)
    monkeypatch.setattr(screen, "HELP_PARTS", tuple(part for part in screen.HELP_PARTS if part not in panes))


WITH_ALL_CHARTS = {"test_statistics::test_charts[1-160x50]"}
"""Tests whose recordings show the tabs of all charts. A new chart does not change the others."""


def hide_other_charts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the tabs and the keys of all charts but the open one."""
    tab = statistics.StatisticsScreen.tab
    monkeypatch.setattr(
        statistics.StatisticsScreen, "tab", lambda self, number: tab(self, number) if number == self.at else Text()
    )
    monkeypatch.setattr(statistics, "CHART_KEYS", "1-n")


def screen_text(app: App[Any]) -> list[str]:
    """Return the rows of the screen, with the screens behind a dialog."""
    update = app.screen._compositor.render_update(full=True, screen_stack=app._background_screens)
    rows = ["".join(strip.text for strip in row) for row in update.strips]  # type: ignore[union-attr]
    return [row.rstrip() for row in rows]


@pytest.fixture
def compare_screen(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[..., bool]:
    """Compare a screen with its recording: the text, or a picture for the tests in PICTURES."""
    module, name = request.node.path.stem, request.node.name
    if f"{module}::{name}" not in WITH_ALL_PANES:
        hide_other_panes(monkeypatch)
    if f"{module}::{name}" not in WITH_ALL_CHARTS:
        hide_other_charts(monkeypatch)

    def compare(
        app: App[Any],
        press: tuple[str, ...] = (),
        terminal_size: tuple[int, int] = (80, 24),
        run_before: Callable[[Pilot[Any]], Any] | None = None,
    ) -> bool:
        async def look(pilot: Pilot[Any]) -> None:
            if run_before is not None:
                await run_before(pilot)
            await pilot.pause()
            await pilot.press(*press)
            await pilot.pause()
            app.exit(screen_text(app))

        if f"{module}::{name}" in PICTURES:
            svg = take_svg_screenshot(app=app, press=press, terminal_size=terminal_size, run_before=run_before)
            svg = re.sub(r"\bterminal-\d+-([\w-]+)", r"terminal-\1", svg)  # Rich draws an id by chance
            same_as_recorded(SNAPSHOTS / module / f"{name}.svg", svg.split("\n")[:-1], is_xml=True)
            return True
        path = TEXTS / module / f"{name.removeprefix('test_')}.txt"
        same_as_recorded(path, app.run(headless=True, auto_pilot=look, size=terminal_size))
        return True

    return compare
