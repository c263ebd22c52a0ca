"""Options of scenarios: the last Game Turn, the share of the bonuses at the end, and the Powers with a player."""

from __future__ import annotations

import pytest

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.events import events
from paxtui.games.pax.position.setup import new_game
from paxtui.games.pax.turn import victory
from tests.rules.harness import UNLIMITED, Bench, marker, start, tables


def final_record(turn: int, **options: str) -> Bench:
    """The Final Record Phase of a Game Turn, played."""
    g = start({"phase": "final_record", "turn": turn}, 7, {**UNLIMITED, **options})
    g.step()
    return g


@pytest.mark.rule("SET-003", "SEQ-026", "SEQ-027")
@pytest.mark.parametrize(("last", "turn", "ends"), [("4", 3, False), ("4", 4, True), ("10", 4, False), ("1", 1, True)])
def test_the_game_ends_after_the_last_game_turn_of_its_options(last: str, turn: int, ends: bool) -> None:
    g = final_record(turn, last_turn=last)
    assert (g.state.result is not None) == ends
    assert g.state.turn == turn + (not ends)
    assert any(isinstance(event, events.GameEnded) for event in g.last) == ends


@pytest.mark.rule("SET-003")
def test_no_position_is_later_than_the_last_game_turn() -> None:
    with pytest.raises(Refusal, match="turn: 5 must be from 1 to 4"):
        start({"turn": 5}, 7, {"last_turn": "4"})


@pytest.mark.rule("VIC-015", "VIC-003")
@pytest.mark.parametrize(("percent", "points"), [("100", -5), ("50", -3), ("40", -2), ("10", -1), ("0", 0)])
def test_percentage_of_final_bonuses_is_an_option(percent: str, points: int) -> None:
    """Half a point is rounded away from zero."""
    state = new_game(tables(), tuple(start({}, 7).state.players), {"final_bonus_percent": percent})
    assert victory.scaled_bonus(state, -5) == points
    assert victory.scaled_bonus(state, 5) == -points


@pytest.mark.rule("VIC-015", "VIC-020")
def test_line_28_sums_reduced_bonuses() -> None:
    africa = {area: {"markers": [marker("britain", "protectorate")]} for area in tables().africa_paths[0].through}
    ends = [row.other_end[0] for row in tables().africa_paths[:1]] + [
        row.one_end[0] for row in tables().africa_paths[:1]
    ]
    africa |= {area: {"markers": [marker("britain", "protectorate")]} for area in ends}
    found = []
    for percent in ("100", "50", "0"):
        g = start({"areas": africa}, 7, {**UNLIMITED, "final_bonus_percent": percent})
        counted = victory.current_bonuses(g.tables, g.state, "britain")
        lines = victory.final_lines(g.tables, g.state, "britain")
        assert lines["28"] == victory.total_points(counted)
        found.append(lines["28"])
    assert abs(found[0]) >= abs(found[1]) > found[2] == 0


@pytest.mark.rule("SET-001", "SET-055")
@pytest.mark.parametrize("powers", [("britain",), ("britain", "belgium")], ids=len)
def test_any_powers_are_two_to_seven_without_belgium(powers: tuple[str, ...]) -> None:
    with pytest.raises(Refusal, match="two to seven Powers"):
        new_game(tables(), powers, {"powers": "any"})


@pytest.mark.rule("SET-055", "SET-056", "MIN-001", "MIN-010")
def test_great_powers_without_a_player_are_never_active() -> None:
    state = new_game(tables(), ("italy", "france"), {"powers": "any"})
    assert state.players == ("france", "italy")
    assert set(state.powers) == {"france", "italy"}
    assert {"britain", "germany", "united_states", "austria_hungary", "russia", "spain"} <= set(state.minors)
    g = start({}, 7)
    g.state = state
    g.advance()
    active = {event.power for event in g.events if isinstance(event, events.MinorActivity)}
    assert active <= set(minor_powers_with_a_table())


def minor_powers_with_a_table() -> tuple[str, ...]:
    return tuple(tables().minor_activity)


@pytest.mark.rule("MIN-001", "SET-002")
def test_germany_runs_austria_hungary_if_it_has_a_player() -> None:
    state = new_game(tables(), ("italy", "germany"), {"powers": "any"})
    assert "austria_hungary" in state.powers and "austria_hungary" not in state.minors
