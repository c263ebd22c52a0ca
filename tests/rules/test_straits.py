"""Canals and straits in War (STR, CAN): denials, their times, and their consequences."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.notation import format_order, parse_order
from paxtui.games.pax.events import events
from paxtui.games.pax.events.events import evolve
from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.war.campaign import war_adjacency
from tests.rules import wars
from tests.rules.harness import UNLIMITED, Bench, army, at_home, held, here, marker, naval, start
from tests.rules.wars import Sides, all_pass, at_sea, negotiating, the_war

ITALY_FRANCE: Sides = [["italy"], ["france"]]
RUSSIA_JAPAN: Sides = [["russia", "france"], ["japan"]]


def at_war(sides: Sides, phase: str = "maneuver", **patch: Any) -> Bench:
    """A War with pieces without limit."""
    return wars.at_war(sides, phase, options={**UNLIMITED, **patch.pop("options", {})}, **patch)


def fleet(power: str, *zones: str) -> dict[str, Any]:
    """Sea Zones of a patch, with an N1 of the Power each."""
    return {zone: {"units": [naval(power, 1)]} for zone in zones}


def canal(power: str, kind: str = "protectorate", **more: Any) -> dict[str, Any]:
    """A canal Area of a patch, with a marker of the Power."""
    return {**here(marker(power, kind)), "canal": True, **more}


SUEZ = {"egypt": held("britain"), "aden": held("italy"), "tunis": held("italy")}
"""Egypt British and neutral; Italy with coal on both sides of it."""


# Connections


@pytest.mark.rule("STR-001")
def test_suez_joins_the_mediterranean_and_the_indian_ocean() -> None:
    g = at_war(ITALY_FRANCE, areas=SUEZ, sea_zones=fleet("italy", "mediterranean"))
    g.act("italy", "move N1 mediterranean > indian_ocean")
    assert at_sea(g, "indian_ocean") == ["N1"]


@pytest.mark.rule("STR-001", "STR-002", "STR-003")
def test_a_power_denied_suez_does_not_pass_it() -> None:
    seas = {
        "mediterranean": {"units": [naval("italy", 1), army("italy")]},
        "indian_ocean": {"merchant_fleets": ["italy"]},
    }
    g = at_war(ITALY_FRANCE, areas=SUEZ, sea_zones=seas)
    assert g.refused("germany", "deny suez to italy").code == "no_passage"
    g.act("britain", "deny suez to italy")
    for unit in ("N1", "A1"):
        refusal = g.refused("italy", f"move {unit} mediterranean > indian_ocean")
        assert refusal.code == "passage_shut" and "STR-003" in refusal.rules
    assert g.view()["wars"][0]["denied"] == [{"passage": "suez", "to": "italy"}]
    g.act("britain", "allow suez to italy")
    g.act("italy", "move N1 mediterranean > indian_ocean")


@pytest.mark.rule("STR-002", "STR-005", "STR-010")
@pytest.mark.parametrize("phase", ["negotiation", "movement"])
@pytest.mark.parametrize(("area", "passage"), [("egypt", "suez"), ("anatolia", "straits"), ("panama", "panama")])
def test_passages_cannot_be_denied_in_peace(phase: str, area: str, passage: str) -> None:
    g = start({"phase": phase, "areas": {area: held("britain")}})
    assert g.refused("britain", f"deny {passage} to france").code == "wrong_phase"


@pytest.mark.rule("STR-002")
def test_passage_cannot_be_denied_to_oneself_or_a_neutral() -> None:
    g = at_war(ITALY_FRANCE, areas={**SUEZ, "anatolia": held("italy")})
    assert g.refused("italy", "deny straits to italy").code == "oneself"
    assert g.refused("britain", "deny suez to germany").code == "no_belligerent_named"
    g.act("italy", "deny straits to france")


@pytest.mark.rule("STR-004")
def test_the_straits_join_the_black_sea_and_the_mediterranean() -> None:
    areas = {"anatolia": here(), "tunis": held("russia")}
    g = at_war(RUSSIA_JAPAN, areas=areas, sea_zones=fleet("russia", "black_sea"))
    g.act("russia", "move N1 black_sea > mediterranean")
    assert at_sea(g, "mediterranean") == ["N1"]


@pytest.mark.rule("STR-004", "STR-005", "STR-006")
def test_a_power_denied_the_straits_stays_in_the_black_sea() -> None:
    homes = at_home("russia", naval("russia", 1, "black_sea"), naval("russia", 3, "black_sea"))
    areas = {"anatolia": held("britain"), "tunis": held("russia")}
    g = at_war(RUSSIA_JAPAN, areas=areas, homes=homes, sea_zones=fleet("russia", "black_sea"))
    g.act("britain", "deny straits to russia")
    assert g.refused("russia", "move N1 black_sea > mediterranean").code == "passage_shut"
    g.act("russia", "move N3 home > black_sea")


@pytest.mark.rule("STR-007")
@pytest.mark.parametrize("area", ["egypt", "anatolia", "panama", "central_america"])
def test_fleet_lies_on_one_coast_of_a_passage_in_war(area: str) -> None:
    g = negotiating(
        ("japan", "russia"),
        phase="war",
        areas={area: {**held("britain", "possession", naval("britain", 3)), "canal": True}}
        if area in ("panama", "central_america")
        else {area: held("britain", "possession", naval("britain", 3))},
    )
    g.act("japan", "declare war russia")
    g.advance()
    (unit,) = g.state.areas[area].units
    assert unit.coast == g.tables.areas[area].sea_zones[0]


@pytest.mark.rule("STR-007")
def test_moving_between_coasts_needs_an_open_passage() -> None:
    areas = {**SUEZ, "egypt": here(marker("britain", "protectorate"), naval("italy", 3, "mediterranean"))}
    g = at_war(ITALY_FRANCE, areas=areas)
    order = "move N3 egypt:mediterranean > egypt:indian_ocean"
    assert g.refused("italy", "move N3 egypt:indian_ocean > egypt:mediterranean").code == "no_unit"
    g.act("italy", order)
    (unit,) = g.state.areas["egypt"].units
    assert (unit.coast, unit.halted) == ("indian_ocean", True)
    g = at_war(ITALY_FRANCE, areas=areas, war={"denied": [{"passage": "suez", "to": "italy"}]})
    assert g.refused("italy", order).code == "passage_shut"
    assert g.refused("italy", "move N3 egypt > indian_ocean").code == "passage_shut"
    g.act("italy", "move N3 egypt > mediterranean")


@pytest.mark.rule("STR-003")
def test_an_army_marches_through_egypt_whoever_denies_the_canal() -> None:
    areas = {**SUEZ, "egypt": here(marker("france", "protectorate"), army("italy"))}
    seas = {"indian_ocean": {"merchant_fleets": ["italy"]}}
    g = at_war(ITALY_FRANCE, areas=areas, sea_zones=seas)
    g.act("france", "deny suez to italy")
    g.act("italy", "move A1 egypt > indian_ocean")
    assert at_sea(g, "indian_ocean") == ["A1"]


@pytest.mark.rule("STR-003", "STR-006")
@pytest.mark.parametrize("denied", [False, True])
def test_no_line_of_supply_runs_through_denied_straits(denied: bool) -> None:
    areas = {"greece": held("russia", "protectorate", army("russia")), "anatolia": held("britain")}
    seas = {zone: {"merchant_fleets": ["russia"]} for zone in ("mediterranean", "black_sea")}
    seas |= {zone: {"merchant_fleets": []} for zone in ("north_atlantic", "baltic")}
    war = {"denied": [{"passage": "straits", "to": "russia"}] if denied else []}
    g = at_war([["russia"], ["japan"]], "supply", areas=areas, sea_zones=seas, war=war)
    g.advance()
    assert g.units("greece", "russia") == ([] if denied else ["A1"])


@pytest.mark.rule("STR-007")
def test_a_blockade_covers_both_coasts() -> None:
    one = naval("france", 1, "indian_ocean")
    for ships, army_left in (((one,), ["A1"]), ((one, naval("france", 1, "mediterranean")), [])):
        areas = {"egypt": held("britain", "protectorate", army("britain"), *ships)}
        g = at_war([["britain"], ["france"]], "supply", areas=areas)
        g.advance()
        assert g.units("egypt", "britain") == army_left


@pytest.mark.rule("STR-007")
def test_coasts_of_a_passage_are_one_in_peace() -> None:
    areas = {
        "egypt": held("britain", "possession", naval("britain", 3, "indian_ocean")),
        "canada": held("britain", "dominion", naval("britain", 3, "north_pacific")),
    }
    g = at_war(ITALY_FRANCE, "end", war={"turn_of": None, "quiet": 2}, areas=areas)
    while g.state.phase == "war":
        g.step()
    assert [u.coast for u in g.state.areas["egypt"].units] == [""]
    assert [u.coast for u in g.state.areas["canada"].units] == ["north_pacific"], "this one has two in peace too"


@pytest.mark.rule("STR-007")
def test_a_coast_is_named_on_either_end_of_a_move() -> None:
    g = at_war(ITALY_FRANCE, areas=SUEZ)
    order = parse_order(g.tables, "move N3 egypt:med > egypt:indian")
    assert order == actions.Move(("N3",), ("egypt", "egypt"), "indian_ocean", start_coast="mediterranean")
    assert parse_order(g.tables, format_order(g.tables, order)) == order


# The American canals

COAL = {"cuba": held("germany"), "chile": held("germany")}


@pytest.mark.rule("STR-009", "CAN-007", "STR-010", "STR-013")
def test_canal_joins_its_seas_except_for_denied_powers() -> None:
    seas = fleet("germany", "caribbean")
    sides = [["germany"], ["united_states"]]
    g = at_war(sides, areas={**COAL, "panama": here(marker("united_states", "protectorate"))}, sea_zones=seas)
    assert "CAN-005" in g.refused("germany", "move N1 caribbean > south_pacific").rules
    g = at_war(sides, areas={**COAL, "panama": canal("united_states")}, sea_zones=seas)
    g.act("united_states", "deny panama to germany")
    assert g.refused("germany", "move N1 caribbean > south_pacific").code == "passage_shut"
    g = at_war(sides, areas={**COAL, "panama": canal("united_states")}, sea_zones=seas)
    g.act("germany", "move N1 caribbean > south_pacific")


@pytest.mark.rule("CAN-007", "STR-022")
def test_a_conquered_canal_belongs_to_the_conqueror() -> None:
    areas = {**COAL, "panama": canal("united_states")}
    denied = [{"passage": "panama", "to": "germany"}]
    seas = fleet("germany", "caribbean")
    sides = [["germany"], ["united_states"]]
    g = at_war(sides, areas=areas, sea_zones=seas, war={"denied": denied})
    assert g.refused("germany", "move N1 caribbean > south_pacific").code == "passage_shut"
    taken = [{"area": "panama", "alliance": 1}]
    g = at_war(sides, areas=areas, sea_zones=seas, war={"conquered": taken})
    assert g.refused("united_states", "deny panama to germany").code == "no_passage"
    g.act("germany", "deny panama to united_states")
    g.act("germany", "move N1 caribbean > south_pacific")


@pytest.mark.rule("STR-012", "CAN-008")
def test_both_canals_have_to_be_denied() -> None:
    areas = {**COAL, "panama": canal("united_states"), "central_america": canal("britain")}
    g = at_war([["germany"], ["united_states"]], areas=areas, sea_zones=fleet("germany", "caribbean"))
    g.act("united_states", "deny panama to germany")
    g.act("germany", "move N1 caribbean > south_pacific")
    g = at_war([["germany"], ["united_states"]], areas=areas, sea_zones=fleet("germany", "caribbean"))
    g.act("united_states", "deny panama to germany")
    g.act("britain", "deny central_america to germany")
    assert g.refused("germany", "move N1 caribbean > south_pacific").code == "passage_shut"


# Powers that may deny


@pytest.mark.rule("STR-014", "STR-022")
@pytest.mark.parametrize(
    "own",
    [marker("britain", "influence"), marker("britain", "protectorate", established=False)],
    ids=["influence", "new"],
)
def test_denial_needs_established_control(own: dict[str, Any]) -> None:
    g = at_war([["germany"], ["france"]], areas={"panama": {**here(own), "canal": True}})
    assert g.refused("britain", "deny panama to germany").code == "no_passage"


@pytest.mark.rule("STR-014")
def test_the_empire_and_minor_powers_deny_nothing() -> None:
    g = at_war([["italy"], ["ottoman_empire"]], war={"kind": "ottoman"}, areas={"anatolia": here()})
    for seat in g.state.players:
        assert g.refused(seat, "deny straits to italy").code in ("no_passage", "oneself")
    g = at_war([["france"], ["spain", "italy"]], areas={"egypt": held("spain")}, war={"turn_of": 2})
    assert g.refused("italy", "spain: deny suez to france").code == "no_passage"


SHARED = {
    "egypt": here(
        marker("britain", "protectorate"), marker("germany", "protectorate"), codominion=["britain", "germany"]
    )
}


@pytest.mark.rule("STR-015")
def test_denial_in_a_codominion_needs_all_members() -> None:
    areas = {**SUEZ, **SHARED}
    g = at_war(ITALY_FRANCE, areas=areas, sea_zones=fleet("italy", "mediterranean"))
    g.act("britain", "deny suez to italy")
    assert g.view()["wars"][0]["denied"] == [] and g.causes() == set(), "a consent denies nothing yet"
    assert g.refused("britain", "deny suez to italy").code == "denied"
    g.act("germany", "deny suez to italy")
    assert g.refused("italy", "move N1 mediterranean > indian_ocean").code == "passage_shut"
    assert g.causes() == {("italy", "britain", "egypt"), ("italy", "germany", "egypt")}


# The Casus Belli


@pytest.mark.rule("STR-016", "STR-018")
def test_a_neutral_that_denies_one_alliance_gives_all_of_it_a_casus_belli() -> None:
    g = at_war([["russia", "france"], ["japan"]], areas={"anatolia": held("britain")})
    g.act("britain", "deny straits to russia")
    assert g.causes() == {(p, "britain", "anatolia") for p in ("russia", "france")}
    g.act("russia", "declare war britain")
    assert the_war(g).alliances == (("russia", "france"), ("japan", "britain"))
    assert g.state.tension == 5


@pytest.mark.rule("STR-018")
def test_casus_belli_of_a_denial_has_a_window_after_the_phase() -> None:
    g = at_war(
        [["japan"], ["russia"]],
        areas={"anatolia": held("britain")},
        homes=at_home("russia", naval("russia", 1, "black_sea")),
    )
    g.act("britain", "deny straits to russia")
    all_pass(g)
    assert g.waiting() == ("russia",) and g.causes() == {("russia", "britain", "anatolia")}
    g.act("russia", "pass")
    assert g.causes() == set()
    g.advance()


@pytest.mark.rule("STR-016")
def test_reopening_the_passage_settles_the_dispute() -> None:
    g = at_war([["russia"], ["japan"]], areas={"anatolia": held("britain")})
    g.act("britain", "deny straits to russia")
    g.act("britain", "allow straits to russia")
    assert g.causes() == set()


@pytest.mark.rule("STR-017")
def test_neutral_that_denies_all_gives_no_casus_belli() -> None:
    g = at_war([["russia", "france"], ["japan"]], areas={"anatolia": held("britain")})
    for power in ("russia", "japan"):
        g.act("britain", f"deny straits to {power}")
    assert len(g.causes()) == 3, "France may still pass, so both sides have a member shut out"
    g.act("britain", "deny straits to france")
    assert len(g.causes()) == 3, "until the window opens"
    all_pass(g)
    assert g.causes() == set() and g.state.top.step == "fought"


@pytest.mark.rule("STR-016")
def test_a_belligerent_that_denies_gives_no_new_cause() -> None:
    g = at_war([["russia"], ["britain"]], areas={"anatolia": held("britain")})
    g.act("britain", "deny straits to russia")
    assert g.causes() == set()


# Time of denials


def moving_italy(**options: str) -> Bench:
    """Italy's Maneuver Phase, two fleets to move, Egypt British."""
    seas = {"mediterranean": {"units": [naval("italy", 1), naval("italy", 3)]}}
    g = at_war(ITALY_FRANCE, areas=SUEZ, sea_zones=seas, options=options)
    g.act("italy", "move N1 mediterranean > indian_ocean")
    return g


