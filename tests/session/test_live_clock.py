"""The clock of a table whatever happens to it: it counts what has passed, and rings when that is all, not before."""

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


def begun() -> Parsed:
    """A game in its first Movement Phase, with ten minutes for each."""
    table = PaxHost.new(load_tables(), POWERS, "clock", clock=lambda: "")
    while table.state.phase != "movement":
        table.advance()
    table.announce(ClockSet({OTHER_PHASES: LIMIT}, "arbiter", 60))
    return Parsed(table.game.header, table.game.lines, "", table.log(), table.game.tip)


BEGUN = begun()

STEPS = st.one_of(
    st.tuples(st.just("pass"), st.integers(1, 200)),
    st.tuples(st.just("give"), st.integers(10, 300)),
    st.tuples(st.just("again"), st.integers(0, 300)),
    st.tuples(st.just("set"), st.sampled_from([-100_000, 100_000])),
    st.tuples(st.sampled_from(["pause", "resume"]), st.just(0)),
)


@settings(max_examples=40, deadline=None)
@example(steps=[("pass", 1), ("pass", 99), ("pass", 200), ("again", 300), ("again", 1)])  # paused, and counted on
@given(steps=st.lists(STEPS, max_size=25))
def test_what_is_left_is_what_has_not_passed(steps):
    with TemporaryDirectory() as folder:
        run(steps, Path(folder) / "clock")


def run(steps, file: Path) -> None:
    """Go through the steps, and look after each whether the clock shows what it should."""
    times, table = HubClocks(), PaxHost(PaxGame(load_tables()), BEGUN, None, lambda: "")
    clock = GameClock(table, times.clock, times.steady, file)
    assert clock.look() == ()
    left, paused, written, since = float(LIMIT), False, float(LIMIT), times.now  # what was written down last, and when
    for what, seconds in steps:
        if what == "pass":
            times.pass_(seconds)
            left -= 0 if paused else seconds
        elif what == "give":
            table.announce(TimeGiven(seconds))
            left += seconds
            written, since = left, times.now
        elif what == "set":
            times.set(seconds)
            if not paused:
                paused, written, since = True, left, times.now
        elif what == "pause" and not paused:
            table.announce(Paused())
            paused, written, since = True, left, times.now
        elif what == "resume" and paused:
            table.announce(Resumed())
            paused, written, since = False, left, times.now
        elif what == "again":
            times.pass_(seconds)
            clock = GameClock(table, times.clock, times.steady, file)
            if not paused:
                left = written - (times.now - since).total_seconds()
                if left <= 0:
                    left, paused = MINIMUM_LEFT_S, True
                    written, since = left, times.now
        rang = clock.look()
        assert clock.timing.paused is paused
        assert bool(rang) is (left <= 0 and not paused)
        if rang:
            assert rang == table.waiting
            clock.look()  # the host is asked, and the time begins anew
            left, written, since = float(LIMIT), float(LIMIT), times.now
        assert clock.left == left
