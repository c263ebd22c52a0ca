"""A broken table file is refused with its name, its line and a remedy, and raises no other error."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from paxtui.games.pax.board.tables import Tables
from paxtui.session.storage.files import data_path
from paxtui.session.tables.loader import load_tables, load_tables_from_header
from paxtui.session.tables.records import TABLE_FILES, TableError

# ruff: noqa: E501 (one case a line reads better than seven)


SHIPPED = {name: data_path(name).read_text(encoding="utf-8") for name in TABLE_FILES}

TURNS = "reconstructed/game_turn_track.toml"
CHINA = "reconstructed/chinese_army_placement.toml"
COUNTERS = "reconstructed/counter_limits.toml"
BONUS = "reconstructed/bonus_victory_points.toml"
EFFECTS = "reconstructed/status_marker_placement_effects.toml"
CAUSES = "reconstructed/casus_belli.toml"
EVENTS = "random_events.toml"

HEAD = "head"
"""The error names the line of the columns (CSV) or line 1 (TOML)."""

# File, text, its replacement, text on the line of the error (default: the changed line), words of the message.
BROKEN = [
    # Areas
    ("areas.csv", "cuba,Cuba,caribbean,unorganized,6", "cuba,Cuba,caribbean,unorganised,6", "", "did you mean 'unorganized'"),
    ("areas.csv", "cuba,Cuba,caribbean,unorganized,6", "cuba,Cuba,caribbean,unorganized,six", "", "value is 'six' (a whole number from 0"),
    ("areas.csv", "cuba,Cuba,caribbean,unorganized,6", "cuba,Cuba,caribbean,unorganized,-6", "", "value is -6"),
    ("areas.csv", "cuba,Cuba,caribbean,unorganized,6", "cuba,Cuba,caribbean,unorganized,", "", "no value"),
    ("areas.csv", "cuba,Cuba,caribbean,", "cuba,Cuba,,", "", "no region"),
    ("areas.csv", "cuba,Cuba,", "cuba,,", "", "no name"),
    ("areas.csv", "cuba,Cuba,", "Cuba,Cuba,", "", "lower-case letters"),
    ("areas.csv", "porto_rico,Porto Rico", "cuba,Porto Rico", "", "'cuba' is given twice"),
    ("areas.csv", "unorganized,6,3,caribbean,state", "unorganized,6,3,carribean,state", "", "did you mean 'caribbean'"),
    ("areas.csv", "unorganized,6,3,caribbean,state", "unorganized,6,3,caribbean,empire", "", "upgrade is 'empire'"),
    ("areas.csv", "egypt,Egypt,north_africa,unorganized,8,5,mediterranean indian_ocean,,suez", "egypt,Egypt,north_africa,unorganized,8,5,mediterranean indian_ocean,,sues", "", "'suez'"),
    ("areas.csv", "cuba,Cuba,caribbean,unorganized,6", "cuba,Cuba,caribbean,ottoman,6", HEAD, "4 Areas of type ottoman (3; 104 in all)"),
    ("areas.csv", "north_africa,unorganized,8,5,mediterranean indian_ocean,,suez", "north_africa,unorganized,8,5", "", "6 cells (9:"),
    ("areas.csv", "id,name,region", "id,name,area", HEAD, "the column 'region' is missing"),
    ("areas.csv", "upgrade,passage\n", "upgrade,passage,map_x\n", HEAD, "unknown column 'map_x'"),
    ("areas.csv", "upgrade,passage\n", "upgrade,passage,id\n", HEAD, "'id' is there twice"),
    ("areas.csv", "fiji,Fiji", "oceania,Fiji", "", "is a Sea Zone too"),
    ("areas.csv", "fiji,Fiji,oceania,unorganized,4,0,oceania", "fiji,Fiji,oceania,unorganized,4,0,", None, "'fiji' cannot be reached"),
    ("areas.csv", "cuba,Cuba", 'cuba,"Cuba', None, "quotes closed"),
    # The rest of the board
    ("sea_zones.csv", "baltic,Baltic Sea,north_atlantic", "baltic,Baltic Sea,black_sea", None, "one way only"),
    ("sea_zones.csv", "baltic,Baltic Sea,north_atlantic", "baltic,Baltic Sea,north_atlantik", None, "did you mean 'north_atlantic'"),
    ("sea_zones.csv", "north_atlantic,North Atlantic,", "black_sea,North Atlantic,", None, "'black_sea' is given twice"),
    ("capes.csv", "south_atlantic south_pacific", "baltic south_pacific", "", "two adjacent Sea Zones"),
    ("homes.csv", "north_atlantic+caribbean north_pacific", "north_atlantic north_pacific", "", "each Sea Zone of the home in one box"),
    ("homes.csv", "italy,mediterranean,mediterranean\n", "", HEAD, "no Home Country of 'italy'"),
    ("homes.csv", "italy,mediterranean", "spain,mediterranean", "", "'spain' is given twice"),
    ("overland_routes.csv", "angola,kongo", "angola,congo", "", "did you mean 'kongo'"),
    ("overland_routes.csv", "angola,kongo", "kongo,angola\nangola,kongo", "\nangola,kongo", "there twice"),
    ("overland_routes.csv", "angola,kongo", "angola,angola", "", "wrong or there twice"),
    ("overland_routes.csv", "home:austria_hungary,home:germany", "home:austria,home:germany", "", "did you mean 'home:austria_hungary'"),
    ("powers.csv", "france,France,FR", "france,France,GB", "", "two capitals that no other Power has"),
    ("powers.csv", "Germany,DE,great,", "Germany,DE,grand,", "", "did you mean 'great'"),
    ("powers.csv", "france,France,FR,great,yes,", "france,France,FR,great,maybe,", "", "yes or no"),
    ("powers.csv", "france,France,FR,great,yes,yes,7,1", "france,France,FR,great,yes,yes,7,0", "", "vp_points is 0"),
    ("powers.csv", "france,France,FR,great,yes,yes,7,1", "france,France,FR,great,yes,yes,0,1", "", "no Victory Point divisor"),
    ("powers.csv", "5,1,0,germany", "5,1,0,prussia", "", "there is no Power 'prussia'"),
    ("powers.csv", "5,1,0,germany", "5,1,0,", "", "the Power whose player plays it"),
    ("powers.csv", "0,1,2,", "0,1,0,", "netherlands,", "a die from 1 to 6"),
    # Pieces
    ("status_markers.csv", "influence,Influence,●,2,round,10", "influence,Influence,●,2,round,0", "", "price is 0"),
    ("status_markers.csv", "influence,Influence,●,2,", "influence,Influence,●,1,", HEAD, "no Status marker of level 2"),
    ("status_markers.csv", "influence,Influence,●", "influence,Influence,(o)", "", "one character"),
    ("status_markers.csv", "5,yes,britain", "5,yes,england", "", "there is no Power 'england'"),
    ("unit_costs.csv", "3,10,10,1", "4,10,10,1", "", "1, 3 and 10, once each"),
    ("unit_costs.csv", "3,10,10,1", "3,0,10,1", "", "army is 0"),
    ("unit_costs.csv", "3,10,10,1\n", "", HEAD, "2 strengths"),
    ("chinese_resentment.csv", "influence,4", "influenza,4", "", "did you mean 'influence'"),
    ("chinese_resentment.csv", "influence,4,0,0,0\n", "", HEAD, "no row for 'influence'"),
    ("initial_markers.csv", "france,guiana,possession,yes", "france,guiana,possession,", None, "several Powers control 'guiana'"),
    ("initial_markers.csv", "britain,canada,dominion", "france,canada,dominion", "", "of 'britain' only"),
    ("initial_markers.csv", "britain,canada,dominion", "britain,egypt,dominion", "", "cannot be a Dominion"),
    ("initial_markers.csv", "belgium,kongo,influence,", "belgium,kongo,influence,yes", "", "Protectorates and Possessions only"),
    ("initial_markers.csv", "britain,fiji,possession,", "britain,fiji,possession,yes", "", "a Codominion of one"),
    ("initial_markers.csv", "britain,fiji,possession", "britain,canada,possession", "", "two markers in 'canada'"),
    ("initial_units.csv", "britain,canada,naval,3,1,north_atlantic", "britain,canada,naval,3,1,", "", "one of: north_atlantic, north_pacific"),
    ("initial_units.csv", "britain,canada,naval,3,1,north_atlantic", "britain,canada,naval,3,1,baltic", "", "coast is 'baltic'"),
    ("initial_units.csv", "russia,home:russia,naval,10,1,baltic", "russia,home:russia,naval,10,1,", "", "coast is ''"),
    ("initial_units.csv", "britain,kashmir,army,1,1,", "britain,kashmir,naval,1,1,", "", "a Coastal Area"),
    ("initial_units.csv", "britain,kashmir,army,1,1,", "britain,tibet,army,1,1,", "", "does not control 'tibet'"),
    ("initial_units.csv", "britain,kashmir,army,1,1,", "britain,kashmir,army,2,1,", "", "1, 3 or 10"),
    ("initial_units.csv", "britain,kashmir,army,1,1,", "britain,home:france,army,1,1,", "", "Area or home of its own"),
    ("initial_units.csv", "britain,kashmir,army,1,1,", "britain,kashmir,tank,1,1,", "", "unit is 'tank'"),
    ("initial_units.csv", "britain,kashmir,army,1,1,", "britain,kashmir,army,1,0,", "", "count is 0"),
    ("initial_units.csv", "britain,oceania,merchant_fleet,,1,", "britain,oceania,merchant_fleet,,2,", "", "Merchant Fleet"),
    ("initial_units.csv", "britain,oceania,merchant_fleet", "britain,indian_ocean,merchant_fleet", "", "Merchant Fleet"),
    ("initial_units.csv", "britain,oceania,merchant_fleet", "britain,australia,merchant_fleet", "", "there is no Sea Zone 'australia'"),
    # Dice tables
    ("colonial_office_income.csv", "italy,5,7", "italy,5,x", "", "2 is 'x'"),
    ("colonial_office_income.csv", "italy,5,7", "spain,5,7", HEAD, "too few for 'italy'"),
    ("combat_results.csv", "1,1,E,", "1,1,EE,", "", "1-10 is 'EE'"),
    ("combat_results.csv", "1-10,1-3,1-2", "1-10,1-2,1-3", HEAD, "from the worst to the best"),
    ("combat_results.csv", "1,6,AR", "1,5,AR", "", "table 1, die 5 is there twice"),
    ("combat_results.csv", "2,6,HX,EX,EX,EX,DR,DR,DE,DE,DE\n", "", HEAD, "11 rows"),
    ("minor_activity.csv", "spain,tunis", "spain,tunisia", "", "did you mean 'tunis'"),
    ("minor_activity.csv", "spain,tunis", "france,tunis", HEAD, "'france'"),
    ("unrest_tables.csv", "B,3,,egypt", "B,3,1,egypt", "", "table B is rolled with 1"),
    ("unrest_tables.csv", "B,3,,egypt", "B,2,,egypt", "", "2 of table B is there twice"),
    ("unrest_tables.csv", "B,3,,egypt\n", "", HEAD, "no result for 3 of table B"),
    ("unrest_tables.csv", "B,3,,egypt", "E,3,,egypt", "", "table is 'E'"),
    ("unrest_tables.csv", "B,3,,egypt", "B,7,,egypt", "", "first_die is '7'"),
    (EVENTS, 'dice = "6-6"', 'dice = "6-7"', "", "dice is '6-7'"),
    (EVENTS, 'dice = "6-6"', 'dice = "6-5"', "", "6-5 is there twice"),
    (EVENTS, 'casus_belli_against = "spain"', 'casus_belli_against = "spayn"', "", "did you mean 'spain'"),
    (EVENTS, 'spend_on = "naval"', 'spend_on = "fleets"', "", "spend_on is 'fleets'"),
    (EVENTS, "units_at_most = 10", "unit_at_most = 10", "", "did you mean 'units_at_most'"),
    (EVENTS, "units_at_most = 10", "units_at_most = true", "", "a whole number"),
    (EVENTS, "units_at_most = 10", 'units_at_most = "10"', "", "a whole number"),
    (EVENTS, 'excludes = ["1-3"]', 'excludes = ["1-4"]', "", "one way only"),
    (EVENTS, 'areas = ["serbia"]', 'areas = ["servia"]', "", "did you mean 'serbia'"),
    (EVENTS, 'areas = ["serbia"], at_most = 1', 'areas = ["serbia"], at_most = 2', "", "at_most is 2"),
    (EVENTS, 'area = "alaska"', 'area = "egypt"', "", "cannot become a state"),
    (EVENTS, 'extra = "colonial_expansion"\n', "", '\n[[event]]\ndice = "4-2"', "belong together"),
    (EVENTS, "balkan_war = true", "balkan_war = truth", "", "valid TOML"),
    (CHINA, '12 = "manchuria"', '12 = "korea"', "", "not of the Chinese Empire"),
    (CHINA, '12 = "manchuria"', '13 = "manchuria"', "[placement]", "no 12"),
    # Scoring
    (TURNS, "year = 1884", "year = 1885", "", "turn 2 is in 1885"),
    (TURNS, "great_war_penalty = 45", 'great_war_penalty = "45"', "", "a whole number"),
    (TURNS, '"germany", "united_states"', '"germany", "germany"', "", "'germany' twice"),
    (TURNS, "reconstructed = true", 'reconstructed = "yes"', "", "true or false"),
    (TURNS, "reconstructed = true", "reconstruction = true", "", "did you mean 'reconstructed'"),
    (COUNTERS, "merchant_fleet = 9", "merchant_fleet = 8", "", "8 pieces 'merchant_fleet' (9 at least"),
    (COUNTERS, "unit = [14, 12, 26]", "unit = [14, 12]", "", "a list of 3 whole numbers"),
    (COUNTERS, "unit = [14, 12, 26]", "unit = [14, 12, 2]", "", "2 pieces 'ones'"),
    (COUNTERS, "round = 16, hexagon = 30", "rund = 16, hexagon = 30", "", "did you mean 'round'"),
    (COUNTERS, "strength = 5", "strength = 0", "", "strength is 0"),
    (BONUS, 'areas = ["list:india"]', 'areas = ["list:indies"]', "", "is not an Area"),
    (BONUS, 'kind = "defensive", partners', 'kind = "friendly", partners', "", "kind is 'friendly'"),
    (BONUS, 'by = "european_others"', 'by = "europeans"', "", "did you mean 'european_others'"),
    (BONUS, 'id = "the_straits"', 'id = "warm_water_port"', None, "given twice"),
    (BONUS, 'id = "the_straits"', 'id = "the_straits"\nplayers = [5, 9]', "\nplayers", "different whole numbers from 2 to 8"),
    (BONUS, 'id = "the_straits"', 'id = "the_straits"\nplayers = [5, 5]', "\nplayers", "different whole numbers from 2 to 8"),
    (BONUS, 'id = "the_straits"', 'id = "the_straits"\nplayers = 5', "\nplayers", "different whole numbers from 2 to 8"),
    (BONUS, 'id = "the_straits"', 'id = "the_straits"\nplayers = []', "\nplayers", "different whole numbers from 2 to 8"),
    (BONUS, 'when = { by = "russia", areas = ["anatolia"] }\n', "", '\n[[end_of_game]]\npower = "russia"\nid = "the_straits"', "without a condition"),
    (EFFECTS, 'influence = "cb_holder"', 'influence = "cb"', "", "influence is 'cb'"),
    (EFFECTS, "[possession]", "[possessions]", None, "possession"),
    (CAUSES, 'rules = ["WEN-042"]', 'rules = ["war 42"]', "", "not the id of a rule"),
    (CAUSES, 'holder = "britain"\n', "", '\n[[cause]]\nid = "gates_of_india"', "belong together"),
    ("record_sheet.csv", "\n02,", "\n01,", "", "there twice"),
    ("record_sheet.csv", "\n31,", "\n32,", "", "line is '32'"),
    ("area_lists.toml", '"kashmir"', '"cashmere"', "", "'cashmere' is not an Area"),
    ("area_lists.toml", "india = [", "India = [", "", "is not an id"),
    ("area_lists.toml", "western_garrison = [", "eastern_garrison = [", None, "list western_garrison is missing"),
    ("africa_paths.toml", '"sudwest_afrika"', '"aden"', "", "is not among the Areas of `through`"),
    ("africa_paths.toml", 'id = "north_south"', 'id = "east_west"', "", "given twice"),
    ("options.toml", "[spoils_any_marker]", '[cri_per_phase]\ndefault = "steep"\n[spoils_any_marker]', 'default = "steep"', "default is 'steep'"),
    ("options.toml", "[fiji_south_pacific]", "[fiji_south_atlantic]", "", "did you mean 'fiji_south_pacific'"),
    ("options.toml", '"1993" = "yes"', '"1985" = "yes"', "", "there is no edition '1985'"),
    ("options.toml", "[spoils_any_marker]", '[counter_limits]\nvalues = ["table", "none"]\n[spoils_any_marker]', "values =", "there is no value 'none'"),
]  # fmt: skip


def _line(text: str, part: str) -> int:
    """Return the line on which a part of a text begins, without line breaks at its beginning."""
    assert part in text, part
    return text.count("\n", 0, text.index(part) + len(part) - len(part.lstrip("\n"))) + 1


def _head(name: str, text: str) -> int:
    """Return the line of the columns of a CSV file, 1 for TOML."""
    lines = text.split("\n")
    return 1 if name.endswith(".toml") else next(n for n, line in enumerate(lines, 1) if not line.startswith("#"))


@pytest.mark.parametrize(("name", "old", "new", "where", "words"), BROKEN)
def test_broken_file_is_reported_with_line_and_remedy(name, old, new, where, words):
    assert old in SHIPPED[name], "the case no longer fits the shipped table"
    text = SHIPPED[name].replace(old, new, 1)
    with pytest.raises(TableError) as caught:
        load_tables_from_header({name: text})
    error = caught.value
    assert words in error.reason
    assert str(error) == f"{error.file}:{error.line}: {error.reason}"
    assert error.reason.rstrip().endswith(")"), "the remedy is at the end in brackets"
    if where is not None:
        assert error.file == name
        if where == HEAD:
            assert error.line == _head(name, text)
        else:
            assert error.line == (_line(text, where) if where else _line(SHIPPED[name], old))


@pytest.mark.parametrize("name", TABLE_FILES)
@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n"])
def test_an_empty_file_is_refused(name, text):
    with pytest.raises(TableError, match=r"empty|missing") as caught:
        load_tables_from_header({name: text})
    assert caught.value.file == name


@pytest.mark.parametrize("name", TABLE_FILES)
def test_invalid_utf_8_is_refused_with_its_line(tmp_path, name):
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    lines = SHIPPED[name].encode().split(b"\n")
    lines[2] += b"\xff"
    path.write_bytes(b"\n".join(lines))
    with pytest.raises(TableError, match="not UTF-8") as caught:
        load_tables(tmp_path)
    assert (caught.value.file, caught.value.line) == (name, 3)


def test_missing_sea_zone_is_refused():
    text = SHIPPED["sea_zones.csv"].replace("baltic,Baltic Sea,north_atlantic\n", "").replace(" baltic", "")
    with pytest.raises(TableError, match=r"sea_zones\.csv:2: 11 Sea Zones \(12\)"):
        load_tables_from_header({"sea_zones.csv": text})


def test_missing_power_is_refused():
    lines = SHIPPED["powers.csv"].split("\n")
    text = "\n".join(line for line in lines if not line.startswith("portugal"))
    with pytest.raises(TableError, match=r"powers\.csv:\d+: 11 Powers \(12\)"):
        load_tables_from_header({"powers.csv": text})


def test_wrong_number_of_turns_is_refused():
    last = SHIPPED[TURNS][SHIPPED[TURNS].rindex("[[turn]]") :]
    with pytest.raises(TableError, match=r"turn 11 is in 1916"):
        load_tables_from_header({TURNS: SHIPPED[TURNS] + "\n" + last})
    with pytest.raises(TableError, match=r"9 turns"):
        load_tables_from_header({TURNS: SHIPPED[TURNS].replace(last, "")})


def test_toml_nested_too_deeply_is_refused():
    with pytest.raises(TableError, match="valid TOML"):
        load_tables_from_header({EVENTS: "a = " + "[" * 20000})


def test_each_missing_event_is_reported():
    events = SHIPPED[EVENTS].split("[[event]]")
    for number in range(1, len(events)):
        with pytest.raises(TableError, match=r"no event for "):
            load_tables_from_header({EVENTS: "[[event]]".join(events[:number] + events[number + 1 :])})


SIGNS = [",", '"', "\n", "\r", "\x00", "#", "[", "]", "[[", "{", "}", "=", ".", "'", '"""', "\ufeff", "\u2028"]
VALUES = ["-1", "0", "1", "999999999999", "true", "1.5", "nan", "inf", "1979-05-27", "yes", "reconstructed = false\n"]
WORDS = ["home:", "home:britain", "list:", "list:india", "next_to:india", "region:", "all", "egypt", "north_atlantic"]
PIECES = st.one_of(st.text(max_size=6), st.sampled_from([*SIGNS, *VALUES, *WORDS]))


