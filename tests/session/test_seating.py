"""Occupants of seats: their lines in the log, hidden tempers, and the acts of bots at seats."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from paxtui.engine.log import Line, encode_line
from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import BEFORE_PERSONS, PERSON, SeatOccupant, occupant_label, seat_occupants
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.games.pax.position.setup import seats_for
from paxtui.session.game_host import empty_clock
from paxtui.session.local_session import LocalSession
from paxtui.session.pax_bot_runner import PaxBotRunner
from paxtui.session.pax_host import PaxHost
from paxtui.session.session import AssignSeats
from paxtui.session.tables.loader import load_tables

STEADY = SeatOccupant(by="bot", level="steady")
NOBODY = SeatOccupant(by="nobody")
CARETAKER = SeatOccupant(by="bot", level="caretaker")
FOUR = tuple(seats_for(4))


def start_game(path: Path | None = None, occupants: dict[str, SeatOccupant] | None = None) -> PaxHost:
    """Start a game of four; by default bots have all seats but Britain's."""
    table = PaxHost.new(load_tables(), FOUR, "3", {}, path=path, undo="free", clock=empty_clock)
    table.seat(occupants or {seat: STEADY for seat in FOUR if seat != "britain"})
    return table


def acts_of(table: PaxHost, seat: str, kinds: Sequence[str] = ("place", "build", "move", "upgrade")) -> list[str]:
    """Return the types of a seat's acts in force, of some kinds."""
    lines = (line for line in table.game.effective_lines() if line.seat == seat)
    return [line.action["type"] for line in lines if line.action["type"] in kinds]


# --- the line ---------------------------------------------------------------------------------------------------------


def test_last_line_about_a_seat_counts():
    table = start_game()
    table.seat({"france": SeatOccupant(by="bot", level="hard", temper="bold")})
    table.seat({"france": SeatOccupant(by="bot", level="easy", temper="cautious", name="Ann"), "germany": NOBODY})
    occupants = [table.occupant(seat) for seat in FOUR]
    assert occupants == [PERSON, SeatOccupant(by="bot", level="easy", temper="cautious", name="Ann"), NOBODY, STEADY]
    assert [occupant.is_automatic for occupant in occupants] == [False, True, True, True]
    assert [occupant_label(occupant) for occupant in occupants] == [
        "a person", "cautious statesman (easy) for Ann", "nobody", "steady bot"
    ]  # fmt: skip


def test_log_without_occupants_has_persons_at_all_seats():
    assert seat_occupants(()) == {} and PaxHost.new(load_tables(), FOUR, "3").occupant("france") == PERSON


def test_occupants_change_no_position_and_survive_undo():
    table = start_game()
    before = table.state
    table.seat({"germany": STEADY})
    assert table.state is before
    table.advance()
    table.act("britain", "place influence persia") if "britain" in table.waiting else None
    table.undo(ARBITER, 1)
    assert table.occupant("germany") == STEADY


@pytest.mark.rule("ORD-001", "ORD-036")
def test_seat_of_caretaker_or_nobody_is_abandoned():
    table = start_game(occupants={"france": CARETAKER, "germany": NOBODY, "united_states": STEADY})
    assert table.state.abandoned == ("france", "germany")
    assert table.view("britain")["abandoned"] == ["france", "germany"]
    table.seat({"france": PERSON})
    assert table.state.abandoned == ("germany",)
    table.seat({"france": SeatOccupant(by="bot", level="caretaker", name="Ann")})
    assert table.state.abandoned == ("germany",), "Ann comes back"
    table.undo(ARBITER, 1)
    assert not table.state.abandoned
    PaxBotRunner(table).run()
    assert table.state.abandoned == ("germany",)
    assert not table.verify()


@pytest.mark.parametrize(
    ("seats", "code"),
    [
        ({"spain": STEADY}, "unknown_seat"),
        ({}, "bad_sitter"),
        ({"france": SeatOccupant(by="bot")}, "bad_sitter"),
        ({"france": SeatOccupant(level="easy")}, "bad_sitter"),
        ({"france": SeatOccupant(temper="bold")}, "bad_sitter"),
        ({"france": SeatOccupant(by="nobody", hidden=True)}, "bad_sitter"),
        ({"france": SeatOccupant(by="nobody", name="Ann")}, "bad_sitter"),
        ({"france": SeatOccupant(name="Ann\x1b[2J")}, "bad_sitter"),
        ({"france": SeatOccupant(name="A" * 61)}, "bad_sitter"),
    ],
)
def test_invalid_occupants_are_refused(seats, code):
    table = start_game()
    with pytest.raises(Refusal) as refused:
        table.seat(seats)
    assert refused.value.code == code and table.version == 2


def test_only_the_arbiter_sees_a_hidden_temper():
    table = start_game()
    table.seat({"france": SeatOccupant(by="bot", level="hard", temper="treacherous", hidden=True), "germany": STEADY})
    for seat in ("britain", "france", SPECTATOR):
        assert seat_occupants(table.lines_for(seat)) == {
            "france": SeatOccupant(by="bot", level="hard"), "germany": STEADY, "united_states": STEADY
        }  # fmt: skip
        assert "treacherous" not in repr(table.lines_for(seat))
    assert seat_occupants(table.lines_for(ARBITER))["france"].temper == "treacherous"


def test_occupants_are_described_in_the_log():
    table = start_game(occupants={"france": STEADY, "germany": STEADY, "united_states": NOBODY})
    entries = [entry.text for entry in LocalSession(table).view.log() if entry.kind == "seating"]
    assert entries == ["Who sits where: France, Germany: steady bots; United States: nobody."]


