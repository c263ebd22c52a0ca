"""The caretaker acts for seats whose time is over: in every Phase and for every question, until it is over."""

from __future__ import annotations

import pytest

from paxtui.engine.bots import BotRequest
from paxtui.engine.clock import TimeOut
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions.actions import Advance
from paxtui.session.bot_process import compute_response
from paxtui.session.bot_runner import next_step
from paxtui.session.pax_bot_runner import PaxBotRunner
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.loader import load_tables

POWERS = ("britain", "france", "germany", "united_states")


def overdue(table: PaxHost, late: tuple[str, ...]) -> bool:
    """The caretaker acts for seats; whether it found a way."""
    acting = PaxBotRunner(table, late=late)
    course = acting.course()
    step = next(course, None)
    while step is not None:
        step = next_step(course, compute_response(table.rules, step) if isinstance(step, BotRequest) else None)
    return not acting.waited_for


@pytest.fixture(scope="module")
def played() -> tuple[PaxHost, list[str]]:
    """Two Game Turns in which everybody is always late; the Phases in which the caretaker found no way."""
    table, stuck = PaxHost.new(load_tables(), POWERS, "late", clock=lambda: ""), []
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
    assert not any(table.occupant(seat).is_automatic for seat in POWERS)
    assert not table.state.abandoned


def test_nothing_is_done_for_who_is_not_late_or_in_another_phase():
    table = PaxHost.new(load_tables(), POWERS, "late", clock=lambda: "")
    while table.state.phase != "movement":
        table.advance()
    acting = PaxBotRunner(table, late=("france",))
    for step in acting.course():
        assert isinstance(step, BotRequest) or step.seat == "france"
    assert set(table.waiting) >= {"britain", "germany", "united_states"}
    table.act(ARBITER, Advance(force=True))
    before = table.version
    assert list(acting.course()) == []
    assert table.version == before
