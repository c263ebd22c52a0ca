"""The start screen with saved games, new games, and the assignment of seats."""

from __future__ import annotations

import os
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from textual.widgets import Input, OptionList

from paxtui.engine.seating import PERSON, SeatOccupant
from paxtui.games.pax.position.setup import seats_for
from paxtui.session.local_session import LocalSession
from paxtui.session.pax_host import PaxHost
from paxtui.session.storage.saved_games import TRASH, list_games, read_progress, sort_latest_first
from paxtui.session.tables.loader import load_tables
from paxtui.tui.app import PaxApp
from paxtui.tui.base.settings import Settings
from paxtui.tui.dialogs.seats import RIVAL, SeatsDialog
from paxtui.tui.game.screen import GameScreen
from paxtui.tui.start_screens.start import StartScreen
from tests.places import GOLDEN
from tests.tui.playing import QUIET, SIZES, drawn_text, keys_of, notices, press, rows

STEADY = SeatOccupant(by="bot", level="steady")


def start_app(**settings: object) -> PaxApp:
    """Start the program at its start screen."""
    return PaxApp(settings=Settings(**{**QUIET, **settings}))  # type: ignore[arg-type]


def save_game(
    home: Path, name: str, days: int = 0, players: int = 4, occupants: dict[str, SeatOccupant] | None = None
) -> Path:
    """Save a game that began some days ago."""
    path = home / "saves" / f"{name}.jsonl"
    then = (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="seconds")
    with PaxHost.new(load_tables(), seats_for(players), "3", {}, path=path, undo="free", clock=lambda: then) as table:
        if occupants:
            table.seat(occupants)
    return path


def highlight(pilot, line: str) -> None:
    """Highlight a line of the list."""
    options = pilot.app.screen.query_one(OptionList)
    options.highlighted = options.get_option_index(line)


def listed_games(app: PaxApp) -> list[str]:
    """Return the names of the games on the start screen."""
    options = app.screen.query_one(OptionList).options
    return [str(option.prompt)[:27].strip() for option in options if (option.id or "").startswith("game")]


# Saved games


async def test_games_are_sorted_by_time_with_year_and_seats(home):
    save_game(home, "aaa", days=3)
    save_game(home, "zzz", occupants={"france": STEADY})
    shutil.copy(GOLDEN, home / "saves" / "finished.jsonl")
    os.utime(home / "saves" / "finished.jsonl", (1, 1))
    (home / "saves" / "broken.jsonl").write_text("no log at all\n")
    async with start_app().run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert listed_games(pilot.app) == ["zzz", "aaa", "finished", "broken"]
        lines = rows(pilot.app)[12:]
        assert "1880  GB FR DE US" in lines[0] and "today" in lines[0]
        assert "1916  GB FR DE US JP RU IT" in lines[2]
        assert pilot.app.screen.query_one(OptionList).highlighted_option.id == "game0"
        assert "France: steady bot" in drawn_text(pilot.app, "#about").replace("\n", " ")
        highlight(pilot, "game2")
        await pilot.pause()
        assert "It is over: " in drawn_text(pilot.app, "#about")


def test_progress_of_a_game_ignores_undone_acts(home):
    path = home / "saves" / "game.jsonl"
    with PaxHost.new(load_tables(), seats_for(4), "3", {}, path=path, undo="free") as table:
        session = LocalSession(table)
        session.advance()
        table.seat({"germany": STEADY})
        table.act("arbiter", "step")
        table.act("arbiter", "step")
        while table.state.turn == 1:
            table.act("arbiter", "step")
        table.act("arbiter", "step")
        there = read_progress(list_games(path.parent)[0])
        assert (there.turn, there.year, there.phase) == (2, 1884, table.state.phase)
        assert there.occupants == {"germany": STEADY} and there.winners == ()
        table.undo("arbiter", 2)
        back = read_progress(list_games(path.parent)[0])
        assert (back.turn, back.year, back.phase) == (1, 1880, table.state.phase)
        assert back.occupants == {"germany": STEADY}


def test_finished_game_names_its_winner(home):
    (home / "saves").mkdir()
    shutil.copy(GOLDEN, home / "saves" / "game.jsonl")
    with PaxHost.open(GOLDEN, write=False) as table:
        first = tuple(seat for seat, rank in table.state.result.ranks.items() if rank == 1)
    assert read_progress(list_games(home / "saves")[0]).winners == first


