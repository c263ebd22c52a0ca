"""Advice: the plan of a statesman for the Phase, step by step, as it would act in the seat of the player.

`PlanAdviser` asks for what a bot would be asked for at that moment: answers to questions, replies to drafts, the moves
of the Phase, the last word before it ends. A plan stays the same until all steps are done, the player acts otherwise,
or rivals contest an Area of the plan.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from paxtui.bots.pax.registry import STATESMAN
from paxtui.engine.bots import BotAction, BotRequest
from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.status import powers_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.menus.place import describe_order
from paxtui.games.pax.narration.labels import describe_answer, describe_question, treaty_title
from paxtui.games.pax.preview.dry_run import run_trial
from paxtui.games.pax.preview.preview import Preview, preview_action
from paxtui.games.pax.state.diplomacy import CONGRESS, DRAFT
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.questions import Pending
from paxtui.games.pax.text.display import capitalize, sentence, the_powers
from paxtui.games.pax.transaction import parse_answer
from paxtui.games.pax.treaties.lookup import is_old_draft
from paxtui.games.pax.war.alliances import current_war
from paxtui.session.bot_process import BotResponse
from paxtui.session.pax_bot_runner import READY, MovementPlan, split_into_steps
from paxtui.session.session import Session

ADVISER = f"{STATESMAN}:normal"
"""The bot that gives advice."""
NO_ADVICE = "The host has switched advice off at this table."


class Advice(NamedTuple):
    """A step of the plan: orders that belong together, with a reason.

    Attributes:
        texts: the orders as typed, in order.
        why: the reason.
        foresight: their combined effects; None if there are none to report.
        acts: the orders as the bot gave them.
        after: the steps of the plan that must be done before it, by index; it uses their armies or money.
    """

    texts: tuple[str, ...]
    why: str
    foresight: Preview | None = None
    acts: tuple[BotAction, ...] = ()
    after: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """The orders in one line, as typed."""
        return ", then ".join(self.texts)


class PlanAdviser:
    """The plan of a bot for the seat of a session.

    Args:
        session: the open game.
        bot: the name of the bot.
    """

    def __init__(self, session: Session, bot: str = ADVISER) -> None:
        self._session, self._bot = session, bot
        self._moment: tuple[object, ...] = ()
        self._asked = ""  # what the pending request asks for
        self._reset()

    def _reset(self) -> None:
        self._answers: list[list[BotAction]] = []
        self._replies: list[list[BotAction]] = []
        self._plan: MovementPlan | None = None
        self._has_last_word = False
        self._judged: set[str] = set()
        self._own_acts = -1  # own acts when the plan was last in step with the game

    # --- asking ---------------------------------------------------------------------------------------------------

    def request(self) -> BotRequest | None:
        """Return what to ask the bot; None if the plan is still valid."""
        session = self._session
        state, war = session.live, current_war(session.live)
        stage = (war.id, war.cycle, war.stage, war.turn_of) if war is not None else None
        moment = session.seat, state.turn, state.phase, stage
        if moment != self._moment:
            self._moment = moment
            self._reset()
        self._answers = []
        self._asked = self._needed()
        if not self._asked:
            return None
        asked = session.bots.advice_request(session.seat, self._bot)
        return asked if self._asked == "answer" else replace(asked, what=self._asked)

    def _needed(self) -> str:
        """Return what the plan lacks: an answer, replies, moves, the last word, or nothing."""
        session, plan = self._session, self._plan
        if any(choice.seat == session.seat for choice in session.live.choices):
            return "answer"
        if self._reply_steps():
            return ""
        if self._unjudged_drafts() and not (plan and plan.steps):
            return "replies"
        own = powers_of(session.tables, session.live, session.seat)
        if plan is None:
            return "move"
        if session.live.phase in ("negotiation", "war"):
            if any(self._possible(plan.steps)):
                return ""
            return "move" if session.live.phase == "war" else "" if self._has_last_word else "last word"
        changed = self._own_acts != self._count_own_acts() or plan.is_stale(session.live.areas, own)
        return "move" if changed else ""

    def accept(self, response: BotResponse) -> bool:
        """Take the response to `request`; return whether the bot must be asked again, for its last word."""
        session = self._session
        at_war = session.live.phase == "war"  # its orders are tried one by one
        steps = [[act] for act in response.acts] if at_war else split_into_steps(response.acts)
        if self._asked == "answer":
            self._answers = steps
            return False
        if self._asked == "replies":
            self._replies = steps
            self._judged.update(self._unjudged_drafts())
            return False
        self._plan = MovementPlan(session.live.turn, session.live.areas, steps)
        self._has_last_word = self._asked == "last word"
        self._own_acts = self._count_own_acts()
        return self._needed() == "last word"

    def mark_done(self, step: Advice) -> None:
        """Remove a step that was carried out."""
        for steps in (self._answers, self._replies, self._plan.steps if self._plan else []):
            if list(step.acts) in steps:
                steps.remove(list(step.acts))
        self._own_acts = self._count_own_acts()

    def _unjudged_drafts(self) -> list[str]:
        """Return the drafts that wait for the seat's signature and were not judged in this Phase."""
        return [treaty for treaty in self._open_drafts() if treaty not in self._judged]

    def _open_drafts(self) -> list[str]:
        """Return the drafts of this Game Turn that wait for the seat's signature; older ones hide no plan."""
        session = self._session
        own = powers_of(session.tables, session.live, session.seat)
        return [
            treaty.id
            for treaty in session.live.treaties
            if treaty.stage == DRAFT and treaty.form != CONGRESS and not is_old_draft(session.live, treaty)
            if any(power in own and power not in treaty.signed for power in treaty.parties)
        ]

    def _count_own_acts(self) -> int:
        return sum(line.seat == self._session.seat for line, _ in self._session.view.in_force())

    # --- steps ----------------------------------------------------------------------------------------------------

    def steps(self) -> list[Advice]:
        """Return the possible steps of the plan, in order; to be ready if nothing else is left.

        A step is left out if one of its orders is refused after the steps before it.
        """
        plan = self._plan.steps if self._plan else []
        found = list(self._possible(self._answers)) or self._reply_steps() or list(self._possible(plan, True))
        if found or self._session.live.result is not None:
            return found
        if self._session.live.phase == "war" or self._answers:
            return []
        texts = ("ready",) if self._is_possible("ready") else ("garrison", "ready")
        return [Advice(texts, "Nothing else is worth its price", None, READY)]

    def _reply_steps(self) -> list[Advice]:
        """Return the replies to judged drafts that are left; a draft without a possible reply is rejected."""
        judged = [treaty for treaty in self._open_drafts() if treaty in self._judged]
        found = list(self._possible(self._replies)) if judged else []
        for treaty in judged:
            if not any(treaty in text.split() for reply in found for text in reply.texts):
                found += self._possible(
                    [[BotAction(f"reject {treaty}", "It cannot be carried out in its present form")]]
                )
        return found

    def _is_possible(self, text: str) -> bool:
        session = self._session
        order = session.parse_or_none(text)
        return order is not None and not isinstance(
            run_trial(session.tables, session.live, session.seat, order), Refusal
        )

    def _possible(self, steps: Sequence[Sequence[BotAction]], in_turn: bool = False) -> Iterator[Advice]:
        """Yield the possible steps. Args: the steps; whether each follows those before it."""
        state, found = self._session.live, list[Advice]()
        for step in steps:
            texts = tuple(act.text for act in step)
            tried = self._try_step(state, texts)
            if tried is not None:
                foresight, later = tried
                state = later if in_turn else state
                found.append(Advice(texts, step[0].why, foresight, tuple(step), self._needed_steps(texts, found)))
                yield found[-1]

    def _needed_steps(self, texts: Sequence[str], before: Sequence[Advice]) -> tuple[int, ...]:
        """Return which earlier steps orders need: none, a late one with those that it needs itself, or all of them."""
        live = self._session.live
        if self._try_step(live, texts) is not None:
            return ()
        for n in reversed(range(len(before))):
            needed = (*before[n].after, n)
            if self._try_step(live, [*(text for one in needed for text in before[one].texts), *texts]) is not None:
                return needed
        return tuple(range(len(before)))

    def _try_step(self, state: State, texts: Sequence[str]) -> tuple[Preview, State] | None:
        """Return the combined effects of orders and the position after them; None if one of them is refused."""
        session = self._session
        tables, seat = session.tables, session.seat
        whole: Preview | None = None
        for text in texts:
            order = session.parse_or_none(text)
            trial = run_trial(tables, state, seat, order) if order is not None else None
            if order is None or trial is None or isinstance(trial, Refusal):
                return None
            seen = preview_action(tables, state, seat, order, trial)
            if isinstance(seen, Refusal):
                return None
            whole = _add_previews(whole, seen) if whole is not None else seen
            state = trial.state
        return None if whole is None else (whole, state)


