"""Orders ahead: when they are carried out, what becomes of them, and that nobody else reads them."""

from __future__ import annotations

import msgspec
import pytest

from paxtui.cli.plain.repl import run_repl
from paxtui.engine.bots import BotRequest
from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import SeatOccupant
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.session.bot_process import compute_response
from paxtui.session.game_host import empty_clock
from paxtui.session.local_session import LocalSession
from paxtui.session.orders_ahead import OrdersAhead, ahead_path, read_form
from paxtui.session.pax_host import PaxHost
from paxtui.session.session import Advance, LeaveOrders
from tests.rules.harness import tables

POWERS = ("britain", "france", "germany", "united_states")


@pytest.fixture
def game(tmp_path):
    path = tmp_path / "game.jsonl"
    with PaxHost.new(tables(), POWERS, "1898", path=path, clock=empty_clock) as host:
        while host.state.phase != "movement":
            host.advance()
        yield host


def ahead_of(host: PaxHost) -> OrdersAhead:
    return OrdersAhead(host, ahead_path(host.store.path))


def leave(ahead: OrdersAhead, seat: str, *lines: str) -> None:
    ahead.set_orders(seat, ahead.orders(seat).version, read_form("\n".join(lines)))


def acts(host: PaxHost, seat: str) -> list[str]:
    return [
        host.rules.format_order(host.rules.decode_action(line.action))
        for line in host.game.effective_lines()
        if line.seat == seat
    ]


def outcomes(ahead: OrdersAhead, seat: str) -> list[tuple[str, str]]:
    return [(outcome.text, outcome.kind) for outcome in ahead.orders(seat).outcomes]


def end_phase(host: PaxHost, ahead: OrdersAhead) -> None:
    """The Phase ends for all seats that are not ready; the automatic Phases follow."""
    host.take_defaults()
    host.advance()
    ahead.carry_out()


def test_an_order_is_carried_out_as_soon_as_it_is_legal(game):
    ahead = ahead_of(game)
    leave(ahead, "france", "place interest siam", "negotiation: ready")
    assert ahead.carry_out()
    assert acts(game, "france") == ["place interest siam"]
    assert not ahead.carry_out()
    assert [line.text for line in ahead.orders("france").lines] == ["negotiation: ready"]
    game.act("france", "ready")
    end_phase(game, ahead)
    assert game.moment[1] != "movement"
    if game.moment[1] == "negotiation":
        assert "france" not in game.waiting
    assert ("place interest siam", "done") in outcomes(ahead, "france")


def test_a_condition_waits_for_what_others_do_in_the_same_phase(game):
    ahead = ahead_of(game)
    leave(ahead, "france", "place interest siam if britain places interest in egypt", "ready")
    ahead.carry_out()
    assert acts(game, "france") == ["ready"], "a condition that may still be met does not hold the seat back"
    assert "not yet" in ahead.orders("france").lines[0].why
    game.act("germany", "place interest kongo")
    assert ahead.carry_out(), "the act of Germany has taken the readiness back"
    assert acts(game, "france") == ["ready", "ready"]
    game.act("britain", "place interest egypt")
    ahead.carry_out()
    assert acts(game, "france")[2:] == ["place interest siam", "ready"]


def test_a_condition_that_is_not_met_ends_with_its_phase(game):
    ahead = ahead_of(game)
    leave(ahead, "france", "place interest siam if britain places interest in egypt", "ready")
    ahead.carry_out()
    end_phase(game, ahead)
    assert outcomes(ahead, "france") == [
        ("ready", "done"),
        ("place interest siam if britain places interest in egypt", "unmet"),
    ]
    assert not ahead.orders("france").lines


def test_unless_is_decided_when_the_others_are_ready(game):
    ahead = ahead_of(game)
    leave(ahead, "france", "place interest siam unless britain places interest in egypt", "ready")
    leave(ahead, "germany", "place interest kongo unless britain places interest in egypt", "ready")
    ahead.carry_out()
    assert not acts(game, "france")
    game.act("britain", "ready")
    ahead.carry_out()
    assert not acts(game, "france")
    game.act("united_states", "ready")
    ahead.carry_out()
    assert acts(game, "france")[0] == "place interest siam", "France and Germany wait for each other only"
    assert not acts(game, "germany"), "the act of France has taken back that the others are ready"
    game.act("britain", "ready")
    game.act("united_states", "ready")
    ahead.carry_out()
    assert "place interest kongo" in acts(game, "germany")


def test_a_refused_order_is_told_with_its_rule(game):
    ahead = ahead_of(game)
    leave(ahead, "france", "place possession siam", "ready")
    ahead.carry_out()
    waits = ahead.orders("france").lines[0]
    assert waits.why and waits.rules
    end_phase(game, ahead)
    (refused,) = [outcome for outcome in ahead.orders("france").outcomes if outcome.kind == "refused"]
    assert (refused.text, refused.rules, refused.phase) == ("place possession siam", waits.rules, "movement")


