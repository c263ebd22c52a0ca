"""The tool that plants faults: which faults it plants, and which tests catch them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.places import ROOT
from tools.planted_faults.__main__ import EQUIVALENTS, main
from tools.planted_faults.coverage_map import CoverageMap, record
from tools.planted_faults.planting import (
    CALL,
    COMPARISON,
    CONSTANT,
    ELEMENT,
    JUNCTION,
    KINDS,
    Fault,
    chosen,
    faults,
    listed,
)
from tools.planted_faults.report import digest
from tools.planted_faults.tree_copy import TreeCopy
from tools.planted_faults.trial import CAUGHT, SURVIVED, Trials


def planted(text: str) -> set[tuple[str, str]]:
    """Return kind and changed line of each sound fault of a text."""
    return {(f.kind, f.after.strip()) for f in faults("m.py", text) if f.sound(text)}


# --- faults ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "kind", "after"),
    [
        ("a < b", COMPARISON, "a <= b"),
        ("(a)>=(b)", COMPARISON, "(a)>(b)"),
        ("a == b", COMPARISON, "a != b"),
        ("a not in b", COMPARISON, "a in b"),
        ("a is not None", COMPARISON, "a is None"),
        ("ä < b", COMPARISON, "ä <= b"),
        ("x = 3", CONSTANT, "x = 4"),
        ("x = True", CONSTANT, "x = False"),
        ("x = 'größer' + y", CONSTANT, 'x = "" + y'),
        ('x = "".join(y)', CONSTANT, 'x = "?".join(y)'),
        ("a and b", JUNCTION, "a or b"),
        ("(a or b) and c", JUNCTION, "(a or b) or c"),
        ("play.emit(event)", CALL, "pass"),
        ("x = sorted(y, key=len)", CALL, "x = y"),
        ("x = max((a for a in y))", CALL, "x = (a for a in y)"),
        ("x = (a, b)", ELEMENT, "x = (a,)"),
        ("x = (a, b)", ELEMENT, "x = (b,)"),
        ("x = [a, b, c]", ELEMENT, "x = [a, c]"),
        ("x = [a, b, c]", ELEMENT, "x = [a, b]"),
        ("x = (a,)", ELEMENT, "x = ()"),
        ("x = {a, *b}", ELEMENT, "x = {a}"),
        ('x = {"a": b, **c}', ELEMENT, "x = {**c}"),
    ],
)
def test_each_kind_of_fault_is_produced(line: str, kind: str, after: str) -> None:
    assert (kind, after) in planted(line)


def test_fault_changes_one_line_and_knows_its_statement() -> None:
    text = """\
def f(a):
    if (
        a > 1
        and a < 5
    ):
        return g(a, [
            1,
            2])
"""
    found = [f for f in faults("m.py", text) if f.sound(text)]
    for fault in found:
        old, new = text.split("\n"), fault.planted(text).split("\n")
        assert [n for n, (a, b) in enumerate(zip(old, new, strict=True), start=1) if a != b] == [fault.line]
    spans = {(f.after.strip(), f.first, f.last) for f in found}
    assert {("or a < 5", 2, 5), ("a >= 1", 2, 5), ("3])", 6, 8)} <= spans


@pytest.mark.parametrize(
    "text",
    [
        '"""A docstring with 3 < 4."""',
        'def f(a: "text", b: Literal["x"]) -> "y":\n    """1."""\n    return a',
        '__all__ = ["a", "b"]',
        'x = f"{a} of {3}"',
        "class E(Event, frozen=True):\n    a: dict[str, int]",
        "a, b = c",
        "import a",
    ],
)
def test_texts_without_effect_get_no_faults(text: str) -> None:
    assert planted(text) == set()


def test_same_seed_gives_the_same_faults_of_all_kinds() -> None:
    first = chosen(ROOT, ["paxtui/engine"], 1915, 60)
    assert first == chosen(ROOT, ["paxtui/engine"], 1915, 60) and len(set(first)) == 60
    assert first != chosen(ROOT, ["paxtui/engine"], 1916, 60)
    assert all(sum(f.kind == kind for f in first) >= 5 for kind in KINDS)
    assert first[:20] == chosen(ROOT, ["paxtui/engine"], 1915, 20)


# --- trials ---------------------------------------------------------------------------------------------------------

CODE = """\
LIMIT = 3


