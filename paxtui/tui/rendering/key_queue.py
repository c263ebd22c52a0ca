"""Keys in the order in which they were typed, each for the screen that stands when all before it are done.

Textual hands a key to the widget that has focus at that moment, and looks at the next one while the first is still on
its way through the queues of widgets, screen and app: of `:` and `ready` typed at once a letter may reach the map
before the line for orders is open. A `Keyboard` holds the next key back until everything that the last one has set
going has come to rest. What was typed before the player could read what it would answer is not heard (`type_ahead`).
A screen that waits for something itself is a `Holding`: it says which keys wait with it, and which can not.

What was typed too early to have been meant for what stands on the screen now.

Keys are never lost, with one exception. Some screens come without having been asked for, or ask before they do what
cannot be undone: the card and the curtain between two players, a confirmation, a page that reports what has happened.
A key typed before such a screen could be read was meant for what stood there before, and that has gone: it is thrown
away, and reaches neither the new screen nor what lies behind it.
"""

from __future__ import annotations

import gc
from asyncio import Event as Signal
from asyncio import sleep, timeout
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from math import inf
from time import monotonic
from typing import Protocol, runtime_checkable

from textual.app import App
from textual.events import Event, Key, Paste
from textual.message_pump import MessagePump

MIN_VISIBLE_S = 0.15
"""Seconds that something must have been on the screen before a key counts as typed in sight of it."""


class DebouncedScreen:
    """Marks a screen that hears only keys typed when it had been on the screen for `SEEN` seconds.

    Name it first among the bases: `class ReportScreen(SeenFirst, PaxOverlay[None])`. Nothing else is needed. A screen
    that comes back into sight, because the one over it has gone, has to be seen anew.
    """


class TypeAheadFilter:
    """Knows when what stands on the screen was first in sight, and which keys are older than that.

    Args:
        clock: the seconds by which events carry their time; a test puts another one in its place.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self.clock = clock
        self._in_sight: object = None
        self._since = -inf
        self._awaits_frame = False

    def expect(self) -> None:
        """Something is about to be drawn that must be seen first, upon a screen that is no `SeenFirst`."""
        self._awaits_frame = True

    def drawn(self, screen: object) -> None:
        """A frame of the screen in front has been written."""
        if self._awaits_frame or (screen is not self._in_sight and isinstance(screen, DebouncedScreen)):
            self._since = self.clock() + MIN_VISIBLE_S
        self._in_sight, self._awaits_frame = screen, False

    def drops(self, event: Event, front: object) -> bool:
        """Whether a key was typed too early. Args: the key, or what was pasted; the screen in front."""
        unseen = isinstance(front, DebouncedScreen) and front is not self._in_sight
        return unseen or self._awaits_frame or event.time < self._since


KEY_TIMEOUT_S = 10.0
"""Seconds after which the next key is seen to, whatever the last one still does: no key may shut the others out.

