"""Marker Adjustment: unsuppressed Unrest, new markers, missing garrisons, conflicts, units that must leave."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.games.pax.board.status import area_state, established, unestablished
from paxtui.games.pax.events import events
from paxtui.games.pax.state.questions import Retreat
from tests.rules.harness import Bench, army, here, marker, naval, new, start


def adjusted(areas: dict[str, Any], **rest: Any) -> Bench:
    """The Marker Adjustment Phase played from a patched position to its end."""
    g = waiting(areas, **rest)
    g.step()
    return g


def waiting(areas: dict[str, Any], **rest: Any) -> Bench:
    """The start of the Marker Adjustment Phase with some Areas changed."""
    players, options = rest.pop("players", 7), rest.pop("options", None)
    return start({"phase": "marker_adjustment", "areas": areas, **rest}, players, options)


def after_movement(areas: dict[str, Any], **rest: Any) -> Bench:
    """Play without orders from the end of the Movement/Status Change Phase to the end of Marker Adjustment."""
    players, options = rest.pop("players", 7), rest.pop("options", None)
    g = start({"phase": "movement", "areas": areas, **rest}, players, options)
    for _ in range(3):
        g.step()
    assert g.state.phase == "negotiation"
    return g


# Step 1: Unrest


@pytest.mark.rule("SEQ-014", "CCB-025", "CCB-026")
def test_unsuppressed_revolt_removes_marker_and_units() -> None:
    burma = here(marker("britain", "possession"), army("britain", 1), naval("britain", 3), unrest=True)
    g = waiting({"burma": burma})
    g.advance()
    assert g.kind("burma", "britain") == ""
    assert {c.kind for c in g.pending()} == {"retreat"} and g.waiting() == ("britain",)
    by_kind = {c.about.unit_kind: c for c in g.pending() if isinstance(c.about, Retreat)}
    assert by_kind["army"].default == "bengal" and "home" in by_kind["army"].options
    assert "home" in by_kind["naval"].options and "australia" in by_kind["naval"].options
    g.act("britain", f"choose {by_kind['army'].id} bengal")
    g.act("britain", f"choose {by_kind['naval'].id} home")
    assert g.units("burma") == [] and "A1" in g.units("bengal")
    assert sum(u.name == "N3" for u in g.state.homes["britain"]) == 1
    assert g.state.tension == 0


@pytest.mark.rule("CCB-026", "CCB-051")
def test_naval_units_are_never_eliminated() -> None:
    zones = start().state.sea_zones
    no_fleet = {z: {"merchant_fleets": [p for p in ps if p != "russia"]} for z, ps in zones.items()}
    siam = here(marker("russia", "possession"), army("russia", 1), naval("russia", 3), unrest=True)
    g = adjusted({"siam": siam}, sea_zones=no_fleet)
    assert g.units("siam") == []
    assert [e.units for e in g.of(events.UnitsLost)] == [("A1",)]
    assert any(u.name == "N3" for u in g.state.homes["russia"])


@pytest.mark.rule("CCB-027", "SEQ-015", "EVT-030")
def test_all_unrest_markers_are_removed() -> None:
    g = adjusted({"burma": here(marker("britain", "possession"), army("britain", 1), unrest=True),
                  "siam": here(unrest=True), "peru": here(unrest=True)})  # fmt: skip
    assert not any(a.unrest for a in g.state.areas.values())
    assert {e.area for e in g.of(events.UnrestEnded)} == {"burma", "siam", "peru"}
    lowered = next(i for i, e in enumerate(g.events) if isinstance(e, events.MarkerLowered))
    ended = next(i for i, e in enumerate(g.events) if isinstance(e, events.UnrestEnded))
    assert lowered < ended


@pytest.mark.rule("CCB-029")
def test_revolt_leaves_markers_of_others() -> None:
    siam = here(marker("britain", "protectorate"), marker("france", "interest"), army("britain", 1), unrest=True)
    g = adjusted({"siam": siam})
    assert g.kind("siam", "britain") == "" and g.kind("siam", "france") == "interest"


@pytest.mark.rule("STA-023")
def test_a_new_marker_falls_with_a_free_area_but_not_with_anothers_control() -> None:
    g = adjusted({"siam": here(new("france", "influence"), unrest=True)})
    assert area_state(g.state, "siam").markers == ()
    siam = here(marker("britain", "protectorate"), new("france", "interest"), army("britain", 1), unrest=True)
    g = adjusted({"siam": siam})
    assert g.kind("siam", "france") == "interest"


@pytest.mark.rule("CCB-031")
def test_a_dominion_can_be_lost_as_well() -> None:
    g = adjusted({"canada": {"unrest": True}})
    assert area_state(g.state, "canada").markers == () and g.units("canada") == []
    assert g.state.tension == 0


@pytest.mark.rule("CCB-035")
def test_unrest_in_an_influence_area_takes_all_markers_and_units() -> None:
    persia = here(
        marker("britain", "influence"),
        marker("russia", "influence"),
        marker("france", "interest"),
        army("russia", 10),
        unrest=True,
    )
    g = adjusted({"persia": persia})
    assert area_state(g.state, "persia").markers == () and g.units("persia") == []
    assert sum(u.name == "A10" for u in g.state.homes["russia"]) == 5
    assert g.state.tension == 0


@pytest.mark.rule("CCB-040", "CCB-038")
def test_unrest_in_a_neutral_area_takes_all_markers() -> None:
    g = adjusted({"siam": here(marker("britain", "interest"), marker("france", "interest"), unrest=True)})
    assert area_state(g.state, "siam").markers == () and g.state.tension == 0


@pytest.mark.rule("CCB-064", "COD-001")
def test_unrest_in_a_codominion_takes_every_members_control() -> None:
    members = ["united_states", "britain", "japan"]
    hawaii = here(
        *(marker(p, "protectorate") for p in members),
        marker("france", "interest"),
        *(army(p, 1) for p in members),
        unrest=True,
        codominion=members,
    )
    g = adjusted({"hawaii": hawaii})
    assert [(m.power, m.marker) for m in area_state(g.state, "hawaii").markers] == [("france", "interest")]
    assert g.units("hawaii") == [] and g.state.tension == 0 and area_state(g.state, "hawaii").codominion == ()


@pytest.mark.rule("SEQ-018")
def test_steps_are_carried_out_in_order() -> None:
    # in Unrest and without garrison: lost by step 1, not reduced by step 4
    g = adjusted({"kenya": here(marker("germany", "protectorate"), unrest=True)})
    assert area_state(g.state, "kenya").markers == () and g.state.tension == 0
    # a new Interest in free Unrest falls in step 1, before step 3 could establish it
    g = adjusted({"siam": here(new("france", "interest"), unrest=True)})
    assert not g.of(events.MarkerEstablished)


@pytest.mark.rule("SEQ-018", "CCB-026")
def test_nothing_retreats_into_an_area_lost_at_the_same_time() -> None:
    lost = here(marker("germany", "protectorate"), army("germany", 1), unrest=True)
    zones = start().state.sea_zones
    no_fleet = {z: {"merchant_fleets": [p for p in ps if p != "germany"]} for z, ps in zones.items()}
    g = adjusted({"uganda": lost, "kenya": lost}, sea_zones=no_fleet)
    assert [e.units for e in g.of(events.UnitsLost)] == [("A1",), ("A1",)] and not g.of(events.UnitsMoved)


# Step 3: new markers


@pytest.mark.rule("SEQ-016", "STA-022")
def test_new_interests_and_influences_are_established_without_dice() -> None:
    g = waiting({"siam": here(new("france", "interest")), "peru": here(new("britain", "influence"))})
    g.dice(3)
    assert unestablished(g.state, "siam", "france")
    g.step()
    assert g.kind("siam", "france") == "interest" and g.kind("peru", "britain") == "influence"
    assert g.queue == (3,)


@pytest.mark.rule("SEQ-016")
def test_a_new_influence_takes_the_place_of_the_old_interest() -> None:
    g = adjusted({"peru": here(marker("britain", "interest"), new("britain", "influence"))})
    assert [(m.marker, m.established) for m in area_state(g.state, "peru").markers] == [("influence", True)]


@pytest.mark.rule("STA-015", "ETI-039")
def test_a_new_control_marker_without_an_army_becomes_an_influence() -> None:
    g = after_movement({"kamerun": here(new("germany", "protectorate"))})
    assert g.kind("kamerun", "germany") == "influence" and g.state.tension == 0
    # over an own Influence that simply stays, over an Interest the Influence takes its place
    for old in ("influence", "interest"):
        g = after_movement({"kamerun": here(marker("germany", old), new("germany", "protectorate"))})
        assert [(m.marker, m.established) for m in area_state(g.state, "kamerun").markers] == [("influence", True)]
    g = after_movement(
        {"kamerun": here(new("germany", "protectorate"))},
        options={"ungarrisoned_new_control_becomes_influence": "no"},
    )
    assert area_state(g.state, "kamerun").markers == ()


@pytest.mark.rule("STA-015")
def test_new_control_without_army_yields_to_other_new_control() -> None:
    areas = {
        "kamerun": here(marker("france", "protectorate", since=1), army("france", 1), new("germany", "possession"))
    }
    g = adjusted(areas)
    assert g.kind("kamerun", "germany") == "interest" and g.state.tension == 0
    areas = {"kamerun": here(marker("france", "possession", since=1), army("france", 1), new("germany", "possession"))}
    g = adjusted(areas)
    assert g.kind("kamerun", "germany") == "" and g.state.tension == 0


@pytest.mark.rule("STA-015")
def test_an_established_control_marker_without_an_army_becomes_an_influence_as_well() -> None:
    g = after_movement({"kamerun": here(marker("germany", "protectorate"))}, homes={"germany": {"units": []}})
    assert g.kind("kamerun", "germany") == "influence" and g.blames() == [(1, "germany")]


@pytest.mark.rule("MOV-016", "CCB-010")
def test_army_without_an_established_marker_leaves() -> None:
    g = waiting({"kamerun": here(new("germany", "protectorate"), army("germany", 1))})
    before = len(g.state.homes["germany"])
    g.step()
    assert area_state(g.state, "kamerun").markers == () and g.units("kamerun") == []
    assert len(g.state.homes["germany"]) == before + 1 and g.state.tension == 0
    g = adjusted({"uganda": here(new("germany", "protectorate"), army("germany", 1))})
    assert [e.reason for e in g.of(events.UnitsLost)] == ["no_retreat"]


# Step 4: garrisons


@pytest.mark.rule("SEQ-017", "STA-038", "ETI-013", "ETI-037")
@pytest.mark.parametrize(
    ("power", "area", "kind", "steps"),
    [
        ("germany", "kamerun", "protectorate", 1),
        ("france", "senegambia", "possession", 2),
        ("britain", "canada", "dominion", 3),
    ],
)
def test_an_ungarrisoned_control_marker_becomes_an_influence(power: str, area: str, kind: str, steps: int) -> None:
    g = adjusted({area: here(marker(power, kind))})
    assert g.kind(area, power) == "influence"
    assert g.blames() == [(steps, power)] and g.state.tension == steps


@pytest.mark.rule("SEQ-017", "STA-038")
def test_the_test_was_made_when_the_movement_phase_ended() -> None:
    # an army that gets there by a retreat in Colonial Combat does not save the marker
    areas = {
        "gabon": here(marker("germany", "protectorate")),
        "kamerun": here(new("germany", "protectorate"), army("germany", 1)),
    }
    zones = start().state.sea_zones
    no_fleet = {z: {"merchant_fleets": [p for p in ps if p != "germany"]} for z, ps in zones.items()}
    g = start({"phase": "movement", "areas": areas, "sea_zones": no_fleet, "homes": {"germany": {"units": []}}})
    g.step()
    g.dice(2)
    g.step()
    assert g.units("gabon") == ["A1"]
    g.step()
    assert g.kind("gabon", "germany") == "influence" and g.blames() == [(1, "germany")]
    # and it may not stay
    assert g.units("gabon") == []


@pytest.mark.rule("SEQ-017")
def test_a_garrison_lost_since_counts_as_missing() -> None:
    revolt = here(
        marker("britain", "protectorate"),
        marker("france", "protectorate"),
        army("britain", 1),
        army("france", 10),
        unrest=True,
        codominion=["britain", "france"],
    )
    g = start({"phase": "colonial_combat", "areas": {"burma": revolt}})
    for choice in g.pending():
        g.act(choice.seat, f"choose {choice.id} alone")
    if g.waiting() == ("france",):
        g.act("france", f"choose {g.pending()[0].id} wait burma")
    g.dice(1, 6)
    g.act("britain", "fight burma")
    g.act("france", "fight burma")
    assert g.units("burma") == ["A10"] and not area_state(g.state, "burma").unrest
    g.step()
    g.step()
    assert g.kind("burma", "britain") == "interest" and g.blames() == [(2, "britain")]
    # straight: a marker whose army is gone by now
    g = adjusted({"burma": here(marker("britain", "protectorate"))})
    assert g.kind("burma", "britain") == "influence"


@pytest.mark.rule("ETI-037")
def test_owner_is_to_blame_for_a_missing_garrison() -> None:
    g = adjusted({"senegambia": here(marker("france", "possession"))}, indexes={"european_tensions": 98})
    assert g.state.result and g.state.result.culprits == ("france",)
    g = adjusted({"senegambia": here(marker("france", "possession"))}, options={"eti_for_lost_garrisons": "no"})
    assert g.state.tension == 0 and g.kind("senegambia", "france") == "influence"


@pytest.mark.rule("COD-008", "STA-043", "ETI-013")
def test_a_member_without_an_army_leaves_the_codominion() -> None:
    guiana = [u for u in start().state.areas["guiana"].units if u.power != "britain"]
    g = adjusted({"guiana": {"units": [army(u.power, u.strength) for u in guiana]}})
    assert g.kind("guiana", "britain") == "" and g.blames() == [(4, "britain")]
    assert set(area_state(g.state, "guiana").codominion) == {"france", "netherlands"}
    members = ["united_states", "britain", "japan"]
    marks = [marker(p, "protectorate") for p in members]
    hawaii = here(*marks, army("united_states", 1), army("japan", 1), codominion=members)
    g = adjusted({"hawaii": hawaii})
    assert g.kind("hawaii", "britain") == "interest" and g.blames() == [(2, "britain")]
    marks[0] = marker("united_states", "possession")
    g = adjusted({"hawaii": here(*marks, army("united_states", 1), army("japan", 1), codominion=members)})
    assert g.kind("hawaii", "britain") == "" and g.blames() == [(3, "britain")]


@pytest.mark.rule("STA-043", "COD-007")
def test_army_of_another_member_is_no_garrison() -> None:
    members = ["united_states", "britain", "japan"]
    marks = [marker("united_states", "possession"), *(marker(p, "protectorate") for p in members[1:])]
    g = adjusted({"hawaii": here(*marks, army("japan", 1), codominion=members)})
    assert g.kind("hawaii", "britain") == g.kind("hawaii", "united_states") == "interest"
    assert g.kind("hawaii", "japan") == "protectorate" and area_state(g.state, "hawaii").codominion == ()


@pytest.mark.rule("ETI-013", "ETI-039")
def test_only_established_markers_count_for_the_tensions() -> None:
    g = adjusted({"kamerun": here(new("germany", "possession")), "gabon": here(new("germany", "protectorate"), army("germany", 1))})  # fmt: skip  # noqa: E501
    assert g.kind("kamerun", "germany") == "influence" and g.kind("gabon", "germany") == ""
    assert g.blames() == []


# Conflicts


@pytest.mark.rule("STA-053", "ETI-030", "EVT-024")
def test_interests_go_when_a_possession_is_established() -> None:
    kenya = {"kenya": here(marker("france", "interest"), marker("britain", "possession", since=1), army("britain", 3))}
    g = adjusted(kenya)
    assert g.kind("kenya", "france") == "" and g.blames() == [(1, "britain")] and not g.state.casus_belli
    g = adjusted(kenya, indexes={"european_tensions": 99})
    assert g.state.result and g.state.result.culprits == ("britain",)
    g = adjusted(
        {"kenya": here(marker("france", "interest"), marker("britain", "protectorate", since=1), army("britain", 3))}
    )
    assert g.kind("kenya", "france") == "interest" and g.state.tension == 0


@pytest.mark.rule("STA-053")
def test_new_interest_is_removed_by_a_new_possession() -> None:
    kenya = here(new("france", "interest"), marker("britain", "possession", since=1), army("britain", 3))
    g = adjusted({"kenya": kenya})
    assert g.kind("kenya", "france") == "" and g.blames() == [(1, "britain")]


@pytest.mark.rule("STA-053", "ETI-030")
def test_a_minor_powers_possession_removes_interests_too() -> None:
    # R-MIN-11: it has the blame and nobody pays
    g = adjusted(
        {"kongo": here(marker("france", "interest"), marker("belgium", "possession", since=1), army("belgium", 1))},
        indexes={"european_tensions": 99},
    )
    assert g.kind("kongo", "france") == ""
    assert g.state.result and g.state.result.culprits == ()


@pytest.mark.rule("EVT-024")
def test_conflicts_raise_the_tensions_in_this_phase_only() -> None:
    areas = {"kenya": here(marker("france", "interest"), marker("britain", "protectorate"), army("britain", 3))}
    g = start(
        {
            "phase": "movement",
            "areas": areas,
            "powers": {"britain": {"treasury": 40}, "germany": {"treasury": 100}},
            "indexes": {"european_tensions": 96},
        }
    )
    g.act("britain", "upgrade possession kenya")
    assert g.state.tension == 96 and g.kind("kenya", "france") == "interest"
    g.act("germany", "build N10 baltic")
    assert g.state.tension == 99
    g.step()
    g.step()
    assert g.state.tension == 99
    g.step()
    assert g.state.tension == 100 and g.state.result and g.state.result.culprits == ("britain",)


@pytest.mark.rule("STA-024", "STA-052", "WAR-030")
def test_control_over_an_influence_gives_its_holder_a_casus_belli() -> None:
    persia = here(marker("russia", "influence"), new("britain", "protectorate"), army("britain", 10), unrest=True)
    g = start({"phase": "colonial_combat", "areas": {"persia": persia}})
    g.dice(6)
    g.act("britain", "fight persia")
    assert not g.state.casus_belli  # decided in Marker Adjustment
    g.step()
    g.step()
    assert g.causes() == {("russia", "britain", "persia")}
    assert g.state.casus_belli[0].rule == "STA-052"
    g = start({"phase": "colonial_combat", "areas": {"tunis": here(marker("italy", "influence"), new("france", "protectorate"), army("france", 1))}})  # fmt: skip  # noqa: E501
    g.dice(1)
    g.step()
    g.step()
    assert not g.state.casus_belli


@pytest.mark.rule("STA-024", "CCB-015", "WAR-030")
def test_two_control_markers_outside_a_codominion_give_a_mutual_casus_belli() -> None:
    both = (marker("italy", "protectorate", since=1), marker("france", "protectorate", since=1))
    armies = (army("italy", 1), army("france", 1))
    g = adjusted({"tunis": here(*both, *armies)})
    assert g.causes() == {("italy", "france", "tunis"), ("france", "italy", "tunis")}
    g = adjusted({"tunis": here(*both, *armies, codominion=["italy", "france"])})
    assert g.causes() == set()


@pytest.mark.rule("STA-052", "MIN-024")
def test_a_minor_powers_control_gives_a_cause_and_its_influence_none() -> None:
    g = adjusted(
        {"kongo": here(marker("france", "influence"), marker("belgium", "protectorate", since=1), army("belgium", 1))}
    )
    assert g.causes() == {("france", "belgium", "kongo")}
    g = adjusted(
        {"kongo": here(marker("belgium", "influence"), marker("france", "protectorate", since=1), army("france", 1))}
    )
    assert g.causes() == set() and g.kind("kongo", "belgium") == "influence"


# The end


@pytest.mark.rule("CCB-065", "MOV-019")
def test_army_without_control_leaves_after_suppressing_unrest() -> None:
    g = start({"phase": "colonial_combat", "areas": {"siam": here(army("italy", 10), army("britain", 3), unrest=True)}})
    g.dice(6)
    while g.waiting():
        g.act(g.waiting()[0], "fight siam")
    assert not area_state(g.state, "siam").unrest and g.units("siam") == ["A10", "A3"]
    g.step()
    g.step()
    assert g.units("siam") == []
    assert [(e.power, e.reason) for e in g.of(events.UnitsLost)] == [("italy", "no_retreat")]
    assert "A3" in g.units("bengal") or "A3" in g.units("federated_malay_states")


@pytest.mark.rule("MOV-019")
def test_no_unit_stays_where_its_power_has_only_an_interest_or_influence() -> None:
    for kind in ("interest", "influence"):
        g = adjusted({"kamerun": here(marker("germany", kind), army("germany", 1), naval("germany", 1))})
        assert g.units("kamerun") == [] and g.kind("kamerun", "germany") == kind
    g = adjusted({"kamerun": here(marker("germany", "protectorate"), army("germany", 1), naval("germany", 1))})
    assert g.units("kamerun") == ["A1", "N1"]


@pytest.mark.rule("SEQ-014")
def test_the_phase_waits_for_retreats_and_then_goes_on() -> None:
    areas = {
        "burma": here(marker("britain", "possession"), army("britain", 1), unrest=True),
        "siam": here(new("france", "interest")),
    }
    g = waiting(areas)
    g.advance()
    assert g.waiting() == ("britain",) and g.kind("siam", "france") == "" and area_state(g.state, "burma").unrest
    g.act("britain", f"choose {g.pending()[0].id} bengal")
    assert g.state.phase == "marker_adjustment"
    g.advance()
    assert g.state.phase == "negotiation" and g.kind("siam", "france") == "interest"
    assert not area_state(g.state, "burma").unrest


# Special cases


@pytest.mark.rule("STA-015")
def test_two_new_markers_without_armies_both_become_influences() -> None:
    g = adjusted({"kamerun": here(new("germany", "protectorate"), new("france", "possession"))})
    assert g.kind("kamerun", "germany") == g.kind("kamerun", "france") == "influence"


@pytest.mark.rule("STA-015")
def test_influence_under_a_new_marker_counts_as_old() -> None:
    g = adjusted({"kamerun": here(marker("germany", "influence"), new("germany", "protectorate"))}, turn=2)
    own = established(g.state, "kamerun", "germany")
    assert own and own.since == 0 and not g.of(events.MarkerEstablished)


@pytest.mark.rule("STA-043")
def test_a_member_that_fails_elsewhere_keeps_its_possession_here() -> None:
    members = ["united_states", "britain"]
    marks = [marker("united_states", "possession"), marker("britain", "protectorate")]
    g = adjusted(
        {
            "hawaii": here(*marks, army("united_states", 1), codominion=members),
            "peru": here(marker("united_states", "protectorate")),
        }
    )
    assert g.kind("peru", "united_states") == "influence" and g.kind("hawaii", "britain") == ""


@pytest.mark.rule("CCB-015")
def test_third_power_disputes_with_each_codominion_member() -> None:
    three = ("italy", "france", "germany")
    marks = [marker(p, "protectorate", since=1) for p in three]
    g = adjusted({"tunis": here(*marks, *(army(p, 1) for p in three), codominion=["italy", "france"])})
    assert g.causes() == {
        ("germany", "italy", "tunis"),
        ("germany", "france", "tunis"),
        ("italy", "germany", "tunis"),
        ("france", "germany", "tunis"),
    }


@pytest.mark.rule("STA-052")
def test_existing_casus_belli_does_not_arise_again() -> None:
    persia = here(marker("russia", "influence"), marker("britain", "protectorate", since=1), army("britain", 10))
    known = [{"holder": "russia", "against": "britain", "area": "persia"}]
    g = adjusted({"persia": persia}, casus_belli=known)
    assert len(g.state.casus_belli) == 1 and not g.of(events.CasusBelliArose)


@pytest.mark.rule("CCB-026")
def test_fleet_without_control_goes_to_a_legal_port() -> None:
    siam = here(marker("russia", "possession"), naval("russia", 3), unrest=True)
    g = waiting({"siam": siam, "korea": here(marker("russia", "possession"), army("russia", 1)),
                 "cuba": here(marker("russia", "possession"), army("russia", 1))})  # fmt: skip
    g.advance()
    choice = g.pending()[0]
    # the nearest Area first, a home box each
    assert choice.options == ("korea", "cuba", "home north_china_sea", "home black_sea", "home baltic")
    assert choice.default == "korea"
    g.act("russia", f"choose {choice.id} home black_sea")
    assert sum(u.coast == "black_sea" for u in g.state.homes["russia"]) == 2


@pytest.mark.rule("CCB-026")
def test_a_coast_may_be_named_where_there_are_two() -> None:
    g = waiting({"newfoundland": here(marker("britain", "possession"), naval("britain", 1), unrest=True)})
    g.advance()
    choice = g.pending()[0]
    assert "canada north_pacific" in choice.options and choice.default == "canada"
    g.advance(force=True)
    assert [u.coast for u in area_state(g.state, "canada").units if u.name == "N1"] == ["north_atlantic"]


@pytest.mark.rule("CCB-026")
def test_fleets_may_go_to_different_ports() -> None:
    fleets = (naval("italy", 3), naval("italy", 1))
    g = waiting({"tunis": here(marker("italy", "possession"), *fleets, unrest=True),
                 "aden": here(marker("italy", "possession"), army("italy", 1))})  # fmt: skip
    g.advance()
    choice = g.pending()[0]
    assert {"aden", "home", "N3 > aden", "N3 > home", "N1 > aden", "N1 > home"} == set(choice.options)
    g.act("italy", f"choose {choice.id} N3 > aden N1 > home")
    assert g.units("aden", kind="naval") == ["N3"] and "N1" in g.units("home:italy", kind="naval")
    # one alone is not asked twice
    g = waiting({"tunis": here(marker("italy", "possession"), naval("italy", 3), unrest=True),
                 "aden": here(marker("italy", "possession"), army("italy", 1))})  # fmt: skip
    g.advance()
    assert set(g.pending()[0].options) == {"aden", "home"}


@pytest.mark.rule("CCB-026", "MIN-058")
def test_fleet_of_a_minor_power_goes_home_automatically() -> None:
    g = adjusted({"cuba": {"unrest": True}})
    assert g.units("cuba") == [] and sum(u.name == "N3" for u in g.state.homes["spain"]) == 2


@pytest.mark.rule("SEQ-014", "COD-008", "STA-038")
def test_events_name_the_rules_that_made_them() -> None:
    def lowered(area: dict[str, Any]) -> set[str]:
        g = adjusted({"siam": area})
        return {r for e in g.of(events.MarkerLowered) for r in e.rules}

    def left(area: dict[str, Any]) -> set[str]:
        g = adjusted({"siam": area})
        return {r for e in (*g.of(events.UnitsMoved), *g.of(events.UnitsLost)) for r in e.rules}

    three = army("italy", 3)
    revolt = here(marker("italy", "possession"), three, unrest=True)
    general = here(marker("italy", "influence"), three, unrest=True)
    neutral = here(marker("italy", "interest"), three, unrest=True)
    members = ["italy", "france"]
    joint = here(marker("italy", "possession"), marker("france", "possession"), three, unrest=True, codominion=members)
    for area, rule in ((revolt, "CCB-025"), (general, "CCB-035"), (neutral, "CCB-040"), (joint, "CCB-064")):
        others = {"CCB-025", "CCB-035", "CCB-040", "CCB-064"} - {rule}
        assert rule in lowered(area) and rule in left(area) and "ETI-014" in lowered(area)
        assert not (others & lowered(area)) and not (others & left(area))
    assert "STA-023" in lowered(here(new("italy", "interest"), unrest=True))
    assert "COD-008" not in lowered(here(marker("italy", "possession")))
    assert "COD-008" in lowered(here(marker("italy", "possession"), marker("france", "possession"), codominion=members))
