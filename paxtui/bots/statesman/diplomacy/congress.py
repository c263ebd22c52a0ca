"""The Congress of Europe: when it is called, what is put before it, what it votes for, and what it signs.

What a proposal would bring each member is weighed as each is taken to weigh it. So it can be told whether one that
brings the statesman something would be adopted: only then is a Congress worth the tensions that it raises.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from paxtui.bots.act import Act
from paxtui.bots.caretaker import answers as orders
from paxtui.bots.caretaker.calls import said
from paxtui.bots.caretaker.desk import Desk
from paxtui.bots.statesman.diplomacy.articles import Scales
from paxtui.bots.statesman.diplomacy.regard import Regard
from paxtui.bots.statesman.outlook import Outlook
from paxtui.pax.board.status import controllers, established, influence_holders, seat_of
from paxtui.pax.congress import calling, conflicts
from paxtui.pax.congress.calling import CONVENING
from paxtui.pax.congress.conflicts import Conflict
from paxtui.pax.congress.to_arms import UNRESOLVED
from paxtui.pax.orders import actions as ac
from paxtui.pax.orders.notation import text_of
from paxtui.pax.play.casus_belli import MARKERS
from paxtui.pax.state.causes import CasusBelli
from paxtui.pax.state.pieces import CONTROL, INFLUENCE, INTEREST, LEVEL, PROTECTORATE
from paxtui.pax.state.questions import Agenda, Attend, Ballot, Pending, Propose, Signature, Tie
from paxtui.pax.state.treaty import CONGRESS, IN_FORCE, Clause
from paxtui.pax.words.spoken import place_name

WORTH_CALLING = 20.0
"""Pounds by the end that a Congress must promise, over the tensions that it raises."""
TOO_HOT = 84
"""European Tensions that a Congress of its own may bring about at most."""
WORTH_TABLING = 1.0
"""Pounds by the end from which something is put before a Congress that sits."""
FRIENDSHIP = 0.15
"""What an ally's pound is worth to a member that votes."""
INDIFFERENT = 0.5
"""Pounds below which a member does not mind, and votes for what settles a dispute."""
DAMAGES = (5, 10, 15)
"""Pounds that are offered or asked for where something is given up."""


class Motion(NamedTuple):
    """A proposal worth making. Attributes: what it says; pounds it promises; where; whether it would be adopted."""

    clauses: tuple[Clause, ...]
    gain: float
    area: str
    adopted: bool


