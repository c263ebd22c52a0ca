"""Bots act step by step. The caretaker replaces a bot that fails, and reasons of acts are in the log."""

from __future__ import annotations

import pytest

from paxtui.bots.pax import registry
from paxtui.engine.bots import BotAction, BotRequest
from paxtui.engine.log import ActionReason, BrokenLog, Line, decode_line, encode_line
from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import BEFORE_PERSONS, SeatOccupant
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.games.pax.actions.actions import SetPosition
from paxtui.games.pax.game import PaxGame
from paxtui.games.pax.position.setup import seats_for
from paxtui.session.bot_process import BotResponse, compute_response
from paxtui.session.bot_runner import CompletedStep
from paxtui.session.game_host import empty_clock
from paxtui.session.local_session import LocalSession
from paxtui.session.pax_bot_runner import PaxBotRunner
from paxtui.session.pax_host import PaxHost
from paxtui.session.session import AgreedUndo, AssignSeats, Session
from tests.rules.harness import tables

STEADY = SeatOccupant(by="bot", level="steady")
CARETAKER = SeatOccupant(by="bot", level="caretaker")
FOUR = tuple(seats_for(4))


def start_game(occupant: SeatOccupant = STEADY) -> PaxHost:
    """Start a game with bots at all seats but Britain's."""
    table = PaxHost.new(tables(), FOUR, "3", {}, undo="free", clock=empty_clock)
    table.seat(dict.fromkeys(FOUR[1:], occupant))
    return table


def finish_bots(session: Session) -> list[int]:
    """Let the bots finish; return the lines that they made."""
    made = []
    while (at := session.bots.current) is not None:
        made += [at.line] if isinstance(at, CompletedStep) else []
        session.bots.step(compute_response(PaxGame(tables()), at) if isinstance(at, BotRequest) else None)
    return made


# --- a step at a time -------------------------------------------------------------------------------------------------


def test_acts_of_bots_are_reported_together() -> None:
    session = LocalSession(start_game(), step_by_step=True, bot_order=BEFORE_PERSONS)
    changes = []
    session.listen(changes.append)
    session.advance()
    assert session.bots.is_at_work and changes[-1].more
    seating = AssignSeats({"france": SeatOccupant()})
    for act in (lambda: session.perform(AgreedUndo(1)), lambda: session.perform(seating)):
        with pytest.raises(Refusal, match="still moving"):
            act()
    made = finish_bots(session)
    assert not session.bots.is_at_work and made == list(range(made[0], session.view.place + 1))
    last, steps = changes[-1], [change for change in changes if change.more]
    assert not last.more and [e for change in steps for e in change.events] == list(last.events)


def test_finish_ends_the_current_bot_only() -> None:
    table = start_game()
    session = LocalSession(table, step_by_step=True, bot_order=BEFORE_PERSONS)
    session.advance()
    at = session.bots.current
    assert isinstance(at, BotRequest)
    session.bots.step(compute_response(PaxGame(tables()), at))
    version = table.version
    session.bots.finish()
    acted = {line.seat for line in table.game.lines_after(2) if line.seat != ARBITER}
    assert not session.bots.is_at_work and table.version >= version and acted == {at.seat}
    again = LocalSession(table, bot_order=BEFORE_PERSONS)
    assert again.waiting() == ("britain",), "when the game is opened again, the other bots have moved"
    assert {line.seat for line in table.game.lines_after(2)} > set(FOUR[1:])


def test_undo_keeps_or_repeats_the_acts_of_bots() -> None:
    table = start_game()
    session = LocalSession(table, bot_order=BEFORE_PERSONS)
    session.advance()
    moved = [line.action for line in table.game.effective_lines() if line.seat == "france"]
    session.act_text("ready")
    assert table.state.phase != "movement"
    session.undo()
    assert table.state.phase == "movement" and table.state.ready == ()
    assert [line.action for line in table.game.effective_lines() if line.seat == "france"] == moved
    session.perform(AgreedUndo(3))  # before this line there are only automatic Phases
    assert [line.action for line in table.game.effective_lines() if line.seat == "france"] == moved
    assert table.verify() == []


# --- bots that fail ---------------------------------------------------------------------------------------------------


def fail(*_: object) -> list[BotAction]:
    """A bot that fails."""
    raise KeyError("a mistake")


