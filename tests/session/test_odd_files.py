"""Saving, loading and listing games at paths that are no logs: pipes, devices, files of other users."""

import errno
import fcntl
import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from paxtui.engine.log import parse
from paxtui.engine.refusal import Refusal
from paxtui.session.game_host import empty_clock
from paxtui.session.pax_host import PaxHost
from paxtui.session.protocol import EngineSession
from paxtui.session.storage import files
from paxtui.session.storage.files import TEMP_MARK, FileLocked, NotRegularFile, StorageError
from paxtui.session.storage.log_store import LogStore, read_log
from paxtui.session.storage.saved_games import list_games
from paxtui.session.tables.loader import load_tables
from tests.places import ROOT

SEVEN = ("britain", "france", "germany", "united_states", "japan", "russia", "italy")


@pytest.fixture(autouse=True)
def limit_duration():
    """Let a test that hangs on a pipe fail."""
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.alarm(60)
    yield
    signal.alarm(0)


@pytest.fixture(scope="module")
def game():
    return PaxHost.new(load_tables(), SEVEN, "7", game_id="one", clock=empty_clock)


def pipe(path: Path) -> None:
    os.mkfifo(path)


def sock(path: Path) -> None:
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(path))
    server.close()


def device(path: Path) -> None:
    """Make a link, because only root can make a device."""
    path.symlink_to("/dev/zero")


def directory(path: Path) -> None:
    path.mkdir()


def link_to_pipe(path: Path) -> None:
    os.mkfifo(path.with_name("behind"))
    path.symlink_to(path.with_name("behind"))


def link_to_directory(path: Path) -> None:
    path.symlink_to(path.parent)


ODD = {
    pipe: "a pipe",
    sock: "a socket",
    device: "a device",
    directory: "a directory",
    link_to_pipe: "a pipe",
    link_to_directory: "a directory",
}


