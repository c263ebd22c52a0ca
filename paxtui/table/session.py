"""What the screens share about the open game: who sits at the keyboard, and which moment is looked at.

The session holds a `paxtui.table.authority.Table` and nothing of the rules: it asks the core for everything.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from paxtui.engine.log import Line
from paxtui.engine.refusal import Refusal
from paxtui.pax.board.status import powers_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.menus import forewarning
from paxtui.pax.orders import actions as ac
from paxtui.pax.orders.dispatches import Letter
from paxtui.pax.play.secrecy import state_seen
from paxtui.pax.sequence import waiting
from paxtui.pax.state.model import State
from paxtui.pax.state.treaty import IN_FORCE
from paxtui.pax.words.narrate import describe
from paxtui.pax.words.spoken import power_name
from paxtui.table.authority import Table


@dataclass(frozen=True)
class LogEntry:
    """One event in plain words, with the line it stands in, by the seat's number."""

    line: int
    seat: str
    text: str
    rules: tuple[str, ...]
    kind: str


@dataclass
class Session:
    """An open game as seen at this keyboard.

    `seat` is the seat that acts; `at` the line looked at, by the seat's own number, or None for the present.
    """

    table: Table
    seat: str = ""
    power: str = ""
    at: int | None = None
    _logs: dict[str, tuple[list[LogEntry], int]] = field(default_factory=dict)
    _known: dict[str, tuple[State, State]] = field(default_factory=dict)

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
        """The present position, as the seat may know it."""
        return self._known_to_seat(self.table.game.state)

    @property
    def state(self) -> State:
        """The position looked at, as the seat may know it."""
        if self.at is None:
            return self.live
        return self._known_to_seat(self.table.game.seek(self.table.log_line(self.seat, self.at)))

    def _known_to_seat(self, full: State) -> State:
        """A position without what the seat may not know; the same object as long as it is the same position."""
        if not self.seat or not (full.treaties or full.choices):
            return full
        known = self._known.get(self.seat)
        if known is None or known[0] is not full:
            known = self._known[self.seat] = (full, state_seen(self.tables, full, self.seat))
        return known[1]

    @property
    def version(self) -> int:
        """Number of the last line that the seat has; lines that it may not know of are not counted."""
        return self.table.version_for(self.seat)

    @property
    def line(self) -> int:
        """Line looked at, by the seat's number."""
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
        """Sit down at a seat; its principal Power acts. The moment looked at stays, by the numbers of the new seat."""
        if self.at is not None and self.seat:
            self.at = self.table.known(seat).number(self.table.log_line(self.seat, self.at))
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
        return list(self.table.play(self.seat, self._with_power(text.strip())))

    def warnings(self, text: str) -> list[str]:
        """What an order would break of the seat's own Treaties, in sentences; empty for most orders."""
        if not any(t.stage == IN_FORCE for t in self.live.treaties):
            return []
        try:
            order = self.table.read(self._with_power(text.strip()))
        except Refusal:
            return []
        if not isinstance(order, ac.Action):
            return []
        return forewarning.warnings(self.tables, self.live, self.seat, order)

    def _with_power(self, text: str) -> str:
        """An order with the acting Power in front, where it is not the seat's own."""
        if self.power != self.seat and ":" not in text and text.split(" ")[0] not in NO_POWER:
            return f"{self.power}: {text}"
        return text

    def log(self) -> list[LogEntry]:
        """Everything that happened, in plain words, as the seat may know it; grows with the log."""
        entries, logged = self._logs.get(self.seat, ([], 1))
        known = self.table.known(self.seat)
        while logged < known.followed:
            logged += 1
            if known.number(logged) == known.number(logged - 1):
                continue
            line = known.lines[known.number(logged) - 2]
            if line.kind == "act":
                for seen in self.table.events_seen(self.seat, logged):
                    text = describe(self.tables, seen)
                    if text:
                        entries.append(LogEntry(line.n, line.seat, text, seen.rules, type(seen).__name__))
            elif line.kind == "note":
                entries += self._note(line)
            else:
                word = {"undo": "takes back to line", "redo": "brings back line"}[line.kind]
                entries.append(LogEntry(line.n, line.seat, f"{line.seat} {word} {line.target}", (), line.kind))
        self._logs[self.seat] = (entries, logged)
        return entries

    def _note(self, line: Line) -> list[LogEntry]:
        """A dispatch that the seat wrote or may read, or a request for an undo."""
        said = line.action
        if not isinstance(said, dict) or "text" not in said:
            return [LogEntry(line.n, line.seat, f"{line.seat} notes {line.target or ''}".strip(), (), line.kind)]
        sender = power_name(self.tables, str(said.get("from", line.seat)))
        to = ", ".join(power_name(self.tables, p) for p in said.get("to", ())) or "everybody"
        text = said["text"] or "a sealed letter"
        return [LogEntry(line.n, line.seat, f"{sender} to {to}: {text}", (), "dispatch")]

    # --- dispatches ---------------------------------------------------------------------------------------------

    def dispatches(self) -> tuple[Letter, ...]:
        """The dispatches that the seat has sent or been sent."""
        return self.table.dispatches(self.seat)

    def send(self, text: str) -> None:
        """Send a dispatch by the notation. Raises: Refusal."""
        self.table.act(self.seat, text)


NO_POWER = ("ready", "unready", "undo", "redo", "choose", "waive", "dispatch", "proclaim")
"""Orders that belong to the seat and take no Power in front."""
