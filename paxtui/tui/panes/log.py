"""The log: what has happened, the newest last; selecting a line shows the world at that moment."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

from rich.text import Text

from paxtui.pax.words.spoken import place_name, power_name
from paxtui.table.onlooker import LogEntry
from paxtui.table.session import Session
from paxtui.tui.writing.look import Look, clickable
from paxtui.tui.writing.wrapping import coloured, hanging

LOUD = ("TurnBegan", "PhaseBegan", "GameEnded")
"""Headings: they stay whatever else is left out."""

KINDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("what happened", ()),
    ("markers", ("MarkerPlaced", "MarkerEstablished", "MarkerLowered", "MarkerTransferred", "CodominionSet")),
    ("units and fleets", ("UnitsBuilt", "UnitsMoved", "UnitsLost", "MerchantMoved", "CanalBuilt")),
    ("combat and Unrest", ("ColonialCombat", "UnitsLost", "UnrestBegan", "UnrestEnded", "OrderDrawn")),
    ("events and dice", ("RandomEventRolled", "DiceRolled", "UnrestBegan", "OfficeIncome", "MinorActivity",
                         "MinorDirected", "RebellionChecked")),
    ("money and points", ("TreasuryChanged", "VictoryPointsChanged", "OfficeIncome")),
    ("tension", ("TensionRaised", "ResentmentRaised")),
    ("Treaties and Congress", ("TreatyDrafted", "TreatySigned", "TreatyRejected", "TreatyInForce", "TreatyEnded",
                               "TreatyRevealed", "TreatyBroken", "BreachOpened", "BreachCharged", "ChargeClosed",
                               "CasusBelliArose", "CasusBelliEnded", "CongressChanged", "BallotsOpened", "dispatch")),
    ("everything", ()),
)  # fmt: skip
"""Kinds of lines by name; the first leaves out bookkeeping, the last nothing."""


class Sieve(NamedTuple):
    """Which lines of the log are shown.

    Attributes:
        seat: whose acts only; "" for everybody's.
        place: what is about this place only; "" for any.
        kind: number of a kind in KINDS.
    """

    seat: str = ""
    place: str = ""
    kind: int = 0

    def lets_through(self, entry: LogEntry) -> bool:
        """Whether a line is shown."""
        if entry.kind in LOUD:
            return True
        kinds, everything = KINDS[self.kind][1], self.kind == len(KINDS) - 1
        fits = entry.kind in kinds if kinds else everything or not entry.quiet
        return fits and self.seat in ("", entry.seat) and self.place in ("", entry.place)

    def said(self, session: Session) -> str:
        """What is shown, in words."""
        tables = session.tables
        seat = power_name(tables, self.seat) if self.seat else "everybody"
        place = place_name(tables, self.place) if self.place else "anywhere"
        return f"{KINDS[self.kind][0]} · {seat} · {place}"


def sifted(entries: Sequence[LogEntry], sieve: Sieve, words: str = "") -> list[LogEntry]:
    """The lines that are shown: those found, each with its turn and Phase above it; no heading stands over nothing."""
    wanted = words.casefold().split()
    found = [
        e for e in entries
        if sieve.lets_through(e) and (e.kind in LOUD or all(w in e.text.casefold() for w in wanted))
    ]  # fmt: skip
    if not wanted and sieve == Sieve(kind=len(KINDS) - 1):
        return found
    return [e for e, n in zip_longest(found, found[1:]) if e.kind != "PhaseBegan" or (n and n.kind not in LOUD)]


def log_text(session: Session, look: Look, width: int, rows: int = 120) -> Text:
    """What has happened up to the line looked at, the last `rows` lines; wrapped once as long as nothing happens."""
    log = session.log()
    reasons = _told_of(session, look)
    known = session.derived("log_pane", lambda: dict[tuple[object, ...], Text]())
    key = (width, rows, look, session.line, len(log), reasons)
    if key not in known:
        known.clear()
        known[key] = _log_text(session, look, width, log, rows)
    return known[key]


def _log_text(session: Session, look: Look, width: int, log: Sequence[LogEntry], rows: int) -> Text:
    past = log if session.at is None else [e for e in log if e.line <= session.line]
    entries = sifted(past[-4 * rows :], Sieve())[-rows:]
    out = Text()
    last = 0
    for entry in entries:
        why = reason_of(session, look, entry) if entry.line != last else ""
        out.append_text(row_of(session, look, entry, width, entry.line != last))
        out.append("\n")
        if why:
            out.append_text(hanging(Text(f"     {why}", look.faint), width, 7))
            out.append("\n")
        last = entry.line
    if not entries:
        out.append("Nothing has happened yet.", look.faint)
    return out


def reason_of(session: Session, look: Look, entry: LogEntry) -> str:
    """Why a bot did what a line tells, in words; "" where that is not told, or not yet."""
    why = session.reason(entry.line) if _told_of(session, look) else ""
    return f"because: {why}" if why else ""


def _told_of(session: Session, look: Look) -> bool:
    """Whether reasons are told: when the game is over, or at once where the settings say so."""
    return look.tells_why or session.live.result is not None


def row_of(session: Session, look: Look, entry: LogEntry, width: int, numbered: bool = True) -> Text:
    """A line of the log with its number, wrapped under itself."""
    text = Text(f"{entry.line:>4} " if numbered else "     ", look.faint)
    style = "bold" if entry.kind in LOUD else ""
    text.append(entry.text, clickable(style, f"screen.mouse_line({entry.line})"))
    return hanging(coloured(session.tables, look, text), width, 5)
