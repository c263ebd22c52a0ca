"""The chronicle: a game as a newspaper."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.narration.narrator import ReportPage, VisibleAct
from paxtui.games.pax.reports.chronicle import MOST_ARTICLES, MOST_LINES, Chronicle, chronicle
from paxtui.games.pax.reports.todo import page_lines
from paxtui.games.pax.state.model import State
from paxtui.session.game_viewer import GameViewer
from paxtui.session.pax_host import PaxHost
from paxtui.session.player_news import chronicle_pages
from tests.places import SAVES
from tests.recorded import same_as_recorded
from tests.rules.harness import tables

T = tables()
SAVED_GAMES = sorted(SAVES.glob("*.jsonl"))


def pages(path: Path, seat: str) -> dict[int, ReportPage]:
    return chronicle_pages(GameViewer(PaxHost.open(path, write=False), seat))


def start() -> State:
    return PaxHost.open(SAVES / "ten-turns-1880.jsonl", write=False).game.seek(1)


def page(*events: ev.Event, turn: int = 1) -> dict[str, list[str]]:
    """Headline -> lines."""
    written = Chronicle(T, start()).page(turn, events, True)
    return {section.title: [line.text for line in section.lines] for section in written.sections}


@pytest.mark.parametrize("path", SAVED_GAMES, ids=[path.stem for path in SAVED_GAMES])
def test_chronicle_has_a_short_page_for_each_turn(path):
    host = PaxHost.open(path, write=False)
    for seat in (SPECTATOR, ARBITER, host.state.players[0]):
        found = pages(path, seat)
        assert list(found) == list(range(min(found), host.state.turn + 1))
        for one in found.values():
            assert 1 <= len(one.sections) <= MOST_ARTICLES
            assert all(len(section.lines) <= MOST_LINES for section in one.sections)
            assert all(line.text[-1] in ".!?" and line.text[0] == line.text[0].upper() for line in one.lines())


def test_chronicle_is_as_recorded():
    def page_texts() -> Iterator[str]:
        for one in pages(SAVES / "whole-game-0.2.0.jsonl", ARBITER).values():
            yield from page_lines(T, one)

    same_as_recorded(Path(__file__).with_name("game_reports") / "chronicle.txt", page_texts())


def test_chronicle_does_not_depend_on_the_split_into_acts():
    viewer = GameViewer(PaxHost.open(SAVES / "whole-game-0.2.0.jsonl", write=False), ARBITER)
    acts = [VisibleAct(line.seat, events) for line, events in viewer.in_force()]
    whole = [VisibleAct(ARBITER, tuple(event for act in acts for event in act.events))]
    assert chronicle(T, viewer.position(1), acts) == chronicle(T, viewer.position(1), whole)


def test_the_most_important_news_comes_first():
    found = page(
        ev.UnrestBegan("egypt", "A", (1, 1)),
        ev.MarkerEstablished("egypt", "britain", "protectorate"),
        ev.TensionRaised(12, 82, "event"),
    )
    assert next(iter(found)) == "Europe is close to the Great War"
    assert found["Europe is close to the Great War"] == ["European Tensions have risen by 12, to 82 of 100."]
    assert "Egypt" in list(found)[1] and "Egypt" in list(found)[2]


def test_small_changes_are_not_news():
    assert page(ev.TensionRaised(3, 9, "event"), ev.TreasuryChanged("france", 5, 10, "x")) == {
        "A quiet time": ["Nothing notable has happened."]
    }


def test_causes_of_war_are_reported_together_for_an_area():
    found = page(
        ev.CasusBelliArose("cb1", "france", "britain", "egypt"),
        ev.CasusBelliArose("cb2", "italy", "britain", "egypt"),
        ev.CasusBelliArose("cb3", "italy", "britain", "egypt"),
    )
    assert [line for lines in found.values() for line in lines] == [
        "France and Italy have a Casus Belli against Great Britain over Egypt."
    ]


def test_one_quarrel_names_its_powers():
    assert list(page(ev.CasusBelliArose("cb1", "united_states", "spain"))) == ["Spain and the United States quarrel"]


def test_change_of_the_lead_is_news():
    writer = Chronicle(T, start())
    writer.page(1, [ev.VictoryPointsChanged("italy", 5, 5, "money")], True)
    second = writer.page(2, [ev.VictoryPointsChanged("france", 9, 9, "money")], True)
    assert second.sections[0].title == "France takes the lead"
    assert second.sections[0].lines[0].text == "France leads by 4 Victory Points, ahead of Italy."
    assert [(s.seat, s.rank, s.total, s.gained) for s in second.standings][:2] == [
        ("france", 1, 9, 9),
        ("italy", 2, 5, 0),
    ]


def test_long_article_says_how_much_it_omits():
    events = [
        ev.MarkerLowered(area, "britain", "possession", "", "unrest") for area in sorted(T.areas)[: MOST_LINES + 3]
    ]
    (lines,) = page(*events).values()
    assert len(lines) == MOST_LINES and lines[-1] == "4 more reports follow in the log."
