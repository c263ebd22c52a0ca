"""A game on a server as one seat has it: the log, the connection, and the operations that the hub carries out.

The client computes everything from its own log. Only commands go to the hub; log lines come back. Nothing here waits:
an operation is a coroutine that is suspended until `receive` finds its answer. Operations run one after the other.
"""

from __future__ import annotations

import re
import types
from collections import deque
from collections.abc import Callable, Coroutine, Generator, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec

from paxtui.engine.fair_dice import raw_note
from paxtui.engine.game_log import GameLog
from paxtui.engine.log import (
    FIRST_RULEBOOK,
    BrokenLog,
    Header,
    Line,
    encode_header,
    encode_line,
    parse,
    parse_further,
)
from paxtui.engine.projection import Projection
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER
from paxtui.server import messages
from paxtui.server.client import ANSWER_TIMEOUT_S, ConnectionLost, HubClient, no_answer
from paxtui.session.fair_dice import DiceClient
from paxtui.session.game_host import SeatViews
from paxtui.session.games import load_game
from paxtui.session.orders_ahead import SeatOrders
from paxtui.session.pax_host import PaxViews
from paxtui.session.session import Chat, Done, RemainingTime
from paxtui.session.storage.files import player_data, replace_file
from paxtui.session.storage.log_store import LOG_SUFFIX

STUDIES = "studies"
"""Folder of the logs that a player studies on the server, in the directory of the player."""

Work = Coroutine[Any, Any, None]
"""A running operation: it yields while it waits for the `CommandResult` of the hub."""


@types.coroutine
def _next_answer() -> Generator[None, messages.CommandResult, messages.CommandResult]:
    return (yield)


