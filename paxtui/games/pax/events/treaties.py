"""Events of Treaties and of the Congress of Europe: what they change and how they read."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events.encoding import Event
from paxtui.games.pax.events.names import Names
from paxtui.games.pax.state.diplomacy import (
    BALLOT,
    ENDED,
    IN_FORCE,
    OVER,
    SIGN,
    TIE,
    Breach,
    Claim,
    ClauseProgress,
    Congress,
    DueClause,
    PartialEnd,
    Treaty,
)
from paxtui.games.pax.state.model import JOINED, SET_ASIDE, Background, State
from paxtui.games.pax.state.phases import CONGRESS_SESSION, InProgress
from paxtui.games.pax.state.questions import CongressQuestion
from paxtui.games.pax.text.display import add_articles, reword, the_power, the_powers

ENDINGS = {
    "lapsed": "ends by agreement",
    "done": "is fulfilled",
    "war": "ends because of War",
    "broken": "ends: it was broken",
    "superseded": "is replaced by a new draft",
    "rejected": "is rejected",
    "withdrawn": "is withdrawn",
}
"""Texts of the reasons for the end of an agreement."""

LEAVINGS = {
    "released": "is released from",
    "broken": "is no longer bound by",
    "war": "is at War and no longer bound by",
}


def _article(names: Names, e: Any) -> str:
    """The clause of an event with its agreement; only the agreement if the event concerns all of it."""
    return (f"article {e.clause + 1} of " if e.clause >= 0 else "") + names.treaty(e.id)


class TreatyEvent(Event, frozen=True):
    """Base of the events that change one agreement. An event of an unknown agreement changes nothing."""

    id: str

    def evolve(self, s: State) -> State:
        return replace(s, treaties=tuple(self.change(t) if t.id == self.id else t for t in s.treaties))

    def change(self, treaty: Treaty) -> Treaty:
        """Return the agreement after the event."""
        raise NotImplementedError


class TreatyDrafted(Event, frozen=True):
    """An agreement is drafted and offered to its parties; the draft that it amends (`instead`) ends."""

    treaty: Treaty

    def evolve(self, s: State) -> State:
        others = (
            replace(t, stage=ENDED, reason="superseded") if t.id == self.treaty.instead else t
            for t in s.treaties
            if t.id != self.treaty.id
        )
        return replace(s, treaties=(*others, self.treaty))

    def describe(self, t: Tables, names: Names) -> str:
        treaty = self.treaty
        if treaty.stage == IN_FORCE:
            return f"{the_powers(t, treaty.parties)} have {names.title(treaty)}: {names.articles(treaty)}"
        others = [p for p in treaty.parties if p != treaty.drafter]
        offered = f", for {the_powers(t, others)} to sign" if others else ""
        return f"{the_power(t, treaty.drafter)} drafts {names.title(treaty)}{offered}: {names.articles(treaty)}"


class TreatySigned(TreatyEvent, frozen=True):
    """A party signs a draft."""

    power: str

    def change(self, treaty: Treaty) -> Treaty:
        return replace(treaty, signed=(*treaty.signed, self.power)) if self.power not in treaty.signed else treaty

    def describe(self, t: Tables, names: Names) -> str:
        return f"{the_power(t, self.power)} signs {names.treaty(self.id)}"


class TreatyRejected(TreatyEvent, frozen=True):
    """A party rejects a draft, or its drafter withdraws it (`reason`); it ends."""

    power: str
    reason: str = "rejected"

    def change(self, treaty: Treaty) -> Treaty:
        return replace(treaty, stage=ENDED, reason=self.reason)

    def describe(self, t: Tables, names: Names) -> str:
        verb = "withdraws" if self.reason == "withdrawn" else "rejects"
        return f"{the_power(t, self.power)} {verb} the draft of {names.treaty(self.id)}"


class TreatyInForce(TreatyEvent, frozen=True):
    """All parties have signed; the agreement binds from Game Turn `turn` on."""

    turn: int

    def change(self, treaty: Treaty) -> Treaty:
        return replace(treaty, stage=IN_FORCE, since=self.turn, reason="")

    def describe(self, t: Tables, names: Names) -> str:
        return f"{names.treaty(self.id)} is in force"


class TreatyEnded(TreatyEvent, frozen=True):
    """A Treaty ends: "lapsed", "done", "war", "broken".

    With `openly`, its public articles end and secret ones still bind; only the parties know that.
    """

    reason: str
    openly: bool = False

    def change(self, treaty: Treaty) -> Treaty:
        if self.openly:
            return replace(treaty, public_end=self.reason)
        return replace(treaty, stage=ENDED, reason=self.reason)

    def describe(self, t: Tables, names: Names) -> str:
        how = ENDINGS.get(self.reason, "ends")
        if self.openly:
            return f"the public part of {names.treaty(self.id)} {how}; its secret articles still bind"
        return f"{names.treaty(self.id)} {how}"


class TreatyEndedBetween(TreatyEvent, frozen=True):
    """A Treaty ends between two of its parties that have come to be at War; it goes on among the rest."""

    powers: tuple[str, str]

    def change(self, treaty: Treaty) -> Treaty:
        return replace(
            treaty, partial_ends=(*treaty.partial_ends, PartialEnd(self.powers, breaches=len(treaty.breaches)))
        )

    def describe(self, t: Tables, names: Names) -> str:
        return f"{names.treaty(self.id)} ends between {the_powers(t, self.powers)} because of War"


class TreatyRevealed(TreatyEvent, frozen=True):
    """A Treaty becomes public, as it is in `treaty`; `articles` are the revealed secret ones, from 0."""

    power: str
    treaty: Treaty
    articles: tuple[int, ...] = ()

    def evolve(self, s: State) -> State:
        if all(treaty.id != self.id for treaty in s.treaties):  # a log that holds only what one seat may see
            return replace(s, treaties=(*s.treaties, replace(self.treaty, public=True)))
        return super().evolve(s)

    def change(self, treaty: Treaty) -> Treaty:
        ended = "" if self.articles else treaty.public_end  # what is shown now may still bind
        return replace(treaty, public=True, shown=tuple(sorted({*treaty.shown, *self.articles})), public_end=ended)

    def describe(self, t: Tables, names: Names) -> str:
        known = [
            n for n, c in enumerate(self.treaty.clauses) if not c.secret or n in (*self.treaty.shown, *self.articles)
        ]
        text = " ".join(f"{names.clause(self.treaty.clauses[n]).removeprefix('(secret) ')}." for n in known)
        title = f"{names.title(self.treaty)} of {the_powers(t, self.treaty.parties)}"
        return f"{the_power(t, self.power)} reveals {title}: {text}"


class LapseAgreed(TreatyEvent, frozen=True):
    """A party agrees to end a Treaty."""

    power: str

    def change(self, treaty: Treaty) -> Treaty:
        return replace(treaty, lapse=(*treaty.lapse, self.power)) if self.power not in treaty.lapse else treaty

    def describe(self, t: Tables, names: Names) -> str:
        return f"{the_power(t, self.power)} agrees to end {names.treaty(self.id)}"


class ReleaseAgreed(TreatyEvent, frozen=True):
    """A party agrees that `who` leaves a Treaty."""

    power: str
    who: str

    def change(self, treaty: Treaty) -> Treaty:
        known = treaty.release.get(self.who, ())
        return replace(
            treaty, release={**treaty.release, self.who: (*(p for p in known if p != self.power), self.power)}
        )

    def describe(self, t: Tables, names: Names) -> str:
        if self.power == self.who:
            return f"{the_power(t, self.power)} asks to be released from {names.treaty(self.id)}"
        return f"{the_power(t, self.power)} agrees that {the_power(t, self.who)} leaves {names.treaty(self.id)}"


class SignatoryLeft(TreatyEvent, frozen=True):
    """A Treaty no longer binds a party: "released", "broken", "war"."""

    power: str
    reason: str

    def change(self, treaty: Treaty) -> Treaty:
        return replace(treaty, left=(*treaty.left, self.power)) if self.power not in treaty.left else treaty

    def describe(self, t: Tables, names: Names) -> str:
        return f"{the_power(t, self.power)} {LEAVINGS.get(self.reason, 'leaves')} {names.treaty(self.id)}"


class ClauseDone(TreatyEvent, frozen=True):
    """A clause (from 0), or a `part` of it as in `ClauseProgress`, is done."""

    clause: int
    part: int = 0

    def change(self, treaty: Treaty) -> Treaty:
        return replace(treaty, done=(*treaty.done, ClauseProgress(self.clause, self.part)))

    def describe(self, t: Tables, names: Names) -> str:
        return f"{_article(names, self)} is carried out"


class ClauseFellDue(TreatyEvent, frozen=True):
    """The condition of a clause (from 0) is met in Game Turn `turn`."""

    clause: int
    turn: int

    def change(self, treaty: Treaty) -> Treaty:
        return replace(treaty, due=(*treaty.due, DueClause(self.clause, self.turn)))

    def describe(self, t: Tables, names: Names) -> str:
        return f"{_article(names, self)} falls due"


class TreatyBroken(TreatyEvent, frozen=True):
    """A party breaks a clause (from 0; -1 the whole). `open`: whether all seats know it."""

    clause: int
    power: str
    turn: int
    what: str = ""
    open: bool = False

    def change(self, treaty: Treaty) -> Treaty:
        breach = Breach(self.clause, self.power, self.turn, self.what, self.open)
        return replace(treaty, breaches=(*treaty.breaches, breach))

    def describe(self, t: Tables, names: Names) -> str:
        what = reword(self.what, BREACH_WORDING)
        return f"{the_power(t, self.power)} breaks {_article(names, self)}" + (f": {what}" if what else "")


BREACH_WORDING = (
    (r"^does not come when called$", "refuses a call to War"),
    (r"^does not come to its aid$", "does not help it"),
    (r"^does not do what is due$", "does not carry it out"),
    (r"^cannot do what is due \((.*?)\.?\)$", r"cannot carry it out (\1)"),
    (r"^leaves it$", "leaves the Treaty"),
    (r" where none may be$", " where none are allowed"),
)
"""Wordings of the acts that break a clause, for `reword`."""


class BreachOpened(TreatyEvent, frozen=True):
    """A secret breach becomes public."""

    clause: int
    power: str

    def change(self, treaty: Treaty) -> Treaty:
        own_breach = (self.clause, self.power)
        return replace(
            treaty,
            breaches=tuple(replace(b, open=True) if (b.clause, b.power) == own_breach else b for b in treaty.breaches),
        )

    def describe(self, t: Tables, names: Names) -> str:
        return f"all Powers learn that {the_power(t, self.power)} broke {_article(names, self)}"


class BreachCharged(TreatyEvent, frozen=True):
    """A party charges another with breaking a clause (from 0). `referee`: all other seats judge the charge."""

    clause: int
    power: str
    against: str
    turn: int
    referee: bool = False

    def change(self, treaty: Treaty) -> Treaty:
        charge = Claim(self.clause, self.power, self.against, self.turn, {self.power: True}, self.referee)
        return replace(treaty, charges=(*treaty.charges, charge))

    def describe(self, t: Tables, names: Names) -> str:
        who, minor_text = the_power(t, self.power), the_power(t, self.against)
        judges = "; the other seats judge" if self.referee else ""
        return f"{who} charges {minor_text} with breaking {_article(names, self)}{judges}"


class BreachJudged(TreatyEvent, frozen=True):
    """A seat's verdict on a charge."""

    clause: int
    power: str
    against: str
    guilty: bool

    def change(self, treaty: Treaty) -> Treaty:
        charges = tuple(
            replace(c, verdicts={**c.verdicts, self.power: self.guilty})
            if (c.clause, c.against) == (self.clause, self.against)
            else c
            for c in treaty.charges
        )
        return replace(treaty, charges=charges)

    def describe(self, t: Tables, names: Names) -> str:
        verdict = "guilty" if self.guilty else "innocent"
        finds = f"{the_power(t, self.power)} finds {the_power(t, self.against)} {verdict}"
        return f"{finds} of breaking {_article(names, self)}"


