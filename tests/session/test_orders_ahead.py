"""Orders ahead: when they are carried out, their outcomes, and that no other seat reads them."""

from __future__ import annotations

import msgspec
import pytest

from paxtui.cli.plain.repl import run_repl
from paxtui.engine.bots import BotRequest
from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import SeatOccupant
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.games.pax.actions.actions import Ready
from paxtui.games.pax.actions.dispatches import Dispatch
from paxtui.games.pax.position.setup import seats_for
from paxtui.session.bot_process import compute_response
from paxtui.session.game_host import empty_clock
from paxtui.session.local_session import LocalSession
from paxtui.session.orders_ahead import OrdersAhead, SeatOrders, ahead_path, describe_ahead_outcome, read_form
from paxtui.session.pax_host import PaxHost
from paxtui.session.session import Advance, LeaveOrders
from paxtui.tui.colors import DEFAULT
from paxtui.tui.formatting.look import Look
from paxtui.tui.panes.what_now import what_now, what_now_short
from tests.rules.harness import UNLIMITED, army, held, here, new, tables

POWERS = ("britain", "france", "germany", "united_states")
EXCHANGE = "1"
"""A seed with which France wins the combat of `fight_in_tunis` and has losses."""


@pytest.fixture
def game(tmp_path):
    path = tmp_path / "game.jsonl"
    with PaxHost.new(tables(), POWERS, "1898", path=path, clock=empty_clock) as host:
        while host.state.phase != "movement":
            host.advance()
        yield host


def ahead_of(host: PaxHost) -> OrdersAhead:
    return OrdersAhead(host, ahead_path(host.store.path))


def leave_orders(ahead: OrdersAhead, seat: str, *lines: str) -> None:
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
    """End the Phase with default answers, and play the automatic Phases."""
    host.take_defaults()
    host.advance()
    ahead.carry_out()


def test_order_is_carried_out_as_soon_as_it_is_legal(game):
    ahead = ahead_of(game)
    leave_orders(ahead, "france", "place interest siam", "negotiation: ready")
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


def test_condition_waits_for_acts_of_others_in_the_phase(game):
    ahead = ahead_of(game)
    leave_orders(ahead, "france", "place interest siam if britain places interest in egypt", "ready")
    ahead.carry_out()
    assert acts(game, "france") == ["ready"], "a condition that may still be met does not delay the seat"
    assert "not yet" in ahead.orders("france").lines[0].why
    game.act("germany", "place interest kongo")
    assert ahead.carry_out(), "the act of Germany has made France unready"
    assert acts(game, "france") == ["ready", "ready"]
    game.act("britain", "place interest egypt")
    ahead.carry_out()
    assert acts(game, "france")[2:] == ["place interest siam", "ready"]


@pytest.mark.parametrize(
    ("condition", "others"),
    [
        ("if britain places interest egypt", ["britain place interest egypt"]),
        ("if anyone places interest egypt", ["germany place interest egypt"]),
        ("if anyone else builds A3", ["germany build A3"]),
        ("if germany builds at least 2 strength points of armies", ["germany build A1", "germany build A1"]),
        ("if germany pays france 2", ["germany pay france 2"]),
        ("if germany pays france 2 and britain builds A1", ["germany pay france 2", "britain build A1"]),
        ("if (germany builds N10 or britain builds A1) and anyone builds A3", ["britain build A1", "germany build A3"]),
    ],
)
def test_each_kind_of_condition_is_met_by_its_last_act(game, condition, others):
    """The conditions of the forms by mail, about what others do in this Phase."""
    ahead = ahead_of(game)
    leave_orders(ahead, "france", f"place interest siam {condition}")
    for order in others:
        ahead.carry_out()
        assert not acts(game, "france"), order
        seat, _, text = order.partition(" ")
        game.act(seat, text)
    ahead.carry_out()
    assert acts(game, "france") == ["place interest siam"]


def test_unmet_condition_ends_with_its_phase(game):
    ahead = ahead_of(game)
    leave_orders(ahead, "france", "place interest siam if britain places interest in egypt", "ready")
    ahead.carry_out()
    end_phase(game, ahead)
    assert outcomes(ahead, "france") == [
        ("ready", "done"),
        ("place interest siam if britain places interest in egypt", "unmet"),
    ]
    assert not ahead.orders("france").lines


