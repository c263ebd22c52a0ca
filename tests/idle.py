"""When an app under test has nothing left to do: seen from its loop, not from how long the processor was quiet.

Textual's own `wait_for_idle` sleeps for 20 ms, twice for each key and once for each pause, and again until the process
has hardly worked in such a while: half of the time that the tests of the screens took was sleep.
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

FRAME = 0.001
"""Seconds between two frames: who looks at each needs no sixtieth of a second for it."""


def next_timer(loop: BaseEventLoop, until: float) -> float | None:
    """When the first of the timers that run out before `until` does so, by the loop's clock; None: there is none."""
    due = [timer.when() for timer in loop._scheduled if not timer.cancelled()]  # type: ignore[attr-defined]
    first = min(due, default=until)
    return first if first < until else None


def others_at_work() -> bool:
    """Whether another thread has something to do, or may have: all but those of a pool that wait for work."""
    own = get_ident()
    others = [frame for thread, frame in sys._current_frames().items() if thread != own]
    return any(f.f_code is not _worker.__code__ or f.f_locals["work_queue"].qsize() for f in others)


async def turns(loop: BaseEventLoop, end: float) -> None:
    """Let the others run until twice in a row nothing is ready, at most until `end`, by the loop's clock.

    Twice, for what has come over a wire is looked for between two turns.
    """
    before = True
    while loop.time() < end:
        await sleep(0)
        ready = bool(loop._ready)  # type: ignore[attr-defined]
        if not before and not ready:
            return
        before = ready


async def nothing_left_to_do(min_sleep: float = SLEEP_GRANULARITY, max_sleep: float = 1) -> None:
    """Wait until nothing is ready to run in this loop, and nothing will be in the next 20 ms.

    What goes off again and again is not waited for once the process hardly works. How long other threads will work is
    not seen from here: where they do, Textual waits in its own way.
    """
    loop = get_running_loop()
    assert isinstance(loop, BaseEventLoop)
    begun = loop.time()
    end = begun + max_sleep
    worked = process_time()
    while True:
        await turns(loop, end)
        if others_at_work():
            return await wait_for_idle(min_sleep, max_sleep)
        now = loop.time()
        timer = next_timer(loop, now + SLEEP_GRANULARITY)
        quiet = now > begun + SLEEP_GRANULARITY and process_time() - worked < SLEEP_IDLE
        if timer is None or now >= end or quiet:
            return None
        worked = process_time()
        await sleep(max(timer - now, 0))


def look_into_the_loop() -> None:
    """Have pilots and apps wait so, and screens draw at once."""
    for module in (textual.app, textual.pilot):
        assert module.wait_for_idle in (wait_for_idle, nothing_left_to_do)  # type: ignore[attr-defined]
        module.wait_for_idle = nothing_left_to_do  # type: ignore[attr-defined]
    textual.screen.UPDATE_PERIOD = FRAME  # type: ignore[misc]
