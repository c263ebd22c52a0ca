"""What the screens share about the open game: who sits at the keyboard, and which moment is looked at.

The session holds a `paxtui.table.authority.Table` and nothing of the rules: it asks the core for everything.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

from paxtui.engine.log import Line
from paxtui.engine.refusal import Refusal
from paxtui.pax import events as ev
from paxtui.pax.dispatches import Letter
from paxtui.pax.model import State
from paxtui.pax.narrate import describe, power_name
from paxtui.pax.secrecy import state_seen, visible
from paxtui.pax.sequence import waiting
from paxtui.pax.status import powers_of
from paxtui.pax.tables import Tables
from paxtui.table.authority import Table


@dataclass(frozen=True)
class LogEntry:
    """One event in plain words, with the line of the log it stands in."""

    line: int
    seat: str
    text: str
    rules: tuple[str, ...]
    kind: str


@dataclass
class Session:
    """An open game as seen at this keyboard.

    `seat` is the seat that acts; `at` the line of the log looked at, or None for the present.
    """

    table: Table
    seat: str = ""
    power: str = ""
    at: int | None = None
    _logs: dict[str, tuple[list[LogEntry], int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.seat:
            self.take_seat(self.next_seat() or self.live.players[0])

    # --- what is looked at ---------------------------------------------------------------------------------------

    @property
    def tables(self) -> Tables:
        """The tables of the game."""
        return self.table.tables

    @property
    def live(self) -> State:
        """The present position."""
        return self.table.game.state

    @property
    def state(self) -> State:
        """The position looked at, as the seat may know it."""
        full = self.live if self.at is None else self.table.game.seek(self.at)
        return state_seen(self.tables, full, self.seat) if full.treaties or full.choices else full

    @property
    def version(self) -> int:
        """Number of the last line of the log."""
        return self.table.game.version

    @property
    def line(self) -> int:
        """Line of the log looked at."""
        return self.version if self.at is None else self.at

    def look_at(self, line: int | None) -> None:
        """Look at the position after a line; the last line, or None, is the present."""
        self.at = None if line is None or line >= self.version else max(1, line)

    # --- who acts -----------------------------------------------------------------------------------------------

    def waiting(self) -> tuple[str, ...]:
        """Seats the game waits for now."""
        return waiting(self.tables, self.live)

    def next_seat(self, after: str = "") -> str:
        """The next seat that is waited for, in the order of the seats; "" when none is."""
        due, players = self.waiting(), self.live.players
        start = players.index(after) + 1 if after in players else 0
        for seat in players[start:] + players[:start]:
            if seat in due:
                return seat
        return ""

    def take_seat(self, seat: str) -> None:
        """Sit down at a seat; its principal Power acts."""
        self.seat = self.power = seat

    def my_powers(self) -> tuple[str, ...]:
        """Powers the seat acts for."""
        return powers_of(self.tables, self.live, self.seat)

    # --- acting -------------------------------------------------------------------------------------------------

    def act(self, text: str) -> list[ev.Event]:
        """Let the seat act by the notation; what is automatic is played on.

        Raises: Refusal.
        """
        if self.at is not None:
            raise Refusal("history", (), "You are looking at the past: press End to return to the present first.")
        text = text.strip()
        if self.power != self.seat and ":" not in text and text.split(" ")[0] not in NO_POWER:
            text = f"{self.power}: {text}"
        return list(self.table.play(self.seat, text))

    def log(self) -> list[LogEntry]:
        """Everything that happened, in plain words, as the seat may know it; grows with the log."""
        known, logged = self._logs.get(self.seat, ([], 1))
        while logged < self.version:
            logged += 1
            line = self.table.game.lines[logged - 2]
            if line.kind == "act":
                for event in self.table.game.events(logged):
                    seen = self._seen(event)
                    text = describe(self.tables, seen) if seen is not None else ""
                    if seen is not None and text:
                        known.append(LogEntry(line.n, line.seat, text, seen.rules, type(seen).__name__))
            elif line.kind == "note":
                known += self._note(line)
            else:
                word = {"undo": "takes back to line", "redo": "brings back line"}[line.kind]
                known.append(LogEntry(line.n, line.seat, f"{line.seat} {word} {line.target}", (), line.kind))
        self._logs[self.seat] = (known, logged)
        return known

    def _seen(self, event: ev.Event) -> ev.Event | None:
        """An event as the seat may know it, None where it may not know of it at all."""
        if not event.only or self.seat in event.only:
            return event
        if event.others is None:
            return None
        raw = visible(msgspec.to_builtins(event), self.seat)
        return None if raw is None else msgspec.convert(raw, type=type(event))

    def _note(self, line: Line) -> list[LogEntry]:
        """A dispatch that the seat wrote or may read, or a request for an undo."""
        said = line.action
        if not isinstance(said, dict) or "text" not in said:
            return [LogEntry(line.n, line.seat, f"{line.seat} notes {line.target or ''}".strip(), (), line.kind)]
        raw = said if line.seat == self.seat else visible(said, self.seat)
        if raw is None:
            return []
        sender = power_name(self.tables, str(raw.get("from", line.seat)))
        to = ", ".join(power_name(self.tables, p) for p in raw.get("to", ())) or "everybody"
        text = raw["text"] or "a sealed letter"
        return [LogEntry(line.n, line.seat, f"{sender} to {to}: {text}", (), "dispatch")]

    # --- dispatches ---------------------------------------------------------------------------------------------

    def dispatches(self) -> tuple[Letter, ...]:
        """The dispatches that the seat has sent or been sent."""
        return self.table.dispatches(self.seat)

    def send(self, text: str) -> None:
        """Send a dispatch by the notation. Raises: Refusal."""
        self.table.act(self.seat, text)


NO_POWER = ("ready", "unready", "undo", "redo", "choose", "waive")
"""Orders that belong to the seat and take no Power in front."""
