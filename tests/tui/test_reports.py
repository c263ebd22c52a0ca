"""Pages of news on the screen, what waits for a seat, and being ready with something open."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from paxtui.games.pax.narration.narrator import ReportLine, ReportPage, nonempty_sections
from paxtui.session.pax_host import PaxHost
from paxtui.tui.app import PaxApp
from paxtui.tui.base.dialogs import ConfirmDialog, PickDialog
from paxtui.tui.base.settings import Settings
from paxtui.tui.dialogs.area_menu import AreaMenu
from paxtui.tui.dialogs.choice import ChoiceDialog
from paxtui.tui.dialogs.reports import CombatResultDialog, ReportScreen
from paxtui.tui.diplomacy.congress import CongressScreen
from paxtui.tui.game import seats
from paxtui.tui.game.screen import GameScreen
from paxtui.tui.panes.what_now import what_now
from paxtui.tui.reference_screens.log import LogScreen
from paxtui.tui.rendering import key_queue
from tests.places import CONGRESS, GOLDEN, SAVES
from tests.tui.playing import (
    NEGOTIATION,
    QUIET,
    SIZES,
    NobodyLooks,
    begun,
    lines_of_congress,
    noticed,
    opened,
    rows,
    shown,
)

MONEY: dict[str, Any] = {
    "phase": "movement",
    "powers": {seat: {"treasury": 40} for seat in ("britain", "france", "germany")},
}


def page(app: Any) -> str:
    """The page that is read."""
    assert isinstance(app.screen, ReportScreen), app.screen
    return shown(app, "#report-text")


async def press(pilot: Any, *keys: str) -> None:
    """Keys, and all that they set going."""
    for key in keys:
        await pilot.press(key)
        await pilot.pause()


async def order(pilot: Any, text: str) -> None:
    """An order of the seat at the keyboard, given in words."""
    await press(pilot, "colon")
    pilot.app.screen.view.line.value = text
    await press(pilot, "enter")


@SIZES
async def test_whoever_sits_down_reads_what_changed_for_him_and_a_letter_leads_there(home, size):
    app = begun(home, MONEY, reports="all")
    async with app.run_test(size=size) as pilot:
        await order(pilot, "place interest egypt")
        assert isinstance(app.screen, GameScreen)
        await press(pilot, "s")
        await order(pilot, "place influence egypt")
        await press(pilot, "S")
        assert "Egypt: France ● Influence." in page(app)
        assert "Since your last visit · Great Britain" in shown(app, "#report-title")
        await press(pilot, "a")
        assert isinstance(app.screen, GameScreen) and app.screen.view.map.cursor == "egypt"
        # it comes once; w brings it back
        await press(pilot, "s", "S")
        assert isinstance(app.screen, GameScreen)
        await press(pilot, "w")
        assert "Egypt: France ● Influence." in page(app)
        await press(pilot, "escape")
        assert isinstance(app.screen, GameScreen)


async def test_the_chronicle_opens_at_its_latest_page(home):
    app = begun(home, {"phase": "negotiation", "powers": {"britain": {"treasury": 25}}})
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "E")
        assert isinstance(app.screen, ReportScreen)
        assert "The Chronicle, 1880 to 1883, so far" in shown(app, "#report-title")
        assert "E: show this again later" in shown(app, "#report-keys")
        await press(pilot, "escape", "R", "E")
        assert "The Chronicle, 1884 to 1887, so far" in shown(app, "#report-title")
        assert "page 2 of 2" in shown(app, "#report-title")
        await press(pilot, "left")
        assert "The Chronicle, 1880 to 1883 " in shown(app, "#report-title")


async def test_the_end_of_a_turn_and_the_next_one_are_pages_in_order(home):
    app = begun(home, {"phase": "negotiation", "powers": {"britain": {"treasury": 25}}}, reports="all")
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "R")
        titles = []
        while isinstance(app.screen, ReportScreen):
            titles.append(shown(app, "#report-title").split(" · ")[0].strip())
            if titles[-1] == "End of 1880":
                assert "+2 £25 left over" in page(app)
            if titles[-1].startswith("1884"):
                assert "Colonial Office" in page(app) and "Random Events" in page(app)
            await press(pilot, "enter")
        assert titles == ["End of 1880", "1884: Game Turn 2 begins"]
        assert app.screen.session.live.phase == "movement"


async def test_a_held_key_turns_no_page_over_unread(home, monkeypatch):
    monkeypatch.setattr(key_queue, "MIN_VISIBLE_S", 5.0)
    app = begun(home, {"phase": "negotiation"}, reports="all")
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "R", "enter", "enter", "enter")
        assert isinstance(app.screen, ReportScreen) and app.screen.number == 0


async def test_no_page_comes_where_the_settings_want_none_and_turns_only_where_they_want_those(home):
    for wanted, first in (("none", GameScreen), ("turns", ReportScreen)):
        (home / "game.jsonl").unlink(missing_ok=True)
        app = begun(home, {"phase": "negotiation"}, reports=wanted)
        async with app.run_test(size=(120, 40)) as pilot:
            await press(pilot, "s")
            assert isinstance(app.screen, GameScreen)
            await press(pilot, "R")
            assert isinstance(app.screen, first), wanted


# --- what waits ---

UNREST = {
    "egypt": {"markers": [{"power": "britain", "marker": "possession"}], "unrest": True,
              "units": [{"power": "britain", "kind": "army", "strength": 10}]},
}  # fmt: skip


@SIZES
async def test_unrest_stands_first_and_being_ready_with_it_says_so_once(home, size):
    app = begun(home, {**MONEY, "areas": UNREST})
    async with app.run_test(size=size) as pilot:
        said = shown(app, "#hint") if size[0] < 110 else shown(app, "#now")
        assert "! Egypt is in Unrest" in said
        await press(pilot, "h", "n")
        assert app.screen.view.map.cursor == "egypt"
        await press(pilot, "r")
        assert isinstance(app.screen, ConfirmDialog)
        await press(pilot, "escape")
        assert "britain" not in app.screen.session.live.ready
        await press(pilot, "r")
        assert "britain" in app.screen.session.live.ready


async def test_all_ready_stops_at_the_seat_that_has_something_of_its_own_to_decide(home):
    draft = {
        "id": "m2xwq", "name": "Lisbon", "form": "treaty", "drafter": "italy", "parties": ["italy", "germany"],
        "signed": ["italy"], "clauses": [{"kind": "defensive", "against": ["france"]}], "drafted": 1,
    }  # fmt: skip
    app = begun(home, {"phase": "negotiation", "treaties": [draft]}, curtain=False)
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "R")
        session = app.screen.session
        assert session.seat == "germany" and session.live.ready == ("britain", "france")
        assert "Germany is at the keyboard" in shown(app, "#greeting") and "Treaty of Lisbon" in shown(app, "#greeting")
        assert "draft of the Treaty of Lisbon" in shown(app, "#now")
        await press(pilot, "h", "R")
        assert session.live.phase != "negotiation"


async def test_what_now_says_who_took_the_ready_mark(home):
    app = begun(home, MONEY)
    async with app.run_test(size=(160, 50)) as pilot:
        await press(pilot, "r")
        await order(pilot, "place influence egypt")
        await press(pilot, "S")
        said = " ".join(shown(app, "#now").split())
        assert "France places ● Influence in Egypt. You can act again." in said


async def test_events_in_force_say_what_they_forbid(home):
    app = begun(home, {**MONEY, "events_in_force": ["1-3"]})
    async with app.run_test(size=(160, 50)):
        said = " ".join(shown(app, "#now").split())
        assert "Liberal Victory in Britain: Britain's Colonial Office pays half. Britain may spend at most £10" in said


# --- combat ---


async def test_a_fight_tells_its_odds_before_and_what_follows_after(home):
    app = begun(home, {"phase": "colonial_combat", "areas": UNREST})
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "r", "c")
        assert isinstance(app.screen, ChoiceDialog)
        assert rows(app) == ["attack", "do not attack"]
        told = " ".join(str(w.render()) for w in app.screen.query(".note"))
        assert "10 against 5, Table 2 at 2-1" in told and "times in 6" in told
        await press(pilot, "enter")
        assert isinstance(app.screen, CombatResultDialog), "the dice come before the news of the next Phase"
        panel = app.screen.words()
        assert "odds: won" in panel and "the game goes on" in panel
        assert "Egypt is won." in panel or "Egypt is in" in panel or "lost" in panel or "retreat" in panel


# --- the Congress ---


async def test_the_hall_opens_for_whoever_must_act_and_asks_in_whole_sentences(home: Path):
    log = home / "short.jsonl"
    with CONGRESS.open(encoding="utf-8") as whole:
        log.write_text("".join(line for n, line in enumerate(whole) if n < 12), encoding="utf-8")
    app = opened(home, log, curtain=False)
    async with app.run_test(size=(120, 40)) as pilot:
        while app.screen.session.live.phase == "negotiation":
            await press(pilot, "r")
            while not isinstance(app.screen, (GameScreen, CongressScreen)):
                await press(pilot, "enter")
        while not isinstance(app.screen, (GameScreen, CongressScreen)):
            await press(pilot, "enter")
        assert isinstance(app.screen, CongressScreen)
        said = " ".join(shown(app, "#congress-question").split())
        assert "do you invite to the Congress: the United States or Japan?" in said
        assert "The Congress of Europe meets in Great Britain" in shown(app, "#congress-text")


# --- the log ---


@pytest.mark.parametrize("log", [SAVES / "ten-turns-1880.jsonl"], ids=["golden"])
async def test_the_log_is_sifted_by_seat_kind_and_place(home, log):
    app = opened(home, log)
    async with app.run_test(size=(120, 40)) as pilot:
        app.screen.view.map.cursor = "egypt"
        await press(pilot, "l")
        assert isinstance(app.screen, LogScreen)
        assert not any("is ready." in row or "Record Sheet" in row for row in rows(app, "#log-lines"))
        await press(pilot, "p")
        body = [row for row in rows(app, "#log-lines") if not any(head in row for head in ("══", "—", "over. 1. "))]
        assert body and all("Egypt" in row for row in body)
        await press(pilot, "p", "s", "k")
        assert "markers · Great Britain · anywhere" in shown(app, "#log-title")
        body = [row for row in rows(app, "#log-lines") if "══" not in row and "—" not in row]
        assert body and not any("Treasury" in row for row in body)


async def test_enter_shows_the_rest_of_a_long_page_before_the_next_one(home):
    lines = tuple(ReportLine(f"Line {n}.") for n in range(30))
    pages = [ReportPage(title, nonempty_sections(("Part", lines))) for title in ("One", "Two")]
    app = begun(home, MONEY)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(ReportScreen(app.screen.session.tables, pages, "Great Britain"))
        await pilot.pause()
        report = app.screen
        page = report.query_one("#report-page")
        await press(pilot, "enter")
        assert report.number == 0 and page.scroll_y > 0
        for _ in range(3):
            if report.number == 0:
                await press(pilot, "enter")
        assert report.number == 1
        await pilot.pause()
        assert page.scroll_y == 0


async def test_one_enter_too_many_behind_the_last_page_opens_no_menu(home, monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(seats, "monotonic", lambda: now[0])
    app = begun(home, MONEY, reports="all")
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "s")
        await order(pilot, "place influence egypt")
        await press(pilot, "S", "w", "enter")
        assert isinstance(app.screen, GameScreen)
        await press(pilot, "enter")
        assert isinstance(app.screen, GameScreen) and "last page" in noticed(app)
        await press(pilot, "enter")
        assert isinstance(app.screen, AreaMenu), "once more is meant"
        await press(pilot, "escape", "w", "enter", "h", "enter")
        assert isinstance(app.screen, AreaMenu), "and so is one after another key"
        await press(pilot, "escape", "w", "enter")
        now[0] += 2.0
        await press(pilot, "enter")
        assert isinstance(app.screen, AreaMenu), "and so is a late one"


@SIZES
async def test_whose_turn_it_is_stands_above_all_that_may_be_too_long(home, size):
    app = begun(home, MONEY)
    async with app.run_test(size=size) as pilot:
        await press(pilot, "escape")
        screen = app.screen
        said = what_now(screen.session, screen.look, 40, app.key_of).plain.split("\n")
        assert said[1].split() == ["waiting", "for", "GB", "FR", "DE", "US", "JP", "RU", "IT"]


async def test_a_congress_is_called_in_sight_of_what_that_costs(home):
    app = begun(home, NEGOTIATION, curtain=False)
    async with app.run_test(size=(80, 24)) as pilot:
        app.screen.session.take_seat("france")
        await press(pilot, "C")
        box = app.screen
        assert isinstance(box, PickDialog) and "Where shall the Congress of Europe meet?" in box.words()
        await pilot.pause()
        assert "Tensions rise by 3" in box.words()


async def test_what_is_voted_on_stands_first_in_the_hall(home):
    path = home / "game.jsonl"
    log = CONGRESS.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(log[: lines_of_congress()[1]]))
    app = NobodyLooks(path=path, settings=Settings(**QUIET))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "C")
        assert isinstance(app.screen, CongressScreen)
        congress = app.screen.session.live.congress
        said = shown(app, "#congress-text")
        assert congress.proposal(congress.current).name in said.split("What has happened")[0]


async def test_the_last_page_of_a_game_ranks_by_the_final_record(home):
    app = opened(home, GOLDEN, curtain=False)
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "w")
        result = app.screen._pages[0].standings
        final = PaxHost.open(GOLDEN, write=False).state.result
        wanted = {seat: (rank, final.totals[seat]) for seat, rank in final.ranks.items()}
        assert {one.seat: (one.rank, one.total) for one in result} == wanted
        await press(pilot, "right")
        assert "GB   0   0   0  18  31  24  29  20  32  31     0    176    0   361" in page(app)


async def test_whoever_opens_a_game_again_reads_what_came_after_his_last_act(home):
    app = begun(home, {"phase": "negotiation", "powers": {"britain": {"treasury": 25}}}, reports="none")
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "R")
        assert app.screen.session.live.turn == 2
        app.screen.session.close()
    again = PaxApp(path=home / "game.jsonl", settings=Settings(reports="all"))
    async with again.run_test(size=(120, 40)) as pilot:
        await press(pilot, "escape")
        titles = set()
        for _ in again.screen_stack[-1].session.live.players if isinstance(again.screen, GameScreen) else ():
            await press(pilot, "s")
            while isinstance(again.screen, ReportScreen):
                titles.add(shown(again, "#report-title").split(" · ")[0].strip())
                await press(pilot, "enter")
        assert {"End of 1880", "1884: Game Turn 2 begins"} <= titles