def bigger(a, b):
    if a > b:
        return a
    return b


def down(n):
    while n != 0:
        n -= 1
    return "landed"


def untested(n):
    return n == LIMIT
"""
TESTS = """\
import sys
from pathlib import Path
from subprocess import run

from toy.sums import bigger, down


def test_bigger():
    assert (bigger(1, 2), bigger(2, 1), bigger(2, 2)) == (2, 2, 2)


def test_down():
    assert down(3)


def test_output_of_a_command():
    output = run([sys.executable, "-c", "import toy.sums as t; print(t.down(1), t.LIMIT)"], capture_output=True).stdout
    assert output == b"landed 3\\n"


def test_every_second_time():
    times = Path("times")
    times.write_text((times.read_text() if times.exists() else "") + "x")
    assert bigger(len(times.read_text()) % 2, 0)


def test_red():
    assert bigger(1, 1) == 7
"""


SCREEN = "from toy.sums import down\n\n\ndef test_screen():\n    assert down(1) == 'landed'\n"
"""A test of the screen, whose lines are not recorded."""


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small tree with tests, of which one fails always and one every second time."""
    root = tmp_path_factory.mktemp("toy")
    files = {"toy/__init__.py": "", "toy/sums.py": CODE, "tests/test_sums.py": TESTS, "tests/tui/test_tui.py": SCREEN}
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    return root


@pytest.fixture(scope="module")
def trials(toy: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trials]:
    """A recording of the small tree."""
    with pytest.MonkeyPatch.context() as patch, TreeCopy(toy) as copy:
        patch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # plugins take longer to load than these tests take to run
        directory = tmp_path_factory.mktemp("recorded")
        record(copy, ["toy"], directory, 1)
        yield Trials(copy, CoverageMap(directory), 2.0, 1)


def fault_with(after: str) -> Fault:
    """Return the fault of the small tree with a changed line."""
    (found,) = [f for f in faults("toy/sums.py", CODE) if f.after.strip() == after]
    return found


def test_tests_of_a_line_are_known_without_failing_ones(trials: Trials) -> None:
    recorded = trials.recorded
    assert recorded.red == {"tests/test_sums.py::test_red"}
    seen_by = {"tests/test_sums.py::test_bigger", "tests/test_sums.py::test_every_second_time"}
    by_line = recorded.tests_of(fault_with("if a >= b:"))
    assert {*by_line.tests} == seen_by and by_line.by == "line"
    assert recorded.tests_of(fault_with("n -= 2")).tests == ("tests/test_sums.py::test_down",)
    assert recorded.tests_of(fault_with("return n != LIMIT")) == ((), "nobody")
    assert recorded.tests_of(fault_with("LIMIT = 4")).by == "file"


@pytest.mark.parametrize(
    ("after", "result", "by"),
    [
        ("while n == 0:", SURVIVED, "1 tests run this line"),
        ("n -= 2", CAUGHT, "tests/test_sums.py::test_down"),  # it would loop for ever
        ('return ""', CAUGHT, "tests/test_sums.py::test_down"),
        ("LIMIT = 4", CAUGHT, "tests/test_sums.py::test_output_of_a_command"),  # commands started by tests see it too
        ("return n != LIMIT", SURVIVED, "no test runs this line"),
        ("if a >= b:", SURVIVED, "2 tests run this line"),
        ("if a >= b:", SURVIVED, "2 tests run this line"),  # whether the unreliable test fails or not
    ],
)
def test_faults_are_caught_or_reported_as_surviving(
    trials: Trials, toy: Path, after: str, result: str, by: str
) -> None:
    before = digest(toy, ["."])
    assert trials.tried(fault_with(after))[:2] == (result, by)
    assert digest(toy, ["."]) == before
    assert (trials.copy.path / "toy/sums.py").read_text("utf-8") == CODE


def test_quick_trials_run_only_recorded_tests(trials: Trials) -> None:
    assert trials.tried(fault_with("LIMIT = 4")).result == CAUGHT
    quick = Trials(trials.copy, trials.recorded, 2.0, 1, quick=True)
    assert quick.tried(fault_with("LIMIT = 4"))[:2] == (SURVIVED, "3 tests run this file")


