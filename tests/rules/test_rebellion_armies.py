"""The Chinese Rebellion (REB): how Chinese Armies march, attack and retreat, and Areas that fight by themselves."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.games.pax.events import events
from tests.rules import wars
from tests.rules.harness import army, held, here, marker, naval
from tests.rules.rebellions import battles, defeated, rebellion, rebels, where
from tests.rules.wars import place, the_war

BRITAIN = ["britain"]


# The march


@pytest.mark.rule("REB-002", "REB-011", "REB-013")
def test_chinese_army_moves_one_area_toward_the_nearest_enemy() -> None:
    areas = {"kansu": here(*rebels()), "shan_tung": held("britain", "protectorate", army("britain", 10))}
    g = rebellion(BRITAIN, areas=areas)
    g.advance()
    assert where(g) == {"central_china": 1}
    assert g.waiting() == ("britain",) and place(g) == ("maneuver", 2)


@pytest.mark.rule("REB-010")
def test_chinese_army_stays_with_a_colonial_army() -> None:
    areas = {
        "shan_tung": held("britain", "protectorate", army("britain", 10), *rebels()),
        "central_china": held("britain", "protectorate", army("britain")),
    }
    g = rebellion(BRITAIN, areas=areas)
    g.dice(3)  # the attack that follows: 5 against 10, both stay
    g.step()
    assert where(g) == {"shan_tung": 1} and g.all_of(events.UnitsMoved) == []


@pytest.mark.rule("REB-010", "REB-016")
def test_fleets_neither_stop_nor_attract_chinese_armies() -> None:
    areas = {
        "shan_tung": held("britain", "protectorate", naval("britain", 3), *rebels()),
        "shang_hai": held("britain", "protectorate", army("britain", 10)),
    }
    g = rebellion(BRITAIN, areas=areas)
    g.advance()
    assert where(g) == {"central_china": 1}
    alone = {"shan_tung": areas["shan_tung"]}
    g = rebellion(BRITAIN, areas=alone)
    g.advance()
    assert where(g) == {"shan_tung": 1} and battles(g) == []


@pytest.mark.rule("REB-012")
def test_die_chooses_between_equally_near_areas() -> None:
    garrison = held("britain", "protectorate", army("britain", 10))
    two = {"kansu": here(*rebels()), "shan_tung": garrison, "fukien": garrison}
    for die, to in ((3, "fukien"), (4, "shan_tung")):
        g = rebellion(BRITAIN, areas=two)
        g.dice(die)
        g.step()
        (rolled,) = g.all_of(events.TargetRolled)
        assert (rolled.targets, rolled.dice, rolled.target) == (("fukien", "shan_tung"), (die,), to)
    four = {**two, "shang_hai": garrison, "manchuria": garrison, "inner_mongolia": held("britain")}
    g = rebellion(BRITAIN, areas=four)
    g.dice(6, 5, 2)  # four do not divide a die: it is thrown again
    g.step()
    (rolled,) = g.all_of(events.TargetRolled)
    assert (len(rolled.targets), rolled.dice, rolled.target) == (4, (6, 5, 2), "manchuria")


@pytest.mark.rule("REB-012")
def test_each_army_rolls_for_itself() -> None:
    garrison = held("britain", "protectorate", army("britain", 10))
    g = rebellion(BRITAIN, areas={"central_china": here(*rebels(2)), "shan_tung": garrison, "fukien": garrison})
    g.dice(1, 6)
    g.step()
    assert where(g) == {"fukien": 1, "shan_tung": 1}


@pytest.mark.rule("REB-014")
def test_chinese_armies_enter_possessions_in_china_but_nothing_else() -> None:
    areas = {
        "yunnan": here(*rebels()),
        "burma": held("britain", "possession", army("britain", 10)),
        "siam": held("britain", "possession", army("britain")),
    }
    g = rebellion(BRITAIN, areas=areas)
    g.step()
    assert where(g) == {"burma": 1}
    g = rebellion(BRITAIN, areas={"burma": here(*rebels()), "siam": areas["siam"]})
    g.step()
    assert where(g) == {"burma": 1} and g.all_of(events.UnitsMoved) == []


@pytest.mark.rule("REB-015")
def test_colonial_armies_outside_china_are_no_target() -> None:
    areas = {
        "tibet": here(*rebels()),
        "bengal": held("britain", "possession", army("britain", 10)),
        "sin_kiang": held("britain", "possession"),
        "mongolia": held("britain", "possession", army("britain", 10)),
    }
    g = rebellion(BRITAIN, areas=areas)
    g.step()
    assert where(g) in ({"sin_kiang": 1}, {"kansu": 1})


@pytest.mark.rule("REB-055")
def test_distances_run_through_china_alone_and_formosa_is_out_of_reach() -> None:
    g = rebellion(["japan"], areas={"fukien": here(*rebels()), "formosa": held("japan", "protectorate", army("japan"))})
    g.step()
    assert where(g) == {"fukien": 1}
    # from Tibet to Burma by Szech-Wan and Yunnan, for Bengal lies outside China
    g = rebellion(BRITAIN, areas={"tibet": here(*rebels()), "burma": held("britain", "possession", army("britain"))})
    g.step()
    assert where(g) == {"szech_wan": 1}


@pytest.mark.rule("REB-055")
def test_equally_short_paths_are_drawn_from_the_seed() -> None:
    found = set()
    for seed in "abcdefgh":
        areas = {"szech_wan": here(*rebels()), "indochina": held("france", "possession", army("france"))}
        g = rebellion(["france"], areas=areas)
        g.seed = seed
        g.dice(6, 6, 6)
        g.step()
        found.add(next(iter(where(g))))
        assert g.queue == (6, 6, 6), "no die of the queue is used"
    assert found == {"kwang_si", "yunnan"}


# The attack


@pytest.mark.rule("REB-016")
def test_a_chinese_army_attacks_whatever_the_odds() -> None:
    areas = {"burma": held("britain", "protectorate", army("britain", 10), army("britain", 10), *rebels())}
    g = rebellion(BRITAIN, "attack", areas=areas)
    g.dice(1)
    g.step()
    assert battles(g) == [("burma", 5, 20, "E")] and where(g) == {}
    (fought,) = g.all_of(events.BattleFought)
    assert (fought.table, fought.column) == (2, "1-10")


@pytest.mark.rule("REB-017", "REB-022", "REB-023")
def test_armies_in_an_area_attack_together_and_an_undefeated_area_helps_them() -> None:
    for patch, total, area in (
        ({"burma": held("britain", "protectorate", army("britain", 10), *rebels(2))}, 10, 0),
        ({"kwang_si": here(army("britain", 10), *rebels(2))}, 15, 5),
        ({"indochina": here(army("britain", 10), *rebels(2))}, 13, 3),
        ({"kwang_si": here(marker("britain", "influence"), army("britain", 10), *rebels(1))}, 10, 5),
        ({"kwang_si": here(marker("britain", "protectorate"), army("britain", 10), *rebels(1))}, 5, 0),
    ):
        g = rebellion(BRITAIN, "attack", areas=patch)
        g.dice(3)
        g.step()
        assert [(e.attack, e.area) for e in g.all_of(events.BattleFought)] == [(total, area)]


@pytest.mark.rule("REB-018")
def test_all_colonial_armies_defend_together_without_the_fleets() -> None:
    units = (army("britain", 10), army("france", 3), naval("britain", 3))
    g = rebellion(["britain", "france"], "attack", areas={"burma": held("britain", "protectorate", *units, *rebels())})
    g.dice(1)
    g.step()
    assert battles(g) == [("burma", 5, 13, "E")]


@pytest.mark.rule("REB-016")
def test_china_attacks_in_alphabetical_order_of_areas() -> None:
    garrison = held("britain", "protectorate", army("britain", 10), *rebels())
    g = rebellion(BRITAIN, "attack", areas={"yunnan": garrison, "burma": garrison})
    g.dice(1, 5)
    g.step()
    assert [(area, result) for area, _, _, result in battles(g)] == [("burma", "E"), ("yunnan", "HX")]


@pytest.mark.rule("REB-016", "WCB-006")
def test_china_attacks_an_area_once_despite_a_choice_of_losses() -> None:
    areas = {"burma": held("britain", "protectorate", army("britain", 10), army("britain", 10), *rebels())}
    areas["burma"]["units"].insert(0, army("britain", 3))
    areas["burma"]["units"].insert(0, army("britain", 3))
    g = rebellion(BRITAIN, "attack", areas=areas)
    g.dice(5)  # half exchange: 3 of 26 strength points are lost, or more
    g.advance()
    assert [c.kind for c in g.state.choices] == ["losses"]
    g.step()
    assert battles(g) == [("burma", 5, 26, "HX")] and g.units("burma", "britain") == ["A10", "A10", "A3"]


# Retreats


def beaten(**areas: Any) -> dict[str, int]:
    """Where a Chinese Army goes that is driven out of Shan-Tung or another Area by its own failed attack."""
    g = rebellion(BRITAIN, "attack", areas=areas)
    g.dice(3, 3, 3)
    g.step()
    assert battles(g)[0][3] == "AR"
    return where(g)


def fight_in(control: str = "protectorate") -> dict[str, Any]:
    """An Area in which one Chinese Army attacks 15 strength points, and is driven out with a 3."""
    units = (army("britain", 10), army("britain", 3), army("britain"), army("britain"))
    return held("britain", control, *units, *rebels())


@pytest.mark.rule("REB-019")
def test_chinese_army_prefers_a_refuge_without_control() -> None:
    others = ("fukien", "inner_mongolia", "shan_tung", "shang_hai", "szech_wan")
    guarded = {area: held("britain", "protectorate", army("britain")) for area in others}
    free = {**guarded, "manchuria": held("britain", "protectorate"), "kansu": here()}
    assert beaten(central_china=fight_in(), **free) == {"kansu": 1}
    kept = {**free, "kansu": held("britain", "protectorate", army("britain"))}
    assert beaten(central_china=fight_in(), **kept) == {"manchuria": 1}
    ships = {**kept, "manchuria": held("britain", "protectorate", naval("britain", 3))}
    assert beaten(central_china=fight_in(), **ships) == {"manchuria": 1}


@pytest.mark.rule("REB-020")
def test_equal_refuges_are_drawn() -> None:
    found = set()
    for seed in "abcdefgh":
        g = rebellion(BRITAIN, "attack", areas={"yunnan": fight_in()})
        g.seed = seed
        g.dice(3)
        g.step()
        found.update(where(g))
    assert len(found) > 1 and found <= {"burma", "indochina", "kwang_si", "szech_wan"}


@pytest.mark.rule("REB-021")
def test_a_chinese_army_without_a_refuge_in_china_is_eliminated() -> None:
    manchuria = held("britain", "protectorate", army("britain"))
    assert beaten(korea=fight_in(), manchuria=manchuria) == {}
    assert beaten(korea=fight_in(), manchuria=held("britain", "protectorate")) == {"manchuria": 1}


# Areas that fight


@pytest.mark.rule("REB-024", "REB-026")
def test_area_is_defeated_with_the_attack_that_it_helped() -> None:
    for die, result, gone in ((1, "E", True), (4, "HX", False)):
        areas = {"kwang_si": here(army("britain", 10), army("britain", 10), *rebels())}
        g = rebellion(BRITAIN, "attack", areas=areas)
        g.dice(die)
        g.step()
        assert battles(g) == [("kwang_si", 10, 20, result)]
        assert (defeated(g) == ("kwang_si",)) == gone
    areas = {"kwang_si": here(army("britain", 10), *rebels())}
    g = rebellion(BRITAIN, "attack", areas=areas)
    g.dice(1)  # 10 to 10: the attackers retreat
    g.step()
    assert battles(g) == [("kwang_si", 10, 10, "AR")] and defeated(g) == ("kwang_si",)


@pytest.mark.rule("REB-025", "REB-026", "REB-056")
def test_colonial_units_defeat_an_area_by_force_or_by_an_exchange_that_they_outweigh() -> None:
    strong = [army("britain", 10), army("britain", 3), army("britain"), army("britain")]
    for units, die, result, falls in (
        ([army("britain", 10)], 6, "DR", True),
        ([army("britain", 10)], 3, "EX", False),
        (strong, 1, "EX", True),
        (strong, 6, "DR", True),
        ([army("britain", 10)], 1, "AR", False),
    ):
        areas = {
            "kwang_si": here(*units, *rebels()),
            "indochina": held("britain"),
            "burma": held("britain", "possession"),
        }
        g = rebellion(BRITAIN, "attack", 2, areas=areas)
        g.dice(die)
        g.act("britain", "attack kwang_si")
        assert battles(g) == [("kwang_si", sum(u["strength"] for u in units), 10, result)]
        assert (defeated(g) == ("kwang_si",)) == falls


@pytest.mark.rule("REB-025", "REB-056")
def test_area_without_army_loses_nothing_in_an_exchange() -> None:
    g = rebellion(BRITAIN, "attack", 2, areas={"kwang_si": here(army("britain", 10), army("britain", 3))})
    g.dice(1)  # 13 to 5, 2-1 on Table 2: exchange
    g.act("britain", "attack kwang_si")
    assert battles(g) == [("kwang_si", 13, 5, "EX")]
    assert defeated(g) == ("kwang_si",) and g.units("kwang_si") == ["A3"]


@pytest.mark.rule("REB-023", "REB-026")
def test_a_defeated_area_adds_nothing() -> None:
    areas = {"kwang_si": here(army("britain", 10), *rebels())}
    g = rebellion(BRITAIN, "attack", 2, areas=areas, war={"defeated": ["kwang_si"]})
    g.dice(4)
    g.act("britain", "attack kwang_si")
    assert battles(g) == [("kwang_si", 10, 5, "DR")]


@pytest.mark.rule("REB-056")
def test_area_does_not_attack_and_need_not_be_attacked() -> None:
    areas = {"yunnan": here(marker("france", "influence"), army("france", 3)), "tibet": here(*rebels())}
    g = rebellion(["france"], "attack", areas=areas)
    g.step()
    assert battles(g) == []
    g = rebellion(["france"], "attack", 2, areas=areas)
    assert g.waiting() == ("france",)
    wars.all_pass(g)
    assert battles(g) == [] and the_war(g).stage == "supply"


@pytest.mark.rule("REB-022")
def test_colonial_units_retreat_to_no_area_that_still_fights() -> None:
    areas = {
        "korea": held("britain", "protectorate", army("britain", 3), *rebels(2)),
        "manchuria": here(),
    }
    g = rebellion(BRITAIN, "attack", areas=areas)
    g.dice(5)  # 10 to 3: 3-1 on Table 1, the defenders are eliminated
    g.step()
    assert battles(g)[0][3] == "DE"
    for fallen, to in (((), []), (("manchuria",), ["A3"])):
        g = rebellion(BRITAIN, "attack", areas=areas, war={"defeated": list(fallen)})
        g.dice(2)
        g.step()
        assert battles(g)[0][3] == "DR" and g.units("manchuria", "britain") == to


@pytest.mark.rule("REB-023", "REB-022")
def test_an_undefeated_area_helps_its_armies_in_defence() -> None:
    g = rebellion(BRITAIN, "attack", 2, areas={"kwang_si": here(army("britain", 10), *rebels())})
    g.dice(4)
    g.act("britain", "attack kwang_si")
    assert [(place, attack, defend) for place, attack, defend, _ in battles(g)] == [("kwang_si", 10, 10)]
