"""The seats that play themselves: bots move and answer, empty seats are ready and take the defaults.

The table moves them, whatever screen or program a person sits at: after each act of a person's, and when a game is
opened. A bot moves once in each Phase in which all act at once, as soon as it begins, and is ready when no person is
waited for any more; so nobody is asked twice because of it. When talks are over it has a last word about what follows
from them, War or a Congress. A caretaker leaves the Negotiation Phase to the others
first: only what they have not settled is its to give up. Drafts and dispatches have their answer as soon as they come:
each is put before a bot once, so that letters do not go to and fro without end.

What they do is a `Course`, a step at a time: it asks for each thought, and tells each line of the log as it is made.
Whoever lets it run (`go_on` at once, a screen at its leisure) makes the same log. Where a bot fails, or nothing of what
it answers can be done, a line of the log says so and the caretaker acts for it.

Seats whose time is over, and for whom the caretaker acts until the Phase is.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from itertools import takewhile
from typing import NamedTuple

from paxtui.bots.pax.caretaker.war import promised_coaling
from paxtui.bots.pax.profiles import LEVELS, BotAction
from paxtui.bots.pax.registry import CARETAKER, bot_name
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions.actions import Advance
from paxtui.games.pax.board.status import powers_of
from paxtui.games.pax.events import events
from paxtui.games.pax.sequence import OPEN
from paxtui.games.pax.state.diplomacy import CONGRESS, DRAFT, Treaty
from paxtui.games.pax.visibility import visible_state
from paxtui.games.pax.war.command import standing_answer
from paxtui.session.bot_process import (
    BotRequest,
    BotResponse,
    bot_request,
    compute_acts,
    compute_response,
    last_word_request,
    reply_request,
)
from paxtui.session.game_host import GameHost, PendingReplies, UnansweredDispatches

ROUNDS = 200
"""Rounds of moves and questions after which a person is asked again, whatever happens."""

READY = (BotAction("ready"), BotAction("garrison"), BotAction("ready"))
"""What makes a seat ready: where a garrison is missing it is sent first."""

ANSWERS = ("choose", "sign", "reject")
"""Acts by which a seat answers others, and does not move."""


class CompletedStep(NamedTuple):
    """A step that has been made. Attributes: its line of the log; whose act it is."""

    line: int
    seat: str


BotStep = BotRequest | CompletedStep
BotMoves = Generator[BotStep, BotResponse | None, None]
"""Steps, one after the other: a question is answered with a thought, of what is done is only told."""


class BotMemory(NamedTuple):
    """What has been asked of bots already, so that a game which is opened again asks it no second time.

    Attributes:
        tried: the line that began the Phase in which a bot has moved, by seat.
        spoken: the line that began the Phase in which a bot has had its last word, by seat.
        put_before: seats, and the drafts on which their bots have been asked.
        stood_in: seats with turn and Phase for which a line says that the caretaker acts.
        waiting: whose word is waited for.
    """

    tried: dict[str, int]
    spoken: dict[str, int]
    put_before: set[tuple[str, str]]
    stood_in: set[tuple[str, int, str]]
    waiting: PendingReplies


class BotRunner:
    """The seats of a table that play themselves.

    Args:
        table: the game.
        memory: of another one that has moved them in the same game; None where there was none.

    Attributes:
        in_earnest: whether bots move of their own accord; in a lesson they are only ready, and answer.
        in_war: the orders of a seat in War instead of what its bot would do, in a lesson; None where it does that.
    """

    def __init__(self, table: GameHost, memory: BotMemory | None = None) -> None:
        self._table = table
        memory = memory or BotMemory({}, {}, set(), set(), PendingReplies({}, 1))
        self._tried, self._spoken, self._put_before, self._stood_in, waiting = memory
        self._unanswered = UnansweredDispatches(table.game, waiting)
        self._acts = 0  # how many have been done
        self.in_earnest = True
        self.in_war: Callable[[str], Sequence[str]] | None = None

    @property
    def memory(self) -> BotMemory:
        """What has been asked of bots already."""
        return BotMemory(self._tried, self._spoken, self._put_before, self._stood_in, self._unanswered.now)

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats that play themselves, where this table moves them."""
        if not self._table.moves_rivals:
            return ()
        return tuple(seat for seat in self._table.state.players if self._table.occupant(seat).is_automatic)

    def run(self, seat: str = ARBITER) -> tuple[events.Event, ...]:
        """Let them do what there is to do, until a person is waited for, the game is over, or nothing is left.

        Returns: what happened, as `seat` may know it.
        """
        table, before, course = self._table, self._table.version, self.course()
        step = next(course, None)
        while step is not None:
            step = next_step(course, compute_response(table.tables, step) if isinstance(step, BotRequest) else None)
        return events_since(table, before, seat)

    def course(self) -> BotMoves:
        """The same a step at a time."""
        table, seats = self._table, self.seats
        with suppress(OSError, Refusal):  # the next act of a person's meets the same disk, and says so
            if self.in_earnest:
                table.keep_abandoned()
            for _ in range(ROUNDS if seats else 0):
                if table.state.result is not None or not (yield from self._round(seats)):
                    break
                before = table.version
                table.advance()
                if table.version > before:
                    yield CompletedStep(table.version, ARBITER)

    def forget(self) -> None:
        """The game has been taken back: a Phase that has not been moved in is moved in again."""
        self._tried.clear()
        self._spoken.clear()

    def _round(self, seats: Sequence[str]) -> Generator[BotStep, BotResponse | None, bool]:
        """One round; whether anything was done."""
        table, before = self._table, self._acts
        for seat in seats:
            yield from self._answer(seat)
            if self._is_bot(seat) and self.in_earnest:
                yield from self._reply(seat)
                yield from self._move(seat)
                yield from self._keep_promises(seat)
        if self._acts == before and table.waiting and not set(table.waiting) - set(seats):
            yield from self._be_ready(seats)
        return self._acts > before

    def _is_bot(self, seat: str) -> bool:
        return self._table.occupant(seat).by == "bot"

    def _answer(self, seat: str) -> BotMoves:
        """Answer what a seat is asked: a bot as it likes, the caretaker for it, and at last the default is taken."""
        table, before = self._table, -1
        while self._is_bot(seat) and before < self._acts and self._asked(seat):
            before = self._acts  # an answer may bring the next question
            yield from self._try(seat, (yield from self._orders(seat)))
        if self._is_bot(seat) and self._asked(seat) and seat in table.waiting:
            yield from self._try(seat, self._fallback_orders(seat, "because its answer was refused"))
        for choice in table.state.choices:
            if choice.seat == seat and seat in table.waiting:
                answer = standing_answer(table.tables, table.state, choice)
                yield from self._try(seat, [BotAction(f"choose {choice.id} {' '.join(answer)}".strip())])

    def _asked(self, seat: str) -> bool:
        return any(choice.seat == seat for choice in self._table.state.choices)

    def _reply(self, seat: str) -> BotMoves:
        """Let a bot say what it thinks of drafts, and of the dispatches of persons: of each once, and at once.

        A draft that it would sign, and cannot, it turns down.
        """
        table = self._table
        drafts = [t.id for t in self._before(seat) if (seat, t.id) not in self._put_before]
        letters = [who for who in self._unanswered.writers(seat) if not table.occupant(who).is_automatic]
        if not drafts and not letters:
            return
        self._put_before.update((seat, id_) for id_ in drafts)
        thought = yield reply_request(table, seat, self._bot(seat), letters)
        yield from self._try(seat, thought.acts if thought else ())
        for who in letters:
            self._unanswered.dismiss(seat, who)
        for treaty in self._before(seat):
            if treaty.id in drafts:
                yield from self._try(seat, [BotAction(f"reject {treaty.id}", "It cannot be carried out as it stands")])

    def _before(self, seat: str) -> tuple[Treaty, ...]:
        """The drafts that wait for a signature of a seat's."""
        state = self._table.state
        drafts = (t for t in state.treaties if t.stage == DRAFT and t.form != CONGRESS)
        own = powers_of(self._table.tables, state, seat)
        return tuple(t for t in drafts if any(p in own and p not in t.signed for p in t.parties))

    def _move(self, seat: str) -> BotMoves:
        """Let a bot move, once in a Phase in which all act at once."""
        table = self._table
        if table.state.phase not in OPEN or seat not in table.waiting:
            return
        began, moved = self._since_phase_began(seat)
        if moved or self._tried.get(seat) == began or self._holds_back(seat):
            return
        self._tried[seat] = began
        orders = yield from self._orders(seat)
        yield from self._try(seat, list(takewhile(lambda order: order.text != "ready", orders)))

    def _keep_promises(self, seat: str) -> BotMoves:
        """Have the caretaker of a neutral seat grant the coal that its treaties promise, though nobody waits for it."""
        table = self._table
        if table.state.phase == "war" and table.occupant(seat).level == CARETAKER:
            known = visible_state(table.tables, table.state, seat)
            yield from self._try(seat, list(promised_coaling(table.tables, known, seat)))

    def _holds_back(self, seat: str) -> bool:
        """Whether a bot waits until all others are ready."""
        return self._table.state.phase == "negotiation" and self._table.occupant(seat).level == CARETAKER

    def _since_phase_began(self, seat: str) -> tuple[int, bool]:
        """The line in force that began the Phase, and whether a seat has done more since than to answer questions."""
        game, moved = self._table.game, False
        for line in reversed(game.effective_lines()):
            if any(isinstance(event, events.PhaseBegan) for event in game.events(line.n)):
                return line.n, moved
            if line.seat == seat and line.action.get("type") not in ANSWERS and not line.action.get("instead"):
                moved = True
        return 1, moved

    def _be_ready(self, seats: Sequence[str]) -> BotMoves:
        """Nobody else is waited for: they are ready, too, or the arbiter takes what stands in the way for granted."""
        table, before = self._table, self._acts
        for seat in seats:
            waited = seat in table.waiting and self._is_bot(seat)
            if waited and (table.state.phase == "war" or self._holds_back(seat)):
                yield from self._try(seat, (yield from self._orders(seat)))
            if waited and table.state.phase == "negotiation" and not self._holds_back(seat):
                yield from self._last_word(seat)
            if self._may_be_ready(seat):
                yield from self._try(seat, READY)
            if self._may_be_ready(seat) and self._is_bot(seat):
                yield from self._try(seat, (yield from self._orders(seat)))
            if self._may_be_ready(seat) and self._is_bot(seat):
                yield from self._try(seat, self._fallback_orders(seat, "because it cannot be ready"))
        if self._acts == before:
            table.act(ARBITER, Advance(force=True))
            self._acts += 1
            yield CompletedStep(table.version, ARBITER)

    def _last_word(self, seat: str) -> BotMoves:
        """Let a bot say once, when talks are over, what follows from them."""
        began, _ = self._since_phase_began(seat)
        if self.in_earnest and self._table.occupant(seat).level in LEVELS and self._spoken.get(seat) != began:
            self._spoken[seat] = began
            thought = yield last_word_request(self._table, seat, self._bot(seat))
            acts = thought.acts if thought else ()
            yield from self._try(seat, list(takewhile(lambda order: order.text != "ready", acts)))

    def _may_be_ready(self, seat: str) -> bool:
        return self._table.state.phase in OPEN and seat in self._table.waiting

    def _try(self, seat: str, orders: Sequence[BotAction]) -> BotMoves:
        """Give orders one after the other; what cannot be done is left out, and what follows on being ready is void."""
        phase = self._table.state.phase, self._table.state.turn
        for order in orders:
            try:
                line, _ = self._table.act(seat, order.text, why=order.why)
            except OSError:
                raise
            except Exception:  # a refusal, or a mistake of the program: nothing has changed, and a person sits here
                continue
            self._acts += 1
            yield CompletedStep(line.n, seat)
            if order.text == "ready" or (self._table.state.phase, self._table.state.turn) != phase:
                break

    def _bot(self, seat: str) -> str:
        return bot_name(self._table.occupant(seat))

    def _orders(self, seat: str) -> Generator[BotStep, BotResponse | None, Sequence[BotAction]]:
        """What the bot would do at a seat; where it fails, what the caretaker would do."""
        if self.in_war is not None and self._table.state.phase == "war":
            return [BotAction(text) for text in self.in_war(seat)]
        thought = yield bot_request(self._table, seat, self._bot(seat))
        if thought is None or thought.failure:
            return self._fallback_orders(seat, thought.failure if thought else "because it was not asked")
        return thought.acts

    def _fallback_orders(self, seat: str, why: str) -> Sequence[BotAction]:
        """What the caretaker does for a bot; the log says so, once in a Phase.

        Args: the seat; why the bot does not do it itself.
        """
        table, bot = self._table, self._bot(seat)
        if bot == CARETAKER:
            return ()
        now = (seat, table.state.turn, table.state.phase)
        if now not in self._stood_in:
            self._stood_in.add(now)
            table.log_bot_fallback(seat, bot, why)
        return compute_response(table.tables, bot_request(table, seat, CARETAKER)).acts


