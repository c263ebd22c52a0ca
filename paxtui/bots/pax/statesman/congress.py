"""The Congress of Europe and disputes over Control: calls, proposals, votes and answers.

Estimates how each member values a proposal, and so whether it would be adopted. The bot calls a Congress only
if an adopted proposal would gain more than the tensions cost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from paxtui.bots.pax.caretaker import general_orders
from paxtui.bots.pax.caretaker.planner import Planner
from paxtui.bots.pax.caretaker.war import bot_answer
from paxtui.bots.pax.statesman import war
from paxtui.bots.pax.statesman.evaluation import PositionValuation, military_strength
from paxtui.bots.pax.statesman.great_war import EARLY_TENSIONS, is_early
from paxtui.bots.pax.statesman.treaty_values import PowerRelations, TreatyValuation
from paxtui.engine.bots import BotAction
from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.notation import format_order, parse_order
from paxtui.games.pax.board.status import area_state, controllers, controls, established, influence_holders, seat_of
from paxtui.games.pax.casus_belli import MARKER_CAUSES
from paxtui.games.pax.congress import calling
from paxtui.games.pax.congress.calling import CONVENING_TENSION, Conflict
from paxtui.games.pax.congress.outcome import UNRESOLVED_TENSION
from paxtui.games.pax.diplomacy.transfers import JOINING_PRICE
from paxtui.games.pax.state.diplomacy import CONGRESS, CasusBelli, Clause
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import CONTROL, INFLUENCE, INTEREST, LEVEL, PROTECTORATE
from paxtui.games.pax.state.questions import (
    Agenda,
    Attend,
    Ballot,
    MarkerOffer,
    MoneyOffer,
    Pending,
    Propose,
    ShareOffer,
    Signature,
    Tie,
)
from paxtui.games.pax.text.display import place_name, power_name
from paxtui.games.pax.transaction import GREAT_WAR_TENSION, default_answer

MIN_CONGRESS_GAIN = 1.2
"""Minimum gain by a Congress, in Victory Points."""
MAX_TENSION = 84
"""Maximum European Tensions after calling a Congress from 1900 on."""
MIN_PROPOSAL_GAIN = 1.0
"""Minimum gain for a proposal to a Congress in session, in pounds at the end."""
ALLY_WEIGHT = 0.15
"""Weight of an ally's pound to a voting member."""
MAX_VOTE_LOSS = 0.5
"""Loss in pounds below which a member still votes for a settlement."""
COMPENSATIONS = (5, 10, 15)
"""Compensation, in pounds, that is offered or asked for a concession."""


class CongressMotion(NamedTuple):
    """A proposal worth making: its articles, gain in pounds, place, and whether it would be adopted."""

    clauses: tuple[Clause, ...]
    gain: float
    area: str
    is_adopted: bool


