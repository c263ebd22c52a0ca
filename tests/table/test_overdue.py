"""The caretaker acts for seats whose time is over: in every Phase and for every question, until it is over."""

from __future__ import annotations

import pytest

from paxtui.engine.seats import ARBITER
from paxtui.pax.orders.actions import Advance
from paxtui.pax.orders.clock_notes import TimeOut
from paxtui.table.arbiter.overdue import Overdue
from paxtui.table.authority import Table
from paxtui.table.rivals import after
from paxtui.table.tables import load_tables
from paxtui.table.thinking import Question, think

POWERS = ("britain", "france", "germany", "united_states")


def overdue(table: Table, late: tuple[str, ...]) -> bool:
    """The caretaker acts for seats; whether it found a way."""
    acting = Overdue(table, late)
    course = acting.course()
    step = next(course, None)
    while step is not None:
        step = after(course, think(table.tables, step) if isinstance(step, Question) else None)
    return not acting.waited_for


@pytest.fixture(scope="module")
def played() -> tuple[Table, list[str]]:
    """Two Game Turns in which everybody is always late; the Phases in which the caretaker found no way."""
    table, stuck = Table.new(load_tables(), POWERS, "late", clock=lambda: ""), []
    while table.state.turn < 3 and table.state.result is None:
        table.advance()
        late = table.waiting
        if late:
            table.announce(TimeOut(late, "caretaker"))
            if not overdue(table, late):
                stuck.append(table.state.phase)
                table.act(ARBITER, Advance(force=True))
    return table, stuck


def test_the_caretaker_finds_a_way_through_whole_game_turns(played):
    table, stuck = played
    assert stuck == []
    assert table.verify() == []


def test_the_seats_stay_those_of_their_players(played):
    table, _ = played
    assert not any(table.sitter(seat).plays_itself for seat in POWERS)
    assert not table.state.abandoned


def test_nothing_is_done_for_who_is_not_late_or_in_another_phase():
    table = Table.new(load_tables(), POWERS, "late", clock=lambda: "")
    while table.state.phase != "movement":
        table.advance()
    acting = Overdue(table, ("france",))
    for step in acting.course():
        assert isinstance(step, Question) or step.seat == "france"
    assert set(table.waiting) >= {"britain", "germany", "united_states"}
    table.act(ARBITER, Advance(force=True))
    before = table.version
    assert list(acting.course()) == []
    assert table.version == before
