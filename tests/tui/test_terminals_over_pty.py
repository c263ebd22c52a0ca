"""Terminals without Unicode, and the mouse of a real terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from paxtui.games.pax.position.setup import seats_for
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.loader import load_tables
from paxtui.tui.rendering.ansi_writer import needs_ascii, to_ascii
from tests.tui.terminal import Terminal


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A new game."""
    path = tmp_path / "game.jsonl"
    PaxHost.new(load_tables(), seats_for(7), "7", {}, path=path, undo="free").close()
    return path


@pytest.mark.parametrize(
    ("term", "encoding", "poor"),
    [
        ("xterm-256color", "utf-8", False),
        ("xterm-256color", "ascii", True),
        ("xterm", "iso-8859-1", True),
        ("xterm", None, True),
        ("linux", "utf-8", True),
        ("vt100", "utf-8", True),
        ("screen-256color", "utf-8", False),
        ("tmux-256color", "utf-8", False),
        ("", "utf-8", False),
    ],
)
def test_ascii_terminals_are_detected_by_encoding_or_name(term, encoding, poor):
    assert needs_ascii({"TERM": term}, encoding) is poor


def test_ascii_text_has_the_same_width():
    for text, plain in (("╭─▸●£5·½╮", "+->#L5./+"), ("⠿⠀▚▌→é", ". #|>?"), ("plain", "plain")):
        assert to_ascii(text) == plain and len(plain) == len(text)


def test_terminal_without_unicode_gets_ascii_only(tmp_path, game):
    poor = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": ""}
    terminal = Terminal(tmp_path, "play", str(game), columns=120, rows=40, **poor)
    try:
        terminal.wait("what can I do here")
        terminal.type("?")
        terminal.read(0.3)
        written = bytes(terminal.unread)
        terminal.drawn_again()
        terminal.read(0.5)
        written += bytes(terminal.unread)
        assert written.isascii() and b"\\u" not in written
    finally:
        terminal.close()


@pytest.mark.parametrize("term", ["linux", "vt100"])
def test_map_uses_ascii_on_known_terminals(tmp_path, game, term):
    terminal = Terminal(tmp_path, "play", str(game), columns=120, rows=40, TERM=term)
    try:
        terminal.wait("what can I do here")
        assert not [c for c in terminal.text if "\u2800" < c < "\u2900" or c in "●○◆◇★▘▝▚"]
    finally:
        terminal.close()


def test_mouse_reports_of_a_terminal(tmp_path, game):
    terminal = Terminal(tmp_path, "play", str(game), columns=120, rows=40)
    try:
        terminal.wait("what can I do here", "Record", "Indexes")
        terminal.click(*terminal.find("3 Indexes"))
        terminal.wait("European Tensions")
        column, row = terminal.find("ESP")
        terminal.click(column + 1, row)
        terminal.wait("Spain")
        terminal.click(column, row, button=65)
        column, row = terminal.find("F1 help")
        terminal.click(column, row)
        terminal.wait("Help · Map")
        terminal.press("Escape")
        terminal.wait("what can I do here")
    finally:
        terminal.close()
