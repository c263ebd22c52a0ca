"""A game that a hub owns, as the screen of one seat knows it: the same table and session, over a wire.

The table holds the log of the seat, and makes everything of it that a table makes of a whole log; only acts go to the
hub. What others do comes as further lines.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic

import msgspec

from paxtui.engine.fair_dice import DiceNote, raw_note
from paxtui.engine.log import BrokenLog, Header, Line, parse, parse_further
from paxtui.engine.projection import Projection
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.dispatches import Dispatch
from paxtui.games.pax.actions.notation import Redo, Undo
from paxtui.games.pax.actions.seats import SeatOccupant
from paxtui.games.pax.events import events
from paxtui.games.pax.text.display import power_name
from paxtui.games.pax.text.free_text import ChatLine
from paxtui.games.pax.visibility import visible_raw
from paxtui.server import messages
from paxtui.server.client import ConnectionLost, HubClient
from paxtui.session.fair_dice import DiceClient
from paxtui.session.game_host import GameHost, OrderInput, empty_clock
from paxtui.session.local_session import Session, SessionChange
from paxtui.session.player_news import LastActs
from paxtui.session.storage.files import player_data
from paxtui.session.tables.loader import load_tables_from_header

MOST_TALK = 2000
"""Lines of table talk that a client remembers."""


class RemoteTable(GameHost):
    """The table of one seat, of which a hub is the authority.

    Attributes:
        name: of the game in the house.
        whose: the seat whose log this is.
        here: the seats at which somebody is now.
        talks: whether the seat may talk to everybody at the table.
        advice: whether the seat may ask a statesman for advice.
        talk: what has been said there.
        time: what the hub has told last of the clock.
        outcome: what became of an order whose answer was lost, in a sentence; "" when there was none.
    """

    moves_rivals = False  # the hub does

    def __init__(self, socket: Path, ticket: str) -> None:
        """Sit down. Args: where the hub listens; what it has given out for the seat. Raises: Lost, BrokenLog."""
        self._socket, self._ticket = socket, ticket
        self._wire = HubClient(socket)
        welcome = self._wire.enter(ticket)
        parsed = parse(welcome.header + welcome.lines)
        tables = load_tables_from_header({name: str(text) for name, text in parsed.header.tables.items()})
        super().__init__(tables, parsed, None, empty_clock)
        self.name, self.whose, self.here = welcome.name, welcome.seat, welcome.here
        self.talks, self.advice = welcome.talks, welcome.advice
        self.time, self._time_at = messages.TimeLeft(), monotonic()
        self.talk: deque[ChatLine] = deque(maxlen=MOST_TALK)
        self._everything = Projection(ARBITER, visible_raw)
        self._lost: ConnectionLost | None = None
        self._unanswered: tuple[messages.Operation, int] | None = None
        self.outcome = ""
        self.behind: Callable[[], None] = lambda: None
        self._in_front = False  # what others did came in front of an answer, and nobody has been told of it
        self._word = DiceClient(parsed.header, self.whose, player_data())
        self._give_word()

    # --- the log of the seat --------------------------------------------------------------------------------------

    def known(self, seat: str) -> Projection:
        """The log as it has come: its numbers are the seat's own already."""
        for line in self.game.lines_after(self._everything.followed):
            self._everything.follow(line)
        return self._everything

    def header_for(self, seat: str) -> Header:
        """The header as it has come."""
        return self.game.header

    @property
    def trouble(self) -> str:
        """Why the table cannot be reached, in words; empty as long as it can."""
        return "" if self._lost is None else str(self._lost.strerror)

    @property
    def comes_back(self) -> bool:
        """Whether a connection that was lost is worth trying again."""
        return self._lost is None or self._lost.back

    # --- acting ---------------------------------------------------------------------------------------------------

    def act(
        self, seat: str, asked: OrderInput, auto: bool = False, why: str = ""
    ) -> tuple[Line, tuple[events.Event, ...]]:
        """Let the seat act. Raises: Refusal, Lost; nothing has changed then, as far as anybody knows."""
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
        """Play what is automatic, where nobody is waited for; before the dice are made, be ready to begin."""
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
        """Take back, or ask the others to agree."""
        return self._do(messages.Undo(to))

    def redo(self, seat: str) -> Line:
        """Bring back what the last undo took back."""
        return self._do(messages.Redo())

    def dispatch(self, seat: str, to: Sequence[str], text: str, opens: int = 0) -> Line:
        """Send a note."""
        return self._do(messages.Act(_order_builtins(Dispatch(tuple(to), text, opens))))

    def seat(self, sitters: Mapping[str, SeatOccupant]) -> Line:
        """Who sits where is for whoever runs the house. Raises: Refusal."""
        raise Refusal("not_arbiter", (), "Who sits where is for the host of the table to say.")

    def _do(self, deed: messages.Operation) -> Line:
        """Let the hub do something; the seat's last line after it. Raises: Refusal, Lost."""
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
        """Take what has come before an answer, and the answer. Raises: Refusal, OSError."""
        for message in before:
            self._hear(message)
        # the line of an act that is done comes in front of its answer, and the act itself tells of it
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
        """Give a word for the dice that the player has typed. Raises: Refusal, OSError."""
        self._give(self._word.choose(typed, self.game.dice))
        self._give_word()

    def _be_ready_to_begin(self) -> None:
        """Seal the seat's word: the game begins by itself when all players have. Raises: Refusal, Lost."""
        self._give_word()
        note = self._word.seal(self.game.dice)
        if note is not None:
            self._give(note)
        self._give_word()

    def _give(self, note: DiceNote) -> None:
        self._do(messages.DiceWord(raw_note(note)))

    def _give_word(self) -> None:
        """Give what is wanted of the seat for fair dice, hash or word; a player's program does that by itself."""
        with suppress(Refusal, OSError):  # the hub says to everybody who is left out, and why
            while self._lost is None and (note := self._word.next_note(self.game.dice)) is not None:
                self._give(note)
                self._hear_more()  # what has come right behind the answer may ask for the next

    def speak(self, text: str) -> None:
        """Say something to everybody at the table. Raises: Refusal, OSError."""
        if self._lost is not None:
            raise self._lost
        try:
            answer, before = self._wire.speak(text)
        except ConnectionLost as lost:
            self._lost = lost
            raise
        self._take_answer(answer, before)

    def events_after(self, line: int) -> tuple[events.Event, ...]:
        """What has happened after a line."""
        lines = self.game.lines_after(line)
        return tuple(event for line in lines if line.kind == "act" for event in self.game.events(line.n))

    @property
    def left(self) -> float | None:
        """Seconds that are left on the clock of the table, counted here since they were told; None for no clock."""
        if self.time.left < 0:
            return None
        gone = 0.0 if self.time.paused else monotonic() - self._time_at
        return max(0.0, self.time.left - gone)

    # --- hearing --------------------------------------------------------------------------------------------------

    def fileno(self) -> int:
        """The descriptor by which the event loop knows that something has come; -1 while there is no connection."""
        return -1 if self._lost else self._wire.fileno()

    @property
    def unheard(self) -> bool:
        """Whether something came with an answer and waits for `take`; no descriptor tells of it."""
        return self._lost is None and (self._in_front or self._wire.unheard)

    def take(self) -> bool:
        """Take what has come; whether anything has changed."""
        if self._lost is not None:
            return False
        changed, self._in_front = self._hear_more() or self._in_front, False
        self._give_word()
        return changed

    def _hear_more(self) -> bool:
        """Hear what has come already; whether anything has changed."""
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
        """Try to reach the hub again; whether that was done. What has happened meanwhile is taken."""
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
        """Whether the answer to an order was lost with the connection."""
        return self._unanswered is not None

    def _find_outcome(self) -> None:
        """Find in the lines that came meanwhile what became of the order whose answer was lost."""
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
        """Take further lines over. What does not follow from the log ends the connection."""
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
        """Leave the table."""
        self._wire.close()


