"""Who sits where: a line of the log, the same for every seat but for hidden tempers, and the table moves the bots."""

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


def begun(path: Path | None = None, sitters: dict[str, SeatOccupant] | None = None) -> PaxHost:
    """A game of four that nobody has moved in; by default bots sit everywhere but in Britain."""
    table = PaxHost.new(load_tables(), FOUR, "3", {}, path=path, undo="free", clock=empty_clock)
    table.seat(sitters or {seat: STEADY for seat in FOUR if seat != "britain"})
    return table


def acts_of(table: PaxHost, seat: str, kinds: Sequence[str] = ("place", "build", "move", "upgrade")) -> list[str]:
    """What a seat has done in force, of some kinds."""
    lines = (line for line in table.game.effective_lines() if line.seat == seat)
    return [line.action["type"] for line in lines if line.action["type"] in kinds]


# --- the line ---------------------------------------------------------------------------------------------------------


def test_the_last_line_that_names_a_seat_holds():
    table = begun()
    table.seat({"france": SeatOccupant(by="bot", level="hard", temper="bold")})
    table.seat({"france": SeatOccupant(by="bot", level="easy", temper="cautious", name="Ann"), "germany": NOBODY})
    sitters = [table.occupant(seat) for seat in FOUR]
    assert sitters == [PERSON, SeatOccupant(by="bot", level="easy", temper="cautious", name="Ann"), NOBODY, STEADY]
    assert [sitter.is_automatic for sitter in sitters] == [False, True, True, True]
    assert [occupant_label(sitter) for sitter in sitters] == [
        "a person", "cautious statesman (easy) for Ann", "nobody", "steady bot"
    ]  # fmt: skip


def test_a_log_without_such_a_line_has_persons_everywhere():
    assert seat_occupants(()) == {} and PaxHost.new(load_tables(), FOUR, "3").occupant("france") == PERSON


def test_the_line_changes_no_position_and_no_undo_takes_it_back():
    table = begun()
    before = table.state
    table.seat({"germany": STEADY})
    assert table.state is before
    table.advance()
    table.act("britain", "place influence persia") if "britain" in table.waiting else None
    table.undo(ARBITER, 1)
    assert table.occupant("germany") == STEADY


@pytest.mark.rule("ORD-001", "ORD-036")
def test_a_seat_is_abandoned_where_the_caretaker_or_nobody_sits_and_no_undo_changes_that():
    table = begun(sitters={"france": CARETAKER, "germany": NOBODY, "united_states": STEADY})
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
def test_what_nobody_can_be_is_refused(seats, code):
    table = begun()
    with pytest.raises(Refusal) as refused:
        table.seat(seats)
    assert refused.value.code == code and table.version == 2


def test_everybody_sees_who_sits_where_and_only_the_arbiter_a_hidden_temper():
    table = begun()
    table.seat({"france": SeatOccupant(by="bot", level="hard", temper="treacherous", hidden=True), "germany": STEADY})
    for seat in ("britain", "france", SPECTATOR):
        assert seat_occupants(table.lines_for(seat)) == {
            "france": SeatOccupant(by="bot", level="hard"), "germany": STEADY, "united_states": STEADY
        }  # fmt: skip
        assert "treacherous" not in repr(table.lines_for(seat))
    assert seat_occupants(table.lines_for(ARBITER))["france"].temper == "treacherous"


def test_the_log_tells_it_in_a_sentence():
    table = begun(sitters={"france": STEADY, "germany": STEADY, "united_states": NOBODY})
    told = [entry.text for entry in LocalSession(table).view.log() if entry.kind == "seating"]
    assert told == ["Who sits where: France, Germany: steady bots; United States: nobody."]


# --- verify -----------------------------------------------------------------------------------------------------------


def test_verify_accounts_for_it():
    table = begun()
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
def test_verify_names_a_line_that_the_table_cannot_have_written(tmp_path, seat, action):
    path = tmp_path / "game.jsonl"
    begun(path).close()
    with PaxHost.open(path) as table:
        line = Line(n=3, prev=table.game.tip, seat=seat, kind="note", action=action)
        table.store.append(encode_line(line))
    with PaxHost.open(path, write=False) as table:
        assert [(fault.line, fault.what) for fault in table.verify()] == [(3, "note")]
        if seat != ARBITER:
            assert table.occupant("britain") == PERSON


# --- the table moves them -----------------------------------------------------------------------------------------


def test_bots_move_once_when_the_phase_begins_and_are_ready_when_the_person_is():
    table = begun()
    session = LocalSession(table, bot_order=BEFORE_PERSONS)
    assert session.version == 2, "nothing is rolled before the person wants it"
    session.advance()
    assert table.state.phase == "movement" and session.waiting() == ("britain",)
    assert all(acts_of(table, seat) for seat in FOUR[1:]) and table.state.ready == ()
    moved = {seat: len(acts_of(table, seat)) for seat in FOUR[1:]}
    session.act_text("place influence persia")
    assert {seat: len(acts_of(table, seat)) for seat in FOUR[1:]} == moved
    session.act_text("ready")
    assert table.state.phase != "movement" and session.waiting() in ((), ("britain",))


def test_a_game_is_played_to_its_end_by_one_person_who_is_only_ready():
    table = begun(sitters={"france": STEADY, "germany": STEADY, "united_states": NOBODY})
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


def test_bots_stay_when_the_game_is_reopened_and_do_not_move_twice(tmp_path):
    path = tmp_path / "game.jsonl"
    with begun(path) as table:
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


def test_what_the_bots_do_is_reported_to_whoever_listens():
    session = LocalSession(begun())
    heard = []
    session.listen(lambda change: heard.extend(change.events))
    returned = session.advance()
    assert {e.power for e in returned if type(e).__name__ == "MarkerPlaced"} & set(FOUR[1:])
    assert tuple(heard) == returned


def test_own_acts_can_be_taken_back_and_redone_beside_bots():
    table = begun()
    session = LocalSession(table, bot_order=BEFORE_PERSONS)
    session.advance()
    session.act_text("place influence persia")
    session.undo()
    assert not table.state.areas["persia"].markers and all(acts_of(table, seat) for seat in FOUR[1:])
    session.redo()
    assert [m.power for m in table.state.areas["persia"].markers] == ["britain"]


def test_a_bot_takes_a_seat_in_the_middle_of_a_game_and_a_person_takes_it_back():
    table = PaxHost.new(load_tables(), FOUR, "3", {}, undo="free", clock=empty_clock)
    session = LocalSession(table, bot_order=BEFORE_PERSONS)
    session.advance()
    assert session.waiting() == FOUR
    session.perform(AssignSeats({"britain": STEADY, "germany": NOBODY}))
    assert session.seat == "france" and session.waiting() == ("france", "united_states")
    assert acts_of(table, "britain") and not acts_of(table, "germany")
    session.perform(AssignSeats({"britain": PERSON}))
    assert session.waiting() == ("britain", "france", "united_states")


def test_a_bot_that_stumbles_does_not_end_the_game(monkeypatch):
    from paxtui.bots.pax import registry as thinking

    def stumble(*_: object) -> list[str]:
        raise KeyError("a mistake")

    monkeypatch.setattr(thinking, "choose_bot_actions", stumble)
    table = begun()
    session = LocalSession(table)
    session.advance()
    session.act_text("ready")
    assert table.state.phase != "movement" and session.waiting() in ((), ("britain",))
