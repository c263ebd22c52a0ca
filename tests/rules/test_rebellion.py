"""The Chinese Rebellion (REB): its members, the rise of Chinese Armies, and its end."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions import actions
from paxtui.games.pax.events import events
from tests.rules import wars
from tests.rules.harness import Bench, answer, army, held, here, marker, naval
from tests.rules.rebellions import breaking_out, rebellion, rebels, where
from tests.rules.wars import decided, place, stepped_to, the_war

HONG_KONG = {"hong_kong": held("britain", "possession", army("britain", 3))}


# Members


@pytest.mark.rule("REB-001", "REB-002", "REB-003", "SEQ-024", "WAR-018", "WAR-022")
def test_china_is_the_first_alliance_against_all_with_influence_or_control() -> None:
    areas = {
        **HONG_KONG,
        "fukien": here(marker("italy", "interest")),
        "korea": here(marker("japan", "influence")),
        "siam": held("france", "protectorate"),
    }
    g = breaking_out(1, 3, 4, members=areas)
    war = the_war(g)
    assert war.kind == "rebellion" and set(war.alliances[1]) == {"britain", "japan"}
    assert war.alliances[0] == ("china",) and war.order == ()
    g.step()
    assert the_war(g).order == (1, 2) and place(g) == ("maneuver", 1)
    assert g.all_of(events.InitiativeRolled)[0].rolls == ()


@pytest.mark.rule("REB-001", "WAR-018")
def test_the_rebellion_is_fought_before_any_other_war() -> None:
    both = [
        {"alliances": [["france"], ["germany"]], "phase": "alliances", "turn_of": None},
        {"kind": "rebellion", "alliances": [["china"], ["britain"]], "phase": "alliances", "turn_of": None},
    ]
    g = wars.bench()
    g.do(ARBITER, actions.SetPosition({"phase": "war", "wars": both}))
    g.dice(1, 3, 4)
    g.step()
    assert {w.kind: w.stage for w in g.state.wars} == {"war": "alliances", "rebellion": "initiative"}
    ottoman = {"kind": "ottoman", "alliances": [["ottoman_empire"], ["italy"]], "phase": "alliances", "turn_of": None}
    g = wars.bench()
    g.do(ARBITER, actions.SetPosition({"phase": "war", "wars": [ottoman, *both]}))
    g.step()
    assert {w.kind for w in g.state.wars if w.stage != "alliances"} == {"rebellion"}, "before an Ottoman War too"


@pytest.mark.rule("SEQ-024")
def test_without_a_rebellion_or_a_declaration_the_war_phase_is_skipped() -> None:
    g = wars.bench()
    g.do(ARBITER, actions.SetPosition({"phase": "chinese_resentment", "indexes": {"chinese_resentment": 30}}))
    g.dice(6, 6, 6)
    g.step()
    assert g.state.phase == "victory_point_record"


@pytest.mark.rule("REB-003", "REB-049", "REB-048")
def test_a_minor_power_without_influence_there_takes_no_part() -> None:
    areas = {**HONG_KONG, "manchuria": here(marker("russia", "interest"))}
    g = breaking_out(1, 3, 4, members=areas, players=4)
    assert the_war(g).powers == ("china", "britain") and the_war(g).commands == {}
    areas = {**HONG_KONG, "manchuria": here(marker("russia", "influence")), "korea": held("japan")}
    g = breaking_out(1, 3, 4, members=areas, players=4)
    assert the_war(g).commands == {"russia": "france", "japan": "britain"}


@pytest.mark.rule("REB-051")
def test_four_european_powers_in_a_rebellion_are_no_great_war() -> None:
    four = ("britain", "france", "germany", "russia")
    areas = dict(zip(("burma", "indochina", "shan_tung", "manchuria"), (held(p) for p in four), strict=True))
    g = breaking_out(1, 3, 4, members=areas)
    assert set(four) <= set(the_war(g).powers) and g.state.result is None


@pytest.mark.rule("REB-054")
def test_rebellion_against_interests_only_succeeds_at_once() -> None:
    areas = {"fukien": here(marker("italy", "interest")), "burma": here(marker("britain", "interest"))}
    g = breaking_out(members=areas)
    assert g.state.areas["fukien"].markers == () and g.state.areas["burma"].markers == ()
    assert g.state.resentment == 0 and g.state.tension == 10 and not g.state.rebellion
    g.step()
    assert g.state.wars == () and g.state.phase != "war"
    assert g.all_of(events.InitiativeRolled) == []


# The Armies


@pytest.mark.rule("REB-006", "REB-007")
def test_a_die_gives_the_number_of_armies_and_two_dice_the_area_of_each() -> None:
    g = breaking_out(4, 1, 1, 3, 4, 2, 5, 6, 6, members=HONG_KONG)
    assert where(g) == {"tibet": 1, "central_china": 2, "manchuria": 1}
    assert g.units("central_china") == ["A5", "A5"]
    assert g.queue == ()


@pytest.mark.rule("REB-008")
def test_no_army_rises_in_a_possession() -> None:
    areas = {**HONG_KONG, "shan_tung": held("germany", "possession"), "fukien": held("germany", "protectorate")}
    g = breaking_out(2, 4, 5, 3, 6, 1, 1, 5, 6, members=areas)
    assert where(g) == {"tibet": 1, "fukien": 1}
    assert [e.dice for e in g.all_of(events.ArmyRolled)] == [((4, 5), (3, 6), (1, 1)), ((5, 6),)]


@pytest.mark.rule("REB-008")
def test_army_without_an_area_after_a_hundred_rolls_is_not_placed() -> None:
    areas = {**HONG_KONG, "shan_tung": held("germany", "possession")}
    g = breaking_out(1, *((4, 5) * 100), members=areas)
    assert where(g) == {} and [e.area for e in g.all_of(events.ArmyRolled)] == [""] and g.queue == ()


# The end


def ending(members: list[str], areas: dict[str, Any], **patch: Any) -> Bench:
    """A Rebellion at its War End Determination; it is not one of the first cycles."""
    war = {"cycle": 3, **patch.pop("war", {})}
    indexes = {"chinese_resentment": 120, "european_tensions": 10}
    return rebellion(members, "end", None, areas=areas, war=war, indexes=indexes, **patch)


MAINLAND = {
    "fukien": here(*rebels(2)),
    "korea": held("japan", "influence"),
    "burma": here(marker("britain", "possession"), naval("britain", 3)),
    "bengal": held("britain", "possession", army("britain", 10)),
}


@pytest.mark.rule("REB-031", "REB-032", "ETI-040")
def test_china_has_won_when_no_colonial_army_is_left_in_it() -> None:
    g = ending(["britain", "japan"], MAINLAND)
    g.step()
    assert decided(g) == [("rebels_won", 1)]
    assert all(not g.state.areas[a].markers for a in ("korea", "burma")) and where(g) == {}
    assert g.state.resentment == 0 and g.state.tension == 10
    assert g.kind("bengal", "britain") == "possession"
    still = {**MAINLAND, "hong_kong": held("britain", "possession", army("britain"))}
    g = ending(["britain", "japan"], still)
    g.step()
    assert decided(g) == [] and g.state.tension == 12


@pytest.mark.rule("ETI-041")
def test_index_of_100_in_a_rebellion_has_no_culprit() -> None:
    g = ending(["britain"], {**HONG_KONG, "fukien": here(*rebels())})
    g.do(
        ARBITER,
        actions.SetPosition(
            {
                "phase": "war",
                "areas": {**HONG_KONG, "fukien": here(*rebels())},
                "wars": [{"kind": "rebellion", "alliances": [["china"], ["britain"]], "phase": "end", "turn_of": None}],
                "indexes": {"european_tensions": 98},
            }
        ),
    )
    g.step()
    assert g.state.result is not None and g.state.result.culprits == ()


@pytest.mark.rule("ETI-022", "ETI-023")
def test_tensions_rise_by_two_after_each_cycle_but_the_last() -> None:
    g = ending(["britain"], {**HONG_KONG, "fukien": here(*rebels())})
    g.step()
    assert g.state.tension == 12 and the_war(g).cycle == 4
    g = ending(["britain"], HONG_KONG)
    g.step()
    assert g.state.tension == 10 and decided(g) == [("rebels_beaten", 2)]


@pytest.mark.rule("REB-053")
def test_end_tests_of_a_rebellion_cannot_be_waived() -> None:
    g = ending(["britain", "japan"], MAINLAND, war={"cycle": 1})
    g.advance()
    assert decided(g) == [("rebels_won", 1)]


@pytest.mark.rule("REB-058")
def test_the_general_end_tests_are_not_made() -> None:
    # no Unit of the colonial Powers is abroad but where it counts for nothing, and China's own Areas are all occupied
    g = ending(["britain"], {"fukien": here(*rebels()), "hong_kong": held("britain", "possession", army("britain"))})
    g.step()
    assert decided(g) == [] and the_war(g).cycle == 4
    assert g.refused("britain", "announce end").code == "no_end_to_announce"
    assert g.refused("britain", "propose with china: peace")


@pytest.mark.rule("REB-035", "REB-036")
def test_the_powers_have_won_when_no_chinese_army_is_left() -> None:
    g = ending(["britain"], {**HONG_KONG, "korea": held("japan", "influence")})
    g.step()
    assert decided(g) == [("rebels_beaten", 2)]
    assert g.kind("hong_kong", "britain") == "possession" and g.kind("korea", "japan") == "influence"
    assert g.state.resentment == 0


@pytest.mark.rule("REB-057")
def test_rebellion_without_armies_on_both_sides_has_no_winner() -> None:
    g = ending(["britain"], {"hong_kong": held("britain", "possession")})
    g.step()
    assert decided(g) == [("stalemate", 0)]
    assert g.kind("hong_kong", "britain") == "possession" and g.state.resentment == 0


@pytest.mark.rule("REB-057")
def test_three_quiet_cycles_are_a_stalemate_in_which_markers_stay() -> None:
    areas = {**HONG_KONG, "fukien": here(*rebels())}
    for quiet, over in ((1, False), (2, True)):
        g = ending(["britain"], areas, war={"quiet": quiet, "defeated": ["yunnan"]})
        g.step()
        assert bool(decided(g)) == over
    assert decided(g) == [("stalemate", 0)] and g.pending() == []
    assert g.kind("hong_kong", "britain") == "possession" and where(g) == {} and g.state.resentment == 0


@pytest.mark.rule("REB-057")
def test_a_cycle_in_which_a_chinese_army_has_marched_is_not_quiet() -> None:
    areas = {**HONG_KONG, "sin_kiang": here(*rebels())}
    g = rebellion(["britain"], areas=areas, war={"quiet": 2, "cycle": 3})
    stepped_to(g, ("initiative", 0))
    assert the_war(g).quiet == 0 and where(g) == {"kansu": 1}


# The island


def formosa(*units: dict[str, Any], members: tuple[str, ...] = ("japan", "britain"), **patch: Any) -> Bench:
    """A Rebellion at its end tests whose last colonial armies stand in Formosa."""
    areas = {**MAINLAND, "formosa": held("japan", "protectorate", *units), **patch.pop("areas", {})}
    g = ending(list(members), areas, **patch)
    g.advance()
    return g


def asked(g: Bench) -> list[tuple[str, str, str]]:
    """Power, seat and kind of each pending choice."""
    return [(c.power, c.seat, c.kind) for c in g.state.choices]


@pytest.mark.rule("REB-033", "REB-034", "WEN-003", "WEN-004", "REB-031")
def test_powers_only_in_formosa_may_announce_the_end() -> None:
    g = formosa(army("japan", 3))
    assert asked(g) == [("japan", "japan", "announce")]
    answer(g, "japan", "announce end")
    assert decided(g) == [("island", 0)]
    assert g.kind("formosa", "japan") == "protectorate"
    assert all(not g.state.areas[a].markers for a in ("korea", "burma")) and where(g) == {}
    assert g.state.resentment == 0 and g.state.tension == 10


@pytest.mark.rule("REB-033", "WEN-003")
def test_the_end_is_offered_only_when_every_colonial_army_in_china_is_there() -> None:
    g = formosa(army("japan", 3), areas=HONG_KONG)
    assert asked(g) == [] and decided(g) == [] and the_war(g).cycle == 4
    g = formosa(naval("japan", 3))
    assert decided(g) == [("rebels_won", 1)]


@pytest.mark.rule("REB-033", "WEN-003")
def test_the_announcement_stands_unless_another_power_there_objects() -> None:
    for text, over in (("agree", [("island", 0)]), ("object", [])):
        armies = (army("japan", 3), army("britain"), army("germany"))
        g = formosa(*armies, members=("japan", "britain", "germany", "italy"))
        assert {power for power, _, _ in asked(g)} == {"japan", "britain", "germany"}
        answer(g, "britain", "announce end")
        assert {power for power, _, _ in asked(g)} == {"japan", "germany"}
        assert {(c.options, c.default) for c in g.state.choices} == {(("object", "agree"), "agree")}
        answer(g, "germany", "agree")
        answer(g, "japan", text)
        assert decided(g) == over
        g.step()
        assert not over or g.state.wars == ()
        assert over or (the_war(g).cycle == 4 and g.state.choices == ())


@pytest.mark.rule("REB-033")
def test_default_continues_the_rebellion_and_asks_again() -> None:
    g = formosa(army("japan", 3))
    g.step()
    assert decided(g) == [] and the_war(g).cycle == 4
    for _ in range(20):
        if not g.state.wars or any(c.kind == "announce" for c in g.state.choices):
            break
        g.advance(force=not g.state.choices and bool(g.waiting()))
    assert [c.kind for c in g.state.choices] == ["announce"] and the_war(g).cycle == 4


@pytest.mark.rule("REB-033", "REB-048")
def test_britain_answers_for_a_minor_japan() -> None:
    g = formosa(army("japan", 3), players=4)
    assert asked(g) == [("japan", "britain", "announce")]


@pytest.mark.rule("REB-057", "REB-034")
def test_a_stalemate_with_all_armies_in_formosa_keeps_formosa_alone() -> None:
    g = formosa(army("japan", 3), war={"quiet": 2})
    assert decided(g) == [("stalemate", 0)]
    assert g.kind("formosa", "japan") == "protectorate" and g.kind("korea", "japan") == ""
