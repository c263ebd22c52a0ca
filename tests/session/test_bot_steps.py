"""The seats that play themselves, a step at a time: who fails is stood in for, and why something was done is kept."""

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


def begun(sitter: SeatOccupant = STEADY) -> PaxHost:
    """A game in which bots sit everywhere but in Britain."""
    table = PaxHost.new(tables(), FOUR, "3", {}, undo="free", clock=empty_clock)
    table.seat(dict.fromkeys(FOUR[1:], sitter))
    return table


def to_the_end(session: Session) -> list[int]:
    """Let the bots go on until they have done; the lines that they have made."""
    made = []
    while (at := session.bots.current) is not None:
        made += [at.line] if isinstance(at, CompletedStep) else []
        session.bots.step(compute_response(PaxGame(tables()), at) if isinstance(at, BotRequest) else None)
    return made


# --- a step at a time -------------------------------------------------------------------------------------------------


def test_seats_and_agreed_undos_wait_for_bots_and_all_their_moves_are_reported_as_one() -> None:
    session = LocalSession(begun(), step_by_step=True, bot_order=BEFORE_PERSONS)
    heard = []
    session.listen(heard.append)
    session.advance()
    assert session.bots.is_at_work and heard[-1].more
    seating = AssignSeats({"france": SeatOccupant()})
    for act in (lambda: session.perform(AgreedUndo(1)), lambda: session.perform(seating)):
        with pytest.raises(Refusal, match="still moving"):
            act()
    made = to_the_end(session)
    assert not session.bots.is_at_work and made == list(range(made[0], session.view.place + 1))
    last, steps = heard[-1], [change for change in heard if change.more]
    assert not last.more and [e for change in steps for e in change.events] == list(last.events)


def test_whoever_leaves_has_the_move_finished_that_was_begun() -> None:
    table = begun()
    session = LocalSession(table, step_by_step=True, bot_order=BEFORE_PERSONS)
    session.advance()
    at = session.bots.current
    assert isinstance(at, BotRequest)
    session.bots.step(compute_response(PaxGame(tables()), at))
    begun_at = table.version
    session.bots.finish()
    acted = {line.seat for line in table.game.lines_after(2) if line.seat != ARBITER}
    assert not session.bots.is_at_work and table.version >= begun_at and acted == {at.seat}
    again = LocalSession(table, bot_order=BEFORE_PERSONS)
    assert again.waiting() == ("britain",), "whoever opens it next finds the others moved"
    assert {line.seat for line in table.game.lines_after(2)} > set(FOUR[1:])


def test_undo_takes_the_answers_with_it_and_further_back_the_bots_move_anew() -> None:
    table = begun()
    session = LocalSession(table, bot_order=BEFORE_PERSONS)
    session.advance()
    moved = [line.action for line in table.game.effective_lines() if line.seat == "france"]
    session.act_text("ready")
    assert table.state.phase != "movement"
    session.undo()
    assert table.state.phase == "movement" and table.state.ready == ()
    assert [line.action for line in table.game.effective_lines() if line.seat == "france"] == moved
    session.perform(AgreedUndo(3))  # what nobody had to do anything for has been played, and no bot has moved
    assert [line.action for line in table.game.effective_lines() if line.seat == "france"] == moved
    assert table.verify() == []


# --- who fails --------------------------------------------------------------------------------------------------------


def stumble(*_: object) -> list[BotAction]:
    """A bot with a mistake in it."""
    raise KeyError("a mistake")


def test_for_a_bot_that_fails_the_caretaker_acts_and_the_log_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    real = registry.choose_bot_actions
    monkeypatch.setattr(
        registry, "choose_bot_actions", lambda bot, *rest: (stumble if bot == "steady" else real)(bot, *rest)
    )
    table, caretakers = begun(), begun(CARETAKER)
    session = LocalSession(table, bot_order=BEFORE_PERSONS)
    for of in (session, LocalSession(caretakers, bot_order=BEFORE_PERSONS)):
        of.advance()
    told = [entry.text for entry in session.view.log() if entry.kind == "stand_in"]
    assert "France: the caretaker acts for the bot (steady), because it failed (KeyError)." in told
    assert len(told) == 3, "each is told once in a Phase"
    does = [(line.seat, line.action) for line in table.game.lines if line.seat != ARBITER]
    assert does == [(line.seat, line.action) for line in caretakers.game.lines if line.seat != ARBITER]
    assert table.verify() == []


def test_for_a_bot_whose_answer_is_refused_too(monkeypatch: pytest.MonkeyPatch) -> None:
    real, nonsense = registry.choose_bot_actions, [BotAction("choose nothing at all")]
    monkeypatch.setattr(
        registry, "choose_bot_actions", lambda bot, *rest: nonsense if bot == "steady" else real(bot, *rest)
    )
    table = begun()
    table.act(ARBITER, {"type": "set_position", "patch": {
        "phase": "negotiation", "powers": {"britain": {"treasury": 60}},
    }})
    session = LocalSession(table)
    session.act_text("pay france 5")
    told = [entry.text for entry in session.view.log() if entry.kind == "stand_in"]
    assert told == ["France: the caretaker acts for the bot (steady), because its answer was refused."]
    assert session.waiting() == ("britain",) and not table.state.choices and table.verify() == []


# --- reasons ----------------------------------------------------------------------------------------------------------


def test_the_reason_stands_in_the_log_beside_the_act_and_old_lines_are_as_they_were() -> None:
    line = Line(n=2, seat="france", action={"type": "ready"}, why=ActionReason("nothing more to gain"))
    data = encode_line(line)
    assert b'"why":{"text":"nothing more to gain"}' in data and decode_line(data, 2) == line
    assert b"why" not in encode_line(Line(n=2, seat="france"))
    with pytest.raises(BrokenLog, match="has no reason"):
        decode_line(encode_line(Line(n=2, seat="france", kind="note", why=ActionReason("x"))), 2)


def test_a_reason_that_may_give_a_secret_away_waits_for_the_end() -> None:
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


def test_a_bot_of_a_name_that_no_bot_has_fails() -> None:
    asked = BotRequest("nobody", "france", "1", begun().state_for("france"))
    assert compute_response(PaxGame(tables()), asked) == BotResponse(failure="because it failed (ValueError)")


def test_the_caretaker_of_a_neutral_grants_the_coal_that_a_treaty_promises() -> None:
    table = begun(CARETAKER)
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
