"""Detaching and absorbing, garrisons, corps in cities (EIA 7.3.3, 7.3.4)."""

from __future__ import annotations

import pytest

from paxtui.games.empires.board import city_load
from paxtui.games.empires.pieces import Factors
from tests.empires.land import at_movement, besiege, corps, depot, guard, leader, power_at
from tests.empires.scripted_game import ScriptedGame


def garrison_at(game: ScriptedGame, area: str, of_depot: bool = False) -> Factors:
    """The garrison of a city or depot."""
    return next(
        (one.factors for one in game.state.garrisons if (one.where, one.of_depot) == (area, of_depot)), Factors()
    )


@pytest.mark.eia("7.3.3")
def test_a_corps_detaches_and_absorbs_at_no_cost() -> None:
    game = at_movement(corps("i", "france", "alsace", 5))
    game.act("france", "detach i infantry=2")
    assert (game.state.corps["i"].factors.total, garrison_at(game, "alsace").infantry) == (3, 2)
    game.act("france", "absorb i infantry=1")
    assert (game.state.corps["i"].factors.total, garrison_at(game, "alsace").infantry) == (4, 1)
    assert game.state.corps["i"].moved == 0
    assert game.refused("france", "detach i infantry=9") == "too_few"
    assert game.refused("france", "absorb i infantry=2") == "too_few"


@pytest.mark.eia("7.3.3")
def test_absorbed_factors_must_fit_into_the_corps() -> None:
    small = corps("i", "france", "alsace", 5, most=Factors(infantry=5))
    assert at_movement(small, guard("alsace", "france")).refused("france", "absorb i infantry=1") == "no_room"


@pytest.mark.eia("7.3.3")
def test_artillery_corps_and_besieged_corps_exchange_nothing() -> None:
    guns = corps("a", "france", "alsace", kind="artillery", factors=Factors(artillery=3, infantry=1))
    assert at_movement(guns).refused("france", "detach a infantry=1") == "no_exchange"
    shut = besiege(
        at_movement(corps("i", "france", "alsace", inside=True), corps("m", "austria", "alsace")), "alsace", "austria"
    )
    assert shut.refused("france", "detach i infantry=1") == "besieged"


@pytest.mark.eia("7.3.3")
def test_the_city_must_be_friendly_or_vacant_and_unbesieged() -> None:
    taken = at_movement(corps("i", "france", "munich"), guard("munich", "austria"))
    assert taken.refused("france", "detach i infantry=1") == "no_city"
    vacant = at_movement(corps("i", "france", "tyrol"))
    vacant.act("france", "detach i infantry=1")
    assert vacant.state.control["tyrol"] == "france"
    assert at_movement(corps("i", "france", "black_forest")).refused("france", "detach i infantry=1") == "no_city"


@pytest.mark.eia("7.3.3.1")
def test_no_factors_are_detached_or_absorbed_in_the_area_of_an_enemy_corps() -> None:
    game = at_movement(corps("i", "france", "alsace"), corps("m", "austria", "alsace"), guard("alsace", "france"))
    assert game.refused("france", "detach i infantry=1") == "enemy_there"
    assert game.refused("france", "absorb i infantry=1") == "enemy_there"


@pytest.mark.eia("7.3.3.1.1", "7.3.3.5.2")
def test_free_state_factors_stay_in_their_country() -> None:
    abroad = at_movement(corps("b", "france", "alsace", nation="bavaria"), depot("alsace", "france"))
    assert abroad.refused("france", "detach b infantry=1") == "not_at_home"
    assert abroad.refused("france", "detach b infantry=1 to depot") == "not_at_home"
    home = at_movement(corps("b", "france", "munich", nation="bavaria"), depot("munich", "france"))
    home.acts("france: detach b infantry=1", "france: detach b infantry=1 to depot")


@pytest.mark.eia("7.3.3.1.2")
def test_a_corps_keeps_a_factor() -> None:
    assert at_movement(corps("i", "france", "alsace", 2)).refused("france", "detach i infantry=2") == "emptied"


@pytest.mark.eia("7.3.3.2", "7.3.3.3")
def test_cavalry_and_guard_become_infantry_and_artillery_stays() -> None:
    mixed = corps("i", "france", "alsace", factors=Factors(infantry=1, militia=1, cavalry=2, guard=2, artillery=1))
    game = at_movement(mixed)
    game.act("france", "detach i cavalry=1,guard=2,militia=1")
    assert garrison_at(game, "alsace") == Factors(infantry=3, militia=1)
    assert game.refused("france", "detach i artillery=1") == "no_exchange"
    game.act("france", "absorb i infantry=3")
    assert game.state.corps["i"].factors == Factors(infantry=4, cavalry=1, artillery=1)


