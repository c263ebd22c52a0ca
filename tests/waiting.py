"""Waiting for something that happens, however busy the machine is."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

PATIENCE = 180.0
"""Seconds after which a test fails because something never happens. A sound program on a busy machine needs fewer."""


def wait_until(
    is_so: Callable[[], object], describe: Callable[[], str] = lambda: "it never happens", every: float = 0.01
) -> None:
    """Wait until something is so.

    Args: what is waited for; the message of the failure; seconds between two looks, more where a look is expensive.
    """
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, describe()
        time.sleep(every)


async def until(
    is_so: Callable[[], object], describe: Callable[[], str] = lambda: "it never happens", pilot: Any = None
) -> None:
    """Let the event loop run until something is so.

    Args: what is waited for; the message of the failure; the pilot of an app, to wait also until the app is idle.
    """
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, describe()
        await (asyncio.sleep(0.002) if pilot is None else pilot.pause(0.01))
    if pilot is not None:
        await pilot.pause()