A turn of the loop counts for `TURN` at most: while a busy machine, or one that slept, let nothing go on, nobody waited.
"""
MAX_TURN_S = 0.1
"""The most seconds that one turn of the loop takes of that patience."""
KEY_GROUP = "keyboard"
"""The group of the worker that sees to the keys."""
BACKGROUND_GROUP = "behind"
"""The group of workers that go on while keys are seen to: no key waits for them."""
AWAITED_GROUP = "thought"
"""The group of workers that fetch what the next keys are for: those wait for it, however long it takes."""
RECHECK_S = 0.01
"""Seconds after which a screen is asked again whether a key still waits."""
GC_YOUNG_IDLE_S, GC_FULL_IDLE_S = 0.05, 5.0
"""Seconds without a key after which the youngest garbage is collected, and all of it."""
GC_YOUNG_OBJECTS, GC_OLD_ROUNDS, GC_NEVER = 2_000, 50, 1_000_000
"""New objects, and rounds among the younger ones, for which either is worth it; and more rounds than there are."""
BUSY_WAIT_S = 0.02
"""Seconds of asking again and again whether all is at rest; whatever takes longer is asked once a millisecond."""


@runtime_checkable
class DefersKeys(Protocol):
    """A screen that may wait for something."""

    def holds(self, event: Key | Paste) -> bool:
        """Whether a key, and with it all that come later, waits until the screen does not wait any more."""

    def handles_immediately(self, event: Key | Paste) -> bool:
        """Whether a key cannot wait for those before it; where it is so, it has been seen to."""

    def cancels_wait(self, event: Key | Paste) -> bool:
        """Whether the key that comes next gives up the thought that is waited for; where it is so, it has done that."""


class KeyQueue:
    """The keys of an app that wait to be seen to.

    Args:
        app: whose keys they are.
        see: sees to one key, as Textual does.

    Attributes:
        type_ahead: knows which of them were typed too early.
        repeated: whether the key that is seen to is the one that was heard before it: pressed again, or held down.
        heard: how many keys have been seen to, the one in hand among them.
    """

    def __init__(self, app: App[int], see: Callable[[Event], Awaitable[None]]) -> None:
        self._app = app
        self._see = see
        self._typed: deque[Key | Paste] = deque()
        self._comes = Signal()
        self._seeing = False
        self.type_ahead = TypeAheadFilter()
        self.repeated = False
        self.heard = 0
        self._last = ""

    @property
    def busy(self) -> bool:
        """Whether a key is still to be seen to, or what one has set going goes on."""
        return self._seeing or bool(self._typed)

    def put(self, event: Key | Paste) -> None:
        """A key was pressed, or a text pasted."""
        front = self._app.screen
        if not (isinstance(front, DefersKeys) and front.handles_immediately(event)):
            self._typed.append(event)
            self._comes.set()

    async def work(self) -> None:
        """See to the keys one by one, for as long as the app runs; all garbage is collected while nobody types."""
        young, middle, old = gc.get_threshold()
        gc.set_threshold(young, middle, GC_NEVER)
        try:
            await self._process_keys()
        finally:
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
            try:
                await self._see(event)
            except Exception as error:
                # as Textual does when a key goes wrong in its own hands
                self._app._handle_exception(error)
                return
            await self.settled()
            self._seeing = False

    async def _next(self) -> Key | Paste:
        """The next key, as soon as there is one. Garbage is collected between keys, so that none waits for it."""
        if not await self._wait_for_key(GC_YOUNG_IDLE_S):
            new, rounds, _ = gc.get_count()
            if new > GC_YOUNG_OBJECTS or rounds:
                gc.collect(1)
            if not await self._wait_for_key(GC_FULL_IDLE_S) and gc.get_count()[2] > GC_OLD_ROUNDS:
                gc.collect()
        while not self._typed:
            self._comes.clear()
            await self._comes.wait()
        return self._typed.popleft()

    async def _wait_for_key(self, seconds: float) -> bool:
        """Whether there is a key, or one comes within some seconds."""
        if not self._typed:
            self._comes.clear()
            with suppress(TimeoutError):
                async with timeout(seconds):
                    await self._comes.wait()
        return bool(self._typed)

    async def repeats_within(self, seconds: float) -> bool:
        """Whether the key in hand comes again within some seconds, as a key does that is held down.

        For workers of the screen that has the key: the next key waits for them.
        """
        if not await self._wait_for_key(seconds):
            return False
        following = self._typed[0]
        return isinstance(following, Key) and following.key == self._last

    async def settled(self) -> None:
        """Wait until nothing that the last key has set going is left to do, but for at most `PATIENCE` seconds.

        A thought takes as long as it takes, unless the next key gives it up.
        """
        spent, last = 0.0, monotonic()
        await sleep(0)
        while not self.is_at_rest():
            now = monotonic()
            spent, last = spent + min(now - last, MAX_TURN_S), now
            if self._is_result_awaited():
                self._cancel_if_asked()
            elif spent > KEY_TIMEOUT_S:
                return
            await sleep(0 if spent < BUSY_WAIT_S else 0.001)

    def _is_result_awaited(self) -> bool:
        """Whether the next keys are for something that is still being thought about."""
        return any(worker.group == AWAITED_GROUP and not worker.is_finished for worker in self._app.workers)

    def _cancel_if_asked(self) -> None:
        """Let the next key give up what is waited for: it is that key's answer, and reaches nothing else."""
        front = self._app.screen
        if self._typed and isinstance(front, DefersKeys) and front.cancels_wait(self._typed[0]):
            self.type_ahead.drops(self._typed.popleft(), front)
            self.heard += 1

    def is_at_rest(self) -> bool:
        """Whether the app and all of the screen in front have seen to every message, and wait for another."""
        app = self._app
        # what is looked up meanwhile, as the palette does, belongs to the key that asked for it
        looking_up = any(
            not worker.is_finished and worker.group not in (KEY_GROUP, BACKGROUND_GROUP) for worker in app.workers
        )
        if looking_up and not app._exit:
            return False
        return app._exit or (is_idle(app) and all(is_idle(node) for node in app.screen.walk_children(with_self=True)))


def is_idle(pump: MessagePump) -> bool:
    """Whether a widget, screen or app has nothing to do: not one that is being made, but one that is going."""
    if pump._closing or pump._closed:
        return True
    # a task that waits for a message has left its mark in the queue; one that still sees to the last one has not
    return not pump.message_queue_size and bool(pump._message_queue.ready_event._waiters)
