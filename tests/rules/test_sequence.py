"""The Game Turn Sequence (SEQ): the Phases, their legal actions and their ends."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions import actions
from paxtui.games.pax.decide import ACTS
from paxtui.games.pax.events import events
from paxtui.games.pax.position.setup import seats_for
from paxtui.games.pax.state.phases import PHASES
from paxtui.session.game_host import empty_clock
from paxtui.session.pax_host import PaxHost
from tests.rules.harness import Bench, army, marker, moving, start, tables
from tests.tui.wars import FAR_EAST


def at_phase(phase: str, players: int = 7, money: int = 100, **patch: Any) -> Bench:
    """The 1880 start at a Phase with money for each Power."""
    purses = {p: {"treasury": money} for p in start(players=players).state.powers}
    return start({"phase": phase, "powers": purses, **patch}, players)


KAMERUN = {
    "markers": [marker("germany", "protectorate", established=False)],
    "units": [army("germany", 3)],
}


# Messages


@pytest.mark.rule("SEQ-003")
@pytest.mark.parametrize("phase", PHASES)
def test_messages_are_allowed_in_every_phase(phase: str) -> None:
    table = PaxHost.new(tables(), seats_for(7), "talk", clock=empty_clock)
    table.act(ARBITER, actions.SetPosition({"phase": phase}))
    before = table.state
    table.act("france", "dispatch italy: Tunis is yours if Siam is ours")
    table.act("italy", "dispatch france: agreed")
    table.act("russia", "proclaim: the straits are open")
    letters = [(letter.sender, letter.text) for letter in table.dispatches("italy")]
    assert letters == [
        ("france", "Tunis is yours if Siam is ours"), ("italy", "agreed"), ("russia", "the straits are open")
    ]  # fmt: skip
    assert [letter.sender for letter in table.dispatches("japan")] == ["russia"]
    assert table.state == before and table.state.phase == phase


@pytest.mark.rule("SEQ-003")
def test_ready_or_asked_seats_may_send_messages() -> None:
    table = PaxHost.new(tables(), seats_for(7), "talk", clock=empty_clock)
    markers = {"markers": [marker("germany", "protectorate")], "units": [army("germany", 1)]}
    table.act(ARBITER, actions.SetPosition({"phase": "movement", "areas": {"tunis": markers}}))
    table.act("italy", "ready")
    table.act("germany", "transfer tunis to france")
    for writer, reader in (("italy", "france"), ("france", "italy"), ("germany", "france")):
        table.act(writer, f"dispatch {reader}: take it")
        assert table.dispatches(reader)[-1].sender == writer
    assert table.state.ready == ("italy",) and [choice.seat for choice in table.state.choices] == ["france"]


# Actions by Phase

PHASE_OF = {
    "move A1 home > gold_coast": {"movement", "war"},
    "build A1": {"movement"},
    "merchant oceania > caribbean": {"movement"},
    "place interest kamerun": {"movement"},
    "upgrade dominion australia": {"movement"},
    "pay france 5": {"movement", "negotiation"},
    "attack cuba": {"war"},
    "ready": {"movement", "negotiation"},
}


@pytest.mark.rule("SEQ-001")
@pytest.mark.parametrize("phase", ["movement", "colonial_combat", "negotiation"])
def test_orders_of_other_phases_are_refused(phase: str) -> None:
    for order, allowed in PHASE_OF.items():
        # an own combat to decide keeps Britain busy in Colonial Combat
        area = {"markers": [marker("britain", "protectorate", established=False)], "units": [army("britain", 3)]}
        g = at_phase(phase, areas={"nigeria": area})
        if phase in allowed:
            g.act("britain", order)  # accepted
        else:
            refusal = g.refused("britain", order)
            assert refusal.code == "wrong_phase" and "SEQ-001" in refusal.rules
            assert refusal.detail["phase"] == phase and set(refusal.detail["allowed"]) == allowed


@pytest.mark.rule("SEQ-011")
def test_orders_of_the_movement_phase() -> None:
    # agreements are open in every Phase, and so belong to none
    there = {kind for kind, acts in ACTS.items() if "movement" in acts and len(acts) < len(PHASES)}
    assert there == {
        actions.Place,  # buy and place Status markers, and change them
        actions.Upgrade,
        actions.Downgrade,
        actions.Withdraw,
        actions.Transfer,
        actions.Build,  # buy and place Military Units
        actions.Merchant,  # take due Merchant Fleets, and move them
        actions.Move,  # move Military Units
        actions.Garrison,
        actions.Canal,
        actions.Pay,
    }
    for order in ("fight kamerun", "decline kamerun", "codominion guiana"):
        refusal = at_phase("movement", areas={"kamerun": KAMERUN}).refused("germany", order)
        assert refusal.code == "wrong_phase"
    g = at_phase("movement")
    for order in (
        "place interest kamerun",
        "build N3",
        "merchant oceania > caribbean",
        "move A3 home > gold_coast",
        "pay italy 5",
        "withdraw interest kamerun",
        "ready",
    ):
        g.act("britain", order)  # accepted


@pytest.mark.rule("SEQ-012")
def test_merchant_fleets_are_never_bought() -> None:
    g = at_phase("movement", money=500)
    refusal = g.refused("britain", "merchant new > caribbean")
    assert refusal.code == "none_due" and "SEQ-012" in refusal.rules
    g = at_phase("movement", turn=4, powers={"britain": {"treasury": 500, "merchants_due": 1}})
    g.act("britain", "merchant new > caribbean")
    assert g.state.powers["britain"].treasury == 500 and not g.of(events.TreasuryChanged)
    assert "SEQ-012" in g.refused("britain", "merchant new > south_pacific").rules


@pytest.mark.rule("SEQ-013")
@pytest.mark.parametrize(
    ("area", "combat"),
    [
        (KAMERUN, True),
        ({"markers": [], "units": [army("germany", 3)], "unrest": True}, True),
        ({"markers": [marker("germany", "influence")], "units": [army("germany", 3)]}, False),
        ({"markers": [marker("germany", "protectorate")], "units": [army("germany", 3)]}, False),
        ({"markers": [marker("germany", "protectorate")], "units": [army("germany", 3)], "unrest": True}, True),
    ],
)
def test_combat_follows_new_control_and_unrest(area: dict[str, Any], combat: bool) -> None:
    g = at_phase("colonial_combat", areas={"kamerun": area})
    assert (g.waiting() == ("germany",)) is combat
    assert bool(g.pending()) is combat
    if not combat:
        refusal = g.refused("germany", "fight kamerun")
        assert refusal.rules


@pytest.mark.rule("SEQ-004")
def test_indexes_change_at_once() -> None:
    g = at_phase("movement")
    g.act("germany", "build N10")
    assert g.state.tension == 3 and g.state.phase == "movement"
    assert "SEQ-004" in g.of(events.TensionRaised)[0].rules
    before = g.state.resentment
    g.act("britain", "place influence fukien")
    assert g.state.resentment > before and g.state.phase == "movement"
    assert [type(e) for e in g.last].index(events.ResentmentRaised) > [type(e) for e in g.last].index(
        events.MarkerPlaced
    )


@pytest.mark.rule("SEQ-009")
@pytest.mark.parametrize("players", [4, 7])
def test_each_minor_power_rolls_for_activity_and_the_active_ones_for_their_area(players: int) -> None:
    g = at_phase("minor_powers", players)
    g.step()
    rolled = g.of(events.MinorActivity)
    assert [e.power for e in rolled] == list(g.state.minors) and len(rolled) == 11 - players
    active = {e.power for e in rolled if e.active}
    assert {e.power for e in g.of(events.MinorDirected)} <= active
    assert all(len(e.dice) == 2 for e in g.of(events.MinorDirected))
    for e in rolled:
        assert e.active is (e.die <= g.tables.powers[e.power].active_on)
    g = at_phase("minor_powers", players)
    g.dice(*[6] * len(g.state.minors))  # nobody is active
    g.step()
    assert not g.of(events.MinorDirected) and len(g.of(events.MinorActivity)) == 11 - players


# Simultaneous play


@pytest.mark.rule("SEQ-010")
def test_all_act_in_any_order_and_as_often_as_they_like() -> None:
    g = at_phase("movement")
    assert set(g.waiting()) == set(g.state.players)
    for seat, order in (
        ("britain", "place interest kamerun"),
        ("france", "move A3 home > algiers"),
        ("britain", "move A3 home > gold_coast"),
        ("italy", "build A1"),
        ("france", "place interest kamerun"),
        ("britain", "build A1"),
    ):
        g.act(seat, order)
    assert g.state.phase == "movement"


@pytest.mark.rule("SEQ-010")
def test_phase_ends_when_all_are_ready_and_acts_of_others_reopen_it() -> None:
    g = at_phase("movement", players=4)
    g.act("britain", "ready")
    assert "britain" not in g.waiting() and set(g.waiting()) == {"france", "germany", "united_states"}
    g.act("france", "place interest kamerun")  # Britain may react to that
    assert "britain" in g.waiting()
    assert [e.seats for e in g.of(events.ReadyCleared)] == [("britain",)]
    g.act("britain", "place interest kamerun")
    for seat in ("britain", "france", "germany"):
        g.act(seat, "ready")
        assert g.state.phase == "movement"
    g.act("united_states", "ready")
    assert g.state.phase == "colonial_combat"


@pytest.mark.rule("SEQ-010")
def test_ready_seat_stays_ready_while_its_acts_allow() -> None:
    g = at_phase("movement", players=4)
    g.act("france", "ready")
    assert g.refused("france", "ready").code == "already"
    g.act("france", "build A1")
    assert "france" not in g.waiting()
    g.act("france", "move A1 senegambia > home")  # now a garrison is missing
    assert "france" in g.waiting()
    g.act("france", "garrison")
    g.act("france", "ready")
    g.act("france", "unready")
    assert "france" in g.waiting()


# Acts that clear ready flags


def italy_ready(**patch: Any) -> Bench:
    """A Movement/Status Change Phase with money for each Power, in which Italy is ready."""
    g = moving(turn=2, powers={"germany": {"merchants_due": 1}}, **patch)
    g.act("italy", "ready")
    return g


def cleared(g: Bench) -> bool:
    """Whether the last act cleared Italy's ready flag, with an event."""
    (cleared_seats,) = [e.seats for e in g.of(events.ReadyCleared)] or [()]
    assert cleared_seats == (() if "italy" in g.state.ready else ("italy",))
    return "italy" not in g.state.ready


