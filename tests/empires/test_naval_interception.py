"""Interceptions at sea and in blockade boxes (6.2.3)."""

from __future__ import annotations

import pytest

from paxtui.games.empires.events.sea import CombatDecided, EvasionRolled, InterceptionRolled
from paxtui.games.empires.pieces import Encounter
from tests.empires.land import corps
from tests.empires.sea import Sea, every, fleet, nelson, only

FRANCE = [("france",), ("great_britain",)]


def _fight(sea: Sea) -> Encounter:
    fight = sea.state.at_sea.encounter
    assert fight is not None
    return fight


@pytest.mark.eia("6.2.3", "6.2.3.1")
def test_enemies_in_the_area_or_adjacent_to_it_may_intercept() -> None:
    sea = Sea(fleet("fr1", "brest"), fleet("gb1", "channel"), fleet("gb2", "straits_of_dover"), groups=FRANCE)
    sea.act("france", "sail fr1 to bay_of_biscay")
    assert sea.waiting == ("france",)
    sea.act("france", "sail fr1 to western_approaches,atlantic")
    assert sea.open_question() == ("great_britain", "interception", ("channel", "none"))
    sea.act("great_britain", "answer none")
    assert sea.place("fr1") == "atlantic"


@pytest.mark.eia("6.2.3.1a")
def test_neutral_may_intercept_only_a_corps_of_its_enemy() -> None:
    def of_spain(*cargo: str) -> Sea:
        return Sea(
            fleet("sp1", "channel", cargo=cargo), fleet("gb1", "western_approaches"), groups=[("spain",)],
            wars=[("great_britain", "france")], troops=[corps("ney", "france", "", 10)] if cargo else (),
        )  # fmt: skip

    neutral = of_spain()
    neutral.act("spain", "sail sp1 to western_approaches")
    assert neutral.state.questions == ()
    carrier = of_spain("ney")
    carrier.act("spain", "sail sp1 to western_approaches")
    assert carrier.open_question()[:2] == ("great_britain", "interception")


@pytest.mark.eia("6.2.3.1.1")
def test_powers_try_in_the_order_of_movement_and_one_success_is_enough() -> None:
    wars = [("great_britain", "france"), ("great_britain", "spain"), ("france", "russia")]
    sea = Sea(
        fleet("fr1", "brest"), fleet("gb1", "channel", 30), fleet("ru1", "channel"), groups=FRANCE, wars=wars,
    )  # fmt: skip
    sea.act("france", "sail fr1 to western_approaches")
    assert sea.open_question()[0] == "great_britain"
    sea.act("great_britain", "answer channel", 6)
    assert sea.open_question()[0] == "russia"
    other = Sea(
        fleet("fr1", "brest", 40), fleet("gb1", "channel", 2), fleet("ru1", "channel"), groups=FRANCE, wars=wars,
    )  # fmt: skip
    other.act("france", "sail fr1 to western_approaches")
    events = other.act("great_britain", "answer channel", 1, 1, 6, 5)
    assert only(events, CombatDecided).winner == "defender"
    assert other.state.questions == ()
    assert other.place("fr1") == "western_approaches"


@pytest.mark.eia("6.2.3.1.1a")
def test_interceptor_may_try_again_in_the_next_area() -> None:
    sea = Sea(fleet("fr1", "brest"), fleet("gb1", "western_approaches"), groups=FRANCE)
    sea.act("france", "sail fr1 to western_approaches,channel")
    sea.act("great_britain", "answer western_approaches", 6)
    assert sea.open_question()[0] == "great_britain"
    assert sea.state.questions[-1].about[0] == "channel"


@pytest.mark.eia("6.2.3.1.1b")
def test_combined_allies_intercept_together() -> None:
    sea = Sea(
        fleet("gb1", "portsmouth"), fleet("fr1", "western_approaches", 5), fleet("sp1", "western_approaches", 9),
        combined=(("france", "spain"),),
    )  # fmt: skip
    sea.act("great_britain", "sail gb1 to channel")
    assert sea.open_question()[0] == "spain"  # more of the ships are its own
    sea.act("spain", "answer western_approaches", 6)
    assert sea.state.questions == ()


@pytest.mark.eia("6.2.3.1.2", "6.2.3.1.2.1")
def test_stack_is_intercepted_before_a_port_only_if_it_seeks_battle() -> None:
    def before(text: str) -> Sea:
        sea = Sea(fleet("fr1", "bay_of_biscay"), fleet("gb1", "off_rochefort"), groups=FRANCE)
        sea.act("france", text)
        return sea

    assert before("sail fr1 to off_rochefort,rochefort").place("fr1") == "rochefort"
    sought = before("sail fr1 to off_rochefort,rochefort seeking battle")
    assert sought.open_question() == ("great_britain", "interception", ("off_rochefort", "none"))