def test_orders_are_checked_when_they_are_left(game):
    ahead = ahead_of(game)
    for wrong in (
        "place castle siam",
        "dance",
        "ready if france builds A1",
        "lose A1 in siam",
        "if x: place interest siam",
    ):
        with pytest.raises(Refusal, match="Order 1"):
            leave(ahead, "france", wrong)
    leave(ahead, "france", "standing:", "lose A1 in siam", "default losses", "garrison", "movement: ready")
    assert [line.standing for line in ahead.orders("france").lines] == [True] * 4
    with pytest.raises(Refusal, match="meanwhile"):
        ahead.set_orders("france", 0, [])
    with pytest.raises(Refusal):
        ahead.set_orders(SPECTATOR, 0, [])


def test_standing_orders_stay(game):
    ahead = ahead_of(game)
    leave(ahead, "france", "standing:", "garrison", "ready")
    ahead.carry_out()
    assert acts(game, "france")[-1] == "ready"
    first = game.moment
    for _ in range(3):
        end_phase(game, ahead)
    assert game.moment != first
    assert [line.text for line in ahead.orders("france").lines] == ["garrison", "ready"]
    assert "france" not in game.waiting


def test_they_survive_a_restart_and_a_crash_repeats_nothing(game):
    ahead = ahead_of(game)
    leave(ahead, "france", "place interest siam if britain places interest in egypt", "pay germany 1")
    path = ahead_path(game.store.path)
    assert path.stat().st_mode & 0o777 == 0o600
    saved: list[bytes] = []
    real = ahead._save
    ahead._save = lambda: (real(), saved.append(path.read_bytes()))
    ahead.carry_out()
    paid = len(game.game.lines)
    assert any(b'"intent":{' in data for data in saved)
    path.write_bytes(next(data for data in saved if b'"intent":{' in data))  # it died after the act
    again = ahead_of(game)
    assert not again.carry_out() and len(game.game.lines) == paid
    assert ("pay germany 1", "done") in outcomes(again, "france")
    raw = msgspec.json.decode(path.read_bytes())
    raw["intent"]["version"] = game.version  # it died before the act
    path.write_bytes(msgspec.json.encode(raw))
    again = ahead_of(game)
    assert [line.text for line in again.orders("france").lines] == [
        "pay germany 1",
        "place interest siam if britain places interest in egypt",
    ]


def test_a_file_of_another_game_is_not_used(game, tmp_path):
    leave(ahead_of(game), "france", "place interest siam")
    with PaxHost.new(tables(), POWERS, "1898", clock=empty_clock) as other:
        assert not OrdersAhead(other, ahead_path(game.store.path)).orders("france").lines


def test_nobody_else_reads_them(game):
    ahead = ahead_of(game)
    secret = "place interest siam if germany places interest in egypt"
    leave(ahead, "france", secret, "standing:", "default losses")
    ahead.carry_out()
    words = (b"siam if germany", b"default losses")
    assert not any(word in game.log() for word in words)
    for seat in (*POWERS, SPECTATOR, ARBITER):
        known = msgspec.json.encode([game.lines_for(seat), game.view(seat) if seat != ARBITER else {}])
        assert not any(word in known for word in words)
    assert not ahead.orders("germany").lines
    ahead.forget("france")
    assert b"siam" not in ahead_path(game.store.path).read_bytes()


def test_at_one_keyboard_they_are_left_and_told_line_by_line(tmp_path):
    path = tmp_path / "alone.jsonl"
    with PaxHost.new(tables(), POWERS, "1898", path=path, undo="free", clock=empty_clock) as host:
        host.seat(dict.fromkeys(POWERS[2:], SeatOccupant(by="bot", level="steady")))
    session, told = LocalSession(PaxHost.open(path)), list[str]()
    session.take_seat("france")
    lines = [
        "ahead movement: place interest siam if britain places interest in egypt",
        "ahead standing garrison",
        "ahead",
    ]
    lines += ["ahead drop 9", "ahead drop 2", "ahead dance", "seat britain", "ahead", "place interest egypt"]
    run_repl(session, iter([*lines, "seat france", "ahead", "quit"]), told.append)
    text = "".join(told)
    assert "1. movement: place interest siam if britain places interest in egypt" in text
    assert "2. garrison (stays): stays" in text
    assert "Write the number of an order, 1 to 2" in text and "Order 2, 'dance'" in text
    assert text.count("No orders ahead.") == 2, "Britain has none, and that of France is carried out"
    assert any(m.power == "france" for m in session.live.areas["siam"].markers)
    assert "Order ahead: 1880, Movement/Status Change: 'movement: place interest siam" in text
    session.close()


def test_bots_go_on_after_an_order_between_their_steps(tmp_path):
    path = tmp_path / "alone.jsonl"
    with PaxHost.new(tables(), POWERS, "1898", path=path, clock=empty_clock) as host:
        host.seat(dict.fromkeys(POWERS[1:], SeatOccupant(by="bot", level="steady")))
    session = LocalSession(PaxHost.open(path), step_by_step=True)
    orders = ("movement: ready", "negotiation: ready")
    session.perform(LeaveOrders(0, tuple((order, True) for order in ("garrison", *orders))))
    session.perform(Advance())
    for _ in range(400):
        at = session.bots.current
        if at is None:
            break
        session.bots.step(compute_response(session.view.game_log.rules, at) if isinstance(at, BotRequest) else None)
    assert session.live.turn > 1 or session.live.phase not in ("movement", "random_events")
    session.close()
