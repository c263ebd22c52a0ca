"""The Administrative Phase (ADM): record sheets, the Colonial Office, and what a deficit costs."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.status import established
from paxtui.games.pax.events import events
from paxtui.games.pax.turn import administration
from tests.rules.harness import UNLIMITED, Bench, army, marker, naval, start

MARKERS = ("01", "02", "03", "04", "05", "06", "07", "08", "09")


def administrative(*dice: int, players: int = 7, **patch: Any) -> Bench:
    """An Administrative Phase with these dice, played until a choice is pending."""
    g = start({"phase": "administrative", **patch}, players, UNLIMITED)
    g.dice(*dice)
    g.advance()
    return g


def record(g: Bench, power: str) -> dict[str, int | None]:
    return g.state.powers[power].record


def one(power: str, area: str, kind: str, *units: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A patch of one Area with one marker of a Power, and units."""
    return {area: {"markers": [marker(power, kind)], "units": list(units), **more}}


# The first turn


@pytest.mark.rule("SET-066", "ADM-002")
def test_first_record_follows_from_the_deployment() -> None:
    g = administrative(3, 2, 4, 4)
    britain, france, america = (record(g, p) for p in ("britain", "france", "united_states"))
    assert (britain["11"], britain["21"], britain["16"]) == (425, 388, 58)
    assert (france["11"], france["18"], france["16"]) == (110, 80, 21)
    assert (america["11"], america["18"], america["16"]) == (30, 20, 1)
    assert (britain["22"], france["22"], america["22"]) == (62, 29, 29)
    before = start()
    forecasts = {p: administration.forecast_net_income(before.tables, before.state, p) for p in before.state.powers}
    assert forecasts["britain"] == 37 and forecasts["france"] == 9 and forecasts["united_states"] == 9


@pytest.mark.rule("SET-066")
def test_the_first_turn_begins_with_the_random_events() -> None:
    g = start()
    assert (g.state.turn, g.state.phase) == (1, "random_events")
    g.dice(1, 1, 5)
    g.step()
    assert g.state.phase == "administrative"


@pytest.mark.rule("SET-067", "ADM-009", "ADM-010")
def test_powers_that_roll_in_the_first_turn() -> None:
    g = administrative(3, 2, 4, 4)
    assert g.queue == ()
    offices = {e.power: (e.die, e.amount) for e in g.all_of(events.OfficeIncome)}
    assert offices == {
        "britain": (3, 25),
        "france": (2, 20),
        "germany": (0, 30),
        "united_states": (4, 20),
        "japan": (0, 30),
        "russia": (0, 30),
        "italy": (0, 30),
        "austria_hungary": (4, 10),
    }


@pytest.mark.rule("SET-067")
def test_random_events_change_the_first_colonial_office_income() -> None:
    g = start({"phase": "random_events"})
    g.dice(1, 1, 3, 6, 1, 1, 1)
    g.step()
    g.step()
    assert record(g, "britain")["10"] == 23


@pytest.mark.rule("SET-068", "SEQ-008")
def test_minor_powers_phase_follows_the_last_record_sheet() -> None:
    g = start({"phase": "administrative"})
    g.dice(3, 2, 4, 4)
    g.step()
    assert g.state.phase == "minor_powers"
    assert {n: p.treasury for n, p in g.state.powers.items()} == {
        "britain": 62,
        "france": 29,
        "germany": 30,
        "united_states": 29,
        "japan": 30,
        "russia": 30,
        "italy": 30,
        "austria_hungary": 10,
    }


@pytest.mark.rule("SET-068", "SEQ-008", "ADM-020")
def test_phase_waits_for_a_deficit_and_completes_the_other_sheets() -> None:
    g = five_short()
    assert g.state.phase == "administrative" and g.waiting() == ("russia",)
    assert record(g, "austria_hungary")["22"] == 30  # rolled after Russia's sheet
    g.dice(6)
    g.do("russia", actions.Choose(g.pending()[0].id, ("influence mongolia",)))
    assert g.state.phase == "administrative" and g.waiting() == ()
    g.step()
    assert g.state.phase == "minor_powers"
    assert g.queue == (6,)  # no Power rolls twice


# The status record


