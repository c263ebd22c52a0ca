"""A disk that takes its time: the log is on its way meanwhile, in order, and what has not come there does not count."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from paxtui.engine.log import Line, digest, encode_line
from paxtui.session.storage.files import StorageError
from paxtui.session.storage.log_store import LogReplaced, LogStore, read_log
from tests.engine.counter_game import header
from tests.slow_disk import Disk, controlled_disk


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    with controlled_disk(monkeypatch) as disk:
        yield disk


@pytest.fixture
def store(tmp_path: Path, disk: Disk) -> Iterator[LogStore]:
    with LogStore.create(tmp_path / "game.jsonl", header()) as made:
        made.wait_at_most(0.0)
        disk.may_go_on.clear()
        yield made
        disk.may_go_on.set()


def line(store: LogStore, n: int, before: bytes = b"") -> bytes:
    """Line `n`, after the bytes of the one before it; without them after the last one on the disk."""
    tip = digest(before) if before else store.tip
    return encode_line(Line(n=n, seat="red", action={"type": "add"}, prev=tip))


def test_whoever_hands_a_line_in_goes_on_and_it_counts_when_it_is_on_the_disk(store: LogStore, disk: Disk) -> None:
    second = line(store, 2)
    store.append(second)
    third = line(store, 3, second)
    store.append(third)
    assert store.saving and store.version == 1, "neither counts"
    disk.may_go_on.set()
    assert store.log.endswith(second + third), "who wants the log waits for it"
    assert not store.saving and store.version == 3 and not store.failed
    assert [each.n for each in read_log(store.path).lines] == [2, 3]


def test_a_line_that_does_not_follow_the_last_one_on_its_way_is_none(store: LogStore, disk: Disk) -> None:
    store.append(line(store, 2))
    with pytest.raises(ValueError, match="line 2 does not follow line 2"):
        store.append(line(store, 2))


def test_closing_waits_for_the_disk(store: LogStore, disk: Disk) -> None:
    store.append(line(store, 2))
    disk.may_go_on.set()
    store.close()
    assert [each.n for each in read_log(store.path).lines] == [2]


def test_when_a_line_fails_that_was_on_its_way_neither_it_nor_what_came_after_counts(
    store: LogStore, disk: Disk
) -> None:
    second = line(store, 2)
    store.append(second)
    store.append(line(store, 3, second))
    disk.broken = True
    disk.may_go_on.set()
    told = store.trouble
    assert "Line 2 of" in told and "the disk is broken" in told and "Everything up to line 1 is in the file" in told
    assert store.failed == told and not store.saving and store.version == 1
    assert read_log(store.path).lines == (), "nothing of either is left in the file"
    with pytest.raises(StorageError, match="Line 2 of"):
        store.append(line(store, 2))


def test_where_the_disk_answers_at_once_a_failure_is_reported_at_once_and_the_game_goes_on(
    tmp_path: Path, disk: Disk
) -> None:
    with LogStore.create(tmp_path / "game.jsonl", header()) as store:
        store.wait_at_most(60.0)
        disk.broken = True
        with pytest.raises(OSError, match="the disk is broken"):
            store.append(line(store, 2))
        assert not store.failed and store.version == 1
        store.append(line(store, 2))
        assert store.version == 2 and not store.saving


def test_a_file_that_is_lost_while_a_line_is_on_its_way_is_rescued(store: LogStore, disk: Disk) -> None:
    store.append(line(store, 2))
    store.path.unlink()
    disk.may_go_on.set()
    assert "was removed or renamed" in store.trouble and "up to line 1 is in" in store.trouble
    assert store.path.with_name("game.rescued.jsonl").exists()
    with pytest.raises(LogReplaced):
        store.append(line(store, 2))
