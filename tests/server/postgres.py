"""A PostgreSQL server of its own, in a temporary directory, with a Unix socket only and fsync on."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from tempfile import mkdtemp
from urllib.parse import quote

BIN = Path("/usr/lib/postgresql/15/bin")
"""Debian's programs."""

UNPRIVILEGED = "postgres"
"""The user for a test that runs as root: initdb refuses root."""


class PostgresServer:
    """A database server that belongs to a test.

    Attributes:
        directory: its directory.
    """

    def __init__(self) -> None:
        self.directory = Path(mkdtemp(prefix="paxpg"))
        self._as = []
        if os.geteuid() == 0:
            shutil.chown(self.directory, UNPRIVILEGED)
            self._as = ["setpriv", f"--reuid={UNPRIVILEGED}", "--regid=postgres", "--init-groups"]
        self._run("initdb", "-D", self._data, "-U", "paxtui", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        self.start()

    @property
    def _data(self) -> str:
        return str(self.directory / "data")

    def _run(self, program: str, *words: str) -> None:
        subprocess.run([*self._as, str(BIN / program), *words], check=True, stdout=subprocess.DEVNULL, cwd="/")

    def start(self) -> None:
        """Start the server, and wait until it accepts connections."""
        options = f"-c listen_addresses='' -c unix_socket_directories='{self.directory}' -c fsync=on"
        log = str(self.directory / "log")
        self._run("pg_ctl", "start", "-w", "-D", self._data, "-l", log, "-o", options)

    def stop(self, mode: str = "immediate") -> None:
        """Stop the server. Args: `fast` closes all connections in order, `immediate` is a crash."""
        self._run("pg_ctl", "stop", "-w", "-D", self._data, "-m", mode)

    def url(self, database: str = "postgres", user: str = "paxtui") -> str:
        """Return the URL of a database."""
        return f"postgresql://{user}@/{database}?host={quote(str(self.directory), safe='')}"

    def close(self) -> None:
        """Stop the server and delete it."""
        self.stop()
        shutil.rmtree(self.directory, ignore_errors=True)
