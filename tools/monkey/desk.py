"""The program in this process, at a clock of its own, and what a monkey finds there."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Awaitable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time
from typing import Any
from unittest.mock import patch

from textual import events
from textual._compositor import ChopsUpdate
from textual.app import App
from textual.drivers.headless_driver import HeadlessDriver
from textual.geometry import Size

from paxtui.studies import job
from paxtui.tui.app import PaxApp
from paxtui.tui.game.screen import GameScreen
from paxtui.tui.rendering import key_queue
from paxtui.tui.rendering.compositor import VisibleCompositor
from tools.monkey.typing import Burst, Key, Pasted, Sized, Stroke
from tools.monkey.visits import VISITS

ANSWER = 30.0
"""Seconds of this process's own time after which keys that nobody has seen to are a fault: others may be busy too."""
WAITS = 3600.0
"""Seconds for which a key waits for what the last one has set going, by the clock on the wall."""
START = 90, 28
"""Columns and rows that a visit begins with."""
LOOKS = 3
"""One burst in so many is followed by a look at the screen."""
TIMES = ("time", "created", "prev")
"""Fields of a line of the log that say when it was written, or follow from that."""


class Fault(Exception):
    """Something that must not be."""


@dataclass
class Result:
    """What came of a visit: the strokes that were heard, and the logs by file."""

    heard: list[Stroke] = field(default_factory=list)
    logs: dict[str, list[str]] = field(default_factory=dict)
    dropped: int = 0
    screens: set[str] = field(default_factory=set)


class Desk:
    """A monkey at a program in this process."""

    def __init__(self, app: PaxApp, result: Result) -> None:
        self.app, self.result, self.now = app, result, 1000.0
        ahead = app.keyboard.type_ahead
        ahead.clock = lambda: self.now
        self._drops = ahead.drops
        setattr(ahead, "drops", self._judge)  # noqa: B010 - a method is replaced

    def _judge(self, event: events.Event, front: object) -> bool:
        early = self._drops(event, front)
        if early:
            self.result.dropped += 1
        elif isinstance(event, events.Key):
            self.result.heard.append(Key(event.key, event.character))
        elif isinstance(event, events.Paste):
            self.result.heard.append(Pasted(event.text))
        return early

    async def type(self, strokes: Sequence[Stroke]) -> None:
        """Type without a pause, and wait until all is seen to."""
        for stroke in strokes:
            if isinstance(stroke, Sized):
                self.result.heard.append(stroke)
                size = Size(stroke.columns, stroke.rows)
                assert isinstance(self.app._driver, HeadlessDriver)
                self.app._driver._size = size
                self.app.post_message(events.Resize(size, size))
                await self.settled()
                continue
            event = events.Key(stroke.name, stroke.letter) if isinstance(stroke, Key) else events.Paste(stroke.text)
            event.time = self.now
            self.app.post_message(event)
        await self.settled()

    @property
    def over(self) -> bool:
        """Whether the program has ended."""
        return self.app._exit or not self.app._running

    async def settled(self) -> None:
        """Wait for the end of all that goes on, and for its frame."""
        end = process_time() + ANSWER
        app = self.app
        await asyncio.sleep(0)
        while not self.over:
            if not app.message_queue_size and not app.keyboard.busy and app.keyboard.is_at_rest() and self._drawn():
                break
            if process_time() > end:
                raise Fault(f"no key is seen to any more on {type(app.screen).__name__}")
            await asyncio.sleep(0)
        if app.crash is not None:
            raise app.crash

    def _drawn(self) -> bool:
        screen = self.app.screen
        waits = screen._layout_required or screen._repaint_required or screen._dirty_widgets or screen._callbacks
        return not waits and not self.app.workers._workers - self._standing()

    def _standing(self) -> set[Any]:
        return {worker for worker in self.app.workers._workers if worker.group == "keyboard"}

    def look(self) -> None:
        """See that the screen in front has something on it, and that the program has caught no mistake of its own."""
        screen = self.app.screen
        self.result.screens.add(type(screen).__name__)
        rows = screen._compositor.render_strips()
        if not any(char.isalnum() for row in rows for char in row.text):
            raise Fault(f"{type(screen).__name__} shows nothing at {screen.size}")
        for told in self.app._notifications:
            if "mistake of the program" in told.message:
                raise Fault(told.message)


