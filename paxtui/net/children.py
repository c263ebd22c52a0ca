"""Child processes of the hub: they end with it, whatever ends it."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from contextlib import suppress

_SET_DEATH_SIGNAL = 1
"""PR_SET_PDEATHSIG of Linux."""


def end_with_parent() -> None:
    """Have the kernel send SIGTERM to this process when its parent ends; Linux only.

    A process needs this while it does not watch the pipe to its parent, for instance during imports.
    """
    if sys.platform != "linux":
        return
    parent = os.getppid()
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None, use_errno=True).prctl(_SET_DEATH_SIGNAL, signal.SIGTERM)
    if os.getppid() != parent:  # the parent ended before the kernel knew
        raise SystemExit(0)
