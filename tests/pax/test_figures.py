"""The figures of Powers in sentences, tables and comparisons."""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.games.pax.figures import FIGURES, compare_figures, describe_figures, describe_indexes
from paxtui.games.pax.position.setup import new_game, seats_for
from paxtui.session.tables.loader import load_tables

TABLES = load_tables()


def test_figures_sentence_has_money_points_and_fleets() -> None:
    start = new_game(TABLES, seats_for(4), {})
    richer = replace(start.powers["france"], treasury=12, victory_points=1, merchants_due=2)
    state = replace(start, powers={**start.powers, "france": richer}, tension=7, resentment=3)
    assert describe_figures(TABLES, state, "france") == "£12, 1 Victory Point, 2 Merchant Fleets due"
    assert describe_figures(TABLES, state, "spain") == "", "a Minor Power has no Treasury"
    assert describe_indexes(state) == "European Tensions 7, Chinese Resentment 3"
    changed = {c.what: (c.before, c.after) for c in compare_figures(TABLES, start, state) if c.before != c.after}
    assert changed == {
        "European Tensions": (0, 7),
        "Chinese Resentment": (0, 3),
        "France: Treasury": (0, 12),
        "France: Victory Points": (0, 1),
    }
    assert {c.what: c.more_is_better for c in compare_figures(TABLES, start, state)}["European Tensions"] is False


def test_each_figure_is_shown_somewhere() -> None:
    for figure in FIGURES:
        assert figure.phrase or figure.column or figure.is_compared or figure.chart, figure.name
        assert len(figure.column) <= figure.width
