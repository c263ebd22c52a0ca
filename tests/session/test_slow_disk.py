"""A slow disk: lines are written in order in the background, and count only when they are on disk."""

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
    """Encode line `n`. Args: the store; its number; the line before it, by default the last one on disk."""
    tip = digest(before) if before else store.tip
    return encode_line(Line(n=n, seat="red", action={"type": "add"}, prev=tip))


def test_append_returns_early_and_a_line_counts_on_disk(store: LogStore, disk: Disk) -> None:
    second = line(store, 2)
    store.append(second)
    third = line(store, 3, second)
    store.append(third)
    assert store.saving and store.version == 1, "neither counts"
    disk.may_go_on.set()
    assert store.log.endswith(second + third), "reading the log waits for the disk"
    assert not store.saving and store.version == 3 and not store.failed
    assert [each.n for each in read_log(store.path).lines] == [2, 3]


def test_line_must_follow_the_last_pending_line(store: LogStore, disk: Disk) -> None:
    store.append(line(store, 2))
    with pytest.raises(ValueError, match="line 2 does not follow line 2"):
        store.append(line(store, 2))


def test_closing_waits_for_the_disk(store: LogStore, disk: Disk) -> None:
    store.append(line(store, 2))
    disk.may_go_on.set()
    store.close()
    assert [each.n for each in read_log(store.path).lines] == [2]


def test_failed_line_and_later_lines_do_not_count(store: LogStore, disk: Disk) -> None:
    second = line(store, 2)
    store.append(second)
    store.append(line(store, 3, second))
    disk.broken = True
    disk.may_go_on.set()
    message = store.trouble
    assert (
        "Line 2 of" in message
        and "the disk is broken" in message
        and "Everything up to line 1 is in the file" in message
    )
    assert store.failed == message and not store.saving and store.version == 1
    assert read_log(store.path).lines == (), "nothing of either is left in the file"
    with pytest.raises(StorageError, match="Line 2 of"):
        store.append(line(store, 2))


def test_fast_failure_is_raised_and_the_game_continues(tmp_path: Path, disk: Disk) -> None:
    with LogStore.create(tmp_path / "game.jsonl", header()) as store:
        store.wait_at_most(60.0)
        disk.broken = True
        with pytest.raises(OSError, match="the disk is broken"):
            store.append(line(store, 2))
        assert not store.failed and store.version == 1
        store.append(line(store, 2))
        assert store.version == 2 and not store.saving


def test_file_lost_during_a_pending_write_is_rescued(store: LogStore, disk: Disk) -> None:
    store.append(line(store, 2))
    store.path.unlink()
    disk.may_go_on.set()
    assert "was removed or renamed" in store.trouble and "up to line 1 is in" in store.trouble
    assert store.path.with_name("game.rescued.jsonl").exists()
    with pytest.raises(LogReplaced):
        store.append(line(store, 2))
