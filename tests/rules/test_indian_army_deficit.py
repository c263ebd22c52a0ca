"""The Indian Army in a deficit (ADM-021, Decision 39): it is given up only if nothing else covers it."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.engine.dice import Dice
from paxtui.games.pax.actions import actions
from paxtui.games.pax.expansion.garrisons import indian_army_count
from paxtui.games.pax.state.questions import Deficit
from paxtui.games.pax.transaction import Transaction
from paxtui.games.pax.turn import administration
from tests.rules.harness import UNLIMITED, Bench, army, here, marker, start


def britain(units: dict[str, list[int]], markers: dict[str, str], *events: str, **areas: Any) -> Bench:
    """The Administrative Phase with a Britain of these armies and markers; its Colonial Office gives £15.

    Newfoundland is worth 1: a Possession there earns 5 and costs 20, a Protectorate earns 4 and costs 10.
    """
    everything: dict[str, Any] = {}
    for area, there in start().state.areas.items():
        if any(piece.power == "britain" for piece in (*there.markers, *there.units)):
            everything[area] = here()
    for area in {*units, *markers}:
        mine = [marker("britain", markers[area])] if area in markers else []
        everything[area] = here(*mine, *(army("britain", n) for n in units.get(area, [])))
    g = start(
        {"phase": "administrative", "areas": {**everything, **areas}, "events_in_force": list(events)},
        options=UNLIMITED,
    )
    g.dice(1, 1, 1, 1)
    g.advance()
    return g


def deficit(g: Bench) -> int:
    """Britain's deficit in £."""
    sheet = g.state.powers["britain"].record
    return (sheet["21"] or 0) - (sheet["15"] or 0)


def choose(*answer: str) -> actions.Choose:
    """An answer to the first choice."""
    return actions.Choose("c1", answer)


def indians(g: Bench) -> int:
    """Armies (10) of the Indian Army."""
    return indian_army_count(g.tables, g.state)


INDIA: dict[str, list[int]] = {"bengal": [10], "punjab": [10], "united_provinces": [10]}
GUIANA = here(
    *(marker(p, "possession") for p in ("britain", "france", "netherlands")),
    army("france", 1),
    army("netherlands", 1),
    codominion=["britain", "france", "netherlands"],
)


@pytest.mark.rule("ADM-021", "ETI-038")
def test_a_share_of_a_codominion_goes_before_the_indian_army() -> None:
    # Guiana earns 10 and costs 20: £40 are lacking, and the two Possessions are the only other way to save them
    g = britain(INDIA, {"newfoundland": "possession"}, guiana=GUIANA)
    assert deficit(g) == 40 and not g.pending()
    assert indians(g) == 3 and g.kind("newfoundland", "britain") == g.kind("guiana", "britain") == ""
    assert g.state.areas["guiana"].codominion == ("france", "netherlands")
    assert g.state.tension == 8 and g.state.powers["britain"].treasury == 0


@pytest.mark.rule("ADM-021", "ADM-020")
def test_less_exact_sets_go_before_the_indian_army() -> None:
    # an Influence in Egypt earns 16 and costs 5: £29 are lacking. Three Armies (10) would save 30, the two
    # Possessions save 40
    g = britain(INDIA, {"newfoundland": "possession", "egypt": "influence"}, guiana=GUIANA)
    assert deficit(g) == 29 and not g.pending()
    assert indians(g) == 3 and g.kind("egypt", "britain") == "influence"
    assert g.kind("newfoundland", "britain") == g.kind("guiana", "britain") == ""


@pytest.mark.rule("ADM-021")
@pytest.mark.parametrize(("more", "offered"), [(0, False), (1, True)])
def test_fourth_army_near_india_may_be_given_up(more: int, offered: bool) -> None:
    units = {**INDIA, "bengal": [10] * (1 + more), "newfoundland": [10, 3]}
    areas = {area: here(*(army("britain", n) for n in there)) for area, there in units.items()}
    areas["newfoundland"] = here(marker("britain", "possession"), army("britain", 10), army("britain", 3))
    g = start({"phase": "movement", "areas": areas}, options=UNLIMITED)
    play = Transaction(g.tables, g.state, Dice("test"))
    administration.cover_deficit(play, "britain", 10)
    (choice,) = [c for c in play.state.choices if c not in g.state.choices]
    assert isinstance(choice.about, Deficit) and choice.about.of_india == more
    assert ("A10 bengal" in choice.options) is offered and "A10 newfoundland" in choice.options


