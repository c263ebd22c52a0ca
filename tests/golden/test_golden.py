"""Saved games open, replay and verify; a new game is played through the protocol."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from paxtui.cli.main import main
from paxtui.engine.dice import Dice
from paxtui.engine.log import parse
from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions.actions import Choose
from paxtui.games.pax.decide import decide
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.events.events import evolve
from paxtui.games.pax.game import RULES_NUMBER, PaxGame
from paxtui.games.pax.position.view import view_for_seat
from paxtui.session.pax_host import PaxHost
from paxtui.session.storage.files import data_path
from paxtui.session.verification import Verdict
from tests.golden.play import congress
from tests.golden.play_golden import play_game
from tests.places import SAVES

SAVED_GAMES = sorted(SAVES.glob("*.jsonl"))
LARGEST = 2_000_000
"""Maximum size of a finished game in bytes."""

FINISHED = [path for path in SAVED_GAMES if path.name.startswith(("ten-turns", "whole-game"))]
every_finished_game = pytest.mark.parametrize("path", FINISHED, ids=[p.stem for p in FINISHED])
every_save = pytest.mark.parametrize("path", SAVED_GAMES, ids=[p.stem for p in SAVED_GAMES])


def test_saved_game_of_ten_turns_with_seven_players() -> None:
    table = PaxHost.open(next(p for p in SAVED_GAMES if p.name == "ten-turns-1880.jsonl"), write=False)
    state = table.state
    assert len(state.players) == 7
    assert state.turn == 10
    assert state.result is not None
    assert state.result.reason == "last_turn"
    assert sorted(state.result.ranks) == sorted(state.players)
    assert min(state.result.ranks.values()) == 1


def test_saved_game_with_a_congress_a_rebellion_and_a_war() -> None:
    path = next(p for p in SAVED_GAMES if p.stem.startswith("whole-game-"))
    table = PaxHost.open(path, write=False)
    events = [event for line in table.game.lines for event in table.game.events(line.n)]
    kinds = {event.war.kind for event in events if isinstance(event, ev.WarArose)}
    assert kinds == {"rebellion", "ottoman"}
    assert any(isinstance(event, ev.CongressChanged) for event in events)
    assert sum(isinstance(event, ev.WarOver) for event in events) == 2
    assert any(isinstance(event, ev.BattleFought) for event in events)
    assert table.state.result is not None and table.state.result.reason == "last_turn"


def verdicts() -> dict[str, Verdict]:
    """Return the expected result of `verify` for each saved game: `verdicts.tsv`, which `.ci/wheel` also reads."""
    _, *rows = (SAVES.parent / "tests/golden/verdicts.tsv").read_text("utf-8").splitlines()
    return {game: Verdict(int(code)) for game, code, *_ in (row.split("\t") for row in rows)}


def test_each_saved_game_has_an_expected_verdict() -> None:
    assert sorted(verdicts()) == [path.stem for path in SAVED_GAMES]


@every_save
def test_saved_game_has_its_expected_verdict(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expected = verdicts()[path.stem]
    code = Verdict(main(["verify", str(path)]))
    assert code == expected, f"verdicts.tsv expects {expected} of it: {capsys.readouterr().out}"
    # acts can differ only in a game of an earlier rules number
    assert code == Verdict.SOUND or PaxHost.open(path, write=False).game.header.rules < RULES_NUMBER


@every_finished_game
def test_recorded_events_give_the_recorded_ranks(path: Path) -> None:
    parsed = parse(path.read_bytes())
    table = PaxHost.open(path, write=False)
    rules = PaxGame(table.tables)
    state = rules.decode_state(parsed.header.start)
    ended = []
    for line in parsed.lines:
        assert line.kind == "act"
        for raw in line.events:
            state = evolve(state, rules.decode_event(raw))
            if raw["type"] == "game_ended":
                ended.append(raw)
    assert state == table.state
    (end,) = ended
    assert state.result is not None
    assert state.result.ranks == end["result"]["ranks"]
    points = [state.result.totals[seat] for seat in sorted(state.result.ranks, key=state.result.ranks.__getitem__)]
    assert points == sorted(points, reverse=True)


@every_save
def test_saved_game_is_small(path: Path) -> None:
    assert path.stat().st_size <= LARGEST


@every_finished_game
def test_any_line_of_a_saved_game_can_be_shown(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = PaxHost.open(path, write=False)
    last = table.game.version
    years = set()
    for at in (1, 2, last // 3, last // 2, last - 1, last):
        assert main(["show", str(path), "--at", str(at)]) == 0
        out = capsys.readouterr().out
        assert f"line {at} of {last}" in out
        years.add(out.splitlines()[1].split(",")[0])
    assert {"1880", "1916"} <= years
    assert main(["show", str(path), "--at", str(last), "--seat", "france", "--json"]) == 0
    assert '"ranks"' in capsys.readouterr().out
    assert main(["show", str(path), "--at", str(last + 1)]) == 2


@every_save
def test_seek_equals_evolving_all_events(path: Path) -> None:
    table = PaxHost.open(path, write=False)
    state = table.game.seek(1)
    seen = {1: state}
    for line in table.game.lines:
        for event in table.game.events(line.n):
            state = evolve(state, event)
        if line.n % 97 == 0:
            seen[line.n] = state
    for n in sorted(seen, key=lambda n: n * 7919 % 1000):
        assert table.game.seek(n) == seen[n]
        assert view_for_seat(table.tables, table.game.seek(n), "arbiter", n) == view_for_seat(
            table.tables, seen[n], "arbiter", n
        )


def test_sample_game_is_finished() -> None:
    table = PaxHost.open(data_path("sample-game.jsonl"), write=False)
    assert table.state.result is not None
    assert table.state.turn == 10


def test_saved_congress_can_be_played_by_the_present_rules(tmp_path: Path) -> None:
    congress(tmp_path / "congress.jsonl")
    assert main(["verify", str(tmp_path / "congress.jsonl")]) == Verdict.SOUND


@pytest.mark.slow
def test_game_through_the_protocol_is_reproducible(tmp_path: Path) -> None:
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    seen = play_game(first, 3, 4)
    assert seen["result"]["reason"] in ("last_turn", "great_war")
    assert sorted(seen["result"]["ranks"].values())[0] == 1
    play_game(second, 3, 4)
    assert first.read_bytes() == second.read_bytes()
    assert PaxHost.open(first, write=False).verify() == []


def test_answers_of_saved_games_are_accepted_or_refused() -> None:
    """Questions keep the options of the version that asked them. Today's rules accept or refuse each option."""
    answers = 0
    for path in SAVED_GAMES:
        host = PaxHost.open(path, write=False)
        asked: set[str] = set()
        for line in host.game.lines:
            state = host.game.seek(line.n)
            for choice in state.choices:
                if choice.id in asked:
                    continue
                asked.add(choice.id)
                for option in choice.options:
                    with suppress(Refusal):
                        decide(host.tables, state, choice.seat, Choose(choice.id, tuple(option.split())), Dice("x"))
                        answers += 1
    assert answers > 500