def test_caretaker_replaces_a_failing_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    real = registry.choose_bot_actions
    monkeypatch.setattr(
        registry, "choose_bot_actions", lambda bot, *rest: (fail if bot == "steady" else real)(bot, *rest)
    )
    table, caretakers = start_game(), start_game(CARETAKER)
    session = LocalSession(table, bot_order=BEFORE_PERSONS)
    for each in (session, LocalSession(caretakers, bot_order=BEFORE_PERSONS)):
        each.advance()
    notices = [entry.text for entry in session.view.log() if entry.kind == "stand_in"]
    assert "France: the caretaker acts for the bot (steady), because it failed (KeyError)." in notices
    assert len(notices) == 3, "each is told once in a Phase"
    does = [(line.seat, line.action) for line in table.game.lines if line.seat != ARBITER]
    assert does == [(line.seat, line.action) for line in caretakers.game.lines if line.seat != ARBITER]
    assert table.verify() == []


def test_caretaker_replaces_a_bot_whose_answer_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    real, nonsense = registry.choose_bot_actions, [BotAction("choose nothing at all")]
    monkeypatch.setattr(
        registry, "choose_bot_actions", lambda bot, *rest: nonsense if bot == "steady" else real(bot, *rest)
    )
    table = start_game()
    table.act(
        ARBITER,
        {
            "type": "set_position",
            "patch": {
                "phase": "negotiation",
                "powers": {"britain": {"treasury": 60}},
            },
        },
    )
    session = LocalSession(table)
    session.act_text("pay france 5")
    notices = [entry.text for entry in session.view.log() if entry.kind == "stand_in"]
    assert notices == ["France: the caretaker acts for the bot (steady), because its answer was refused."]
    assert session.waiting() == ("britain",) and not table.state.choices and table.verify() == []


# --- reasons ----------------------------------------------------------------------------------------------------------


def test_reason_is_encoded_with_the_act() -> None:
    line = Line(n=2, seat="france", action={"type": "ready"}, why=ActionReason("nothing more to gain"))
    data = encode_line(line)
    assert b'"why":{"text":"nothing more to gain"}' in data and decode_line(data, 2) == line
    assert b"why" not in encode_line(Line(n=2, seat="france"))
    with pytest.raises(BrokenLog, match="cannot have a reason"):
        decode_line(encode_line(Line(n=2, seat="france", kind="note", why=ActionReason("x"))), 2)


def test_reason_that_may_reveal_a_secret_is_hidden_until_the_end() -> None:
    table = PaxHost.new(tables(), FOUR, "3", {}, undo="free", clock=empty_clock)
    table.advance()
    line, _ = table.act("france", "place interest persia", why="it pays\x1b[2J")
    assert [table.reason(seat, line.n) for seat in ("france", "britain", SPECTATOR)] == ["it pays [2J"] * 3
    table.act("france", "treaty Zq with germany: defensive", why="against Britain")
    draft = table.version
    table.act("germany", f"sign {table.state.treaties[0].id}")
    line, _ = table.act("france", "place interest siam", why="Germany is with us")
    for n, why in ((draft, "against Britain"), (line.n, "Germany is with us")):
        assert [table.reason(seat, n) for seat in ("france", ARBITER)] == [why] * 2
        assert [table.reason(seat, n) for seat in ("britain", SPECTATOR)] == [""] * 2
    assert "Germany is with us" not in repr(table.lines_for("britain"))
    table.act(ARBITER, {"type": "set_position", "patch": {"turn": 10, "phase": "victory_point_record"}})
    table.advance()
    assert table.state.result is not None
    assert table.reason("britain", line.n) == "Germany is with us"
    assert table.verify() == []


def test_unknown_bot_fails() -> None:
    request = BotRequest("nobody", "france", "1", start_game().state_for("france"))
    assert compute_response(PaxGame(tables()), request) == BotResponse(failure="because it failed (ValueError)")


def test_caretaker_of_a_neutral_grants_coaling_of_a_treaty() -> None:
    table = start_game(CARETAKER)
    clause = {"kind": "coaling", "power": "france", "to": "britain"}
    pact = {"id": "pact", "name": "Pact", "stage": "in_force", "since": 1, "drafted": 1, "public": True}
    parties = ["france", "britain"]
    table.act(
        ARBITER,
        SetPosition(
            {
                "phase": "war",
                "wars": [{"alliances": [["britain"], ["spain"]], "phase": "maneuver"}],
                "treaties": [{**pact, "parties": parties, "signed": parties, "clauses": [clause]}],
            }
        ),
    )
    PaxBotRunner(table).run()
    assert any(line.seat == "france" and line.action["type"] == "volunteer" for line in table.game.lines)
