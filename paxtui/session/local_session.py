"""The session of a game in the same process: the interface of screen, line mode and pictures to the game.

A session knows the seat at the keyboard and the displayed position. It returns what that seat may know, carries out
its acts and notifies listeners. Callers do not use `PaxHost` directly, so that a `RemoteSession` can replace it.

`LessonSession` is the game of a lesson, in which a script controls the other seats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from paxtui.engine.bots import BotRequest
from paxtui.engine.free_text import ChatLine
from paxtui.engine.game_log import GameLog
from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import SeatOccupant
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.dispatches import Letter
from paxtui.games.pax.actions.notation import Order, format_order
from paxtui.games.pax.board.status import powers_of
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.preview import supply
from paxtui.games.pax.preview.dry_run import WarForecast, can_forecast, forecast_war
from paxtui.games.pax.preview.preview import order_warnings
from paxtui.games.pax.sequence import waiting_seats
from paxtui.games.pax.state.diplomacy import ENDED
from paxtui.games.pax.state.model import State
from paxtui.games.pax.transaction import default_answer
from paxtui.games.pax.war import alliances
from paxtui.session.bot_process import BotResponse, advice_request
from paxtui.session.bot_runner import BotMoves, BotStep, CompletedStep, events_since, next_step
from paxtui.session.game_viewer import GameViewer
from paxtui.session.pax_bot_runner import PaxBotRunner
from paxtui.session.pax_host import PaxHost

T = TypeVar("T")


class SessionChange(NamedTuple):
    """A change reported to listeners.

    Attributes:
        order: the order, as typed or in ids; "" if there was none.
        events: its events, as the seat may know them; none if only the displayed line or the seat has changed.
        refusal: why the order was refused.
        more: whether bots are still moving; when they have finished, all events are reported once more.
    """

    order: str = ""
    events: tuple[ev.Event, ...] = ()
    refusal: Refusal | None = None
    more: bool = False


SessionListener = Callable[[SessionChange], None]


class LocalPlayers(GameViewer):
    """An open game with the players at this keyboard and the bots.

    Args:
        table: the game.
        seat: the first seat at the keyboard, "" for the one that must act.
        in_earnest: False in lessons: bots only answer and pass.
        leisurely: whether bots wait for `step_bots` after each step, so that a screen can show their moves; otherwise
            they have finished when an act returns.
        in_war: the orders of a bot in War in a lesson; None for its own.

    Attributes:
        seat: the seat that acts.
        power: the Power of the seat that acts.
        bots_at: the last step of the bots, or their pending request; None when they have finished.
    """

    def __init__(
        self,
        table: PaxHost,
        seat: str = "",
        in_earnest: bool = True,
        leisurely: bool = False,
        in_war: Callable[[str], Sequence[str]] | None = None,
    ) -> None:
        super().__init__(table)
        self._rivals = PaxBotRunner(table)
        self._rivals.in_earnest, self._rivals.in_war = in_earnest, in_war
        self._leisurely = leisurely
        self._listeners: list[SessionListener] = []
        self._course: BotMoves | None = None
        self._asked, self._since = "", table.version
        self.bots_at: BotStep | None = None
        self._derived: dict[str, tuple[State, str, Any]] = {}
        self.seat = self.power = ""
        if not self.reading:
            self._start_bots(table.version)
        here = self.seats_here()
        self.take_seat(seat or self.next_seat() or (here[0] if here else self.live.players[0]))

    def derived(self, name: str, work_out: Callable[[], T]) -> T:
        """Return a value computed from the present position for the seat, cached until either changes.

        Args: the name of the value; the function that computes it.
        """
        live = self.live
        known = self._derived.get(name)
        if known is None or known[0] is not live or known[1] != self.seat:
            known = self._derived[name] = (live, self.seat, work_out())
        found: T = known[2]
        return found

    @property
    def reading(self) -> str:
        """What the top line shows for a game that is only read, "" for one that is played."""
        return ""

    # --- who listens ----------------------------------------------------------------------------------------------

    def listen(self, listener: SessionListener) -> Callable[[], None]:
        """Call `listener` after each change; return a function that ends this."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener) if listener in self._listeners else None

    def _changed(self, change: SessionChange | None = None) -> None:
        for listener in tuple(self._listeners):
            listener(change or SessionChange())

    # --- who acts -------------------------------------------------------------------------------------------------

    def waiting(self) -> tuple[str, ...]:
        """Return the seats of persons that must act."""
        return tuple(seat for seat in waiting_seats(self.tables, self.live) if not self.occupant(seat).is_automatic)

    def occupant(self, seat: str) -> SeatOccupant:
        """Return the occupant of a seat."""
        return self._table.occupant(seat)

    def seats_here(self) -> tuple[str, ...]:
        """The seats of persons."""
        return tuple(seat for seat in self.live.players if not self.occupant(seat).is_automatic)

    def seat_players(self, sitters: Mapping[str, SeatOccupant]) -> None:
        """Assign occupants to seats; bots move at once. Raises: Refusal, OSError; nothing has changed."""
        self._check_turn()
        before = self._table.version
        self._table.seat(sitters)
        self._start_bots(before)
        here = self.seats_here()
        if here and self.seat not in here:
            self.take_seat(self.next_seat() or here[0])
        self._tell("")

    # --- the seats that play themselves ---------------------------------------------------------------------------

    @property
    def moves_bots(self) -> bool:
        """Whether this process moves the bots."""
        return self._table.moves_rivals

    @property
    def bots_at_work(self) -> bool:
        """Whether bots are still moving, so that persons cannot act."""
        return self.bots_at is not None

    def _check_turn(self) -> None:
        """Raise Refusal `bots_at_work` while bots are moving."""
        if self.bots_at_work:
            raise Refusal("bots_at_work", (), "The rivals are still at their moves.")

    def _start_bots(self, before: int) -> None:
        """Run the bots, or their first step. Args: the line from which on events are reported."""
        self._since = before
        if self._leisurely:
            self._course = self._rivals.course()
            self._step(None)
        else:
            self._rivals.run()

    def _step(self, thought: BotResponse | None) -> None:
        if self._course is not None:
            self.bots_at = next_step(self._course, thought)
            self._course = None if self.bots_at is None else self._course

    def step_bots(self, thought: BotResponse | None = None) -> None:
        """Run the next step of the bots. Args: the response to their request, if there was one."""
        self._step(thought)
        step = self.bots_at
        if step is None:
            self._tell(self._asked)
        elif isinstance(step, CompletedStep):
            self._changed(SessionChange(events=events_since(self._table, step.line - 1, self.seat), more=True))

    def finish_bots(self) -> None:
        """Stop waiting for bots: use the responses that exist, and ask for no more."""
        while isinstance(self.bots_at, CompletedStep):
            self._step(None)
        if self._course is not None:
            self._course.close()
        self.bots_at = self._course = None

    def _tell(self, order: str) -> tuple[ev.Event, ...]:
        """Notify the listeners of the result of an order so far, as the seat may know it."""
        self._asked = order
        events = events_since(self._table, self._since, self.seat)
        self._changed(SessionChange(events=events, more=True) if self.bots_at_work else SessionChange(order, events))
        return events

    def describe_failure(self, error: OSError) -> str:
        """Describe why an order failed that the game did not refuse, in sentences."""
        return f"The log could not be written: {error}. Nothing has changed."

    @property
    def allows_advice(self) -> bool:
        """Whether the seat may ask for advice."""
        return True

    def question(self, bot: str) -> BotRequest:
        """Return the request by which a bot advises the seat at the keyboard."""
        return advice_request(self._table, self.seat, bot)

    @property
    def game_log(self) -> GameLog[State]:
        """The log of the game, for the process of the bots."""
        return self._table.game

    def reasons(self) -> list[tuple[str, str, str]]:
        """Return seat, order and reason of bot acts that the seat may know; private acts are left out."""
        table = self._table
        told = []
        for line in table.game.effective_lines():
            why = table.reason(self.viewpoint, line.n)
            if why and not table.is_private(line.n):
                told.append((line.seat, format_order(self.tables, table.read(line.action)), why))
        return told

    def objection(self, id_: str) -> str:
        """Return the stated reason for rejecting a draft; "" if the seat knows none."""
        return self._table.objection(self.viewpoint, id_)

    @property
    def here(self) -> tuple[str, ...]:
        """The connected seats of others; none in a local game."""
        return ()

    @property
    def left(self) -> float | None:
        """The remaining seconds on the clock; None in a local game."""
        return None

    @property
    def is_time_short(self) -> bool:
        """Whether the remaining time is below the warning limit."""
        return False

    @property
    def paused(self) -> bool:
        """Whether the game is paused; never in a local game."""
        return False

    # --- table talk -----------------------------------------------------------------------------------------------

    @property
    def talk(self) -> tuple[ChatLine, ...]:
        """The chat lines, newest last; none in a local game."""
        return ()

    @property
    def talks(self) -> bool:
        """Whether the seat may chat; never in a local game."""
        return False

    def say(self, text: str) -> None:
        """Send a chat message. Raises: Refusal, OSError; then it was not sent."""
        raise Refusal("no_talk", (), "Table talk is for tables that are kept for several: see 'paxtui serve'.")

    def next_seat(self, after: str = "") -> str:
        """The next seat that must act, in the order of the seats; "" for none."""
        due, players = self.waiting(), self.live.players
        start = players.index(after) + 1 if after in players else 0
        for seat in players[start:] + players[:start]:
            if seat in due:
                return seat
        return ""

    def take_seat(self, seat: str) -> None:
        """Change the seat at the keyboard; its principal Power acts. The displayed position stays the same."""
        place = self._table.log_line(self.viewpoint, self.at) if self.at is not None and self.seat else None
        self.seat = self.power = seat
        if place is not None:
            self.at = self._table.known(self.viewpoint).number(place)
        self._changed()

    def take_power(self, power: str) -> None:
        """Change the acting Power of the seat."""
        self.power = power
        self._changed()

    def my_powers(self) -> tuple[str, ...]:
        """Return the Powers that the seat acts for."""
        return powers_of(self.tables, self.live, self.seat)

    def last_to_act(self) -> str:
        """Return the seat of the last known act of a person in force, "" for none."""
        here = self.seats_here()
        acted = [line.seat for line, _ in self.in_force() if line.seat in here]
        return acted[-1] if acted else ""

    @property
    def has_secrets(self) -> bool:
        """Whether one of the seats at this keyboard may know something that another may not.

        Secret agreements, acts and rejections of the current Game Turn count, because their parties still see them.
        """
        state = self._table.state
        return any(
            not t.public and (t.stage != ENDED or max(t.drafted, t.since) == state.turn) for t in state.treaties
        )


