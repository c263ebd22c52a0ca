"""The glossary: the words of the game, each with what it means, the rules that make it, and the words beside it."""

from __future__ import annotations

import re
import tomllib
from functools import cache

import msgspec

from paxtui.table.tablefiles.sources import shipped_text
from paxtui.table.tablefiles.text import TableError
from paxtui.table.tables import load_rules

FILE = "glossary.toml"


class Term(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A word of the game."""

    name: str
    text: str
    also: tuple[str, ...] = ()
    sign: str = ""
    rules: tuple[str, ...] = ()
    see: tuple[str, ...] = ()


class _File(msgspec.Struct, forbid_unknown_fields=True):
    term: list[Term]


@cache
def load_glossary() -> dict[str, Term]:
    """Every term by its name, in the order of the file.

    Raises:
        TableError: the file is broken, or names a rule or a term that there is not.
    """
    return read_glossary(shipped_text(FILE))


def read_glossary(text: str) -> dict[str, Term]:
    """The terms in the text of a glossary file, checked.

    Raises:
        TableError: as `load_glossary`.
    """
    try:
        terms = msgspec.convert(tomllib.loads(text), _File).term
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise TableError(FILE, 1, str(error)) from None
    found: dict[str, Term] = {}
    for term in terms:
        if term.name in found:
            raise TableError(FILE, _line(text, term), f"'{term.name}' is given twice (each term once)")
        found[term.name] = term
    rules = load_rules()
    for term in terms:
        for rule in term.rules:
            if rule not in rules:
                raise TableError(FILE, _line(text, term), f"there is no rule '{rule}' (an id of rules.tsv)")
        for name in term.see:
            if name not in found or name == term.name:
                raise TableError(FILE, _line(text, term), f"'see' names '{name}' (another term of the file)")
    return found


def _line(text: str, term: Term) -> int:
    at = text.find(f'name = "{term.name}"')
    return text.count("\n", 0, max(at, 0)) + 1


def find_terms(words: str) -> list[Term]:
    """Terms with every one of the words in name, spelling, sign or text; those with them in the name come first."""
    wanted = words.casefold().split()
    named: list[Term] = []
    told: list[Term] = []
    for term in load_glossary().values():
        names = " ".join((term.name, *term.also, term.sign)).casefold()
        if all(w in names for w in wanted):
            named.append(term)
        elif all(w in names or w in term.text.casefold() for w in wanted):
            told.append(term)
    exact = [t for t in named if words.casefold().strip() in (t.name.casefold(), *(a.casefold() for a in t.also))]
    return exact + [t for t in named if t not in exact] + told


@cache
def _names() -> tuple[re.Pattern[str], dict[str, str]]:
    """What finds the terms in a text, and the term of each spelling."""
    owner = {spelling: term.name for term in load_glossary().values() for spelling in (term.name, *term.also)}
    longest_first = sorted(owner, key=len, reverse=True)
    return re.compile(r"\b(" + "|".join(map(re.escape, longest_first)) + r")\b"), owner


def terms_in(text: str) -> tuple[str, ...]:
    """Names of the terms that a text uses, each once, in the order of the text. Capitals matter, as in the rules."""
    pattern, owner = _names()
    return tuple(dict.fromkeys(owner[m] for m in pattern.findall(text)))


def terms_of_rule(rule: str) -> tuple[str, ...]:
    """Names of the terms that are made of a rule, and then of those that its statement uses."""
    made = [term.name for term in load_glossary().values() if rule in term.rules]
    return tuple(dict.fromkeys((*made, *terms_in(load_rules()[rule].statement))))