@contextmanager
def place(name: str) -> Iterator[tuple[Path, PaxApp]]:
    """A directory of a visit's own, and the program that opens it."""
    first = next(begin for visit, begin, _ in VISITS if visit == name)
    tokens = iter(range(1, 100000))
    with (
        tempfile.TemporaryDirectory() as directory,
        patch.dict(os.environ, {"PAXTUI_HOME": directory}),
        patch("secrets.token_hex", lambda size=16: f"{next(tokens):0{2 * size}x}"),
        patch.object(key_queue, "MIN_VISIBLE_S", 0.15),
        # where others keep the machine busy a thought may take long: its keys wait for it all the same
        patch.object(key_queue, "KEY_TIMEOUT_S", WAITS),
        patch.object(GameScreen, "set_interval", _stands_still),
        patch("textual.command.wait_for", _hardly_waits),
        patch("os.fsync", lambda file: None),
        # the rollouts of a review take minutes of the processor; here their process ends at once
        patch.object(job, "COMMAND", (sys.executable, "-c", "")),
    ):
        home = Path(directory)
        path = first(home)
        yield home, PaxApp(path=path)


def _stands_still(self: GameScreen, interval: float, callback: Any = None, **words: Any) -> Any:
    """A timer that never comes: the log does not play by itself."""
    return App.set_interval(self.app, interval, callback, pause=True)


async def _hardly_waits(awaited: Awaitable[Any], seconds: float) -> Any:
    """The palette looks a tenth of a second long for more lines than there are; here a hundredth of that."""
    return await asyncio.wait_for(awaited, seconds / 100)


def _laid_out(frame: VisibleCompositor, **words: Any) -> ChopsUpdate:
    """A frame for which everything is laid out as ever, and of which no row is drawn."""
    frame._dirty_regions.clear()
    return ChopsUpdate([], [], [])


async def visit(name: str, bursts: Sequence[Burst], slowly: bool = False) -> Result:
    """Type at the program, then leave it.

    Args: the name of the visit; what is typed; whether each key waits for the frame of the last, and a while: then the
        log is what is looked at, and the rows of those frames are not drawn.
    Raises: Fault, or whatever the program raises.
    """
    result = Result()
    undrawn = patch.object(VisibleCompositor, "render_update", _laid_out) if slowly else nullcontext()
    with place(name) as (home, app), undrawn:
        try:
            desk = Desk(app, result)
            async with app.run_test(size=START, notifications=True):
                await desk.settled()
                for n, burst in enumerate(bursts):
                    desk.now += burst.pause
                    for strokes in ((stroke,) for stroke in burst.strokes) if slowly else (burst.strokes,):
                        desk.now += 1.0 if slowly else 0.0
                        await desk.type(strokes)
                        if desk.over:
                            break
                    if desk.over:
                        break
                    if n % LOOKS == 0 and not slowly:
                        desk.look()
                if not desk.over:
                    desk.look()
                    desk.now += 1.0
                    await desk.type((Key("ctrl+q"),))
                    if not desk.over:
                        raise Fault(f"ctrl+q leaves {type(app.screen).__name__} as it is")
                    result.heard.pop()
        finally:
            for screen in app._screen_stacks.get("_default", ()):
                session = getattr(screen, "session", None)
                if session is not None:
                    session.close()
        if app.crash is not None:
            raise app.crash
        result.logs = {log.relative_to(home).as_posix(): _lines(log) for log in sorted(home.rglob("*.jsonl"))}
    return result


def _lines(log: Path) -> list[str]:
    """The lines of a log without their times."""
    out = []
    for line in log.read_text().splitlines():
        fields = json.loads(line)
        out.append(json.dumps({name: value for name, value in fields.items() if name not in TIMES}, sort_keys=True))
    return out
