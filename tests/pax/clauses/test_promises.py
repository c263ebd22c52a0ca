"""Promises to build several units."""

from __future__ import annotations

from paxtui.games.pax.clauses.kind import BoundClause
from paxtui.games.pax.clauses.registry import CLAUSE_KINDS
from paxtui.games.pax.events import events
from paxtui.games.pax.state.diplomacy import Clause
from tests.rules.harness import start


def test_equal_promised_units_are_counted_one_by_one() -> None:
    g = start()
    watch = CLAUSE_KINDS["build"].watch
    assert watch is not None and watch.keeps is not None
    case = BoundClause(g.tables, g.state, Clause("build", power="france", units=("A3", "A3", "naval")), "france")

    def fulfilled(*units: str, done: frozenset[int] = frozenset()) -> tuple[int, ...]:
        assert watch is not None and watch.keeps is not None
        return watch.keeps(case, done, events.UnitsBuilt(power="france", units=units, place="home:france"))

    assert fulfilled("A3") == (1,) and fulfilled("A3", done=frozenset({1})) == (2,)
    assert fulfilled("A3", "A3", "A3") == (1, 2) and fulfilled("A1", "N10") == (3,)
