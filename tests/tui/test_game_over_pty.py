"""Turns of the ten-turn game by keys of the real program."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.notation import format_order
from paxtui.games.pax.game import PaxGame
from paxtui.games.pax.state.options import options_to_texts
from paxtui.games.pax.text.display import power_name
from paxtui.games.pax.transaction import default_answer
from paxtui.session.game_host import empty_clock
from paxtui.session.local_session import LocalSession
from paxtui.session.pax_host import PaxHost
from paxtui.session.place_menu import place_menu
from paxtui.tui.map.geometry import load_atlas
from tests.places import TEN_TURNS
from tests.tui.players import acts_and_events
from tests.tui.terminal import Terminal, save_quiet_settings
from tests.waiting import PATIENCE

MIN_KEY_SHARE = 0.3
"""Minimum share of acts given by keys without the order line."""

FIRST_TURNS, LAST_TURN = 1, 10
"""Game Turns played by keys: all up to the first number, and the second one."""


@pytest.fixture
def golden() -> PaxHost:
    """The golden game."""
    return PaxHost.open(TEN_TURNS, write=False)


def acts_of(table: PaxHost) -> list[tuple[str, actions.Action]]:
    """Return the acts of the seats in order, without automatic advances."""
    decode = PaxGame(table.tables).decode_action
    return [(x.seat, decode(x.action)) for x in table.game.lines if x.kind == "act" and x.seat != ARBITER]


def new_copy(golden: PaxHost) -> PaxHost:
    """Start a game with the seats, seed and options of another one, under the current rules."""
    seats = list(golden.state.players)
    options = options_to_texts(golden.state.options)
    return PaxHost.new(golden.tables, seats, golden.game.header.seed, options, undo="free", clock=empty_clock)


class ScriptedPlayer:
    """Plays a known game on the real screen, with a copy of the game to find the keys."""

    def __init__(self, golden: PaxHost, screen: Terminal, log: Path) -> None:
        self.copy = new_copy(golden)
        self.session = LocalSession(self.copy)
        self.screen, self.log = screen, log
        self.by_keys = 0

    def lines(self) -> int:
        """Return the number of lines on disk."""
        return self.log.read_bytes().count(b"\n")

    def done(self, act: object) -> None:
        """Wait until all lines of the copy are on disk, and confirm a second `r` in a row."""
        end, wanted = time.monotonic() + PATIENCE, 1 + len(self.copy.game.lines)
        while self.lines() < wanted:
            self.screen.read(0.004)
            if b"ready" in self.screen.unread and "y ready ·" in self.screen.text:
                self.screen.read_card()
                self.screen.type("y")
                self.screen.wait("r ready", gone="y ready ·")
            assert time.monotonic() < end, f"{act}\n{self.screen.text}"
        self.screen.read(0.004)

    def roll(self) -> None:
        """Press `r` to roll the dice when no seat must act."""
        self.screen.type("r")
        self.copy.advance()
        self.done("advance")
        self.session.take_seat(self.session.seats.next_to_act() or self.session.seat)

    def give(self, seat: str, action: actions.Action) -> None:
        """Give one order, by keys if possible."""
        begun = self.screen.forget()
        if seat != self.session.seat:
            self.screen.type(f":seat {seat}\r")
            self.session.take_seat(seat)
        keys = self.keys(action)
        if keys is None:
            self.screen.type(f":{format_order(self.copy.tables, action)}\r")
        else:
            self.by_keys += 1
            for key, wanted in keys:
                self.screen.type(key)
                if wanted:
                    self.screen.wait_output(wanted)
        self.copy.act(seat, action)
        self.copy.advance()
        self.done((seat, action, keys))
        due = self.session.waiting()
        if seat not in due and due:
            self.session.take_seat(self.session.seats.next_to_act(seat))
            self.screen.wait_written(begun, f"{power_name(self.copy.tables, self.session.seat)} is at the keyboard")

    def play(self, acts: list[tuple[str, actions.Action]], last: int) -> int:
        """Give the acts up to the end of a Game Turn, and remove them from the list; return their number."""
        before = len(acts)
        while acts and self.copy.state.turn <= last:
            self.give(*acts.pop(0))
        return before - len(acts)

    def keys(self, action: actions.Action) -> list[tuple[str, str]] | None:
        """Return the keys of an order, each with the text it shows; None if the order must be typed."""
        session = self.session
        if isinstance(action, actions.Ready):
            return [("r", "")]
        if isinstance(action, actions.Choose):
            mine = [c for c in session.live.choices if c.seat == session.seat]
            if mine and mine[0].id == action.id and tuple(action.answer) == default_answer(mine[0]):
                return [("c", "Esc later"), ("d", "")]
            return None
        area = getattr(action, "area", "")
        if (
            not isinstance(action, actions.Place | actions.Upgrade | actions.Downgrade | actions.Withdraw)
            or action.power
        ):
            return None
        letter = next((item.letter for item in place_menu(session, area) if item.action == action), "")
        if not letter:
            return None
        code = load_atlas().places[area].code.lower()
        return [(f"/{code}\r", ""), ("\r", "Enter or a letter"), (letter, "")]


def test_first_and_last_turns_of_a_game_by_keys(tmp_path: Path, golden: PaxHost) -> None:
    """The turns between are played without the screen, to save time."""
    log = tmp_path / "game.jsonl"
    save_quiet_settings(tmp_path)
    words = ("new", "--tables", "first-draft", "--seed", golden.game.header.seed, "--file", str(log))
    acts = acts_of(golden)
    player = ScriptedPlayer(golden, Terminal(tmp_path, *words, columns=80, rows=24, attentive=True), log)
    given = 0
    try:
        player.screen.wait("saved")
        player.roll()
        given += player.play(acts, FIRST_TURNS)
    finally:
        player.screen.close()
    with PaxHost.open(log) as table:
        while player.copy.state.turn < LAST_TURN:
            seat, action = acts.pop(0)
            for one in (table, player.copy):
                one.act(seat, action)
                one.advance()
    player.screen = screen = Terminal(tmp_path, "play", str(log), columns=80, rows=24, attentive=True)
    try:
        screen.wait(f"turn {LAST_TURN}/10", "r ready")
        seat = acts[0][0]
        screen.type(f":seat {seat}\r")
        player.session.take_seat(seat)
        screen.wait(f"{power_name(player.copy.tables, seat)} ·")
        given += player.play(acts, LAST_TURN)
        screen.drawn_again()
        result = player.copy.state.result
        assert result is not None and not acts
        screen.wait("What decided it", "page 1 of 2")  # the result opens, with the charts below
        screen.look()
        screen.press("q")
        screen.wait("Victory Points", "the last step is the final record")
        screen.look()
        screen.press("q")
        screen.wait("1916", "w shows how")
        screen.press("1")
        screen.wait(f"{result.ranks['britain']}. Great Britain  {result.totals['britain']} VP")
    finally:
        screen.close()
    with PaxHost.open(log, write=False) as played:
        assert played.state.result is not None
        assert acts_and_events(played) == acts_and_events(player.copy)
    assert player.by_keys >= MIN_KEY_SHARE * given, (player.by_keys, given)
