"""Putting a clause right: ids for names, regions written out, and nothing in it that its kind has no use for.

What comes from the notation and what comes as a structure go through the same door, so that a clause always says what
it means: the places are those of its region, the words are clean, every list is in the order of the tables.

Rules: TRE-002, TRE-004 (R-TRE-01)
"""

from __future__ import annotations

from typing import Any, NoReturn

from msgspec.structs import fields, replace

from paxtui.engine.refusal import Refusal
from paxtui.pax.board.tables import Tables
from paxtui.pax.clauses import upon
from paxtui.pax.clauses.kind import Kind
from paxtui.pax.clauses.kinds import KINDS
from paxtui.pax.clauses.reader import MOST
from paxtui.pax.state.pieces import ARMY, NAVAL
from paxtui.pax.state.treaty import Clause
from paxtui.pax.words.free_text import clean
from paxtui.pax.words.names import find_marker, index, shorten
from paxtui.pax.words.order_words import unit_name
from paxtui.pax.words.places import in_order, listed, written_out

MOST_UNITS = 20
"""Units that one clause may name."""

LONGEST_TEXT = 300
"""Characters of a clause in free words."""

_PLAIN: dict[str, Any] = {field.name: field.default for field in fields(Clause) if field.name not in ("kind", "secret")}
"""Every field that a kind may have no use for, with what it is when it is not set."""


def put_right(tables: Tables, clause: Clause) -> Clause:
    """The clause as it is kept: with ids, its places written out, its words clean.

    Raises: Refusal `bad_action` for what is no clause of its kind, `notation` or `ambiguous` for a name.
    """
    kind = KINDS.get(clause.kind)
    if kind is None:
        _wrong(f"There is no kind of clause {shorten(clause.kind)!r}; there are {', '.join(KINDS)}.")
    for field, plain in _PLAIN.items():
        if getattr(clause, field) != plain and field not in kind.fields:
            _wrong(f"A clause of the kind {clause.kind} has no use for {field!r}.")
    powers, parties = index(tables).powers, index(tables).parties
    changes: dict[str, Any] = {
        "power": parties.find(clause.power) if clause.power else "",
        "to": parties.find(clause.to) if clause.to else "",
        "against": in_order(tables.powers, (powers.find(p) for p in clause.against)),
        "units": units(tables, clause, kind),
        "upon": upon.put_right(tables, clause.upon) if clause.upon else None,
        "text": clean(clause.text),
    }
    if clause.region:
        changes["region"], changes["places"] = written_out(tables, clause.region, kind.zones)
    else:
        changes["places"] = listed(tables, clause.places, kind.zones)
    if clause.marker:
        where = changes["places"][0] if kind.areas and changes["places"] else ""
        changes["marker"] = find_marker(tables, clause.marker, where)
    fixed = replace(clause, **changes)
    _fits(tables, fixed, kind)
    return fixed


def _fits(tables: Tables, clause: Clause, kind: Kind) -> None:
    """Raises: Refusal `bad_action`, when something is missing or out of range."""
    for need in kind.needs:
        if not any(getattr(clause, field) for field in need.split("|")):
            _wrong(f"A clause of the kind {clause.kind} says {need.replace('|', ' or ')!r}: {kind.example}.")
    if kind.areas and len(clause.places) > kind.areas:
        _wrong(f"A clause of the kind {clause.kind} is about one Area.")
    if not 0 <= clause.amount < MOST:
        _wrong("Nobody has that much.")
    if not (0 <= clause.turn <= len(tables.turns) and 0 <= clause.until <= len(tables.turns)):
        _wrong(f"A date is a Game Turn from 1 to {len(tables.turns)}.")
    if len(clause.text) > LONGEST_TEXT:
        _wrong(f"A clause in words has {LONGEST_TEXT} characters at most.")
    if unsound := kind.sound(clause):
        _wrong(unsound)


def units(tables: Tables, clause: Clause, kind: Kind) -> tuple[str, ...]:
    """The units of a clause: names, or `army` and `naval` for a kind of them; each as often as it stands where they
    are counted.

    Raises: Refusal.
    """
    if len(clause.units) > MOST_UNITS:
        _wrong(f"A clause names {MOST_UNITS} units at most.")
    named = [u if u in (ARMY, NAVAL) else unit_name(tables, u) for u in clause.units]
    if kind.counted:
        return tuple(named)
    if {ARMY, NAVAL} <= set(named):
        return ()
    return tuple(sorted(set(named), key=_weight))


def _weight(unit: str) -> tuple[bool, str, int]:
    """Kinds before names, armies before fleets, heavy units before light ones."""
    return unit not in (ARMY, NAVAL), unit[0], -int(unit[1:]) if unit[1:].isdigit() else 0


def _wrong(message: str) -> NoReturn:
    raise Refusal("bad_action", (), message)
