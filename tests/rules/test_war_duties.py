"""Treaties in War: duties and shared causes, Minor Powers, and ends of a Casus Belli (WAR-032 to WAR-063)."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions import actions
from paxtui.games.pax.events import events
from paxtui.games.pax.war.alliances import commanders
from tests.rules.congress import SETTLES, all_answer, game, meet, propose
from tests.rules.harness import Bench, army, at_home, held, here, moving, tables
from tests.rules.wars import at_war, bench, calls, negotiating, the_war, treaty, zones

US_SPAIN = [["united_states"], ["spain"]]


def answer(g: Bench, power: str, partner: str, text: str) -> None:
    """Let a Power that is called to a partner's side join or refuse."""
    choice = next(c for c in g.state.choices if c.power == power and getattr(c.about, "partner", "") == partner)
    g.act(choice.seat, f"choose {choice.id} {choice.default if text == 'join' else text}")


# Called to both sides


def between() -> Bench:
    """Italy has to defend France, and to fight beside Britain, which declares War on France."""
    pacts = [treaty("defensive", "france", "italy", id="p1"), treaty("offensive", "britain", "italy", id="p2")]
    g = negotiating(("britain", "france"), treaties=pacts)
    g.act("britain", "declare war france")
    assert [c.power for c in g.state.choices] == ["italy", "italy"]
    return g


@pytest.mark.rule("WAR-063")
@pytest.mark.parametrize(("joined", "wronged"), [("britain", "france"), ("france", "britain")])
def test_call_to_both_sides_breaks_one_treaty(joined: str, wronged: str) -> None:
    g = between()
    answer(g, "italy", joined, "join")
    assert g.state.choices == () and the_war(g).side_of("italy") == the_war(g).side_of(joined)
    assert g.state.tension == 15 and [(e.power, e.open) for e in g.all_of(events.TreatyBroken)] == [("italy", True)]
    assert g.causes() == {(wronged, "italy", "")}


@pytest.mark.rule("WAR-063")
def test_neutrality_after_two_calls_breaks_both_treaties() -> None:
    g = between()
    answer(g, "italy", "britain", "refuse")
    answer(g, "italy", "france", "refuse")
    assert g.state.tension == 15 and the_war(g).side_of("italy") == 0
    assert g.causes() == {("britain", "italy", ""), ("france", "italy", "")}


@pytest.mark.rule("WAR-063", "WAR-051")
def test_defensive_pact_gives_no_duty_to_the_attacker() -> None:
    pacts = [treaty("defensive", "france", "italy", id="p1"), treaty("defensive", "britain", "italy", id="p2")]
    g = negotiating(("britain", "france"), treaties=pacts)
    g.act("britain", "declare war france")
    assert [getattr(c.about, "partner", "") for c in g.state.choices] == ["france"]


# Rights by Treaty


@pytest.mark.rule("WAR-037", "TRE-009", "TRE-017")
def test_shared_cause_passes_on_only_when_the_partner_is_at_war() -> None:
    pact = treaty("offensive", "britain", "france")
    g = negotiating(("britain", "germany"), treaties=[pact])
    assert g.refused("france", "declare war germany").code == "no_cause_of_war"
    g.act("britain", "declare war germany")
    assert "declare war germany" in calls(g)["france"]


@pytest.mark.rule("WAR-037", "TRE-009", "TRE-017")
def test_shared_cause_permits_war_but_does_not_oblige() -> None:
    pact = treaty("shared_cause", "britain", "japan", "italy", clause={"against": ["russia"]})
    g = negotiating(("britain", "russia"), ("britain", "france"), treaties=[pact])
    assert g.refused("japan", "declare war russia").code == "no_cause_of_war"
    g.act("britain", "declare war france")
    assert g.causes() == {("britain", "russia", "")}, "the cause against France is not shared"
    g.act("britain", "declare war russia")
    assert g.causes() == {("japan", "russia", ""), ("italy", "russia", "")} and g.state.choices == ()
    g.act("japan", "declare war russia")
    assert the_war(g).side_of("japan") == the_war(g).side_of("britain") and g.state.tension == 15
    g.skip_declarations()
    assert g.all_of(events.TreatyBroken) == [] and g.causes() == set(), "it lasts for the turn and obliges no Power"


@pytest.mark.rule("WAR-037", "TRE-012")
def test_hidden_article_shares_a_cause_once_revealed() -> None:
    g = negotiating(("britain", "russia"), treaties=[treaty("shared_cause", "britain", "japan", public=False)])
    g.act("britain", "declare war russia")
    assert g.causes() == set()
    for choice in g.state.choices:
        g.act(choice.seat, f"choose {choice.id} {choice.default}")
    g.act("japan", "reveal pact")
    assert g.causes() == {("japan", "russia", "")}


