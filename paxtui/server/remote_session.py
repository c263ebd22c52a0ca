"""A remote game: `RemoteTable` holds the log of one seat, `RemoteSession` is the session for the user interface.

The client computes everything from its own log, as in a local game. Only commands go to the hub; acts of others
arrive as further log lines.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic

import msgspec

from paxtui.engine.fair_dice import DiceNote, raw_note
from paxtui.engine.free_text import ChatLine
from paxtui.engine.game import Redo, Undo
from paxtui.engine.log import BrokenLog, Header, Line, parse, parse_further
from paxtui.engine.projection import Projection
from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import SeatOccupant
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.dispatches import Dispatch
from paxtui.games.pax.events import events
from paxtui.games.pax.text.display import power_name
from paxtui.games.pax.visibility import visible_raw
from paxtui.server import messages
from paxtui.server.client import ConnectionLost, HubClient
from paxtui.session.fair_dice import DiceClient
from paxtui.session.game_host import OrderInput, empty_clock
from paxtui.session.games import load_game
from paxtui.session.local_session import Session, SessionChange
from paxtui.session.pax_host import PaxHost
from paxtui.session.player_news import LastActs
from paxtui.session.storage.files import player_data

MOST_TALK = 2000
"""Maximum number of chat lines that a client keeps."""


class RemoteTable(PaxHost):
    """A game as one seat sees it; the hub has the authority.

    Attributes:
        name: name of the game on the server.
        whose: the seat of this log.
        here: the connected seats.
        talks: whether the seat may chat.
        advice: whether the seat may ask for advice.
        talk: the chat lines.
        time: the last message about the clock.
        outcome: the outcome of an order whose answer was lost, in a sentence; "" for none.
    """

    moves_rivals = False  # the hub moves them

    def __init__(self, socket: Path, ticket: str) -> None:
        """Connect. Args: the socket of the hub; the ticket. Raises: ConnectionLost, BrokenLog."""
        self._socket, self._ticket = socket, ticket
        self._wire = HubClient(socket)
        welcome = self._wire.enter(ticket)
        parsed = parse(welcome.header + welcome.lines)
        super().__init__(load_game(parsed.header), parsed, None, empty_clock)
        self.name, self.whose, self.here = welcome.name, welcome.seat, welcome.here
        self.talks, self.advice = welcome.talks, welcome.advice
        self.time, self._time_at = messages.TimeLeft(), monotonic()
        self.talk: deque[ChatLine] = deque(maxlen=MOST_TALK)
        self._everything = Projection(ARBITER, visible_raw)
        self._lost: ConnectionLost | None = None
        self._unanswered: tuple[messages.Operation, int] | None = None
        self.outcome = ""
        self.behind: Callable[[], None] = lambda: None
        self._in_front = False  # acts of others came before an answer and were not reported yet
        self._word = DiceClient(parsed.header, self.whose, player_data())
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
    def trouble(self) -> str:
        """Why the hub cannot be reached, in words; empty while connected."""
        return "" if self._lost is None else str(self._lost.strerror)

    @property
    def comes_back(self) -> bool:
        """Whether to reconnect a lost connection."""
        return self._lost is None or self._lost.back

    # --- commands -------------------------------------------------------------------------------------------------

    def act(
        self, seat: str, asked: OrderInput, auto: bool = False, why: str = ""
    ) -> tuple[Line, tuple[events.Event, ...]]:
        """Carry out an act of the seat. Raises: Refusal; ConnectionLost: the outcome is unknown."""
        order = asked if isinstance(asked, str) else _order_builtins(asked)
        before = self.version
        deed: messages.Operation
        if isinstance(asked, Undo):
            deed = messages.Undo(asked.to)
        elif isinstance(asked, Redo):
            deed = messages.Redo()
        else:
            deed = messages.Act(order)
        return self._do(deed), self.events_after(before)

    def advance(self, seat: str = ARBITER) -> tuple[events.Event, ...]:
        """Play automatic Phases; before the dice are made, declare the seat ready to begin."""
        dice = self.game.dice
        is_begun = not dice.fair or dice.stage not in ("hashes", "words")
        if self.state.result is not None or (self.waiting and is_begun):
            return ()
        before, asked = self.version, self.game.dice.asked
        try:
            self._do(messages.Advance())
        except Refusal as refusal:
            if refusal.code != "dice_wait" or asked:
                raise
            self._be_ready_to_begin()
            if self.version == before:
                raise
        return self.events_after(before)

    def undo(self, seat: str, to: int | None = None) -> Line:
        """Undo, or ask the others for consent."""
        return self._do(messages.Undo(to))

    def redo(self, seat: str) -> Line:
        """Redo the last undo."""
        return self._do(messages.Redo())

    def dispatch(self, seat: str, to: Sequence[str], text: str, opens: int = 0) -> Line:
        """Send a dispatch."""
        return self._do(messages.Act(_order_builtins(Dispatch(tuple(to), text, opens))))

    def seat(self, sitters: Mapping[str, SeatOccupant]) -> Line:
        """Refuse: only the host assigns seats. Raises: Refusal."""
        raise Refusal("not_arbiter", (), "Who sits where is for the host of the table to say.")

    def _do(self, deed: messages.Operation) -> Line:
        """Send an operation and return the seat's last line after it. Raises: Refusal, ConnectionLost."""
        if self._lost is not None:
            raise self._lost
        try:
            answer, before = self._wire.command(deed, self.version)
        except ConnectionLost as lost:
            self._lost = lost
            if not isinstance(deed, messages.DiceWord | messages.Advance):
                self._unanswered = deed, self.version
            raise
        self._take_answer(answer, before)
        return self.game.line(self.version)

    def _take_answer(self, answer: messages.CommandResult, before: Sequence[messages.ToClient]) -> None:
        """Process the messages before an answer, then the answer. Raises: Refusal, OSError."""
        for message in before:
            self._hear(message)
        # the line of an act comes before its answer; the act itself reports it
        refused = answer.refusal is not None or answer.failed
        untold = (messages.ChatMessages, messages.LogLines) if refused else (messages.ChatMessages,)
        self._in_front = self._in_front or any(isinstance(message, untold) for message in before)
        if self.unheard:
            self.behind()
        if answer.refusal is not None:
            raise answer.refusal.again()
        if answer.failed:
            raise OSError(0, answer.failed)

    def choose_word(self, typed: str) -> None:
        """Submit a word for the dice that the player has typed. Raises: Refusal, OSError."""
        self._give(self._word.choose(typed, self.game.dice))
        self._give_word()

    def _be_ready_to_begin(self) -> None:
        """Seal the seat's word; the game begins when all players have. Raises: Refusal, ConnectionLost."""
        self._give_word()
        note = self._word.seal(self.game.dice)
        if note is not None:
            self._give(note)
        self._give_word()

    def _give(self, note: DiceNote) -> None:
        self._do(messages.DiceWord(raw_note(note)))

    def _give_word(self) -> None:
        """Submit the hash or word that fair dice need from the seat, without asking the player."""
        with suppress(Refusal, OSError):  # the hub reports which seats are left out, and why
            while self._lost is None and (note := self._word.next_note(self.game.dice)) is not None:
                self._give(note)
                self._hear_more()  # messages after the answer may request the next word

    def speak(self, text: str) -> None:
        """Send a chat message. Raises: Refusal, OSError."""
        if self._lost is not None:
            raise self._lost
        try:
            answer, before = self._wire.speak(text)
        except ConnectionLost as lost:
            self._lost = lost
            raise
        self._take_answer(answer, before)

    def events_after(self, line: int) -> tuple[events.Event, ...]:
        """Return the events after a line."""
        lines = self.game.lines_after(line)
        return tuple(event for line in lines if line.kind == "act" for event in self.game.events(line.n))

    @property
    def left(self) -> float | None:
        """The remaining seconds, counted down locally; None for a game without a clock."""
        if self.time.left < 0:
            return None
        gone = 0.0 if self.time.paused else monotonic() - self._time_at
        return max(0.0, self.time.left - gone)

    # --- receiving ------------------------------------------------------------------------------------------------

    def fileno(self) -> int:
        """Return the socket descriptor for the event loop; -1 while disconnected."""
        return -1 if self._lost else self._wire.fileno()

    @property
    def unheard(self) -> bool:
        """Whether messages came with an answer and wait for `take`; the descriptor does not signal them."""
        return self._lost is None and (self._in_front or self._wire.unheard)

    def take(self) -> bool:
        """Process the received messages. Returns: whether anything has changed."""
        if self._lost is not None:
            return False
        changed, self._in_front = self._hear_more() or self._in_front, False
        self._give_word()
        return changed

    def _hear_more(self) -> bool:
        """Process buffered messages. Returns: whether anything has changed."""
        try:
            heard = self._wire.take()
        except ConnectionLost as lost:
            self._lost = lost
            self._wire.close()
            return True
        for message in heard:
            self._hear(message)
        return bool(heard)

    def come_back(self) -> bool:
        """Try to reconnect and catch up. Returns: whether that succeeded."""
        if self._lost is None or not self._lost.back:
            return False
        with suppress(ConnectionLost):
            wire = HubClient(self._socket)
            welcome = wire.enter(self._ticket, self.version, self.game.tip, self.talk[-1].n if self.talk else 0)
            self._wire, self._lost = wire, None
            self.here, self.talks, self.time = welcome.here, welcome.talks, messages.TimeLeft()
            self.advice = welcome.advice
            self._follow(welcome.lines)
            self._find_outcome()
            self._give_word()
            return True
        return False

    @property
    def has_unanswered(self) -> bool:
        """Whether the connection was lost before an order was answered."""
        return self._unanswered is not None

    def _find_outcome(self) -> None:
        """Find the outcome of an unanswered order in the lines received since."""
        self.outcome = ""
        if self._unanswered is None:
            return
        (deed, line), self._unanswered = self._unanswered, None
        done = any(one.seat == self.whose and _matches_operation(deed, one) for one in self.game.lines_after(line))
        what = f' ("{deed.order}")' if isinstance(deed, messages.Act) and isinstance(deed.order, str) else ""
        if done:
            self.outcome = f"Your last order{what} was carried out before the connection was lost."
        else:
            self.outcome = f"Your last order{what} did not reach the game. Give it again."

    def _hear(self, message: messages.ToClient) -> None:
        if isinstance(message, messages.LogLines):
            self._follow(message.lines)
        elif isinstance(message, messages.Presence):
            self.here = message.seats
        elif isinstance(message, messages.TimeLeft):
            self.time, self._time_at = message, monotonic()
        elif isinstance(message, messages.ChatMessages):
            self.talk.extend(message.lines)

    def _follow(self, data: bytes) -> None:
        """Append lines to the log. A line that does not fit ends the connection."""
        try:
            tip = self.game.tip
            for piece in data.splitlines(keepends=True):
                (line,), tip = parse_further(piece, self.version + 1, tip)
                self.game.follow(line, tip)
        except BrokenLog as broken:
            self._lost = ConnectionLost(
                f"What the table sends does not follow from what you have: {broken}", back=False
            )

    def close(self) -> None:
        """Disconnect."""
        self._wire.close()


