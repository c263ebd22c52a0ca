"""Maintenance of a server: backup and restore, journal, metrics, stopping, and the systemd units."""

from __future__ import annotations

import asyncio
import io
import json
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from random import Random

import pytest

from paxtui.cli.main import main
from paxtui.engine.refusal import Refusal
from paxtui.server import backup
from paxtui.server.backup import is_kept, restore_backup
from paxtui.server.client import ConnectionLost, HubClient
from paxtui.server.data_directory import DataDirectory, Journal
from paxtui.server.metrics import ActTimings, MetricsServer, prometheus_text
from paxtui.session.pax_host import PaxHost
from paxtui.session.session import SendChat
from tests.places import ROOT
from tests.server.waiting import in_movement, wait


def create_all_files(running) -> None:
    """Create a file of each kind that a server stores."""
    player = running.register("Pierre", "france", key="ssh-ed25519 AAAA")
    running.hub.terms.set("friday", {"watch": "anybody"})
    (running.data_directory.player_directory(player) / "settings.toml").write_text("ascii = true\n")
    running.data_directory.ticket("friday", "france", player, 0)
    britain = running.session("britain")
    in_movement(britain)
    britain.perform(SendChat("good evening"))


def test_backup_of_a_running_server_is_restored(running, tmp_path):
    create_all_files(running)
    path = tmp_path / "all.tar.gz"
    files = running.ask("backup", path=str(path))["files"]
    assert path.stat().st_mode & 0o777 == 0o600
    assert restore_backup(path, tmp_path / "again") == ["friday"]
    again = DataDirectory(tmp_path / "again")
    kept = {p.relative_to(again.root).as_posix() for p in again.root.rglob("*") if p.is_file()}
    assert len(kept) == files
    for name in kept:
        assert (again.root / name).read_bytes() == (running.data_directory.root / name).read_bytes()
    assert {"games/friday.jsonl", "talk/friday.jsonl", "players.json", "terms.json", "ticket_key"} <= kept
    assert not any(name.endswith((".sock", ".lock")) for name in kept)
    assert again.root.stat().st_mode & 0o77 == 0
    assert PaxHost.open(again.game_file("friday"), write=False).state.phase == "movement"


def test_commands_with_and_without_a_running_hub(running, tmp_path, capsys):
    create_all_files(running)
    data = str(running.data_directory.root)
    assert main(["backup", str(tmp_path / "one.tar.gz"), "--data", data]) == 0
    assert main(["players", "--data", data]) == 0
    shown = capsys.readouterr().out
    assert "Pierre" in shown and "france of friday" in shown and "SHA256:" in shown
    assert main(["status", "--data", data]) == 0
    assert "99 of 100 within" in capsys.readouterr().out
    assert main(["backup", str(tmp_path / "one.tar.gz"), "--data", data]) != 0  # the file exists
    running.stop()
    assert main(["backup", str(tmp_path / "two.tar.gz"), "--data", data]) == 0
    assert main(["restore", str(tmp_path / "two.tar.gz"), "--data", str(tmp_path / "new")]) == 0
    assert main(["restore", str(tmp_path / "two.tar.gz"), "--data", str(tmp_path / "new")]) == 2
    assert main(["stop", "--data", data]) == 2
    errors = capsys.readouterr().err
    assert "not empty" in errors and "no server runs" in errors and "Traceback" not in errors


