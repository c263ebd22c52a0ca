"""An open game as its players sit around it: who listens, who sits and acts, and the seats that play themselves.

An open game as its players see it at one keyboard: the one door through which screen, plain mode and pictures go.

A session knows who sits at the keyboard and which moment is looked at. It gives what that seat may know, takes what
the seat does, and tells whoever listens when something has changed. This one speaks to a `Table` in the same process;
whoever uses it asks for nothing of the table's own, so that a session over a wire can stand in its place.

The game of a lesson: one person sits, and the other seats do what the lesson says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.dispatches import Letter
from paxtui.games.pax.actions.notation import Order, format_order
from paxtui.games.pax.actions.seats import SeatOccupant
from paxtui.games.pax.board.status import powers_of
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.preview import dry_run, supply
from paxtui.games.pax.preview.dry_run import WarForecast, can_forecast, forecast_war
from paxtui.games.pax.sequence import waiting_seats
from paxtui.games.pax.state.diplomacy import ENDED
from paxtui.games.pax.state.model import State
from paxtui.games.pax.text.free_text import ChatLine
from paxtui.games.pax.transaction import default_answer
from paxtui.games.pax.war import alliances
from paxtui.session.bot_process import BotRequest, BotResponse, advice_request
from paxtui.session.bot_runner import BotMoves, BotRunner, BotStep, CompletedStep, events_since, next_step
from paxtui.session.game_host import GameHost
from paxtui.session.game_viewer import GameViewer

T = TypeVar("T")


class SessionChange(NamedTuple):
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


SessionListener = Callable[[SessionChange], None]


class LocalPlayers(GameViewer):
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
        table: GameHost,
        seat: str = "",
        in_earnest: bool = True,
        leisurely: bool = False,
        in_war: Callable[[str], Sequence[str]] | None = None,
    ) -> None:
        super().__init__(table)
        self._rivals = BotRunner(table)
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

    def listen(self, listener: SessionListener) -> Callable[[], None]:
        """Tell `listener` of every change from now on; what is returned ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener) if listener in self._listeners else None

    def _changed(self, change: SessionChange | None = None) -> None:
        for listener in tuple(self._listeners):
            listener(change or SessionChange())

    # --- who acts -------------------------------------------------------------------------------------------------

    def waiting(self) -> tuple[str, ...]:
        """Seats that must act, but for those that play themselves: these do so by themselves."""
        return tuple(seat for seat in waiting_seats(self.tables, self.live) if not self.occupant(seat).is_automatic)

    def occupant(self, seat: str) -> SeatOccupant:
        """Who sits at a seat."""
        return self._table.occupant(seat)

    def seats_here(self) -> tuple[str, ...]:
        """The seats at which persons sit."""
        return tuple(seat for seat in self.live.players if not self.occupant(seat).is_automatic)

    def seat_players(self, sitters: Mapping[str, SeatOccupant]) -> None:
        """Say who sits where from now on; the bots go on at once. Raises: Refusal, OSError; nothing has changed."""
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

    def _start_bots(self, before: int) -> None:
        """Let the bots do what there is to do, or their first step of it. Args: the line from which on it is told."""
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
        """Let the bots make their next step. Args: what the one that was asked has thought, where one was."""
        self._step(thought)
        step = self.bots_at
        if step is None:
            self._tell(self._asked)
        elif isinstance(step, CompletedStep):
            self._changed(SessionChange(events=events_since(self._table, step.line - 1, self.seat), more=True))

    def finish_bots(self) -> None:
        """Nobody watches the bots any more: what has been thought is done, and no more is."""
        while isinstance(self.bots_at, CompletedStep):
            self._step(None)
        if self._course is not None:
            self._course.close()
        self.bots_at = self._course = None

    def _tell(self, order: str) -> tuple[ev.Event, ...]:
        """Tell whoever listens what has come of an order so far; what it is, as the seat may know it."""
        self._asked = order
        events = events_since(self._table, self._since, self.seat)
        self._changed(SessionChange(events=events, more=True) if self.bots_at_work else SessionChange(order, events))
        return events

    def describe_failure(self, error: OSError) -> str:
        """Why an order was not carried out that the game itself did not refuse, in sentences."""
        return f"The log could not be written: {error}. Nothing has changed."

    @property
    def allows_advice(self) -> bool:
        """Whether the seat may ask a statesman for advice."""
        return True

    def question(self, bot: str) -> BotRequest:
        """What a bot is asked that shall say what it would do in the place of the seat at the keyboard."""
        return advice_request(self._table, self.seat, bot)

    @property
    def replaced_tables(self) -> dict[str, str]:
        """The tables of the game that replace shipped ones, as texts by their names."""
        return {name: str(text) for name, text in self._table.game.header.tables.items()}

    def reasons(self) -> list[tuple[str, str, str]]:
        """Seat, order and reason of what bots have done, private acts left out, as far as the seat may know it."""
        table = self._table
        told = []
        for line in table.game.effective_lines():
            why = table.reason(self.viewpoint, line.n)
            if why and not table.is_private(line.n):
                told.append((line.seat, format_order(self.tables, table.read(line.action)), why))
        return told

    def objection(self, id_: str) -> str:
        """Why a draft was turned down, as far as the seat may know it: "" where nobody has said so."""
        return self._table.objection(self.viewpoint, id_)

    @property
    def here(self) -> tuple[str, ...]:
        """The seats of others at which somebody is, at a table that is kept elsewhere; none at one keyboard."""
        return ()

    @property
    def left(self) -> float | None:
        """Seconds that are left on the clock of the table; None at one keyboard, which has none."""
        return None

    @property
    def is_time_short(self) -> bool:
        """Whether so little is left that it is said."""
        return False

    @property
    def paused(self) -> bool:
        """Whether the table is paused; one keyboard needs no pause."""
        return False

    # --- table talk -----------------------------------------------------------------------------------------------

    @property
    def talk(self) -> tuple[ChatLine, ...]:
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
        place = self._table.log_line(self.viewpoint, self.at) if self.at is not None and self.seat else None
        self.seat = self.power = seat
        if place is not None:
            self.at = self._table.known(self.viewpoint).number(place)
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