def test_unless_is_decided_when_the_others_are_ready(game):
    ahead = ahead_of(game)
    leave_orders(ahead, "france", "place interest siam unless britain places interest in egypt", "ready")
    leave_orders(ahead, "germany", "place interest kongo unless britain places interest in egypt", "ready")
    ahead.carry_out()
    assert not acts(game, "france")
    game.act("britain", "ready")
    ahead.carry_out()
    assert not acts(game, "france")
    game.act("united_states", "ready")
    ahead.carry_out()
    assert acts(game, "france")[0] == "place interest siam", "France and Germany wait for each other only"
    assert not acts(game, "germany"), "the act of France has made the others unready"
    game.act("britain", "ready")
    game.act("united_states", "ready")
    ahead.carry_out()
    assert "place interest kongo" in acts(game, "germany")


def test_refused_order_is_reported_with_its_rule(game):
    ahead = ahead_of(game)
    leave_orders(ahead, "france", "place possession siam", "ready")
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
            leave_orders(ahead, "france", wrong)
    leave_orders(ahead, "france", "standing:", "lose A1 in siam", "default losses", "garrison", "movement: ready")
    assert [line.standing for line in ahead.orders("france").lines] == [True] * 4
    with pytest.raises(Refusal, match="just been carried out"):
        ahead.set_orders("france", 0, [])
    with pytest.raises(Refusal):
        ahead.set_orders(SPECTATOR, 0, [])


def test_standing_orders_stay(game):
    ahead = ahead_of(game)
    leave_orders(ahead, "france", "standing:", "garrison", "ready")
    ahead.carry_out()
    assert acts(game, "france")[-1] == "ready"
    first = game.moment
    for _ in range(3):
        end_phase(game, ahead)
    assert game.moment != first
    assert [line.text for line in ahead.orders("france").lines] == ["garrison", "ready"]
    assert "france" not in game.waiting


def at(seed: str = "1898", **patch: object) -> PaxHost:
    """Return a game of seven in memory at a position, without limits of pieces."""
    host = PaxHost.new(tables(), seats_for(7), seed, UNLIMITED, clock=empty_clock)
    host.set_position(patch)
    return host


def open_questions(host: PaxHost) -> list[tuple[str, str, str]]:
    """Return kind, Power and Area of the open questions."""
    return [(choice.kind, choice.power, choice.area) for choice in host.state.choices]


def fight_in_tunis(*standing: str, seed: str = "1898", unrest: bool = True) -> PaxHost:
    """Begin a Colonial Combat of France in Tunis, with standing answers of France."""
    areas = {"tunis": here(new("france"), *(army("france", n) for n in (3, 1, 1, 1)), unrest=unrest)}
    host = at(seed, phase="colonial_combat", areas=areas)
    leave_orders(ahead := OrdersAhead(host, None), "france", "standing:", *standing)
    ahead.carry_out()
    return host


def test_standing_answers_decide_fights():
    """`if unrest` declines without Unrest. An answer about another Area or another question leaves it open."""
    question = ("fight", "france", "tunis")
    for other in ("lose A1 in tunis", "fight egypt", "default losses"):
        assert question in open_questions(fight_in_tunis(other)), other
    for answer, unrest, fights in (
        ("decline tunis", True, False),
        ("default fights", True, True),
        ("fight tunis if unrest", True, True),
        ("fight tunis if unrest", False, False),
    ):
        host = fight_in_tunis(answer, unrest=unrest)
        assert question not in open_questions(host)
        kinds = {event["type"] for line in host.game.effective_lines() for event in msgspec.to_builtins(line.events)}
        assert ("colonial_combat" in kinds) == fights, (answer, unrest)


def test_standing_answers_choose_losses():
    """The named units are lost; without an answer the question stays open."""
    host = fight_in_tunis("fight tunis", seed=EXCHANGE)
    assert open_questions(host) == [("losses", "france", "tunis")]
    for answer, left in (("lose A1 A1 A1 in tunis", ["A3"]), ("default losses", ["A1", "A1", "A1"])):
        host = fight_in_tunis("fight tunis", answer, seed=EXCHANGE)
        assert not any(kind == "losses" for kind, _, _ in open_questions(host))
        assert [unit.name for unit in host.state.areas["tunis"].units] == left


def test_standing_garrison_is_sent_before_ready():
    """Without a garrison `ready` is refused; the line `garrison` sends one if it is missing."""
    for orders, sent in ((("ready",), False), (("garrison", "ready"), True)):
        host = at(phase="movement", areas={"algiers": held("france", "possession")})
        leave_orders(ahead := OrdersAhead(host, None), "france", "standing:", *orders)
        ahead.carry_out()
        assert ("france" in host.ready_seats) == sent
        assert bool(host.state.areas["algiers"].units) == sent
        if not sent:
            assert "garrison" in ahead.orders("france").lines[0].why


