"""The caretaker acts for late seats, in each Phase and for each question."""

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


def act_for_late_seats(table: PaxHost, late: tuple[str, ...]) -> bool:
    """Let the caretaker act for seats; return whether it finished."""
    runner = PaxBotRunner(table, late=late)
    course = runner.course()
    step = next(course, None)
    while step is not None:
        step = next_step(course, compute_response(table.rules, step) if isinstance(step, BotRequest) else None)
    return not runner.waited_for


@pytest.fixture(scope="module")
def two_turns() -> tuple[PaxHost, list[str]]:
    """Play two Game Turns in which all seats are always late; return the Phases that the caretaker did not finish."""
    table, stuck = PaxHost.new(load_tables(), POWERS, "late", clock=lambda: ""), []
    while table.state.turn < 3 and table.state.result is None:
        table.advance()
        late = table.waiting
        if late:
            table.announce(TimeOut(late, "caretaker"))
            if not act_for_late_seats(table, late):
                stuck.append(table.state.phase)
                table.act(ARBITER, Advance(force=True))
    return table, stuck


def test_caretaker_plays_whole_game_turns(two_turns):
    table, stuck = two_turns
    assert stuck == []
    assert table.verify() == []


def test_late_players_keep_their_seats(two_turns):
    table, _ = two_turns
    assert not any(table.occupant(seat).is_automatic for seat in POWERS)
    assert not table.state.abandoned


def test_caretaker_acts_only_for_late_seats_in_the_phase():
    table = PaxHost.new(load_tables(), POWERS, "late", clock=lambda: "")
    while table.state.phase != "movement":
        table.advance()
    runner = PaxBotRunner(table, late=("france",))
    for step in runner.course():
        assert isinstance(step, BotRequest) or step.seat == "france"
    assert set(table.waiting) >= {"britain", "germany", "united_states"}
    table.act(ARBITER, Advance(force=True))
    before = table.version
    assert list(runner.course()) == []
    assert table.version == before
