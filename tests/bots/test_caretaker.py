"""The caretaker: it answers everything, ends its Phases, uses only what its seat may know, and gives reasons."""

from __future__ import annotations

import json

import pytest

from paxtui.bots.pax.caretaker import general_orders
from paxtui.engine.seating import SeatOccupant, occupant_label
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.position.setup import seats_for
from paxtui.session.game_host import empty_clock
from paxtui.session.local_session import LocalSession
from paxtui.session.pax_bot_runner import PaxBotRunner
from paxtui.session.pax_host import PaxHost
from paxtui.session.protocol import EngineSession
from tests.rules.harness import tables

CARETAKER = SeatOccupant(by="bot", level="caretaker")


def caretaker_game(players: int = 7, seed: str = "1", persons: tuple[str, ...] = ()) -> PaxHost:
    """Start a game with caretakers at all seats but those of people."""
    options = {"belgium": "yes"} if players == 8 else {}
    table = PaxHost.new(tables(), seats_for(players), seed, options, clock=empty_clock)
    table.seat({seat: CARETAKER for seat in table.state.players if seat not in persons})
    return table


def play_to_end(table: PaxHost) -> PaxBotRunner:
    """Let the bots play until the game is over."""
    rivals = PaxBotRunner(table)
    for _ in range(400):
        if table.state.result is not None:
            return rivals
        table.advance()
        rivals.run()
    raise AssertionError("the game does not end")


@pytest.mark.parametrize(("players", "seed"), [(4, "a"), (7, "b"), (8, "c")])
def test_game_of_caretakers_ends_without_forced_acts(players: int, seed: str) -> None:
    table = caretaker_game(players, seed)
    play_to_end(table)
    forced = [n for n in range(2, table.version + 1) if table.game.line(n).action.get("force")]
    assert not forced
    acts = [n for n in range(2, table.version + 1) if table.game.line(n).seat != ARBITER]
    assert all(table.reason(ARBITER, n) for n in acts if table.game.line(n).action["type"] not in ("ready", "garrison"))
    assert table.verify() == []


def test_equal_seeds_give_equal_games() -> None:
    logs = []
    for _ in range(2):
        table = caretaker_game(5, "again")
        play_to_end(table)
        logs.append([(line.seat, line.action, line.events) for line in table.game.lines])
    assert logs[0] == logs[1]


def test_caretaker_does_not_use_hidden_information() -> None:
    table = caretaker_game(7, "secret", persons=("britain", "italy"))
    table.advance()
    before = general_orders.choose_caretaker_actions(tables(), table.state_for("france"), "france", "x")
    table.act("britain", "treaty Zq with italy: defensive")
    table.act("italy", f"sign {table.state.treaties[0].id}")
    table.act("britain", "pay italy 5")
    assert general_orders.choose_caretaker_actions(tables(), table.state_for("france"), "france", "x") == before


def test_caretaker_gives_way_in_a_dispute_and_says_why() -> None:
    table = caretaker_game(7, "dispute", persons=("britain",))
    table.act(ARBITER, {"type": "set_position", "patch": {
        "phase": "negotiation",
        "areas": {"tunis": {"markers": [
            {"power": "italy", "marker": "protectorate"}, {"power": "britain", "marker": "protectorate"},
        ]}},
        "casus_belli": [{"holder": "italy", "against": "britain", "area": "tunis"}],
    }})  # fmt: skip
    session = LocalSession(table)
    assert session.view.bot_reasons() == [] and len(table.state.areas["tunis"].markers) == 2
    session.act_text("ready")
    reasons = {text: why for seat, text, why in session.view.bot_reasons() if seat == "italy"}
    assert reasons["downgrade interest tunis"] == "Rule 4: no War over Tunis, its own marker goes down"


def test_caretaker_seat_has_a_label() -> None:
    assert occupant_label(CARETAKER) == "caretaker"
    assert occupant_label(SeatOccupant(by="bot", level="caretaker", name="Ann")) == "caretaker for Ann"


def test_protocol_suggests_orders_of_a_bot() -> None:
    engine = EngineSession()

    def ask(method: str, **params: object) -> dict[str, object]:
        answer = json.loads(engine.handle(json.dumps({"id": 1, "method": method, "params": params})))
        return dict(answer.get("result") or answer["error"])

    ask("new", seed=2)
    ask("act", seat="arbiter", text="advance")
    answer = ask("suggest", seat="france", bot="caretaker")
    assert answer["bot"] == "caretaker" and {"text": "ready", "why": general_orders.READY.why} in answer["acts"]  # type: ignore[operator]
    assert ask("suggest", seat="france", bot="steady")["acts"]
    assert ask("suggest", seat="france", bot="deep blue")["code"] == "bad_params"
    assert ask("suggest", seat="narnia")["code"] == "unknown_seat"
