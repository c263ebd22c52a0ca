"""Track which seats a game waits for, and run the host's notification program for each seat that must act."""

from __future__ import annotations

import asyncio
import os
import sys
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from weakref import WeakMethod

from paxtui.session.game_host import GameHost

SETTLE_S = 1.0
"""Seconds that a seat must wait before its notification: bots come and go faster."""

HOOK_TIMEOUT_S = 60.0
"""Timeout of the host's program, in seconds."""

Notify = Callable[[Mapping[str, str]], None]
"""Callback for a seat that must act, with environment variables by name. No text of a player is among them."""

PhaseMoment = tuple[int, str]
"""Game Turn and Phase."""


class TurnNotifier:
    """The seats that one game waits for.

    Args:
        name: name of the game.
        table: the game.
        tell: callback for each seat that must act; None for no notifications.
        since: since when each seat was waiting at suspension; None for a game that was not suspended.

    Attributes:
        since: since when the game waits for each seat, ISO 8601 in UTC.
    """

    def __init__(
        self, name: str, table: GameHost, tell: Notify | None = None, since: Mapping[str, str] | None = None
    ) -> None:
        self._name, self._table, self._tell = name, table, tell
        self._moment = table.moment
        self._called = self._waited()
        self._acted: set[tuple[PhaseMoment, str]] = set()  # notified seats that have acted since
        began = "" if since is not None else _waiting_since(table) or table.game.header.created
        self.since = dict.fromkeys(table.waiting_persons, began) | dict(since or {})

    def _waited(self) -> set[tuple[PhaseMoment, str]]:
        """Return the waiting seats with the Phase: a seat that must act in the next Phase too is notified again."""
        return {(self._table.moment, seat) for seat in self._table.waiting_persons}

    def look(self, now: str, here: Sequence[str] = ()) -> None:
        """Update the waiting seats. Args: the time; the connected seats.

        A seat that has acted and must act again is notified again, unless an undo asks it again.
        """
        moment, waited = self._table.moment, self._waited()
        last = self._table.game.lines_after(self._table.version - 1)
        asked_again = self._acted & waited
        if not any(line.kind in ("undo", "redo") for line in last):
            self._called -= asked_again
        self._acted = (self._acted - asked_again) | (self._called - waited)
        before = self.since if self._moment == moment else {}
        self._moment, self.since = moment, {seat: before.get(seat, now) for seat in self._table.waiting_persons}
        if self._tell is not None:
            # a weak reference, so that a suspended game leaves the memory at once
            notify = WeakMethod(self._notify_settled)
            asyncio.get_running_loop().call_later(SETTLE_S, lambda: (notify() or _do_nothing)(tuple(here)))

    def finish(self) -> None:
        """Send the notifications of seats that have waited for less than `SETTLE_S`."""
        self._notify_settled(())

    def _notify_settled(self, here: Sequence[str]) -> None:
        """Notify the seats that are new among the waiting ones."""
        waited = self._waited()
        for _, seat in sorted(waited - self._called):
            if self._tell is not None:
                self._tell(self._environment(seat, seat in here))
        self._called = waited

    def hurry(self, left: float, here: Sequence[str] = ()) -> None:
        """Notify all waiting seats again. Args: the remaining seconds; the connected seats."""
        if self._tell is not None:
            for seat in self._table.waiting_persons:
                self._tell({**self._environment(seat, seat in here), "PAXTUI_LEFT": str(int(left))})

    def ask_host(self, late: Sequence[str]) -> None:
        """Notify the host that seats are late and the host must decide."""
        if self._tell is not None:
            for seat in late:
                self._tell({**self._environment(seat, False), "PAXTUI_LEFT": "0", "PAXTUI_ASKS": "host"})

    def _environment(self, seat: str, here: bool) -> dict[str, str]:
        rules = self._table.rules
        phase, seat_name = rules.phase(self._table.state), rules.seat_name(seat)
        return {
            "PAXTUI_GAME": self._name,
            "PAXTUI_SEAT": seat,
            "PAXTUI_TURN": str(phase.turn),
            "PAXTUI_YEAR": str(phase.year),
            "PAXTUI_PHASE": phase.id,
            "PAXTUI_HERE": "yes" if here else "no",
            "PAXTUI_SEAT_NAME": seat_name,
            "PAXTUI_PHASE_NAME": phase.name,
            "PAXTUI_TEXT": f"{seat_name} must act: {phase.name}, {phase.year}.",
        }


def _do_nothing(here: Sequence[str]) -> None:
    pass


def _waiting_since(host: GameHost) -> str:
    """Return since when an opened game waits: the start of a simultaneous Phase, else its last act."""
    lines, now = host.game.effective_lines(), host.moment
    if not host.rules.phase(host.state).is_open:
        return lines[-1].time if lines else ""
    first = bisect_left(lines, True, key=lambda line: host.moment_of(host.game.seek(line.n)) == now)
    return lines[first].time if first < len(lines) and host.moment_of(host.game.seek(1)) != now else ""


class HostHook:
    """The host's notification program. It receives its information only as environment variables.

    No shell is involved, and no value was written by a player.

    Args:
        words: the program and its arguments.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self._words = tuple(words)
        self._running: set[asyncio.Task[None]] = set()

    def tell(self, environment: Mapping[str, str]) -> None:
        """Start the program without waiting for it."""
        task = asyncio.get_running_loop().create_task(self._run({**os.environ, **environment}))
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _run(self, environment: Mapping[str, str]) -> None:
        quiet = asyncio.subprocess.DEVNULL
        try:
            process = await asyncio.create_subprocess_exec(
                *self._words, stdin=quiet, stdout=quiet, stderr=quiet, env=environment
            )
        except OSError as error:
            print(f"--hook {self._words[0]}: {error.strerror or error}", file=sys.stderr, flush=True)
            return
        try:
            await asyncio.wait_for(process.wait(), HOOK_TIMEOUT_S)
        except TimeoutError:
            with suppress(ProcessLookupError):
                process.kill()
            print(f"--hook {self._words[0]}: ended after {HOOK_TIMEOUT_S:.0f} seconds", file=sys.stderr, flush=True)
