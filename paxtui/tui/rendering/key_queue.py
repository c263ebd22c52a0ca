"""Keys in typed order, each for the screen that is open when all earlier keys are done.

Textual does not wait for the effects of a key before it handles the next one. `KeyQueue` holds the next key back until
the app is idle. A screen that waits for a result is a `DefersKeys`.

Keys are lost in one case: `TypeAheadFilter` discards keys typed before a `DebouncedScreen` could be read. Such a key
was meant for the previous screen.
"""

from __future__ import annotations

import gc
import sys
from asyncio import Event as Signal
from asyncio import sleep, timeout
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from math import inf
from time import monotonic
from typing import Protocol, runtime_checkable

from textual.app import App
from textual.events import Event, Key, Paste
from textual.message_pump import MessagePump

MIN_VISIBLE_S = 0.15
"""Seconds that content must have been visible before a key applies to it."""


class DebouncedScreen:
    """Mark a screen that accepts only keys typed after it was visible for `MIN_VISIBLE_S`.

    Name it first among the bases. The time starts again when a screen above it closes.
    """


class TypeAheadFilter:
    """Decide which keys are older than the content they would apply to.

    Args:
        clock: the clock of event times; tests replace it.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self.clock = clock
        self._in_sight: object = None
        self._since = -inf
        self._awaits_frame = False

    def expect(self) -> None:
        """Debounce the next frame of a screen that is no `DebouncedScreen`."""
        self._awaits_frame = True

    def drawn(self, screen: object) -> None:
        """Note that a frame of the top screen was written."""
        if self._awaits_frame or (screen is not self._in_sight and isinstance(screen, DebouncedScreen)):
            self._since = self.clock() + MIN_VISIBLE_S
        self._in_sight, self._awaits_frame = screen, False

    def drops(self, event: Event, front: object) -> bool:
        """Return whether a key was typed too early. Args: the key or paste event; the top screen."""
        unseen = isinstance(front, DebouncedScreen) and front is not self._in_sight
        return unseen or self._awaits_frame or event.time < self._since


KEY_TIMEOUT_S = 10.0
"""Seconds after which the next key is handled even if the last one is not done.

One turn of the event loop counts for `MAX_TURN_S` at most, so that a busy or suspended machine causes no timeout.
"""
MAX_TURN_S = 0.1
"""Maximum time that one turn of the event loop adds to the timeout."""
KEY_GROUP = "keyboard"
"""Group of the worker that handles the keys."""
BACKGROUND_GROUP = "behind"
"""Group of workers that run in parallel with keys; no key waits for them."""
AWAITED_GROUP = "thought"
"""Group of workers whose results the next keys need; keys wait without a timeout."""
RECHECK_S = 0.01
"""Interval for asking a screen again whether a key still waits."""
REST_S, REST_AFTER_REPEAT_S, LONG_REST_S = 0.02, 0.05, 0.1
"""Idle seconds before garbage is collected and work is prepared; after a repeated key, which may be held down; and
more of them before work that the very next key hardly needs."""
LONG_REST = "long rest"
"""A step of the work at rest: the later ones wait until no key has come for `LONG_REST_S`."""
GC_FULL_IDLE_S = 5.0
"""Idle seconds before a full collection of garbage."""
GC_YOUNG_OBJECTS, GC_OLD_ROUNDS, GC_NEVER = 2_000, 50, 1_000_000
"""Minimum counts of new objects and young collections for a collection; and a count that is never reached."""
SWITCH_S = 0.0005
"""Seconds for which Python lets a thread run while another one waits: the thread that reads the terminal waits several
times for each key. With Python's 5 ms a key would come 20 to 80 ms late while work is prepared."""
BUSY_WAIT_S = 0.02
"""Seconds of busy waiting for an idle app; after that it is checked once per millisecond."""
MAX_HOLD_S = 0.5
"""Seconds for which frames wait for the end of a key's effects."""
FRAME_S = 1 / 60
"""Minimum seconds between two frames while keys are pending."""


@runtime_checkable
class DefersKeys(Protocol):
    """A screen that may wait for a result."""

    def holds(self, event: Key | Paste) -> bool:
        """Return whether a key, and all later keys, must wait."""

    def handles_immediately(self, event: Key | Paste) -> bool:
        """Handle a key out of order if it cannot wait; return whether it was handled."""

    def cancels_wait(self, event: Key | Paste) -> bool:
        """Cancel the awaited work if the next key asks for it; return whether it was cancelled."""


