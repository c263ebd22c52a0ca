"""Clauses read from the notation.

Forms natural to type, each of which may begin with `secret` and end with `every turn`, `in YEAR`, `by YEAR`,
`until YEAR` (that year included) and `upon war POWER POWER`, `upon control POWER AREA` or `upon unrest AREA`; each kind
has its own forms and an example (`paxtui.pax.clauses.kind`).

Rules: TRE-002, TRE-004, TRE-005, TRE-013
"""

from __future__ import annotations

import re
from typing import Any

from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.pax.board.tables import Tables
from paxtui.pax.clauses import upon
from paxtui.pax.clauses.kinds import KINDS, MOST_CLAUSES
from paxtui.pax.clauses.put_right import put_right
from paxtui.pax.clauses.reader import Reader
from paxtui.pax.state.treaty import Clause
from paxtui.pax.words.dates import turn
from paxtui.pax.words.names import unknown
from paxtui.pax.words.order_words import Words

_UNTIL = re.compile(r"\s+(?:(?:until|till)\s+|through\s+(?=\d))(?P<value>\S+)$", re.IGNORECASE)
_DATE = re.compile(r"\s+(?:in|by|during)\s+(?P<value>\d{1,5})$", re.IGNORECASE | re.ASCII)
_EVERY = re.compile(r"\s+(?:every|each)\s+(?:game\s+)?turn$", re.IGNORECASE)
_UPON = re.compile(r"\s+upon\s+(?P<value>.+?)$", re.IGNORECASE)
_TAILS = {"every_turn": "'every turn'", "turn": "a date", "until": "'until'", "upon": "'upon'"}
"""What a clause may end with, by the field that it fills."""


# --- several clauses ----------------------------------------------------------------------------------------------


def split_clauses(text: str, first: int) -> list[tuple[str, int]]:
    """What stands between semicolons, quoted ones left alone, with the number of each first word.

    Raises: Refusal `notation`, when a quotation has no end.
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


def read_clauses(words: Words) -> tuple[Clause, ...]:
    """All that is left, as clauses with semicolons between them.

    Raises: Refusal `notation` or `ambiguous`.
    """
    text, first = words.rest()
    found = split_clauses(text, first)
    if not found:
        raise unknown("", f"a clause, such as '{KINDS['non_aggression'].example}',", word=first)
    if len(found) > MOST_CLAUSES:
        raise Refusal("notation", (), f"An agreement has {MOST_CLAUSES} clauses at most.", position=found[-1][1])
    return tuple(read_clause(Words(words.tables, piece, at)) for piece, at in found)


# --- reading one clause -------------------------------------------------------------------------------------------


def read_clause(words: Words) -> Clause:
    """The clause that all the words left make.

    Raises: Refusal `notation` or `ambiguous`, with the number of the word at fault.
    """
    text, first = words.rest()
    text = text.strip()
    secret = bool(re.match(r"secret\s", text, re.IGNORECASE))
    if secret:
        text, first = text[len("secret") :].strip(), first + 1
    if text.startswith('"'):
        return put_right(words.tables, Clause("text", text=_unquoted(text, first), secret=secret))
    r = Reader(words.tables, " ".join(text.split()), first)
    tails = _tails(r)
    clause = _of_some_kind(r)
    for name in tails:
        kind = KINDS[clause.kind]
        if name not in kind.fields:
            message = f"Word {first}: {_TAILS[name]} means nothing after a clause such as '{kind.example}'."
            raise Refusal("notation", (), message, position=first)
    try:
        return put_right(words.tables, replace(clause, **tails, secret=secret))
    except Refusal as refusal:
        if refusal.code == "bad_action":  # the words were understood, but they do not make a clause
            raise Refusal("notation", (), f"Word {first}: {refusal.message}", position=first) from None
        raise


def _of_some_kind(r: Reader) -> Clause:
    """The clause of the first kind that its words fit.

    Raises: Refusal of the kind that could make sense of most of the words.
    """
    refused: Refusal | None = None
    for kind in KINDS.values():
        for form in kind.forms:
            found = form.pattern.fullmatch(r.text)
            if found is None:
                continue
            try:
                clause = form.read(r, found)
            except Refusal as refusal:
                if refused is None or _position(refusal) > _position(refused):
                    refused = refusal
            else:
                if clause is not None:
                    return clause
    raise refused or _no_clause(r.text, r.first)


def _position(refusal: Refusal) -> int:
    """Number of the word at which a kind could make no sense of a clause."""
    position = refusal.detail.get("position", 0)
    return position if isinstance(position, int) else 0


def _no_clause(text: str, at: int) -> Refusal:
    beginnings = dict.fromkeys(_beginning(usage) for kind in KINDS.values() for usage in kind.usage.split("; "))
    return unknown(text, f"a clause ({', '.join(beginnings)})", word=at)


def _beginning(usage: str) -> str:
    """The words of a form before anything that is to be filled in, save the subject: `no marker`."""
    words = usage.split(" ")
    end = next((n for n, word in enumerate(words) if n and (word[0] == "[" or word.isupper())), len(words))
    return " ".join(words[:end])


def _unquoted(text: str, at: int) -> str:
    """Words in quotation marks. Raises: Refusal `notation`."""
    m = re.fullmatch(r'"((?:[^"\\]|\\.)*)"', text, re.DOTALL)
    if m is None:
        raise Refusal("notation", (), f"Word {at}: words end with a quotation mark, and nothing follows.", position=at)
    return re.sub(r"\\(.)", r"\1", m[1], flags=re.DOTALL)


def _tails(r: Reader) -> dict[str, Any]:
    """Take the dates and the condition off the end of the clause, in whatever order they stand."""
    found: dict[str, Any] = {}
    name: str
    value: Any
    while True:
        if m := _UNTIL.search(r.text):
            name, value = "until", turn(r.tables, m["value"], r.at(m.start("value")))
        elif m := _DATE.search(r.text):
            name, value = "turn", turn(r.tables, m["value"], r.at(m.start("value")))
        elif m := _EVERY.search(r.text):
            name, value = "every_turn", True
        elif m := _UPON.search(r.text):
            name, value = "upon", upon.read(r.tables, m["value"], r.at(m.start("value")))
        else:
            return found
        if name in found:
            at = r.at(m.start() + 1)
            raise Refusal("notation", (), f"Word {at}: that is said twice.", position=at)
        found[name] = value
        r.text = r.text[: m.start()]


def read(tables: Tables, text: str) -> Clause:
    """The clause that a text of the notation makes.

    Raises: Refusal `notation` or `ambiguous`, with the number of the word at fault.
    """
    return read_clause(Words(tables, text, 1))
