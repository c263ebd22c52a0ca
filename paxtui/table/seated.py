"""An open game as its players sit around it: who listens, who sits and acts, and the seats that play themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from paxtui.engine.refusal import Refusal
from paxtui.pax.board.status import powers_of
from paxtui.pax.history import events as ev
from paxtui.pax.orders.notation import text_of
from paxtui.pax.orders.seating import Sitter
from paxtui.pax.sequence import waiting
from paxtui.pax.state.model import State
from paxtui.pax.state.treaty import ENDED
from paxtui.pax.words.table_talk import Spoken
from paxtui.table.authority import Table
from paxtui.table.onlooker import Onlooker
from paxtui.table.rivals import Course, Done, Rivals, Step, after, happened
from paxtui.table.thinking import Question, Thought, counsel

T = TypeVar("T")


class Change(NamedTuple):
    """What whoever listens to a session is told.

    Attributes:
        order: what the seat has asked for, as it was typed or in ids; "" where nobody has asked for anything.
        events: what has happened by it, as the seat may know it; none where only the eye, or the seat, has moved.
        refusal: why it was not done.
        more: whether the seats that play themselves go on after it; when they have done, all of it is told once more.
    """

    order: str = ""
    events: tuple[ev.Event, ...] = ()
    refusal: Refusal | None = None
    more: bool = False


Listener = Callable[[Change], None]


class Seated(Onlooker):
    """An open game with its players around it.

    Args:
        table: the game.
        seat: who sits down, "" for whoever must act.
        in_earnest: whether bots move of their own accord.
        leisurely: whether the seats that play themselves wait for `bots_go_on` after each step, so that a screen can
            show them at their moves; else they have done when an act returns.
        in_war: the orders of a seat in War instead of what its bot would do, None where it does that.

    Attributes:
        seat: the seat that acts.
        power: the Power of the seat that acts.
        bots_at: what the seats that play themselves have done last, or want to be answered; None when they have done.
    """

    def __init__(
        self,
        table: Table,
        seat: str = "",
        in_earnest: bool = True,
        leisurely: bool = False,
        in_war: Callable[[str], Sequence[str]] | None = None,
    ) -> None:
        super().__init__(table)
        self._rivals = Rivals(table)
        self._rivals.in_earnest, self._rivals.in_war = in_earnest, in_war
        self._leisurely = leisurely
        self._listeners: list[Listener] = []
        self._course: Course | None = None
        self._asked, self._since = "", table.version
        self.bots_at: Step | None = None
        self._derived: dict[str, tuple[State, str, Any]] = {}
        self.seat = self.power = ""
        if not self.reading:
            self._let_bots_go_on(table.version)
        here = self.seats_here()
        self.take_seat(seat or self.next_seat() or (here[0] if here else self.live.players[0]))

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

    @property
    def reading(self) -> str:
        """What the top line says of a game that is only read, "" for one that is played."""
        return ""

    # --- who listens ----------------------------------------------------------------------------------------------

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Tell `listener` of every change from now on; what is returned ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener) if listener in self._listeners else None

    def _changed(self, change: Change | None = None) -> None:
        for listener in tuple(self._listeners):
            listener(change or Change())

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
        self._check_turn()
        before = self._table.version
        self._table.seat(sitters)
        self._let_bots_go_on(before)
        here = self.seats_here()
        if here and self.seat not in here:
            self.take_seat(self.next_seat() or here[0])
        self._tell("")

    # --- the seats that play themselves ---------------------------------------------------------------------------

    @property
    def moves_bots(self) -> bool:
        """Whether bots move in this program, and not in that of a server."""
        return self._table.moves_rivals

    @property
    def bots_at_work(self) -> bool:
        """Whether the seats that play themselves have still to do something: nobody else acts meanwhile."""
        return self.bots_at is not None

    def _check_turn(self) -> None:
        """Raises: Refusal `bots_at_work`, while the seats that play themselves are at their moves."""
        if self.bots_at_work:
            raise Refusal("bots_at_work", (), "The rivals are still at their moves.")

    def _let_bots_go_on(self, before: int) -> None:
        """Let the bots do what there is to do, or their first step of it. Args: the line from which on it is told."""
        self._since = before
        if self._leisurely:
            self._course = self._rivals.course()
            self._step(None)
        else:
            self._rivals.go_on()

    def _step(self, thought: Thought | None) -> None:
        if self._course is not None:
            self.bots_at = after(self._course, thought)
            self._course = None if self.bots_at is None else self._course

    def bots_go_on(self, thought: Thought | None = None) -> None:
        """Let the bots make their next step. Args: what the one that was asked has thought, where one was."""
        self._step(thought)
        step = self.bots_at
        if step is None:
            self._tell(self._asked)
        elif isinstance(step, Done):
            self._changed(Change(events=happened(self._table, step.line - 1, self.seat), more=True))

    def let_bots_be(self) -> None:
        """Nobody watches the bots any more: what has been thought is done, and no more is."""
        while isinstance(self.bots_at, Done):
            self._step(None)
        if self._course is not None:
            self._course.close()
        self.bots_at = self._course = None

    def _tell(self, order: str) -> tuple[ev.Event, ...]:
        """Tell whoever listens what has come of an order so far; what it is, as the seat may know it."""
        self._asked = order
        events = happened(self._table, self._since, self.seat)
        self._changed(Change(events=events, more=True) if self.bots_at_work else Change(order, events))
        return events

    def describe_failure(self, error: OSError) -> str:
        """Why an order was not carried out that the game itself did not refuse, in sentences."""
        return f"The log could not be written: {error}. Nothing has changed."

    @property
    def allows_advice(self) -> bool:
        """Whether the seat may ask a statesman for advice."""
        return True

    def question(self, bot: str) -> Question:
        """What a bot is asked that shall say what it would do in the place of the seat at the keyboard."""
        return counsel(self._table, self.seat, bot)

    @property
    def replaced_tables(self) -> dict[str, str]:
        """The tables of the game that replace shipped ones, as texts by their names."""
        return {name: str(text) for name, text in self._table.game.header.tables.items()}

    def reasons(self) -> list[tuple[str, str, str]]:
        """Seat, order and reason of what bots have done, private acts left out, as far as the seat may know it."""
        table = self._table
        told = []
        for line in table.game.effective_lines():
            why = table.reason(self.eyes, line.n)
            if why and not table.is_private(line.n):
                told.append((line.seat, text_of(self.tables, table.read(line.action)), why))
        return told

    def objection(self, id_: str) -> str:
        """Why a draft was turned down, as far as the seat may know it: "" where nobody has said so."""
        return self._table.objection(self.eyes, id_)

    @property
    def here(self) -> tuple[str, ...]:
        """The seats of others at which somebody is, at a table that is kept elsewhere; none at one keyboard."""
        return ()

    @property
    def left(self) -> float | None:
        """Seconds that are left on the clock of the table; None at one keyboard, which has none."""
        return None

    @property
    def hurried(self) -> bool:
        """Whether so little is left that it is said."""
        return False

    @property
    def paused(self) -> bool:
        """Whether the table is paused; one keyboard needs no pause."""
        return False

    # --- table talk -----------------------------------------------------------------------------------------------

    @property
    def talk(self) -> tuple[Spoken, ...]:
        """What has been said at the table, the newest last; nothing at one keyboard."""
        return ()

    @property
    def talks(self) -> bool:
        """Whether the seat may talk to everybody at the table; at one keyboard mouths do."""
        return False

    def say(self, text: str) -> None:
        """Say something to everybody at the table. Raises: Refusal, OSError: nobody has heard it then."""
        raise Refusal("no_talk", (), "Table talk is for tables that are kept for several: see 'paxtui serve'.")

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

    def last_to_act(self) -> str:
        """The seat of the last act in force of a person's that the seat at the keyboard knows of, "" for none."""
        here = self.seats_here()
        acted = [line.seat for line, _ in self.in_force() if line.seat in here]
        return acted[-1] if acted else ""

    @property
    def has_secrets(self) -> bool:
        """Whether one of the seats at this keyboard may know something that another may not.

        What was agreed, done or turned down in secret in the Game Turn in progress is still told to its parties.
        """
        state = self._table.state
        return any(
            not t.public and (t.stage != ENDED or max(t.drafted, t.since) == state.turn) for t in state.treaties
        )
