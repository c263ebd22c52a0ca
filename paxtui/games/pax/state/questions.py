"""Questions: the structs of all choices that may be put to a seat. Data only.

The class of a question says whether play waits for it, whether it takes several options, and which seats may know it.
The rule that asks a question also takes its answer (`paxtui.games.pax.sequence`).

Rules: WAR-047, WCB-006, WCB-021, WCB-025, WCD-002, WEN-031, WEN-041, REB-033, REB-043
"""

from __future__ import annotations

from typing import ClassVar, NamedTuple

import msgspec

from paxtui.engine.upcast import Raw
from paxtui.games.pax.state.phases import TRADING_PHASES


class Question(msgspec.Struct, frozen=True, tag_field="kind", omit_defaults=True):
    """Base of all questions.

    Attributes:
        pressing: whether play waits for the answer; others lapse, or take their default, when the Phase ends.
        several: whether the answer may name several options.
        private: whether only the asked seat and those of `between` may know of it.
        sealed: whether the question is public and the answer secret.
        phases: the Phases in which it may be answered, empty for any.
        shown: displayed name of the kind if it differs from the tag, else "".
    """

    pressing: ClassVar[bool] = True
    several: ClassVar[bool] = False
    private: ClassVar[bool] = False
    sealed: ClassVar[bool] = False
    phases: ClassVar[tuple[str, ...]] = ()
    shown: ClassVar[str] = ""

    def between(self) -> tuple[str, ...]:
        """Return the Powers concerned, besides the one that is asked."""
        return ()


class WarQuestion(Question, frozen=True):
    """Base of the questions of a War.

    Attributes:
        war: id of the War.
    """

    war: str = ""


class Call(Question, frozen=True, tag="call"):
    """Whether a Power declares War on `on` to help `partner`, as Treaties oblige it to.

    `by` is the Power whose declaration calls it. `treaties` and `clauses` (from 0) are parallel: a refusal breaks them.
    `parties` are the parties of the Treaties.
    """

    private: ClassVar[bool] = True

    partner: str = ""
    on: tuple[str, ...] = ()
    treaties: tuple[str, ...] = ()
    clauses: tuple[int, ...] = ()
    parties: tuple[str, ...] = ()
    by: str = ""

    def between(self) -> tuple[str, ...]:
        return (self.partner, *self.parties)


class DummyCall(Question, frozen=True, tag="uncalled"):
    """Empty question to a seat that no Treaty calls, so that waiting does not reveal hidden Treaties.

    `by` is the Power whose declaration of War it is about.
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
    """Whether an ally with Units in the place joins an attack by `by`; `aside` are allies that do not."""

    by: str = ""
    unit_kind: str = ""
    aside: tuple[str, ...] = ()


class WarLosses(WarQuestion, frozen=True, tag="war_losses"):
    """Units that the stronger side loses in an exchange.

    Attributes:
        unit_kind: army or naval.
        powers: those whose Units may be named: Great Powers of the side first, then its Minor Powers.
        needed: minimum of strength points to lose.
        said: answers of the partners, by Power.
    """

    several: ClassVar[bool] = True
    shown: ClassVar[str] = "losses"

    unit_kind: str = ""
    powers: tuple[str, ...] = ()
    needed: int = 0
    said: dict[str, tuple[str, ...]] = {}


class WarRetreat(WarQuestion, frozen=True, tag="war_retreat"):
    """Destinations of a Power's Units that must leave a place, for each Unit."""

    several: ClassVar[bool] = True
    shown: ClassVar[str] = "retreat"

    units: tuple[str, ...] = ()


class CodominionWar(WarQuestion, frozen=True, tag="codominion_war"):
    """Whether the neutral whose Codominion `mover` has entered declares War at once."""

    mover: str = ""


class EndWaiver(WarQuestion, frozen=True, tag="waiver"):
    """Whether a belligerent lets an end test of the first two cycles end the War."""

    test: str = ""


class Announce(WarQuestion, frozen=True, tag="announce"):
    """Whether a Power announces the end of a War, or (`by` set) objects to another's announcement."""

    by: str = ""


class Spoils(WarQuestion, frozen=True, tag="spoils"):
    """The marker placed in a conquered Area; `said` are the answers of the other victors, by Power."""

    several: ClassVar[bool] = True

    said: dict[str, tuple[str, ...]] = {}


class Cession(WarQuestion, frozen=True, tag="cession"):
    """The Area of China that a Power demands after a Rebellion, and the marker; `said` are the demands of others,
    by Power.
    """

    said: dict[str, tuple[str, ...]] = {}


class Cessions(WarQuestion, frozen=True, tag="cessions"):
    """Whether a Power signs the list of cessions: Power, Area and marker."""

    cessions: tuple[tuple[str, str, str], ...] = ()


class Return(WarQuestion, frozen=True, tag="return"):
    """Destination of a Unit that must leave when a War ends."""

    unit: str = ""
    start: str = ""


class Command(WarQuestion, frozen=True, tag="command"):
    """The neutral seat that commands a Minor Power without an ally; all answers must agree.

    `named` are the answers of the seats `asked`.
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
"""All questions of War."""

DECLARATION_QUESTIONS = (Call, Defence, DummyCall)
"""Questions after a declaration of War; later declarations wait until all are answered."""


class Deficit(Question, frozen=True, tag="deficit"):
    """The pieces given up to cover a deficit: pieces that save `exactly` so many pounds.

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
    """The coast of an Area on which a Naval Unit lies."""

    pressing: ClassVar[bool] = False

    unit: str = ""


