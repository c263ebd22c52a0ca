"""Money and markers received after `ready` (Decision 34): they bring duties and clear the ready flag."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from paxtui.games.pax.events import events
from tests.rules.harness import UNLIMITED, Bench, accept, army, at_home, held, here, marker, start

OPTIONS = {7: UNLIMITED, 8: {**UNLIMITED, "belgium": "yes"}}
"""Options by the number of players."""


def phase(money: dict[str, int], event: str = "", players: int = 7, **patch: Any) -> Bench:
    """A Movement/Status Change Phase with these Treasuries, and a Random Event in force."""
    powers = {
        power: {"treasury": money.get(power, 0)}
        for power in start(players=players, options=OPTIONS[players]).state.powers
    }
    return start(
        {"phase": "movement", "powers": powers, "events_in_force": [event] if event else [], **patch},
        players,
        OPTIONS[players],
    )


def clear_flag_three_times(g: Bench, giver: str, to: str) -> None:
    """Let the giver clear the other's ready flag three times, the maximum; the other is ready again."""
    g.act(to, "ready")
    for zone, back in (("oceania", "south_pacific"), ("south_pacific", "oceania")) * 2:
        g.act(giver, f"merchant {zone} > {back}")
        if to not in g.state.ready:
            g.act(to, "ready")
    assert g.state.cleared[giver] == 3 and to in g.state.ready


def gift(g: Bench, to: str, pounds: int) -> None:
    """Germany gives money."""
    g.act("germany", f"pay {to} {pounds}")
    accept(g, to)


def treaty(g: Bench, to: str, pounds: int) -> None:
    """Germany gives money by a Treaty that it signs last."""
    g.act(to, f"treaty Aid with germany: germany pays {to} {pounds}")
    (id_,) = [e.treaty.id for e in g.of(events.TreatyDrafted)]
    g.act("germany", f"sign {id_}")


Giving = Callable[[Bench, str, int], None]
WAYS: dict[str, Giving] = {"gift": gift, "treaty": treaty}
GERMANY: dict[str, Any] = {"oceania": {"merchant_fleets": ["germany"]}, "south_pacific": {"merchant_fleets": []}}


@pytest.mark.rule("EVT-018", "SEQ-010")
@pytest.mark.parametrize("way", WAYS)
def test_received_money_renews_a_forced_expenditure(way: str) -> None:
    g = phase({"germany": 50}, "3-1", sea_zones=GERMANY)  # Italy must spend 30 on units
    clear_flag_three_times(g, "germany", "italy")
    WAYS[way](g, "italy", 2)  # not enough for a unit
    assert "italy" in g.state.ready
    gift(g, "italy", 1)
    assert "italy" not in g.state.ready and "italy" in g.waiting()
    (fell,) = [e for e in g.of(events.SeatReady) if e.seat == "italy"]
    assert not fell.ready and {"SEQ-010", "EVT-018"} <= set(fell.rules)
    assert g.refused("italy", "ready").code == "spend_due"
    g.act("italy", "build A1")
    g.act("italy", "ready")  # accepted


@pytest.mark.rule("EVT-018", "SEQ-010")
@pytest.mark.parametrize("way", WAYS)
def test_received_money_counts_at_once(way: str) -> None:
    g = phase({"germany": 50}, "3-1", sea_zones=GERMANY)
    clear_flag_three_times(g, "germany", "italy")
    WAYS[way](g, "italy", 30)
    assert "italy" not in g.state.ready and g.refused("italy", "ready").code == "spend_due"


@pytest.mark.rule("STA-046", "SEQ-010")
@pytest.mark.parametrize("way", WAYS)
def test_received_money_renews_the_duty_to_the_indian_army(way: str) -> None:
    lost = {a: {"units": [army("britain", 1)]} for a in ("punjab", "australia", "canada")}
    g = phase({"germany": 50}, areas=lost, sea_zones=GERMANY)
    clear_flag_three_times(g, "germany", "britain")
    WAYS[way](g, "britain", 29)
    assert "britain" in g.state.ready
    gift(g, "britain", 1)
    assert "britain" not in g.state.ready and g.refused("britain", "ready").code == "rebuild_due"


@pytest.mark.rule("STA-049", "SEQ-010")
def test_received_money_renews_the_duty_to_the_western_garrison() -> None:
    g = phase({"germany": 50}, homes=at_home("russia", army("russia", 10), army("russia", 10)), sea_zones=GERMANY)
    clear_flag_three_times(g, "germany", "russia")
    gift(g, "russia", 30)
    assert "russia" not in g.state.ready and g.refused("russia", "ready").code == "rebuild_due"