@pytest.mark.rule("ADM-004", "ADM-005")
def test_the_status_record_counts_markers_and_values_by_kind() -> None:
    g = administrative(1, 1, 1, 1)
    assert [record(g, "united_states")[k] for k in MARKERS] == [0, 1, 6, 0, 0, 0, 0, 0, 0]
    five = {
        **one("france", "egypt", "protectorate", army("france", 1)),  # 8
        **one("france", "tunis", "influence"),  # 5
        **one("france", "siam", "interest"),  # 3
        **one("france", "kongo", "influence"),  # 8
    }
    g = administrative(1, 1, 1, 1, areas=five)
    # three whole Possessions and Guiana (4 less 2)
    assert [record(g, "france")[k] for k in MARKERS] == [0, 4, 22, 1, 8, 2, 13, 1, 3]
    state = one("united_states", "alaska", "state", army("united_states", 1))
    g = administrative(1, 1, 1, 1, areas=state)
    assert [record(g, "united_states")[k] for k in MARKERS] == [1, 0, 6, 0, 0, 0, 0, 0, 0]


@pytest.mark.rule("ADM-006", "ADM-007")
def test_a_marker_without_a_link_neither_earns_nor_costs() -> None:
    cuba = one("united_states", "cuba", "possession", army("united_states", 1))
    linked = administrative(1, 1, 1, 1, areas=cuba)
    assert record(linked, "united_states")["02"] == 2 and record(linked, "united_states")["11"] == 60
    cut = administrative(1, 1, 1, 1, areas=cuba, sea_zones={"caribbean": {"merchant_fleets": ["spain"]}})
    sheet = record(cut, "united_states")
    assert (sheet["02"], sheet["03"], sheet["11"], sheet["18"]) == (1, 6, 30, 20)
    assert sheet["16"] == 2  # the garrison is paid all the same


@pytest.mark.rule("ADM-007")
def test_link_is_tested_in_the_administrative_phase() -> None:
    """A French fleet gone from the Mediterranean, as by a move of the turn before, costs the income of Algiers."""
    g = administrative(1, 1, 1, 1, sea_zones={"mediterranean": {"merchant_fleets": []}})
    assert record(g, "france")["11"] == 110 - 40


# Income


@pytest.mark.rule("ADM-001")
def test_a_possession_in_cuba_earns_30_and_costs_20() -> None:
    base = administrative(1, 1, 1, 1)
    g = administrative(1, 1, 1, 1, areas=one("united_states", "cuba", "possession"))
    earned = [(record(g, "united_states")[k] or 0) - (record(base, "united_states")[k] or 0) for k in ("15", "21")]
    assert earned == [30, 20]


@pytest.mark.rule("ADM-008")
@pytest.mark.parametrize(("die", "amounts"), [(1, (15, 10, 5)), (4, (35, 20, 10)), (6, (45, 30, 30))])
def test_one_die_on_the_row_of_the_power(die: int, amounts: tuple[int, int, int]) -> None:
    more = {
        **one("germany", "kamerun", "protectorate", army("germany", 1)),
        **one("japan", "formosa", "protectorate", army("japan", 1)),
    }
    g = administrative(die, 1, die, 1, die, 1, areas=more)
    assert tuple(record(g, p)["10"] for p in ("britain", "germany", "japan")) == amounts
    assert g.queue == ()


@pytest.mark.rule("ADM-009")
def test_power_without_a_control_marker_gets_the_six_without_a_roll() -> None:
    g = administrative(1, 1, 1, 1)
    assert record(g, "italy")["10"] == 30 and g.queue == ()
    influence = administrative(1, 1, 1, 1, areas=one("italy", "tunis", "influence"))
    assert record(influence, "italy")["10"] == 30 and influence.queue == ()
    mark = one("italy", "tunis", "protectorate", army("italy", 1))
    rolls = administrative(1, 1, 1, 2, 1, areas=mark)
    assert record(rolls, "italy")["10"] == 7 and rolls.queue == ()


@pytest.mark.rule("ADM-009")
def test_a_control_marker_without_a_link_counts_as_one() -> None:
    g = administrative(1, 1, 1, 2, 1, areas=one("italy", "fiji", "protectorate"))
    assert record(g, "italy")["10"] == 7 and record(g, "italy")["04"] == 0


@pytest.mark.rule("ADM-010")
@pytest.mark.parametrize("die", [1, 2, 6])
def test_austria_hungary_always_rolls(die: int) -> None:
    amount = {1: 5, 2: 7, 6: 30}[die]
    assert record(administrative(1, 1, 1, die), "austria_hungary")["10"] == amount
    mark = one("austria_hungary", "serbia", "protectorate", army("austria_hungary", 1))
    assert record(administrative(1, 1, 1, die, areas=mark), "austria_hungary")["10"] == amount