class ChargeClosed(TreatyEvent, frozen=True):
    """A charge is decided or dropped."""

    clause: int
    against: str
    guilty: bool

    def change(self, treaty: Treaty) -> Treaty:
        return replace(
            treaty, charges=tuple(c for c in treaty.charges if (c.clause, c.against) != (self.clause, self.against))
        )

    def describe(self, t: Tables, names: Names) -> str:
        verdict = "is found guilty" if self.guilty else "is not found guilty"
        return f"{the_power(t, self.against)} {verdict} of breaking {_article(names, self)}"


class CongressChanged(Event, frozen=True):
    """New state of a Congress of Europe, with a sentence for all seats ("" for none).

    `step` is the step of its session, which ends with OVER; "" before it has met.
    """

    congress: Congress
    note: str = ""
    step: str = ""

    def evolve(self, s: State) -> State:
        frames = s.frames
        if self.step:
            sits = s.top.phase == CONGRESS_SESSION
            here = InProgress(CONGRESS_SESSION, self.step)
            if self.step != OVER:
                frames = (*(frames[:-1] if sits else frames), here)
            elif sits:
                frames = frames[:-1]
        voting = frames[-1].phase == CONGRESS_SESSION and frames[-1].step in (BALLOT, TIE, SIGN)
        return replace(s, congress=self.congress, frames=frames, ballots=s.ballots if voting else {})

    def describe(self, t: Tables, names: Names) -> str:
        return add_articles(reword(self.note, _CONGRESS_WORDING))