class CongressForecast:
    """Expected results of a Congress, as a seat sees it."""

    def __init__(self, valuation: PositionValuation, planner: Planner) -> None:
        self.valuation, self.planner = valuation, planner
        self.tables, self.state, self.power = planner.tables, planner.state, planner.power
        self.relations = PowerRelations(planner.tables, planner.state)

    def support_value(self, seat: str, clauses: Sequence[Clause]) -> float:
        """Value of a proposal to a seat, in pounds: own gain, rivals, allies and peace."""
        valuation = self.valuation if seat == self.power else self.relations.valuation(seat)
        total = self._brings(valuation, clauses) + valuation.tension_cost(self.state, UNRESOLVED_TENSION)
        for other in self.state.players:
            if other != seat and (theirs := self._brings(self.relations.valuation(other), clauses)):
                if self.relations.are_allied(seat, other):
                    total += ALLY_WEIGHT * theirs
                elif valuation.should_weigh_opponents:
                    total -= self.relations.pound_cost(seat, other) * theirs
        return total

    def _brings(self, valuation: PositionValuation, clauses: Sequence[Clause]) -> float:
        return TreatyValuation(self.relations, valuation, (), clauses, False).total()

    def is_adopted(self, members: Sequence[str], clauses: Sequence[Clause]) -> bool:
        """Whether more members would vote for a proposal than against it."""
        votes = [self.support_value(seat, clauses) for seat in members]
        return sum(v > -MAX_VOTE_LOSS for v in votes) > sum(v < -MAX_VOTE_LOSS for v in votes)

    def motions(self, conflict: Conflict, members: Sequence[str]) -> list[CongressMotion]:
        """Profitable proposals to settle a conflict, best first."""
        found = []
        for clauses in self._settlements(conflict):
            gain = self.support_value(self.power, clauses)
            if gain > MIN_PROPOSAL_GAIN:
                found.append(CongressMotion(clauses, gain, conflict.area, self.is_adopted(members, clauses)))
        return sorted(found, key=lambda motion: (-motion.is_adopted, -motion.gain))

    def _settlements(self, conflict: Conflict) -> Iterator[tuple[Clause, ...]]:
        """Ways to settle a conflict: share the Area, lower a marker, or pay for a concession."""
        area = conflict.area
        for cause in conflict.causes:
            if area and cause.cause in MARKER_CAUSES:
                yield from self._over_markers(cause, area)
            else:
                waive = Clause("waive", power=cause.holder, places=(area,) if area else (), to=cause.against)
                for pounds in COMPENSATIONS:
                    yield waive, Clause("pay", power=cause.against, to=cause.holder, amount=pounds)
                yield (waive,)

    def _over_markers(self, cause: CasusBelli, area: str) -> Iterator[tuple[Clause, ...]]:
        """Ways to settle a Casus Belli over markers."""
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
                for pounds in COMPENSATIONS:
                    yield lower, Clause("pay", power=other, to=power, amount=pounds)


# --- calling and proposing --------------------------------------------------------------------------------------------


def call_congress(valuation: PositionValuation, planner: Planner) -> None:
    """Call a Congress if the expected result is worth more than the tensions cost."""
    tables, state, power = planner.tables, planner.state, planner.power
    mine = [c for c in state.casus_belli if c.holder == power and c.area]
    if power != planner.seat or state.congress is not None or not mine or not valuation.character.looks_ahead:
        return
    if "congresses" in valuation.character.disabled:
        return
    floor = CongressForecast(valuation, planner)
    open_ = calling.conflicts(state.casus_belli)
    heat = CONVENING_TENSION + UNRESOLVED_TENSION * (len(open_) - 1)
    if valuation.wants_great_war:
        if state.tension + CONVENING_TENSION >= GREAT_WAR_TENSION:
            return  # it would bear the blame
    elif state.tension + heat * valuation.character.caution**0.5 > MAX_TENSION + EARLY_TENSIONS * is_early(state):
        return
    sites = calling.open_sites(tables, state, state.casus_belli)
    friends = [site for site in sites if floor.relations.are_allied(power, seat_of(tables, state, site))]
    call = actions.CallCongress((*friends, *sites)[0], tuple(c.id for c in mine))
    why = "Each dispute that the Congress leaves open brings the Great War nearer, and it is first"
    if not valuation.wants_great_war:
        speaks = partial(_simulated_answer, valuation, planner)
        gain = war.expected_value(valuation, planner, (call,), 1, speaks=speaks) - war.expected_value(
            valuation, planner, (), 1
        )
        if gain < MIN_CONGRESS_GAIN * valuation.pounds_per_point * valuation.character.caution:
            return
        places = ", ".join(place_name(tables, area) for area in dict.fromkeys(c.area for c in mine))
        why = f"What Europe would decide about {places} is worth about £{gain:.0f}"
    planner.do(call, why)


def _simulated_answer(
    valuation: PositionValuation, planner: Planner, state: State, choice: Pending
) -> actions.Action | None:
    """Answer a question of a Congress in a simulation, for any seat."""
    if not isinstance(choice.about, Attend | Ballot | Signature | Propose | Tie | Agenda):
        return None
    own = choice.seat == planner.seat
    seat_valuation = valuation if own else PowerRelations(planner.tables, state).valuation(choice.seat)
    there = Planner(planner.tables, state, choice.seat, choice.power or choice.seat, planner.power)
    try:
        order = parse_order(planner.tables, answer_congress(seat_valuation, there, choice).text)
    except Refusal:
        return None
    return order if isinstance(order, actions.Action) else None