class FightOrDecline(Question, frozen=True, tag="fight"):
    """Whether a Power attacks an Area, or lets the others attack first."""


class Combine(Question, frozen=True, tag="combine"):
    """Whether a member of a Codominion attacks a revolt with its partners, alone, or not at all."""


class Losses(Question, frozen=True, tag="losses"):
    """Armies that are lost in an exchange.

    Attributes:
        powers: those that attack together.
        needed: minimum of strength points to lose.
        said: answers of the partners, by Power.
    """

    several: ClassVar[bool] = True

    powers: tuple[str, ...] = ()
    needed: int = 0
    said: dict[str, tuple[str, ...]] = {}


class Retreat(Question, frozen=True, tag="retreat"):
    """Destination of the units of a kind that must leave an Area."""

    several: ClassVar[bool] = True

    unit_kind: str = ""
    units: tuple[str, ...] = ()


class Offer(Question, frozen=True):
    """Base of offers from one Power to others. Offers lapse when the Phase ends, and are public once accepted."""

    pressing: ClassVar[bool] = False
    private: ClassVar[bool] = True
    phases: ClassVar[tuple[str, ...]] = TRADING_PHASES


class MoneyOffer(Offer, frozen=True, tag="money"):
    """Money for the Power that is asked, in pounds."""

    giver: str = msgspec.field(name="from", default="")
    to: str = ""
    amount: int = 0

    def between(self) -> tuple[str, ...]:
        return (self.giver,)


class MarkerOffer(Offer, frozen=True, tag="transfer"):
    """A marker for the Power that is asked."""

    giver: str = msgspec.field(name="from", default="")
    to: str = ""
    area: str = ""
    marker: str = ""

    def between(self) -> tuple[str, ...]:
        return (self.giver,)


class JointOffer(Offer, frozen=True):
    """Base of a proposal that several Powers must accept.

    Attributes:
        proposer: Power that makes the proposal.
        members: Powers that take part, the proposer included.
        proposal: its id, the same in the question to each member.
    """

    area: str = ""
    members: tuple[str, ...] = ()
    proposal: str = ""
    proposer: str = msgspec.field(name="from", default="")

    def between(self) -> tuple[str, ...]:
        return (self.proposer, *self.members)


class ShareOffer(JointOffer, frozen=True, tag="codominion"):
    """A Codominion; `also` are the Influence holders that would join it."""

    phases: ClassVar[tuple[str, ...]] = ("negotiation",)

    also: tuple[str, ...] = ()


class CanalShare(NamedTuple):
    """Cost in pounds and Victory Points of one builder of a canal."""

    power: str
    pounds: int
    points: int


class CanalOffer(JointOffer, frozen=True, tag="canal"):
    """A canal built together."""

    phases: ClassVar[tuple[str, ...]] = ("movement",)

    shares: tuple[CanalShare, ...] = ()


class Duty(Question, frozen=True, tag="duty"):
    """Whether a Power carries out a clause (from 0) that is due; `members` are the parties of the Treaty."""

    pressing: ClassVar[bool] = False
    private: ClassVar[bool] = True

    treaty: str = ""
    clause: int = 0
    owes: str = msgspec.field(name="from", default="")
    members: tuple[str, ...] = ()

    def between(self) -> tuple[str, ...]:
        return (self.owes, *self.members)


class CongressQuestion(Question, frozen=True):
    """Base of the questions of a Congress."""


class Site(CongressQuestion, frozen=True, tag="site"):
    """Where the Congress meets."""


class Attend(CongressQuestion, frozen=True, tag="attend"):
    """Whether a Power attends."""


class Invite(CongressQuestion, frozen=True, tag="invite"):
    """The overseas Powers that a European Great Power would invite."""


class Agenda(CongressQuestion, frozen=True, tag="agenda"):
    """The dispute that is discussed first."""


class Propose(CongressQuestion, frozen=True, tag="propose"):
    """Whether a member tables a proposal in this round."""


class Ballot(CongressQuestion, frozen=True, tag="ballot"):
    """The vote on a proposal, and what the seat does if it is adopted."""

    sealed: ClassVar[bool] = True

    proposal: str = ""


class Tie(CongressQuestion, frozen=True, tag="tie"):
    """How the host breaks a tie."""


class Signature(CongressQuestion, frozen=True, tag="sign"):
    """Whether a Power signs the adopted Treaty."""


class Defiance(CongressQuestion, frozen=True, tag="defiance"):
    """Whether a Power declares War over a dispute that the Congress has not settled."""


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


Option = str | tuple[str, ...]
"""A text of the notation, or several where more than one thing is named."""


class Pending(msgspec.Struct, frozen=True, omit_defaults=True):
    """A choice that waits for the answer of a seat."""

    id: str  # the name by which `choose` answers it (c12), unique in the game
    seat: str
    power: str
    about: AnyQuestion
    options: tuple[Option, ...]
    default: Option  # always acceptable
    area: str = ""
    prompt: str = ""  # the question in words
    rules: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """Name of the kind of question."""
        return self.about.shown or str(self.about.__struct_config__.tag)


def question_fields(question: Question) -> Raw:
    """Return the fields of a question by their names in the log, without its kind."""
    fields = zip(question.__struct_fields__, question.__struct_encode_fields__, strict=True)
    return {name: getattr(question, field) for field, name in fields}
