"""An open game whose file another program replaces, removes or changes."""

import errno
import os
from pathlib import Path

import pytest

from paxtui.engine.game_log import GameLog
from paxtui.session.storage.files import StorageError
from paxtui.session.storage.log_store import LogReplaced, LogStore, read_log
from tests.engine.counter_game import RULES, Add, header


def move_away(path: Path) -> None:
    path.rename(path.with_name("elsewhere.jsonl"))


def remove(path: Path) -> None:
    path.unlink()


def replace(path: Path) -> None:
    """Rename another file to this name, as sync tools do."""
    other = path.with_name("other")
    other.write_bytes(path.read_bytes())
    other.replace(path)


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 1)


def overwrite(path: Path) -> None:
    path.write_bytes(b"mine\n")


def move_folder(path: Path) -> None:
    path.parent.rename(path.parent.with_name("moved"))


def replace_folder(path: Path) -> None:
    move_folder(path)
    path.parent.mkdir()
    path.write_bytes(b"")


LOSSES = (move_away, remove, replace, cut, overwrite, move_folder, replace_folder)


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("PAXTUI_HOME", str(tmp_path / "home"))


@pytest.fixture
def playing(tmp_path):
    """An open game of three lines: its path, store and log."""
    path = tmp_path / "games" / "first.jsonl"
    store = LogStore.create(path, header())
    game = GameLog(RULES, header(), sink=store.append)
    game.act("red", Add(1))
    game.act("blue", Add(2))
    return path, store, game


def rescue_file(message: str) -> Path:
    """Return the file that the message names."""
    return Path(message.rpartition(" is in ")[2])


@pytest.mark.parametrize("lose", LOSSES, ids=lambda lose: lose.__name__)
def test_accepted_lines_are_rescued_when_the_file_is_lost(playing, lose):
    path, store, game = playing
    accepted = game.lines
    lose(path)
    left = path.read_bytes() if path.exists() else None
    with pytest.raises(LogReplaced) as caught:
        game.act("red", Add(3))
    assert game.lines == accepted
    message = str(caught.value)
    assert str(path) in message and "accepts no more acts" in message and "up to line 3" in message
    rescue = rescue_file(message)
    assert read_log(rescue).lines == accepted
    assert rescue.stat().st_mode & 0o777 == 0o600
    # The other file is not changed.
    assert (path.read_bytes() if path.exists() else None) == left
    with pytest.raises(LogReplaced) as again:
        game.act("red", Add(3))
    assert str(again.value) == store.trouble == message
    store.close()
    assert store.trouble == message
    with LogStore.open(rescue) as store:
        GameLog(RULES, store.header, store.lines, sink=store.append, tip=store.tip).act("red", Add(3))
    assert len(read_log(rescue).lines) == 3


@pytest.mark.parametrize("lose", LOSSES, ids=lambda lose: lose.__name__)
def test_closing_rescues_a_lost_file(playing, lose):
    path, store, game = playing
    assert store.trouble == ""
    lose(path)
    store.close()
    assert read_log(rescue_file(store.trouble)).lines == game.lines


def test_rescue_file_replaces_no_file(playing):
    path, store, _game = playing
    first = path.with_name("first.rescued.jsonl")
    first.write_bytes(b"mine")
    path.unlink()
    assert rescue_file(store.trouble) == path.with_name("first.rescued-2.jsonl")
    assert first.read_bytes() == b"mine"
    store.close()


def test_rescue_file_of_a_lost_folder_is_among_the_saves(playing, tmp_path):
    path, store, _game = playing
    move_folder(path)
    assert rescue_file(store.trouble) == tmp_path / "home" / "saves" / "first.rescued.jsonl"
    assert not path.parent.exists()
    store.close()


def test_act_is_refused_if_the_file_is_lost_during_its_write(playing, monkeypatch):
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
    assert game.lines == accepted == read_log(rescue_file(str(caught.value))).lines
    store.close()


def test_failed_rescue_is_retried(playing, monkeypatch):
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
    assert read_log(rescue_file(store.trouble)).lines == game.lines


def test_changed_symbolic_link_is_noticed(playing, tmp_path):
    path, store, _game = playing
    store.close()
    link = tmp_path / "link.jsonl"
    link.symlink_to(path)
    with LogStore.open(link) as store:
        assert store.trouble == ""
        link.unlink()
        link.symlink_to(tmp_path)
        assert "was replaced" in store.trouble


def test_changed_working_directory_is_no_loss(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with LogStore.create(Path("first.jsonl"), header()) as store:
        (tmp_path / "below").mkdir()
        monkeypatch.chdir(tmp_path / "below")
        GameLog(RULES, header(), sink=store.append).act("red", Add(1))
        assert store.trouble == ""


def test_write_that_cannot_be_reverted_is_reported(playing, monkeypatch):
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
