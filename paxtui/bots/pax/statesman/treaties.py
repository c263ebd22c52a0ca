"""Treaties of the statesman bot: offers, prices, answers to drafts and letters, and duties.

Offers only drafts that benefit both sides, are new and were not recently rejected. Each draft is signed,
answered with a counter-offer, or rejected with the worst article as the reason. Amended drafts get yes or no.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, partial
from math import ceil
from typing import NamedTuple

from msgspec.structs import replace

from paxtui.bots.pax.caretaker import war as calls
from paxtui.bots.pax.caretaker.planner import Planner
from paxtui.bots.pax.caretaker.war import bot_answer
from paxtui.bots.pax.own_drafts import REJECTED, find_obstacle, pounds_due_at_once
from paxtui.bots.pax.statesman import great_war, war
from paxtui.bots.pax.statesman.bargaining import dearest_terms
from paxtui.bots.pax.statesman.evaluation import PositionValuation
from paxtui.bots.pax.statesman.partnerships import sharing_offers
from paxtui.bots.pax.statesman.treaty_values import NET_INCOME, PowerRelations, TreatyValuation, treaty_gain
from paxtui.engine.bots import BotAction
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.dispatches import Dispatch
from paxtui.games.pax.actions.notation import format_order
from paxtui.games.pax.board.status import controllers, controls, established
from paxtui.games.pax.board.tables import Bonus
from paxtui.games.pax.clauses.exchanges import GRANT, PAY, PEACE
from paxtui.games.pax.clauses.notation import stored_clause_text
from paxtui.games.pax.diplomacy.transfers import JOINING_PRICE
from paxtui.games.pax.sequence import OPEN
from paxtui.games.pax.state.diplomacy import DRAFT, ENDED, IN_FORCE, SETTLEMENT, TREATY, Clause, Treaty
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import CONTROL, INFLUENCE, PROTECTORATE
from paxtui.games.pax.state.questions import Duty, Pending, ShareOffer
from paxtui.games.pax.text.display import place_name, power_name, sentence
from paxtui.games.pax.transaction import GREAT_WAR_TENSION
from paxtui.games.pax.treaties.breaches import BREACH_TENSION
from paxtui.games.pax.treaties.conflicts import contradicted_treaty

MAX_PRICE, MIN_PRICE = {"easy": 15, "normal": 15, "hard": 30, "expert": 30}, 4
"""Maximum price asked for a signature by level, and minimum price, in pounds."""
PRICE_SHARE = {"easy": 0.5, "normal": 0.5, "hard": 0.7, "expert": 0.7}
"""Share of the fair compensation that a level asks for; the other side has alternative partners."""
HIGH_GAIN_RATIO = 2.0
"""Minimum ratio of the other side's gain to one's own for asking more."""
RICH_TURN = 5
"""Game Turn from which most Powers have spare money."""


def signature_price(
    relations: PowerRelations, seller: PositionValuation, buyer: PositionValuation, brings: float, surplus: float
) -> int:
    """Price that one side asks for its signature, in pounds; 0 for none.

    The price is a share of the payment that would give both sides equal Victory Points.
    """
    state = relations.state
    if surplus < HIGH_GAIN_RATIO * brings:
        return 0
    purse = state.powers[buyer.power]
    means = max(purse.treasury, purse.record.get(NET_INCOME) or 0) // 2
    price = 1.0 / seller.pounds_per_point + buyer.pound_value(payment_turn(state, buyer.power)) / buyer.pounds_per_point
    alike = (surplus / buyer.pounds_per_point - brings / seller.pounds_per_point) / price
    pounds = min(int(PRICE_SHARE[seller.character.level] * alike), MAX_PRICE[seller.character.level], means)
    return pounds if pounds >= MIN_PRICE else 0


def payment_turn(state: State, power: str) -> int:
    """The Game Turn in which a deferred payment falls due; 0 for at once, if no turn is left.

    Not before RICH_TURN: earlier, the payer loses more than the other gains, because money received in Negotiation
    only buys Victory Points. Several debts fall due in different turns if possible.
    """
    owed = {
        clause.turn
        for treaty in state.treaties
        for clause in treaty.binding_clauses
        if clause.kind == PAY.id and clause.power == power
    }
    to_come = range(state.turn + 1, state.last_turn + 1)
    idle = [turn for turn in to_come if turn >= RICH_TURN] or list(to_come)
    return next((turn for turn in idle if turn not in owed), idle[0] if idle else 0)


FIRST_COALITION_TURN = 4
"""Game Turn from which Powers act together against a leader."""
COALITION_SPAN = 1
"""Duration of such an Alliance, in Game Turns after the present one."""
PROMISE_SPAN = 3
"""Duration of spheres and peace promises, in Game Turns after the present one."""
MAX_SPHERE_AREAS = 3
"""Maximum number of Areas on each side of a division into spheres."""
OFFERED_SHARE = 0.5
"""Share of its gain that the paying side offers."""
MAX_PROMISED_POUNDS = 40
"""Maximum payment offered, in pounds."""
MIN_TRUST = 0.35
"""Trust below which nothing is offered."""
MIN_OFFER_GAIN = 1.0
"""Minimum gain for an offer, in pounds at the end."""
OFFER_PAUSE = 2
"""Game Turns before a rejected offer is made again."""


class TreatyOffer(NamedTuple):
    """A draft worth offering, the reason, and its gain for the Power and for the partner, in pounds at the end."""

    draft: actions.Draft
    why: str
    gain: float
    partner_gain: float


def _earns_bonus(row: Bonus, power: str, clause: Clause) -> bool:
    """Whether an article is drafted for the Victory Points that a row of the Bonus Summary pays for Treaties."""
    test = row.treaty
    if test is None or row.power != power or clause.kind != test.kind:
        return False
    return clause.against == ((test.against,) if test.against else ())


def _overlap(one: actions.Draft, other: actions.Draft) -> bool:
    """Whether two drafts have articles of the same kind over the same Areas, payments apart."""
    articles = [{(c.kind, c.places, c.to) for c in draft.clauses if c.kind != PAY.id} for draft in (one, other)]
    return not articles[0].isdisjoint(articles[1])


class OfferFinder:
    """Finds the Treaty drafts that one Power can offer."""

    def __init__(self, relations: PowerRelations, valuation: PositionValuation) -> None:
        self.relations, self.valuation, self.power = relations, valuation, valuation.power
        self.tables, self.state = relations.tables, relations.state

    def best(self, partners: Sequence[str], each: int = 1) -> list[TreatyOffer]:
        """Return the best drafts, the best first, at most `each` for a partner."""
        found: list[TreatyOffer] = []
        for partner in partners:
            if self.relations.trust(partner) < MIN_TRUST:
                continue
            ideas = (self._evaluate_idea(partner, *idea) for idea in self._ideas(partner))
            worth = sorted((offer for offer in ideas if offer is not None), key=lambda offer: -offer.gain)
            chosen: list[TreatyOffer] = []
            for offer in worth:
                if len(chosen) < each and not any(_overlap(offer.draft, other.draft) for other in chosen):
                    chosen.append(
                        self._with_bargained_price(partner, offer)
                        if self.valuation.character.bargaining_share
                        else offer
                    )
            found += chosen
        return self._no_bonus_twice(sorted(found, key=lambda offer: -offer.gain))

    def settlements(self, partners: Sequence[str]) -> list[TreatyOffer]:
        """Return the best settlement for each partner that holds a Casus Belli against the Power."""
        found: list[TreatyOffer] = []
        for partner in partners:
            if self.relations.has_cause(partner, self.power) and self.relations.trust(partner) >= MIN_TRUST:
                ideas = self._disputes(partner, power_name(self.tables, partner))
                worth = [offer for idea in ideas if (offer := self._evaluate_idea(partner, *idea)) is not None]
                found += [max(worth, key=lambda offer: offer.gain)] if worth else []
        return found

    def _no_bonus_twice(self, offers: Sequence[TreatyOffer]) -> list[TreatyOffer]:
        """Drop offers for a bonus that earlier offers already earn the maximum number of times."""
        chosen: list[TreatyOffer] = []
        brought: Counter[str] = Counter()
        for offer in offers:
            clause = offer.draft.clauses[0]
            row = next((row for row in self._turn_bonuses() if _earns_bonus(row, self.power, clause)), None)
            if row is not None and row.treaty is not None and row.treaty.at_most:
                if brought[row.id] >= row.treaty.at_most:
                    continue
                brought[row.id] += 1
            chosen.append(offer)
        return chosen

    def _turn_bonuses(self) -> Iterator[Bonus]:
        """Rows of the Bonus Summary for each turn that count in this game."""
        players = len(self.state.players)
        return (row for row in self.tables.bonuses_per_turn if row.is_for(players))

    def _evaluate_idea(
        self, partner: str, clauses: tuple[Clause, ...], form: str, public: bool, why: str
    ) -> TreatyOffer | None:
        """Evaluate an idea; return None if it is not worth offering or was offered before."""
        parties = (self.power, partner)
        if not clauses or self._has_such_treaty(parties, clauses):
            return None
        mine = treaty_gain(self.relations, self.valuation, parties, clauses, public)
        if mine < MIN_OFFER_GAIN or contradicted_treaty(self.state, self.power, parties, clauses) is not None:
            return None
        theirs = treaty_gain(self.relations, self.relations.valuation(partner), parties, clauses, public)
        if theirs < MIN_OFFER_GAIN:
            return None
        mine -= self._expected_share_cost(partner, parties, clauses, public, theirs)
        return TreatyOffer(actions.Draft("", parties, clauses, form, public), why, mine, theirs)

    def _with_bargained_price(self, partner: str, offer: TreatyOffer) -> TreatyOffer:
        """The offer with the price that the partner would pay without asking for a share itself."""
        draft, theirs = offer.draft, self.relations.valuation(partner)

        def would_haggle(terms: tuple[Clause, ...]) -> bool:
            brings = treaty_gain(self.relations, theirs, draft.parties, terms, draft.public)
            return terms_with_share(self.relations, theirs, self.power, terms, draft.public, brings) is not None

        date = payment_turn(self.state, partner)
        terms = dearest_terms(self.relations, self.valuation, partner, draft.clauses, draft.public, date, would_haggle)
        found = (
            self._evaluate_idea(partner, terms, draft.form, draft.public, offer.why) if terms != draft.clauses else None
        )
        return found if found is not None and found.gain > offer.gain else offer

    def _expected_share_cost(
        self, partner: str, parties: Sequence[str], clauses: Sequence[Clause], public: bool, theirs: float
    ) -> float:
        """Expected extra cost of a draft, in pounds at the end: the partner may ask for a share."""
        surplus = TreatyValuation(self.relations, self.valuation, parties, clauses, public).total()
        pounds = signature_price(self.relations, self.relations.valuation(partner), self.valuation, theirs, surplus)
        date = payment_turn(self.state, self.power)
        return (
            pounds * (self.valuation.pound_value(date) + self.relations.pound_cost(self.power, partner))
            if date
            else 0.0
        )

    def _has_such_treaty(self, parties: Sequence[str], clauses: Sequence[Clause]) -> bool:
        """Whether the parties have such a Treaty, in force, pending or recently rejected."""
        kinds = {(c.kind, c.places, c.to) for c in clauses}
        for treaty in self.state.treaties:
            of_late = treaty.stage == ENDED and treaty.reason in ("rejected", "withdrawn", "superseded")
            of_late = of_late and treaty.drafted > self.state.turn - OFFER_PAUSE
            if (treaty.stage in (DRAFT, IN_FORCE) or of_late) and set(parties) == set(treaty.parties):
                if kinds & {(c.kind, c.places, c.to) for c in treaty.clauses}:
                    return True
        return False

    # --- ideas --------------------------------------------------------------------------------------------------

    def _ideas(self, partner: str) -> Iterator[tuple[tuple[Clause, ...], str, bool, str]]:
        """Yield articles, form, whether public, and the reason."""
        name = power_name(self.tables, partner)
        yield from self._coalition(partner, name)
        yield from self._alliances(partner, name)
        if self.state.phase == "negotiation":
            yield from self._disputes(partner, name)
            yield from self._partnerships(partner, name)
        yield (
            (Clause("non_aggression", until=min(self.state.last_turn, self.state.turn + PROMISE_SPAN)),),
            TREATY,
            False,
            f"While it is busy elsewhere, {name} is better bound",
        )
        yield self._spheres(partner, name)
        if any(war.side_of(self.power) for war in self.state.wars):
            fee = self._fee(partner, 3)
            coal = Clause("coaling", power=partner, to=self.power, until=self.state.turn)
            yield (coal, fee), TREATY, False, f"Its fleets need the coal of {name}"

    def _coalition(self, partner: str, name: str) -> Iterator[tuple[tuple[Clause, ...], str, bool, str]]:
        """Alliances against a Power that is about to win, of too few Europeans for the Great War."""
        leader = self.relations.leader
        if (
            "alliances" in self.valuation.character.disabled
            or not self.valuation.should_weigh_opponents
            or self.state.turn < FIRST_COALITION_TURN
        ):
            return
        if leader in ("", self.power, partner):
            return
        why = f"{power_name(self.tables, leader)} is about to win: {name} and it can stop it together"
        until = min(self.state.last_turn, self.state.turn + COALITION_SPAN)
        if not self.relations.is_great_war((self.power, partner), leader):
            yield (Clause("offensive", against=(leader,), until=until),), TREATY, False, why

    def _alliances(self, partner: str, name: str) -> Iterator[tuple[tuple[Clause, ...], str, bool, str]]:
        """Defensive Treaties against a Power stronger than each party, and those that earn Victory Points."""
        tables, relations = self.tables, self.relations
        if "alliances" in self.valuation.character.disabled:
            return
        for foe in self.state.players:
            if foe in (self.power, partner) or relations.are_allied(self.power, foe):
                continue
            if relations.is_stronger(foe, self.power) and relations.is_stronger(foe, partner):
                why = f"{power_name(tables, foe)} outweighs both {power_name(tables, self.power)} and {name}"
                openly = self.valuation.tension_weight > 0.0  # who hopes for the Great War does not warn the enemy
                yield (Clause("defensive", against=(foe,)),), TREATY, openly, why
        for row in self._turn_bonuses():
            test = row.treaty
            if row.power != self.power or test is None or test.kind not in ("defensive", "any"):
                continue
            if test.against != partner:
                clause = Clause("defensive", against=(test.against,) if test.against else ())
                why = f"It brings {row.points} Victory Points a turn, and {name} an ally"
                yield (clause,), TREATY, True, why
                for pounds in (4, 10, 20, 35):
                    yield (clause, self._fee(partner, pounds)), TREATY, True, f"{why}, for £{pounds}"

    def _disputes(self, partner: str, name: str) -> Iterator[tuple[tuple[Clause, ...], str, bool, str]]:
        """Settlements of disputes: a Codominion, or a waiver for money."""
        asked = {choice.area for choice in self.state.choices if isinstance(choice.about, ShareOffer)}
        for cause in self.state.casus_belli:
            area = cause.area
            if area in asked or {cause.holder, cause.against} != {self.power, partner}:
                continue
            if not area:
                if cause.holder == partner:
                    waiver = Clause("waive", power=partner, to=self.power)
                    why = f"{name} is paid for giving up its Casus Belli"
                    yield self._for_money(partner, (waiver,), why, later=True)
                continue
            where = place_name(self.tables, area)
            held = controllers(self.state, area)
            if self.power in held or partner in held:
                yield from self._shares(partner, area, f"Half of {where} is better than a quarrel with {name}")
            if cause.holder == partner:
                waiver = Clause("waive", power=partner, places=(area,), to=self.power)
                why = f"{name} is paid for leaving it {where} in peace"
                yield self._for_money(partner, (waiver,), why, later=True)

    def _partnerships(self, partner: str, name: str) -> Iterator[tuple[tuple[Clause, ...], str, bool, str]]:
        """Shares of rich Areas, for money."""
        if "shares" in self.valuation.character.disabled:
            return
        theirs = self.relations.valuation(partner)
        why = f"Shared with {name}, they bring both together more than one alone"
        for holder, joiner in ((self.valuation, theirs), (theirs, self.valuation)):
            for clauses in sharing_offers(self.relations, holder, joiner):
                yield clauses, SETTLEMENT, False, why

    def _shares(self, partner: str, area: str, why: str) -> Iterator[tuple[tuple[Clause, ...], str, bool, str]]:
        """A Codominion of an Area where both have markers; the side that gains more pays."""
        members = tuple(p for p in self.tables.powers if p in (self.power, partner))
        if any(p not in members for p in controllers(self.state, area)):
            return
        for member in members:
            own = established(self.state, area, member)
            if own is None or own.marker not in (*CONTROL, INFLUENCE):
                return
        joins = not all(controls(self.state, area, p) for p in members)
        shared = Clause("codominion", places=(area,), against=members, marker=PROTECTORATE if joins else "")
        yield (shared,), SETTLEMENT, False, why
        yield self._for_money(partner, (shared,), why)

    def _for_money(
        self, partner: str, clauses: tuple[Clause, ...], why: str, later: bool = False
    ) -> tuple[tuple[Clause, ...], str, bool, str]:
        """Add the payment that makes a settlement fair to the partner; no articles if it is too high.

        With `later`, money that the Power lacks is promised for a later turn, with a supplement for the risk.
        """
        parties = (self.power, partner)
        theirs = self.relations.valuation(partner)
        lacks = MIN_OFFER_GAIN - treaty_gain(self.relations, theirs, parties, clauses, False)
        mine = TreatyValuation(self.relations, self.valuation, parties, clauses, False).total()
        pounds = max(
            1,
            ceil(
                max(lacks / theirs.exchanged_pound + 0.5, OFFERED_SHARE * 0.5 * mine / self.valuation.exchanged_pound)
            ),
        )
        most = (self.state.powers[self.power].treasury - JOINING_PRICE) // 2
        date = payment_turn(self.state, self.power)
        if later and pounds > most and date:
            pounds, most = (
                ceil(pounds / self.relations.payment_chance(self.power, partner, pounds, date)),
                MAX_PROMISED_POUNDS,
            )
        if lacks > mine or pounds > min(MAX_PROMISED_POUNDS, most):
            return (), SETTLEMENT, False, why
        return (*clauses, self._fee(partner, pounds)), SETTLEMENT, False, f"{why}, for £{pounds}"

    def _fee(self, partner: str, pounds: int) -> Clause:
        """Payment to the partner: now if affordable, else deferred."""
        late = pounds > self.state.powers[self.power].treasury // 2
        date = payment_turn(self.state, self.power) if late else 0
        return Clause("pay", power=self.power, to=partner, amount=pounds, turn=date)

    def _spheres(self, partner: str, name: str) -> tuple[tuple[Clause, ...], str, bool, str]:
        """Divide the Areas that both might take, so that neither races for them."""
        ours = self._expansion_values
        theirs = self._expansion_values_of(self.relations.valuation(partner), ours)
        both = sorted(theirs)
        both.sort(
            key=lambda area: (
                ours[area] / self.valuation.pounds_per_point
                - theirs[area] / self.relations.valuation(partner).pounds_per_point
            )
        )
        mine, yours = both[::-1][: len(both) // 2][:MAX_SPHERE_AREAS], both[: len(both) // 2][:MAX_SPHERE_AREAS]
        until = min(self.state.last_turn, self.state.turn + PROMISE_SPAN)
        clauses = tuple(
            Clause("no_marker", power=power, marker=PROTECTORATE, places=self._in_order(areas), until=until)
            for power, areas in ((partner, mine), (self.power, yours))
            if areas
        )
        return clauses, TREATY, False, f"{name} and it need not race for the same Areas"

    def _in_order(self, areas: Sequence[str]) -> tuple[str, ...]:
        return tuple(area for area in self.tables.areas if area in areas)

    @cached_property
    def _expansion_values(self) -> dict[str, float]:
        """Areas whose Control the Power might take, with their value to it."""
        return self._expansion_values_of(self.valuation, self.tables.areas)

    def _expansion_values_of(self, valuation: PositionValuation, areas: Iterable[str]) -> dict[str, float]:
        """Those of some Areas whose Control a Power might take, with their value to it."""
        scales = TreatyValuation(self.relations, valuation, (), (), False)
        return {area: worth for area in areas if (worth := scales.expansion_value(area, PROTECTORATE)) > 0}


MAX_OFFERS = {"easy": 1, "normal": 2, "hard": 6, "expert": 12}
"""Maximum number of drafts offered per turn."""
MAX_OFFERS_TO_PARTNER = {"expert": 2}
"""Maximum number of drafts for the same partner, by level; 1 for the others."""
SETTLING_KINDS = ("waive", "codominion")
"""Kinds of articles that end a Casus Belli."""
ALLIANCE_KINDS = {"defensive", "offensive"}
"""Kinds of articles by which Powers come to each other's aid."""
MIN_SIGNING_GAIN = 0.2
"""Minimum gain for signing a draft, in pounds at the end."""
MAX_ASKED_POUNDS = 50
"""Maximum price asked for a signature, in pounds."""
MAX_COUNTER_OFFERS = 3
"""Maximum number of counter-offers to a seat in a Game Turn."""
PRICE_TOLERANCE = 3.0
"""Pounds that a Treaty may be worth less than when the price was named, before the price no longer holds."""
MIN_BARGAIN_GAIN = 2.0
"""Minimum gain by a higher price, in pounds at the end, for a statesman that bargains."""
MIN_GAIN_RATIO = 0.3
"""Minimum ratio of the other side's estimated gain to a price; the estimate is uncertain."""