# --- verify -----------------------------------------------------------------------------------------------------------


def test_game_with_bots_is_verified():
    table = start_game()
    session = LocalSession(table)
    session.advance()
    session.act_text("ready")
    assert table.verify() == []


@pytest.mark.parametrize(
    ("seat", "action"),
    [
        ("france", {"type": "seating", "seats": {"britain": {"by": "nobody"}}}),
        (ARBITER, {"type": "seating", "seats": {"britain": {"by": "bot"}}}),
        (ARBITER, {"type": "seating", "seats": {"britain": {"by": "person", "king": "yes"}}}),
        (ARBITER, {"type": "seating", "seats": {"britain": {"by": "person"}}, "more": 1}),
    ],
)
def test_verify_finds_forged_occupants(tmp_path, seat, action):
    path = tmp_path / "game.jsonl"
    start_game(path).close()
    with PaxHost.open(path) as table:
        line = Line(n=3, prev=table.game.tip, seat=seat, kind="note", action=action)
        table.store.append(encode_line(line))
    with PaxHost.open(path, write=False) as table:
        assert [(fault.line, fault.what) for fault in table.verify()] == [(3, "note")]
        if seat != ARBITER:
            assert table.occupant("britain") == PERSON


# --- acts of bots -----------------------------------------------------------------------------------------------------


def test_bots_act_once_in_a_phase_and_are_ready_with_the_person():
    table = start_game()
    session = LocalSession(table, bot_order=BEFORE_PERSONS)
    assert session.version == 2, "no die is rolled before the person continues"
    session.advance()
    assert table.state.phase == "movement" and session.waiting() == ("britain",)
    assert all(acts_of(table, seat) for seat in FOUR[1:]) and table.state.ready == ()
    moved = {seat: len(acts_of(table, seat)) for seat in FOUR[1:]}
    session.act_text("place influence persia")
    assert {seat: len(acts_of(table, seat)) for seat in FOUR[1:]} == moved
    session.act_text("ready")
    assert table.state.phase != "movement" and session.waiting() in ((), ("britain",))


def test_person_who_is_only_ready_reaches_the_end():
    table = start_game(occupants={"france": STEADY, "germany": STEADY, "united_states": NOBODY})
    session = LocalSession(table)
    for _ in range(300):
        if session.live.result is not None:
            break
        choices = [c for c in session.live.choices if c.seat == "britain"]
        if not session.waiting():
            session.advance()
        elif choices:
            from paxtui.games.pax.transaction import default_answer

            session.act_text(f"choose {choices[0].id} {' '.join(default_answer(choices[0]))}".strip())
        else:
            for order in ("ready", "garrison", "ready"):
                try:
                    session.act_text(order)
                    if order == "ready":
                        break
                except Refusal:
                    continue
    assert session.live.result is not None
    assert not acts_of(table, "united_states") and acts_of(table, "france")
    assert table.verify() == []


def test_bots_stay_in_a_reopened_game_and_do_not_act_twice(tmp_path):
    path = tmp_path / "game.jsonl"
    with start_game(path) as table:
        session = LocalSession(table, bot_order=BEFORE_PERSONS)
        session.advance()
        moved = {seat: len(acts_of(table, seat)) for seat in FOUR[1:]}
        assert all(moved.values())
    with PaxHost.open(path) as table:
        session = LocalSession(table, bot_order=BEFORE_PERSONS)
        assert session.seat == "britain" and session.seats.here() == ("britain",)
        assert {seat: len(acts_of(table, seat)) for seat in FOUR[1:]} == moved
        session.act_text("ready")
        assert session.waiting() in ((), ("britain",))


def test_acts_of_bots_are_reported_to_listeners():
    session = LocalSession(start_game())
    received = []
    session.listen(lambda change: received.extend(change.events))
    returned = session.advance()
    assert {e.power for e in returned if type(e).__name__ == "MarkerPlaced"} & set(FOUR[1:])
    assert tuple(received) == returned


def test_undo_and_redo_of_own_acts_with_bots():
    table = start_game()
    session = LocalSession(table, bot_order=BEFORE_PERSONS)
    session.advance()
    session.act_text("place influence persia")
    session.undo()
    assert not table.state.areas["persia"].markers and all(acts_of(table, seat) for seat in FOUR[1:])
    session.redo()
    assert [m.power for m in table.state.areas["persia"].markers] == ["britain"]


def test_bot_takes_a_seat_during_a_game_and_returns_it():
    table = PaxHost.new(load_tables(), FOUR, "3", {}, undo="free", clock=empty_clock)
    session = LocalSession(table, bot_order=BEFORE_PERSONS)
    session.advance()
    assert session.waiting() == FOUR
    session.perform(AssignSeats({"britain": STEADY, "germany": NOBODY}))
    assert session.seat == "france" and session.waiting() == ("france", "united_states")
    assert acts_of(table, "britain") and not acts_of(table, "germany")
    session.perform(AssignSeats({"britain": PERSON}))
    assert session.waiting() == ("britain", "france", "united_states")


def test_failing_bot_does_not_end_the_game(monkeypatch):
    from paxtui.bots.pax import registry as thinking

    def fail(*_: object) -> list[str]:
        raise KeyError("a mistake")

    monkeypatch.setattr(thinking, "choose_bot_actions", fail)
    table = start_game()
    session = LocalSession(table)
    session.advance()
    session.act_text("ready")
    assert table.state.phase != "movement" and session.waiting() in ((), ("britain",))
