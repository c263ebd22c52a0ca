"""A disk that a test can slow down or break."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event

import pytest


class Disk:
    """A replacement of `os.fsync` that waits while `may_go_on` is not set, and fails once if `broken`."""

    def __init__(self) -> None:
        self.may_go_on = Event()
        self.broken = False
        self._sync = os.fsync

    def sync(self, file: int) -> None:
        """Call `os.fsync` as soon as the test allows it."""
        self.may_go_on.wait()
        if self.broken:
            self.broken = False
            raise OSError("the disk is broken")
        self._sync(file)


@contextmanager
def controlled_disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    """Replace `os.fsync` by a `Disk`, which at first does not wait."""
    disk = Disk()
    disk.may_go_on.set()
    monkeypatch.setattr(os, "fsync", disk.sync)
    yield disk
    disk.may_go_on.set()
