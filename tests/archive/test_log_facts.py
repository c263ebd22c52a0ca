"""The facts that the archive reads from events agree with the positions of a replay."""

from __future__ import annotations

from pathlib import Path

import pytest

from paxtui.archive.log_facts import NotALog, Placement, facts_of, hash_of_markers, read_facts
from paxtui.engine.log import BrokenLog, Line, digest, encode_line
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.position.setup import seats_for
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import CONTROL
from paxtui.session.game_host import empty_clock
from paxtui.session.hosts import open_game
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.loader import load_tables
from tests.places import SAVES

WHOLE = SAVES / "whole-game-0.2.0.jsonl"


def _map_hash(state: State) -> int:
    return hash_of_markers(
        (area, m.power, m.marker, m.established) for area, here in state.areas.items() for m in here.markers
    )


def _control(state: State) -> set[tuple[str, str]]:
    markers = ((area, m) for area, here in state.areas.items() for m in here.markers)
    return {(area, m.power) for area, m in markers if m.established and m.marker in CONTROL}


def test_facts_of_a_whole_game_agree_with_its_replay() -> None:
    table, facts = open_game(WHOLE, write=False), read_facts(WHOLE)
    assert isinstance(table, PaxHost) and table.state.result is not None
    assert facts.is_finished and {one.seat: one.rank for one in facts.seats} == table.state.result.ranks
    assert {one.seat: one.total for one in facts.seats} == table.state.result.totals
    assert facts.positions[-1] == (0, _map_hash(table.state))
    assert {(c.area, c.power) for c in facts.control if not c.last} == _control(table.state)
    assert {(c.area, c.power) for c in facts.control if not c.first} == _control(table.state_for(ARBITER, 1))
    turns = {turn: found for turn, found in facts.positions if turn > 1}
    before = table.state_for(ARBITER, 1)
    for n in range(2, table.version + 1):
        state = table.state_for(ARBITER, n)
        if state.turn > before.turn:  # the automatic Phases of a turn are in the line that begins it
            assert state.turn in turns
            held = {(c.area, c.power) for c in facts.control if c.first < state.turn and c.last in (0, state.turn)}
            held |= {(c.area, c.power) for c in facts.control if c.first < state.turn < c.last}
            assert _control(before) & _control(state) <= held
        before = state
    assert {one.kind for one in facts.happenings} == {"ottoman_war", "rebellion", "congress"}
    assert Placement("britain", 1, "egypt", "interest") in facts.placements


@pytest.mark.parametrize("name", ["great-war-0.2.0", "scenes-0.2.0", "congress-eight-seats", "rebellion-won-0.2.0"])
def test_facts_of_other_games_agree_with_their_last_position(name: str) -> None:
    path = SAVES / f"{name}.jsonl"
    table, facts = open_game(path, write=False), read_facts(path)
    assert isinstance(table, PaxHost)
    assert {(c.area, c.power) for c in facts.control if not c.last} == _control(table.state)
    assert facts.turn == table.state.turn and facts.lines == table.version


def test_undone_acts_do_not_count(tmp_path: Path) -> None:
    table = PaxHost.new(load_tables(), seats_for(7), "7", clock=empty_clock, undo="free")
    table.act(ARBITER, {"type": "set_position", "patch": {"phase": "movement", "powers": {"france": {"treasury": 60}}}})
    table.act("france", "place influence siam")
    table.act("france", "place influence madagascar")
    table.undo("france")
    table.save_as(tmp_path / "g.jsonl")
    facts = read_facts(tmp_path / "g.jsonl")
    assert facts.placements == (Placement("france", 1, "siam", "influence"),)
    assert not facts.is_finished and "madagascar" not in {one.area for one in facts.control}


def test_damaged_logs_and_other_files_are_told_apart() -> None:
    data = WHOLE.read_bytes()
    lines = data.split(b"\n")
    assert facts_of(data + b'{"n":').notice.startswith("The last line")
    with pytest.raises(BrokenLog, match="Line 6 "):
        facts_of(b"\n".join([*lines[:4], lines[4].replace(b"place", b"p"), *lines[5:]]))
    for other in (b"", b'{"number":1}\n', b"\xff\xfe", b"[[[["):
        with pytest.raises(NotALog):
            facts_of(other)
    header = lines[0].replace(b'"areas":{"abyssinia":{}', b'"areas":{"abyssinia":[7]')
    with pytest.raises(BrokenLog, match="Line 1 "):
        facts_of(header + b"\n")


@pytest.mark.parametrize(
    "event",
    [{"type": "game_ended", "result": {"ranks": [1]}}, {"type": "game_ended", "result": {"ranks": {"britain": "x"}}}],
)
def test_log_with_impossible_contents_is_broken(event: dict[str, object]) -> None:
    header = WHOLE.read_bytes().split(b"\n")[0] + b"\n"
    line = Line(n=2, seat=ARBITER, action={"type": "ready"}, events=(event,), prev=digest(header))
    with pytest.raises(BrokenLog, match="cannot be read"):
        facts_of(header + encode_line(line))
