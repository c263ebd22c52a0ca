"""Unused Casus Belli (WAR-029 to WAR-037, WAR-060): when they end, and the fate of the markers."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.games.pax.events import events
from tests.rules.harness import Bench, army, marker
from tests.rules.wars import negotiating, the_war

BOTH = [marker("france", "protectorate", True, 1), marker("italy", "protectorate", True, 1)]
BOTH_WAYS = [{"holder": a, "against": b, "area": "tunis"} for a, b in (("france", "italy"), ("italy", "france"))]


def at_odds(areas: dict[str, Any], causes: list[dict[str, str]], **patch: Any) -> Bench:
    """Negotiations with markers in dispute."""
    return negotiating(areas=areas, casus_belli=causes, **patch)


def tunis(*more: Any, causes: list[dict[str, str]] | None = None, **patch: Any) -> Bench:
    """France and Italy in Tunis, with a Casus Belli both ways; `more` markers beside theirs."""
    return at_odds({"tunis": {"markers": [*BOTH, *more]}}, causes or BOTH_WAYS, **patch)


def persia(control: str = "protectorate", **patch: Any) -> Bench:
    """A Russian Influence under British Control, with a Russian Casus Belli."""
    both = [marker("russia", "influence"), marker("britain", control, True, 1)]
    causes = [{"holder": "russia", "against": "britain", "area": "persia"}]
    return at_odds({"persia": {"markers": both}}, causes, **patch)


def all_ready(g: Bench) -> None:
    """Let each awaited seat be ready, and play automatic Phases."""
    for seat in g.state.players:
        g.act(seat, "ready")
    g.advance()


# Without a declaration


@pytest.mark.rule("WAR-060", "WAR-031")
def test_a_dispute_waits_for_the_declarations_at_the_opening_of_the_war_phase() -> None:
    g = persia()
    all_ready(g)
    assert (g.state.phase, g.waiting()) == ("war", ("russia",))
    assert g.kind("persia", "russia") == "influence" and g.state.tension == 0
    g.act("russia", "pass")
    assert g.kind("persia", "russia") == "interest" and g.kind("persia", "britain") == "protectorate"
    assert g.blames() == [(1, "britain")] and g.state.casus_belli == ()


@pytest.mark.rule("WAR-060", "NEG-010", "WAR-035")
@pytest.mark.parametrize(("war", "left"), [(False, "influence"), (True, "interest")])
def test_third_influence_yields_only_if_the_disputants_fight(war: bool, left: str) -> None:
    against = [{"holder": "britain", "against": power, "area": "tunis"} for power in ("france", "italy")]
    g = tunis(marker("britain", "influence"), causes=[*BOTH_WAYS, *against])
    if war:
        g.act("france", "declare war italy")
    all_ready(g)
    for seat in g.waiting():
        g.act(seat, "pass")
    assert g.kind("tunis", "britain") == left
    assert g.kind("tunis", "france") == g.kind("tunis", "italy") == ("protectorate" if war else "influence")


@pytest.mark.rule("WAR-060")
def test_possession_leaves_no_other_marker() -> None:
    g = persia("possession")
    g.skip_declarations()
    assert g.kind("persia", "russia") == "" and g.blames() == [(2, "britain")]


@pytest.mark.rule("WAR-060")
def test_both_step_down_if_both_have_a_cause() -> None:
    g = tunis()
    all_ready(g)
    assert set(g.waiting()) == {"france", "italy"}
    g.act("france", "pass")
    assert g.kind("tunis", "france") == "protectorate"
    g.act("italy", "pass")
    assert g.kind("tunis", "france") == g.kind("tunis", "italy") == "influence" and g.state.tension == 2


@pytest.mark.rule("WAR-060")
def test_units_left_where_their_owner_has_no_control_go_home() -> None:
    units = [army("france", 3), army("italy", 1)]
    g = at_odds({"tunis": {"markers": BOTH, "units": units}}, BOTH_WAYS)
    g.skip_declarations()
    assert g.units("tunis") == [] and [e.reason for e in g.all_of(events.UnitsMoved)] == ["sent_home", "sent_home"]


@pytest.mark.rule("WAR-060", "WAR-031")
def test_cause_without_a_marker_lapses() -> None:
    g = negotiating(("united_states", "spain"))
    g.skip_declarations()
    assert g.state.casus_belli == () and g.state.tension == 0


@pytest.mark.rule("WAR-060", "NEG-003")
def test_power_that_waived_gives_way_after_negotiation() -> None:
    g = tunis()
    g.act("france", "waive cb1")
    all_ready(g)
    assert (g.kind("tunis", "france"), g.kind("tunis", "italy")) == ("interest", "protectorate")
    assert g.state.phase != "war" and g.state.casus_belli == ()


@pytest.mark.rule("WAR-060", "NEG-029")
def test_a_minor_powers_influence_gives_way_when_the_negotiations_end() -> None:
    markers = [marker("belgium", "influence"), *BOTH]
    g = at_odds({"tunis": {"markers": markers}}, BOTH_WAYS)
    for seat in g.state.players:
        g.act(seat, "ready")
    assert g.kind("tunis", "belgium") == "interest" and g.kind("tunis", "france") == "protectorate"


@pytest.mark.rule("WAR-060")
def test_dispute_before_a_congress_ends_there() -> None:
    g = persia()
    g.act("russia", "congress germany")
    for seat in g.state.players:
        g.act(seat, "ready")
    g.step()
    assert g.state.phase == "chinese_resentment" and g.kind("persia", "russia") != "influence"


# During a War


@pytest.mark.rule("WAR-035", "WAR-046")
def test_area_of_a_declared_war_keeps_its_markers() -> None:
    persia = [marker("russia", "influence"), marker("britain", "protectorate", True, 1)]
    causes = [*BOTH_WAYS, {"holder": "russia", "against": "britain", "area": "persia"}]
    g = at_odds({"tunis": {"markers": BOTH}, "persia": {"markers": persia}}, causes)
    g.act("italy", "declare war france")
    all_ready(g)
    assert g.waiting() == ("russia",), "a Power with another cause may still declare War"
    g.act("russia", "pass")
    assert g.kind("tunis", "france") == g.kind("tunis", "italy") == "protectorate"
    assert g.kind("persia", "russia") == "interest"
    assert g.state.casus_belli == () and the_war(g).alliances == (("italy",), ("france",))
    ended = [(e.reason, e.rules) for e in g.all_of(events.CasusBelliEnded)]
    assert ("lapsed", ("WAR-035",)) in ended


@pytest.mark.rule("WAR-060")
def test_a_third_claimant_that_does_not_fight_steps_down() -> None:
    third = marker("germany", "protectorate", True, 1)
    pairs = [(a, b) for a in ("france", "italy", "germany") for b in ("france", "italy", "germany") if a != b]
    causes = [{"holder": a, "against": b, "area": "tunis"} for a, b in pairs]
    g = tunis(third, causes=causes)
    g.act("italy", "declare war france")
    all_ready(g)
    for seat in g.waiting():
        g.act(seat, "pass")
    assert g.kind("tunis", "germany") == "interest" and the_war(g).alliances == (("italy",), ("france",))
    assert g.kind("tunis", "france") == g.kind("tunis", "italy") == "protectorate", "of theirs the War decides"


@pytest.mark.rule("WAR-029", "WAR-031")
def test_unused_cause_ends_with_the_turn() -> None:
    g = negotiating(("japan", "russia"))
    g.skip_declarations()
    while g.state.turn == 1 or g.state.phase != "negotiation":
        g.step()
    assert g.refused("japan", "declare war russia").code == "no_cause_of_war"


# Other ends of a Casus Belli


@pytest.mark.rule("WAR-033")
def test_a_marker_given_up_ends_the_cause() -> None:
    g = tunis()
    g.act("france", "withdraw protectorate tunis")
    assert g.state.casus_belli == () and [e.reason for e in g.of(events.CasusBelliEnded)] == ["settled"] * 2


@pytest.mark.rule("WAR-036")
def test_every_other_signer_of_a_broken_treaty_has_a_cause_of_war() -> None:
    signers = ["britain", "france", "italy", "russia"]
    pact = {
        "id": "pact", "name": "Pact", "stage": "in_force", "since": 1, "drafted": 1, "public": True,
        "parties": signers, "signed": signers, "clauses": [{"kind": "non_aggression"}],
    }  # fmt: skip
    g = negotiating(treaties=[pact])
    g.act("italy", "renounce pact")
    assert g.causes() == {("britain", "italy", ""), ("france", "italy", ""), ("russia", "italy", "")}
    g.act("france", "declare war italy")
    assert the_war(g).alliances == (("france",), ("italy",))
