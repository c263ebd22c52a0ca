"""Choice of attacks at sea, and evasion (6.2.4, 6.3.1, 6.3.2)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from paxtui.games.empires.board import is_at_war
from paxtui.games.empires.events.sea import CombatDecided, EvasionRolled, Fired
from paxtui.games.empires.state import Relation, State
from tests.empires.land import corps
from tests.empires.sea import SUMMER, TABLES, Sea, every, fleet, garrison, only

COMBINED = (("france", "spain"),)
ONE_WAR = [("great_britain", "france")]


@pytest.mark.eia("6.2.4a")
def test_in_a_port_or_box_the_enemy_must_be_attacked() -> None:
    sea = Sea(fleet("gb1", "off_brest", 20), fleet("fr1", "off_brest"), step="combat")
    assert sea.refused("great_britain", "done") == ("must_attack", ("EIA 6.2.4",))
    sea.act("great_britain", "strike france at off_brest", 6, 1, 1, 1)
    while sea.state.questions:
        sea.act(sea.open_question()[0], f"answer {sea.open_question()[2][-1]}")
    assert "great_britain" not in sea.waiting  # nothing is left to attack, and the step has gone by


@pytest.mark.eia("6.2.4b", "6.3.5")
def test_the_attacker_chooses_the_order_and_ends_one_combat_before_the_next() -> None:
    fleets = [fleet("gb1", "channel", 20), fleet("fr1", "channel")]
    fleets += [fleet("gb2", "atlantic", 20), fleet("fr2", "atlantic")]
    for first, second in (("channel", "atlantic"), ("atlantic", "channel")):
        sea = Sea(*fleets, step="combat")
        sea.act("great_britain", f"strike france at {first}")
        assert sea.refused("great_britain", f"strike france at {second}")[0] == "asked_first"
        sea.act("france", "answer stand", 6, 1, 1, 1)
        while sea.state.questions:
            sea.act(sea.open_question()[0], f"answer {sea.open_question()[2][-1]}")
        sea.act("great_britain", f"strike france at {second}")


@pytest.mark.eia("6.3.1", "6.2.2")
def test_one_stack_is_attacked_and_combined_allies_are_one_stack() -> None:
    fleets = [fleet("gb1", "channel", 20), fleet("fr1", "channel"), fleet("sp1", "channel"), fleet("fr2", "channel")]
    apart = Sea(*fleets, step="combat")
    apart.act("great_britain", "strike france at channel")
    fight = apart.state.at_sea.encounter
    assert fight is not None and fight.defender.fleets == ("fr1", "fr2")
    together = Sea(*fleets, step="combat", combined=COMBINED)
    together.act("great_britain", "strike france at channel")
    fight = together.state.at_sea.encounter
    assert fight is not None and fight.defender.fleets == ("fr1", "sp1", "fr2")
    one_enemy = Sea(*fleets, step="combat", combined=COMBINED, wars=ONE_WAR)
    one_enemy.act("great_britain", "strike france at channel")
    fight = one_enemy.state.at_sea.encounter
    assert fight is not None and fight.defender.fleets == ("fr1", "fr2")


@pytest.mark.eia("6.3.1")
def test_after_one_attack_there_is_no_other_in_that_place() -> None:
    sea = Sea(fleet("gb1", "channel", 60), fleet("fr1", "channel"), fleet("sp1", "channel"), step="combat")
    sea.act("great_britain", "strike france at channel")
    sea.act("france", "answer stand", 6, 1, 1, 1)
    while sea.state.questions:
        sea.act(sea.open_question()[0], f"answer {sea.open_question()[2][-1]}")
    assert sea.refused("great_britain", "strike spain at channel") == ("once", ("EIA 6.3.1", "EIA 6.3.2"))


@pytest.mark.eia("6.3.1.1")
def test_attacker_names_the_power_that_it_attacks() -> None:
    for target in ("france", "spain"):
        sea = Sea(fleet("gb1", "channel", 60), fleet("fr1", "channel"), fleet("sp1", "channel"), step="combat")
        sea.act("great_britain", f"strike {target} at channel")
        assert sea.open_question()[0] == target


@pytest.mark.eia("6.3.1.2")
def test_a_neutral_is_not_attacked_unless_it_carries_or_moves_with_an_enemy() -> None:
    elsewhere = (fleet("gb2", "atlantic"), fleet("fr2", "atlantic"))
    neutral = Sea(fleet("gb1", "channel"), fleet("sp1", "channel"), *elsewhere, step="combat", wars=ONE_WAR)
    assert neutral.refused("great_britain", "strike spain at channel") == ("no_enemy", ("EIA 6.3.1.2",))
    carrier = Sea(
        fleet("gb1", "channel"), fleet("sp1", "channel", cargo=("ney",)), step="combat", wars=ONE_WAR,
        troops=[corps("ney", "france", "", 10)],
    )  # fmt: skip
    carrier.act("great_britain", "strike spain at channel")
    assert carrier.open_question()[:2] == ("spain", "evasion")


@pytest.mark.eia("6.3.1.2.1")
def test_a_neutral_carrier_is_attacked_without_a_declaration_and_the_battle_counts() -> None:
    sea = Sea(
        fleet("gb1", "channel", 40), fleet("sp1", "channel", cargo=("ney",)), step="combat", wars=ONE_WAR,
        troops=[corps("ney", "france", "", 10)],
    )  # fmt: skip
    sea.act("great_britain", "strike spain at channel")
    sea.act("spain", "answer stand", 6, 1, 1, 1)
    assert (sea.points("great_britain"), sea.points("spain")) == (1, -1)
    assert not is_at_war(sea.state, "great_britain", "spain")


@pytest.mark.eia("6.3.1.2.2")
def test_war_on_a_neutral_carrier_costs_its_price_and_calls_no_ally() -> None:
    sea = Sea(
        fleet("gb1", "channel", 40), fleet("sp1", "channel", cargo=("ney",)), step="combat", wars=ONE_WAR,
        troops=[corps("ney", "france", "", 10)],
    )  # fmt: skip
    peace = Relation(kind="enforced_peace", a="great_britain", b="spain", since=SUMMER, until=SUMMER + 18)
    alliance = Relation(kind="alliance", a="spain", b="france", since=SUMMER)
    sea.state = _with(sea, peace, alliance)
    assert sea.refused("great_britain", "strike spain at channel declaring russia")[0] == "not_attacked"
    sea.act("great_britain", "strike spain at channel declaring spain")
    assert sea.points("great_britain") == -3
    assert is_at_war(sea.state, "great_britain", "spain")
    assert sea.open_question()[:2] == ("spain", "evasion")


def _with(sea: Sea, *more: Relation) -> State:
    """The position with more relations."""
    return replace(sea.state, relations=(*sea.state.relations, *more))


@pytest.mark.eia("6.3.1.3")
def test_enemies_and_possible_carriers_are_attacked_in_a_neutral_port() -> None:
    sea = Sea(fleet("gb1", "off_odessa"), fleet("fr1", "odessa"), groups=[("great_britain",)], access=())
    sea.act("great_britain", "sail gb1 to odessa")
    sea.act("great_britain", "done")
    assert sea.refused("great_britain", "done")[0] == "must_attack"
    could = Sea(
        fleet("gb1", "off_ferrol"), fleet("sp1", "ferrol"), step="combat", wars=ONE_WAR, combined=COMBINED,
        troops=[corps("ney", "france", "ferrol", 10)],
    )  # fmt: skip
    could.state = _at(could, "gb1", "ferrol")
    could.act("great_britain", "strike spain at ferrol", 4, 4)
    assert could.place("gb1") == "off_ferrol"


def _at(sea: Sea, name: str, port: str) -> State:
    """The position with a fleet in a port."""
    moved = replace(sea.state.fleets[name], where=port, box="port")
    return replace(sea.state, fleets={**sea.state.fleets, name: moved})


@pytest.fixture
def armed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Odessa has guns."""
    monkeypatch.setitem(TABLES.areas, "odessa", replace(TABLES.areas["odessa"], guns=20))