@pytest.mark.rule("STR-021")
def test_passages_change_at_the_start_of_a_maneuver_phase_only() -> None:
    g = moving_italy()
    assert g.refused("britain", "deny suez to italy").code == "too_late"
    assert not any(order.startswith("deny") for order in orders(g, "britain"))
    all_pass(g)
    assert the_war(g).stage == "attack" and g.refused("britain", "deny suez to italy").code == "too_late"
    while (the_war(g).stage, the_war(g).turn_of) != ("maneuver", 2):
        all_pass(g) if g.waiting() else g.advance()
    g.act("britain", "deny suez to italy")
    assert at_sea(g, "indian_ocean") == ["N1"], "who has passed has passed"


@pytest.mark.rule("STR-021")
def test_pass_ends_the_time_for_denials_like_a_move() -> None:
    g = at_war([["italy", "germany"], ["france"]], areas=SUEZ)
    g.act("germany", "pass")
    assert g.refused("britain", "deny suez to italy").code == "too_late"


@pytest.mark.rule("STR-021")
def test_option_lets_passages_change_at_any_time() -> None:
    g = moving_italy(passages_denied="any_time")
    g.act("britain", "deny suez to italy")
    assert g.refused("italy", "move N3 mediterranean > indian_ocean").code == "passage_shut"
    assert len(g.of(events.PassageDenied)) == 1


