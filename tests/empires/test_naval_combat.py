"""Wind, broadsides, losses, victory and its points (6.3.3, 6.3.4, 6.3.6)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.games.empires.events.sea import CombatDecided, Fired, FleetRemoved, WindRolled
from paxtui.games.empires.naval.combat import (
    combat_points,
    fire_roll,
    loss_percentage,
    ships_lost,
    wind_roll,
    winning_side,
)
from paxtui.session.storage.files import data_path
from paxtui.session.tables.exercises import load_exercise, read_exercise
from paxtui.session.tables.records import TableError
from tests.empires.land import corps
from tests.empires.sea import Sea, every, fleet, garrison, nelson, only

TABLES = load_exercise("channel-1805")


def _battle() -> Sea:
    """The example of the text: Nelson and 60 ships against 31."""
    fleets = [fleet(f"gb{n}", "channel", 20) for n in (1, 2, 3)]
    fleets += [fleet("fr1", "channel", 11), fleet("fr2", "channel", 10), fleet("fr3", "channel", 10)]
    return Sea(*fleets, step="combat", leaders=[nelson("gb1")])


@pytest.mark.eia("6.3.3.1", "6.3.3.1a", "6.3.3.2", "6.3.3.2a", "6.3.4.1", "6.3.4.2", "6.3.4.2.1")
def test_example_of_the_rules_has_the_same_result() -> None:
    sea = _battle()
    sea.act("great_britain", "strike france at channel")
    events = sea.act("france", "answer stand", 2, 5, 5)
    wind = only(events, WindRolled)
    assert (wind.attacker_modified, wind.defender_modified) == (4, 5)
    shot = only(events, Fired)
    assert (shot.side, shot.percent, shot.ships, shot.losses) == ("defender", 20, 31, 6)
    assert sea.open_question() == ("great_britain", "losses", tuple("0123456"))
    sea.act("great_britain", "answer 2")
    events = sea.act("great_britain", "answer 2", 2)
    shot = only(events, Fired)
    assert (shot.side, shot.modified, shot.percent, shot.ships, shot.losses) == ("attacker", 3, 15, 54, 8)
    sea.act("france", "answer 3")
    events = sea.act("france", "answer 3")
    decided = only(events, CombatDecided)
    assert (decided.winner, decided.attacker_lost, decided.defender_lost) == ("attacker", 6, 8)
    assert (sea.points("great_britain"), sea.points("france")) == (4, -3)


@pytest.mark.eia("6.3.5", "6.3.5.1", "6.3.5.1a")
def test_example_of_the_rules_continues_with_a_retreat_and_a_blockade() -> None:
    sea = _battle()
    sea.act("great_britain", "strike france at channel")
    sea.act("france", "answer stand", 2, 5, 5)
    for seat, word, *dice in (("great_britain", "2"), ("great_britain", "2", 2), ("france", "3"), ("france", "3")):
        sea.act(str(seat), f"answer {word}", *(int(die) for die in dice))
    assert sea.open_question() == ("france", "retreat", ("le_havre", "sea"))
    assert sea.refused("great_britain", "done")[0] == "asked_first"
    sea.act("france", "answer le_havre")
    assert sea.open_question()[:2] == ("great_britain", "pursuit")
    sea.act("great_britain", "answer gb1,gb2")
    assert [sea.place(name) for name in ("fr1", "fr3", "gb1", "gb2", "gb3")] == [
        "le_havre", "le_havre", "off_le_havre", "off_le_havre", "channel",
    ]  # fmt: skip


@pytest.mark.eia("6.3.3.1")
def test_wind_is_never_above_six() -> None:
    assert wind_roll(2, ("great_britain",), True) == 4
    assert wind_roll(5, ("great_britain",), True) == 6
    assert wind_roll(6, ("france",), False) == 6
    assert wind_roll(3, ("france",), False) == 3


@pytest.mark.eia("6.3.3.1a")
def test_equal_rolls_fire_together() -> None:
    sea = Sea(fleet("gb1", "channel", 5), fleet("fr1", "channel", 20), step="combat")
    sea.act("great_britain", "strike france at channel")
    events = sea.act("france", "answer stand", 3, 4, 6, 6)
    shots = every(events, Fired)
    assert [(shot.side, shot.ships) for shot in shots] == [("attacker", 5), ("defender", 20)]
    assert shots[1].losses == 5  # both have fired before any is taken off


@pytest.mark.eia("6.3.3.2")
def test_fleets_of_some_powers_fire_better_or_worse() -> None:
    assert fire_roll(2, ("great_britain",)) == 3
    assert fire_roll(2, ("prussia",)) == 1
    assert fire_roll(2, ("prussia", "austria")) == 1
    assert fire_roll(2, ("great_britain", "austria")) == 2
    assert fire_roll(2, ("spain",)) == 2


@pytest.mark.eia("6.3.3.2a")
def test_percentages_are_looked_up_in_twenties() -> None:
    assert ships_lost(TABLES.casualties, 20, 31) == 6
    assert ships_lost(TABLES.casualties, 15, 54) == 8
    assert ships_lost(TABLES.casualties, 20, 40) == 8
    for percent, ships, lost in ((10, 25, 3), (20, 94, 19), (25, 77, 19), (25, 78, 20), (15, 5, 1)):
        assert ships_lost(TABLES.casualties, percent, ships) == lost  # from games played by mail


@pytest.mark.eia("6.3.3.2", "6.3.3.2a")
def test_a_cell_that_is_missing_is_refused_and_never_guessed() -> None:
    with pytest.raises(Refusal, match="no cell for a roll of 4"):
        loss_percentage({3: 15}, 4)
    with pytest.raises(Refusal, match="no row for 17"):
        ships_lost({15: (1,) * 20}, 17, 3)
    text = data_path("empires/exercises/channel-1805.toml").read_text()
    lines = [line for line in text.splitlines() if not line.startswith('"naval.combat.4"')]
    with pytest.raises(TableError, match=r"naval\.combat\.4"):
        read_exercise("mine.toml", "\n".join(lines))


@pytest.mark.eia("6.3.4.1")
def test_winner_lost_fewer_ships_and_has_ships_left() -> None:
    assert winning_side((10, 2), (10, 3)) == "attacker"
    assert winning_side((10, 3), (10, 2)) == "defender"
    assert winning_side((10, 2), (10, 2)) == "defender"  # the defender wins after equal losses
    assert winning_side((10, 3), (2, 2)) is None  # the side with fewer losses has no ships left
    assert winning_side((2, 2), (10, 3)) is None
    assert winning_side((2, 2), (2, 2)) is None
    assert winning_side((9, 9), (10, 2)) == "defender"


@pytest.mark.eia("6.3.4.2", "6.3.4.2.1", "6.3.4.2.2")
def test_points_go_by_the_fleets_that_were_beaten() -> None:
    assert combat_points(2, False, False) == (2, -2)
    assert combat_points(5, False, False) == (3, -3)
    assert combat_points(3, True, False) == (4, -3)
    assert combat_points(3, False, True) == (3, -4)


@pytest.mark.eia("6.3.4.2.2", "6.3.6a")
def test_nelson_is_captured_when_all_his_fleets_are_sunk() -> None:
    sea = Sea(fleet("gb1", "channel", 3), fleet("fr1", "channel", 90), step="combat", leaders=[nelson("gb1")])
    sea.act("great_britain", "strike france at channel")
    sea.act("france", "answer stand", 1, 4, 6)
    assert "gb1" not in sea.state.fleets
    assert sea.state.leaders["nelson"].captor == "france"
    assert (sea.points("great_britain"), sea.points("france")) == (-2, 1)


@pytest.mark.eia("6.3.6")
def test_fleets_without_ships_leave_the_map_and_cost_nothing_more() -> None:
    sea = Sea(
        fleet("gb1", "channel", 40), fleet("fr1", "channel", 2), fleet("fr2", "channel", 8), step="combat",
        leaders=[nelson("gb1")],
    )  # fmt: skip
    sea.act("great_britain", "strike france at channel")
    sea.act("france", "answer stand", 6, 1, 4)
    assert sea.open_question() == ("france", "losses", ("0", "1", "2"))
    events = sea.act("france", "answer 2", 1)
    assert only(events, FleetRemoved).fleet == "fr1"
    assert sea.points("france") == -2  # two fleets fought and were beaten; the sunk counter costs nothing by itself


@pytest.mark.eia("6.3.3.1b", "6.3.3.3", "6.3.5.2")
def test_in_a_port_the_guns_fire_first_then_attacker_then_defender() -> None:
    sea = Sea(
        fleet("gb1", "brest", 40), fleet("fr1", "brest", 20), step="combat", garrisons=(garrison("brest", "france"),)
    )
    events = sea.act("great_britain", "strike france at brest", 4, 4, 5)
    shots = every(events, Fired)
    assert not every(events, WindRolled)
    assert [(shot.side, shot.harbour, shot.modified, shot.ships, shot.losses) for shot in shots] == [
        ("defender", True, 4, 25, 5),
        ("attacker", False, 5, 35, 7),
        ("defender", False, 5, 13, 3),
    ]
    assert (sea.place("gb1"), sea.place("fr1")) == ("off_brest", "brest")
    assert only(events, CombatDecided).winner == "defender"  # eight lost against seven


@pytest.mark.eia("6.3.3.3a")
def test_guns_without_a_garrison_are_silent() -> None:
    sea = Sea(fleet("gb1", "brest", 40), fleet("fr1", "brest", 20), step="combat")
    events = sea.act("great_britain", "strike france at brest", 4, 5)
    assert [shot.harbour for shot in every(events, Fired)] == [False, False]


@pytest.mark.eia("6.3.3.1b")
def test_blockader_has_the_wind_against_fleets_that_leave_the_port() -> None:
    sea = Sea(fleet("gb1", "off_brest", 10), fleet("fr1", "brest", 20), groups=[("france",), ("great_britain",)])
    sea.act("france", "sail fr1 to off_brest,bay_of_biscay")
    events = sea.act("great_britain", "answer off_brest", 3, 3)
    assert not every(events, WindRolled)
    assert [shot.side for shot in every(events, Fired)] == ["attacker", "defender"]


@pytest.mark.eia("6.2.5.3")
def test_of_two_corps_one_goes_down_with_a_sunk_fleet() -> None:
    fleets = [fleet("gb1", "channel", 80), fleet("fr1", "channel", 3), fleet("fr2", "channel", 8)]
    fleets[1] = replace(fleets[1], cargo=("ney",))
    fleets[2] = replace(fleets[2], cargo=("lannes",))
    troops = [corps("ney", "france", "", 10), corps("lannes", "france", "", 10)]
    sea = Sea(*fleets, step="combat", troops=troops)
    sea.act("great_britain", "strike france at channel")
    sea.act("france", "answer stand", 6, 1, 1)
    sea.act("france", "answer 3", 1)
    assert set(sea.state.corps) == {"lannes"}
    assert sea.state.fleets["fr2"].cargo == ("lannes",)


@pytest.mark.eia("6.2.5.3")
def test_a_fleet_without_cargo_takes_up_the_corps_of_a_sunk_one() -> None:
    fleets = [fleet("gb1", "channel", 80), fleet("fr1", "channel", 3, cargo=("ney",)), fleet("fr2", "channel", 8)]
    sea = Sea(*fleets, step="combat", troops=[corps("ney", "france", "", 10)])
    sea.act("great_britain", "strike france at channel")
    sea.act("france", "answer stand", 6, 1, 1)
    sea.act("france", "answer 3", 1)
    assert sea.state.fleets["fr2"].cargo == ("ney",)
