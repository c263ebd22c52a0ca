"""Reports of a mail game as HTML pages: they are complete, and no text of a player is executed."""

from __future__ import annotations

from datetime import UTC, datetime
from html.parser import HTMLParser

import pytest

from paxtui.cli.mail.pages import report_pages
from paxtui.games.pax.position.setup import seats_for
from paxtui.mail.game_directory import GameDirectory
from paxtui.mail.gamemaster import GamemasterService, Reports
from paxtui.mail.reports import ReportDocument, ReportGroup, ReportPart
from paxtui.mail.submissions import submit_form
from paxtui.session.pax_host import PaxHost
from tests.rules.harness import tables

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOSTILE = "</title></li><script>alert(1)</script><img src=//x onerror=alert(2)>\"' &lt;"


class ParsedPage(HTMLParser):
    """A parsed page: its tags, attributes and texts in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> GamemasterService:
    """A mail game of four after its first orders."""
    folder = GameDirectory.made(tmp_path_factory.mktemp("mail") / "spring")
    service = GamemasterService.begin(
        folder, tables(), seats_for(4), seed="mail", game_id="g1", now=lambda: NOON, draw=report_pages
    )
    for seat in seats_for(4):
        text = "place influence marocco\nbuild A1" if seat == "france" else ""
        submit_form(folder, service.terms, tables(), text, seat, lambda: NOON)
    service.adjudicate()
    return service


@pytest.fixture(scope="module")
def reports(service: GamemasterService) -> Reports:
    return service.reports(2)


def test_pages_are_saved_with_the_texts_and_reproducible(service: GamemasterService, reports: Reports) -> None:
    there = service.folder.reports_of(2)
    named = {name for name in reports if name.endswith(".html")}
    assert named == {f"{name}.html" for name in ("public", *seats_for(4))}
    for name, text in reports.items():
        assert (there / name).read_bytes() == text.encode(), name
    again = GamemasterService(service.folder, lambda: NOON, report_pages).reports(2)
    assert again == reports
    assert (there / "france.html").stat().st_mode & 0o077 == 0


def test_page_contains_the_text_report(reports: Reports) -> None:
    text_of_page = " ".join(ParsedPage(reports["france.html"]).texts)
    for line in reports["france.txt"].splitlines()[1:]:
        assert line.rstrip(":").casefold() in text_of_page.casefold(), line
    assert "Line 2, build A1: carried out." in text_of_page
    assert "Line 2, build A1" not in " ".join(ParsedPage(reports["public.html"]).texts)


def test_page_has_maps_before_and_after_with_changes(reports: Reports) -> None:
    page = reports["public.html"]
    now, before = (part.partition("</svg>")[0] for part in page.split('<svg class="map"')[1:])
    assert "Marocco: influence of Spain, influence of France" in now.replace("(not established)", "").replace("  ", " ")
    assert "Marocco: influence of Spain</title>" in before
    assert 'href="#at-marocco"' in now and ' class="new"><title>Marocco' in now and 'class="new"' not in before
    for chart in ("Victory Points", "Treasury", "Indexes"):
        assert f"<h2>{chart}</h2>" in page
    assert "Deadline: " in page.partition("</div>")[0]
    assert "<h2>Dice</h2>" in page


def test_page_has_no_references_and_no_scripts(service: GamemasterService) -> None:
    due = ReportPart("What is due", (ReportGroup(HOSTILE, (HOSTILE,)),))
    with PaxHost.open(service.folder.game, write=False) as table:
        page = report_pages(table)(ReportDocument(HOSTILE, HOSTILE, (ReportPart(HOSTILE, due.groups),), due))
    parsed = ParsedPage(page)
    assert not {"script", "img", "iframe", "link", "object", "form", "a"} & set(parsed.tags)
    assert not any(name.startswith("on") for name, _ in parsed.attributes)
    assert all(value.startswith("#at-") for name, value in parsed.attributes if name in ("href", "src"))
    assert "".join(parsed.texts).count("alert(1)") == 8
    assert ("content", "default-src 'none'; style-src 'unsafe-inline'") in parsed.attributes
    assert "url(" not in page and "@import" not in page


def test_page_is_small_enough_for_a_letter(reports: Reports) -> None:
    assert max(len(text.encode()) for text in reports.values()) < 200_000
