"""The tables of the campaign of 1805: messages about wrong cells, replaced tables, and the map."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from paxtui.session.game_host import empty_clock
from paxtui.session.games import GAME_KINDS
from paxtui.session.hosts import new_game
from paxtui.session.tables.campaigns import COLUMNS, FILES, FOLDER, campaign_names, replaced_campaign_tables
from paxtui.session.tables.exercises import load_exercise, scenario_names
from paxtui.session.tables.records import TableError, shipped_text


def replaced(file: str, change: Callable[[str], str]) -> dict[str, str]:
    """Return a table of the campaign with a change, as the header of a log has it."""
    name = f"{FOLDER}/{file}"
    text = change(shipped_text(name))
    assert text != shipped_text(name)
    return {name: text}


@pytest.mark.parametrize("name", campaign_names())
def test_every_area_can_be_reached_and_every_side_has_a_source_of_supply(name: str) -> None:
    tables = load_exercise(name)
    seen, edge = {"alsace"}, ["alsace"]
    while edge:
        for near in tables.ways[edge.pop()]:
            if near not in seen:
                seen.add(near)
                edge.append(near)
    assert seen == set(tables.areas)
    for power in tables.exercise.powers:
        assert any(one.power == power for one in tables.exercise.depots)


def test_each_row_has_a_source() -> None:
    for file in COLUMNS:
        for line in shipped_text(f"{FOLDER}/{file}").splitlines()[1:]:
            assert (
                line.startswith("#")
                or ",source," in line
                or any(f",{one}," in line for one in ("text", "found", "ours"))
            )


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("areas.csv", "austria,clear,5,5", "austria,swamp,5,5", "areas.csv:42: terrain is 'swamp' (one of: clear"),
        ("areas.csv", ",5,5,yes", ",5,50,yes", "spires is 50 (a whole number from 0 to 9)"),
        ("borders.csv", "alsace,baden,river", "alsace,badn,river", "there is no area 'badn' (did you mean 'baden'?)"),
        ("corps.csv", "i,france,,infantry,bamberg,10", "i,france,,infantry,bamberg,40", "cannot hold its infantry"),
        ("victory.csv", "vienna,5,ours", "vienna,5,guess", "source is 'guess' (one of: found, ours, text)"),
        ("cells.txt", "BBB", "B!B", "no area has the sign '!'"),
        ("numbers.csv", "pursuit.3,10,ours", "pursuit.33,10,ours", "cell 'pursuit.3' is missing"),
    ],
)
def test_wrong_cell_is_reported_with_its_place_and_the_allowed_values(file: str, old: str, new: str, told: str) -> None:
    with pytest.raises(TableError) as caught:
        load_exercise("ulm-1805", replaced(file, lambda text: text.replace(old, new, 1)))
    assert told in str(caught.value)
    assert file in str(caught.value)


def test_a_missing_limit_of_depots_is_reported_where_two_play() -> None:
    with pytest.raises(TableError, match=r"cell 'depots\.austria' is missing"):
        load_exercise("ulm-1805-two", replaced("numbers.csv", lambda text: text.replace("depots.austria", "depots", 1)))


@pytest.mark.parametrize("degrees", ["nan", "inf", "1e999", "north"])
def test_degrees_are_finite_numbers(degrees: str) -> None:
    with pytest.raises(TableError, match=f"lon is '{degrees}' "):
        load_exercise("ulm-1805", replaced("areas.csv", lambda text: text.replace("Dubno,22.40", f"Dubno,{degrees}")))


def test_directory_replaces_tables_and_the_log_contains_them(tmp_path: Path) -> None:
    text = shipped_text(f"{FOLDER}/victory.csv").replace("vienna,5,ours", "vienna,9,ours")
    (tmp_path / "victory.csv").write_text(text, encoding="utf-8")
    found = replaced_campaign_tables(tmp_path)
    assert found == {f"{FOLDER}/victory.csv": text}
    game = GAME_KINDS["empires"].start("ulm-1805", tmp_path)
    assert game.tables.exercise.prizes["vienna"] == 9
    (tmp_path / "viktory.csv").write_text(text, encoding="utf-8")
    with pytest.raises(TableError, match=r"viktory\.csv:1: no table has a file of this name \(scenario\.toml"):
        replaced_campaign_tables(tmp_path)


def test_an_exercise_has_no_tables_to_replace() -> None:
    with pytest.raises(TableError, match="danube-1805 does not use this table"):
        load_exercise("danube-1805", {f"{FOLDER}/victory.csv": ""})


def test_two_players_play_the_same_forces() -> None:
    three, two = (load_exercise(name).exercise for name in campaign_names())
    assert set(scenario_names()) >= {three.id, two.id}
    assert {one.id: one.factors for one in three.corps} == {one.id: one.factors for one in two.corps}
    assert two.powers == ("france", "austria")
    assert {one.nation for one in two.corps if one.id in ("kutusov", "bagration")} == {"russia"}


def test_log_contains_all_tables_of_its_campaign() -> None:
    table = new_game("empires", "1", scenario="ulm-1805", clock=empty_clock)
    assert set(table.game.header.tables) == {f"{FOLDER}/{file}" for file in FILES}
    assert not new_game("empires", "1", scenario="danube-1805", clock=empty_clock).game.header.tables
