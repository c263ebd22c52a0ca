"""The file of a study: round trips, crashes between two writes, two writers, and damaged files."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from paxtui.engine.refusal import Refusal
from paxtui.session.storage import files
from paxtui.session.storage.files import TEMP_MARK
from paxtui.session.storage.log_store import read_log
from paxtui.studies.editing import (
    LogRef,
    add_branch,
    add_comment,
    clean_comment,
    find_ref,
    promote,
    put_log,
    remove_log,
    rename_log,
    replace_comment,
    toggle_arrow,
    toggle_highlight,
    toggle_mark,
    tree,
)
from paxtui.studies.study import (
    LONGEST_COMMENT,
    MARK_KINDS,
    Arrow,
    Branch,
    Chapter,
    Comment,
    Highlight,
    Mark,
    Study,
    StudyError,
    StudyFile,
    StudyInUse,
    decode_study,
    encode_study,
    fits_log,
    line_hash,
    load_study,
    study_path,
)
from tests.places import ROOT

LOG = ROOT / "saves/ten-turns-0.2.0.jsonl"

QUICK = (Phase.explicit, Phase.reuse, Phase.generate)
"""Without shrinking: it takes minutes, and the examples are small."""

LINES = st.integers(1, 999)
HASHES = st.integers(0, 2**128 - 1).map("{:032x}".format)
TEXTS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8)
NAMES = st.sampled_from(["tunis", "egypt", "home:france", "sea:baltic"])
ANNOTATIONS = {
    "file": TEXTS,
    "hash": HASHES,
    "lines": LINES,
    "tip": HASHES,
    "title": st.text(max_size=8, alphabet=st.characters(codec="utf-8")),
    "comments": st.lists(st.builds(Comment, LINES, TEXTS, TEXTS, TEXTS), max_size=2).map(tuple),
    "marks": st.lists(st.builds(Mark, LINES, st.sampled_from(MARK_KINDS)), max_size=2).map(tuple),
    "arrows": st.lists(st.builds(Arrow, LINES, NAMES, NAMES), max_size=2).map(tuple),
    "highlights": st.lists(st.builds(Highlight, LINES, NAMES), max_size=2).map(tuple),
}


@st.composite
def chapters(draw: st.DrawFn) -> Chapter:
    chapter = draw(st.builds(Chapter, **ANNOTATIONS, at=LINES, seat=st.sampled_from(["", "france"])))
    branches: list[Branch] = []
    for _ in range(draw(st.integers(0, 3))):
        parents = [chapter.hash, *(branch.hash for branch in branches)]
        branches.append(draw(st.builds(
            Branch, **ANNOTATIONS, parent=st.sampled_from(parents), line=LINES, seat=st.just("france")
        )))  # fmt: skip
    return msgspec.structs.replace(chapter, branches=tuple(branches))


STUDIES = st.builds(Study, chapters=st.lists(chapters(), min_size=1, max_size=2).map(tuple))


def short_study(text: str = "why?") -> Study:
    """A study with one comment."""
    return Study(chapters=(
        Chapter(file="g.jsonl", hash="0" * 32, lines=9, tip="1" * 32, comments=(Comment(4, text),)),
    ))  # fmt: skip


@pytest.mark.random
@given(STUDIES)
@settings(max_examples=40, phases=QUICK)
def test_encoded_study_decodes_to_itself(study):
    assert decode_study(encode_study(study), Path("g.study")) == study


@pytest.mark.random
@given(STUDIES, st.data())
@settings(max_examples=40, phases=QUICK)
def test_damaged_bytes_raise_study_error_only(study, data):
    whole = encode_study(study)
    cut = data.draw(st.integers(0, len(whole) - 2))
    bytes_ = whole[:cut] + data.draw(st.binary(max_size=4)) + whole[data.draw(st.integers(cut, len(whole))) :]
    with suppress(StudyError):
        decode_study(bytes_, Path("g.study"))


ANY = st.integers(0, 99)
"""Index of one of several items."""
EDITS = st.one_of(
    st.tuples(st.just("comment"), ANY, LINES, st.text(max_size=8)),
    st.tuples(st.just("recomment"), ANY, ANY, st.text(max_size=8)),
    st.tuples(st.just("mark"), ANY, st.integers(1, 3), st.sampled_from(MARK_KINDS)),
    st.tuples(st.just("arrow"), ANY, st.integers(1, 3), NAMES),
    st.tuples(st.just("highlight"), ANY, st.integers(1, 3), NAMES),
    st.tuples(st.just("branch"), ANY, LINES, ANY),
    st.tuples(st.just("rename"), ANY, ANY, st.text(max_size=70)),
    st.tuples(st.sampled_from(["promote", "remove"]), ANY, ANY, ANY),
)


def apply_edit(study: Study, edit: tuple[Any, ...], number: int) -> Study:
    """Return the study after an edit. Raises: Refusal."""
    kind, at, second, third = edit
    refs = [row.ref for row in tree(study)]
    ref = refs[at % len(refs)]
    log = find_ref(study, ref)
    match kind:
        case "comment" | "recomment":
            text = clean_comment(third)
            if kind == "comment":
                return put_log(study, ref, add_comment(log, Comment(second, text)) if text else log)
            if not log.comments:
                return study
            old = log.comments[second % len(log.comments)]
            new = Comment(old.line, text) if text else None
            return put_log(study, ref, replace_comment(log, old, new))
        case "mark":
            return put_log(study, ref, toggle_mark(log, second, third))
        case "arrow":
            return put_log(study, ref, toggle_arrow(log, Arrow(second, "egypt", third)))
        case "highlight":
            return put_log(study, ref, toggle_highlight(log, Highlight(second, third)))
        case "branch":
            own = f"{number:032x}"
            new_branch = Branch(
                file=f"{number}.jsonl", hash=own, lines=1, tip=own, parent=log.hash, line=second, seat="france"
            )  # fmt: skip
            return add_branch(study, ref.chapter, new_branch)
        case "rename":
            return rename_log(study, ref, third)
        case "promote":
            return promote(study, ref)[0]
        case _:
            return remove_log(study, ref)


@pytest.mark.random
@given(st.lists(EDITS, max_size=25))
@settings(max_examples=60, phases=QUICK)
def test_random_edits_keep_a_study_valid(edits):
    study = short_study()
    for number, edit in enumerate(edits, start=1):
        before = [find_ref(study, row.ref) for row in tree(study)]
        try:
            study = apply_edit(study, edit, number)
        except Refusal:
            continue
        assert decode_study(encode_study(study), Path("g.study")) == study
        after = [find_ref(study, row.ref) for row in tree(study)]
        change = {"branch": 1, "remove": -1}.get(edit[0], 0)
        assert len(after) == len(before) + change, "each log is in the tree once"
        comments = sum(len(log.comments) for log in before)
        if edit[0] not in ("comment", "recomment", "remove"):
            assert sum(len(log.comments) for log in after) == comments


STEPS = st.tuples(STUDIES, st.sampled_from(["", "", "write", "fsync", "replace", "link", "sync_directory"]))


@pytest.mark.random
@given(st.lists(STEPS, min_size=1, max_size=4))
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow], phases=QUICK)
def test_crash_while_saving_loses_no_saved_study(tmp_path_factory, steps):
    path = tmp_path_factory.mktemp("crash") / "g.study"
    on_disk: list[Study | None] = [None]
    with StudyFile(path) as file:
        for study, crash in steps:
            with pytest.MonkeyPatch.context() as patch, suppress(OSError):
                crash_at(patch, crash)
                file.save(study)
            on_disk.append(study)
            if not crash:
                del on_disk[:-1]
            # the old study or the new one, never a part of one
            assert (load_study(path) if path.exists() else None) in on_disk
            rescued = [load_study(one) for one in path.parent.glob("*.rescued*")]
            assert file.study is None or file.study in [*on_disk, *rescued]


def crash_at(patch: pytest.MonkeyPatch, step: str) -> None:
    """Let a step of the next write fail."""

    def fail(*args: object, **named: object) -> None:
        raise OSError(5, "Input/output error")

    def write_half(descriptor: int, data: bytes, offset: int) -> None:
        os.pwrite(descriptor, data[: len(data) // 2], offset)
        fail()

    if step == "write":
        patch.setattr(files, "write_at", write_half)
    elif step == "sync_directory":
        patch.setattr(files, "sync_directory", fail)
    elif step:
        patch.setattr(os, step, fail)


def test_killed_writer_leaves_the_old_study(tmp_path):
    path = tmp_path / "g.study"
    with StudyFile(path) as file:
        file.save(short_study())
    half = tmp_path / f".g.study.abcd{TEMP_MARK}"
    half.write_bytes(encode_study(short_study("newer"))[:50])
    with StudyFile(path) as file:
        assert file.study == short_study()
        file.save(short_study("next"))
    assert load_study(path) == short_study("next") and not half.exists()


def test_second_writer_of_a_study_is_refused(tmp_path):
    path = tmp_path / "g.study"
    with StudyFile(path) as first:
        first.save(short_study())
        with pytest.raises(StudyError, match="open in another program"):
            StudyFile(path)
        first.save(short_study("second"))
        with pytest.raises(StudyError, match="open in another program"):
            StudyFile(path)
    with StudyFile(path) as later:
        assert later.study == short_study("second")


def test_second_writer_of_a_new_study_saves_a_copy(tmp_path):
    path = tmp_path / "g.study"
    with StudyFile(path) as first, StudyFile(path) as second:
        first.save(short_study("first"))
        with pytest.raises(StudyError, match=r"saved as g\.rescued\.study"):
            second.save(short_study("second"))
    assert load_study(path) == short_study("first")
    assert load_study(tmp_path / "g.rescued.study") == short_study("second")


WRITES = st.tuples(st.sampled_from("ab"), st.sampled_from(["open", "save", "save", "close", "delete"]))


@pytest.mark.random
@given(st.lists(WRITES, max_size=14))
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow], phases=QUICK)
def test_two_writers_lose_no_comment(tmp_path_factory, steps):
    """Two programs open, save and close in any order, and a sync tool deletes the file."""
    folder = tmp_path_factory.mktemp("two")
    path, written = folder / "g.study", list[str]()
    open_: dict[str, StudyFile] = {}
    deleted: set[str] = set()
    for who, step in steps:
        if step == "open" and who not in open_:
            with suppress(StudyInUse):
                open_[who] = StudyFile(path)
        elif step == "close" and who in open_:
            open_.pop(who).close()
        elif step == "delete" and path.exists():
            deleted |= comments_of(path)
            path.unlink()
        elif step == "save" and who in open_:
            text = f"{who}{len(written)}"
            written.append(text)
            study = open_[who].study or short_study("first")
            log = study.chapters[0]
            with suppress(StudyError):
                open_[who].save(put_log(study, LogRef(0), add_comment(log, Comment(4, text))))
        kept = set[str]().union(deleted, *(comments_of(one) for one in folder.glob("*.study")))
        assert {*written} <= kept, "in the study, or in one that was rescued"
    for file in open_.values():
        file.close()


def comments_of(path: Path) -> set[str]:
    return {comment.text for comment in load_study(path).chapters[0].comments}


def test_replaced_file_is_not_overwritten(tmp_path):
    path = tmp_path / "g.study"
    with StudyFile(path) as file:
        file.save(short_study())
        files.replace_file(path, encode_study(short_study("theirs")))
        for n in ("", "2"):
            with pytest.raises(StudyError, match=rf"saved as g\.rescued{n}\.study"):
                file.save(short_study("mine"))
    assert load_study(path) == short_study("theirs")


BROKEN = {
    b"": "is damaged",
    b"[" * 100_000: "is damaged",
    b'{"version": 1}': "is damaged",
    b'{"version": 1, "chapters": []}': "is damaged",
    b'{"version": 2, "chapters": "of another kind"}': "version 2 of the format",
    b"\xff\xfe": "is damaged",
    encode_study(short_study()).replace(b'"line": 4', b'"line": 0'): "is damaged",
    encode_study(short_study()).replace(b'"why?"', b'"' + b"x" * (LONGEST_COMMENT + 1) + b'"'): "is damaged",
    encode_study(short_study()).replace(b'"text"', b'"txet"'): "is damaged",
}


@pytest.mark.parametrize(("data", "message"), BROKEN.items(), ids=range(len(BROKEN)))
def test_bad_file_is_refused_and_kept(tmp_path, data, message):
    path = tmp_path / "g.study"
    path.write_bytes(data)
    for opens in (StudyFile, load_study):
        with pytest.raises(StudyError, match=message):
            opens(path)
    assert path.read_bytes() == data


def test_branch_without_a_parent_is_refused():
    lost = Branch(
        file="b.jsonl", hash="2" * 32, lines=1, tip="2" * 32, parent="3" * 32, line=5, seat="france"
    )  # fmt: skip
    study = short_study()
    chapter = msgspec.structs.replace(study.chapters[0], branches=(lost,))
    with pytest.raises(StudyError, match=r"the branch b\.jsonl has no parent"):
        decode_study(encode_study(Study(chapters=(chapter,))), Path("g.study"))


def test_study_finds_its_log_by_hash():
    parsed = read_log(LOG)
    lines, tip = parsed.lines, parsed.tip
    half = len(lines) // 2
    chapter = Chapter(
        file=LOG.name, hash=line_hash(lines, tip, 1), lines=half, tip=line_hash(lines, tip, half)
    )  # fmt: skip
    assert fits_log(chapter, lines, tip), "it has grown"
    assert fits_log(chapter, lines[: half - 1], chapter.tip), "it is as it was"
    assert not fits_log(chapter, lines[: half - 2], line_hash(lines, tip, half - 1)), "its end is missing"
    other = msgspec.structs.replace(chapter, tip="0" * 32)
    assert not fits_log(other, lines, tip), "it went on in another way"
    theirs = read_log(ROOT / "saves/ten-turns-1880.jsonl")
    assert not fits_log(chapter, theirs.lines, theirs.tip)
    assert study_path(LOG).name == "ten-turns-0.2.0.study"
