"""What a game does whose file is replaced, removed or written to by another program while it is open."""

import errno
import os
from pathlib import Path

import pytest

from paxtui.engine.game_log import GameLog
from paxtui.session.storage.files import StorageError
from paxtui.session.storage.log_store import LogReplaced, LogStore, read_log
from tests.engine.counter_game import RULES, Add, header


def moved_away(path: Path) -> None:
    path.rename(path.with_name("elsewhere.jsonl"))


def removed(path: Path) -> None:
    path.unlink()


def replaced(path: Path) -> None:
    """As a tool does that keeps folders alike: another file takes the name."""
    other = path.with_name("other")
    other.write_bytes(path.read_bytes())
    other.replace(path)


def cut_short(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 1)


def overwritten(path: Path) -> None:
    path.write_bytes(b"mine\n")


def folder_moved(path: Path) -> None:
    path.parent.rename(path.parent.with_name("moved"))


def folder_replaced(path: Path) -> None:
    folder_moved(path)
    path.parent.mkdir()
    path.write_bytes(b"")


WAYS = (moved_away, removed, replaced, cut_short, overwritten, folder_moved, folder_replaced)


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("PAXTUI_HOME", str(tmp_path / "home"))


@pytest.fixture
def playing(tmp_path):
    """A game of three lines, open."""
    path = tmp_path / "games" / "first.jsonl"
    store = LogStore.create(path, header())
    game = GameLog(RULES, header(), sink=store.append)
    game.act("red", Add(1))
    game.act("blue", Add(2))
    return path, store, game


def rescued(message: str) -> Path:
    """The file that the message names."""
    return Path(message.rpartition(" is in ")[2])


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_nothing_that_was_accepted_is_lost_with_the_file(playing, way):
    path, store, game = playing
    accepted = game.lines
    way(path)
    left = path.read_bytes() if path.exists() else None
    with pytest.raises(LogReplaced) as caught:
        game.act("red", Add(3))
    assert game.lines == accepted
    message = str(caught.value)
    assert str(path) in message and "accepts no more acts" in message and "up to line 3" in message
    rescue = rescued(message)
    assert read_log(rescue).lines == accepted
    assert rescue.stat().st_mode & 0o777 == 0o600
    # What lies there now is somebody else's.
    assert (path.read_bytes() if path.exists() else None) == left
    with pytest.raises(LogReplaced) as again:
        game.act("red", Add(3))
    assert str(again.value) == store.trouble == message
    store.close()
    assert store.trouble == message
    with LogStore.open(rescue) as store:
        GameLog(RULES, store.header, store.lines, sink=store.append, tip=store.tip).act("red", Add(3))
    assert len(read_log(rescue).lines) == 3


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_who_only_leaves_is_reported_too(playing, way):
    path, store, game = playing
    assert store.trouble == ""
    way(path)
    store.close()
    assert read_log(rescued(store.trouble)).lines == game.lines


def test_the_rescue_lies_beside_the_log_and_takes_no_name(playing):
    path, store, _game = playing
    first = path.with_name("first.rescued.jsonl")
    first.write_bytes(b"mine")
    path.unlink()
    assert rescued(store.trouble) == path.with_name("first.rescued-2.jsonl")
    assert first.read_bytes() == b"mine"
    store.close()


def test_without_its_folder_the_rescue_is_among_the_saves(playing, tmp_path):
    path, store, _game = playing
    folder_moved(path)
    assert rescued(store.trouble) == tmp_path / "home" / "saves" / "first.rescued.jsonl"
    assert not path.parent.exists()
    store.close()


def test_lost_in_the_moment_of_writing_the_act_does_not_count(playing, monkeypatch):
    path, store, game = playing
    accepted = game.lines
    real = os.fsync

    def fsync(descriptor):
        real(descriptor)
        path.unlink(missing_ok=True)

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", fsync)
        with pytest.raises(LogReplaced) as caught:
            game.act("red", Add(3))
    assert game.lines == accepted == read_log(rescued(str(caught.value))).lines
    store.close()


def test_a_rescue_that_fails_is_tried_again(playing, monkeypatch):
    path, store, game = playing
    path.unlink()

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "pwrite", full)
        with pytest.raises(LogReplaced, match=r"could not be written to another file either .*No space"):
            game.act("red", Add(3))
        assert "No space" in store.trouble
    store.close()
    assert read_log(rescued(store.trouble)).lines == game.lines


def test_a_game_reached_by_a_link_notices_that_the_link_leads_elsewhere(playing, tmp_path):
    path, store, _game = playing
    store.close()
    link = tmp_path / "link.jsonl"
    link.symlink_to(path)
    with LogStore.open(link) as store:
        assert store.trouble == ""
        link.unlink()
        link.symlink_to(tmp_path)
        assert "was replaced" in store.trouble


def test_another_working_directory_is_no_other_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with LogStore.create(Path("first.jsonl"), header()) as store:
        (tmp_path / "below").mkdir()
        monkeypatch.chdir(tmp_path / "below")
        GameLog(RULES, header(), sink=store.append).act("red", Add(1))
        assert store.trouble == ""


def test_a_write_that_cannot_be_taken_back_is_reported_on_leaving(playing, monkeypatch):
    path, store, game = playing

    def fails(*_):
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", fails)
        with pytest.raises(OSError):
            game.act("red", Add(3))
    with pytest.raises(StorageError) as caught:
        game.act("red", Add(3))
    assert store.trouble == str(caught.value)
    assert "cannot be written any more" in store.trouble and "up to line 3" in store.trouble
    store.close()
    assert read_log(path).lines == game.lines
