"""Questions of War on the screen: a whole sentence, what each answer brings, the map before and after."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from paxtui.games.pax.reports.todo import QUESTION
from paxtui.games.pax.state.questions import Call, Cessions
from paxtui.session.pax_host import PaxHost
from paxtui.session.player_news import open_dummy_calls, pending_tasks
from paxtui.tui.diplomacy.war_questions import WarQuestionScreen
from paxtui.tui.game.screen import GameScreen
from tests.places import SAVES
from tests.tui.playing import begun, opened, press, rows
from tests.tui.wars import CALLED, HIDDEN

BOTH = pytest.mark.parametrize("size", [(160, 50), (80, 24)], ids=["160x50", "80x24"])


def game(app) -> GameScreen:
    """The game screen, wherever it lies."""
    return next(screen for screen in app.screen_stack if isinstance(screen, GameScreen))


def up_to(home: Path, name: str, kind: type) -> Path:
    """A kept game up to the line at which a question of a kind is asked."""
    path = home / "kept.jsonl"
    shutil.copy(SAVES / f"{name}.jsonl", path)
    with PaxHost.open(path, write=False) as table:
        line = next(
            n for n in range(1, table.version + 1) if any(isinstance(c.about, kind) for c in table.game.seek(n).choices)
        )
    text = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(text[:line]))
    return path


async def asked(pilot, seat: str) -> WarQuestionScreen:
    """A seat sits down to its question."""
    for _ in range(8):
        if game(pilot.app).session.seat == seat:
            break
        await press(pilot, "s")
    await press(pilot, "c")
    screen = pilot.app.screen
    assert isinstance(screen, WarQuestionScreen), screen
    return screen


async def called(pilot) -> WarQuestionScreen:
    """Germany declares War on Russia; France is asked."""
    for _ in range(8):
        if game(pilot.app).session.seat == "germany":
            break
        await press(pilot, "s")
    game(pilot.app).act_text("declare war russia")
    await pilot.pause()
    if game(pilot.app) is not pilot.app.screen:
        await press(pilot, "y")
    return await asked(pilot, "france")


@BOTH
async def test_a_call_is_answered_in_sight_of_what_follows(home, size):
    app = begun(home, CALLED, curtain=False)
    async with app.run_test(size=size) as pilot:
        screen = await called(pilot)
        assert "Kronstadt calls France to help Russia" in screen.words().replace("\n", " ")
        assert rows(app)[0].startswith("Declare War on Germany") and "tension" in rows(app)[0]
        await press(pilot, "down")
        assert "France would break 'Kronstadt'" in screen.words().replace("\n", " ").replace("  ", " ")
        await press(pilot, "enter", "y")  # a Treaty is broken: asked once more
        assert not any(isinstance(c.about, Call) for c in game(app).session.live.choices)
        assert not any(w.side_of("france") for w in game(app).session.live.wars)


async def test_the_list_of_cessions_shows_the_map_before_and_after(home):
    app = opened(home, up_to(home, "rebellion-won-0.2.0", Cessions), curtain=False)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await asked(pilot, "britain")
        assert rows(app) == ["Sign the list", "Reject the list: nothing is ceded"]
        assert screen.rows.highlighted == 1, "what the rules take by default is under the cursor"
        await press(pilot, "up")
        assert "Only if" in screen.words() and "Resentment" in screen.words()
        await press(pilot, "tab")
        assert screen.map.display and "After the change" in str(screen.map.border_title)
        await press(pilot, "tab", "tab", "escape")
        assert app.screen is game(app), "it is answered later"


@BOTH
@pytest.mark.parametrize("which", ["call", "cessions"])
def test_how_it_looks(home, compare_screen, size, which):
    if which == "call":
        app = begun(home, CALLED, curtain=False)
    else:
        app = opened(home, up_to(home, "rebellion-won-0.2.0", Cessions), curtain=False)

    async def before(pilot) -> None:
        if which == "call":
            await called(pilot)
        else:
            await asked(pilot, "britain")
            await press(pilot, "up")

    assert compare_screen(app, terminal_size=size, run_before=before)


async def test_what_does_not_fit_is_leafed_through(home):
    app = opened(home, up_to(home, "rebellion-won-0.2.0", Cessions), curtain=False)
    async with app.run_test(size=(80, 15)) as pilot:
        screen = await asked(pilot, "britain")
        await press(pilot, "up")
        room = screen.query_one("#beside-room")
        await press(pilot, "pagedown")
        assert room.scroll_y > 0 and screen.rows.highlighted == 0
        await press(pilot, "pageup")
        assert room.scroll_y == 0


@BOTH
async def test_powers_of_one_seat_with_nothing_to_decide_are_asked_once(home, size):
    app = begun(home, HIDDEN, curtain=False)
    async with app.run_test(size=size) as pilot:
        session = game(app).session
        session.take_seat("russia")
        session.act_text("declare war japan")
        session.take_seat("germany")
        await pilot.pause()
        assert [c.power for c in open_dummy_calls(session)] == ["germany", "austria_hungary"]
        assert len([task for task in pending_tasks(session) if task.where == QUESTION]) == 1
        await press(pilot, "c")
        assert "The same holds for Austria-Hungary." in app.screen.title_text
        await press(pilot, "enter")
        assert not open_dummy_calls(session)


async def test_only_the_power_that_a_treaty_calls_is_asked(home):
    treaty = {**HIDDEN["treaties"][0], "clauses": [{"kind": "defensive"}]}
    parties = ["austria_hungary", "japan"]
    position = {**HIDDEN, "treaties": [{**treaty, "parties": parties, "signed": parties, "drafter": "japan"}]}
    app = begun(home, position, curtain=False)
    async with app.run_test(size=(80, 24)) as pilot:
        session = game(app).session
        session.take_seat("russia")
        session.act_text("declare war japan")
        session.take_seat("germany")
        await pilot.pause()
        assert len(open_dummy_calls(session)) == 1, "Germany has nothing to decide"
        assert [t.text.split(":")[0] for t in pending_tasks(session) if t.where == QUESTION] == ["Austria-Hungary"]
        await press(pilot, "c")
        assert isinstance(app.screen, WarQuestionScreen)
        await press(pilot, "down", "enter", "y")
        assert not [c for c in session.live.choices if c.seat == "germany"]
