"""Retreat and pursuit, fleets in fallen ports, and blockades (6.3.5, 6.2.6, 6.2.7)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from paxtui.engine.dice import Dice
from paxtui.games.empires.events.sea import FleetRemoved, LeaderTaken, StackMoved, WindRolled
from paxtui.games.empires.naval.phase import continue_combat
from paxtui.games.empires.naval.retreat import retreat_ports
from paxtui.games.empires.pieces import Fleet
from paxtui.games.empires.transaction import Transaction
from tests.empires.land import corps
from tests.empires.sea import TABLES, WINTER, Sea, every, fleet, nelson, only

ALONE = [("great_britain",)]
ONE_WAR = [("great_britain", "france")]


def _beaten(*more: Fleet, place: str = "channel", **given: Any) -> Sea:
    """A French fleet that was beaten at a place and must go."""
    sea = Sea(fleet("gb1", place, 40), fleet("fr1", place, 10), *more, step="combat", **given)
    sea.act("great_britain", f"strike france at {place}")
    sea.act("france", "answer stand", 6, 1, 1, 1)
    return sea


@pytest.mark.eia("6.3.5.1")
def test_the_beaten_go_to_the_nearest_open_port_of_their_own() -> None:
    assert _beaten().open_question()[2] == ("le_havre", "sea")
    assert _beaten(fleet("gb2", "off_le_havre")).open_question()[2] == ("boulogne", "brest", "sea")
    assert _beaten(place="atlantic").open_question()[2] == ("brest", "sea")
    shut = [fleet(f"gb{n}", f"off_{port}") for n, port in enumerate(("brest", "rochefort", "boulogne", "le_havre"), 2)]
    far = retreat_ports(TABLES, _beaten(*shut, fleet("gb9", "off_texel")).state, (fleet("fr1", "channel"),), "channel")
    assert far == ()  # Toulon lies more than seven points away


@pytest.mark.eia("6.3.5.1")
def test_retreat_into_an_equally_near_port_of_an_ally_needs_access() -> None:
    near = _beaten(place="cape_finisterre", access=(("spain", "france"),))
    assert "ferrol" in near.open_question()[2]
    assert "ferrol" not in _beaten(place="cape_finisterre").open_question()[2]
    together = _beaten(place="cape_finisterre", combined=(("france", "spain"),), wars=ONE_WAR)
    assert "ferrol" in together.open_question()[2]


@pytest.mark.eia("6.3.5.1a", "6.3.5.1")
def test_any_of_the_victors_follow_and_blockade() -> None:
    sea = _beaten(fleet("gb2", "channel", 10))
    sea.act("great_britain", "answer 1")
    sea.act("france", "answer le_havre")
    assert sea.open_question() == ("great_britain", "pursuit", ("gb1", "gb2", "gb1,gb2", "none"))
    sea.act("great_britain", "answer gb2")
    assert (sea.place("gb1"), sea.place("gb2")) == ("channel", "off_le_havre")


@pytest.mark.eia("6.3.5.1.1")
def test_victor_chooses_the_area_of_a_retreat_to_sea_without_pursuit() -> None:
    sea = _beaten(place="channel")
    sea.act("france", "answer sea")
    assert sea.open_question() == ("great_britain", "driven_off", ("straits_of_dover", "western_approaches"))
    sea.act("great_britain", "answer straits_of_dover")
    assert (sea.place("fr1"), sea.place("gb1")) == ("straits_of_dover", "channel")
    assert sea.state.at_sea.encounter is None


@pytest.mark.eia("6.3.5.1.1")
def test_without_any_port_the_victor_chooses_the_retreat_at_once() -> None:
    shut = [fleet(f"gb{n}", f"off_{port}") for n, port in enumerate(("brest", "rochefort", "boulogne", "le_havre"), 2)]
    sea = _beaten(*shut, fleet("gb9", "off_texel"))
    assert sea.open_question()[:2] == ("great_britain", "driven_off")


@pytest.mark.eia("6.3.5.1.2")
def test_no_retreat_or_pursuit_leads_over_ice_or_through_closed_straits() -> None:
    russians = (fleet("ru1", "kattegat"),)
    winter = Sea(*russians, fleet("gb1", "kattegat"), turn=WINTER, wars=[("russia", "great_britain")])
    summer = Sea(*russians, fleet("gb1", "kattegat"), wars=[("russia", "great_britain")])
    assert retreat_ports(TABLES, winter.state, russians, "kattegat") == ()
    assert retreat_ports(TABLES, summer.state, russians, "kattegat") == ("riga",)
    south = (fleet("ru1", "aegean"),)
    assert retreat_ports(TABLES, Sea(*south).state, south, "aegean") == ()
    assert retreat_ports(TABLES, Sea(*south, access=(("turkey", "russia"),)).state, south, "aegean") == (
        "odessa",
        "constantinople",  # not its own, and nearer: if it wishes
    )
    through = Sea(*south, control={"constantinople": "russia"})
    assert retreat_ports(TABLES, through.state, south, "aegean") == ("constantinople",)


@pytest.mark.eia("6.3.5.1.2")
def test_no_pursuit_through_straits_that_are_closed_to_the_victor() -> None:
    sea = Sea(
        fleet("gb1", "aegean", 40), fleet("ru1", "aegean", 10), step="combat", wars=[("great_britain", "russia")],
        access=(("turkey", "russia"),), control={"constantinople": "turkey"},
    )  # fmt: skip
    sea.act("great_britain", "strike russia at aegean")
    sea.act("russia", "answer stand", 6, 1, 1, 1)
    sea.act("russia", "answer constantinople")
    assert sea.state.questions == ()
    assert sea.place("gb1") == "aegean"


@pytest.mark.eia("6.3.5.2")
def test_after_a_combat_in_port_the_attacker_is_in_the_box_if_it_wins_or_loses() -> None:
    for ships, dice in ((60, (6, 1)), (2, (1, 6))):
        sea = Sea(fleet("gb1", "brest", ships), fleet("fr1", "brest", 20), step="combat")
        sea.act("great_britain", "strike france at brest", *dice)
        assert sea.state.questions == ()
        assert sea.place("fr1") == "brest"
        assert sea.place("gb1") == "off_brest" if "gb1" in sea.state.fleets else ships == 2


@pytest.mark.eia("6.3.5.3")
def test_from_a_box_the_beaten_go_back_into_port_only_if_they_came_from_there() -> None:
    out = Sea(fleet("fr1", "brest"), fleet("gb1", "off_brest", 40), groups=[("france",)])
    out.act("france", "sail fr1 to off_brest,bay_of_biscay")
    out.act("great_britain", "answer off_brest", 4, 1)
    assert out.place("fr1") == "brest"
    from_sea = Sea(fleet("fr1", "bay_of_biscay"), fleet("gb1", "off_brest", 40), groups=[("france",)])
    from_sea.act("france", "sail fr1 to off_brest,brest seeking battle")
    from_sea.act("great_britain", "answer off_brest", 6, 1, 4, 1)
    assert from_sea.open_question() == ("france", "retreat", ("rochefort", "sea"))


@pytest.mark.eia("6.3.5.3a")
def test_winner_in_a_box_may_enter_the_open_port() -> None:
    sea = Sea(
        fleet("fr1", "off_brest", 40, moved=7), fleet("gb1", "off_brest", 10), step="combat",
        groups=[("france",), ("great_britain",)],
    )  # fmt: skip
    sea.act("france", "strike great_britain at off_brest", 6, 1, 4, 1)
    sea.act("great_britain", "answer plymouth")
    sea.act("france", "answer none")
    assert sea.open_question() == ("france", "entry", ("enter", "stay"))
    sea.act("france", "answer enter")
    assert sea.place("fr1") == "brest"
    foreign = Sea(fleet("gb1", "off_brest", 40), fleet("fr1", "off_brest", 10), step="combat")
    foreign.act("great_britain", "strike france at off_brest", 6, 1, 4, 1)
    while foreign.state.questions:
        assert foreign.open_question()[1] != "entry"
        foreign.act(foreign.open_question()[0], f"answer {foreign.open_question()[2][0]}")


# --- ports that fall (6.2.6) ------------------------------------------------------------------------------------------


def _fallen(*more: Fleet, **given: Any) -> Sea:
    """Brest has fallen to Britain with a French fleet in it, outside the naval phase."""
    sea = Sea(fleet("fr1", "brest", 10), *more, step="navy", groups=ALONE, **given)
    sea.state = replace(sea.state, control={"brest": "great_britain"})
    play = Transaction(sea.tables, sea.state, Dice("sea"))
    continue_combat(play)
    sea.state = play.state
    return sea


@pytest.mark.eia("6.2.6")
def test_a_fleet_leaves_a_port_that_has_fallen_and_no_gun_is_fired() -> None:
    sea = _fallen()
    assert sea.open_question() == ("france", "leave_port", ("off_brest", "western_approaches", "bay_of_biscay"))
    assert only(sea.act("france", "answer bay_of_biscay"), StackMoved).errand == "leave"
    assert (sea.place("fr1"), sea.state.fleets["fr1"].ships) == ("bay_of_biscay", 10)


@pytest.mark.eia("6.2.6")
def test_no_fleet_leaves_a_captured_port_in_the_naval_phase() -> None:
    sea = Sea(fleet("fr1", "brest"), control={"brest": "great_britain"})
    play = Transaction(sea.tables, sea.state, Dice("sea"))
    continue_combat(play)
    assert play.events == []


@pytest.mark.eia("6.2.6.1", "6.2.6.4", "6.2.6.5")
def test_blockaded_fleets_are_scuttled_for_a_point_each_and_removed() -> None:
    sea = _fallen(fleet("gb1", "off_brest", 10), fleet("fr2", "brest", 3))
    assert sea.open_question() == ("france", "beset", ("fight", "scuttle"))
    events = sea.act("france", "answer scuttle")
    assert [(event.fleet, event.ships) for event in every(events, FleetRemoved)] == [("fr1", 10), ("fr2", 3)]
    assert sea.points("france") == -2
    assert sea.state.shipyard == ()
    assert sea.refused("france", "launch fr1 at toulon ships 1")[0] in ("not_your_step", "not_due")


@pytest.mark.eia("6.2.6.1")
def test_blockaded_fleet_may_fight_the_blockader_that_has_the_wind() -> None:
    lost = _fallen(fleet("gb1", "off_brest", 20))
    events = lost.act("france", "answer fight", 4, 1)
    assert not every(events, WindRolled)
    assert only(events, FleetRemoved).why == "scuttled"
    assert lost.points("france") == -2  # one for the battle, one for the fleet
    won = _fallen(fleet("gb1", "off_brest", 4))
    won.state = replace(won.state, fleets={**won.state.fleets, "fr1": fleet("fr1", "brest", 30)})
    won.act("france", "answer fight", 1, 4)
    assert won.place("fr1") == "off_brest"


@pytest.mark.eia("6.2.6.2")
def test_nelson_is_taken_with_a_scuttled_fleet() -> None:
    sea = Sea(
        fleet("gb1", "cork"), fleet("fr1", "off_cork"), step="navy", groups=ALONE, leaders=[nelson("gb1")],
        control={"cork": "france"},
    )  # fmt: skip
    play = Transaction(sea.tables, sea.state, Dice("sea"))
    continue_combat(play)
    sea.state = play.state
    events = sea.act("great_britain", "answer scuttle")
    assert only(events, LeaderTaken).captor == "france"


@pytest.mark.eia("6.2.6.3")
def test_blockaded_fleet_of_a_minor_country_may_be_scuttled() -> None:
    sea = Sea(
        fleet("du1", "texel"), fleet("gb1", "off_texel"), step="navy", groups=ALONE,
        control={"texel": "great_britain"},
    )  # fmt: skip
    play = Transaction(sea.tables, sea.state, Dice("sea"))
    continue_combat(play)
    sea.state = play.state
    sea.act("france", "answer scuttle")
    assert "du1" not in sea.state.fleets
    assert sea.points("france") == -1


# --- blockades (6.2.7) ------------------------------------------------------------------------------------------------


@pytest.mark.eia("6.2.7")
def test_blockade_box_is_open_to_enemies_of_the_port_or_of_fleets_in_it() -> None:
    neutral = Sea(fleet("gb1", "cape_finisterre"), groups=ALONE, wars=ONE_WAR)
    assert neutral.refused("great_britain", "sail gb1 to off_ferrol") == ("no_blockade", ("EIA 6.2.7",))
    guest = Sea(fleet("gb1", "cape_finisterre"), fleet("fr1", "ferrol"), groups=ALONE, wars=ONE_WAR)
    guest.act("great_britain", "sail gb1 to off_ferrol")
    enemy = Sea(fleet("gb1", "cape_finisterre"), groups=ALONE)
    enemy.act("great_britain", "sail gb1 to off_ferrol")
    passengers = Sea(
        fleet("gb1", "cape_finisterre"), fleet("sp1", "ferrol"), groups=ALONE, wars=ONE_WAR,
        combined=(("france", "spain"),), troops=[corps("ney", "france", "ferrol", 10)],
    )  # fmt: skip
    passengers.act("great_britain", "sail gb1 to off_ferrol")


@pytest.mark.eia("6.2.7.1")
def test_blockader_without_an_enemy_in_the_port_must_leave() -> None:
    sea = Sea(fleet("gb1", "off_ferrol"), groups=ALONE, wars=ONE_WAR)
    assert sea.refused("great_britain", "done") == ("no_blockade", ("EIA 6.2.7.1",))
    sea.act("great_britain", "sail gb1 to bay_of_biscay")
    sea.act("great_britain", "done")
    assert sea.place("gb1") == "bay_of_biscay"
