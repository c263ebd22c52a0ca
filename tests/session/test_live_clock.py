"""The clock of a game under random events: it counts the time that passes, and rings exactly at its end."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import example, given, settings
from hypothesis import strategies as st

from paxtui.engine.clock import OTHER_PHASES, ClockSet, Paused, Resumed, TimeGiven
from paxtui.engine.log import Parsed
from paxtui.games.pax.game import PaxGame
from paxtui.session.game_clock import MINIMUM_LEFT_S, GameClock
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.loader import load_tables
from tests.server.conftest import HubClocks

POWERS = ("britain", "france", "germany", "united_states")
LIMIT = 600


def new_game() -> Parsed:
    """Return a game in its first Movement Phase, with ten minutes for each Phase."""
    table = PaxHost.new(load_tables(), POWERS, "clock", clock=lambda: "")
    while table.state.phase != "movement":
        table.advance()
    table.announce(ClockSet({OTHER_PHASES: LIMIT}, "arbiter", 60))
    return Parsed(table.game.header, table.game.lines, "", table.log(), table.game.tip)


GAME = new_game()

STEPS = st.one_of(
    st.tuples(st.just("pass"), st.integers(1, 200)),
    st.tuples(st.just("give"), st.integers(10, 300)),
    st.tuples(st.just("restart"), st.integers(0, 300)),
    st.tuples(st.just("set"), st.sampled_from([-100_000, 100_000])),
    st.tuples(st.sampled_from(["pause", "resume"]), st.just(0)),
)


@settings(max_examples=40, deadline=None)
@example(steps=[("pass", 1), ("pass", 99), ("pass", 200), ("restart", 300), ("restart", 1)])  # paused, then continued
@given(steps=st.lists(STEPS, max_size=25))
def test_time_left_is_right_after_random_events(steps):
    with TemporaryDirectory() as folder:
        run(steps, Path(folder) / "clock")


def run(steps, file: Path) -> None:
    """Carry out the steps, and check the clock after each."""
    times, table = HubClocks(), PaxHost(PaxGame(load_tables()), GAME, None, lambda: "")
    clock = GameClock(table, times.clock, times.steady, file)
    assert clock.look() == ()
    left, paused, saved_left, saved_at = float(LIMIT), False, float(LIMIT), times.now
    for what, seconds in steps:
        if what == "pass":
            times.pass_(seconds)
            left -= 0 if paused else seconds
        elif what == "give":
            table.announce(TimeGiven(seconds))
            left += seconds
            saved_left, saved_at = left, times.now
        elif what == "set":
            times.set(seconds)
            if not paused:
                paused, saved_left, saved_at = True, left, times.now
        elif what == "pause" and not paused:
            table.announce(Paused())
            paused, saved_left, saved_at = True, left, times.now
        elif what == "resume" and paused:
            table.announce(Resumed())
            paused, saved_left, saved_at = False, left, times.now
        elif what == "restart":
            times.pass_(seconds)
            clock = GameClock(table, times.clock, times.steady, file)
            if not paused:
                left = saved_left - (times.now - saved_at).total_seconds()
                if left <= 0:
                    left, paused = MINIMUM_LEFT_S, True
                    saved_left, saved_at = left, times.now
        late_seats = clock.look()
        assert clock.timing.paused is paused
        assert bool(late_seats) is (left <= 0 and not paused)
        if late_seats:
            assert late_seats == table.waiting
            clock.look()  # the host is asked, and the time restarts
            left, saved_left, saved_at = float(LIMIT), float(LIMIT), times.now
        assert clock.left == left
