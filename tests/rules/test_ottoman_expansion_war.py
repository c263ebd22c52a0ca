"""Congress and War over a Casus Belli against the expanding Ottoman Empire."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from paxtui.games.pax.actions import actions
from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import Holding
from paxtui.games.pax.war.outcome import spoils
from tests.previews import forecast_of
from tests.rules import congress, wars
from tests.rules.congress import propose, vote
from tests.rules.harness import UNLIMITED, Bench, army, held, here, start
from tests.rules.wars import the_war

EMPIRE = "ottoman_empire"
ON = {**UNLIMITED, "ottoman_expansion": "yes"}
A5 = army(EMPIRE, 5)
PERSIA = {"persia": held(EMPIRE, "possession", A5)}
INDIA = {"punjab": held("britain", "possession", army("britain", 10))}
FALLEN = {**PERSIA, **INDIA, "afghanistan": held(EMPIRE, "possession", A5)}
OVER = {"holder": "britain", "against": EMPIRE, "area": "afghanistan", "rule": "WAR-068", "cause": "gates_of_india"}


def fallen(**patch: Any) -> Bench:
    """Afghanistan, at the gates of India, has just fallen to the Empire."""
    unrest = {"markers": [], "units": [], "unrest": True}
    g = start({"phase": "marker_adjustment", "areas": {**PERSIA, "afghanistan": unrest}, **patch}, options=ON)
    g.step()
    return g


def disputed(**patch: Any) -> Bench:
    """The Negotiation Phase after it, Britain holding its Casus Belli."""
    return congress.game([OVER], options=ON, areas={**FALLEN, **patch.pop("areas", {})}, **patch)


def fighting(sides: list[list[str]], phase: str, **patch: Any) -> Bench:
    """The War over Afghanistan, in a Phase of the Empire's enemies."""
    settings = {"kind": "ottoman", "declared": ["britain"], "over": ["afghanistan"], **patch.pop("war", {})}
    areas = {"anatolia": here(A5), "quwait": here(), "tripoli": here(), "egypt": here(), **FALLEN}
    areas |= patch.pop("areas", {})
    return wars.at_war(sides, phase, options=ON, war=settings, areas=areas, **patch)


def to_war(g: Bench) -> None:
    """Play without orders until the Wars are fought."""
    while g.state.phase != "war" or g.state.top.step != "fought":
        g.step()


def empire_s(state: State, area: str) -> tuple[int, int]:
    """The numbers of markers and Armies of the Empire in an Area."""
    here_ = state.areas[area]
    return sum(m.power == EMPIRE for m in here_.markers), sum(u.power == EMPIRE for u in here_.units)


# The Congress


@pytest.mark.rule("EVT-035", "WAR-068")
def test_ottoman_gain_at_the_gates_of_india_gives_britain_a_cause() -> None:
    g = fallen()
    assert g.causes() == {("britain", EMPIRE, "afghanistan")}
    g.act("britain", "congress germany")
    assert g.state.congress and g.state.congress.disputants == ("britain", EMPIRE)
    assert g.state.congress.members == ("britain", "germany"), "the Empire has no seat in it"


@pytest.mark.rule("EVT-035")
@pytest.mark.parametrize(
    ("demand", "holder"),
    [
        ("ottoman_empire withdraws afghanistan", ""),
        ("ottoman_empire transfers afghanistan to britain", "britain"),
        ("afghanistan to russia", "russia"),
    ],
)
def test_congress_takes_the_area_from_the_empire(demand: str, holder: str) -> None:
    g = congress.meet(disputed(), "britain", "germany", attend=("russia",))
    propose(g, "britain", demand)
    vote(g)
    congress.all_answer(g, "sign", "sign")
    assert empire_s(g.state, "afghanistan") == (0, 0)
    assert [m.power for m in g.state.areas["afghanistan"].markers] == [holder] * bool(holder)
    assert not g.state.casus_belli and empire_s(g.state, "persia") == (1, 1)
    assert all(EMPIRE not in t.parties for t in g.state.treaties), "it keeps no Treaty"


