"""Rules of set-up, events and victory that are purely about tables: each test fails when the table is wrong."""

from __future__ import annotations

import math
from collections import Counter
from itertools import product

import pytest

from paxtui.pax.board.neighbours import board
from paxtui.pax.board.tables import HOME
from paxtui.pax.position.setup import new_game, seats_for
from paxtui.table.tables import load_tables

TABLES = load_tables()
AREAS = TABLES.areas
ZONES = TABLES.sea_zones


@pytest.mark.rule("SET-005")
def test_the_map_has_104_areas_and_12_sea_zones():
    assert len(AREAS) == 104
    assert len(ZONES) == 12
    assert len({area.name for area in AREAS.values()}) == 104
    for id, area in AREAS.items():
        assert area.id == id
        assert area.name and area.value >= 0 and area.strength >= 0
    assert {home for home in TABLES.routes if home.startswith(HOME)} == {HOME + power for power in TABLES.powers}


@pytest.mark.rule("SET-006")
def test_guiana_is_worth_4_and_shared_by_three_possessions():
    assert AREAS["guiana"].value == 4
    here = [(row.power, row.marker, row.codominion) for row in TABLES.start_markers if row.area == "guiana"]
    assert sorted(here) == [(power, "possession", True) for power in ("britain", "france", "netherlands")]
    # The higher value and the reduction go together: 4 less 2 is the 2 that the board prints.
    assert AREAS["guiana"].value - (len(here) - 1) == 2


@pytest.mark.rule("SET-007")
@pytest.mark.parametrize(("options", "of_fiji"), [
    ({}, {"oceania"}),
    ({"edition": "1993"}, {"oceania", "south_pacific"}),
    ({"edition": "1993", "fiji_south_pacific": "no"}, {"oceania"}),
])  # fmt: skip
def test_new_zealand_borders_two_seas_and_fiji_one_unless_1993(options, of_fiji):
    map_ = board(TABLES, new_game(TABLES, seats_for(4), options))
    assert set(map_.zones_of["new_zealand"]) == {"oceania", "south_pacific"}
    assert set(map_.zones_of["fiji"]) == of_fiji


@pytest.mark.rule("SET-012")
def test_every_area_has_one_of_five_types():
    counts = Counter(area.type for area in AREAS.values())
    assert counts == {
        "independent": 25,
        "ottoman": 3,
        "chinese_empire": 15,
        "chinese_vassal": 4,
        "unorganized": 57,
    }
    assert {id for id, area in AREAS.items() if area.type == "ottoman"} == {"anatolia", "quwait", "tripoli"}
    assert {id for id, area in AREAS.items() if area.type == "chinese_vassal"} == {
        *("burma", "formosa", "indochina", "korea"),
    }


@pytest.mark.rule("SET-013")
def test_areas_without_a_sea_zone_are_those_inland():
    inland = {id for id, area in AREAS.items() if not area.sea_zones}
    assert {"serbia", "tibet", "transvaal"} <= inland
    assert set(AREAS["egypt"].sea_zones) == {"mediterranean", "indian_ocean"}
    for id in AREAS.keys() - inland:
        assert set(AREAS[id].sea_zones) <= ZONES.keys()


@pytest.mark.rule("SET-014")
def test_boxes_drawn_inland_with_a_sea_colour_are_coastal():
    assert set(AREAS["canada"].sea_zones) == {"north_atlantic", "north_pacific"}
    assert AREAS["kongo"].sea_zones == ("south_atlantic",)


@pytest.mark.rule("SET-016")
def test_an_area_and_a_sea_zone_are_adjacent_both_ways():
    # The Areas carry their Sea Zones, so from the Sea Zone's side the same pairs are found, and no Area knows a
    # Sea Zone twice or one that does not exist.
    from_areas = [(id, zone) for id, area in AREAS.items() for zone in area.sea_zones]
    from_zones = {(id, zone) for zone in ZONES for id, area in AREAS.items() if zone in area.sea_zones}
    assert len(from_areas) == len(set(from_areas))
    assert set(from_areas) == from_zones


@pytest.mark.rule("SET-017")
def test_the_dutch_east_indies_border_three_seas():
    assert set(AREAS["dutch_east_indies"].sea_zones) == {"indian_ocean", "north_pacific", "south_china_sea"}