def test_standing_coaling_is_given_in_each_war():
    """It is given once in each Phase that allows it, to the named Power; the line stays."""
    host = at(phase="war", wars=[{"alliances": [["germany"], ["italy"]], "phase": "maneuver"}])
    leave_orders(ahead := OrdersAhead(host, None), "france", "standing:", "volunteer algiers to germany")
    ahead.carry_out()
    ahead.carry_out()
    assert acts(host, "france") == ["volunteer algiers to germany"]
    (line,) = ahead.orders("france").lines
    assert line.standing and line.done
    peace = at(phase="movement")
    leave_orders(ahead := OrdersAhead(peace, None), "france", "standing:", "volunteer algiers to germany")
    ahead.carry_out()
    assert not acts(peace, "france") and len(ahead.orders("france").lines) == 1


def test_restart_keeps_orders_and_a_crash_repeats_none(game):
    ahead = ahead_of(game)
    leave_orders(ahead, "france", "place interest siam if britain places interest in egypt", "pay germany 1")
    path = ahead_path(game.store.path)
    assert path.stat().st_mode & 0o777 == 0o600
    saved: list[bytes] = []
    real = ahead._save
    ahead._save = lambda: (real(), saved.append(path.read_bytes()))
    ahead.carry_out()
    paid = len(game.game.lines)
    assert any(b'"intent":{' in data for data in saved)
    path.write_bytes(next(data for data in saved if b'"intent":{' in data))  # a crash after the act
    again = ahead_of(game)
    assert not again.carry_out() and len(game.game.lines) == paid
    assert ("pay germany 1", "done") in outcomes(again, "france")
    raw = msgspec.json.decode(path.read_bytes())
    raw["intent"]["version"] = game.version  # a crash before the act
    path.write_bytes(msgspec.json.encode(raw))
    again = ahead_of(game)
    assert [line.text for line in again.orders("france").lines] == [
        "pay germany 1",
        "place interest siam if britain places interest in egypt",
    ]


def test_orders_of_another_game_are_not_used(game, tmp_path):
    leave_orders(ahead_of(game), "france", "place interest siam")
    with PaxHost.new(tables(), POWERS, "1898", clock=empty_clock) as other:
        assert not OrdersAhead(other, ahead_path(game.store.path)).orders("france").lines


def test_no_other_seat_reads_orders_ahead(game):
    ahead = ahead_of(game)
    secret = "place interest siam if germany places interest in egypt"
    leave_orders(ahead, "france", secret, "standing:", "default losses")
    ahead.carry_out()
    words = (b"siam if germany", b"default losses")
    assert not any(word in game.log() for word in words)
    for seat in (*POWERS, SPECTATOR, ARBITER):
        known = msgspec.json.encode([game.lines_for(seat), game.view(seat) if seat != ARBITER else {}])
        assert not any(word in known for word in words)
    assert not ahead.orders("germany").lines
    ahead.forget("france")
    assert b"siam" not in ahead_path(game.store.path).read_bytes()


def test_orders_ahead_in_plain_mode(tmp_path):
    path = tmp_path / "alone.jsonl"
    with PaxHost.new(tables(), POWERS, "1898", path=path, undo="free", clock=empty_clock) as host:
        host.seat(dict.fromkeys(POWERS[2:], SeatOccupant(by="bot", level="steady")))
    session, output = LocalSession(PaxHost.open(path)), list[str]()
    session.take_seat("france")
    lines = [
        "ahead movement: place interest siam if britain places interest in egypt",
        "ahead standing garrison",
        "ahead",
    ]
    lines += ["ahead drop 9", "ahead drop 2", "ahead dance", "seat britain", "ahead", "place interest egypt"]
    run_repl(session, iter([*lines, "seat france", "ahead", "quit"]), output.append)
    text = "".join(output)
    assert "1. movement: place interest siam if britain places interest in egypt" in text
    assert "2. garrison (stays): stays" in text
    assert "Write the number of an order, 1 to 2" in text and "Order 2, 'dance'" in text
    assert text.count("No orders ahead.") == 2, "Britain has none, and that of France is carried out"
    assert any(m.power == "france" for m in session.live.areas["siam"].markers)
    assert "Order ahead: 1880, Movement/Status Change: 'movement: place interest siam" in text
    session.close()


