"""Movement at sea: points, ports, the Dardanelles, ice, stacks, and corps aboard (6.1, 6.2.1, 6.2.2, 6.2.5)."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.engine.dice import Dice
from paxtui.games.empires.naval.fleets import full_route, short_route
from paxtui.games.empires.naval.phase import remove_unlanded_corps
from paxtui.games.empires.pieces import AtSea, Leader
from paxtui.games.empires.transaction import Transaction
from tests.empires.conversation import Conversation
from tests.empires.land import corps
from tests.empires.sea import TABLES, WINTER, Sea, fleet, garrison

ALONE = [("great_britain",)]
BOTH = (("france", "spain"),)


@pytest.mark.eia("6.1")
def test_britain_moves_at_the_place_that_it_announces() -> None:
    game = Conversation("channel-1805")
    game.until("naval", "announce")
    assert game.standing["waiting"] == ["great_britain"]
    game.act("great_britain", "announce spain")
    assert game.standing["waiting"] == ["france", "spain"]
    game.done("france", "spain")
    assert game.standing["waiting"] == ["great_britain"]


@pytest.mark.eia("6.1.1")
def test_a_free_states_fleet_sails_with_its_controller() -> None:
    sea = Sea(fleet("du1", "texel"), groups=[("france",), ("great_britain",)])
    sea.act("france", "sail du1 to north_sea")
    assert sea.place("du1") == "north_sea"


@pytest.mark.eia("6.1.2")
def test_combined_fleets_move_when_the_later_ally_does() -> None:
    game = Conversation("channel-1805")
    game.until("naval", "movement")
    assert game.standing["waiting"] == ["great_britain"]
    game.done()
    assert game.standing["waiting"] == ["france", "spain"]
    sea = Sea(fleet("fr1", "cadiz"), fleet("sp1", "cadiz"), groups=BOTH, combined=BOTH)
    assert "sail fr1,sp1 to gulf_of_cadiz" in sea.menu("france")
    sea.act("france", "sail fr1,sp1 to gulf_of_cadiz")
    assert sea.open_question() == ("spain", "combined_sailing", ("yes", "no"))
    sea.act("spain", "answer yes")
    assert (sea.place("fr1"), sea.place("sp1")) == ("gulf_of_cadiz", "gulf_of_cadiz")


@pytest.mark.eia("6.1.2")
def test_stack_stays_if_the_ally_does_not_agree() -> None:
    sea = Sea(fleet("fr1", "cadiz"), fleet("sp1", "cadiz"), groups=BOTH, combined=BOTH)
    sea.act("france", "sail fr1,sp1 to gulf_of_cadiz")
    sea.act("spain", "answer no")
    assert (sea.place("fr1"), sea.place("sp1")) == ("cadiz", "cadiz")


@pytest.mark.eia("6.1.2a")
def test_without_combined_movement_each_power_moves_in_its_own_place() -> None:
    sea = Sea(fleet("fr1", "cadiz"), fleet("sp1", "cadiz"), groups=[("france",), ("spain",)])
    assert sea.refused("france", "sail fr1,sp1 to gulf_of_cadiz") == ("not_yours", ("EIA 6.1.2",))
    assert sea.refused("spain", "sail sp1 to gulf_of_cadiz")[0] == "not_your_step"


@pytest.mark.eia("6.1.3")
def test_each_power_finishes_moving_and_then_fighting() -> None:
    sea = Sea(fleet("gb1", "channel"), fleet("fr1", "channel"))
    assert sea.refused("great_britain", "strike france at channel")[0] == "not_this_step"
    sea.act("great_britain", "done")
    assert sea.refused("great_britain", "sail gb1 to straits_of_dover")[0] == "not_this_step"
    assert sea.waiting == ("great_britain",)
    sea.act("great_britain", "done")
    assert sea.waiting == ("france",)


@pytest.mark.eia("6.2", "6.2.4")
def test_movement_and_attack_at_sea_are_optional() -> None:
    sea = Sea(fleet("gb1", "channel"), fleet("fr1", "channel"))
    sea.act("great_britain", "done")
    sea.act("great_britain", "done")
    assert sea.place("gb1") == "channel"


@pytest.mark.eia("6.2.1", "6.2.1.1")
def test_fleet_has_seven_movement_points() -> None:
    sea = Sea(fleet("gb1", "straits_of_dover"), groups=ALONE)
    way = "channel,western_approaches,bay_of_biscay,cape_finisterre,cape_st_vincent,gulf_of_cadiz,straits_of_gibraltar"
    assert sea.refused("great_britain", f"sail gb1 to {way},balearic_sea") == ("too_far", ("EIA 6.2.1",))
    sea.act("great_britain", f"sail gb1 to {way}")
    assert sea.state.fleets["gb1"].moved == 7
    assert sea.refused("great_britain", "sail gb1 to balearic_sea")[0] == "too_far"


@pytest.mark.eia("6.2.1a")
def test_points_are_not_kept_for_the_next_month() -> None:
    sea = Sea(fleet("gb1", "channel"), groups=ALONE)
    sea.act("great_britain", "sail gb1 to straits_of_dover")
    sea.act("great_britain", "done")
    while sea.state.cursor.step != "movement" or sea.waiting != ("great_britain",):
        sea.act(sea.waiting[0], "announce first" if sea.state.cursor.step == "announce" else "done")
    assert sea.state.fleets["gb1"].moved == 0


@pytest.mark.eia("6.2.1.2", "6.2.1.2a")
def test_a_port_is_left_through_its_box_and_that_costs_one() -> None:
    sea = Sea(fleet("gb1", "plymouth"), groups=ALONE)
    sea.act("great_britain", "sail gb1 to western_approaches")
    assert (sea.place("gb1"), sea.state.fleets["gb1"].moved) == ("western_approaches", 1)
    sea.act("great_britain", "sail gb1 to cork")
    assert (sea.place("gb1"), sea.state.fleets["gb1"].moved) == ("cork", 2)


def test_a_voyage_to_a_goal_alone_takes_the_shortest_route() -> None:
    sea = Sea(fleet("gb1", "plymouth"), groups=ALONE)
    sea.act("great_britain", "sail gb1 to irish_sea")
    assert (sea.place("gb1"), sea.state.fleets["gb1"].moved) == ("irish_sea", 2)
    sea.act("great_britain", "sail gb1 to cape_finisterre")
    assert (sea.place("gb1"), sea.state.fleets["gb1"].moved) == ("cape_finisterre", 5)
    assert sea.refused("great_britain", "sail gb1 to gulf_of_lions")[0] == "too_far"


def test_named_route_is_sailed_unchanged() -> None:
    sea = Sea(fleet("gb1", "western_approaches"), groups=ALONE)
    sea.act("great_britain", "sail gb1 to atlantic,bay_of_biscay")
    assert (sea.place("gb1"), sea.state.fleets["gb1"].moved) == ("bay_of_biscay", 3)


def test_no_route_is_found_through_closed_straits() -> None:
    sea = Sea(fleet("ru1", "black_sea"), groups=[("russia",)])
    assert sea.refused("russia", "sail ru1 to aegean")[0] == "not_beside"


@pytest.mark.parametrize(
    ("start", "route", "short"),
    [
        ("brest", ("off_brest", "bay_of_biscay", "off_rochefort", "rochefort"), ("bay_of_biscay", "rochefort")),
        ("brest", ("off_brest",), ("off_brest",)),
        ("channel", ("off_brest", "brest"), ("off_brest", "brest")),
        ("off_brest", ("brest", "off_brest", "bay_of_biscay"), ("brest", "bay_of_biscay")),
    ],
)
def test_blockade_boxes_of_a_route_may_be_omitted(start: str, route: tuple[str, ...], short: tuple[str, ...]) -> None:
    assert short_route(TABLES, start, route) == short
    assert full_route(TABLES, start, short) == route


@pytest.mark.eia("6.2.1.2", "6.2.1.2a")
def test_between_a_port_and_its_box_nothing_is_paid() -> None:
    sea = Sea(fleet("gb1", "plymouth"), fleet("fr1", "off_plymouth"), groups=ALONE, wars=[("great_britain", "spain")])
    sea.act("great_britain", "sail gb1 to off_plymouth,plymouth,off_plymouth,channel")
    assert sea.state.fleets["gb1"].moved == 1


@pytest.mark.eia("6.2.1.2b")
def test_a_foreign_port_is_entered_by_leave_or_to_attack() -> None:
    sea = Sea(fleet("gb1", "cape_st_vincent"), fleet("fr1", "ferrol"), groups=ALONE)
    assert sea.refused("great_britain", "sail gb1 to off_lisbon,lisbon") == ("closed_port", ("EIA 6.2.1.2",))
    assert sea.refused("great_britain", "sail gb1 to gulf_of_cadiz,off_cadiz,cadiz")[0] == "closed_port"
    sea.act("great_britain", "sail gb1 to cape_finisterre,off_ferrol,ferrol")
    sea.act("france", "answer none")
    assert sea.place("gb1") == "ferrol"
    guest = Sea(fleet("gb1", "cape_st_vincent"), groups=ALONE, access=(("portugal", "great_britain"),))
    guest.act("great_britain", "sail gb1 to lisbon")
    assert guest.place("gb1") == "lisbon"


@pytest.mark.eia("6.2.1.3")
def test_dardanelles_are_open_to_their_holder_and_powers_with_access() -> None:
    def leave(**more: Any) -> Sea:
        return Sea(fleet("ru1", "black_sea"), groups=[("russia",)], **more)

    assert leave().refused("russia", "sail ru1 to marmara") == ("straits", ("EIA 6.2.1.3",))
    leave(access=(("turkey", "russia"),)).act("russia", "sail ru1 to marmara")
    leave(control={"constantinople": "russia"}).act("russia", "sail ru1 to marmara")
    siege = {"troops": [corps("bagration", "russia", "constantinople", 10)], "wars": [("russia", "turkey")]}
    leave(**siege, garrisons=(garrison("constantinople", "turkey"),)).act("russia", "sail ru1 to marmara")
    besieged = Sea(
        fleet("tu1", "constantinople"), groups=[("turkey",)], wars=[("russia", "turkey")],
        troops=[corps("bagration", "russia", "constantinople", 10)], garrisons=(garrison("constantinople", "turkey"),),
    )  # fmt: skip
    assert besieged.refused("turkey", "sail tu1 to marmara")[0] == "straits"


@pytest.mark.eia("6.2.1.4")
def test_ice_keeps_fleets_out_and_in_during_winter() -> None:
    sea = Sea(fleet("ru1", "riga"), fleet("ru2", "kattegat"), fleet("ru3", "baltic"), groups=[("russia",)], turn=WINTER)
    assert sea.refused("russia", "sail ru1 to baltic") == ("ice", ("EIA 6.2.1.4",))
    assert sea.refused("russia", "sail ru2 to baltic")[0] == "ice"
    assert sea.refused("russia", "sail ru3 to kattegat")[0] == "ice"
    summer = Sea(fleet("ru1", "riga"), groups=[("russia",)])
    summer.act("russia", "sail ru1 to baltic,kattegat")


@pytest.mark.eia("6.2.1.4a")
def test_no_combat_beyond_the_ice_line_in_winter() -> None:
    sea = Sea(
        fleet("ru1", "baltic"), fleet("gb1", "baltic"), groups=[("russia",)], wars=[("russia", "great_britain")],
        turn=WINTER, step="combat",
    )  # fmt: skip
    assert sea.refused("russia", "strike great_britain at baltic") == ("ice", ("EIA 6.2.1.4",))


@pytest.mark.eia("6.2.2.1", "6.2.2.3", "6.2.2.4")
def test_fleets_are_left_behind_on_the_way_and_have_then_moved() -> None:
    sea = Sea(fleet("gb1", "channel"), fleet("gb2", "channel"), fleet("gb3", "channel"), groups=ALONE)
    sea.act("great_britain", "sail gb1,gb2 to western_approaches")
    sea.act("great_britain", "sail gb1 to bay_of_biscay")
    assert [sea.place(f"gb{n}") for n in (1, 2, 3)] == ["bay_of_biscay", "western_approaches", "channel"]
    assert sea.refused("great_britain", "sail gb2 to channel") == ("moved", ("EIA 6.2.2.4",))


@pytest.mark.eia("6.2.2.2")
def test_fleets_are_taken_up_on_the_way() -> None:
    sea = Sea(fleet("gb1", "channel"), fleet("gb2", "plymouth"), groups=ALONE)
    assert sea.refused("great_britain", "sail gb1,gb2 to western_approaches") == ("apart", ("EIA 6.2.2",))
    sea.act("great_britain", "sail gb1 to plymouth")
    sea.act("great_britain", "sail gb1,gb2 to western_approaches")
    assert (sea.state.fleets["gb1"].moved, sea.state.fleets["gb2"].moved) == (2, 1)


@pytest.mark.eia("6.2.2.5", "6.2.2.4")
def test_stack_after_stack_moves_and_none_twice() -> None:
    sea = Sea(fleet("gb1", "channel"), fleet("gb2", "plymouth"), groups=ALONE)
    sea.act("great_britain", "sail gb1 to straits_of_dover")
    sea.act("great_britain", "sail gb2 to channel")
    assert sea.refused("great_britain", "sail gb1 to channel")[0] == "moved"


@pytest.mark.eia("6.2.5")
def test_a_fleet_carries_one_corps() -> None:
    troops = [corps("moore", "great_britain", "plymouth", 10), corps("hope", "great_britain", "plymouth", 10)]
    leader = Leader(id="abercromby", power="great_britain", where="moore")
    sea = Sea(fleet("gb1", "plymouth"), groups=ALONE, troops=troops, leaders=[leader])
    assert sea.refused("great_britain", "sail gb1 to channel with moore,hope") == ("no_room", ("EIA 6.2.5",))
    sea.act("great_britain", "sail gb1 to channel with moore")
    assert sea.state.fleets["gb1"].cargo == ("moore",)
    assert (sea.state.corps["moore"].where, sea.state.corps["hope"].where) == ("", "plymouth")
    assert sea.state.leaders["abercromby"].where == "moore"


@pytest.mark.eia("6.2.5a")
def test_corps_of_another_power_go_aboard_in_combined_movement_only() -> None:
    troops = [corps("ney", "france", "cadiz", 10)]
    apart = Sea(fleet("sp1", "cadiz"), groups=[("spain",)], troops=troops)
    assert apart.refused("spain", "sail sp1 to gulf_of_cadiz with ney") == ("not_combined", ("EIA 6.2.5",))
    together = Sea(fleet("sp1", "cadiz"), groups=[("france", "spain")], troops=troops, combined=(("france", "spain"),))
    together.act("spain", "sail sp1 to gulf_of_cadiz with ney")
    assert together.state.fleets["sp1"].cargo == ("ney",)


@pytest.mark.eia("6.2.5b")
@pytest.mark.parametrize("kind", ["guerrilla", "cossack", "freikorps"])
def test_irregulars_stay_ashore(kind: str) -> None:
    sea = Sea(
        fleet("gb1", "plymouth"), groups=ALONE, troops=[corps("band", "great_britain", "plymouth", 10, kind=kind)]
    )
    assert sea.refused("great_britain", "sail gb1 to channel with band") == ("not_carried", ("EIA 6.2.5",))


@pytest.mark.eia("6.2.5.1")
def test_corps_and_fleet_begin_in_one_friendly_port() -> None:
    troops = [corps("moore", "great_britain", "plymouth", 10), corps("hope", "great_britain", "portsmouth", 10)]
    sea = Sea(fleet("gb1", "plymouth"), fleet("gb2", "channel"), groups=ALONE, troops=troops)
    assert sea.refused("great_britain", "sail gb1 to channel with hope") == ("not_in_port", ("EIA 6.2.5.1",))
    sea.act("great_britain", "sail gb2 to plymouth")
    assert sea.refused("great_britain", "sail gb2 to channel with moore")[0] == "not_in_port"
    siege = Sea(
        fleet("gb1", "plymouth"), groups=ALONE,
        troops=[corps("moore", "great_britain", "plymouth", 10, inside=True), corps("ney", "france", "plymouth", 10)],
        garrisons=(garrison("plymouth", "great_britain"),),
    )  # fmt: skip
    siege.act("great_britain", "sail gb1 to channel with moore")


@pytest.mark.eia("6.2.5.1a")
def test_a_carrier_enters_only_ports_that_are_open_to_it() -> None:
    troops = [corps("moore", "great_britain", "gibraltar", 10)]
    sea = Sea(fleet("gb1", "gibraltar"), fleet("sp1", "cadiz"), groups=ALONE, troops=troops)
    order = "sail gb1 to gulf_of_cadiz,off_cadiz,cadiz"
    assert sea.refused("great_britain", f"{order} with moore") == ("closed_port", ("EIA 6.2.5.1",))
    sea.act("great_britain", order)
    sea.act("spain", "answer none")
    assert sea.place("gb1") == "cadiz"


@pytest.mark.eia("6.2.5.2")
def test_a_corps_that_does_not_land_is_lost_and_its_leader_retires() -> None:
    leader = Leader(id="abercromby", power="great_britain", where="moore")
    sea = Sea(
        fleet("gb1", "channel", cargo=("moore",)), groups=ALONE, troops=[corps("moore", "great_britain", "", 10)],
        leaders=[leader],
    )  # fmt: skip
    play = Transaction(sea.tables, sea.state, Dice("x"))
    remove_unlanded_corps(play)
    assert "moore" not in play.state.corps
    assert play.state.fleets["gb1"].cargo == ()
    assert play.state.leaders["abercromby"].where == ""


@pytest.mark.eia("3.0")
def test_steps_in_which_a_power_has_nothing_at_sea_go_by() -> None:
    sea = Sea(fleet("gb1", "channel"), fleet("sp1", "cadiz"))
    sea.act("great_britain", "done")
    assert (sea.waiting, sea.state.cursor.step) == (("spain",), "movement")  # no enemy beside gb1, no French fleet


@pytest.mark.eia("6.1.3")
def test_moved_fleets_may_move_again_in_the_next_sequence() -> None:
    sea = Sea(fleet("gb1", "channel"), fleet("fr1", "straits_of_dover"), groups=[("great_britain",), ("france",)])
    sea.act("great_britain", "sail gb1 to straits_of_dover")
    sea.act("france", "answer none")
    sea.act("great_britain", "done")
    assert sea.state.at_sea.done == ("gb1",)
    sea.act("great_britain", "done")
    assert sea.state.at_sea == AtSea()


@pytest.mark.eia("6.2.1.2")
def test_a_fleet_that_enters_a_foreign_port_stays_to_attack() -> None:
    through = Sea(fleet("gb1", "off_brest", 20), fleet("fr1", "brest"))
    assert through.refused("great_britain", "sail gb1 to brest,off_brest")[0] == "must_attack"
    sea = Sea(fleet("gb1", "off_brest", 20), fleet("fr1", "brest"))
    sea.act("great_britain", "sail gb1 to brest")
    while sea.state.questions:
        sea.act(sea.open_question()[0], f"answer {sea.open_question()[2][-1]}")
    assert sea.refused("great_britain", "sail gb1 to off_brest")[0] == "must_attack"
    assert not [text for text in sea.menu("great_britain") if text.startswith("sail gb1")]
    sea.act("great_britain", "done")
    assert sea.refused("great_britain", "done")[0] == "must_attack"
