"""What happened. One frozen struct an event; `rules` names the rules of the catalogue that made it happen.

Events carry results, dice included, so that `evolve` needs no rule and no table, and an old log replays under
any later version. A changed kind of event gets a new `v` and an upcaster (`paxtui.engine.upcast`).
"""

from __future__ import annotations

from typing import Any

import msgspec

from paxtui.engine.choices import Choice
from paxtui.pax.orders.actions import _tag
from paxtui.pax.state.congress import Congress
from paxtui.pax.state.model import Result, State
from paxtui.pax.state.treaty import Treaty


class Event(msgspec.Struct, frozen=True, tag_field="type", tag=_tag, omit_defaults=True, kw_only=True):
    """Base of all events.

    Attributes:
        rules: ids of the rules that made it happen.
        only: seats that see it as it is; empty for everybody. `paxtui.pax.play.secrecy.sealed` fills it in when the
            event is emitted, where the emitter has not.
        others: what all other seats see instead of these fields; None: they see nothing of the event.
    """

    rules: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    others: dict[str, Any] | None = None


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
    """The top frame goes to `step` with local notes `data` (both replace the old ones)."""

    step: str
    data: dict[str, Any] = {}


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

    choice: Choice


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


class RebellionChecked(Event, frozen=True):
    """Three dice against the Chinese Resentment Index without its last digit."""

    dice: tuple[int, ...]
    target: int
    rebellion: bool


# --- markers ------------------------------------------------------------------------------------------------------


class MarkerPlaced(Event, frozen=True):
    """A Status marker is placed; `replaces` is the own marker of the same standing (established or not) it covers."""

    area: str
    power: str
    marker: str
    established: bool
    turn: int
    replaces: str = ""


class MarkerEstablished(Event, frozen=True):
    """The unestablished marker of a Power is established; an older established one of its own goes."""

    area: str
    power: str
    marker: str


class MarkerLowered(Event, frozen=True):
    """A marker goes down from `marker` to `to` ("" for off the map)."""

    area: str
    power: str
    marker: str
    to: str
    reason: str
    established: bool = True
    turn: int = 0


class MarkerTransferred(Event, frozen=True):
    """An established marker changes hands; what the receiver had there goes, its place in a Codominion passes on."""

    area: str
    power: str
    to: str
    marker: str
    turn: int


class CodominionSet(Event, frozen=True):
    """The Area is shared by `powers` (none: a Codominion no longer)."""

    area: str
    powers: tuple[str, ...]


class AreaTypeChanged(Event, frozen=True):
    """The optional Ottoman expansion changes an Area's type."""

    area: str
    to: str


# --- pieces -------------------------------------------------------------------------------------------------------


class UnitsBuilt(Event, frozen=True):
    """Military Units appear at `place` (a Home Country, or the Area of a Minor Power's draw from stock)."""

    power: str
    units: tuple[str, ...]
    place: str
    coast: str = ""


class UnitsMoved(Event, frozen=True):
    """Units of one Power move along `path`. `coast`: where naval ones end. `halted`: they move no more this Phase."""

    power: str
    units: tuple[str, ...]
    path: tuple[str, ...]
    coast: str = ""
    halted: bool = False
    reason: str = "move"  # move | retreat | fix | minor | transfer
    was_halted: bool = False
    start_coast: str = ""


class UnitsHalted(Event, frozen=True):
    """All Army Units of a Power at a place have ended their movement for the Phase."""

    power: str
    place: str


class UnitsLost(Event, frozen=True):
    """Units leave the map."""

    power: str
    units: tuple[str, ...]
    place: str
    reason: str


class CoastChosen(Event, frozen=True):
    """A Naval Unit lies on another coast of its Area or in another home box."""

    power: str
    unit: str
    place: str
    start: str
    coast: str


class MerchantMoved(Event, frozen=True):
    """A Merchant Fleet goes from a Sea Zone, or "new" from the track, to a Sea Zone."""

    power: str
    start: str
    to: str


class CanalBuilt(Event, frozen=True):
    """A canal joins the Caribbean Sea and the South Pacific; it stays for ever."""

    area: str
    power: str


# --- disputes and duties ------------------------------------------------------------------------------------------


class CasusBelliArose(Event, frozen=True):
    """`holder` has a cause of war against `against`; `lapses`, `treaty` and `minor` as in `CasusBelli`."""

    id: str
    holder: str
    against: str
    area: str = ""
    cause: str = ""
    lapses: str = ""
    treaty: str = ""
    minor: str = ""


class CasusBelliEnded(Event, frozen=True):
    """A cause of war is gone: "waived", "settled", "lapsed"."""

    id: str
    reason: str


