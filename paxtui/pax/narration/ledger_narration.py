"""The ledgers in plain words: tensions, Resentment, Treasuries, Victory Points, Record Sheets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.words.spoken import power_name


def _signed(n: int) -> str:
    return f"+{n}" if n > 0 else str(n)


def _tension(t: Tables, e: ev.TensionRaised) -> str:
    blame = f"; blame: {power_name(t, e.blame)}" if e.blame else ""
    return f"European Tensions {_signed(e.amount)} to {e.total}: {e.reason}{blame}"


def _resentment(t: Tables, e: ev.ResentmentRaised) -> str:
    return f"Chinese Resentment {_signed(e.amount)} to {e.total}: {e.reason}"


def _money(t: Tables, e: ev.TreasuryChanged) -> str:
    sign = "+" if e.amount >= 0 else "-"
    return f"{power_name(t, e.power)} {sign}£{abs(e.amount)} → £{e.total}: {e.reason}"


def _points(t: Tables, e: ev.VictoryPointsChanged) -> str:
    return f"{power_name(t, e.power)} {_signed(e.amount)} VP → {e.total}: {e.reason}"


def _record(t: Tables, e: ev.RecordWritten) -> str:
    shown = [(k, e.lines[k]) for k in ("10", "15", "21", "22", "24", "26", "31") if e.lines.get(k) is not None]
    return f"{power_name(t, e.power)}'s Record Sheet: " + ", ".join(f"line {k} = {v}" for k, v in shown)


WORDS: dict[type, Callable[[Tables, Any], str]] = {
    ev.TensionRaised: _tension,
    ev.ResentmentRaised: _resentment,
    ev.TreasuryChanged: _money,
    ev.VictoryPointsChanged: _points,
    ev.RecordWritten: _record,
}
"""A line for each of these events, for `paxtui.pax.narration.narrate`."""
