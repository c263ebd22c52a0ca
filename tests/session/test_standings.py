"""Points and expected ranks during a game, and the warnings before the Great War."""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.games.pax.position.setup import new_game, seats_for
from paxtui.games.pax.reports.great_war import great_war_warnings
from paxtui.games.pax.state.war import War
from paxtui.session.local_session import LocalSession
from paxtui.session.pax_host import PaxHost
from paxtui.session.standings import ORDINALS, describe_standings, expected_ranks, expected_standings
from paxtui.tui.colors import DEFAULT
from paxtui.tui.formatting.look import Look
from paxtui.tui.panes.status_lines import top_line
from paxtui.tui.panes.what_now import standings_rows, what_now, what_now_short
from tests.rules.harness import tables


def _session(**changes):
    host = PaxHost.new(tables(), seats_for(7), "1", {})
    host.act("arbiter", {"type": "set_position", "patch": {"phase": "movement", **changes}})
    return LocalSession(host, "germany")


def test_points_are_in_the_expected_final_order():
    session = _session(turn=9, powers={"japan": {"victory_points": 300}, "germany": {"victory_points": 40}})
    rows = expected_standings(session)
    assert rows[0].seat == "japan" and rows[0].points == 300 and rows[0].chance > 0.9
    assert [one.rank for one in rows] == sorted(one.rank for one in rows) and len(rows) == 7
    own = next(one for one in rows if one.seat == "germany")
    best, worst = expected_ranks(session)
    assert 1 < best <= own.rank <= worst
    expected = f"{best}-{ORDINALS[worst]}" if best < worst else ORDINALS[best]
    assert f"40 VP 2nd, exp. {expected}" in top_line(session, Look(DEFAULT), 120).plain
    assert f"40 VP 2nd ({expected})" in top_line(session, Look(DEFAULT), 72).plain
    assert standings_rows(session, Look(DEFAULT), 43).plain.startswith("expected 1 JP 300")
    assert "1. Japan 300, 2. " in describe_standings(session)


def test_close_seats_share_a_range_of_expected_ranks():
    first, later = _session(turn=1), _session(turn=9, powers={"germany": {"victory_points": 300}})
    best, worst = expected_ranks(first)
    assert worst > best and expected_ranks(later) == (1, 1)
    line = top_line(first, Look(DEFAULT), 160).plain
    assert " 0 VP 1st" in line and "exp." not in line, "a rank that may be almost any says nothing"


def test_pane_shows_money_that_counts_and_working_bots(monkeypatch):
    money = {"germany": {"treasury": 7}, "austria_hungary": {"treasury": 30}}
    session = _session(phase="negotiation", powers=money)
    text = " ".join(what_now(session, Look(DEFAULT), 60, lambda id_, key: key).plain.split())
    assert "You have £7; left over with that of Austria-Hungary, that is 7 Victory Points." in text
    early = _session(phase="random_events")
    assert "r rolls the dice" in what_now(early, Look(DEFAULT), 60, lambda id_, key: key).plain
    monkeypatch.setattr(type(early.bots), "is_at_work", property(lambda bots: True))
    text = what_now(early, Look(DEFAULT), 60, lambda id_, key: key).plain
    assert "bots are at work" in text and "rolls the dice" not in text
    assert "bots are at work" in what_now_short(early, Look(DEFAULT), 60, lambda id_, key: key).plain


def test_short_line_shows_more_of_a_task_than_of_its_key():
    tunis = {"holder": "france", "against": "italy", "area": "tunis", "rule": "STA-024"}
    session = _session(phase="negotiation", casus_belli=[tunis])
    session.take_seat("france")
    wide = what_now_short(session, Look(DEFAULT), 240, lambda id_, key: key).plain
    assert wide.endswith("· n goes there") and "…" not in wide
    narrow = what_now_short(session, Look(DEFAULT), len(wide) - 5, lambda id_, key: key).plain
    assert narrow == wide.removesuffix(" goes there"), "the whole task, and the key alone"


def test_short_line_says_that_a_congress_has_been_called():
    tunis = {"holder": "france", "against": "italy", "area": "tunis", "rule": "STA-024"}
    session = _session(phase="negotiation", casus_belli=[tunis])
    session.take_seat("france")
    session.act_text("congress britain")
    text = what_now_short(session, Look(DEFAULT), 140, lambda id_, key: key).plain
    assert "call a Congress" not in text and "the Congress meets when all are ready" in text


def test_great_war_warnings_begin_at_80():
    state = new_game(tables(), seats_for(7), {})
    assert great_war_warnings(tables(), replace(state, tension=79)) == ()
    first, rises = great_war_warnings(tables(), replace(state, tension=80))
    assert first == "European Tensions 80: 20 points more, and the Great War ends the game."
    assert "a broken Treaty 5" in rises and "a Congress 3" in rises


def test_warnings_name_acts_that_start_the_great_war():
    war = War("w", alliances=(("germany",), ("france", "russia")))
    state = replace(new_game(tables(), seats_for(7), {}), tension=97, wars=(war,))
    warnings = great_war_warnings(tables(), state)
    assert warnings[1] == "A declaration of War, a broken Treaty or a Congress is enough."
    assert warnings[-1] == "Germany against France and Russia: 3 European Powers; with 4 it is the Great War."
    of_four = replace(new_game(tables(), seats_for(4), {}), tension=97, wars=(war,))
    assert great_war_warnings(tables(), of_four)[-1].endswith("Great Britain, France and Germany are enough.")