@pytest.mark.rule("ADM-003")
def test_germany_and_austria_hungary_have_separate_sheets() -> None:
    g = administrative(1, 1, 1, 4)
    assert (g.state.powers["germany"].treasury, g.state.powers["austria_hungary"].treasury) == (30, 10)
    assert record(g, "germany")["10"] == 30 and record(g, "austria_hungary")["10"] == 10


@pytest.mark.rule("ADM-011")
@pytest.mark.parametrize(
    ("kind", "line", "income"), [("interest", "14", 4), ("influence", "13", 8), ("protectorate", "12", 16)]
)
def test_income_is_value_times_multiplier(kind: str, line: str, income: int) -> None:
    """Abyssinia's neighbour Berbera (4) on the Indian Ocean."""
    g = administrative(1, 1, 1, 1, 1, areas=one("italy", "berbera", kind, army("italy", 1)))
    assert {k: v for k, v in record(g, "italy").items() if k in ("11", "12", "13", "14") and v} == {line: income}


@pytest.mark.rule("ADM-011")
def test_possession_dominion_and_state_earn_five_times_the_value() -> None:
    g = administrative(1, 1, 1, 1, areas=one("united_states", "alaska", "state"))
    assert record(g, "united_states")["11"] == 30
    assert record(administrative(1, 1, 1, 1), "united_states")["11"] == 30
    # 1880: Canada (9) is a Dominion
    canada = administrative(1, 1, 1, 1, areas={"canada": {"markers": []}})
    assert record(canada, "britain")["11"] == 425 - 45


@pytest.mark.rule("ADM-012")
def test_total_income_adds_office_and_areas() -> None:
    assert record(administrative(3, 2, 4, 4), "france")["15"] == 130
    four = {
        **one("france", "egypt", "protectorate", army("france", 1)),
        **one("france", "tunis", "influence"),
        **one("france", "siam", "interest"),
    }
    sheet = record(administrative(3, 2, 4, 4, areas=four), "france")
    assert sheet["15"] == 20 + 110 + 32 + 10 + 3


@pytest.mark.rule("ADM-023", "ADM-011")
def test_a_codominion_of_three_earns_on_the_reduced_value() -> None:
    """Hawaii (5): three Protectorates 12 each, a French Interest still 5."""
    powers = ("united_states", "germany", "japan")
    hawaii = {
        "hawaii": {
            "markers": [*(marker(p, "protectorate") for p in powers), marker("france", "interest")],
            "units": [army(p, 1) for p in powers],
            "codominion": list(powers),
        }
    }
    zones = {"oceania": ["germany", "france"], "north_pacific": ["united_states", "germany", "japan", "france"]}
    fleets = {z: {"merchant_fleets": ps} for z, ps in zones.items()}
    g = administrative(1, 1, 1, 1, 1, 1, areas=hawaii, sea_zones=fleets)
    for power in powers:
        assert record(g, power)["05"] == 3 and record(g, power)["12"] == 12, power
    assert record(g, "france")["14"] == 5


# Maintenance


@pytest.mark.rule("ADM-013")
def test_units_abroad_cost_their_strength_points() -> None:
    assert record(administrative(1, 1, 1, 1), "france")["16"] == 21
    more = {"algiers": {"units": [army("france", 3), naval("france", 10)]}}
    assert record(administrative(1, 1, 1, 1, areas=more), "france")["16"] == 21


@pytest.mark.rule("ADM-013", "ADM-014")
def test_units_at_home_cost_nothing() -> None:
    g = administrative(1, 1, 1, 1)
    assert record(g, "germany")["16"] == 0
    assert sum(u.strength for u in g.state.homes["germany"]) == 38


@pytest.mark.rule("ADM-015")
def test_maintenance_of_each_kind_of_marker() -> None:
    britain = record(administrative(1, 1, 1, 1), "britain")
    assert (britain["17"], britain["18"]) == (30, 300)
    three = {
        **one("france", "egypt", "protectorate", army("france", 1)),
        **one("france", "tunis", "influence"),
        **one("france", "siam", "interest"),
    }
    france = record(administrative(1, 1, 1, 1, areas=three), "france")
    assert (france["17"], france["18"], france["19"], france["20"]) == (0, 80, 10, 5)
    state = record(administrative(1, 1, 1, 1, areas=one("united_states", "alaska", "state")), "united_states")
    assert (state["17"], state["18"]) == (30, 0)