@pytest.mark.rule("EVT-035")
@pytest.mark.parametrize("also", ["ottoman_empire withdraws persia", "ottoman_empire transfers persia to britain"])
def test_empire_yields_no_other_area(also: str) -> None:
    g = congress.meet(disputed(), "britain", "germany")
    refusal = g.refused("britain", f"propose Act: ottoman_empire withdraws afghanistan; {also}")
    assert refusal.code == "minor" and "EVT-035" in refusal.rules
    assert g.refused("britain", "propose Act: ottoman_empire transfers quwait to britain").rules


@pytest.mark.rule("EVT-035")
@pytest.mark.parametrize(
    "order",
    [
        "propose with russia: ottoman_empire withdraws afghanistan",
        "propose with russia: afghanistan to russia",
        "propose with russia: britain transfers punjab to ottoman_empire",
        "propose with russia: ottoman_empire pays britain 5",
        "propose with russia: ottoman_empire lowers afghanistan to influence",
        "propose with russia: defensive by ottoman_empire",
    ],
)
def test_empire_agrees_to_nothing_outside_a_congress(order: str) -> None:
    assert disputed().refused("britain", order).rules


@pytest.mark.rule("EVT-035")
def test_congress_needs_a_cause_against_the_empire() -> None:
    g = congress.meet(congress.game(options=ON, areas={**FALLEN, "tunis": {"markers": congress.TUNIS, "units": []}}))
    text = f"propose Act: {congress.SETTLES}; ottoman_empire withdraws afghanistan"
    assert "EVT-035" in g.refused("france", text).rules


# The War


@pytest.mark.rule("EVT-036", "WAR-015", "ETI-019")
@pytest.mark.parametrize("order", ["declare war ottoman_empire", "declare war ottoman over cb1"])
def test_casus_belli_allows_war_on_the_empire(order: str) -> None:
    g = disputed(indexes={"european_tensions": 20})
    assert "declare war ottoman_empire" in legal_actions(g.tables, g.state, "britain").orders
    forecast = forecast_of(g.tables, g.state, "britain", actions.DeclareWar((EMPIRE,)))
    assert forecast.alliances == ((EMPIRE,), ("britain",)) and forecast.tension == 25
    g.act("britain", order)
    war = the_war(g)
    assert (war.kind, war.alliances, war.over) == ("ottoman", ((EMPIRE,), ("britain",)), ("afghanistan",))
    assert g.state.tension == 25 and not g.state.casus_belli
    assert g.refused("britain", order).code == "at_war"
    assert g.refused("russia", "declare war ottoman_empire").code == "no_cause_of_war"


@pytest.mark.rule("EVT-036", "OTT-005", "OTT-006")
def test_declared_war_is_an_ottoman_war_with_aid_for_both_sides() -> None:
    g = disputed(treaties=[wars.treaty("defensive", "britain", "france")])
    g.act("britain", "declare war ottoman_empire")
    assert not wars.calls(g), "the attacker has no claim to defense"
    to_war(g)
    g.advance()
    assert empire_s(g.state, "anatolia")[1] == 3
    g.act("russia", "join ottoman_empire")
    wars.all_pass(g)
    g.advance()
    g.act("britain", "invite france")
    (choice,) = g.pending()
    g.act("france", f"choose {choice.id} stay out")
    assert not any(t.breaches for t in g.state.treaties), "staying out breaks nothing here"
    assert the_war(g).alliances == ((EMPIRE, "russia"), ("britain",))


@pytest.mark.rule("EVT-036", "OTT-002")
def test_placer_of_new_control_fights_in_the_same_war() -> None:
    g = disputed(areas={"tripoli": held("italy")})
    g.state = replace(g.state, ottoman_wars=(Holding("italy", "tripoli"),))
    g.act("britain", "declare war ottoman_empire")
    to_war(g)
    war = the_war(g)
    assert war.alliances == ((EMPIRE,), ("britain", "italy")) and set(war.over) == {"afghanistan", "tripoli"}


