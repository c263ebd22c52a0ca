"""Clauses in the notation and in plain English: parsing, normalizing, formatting, describing.

A clause may begin with `secret` and end with `every turn`, `in YEAR`, `by YEAR`, `until YEAR` (inclusive) and
`upon war POWER POWER`, `upon control POWER AREA` or `upon unrest AREA`. Each kind has its own forms
(`paxtui.games.pax.clauses.kind`). The sentences of `describe_clause` are read as well.

Rules: TRE-002, TRE-004, TRE-005, TRE-013 (R-TRE-01)
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain
from typing import Any, NoReturn

from msgspec.structs import fields, replace

from paxtui.engine.free_text import clean_text
from paxtui.engine.refusal import Refusal
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.clauses import registry
from paxtui.games.pax.clauses.kind import LARGEST_NUMBER, ClauseKind, ClauseReader, Rewrite, rewrites
from paxtui.games.pax.clauses.registry import CLAUSE_KINDS, MOST_CLAUSES
from paxtui.games.pax.state.diplomacy import Clause
from paxtui.games.pax.state.pieces import ARMY, NAVAL
from paxtui.games.pax.text.display import add_articles, drop_articles
from paxtui.games.pax.text.parsing import (
    WordReader,
    find_marker,
    in_table_order,
    name_index,
    parse_place_groups,
    parse_places,
    parse_turn,
    replace_group_names,
    shorten,
    turn_year,
    unit_name,
    unknown_name,
)

MOST_UNITS = 20
"""Maximum number of units in a clause."""

LONGEST_TEXT = 300
"""Maximum length of free text in a clause, in characters."""

_FIELD_DEFAULTS: dict[str, Any] = {
    field.name: field.default for field in fields(Clause) if field.name not in ("kind", "secret")
}
"""Fields that a kind may not use, with their defaults."""
_UNTIL = re.compile(r"\s+(?:(?:until|till)\s+|through\s+(?=\d))(?P<value>\S+)$", re.IGNORECASE)
_DATE = re.compile(r"\s+(?:in|by|during)\s+(?P<value>\d{1,5})$", re.IGNORECASE | re.ASCII)
_EVERY = re.compile(r"\s+(?:every|each)\s+(?:game\s+)?turn$", re.IGNORECASE)
_SECRET = re.compile(r"(?:secret|\(secret\))\s", re.IGNORECASE)
_UPON = re.compile(r"\s+upon\s+(?P<value>.+?)$", re.IGNORECASE)
_TAILS = {"every_turn": "'every turn'", "turn": "a date", "until": "'until'", "upon": "'upon'"}
"""Endings of a clause, by the field that they set."""


def normalize_clause(tables: Tables, clause: Clause) -> Clause:
    """Return the clause with ids, expanded places and clean text.

    Raises:
        Refusal: `bad_action` for an invalid clause; `notation` or `ambiguous` for a name.
    """
    kind = CLAUSE_KINDS.get(clause.kind)
    if kind is None:
        _refuse_clause(f"There is no kind of clause {shorten(clause.kind)!r}; there are {', '.join(CLAUSE_KINDS)}.")
    for field, plain in _FIELD_DEFAULTS.items():
        if getattr(clause, field) != plain and field not in kind.fields:
            _refuse_clause(f"A clause of the kind {clause.kind} does not use {field!r}.")
    powers, parties = name_index(tables).powers, name_index(tables).parties
    changes: dict[str, Any] = {
        "power": parties.find(clause.power) if clause.power else "",
        "to": parties.find(clause.to) if clause.to else "",
        "against": in_table_order(tables.powers, (powers.find(p) for p in clause.against)),
        "units": normalize_units(tables, clause, kind),
        "upon": registry.normalize_condition(tables, clause.upon) if clause.upon else None,
        "text": clean_text(clause.text),
    }
    if clause.region:
        changes["region"], changes["places"] = parse_place_groups(tables, clause.region, kind.allows_zones)
    else:
        changes["places"] = parse_places(tables, clause.places, kind.allows_zones)
    if clause.marker:
        where = changes["places"][0] if kind.max_areas and changes["places"] else ""
        changes["marker"] = find_marker(tables, clause.marker, where)
    fixed = replace(clause, **changes)
    _check_fields(tables, fixed, kind)
    return fixed


def _check_fields(tables: Tables, clause: Clause, kind: ClauseKind) -> None:
    for need in kind.required:
        if not any(getattr(clause, field) for field in need.split("|")):
            _refuse_clause(f"A clause of the kind {clause.kind} says {need.replace('|', ' or ')!r}: {kind.example}.")
    if kind.max_areas and len(clause.places) > kind.max_areas:
        _refuse_clause(f"A clause of the kind {clause.kind} is about one Area.")
    if not 0 <= clause.amount < LARGEST_NUMBER:
        _refuse_clause("The amount is too large.")
    if not (0 <= clause.turn <= len(tables.turns) and 0 <= clause.until <= len(tables.turns)):
        _refuse_clause(f"A date is a Game Turn from 1 to {len(tables.turns)}.")
    if len(clause.text) > LONGEST_TEXT:
        _refuse_clause(f"A clause in words has at most {LONGEST_TEXT} characters.")
    if unsound := kind.find_error(clause):
        _refuse_clause(unsound)


def normalize_units(tables: Tables, clause: Clause, kind: ClauseKind) -> tuple[str, ...]:
    """Return the units of a clause: names, or `army` and `naval`. Duplicates are kept if the kind counts them.

    Raises:
        Refusal: a name is unknown.
    """
    if len(clause.units) > MOST_UNITS:
        _refuse_clause(f"A clause names at most {MOST_UNITS} units.")
    named = [u if u in (ARMY, NAVAL) else unit_name(tables, u) for u in clause.units]
    if kind.counts_units:
        return tuple(named)
    if {ARMY, NAVAL} <= set(named):
        return ()
    return tuple(sorted(set(named), key=_unit_sort_key))


def _unit_sort_key(unit: str) -> tuple[bool, str, int]:
    """Sort kinds before names, armies before fleets, heavy units before light ones."""
    return unit not in (ARMY, NAVAL), unit[0], -int(unit[1:]) if unit[1:].isdigit() else 0


def _refuse_clause(message: str) -> NoReturn:
    raise Refusal("bad_action", (), message)


def split_clauses(text: str, first: int) -> list[tuple[str, int]]:
    """Split at semicolons outside quotes, with the number of each first word.

    Raises:
        Refusal: `notation`, if a quotation has no end.
    """
    out: list[tuple[str, int]] = []
    start, quoted, skip = 0, False, False
    for i, char in enumerate(text + ";"):
        if skip:
            skip = False
        elif quoted and char == "\\":
            skip = True
        elif char == '"':
            quoted = not quoted
        elif char == ";" and (not quoted or i == len(text)):
            piece = text[start:i]
            if quoted:
                at = first + len(text[:start].split())
                raise Refusal("notation", (), f"Word {at}: the quotation has no end.", position=at)
            if piece.strip():
                out.append((piece.strip(), first + len(text[:start].split())))
            start = i + 1
    return out


def read_clauses(words: WordReader) -> tuple[Clause, ...]:
    """Parse the rest as clauses separated by semicolons.

    Raises:
        Refusal: `notation` or `ambiguous`.
    """
    text, first = words.rest()
    found = split_clauses(text, first)
    if not found:
        raise unknown_name("", f"a clause, such as '{CLAUSE_KINDS['non_aggression'].example}',", word=first)
    if len(found) > MOST_CLAUSES:
        raise Refusal("notation", (), f"An agreement has at most {MOST_CLAUSES} clauses.", position=found[-1][1])
    return tuple(read_clause(WordReader(words.tables, piece, at)) for piece, at in found)


def read_clause(words: WordReader) -> Clause:
    """Parse all remaining words as one clause.

    Raises:
        Refusal: `notation` or `ambiguous`, with the number of the word at fault.
    """
    text, first = words.rest()
    text = text.strip()
    if secret := _SECRET.match(text):
        text, first = text[secret.end() :].strip(), first + 1
    text = notation_of_sentence(words.tables, text)
    if text.startswith('"'):
        return normalize_clause(words.tables, Clause("text", text=_unquote(text, first), secret=bool(secret)))
    r = ClauseReader(words.tables, " ".join(text.split()), first)
    tails = _read_tails(r)
    clause = _read_by_kinds(r)
    for name in tails:
        kind = CLAUSE_KINDS[clause.kind]
        if name not in kind.fields:
            message = f"Word {first}: {_TAILS[name]} is not allowed after a clause such as '{kind.example}'."
            raise Refusal("notation", (), message, position=first)
    try:
        return normalize_clause(words.tables, replace(clause, **tails, secret=bool(secret)))
    except Refusal as refusal:
        if refusal.code == "bad_action":  # the words were understood, but they do not make a clause
            raise Refusal("notation", (), f"Word {first}: {refusal.message}", position=first) from None
        raise


def _read_by_kinds(r: ClauseReader) -> Clause:
    """Return the clause of the first kind that matches.

    Raises:
        Refusal: that of the kind that understood most of the words.
    """
    refused: Refusal | None = None
    for kind in CLAUSE_KINDS.values():
        for form in kind.forms:
            found = form.pattern.fullmatch(r.text)
            if found is None:
                continue
            try:
                clause = form.read(r, found)
            except Refusal as refusal:
                if refused is None or _refused_word(refusal) > _refused_word(refused):
                    refused = refusal
            else:
                if clause is not None:
                    return clause
    raise refused or _unreadable_clause(r.text, r.first)


def _refused_word(refusal: Refusal) -> int:
    position = refusal.detail.get("position", 0)
    return position if isinstance(position, int) else 0


def _unreadable_clause(text: str, at: int) -> Refusal:
    beginnings = dict.fromkeys(
        _first_words(usage) for kind in CLAUSE_KINDS.values() for usage in kind.usage.split("; ")
    )
    return unknown_name(text, f"a clause ({', '.join(beginnings)})", word=at)


def _first_words(usage: str) -> str:
    """Return the fixed words at the start of a form, without the subject: `no marker`."""
    words = usage.split(" ")
    end = next((n for n, word in enumerate(words) if n and (word[0] == "[" or word.isupper())), len(words))
    return " ".join(words[:end])


def _unquote(text: str, at: int) -> str:
    m = re.fullmatch(r'"((?:[^"\\]|\\.)*)"', text, re.DOTALL)
    if m is None:
        raise Refusal(
            "notation", (), f"Word {at}: free words end with a quotation mark. Nothing can follow.", position=at
        )
    return re.sub(r"\\(.)", r"\1", m[1], flags=re.DOTALL)


def _read_tails(r: ClauseReader) -> dict[str, Any]:
    """Remove dates and condition from the end of the clause, in any order."""
    found: dict[str, Any] = {}
    name: str
    value: Any
    while True:
        if m := _UNTIL.search(r.text):
            name, value = "until", parse_turn(r.tables, m["value"], r.at(m.start("value")))
        elif m := _DATE.search(r.text):
            name, value = "turn", parse_turn(r.tables, m["value"], r.at(m.start("value")))
        elif m := _EVERY.search(r.text):
            name, value = "every_turn", True
        elif m := _UPON.search(r.text):
            name, value = "upon", registry.read_condition(r.tables, m["value"], r.at(m.start("value")))
        else:
            return found
        if name in found:
            at = r.at(m.start() + 1)
            raise Refusal("notation", (), f"Word {at}: this is written twice.", position=at)
        found[name] = value
        r.text = r.text[: m.start()]


def parse_clause(tables: Tables, text: str) -> Clause:
    """Return the clause for a text in the notation.

    Raises:
        Refusal: `notation` or `ambiguous`, with the number of the word at fault.
    """
    return read_clause(WordReader(tables, text, 1))


def text_of_clauses(tables: Tables, clauses: Iterable[Clause]) -> str:
    """Return several clauses in the notation."""
    return "; ".join(text_of_clause(tables, clause) for clause in clauses)


def text_of_clause(tables: Tables, clause: Clause) -> str:
    """Return a clause in the notation, in ids; `read_clause` returns the same clause."""
    kind = CLAUSE_KINDS[clause.kind]
    text = kind.text(clause)
    if clause.every_turn:
        text += " every turn"
    if clause.turn:
        text += f" {'by' if kind.has_deadline else 'in'} {turn_year(tables, clause.turn)}"
    if clause.until:
        text += f" until {turn_year(tables, clause.until)}"
    if clause.upon:
        text += f" upon {registry.condition_text(clause.upon)}"
    return f"secret {text}" if clause.secret else text


def describe_clause(tables: Tables, clause: Clause) -> str:
    """Describe a clause in one sentence without the full stop."""
    return add_articles(stored_clause_text(tables, clause))


def stored_clause_text(tables: Tables, clause: Clause) -> str:
    """Return a clause as logs contain it in questions and notes: names of Powers have no article."""
    kind = CLAUSE_KINDS[clause.kind]
    sentence = kind.describe(tables, clause)
    if clause.every_turn:
        sentence += " every Game Turn"
    if clause.turn:
        sentence += f" in {turn_year(tables, clause.turn)}" + (" at the latest" if kind.has_deadline else "")
    if clause.until:
        sentence += f", up to and including {turn_year(tables, clause.until)}"
    if clause.upon:
        sentence = f"Once {registry.CONDITIONS[clause.upon.kind].describe(tables, clause.upon)}: {sentence}"
    return f"(secret) {sentence}" if clause.secret else sentence


_PHRASES = rewrites(
    (r"; who has no Control there yet gets an? ([^\s,;]+)", r" as \1"),
    (r"(?:; a new marker is|,) paid by ", " paid by "),
    (r" in (\d+) at the latest\b", r" by \1"),
    (r", up to and including (\d+)\b", r" until \1"),
)
"""Parts of sentences."""
_ONCE = re.compile(r"Once ([^:]+): (.+)", re.IGNORECASE | re.DOTALL)
_DATES = re.compile(r"(?P<sentence>.+?)(?P<dates>(?: every (?:Game )?Turn| (?:in|by|until) \d{1,5})*)", re.IGNORECASE)


def notation_of_sentence(tables: Tables, text: str) -> str:
    """Return the notation of a clause that is written as `describe_clause` does; any other text unchanged."""
    if text.startswith('"'):  # a text of the players, which nobody rewrites
        return text
    words, upon = text.strip().removesuffix("."), ""
    if quoted := re.fullmatch(r"“(.*)”", words, re.DOTALL):
        return '"' + quoted[1].replace("\\", "\\\\").replace('"', '\\"') + '"'
    words = replace_group_names(tables, drop_articles(words))
    if once := _ONCE.fullmatch(words):
        conditions = chain.from_iterable(condition.sentences for condition in registry.CONDITIONS.values())
        upon, words = f" upon {_first_rewrite(conditions, once[1])}", once[2]
    for pattern, to in _PHRASES:
        words = pattern.sub(to, words)
    kinds = chain.from_iterable(kind.sentences for kind in CLAUSE_KINDS.values())
    found = _DATES.fullmatch(words)
    sentence = _first_rewrite(kinds, found["sentence"]) if found else ""
    changed = upon or words != text or (found and sentence != found["sentence"])
    return f"{sentence}{found['dates']}{upon}" if found and changed else text


def _first_rewrite(rules: Iterable[Rewrite], text: str) -> str:
    """Return the text by the first rule that matches all of it; without one the text itself."""
    for pattern, to in rules:
        if found := pattern.fullmatch(text):
            return found.expand(to) if isinstance(to, str) else to(found)
    return text
