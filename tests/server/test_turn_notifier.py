"""Which seats must act and since when, and the host's program, which gets one notice for each seat."""

from __future__ import annotations

import asyncio
import os

from paxtui.server import notifications
from paxtui.server.notifications import HostHook, TurnNotifier
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.loader import load_tables
from tests.server.conftest import POWERS, advance_to_movement


async def test_each_seat_that_must_act_gets_one_notice(monkeypatch):
    monkeypatch.setattr(notifications, "SETTLE_S", 0.0)
    table, notices = PaxHost.new(load_tables(), POWERS, "1898"), []
    notifier = TurnNotifier(
        "friday", table, lambda notice: notices.append((notice["PAXTUI_SEAT"], notice["PAXTUI_HERE"]))
    )
    assert notifier.since == {}
    advance_to_movement(table)
    notifier.look("2035-01-01T12:00:00+00:00", ("france",))
    notifier.look("2035-01-01T12:00:01+00:00", ("france",))
    await asyncio.sleep(0.01)
    assert sorted(notices) == [("britain", "no"), ("france", "yes"), ("germany", "no"), ("united_states", "no")]
    assert set(notifier.since.values()) == {"2035-01-01T12:00:00+00:00"}
    table.act("france", "ready")
    notifier.look("2035-01-01T12:01:00+00:00")
    table.undo("france")
    notifier.look("2035-01-01T12:02:00+00:00")
    await asyncio.sleep(0.01)
    assert len(notices) == 4  # France had to act all the time
    assert notifier.since["france"] == "2035-01-01T12:02:00+00:00"


async def test_host_program_runs_without_a_shell(tmp_path, capfd):
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


async def test_each_phase_gives_a_new_notice(monkeypatch):
    monkeypatch.setattr(notifications, "SETTLE_S", 0.0)
    table, notices = PaxHost.new(load_tables(), POWERS, "1898"), []
    notifier = TurnNotifier(
        "friday", table, lambda notice: notices.append((notice["PAXTUI_SEAT"], notice["PAXTUI_PHASE"]))
    )

    async def look(minute: int) -> None:
        notifier.look(f"2035-01-01T12:{minute:02}:00+00:00")
        await asyncio.sleep(0)
        await asyncio.sleep(0.001)

    advance_to_movement(table)
    await look(0)
    for seat in POWERS:
        table.act(seat, "ready")
    while not table.waiting:  # no look until a seat must act in the next Phase
        table.advance()
    assert table.state.phase == "negotiation"
    await look(30)
    assert notices == [(seat, phase) for phase in ("movement", "negotiation") for seat in sorted(POWERS)]
    assert notifier.since == dict.fromkeys(POWERS, "2035-01-01T12:30:00+00:00")


async def test_unready_seat_gets_a_new_notice(monkeypatch):
    monkeypatch.setattr(notifications, "SETTLE_S", 0.0)
    table, notices = PaxHost.new(load_tables(), POWERS, "1898"), []
    notifier = TurnNotifier(
        "friday", table, lambda notice: notices.append((notice["PAXTUI_SEAT"], notice["PAXTUI_TEXT"]))
    )
    advance_to_movement(table)
    notifier.look("2035-01-01T12:00:00+00:00")
    await asyncio.sleep(0.001)
    notices.clear()
    table.act("france", "ready")
    notifier.look("2035-01-01T12:01:00+00:00")
    table.act("france", "unready")  # both within the time to settle
    notifier.look("2035-01-01T12:01:00+00:00")
    await asyncio.sleep(0.001)
    assert notices == [("france", f"France must act: {table.rules.phase(table.state).name}, 1880.")]
