"""Damaged files of reviews, puzzles, studies and the archive are reported and never overwritten."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from shutil import copy
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from paxtui.archive.index import Archive, ArchiveError
from paxtui.archive.openings import Step, find_opening
from paxtui.archive.query import Query, load_vocabulary
from paxtui.engine.log import BrokenLog
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import SPECTATOR
from paxtui.session.pax_host import PaxHost
from paxtui.session.storage.files import StorageError
from paxtui.session.tables.loader import load_tables
from paxtui.sharing.remarks import review_remarks, study_remarks
from paxtui.studies.editing import tree
from paxtui.studies.puzzles import ask, explain, load_puzzles, open_puzzle, read_puzzle
from paxtui.studies.review import describe_point, review_game
from paxtui.studies.review_file import load_review, review_path, save_review
from paxtui.studies.review_refinement import merge
from paxtui.studies.study import study_path
from paxtui.studies.study_session import open_study
from paxtui.tui.formatting.review import chances_chart
from tests.places import SAVES

pytestmark = pytest.mark.random
EXPECTED = (StorageError, Refusal, BrokenLog, OSError)
"""Errors that all screens and commands report."""
FEW_EXAMPLES = settings(
    max_examples=40, deadline=None, phases=(Phase.explicit, Phase.generate), suppress_health_check=list(HealthCheck)
)
VALUES = st.sampled_from([
    None, -1, 0, 1, 99999, 2**70, 1.5, "", "x", "france", "arbiter", "../../x.jsonl", "\x00\x1b[31m", "é" * 70, [], {},
    [[]], True,
])  # fmt: skip
PLACES = st.lists(st.integers(0, 99), min_size=1, max_size=8)


def damage(value: Any, way: list[int], new: Any) -> Any:
    """Return JSON in which the value at a path is replaced, or removed for `...`."""
    if isinstance(value, dict | list) and value and way:
        keys: list[Any] = [*value] if isinstance(value, dict) else [*range(len(value))]
        key = keys[way[0] % len(keys)]
        inner = damage(value[key], way[1:], new)
        if isinstance(value, dict):
            return {k: inner if k == key else v for k, v in value.items() if k != key or inner is not ...}
        return [inner if n == key else v for n, v in enumerate(value) if n != key or inner is not ...]
    return new


CHANGES = st.lists(st.tuples(PLACES, VALUES | st.just(...)), min_size=1, max_size=3)


def damaged(data: bytes, changes: list[tuple[list[int], Any]]) -> bytes:
    """Return a JSON file with some values changed."""
    value = json.loads(data)
    for way, new in changes:
        value = damage(value, way, new)
    return json.dumps(value if value is not ... else None).encode()


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished game."""
    return Path(copy(SAVES / "great-war-0.2.0.jsonl", tmp_path_factory.mktemp("damaged") / "game.jsonl"))


@pytest.fixture(scope="module")
def host(log: Path) -> PaxHost:
    """The open game."""
    return PaxHost.open(log, write=False)


@given(CHANGES)
@FEW_EXAMPLES
def test_damaged_review_is_reported(log: Path, host: PaxHost, changes: list[tuple[list[int], Any]]) -> None:
    path, found = review_path(log), review_game(host)
    path.unlink(missing_ok=True)
    save_review(log, host, found)
    data = damaged(path.read_bytes(), changes)
    path.write_bytes(data)
    with suppress(*EXPECTED):
        kept = load_review(log, host)
        assert kept is not None
        for review in (kept, merge(found, kept)):
            assert all(describe_point(host.tables, point) for point in review.points)
            review_remarks(host, review)
            chances_chart(host.tables, review)
    assert path.read_bytes() == data


@given(st.integers(0, 19), CHANGES)
@FEW_EXAMPLES
def test_damaged_puzzle_is_reported(log: Path, number: int, changes: list[tuple[list[int], Any]]) -> None:
    path, tables = log.with_name("puzzle.json"), load_tables()
    path.write_bytes(damaged(msgspec.json.encode(load_puzzles()[number]), changes))
    with suppress(*EXPECTED):
        puzzle = read_puzzle(path)
        open_puzzle(puzzle)
        assert ask(tables, puzzle) and all(explain(tables, puzzle, n) for n in range(len(puzzle.candidates)))


@pytest.fixture(scope="module")
def study(log: Path) -> bytes:
    """A study of the game, with all kinds of notes."""
    session = open_study(log, author="Ann", clock=lambda: "2026-01-01T12:00:00+00:00")
    session.look_at(3)
    session.write_comment("Why?")
    session.toggle_mark("blunder")
    session.toggle_arrow("tunis", "egypt")
    session.toggle_highlight("egypt")
    session.book.close()
    return study_path(log).read_bytes()


@given(CHANGES)
@FEW_EXAMPLES
def test_damaged_study_is_reported(
    log: Path, host: PaxHost, study: bytes, changes: list[tuple[list[int], Any]]
) -> None:
    path = study_path(log)
    path.write_bytes(data := damaged(study, changes))
    with suppress(*EXPECTED):
        study_remarks(host, log, SPECTATOR)
        session = open_study(log)
        try:
            for row in tree(session.book.study):
                shown = session.open_log(row.ref)
                for line in shown.notes_by_line:
                    shown.look_at(line)
                    assert shown.line_signs and any(shown.notes_here)
        finally:
            session.book.close()
    assert path.read_bytes() == data, "opening a study writes nothing"


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive with two games."""
    home = tmp_path_factory.mktemp("archive")
    (home / "saves").mkdir()
    for name in ("great-war-0.2.0", "congress-0.2.0"):
        copy(SAVES / f"{name}.jsonl", home / "saves")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PAXTUI_HOME", str(home))
        with Archive() as opened:
            opened.update()
    return home / "archive.sqlite"


@given(st.integers(0, 200_000), st.binary(min_size=1, max_size=200), st.booleans())
@FEW_EXAMPLES
def test_damaged_archive_is_reported(archive: Path, at: int, garbage: bytes, is_cut: bool) -> None:
    whole = archive.read_bytes()
    at %= len(whole)
    broken = archive.with_name("broken.sqlite")
    for file in archive.parent.glob("broken*"):
        file.unlink()
    broken.write_bytes(whole[:at] + garbage + (b"" if is_cut else whole[at + len(garbage) :]))
    tables = load_tables()
    with pytest.MonkeyPatch.context() as patch, suppress(ArchiveError):
        patch.setenv("PAXTUI_HOME", str(archive.parent))
        with Archive(broken) as opened:
            opened.update()
            words = load_vocabulary(tables, opened)
            for text in ("japan holds korea by 1892", "war", '"great"', ""):
                opened.find(*Query(text, words).condition)
            find_opening(opened, "britain", (Step(1, "egypt"),))
