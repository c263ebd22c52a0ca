"""Terminal notifications: their escape codes, and only for a player who looks elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.events import AppBlur, AppFocus

from paxtui.session.session import Advance
from paxtui.tui.base import app as base_app
from paxtui.tui.rendering.driver import TerminalAnswers
from paxtui.tui.rendering.terminal_notifications import is_in_tmux, notification_codes, notification_kind
from tests.tui.playing import wait_for_keys
from tests.tui.slow_bots import start_with_slow_bots
from tests.waiting import until


@pytest.mark.parametrize(
    ("program", "environment", "kind"),
    [
        ("kitty(0.35)", {"TERM": "xterm-kitty"}, "OSC 99"),
        ("foot(1.16.2)", {}, "OSC 99"),
        ("WezTerm 20240203", {"TERM": "xterm-256color"}, "OSC 9"),
        ("", {"TERM_PROGRAM": "iTerm.app", "TERM": "xterm-256color"}, "OSC 9"),
        ("VTE(7600)", {"TERM": "xterm-256color"}, "OSC 777"),
        ("", {"VTE_VERSION": "7600", "TERM": "xterm-256color"}, "OSC 777"),
        ("XTerm(390)", {"TERM": "xterm"}, "bell"),
        ("", {"TERM": "linux"}, "bell"),
        ("", {"TERM": "xterm-256color"}, "OSC 9"),
        ("", {"TERM": "vt100"}, "bell"),
    ],
)
def test_each_terminal_gets_a_known_sequence(program, environment, kind):
    assert notification_kind(program, environment) == kind


def test_codes_contain_no_control_characters():
    text = "France;\x1b]0;evil\x07 must act"
    assert notification_codes("OSC 777", "pax;tui", text) == "\x1b]777;notify;pax,tui;France;]0;evil must act\x1b\\"
    assert notification_codes("OSC 9", "p", "x") == "\x1b]9;p: x\x1b\\"
    assert notification_codes("OSC 99", "p", "x").count("\x1b\\") == 2
    assert notification_codes("bell", "p", "x") == "\x07"
    assert notification_codes("OSC 9", "p", "x", in_tmux=True) == "\x1bPtmux;\x1b\x1b]9;p: x\x1b\x1b\\\x1b\\\x07"
    assert is_in_tmux("tmux 3.3a", {}) and is_in_tmux("", {"TMUX": "/tmp/x"}) and not is_in_tmux("", {})


def test_terminal_name_is_not_taken_for_keys():
    answers = TerminalAnswers()
    answers.note_queries(0.0, 1)
    assert answers.keys("a\x1bP>|kitty(0.", 0.1) + answers.keys("35)\x1b\\b", 0.2) == "ab"
    assert answers.program == "kitty(0.35)"


async def test_unfocused_player_is_notified_after_bot_moves(home: Path, monkeypatch) -> None:
    monkeypatch.setenv("TERM_PROGRAM", "WezTerm")
    app, written = start_with_slow_bots(home, bots="at once"), list[str]()
    monkeypatch.setattr(app, "write_codes", written.append)
    async with app.run_test(size=(160, 50)) as pilot:
        app.post_message(AppBlur())
        await pilot.pause()
        assert not app.is_watched
        app.thinker.may_end.set()
        app.screen.session.perform(Advance())
        app.screen.bots.run()
        await until(lambda: any("\x1b]9;paxtui: " in codes for codes in written), pilot=pilot)
        (said,) = [codes for codes in written if "\x1b]9;" in codes]
        assert said.startswith("\x1b]9;paxtui: Great Britain must act: ")
        assert written[-1].startswith("\x1b]2;(!) ")
        app.post_message(AppFocus())
        await wait_for_keys(pilot)
        assert written[-1].startswith("\x1b]2;Pax Britannica")
        app.alert("x")
        assert "\x1b]9;paxtui: x\x1b\\" not in written


async def test_idle_minute_counts_as_unfocused(home: Path, monkeypatch) -> None:
    app, now = start_with_slow_bots(home, notifications="bell"), [0.0]
    monkeypatch.setattr(base_app, "monotonic", lambda: now[0])
    written: list[str] = []
    monkeypatch.setattr(app, "write_codes", written.append)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("z")
        now[0] = 59.0
        app.alert("x")
        assert "\x07" not in written
        now[0] = 61.0
        app.alert("x")
        assert written.count("\x07") == 1
        await pilot.press("z")
        assert app.is_watched
