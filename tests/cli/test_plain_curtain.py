"""The curtain of the plain mode between seats that have secrets."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.cli.plain.prompts import Curtain
from paxtui.cli.plain.repl import Repl, completions
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.position.setup import seats_for
from paxtui.session.game_host import empty_clock
from paxtui.session.local_session import LocalSession
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.loader import load_tables
from tests.tui.playing import treaty

ROWS = 24
SECRET = treaty("t1", "Kars", ["britain", "france"], ["britain", "france"], {"kind": "defensive"}, stage="in_force")


class Keyboard:
    """Seven players in plain mode at one terminal."""

    def __init__(self, *treaties: Any, rows: int | None = ROWS) -> None:
        table = PaxHost.new(load_tables(), seats_for(7), "7", undo="free", clock=empty_clock)
        table.act(ARBITER, {"type": "set_position", "patch": {"phase": "negotiation", "treaties": list(treaties)}})
        self.forget_count = 0
        curtain = Curtain((lambda: rows) if rows is not None else None, self._forget)
        self.talk = Repl(LocalSession(table), curtain)
        self.first = self.talk.greeting()

    def _forget(self) -> None:
        self.forget_count += 1

    def __call__(self, line: str) -> list[str]:
        return self.talk.hear(line)


def test_game_with_secrets_opens_behind_the_curtain():
    at = Keyboard(SECRET)
    assert at.first[-1] == "Great Britain, take the keyboard. Enter 'here' when you alone can read this."
    assert not any("Kars" in line or "Waiting for" in line for line in at.first) and at.talk.prompt == "curtain> "
    output = at("here")
    assert any(line.startswith("Waiting for") for line in output) and at.talk.prompt == "britain> "


def test_curtain_accepts_only_here_and_quit():
    at = Keyboard(SECRET)
    version = at.talk.session.version
    for line in ("", "ready", "show treaties", "what", "1", "history 1", "seat france"):
        assert at(line) == ["Great Britain, take the keyboard. Enter 'here' when you alone can read this."], line
    assert at.talk.session.version == version and completions(at.talk, "sh") == []
    at("quit")
    assert at.talk.over


def test_curtain_falls_between_seats_and_clears_the_screen():
    at = Keyboard(SECRET)
    at("here")
    forget_count = at.forget_count
    assert any("Kars" in line for line in at("show treaties"))
    output = at("ready")
    blank = [n for n, line in enumerate(output) if not line]
    assert len(blank) == ROWS and output[blank[-1] + 1 :] == [
        "France, take the keyboard. Enter 'here' when you alone can read this."
    ]
    assert at.forget_count == forget_count + 1 and at.talk.session.seat == "france"
    assert "Seat: France." in at("here")


def test_curtain_forgets_lists_and_refusals():
    at = Keyboard(SECRET)
    at("here")
    at("what")
    at("seat germany")
    at("here")
    assert "no list is open" in " ".join(at("1"))
    assert at("why") == ["No order was refused since."]


def test_undo_does_not_change_the_seat():
    at = Keyboard(SECRET)
    at("here")
    at("pay germany 1") if at.talk.session.live.powers["britain"].treasury else at("ready")
    at("seat france")
    at("here")
    output = at("undo")
    assert output == ["The last action was Great Britain's: 'seat britain' changes to that seat, then 'undo' works."]
    assert at.talk.session.seat == "france"


@pytest.mark.parametrize("rows", [ROWS, None])
def test_no_curtain_without_secrets_or_on_a_pipe(rows):
    at = Keyboard(*([SECRET] if rows is None else []), rows=rows)
    assert not at.talk.curtain.down and any(line.startswith("Waiting for") for line in at.first)
    assert "Seat: France." in at("ready") and not at.talk.curtain.down
