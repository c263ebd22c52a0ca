"""The odds of an attack as a text: both strengths, the row of the Combat Results Table, and what each result does."""

from __future__ import annotations

from rich.text import Text

from paxtui.pax.board.tables import Tables
from paxtui.pax.reports.war.odds import Assault
from paxtui.pax.words.spoken import powers_named
from paxtui.tui.writing.look import Look

CELL = 5
"""Cells of a face of the die."""


def heading(tables: Tables, assault: Assault) -> str:
    """An attack in a line: who, the strengths, the column, how often it goes well and ill."""
    who = powers_named(tables, assault.powers)
    return f"{who}: {assault.attack} against {assault.defend}, {assault.column}"


def chances(assault: Assault) -> str:
    """How often, of six times, no defender stays and no attacker does."""
    return f"clears {assault.wins}/6, fails {assault.fails}/6"


def table(look: Look, assault: Assault) -> Text:
    """The row of the table by the faces of the die, and below it each result in words with what it costs."""
    out = Text()
    if not assault.table:
        return out
    out.append(f"Table {assault.table}, column {assault.column}\n", look.faint)
    out.append("die    " + "".join(f"{face:<{CELL}}" for face in range(1, 7)) + "\n", look.faint)
    out.append("       ")
    for result in assault.row:
        out.append(f"{result:<{CELL}}", _style(look, assault, result))
    out.append("\n")
    for prospect in assault.prospects:
        out.append(f"{prospect.faces} of 6  ", look.key)
        out.append(f"{prospect.result:<3} {prospect.text}\n", _style(look, assault, prospect.result))
    out.rstrip()
    return out


def _style(look: Look, assault: Assault, result: str) -> str:
    prospect = next(p for p in assault.prospects if p.result == result)
    if prospect.clears and prospect.ours < assault.force:
        return look.good
    if result == "AR" or prospect.ours >= assault.force:
        return look.alarm
    return ""
