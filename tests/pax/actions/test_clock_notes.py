"""Clocks and pauses in the log: notes of the arbiter, refused where they make no sense, described in sentences."""

from __future__ import annotations

import pytest

from paxtui.engine.clock import (
    MAX_PAUSE_REASON,
    OTHER_PHASES,
    ClockSet,
    ClockState,
    Paused,
    Resumed,
    TimeGiven,
    TimeOut,
    clock_state,
    countdown_text,
    describe_clock_note,
    duration_text,
    parse_duration,
)
from paxtui.engine.log import Line
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.text.display import PaxNames
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.loader import load_tables
from paxtui.session.verification import differences

POWERS = ("britain", "france", "germany", "united_states")


def new_game() -> PaxHost:
    return PaxHost.new(load_tables(), POWERS, "1", clock=lambda: "")


def game_in_movement() -> PaxHost:
    table = new_game()
    while table.state.phase != "movement":
        table.advance()
    return table


def test_last_clock_note_applies_and_a_pause_lasts_until_resumed():
    table = new_game()
    table.announce(ClockSet({OTHER_PHASES: 600, "movement": 1800}, "caretaker", 60))
    table.announce(Paused("dinner"))
    now = clock_state(table.game.lines)
    assert (now.paused, now.why, now.clock.limit("movement"), now.clock.limit("war")) == (True, "dinner", 1800, 600)
    table.announce(Resumed())
    table.announce(TimeGiven(300))
    table.announce(ClockSet())
    now = clock_state(table.game.lines)
    assert (now.paused, now.why, now.clock.limit("movement"), now.given) == (False, "", 0, ((5, 300),))
    assert clock_state(table.game.lines[3:], clock_state(table.game.lines[:3])) == now
    assert table.verify() == []


@pytest.mark.parametrize(
    ("note", "code"),
    [
        (ClockSet({"movment": 600}), "bad_clock"),
        (ClockSet({OTHER_PHASES: 60}, warn=60), "bad_clock"),
        (TimeOut(("italy",), "default"), "unknown_seat"),
        (TimeOut((), "default"), "unknown_seat"),
        (Resumed(), "not_paused"),
        (Paused("x" * (MAX_PAUSE_REASON + 1)), "bad_clock"),
        (Paused("a\x1b[2Jb"), "bad_clock"),
    ],
)
def test_invalid_note_is_refused_and_not_written(note, code):
    table = new_game()
    with pytest.raises(Refusal) as refused:
        table.announce(note)
    assert (refused.value.code, table.version) == (code, 1)


def test_paused_game_takes_no_pause_and_no_timeout():
    table = game_in_movement()
    table.announce(Paused())
    for note in (Paused(), TimeOut(("france",), "default")):
        with pytest.raises(Refusal, match="paused"):
            table.announce(note)


FORGED = {
    "a seat's": ({"type": "resumed"}, "france", "only the arbiter"),
    "a limit of no length": ({"type": "clock_set", "limits": {"any": 0}, "then": "default", "warn": 0}, ARBITER, ""),
    "a timeout of a seat that is not waited for": (
        {"type": "time_out", "seats": ["france"], "then": "default"},
        ARBITER,
        "who is not waited for",
    ),
    "a key too many": ({"type": "paused", "why": "", "until": "noon"}, ARBITER, "cannot be read"),
}


@pytest.mark.parametrize("name", FORGED)
def test_verify_finds_a_forged_note(name):
    action, seat, message = FORGED[name]
    table = new_game()
    table.game.note(seat, action)
    (found,) = table.verify()
    assert (found.line, found.what) == (2, "note")
    assert message in found.message


def test_verify_finds_an_act_during_a_pause():
    table = game_in_movement()
    table.announce(Paused())
    line, _ = table.act("france", "ready")
    table.announce(Resumed())
    table.act("britain", "ready")
    assert [(one.line, one.what) for one in differences(table.game)] == [(line.n, "paused")]


def test_unreadable_notes_are_ignored():
    lines = [
        Line(n=2, seat=ARBITER, kind="note", action={"type": "paused", "why": 5}),
        Line(n=3, seat="france", kind="note", action={"type": "paused", "why": ""}),
        Line(n=4, seat=ARBITER, kind="note", action={"type": "dispatch"}),
    ]
    assert clock_state(lines) == ClockState()
    assert describe_clock_note(PaxNames(load_tables()), lines[0].action) == ""


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90s", 90), ("10m", 600), ("2h", 7200), ("3d", 259200), ("1H30M", 5400), ("1d 2h", 0), ("", 0), ("10", 0)],
)
def test_durations_are_parsed(text, seconds):
    assert parse_duration(text) == seconds


def test_durations_are_formatted():
    assert [duration_text(s) for s in (45, 60, 5400, 90000, 0.4)] == [
        "45 seconds", "1 minute", "1 hour 30 minutes", "1 day 1 hour", "no time",
    ]  # fmt: skip
    assert [countdown_text(s) for s in (4.9, 272, 3900, 183600)] == ["0:04", "4:32", "1:05:00", "2d 3h"]


def test_clock_notes_are_described():
    tables = load_tables()
    sentences = {
        "The clock: Movement/Status Change 30 minutes, any other Phase 10 minutes; when the time is over the caretaker "
        "acts.": {"type": "clock_set", "limits": {"movement": 1800, "any": 600}, "then": "caretaker", "warn": 60},
        "The clock: each Phase 2 days; when the time is over the host is asked.": {
            "type": "clock_set", "limits": {"any": 172800}, "then": "arbiter", "warn": 60,
        },
        "The game now has no clock.": {"type": "clock_set", "limits": {}, "then": "default", "warn": 60},
        "The host gives 5 minutes more.": {"type": "time_given", "seconds": 300},
        "The time is over for Great Britain, France: defaults are taken.": {
            "type": "time_out", "seats": ["britain", "france"], "then": "default",
        },
        "The game is paused: dinner.": {"type": "paused", "why": "dinner"},
        "The game is resumed.": {"type": "resumed"},
    }  # fmt: skip
    for sentence, note in sentences.items():
        assert describe_clock_note(PaxNames(tables), note) == sentence
