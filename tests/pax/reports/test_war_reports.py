"""Reports about a War: sides, the place in the cycle, possible ends, odds, risks and the map."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.tables import HOME
from paxtui.games.pax.events import events
from paxtui.games.pax.narration.narrator import Narrator
from paxtui.games.pax.preview import odds, preview, supply, war_answers
from paxtui.games.pax.preview.preview import Preview, preview_action
from paxtui.games.pax.reports import war_changes, war_status
from paxtui.games.pax.reports.briefing import turn_end_page
from paxtui.games.pax.reports.todo import todo_items
from paxtui.games.pax.reports.war_status import war_map
from paxtui.games.pax.state.war import ATTACK, MANEUVER, SUPPLY
from paxtui.games.pax.war.outcome.ends import NO_UNITS, OCCUPIED, STALEMATE
from paxtui.games.pax.war.outcome.rebellion import REBELS_BEATEN, REBELS_WON
from tests.previews import risks_of
from tests.rules import wars
from tests.rules.harness import UNLIMITED, Bench, army, held, here, naval, start, tables
from tests.rules.wars import the_war
from tests.tui.wars import EMPTY

T = tables()
SIDES = [["japan", "britain"], ["russia"]]


def far_east(phase: str = "maneuver", **more: Any) -> Bench:
    """Japan and Britain against Russia: Japanese Korea, and Armies of all three in Russian Manchuria."""
    areas = {
        "korea": held("japan", "protectorate", army("japan", 10)),
        "manchuria": held("russia", "protectorate", army("japan", 3), army("britain", 3), army("russia", 3)),
    }
    seas = {
        "north_china_sea": {"merchant_fleets": ["japan", "britain"], "units": [naval("japan", 3)]},
        "south_china_sea": {"units": [naval("russia", 1)]},
    }
    areas.update(more.pop("areas", {}))
    return wars.at_war(SIDES, phase, options=UNLIMITED, areas=areas, sea_zones=seas, **more)


def test_alliance_forces_have_units_abroad_and_at_sea():
    g = far_east()
    japan, russia = war_status.alliance_forces(g.state, the_war(g))
    assert japan.powers == ("japan", "britain") and russia.powers == ("russia",)
    assert [u.name for u in russia.abroad] == ["A3"] and [u.name for u in russia.at_sea] == ["N1"]
    assert war_status.total_strength(japan.at_sea, "naval") == 3
    assert war_status.war_title(T, the_war(g)) == "Japan and Great Britain against Russia"
    assert war_status.war_moment(T, the_war(g)) == "cycle 1, Maneuver Phase of Japan and Great Britain"


def test_alliance_forces_have_conquests_and_prisoners():
    g = far_east(
        war={
            "conquered": [{"area": "manchuria", "alliance": 1}],
            "surrendered": [{"power": "russia", "kind": "army", "strength": 1}],
        }
    )
    japan, russia = war_status.alliance_forces(g.state, the_war(g))
    assert (japan.conquered, japan.lost, japan.prisoners) == (("manchuria",), (), ())
    assert (russia.conquered, russia.lost) == ((), ("manchuria",)) and [u.name for u in russia.prisoners] == ["A1"]


def test_phase_track_follows_the_order_of_the_cycle():
    g = far_east("attack", war={"order": [2, 1], "turn_of": 2})
    found = [(m.stage, m.side) for m in war_status.phase_track(the_war(g))]
    assert found[1:4] == [(MANEUVER, 2), (ATTACK, 2), (SUPPLY, 2)] and found[4] == (MANEUVER, 1)
    assert [(m.stage, m.side) for m in war_status.phase_track(the_war(g)) if m.now] == [(ATTACK, 2)]
    assert [m.done for m in war_status.phase_track(the_war(g))][:3] == [True, True, False]
    assert [side.number for side in war_status.alliance_forces(g.state, the_war(g))] == [2, 1]


def test_possible_ends_of_a_war_have_their_distance():
    g = far_east(war={"quiet": 1})
    found = {(end.test, end.side): end.left for end in war_status.possible_ends(T, g.state, the_war(g))}
    assert found[NO_UNITS, 2] == 2 and found[OCCUPIED, 2] == 1 and found[STALEMATE, 0] == 2
    assert war_status.can_waive_tests(g.state, the_war(g))
    alone = far_east(areas={"manchuria": held("russia", "protectorate", army("japan", 3))}, war={"cycle": 3})
    found = {(end.test, end.side): end.left for end in war_status.possible_ends(T, alone.state, the_war(alone))}
    assert found[NO_UNITS, 2] == 1 and found[OCCUPIED, 2] == 0
    assert not war_status.can_waive_tests(alone.state, the_war(alone))


def test_only_armies_in_areas_count_with_the_option():
    g = far_east()
    bare = wars.at_war(SIDES, options={**UNLIMITED, "armies_only": "yes"}, areas={}, sea_zones={})
    texts = [end.text for end in war_status.possible_ends(T, bare.state, the_war(bare))]
    assert "Russia loses when its last Army Unit abroad is gone (0 now)." in texts
    assert "Russia loses when its last Unit abroad is gone (2 now)." in [
        end.text for end in war_status.possible_ends(T, g.state, the_war(g))
    ]


# Odds


def test_assaults_are_previewed_for_each_set_of_allies():
    g = far_east("attack")
    both, alone = odds.possible_assaults(T, g.state, the_war(g), "manchuria", "army", "japan")
    assert (both.powers, both.attack, both.defend, both.column) == (("japan", "britain"), 6, 3, "2-1")
    assert (alone.aside, alone.attack, alone.column) == (("britain",), 3, "1-1")
    assert sum(p.faces for p in both.prospects) == 6 == len(both.row)
    assert both.wins > alone.wins


def test_assault_preview_has_losses_of_each_result():
    g = far_east("attack")
    (alone,) = (a for a in odds.possible_assaults(T, g.state, the_war(g), "manchuria", "army", "japan") if a.aside)
    costs = {p.result: (p.ours, p.theirs) for p in alone.prospects}
    assert costs["EX"] == (3, 3), "equal forces both go"
    assert all(costs[r] == (3, 0) for r in ("E",) if r in costs)
    assert "6 against 3, 2-1" in odds.assault_summary(
        odds.find_assault(T, g.state, the_war(g), "manchuria", "army", ())
    )


@pytest.mark.parametrize("die", range(1, 7))
def test_previewed_losses_match_the_battle(die: int):
    g = far_east("attack")
    assault = odds.find_assault(T, g.state, the_war(g), "manchuria", "army", ("britain",))
    row = {p.result: p for p in assault.prospects}
    g.dice(die)
    g.act("japan", "attack manchuria")
    g.act("britain", f"choose {g.state.choices[0].id} stand aside")
    (battle,) = war_changes.battle_reports(g.events)
    assert battle.fought.result == assault.row[die - 1] and battle.fought.column == assault.column
    lost = {"japan": 0, "russia": 0}
    for event in battle.follows:
        if type(event).__name__ == "UnitsLost":
            lost[event.power] += sum(int(name[1:]) for name in event.units)
    assert (lost["japan"], lost["russia"]) == (row[battle.fought.result].ours, row[battle.fought.result].theirs)


def test_invited_ally_sees_the_attack_with_and_without_it():
    g = far_east("attack")
    g.act("japan", "attack manchuria")
    joining, aside = odds.join_options(T, g.state, g.state.choices[0])
    assert (joining.attack, aside.attack) == (6, 3)


# Risks


def test_units_without_supply_are_at_risk():
    g = far_east()
    (danger,) = (p for p in supply.supply_risks(T, g.state, the_war(g), 2) if p.kind == supply.FLEETS)
    assert (danger.place, danger.units) == ("south_china_sea", ("N1",))
    assert "no Coaling Rights" in supply.describe_risk(T, the_war(g), danger)


def test_move_out_of_supply_is_warned_of():
    seas = {"north_china_sea": {"merchant_fleets": ["japan"]}}
    areas = {
        "korea": held("japan", "protectorate", army("japan", 3)),
        "manchuria": held("russia", "protectorate", naval("russia", 3)),
        "inner_mongolia": held("russia", "protectorate"),
    }
    g = wars.at_war([["japan"], ["russia"]], options=UNLIMITED, areas=areas, sea_zones=seas)
    order = actions.Move(("A3",), ("korea", "manchuria"))
    assert risks_of(T, g.state, "japan", order) == [
        "Korea has no Army left: any enemy Army that enters takes it without a fight."
    ]
    g.act("japan", "move A3 korea > manchuria")
    assert supply.supply_risks(T, g.state, the_war(g), 1) == ()


def test_leaving_an_own_or_conquered_area_is_warned_of():
    areas = {
        "korea": held("japan", "protectorate", army("japan", 3)),
        "manchuria": held("russia", "protectorate", army("japan", 3)),
        "inner_mongolia": held("russia", "protectorate"),
    }
    for conquered in ([], [{"area": "manchuria", "alliance": 1}]):
        war = {"conquered": conquered}
        g = wars.at_war([["japan"], ["russia"]], options=UNLIMITED, areas=areas, war=war)
        warned = risks_of(T, g.state, "japan", actions.Move(("A3",), ("manchuria", "korea")))
        assert ["has no Army left" in text for text in warned] == [True] * len(conquered)


def test_refused_orders_give_no_warning():
    g = far_east()
    assert risks_of(T, g.state, "japan", actions.Move(("A10",), ("korea", "cuba"))) == []
    assert risks_of(T, g.state, "japan", actions.Pass()) == []


def test_volunteering_coal_warns_that_it_is_final():
    g = far_east(areas={"formosa": held("france", "possession", army("france", 1))})
    (warned,) = risks_of(T, g.state, "france", actions.Volunteer("formosa", "japan"))
    assert "cannot take it back" in warned


def test_todo_items_name_attacks_and_risks():
    g = far_east("attack")
    texts = [must.text for must in todo_items(T, g.state, "japan")]
    assert any(text.startswith("You can attack in Manchuria with armies: 6 against 3") for text in texts)
    g = far_east(war={"order": [2, 1], "turn_of": 2})
    (must,) = todo_items(T, g.state, "russia")
    assert must.place == "south_china_sea" and not must.bars


# The map


def test_war_map_has_sides_lines_and_coaling():
    g = far_east(war={"conquered": [{"area": "manchuria", "alliance": 1}]})
    seen = war_map(T, g.state, the_war(g), 1)
    assert seen.held["korea"] == 1 == seen.held["manchuria"] and seen.held[HOME + "russia"] == 2
    assert seen.conquered == {"manchuria": 1}
    assert ("north_china_sea", "manchuria") in seen.own_lines and not any("cuba" in edge for edge in seen.own_lines)
    assert "north_china_sea" in seen.coaling and "black_sea" not in seen.coaling
    assert "south_china_sea" in seen.peril
    assert {n for n, _ in seen.units["manchuria"]} == {1, 2}


def test_a_fleet_off_the_coast_blockades_it():
    areas = {"korea": held("japan", "protectorate", army("japan", 10), naval("russia", 3))}
    g = wars.at_war(
        SIDES, options=UNLIMITED, areas=areas, sea_zones={"north_china_sea": {"merchant_fleets": ["japan"]}}
    )
    seen = war_map(T, g.state, the_war(g), 1)
    assert seen.blockaded == {"korea"}
    assert not any("korea" in edge for edge in seen.own_lines), "the line is cut"
    assert "korea" in seen.peril


def test_ottoman_war_shows_joining_and_possible_ends() -> None:
    """The two windows of its Alliance Determination, and the ends of an Empire that fights alone."""
    settings = {"kind": "ottoman", "phase": "alliances", "turn_of": 1}
    sides = [["ottoman_empire"], ["italy"]]
    areas = {
        "tripoli": held("italy", "protectorate", army("italy"), army("italy")),
        "anatolia": here(army("ottoman_empire", 5)),
    }
    g = wars.at_war(sides, "alliances", areas=areas, war=settings)
    assert war_status.war_moment(T, the_war(g)) == "Alliance Determination: who joins the War against Italy"
    g = wars.at_war(sides, "alliances", areas=areas, war={**settings, "turn_of": 2})
    assert (
        war_status.war_moment(T, the_war(g)) == "Alliance Determination: who joins the War against the Ottoman Empire"
    )
    found = {(end.test, end.side): end.left for end in war_status.possible_ends(T, g.state, the_war(g))}
    assert found[NO_UNITS, 2] == 2 and found[NO_UNITS, 1] == 1 and ("peace", 0) not in found


def test_a_rebellion_ends_with_the_last_army_of_a_side_in_china():
    areas = {
        "hong_kong": held("britain", "possession", army("britain", 3), army("britain")),
        "bengal": held("britain", "possession", army("britain", 10)),
        "fukien": here({"power": "china", "kind": "army", "strength": 5}),
    }
    sides = [["china"], ["britain"]]
    g = wars.at_war(sides, options=UNLIMITED, areas=areas, war={"kind": "rebellion"})
    found = {(end.test, end.side): end.left for end in war_status.possible_ends(T, g.state, the_war(g))}
    assert found[REBELS_BEATEN, 1] == 1 and found[REBELS_WON, 2] >= 2 and (NO_UNITS, 2) not in found
    texts = [end.text for end in war_status.possible_ends(T, g.state, the_war(g))]
    assert "China loses when it has no Army left (1 now)." in texts


# Agreements


def test_preview_of_a_peace_changes_markers():
    g = far_east()
    g.act("japan", "propose with britain russia: peace; manchuria to japan")
    (draft,) = g.state.treaties
    found = war_answers.preview_signatures(T, g.state, draft)
    assert found.refusal is None
    assert found.areas == ("manchuria",)
    assert [m.power for m in found.state.areas["manchuria"].markers] == ["japan"]
    assert [m.power for m in g.state.areas["manchuria"].markers] == ["russia"]


def test_preview_of_an_impossible_agreement_is_a_refusal():
    g = far_east()
    g.act("japan", "propose with britain russia: peace; korea to britain")
    (draft,) = g.state.treaties
    none_left = replace(g.state, areas={**g.state.areas, "korea": replace(g.state.areas["korea"], markers=())})
    refusal = war_answers.preview_signatures(T, none_left, draft).refusal
    assert refusal is not None and refusal.message


# Narration


def test_alliances_are_named_by_their_powers():
    g = far_east("attack")
    narrator = Narrator(T, g.state)
    conquered = events.AreaConquered(war=the_war(g).id, area="manchuria", alliance=1)
    assert narrator.tell(conquered) == "Manchuria is conquered by Japan and Great Britain."
    assert Narrator(T).tell(conquered) == "Manchuria is conquered by Alliance 1."


def test_turn_end_page_has_battles_and_losses():
    g = far_east("attack", areas={"manchuria": held("russia", "protectorate", army("japan", 10), army("russia", 1))})
    g.dice(6)
    g.act("japan", "attack manchuria")
    page = turn_end_page(Narrator(T, g.state), "japan", g.state, g.events, 1880)
    (war_section,) = (section for section in page.sections if section.title == "Wars")
    assert war_section.lines[0].text.startswith("Manchuria: the armies of Japan (10) attack those of Russia (1)")
    assert "Russia loses A1" in war_section.lines[0].text and war_section.lines[0].place == "manchuria"


def test_pass_warns_of_units_out_of_supply():
    g = far_east(war={"turn_of": 2})
    for order in (actions.Pass(), actions.Ready()):
        (warned,) = risks_of(T, g.state, "russia", order)
        assert "Russia's N1 in South China Sea will surrender" in warned
    assert risks_of(T, g.state, "japan", actions.Pass()) == [], "neither the turn nor the fleet is Japan's"


def test_standing_aside_gives_a_warning():
    g = far_east("attack")
    g.act("japan", "attack manchuria")
    (choice,) = (c for c in g.state.choices if c.kind == "join_attack")
    (warned,) = risks_of(T, g.state, choice.seat, actions.Choose(choice.id, ("stand aside",)))
    assert "do not attack in this Phase" in warned
    assert risks_of(T, g.state, choice.seat, actions.Choose(choice.id, ("attack",))) == []


def test_action_preview_has_war_risks():
    g = far_east()
    seen = preview_action(T, g.state, "japan", actions.Move(("A10",), ("korea", "manchuria")))
    assert isinstance(seen, Preview) and any("Korea has no Army left" in text for text in seen.perils)
    lines = [line.text for line in preview.describe_preview(T, g.state, "japan", seen)]
    assert set(seen.perils) <= set(lines)
    aside = preview_action(T, far_east(war={"turn_of": 2}).state, "russia", actions.Pass())
    assert isinstance(aside, Preview) and any("will surrender" in text for text in aside.perils)


# Warnings


SUEZ_ROUTE = {
    "areas": {
        "egypt": held("france", "protectorate", army("france", 1)),
        "eritrea": held("italy", "protectorate", army("italy", 3)),
    },
    "sea_zones": {
        "mediterranean": {"merchant_fleets": ["italy", "france"]},
        "indian_ocean": {"merchant_fleets": ["italy", "france"]},
        "south_atlantic": {"merchant_fleets": []},
        "south_china_sea": {"merchant_fleets": []},
    },
}
"""Italy's army in Eritrea is supplied through Suez, which is French."""


