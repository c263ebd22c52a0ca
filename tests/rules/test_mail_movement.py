"""Play by mail (PBM): the Movement/Status Change Phase, all orders at once, with conditions, priority and gifts."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions import actions
from paxtui.games.pax.events import events
from tests.rules.harness import Bench, army, at_home, here, marker, moving, start
from tests.rules.mail import orders_only, public, refused, results, send

TUNIS = {"tunis": here()}
PLACE = "place protectorate tunis"


def quiet(money: int | dict[str, int] = 100, **patch: Any) -> Bench:
    """A Movement/Status Change Phase with Tunis empty and two Armies (3) at home in Italy."""
    italy = at_home("italy", army("italy", 3), army("italy", 3))
    return moving(money, areas={**TUNIS, **patch.pop("areas", {})}, homes={**italy, **patch.pop("homes", {})}, **patch)


def money(g: Bench, *powers: str) -> tuple[int, ...]:
    return tuple(g.state.powers[power].treasury for power in powers)


# Conditions


@pytest.mark.rule("PBM-015")
@pytest.mark.parametrize("britain", ["", PLACE])
def test_example_italy_follows_britain_to_tunis(britain: str) -> None:
    g = orders_only(
        quiet(),
        italy="if britain places a protectorate in tunis: place protectorate tunis; move A3 A3 home > tunis",
        britain=britain,
    )
    if britain:
        assert results(g, "italy") == ["done"] and money(g, "italy") == (80,)
        assert g.units("tunis", "italy") == ["A3", "A3"] and g.fresh("tunis", "italy") == "protectorate"
    else:
        assert results(g, "italy") == ["unmet"] and money(g, "italy") == (100,)
        assert not g.units("tunis") and not g.fresh("tunis", "italy")


@pytest.mark.rule("PBM-015")
@pytest.mark.parametrize(
    ("condition", "met"),
    [
        ("britain places control tunis", True),
        ("britain places anything tunis", True),
        ("britain places influence tunis", False),
        ("anyone else places protectorate tunis", True),
        ("france places protectorate tunis", False),
        ("not france places protectorate tunis", True),
        ("britain upgrades protectorate tunis", False),
        ("britain upgrades possession kenya", True),
        ("britain removes influence persia", True),
        ("britain moves armies to tunis", True),
        ("britain moves A1 to tunis", True),
        ("britain moves 2xA3 to tunis", False),
        ("britain moves at least 4 strength points of armies to tunis", True),
        ("britain moves at least 5 strength points of armies to tunis", False),
        ("britain moves at least 4 strength points of fleets to tunis", False),
        ("britain moves armies from france to tunis", False),
        ("britain builds N1", True),
        ("britain builds 2xN1", False),
        ("britain builds at least 2 points of units", False),
        ("britain builds canal panama", True),
        ("britain pays japan 5", True),
        ("britain pays japan 6", False),
        ("britain pays japan", True),
        ("britain transfers siam to japan", True),
        ("britain transfers siam to russia", False),
        ("britain places control tunis and (france builds A1 or britain builds fleets)", True),
        ("not (britain places control tunis or britain builds fleets)", False),
    ],
)
def test_conditions_are_evaluated(condition: str, met: bool) -> None:
    g = quiet(
        areas={
            "kenya": here(marker("britain", "protectorate"), army("britain")),
            "persia": here(marker("britain", "influence")),
            "siam": here(marker("britain", "influence")),
            "panama": here(marker("britain", "influence")),
        },
        homes=at_home("britain", army("britain", 3), army("britain", 1)),
    )
    britain = [
        PLACE, "upgrade possession kenya", "withdraw influence persia", "move A3 A1 home > tunis", "build N1",
        "canal panama", "pay japan 5", "transfer siam to japan",
    ]  # fmt: skip
    japan = "accept 5 from britain\naccept siam from britain"
    g = orders_only(g, britain="\n".join(britain), japan=japan, italy=f"build A1 if {condition}")
    assert results(g, "britain") == ["done"] * len(britain)
    assert results(g, "italy") == ["done" if met else "unmet"]


@pytest.mark.rule("PBM-016")
def test_example_mutually_dependent_orders_are_both_carried_out() -> None:
    g = orders_only(quiet(), italy=f"{PLACE} if anyone else places control tunis", britain=f"{PLACE} if italy places "
                    "protectorate tunis")  # fmt: skip
    assert results(g, "italy") == results(g, "britain") == ["done"]
    assert money(g, "italy", "britain") == (80, 80)


@pytest.mark.rule("PBM-016")
def test_circle_of_three_orders_succeeds_or_fails_together() -> None:
    forms = {
        "italy": f"{PLACE} if france builds A1",
        "france": "build A1 if britain builds A1",
        "britain": "build A1 if italy places protectorate tunis",
    }
    g = orders_only(quiet(), **forms)
    assert [results(g, seat) for seat in forms] == [["done"]] * 3
    g = orders_only(quiet({"italy": 100, "britain": 100}), **forms)  # France cannot pay: all of it falls
    assert results(g, "italy") == results(g, "britain") == ["unmet"] and results(g, "france") == ["unmet"]


@pytest.mark.rule("PBM-017")
def test_example_mutually_exclusive_orders_are_a_paradox() -> None:
    g = orders_only(
        quiet(),
        italy=f"{PLACE} unless britain places protectorate tunis",
        britain=f"{PLACE} unless italy places protectorate tunis",
        france="build A1 unless italy places protectorate tunis",
    )
    assert results(g, "italy") == results(g, "britain") == ["paradox"]
    assert results(g, "france") == ["done"]  # it only looks at the paradox
    assert money(g, "italy", "britain") == (100, 100) and not g.state.areas["tunis"].markers


@pytest.mark.rule("PBM-017")
def test_order_that_defeats_its_own_condition_is_a_paradox() -> None:
    g = orders_only(
        quiet(), italy=f"{PLACE} unless britain builds A1", britain="build A1 if italy places protectorate tunis"
    )
    assert results(g, "italy") == results(g, "britain") == ["paradox"]


@pytest.mark.rule("PBM-017")
def test_circle_with_one_consistent_outcome_is_no_paradox() -> None:
    g = orders_only(
        quiet(),
        italy="build A1 unless britain builds A1",
        britain="build A1 if france builds A1 and not italy builds A1\nbuild A3 if italy builds A1",
        france="build A1 if britain builds A3",
    )
    # if Italy builds, Britain builds its A3, and so France its A1, but Britain no A1; the other way ends nowhere
    assert (
        results(g, "italy") == ["done"]
        and results(g, "france") == ["done"]
        and results(g, "britain") == ["unmet", "done"]
    )


@pytest.mark.rule("PBM-017")
def test_paradox_does_not_affect_independent_orders() -> None:
    g = orders_only(
        quiet(),
        italy=f"{PLACE} unless britain places protectorate tunis\nbuild A1 if britain builds A1",
        britain=f"build A1 if italy builds A1\n{PLACE} unless italy places protectorate tunis",
    )
    assert results(g, "italy") == ["paradox", "done"] and results(g, "britain") == ["done", "paradox"]


@pytest.mark.rule("PBM-017", "PBM-019")
def test_orders_without_a_stable_outcome_are_a_paradox() -> None:
    g = orders_only(
        quiet({"britain": 10, "france": 100, "italy": 100}),
        britain="build A3 if france builds A1\nbuild A1",  # with the A3 there is no money for the A1
        italy="build A1 if britain builds A1",
        france="build A1 if italy builds A1",
    )
    assert results(g, "britain") == ["paradox", "done"] and results(g, "italy") == results(g, "france") == ["paradox"]


@pytest.mark.rule("PBM-015")
def test_condition_anyone_else_excludes_the_own_power() -> None:
    g = orders_only(quiet(), italy="build A3 if anyone else builds A1\nbuild A1")
    assert results(g, "italy") == ["unmet", "done"]


# Priority


@pytest.mark.rule("PBM-018")
def test_more_may_be_ordered_than_can_be_paid() -> None:
    g = orders_only(quiet(40), italy="build A3\nbuild A3\nbuild A3\nbuild A3\nbuild A3\nbuild A3")
    assert results(g, "italy") == ["done"] * 4 + ["nullified"] * 2


PRIORITY = f"""\
if britain places protectorate tunis: {PLACE}
build A3
build A1
merchant mediterranean > baltic
"""


@pytest.mark.rule("PBM-019", "PBM-021")
@pytest.mark.parametrize(
    ("britain", "purse", "what", "left"),
    [
        (PLACE, 100, ["done", "nullified", "done", "done"], 4),
        ("", 100, ["unmet", "done", "done", "done"], 14),
        (PLACE, 10, ["unmet", "done", "done", "done"], 14),  # Britain's own order is nullified
    ],
)
def test_example_orders_are_carried_out_by_priority_while_money_lasts(
    britain: str, purse: int, what: list[str], left: int
) -> None:
    g = orders_only(quiet({"italy": 27, "britain": purse}), italy=PRIORITY, britain=britain)
    assert results(g, "italy") == what
    assert money(g, "italy") == (left,)


@pytest.mark.rule("PBM-019")
def test_all_acts_of_an_order_are_done_or_none() -> None:
    g = orders_only(quiet(25), italy=f"{PLACE}; build A3\nbuild A3")
    assert results(g, "italy") == ["nullified", "done"] and money(g, "italy") == (15,)


@pytest.mark.rule("PBM-021")
def test_orders_are_limited_by_money_and_by_pieces() -> None:
    g = moving(200, options={"counter_limits": "table"}, homes=at_home("italy"))
    limit = next(n for n in range(1, 20) if _built(g, "italy", n) < n)
    g = orders_only(g, italy="build A10\n" * limit)
    assert results(g, "italy") == ["done"] * (limit - 1) + ["nullified"]
    assert money(g, "italy") == (200 - 30 * (limit - 1),)


def _built(g: Bench, power: str, count: int) -> int:
    g = moving(999, options={"counter_limits": "table"}, homes=at_home(power))
    return results(orders_only(g, **{power: "build A10\n" * count}), power).count("done")


@pytest.mark.rule("PBM-020")
def test_failed_orders_are_reported_to_their_owner_only() -> None:
    g = quiet({"italy": 20, "britain": 100, "japan": 100})
    forms = {
        "italy": f"{PLACE}\nbuild A10\nbuild A3 if france builds A1",
        "britain": "place influence tunis unless japan builds A1",
        "japan": "build A1 unless britain places influence tunis",
    }
    send(g, **forms)
    assert results(g, "italy") == ["done", "nullified", "unmet"] and results(g, "britain") == ["paradox"]
    for seat in g.state.players:
        seen = [e for e in public(g, seat) if isinstance(e, events.Noted) and e.code.startswith("order_")]
        assert {e.power for e in seen} <= {seat}
        words = " ".join(str(e) for e in public(g, seat) if e not in seen)
        assert "A10" not in words and "france builds" not in words
    assert [e.power for e in public(g, ARBITER) if isinstance(e, events.Noted) and e.code == "order_paradox"] == [
        "britain", "japan",
    ]  # fmt: skip


# The board of the Phase's start


@pytest.mark.rule("PBM-014")
def test_the_sequence_of_the_forms_makes_no_difference() -> None:
    forms = {
        "italy": f"{PLACE} if anyone else places control tunis\nmove A3 home > tunis",
        "britain": f"{PLACE} unless japan builds A1\npay france 30",
        "france": f"accept 30 from britain\nplace influence tunis\n{PLACE}",
    }
    seen = set()
    for order in permutations(forms):
        g = quiet()
        send(g, **{seat: forms[seat] for seat in order})
        seen.add(repr(g.last))
    assert len(seen) == 1


@pytest.mark.rule("PBM-014", "PBM-127")
def test_orders_of_others_do_not_change_legality() -> None:
    area = here(marker("britain", "protectorate"), army("britain"))
    g = orders_only(quiet(areas={"kenya": area}), britain="upgrade possession kenya",
                    france="place interest kenya")  # fmt: skip
    assert results(g, "britain") == results(g, "france") == ["done"]
    live = quiet(areas={"kenya": area})
    live.act("britain", "upgrade possession kenya")
    assert live.refused("france", "place interest kenya")  # at the table the first one bars the other


@pytest.mark.rule("PBM-127")
def test_own_orders_are_carried_out_in_sequence() -> None:
    zones = {"mediterranean": {"merchant_fleets": []}, "baltic": {"merchant_fleets": ["italy"]}}
    move, fleet = "move A3 home > tunis", "merchant baltic > mediterranean"
    g = orders_only(quiet(areas={"tunis": here(marker("italy", "protectorate"))}, sea_zones=zones),
                    italy=f"{move}\n{fleet}")  # fmt: skip
    assert results(g, "italy") == ["nullified", "done"]
    g = orders_only(quiet(areas={"tunis": here(marker("italy", "protectorate"))}, sea_zones=zones),
                    italy=f"{fleet}\n{move}")  # fmt: skip
    assert results(g, "italy") == ["done", "done"]


# Orders


@pytest.mark.rule("PBM-022")
def test_new_units_begin_at_home_and_markers_go_anywhere() -> None:
    g = orders_only(quiet(), italy="build A1\nplace interest tunis")
    assert "A1" in g.units("home:italy") and g.fresh("tunis", "italy") == "interest"
    g = orders_only(quiet(), italy=f"build A1\n{PLACE}\nmove A1 home > tunis")
    assert g.units("tunis") == ["A1"]


@pytest.mark.rule("PBM-023", "STA-016")
def test_a_control_marker_without_an_army_is_carried_out_with_a_warning() -> None:
    g = quiet()
    send(g, italy=PLACE, britain="build A1 if italy places protectorate tunis")
    assert results(g, "italy") == ["done"] == results(g, "britain")
    (warning,) = [e for e in g.of(events.Noted) if e.code == "no_army"]
    assert warning.only == ("italy",) and "PBM-023" in warning.rules
    assert not [e for e in g.of(events.ColonialCombat) if e.area == "tunis"]
    assert g.kind("tunis", "italy") == "influence" and not [e for e in g.blames() if e[1] == "italy"]
    g = quiet()
    g.dice(6, 6, 6, 6, 6, 6)
    send(g, italy=f"{PLACE}\nmove A3 home > tunis")
    assert not [e for e in g.of(events.Noted) if e.code == "no_army"]
    (fight,) = [e for e in g.of(events.ColonialCombat) if e.area == "tunis"]
    assert fight.powers == ("italy",)


@pytest.mark.rule("PBM-024")
def test_merchant_fleets_go_to_any_zone_without_one_of_their_power() -> None:
    g = orders_only(quiet(), italy="merchant mediterranean > north_china_sea\nmerchant north_china_sea > indian_ocean")
    assert results(g, "italy") == ["done", "nullified"]
    assert "italy" in g.state.sea_zones["north_china_sea"]


@pytest.mark.rule("PBM-025")
def test_arbiter_records_each_rise_of_an_index() -> None:
    g = orders_only(quiet(), russia="place influence sin_kiang", italy="build A1")
    (flag,) = [e for e in g.of(events.Noted) if e.code == "raising"]
    assert flag.only == (ARBITER,) and "Sin-Kiang" in flag.text and "Chinese Resentment" in flag.text
    assert not [e for e in orders_only(quiet(), italy="build A1").of(events.Noted) if e.code == "raising"]


@pytest.mark.rule("PBM-119")
def test_every_act_of_the_phase_can_be_ordered() -> None:
    g = quiet(
        areas={"persia": here(marker("russia", "influence")), "panama": here(marker("russia", "influence"))},
        powers={"russia": {"merchants_due": 1}},
        sea_zones={"caribbean": {"merchant_fleets": []}},
    )
    g = orders_only(
        g,
        russia="withdraw influence persia\ncanal panama\npay france 20\nmerchant new > caribbean",
        france="accept 20 from russia",
    )
    assert results(g, "russia") == ["done"] * 4
    assert g.state.areas["panama"].canal and not g.state.areas["persia"].markers
    assert money(g, "russia", "france") == (50, 120)
    assert "russia" in g.state.sea_zones["caribbean"]


# Gifts


@pytest.mark.rule("PBM-118")
def test_acceptance_is_an_order_of_its_own() -> None:
    g = orders_only(quiet({"italy": 5, "france": 50}), italy="accept 20 from france; build A1", france="pay italy 20")
    assert results(g, "france") == ["declined"] and results(g, "italy") == ["nullified"]
    assert money(g, "italy", "france") == (5, 50) and not g.of(events.UnitsBuilt)


@pytest.mark.rule("PBM-118")
@pytest.mark.parametrize("accepted", [True, False])
def test_agreed_money_arrives_before_purchases(accepted: bool) -> None:
    italy = f"{PLACE}\naccept 20 from france" if accepted else PLACE
    g = orders_only(quiet({"italy": 5, "france": 50}), italy=italy, france="pay italy 20")
    assert results(g, "france") == ["done" if accepted else "declined"]
    assert results(g, "italy") == (["done", "done"] if accepted else ["nullified"])
    assert money(g, "italy", "france") == ((5, 30) if accepted else (5, 50))


@pytest.mark.rule("PBM-118")
def test_received_money_can_be_passed_on_in_any_order() -> None:
    for giver, middle, last in permutations(("italy", "france", "britain")):
        forms = {giver: f"pay {middle} 20", middle: f"accept 20 from {giver}\npay {last} 20",
                 last: f"accept 20 from {middle}"}  # fmt: skip
        g = orders_only(quiet({giver: 20}), **forms)
        assert money(g, giver, middle, last) == (0, 0, 20)


@pytest.mark.rule("PBM-118")
def test_a_conditional_gift_is_settled_with_the_other_orders() -> None:
    forms = {
        "france": "pay italy 20 if italy places protectorate tunis",
        "italy": f"accept 20 from france\n{PLACE} if france pays italy 20",
    }
    g = orders_only(quiet({"italy": 0, "france": 20}), **forms)
    assert results(g, "france") == ["done"] and results(g, "italy") == ["done", "done"]
    assert money(g, "italy", "france") == (0, 0)
    g = orders_only(quiet({"italy": 0, "france": 19}), **forms)
    assert results(g, "italy")[1] == "unmet" and not g.state.areas["tunis"].markers


@pytest.mark.rule("PBM-118")
def test_agreed_marker_changes_hands_first() -> None:
    area = here(marker("france", "influence"))
    g = orders_only(
        quiet(areas={"tunis": area}), france="transfer tunis to italy", italy="accept tunis from france\n"
        "upgrade protectorate tunis",
    )  # fmt: skip
    assert results(g, "italy") == ["done", "done"] and g.kind("tunis", "italy") == "influence"
    assert g.fresh("tunis", "italy") == "protectorate" and not g.kind("tunis", "france")


# Two canals at once


@pytest.mark.rule("CAN-012", "PBM-127")
@pytest.mark.parametrize("sites", [("panama", "panama"), ("panama", "central_america")])
def test_dice_decide_between_two_simultaneous_canals(sites: tuple[str, str]) -> None:
    both = {site: here(marker("britain", "influence"), marker("france", "influence")) for site in sites}
    g = quiet(areas=both)
    g.dice(3, 3, 2, 5)
    g = orders_only(g, britain=f"canal {sites[0]}", france=f"canal {sites[1]}")
    assert results(g, "britain") == results(g, "france") == ["done"]
    assert money(g, "britain", "france") == (70, 70)
    assert all(g.state.areas[site].canal for site in sites)
    assert [g.state.powers[p].victory_points for p in ("britain", "france")] == [0, 15]
    assert [e.dice for e in g.of(events.DiceRolled)] == [(3, 3), (2, 5)] and not g.queue


@pytest.mark.rule("CAN-012")
def test_single_canal_needs_no_dice_and_a_later_one_gives_nothing() -> None:
    areas = {a: here(marker("britain", "influence")) for a in ("panama", "central_america")}
    g = orders_only(quiet(areas=areas), britain="canal panama\ncanal central_america")
    assert g.state.powers["britain"].victory_points == 15 and not g.of(events.DiceRolled)


# Invalid forms


@pytest.mark.rule("PBM-001")
def test_only_the_arbiter_opens_forms() -> None:
    g = quiet()
    assert g.refused("france", actions.Adjudicate()).code == "not_yours"
    assert ARBITER not in g.state.players


def test_forms_that_cannot_be_carried_out_are_refused_as_a_whole() -> None:
    g = quiet()
    assert refused(g, spain="build A1").code == "unknown_seat"
    assert "line 2, column 7" in refused(g, italy="build A1\nbuild nothing").message
    twice = actions.Adjudicate((actions.SubmittedForm("italy", "build A1"), actions.SubmittedForm("italy", "build A3")))
    assert g.refused(ARBITER, twice).code == "two_forms"
    assert (
        start().refused(ARBITER, actions.Adjudicate((actions.SubmittedForm("italy", "build A1"),))).code == "not_a_stop"
    )
