"""Report pages, tasks of a seat, and warnings of `ready`."""

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
    AppWithoutCurtain,
    congress_lines,
    drawn_text,
    notices,
    open_log,
    rows,
    start_at,
)

MONEY: dict[str, Any] = {
    "phase": "movement",
    "powers": {seat: {"treasury": 40} for seat in ("britain", "france", "germany")},
}


def page_text(app: Any) -> str:
    """Return the text of the current report page."""
    assert isinstance(app.screen, ReportScreen), app.screen
    return drawn_text(app, "#report-text")


async def press_each(pilot: Any, *keys: str) -> None:
    """Press keys, waiting after each."""
    for key in keys:
        await pilot.press(key)
        await pilot.pause()


async def type_order(pilot: Any, text: str) -> None:
    """Type an order of the current seat."""
    await press_each(pilot, "colon")
    pilot.app.screen.view.line.value = text
    await press_each(pilot, "enter")


@SIZES
async def test_new_seat_reads_changes_and_jumps_by_letter(home, size):
    app = start_at(home, MONEY, reports="all")
    async with app.run_test(size=size) as pilot:
        await type_order(pilot, "place interest egypt")
        assert isinstance(app.screen, GameScreen)
        await press_each(pilot, "s")
        await type_order(pilot, "place influence egypt")
        await press_each(pilot, "S")
        assert "Egypt: France ● Influence." in page_text(app)
        assert "Since your last visit · Great Britain" in drawn_text(app, "#report-title")
        await press_each(pilot, "a")
        assert isinstance(app.screen, GameScreen) and app.screen.view.map.cursor == "egypt"
        # the report comes once; w shows it again
        await press_each(pilot, "s", "S")
        assert isinstance(app.screen, GameScreen)
        await press_each(pilot, "w")
        assert "Egypt: France ● Influence." in page_text(app)
        await press_each(pilot, "escape")
        assert isinstance(app.screen, GameScreen)


async def test_chronicle_opens_at_its_latest_page(home):
    app = start_at(home, {"phase": "negotiation", "powers": {"britain": {"treasury": 25}}})
    async with app.run_test(size=(120, 40)) as pilot:
        await press_each(pilot, "E")
        assert isinstance(app.screen, ReportScreen)
        assert "The Chronicle, 1880 to 1883, so far" in drawn_text(app, "#report-title")
        assert "E show this again later" in drawn_text(app, "#report-keys")
        await press_each(pilot, "escape", "R", "E")
        assert "The Chronicle, 1884 to 1887, so far" in drawn_text(app, "#report-title")
        assert "page 2 of 2" in drawn_text(app, "#report-title")
        await press_each(pilot, "left")
        assert "The Chronicle, 1880 to 1883 " in drawn_text(app, "#report-title")


async def test_end_of_a_turn_and_next_turn_are_pages(home):
    app = start_at(home, {"phase": "negotiation", "powers": {"britain": {"treasury": 25}}}, reports="all")
    async with app.run_test(size=(120, 40)) as pilot:
        await press_each(pilot, "R")
        titles = []
        while isinstance(app.screen, ReportScreen):
            titles.append(drawn_text(app, "#report-title").split(" · ")[0].strip())
            if titles[-1] == "End of 1880":
                assert "+2 £25 left over" in page_text(app)
            if titles[-1].startswith("1884"):
                assert "Colonial Office" in page_text(app) and "Random Events" in page_text(app)
            await press_each(pilot, "enter")
        assert titles == ["End of 1880", "1884: Game Turn 2 begins"]
        assert app.screen.session.live.phase == "movement"


async def test_held_key_skips_no_page(home, monkeypatch):
    monkeypatch.setattr(key_queue, "MIN_VISIBLE_S", 5.0)
    app = start_at(home, {"phase": "negotiation"}, reports="all")
    async with app.run_test(size=(120, 40)) as pilot:
        await press_each(pilot, "R", "enter", "enter", "enter")
        assert isinstance(app.screen, ReportScreen) and app.screen.number == 0


async def test_report_setting_selects_pages(home):
    for wanted, first in (("none", GameScreen), ("turns", ReportScreen)):
        (home / "game.jsonl").unlink(missing_ok=True)
        app = start_at(home, {"phase": "negotiation"}, reports=wanted)
        async with app.run_test(size=(120, 40)) as pilot:
            await press_each(pilot, "s")
            assert isinstance(app.screen, GameScreen)
            await press_each(pilot, "R")
            assert isinstance(app.screen, first), wanted


# What waits

UNREST = {
    "egypt": {"markers": [{"power": "britain", "marker": "possession"}], "unrest": True,
              "units": [{"power": "britain", "kind": "army", "strength": 10}]},
}  # fmt: skip