GERMAN = {
    "kamerun": {"markers": [marker("germany", "influence")]},
    "tunis": {"markers": [marker("germany", "protectorate")], "units": [army("germany", 1)]},
    "panama": {"markers": [marker("germany", "possession")], "units": [army("germany", 1)]},
}
GERMAN_FLEETS = {"caribbean": {"merchant_fleets": ["germany"]}}


@pytest.mark.rule("SEQ-010")
@pytest.mark.parametrize(
    ("order", "clears"),
    [
        ("place interest togoland", True),
        ("upgrade protectorate kamerun", True),
        ("upgrade possession tunis", True),
        ("move A10 home > tunis", True),
        ("merchant oceania > baltic", True),
        ("merchant new > baltic", True),
        ("build A1", True),
        ("canal panama", True),
        ("austria_hungary: build A1", True),
        ("transfer tunis to austria_hungary", True),
        ("transfer tunis to france", False),  # not before it is accepted
        ("pay austria_hungary 10", False),
        ("pay france 10", False),
        ("ready", False),
    ],
)
def test_acts_that_clear_ready_flags_of_others(order: str, clears: bool) -> None:
    g = italy_ready(areas=GERMAN, sea_zones=GERMAN_FLEETS)
    g.act("germany", order)
    assert cleared(g) is clears
    if order == "transfer tunis to france":
        (choice,) = g.pending()
        g.act("france", f"choose {choice.id} accept")
        assert cleared(g)
    if order == "pay france 10":
        g.act("france", f"choose {g.pending()[0].id} accept")
        assert not cleared(g)


