"""What is promised piece by piece."""

from __future__ import annotations

from paxtui.games.pax.clauses.kind import BoundClause
from paxtui.games.pax.clauses.registry import CLAUSE_KINDS
from paxtui.games.pax.events import events
from paxtui.games.pax.state.diplomacy import Clause
from tests.rules.harness import start


def test_of_two_like_units_each_is_ticked_off_when_it_is_built() -> None:
    g = start()
    watch = CLAUSE_KINDS["build"].watch
    assert watch is not None and watch.keeps is not None
    case = BoundClause(g.tables, g.state, Clause("build", power="france", units=("A3", "A3", "naval")), "france")

    def ticked(*units: str, done: frozenset[int] = frozenset()) -> tuple[int, ...]:
        assert watch is not None and watch.keeps is not None
        return watch.keeps(case, done, events.UnitsBuilt(power="france", units=units, place="home:france"))

    assert ticked("A3") == (1,) and ticked("A3", done=frozenset({1})) == (2,)
    assert ticked("A3", "A3", "A3") == (1, 2) and ticked("A1", "N10") == (3,)
