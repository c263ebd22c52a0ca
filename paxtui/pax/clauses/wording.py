"""Clauses written in the notation, in ids, and said in plain English, with their dates and conditions.

Rules: TRE-002, TRE-004, TRE-005, TRE-013
"""

from __future__ import annotations

from collections.abc import Iterable

from paxtui.pax.board.tables import Tables
from paxtui.pax.clauses import upon
from paxtui.pax.clauses.kinds import KINDS
from paxtui.pax.state.treaty import Clause
from paxtui.pax.words.dates import year


def text_of_clauses(tables: Tables, clauses: Iterable[Clause]) -> str:
    """Several clauses in the notation."""
    return "; ".join(text_of_clause(tables, clause) for clause in clauses)


def text_of_clause(tables: Tables, clause: Clause) -> str:
    """The text of a clause, in ids; `paxtui.pax.clauses.reading.read_clause` gives the clause again."""
    kind = KINDS[clause.kind]
    text = kind.text(clause)
    if clause.every_turn:
        text += " every turn"
    if clause.turn:
        text += f" {'by' if kind.latest else 'in'} {year(tables, clause.turn)}"
    if clause.until:
        text += f" until {year(tables, clause.until)}"
    if clause.upon:
        text += f" upon {upon.text_of(clause.upon)}"
    return f"secret {text}" if clause.secret else text


def say(tables: Tables, clause: Clause) -> str:
    """What a clause means, in one sentence without the full stop at its end."""
    kind = KINDS[clause.kind]
    sentence = kind.say(tables, clause)
    if clause.every_turn:
        sentence += " every Game Turn"
    if clause.turn:
        sentence += f" in {year(tables, clause.turn)}" + (" at the latest" if kind.latest else "")
    if clause.until:
        sentence += f", up to and including {year(tables, clause.until)}"
    if clause.upon:
        sentence = f"Once {upon.said(tables, clause.upon)}: {sentence}"
    return f"(secret) {sentence}" if clause.secret else sentence