@pytest.fixture(params=ODD, ids=lambda make: make.__name__)
def odd(request, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # names of sockets are short
    path = Path("odd.jsonl")
    request.param(path)
    return path, ODD[request.param]


def test_irregular_file_is_neither_written_nor_read(odd, game):
    path, kind = odd
    before = os.lstat(path)
    for attempt in (game.save_as, read_log, LogStore.open, lambda p: PaxHost.open(p, write=False)):
        with pytest.raises(NotRegularFile) as caught:
            attempt(path)
        assert str(caught.value) == f"{path} is {kind}, not a file"
    after = os.lstat(path)
    assert (after.st_ino, after.st_mode) == (before.st_ino, before.st_mode)
    assert [one.error for one in list_games(Path())] == [f"{path} is {kind}, not a file"]


def test_broken_link_is_not_followed(tmp_path, game):
    link = tmp_path / "link.jsonl"
    link.symlink_to(tmp_path / "target.jsonl")
    with pytest.raises(NotRegularFile, match="broken link"):
        game.save_as(link)
    assert not (tmp_path / "target.jsonl").exists()
    link.unlink()
    link.symlink_to(link)
    with pytest.raises(NotRegularFile, match="broken link"):
        game.save_as(link)


def test_log_is_saved_through_a_link(tmp_path, game):
    target, link = tmp_path / "target.jsonl", tmp_path / "link.jsonl"
    game.save_as(target)
    link.symlink_to(target)
    target.write_bytes(game.log() + b"{")
    game.save_as(link)
    assert link.is_symlink()
    assert target.read_bytes() == game.log()


@pytest.mark.parametrize("content", [b"", b"mine\n", b"{}\n", b"\0" * 4096])
def test_save_does_not_replace_other_files(tmp_path, game, content):
    path = tmp_path / "notes"
    path.write_bytes(content)
    with pytest.raises(Refusal) as caught:
        game.save_as(path)
    assert caught.value.code == "exists"
    assert str(path) in caught.value.message
    assert path.read_bytes() == content


def test_save_does_not_replace_the_log_of_another_game(tmp_path, game):
    path = tmp_path / "other.jsonl"
    other = PaxHost.new(load_tables(), SEVEN, "7", game_id="two", clock=empty_clock)
    other.save_as(path)
    with pytest.raises(Refusal):
        game.save_as(path)
    assert path.read_bytes() == other.log()


def test_save_does_not_replace_a_file_of_another_user(tmp_path, game, monkeypatch):
    path = tmp_path / "theirs.jsonl"
    game.save_as(path)
    before = path.stat()
    monkeypatch.setattr(os, "geteuid", lambda: before.st_uid + 1)
    with pytest.raises(StorageError, match="belongs to another user"):
        game.save_as(path)
    assert path.stat().st_ino == before.st_ino


def test_save_does_not_replace_an_open_game(tmp_path, game):
    """Otherwise the acts after the save would be lost."""
    path = tmp_path / "game.jsonl"
    game.save_as(path)
    hard = tmp_path / "hard.jsonl"
    hard.hardlink_to(path)
    with PaxHost.open(path, clock=empty_clock) as playing:
        for name in (path, hard):
            with pytest.raises(FileLocked):
                game.save_as(name)
            with pytest.raises(FileLocked):
                LogStore.open(name)
        playing.advance()
        log = playing.log()
    assert path.read_bytes() == log
    game.save_as(path)
    assert path.read_bytes() == game.log()


def test_no_lock_files_are_created(tmp_path, game):
    path = tmp_path / "game.jsonl"
    game.save_as(path)
    with PaxHost.open(path):
        assert [p.name for p in tmp_path.iterdir()] == ["game.jsonl"]
    assert [p.name for p in tmp_path.iterdir()] == ["game.jsonl"]


def test_saved_log_is_private_and_synced(tmp_path, game, monkeypatch):
    synced = []
    real = os.fsync
    monkeypatch.setattr(os, "fsync", lambda fd: (synced.append(os.fstat(fd).st_ino), real(fd)))
    path = tmp_path / "game.jsonl"
    for _ in range(2):
        synced.clear()
        game.save_as(path)
        assert synced == [path.stat().st_ino, tmp_path.stat().st_ino]
        assert path.stat().st_mode & 0o777 == 0o600
    assert parse(path.read_bytes()).raw == game.log()


def test_full_disk_keeps_the_earlier_file(tmp_path, game, monkeypatch):
    path = tmp_path / "game.jsonl"
    game.save_as(path)
    before = path.stat().st_ino

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    for name in (path, tmp_path / "new.jsonl"):
        with monkeypatch.context() as patched:
            patched.setattr(os, "pwrite", full)
            with pytest.raises(OSError, match="No space"):
                game.save_as(name)
    assert path.stat().st_ino == before
    assert [p.name for p in tmp_path.iterdir()] == ["game.jsonl"]


KILLED = """
import os, signal, sys
from pathlib import Path
from paxtui.session.storage import files
def killed(*_):
    os.kill(os.getpid(), signal.SIGKILL)
setattr(os, sys.argv[2], killed)
files.replace_file(Path(sys.argv[1]), b"new")
"""


@pytest.mark.parametrize("where", ["fsync", "replace", "pwrite"])
def test_temporary_file_of_a_killed_save_is_removed(tmp_path, game, where):
    path = tmp_path / "game.jsonl"
    game.save_as(path)
    before = path.read_bytes()
    for again in (
        game.save_as,
        lambda _: LogStore.open(path).close(),
        lambda _: game.save_as(tmp_path / "other.jsonl"),
    ):
        subprocess.run([sys.executable, "-c", KILLED, str(path), where], cwd=ROOT, check=False)
        assert path.read_bytes() == before
        assert len(list(tmp_path.glob(f".*{TEMP_MARK}"))) == 1
        again(path)
        assert list(tmp_path.glob(".*")) == []


def test_temporary_file_in_use_is_not_removed(tmp_path, game):
    writing = tmp_path / f".game.jsonl.0123{TEMP_MARK}"
    writing.write_bytes(b"half")
    foreign = tmp_path / f".pipe{TEMP_MARK}"
    os.mkfifo(foreign)
    with writing.open("rb+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        game.save_as(tmp_path / "game.jsonl")
        assert writing.exists()
    game.save_as(tmp_path / "game.jsonl")
    assert not writing.exists()
    assert foreign.exists()


def test_save_does_not_replace_a_file_created_meanwhile(tmp_path, game, monkeypatch):
    path = tmp_path / "game.jsonl"
    real = os.link

    def link(*names):
        path.write_bytes(b"mine")
        real(*names)

    monkeypatch.setattr(os, "link", link)
    with pytest.raises(FileExistsError):
        game.save_as(path)
    assert path.read_bytes() == b"mine"
    assert list(tmp_path.glob(".*")) == []


def no_links(*_):
    raise OSError(errno.EPERM, "Operation not permitted")


def test_save_works_without_hard_links(tmp_path, game, monkeypatch):
    monkeypatch.setattr(os, "link", no_links)
    game.save_as(tmp_path / "game.jsonl")
    assert (tmp_path / "game.jsonl").read_bytes() == game.log()
    with pytest.raises(FileExistsError):
        files.write_new(tmp_path / "game.jsonl", b"")
    assert [p.name for p in tmp_path.iterdir()] == ["game.jsonl"]


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS])
def test_file_system_without_locks_gives_a_warning(tmp_path, game, monkeypatch, number):
    def no_locks(*_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", no_locks)
    path = tmp_path / "game.jsonl"
    game.save_as(path)
    with PaxHost.open(path, clock=empty_clock) as table:
        assert "has no locks" in table.notice
        table.advance()
    game.save_as(path)
    assert path.read_bytes() == game.log()
    with LogStore.create(tmp_path / "new.jsonl", game.game.header) as store:
        assert "has no locks" in store.notice


def test_other_failures_of_a_lock_are_raised(tmp_path, game, monkeypatch):
    path = tmp_path / "game.jsonl"
    game.save_as(path)

    def fails(*_):
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(fcntl, "flock", fails)
    with pytest.raises(OSError, match="Input/output"):
        LogStore.open(path)


def test_log_replaced_while_it_is_opened_is_opened_again(tmp_path, game, monkeypatch):
    path = tmp_path / "game.jsonl"
    game.save_as(path)
    real, once = fcntl.flock, []

    def flock(descriptor, operation):
        if not once:
            once.append(descriptor)
            files.replace_file(path, game.log())
        real(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", flock)
    with LogStore.open(path) as store:
        assert store.trouble == ""


@pytest.mark.slow
def test_huge_file_is_not_read(tmp_path, game):
    path = tmp_path / "huge.jsonl"
    game.save_as(path)
    os.truncate(path, files.LARGEST_LOG + 1)
    for attempt in (read_log, LogStore.open):
        with pytest.raises(StorageError, match="more than any game"):
            attempt(path)
    headless = tmp_path / "hole.jsonl"
    headless.touch()
    os.truncate(headless, 1 << 40)
    assert [bool(one.error) for one in list_games(tmp_path)] == [True, False]
    with pytest.raises(StorageError, match="more than any game"):
        read_log(headless)


@pytest.mark.parametrize("method", ["save", "load"])
def test_protocol_refuses_irregular_files(odd, method):
    path, kind = odd
    session = EngineSession()
    session.handle('{"id": 1, "method": "new"}')
    answer = json.loads(session.handle(json.dumps({"id": 2, "method": method, "params": {"path": str(path)}})))
    assert answer["error"] == {"code": "file", "rules": [], "message": f"{path} is {kind}, not a file"}


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("~nosuchuser/game.jsonl", "~nosuchuser is not a home directory"),
        ("saves/" + "x" * 300, "too long for a file name"),
        ("é" * 130, "too long for a file name"),
        ("a\0b", "null character"),
    ],
)
def test_impossible_typed_path_is_refused_with_the_reason(typed: str, reason: str) -> None:
    with pytest.raises(StorageError, match=reason):
        files.typed_path(typed)


def test_tilde_in_a_typed_path_is_the_home_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    assert files.typed_path("~/games/x.jsonl") == Path("/home/ann/games/x.jsonl")
    assert files.typed_path("games/x.jsonl") == Path("games/x.jsonl")
