"""Number of frames, styles, widgets and rows for one key. No time is measured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual._compositor import Compositor
from textual.css.stylesheet import Stylesheet
from textual.screen import Screen

from paxtui.tui.app import PaxApp
from paxtui.tui.base.dialogs import ConfirmDialog
from paxtui.tui.base.screen import prepare_dialogs
from paxtui.tui.dialogs.area_menu import AreaMenu
from paxtui.tui.game.screen import GameScreen
from paxtui.tui.panes import side_panes
from paxtui.tui.rendering import compositor, key_queue
from tests.tui.playing import open_log, start_at, wait_for_keys

POSITION = {"phase": "movement", "powers": {"britain": {"treasury": 60}}}


@pytest.fixture
def app(home: Path) -> PaxApp:
    """A Movement Phase on the main screen."""
    return start_at(home, POSITION)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any, str], list[Any]]:
    """Record the first argument of each call of a function."""

    def note(owner: Any, name: str) -> list[Any]:
        noted: list[Any] = []
        through = getattr(owner, name)

        def noting(*given: Any, **named: Any) -> Any:
            noted.append(given[min(1, len(given) - 1)])
            return through(*given, **named)

        monkeypatch.setattr(owner, name, noting)
        return noted

    return note


async def test_no_frame_is_discarded(app: PaxApp, monkeypatch: pytest.MonkeyPatch) -> None:
    batches: list[int] = []
    through = PaxApp._display

    def noting(self: PaxApp, screen: Screen[object], renderable: Any) -> None:
        if isinstance(screen, GameScreen):
            batches.append(self._batch_count)
        through(self, screen, renderable)

    monkeypatch.setattr(PaxApp, "_display", noting)
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.pause()
        assert batches and not any(batches)


async def test_dialog_opens_with_one_whole_frame(app: PaxApp, calls: Any) -> None:
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.pause()
        frames = calls(Compositor, "render_full_update")
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, AreaMenu)
        assert len(frames) == 1
        await pilot.press("escape")
        frames.clear()
        app.push_screen(ConfirmDialog("Leave?", "You leave."))
        await pilot.pause()
        assert len(frames) == 1


KEYS = (
    *("enter", "escape", "t", "escape", "l", "escape", "F", "escape", "B", "escape", "d", "escape", "ctrl+p", "escape"),
    *("3", "tab", "6", "down", "6", "z", "right", "z", "z", "f", "colon", "a", "escape", "slash", "escape"),
    "h",
)


async def test_each_key_draws_one_frame(app: PaxApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(key_queue, "MAX_HOLD_S", 1_000.0)
    frames: list[Screen[object]] = []
    display = PaxApp._display

    def noting(self: PaxApp, screen: Screen[object], renderable: object) -> None:
        frames.extend([screen] if renderable is not None else [])
        display(self, screen, renderable)

    monkeypatch.setattr(PaxApp, "_display", noting)
    async with app.run_test(size=(160, 50)) as pilot:
        await wait_for_keys(pilot)
        drawn = []
        for key in KEYS:
            frames.clear()
            await pilot.press(key)
            await wait_for_keys(pilot)
            drawn.append((key, frames.copy()))
        assert [f"{key}: {len(screens)}" for key, screens in drawn if len(screens) != 1] == []


async def test_each_key_lays_out_a_screen_once(home: Path, calls: Any) -> None:
    app = open_log(home)
    async with app.run_test(size=(160, 50)) as pilot:
        await wait_for_keys(pilot)
        layouts = calls(Compositor, "_arrange_root")
        laid_out = []
        for key in ("left_square_bracket", "end", "left_square_bracket", "end", "t", "escape", "W", "escape"):
            layouts.clear()
            await pilot.press(key)
            await wait_for_keys(pilot)
            laid_out.append(Counter(type(screen).__name__ for screen in layouts))
        assert not [each for each in laid_out if set(each.values()) - {1}], laid_out
        assert laid_out[0] == {"GameScreen": 1} and sum(laid_out[4].values()) == 1, laid_out


async def test_styles_of_a_new_dialog_are_computed_once(app: PaxApp, calls: Any) -> None:
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.pause()
        styled = calls(Stylesheet, "apply")
        await pilot.press("enter")
        await pilot.pause()
        menu = app.screen
        count = Counter(node for node in styled if node in {menu, *menu.walk_children()})
        again = {type(node).__name__ for node, times in count.items() if times > 1}
        assert again == {"ChoiceList"}, "the list, when it has the focus"
        assert count.total() <= 9


async def test_menu_mounts_few_widgets(app: PaxApp) -> None:
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.pause()
        await pilot.press("enter")
        assert sorted(type(widget).__name__ for widget in app.screen.walk_children()) == [
            "ChoiceList", "KeyHints", "ListBox", "PlainText", "PlainText", "PlainText"
        ]  # fmt: skip


async def test_prepared_dialog_dims_only_changes(app: PaxApp, calls: Any) -> None:
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.pause()
        game = app.screen
        assert isinstance(game, GameScreen)
        dimmed, parsed = calls(compositor, "_dim_strip"), calls(Stylesheet, "parse")
        assert set(prepare_dialogs(game)) == {"dialogs"}
        await pilot.pause()
        assert len(dimmed) > 50
        dimmed.clear()
        parsed.clear()
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, AreaMenu)
        assert not dimmed, "the screen below is as it was"
        assert not parsed, "no widget brings a new style sheet"


async def test_log_pane_wraps_each_entry_once(home: Path, calls: Any) -> None:
    app = open_log(home, pane="log")
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.pause()
        rendered = calls(side_panes, "_render_entry")
        for _ in range(3):
            await pilot.press("[")
        await pilot.pause()
        assert len(rendered) <= 3 * 12, "the entries that have come into the last 120 lines"