@pytest.mark.rule("ADM-016")
def test_total_maintenance_adds_units_and_markers() -> None:
    assert record(administrative(1, 1, 1, 1), "britain")["21"] == 58 + 330
    two = {**one("france", "egypt", "protectorate", army("france", 1)), **one("france", "tunis", "influence")}
    assert record(administrative(1, 1, 1, 1, areas=two), "france")["21"] == 22 + 80 + 10 + 5


@pytest.mark.rule("ADM-017")
def test_units_in_own_dominions_and_states_are_free() -> None:
    base = record(administrative(1, 1, 1, 1), "britain")
    lowered = {"canada": {"markers": [marker("britain", "possession")]}}
    paid = record(administrative(1, 1, 1, 1, areas=lowered), "britain")
    assert base["16"] == 58 and paid["16"] == 58 + 13  # A10 and N3
    assert base["17"] == 30 and paid["17"] == 0
    alaska = one("united_states", "alaska", "state", army("united_states", 3))
    assert record(administrative(1, 1, 1, 1, areas=alaska), "united_states")["16"] == 0


@pytest.mark.rule("ADM-018")
def test_net_income_is_the_treasury_of_the_turn() -> None:
    g = administrative(3, 2, 4, 4)
    assert record(g, "france")["22"] == g.state.powers["france"].treasury == 29


@pytest.mark.rule("ADM-019")
def test_the_treasury_is_set_not_increased() -> None:
    g = administrative(3, 2, 4, 4, powers={"france": {"treasury": 6}, "italy": {"treasury": 40}})
    assert g.state.powers["france"].treasury == 29
    assert g.state.powers["italy"].treasury == 30


@pytest.mark.rule("SET-054")
def test_every_sheet_of_a_power_is_kept_turn_by_turn() -> None:
    g = start({"phase": "final_record"})
    g.step()
    for turn in (2, 3):
        g.dice(1, 1, 5, 1, 1, 1, turn)
        g.step()  # random events
        g.step()  # administrative
        while g.state.turn == turn:
            g.step()
    for power in ("britain", "austria_hungary"):
        assert sorted(g.state.powers[power].past) == ["2", "3"]
        assert g.state.powers[power].past["2"]["22"] is not None
    assert g.state.powers["austria_hungary"].past["2"]["22"] == 7
    assert g.state.powers["austria_hungary"].past["3"]["22"] == 10
    assert "spain" not in g.state.powers  # Minor Powers keep no record


@pytest.mark.rule("ADM-022")
def test_the_projected_record_is_what_the_next_phase_writes() -> None:
    more = {
        **one("france", "egypt", "protectorate", army("france", 1)),
        **one("france", "tunis", "influence"),
        **one("france", "siam", "interest"),
        **one("germany", "kamerun", "possession", army("germany", 3)),
    }
    before = start({"phase": "negotiation", "areas": more})
    after = administrative(1, 1, 1, 1, 1, areas=more)
    lines = {*administration.FIGURED, "21"}
    for power in before.state.powers:
        figures = administration.sheet_lines(before.tables, before.state, power)
        assert set(figures) == lines
        assert {k: record(after, power)[k] for k in lines} == figures
        net, office = record(after, power)["22"], record(after, power)["10"]
        assert net == administration.forecast_net_income(before.tables, before.state, power) + (office or 0)


@pytest.mark.rule("ADM-022")
def test_the_projected_record_follows_the_position() -> None:
    """Changes during the turn are in the projected figures at once."""
    g = start({"phase": "movement", "areas": one("france", "tunis", "influence")})

    def lines(*numbers: str) -> list[int]:
        return [administration.sheet_lines(g.tables, g.state, "france")[n] for n in numbers]

    assert lines("06", "07", "08", "16", "20") == [1, 5, 0, 21, 5]
    g.do("france", actions.Downgrade("interest", "tunis"))
    assert lines("06", "07", "08", "16", "20") == [0, 0, 1, 21, 0]
    assert lines("04") == [0]
    g.do("france", actions.Move(("A3",), ("home:france", "mediterranean", "algiers")))
    assert lines("16") == [24]
    g.do("france", actions.Merchant("mediterranean", "caribbean"))
    assert lines("02", "08") == [3, 0]  # Algiers and Tunis have lost their link


# Deficits

Units = dict[str, list[int]]