def offer_treaties(valuation: PositionValuation, planner: Planner, threatened: str = "") -> None:
    """Offer the best Treaties that also benefit the partners; none to a Power that is threatened with War."""
    if planner.power != planner.seat:
        return
    others = [p for p in planner.state.players if p not in (planner.power, threatened)]
    offers = OfferFinder(PowerRelations(planner.tables, planner.state), valuation)
    found = offers.best(others, MAX_OFFERS_TO_PARTNER.get(valuation.character.level, 1))
    found = _affordable(planner, found, MAX_OFFERS.get(valuation.character.level, 1))
    if valuation.character.level != "easy" and planner.state.phase == "negotiation":  # settle with possible attackers
        settled = [one for one in found if any(c.kind in SETTLING_KINDS for c in one.draft.clauses)]
        served = {p for one in settled for p in one.draft.parties}
        found += offers.settlements([p for p in others if p not in served])
    for one in _affordable(planner, found, len(found)):
        planner.do(one.draft, one.why)


def _affordable(planner: Planner, offers: Sequence[TreatyOffer], most: int) -> list[TreatyOffer]:
    """The first offers, at most `most`, that the Power can pay together."""
    left, chosen = _money_left(planner), list[TreatyOffer]()
    for offer in offers:
        due = max(0, pounds_due_at_once(planner.tables, planner.state, offer.draft.clauses, planner.power))
        if len(chosen) < most and due <= left:
            left -= due
            chosen.append(offer)
    return chosen


