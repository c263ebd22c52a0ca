"""The shipped tables load, fit together and can be replaced."""

import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import paxtui.pax
from paxtui.pax.board.tables import HOME, Tables
from paxtui.table import tables as loading
from paxtui.table.resources import data_path, style_path
from paxtui.table.tablefiles.sources import TABLE_FILES
from paxtui.table.tables import TableError, load_rules, load_tables, load_tables_from_header, replaced_tables

TABLES = load_tables()


def test_every_table_is_filled():
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


def test_every_file_of_data_is_a_table_or_known_otherwise():
    shipped = {path.relative_to(data_path()).as_posix() for path in data_path().rglob("*") if path.is_file()}
    assert set(TABLE_FILES) <= shipped
    reconstructed = {name for name in shipped if name.startswith("reconstructed/")}
    assert reconstructed <= set(TABLE_FILES)
    assert {"README.md", "rules.tsv", "map/map_layout.csv", "map/map_warp.toml", "map/coast/LICENSE"} <= shipped


def test_directories_of_the_program_exist():
    assert data_path("areas.csv").is_file()
    assert style_path().is_dir()


def test_an_installed_wheel_finds_its_own_files(tmp_path):
    here = data_path().parent
    shutil.copytree(here / "paxtui", tmp_path / "paxtui", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(here / "data", tmp_path / "paxtui/_data")
    shutil.copytree(here / "styles", tmp_path / "paxtui/_styles")
    code = (
        "from paxtui.table.resources import data_path, style_path; from paxtui.table.tables import load_tables;"
        "print(len(load_tables().areas), data_path(), style_path())"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["104", str(tmp_path / "paxtui/_data"), str(tmp_path / "paxtui/_styles")]


def test_loading_is_quick():
    best = 1.0
    for _ in range(5):
        loading._shipped.cache_clear()
        start = time.perf_counter()
        load_tables()
        best = min(best, time.perf_counter() - start)
    assert best < 0.04


def test_start_up_does_not_read_the_rule_reference_nor_compare_words():
    code = (
        "import sys; from paxtui.table.tables import load_tables, load_rules; load_tables();"
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


def test_corrections_to_the_source_are_in():
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


def test_combat_results_to_the_letter():
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


def test_every_option_is_read_by_the_rules_and_every_option_read_is_there():
    source = Path(paxtui.pax.__file__).parent
    read = {change.option for change in TABLES.map_changes}
    for path in source.rglob("*.py"):
        read.update(re.findall(r"options(?:\.get\(|\[)\"(\w+)\"", path.read_text("utf-8")))
    only_sets_others, only_for_the_clock = "edition", "negotiation_deadline"
    assert set(TABLES.options) == read | {only_sets_others, only_for_the_clock}


def test_options_have_a_default_and_say_what_they_do():
    for option in TABLES.options.values():
        assert {option.default, *option.for_edition.values()} <= set(option.values), option.id
        assert len(set(option.values)) == len(option.values) > 1, option.id
        assert set(option.for_edition) <= set(TABLES.options["edition"].values) - {TABLES.options["edition"].default}
        assert all(edition_default != option.default for edition_default in option.for_edition.values()), option.id
        assert option.help.endswith("."), option.id


def test_words_for_areas_stand_for_ids():
    lists = TABLES.area_lists
    assert lists["india"] == ("kashmir", "punjab", "rajputana", "hindoostan", "united_provinces", "bengal")
    assert set(lists["western_garrison"]) == {
        HOME + "russia", "serbia", "rumania", "greece", "bulgaria", "anatolia"
    }  # fmt: skip
    assert set(lists["south_america_event"]) == {"panama"} | {
        id for id, area in TABLES.areas.items() if area.region == "south_america"
    }
    for path in TABLES.africa_paths:
        assert set(path.through) == {
            id for id, a in TABLES.areas.items() if a.region.endswith("_africa")
        }
    port = next(bonus for bonus in TABLES.bonuses_at_end if bonus.id == "warm_water_port")
    assert "anatolia" not in port.when.areas
    assert {"aden", "korea", "greece"} <= set(port.when.areas)
    gates = next(cause for cause in TABLES.causes if cause.id == "gates_of_india")
    assert set(gates.areas) == {"afghanistan", "baluchistan", "burma", "siam", "sin_kiang", "tibet"}
    entente = TABLES.bonuses_per_turn[0]
    assert set(entente.treaty.partners) == {"britain", "russia", "italy", "austria_hungary"}


# Replacing files -------------------------------------------------------------------------------------------------


def _replace(directory: Path, name: str, old: str, new: str) -> str:
    text = data_path(name).read_text(encoding="utf-8")
    assert old in text
    target = directory / name
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text.replace(old, new), encoding="utf-8")
    return text.replace(old, new)


def test_nothing_is_replaced_by_default():
    assert TABLES.replaced == ()
    assert TABLES.reconstructed == (
        "turns", "chinese_armies", "counters", "bonuses_per_turn", "bonuses_at_end", "placement_effects", "causes",
    )  # fmt: skip


def test_a_replaced_file_wins_and_is_no_longer_reconstructed(tmp_path):
    name = "reconstructed/game_turn_track.toml"
    text = _replace(tmp_path, name, "great_war_penalty = 50", "great_war_penalty = 61")
    tables = load_tables(tmp_path)
    assert tables.turns[0].great_war_penalty == 61
    assert tables.replaced == (name,)
    assert "turns" in tables.reconstructed  # it still says so
    (tmp_path / name).write_text(text.replace("reconstructed = true", ""), encoding="utf-8")
    assert "turns" not in load_tables(tmp_path).reconstructed
    assert load_tables().turns[0].great_war_penalty == 50


def test_base_name_is_enough(tmp_path):
    name = "reconstructed/counter_limits.toml"
    text = _replace(tmp_path, name, "round = 16, hexagon = 30", "round = 17, hexagon = 30")
    (tmp_path / name).rename(tmp_path / "counter_limits.toml")
    (tmp_path / "reconstructed").rmdir()
    tables = load_tables(tmp_path)
    assert tables.counters["britain"].round == 17
    assert replaced_tables(tmp_path) == {name: text}


def test_a_header_carries_the_tables_of_a_game(tmp_path):
    _replace(tmp_path, "areas.csv", "cuba,Cuba,caribbean,unorganized,6,", "cuba,Cuba,caribbean,unorganized,7,")
    header = replaced_tables(tmp_path)
    assert load_tables_from_header(header) == load_tables(tmp_path)
    assert load_tables_from_header(header).areas["cuba"].value == 7
    assert load_tables_from_header({}) == load_tables()


def test_a_file_that_says_what_is_shipped_replaces_nothing(tmp_path):
    _replace(tmp_path, "areas.csv", "cuba", "cuba")
    assert replaced_tables(tmp_path) == {}
    assert load_tables(tmp_path) == load_tables()


def test_windows_line_ends_and_byte_order_mark_are_understood(tmp_path):
    for name in ("areas.csv", "random_events.toml"):
        raw = data_path(name).read_bytes().replace(b"\n", b"\r\n")
        (tmp_path / name).write_bytes(b"\xef\xbb\xbf" + raw)
    assert load_tables(tmp_path).areas == TABLES.areas
    assert load_tables(tmp_path).events == TABLES.events


def test_columns_may_stand_in_another_order_and_cells_in_quotes(tmp_path):
    (tmp_path / "unit_costs.csv").write_text('army,strength,tension,naval\n"3",1,1,3\n10,3,1,10\n30,10,3,30\n')
    assert load_tables(tmp_path).units == TABLES.units


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("counter_limit.toml", "'counter_limits.toml'"),
        ("area.csv", "'areas.csv'"),
        ("sub/areas.csv", "'areas.csv'"),
        ("reconstructed/casus.toml", "'casus_belli.toml'"),
    ],
)
def test_a_file_that_replaces_nothing_is_named_with_the_nearest(tmp_path, name, near):
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("id\n")
    with pytest.raises(TableError) as caught:
        load_tables(tmp_path)
    assert (caught.value.file, caught.value.line) == (name, 1)
    assert near in caught.value.reason


def test_unusable_directories(tmp_path):
    with pytest.raises(TableError, match="is no directory"):
        load_tables(tmp_path / "none")
    name = "reconstructed/counter_limits.toml"
    (tmp_path / "reconstructed").mkdir()
    for path in (tmp_path / name, tmp_path / "counter_limits.toml"):
        path.write_bytes(data_path(name).read_bytes())
    with pytest.raises(TableError, match="there twice"):
        load_tables(tmp_path)


def test_hidden_files_are_left_alone(tmp_path):
    (tmp_path / ".DS_Store").write_bytes(b"\x00")
    assert load_tables(tmp_path) == TABLES


def test_a_header_with_an_unknown_table_is_refused():
    with pytest.raises(TableError, match=r"rulez\.csv:1: no table has a file of this name"):
        load_tables_from_header({"rulez.csv": "a\n"})
