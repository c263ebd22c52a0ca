"""The score table of solo challenges: which finished games count, each once."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import pytest

from paxtui.engine.log import Line, encode_line
from paxtui.engine.seating import PERSON
from paxtui.engine.seats import ARBITER
from paxtui.session.hosts import new_game
from paxtui.session.local_session import LocalSession
from paxtui.session.pax_host import PaxHost
from paxtui.session.scores import SCORES_FILE, Score, best_scores, medal_of, read_scores, record_scores
from paxtui.session.standings import describe_challenge
from paxtui.session.storage.saved_games import GameProgress, list_games, read_progress
from paxtui.session.tables.scenarios import Challenge, PaxScenario, find_challenge, load_scenario, scenario_files

NAME = "short"
SHORT = """
title = "Short"
about = "One Game Turn."
seats = ["britain", "france"]
[options]
last_turn = 1
powers = "any"
[bots]
france = "steady"
[challenge]
seat = "britain"
seed = "same for all"
goals = { bronze = 1, silver = 500, gold = 900 }
"""


@pytest.fixture
def challenge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PaxScenario:
    """A challenge of one Game Turn in the player's directory."""
    monkeypatch.setenv("PAXTUI_HOME", str(tmp_path))
    (tmp_path / "scenarios").mkdir()
    path = tmp_path / "scenarios" / f"{NAME}.toml"
    path.write_text(SHORT, "utf-8")
    return load_scenario(path)


def play(
    home: Path, name: str, seed: str = "same for all", undo: Literal["strict", "free"] = "strict", **more: Any
) -> None:
    """Play a game of the challenge to its end by defaults."""
    path = home / "saves" / f"{name}.jsonl"
    with new_game("pax", seed, scenario=NAME, path=path, undo=undo, **more) as table:
        while not table.is_over:
            table.act(ARBITER, table.rules.automatic_action(table.state, force=True))


def test_a_finished_game_counts_once(tmp_path: Path, challenge: PaxScenario) -> None:
    play(tmp_path, "first")
    with new_game("pax", "same for all", scenario=NAME, path=tmp_path / "saves" / "begun.jsonl", undo="strict"):
        pass
    [score] = record_scores([challenge])
    assert (score.scenario, score.rank in (1, 2), len(score.day)) == (NAME, True, 10)
    assert record_scores([challenge]) == [] and best_scores(NAME) == [score] and best_scores("other") == []
    assert medal_of(challenge, score.points) == "bronze"


def test_goals_are_shown_during_the_game_and_at_its_end(tmp_path: Path, challenge: PaxScenario) -> None:
    find_challenge.cache_clear()
    path = tmp_path / "saves" / "game.jsonl"
    with new_game("pax", "same for all", scenario=NAME, path=path, undo="strict") as table:
        assert isinstance(table, PaxHost)
        session = LocalSession(table, "britain", bots_enabled=False)
        goals = "Goals of the challenge: 1 for bronze, 500 for silver and 900 for gold; "
        assert describe_challenge(session).startswith(f"{goals}expected now: ")
        while not table.is_over:
            table.act(ARBITER, table.rules.automatic_action(table.state, force=True))
        assert table.state.result is not None
        assert describe_challenge(session) == f"{goals}you made {table.state.result.totals['britain']}."
    find_challenge.cache_clear()


@pytest.mark.parametrize(
    ("why", "terms"),
    [
        ("other dice", {"seed": "mine"}),
        ("undo", {"undo": "free"}),
        ("an easier rival", {"occupants": {"france": PERSON}}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_game_with_other_terms_does_not_count(
    tmp_path: Path, challenge: PaxScenario, why: str, terms: dict[str, Any]
) -> None:
    play(tmp_path, "game", **terms)
    assert record_scores([challenge]) == []


def test_unreadable_lines_of_scores_are_skipped(tmp_path: Path, challenge: PaxScenario) -> None:
    (tmp_path / SCORES_FILE).write_bytes(
        b'not json\n{"scenario":"short","game":"g","points":7,"rank":1,"day":""}\n\xff\n'
    )
    assert read_scores() == [Score(NAME, "g", 7, 1)]


@pytest.mark.parametrize(("points", "medal"), [(0, ""), (10, "bronze"), (19, "bronze"), (20, "gold"), (99, "gold")])
def test_the_highest_goal_reached_counts(points: int, medal: str) -> None:
    goals = Challenge("britain", "1", {"gold": 20, "bronze": 10})
    assert medal_of(PaxScenario("x", "X", "", "", ("britain",), challenge=goals), points) == medal


def test_the_list_of_games_shows_the_year_of_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAXTUI_HOME", str(tmp_path))
    assert "1908" in scenario_files()
    with new_game("pax", "1", scenario="1908", path=tmp_path / "saves" / "eve.jsonl"):
        pass
    [game] = list_games(tmp_path / "saves")
    assert (read_progress(game).turn, read_progress(game).year) == (8, 1908)


@pytest.mark.parametrize(
    "event",
    [
        {"type": "turn_began"},
        {"type": "turn_began", "turn": [], "year": 1900},
        {"type": "game_ended", "result": [1]},
    ],
)
def test_a_log_with_impossible_contents_has_the_progress_of_a_new_game(
    tmp_path: Path, event: dict[str, object]
) -> None:
    path = tmp_path / "odd.jsonl"
    with new_game("pax", "1", path=path):
        pass
    with path.open("ab") as file:
        file.write(encode_line(Line(n=2, seat=ARBITER, action={"type": "ready"}, events=(event,))))
    [game] = list_games(tmp_path)
    assert read_progress(game) == GameProgress()
