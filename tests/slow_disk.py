"""A disk that a test can slow down or break."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event

import pytest


class Disk:
    """A disk that writes a line only while `may_go_on` is set, and fails once if `broken`."""

    def __init__(self) -> None:
        self.may_go_on = Event()
        self.broken = False
        self._sync = os.fsync

    def sync(self, file: int) -> None:
        """Do what `os.fsync` does, when the test allows it."""
        self.may_go_on.wait()
        if self.broken:
            self.broken = False
            raise OSError("the disk is broken")
        self._sync(file)


@contextmanager
def slowed_disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    """Put a `Disk` under the logs. It begins quick."""
    disk = Disk()
    disk.may_go_on.set()
    monkeypatch.setattr(os, "fsync", disk.sync)
    yield disk
    disk.may_go_on.set()
