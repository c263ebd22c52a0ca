"""Type at the program in this process, with a clock of its own."""

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

from paxtui.studies import review_job
from paxtui.tui.app import PaxApp
from paxtui.tui.base.playing import INTERNAL_ERROR
from paxtui.tui.game.screen import GameScreen
from paxtui.tui.rendering import key_queue
from paxtui.tui.rendering.compositor import VisibleCompositor
from tools.monkey.typing import Burst, Key, Pasted, Sized, Stroke
from tools.monkey.visits import VISITS

KEY_LIMIT_S = 30.0
"""CPU seconds of this process after which unhandled keys are a fault: the machine may be busy."""
KEY_WAIT_S = 3600.0
"""Seconds for which a key waits for the work that the last key started."""
START = 90, 28
"""Columns and rows at the beginning of a visit."""
CHECK_EVERY = 3
"""Number of bursts between two checks of the screen."""
TIMES = ("time", "created", "prev")
"""Fields of a log line that depend on the time."""


class Fault(Exception):
    """A fault of the program."""


@dataclass
class Result:
    """Result of a visit: the strokes that were handled, the logs by file, the number of discarded keys, the screens."""

    heard: list[Stroke] = field(default_factory=list)
    logs: dict[str, list[str]] = field(default_factory=dict)
    dropped: int = 0
    screens: set[str] = field(default_factory=set)


class TestedApp:
    """The program in this process."""

    def __init__(self, app: PaxApp, result: Result) -> None:
        self.app, self.result, self.now = app, result, 1000.0
        ahead = app.keyboard.type_ahead
        ahead.clock = lambda: self.now
        self._drops = ahead.drops
        setattr(ahead, "drops", self._record_key)  # noqa: B010 - a method is replaced

    def _record_key(self, event: events.Event, front: object) -> bool:
        early = self._drops(event, front)
        if early:
            self.result.dropped += 1
        elif isinstance(event, events.Key):
            self.result.heard.append(Key(event.key, event.character))
        elif isinstance(event, events.Paste):
            self.result.heard.append(Pasted(event.text))
        return early

    async def type(self, strokes: Sequence[Stroke]) -> None:
        """Type without a pause, and wait until all is handled."""
        for stroke in strokes:
            if isinstance(stroke, Sized):
                self.result.heard.append(stroke)
                size = Size(stroke.columns, stroke.rows)
                assert isinstance(self.app._driver, HeadlessDriver)
                self.app._driver._size = size
                self.app.post_message(events.Resize(size, size))
                await self.settle()
                continue
            event = events.Key(stroke.name, stroke.letter) if isinstance(stroke, Key) else events.Paste(stroke.text)
            event.time = self.now
            self.app.post_message(event)
        await self.settle()

    @property
    def is_over(self) -> bool:
        """Whether the program has ended."""
        return self.app._exit or not self.app._running

    async def settle(self) -> None:
        """Wait until all work has ended and its frame is drawn. Raises: Fault, or the error of the program."""
        end = process_time() + KEY_LIMIT_S
        app = self.app
        await asyncio.sleep(0)
        while not self.is_over:
            if not app.message_queue_size and not app.keyboard.busy and app.keyboard.is_at_rest() and self._drawn():
                break
            if process_time() > end:
                raise Fault(f"keys are no longer handled on {type(app.screen).__name__}")
            await asyncio.sleep(0)
        if app.crash is not None:
            raise app.crash

    def _drawn(self) -> bool:
        screen = self.app.screen
        waits = screen._layout_required or screen._repaint_required or screen._dirty_widgets or screen._callbacks
        return not waits and not self.app.workers._workers - self._permanent_workers()

    def _permanent_workers(self) -> set[Any]:
        return {worker for worker in self.app.workers._workers if worker.group == "keyboard"}

    def check_screen(self) -> None:
        """Check that the screen has content, and that the program reports no internal error. Raises: Fault."""
        screen = self.app.screen
        self.result.screens.add(type(screen).__name__)
        rows = screen._compositor.render_strips()
        if not any(char.isalnum() for row in rows for char in row.text):
            raise Fault(f"{type(screen).__name__} shows nothing at {screen.size}")
        for notice in self.app._notifications:
            if notice.message.startswith(INTERNAL_ERROR):
                raise Fault(notice.message)


@contextmanager
def open_visit(name: str) -> Iterator[tuple[Path, PaxApp]]:
    """Create the directory of a visit, and the program that opens it."""
    first = next(begin for visit, begin, _ in VISITS if visit == name)
    tokens = iter(range(1, 100000))
    with (
        tempfile.TemporaryDirectory() as directory,
        patch.dict(os.environ, {"PAXTUI_HOME": directory}),
        patch("secrets.token_hex", lambda size=16: f"{next(tokens):0{2 * size}x}"),
        patch.object(key_queue, "MIN_VISIBLE_S", 0.15),
        # on a busy machine a bot may take long; keys wait for it
        patch.object(key_queue, "KEY_TIMEOUT_S", KEY_WAIT_S),
        patch.object(GameScreen, "set_interval", _stands_still),
        patch("textual.command.wait_for", _hardly_waits),
        patch("os.fsync", lambda file: None),
        # rollouts of a review take CPU minutes; here their process ends at once
        patch.object(review_job, "COMMAND", (sys.executable, "-c", "")),
    ):
        home = Path(directory)
        path = first(home)
        yield home, PaxApp(path=path)


def _stands_still(self: GameScreen, interval: float, callback: Any = None, **words: Any) -> Any:
    """A timer that never fires: the log does not play by itself."""
    return App.set_interval(self.app, interval, callback, pause=True)


async def _hardly_waits(awaited: Awaitable[Any], seconds: float) -> Any:
    """Shorten the tenth of a second for which the palette waits for more lines."""
    return await asyncio.wait_for(awaited, seconds / 100)


def _laid_out(frame: VisibleCompositor, **words: Any) -> ChopsUpdate:
    """Lay a frame out without drawing its rows."""
    frame._dirty_regions.clear()
    return ChopsUpdate([], [], [])


async def visit(name: str, bursts: Sequence[Burst], slowly: bool = False) -> Result:
    """Type at the program, then end it.

    Args: the name of the visit; the input; whether each key waits for the frame of the last one and a second more. Then
        only the log counts, and rows are not drawn.
    Raises: Fault, or any error of the program.
    """
    result = Result()
    undrawn = patch.object(VisibleCompositor, "render_update", _laid_out) if slowly else nullcontext()
    with open_visit(name) as (home, app), undrawn:
        try:
            tested = TestedApp(app, result)
            async with app.run_test(size=START, notifications=True):
                await tested.settle()
                for n, burst in enumerate(bursts):
                    tested.now += burst.pause
                    for strokes in ((stroke,) for stroke in burst.strokes) if slowly else (burst.strokes,):
                        tested.now += 1.0 if slowly else 0.0
                        await tested.type(strokes)
                        if tested.is_over:
                            break
                    if tested.is_over:
                        break
                    if n % CHECK_EVERY == 0 and not slowly:
                        tested.check_screen()
                if not tested.is_over:
                    tested.check_screen()
                    tested.now += 1.0
                    await tested.type((Key("ctrl+q"),))
                    if not tested.is_over:
                        raise Fault(f"ctrl+q does not end {type(app.screen).__name__}")
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
    """Return the lines of a log without their times."""
    out = []
    for line in log.read_text().splitlines():
        fields = json.loads(line)
        out.append(json.dumps({name: value for name, value in fields.items() if name not in TIMES}, sort_keys=True))
    return out