@pytest.mark.rule("SEQ-010")
def test_declined_offer_clears_no_ready_flag() -> None:
    g = italy_ready(areas=GERMAN)
    g.act("germany", "transfer tunis to france")
    g.act("france", f"choose {g.pending()[0].id} decline")
    assert not cleared(g)


@pytest.mark.rule("SEQ-010")
def test_each_seat_clears_a_flag_three_times_a_phase() -> None:
    g = italy_ready()
    for times in range(1, 6):
        g.act("germany", "build A1")
        assert cleared(g) is (times <= 3)
        if "italy" not in g.state.ready:
            g.act("italy", "ready")
    g.act("france", "build A1")  # another seat's count is its own
    assert cleared(g)
    while g.state.turn == 2:
        g.step()
    while g.state.phase != "movement":
        g.step()
    g.act("italy", "ready")
    g.act("germany", "merchant oceania > baltic")  # a new Phase, a new count
    assert cleared(g)


@pytest.mark.rule("SEQ-010", "STA-039")
def test_seat_that_undoes_its_duty_is_not_ready() -> None:
    g = italy_ready(areas=GERMAN)
    g.act("germany", "ready")
    g.act("germany", "build A1")
    assert "germany" in g.state.ready
    g.act("germany", "move A1 tunis > home")
    assert "germany" not in g.state.ready
    assert g.refused("germany", "ready").code == "garrison"