class Floor:
    """What may come of a Congress, as a seat sees it. Args: the judgement of the Power; its paper."""

    def __init__(self, outlook: Outlook, desk: Desk) -> None:
        self.outlook, self.desk = outlook, desk
        self.tables, self.state, self.power = desk.tables, desk.state, desk.power
        self.regard = Regard(desk.tables, desk.state)

    def leaning(self, seat: str, clauses: Sequence[Clause]) -> float:
        """Pounds that a proposal is worth to a seat: its own side, what rivals and friends get, and peace in Europe."""
        judge = self.outlook if seat == self.power else self.regard.judgement(seat)
        total = self._brings(judge, clauses) + judge.tension(self.state, UNRESOLVED)
        for other in self.state.players:
            if other != seat:
                theirs = self._brings(self.regard.judgement(other), clauses)
                friend = self.regard.allied(seat, other)
                total += (FRIENDSHIP if friend else -self.regard.weight(seat, other)) * theirs
        return total

    def _brings(self, judge: Outlook, clauses: Sequence[Clause]) -> float:
        return Scales(self.regard, judge, (), clauses, False).total()

    def adopted(self, members: Sequence[str], clauses: Sequence[Clause]) -> bool:
        """Whether more members would vote for a proposal than against it."""
        votes = [self.leaning(seat, clauses) for seat in members]
        return sum(v > -INDIFFERENT for v in votes) > sum(v < -INDIFFERENT for v in votes)

    def motions(self, conflict: Conflict, members: Sequence[str]) -> list[Motion]:
        """What might settle a conflict, what pays best first; only what the statesman would gain by."""
        found = []
        for clauses in self._ways(conflict):
            gain = self.leaning(self.power, clauses)
            if gain > WORTH_TABLING:
                found.append(Motion(clauses, gain, conflict.area, self.adopted(members, clauses)))
        return sorted(found, key=lambda motion: (-motion.adopted, -motion.gain))

    def _ways(self, conflict: Conflict) -> Iterator[tuple[Clause, ...]]:
        """Ways to settle a conflict: share the Area, let one side go down, or pay for what is given up."""
        area = conflict.area
        for cause in conflict.causes:
            if area and cause.cause in MARKERS:
                yield from self._over_markers(cause, area)
            else:
                waive = Clause("waive", power=cause.holder, places=(area,) if area else (), to=cause.against)
                for pounds in DAMAGES:
                    yield waive, Clause("pay", power=cause.against, to=cause.holder, amount=pounds)
                yield (waive,)

    def _over_markers(self, cause: CasusBelli, area: str) -> Iterator[tuple[Clause, ...]]:
        """Ways to settle what markers give a Casus Belli for."""
        held, influence = controllers(self.state, area), influence_holders(self.state, area)
        members = tuple(p for p in self.tables.parties if p in held or (p in influence and p == cause.holder))
        if len(members) > 1 and not any(p in self.state.minors for p in members):
            joins = any(p not in held for p in members)
            yield (Clause("codominion", places=(area,), against=members, marker=PROTECTORATE if joins else ""),)
        for power, other in ((cause.holder, cause.against), (cause.against, cause.holder)):
            own = established(self.state, area, power)
            if own is None or power in self.state.minors:
                continue
            to = INTEREST if LEVEL[own.marker] == LEVEL[INFLUENCE] or other in held else INFLUENCE
            lower = Clause("lower", power=power, places=(area,), marker=to)
            yield (lower,)
            if other in self.state.powers and own.marker in (*CONTROL, INFLUENCE):
                for pounds in DAMAGES:
                    yield lower, Clause("pay", power=other, to=power, amount=pounds)


# --- calling and proposing --------------------------------------------------------------------------------------------


def call(outlook: Outlook, desk: Desk) -> None:
    """Call a Congress where what it would adopt brings more than the tensions cost that it raises."""
    tables, state, power = desk.tables, desk.state, desk.power
    mine = [c for c in state.casus_belli if c.holder == power and c.area]
    if power != desk.seat or state.congress is not None or not mine or not outlook.who.looks_on:
        return
    floor = Floor(outlook, desk)
    concerned = {seat_of(tables, state, p) for c in state.casus_belli for p in calling.parties(c)}
    open_ = conflicts.conflicts(state.casus_belli)
    heat = CONVENING + UNRESOLVED * (len(open_) - 1)
    if state.tension + heat * outlook.who.care**0.5 > TOO_HOT:
        return
    cost = 1.5 * outlook.tension(state, heat)
    members = [s for s in state.players if s in (*calling.european(tables, state), *concerned)]
    best: Motion | None = None
    for conflict in open_:
        if power in conflict.pair and any(c.holder == power for c in conflict.causes):
            for motion in floor.motions(conflict, members):
                if motion.adopted and (best is None or motion.gain > best.gain):
                    best = motion
    if best is None or best.gain - cost < WORTH_CALLING * outlook.who.care:
        return
    sites = calling.sites(tables, state, state.casus_belli)
    friends = [site for site in sites if floor.regard.allied(power, seat_of(tables, state, site))]
    why = f"What Europe would decide about {place_name(tables, best.area)} is worth some £{best.gain:.0f} to it"
    desk.do(ac.CallCongress((*friends, *sites)[0], tuple(c.id for c in mine)), why)


