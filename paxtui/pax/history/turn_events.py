"""Events of the sequence of play, of its ledgers, and of what dice and tables bring."""

from __future__ import annotations

from paxtui.pax.history.event import Event
from paxtui.pax.state.model import Result, State
from paxtui.pax.state.progress import AnyNotes
from paxtui.pax.state.questions import Pending

# --- the sequence ---------------------------------------------------------------------------------------------


class PhaseBegan(Event, frozen=True):
    """A Phase begins: the frame stack is this Phase alone, ready flags and offers of the last one are gone."""

    phase: str
    step: str = ""


class TurnBegan(Event, frozen=True):
    """A Game Turn begins: what lasted one turn is over, `fleets` come off the turn track."""

    turn: int
    year: int
    fleets: dict[str, int] = {}


class StepTaken(Event, frozen=True):
    """What is in progress goes to `step` with these notes (both replace the old ones)."""

    step: str
    notes: AnyNotes | None = None


class Noted(Event, frozen=True):
    """Something to tell the players that changes nothing: `code` for programs, `text` for people."""

    code: str
    text: str
    power: str = ""
    area: str = ""


class SeatReady(Event, frozen=True):
    """A seat is ready, or (`ready` false) no longer so."""

    seat: str
    ready: bool = True


class ReadyCleared(Event, frozen=True):
    """An act of `by` took the ready flag from `seats`."""

    seats: tuple[str, ...]
    by: str


class ChoiceOffered(Event, frozen=True):
    """A choice is pending."""

    choice: Pending


class ChoiceMade(Event, frozen=True):
    """A pending choice was answered (`by_default`: nobody answered, the default was taken; `void`: it lapsed)."""

    id: str
    answer: tuple[str, ...] = ()
    by_default: bool = False
    void: bool = False


class PositionSet(Event, frozen=True):
    """The arbiter put another position on the board."""

    state: State


class GameEnded(Event, frozen=True):
    """The game is over."""

    result: Result


# --- ledgers: every change carries amount, reason, rule and whom to blame ----------------------------------------


class TensionRaised(Event, frozen=True):
    """European Tensions Index: `amount` points up to `total`; `blame` is a Power, "" for nobody."""

    amount: int
    total: int
    reason: str
    blame: str = ""
    area: str = ""


class ResentmentRaised(Event, frozen=True):
    """Chinese Resentment Index: `amount` points up to `total`."""

    amount: int
    total: int
    reason: str
    power: str = ""
    area: str = ""


class ResentmentReset(Event, frozen=True):
    """Chinese Resentment Index: back to 0."""

    reason: str


UNTOLD = "a payment that is not made public"
"""Reason of a change in a Treasury that others read when a secret article of a Treaty has made it."""


class TreasuryChanged(Event, frozen=True):
    """Treasury of a Power: `amount` pounds (negative: spent) to `total`.

    `units`, `naval`: how much of a spending bought units, naval ones among them. `reset` sets, not adds.
    """

    power: str
    amount: int
    total: int
    reason: str
    units: int = 0
    naval: int = 0


class VictoryPointsChanged(Event, frozen=True):
    """Victory Points of a Power: `amount` points to `total`; `bonus`: shown on line 25 of this turn."""

    power: str
    amount: int
    total: int
    reason: str
    bonus: bool = False


class RecordWritten(Event, frozen=True):
    """Lines of an Administrative Record Sheet; `fresh` begins a new sheet; `upkeep`: pounds towards a duty to spend."""

    power: str
    lines: dict[str, int | None]
    fresh: bool = False
    upkeep: int = 0
    had_control: bool = False


# --- dice and tables ----------------------------------------------------------------------------------------------


class DiceRolled(Event, frozen=True):
    """Dice of a table whose outcome needs no event of its own; changes nothing."""

    what: str
    dice: tuple[int, ...]
    power: str = ""
    outcome: str = ""


class RandomEventRolled(Event, frozen=True):
    """A Random Event: `happens` false means rolled again. `leopold`: the Belgian headline came with it."""

    event: str  # "2-5"
    title: str
    happens: bool = True
    why: str = ""
    leopold: bool = False
    balkan_war: bool = False


class UnrestBegan(Event, frozen=True):
    """An Area goes into Unrest; `happens` false means rolled again on the same table."""

    area: str
    table: str = ""
    dice: tuple[int, ...] = ()
    happens: bool = True


class UnrestEnded(Event, frozen=True):
    """The Unrest marker leaves an Area; `by` suppressed it, "" for the end of the turn."""

    area: str
    by: tuple[str, ...] = ()


class OfficeIncome(Event, frozen=True):
    """Colonial Office: `die` 0 where none was rolled; `amount` pounds after the events of the turn."""

    power: str
    die: int
    amount: int
    note: str = ""


class MinorActivity(Event, frozen=True):
    """Activity die of a Minor Power."""

    power: str
    die: int
    active: bool


class MinorDirected(Event, frozen=True):
    """Area dice of a Minor Power; `accepted` false means rolled again."""

    power: str
    dice: tuple[int, int]
    area: str
    accepted: bool = True


class ColonialCombat(Event, frozen=True):
    """A Colonial Combat: strength points against each other, the column and die, and what came of it."""

    area: str
    powers: tuple[str, ...]
    attack: int
    defend: int
    table: int = 0  # 0: Combat Strength zero, no die
    column: str = ""
    die: int = 0
    result: str = ""  # E AR EX HX DR DE
    effect: str = ""  # the result as it is read here: "eliminated", "retreat", "losses", "defeated"
    losses: int = 0  # strength points to lose


class OrderDrawn(Event, frozen=True):
    """The order in which several Powers attack one Area."""

    area: str
    powers: tuple[str, ...]


class SeatsAbandoned(Event, frozen=True):
    """Nobody plays these seats any more, so their Powers follow the General Orders; or, `lifted`, somebody does."""

    seats: tuple[str, ...]
    lifted: bool = False


class RebellionChecked(Event, frozen=True):
    """Three dice against the Chinese Resentment Index without its last digit."""

    dice: tuple[int, ...]
    target: int
    rebellion: bool


TurnEvent = (
    PhaseBegan
    | TurnBegan
    | StepTaken
    | Noted
    | SeatReady
    | ReadyCleared
    | ChoiceOffered
    | ChoiceMade
    | PositionSet
    | GameEnded
    | TensionRaised
    | ResentmentRaised
    | ResentmentReset
    | TreasuryChanged
    | VictoryPointsChanged
    | RecordWritten
    | DiceRolled
    | RandomEventRolled
    | UnrestBegan
    | UnrestEnded
    | OfficeIncome
    | MinorActivity
    | MinorDirected
    | ColonialCombat
    | OrderDrawn
    | RebellionChecked
    | SeatsAbandoned
)
