"""Keys in the order in which they were typed, each for the screen that stands when all before it are done.

Textual hands a key to the widget that has focus at that moment, and looks at the next one while the first is still on
its way through the queues of widgets, screen and app: of `:` and `ready` typed at once a letter may reach the map
before the line for orders is open. A `Keyboard` holds the next key back until everything that the last one has set
going has come to rest. What was typed before the player could read what it would answer is not heard (`type_ahead`).
A screen that waits for something itself is a `Holding`: it says which keys wait with it, and which can not.
"""

from __future__ import annotations

import gc
from asyncio import Event as Signal
from asyncio import sleep, timeout
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from time import monotonic
from typing import Protocol, runtime_checkable

from textual.app import App
from textual.events import Event, Key, Paste
from textual.message_pump import MessagePump

from paxtui.tui.swift.type_ahead import TypeAhead

PATIENCE = 10.0
"""Seconds after which the next key is seen to, whatever the last one still does: no key may shut the others out.

A turn of the loop counts for `TURN` at most: while a busy machine, or one that slept, let nothing go on, nobody waited.
"""
TURN = 0.1
"""The most seconds that one turn of the loop takes of that patience."""
GROUP = "keyboard"
"""The group of the worker that sees to the keys."""
BEHIND = "behind"
"""The group of workers that go on while keys are seen to: no key waits for them."""
THOUGHT = "thought"
"""The group of workers that fetch what the next keys are for: those wait for it, however long it takes."""
WAITS = 0.01
"""Seconds after which a screen is asked again whether a key still waits."""
PAUSE, REST = 0.05, 5.0
"""Seconds without a key after which the youngest garbage is collected, and all of it."""
YOUNG, OLD, NEVER = 2_000, 50, 1_000_000
"""New objects, and rounds among the younger ones, for which either is worth it; and more rounds than there are."""
BUSY = 0.02
"""Seconds of asking again and again whether all is at rest; whatever takes longer is asked once a millisecond."""


@runtime_checkable
class Holding(Protocol):
    """A screen that may wait for something."""

    def holds(self, event: Key | Paste) -> bool:
        """Whether a key, and with it all that come later, waits until the screen does not wait any more."""

    def takes_at_once(self, event: Key | Paste) -> bool:
        """Whether a key cannot wait for those before it; where it is so, it has been seen to."""

    def gives_up(self, event: Key | Paste) -> bool:
        """Whether the key that comes next gives up the thought that is waited for; where it is so, it has done that."""


class Keyboard:
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
        self.type_ahead = TypeAhead()
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
        if not (isinstance(front, Holding) and front.takes_at_once(event)):
            self._typed.append(event)
            self._comes.set()

    async def work(self) -> None:
        """See to the keys one by one, for as long as the app runs; all garbage is collected while nobody types."""
        young, middle, old = gc.get_threshold()
        gc.set_threshold(young, middle, NEVER)
        try:
            await self._see_to_them()
        finally:
            gc.set_threshold(young, middle, old)

    async def _see_to_them(self) -> None:
        while True:
            event = await self._next()
            self._seeing = True
            while isinstance(front := self._app.screen, Holding) and front.holds(event):
                self._typed = deque(later for later in self._typed if not front.takes_at_once(later))
                await sleep(WAITS)
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
        if not await self._comes_within(PAUSE):
            new, rounds, _ = gc.get_count()
            if new > YOUNG or rounds:
                gc.collect(1)
            if not await self._comes_within(REST) and gc.get_count()[2] > OLD:
                gc.collect()
        while not self._typed:
            self._comes.clear()
            await self._comes.wait()
        return self._typed.popleft()

    async def _comes_within(self, seconds: float) -> bool:
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
        if not await self._comes_within(seconds):
            return False
        following = self._typed[0]
        return isinstance(following, Key) and following.key == self._last

    async def settled(self) -> None:
        """Wait until nothing that the last key has set going is left to do, but for at most `PATIENCE` seconds.

        A thought takes as long as it takes, unless the next key gives it up.
        """
        spent, last = 0.0, monotonic()
        await sleep(0)
        while not self.at_rest():
            now = monotonic()
            spent, last = spent + min(now - last, TURN), now
            if self._thinking():
                self._given_up()
            elif spent > PATIENCE:
                return
            await sleep(0 if spent < BUSY else 0.001)

    def _thinking(self) -> bool:
        """Whether the next keys are for something that is still being thought about."""
        return any(worker.group == THOUGHT and not worker.is_finished for worker in self._app.workers)

    def _given_up(self) -> None:
        """Let the next key give up what is waited for: it is that key's answer, and reaches nothing else."""
        front = self._app.screen
        if self._typed and isinstance(front, Holding) and front.gives_up(self._typed[0]):
            self.type_ahead.drops(self._typed.popleft(), front)
            self.heard += 1

    def at_rest(self) -> bool:
        """Whether the app and all of the screen in front have seen to every message, and wait for another."""
        app = self._app
        # what is looked up meanwhile, as the palette does, belongs to the key that asked for it
        looking_up = any(not worker.is_finished and worker.group not in (GROUP, BEHIND) for worker in app.workers)
        if looking_up and not app._exit:
            return False
        return app._exit or (waits(app) and all(waits(node) for node in app.screen.walk_children(with_self=True)))


def waits(pump: MessagePump) -> bool:
    """Whether a widget, screen or app has nothing to do: not one that is being made, but one that is going."""
    if pump._closing or pump._closed:
        return True
    # a task that waits for a message has left its mark in the queue; one that still sees to the last one has not
    return not pump.message_queue_size and bool(pump._message_queue.ready_event._waiters)
