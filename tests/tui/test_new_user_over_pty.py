"""A new user plays the real program: under ten keys to the first Movement Phase, and a whole game."""

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
MAX_KEYS = 400
"""Maximum number of keys of a whole game."""


def test_new_user_reaches_movement_in_under_ten_keys(tmp_path: Path) -> None:
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
        screen.wait("considers its moves", "skips the pauses")  # shown at once
        screen.press("b")
        keys.append("b")
        for page in (("Game Turn 1 begins", "page 1 of 2"), ("Since your last visit", "Elsewhere")):
            screen.wait(*page)  # the start of the Game Turn, then the acts of rivals
            screen.look()
            screen.press("Enter")
            keys.append("Enter")
        assert len(keys) < 10
        # the top line and the offers are checked; the length of the list below depends on the Events
        screen.wait("▸MOVEMENT", "France · Movement/Status Change", "You have £", "r when ready", gone="Elsewhere")
        (log,) = (tmp_path / "saves").glob("*.jsonl")
    finally:
        screen.close()
    with PaxHost.open(log, write=False) as table:
        assert table.state.phase == "movement" and "france" in table.waiting
        assert [table.occupant(seat).level for seat in table.state.players].count("normal") == 6
        acted = {line.seat for line in table.game.effective_lines()} & set(table.state.players) - {"france"}
        assert len(acted) >= 5, "the caretaker may act for the bot whose search was stopped"


def test_whole_game_by_keys_loses_no_key(tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    settings = 'reports = "none"\nremind = false\nbots = "at once"\ndice = "log"\n'
    (tmp_path / "settings.toml").write_text(settings, encoding="utf-8")
    with PaxHost.new(tables(), FOUR, "3", {}, path=log, undo="free", clock=empty_clock) as table:
        table.seat(dict.fromkeys(FOUR[1:], SeatOccupant(by="bot", level="caretaker")))
    screen = Terminal(tmp_path, "play", str(log), columns=80, rows=24)
    placed = 0
    try:
        screen.wait("rolls the dice")
        for _ in range(MAX_KEYS):
            lines = log.read_bytes().count(b"\n")
            state = position_of(log)
            if state.result is not None:
                break
            if has_choice(state):
                choose_default(screen)
            elif state.phase == "movement" and placed < state.turn and state.turn < 3:
                placed = state.turn  # typed together with the key that ends the Phase
                area = ("persia", "siam", "korea")[state.turn - 1]
                screen.type(f":place interest {area}\rr")
            else:
                screen.press("r")
            wait_for_act(screen, log, lines)
            wait_until_quiet(screen, log)
        screen.wait("Victory Points", "The game ended")  # the last report
    finally:
        screen.close()
    with PaxHost.open(log, write=False) as table:
        assert table.state.result is not None and table.verify() == []
        mine = [line.action for line in table.game.effective_lines() if line.seat == "britain"]
        assert [act["area"] for act in mine if act["type"] == "place"] == ["persia", "siam"]


def position_of(log: Path) -> State:
    """Return the last position of the log."""
    with PaxHost.open(log, write=False) as now:
        return now.state


def has_choice(state: State) -> bool:
    """Whether the person has an open question."""
    return any(choice.seat == "britain" for choice in state.choices)


def choose_default(screen: Terminal) -> None:
    """Give the default answer."""
    screen.press("c")
    screen.wait("default")
    screen.press("d")


def wait_for_act(screen: Terminal, log: Path, lines: int) -> None:
    """Wait for a new line of the log; confirm `ready`, and order missing garrisons.

    Raises: AssertionError with the screen, if no line comes.
    """
    begun = asked = time.monotonic()
    while log.read_bytes().count(b"\n") == lines:
        screen.read(0.01)
        now = time.monotonic()
        assert now < begun + PATIENCE, screen.text
        if now > asked + 0.3:
            asked = now
            if "ready · Esc" in screen.text:  # the confirmation of a Phase without acts
                if has_choice(position_of(log)):  # a Phase with a question has begun since the log was read
                    screen.press("Escape")
                    screen.wait(gone="ready · Esc")
                    choose_default(screen)
                else:
                    screen.press("y")
            elif "Not allowed" in screen.text and "arrison" in screen.text:
                screen.type(":garrison\r")


def wait_until_quiet(screen: Terminal, log: Path) -> None:
    """Wait until the program writes neither to the log nor to the screen."""
    while True:
        before = log.stat().st_size
        screen.read(0.1)
        quiet = log.stat().st_size == before and not screen.unread
        if quiet:
            return
        assert screen.text