class GarrisonMissing(Event, frozen=True):
    """A Control marker stood without an own Army Unit at the end of the Movement/Status Change Phase."""

    area: str
    power: str


class DutyWaived(Event, frozen=True):
    """The arbiter went on although a Power still had pounds to spend on units, or another duty."""

    power: str
    duty: str
    amount: int = 0


class MinorSentArmies(Event, frozen=True):
    """A Minor Power has sent units to its Area in Unrest this turn, or (`home`) the surplus went back."""

    power: str
    area: str
    turn: int
    home: bool = False


class WarDue(Event, frozen=True):
    """A war is due that this version of the game does not play out: "chinese_rebellion", "ottoman"."""

    war: str
    power: str = ""
    area: str = ""


# --- Treaties -------------------------------------------------------------------------------------------------


class TreatyDrafted(Event, frozen=True):
    """An agreement is drafted and offered to its parties; one that it answers (`instead`) ends."""

    treaty: Treaty


class TreatySigned(Event, frozen=True):
    """A party signs a draft."""

    id: str
    power: str


class TreatyRejected(Event, frozen=True):
    """A party turns a draft down, or its drafter takes it back (`reason`): it ends."""

    id: str
    power: str
    reason: str = "rejected"


class TreatyInForce(Event, frozen=True):
    """All have signed: the agreement binds from Game Turn `turn` on."""

    id: str
    turn: int


class TreatyEnded(Event, frozen=True):
    """A Treaty ends: "lapsed", "done", "war", "broken"."""

    id: str
    reason: str


class TreatyRevealed(Event, frozen=True):
    """A Treaty becomes public, as it stands in `treaty`; `articles` are the secret ones shown, counted from 0."""

    id: str
    power: str
    treaty: Treaty
    articles: tuple[int, ...] = ()


class LapseAgreed(Event, frozen=True):
    """A party agrees that a Treaty ends."""

    id: str
    power: str


class ReleaseAgreed(Event, frozen=True):
    """A party agrees that `who` leaves a Treaty."""

    id: str
    power: str
    who: str


class SignatoryLeft(Event, frozen=True):
    """A Treaty binds a party no longer: "released", "broken", "war"."""

    id: str
    power: str
    reason: str


class ClauseDone(Event, frozen=True):
    """What a clause (from 0) asked for is done; `turn` for one that comes due every Game Turn, else 0."""

    id: str
    clause: int
    turn: int = 0


class TreatyBroken(Event, frozen=True):
    """A party breaks a clause (from 0; -1 the whole). `open`: whether everybody knows it."""

    id: str
    clause: int
    power: str
    turn: int
    what: str = ""
    open: bool = False


class BreachOpened(Event, frozen=True):
    """A breach known to the parties only becomes public."""

    id: str
    clause: int
    power: str


class BreachCharged(Event, frozen=True):
    """A party charges another with breaking a clause (from 0). `referee`: all other seats judge it."""

    id: str
    clause: int
    power: str
    against: str
    turn: int
    referee: bool = False


class BreachJudged(Event, frozen=True):
    """A seat's verdict on a charge."""

    id: str
    clause: int
    power: str
    against: str
    guilty: bool


class ChargeClosed(Event, frozen=True):
    """A charge is decided, or comes to nothing."""

    id: str
    clause: int
    against: str
    guilty: bool


class CongressChanged(Event, frozen=True):
    """A Congress of Europe goes on: as it is now, and a sentence for everybody ("" for what nobody needs to hear)."""

    congress: Congress
    note: str = ""


class BallotCast(Event, frozen=True):
    """A sealed ballot: vote, and what the seat would do. The others see that it was cast, not what is on it."""

    seat: str
    answer: tuple[str, str] = ("", "")


class BallotsOpened(Event, frozen=True):
    """The votes on a proposal, by seat."""

    proposal: str
    votes: dict[str, str]


AnyEvent = (
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
    | MarkerPlaced
    | MarkerEstablished
    | MarkerLowered
    | MarkerTransferred
    | CodominionSet
    | AreaTypeChanged
    | UnitsBuilt
    | UnitsMoved
    | UnitsHalted
    | UnitsLost
    | CoastChosen
    | MerchantMoved
    | CanalBuilt
    | CasusBelliArose
    | CasusBelliEnded
    | GarrisonMissing
    | DutyWaived
    | MinorSentArmies
    | WarDue
    | TreatyDrafted
    | TreatySigned
    | TreatyRejected
    | TreatyInForce
    | TreatyEnded
    | TreatyRevealed
    | LapseAgreed
    | ReleaseAgreed
    | SignatoryLeft
    | ClauseDone
    | TreatyBroken
    | BreachOpened
    | BreachCharged
    | BreachJudged
    | ChargeClosed
    | CongressChanged
    | BallotCast
    | BallotsOpened
)