# --- answers ----------------------------------------------------------------------------------------------------------


def answer_drafts(valuation: PositionValuation, planner: Planner) -> None:
    """Sign, amend or reject all drafts that wait for the Power's signature."""
    drafts = planner.unsigned_drafts()
    relations = PowerRelations(planner.tables, planner.state) if drafts else None
    for treaty in drafts:
        assert relations is not None
        brings = treaty_gain(relations, valuation, treaty.parties, treaty.clauses, treaty.public)
        kinds, lacks = {clause.kind for clause in treaty.clauses}, valuation.character.disabled
        if ("shares" in lacks and GRANT.id in kinds) or ("alliances" in lacks and kinds & ALLIANCE_KINDS):
            brings = min(0.0, brings)
        if any(clause.kind == PEACE.id for clause in treaty.clauses):
            brings += war.peace_value(valuation, planner, war.PEACE_SIMULATIONS.get(valuation.character.level, 1))
        threat = war.threat_in(planner.tables, planner.state, treaty, planner.power)
        if threat is not None and valuation.character.looks_ahead:
            loss = war.gain_by_giving_way(valuation, planner, (treaty.drafter, planner.power), treaty.clauses)
            brings = max(brings, loss + war.feared_loss(valuation, planner, threat))
        refusal = _ground_to_refuse(planner, treaty)
        if refusal:
            planner.do(actions.Reject(treaty.id), refusal)
            continue
        named = _quoted_price(planner.state, treaty, planner.power)
        if named is not None and _net_payment(treaty.clauses, planner.power) >= named and brings > -PRICE_TOLERANCE:
            brings = max(brings, MIN_SIGNING_GAIN)  # accept the price it asked for
        elif _bargain(relations, valuation, planner, treaty, brings) or _ask_for_share(
            relations, valuation, planner, treaty, brings
        ):
            continue
        if brings >= MIN_SIGNING_GAIN:
            if planner.do(actions.Sign(treaty.id), f"The Treaty is worth about £{max(1, round(brings))}"):
                continue
            planner.do(
                actions.Reject(treaty.id), "As things stand it cannot be carried out, or would break another Treaty"
            )
        elif not _amend_draft(relations, valuation, planner, treaty, MIN_SIGNING_GAIN - brings):
            planner.do(actions.Reject(treaty.id), _objection(relations, valuation, planner, treaty))