def russia(units: Units, markers: dict[str, str], events: str = "1-5", **more: Any) -> Bench:
    """Russia without Colonial Office income (event 1-5), with these units and markers.

    Mongolia is worth 3, Persia and Turcomania 4, Afghanistan 2; all of them lie next to Russia.
    """
    areas: dict[str, Any] = {}
    for area in {*units, *markers}:
        areas[area] = {
            "markers": [marker("russia", markers[area])] if area in markers else [],
            "units": [army("russia", n) for n in units.get(area, [])],
        }
    g = administrative(1, 1, 1, 6, areas=areas, events_in_force=events.split(), **more)
    assert g.queue == ()
    return g


def deficit(g: Bench) -> int:
    """Russia's deficit in £."""
    sheet = record(g, "russia")
    return (sheet["21"] or 0) - (sheet["15"] or 0)


def strength(g: Bench) -> int:
    """Strength points of Russia abroad."""
    return sum(u.strength for a in g.state.areas.values() for u in a.units if u.power == "russia")


def five_short() -> Bench:
    """An Influence (earns 6, costs 5) and A3 A1 A1 A1 abroad."""
    g = russia({"mongolia": [3, 1, 1, 1]}, {"mongolia": "influence"})
    assert deficit(g) == 5
    return g


def six_short() -> Bench:
    """An Influence (earns 6, costs 5) and A3 A3 A1 abroad."""
    g = russia({"mongolia": [3, 3, 1]}, {"mongolia": "influence"})
    assert deficit(g) == 6
    return g


def choose(g: Bench, *answer: str) -> None:
    g.do("russia", actions.Choose(g.pending()[0].id, answer))


def refused(g: Bench, *answer: str) -> Any:
    return g.refused("russia", actions.Choose(g.pending()[0].id, answer))


@pytest.mark.rule("ADM-020", "ETI-038")
def test_deficit_of_4_takes_a3_and_a1_instead_of_a10() -> None:
    units = {"turcomania": [10], "persia": [3, 1], "mongolia": [1]}
    g = russia(units, {"persia": "interest", "turcomania": "interest", "mongolia": "interest"})
    assert deficit(g) == 4
    assert refused(g, "A10 turcomania").code == "not_exact"
    assert refused(g, "A3 persia").rules == ("ADM-020", "ADM-024")
    choose(g, "A3 persia", "A1 mongolia")
    assert g.state.powers["russia"].treasury == 0 and record(g, "russia")["22"] == 0
    assert strength(g) == 11
    assert g.state.tension == 0  # units given up raise nothing


@pytest.mark.rule("ADM-021")
def test_player_chooses_between_units_and_markers() -> None:
    units = five_short()
    choose(units, "A3 mongolia", "A1 mongolia", "A1 mongolia")
    assert strength(units) == 1 and established(units.state, "mongolia", "russia") is not None
    mark = five_short()
    choose(mark, "influence mongolia")
    assert strength(mark) == 6 and established(mark.state, "mongolia", "russia") is None
    assert units.state.powers["russia"].treasury == mark.state.powers["russia"].treasury == 0


@pytest.mark.rule("ETI-038", "ADM-020", "ETI-013")
def test_influence_given_up_raises_tensions_by_2_blamed_on_its_owner() -> None:
    g = five_short()
    choose(g, "influence mongolia")
    raised = g.of(events.TensionRaised)
    assert [(e.amount, e.total, e.blame) for e in raised] == [(2, 2, "russia")]
    assert "ETI-038" in raised[0].rules
    last = russia({"mongolia": [3, 1, 1, 1]}, {"mongolia": "influence"}, indexes={"european_tensions": 98})
    choose(last, "influence mongolia")
    assert last.state.result is not None and last.state.result.culprits == ("russia",)


@pytest.mark.rule("ADM-024")
def test_only_sets_with_the_least_excess_are_accepted() -> None:
    for answer in (("A3 mongolia", "A3 mongolia"), ("influence mongolia", "A1 mongolia")):
        g = six_short()
        choose(g, *answer)
        assert g.state.powers["russia"].treasury == 0 and g.waiting() == ()
    g = six_short()
    assert refused(g, "A3 mongolia", "A3 mongolia", "A1 mongolia").code == "not_exact"
    assert refused(g, "influence mongolia").code == "not_exact"
    assert refused(g, "A3 mongolia", "A3 mongolia", "A3 mongolia").code == "not_offered"


@pytest.mark.rule("ADM-024")
def test_single_possible_set_is_taken_without_a_question() -> None:
    g = russia({"persia": [10]}, {"persia": "interest", "afghanistan": "interest"})
    assert deficit(g) == 4 and g.pending() == []
    assert strength(g) == 0 and g.state.powers["russia"].treasury == 0 and record(g, "russia")["22"] == 0