@pytest.mark.parametrize(
    "name",
    ["../evil", "/etc/passwd", "games/../../x.jsonl", "games/.hidden.jsonl", "hub.sock", "people/../x.toml", "games/a"],
)
def test_restore_refuses_other_files(tmp_path, name):
    path = tmp_path / "evil.tar.gz"
    with tarfile.open(path, "w:gz") as tar:
        entry = tarfile.TarInfo(name)
        entry.size = 1
        tar.addfile(entry, io.BytesIO(b"x"))
    assert not is_kept(name)
    with pytest.raises(Refusal):
        restore_backup(path, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_restore_refuses_links_and_other_formats(tmp_path):
    path = tmp_path / "link.tar.gz"
    with tarfile.open(path, "w:gz") as tar:
        entry = tarfile.TarInfo("players.json")
        entry.type, entry.linkname = tarfile.SYMTYPE, "/etc/passwd"
        tar.addfile(entry)
    (tmp_path / "text").write_text("no archive")
    for wrong in (path, tmp_path / "text"):
        with pytest.raises(Refusal):
            restore_backup(wrong, tmp_path / "new")


def test_restore_limits_the_size_of_all_files_together(tmp_path, monkeypatch):
    monkeypatch.setattr(backup, "LARGEST_BACKUP", 1000)
    path = tmp_path / "large.tar.gz"
    with tarfile.open(path, "w:gz") as tar:
        for name in ("players.json", "terms.json"):
            entry = tarfile.TarInfo(name)
            entry.size = 600
            tar.addfile(entry, io.BytesIO(bytes(600)))
    with pytest.raises(Refusal, match="more than 1000 bytes"):
        restore_backup(path, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_restore_refuses_a_damaged_backup(tmp_path):
    path = tmp_path / "damaged.tar.gz"
    data = Random(1).randbytes(20_000).hex().encode()
    with tarfile.open(path, "w:gz") as tar:
        entry = tarfile.TarInfo("games/friday.jsonl")
        entry.size = len(data)
        tar.addfile(entry, io.BytesIO(data))
    packed = path.read_bytes()
    for at in range(200, len(packed) - 200, 400):
        path.write_bytes(packed[:at] + bytes(100) + packed[at + 100 :])
        with pytest.raises(Refusal):
            restore_backup(path, tmp_path / "new")
        assert not (tmp_path / "new").exists()


def test_clients_are_informed_when_the_server_stops(running):
    britain = running.session("britain")
    running.ask("stop")
    assert running.hub.admin_api.over.is_set()  # `serve` waits for this event, and then stops
    running.stop()
    wait(britain, lambda: britain.trouble)
    assert "The game is saved" in britain.trouble


def test_journal_has_events_and_no_secrets(running, tmp_path):
    running.hub._journal = running.hub.games._journal = Journal(tmp_path / "journal.jsonl")
    create_all_files(running)
    britain = running.session("britain")
    britain.act_text("treaty Entente with france secret: non-aggression")
    britain.close()
    with pytest.raises(ConnectionLost):
        HubClient(running.data_directory.socket).join("00.00")
    running.stop()
    data = (tmp_path / "journal.jsonl").read_bytes()
    lines = [json.loads(line) for line in data.splitlines()]
    assert {"entered", "left", "closed"} <= {line["event"] for line in lines}
    seed = running.data_directory.game_file("friday").read_bytes()
    assert b"Entente" not in data and b"good evening" not in data and b"AAAA" not in data
    assert b"1898" in seed and b"1898" not in data


def test_long_journal_is_rotated(tmp_path, monkeypatch):
    monkeypatch.setattr("paxtui.server.data_directory.LARGEST_JOURNAL", 100)
    journal = Journal(tmp_path / "journal.jsonl")
    for n in range(5):
        journal.note("opened", game=str(n))
    assert (tmp_path / "journal.old").exists() and (tmp_path / "journal.jsonl").stat().st_size < 200


def test_act_timings():
    pace = ActTimings()
    assert pace.quantile(0.99) == 0.0
    for n in range(100):
        pace.took(n / 1000)
    assert (pace.quantile(0.5), pace.quantile(0.99), pace.acts) == (0.05, 0.099, 100)


async def test_metrics_are_served_over_http(running):
    teller = MetricsServer(running.hub.admin_api.figures)
    port = await teller.listen(0)

    async def get(request: bytes) -> str:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(request)
        answer = (await reader.read()).decode()
        writer.close()
        return answer

    answer = await get(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
    assert answer.startswith("HTTP/1.0 200") and "\npaxtui_games 1\n" in answer
    assert "# TYPE paxtui_acts_total counter\n" in answer
    assert (await get(b"GET /etc/passwd HTTP/1.1\r\n\r\n")).startswith("HTTP/1.0 404")
    assert await get(b"x" * 100_000 + b"\r\n\r\n") == ""
    teller.close()


def test_metrics_as_text():
    text = prometheus_text({"a_total": 3, 'b{q="0.5"}': 0.25, 'b{q="0.9"}': 1})
    assert text == '# TYPE a_total counter\na_total 3\n# TYPE b gauge\nb{q="0.5"} 0.25\nb{q="0.9"} 1\n'


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
def test_systemd_unit_is_valid(tmp_path):
    unit = (ROOT / "docs" / "paxtui.service").read_text()
    path = tmp_path / "paxtui.service"
    path.write_text(unit.replace("%h/.local/bin/paxtui", str(Path(sys.executable).with_name("paxtui"))))
    done = subprocess.run(["systemd-analyze", "verify", "--user", str(path)], capture_output=True, text=True)
    problems = [line for line in (done.stdout + done.stderr).splitlines() if "paxtui.service" in line]
    assert not problems, problems


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
def test_hardened_systemd_unit_is_valid(tmp_path):
    unit = (ROOT / "docs" / "paxtui-system.service").read_text()
    path = tmp_path / "paxtui-system.service"
    path.write_text(unit.replace("/opt/paxtui/bin/paxtui serve", f"{Path(sys.executable).with_name('paxtui')} serve"))
    done = subprocess.run(["systemd-analyze", "verify", str(path)], capture_output=True, text=True)
    problems = [line for line in (done.stdout + done.stderr).splitlines() if "paxtui-system.service" in line]
    assert not problems, problems
    words = ["systemd-analyze", "security", "--offline=true", "--threshold=20", str(path)]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-300:]
