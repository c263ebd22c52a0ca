"""How Wars end (WEN): end tests, waivers, announced ends, spoils, and the way home."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions import actions
from paxtui.games.pax.events import events
from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.position.setup import read_position
from paxtui.games.pax.position.writer import dump_position
from paxtui.games.pax.war import alliances
from tests.rules import congress, wars
from tests.rules.harness import (
    UNLIMITED,
    Bench,
    answer,
    army,
    asked,
    at_home,
    held,
    here,
    marker,
    naval,
    start,
    tables,
)
from tests.rules.wars import Sides, bench, decided, only, sign, the_war

US_SPAIN: Sides = [["united_states"], ["spain"]]
BRITAIN_GERMANY: Sides = [["britain"], ["germany"]]
THREE: Sides = [["britain"], ["germany"], ["russia"]]
TENSE = {"indexes": {"european_tensions": 98}}


def ending(sides: Sides, areas: dict[str, Any], **patch: Any) -> Bench:
    """A War at its War End Determination in a later cycle, with only these Areas on the map."""
    war = {"cycle": 3, "turn_of": None, "unsupplied": [], **patch.pop("war", {})}
    options = {**UNLIMITED, **patch.pop("options", {})}
    return wars.at_war(sides, "end", options=options, areas=only(**areas), war=war, **patch)


# The tests


@pytest.mark.rule("WEN-029", "WEN-039")
def test_a_war_ends_when_one_side_has_no_unit_abroad() -> None:
    areas = {"cuba": held("spain", "possession"), "alaska": held("united_states", "possession", army("united_states"))}
    g = ending(US_SPAIN, areas)
    g.advance()
    assert decided(g) == [("no_units", 1)]
    for sea in ({"caribbean": {"units": [naval("spain", 3)]}}, {"caribbean": {"units": [army("spain", 3)]}}):
        g = ending(US_SPAIN, areas, sea_zones=sea)
        g.advance()
        assert decided(g) == [] and the_war(g).cycle == 4


@pytest.mark.rule("WEN-029")
def test_option_counts_only_armies_in_areas() -> None:
    areas = {"alaska": held("united_states", "possession", army("united_states"))}
    sea = {"caribbean": {"units": [naval("spain", 3)]}}
    g = ending(US_SPAIN, areas, sea_zones=sea, options={"armies_only": "yes"})
    g.advance()
    assert decided(g) == [("no_units", 1)]


@pytest.mark.rule("WEN-030")
def test_a_war_ends_when_enemy_armies_alone_hold_every_area() -> None:
    def g(*garrison: dict[str, Any]) -> Bench:
        areas = {
            "fiji": held("britain", "possession", army("germany", 3)),
            "gold_coast": held("britain", "possession", army("germany"), *garrison),
            "papua": held("germany", "protectorate"),
        }
        game = ending(BRITAIN_GERMANY, areas, sea_zones={"oceania": {"units": [naval("britain", 10)]}})
        game.advance()
        return game

    assert decided(g()) == [("occupied", 2)]
    assert decided(g(army("britain"))) == []
    assert decided(g(army("france"))) == []


@pytest.mark.rule("WEN-030")
def test_an_alliance_without_any_area_fights_on() -> None:
    areas = {"papua": held("germany", "protectorate", army("germany"))}
    g = ending(BRITAIN_GERMANY, areas, sea_zones={"oceania": {"units": [naval("britain", 10)]}})
    g.advance()
    assert decided(g) == []


@pytest.mark.rule("WEN-031")
@pytest.mark.parametrize(("answers", "goes_on"), [(("end", "end"), False), (("end", "go on"), True)])
def test_belligerent_may_continue_the_war_in_the_first_two_cycles(answers: tuple[str, str], goes_on: bool) -> None:
    areas = {"papua": held("germany", "protectorate", army("germany"))}
    g = ending(BRITAIN_GERMANY, areas, war={"cycle": 2})
    g.advance()
    assert asked(g) == [("britain", "waiver"), ("germany", "waiver")]
    answer(g, "germany", answers[0])
    answer(g, "britain", answers[1])
    g.advance()
    assert decided(g) == ([] if goes_on else [("no_units", 2)])
    if goes_on:
        assert the_war(g).cycle == 3 and g.all_of(events.EndTestsWaived)[0].power == "britain"


@pytest.mark.rule("WEN-031")
def test_one_waiver_continues_the_war() -> None:
    g = ending(BRITAIN_GERMANY, {"papua": held("germany", "protectorate", army("germany"))}, war={"cycle": 1})
    g.advance()
    answer(g, "britain", "go on")
    assert asked(g) == [] and decided(g) == []


@pytest.mark.rule("WEN-031")
def test_the_waiver_does_not_stop_a_stalemate() -> None:
    areas = {"papua": held("germany", "protectorate", army("germany"))}
    g = ending(BRITAIN_GERMANY, areas, war={"cycle": 2, "quiet": 2})
    g.advance()
    answer(g, "britain", "go on")
    g.advance()
    assert decided(g) == [("stalemate", 0)]


@pytest.mark.rule("WEN-032")
@pytest.mark.parametrize(("quiet", "stalemate"), [(1, False), (2, True)])
def test_three_cycles_without_an_attack_are_a_stalemate(quiet: int, stalemate: bool) -> None:
    areas = {
        "papua": held("germany", "protectorate", army("germany")),
        "fiji": held("britain", "possession", army("britain")),
    }
    g = ending(BRITAIN_GERMANY, areas, war={"quiet": quiet})
    g.advance()
    assert decided(g) == ([("stalemate", 0)] if stalemate else [])


@pytest.mark.rule("WEN-033", "WEN-027")
def test_a_war_without_an_end_goes_on_with_the_next_cycle() -> None:
    areas = {
        "papua": held("germany", "protectorate", army("germany")),
        "fiji": held("britain", "possession", army("britain")),
    }
    g = ending(BRITAIN_GERMANY, areas)
    g.advance()
    assert (the_war(g).cycle, the_war(g).stage) == (4, "maneuver")
    stages = [e.stage for e in g.of(events.WarPhaseBegan)]
    assert stages[0] == "initiative" and "alliances" not in stages, "no Power joins or leaves between two cycles"


@pytest.mark.rule("WEN-029")
def test_both_sides_beaten_at_once_is_a_stalemate() -> None:
    g = ending(BRITAIN_GERMANY, {})
    g.advance()
    assert decided(g) == [("stalemate", 0)]


@pytest.mark.rule("WEN-029", "WEN-034")
def test_beaten_alliance_of_three_drops_out() -> None:
    areas = {
        "papua": held("germany", "protectorate", army("germany")),
        "fiji": held("britain", "possession", army("britain")),
        "korea": held("russia", "protectorate"),
    }
    prisoners = [{"power": "russia", "kind": "army", "strength": 3}]
    conquered = [{"area": "korea", "alliance": 2}]
    homes = at_home("russia")
    g = ending(THREE, areas, war={"surrendered": prisoners, "conquered": conquered}, homes=homes)
    g.advance()
    assert decided(g) == [] and the_war(g).alliances == (("britain",), ("germany",))
    assert [(e.power, e.reason) for e in g.all_of(events.PowerLeftWar)] == [("russia", "defeated")]
    assert g.units("home:russia") == ["A3"] and the_war(g).surrendered == ()
    assert the_war(g).conqueror("korea") == 2


# Spoils


def won(areas: dict[str, Any], victors: tuple[str, ...] = ("germany",), **patch: Any) -> Bench:
    """A War that Germany and its allies have just won over Britain."""
    g = ending(
        [list(victors), ["britain"]], {"papua": held("germany", "protectorate", army("germany")), **areas}, **patch
    )
    g.advance()
    assert decided(g) == [("no_units", 1)]
    return g


def conquered(*areas: str, by: int = 1) -> dict[str, Any]:
    """A War in which an Alliance has conquered Areas."""
    return {"conquered": [{"area": area, "alliance": by} for area in areas]}


@pytest.mark.rule("WEN-041", "WEN-040")
def test_victor_places_own_markers_without_cost() -> None:
    g = won({"fiji": held("britain", "protectorate")}, war=conquered("fiji"))
    (choice,) = g.state.choices
    assert (choice.kind, choice.power, choice.area) == ("spoils", "germany", "fiji")
    assert g.refused("germany", f"choose {choice.id} italy: place possession fiji").code == "bad_answer"
    before, tension = g.state.powers["germany"].treasury, g.state.tension
    answer(g, "germany", "place possession fiji")
    assert g.kind("fiji", "germany") == "possession" and g.kind("fiji", "britain") == ""
    assert g.state.powers["germany"].treasury == before and g.state.tension == tension


@pytest.mark.rule("CRI-001", "CRI-015", "CRI-016", "WEN-041")
@pytest.mark.parametrize(
    ("area", "own", "placed", "points"),
    [
        ("yunnan", "", "possession", 15),
        ("yunnan", "influence", "protectorate", 6),
        ("burma", "", "protectorate", 3),
        ("kongo", "", "possession", 0),
    ],
)
def test_spoils_of_war_in_china_raise_its_resentment(area: str, own: str, placed: str, points: int) -> None:
    mine = [marker("germany", own)] if own else []
    g = won({area: here(marker("britain", "protectorate"), *mine, army("germany"))}, war=conquered(area))
    answer(g, "germany", f"place {placed} {area}")
    assert g.kind(area, "germany") == placed
    assert g.state.resentment == points and g.state.tension == 0


@pytest.mark.rule("WEN-041")
def test_old_markers_stay_without_a_demand() -> None:
    g = won({"fiji": held("britain", "protectorate")}, war=conquered("fiji"))
    answer(g, "germany", "leave fiji")
    g.advance()
    assert g.kind("fiji", "britain") == "protectorate" and g.state.wars == ()


@pytest.mark.rule("WEN-054")
def test_option_lets_the_victor_place_markers_of_others() -> None:
    g = won({"kongo": held("britain")}, war=conquered("kongo"), options={"spoils_any_marker": "yes"})
    answer(g, "germany", "italy: place protectorate kongo")
    assert g.kind("kongo", "italy") == "protectorate" and g.kind("kongo", "britain") == ""


@pytest.mark.rule("WEN-054")
def test_the_edition_of_1993_has_that_option() -> None:
    g = wars.bench(7, {"edition": "1993"})
    assert g.state.options.spoils_any_marker and not wars.bench(7).state.options.spoils_any_marker


@pytest.mark.rule("WEN-040")
@pytest.mark.parametrize(("mediterranean", "areas"), [([], []), (["germany"], ["tunis"])])
def test_the_victor_takes_what_its_armies_could_reach(mediterranean: list[str], areas: list[str]) -> None:
    sea = {
        "north_atlantic": {"merchant_fleets": ["germany"]},
        "mediterranean": {"merchant_fleets": mediterranean},
        **{zone: {"merchant_fleets": []} for zone in ("south_atlantic", "indian_ocean", "oceania", "south_china_sea")},
    }
    g = won({"tunis": held("britain", "protectorate")}, sea_zones=sea)
    assert [c.area for c in g.state.choices] == areas


@pytest.mark.rule("WEN-040")
def test_best_spoils_are_decided_first() -> None:
    areas = {"fiji": held("britain", "protectorate"), "hong_kong": held("britain", "possession")}
    g = won(areas, war=conquered("fiji", "hong_kong"))
    table = tables().areas
    best = max(areas, key=lambda a: table[a].value)
    assert g.state.choices[0].area == best
    answer(g, "germany", f"leave {best}")
    assert [c.area for c in g.state.choices] == [a for a in areas if a != best]


@pytest.mark.rule("WEN-055", "WEN-041")
def test_conquered_kongo_loses_the_french_interest_without_tension() -> None:
    kongo = here(marker("belgium", "protectorate"), marker("france", "interest"))
    areas = {"papua": held("germany", "protectorate", army("germany")), "kongo": kongo}
    g = ending([["germany"], ["belgium"]], areas, war=conquered("kongo"))
    g.advance()
    tension = g.state.tension
    answer(g, "germany", "place possession kongo")
    assert [m.power for m in g.state.areas["kongo"].markers] == ["germany"]
    assert g.state.tension == tension


@pytest.mark.rule("WEN-055")
def test_a_protectorate_reduces_an_influence_and_spares_an_interest() -> None:
    kongo = here(marker("belgium", "protectorate"), marker("france", "influence"), marker("italy", "interest"))
    areas = {"papua": held("germany", "protectorate", army("germany")), "kongo": kongo}
    g = ending([["germany"], ["belgium"]], areas, war=conquered("kongo"))
    g.advance()
    answer(g, "germany", "place protectorate kongo")
    assert (g.kind("kongo", "france"), g.kind("kongo", "italy")) == ("interest", "interest")


@pytest.mark.rule("WEN-055", "SUP-029")
def test_neutral_control_of_a_codominion_stays_and_the_victor_joins_it() -> None:
    shared = here(marker("britain", "possession"), marker("france", "possession"), codominion=["britain", "france"])
    g = won({"guiana": shared}, war=conquered("guiana"))
    answer(g, "germany", "place possession guiana")
    assert g.kind("guiana", "britain") == "" and g.kind("guiana", "france") == "possession"
    assert set(g.state.areas["guiana"].codominion) == {"germany", "france"}


@pytest.mark.rule("WEN-041", "STA-012", "STA-013")
@pytest.mark.parametrize(
    ("neutrals", "kinds"),
    [
        ("possession", {"possession", "protectorate"}),
        ("protectorate", {"possession", "protectorate", "interest"}),
    ],
)
def test_neutral_control_limits_the_offered_spoils(neutrals: str, kinds: set[str]) -> None:
    members = ("britain", "france", "netherlands")
    shared = here(*(marker(p, neutrals) for p in members), codominion=list(members))
    g = won({"guiana": shared}, war=conquered("guiana"))
    (choice,) = g.state.choices
    assert set(choice.options) == {*(f"place {kind} guiana" for kind in kinds), "leave guiana"}
    assert g.refused("germany", f"choose {choice.id} place influence guiana").code == "bad_answer"


@pytest.mark.rule("WEN-041")
@pytest.mark.parametrize(
    ("first", "second", "agreed"),
    [
        ("place protectorate fiji", "place interest fiji", True),
        ("place influence fiji", "place interest fiji", True),
        ("italy: place interest fiji", "germany: place protectorate fiji", True),
        ("place protectorate fiji", "place influence fiji", False),
        ("place possession fiji", "place interest fiji", False),
        ("place protectorate fiji", "place protectorate fiji", False),
        ("place protectorate fiji", "germany: place possession fiji", False),
        ("codominion protectorate of germany italy fiji", "place interest fiji", False),
    ],
)
def test_victors_may_place_different_legal_markers_in_one_area(first: str, second: str, agreed: bool) -> None:
    g = won({"fiji": held("britain", "protectorate")}, ("germany", "italy"), war=conquered("fiji"))
    answer(g, "germany", first)
    answer(g, "italy", second)
    assert bool(g.causes()) is not agreed
    if agreed:
        high = "influence" if "influence" in first else "protectorate"
        assert (g.kind("fiji", "germany"), g.kind("fiji", "italy")) == (high, "interest")
        assert g.kind("fiji", "britain") == "" and g.state.tension == 0
    else:
        assert (g.kind("fiji", "germany"), g.kind("fiji", "italy")) == ("", "")


@pytest.mark.rule("WEN-041", "WEN-054")
def test_two_victors_share_an_area_while_the_third_places_an_interest() -> None:
    victors = ("germany", "italy", "japan")
    g = won({"fiji": held("britain", "protectorate")}, victors, war=conquered("fiji"))
    answer(g, "germany", "codominion protectorate of germany italy fiji")
    answer(g, "italy", "leave fiji")
    answer(g, "japan", "place interest fiji")
    assert set(g.state.areas["fiji"].codominion) == {"germany", "italy"}
    assert g.kind("fiji", "japan") == "interest" and g.causes() == set()


@pytest.mark.rule("WEN-042", "ETI-042")
def test_claimant_is_to_blame_for_a_great_war_over_spoils() -> None:
    victors = ("japan", "germany", "italy")
    g = won({"fiji": held("britain", "protectorate")}, victors, war=conquered("fiji"), **TENSE)
    answer(g, "japan", "leave fiji")
    answer(g, "germany", "place possession fiji")
    answer(g, "italy", "place possession fiji")
    assert len(g.causes()) == 6, "each member of the Alliance has causes against the others"
    g.advance()
    assert g.state.result is not None and set(g.state.result.culprits) == {"germany", "italy"}


@pytest.mark.rule("SUP-029", "WEN-055")
def test_the_conquering_alliances_own_share_of_a_codominion_stays() -> None:
    shared = here(marker("britain", "possession"), marker("germany", "possession"), codominion=["britain", "germany"])
    g = won({"guiana": shared}, ("germany", "italy"), war=conquered("guiana"))
    answer(g, "germany", "leave guiana")
    answer(g, "italy", "place possession guiana")
    assert g.kind("guiana", "britain") == "" and g.kind("guiana", "germany") == "possession"
    assert set(g.state.areas["guiana"].codominion) == {"germany", "italy"}


@pytest.mark.rule("WEN-041", "WEN-055", "WCD-006")
@pytest.mark.parametrize("demand", ["place possession guiana", "leave guiana"])
def test_a_victor_with_a_share_of_a_conquered_codominion_may_drive_the_loser_out(demand: str) -> None:
    members = ("britain", "germany", "netherlands")
    shared = here(*(marker(p, "possession") for p in members), codominion=list(members))
    g = won({"guiana": shared}, war=conquered("guiana"))
    tension = g.state.tension
    answer(g, "germany", demand)
    left = members if demand.startswith("leave") else ("germany", "netherlands")
    assert set(g.state.areas["guiana"].codominion) == set(left) and g.state.tension == tension
    assert all(g.kind("guiana", p) == ("possession" if p in left else "") for p in members)


@pytest.mark.rule("WEN-041")
def test_allies_agree_by_equal_or_missing_demands() -> None:
    g = won({"fiji": held("britain", "protectorate")}, ("germany", "italy"), war=conquered("fiji"))
    answer(g, "germany", "leave fiji")
    answer(g, "italy", "place possession fiji")
    assert g.kind("fiji", "italy") == "possession"
    g = won({"fiji": held("britain", "protectorate")}, ("germany", "italy"), war=conquered("fiji"))
    answer(g, "germany", "italy: place protectorate fiji")
    answer(g, "italy", "place protectorate fiji")
    assert g.kind("fiji", "italy") == "protectorate"
    g = won({"fiji": held("britain", "protectorate")}, ("germany", "italy"), war=conquered("fiji"))
    answer(g, "germany", "codominion possession of germany italy fiji")
    answer(g, "italy", "leave fiji")
    assert set(g.state.areas["fiji"].codominion) == {"germany", "italy"} and g.kind("fiji", "britain") == ""


def quarrel() -> Bench:
    """Two victors who each want Fiji, after the Congress over it."""
    g = won({"fiji": held("britain", "protectorate")}, ("germany", "italy"), war=conquered("fiji"))
    answer(g, "germany", "place possession fiji")
    answer(g, "italy", "place possession fiji")
    return g


@pytest.mark.rule("WEN-042", "AUS-006")
def test_victors_of_one_player_need_no_congress() -> None:
    victors = ("germany", "austria_hungary", "italy")
    g = won({"fiji": held("britain", "protectorate")}, victors, war=conquered("fiji"))
    answer(g, "germany", "place possession fiji")
    (choice,) = g.state.choices
    assert choice.power == "austria_hungary" and not [o for o in choice.options if "protectorate" in o]
    assert "germany: place possession fiji" in choice.options
    answer(g, "austria_hungary", "leave fiji")
    answer(g, "italy", "place possession fiji")
    assert g.causes() == {
        (holder, against, "fiji")
        for holder in victors
        for against in victors
        if "italy" in (holder, against) and holder != against
    }


@pytest.mark.rule("WEN-042")
def test_different_demands_bring_a_congress() -> None:
    g = quarrel()
    tension = g.state.tension
    assert g.causes() == {("germany", "italy", "fiji"), ("italy", "germany", "fiji")}
    assert g.kind("fiji", "germany") == g.kind("fiji", "italy") == ""
    g.advance()
    assert g.state.phase == "congress" and g.state.tension == tension + 3 and g.state.wars == ()


@pytest.mark.rule("WEN-042", "WEN-055", "WEN-041", "ETI-040")
@pytest.mark.parametrize(
    ("text", "owners"),
    [
        ("italy grants germany possession in fiji", ("germany",)),
        ("codominion of fiji with germany italy", ("germany", "italy")),
    ],
)
def test_congress_divides_disputed_spoils(text: str, owners: tuple[str, ...]) -> None:
    fiji = here(marker("britain", "protectorate"), marker("japan", "interest"))
    g = won({"fiji": fiji}, ("germany", "italy"), war=conquered("fiji"))
    answer(g, "germany", "place possession fiji")
    answer(g, "italy", "place possession fiji")
    g.advance()
    congress.all_answer(g, "attend", "stay_away")
    congress.all_answer(g, "invite", "nobody")
    tension = g.state.tension
    assert "italy grants france" in g.refused("germany", "propose Act: fiji to germany").message, "an example of how"
    g.act("germany", f"propose Act: {text}")
    congress.all_answer(g, "propose", "pass")
    congress.all_answer(g, "ballot", "yes sign")
    alone = len(owners) == 1
    found = {m.power: m.marker for m in g.state.areas["fiji"].markers}
    others = {} if alone else {"britain": "interest", "japan": "interest"}
    assert found == {**dict.fromkeys(owners, "possession" if alone else "protectorate"), **others}
    assert g.causes() == set() and g.state.tension == tension, "at no cost, and without tensions"
    assert set(g.state.areas["fiji"].codominion) == (set() if alone else set(owners))


@pytest.mark.rule("WEN-043")
def test_the_victors_may_fight_over_the_spoils() -> None:
    g = quarrel()
    g.advance()
    g.step()
    assert g.state.phase == "war" and set(g.waiting()) == {"germany", "italy"}
    g.act("italy", "declare war germany")
    assert the_war(g).alliances == (("italy",), ("germany",))


@pytest.mark.rule("WEN-044")
def test_each_side_divides_its_conquests_after_a_stalemate() -> None:
    areas = {
        "papua": held("germany", "protectorate", army("germany")),
        "fiji": held("britain", "possession", army("britain")),
        "togoland": held("germany"),
        "hong_kong": held("britain", "possession"),
    }
    war = {**conquered("togoland"), "quiet": 2}
    war["conquered"] += conquered("hong_kong", by=2)["conquered"]
    g = ending(BRITAIN_GERMANY, areas, war=war)
    g.advance()
    offers = {}
    while g.state.choices:
        (choice,) = g.state.choices
        offers[choice.area] = choice.power
        answer(g, choice.power, f"place possession {choice.area}")
    assert offers == {"togoland": "britain", "hong_kong": "germany"}
    assert g.kind("togoland", "britain") == "possession" and g.kind("hong_kong", "germany") == "possession"
    assert g.kind("papua", "germany") == "protectorate" and g.kind("fiji", "britain") == "possession"


@pytest.mark.rule("WEN-056")
def test_unconquered_disputed_area_leaves_influences() -> None:
    areas = {
        "papua": held("germany", "protectorate", army("germany")),
        "fiji": held("britain", "possession", army("britain")),
        "siam": here(marker("britain", "protectorate"), marker("germany", "protectorate")),
        "kenya": here(
            marker("britain", "protectorate"), marker("germany", "protectorate"), codominion=["britain", "germany"]
        ),
    }
    g = ending(BRITAIN_GERMANY, areas, war={"quiet": 2})
    g.advance()
    assert (g.kind("siam", "britain"), g.kind("siam", "germany")) == ("influence", "influence")
    assert g.kind("kenya", "britain") == "protectorate"
    assert not [e for e in g.last[: g.last.index(g.of(events.WarOver)[0])] if isinstance(e, events.TensionRaised)]


@pytest.mark.rule("WEN-055", "NEG-006")
@pytest.mark.parametrize(
    ("taken", "theirs", "left"),
    [
        (1, "protectorate", {"britain": "protectorate"}),
        (2, "protectorate", {"germany": "protectorate"}),
        (1, "influence", {"britain": "protectorate", "germany": "interest"}),
        (2, "influence", {"britain": "influence", "germany": "influence"}),
        (0, "influence", {"britain": "protectorate", "germany": "interest"}),
    ],
)
def test_disputed_area_goes_to_the_winner_without_new_markers(taken: int, theirs: str, left: dict[str, str]) -> None:
    areas = {
        "papua": held("germany", "protectorate", army("germany")),
        "fiji": held("britain", "possession", army("britain")),
        "siam": here(marker("britain", "protectorate"), marker("germany", theirs)),
    }
    conquests = {"conquered": [{"area": "siam", "alliance": taken}]} if taken else {}
    g = ending(BRITAIN_GERMANY, areas, war={"quiet": 2, **conquests})
    while g.state.wars:
        g.step()  # all victors leave the spoils as they are
    assert {m.power: m.marker for m in g.state.areas["siam"].markers} == left
    assert not g.all_of(events.TensionRaised)


@pytest.mark.rule("WEN-055", "NEG-006")
def test_influence_of_neutrals_and_allies_stays_at_the_end() -> None:
    areas = {
        "papua": held("germany", "protectorate", army("germany")),
        "fiji": held("britain", "possession", army("britain")),
        "siam": here(marker("britain", "protectorate"), marker("france", "influence")),
        "kenya": here(marker("britain", "protectorate"), marker("japan", "influence")),
    }
    g = ending([["britain", "japan"], ["germany"]], areas, war={"quiet": 2})
    while g.state.wars:
        g.step()
    assert (g.kind("siam", "france"), g.kind("kenya", "japan")) == ("influence", "influence")
    assert (g.kind("siam", "britain"), g.kind("kenya", "britain")) == ("protectorate", "protectorate")


# Units


@pytest.mark.rule("WEN-034", "WEN-051", "SUP-024")
def test_prisoners_and_units_at_sea_come_home() -> None:
    units = [naval("germany", 1), army("germany"), naval("russia", 1)]
    sea = {"indian_ocean": {"units": units, "merchant_fleets": ["germany"]}}
    war = {"surrendered": [{"power": "britain", "kind": "army", "strength": 3}]}
    homes = {**at_home("britain"), **at_home("germany"), **at_home("russia")}
    g = won({}, ("germany", "russia"), sea_zones=sea, war=war, homes=homes)
    (choice,) = g.pending()
    assert (choice.kind, choice.seat) == ("return", "russia"), "Germany has no port boxes to choose from"
    assert set(choice.options) == {"home baltic", "home black_sea", "home north_china_sea"}
    answer(g, "russia", "home black_sea")
    g.advance()
    assert [(u.name, u.coast) for u in g.state.homes["russia"]] == [("N1", "black_sea")]
    assert g.units("home:britain") == ["A3"] and g.units("home:germany") == ["A1", "N1"]
    assert not any(g.state.at_sea.values())


@pytest.mark.rule("WEN-034", "WMV-017")
def test_german_armies_do_not_stay_in_austria_hungary() -> None:
    homes = {**at_home("germany"), "austria_hungary": {"units": [army("germany", 3), army("austria_hungary")]}}
    areas = {"fiji": held("britain", "protectorate"), "papua": held("germany", "possession", army("germany"))}
    g = ending([["britain"], ["germany", "austria_hungary"]], areas, homes={**homes, **at_home("britain")})
    g.step()
    assert decided(g) == [("no_units", 2)]
    while g.state.wars:
        g.step()
    assert g.units("home:germany") == ["A3"] and g.units("home:austria_hungary") == ["A1"]


@pytest.mark.rule("WEN-034", "WEN-051", "SUP-024")
def test_a_fleet_set_free_goes_to_the_box_that_its_owner_names() -> None:
    war = {"surrendered": [{"power": "russia", "kind": "naval", "strength": 3}]}
    homes = {**at_home("britain"), **at_home("russia")}
    g = won({}, ("germany", "russia"), war=war, homes=homes)
    answer(g, "russia", "home baltic")
    g.advance()
    assert [(u.name, u.coast) for u in g.state.homes["russia"]] == [("N3", "baltic")]


@pytest.mark.rule("WEN-034")
def test_units_leave_foreign_areas_after_the_war() -> None:
    areas = {
        "fiji": held("britain", "protectorate", army("germany")),
        "hong_kong": held("britain", "possession", army("germany")),
    }
    g = won(areas, war=conquered("fiji", "hong_kong"), homes=at_home("germany"))
    for choice in ("place possession hong_kong", "leave fiji"):
        answer(g, "germany", choice)
    g.advance()
    answer(g, "germany", "home")
    g.advance()
    assert g.units("hong_kong") == ["A1"] and g.units("fiji") == [] and g.units("home:germany") == ["A1"]


@pytest.mark.rule("WEN-035")
def test_after_the_last_war_victory_points_are_recorded() -> None:
    g = won({})
    assert g.state.wars == () and g.state.phase != "war"
    assert any(getattr(e, "phase", "") == "victory_point_record" for e in g.all_of(events.PhaseBegan))


SPANISH = {
    "cuba": held("spain", "possession", army("spain", 3), naval("spain", 3)),
    "porto_rico": held("spain", "possession", army("spain")),
    "philippines": held("spain", "possession", naval("spain", 3)),
    "rio_de_oro": held("spain", "possession"),
}


@pytest.mark.rule("WEN-047", "WEN-048")
def test_a_victorious_minor_power_posts_an_army_in_each_area() -> None:
    homes = at_home("spain", army("spain"), naval("spain", 3))
    g = ending(US_SPAIN, SPANISH, homes={**homes, **at_home("united_states")})
    g.advance()
    assert decided(g) == [("no_units", 2)]
    for area in SPANISH:
        assert g.units(area, "spain", "army") == ["A1"]
    assert g.units("home:spain", "spain", "army") == ["A3"]
    built = [(e.place, e.units) for e in g.all_of(events.UnitsBuilt)]
    assert len(built) == 2, "one stood there, one came from home, two come from the box"


@pytest.mark.rule("WEN-047", "WEN-048")
def test_army_from_home_goes_to_the_first_area_by_name() -> None:
    areas = {area: held("spain", "possession") for area in ("shang_hai", "shan_tung")}
    homes = {**at_home("spain", army("spain")), **at_home("united_states")}
    g = ending(US_SPAIN, {**areas, "cuba": held("spain", "possession", army("spain"))}, homes=homes)
    g.advance()
    assert [e.path[-1] for e in g.all_of(events.UnitsMoved) if e.power == "spain"] == ["shan_tung"]
    assert [e.place for e in g.all_of(events.UnitsBuilt)] == ["shang_hai"]


@pytest.mark.rule("WEN-047")
def test_the_allies_of_a_minor_power_grant_it_possession() -> None:
    areas = {"papua": held("germany", "protectorate", army("germany")), "fiji": held("britain", "protectorate")}
    g = ending([["germany", "spain"], ["britain"]], areas, war=conquered("fiji"))
    g.advance()
    (choice,) = g.state.choices
    assert choice.power == "germany" and "spain: place protectorate fiji" not in choice.options
    answer(g, "germany", "spain: place possession fiji")
    g.advance()
    assert g.kind("fiji", "spain") == "possession" and g.units("fiji", "spain") == ["A1"]


@pytest.mark.rule("WEN-049")
def test_fleets_of_a_minor_power_return_after_the_war() -> None:
    areas = {**SPANISH, "rio_de_oro": held("spain", "possession", naval("spain", 3))}
    areas["philippines"] = held("spain", "possession")
    homes = {**at_home("spain"), **at_home("united_states")}
    g = ending(US_SPAIN, areas, homes=homes, sea_zones={"north_pacific": {"units": [naval("spain", 1)]}})
    g.advance()
    assert g.units("home:spain", "spain", "naval") == ["N3"]
    assert g.units("cuba", "spain", "naval") == ["N3"] and g.units("philippines", "spain", "naval") == ["N1"]
    assert g.units("rio_de_oro", "spain", "naval") == []


@pytest.mark.rule("WEN-050")
def test_too_few_fleets_go_where_the_value_is_highest() -> None:
    areas = {"dutch_east_indies": held("netherlands", "possession"), "guiana": held("netherlands", "possession")}
    war = {"began": [{"power": "netherlands", "area": a} for a in ("guiana", "dutch_east_indies")]}
    homes = {**at_home("netherlands", naval("netherlands", 3), naval("netherlands", 1)), **at_home("germany")}
    areas["cuba"] = held("netherlands", "possession", army("netherlands"))
    g = ending([["germany"], ["netherlands"]], areas, war=war, homes=homes)
    g.advance()
    assert g.units("home:netherlands", "netherlands", "naval") == ["N3"]
    assert g.units("dutch_east_indies", "netherlands", "naval") == ["N1"]


# The announced end


@pytest.mark.rule("WEN-052", "WEN-053")
def test_spain_announces_the_end_and_keeps_tunis() -> None:
    def g(*mediterranean: str) -> Bench:
        areas = {
            **{area: held("spain", "possession") for area in ("cuba", "porto_rico", "philippines", "rio_de_oro")},
            "tunis": held("spain", "protectorate", army("spain")),
            "algiers": held("france", "possession"),
        }
        fleets = {
            **{zone: ["united_states"] for zone in ("caribbean", "north_pacific", "north_atlantic")},
            "mediterranean": list(mediterranean),
            "south_china_sea": [],
        }
        sea = {zone: {"merchant_fleets": powers} for zone, powers in fleets.items()}
        sides: Sides = [["united_states"], ["spain", "portugal"]]
        homes = at_home("united_states", army("united_states", 3))
        game = wars.at_war(
            sides,
            "maneuver",
            areas=only(**areas),
            sea_zones=sea,
            homes=homes,
            options=UNLIMITED,
            war={"unsupplied": []},
        )
        return game

    assert g("united_states").refused("united_states", "announce end").code == "no_end_to_announce"
    game = g()
    game.act("united_states", "announce end")
    assert decided(game) == [("announced", 1)]
    assert [e.rules for e in game.of(events.WarDecided)] == [("WEN-052", "WEN-053")]
    taken = {c.area for c in the_war(game).conquered}
    assert taken == {"cuba", "porto_rico", "philippines", "rio_de_oro"}
    game.advance()
    while game.state.choices:
        (choice,) = game.state.choices
        answer(game, "united_states", f"place possession {choice.area}")
    assert {a for a in taken if game.kind(a, "united_states") == "possession"} == taken
    assert game.kind("tunis", "spain") == "protectorate"


@pytest.mark.rule("WEN-052")
def test_only_a_belligerent_announces_the_end() -> None:
    g = wars.at_war(US_SPAIN)
    assert g.refused("france", "announce end").code == "no_end_to_announce"


# Peace by agreement

ALLIED: Sides = [["britain"], ["france", "russia"]]


def at_war(sides: Sides, **patch: Any) -> Bench:
    """A War in a Maneuver Phase of Alliance 1, with forces abroad on all sides."""
    areas = {
        "fiji": held("britain", "possession", army("britain")),
        "algiers": held("france", "possession", army("france")),
        "korea": held("russia", "protectorate", army("russia")),
        **patch.pop("areas", {}),
    }
    war = {"unsupplied": [], **patch.pop("war", {})}
    return wars.at_war(sides, "maneuver", options=UNLIMITED, areas=only(**areas), war=war, **patch)


@pytest.mark.rule("WEN-027", "WEN-028", "WEN-036")
def test_all_who_sign_end_the_war_in_the_middle_of_a_phase() -> None:
    g = at_war(ALLIED, war=conquered("algiers"), powers={"france": {"treasury": 20}})
    tension = g.state.tension
    sign(g, "britain", "propose with france, russia: peace; korea to britain; france pays britain 5", "france")
    assert decided(g) == []
    g.act("russia", f"sign {g.state.treaties[-1].id}")
    assert decided(g) == [("peace", 0)] and g.state.tension == tension
    assert g.kind("korea", "britain") == "protectorate" and g.kind("korea", "russia") == ""
    assert not g.all_of(events.PowerLeftWar)
    g.advance()
    assert g.state.wars == () and g.kind("algiers", "france") == "possession", "what no article names goes back"


@pytest.mark.rule("WEN-036")
def test_peace_needs_every_enemy() -> None:
    g = at_war(ALLIED)
    refusal = g.refused("britain", "propose with italy: peace")
    assert refusal.code == "no_war_to_end"
    three = at_war([["britain"], ["france"], ["russia"]])
    assert three.refused("britain", "propose with france: peace").code == "peace_in_part"


def linked(by: str, on: str, phase: str, own: Iterable[str] = ("britain",), **patch: Any) -> Bench:
    """Two Wars, of Britain with Japan and of the United States with Spain, that a declaration of War has linked."""
    link = {"links": [{"power": by, "on": on}]}
    both: list[dict[str, Any]] = [{"alliances": [[*own], ["japan"]]}, {"alliances": US_SPAIN}]
    fought = [{"phase": phase, "turn_of": None, **war, **(link if by in war["alliances"][0] else {})} for war in both]
    return start({"phase": "war", "wars": fought, **patch}, options=UNLIMITED)


@pytest.mark.rule("WEN-036", "WEN-037", "WAR-064")
@pytest.mark.parametrize(("by", "on"), [("britain", "united_states"), ("united_states", "britain")])
def test_peace_in_wars_that_will_merge_needs_the_enemies_in_both(by: str, on: str) -> None:
    g = linked(by, on, "alliances")
    refusal = g.refused("britain", "propose with united_states: peace")
    assert refusal.code == "peace_in_part" and "Japan must sign too" in refusal.message
    sign(g, "britain", "propose with japan: peace", "japan")
    assert [e.power for e in g.all_of(events.PowerLeftWar)] == ["japan"]
    assert alliances.at_war(g.state, "britain", "united_states"), "this War has not begun yet"
    assert read_position(tables(), g.state.players, g.state.options, dump_position(g.state)).wars == g.state.wars
    while len(g.state.wars) == 2:
        g.step()
    assert the_war(g).alliances == (("britain", "spain"), ("united_states",))


@pytest.mark.rule("WEN-036", "WAR-064")
@pytest.mark.parametrize(("by", "on"), [("britain", "united_states"), ("united_states", "britain")])
def test_peace_of_all_enemies_ends_what_would_merge_two_wars(by: str, on: str) -> None:
    g = linked(by, on, "alliances")
    sign(g, "britain", "propose with japan, united_states: peace", "japan", "united_states")
    assert [alliances.at_war(g.state, "united_states", p) for p in ("britain", "spain")] == [False, True]


@pytest.mark.rule("WEN-037", "WAR-064")
def test_separate_peace_with_all_enemies_keeps_two_wars_apart() -> None:
    g = linked("france", "united_states", "alliances", own=("britain", "france"))
    sign(g, "france", "propose with japan, united_states: peace", "japan", "united_states")
    assert not alliances.at_war(g.state, "france", "united_states")
    assert [war.powers for war in g.state.wars] == [("britain", "japan"), ("united_states", "spain")]


@pytest.mark.rule("WEN-029", "WEN-032", "WEN-052", "WAR-064")
def test_no_war_is_decided_before_it_merges_with_another() -> None:
    areas = only(korea=held("japan", "protectorate", army("japan")), cuba=held("spain", "possession", army("spain")))
    g = linked("britain", "united_states", "end", areas=areas, homes=at_home("britain"))
    assert g.refused("japan", "announce end").code == "no_end_to_announce"
    while len(g.state.wars) == 2:
        g.step()
    assert decided(g) == [] and the_war(g).alliances == (("britain", "spain"), ("japan", "united_states"))


@pytest.mark.rule("WEN-037", "WEN-038", "ETI-021")
def test_signing_without_the_ally_is_a_separate_peace() -> None:
    sea = {"mediterranean": {"units": [naval("russia", 3)]}}
    prisoners = {"surrendered": [{"power": "russia", "kind": "army", "strength": 3}]}
    war = {**prisoners, **conquered("korea")}
    g = at_war(ALLIED, war=war, sea_zones=sea, homes=at_home("russia"))
    tension = g.state.tension
    sign(g, "britain", "propose with russia: peace", "russia")
    assert decided(g) == [] and [(e.power, e.reason) for e in g.all_of(events.PowerLeftWar)] == [
        ("russia", "separate_peace")
    ]
    assert the_war(g).alliances == (("britain",), ("france",))
    assert g.state.tension == tension + 5 and g.blames()[-1] == (5, "russia")
    assert the_war(g).conquered == (), "Korea goes back"
    assert g.units("home:russia") == ["A3", "N3"] and g.units("korea") == ["A1"]
    g.act("britain", "pass")


@pytest.mark.rule("WEN-037", "WEN-034")
def test_separate_peace_makes_units_leave_the_former_ally() -> None:
    areas = {
        "algiers": held("france", "possession", army("france"), army("russia", 3)),
        "fiji": held("britain", "possession", army("russia")),
        "korea": held("russia", "protectorate", army("russia"), army("france")),
        "papua": here(marker("france", "possession"), marker("russia", "possession"), army("russia", 10)),
    }
    areas["papua"]["codominion"] = ["france", "russia"]
    g = at_war(ALLIED, areas=areas, war={"conquered": [{"area": "fiji", "alliance": 2}]})
    sign(g, "britain", "propose with russia: peace", "russia")
    assert g.units("algiers") == ["A1"] and g.units("fiji") == [], "the Units of the leaver alone go"
    assert g.units("papua", "russia") == ["A10"], "a share in a Codominion is Control"
    assert g.units("korea", "russia") == ["A1"] and g.units("korea", "france") == ["A1"]
    assert {"A1", "A3"} <= set(g.units("home:russia"))
    assert the_war(g).conqueror("fiji") == 2, "what the ally conquered together with it goes to the ally"


@pytest.mark.rule("WCD-006", "WEN-037", "WEN-055")
def test_separate_peace_protects_a_share_of_a_codominion() -> None:
    members = ["britain", "france", "netherlands"]
    areas = {
        "guiana": here(*(marker(p, "possession") for p in members), codominion=members),
        "papua": held("germany", "possession", army("germany", 3)),
        "tunis": held("france", "possession", army("france")),
    }
    g = ending([["germany"], ["britain", "france"]], areas, war=conquered("guiana"))
    sign(g, "france", "propose with germany: peace", "germany")
    g.advance()
    assert decided(g) == [("no_units", 1)]
    answer(g, "germany", "place possession guiana")
    assert set(g.state.areas["guiana"].codominion) == {"france", "germany", "netherlands"}
    assert g.kind("guiana", "france") == "possession" and g.kind("guiana", "britain") == ""


@pytest.mark.rule("WEN-040", "WEN-029")
def test_peace_leaves_earlier_conquests_to_the_conqueror() -> None:
    areas = {
        "fiji": held("britain", "possession", army("britain")),
        "papua": held("germany", "protectorate"),
        "kamerun": held("germany", "protectorate"),
        "korea": held("russia", "protectorate", army("russia")),
    }
    g = ending(THREE, areas, war=conquered("papua"), homes=at_home("germany"))
    g.advance()
    assert [(e.power, e.reason) for e in g.all_of(events.PowerLeftWar)] == [("germany", "defeated")]
    sign(g, "britain", "propose with russia: peace", "russia")
    g.advance()
    assert [(c.power, c.area) for c in g.state.choices] == [("britain", "papua")]
    answer(g, "britain", "place possession papua")
    assert g.kind("papua", "britain") == "possession" and g.kind("papua", "germany") == ""
    assert g.kind("kamerun", "germany") == "protectorate"


@pytest.mark.rule("SUP-004", "WMV-015", "WMV-009")
def test_conquests_from_a_beaten_alliance_stay_disputed() -> None:
    areas = {
        "fiji": held("britain", "possession", army("britain")),
        "papua": held("germany", "protectorate", army("russia")),
        "korea": held("russia", "protectorate", army("russia")),
    }
    sea = {"oceania": {"merchant_fleets": ["britain"], "units": [army("britain", 3)]}}
    g = ending(THREE, areas, war=conquered("papua", by=3), homes=at_home("germany"), sea_zones=sea)
    g.dice(6, 1)
    g.advance()
    assert the_war(g).alliances == (("britain",), ("russia",)) and the_war(g).conqueror("papua") == 2
    g.act("britain", "move A3 oceania > papua")
    g.act("britain", "pass")
    g.dice(6)
    g.act("britain", "attack papua")
    g.step()
    assert g.units("papua") == ["A3"] and the_war(g).conqueror("papua") == 1


@pytest.mark.rule("WEN-034", "WEN-037")
def test_former_enemies_leave_the_areas_of_a_power_that_has_made_a_separate_peace() -> None:
    areas = {
        "algiers": held("france", "possession", army("france"), army("britain")),
        "tunis": held("france", "possession", army("britain", 3)),
        "tripoli": held("italy", "possession", army("italy"), army("britain")),
        "fiji": held("britain", "possession", army("britain")),
    }
    g = ending([["france", "italy"], ["britain"]], areas, war=conquered("tunis", by=2))
    sign(g, "britain", "propose with france: peace", "france")
    g.advance()
    assert g.units("tunis") == [] and g.units("algiers") == ["A1"] and g.units("algiers", "britain") == []
    assert g.units("tripoli", "britain") == ["A1"] and {"A1", "A3"} <= set(g.units("home:britain"))


@pytest.mark.rule("WEN-034", "WEN-037")
def test_position_of_a_war_with_departed_powers_is_restored() -> None:
    seas = {"mediterranean": {"merchant_fleets": ["france"], "units": [naval("france", 3)]}}
    war = {
        "alliances": [["italy"], ["britain"]],
        "phase": "maneuver",
        "declared": ["france"],
        "surrendered": [{"power": "france", "kind": "army", "strength": 1}],
        "left": ["france", "russia"],
        "beaten": ["russia"],
    }
    begin = bench().state
    patch: dict[str, Any] = {"phase": "war", "wars": [war], "sea_zones": seas}
    state = read_position(tables(), begin.players, begin.options, patch)
    assert (state.wars[0].left, state.wars[0].beaten) == (("france", "russia"), ("russia",))
    assert read_position(tables(), begin.players, begin.options, dump_position(state)).wars == state.wars


@pytest.mark.rule("WMV-017", "WEN-034")
def test_german_armies_leave_austria_hungary_when_the_war_is_over() -> None:
    sides = [["britain"], ["germany", "austria_hungary"]]
    g = at_war(sides, homes={"austria_hungary": {"units": [army("germany", 3), army("austria_hungary", 10)]}})
    sign(g, "britain", "propose with germany: peace", "germany")
    g.advance()
    assert g.units("home:austria_hungary") == ["A10"] and "A3" in g.units("home:germany")


@pytest.mark.rule("WEN-045")
def test_minor_power_cannot_make_peace() -> None:
    g = at_war([["britain", "italy"], ["spain"]], areas={"cuba": held("spain", "possession", army("spain"))})
    assert g.refused("britain", "propose with spain: peace").code == "no_peace_for_minor"
    g = at_war([["britain"], ["spain"], ["france"]], areas={"cuba": held("spain", "possession", army("spain"))})
    refusal = g.refused("britain", "propose with france: peace")
    assert refusal.code == "peace_in_part" and "WEN-045" in refusal.rules


@pytest.mark.rule("WEN-046")
def test_a_minor_power_accepts_the_peace_of_its_allies() -> None:
    sides: Sides = [["britain"], ["france", "spain"]]
    areas = {"cuba": held("spain", "possession", army("spain"))}
    g = at_war(sides, areas=areas)
    sign(g, "britain", "propose with france: peace; cuba to britain", "france")
    assert decided(g) == [("peace", 0)] and g.kind("cuba", "britain") == "possession"
    g = at_war([["britain"], ["france", "russia", "spain"]], areas=areas)
    sign(g, "britain", "propose with france: peace", "france")
    assert the_war(g).alliances == (("britain",), ("russia", "spain")), "it follows the last of them"


@pytest.mark.rule("WEN-056", "WEN-036", "NEG-006", "ETI-034")
@pytest.mark.parametrize(
    ("rival", "left"), [("protectorate", ("influence", "influence")), ("influence", ("protectorate", "interest"))]
)
def test_a_peace_before_the_war_is_fought_leaves_no_incompatible_markers(rival: str, left: tuple[str, str]) -> None:
    g = bench()
    tunis = here(marker("france", "protectorate"), marker("germany", rival), army("france"), naval("germany", 1))
    ottoman = {"alliances": [["ottoman_empire"], ["italy"]], "kind": "ottoman", "over": ["tripoli"]}
    waiting = {"alliances": [["germany"], ["france"]], "phase": "alliances", "over": ["tunis"]}
    patch = {"phase": "war", "areas": {"tunis": tunis}, "wars": [ottoman, waiting]}
    g.do(ARBITER, actions.SetPosition(patch))
    sign(g, "germany", "propose with france: peace", "france")
    assert [war.kind for war in g.state.wars] == ["ottoman"]
    assert (g.kind("tunis", "france"), g.kind("tunis", "germany")) == left
    assert g.units("tunis", "france") == ([] if rival == "protectorate" else ["A1"])
    assert g.state.tension == 0


@pytest.mark.rule("WEN-028")
def test_outside_a_peace_nothing_changes_hands_in_war() -> None:
    g = at_war(ALLIED)
    assert g.refused("britain", "propose with france: algiers to britain").code == "wrong_phase"


@pytest.mark.rule("WEN-036")
def test_the_short_form_names_the_one_holder() -> None:
    shared = here(marker("britain", "possession"), marker("france", "possession"), codominion=["britain", "france"])
    g = at_war(ALLIED, areas={"guiana": shared})
    assert g.refused("britain", "propose with france, russia: peace; guiana to russia").code == "which_holder"
    nobody = g.refused("britain", "propose with france, russia: peace; siam to russia")
    assert nobody.code == "which_holder" and "No other Power has Control of Siam" in nobody.message


# Announced defenders of a Minor Power

DEFENDED = {"defended": [{"minor": "belgium", "power": "germany"}]}


@pytest.mark.rule("MIN-046")
@pytest.mark.parametrize(("war", "points"), [(DEFENDED, -5), ({}, 0)])
def test_defender_pays_for_peace_without_the_minor_power(war: dict[str, Any], points: int) -> None:
    g = at_war([["france"], ["belgium", "germany", "italy"]], war=war)
    before, tension = g.state.powers["germany"].victory_points, g.state.tension
    sign(g, "germany", "propose with france: peace", "france")
    assert the_war(g).alliances == (("france",), ("belgium", "italy"))
    assert g.state.powers["germany"].victory_points - before == points
    assert g.state.tension - tension == (5 + 3 if points else 5), "besides what a separate peace costs"
    g.act("france", "pass")
    assert g.state.powers["germany"].victory_points - before == points, "once"


@pytest.mark.rule("MIN-046")
@pytest.mark.parametrize(("text", "points"), [("britain: place influence kongo", -5), ("leave kongo", 0)])
def test_defender_pays_for_a_gain_from_the_defeat(text: str, points: int) -> None:
    war = {**conquered("kongo"), "defended": [{"minor": "belgium", "power": "britain"}]}
    areas = {
        "kongo": held("belgium"),
        "papua": held("germany", "protectorate", army("germany")),
    }
    g = ending([["germany"], ["britain", "belgium"]], areas, war=war, options={"spoils_any_marker": "yes"})
    g.advance()
    before, tension = g.state.powers["britain"].victory_points, g.state.tension
    answer(g, "germany", text)
    assert g.state.powers["britain"].victory_points - before == points
    assert g.state.tension - tension == (3 if points else 0)


@pytest.mark.rule("MIN-046")
def test_defender_that_wins_with_the_minor_power_pays_nothing() -> None:
    war = {**conquered("kongo"), "defended": [{"minor": "belgium", "power": "germany"}]}
    areas = {"kongo": held("britain"), "papua": held("germany", "protectorate", army("germany"))}
    g = ending([["germany", "belgium"], ["britain"]], areas, war=war, options={"spoils_any_marker": "yes"})
    g.advance()
    before, tension = g.state.powers["germany"].victory_points, g.state.tension
    answer(g, "germany", "place influence kongo")
    assert g.state.powers["germany"].victory_points == before and g.state.tension == tension


@pytest.mark.rule("WEN-045", "WEN-046")
def test_refused_peace_names_the_powers_that_can_make_it() -> None:
    for sides, met in ((US_SPAIN, True), (BRITAIN_GERMANY, False)):
        g = wars.at_war(sides)
        refusal = g.refused(sides[0][0], "propose with spain: peace")
        assert ("WEN-045" in refusal.rules) is met and "MIN-002" in refusal.rules


@pytest.mark.rule("WEN-036", "NEG-011")
def test_peace_gives_a_shared_area_to_one_enemy() -> None:
    both = ["britain", "germany"]
    shared = here(*(marker(power, "protectorate") for power in both), codominion=both)
    g = wars.at_war(BRITAIN_GERMANY, options=UNLIMITED, areas={"kenya": shared})
    assert {"propose with germany: peace"} <= set(legal_actions(g.tables, g.state, "britain").orders)
    g.act("britain", "propose with germany: peace; kenya to britain")
    assert "propose with germany: peace" not in legal_actions(g.tables, g.state, "britain").orders
    g.act("germany", f"sign {g.state.treaties[-1].id}")
    assert {m.power: m.marker for m in g.state.areas["kenya"].markers} == {"britain": "protectorate"}
    assert g.state.tension == 0
