import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from paxtui.engine.game_log import GameLog
from paxtui.engine.log import BrokenLog, encode_header, encode_line, parse
from paxtui.session.storage.files import FileLocked, StorageError
from paxtui.session.storage.log_store import LogReplaced, LogStore, read_log, save_dir
from paxtui.session.storage.saved_games import list_games
from tests.engine.counter_game import RULES, Add, Roll, Say, frozen, header
from tests.places import ROOT


@pytest.fixture
def path(tmp_path):
    return tmp_path / "games" / "first.jsonl"


def start(path):
    store = LogStore.create(path, header())
    return store, GameLog(RULES, header(), sink=store.append)


def resume(path):
    store = LogStore.open(path)
    return store, GameLog(RULES, store.header, store.lines, sink=store.append, tip=store.tip)


def test_reopened_game_continues(path):
    store, game = start(path)
    game.act("red", Roll(2))
    game.undo("red", to=1)
    store.close()
    store, again = resume(path)
    with store:
        assert (store.notice, store.version) == ("", 3)
        assert frozen(again) == frozen(game)
        assert again.lines == game.lines
        again.act("blue", Add(2))
    assert read_log(path).lines == again.lines
    assert path.read_bytes() == encode_header(header()) + b"".join(encode_line(line) for line in again.lines)
    assert not path.with_name("first.jsonl.torn").exists()


def test_line_is_on_disk_when_append_returns(path, monkeypatch):
    store, game = start(path)
    synced = []
    real = os.fsync
    monkeypatch.setattr(os, "fsync", lambda descriptor: (synced.append(os.fstat(descriptor).st_size), real(descriptor)))
    line = game.act("red", Add(1))
    assert synced == [path.stat().st_size]
    assert path.read_bytes().endswith(encode_line(line))
    store.close()


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="names of descriptors come from /proc")
def test_a_new_file_syncs_its_directory(path, monkeypatch):
    synced = []
    real = os.fsync
    monkeypatch.setattr(os, "fsync", lambda fd: (synced.append(os.path.realpath(f"/proc/self/fd/{fd}")), real(fd)))
    LogStore.create(path, header()).close()
    assert synced == [str(path), str(path.parent)]


def test_kill_at_any_byte_loses_no_accepted_line(path):
    store, game = start(path)
    game.act("red", Add(1))
    game.act("blue", Say("ü" * 5))
    store.close()
    whole = path.read_bytes()
    accepted = parse(whole).lines
    store, game = resume(path)
    game.act("green", Roll(2))
    store.close()
    full = path.read_bytes()
    torn_file = path.with_name(path.name + ".torn")
    for cut in range(len(whole), len(full)):
        torn_file.unlink(missing_ok=True)
        path.write_bytes(full[:cut])
        # Reading changes nothing.
        assert read_log(path).lines == accepted
        assert path.read_bytes() == full[:cut]
        store, game = resume(path)
        assert store.lines == accepted
        assert bool(store.notice) == (cut > len(whole))
        assert path.read_bytes() == whole
        assert torn_file.exists() == (cut > len(whole))
        if cut > len(whole):
            assert torn_file.read_bytes() == full[len(whole) : cut] + b"\n"
        game.act("green", Roll(2))
        store.close()
        assert path.read_bytes() == full


def test_all_incomplete_ends_are_kept(path):
    store, _ = start(path)
    store.close()
    for tail in (b"one", b"two"):
        with path.open("ab") as file:
            file.write(tail)
        LogStore.open(path).close()
    assert path.with_name(path.name + ".torn").read_bytes() == b"one\ntwo\n"


def test_file_of_incomplete_ends_is_private(path):
    start(path)[0].close()
    torn = path.with_name(path.name + ".torn")
    for tail in (b"one", b"two"):
        with path.open("ab") as file:
            file.write(tail)
        LogStore.open(path).close()
        assert torn.stat().st_mode & 0o777 == 0o600
        torn.chmod(0o644)  # as earlier versions created it


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda torn: os.symlink("/dev/null", torn)])
def test_incomplete_end_that_cannot_be_kept_is_not_removed(path, make):
    start(path)[0].close()
    with path.open("ab") as file:
        file.write(b"half")
    before = path.read_bytes()
    make(path.with_name(path.name + ".torn"))
    with pytest.raises(OSError, match=r"\.torn"):
        LogStore.open(path)
    assert path.read_bytes() == before