def _neutral_port(*access: tuple[str, str]) -> Sea:
    """A French fleet in Odessa, and a British one next to it."""
    return Sea(
        fleet("gb1", "odessa", 40), fleet("fr1", "odessa", 20), step="combat", wars=ONE_WAR, access=access,
        garrisons=(garrison("odessa", "russia"),),
    )  # fmt: skip


@pytest.mark.eia("6.3.1.3.1")
def test_with_access_the_guns_of_a_neutral_port_are_silent(armed: None) -> None:
    sea = _neutral_port(("russia", "great_britain"))
    events = sea.act("great_britain", "strike france at odessa", 4, 4)
    assert [shot.harbour for shot in every(events, Fired)] == [False, False]


@pytest.mark.eia("6.3.1.3.2")
def test_without_access_the_harbour_guns_may_fire_without_a_declaration_of_war(armed: None) -> None:
    for word, harbour in (("fire", [True, False, False]), ("hold", [False, False])):
        sea = _neutral_port()
        sea.act("great_britain", "strike france at odessa")
        assert sea.open_question() == ("russia", "harbour_guns", ("fire", "hold"))
        events = sea.act("russia", f"answer {word}", *([4] * len(harbour)))
        assert [shot.harbour for shot in every(events, Fired)] == harbour
        assert not is_at_war(sea.state, "great_britain", "russia")


