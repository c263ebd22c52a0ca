"""Find out from the event loop when an app under test is idle.

`wait_for_idle` of Textual sleeps for 20 ms, twice for each key and once for each pause, until the process has used
little CPU time. Half of the duration of the screen tests was this sleep.
"""

from __future__ import annotations

import sys
from asyncio import BaseEventLoop, get_running_loop, sleep
from concurrent.futures.thread import _worker
from threading import get_ident
from time import process_time

import textual.app
import textual.pilot
import textual.screen
from textual._wait import SLEEP_GRANULARITY, SLEEP_IDLE, wait_for_idle

FRAME_S = 0.001
"""Seconds between two frames; a test needs no sixtieth of a second for each."""


def next_timer(loop: BaseEventLoop, until: float) -> float | None:
    """Return the time of the first timer before `until`, by the loop's clock; None if there is none."""
    due = [timer.when() for timer in loop._scheduled if not timer.cancelled()]  # type: ignore[attr-defined]
    first = min(due, default=until)
    return first if first < until else None


def other_threads_are_busy() -> bool:
    """Whether another thread may be busy. Idle threads of a pool are not."""
    own = get_ident()
    others = [frame for thread, frame in sys._current_frames().items() if thread != own]
    return any(f.f_code is not _worker.__code__ or f.f_locals["work_queue"].qsize() for f in others)


async def run_ready_tasks(loop: BaseEventLoop, end: float) -> None:
    """Let other tasks run until nothing is ready twice in a row, or until `end`, in seconds of the process's CPU time.

    Twice, because the loop reads from sockets between two turns.
    """
    before = True
    while process_time() < end:
        await sleep(0)
        ready = bool(loop._ready)  # type: ignore[attr-defined]
        if not before and not ready:
            return
        before = ready


async def wait_until_idle(min_sleep: float = SLEEP_GRANULARITY, max_sleep: float = 1) -> None:
    """Wait until nothing is ready to run in this loop, and nothing will be in the next 20 ms.

    Repeating timers are not waited for if the process uses little CPU time in 20 ms of sleep. If other threads are at
    work, Textual waits in its own way. The limit is CPU time: on a busy machine the app may get little of a second.
    """
    loop = get_running_loop()
    assert isinstance(loop, BaseEventLoop)
    worked = process_time()
    end, slept = worked + max_sleep, 0.0
    while True:
        await run_ready_tasks(loop, end)
        if other_threads_are_busy():
            return await wait_for_idle(min_sleep, max_sleep)
        now = loop.time()
        timer = next_timer(loop, now + SLEEP_GRANULARITY)
        quiet = slept > SLEEP_GRANULARITY and process_time() - worked < SLEEP_IDLE
        if timer is None or process_time() >= end or quiet:
            return None
        worked = process_time()
        pause = max(timer - now, 0)
        slept += pause
        await sleep(pause)


def replace_textual_wait() -> None:
    """Use `wait_until_idle` in pilots and apps, and let screens draw at once."""
    for module in (textual.app, textual.pilot):
        assert module.wait_for_idle in (wait_for_idle, wait_until_idle)  # type: ignore[attr-defined]
        module.wait_for_idle = wait_until_idle  # type: ignore[attr-defined]
    textual.screen.UPDATE_PERIOD = FRAME_S  # type: ignore[misc]
