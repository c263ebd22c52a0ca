"""What a Treaty is: its clauses, who has signed, what was broken. Data only; the rules are in the modules beside it.

One shape serves the three kinds of agreement of several parts: a Treaty that lasts, a settlement (a proposal of the
Negotiation Phase, done at once or not at all) and a draft before a Congress of Europe.

Rules: TRE-001 to TRE-005, NEG-013, CON-011, CON-015 (R-NEG-08)

Casus Belli as they stand in a position; what they mean is for `paxtui.games.pax.casus_belli`.

What a Congress of Europe is while it sits: who called it where, who sits in it, what it has before it.

Data only. Ballots are not part of it: they are kept apart in `State.ballots`, so that nobody sees them too soon.

Rules: CON-001 to CON-013
"""

from __future__ import annotations

import msgspec

from paxtui.games.pax.state.pieces import Holding


class CasusBelli(msgspec.Struct, frozen=True, omit_defaults=True):
    """A cause of war: `holder` may use it against `against`.

    Attributes:
        cause: its row in the Casus Belli Summary (`Tables.causes`); "" for a conflict of markers set up by hand.
        lapses: "negotiation" where it is settled by default once nobody has acted on it till the War Phase has opened,
            "turn" where it is there till the end of the Game Turn (`paxtui.games.pax.casus_belli`).
        treaty: id of the Treaty that was broken, or that grants it.
        minor: Minor Power whose rights the holder defends.
        demanded: whether the holder demanded the Area, where victors quarrel over the spoils of a War.
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
    """A Casus Belli over an Area given up. `against`: "" for everybody, in games that did not note it."""

    holder: str
    against: str = ""

    def covers(self, holder: str, against: str) -> bool:
        """Whether what was given up is the cause of one Power against the other."""
        return self.holder == holder and self.against in ("", against)


TREATY, SETTLEMENT, CONGRESS = "treaty", "settlement", "congress"
"""Forms of an agreement."""

DRAFT, IN_FORCE, ENDED = TREATY_STAGES = ("draft", "in_force", "ended")
"""Stages of an agreement; an ended one says why in `reason`."""


class ClauseTrigger(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What must have happened before a clause binds: `kind` says what of the rest means something.

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
    """One clause. `kind` says which of the fields mean something: `paxtui.games.pax.clauses.registry`.

    Attributes:
        kind: name of the kind (defensive, pay, no_marker, ...).
        power: the Power that owes it; empty where it binds all parties alike.
        to: the Power it is owed to, or that receives.
        against: Powers it is aimed at; empty for anybody who has not signed.
        places: Areas, or Areas and Sea Zones, it is about. Regions and lists are written out when it is drafted.
        region: what `places` was written out from, for the wording; empty where they were named.
        marker: Status marker it is about.
        units: Military Units it names (A10, N3), or "army" or "naval" for a kind of them.
        amount: pounds, or strength points for a cap on units.
        every_turn: whether it comes due again each Game Turn.
        turn: Game Turn (1 to 10) in which it comes due, 0 for at once.
        until: last Game Turn in which it binds, 0 for as long as the Treaty.
        upon: what must happen first; None for nothing.
        vote: how a vote is promised, "yes", "no" or "abstain".
        text: the words of a clause that the engine cannot watch.
        secret: an article that stays hidden when the rest is public.
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
    """A part of clause `clause` (from 0) that is done.

    `part`: the Game Turn of what comes due in each, the place (from 1) of a unit among those to be built; 0 where
    there is but one.
    """

    clause: int
    part: int = 0


class DueClause(msgspec.Struct, frozen=True):
    """What clause `clause` (from 0) waits for has happened in Game Turn `turn`."""

    clause: int
    turn: int


class Breach(msgspec.Struct, frozen=True, omit_defaults=True):
    """A clause broken: `clause` counts from 0, -1 is the Treaty as a whole (a withdrawal without leave).

    While `open` is false nobody outside knows, tension has not risen and nobody holds a Casus Belli for it.
    """

    clause: int
    power: str
    turn: int
    what: str = ""
    open: bool = False


class Claim(msgspec.Struct, frozen=True, omit_defaults=True):
    """A signer's claim that another has broken clause `clause`; `verdicts` by seat: True for guilty (R-TRE-01)."""

    clause: int
    by: str
    against: str
    turn: int
    verdicts: dict[str, bool] = {}
    referee: bool = False


class Treaty(msgspec.Struct, frozen=True, omit_defaults=True):
    """An agreement of several Powers.

    Attributes:
        id: how it is named in orders; it tells nothing about how many others there are.
        name: what its drafters call it; a city is proposed.
        form: TREATY, SETTLEMENT or CONGRESS.
        drafter: Power that drafted it.
        parties: Powers that must sign, in the order of the powers table.
        clauses: what they agree.
        public: whether everybody knows it; otherwise only the parties do.
        stage: DRAFT, IN_FORCE or ENDED.
        reason: why it ended ("lapsed", "rejected", "withdrawn", "superseded", "done", "war"), empty before.
        signed: parties that have signed.
        left: parties that it no longer binds (released, or gone in breach).
        lapse: parties that agree to let it lapse.
        release: party that asks to go -> parties that agree.
        drafted: Game Turn of the draft.
        since: Game Turn from which it is in force, 0 before.
        done: what is done of its clauses.
        due: clauses with something to do that what they wait for has made due.
        breaches: what was broken.
        charges: claims not yet judged.
        shown: articles (clauses marked secret) that have been revealed nevertheless, by number.
        instead: id of the draft that this one answers with changes.
        publish: known to the parties only until all have signed, and public from then on (games by mail).
        public_end: why it has ended for whoever knows its open articles only, while secret ones still bind; else empty.
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

    @property
    def bound(self) -> tuple[str, ...]:
        """Parties that it binds still."""
        return tuple(p for p in self.parties if p not in self.left) if self.left else self.parties


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