@pytest.mark.rule("STR-021")
def test_passages_are_denied_when_a_war_starts() -> None:
    g = at_war(ITALY_FRANCE, "initiative", war={"turn_of": None}, areas=SUEZ)
    g.act("britain", "deny suez to italy")
    g = at_war(ITALY_FRANCE, "initiative", war={"turn_of": None, "cycle": 2}, areas=SUEZ)
    assert g.refused("britain", "deny suez to italy").code == "too_late"


@pytest.mark.rule("STR-022")
def test_reconquered_control_denies_again() -> None:
    sides = [["germany"], ["britain"]]
    areas = {"egypt": held("britain")}
    g = at_war(sides, areas=areas, war={"conquered": [{"area": "egypt", "alliance": 1}]})
    assert g.refused("britain", "deny suez to germany").code == "no_passage"
    g.act("germany", "deny suez to britain")
    g = at_war(sides, areas=areas)
    assert g.refused("germany", "deny suez to britain").code == "no_passage"
    g.act("britain", "deny suez to germany")


@pytest.mark.rule("STR-015", "STR-016", "STR-022", "SUP-029")
def test_a_neutral_that_shares_a_conquered_canal_must_agree() -> None:
    shared = [marker("britain", "protectorate"), marker("france", "protectorate")]
    areas = {"egypt": here(*shared, codominion=["britain", "france"])}
    taken = {"conquered": [{"area": "egypt", "alliance": 1}]}
    g = at_war([["germany"], ["britain"]], areas=areas, war=taken)
    g.act("germany", "deny suez to britain")
    assert not war_adjacency.closed_passages(g.tables, g.state, the_war(g), "britain") and g.causes() == set()
    assert g.refused("britain", "deny suez to germany").code == "no_passage"
    g.act("france", "deny suez to britain")
    assert war_adjacency.closed_passages(g.tables, g.state, the_war(g), "britain") == {"suez"}
    assert g.causes() == {("britain", "france", "egypt")}


