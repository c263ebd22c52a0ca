"""A Congress of Europe that stays open during a War (PBM-057), an option of mail games."""

from __future__ import annotations

import pytest

from paxtui.games.pax.board.status import controllers
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.mail.stops import seats_to_ask
from paxtui.games.pax.preview.order_form import preview_form
from paxtui.games.pax.visibility import visible_state
from tests.rules import congress
from tests.rules.harness import Bench, army
from tests.rules.mail import results, send

TUNIS = [{"power": "france", "marker": "influence"}, {"power": "italy", "marker": "protectorate"}]
PERSIA = [{"power": "britain", "marker": "protectorate"}, {"power": "russia", "marker": "influence"}]
CAUSES = [
    {"holder": "france", "against": "italy", "area": "tunis"},
    {"holder": "russia", "against": "britain", "area": "persia"},
]
SETTLES = "propose Act: russia lowers persia to interest; britain pays russia 5"


def at_war_over_tunis(option: str = "yes") -> Bench:
    """A Congress over Tunis and Persia in which France has declared War on Italy."""
    areas = {"tunis": {"markers": TUNIS, "units": [army("italy")]}, "persia": {"markers": PERSIA}}
    g = congress.game(CAUSES, areas=areas, options={"congress_beside_war": option})
    send(g, france="congress germany")
    send(g, france="declare war italy", britain="agenda persia")
    return g


def send_all(g: Bench, text: str) -> list[ev.Event]:
    """Send the same form for each asked seat."""
    return send(g, **dict.fromkeys(seats_to_ask(g.tables, g.state), text))


def phases(events: list[ev.Event]) -> list[str]:
    return [e.phase for e in events if isinstance(e, ev.PhaseBegan)]


@pytest.mark.rule("PBM-057", "WAR-046")
def test_congress_stays_open_for_the_other_dispute_during_the_war() -> None:
    g = at_war_over_tunis()
    assert g.state.phase == "war" and g.state.waiting_phase is not None and not g.state.congress.outcome
    assert seats_to_ask(g.tables, g.state) == ("britain", "france", "germany", "russia", "italy")
    send(g, germany=SETTLES)
    assert results(g, "germany") == ["done"] and g.state.wars[0].stage == "maneuver"
    send_all(g, "vote p1 yes sign")
    assert g.state.phase == "war" and g.state.waiting_phase is None and g.state.congress.outcome == "settled"
    assert g.kind("persia", "russia") == "interest"
    assert g.state.wars[0].over == ("tunis",)


@pytest.mark.rule("PBM-057", "WAR-046")
def test_one_form_contains_war_orders_and_votes() -> None:
    g = at_war_over_tunis()
    send(g, germany=SETTLES)
    mover = next(s for s in seats_to_ask(g.tables, g.state) if s == "france")
    send(g, **{mover: "attack tunis\nvote p1 yes sign"})
    assert [e.votes["france"] for e in g.of(ev.BallotsOpened)] == ["yes"]
    assert len(results(g, "france")) == 1


@pytest.mark.rule("PBM-057", "WAR-035")
def test_the_victory_point_record_waits_for_war_and_congress() -> None:
    g = at_war_over_tunis()
    while g.state.wars:
        assert "victory_point_record" not in phases(send_all(g, "renew congress"))
        assert len(g.events) < 2000
    assert g.state.phase == "congress" and not g.state.congress.outcome and g.state.turn == 1
    assert {c.area for c in g.state.casus_belli} == {"persia"}
    send(g, germany=SETTLES)
    happened = send_all(g, "vote p1 yes sign")
    assert g.kind("persia", "russia") == "interest"
    assert phases(happened)[0] == "victory_point_record" and "war" not in phases(happened)


@pytest.mark.rule("PBM-057", "PBM-056")
def test_a_war_declared_in_the_open_congress_is_fought_in_the_same_war_phase() -> None:
    g = at_war_over_tunis()
    send(g, russia="declare war britain")
    while g.state.declaring:
        send(g)
    assert g.state.congress.outcome == "war" and g.state.phase == "war" and g.state.waiting_phase is None
    assert sorted(war.over for war in g.state.wars) == [("persia",), ("tunis",)]


@pytest.mark.rule("PBM-057", "CON-036")
def test_open_congress_without_proposals_fails() -> None:
    g = at_war_over_tunis()
    while g.state.turn == 1 and g.state.result is None:
        send_all(g, "")
        assert len(g.events) < 2000
    assert not set(controllers(g.state, "persia")) - {"britain"}
    assert not g.kind("persia", "russia")
    assert any(e.outcome == "failed" for e in (c.congress for c in g.events if isinstance(c, ev.CongressChanged)))


@pytest.mark.rule("PBM-057")
def test_order_sheet_checks_orders_for_war_and_congress() -> None:
    g = at_war_over_tunis()
    found = preview_form(g.tables, g.state, "germany", f"{SETTLES}\npropose Other: italy pays france 900")
    assert [line.waits[:29] for line in found.lines] == ["It is put before the Congress", ""]
    assert found.lines[1].why and found.state == g.state


@pytest.mark.rule("PBM-057")
def test_suspended_congress_hides_private_data() -> None:
    g = at_war_over_tunis()
    seen = visible_state(g.tables, g.state, "japan")
    assert seen.waiting_phase is not None
    assert all(not choice.about.private for choice in seen.waiting_phase.choices)


@pytest.mark.rule("WAR-046")
def test_without_the_option_the_congress_ends_before_the_war_begins() -> None:
    g = at_war_over_tunis("no")
    assert g.state.phase == "congress" and g.state.waiting_phase is None
    send(g, germany=SETTLES)
    send_all(g, "vote p1 yes sign")
    assert g.state.phase == "war" and g.state.congress.outcome == "settled"
