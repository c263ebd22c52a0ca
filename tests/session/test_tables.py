"""The shipped tables: they are consistent, and follow the rules that are only about tables."""

import re
import shutil
import subprocess
import sys
from collections import Counter
from itertools import product
from pathlib import Path

import pytest

import paxtui.games.pax
from paxtui.games.pax.board.adjacency import board
from paxtui.games.pax.board.tables import HOME, Tables
from paxtui.games.pax.position.setup import new_game, seats_for
from paxtui.games.pax.state.options import Options, options_from_texts, options_to_texts
from paxtui.session.storage.files import data_path, style_path
from paxtui.session.tables.loader import load_rules, load_tables, load_tables_from_header
from paxtui.session.tables.records import TABLE_FILES

TABLES = load_tables()


def test_no_table_is_empty():
    empty = {name for name in Tables.__struct_fields__ if not getattr(TABLES, name)}
    assert empty == {"replaced"}
    for name in ("homes", "counters", "french_names", "treaty_cities"):
        assert set(getattr(TABLES, name)) == set(TABLES.powers), name
    assert set(TABLES.routes) == {*TABLES.areas, *(HOME + power for power in TABLES.powers)}
    assert set(TABLES.events) == {f"{red}-{white}" for red in range(1, 7) for white in range(1, 7)}
    assert set(TABLES.chinese_armies) == set(range(2, 13))
    assert set(TABLES.markers) == {"interest", "influence", "protectorate", "possession", "dominion", "state"}
    assert set(TABLES.minor_activity) == set(TABLES.minor_order)
    assert [turn.year for turn in TABLES.turns] == list(range(1880, 1920, 4))


def test_each_data_file_is_known():
    shipped = {path.relative_to(data_path()).as_posix() for path in data_path().rglob("*") if path.is_file()}
    assert set(TABLE_FILES) <= shipped
    reconstructed = {name for name in shipped if name.startswith("reconstructed/")}
    assert reconstructed <= set(TABLE_FILES)
    assert {"README.md", "rules.tsv", "map/map_layout.csv", "map/map_warp.toml", "map/coast/LICENSE"} <= shipped


def test_data_and_style_directories_exist():
    assert data_path("areas.csv").is_file()
    assert style_path().is_dir()