@pytest.mark.eia("7.3.3.3.1", "7.3.3.3.2")
def test_counters_in_a_city_are_its_garrison_as_they_are() -> None:
    game = at_movement(corps("c", "france", "alsace", 1, kind="cossack"), corps("i", "france", "alsace", 13))
    game.acts("france: enter c", "france: enter i")
    assert all(game.state.corps[name].inside for name in "ci")
    assert city_load(game.state, "alsace") == 14


@pytest.mark.eia("7.3.3.4")
def test_a_city_holds_five_for_each_point_of_its_supply_value() -> None:
    game = at_movement(corps("i", "france", "alsace", 20), corps("ii", "france", "alsace", 12))
    assert game.refused("france", "enter i") == "no_room"
    assert game.refused("france", "detach i infantry=16") == "no_room"
    game.act("france", "enter ii")
    assert game.refused("france", "detach i infantry=4") == "no_room"
    game.act("france", "detach i infantry=3")


@pytest.mark.eia("7.3.3.4a")
def test_a_leader_goes_into_a_city_with_his_corps_and_takes_no_room() -> None:
    game = at_movement(corps("i", "france", "alsace", 15), leader("ney", "france", "i"), leader("soult", "france", "i"))
    game.act("france", "enter i")
    assert {one.where for one in game.state.leaders.values()} == {"i"}


@pytest.mark.eia("7.3.3.5", "7.3.3.5.1")
def test_a_depot_holds_ten_of_its_own_power() -> None:
    game = at_movement(corps("i", "france", "alsace", 14), depot("alsace", "france"))
    assert game.refused("france", "detach i infantry=11 to depot") == "no_room"
    game.act("france", "detach i infantry=10 to depot")
    assert garrison_at(game, "alsace", of_depot=True).infantry == 10
    theirs = at_movement(corps("i", "france", "munich"), depot("munich", "austria"))
    assert theirs.refused("france", "detach i infantry=1 to depot") == "no_depot"


@pytest.mark.eia("7.3.3.5.3")
def test_a_depot_in_a_city_adds_no_room() -> None:
    game = at_movement(corps("i", "france", "alsace", 16), depot("alsace", "france", inside=True))
    assert game.refused("france", "enter i") == "no_room"
    assert game.refused("france", "detach i infantry=1 to depot") == "no_depot"


@pytest.mark.eia("7.3.4")
def test_in_and_out_of_a_city_costs_nothing() -> None:
    game = at_movement(corps("i", "france", "alsace"))
    game.acts("france: enter i", "france: leave i", "france: enter i")
    assert game.refused("france", "enter i") == "inside"
    game.act("france", "march i to baden,wurttemberg,ansbach")
    assert not game.state.corps["i"].inside
    assert game.refused("france", "leave i") == "outside"


@pytest.mark.eia("7.3.4")
def test_nothing_comes_out_of_a_besieged_city() -> None:
    pieces = (corps("i", "france", "alsace", inside=True), corps("m", "austria", "alsace"))
    shut = besiege(at_movement(*pieces), "alsace", "austria")
    assert shut.refused("france", "leave i") == "besieged"
    assert shut.refused("france", "march i to baden") == "besieged"


@pytest.mark.eia("7.3.7.1a")
def test_all_of_a_side_besiege_if_any_does() -> None:
    game = at_movement(corps("i", "france", "munich"), corps("ii", "france", "munich"), guard("munich", "austria"))
    game.act("france", "besiege i")
    assert game.state.campaign.sieges == {"munich": "france"}
    assert all(game.state.campaign.treks[name].besieges for name in ("i", "ii"))
    game.act("france", "march i to augsburg")
    assert game.state.campaign.sieges == {"munich": "france"}
    game.act("france", "march ii to augsburg")
    assert not game.state.campaign.sieges, "no corps is left to support it"


@pytest.mark.eia("7.3.7.1a")
def test_a_siege_needs_an_enemy_in_the_city_and_none_before_it() -> None:
    assert at_movement(corps("i", "france", "munich")).refused("france", "besiege i") == "no_siege"
    guarded = at_movement(corps("i", "france", "munich"), guard("munich", "austria"), corps("m", "austria", "munich"))
    assert guarded.refused("france", "besiege i") == "enemy_there"
    passed = at_movement(corps("i", "france", "augsburg"), guard("munich", "austria"))
    passed.act("france", "march i to munich,upper_palatinate")
    assert power_at(passed, "austria", "depots")
    lifted = at_movement(corps("i", "france", "munich"), guard("munich", "austria"))
    lifted.acts("france: besiege i", "france: lift siege munich")
    assert not lifted.state.campaign.sieges