def suggest_orders(table: GameHost, seat: str, bot: str) -> list[BotAction]:
    """What a bot would do now at a seat, whoever sits there. `bot`: its name, as `paxtui.bots.pax.registry` has them.

    Raises: Refusal `unknown_seat`; ValueError for a name that no bot has.
    """
    return compute_acts(table.tables, bot_request(table, seat, bot))


def next_step(course: BotMoves, thought: BotResponse | None) -> BotStep | None:
    """The next step of a course; None where it is at its end. Args: the course; the answer to its last step."""
    try:
        return course.send(thought)
    except StopIteration:
        return None


def events_since(table: GameHost, before: int, seat: str) -> tuple[events.Event, ...]:
    """What has happened after a line of the log, as a seat may know it."""
    lines = (table.game.line(n) for n in range(before + 1, table.version + 1))
    return tuple(event for line in lines if line.kind == "act" for event in table.visible_events(seat, line.n))


class OverdueRunner(BotRunner):
    """Seats of persons for whom the caretaker acts, beside those that play themselves, in the Phase that is played.

    Args:
        table: the game.
        late: the seats.
    """

    def __init__(self, table: GameHost, late: Sequence[str]) -> None:
        super().__init__(table)
        self._late = tuple(late)
        self._moment = self._now

    @property
    def waited_for(self) -> bool:
        """Whether any of them still holds the Phase up."""
        return self._now == self._moment and bool(set(self._late) & set(self._table.waiting))

    def course(self) -> BotMoves:
        """What is done for them, a step at a time."""
        table = self._table
        seats = tuple(seat for seat in table.state.players if seat in self._late or table.occupant(seat).is_automatic)
        for _ in range(ROUNDS):
            if not self.waited_for or not (yield from self._round(seats)):
                break

    @property
    def _now(self) -> tuple[int, str, bool]:
        state = self._table.state
        return state.turn, state.phase, state.result is not None

    def _is_bot(self, seat: str) -> bool:
        return seat in self._late or super()._is_bot(seat)

    def _bot(self, seat: str) -> str:
        return CARETAKER if seat in self._late else super()._bot(seat)

    def _holds_back(self, seat: str) -> bool:
        """Whether a seat leaves the Phase to the others first: only what they have not settled is the caretaker's."""
        return super()._holds_back(seat) or (seat in self._late and self._table.state.phase == "negotiation")
