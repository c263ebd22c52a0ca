"""Duties to spend, caps, permits of events, garrisons to rebuild, King Leopold, gifts of money."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.status import unestablished
from paxtui.games.pax.events import events
from paxtui.games.pax.expansion import duties
from tests.rules.harness import UNLIMITED, Bench, army, marker, start


def turn(event: str | list[str], money: dict[str, int], **rest: Any) -> Bench:
    """A Movement/Status Change Phase with Random Events in force."""
    players, options = rest.pop("players", 7), rest.pop("options", None)
    powers = {p: {"treasury": n} for p, n in money.items()}
    in_force = [event] if isinstance(event, str) else event
    return start({"phase": "movement", "events_in_force": in_force, "powers": powers, **rest}, players, options)


def administered(event: str, **patch: Any) -> Bench:
    """The Movement/Status Change Phase after an Administrative Phase with a Random Event in force."""
    g = start({"phase": "administrative", "events_in_force": [event], **patch}, options=UNLIMITED)
    while g.state.phase != "movement":
        g.step()
    return g


def due(g: Bench, power: str) -> int:
    return duties.outstanding_pounds(g.tables, g.state, power)


def build(g: Bench, power: str, *units: str, seat: str = "") -> None:
    g.do(seat or power, actions.Build(units, power=power if seat else ""))


# Permits


@pytest.mark.rule("EVT-012")
def test_war_in_south_america_opens_one_quiet_area() -> None:
    g = turn("2-1", {"united_states": 60})
    for closed in ("mexico", "central_america"):
        assert g.refused("united_states", actions.Place("protectorate", closed)).code == "not_open"
    g.do("united_states", actions.Place("protectorate", "panama"))
    refusal = g.refused("united_states", actions.Place("protectorate", "colombia"))
    assert refusal.code == "permit_used" and "EVT-012" in refusal.rules
    g.do("united_states", actions.Upgrade("possession", "panama"))  # the same Area again


@pytest.mark.rule("EVT-012")
def test_an_area_in_unrest_does_not_use_the_permit_up() -> None:
    g = turn("2-1", {"united_states": 60}, areas={"venezuela": {"unrest": True}})
    g.do("united_states", actions.Place("protectorate", "venezuela"))
    g.do("united_states", actions.Place("protectorate", "colombia"))
    assert g.refused("united_states", actions.Place("protectorate", "panama")).code == "permit_used"


@pytest.mark.rule("EVT-012")
def test_the_permit_is_for_the_united_states_in_that_turn_and_lifts_nothing_else() -> None:
    assert turn([], {"united_states": 20}).refused("united_states", actions.Place("protectorate", "panama")).code == (
        "not_open"
    )
    g = turn("2-1", {"france": 20, "united_states": 20})
    assert g.refused("france", actions.Place("protectorate", "venezuela")).code == "not_open"
    assert "STA-009" in g.refused("united_states", actions.Place("protectorate", "peru")).rules  # no link
    foreign = {"panama": {"markers": [marker("france", "protectorate")]}}
    g = turn("2-1", {"united_states": 20}, areas=foreign)
    assert g.refused("united_states", actions.Place("protectorate", "panama")).code == "foreign_control"


@pytest.mark.rule("EVT-014", "CCB-061")
def test_the_normal_price_is_paid_in_south_america() -> None:
    assert (
        turn("2-1", {"united_states": 19}).refused("united_states", actions.Place("protectorate", "colombia")).code
        == "no_money"
    )
    g = turn("2-1", {"united_states": 20})
    g.do("united_states", actions.Place("protectorate", "colombia"))
    assert g.state.powers["united_states"].treasury == 0


@pytest.mark.rule("EVT-015", "CCB-061")
def test_serbia_defies_austria_hungary() -> None:
    place = actions.Place("protectorate", "serbia", "austria_hungary")
    assert turn([], {"austria_hungary": 20}).refused("germany", place).code == "not_open"
    g = turn("1-4", {"austria_hungary": 20})
    march = actions.Move(("A10", "A10"), ("home:austria_hungary", "serbia"), power="austria_hungary")
    assert g.refused("germany", march).rules  # the marker first
    g.do("germany", place)
    assert g.state.powers["austria_hungary"].treasury == 0
    assert unestablished(g.state, "serbia", "austria_hungary")
    g.do("germany", march)
    assert len(g.state.areas["serbia"].units) == 2


@pytest.mark.rule("EVT-016", "CCB-061")
def test_boer_oppression_opens_both_republics() -> None:
    for area in ("transvaal", "orange_river_free_state"):
        assert turn([], {"britain": 40}).refused("britain", actions.Place("protectorate", area)).code == "not_open"
    g = turn("3-6", {"britain": 40, "germany": 40})
    g.do("britain", actions.Place("protectorate", "transvaal"))
    g.do("britain", actions.Place("protectorate", "orange_river_free_state"))
    assert g.state.powers["britain"].treasury == 0


# Areas just taken by a Minor Power


@pytest.mark.rule("MIN-033")
def test_only_an_interest_follows_control_of_a_minor_power() -> None:
    g = turn([], {"france": 40}, areas={"kongo": {"markers": [marker("belgium", "protectorate", True, 1)]}})
    for kind in ("influence", "protectorate"):
        assert "MIN-033" in g.refused("france", actions.Place(kind, "kongo")).rules
    g.do("france", actions.Place("interest", "kongo"))  # accepted


@pytest.mark.rule("MIN-033")
def test_codominion_member_does_not_rise_after_a_minor_power() -> None:
    for since, allowed in ((1, True), (2, False)):
        both = [marker("belgium", "protectorate", True, since), marker("france", "protectorate")]
        there = {"kongo": {"markers": both, "codominion": ["belgium", "france"]}}
        g = turn([], {"france": 40}, areas=there, turn=2)
        if allowed:
            g.do("france", actions.Upgrade("possession", "kongo"))  # accepted
        else:
            assert g.refused("france", actions.Upgrade("possession", "kongo")).rules == ("MIN-033",)


# Forced expenditure

FORCED = [
    ("1-2", "britain", 30),
    ("2-2", "united_states", 30),
    ("2-3", "france", 30),
    ("2-4", "germany", 20),
    ("2-6", "russia", 30),
    ("3-1", "italy", 30),
    ("4-1", "japan", 30),
]


@pytest.mark.rule("EVT-022")
@pytest.mark.parametrize(("event", "power", "pounds"), FORCED)
def test_each_forced_expenditure_binds_one_power(event: str, power: str, pounds: int) -> None:
    g = turn(event, {power: 50})
    assert {p: due(g, p) for p in g.state.powers if due(g, p)} == {power: pounds}
    assert g.refused(power, actions.Ready()).code == "spend_due"


@pytest.mark.rule("EVT-022")
def test_no_other_event_is_a_forced_expenditure() -> None:
    g = start({"phase": "movement"})
    named = {e.dice for e in g.tables.events.values() if e.spend_at_least}
    assert named == {event for event, _, _ in FORCED}
    for event in sorted(set(g.tables.events) - named):
        g = start({"phase": "movement", "events_in_force": [event]})
        assert not any(due(g, p) for p in g.state.powers)


@pytest.mark.rule("EVT-017", "EVT-051")
def test_units_built_meet_the_duty() -> None:
    g = turn("2-3", {"france": 40})
    build(g, "france", *["A1"] * 7)
    assert due(g, "france") == 9
    assert "EVT-017" in g.refused("france", actions.Ready()).rules
    build(g, "france", "N3")
    assert due(g, "france") == 0
    g.do("france", actions.Ready())  # accepted


@pytest.mark.rule("EVT-017", "EVT-051")
def test_maintenance_paid_counts() -> None:
    # France has 21 strength points abroad in 1880: A10 N3 Algiers, A3 N3 Cochin China, A1 Guiana, A1 Senegambia
    g = administered("2-3")
    assert g.state.powers["france"].upkeep == 21 and due(g, "france") == 9
    g = administered("2-2")  # without the event there is nothing to count towards
    assert g.state.powers["france"].upkeep == due(g, "france") == 0


@pytest.mark.rule("EVT-018")
def test_other_spending_is_refused_before_the_duty_is_met() -> None:
    g = turn("2-3", {"france": 33})
    build(g, "france", *["A1"] * 7)
    assert due(g, "france") == 9 and g.state.powers["france"].treasury == 12
    assert "EVT-018" in g.refused("france", actions.Place("influence", "tunis")).rules
    assert "EVT-018" in g.refused("france", actions.Pay("italy", 4)).rules
    g.do("france", actions.Pay("italy", 3))
    g.do("italy", actions.Choose(g.pending()[0].id, ("accept",)))
    assert g.state.powers["france"].treasury == 9


@pytest.mark.rule("EVT-018")
def test_gift_is_checked_again_when_accepted() -> None:
    g = turn("2-3", {"france": 33})
    g.do("france", actions.Pay("italy", 3))
    g.do("france", actions.Pay("germany", 2))
    offers = {c.seat: c.id for c in g.pending()}
    g.do("italy", actions.Choose(offers["italy"], ("accept",)))
    assert g.state.powers["france"].treasury == 30
    assert "EVT-018" in g.refused("germany", actions.Choose(offers["germany"], ("accept",))).rules


@pytest.mark.rule("EVT-018", "EVT-019", "EVT-021")
def test_duty_takes_as_much_as_the_treasury_allows() -> None:
    g = turn("2-3", {"france": 5})
    assert g.refused("france", actions.Ready()).code == "spend_due"
    build(g, "france", "A1")
    assert g.state.powers["france"].treasury == 2
    before = (g.state.tension, g.state.powers["france"].victory_points, g.state.areas)
    g.do("france", actions.Ready())
    assert (g.state.tension, g.state.powers["france"].victory_points, g.state.areas) == before


@pytest.mark.rule("EVT-019")
def test_duty_without_any_money_is_waived() -> None:
    g = turn("2-3", {"france": 2})
    g.do("france", actions.Ready())
    assert g.state.powers["france"].victory_points == 0 and g.state.tension == 0


@pytest.mark.rule("EVT-018")
def test_the_duty_lapses_when_no_piece_is_free() -> None:
    c = start().tables.counters["japan"]
    units = [army("japan", 10)] * c.tens + [army("japan", 3)] * c.threes + [army("japan", 1)] * c.ones
    g = turn("4-1", {"japan": 50}, homes={"japan": {"units": units}})
    assert due(g, "japan") == 0
    g.do("japan", actions.Ready())
    g = turn("4-1", {"japan": 50}, homes={"japan": {"units": units[1:]}})
    assert due(g, "japan") == 30


@pytest.mark.rule("EVT-020", "EVT-021")
def test_units_then_markers_are_maintained_and_the_rest_is_built() -> None:
    # Italy: 15 for units abroad, 20 for two Protectorates, 40 of income, 30 to spend
    areas = {
        "eritrea": {"markers": [marker("italy", "protectorate")], "units": [army("italy", 10)]},
        "somalia": {"markers": [marker("italy", "protectorate")], "units": [army("italy", 3)] + [army("italy", 1)] * 2},
    }
    g = start({"phase": "administrative", "events_in_force": ["3-1"], "areas": areas})
    while g.state.phase != "movement":
        g.step()
    sheet = g.state.powers["italy"].record
    assert sheet["16"] == 15 and sheet["19"] == 20
    assert due(g, "italy") == 15
    left = g.state.powers["italy"].treasury
    assert left == (sheet["15"] or 0) - 35
    assert g.refused("italy", actions.Ready()).code == "spend_due"


@pytest.mark.rule("EVT-023")
def test_upheaval_in_russia_does_not_lift_the_duty() -> None:
    g = turn(["1-5", "2-6"], {"russia": 30})
    assert due(g, "russia") == 30
    assert g.refused("russia", actions.Ready()).code == "spend_due"


@pytest.mark.rule("EVT-063")
def test_the_german_duty_is_met_with_german_naval_units_only() -> None:
    g = turn("2-4", {"germany": 90, "austria_hungary": 60})
    build(g, "germany", "A10")
    build(g, "austria_hungary", "N10", seat="germany")
    assert due(g, "germany") == 20 and due(g, "austria_hungary") == 0
    build(g, "germany", "N3")
    assert due(g, "germany") == 10
    build(g, "germany", "N3")
    assert due(g, "germany") == 0


@pytest.mark.rule("EVT-018", "EVT-063")
def test_armies_do_not_meet_a_naval_duty() -> None:
    g = turn("2-4", {"germany": 29})
    assert "EVT-018" in g.refused("germany", actions.Build(("A3",))).rules
    g.do("germany", actions.Build(("A1", "A1", "A1")))
    build(g, "germany", "N3", "N3")  # accepted


@pytest.mark.rule("EVT-052", "EVT-063")
def test_german_naval_maintenance_abroad_counts() -> None:
    naval = {"power": "germany", "kind": "naval", "strength": 3}
    abroad = {"kamerun": {"markers": [marker("germany", "protectorate")], "units": [army("germany", 1), naval]}}
    g = administered("2-4", areas=abroad)
    # the N10 at home and the army count nothing
    assert g.state.powers["germany"].upkeep == 3 and due(g, "germany") == 17
    assert administered("2-4").state.powers["germany"].upkeep == 0


@pytest.mark.rule("EVT-043", "EVT-063")
def test_the_indian_army_counts_nothing_under_conservatives() -> None:
    # 58 of maintenance, 30 of it for the Indian Army: 2 are left to build
    g = administered("1-2")
    assert g.state.powers["britain"].upkeep == 28 and due(g, "britain") == 2
    g = administered("1-2", areas={"kashmir": {"units": [army("britain", 10)]}})  # an A10 for the A1
    assert g.state.powers["britain"].upkeep == 37 and due(g, "britain") == 0


@pytest.mark.rule("EVT-043")
def test_rebuilding_the_indian_army_counts_nothing_either() -> None:
    g = turn("1-2", {"britain": 90}, areas={"punjab": {"units": [army("britain", 1)]}})
    build(g, "britain", "A10")
    assert due(g, "britain") == 30
    build(g, "britain", "A10")  # one more is no rebuilding
    assert due(g, "britain") == 0


@pytest.mark.rule("EVT-025")
def test_great_war_by_a_required_fleet_has_no_culprit() -> None:
    g = turn("2-4", {"germany": 60}, indexes={"european_tensions": 98})
    build(g, "germany", "N10")
    assert g.state.result and g.state.result.culprits == ()
    g = turn("2-4", {"germany": 60}, indexes={"european_tensions": 95})
    build(g, "germany", "N10")
    assert g.state.result is None and g.state.tension == 98
    build(g, "germany", "N10")
    assert g.state.result and g.state.result.culprits == ("germany",)


@pytest.mark.rule("EVT-025")
def test_only_the_german_duty_shields_from_blame() -> None:
    g = turn("2-3", {"france": 60}, indexes={"european_tensions": 98})
    build(g, "france", "N10")
    assert g.state.result and g.state.result.culprits == ("france",)


# The cap


@pytest.mark.rule("EVT-007", "EVT-045")
def test_liberals_allow_ten_pounds_for_units() -> None:
    g = turn("1-3", {"britain": 50})
    assert "EVT-045" in g.refused("britain", actions.Build(("A3", "A1"))).rules
    build(g, "britain", "A3")
    refusal = g.refused("britain", actions.Build(("A1",)))
    assert refusal.code == "cap" and "EVT-045" in refusal.rules
    assert "EVT-045" in g.refused("britain", actions.Build(("N1",))).rules
    g.do("britain", actions.Place("possession", "sarawak"))  # money for anything else is free
    g = turn([], {"britain": 50})
    build(g, "britain", "A3", "A1")  # accepted


# Garrisons to rebuild


@pytest.mark.rule("STA-046")
def test_indian_army_is_rebuilt_first() -> None:
    lost = {a: {"units": [army("britain", 1)]} for a in ("punjab", "australia", "canada")}
    g = turn([], {"britain": 35}, areas=lost)
    assert "STA-046" in g.refused("britain", actions.Ready()).rules
    assert "STA-046" in g.refused("britain", actions.Place("interest", "sarawak")).rules
    assert "STA-046" in g.refused("britain", actions.Build(("A1",))).rules
    build(g, "britain", "A10")
    g.do("britain", actions.Place("interest", "sarawak"))
    g = turn([], {"britain": 29}, areas=lost)  # it cannot afford it
    g.do("britain", actions.Place("interest", "sarawak"))  # accepted


@pytest.mark.rule("STA-046", "EVT-045")
def test_cap_on_units_suspends_the_rebuilding() -> None:
    g = turn("1-3", {"britain": 35}, areas={"punjab": {"units": [army("britain", 1)]}})
    assert "EVT-045" in g.refused("britain", actions.Build(("A10",))).rules
    g.do("britain", actions.Place("interest", "sarawak"))
    assert g.fresh("sarawak", "britain") == "interest"


@pytest.mark.rule("STA-046")
def test_rebuilding_needs_a_free_piece() -> None:
    tens = start().tables.counters["britain"].tens
    fleets = [{"power": "britain", "kind": "naval", "strength": 10}] * (tens - 4)
    lost = {"punjab": {"units": [army("britain", 1)]}}
    g = turn([], {"britain": 35}, areas=lost, homes={"britain": {"units": fleets}})
    g.do("britain", actions.Place("interest", "sarawak"))  # accepted


@pytest.mark.rule("STA-049")
def test_russia_rebuilds_its_western_garrison() -> None:
    g = turn([], {"russia": 30}, homes={"russia": {"units": [army("russia", 10)] * 2}})
    assert "STA-049" in g.refused("russia", actions.Ready()).rules
    assert "STA-049" in g.refused("russia", actions.Place("interest", "persia")).rules
    build(g, "russia", "A10")
    g.do("russia", actions.Ready())
    g = turn([], {"russia": 30}, homes={"russia": {"units": [army("russia", 10)] * 3}})
    g.do("russia", actions.Place("interest", "persia"))  # accepted


@pytest.mark.rule("EVT-019")
def test_arbiter_waives_open_duties() -> None:
    g = turn("2-3", {"france": 30})
    g.step()
    waived = [(e.power, e.amount) for e in g.all_of(events.DutyWaived)]
    assert waived == [("france", 30)]


# King Leopold


def leopold(money: int, **rest: Any) -> Bench:
    return turn("4-2", {"belgium": money}, players=8, options={"belgium": "yes"}, **rest)


@pytest.mark.rule("BEL-012")
def test_leopold_demands_a_protectorate_or_possession() -> None:
    g = leopold(41)
    assert g.refused("belgium", actions.Ready()).rules == ("BEL-012",)
    g.do("belgium", actions.Place("interest", "gabon"))
    assert g.refused("belgium", actions.Ready()).rules == ("BEL-012",)
    g.do("belgium", actions.Upgrade("protectorate", "kongo"))
    g.do("belgium", actions.Ready())
    old = {"markers": [marker("belgium", "protectorate")], "units": [army("belgium", 1)]}
    assert leopold(41, areas={"kongo": old}).refused("belgium", actions.Ready()).rules == ("BEL-012",)
    g = leopold(41)
    g.do("belgium", actions.Place("protectorate", "kamerun"))
    g.do("belgium", actions.Ready())  # accepted


@pytest.mark.rule("BEL-012")
def test_leopold_demands_only_what_is_possible() -> None:
    leopold(9).do("belgium", actions.Ready())
    assert "BEL-012" in leopold(10).refused("belgium", actions.Ready()).rules
    leopold(10, sea_zones={"north_atlantic": {"merchant_fleets": []}}).do("belgium", actions.Ready())
    assert "BEL-012" in leopold(12).refused("belgium", actions.Place("interest", "gabon")).rules
    turn([], {"belgium": 41}, players=8, options={"belgium": "yes"}).do("belgium", actions.Ready())  # accepted


@pytest.mark.rule("BEL-012", "STA-034")
@pytest.mark.parametrize("kind", ["protectorate", "possession"])
def test_transferred_marker_does_not_meet_leopolds_demand(kind: str) -> None:
    given = {"gabon": {"markers": [marker("france", kind)], "units": []}}
    g = leopold(41, areas=given)
    g.act("france", "transfer gabon to belgium")
    g.act("belgium", f"choose {g.pending()[0].id} accept")
    assert g.kind("gabon", "belgium") == kind
    g.act("belgium", "garrison")
    assert g.refused("belgium", "ready").code == "leopold_due"
    if kind == "protectorate":  # but a step bought on top of it does
        g.act("belgium", "upgrade possession gabon")
        g.act("belgium", "ready")
        assert "belgium" in g.state.ready


@pytest.mark.rule("BEL-012", "STA-027")
def test_possession_over_a_protectorate_meets_leopolds_demand() -> None:
    old = {"markers": [marker("belgium", "protectorate")], "units": [army("belgium", 1)]}
    g = leopold(41, areas={"kongo": old})
    g.act("belgium", "upgrade possession kongo")
    # the demand stays met after a transfer
    g.act("belgium", "transfer kongo to france")
    g.act("france", f"choose {g.pending()[0].id} accept")
    g.act("belgium", "ready")
    assert "belgium" in g.state.ready


@pytest.mark.rule("BEL-012", "MOV-002")
def test_moving_a_fleet_does_not_lift_leopolds_demand() -> None:
    g = leopold(41)
    fleets = [z for z, owners in g.state.sea_zones.items() if "belgium" in owners]
    for zone, to in zip(fleets, ("north_pacific", "baltic", "black_sea"), strict=False):
        g.act("belgium", f"merchant {zone} > {to}")
    assert g.refused("belgium", "place protectorate kongo").code == "no_link"
    refusal = g.refused("belgium", "ready")
    assert refusal.code == "leopold_due" and refusal.detail["price"] == 10
    assert "at the start of the Phase" in refusal.message
    # nor may the money be spent or given away meanwhile
    assert g.refused("belgium", "place interest gabon").code == "no_link"
    assert g.refused("belgium", "pay france 32").code == "leopold_first"
    g.act("belgium", "pay france 31")
    for zone, to in zip(fleets, ("north_pacific", "baltic", "black_sea"), strict=False):
        g.act("belgium", f"merchant {to} > {zone}")
    g.act("belgium", "upgrade protectorate kongo")
    g.act("belgium", "ready")


@pytest.mark.rule("BEL-012", "STA-030")
def test_giving_up_an_influence_does_not_lift_leopolds_demand() -> None:
    g = leopold(15)  # enough to raise the Influence in the Kongo, not for a new Protectorate
    g.act("belgium", "withdraw influence kongo")
    assert g.refused("belgium", "ready").code == "leopold_due"
    g.step()
    assert [e.duty for e in g.all_of(events.DutyWaived)] == ["King Leopold's demand"]


@pytest.mark.rule("BEL-012")
def test_marker_of_last_turn_does_not_meet_leopolds_demand() -> None:
    g = leopold(41)
    g.act("belgium", "upgrade protectorate kongo")
    while g.state.turn == 1:
        g.step()
    while g.state.phase != "movement":
        g.step()
    rich = {**g.state.powers, "belgium": replace(g.state.powers["belgium"], treasury=41)}
    g.state = replace(g.state, events=("4-2",), leopold=True, powers=rich)
    assert g.refused("belgium", "ready").code == "leopold_due"


# Money


@pytest.mark.rule("MOV-020")
def test_money_changes_hands_when_both_agree() -> None:
    g = turn([], {"france": 29})
    g.do("france", actions.Pay("italy", 10))
    assert g.state.powers["france"].treasury == 29
    (choice,) = g.pending()
    assert (choice.seat, choice.kind, choice.default) == ("italy", "money", "decline")
    g.do("italy", actions.Choose(choice.id, ("accept",)))
    assert g.state.powers["france"].treasury == 19 and g.state.powers["italy"].treasury == 10
    g.do("france", actions.Pay("italy", 10))
    g.do("italy", actions.Choose(g.pending()[0].id, ("decline",)))
    assert g.state.powers["france"].treasury == 19


@pytest.mark.rule("MOV-020")
def test_powers_that_cannot_give_or_receive_money() -> None:
    g = turn([], {"france": 29, "austria_hungary": 29, "germany": 29})
    assert "MOV-020" in g.refused("france", actions.Pay("spain", 1)).rules
    assert "MOV-020" in g.refused("germany", actions.Pay("germany", 1, "austria_hungary")).rules
    assert "MOV-020" in g.refused("france", actions.Pay("austria_hungary", 1)).rules
    assert g.refused("france", actions.Pay("italy", 30)).code == "no_money"
    assert "MOV-020" in g.refused("france", actions.Pay("italy", 0)).rules
    g.do("germany", actions.Pay("austria_hungary", 9))
    assert g.state.powers["austria_hungary"].treasury == 38 and g.state.powers["germany"].treasury == 20
