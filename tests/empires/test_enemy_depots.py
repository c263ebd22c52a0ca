"""Enemy depots that a counter comes upon (EIA 7.3.6)."""

from __future__ import annotations

import pytest

from paxtui.games.empires.events.land import Supplied
from tests.empires.land import corps, depot, field, guard
from tests.empires.scripted_game import ScriptedGame


def depots(game: ScriptedGame) -> set[tuple[str, str]]:
    """All depots: where, and whose."""
    return {(one.where, one.power) for one in game.state.depots}


@pytest.mark.eia("7.3.6.1")
def test_a_corps_that_ends_its_march_on_a_destroyed_depot_is_supplied() -> None:
    game = field(corps("i", "france", "augsburg"), depot("munich", "austria"), at="movement")
    assert game.refused("france", "destroy depot i") == "no_depot"
    game.acts("france: march i to munich", "france: destroy depot i")
    assert not game.state.depots
    assert not game.state.campaign.treks["i"].fed, "its march goes on"
    game.act("france", "done")
    assert [event.how for event in game.events_of(Supplied)] == ["captured"]
    assert game.state.accounts["france"].money == 20, "and neither pays nor rolls"
    onwards = field(corps("i", "france", "augsburg"), depot("munich", "austria"), at="movement")
    onwards.acts("france: march i to munich", "france: destroy depot i", "france: march i to augsburg")
    onwards.act("france", "done", 1)
    assert [event.how for event in onwards.events_of(Supplied)] == ["foraged"], "only who stops there lives on it"


@pytest.mark.eia("7.3.6.1a")
def test_a_depot_is_converted_at_no_cost_where_it_continues_a_chain() -> None:
    game = field(
        corps("i", "france", "augsburg"), depot("franconia", "france"), depot("pilsen", "austria"), at="movement"
    )
    game.acts("france: march i to upper_palatinate", "france: march i to pilsen")
    game.act("france", "convert depot i")
    assert depots(game) == {("franconia", "france"), ("pilsen", "france")}
    assert game.state.accounts["france"].money == 20
    lone = field(corps("i", "france", "budweis"), depot("budweis", "austria"), at="movement")
    assert lone.refused("france", "convert depot i") == "no_chain"


@pytest.mark.eia("7.3.6.2")
def test_the_garrison_may_burn_its_depot_and_goes_into_the_city() -> None:
    pieces = (corps("i", "france", "augsburg"), depot("tyrol", "austria"), guard("tyrol", "austria", 3, of_depot=True))
    game = field(*pieces, at="movement")
    game.act("france", "march i to tyrol")
    assert game.open_question == ("austria", "burn_depot")
    game.act("austria", "answer destroy")
    assert not game.state.depots
    assert [(one.of_depot, one.factors.total) for one in game.state.garrisons] == [(False, 3)]


@pytest.mark.eia("7.3.6.2")
def test_what_the_city_does_not_hold_surrenders() -> None:
    pieces = (
        corps("i", "france", "augsburg"),
        depot("tyrol", "austria"),
        guard("tyrol", "austria", 3, of_depot=True),
        guard("tyrol", "austria", 9),
    )
    game = field(*pieces, at="movement")
    game.acts("france: march i to tyrol", "austria: answer destroy")
    assert [(one.of_depot, one.factors.total) for one in game.state.garrisons] == [(False, 10)]


@pytest.mark.eia("7.3.6.2")
def test_a_garrison_that_stays_is_fought_before_its_depot_is_taken() -> None:

    game = field(
        corps("i", "france", "baden"),
        depot("black_forest", "austria"),
        depot("alsace", "france"),
        guard("black_forest", "austria", 2, of_depot=True),
        at="movement",
    )
    game.acts("france: march i to black_forest", "austria: answer keep")
    assert game.refused("france", "destroy depot i") == "guarded"
    game.act("france", "done")
    assert game.open_question == ("france", "captured_depot")
    game.act("france", "answer convert")
    assert ("black_forest", "france") in depots(game)
    assert not game.state.garrisons
