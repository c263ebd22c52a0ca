"""Puzzles: the shipped ones can be played, and have one clearly best act."""

from __future__ import annotations

import re
from collections import Counter

import msgspec
import pytest

from paxtui.cli.main import main
from paxtui.games.pax.position.setup import seats_for
from paxtui.session.storage.files import StorageError
from paxtui.session.tables.loader import load_tables
from paxtui.studies.puzzles import MARKER, TREATY, ask, explain, load_puzzles, open_puzzle, read_puzzle
from tools.puzzles import MARGIN, QUOTAS, RATIO, features

PUZZLES = load_puzzles()


def test_shipped_puzzles_differ():
    assert len(PUZZLES) == 20 and len({(puzzle.seat, str(puzzle.position)) for puzzle in PUZZLES}) == len(PUZZLES)


def test_shipped_puzzles_are_varied():
    """All seven Powers, early and late turns, Treaties and the choice to buy nothing."""
    assert {puzzle.seat for puzzle in PUZZLES} == set(seats_for(7))
    assert max(Counter(puzzle.seat for puzzle in PUZZLES).values()) <= QUOTAS["seat"]
    times = Counter(features(puzzle)["time"] for puzzle in PUZZLES)
    assert len(times) == 3 and max(times.values()) <= QUOTAS["time"]
    assert {puzzle.kind for puzzle in PUZZLES} >= {MARKER, TREATY}
    assert any(not candidate.orders for puzzle in PUZZLES for candidate in puzzle.candidates)


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.id)
def test_best_act_is_clearly_best(puzzle):
    chances = sorted((candidate.chances[puzzle.seat] for candidate in puzzle.candidates), reverse=True)
    assert len(chances) in ((3, 4) if puzzle.kind == MARKER else (2,)) and puzzle.rollouts == 20
    assert chances[0] - chances[1] >= MARGIN - 0.0001 and chances[0] >= (RATIO - 0.01) * chances[1]
    assert all(set(candidate.chances) == set(puzzle.players) for candidate in puzzle.candidates)


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.id)
def test_orders_of_a_puzzle_are_legal(puzzle):
    host = open_puzzle(puzzle)
    start, line = host.state, host.version_for(puzzle.seat)
    for candidate in puzzle.candidates:
        for order in candidate.orders:
            host.act(puzzle.seat, order)
        if puzzle.kind == MARKER and candidate.orders:
            assert host.state.areas[candidate.place] != start.areas[candidate.place]
        if candidate.orders:
            host.undo(puzzle.seat, to=line)


def test_explanation_names_solution_and_answer():
    tables, puzzle = load_tables(), PUZZLES[0]
    wrong = next(n for n in range(4) if n != puzzle.solution)
    assert explain(tables, puzzle, puzzle.solution)[0].startswith("Right: ")
    text = explain(tables, puzzle, wrong)[0]
    assert text.startswith(f"Better: {puzzle.candidates[puzzle.solution].text}, ")
    assert puzzle.candidates[wrong].text in text and str(puzzle.year) in ask(tables, puzzle)


def test_question_says_if_buying_nothing_is_an_answer():
    tables = load_tables()
    markers = [puzzle for puzzle in PUZZLES if puzzle.kind == MARKER]
    questions = {all(one.orders for one in each.candidates): ask(tables, each) for each in markers}
    assert questions[True].endswith("It buys one marker: which gains most?")
    assert questions[False].endswith("It buys one marker or none: which gains most?")


def test_question_names_a_power_with_its_article():
    puzzle = next(each for each in PUZZLES if each.seat == "united_states")
    assert ", the United States to move. " in ask(load_tables(), puzzle)


def test_damaged_puzzle_is_reported(tmp_path):
    path = tmp_path / "x.json"
    whole = msgspec.json.encode(PUZZLES[0])
    for data in (b"{}", whole[:50], whole.replace(b'"seat":"', b'"seat":"x', 1), whole.replace(b'"chances"', b'"x"')):
        path.write_bytes(data)
        with pytest.raises(StorageError, match="is not a puzzle"):
            read_puzzle(path)
    path.write_bytes(whole.replace(b'"format":1', b'"format":2'))
    with pytest.raises(StorageError, match="of format 2"):
        read_puzzle(path)


def test_command_lists_questions(capsys):
    assert main(["puzzles", "--list"]) == 0
    assert len(re.findall(r"(?m)^ ?\d+  \d{4}, ", capsys.readouterr().out)) == len(PUZZLES)
