"""Scenario files: shipped ones can be played and verified; broken ones are refused with file and line."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.turn.victory import final_income
from paxtui.session.fair_dice import move_log_with_fair_dice
from paxtui.session.game_host import empty_clock
from paxtui.session.games import GAME_KINDS, find_scenario
from paxtui.session.hosts import new_game, open_game
from paxtui.session.pax_host import PaxHost
from paxtui.session.protocol import EngineSession
from paxtui.session.tables.records import TableError
from paxtui.session.tables.scenarios import list_scenarios, load_scenario, read_scenario, scenario_files
from paxtui.simulation.match import Match, play_match

SHIPPED = list(scenario_files())
EVENING = """order = 20
title = "An evening"
about = "Four Game Turns."
text = "Take what pays soon."

[options]
last_turn = 4
final_bonus_percent = 40
"""


def start_game(scenario: str, path: Path | None = None) -> PaxHost:
    table = new_game("pax", "1", scenario=scenario, path=path, clock=empty_clock)
    assert isinstance(table, PaxHost)
    return table


@pytest.mark.parametrize("name", SHIPPED)
def test_game_of_each_scenario_opens_from_its_log(name: str, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with start_game(name, path) as table:
        state = table.state
    with open_game(path) as again:
        assert again.state == state
        assert again.verify() == []
        assert again.state.scenario == ("" if name == "1880" else name)
    scenario = find_scenario("pax", name)
    assert tuple(state.players) == tuple(scenario.seats)
    assert state.last_turn == int(scenario.options.get("last_turn", "10"))


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in SHIPPED if name != "1880"])
def test_bots_play_each_scenario_to_its_end(name: str) -> None:
    scenario = find_scenario("pax", name)
    outcome = play_match(
        Match(number=1, seed="1", bots=dict.fromkeys(scenario.seats, "steady"), scenario=name, check=True)
    )
    assert not outcome.error
    assert outcome.reason == "great_war" or outcome.turn == int(scenario.options.get("last_turn", "10"))


def test_scenario_keeps_its_start_when_it_gets_fair_dice(tmp_path: Path) -> None:
    path, hosted = tmp_path / "game.jsonl", tmp_path / "hosted.jsonl"
    with start_game("1896", path) as table:
        state = table.state
    assert move_log_with_fair_dice(path, hosted)
    with open_game(hosted, write=False) as again:
        assert again.state == state and again.game.dice.fair


def test_shortened_game_ends_after_its_last_turn() -> None:
    with start_game("evening") as table:
        while not table.is_over:
            table.act(ARBITER, table.rules.automatic_action(table.state, force=True))
        assert table.state.result is not None
        assert (table.state.result.reason, table.state.turn) == ("last_turn", 4)


def test_scenario_has_its_own_seats() -> None:
    with pytest.raises(Refusal, match=r"race-for-africa is for britain, france, germany, italy\."):
        new_game("pax", "1", scenario="race-for-africa", seats=("britain", "france", "germany", "united_states"))


def test_race_for_africa_counts_areas_elsewhere() -> None:
    assert "The rest of the map is open" in load_scenario(scenario_files()["race-for-africa"]).text
    held = {"brasil": {"markers": [{"power": "britain", "marker": "possession"}]}}
    with start_game("race-for-africa") as table:
        before = final_income(table.tables, table.state, "britain")
        table.act(ARBITER, {"type": "set_position", "patch": {"phase": "movement", "areas": held}})
        pounds = table.tables.areas["brasil"].value * table.tables.markers["possession"].multiplier
        assert final_income(table.tables, table.state, "britain") == before + pounds > before


def test_protocol_starts_scenarios_by_name_only() -> None:
    session = EngineSession(None)
    assert '"result"' in session.handle('{"id":1,"method":"new","params":{"seed":1,"scenario":"race-for-africa"}}')
    assert '"scenario":"race-for-africa"' in session.handle('{"id":2,"method":"view","params":{"seat":"france"}}')
    refused = session.handle('{"id":3,"method":"new","params":{"scenario":"/etc/passwd.toml"}}')
    assert "'scenario' should be one of: 1880, evening" in refused


def test_unknown_scenario_is_refused_with_a_list() -> None:
    with pytest.raises(Refusal, match="There is no scenario 'evenin'; there are 1880, evening"):
        find_scenario("pax", "evenin")


def test_own_scenarios_come_from_the_data_directory_and_by_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAXTUI_HOME", str(tmp_path))
    own = tmp_path / "scenarios"
    own.mkdir()
    (own / "mine.toml").write_text(EVENING, "utf-8")
    (own / "broken.toml").write_text("title = ", "utf-8")
    (own / "evening.toml").write_text(EVENING.replace("An evening", "Hidden"), "utf-8")
    names = [one.id for one in list_scenarios()]
    assert "mine" in names and "broken" not in names
    assert find_scenario("pax", "evening").title == "An evening"
    assert find_scenario("pax", str(own / "evening.toml")).title == "Hidden"
    with pytest.raises(TableError, match=r"broken\.toml:1: .*valid TOML"):
        find_scenario("pax", "broken")
    with pytest.raises(TableError, match="cannot be read"):
        find_scenario("pax", str(own / "nowhere.toml"))


FAULTS = (
    ("last_turn = 4", "last_turn = 11", "evening.toml:{line}: last_turn is 11 (one of: 10, 9, 8"),
    ("last_turn = 4", "lastturn = 4", "there is no option 'lastturn' (did you mean 'last_turn'?)"),
    ('title = "An evening"', "title = 3", "evening.toml:{line}: title is 3 (a text in quotes)"),
    ('title = "An evening"', 'titel = "An evening"', "no title (a text)"),
    ("order = 20", "order = 20\nboni = 3", "unknown field 'boni' (one of: about"),
    ("order = 20", 'seats = ["britain", "france"]', "The game is for 4 to 8 players, not 2. (other seats, or powers"),
    (
        "order = 20",
        'seats = ["britain", "frence"]',
        "there is no Power with a player 'frence' (did you mean 'france'?)",
    ),
    ("[options]", "[handicaps]\nspain = 3\n[options]", "there is no seat 'spain'"),
    ("[options]", "[handicaps]\nfrance = 900\n[options]", "france is 900 (a whole number from -500 to 500)"),
    ("[options]", '[bots]\nfrance = "steadi"\n[options]', "steadi"),
    ("[options]", "[position]\nturn = 5\n[options]", "evening.toml:{line}: turn: 5 must be from 1 to 4"),
    ("[options]", "[position.areas.tunis]\nunrest = 3\n[options]", "areas.tunis.unrest: must be true or false"),
    ("[options]", "[position.areas.tunes]\nunrest = true\n[options]", "areas.tunes: unknown Area: 'tunes'"),
    ("[options]", '[position]\nscenario = "x"\n[options]', "unknown field 'scenario'"),
    ("[options]", '[challenge]\nseat = "italy"\nseed = "1"\n[options]', "no goals"),
)


@pytest.mark.parametrize(("old", "new", "message"), FAULTS, ids=[fault[1][:40] for fault in FAULTS])
def test_error_names_file_line_and_remedy(old: str, new: str, message: str) -> None:
    assert old in EVENING
    text = EVENING.replace(old, new, 1)
    with pytest.raises(TableError) as fault:
        read_scenario("evening.toml", text)
    key = new.removesuffix("\n[options]").splitlines()[-1]
    line = next((n for n, each in enumerate(text.splitlines(), 1) if each == key), 1)
    assert message.format(line=line) in str(fault.value)


def test_scenario_needs_a_seat_for_a_person() -> None:
    bots = "\n".join(f'{seat} = "steady"' for seat in find_scenario("pax").seats)
    with pytest.raises(TableError, match="no seat is left for a person"):
        read_scenario("all.toml", f"{EVENING}\n[bots]\n{bots}\n")


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from(["france", "tunis", "steady"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["france", "tunis", "markers", "turn", "won", "games"]), inner, max_size=3)
    ),
    max_leaves=8,
)
KEYS = ("title", "about", "text", "order", "seats", "options", "bots", "handicaps", "position", "challenge", "balance")


@pytest.mark.random
@given(st.sampled_from(KEYS), VALUES)
def test_any_value_at_any_key_is_read_or_refused(key: str, value: object) -> None:
    from paxtui.engine.toml_text import toml_value

    lines = [line for line in EVENING.split("[options]")[0].splitlines() if not line.startswith(f"{key} =")]
    with_value = f"{key} = {toml_value(value)}\n" + "\n".join(lines)
    try:
        assert read_scenario("any.toml", with_value).id == "any"
    except TableError as fault:
        assert str(fault).startswith("any.toml:")


@pytest.mark.random
@given(st.data())
def test_any_damage_to_a_file_is_read_or_refused(data: st.DataObject) -> None:
    text = scenario_files()[data.draw(st.sampled_from(SHIPPED))].read_text("utf-8")
    at = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(at, min(len(text), at + 20)))
    damaged = text[:at] + data.draw(st.text(max_size=6)) + text[end:]
    try:
        read_scenario("any.toml", damaged)
    except TableError as fault:
        assert str(fault).startswith("any.toml:")


def test_only_pax_is_the_default_game() -> None:
    assert [kind.rulebook for kind in GAME_KINDS.values() if kind.default] == ["pax"]
