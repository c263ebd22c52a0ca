"""Codominions (COD, NEG-018 to NEG-029): how they are made, Control, income and garrisons."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.routes import linked_areas
from paxtui.games.pax.board.status import controls, effective_value
from paxtui.games.pax.diplomacy import settlement
from paxtui.games.pax.diplomacy.disputes import area_disputes
from paxtui.games.pax.events import events
from paxtui.games.pax.events.events import evolve
from paxtui.games.pax.state.pieces import Holding
from tests.rules.agreements import (
    agree,
    grant,
    lower,
    money,
    negotiating,
    not_agreed,
    pay,
    persia,
    share,
    transfer,
    tunis,
    waive,
)
from tests.rules.harness import UNLIMITED, Bench, army, at_home, here, marker, start

HAWAII = ("united_states", "britain", "japan")


def hawaii(phase: str = "movement", *more: dict[str, Any], kind: str = "protectorate", **rest: Any) -> Bench:
    """Hawaii shared by three Powers, each with an army."""
    there = {
        "markers": [*(marker(p, kind) for p in HAWAII), *more],
        "codominion": list(HAWAII),
        "units": [army(p, 1) for p in HAWAII],
    }
    return start({"phase": phase, "areas": {"hawaii": there}, **rest})


@pytest.mark.rule("COD-001", "NEG-025")
def test_guiana_is_a_codominion_and_two_conquerors_are_none() -> None:
    g = start()
    assert set(g.state.areas["guiana"].codominion) == {"britain", "france", "netherlands"}
    assert {m.power for m in g.state.areas["guiana"].markers if m.established} == {"britain", "france", "netherlands"}
    both = [marker("italy", "protectorate"), marker("france", "protectorate")]
    g = start({"phase": "negotiation", "areas": {"tunis": {"markers": both}}})
    assert g.state.areas["tunis"].codominion == ()
    g.step()  # nothing agreed: they cannot stay together
    assert g.kind("tunis", "italy") == g.kind("tunis", "france") == "influence"


@pytest.mark.rule("COD-001")
def test_a_codominion_ends_with_its_last_but_one_member() -> None:
    both = [marker("britain", "protectorate"), marker("germany", "protectorate"), marker("russia", "influence")]
    there = {"markers": both, "codominion": ["britain", "germany"]}
    cause = [{"holder": "russia", "against": p, "area": "persia"} for p in ("britain", "germany")]
    g = start({"phase": "negotiation", "areas": {"persia": there}, "casus_belli": cause})
    g.do("germany", actions.Downgrade("interest", "persia"))
    assert g.state.areas["persia"].codominion == () and controls(g.state, "persia", "britain")


@pytest.mark.rule("COD-003")
def test_an_influence_never_represents_a_member() -> None:
    both = [marker("britain", "protectorate"), marker("russia", "influence")]
    with pytest.raises(Refusal) as caught:
        start({"phase": "movement", "areas": {"persia": {"markers": both, "codominion": ["britain", "russia"]}}})
    assert "COD-003" in caught.value.rules
    g = start({"phase": "negotiation", "areas": {"persia": {"markers": both}}, "powers": {"russia": {"treasury": 10}}})
    g.do("britain", actions.Codominion("persia", ("russia",)))
    g.do("russia", actions.Choose(g.pending()[0].id, ("accept",)))
    assert g.kind("persia", "russia") == "protectorate"
    assert set(g.state.areas["persia"].codominion) == {"britain", "russia"}


@pytest.mark.rule("COD-003")
def test_influence_in_an_area_of_a_new_codominion_is_no_member() -> None:
    three = [marker("britain", "protectorate"), marker("france", "protectorate"), marker("russia", "influence")]
    g = start({"phase": "negotiation", "areas": {"persia": {"markers": three}}})
    g.do("britain", actions.Codominion("persia"))
    g.do("france", actions.Choose(g.pending()[0].id, ("accept",)))
    assert set(g.state.areas["persia"].codominion) == {"britain", "france"}


@pytest.mark.rule("COD-005")
def test_every_member_controls_the_area() -> None:
    g = start()
    assert all(controls(g.state, "guiana", p) for p in ("britain", "france", "netherlands"))


@pytest.mark.rule("COD-006")
def test_a_member_has_the_rights_of_a_sole_holder() -> None:
    g = start({"phase": "movement", "homes": {"france": {"units": [army("france", 1)]}}})
    g.do("france", actions.Move(("A1",), ("home:france", "guiana")))
    assert sum(1 for u in g.state.areas["guiana"].units if u.power == "france") == 2
    # the British link to Brasil runs through Guiana where no British fleet is in the South Atlantic
    zones = {"south_atlantic": {"merchant_fleets": ["france"]}}
    g = start({"phase": "movement", "sea_zones": zones})
    assert "brasil" in linked_areas(g.tables, g.state, "britain")
    only = {"guiana": {"markers": [marker("france", "possession"), marker("netherlands", "possession")]}}
    g = start({"phase": "movement", "sea_zones": zones, "areas": only})
    assert "brasil" not in linked_areas(g.tables, g.state, "britain")


@pytest.mark.rule("COD-008")
def test_a_member_without_an_army_loses_its_marker_without_an_influence() -> None:
    # Guiana is the poorest of the French Possessions: the one that stays without an army
    there = {"units": [army("britain", 1), army("netherlands", 1)]}
    g = start({"phase": "movement", "areas": {"guiana": there}, "homes": {"france": {"units": []}}})
    while g.state.phase != "negotiation":
        g.step()
    assert g.kind("guiana", "france") == ""
    guiana = [e for e in g.all_of(events.TensionRaised) if e.area == "guiana"]
    assert [(e.amount, e.blame) for e in guiana] == [(4, "france")]
    assert effective_value(g.tables, g.state, "guiana") == 3


@pytest.mark.rule("COD-009", "NEG-028")
def test_each_control_marker_after_the_first_lowers_the_value_by_one() -> None:
    g = start()
    assert g.tables.areas["guiana"].value == 4
    assert effective_value(g.tables, g.state, "guiana") == 2
    three = [marker(p, "protectorate") for p in HAWAII]
    g = start({"areas": {"newfoundland": {"markers": three, "codominion": list(HAWAII)}}})
    assert effective_value(g.tables, g.state, "newfoundland") == 0


def income(*more: dict[str, Any]) -> tuple[dict[str, int | None], dict[str, int | None]]:
    """Record sheets of the United States and France with Hawaii shared and the markers `more`."""
    zones = {"south_pacific": {"merchant_fleets": ["france"]}, "south_china_sea": {"merchant_fleets": []}}
    g = hawaii("administrative", *more, sea_zones=zones)
    g.step()
    return g.state.powers["united_states"].record, g.state.powers["france"].record


@pytest.mark.rule("COD-009", "COD-011", "NEG-026", "NEG-020")
def test_members_earn_on_the_lower_value_and_pay_full_maintenance() -> None:
    sheet, _ = income()
    assert sheet["04"] == 1 and sheet["05"] == 3
    assert sheet["12"] == 12 and sheet["19"] == 10


@pytest.mark.rule("COD-010", "NEG-027")
def test_an_interest_earns_on_the_full_value() -> None:
    before, after = income()[1], income(marker("france", "interest"))[1]
    assert (before["09"] or 0) + 5 == after["09"]


@pytest.mark.rule("COD-012")
def test_protectorate_and_possession_may_share_a_codominion() -> None:
    both = [marker("britain", "possession"), marker("france", "protectorate")]
    there = {"markers": both, "codominion": ["britain", "france"], "units": [army("britain", 1), army("france", 1)]}
    g = start({"phase": "negotiation", "areas": {"hawaii": there}})
    g.step()
    assert g.kind("hawaii", "britain") == "possession" and g.kind("hawaii", "france") == "protectorate"
    assert g.state.tension == 0
    g = start({"phase": "negotiation", "areas": {"hawaii": {"markers": both}}})
    g.do("britain", actions.Codominion("hawaii"))
    g.do("france", actions.Choose(g.pending()[0].id, ("accept",)))
    assert set(g.state.areas["hawaii"].codominion) == {"britain", "france"}


@pytest.mark.rule("COD-013")
def test_states_and_dominions_are_never_shared() -> None:
    both = [marker("britain", "dominion"), marker("france", "influence")]
    rich = {p: {"treasury": 90} for p in ("britain", "france", "united_states")}
    g = start({"phase": "negotiation", "areas": {"canada": {"markers": both}}, "powers": rich})
    assert g.refused("britain", actions.Codominion("canada", ("france",))).rules == ("COD-013",)
    g = hawaii(kind="possession", powers=rich)
    refusal = g.refused("united_states", actions.Upgrade("state", "hawaii"))
    assert "COD-013" in refusal.rules


# Sharing a disputed Area


@pytest.mark.rule("NEG-018", "NEG-024", "COD-001")
def test_a_codominion_ends_the_dispute() -> None:
    g = tunis()
    g.do("france", actions.Codominion("tunis"))
    (choice,) = g.pending()
    assert (choice.seat, choice.default) == ("italy", "decline")
    assert g.state.areas["tunis"].codominion == ()
    g.do("italy", actions.Choose(choice.id, ("accept",)))
    assert set(g.state.areas["tunis"].codominion) == {"france", "italy"}
    assert g.kind("tunis", "france") == g.kind("tunis", "italy") == "protectorate"
    assert g.state.casus_belli == () and g.state.tension == 0
    g.step()
    assert g.kind("tunis", "france") == g.kind("tunis", "italy") == "protectorate" and g.state.tension == 0


@pytest.mark.rule("NEG-019")
def test_every_holder_of_control_must_agree() -> None:
    three = [marker(p, "protectorate") for p in ("france", "italy", "britain")]
    pairs = [(a, b, "tunis") for a in ("france", "italy", "britain") for b in ("france", "italy", "britain") if a != b]
    for last in ("accept", "decline"):
        g = negotiating({"tunis": three}, pairs)
        g.do("france", actions.Codominion("tunis"))
        asked = {c.seat: c.id for c in g.pending()}
        assert set(asked) == {"italy", "britain"}
        g.do("italy", actions.Choose(asked["italy"], ("accept",)))
        assert g.state.areas["tunis"].codominion == ()
        g.do("britain", actions.Choose(asked["britain"], (last,)))
        shared = {"france", "italy", "britain"} if last == "accept" else set()
        assert set(g.state.areas["tunis"].codominion) == shared and not g.pending()
    g = negotiating({"tunis": three}, pairs)
    g.do("france", actions.Codominion("tunis"))
    asked = {c.seat: c.id for c in g.pending()}
    g.do("italy", actions.Choose(asked["italy"], ("decline",)))
    assert not g.pending() and g.state.areas["tunis"].codominion == ()
    assert [(e.answer, e.void) for e in g.of(events.ChoiceMade)] == [(("decline",), False), ((), True)]


@pytest.mark.rule("COD-004", "NEG-021")
def test_an_influence_joins_a_codominion_for_ten_pounds() -> None:
    g = persia(money={"russia": 9})
    assert g.refused("britain", actions.Codominion("persia", ("russia",))).code == "no_money"
    g = persia(money={"russia": 12})
    g.do("britain", actions.Codominion("persia", ("russia",)))
    g.do("russia", actions.Choose(g.pending()[0].id, ("accept",)))
    assert g.state.powers["russia"].treasury == 2
    assert g.kind("persia", "russia") == "protectorate" and g.state.casus_belli == ()
    assert set(g.state.areas["persia"].codominion) == {"britain", "russia"}
    assert g.refused("britain", actions.Codominion("persia")).code == "shared_already"


@pytest.mark.rule("NEG-023")
def test_excluded_influence_has_a_casus_belli_against_each_member() -> None:
    three = [marker("britain", "protectorate"), marker("germany", "protectorate"), marker("russia", "influence")]
    g = negotiating({"persia": three}, [("britain", "germany", "persia"), ("germany", "britain", "persia")])
    g.do("britain", actions.Codominion("persia"))
    g.do("germany", actions.Choose(g.pending()[0].id, ("accept",)))
    found = {(c.holder, c.against) for c in g.state.casus_belli}
    assert found == {("russia", "britain"), ("russia", "germany")}
    g.skip_declarations()  # nothing done about it: the Influence gives way
    assert g.kind("persia", "russia") == "interest" and g.state.casus_belli == ()


@pytest.mark.rule("NEG-019")
@pytest.mark.parametrize("answer", ["accept", "decline"])
def test_proposals_for_two_areas_do_not_wait_for_each_other(answer: str) -> None:
    both = {a: [marker("france", "protectorate"), marker("italy", "protectorate")] for a in ("tunis", "tripoli")}
    g = negotiating(both)
    for area in both:
        g.act("france", f"codominion {area}")
    first, second = g.pending()
    g.act("italy", f"choose {first.id} {answer}")
    assert set(g.state.areas["tunis"].codominion) == ({"france", "italy"} if answer == "accept" else set())
    assert g.pending() == [second] and g.state.areas["tripoli"].codominion == ()
    g.act("italy", f"choose {second.id} accept")
    assert set(g.state.areas["tripoli"].codominion) == {"france", "italy"}


@pytest.mark.rule("NEG-023")
def test_a_minor_powers_influence_contests_no_codominion() -> None:
    three = [marker("britain", "protectorate"), marker("germany", "protectorate"), marker("belgium", "influence")]
    g = negotiating({"kongo": three}, [])
    g.do("britain", actions.Codominion("kongo"))
    g.do("germany", actions.Choose(g.pending()[0].id, ("accept",)))
    assert g.state.casus_belli == ()
    g.step()
    assert g.kind("kongo", "belgium") == "interest"


@pytest.mark.rule("NEG-019", "COD-004")
def test_codominion_offer_goes_to_its_members_only() -> None:
    control = [marker("britain", "protectorate"), marker("germany", "protectorate")]
    influence = [marker("russia", "influence"), marker("france", "influence")]
    g = negotiating({"persia": [*control, *influence]}, [], money={"russia": 10})
    g.do("britain", actions.Codominion("persia", ("russia",)))
    assert {c.seat for c in g.pending()} == {"germany", "russia"}
    assert g.view("france")["pending"] == []
    for seat in ("germany", "russia"):
        g.do(seat, actions.Choose(next(c.id for c in g.pending() if c.seat == seat), ("accept",)))
    assert set(g.state.areas["persia"].codominion) == {"britain", "germany", "russia"}
    assert {(c.holder, c.against) for c in g.state.casus_belli} == {
        ("france", p) for p in ("britain", "germany", "russia")
    }


# Sharing by a settlement


@pytest.mark.rule("COD-002", "NEG-016")
def test_a_share_of_a_codominion_passes_on() -> None:
    there = {
        "markers": [marker("france", "protectorate"), marker("italy", "protectorate")],
        "codominion": ["france", "italy"],
    }
    g = negotiating({"tunis": there})
    agree(g, transfer("france", "tunis", "britain"))
    assert set(g.state.areas["tunis"].codominion) == {"britain", "italy"} and g.causes() == set()


def two(phase: str, **rest: Any) -> Bench:
    """Hawaii shared by the United States, with a Protectorate, and Japan, with a Possession and no army."""
    there = here(
        marker("united_states", "protectorate"),
        marker("japan", "possession"),
        army("united_states", 1),
        codominion=["united_states", "japan"],
    )
    return start({"phase": phase, "areas": {"hawaii": there}, **rest}, options=UNLIMITED)


def handed_over(g: Bench, how: str, giver: str, to: str) -> None:
    """Transfer a share of Hawaii."""
    if how == "offer":
        g.act(giver, f"transfer hawaii to {to}")
        g.act(to, f"choose {g.pending()[0].id} accept")
    else:
        agree(g, transfer(giver, "hawaii", to), congress=how == "Congress")


HANDED = [("movement", "offer"), ("negotiation", "offer"), ("negotiation", "settlement"), ("congress", "Congress")]


@pytest.mark.rule("COD-001", "COD-002", "STA-034", "NEG-016", "CON-017")
@pytest.mark.parametrize(("phase", "how"), HANDED)
def test_a_share_handed_to_the_partner_ends_the_codominion(phase: str, how: str) -> None:
    g = two(phase)
    handed_over(g, how, "japan", "united_states")
    area = g.state.areas["hawaii"]
    assert area.codominion == () and [(m.power, m.marker) for m in area.markers] == [("united_states", "possession")]
    (left,) = g.all_of(events.CodominionSet)
    assert left.powers == () and {"COD-001", "STA-035"} <= set(left.rules)
    # of three members two are left, each once
    there = here(
        *(marker(p, "possession" if p == "japan" else "protectorate") for p in HAWAII), codominion=list(HAWAII)
    )
    g = start({"phase": phase, "areas": {"hawaii": there}}, options=UNLIMITED)
    handed_over(g, how, "japan", "britain")
    assert g.state.areas["hawaii"].codominion == ("united_states", "britain")
    assert g.markers("hawaii", "britain") == ("possession", "") and g.markers("hawaii", "japan") == ("", "")


@pytest.mark.rule("COD-001")
def test_old_log_lists_no_member_of_a_codominion_twice() -> None:
    g = two("negotiation")
    event = events.MarkerTransferred(area="hawaii", power="japan", to="united_states", marker="possession", turn=1)
    assert evolve(g.state, event).areas["hawaii"].codominion == ()


@pytest.mark.rule("COD-001", "STA-034")
def test_former_codominion_may_become_a_state() -> None:
    g = two("negotiation", homes=at_home("united_states"), turn=3)
    assert g.state.areas["hawaii"].codominion
    handed_over(g, "offer", "japan", "united_states")
    while g.state.phase != "movement":
        g.step()
    g.state = replace(
        g.state, powers={**g.state.powers, "united_states": replace(g.state.powers["united_states"], treasury=20)}
    )
    g.act("united_states", "upgrade state hawaii")
    assert g.kind("hawaii", "united_states") == "state"


@pytest.mark.rule("STA-038", "STA-034")
def test_former_codominion_fails_the_garrison_test_like_any_area() -> None:
    g = two("movement", homes=at_home("united_states"))
    handed_over(g, "offer", "united_states", "britain")  # a third Power's share: the Codominion stays
    assert set(g.state.areas["hawaii"].codominion) == {"britain", "japan"}
    g = start(
        {
            "phase": "movement",
            "areas": {
                "hawaii": here(
                    marker("united_states", "protectorate"),
                    marker("japan", "possession"),
                    codominion=["united_states", "japan"],
                )
            },
            "homes": at_home("united_states"),
            "sea_zones": {z: {"merchant_fleets": []} for z in ("north_pacific", "south_pacific")},
        },
        options=UNLIMITED,
    )
    handed_over(g, "offer", "japan", "united_states")
    while g.state.phase != "negotiation":
        g.step()
    # an Influence, not the Interest or nothing of a Codominion's member
    assert g.kind("hawaii", "united_states") == "influence"
    (fall,) = [e for e in g.all_of(events.MarkerLowered) if e.area == "hawaii"]
    assert "STA-038" in fall.rules and "COD-008" not in fall.rules


@pytest.mark.rule("COD-008")
def test_two_members_without_armies_both_lose_their_share() -> None:
    there = here(
        *(marker(p, "protectorate") for p in ("japan", "united_states")), codominion=["japan", "united_states"]
    )
    homes = {**at_home("japan"), **at_home("united_states")}
    g = start({"phase": "movement", "areas": {"hawaii": there}, "homes": homes}, options=UNLIMITED)
    while g.state.phase != "negotiation":
        g.step()
    falls = [e for e in g.all_of(events.MarkerLowered) if e.area == "hawaii"]
    assert len(falls) == 2 and all("COD-008" in e.rules and e.to == "interest" for e in falls)


@pytest.mark.rule("NEG-012", "NEG-015", "NEG-017", "COD-001")
def test_a_power_lets_another_share_its_area_at_the_price_of_a_new_marker() -> None:
    for level, price in (("protectorate", 20), ("possession", 40)):
        g = negotiating({"kenya": [marker("britain", "protectorate")]})
        agree(g, grant("britain", "kenya", "germany", level))
        assert g.kind("kenya", "germany") == level and g.kind("kenya", "britain") == "protectorate"
        assert set(g.state.areas["kenya"].codominion) == {"britain", "germany"}
        assert money(g, "britain", "germany") == (100, 100 - price)
        assert g.state.tension == 0 and g.causes() == set()


@pytest.mark.rule("NEG-012", "COD-001")
def test_all_holders_may_grant_the_same_marker_in_one_settlement() -> None:
    g = negotiating({"kenya": [marker("britain", "protectorate"), marker("france", "protectorate")]})
    agree(g, grant("britain", "kenya", "germany"), grant("france", "kenya", "germany"))
    assert g.kind("kenya", "germany") == "protectorate" and money(g, "germany") == (80,)
    assert set(g.state.areas["kenya"].codominion) == {"britain", "france", "germany"}


@pytest.mark.rule("NEG-015", "NEG-017")
def test_the_price_is_the_difference_to_what_the_receiver_has_there() -> None:
    g = negotiating(
        {"kenya": [marker("britain", "protectorate"), marker("germany", "interest"), marker("italy", "influence")]}
    )
    agree(g, grant("britain", "kenya", "germany"), grant("britain", "kenya", "italy", "possession"))
    assert money(g, "germany", "italy") == (85, 70)
    assert g.kind("kenya", "italy") == "possession"
    assert sum(1 for m in g.state.areas["kenya"].markers if m.power == "italy") == 1


@pytest.mark.rule("NEG-015")
def test_another_may_pay_for_the_new_marker() -> None:
    g = negotiating({"kenya": [marker("britain", "protectorate")]})
    agree(g, grant("britain", "kenya", "germany", payer="france"))
    assert money(g, "britain", "germany", "france") == (100, 100, 80)
    g = negotiating({"kenya": [marker("britain", "protectorate")], "tunis": [marker("france", "protectorate")]})
    agree(g, share("tunis", "france", "italy", payer="france"))
    assert money(g, "france", "italy") == (80, 100)
    poor = negotiating({"kenya": [marker("britain", "protectorate")]}, money={"germany": 19})
    assert not_agreed(poor, grant("britain", "kenya", "germany")).code == "no_money"
    assert not_agreed(g, grant("britain", "kenya", "germany", payer="austria_hungary")).code == "gives_nobody"


@pytest.mark.rule("NEG-012", "COD-003", "COD-013")
def test_grants_that_are_refused() -> None:
    g = negotiating(
        {
            "kenya": [marker("britain", "influence")],
            "canada": [marker("britain", "dominion")],
            "siam": [marker("britain", "protectorate"), marker("france", "protectorate")],
        }
    )
    assert not_agreed(g, grant("britain", "kenya", "germany")).rules[-1] == "NEG-012"
    assert not_agreed(g, grant("britain", "canada", "germany")).rules == ("COD-013",)
    assert not_agreed(g, grant("italy", "siam", "germany")).rules == ("NEG-012",)
    assert not_agreed(g, grant("britain", "siam", "france")).code == "receiver_has"
    assert "COD-003" in not_agreed(g, grant("britain", "siam", "germany", "influence")).rules
    assert "COD-013" in not_agreed(g, grant("britain", "siam", "united_states", "state")).rules


@pytest.mark.rule("NEG-018", "NEG-024", "COD-012")
def test_sharing_ends_the_dispute_without_tension_or_price() -> None:
    both = [marker("france", "possession"), marker("italy", "protectorate")]
    g = negotiating({"tunis": both}, [("france", "italy", "tunis"), ("italy", "france", "tunis")])
    agree(g, share("tunis", "france", "italy"))
    assert g.causes() == set() and g.state.tension == 0 and money(g, "france", "italy") == (100, 100)
    assert {m.power: m.marker for m in g.state.areas["tunis"].markers} == {
        "france": "possession",
        "italy": "protectorate",
    }
    assert not area_disputes(g.tables, g.state)


@pytest.mark.rule("NEG-019", "COD-001")
def test_codominion_includes_all_holders_of_control() -> None:
    three = [marker(p, "protectorate") for p in ("france", "italy", "britain")]
    g = negotiating({"tunis": three})
    assert not_agreed(g, share("tunis", "france", "italy")).code == "left_out"
    assert settlement.required_signers(g.tables, g.state, [share("tunis", "france", "italy")]) == (
        "britain",
        "france",
        "italy",
    )
    assert settlement.required_signers(g.tables, g.state, [grant("france", "tunis", "germany")]) == (
        "britain",
        "france",
        "germany",
        "italy",
    )
    agree(g, lower("britain", "tunis", "interest"), share("tunis", "france", "italy"))
    assert set(g.state.areas["tunis"].codominion) == {"france", "italy"}


@pytest.mark.rule("NEG-019")
def test_minor_power_joins_a_codominion_only_in_a_congress() -> None:
    both = [marker("france", "protectorate"), marker("spain", "protectorate")]
    g = negotiating({"tunis": both})
    assert g.refused("france", actions.Codominion("tunis")).code == "minor"
    assert not_agreed(g, share("tunis", "france", "spain")).rules == ("NEG-019",)
    assert not_agreed(g, grant("france", "tunis", "italy")).rules == ("NEG-019",)
    assert not_agreed(g, lower("spain", "tunis")).code == "minor"
    assert not_agreed(g, transfer("spain", "tunis", "italy")).code == "minor"
    agree(g, share("tunis", "france", "spain"), congress=True)
    assert set(g.state.areas["tunis"].codominion) == {"france", "spain"}


@pytest.mark.rule("COD-004", "NEG-021", "NEG-022")
def test_influence_joins_for_ten_pounds_without_other_influences() -> None:
    two = [marker("britain", "protectorate"), marker("germany", "protectorate")]
    both = [marker("russia", "influence"), marker("france", "influence")]
    g = negotiating({"persia": [*two, *both]})
    clause = share("persia", "britain", "germany", "russia")
    assert settlement.required_signers(g.tables, g.state, [clause]) == ("britain", "germany", "russia")
    agree(g, clause)
    assert g.kind("persia", "russia") == "protectorate" and money(g, "russia") == (90,)
    assert set(g.state.areas["persia"].codominion) == {"britain", "germany", "russia"}
    assert g.causes() == {("france", p, "persia") for p in ("britain", "germany", "russia")}


@pytest.mark.rule("COD-004", "NEG-021")
def test_influence_may_join_an_existing_codominion() -> None:
    there = {
        "markers": [
            marker("britain", "protectorate"),
            marker("japan", "protectorate"),
            marker("united_states", "influence"),
        ],
        "codominion": ["britain", "japan"],
    }
    g = negotiating({"hawaii": there})
    agree(g, share("hawaii", "britain", "japan", "united_states"))
    assert money(g, "united_states") == (90,) and g.kind("hawaii", "united_states") == "protectorate"
    g = negotiating({"hawaii": there})
    assert not_agreed(g, share("hawaii", "britain", "japan")).code == "shared_already"


@pytest.mark.rule("NEG-021", "NEG-015")
def test_joining_as_a_possession_costs_the_difference() -> None:
    g = persia()
    agree(g, share("persia", "britain", "russia", kind="possession"))
    assert g.kind("persia", "russia") == "possession" and g.kind("persia", "britain") == "protectorate"
    assert money(g, "britain", "russia") == (100, 70)


@pytest.mark.rule("NEG-023")
def test_excluded_influence_has_a_casus_belli_unless_waived() -> None:
    two = [marker("britain", "protectorate"), marker("germany", "protectorate")]
    g = negotiating({"persia": [*two, marker("russia", "influence")]}, [("russia", "britain", "persia")])
    agree(g, share("persia", "britain", "germany"))
    assert g.causes() == {("russia", "britain", "persia"), ("russia", "germany", "persia")}
    assert {e.cause for e in g.of(events.CasusBelliArose)} == {"codominion_over_influence"}
    g = negotiating({"persia": [*two, marker("russia", "influence")]}, [("russia", "britain", "persia")])
    agree(g, waive("russia", "persia"), share("persia", "britain", "germany"), pay("britain", "russia", 5))
    assert g.causes() == set()
    g.step()
    assert g.kind("persia", "russia") == "interest"


@pytest.mark.rule("NEG-023")
def test_waiver_does_not_cover_a_later_codominion() -> None:
    sole = [marker("britain", "protectorate"), marker("russia", "influence")]
    g = negotiating({"persia": sole}, [("russia", "britain", "persia")])
    g.do("russia", actions.Waive("cb1"))
    assert g.causes() == set()
    agree(g, grant("britain", "persia", "germany"))
    assert g.causes() == {("russia", "britain", "persia"), ("russia", "germany", "persia")}


@pytest.mark.rule("NEG-023")
def test_waiver_against_one_member_leaves_the_causes_against_others() -> None:
    two = [marker("britain", "protectorate"), marker("germany", "protectorate")]
    g = negotiating({"persia": [*two, marker("russia", "influence")]}, [("russia", "britain", "persia")])
    agree(g, waive("russia", "persia", "britain"), share("persia", "britain", "germany"))
    assert g.causes() == {("russia", "germany", "persia")}


@pytest.mark.rule("NEG-020")
def test_each_member_has_the_rights_of_a_sole_holder() -> None:
    g = negotiating({"tunis": [marker("italy", "protectorate")]})
    agree(g, grant("italy", "tunis", "france"))
    shared = {"markers": [marker(p, "protectorate") for p in ("italy", "france")], "codominion": ["italy", "france"]}
    homes = {p: {"units": [army(p, 1)]} for p in ("italy", "france")}
    assert set(g.state.areas["tunis"].codominion) == set(shared["codominion"])
    g = start({"phase": "movement", "areas": {"tunis": shared}, "homes": homes})
    for power in ("italy", "france"):
        g.act(power, "move A1 home > tunis")
    assert {u.power for u in g.state.areas["tunis"].units} == {"italy", "france"}
    g = start({"phase": "administrative", "areas": {"tunis": shared, "algiers": {"markers": []}}})
    g.step()
    for power in ("italy", "france"):
        line = g.view()["powers"][power]["record"]
        assert (line["04"], line["12"]) == (1, 4 * line["05"]) and line["05"] > 0


@pytest.mark.rule("COD-002", "NEG-018")
def test_codominions_are_made_in_no_other_phase() -> None:
    for phase in ("administrative", "movement", "marker_adjustment"):
        g = negotiating({"kenya": [marker("britain", "protectorate")]}, phase=phase)
        for clause in (grant("britain", "kenya", "germany"), share("kenya", "britain", "germany")):
            found = not_agreed(g, clause)
            assert found.code == "wrong_phase" and "COD-002" in found.rules
        assert g.refused("britain", actions.Codominion("kenya")).code == "wrong_phase"
        agree(g, share("kenya", "britain", "germany"), congress=True)
        assert len(g.state.areas["kenya"].codominion) == 2


@pytest.mark.rule("CRI-006")
def test_granting_a_codominion_in_china_raises_no_resentment_at_once() -> None:
    g = negotiating({})
    agree(g, grant("britain", "hong_kong", "japan"))
    assert g.kind("hong_kong", "japan") == "protectorate"
    assert not g.of(events.ResentmentRaised) and g.state.resentment == 0
    g.step()
    assert g.state.phase == "chinese_resentment"
    g.dice(6, 6, 6)
    g.step()
    assert [(e.power, e.area) for e in g.all_of(events.ResentmentRaised)].count(("japan", "hong_kong")) <= 1
    assert g.state.resentment == 6


@pytest.mark.rule("NEG-012", "OTT-002")
def test_control_granted_in_an_ottoman_area_causes_an_ottoman_war() -> None:
    g = negotiating({"tripoli": [marker("italy", "protectorate")]})
    agree(g, grant("italy", "tripoli", "france"))
    assert g.state.ottoman_wars == (Holding("france", "tripoli"),)
    g = negotiating({"tripoli": [marker("italy", "protectorate")]}, options={"granted_control_angers_ottomans": "no"})
    agree(g, grant("italy", "tripoli", "france"))
    assert g.state.ottoman_wars == ()
    g = negotiating({"tripoli": [marker("italy", "protectorate")]})
    agree(g, transfer("italy", "tripoli", "france"))
    assert g.state.ottoman_wars == ()


@pytest.mark.rule("NEG-017", "ETI-030")
def test_receiver_of_a_granted_possession_is_to_blame_for_a_lost_interest() -> None:
    g = negotiating({"kenya": [marker("britain", "protectorate"), marker("italy", "interest")]})
    agree(g, grant("britain", "kenya", "germany", "possession"))
    assert g.kind("kenya", "italy") == ""
    assert [(e.blame, e.amount) for e in g.of(events.TensionRaised)] == [("germany", 1)]


@pytest.mark.rule("COD-004", "CON-020")
def test_a_congress_charges_nothing() -> None:
    g = persia()
    agree(g, share("persia", "britain", "russia", "france"), congress=True)
    assert money(g, "britain", "russia", "france") == (100, 100, 100) and not g.of(events.TreasuryChanged)
    assert set(g.state.areas["persia"].codominion) == {"britain", "russia", "france"}


@pytest.mark.rule("SET-039")
def test_a_new_marker_needs_a_piece() -> None:
    g = negotiating({"kenya": [marker("britain", "protectorate")]})
    limit = g.tables.counters["italy"].hexagon
    areas = [a for a, row in g.tables.areas.items() if row.type == "independent"][:limit]
    g = negotiating(
        {**{a: [marker("italy", "protectorate")] for a in areas}, "kenya": [marker("britain", "protectorate")]}
    )
    refusal = not_agreed(g, grant("britain", "kenya", "italy"))
    assert refusal.code == "no_piece" and "SET-039" in refusal.rules