def return_to_first_terms(valuation: PositionValuation, planner: Planner) -> None:
    """Offer again what others have offered, if they would not pay the price that the Power asked for it."""
    state, relations = planner.state, PowerRelations(planner.tables, planner.state)
    drafts = {treaty.id: treaty for treaty in state.treaties}
    for answer in state.treaties:
        first = drafts.get(answer.instead) if answer.drafter == planner.power and answer.reason == REJECTED else None
        if first is None or first.drafter == planner.power or answer.drafted < state.turn:
            continue
        was_offered = any(t.clauses == first.clauses and t.drafter == planner.power for t in state.treaties)
        if (
            was_offered
            or treaty_gain(relations, valuation, first.parties, first.clauses, first.public) < MIN_SIGNING_GAIN
        ):
            continue
        draft = actions.Draft("", first.parties, first.clauses, first.form, first.public)
        planner.do(draft, f"It takes the terms that {power_name(planner.tables, first.drafter)} has offered itself")


def _ground_to_refuse(planner: Planner, treaty: Treaty) -> str:
    """Why the Power cannot sign a draft, whatever it is worth; "" if it can."""
    due = pounds_due_at_once(planner.tables, planner.state, treaty.clauses, planner.power)
    if due > max(0, _money_left(planner)):
        return f"£{due} would be due at once, which is more than it can pay"
    old = contradicted_treaty(planner.state, planner.power, treaty.parties, treaty.clauses)
    if old is not None:
        return f"It cannot keep this beside a Treaty that it has signed ({old.name or old.id})"
    deeds = [clause for clause in treaty.clauses if clause.kind != PAY.id]
    obstacle = find_obstacle(planner.tables, planner.state, treaty.parties, deeds)
    return f"It cannot be carried out. {obstacle}" if obstacle is not None else ""


