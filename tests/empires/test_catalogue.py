"""The catalogue of the exercises and the tests agree: what a test names is there, and tests name nearly all of it."""

from __future__ import annotations

import re
from pathlib import Path

from paxtui.session.storage.files import data_path

HERE = Path(__file__).parent
MARKS = re.compile(r"mark\.eia\(([^)]*)\)")
NAMED = 0.95


def catalogue() -> list[list[str]]:
    """The rows of the catalogue."""
    lines = data_path("empires/rules.tsv").read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines[1:]]


def named() -> set[str]:
    """The ids that tests name."""
    found = (MARKS.findall(path.read_text("utf-8")) for path in HERE.glob("test_*.py"))
    return {id_ for marks in found for mark in marks for id_ in re.findall(r'"([^"]+)"', mark)}


def test_each_row_has_an_id_a_statement_and_a_test() -> None:
    rows = catalogue()
    assert len(rows) > 50
    assert not [row for row in rows if len(row) != 4 or not all(row)]
    assert not [row[0] for row in rows if not re.fullmatch(r"\d+(\.\d+)+[a-z]?", row[0])]
    ids = [row[0] for row in rows]
    assert len(set(ids)) == len(ids)


def test_a_row_that_is_not_of_the_text_is_marked_and_has_a_reason_and_a_test() -> None:
    for id_, statement, source, _ in catalogue():
        assert source in ("text", "found", "ours")
        assert (source != "text") == statement.startswith("Reconstructed: "), id_
        if source != "text":
            assert " Reason: " in statement, id_
            assert id_ in named(), id_


def test_every_id_that_a_test_names_is_in_the_catalogue() -> None:
    assert not named() - {row[0] for row in catalogue()}


def test_tests_name_nearly_all_rows() -> None:
    ids = {row[0] for row in catalogue()}
    left = sorted(ids - named())
    assert len(left) <= len(ids) * (1 - NAMED), left
