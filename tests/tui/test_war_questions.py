"""Questions of War: their texts, the consequences of each answer, the map before and after."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from paxtui.games.pax.reports.todo import QUESTION
from paxtui.games.pax.state.questions import Call, Cessions
from paxtui.session.pax_host import PaxHost
from paxtui.session.player_news import open_dummy_calls, pending_tasks
from paxtui.tui.diplomacy.war_questions import WarQuestionScreen
from tests.places import SAVES
from tests.tui.playing import open_log, press, rows, start_at
from tests.tui.seats import game_screen, take_seat
from tests.tui.wars import CALL_FOR_AID, SECRET_TREATY

LARGE_AND_SMALL = pytest.mark.parametrize("size", [(160, 50), (80, 24)], ids=["160x50", "80x24"])


def log_up_to_question(home: Path, name: str, kind: type) -> Path:
    """Copy a saved game up to the line that asks a question of a kind."""
    path = home / "kept.jsonl"
    shutil.copy(SAVES / f"{name}.jsonl", path)
    with PaxHost.open(path, write=False) as table:
        line = next(
            n for n in range(1, table.version + 1) if any(isinstance(c.about, kind) for c in table.game.seek(n).choices)
        )
    text = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(text[:line]))
    return path


async def open_question(pilot, seat: str) -> WarQuestionScreen:
    """Change to a seat and open its question."""
    await take_seat(pilot, seat)
    await press(pilot, "c")
    screen = pilot.app.screen
    assert isinstance(screen, WarQuestionScreen), screen
    return screen


async def open_call_for_aid(pilot) -> WarQuestionScreen:
    """Let Germany declare War on Russia; open the question to France."""
    await take_seat(pilot, "germany")
    game_screen(pilot.app).act_text("declare war russia")
    await pilot.pause()
    if game_screen(pilot.app) is not pilot.app.screen:
        await press(pilot, "y")
    return await open_question(pilot, "france")


@LARGE_AND_SMALL
async def test_call_for_aid_shows_consequences(home, size):
    app = start_at(home, CALL_FOR_AID, curtain=False)
    async with app.run_test(size=size) as pilot:
        screen = await open_call_for_aid(pilot)
        assert "Kronstadt calls France to help Russia" in screen.words().replace("\n", " ")
        assert rows(app)[0].startswith("Declare War on Germany") and "tension" in rows(app)[0]
        await press(pilot, "down")
        assert "France would break 'Kronstadt'" in screen.words().replace("\n", " ").replace("  ", " ")
        await press(pilot, "enter", "y")  # breaking a Treaty asks for confirmation
        assert not any(isinstance(c.about, Call) for c in game_screen(app).session.live.choices)
        assert not any(w.side_of("france") for w in game_screen(app).session.live.wars)


async def test_list_of_cessions_shows_map_before_and_after(home):
    app = open_log(home, log_up_to_question(home, "rebellion-won-0.2.0", Cessions), curtain=False)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await open_question(pilot, "britain")
        assert rows(app) == ["Sign the list", "Reject the list: nothing is ceded"]
        assert screen.rows.highlighted == 1, "the default answer is selected"
        await press(pilot, "up")
        assert "Only if" in screen.words() and "Resentment" in screen.words()
        await press(pilot, "tab")
        assert screen.map.display and "After the change" in str(screen.map.border_title)
        await press(pilot, "tab", "tab", "escape")
        assert app.screen is game_screen(app), "the question stays open"


@LARGE_AND_SMALL
@pytest.mark.parametrize("which", ["call", "cessions"])
def test_war_question_look(home, compare_screen, size, which):
    if which == "call":
        app = start_at(home, CALL_FOR_AID, curtain=False)
    else:
        app = open_log(home, log_up_to_question(home, "rebellion-won-0.2.0", Cessions), curtain=False)

    async def before(pilot) -> None:
        if which == "call":
            await open_call_for_aid(pilot)
        else:
            await open_question(pilot, "britain")
            await press(pilot, "up")

    assert compare_screen(app, terminal_size=size, run_before=before)


async def test_long_question_scrolls(home):
    app = open_log(home, log_up_to_question(home, "rebellion-won-0.2.0", Cessions), curtain=False)
    async with app.run_test(size=(80, 15)) as pilot:
        screen = await open_question(pilot, "britain")
        await press(pilot, "up")
        room = screen.query_one("#beside-room")
        await press(pilot, "pagedown")
        assert room.scroll_y > 0 and screen.rows.highlighted == 0
        await press(pilot, "pageup")
        assert room.scroll_y == 0


@LARGE_AND_SMALL
async def test_powers_of_one_seat_pass_together(home, size):
    app = start_at(home, SECRET_TREATY, curtain=False)
    async with app.run_test(size=size) as pilot:
        session = game_screen(app).session
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


async def test_only_the_power_called_by_a_treaty_is_asked(home):
    treaty = {**SECRET_TREATY["treaties"][0], "clauses": [{"kind": "defensive"}]}
    parties = ["austria_hungary", "japan"]
    position = {**SECRET_TREATY, "treaties": [{**treaty, "parties": parties, "signed": parties, "drafter": "japan"}]}
    app = start_at(home, position, curtain=False)
    async with app.run_test(size=(80, 24)) as pilot:
        session = game_screen(app).session
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
