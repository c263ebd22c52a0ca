"""Who must act: since when, and the host's own program, which is told of each seat once and of no player's words."""

from __future__ import annotations

import asyncio
import os

from paxtui.server import notifications
from paxtui.server.notifications import HostHook, TurnNotifier
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.loader import load_tables
from tests.server.conftest import POWERS


async def test_each_seat_that_must_act_is_told_of_once(monkeypatch):
    monkeypatch.setattr(notifications, "SETTLE_S", 0.0)
    table, told = PaxHost.new(load_tables(), POWERS, "1898"), []
    known = TurnNotifier("friday", table, lambda said: told.append((said["PAXTUI_SEAT"], said["PAXTUI_HERE"])))
    assert known.since == {}
    while table.state.phase != "movement":
        table.advance()
    known.look("2035-01-01T12:00:00+00:00", ("france",))
    known.look("2035-01-01T12:00:01+00:00", ("france",))
    await asyncio.sleep(0.01)
    assert sorted(told) == [("britain", "no"), ("france", "yes"), ("germany", "no"), ("united_states", "no")]
    assert set(known.since.values()) == {"2035-01-01T12:00:00+00:00"}
    table.act("france", "ready")
    known.look("2035-01-01T12:01:00+00:00")
    table.undo("france")
    known.look("2035-01-01T12:02:00+00:00")
    await asyncio.sleep(0.01)
    assert len(told) == 4  # it was waited for all the while
    assert known.since["france"] == "2035-01-01T12:02:00+00:00"


async def test_the_program_gets_an_environment_and_no_shell(tmp_path, capfd):
    script, out = tmp_path / "tell", tmp_path / "out file; id"
    script.write_text('#!/bin/sh\nprintf "%s %s" "$PAXTUI_SEAT" "$PAXTUI_PHASE" > "$1"\n')
    script.chmod(0o700)
    hook = HostHook([str(script), str(out)])
    hook.tell({"PAXTUI_SEAT": "$(id)", "PAXTUI_PHASE": "movement"})
    await asyncio.gather(*hook._running)
    assert out.read_text() == "$(id) movement"
    missing = HostHook([os.fspath(tmp_path / "nothing")])
    missing.tell({})
    await asyncio.gather(*missing._running)
    assert "nothing" in capfd.readouterr().err


async def test_a_seat_waited_for_in_the_next_phase_too_is_called_again(monkeypatch):
    monkeypatch.setattr(notifications, "SETTLE_S", 0.0)
    table, told = PaxHost.new(load_tables(), POWERS, "1898"), []
    known = TurnNotifier("friday", table, lambda said: told.append((said["PAXTUI_SEAT"], said["PAXTUI_PHASE"])))

    async def look(minute: int) -> None:
        known.look(f"2035-01-01T12:{minute:02}:00+00:00")
        await asyncio.sleep(0)
        await asyncio.sleep(0.001)

    while table.state.phase != "movement":
        table.advance()
    await look(0)
    for seat in POWERS:
        table.act(seat, "ready")
    while not table.waiting:  # nobody looks until the next Phase waits for somebody
        table.advance()
    assert table.state.phase == "negotiation"
    await look(30)
    assert told == [(seat, phase) for phase in ("movement", "negotiation") for seat in sorted(POWERS)]
    assert known.since == dict.fromkeys(POWERS, "2035-01-01T12:30:00+00:00")


async def test_a_seat_that_acts_and_is_asked_again_at_once_is_called_again(monkeypatch):
    monkeypatch.setattr(notifications, "SETTLE_S", 0.0)
    table, told = PaxHost.new(load_tables(), POWERS, "1898"), []
    known = TurnNotifier("friday", table, lambda said: told.append((said["PAXTUI_SEAT"], said["PAXTUI_TEXT"])))
    while table.state.phase != "movement":
        table.advance()
    known.look("2035-01-01T12:00:00+00:00")
    await asyncio.sleep(0.001)
    told.clear()
    table.act("france", "ready")
    known.look("2035-01-01T12:01:00+00:00")
    table.act("france", "unready")  # both within the time to settle
    known.look("2035-01-01T12:01:00+00:00")
    await asyncio.sleep(0.001)
    assert told == [("france", f"France must act: {table.rules.phase(table.state).name}, 1880.")]
