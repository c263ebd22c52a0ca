"""Field combat: chits, outflanking, withdrawal, rounds, and what follows. The tables are public, the rest is ours."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from paxtui.games.empires.battle.field_combat import outflanking_forces
from paxtui.games.empires.battle.sides import (
    RoundSide,
    base_morale,
    commanding_leader,
    dividing_side,
    force_of,
    force_ratings,
    losing_side,
    losses_at,
    open_chits,
    resolve_round,
)
from paxtui.games.empires.events.land import (
    AttackChosen,
    AttackOver,
    BattleOver,
    ChitsShown,
    CorpsStrength,
    Divided,
    FlankRolled,
    LeaderMoved,
    OutflankAnnounced,
    Retreated,
    RoundFought,
    WithdrawalRolled,
)
from paxtui.games.empires.pieces import Factors
from paxtui.games.empires.position import seat_view
from paxtui.games.empires.tables import ATTACKER_CHITS, DEFENDER_CHITS, find_faults
from tests.empires.land import DANUBE, corps, depot, field, guard, leader, met, picked

FIELD = DANUBE.field_combat


LEADERS = (
    leader("ney", "france", "i", strategic=4, tactical=4),
    leader("mack", "austria", "m", strategic=2, tactical=2),
)


def test_the_tables_are_whole_and_monotone() -> None:
    assert not find_faults(FIELD)
    for name, row in FIELD.tables.items():
        assert [cell[0] for cell in row] == sorted(cell[0] for cell in row), name
        assert [cell[1] for cell in row] == sorted(cell[1] for cell in row), name


def test_a_missing_cell_is_named_and_never_guessed() -> None:
    broken = replace(
        FIELD, tables={name: row for name, row in FIELD.tables.items() if name != "3-2"}, chart=FIELD.chart[1:]
    )
    found = "\n".join(find_faults(broken))
    assert "tables.3-2" in found
    assert "outflank against outflank" in found
    with pytest.raises(KeyError):
        broken.pairing("outflank", "outflank", river=False)


@pytest.mark.eia("7.5.2.9")
def test_above_twenty_factors_are_taken_in_twenties() -> None:
    assert [losses_at(FIELD, 15, count) for count in (3, 4, 20, 54)] == [0, 1, 3, 8]
    assert losses_at(FIELD, 20, 31) == 6
    assert losses_at(FIELD, 0, 31) == 0
    with pytest.raises(KeyError):
        losses_at(FIELD, 35, 10)


@pytest.mark.eia("7.5.2.7")
def test_the_erratum_for_the_escalated_assault_over_a_river_is_in_the_chart() -> None:
    row = FIELD.pairing("escalated_assault", "cordon", river=True)
    assert row.attacker_rounds[0] == (5, 1)
    assert row != FIELD.pairing("escalated_assault", "cordon", river=False)


@pytest.mark.eia("7.5.2.9")
def test_a_round_of_assault_against_defence() -> None:
    """Attacker on 3-1 with a 4, defender on 4-1 with a 4: 10 % of 30 and of 20."""
    row = FIELD.pairing("assault", "defend", river=False)
    attack, defence = resolve_round(FIELD, row, 1, (RoundSide(30, 5), RoundSide(20, 0)), (4, 4))
    assert (attack.table, attack.percent, attack.losses, attack.morale) == ("3-1", 10, 3, 8)
    assert (defence.table, defence.percent, defence.losses, defence.morale) == ("4-1", 10, 2, 10)
    assert attack.modifier == defence.modifier == 0, "ratings do not count in this pairing"


@pytest.mark.eia("7.5.2.7", "7.5.2.9.1")
def test_ratings_and_terrain_change_dice_and_tables() -> None:
    row = FIELD.pairing("assault", "counterattack", river=False)
    attack, defence = resolve_round(FIELD, row, 1, (RoundSide(20, 5), RoundSide(20, 0)), (6, 1))
    assert (attack.modifier, defence.modifier) == (1, -1)
    shifted, _ = resolve_round(
        FIELD, row, 1, (RoundSide(20, 5), RoundSide(20, 0)), (6, 1), terrain=FIELD.terrain["marsh"]
    )
    assert (attack.table, shifted.table) == ("3-1", "2-2")


@pytest.mark.eia("7.5.2.6.1")
def test_morale_is_the_mean_of_the_factors_in_tenths() -> None:
    assert base_morale([({"infantry": 40, "militia": 25}, Factors(infantry=2, militia=1))]) == 35
    assert base_morale([]) == 0


@pytest.mark.eia("7.5.2.10.1.1", "7.5.2.10.4.2")
def test_a_side_without_morale_or_factors_breaks_and_of_two_the_one_with_less_morale() -> None:
    assert [
        losing_side(*case)
        for case in (
            (5, 5, 1, 1), (0, 5, 1, 1), (5, -1, 1, 1), (-2, -1, 1, 1), (-1, -1, 1, 1), (5, 5, 0, 1), (5, 5, 1, 0)
        )
    ] == [
        "",
        "attacker",
        "defender",
        "attacker",
        "attacker",
        "attacker",
        "defender",
    ]  # fmt: skip


@pytest.mark.eia("7.5.1.2")
def test_counters_in_the_field_fight_and_those_in_cities_do_not() -> None:
    game = field(
        corps("i", "france", "wurttemberg"),
        corps("m", "austria", "wurttemberg"),
        corps("n", "austria", "wurttemberg", inside=True),
        corps("c", "austria", "wurttemberg", 1, kind="cossack"),
        corps("g", "austria", "wurttemberg", 1, kind="guerrilla"),
        depot("wurttemberg", "austria"),
        guard("wurttemberg", "austria", of_depot=True),
        guard("wurttemberg", "austria", 1),
    )
    force = force_of(game.state, "wurttemberg", ("austria",), attacks=False)
    assert (force.corps, force.garrison) == (("m", "c"), True)


@pytest.mark.eia("7.5.2")
def test_a_combat_is_finished_before_the_next_begins() -> None:
    game = field(
        corps("i", "france", "black_forest", 20),
        corps("ii", "france", "hungary", 20),
        corps("m", "austria", "black_forest", 20),
        corps("n", "austria", "hungary", 20),
        depot("alsace", "france"),
        at="movement",
    )
    game.act("france", "done", 1)
    game.acts("france: answer black_forest")
    picked(game, "probe", "withdraw")
    assert [event.area for event in game.events_of(BattleOver)] == ["black_forest"]
    assert [event.area for event in game.events_of(AttackChosen)] == ["black_forest", "hungary"]


@pytest.mark.eia("7.5.2.1")
def test_outflank_needs_two_corps_and_a_leader() -> None:
    assert open_chits("attacker", [False, False], leader=True) == ATTACKER_CHITS
    assert "outflank" not in open_chits("attacker", [False, False], leader=False)
    assert "outflank" not in open_chits("defender", [False, True], leader=True)
    assert open_chits("defender", [False, False], leader=True) == DEFENDER_CHITS
    game = met(corps("i", "france", "black_forest", 20), corps("m", "austria", "black_forest", 20))
    assert game.refused("france", "chit outflank") == "no_chit"
    assert game.refused("france", "chit cordon") == "no_chit"
    assert game.refused("france", "done") == "chit_first"


@pytest.mark.eia("7.5.2.1")
def test_a_chit_is_hidden_until_both_are_picked() -> None:
    game = met(corps("i", "france", "black_forest", 20), corps("m", "austria", "black_forest", 20))
    game.act("france", "chit assault")
    assert seat_view(game.state, "austria").sealed[0].words == ()
    assert seat_view(game.state, "france").sealed[0].words == ("assault",)
    assert game.refused("france", "chit probe") in ("no_combat", "not_your_step")


@pytest.mark.eia("7.5.2.2")
@pytest.mark.parametrize(
    ("attacker", "defender", "side"),
    [
        ("outflank", "defend", "attacker"),
        ("assault", "outflank", "defender"),
        ("outflank", "outflank", ""),
        ("outflank", "cordon", ""),
        ("assault", "cordon", ""),
    ],
)
def test_chits_decide_which_side_divides_its_force(attacker: str, defender: str, side: str) -> None:
    assert dividing_side(attacker, defender) == side


TWO = (
    corps("i", "france", "black_forest", 20),
    corps("ii", "france", "black_forest", 12),
    corps("m", "austria", "black_forest", 20),
)


@pytest.mark.eia("7.5.2.3", "7.5.2.3.1")
def test_outflanking_side_divides_before_the_other_chit_is_shown() -> None:
    game = picked(met(*TWO, *LEADERS), "outflank", "defend")
    assert game.events_of(OutflankAnnounced)[0].sides == ("attacker",)
    assert game.open_question == ("france", "divide")
    assert not game.events_of(ChitsShown)
    assert game.state.questions[-1].choices == ("i", "ii"), "the leader stays, the corps may go"


@pytest.mark.eia("7.5.2.3.1")
def test_the_leader_of_an_outflanking_corps_joins_the_pinning_force() -> None:
    """With a leader in every corps there must still be a way to divide."""
    both = (*LEADERS, leader("soult", "france", "ii"))
    game = picked(met(*TWO, *both), "outflank", "defend")
    assert game.state.questions[-1].choices == ("i", "ii")
    game.act("france", "answer i")
    assert game.events_of(Divided)[0].around == ("i",)
    assert [event.where for event in game.events_of(LeaderMoved) if event.leader == "ney"] == ["ii"]


@pytest.mark.eia("7.5.2.3.1", "7.5.2.3.2")
def test_artillery_and_leaders_stay_and_irregulars_go_around() -> None:
    pieces = (
        *TWO,
        corps("iii", "france", "black_forest", 12),
        corps("a", "france", "black_forest", kind="artillery", factors=Factors(artillery=3)),
        corps("c", "france", "black_forest", 1, kind="cossack"),
        *LEADERS,
    )
    game = met(*pieces)
    battle = game.state.campaign.battle
    assert battle is not None
    assert outflanking_forces(game.state, battle.attacker) == ("i,c", "ii,c", "iii,c", "i,ii,c", "i,iii,c", "ii,iii,c")


@pytest.mark.eia("7.5.2.3.2", "7.5.2.6.1", "7.5.2.7", "7.5.2.12")
def test_the_outflanking_force_fights_when_it_arrives_and_its_morale_counts_before() -> None:
    mixed = (
        corps("i", "france", "black_forest", 20),
        corps("g", "france", "black_forest", factors=Factors(guard=20)),
        corps("m", "austria", "black_forest", 20),
    )
    game = picked(met(*mixed, *LEADERS), "outflank", "defend")
    # round 1, the roll to arrive against 4 + 1 - 1 in a forest, rounds 2 and 3
    game.act("france", "answer g", 1, 1, 4, 1, 1, 1, 1)
    assert game.events_of(ChitsShown)[0].morale[0] == 45, "infantry 40 and guard 50"
    assert game.events_of(FlankRolled)[0].arrived
    rounds = game.events_of(RoundFought)
    assert [one.attacker.table for one in rounds] == ["1-1", "1-4", "3-4"], "in a forest casualty levels are one less"
    assert len(game.events_of(FlankRolled)) == 1


@pytest.mark.eia("7.5.2.12")
def test_an_outflanking_force_that_does_not_arrive_does_not_fight() -> None:
    two = (corps("i", "france", "black_forest", 20), corps("g", "france", "black_forest", 20))
    slow = leader("ney", "france", "i", strategic=1, tactical=4)
    game = picked(met(*two, corps("m", "austria", "black_forest", 20), slow), "outflank", "defend")
    game.act("france", "answer g", 1, 1, 5, 1, 1, 6, 1, 1)
    assert [one.arrived for one in game.events_of(FlankRolled)] == [False, False]
    assert [one.attacker.table for one in game.events_of(RoundFought)] == ["1-1", "2-1", "2-1"]


@pytest.mark.eia("7.5.2.4")
def test_chits_are_shown_together_and_looked_up() -> None:
    game = picked(met(*TWO, *LEADERS), "assault", "counterattack", 1, 1, 1, 1, 1, 1)
    shown = game.events_of(ChitsShown)[0]
    assert (shown.attacker, shown.defender) == ("assault", "counterattack")
    assert len(game.events_of(RoundFought)) == 3
    assert [one.attacker.table for one in game.events_of(RoundFought)] == ["2-1", "3-2", "2-2"]


@pytest.mark.eia("7.5.2.5", "7.5.2.5.1", "7.5.2.5.2")
def test_withdrawal_is_rolled_for_and_prevents_the_battle() -> None:
    away = picked(met(*TWO, *LEADERS), "assault", "withdraw", 2)
    assert away.events_of(WithdrawalRolled)[0].away
    assert not away.events_of(RoundFought)
    assert away.events_of(AttackOver)
    assert away.state.corps["m"].where != "black_forest"
    stays = picked(met(*TWO, *LEADERS), "assault", "withdraw", 3, 1, 1, 1, 1, 1, 1)
    assert not stays.events_of(WithdrawalRolled)[0].away
    assert len(stays.events_of(RoundFought)) == 3


def test_a_probe_lets_a_withdrawing_force_go() -> None:
    game = picked(met(*TWO, *LEADERS), "probe", "withdraw")
    assert game.events_of(BattleOver)[0].why == "withdrawn"
    assert not game.events_of(RoundFought)


@pytest.mark.eia("7.5.2.10.1.1", "7.5.2.10.1.3", "7.5.2.10.2")
def test_the_broken_side_retreats_is_pursued_and_points_change_hands() -> None:
    weak = corps("m", "austria", "black_forest", factors=Factors(militia=20))
    horse = corps("r", "france", "black_forest", kind="cavalry", factors=Factors(cavalry=10))
    game = picked(met(TWO[0], TWO[1], horse, weak, LEADERS[0]), "escalated_assault", "counterattack", 6, 1, 6, 1, 6)
    over = game.events_of(BattleOver)[0]
    assert (over.winner, over.why) == ("france", "broken")
    assert game.points("france", "austria") == [1, -1]
    assert game.events_of(Retreated)[0].to in game.tables.ways["black_forest"]
    assert [event.why for event in game.events_of(CorpsStrength)][-1] == "pursuit, die 6"
    assert game.state.campaign.fought == 1


@pytest.mark.eia("7.5.2.10.1.3")
def test_a_large_beaten_force_is_worth_one_point_more() -> None:
    weak = [corps(name, "austria", "black_forest", factors=Factors(militia=5)) for name in "mnop"]
    game = picked(met(TWO[0], TWO[1], *weak, LEADERS[0]), "escalated_assault", "counterattack", 6, 1, 6, 1)
    assert game.points("france", "austria") == [2, -2]


@pytest.mark.eia("7.5.2.13")
def test_another_day_follows_only_where_both_want_it() -> None:
    game = picked(met(*TWO, *LEADERS), "assault", "counterattack", 1, 1, 1, 1, 1, 1)
    assert game.open_question == ("france", "end_of_day")
    game.acts("france: answer fight", "austria: answer fight")
    battle = game.state.campaign.battle
    assert battle is not None
    assert (battle.day, battle.round, battle.attacker.chit) == (2, 0, "")
    picked(game, "assault", "counterattack", 1, 1, 1, 1, 1, 1)
    assert game.events_of(BattleOver)[-1].why == "undecided"
    assert game.state.corps["i"].where != "black_forest"
    left = picked(met(*TWO, *LEADERS), "assault", "counterattack", 1, 1, 1, 1, 1, 1)
    left.acts("france: answer fight", "austria: answer leave")
    assert left.state.corps["m"].where != "black_forest"
    assert left.state.corps["i"].where == "black_forest"


@pytest.mark.eia("10.6.1.1")
def test_best_leader_commands_and_loses_a_point_by_too_many_corps() -> None:
    pieces = (
        leader("murat", "france", "i", rank="B", tactical=3),
        leader("napoleon", "france", "ii", rank="A", strategic=5, tactical=5, most=1),
        *TWO,
    )
    game = field(*pieces)
    assert commanding_leader(game.state, ("i", "ii")) == "napoleon"
    force = force_of(game.state, "black_forest", ("france",), attacks=True)
    assert force_ratings(game.tables, game.state, force) == (5, 4)
    assert force_ratings(game.tables, game.state, replace(force, leader="")) == (2, 2), "those of France"
    assert commanding_leader(game.state, ("m",)) == ""


def test_a_third_combat_ends_the_exercise() -> None:
    game = field(*TWO[::2], depot("alsace", "france"), at="movement", campaign=_two_fought())
    game.act("france", "done")
    picked(game, "probe", "withdraw")
    assert game.state.result is not None
    assert "3 field combats" in game.state.result.reason


def _two_fought() -> object:
    fresh = field().state.campaign
    return replace(fresh, fought=2)
