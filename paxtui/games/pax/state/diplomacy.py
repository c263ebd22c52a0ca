"""Casus Belli, agreements (Treaties, settlements, Congress drafts) and the Congress of Europe. Data only.

A settlement is a proposal of the Negotiation Phase that is carried out at once. Ballots are in `State.ballots`, so that
views can hide them.

Rules: TRE-001 to TRE-005, NEG-013, CON-001 to CON-013, CON-015 (R-NEG-08)
"""

from __future__ import annotations

import msgspec

from paxtui.games.pax.state.pieces import Holding


class CasusBelli(msgspec.Struct, frozen=True, omit_defaults=True):
    """A cause of war of `holder` against `against`.

    Attributes:
        cause: its row in the Casus Belli Summary (`Tables.causes`); "" for a conflict of markers set up by hand.
        lapses: "negotiation" if it is settled by default when the War Phase has opened, "turn" if it lasts until the
            end of the Game Turn, "window" if it lasts for a window inside a War (`paxtui.games.pax.casus_belli`).
        treaty: id of the Treaty that was broken, or that grants it.
        minor: Minor Power whose rights the holder defends.
        demanded: whether the holder demanded the Area in a dispute over the spoils of a War.
    """

    id: str
    holder: str
    against: str
    area: str = ""
    rule: str = ""
    cause: str = ""
    lapses: str = ""
    treaty: str = ""
    minor: str = ""
    demanded: bool = False


class Waiver(msgspec.Struct, frozen=True, omit_defaults=True):
    """A waived Casus Belli over an Area. `against` is "" for every Power, in games that did not record it."""

    holder: str
    against: str = ""

    def covers(self, holder: str, against: str) -> bool:
        """Return whether the waiver applies to a cause of `holder` against the other Power."""
        return self.holder == holder and self.against in ("", against)


TREATY, SETTLEMENT, CONGRESS = "treaty", "settlement", "congress"
"""Forms of an agreement."""

DRAFT, IN_FORCE, ENDED = TREATY_STAGES = ("draft", "in_force", "ended")
"""Stages of an agreement; an ended one has a `reason`."""


