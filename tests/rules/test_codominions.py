"""Codominions: who Controls them, what they bring, who garrisons them (COD)."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.engine.refusal import Refusal
from paxtui.pax import actions as ac
from paxtui.pax import events as ev
from paxtui.pax.links import linked_areas
from paxtui.pax.status import controls, effective_value, established
from tests.rules.harness import Bench, army, marker, start

HAWAII = ("united_states", "britain", "japan")


def hawaii(phase: str = "movement", *more: dict[str, Any], kind: str = "protectorate", **rest: Any) -> Bench:
    """Hawaii shared by three Powers, each with an army."""
    there = {
        "markers": [*(marker(p, kind) for p in HAWAII), *more],
        "codominion": list(HAWAII),
        "units": [army(p, 1) for p in HAWAII],
    }
    return start({"phase": phase, "areas": {"hawaii": there}, **rest})


def kind(g: Bench, area: str, power: str) -> str:
    m = established(g.state, area, power)
    return m.marker if m else ""


@pytest.mark.rule("COD-001", "NEG-025")
def test_guiana_is_a_codominion_and_two_conquerors_are_none() -> None:
    g = start()
    assert set(g.state.areas["guiana"].codominion) == {"britain", "france", "netherlands"}
    assert {m.power for m in g.state.areas["guiana"].markers if m.established} == {"britain", "france", "netherlands"}
    both = [marker("italy", "protectorate"), marker("france", "protectorate")]
    g = start({"phase": "negotiation", "areas": {"tunis": {"markers": both}}})
    assert g.state.areas["tunis"].codominion == ()
    g.step()  # nothing agreed: they cannot stay together
    assert kind(g, "tunis", "italy") == kind(g, "tunis", "france") == "influence"


@pytest.mark.rule("COD-001")
def test_a_codominion_ends_with_its_last_but_one_member() -> None:
    both = [marker("britain", "protectorate"), marker("germany", "protectorate"), marker("russia", "influence")]
    there = {"markers": both, "codominion": ["britain", "germany"]}
    cause = [{"holder": "russia", "against": p, "area": "persia"} for p in ("britain", "germany")]
    g = start({"phase": "negotiation", "areas": {"persia": there}, "casus_belli": cause})
    g.do("germany", ac.Downgrade("interest", "persia"))
    assert g.state.areas["persia"].codominion == () and controls(g.state, "persia", "britain")


@pytest.mark.rule("COD-003")
def test_an_influence_never_represents_a_member() -> None:
    both = [marker("britain", "protectorate"), marker("russia", "influence")]
    with pytest.raises(Refusal) as caught:
        start({"phase": "movement", "areas": {"persia": {"markers": both, "codominion": ["britain", "russia"]}}})
    assert "COD-003" in caught.value.rules
    g = start({"phase": "negotiation", "areas": {"persia": {"markers": both}}, "powers": {"russia": {"treasury": 10}}})
    g.do("britain", ac.Codominion("persia", ("russia",)))
    g.do("russia", ac.Choose(g.pending()[0].id, ("accept",)))
    assert kind(g, "persia", "russia") == "protectorate"
    assert set(g.state.areas["persia"].codominion) == {"britain", "russia"}


@pytest.mark.rule("COD-003")
def test_an_influence_left_beside_a_new_codominion_is_no_member() -> None:
    three = [marker("britain", "protectorate"), marker("france", "protectorate"), marker("russia", "influence")]
    g = start({"phase": "negotiation", "areas": {"persia": {"markers": three}}})
    g.do("britain", ac.Codominion("persia"))
    g.do("france", ac.Choose(g.pending()[0].id, ("accept",)))
    assert set(g.state.areas["persia"].codominion) == {"britain", "france"}


@pytest.mark.rule("COD-005")
def test_every_member_controls_the_area() -> None:
    g = start()
    assert all(controls(g.state, "guiana", p) for p in ("britain", "france", "netherlands"))


@pytest.mark.rule("COD-006")
def test_a_member_has_the_rights_of_a_sole_holder() -> None:
    g = start({"phase": "movement", "homes": {"france": {"units": [army("france", 1)]}}})
    g.do("france", ac.Move(("A1",), ("home:france", "guiana")))
    assert sum(1 for u in g.state.areas["guiana"].units if u.power == "france") == 2
    # the British link to Brasil runs through Guiana where no British fleet is in the South Atlantic
    zones = {"south_atlantic": {"merchant_fleets": ["france"]}}
    g = start({"phase": "movement", "sea_zones": zones})
    assert "brasil" in linked_areas(g.tables, g.state, "britain")
    only = {"guiana": {"markers": [marker("france", "possession"), marker("netherlands", "possession")]}}
    g = start({"phase": "movement", "sea_zones": zones, "areas": only})
    assert "brasil" not in linked_areas(g.tables, g.state, "britain")


@pytest.mark.rule("COD-007")
def test_each_member_garrisons_with_its_own_army() -> None:
    both = [marker("italy", "protectorate"), marker("germany", "protectorate")]
    there = {"markers": both, "codominion": ["italy", "germany"], "units": [army("italy", 1)]}
    g = start({"phase": "movement", "areas": {"tunis": there}, "homes": {"germany": {"units": []}}})
    g.step()
    assert [(e.area, e.power) for e in g.all_of(ev.GarrisonMissing)] == [("tunis", "germany")]


@pytest.mark.rule("COD-008")
def test_a_member_without_an_army_loses_its_marker_without_an_influence() -> None:
    # Guiana is the poorest of the French Possessions: the one that stays without an army
    there = {"units": [army("britain", 1), army("netherlands", 1)]}
    g = start({"phase": "movement", "areas": {"guiana": there}, "homes": {"france": {"units": []}}})
    while g.state.phase != "negotiation":
        g.step()
    assert kind(g, "guiana", "france") == ""
    guiana = [e for e in g.all_of(ev.TensionRaised) if e.area == "guiana"]
    assert [(e.amount, e.blame) for e in guiana] == [(4, "france")]
    assert effective_value(g.tables, g.state, "guiana") == 3


@pytest.mark.rule("COD-008")
def test_beside_protectorates_the_member_keeps_an_interest() -> None:
    units = {"units": [army("united_states", 1), army("japan", 1)]}
    areas = {"hawaii": {**units, "markers": [marker(p, "protectorate") for p in HAWAII], "codominion": list(HAWAII)}}
    g = start({"phase": "movement", "areas": areas, "homes": {"britain": {"units": []}}})
    while g.state.phase != "negotiation":
        g.step()
    assert kind(g, "hawaii", "britain") == "interest"
    assert [e.amount for e in g.all_of(ev.TensionRaised) if e.area == "hawaii"] == [2]


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
def test_members_earn_on_the_lower_value_and_pay_as_ever() -> None:
    sheet, _ = income()
    assert sheet["04"] == 1 and sheet["05"] == 3
    assert sheet["12"] == 12 and sheet["19"] == 10


@pytest.mark.rule("COD-010", "NEG-027")
def test_an_interest_earns_on_the_full_value() -> None:
    before, after = income()[1], income(marker("france", "interest"))[1]
    assert (before["09"] or 0) + 5 == after["09"]


@pytest.mark.rule("COD-012")
def test_protectorates_and_possessions_stand_together() -> None:
    both = [marker("britain", "possession"), marker("france", "protectorate")]
    there = {"markers": both, "codominion": ["britain", "france"], "units": [army("britain", 1), army("france", 1)]}
    g = start({"phase": "negotiation", "areas": {"hawaii": there}})
    g.step()
    assert kind(g, "hawaii", "britain") == "possession" and kind(g, "hawaii", "france") == "protectorate"
    assert g.state.tension == 0
    g = start({"phase": "negotiation", "areas": {"hawaii": {"markers": both}}})
    g.do("britain", ac.Codominion("hawaii"))
    g.do("france", ac.Choose(g.pending()[0].id, ("accept",)))
    assert set(g.state.areas["hawaii"].codominion) == {"britain", "france"}


@pytest.mark.rule("COD-013")
def test_states_and_dominions_are_never_shared() -> None:
    both = [marker("britain", "dominion"), marker("france", "influence")]
    rich = {p: {"treasury": 90} for p in ("britain", "france", "united_states")}
    g = start({"phase": "negotiation", "areas": {"canada": {"markers": both}}, "powers": rich})
    assert g.refused("britain", ac.Codominion("canada", ("france",))).rules == ("COD-013",)
    g = hawaii(kind="possession", powers=rich)
    refusal = g.refused("united_states", ac.Upgrade("state", "hawaii"))
    assert "COD-013" in refusal.rules