@pytest.mark.rule("WAR-037", "TRE-012")
def test_revealed_shared_cause_is_only_against_enemies_of_the_partner() -> None:
    hidden = treaty("shared_cause", "britain", "japan", public=False)
    g = negotiating(("britain", "russia"), treaties=[hidden, treaty("offensive", "britain", "france", id="p2")])
    g.act("britain", "declare war russia")
    answer(g, "france", "britain", "join")
    for choice in g.state.choices:
        g.act(choice.seat, f"choose {choice.id} {choice.default}")
    assert the_war(g).side_of("france") == the_war(g).side_of("britain") != 0
    g.act("japan", "reveal pact")
    assert g.causes() == {("japan", "russia", "")}


@pytest.mark.rule("WAR-037", "TRE-009", "TRE-012")
@pytest.mark.parametrize("public", [True, False])
def test_a_cause_is_shared_by_a_signer_that_joins_a_war(public: bool) -> None:
    pact = treaty("shared_cause", "britain", "japan", public=public)
    g = negotiating(("france", "russia"), ("britain", "russia"), treaties=[pact])
    for power in ("france", "britain"):
        g.act(power, "declare war russia")
        for choice in g.state.choices:
            g.act(choice.seat, f"choose {choice.id} {choice.default}")
    if not public:
        assert g.causes() == set()
        g.act("japan", "reveal pact")
    assert g.causes() == {("japan", "russia", "")}


@pytest.mark.rule("WAR-037", "TRE-009", "TRE-012")
@pytest.mark.parametrize("public", [True, False])
def test_no_cause_is_shared_by_a_signer_that_is_attacked(public: bool) -> None:
    pact = treaty("shared_cause", "britain", "japan", public=public)
    g = negotiating(("russia", "britain"), treaties=[pact])
    g.act("russia", "declare war britain")
    for choice in g.state.choices:
        g.act(choice.seat, f"choose {choice.id} {choice.default}")
    if not public:
        g.act("japan", "reveal pact")
    assert g.causes() == set()


def with_two_wars(**pact: Any) -> Bench:
    """Britain is at War with Japan and the United States, in two Wars that will merge; it shares causes with France."""
    wars = [
        {"alliances": [["britain"], ["japan"]], "links": [{"power": "britain", "on": "united_states"}]},
        {"alliances": [["united_states"], ["spain"]]},
    ]
    return negotiating(
        ("france", "united_states"),
        treaties=[treaty("shared_cause", "britain", "france", **pact)],
        wars=[{**war, "phase": "alliances", "turn_of": None} for war in wars],
    )


@pytest.mark.rule("WAR-037", "WAR-064")
def test_no_cause_is_shared_with_a_signer_that_is_at_war_with_the_target_in_wars_that_will_merge() -> None:
    g = with_two_wars()
    g.act("france", "declare war united_states")
    assert "britain" not in {holder for holder, _, _ in g.causes()}


@pytest.mark.rule("WAR-037", "TRE-012", "WAR-064")
def test_revealed_shared_cause_is_against_enemies_in_wars_that_will_merge() -> None:
    g = with_two_wars(public=False)
    g.act("france", "reveal pact")
    assert {("france", "japan"), ("france", "united_states")} == {
        (c.holder, c.against) for c in g.state.casus_belli if c.treaty == "pact"
    }


@pytest.mark.rule("WAR-037", "TRE-010")
def test_declaration_on_a_partner_lets_other_partners_declare() -> None:
    g = negotiating(("germany", "russia"), treaties=[treaty("defensive", "france", "russia", "italy")])
    g.act("germany", "declare war russia")
    assert calls(g) == dict.fromkeys(("france", "italy"), ("declare war germany", "refuse"))


@pytest.mark.rule("WAR-041")
def test_treaty_of_three_ends_only_between_the_two_at_war() -> None:
    g = negotiating(("germany", "russia"), treaties=[treaty("non_aggression", "germany", "russia", "italy")])
    g.act("germany", "declare war russia")
    (pact,) = [t for t in g.state.treaties if t.id == "pact"]
    assert pact.stage == "in_force" and set(pact.bound) >= {"italy"}
    assert g.state.tension == 10, "the promise is broken towards Russia, and towards Italy it stands"
    assert ("italy", "germany", "") in g.causes()


@pytest.mark.rule("WAR-034")
def test_congress_that_removes_a_marker_ends_the_cause() -> None:
    g = meet(game())
    propose(g, "britain", SETTLES)
    all_answer(g, "ballot", "yes sign")
    assert g.state.casus_belli == () and g.kind("tunis", "italy") == "interest"


@pytest.mark.rule("WAR-052")
def test_austria_hungary_is_a_power_of_its_own_that_the_german_seat_plays() -> None:
    units = [army("austria_hungary", 3)]
    areas = {"bulgaria": held("austria_hungary", "protectorate", *units)}
    purses = {"austria_hungary": {"treasury": 7}, "germany": {"treasury": 30}}
    g = at_war([["japan"], ["austria_hungary"]], areas=areas, powers=purses)
    assert commanders(g.tables, g.state, the_war(g), "austria_hungary") == ("germany",)
    assert g.waiting() == ("japan",) and "germany" not in the_war(g).powers
    assert g.state.powers["austria_hungary"].treasury != g.state.powers["germany"].treasury