class RemoteSession(Session):
    """The session of a remote player or spectator.

    Args:
        table: the game.
    """

    def __init__(self, table: RemoteTable) -> None:
        self._remote, self._acts = table, LastActs(table)
        self._told_of = table.version
        super().__init__(table, seat=table.whose)

    @property
    def reading(self) -> str:
        """What the top line shows for spectators and while disconnected."""
        if self._remote.trouble:
            return "no connection"
        return "spectator" if self._remote.whose == SPECTATOR else ""

    @property
    def comes_back(self) -> bool:
        """Whether a lost connection can be reopened; False when the hub has closed it for good."""
        return self._remote.comes_back

    @property
    def here(self) -> tuple[str, ...]:
        """The connected seats of others."""
        return tuple(seat for seat in self._remote.here if seat != self._remote.whose)

    @property
    def acted_at(self) -> Mapping[str, str]:
        """The place of each other seat's last act."""
        return {seat: place for seat, place in self._acts.places().items() if seat != self._remote.whose}

    @property
    def talk(self) -> tuple[ChatLine, ...]:
        """The chat lines, newest last."""
        return tuple(self._remote.talk)

    @property
    def talks(self) -> bool:
        """Whether the seat may chat."""
        return self._remote.talks

    @property
    def allows_advice(self) -> bool:
        """Whether the host allows players to ask for advice."""
        return self._remote.advice

    def say(self, text: str) -> None:
        """Send a chat message. Raises: Refusal, OSError."""
        self._remote.speak(text)
        self._changed()

    @property
    def left(self) -> float | None:
        """The remaining seconds, None for a game without a clock."""
        return self._remote.left

    @property
    def is_time_short(self) -> bool:
        """Whether the remaining time is below the warning limit."""
        left = self._remote.left
        return left is not None and left <= self._remote.time.warn

    @property
    def paused(self) -> bool:
        """Whether the host has paused the game."""
        return self._remote.time.paused

    @property
    def before_begin(self) -> str:
        """The players who are not yet ready to begin, in a sentence; "" when the dice are made."""
        dice = self._remote.game.dice
        if not dice.fair or dice.stage not in ("hashes", "words"):
            return ""
        persons = [seat for seat in dice.lacking if not self._remote.occupant(seat).is_automatic]
        names = ", ".join(power_name(self.tables, seat) for seat in persons) or "the server"
        if dice.stage == "words" or dice.asked:
            return f"The game begins: waiting for a word for the dice from {names}."
        if self._remote.whose == SPECTATOR:
            return f"The game has not begun. It waits for {names}."
        if self._remote.whose in dice.lacking:
            return f"Say that the game may begin. It waits for {names}."
        return f"You are ready to begin. The game waits for {names}, or for the host to begin it."

    def choose_word(self, typed: str) -> None:
        """Submit a word for the dice that the player has typed. Raises: Refusal, OSError."""
        self._remote.choose_word(typed)
        self._changed()

    def seats_here(self) -> tuple[str, ...]:
        """The seat of this client; none for a spectator."""
        return tuple(seat for seat in self.live.players if seat == self._remote.whose)

    def next_seat(self, after: str = "") -> str:
        """The seat of this client if it must act."""
        seat = self._remote.whose
        return seat if seat in self.waiting() else ""

    def take_seat(self, seat: str) -> None:
        """Change the displayed seat; only for spectators, who see public information in any case."""
        players, whose = self.live.players, self._remote.whose
        super().take_seat(whose if whose in players else seat if seat in players else players[0])

    @property
    def viewpoint(self) -> str:
        """The seat of the received log."""
        return self._remote.whose

    def last_to_act(self) -> str:
        """Always none: no other seat uses this keyboard."""
        return ""

    @property
    def has_secrets(self) -> bool:
        """Always False: no other seat uses this keyboard, so that no curtain is needed."""
        return False

    def seat_players(self, sitters: Mapping[str, SeatOccupant]) -> None:
        """Refuse: only the host assigns seats. Raises: Refusal."""
        self._remote.seat(sitters)

    @property
    def shares_keyboard(self) -> bool:
        """Always False: the others are remote."""
        return False

    def undo_together(self, to: int) -> None:
        """Ask the others for consent to an undo. Raises: Refusal, OSError."""
        self.undo(to)

    def fileno(self) -> int:
        """Return the socket descriptor for the event loop; -1 while disconnected."""
        return self._remote.fileno()

    @property
    def unheard(self) -> bool:
        """Whether messages came with an answer and wait for `take`; the descriptor does not signal them."""
        return self._remote.unheard

    def when_behind(self, told: Callable[[], None]) -> None:
        """Set the callback for messages that came with an answer; it must call `take` later."""
        self._remote.behind = told

    def take(self) -> None:
        """Process received messages and notify the listeners."""
        before = self._told_of
        if self._remote.take():
            self._changed(SessionChange(events=self._remote.events_after(before)))

    def _changed(self, change: SessionChange | None = None) -> None:
        """Mark the log as reported to the listeners."""
        self._told_of = self._remote.version
        super()._changed(change)

    @property
    def outcome(self) -> str:
        """The outcome of the order whose answer was lost, in a sentence; "" for none."""
        return self._remote.outcome

    def describe_failure(self, error: OSError) -> str:
        """As `Session`; after a lost connection the outcome of the order is still unknown."""
        if not isinstance(error, ConnectionLost):
            return str(error.strerror or error)
        if self._remote.has_unanswered:
            return f"{error} It is unknown whether your order was carried out. You are told after reconnecting."
        return f"{error} Your order was not sent."

    def come_back(self) -> bool:
        """Try to reconnect. Returns: whether that succeeded."""
        before = self._remote.version
        if not self._remote.come_back():
            return False
        self._changed(SessionChange(events=self._remote.events_after(before)))
        return True


def _order_builtins(order: OrderInput) -> dict[str, object]:
    if isinstance(order, actions.Action):
        plain: dict[str, object] = msgspec.to_builtins(order)
        return plain
    if isinstance(order, Dispatch):
        return {"type": "dispatch", "to": list(order.to), "text": order.text, "opens": order.opens}
    return dict(order) if isinstance(order, Mapping) else {}


def _matches_operation(deed: messages.Operation, line: Line) -> bool:
    """Whether a line of the seat can be the result of an operation."""
    if isinstance(deed, messages.Undo):
        return line.kind in ("undo", "note")
    if isinstance(deed, messages.Redo):
        return line.kind == "redo"
    return line.kind in ("act", "note")
