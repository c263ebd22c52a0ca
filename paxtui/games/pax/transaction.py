"""Base of the rules: a transaction, the choices and offers that it puts to seats, and the interface of a Phase.

A rule reads `play.state` and calls `play.emit`. Only the methods of `Transaction` change ledgers.
Each change has an amount, a reason, rule ids and the Power to blame.

Rules: MOV-020, STA-034, NEG-019, CAN-011
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

import msgspec
from msgspec.structs import replace

from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.games.pax import visibility
from paxtui.games.pax.actions.actions import Action
from paxtui.games.pax.board.status import area_state, free_pieces, seat_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events import events
from paxtui.games.pax.events.events import evolve
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import CONTROL, LEVEL, Marker
from paxtui.games.pax.state.questions import (
    AnyQuestion,
    JointOffer,
    MarkerOffer,
    MoneyOffer,
    Offer,
    Option,
    Pending,
    question_fields,
)
from paxtui.games.pax.state.war import RESOLUTION

GREAT_WAR_TENSION = 100
"""European Tensions Index, in points, at which the Great War ends the game (ETI-001)."""


class GameOver(Exception):
    """The European Tensions Index has reached 100; the action in progress stops.

    Args:
        culprits: Powers that pay the triple penalty.
    """

    def __init__(self, culprits: tuple[str, ...]) -> None:
        super().__init__(culprits)
        self.culprits = culprits


class Transaction:
    """Position, dice and events of one action while the rules decide it.

    Attributes:
        asks: False in dry runs, which put no choices to seats.
        by_mail: whether the action adjudicates the forms of a mail game.
    """

    asks = True

    def __init__(self, tables: Tables, state: State, dice: Dice) -> None:
        self.tables = tables
        self.state = state
        self.dice = dice
        self.events: list[events.Event] = []
        self.by_mail = False
        self.watched = 0  # number of events already checked for breaches of Treaties
        self.agreed: dict[int, tuple[str, ...]] = {}  # Powers that agreed to an event, by its index in `events`

    def emit(self, event: events.Event, agreed: tuple[str, ...] = ()) -> None:
        """Record `event`, restrict it to the seats that may see it, and apply it to the position.

        Args:
            agreed: Powers that have agreed to the event.
        """
        event = visibility.seal_event(self.tables, self.state, event)
        if agreed:
            self.agreed[len(self.events)] = agreed
        self.events.append(event)
        self.state = evolve(self.state, event)

    def tension(self, amount: int, reason: str, rules: tuple[str, ...], blame: str = "", area: str = "") -> None:
        """Raise the European Tensions Index by `amount` points; at 100 the game ends.

        The first declarers of Wars that are still fought share the blame. A Minor Power pays no penalty.

        Args:
            blame: the Power whose act it is, "" for none.

        Raises:
            GameOver: the index has reached 100.

        Rules: ETI-001, ETI-002, ETI-009, ETI-010, ETI-029, ETI-041, SET-032 (R-ETI-10, Decision 8)
        """
        if amount <= 0:
            return
        total = self.state.tension + amount
        self.emit(events.TensionRaised(amount=amount, total=total, reason=reason, blame=blame, area=area, rules=rules))
        if total >= GREAT_WAR_TENSION:
            declared = [p for war in self.state.wars if war.stage != RESOLUTION for p in war.declared]
            seats = {seat_of(self.tables, self.state, p) for p in (blame, *declared) if p}
            raise GameOver(tuple(seat for seat in self.state.players if seat in seats))

    def resentment(self, amount: int, reason: str, rules: tuple[str, ...], power: str = "", area: str = "") -> None:
        """Raise the Chinese Resentment Index by `amount` points; it has no maximum.

        Rules: SET-031, SET-052, CRI-001, CRI-013
        """
        if amount <= 0:
            return
        total = self.state.resentment + amount
        self.emit(
            events.ResentmentRaised(amount=amount, total=total, reason=reason, power=power, area=area, rules=rules)
        )

    def money(
        self, power: str, amount: int, reason: str, rules: tuple[str, ...], units: int = 0, naval: int = 0
    ) -> None:
        """Add `amount` pounds to a Treasury (negative: take).

        `units` and `naval` are the pounds of it that are spent on Military Units and Naval Units.
        """
        total = self.state.powers[power].treasury + amount
        self.emit(
            events.TreasuryChanged(
                power=power, amount=amount, total=total, reason=reason, units=units, naval=naval, rules=rules
            )
        )

    def victory_points(self, power: str, amount: int, reason: str, rules: tuple[str, ...], bonus: bool = False) -> None:
        """Add `amount` Victory Points to the seat that plays `power`."""
        seat = seat_of(self.tables, self.state, power)
        total = self.state.powers[seat].victory_points + amount
        self.emit(
            events.VictoryPointsChanged(power=seat, amount=amount, total=total, reason=reason, bonus=bonus, rules=rules)
        )

    def establish(self, area: str, power: str, marker: str, own: Marker | None, rules: tuple[str, ...]) -> None:
        """Place a marker as established. It replaces `own`, the Power's marker of the same standing, if any."""
        over = own.marker if own else ""
        self.emit(
            events.MarkerPlaced(
                area=area,
                power=power,
                marker=marker,
                established=True,
                turn=self.state.turn,
                replaces=over,
                rules=rules,
            )
        )

    def lower(
        self,
        area: str,
        power: str,
        marker: str,
        to: str,
        reason: str,
        rules: tuple[str, ...],
        blame: str | None,
        established: bool = True,
    ) -> str:
        """Lower a marker from `marker` to `to` ("" removes it) and return the level that is left.

        If no piece is free for `to`, the marker is removed. Each step lost raises tension, except for unestablished
        markers. A Power that loses its Control marker leaves the Codominion.

        Args:
            blame: Power to blame, "" for none, None if the rules exempt it from raising tension.

        Rules: ETI-013, ETI-014, ETI-039, SET-039, R-COD-05
        """
        pool = self.tables.markers[to].pool if to else ""
        own = [m.marker for m in area_state(self.state, area).markers if m.power == power]
        # a piece of the same kind in the Area is turned over or used again
        turned = not to or power not in self.tables.powers or any(self.tables.markers[m].pool == pool for m in own)
        if not turned and not free_pieces(self.tables, self.state, power, pool):
            to, rules = "", (*rules, "SET-039")
        self.emit(
            events.MarkerLowered(
                area=area,
                power=power,
                marker=marker,
                to=to,
                reason=reason,
                established=established,
                turn=self.state.turn,
                rules=rules,
            )
        )
        shared = area_state(self.state, area).codominion
        if established and marker in CONTROL and to not in CONTROL and power in shared:
            rest = tuple(p for p in shared if p != power)
            self.emit(events.CodominionSet(area=area, powers=rest if len(rest) > 1 else (), rules=("COD-001",)))
        if established and blame is not None:
            self.tension(LEVEL[marker] - LEVEL[to], reason, ("ETI-013", *rules), blame, area)
        return to

    def draw_one(self, options: Sequence[str]) -> str:
        """Return one of several options by lot; a single one without a draw."""
        return options[self.dice.draw(len(options))] if len(options) > 1 else options[0]

    def offer(
        self,
        power: str,
        about: AnyQuestion,
        options: tuple[Option, ...],
        default: Option,
        area: str = "",
        prompt: str = "",
        rules: tuple[str, ...] = (),
        seat: str = "",
    ) -> str:
        """Put a choice to a seat and return its id.

        The seat is `seat`, or the one that plays `power`. The id of a private offer is a hash of its content, so that
        it does not reveal how many others exist.
        """
        if not self.asks:
            return ""
        seat = seat or seat_of(self.tables, self.state, power)
        choice = Pending(f"c{self.state.next_choice}", seat, power, about, options, default, area, prompt, rules)
        if about.private:
            content = (self.state.turn, self.state.phase, choice.kind, power, question_fields(about))
            choice = replace(choice, id=visibility.private_id("o", *content))
        self.emit(events.ChoiceOffered(choice=choice, rules=rules))
        return choice.id

    def add_note(
        self,
        code: str,
        text: str,
        rules: tuple[str, ...] = (),
        power: str = "",
        area: str = "",
        only: tuple[str, ...] = (),
    ) -> None:
        """Record a message to the players; with `only`, to these seats."""
        self.emit(events.Noted(code=code, text=text, power=power, area=area, rules=rules, only=only))


