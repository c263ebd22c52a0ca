"""What the choices that wait for a seat are about: a struct for each kind of question. Data only.

What everybody has to know of a kind stands on its struct: whether play waits for the answer, whether several options
may be named, and whom it is between. The rule that asks a question also takes its answer (`paxtui.games.pax.sequence`).

What every question is that a choice puts before a seat. Data only; the kinds are in `questions`.

What the choices of War are about: calls, combat, the end of a War and its spoils. Data only.

Rules: WAR-047, WCB-006, WCB-021, WCB-025, WCD-002, WEN-031, WEN-041, REB-033, REB-043
"""

from __future__ import annotations

from typing import ClassVar, NamedTuple

import msgspec

from paxtui.engine.frames import Choice, ChoiceQuestion
from paxtui.engine.upcast import Raw
from paxtui.games.pax.state.phases import TRADING_PHASES


class Question(ChoiceQuestion, frozen=True):
    """Base of all questions.

    Attributes:
        pressing: whether play waits for the answer; the others lapse, or take their default, when the Phase ends.
        several: whether the answer may name several options.
        private: whether only the seats of `between` and the one that is asked may know of it.
        sealed: whether everybody may know of it and nobody of the answer.
        phases: the Phases in which it may be answered, empty for any.
        shown: how its kind is called where two kinds have one name in play; "" for its own tag.
    """

    pressing: ClassVar[bool] = True
    several: ClassVar[bool] = False
    private: ClassVar[bool] = False
    sealed: ClassVar[bool] = False
    phases: ClassVar[tuple[str, ...]] = ()
    shown: ClassVar[str] = ""

    def between(self) -> tuple[str, ...]:
        """The Powers that it is between, besides the one that is asked."""
        return ()


class WarQuestion(Question, frozen=True):
    """Base of what a War asks.

    Attributes:
        war: id of the War.
    """

    war: str = ""


class Call(Question, frozen=True, tag="call"):
    """Whether a Power comes to the side of `partner`, as Treaties oblige it to, by declaring War on `on`.

    `by`: the Power whose declaration has called it.
    `treaties` and `clauses` (from 0) go together: what it breaks by refusing. `parties` are those of the Treaties.
    """

    private: ClassVar[bool] = True

    partner: str = ""
    on: tuple[str, ...] = ()
    treaties: tuple[str, ...] = ()
    clauses: tuple[int, ...] = ()
    parties: tuple[str, ...] = ()
    by: str = ""

    def between(self) -> tuple[str, ...]:
        """The partner, and all parties to what calls."""
        return (self.partner, *self.parties)


class DummyCall(Question, frozen=True, tag="uncalled"):
    """Asks nothing: while hidden Treaties stand, whom none calls is waited for as long as whom one does.

    `by`: the Power whose declaration of War it is about.
    """

    private: ClassVar[bool] = True

    by: str = ""


class Defence(Question, frozen=True, tag="defend"):
    """Whether a Power that has announced the defence of `minor` declares War on `on`, the Powers that attack it."""

    shown: ClassVar[str] = "call"

    minor: str = ""
    on: tuple[str, ...] = ()


class Invitation(WarQuestion, frozen=True, tag="invitation"):
    """Whether a Power joins the enemies of the Ottoman Empire, invited by `host`."""

    host: str = ""


class JoinAttack(WarQuestion, frozen=True, tag="join_attack"):
    """Whether an ally with Units in the place of an attack by `by` joins it; `aside` are allies that do not."""

    by: str = ""
    unit_kind: str = ""
    aside: tuple[str, ...] = ()


class WarLosses(WarQuestion, frozen=True, tag="war_losses"):
    """Which Units an exchange costs the stronger side.

    Attributes:
        unit_kind: army or naval.
        powers: those whose Units may be named: the Great Powers of the side, or its Minor Powers once the others
            are gone.
        needed: strength points to lose at least.
        said: what partners have named, by Power.
    """

    several: ClassVar[bool] = True
    shown: ClassVar[str] = "losses"

    unit_kind: str = ""
    powers: tuple[str, ...] = ()
    needed: int = 0
    said: dict[str, tuple[str, ...]] = {}


class WarRetreat(WarQuestion, frozen=True, tag="war_retreat"):
    """Where the Units of a Power that have to leave a place go, each by itself."""

    several: ClassVar[bool] = True
    shown: ClassVar[str] = "retreat"

    units: tuple[str, ...] = ()


