"""The course of a game: its figures match the positions, and it reveals nothing secret."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import msgspec
import pytest
from msgspec.structs import replace

from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.games.pax.events import events
from paxtui.games.pax.events.war import END_TEST_NAMES
from paxtui.games.pax.position.setup import seats_for
from paxtui.games.pax.statistics import END_TEXTS, GameStatistics, time_spans
from paxtui.session.game_host import empty_clock
from paxtui.session.game_viewer import game_course
from paxtui.session.local_session import LocalSession
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.loader import load_tables
from tests.places import GOLDEN, SAVES
from tests.rules.wars import at_war
from tests.tui.secret_games import secret_game


@cache
def saved_course(name: str) -> tuple[PaxHost, GameStatistics]:
    """A saved game and its course."""
    table = PaxHost.open(SAVES / f"{name}.jsonl", write=False)
    return table, game_course(table, ARBITER)


@pytest.fixture
def whole() -> Iterator[tuple[PaxHost, GameStatistics]]:
    """A whole game with a Congress, an Ottoman War and a Chinese Rebellion."""
    yield saved_course("whole-game-0.2.0")


def test_figures_of_a_turn_match_the_position_at_its_end(whole: tuple[PaxHost, GameStatistics]) -> None:
    table, course = whole
    assert [turn.turn for turn in course.turns] == list(range(1, 11))
    begins: dict[int, int] = {}
    tension: dict[int, int] = {}
    last = 0
    for line in table.game.effective_lines():
        for event in table.game.events(line.n):
            if isinstance(event, events.TensionRaised):
                last = event.total
            elif isinstance(event, events.TurnBegan):
                begins[event.turn], tension[event.turn - 1] = line.n, last
    for turn in course.turns[:-1]:
        # the line that begins the next turn has the points of the end of this one, and its sheets
        after = table.game.seek(begins[turn.turn + 1])
        assert turn.points == {seat: after.powers[seat].victory_points for seat in after.players}
        assert turn.tension == tension[turn.turn]
        sheets = {power: p.past[str(turn.turn)] for power, p in after.powers.items()}
        assert turn.income == {power: sheet["22"] for power, sheet in sheets.items()}
        assert all(turn.money[power] >= (sheet["22"] or 0) for power, sheet in sheets.items())
    areas = [holder for region in course.regions for holder in region.areas]
    for power in ("britain", "germany"):
        assert course.turns[9].figures["empires"][power] == sum(power in holder.now for holder in areas)
    assert course.turns[9].money["britain"] == 289


def test_the_parts_of_the_points_add_up_to_the_final_total() -> None:
    for name in ("whole-game-0.2.0", "ten-turns-0.2.0", "great-war-0.2.0"):
        table, course = saved_course(name)
        assert table.state.result is not None
        assert {seat: s.total for seat, s in course.sources.items()} == table.state.result.totals
        assert course.ranks == table.state.result.ranks and course.reason == table.state.result.reason
    culprit = saved_course("great-war-0.2.0")[1]
    assert culprit.culprits and culprit.sources[culprit.culprits[0]].penalty < 0


def test_bonuses_are_listed(whole: tuple[PaxHost, GameStatistics]) -> None:
    sources = whole[1].sources
    for s in sources.values():
        assert sum(b.amount for b in s.why if b.turn) == s.bonuses
        assert sum(b.amount for b in s.why if not b.turn) == s.ending
    assert [(b.turn, b.amount) for b in sources["united_states"].why] == [(4, 15), (0, 10)]


def test_regions_have_every_area_once(whole: tuple[PaxHost, GameStatistics]) -> None:
    table, course = whole
    areas = [holder.area for region in course.regions for holder in region.areas]
    assert sorted(areas) == sorted(table.tables.areas)
    india = next(region for region in course.regions if "punjab" in [h.area for h in region.areas])
    assert india.values["britain"] == india.first["britain"] == 31
    egypt = next(h for region in course.regions for h in region.areas if h.area == "egypt")
    assert (egypt.first, egypt.now) == ((), ("britain",))
    shared = next(h for region in course.regions for h in region.areas if len(h.now) == 3)
    assert set(shared.now) == {"britain", "france", "netherlands"}


def test_wars_and_congresses_are_time_spans(whole: tuple[PaxHost, GameStatistics]) -> None:
    spans = [(s.kind, s.title, s.began, s.ended, s.how) for s in whole[1].spans]
    assert spans == [
        ("congress", "Congress in Great Britain", 1, 1, "no Treaty"),
        ("war", "Ottoman War", 2, 2, "the Empire lost"),
        ("war", "Chinese Rebellion", 8, 8, "stalemate"),
    ]
    assert whole[1].spans[2].sides == (("china",), ("britain", "united_states", "japan"))
    great = saved_course("great-war-0.2.0")[1].spans
    assert [(s.title, s.ended) for s in great] == [("The Great War", 0)]


@pytest.mark.parametrize(
    ("test", "how"),
    [
        ("peace", "peace"), ("no_units", "no units left"), ("occupied", "occupied"), ("stalemate", "stalemate"),
        ("announced", "announced"), ("rebels_won", "the rebels won"), ("rebels_beaten", "the rebels lost"),
        ("island", "announced"), ("ottomans_won", "the Empire won"), ("ottomans_beaten", "the Empire lost"),
        ("cut_off", "announced"),
    ],
)  # fmt: skip
def test_time_span_of_a_war_has_its_end(test: str, how: str) -> None:
    g = at_war([["france"], ["germany"]])
    (war,) = g.state.wars
    history = [
        events.WarDeclared(power="france", on=("germany",), war=war),
        events.WarDecided(war=war.id, test=test),
    ]
    over = replace(g.state, wars=())
    (span,) = time_spans(g.tables, over, {3: history[:1], 4: [*history[1:], events.WarOver(war=war.id)]})
    assert (span.kind, span.began, span.ended, span.how) == ("war", 3, 4, how) and set(END_TEST_NAMES) <= set(END_TEXTS)


def test_time_span_of_a_war_has_joiners_and_leavers() -> None:
    g = at_war([["france", "russia"], ["germany"]])
    (now,) = g.state.wars
    before = replace(now, alliances=(("france", "italy"), ("germany",)))
    (span,) = time_spans(g.tables, g.state, {1: [events.WarDeclared(power="france", on=("germany",), war=before)]})
    assert span.sides == (("france", "italy", "russia"), ("germany",))


def test_secret_treaty_is_a_time_span_for_its_parties_only() -> None:
    table = secret_game()
    names = {
        seat: [s.title for s in game_course(table, seat).spans] for seat in ("france", "italy", SPECTATOR, ARBITER)
    }
    assert names["france"] == names[ARBITER] == ["Trianon", "Biarritz"]
    assert names["italy"] == names[SPECTATOR] == ["Trianon"]
    found = {s.title: s for s in game_course(table, "britain").spans}
    assert found["Biarritz"].secret and found["Biarritz"].broken == ((2, "france"),)
    assert not found["Trianon"].secret and found["Trianon"].began == 1
    assert b"Biarritz" not in msgspec.json.encode(game_course(table, "italy"))


def test_course_of_an_earlier_line_ends_there() -> None:
    table = PaxHost.open(GOLDEN, write=False)
    whole = game_course(table, ARBITER)
    begins = {
        e.turn: line.n for line in table.game.effective_lines() for e in table.game.events(line.n)
        if isinstance(e, events.TurnBegan)
    }  # fmt: skip
    then = game_course(table, ARBITER, begins[4])
    assert [turn.turn for turn in then.turns] == [1, 2, 3, 4]
    assert then.turns[:3] == whole.turns[:3] and not then.reason and not then.ranks
    session = LocalSession(table)
    assert session.view.course() == whole
    session.look_at(session.view.number_of(begins[4]))
    assert session.view.course().turns[:3] == whole.turns[:3] and len(session.view.course().turns) == 4


def test_undone_act_is_not_in_the_course() -> None:
    table = PaxHost.new(load_tables(), seats_for(4), "7", {}, clock=empty_clock, undo="free")
    table.act(ARBITER, {"type": "set_position", "patch": {"phase": "movement", "powers": {"france": {"treasury": 40}}}})
    table.act("france", "place interest tunis")
    spent = game_course(table, "france")
    then = table.version
    table.undo("france")
    assert game_course(table, "france").turns[-1].money["france"] == 40
    assert game_course(table, "france", then) == spent