# The order of the Phases


def phases_of_a_turn(g: Bench) -> list[str]:
    """The Phases that begin from here to the end of the turn."""
    turn, seen = g.state.turn, [g.state.phase]
    while g.state.turn == turn and g.state.result is None:
        g.step()
        seen += [e.phase for e in g.of(events.PhaseBegan)]
    return seen


@pytest.mark.rule("SEQ-028", "SET-036")
def test_the_phases_of_a_quiet_turn() -> None:
    g = start({"turn": 3})
    g.dice(1, 6, 6, 1, 1)  # one Random Event
    quiet = [p for p in PHASES if p not in ("congress", "war")]
    assert quiet[3:6] == ["movement", "colonial_combat", "marker_adjustment"]
    seen = phases_of_a_turn(g)
    assert seen == [*quiet, "random_events"]
    assert (g.state.turn, g.state.phase) == (4, "random_events")


@pytest.mark.rule("SEQ-028")
def test_a_turn_with_a_rebellion_has_a_war_phase() -> None:
    g = start({"phase": "chinese_resentment", "indexes": {"chinese_resentment": 500}})
    assert phases_of_a_turn(g)[:3] == ["chinese_resentment", "war", "victory_point_record"]
    g = start({"phase": "chinese_resentment"})
    assert phases_of_a_turn(g)[:2] == ["chinese_resentment", "victory_point_record"]


@pytest.mark.rule("SEQ-028")
def test_only_the_arbiter_advances_the_game() -> None:
    g = start()
    for seat in g.state.players:
        assert g.refused(seat, "ready").code == "wrong_phase"
        assert g.refused(seat, actions.Advance()).code == "not_yours"
    g.do(ARBITER, actions.Advance())
    assert g.state.phase == "movement"


@pytest.mark.rule("SEQ-010")
def test_passes_taken_back_are_counted_for_each_war_phase() -> None:
    """Three moves of an ally take a pass back; in the next Phase three more do."""
    g = start(FAR_EAST)
    moves = ("A1 korea > manchuria", "N3 north_china_sea > south_china_sea", "A3 manchuria > korea")
    for move in moves:
        g.act("britain", "pass")
        g.act("japan", f"move {move}")
        assert g.state.ready == ()
    g.act("britain", "pass")
    g.act("japan", "move A10 korea > manchuria")
    assert g.state.ready == ("britain",), "the fourth one does not, or no Phase would come to its end"
    g.act("japan", "pass")
    assert not g.state.cleared and g.state.wars[0].stage == "attack"