@pytest.mark.rule("ADM-024")
def test_power_without_income_gives_up_everything() -> None:
    g = russia({"persia": [3, 1]}, {})
    assert deficit(g) == 4 and g.pending() == [] and strength(g) == 0


@pytest.mark.rule("ADM-024", "ADM-006")
def test_pieces_that_save_nothing_cannot_be_chosen() -> None:
    """Interests, a marker without a link (Fiji), units at home."""
    markers = {"mongolia": "influence", "persia": "interest", "fiji": "influence"}
    g = russia({"mongolia": [3, 1, 1, 1], "fiji": [3, 1]}, markers)
    assert deficit(g) == 5
    options = set(g.pending()[0].options)
    assert options == {"A3 mongolia", "A1 mongolia", "influence mongolia", "A3 fiji", "A1 fiji"}
    assert g.state.homes["russia"]


@pytest.mark.rule("ADM-024", "ADM-017")
def test_units_in_a_dominion_may_not_be_chosen() -> None:
    """Britain without Merchant Fleets has only its Colonial Office, and no linked marker."""
    zones = start().state.sea_zones
    none = {z: {"merchant_fleets": [p for p in ps if p != "britain"]} for z, ps in zones.items()}
    g = administrative(1, 1, 1, 1, sea_zones=none)
    options = g.pending()[0].options
    assert "A10 australia" in options and not any(o.endswith(" canada") for o in options)
    assert all(o[0] in "AN" for o in options)


@pytest.mark.rule("ADM-020", "ADM-024")
def test_the_default_is_the_least_excess_with_the_fewest_pieces() -> None:
    g = six_short()
    assert g.pending()[0].default in (("A3 mongolia", "A3 mongolia"), ("influence mongolia", "A1 mongolia"))
    g.step()
    assert g.state.phase == "minor_powers" and g.state.powers["russia"].treasury == 0
    left = strength(g), established(g.state, "mongolia", "russia") is not None
    assert left in ((1, True), (6, False))


# Deficits in a turn of forced expenditure


@pytest.mark.rule("ADM-021", "EVT-020")
def test_markers_are_given_up_before_units_that_an_event_counts() -> None:
    """Net -5 under Pan-Slav Agitation: A3 A1 A1 would do, but the Influence must go."""
    g = russia({"mongolia": [3, 1, 1, 1]}, {"mongolia": "influence"}, "1-5 2-6")
    assert deficit(g) == 5 and g.pending() == []
    assert strength(g) == 6 and established(g.state, "mongolia", "russia") is None
    assert g.state.powers["russia"].upkeep == 6


@pytest.mark.rule("ADM-021")
def test_player_chooses_among_the_markers() -> None:
    g = russia({"persia": [3, 1, 1]}, {"mongolia": "influence", "afghanistan": "influence"}, "1-5 2-6")
    assert deficit(g) == 5
    assert set(g.pending()[0].options) == {"influence mongolia", "influence afghanistan"}
    assert refused(g, "A3 persia", "A1 persia", "A1 persia").rules
    choose(g, "influence afghanistan")
    assert strength(g) == 5 and established(g.state, "mongolia", "russia") is not None


@pytest.mark.rule("EVT-020", "ADM-021")
def test_units_are_given_up_after_all_markers() -> None:
    """£8 deficit with an Influence (5) and A3 A3 A1: the Influence, then £3 of units; what is unpaid does not count."""
    g = russia({"persia": [3, 3, 1]}, {"afghanistan": "influence"}, "1-5 2-6")
    assert deficit(g) == 8
    assert established(g.state, "afghanistan", "russia") is None
    assert strength(g) == 4 and g.state.powers["russia"].upkeep == 4


@pytest.mark.rule("EVT-021", "ADM-024")
def test_surplus_of_a_marker_given_up_buys_the_units_of_the_duty() -> None:
    """A Protectorate (10) covers £3: £7 are over, £6 of them buy A1 A1, the rest is lost (Decision 19)."""
    # Persia earns 16 and costs 10, the units cost 9
    g = russia({"persia": [3, 3, 3]}, {"persia": "protectorate"}, "1-5 2-6")
    assert deficit(g) == 3 and established(g.state, "persia", "russia") is None
    assert g.state.powers["russia"].treasury == 6 and record(g, "russia")["22"] == 6
    quiet = russia({"persia": [3, 3, 3]}, {"persia": "protectorate"})
    assert strength(quiet) == 6 and quiet.state.powers["russia"].treasury == 0