@SIZES
async def test_ready_warns_once_of_unrest(home, size):
    app = start_at(home, {**MONEY, "areas": UNREST})
    async with app.run_test(size=size) as pilot:
        text = drawn_text(app, "#hint") if size[0] < 110 else drawn_text(app, "#now")
        assert "! Egypt is in Unrest" in text
        await press_each(pilot, "h", "n")
        assert app.screen.view.map.cursor == "egypt"
        await press_each(pilot, "r")
        assert isinstance(app.screen, ConfirmDialog)
        await press_each(pilot, "escape")
        assert "britain" not in app.screen.session.live.ready
        await press_each(pilot, "r")
        assert "britain" in app.screen.session.live.ready


async def test_all_ready_stops_at_a_seat_with_a_draft(home):
    draft = {
        "id": "m2xwq", "name": "Lisbon", "form": "treaty", "drafter": "italy", "parties": ["italy", "germany"],
        "signed": ["italy"], "clauses": [{"kind": "defensive", "against": ["france"]}], "drafted": 1,
    }  # fmt: skip
    app = start_at(home, {"phase": "negotiation", "treaties": [draft]}, curtain=False)
    async with app.run_test(size=(120, 40)) as pilot:
        await press_each(pilot, "R")
        session = app.screen.session
        assert session.seat == "germany" and session.live.ready == ("britain", "france")
        assert "Germany is at the keyboard" in drawn_text(app, "#greeting") and "Treaty of Lisbon" in drawn_text(
            app, "#greeting"
        )
        assert "draft of the Treaty of Lisbon" in drawn_text(app, "#now")
        await press_each(pilot, "h", "R")
        assert session.live.phase != "negotiation"


async def test_what_now_names_the_act_that_withdrew_ready(home):
    app = start_at(home, MONEY)
    async with app.run_test(size=(160, 50)) as pilot:
        await press_each(pilot, "r")
        await type_order(pilot, "place influence egypt")
        await press_each(pilot, "S")
        text = " ".join(drawn_text(app, "#now").split())
        assert "France places ● Influence in Egypt. You can act again." in text


async def test_events_in_force_name_their_limits(home):
    app = start_at(home, {**MONEY, "events_in_force": ["1-3"]})
    async with app.run_test(size=(160, 50)):
        text = " ".join(drawn_text(app, "#now").split())
        assert "Liberal Victory in Britain: Britain's Colonial Office pays half. Britain may spend at most £10" in text


# Combat


async def test_combat_shows_odds_before_and_result_after(home):
    app = start_at(home, {"phase": "colonial_combat", "areas": UNREST})
    async with app.run_test(size=(120, 40)) as pilot:
        await press_each(pilot, "r", "c")
        assert isinstance(app.screen, ChoiceDialog)
        assert rows(app) == ["Attack", "Do not attack"]
        text = " ".join(str(w.render()) for w in app.screen.query(".note"))
        assert "10 against 5, Table 2 at 2-1" in text and "times in 6" in text
        await press_each(pilot, "enter")
        assert isinstance(app.screen, CombatResultDialog), "the combat result comes before the report of the next Phase"
        panel = app.screen.words()
        assert "odds: won" in panel and "the game goes on" in panel
        assert "Egypt is won." in panel or "Egypt is in" in panel or "lost" in panel or "retreat" in panel


# The Congress


async def test_congress_screen_opens_for_the_asked_seat(home: Path):
    log = home / "short.jsonl"
    with CONGRESS.open(encoding="utf-8") as whole:
        log.write_text("".join(line for n, line in enumerate(whole) if n < 12), encoding="utf-8")
    app = open_log(home, log, curtain=False)
    async with app.run_test(size=(120, 40)) as pilot:
        while app.screen.session.live.phase == "negotiation":
            await press_each(pilot, "r")
            while not isinstance(app.screen, (GameScreen, CongressScreen)):
                await press_each(pilot, "enter")
        while not isinstance(app.screen, (GameScreen, CongressScreen)):
            await press_each(pilot, "enter")
        assert isinstance(app.screen, CongressScreen)
        text = " ".join(drawn_text(app, "#congress-question").split())
        assert "do you invite to the Congress: the United States or Japan?" in text
        assert "The Congress of Europe meets in Great Britain" in drawn_text(app, "#congress-text")


# The log


@pytest.mark.parametrize("log", [SAVES / "ten-turns-1880.jsonl"], ids=["golden"])
async def test_log_is_filtered_by_seat_kind_and_place(home, log):
    app = open_log(home, log)
    async with app.run_test(size=(120, 40)) as pilot:
        app.screen.view.map.cursor = "egypt"
        await press_each(pilot, "l")
        assert isinstance(app.screen, LogScreen)
        assert not any("is ready." in row or "Record Sheet" in row for row in rows(app, "#log-lines"))
        await press_each(pilot, "p")
        body = [row for row in rows(app, "#log-lines") if not any(head in row for head in ("══", "—", "over. 1. "))]
        assert body and all("Egypt" in row for row in body)
        await press_each(pilot, "p", "s", "k")
        assert "markers · Great Britain · anywhere" in drawn_text(app, "#log-title")
        body = [row for row in rows(app, "#log-lines") if "══" not in row and "—" not in row]
        assert body and not any("Treasury" in row for row in body)


