"""The caretaker at a table: it answers everything, never stops a game, sees only its seat, and says why."""

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


def begun(players: int = 7, seed: str = "1", persons: tuple[str, ...] = ()) -> PaxHost:
    """A game with caretakers at every seat but those of persons."""
    options = {"belgium": "yes"} if players == 8 else {}
    table = PaxHost.new(tables(), seats_for(players), seed, options, clock=empty_clock)
    table.seat({seat: CARETAKER for seat in table.state.players if seat not in persons})
    return table


def to_the_end(table: PaxHost) -> PaxBotRunner:
    """Let the seats play until the game is over."""
    rivals = PaxBotRunner(table)
    for _ in range(400):
        if table.state.result is not None:
            return rivals
        table.advance()
        rivals.run()
    raise AssertionError("the game does not end")


@pytest.mark.parametrize(("players", "seed"), [(4, "a"), (7, "b"), (8, "c")])
def test_a_table_of_caretakers_plays_to_the_end_without_being_pushed(players: int, seed: str) -> None:
    table = begun(players, seed)
    to_the_end(table)
    pushed = [n for n in range(2, table.version + 1) if table.game.line(n).action.get("force")]
    assert not pushed
    acts = [n for n in range(2, table.version + 1) if table.game.line(n).seat != ARBITER]
    assert all(
        table.reason(ARBITER, n) for n in acts if table.game.line(n).action["type"] not in ("ready", "garrison")
    )
    assert table.verify() == []


def test_the_same_game_is_played_again() -> None:
    logs = []
    for _ in range(2):
        table = begun(5, "again")
        to_the_end(table)
        logs.append([(line.seat, line.action, line.events) for line in table.game.lines])
    assert logs[0] == logs[1]


def test_it_acts_alike_whatever_others_hide() -> None:
    table = begun(7, "secret", persons=("britain", "italy"))
    table.advance()
    before = general_orders.choose_caretaker_actions(tables(), table.state_for("france"), "france", "x")
    table.act("britain", "treaty Zq with italy: defensive")
    table.act("italy", f"sign {table.state.treaties[0].id}")
    table.act("britain", "pay italy 5")
    assert general_orders.choose_caretaker_actions(tables(), table.state_for("france"), "france", "x") == before


def test_it_leaves_a_dispute_to_the_others_first_and_says_why_it_gave_way() -> None:
    table = begun(7, "dispute", persons=("britain",))
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
    told = {text: why for seat, text, why in session.view.bot_reasons() if seat == "italy"}
    assert "Rule 4" in told["downgrade interest tunis"]


def test_it_sits_and_is_told_by_its_name() -> None:
    assert occupant_label(CARETAKER) == "caretaker"
    assert occupant_label(SeatOccupant(by="bot", level="caretaker", name="Ann")) == "caretaker for Ann"


def test_the_protocol_says_what_it_would_do() -> None:
    engine = EngineSession()

    def ask(method: str, **params: object) -> dict[str, object]:
        answer = json.loads(engine.handle(json.dumps({"id": 1, "method": method, "params": params})))
        return dict(answer.get("result") or answer["error"])

    ask("new", seed=2)
    ask("act", seat="arbiter", text="advance")
    told = ask("suggest", seat="france", bot="caretaker")
    assert told["bot"] == "caretaker" and {"text": "ready", "why": general_orders.READY.why} in told["acts"]  # type: ignore[operator]
    assert ask("suggest", seat="france", bot="steady")["acts"]
    assert ask("suggest", seat="france", bot="deep blue")["code"] == "bad_params"
    assert ask("suggest", seat="narnia")["code"] == "unknown_seat"