ActFunction = Callable[[Transaction, str, Any], None]
"""Carries out an action of a Power: `(play, power, action)`."""

ActTable = dict[type[Action], dict[str, ActFunction]]
"""Actions, the Phases in which they are allowed, and their functions."""


class DryRun(Transaction):
    """Transaction for testing a step. It is discarded afterwards, its dice are arbitrary, and it puts no choices."""

    asks = False

    def __init__(self, tables: Tables, state: State) -> None:
        super().__init__(tables, state, Dice("trial"))


def find_refusal(step: Callable[[], object]) -> Refusal | None:
    """Return why a step is refused, or None if it is possible. A step that ends the game is possible."""
    try:
        step()
    except Refusal as refusal:
        return refusal
    except GameOver:
        return None
    return None


def refuse(code: str, rules: tuple[str, ...], message: str, **detail: object) -> NoReturn:
    """Refuse an action; nothing has changed.

    Raises:
        Refusal: always.
    """
    raise Refusal(code, rules, message, **detail)


AnswerTexts = tuple[str, ...]


def option_texts(choice: Pending) -> tuple[str, ...]:
    """Return every text that may be part of an answer."""
    return tuple(text for option in choice.options for text in ([option] if isinstance(option, str) else option))


def default_answer(choice: Pending) -> AnswerTexts:
    """Return the default answer as a tuple of texts."""
    return (choice.default,) if isinstance(choice.default, str) else choice.default