class CodominionWar(WarQuestion, frozen=True, tag="codominion_war"):
    """Whether the neutral whose Codominion was entered by `mover` declares War at once."""

    mover: str = ""


class EndWaiver(WarQuestion, frozen=True, tag="waiver"):
    """Whether a belligerent lets an end test of the first two cycles end the War."""

    test: str = ""


class Announce(WarQuestion, frozen=True, tag="announce"):
    """Whether a Power announces the end of a War, or (`by` set) objects to another's announcement."""

    by: str = ""


class Spoils(WarQuestion, frozen=True, tag="spoils"):
    """What is placed in a conquered Area; `said`: what the other victors have named, by Power."""

    several: ClassVar[bool] = True

    said: dict[str, tuple[str, ...]] = {}


class Cession(WarQuestion, frozen=True, tag="cession"):
    """Which Area of China a Power demands after a Rebellion, and under which marker; `said`: what others have demanded,
    by Power."""

    said: dict[str, tuple[str, ...]] = {}


class Cessions(WarQuestion, frozen=True, tag="cessions"):
    """Whether a Power signs the list of cessions: Power and Area, and the marker."""

    cessions: tuple[tuple[str, str, str], ...] = ()


class Return(WarQuestion, frozen=True, tag="return"):
    """Where a Unit goes that has to leave when a War ends."""

    unit: str = ""
    start: str = ""


class Command(WarQuestion, frozen=True, tag="command"):
    """Which neutral seat shall command a Minor Power without an ally; all have to name the same.

    `named` is what the seats `asked` have named.
    """

    minor: str = ""
    named: str = ""
    asked: tuple[str, ...] = ()


AnyWarQuestion = (
    Announce
    | Call
    | Cession
    | Cessions
    | CodominionWar
    | Command
    | Defence
    | EndWaiver
    | Invitation
    | JoinAttack
    | Return
    | Spoils
    | DummyCall
    | WarLosses
    | WarRetreat
)
"""The questions of War that a rule asks."""

DECLARATION_QUESTIONS = (Call, Defence, DummyCall)
"""What is asked when War is declared; until all have answered no other declaration is worked off."""


# --- money and units ----------------------------------------------------------------------------------------------


class Deficit(Question, frozen=True, tag="deficit"):
    """What is given up to meet a deficit of so many pounds: pieces that save `exactly` so many.

    Attributes:
        saves: pounds that each option saves, by its text.
        near_india: the options that are Armies (10) near India.
        of_india: how many of those may be named.
    """

    several: ClassVar[bool] = True

    deficit: int = 0
    exactly: int = 0
    saves: dict[str, int] = {}
    near_india: tuple[str, ...] = ()
    of_india: int = 0


class Coast(Question, frozen=True, tag="coast"):
    """On which coast of an Area a Naval Unit lies."""

    pressing: ClassVar[bool] = False

    unit: str = ""


# --- combat -------------------------------------------------------------------------------------------------------


class FightOrDecline(Question, frozen=True, tag="fight"):
    """Whether a Power attacks an Area, or lets the others there go first."""


class Combine(Question, frozen=True, tag="combine"):
    """Whether a member of a Codominion attacks a revolt together with its partners, alone, or not at all."""


class Losses(Question, frozen=True, tag="losses"):
    """Which armies an exchange costs.

    Attributes:
        powers: those that attack together.
        needed: strength points to lose at least.
        said: what its partners have named, by Power.
    """

    several: ClassVar[bool] = True

    powers: tuple[str, ...] = ()
    needed: int = 0
    said: dict[str, tuple[str, ...]] = {}


class Retreat(Question, frozen=True, tag="retreat"):
    """Where the units of a kind that have to leave an Area go."""

    several: ClassVar[bool] = True

    unit_kind: str = ""
    units: tuple[str, ...] = ()


# --- between some seats only --------------------------------------------------------------------------------------


class Offer(Question, frozen=True):
    """Base of what one Power puts before others; it lapses when the Phase ends, and lies open once accepted."""

    pressing: ClassVar[bool] = False
    private: ClassVar[bool] = True
    phases: ClassVar[tuple[str, ...]] = TRADING_PHASES