# --- the command ----------------------------------------------------------------------------------------------------


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tree with two places for faults; a test covers one of them."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    root = tmp_path / "tree"
    for name, text in (
        ("toy/__init__.py", ""),
        ("toy/sums.py", "def bigger(a, b):\n    if a > b:\n        return a\n    return b\n"),
        ("toy/more.py", "def both(a, b):\n    return a and b\n"),
        ("tests/test_both.py", "from toy.more import both\n\n\ndef test_both():\n    assert not both(1, 0)\n"),
    ):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    return root


def command(tree: Path, *words: str) -> int:
    return main(["--root", str(tree), "--over", "toy", "--count", "9", "--jobs", "1", *words])


def test_command_reports_what_caught_each_fault(tree: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results_file = tmp_path / "faults.jsonl"
    assert command(tree, "--resume", str(results_file)) == 1
    output = capsys.readouterr().out
    assert "toy/more.py:2  and/or  caught by tests/test_both.py::test_both" in output
    assert "return a and b  ->  return a or b" in output
    assert "toy/sums.py:2  comparison  SURVIVED (no test runs this line)" in output
    assert output.endswith("1 caught (1 by the quick tier), 1 SURVIVED\n")
    # an interrupted run continues, and a finished one has nothing left to do
    whole = results_file.read_text("utf-8")
    results_file.write_text("".join(whole.splitlines(keepends=True)[:2]), "utf-8")
    assert command(tree, "--resume", str(results_file)) == 1
    assert capsys.readouterr().out == output.split("...\n")[1] and results_file.read_text("utf-8") == whole
    # a run of another tree is refused
    (tree / "toy/more.py").write_text("def both(a, b):\n    return a or b\n", "utf-8")
    assert command(tree, "--resume", str(results_file)) == 2
    assert "tree differs" in capsys.readouterr().err


def test_list_of_faults_is_planted_and_missing_lines_are_named(
    tree: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tree / "tests/test_slow.py").write_text(
        "import pytest\nfrom toy.sums import bigger\n\n\n@pytest.mark.slow\ndef test_slow():\n    assert bigger(1, 0)\n"
    )
    rows = [("toy/more.py", "return a and b", "return a or b"), ("toy/sums.py", "return a", "return 0")]
    list_ = tmp_path / "list.toml"
    list_.write_text("".join(f'[[fault]]\nfile = "{f}"\nbefore = "{a}"\nafter = "{b}"\n' for f, a, b in rows), "utf-8")
    assert command(tree, "--faults", str(list_)) == 0
    output = capsys.readouterr().out
    assert "toy/sums.py:3  listed  caught by tests/test_slow.py::test_slow\n" in output
    assert output.endswith("2 caught (1 by the quick tier)\n")
    assert command(tree, "--faults", str(list_), "--quick") == 1, "the slow test is not run"
    assert capsys.readouterr().out.endswith("1 caught (1 by the quick tier), 1 SURVIVED\n")
    list_.write_text(list_.read_text("utf-8").replace("a and b", "a xor b"), "utf-8")
    assert command(tree, "--faults", str(list_)) == 2
    assert "no longer there:\ntoy/more.py: return a xor b" in capsys.readouterr().err


def test_lines_of_the_forty_faults_exist() -> None:
    assert len(listed(ROOT, ROOT / "tools/planted_faults/forty.toml")) == 40


def test_equivalent_fault_needs_a_reason(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = {"file": "toy/sums.py", "before": "if a > b:", "after": "if a >= b:", "reason": "of equals either will do"}
    table = tree / EQUIVALENTS
    table.parent.mkdir(parents=True)
    table.write_text("[[fault]]\n" + "".join(f"{k} = {json.dumps(v)}\n" for k, v in row.items()), "utf-8")
    assert command(tree) == 0
    output = capsys.readouterr().out
    assert "comparison  equivalent (of equals either will do)" in output
    assert output.endswith("1 caught (1 by the quick tier), 1 equivalent\n")
    table.write_text(table.read_text("utf-8").replace("of equals either will do", " "), "utf-8")
    assert command(tree) == 2
    assert "has no reason" in capsys.readouterr().err
    assert main(["--root", str(tree), "--over", "nowhere"]) == 2
