"""What a Congress of Europe is while it sits: who called it where, who sits in it, what it has before it.

Data only. Ballots are not part of it: they are kept apart in `State.ballots`, so that nobody sees them too soon.

Rules: CON-001 to CON-013
"""

from __future__ import annotations

import msgspec

from paxtui.pax.state.pieces import Holding
from paxtui.pax.state.treaty import Clause

CALLED, ATTEND, GUESTS, AGENDA, PROPOSE, BALLOT, TIE, SIGN, ARMS, CLOSING, OVER = (
    "called", "attend", "guests", "agenda", "propose", "ballot", "tie", "sign", "arms", "closing", "over",
)  # fmt: skip
"""Steps of a Congress, in their order; PROPOSE to SIGN come round again. At ARMS it has failed, and whoever holds a
Casus Belli may declare War before markers are removed. While it sits they are those of its frame."""

TABLED, DEFEATED, ADOPTED, DONE, REFUSED = "tabled", "defeated", "adopted", "done", "refused"
"""What becomes of a proposal."""

VOTES = ("yes", "no", "abstain")
"""What a ballot may say."""


class Proposal(msgspec.Struct, frozen=True, omit_defaults=True):
    """A Treaty put before a Congress.

    Attributes:
        id: p1, p2, ... in the order in which they were tabled.
        name: what it is called.
        proposer: Power that tabled it.
        clauses: what it says.
        stage: TABLED, DEFEATED, ADOPTED, DONE or REFUSED.
        votes: seat -> yes, no or abstain, once counted.
        tie: who broke a tie, empty where there was none.
        signed: Powers that have signed.
        refused: Powers that have refused.
        fallen: numbers of the clauses that bind nobody, because a Power that is no disputant has refused.
    """

    id: str
    name: str
    proposer: str
    clauses: tuple[Clause, ...]
    stage: str = TABLED
    votes: dict[str, str] = {}
    tie: str = ""
    signed: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    fallen: tuple[int, ...] = ()


class Congress(msgspec.Struct, frozen=True, omit_defaults=True):
    """A Congress of Europe.

    Attributes:
        turn: Game Turn in which it was called.
        caller: Power that called it.
        site: Power in whose Home Country it sits.
        causes: ids of the Casus Belli before it: those open when it was called, and anew when it met.
        holders: who held a Casus Belli over which Area then (CON-036).
        disputants: Powers that are party to a dispute before it, Minor Powers among them.
        members: seats with a vote.
        invited: seat -> Powers it would invite (the United States and Japan).
        wishes: seat -> the Area it would take first.
        agenda: Areas in the order in which they are taken.
        round: how many times proposals were asked for.
        asked: how many proposals there were when they were last asked for; -1 before.
        proposals: everything tabled so far.
        current: id of the proposal that is voted on or signed.
        outcome: "settled", "failed" or "refused" once it is over; "war" where nothing is left but Wars.
        spoils: whether victors have called it who cannot agree on the spoils of a War.
        refusers: disputants that did not sign an adopted Treaty.
        defied: ids of the Casus Belli which that Treaty would have ended: War or the removal of markers is left there.
        renewed: how many times its deadline has been set anew, by mail.
    """

    turn: int
    caller: str
    site: str
    causes: tuple[str, ...]
    holders: tuple[Holding, ...] = ()
    disputants: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    invited: dict[str, tuple[str, ...]] = {}
    wishes: dict[str, str] = {}
    agenda: tuple[str, ...] = ()
    round: int = 0
    asked: int = -1
    proposals: tuple[Proposal, ...] = ()
    current: str = ""
    outcome: str = ""
    refusers: tuple[str, ...] = ()
    defied: tuple[str, ...] = ()
    renewed: int = 0
    spoils: bool = False

    def proposal(self, id_: str) -> Proposal | None:
        """A proposal by its id."""
        return next((p for p in self.proposals if p.id == id_), None)

    def with_proposal(self, changed: Proposal) -> tuple[Proposal, ...]:
        """All proposals, one of them changed."""
        return tuple(changed if p.id == changed.id else p for p in self.proposals)
