"""Calls by hidden Treaties: while they are open, others cannot tell who is called."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.games.pax.actions import actions
from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.position.setup import seats_for
from paxtui.session.game_host import empty_clock
from paxtui.session.pax_host import PaxHost
from tests.previews import forecast_of
from tests.rules.harness import tables
from tests.rules.wars import treaty

OUTSIDE = ("britain", "germany", "united_states", "italy", SPECTATOR)
CALLS: dict[str, Any] = {"public": False, "name": "Whispered"}


def declared(kind: str, *parties: str, phase: str = "negotiation", **more: Any) -> PaxHost:
    """Japan has declared War on Russia, with a Treaty of these parties in force."""
    table = PaxHost.new(tables(), seats_for(7), "calls", {}, clock=empty_clock)
    data = {"text": "friends"} if kind == "text" else {}
    pact = treaty(kind, *parties, clause={**data, **more.pop("clause", {})}, **more)
    causes = [{"holder": "japan", "against": "russia"}, {"holder": "italy", "against": "france"}]
    table.act(ARBITER, actions.SetPosition({"phase": phase, "casus_belli": causes, "treaties": [pact]}))
    table.act("japan", "declare war russia")
    return table


def question_kinds(table: PaxHost) -> dict[str, str]:
    """The kind of question of each question_kinds Power."""
    return {choice.power: choice.kind for choice in table.state.choices}


def assert_same_view(one: PaxHost, two: PaxHost) -> None:
    """Assert that outsiders see the same in two games."""
    assert one.waiting == two.waiting
    for seat in OUTSIDE:
        assert one.view(seat) == two.view(seat)
        assert one.version_for(seat) == two.version_for(seat)
        assert one.lines_for(seat)[1:] == two.lines_for(seat)[1:]
        assert one.state_for(seat) == two.state_for(seat)
        assert one.pending_known(seat) == two.pending_known(seat)
        if seat != SPECTATOR:
            assert legal_actions(one.tables, one.state, seat) == legal_actions(two.tables, two.state, seat)


def answer(table: PaxHost, power: str, word: str = "") -> None:
    """Answer the question of a Power, by default with the first option."""
    choice = next(c for c in table.state.choices if c.power == power)
    table.act(choice.seat, f"choose {choice.id} {word or choice.options[0]}")


@pytest.mark.rule("TRE-011", "WAR-047")
@pytest.mark.parametrize("phase", ["negotiation", "war"])
@pytest.mark.parametrize("other", [("text", "france", "russia"), ("defensive", "france", "russia")])
def test_waiting_seats_do_not_reveal_a_hidden_call(phase: str, other: tuple[str, ...]) -> None:
    called = declared("defensive", "france", "russia", phase=phase, **CALLS)
    against = {"clause": {"against": ["britain"]}} if other[0] == "defensive" else {}
    quiet = declared(*other, phase=phase, **CALLS, **against)
    assert question_kinds(called)["france"] == "call" and question_kinds(quiet)["france"] == "uncalled"
    assert {"britain", "france", "germany", "italy", "united_states"} <= {*called.waiting}
    assert_same_view(called, quiet)
    for power, word in (("italy", ""), ("france", "refuse"), ("britain", "")):
        answer(called, power, word)
        answer(quiet, power)
        assert_same_view(called, quiet)
    while left := [*question_kinds(called)]:
        for table in (called, quiet):
            answer(table, left[0])
    assert_same_view(called, quiet)
    assert called.state.tension == quiet.state.tension == 5, "the breach is known to its parties alone"
    assert called.state.wars == quiet.state.wars


@pytest.mark.rule("TRE-011", "WAR-062")
@pytest.mark.parametrize("phase", ["negotiation", "war"])
def test_menus_do_not_depend_on_hidden_calls(phase: str) -> None:
    table = declared("defensive", "france", "russia", phase=phase, **CALLS)
    for _ in range(3):
        for seat in table.state.players:
            known = table.state_for(seat)
            assert known.declaring, "who is waited for shows that much to everybody"
            assert legal_actions(table.tables, known, seat) == legal_actions(table.tables, table.state, seat), seat
        answer(table, next(c.power for c in table.state.choices))
    while table.state.choices:
        answer(table, table.state.choices[0].power)
    assert not any(table.state_for(seat).declaring for seat in table.state.players)


@pytest.mark.rule("TRE-011", "WAR-047")
def test_call_by_secret_articles_is_hidden() -> None:
    called = declared("defensive", "france", "russia", clause={"secret": True})
    assert set(question_kinds(called).values()) == {"call", "uncalled"}
    assert_same_view(called, declared("text", "france", "russia", clause={"secret": True}))


@pytest.mark.rule("WAR-047")
def test_only_called_powers_are_asked_without_hidden_treaties() -> None:
    assert question_kinds(declared("defensive", "france", "russia")) == {"france": "call"}
    assert question_kinds(declared("text", "france", "russia")) == {}


@pytest.mark.rule("WAR-048", "WAR-062")
def test_called_power_declares_after_all_answers() -> None:
    table = declared("defensive", "france", "russia", **CALLS)
    answer(table, "france")
    assert table.state.wars[0].alliances == (("japan",), ("russia",)), "the others are still asked"
    while any(kind == "uncalled" for kind in question_kinds(table).values()) and len(table.state.wars[0].powers) < 3:
        answer(table, next(iter(question_kinds(table))))
    assert table.state.wars[0].alliances == (("japan",), ("russia", "france"))
    assert "italy" in question_kinds(table), "and whom that could call is asked again"
    assert not table.verify()


def test_forecast_includes_own_hidden_treaties() -> None:
    table = PaxHost.new(tables(), seats_for(7), "calls", {}, clock=empty_clock)
    causes = [{"holder": "japan", "against": "russia"}]
    pact = treaty("offensive", "japan", "france", **CALLS)
    table.act(ARBITER, actions.SetPosition({"phase": "negotiation", "casus_belli": causes, "treaties": [pact]}))
    forecast = forecast_of(table.tables, table.state_for("japan"), "japan", actions.DeclareWar(("russia",)))
    assert forecast.alliances == (("japan", "france"), ("russia",))


@pytest.mark.rule("TRE-011", "WAR-047")
@pytest.mark.parametrize("kind", ["text", "defensive"])
def test_asked_powers_do_not_reveal_a_hidden_treaty(kind: str) -> None:
    games = []
    for hidden in (False, True):
        table = PaxHost.new(tables(), seats_for(7), "calls", {}, game_id="calls", clock=empty_clock)
        table.act(ARBITER, actions.SetPosition({"casus_belli": [{"holder": "japan", "against": "russia"}]}))
        while table.state.phase != "negotiation":
            table.act(ARBITER, actions.Step())
        if hidden:
            article = "defensive" if kind == "defensive" else '"friends"'
            table.act("france", f"treaty Whispered with russia: {article}")
            table.act("russia", f"sign {table.state.treaties[-1].id}")
        table.act("japan", "declare war russia")
        games.append(table)
    plain, secret = games
    assert question_kinds(secret).pop("france") == ("call" if kind == "defensive" else "uncalled")
    assert set(question_kinds(plain).values()) == {"uncalled"} and not plain.state.treaties
    assert_same_view(plain, secret)


@pytest.mark.rule("WAR-047", "WAR-062")
def test_uncalled_powers_are_asked_once_about_all_who_join() -> None:
    table = declared("defensive", "france", "germany", "russia", **CALLS)
    assert (
        question_kinds(table)["france"] == question_kinds(table)["germany"] == "call"
        and question_kinds(table)["britain"] == "uncalled"
    )
    while question_kinds(table) and len(table.state.wars[0].powers) == 2:
        answer(table, next(iter(question_kinds(table))))
    assert table.state.wars[0].alliances == (("japan",), ("russia", "france", "germany"))
    assert sorted(question_kinds(table).values()).count("uncalled") == len(question_kinds(table))
    about = next(c for c in table.state.choices if c.power == "britain").prompt
    assert "France declares War on Japan. Germany declares War on Japan." in about or (
        "Germany declares War on Japan. France declares War on Japan." in about
    )
    for power in question_kinds(table):
        answer(table, power)
    assert not question_kinds(table), "nothing is asked again"