def _answer_propose(valuation: PositionValuation, planner: Planner, choice: Pending) -> BotAction:
    """Propose what is profitable and would be adopted; without a stake, only the host proposes."""
    state, congress = planner.state, planner.state.congress
    nothing = bot_answer(choice, ("pass",), "No proposal of its own would pass")
    if congress is None:
        return nothing
    floor = CongressForecast(valuation, planner)
    host = seat_of(planner.tables, state, congress.site)
    tabled = {proposal.clauses for proposal in congress.proposals}
    found: list[CongressMotion] = []
    for conflict in calling.negotiable_conflicts(state):
        if planner.seat in {seat_of(planner.tables, state, p) for p in conflict.parties} or planner.seat == host:
            found += floor.motions(conflict, congress.members)
    for motion in sorted(found, key=lambda one: -one.gain):
        draft = actions.Draft("", (), motion.clauses, CONGRESS)
        if motion.is_adopted and motion.clauses not in tabled and planner.result_of(draft) is not None:
            where = f" over {place_name(planner.tables, motion.area)}" if motion.area else ""
            why = f"A settlement{where} that most would vote for, worth £{motion.gain:.0f}"
            return BotAction(format_order(planner.tables, draft), why)
    return nothing


# --- answers ----------------------------------------------------------------------------------------------------------


def answer_congress(valuation: PositionValuation, planner: Planner, choice: Pending) -> BotAction:
    """Choose the answer to a question of a Congress."""
    about = choice.about
    if isinstance(about, Attend):
        return bot_answer(choice, ("attend",), "Who attends has a vote")
    if isinstance(about, Ballot):
        return _answer_ballot(valuation, planner, choice, about.proposal)
    if isinstance(about, Signature):
        return bot_answer(choice, ("sign",), "To refuse would give every member a Casus Belli")
    if isinstance(about, Propose):
        return _answer_propose(valuation, planner, choice)
    if isinstance(about, Tie):
        proposal = planner.state.congress.current if planner.state.congress else ""
        gain, why = _proposal_value(valuation, planner, proposal)
        return bot_answer(choice, ("yes" if gain > -MAX_VOTE_LOSS else "no",), why)
    if isinstance(about, Agenda):
        mine = [c for c in planner.state.casus_belli if planner.power in (c.holder, c.against)]
        own = [cause.area for cause in mine if cause.area in choice.options]
        if own:
            return bot_answer(choice, (own[0],), f"{place_name(planner.tables, own[0])} is what it cares about")
    return general_orders.answer_question(planner, choice)


def _answer_ballot(valuation: PositionValuation, planner: Planner, choice: Pending, proposal: str) -> BotAction:
    """Vote as promised by Treaty, else by the value of the proposal."""
    promised = _promised_vote(valuation, planner, proposal)
    if promised:
        return bot_answer(choice, (promised, "sign"), "It has promised its vote")
    gain, why = _proposal_value(valuation, planner, proposal)
    return bot_answer(choice, ("yes" if gain > -MAX_VOTE_LOSS else "no", "sign"), why)


def _proposal_value(valuation: PositionValuation, planner: Planner, id_: str) -> tuple[float, str]:
    """Pounds that a proposal is worth to the Power, and the reason for its vote."""
    proposal = planner.state.congress.proposal(id_) if planner.state.congress else None
    if proposal is None:
        return 0.0, "It does not know the proposal"
    floor = CongressForecast(valuation, planner)
    gain = floor.support_value(planner.power, proposal.clauses)
    if gain > MAX_VOTE_LOSS:
        return gain, f"The proposal is worth about £{max(1, round(gain))}"
    if gain > -MAX_VOTE_LOSS:
        return gain, "It loses nothing by a settlement, and Europe gains"
    return gain, f"The proposal would cost about £{max(1, round(-gain))}, or serve a rival as much"


