"""Bots move while the screen stays responsive; keys keep their order, and searches can be stopped."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec import structs
from rich.text import Text
from textual.events import Key
from textual.widgets import Static

from paxtui.bots.pax.registry import PaxBots
from paxtui.engine.bots import BotRequest
from paxtui.engine.seating import BEFORE_PERSONS, SeatOccupant
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.position.setup import seats_for
from paxtui.session.bot_runner import CompletedStep
from paxtui.session.game_host import empty_clock
from paxtui.session.local_session import LocalSession
from paxtui.session.pax_host import PaxHost
from paxtui.session.player_news import pending_tasks
from paxtui.tui.app import PaxApp
from paxtui.tui.base.settings import Settings
from paxtui.tui.dialogs.reports import ReportScreen
from paxtui.tui.game.bots import bot_activity
from paxtui.tui.game.screen import GameScreen
from paxtui.tui.start_screens.start import StartScreen
from tests.rules.harness import start, tables
from tests.tui.playing import NEGOTIATION, QUIET, burst, drawn_text, notices, order, press, rows, wait_for_keys
from tests.tui.slow_bots import FOUR, SlowBots, start_with_slow_bots
from tests.waiting import until


async def test_view_keys_work_and_orders_wait_while_a_bot_thinks(home: Path) -> None:
    app = start_with_slow_bots(home, bots="at once")
    async with app.run_test(size=(160, 50)) as pilot:
        await burst(pilot, "r")
        session = app.screen.session
        await until(lambda: "considers its moves" in drawn_text(app, "#keys"), pilot=pilot)
        await burst(pilot, "z")
        assert app.screen.view.map.zoom == "theatre"
        for key in ("colon", *("space" if c == " " else c for c in "place interest siam"), "enter", "z"):
            app.post_message(Key(key, " " if key == "space" else key if len(key) == 1 else None))
        await pilot.pause()
        assert not app.screen.view.line.display and app.screen.view.map.zoom == "theatre", "all keys wait"
        app.thinker.may_end.set()
        await wait_for_keys(pilot)
        assert not session.bots.is_at_work
        placed = [m.power for m in session.live.areas["siam"].markers]
        assert "britain" in placed and app.screen.view.cards, "all keys have been handled in order"
        moved = {line.seat for line, _ in session.view.in_force()}
        assert moved == {ARBITER, *FOUR}


async def test_orders_do_not_wait_for_bots_in_simultaneous_movement(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PaxBots, "instant", ())
    app = start_with_slow_bots(home, bots="at once", bot_order="with you")
    async with app.run_test(size=(160, 50)) as pilot:
        await burst(pilot, "r")
        session = app.screen.session
        await until(lambda: "considers its moves" in drawn_text(app, "#keys"), pilot=pilot)
        for key in ("colon", *("space" if c == " " else c for c in "place interest siam"), "enter"):
            app.post_message(Key(key, " " if key == "space" else key if len(key) == 1 else None))
        await until(lambda: [m.power for m in session.live.areas["siam"].markers] == ["britain"], pilot=pilot)
        assert session.bots.is_at_work and {line.seat for line, _ in session.view.in_force()} == {ARBITER, "britain"}
        app.thinker.may_end.set()
        await until(lambda: not session.bots.is_at_work, pilot=pilot)
        acts = [line.seat for line, _ in session.view.in_force() if line.seat in FOUR[1:]]
        assert set(acts) == set(FOUR[1:]) and len(acts) <= 2 * len(FOUR[1:])
        await burst(pilot, "u")
        await until(lambda: bool(app._notifications), pilot=pilot)
        text = [notice.message for notice in app._notifications][-1]
        assert text.startswith(f"{len(acts)} later acts of ") and text.endswith("are undone too. They decide again.")


async def test_each_bot_move_is_reported_and_found_on_the_map(home: Path) -> None:
    app = start_with_slow_bots(home, bots="a key each")
    async with app.run_test(size=(160, 50)) as pilot:
        app.thinker.may_end.set()
        await burst(pilot, "r")
        screen, session = app.screen, app.screen.session
        await until(lambda: screen.view.greeting.display, pilot=pilot)
        first = session.version
        assert "space next" in drawn_text(app, "#keys")
        await burst(pilot, "o")
        place = screen.view.map.cursor
        assert session.view.log()[-1].place == place or any(e.place == place for e in session.view.log()[-3:])
        await burst(pilot, "space")
        await until(lambda: session.version > first, pilot=pilot)
        before = screen.view.greeting.text.plain
        await burst(pilot, "b")
        await until(lambda: not session.bots.is_at_work, pilot=pilot)
        assert not screen.view.greeting.display and before
        await burst(pilot, "o")
        last = screen.view.greeting.text.plain
        await burst(pilot, "o")
        assert screen.view.greeting.text.plain != last
        await burst(pilot, "O")
        assert screen.view.greeting.text.plain == last


async def test_acts_of_rivals_are_listed_and_skipped_ones_reported(home: Path) -> None:
    app = start_with_slow_bots(home, bots="1 s", bot_order="with you")
    async with app.run_test(size=(120, 40)) as pilot:
        screen = app.screen
        session = screen.session
        app.thinker.may_end.set()
        await burst(pilot, "L")
        assert "No rival has acted" in notices(app)
        await burst(pilot, "r")
        await until(lambda: isinstance(session.bots.current, CompletedStep), pilot=pilot)
        await burst(pilot, "b")
        await until(lambda: not session.bots.is_at_work, pilot=pilot)
        acts = [entry for entry in session.view.log() if entry.seat in FOUR[1:] and entry.place and not entry.quiet]
        assert acts
        await burst(pilot, "L")
        runs = sum(a.text != b.text for a, b in pairwise(acts)) + 1
        assert len(rows(app)) == runs and rows(app)[0].startswith(f"a * {acts[-1].text[:12]}")
        await burst(pilot, "enter")
        assert app.screen is screen and acts[-1].place in ("", screen.view.map.cursor)
        session.act_text(f"place interest {next(entry.place for entry in acts if entry.place)}")
        await wait_for_keys(pilot)
        await until(lambda: not session.bots.is_at_work, pilot=pilot)
        screen.bots._report_hurried(0)
        await wait_for_keys(pilot)
        assert "lists all acts of rivals" in notices(app)


async def test_stopped_search_is_named_in_the_log(home: Path) -> None:
    app = start_with_slow_bots(home, bots="1 s")
    async with app.run_test(size=(120, 40)) as pilot:
        await burst(pilot, "r")
        session = app.screen.session
        app.post_message(Key("u", "u"))
        app.post_message(Key("b", "b"))  # `b` overtakes the waiting key
        await until(lambda: "b stops the search" in drawn_text(app, "#keys"), pilot=pilot)
        assert session.bots.is_at_work and not app.thinker.is_time_short, "the first `b` skips pauses only"
        app.post_message(Key("b", "b"))
        await until(lambda: not session.bots.is_at_work, pilot=pilot)
        assert any("because its search was stopped" in entry.text for entry in session.view.log())


async def test_small_screen_shows_moves_and_keys_whole(home: Path) -> None:
    app = start_with_slow_bots(home, bots="1 s")
    async with app.run_test(size=(80, 24)) as pilot:
        await burst(pilot, "r")
        screen = app.screen
        for cells in range(30, 80):
            line = screen.bots._add_keys(Text("." * cells), ("o", "shows where"), ("L", "lists"))
            assert line.plain.strip(". ") in ("", "o shows where", "L lists", "o shows where  L lists")
            assert len(line.plain.rstrip()) <= 80
        entry = screen.session.view.log()[-1]
        words = "a long story of an army that sails far away and is lost at sea " * 6
        for told, end in ((words[:180], words[:180].split()[-1]), (words, "…")):
            screen.bots.show_move("france", [replace(entry, text=told)])
            await wait_for_keys(pilot)
            shown = drawn_text(app, "#greeting").rstrip()
            assert shown.endswith(end) and all(row.startswith(" ") for row in shown.splitlines())


async def test_report_lists_acts_of_rivals(home: Path) -> None:
    app = start_with_slow_bots(home, bots="at once", reports="all")
    async with app.run_test(size=(120, 40)) as pilot:
        app.thinker.may_end.set()
        await burst(pilot, "r")
        await until(lambda: isinstance(app.screen, ReportScreen), pilot=pilot)
        pages = app.screen._pages
        elsewhere = [line for page in pages for s in page.sections if s.title == "Elsewhere" for line in s.lines]
        assert {"France", "Germany"} <= {line.text.split()[0] for line in elsewhere} and elsewhere[0].place


async def test_game_left_during_bot_moves_continues_the_same(home: Path) -> None:
    app = start_with_slow_bots(home)
    async with app.run_test(size=(120, 40)) as pilot:
        await burst(pilot, "r")
        assert app.screen.session.bots.is_at_work
        await burst(pilot, "q")
        assert type(app.screen).__name__ == "StartScreen"
    with PaxHost.open(home / "game.jsonl") as table:
        session = LocalSession(table, bot_order=BEFORE_PERSONS)
        assert {line.seat for line, _ in session.view.in_force()} > set(FOUR[1:]) and session.waiting() == ("britain",)


def test_footer_names_what_a_bot_considers() -> None:
    bench = start({"phase": "negotiation"})
    asked = BotRequest("statesman", "france", "1", bench.state)
    texts = {what: bot_activity(structs.replace(asked, what=what)) for what in ("move", "replies", "last word")}
    assert texts == {"move": "its moves", "replies": "its answer", "last word": "its last moves"}


async def test_answers_to_offers_and_dispatches_are_shown_at_once(home: Path) -> None:
    path = home / "game.jsonl"
    powers = seats_for(7)
    with PaxHost.new(tables(), powers, "3", {}, path=path, undo="free", clock=empty_clock) as table:
        table.act(ARBITER, {"type": "set_position", "patch": NEGOTIATION})
        table.seat({p: SeatOccupant(by="bot", level="steady") for p in powers if p != "britain"})
    app = PaxApp(path=path, settings=Settings(**QUIET))
    app.leisurely = True
    app.thinker = SlowBots()
    app.thinker.may_end.set()
    async with app.run_test(size=(80, 24)) as pilot:
        await until(lambda: not app.screen.session.bots.is_at_work, pilot=pilot)
        await order(pilot, "treaty Rome with france: defensive")
        await until(lambda: not app.screen.session.bots.is_at_work and bool(app._notifications), pilot=pilot)
        assert [n.message for n in app._notifications] == ["France declines the Treaty of Rome. It makes no Treaties."]
        app.clear_notifications()
        await order(pilot, "treaty Paris with france, germany: defensive")
        await until(lambda: not app.screen.session.bots.is_at_work and bool(app._notifications), pilot=pilot)
        (both,) = [n.message for n in app._notifications]
        assert both.startswith("France and Germany decline the Treaty of Paris.")
        app.clear_notifications()
        app.screen.session._game.dispatch("france", ["britain"], "Words")
        app.screen.bots.report_answers()
        await wait_for_keys(pilot)
        assert [(n.title, n.message) for n in app._notifications] == [("France writes", "Words (d reads it)")]
        await press(pilot, "t", "end")
        assert "It makes no Treaties." in str(app.screen.query_one("#treaty-text", Static).content)


async def test_report_comes_after_viewing_the_past_during_bot_moves(home: Path) -> None:
    app = start_with_slow_bots(home, bots="at once", reports="all")
    async with app.run_test(size=(120, 40)) as pilot:
        await burst(pilot, "r")
        session = app.screen.session
        await until(lambda: "considers its moves" in drawn_text(app, "#keys"), pilot=pilot)
        await burst(pilot, "left_square_bracket", "end", "b")
        app.thinker.may_end.set()
        await until(lambda: not session.bots.is_at_work, pilot=pilot)
        await until(lambda: isinstance(app.screen, ReportScreen), pilot=pilot)


async def test_next_task_key_says_that_the_game_waits(home: Path) -> None:
    app = start_with_slow_bots(home, bots="at once")
    app.thinker.may_end.set()
    async with app.run_test(size=(120, 40)) as pilot:
        await burst(pilot, "r")
        session = app.screen.session
        await until(lambda: not session.bots.is_at_work, pilot=pilot)
        assert session.waiting() == ("britain",)
        await burst(pilot, "n")
        text = "\n".join(notice.message for notice in app._notifications)
        assert ("Press r when ready." in text) is not bool(pending_tasks(session))
        assert text != "Nothing left to decide."


async def test_level_of_rivals_is_asked_once(home: Path) -> None:
    app = PaxApp(settings=Settings(**QUIET))
    async with app.run_test(size=(120, 40)) as pilot:
        for levels in (["easy"] * 6, ["easy"] * 6):
            await press(pilot, "a", "b")
            if app.settings.rivals == "asked":
                assert "How well do your rivals play?" in drawn_text(app, ".title")
                await press(pilot, "a")
            await until(lambda: isinstance(app.screen, GameScreen), pilot=pilot)
            session = app.screen.session
            assert [session.seats.occupant(seat).level for seat in session.live.players if seat != "france"] == levels
            assert app.settings.rivals == "easy"
            await press(pilot, "q")
            await until(lambda: isinstance(app.screen, StartScreen), pilot=pilot)


async def test_staying_ready_ignores_unimportant_acts_of_rivals(home: Path) -> None:
    app = start_with_slow_bots(home, bots="at once", bot_order="with you")
    app.thinker.may_end.set()
    async with app.run_test(size=(160, 50)) as pilot:
        await burst(pilot, "r")
        await wait_for_keys(pilot)
        session = app.screen.session
        await burst(pilot, "escape", "r")
        await burst(pilot, "y")
        await until(lambda: not session.bots.is_at_work and "britain" in session.waiting(), pilot=pilot)
        assert session.live.phase == "movement" and "R stays ready" in app.screen.words(), "France has acted"
        await burst(pilot, "u")
        await until(lambda: not session.bots.is_at_work, pilot=pilot)
        await burst(pilot, "R")
        await burst(pilot, "y")
        await until(lambda: session.live.phase == "negotiation", pilot=pilot)
        ready = [line.seat for line, _ in session.view.in_force() if line.action.get("type") == "ready"]
        assert ready.count("britain") == 2
        assert session.orders_ahead is not None and not session.orders_ahead.stays_ready


async def test_two_people_at_one_keyboard_stay_ready_together(home: Path) -> None:
    app = start_with_slow_bots(home, persons=2, bots="at once", bot_order="with you", handover="none")
    app.thinker.may_end.set()
    async with app.run_test(size=(160, 50)) as pilot:
        await burst(pilot, "r")
        await wait_for_keys(pilot)
        session = app.screen.session
        assert session.live.phase == "movement" and set(session.seats.here()) == {"britain", "france"}
        await burst(pilot, "escape", "R")
        await burst(pilot, "y")
        await until(lambda: session.live.phase != "movement" or session.orders_ahead.outcomes, pilot=pilot)
        ready = [line.seat for line, _ in session.view.in_force() if line.action.get("type") == "ready"]
        assert min(ready.count("britain"), ready.count("france")) > 1, "bots placed markers in between"
