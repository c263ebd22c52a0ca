"""Status markers (STA): placement, prices, lowering and transfers."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.status import established
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.state.pieces import Holding, Marker
from tests.rules.harness import Bench, army, marker, start


def movement(areas: dict[str, Any] | None = None, money: dict[str, int] | None = None, **rest: Any) -> Bench:
    """The Movement/Status Change Phase of 1880 with some Areas changed and money in some Treasuries."""
    players = rest.pop("players", 7)
    options = rest.pop("options", None)
    powers = {p: {"treasury": n} for p, n in (money or {}).items()}
    return start({"phase": "movement", "areas": areas or {}, "powers": powers, **rest}, players, options)


def treasury(g: Bench, power: str) -> int:
    return g.state.powers[power].treasury


# Buying


@pytest.mark.rule("STA-001", "STA-004")
def test_a_marker_is_paid_when_it_is_placed() -> None:
    g = movement(money={"germany": 10})
    events = g.do("germany", actions.Place("influence", "kamerun"))
    kinds = [type(e) for e in events]
    assert kinds.index(ev.TreasuryChanged) < kinds.index(ev.MarkerPlaced)
    assert treasury(g, "germany") == 0
    refusal = g.refused("germany", actions.Place("interest", "gabon"))
    assert refusal.code == "no_money" and "STA-004" in refusal.rules


@pytest.mark.rule("STA-004")
def test_the_treasury_never_goes_below_zero() -> None:
    g = movement(money={"germany": 9})
    assert g.refused("germany", actions.Place("influence", "kamerun")).rules == ("STA-004",)
    g = movement(money={"germany": 10})
    g.do("germany", actions.Place("influence", "kamerun"))
    assert treasury(g, "germany") == 0


@pytest.mark.rule("STA-002")
def test_a_rival_may_react_in_the_same_phase() -> None:
    g = movement(money={"france": 20, "italy": 20})
    g.do("italy", actions.Ready())
    g.do("france", actions.Place("protectorate", "tunis"))
    assert "italy" in g.waiting()
    g.do("italy", actions.Place("protectorate", "tunis"))
    assert g.markers("tunis", "france") == ("", "protectorate")
    assert g.markers("tunis", "italy") == ("", "protectorate")


@pytest.mark.rule("STA-003", "STA-032")
def test_giving_a_marker_up_brings_no_money_back() -> None:
    g = movement(money={"germany": 10})
    g.do("germany", actions.Place("influence", "kamerun"))
    g.do("germany", actions.Downgrade("interest", "kamerun"))
    assert treasury(g, "germany") == 0
    g.do("germany", actions.Withdraw("interest", "kamerun"))
    assert treasury(g, "germany") == 0
    assert not g.of(ev.TreasuryChanged)
    assert g.markers("kamerun", "germany") == ("", "")


@pytest.mark.rule("STA-005")
@pytest.mark.parametrize(
    ("kind", "price"), [("interest", 5), ("influence", 10), ("protectorate", 20), ("possession", 40)]
)
def test_prices_of_new_markers(kind: str, price: int) -> None:
    g = movement(money={"germany": 50})
    g.do("germany", actions.Place(kind, "kamerun"))
    assert treasury(g, "germany") == 50 - price


@pytest.mark.rule("STA-005")
def test_a_state_or_dominion_costs_sixty() -> None:
    g = movement(money={"britain": 20, "united_states": 20})
    assert g.tables.markers["dominion"].price == g.tables.markers["state"].price == 60
    g.do("britain", actions.Upgrade("dominion", "australia"))
    g.do("united_states", actions.Upgrade("state", "alaska"))
    assert treasury(g, "britain") == treasury(g, "united_states") == 0


@pytest.mark.rule("STA-005")
def test_prices_of_units() -> None:
    g = movement(money={"italy": 43})
    g.do("italy", actions.Build(("A1", "A3", "N10")))
    assert treasury(g, "italy") == 0


@pytest.mark.rule("STA-006")
def test_a_new_unit_appears_at_home_and_may_move_at_once() -> None:
    g = movement(
        {"eritrea": {"markers": [marker("italy", "protectorate")]}},
        {"italy": 3},
        homes={"italy": {"units": []}},
    )
    assert "STA-006" in g.refused("italy", actions.Build(("A1",), "eritrea")).rules
    g.do("italy", actions.Build(("A1",)))
    assert [u.name for u in g.state.homes["italy"]] == ["A1"]
    g.do("italy", actions.Move(("A1",), ("home:italy", "eritrea")))
    assert [u.name for u in g.state.areas["eritrea"].units] == ["A1"]


@pytest.mark.rule("STA-007")
def test_a_placed_marker_stays_where_it_is() -> None:
    g = movement(money={"germany": 40})
    g.do("germany", actions.Place("protectorate", "kamerun"))
    g.do("germany", actions.Place("protectorate", "togoland"))
    assert treasury(g, "germany") == 0  # the second is another piece, bought in full
    assert g.markers("kamerun", "germany") == g.markers("togoland", "germany") == ("", "protectorate")
    assert "STA-031" in g.refused("germany", actions.Withdraw("protectorate", "kamerun")).rules


@pytest.mark.rule("STA-008")
def test_a_new_marker_is_not_established() -> None:
    g = movement(money={"germany": 25})
    g.do("germany", actions.Place("interest", "kamerun"))
    g.do("germany", actions.Place("protectorate", "gabon"))
    assert g.markers("kamerun", "germany") == ("", "interest")
    assert g.markers("gabon", "germany") == ("", "protectorate")


@pytest.mark.rule("STA-009")
def test_every_marker_needs_a_link_at_that_moment() -> None:
    g = movement(money={"germany": 60, "japan": 60})
    for kind in ("interest", "influence", "protectorate", "possession"):
        assert "STA-009" in g.refused("japan", actions.Place(kind, "kamerun")).rules
    g.do("germany", actions.Place("interest", "kamerun"))  # accepted


@pytest.mark.rule("STA-009")
def test_link_is_tested_when_the_marker_is_placed() -> None:
    # the South Atlantic fleet carries the link; once it has sailed there is none
    g = movement(money={"germany": 10})
    g.do("germany", actions.Place("interest", "kamerun"))
    g = movement(
        money={"germany": 10},
        sea_zones={"south_atlantic": {"merchant_fleets": ["britain", "france"]}},
    )
    assert g.refused("germany", actions.Place("interest", "kamerun")).code == "no_link"


# The schedule


@pytest.mark.rule("STA-010")
def test_only_an_established_possession_excludes_an_interest() -> None:
    for kind, fixed, allowed in (
        ("protectorate", True, True),
        ("possession", True, False),
        ("possession", False, True),
    ):
        g = movement({"kamerun": {"markers": [marker("britain", kind, fixed)]}}, {"germany": 10})
        if allowed:
            g.do("germany", actions.Place("interest", "kamerun"))
        else:
            assert "STA-010" in g.refused("germany", actions.Place("interest", "kamerun")).rules
    g = movement(money={"germany": 10})
    assert "STA-010" in g.refused("germany", actions.Place("interest", "canada")).rules  # a Dominion


@pytest.mark.rule("STA-011")
def test_established_control_excludes_a_new_influence() -> None:
    for kind, fixed, allowed in (
        ("protectorate", True, False),
        ("possession", True, False),
        ("protectorate", False, True),
        ("influence", True, True),
    ):
        g = movement({"kamerun": {"markers": [marker("britain", kind, fixed)]}}, {"germany": 10})
        if allowed:
            g.do("germany", actions.Place("influence", "kamerun"))  # accepted
        else:
            assert "STA-011" in g.refused("germany", actions.Place("influence", "kamerun")).rules


@pytest.mark.rule("STA-012")
@pytest.mark.parametrize("kind", ["protectorate", "possession"])
def test_control_may_be_placed_in_quiet_unorganized_and_vassal_areas(kind: str) -> None:
    g = movement(money={"germany": 40, "france": 40})
    g.do("germany", actions.Place(kind, "kamerun"))
    g.do("france", actions.Place(kind, "indochina"))
    assert g.markers("indochina", "france") == ("", kind)
    for closed in ("siam", "tripoli", "fukien"):  # Independent, Ottoman, Chinese Empire
        refusal = g.refused("france", actions.Place(kind, closed))
        assert refusal.code == "not_open" and "STA-012" in refusal.rules


@pytest.mark.rule("STA-012")
def test_foreign_established_control_keeps_others_out() -> None:
    foreign = {"kamerun": {"markers": [marker("britain", "protectorate")]}}
    g = movement(foreign, {"germany": 40})
    assert g.refused("germany", actions.Place("protectorate", "kamerun")).code == "foreign_control"
    own = {"kamerun": {"markers": [marker("germany", "protectorate")]}}
    g = movement(own, {"germany": 40})
    g.do("germany", actions.Place("possession", "kamerun"))  # accepted


@pytest.mark.rule("STA-012", "STA-013", "STA-027")
def test_codominion_members_do_not_exclude_each_other() -> None:
    both = [marker("britain", "protectorate"), marker("germany", "protectorate")]
    g = movement({"kamerun": {"markers": both, "codominion": ["britain", "germany"]}}, {"germany": 20, "france": 20})
    assert g.refused("france", actions.Place("protectorate", "kamerun")).code == "foreign_control"
    g.do("germany", actions.Upgrade("possession", "kamerun"))
    assert g.markers("kamerun", "germany") == ("possession", "")
    g = movement({"persia": {"unrest": True, "markers": both, "codominion": ["britain", "germany"]}}, {"germany": 20})
    g.do("germany", actions.Upgrade("possession", "persia"))
    assert g.markers("persia", "britain") == ("protectorate", "")


@pytest.mark.rule("STA-013", "EVT-031")
def test_unrest_opens_an_area_of_any_type() -> None:
    for area in ("persia", "tripoli"):
        g = movement({area: {"unrest": True}}, {"britain": 40})
        g.do("britain", actions.Place("protectorate", area))
        assert "STA-013" in g.of(ev.MarkerPlaced)[0].rules
        g = movement({area: {"unrest": False}}, {"britain": 40})
        refusal = g.refused("britain", actions.Place("protectorate", area))
        assert refusal.code == "not_open" and "STA-013" in refusal.rules


@pytest.mark.rule("STA-013", "EVT-031")
def test_unrest_does_not_open_another_powers_controlled_area() -> None:
    g = movement({"egypt": {"unrest": True, "markers": [marker("britain", "protectorate")]}}, {"france": 40})
    refusal = g.refused("france", actions.Place("protectorate", "egypt"))
    assert refusal.code == "foreign_control" and {"STA-013", "EVT-031"} <= set(refusal.rules)
    g = movement({"egypt": {"unrest": True, "markers": [marker("britain", "protectorate", False)]}}, {"france": 40})
    g.do("france", actions.Place("protectorate", "egypt"))  # accepted


@pytest.mark.rule("STA-014", "STA-037")
def test_control_without_an_army_fails_the_check_at_the_end_of_the_phase() -> None:
    new = [marker("germany", "protectorate", False, 1)]
    for there, missing in (([], True), ([army("germany", 1)], False)):
        g = movement({"kamerun": {"markers": new, "units": there}}, homes={"germany": {"units": []}})
        g.step()
        assert ("kamerun" in [e.area for e in g.all_of(ev.GarrisonMissing)]) is missing
    g = movement({"kamerun": {"markers": [marker("germany", "possession")]}}, homes={"germany": {"units": []}})
    g.step()
    assert ("kamerun", "germany") in [(e.area, e.power) for e in g.all_of(ev.GarrisonMissing)]


@pytest.mark.rule("STA-016")
def test_control_without_an_army_gives_a_warning() -> None:
    g = movement(money={"germany": 20})
    g.do("germany", actions.Place("protectorate", "kamerun"))
    assert [e.code for e in g.of(ev.Noted)] == ["no_army"]
    there = {"kamerun": {"markers": [marker("germany", "influence")], "units": [army("germany", 1)]}}
    g = movement(there, {"germany": 20})
    g.do("germany", actions.Place("protectorate", "kamerun"))
    assert not g.of(ev.Noted)


@pytest.mark.rule("STA-018")
def test_state_needs_a_marked_area_and_an_established_possession() -> None:
    g = movement(money={"united_states": 20})
    g.do("united_states", actions.Place("state", "alaska"))
    assert treasury(g, "united_states") == 0 and g.markers("alaska", "united_states") == ("state", "")
    g = movement({"hawaii": {"markers": [marker("united_states", "protectorate")]}}, {"united_states": 90})
    assert "STA-018" in g.refused("united_states", actions.Upgrade("state", "hawaii")).rules
    g = movement({"hawaii": {"markers": [marker("united_states", "possession")]}}, {"united_states": 90})
    g.do("united_states", actions.Upgrade("state", "hawaii"))
    mexico = {"mexico": {"markers": [marker("united_states", "possession")]}}
    g = movement(mexico, {"united_states": 90})
    assert g.refused("united_states", actions.Upgrade("state", "mexico")).rules == ("STA-018",)


@pytest.mark.rule("STA-018", "STA-019")
def test_only_two_powers_have_states_and_dominions() -> None:
    g = movement({"hawaii": {"markers": [marker("britain", "possession")]}}, {"britain": 90})
    assert "STA-018" in g.refused("britain", actions.Upgrade("state", "hawaii")).rules
    g = movement({"canada": {"markers": [marker("united_states", "possession")]}}, {"united_states": 90})
    assert "STA-019" in g.refused("united_states", actions.Upgrade("dominion", "canada")).rules


@pytest.mark.rule("STA-019")
def test_dominion_needs_a_marked_area_and_an_established_possession() -> None:
    g = movement(money={"britain": 40})
    g.do("britain", actions.Place("dominion", "australia"))
    assert treasury(g, "britain") == 20 and g.markers("australia", "britain") == ("dominion", "")
    assert g.refused("britain", actions.Place("dominion", "newfoundland")).rules == ("STA-019",)
    g = movement({"australia": {"markers": [marker("britain", "protectorate")]}}, {"britain": 90})
    assert "STA-019" in g.refused("britain", actions.Place("dominion", "australia")).rules


@pytest.mark.rule("STA-025", "CRI-001")
def test_marker_in_an_empty_chinese_area_raises_resentment() -> None:
    g = movement(money={"britain": 20})
    g.do("britain", actions.Place("influence", "fukien"))
    assert g.state.resentment == 4
    g.do("britain", actions.Place("influence", "sarawak"))
    assert g.state.resentment == 4


@pytest.mark.rule("CRI-007", "CRI-015", "CRI-016")
def test_resentment_follows_the_table() -> None:
    g = movement(money={"britain": 100, "germany": 100})
    g.do("britain", actions.Place("interest", "fukien"))
    assert g.state.resentment == 2
    g.do("britain", actions.Place("influence", "fukien"))
    assert g.state.resentment == 4
    g = movement({"fukien": {"unrest": True, "markers": [marker("britain", "influence")]}}, {"britain": 100})
    g.do("britain", actions.Place("protectorate", "fukien"))
    assert g.state.resentment == 6
    g = movement({"fukien": {"unrest": True}}, {"britain": 100, "france": 100})
    g.do("britain", actions.Place("possession", "fukien"))
    assert g.state.resentment == 15
    g.do("france", actions.Place("influence", "fukien"))  # every marker counts, not every Area
    assert g.state.resentment == 19
    g = movement(money={"japan": 100})
    for kind, total in (("interest", 0), ("influence", 0), ("protectorate", 3), ("possession", 6)):
        g.do("japan", actions.Place(kind, "korea"))
        assert g.state.resentment == total


@pytest.mark.rule("STA-026")
def test_only_own_markers_can_be_changed() -> None:
    g = movement({"kamerun": {"markers": [marker("britain", "influence")]}}, {"germany": 50})
    for action in (
        actions.Upgrade("protectorate", "kamerun"),
        actions.Downgrade("interest", "kamerun"),
        actions.Withdraw("influence", "kamerun"),
    ):
        refusal = g.refused("germany", action)
        assert refusal.code == "no_marker" and "STA-026" in refusal.rules


@pytest.mark.rule("STA-027")
def test_an_upgrade_to_control_needs_an_open_area_but_no_other_does() -> None:
    def siam(kind: str) -> Bench:
        return movement({"siam": {"markers": [marker("britain", kind)]}}, {"britain": 50})

    assert siam("influence").refused("britain", actions.Upgrade("protectorate", "siam")).code == "not_open"
    g = siam("interest")
    g.do("britain", actions.Upgrade("influence", "siam"))
    g = siam("protectorate")
    g.do("britain", actions.Upgrade("possession", "siam"))
    assert g.markers("siam", "britain") == ("possession", "")


@pytest.mark.rule("STA-027")
def test_an_upgrade_needs_a_link_always() -> None:
    g = movement({"siam": {"markers": [marker("italy", "protectorate")]}}, {"italy": 50})
    refusal = g.refused("italy", actions.Upgrade("possession", "siam"))
    assert refusal.code == "no_link"


@pytest.mark.rule("STA-027")
def test_an_upgrade_stops_at_another_powers_control() -> None:
    both = [marker("france", "influence"), marker("britain", "protectorate")]
    g = movement({"kamerun": {"markers": both}}, {"france": 50})
    refusal = g.refused("france", actions.Upgrade("protectorate", "kamerun"))
    assert refusal.code == "foreign_control" and "STA-027" in refusal.rules


@pytest.mark.rule("STA-027", "SET-082")
def test_a_marker_goes_only_above_the_own_one() -> None:
    g = movement({"kamerun": {"markers": [marker("germany", "influence")]}}, {"germany": 50})
    for kind in ("interest", "influence"):
        assert g.refused("germany", actions.Place(kind, "kamerun")).code == "not_higher"


@pytest.mark.rule("STA-028")
@pytest.mark.parametrize(
    ("old", "new", "price"), [("influence", "protectorate", 10), ("interest", "possession", 35), ("", "influence", 10)]
)
def test_an_upgrade_costs_the_difference(old: str, new: str, price: int) -> None:
    own = [marker("germany", old)] if old else []
    g = movement({"kamerun": {"markers": own}}, {"germany": price})
    g.do("germany", actions.Place(new, "kamerun"))
    assert treasury(g, "germany") == 0
    g = movement({"kamerun": {"markers": own}}, {"germany": price - 1})
    assert g.refused("germany", actions.Place(new, "kamerun")).code == "no_money"


@pytest.mark.rule("STA-028")
def test_a_marker_of_this_phase_counts_for_the_difference_and_a_dominion_costs_twenty() -> None:
    g = movement(money={"germany": 40, "britain": 20})
    g.do("germany", actions.Place("influence", "kamerun"))
    g.do("germany", actions.Place("protectorate", "kamerun"))
    assert treasury(g, "germany") == 20
    assert list(g.state.areas["kamerun"].markers) == [Marker("germany", "protectorate", False, 1)]
    g.do("britain", actions.Upgrade("dominion", "australia"))
    assert treasury(g, "britain") == 0


@pytest.mark.rule("STA-029", "STA-008", "STA-017")
def test_established_control_is_raised_at_once_and_one_step_a_phase() -> None:
    cuba = {"cuba": {"markers": [marker("united_states", "protectorate")], "units": []}}
    g = movement(cuba, {"united_states": 40})
    g.do("united_states", actions.Upgrade("possession", "cuba"))
    assert treasury(g, "united_states") == 20
    assert g.markers("cuba", "united_states") == ("possession", "")
    refusal = g.refused("united_states", actions.Upgrade("state", "cuba"))
    assert "STA-029" in refusal.rules and refusal.code == "two_steps"
    later = {"cuba": {"markers": [marker("united_states", "possession", True, 1)], "units": []}}
    g = movement(later, {"united_states": 40}, turn=2)
    g.do("united_states", actions.Upgrade("state", "cuba"))
    assert treasury(g, "united_states") == 20


@pytest.mark.rule("STA-029", "STA-017")
def test_a_new_protectorate_made_a_possession_is_still_new() -> None:
    g = movement(money={"germany": 40})
    g.do("germany", actions.Place("protectorate", "kamerun"))
    g.do("germany", actions.Upgrade("possession", "kamerun"))
    assert treasury(g, "germany") == 0
    assert g.markers("kamerun", "germany") == ("", "possession")


@pytest.mark.rule("SET-046", "SET-039")
def test_turning_a_piece_over_needs_no_free_one() -> None:
    # every round piece of Austria-Hungary is in use
    used = ["serbia", "rumania", "bulgaria", "greece", "anatolia", "abyssinia"]
    areas = {a: {"markers": [marker("austria_hungary", "interest")]} for a in used}
    g = movement(areas, {"austria_hungary": 50})
    assert g.tables.counters["austria_hungary"].round == len(used)
    g.do("germany", actions.Upgrade("influence", "serbia", "austria_hungary"))
    areas["serbia"] = {"markers": []}
    areas["egypt"] = {"markers": [marker("austria_hungary", "influence")]}
    g = movement(areas, {"austria_hungary": 50})
    refusal = g.refused("germany", actions.Place("interest", "serbia", "austria_hungary"))
    assert refusal.code == "no_piece" and "SET-039" in refusal.rules


# Going down


@pytest.mark.rule("STA-030", "STA-032", "ETI-014")
def test_interest_and_influence_can_be_given_up_without_tension() -> None:
    g = movement({"kamerun": {"markers": [marker("germany", "influence")]}}, {"germany": 7})
    g.do("germany", actions.Downgrade("interest", "kamerun"))
    assert g.markers("kamerun", "germany") == ("interest", "")
    g.do("germany", actions.Withdraw("interest", "kamerun"))
    assert g.markers("kamerun", "germany") == ("", "")
    assert g.state.tension == 0 and treasury(g, "germany") == 7
    g = movement({"kamerun": {"markers": [marker("germany", "influence")]}})
    g.do("germany", actions.Withdraw("influence", "kamerun"))
    assert g.markers("kamerun", "germany") == ("", "") and g.state.tension == 0


@pytest.mark.rule("STA-030")
def test_casus_belli_ends_when_its_influence_is_given_up() -> None:
    both = [marker("germany", "influence"), marker("france", "protectorate")]
    cause = [{"holder": "germany", "against": "france", "area": "kamerun"}]
    g = movement({"kamerun": {"markers": both}}, casus_belli=cause)
    g.do("germany", actions.Downgrade("interest", "kamerun"))
    assert g.state.casus_belli == ()


@pytest.mark.rule("STA-031")
@pytest.mark.parametrize("fixed", [True, False])
def test_control_cannot_be_given_up_in_this_phase(fixed: bool) -> None:
    g = movement({"kamerun": {"markers": [marker("germany", "protectorate", fixed)]}})
    for action in (actions.Downgrade("influence", "kamerun"), actions.Withdraw("protectorate", "kamerun")):
        refusal = g.refused("germany", action)
        assert refusal.code == "control_stays" and refusal.rules == ("STA-031",)


@pytest.mark.rule("STA-033")
def test_a_marker_given_up_can_be_bought_elsewhere_at_once() -> None:
    used = ["serbia", "rumania", "bulgaria", "greece", "anatolia", "abyssinia"]
    areas = {a: {"markers": [marker("austria_hungary", "influence")]} for a in used}
    areas["serbia"] = {"markers": []}
    areas["egypt"] = {"markers": [marker("austria_hungary", "influence")]}
    g = movement(areas, {"austria_hungary": 5})
    assert g.refused("germany", actions.Place("interest", "serbia", "austria_hungary")).code == "no_piece"
    g.do("germany", actions.Withdraw("influence", "egypt", "austria_hungary"))
    g.do("germany", actions.Place("interest", "serbia", "austria_hungary"))
    assert g.markers("serbia", "austria_hungary") == ("", "interest")


# Changing hands


def gabon(kind: str = "possession", fixed: bool = True, **rest: Any) -> Bench:
    """France holds a marker in Gabon."""
    extra = rest.pop("more", [])
    units = rest.pop("units", [])
    return movement(
        {"gabon": {"markers": [marker("france", kind, fixed), *extra], "units": units}},
        {"france": 5, "germany": 6, "japan": 0},
        **rest,
    )


@pytest.mark.rule("STA-034", "STA-035")
def test_a_marker_changes_hands_when_both_agree() -> None:
    g = gabon()
    g.do("france", actions.Transfer("gabon", "germany"))
    assert g.markers("gabon", "france") == ("possession", "")
    (choice,) = g.pending()
    assert (choice.seat, choice.kind, choice.default) == ("germany", "transfer", "decline")
    g.do("germany", actions.Choose(choice.id, ("accept",)))
    assert g.markers("gabon", "germany") == ("possession", "") and g.markers("gabon", "france") == ("", "")
    assert treasury(g, "france") == 5 and treasury(g, "germany") == 6
    assert g.state.tension == 0 and g.state.resentment == 0


@pytest.mark.rule("STA-034")
def test_declined_offer_changes_nothing() -> None:
    g = gabon()
    g.do("france", actions.Transfer("gabon", "germany"))
    g.do("germany", actions.Choose(g.pending()[0].id, ("decline",)))
    assert g.markers("gabon", "france") == ("possession", "") and not g.pending()


@pytest.mark.rule("STA-034")
def test_a_transfer_needs_no_link_but_a_free_piece() -> None:
    g = gabon()  # Japan has no link to Gabon
    g.do("france", actions.Transfer("gabon", "japan"))
    g.do("japan", actions.Choose(g.pending()[0].id, ("accept",)))
    assert g.markers("gabon", "japan") == ("possession", "")
    used = ["korea", "formosa", "manchuria", "shan_tung", "fukien", "kansu", "yunnan", "tibet", "mongolia"]
    used += ["siam", "burma", "papua"]
    areas = {a: {"markers": [marker("japan", "protectorate")]} for a in used}
    areas["gabon"] = {"markers": [marker("france", "possession")]}
    g = movement(areas)
    refusal = g.refused("france", actions.Transfer("gabon", "japan"))
    assert refusal.code == "no_piece" and "STA-034" in refusal.rules


@pytest.mark.rule("STA-034")
def test_transfers_that_are_refused() -> None:
    assert gabon(fixed=False).refused("france", actions.Transfer("gabon", "germany")).code == "not_established"
    for power in ("spain", "netherlands"):
        refusal = gabon().refused("france", actions.Transfer("gabon", power))
        assert refusal.code == "minor" and refusal.rules == ("STA-034",)


@pytest.mark.rule("STA-034", "SET-082")
def test_transfer_replaces_a_lower_marker_of_the_receiver() -> None:
    g = gabon("protectorate", more=[marker("germany", "influence")])
    g.do("france", actions.Transfer("gabon", "germany"))
    g.do("germany", actions.Choose(g.pending()[0].id, ("accept",)))
    assert [m.marker for m in g.state.areas["gabon"].markers] == ["protectorate"]
    g = gabon("influence", more=[marker("germany", "influence")])
    assert g.refused("france", actions.Transfer("gabon", "germany")).code == "receiver_has"


@pytest.mark.rule("STA-034")
def test_share_of_a_codominion_is_transferred_and_armies_stay() -> None:
    both = [marker("france", "protectorate"), marker("britain", "possession")]
    there = {"markers": both, "codominion": ["france", "britain"], "units": [army("france", 1)]}
    g = movement({"gabon": there})
    g.do("france", actions.Transfer("gabon", "germany"))
    g.do("germany", actions.Choose(g.pending()[0].id, ("accept",)))
    assert set(g.state.areas["gabon"].codominion) == {"germany", "britain"}
    assert [e.power for e in g.of(ev.UnitsHalted)] == ["france"]
    assert all(u.halted for u in g.state.areas["gabon"].units)


@pytest.mark.rule("STA-034")
def test_offer_is_checked_again_when_accepted() -> None:
    g = gabon("influence")
    g.do("france", actions.Transfer("gabon", "germany"))
    g.do("france", actions.Withdraw("influence", "gabon"))
    refusal = g.refused("germany", actions.Choose(g.pending()[0].id, ("accept",)))
    assert refusal.code == "no_marker" and "STA-034" in refusal.rules


@pytest.mark.rule("STA-035")
def test_only_the_level_that_was_offered_is_accepted() -> None:
    g = movement({"gabon": {"markers": [marker("france", "protectorate")]}}, {"france": 20})
    g.do("france", actions.Transfer("gabon", "germany"))
    g.do("france", actions.Upgrade("possession", "gabon"))
    assert "STA-035" in g.refused("germany", actions.Choose(g.pending()[0].id, ("accept",))).rules


@pytest.mark.rule("STA-034")
def test_the_option_makes_a_transfer_raise_the_tension() -> None:
    g = gabon(options={"transfer_raises_eti": "yes"})
    g.do("france", actions.Transfer("gabon", "germany"))
    g.do("germany", actions.Choose(g.pending()[0].id, ("accept",)))
    assert g.state.tension == 1


@pytest.mark.rule("STA-036")
def test_states_and_dominions_are_never_handed_over() -> None:
    g = movement({"alaska": {"markers": [marker("united_states", "state")]}})
    assert g.refused("britain", actions.Transfer("canada", "france")).rules == ("STA-036",)
    assert g.refused("united_states", actions.Transfer("alaska", "france")).rules == ("STA-036",)


@pytest.mark.rule("STA-034")
def test_germany_and_austria_agree_at_once() -> None:
    g = movement({"serbia": {"markers": [marker("germany", "influence")]}})
    g.do("germany", actions.Transfer("serbia", "austria_hungary"))
    assert g.markers("serbia", "austria_hungary") == ("influence", "") and not g.pending()


# Established or not: Colonial Combat and Marker Adjustment


def play_to(g: Bench, phase: str) -> None:
    """Take the defaults until `phase` begins."""
    while g.state.phase != phase:
        g.step()


def combat(area: str, markers: list[dict[str, Any]], units: list[dict[str, Any]], **there: Any) -> Bench:
    return start({"phase": "colonial_combat", "areas": {area: {"markers": markers, "units": units, **there}}})


@pytest.mark.rule("STA-017", "STA-020")
def test_a_new_control_marker_is_established_by_winning_and_at_once() -> None:
    new = [marker("germany", "protectorate", False, 1)]
    g = combat("kamerun", new, [army("germany", 10)])
    g.dice(6)
    g.do("germany", actions.Fight("kamerun"))
    g.advance()
    assert [(e.area, e.power) for e in g.all_of(ev.MarkerEstablished)] == [("kamerun", "germany")]
    kinds = [type(e) for e in g.events]
    assert kinds.index(ev.MarkerEstablished) < kinds.index(ev.PhaseBegan)
    g = combat("kamerun", new, [army("germany", 10)])
    g.do("germany", actions.Decline("kamerun"))
    play_to(g, "negotiation")
    assert established(g.state, "kamerun", "germany") is None


@pytest.mark.rule("STA-021", "STA-022")
@pytest.mark.parametrize("kind", ["interest", "influence"])
def test_interest_and_influence_are_established_without_combat(kind: str) -> None:
    g = combat("kamerun", [marker("germany", kind, False, 1)], [])
    assert not g.pending()
    g.step()
    assert g.markers("kamerun", "germany") == ("", kind)
    g.step()
    assert g.markers("kamerun", "germany") == (kind, "")
    assert not g.all_of(ev.ColonialCombat) and not g.all_of(ev.DiceRolled)


@pytest.mark.rule("STA-023")
def test_with_an_army_the_holder_of_a_new_influence_may_fight_the_unrest() -> None:
    g = combat("siam", [marker("britain", "influence", False, 1)], [army("britain", 10)], unrest=True)
    assert [(c.seat, c.kind) for c in g.pending()] == [("britain", "fight")]
    g.dice(6)
    g.do("britain", actions.Fight("siam"))
    play_to(g, "negotiation")
    assert g.markers("siam", "britain") == ("influence", "")


@pytest.mark.rule("STA-025")
def test_control_in_an_ottoman_area_makes_a_war_due() -> None:
    g = combat("tripoli", [marker("italy", "protectorate", False, 1)], [army("italy", 10)], unrest=True)
    g.dice(6)
    g.do("italy", actions.Fight("tripoli"))
    play_to(g, "negotiation")
    assert g.state.ottoman_wars == (Holding("italy", "tripoli"),)


@pytest.mark.rule("EVT-032")
def test_control_placed_in_unrest_is_established_by_winning_only() -> None:
    both = [marker("britain", "influence"), marker("britain", "protectorate", False, 1)]
    g = combat("persia", both, [army("britain", 10)], unrest=True)
    g.do("britain", actions.Decline("persia"))
    play_to(g, "negotiation")
    assert g.markers("persia", "britain") == ("", "")  # the Unrest takes the Influence too
    g = combat("persia", both, [army("britain", 10)], unrest=True)
    g.dice(6)
    g.do("britain", actions.Fight("persia"))
    play_to(g, "negotiation")
    assert g.markers("persia", "britain") == ("protectorate", "")