# Minor Powers


@pytest.mark.rule("WAR-057")
def test_enemy_of_a_minor_powers_enemy_commands_it() -> None:
    g = negotiating(("united_states", "spain"), ("britain", "united_states"))
    g.act("united_states", "declare war spain")
    assert commanders(g.tables, g.state, the_war(g), "spain") == ()
    assert g.refused("germany", "declare war united_states").code == "no_cause_of_war"
    g.act("britain", "declare war united_states")
    assert the_war(g).alliances == (("united_states",), ("spain", "britain")) and g.state.tension == 10
    assert commanders(g.tables, g.state, the_war(g), "spain") == ("britain",)


@pytest.mark.rule("WAR-059")
def test_commander_cannot_give_away_pieces_of_a_minor_power() -> None:
    cuba = held("spain", "possession", army("spain", 3))
    areas = {"cuba": cuba, "fiji": held("britain", "possession", army("britain"))}
    g = at_war([["britain", "spain"], ["united_states"]], areas=areas)
    for text in ("spain: transfer cuba to britain", "spain: downgrade interest cuba", "spain: pay britain 5"):
        g.refused("britain", text)
    assert g.kind("cuba", "spain") == "possession"


# War and tensions


@pytest.mark.rule("WAR-032", "WAR-030", "STA-024")
@pytest.mark.parametrize(("die", "between"), [(6, {("france", "italy"), ("italy", "france")}), (1, set())])
def test_a_marker_that_colonial_combat_takes_away_leaves_no_cause(die: int, between: set[tuple[str, str]]) -> None:
    areas = {"kongo": here(army("france", 10), army("italy", 1))}
    fleets = zones(south_atlantic="france italy", north_atlantic="france italy", mediterranean="italy")
    g = moving(areas=areas, homes=at_home("italy"), sea_zones=fleets)
    for power in ("france", "italy"):
        g.act(power, "place protectorate kongo")
    g.step()
    assert g.state.phase == "colonial_combat" and g.causes() == set(), "nothing is judged before the combat"
    for _ in ("one", "the other"):
        (power,) = g.waiting()
        g.dice(die if power == "italy" else 6)
        g.act(power, "fight kongo")
    while g.state.phase != "negotiation":
        g.step()
    assert {(holder, against) for holder, against, _ in g.causes()} == between


# Effects that a War does not have


@pytest.mark.rule("SET-037")
def test_victory_points_follow_the_last_war() -> None:
    wars = [{"alliances": sides, "phase": "end", "turn_of": None} for sides in ([["japan"], ["russia"]], US_SPAIN)]
    g = bench()
    g.do(
        ARBITER, actions.SetPosition({"phase": "war", "wars": wars, "areas": {"korea": held("russia", "protectorate")}})
    )
    while g.state.phase == "war":
        left = len(g.state.wars)
        g.step()
        assert g.state.phase == "war" or left == 1, "only after the last of them"
    assert g.state.phase == "victory_point_record" and len(g.all_of(events.WarOver)) == 2


@pytest.mark.rule("SET-080")
def test_war_does_not_destroy_merchant_fleets() -> None:
    areas = {
        "cuba": held("spain", "possession", army("spain", 1)),
        "porto_rico": held("united_states", "possession", army("united_states", 10)),
    }
    g = at_war([["united_states"], ["spain"]], areas=areas)
    fleets = {zone: set(there) for zone, there in g.state.sea_zones.items()}
    for _ in range(60):
        if g.state.phase == "war":
            g.step()
    assert g.state.phase != "war" and {zone: set(there) for zone, there in g.state.sea_zones.items()} == fleets


@pytest.mark.rule("ETI-034")
def test_markers_that_a_war_changes_raise_no_tensions() -> None:
    areas = {
        **{m.area: here() for m in tables().start_markers if m.power == "spain"},
        "cuba": held("spain", "possession"),
        "porto_rico": held("united_states", "possession", army("united_states", 3)),
    }
    war = {"conquered": [{"area": "cuba", "alliance": 1}], "turn_of": None}
    g = at_war([["united_states"], ["spain"]], "end", areas=areas, war=war)
    g.advance()
    for choice in g.state.choices:
        if choice.kind == "waiver":
            g.act(choice.seat, f"choose {choice.id} end")
    g.advance()
    (choice,) = g.state.choices
    g.act("united_states", f"choose {choice.id} place possession cuba")
    assert g.kind("cuba", "united_states") == "possession" and g.kind("cuba", "spain") == ""
    assert g.state.tension == 0
