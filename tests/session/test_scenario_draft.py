"""The scenario editor without its screen: edits, impossible positions, and saved files."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paxtui.cli.main import main
from paxtui.engine.refusal import Refusal
from paxtui.session.hosts import new_game
from paxtui.session.scenario_draft import ScenarioDraft
from paxtui.session.tables.records import TableError
from paxtui.session.tables.scenarios import (
    load_scenario,
    read_scenario,
    scenario_files,
    scenario_toml,
    start_of,
)

SHIPPED = scenario_files()


def draft(name: str = "1880") -> ScenarioDraft:
    return ScenarioDraft(load_scenario(SHIPPED[name]))


@pytest.mark.parametrize("name", SHIPPED)
def test_file_of_each_scenario_starts_at_the_same_position(name: str) -> None:
    scenario = load_scenario(SHIPPED[name])
    again = read_scenario("again.toml", scenario_toml(draft(name).scenario("again")))
    assert start_of(again).areas == start_of(scenario).areas
    assert start_of(again).powers == start_of(scenario).powers
    assert start_of(again).treaties == start_of(scenario).treaties
    assert (again.seats, again.options, again.about) == (scenario.seats, scenario.options, scenario.about)
    assert (again.bots, again.handicaps, again.challenge) == (scenario.bots, scenario.handicaps, scenario.challenge)


def test_edited_position_is_saved_verified_and_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PAXTUI_HOME", str(tmp_path))
    edited = draft()
    edited.set_words(title="Tunis is French", about="One year later.")
    edited.set_marker("tunis", "france", "protectorate")
    edited.add_unit("tunis", "france", "army", 3)
    edited.add_unit("home:britain", "britain", "naval", 10)
    edited.toggle_fleet("indian_ocean", "france")
    edited.toggle_unrest("egypt")
    edited.set_treasury("italy", 40)
    edited.set_points("italy", 7)
    edited.set_turn(2)
    edited.set_indexes(tension=12, resentment=5)
    edited.set_option("last_turn", 6)
    edited.add_treaty("Triple Alliance with germany, italy public: defensive against france")
    assert edited.problems() == [] and edited.is_changed
    path = edited.save("tunis")
    assert not edited.is_changed
    assert main(["verify", str(path)]) == 0
    assert "sound; the scenario 'Tunis is French', 7 seats, Game Turns 2 to 6" in capsys.readouterr().out
    with new_game("pax", "1", scenario="tunis") as table:
        state = table.state
    assert [m.marker for m in state.areas["tunis"].markers] == ["protectorate"]
    assert (state.turn, state.last_turn, state.tension, state.resentment) == (2, 6, 12, 5)
    assert (state.powers["italy"].treasury, state.powers["italy"].victory_points) == (40, 7)
    assert state.areas["egypt"].unrest and "france" not in state.sea_zones["indian_ocean"]
    assert [(t.name, t.parties, t.public) for t in state.treaties] == [("Triple Alliance", ("germany", "italy"), True)]


def test_impossible_position_is_named_and_not_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAXTUI_HOME", str(tmp_path))
    edited = draft()
    edited.set_marker("tunis", "france", "dominion")
    assert edited.problems() == ["areas.tunis.markers[0]: only britain has dominion markers"]
    with pytest.raises(TableError, match=r"wrong\.toml:\d+: areas\.tunis.*only britain has dominion markers"):
        edited.save("wrong")
    assert not (tmp_path / "scenarios").exists()
    edited.set_marker("tunis", "france", "")
    assert edited.problems() == []
    edited.add_unit("kansu", "france", "naval", 3)
    assert edited.problems() == ["areas.kansu.units[0]: no Naval Unit can be in kansu, which has no coast"]
    assert edited.remove_unit("kansu", "france") and not edited.remove_unit("kansu", "france")


def test_a_codominion_needs_two_powers_with_control() -> None:
    edited = draft()
    edited.set_marker("tunis", "france", "protectorate")
    edited.share("tunis")
    assert not edited.state.areas["tunis"].codominion
    edited.set_marker("tunis", "italy", "protectorate")
    assert any("without a Codominion" in problem for problem in edited.problems())
    edited.share("tunis")
    assert edited.problems() == []
    edited.set_marker("tunis", "italy", "")
    assert not edited.state.areas["tunis"].codominion


@pytest.mark.parametrize(
    "words",
    ["", "france", "with france: defensive", "with france, italy: blue sky over", "with france, italy defensive"],
)
def test_invalid_treaty_is_refused(words: str) -> None:
    edited = draft()
    with pytest.raises(Refusal):
        edited.add_treaty(words)
    assert not edited.state.treaties and not edited.is_changed


EDITS = st.one_of(
    st.tuples(
        st.just("set_marker"),
        st.sampled_from(["tunis", "canada", "alaska", "egypt"]),
        st.sampled_from(["france", "britain", "spain", "austria_hungary"]),
        st.sampled_from(["", "interest", "protectorate", "dominion", "state"]),
    ),
    st.tuples(
        st.just("add_unit"),
        st.sampled_from(["tunis", "home:russia", "home:austria_hungary", "anatolia"]),
        st.sampled_from(["russia", "italy", "portugal"]),
        st.sampled_from(["army", "naval"]),
        st.sampled_from([1, 3, 10]),
    ),
    st.tuples(st.just("toggle_fleet"), st.sampled_from(["baltic", "oceania"]), st.sampled_from(["france", "spain"])),
    st.tuples(st.just("share"), st.sampled_from(["guiana", "tunis"])),
    st.tuples(st.just("toggle_canal"), st.sampled_from(["panama", "tunis"])),
    st.tuples(st.just("set_turn"), st.integers(1, 10)),
    st.tuples(st.just("set_option"), st.just("last_turn"), st.integers(1, 10)),
)


@pytest.mark.random
@settings(max_examples=60)
@given(st.lists(EDITS, max_size=8))
def test_any_edits_give_a_valid_file_or_problems(edits: list[tuple[object, ...]]) -> None:
    """No edit raises an error, and the check agrees with the reader of files."""
    edited = draft()
    for name, *args in edits:
        getattr(edited, str(name))(*args)
    problems, text = edited.problems(), scenario_toml(edited.scenario("any"))
    if problems:
        with pytest.raises(TableError):
            read_scenario("any.toml", text)
    else:
        assert start_of(read_scenario("any.toml", text)).areas == edited.state.areas