def _counter(planner: Planner, treaty: Treaty, clauses: tuple[Clause, ...], why: str) -> bool:
    """Answer a draft with other articles, if they can be carried out at once."""
    if find_obstacle(planner.tables, planner.state, treaty.parties, clauses) is not None:
        return False
    return planner.do(actions.Draft("", treaty.parties, clauses, treaty.form, treaty.public, treaty.id), why)


def _may_bargain(planner: Planner, treaty: Treaty) -> bool:
    """Whether a draft may be answered with another: by a player, of two parties, three times a turn at most."""
    other, state = treaty.drafter, planner.state
    if treaty.instead or len(treaty.parties) != 2 or state.phase not in OPEN or other not in state.players:
        return False
    answered = sum(
        old.drafter == planner.power and bool(old.instead) and old.drafted == state.turn and other in old.parties
        for old in state.treaties
    )
    return answered < MAX_COUNTER_OFFERS


def _amend_draft(
    relations: PowerRelations, valuation: PositionValuation, planner: Planner, treaty: Treaty, lacks: float
) -> bool:
    """Counter a draft with a price for the signature, if the other side can pay and gains enough."""
    other = treaty.drafter
    if not _may_bargain(planner, treaty):
        return False
    theirs = relations.valuation(other)
    surplus = TreatyValuation(relations, theirs, treaty.parties, treaty.clauses, treaty.public).total()
    pounds, named = ceil(lacks / valuation.exchanged_pound) + 1, _quoted_price(planner.state, treaty, planner.power)
    if named is not None:
        pounds = min(pounds, named - _net_payment(treaty.clauses, planner.power))
    if not 0 < pounds <= min(MAX_ASKED_POUNDS, planner.state.powers[other].treasury):
        return False
    asked = -_net_payment(treaty.clauses, planner.power)
    if 0 < asked < pounds:  # who asks for money is not asked to pay instead
        return False
    if named is None and surplus < MIN_GAIN_RATIO * pounds * theirs.exchanged_pound:
        return False
    fee, now = Clause("pay", power=other, to=planner.power, amount=pounds), (0, planner.state.turn)
    paid = [c for c in treaty.clauses if c.turn in now and replace(c, amount=pounds, turn=0) == fee]
    fee = replace(fee, amount=pounds + sum(c.amount for c in paid))
    clauses = balance_clauses([c for c in treaty.clauses if c not in paid], fee)
    if treaty_gain(relations, valuation, treaty.parties, clauses, treaty.public) < MIN_SIGNING_GAIN:
        return False
    why = f"For £{pounds} it would sign what {power_name(planner.tables, other)} asks for"
    return _counter(planner, treaty, clauses, why)


