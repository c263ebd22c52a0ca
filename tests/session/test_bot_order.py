"""The order in which persons and bots act in a Movement Phase."""

from __future__ import annotations

from pathlib import Path

import pytest

from paxtui.engine.bots import BotAction, BotRequest
from paxtui.engine.seating import BEFORE_PERSONS, SeatOccupant
from paxtui.games.pax.position.setup import seats_for
from paxtui.session.bot_process import compute_response
from paxtui.session.game_host import empty_clock
from paxtui.session.local_session import LocalSession
from paxtui.session.pax_bot_runner import MovementPlan, PaxBotRunner, split_into_steps
from paxtui.session.pax_host import PaxHost
from tests.bots.stepping import play_until
from tests.rules.harness import tables

STEADY = SeatOccupant(by="bot", level="steady")
SEATS = tuple(seats_for(7))
BOTS = SEATS[1:]


def start_game(path: Path | None = None, seed: str = "3") -> PaxHost:
    """Start a game with steady bots at all seats but Britain's."""
    table = PaxHost.new(tables(), SEATS, seed, {}, path=path, undo="free", game_id="x", clock=empty_clock)
    table.seat(dict.fromkeys(BOTS, STEADY))
    return table


def movers(table: PaxHost, turn: int = 1) -> list[str]:
    """Return the seats of the acts of a Movement Phase, in order."""
    moments = {line.n: table.moment_of(table.game.seek(line.n - 1)) for line in table.game.effective_lines()}
    acts = (line for line in table.game.effective_lines() if line.seat in SEATS and line.action["type"] != "ready")
    return [line.seat for line in acts if moments[line.n] == (turn, "movement")]


def test_bots_take_one_small_step_for_each_act_of_a_person() -> None:
    table = start_game()
    session = LocalSession(table)
    session.advance()
    first = movers(table)
    assert len(first) == len(set(first)) < len(BOTS), "only bots drawn before the person have acted, once each"
    session.act_text("place interest egypt")
    assert {movers(table).count(seat) for seat in BOTS} <= {1, 2}
    after_person = [seat for seat in BOTS if seat not in first]
    assert movers(table)[len(first)] == "britain"
    assert movers(table)[len(first) + 1 :] == [*after_person_in_order(table, after_person), *first]
    session.act_text("ready")
    assert table.state.phase == "movement" and session.waiting() == ("britain",), "the bots have finished"
    acts = movers(table)
    session.act_text("ready")
    assert table.state.phase != "movement" and movers(table) == acts and table.verify() == []


def after_person_in_order(table: PaxHost, seats: list[str]) -> list[str]:
    """Return some seats in the order of their first acts."""
    return [seat for seat in dict.fromkeys(movers(table)) if seat in seats]


def test_the_order_is_drawn_for_each_turn_from_the_seed() -> None:
    orders = []
    for seed in ("3", "3", "4"):
        table = start_game(seed=seed)
        table.seat({"britain": STEADY})
        play_until(table, PaxBotRunner(table), lambda state: state.turn > 2)
        orders.append([tuple(dict.fromkeys(movers(table, turn))) for turn in (1, 2)])
    assert orders[0] == orders[1] != orders[2]
    assert orders[0][0] != orders[0][1], "another order in each turn"


def test_bots_can_act_before_or_after_all_persons() -> None:
    table = start_game()
    session = LocalSession(table, bot_order=BEFORE_PERSONS)
    session.advance()
    acts = movers(table)
    assert set(acts) == set(BOTS)
    session.act_text("place interest egypt")
    assert movers(table) == [*acts, "britain"]
    session.act_text("ready")
    assert table.state.phase != "movement"

    table = start_game()
    session = LocalSession(table, bot_order="after you")
    session.advance()
    session.act_text("place interest egypt")
    session.act_text("place interest marocco")
    assert movers(table) == ["britain", "britain"]
    session.act_text("ready")
    assert set(movers(table)[2:]) == set(BOTS)


def test_undo_reverts_later_bot_acts_and_bots_plan_again() -> None:
    table = start_game()
    session = LocalSession(table)
    session.advance()
    first = movers(table)
    session.act_text("place interest egypt")
    acts = movers(table)
    session.undo()
    assert movers(table) == first
    session.act_text("place interest egypt")
    assert movers(table) == acts
    session.undo()
    session.redo()
    assert movers(table)[: len(first) + 1] == [*first, "britain"]
    session.act_text("ready")
    session.act_text("ready")
    assert table.state.phase != "movement" and table.verify() == []


def test_bots_agree_to_an_undo_and_persons_are_asked() -> None:
    for person, kind in (("britain", "undo"), ("france", "note")):
        table = PaxHost.new(tables(), SEATS, "3", {}, game_id="x", clock=empty_clock)
        table.seat(dict.fromkeys((seat for seat in BOTS if seat != person), STEADY))
        runner = PaxBotRunner(table)
        table.advance()
        runner.run()
        line, _ = table.act("britain", "place interest egypt")
        if person == "france":
            table.act("france", "place interest siam")
        runner.run()
        assert table.undo("britain", table.known("britain").number(line.n - 1)).kind == kind
        has_marker = "britain" in {marker.power for marker in table.state.areas["egypt"].markers}
        assert has_marker == (kind == "note") and table.verify() == []


def test_a_reopened_game_continues_in_the_same_order(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with start_game(path) as table:
        session = LocalSession(table)
        session.advance()
        session.act_text("place interest egypt")
        acts = movers(table)
    with PaxHost.open(path) as table:
        session = LocalSession(table)
        assert movers(table) == acts, "no bot acts before the person does"
        session.act_text("place interest marocco")
        assert {movers(table).count(seat) for seat in BOTS} <= {2, 3}


def test_a_person_acts_while_a_bot_plans() -> None:
    table = start_game()
    session = LocalSession(table, step_by_step=True)
    session.advance()
    request = session.bots.current
    assert isinstance(request, BotRequest) and session.can_interrupt_bots
    session.act_text("place interest egypt")
    assert movers(table) == ["britain"] and session.bots.is_at_work
    while (step := session.bots.current) is not None:
        session.bots.step(compute_response(table.rules, step) if isinstance(step, BotRequest) else None)
    assert set(movers(table)) == set(SEATS) and table.verify() == []


def test_a_step_is_a_marker_with_its_army_or_a_single_order() -> None:
    texts = ("place protectorate kongo", "build A1", "move A1 home > kongo", "upgrade influence siam", "build A3")
    orders = [BotAction(text, "Kongo" if "A3" not in text else "later") for text in texts]
    steps = split_into_steps([*orders, BotAction("ready"), BotAction("garrison")])
    assert [[order.text for order in step] for step in steps] == [list(texts[:3]), [texts[3]], [texts[4]]]


@pytest.mark.parametrize(("marker", "stale"), [("influence", True), ("interest", False)])
def test_a_bot_plans_again_when_others_contest_its_area(marker: str, stale: bool) -> None:
    table = PaxHost.new(tables(), SEATS, "3", {}, clock=empty_clock)
    table.advance()
    plan = MovementPlan(1, table.state.areas, [[BotAction("place protectorate persia")]])
    assert not plan.is_stale(table.state.areas, ["france"])
    table.act("russia", f"place {marker} persia")
    assert plan.is_stale(table.state.areas, ["france"]) == stale
    assert not plan.is_stale(table.state.areas, ["russia"])