class KeyQueue:
    """The pending keys of an app.

    Args:
        app: the app.
        see: handles one key, as Textual does.
        rest: returns work for a pause, in steps that are short beside a frame.
        update: lays the top screen out or draws it; returns whether it had changed.

    Attributes:
        type_ahead: the filter for keys typed too early.
        repeated: whether the current key equals the previous one (pressed again or held down).
        heard: number of handled keys, including the current one.
    """

    def __init__(
        self,
        app: App[int],
        see: Callable[[Event], Awaitable[None]],
        rest: Callable[[], Iterator[object]],
        update: Callable[[], bool] = lambda: False,
    ) -> None:
        self._app = app
        self._see, self._rest, self._update = see, rest, update
        self._typed: deque[Key | Paste] = deque()
        self._comes = Signal()
        self._seeing = self._rests_again = False
        self.type_ahead = TypeAheadFilter()
        self.repeated = False
        self.heard = 0
        self._last = ""
        self._hold_end = self._updated_at = -inf

    @property
    def holds_frames(self) -> bool:
        """Return whether frames wait: one frame shows all effects of a key."""
        return self._seeing and monotonic() < self._hold_end

    @property
    def busy(self) -> bool:
        """Return whether a key is pending or its effects are not done."""
        return self._seeing or bool(self._typed)

    def put(self, event: Key | Paste) -> None:
        """Queue a key or a paste."""
        front = self._app.screen
        if not (isinstance(front, DefersKeys) and front.handles_immediately(event)):
            self._typed.append(event)
            self._comes.set()

    async def work(self) -> None:
        """Handle the keys one by one while the app runs; collect garbage while the player is idle."""
        young, middle, old = gc.get_threshold()
        gc.set_threshold(young, middle, GC_NEVER)
        switch = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH_S)
        try:
            await self._process_keys()
        finally:
            sys.setswitchinterval(switch)
            gc.set_threshold(young, middle, old)

    async def _process_keys(self) -> None:
        while True:
            event = await self._next()
            self._seeing = True
            while isinstance(front := self._app.screen, DefersKeys) and front.holds(event):
                self._typed = deque(later for later in self._typed if not front.handles_immediately(later))
                await sleep(RECHECK_S)
            if self.type_ahead.drops(event, self._app.screen):
                self._seeing = False
                continue
            name = event.key if isinstance(event, Key) else ""
            self.heard += 1
            self.repeated, self._last = bool(name) and name == self._last, name
            self._hold_end = monotonic() + MAX_HOLD_S
            try:
                await self._see(event)
            except Exception as error:
                # as Textual does for an error in a key handler
                self._app._handle_exception(error)
                return
            await self.settled()
            self._seeing = False

    async def _next(self) -> Key | Paste:
        """Wait for the next key. Garbage is collected and work is prepared between keys: no key waits for them."""
        while not self._typed:
            self._rests_again = False
            if not await self._wait_for_key(REST_AFTER_REPEAT_S if self.repeated else REST_S):
                new, rounds, _ = gc.get_count()
                if new > GC_YOUNG_OBJECTS or rounds:
                    gc.collect(1)
                await self._work_at_rest()
            is_long = not (self._rests_again or await self._wait_for_key(GC_FULL_IDLE_S) or self._rests_again)
            if is_long and gc.get_count()[2] > GC_OLD_ROUNDS:
                gc.collect()
            while not (self._typed or self._rests_again):
                self._comes.clear()
                await self._comes.wait()
        return self._typed.popleft()

    async def _work_at_rest(self) -> None:
        """Work until a key comes."""
        work = self._rest()
        while not self._typed and (step := next(work, None)) is not None:
            if step == LONG_REST:
                await self._wait_for_key(LONG_REST_S)
            else:
                await sleep(0)

    def rest_again(self) -> None:
        """Look for work again, although no key has come."""
        self._rests_again = True
        self._comes.set()

    async def _wait_for_key(self, seconds: float) -> bool:
        """Wait for a key; return False after the timeout."""
        if not self._typed:
            self._comes.clear()
            with suppress(TimeoutError):
                async with timeout(seconds):
                    await self._comes.wait()
        return bool(self._typed)

    async def settled(self) -> None:
        """Wait until the effects of the last key are done and drawn, for at most `KEY_TIMEOUT_S`.

        Awaited workers have no timeout, but the next key may cancel them.
        """
        spent, last = 0.0, monotonic()
        await sleep(0)
        while self._has_messages() or self._update_screen() or self._has_callbacks() or self._has_workers():
            now = monotonic()
            spent, last = spent + min(now - last, MAX_TURN_S), now
            if self._is_result_awaited():
                self._cancel_if_requested()
            elif spent > KEY_TIMEOUT_S:
                return
            await sleep(0 if spent < BUSY_WAIT_S else 0.001)

    def _update_screen(self) -> bool:
        """Lay out or draw the top screen; return whether it had changed. Pending keys share a frame."""
        now = monotonic()
        if self._typed and now < self._updated_at + FRAME_S and not self._has_callbacks():
            return False
        self._updated_at = now
        return self._update()

    def _is_result_awaited(self) -> bool:
        return any(worker.group == AWAITED_GROUP and not worker.is_finished for worker in self._app.workers)

    def _cancel_if_requested(self) -> None:
        """Let the next key cancel the awaited work; that key is then consumed."""
        front = self._app.screen
        if self._typed and isinstance(front, DefersKeys) and front.cancels_wait(self._typed[0]):
            self.type_ahead.drops(self._typed.popleft(), front)
            self.heard += 1

    def is_at_rest(self) -> bool:
        """Return whether the app and the top screen have handled every message, and what waits for the next frame."""
        return not (self._has_callbacks() or self._has_workers() or self._has_messages())

    @property
    def _is_closing(self) -> bool:
        return self._app._exit or not self._app.screen_stack

    def _has_callbacks(self) -> bool:
        """Return whether something waits for the next frame."""
        return not self._is_closing and bool(self._app.screen._callbacks)

    def _has_workers(self) -> bool:
        """Return whether keys wait for a worker: a search, such as that of the order line, belongs to its key."""
        groups = (worker.group for worker in self._app.workers if not worker.is_finished)
        return not self._app._exit and any(group not in (KEY_GROUP, BACKGROUND_GROUP) for group in groups)

    def _has_messages(self) -> bool:
        """Return whether the app or the top screen has a message to handle."""
        app = self._app
        if self._is_closing:
            return False
        return not (is_idle(app) and all(is_idle(node) for node in app.screen.walk_children(with_self=True)))


def is_idle(pump: MessagePump) -> bool:
    """Return whether a message pump is running and has nothing to do."""
    if pump._closing or pump._closed:
        return True
    # a task that waits for a message sets a flag on the queue; a busy one does not
    return not pump.message_queue_size and bool(pump._message_queue.ready_event._waiters)