def balance_clauses(clauses: Sequence[Clause], fee: Clause) -> tuple[Clause, ...]:
    """Add a fee to the articles, netted against payments in the opposite direction, now or later."""
    back = replace(fee, power=fee.to, to=fee.power)
    against = [c for c in clauses if c.kind == fee.kind and replace(c, amount=fee.amount, turn=fee.turn) == back]
    owed = fee.amount - sum(c.amount for c in against)
    net = replace(fee, amount=owed) if owed > 0 or not against else replace(against[-1], amount=-owed)
    return (*(c for c in clauses if c not in against), *([net] if net.amount else []))


def _money_left(planner: Planner) -> int:
    """Pounds of the Power, less payments due at once by drafts it signed that are still pending."""
    waiting = [t for t in planner.state.treaties if t.stage == DRAFT and planner.power in t.signed]
    due = (pounds_due_at_once(planner.tables, planner.state, t.clauses, planner.power) for t in waiting)
    return planner.treasury - sum(max(0, pounds) for pounds in due)


def _net_payment(clauses: Sequence[Clause], power: str) -> int:
    """Pounds a Power receives by articles, less those it pays."""
    return sum(c.amount * ((c.to == power) - (c.power == power)) for c in clauses if c.kind == PAY.id)


def _quoted_price(state: State, treaty: Treaty, power: str) -> int | None:
    """Price that the Power named in this Game Turn for the same articles; None if none."""
    wanted = [clause for clause in treaty.clauses if clause.kind != PAY.id]
    prices = [
        _net_payment(old.clauses, power)
        for old in state.treaties
        if old.drafter == power and old.instead and old.drafted == state.turn
        if set(old.parties) == set(treaty.parties)
        if [clause for clause in old.clauses if clause.kind != PAY.id] == wanted
    ]
    return min(prices, default=None)