class ClauseTrigger(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Condition of a clause: it binds only after this has happened.

    Attributes:
        kind: "war", "control" or "unrest" (`paxtui.games.pax.clauses.registry`).
        power: the Power that is at War, or has Control.
        other: the Power it is at War with; "" for any.
        area: the Area controlled, or in Unrest.
    """

    kind: str
    power: str = ""
    other: str = ""
    area: str = ""


class Clause(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A clause. `kind` decides which fields are used: `paxtui.games.pax.clauses.registry`.

    Attributes:
        kind: name of the kind (defensive, pay, no_marker, ...).
        power: the Power that owes it; empty if it binds all parties alike.
        to: the Power it is owed to, or that receives.
        against: Powers it is aimed at; empty for any Power that has not signed.
        places: Areas, or Areas and Sea Zones. Regions and lists are expanded when the clause is drafted.
        region: the region that `places` was expanded from, for the wording; else empty.
        marker: Status marker.
        units: Military Units by name (A10, N3), or "army" or "naval".
        amount: pounds, or strength points for a limit on units.
        every_turn: whether it falls due again each Game Turn.
        turn: Game Turn (1 to 10) in which it falls due, 0 for at once.
        until: last Game Turn in which it binds, 0 for as long as the Treaty.
        upon: condition, or None.
        vote: promised vote, "yes", "no" or "abstain".
        text: free text of a clause that the engine cannot check.
        secret: whether it stays hidden when the rest is public.
    """

    kind: str
    power: str = ""
    to: str = ""
    against: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    region: str = ""
    marker: str = ""
    units: tuple[str, ...] = ()
    amount: int = 0
    every_turn: bool = False
    turn: int = 0
    until: int = 0
    upon: ClauseTrigger | None = None
    vote: str = ""
    text: str = ""
    secret: bool = False


class ClauseProgress(msgspec.Struct, frozen=True, omit_defaults=True):
    """A completed part of clause `clause` (from 0).

    `part` is the Game Turn for recurring duties, the position (from 1) of a unit for units to be built, else 0.
    """

    clause: int
    part: int = 0


class DueClause(msgspec.Struct, frozen=True):
    """The condition of clause `clause` (from 0) was met in Game Turn `turn`."""

    clause: int
    turn: int


class Breach(msgspec.Struct, frozen=True, omit_defaults=True):
    """A broken clause: `clause` counts from 0, -1 is the Treaty as a whole (withdrawal without leave).

    While `open` is false, only the parties know it. It has raised no tension and given no Casus Belli.
    """

    clause: int
    power: str
    turn: int
    what: str = ""
    open: bool = False


class PartialEnd(msgspec.Struct, frozen=True, omit_defaults=True):
    """A Treaty has ended between two of its parties, when `breaches` of it had been recorded."""

    powers: tuple[str, str]
    breaches: int = 0


class Claim(msgspec.Struct, frozen=True, omit_defaults=True):
    """A signer's charge that another has broken clause `clause`; `verdicts` by seat: True for guilty (R-TRE-01)."""

    clause: int
    by: str
    against: str
    turn: int
    verdicts: dict[str, bool] = {}
    referee: bool = False


class Treaty(msgspec.Struct, frozen=True, omit_defaults=True):
    """An agreement of several Powers.

    Attributes:
        id: its name in orders; it does not reveal how many others exist.
        name: name given by its drafter; a city is suggested.
        form: TREATY, SETTLEMENT or CONGRESS.
        drafter: Power that drafted it.
        parties: Powers that must sign, in the order of the powers table.
        clauses: its clauses.
        public: whether all seats know it; otherwise only the parties do.
        stage: DRAFT, IN_FORCE or ENDED.
        reason: why it ended ("lapsed", "rejected", "withdrawn", "superseded", "done", "war"), empty before.
        signed: parties that have signed.
        left: parties that it no longer binds (released, or withdrawn in breach).
        lapse: parties that agree to let it lapse.
        release: parties that agree to a release, by the party that asks for it.
        drafted: Game Turn of the draft.
        since: Game Turn from which it is in force, 0 before.
        done: completed parts of its clauses.
        due: clauses whose condition has been met.
        breaches: broken clauses.
        charges: charges not yet judged.
        shown: numbers of the secret articles that have been revealed.
        instead: id of the draft that this one amends.
        publish: becomes public when all have signed (mail games).
        public_end: reason of its end for outsiders, while secret articles still bind; else empty.
        partial_ends: pairs of parties between which it has ended.
    """

    id: str
    name: str
    form: str
    drafter: str
    parties: tuple[str, ...]
    clauses: tuple[Clause, ...]
    public: bool = False
    stage: str = DRAFT
    reason: str = ""
    signed: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    lapse: tuple[str, ...] = ()
    release: dict[str, tuple[str, ...]] = {}
    drafted: int = 0
    since: int = 0
    done: tuple[ClauseProgress, ...] = ()
    due: tuple[DueClause, ...] = ()
    breaches: tuple[Breach, ...] = ()
    charges: tuple[Claim, ...] = ()
    shown: tuple[int, ...] = ()
    instead: str = ""
    public_end: str = ""
    publish: bool = False
    partial_ends: tuple[PartialEnd, ...] = ()

    @property
    def bound(self) -> tuple[str, ...]:
        """Parties that it still binds."""
        return tuple(p for p in self.parties if p not in self.left) if self.left else self.parties

    @property
    def binding_clauses(self) -> tuple[Clause, ...]:
        """Clauses while it is in force, without those that have ended between two of its parties."""
        if self.stage != IN_FORCE:
            return ()
        if not self.partial_ends:
            return self.clauses
        return tuple(clause for clause in self.clauses if not self.partial_end(clause.power, clause.to))

    def partners(self, power: str) -> tuple[str, ...]:
        """Return the other parties towards which it still binds a party."""
        bound = self.bound
        return tuple(p for p in bound if p != power and not self.partial_end(power, p)) if power in bound else ()

    def partial_end(self, power: str, other: str) -> PartialEnd | None:
        """Return how it ended between two parties alone; None if it did not."""
        return next((end for end in self.partial_ends if {power, other} == set(end.powers)), None)


CALLED, ATTEND, GUESTS, AGENDA, PROPOSE, BALLOT, TIE, SIGN, ARMS, CLOSING, OVER = (
    "called", "attend", "guests", "agenda", "propose", "ballot", "tie", "sign", "arms", "closing", "over",
)  # fmt: skip
"""Steps of a Congress, in order; PROPOSE to SIGN repeat. At ARMS it has failed, and holders of a Casus Belli may
declare War before markers are removed. In session, the step is that of the frame.
"""

TABLED, DEFEATED, ADOPTED, DONE, REFUSED = "tabled", "defeated", "adopted", "done", "refused"
"""Stages of a proposal."""

VOTES = ("yes", "no", "abstain")
"""Possible votes."""


class Proposal(msgspec.Struct, frozen=True, omit_defaults=True):
    """A Treaty put before a Congress.

    Attributes:
        id: p1, p2, ... in the order in which they were tabled.
        name: its name.
        proposer: Power that tabled it.
        clauses: its clauses.
        stage: TABLED, DEFEATED, ADOPTED, DONE or REFUSED.
        votes: yes, no or abstain by seat, after the count.
        tie: Power that broke a tie, or empty.
        signed: Powers that have signed.
        refused: Powers that have refused.
        fallen: numbers of the clauses that bind no Power, because a Power that is no disputant has refused.
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
        site: Power in whose Home Country it meets.
        causes: ids of the Casus Belli before it: those open when it was called, and again when it met.
        holders: holders of a Casus Belli by Area at that time (CON-036).
        disputants: Powers that are party to a dispute before it, Minor Powers included.
        members: seats with a vote.
        invited: Powers that each seat would invite (the United States and Japan).
        wishes: the Area that each seat would discuss first.
        agenda: Areas in the order in which they are discussed.
        round: number of rounds of proposals.
        asked: number of proposals at the start of the round; -1 before.
        proposals: all proposals so far.
        current: id of the proposal that is voted on or signed.
        outcome: "settled", "failed" or "refused" at the end; "war" if only Wars are left.
        spoils: whether victors have called it in a dispute over the spoils of a War.
        refusers: disputants that did not sign an adopted Treaty.
        defied: ids of the Casus Belli that the Treaty would have ended; War or the removal of markers remains.
        renewed: how often its deadline has been extended, in mail games.
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
        return next((p for p in self.proposals if p.id == id_), None)

    def with_proposal(self, changed: Proposal) -> tuple[Proposal, ...]:
        return tuple(changed if p.id == changed.id else p for p in self.proposals)