@pytest.mark.rule("STR-014")
@pytest.mark.parametrize("conquers", [False, True])
def test_a_denial_is_void_once_a_minor_power_has_conquered_the_canal(conquers: bool) -> None:
    areas = {"egypt": held("france", "possession", *([army("spain", 3)] if conquers else []))}
    denied = [{"passage": "suez", "to": "spain", "by": "france"}]
    g = at_war([["france"], ["spain"]], "attack", areas=areas, war={"denied": denied, "turn_of": 2})
    assert war_adjacency.closed_passages(g.tables, g.state, the_war(g), "spain") == {"suez"}
    g.advance()
    assert the_war(g).conqueror("egypt") == (2 if conquers else 0)
    assert war_adjacency.closed_passages(g.tables, g.state, the_war(g), "spain") == (set() if conquers else {"suez"})


def orders(g: Bench, seat: str) -> list[str]:
    """The orders of a seat's menu."""
    from paxtui.games.pax.menus.legal import legal_actions

    return list(legal_actions(g.tables, g.state, seat).orders)


@pytest.mark.rule("STR-002", "WMV-024")
def test_the_menu_of_a_neutral_has_its_passages_and_its_coal() -> None:
    g = at_war(ITALY_FRANCE, areas=SUEZ)
    menu = orders(g, "britain")
    assert {"deny suez to italy", "deny suez to france", "volunteer egypt to france"} <= set(menu)
    g.act("britain", "deny suez to italy")
    g.act("britain", "volunteer egypt to france")
    assert "allow suez to italy" in orders(g, "britain")
    assert not {"deny suez to italy", "volunteer egypt to france"} & set(orders(g, "britain"))
    assert not any(order.startswith(("deny", "allow", "volunteer")) for order in orders(g, "germany"))


