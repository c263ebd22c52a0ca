"""One open game with its connected clients: carry out commands of seats and send the new lines to all others.

Also: whether an order still means the same after concurrent acts of others, and the connections of clients.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import msgspec

from paxtui.engine.bots import BotRequest
from paxtui.engine.clock import TimeoutAction
from paxtui.engine.dice import Dice
from paxtui.engine.fair_dice import WordsReopened, read_note
from paxtui.engine.game import Redo, Undo
from paxtui.engine.notes import dice_status
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.server import messages
from paxtui.server.clock import HostedClock, SuspendedClock
from paxtui.server.limits import RateLimits
from paxtui.server.messages import frame_message
from paxtui.session.bot_process import BotProcess
from paxtui.session.bot_runner import BotRunner, next_step
from paxtui.session.fair_dice import DiceWordCollector, SteadyClock, clock_time
from paxtui.session.game_host import Clock, GameHost, SeatLog, utc_now
from paxtui.session.hosts import bot_runner
from paxtui.session.orders_ahead import OrdersAhead
from paxtui.session.storage.interface import FILES, OutcomeUnknown, Storage

MOST_CHANGES = 2
"""Maximum number of changes that a refusal lists."""

TRIAL_SEEDS = ("conflict 1", "conflict 2", "conflict 3")
"""Seeds for comparing outcomes of an order with dice; the dice of the game are not used."""


def is_still_meant(host: GameHost, seat: str, order: Any, line: int) -> bool:
    """Return whether an order has the same effect now as after an earlier line of the seat's log.

    It must be legal at both moments, and all its events must be equal. `ready` answers what the seat has seen, so
    that only other seats' `ready` may lie between. After an act of the seat itself no order means the same: it may be
    a repetition of that act.

    Raises: Refusal: the line does not exist.
    """
    if host.is_message(order):
        return True
    since = host.log_line(seat, line)
    between = host.game.lines_after(since)
    if isinstance(order, Undo | Redo) or any(other.kind in ("undo", "redo") for other in between):
        return False
    if any(other.kind == "act" and other.seat == seat for other in between):
        return False
    if _is_ready(host.rules.encode_action(order)):
        return all(other.kind == "note" or _is_ready(other.action) for other in between)
    before = host.game.seek(since)
    try:
        return all(
            _trial_outcome(host, before, seat, order, seed) == _trial_outcome(host, host.state, seat, order, seed)
            for seed in TRIAL_SEEDS
        )
    except Refusal:
        return False


def describe_changes(host: GameHost, seat: str, line: int) -> str:
    """Summarize what a seat has seen happen after a line of its log; "" for nothing to report."""
    describe = host.rules.narrator(host.state_for(seat))
    texts = [
        describe(event).rstrip(".")
        for other in host.game.lines_after(host.log_line(seat, line))
        if other.kind == "act"
        for event in host.visible_events(seat, other.n)
    ]
    texts = list(dict.fromkeys(text for text in texts if text))
    return "; ".join(texts[:MOST_CHANGES]) + ("; ..." if len(texts) > MOST_CHANGES else "")


def _is_ready(action: Any) -> bool:
    return isinstance(action, dict) and action.get("type") in ("ready", "unready")


def _trial_outcome(host: GameHost, state: Any, seat: str, order: Any, seed: str) -> tuple[Any, ...]:
    """Return the events of an order at a position with the dice of a given seed. Raises: Refusal."""
    return tuple(host.rules.decide(state, seat, order, Dice(seed)).events)


READING_S = 60.0
"""Seconds that connected players get to read an automatic Phase before the clock plays the next."""

REMEMBERED_COMMANDS = 500
"""Number of answers kept for commands that are sent again."""


class SuspendedGame(NamedTuple):
    """The state to resume a suspended game from.

    Attributes:
        time: its clock.
        memory: what its bots were already asked.
    """

    time: SuspendedClock
    memory: Any


class Subscriber(Protocol):
    """A client of a game.

    Attributes:
        seat: the seat whose log it receives.
        has: the last line of the seat's log that was sent.
        player: the player id, "" for the host.
    """

    seat: str
    has: int
    player: str

    def send(self, message: messages.ToClient) -> None:
        """Queue a message. A client that cannot keep up is disconnected."""


class HostedGame:
    """An open game.

    Args:
        name: its name on the server.
        host: the game.
        thinker: runs the bots in the background.
        clock: the time, ISO 8601 in UTC.
        steady: monotonic seconds.
        notes: where the remaining time is saved; None for nowhere.
        before: the state to resume from; None for a game that was not suspended.
        storage: where the remaining time is stored.

    Attributes:
        subscribers: the connected clients.
        advice: whether players may ask for advice.
        delay: delay for spectators, in minutes.
        changed: callback after something may have happened.
        hurry: callback with the remaining seconds when the time of the waiting seats is short.
        ask_host: callback with the late seats when the host must decide.
        time: its clock.
        limits: rate limits of seats.
    """

    def __init__(
        self,
        name: str,
        host: GameHost,
        thinker: BotProcess,
        clock: Clock = utc_now,
        steady: SteadyClock = time.monotonic,
        notes: Path | None = None,
        before: SuspendedGame | None = None,
        storage: Storage = FILES,
    ) -> None:
        self.name = name
        self.host = host
        self.subscribers: list[Subscriber] = []
        self.changed: Callable[[], None] = lambda: None
        self.hurry: Callable[[float], None] = lambda left: None
        self.advice = True
        self.ask_host: Callable[[Sequence[str]], None] = lambda late: None
        self.delay = 0
        self.limits = RateLimits(steady)
        self._clock = clock
        self._logs: dict[str, SeatLog] = {}
        self._answered: OrderedDict[tuple[str, str], messages.CommandResult] = OrderedDict()
        self._thinker = thinker
        self._rivals = bot_runner(host, before.memory if before else None)
        self._at_work: asyncio.Task[None] | None = None
        self._words = DiceWordCollector(host, clock, steady)
        self.time = HostedClock(host, clock, steady, notes, self._act_for, before.time if before else None, storage)
        self._overdue: BotRunner | None = None
        self._steady = steady
        self._ahead: OrdersAhead | None = None
        self._ahead_watchers: list[Subscriber] = []
        self._automatic: tuple[int, float] | None = None  # the line since which no seat must act, and its time

    def begin(self) -> None:
        """Do what is due, and start the bots."""
        self.start_bots()
        self.tend()

    def log_of(self, seat: str) -> SeatLog:
        """Return the log of a seat. Raises: Refusal `unknown_seat`."""
        log = self._logs.get(seat)
        if log is None:
            log = self._logs[seat] = SeatLog(self.host, seat)
        return log

    @property
    def here(self) -> tuple[str, ...]:
        """The connected seats, in the order of the seats."""
        present = {subscriber.seat for subscriber in self.subscribers}
        return tuple(seat for seat in self.host.seats if seat in present)

    @property
    def dice_status(self) -> str:
        """The state of the dice, in a few words."""
        game = self.host.game
        if not game.dice.fair:
            return "plain"
        return dice_status(game.rules, game.dice.contributors, game.dice.stage, self.missing_words)

    @property
    def missing_words(self) -> tuple[str, ...]:
        """The seats of persons whose words for the dice are missing."""
        return self._words.lacking

    @property
    def thinks(self) -> bool:
        """Whether bots are moving."""
        return self._at_work is not None and not self._at_work.done()

    # --- clients --------------------------------------------------------------------------------------------------

    def enter(self, subscriber: Subscriber, line: int, tip: str, talks: bool = False) -> None:
        """Add a client and send it the log, or the lines that it lacks.

        Args:
            subscriber: the client; its seat determines the log.
            line: the last line that it already has, 0 for none.
            tip: the hash of that line.
            talks: whether it may chat.

        Raises:
            Refusal: `unknown_seat`, or `other_log` if its lines are not of this game.
        """
        log = self.log_of(subscriber.seat)
        if line and not log.holds(line, tip):
            raise Refusal("other_log", (), "Your log is not of this game.")
        self.subscribers.append(subscriber)
        subscriber.has = max(line, self._last_for(subscriber))
        header = b"" if line else log.header
        lines = log.after(max(line, 1), subscriber.has)
        subscriber.send(
            messages.Welcome(self.name, subscriber.seat, header, lines, self.here, talks=talks, advice=self.advice)
        )
        if self.time.now.left >= 0 or self.time.paused:
            subscriber.send(self.time.now)
        self._send_presence()

    def leave(self, subscriber: Subscriber) -> None:
        """Remove a client."""
        if subscriber in self.subscribers:
            self.subscribers.remove(subscriber)
            self._ahead_watchers = [other for other in self._ahead_watchers if other is not subscriber]
            self._send_presence()

    def _send_presence(self) -> None:
        for subscriber in tuple(self.subscribers):
            subscriber.send(messages.Presence(self.here))

    # --- commands -------------------------------------------------------------------------------------------------

    def do(self, subscriber: Subscriber, command: messages.Command) -> None:
        """Carry out a command once. Send the new lines to all clients, to the commanding seat first.

        Raises: OutcomeUnknown: the game must be opened again.
        """
        asked = (subscriber.seat, command.id)
        answer = self._answered.get(asked)
        if answer is None:
            answer = self._answered[asked] = self._done(subscriber, command)
            if len(self._answered) > REMEMBERED_COMMANDS:
                self._answered.popitem(last=False)
        self._send_lines(subscriber)
        subscriber.send(answer)
        self._carry_out_ahead()
        self._tell()
        self.start_bots()
        self.tend()

    def arbitrate(self, act: Callable[[], object]) -> None:
        """Carry out an act of the host and send the new lines to all clients. Raises: Refusal, OSError."""
        act()
        self._carry_out_ahead()
        self._tell()
        self.start_bots()
        self.tend()

    def _done(self, subscriber: Subscriber, command: messages.Command) -> messages.CommandResult:
        seat = subscriber.seat
        refusal: Refusal | None = None
        failed = ""
        try:
            if seat == SPECTATOR:
                raise Refusal("not_a_player", (), "You are a spectator: you can watch, but not act.")
            operation = command.operation
            order = self.host.read(operation.order) if isinstance(operation, messages.Act) else None
            if command.line < self.host.version_for(seat) and not self._is_current(seat, command, order):
                changes = describe_changes(self.host, seat, command.line)
                what = f" ({changes})" if changes else ""
                text = f"The game changed while you typed{what}. Your order was not carried out; give it again."
                raise Refusal("stale", (), text)
            self._carry_out(subscriber, operation, order)
        except Refusal as refused:
            refusal = refused
        except OutcomeUnknown:
            raise  # there is no answer; the client finds out when it connects again
        except OSError as error:
            failed = f"The log could not be written ({error.strerror or type(error).__name__}); nothing has changed."
        wire = messages.Refused.of(refusal) if refusal else None
        return messages.CommandResult(command.id, self.log_of(seat).version, wire, failed)

    def _is_current(self, seat: str, command: messages.Command, order: Any) -> bool:
        """Whether a command still means what it meant after the line the seat had seen. Raises: Refusal."""
        operation = command.operation
        if isinstance(operation, messages.Act):
            if isinstance(operation.order, str) and order != self._read_earlier(seat, operation.order, command.line):
                return False
            return is_still_meant(self.host, seat, order, command.line)
        # A word for the dice and the request to begin do not depend on what others did before.
        if isinstance(operation, messages.DiceWord) or (isinstance(operation, messages.Advance) and self._words.waits):
            return True
        between = self.host.game.lines_after(self.host.log_line(seat, command.line))
        return isinstance(operation, messages.Advance) and all(line.kind == "note" for line in between)

    def _read_earlier(self, seat: str, text: str, line: int) -> Any:
        """Return the order that a text was after an earlier line of the seat; None for none. Raises: Refusal."""
        before = self.host.game.seek(self.host.log_line(seat, line))
        with suppress(Refusal):
            return self.host.rules.parse_order(text, before)
        return None

    def _carry_out(self, subscriber: Subscriber, operation: messages.Operation, order: Any) -> None:
        """Carry out an operation. Args: the client; the operation; its order, decoded. Raises: Refusal, OSError."""
        seat = subscriber.seat
        if isinstance(operation, messages.DiceWord):
            try:
                self.host.dice_note(read_note(operation.note), seat)
            except ValueError:
                raise Refusal("bad_action", (), "This is not a word for the dice.") from None
            return
        if self.time.paused or self._words.waits:
            self._check_open(subscriber, operation, order)
        if isinstance(operation, messages.Act):
            is_message = self.host.is_message(order)
            if is_message:
                self.limits.check_messages(f"{self.name}/{seat}")
            self.host.play(seat, order)
            if isinstance(order, Undo):
                self._rivals.forget()
            if is_message:
                self.limits.messages.use(f"{self.name}/{seat}")
        elif isinstance(operation, messages.Advance):
            self.host.advance(seat)
        elif isinstance(operation, messages.Undo):
            self.host.undo(seat, operation.to)
            self._rivals.forget()
        else:
            self.host.redo(seat)

    def _check_open(self, subscriber: Subscriber, operation: messages.Operation, order: Any) -> None:
        """Check that more than dispatches is allowed: not paused, and the dice are made.

        The host begins the game with `advance`; players are ready to begin when they have sealed their words.

        Raises: Refusal `paused`, `dice_wait`, or as the order; OSError.
        """
        if not (isinstance(operation, messages.Act) and self.host.is_message(order)):
            self.time.check_open()
            if self._words.waits and isinstance(operation, messages.Advance) and not subscriber.player:
                self._words.begin()
            else:
                self._words.check_made()

    def start(self) -> None:
        """Begin the game as the host: ask for the words now. Seats without a word after two minutes are left out.

        Raises: Refusal `begun`; OSError.
        """
        if not self._words.waits or self._words.is_requested:
            raise Refusal("begun", (), f"The game {self.name} has already begun.")
        self.arbitrate(self._words.ask)

    def rewind(self, line: int) -> bool:
        """Rewind the game to a log line, as the host. Return whether the words are collected again.

        They are when the line is before the start of a game with fair dice.

        Raises: Refusal, OSError.
        """
        host, dice = self.host, self.host.game.dice
        reopens = dice.is_before(line)

        def take_back() -> None:
            try:
                host.undo(ARBITER, line)
            except Refusal as refusal:
                if not reopens or refusal.code != "nothing_to_undo":
                    raise
            self._rivals.forget()
            if reopens:
                host.dice_note(WordsReopened(dice.round + 1))

        self.arbitrate(take_back)
        return reopens

    # --- orders ahead ---------------------------------------------------------------------------------------------

    def set_orders_ahead(self, ahead: OrdersAhead) -> None:
        """Let the seats leave orders ahead."""
        self._ahead = ahead
        ahead.changed = self._send_orders_ahead

    def watch_orders_ahead(self, subscriber: Subscriber) -> None:
        """Send a client the orders ahead of its seat, now and after each change."""
        if subscriber not in self._ahead_watchers:
            self._ahead_watchers.append(subscriber)
        self._send_orders_ahead(subscriber.seat)

    def _send_orders_ahead(self, seat: str) -> None:
        orders = None
        if self._ahead is not None and seat != SPECTATOR:
            orders = msgspec.to_builtins(self._ahead.orders(seat))
        for subscriber in self._ahead_watchers:
            if subscriber.seat == seat:
                subscriber.send(messages.OrdersAheadList(orders))

    def leave_orders(self, subscriber: Subscriber, message: messages.LeaveOrders) -> None:
        """Replace the orders ahead of a client's seat, and carry out those whose time has come."""
        refusal, failed = None, ""
        try:
            if self._ahead is None:
                raise Refusal("no_orders_ahead", (), "This game does not support orders ahead.")
            self._ahead.set_orders(subscriber.seat, message.version, message.lines)
        except Refusal as refused:
            refusal = messages.Refused.of(refused)
        except OSError as error:
            failed = f"The orders could not be saved ({error.strerror or type(error).__name__}); nothing has changed."
        subscriber.send(messages.CommandResult(message.id, subscriber.has, refusal, failed))
        self.tend()

    def forget_orders_ahead(self, seat: str) -> None:
        """Delete the orders ahead of a seat. Raises: OSError."""
        if self._ahead is not None:
            self._ahead.forget(seat)

    def _carry_out_ahead(self) -> bool:
        """Carry out the orders ahead whose time has come; return whether there were any."""
        if self._ahead is None or self.time.paused or self._words.waits:
            return False
        with suppress(OSError):  # a failed write is retried next time
            return self._ahead.carry_out(settled=not self.thinks)
        return False

    def _tell(self) -> None:
        """Send each client the lines that it lacks."""
        for subscriber in tuple(self.subscribers):
            self._send_lines(subscriber)
        self.changed()

    def tend(self) -> None:
        """Do what is due: clock, words for the dice, the seed after the end of the game."""
        before = self.host.version
        with suppress(OSError, Refusal):  # a failed write is retried next time
            if self._words.look():
                self.host.advance()  # the words were requested to begin the game
            self._play_automatic()
            self._carry_out_ahead()
            self.time.look(busy=self._words.waits or self.thinks)
        if self.host.version > before:
            self._tell()
            self.start_bots()
        left = self.time.warning()
        if left is not None:
            self.hurry(left)
        time_left = self.time.news()
        for subscriber in tuple(self.subscribers):
            if time_left is not None:
                subscriber.send(time_left)

    def _play_automatic(self) -> None:
        """In a game with a clock, play the Phases in which no seat acts, without a request from a player.

        A player starts the first Phase. Raises: Refusal, OSError.
        """
        host = self.host
        while self._goes_on_alone():
            version = host.version
            if self._automatic is None or self._automatic[0] != version:
                self._automatic = version, self._steady()
            players = any(subscriber.seat != SPECTATOR for subscriber in self.subscribers)
            if players and self._steady() - self._automatic[1] < READING_S:
                return
            host.advance()
            if host.version == version:
                return

    def _goes_on_alone(self) -> bool:
        """Whether a game with a clock has begun and waits only for `advance`."""
        host = self.host
        if not self.time.runs or self.time.paused or host.is_over:
            return False
        if host.waiting or self.thinks or self._words.waits:
            return False
        return any(line.kind == "act" for line in host.game.lines_after(1))

    def _act_for(self, late: Sequence[str], then: TimeoutAction) -> None:
        """Carry out the timeout action for late seats; nothing if the host decides.

        Raises: Refusal, OSError.
        """
        if then == "caretaker" and self._overdue is None:
            self._overdue = bot_runner(self.host, late=late)
            self.start_bots()
        elif then == "default":
            self.host.take_defaults(late)
        elif then == "arbiter":
            self.ask_host(late)

    # --- bots -----------------------------------------------------------------------------------------------------

    def start_bots(self) -> None:
        """Start the bots in the background."""
        if not self.thinks and not self.time.paused:
            self._at_work = asyncio.get_running_loop().create_task(self._run_bots())

    async def _run_bots(self) -> None:
        with suppress(OSError, Refusal):  # the next act of a person reports the same disk error
            while not self.time.paused and not await self._run_bots_once():
                pass
        self._at_work = None
        self.tend()

    async def _run_bots_once(self) -> bool:
        """Run the bots. Returns: whether they finished; False if a person acted while a bot was thinking."""
        if self.time.paused:
            self._overdue = None
        overdue, thought = self._overdue, None
        course = (overdue or self._rivals).course()
        while (step := next_step(course, thought)) is not None:
            thought = None
            if isinstance(step, BotRequest):
                version = self.host.version
                thought = await self._thinker.think(self.host.game, step)
                if self.host.version != version:
                    course.close()
                    return False
            else:
                acted = self._carry_out_ahead()
                self._tell()
                if acted:
                    course.close()
                    return False
                await asyncio.sleep(0)
        if overdue is not None:
            self._overdue = None
            if overdue.waited_for:  # the caretaker has no legal act either
                self.host.take_defaults()
            return False
        self._tell()
        return True

    # --- sending --------------------------------------------------------------------------------------------------

    def _send_lines(self, subscriber: Subscriber) -> None:
        last = self._last_for(subscriber)
        if last > subscriber.has:
            subscriber.send(messages.LogLines(self.log_of(subscriber.seat).after(subscriber.has, last)))
            subscriber.has = last

    @property
    def visible_until(self) -> str:
        """The time up to which spectators see the game; "" without delay."""
        if not self.delay or self.host.is_over:
            return ""
        return (clock_time(self._clock) - timedelta(minutes=self.delay)).isoformat(timespec="seconds")

    def _last_for(self, subscriber: Subscriber) -> int:
        """Return the last line that a client may have now."""
        log, until = self.log_of(subscriber.seat), self.visible_until if subscriber.seat == SPECTATOR else ""
        return log.at(until) if until else log.version

    def catch_up(self) -> None:
        """Send delayed spectators the lines that are due."""
        if self.delay:
            self._tell()

    @property
    def is_quiet(self) -> bool:
        """Whether the game can be suspended: no client, bot, missing word or unsaved line."""
        busy = self.subscribers or self.thinks or self._overdue is not None or self._words.is_requested
        return not busy and self.host.store is not None and not self.host.store.trouble

    def fall_asleep(self) -> SuspendedGame:
        """Close the game and return the state to resume from."""
        asleep = SuspendedGame(self.time.asleep, self._rivals.memory)
        self.close()
        return asleep

    def close(self) -> None:
        """Close the log file."""
        if self._at_work is not None:
            self._at_work.cancel()
        # Break reference cycles, which would stay in memory until the next garbage collection.
        self.changed, self.hurry, self.ask_host = lambda: None, lambda left: None, lambda late: None
        if self._ahead is not None:
            self._ahead.changed = lambda seat: None
            self._ahead = None
        self.time.close()
        self.host.close()


MAX_UNSENT_BYTES = 8 * 1024 * 1024
"""Unsent bytes after which a client is disconnected; it catches up when it reconnects."""


class ClientConnection:
    """A connection: a client at a seat, a visitor in the lobby, or an administrative connection.

    Attributes:
        seat: the seat whose log it receives, "" before it has entered.
        has: the last line of the seat's log that was sent.
        game: the game.
        player: the player id.
        visits: whether it is in the lobby.
        talks: whether it may chat.
        heard: the last chat line that was sent.
    """

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self.seat = self.player = ""
        self.has = 0
        self.game: HostedGame | None = None
        self.visits = self.talks = False
        self.heard = 0

    def send(self, message: messages.ToClient) -> None:
        """Queue a message; disconnect a client that cannot keep up."""
        if self._writer.is_closing():
            return
        self._writer.write(frame_message(messages.encode(message)))
        if self._writer.transport.get_write_buffer_size() > MAX_UNSENT_BYTES:
            self._writer.transport.abort()

    def close(self) -> None:
        """Close the connection after all queued messages are sent."""
        self._writer.close()