@pytest.mark.eia("6.3.1.3.3")
def test_the_guns_fire_for_the_fleets_of_their_holder_in_spite_of_access(armed: None) -> None:
    sea = Sea(
        fleet("gb1", "odessa", 40), fleet("ru1", "odessa", 20, cargo=("ney",)), step="combat", wars=ONE_WAR,
        access=(("russia", "great_britain"),), garrisons=(garrison("odessa", "russia"),),
        troops=[corps("ney", "france", "", 10)],
    )  # fmt: skip
    events = sea.act("great_britain", "strike russia at odessa", 4, 4, 4)
    assert every(events, Fired)[0].harbour


@pytest.mark.eia("6.3.2", "6.3.2.1", "6.3.2.2", "6.3.2a")
@pytest.mark.parametrize(("die", "evades"), [(1, True), (2, True), (3, False)])
def test_defender_at_sea_evades_on_one_or_two(die: int, evades: bool) -> None:
    sea = Sea(fleet("gb1", "channel", 40), fleet("fr1", "channel"), fleet("sp1", "channel"), step="combat")
    sea.act("great_britain", "strike france at channel")
    assert sea.open_question() == ("france", "evasion", ("evade", "stand"))
    events = sea.act("france", "answer evade", die, *(() if evades else (6, 1, 1, 1)))
    assert only(events, EvasionRolled).evaded == evades
    if evades:
        assert not every(events, CombatDecided)
        assert (sea.points("great_britain"), sea.points("france")) == (0, 0)
        sea.act("france", "answer le_havre")
        sea.act("great_britain", "answer none")
        assert sea.refused("great_britain", "strike spain at channel")[0] == "once"


@pytest.mark.eia("6.3.2")
def test_no_evasion_in_a_port_or_a_blockade_box() -> None:
    box = Sea(fleet("gb1", "off_brest", 20), fleet("fr1", "off_brest"), step="combat")
    assert every(box.act("great_britain", "strike france at off_brest", 6, 1, 1, 1), CombatDecided)
    port = Sea(fleet("gb1", "brest", 20), fleet("fr1", "brest"), step="combat")
    assert every(port.act("great_britain", "strike france at brest", 1, 1), CombatDecided)


@pytest.mark.eia("6.3.1.2")
def test_attack_needs_an_own_fleet_and_an_enemy() -> None:
    elsewhere = (fleet("gb2", "irish_sea"), fleet("fr2", "irish_sea"))
    sea = Sea(fleet("gb1", "channel"), fleet("fr1", "atlantic"), *elsewhere, step="combat")
    assert sea.refused("great_britain", "strike france at atlantic")[0] == "no_fleet"
    assert sea.refused("great_britain", "strike france at channel")[0] == "no_enemy"
    assert sea.refused("great_britain", "strike great_britain at channel")[0] == "no_enemy"
    assert sea.refused("great_britain", "strike france at nowhere")[0] == "no_place"
