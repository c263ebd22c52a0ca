"""What the choices that wait for a seat are about: a struct for each kind of question. Data only.

What everybody has to know of a kind stands on its struct: whether play waits for the answer, whether several options
may be named, and whom it is between. The rule that asks a question also takes its answer (`paxtui.pax.answers`).
"""

from __future__ import annotations

from typing import ClassVar, NamedTuple

import msgspec

from paxtui.engine.frames import Choice
from paxtui.engine.upcast import Raw
from paxtui.pax.state.phases import TRADING
from paxtui.pax.state.question import Question as Question
from paxtui.pax.state.war_questions import *  # noqa: F403
from paxtui.pax.state.war_questions import AnyWarQuestion

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
    phases: ClassVar[tuple[str, ...]] = TRADING


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


class Joint(Offer, frozen=True):
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


class ShareOffer(Joint, frozen=True, tag="codominion"):
    """A Codominion; `also` are the Influence holders that would join it."""

    phases: ClassVar[tuple[str, ...]] = ("negotiation",)

    also: tuple[str, ...] = ()


class Share(NamedTuple):
    """What one of the builders of a canal pays, in pounds, and gets, in Victory Points."""

    power: str
    pounds: int
    points: int


class CanalOffer(Joint, frozen=True, tag="canal"):
    """A canal built together."""

    phases: ClassVar[tuple[str, ...]] = ("movement",)

    shares: tuple[Share, ...] = ()


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


def said_by(question: Question) -> Raw:
    """What a question says, by the names of its fields in the log, its kind left out."""
    fields = zip(question.__struct_fields__, question.__struct_encode_fields__, strict=True)
    return {name: getattr(question, field) for field, name in fields}
