"""The interface of screens and plain mode to a game: `Session`, its parts and its operations.

`LocalSession` has the game in this process, `RemoteSession` on a server, `ReplaySession` in a finished log. Each one
consists of the same parts: `GameViewer` shows the game, `KeyboardSeats` are the seats of this keyboard, `BotControl`
runs the bots. `RemainingTime`, `Chat` and `OtherPlayers` have content only in a game on a server.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple, TypeVar

from paxtui.engine.bots import BotRequest
from paxtui.engine.free_text import ChatLine
from paxtui.engine.game import Redo, Undo
from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import BEFORE_PERSONS, WITH_PERSONS, BotOrder, SeatOccupant
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.dispatches import Dispatch
from paxtui.games.pax.actions.notation import format_order, parse_order
from paxtui.games.pax.board.status import powers_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.preview.preview import Preview, preview_action
from paxtui.games.pax.sequence import OPEN, waiting_seats
from paxtui.games.pax.state.diplomacy import ENDED
from paxtui.games.pax.state.model import State
from paxtui.games.pax.transaction import Transaction
from paxtui.session.bot_process import BotResponse, bot_request
from paxtui.session.bot_runner import BotMoves, BotRunner, BotStep, CompletedStep, next_step
from paxtui.session.game_viewer import GameViewer
from paxtui.session.orders_ahead import SeatOrders
from paxtui.session.pax_host import PaxViews
from paxtui.session.storage.interface import StoredLog

T = TypeVar("T")


# --- operations ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Advance:
    """Play the automatic Phases; before the first one, declare the seat ready to begin."""


@dataclass(frozen=True)
class AgreedUndo:
    """Return to the position after a line of the seat, with the consent of all players at this keyboard."""

    to: int


@dataclass(frozen=True)
class SendChat:
    """Send a chat message."""

    text: str


@dataclass(frozen=True)
class ChooseWord:
    """Submit a word for fair dice that the player has typed."""

    text: str


@dataclass(frozen=True)
class AssignSeats:
    """Assign occupants to seats; bots move at once."""

    occupants: Mapping[str, SeatOccupant]


@dataclass(frozen=True)
class LeaveOrders:
    """Replace the orders ahead of the seat.

    Attributes:
        version: the version of the list that was changed.
        lines: the orders, each with whether it is standing.
    """

    version: int
    lines: tuple[tuple[str, bool], ...]


Order = actions.Action | Undo | Redo | Dispatch
"""What a player can type as an order."""

Operation = Order | Advance | AgreedUndo | SendChat | ChooseWord | AssignSeats | LeaveOrders
"""What a player can do."""

Done = Callable[[Exception | None], None]
"""Called with the failure of an operation (Refusal, OSError, InternalError), or with None after success."""


class InternalError(Exception):
    """An error of the program; the log does not contain the act, and nothing has changed."""


class SessionChange(NamedTuple):
    """A change reported to listeners.

    Attributes:
        order: the order in ids; "" if there was none.
        events: its events, as the seat may know them; none if only the displayed line or the seat has changed.
        refusal: why the order was refused.
        more: whether bots are still moving; when they have finished, all events are reported once more.
    """

    order: str = ""
    events: tuple[ev.Event, ...] = ()
    refusal: Refusal | None = None
    more: bool = False


SessionListener = Callable[[SessionChange], None]


# --- parts --------------------------------------------------------------------------------------------------------


class KeyboardSeats:
    """The seats that are played at this keyboard.

    Args:
        host: the game.
        view: what the seats see.
        only: the seat of a keyboard with one seat; "" if all persons share the keyboard.
    """

    def __init__(self, host: PaxViews, view: GameViewer, only: str = "") -> None:
        self._host, self._view, self._only = host, view, only

    @property
    def is_shared(self) -> bool:
        """Whether all persons share this keyboard, so that they can consent to an undo here."""
        return not self._only

    def occupant(self, seat: str) -> SeatOccupant:
        """Return the occupant of a seat."""
        return self._host.occupant(seat)

    def here(self) -> tuple[str, ...]:
        """Return the seats of persons at this keyboard; none for a spectator."""
        players = self._view.live.players
        if self._only:
            return tuple(seat for seat in players if seat == self._only)
        return tuple(seat for seat in players if not self.occupant(seat).is_automatic)

    def waiting(self) -> tuple[str, ...]:
        """Return the seats of persons that must act, also those at other keyboards."""
        due = waiting_seats(self._view.tables, self._view.live)
        return tuple(seat for seat in due if not self.occupant(seat).is_automatic)

    def next_to_act(self, after: str = "") -> str:
        """Return the next seat here that must act, in the order of the seats; "" for none."""
        due, here, players = self.waiting(), self.here(), self._view.live.players
        start = players.index(after) + 1 if after in players else 0
        return next((seat for seat in players[start:] + players[:start] if seat in due and seat in here), "")

    def last_to_act(self) -> str:
        """Return the seat of the last known act of a person in force; "" for none or with one seat."""
        if self._only:
            return ""
        here = self.here()
        acted = [line.seat for line, _ in self._view.in_force() if line.seat in here]
        return acted[-1] if acted else ""

    @property
    def has_secrets(self) -> bool:
        """Whether one of the seats at this keyboard may know something that another may not.

        Secret agreements, acts and rejections of the current Game Turn count, because their parties still see them.
        """
        state = self._host.state
        return not self._only and any(
            not t.public and (t.stage != ENDED or max(t.drafted, t.since) == state.turn) for t in state.treaties
        )


class BotControl:
    """The bots of a session, and advice by a bot.

    Args:
        host: the game.
        runner: runs the bots; None if another process does.
        is_step_by_step: whether bots wait for `step` after each step, so that a screen can show their moves; otherwise
            they have finished when an operation returns.

    Attributes:
        current: the last step of the bots, or their pending request; None when they have finished.
        allows_advice: whether the seat may ask for advice.
        on_step: callback after each step.
    """

    def __init__(self, host: PaxViews, runner: BotRunner | None, is_step_by_step: bool = False) -> None:
        self._host, self._runner, self._is_step_by_step = host, runner, is_step_by_step
        self._moves: BotMoves | None = None
        self.current: BotStep | None = None
        self.allows_advice = True
        self.on_step: Callable[[], None] = lambda: None

    @property
    def runs_here(self) -> bool:
        """Whether this process moves the bots."""
        return self._runner is not None

    @property
    def is_at_work(self) -> bool:
        """Whether bots are still moving."""
        return self.current is not None

    @property
    def order(self) -> BotOrder:
        """When bots act in a simultaneous Phase."""
        return WITH_PERSONS if self._runner is None else self._runner.order

    @order.setter
    def order(self, order: BotOrder) -> None:
        if self._runner is not None:
            self._runner.order = order

    def check_idle(self) -> None:
        """Raise Refusal `bots_at_work` while bots are moving."""
        if self.is_at_work:
            raise Refusal("bots_at_work", (), "The bots are still moving.")

    def start(self) -> None:
        """Run the bots, or their first step."""
        if self._runner is None:
            return
        if self._is_step_by_step:
            self._moves = self._runner.course()
            self._take_step(None)
        else:
            self._runner.run()

    def restart(self) -> None:
        """Let the bots begin again after an act of a person between two of their steps."""
        if self._moves is not None:
            self._moves.close()
        self.current = self._moves = None
        self.start()

    def step(self, response: BotResponse | None = None) -> None:
        """Run the next step. Args: the response to the pending request, if there was one."""
        self._take_step(response)
        self.on_step()

    def _take_step(self, response: BotResponse | None) -> None:
        if self._moves is not None:
            self.current = next_step(self._moves, response)
            self._moves = None if self.current is None else self._moves

    def finish(self) -> None:
        """Stop waiting for bots: use the responses that exist, and ask for no more."""
        while isinstance(self.current, CompletedStep):
            self._take_step(None)
        if self._moves is not None:
            self._moves.close()
        self.current = self._moves = None

    def forget(self) -> None:
        """Reset after an undo: bots move again in a Phase without moves."""
        if self._runner is not None:
            self._runner.forget()

    def advice_request(self, seat: str, bot: str) -> BotRequest:
        """Return the request by which a bot advises a seat."""
        return bot_request(self._host, seat, bot)


class RemainingTime:
    """The clock of a game on a server, counted down locally.

    Attributes:
        is_paused: whether the host has paused the game.
    """

    def __init__(self) -> None:
        self._left_s, self._warning_s, self._at_s = -1.0, 0.0, 0.0
        self.is_paused = False

    def update(self, left_s: float = -1, warning_s: float = 0, is_paused: bool = False) -> None:
        """Set the remaining time. Args: the seconds, -1 for no clock; the limit of the warning; whether it stands."""
        self._left_s, self._warning_s, self._at_s = left_s, warning_s, monotonic()
        self.is_paused = is_paused

    @property
    def left_s(self) -> float | None:
        """The remaining seconds; None without a clock."""
        if self._left_s < 0:
            return None
        return max(0.0, self._left_s - (0.0 if self.is_paused else monotonic() - self._at_s))

    @property
    def is_short(self) -> bool:
        """Whether the remaining time is below the warning limit."""
        left = self.left_s
        return left is not None and left <= self._warning_s


MAX_CHAT_LINES = 2000
"""Maximum number of chat lines that a client keeps."""


@dataclass
class Chat:
    """The chat of a game on a server. Attributes: the lines, newest last; whether the seat may write."""

    lines: list[ChatLine] = field(default_factory=list)
    can_write: bool = False

    @property
    def last_number(self) -> int:
        """The number of the newest line, 0 for none."""
        return self.lines[-1].n if self.lines else 0

    def add(self, lines: Sequence[ChatLine]) -> None:
        """Add new lines; the oldest ones beyond `MAX_CHAT_LINES` are dropped."""
        self.lines = [*self.lines, *lines][-MAX_CHAT_LINES:]


class OtherPlayers:
    """The players at other keyboards; none in a local game."""

    @property
    def connected(self) -> tuple[str, ...]:
        """The connected seats of others."""
        return ()

    def last_places(self) -> Mapping[str, str]:
        """Return the place of each seat's last public act."""
        return {}