def test_bots_continue_after_an_order_between_their_steps(tmp_path):
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


# --- stay ready -------------------------------------------------------------------------------------------------------


def test_pane_says_that_the_seat_stays_ready_while_bots_move(game, monkeypatch):
    session = LocalSession(game, "france")
    session.perform(Ready())
    monkeypatch.setattr(type(session.bots), "is_at_work", property(lambda bots: True))
    session.perform(LeaveOrders(session.orders_ahead.version, (("stay ready", False),)))
    game.act("germany", "place interest brasil")
    assert "france" in session.waiting() and session.orders_ahead.stays_ready
    for words in (pane(session, Look(DEFAULT), 60, lambda id_, key: key) for pane in (what_now, what_now_short)):
        assert "until something concerns you" in words.plain and "again" not in words.plain


def test_seat_stays_ready_until_something_concerns_it(game):
    ahead = ahead_of(game)
    game.act("france", "place interest tunis")
    leave_orders(ahead, "france", "movement: stay ready")
    assert ahead.carry_out() and acts(game, "france")[-1] == "ready"
    game.act("germany", "place interest brasil")
    assert "france" in game.waiting
    assert not ahead.carry_out(settled=False)  # bots still move
    assert ahead.carry_out() and "france" not in game.waiting
    game.act("germany", "place interest tunis")
    assert ahead.carry_out() and "france" not in game.waiting, "an Interest takes nothing"
    game.act("germany", "place influence tunis")
    assert not ahead.carry_out() and "france" in game.waiting
    orders = ahead.orders("france")
    assert not orders.stays_ready
    assert "Tunis" in describe_ahead_outcome(game.tables, orders.outcomes[-1])


@pytest.mark.parametrize(
    ("by", "order"),
    [
        ("germany", "treaty with france: non-aggression"),
        ("britain", "place influence kongo"),
        ("dispatch", ""),
    ],
)
def test_drafts_dispatches_and_areas_of_orders_concern_the_seat(game, by, order):
    ahead = ahead_of(game)
    leave_orders(ahead, "france", "place interest kongo unless britain places influence in kongo", "stay ready")
    ahead.carry_out()
    if by == "dispatch":
        game.play("britain", Dispatch(("france",), "Shall we?"))
    else:
        game.act(by, order)
    ahead.carry_out()
    assert not ahead.orders("france").stays_ready and ahead.orders("france").outcomes


@pytest.mark.parametrize("order", ["place interest siam", "unready", "undo"])
def test_own_act_ends_staying_ready(game, order):
    ahead = ahead_of(game)
    game.act("france", "place interest tunis")
    leave_orders(ahead, "france", "stay ready")
    ahead.carry_out()
    if order == "undo":
        game.undo("france")
    else:
        game.act("france", order)
    game.act("germany", "place interest brasil")
    assert not ahead.carry_out()
    assert ahead.orders("france") == SeatOrders(version=ahead.orders("france").version)


def test_staying_ready_ends_with_its_phase(game):
    ahead = ahead_of(game)
    with pytest.raises(Refusal, match="only in the present Phase"):
        leave_orders(ahead, "france", "negotiation: stay ready")
    with pytest.raises(Refusal, match="Write 'ready'"):
        leave_orders(ahead, "france", "standing:", "stay ready")
    leave_orders(ahead, "france", "stay ready")
    ahead.carry_out()
    end_phase(game, ahead)
    assert ahead.orders("france").lines == () == ahead.orders("france").outcomes


def test_acts_since_the_seat_was_ready_count(game):
    ahead = ahead_of(game)
    game.act("france", "place interest tunis")
    game.act("france", "ready")
    game.act("germany", "place interest tunis")
    game.act("france", "ready")
    leave_orders(ahead, "france", "stay ready")
    assert not ahead.carry_out() and ahead.orders("france").stays_ready
    leave_orders(ahead, "france")
    game.act("germany", "place influence tunis")
    leave_orders(ahead, "france", "stay ready")
    ahead.carry_out()
    assert ahead.orders("france").stays_ready  # the player had seen the marker


def test_orders_that_were_replaced_are_not_kept(game):
    ahead = ahead_of(game)
    for area in ("tunis", "marocco", "siam", "egypt"):
        leave_orders(ahead, "france", f"movement: place interest {area}")
        ahead.carry_out()
    assert len(ahead._parsed) <= 1
