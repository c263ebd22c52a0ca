"""The shared page in headless Chromium: a reader moves through a game, filters its log, and prints it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from paxtui.engine.seats import ARBITER
from paxtui.session.pax_host import PaxHost
from tests.places import SAVES
from tests.sharing.browser import chromium, open_page
from tests.sharing.pages import HOSTILE, hostile_host, page
from tests.waiting import PATIENCE

pytestmark = pytest.mark.slow

LARGEST_PAGE = 3_000_000
LINES = 200


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the first Game Turns of a game, with an Ottoman War."""
    folder = tmp_path_factory.mktemp("shared")
    lines = (SAVES / "whole-game-0.2.0.jsonl").read_bytes().splitlines(keepends=True)
    log = folder / "start.jsonl"
    log.write_bytes(b"".join(lines[:LINES]))
    return write_page(PaxHost.open(log, write=False), folder / "game.html", "The first years")


def write_page(host: PaxHost, path: Path, title: str) -> Path:
    path.write_text(page(host, ARBITER, title), encoding="utf-8")
    return path


def test_page_of_a_whole_game_is_small_and_shows_result(browser: Browser, tmp_path: Path) -> None:
    host = PaxHost.open(SAVES / "ten-turns-0.2.0.jsonl", write=False)
    path = write_page(host, tmp_path / "whole.html", "A whole game")
    assert path.stat().st_size < LARGEST_PAGE
    with open_page(browser, path) as shown:
        assert "Britain won" in shown.text("outcome") and "1916" in shown.text("moment")


def test_page_opens_at_the_end_and_moves(browser: Browser, game: Path) -> None:
    with open_page(browser, game) as shown:
        assert shown.page.title() == "The first years" and shown.value("line") == LINES
        shown.page.keyboard.press("Home")
        assert "1880" in shown.text("moment")
        fill = "document.querySelector('.land[data-place=kongo]').style.fill"
        before = shown.value(fill)
        shown.page.keyboard.press("ArrowRight")
        assert shown.value("line") > 1 and shown.text("event").strip()
        shown.page.keyboard.press("PageDown")
        assert "1884" in shown.text("moment") and "Game Turn 2 of 10" in shown.text("moment")
        shown.value("document.getElementById('line').value = 150")
        shown.page.locator("#line").dispatch_event("input")
        assert shown.value(fill) != before
        assert f"line 150 of {LINES}" in (shown.page.locator("#line").get_attribute("aria-valuetext") or "")
        shown.page.keyboard.press("End")
        assert shown.value("line") == LINES


def test_positions_do_not_depend_on_navigation(browser: Browser, game: Path) -> None:
    """Each moment looks the same, reached line by line, by a jump, or backwards."""
    look = """() => [document.getElementById('indexes').innerText,
      ...[...document.querySelectorAll('.land')].map((land) => land.style.fill),
      ...[...document.querySelectorAll('.signs')].map((signs) => signs.textContent)].join('|')"""
    with open_page(browser, game, "#line=100") as shown:
        forward = {}
        for line in (120, 140, 160):
            shown.value(f"(() => {{ for (let n = {line - 20}; n <= {line}; n++) go(n); }})()")
            forward[line] = shown.value(look)
        for line in (160, 1, 140, 120):
            shown.value(f"go({line})")
            assert line == 1 or shown.value(look) == forward[line], line


def test_log_is_filtered_by_power_kind_and_text(browser: Browser, game: Path) -> None:
    visible = "[...document.querySelectorAll('#log li')].filter((li) => !li.hidden && !li.matches('.turn, .phase'))"
    with open_page(browser, game) as shown:
        every = shown.value(f"{visible}.length")
        shown.page.select_option("#f-power", "france")
        texts = shown.value(f"{visible}.map((li) => li.innerText)")
        assert 0 < len(texts) < every and all("France" in text or "FR" in text for text in texts)
        shown.page.select_option("#f-kind", "units")
        fewer = shown.value(f"{visible}.length")
        assert 0 < fewer < len(texts) and shown.text("count") == f"{fewer} entries"
        shown.page.select_option("#f-kind", "")
        shown.page.fill("#f-text", "tunis")
        assert all("tunis" in t.lower() for t in shown.value(f"{visible}.map((li) => li.innerText)"))
        shown.page.fill("#f-text", "")
        shown.page.select_option("#f-power", "")
        shown.page.check("#f-quiet")
        assert shown.value(f"{visible}.length") > every
        shown.page.locator("#log-scroll").evaluate("box => { box.scrollTop = 0; }")
        entry = shown.page.locator("#log li:not(.turn):not(.phase):visible").nth(40)
        entry.click()
        assert entry.get_attribute("class").endswith("now")


def test_places_have_a_card_and_the_map_has_a_table(browser: Browser, game: Path) -> None:
    with open_page(browser, game) as shown:
        shown.page.select_option("#place", "egypt")
        assert "Egypt" in shown.text("card") and "Economic Value" in shown.text("card")
        shown.page.click("#card-log")
        assert shown.page.input_value("#f-place") == "egypt"
        shown.page.keyboard.press("Escape")
        shown.page.click("#areas-box summary")
        rows = shown.page.locator("#areas tbody tr")
        expect(rows).to_have_count(104, timeout=PATIENCE * 1000)  # the table is filled by an event after the click
        assert "Great Britain" in rows.filter(has_text="Hindoostan").inner_text()


def test_controls_have_accessible_names(browser: Browser, game: Path) -> None:
    unnamed = """[...document.querySelectorAll('button, select, input')].filter((e) =>
      !e.getAttribute('aria-label') && !e.labels?.length && !e.textContent.trim()).map((e) => e.id)"""
    with open_page(browser, game) as shown:
        assert shown.value(unnamed) == []
        for name in ("Map", "Timeline", "The Powers", "The log", "Charts"):
            assert shown.page.get_by_role("region", name=name, exact=True).count() == 1, name
        shown.page.keyboard.press("Home")
        live = shown.page.locator("#live[aria-live=polite]")
        expect(live).to_contain_text("1880, Game Turn 1", timeout=PATIENCE * 1000)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_phone_needs_no_horizontal_scrolling(browser: Browser, game: Path, scheme: str) -> None:
    size = {"width": 390, "height": 844}
    with open_page(browser, game, viewport=size, color_scheme=scheme, has_touch=True) as shown:
        assert shown.value("document.documentElement.scrollWidth") <= 390
        before = shown.value("getComputedStyle(document.body).backgroundColor")
        shown.page.tap("#theme")
        assert shown.value("getComputedStyle(document.body).backgroundColor") != before
        shown.page.tap("#turn-back")
        assert shown.value("line") < LINES


def test_page_prints(browser: Browser, game: Path) -> None:
    with open_page(browser, game, color_scheme="dark") as shown:
        data = shown.page.pdf(format="A4")
        assert data.startswith(b"%PDF") and data.count(b"/Type /Page\n") + data.count(b"/Type /Page/") > 2
        shown.page.emulate_media(media="print")
        assert shown.value("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert not shown.page.locator("#play").is_visible() and shown.page.locator("#log li").first.is_visible()


def test_texts_of_players_are_not_executed(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "hostile.html"
    path.write_text(page(hostile_host(), ARBITER, HOSTILE), encoding="utf-8")
    with open_page(browser, path) as shown:
        assert "<script>alert(1)</script>" in shown.page.title()
        assert "javascript:alert(3)" in shown.text("log") and "<b onclick" in shown.text("powers")
        assert shown.page.locator("#log a, #log img, #powers b").count() == 0