@pytest.mark.eia("6.2.3.1.2.2")
def test_a_fleet_in_port_intercepts_outside_it_and_not_when_blockaded() -> None:
    free = Sea(fleet("gb1", "channel"), fleet("fr1", "brest"))
    free.act("great_britain", "sail gb1 to western_approaches")
    assert free.open_question() == ("france", "interception", ("brest", "none"))
    shut = Sea(fleet("gb1", "channel"), fleet("gb2", "off_brest"), fleet("fr1", "brest"))
    shut.act("great_britain", "sail gb1 to western_approaches")
    assert shut.state.questions == ()
    far = Sea(fleet("gb1", "channel"), fleet("fr1", "rochefort"))
    far.act("great_britain", "sail gb1 to western_approaches")
    assert far.state.questions == ()


@pytest.mark.eia("6.2.3.1.2.3", "6.2.3.2.1", "6.2.7.3")
def test_in_a_box_only_the_blockader_intercepts_and_needs_no_die() -> None:
    sea = Sea(
        fleet("fr1", "brest"), fleet("gb1", "off_brest", 30), fleet("gb2", "western_approaches", 30), groups=FRANCE
    )
    sea.act("france", "sail fr1 to off_brest,bay_of_biscay")
    assert sea.open_question() == ("great_britain", "interception", ("off_brest", "none"))
    events = sea.act("great_britain", "answer off_brest", 5, 1)
    assert not every(events, InterceptionRolled)
    assert sea.place("fr1") == "brest"  # beaten, it goes back where it came from
    assert sea.refused("france", "sail fr1 to off_brest")[0] == "moved"


@pytest.mark.eia("6.2.3.1.2.3")
def test_a_blockader_does_not_intercept_out_at_sea() -> None:
    sea = Sea(fleet("fr1", "rochefort"), fleet("gb1", "off_brest"), groups=FRANCE)
    sea.act("france", "sail fr1 to bay_of_biscay,western_approaches")
    assert sea.state.questions == ()


@pytest.mark.eia("6.2.3.1.2.4")
def test_no_interception_in_closed_straits() -> None:
    def outside(**more: object) -> Sea:
        access = (("turkey", "russia"), *([("turkey", "great_britain")] if more else ()))
        sea = Sea(
            fleet("ru1", "black_sea"), fleet("gb1", "aegean"), groups=[("russia",)],
            wars=[("russia", "great_britain")], access=access,
        )  # fmt: skip
        sea.act("russia", "sail ru1 to marmara")
        return sea

    assert outside().state.questions == ()
    assert outside(leave=True).open_question()[0] == "great_britain"


@pytest.mark.eia("6.2.3.1.2.5")
def test_one_stack_tries_and_the_other_has_lost_its_chance() -> None:
    sea = Sea(fleet("fr1", "brest"), fleet("gb1", "channel"), fleet("gb2", "irish_sea"), groups=FRANCE)
    sea.act("france", "sail fr1 to western_approaches")
    assert sea.open_question()[2] == ("channel", "irish_sea", "none")
    sea.act("great_britain", "answer irish_sea", 4)
    assert sea.state.questions == ()
    assert (sea.place("gb1"), sea.place("gb2")) == ("channel", "irish_sea")


@pytest.mark.eia("6.2.3.2.1.1")
def test_of_several_blockaders_the_earlier_in_the_order_meets_the_stack() -> None:
    sea = Sea(
        fleet("fr1", "brest"), fleet("ru1", "off_brest"), fleet("gb1", "off_brest"), groups=FRANCE,
        wars=[("great_britain", "france"), ("russia", "france")],
    )  # fmt: skip
    sea.act("france", "sail fr1 to off_brest,bay_of_biscay")
    assert sea.open_question()[0] == "great_britain"
    sea.act("great_britain", "answer off_brest", 3, 1)
    assert _fought(sea) == ("great_britain",)


def _fought(sea: Sea) -> tuple[str, ...]:
    """The Powers that gained or lost points."""
    return tuple(power for power in ("great_britain", "russia") if sea.points(power))


@pytest.mark.eia("6.2.3.2.1.2", "6.2.3.1.2.1")
def test_a_blockader_may_let_them_pass() -> None:
    sea = Sea(fleet("fr1", "brest"), fleet("gb1", "off_brest"), groups=FRANCE)
    sea.act("france", "sail fr1 to off_brest,bay_of_biscay")
    sea.act("great_britain", "answer none")
    assert sea.place("fr1") == "bay_of_biscay"


@pytest.mark.eia("6.2.3.2.1.3")
def test_a_fleet_is_fetched_from_a_blockaded_port_before_or_after_the_battle() -> None:
    fleets = [fleet("fr1", "bay_of_biscay", 20), fleet("fr2", "rochefort", 20), fleet("gb1", "off_rochefort")]
    after = Sea(*fleets, groups=FRANCE)
    after.act("france", "sail fr1 to off_rochefort,rochefort")
    after.act("france", "sail fr1,fr2 to off_rochefort,bay_of_biscay")
    after.act("great_britain", "answer off_rochefort", 1)
    assert set(_fight(after).defender.fleets) == {"fr1", "fr2"}
    before = Sea(*fleets, groups=FRANCE)
    before.act("france", "sail fr1 to off_rochefort,rochefort seeking battle")
    before.act("great_britain", "answer off_rochefort", 1, 5, 5, 1)
    assert before.open_question()[:2] == ("great_britain", "retreat")
    before.act("great_britain", "answer plymouth")
    before.act("france", "answer none")
    assert before.place("fr1") == "rochefort"


