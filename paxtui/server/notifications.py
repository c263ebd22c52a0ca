"""Whom a game waits for and since when; the host's own program is told of each seat that must act from now on."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from paxtui.games.pax.events.turn import PhaseBegan
from paxtui.games.pax.sequence import OPEN
from paxtui.session.game_host import GameHost

SETTLE_S = 1.0
"""Seconds for which a seat must be waited for before it is told: bots come and go within less."""

HOOK_TIMEOUT_S = 60.0
"""Seconds that the host's program may take."""

Notify = Callable[[Mapping[str, str]], None]
"""Tells of a seat that must act, by the names and values of an environment."""


PhaseMoment = tuple[int, str]
"""Game Turn and Phase."""


class TurnNotifier:
    """Whom one game waits for.

    Args:
        name: of the game in the house.
        table: the game.
        tell: is told of each seat that must act from now on; None where nobody wants to know.
        since: the time since which each seat was waited for when the game fell asleep; None where it has not.

    Attributes:
        since: the time since which each seat is waited for, ISO 8601 in UTC.
    """

    def __init__(
        self, name: str, table: GameHost, tell: Notify | None = None, since: Mapping[str, str] | None = None
    ) -> None:
        self._name, self._table, self._tell = name, table, tell
        self._moment = self._now
        self._called = {(self._now, seat) for seat in self._waited}
        began = "" if since is not None else _waiting_since(table) or table.game.header.created
        self.since = dict.fromkeys(self._waited, began) | dict(since or {})

    @property
    def is_settled(self) -> bool:
        """Whether everybody has been told who was to be told."""
        return self._tell is None or {(self._now, seat) for seat in self._waited} <= self._called

    @property
    def _now(self) -> PhaseMoment:
        """Game Turn and Phase: a seat that must act in the next Phase as well is called again."""
        return self._table.state.turn, self._table.state.phase

    @property
    def _waited(self) -> tuple[str, ...]:
        """The seats of persons that the game waits for."""
        return tuple(seat for seat in self._table.waiting if not self._table.occupant(seat).is_automatic)

    def look(self, now: str, here: Sequence[str] = ()) -> None:
        """See who is waited for now. Args: the time; the seats at which somebody sits."""
        before = self.since if self._moment == self._now else {}
        self._moment, self.since = self._now, {seat: before.get(seat, now) for seat in self._waited}
        if self._tell is not None:
            asyncio.get_running_loop().call_later(SETTLE_S, self._told, tuple(here))

    def _told(self, here: Sequence[str]) -> None:
        """Tell of those that are waited for and were not before."""
        waited = {(self._now, seat) for seat in self._waited}
        for _, seat in sorted(waited - self._called):
            if self._tell is not None:
                self._tell(self._said(seat, seat in here))
        self._called = waited

    def hurry(self, left: float, here: Sequence[str] = ()) -> None:
        """Tell of everybody who is waited for, once more. Args: seconds that are left; where somebody sits."""
        if self._tell is not None:
            for seat in self._waited:
                self._tell({**self._said(seat, seat in here), "PAXTUI_LEFT": str(int(left))})

    def ask_host(self, late: Sequence[str]) -> None:
        """Tell the host that the time of some seats is over, and that the host decides."""
        if self._tell is not None:
            for seat in late:
                self._tell({**self._said(seat, False), "PAXTUI_LEFT": "0", "PAXTUI_ASKS": "host"})

    def _said(self, seat: str, here: bool) -> dict[str, str]:
        state = self._table.state
        return {
            "PAXTUI_GAME": self._name,
            "PAXTUI_SEAT": seat,
            "PAXTUI_TURN": str(state.turn),
            "PAXTUI_YEAR": str(self._table.tables.turns[state.turn - 1].year),
            "PAXTUI_PHASE": state.phase,
            "PAXTUI_HERE": "yes" if here else "no",
        }


def _waiting_since(table: GameHost) -> str:
    """Since when a game waits that is opened: since the Phase began where all act at once, else since its last act."""
    for line in reversed(table.game.effective_lines()):
        if table.state.phase not in OPEN or any(isinstance(e, PhaseBegan) for e in table.game.events(line.n)):
            return line.time
    return ""


class HostHook:
    """The host's own program, which is told of a seat that must act: by its environment, and by nothing else.

    No shell reads what it is told, and nothing of it was written by a player.

    Args:
        words: the program and its arguments.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self._words = tuple(words)
        self._running: set[asyncio.Task[None]] = set()

    def tell(self, said: Mapping[str, str]) -> None:
        """Start the program; nobody waits for it."""
        task = asyncio.get_running_loop().create_task(self._run({**os.environ, **said}))
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