@pytest.mark.rule("WMV-024")
def test_nothing_is_volunteered_to_an_empty_alliance() -> None:
    g = at_war([["italy"], ["france"], ["japan"]], areas=SUEZ)
    g.state = evolve(g.state, events.PowerLeftWar(war=the_war(g).id, power="japan", reason="separate_peace"))
    offered = {order for order in orders(g, "britain") if order.startswith("volunteer egypt")}
    assert offered == {"volunteer egypt to italy", "volunteer egypt to france"}


@pytest.mark.rule("STR-014", "STR-022")
def test_position_with_an_impossible_denial_is_refused() -> None:
    for area, by in ((here(), ""), (held("britain"), "germany")):
        g = wars.bench()
        war = {"alliances": ITALY_FRANCE, "denied": [{"passage": "suez", "to": "italy", "by": by}]}
        refusal = g.refused("arbiter", actions.SetPosition({"phase": "war", "wars": [war], "areas": {"egypt": area}}))
        assert refusal.code == "impossible_position" and "suez" in refusal.message


@pytest.mark.rule("STR-002", "STR-016", "WEN-037")
@pytest.mark.parametrize(
    ("own", "signers", "kept"), [(["britain", "russia"], ("italy", "japan"), []), (["britain"], ("italy",), ["japan"])]
)
def test_a_power_that_leaves_the_war_denies_no_passage_and_is_denied_none(
    own: list[str], signers: tuple[str, ...], kept: list[str]
) -> None:
    denied = [{"passage": "suez", "to": power} for power in ("italy", "japan")]
    g = at_war([own, ["italy", "japan"]], areas=SUEZ, war={"denied": denied})
    wars.sign(g, "britain", f"propose with {', '.join(signers)}: peace", *signers)
    assert [d.to for d in the_war(g).denied] == kept and len(g.of(events.WarTiesEnded)) == 1


