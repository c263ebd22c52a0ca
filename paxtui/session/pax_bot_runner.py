"""The bots of Pax Britannica: `PaxBotRunner` is a `BotRunner` with answers, drafts, promises and last words.

A bot moves once in each simultaneous Phase, as soon as it begins. It is ready when no person must act any more, so
that no person is asked twice. After negotiations it gets a last word for War or a Congress. A caretaker waits in the
Negotiation Phase until the others have finished. Drafts and dispatches are put before a bot once and answered at once.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from itertools import takewhile
from typing import NamedTuple

from paxtui.bots.pax.caretaker.war import promised_coaling
from paxtui.bots.pax.profiles import LEVELS
from paxtui.bots.pax.registry import CARETAKER
from paxtui.engine.bots import BotAction
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions.actions import Advance
from paxtui.games.pax.board.status import powers_of
from paxtui.games.pax.events import events
from paxtui.games.pax.sequence import OPEN
from paxtui.games.pax.state.diplomacy import CONGRESS, DRAFT, Treaty
from paxtui.games.pax.visibility import visible_state
from paxtui.games.pax.war.command import standing_answer
from paxtui.session.bot_process import BotResponse, last_word_request, reply_request
from paxtui.session.bot_runner import BotMoves, BotRunner, BotStep, CompletedStep
from paxtui.session.pax_host import PaxHost, PendingReplies, UnansweredDispatches

READY = (BotAction("ready"), BotAction("garrison"), BotAction("ready"))
"""The orders by which a seat becomes ready: missing garrisons first."""

ANSWERS = ("choose", "sign", "reject")
"""Acts that answer other seats and are no moves."""


class BotMemory(NamedTuple):
    """What bots were already asked, so that a reopened game does not ask again.

    Attributes:
        tried: the line that began the Phase in which a bot has moved, by seat.
        spoken: the line that began the Phase in which a bot has had its last word, by seat.
        put_before: seats, and the drafts that were put before their bots.
        stood_in: seats with turn and Phase for which the log already names the caretaker.
        waiting: which seats owe a reply.
    """

    tried: dict[str, int]
    spoken: dict[str, int]
    put_before: set[tuple[str, str]]
    stood_in: set[tuple[str, int, str]]
    waiting: PendingReplies


class PaxBotRunner(BotRunner):
    """The bots and empty seats of a game of Pax Britannica.

    Args: as `BotRunner`.

    Attributes:
        in_earnest: False in lessons: bots only answer and pass.
        in_war: the orders of a bot in War in a lesson; None for its own.
    """

    _table: PaxHost

    def __init__(self, table: PaxHost, memory: BotMemory | None = None, late: Sequence[str] = ()) -> None:
        super().__init__(table, late=late)
        memory = memory or BotMemory({}, {}, set(), set(), PendingReplies({}, 1))
        self._tried, self._spoken, self._put_before, self._stood_in, waiting = memory
        self._unanswered = UnansweredDispatches(table.game, waiting)
        self.in_earnest = True
        self.in_war: Callable[[str], Sequence[str]] | None = None

    @property
    def memory(self) -> BotMemory:
        """What bots were already asked."""
        return BotMemory(self._tried, self._spoken, self._put_before, self._stood_in, self._unanswered.now)

    def forget(self) -> None:
        """Reset after an undo: bots move again in a Phase without moves."""
        self._tried.clear()
        self._spoken.clear()

    def _prepare(self) -> None:
        if self.in_earnest:
            self._table.keep_abandoned()

    def _round(self, seats: Sequence[str]) -> Generator[BotStep, BotResponse | None, bool]:
        """Run one round. Returns: whether anything was done."""
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

    def _answer(self, seat: str) -> BotMoves:
        """Answer the choices of a seat: by the bot, else by the caretaker, else by the default."""
        table, before = self._table, -1
        while self._is_bot(seat) and before < self._acts and self._has_question(seat):
            before = self._acts  # an answer may bring the next question
            yield from self._try(seat, (yield from self._orders(seat)))
        if self._is_bot(seat) and self._has_question(seat) and seat in table.waiting:
            yield from self._try(seat, self._fallback_orders(seat, "because its answer was refused"))
        for choice in table.state.choices:
            if choice.seat == seat and seat in table.waiting:
                answer = standing_answer(table.tables, table.state, choice)
                yield from self._try(seat, [BotAction(f"choose {choice.id} {' '.join(answer)}".strip())])

    def _has_question(self, seat: str) -> bool:
        return any(choice.seat == seat for choice in self._table.state.choices)

    def _reply(self, seat: str) -> BotMoves:
        """Ask a bot once for its replies to drafts and to dispatches of persons.

        It rejects a draft that it wants to sign but cannot.
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
        """Return the drafts that wait for a signature of a seat."""
        state = self._table.state
        drafts = (t for t in state.treaties if t.stage == DRAFT and t.form != CONGRESS)
        own = powers_of(self._table.tables, state, seat)
        return tuple(t for t in drafts if any(p in own and p not in t.signed for p in t.parties))

    def _move(self, seat: str) -> BotMoves:
        """Let a bot move, once in a simultaneous Phase."""
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
        """Let the caretaker of a neutral seat grant the coal that its treaties promise, without being asked."""
        table = self._table
        if table.state.phase == "war" and table.occupant(seat).level == CARETAKER:
            known = visible_state(table.tables, table.state, seat)
            yield from self._try(seat, list(promised_coaling(table.tables, known, seat)))

    def _holds_back(self, seat: str) -> bool:
        """Whether a seat waits until all others are ready."""
        substitute = seat in self._late or self._table.occupant(seat).level == CARETAKER
        return self._table.state.phase == "negotiation" and substitute

    def _since_phase_began(self, seat: str) -> tuple[int, bool]:
        """Return the line that began the Phase, and whether a seat has done more since than answer."""
        game, moved = self._table.game, False
        for line in reversed(game.effective_lines()):
            if any(isinstance(event, events.PhaseBegan) for event in game.events(line.n)):
                return line.n, moved
            if line.seat == seat and line.action.get("type") not in ANSWERS and not line.action.get("instead"):
                moved = True
        return 1, moved

    def _be_ready(self, seats: Sequence[str]) -> BotMoves:
        """When no person must act, make the bots ready, or let the arbiter take defaults that stand in the way."""
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
        """Ask a bot once, after negotiations, for acts that follow from them."""
        began, _ = self._since_phase_began(seat)
        if self.in_earnest and self._table.occupant(seat).level in LEVELS and self._spoken.get(seat) != began:
            self._spoken[seat] = began
            thought = yield last_word_request(self._table, seat, self._bot(seat))
            acts = thought.acts if thought else ()
            yield from self._try(seat, list(takewhile(lambda order: order.text != "ready", acts)))

    def _may_be_ready(self, seat: str) -> bool:
        return self._table.state.phase in OPEN and seat in self._table.waiting

    def _orders(self, seat: str) -> Generator[BotStep, BotResponse | None, Sequence[BotAction]]:
        """Return the orders of a bot, in a War of a lesson those of the lesson."""
        if self.in_war is not None and self._table.state.phase == "war":
            return [BotAction(text) for text in self.in_war(seat)]
        return (yield from super()._orders(seat))
