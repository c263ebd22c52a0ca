"""The ledgers in plain words: tensions, Resentment, Treasuries, Victory Points, Record Sheets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.words.spoken import of_power, the_power


def _signed(n: int) -> str:
    return f"+{n}" if n > 0 else str(n)


TENSION = {
    "gives way to Control": "a marker had to give way to new Control",
    "not defended by War": "a marker that nobody defended by War was lowered",
    "a Possession was placed": "an Interest had to go where a Possession was placed",
    "no garrison": "a marker without a garrison was lowered",
    "deficit": "a marker was given up to meet a deficit",
    "given up in negotiation": "a marker was given up in negotiation",
    "marker handed over": "a marker was handed over",
    "a Congress of Europe convenes": "a Congress of Europe was called",
    "refuses to sign a Treaty of the Congress": "a disputant refused to sign the Treaty of the Congress",
}
"""Why tension rose, where the ledger says why a marker went down."""


def tension_reason(reason: str) -> str:
    """Why tension rose, as it goes on after a colon."""
    if reason.endswith(" broken"):
        return f"a Treaty was broken ({reason.removesuffix(' broken')})"
    return TENSION.get(reason, reason)


def _tension(t: Tables, e: ev.TensionRaised) -> str:
    blame = f", by {the_power(t, e.blame)}" if e.blame else ""
    return f"European Tensions {_signed(e.amount)} to {e.total}: {tension_reason(e.reason)}{blame}"


def _resentment(t: Tables, e: ev.ResentmentRaised) -> str:
    return f"Chinese Resentment {_signed(e.amount)} to {e.total}: {e.reason}"


def _money(t: Tables, e: ev.TreasuryChanged) -> str:
    verb = "receives" if e.amount >= 0 else "pays"
    return f"{the_power(t, e.power)} {verb} £{abs(e.amount)}: {e.reason} (£{e.total} in the Treasury)"


def points_reason(reason: str) -> str:
    """Why Victory Points were won or lost, as it goes on after a colon."""
    return f"{reason} over" if reason.startswith("£") and reason.endswith(" left") else reason


def _points(t: Tables, e: ev.VictoryPointsChanged) -> str:
    return f"{of_power(t, e.power)} Victory Points {_signed(e.amount)} to {e.total}: {points_reason(e.reason)}"


WORDS: dict[type, Callable[[Tables, Any], str]] = {
    ev.TensionRaised: _tension,
    ev.ResentmentRaised: _resentment,
    ev.ResentmentReset: lambda t, e: f"Chinese Resentment back to 0: {e.reason}",
    ev.TreasuryChanged: _money,
    ev.VictoryPointsChanged: _points,
    # the Record Sheet is a pane of its own; its lines are no news
    ev.RecordWritten: lambda t, e: "",
}
"""A line for each of these events, for `paxtui.pax.narration.narrate`."""