@st.composite
def mutations(draw):
    """A table file with a few random cuts and insertions."""
    name = draw(st.sampled_from(TABLE_FILES))
    text = SHIPPED[name]
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        kind = draw(st.sampled_from(["insert", "cut", "replace", "line out", "line twice", "swap"]))
        length = draw(st.integers(0, 12))
        if kind == "insert":
            text = text[:start] + draw(PIECES) + text[start:]
        elif kind == "cut":
            text = text[:start] + text[start + length :]
        elif kind == "replace":
            text = text[:start] + draw(PIECES) + text[start + length :]
        else:
            lines = text.split("\n")
            one, other = text.count("\n", 0, start), draw(st.integers(0, len(lines) - 1))
            if kind == "line out":
                del lines[one]
            elif kind == "line twice":
                lines.insert(other, lines[one])
            else:
                lines[one], lines[other] = lines[other], lines[one]
            text = "\n".join(lines)
    return name, text


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(mutations())
def test_random_changes_give_tables_or_a_table_error(mutation):
    name, text = mutation
    try:
        tables = load_tables_from_header({name: text})
    except TableError as error:
        assert error.file in TABLE_FILES
        assert 1 <= error.line <= text.count("\n") + 1 or error.file != name
        assert error.reason
    else:
        assert isinstance(tables, Tables)
        assert tables.replaced == (name,)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(TABLE_FILES), st.binary(max_size=200))
def test_random_bytes_give_a_table_error(tmp_path_factory, name, raw):
    directory = tmp_path_factory.mktemp("tables")
    path = directory / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(raw)
    with pytest.raises(TableError) as caught:
        load_tables(directory)
    assert caught.value.file == name
