"""Commands of a host that fail: the message says why and names the file, and nothing changes."""

from __future__ import annotations

import errno
import os
import resource
import signal
import socket
from pathlib import Path

import pytest

from paxtui.cli.hosting.serve import move_game_in
from paxtui.cli.main import main
from paxtui.server.data_directory import DataDirectory
from paxtui.session.fair_dice import move_log
from paxtui.session.pax_host import PaxHost
from paxtui.session.storage.files import FileLocked
from paxtui.session.storage.interface import read_seed
from paxtui.session.tables.loader import load_tables
from tests.server.conftest import FAIR_SEED, POWERS


def new_game(path: Path, dice: str = "plain") -> Path:
    seed = FAIR_SEED if dice == "fair" else "1"
    PaxHost.new(load_tables(), POWERS, seed, path=path, dice=dice).close()
    return path


@pytest.fixture
def two_file_systems(monkeypatch) -> None:
    """Make renaming and linking fail, as between two file systems."""

    def fails(source, target, **_):
        if Path(source).parent != Path(target).parent:
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV), str(source))
        return os_rename(source, target)

    os_rename = os.rename
    monkeypatch.setattr(os, "rename", fails)


@pytest.mark.parametrize("dice", ["plain", "fair"])
def test_game_is_moved_from_another_file_system(tmp_path, two_file_systems, dice):
    data, path = DataDirectory(tmp_path / "h"), new_game(tmp_path / "friday.jsonl", dice)
    move_game_in(data, path, "plain")
    assert data.names() == ["friday"] and not path.exists()
    assert read_seed(data.game_file("friday")) == (FAIR_SEED if dice == "fair" else "")
    assert [p.name for p in tmp_path.iterdir()] == ["h"]


def test_game_that_cannot_be_moved_keeps_its_seed(tmp_path):
    path, new = new_game(tmp_path / "friday.jsonl", "fair"), tmp_path / "there.jsonl"
    with PaxHost.open(path), pytest.raises(FileLocked):
        move_log(path, new)
    new.write_bytes(b"another")
    with pytest.raises(FileExistsError):
        move_log(path, new)
    assert read_seed(path) == FAIR_SEED and new.read_bytes() == b"another"
    assert not read_seed(new)


def test_second_server_for_a_directory_moves_nothing(running, tmp_path, capsys):
    path = new_game(tmp_path / "saturday.jsonl")
    assert main(["serve", str(path), "--data", str(running.data_directory.root)]) == 2
    error = capsys.readouterr().err
    assert "a server already runs in" in error and "saturday.jsonl was not moved" in error
    assert path.exists() and running.data_directory.names() == ["friday"]


def test_serving_at_a_port_in_use_moves_nothing(tmp_path, capsys):
    path = new_game(tmp_path / "friday.jsonl")
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        listen = f"127.0.0.1:{other.getsockname()[1]}"
        assert main(["serve", str(path), "--data", str(tmp_path / "h"), "--listen", listen]) == 2
    assert f"--listen {listen}: Address already in use" in capsys.readouterr().err
    assert path.exists() and DataDirectory(tmp_path / "h").names() == []


def test_backup_does_not_replace_a_file(running, tmp_path, capsys):
    data, path = ["--data", str(running.data_directory.root)], tmp_path / "one.tar.gz"
    path.write_bytes(b"mine")
    assert main(["backup", str(path), *data]) == 2
    assert f"{path} exists already; choose another name" in capsys.readouterr().err
    assert path.read_bytes() == b"mine"
    assert main(["backup", str(tmp_path / "no" / "x.tar.gz"), *data]) == 2
    error = capsys.readouterr().err
    assert f"there is no file {tmp_path / 'no'}" in error and "paxtui-saving" not in error


@pytest.fixture
def fill_disk(running):
    """Return a function that fills the disk: files cannot grow."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    yield lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    signal.signal(signal.SIGXFSZ, before)


def test_failed_invitation_keeps_the_earlier_code_valid(running, fill_disk, capsys):
    players = running.hub.players
    code = players.invite("friday", "france")
    fill_disk()
    exit_code = main(["invite", "friday", "france", "--data", str(running.data_directory.root)])
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
    assert exit_code == 2
    error = capsys.readouterr().err
    assert "could not save" in error and "players.json: " in error and "Nothing has changed" in error
    assert "Errno" not in error
    assert players.redeem("ssh-ed25519 AAAA", code, "Pierre")[1:] == ("friday", "france")


@pytest.mark.parametrize("command", [["status"], ["serve"], ["stop"], ["restore", "x.tar.gz"], ["invite", "g"]])
@pytest.mark.parametrize("data", ["~nosuchuser/x", "x" * 300, "a\0b"], ids=["user", "long", "null"])
def test_impossible_directory_is_reported(command, data, capsys):
    assert main([*command, "--data", data]) == 2
    error = capsys.readouterr().err
    assert error.startswith("paxtui: ") and len(error) < 200


@pytest.mark.parametrize("command", [["status"], ["stop"], ["backup"], ["players"]])
def test_commands_about_no_server_make_no_directory(tmp_path, command, capsys):
    assert main([*command, "--data", str(tmp_path / "misspelt")]) == 2
    assert "no server runs in" in capsys.readouterr().err
    assert not (tmp_path / "misspelt").exists()