async def test_renaming_overwrites_no_game(home):
    save_game(home, "old", days=1)
    save_game(home, "other", days=2)
    (home / "saves" / "old.notes.json").write_text('{"game": "x"}')
    (home / "saves" / "old.ahead.json").write_text('{"game": "x"}')
    async with start_app().run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await press(pilot, "e")
        pilot.app.screen.query_one(Input).value = ""
        await press(pilot, *keys_of("a/b"), "enter")
        assert "A name has" in drawn_text(pilot.app, "#ask-wrong")
        pilot.app.screen.query_one(Input).value = "other"
        await press(pilot, "enter")
        assert "There is a game called other already." in notices(pilot.app)
        await press(pilot, "e")
        pilot.app.screen.query_one(Input).value = ""
        await press(pilot, *keys_of("Friday evening"), "enter")
        assert listed_games(pilot.app) == ["Friday evening", "other"]
    assert sorted(path.name for path in (home / "saves").iterdir()) == [
        "Friday evening.ahead.json", "Friday evening.jsonl", "Friday evening.notes.json", "other.jsonl"
    ]  # fmt: skip


async def test_game_is_trashed_and_restored(home):
    first = save_game(home, "game").read_bytes()
    (home / "saves" / TRASH).mkdir()
    (home / "saves" / TRASH / "game.jsonl").write_bytes(b"thrown away before\n")
    async with start_app().run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await press(pilot, "x")
        assert listed_games(pilot.app) == [] and "'game' is in the trash. u restores it." in notices(pilot.app)
        assert (home / "saves" / TRASH / "game.jsonl").read_bytes() == b"thrown away before\n"
        assert (home / "saves" / TRASH / "game 2.jsonl").read_bytes() == first
        await press(pilot, "u")
        assert listed_games(pilot.app) == ["game"]
    assert (home / "saves" / "game.jsonl").read_bytes() == first


async def test_game_open_elsewhere_is_not_moved(home):
    path = save_game(home, "game")
    with PaxHost.open(path):
        async with start_app().run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            await press(pilot, "x")
            assert listed_games(pilot.app) == ["game"] and "open in another program" in notices(pilot.app)


async def test_thirty_games_can_be_reached_at_80_by_24(home):
    for n in range(30):
        save_game(home, f"game {n:02}", days=n)
    async with start_app().run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        options = pilot.app.screen.query_one(OptionList)
        assert options.region.bottom <= 24 and options.max_scroll_y > 0
        await press(pilot, *["down"] * 29)
        assert "game 29" in drawn_text(pilot.app, "#games")
        await press(pilot, "home")
        for word in ("New game", "Tutorial", "Rules", "Quit"):
            assert word in drawn_text(pilot.app, "#games")


def test_last_game_is_the_one_played_last(home):
    save_game(home, "b", days=1)
    save_game(home, "a", days=2)
    (home / "saves" / "c.jsonl").write_text("no log\n")
    assert [game.path.stem for game in sort_latest_first(list_games(home / "saves"))] == ["b", "a", "c"]


# A new game


async def test_new_game_has_the_chosen_name_and_seats(home):
    async with start_app().run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await press(pilot, "n")
        highlight(pilot, "name")
        await press(pilot, "enter")
        pilot.app.screen.query_one(Input).value = ""
        await press(pilot, *keys_of("Friday evening"), "enter")
        await press(pilot, "minus", "minus", "minus")
        highlight(pilot, "seat:france")
        await press(pilot, "l", "enter", "l", "t", "s")
        highlight(pilot, "seat:germany")
        await press(pilot, "left", "l")
        lines = [line.split() for line in rows(pilot.app)]
        assert ["France", "cautious", "statesman", "(hard)", "*"] in lines and ["Germany", "a", "person"] in lines
        await press(pilot, "left")
        highlight(pilot, "seat:united_states")
        await press(pilot, "right", "right", "right", "right")
        await press(pilot, "f10")
        session = pilot.app.screen.session
        assert session.live.players == seats_for(4) and session.file.path.name == "Friday evening.jsonl"
        hard = SeatOccupant(by="bot", level="hard", temper="cautious")
        found = [session.seats.occupant(seat) for seat in seats_for(4)]
        assert found == [PERSON, hard, SeatOccupant(by="nobody"), PERSON]
        assert session.seats.here() == ("britain", "united_states")
        await press(pilot, "q", "n", "f10")
        assert isinstance(pilot.app.screen, GameScreen)
    assert len(list((home / "saves").glob("*.jsonl"))) == 2