def _ask_for_share(
    relations: PowerRelations, valuation: PositionValuation, planner: Planner, treaty: Treaty, brings: float
) -> bool:
    """Ask for a share if the other side gains far more Victory Points by a Treaty.

    A price named for the same articles stays fixed for the rest of the turn.
    """
    other = treaty.drafter
    if valuation.character.level == "easy" or not valuation.should_weigh_deals or not _may_bargain(planner, treaty):
        return False
    named = _quoted_price(planner.state, treaty, planner.power)
    clauses = terms_with_share(relations, valuation, other, treaty.clauses, treaty.public, brings, named)
    if clauses is None:
        return False
    pounds = sum(c.amount for c in clauses if c.kind == PAY.id and (c.power, c.to) == (other, planner.power))
    why = f"{power_name(planner.tables, other)} gains more by it, and may pay £{pounds} for that"
    return _counter(planner, treaty, clauses, why)


def terms_with_share(
    relations: PowerRelations,
    seller: PositionValuation,
    buyer: str,
    clauses: Sequence[Clause],
    public: bool,
    brings: float,
    named: int | None = None,
) -> tuple[Clause, ...] | None:
    """Return the terms that a Power asks for instead of signing, because the other gains far more; None if it signs.

    Args:
        relations: relations between the Powers.
        seller: the valuation of the Power that is asked to sign.
        buyer: the other party.
        clauses: the articles offered.
        public: whether all players would know of the agreement.
        brings: pounds at the end that the articles bring the seller.
        named: pounds that it has asked for the same articles before; None if it has not.
    """
    power, parties, theirs = seller.power, (seller.power, buyer), relations.valuation(buyer)
    surplus = TreatyValuation(relations, theirs, parties, clauses, public).total()
    promised = [c for c in clauses if c.kind == PAY.id and c.power == buyer and c.to == power]
    date = payment_turn(relations.state, buyer)
    pounds = signature_price(relations, seller, theirs, brings, surplus)
    if not pounds or not date or len(promised) > 1:
        return None
    offered = sum(clause.amount for clause in promised)
    pounds = offered + pounds if named is None else named
    if pounds <= offered:
        return None
    fee = Clause("pay", power=buyer, to=power, amount=pounds, turn=date)
    terms = balance_clauses([c for c in clauses if c not in promised], fee)
    return terms if treaty_gain(relations, seller, parties, terms, public) >= MIN_SIGNING_GAIN else None


def _bargain(
    relations: PowerRelations, valuation: PositionValuation, planner: Planner, treaty: Treaty, brings: float
) -> bool:
    """Answer a draft with the highest price for which the other side would sign."""
    other = treaty.drafter
    named = _quoted_price(planner.state, treaty, planner.power)
    if not valuation.character.bargaining_share or named is not None or not _may_bargain(planner, treaty):
        return False
    date = payment_turn(planner.state, other)
    clauses = dearest_terms(relations, valuation, other, treaty.clauses, treaty.public, date)
    more = _net_payment(clauses, planner.power) - _net_payment(treaty.clauses, planner.power)
    gain = treaty_gain(relations, valuation, treaty.parties, clauses, treaty.public)
    if more < MIN_PRICE or gain < max(MIN_SIGNING_GAIN, brings + MIN_BARGAIN_GAIN):
        return False
    return _counter(planner, treaty, clauses, f"{power_name(planner.tables, other)} would pay £{more} more for that")


