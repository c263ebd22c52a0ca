"""Clauses written in the notation, in ids, so that `paxtui.pax.words.clause_reading` reads the same clause again.

Rules: TRE-002, TRE-004, TRE-005, TRE-013
"""

from __future__ import annotations

from collections.abc import Callable

from paxtui.pax.board.tables import Tables
from paxtui.pax.state.treaty import Clause
from paxtui.pax.words.clause_check import year


def text_of_clauses(tables: Tables, clauses: tuple[Clause, ...]) -> str:
    """Several clauses in the notation."""
    return "; ".join(text_of_clause(tables, clause) for clause in clauses)


def text_of_clause(tables: Tables, clause: Clause) -> str:
    """The text of a clause, in ids; `paxtui.pax.words.clause_reading.read_clause` gives the clause again."""
    body = _TEXTS[clause.kind](clause)
    if clause.every_turn:
        body += " every turn"
    if clause.turn:
        body += f" {'by' if clause.kind == 'build' else 'in'} {year(tables, clause.turn)}"
    if clause.until:
        body += f" until {year(tables, clause.until)}"
    if clause.upon:
        body += f" upon {clause.upon}"
    return f"secret {body}" if clause.secret else body


def _by(c: Clause) -> str:
    return f" by {c.power}" if c.power else ""


def _in(c: Clause) -> str:
    return f" in {c.region or ', '.join(c.places)}"


def _against(c: Clause) -> str:
    return f" against {', '.join(c.against)}" if c.against else ""


def _unit_words(c: Clause) -> str:
    return " ".join(c.units) or "units"


def _waive_text(c: Clause) -> str:
    return f"{c.power} waives" + (f" {c.places[0]}" if c.places else "") + (f" against {c.to}" if c.to else "")


def _transfer_text(c: Clause) -> str:
    return f"{c.power} transfers {c.marker + ' ' if c.marker else ''}{c.places[0]} to {c.to}"


def _grant_text(c: Clause) -> str:
    paid = f" paid by {c.against[0]}" if c.against else ""
    return f"{c.power} grants {c.to} {c.marker} in {c.places[0]}{paid}"


def _share_text(c: Clause) -> str:
    level = f" as {c.marker}" if c.marker else ""
    paid = f" paid by {c.power}" if c.power else ""
    return f"codominion of {c.places[0]} with {', '.join(c.against)}{level}{paid}"


def _vote_text(c: Clause) -> str:
    on = f" on {', '.join(c.places)}" if c.places else ""
    return f"{c.power} votes {c.vote}" + (f" for {c.to}" if c.to else "") + on


def _lower_text(c: Clause) -> str:
    return f"{c.power} lowers {c.places[0]} to {c.marker}" if c.marker else f"{c.power} leaves {c.places[0]}"


def _quoted(c: Clause) -> str:
    return '"' + c.text.replace("\\", "\\\\").replace('"', '\\"') + '"'


_TEXTS: dict[str, Callable[[Clause], str]] = {
    "defensive": lambda c: f"defensive{_by(c)}{_against(c)}",
    "offensive": lambda c: f"offensive{_by(c)}{_against(c)}",
    "non_aggression": lambda c: "non-aggression",
    "shared_cause": lambda c: f"shared cause{_against(c)}",
    "no_marker": lambda c: f"no {c.marker or 'marker'}{_by(c)}{_in(c)}",
    "no_unit": lambda c: f"no {_unit_words(c)}{_by(c)}{_in(c)}",
    "at_most": lambda c: f"at most {c.amount} {_unit_words(c)}{_by(c)}{_in(c)}",
    "at_least": lambda c: f"at least {c.amount} {_unit_words(c)}{_by(c)}{_in(c)}",
    "build": lambda c: f"{c.power} builds {' '.join(c.units)}",
    "no_build": lambda c: f"{c.power + ' builds' if c.power else 'all build'} no {_unit_words(c)}",
    "vote": _vote_text,
    "passage": lambda c: f"{c.power} lets {c.to} through canals",
    "coaling": lambda c: f"{c.power} coals {c.to}",
    "text": _quoted,
    "pay": lambda c: f"{c.power} pays {c.to} {c.amount}",
    "transfer": _transfer_text,
    "grant": _grant_text,
    "lower": _lower_text,
    "codominion": _share_text,
    "waive": _waive_text,
}
