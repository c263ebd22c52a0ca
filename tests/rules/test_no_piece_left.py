"""A marker that should become another of which no piece is free goes altogether."""

import pytest

from paxtui.pax.history import events as ev
from tests.rules.harness import marker, start


@pytest.mark.rule("SET-039")
@pytest.mark.parametrize(("held", "left"), [(3, "influence"), (4, "")])
def test_an_ungarrisoned_possession_becomes_an_influence_only_while_a_round_piece_is_free(held, left):
    """Portugal has four round pieces."""
    others = ("gabon", "kamerun", "togoland", "ashantee")[:held]
    areas = {area: {"markers": [marker("portugal", "interest")]} for area in others}
    g = start({"phase": "movement", "areas": {**areas, "angola": {"units": []}}})
    g.step()
    g.step()
    g.step()
    lost = next(e for e in g.all_of(ev.MarkerLowered) if e.area == "angola")
    assert (lost.marker, lost.to) == ("possession", left)
    assert ("SET-039" in lost.rules) == (left == "")
    raised = sum(e.amount for e in g.all_of(ev.TensionRaised) if e.area == "angola")
    assert raised == (2 if left else 4)


@pytest.mark.rule("STA-015", "SET-046")
def test_an_interest_under_a_new_control_marker_serves_as_its_round_piece():
    """Britain has no free round piece, but one lies in the Area itself."""
    areas = {area: {"markers": [marker("britain", "interest")]} for area in ROUND}
    fresh = [marker("britain", "interest"), marker("britain", "protectorate", established=False, since=1)]
    g = start({"phase": "movement", "areas": {**areas, "kamerun": {"markers": fresh}}})
    from paxtui.pax.board import counters

    assert counters.free(g.tables, g.state, "britain", "round") == 0
    g.step()
    g.step()
    g.step()
    assert [(m.marker, m.established) for m in g.state.areas["kamerun"].markers] == [("influence", True)]


ROUND = (
    "aden", "afghanistan", "angola", "ashantee", "baluchistan", "berbera", "brasil", "chile", "colombia", "ecuador",
    "eritrea", "gabon", "kenya", "mexico", "peru",
)  # fmt: skip
