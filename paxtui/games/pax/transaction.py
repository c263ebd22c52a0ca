"""One decision in progress: the position so far, the dice, and the events that have happened.

A step of the rules reads `play.state` and calls `play.emit`. Ledgers are changed only through the functions here,
so that every change carries amount, reason, rules and the Power to blame, and a European Tensions Index of 100
ends the game at that very event.

Pending choices: their options, which of them an answer names, what they take by default, and that they are made.

Offers: something that one seat puts before others, done once they have accepted it, lapsed when the Phase ends.

Rules: MOV-020, STA-034, NEG-019, CAN-011

What a Phase is to the sequence of play: what happens when it is reached, while it lasts, and when it ends.

Each Phase is a `PHASE` of the module of its rules; `paxtui.games.pax.sequence` strings them together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

import msgspec
from msgspec.structs import replace

from paxtui.engine.dice import Dice
from paxtui.engine.frames import Option
from paxtui.engine.refusal import Refusal
from paxtui.games.pax import visibility
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
    Pending,
    question_fields,
)
from paxtui.games.pax.state.war import RESOLUTION

GREAT_WAR_TENSION = 100
"""Points of the European Tensions Index at which the Great War ends the game (ETI-001)."""


class GameOver(Exception):
    """The European Tensions Index has reached 100: whatever was in progress stops.

    Args:
        culprits: Powers that pay the triple penalty.
    """

    def __init__(self, culprits: tuple[str, ...]) -> None:
        super().__init__(culprits)
        self.culprits = culprits


class Transaction:
    """The position as it changes while one action is decided.

    Attributes:
        asks: whether choices are put before the seats.
        by_mail: whether the action opens the forms of a game by mail.
    """

    asks = True

    def __init__(self, tables: Tables, state: State, dice: Dice) -> None:
        self.tables = tables
        self.state = state
        self.dice = dice
        self.events: list[events.Event] = []
        self.by_mail = False
        self.watched = 0  # how many of them have been looked at for breaches of Treaties
        self.agreed: dict[int, tuple[str, ...]] = {}  # who has agreed to what happens, by its place among them

    def emit(self, event: events.Event, agreed: tuple[str, ...] = ()) -> None:
        """Let `event` happen, closed to the seats that may not know of it. `agreed`: Powers that have agreed to it."""
        event = visibility.seal_event(self.tables, self.state, event)
        if agreed:
            self.agreed[len(self.events)] = agreed
        self.events.append(event)
        self.state = evolve(self.state, event)

    # --- ledgers -------------------------------------------------------------------------------------------------

    def tension(self, amount: int, reason: str, rules: tuple[str, ...], blame: str = "", area: str = "") -> None:
        """Raise the European Tensions Index by `amount` points; at 100 the game ends here.

        `blame`: the Power whose act it is, "" for nobody. A Minor Power is blamed but pays nothing. Whoever declared
        first in a War that goes on is to blame besides.

        Raises: GameOver.
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
        """Raise the Chinese Resentment Index by `amount` points; it has no upper end.

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
        """Add `amount` pounds (negative: take) to a Treasury; `units`, `naval`: pounds of it spent on such units."""
        total = self.state.powers[power].treasury + amount
        self.emit(
            events.TreasuryChanged(
                power=power, amount=amount, total=total, reason=reason, units=units, naval=naval, rules=rules
            )
        )

    def victory_points(
        self, power: str, amount: int, reason: str, rules: tuple[str, ...], bonus: bool = False
    ) -> None:
        """Add `amount` Victory Points to the seat that plays `power`."""
        seat = seat_of(self.tables, self.state, power)
        total = self.state.powers[seat].victory_points + amount
        self.emit(
            events.VictoryPointsChanged(power=seat, amount=amount, total=total, reason=reason, bonus=bonus, rules=rules)
        )

    def establish(self, area: str, power: str, marker: str, own: Marker | None, rules: tuple[str, ...]) -> None:
        """Place a marker that stands established at once, over the Power's `own` of the same standing, if any."""
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
        """Take a marker down from `marker` to `to` ("" for off the map), step by step on the tension ledger.

        Where no piece is free for what it should become, it goes altogether. What is left is the answer.

        `blame`: Power to blame, "" for nobody, or None where the rules except it from raising tensions. An
        unestablished marker never raises anything. A Control marker lost leaves its Codominion.

        Rules: ETI-013, ETI-014, ETI-039, SET-039, R-COD-05
        """
        pool = self.tables.markers[to].pool if to else ""
        own = [m.marker for m in area_state(self.state, area).markers if m.power == power]
        # a piece of the kind that lies there already is turned over, or serves again
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

    # --- choices -------------------------------------------------------------------------------------------------

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
        """Put a choice before the seat of `power`, or before another that commands it in War; its id.

        An offer between some seats only is not counted: its id comes from what it says.
        """
        if not self.asks:
            return ""
        seat = seat or seat_of(self.tables, self.state, power)
        choice = Pending(f"c{self.state.next_choice}", seat, power, about, options, default, area, prompt, rules)
        if about.private:
            said = (self.state.turn, self.state.phase, choice.kind, power, question_fields(about))
            choice = replace(choice, id=visibility.private_id("o", *said))
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
        """Tell the players something; with `only`, no more than these seats."""
        self.emit(events.Noted(code=code, text=text, power=power, area=area, rules=rules, only=only))


