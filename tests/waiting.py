"""Wait for conditions, with a timeout that a busy machine does not reach."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

PATIENCE = 180.0
"""Seconds after which a test fails because a condition does not become true."""


def wait_until(
    is_so: Callable[[], object],
    describe: Callable[[], str] = lambda: "it did not happen",
    every: float = 0.01,
) -> None:
    """Wait until a condition is true.

    Args: the condition; the message of the failure; seconds between two checks.
    """
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, describe()
        time.sleep(every)


async def until(
    is_so: Callable[[], object],
    describe: Callable[[], str] = lambda: "it did not happen",
    pilot: Any = None,
) -> None:
    """Let the event loop run until a condition is true.

    Args: the condition; the message of the failure; the pilot of an app, to wait also until the app is idle.
    """
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, describe()
        await (asyncio.sleep(0.002) if pilot is None else pilot.pause(0.01))
    if pilot is not None:
        await pilot.pause()