class RemoteSession(Session):
    """A game of a hub as its player sees it.

    Args:
        table: the seat's.
    """

    def __init__(self, table: RemoteTable) -> None:
        self._remote, self._acts = table, LastActs(table)
        self._told_of = table.version
        super().__init__(table, seat=table.whose)

    @property
    def reading(self) -> str:
        """Spectators only look, and so does everybody while the table cannot be reached."""
        if self._remote.trouble:
            return "no connection"
        return "spectator" if self._remote.whose == SPECTATOR else ""

    @property
    def comes_back(self) -> bool:
        """Whether a connection that was lost is worth trying again; else the hub has ended it for good."""
        return self._remote.comes_back

    @property
    def here(self) -> tuple[str, ...]:
        """The seats of others at which somebody is now."""
        return tuple(seat for seat in self._remote.here if seat != self._remote.whose)

    @property
    def acted_at(self) -> Mapping[str, str]:
        """Where each other seat has acted last."""
        return {seat: place for seat, place in self._acts.places().items() if seat != self._remote.whose}

    @property
    def talk(self) -> tuple[ChatLine, ...]:
        """What has been said at the table, the newest last."""
        return tuple(self._remote.talk)

    @property
    def talks(self) -> bool:
        """Whether the seat may talk to everybody at the table."""
        return self._remote.talks

    @property
    def allows_advice(self) -> bool:
        """Whether the host lets players ask a statesman for advice."""
        return self._remote.advice

    def say(self, text: str) -> None:
        """Say something to everybody at the table. Raises: Refusal, OSError."""
        self._remote.speak(text)
        self._changed()

    @property
    def left(self) -> float | None:
        """Seconds that are left on the clock of the table, None for no clock."""
        return self._remote.left

    @property
    def is_time_short(self) -> bool:
        """Whether so little is left that it is said."""
        left = self._remote.left
        return left is not None and left <= self._remote.time.warn

    @property
    def paused(self) -> bool:
        """Whether the host has paused the table."""
        return self._remote.time.paused

    @property
    def before_begin(self) -> str:
        """Who has still to say that the game may begin, in a sentence; "" when the dice are made."""
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
        """Give a word for the dice that the player has typed. Raises: Refusal, OSError."""
        self._remote.choose_word(typed)
        self._changed()

    def seats_here(self) -> tuple[str, ...]:
        """The seat of this keyboard; a spectator has none."""
        return tuple(seat for seat in self.live.players if seat == self._remote.whose)

    def next_seat(self, after: str = "") -> str:
        """The seat of this keyboard, where it must act."""
        seat = self._remote.whose
        return seat if seat in self.waiting() else ""

    def take_seat(self, seat: str) -> None:
        """Nobody sits down at another seat here; a spectator may turn to any, and learns no more by it."""
        players, whose = self.live.players, self._remote.whose
        super().take_seat(whose if whose in players else seat if seat in players else players[0])

    @property
    def viewpoint(self) -> str:
        """What is known is what has come."""
        return self._remote.whose

    def last_to_act(self) -> str:
        """Nobody else sits at this keyboard."""
        return ""

    @property
    def has_secrets(self) -> bool:
        """Nobody else sits at this keyboard, so that no curtain is needed."""
        return False

    def seat_players(self, sitters: Mapping[str, SeatOccupant]) -> None:
        """Who sits where is for whoever runs the house. Raises: Refusal."""
        self._remote.seat(sitters)

    @property
    def shares_keyboard(self) -> bool:
        """The others sit elsewhere."""
        return False

    def undo_together(self, to: int) -> None:
        """Ask the others to agree to go back. Raises: Refusal, OSError."""
        self.undo(to)

    def fileno(self) -> int:
        """The descriptor by which the event loop knows that something has come; -1 while there is no connection."""
        return self._remote.fileno()

    @property
    def unheard(self) -> bool:
        """Whether something came with an answer and waits for `take`; no descriptor tells of it."""
        return self._remote.unheard

    def when_behind(self, told: Callable[[], None]) -> None:
        """Have somebody told of what comes with an answer; he is to `take` it, but later."""
        self._remote.behind = told

    def take(self) -> None:
        """Take what has come from the hub, and tell whoever listens."""
        before = self._told_of
        if self._remote.take():
            self._changed(SessionChange(events=self._remote.events_after(before)))

    def _changed(self, change: SessionChange | None = None) -> None:
        """Whoever listens has been told of all that is in the log now."""
        self._told_of = self._remote.version
        super()._changed(change)

    @property
    def outcome(self) -> str:
        """What became of the order whose answer was lost with the connection, in a sentence; "" for no such order."""
        return self._remote.outcome

    def describe_failure(self, error: OSError) -> str:
        """As `Session`; after a lost connection nobody knows yet whether the order was carried out."""
        if not isinstance(error, ConnectionLost):
            return str(error.strerror or error)
        if self._remote.has_unanswered:
            return f"{error} It is unknown whether your order was carried out. You are told after reconnecting."
        return f"{error} Your order was not sent."

    def come_back(self) -> bool:
        """Try to reach the hub again; whether that was done."""
        before = self._remote.version
        if not self._remote.come_back():
            return False
        self._changed(SessionChange(events=self._remote.events_after(before)))
        return True


def _order_builtins(order: OrderInput) -> dict[str, object]:
    """An order as builtins."""
    if isinstance(order, actions.Action):
        plain: dict[str, object] = msgspec.to_builtins(order)
        return plain
    if isinstance(order, Dispatch):
        return {"type": "dispatch", "to": list(order.to), "text": order.text, "opens": order.opens}
    return dict(order) if isinstance(order, Mapping) else {}


def _matches_operation(deed: messages.Operation, line: Line) -> bool:
    """Whether a line of the seat may be what became of a deed."""
    if isinstance(deed, messages.Undo):
        return line.kind in ("undo", "note")
    if isinstance(deed, messages.Redo):
        return line.kind == "redo"
    return line.kind in ("act", "note")
