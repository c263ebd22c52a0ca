"""The complete ten-turn game through the real program: with real keys on a pty, and line by line in the plain mode."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from paxtui.engine.seats import ARBITER
from paxtui.pax.orders import actions as ac
from paxtui.pax.orders.notation import text_of
from paxtui.pax.play.choices import default_of
from paxtui.pax.rules_of_play import PaxRules
from paxtui.pax.state.options import in_texts
from paxtui.pax.words.spoken import power_name
from paxtui.table.authority import Table, no_clock
from paxtui.table.desk.place_menu import place_menu
from paxtui.table.session import Session
from paxtui.tui.land.places import the_atlas
from tests.places import TEN_TURNS
from tests.tui.terminal import Terminal, quiet

BY_KEYS = 0.3
"""Share of the acts at least that are given by keys of the screen alone, without the line for orders."""


@pytest.fixture
def golden() -> Table:
    """The golden game."""
    return Table.open(TEN_TURNS, write=False)


def acts_of(table: Table) -> list[tuple[str, ac.Action]]:
    """What the seats did, in order; the arbiter's advance comes by itself."""
    decode = PaxRules(table.tables).decode_action
    return [(x.seat, decode(x.action)) for x in table.game.lines if x.kind == "act" and x.seat != ARBITER]


def again(golden: Table) -> Table:
    """The same acts given to a table: by the rules of today, which may have changed since the game was played."""
    seats = list(golden.state.players)
    options = in_texts(golden.state.options)
    return Table.new(golden.tables, seats, golden.game.header.seed, options, undo="free", clock=no_clock)


def told(table: Table) -> list[tuple[str, object, object]]:
    """Who did what, and what happened, both as they are understood today."""
    rules = PaxRules(table.tables)
    acts = [line for line in table.game.lines if line.kind == "act"]
    return [(line.seat, rules.decode_action(line.action), table.game.events(line.n)) for line in acts]


class Player:
    """Somebody who plays a known game at the real screen, looking at a copy of the position to know the keys."""

    def __init__(self, golden: Table, screen: Terminal, log: Path) -> None:
        self.copy = again(golden)
        self.session = Session(self.copy)
        self.screen, self.log = screen, log
        self.by_keys = 0

    def lines(self) -> int:
        """Lines on the disk."""
        return self.log.read_bytes().count(b"\n")

    def done(self, act: object) -> None:
        """Wait until all that the copy has is on the disk, the automatic lines after an act as well.

        A second `r` in a row is asked about, and meant.
        """
        end, wanted = time.monotonic() + 30, 1 + len(self.copy.game.lines)
        while self.lines() < wanted:
            self.screen.read(0.004)
            if b"is ready" in self.screen.unread and "y is ready" in self.screen.text:
                self.screen.read_card()
                self.screen.type("y")
                self.screen.wait("r ready", gone="y is ready")
            assert time.monotonic() < end, f"{act}\n{self.screen.text}"
        self.screen.read(0.004)

    def roll(self) -> None:
        """Nobody has to act: the dice are rolled."""
        self.screen.type("r")
        self.copy.advance()
        self.done("advance")
        self.session.take_seat(self.session.next_seat() or self.session.seat)

    def give(self, seat: str, action: ac.Action) -> None:
        """Give one order, by keys where the screen has them."""
        begun = self.screen.forget()
        if seat != self.session.seat:
            self.screen.type(f":seat {seat}\r")
            self.session.take_seat(seat)
        keys = self.keys(action)
        if keys is None:
            self.screen.type(f":{text_of(self.copy.tables, action)}\r")
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
            self.session.take_seat(self.session.next_seat(seat))
            self.screen.wait_written(begun, f"{power_name(self.copy.tables, self.session.seat)} sits here now")

    def keys(self, action: ac.Action) -> list[tuple[str, str]] | None:
        """The keys of an order, each with what the screen shows then; None where it is given in words."""
        session = self.session
        if isinstance(action, ac.Ready):
            return [("r", "")]
        if isinstance(action, ac.Choose):
            mine = [c for c in session.live.choices if c.seat == session.seat]
            if mine and mine[0].id == action.id and tuple(action.answer) == default_of(mine[0]):
                return [("c", "Esc later"), ("d", "")]
            return None
        area = getattr(action, "area", "")
        if not isinstance(action, ac.Place | ac.Upgrade | ac.Downgrade | ac.Withdraw) or action.power:
            return None
        letter = next((item.letter for item in place_menu(session, area) if item.action == action), "")
        if not letter:
            return None
        code = the_atlas().places[area].code.lower()
        return [(f"/{code}\r", ""), ("\r", "a letter or Enter"), (letter, "")]


def test_the_whole_game_by_keys(tmp_path: Path, golden: Table) -> None:
    log = tmp_path / "game.jsonl"
    quiet(tmp_path)
    words = ("new", "--seed", golden.game.header.seed, "--file", str(log))
    screen = Terminal(tmp_path, *words, columns=80, rows=24, attentive=True)
    acts = acts_of(golden)
    try:
        screen.wait("saved")
        player = Player(golden, screen, log)
        player.roll()
        for seat, action in acts:
            player.give(seat, action)
        screen.drawn_again()
        result = player.copy.state.result
        assert result is not None
        screen.wait("Victory Points", "the last step is the final record")  # the course of the game comes by itself
        screen.look()
        screen.press("q")
        screen.wait("1916", "1 shows the ranks")
        screen.press("1")
        screen.wait(f"{result.ranks['britain']}. Great Britain  {result.totals['britain']} VP")
    finally:
        screen.close()
    with Table.open(log, write=False) as played:
        assert played.state.result is not None
        assert told(played) == told(player.copy)
    assert player.by_keys >= BY_KEYS * len(acts), player.by_keys


def test_the_same_game_line_by_line(tmp_path: Path, golden: Table) -> None:
    log = tmp_path / "plain.jsonl"
    words = [sys.executable, "-m", "paxtui.cli.main", "new", "--plain", "--seed", golden.game.header.seed]
    lines = [""]
    seat = ""
    same = again(golden)
    same.advance()
    for wanted, action in acts_of(golden):
        same.act(wanted, action)
        same.advance()
        if wanted != seat:
            lines.append(f"seat {wanted}")
            seat = wanted
        lines.append(text_of(golden.tables, action))
    done = subprocess.run(
        [*words, "--file", str(log)],
        input="\n".join([*lines[1:], "quit", ""]),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    with Table.open(log, write=False) as played:
        assert told(played) == told(same)