class GameInfo(NamedTuple):
    """Name, program version, settings and file of a game."""

    game: str
    program: str
    options: dict[str, str]
    file: Path | None


class InternalError(Exception):
    """An error of the program; the log does not contain the act, and nothing has changed."""


class UndoRequest(NamedTuple):
    """An undo that waits for consent. Attributes: the line to return to; the requesting seat."""

    line: int
    seats: tuple[str, ...]


class Session(LocalPlayers):
    """A local game session.

    Args: as `LocalPlayers`.

    Attributes:
        refusal: why the last act was refused; None after a successful act.
    """

    refusal: Refusal | None = None

    @property
    def acted_at(self) -> Mapping[str, str]:
        """The place of each other seat's last act; only in a shared game."""
        return {}

    # --- what is looked at ----------------------------------------------------------------------------------------

    def look_at(self, line: int | None) -> None:
        """Display the position after a line; None or the last line is the present."""
        self.at = None if line is None or line >= self.version else max(1, line)
        self._changed()

    # --- acting ---------------------------------------------------------------------------------------------------

    def act(self, asked: str | Order | actions.Action) -> tuple[ev.Event, ...]:
        """Carry out an act, given in the notation or as an action, and the automatic Phases after it.

        Raises:
            Refusal: nothing has changed.
            OSError: the log could not be written; nothing has changed.
            InternalError: an error of the program; nothing has changed.
        """
        try:
            if self.at is not None:
                raise Refusal("history", (), "You are looking at the past: press End to return to the present first.")
            self._check_turn()
            before = self._table.version
            self._table.play(self.seat, self.order_of(asked))
            self._start_bots(before)
        except Refusal as refusal:
            self.refusal = refusal
            self._changed(SessionChange(self._text(asked), refusal=refusal))
            raise
        except OSError:
            raise
        except Exception as error:
            raise InternalError(f"{type(error).__name__}: {error}") from error
        self.refusal = None
        return self._tell(self._text(asked))

    def _text(self, asked: str | Order | actions.Action) -> str:
        return asked.strip() if isinstance(asked, str) else format_order(self.tables, asked)

    def order_of(self, asked: str | Order | actions.Action) -> Order | actions.Action:
        """Parse an order; without a Power it is for the acting Power. Raises: Refusal."""
        order: Order | actions.Action = self._table.read(asked)
        if isinstance(asked, str) and self.power != self.seat and ":" not in asked and hasattr(order, "power"):
            order = self._table.read(f"{self.power}: {asked.strip()}")
        return order

    def warnings(self, asked: str | Order | actions.Action) -> list[str]:
        """Return the Treaties of the seat that an order would break, and its cost in War; often empty."""
        order = self.parse_or_none(asked)
        return order_warnings(self.tables, self.live, self.seat, order) if order is not None else []

    def war_warnings(self, asked: str | Order | actions.Action) -> list[str]:
        """Return what an order would cost in War, in sentences; empty for most orders."""
        order = self.parse_or_none(asked) if self.live.wars else None
        return supply.war_risks(self.tables, self.live, self.seat, order) if order is not None else []

    def parse_or_none(self, asked: str | Order | actions.Action) -> actions.Action | None:
        """Parse an order; None if it is invalid."""
        try:
            order = self.order_of(asked)
        except Refusal:
            return None
        return order if isinstance(order, actions.Action) else None

    def forecast(self, asked: str | Order | actions.Action) -> WarForecast | None:
        """Return the effects of a declaration of War or of the answer to a call, as far as the seat may know; None
        for any other or refused order.
        """
        try:
            order = self.order_of(asked)
            if isinstance(order, actions.Action) and can_forecast(self.live, order):
                return forecast_war(self.tables, self.live, self.seat, order)
        except Refusal:
            pass
        return None

    def advance(self) -> tuple[ev.Event, ...]:
        """Play the automatic Phases if no seat must act. Raises: Refusal, OSError."""
        self._check_turn()
        before = self._table.version
        self._table.advance(self.seat)
        self._start_bots(before)
        return self._tell("")

    @property
    def before_begin(self) -> str:
        """The players who are not yet ready to begin, in a sentence; "" in a local game."""
        return ""

    def undo(self, to: int | None = None) -> None:
        """Undo the last act, or return to the position after a line of the seat. Raises: Refusal, OSError."""
        self._check_turn()
        line = self._table.undo(self.seat, to)
        self._taken_back(to is not None and line.kind == "undo")

    def _taken_back(self, further: bool) -> None:
        """Reset the bots after an undo, which may go further back than the last act."""
        self.look_at(None)
        if further:
            self._rivals.forget()
            self._start_bots(self._table.version)
            self._tell("")

    @property
    def shares_keyboard(self) -> bool:
        """Whether all seats share this keyboard, so that they can consent to an undo here."""
        return True

    def undo_requests(self) -> tuple[UndoRequest, ...]:
        """Return the open undo requests, the earliest line first."""
        found = self._table.undo_requests(self.viewpoint)
        return tuple(UndoRequest(line, seats) for line, seats in sorted(found.items()))

    def undo_together(self, to: int) -> None:
        """Return to the position after a line of the seat, with the consent of all players at this keyboard.

        Each seat asks for the undo in turn. If hidden lines make these requests differ, the arbiter takes the game
        back,
        which all players see.

        Raises: Refusal, OSError.
        """
        self._check_turn()
        place = self.place_of(to)
        for seat in (self.seat, *(seat for seat in self.live.players if seat != self.seat)):
            with suppress(Refusal):
                if self._table.undo(seat, self._table.known(seat).number(place)).kind == "undo":
                    break
        else:
            self._table.undo(ARBITER, place)
        self._taken_back(True)

    def redo(self) -> None:
        """Redo the last undo. Raises: Refusal, OSError."""
        self._check_turn()
        self._table.redo(self.seat)
        self.look_at(None)

    def choose_word(self, typed: str) -> None:
        """Submit a word for the dice that the player has typed. Raises: Refusal if none is needed."""
        raise Refusal("plain_dice", (), "The dice of a game at one keyboard need no words.")

    # --- dispatches -----------------------------------------------------------------------------------------------

    def dispatches(self) -> tuple[Letter, ...]:
        """Return the dispatches that the seat sent or received."""
        return self._table.dispatches(self.viewpoint)

    def send(self, text: str) -> None:
        """Send a dispatch given in the notation. Raises: Refusal, OSError."""
        self._table.act(self.seat, text)
        self._changed()

    # --- the game in its file -------------------------------------------------------------------------------------

    @property
    def about(self) -> GameInfo:
        """Name, program version, settings and file of the game."""
        header, store = self._table.header_for(self.viewpoint), self._table.store
        return GameInfo(header.game, header.program, dict(header.options), store.path if store else None)

    @property
    def notice(self) -> str:
        """A message about the end of the file when it was opened; usually empty."""
        return self._table.notice

    @property
    def trouble(self) -> str:
        """Return why the game cannot continue in its file, in words; empty if it can."""
        return self._table.trouble

    def wait_at_most(self, seconds: float) -> None:
        """Limit the wait for the disk; the screen stays responsive while acts are `saving`."""
        if self._table.store is not None:
            self._table.store.wait_at_most(seconds)

    @property
    def saving(self) -> bool:
        """Whether an act is not yet on disk; it does not count before."""
        return self._table.store is not None and self._table.store.saving

    @property
    def failed(self) -> str:
        """Return why unsaved acts were dropped, in words; usually empty."""
        return self._table.store.failed if self._table.store is not None else ""

    def close(self) -> None:
        """Close the file. Closing twice does nothing."""
        self.finish_bots()
        self._table.close()