class GameInfo(NamedTuple):
    """What a game is called, what wrote it, how it is played, and the file it is kept in."""

    game: str
    program: str
    options: dict[str, str]
    file: Path | None


class InternalError(Exception):
    """The program has made a mistake of its own; the log holds nothing of the act, and nothing has changed."""


class UndoRequest(NamedTuple):
    """An undo that waits for the consent of others. Attributes: the line that is to hold again; who asks for it."""

    line: int
    seats: tuple[str, ...]


class Session(LocalPlayers):
    """An open game as seen at this keyboard.

    Args: as `Seated`.

    Attributes:
        refusal: why the last act was refused; None since one has been done.
    """

    refusal: Refusal | None = None

    @property
    def acted_at(self) -> Mapping[str, str]:
        """Where each other seat has acted last, at a shared table; who sits at one keyboard has seen it."""
        return {}

    # --- what is looked at ----------------------------------------------------------------------------------------

    def look_at(self, line: int | None) -> None:
        """Look at the position after a line; the last line, or None, is the present."""
        self.at = None if line is None or line >= self.version else max(1, line)
        self._changed()

    # --- acting ---------------------------------------------------------------------------------------------------

    def act(self, asked: str | Order | actions.Action) -> tuple[ev.Event, ...]:
        """Let the seat act, in the words of the notation or by an action; what is automatic is played on.

        Raises:
            Refusal: nothing has changed.
            OSError: the log could not be written; nothing has changed.
            Mistake: a mistake of the program; nothing has changed.
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
        """What is asked for; words that name no Power are those of the Power that acts. Raises: Refusal."""
        order = self._table.read(asked)
        if isinstance(asked, str) and self.power != self.seat and ":" not in asked and hasattr(order, "power"):
            order = self._table.read(f"{self.power}: {asked.strip()}")
        return order

    def warnings(self, asked: str | Order | actions.Action) -> list[str]:
        """What an order would break of the seat's own Treaties, and what it would cost in War; often empty."""
        bound = any(t.since for t in self.live.treaties)  # one that has ended may still be revealed
        if not bound and not self.live.wars:
            return []
        try:
            order = self.order_of(asked)
        except Refusal:
            return []
        if not isinstance(order, actions.Action):
            return []
        broken = dry_run.treaty_warnings(self.tables, self.live, self.seat, order) if bound else []
        return broken + supply.war_risks(self.tables, self.live, self.seat, order)

    def war_warnings(self, asked: str | Order | actions.Action) -> list[str]:
        """What an order would cost in War, in sentences; empty for most orders."""
        order = self.parse_or_none(asked) if self.live.wars else None
        return supply.war_risks(self.tables, self.live, self.seat, order) if order is not None else []

    def parse_or_none(self, asked: str | Order | actions.Action) -> actions.Action | None:
        """The action that an order asks for; None where it is none, or cannot be read."""
        try:
            order = self.order_of(asked)
        except Refusal:
            return None
        return order if isinstance(order, actions.Action) else None

    def forecast(self, asked: str | Order | actions.Action) -> WarForecast | None:
        """What a declaration of War or the answer to a call would bring about, as far as the seat may know; None for
        any other order, and for one that is refused.
        """
        try:
            order = self.order_of(asked)
            if isinstance(order, actions.Action) and can_forecast(self.live, order):
                return forecast_war(self.tables, self.live, self.seat, order)
        except Refusal:
            pass
        return None

    def advance(self) -> tuple[ev.Event, ...]:
        """Play what is automatic, where no seat must act. Raises: Refusal, OSError."""
        self._check_turn()
        before = self._table.version
        self._table.advance(self.seat)
        self._start_bots(before)
        return self._tell("")

    @property
    def before_begin(self) -> str:
        """Who has still to say that the game may begin, in a sentence; "" once it has begun, and at one keyboard."""
        return ""

    def undo(self, to: int | None = None) -> None:
        """Take back the last act, or go back to the position after a line of the seat's. Raises: Refusal, OSError."""
        self._check_turn()
        line = self._table.undo(self.seat, to)
        self._taken_back(to is not None and line.kind == "undo")

    def _taken_back(self, further: bool) -> None:
        """The game has been taken back, maybe further than to the last act: then the bots move anew from there."""
        self.look_at(None)
        if further:
            self._rivals.forget()
            self._start_bots(self._table.version)
            self._tell("")

    @property
    def shares_keyboard(self) -> bool:
        """Whether the seats of a game sit at one keyboard, so that they can agree to an undo there."""
        return True

    def undo_requests(self) -> tuple[UndoRequest, ...]:
        """The undos that are asked for now, the earliest line first."""
        found = self._table.undo_requests(self.viewpoint)
        return tuple(UndoRequest(line, seats) for line, seats in sorted(found.items()))

    def undo_together(self, to: int) -> None:
        """Go back to the position after a line of the seat's, with the consent of everybody at this keyboard.

        The seats ask for it one after the other, as each would have to. What lies in between and only some know of may
        make different lines of it; then the table takes the game back, which everybody sees.

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
        """Bring back what the last undo took back. Raises: Refusal, OSError."""
        self._check_turn()
        self._table.redo(self.seat)
        self.look_at(None)

    def choose_word(self, typed: str) -> None:
        """Give a word for the dice that the player has typed. Raises: Refusal, where they need none."""
        raise Refusal("plain_dice", (), "The dice of a game at one keyboard need no words.")

    # --- dispatches -----------------------------------------------------------------------------------------------

    def dispatches(self) -> tuple[Letter, ...]:
        """The dispatches that the seat has sent or been sent."""
        return self._table.dispatches(self.viewpoint)

    def send(self, text: str) -> None:
        """Send a dispatch in the words of the notation. Raises: Refusal, OSError."""
        self._table.act(self.seat, text)
        self._changed()

    # --- the game in its file -------------------------------------------------------------------------------------

    @property
    def about(self) -> GameInfo:
        """What the game is called, what wrote it, how it is played, and where it is kept."""
        header, store = self._table.header_for(self.viewpoint), self._table.store
        return GameInfo(header.game, header.program, dict(header.options), store.path if store else None)

    @property
    def notice(self) -> str:
        """What was found at the end of the file when it was opened, in words; empty when nothing was."""
        return self._table.notice

    @property
    def trouble(self) -> str:
        """Why the game cannot go on in its file, in words; empty as long as all of it is there."""
        return self._table.trouble

    def wait_at_most(self, seconds: float) -> None:
        """From now on wait for the disk for so long only: a screen lives while acts are on their way (`saving`)."""
        if self._table.store is not None:
            self._table.store.wait_at_most(seconds)

    @property
    def saving(self) -> bool:
        """Whether an act is still on its way to the disk: it does not count before it is there."""
        return self._table.store is not None and self._table.store.saving

    @property
    def failed(self) -> str:
        """Why acts that were on their way do not count, in words; mostly empty."""
        return self._table.store.failed if self._table.store is not None else ""

    def close(self) -> None:
        """Let go of the file. Closing twice does nothing."""
        self.finish_bots()
        self._table.close()


class LessonSession(Session):
    """An open game in which the bots are ready and answer, and do not move before the lesson is over.

    Args:
        table: the game.
        player: the seat of the person.
        cues: what the bots do in War, as "seat: order", by cycle, number of the Alliance and Phase; then they pass.
    """

    def __init__(
        self, table: GameHost, player: str, cues: Mapping[tuple[int, int, str], Sequence[str]] | None = None
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
        """Let other seats act as a script says ("seat: order"); what is not possible is left out."""
        for line in acts:
            seat, _, order = line.partition(": ")
            with suppress(Refusal):
                self._table.act(seat, order)
        self._changed()

    def end_lesson(self) -> None:
        """From now on the bots move in earnest."""
        self._rivals.in_earnest, self._rivals.in_war = True, None
        self._start_bots(self._table.version)
        self._tell("")