class RemoteGame(SeatViews):
    """A game of any kind as one seat sees it; the hub has the authority.

    Args:
        socket: the socket of the hub.
        ticket: the ticket for the seat.
        client: the connection.
        welcome: the answer of the hub to `client.send_join`.

    Attributes:
        name: name of the game on the server.
        seat: the seat of this log.
        connected: the connected seats.
        chat: the chat.
        clock: the remaining time.
        allows_advice: whether the seat may ask for advice.
        ahead: the orders ahead of the seat, once they are known.
        outcome: the outcome of an order whose answer was lost, in a sentence; "" for none.

    Raises:
        BrokenLog: the received log cannot be read.
    """

    def __init__(self, socket: Path, ticket: str, client: HubClient, welcome: messages.Welcome) -> None:
        parsed = parse(welcome.header + welcome.lines)
        rules = load_game(parsed.header).seat_game()
        super().__init__(GameLog(rules, parsed.header, parsed.lines, tip=parsed.tip))
        self._socket, self._ticket, self._client = socket, ticket, client
        self.name, self.seat, self.connected = welcome.name, welcome.seat, welcome.here
        self.chat, self.clock, self.allows_advice = Chat(can_write=welcome.talks), RemainingTime(), welcome.advice
        self._everything = Projection(ARBITER, self.rules.seat_event)
        self._lost: ConnectionLost | None = None
        self._is_joining = False
        self._waiting: deque[tuple[Work, Done]] = deque()
        self._current: tuple[Work, Done] | None = None
        self._answer_id, self._sent_at_s = "", 0.0
        self._sent: tuple[messages.Operation, str] | None = None
        self._unanswered: tuple[messages.Operation, str, int] | None = None
        self.outcome = ""
        self.ahead: SeatOrders | None = None
        self._word = DiceClient(parsed.header, self.seat, player_data())
        self._gives_word = False
        self._give_word()

    # --- log ------------------------------------------------------------------------------------------------------

    def known(self, seat: str) -> Projection:
        """Return the received log, which already has the seat's own numbers."""
        for line in self.game.lines_after(self._everything.followed):
            self._everything.follow(line)
        return self._everything

    def header_for(self, seat: str) -> Header:
        """Return the received header."""
        return self.game.header

    @property
    def waiting(self) -> tuple[str, ...]:
        """The seats that must act."""
        return self.rules.waiting_seats(self.state)

    def events_after(self, line: int) -> tuple[Any, ...]:
        lines = self.game.lines_after(line)
        return tuple(event for line in lines if line.kind == "act" for event in self.game.events(line.n))

    def save_log(self) -> Path:
        """Write the received log to the player's own directory, for a study; return its path. Raises: OSError.

        It contains what the seat may know. Each call replaces the file: the log has grown since.
        """
        folder = player_data() / STUDIES / self.game.header.game
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        name = re.sub(r"[^\w -]", "_", f"{self.name} {self.seat}")
        path = folder / f"{name}{LOG_SUFFIX}"
        replace_file(path, encode_header(self.game.header) + b"".join(map(encode_line, self.game.lines)), 0o600)
        return path

    @property
    def has_started(self) -> bool:
        """Whether the dice are made."""
        dice = self.game.dice
        return not dice.fair or dice.stage not in ("hashes", "words")

    # --- connection -----------------------------------------------------------------------------------------------

    @property
    def trouble(self) -> str:
        """Why the hub cannot be reached, in words; empty while connected."""
        return "" if self._lost is None else str(self._lost.strerror)

    @property
    def will_reconnect(self) -> bool:
        """Whether to reconnect a lost connection; False when the hub has closed it for good."""
        return self._lost is None or self._lost.back

    @property
    def has_unanswered(self) -> bool:
        """Whether the connection was lost before an order was answered."""
        return self._unanswered is not None

    def fileno(self) -> int:
        """Return the socket descriptor for the event loop; -1 while disconnected."""
        return -1 if self._lost is not None and not self._is_joining else self._client.fileno()

    def start_reconnect(self) -> bool:
        """Connect again and ask for the lines since; `receive` completes it.

        Returns: whether the hub is reachable.
        """
        if self._lost is None or not self._lost.back or self._is_joining:
            return False
        try:
            client = HubClient(self._socket, wait=False)
            client.send_join(self._ticket, self.version, self.game.tip, self.chat.last_number)
        except ConnectionLost:
            return False
        self._client, self._is_joining, self._sent_at_s = client, True, monotonic()
        return True

    def reconnect(self) -> bool:
        """Connect again and wait for the lines since. Returns: whether that succeeded."""
        if not self.start_reconnect():
            return False
        while self._is_joining:
            self._wait_for_data()
        return self._lost is None

    def check_timeout(self) -> bool:
        """Give up a hub that does not answer. Returns: whether the connection was lost by that."""
        expects = self._current is not None or self._is_joining
        if expects and monotonic() - self._sent_at_s > ANSWER_TIMEOUT_S:
            self._lose(no_answer())
            return True
        return False

    def _lose(self, lost: ConnectionLost) -> None:
        """End the connection; the operation that waits for an answer fails."""
        self._client.close()
        self._lost, self._is_joining = lost, False
        if self._current is not None:
            self._note_unanswered()
            self._resume(lambda work: work.throw(lost))

    def _note_unanswered(self) -> None:
        if self._sent is not None and not isinstance(self._sent[0], messages.DiceWord | messages.Advance):
            self._unanswered = *self._sent, self.version

    def close(self) -> None:
        self._client.close()

    # --- running operations ---------------------------------------------------------------------------------------

    @property
    def is_answer_pending(self) -> bool:
        """Whether an operation waits for the hub."""
        return self._current is not None

    def start(self, work: Work, done: Done) -> None:
        """Run an operation after those that were started before; call `done` at its end."""
        self._waiting.append((work, done))
        self._start_next()

    def wait(self, work: Work) -> None:
        """Run an operation and wait for its end. Raises: Refusal, OSError."""
        ended: list[Exception | None] = []
        self.start(work, ended.append)
        while not ended:
            self._wait_for_data()
        if ended[0] is not None:
            raise ended[0]

    def _start_next(self) -> None:
        while self._current is None and self._waiting:
            self._current = self._waiting.popleft()
            self._resume(lambda work: work.send(None))

    def _resume(self, step: Callable[[Work], object]) -> None:
        """Run the current operation until it waits for an answer, or ends."""
        if self._current is None:
            return
        work, done = self._current
        failure: Exception | None = None
        try:
            step(work)
            return
        except StopIteration:
            pass
        except (Refusal, OSError) as error:
            failure = error
        self._current = None
        done(failure)
        self._start_next()

    async def _answer(self, send: Callable[[], str], sent: tuple[messages.Operation, str] | None = None) -> None:
        """Send a message and wait for its answer. Raises: Refusal, OSError, ConnectionLost."""
        if self._lost is not None:
            raise self._lost
        self._sent, self._sent_at_s = sent, monotonic()
        try:
            self._answer_id = send()
        except ConnectionLost as lost:
            self._lost = lost
            self._client.close()
            self._note_unanswered()
            raise
        answer = await _next_answer()
        if answer.refusal is not None:
            raise answer.refusal.again()
        if answer.failed:
            raise OSError(0, answer.failed)

    async def command(self, operation: messages.Operation, text: str = "") -> None:
        """Let the hub carry out an operation.

        Args: the operation; how to name it if its outcome becomes unknown.
        Raises: Refusal; OSError; ConnectionLost: the outcome is unknown.
        """
        await self._answer(lambda: self._client.send_command(operation, self.version), (operation, text))

    async def send_chat(self, text: str) -> None:
        """Send a chat message. Raises: Refusal, OSError."""
        await self._answer(lambda: self._client.send_chat(text))

    async def leave_orders(self, version: int, lines: Sequence[tuple[str, bool]]) -> None:
        """Replace the orders ahead of the seat. Raises: Refusal, OSError."""
        await self._answer(lambda: self._client.send_orders_ahead(version, lines))

    def watch_orders_ahead(self) -> None:
        """Ask for the orders ahead of the seat; `receive` finds them."""
        if self._lost is None and self.seat in self.seats:
            with suppress(ConnectionLost):  # the next message finds out
                self._client.watch_orders_ahead()

    async def advance(self) -> None:
        """Play automatic Phases; before the dice are made, declare the seat ready to begin."""
        if self.is_over or (self.waiting and self.has_started):
            return
        before, asked = self.version, self.game.dice.asked
        try:
            await self.command(messages.Advance())
        except Refusal as refusal:
            if refusal.code != "dice_wait" or asked:
                raise
            await self._be_ready_to_begin()
            if self.version == before:
                raise

    # --- words for fair dice --------------------------------------------------------------------------------------

    async def choose_word(self, typed: str) -> None:
        """Submit a word for the dice that the player has typed. Raises: Refusal, OSError."""
        await self.command(messages.DiceWord(raw_note(self._word.choose(typed, self.game.dice))))
        await self._give_words()

    async def _be_ready_to_begin(self) -> None:
        """Seal the seat's word; the game begins when all players have. Raises: Refusal, OSError."""
        await self._give_words()
        note = self._word.seal(self.game.dice)
        if note is not None:
            await self.command(messages.DiceWord(raw_note(note)))
        await self._give_words()

    async def _give_words(self) -> None:
        """Submit the hash or word that fair dice need from the seat, without asking the player."""
        with suppress(Refusal):  # the hub reports which seats are left out, and why
            while (note := self._word.next_note(self.game.dice)) is not None:
                await self.command(messages.DiceWord(raw_note(note)))

    def _give_word(self) -> None:
        """Start to submit a word if one is needed now."""
        if self._lost is not None or self._gives_word:
            return
        with suppress(OSError):
            if self._word.next_note(self.game.dice) is not None:
                self._gives_word = True
                self.start(self._give_words(), self._word_given)

    def _word_given(self, failure: Exception | None) -> None:
        self._gives_word = False

    # --- receiving ------------------------------------------------------------------------------------------------

    def receive(self) -> bool:
        """Process the received messages without waiting. Returns: whether anything has changed."""
        if self.fileno() < 0:
            return False
        try:
            received = self._client.receive()
        except ConnectionLost as lost:
            self._lose(lost)
            return True
        for message in received:
            self._process(message)
            if self.fileno() < 0:
                return True
        self._give_word()
        return bool(received)

    def _wait_for_data(self) -> None:
        try:
            self._client.wait_for_data()
        except ConnectionLost as lost:
            self._lose(lost)
        else:
            self.receive()

    def _process(self, message: messages.ToClient) -> None:
        match message:
            case messages.LogLines():
                self._follow(message.lines)
            case messages.CommandResult() if message.id == self._answer_id:
                self._answer_id = ""
                self._resume(lambda work: work.send(message))
            case messages.OrdersAheadList():
                self.ahead = None if message.orders is None else msgspec.convert(message.orders, SeatOrders)
            case messages.Presence():
                self.connected = message.seats
            case messages.TimeLeft():
                self.clock.update(message.left, message.warn, message.paused)
            case messages.ChatMessages():
                self.chat.add(message.lines)
            case messages.Welcome():
                self._rejoin(message)

    def _rejoin(self, welcome: messages.Welcome) -> None:
        """Continue after a lost connection."""
        self._lost, self._is_joining = None, False
        self.connected, self.chat.can_write, self.allows_advice = welcome.here, welcome.talks, welcome.advice
        self.clock.update()
        if self.ahead is not None:
            self.watch_orders_ahead()
        self._follow(welcome.lines)
        self._find_outcome()

    def _follow(self, data: bytes) -> None:
        """Append lines to the log. A line that does not fit ends the connection."""
        try:
            tip = self.game.tip
            for piece in data.splitlines(keepends=True):
                (line,), tip = parse_further(piece, self.version + 1, tip)
                self.game.follow(line, tip)
        except BrokenLog as broken:
            self._lose(ConnectionLost(f"The server sent a line that does not match your log: {broken}", back=False))

    def _find_outcome(self) -> None:
        """Find the outcome of an unanswered order in the lines received since."""
        self.outcome = ""
        if self._unanswered is None:
            return
        (operation, text, before), self._unanswered = self._unanswered, None
        own = (line for line in self.game.lines_after(before) if line.seat == self.seat)
        order = f'order "{text}"' if text else "last order"
        if any(_matches_operation(operation, line) for line in own):
            self.outcome = f"Your {order} was carried out before the connection was lost."
        else:
            self.outcome = f"Your {order} did not reach the game. Give it again."


