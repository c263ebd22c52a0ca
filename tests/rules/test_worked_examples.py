"""The worked examples of War in the rulebook.

Others are with their rules: Manchuria seven to five and eight to five (`test_war_combat`), the Spanish-American
War and the French Interest in the Kongo (`test_war_ends`), the Wars that merge and the Great War of four players
(`test_great_war`).
"""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from paxtui.games.pax.board.status import controllers
from tests.rules import wars
from tests.rules.harness import UNLIMITED, Bench, army, here, marker, naval
from tests.rules.wars import all_pass, negotiating, the_war, treaty

GUIANA = ("britain", "france", "netherlands")


def answer(g: Bench, seat: str, word: str) -> None:
    """Answer the only pending choice of a seat."""
    (choice,) = (c for c in g.pending() if c.seat == seat)
    g.act(seat, f"choose {choice.id} {word}")


@pytest.mark.rule("WAR-047", "WAR-048", "WAR-050")
@pytest.mark.parametrize("comes", [True, False])
def test_example_defensive_treaty_costs_five_and_five(comes: bool) -> None:
    """Britain declares War on France, which has a defensive Treaty with Germany."""
    g = negotiating(("britain", "france"), treaties=[treaty("defensive", "france", "germany")])
    g.act("britain", "declare war france")
    assert g.state.tension == 5
    answer(g, "germany", "declare war britain" if comes else "refuse")
    assert g.state.tension == 10
    assert the_war(g).alliances == ((("britain",), ("france", "germany")) if comes else (("britain",), ("france",)))
    assert g.causes() == (set() if comes else {("france", "germany", "")})


@pytest.mark.rule("WCD-001", "WCD-002", "WCD-003", "WCD-006")
def test_example_invasion_of_guiana() -> None:
    """Germany, at War with Britain, enters Guiana; France lets it pass, and keeps its share at the end."""
    guiana = here(*(marker(p, "possession") for p in GUIANA), army("britain"), codominion=list(GUIANA))
    ships: dict[str, Any] = {"units": [naval("germany", 10), army("germany", 10)], "merchant_fleets": ["germany"]}
    g = wars.at_war(
        [["germany"], ["britain"]],
        options=UNLIMITED,
        areas={"guiana": guiana},
        sea_zones={"north_atlantic": ships, "south_atlantic": ships | {"units": []}},
    )
    g.act("germany", "move A10 north_atlantic > guiana")
    asked = [(c.kind, c.seat) for c in g.pending()]
    assert asked == [("codominion_war", "france")], "the Netherlands never declare War"
    answer(g, "france", "pass")
    g.act("germany", "pass")
    g.dice(6)
    g.act("germany", "attack guiana")
    while the_war(g).stage == "attack":
        all_pass(g) if g.waiting() else g.advance()
    assert the_war(g).conqueror("guiana") == 1
    g.state = replace(g.state, wars=(replace(the_war(g), stage="resolution", outcome="stalemate", turn_of=0),))
    g.advance()
    answer(g, "germany", "place possession guiana")
    assert set(controllers(g.state, "guiana")) == {"germany", "france", "netherlands"}
    assert set(g.state.areas["guiana"].codominion) == {"germany", "france", "netherlands"}


@pytest.mark.rule("WCD-004", "WCD-005")
def test_example_hawaii_entered_by_both_sides() -> None:
    """Germany, Britain and the United States share Hawaii; Germany and Britain are at War, Japan is Britain's ally."""
    shared = ["germany", "britain", "united_states"]
    hawaii = here(*(marker(p, "protectorate") for p in shared), codominion=shared)
    fleets = [naval(p, 3) for p in ("germany", "britain", "japan")]
    for turn_of, powers in ((1, ("germany",)), (2, ("britain", "japan"))):
        g = wars.at_war(
            [["germany"], ["britain", "japan"]],
            options=UNLIMITED,
            areas={"hawaii": hawaii},
            sea_zones={"north_pacific": {"units": fleets}},
            war={"turn_of": turn_of},
        )
        for power in powers:
            g.act(power, "move N3 north_pacific > hawaii")
            assert g.pending() == [] and g.causes() == set()


@pytest.mark.rule("WAR-055")
def test_example_war_of_three_alliances() -> None:
    """Each is at War with the two others: each cycle has Phases of three Alliances."""
    g = negotiating(("germany", "britain"), ("germany", "france"), ("britain", "france"))
    g.act("germany", "declare war britain france")
    g.act("britain", "declare war france")
    assert sorted(the_war(g).alliances) == [("britain",), ("france",), ("germany",)]
    assert g.state.tension == 10 and g.state.result is None


@pytest.mark.rule("ETI-007", "ETI-009", "ETI-010")
def test_example_two_culprits_of_the_great_war() -> None:
    """One was the first to declare War, and in its course another's declaration makes the Index 100."""
    g = negotiating(("italy", "japan"), ("united_states", "italy"), tension=91)
    g.act("italy", "declare war japan")
    assert g.state.result is None and g.state.tension == 96
    g.act("united_states", "declare war italy")
    assert g.state.result is not None and set(g.state.result.culprits) == {"italy", "united_states"}


@pytest.mark.rule("TRE-010", "WAR-047")
def test_example_franco_russian_pact() -> None:
    """France and Russia have signed a mutual defence pact; Germany declares War on Russia."""
    g = negotiating(("germany", "russia"), treaties=[treaty("defensive", "france", "russia")])
    g.act("germany", "declare war russia")
    answer(g, "france", "declare war germany")
    assert ("russia", "france") in the_war(g).alliances
