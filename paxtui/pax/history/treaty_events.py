"""Events of agreements: Treaties from the draft to the breach, and the Congress of Europe."""

from __future__ import annotations

from paxtui.pax.history.event import Event
from paxtui.pax.state.congress import Congress
from paxtui.pax.state.treaty import Treaty


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
    """A Treaty ends: "lapsed", "done", "war", "broken".

    `openly`: it has ended as far as its open articles go, and secret ones still bind; only its parties know that.
    """

    id: str
    reason: str
    openly: bool = False


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
    """What a clause (from 0) asked for is done, or a `part` of it as in `Done`."""

    id: str
    clause: int
    part: int = 0


class ClauseFellDue(Event, frozen=True):
    """What a clause (from 0) with something to do waits for has happened in Game Turn `turn`."""

    id: str
    clause: int
    turn: int


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
    """A Congress of Europe goes on: as it is now, and a sentence for everybody ("" for what nobody needs to hear).

    `step`: where its sitting is now, which begins with the first step and ends with OVER; "" where it has not met.
    """

    congress: Congress
    note: str = ""
    step: str = ""


class CongressBesideWar(Event, frozen=True):
    """A Congress stays open beside a War: `to` is SET_ASIDE, SWAPPED (with the War Phase) or JOINED (it is over)."""

    to: str


class BallotCast(Event, frozen=True):
    """A sealed ballot: vote, and what the seat would do. The others see that it was cast, not what is on it."""

    seat: str
    answer: tuple[str, str] = ("", "")


class BallotsOpened(Event, frozen=True):
    """The votes on a proposal, by seat."""

    proposal: str
    votes: dict[str, str]


TreatyEvent = (
    TreatyDrafted
    | TreatySigned
    | TreatyRejected
    | TreatyInForce
    | TreatyEnded
    | TreatyRevealed
    | LapseAgreed
    | ReleaseAgreed
    | SignatoryLeft
    | ClauseDone
    | ClauseFellDue
    | TreatyBroken
    | BreachOpened
    | BreachCharged
    | BreachJudged
    | ChargeClosed
    | CongressChanged
    | CongressBesideWar
    | BallotCast
    | BallotsOpened
)