class RemotePaxGame(PaxViews, RemoteGame):
    """A game of Pax Britannica as one seat sees it."""


def open_remote_game(socket: Path, ticket: str) -> RemoteGame:
    """Connect and join a game; wait for its log. Raises: ConnectionLost, BrokenLog."""
    return make_remote_game(socket, ticket, *join_game(socket, ticket))


def make_remote_game(socket: Path, ticket: str, client: HubClient, welcome: messages.Welcome) -> RemoteGame:
    """Return the game that was joined, with the queries of its kind. Args: as `RemoteGame`. Raises: BrokenLog."""
    is_pax = parse(welcome.header).header.rulebook == FIRST_RULEBOOK
    return (RemotePaxGame if is_pax else RemoteGame)(socket, ticket, client, welcome)


def join_game(socket: Path, ticket: str) -> tuple[HubClient, messages.Welcome]:
    """Connect to the hub, join a game and wait for its log. Raises: ConnectionLost."""
    client = HubClient(socket)
    return client, client.join(ticket)


def _matches_operation(operation: messages.Operation, line: Line) -> bool:
    """Whether a line of the seat can be the result of an operation."""
    if isinstance(operation, messages.Undo):
        return line.kind in ("undo", "note")
    if isinstance(operation, messages.Redo):
        return line.kind == "redo"
    return line.kind in ("act", "note")
