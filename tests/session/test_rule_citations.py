"""The rule reference: it has each rule that program, data and tests name, and each row is complete."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from paxtui.session.reference import CHAPTERS, EDITIONS, phase_of
from paxtui.session.tables.loader import load_rules

HERE = Path(__file__)
ROOT = HERE.parent.parent.parent

PLACES: dict[str, tuple[str, ...]] = {
    "the program": ("paxtui/**/*.py", "paxtui/**/*.tcss"),
    "the data": ("data/*.toml", "data/*.tsv", "data/*.csv", "data/*.md", "data/reconstructed/*.toml"),
    "the tests": ("tests/**/*.py", "tests/**/*.md", "tests/**/*.toml"),
    "the documents": ("*.md",),
}
"""Files that name rules. Logs are not included: an old log may name a rule that no longer exists."""

PARTS = {"1", "3", "4", "5", "7"}
PLAYED = {"1", "3", "4", "5", "7"}
"""Parts of which each rule has a test or a reason in EXEMPT.md."""

KINDS = {"procedure", "constraint", "entitlement", "definition", "trigger", "ruling", "optional"}

NOT_RULES = {"SHA-256", "ABC-001", "ABC-003", "ABC-005", "ABC-999", "CNT-001", "XXX-001"}
"""Words that look like ids of rules: a digest, examples, the rule of the counter game."""

RULE_ID = re.compile(r"\b[A-Z]{3}-\d{3}\b")


def citations(patterns: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield the ids of rules in files, each with file and line."""
    for pattern in patterns:
        for path in sorted(ROOT.glob(pattern)):
            if path != HERE:
                for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
                    for id_ in RULE_ID.findall(line):
                        yield id_, f"{path.relative_to(ROOT)}:{number}"


@pytest.mark.parametrize("place", PLACES)
def test_each_cited_rule_is_in_the_reference(place):
    named = list(citations(PLACES[place]))
    known = load_rules().keys() | NOT_RULES
    assert any(id_ in load_rules() for id_, _ in named) or place == "the documents"
    assert [f"{where} names {id_}" for id_, where in named if id_ not in known] == []


def test_each_row_of_the_reference_is_complete():
    rules = load_rules()
    assert {id_[:3] for id_ in rules} == set(CHAPTERS)
    for id_, rule in rules.items():
        assert RULE_ID.fullmatch(id_) and rule.id == id_
        assert (rule.part in PARTS, rule.kind in KINDS, rule.edition in EDITIONS) == (True, True, True), id_
        assert phase_of(rule).strip() and rule.statement.endswith((".", ")")), id_


def test_rules_are_unique_and_in_order():
    lines = (ROOT / "data" / "rules.tsv").read_text("utf-8").splitlines()
    ids = [line.split("\t")[0] for line in lines[1:]]
    assert set(ids) == set(load_rules()) and len(set(ids)) == len(ids)
    for chapter in CHAPTERS:
        there = [id_ for id_ in ids if id_.startswith(chapter)]
        assert there == sorted(there)


def marked_rules() -> set[str]:
    """Return the rules in the marks of tests."""
    found: set[str] = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.rule":
                found.update(arg.value for arg in node.args if isinstance(arg, ast.Constant))
    return found


def test_each_played_rule_has_a_test_or_a_reason():
    exempt = set(re.findall(r"^\| ([A-Z]{3}-\d{3}) \|", (ROOT / "tests/rules/EXEMPT.md").read_text("utf-8"), re.M))
    played = {id_ for id_, rule in load_rules().items() if rule.part in PLAYED}
    assert exempt <= played and not exempt & marked_rules()
    assert played - marked_rules() == exempt