@pytest.mark.rule("SET-018")
def test_sea_zones_are_next_to_each_other_both_ways():
    assert set(ZONES["mediterranean"].adjacent) == {"north_atlantic", "black_sea", "indian_ocean"}
    for one, other in product(ZONES, ZONES):
        assert (other in ZONES[one].adjacent) == (one in ZONES[other].adjacent)
    assert all(zone.id not in zone.adjacent and zone.adjacent for zone in ZONES.values())


@pytest.mark.rule("SET-020")
def test_cape_horn_lies_under_south_america_and_good_hope_under_africa():
    assert {id: set(cape.adjacent) for id, cape in TABLES.capes.items()} == {
        "cape_horn": {"south_atlantic", "south_pacific"},
        "cape_of_good_hope": {"south_atlantic", "indian_ocean"},
    }


@pytest.mark.rule("SET-021")
def test_land_adjacency_is_a_route_and_nothing_else():
    assert "central_america" in TABLES.routes["panama"]
    assert "mexico" not in TABLES.routes["panama"]
    for place, ends in TABLES.routes.items():
        assert len(ends) == len(set(ends)) and place not in ends
        for end in ends:
            assert place in TABLES.routes[end]
    assert sum(len(ends) for ends in TABLES.routes.values()) == 2 * 178
    assert set(TABLES.routes[HOME + "germany"]) == {HOME + "austria_hungary"}


@pytest.mark.rule("SET-023")
def test_four_areas_carry_a_canal_or_the_straits():
    assert {id: area.passage for id, area in AREAS.items() if area.passage} == {
        "panama": "canal",
        "central_america": "canal",
        "egypt": "suez",
        "anatolia": "straits",
    }


@pytest.mark.rule("SET-033")
def test_ten_turns_of_four_years():
    years = [turn.year for turn in TABLES.turns]
    assert years == [1880, 1884, 1888, 1892, 1896, 1900, 1904, 1908, 1912, 1916]


@pytest.mark.rule("SET-034")
def test_each_turn_names_its_fleets_and_its_penalty():
    for turn in TABLES.turns:
        assert set(turn.merchant_fleets) <= TABLES.powers.keys()
        assert turn.great_war_penalty > 0
    assert any(turn.merchant_fleets for turn in TABLES.turns)
    assert "turns" in TABLES.reconstructed


@pytest.mark.rule("SET-038")
def test_twelve_powers_own_pieces():
    powers = {
        *("britain", "france", "germany", "austria_hungary", "united_states", "japan", "russia", "italy"),
        *("netherlands", "belgium", "spain", "portugal"),
    }
    assert TABLES.powers.keys() == powers
    assert TABLES.counters.keys() == powers
    assert {row.power for row in TABLES.start_units} == powers


@pytest.mark.rule("SET-041")
def test_units_have_strength_1_3_or_10_and_chinese_armies_5():
    assert set(TABLES.units) == {1, 3, 10}
    for row in TABLES.start_units:
        assert (row.strength == 0) if row.unit == "merchant_fleet" else (row.strength in (1, 3, 10))
    assert TABLES.other_armies.strength == 5
    assert TABLES.other_armies.count == 6


@pytest.mark.rule("SET-045")
def test_the_ladder_of_status():
    ladder = ["interest", "influence", "protectorate", "possession", "dominion"]
    levels = [TABLES.markers[id].level for id in ladder]
    assert levels == [1, 2, 3, 4, 5]  # none is 0
    assert TABLES.markers["state"].level == TABLES.markers["dominion"].level
    assert TABLES.markers.keys() == {*ladder, "state"}
    assert [id for id in TABLES.markers if not TABLES.markers[id].control] == ["interest", "influence"]
    assert {id: marker.only_for for id, marker in TABLES.markers.items() if marker.only_for} == {
        "dominion": "britain",
        "state": "united_states",
    }


@pytest.mark.rule("SET-057")
def test_who_is_great_and_who_minor():
    kinds = {id: power.kind for id, power in TABLES.powers.items()}
    assert {id for id, kind in kinds.items() if kind == "great"} == {"britain", "france", "germany", "united_states"}
    assert {id for id, kind in kinds.items() if kind == "played_by_germany"} == {"austria_hungary"}
    assert {id for id, kind in kinds.items() if kind == "great_or_minor"} == {"russia", "japan", "italy"}
    assert {id for id, kind in kinds.items() if kind == "minor"} == {"spain", "netherlands", "portugal"}
    assert {id for id, kind in kinds.items() if kind == "minor_or_eighth_player"} == {"belgium"}
    assert TABLES.powers["austria_hungary"].seat == "germany"


