"""Clauses read from the notation.

Forms natural to type, each of which may begin with `secret` and end with `every turn`, `in YEAR`, `by YEAR`,
`until YEAR` (that year included) and `upon war POWER POWER`, `upon control POWER AREA` or `upon unrest AREA`;
`paxtui.pax.words.clause_kinds` has an example of each.

Rules: TRE-002, TRE-004, TRE-005, TRE-013
"""

from __future__ import annotations

import re

from paxtui.engine.refusal import Refusal
from paxtui.pax.board.tables import Tables
from paxtui.pax.state.model import State
from paxtui.pax.state.treaty import Clause
from paxtui.pax.words.clause_check import condition, put_right, turn
from paxtui.pax.words.clause_forms import FORMS, Fields, Reader
from paxtui.pax.words.clause_kinds import KINDS, MOST_CLAUSES
from paxtui.pax.words.names import unknown
from paxtui.pax.words.order_words import Words

_UNTIL = re.compile(r"\s+(?:(?:until|till)\s+|through\s+(?=\d))(?P<value>\S+)$", re.IGNORECASE)
_DATE = re.compile(r"\s+(?:in|by|during)\s+(?P<value>\d{1,5})$", re.IGNORECASE | re.ASCII)
_EVERY = re.compile(r"\s+(?:every|each)\s+(?:game\s+)?turn$", re.IGNORECASE)
_UPON = re.compile(r"\s+upon\s+(?P<value>.+?)$", re.IGNORECASE)


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
    tail = _tails(r)
    for form, read in FORMS:
        m = form.fullmatch(r.text)
        if m:
            fields = read(r, m)
            break
    else:
        raise _no_clause(r.text, first)
    kind = KINDS[fields["kind"]]
    for name in tail:
        if name not in kind.may and name not in kind.needs:
            said = {"every_turn": "'every turn'", "turn": "a date", "until": "'until'", "upon": "'upon'"}[name]
            message = f"Word {first}: {said} means nothing after a clause such as '{kind.example}'."
            raise Refusal("notation", (), message, position=first)
    try:
        return put_right(words.tables, Clause(**{**fields, **tail}, secret=secret))
    except Refusal as refusal:
        if refusal.code == "bad_action":  # the words were understood, but they do not make a clause
            raise Refusal("notation", (), f"Word {first}: {refusal.message}", position=first) from None
        raise


def _no_clause(text: str, at: int) -> Refusal:
    forms = "defensive, offensive, non-aggression, shared cause, no ..., at most ..., codominion of ..., "
    return unknown(text, f"a clause ({forms}'POWER pays ...' and the like, or words in quotation marks)", word=at)


def _unquoted(text: str, at: int) -> str:
    """Words in quotation marks. Raises: Refusal `notation`."""
    m = re.fullmatch(r'"((?:[^"\\]|\\.)*)"', text, re.DOTALL)
    if m is None:
        raise Refusal("notation", (), f"Word {at}: words end with a quotation mark, and nothing follows.", position=at)
    return re.sub(r"\\(.)", r"\1", m[1], flags=re.DOTALL)


def _tails(r: Reader) -> Fields:
    """Take the dates and the condition off the end of the clause, in whatever order they stand."""
    found: Fields = {}
    name: str
    value: int | bool | str
    while True:
        if m := _UNTIL.search(r.text):
            name, value = "until", turn(r.tables, m["value"], r.at(m.start("value")))
        elif m := _DATE.search(r.text):
            name, value = "turn", turn(r.tables, m["value"], r.at(m.start("value")))
        elif m := _EVERY.search(r.text):
            name, value = "every_turn", True
        elif m := _UPON.search(r.text):
            name, value = "upon", condition(r.tables, m["value"], r.at(m.start("value")))
        else:
            return found
        if name in found:
            at = r.at(m.start() + 1)
            raise Refusal("notation", (), f"Word {at}: that is said twice.", position=at)
        found[name] = value
        r.text = r.text[: m.start()]


def read(tables: Tables, state: State | None, text: str) -> Clause:
    """The clause that a text of the notation makes; `state` is not needed, and may be None.

    Raises: Refusal `notation` or `ambiguous`, with the number of the word at fault.
    """
    return read_clause(Words(tables, text, 1))
