"""The prediction of results from a position."""

from __future__ import annotations

import sys
from collections import Counter

from msgspec.structs import replace

from paxtui.bots.pax.prediction import FEATURES, position_features, predict_results, win_chances
from paxtui.games.pax.state.model import with_power
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.loader import load_tables
from tests.places import TEN_TURNS

GAME = PaxHost.open(TEN_TURNS, write=False)
TABLES = load_tables()


def late_position():
    return next(GAME.game.seek(n) for n in range(GAME.version, 0, -1) if GAME.game.seek(n).turn == 8)


def test_weights_match_features():
    assert TABLES.prediction.features == FEATURES
    assert len(TABLES.prediction.weights) == len(TABLES.prediction.spread) == len(TABLES.turns)
    assert {len(row) for row in TABLES.prediction.weights} == {len(FEATURES)}


def test_chances_add_up_and_follow_expected_totals():
    found = predict_results(TABLES, late_position())
    assert abs(sum(one.chance for one in found.values()) - 1) < 1e-9
    by_total = sorted(found, key=lambda seat: found[seat].total)
    assert by_total == sorted(found, key=lambda seat: found[seat].chance)


def test_points_and_income_raise_the_expected_total():
    state = late_position()
    before = predict_results(TABLES, state)
    richer = with_power(state, "japan", victory_points=state.powers["japan"].victory_points + 50)
    after = predict_results(TABLES, richer)
    assert abs(after["japan"].total - before["japan"].total - 50) < 1e-9
    assert after["japan"].chance > before["japan"].chance and after["italy"].chance <= before["italy"].chance
    poorer = replace(state, areas={area: replace(here, markers=()) for area, here in state.areas.items()})
    assert all(predict_results(TABLES, poorer)[seat].total < before[seat].total for seat in before)


def test_late_prediction_is_close_to_the_final_totals():
    assert GAME.state.result is not None
    found = predict_results(TABLES, late_position())
    misses = [abs(found[seat].total - total) for seat, total in GAME.state.result.totals.items()]
    assert sum(misses) / len(misses) < 60


def test_equal_totals_have_equal_chances():
    assert win_chances(TABLES, 3, {"italy": 200.0, "japan": 200.0}) == {"italy": 0.5, "japan": 0.5}


def test_prediction_needs_few_calls():
    """Bots ask for thousands. The calls of functions are counted, not the time, which depends on the machine."""
    state = late_position()
    position_features(TABLES, state)
    predict_results(TABLES, state)
    calls = Counter[str]()
    sys.setprofile(lambda frame, event, _: calls.update([event]))
    try:
        predict_results(TABLES, state)
    finally:
        sys.setprofile(None)
    assert calls["call"] + calls["c_call"] < 4000