def _objection(relations: PowerRelations, valuation: PositionValuation, planner: Planner, treaty: Treaty) -> str:
    """Reason for rejecting a draft: a price above its own offer, the most costly article, or what the others gain."""
    own = next((t for t in planner.state.treaties if t.id == treaty.instead and t.drafter == planner.power), None)
    more = (
        _net_payment(own.clauses, planner.power) - _net_payment(treaty.clauses, planner.power) if own is not None else 0
    )
    if own is not None and more > 0:
        if treaty_gain(relations, valuation, own.parties, own.clauses, own.public) >= MIN_SIGNING_GAIN:
            return f"£{more} more is not worth it; what it offered itself it would still sign"
    value = TreatyValuation(relations, valuation, treaty.parties, treaty.clauses, treaty.public)
    worth = value.articles()
    if worth and min(worth) < -0.5:
        number = worth.index(min(worth))
        words = stored_clause_text(planner.tables, treaty.clauses[number])
        pounds = max(1, round(-min(worth)))
        return sentence(f"{words}: that would cost it about £{pounds}, and what it gets is worth less")
    doubted = next((p for p in treaty.parties if p != planner.power and relations.breach_turns(p)), "")
    if doubted:
        return f"The word of {power_name(planner.tables, doubted)} has been broken before"
    if value.total() >= MIN_SIGNING_GAIN:
        return f"{power_name(planner.tables, treaty.drafter)} gains more by it"
    return "It gains nothing by it"


def answer_letters(valuation: PositionValuation, planner: Planner, writers: Sequence[str]) -> list[BotAction]:
    """Answer each seat that has written, with a draft if one would benefit both.

    Rules: TRE-001
    """
    told = []
    offers = (
        OfferFinder(PowerRelations(planner.tables, planner.state), valuation) if planner.state.phase in OPEN else None
    )
    for writer in writers:
        found = _affordable(planner, offers.best([writer]), 1) if offers else []
        put = [one for one in found if planner.do(one.draft, one.why)]
        if put:
            articles = "; ".join(stored_clause_text(planner.tables, clause) for clause in put[0].draft.clauses)
            words = f"Our terms lie before you in writing. {sentence(articles)}"
        elif any(
            t.drafter == planner.power and writer in t.parties and t.stage == DRAFT for t in planner.state.treaties
        ):
            words = "Our terms lie before you already; they wait for your signature."
        else:
            words = "At present we see nothing that serves us both. Put it in writing, and you have our answer at once."
        told.append(BotAction(format_order(planner.tables, Dispatch((writer,), words))))
    return told


# --- duties -----------------------------------------------------------------------------------------------------------


def state_without_debts(valuation: PositionValuation, state: State, power: str) -> State:
    """The position less the pounds that the Power owes by Treaties at this turn's next Negotiation.

    Faithless characters do not set aside money for debts that cost more than a breach.
    """
    owed = sum(
        clause.amount
        for treaty in state.treaties
        for clause in treaty.binding_clauses
        if clause.kind == PAY.id and clause.power == power and clause.upon is None
        if clause.turn == state.turn or (clause.every_turn and state.turn <= (clause.until or state.turn))
    )
    if not owed or (valuation.character.is_faithless and owed * valuation.pound_now > valuation.breach_cost(state)):
        return state
    purse = state.powers[power]
    left = replace(purse, treasury=max(0, purse.treasury - owed))
    return replace(state, powers={**state.powers, power: left})


def answer_duty(valuation: PositionValuation, planner: Planner, choice: Pending, duty: Duty) -> BotAction:
    """Fulfil a Treaty duty; faithless characters break it if that pays."""
    if valuation.character.is_faithless and duty.owes == planner.power:
        treaty = next((t for t in planner.state.treaties if t.id == duty.treaty), None)
        clause = treaty.clauses[duty.clause] if treaty else None
        if clause is not None and clause.amount * valuation.pound_now > valuation.breach_cost(planner.state):
            return bot_answer(choice, ("break",), f"£{clause.amount} is more than a promise is worth")
        if clause is not None and clause.kind == PAY.id and clause.amount > planner.treasury:
            return bot_answer(choice, ("break",), "What it owes has been put to better use")
    return calls.answer_duty(planner, choice)


# --- breaches ---------------------------------------------------------------------------------------------------------


def renounce_treaties(valuation: PositionValuation, planner: Planner) -> None:
    """Break Treaties if that brings the Great War close: the Power is first then, and the blame falls on others.

    Rules: TRE-012, TRE-016, ETI-027, ETI-029
    """
    if planner.power == planner.seat and valuation.wants_great_war:
        planner.add_all_or_none(partial(_renounce_until_close, planner, valuation.breaches_left))


def _renounce_until_close(planner: Planner, most: int) -> bool:
    """Reveal and renounce Treaties below the tensions of the Great War; return whether these are close then."""
    why = "Its broken word brings the Great War near, and it is first if the War comes"
    own = [t for t in planner.state.treaties if t.stage == IN_FORCE and planner.power in t.bound and not t.breaches]
    planner.keeps_treaties = False
    for treaty in sorted(own, key=lambda t: (len(t.bound), t.id)):
        if most and planner.state.tension + BREACH_TENSION < GREAT_WAR_TENSION:
            if treaty.public or planner.do(actions.Reveal(treaty.id), why):
                most -= planner.do(actions.Renounce(treaty.id), why)
    planner.keeps_treaties = True
    return planner.state.tension >= great_war.close_tensions(planner.state, planner.power)
