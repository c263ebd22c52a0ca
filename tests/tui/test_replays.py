"""Replays: read-only logs with viewpoints, chapters, speed and notes."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from textual.widgets import Input

from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.games.pax.position.setup import seats_for
from paxtui.session.pax_host import PaxHost
from paxtui.session.replay import ReplaySession
from paxtui.session.session import AssignSeats
from paxtui.session.tables.loader import load_tables
from paxtui.tui.app import PaxApp
from paxtui.tui.base.dialogs import PickDialog
from paxtui.tui.base.settings import Settings
from paxtui.tui.formatting.timeline import chapters
from paxtui.tui.game.replay import ReplayScreen
from tests.places import GOLDEN
from tests.tui.playing import NEGOTIATION, drawn_text, keys_of, notices, press, rows
from tests.waiting import until


def replay(path: Path, **settings: object) -> PaxApp:
    """Start the program at a replay."""
    return PaxApp(replay=path, settings=Settings(**settings))  # type: ignore[arg-type]


@pytest.fixture
def golden_log(home: Path) -> Path:
    """A finished game in another folder."""
    folder = home / "theirs"
    folder.mkdir()
    path = folder / "game.jsonl"
    shutil.copy(GOLDEN, path)
    return path


@pytest.fixture
def secret_log(home: Path) -> Path:
    """A running game with a draft between Italy and Britain."""
    path = home / "game.jsonl"
    with PaxHost.new(load_tables(), seats_for(7), "7", {}, path=path, undo="free", clock=lambda: "") as table:
        table.act("arbiter", {"type": "set_position", "patch": NEGOTIATION})
    return path


# The session


def test_replay_writes_nothing_and_takes_no_lock(golden_log):
    before = golden_log.read_bytes()
    with PaxHost.open(golden_log):  # another program plays it
        session = ReplaySession(golden_log)
        assert (session.line, session.at, session.view.viewpoint) == (1, 1, SPECTATOR)
        for act in (
            lambda: session.act_text("ready"), session.advance, session.undo, session.redo,
            lambda: session.act_text("proclaim: hail"), lambda: session.perform(AssignSeats({})),
        ):  # fmt: skip
            with pytest.raises(Refusal) as refused:
                act()
            assert refused.value.code == "replay"
        session.close()
    assert golden_log.read_bytes() == before and [path.name for path in golden_log.parent.iterdir()] == ["game.jsonl"]


def test_bots_do_not_move_in_a_replay(home):
    from paxtui.engine.seating import SeatOccupant

    path = home / "game.jsonl"
    with PaxHost.new(load_tables(), seats_for(4), "7", {}, path=path, undo="free") as table:
        table.advance()
        table.seat({"france": SeatOccupant(by="bot", level="steady")})
    assert ReplaySession(path).version == 3


def test_replay_shows_only_what_the_viewpoint_may_know(secret_log):
    session = ReplaySession(secret_log)
    session.look_at(None)

    def drafts() -> list[str]:
        return [treaty.name for treaty in session.state.treaties if not treaty.public]

    assert drafts() == [] and ARBITER not in session.viewpoints
    session.set_viewpoint("italy")
    assert drafts() == ["Lisbon"] and session.seat == "italy"
    session.take_seat("france")
    assert drafts() == [] and session.view.viewpoint == "france"
    with pytest.raises(Refusal):
        session.set_viewpoint(ARBITER)


def test_finished_game_can_be_seen_with_all_secrets(golden_log):
    session = ReplaySession(golden_log)
    assert session.viewpoints == (SPECTATOR, *session.live.players, ARBITER)
    session.look_at(300)
    place = session.view.place_of(300)
    session.set_viewpoint(ARBITER)
    assert session.line == place and session.read_only_label == "replay · all secrets"


def test_chapters_are_turns_congresses_and_the_end(golden_log):
    found = chapters(ReplaySession(golden_log))
    titles = [chapter.title for chapter in found]
    assert "1884, Game Turn 2" in titles and titles[-1] == "The end of the game"
    assert len([title for title in titles if "Game Turn" in title]) >= 9
    assert [chapter.line for chapter in found] == sorted(chapter.line for chapter in found)
    everything = [type(event).__name__ for line in ReplaySession(golden_log).view.seen_lines() for event in line.events]
    assert any("Congress of Europe" in title for title in titles) == ("CongressChanged" in everything)


def test_notes_are_saved_next_to_the_log(golden_log, monkeypatch):
    before = golden_log.read_bytes()
    session = ReplaySession(golden_log)
    session.look_at(20)
    kept = session.save_note("Here it began")
    assert kept == golden_log.with_name("game.notes.json") and golden_log.read_bytes() == before
    again = ReplaySession(golden_log)
    again.look_at(20)
    assert again.note_at_line() == "Here it began"
    again.save_note("")
    assert ReplaySession(golden_log).notes == {}


def test_notes_on_a_read_only_log_are_saved_in_the_home(golden_log, home, monkeypatch):
    monkeypatch.setattr("os.access", lambda path, mode: Path(path) != golden_log.parent)
    session = ReplaySession(golden_log)
    kept = session.save_note("Mine")
    assert home in kept.parents and golden_log.parent not in kept.parents
    assert ReplaySession(golden_log).note_at_line() == "Mine"


# The screen


@pytest.mark.parametrize("size", [(80, 24), (160, 50)], ids=str)
async def test_top_line_names_replay_and_viewpoint(golden_log, size):
    async with replay(golden_log).run_test(size=size) as pilot:
        await pilot.pause()
        assert isinstance(pilot.app.screen, ReplayScreen) and pilot.app.screen.session.line == 1
        assert "REPLAY · THE PUBLIC" in drawn_text(pilot.app, "#top")
        await press(pilot, "s")
        assert "REPLAY · GREAT BRITAIN" in drawn_text(pilot.app, "#top")
        await press(pilot, "S", "S")
        assert "REPLAY · ALL SECRETS" in drawn_text(pilot.app, "#top")
        assert "chapters" in drawn_text(pilot.app, "#keys") and "saved" not in drawn_text(pilot.app, "#keys")


async def test_keys_do_not_change_a_replay(golden_log):
    before = golden_log.read_bytes()
    async with replay(golden_log).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        for keys in (["r"], ["R"], ["u"], ["ctrl+r"], ["U"], ["W"], ["colon", *keys_of("ready"), "enter"]):
            pilot.app.clear_notifications()
            await press(pilot, *keys)
            assert "This is a replay" in notices(pilot.app), keys
            assert isinstance(pilot.app.screen, ReplayScreen)
        await press(pilot, "end", "r", "q")
    assert golden_log.read_bytes() == before
    assert not list((golden_log.parent).glob("*.notes.json"))


async def test_playback_stops_at_the_next_chapter(golden_log):
    async with replay(golden_log, speed=16).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        screen = pilot.app.screen
        first = screen.chapters()[0]
        screen.session.look_at(first.line - 2)
        await press(pilot, "p")
        await until(lambda: not screen.history.is_playing, pilot=pilot)
        assert screen.session.line == first.line and f"{first.title.strip()}. p plays on." in notices(pilot.app)
        await press(pilot, "minus")
        assert pilot.app.settings.speed == 8
        await press(pilot, "plus", "plus")
        assert pilot.app.settings.speed == 16


async def test_chapter_list_jumps_to_chapters_and_notes(golden_log):
    async with replay(golden_log).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        session = pilot.app.screen.session
        session.look_at(30)
        await press(pilot, "N")
        pilot.app.screen.query_one(Input).value = "Watch Egypt"
        await press(pilot, "enter", "home", "c")
        assert isinstance(pilot.app.screen, PickDialog)
        lines = rows(pilot.app)
        note = next(n for n, line in enumerate(lines) if "Note: Watch Egypt" in line)
        await press(pilot, *["down"] * note, "enter")
        assert session.line == 30 and "Watch Egypt" in notices(pilot.app)
        await press(pilot, "c")
        await press(pilot, "end", "enter")
        assert session.state.result is not None


async def test_start_screen_opens_replays_of_any_log(golden_log, home):
    (home / "saves").mkdir()
    shutil.copy(GOLDEN, home / "saves" / "mine.jsonl")
    async with PaxApp(settings=Settings()).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await press(pilot, "v")
        assert isinstance(pilot.app.screen, ReplayScreen)
        await press(pilot, "q", "o")
        pilot.app.screen.query_one(Input).value = "/nonexistent"
        await press(pilot, "enter")
        assert "There is no file /nonexistent." in drawn_text(pilot.app, "#ask-wrong")
        pilot.app.screen.query_one(Input).value = "~nosuchuser/game.jsonl"
        await press(pilot, "enter")
        assert "~nosuchuser is not a home directory" in drawn_text(pilot.app, "#ask-wrong")
        pilot.app.screen.query_one(Input).value = "x" * 300
        await press(pilot, "enter")
        assert "is too long for a file" in drawn_text(pilot.app, "#ask-wrong")
        pilot.app.screen.query_one(Input).value = str(golden_log)
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, ReplayScreen)