@pytest.mark.rule("SET-075")
def test_economic_values():
    values = {id: AREAS[id].value for id in ("cuba", "brasil", "serbia", "newfoundland", "kongo", "transvaal")}
    assert values == {"cuba": 6, "brasil": 9, "serbia": 5, "newfoundland": 1, "kongo": 8, "transvaal": 7}
    assert sum(area.value for area in AREAS.values()) == 494


def _pairs():
    return [f"{first}-{second}" for first in range(1, 7) for second in range(1, 7)]


@pytest.mark.rule("EVT-004")
def test_nineteen_headlines_and_seventeen_unrests():
    headlines = [dice for dice, event in TABLES.events.items() if not event.unrest]
    assert headlines == _pairs()[:19]
    assert [dice for dice, event in TABLES.events.items() if event.unrest] == _pairs()[19:]
    assert headlines[-1] == "4-1"


@pytest.mark.rule("EVT-026")
def test_unrest_tables_and_their_dice():
    assert {id: table.dice for id, table in TABLES.unrest.items()} == {"A": 2, "B": 1, "C": 2, "D": 2}
    for letter, distinct in (("A", 36), ("B", 6), ("C", 36), ("D", 18)):
        rows = TABLES.unrest[letter].rows
        assert sorted(rows) == (_pairs() if letter != "B" else [str(die) for die in range(1, 7)])
        assert len(set(rows.values())) == distinct
        assert set(rows.values()) <= AREAS.keys()
    assert [TABLES.unrest["B"].rows[str(die)] for die in range(1, 7)] == [
        *("afghanistan", "anatolia", "egypt", "mozambique", "philippines", "transvaal"),
    ]
    assert TABLES.unrest["A"].rows["1-1"] == "aden"
    assert TABLES.unrest["C"].rows["5-2"] == "quwait"
    assert TABLES.unrest["C"].rows["2-5"] == "dutch_east_indies"  # the order of the dice counts


@pytest.mark.rule("EVT-062")
def test_which_dice_lead_to_which_unrest_table():
    letters = "".join(TABLES.events[dice].unrest for dice in _pairs()[19:])
    assert letters == "AA" + "BBBB" + "CCCCC" + "DDDDDD"


@pytest.mark.rule("CCB-046")
def test_every_combat_roll_has_one_of_six_results():
    results = set()
    assert set(TABLES.combat) == {1, 2}
    assert [(ratio.attack, ratio.defend) for ratio in TABLES.ratios] == [
        *((1, 10), (1, 3), (1, 2), (2, 3), (1, 1), (3, 2), (2, 1), (3, 1), (10, 1)),
    ]
    for table in TABLES.combat.values():
        assert len(table) == 6
        for row in table:
            assert len(row) == 9
            results |= set(row)
    assert results == {"E", "AR", "EX", "HX", "DR", "DE"}
    assert not any("HX" in row for row in TABLES.combat[1])


@pytest.mark.rule("VIC-013")
@pytest.mark.parametrize("power", ["russia", "italy"])
def test_russia_and_italy_divide_by_two_and_a_half(power):
    found = TABLES.powers[power]
    assert found.vp_pounds / found.vp_points == 2.5
    assert 33 * found.vp_points // found.vp_pounds == 13


@pytest.mark.rule("BEL-007")
def test_belgium_divides_by_one():
    belgium = TABLES.powers["belgium"]
    assert 7 * belgium.vp_points // belgium.vp_pounds == 7


@pytest.mark.rule("BEL-008")
def test_belgium_gets_half_of_italys_colonial_office_rounded_up():
    assert TABLES.colonial_office["belgium"] == (3, 4, 5, 5, 10, 15)
    assert TABLES.colonial_office["belgium"] == tuple(math.ceil(x / 2) for x in TABLES.colonial_office["italy"])


@pytest.mark.rule("BEL-013")
def test_belgium_receives_fleets_in_1896_and_1916():
    assert [turn.year for turn in TABLES.turns if "belgium" in turn.merchant_fleets] == [1896, 1916]
    at_sea = sum(row.power == "belgium" and row.unit == "merchant_fleet" for row in TABLES.start_units)
    assert TABLES.counters["belgium"].merchant_fleet >= at_sea + 2