def test_installed_wheel_finds_its_files(tmp_path):
    here = data_path().parent
    shutil.copytree(here / "paxtui", tmp_path / "paxtui", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(here / "data", tmp_path / "paxtui/_data")
    shutil.copytree(here / "styles", tmp_path / "paxtui/_styles")
    code = (
        "from paxtui.session.storage.files import data_path, style_path;"
        "from paxtui.session.tables.loader import "
        "load_tables;"
        "print(len(load_tables().areas), data_path(), style_path())"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["104", str(tmp_path / "paxtui/_data"), str(tmp_path / "paxtui/_styles")]


def test_start_reads_no_rule_reference_and_no_difflib():
    code = (
        "import sys; from paxtui.session.tables.loader import load_tables, load_rules; load_tables();"
        "print(load_rules.cache_info().currsize, 'difflib' in sys.modules, 'textual' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0", "False", "False"]


def test_rules_named_by_tables_are_in_the_rule_reference():
    rules = load_rules()
    named = [
        id
        for group in (
            TABLES.events.values(), TABLES.record.values(), TABLES.options.values(), TABLES.africa_paths,
            TABLES.causes, TABLES.bonuses_per_turn, TABLES.bonuses_at_end,
        )
        for row in group
        for id in row.rules
    ]  # fmt: skip
    assert named
    assert [id for id in named if id not in rules] == []
    for group in (TABLES.events.values(), TABLES.record.values(), TABLES.options.values(), TABLES.causes):
        assert all(row.rules for row in group)


def test_rule_reference_has_seven_fields_of_the_catalogue():
    rule = load_rules()["SET-012"]
    assert (rule.part, rule.lines, rule.phase) == ("1", "L27-33", "setup")
    assert (rule.kind, rule.edition) == ("definition", "1985")
    assert rule.statement.startswith("Each Area belongs to exactly one of five types")


def test_corrections_to_the_source_are_made():
    areas = TABLES.areas
    assert set(areas["central_america"].sea_zones) == {"caribbean", "south_pacific"}
    assert areas["guiana"].value == 4
    assert HOME + "germany" in TABLES.routes[HOME + "austria_hungary"]
    start = {(u.power, u.place, u.unit, u.strength, u.coast): u.count for u in TABLES.start_units}
    assert start["britain", "canada", "naval", 3, "north_atlantic"] == 1
    russia = HOME + "russia"
    assert start["russia", russia, "naval", 10, "baltic"] == 1
    assert start["russia", russia, "naval", 1, "black_sea"] == 1
    assert start["russia", russia, "naval", 1, "north_china_sea"] == 1
    spanish = [u.place for u in TABLES.start_units if u.power == "spain" and u.unit == "merchant_fleet"]
    assert len(spanish) == len(set(spanish)) == 6


def _effective_values(power):
    """Values of the Areas under a Power's Control in 1880, less one for each further holder in a Codominion."""
    total = 0
    for row in TABLES.start_markers:
        if row.power == power and TABLES.markers[row.marker].control:
            holders = sum(other.area == row.area and other.codominion for other in TABLES.start_markers)
            total += TABLES.areas[row.area].value - max(0, holders - 1)
    return total


def test_britain_opens_with_an_income_of_37_before_the_colonial_office():
    def upkeep(places):
        units = [u for u in TABLES.start_units if u.power == "britain" and u.unit != "merchant_fleet"]
        return sum(u.strength * u.count for u in units if u.place in places)

    own = {m.area: TABLES.markers[m.marker] for m in TABLES.start_markers if m.power == "britain"}
    paid_for = {area for area, marker in own.items() if marker.id != "dominion"}
    maintenance = upkeep(paid_for) + sum(marker.maintenance for marker in own.values())
    assert upkeep(paid_for) == 58
    assert _effective_values("britain") == 85
    assert maintenance == 388
    assert 85 * TABLES.markers["possession"].multiplier - maintenance == 37
    fleet = sum(u.strength * u.count for u in TABLES.start_units if u.power == "britain" and u.unit == "naval")
    assert fleet == 38


def test_french_colonies_of_1880_are_worth_31_points():
    france = TABLES.powers["france"]
    assert _effective_values("france") * 5 * 2 * france.vp_points // france.vp_pounds == 31


def test_combat_results_table():
    first = "EEEEEaxxr EEEaaxxrd EEaaxxrrd Eaaxxrrdd Eaxxrrddd axxrddddd"
    second = "EEEaaxxhh EEaaxxhhr Eaahxhhrr aahhhhrrd hxhxhrrdd hxxxrrddd"
    short = {"E": "E", "AR": "a", "EX": "x", "HX": "h", "DR": "r", "DE": "d"}
    for number, wanted in ((1, first), (2, second)):
        found = ["".join(short[result] for result in row) for row in TABLES.combat[number]]
        assert found == wanted.split()


def test_united_states_have_one_box_for_two_seas():
    assert TABLES.homes["united_states"].boxes == (("north_atlantic", "caribbean"), ("north_pacific",))
    for power, home in TABLES.homes.items():
        if power != "united_states":
            assert home.boxes == tuple((zone,) for zone in home.sea_zones)


def test_european_great_powers_and_the_seat_of_austria_hungary():
    european = {id for id, power in TABLES.powers.items() if power.european}
    assert european == {"britain", "france", "germany", "austria_hungary", "italy", "russia"}
    assert {id: p.seat for id, p in TABLES.powers.items() if p.seat} == {"austria_hungary": "germany"}
    assert TABLES.tension_without == ("britain", "united_states", "japan")
    assert TABLES.minor_order == ("netherlands", "belgium", "spain", "portugal", "japan", "russia", "italy")
    assert " ".join(p.letters for p in TABLES.powers.values()) == "GB FR DE US JP RU IT AH BE NL ES PT"


def test_every_option_is_read_by_the_rules():
    source = Path(paxtui.games.pax.__file__).parent
    read = {change.option for change in TABLES.map_changes}
    for path in source.rglob("*.py"):
        read.update(re.findall(r"options\.(\w+)", path.read_text("utf-8")))
    only_sets_others = "edition"
    assert set(TABLES.options) <= read | {only_sets_others}


def test_options_are_read_from_their_texts():
    other = Options(congress_proposals=5, belgium=True)
    assert options_from_texts(options_to_texts(other)) == other
    for wrong in ({"belgum": "yes"}, {"belgium": "maybe"}, {"belgium": True}, {"congress_proposals": "7"}):
        with pytest.raises(ValueError):
            options_from_texts(wrong)


def test_file_of_options_sets_defaults_values_and_texts():
    """Logs of earlier versions contain a whole table for each option."""
    text = (
        '[congress_proposals]\ntitle = "Rounds"\nsays = { 1 = "one" }\ndefault = "2"\nvalues = ["1", "2"]\n'
        'help = "Rounds of proposals."\nrules = ["CON-027"]\n'
    )
    found = load_tables_from_header({"options.toml": text}).options
    assert list(found) == list(TABLES.options)
    rounds = found["congress_proposals"]
    assert (rounds.title, rounds.default, rounds.values, rounds.meaning("1")) == ("Rounds", "2", ("1", "2"), "one")
    assert found["belgium"] == TABLES.options["belgium"]
    assert not found["fiji_south_pacific"].for_edition, "this file has no defaults of editions"


def test_options_have_a_valid_default_and_a_help_text():
    for option in TABLES.options.values():
        assert {option.default, *option.for_edition.values()} <= set(option.values), option.id
        assert len(set(option.values)) == len(option.values) > 1, option.id
        assert set(option.for_edition) <= set(TABLES.options["edition"].values) - {TABLES.options["edition"].default}
        assert all(edition_default != option.default for edition_default in option.for_edition.values()), option.id
        assert option.help.endswith("."), option.id


def test_area_lists_are_resolved_to_ids():
    lists = TABLES.area_lists
    assert lists["india"] == ("kashmir", "punjab", "rajputana", "hindoostan", "united_provinces", "bengal")
    assert set(lists["western_garrison"]) == {
        HOME + "russia", "serbia", "rumania", "greece", "bulgaria", "anatolia"
    }  # fmt: skip
    assert set(lists["south_america_event"]) == {"panama"} | {
        id for id, area in TABLES.areas.items() if area.region == "south_america"
    }
    for path in TABLES.africa_paths:
        assert set(path.through) == {id for id, a in TABLES.areas.items() if a.region.endswith("_africa")}
    port = next(bonus for bonus in TABLES.bonuses_at_end if bonus.id == "warm_water_port")
    assert "anatolia" not in port.when.areas
    assert {"aden", "korea", "greece"} <= set(port.when.areas)
    gates = next(cause for cause in TABLES.causes if cause.id == "gates_of_india")
    assert set(gates.areas) == {"afghanistan", "baluchistan", "burma", "siam", "sin_kiang", "tibet"}
    entente = TABLES.bonuses_per_turn[0]
    assert set(entente.treaty.partners) == {"britain", "russia", "italy", "austria_hungary"}


# --- rules that are purely about tables -------------------------------------------------------------------------------


@pytest.mark.rule("SET-005")
def test_the_map_has_104_areas_and_12_sea_zones():
    assert len(TABLES.areas) == 104
    assert len(TABLES.sea_zones) == 12
    assert len({area.name for area in TABLES.areas.values()}) == 104
    for id, area in TABLES.areas.items():
        assert area.id == id
        assert area.name and area.value >= 0 and area.strength >= 0
    assert {home for home in TABLES.routes if home.startswith(HOME)} == {HOME + power for power in TABLES.powers}


@pytest.mark.rule("SET-006")
def test_guiana_is_worth_4_and_shared_by_three_possessions():
    assert TABLES.areas["guiana"].value == 4
    here = [(row.power, row.marker, row.codominion) for row in TABLES.start_markers if row.area == "guiana"]
    assert sorted(here) == [(power, "possession", True) for power in ("britain", "france", "netherlands")]
    # The board prints 2, which is 4 less the reduction of 2.
    assert TABLES.areas["guiana"].value - (len(here) - 1) == 2


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
    counts = Counter(area.type for area in TABLES.areas.values())
    assert counts == {
        "independent": 25,
        "ottoman": 3,
        "chinese_empire": 15,
        "chinese_vassal": 4,
        "unorganized": 57,
    }
    assert {id for id, area in TABLES.areas.items() if area.type == "ottoman"} == {"anatolia", "quwait", "tripoli"}
    assert {id for id, area in TABLES.areas.items() if area.type == "chinese_vassal"} == {
        *("burma", "formosa", "indochina", "korea"),
    }


@pytest.mark.rule("SET-013")
def test_areas_without_a_sea_zone_are_those_inland():
    inland = {id for id, area in TABLES.areas.items() if not area.sea_zones}
    assert {"serbia", "tibet", "transvaal"} <= inland
    assert set(TABLES.areas["egypt"].sea_zones) == {"mediterranean", "indian_ocean"}
    for id in TABLES.areas.keys() - inland:
        assert set(TABLES.areas[id].sea_zones) <= TABLES.sea_zones.keys()


@pytest.mark.rule("SET-014")
def test_areas_with_inland_sea_boxes_are_coastal():
    assert set(TABLES.areas["canada"].sea_zones) == {"north_atlantic", "north_pacific"}
    assert TABLES.areas["kongo"].sea_zones == ("south_atlantic",)


@pytest.mark.rule("SET-016")
def test_an_area_and_a_sea_zone_are_adjacent_both_ways():
    # The Areas carry their Sea Zones, so from the Sea Zone's side the same pairs are found, and no Area knows a
    # Sea Zone twice or one that does not exist.
    from_areas = [(id, zone) for id, area in TABLES.areas.items() for zone in area.sea_zones]
    from_zones = {
        (id, zone) for zone in TABLES.sea_zones for id, area in TABLES.areas.items() if zone in area.sea_zones
    }
    assert len(from_areas) == len(set(from_areas))
    assert set(from_areas) == from_zones


@pytest.mark.rule("SET-017")
def test_the_dutch_east_indies_border_three_seas():
    assert set(TABLES.areas["dutch_east_indies"].sea_zones) == {"indian_ocean", "north_pacific", "south_china_sea"}


@pytest.mark.rule("SET-018")
def test_sea_zones_are_next_to_each_other_both_ways():
    assert set(TABLES.sea_zones["mediterranean"].adjacent) == {"north_atlantic", "black_sea", "indian_ocean"}
    for one, other in product(TABLES.sea_zones, TABLES.sea_zones):
        assert (other in TABLES.sea_zones[one].adjacent) == (one in TABLES.sea_zones[other].adjacent)
    assert all(zone.id not in zone.adjacent and zone.adjacent for zone in TABLES.sea_zones.values())


@pytest.mark.rule("SET-020")
def test_cape_horn_and_cape_of_good_hope_join_two_seas_each():
    assert {id: set(cape.adjacent) for id, cape in TABLES.capes.items()} == {
        "cape_horn": {"south_atlantic", "south_pacific"},
        "cape_of_good_hope": {"south_atlantic", "indian_ocean"},
    }


@pytest.mark.rule("SET-021")
def test_land_routes_are_symmetric_and_complete():
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
    assert {id: area.passage for id, area in TABLES.areas.items() if area.passage} == {
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
def test_levels_of_status_markers():
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
def test_kinds_of_powers():
    kinds = {id: power.kind for id, power in TABLES.powers.items()}
    assert {id for id, kind in kinds.items() if kind == "great"} == {"britain", "france", "germany", "united_states"}
    assert {id for id, kind in kinds.items() if kind == "played_by_germany"} == {"austria_hungary"}
    assert {id for id, kind in kinds.items() if kind == "great_or_minor"} == {"russia", "japan", "italy"}
    assert {id for id, kind in kinds.items() if kind == "minor"} == {"spain", "netherlands", "portugal"}
    assert {id for id, kind in kinds.items() if kind == "minor_or_eighth_player"} == {"belgium"}
    assert TABLES.powers["austria_hungary"].seat == "germany"


@pytest.mark.rule("SET-075")
def test_economic_values():
    values = {id: TABLES.areas[id].value for id in ("cuba", "brasil", "serbia", "newfoundland", "kongo", "transvaal")}
    assert values == {"cuba": 6, "brasil": 9, "serbia": 5, "newfoundland": 1, "kongo": 8, "transvaal": 7}
    assert sum(area.value for area in TABLES.areas.values()) == 494


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
        assert set(rows.values()) <= TABLES.areas.keys()
    assert [TABLES.unrest["B"].rows[str(die)] for die in range(1, 7)] == [
        *("afghanistan", "anatolia", "egypt", "mozambique", "philippines", "transvaal"),
    ]
    assert TABLES.unrest["A"].rows["1-1"] == "aden"
    assert TABLES.unrest["C"].rows["5-2"] == "quwait"
    assert TABLES.unrest["C"].rows["2-5"] == "dutch_east_indies"  # the order of the dice matters


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
