"""A new user alone at the keyboard of the real program: under ten keys to his first Movement Phase; a whole game."""

from __future__ import annotations

import time
from pathlib import Path

from paxtui.engine.seating import SeatOccupant
from paxtui.games.pax.position.setup import seats_for
from paxtui.games.pax.state.model import State
from paxtui.session.game_host import empty_clock
from paxtui.session.pax_host import PaxHost
from tests.rules.harness import tables
from tests.tui.terminal import Terminal
from tests.waiting import PATIENCE

FOUR = tuple(seats_for(4))
ASKED = 400
"""Keys after which a game should long be over."""


def test_a_new_user_is_in_his_first_movement_phase_in_under_ten_keys(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('bots = "0.1 s"\nbot_order = "before you"\n', encoding="utf-8")
    screen = Terminal(tmp_path, columns=120, rows=40)
    try:
        screen.wait("Play alone")
        keys = ["a", "b"]
        screen.press(keys[0])
        screen.wait("Which Power do you play?")
        screen.press(keys[1])
        screen.wait("How well do your rivals play?", "normal")
        screen.press("Enter")
        keys.append("Enter")
        screen.wait("considers its moves", "skips the pauses")  # in sight at once, and by itself
        screen.press("b")
        keys.append("b")
        for page in (("Game Turn 1 begins", "page 1 of 2"), ("Since your last visit", "Elsewhere")):
            screen.wait(*page)  # how the Game Turn began, then what the rivals have done
            screen.look()
            screen.press("Enter")
            keys.append("Enter")
        assert len(keys) < 10
        # told by the line on top and by what is offered: the list below is as long as the turn's Events make it
        screen.wait("▸MOVEMENT", "France · Movement/Status Change", "You have £", "r when ready", gone="Elsewhere")
        (log,) = (tmp_path / "saves").glob("*.jsonl")
    finally:
        screen.close()
    with PaxHost.open(log, write=False) as table:
        assert table.state.phase == "movement" and "france" in table.waiting
        assert [table.occupant(seat).level for seat in table.state.players].count("normal") == 6
        acted = {line.seat for line in table.game.effective_lines()} & set(table.state.players) - {"france"}
        assert len(acted) >= 5, "for the one that was hurried while it thought the caretaker acts, if there is need"


def test_a_whole_game_alone_to_its_end_by_keys_of_which_none_is_lost(tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    settings = 'reports = "none"\nremind = false\nbots = "at once"\ndice = "log"\n'
    (tmp_path / "settings.toml").write_text(settings, encoding="utf-8")
    with PaxHost.new(tables(), FOUR, "3", {}, path=log, undo="free", clock=empty_clock) as table:
        table.seat(dict.fromkeys(FOUR[1:], SeatOccupant(by="bot", level="caretaker")))
    screen = Terminal(tmp_path, "play", str(log), columns=80, rows=24)
    placed = 0
    try:
        screen.wait("rolls the dice")
        for _ in range(ASKED):
            lines = log.read_bytes().count(b"\n")
            state = _position(log)
            if state.result is not None:
                break
            if _asked(state):
                _choose(screen)
            elif state.phase == "movement" and placed < state.turn and state.turn < 3:
                placed = state.turn  # typed at once with what ends the Phase: it comes in order, and nothing is lost
                area = ("persia", "siam", "korea")[state.turn - 1]
                screen.type(f":place interest {area}\rr")
            else:
                screen.press("r")
            _acted(screen, log, lines)
            _at_rest(screen, log)
        screen.wait("Victory Points", "The game ended")  # it closes with what decided it
    finally:
        screen.close()
    with PaxHost.open(log, write=False) as table:
        assert table.state.result is not None and table.verify() == []
        mine = [line.action for line in table.game.effective_lines() if line.seat == "britain"]
        assert [act["area"] for act in mine if act["type"] == "place"] == ["persia", "siam"]


def _position(log: Path) -> State:
    """The position as the log has it."""
    with PaxHost.open(log, write=False) as now:
        return now.state


def _asked(state: State) -> bool:
    """Whether the person has something to choose."""
    return any(choice.seat == "britain" for choice in state.choices)


def _choose(screen: Terminal) -> None:
    """Take what is taken for granted."""
    screen.press("c")
    screen.wait("default")
    screen.press("d")


def _acted(screen: Terminal, log: Path, lines: int) -> None:
    """Wait until something has been done; say yes where ready is asked about, send a garrison where one is missing.

    Raises: AssertionError, with the screen, where nothing is done.
    """
    begun = asked = time.monotonic()
    while log.read_bytes().count(b"\n") == lines:
        screen.read(0.01)
        now = time.monotonic()
        assert now < begun + PATIENCE, screen.text
        if now > asked + 0.3:
            asked = now
            if "ready · Esc" in screen.text:  # the same key once more, in a Phase in which nothing was done
                if _asked(_position(log)):  # which began, with a question, after the log was read
                    screen.press("Escape")
                    screen.wait(gone="ready · Esc")
                    _choose(screen)
                else:
                    screen.press("y")
            elif "Not allowed" in screen.text and "arrison" in screen.text:
                screen.type(":garrison\r")


def _at_rest(screen: Terminal, log: Path) -> None:
    """Wait until nothing is written any more, on the disk or on the screen, which then shows what stands there now."""
    while True:
        before = log.stat().st_size
        screen.read(0.1)
        quiet = log.stat().st_size == before and not screen.unread
        if quiet:
            return
        assert screen.text