class GameFile:
    """The log file of a game.

    Args:
        store: the file; None for a game in memory or on a server.
        notice: a message about the end of the file when it was opened, usually empty.
    """

    def __init__(self, store: StoredLog | None = None, notice: str = "") -> None:
        self._store, self.notice = store, notice
        self.path = store.path if store is not None else None

    @property
    def trouble(self) -> str:
        """Why the game cannot continue in its file, in words; empty if it can. Reads the disk."""
        return "" if self._store is None else self._store.trouble

    @property
    def is_saving(self) -> bool:
        """Whether an act is not yet on disk; it does not count before."""
        return self._store is not None and self._store.saving

    @property
    def error(self) -> str:
        """Why unsaved acts were dropped, in words; usually empty."""
        return self._store.failed if self._store is not None else ""

    def limit_wait(self, seconds: float) -> None:
        """Limit the wait for the disk; the screen stays responsive while `is_saving`."""
        if self._store is not None:
            self._store.wait_at_most(seconds)


# --- session ------------------------------------------------------------------------------------------------------


class Session(ABC):
    """An open game with the players of one keyboard.

    Args:
        host: the game.
        view: what the players see.
        seats: the seats of this keyboard.
        bots: the bots.
        file: the log file, if it is here.

    Attributes:
        view, seats, bots, file: as above.
        clock, chat, others: the parts of a game on a server.
        seat: the seat that acts.
        power: the Power of the seat that acts.
        refusal: why the last order was refused; None after a successful one.
    """

    def __init__(
        self, host: PaxViews, view: GameViewer, seats: KeyboardSeats, bots: BotControl, file: GameFile | None = None
    ) -> None:
        self._host = host
        self.view, self.seats, self.bots, self.file = view, seats, bots, file or GameFile()
        self.clock, self.chat, self.others = RemainingTime(), Chat(), OtherPlayers()
        self.seat = self.power = ""
        self.refusal: Refusal | None = None
        self._listeners: list[SessionListener] = []
        self._derived: dict[str, tuple[State, str, Any]] = {}

    # --- state that screens read ----------------------------------------------------------------------------------

    @property
    def tables(self) -> Tables:
        """The tables of the game."""
        return self.view.tables

    @property
    def live(self) -> State:
        """The present position, as the seat may know it."""
        return self.view.live

    @property
    def state(self) -> State:
        """The displayed position, as the seat may know it."""
        return self.view.state

    @property
    def at(self) -> int | None:
        """The displayed line, by the seat's own number, or None for the present."""
        return self.view.at

    @property
    def can_interrupt_bots(self) -> bool:
        """Whether the seat may act while bots plan, as in each simultaneous Phase."""
        return self.bots.order != BEFORE_PERSONS and self.live.phase in OPEN and self.seat in self.waiting()

    @property
    def version(self) -> int:
        """Number of the seat's last line; hidden lines are not counted."""
        return self.view.version

    @property
    def line(self) -> int:
        """The displayed line, by the seat's number."""
        return self.view.line

    @property
    def read_only_label(self) -> str:
        """What the top line shows for a game that is only read; "" for one that is played."""
        return ""

    @property
    def line_signs(self) -> Mapping[int, str]:
        """A sign of one cell for each line that the reader has annotated, by the seat's line number."""
        return {}

    @property
    def orders_ahead(self) -> SeatOrders | None:
        """The orders ahead of the seat; None if it cannot leave any."""
        return None

    @property
    def begin_notice(self) -> str:
        """The players who are not yet ready to begin, in a sentence; "" in a game that has begun."""
        return ""

    @property
    def trouble(self) -> str:
        """Why the game cannot continue, in words; empty if it can."""
        return self.file.trouble

    @property
    def log_path(self) -> Path | None:
        """The log of the game on this computer; None for a game in memory or on a server."""
        return self.file.path

    def log_to_study(self) -> Path | None:
        """Return the log that a study of this game opens; None if the reader has none. Raises: OSError."""
        return self.log_path

    @property
    def study_path(self) -> Path | None:
        """The study in which the log is open; None outside of a study."""
        return None

    def waiting(self) -> tuple[str, ...]:
        """Return the seats of persons that must act."""
        return self.seats.waiting()

    def powers(self) -> tuple[str, ...]:
        """Return the Powers that the seat acts for."""
        return powers_of(self.tables, self.live, self.seat)

    @property
    def views(self) -> PaxViews:
        """The game, for readers that observe what a seat may know."""
        return self._host

    def derived(self, name: str, compute: Callable[[], T]) -> T:
        """Return a value computed from the present position for the seat, cached until either changes.

        Args: the name of the value; the function that computes it.
        """
        live = self.live
        known = self._derived.get(name)
        if known is None or known[0] is not live or known[1] != self.seat:
            known = self._derived[name] = (live, self.seat, compute())
        found: T = known[2]
        return found

    def listen(self, listener: SessionListener) -> Callable[[], None]:
        """Call `listener` after each change; return a function that ends this."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener) if listener in self._listeners else None

    def _notify(self, change: SessionChange | None = None) -> None:
        for listener in tuple(self._listeners):
            listener(change or SessionChange())

    # --- what is displayed ----------------------------------------------------------------------------------------

    def take_seat(self, seat: str) -> None:
        """Change the seat at the keyboard; its principal Power acts. The displayed position stays the same."""
        self.seat = self.power = seat
        self.view.change_viewpoint(seat)
        self._notify()

    def take_power(self, power: str) -> None:
        """Change the acting Power of the seat."""
        self.power = power
        self._notify()

    def look_at(self, line: int | None) -> None:
        """Display the position after a line; None or the last line is the present."""
        self.view.at = None if line is None or line >= self.version else max(1, line)
        self._notify()

    @contextmanager
    def glance_at(self, line: int) -> Iterator[None]:
        """Show the position after another line to the code inside. Listeners are not notified."""
        shown = self.view.at
        self.view.at = line if line < self.version else None
        try:
            yield
        finally:
            self.view.at = shown

    # --- orders ---------------------------------------------------------------------------------------------------

    def parse(self, text: str) -> Order:
        """Parse an order; without a Power it is for the acting Power. Raises: Refusal."""
        order = parse_order(self.tables, text)
        if self.power != self.seat and ":" not in text and hasattr(order, "power"):
            order = parse_order(self.tables, f"{self.power}: {text.strip()}")
        return order

    def parse_or_none(self, text: str) -> actions.Action | None:
        """Parse an action; None for an invalid text and for undo, redo and dispatches."""
        try:
            order = self.parse(text)
        except Refusal:
            return None
        return order if isinstance(order, actions.Action) else None

    def format(self, order: Order) -> str:
        """Return the text of an order, in ids."""
        return format_order(self.tables, order)

    def preview(self, action: actions.Action, trial: Transaction | None = None) -> Preview | Refusal:
        """Return the effects of an action as far as the seat may know them, or why it is refused.

        Args: the action; its trial run in the present position, if there is one already.
        """
        return preview_action(self.tables, self.live, self.seat, action, trial)

    def warnings(self, order: Order) -> list[str]:
        """Return the Treaties of the seat that an order would break, and its cost in War; often empty."""
        # a Treaty that has ended may still be revealed
        is_safe = not self.live.wars and not any(treaty.since for treaty in self.live.treaties)
        if is_safe or not isinstance(order, actions.Action):
            return []
        seen = self.preview(order)
        return [] if isinstance(seen, Refusal) else seen.warnings

    def war_warnings(self, order: Order) -> list[str]:
        """Return what an order would cost in War, in sentences; empty for most orders."""
        if not self.live.wars or not isinstance(order, actions.Action):
            return []
        seen = self.preview(order)
        return [] if isinstance(seen, Refusal) else list(seen.perils)

    # --- acting ---------------------------------------------------------------------------------------------------

    @abstractmethod
    def perform(self, operation: Operation) -> tuple[ev.Event, ...]:
        """Carry out an operation and wait for its result.

        Returns: the events, those of automatic Phases and finished bots included.

        Raises:
            Refusal: nothing has changed.
            OSError: the log could not be written, nothing has changed; or the connection was lost.
            InternalError: an error of the program; nothing has changed.
        """

    def submit(self, operation: Operation, done: Done) -> None:
        """Start an operation, and call `done` when its result is known: in a local game at once."""
        try:
            self.perform(operation)
        except (Refusal, OSError, InternalError) as failure:
            done(failure)
        else:
            done(None)

    @property
    def is_answer_pending(self) -> bool:
        """Whether a submitted operation waits for its result."""
        return False

    def act(self, order: Order) -> tuple[ev.Event, ...]:
        """Carry out an order and the automatic Phases after it. Raises: as `perform`."""
        return self.perform(order)

    def act_text(self, text: str) -> tuple[ev.Event, ...]:
        """Parse an order and carry it out. Raises: as `perform`."""
        try:
            order = self.parse(text)
        except Refusal as refusal:
            self._report_refusal(text.strip(), refusal)
            raise
        return self.perform(order)

    def advance(self) -> tuple[ev.Event, ...]:
        """Play the automatic Phases if no seat must act. Raises: as `perform`."""
        return self.perform(Advance())

    def undo(self, to: int | None = None) -> None:
        """Undo the last act, or return to the position after a line of the seat. Raises: as `perform`."""
        self.perform(Undo(to))

    def redo(self) -> None:
        """Redo the last undo. Raises: as `perform`."""
        self.perform(Redo())

    def _check_present(self, order: Order) -> None:
        """Raise Refusal `history` while the past is displayed; dispatches can be sent from there."""
        if self.at is not None and not isinstance(order, Dispatch):
            text = "You are looking at an earlier position. Press End to return to the present first."
            raise Refusal("history", (), text)

    def _report_refusal(self, order: str, refusal: Refusal) -> None:
        self.refusal = refusal
        self._notify(SessionChange(order, refusal=refusal))

    def describe_failure(self, error: OSError) -> str:
        """Describe why an order failed that the game did not refuse, in sentences."""
        return f"The log could not be written: {error}. Nothing has changed."

    def close(self) -> None:
        """Close the game. Closing twice does nothing."""
        self.bots.finish()