def test_denial_without_loss_of_supply_gives_no_warning():
    g = wars.at_war([["france", "italy"], ["germany"]], options=UNLIMITED, **SUEZ_ROUTE)
    assert risks_of(T, g.state, "france", actions.Deny("suez", "italy")) == []
    g.act("france", "deny suez to italy")
    perils = supply.supply_risks(T, g.state, the_war(g), 1)
    assert not [p for p in perils if p.power == "italy"], "the line goes over the land of Egypt"


def test_denial_by_a_neutral_warns_of_a_casus_belli():
    g = wars.at_war([["italy"], ["germany"]], options=UNLIMITED, **SUEZ_ROUTE)
    warned = risks_of(T, g.state, "france", actions.Deny("suez", "italy"))
    assert warned == ["Italy gets a Casus Belli against you, to declare War by in this Phase."]
    g.act("france", "deny suez to italy")
    assert ("italy", "france") in [(c.holder, c.against) for c in g.state.casus_belli]
    assert risks_of(T, g.state, "france", actions.Allow("suez", "italy")) == []


def test_leaving_a_defeated_area_warns_of_lost_coaling():
    rebellion = {
        "kind": "rebellion", "alliances": [["china"], ["britain"]], "phase": "maneuver", "turn_of": 2, "order": [2, 1],
        "defeated": ["fukien"],
    }  # fmt: skip
    areas = {**EMPTY, "fukien": {"markers": [], "units": [army("britain", 3)]}}
    seas = {"south_china_sea": {"units": [naval("britain", 3)]}}
    g = start({"phase": "war", "wars": [rebellion], "areas": areas, "sea_zones": seas})
    warned = risks_of(T, g.state, "britain", actions.Move(("A3",), ("fukien", "south_china_sea")))
    assert "You lose the Coaling Rights in South China Sea." in warned
    assert any("Great Britain's N3 in South China Sea will surrender" in text for text in warned)
