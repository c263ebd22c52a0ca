"""The definition of every kind of clause, and every form of words with its meaning or its refusal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.clauses.notation import describe_clause, parse_clause, text_of_clause
from paxtui.games.pax.clauses.registry import CLAUSE_KINDS, is_immediate
from tests.pax.clauses.forms import FORMS
from tests.recorded import same_as_recorded
from tests.rules.harness import tables

T = tables()
HERE = Path(__file__).parent
TAILS = (
    "until 1892", "in 1888", "by 1888", "every turn", "upon war italy", "upon unrest egypt", "upon",
    "until 1880 until 1884",
)  # fmt: skip
"""Endings of clauses, valid and invalid."""
NO_CLAUSE = "xyzzy"
"""The refusal of this text lists all kinds. The list is left out of all others."""


def kind_lines() -> Iterator[str]:
    for kind in CLAUSE_KINDS.values():
        does = kind.act and f"{kind.act.rule} {kind.act.minor or '-'} {kind.act.holders} {kind.act.patient}"
        watched = kind.watch and " ".join(event.__name__ for event in kind.watch.events)
        yield f"{kind.id}: {kind.summary}. {kind.usage}. {kind.example}."
        yield f"    needs {', '.join(kind.required) or '-'}; may have {', '.join(kind.optional) or '-'}"
        yield (
            f"    Areas {kind.max_areas}, zones {kind.allows_zones}, counted {kind.counts_units}, "
            f"latest {kind.has_deadline}, {kind.idle_status}"
        )
        yield f"    signed by {', '.join(kind.signers)}; touches {', '.join(kind.concerned)}; aimed {kind.is_aimed}"
        done = ", ".join(kind.phases) or "-"
        yield f"    judged {kind.is_judged}, template {kind.is_template}, done in {done}: {does}"
        yield f"    watched by {watched}; owed in {kind.duty and kind.duty.phase}"


def meaning(text: str) -> str:
    """The formatted clause and its sentence, or the refusal."""
    try:
        clause = parse_clause(T, text)
    except Refusal as refusal:
        message = refusal.message
        if text != NO_CLAUSE:
            message = re.sub(r"a clause \([^)]+\)", "a clause (...)", message)
        return f"{refusal.code} {refusal.detail.get('position')} {message}"
    return f"{text_of_clause(T, clause)}: {describe_clause(T, clause)}{' (at once)' if is_immediate(clause) else ''}"


def form_lines() -> Iterator[str]:
    texts = dict.fromkeys([NO_CLAUSE, *FORMS, *(kind.example for kind in CLAUSE_KINDS.values())])
    for text in texts:
        yield f"{text} -> {meaning(text)}"
    for kind in CLAUSE_KINDS.values():
        for tail in TAILS:
            yield f"{kind.example} {tail} -> {meaning(f'{kind.example} {tail}')}"
        words = kind.example.split()
        for n in range(len(words)):
            cut = " ".join(words[: n + 1])
            yield f"{cut} -> {meaning(cut)}"
            malformed = " ".join([*words[:n], "xyzzy", *words[n + 1 :]])
            yield f"{malformed} -> {meaning(malformed)}"


def test_every_clause_kind_is_as_recorded() -> None:
    same_as_recorded(HERE / "kinds.txt", kind_lines())


def test_every_clause_form_is_as_recorded() -> None:
    same_as_recorded(HERE / "forms.txt", form_lines())