def test_damaged_last_line_is_refused_and_not_removed(path):
    store, game = start(path)
    game.act("red", Add(1))
    store.close()
    for damaged in (path.read_bytes().replace(b'"amount":1', b'"amount"\x001'), path.read_bytes()[:-1] + b"x"):
        path.write_bytes(damaged)
        with pytest.raises(BrokenLog) as caught:
            LogStore.open(path)
        assert caught.value.line_number == 2
        assert path.read_bytes() == damaged


def test_broken_log_is_neither_changed_nor_locked(path):
    store, game = start(path)
    for amount in (1, 2, 3):
        game.act("red", Add(amount))
    store.close()
    broken = path.read_bytes().replace(b'"amount":2', b'"amount":9')
    path.write_bytes(broken)
    kept = []
    for _ in range(2):
        with pytest.raises(BrokenLog) as caught:
            LogStore.open(path)
        kept.append(caught)  # with its frames, so that garbage collection does not release the lock
        assert caught.value.line_number == 4
    assert path.read_bytes() == broken


HOLDER = """
import sys
from pathlib import Path
from paxtui.session.storage.log_store import LogStore
with LogStore.open(Path(sys.argv[1])):
    print("open", flush=True)
    sys.stdin.read()
"""


def test_two_programs_cannot_write_one_game(path):
    store, game = start(path)
    game.act("red", Add(1))
    store.close()
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, text=True
    )
    try:
        assert holder.stdout.readline() == "open\n"
        with pytest.raises(FileLocked) as locked:
            LogStore.open(path)
        assert str(path) in str(locked.value)
        assert locked.value.path == path
        # Reading needs no lock.
        assert len(read_log(path).lines) == 1
        assert list_games(path.parent)[0].version == 2
    finally:
        holder.kill()
        holder.communicate()
    # A program that was killed leaves no lock behind.
    LogStore.open(path).close()


def test_game_cannot_be_opened_twice_under_any_name(path):
    store, _ = start(path)
    link = path.with_name("link.jsonl")
    link.symlink_to(path)
    for name in (path, link):
        with pytest.raises(FileLocked):
            LogStore.open(name)
    store.close()
    store.close()
    LogStore.open(link).close()


def test_existing_file_is_never_overwritten(path):
    start(path)[0].close()
    before = path.read_bytes()
    with pytest.raises(FileExistsError):
        LogStore.create(path, header(game="other"))
    assert path.read_bytes() == before
    LogStore.open(path).close()
    with pytest.raises(ValueError):
        LogStore.create(path.with_suffix(".json"), header())
    with pytest.raises(FileNotFoundError):
        LogStore.open(path.with_name("none.jsonl"))
    assert not list(path.parent.glob("none*"))


def test_half_line_on_a_full_disk_is_removed(path, monkeypatch):
    store, game = start(path)
    game.act("red", Add(1))
    before = (path.read_bytes(), frozen(game), game.version, store.tip)
    real = os.pwrite

    def half(descriptor, data, offset):
        if offset > len(before[0]):
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(descriptor, bytes(data)[:10], offset)

    with monkeypatch.context() as patched:
        patched.setattr(os, "pwrite", half)
        with pytest.raises(OSError, match=r"No space left on device: .*first\.jsonl"):
            game.act("red", Add(2))
    assert (path.read_bytes(), frozen(game), game.version, store.tip) == before
    game.act("red", Add(2))
    store.close()
    assert read_log(path).lines == game.lines