def _propose(outlook: Outlook, desk: Desk, choice: Pending) -> Act:
    """Table what would be adopted and brings something; whoever is no party leaves that to the others, but the host."""
    state, congress = desk.state, desk.state.congress
    nothing = said(ac.Choose(choice.id, ("pass",)), "It has nothing to propose that would be adopted")
    if congress is None:
        return nothing
    floor = Floor(outlook, desk)
    host = calling.host(desk.tables, state, congress.site)
    tabled = {proposal.clauses for proposal in congress.proposals}
    found: list[Motion] = []
    for conflict in conflicts.negotiable(state):
        if desk.seat in {seat_of(desk.tables, state, p) for p in conflict.parties} or desk.seat == host:
            found += floor.motions(conflict, congress.members)
    for motion in sorted(found, key=lambda one: -one.gain):
        draft = ac.Draft("", (), motion.clauses, CONGRESS)
        if motion.adopted and motion.clauses not in tabled and desk.tried(draft) is not None:
            where = f" over {place_name(desk.tables, motion.area)}" if motion.area else ""
            why = f"A settlement{where} that most would vote for, worth £{motion.gain:.0f}"
            return Act(text_of(desk.tables, draft), why)
    return nothing


# --- answers ----------------------------------------------------------------------------------------------------------


def answer(outlook: Outlook, desk: Desk, choice: Pending) -> Act:
    """The answer to a question of a Congress."""
    about = choice.about
    if isinstance(about, Attend):
        return said(ac.Choose(choice.id, ("attend",)), "Who attends has a vote")
    if isinstance(about, Ballot):
        return _vote(outlook, desk, choice, about.proposal)
    if isinstance(about, Signature):
        return said(ac.Choose(choice.id, ("sign",)), "To refuse would give every member a Casus Belli")
    if isinstance(about, Propose):
        return _propose(outlook, desk, choice)
    if isinstance(about, Tie):
        proposal = desk.state.congress.current if desk.state.congress else ""
        gain, why = _judged(outlook, desk, proposal)
        return said(ac.Choose(choice.id, ("yes" if gain > -INDIFFERENT else "no",)), why)
    if isinstance(about, Agenda):
        mine = [c for c in desk.state.casus_belli if desk.power in (c.holder, c.against)]
        own = [cause.area for cause in mine if cause.area in choice.options]
        if own:
            return said(ac.Choose(choice.id, (own[0],)), f"{place_name(desk.tables, own[0])} is what it cares about")
    return orders.answer(desk, choice)


def _vote(outlook: Outlook, desk: Desk, choice: Pending, proposal: str) -> Act:
    """The ballot: as it has promised, else by what the proposal is worth to it."""
    promised = _promised(outlook, desk, proposal)
    if promised:
        return said(ac.Choose(choice.id, (promised, "sign")), "It has promised its vote")
    gain, why = _judged(outlook, desk, proposal)
    return said(ac.Choose(choice.id, ("yes" if gain > -INDIFFERENT else "no", "sign")), why)


def _judged(outlook: Outlook, desk: Desk, id_: str) -> tuple[float, str]:
    """What a proposal before the Congress is worth to the Power, and why it votes as it does."""
    proposal = desk.state.congress.proposal(id_) if desk.state.congress else None
    if proposal is None:
        return 0.0, "It does not know the proposal"
    floor = Floor(outlook, desk)
    gain = floor.leaning(desk.power, proposal.clauses)
    if gain > INDIFFERENT:
        return gain, f"The proposal is worth some £{max(1, round(gain))} to it"
    if gain > -INDIFFERENT:
        return gain, "It loses nothing by a settlement, and Europe gains"
    return gain, f"The proposal would cost it some £{max(1, round(-gain))}, or serve a rival as much"


def _promised(outlook: Outlook, desk: Desk, id_: str) -> str:
    """The vote that a Treaty in force asks of the Power on a proposal, "" for none; the faithless are not bound."""
    proposal = desk.state.congress.proposal(id_) if desk.state.congress else None
    if proposal is None or outlook.who.faithless:
        return ""
    about = {place for clause in proposal.clauses for place in clause.places}
    for treaty in desk.state.treaties:
        for clause in treaty.clauses if treaty.stage == IN_FORCE else ():
            mine = clause.kind == "vote" and clause.power == desk.power and clause.to in ("", proposal.proposer)
            if mine and (not clause.places or not about.isdisjoint(clause.places)):
                return clause.vote
    return ""