def _promised_vote(valuation: PositionValuation, planner: Planner, id_: str) -> str:
    """Vote that a Treaty in force requires on a proposal, "" for none; faithless characters ignore it."""
    proposal = planner.state.congress.proposal(id_) if planner.state.congress else None
    if proposal is None or valuation.character.is_faithless:
        return ""
    about = {place for clause in proposal.clauses for place in clause.places}
    for treaty in planner.state.treaties:
        for clause in treaty.binding_clauses:
            mine = clause.kind == "vote" and clause.power == planner.power and clause.to in ("", proposal.proposer)
            if mine and (not clause.places or not about.isdisjoint(clause.places)):
                return clause.vote
    return ""


ACCEPT = ("accept",)


def settle_disputes(valuation: PositionValuation, planner: Planner) -> None:
    """Take the best action in each dispute over Control: propose to share it if neither side yields."""
    for area, rival in contested_areas(planner.state, planner.power):
        if controls(planner.state, area, rival) and is_sharing_better(valuation, planner.state, area):
            name = place_name(planner.tables, area)
            why = f"Half of {name} is better than a quarrel with {power_name(planner.tables, rival)}"
            planner.do(actions.Codominion(area), why)


def contested_areas(state: State, power: str) -> list[tuple[str, str]]:
    """Areas under the Power's Control, each with a rival if a Casus Belli exists in either direction."""
    found: dict[tuple[str, str], None] = {}
    for cause in state.casus_belli:
        if cause.area and power in (cause.holder, cause.against) and controls(state, cause.area, power):
            found[cause.area, cause.against if cause.holder == power else cause.holder] = None
    return list(found)


def is_sharing_better(valuation: PositionValuation, state: State, area: str) -> bool:
    """Whether shared Control is worth more than the Interest that remains after yielding."""
    shared = valuation.marker_value(state, area, PROTECTORATE)
    return shared > valuation.marker_value(state, area, INTEREST)


def answer_dispute(valuation: PositionValuation, planner: Planner, choice: Pending) -> BotAction:
    """Accept offers worth taking; share the Area if that beats the alternatives."""
    about = choice.about
    refuse = default_answer(choice)
    if isinstance(about, MoneyOffer):
        return bot_answer(choice, ACCEPT, "Money is always welcome")
    if isinstance(about, MarkerOffer):
        worth = valuation.marker_value(planner.state, about.area, about.marker)
        name = place_name(planner.tables, about.area)
        if worth > 0:
            return bot_answer(choice, ACCEPT, f"{name} is worth about £{worth:.0f} as it is offered")
        return bot_answer(choice, refuse, f"{name} would cost more than it brings")
    if isinstance(about, ShareOffer):
        return _answer_share_offer(valuation, planner, choice, about)
    return bot_answer(choice, refuse, "Nothing is to be gained by it")


def _answer_share_offer(
    valuation: PositionValuation, planner: Planner, choice: Pending, offer: ShareOffer
) -> BotAction:
    """Share an Area if the others also hold Control, or if an Influence becomes a Protectorate by it."""
    state, power, area = planner.state, choice.power, offer.area
    refuse = default_answer(choice)
    name = place_name(planner.tables, area)
    own = established(state, area, power)
    if own is None:
        return bot_answer(choice, refuse, f"It has nothing in {name} to share")
    pays = is_sharing_better(valuation, state, area)
    if own.marker not in CONTROL:
        gain = valuation.marker_value(state, area, PROTECTORATE) - valuation.marker_value(state, area, INTEREST)
        if gain > JOINING_PRICE * valuation.exchanged_pound:
            return bot_answer(choice, ACCEPT, f"For £{JOINING_PRICE} an Influence in {name} becomes a share of it")
        return bot_answer(choice, refuse, f"A share of {name} is not worth £{JOINING_PRICE}")
    rivals = [m.power for m in area_state(state, area).markers if m.power != power and m.marker in CONTROL]
    if pays and rivals:
        rival = power_name(planner.tables, rivals[0])
        return bot_answer(choice, ACCEPT, f"Half of {name} is better than a quarrel with {rival}")
    stronger = [
        p for p in offer.members if p != power and military_strength(state, p) > military_strength(state, power)
    ]
    if pays and stronger and valuation.character.caution > 1.0:
        return bot_answer(
            choice, ACCEPT, f"{power_name(planner.tables, stronger[0])} is too strong to be refused a share of {name}"
        )
    return bot_answer(choice, refuse, f"{name} is held, and need not be shared")