def parse_answer(choice: Pending, words: AnswerTexts) -> AnswerTexts:
    """Return the options that `words` name, in order. Several words may form one option ("fight manchuria").

    Raises:
        Refusal: `bad_answer`, with the options.
    """
    flat = _answer_words(" ".join(words))
    texts = sorted(dict.fromkeys(option_texts(choice) + default_answer(choice)), key=lambda t: -len(t.split()))
    answer: list[str] = []
    i = 0
    while i < len(flat):
        for text in texts:
            parts = _answer_words(text)
            if parts and flat[i : i + len(parts)] == parts:
                answer.append(text)
                i += len(parts)
                break
        else:
            refuse(
                "bad_answer",
                choice.rules,
                f"{choice.id} cannot be answered with '{' '.join(words)}'. Possible answers: "
                f"{', '.join(texts) or 'none'}.",
                options=list(option_texts(choice)),
            )
    return tuple(answer)


def _answer_words(text: str) -> list[str]:
    """Split a text into words; commas between options are ignored."""
    return text.casefold().replace(",", " ").split()


def single_answer(choice: Pending, answer: AnswerTexts) -> str:
    """Return the answer's only option.

    Raises:
        Refusal: `bad_answer`, if it names none or several.
    """
    if len(answer) != 1:
        texts = option_texts(choice)
        takes = f"one of {', '.join(texts)}" if len(texts) > 1 else texts[0] if texts else "nothing"
        refuse("bad_answer", choice.rules, f"{choice.id} takes one answer: {takes}.")
    return answer[0]


def record_choice(play: Transaction, choice: Pending, answer: AnswerTexts, by_default: bool = False) -> None:
    """Mark a choice as made. The rule that offered it carries out the consequences."""
    play.emit(events.ChoiceMade(id=choice.id, answer=answer, by_default=by_default, rules=choice.rules))


ACCEPT, DECLINE = OFFER_ANSWERS = "accept", "decline"


def put_offer(play: Transaction, offer: MoneyOffer | MarkerOffer, area: str, prompt: str, rule: str) -> None:
    """Put an offer to the Power that it is for.

    Raises:
        Refusal: `offered`, if the same offer is pending.
    """
    if any(c.about == offer for c in play.state.choices):
        name = play.tables.powers[offer.to].name
        refuse("offered", (rule,), f"{name} already has the same offer and can answer it.")
    play.offer(offer.to, offer, OFFER_ANSWERS, DECLINE, area, prompt, (rule,))


def is_offer_accepted(choice: Pending, answer: tuple[str, ...]) -> bool:
    """Return whether an offer is accepted.

    Raises:
        Refusal: `bad_answer`.
    """
    return single_answer(choice, answer) == ACCEPT


def void_choices(play: Transaction, choices: Iterable[Pending], *rules: str) -> None:
    """Void pending choices, by their own rules if none are given."""
    for choice in choices:
        play.emit(events.ChoiceMade(id=choice.id, void=True, rules=rules or choice.rules))


def lapse_offers(play: Transaction) -> None:
    """Void all pending offers at the end of the Phase. Rules: MOV-020, STA-034."""
    void_choices(play, [c for c in play.state.choices if isinstance(c.about, Offer)])


def open_questions(play: Transaction, offer: JointOffer) -> list[Pending]:
    """Return the unanswered questions about the same proposal."""
    return [c for c in play.state.choices if isinstance(c.about, type(offer)) and c.about.proposal == offer.proposal]


def void_proposal(play: Transaction, offer: JointOffer) -> None:
    """Void the open questions about a proposal after one Power has declined."""
    void_choices(play, open_questions(play, offer))


def seats_not_ready(tables: Tables, state: State) -> tuple[str, ...]:
    return tuple(seat for seat in state.players if seat not in state.ready)


def mark_all_ready(play: Transaction) -> None:
    """Mark every seat ready, for the arbiter. Rules: SEQ-010."""
    for seat in seats_not_ready(play.tables, play.state):
        play.emit(events.SeatReady(seat=seat, rules=("SEQ-010",)))


class Phase(msgspec.Struct, frozen=True, kw_only=True):
    """A Phase of the Game Turn, or a procedure inside one.

    Attributes:
        name: its id, one of `PHASES`.
        due: whether the Phase takes place in this Game Turn.
        enter: runs once, when the Phase begins; rolls no dice.
        begin: offers the choices, at the start and after each answer; rolls no dice.
        run: automatic part, with dice. It is complete when the step of the frame is "done".
        close: runs at the end.
        waits: seats that the Phase waits for, besides those with a pending choice.
        over: whether the Phase may end when it waits for no seat; until then `run` is called again.
        open: whether all seats act at once and report that they are ready.
        check_ready: raises a Refusal if a seat may not be ready yet.
        force_ready: marks every seat ready, for the arbiter, and waives duties that are not met.
    """

    name: str
    due: Callable[[State], bool] = lambda state: True
    enter: Callable[[Transaction], None] = lambda play: None
    begin: Callable[[Transaction], None] = lambda play: None
    run: Callable[[Transaction], None] = lambda play: None
    close: Callable[[Transaction], None] = lambda play: None
    waits: Callable[[Tables, State], tuple[str, ...]] = lambda tables, state: ()
    over: Callable[[State], bool] = lambda state: True
    open: bool = False
    check_ready: Callable[[Transaction, str], None] = lambda play, seat: None
    force_ready: Callable[[Transaction], None] = mark_all_ready
