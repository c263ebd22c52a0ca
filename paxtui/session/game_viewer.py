"""A read-only view of a game for one seat: positions, log lines, and the events in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from paxtui.engine.game_log import GameLog
from paxtui.engine.log import UNDO_REQUEST, Header, Line
from paxtui.engine.notes import describe_table_note
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions.dispatches import Letter
from paxtui.games.pax.actions.notation import format_order
from paxtui.games.pax.actions.structured import decode_action
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.narration.narrator import Narrator, VisibleAct, is_bookkeeping, place_of
from paxtui.games.pax.state.diplomacy import Congress
from paxtui.games.pax.state.model import State
from paxtui.games.pax.text.display import PaxNames, capitalize, power_name, the_power
from paxtui.games.pax.visibility import visible_state
from paxtui.session.pax_host import PaxViews

if TYPE_CHECKING:
    from paxtui.games.pax.statistics import GameStatistics


def _begins_cycle(event: ev.Event, war: str) -> bool:
    if isinstance(event, ev.WarDeclared | ev.WarArose):
        return event.war.id == war
    return isinstance(event, ev.CycleEnded) and event.war == war


@dataclass(frozen=True)
class LogEntry:
    """One event in plain words, with the line it stands in, by the seat's number.

    Attributes:
        seat: the seat that acted.
        kind: the name of the event.
        place: the Area, Sea Zone or Home Country of the event; "" for none.
        quiet: whether it is bookkeeping.
    """

    line: int
    seat: str
    text: str
    rules: tuple[str, ...]
    kind: str
    place: str = ""
    quiet: bool = False


class SeenLine(NamedTuple):
    """A line of the log as a seat has it.

    Attributes:
        place: its number in the count shared by all seats at this keyboard.
        number: its number in the seat's own log.
        line: the line.
        events: its events.
    """

    place: int
    number: int
    line: Line
    events: tuple[ev.Event, ...]


class UndoRequest(NamedTuple):
    """An undo that waits for consent. Attributes: the line to return to; the requesting seats."""

    line: int
    seats: tuple[str, ...]


class GameViewer:
    """A game as one seat sees it, without the means to act.

    Args:
        host: the game.
        viewpoint: the seat whose knowledge is shown; a replay also has SPECTATOR and ARBITER.

    Attributes:
        viewpoint: as above; it can be changed.
        at: the displayed line, by the viewpoint's own number, or None for the present.
    """

    def __init__(self, host: PaxViews, viewpoint: str) -> None:
        self._host = host
        self._logs: dict[str, tuple[list[LogEntry], int]] = {}
        self._narrators: dict[str, tuple[Narrator, int]] = {}
        self._known: dict[str, tuple[State, State]] = {}
        self.viewpoint = viewpoint
        self.at: int | None = None

    def change_viewpoint(self, viewpoint: str) -> None:
        """Show the game as another seat knows it; the displayed position stays the same."""
        place = self.place_of(self.at) if self.at is not None else None
        self.viewpoint = viewpoint
        if place is not None:
            self.at = self.number_of(place)

    # --- positions ------------------------------------------------------------------------------------------------

    @property
    def header(self) -> Header:
        """The header of the log, as the seat may know it."""
        return self._host.header_for(self.viewpoint)

    @property
    def game_log(self) -> GameLog[State]:
        """The complete log, for the process of the bots."""
        return self._host.game

    @property
    def tables(self) -> Tables:
        """The tables of the game."""
        return self._host.tables

    @property
    def live(self) -> State:
        """The present position, as the seat may know it."""
        return self._known_to_seat(self._host.state)

    @property
    def state(self) -> State:
        """The displayed position, as the seat may know it."""
        if self.at is None:
            return self.live
        return self._known_to_seat(self._host.game.seek(self._host.log_line(self.viewpoint, self.at)))

    def position(self, line: int) -> State:
        """Return the position after a line of the seat, as the seat may know it. Raises: Refusal `no_such_line`."""
        return self._host.state_for(self.viewpoint, line)

    def _known_to_seat(self, full: State) -> State:
        """Remove what the seat may not know; the result is cached per position."""
        if not self.viewpoint or not (full.treaties or full.choices):
            return full
        known = self._known.get(self.viewpoint)
        if known is None or known[0] is not full:
            known = self._known[self.viewpoint] = (full, visible_state(self.tables, full, self.viewpoint))
        return known[1]

    @property
    def version(self) -> int:
        """Number of the seat's last line; hidden lines are not counted."""
        return self._host.version_for(self.viewpoint)

    @property
    def line(self) -> int:
        """The displayed line, by the seat's number."""
        return self.version if self.at is None else self.at

    def objection(self, id_: str) -> str:
        """Return the stated reason for rejecting a draft; "" if the seat knows none."""
        return self._host.objection(self.viewpoint, id_)

    def bot_reasons(self) -> list[tuple[str, str, str]]:
        """Return seat, order and reason of bot acts that the seat may know; private acts are left out."""
        host = self._host
        found = []
        for line in host.game.effective_lines():
            why = host.reason(self.viewpoint, line.n)
            if why and not host.is_private(line.n):
                order = decode_action(host.tables, dict(line.action))
                found.append((line.seat, format_order(host.tables, order), why))
        return found

    def reason(self, number: int) -> str:
        """Return the reason for a line of the seat, as far as it may know; "" for none."""
        place = self.place_of(number)
        return self._host.reason(self.viewpoint, place) if place > 1 else ""

    # --- lines and events ----------------------------------------------------------------------------------------

    @property
    def lines(self) -> Sequence[Line]:
        """The log lines of the seat; the first is line 2."""
        return self._host.known(self.viewpoint).lines

    @property
    def place(self) -> int:
        """The last line in the count shared by all seats at this keyboard."""
        return self._host.version

    def place_of(self, number: int) -> int:
        """Convert the seat's line number to the shared count; numbers after the last line give the last place."""
        return self._host.log_line(self.viewpoint, min(number, self.version))

    def number_of(self, place: int) -> int:
        """Convert a place in the shared count to the seat's line number."""
        return self._host.known(self.viewpoint).number(place)

    def seen_lines(self, after: int = 1, to: int | None = None) -> Iterator[SeenLine]:
        """Return the seat's lines after a place of the shared count, up to another (None: to the end)."""
        known = self._host.known(self.viewpoint)
        for n in range(max(after, 1) + 1, (known.followed if to is None else to) + 1):
            number = known.number(n)
            if number != known.number(n - 1):
                line = known.lines[number - 2]
                events = self._host.visible_events(self.viewpoint, n) if line.kind == "act" else ()
                yield SeenLine(n, number, line, events)

    def is_private(self, place: int) -> bool:
        """Whether the line at a place of the shared count is known to some seats only."""
        return self._host.is_private(place)

    def in_force(self) -> Iterator[tuple[Line, tuple[ev.Event, ...]]]:
        """Return the known acts in force, in order, each with its events."""
        return self._with_known_events(self._host.game.effective_lines())

    def _with_known_events(self, lines: Iterable[Line]) -> Iterator[tuple[Line, tuple[ev.Event, ...]]]:
        """Yield those of the lines that the seat knows, each with its events."""
        known = self._host.known(self.viewpoint)
        for line in lines:
            if known.number(line.n) != known.number(line.n - 1):
                yield line, self._host.visible_events(self.viewpoint, line.n)

    def events_between(self, before: int, after: int) -> tuple[ev.Event, ...]:
        """Return the known events of acts in force after one line of the seat and up to another."""
        first, last = self.place_of(before), self.place_of(after)
        return tuple(event for line, events in self.in_force() if first < line.n <= last for event in events)

    def events_of_cycle(self, war: str) -> tuple[ev.Event, ...]:
        """Return the known events of a War since its cycle began, up to the displayed line."""
        upto = self.place_of(self.line)
        acts: list[tuple[ev.Event, ...]] = []
        lines = (line for line in reversed(self._host.game.effective_lines()) if line.n <= upto)
        for _, events in self._with_known_events(lines):
            began = [n for n, event in enumerate(events) if _begins_cycle(event, war)]
            acts.append(events[began[-1] :] if began else events)
            if began or any(isinstance(event, ev.PhaseBegan) for event in events):
                break
        return tuple(event for events in reversed(acts) for event in events)

    def last_congress(self) -> Congress | None:
        """Return the latest Congress in its final or current state."""
        for place in range(self.place, 1, -1):
            for event in reversed(self._host.visible_events(self.viewpoint, place)):
                if isinstance(event, ev.CongressChanged):
                    return event.congress
        return None

    @property
    def narrator(self) -> Narrator:
        """Return a narrator for the seat's known events."""
        narrator, known_until = self._narrators.get(self.viewpoint) or (Narrator(self.tables, self.position(1)), 1)
        for seen in self.seen_lines(known_until):
            narrator.learn(seen.events)
        self._narrators[self.viewpoint] = narrator, self.place
        return narrator

    def dispatches(self) -> tuple[Letter, ...]:
        """Return the dispatches that the seat sent or received."""
        return self._host.dispatches(self.viewpoint)

    def undo_requests(self) -> tuple[UndoRequest, ...]:
        """Return the open undo requests, the earliest line first."""
        found = self._host.undo_requests(self.viewpoint)
        return tuple(UndoRequest(line, seats) for line, seats in sorted(found.items()))

    def course(self) -> GameStatistics:
        """Return the course of the game up to the displayed line, as the seat may know it.

        At the end of a finished game nothing is secret any more.
        """
        over = self.at is None and self._host.state.result is not None
        return game_course(self._host, ARBITER if over else self.viewpoint, self.line if self.at is not None else None)

    def whole_course(self) -> tuple[State, list[tuple[ev.Event, ...]]]:
        """Return the position before the first act of a finished game, and the events of each act in force.

        Nothing is secret any more.
        """
        host = self._host
        lines = (line.n for line in host.game.effective_lines())
        return host.game.seek(1), [host.visible_events(ARBITER, n) for n in lines]

    def acts_of_turn(self, place: int | None = None) -> tuple[list[int], list[VisibleAct], int]:
        """Return the acts in force since the start of the Game Turn at a place of the shared count (None: now).

        Returns: their places, the acts as the seat may know them, and the Game Turn in which they begin. An act in
            which the turn begins is included as a whole.
        """
        upto = self.place if place is None else place
        places: list[int] = []
        acts: list[VisibleAct] = []
        for line, events in self._with_known_events(reversed(self._host.game.effective_lines())):
            places.append(line.n)
            acts.append(VisibleAct(line.seat, events))
            begun = [e.turn for e in events if isinstance(e, ev.TurnBegan)] if line.n <= upto else []
            if begun:
                return places[::-1], acts[::-1], begun[0] - 1
        return places[::-1], acts[::-1], self.position(1).turn

    def log(self) -> list[LogEntry]:
        """Return all events in plain words, as the seat may know them; cached and extended with the log."""
        entries, logged = self._logs.get(self.viewpoint, ([], 1))
        narrator = self.narrator
        for _, number, line, events in self.seen_lines(logged):
            if line.kind == "act":
                for seen in events:
                    text = narrator.tell(seen)
                    if text:
                        kind, place, quiet = type(seen).__name__, place_of(seen), is_bookkeeping(seen)
                        entries.append(LogEntry(number, line.seat, text, seen.rules, kind, place, quiet))
            elif line.kind == "note":
                entries += self._note(line)
            else:
                word = {"undo": "undoes to line", "redo": "brings back line"}[line.kind]
                who = capitalize(the_power(self.tables, line.seat))
                entries.append(LogEntry(line.n, line.seat, f"{who} {word} {line.target}", (), line.kind))
        self._logs[self.viewpoint] = (entries, self.place)
        return entries

    def _note(self, line: Line) -> list[LogEntry]:
        """Return the text of a dispatch of or to the seat, or of an undo request."""
        content = line.action
        note = describe_table_note(PaxNames(self.tables), line)
        if note is not None:
            return [LogEntry(line.n, line.seat, note.text, (), note.kind)] if note.text else []
        if isinstance(content, dict) and content.get("type") == UNDO_REQUEST:
            who = capitalize(the_power(self.tables, line.seat))
            text = f"{who} asks to undo to line {content.get('to')}; the others must agree"
            return [LogEntry(line.n, line.seat, text, (), UNDO_REQUEST)]
        if not isinstance(content, dict) or "text" not in content:
            return [LogEntry(line.n, line.seat, f"{line.seat} notes {line.target or ''}".strip(), (), line.kind)]
        sender = power_name(self.tables, str(content.get("from", line.seat)))
        to = ", ".join(power_name(self.tables, p) for p in content.get("to", ())) or "everybody"
        text = content["text"] or "a sealed letter"
        return [LogEntry(line.n, line.seat, f"{sender} to {to}: {text}", (), "dispatch")]


def game_course(host: PaxViews, seat: str, at: int | None = None) -> GameStatistics:
    """Return the course of a game, as a seat may know it.

    Args: the game; the seat; the last line by the seat's own number, None for the present.

    Raises: Refusal `unknown_seat`, `no_such_line`.
    """
    place = host.version if at is None else host.log_line(seat, at)
    known = host.known(seat)
    lines = [n.n for n in host.game.effective_lines(place) if known.number(n.n) != known.number(n.n - 1)]

    def after(acts: int) -> State:
        here = 1 if acts == 0 else place if acts == len(lines) else lines[acts - 1]
        return visible_state(host.tables, host.game.seek(here), seat)

    # Imported here, because a game can be played without it.
    from paxtui.games.pax.statistics import collect_statistics

    return collect_statistics(host.tables, [host.visible_events(seat, n) for n in lines], after)
