"""One whole Game Turn of the golden game through the real screen with real keys."""

from __future__ import annotations

from pathlib import Path

import pytest

from paxtui.pax import actions as ac
from paxtui.pax.notation import text_of
from paxtui.table.authority import Table
from tests.tui.terminal import Terminal

GOLDEN = Path(__file__).parents[2] / "saves" / "ten-turns-1880.jsonl"


def acts_of_first_turn(table: Table) -> list[tuple[str, ac.Action]]:
    """What the seats did before the second Game Turn began."""
    out = []
    for line in table.game.lines:
        if line.kind == "act" and line.seat in table.state.players:
            out.append((line.seat, table.game._rules.decode_action(line.action)))  # type: ignore[attr-defined]
        if table.game.seek(line.n).turn > 1:
            break
    return out


@pytest.fixture
def golden() -> Table:
    """The golden game."""
    return Table.open(GOLDEN, write=False)


def test_the_first_turn_of_the_golden_game_by_keys(tmp_path: Path, golden: Table) -> None:
    log = tmp_path / "turn.jsonl"
    acts = acts_of_first_turn(golden)
    assert len(acts) > 20
    screen = Terminal(
        tmp_path, "new", "--seed", golden.game.header.seed, "--file", str(log), columns=120, rows=40
    )
    try:
        assert screen.wait_output(r"line (\d+) · saved") == "1"
        screen.type("r")
        number = int(screen.wait_output(r"line (\d+) · saved"))
        players = list(golden.state.players)
        seat = players[0]
        for wanted, action in acts:
            if wanted != seat:
                screen.type(f":seat {wanted}\r")
                seat = wanted
            screen.type("r" if isinstance(action, ac.Ready) else f":{text_of(golden.tables, action)}\r")
            before = number
            while number == before:  # a redraw without a new line does not count
                number = int(screen.wait_output(r"line (\d+) · saved"))
            with Table.open(log, write=False) as so_far:
                due = so_far.waiting
            if seat not in due and due:
                seat = next_seat(players, seat, due)
        with Table.open(log, write=False) as played:
            assert played.state.turn == 2
            ours = list(played.game.lines)
            theirs = list(golden.game.lines)[: len(ours)]
            assert [(line.seat, line.action) for line in ours] == [(line.seat, line.action) for line in theirs]
            assert [line.events for line in ours] == [line.events for line in theirs]
        screen.wait("1884", "turn 2/10")
    finally:
        screen.close()


def next_seat(players: list[str], after: str, due: tuple[str, ...]) -> str:
    """The seat that sits down by itself after `after`."""
    start = players.index(after) + 1
    return next(p for p in players[start:] + players[:start] if p in due)