def test_line_that_could_not_be_synced_does_not_count(path, monkeypatch):
    store, game = start(path)
    before = path.read_bytes()
    real = os.fsync
    calls = []

    def once(descriptor):
        calls.append(descriptor)
        if len(calls) == 1:
            raise OSError(errno.EIO, "Input/output error")
        real(descriptor)

    monkeypatch.setattr(os, "fsync", once)
    with pytest.raises(OSError):
        game.act("red", Add(2))
    assert path.read_bytes() == before
    assert game.version == 1
    store.close()


def test_write_that_cannot_be_reverted_ends_writing(path, monkeypatch):
    store, game = start(path)

    def fails(*_):
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", fails)
        with pytest.raises(OSError):
            game.act("red", Add(2))
    with pytest.raises(StorageError, match="cannot be written any more"):
        game.act("red", Add(2))
    assert game.version == 1
    store.close()


def test_short_writes_are_continued(path, monkeypatch):
    store, game = start(path)
    real = os.pwrite
    monkeypatch.setattr(os, "pwrite", lambda descriptor, data, offset: real(descriptor, bytes(data)[:3], offset))
    game.act("red", Add(2))
    store.close()
    assert read_log(path).lines == game.lines


def test_failed_header_leaves_no_file(path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "pwrite", full)
        with pytest.raises(OSError):
            LogStore.create(path, header())
    assert not path.exists()
    LogStore.create(path, header()).close()


def test_only_the_next_line_is_appended(path):
    store, game = start(path)
    first = game.act("red", Add(2))
    before = path.read_bytes()
    for bad in (encode_line(first), b"{}", b"no json\n", b'{"n":3}\n', b"{}\n{}\n", b"", b'{"n":3,"prev":"00"}\n'):
        with pytest.raises(ValueError):
            store.append(bad)
    assert path.read_bytes() == before
    game.act("red", Add(2))
    store.close()
    with pytest.raises(StorageError, match="closed"):
        game.act("red", Add(2))


def test_file_changed_by_another_program_is_not_written(path):
    store, game = start(path)
    with path.open("ab") as file:
        file.write(b"x")
    with pytest.raises(LogReplaced):
        game.act("red", Add(2))
    assert game.version == 1
    store.close()


def test_games_are_listed_with_their_errors(path, monkeypatch):
    store, game = start(path)
    game.act("red", Add(1), time="noon")
    game.act("red", Say("x" * 200_000), time="one")
    store.close()
    folder = path.parent
    start(folder / "fresh.jsonl")[0].close()
    for name, data in {
        "torn.jsonl": path.read_bytes() + b'{"n":4,"se',
        "empty.jsonl": b"",
        "half.jsonl": path.read_bytes()[:30],
        "rubbish.jsonl": b"\xff\n" * 9,
        "end.jsonl": path.read_bytes() + b"[]\n[]\n",
        "notes.txt": b"no log",
    }.items():
        (folder / name).write_bytes(data)
    (folder / "folder.jsonl").mkdir()
    # Only the two ends of a file are read.
    monkeypatch.setattr("paxtui.session.storage.log_store.parse", None)
    games = {summary.path.name: summary for summary in list_games(folder)}
    assert list(games) == sorted(games)
    assert "notes.txt" not in games
    assert {name for name, summary in games.items() if summary.error} == {
        "empty.jsonl",
        "half.jsonl",
        "rubbish.jsonl",
        "end.jsonl",
        "folder.jsonl",
    }
    assert (games["first.jsonl"].version, games["first.jsonl"].time) == (3, "one")
    assert (games["torn.jsonl"].version, games["torn.jsonl"].time) == (3, "one")
    assert (games["fresh.jsonl"].version, games["fresh.jsonl"].game) == (1, "g1")
    assert games["fresh.jsonl"].seats == header().seats
    assert list_games(folder / "nowhere") == []


def test_directory_of_saves(monkeypatch, tmp_path):
    monkeypatch.setenv("PAXTUI_HOME", str(tmp_path))
    assert save_dir() == tmp_path / "saves"
    monkeypatch.delenv("PAXTUI_HOME")
    assert save_dir().name == "saves"
    assert "paxtui" in str(save_dir())


def test_log_is_private(path):
    start(path)[0].close()
    assert path.stat().st_mode & 0o077 == 0
