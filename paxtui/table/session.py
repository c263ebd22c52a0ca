"""An open game as its players see it at one keyboard: the one door through which screen, plain mode and pictures go.

A session knows who sits at the keyboard and which moment is looked at. It gives what that seat may know, takes what
the seat does, and tells whoever listens when something has changed. This one speaks to a `Table` in the same process;
whoever uses it asks for nothing of the table's own, so that a session over a wire can stand in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from paxtui.engine.log import Line
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER
from paxtui.pax.board.status import powers_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.menus import forewarning
from paxtui.pax.menus.forecast import Forecast, concerns_war, forecast
from paxtui.pax.narration.matter import is_bookkeeping, place_of
from paxtui.pax.narration.narrate import Narrator
from paxtui.pax.orders import actions as ac
from paxtui.pax.orders import seating
from paxtui.pax.orders.dispatches import Letter
from paxtui.pax.orders.notation import Order, text_of
from paxtui.pax.orders.seating import Sitter
from paxtui.pax.play.secrecy import state_seen
from paxtui.pax.reports.page import Act
from paxtui.pax.sequence import waiting
from paxtui.pax.state.congress import Congress
from paxtui.pax.state.model import State
from paxtui.pax.state.treaty import ENDED, IN_FORCE
from paxtui.pax.words.spoken import power_name, sentence, the_power
from paxtui.table.authority import Table
from paxtui.table.rivals import Rivals

T = TypeVar("T")


@dataclass(frozen=True)
class LogEntry:
    """One event in plain words, with the line it stands in, by the seat's number.

    Attributes:
        seat: who has acted.
        kind: the name of the event.
        place: the Area, Sea Zone or Home Country that it is about; "" for none.
        quiet: whether it is bookkeeping, which nobody reads to learn what has happened.
    """

    line: int
    seat: str
    text: str
    rules: tuple[str, ...]
    kind: str
    place: str = ""
    quiet: bool = False


class Told(NamedTuple):
    """A line of the log as a seat has it.

    Attributes:
        place: where it stands in the count that all seats at this keyboard share.
        number: by the seat's own count.
        line: what it says.
        events: what happened.
    """

    place: int
    number: int
    line: Line
    events: tuple[ev.Event, ...]


class About(NamedTuple):
    """What a game is called, what wrote it, how it is played, and the file it is kept in."""

    game: str
    program: str
    options: dict[str, str]
    file: Path | None


class Change(NamedTuple):
    """What whoever listens to a session is told.

    Attributes:
        order: what the seat has asked for, as it was typed or in ids; "" where nobody has asked for anything.
        events: what has happened by it, as the seat may know it; none where only the eye, or the seat, has moved.
        refusal: why it was not done.
    """

    order: str = ""
    events: tuple[ev.Event, ...] = ()
    refusal: Refusal | None = None


class Mistake(Exception):
    """The program has made a mistake of its own; the log holds nothing of the act, and nothing has changed."""


Listener = Callable[[Change], None]


class Session:
    """An open game as seen at this keyboard.

    Attributes:
        seat: the seat that acts.
        power: the Power of the seat that acts.
        at: the line looked at, by the seat's own number, or None for the present.
        refusal: why the last act was refused; None since one has been done.
    """

    def __init__(self, table: Table, seat: str = "", in_earnest: bool = True) -> None:
        self._table = table
        self._rivals = Rivals(table)
        self._rivals.in_earnest = in_earnest
        self._listeners: list[Listener] = []
        self._logs: dict[str, tuple[list[LogEntry], int]] = {}
        self._narrators: dict[str, tuple[Narrator, int]] = {}
        self._derived: dict[str, tuple[State, str, Any]] = {}
        self._known: dict[str, tuple[State, State]] = {}
        self.at: int | None = None
        self.refusal: Refusal | None = None
        self.seat = self.power = ""
        if not self.reading:
            self._rivals.go_on()
        here = self.seats_here()
        self.take_seat(seat or self.next_seat() or (here[0] if here else self.live.players[0]))

    # --- who listens ----------------------------------------------------------------------------------------------

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Tell `listener` of every change from now on; what is returned ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener) if listener in self._listeners else None

    def _changed(self, change: Change | None = None) -> None:
        for listener in tuple(self._listeners):
            listener(change or Change())

    @property
    def eyes(self) -> str:
        """Whose knowledge is shown: that of the seat at the keyboard; in a replay of anybody."""
        return self.seat

    @property
    def reading(self) -> str:
        """What the top line says of a game that is only read, "" for one that is played."""
        return ""

    # --- what is looked at ----------------------------------------------------------------------------------------

    @property
    def tables(self) -> Tables:
        """The tables of the game."""
        return self._table.tables

    @property
    def live(self) -> State:
        """The present position, as the seat may know it."""
        return self._known_to_seat(self._table.state)

    @property
    def state(self) -> State:
        """The position looked at, as the seat may know it."""
        if self.at is None:
            return self.live
        return self._known_to_seat(self._table.game.seek(self._table.log_line(self.eyes, self.at)))

    def position(self, line: int) -> State:
        """The position after a line of the seat's, as the seat may know it. Raises: Refusal `no_such_line`."""
        return self._table.state_for(self.eyes, line)

    def _known_to_seat(self, full: State) -> State:
        """A position without what the seat may not know; the same object as long as it is the same position."""
        if not self.eyes or not (full.treaties or full.choices):
            return full
        known = self._known.get(self.eyes)
        if known is None or known[0] is not full:
            known = self._known[self.eyes] = (full, state_seen(self.tables, full, self.eyes))
        return known[1]

    @property
    def version(self) -> int:
        """Number of the last line that the seat has; lines that it may not know of are not counted."""
        return self._table.version_for(self.eyes)

    @property
    def line(self) -> int:
        """Line looked at, by the seat's number."""
        return self.version if self.at is None else self.at

    def look_at(self, line: int | None) -> None:
        """Look at the position after a line; the last line, or None, is the present."""
        self.at = None if line is None or line >= self.version else max(1, line)
        self._changed()

    def derived(self, name: str, work_out: Callable[[], T]) -> T:
        """Something worked out from the present position for the seat, once as long as both are the same.

        Args: what it is called; what works it out.
        """
        live = self.live
        known = self._derived.get(name)
        if known is None or known[0] is not live or known[1] != self.seat:
            known = self._derived[name] = (live, self.seat, work_out())
        found: T = known[2]
        return found

    # --- who acts -------------------------------------------------------------------------------------------------

    def waiting(self) -> tuple[str, ...]:
        """Seats that must act, but for those that play themselves: these do so by themselves."""
        return tuple(seat for seat in waiting(self.tables, self.live) if not self.sitter(seat).plays_itself)

    def sitter(self, seat: str) -> Sitter:
        """Who sits at a seat."""
        return self._table.sitter(seat)

    def seats_here(self) -> tuple[str, ...]:
        """The seats at which persons sit."""
        return tuple(seat for seat in self.live.players if not self.sitter(seat).plays_itself)

    def seat_players(self, sitters: Mapping[str, Sitter]) -> None:
        """Say who sits where from now on; the bots go on at once. Raises: Refusal, OSError; nothing has changed."""
        self._table.seat(sitters)
        events = self._rivals.go_on(self.seat)
        here = self.seats_here()
        if here and self.seat not in here:
            self.take_seat(self.next_seat() or here[0])
        self._changed(Change(events=events))

    def next_seat(self, after: str = "") -> str:
        """The next seat that must act, in the order of the seats; "" when none must."""
        due, players = self.waiting(), self.live.players
        start = players.index(after) + 1 if after in players else 0
        for seat in players[start:] + players[:start]:
            if seat in due:
                return seat
        return ""

    def take_seat(self, seat: str) -> None:
        """Sit down at a seat; its principal Power acts. The moment looked at stays, by the numbers of the new seat."""
        place = self._table.log_line(self.eyes, self.at) if self.at is not None and self.seat else None
        self.seat = self.power = seat
        if place is not None:
            self.at = self._table.known(self.eyes).number(place)
        self._changed()

    def take_power(self, power: str) -> None:
        """Another Power of the seat acts."""
        self.power = power
        self._changed()

    def my_powers(self) -> tuple[str, ...]:
        """Powers the seat acts for."""
        return powers_of(self.tables, self.live, self.seat)

    @property
    def has_secrets(self) -> bool:
        """Whether one of the seats at this keyboard may know something that another may not."""
        return any(not t.public and t.stage != ENDED for t in self._table.state.treaties)

    # --- acting ---------------------------------------------------------------------------------------------------

    def act(self, asked: str | Order | ac.Action) -> tuple[ev.Event, ...]:
        """Let the seat act, in the words of the notation or by an action; what is automatic is played on.

        Raises:
            Refusal: nothing has changed.
            OSError: the log could not be written; nothing has changed.
            Mistake: a mistake of the program; nothing has changed.
        """
        try:
            if self.at is not None:
                raise Refusal("history", (), "You are looking at the past: press End to return to the present first.")
            events = self._table.play(self.seat, self._order(asked))
            events += self._rivals.go_on(self.seat)
        except Refusal as refusal:
            self.refusal = refusal
            self._changed(Change(self._text(asked), refusal=refusal))
            raise
        except OSError:
            raise
        except Exception as error:
            raise Mistake(f"{type(error).__name__}: {error}") from error
        self.refusal = None
        self._changed(Change(self._text(asked), events))
        return events

    def _text(self, asked: str | Order | ac.Action) -> str:
        return asked.strip() if isinstance(asked, str) else text_of(self.tables, asked)

    def _order(self, asked: str | Order | ac.Action) -> Order | ac.Action:
        """What is asked for; words that name no Power are those of the Power that acts."""
        order = self._table.read(asked)
        if isinstance(asked, str) and self.power != self.seat and ":" not in asked and hasattr(order, "power"):
            order = self._table.read(f"{self.power}: {asked.strip()}")
        return order

    def warnings(self, asked: str | Order | ac.Action) -> list[str]:
        """What an order would break of the seat's own Treaties, in sentences; empty for most orders."""
        if not any(t.stage == IN_FORCE for t in self.live.treaties):
            return []
        try:
            order = self._order(asked)
        except Refusal:
            return []
        if not isinstance(order, ac.Action):
            return []
        return forewarning.warnings(self.tables, self.live, self.seat, order)

    def forecast(self, asked: str | Order | ac.Action) -> Forecast | None:
        """What a declaration of War or the answer to a call would bring about, as far as the seat may know; None for
        any other order, and for one that is refused.
        """
        try:
            order = self._order(asked)
            if isinstance(order, ac.Action) and concerns_war(self.live, order):
                return forecast(self.tables, self.live, self.seat, order)
        except Refusal:
            pass
        return None

    def advance(self) -> tuple[ev.Event, ...]:
        """Play what is automatic, where no seat must act. Raises: Refusal, OSError."""
        events = self._table.advance(self.seat) + self._rivals.go_on(self.seat)
        self._changed(Change(events=events))
        return events

    def undo(self, to: int | None = None) -> None:
        """Take back the last act, or go back to the position after a line of the seat's. Raises: Refusal, OSError."""
        self._table.undo(self.seat, to)
        self.look_at(None)

    def undo_together(self, to: int) -> None:
        """Go back to the position after a line of the seat's, with the consent of everybody at this keyboard.

        The seats ask for it one after the other, as each would have to. What lies in between and only some know of may
        make different lines of it; then the table takes the game back, which everybody sees.

        Raises: Refusal, OSError.
        """
        place = self.place_of(to)
        for seat in (self.seat, *(seat for seat in self.live.players if seat != self.seat)):
            with suppress(Refusal):
                if self._table.undo(seat, self._table.known(seat).number(place)).kind == "undo":
                    break
        else:
            self._table.undo(ARBITER, place)
        self.look_at(None)

    def redo(self) -> None:
        """Bring back what the last undo took back. Raises: Refusal, OSError."""
        self._table.redo(self.seat)
        self.look_at(None)

    # --- what has happened ----------------------------------------------------------------------------------------

    @property
    def lines(self) -> Sequence[Line]:
        """The lines of the log that the seat has; the first is line 2."""
        return self._table.known(self.eyes).lines

    @property
    def place(self) -> int:
        """How far the log has come, in a count that all seats at this keyboard share."""
        return self._table.version

    def place_of(self, number: int) -> int:
        """A line of the seat's in that count; of a number beyond the last line the last place."""
        return self._table.log_line(self.eyes, min(number, self.version))

    def number_of(self, place: int) -> int:
        """The seat's own number of a line at a place of that count."""
        return self._table.known(self.eyes).number(place)

    def told(self, after: int = 1, to: int | None = None) -> Iterator[Told]:
        """The lines that the seat has, after one place of the shared count and up to another (None: to the end)."""
        known = self._table.known(self.eyes)
        for n in range(max(after, 1) + 1, (known.followed if to is None else to) + 1):
            number = known.number(n)
            if number != known.number(n - 1):
                line = known.lines[number - 2]
                events = self._table.events_seen(self.eyes, n) if line.kind == "act" else ()
                yield Told(n, number, line, events)

    def is_private(self, place: int) -> bool:
        """Whether the line at a place of the shared count is between some seats only."""
        return self._table.is_private(place)

    def in_force(self) -> Iterator[tuple[Line, tuple[ev.Event, ...]]]:
        """The acts in force now that the seat knows of, in order, each with what happened by it."""
        known = self._table.known(self.eyes)
        for line in self._table.game.effective_lines():
            if known.number(line.n) != known.number(line.n - 1):
                yield line, self._table.events_seen(self.eyes, line.n)

    def last_to_act(self) -> str:
        """The seat of the last act in force of a person's that the seat at the keyboard knows of, "" for none."""
        here = self.seats_here()
        acted = [line.seat for line, _ in self.in_force() if line.seat in here]
        return acted[-1] if acted else ""

    def last_congress(self) -> Congress | None:
        """The latest Congress as it ended, or as it stands."""
        for place in range(self.place, 1, -1):
            for event in reversed(self._table.events_seen(self.eyes, place)):
                if isinstance(event, ev.CongressChanged):
                    return event.congress
        return None

    @property
    def narrator(self) -> Narrator:
        """Tells events to the seat; it has heard of everything that the seat knows."""
        narrator, heard = self._narrators.get(self.eyes) or (Narrator(self.tables, self.position(1)), 1)
        for told in self.told(heard):
            narrator.learn(told.events)
        self._narrators[self.eyes] = narrator, self.place
        return narrator

    def acts_of_turn(self, place: int | None = None) -> tuple[list[int], list[Act], int]:
        """The acts in force since the Game Turn began that was in progress at a place of the shared count (None: now).

        Returns: their places, the acts as the seat may know them, and the Game Turn in which they begin. Where a turn
            begins in the middle of an act, all of that act is among them.
        """
        known, upto = self._table.known(self.eyes), self.place if place is None else place
        places: list[int] = []
        acts: list[Act] = []
        for line in reversed(self._table.game.effective_lines()):
            if known.number(line.n) == known.number(line.n - 1):
                continue
            events = self._table.events_seen(self.eyes, line.n)
            places.append(line.n)
            acts.append(Act(line.seat, events))
            begun = [e.turn for e in events if isinstance(e, ev.TurnBegan)] if line.n <= upto else []
            if begun:
                return places[::-1], acts[::-1], begun[0] - 1
        return places[::-1], acts[::-1], self.position(1).turn

    def log(self) -> list[LogEntry]:
        """Everything that happened, in plain words, as the seat may know it; grows with the log."""
        entries, logged = self._logs.get(self.eyes, ([], 1))
        narrator = self.narrator
        for _, number, line, events in self.told(logged):
            if line.kind == "act":
                for seen in events:
                    text = narrator.tell(seen)
                    if text:
                        about = place_of(seen), is_bookkeeping(seen)
                        entries.append(LogEntry(number, line.seat, text, seen.rules, type(seen).__name__, *about))
            elif line.kind == "note":
                entries += self._note(line)
            else:
                word = {"undo": "takes the game back to line", "redo": "brings back line"}[line.kind]
                who = sentence(the_power(self.tables, line.seat)).removesuffix(".")
                entries.append(LogEntry(line.n, line.seat, f"{who} {word} {line.target}", (), line.kind))
        self._logs[self.eyes] = (entries, self.place)
        return entries

    def _note(self, line: Line) -> list[LogEntry]:
        """A dispatch that the seat wrote or may read, or a request for an undo."""
        said = line.action
        if seating.is_seating(said):
            text = seating.told(self.tables, said)
            return [LogEntry(line.n, line.seat, text, (), seating.SEATING)] if text else []
        if not isinstance(said, dict) or "text" not in said:
            return [LogEntry(line.n, line.seat, f"{line.seat} notes {line.target or ''}".strip(), (), line.kind)]
        sender = power_name(self.tables, str(said.get("from", line.seat)))
        to = ", ".join(power_name(self.tables, p) for p in said.get("to", ())) or "everybody"
        text = said["text"] or "a sealed letter"
        return [LogEntry(line.n, line.seat, f"{sender} to {to}: {text}", (), "dispatch")]

    # --- dispatches -----------------------------------------------------------------------------------------------

    def dispatches(self) -> tuple[Letter, ...]:
        """The dispatches that the seat has sent or been sent."""
        return self._table.dispatches(self.eyes)

    def send(self, text: str) -> None:
        """Send a dispatch in the words of the notation. Raises: Refusal, OSError."""
        self._table.act(self.seat, text)
        self._changed()

    # --- the game in its file -------------------------------------------------------------------------------------

    @property
    def about(self) -> About:
        """What the game is called, what wrote it, how it is played, and where it is kept."""
        header, store = self._table.header_for(self.eyes), self._table.store
        return About(header.game, header.program, dict(header.options), store.path if store else None)

    @property
    def notice(self) -> str:
        """What was found at the end of the file when it was opened, in words; empty when nothing was."""
        return self._table.notice

    @property
    def trouble(self) -> str:
        """Why the game cannot go on in its file, in words; empty as long as all of it is there."""
        return self._table.trouble

    def close(self) -> None:
        """Let go of the file. Closing twice does nothing."""
        self._table.close()