_CONGRESS_WORDING = (
    (r" would take (.*) first\.$", r" wants to discuss \1 first."),
    (r" would invite nobody\.$", " invites no Power."),
    (r" would invite (.*)\.$", r" invites \1."),
    (r"; (.*) sit in it\.$", r". Members: \1."),
    (r"^The Congress takes (.*)\.$", r"The Congress discusses \1."),
    (r"^Everything was settled before the Congress met\.$", "All disputes were settled before the Congress met."),
    (r", which binds nobody who has not signed\.$", ", which binds only its signers."),
    (r"^The Congress goes on with what is left: ", "The Congress continues with the rest: "),
    (r" has settled what was before it\.$", " has settled all its disputes."),
    (r" is over: a Treaty of it was defied\.$", " is over: a party refused to sign a Treaty."),
    (r" is over: what is left of it will be decided by War\.$", " is over. War decides the rest."),
)
"""Wordings of the sentences of a Congress, for `reword`."""


class CongressBesideWar(Event, frozen=True):
    """A Congress stays open beside a War: `to` is SET_ASIDE, SWAPPED (with the War Phase) or JOINED (over)."""

    to: str

    def evolve(self, s: State) -> State:
        if self.to == SET_ASIDE:
            kept = tuple(c for c in s.choices if isinstance(c.about, CongressQuestion))
            others = tuple(c for c in s.choices if not isinstance(c.about, CongressQuestion))
            waiting = Background(s.frames, kept, s.ready)
            return replace(s, frames=s.frames[:1], choices=others, ready=(), waiting_phase=waiting)
        there = s.waiting_phase
        if there is None:
            return s
        if self.to == JOINED:
            return replace(
                s, frames=there.frames, choices=(*there.choices, *s.choices), ready=there.ready, waiting_phase=None
            )
        here = Background(s.frames, s.choices, s.ready)
        return replace(s, frames=there.frames, choices=there.choices, ready=there.ready, waiting_phase=here)

    def describe(self, t: Tables, names: Names) -> str:
        return "The Congress of Europe stays open during the War." if self.to == SET_ASIDE else ""


class BallotCast(Event, frozen=True):
    """A sealed ballot: vote, and what the seat would do. Other seats see only that it was cast."""

    seat: str
    answer: tuple[str, str] = ("", "")

    def evolve(self, s: State) -> State:
        return replace(s, ballots={**s.ballots, self.seat: self.answer})

    def describe(self, t: Tables, names: Names) -> str:
        return f"{the_power(t, self.seat)} casts a ballot"


class BallotsOpened(Event, frozen=True):
    """The votes on a proposal, by seat."""

    proposal: str
    votes: dict[str, str]

    def describe(self, t: Tables, names: Names) -> str:
        text = ", ".join(f"{the_power(t, seat)} {vote}" for seat, vote in self.votes.items())
        return f"The ballots are opened: {text}."