class LessonSession(Session):
    """A game in which bots are ready and answer, but do not move until the lesson ends.

    Args:
        table: the game.
        player: the seat of the person.
        cues: orders of bots in War as "seat: order", by cycle, number of the Alliance and Phase; then they pass.
    """

    def __init__(
        self, table: PaxHost, player: str, cues: Mapping[tuple[int, int, str], Sequence[str]] | None = None
    ) -> None:
        self._cues = dict(cues or {})
        super().__init__(table, player, in_earnest=False, in_war=self._in_war if self._cues else None)

    def _in_war(self, seat: str) -> tuple[str, ...]:
        """Return the orders of a bot in War: the default answer to a question; else those of the lesson, then a pass.

        The caretaker may answer otherwise: alone in a War, it fights on.
        """
        state = self._table.state
        war = alliances.current_war(state)
        if asked := [choice for choice in state.choices if choice.seat == seat]:
            return (f"choose {asked[0].id} {' '.join(default_answer(asked[0]))}".strip(),)
        said = self._cues.get((war.cycle, war.turn_of, war.stage), ()) if war else ()
        acts = (line.partition(": ") for line in said)
        return (*(order for who, _, order in acts if who == seat), "pass")

    def play_script(self, acts: Iterable[str]) -> None:
        """Carry out the acts of other seats in a script ("seat: order"); skip refused ones."""
        for line in acts:
            seat, _, order = line.partition(": ")
            with suppress(Refusal):
                self._table.act(seat, order)
        self._changed()

    def end_lesson(self) -> None:
        """End the lesson: bots now move by themselves."""
        self._rivals.in_earnest, self._rivals.in_war = True, None
        self._start_bots(self._table.version)
        self._tell("")