def _add_previews(first: Preview, later: Preview) -> Preview:
    """Combine the effects of two acts: the second supplies the army or the money that the first lacks."""
    return replace(
        first,
        price=first.price + later.price,
        income=first.income + later.income,
        points_at_end=first.points_at_end + later.points_at_end,
        ungarrisoned=(*(a for a in first.ungarrisoned if a not in later.garrisoned), *later.ungarrisoned),
        garrisoned=tuple(a for a in later.garrisoned if a not in first.ungarrisoned),
        combat=later.combat or first.combat,
        odds=later.odds or first.odds,
        breaches=(*first.breaches, *later.breaches),
    )


def step_title(session: Session, act: Advice) -> tuple[str, str]:
    """Return a step in words, and the question that it answers."""
    order, tables, state = session.parse_or_none(act.texts[0]), session.tables, session.live
    asked = state.choice(order.id) if isinstance(order, actions.Choose) else None
    if isinstance(order, actions.Choose) and asked is not None:
        return capitalize(_answer_in_words(tables, asked, order)), describe_question(tables, asked)
    first, *later = [_order_title(session, text) for text in act.texts]
    return ", then ".join([first, *(f"{text[:1].lower()}{text[1:]}" for text in later)]), ""


def _answer_in_words(tables: Tables, asked: Pending, order: actions.Choose) -> str:
    """Return the answer that an order gives; its own words if it is none of the options."""
    try:
        return describe_answer(tables, asked, parse_answer(asked, order.answer))
    except Refusal:
        return " ".join(order.answer)


def _order_title(session: Session, text: str) -> str:
    """Return an order in words; as typed if it is none."""
    order = session.parse_or_none(text)
    if isinstance(order, actions.Sign | actions.Reject) and (subject := describe_subject(session, text)):
        verb = "Sign" if isinstance(order, actions.Sign) else "Reject"
        return f"{verb} {subject[:1].lower()}{subject[1:].removesuffix('.')}"
    return text if order is None else describe_order(session.tables, session.live, session.seat, order)


def describe_subject(session: Session, text: str) -> str:
    """What an act speaks of that names a question or a Treaty by its number alone, in words; "" for any other.

    Args: the open game; the act, as it is typed.
    """
    order = session.parse_or_none(text)
    tables, state = session.tables, session.live
    if isinstance(order, actions.Choose):
        asked = state.choice(order.id)
        if asked is None:
            return ""
        return f"{describe_question(tables, asked)} {sentence(_answer_in_words(tables, asked, order))}"
    if isinstance(order, actions.Sign | actions.Reject):
        treaty = state.treaty(order.id)
        others = tuple(power for power in treaty.parties if power != session.seat) if treaty else ()
        return sentence(f"{treaty_title(tables, treaty)} with {the_powers(tables, others)}") if treaty else ""
    return ""