@pytest.mark.rule("WAR-061", "STR-017")
def test_casus_belli_of_a_denial_ends_with_its_window() -> None:
    g = at_war([["russia"], ["japan"]], areas={"anatolia": held("britain")})
    g.act("britain", "deny straits to russia")
    all_pass(g)
    assert g.state.top.step == "window" and g.waiting() == ("russia",)
    g.act("russia", "pass")
    assert g.state.top.step == "fought" and g.causes() == set()


@pytest.mark.rule("WAR-061", "STR-018")
def test_denying_power_under_attack_joins_the_other_side() -> None:
    g = at_war([["russia"], ["japan"]], areas={"anatolia": held("britain")})
    g.act("britain", "deny straits to russia")
    all_pass(g)
    g.act("russia", "declare war britain")
    assert g.state.wars[0].alliances == (("russia",), ("japan", "britain"))


@pytest.mark.rule("CAN-007", "STR-010")
def test_denial_needs_a_canal() -> None:
    for built in (False, True):
        panama = {**held("france", "possession"), "canal": built}
        g = at_war([["united_states"], ["spain"]], areas={"panama": panama})
        listed = "deny panama to united_states" in legal_actions(g.tables, g.state, "france").texts()
        assert listed is built
        if not built:
            refusal = g.refused("france", "deny panama to united_states")
            assert refusal.code == "no_canal" and "CAN-007" in refusal.rules and g.causes() == set()