class DryRun(Transaction):
    """What would come of a step, thrown away afterwards: its dice mean nothing, and nobody is asked anything.

    Whatever could forbid an offer has been looked at before it is put.
    """

    asks = False

    def __init__(self, tables: Tables, state: State) -> None:
        super().__init__(tables, state, Dice("trial"))


def find_refusal(step: Callable[[], object]) -> Refusal | None:
    """What forbids a step; None where it can be done, be it the one that ends the game."""
    try:
        step()
    except Refusal as refusal:
        return refusal
    except GameOver:
        return None
    return None


def refuse(code: str, rules: tuple[str, ...], message: str, **detail: object) -> NoReturn:
    """Refuse what is asked: nothing has happened.

    Raises: Refusal.
    """
    raise Refusal(code, rules, message, **detail)


AnswerTexts = tuple[str, ...]


def option_texts(choice: Pending) -> tuple[str, ...]:
    """Every text that may be part of an answer."""
    out: list[str] = []
    for option in choice.options:
        out.extend([option] if isinstance(option, str) else option)
    return tuple(out)


def default_answer(choice: Pending) -> AnswerTexts:
    """The default as a tuple of texts."""
    return (choice.default,) if isinstance(choice.default, str) else choice.default


def parse_answer(choice: Pending, words: AnswerTexts) -> AnswerTexts:
    """The options that `words` name, in order; several words may make one option ("fight manchuria").

    Raises: Refusal `bad_answer`, with the options.
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
                f"{choice.id} cannot be answered with '{' '.join(words)}'; it takes: {', '.join(texts) or 'nothing'}.",
                options=list(option_texts(choice)),
            )
    return tuple(answer)


def _answer_words(text: str) -> list[str]:
    """The words of a text that count: commas may stand between the options of an answer."""
    return text.casefold().replace(",", " ").split()


def single_answer(choice: Pending, answer: AnswerTexts) -> str:
    """The one option of an answer that may name no more.

    Raises: Refusal `bad_answer`.
    """
    if len(answer) != 1:
        texts = option_texts(choice)
        takes = f"one of {', '.join(texts)}" if len(texts) > 1 else texts[0] if texts else "nothing"
        refuse("bad_answer", choice.rules, f"{choice.id} takes one answer: {takes}.")
    return answer[0]


def record_choice(play: Transaction, choice: Pending, answer: AnswerTexts, by_default: bool = False) -> None:
    """Take a choice off the table: it has been made. What follows from it is for the rules that offered it."""
    play.emit(events.ChoiceMade(id=choice.id, answer=answer, by_default=by_default, rules=choice.rules))


ACCEPT, DECLINE = OFFER_ANSWERS = "accept", "decline"


def put_offer(play: Transaction, offer: MoneyOffer | MarkerOffer, area: str, prompt: str, rule: str) -> None:
    """Offer something to the Power it is for.

    Raises: Refusal `offered`, when the very same offer is pending.
    """
    if any(c.about == offer for c in play.state.choices):
        name = play.tables.powers[offer.to].name
        refuse("offered", (rule,), f"{name} has this very offer already and may answer it.")
    play.offer(offer.to, offer, OFFER_ANSWERS, DECLINE, area, prompt, (rule,))


def is_offer_accepted(choice: Pending, answer: tuple[str, ...]) -> bool:
    """Whether an offer is accepted.

    Raises: Refusal `bad_answer`.
    """
    return single_answer(choice, answer) == ACCEPT


def lapse_offers(play: Transaction) -> None:
    """End every offer still pending, when the Phase ends.

    Rules: MOV-020, STA-034
    """
    for choice in play.state.choices:
        if isinstance(choice.about, Offer):
            play.emit(events.ChoiceMade(id=choice.id, void=True, rules=choice.rules))


def open_questions(play: Transaction, offer: JointOffer) -> list[Pending]:
    """The questions of the same proposal that still wait for an answer."""
    return [c for c in play.state.choices if isinstance(c.about, type(offer)) and c.about.proposal == offer.proposal]


def void_proposal(play: Transaction, offer: JointOffer) -> None:
    """A proposal comes to nothing because one has declined it: the others need not answer any more."""
    for other in open_questions(play, offer):
        play.emit(events.ChoiceMade(id=other.id, void=True, rules=other.rules))


def do_nothing(play: Transaction) -> None:
    """Nothing is to be done."""


def always_true(state: State) -> bool:
    """It comes in every Game Turn."""
    return True


def no_seats(tables: Tables, state: State) -> tuple[str, ...]:
    """It waits for no seat but those that have a choice to make."""
    return ()


def seats_not_ready(tables: Tables, state: State) -> tuple[str, ...]:
    """It waits for every seat that is not ready."""
    return tuple(seat for seat in state.players if seat not in state.ready)


def allow_ready(play: Transaction, seat: str) -> None:
    """A seat may be ready whenever it likes."""


def mark_all_ready(play: Transaction) -> None:
    """Mark every seat ready, for the arbiter.

    Rules: SEQ-010
    """
    for seat in play.state.players:
        if seat not in play.state.ready:
            play.emit(events.SeatReady(seat=seat, rules=("SEQ-010",)))


class Phase(msgspec.Struct, frozen=True, kw_only=True):
    """A Phase of the Game Turn.

    Attributes:
        name: its id, one of `PHASES`.
        due: whether play comes to it in this Game Turn.
        enter: what happens once, when play comes to it; it rolls nothing.
        begin: offers what is to be chosen, at the start and whenever something was answered; it rolls nothing.
        run: what is automatic; it rolls. A Phase has no more of it when its frame's step is "done".
        close: what happens when it ends.
        waits: the seats that it waits for now, besides those that have a choice to make.
        over: whether it may end once nobody is waited for; until then it is run again.
        open: whether all seats act at once in it, and say when they are ready.
        check_ready: whether a seat may be ready; raises a Refusal that says what is missing.
        force_ready: marks every seat ready, for the arbiter, and waives what cannot be mended.
    """

    name: str
    due: Callable[[State], bool] = always_true
    enter: Callable[[Transaction], None] = do_nothing
    begin: Callable[[Transaction], None] = do_nothing
    run: Callable[[Transaction], None] = do_nothing
    close: Callable[[Transaction], None] = do_nothing
    waits: Callable[[Tables, State], tuple[str, ...]] = no_seats
    over: Callable[[State], bool] = always_true
    open: bool = False
    check_ready: Callable[[Transaction, str], None] = allow_ready
    force_ready: Callable[[Transaction], None] = mark_all_ready
