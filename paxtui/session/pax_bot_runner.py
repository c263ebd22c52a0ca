"""The bots of Pax Britannica: `PaxBotRunner` is a `BotRunner` with answers, drafts, promises and last words.

In simultaneous Phases the seats act in an order that is drawn for each Phase. In the Movement Phase each bot acts in
small steps, about as many acts as the persons, and the rest when all persons have been ready. In the Negotiation Phase
a bot moves once, as soon as the Phase begins. Bots are ready when no person must act any more: each act in the Phase
takes the readiness of all others back. After negotiations they get a last word for War or a Congress. A caretaker waits
in the Negotiation Phase until the others have finished. Drafts and dispatches are put before a bot once and answered at
once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import NamedTuple

from paxtui.bots.pax.caretaker.war import promised_coaling
from paxtui.bots.pax.own_drafts import REJECTED, drafts_to_withdraw
from paxtui.bots.pax.profiles import LEVELS
from paxtui.bots.pax.registry import CARETAKER
from paxtui.engine.bots import BotAction
from paxtui.engine.dice import draw
from paxtui.engine.seating import BEFORE_PERSONS, WITH_PERSONS
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions.actions import Advance, Reject
from paxtui.games.pax.actions.dispatches import asks_for_wishes
from paxtui.games.pax.actions.notation import format_for_seat
from paxtui.games.pax.board.status import powers_of
from paxtui.games.pax.events import events
from paxtui.games.pax.sequence import OPEN
from paxtui.games.pax.state.diplomacy import CONGRESS, DRAFT, IN_FORCE, Treaty
from paxtui.games.pax.state.pieces import INFLUENCE, LEVEL, AreaState, Marker
from paxtui.games.pax.visibility import visible_state
from paxtui.games.pax.war.command import standing_answer
from paxtui.session.bot_process import BotResponse, last_word_request, reply_request, taste_seed
from paxtui.session.bot_runner import BotMoves, BotRunner, BotStep, CompletedStep
from paxtui.session.pax_host import PaxHost, PendingReplies, UnansweredDispatches

READY = (BotAction("ready"), BotAction("garrison"), BotAction("ready"))
"""The orders by which a seat becomes ready: missing garrisons first."""

ANSWERS = ("choose", "sign", "reject")
"""Acts that answer other seats and are no moves."""
NO_STEPS = (*ANSWERS, "ready", "unready")
"""Acts of a person for which bots take no step."""
RANKS = 1_000_000
"""Number of ranks from which the order of the seats is drawn."""
PLACING_VERBS = ("place", "upgrade")
"""Orders that place a marker in an Area."""
FOLLOWING_VERBS = ("build", "move")
"""Orders that belong to the step of the order before them, if they have the same reason."""


@dataclass
class MovementPlan:
    """What a bot intends in a Movement Phase.

    Attributes:
        turn: the Game Turn.
        areas: the Areas when the bot planned.
        steps: the steps that are left, each of one or more orders.
        is_done: whether the bot has carried out all of them.
    """

    turn: int
    areas: Mapping[str, AreaState] = field(default_factory=dict)
    steps: list[list[BotAction]] = field(default_factory=list)
    is_done: bool = False

    def is_stale(self, areas: Mapping[str, AreaState], own: Sequence[str]) -> bool:
        """Whether others have contested an Area in which a step that is left places a marker.

        Args: the Areas now; the Powers of the bot.
        """
        orders = [act.text.rpartition(": ")[2].split(" ") for step in self.steps for act in step]
        return any(
            contesting_markers(areas[words[2]], own) != contesting_markers(self.areas[words[2]], own)
            for words in orders
            if words[0] in PLACING_VERBS and words[2] in areas and words[2] in self.areas
        )


class PhaseActs(NamedTuple):
    """What the seats have done in a Phase.

    Attributes:
        counts: the number of acts that are no answers, by seat.
        were_ready: the seats that have been ready and have not taken it back themselves.
    """

    counts: Counter[str]
    were_ready: set[str]


def contesting_markers(area: AreaState, own: Sequence[str]) -> list[Marker]:
    """Return the markers of other Powers in an Area from Influence on."""
    return [marker for marker in area.markers if marker.power not in own and LEVEL[marker.marker] >= LEVEL[INFLUENCE]]


def split_into_steps(orders: Sequence[BotAction]) -> list[list[BotAction]]:
    """Split orders into small steps: a marker with its army, or a single order. Leave out what follows `ready`."""
    steps: list[list[BotAction]] = []
    why = None
    for order in takewhile(lambda order: order.text != "ready", orders):
        verb = order.text.rpartition(": ")[2].split(" ")[0]
        if steps and order.why == why and verb in FOLLOWING_VERBS:
            steps[-1].append(order)
        else:
            steps.append([order])
        why = order.why
    return steps


class BotMemory(NamedTuple):
    """What bots were already asked, so that a reopened game does not ask again.

    Attributes:
        tried: the line that began the Phase in which a bot has moved, by seat.
        spoken: the line that began the Phase in which a bot has had its last word, by seat.
        judged: seats, and the drafts that were put before their bots.
        replaced: seats with turn and Phase for which the log already names the caretaker.
        waiting: which seats owe a reply.
        plans: the plans for the Movement Phase, by seat.
    """

    tried: dict[str, int]
    spoken: dict[str, int]
    judged: set[tuple[str, str]]
    replaced: set[tuple[str, int, str]]
    waiting: PendingReplies
    plans: dict[str, MovementPlan]


class PaxBotRunner(BotRunner):
    """The bots and empty seats of a game of Pax Britannica.

    Args: as `BotRunner`.

    Attributes:
        bots_enabled: False in lessons: bots only answer and pass.
        war_script: the orders of a bot in War in a lesson; None for its own.
    """

    _table: PaxHost

    def __init__(self, table: PaxHost, memory: BotMemory | None = None, late: Sequence[str] = ()) -> None:
        super().__init__(table, late=late)
        memory = memory or BotMemory({}, {}, set(), set(), PendingReplies({}, 1), {})
        self._tried, self._spoken, self._judged, self._replaced, waiting, self._plans = memory
        self._unanswered = UnansweredDispatches(table.game, waiting)
        self._ranks: dict[tuple[str, str, int], int] = {}
        self._checked: dict[str, tuple[object, ...]] = {}
        self.bots_enabled = True
        self.war_script: Callable[[str], Sequence[str]] | None = None

    @property
    def memory(self) -> BotMemory:
        """What bots were already asked."""
        waiting = self._unanswered.now
        return BotMemory(self._tried, self._spoken, self._judged, self._replaced, waiting, self._plans)

    def forget(self) -> None:
        """Reset after an undo: bots move again in a Phase without moves."""
        self._tried.clear()
        self._spoken.clear()
        self._plans.clear()

    def _prepare(self) -> None:
        if self.bots_enabled:
            self._table.keep_abandoned()

    def _round(self, seats: Sequence[str]) -> Generator[BotStep, BotResponse | None, bool]:
        """Run one round. Returns: whether anything was done."""
        table, before = self._table, self._acts
        for seat in self._in_drawn_order(seats):
            yield from self._answer(seat)
            if self._is_bot(seat) and self.bots_enabled:
                yield from self._withdraw_drafts(seat)
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
        """Ask a bot once for its replies to drafts, to refusals of its terms and to dispatches of persons.

        It rejects a draft that it wants to sign but cannot.
        """
        table = self._table
        drafts = [t.id for t in self._open_drafts(seat) if (seat, t.id) not in self._judged]
        letters = [who for who in self._unanswered.writers(seat) if not table.occupant(who).is_automatic]
        refused = [t.id for t in self._refused_counters(seat) if (seat, t.id) not in self._judged]
        if not drafts and not letters and not refused:
            return
        received = table.dispatches(seat) if letters else ()
        last = {letter.sender: letter.text for letter in received if seat in letter.to}
        askers = [who for who in letters if asks_for_wishes(last.get(who, ""))]
        response = yield reply_request(table, seat, self._bot(seat), letters, askers)
        self._judged.update((seat, id_) for id_ in (*drafts, *refused))
        yield from self._try(seat, response.acts if response else ())
        for who in letters:
            self._unanswered.dismiss(seat, who)
        for treaty in self._open_drafts(seat):
            if treaty.id in drafts:
                yield from self._try(
                    seat, [BotAction(f"reject {treaty.id}", "It cannot be carried out in its present form")]
                )

    def _withdraw_drafts(self, seat: str) -> BotMoves:
        """Let a bot withdraw drafts that are old, it cannot pay any more, or contradict what it has signed."""
        table, state = self._table, self._table.state
        own = powers_of(table.tables, state, seat)
        drafts = tuple(t.id for t in state.treaties if t.drafter in own and t.stage == DRAFT)
        if not drafts:
            return
        bonds = sum(t.stage == IN_FORCE for t in state.treaties)
        basis = state.turn, drafts, bonds, tuple(state.powers[power].treasury for power in own)
        if self._checked.get(seat) == basis:
            return
        self._checked[seat] = basis
        known = visible_state(table.tables, state, seat)
        for power in own:
            for id_, why in drafts_to_withdraw(table.tables, known, power):
                named = "" if power == seat else power
                action = Reject(id_, named)
                yield from self._try(seat, [BotAction(format_for_seat(table.tables, action, seat), why)])

    def _open_drafts(self, seat: str) -> tuple[Treaty, ...]:
        """Return the drafts that wait for a signature of a seat."""
        state = self._table.state
        drafts = (t for t in state.treaties if t.stage == DRAFT and t.form != CONGRESS)
        own = powers_of(self._table.tables, state, seat)
        return tuple(t for t in drafts if any(p in own and p not in t.signed for p in t.parties))

    def _refused_counters(self, seat: str) -> Iterator[Treaty]:
        """Yield the answers of a seat to drafts that the others have turned down in this Game Turn."""
        state = self._table.state
        own = powers_of(self._table.tables, state, seat)
        for treaty in state.treaties:
            if treaty.drafter in own and treaty.instead and treaty.drafted == state.turn and treaty.reason == REJECTED:
                yield treaty

    def _in_drawn_order(self, seats: Sequence[str]) -> Sequence[str]:
        """Return the seats in the order in which they act; those after the first person come first."""
        if self._table.state.phase not in OPEN:
            return seats
        person = min(map(self._rank, self._persons()), default=0)
        return sorted(seats, key=lambda seat: (self._rank(seat) < person, self._rank(seat)))

    def _rank(self, seat: str) -> int:
        """Return the rank of a seat in this Phase, drawn from the seed; the lowest acts first."""
        table = self._table
        key = seat, table.state.phase, table.state.turn
        if key not in self._ranks:
            self._ranks[key] = draw(f"{taste_seed(table, seat)}/{table.state.phase}", table.state.turn, RANKS)
        return self._ranks[key]

    def _persons(self) -> list[str]:
        """Return the seats of persons that must act and have not been ready in this Phase."""
        persons = [seat for seat in self._table.waiting_persons if seat not in self._late]
        if not persons:
            return []
        were_ready = self._phase_acts().were_ready
        return [seat for seat in persons if seat not in were_ready]

    def _may_step(self, seat: str) -> bool:
        """Whether a bot may take its next step before the persons act again."""
        persons = self._persons()
        if not persons or self.order == BEFORE_PERSONS:
            return True
        if self.order != WITH_PERSONS:
            return False
        steps = self._phase_acts().counts
        pace = max(steps[one] for one in self._table.seats if not self._table.occupant(one).is_automatic)
        return steps[seat] < pace + (self._rank(seat) < min(map(self._rank, persons)))

    def _phase_acts(self) -> PhaseActs:
        """Return what the seats have done in this Phase."""
        game, counts, readiness = self._table.game, Counter[str](), dict[str, bool]()
        for line in reversed(game.effective_lines()):
            if any(isinstance(event, events.PhaseBegan) for event in game.events(line.n)):
                break
            type_ = line.action.get("type")
            counts[line.seat] += type_ not in NO_STEPS and not line.action.get("instead")
            if type_ in ("ready", "unready"):
                readiness.setdefault(line.seat, type_ == "ready")
        return PhaseActs(counts, {seat for seat, ready in readiness.items() if ready})

    def _take_step(self, seat: str) -> BotMoves:
        """Let a bot take its next step of the Movement Phase; it plans again if others have disturbed its plan."""
        table = self._table
        plan = self._plans.get(seat)
        if plan is None or plan.turn != table.state.turn:
            plan = MovementPlan(table.state.turn)
        if plan.is_done or not self._may_step(seat):
            return
        own = powers_of(table.tables, table.state, seat)
        if not plan.steps or plan.is_stale(table.state.areas, own):
            orders = yield from self._orders(seat)
            plan.areas, plan.steps = table.state.areas, split_into_steps(orders)
            self._plans[seat] = plan
        acts = self._acts
        while plan.steps and self._acts == acts:
            yield from self._try(seat, plan.steps.pop(0))
        plan.is_done = not plan.steps

    def _move(self, seat: str) -> BotMoves:
        """Let a bot move: once in the Negotiation Phase, in steps in the Movement Phase."""
        table = self._table
        if table.state.phase not in OPEN or seat not in table.waiting:
            return
        if table.state.phase == "movement":
            yield from self._take_step(seat)
            return
        began, moved = self._since_phase_began(seat)
        if moved or self._tried.get(seat) == began or self._holds_back(seat):
            return
        orders = yield from self._orders(seat)
        self._tried[seat] = began
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
        for seat in self._in_drawn_order(seats):
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
        if self.bots_enabled and self._table.occupant(seat).level in LEVELS and self._spoken.get(seat) != began:
            response = yield last_word_request(self._table, seat, self._bot(seat))
            self._spoken[seat] = began
            acts = response.acts if response else ()
            yield from self._try(seat, list(takewhile(lambda order: order.text != "ready", acts)))

    def _may_be_ready(self, seat: str) -> bool:
        return self._table.state.phase in OPEN and seat in self._table.waiting

    def _orders(self, seat: str) -> Generator[BotStep, BotResponse | None, Sequence[BotAction]]:
        """Return the orders of a bot, in a War of a lesson those of the lesson."""
        if self.war_script is not None and self._table.state.phase == "war":
            return [BotAction(text) for text in self.war_script(seat)]
        return (yield from super()._orders(seat))