@pytest.mark.rule("ADM-021", "ADM-024")
def test_indian_army_covers_only_the_rest_of_the_deficit() -> None:
    # £33 are lacking; all else saves 23
    g = britain({**INDIA, "newfoundland": [3]}, {"newfoundland": "possession"})
    assert deficit(g) == 33
    (choice,) = g.pending()
    assert len(choice.default) == 3 and sum("A10" in text for text in choice.default) == 1
    assert "1 at most" in choice.prompt
    for text in ("A10 bengal", "A10 punjab", "A10 united_provinces"):
        assert text in choice.options
    refusal = g.refused("britain", choose("A10 bengal", "A10 punjab", "A10 united_provinces", "A3 newfoundland"))
    assert refusal.code == "indian_army" and {"ADM-021", "STA-045"} <= set(refusal.rules)
    assert g.refused("britain", choose("A10 bengal", "A3 newfoundland")).code == "not_exact"
    g.do("britain", choose("A10 punjab", "A3 newfoundland", "possession newfoundland"))
    assert indians(g) == 2 and g.state.powers["britain"].treasury == 0


@pytest.mark.rule("ADM-021", "ADM-024")
def test_more_of_the_indian_army_goes_for_a_larger_deficit() -> None:
    g = britain({**INDIA, "newfoundland": [1]}, {"newfoundland": "possession"}, "1-3")  # halves the £15: 8
    assert deficit(g) == 38
    (choice,) = g.pending()
    assert isinstance(choice.about, Deficit) and choice.about.of_india == 2
    g.do("britain", actions.Choose(choice.id, choice.default))
    assert indians(g) == 1


@pytest.mark.rule("ADM-021")
def test_one_of_four_heavy_armies_near_india_may_be_given_up() -> None:
    g = britain({"bengal": [10, 10, 10, 10]}, {"newfoundland": "possession"}, guiana=GUIANA)
    assert deficit(g) == 50 and g.pending() == []
    assert g.units("bengal", "britain") == ["A10"] * 3
    # with one too many, which one goes is the player's choice, but not two
    units = britain({**INDIA, "kashmir": [10]}, {"newfoundland": "possession"})
    assert deficit(units) == 40
    (choice,) = units.pending()
    assert isinstance(choice.about, Deficit) and choice.about.of_india == 2  # one is spare, and one more has to go
    refusal = units.refused("britain", choose("A10 bengal", "A10 punjab", "A10 kashmir", "A10 united_provinces"))
    assert refusal.code == "indian_army"
    units.do("britain", choose("A10 bengal", "A10 kashmir", "possession newfoundland"))
    assert indians(units) == 2


@pytest.mark.rule("ADM-021", "EVT-020", "EVT-043")
def test_indian_army_goes_after_units_of_a_forced_expenditure() -> None:
    g = britain({**INDIA, "newfoundland": [10, 3]}, {"newfoundland": "possession"}, "1-2")
    assert deficit(g) == 28 and not g.pending()
    # the Possession first (20), then of what counts the Army (10): 8 were left to cover
    assert g.kind("newfoundland", "britain") == "" and g.units("newfoundland") == ["A3"]
    assert indians(g) == 3 and g.state.powers["britain"].upkeep == 3
    # the fourth and fifth Army (10) near India count, and go before the three
    g = britain({"bengal": [10] * 5}, {"newfoundland": "protectorate"}, "1-2")
    assert deficit(g) == 26 and not g.pending()
    assert g.units("bengal") == ["A10"] * 3 and g.state.powers["britain"].upkeep == 0
    assert g.kind("newfoundland", "britain") == ""


@pytest.mark.rule("ADM-024")
def test_whole_indian_army_goes_if_everything_is_too_little() -> None:
    three = administration.DeficitAsset("A3 aden", 3, "aden", unit="A3")
    ten = administration.DeficitAsset("A10 bengal", 10, "bengal", unit="A10", indian=True)
    assert administration.least_excess([three, ten], 20) == (13, True, ("A3 aden", "A10 bengal"))
    assert administration.least_excess([three, ten], 20, 0) == (3, True, ("A3 aden",))
    assert administration.least_excess([three, ten, ten], 4, 1) == (10, True, ("A10 bengal",))
    assert administration.least_excess([], 4) == (0, True, ())


def test_other_powers_armies_near_india_are_like_any_others() -> None:
    persia = here(marker("russia", "interest"), army("russia", 10), army("russia", 10), army("russia", 10))
    g = start({"phase": "administrative", "areas": {"persia": persia}, "events_in_force": ["1-5"]}, options=UNLIMITED)
    g.dice(1, 1, 1, 1)
    g.advance()
    assert len(g.units("persia", "russia")) < 3