async def test_enter_scrolls_a_long_page_before_the_next(home):
    lines = tuple(ReportLine(f"Line {n}.") for n in range(30))
    pages = [ReportPage(title, nonempty_sections(("Part", lines))) for title in ("One", "Two")]
    app = start_at(home, MONEY)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(ReportScreen(app.screen.session.tables, pages, "Great Britain"))
        await pilot.pause()
        report = app.screen
        scroll = report.query_one("#report-page")
        await press_each(pilot, "enter")
        assert report.number == 0 and scroll.scroll_y > 0
        for _ in range(3):
            if report.number == 0:
                await press_each(pilot, "enter")
        assert report.number == 1
        await pilot.pause()
        assert scroll.scroll_y == 0


async def test_extra_enter_after_the_last_page_opens_no_menu(home, monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(seats, "monotonic", lambda: now[0])
    app = start_at(home, MONEY, reports="all")
    async with app.run_test(size=(120, 40)) as pilot:
        await press_each(pilot, "s")
        await type_order(pilot, "place influence egypt")
        await press_each(pilot, "S", "w", "enter")
        assert isinstance(app.screen, GameScreen)
        await press_each(pilot, "enter")
        assert isinstance(app.screen, GameScreen) and "last page" in notices(app)
        await press_each(pilot, "enter")
        assert isinstance(app.screen, AreaMenu), "a second Enter opens the menu"
        await press_each(pilot, "escape", "w", "enter", "h", "enter")
        assert isinstance(app.screen, AreaMenu), "Enter after another key opens the menu"
        await press_each(pilot, "escape", "w", "enter")
        now[0] += 2.0
        await press_each(pilot, "enter")
        assert isinstance(app.screen, AreaMenu), "a late Enter opens the menu"


@SIZES
async def test_waiting_seats_are_listed_at_the_top(home, size):
    app = start_at(home, MONEY)
    async with app.run_test(size=size) as pilot:
        await press_each(pilot, "escape")
        screen = app.screen
        text = what_now(screen.session, screen.look, 40, app.key_of).plain.split("\n")
        assert text[1].split() == ["waiting", "for", "GB", "FR", "DE", "US", "JP", "RU", "IT"]


async def test_calling_a_congress_shows_its_cost(home):
    app = start_at(home, NEGOTIATION, curtain=False)
    async with app.run_test(size=(80, 24)) as pilot:
        app.screen.session.take_seat("france")
        await press_each(pilot, "C")
        box = app.screen
        assert isinstance(box, PickDialog) and "Where shall the Congress of Europe meet?" in box.words()
        await pilot.pause()
        assert "Tensions rise by 3" in box.words()


async def test_current_proposal_comes_first_in_the_congress(home):
    path = home / "game.jsonl"
    log = CONGRESS.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(log[: congress_lines()[1]]))
    app = AppWithoutCurtain(path=path, settings=Settings(**QUIET))
    async with app.run_test(size=(80, 24)) as pilot:
        await press_each(pilot, "C")
        assert isinstance(app.screen, CongressScreen)
        congress = app.screen.session.live.congress
        text = drawn_text(app, "#congress-text")
        assert congress.proposal(congress.current).name in text.split("What has happened")[0]


async def test_last_page_ranks_by_the_final_record(home):
    app = open_log(home, GOLDEN, curtain=False)
    async with app.run_test(size=(120, 40)) as pilot:
        await press_each(pilot, "w")
        result = app.screen._pages[0].standings
        final = PaxHost.open(GOLDEN, write=False).state.result
        wanted = {seat: (rank, final.totals[seat]) for seat, rank in final.ranks.items()}
        assert {one.seat: (one.rank, one.total) for one in result} == wanted
        await press_each(pilot, "right")
        assert "GB   0   0   0  18  31  24  29  20  32  31     0    176    0   361" in page_text(app)


async def test_reopened_game_reports_news_since_the_last_act(home):
    app = start_at(home, {"phase": "negotiation", "powers": {"britain": {"treasury": 25}}}, reports="none")
    async with app.run_test(size=(120, 40)) as pilot:
        await press_each(pilot, "R")
        assert app.screen.session.live.turn == 2
        app.screen.session.close()
    again = PaxApp(path=home / "game.jsonl", settings=Settings(reports="all"))
    async with again.run_test(size=(120, 40)) as pilot:
        await press_each(pilot, "escape")
        titles = set()
        for _ in again.screen_stack[-1].session.live.players if isinstance(again.screen, GameScreen) else ():
            await press_each(pilot, "s")
            while isinstance(again.screen, ReportScreen):
                titles.add(drawn_text(again, "#report-title").split(" · ")[0].strip())
                await press_each(pilot, "enter")
        assert {"End of 1880", "1884: Game Turn 2 begins"} <= titles