@pytest.mark.rule("EVT-036", "WAR-047")
def test_offensive_partner_is_called_to_an_ottoman_war() -> None:
    g = disputed(treaties=[wars.treaty("offensive", "britain", "france")])
    g.act("britain", "declare war ottoman_empire")
    (choice,) = g.pending()
    assert (choice.seat, choice.options[0]) == ("france", "declare war ottoman_empire")
    g.act("france", f"choose {choice.id} {choice.options[0]}")
    assert the_war(g).alliances == ((EMPIRE,), ("britain", "france"))


@pytest.mark.rule("AUS-014", "EVT-036")
@pytest.mark.parametrize(("ally", "other"), [("germany", "austria_hungary"), ("austria_hungary", "germany")])
def test_player_cannot_declare_war_on_an_empire_it_helps(ally: str, other: str) -> None:
    cause = {**OVER, "holder": other}
    g = fighting([[EMPIRE, ally], ["britain"]], "initiative", casus_belli=[cause])
    order = f"{other}: declare war ottoman_empire"
    assert order not in legal_actions(g.tables, g.state, "germany").orders
    assert g.refused("germany", order).code == "oneself"


@pytest.mark.rule("EVT-036", "OTT-004")
def test_ottoman_war_is_declared_separately() -> None:
    both = [OVER, {"holder": "britain", "against": "russia"}]
    g = congress.game(both, options=ON, areas=FALLEN)
    assert g.refused("britain", "declare war ottoman_empire russia").code == "apart"
    g.act("britain", "declare war russia")
    g.act("britain", "declare war ottoman_empire")
    assert [w.kind for w in g.state.wars] == ["ottoman", "war"]


@pytest.mark.rule("EVT-036")
@pytest.mark.parametrize(("over", "taken"), [("afghanistan", 0), ("tripoli", 2)])
def test_only_areas_of_the_expansion_are_conquered(over: str, taken: int) -> None:
    areas = {"quwait": here(army("britain", 10)), "afghanistan": held(EMPIRE, "possession", army("britain", 10))}
    sides = [[EMPIRE, "russia"], ["britain"]]
    settings = {"turn_of": 2, "order": [1, 2], "over": [over], "defeated": ["quwait"]}
    g = fighting(sides, "attack", war=settings, areas=areas)
    while the_war(g).stage == "attack":
        wars.all_pass(g) if g.waiting() else g.advance()
    assert the_war(g).conqueror("quwait") == taken
    assert the_war(g).conqueror("afghanistan") == 2, "what it took can always be conquered"


@pytest.mark.rule("EVT-036", "OTT-017")
def test_only_areas_of_the_expansion_are_spoils() -> None:
    areas = {"quwait": here(army("britain", 3)), "persia": held(EMPIRE, "possession", army("britain", 3))}
    areas["afghanistan"] = held(EMPIRE, "possession", A5, army("britain", 3))
    g = fighting([[EMPIRE, "russia"], ["britain"]], "supply", areas=areas, war={"turn_of": 2, "order": [1, 2]})
    won = replace(the_war(g), stage="resolution", outcome="no_units", victor=2)
    elsewhere = replace(won, over=("tripoli",))
    assert {"quwait", "persia"} <= {area for _, area in spoils.spoils_due(g.tables, g.state, elsewhere)}
    g.state = replace(g.state, wars=(won,))
    g.advance()
    assert [c.area for c in g.pending() if c.kind == "spoils"] == ["afghanistan"]
    g.act("britain", f"choose {g.pending()[0].id} place protectorate afghanistan")
    assert empire_s(g.state, "afghanistan") == (0, 0) and g.kind("afghanistan", "britain") == "protectorate"
    assert empire_s(g.state, "persia")[0] == 1