@pytest.mark.rule("BEL-012", "SEQ-010")
@pytest.mark.parametrize("way", WAYS)
def test_received_money_renews_king_leopolds_demand(way: str) -> None:
    g = phase({"germany": 50}, "4-2", 8, sea_zones=GERMANY)
    clear_flag_three_times(g, "germany", "belgium")
    WAYS[way](g, "belgium", 9)
    assert "belgium" in g.state.ready
    gift(g, "belgium", 1)  # the Influence in the Kongo can become a Protectorate
    assert "belgium" not in g.state.ready and g.refused("belgium", "ready").code == "leopold_due"


TUNIS = {"tunis": held("germany", "possession", army("germany", 1))}


def transferred(g: Bench, area: str, to: str, by_treaty: bool) -> None:
    """Germany transfers a marker."""
    if by_treaty:
        g.act(to, f"treaty Aid with germany: germany transfers {area} to {to}")
        g.act("germany", f"sign {g.of(events.TreatyDrafted)[0].treaty.id}")
    else:
        g.act("germany", f"transfer {area} to {to}")
        accept(g, to)


@pytest.mark.rule("STA-034", "STA-039", "SEQ-010")
@pytest.mark.parametrize("by_treaty", [False, True])
def test_received_marker_needs_a_garrison(by_treaty: bool) -> None:
    g = phase({}, areas=TUNIS, sea_zones=GERMANY)
    clear_flag_three_times(g, "germany", "italy")
    transferred(g, "tunis", "italy", by_treaty)
    assert "italy" not in g.state.ready
    refusal = g.refused("italy", "ready")
    assert refusal.code == "garrison" and refusal.detail["fix"] == ["move A1 home > tunis"]
    g.act("italy", "garrison")
    g.act("italy", "ready")
    assert g.units("tunis", "italy") == ["A1"]


@pytest.mark.rule("STA-034")
def test_seat_stays_ready_if_no_duty_arises() -> None:
    # no army can get there
    g = phase({}, areas=TUNIS, sea_zones={**GERMANY, "mediterranean": {"merchant_fleets": []}})
    clear_flag_three_times(g, "germany", "italy")
    transferred(g, "tunis", "italy", True)
    assert "italy" in g.state.ready
    # an Influence needs no army
    g = phase({}, areas={"tunis": held("germany", "influence")}, sea_zones=GERMANY)
    clear_flag_three_times(g, "germany", "italy")
    transferred(g, "tunis", "italy", True)
    assert "italy" in g.state.ready


@pytest.mark.rule("COD-007", "STA-034", "SEQ-010")
@pytest.mark.parametrize("by_treaty", [False, True])
def test_received_share_of_a_codominion_needs_a_garrison(by_treaty: bool) -> None:
    shared = here(
        marker("germany", "possession"),
        marker("france", "possession"),
        army("germany", 1),
        army("france", 1),
        codominion=["germany", "france"],
    )
    g = phase({}, areas={"tunis": shared}, sea_zones=GERMANY)
    clear_flag_three_times(g, "germany", "italy")
    transferred(g, "tunis", "italy", by_treaty)
    assert set(g.state.areas["tunis"].codominion) == {"france", "italy"}
    assert "italy" not in g.state.ready and g.refused("italy", "ready").detail["areas"] == ["tunis"]


@pytest.mark.rule("COD-007", "STA-034", "SEQ-010", "MIN-002")
def test_minor_member_has_no_duty_to_garrison_a_codominion() -> None:
    # Guiana: Britain, the Netherlands, and Germany in place of France, which takes its share now
    guiana = here(
        *(marker(p, "possession") for p in ("britain", "germany", "netherlands")),
        *(army(p, 1) for p in ("britain", "germany")),
        codominion=["britain", "germany", "netherlands"],
    )
    g = phase({}, areas={"guiana": guiana}, sea_zones=GERMANY)
    clear_flag_three_times(g, "germany", "france")
    transferred(g, "guiana", "france", False)
    assert "france" not in g.state.ready and g.refused("france", "ready").detail["areas"] == ["guiana"]
    assert "netherlands" not in g.waiting()
    g.act("france", "garrison")
    while g.waiting() and g.state.phase == "movement":
        g.act(g.waiting()[0], "ready")
    missing = {(e.power, e.area) for e in g.all_of(events.GarrisonMissing)}
    assert missing == {("netherlands", "guiana")}  # the garrison of a Minor Power is not required


@pytest.mark.rule("SEQ-010", "STA-039")
def test_every_duty_is_tested_before_the_phase_ends() -> None:
    g = phase({}, areas=TUNIS, sea_zones=GERMANY)
    clear_flag_three_times(g, "germany", "italy")
    for seat in g.state.players:
        if seat not in (*g.state.ready, "germany"):
            g.act(seat, "ready")
    g.act("germany", "transfer tunis to italy")
    accept(g, "italy")
    for seat in g.state.players:
        if seat not in (*g.state.ready, "italy"):
            g.act(seat, "ready")
    assert g.state.phase == "movement" and g.waiting() == ("italy",)
    # the arbiter cannot skip it either
    g.step()
    assert g.units("tunis", "italy") == ["A1"]
