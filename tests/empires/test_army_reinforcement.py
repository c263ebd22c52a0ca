"""The army reinforcement step and leaders (EIA 5.2, 5.3)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from msgspec.structs import replace

from paxtui.games.empires.decider import legal_actions
from paxtui.games.empires.events.land import ReinforcementLost
from paxtui.games.empires.orders import action_text
from paxtui.games.empires.pieces import Campaign, Factors
from paxtui.games.empires.tables import Area, Border, Reinforcement
from tests.empires.land import Piece, besiege, coast, corps, depot, field, fleet, guard, leader, power_at, tables
from tests.empires.scripted_game import ScriptedGame


def due(factors: Factors | None = None, power: str = "france", **changes: Any) -> Reinforcement:
    """What comes in September."""
    return Reinforcement(month="1805-09", power=power, factors=factors or Factors(), **changes)


def army(*pieces: Piece, come: tuple[Reinforcement, ...] = (), power: str = "france", **changes: Any) -> ScriptedGame:
    """A position in the army step of a Power."""
    game = field(*pieces, on=tables("reinforcement", "land", reinforcements=come), **changes)
    for _ in range(6):
        if game.state.cursor.powers == (power,) and game.state.cursor.step == "army":
            return game
        game.act(game.state.cursor.powers[0], "done")
    raise AssertionError("the step does not come")


NO_AUSTRIA = {area.id: "france" for area in tables().exercise.areas if area.owner == "austria"}
"""Control of every Austrian area by France: Austria has no city to reinforce."""


@pytest.mark.eia("5.2")
def test_powers_reinforce_in_order_and_what_is_not_placed_is_lost() -> None:
    come = (due(Factors(infantry=3)), due(Factors(infantry=2), "austria"))
    full = corps("i", "france", "alsace", most=Factors(infantry=7))
    shut_in = Campaign(sieges={"alsace": "austria"})
    game = field(full, on=tables("reinforcement", "land", reinforcements=come), control=NO_AUSTRIA, campaign=shut_in)
    power_at(game, "austria", "army")
    assert set(game.state.campaign.mustered) == {"austria"}, "France is last"
    game.acts("austria: done")
    assert [(event.power, event.factors.total) for event in game.events_of(ReinforcementLost)] == [("austria", 2)]
    assert game.refused("france", "done") == "reinforcements_due", "what can be placed is not given up"
    game.acts("france: reinforce i with infantry=2", "france: done")
    assert game.events_of(ReinforcementLost)[-1].factors.total == 1
    assert not game.state.campaign.due
    assert game.state.corps["i"].factors.total == 7


@pytest.mark.eia("5.2.1.1")
def test_a_scenario_corps_is_lost_where_enemies_are() -> None:
    new = due(corps=(corps("new", "france", "ansbach", 8),))
    assert "new" in army(come=(new,)).state.corps
    beside = army(corps("m", "austria", "ansbach"), come=(new,))
    assert "new" not in beside.state.corps
    held = army(come=(new,), control={"ansbach": "austria"})
    assert "new" not in held.state.corps
    assert not any(one.factors.total == 8 for one in held.state.corps.values())


@pytest.mark.eia("5.2.2", "5.2.2.1")
def test_factors_for_an_area_join_unbesieged_corps_there_with_room_or_its_garrison() -> None:
    come = (due(Factors(infantry=6), where="alsace"),)
    pieces = (
        corps("i", "france", "alsace", 5, most=Factors(infantry=7)),
        corps("ii", "france", "baden"),
        guard("alsace", "france", 12),
    )
    game = army(*pieces, come=come)
    assert game.refused("france", "reinforce ii with infantry=1") == "not_due"
    assert game.refused("france", "reinforce i with infantry=3") == "no_room"
    assert game.refused("france", "reinforce alsace with infantry=4") == "no_room"
    game.acts("france: reinforce i with infantry=2", "france: reinforce alsace with infantry=3")
    assert game.state.campaign.due[0].factors == Factors(infantry=1)
    besieged = besiege(
        army(corps("i", "france", "alsace", inside=True), corps("m", "austria", "alsace"), come=come),
        "alsace",
        "austria",
    )
    assert besieged.refused("france", "reinforce i with infantry=1") == "besieged"
    assert besieged.refused("france", "reinforce alsace with infantry=1") == "no_city"


@pytest.mark.eia("5.2.2.2.1")
def test_at_home_factors_join_any_corps_of_their_nation() -> None:
    game = army(corps("i", "france", "alsace"), come=(due(Factors(infantry=2, militia=2)),))
    game.act("france", "reinforce i with infantry=2,militia=2")
    away = army(corps("i", "france", "munich"), come=(due(Factors(infantry=2)),))
    assert away.refused("france", "reinforce i with infantry=1") == "no_chain"


@pytest.mark.eia("5.2.2.2.2")
def test_garrisons_at_home_take_infantry_and_militia_and_the_rest_as_infantry() -> None:
    game = army(come=(due(Factors(militia=1, cavalry=1, guard=1)),))
    game.act("france", "reinforce alsace with militia=1,cavalry=1,guard=1")
    assert game.state.garrisons[0].factors == Factors(infantry=2, militia=1)
    abroad = army(guard("munich", "france"), come=(due(Factors(infantry=1)),))
    assert abroad.refused("france", "reinforce munich with infantry=1") == "not_at_home"


HOME = Area(id="a0", name="Home", owner="france", city="Home", supply=3)
ROW = (HOME, *(Area(id=f"a{n}", name=f"Area {n}", owner="austria") for n in range(1, 14)))
"""Fourteen areas in a row, the first of them at home with a city."""
CHAIN = [depot(f"a{n}", "france") for n in range(0, 14, 2)]
"""Seven depots, two areas apart."""


def on_the_row(where: str, factors: Factors) -> ScriptedGame:
    """A corps in an area of the row, beside the depots of the chain, and factors that are due."""
    borders = tuple(Border(a=one.id, b=other.id) for one, other in pairwise(ROW))
    made = tables("reinforcement", areas=ROW, borders=borders, prizes={}, reinforcements=(due(factors),))
    return power_at(field(corps("i", "france", where), *CHAIN, on=made), "france", "army")


@pytest.mark.eia("5.2.2.2.3", "5.2.2.2.3.1")
def test_corps_abroad_is_reinforced_next_to_a_depot_near_the_source() -> None:
    on_the_row("a11", Factors(infantry=2)).act("france", "reinforce i with infantry=1")
    assert on_the_row("a13", Factors(infantry=2)).refused("france", "reinforce i with infantry=1") == "no_chain"


@pytest.mark.eia("5.2.2.2.3.2")
def test_militia_goes_over_three_depots_at_most() -> None:
    on_the_row("a5", Factors(militia=2)).act("france", "reinforce i with militia=1")
    assert on_the_row("a7", Factors(militia=2)).refused("france", "reinforce i with militia=1") == "no_chain"


@pytest.mark.eia("5.2.2.2.3.3")
def test_free_state_factors_trace_to_their_own_country() -> None:
    come = (due(Factors(infantry=2), nation="bavaria"),)
    away = corps("b", "france", "salzburg", nation="bavaria")
    game = army(away, depot("munich", "france"), come=come)
    game.act("france", "reinforce b with infantry=1")
    french = army(away, depot("alsace", "france"), *(depot(a, "france") for a in ("wurttemberg", "tyrol")), come=come)
    assert french.refused("france", "reinforce b with infantry=1") == "no_chain"
    home = army(corps("b", "france", "munich", nation="bavaria"), come=come)
    home.act("france", "reinforce b with infantry=1")


@pytest.mark.eia("5.2.2.2.3.4")
def test_sea_supply_carries_reinforcements_and_invasion_supply_does_not() -> None:
    come = (due(Factors(infantry=2)),)

    def ashore(*pieces: Piece) -> ScriptedGame:
        game = coast(corps("i", "france", "hills"), depot("brest", "france"), *pieces)
        made = replace(
            game.tables, exercise=replace(game.tables.exercise, phases=("reinforcement",), reinforcements=come)
        )
        fresh = field(*game.state.corps.values(), *game.state.depots, *game.state.fleets.values(), on=made)
        return power_at(fresh, "france", "army")

    by_sea = ashore(depot("ancona", "france"), fleet("f1", "france", "brest", "port"))
    by_sea.act("france", "reinforce i with infantry=1")
    landed = ashore(depot("f2", "france"), fleet("f2", "france", "adriatic"))
    assert landed.refused("france", "reinforce i with infantry=1") == "no_chain"


@pytest.mark.eia("5.2.3")
def test_corps_of_a_nation_in_an_area_exchange_factors_and_an_empty_one_is_removed() -> None:
    pieces = (
        corps("i", "france", "alsace", 3),
        corps("ii", "france", "alsace", 3, most=Factors(infantry=5)),
        corps("b", "france", "alsace", nation="bavaria"),
        corps("a", "france", "alsace", kind="artillery", factors=Factors(artillery=2)),
        corps("far", "france", "baden"),
        leader("ney", "france", "i"),
    )
    game = army(*pieces)
    assert game.refused("france", "exchange i infantry=3 to ii") == "no_room"
    assert game.refused("france", "exchange i infantry=1 to b") == "other_nation"
    assert game.refused("france", "exchange i infantry=1 to far") == "not_there"
    assert game.refused("france", "exchange a artillery=1 to i") == "no_exchange"
    game.acts("france: exchange i infantry=2 to ii", "france: exchange i infantry=1 to city")
    assert "i" not in game.state.corps
    assert game.state.leaders["ney"].where == "ii"
    assert game.state.garrisons[0].factors.infantry == 1


@pytest.mark.eia("5.2.4")
def test_corps_and_garrisons_are_disbanded_without_loss_of_points() -> None:
    game = army(corps("i", "france", "alsace"), guard("alsace", "france"))
    game.acts("france: demobilize i", "france: demobilize alsace")
    assert not game.state.corps
    assert not game.state.garrisons
    assert game.points("france") == [0]


@pytest.mark.eia("5.2.4")
def test_a_part_of_a_garrison_is_disbanded() -> None:
    game = army(
        corps("i", "france", "alsace"),
        depot("alsace", "france"),
        guard("alsace", "france", infantry=3, militia=1),
        guard("alsace", "france", infantry=4, of_depot=True),
    )
    game.acts("france: demobilize alsace infantry=2,militia=1", "france: demobilize alsace infantry=1 from depot")
    assert [(one.of_depot, one.factors) for one in game.state.garrisons] == [
        (False, Factors(infantry=1)),
        (True, Factors(infantry=3)),
    ]
    assert game.refused("france", "demobilize alsace infantry=2") == "too_few"
    assert game.refused("france", "demobilize alsace infantry=1 from moon") == "no_place"
    assert game.refused("france", "demobilize i infantry=1") == "whole_corps"
    game.act("france", "demobilize alsace from depot")
    assert [one.of_depot for one in game.state.garrisons] == [False]
    game.act("france", "demobilize alsace infantry=1 from city")
    assert not game.state.garrisons


@pytest.mark.eia("5.2.4.1", "5.2.4.2")
def test_a_disbanded_corps_comes_back_only_as_a_reinforcement() -> None:
    game = army(corps("i", "france", "alsace"), corps("ii", "france", "alsace"), come=(due(Factors(infantry=2)),))
    game.act("france", "demobilize i")
    assert game.refused("france", "reinforce i with infantry=2") == "unknown_area"
    assert game.refused("france", "exchange ii infantry=1 to i") == "no_corps"


@pytest.mark.eia("5.2.5")
def test_money_comes_in_this_step() -> None:
    game = army(come=(due(money=7),), money=1)
    assert game.state.accounts["france"].money == 8


@pytest.mark.eia("5.3")
def test_a_leader_retires_unless_he_is_besieged() -> None:
    game = army(corps("i", "france", "alsace"), leader("ney", "france", "i"))
    game.act("france", "retire ney")
    assert game.state.leaders["ney"].where == ""
    pieces = (
        corps("i", "france", "alsace", inside=True),
        leader("ney", "france", "i"),
        corps("m", "austria", "alsace"),
    )
    besieged = besiege(army(*pieces), "alsace", "austria")
    assert besieged.refused("france", "retire ney") == "besieged"


@pytest.mark.eia("5.3a")
def test_a_retired_leader_comes_back_with_any_corps() -> None:
    game = army(
        corps("i", "france", "munich"), leader("ney", "france", ""), leader("soult", "france", "", captor="austria")
    )
    game.act("france", "appoint ney to i")
    assert game.state.leaders["ney"].where == "i"
    assert game.refused("france", "appoint soult to i") == "prisoner"


def test_legal_actions_include_every_part_of_a_force() -> None:
    game = army(corps("i", "france", "alsace", factors=Factors(infantry=3, cavalry=1)), guard("alsace", "france"))
    texts = {action_text(action) for action in legal_actions(game.tables, game.state, "france")}
    assert {"demobilize i", "demobilize alsace", "exchange i infantry=2,cavalry=1 to city"} <= texts
    assert {"demobilize alsace infantry=1 from city", "demobilize alsace infantry=2 from city"} <= texts
    game.until("movement")
    texts = {action_text(action) for action in legal_actions(game.tables, game.state, "france")}
    assert {"march i to baden,wurttemberg", "march i to black_forest,wurttemberg", "detach i infantry=2"} <= texts
    assert "force march i to baden,wurttemberg,ansbach,augsburg" in texts
