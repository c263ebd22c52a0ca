"""The position in lines, as `show` prints it."""

from __future__ import annotations

from paxtui.games.pax.position.view import position_summary
from paxtui.session.pax_host import PaxHost
from tests.places import TEN_TURNS


def test_ranks_are_reported_from_the_first_to_the_last() -> None:
    with PaxHost.open(TEN_TURNS, write=False) as table:
        state, lines = table.state, position_summary(table.tables, table.state).splitlines()
    assert state.result is not None and [*state.result.ranks.values()] != sorted(state.result.ranks.values())
    ranks = [line for line in lines if line.startswith("rank ")]
    assert len(ranks) == len(state.players) and ranks == sorted(ranks)