async def test_game_needs_an_occupied_seat(home):
    async with start_app().run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await press(pilot, "n", "minus", "minus", "minus")
        for seat in seats_for(4):
            highlight(pilot, f"seat:{seat}")
            await press(pilot, "left")
        await press(pilot, "f10")
        assert "No seat has a player" in notices(pilot.app) and not (home / "saves").exists()
        for seat in seats_for(4):
            highlight(pilot, f"seat:{seat}")
            await press(pilot, "left")
        await press(pilot, "f10")
        session = pilot.app.screen.session
        assert session.seats.here() == () and {session.seats.occupant(s).level for s in seats_for(4)} == {"caretaker"}


async def test_playing_alone_asks_only_for_the_power(home):
    async with start_app().run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await press(pilot, "a", "b", "enter")  # the Power, and once the level
        session = pilot.app.screen.session
        assert session.seat == "france" and session.seats.here() == ("france",)
        assert session.file.path.name == "Alone as France.jsonl"
        await pilot.pause()
        assert session.live.phase == "movement" and session.waiting() == ("france",)
        await press(pilot, "q")
        titles = [str(option.prompt) for option in pilot.app.screen.query_one(OptionList).options]
        assert "Play alone, with normal bots at the other seats" in titles
        await press(pilot, "enter")
        assert pilot.app.screen.session.seats.here() == ("france",)


@SIZES
async def test_new_game_explains_every_line(home, size):
    async with start_app().run_test(size=size) as pilot:
        await pilot.pause()
        await press(pilot, "n")
        options = pilot.app.screen.query_one(OptionList)
        for page in ("seats", "rules"):
            if page == "rules":
                options.highlighted = options.get_option_index("rules")
                await press(pilot, "enter")
            for n, option in enumerate(options.options):
                options.highlighted = n
                await pilot.pause()
                assert str(option.prompt).rstrip()[:40] in drawn_text(pilot.app, "#options")
                assert drawn_text(pilot.app, "#option-help").strip()
            box = pilot.app.screen.query_one("#new-box").region
            assert pilot.app.screen.query_one("#new-keys").region.bottom < box.bottom <= size[1]


# Seats


async def test_bot_takes_a_seat_and_returns_it(home):
    path = save_game(home, "game")
    async with PaxApp(path=path, settings=Settings(**QUIET)).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        session = pilot.app.screen.session
        await press(pilot, "r", "W")
        assert isinstance(pilot.app.screen, SeatsDialog)
        await press(pilot, "down", "enter", "escape")
        assert session.seats.occupant("france") == PERSON, "leaving changes nothing"
        await press(pilot, "W", "down", "enter", "f10")
        assert session.seats.occupant("france") == RIVAL and "france" not in session.waiting()
        await press(pilot, "s")
        assert session.seat == "germany"
        await press(pilot, "W", "down", "left", "f10")
        assert session.seats.occupant("france") == PERSON and "france" in session.waiting()


@pytest.mark.parametrize("keys", [("colon", *keys_of("seat france"), "enter")])
async def test_bot_seats_are_skipped_at_the_keyboard(home, keys):
    path = save_game(home, "game", occupants={"france": STEADY})
    async with PaxApp(path=path, settings=Settings(**QUIET)).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await press(pilot, *keys)
        assert pilot.app.screen.session.seat == "britain"
        assert "France: steady bot. The program moves for it." in notices(pilot.app)


async def test_start_screen_comes_first(home):
    async with start_app().run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert isinstance(pilot.app.screen, StartScreen)


async def test_highlighted_game_is_visible_on_a_small_screen(home):
    save_game(home, "game")
    async with start_app().run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "game " in drawn_text(pilot.app, "#games")
        await press(pilot, "enter")
        assert not isinstance(pilot.app.screen, StartScreen)
        await press(pilot, "q")
        await pilot.pause()
        assert isinstance(pilot.app.screen, StartScreen) and "game " in drawn_text(pilot.app, "#games")
