"""Plain mode hands the keyboard over behind a curtain where seats have secrets of each other."""

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
    """Seven players at one terminal of lines."""

    def __init__(self, *treaties: Any, rows: int | None = ROWS) -> None:
        table = PaxHost.new(load_tables(), seats_for(7), "7", undo="free", clock=empty_clock)
        table.act(ARBITER, {"type": "set_position", "patch": {"phase": "negotiation", "treaties": list(treaties)}})
        self.forgot = 0
        curtain = Curtain((lambda: rows) if rows is not None else None, self._forget)
        self.talk = Repl(LocalSession(table), curtain)
        self.first = self.talk.greeting()

    def _forget(self) -> None:
        self.forgot += 1

    def __call__(self, line: str) -> list[str]:
        return self.talk.hear(line)


def test_a_game_with_secrets_opens_on_the_curtain_and_the_word_lifts_it():
    at = Keyboard(SECRET)
    assert at.first[-1] == "Great Britain, take the keyboard. Enter 'here' when you alone can read this."
    assert not any("Kars" in line or "Waiting for" in line for line in at.first) and at.talk.prompt == "curtain> "
    told = at("here")
    assert any(line.startswith("Waiting for") for line in told) and at.talk.prompt == "britain> "


def test_nothing_is_heard_behind_it_but_leaving():
    at = Keyboard(SECRET)
    version = at.talk.session.version
    for line in ("", "ready", "show treaties", "what", "1", "history 1", "seat france"):
        assert at(line) == ["Great Britain, take the keyboard. Enter 'here' when you alone can read this."], line
    assert at.talk.session.version == version and completions(at.talk, "sh") == []
    at("quit")
    assert at.talk.over


def test_it_falls_between_two_seats_and_hides_what_was_read_and_typed():
    at = Keyboard(SECRET)
    at("here")
    forgot = at.forgot
    assert any("Kars" in line for line in at("show treaties"))
    said = at("ready")
    blank = [n for n, line in enumerate(said) if not line]
    assert len(blank) == ROWS and said[blank[-1] + 1 :] == [
        "France, take the keyboard. Enter 'here' when you alone can read this."
    ]
    assert at.forgot == forgot + 1 and at.talk.session.seat == "france"
    assert "Seat: France." in at("here")


def test_numbers_and_refusals_of_the_last_seat_are_gone():
    at = Keyboard(SECRET)
    at("here")
    at("what")
    at("seat germany")
    at("here")
    assert "no list is open" in " ".join(at("1"))
    assert at("why") == ["No order was refused since."]


def test_undo_does_not_sit_down_for_somebody_else():
    at = Keyboard(SECRET)
    at("here")
    at("pay germany 1") if at.talk.session.live.powers["britain"].treasury else at("ready")
    at("seat france")
    at("here")
    said = at("undo")
    assert said == ["The last action was Great Britain's: 'seat britain' changes to that seat, then 'undo' works."]
    assert at.talk.session.seat == "france"


@pytest.mark.parametrize("rows", [ROWS, None])
def test_without_secrets_or_on_a_pipe_there_is_none(rows):
    at = Keyboard(*([SECRET] if rows is None else []), rows=rows)
    assert not at.talk.curtain.down and any(line.startswith("Waiting for") for line in at.first)
    assert "Seat: France." in at("ready") and not at.talk.curtain.down
