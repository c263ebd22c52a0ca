"""Which drafts are threats of War, and what they demand in words."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from paxtui.games.pax.reports.threats import demanded_articles, describe_threat, open_threats
from paxtui.games.pax.state.diplomacy import DRAFT, Clause, Treaty
from paxtui.games.pax.state.model import State
from tests.rules.harness import marker, start, tables

KENYA, ADEN = (
    {"id": id_, "holder": "italy", "against": "britain", "area": area, "cause": "control_over_influence"}
    for id_, area in (("cb1", "kenya"), ("cb2", "aden"))
)
HAND_OVER = Clause("transfer", power="britain", places=("kenya",), to="italy")
LEAVE = Clause("lower", power="britain", places=("kenya",), marker="interest", turn=3)
PAY = Clause("pay", power="britain", to="italy", amount=13)
WAIVE = Clause("waive", power="italy", places=("kenya",), to="britain")
WAIVE_ALL = Clause("waive", power="italy", to="britain")


def position(*clauses: Clause, causes: tuple[dict[str, str], ...] = (KENYA,)) -> State:
    areas = {area: {"markers": [marker("britain", "protectorate")]} for area in ("kenya", "aden")}
    bench = start({"phase": "negotiation", "turn": 2, "areas": areas, "casus_belli": list(causes)})
    draft = Treaty(
        "t", "", "treaty", "italy", ("italy", "britain"), clauses, False, DRAFT, signed=("italy",), drafted=2
    )
    return replace(bench.state, treaties=(draft,))


@pytest.mark.parametrize(
    ("clauses", "words"),
    [
        ((LEAVE, WAIVE), "leave Kenya by 1888"),
        ((LEAVE,), "leave Kenya by 1888"),  # the dispute ends with the marker
        ((HAND_OVER, WAIVE), "hand over Kenya now"),
        ((HAND_OVER, PAY, WAIVE), "hand over Kenya and pay £13 now"),
        ((PAY, WAIVE_ALL), "pay £13 now"),
    ],
)
def test_demand_in_words(clauses: tuple[Clause, ...], words: str) -> None:
    state = position(*clauses)
    (threat,) = open_threats(tables(), state, "britain")
    assert f"demands that you {words}, and threatens War" in describe_threat(tables(), state, threat)
    assert open_threats(tables(), state, "italy") == ()


@pytest.mark.parametrize(
    ("clauses", "causes"),
    [
        ((PAY,), (KENYA,)),  # Italy keeps its Casus Belli
        ((PAY, WAIVE), ()),  # it has none
        ((PAY, WAIVE), (KENYA, ADEN)),  # it keeps the other one
        ((PAY, WAIVE, Clause("pay", power="italy", to="britain", amount=5, turn=3)), (KENYA,)),  # it gives something
        ((WAIVE,), (KENYA,)),  # it demands nothing
    ],
)
def test_other_drafts_are_no_threats(clauses: tuple[Clause, ...], causes: tuple[dict[str, str], ...]) -> None:
    state = position(*clauses, causes=causes)
    assert demanded_articles(tables(), state, state.treaties[0], "britain") == ()
