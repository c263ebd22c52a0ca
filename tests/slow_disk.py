"""A disk that takes a line of a log in its own time, or not at all."""

from __future__ import annotations

import os
from threading import Event


class Disk:
    """A disk that takes a line when it is told to."""

    def __init__(self) -> None:
        self.may_go_on = Event()
        self.broken = False
        self._sync = os.fsync

    def sync(self, file: int) -> None:
        """What `os.fsync` does, in its own time."""
        self.may_go_on.wait()
        if self.broken:
            self.broken = False
            raise OSError("the disk is broken")
        self._sync(file)