class MoneyOffer(Offer, frozen=True, tag="money"):
    """Pounds for the Power that is asked."""

    giver: str = msgspec.field(name="from", default="")
    to: str = ""
    amount: int = 0

    def between(self) -> tuple[str, ...]:
        """The giver and the receiver."""
        return (self.giver,)


class MarkerOffer(Offer, frozen=True, tag="transfer"):
    """A marker for the Power that is asked."""

    giver: str = msgspec.field(name="from", default="")
    to: str = ""
    area: str = ""
    marker: str = ""

    def between(self) -> tuple[str, ...]:
        """The giver and the receiver."""
        return (self.giver,)


class JointOffer(Offer, frozen=True):
    """Base of a proposal that several have to accept.

    Attributes:
        proposer: Power whose proposal it is.
        members: Powers that are to take part, the proposer among them.
        proposal: its name, the same in the question to each of them.
    """

    area: str = ""
    members: tuple[str, ...] = ()
    proposal: str = ""
    proposer: str = msgspec.field(name="from", default="")

    def between(self) -> tuple[str, ...]:
        """All that are to take part."""
        return (self.proposer, *self.members)


class ShareOffer(JointOffer, frozen=True, tag="codominion"):
    """A Codominion; `also` are the Influence holders that would join it."""

    phases: ClassVar[tuple[str, ...]] = ("negotiation",)

    also: tuple[str, ...] = ()


class CanalShare(NamedTuple):
    """What one of the builders of a canal pays, in pounds, and gets, in Victory Points."""

    power: str
    pounds: int
    points: int


class CanalOffer(JointOffer, frozen=True, tag="canal"):
    """A canal built together."""

    phases: ClassVar[tuple[str, ...]] = ("movement",)

    shares: tuple[CanalShare, ...] = ()


class Duty(Question, frozen=True, tag="duty"):
    """Whether a Power does what a clause (from 0) of a Treaty asks of it now; `members` are its parties."""

    pressing: ClassVar[bool] = False
    private: ClassVar[bool] = True

    treaty: str = ""
    clause: int = 0
    owes: str = msgspec.field(name="from", default="")
    members: tuple[str, ...] = ()

    def between(self) -> tuple[str, ...]:
        """The parties."""
        return (self.owes, *self.members)


# --- the Congress of Europe ---------------------------------------------------------------------------------------


class CongressQuestion(Question, frozen=True):
    """Base of what a Congress asks."""


class Site(CongressQuestion, frozen=True, tag="site"):
    """Where the Congress meets."""


class Attend(CongressQuestion, frozen=True, tag="attend"):
    """Whether a Power attends."""


class Invite(CongressQuestion, frozen=True, tag="invite"):
    """Whom a European Great Power would invite from overseas."""


class Agenda(CongressQuestion, frozen=True, tag="agenda"):
    """Which dispute comes first."""


class Propose(CongressQuestion, frozen=True, tag="propose"):
    """Whether a member tables a proposal in this round."""


class Ballot(CongressQuestion, frozen=True, tag="ballot"):
    """The vote on a proposal, and what the seat does if it is adopted."""

    sealed: ClassVar[bool] = True

    proposal: str = ""


class Tie(CongressQuestion, frozen=True, tag="tie"):
    """How the host breaks a tie."""


class Signature(CongressQuestion, frozen=True, tag="sign"):
    """Whether a Power signs what was adopted."""


class Defiance(CongressQuestion, frozen=True, tag="defiance"):
    """Whether a Power declares War over what the Congress has not settled."""


AnyQuestion = (
    Deficit
    | Coast
    | FightOrDecline
    | Combine
    | Losses
    | Retreat
    | MoneyOffer
    | MarkerOffer
    | ShareOffer
    | CanalOffer
    | Duty
    | Site
    | Attend
    | Invite
    | Agenda
    | Propose
    | Ballot
    | Tie
    | Signature
    | Defiance
    | AnyWarQuestion
)


class Pending(Choice[AnyQuestion], frozen=True, omit_defaults=True):
    """A choice that waits for a seat."""

    @property
    def kind(self) -> str:
        """What sort of question it is, as everybody calls it."""
        return self.about.shown or super().kind


def question_fields(question: Question) -> Raw:
    """What a question says, by the names of its fields in the log, its kind left out."""
    fields = zip(question.__struct_fields__, question.__struct_encode_fields__, strict=True)
    return {name: getattr(question, field) for field, name in fields}