@pytest.mark.eia("6.2.3.2.2", "6.2.3.2.4")
@pytest.mark.parametrize(("die", "meets"), [(3, True), (4, False)])
def test_at_sea_the_number_of_the_exercise_intercepts(die: int, meets: bool) -> None:
    sea = Sea(fleet("fr1", "brest"), fleet("gb1", "channel"), groups=FRANCE)
    sea.act("france", "sail fr1 to western_approaches")
    dice = (die, 6, 1, 3, 3) if meets else (die,)
    events = sea.act("great_britain", "answer channel", *dice)
    roll = only(events, InterceptionRolled)
    assert (roll.die, roll.modified, roll.needed) == (die, die, 3)
    assert len(every(events, CombatDecided)) == meets
    assert (sea.place("gb1") == "western_approaches") == meets


@pytest.mark.eia("6.2.3.2.3")
def test_nelson_takes_one_off_the_die() -> None:
    sea = Sea(fleet("fr1", "brest", 40), fleet("gb1", "channel"), groups=FRANCE, leaders=[nelson("gb1")])
    sea.act("france", "sail fr1 to western_approaches")
    events = sea.act("great_britain", "answer channel", 4, 4, 1, 5, 5)
    assert only(events, InterceptionRolled).modified == 3
    assert every(events, CombatDecided)


@pytest.mark.eia("6.2.3.3")
def test_interception_is_fought_at_once_without_evasion() -> None:
    sea = Sea(fleet("fr1", "brest"), fleet("gb1", "channel"), groups=FRANCE)
    sea.act("france", "sail fr1 to western_approaches")
    events = sea.act("great_britain", "answer channel", 1, 6, 1, 4, 4)
    assert sea.state.cursor.step == "movement"
    assert every(events, CombatDecided)
    assert not every(events, EvasionRolled)
    assert all(question.kind != "evasion" for question in sea.state.questions)


@pytest.mark.eia("6.2.3.4.1", "6.2.3")
def test_stack_that_loses_to_an_interceptor_retreats_and_stops_moving() -> None:
    sea = Sea(fleet("fr1", "brest", 10), fleet("gb1", "channel", 40), groups=FRANCE)
    sea.act("france", "sail fr1 to western_approaches,atlantic")
    sea.act("great_britain", "answer channel", 1, 6, 1, 1, 1)
    assert sea.open_question() == ("france", "retreat", ("brest", "sea"))
    sea.act("france", "answer brest")
    assert sea.open_question()[:2] == ("great_britain", "pursuit")
    sea.act("great_britain", "answer gb1")
    assert (sea.place("fr1"), sea.place("gb1")) == ("brest", "off_brest")
    assert sea.refused("france", "sail fr1 to off_brest")[0] == "moved"


@pytest.mark.eia("6.2.3.4.2", "6.2.3")
def test_stack_that_beats_an_interceptor_sails_on_without_a_second_interception() -> None:
    sea = Sea(fleet("fr1", "brest", 40), fleet("gb1", "channel", 20), groups=FRANCE)
    sea.act("france", "sail fr1 to western_approaches,channel")
    sea.act("great_britain", "answer channel", 1, 1, 6, 5, 1)
    assert sea.open_question()[:2] == ("great_britain", "retreat")
    sea.act("great_britain", "answer plymouth")
    sea.act("france", "answer none")
    assert sea.place("fr1") == "channel"
    assert sea.state.fleets["fr1"].moved == 2
    assert sea.state.at_sea.barred == ("gb1",)
    assert sea.state.questions == ()  # Plymouth touches the Channel, but its fleet tries no more


@pytest.mark.eia("6.2.3a")
def test_no_interception_of_retreat_and_pursuit() -> None:
    sea = Sea(
        fleet("fr1", "channel", 10), fleet("gb1", "channel", 40), fleet("gb2", "bay_of_biscay", 40), step="combat",
        control={"le_havre": "great_britain"},
    )  # fmt: skip
    sea.act("great_britain", "strike france at channel")
    sea.act("france", "answer stand", 6, 1, 1, 1)
    assert sea.open_question()[2] == ("boulogne", "brest", "sea")
    sea.act("france", "answer brest")
    sea.act("great_britain", "answer gb1")
    assert sea.place("fr1") == "brest"


@pytest.mark.eia("6.2.7.2")
def test_stack_at_peace_with_the_blockader_passes_without_enemy_cargo() -> None:
    def out(*cargo: str) -> Sea:
        sea = Sea(
            fleet("sp1", "ferrol", cargo=cargo), fleet("gb1", "off_ferrol"), fleet("fr1", "ferrol"),
            groups=[("spain",)], wars=[("great_britain", "france")],
            troops=[corps("ney", "france", "", 10)] if cargo else (),
        )  # fmt: skip
        sea.act("spain", "sail sp1 to off_ferrol,cape_finisterre")
        return sea

    assert out().place("sp1") == "cape_finisterre"
    assert out("ney").open_question()[:2] == ("great_britain", "interception")
