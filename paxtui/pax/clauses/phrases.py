"""Parts of clauses that several kinds share: read, in the notation, and in plain English.

Rules: TRE-002, TRE-004, TRE-005
"""

from __future__ import annotations

import re
from collections.abc import Callable

from paxtui.pax.board.tables import Tables
from paxtui.pax.clauses.kind import Form, Terms
from paxtui.pax.clauses.reader import Reader, words_of
from paxtui.pax.state.pieces import ARMY, NAVAL
from paxtui.pax.state.treaty import Clause
from paxtui.pax.words.places import places_said
from paxtui.pax.words.spoken import any_of, place_name, power_name

# --- reading ------------------------------------------------------------------------------------------------------


def of_subject(verbs: str, read: Callable[[Reader, str], Clause | None]) -> Form:
    """The form `POWER verb ...`: `read` gets what stands after the verb, and the Power ("" for all alike)."""

    def whole(r: Reader, m: re.Match[str]) -> Clause | None:
        return read(r.part(m, "rest"), r.who(m))

    return Form(words_of(rf"(?P<by>.+?) (?:{verbs})(?: (?P<rest>.*))?"), whole)


# --- in the notation ----------------------------------------------------------------------------------------------


def by(c: Clause) -> str:
    """Whom it binds, where it is one."""
    return f" by {c.power}" if c.power else ""


def within(c: Clause) -> str:
    """Its places."""
    return f" in {c.region or ', '.join(c.places)}"


def against(c: Clause) -> str:
    """Whom it is aimed at."""
    return f" against {', '.join(c.against)}" if c.against else ""


def unit_words(c: Clause) -> str:
    """Its units."""
    return " ".join(c.units) or "units"


# --- in plain English ---------------------------------------------------------------------------------------------


def named(t: Tables, c: Clause) -> str:
    """The Power that owes it."""
    return power_name(t, c.power)


def first_place(t: Tables, c: Clause) -> str:
    """The one Area it is about."""
    return place_name(t, c.places[0])


def places(t: Tables, c: Clause) -> str:
    """Any of its places."""
    return places_said(t, c.places, c.region)


def no_signer(t: Tables, c: Clause, verb: str) -> str:
    """`France places no`, or `No signer places any` where it binds all alike."""
    return f"{named(t, c)} {verb} no" if c.power else f"No signer {verb} any"


def foes(t: Tables, c: Clause) -> str:
    """Whom it is aimed at."""
    return any_of([power_name(t, p) for p in c.against]) or "a Power that has not signed"


def units(t: Tables, c: Clause) -> str:
    """The units it is about."""
    known = {ARMY: "Army Units", NAVAL: "Naval Units"}
    return any_of([known.get(u, u) for u in c.units]) or "Military Units"


def a_marker(t: Tables, marker: str) -> str:
    """A kind of marker with its article."""
    name = t.markers[marker].name
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"


# --- the rules ----------------------------------------------------------------------------------------------------


def not_to_itself(terms: Terms) -> None:
    """No Power gives itself anything. Rules: TRE-006."""
    if terms.clause.power == terms.clause.to:
        name = terms.name(terms.clause.to)
        terms.no("yourself", ("TRE-006",), f"{name} would give it to itself.")
