"""A table over a wire: what a seat does reaches everybody, each as he may know it."""

from __future__ import annotations

import time

import pytest

from paxtui.engine.refusal import Refusal


def wait(session, known) -> None:
    """Take what comes until something is so."""
    for _ in range(200):
        session.take()
        if known():
            return
        time.sleep(0.01)
    raise AssertionError("it never came")


def test_a_seat_has_its_own_log_and_no_seed(running):
    table = running.table("france")
    assert table.game.header.seed == ""
    assert table.state == running.hub.game("friday").table.state_for("france")


def test_what_one_does_the_others_see(running):
    britain, france = running.session("britain"), running.session("france")
    heard = []
    france.listen(heard.append)
    wait(france, lambda: set(france.here) == {"britain", "france"})
    while britain.live.phase != "movement":
        britain.advance()
    wait(france, lambda: france.live.phase == "movement")
    britain.act("ready")
    wait(france, lambda: "britain" in france.live.ready)
    assert france.live == running.hub.game("friday").table.state_for("france")
    assert [event for change in heard for event in change.events]


def test_a_refusal_comes_back_as_it_was(running):
    britain = running.session("britain")
    with pytest.raises(Refusal) as there:
        britain.act("ready")
    table = running.hub.game("friday").table
    with pytest.raises(Refusal) as here:
        table.play("britain", "ready")
    assert (there.value.code, there.value.rules, there.value.message) == (
        here.value.code,
        here.value.rules,
        here.value.message,
    )
