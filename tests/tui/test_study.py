"""The study screen by keys: notes, drawings, branches and the tree."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input, TextArea

from paxtui.engine.seating import SeatOccupant
from paxtui.studies.editing import LogRef
from paxtui.studies.study import load_study, study_path
from paxtui.tui.app import PaxApp
from paxtui.tui.base.dialogs import PickDialog, TextDialog
from paxtui.tui.base.settings import Settings
from paxtui.tui.diplomacy.treaties import TreatyScreen
from paxtui.tui.game.replay import ReplayScreen
from paxtui.tui.panes.status_lines import key_line
from paxtui.tui.start_screens.start import StartScreen
from paxtui.tui.study.screen import BranchGame, CommentDialog, StudyScreen, study_screen
from paxtui.tui.study.tree import TreeScreen
from tests.places import GOLDEN, SAVES
from tests.sharing.pages import new_host
from tests.tui.playing import drawn_text, keys_of, notices, press, rows
from tests.waiting import until

BOTH_SIZES = pytest.mark.parametrize("size", [(160, 50), (80, 24)], ids=str)


@pytest.fixture
def log(home: Path) -> Path:
    """A finished game."""
    path = home / "saves" / "game.jsonl"
    path.parent.mkdir(exist_ok=True)
    shutil.copy(GOLDEN, path)
    return path


def study(log: Path, place: int = 30) -> PaxApp:
    """Start the program at a study."""
    return PaxApp(only=lambda: study_screen(log, place=place), settings=Settings(rivals="easy"))


async def move_cursor(pilot: Any, place: str) -> None:
    """Move the cursor to a place."""
    await press(pilot, "slash", [*keys_of(place), "enter"])


async def write_comment(pilot: Any, text: str) -> None:
    """Write a comment."""
    await press(pilot, "k")
    assert isinstance(pilot.app.screen, CommentDialog)
    pilot.app.screen.query_one(TextArea).insert(text)
    await press(pilot, "f10")


async def back_to_study(pilot: Any) -> None:
    """Close reports and leave the branch."""
    for _ in range(20):
        if isinstance(pilot.app.screen, StudyScreen):
            return
        await press(pilot, "escape", "q")
    raise AssertionError(f"the branch is still open: {pilot.app.screen}")


@BOTH_SIZES
async def test_notes_are_written_and_shown_at_their_line(log, size):
    before = log.read_bytes()
    async with study(log).run_test(size=size) as pilot:
        await pilot.pause()
        screen = pilot.app.screen
        assert "STUDY · ALL SECRETS" in drawn_text(pilot.app, "#top") and "comment" in drawn_text(pilot.app, "#keys")
        await write_comment(pilot, "**Why?**\n<b>Egypt</b> is free")
        await press(pilot, "j", "c")
        await move_cursor(pilot, "tunis")
        await press(pilot, "x", "v")
        await move_cursor(pilot, "egypt")
        await press(pilot, "v")
        drawings = screen.view.map.drawings
        assert drawings.arrows == (("tunis", "egypt"),) and drawings.highlights == ("tunis",)
        assert screen.view.map.scene.arrows and screen.view.map.scene.marks["tunis"].highlight
        if size[0] == 160:
            assert "**Why?**" in drawn_text(pilot.app, "#now") and "<b>Egypt</b> is free" in drawn_text(
                pilot.app, "#now"
            )
            assert "x blunder" in drawn_text(pilot.app, "#now") and "x 30" in drawn_text(pilot.app, "#pane")
        else:
            assert "x blunder" in drawn_text(pilot.app, "#greeting") and "**Why?**" in drawn_text(
                pilot.app, "#greeting"
            )
        await press(pilot, "right_curly_bracket")
        assert not screen.view.map.drawings.arrows and "x" in drawn_text(pilot.app, "#hint")
        await press(pilot, "n")
        assert "No further note." in notices(pilot.app)
        await press(pilot, "N")
        assert screen.session.line == 30 and screen.view.map.drawings.arrows
        await press(pilot, "k", "enter")
        assert pilot.app.screen.query_one(TextArea).text == "**Why?**\n<b>Egypt</b> is free"
        await press(pilot, "escape", "q")
        assert isinstance(pilot.app.screen, StartScreen)
    kept = load_study(study_path(log)).chapters[0]
    assert kept.comments[0].line == 30 and kept.marks[0].kind == "blunder" and log.read_bytes() == before


@BOTH_SIZES
async def test_branch_is_played_and_compared(log, size):
    async with study(log).run_test(size=size) as pilot:
        await pilot.pause()
        screen = pilot.app.screen
        await press(pilot, "b", "f10")
        assert isinstance(pilot.app.screen, BranchGame)
        game = pilot.app.screen.session
        assert game.seat == screen.session.seat and game.state.turn == screen.session.state.turn
        await until(lambda: not game.bots.is_at_work, pilot=pilot)
        await press(pilot, "H")
        assert "cannot be hosted" in notices(pilot.app) and isinstance(pilot.app.screen, BranchGame)
        await press(pilot, "colon", [*keys_of("ready"), "enter"])
        await until(lambda: not game.bots.is_at_work, pilot=pilot)
        await back_to_study(pilot)
        assert ">" in screen.session.line_signs[30] and screen.session.notes_here.branches
        await press(pilot, "y")
        assert isinstance(pilot.app.screen, TreeScreen)
        assert "from   30" in rows(pilot.app)[1]
        await press(pilot, "m", "down", "equals_sign")
        assert isinstance(pilot.app.screen, TextDialog) and "year" in pilot.app.screen.words()
        await press(pilot, "escape", "r")
        pilot.app.screen.query_one(Input).value = "A better turn"
        await press(pilot, "enter")
        assert "A better turn" in rows(pilot.app)[1]
        await press(pilot, "enter")
        shown_log = pilot.app.screen
        assert isinstance(shown_log, StudyScreen) and shown_log.session.ref.branch
        await press(pilot, "y", "g")
        again = next(screen for screen in pilot.app.screen_stack if isinstance(screen, BranchGame))
        await until(lambda: not again.session.bots.is_at_work, pilot=pilot)
        await press(pilot, *["escape"] * (len(pilot.app.screen_stack) - pilot.app.screen_stack.index(again) - 1))
        await press(pilot, "colon", [*keys_of("proclaim: on we go"), "enter"])
        await back_to_study(pilot)
        assert pilot.app.screen is not shown_log
        assert pilot.app.screen.session.version > shown_log.session.version
        await press(pilot, "m", "y", "home", "enter", "equals_sign")
        assert isinstance(pilot.app.screen, TextDialog)


async def test_positions_of_two_logs_are_compared(home):
    log = Path(shutil.copy(SAVES / "great-war-0.2.0.jsonl", home / "war.jsonl"))
    async with study(log, place=1).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        session = pilot.app.screen.session
        assert "X share" in key_line(session, pilot.app.screen.look, 160, False, lambda id_, key: key).plain
        wars = [n for n in range(1, session.version) if session.view.position(n).wars]
        session.look_at(wars[0])
        await press(pilot, "y", "h", "escape")
        joined = (wars[-1], "Russia joined France.")
        for place, text in ((1, "Ended: "), (wars[0], "No change on the map."), joined):
            session.look_at(wars[0])
            await press(pilot, "m")
            other = session.open_log(LogRef(1))
            other.look_at(place)
            pilot.app.screen.compare_position(other.full_position(), "the other one")
            await pilot.pause()
            assert text in " ".join(pilot.app.screen.words().split()), place
            await press(pilot, "escape")


async def test_study_of_a_running_game_has_the_view_of_the_player(home):
    host, log = new_host(), home / "running.jsonl"
    host.seat({seat: SeatOccupant(by="bot", level="steady") for seat in host.seats if seat != "france"})
    host.save_as(log)
    async with PaxApp(replay=log, settings=Settings()).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await press(pilot, "s", "s", "s")
        assert pilot.app.screen.session.view.viewpoint == "germany"
        await press(pilot, "y")
        screen = pilot.app.screen
        assert isinstance(screen, StudyScreen) and screen.session.viewpoints == ("france",)


@BOTH_SIZES
async def test_treaties_of_a_study_are_only_read(log, size):
    app = study(log, 400)
    async with app.run_test(size=size) as pilot:
        await press(pilot, "t")
        assert isinstance(app.screen, TreatyScreen)
        keys = drawn_text(app, "#treaty-box .note")
        assert "nothing can be drafted or signed here" in keys and "proposal" not in keys
        await press(pilot, "n", "p", "a", "s", "enter")
        assert isinstance(app.screen, TreatyScreen) and not notices(app)
        await press(pilot, "escape")
        assert isinstance(app.screen, StudyScreen)


async def test_tree_is_changed_by_keys(log):
    async with study(log).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        session = pilot.app.screen.session
        for line in (30, 31):
            session.look_at(line)
            await press(pilot, "b", "f10", "q")
            assert isinstance(pilot.app.screen, StudyScreen)
        await press(pilot, "y", "end", "p")
        assert "from   31" in rows(pilot.app)[1]
        await press(pilot, "p")
        assert session.book.study.chapters[1].branches == () and session.ref == LogRef(0)
        await press(pilot, "home", "down", "x", "home", "enter")
        assert len(rows(pilot.app)) == 2
        await press(pilot, "u")
        assert "from   30" in rows(pilot.app)[1]
        await press(pilot, "home", "x")
        assert "Show another one first" in notices(pilot.app)
        await press(pilot, "h")
        assert "from   31" in rows(pilot.app)[-1] and session.book.study.chapters[-1].at == 31
        await press(pilot, "a")
        pilot.app.screen.query_one(Input).value = str(log)
        await press(pilot, "enter")
        assert len(session.book.study.chapters) == 4


async def test_start_screen_and_replay_open_studies(log):
    async with PaxApp(settings=Settings()).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert isinstance(pilot.app.screen, StartScreen)
        await press(pilot, "v")
        replay = pilot.app.screen
        assert isinstance(replay, ReplayScreen) and not isinstance(replay, StudyScreen)
        replay.session.look_at(40)
        await press(pilot, "y")
        screen = pilot.app.screen
        assert isinstance(screen, StudyScreen) and screen.session.view.viewpoint == replay.session.view.viewpoint
        assert screen.session.line == 40
        await press(pilot, "q", "y")
        assert isinstance(pilot.app.screen, StudyScreen)


async def test_damaged_study_is_reported_and_kept(log):
    study_path(log).write_bytes(b"{ this is not mine")
    async with PaxApp(settings=Settings()).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await press(pilot, "y")
        assert isinstance(pilot.app.screen, StartScreen) and "is damaged" in notices(pilot.app)
    assert study_path(log).read_bytes() == b"{ this is not mine"


async def test_study_of_an_unfinished_game_asks_for_a_seat(log):
    log.write_bytes(b"".join(GOLDEN.read_bytes().splitlines(keepends=True)[:60]))
    async with PaxApp(settings=Settings()).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await press(pilot, "y")
        assert isinstance(pilot.app.screen, PickDialog)
        await press(pilot, "down", "enter")
        assert "STUDY · FRANCE" in drawn_text(pilot.app, "#top")
        await press(pilot, "s")
        assert "STUDY · FRANCE" in drawn_text(pilot.app, "#top")
