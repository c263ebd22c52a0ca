"""Peace: the clause that ends a War between those who sign it, and the short form in which Areas change hands by it.

Rules: WEN-027, WEN-028, WEN-036, WEN-037
"""

from __future__ import annotations

import re

from paxtui.engine.refusal import Refusal
from paxtui.pax.board.tables import Tables
from paxtui.pax.clauses.kind import NEGOTIATION, Act, Form, Kind
from paxtui.pax.clauses.phrases import first_place
from paxtui.pax.clauses.reader import Reader, words_of
from paxtui.pax.state.treaty import Clause
from paxtui.pax.words.spoken import power_name

WAR = "war"
"""The Phase in which most Wars end."""


def _read_peace(r: Reader, m: re.Match[str]) -> Clause:
    return Clause("peace")


PEACE = Kind(
    id="peace",
    what="the end of the War between those who sign",
    usage="peace",
    example="peace",
    may=("upon",),
    forms=(Form(words_of(r"(?:makes? )?peace"), _read_peace),),
    text=lambda c: "peace",
    say=lambda t, c: "The signers make peace",
    sign=(),
    touch=(),
    phases=(NEGOTIATION, WAR),
    act=Act(lambda s, c: s.make_peace(), "WEN-028", minor=""),
)


def _read_cede(r: Reader, m: re.Match[str]) -> Clause | None:
    """`tunis to italy`; whatever names no Area and no Power is another kind's, or nobody's."""
    try:
        return Clause("cede", places=r.area(m, "area"), to=r.power(m, "to"))
    except Refusal:
        return None


def _say_cede(t: Tables, c: Clause) -> str:
    return f"Whoever holds {first_place(t, c)} hands it to {power_name(t, c.to)}"


CEDE = Kind(
    id="cede",
    what="short for the Status marker of whoever holds an Area, handed over",
    usage="AREA to POWER",
    example="tunis to italy",
    needs=("to", "places"),
    areas=1,
    forms=(Form(words_of(r"(?P<area>\S+(?: \S+){0,3}) to (?P<to>\S+(?: \S+)?)"), _read_cede),),
    text=lambda c: f"{c.places[0]} to {c.to}",
    say=_say_cede,
    sign=("to",),
)

KINDS = (CEDE, PEACE)
"""The kinds of this family; peace is made last of all acts."""
