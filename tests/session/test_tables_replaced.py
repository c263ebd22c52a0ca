"""Shipped tables can be replaced, and the log of a game contains its tables."""

from pathlib import Path

import msgspec
import pytest

from paxtui.cli.main import main
from paxtui.session.pax_host import PaxHost
from paxtui.session.storage.files import data_path
from paxtui.session.tables.loader import load_tables, load_tables_from_header, replaced_tables
from paxtui.session.tables.records import TableError, new_game_tables, tables_directory

TABLES = load_tables()


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


def test_replaced_file_counts_and_can_be_final(tmp_path):
    name = "reconstructed/game_turn_track.toml"
    text = _replace(tmp_path, name, "great_war_penalty = 50", "great_war_penalty = 61")
    tables = load_tables(tmp_path)
    assert tables.turns[0].great_war_penalty == 61
    assert tables.replaced == (name,)
    assert "turns" in tables.reconstructed  # the file still has this field
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


def test_header_contains_the_tables_of_a_game(tmp_path):
    _replace(tmp_path, "areas.csv", "cuba,Cuba,caribbean,unorganized,6,", "cuba,Cuba,caribbean,unorganized,7,")
    header = replaced_tables(tmp_path)
    assert load_tables_from_header(header) == load_tables(tmp_path)
    assert load_tables_from_header(header).areas["cuba"].value == 7
    assert load_tables_from_header({}) == load_tables()


def test_unchanged_copy_of_a_table_replaces_nothing(tmp_path):
    _replace(tmp_path, "areas.csv", "cuba", "cuba")
    assert replaced_tables(tmp_path) == {}
    assert load_tables(tmp_path) == load_tables()


def test_windows_line_ends_and_byte_order_mark_are_understood(tmp_path):
    for name in ("areas.csv", "random_events.toml"):
        raw = data_path(name).read_bytes().replace(b"\n", b"\r\n")
        (tmp_path / name).write_bytes(b"\xef\xbb\xbf" + raw)
    assert load_tables(tmp_path).areas == TABLES.areas
    assert load_tables(tmp_path).events == TABLES.events


def test_columns_can_be_reordered_and_cells_quoted(tmp_path):
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
def test_unknown_file_is_refused_with_the_nearest_name(tmp_path, name, near):
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


def test_hidden_files_are_ignored(tmp_path):
    (tmp_path / ".DS_Store").write_bytes(b"\x00")
    assert load_tables(tmp_path) == TABLES


def test_a_header_with_an_unknown_table_is_refused():
    with pytest.raises(TableError, match=r"rulez\.csv:1: no table has a file of this name"):
        load_tables_from_header({"rulez.csv": "a\n"})


def test_shipped_alternative_tables_are_found_by_name(tmp_path, capsys):
    even = load_tables(tables_directory("even-trade"))
    assert even.replaced == ("reconstructed/counter_limits.toml",) and "counters" in even.reconstructed
    rounds = {power: row.round for power, row in even.counters.items()}
    assert rounds["italy"] < TABLES.counters["italy"].round and rounds["britain"] > TABLES.counters["britain"].round
    file = tmp_path / "even.jsonl"
    assert main(["--tables", "even-trade", "new", "--file", str(file), "--no-play"]) == 0
    opened = PaxHost.open(file, write=False)
    assert opened.tables.counters == even.counters != TABLES.counters


def test_new_games_use_the_balanced_tables(tmp_path, capsys):
    new, old = tmp_path / "new.jsonl", tmp_path / "old.jsonl"
    assert main(["new", "--file", str(new), "--no-play"]) == 0
    assert main(["--tables", "first-draft", "new", "--file", str(old), "--no-play"]) == 0
    opened = PaxHost.open(new, write=False)
    assert opened.tables is load_tables(new_game_tables()) and opened.tables.counters["russia"].round == 10
    assert opened.tables.counters["russia"].hexagon == 7
    assert set(opened.game.header.tables) == {
        "reconstructed/counter_limits.toml", "reconstructed/bonus_victory_points.toml",
    }  # fmt: skip
    plain = PaxHost.open(old, write=False)
    assert plain.tables == TABLES and not plain.game.header.tables


def test_balanced_limits_fit_the_pieces_of_the_box():
    counters = load_tables(new_game_tables()).counters.values()
    pieces = sum(sum(msgspec.structs.astuple(limits)) for limits in counters)
    assert pieces + load_tables(new_game_tables()).other_armies.count <= 666


def test_balanced_bonuses_are_not_for_seven_players():
    rows = [row for row in load_tables(new_game_tables()).bonuses_at_end if row.players]
    sizes = {row.power: row.players for row in rows}
    assert sizes == {"france": (4, 5, 6), "britain": (5,), "germany": (6,), "belgium": (8,)}
    assert all(row.reconstructed and not row.is_for(7) for row in rows)


def test_directory_of_the_player_comes_before_a_shipped_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "even-trade").mkdir()
    assert tables_directory("even-trade") == Path("even-trade")
    assert not tables_directory("odd-trade").is_dir() and main(["--tables", "odd-trade", "new"]) != 0
