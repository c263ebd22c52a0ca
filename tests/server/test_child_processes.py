"""No process of a server outlives its hub, and a stopped server leaves its port free."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from paxtui.server.data_directory import DataDirectory
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.loader import load_tables
from tests.server.conftest import POWERS
from tests.server.ssh import ServerProcess, SshPlayer
from tests.waiting import wait_until

pytestmark = pytest.mark.skipif(shutil.which("ssh") is None, reason="openssh-client is missing: .ci/system-packages")

PARTS = ("front", "forks")
LIMIT = 120.0
"""Maximum duration of the end of a process, in seconds, on the slowest machine."""


@pytest.fixture
def served() -> Iterator[ServerProcess]:
    with TemporaryDirectory(prefix="pax") as name:
        root = Path(name)
        PaxHost.new(load_tables(), POWERS, "1898", path=root / "friday.jsonl").close()
        served = ServerProcess(root, root / "friday.jsonl")
        yield served
        served.stop()


def processes(served: ServerProcess) -> list[str]:
    """Return the processes of a server and of its clients: each has the directory in its command line."""
    listed = subprocess.run(["ps", "-eo", "pid,args", "-ww"], capture_output=True, text=True, check=True).stdout
    return [line for line in listed.splitlines() if f"serve --data {served.data} " in line]


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


def kill_hub(served: ServerProcess) -> None:
    served.process.send_signal(signal.SIGKILL)
    served.process.wait()


def test_no_process_survives_its_hub(served: ServerProcess) -> None:
    friend = SshPlayer(served, "pierre")
    friend.wait("Your invitation code")
    friend.type(served.code("friday", "france") + "\r")
    friend.wait("PAX BRITANNICA")
    data = DataDirectory(served.data)
    wait_until(lambda: data.running("front") > 0 and data.running("forks") > 0)
    kill_hub(served)
    wait_until(lambda: not processes(served), every=0.1)
    friend.wait("The server has stopped")
    friend.drop()
    assert is_free(int(served.port))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(served, "wait_for_output", lambda pattern: served.port)
        served.start()  # killed also before its child processes are ready
    wait_until(lambda: len(processes(served)) > 1, every=0.1)
    kill_hub(served)
    wait_until(lambda: not processes(served), every=0.1)

    served.start()
    wait_until(lambda: not is_free(int(served.port)))
    served.command("stop")  # returns when everything has ended
    left = processes(served)
    assert is_free(int(served.port)) and not any(f"--part {part}" in line for line in left for part in PARTS)
    served.process.wait(LIMIT)
    assert processes(served) == []


def test_new_hub_ends_processes_of_an_earlier_one(served: ServerProcess) -> None:
    """An older version left its child processes running when it was killed; one of those holds the lock."""
    data = DataDirectory(served.data)
    served.command("stop")
    served.process.wait(LIMIT)
    holder = subprocess.Popen(
        ["python3", "-c", HOLDER, str(served.data / "front.lock")], stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None and holder.stdout.readline() == "locked\n"
    served.start()
    assert holder.wait(LIMIT) == -signal.SIGTERM
    wait_until(lambda: not is_free(int(served.port)))
    assert data.running("front") not in (0, holder.pid)
    holder.stdout.close()


HOLDER = """
import fcntl, os, sys, time
file = open(sys.argv[1], "r+")
fcntl.flock(file, fcntl.LOCK_EX)
file.truncate(0); file.write(str(os.getpid())); file.flush()
print("locked", flush=True)
time.sleep(600)
"""
