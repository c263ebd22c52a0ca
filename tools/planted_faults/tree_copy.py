"""A copy of the tree in which tests run and faults are planted: the work tree itself is never touched."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import NamedTuple

from tools.planted_faults.planting import Fault

LEFT_OUT = (".git", ".venv", "*.egg-info", "build", "dist", ".*_cache", ".hypothesis", "__pycache__", "*.log")
PLUGIN = Path(__file__).parent / "plugin"
OURSELVES = "tools/planted_faults"


class Run(NamedTuple):
    """What a run of pytest came to: whether everything passed, and the tests or modules that failed."""

    passed: bool
    failed: tuple[str, ...]


class TreeCopy:
    """A copy of the tree, thrown away at the end. A context manager.

    Args: the root of the work tree.
    """

    def __init__(self, root: Path) -> None:
        self.holder = tempfile.TemporaryDirectory(prefix="faults-")
        self.path = Path(self.holder.name) / "tree"
        shutil.copytree(root, self.path, ignore=shutil.ignore_patterns(*LEFT_OUT), symlinks=True)
        self.stamp = count(int(os.stat(self.path).st_mtime) + 10, 10)

    def __enter__(self) -> TreeCopy:
        return self

    def __exit__(self, *_: object) -> None:
        self.holder.cleanup()

    @contextmanager
    def with_fault(self, fault: Fault) -> Iterator[None]:
        """The copy has the fault in it as long as this lasts."""
        path = self.path / fault.file
        text = path.read_text("utf-8")
        self.write(path, fault.planted(text))
        try:
            yield
        finally:
            self.write(path, text)

    def write(self, path: Path, text: str) -> None:
        """Write a file with a new modification time: Python compares the times of compiled modules in whole seconds."""
        path.write_text(text, "utf-8")
        moment = next(self.stamp)
        os.utime(path, (moment, moment))

    def pytest(self, *arguments: str, tests: tuple[str, ...] = (), seconds: float = 0.0) -> Run:
        """Run tests in the copy, of any marker; all of them where none are named.

        Args: seconds a test may take, 0 for any.
        """
        failed = Path(self.holder.name) / "failed"
        failed.unlink(missing_ok=True)
        named = Path(self.holder.name) / "tests"
        named.write_text("".join(f"{test}\n" for test in tests), "utf-8")
        command = [sys.executable, "-m", "pytest", "-q", "-m", "", "-p", "pytest_faults", "-p", "no:cacheprovider"]
        command += [f"--faults-failed={failed}", *([f"--faults-seconds={seconds}"] if seconds else []), *arguments]
        command += [f"@{named}"] if tests else [f"--ignore={OURSELVES}"]
        done = subprocess.run(command, cwd=self.path, env=self.environment(), capture_output=True, text=True)
        names = failed.read_text("utf-8").splitlines() if failed.exists() else []
        if done.returncode not in (0, 1, 5) and not names:
            names = [(done.stdout + done.stderr).strip().rsplit("\n", 1)[-1] or "pytest itself"]
        return Run(done.returncode in (0, 5) and not names, tuple(dict.fromkeys(names)))

    def environment(self) -> dict[str, str]:
        """The copy's modules come before those of the work tree, for the commands that tests start as well."""
        return {**os.environ, "PYTHONPATH": os.pathsep.join([str(self.path), str(PLUGIN)]), "PYTHONHASHSEED": "0"}
