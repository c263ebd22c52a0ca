"""Value of each article of a Treaty to a Power, in pounds at the end of the game.

Immediate effects count in full; promises count by the trust in the other side and by their duration.
Also the relations between Powers: relative strength, threat and trust.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from functools import cached_property

from msgspec.structs import replace

from paxtui.bots.pax.own_drafts import would_be_great_war
from paxtui.bots.pax.prediction import Prediction, effective_gain, predict_results, rival_stakes
from paxtui.bots.pax.profiles import character_of
from paxtui.bots.pax.statesman.evaluation import (
    PositionValuation,
    bonus_gain,
    bonus_value,
    military_strength,
    opened_value,
    state_without_markers,
)
from paxtui.bots.pax.valuation import pounds_per_point
from paxtui.games.pax.board.routes import linked_areas
from paxtui.games.pax.board.status import area_state, controllers, established, unestablished
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.clauses.registry import is_immediate
from paxtui.games.pax.diplomacy.transfers import JOINING_PRICE
from paxtui.games.pax.expansion.placement import highest_marker, marker_price
from paxtui.games.pax.state.diplomacy import IN_FORCE, CasusBelli, Clause, Treaty
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import CONTROL, INFLUENCE, INTEREST, LEVEL, PROTECTORATE, Marker
from paxtui.games.pax.treaties import lookup
from paxtui.games.pax.treaties.conflicts import offensive_followers
from paxtui.games.pax.turn import victory

DEFENSIVE, OFFENSIVE, PAY = "defensive", "offensive", "pay"
LEADER_CHANCE = 0.35
"""Chance to win from which a Power counts as the leader: the others act together against it."""
LEADER_WAR_LOSS = 12.0
"""Victory Points that a joint War may cost a leader."""
GREAT_WAR_COST = 5.0
"""Victory Points that an Alliance costs whose War would be the Great War."""
WAR_CHANCE = 0.3
"""Chance that an offensive Alliance leads to a War."""
NET_INCOME = "22"
"""Line of the record sheet with the money that a Power can spend."""
FULL_TRUST = 0.85
"""Trust in a Power that has broken no Treaty."""
RECENT_BREACH_FACTOR, OLD_BREACH_FACTOR = 0.4, 0.7
"""Factors on trust for each known broken Treaty: recent, and older."""
RECENT_BREACH_TURNS = 4
"""Game Turns during which a broken Treaty counts as recent."""
THREAT_VALUE = 5.0
"""Value of safety from a neighbour of equal strength, in pounds at the end."""
NEIGHBOUR_AREA_COUNT = 3
"""Number of shared Areas from which two Powers count fully as neighbours."""
REMOTE_THREAT_WEIGHT = 0.4
"""Weight of a threat from a Power without shared Areas."""
PAYMENT_CHANCE_PER_TURN = 0.93
"""Factor on the chance of a deferred payment for each turn until it is due."""
MIN_INCOME = 20
"""Pounds a turn that every Power is assumed to have for its debts."""
BREACH_TEMPTATION = 12.0
"""Pounds that a Power saves by not paying before it is tempted, if its creditor is of the same strength."""
ASSUMED_CHARACTER = character_of("normal", "")._replace(looks_ahead=False)
"""Character that the bot assumes for other players."""


class PowerRelations:
    """Relations between all Powers in one position, as a seat sees it."""

    def __init__(self, tables: Tables, state: State) -> None:
        self.tables, self.state = tables, state
        self._strength: dict[str, int] = {}
        self._valuations: dict[str, PositionValuation] = {}
        self._stakes: dict[str, dict[str, float]] = {}
        self._causes = Counter((cause.holder, cause.against) for cause in state.casus_belli)
        self.cached_totals: dict[tuple[Hashable, ...], float] = {}  # values that `TreatyValuation` has computed

    def strength(self, power: str) -> int:
        """Strength points of a Power's Military Units, at least 1."""
        if power not in self._strength:
            self._strength[power] = max(1, military_strength(self.state, power))
        return self._strength[power]

    def valuation(self, power: str) -> PositionValuation:
        """Valuation that another Power is assumed to have, from public information."""
        if power not in self._valuations:
            self._valuations[power] = PositionValuation(self.tables, self.state, power, ASSUMED_CHARACTER, "")
        return self._valuations[power]

    @cached_property
    def totals(self) -> dict[str, float]:
        """Expected final totals of all seats, in Victory Points."""
        return {seat: found.total for seat, found in self.predictions.items()}

    @cached_property
    def predictions(self) -> dict[str, Prediction]:
        """Expected totals and chances of all seats."""
        return predict_results(self.tables, self.state)

    def pound_cost(self, power: str, rival: str) -> float:
        """Cost of a rival's pound to a Power, in pounds."""
        return self.stake(power, rival) * self.valuation(power).exchange_rate(rival)

    def shared_area_count(self, power: str, other: str) -> int:
        """Number of Areas in which both have a marker."""
        areas = self._marked_areas.get(power, set())
        return len(areas.intersection(self._marked_areas.get(other, ())))

    @cached_property
    def _marked_areas(self) -> dict[str, set[str]]:
        """The Areas in which each Power has a marker."""
        found: dict[str, set[str]] = {}
        for area, here in self.state.areas.items():
            for marker in here.markers:
                found.setdefault(marker.power, set()).add(area)
        return found

    def has_cause(self, power: str, against: str) -> bool:
        """Whether a Power holds a Casus Belli against another."""
        return self._causes[power, against] > 0

    def is_stronger(self, power: str, other: str) -> bool:
        """Whether a Power is clearly stronger than another."""
        return self.strength(power) > 1.1 * self.strength(other)

    def is_far_stronger(self, power: str, foe: str) -> bool:
        """Whether a Power and its offensive allies are stronger by far than another and its defensive allies."""
        own = self.strength(power) + sum(map(self.strength, self.offensive_allies(power, foe)))
        return own > 1.3 * (self.strength(foe) + sum(map(self.strength, self.defensive_allies(foe, power))))

    def threat_value(self, power: str, foe: str) -> float:
        """Value to a Power of safety from another, in pounds at the end."""
        near = max(REMOTE_THREAT_WEIGHT, min(1.0, self.shared_area_count(power, foe) / NEIGHBOUR_AREA_COUNT)) + (
            1.0 if self.has_cause(foe, power) else 0.0
        )
        return THREAT_VALUE * near * min(2.5, self.strength(foe) / self.strength(power))

    def defensive_allies(self, power: str, foe: str) -> tuple[str, ...]:
        """Powers that known Treaties oblige to defend a Power against an enemy."""
        found: dict[str, None] = {}
        for treaty in self.treaties:
            if power in treaty.bound:
                calls = [
                    c for c in treaty.binding_clauses if c.kind == DEFENSIVE and (foe in c.against or not c.against)
                ]
                helpers = [p for c in calls for p in treaty.partners(power) if c.power in ("", p)]
                found.update((p, None) for p in helpers if p not in (power, foe) and foe not in treaty.bound)
        return tuple(found)

    def offensive_allies(self, power: str, foe: str) -> tuple[str, ...]:
        """Powers that known Treaties oblige to join a Power in a War that it declares on an enemy."""
        return offensive_followers(self.treaties, self.state.turn, power, foe)

    @cached_property
    def treaties(self) -> tuple[Treaty, ...]:
        """The known Treaties, permanent Alliances included."""
        return lookup.all_treaties(self.tables, self.state)

    def is_great_war(self, parties: Iterable[str], foe: str) -> bool:
        """Whether a War of these Powers and their followers on an enemy would have enough European Powers."""
        return would_be_great_war(self.tables, self.state, parties, foe, self.treaties)

    @cached_property
    def leader(self) -> str:
        """The seat that is most likely to win, if it is far ahead; "" for none."""
        first = max(self.predictions, key=lambda seat: self.predictions[seat].chance, default="")
        return first if first and self.predictions[first].chance >= LEADER_CHANCE else ""

    def stake(self, power: str, rival: str) -> float:
        """Cost to a Power of a rival's Victory Point, in Victory Points."""
        if power not in self._stakes:
            self._stakes[power] = rival_stakes(self.predictions, power)
        return self._stakes[power].get(rival, 0.0)

    def are_allied(self, power: str, other: str) -> bool:
        """Whether a known defensive Treaty binds both."""
        return other in self._allies.get(power, ())

    @cached_property
    def _allies(self) -> dict[str, set[str]]:
        """The Powers that known defensive Treaties bind to each Power."""
        found: dict[str, set[str]] = {}
        for treaty in self.state.treaties:
            if any(clause.kind == DEFENSIVE for clause in treaty.binding_clauses):
                for power in treaty.bound:
                    found.setdefault(power, set()).update(treaty.partners(power))
        return found

    def breach_turns(self, power: str) -> tuple[int, ...]:
        """Game Turn of the last known breach of each Treaty that a Power has broken."""
        last: dict[str, int] = {}
        for treaty in self.state.treaties:
            for breach in treaty.breaches:
                if breach.power == power:
                    last[treaty.id] = max(breach.turn, last.get(treaty.id, 0))
        return tuple(last.values())

    def trust(self, power: str) -> float:
        """Probability, 0 to 1, that a Power keeps its word; known broken Treaties lower it."""
        trust = FULL_TRUST
        for turn in self.breach_turns(power):
            trust *= RECENT_BREACH_FACTOR if turn > self.state.turn - RECENT_BREACH_TURNS else OLD_BREACH_FACTOR
        return trust

    def payment_chance(self, debtor: str, creditor: str, pounds: float, turn: int) -> float:
        """Chance, 0 to 1, that a deferred payment is made.

        It falls with the time, the record of the debtor, what the debtor owes already, and the pounds that a breach
        would save. A creditor that the debtor need not fear gets less.
        """
        if turn <= self.state.turn:
            return self.trust(debtor)
        owed = pounds + self.debt(debtor, creditor)
        means = max(MIN_INCOME, self.state.powers[debtor].record.get(NET_INCOME) or self.state.powers[debtor].treasury)
        feared = min(1.5, max(0.5, self.strength(creditor) / self.strength(debtor)))
        chance = self.trust(debtor) * PAYMENT_CHANCE_PER_TURN ** (turn - self.state.turn)
        chance *= min(1.0, means / (pounds + self.debt(debtor)))
        return float(chance * min(1.0, BREACH_TEMPTATION * feared / owed))

    def debt(self, debtor: str, creditor: str = "") -> int:
        """Pounds that known Treaties oblige a Power to pay later, to one creditor or to all."""
        total = 0
        for treaty in self.state.treaties:
            for clause in treaty.binding_clauses:
                if clause.kind == PAY and clause.power == debtor and clause.to and creditor in ("", clause.to):
                    if clause.every_turn:
                        last = clause.until or self.state.last_turn
                        total += clause.amount * max(0, last - self.state.turn)
                    elif clause.turn > self.state.turn or clause.upon is not None:
                        total += clause.amount
        return total

    def is_promised(self, clause: Clause, parties: Collection[str]) -> bool:
        """Whether a Treaty in force between the parties has the article already, for as long."""
        return any(
            treaty.stage == IN_FORCE and set(treaty.bound) >= set(parties)
            and any(_covers(old, clause) for old in treaty.clauses)
            for treaty in self.state.treaties
        )  # fmt: skip

    def net_gain(self, valuation: PositionValuation, gains: Mapping[str, float]) -> float:
        """Pounds at the end that an agreement is worth to a Power, with its effect on everybody's chance to win.

        Args:
            valuation: the valuation of the Power.
            gains: pounds at the end of each party, by its own valuation. What a rival loses does not count: it would
                not sign.
        """
        if not valuation.should_weigh_deals:
            return gains[valuation.power]
        counted = {
            seat: pounds if seat == valuation.power else max(0.0, pounds)
            for seat, pounds in gains.items()
            if seat in self.totals
        }
        points = {seat: pounds / max(1.0, pounds_per_point(self.tables, seat)) for seat, pounds in counted.items()}
        return valuation.pounds_per_point * effective_gain(
            self.tables, self.state.turn, self.totals, valuation.power, points
        )


def _covers(old: Clause, new: Clause) -> bool:
    """Whether an article promises all that another one does."""
    alike = (old.kind, old.power, old.to, old.marker) == (new.kind, new.power, new.to, new.marker)
    wide = set(old.places) >= set(new.places) and (not old.against or set(old.against) >= set(new.against))
    return alike and wide and (not old.until or 0 < new.until <= old.until)


STRATEGIC_POINTS = 0.15
"""Victory Points that Control of an Area is worth beyond its income, for each pound of its Economic Value."""
PAID_PROMISE_FACTOR = 0.35
"""Factor on what promises are worth to a Power that pays for them: its money is certain."""
CONDITION_FACTOR = 0.35
"""Factor on articles that apply only if another event occurs."""
AREA_CHANGE_CHANCE = 0.15
"""Chance that an Area within reach changes hands during a Treaty because another Power stays out."""
STRENGTH_POINT_COST = 3
"""Cost in pounds, per strength point of an Area, of the armies that win it."""
WAR_RISK_SHARE = 0.5
"""Share of an Area's value at stake if the holder of a Casus Belli and its allies are stronger by far."""
DISPUTE_SHARE = 0.25
"""Share of an Area's value at stake in a dispute, for holder and target of the Casus Belli alike."""
AID_SHARE = 0.5
"""Share of a threat that an ally removes if the enemy is of the ally's strength."""
BURDEN_SHARE = 0.3
"""Share of the threat of an ally's enemies that falls on the Power obliged to defend it."""
COMMON_ENEMY_FACTOR = 0.4
"""Factor on that burden if the enemy outweighs both allies: both are threatened."""
OFFENSIVE_COST, NON_AGGRESSION_COST, VOTE_COST, SERVICE_COST, UNIT_LIMIT_COST, FREE_TEXT_COST = (
    6.0,
    0.6,
    3.0,
    1.5,
    4.0,
    2.0,
)
"""Costs in pounds of obligations.

In order: an offensive alliance, non-aggression, a promised vote, coaling or passage, Units kept away, and
free text that others may interpret differently.
"""


class TreatyValuation:
    """Value of an agreement to one Power.

    Args:
        relations: relations between the Powers.
        valuation: the valuation of the Power.
        parties: the parties.
        clauses: the articles.
        public: whether all players would know of it.
        doubtful: whether the Power may break what it promises; else its promises count in full.
    """

    def __init__(
        self,
        relations: PowerRelations,
        valuation: PositionValuation,
        parties: Sequence[str],
        clauses: Sequence[Clause],
        public: bool,
        doubtful: bool = False,
    ) -> None:
        self.relations, self.valuation, self.power = relations, valuation, valuation.power
        self.state, self.tables = relations.state, relations.tables
        self.parties, self.clauses, self.public, self.doubtful = tuple(parties), tuple(clauses), public, doubtful

    def total(self) -> float:
        """Pounds for the whole agreement."""
        known = self.relations.cached_totals
        key = self.valuation, self.parties, self.clauses, self.public, self.doubtful and self._has_to_pay
        if key not in known:
            known[key] = sum(self.articles()) + self.bonus()
        return known[key]

    def articles(self) -> list[float]:
        """Pounds for each article."""
        return [self._clause_value(clause) for clause in self.clauses]

    def bonus(self) -> float:
        """Pounds for the Victory Points that the Treaty earns each turn."""
        if self.public:
            made = Treaty("", "", "treaty", self.power, self.parties, self.clauses, True, IN_FORCE)
            after = replace(self.state, treaties=(*self.state.treaties, made))
            points = sum(
                row.points * (len(victory.fitting_treaties(after, self.power, row.treaty))
                              - len(victory.fitting_treaties(self.state, self.power, row.treaty)))
                for row in self.tables.bonuses_per_turn
                if row.power in (self.power, "each") and row.treaty is not None and row.is_for(len(self.state.players))
            )  # fmt: skip
            return points * self.valuation.pounds_per_point * (self.valuation.turns_left + 1)
        return 0.0

    def _clause_value(self, clause: Clause) -> float:
        weigh = CLAUSE_VALUES.get(clause.kind)
        if weigh is None:
            return 0.0
        lasts = 1.0
        if clause.until:
            lasts = min(1.0, max(0, clause.until - self.state.turn + 1) / (self.valuation.turns_left + 1))
        worth = weigh(self, clause)
        if worth > 0 and clause.kind != PAY and not is_immediate(clause):
            if self.relations.is_promised(clause, self.parties):
                return 0.0
            worth *= PAID_PROMISE_FACTOR if self._has_to_pay else 1.0
        return worth * lasts * (CONDITION_FACTOR if clause.upon else 1.0)

    @cached_property
    def _has_to_pay(self) -> bool:
        """Whether the Power pays by the agreement."""
        return any(clause.kind == PAY and clause.power == self.power for clause in self.clauses)

    def _obliged_powers(self, clause: Clause) -> tuple[str, ...]:
        return (clause.power,) if clause.power else self.parties

    # --- done at once or at a date ------------------------------------------------------------------------------

    def _pay(self, clause: Clause) -> float:
        # Deferred money is paid in Negotiation, when it only buys Victory Points; the payer
        # cannot spend it in the Movement Phase before.
        now, valuation = self.state.turn, self.valuation
        last = (clause.until or self.state.last_turn) if clause.every_turn else clause.turn
        dates = range(now if clause.every_turn else clause.turn, last + 1) if last else ()
        pays = clause.power == self.power
        pounds = clause.amount * sum(valuation.pound_value(turn) if pays and turn > now else 1.0 for turn in dates)
        if not dates:
            pounds = clause.amount * valuation.exchanged_pound
        if clause.every_turn and clause.until:  # `_worth` discounts by duration; here each turn counts
            pounds *= (valuation.turns_left + 1) / max(1, clause.until - now + 1)
        if clause.to == self.power or (pays and self.doubtful):
            pounds *= self._credit(clause, dates)
        return pounds if clause.to == self.power else -pounds if pays else 0.0

    def _credit(self, clause: Clause, dates: Sequence[int]) -> float:
        """Chance that a payment is made, 0 to 1."""
        if is_immediate(clause):
            return 1.0
        now, last = self.state.turn, dates[-1] if dates else self.state.last_turn
        owed = clause.amount * max(1, sum(turn > now for turn in dates))
        return self.relations.payment_chance(
            clause.power, clause.to, owed, (now + last + 1) // 2 if len(dates) > 1 else last
        )

    def _waive(self, clause: Clause) -> float:
        area = clause.places[0] if clause.places else ""
        total = 0.0
        for cause in self.state.casus_belli:
            alike = cause.area == area if area else True
            if cause.holder == clause.power and alike and clause.to in ("", cause.against):
                total += self._relief_value(cause) if cause.against == self.power else 0.0
                total -= self._claim_value(cause) if cause.holder == self.power else 0.0
        return total

    def _relief_value(self, cause: CasusBelli) -> float:
        """Pounds for the end of a Casus Belli held against the Power."""
        own = established(self.state, cause.area, self.power) if cause.area else None
        stake = self._disputed_value(cause.area, own.marker) if own else 0.0
        risk = WAR_RISK_SHARE if self.relations.is_far_stronger(cause.holder, self.power) else 0.5 * DISPUTE_SHARE
        return self.valuation.casus_belli_cost(self.state, cause.holder) + risk * stake

    def _claim_value(self, cause: CasusBelli) -> float:
        """Pounds that a Casus Belli is worth to its holder."""
        own = established(self.state, cause.area, self.power) if cause.area else None
        return 2.0 + (DISPUTE_SHARE * self._disputed_value(cause.area, PROTECTORATE) if own else 0.0)

    def _disputed_value(self, area: str, marker: str) -> float:
        """Pounds between a marker in an Area and the Interest that remains after yielding."""
        worth = self.valuation.marker_value
        return max(0.0, worth(self.state, area, marker) - max(0.0, worth(self.state, area, INTEREST)))

    def _lower(self, clause: Clause) -> float:
        area = clause.places[0]
        own = established(self.state, area, self.power)
        held = max(0.0, self.valuation.marker_value(self.state, area, own.marker)) if own else 0.0
        if clause.power == self.power:
            return (
                max(0.0, self.valuation.marker_value(self.state, area, clause.marker)) if clause.marker else 0.0
            ) - held
        return (
            DISPUTE_SHARE * self._disputed_value(area, own.marker)
            if own and LEVEL[own.marker] > LEVEL[INTEREST]
            else 0.0
        )

    def _transfer(self, clause: Clause) -> float:
        area = clause.places[0]
        giver = clause.power or next(iter(controllers(self.state, area)), "")
        given = established(self.state, area, giver)
        marker = clause.marker or (given.marker if given else "")
        own = established(self.state, area, self.power)
        without = state_without_markers(self.state, area, giver)
        if clause.to == self.power:
            can_hold = area in linked_areas(self.tables, self.state, self.power)
            gain = self._control_value(without, area, marker) if can_hold else 0.0
            return gain - self._value_of_own(area, own)
        return -self._control_value(without, area, marker) if giver == self.power else 0.0

    def _value_of_own(self, area: str, own: Marker | None) -> float:
        return max(0.0, self.valuation.marker_value(self.state, area, own.marker)) if own else 0.0

    def _control_value(self, state: State, area: str, marker: str) -> float:
        """Pounds of a marker in an Area with the bonuses that it brings, the trade behind it and the rivals it stops.

        Args: a position without the marker; the Area; the marker.
        """
        valuation, total = self.valuation, max(0.0, self.valuation.marker_value(state, area, marker))
        if marker not in CONTROL:
            return total
        total += max(0.0, bonus_value(valuation, state, area)) + opened_value(valuation, state, area)
        return total + STRATEGIC_POINTS * self.tables.areas[area].value * valuation.pounds_per_point

    def _codominion(self, clause: Clause) -> float:
        if self.power not in clause.against:
            return 0.0
        return self._share_value(clause.places[0], clause.against, clause.power)

    def _grant(self, clause: Clause) -> float:
        if self.power not in (clause.power, clause.to):
            return 0.0
        held = controllers(self.state, clause.places[0])
        return self._share_value(clause.places[0], (*held, clause.to), clause.against[0] if clause.against else "")

    def _share_value(self, area: str, members: Sequence[str], payer: str) -> float:
        """Pounds between a share of an Area and the Power's prospects there without it."""
        valuation, state = self.valuation, self.state
        own = established(state, area, self.power)
        rivals = [p for p in controllers(state, area) if p != self.power]
        kind = self.tables.markers[own.marker if own is not None and own.marker in CONTROL else PROTECTORATE]
        value = max(0, self.tables.areas[area].value - len(set(members)) + 1)
        share = valuation.income_value(value * kind.multiplier, kind.maintenance + 1)
        joiners = [p for p in members if p not in controllers(state, area)]
        cost = sum(valuation.exchanged_pound * self._joining_price(area, p) for p in joiners if payer == self.power)
        bonus = self._bonus_of_sharing(area, joiners)
        if own is None or own.marker not in CONTROL:
            cost += 0.0 if payer else valuation.exchanged_pound * self._joining_price(area, self.power)
            return share + bonus - self._trade_value(area, own) - cost
        alone = valuation.marker_value(self._without_others(area), area, own.marker)
        trade = max(0.0, valuation.marker_value(state, area, INTEREST))
        expected = 0.5 * alone + 0.5 * trade if rivals else alone
        causes = [c for c in state.casus_belli if c.area == area and c.against == self.power and c.holder in members]
        return share + bonus - expected - cost + sum(valuation.casus_belli_cost(state, c.holder) for c in causes)

    def _joining_price(self, area: str, power: str) -> int:
        """Pounds for a new Protectorate in a Codominion."""
        own = highest_marker(self.state, area, power)
        if own is not None and own.marker == INFLUENCE:
            return JOINING_PRICE
        return self.tables.markers[PROTECTORATE].price - (self.tables.markers[own.marker].price if own else 0)

    def _bonus_of_sharing(self, area: str, joiners: Sequence[str]) -> float:
        """Pounds for the end bonuses that the Power gains or loses when others join it in an Area."""
        gains = (bonus_gain(self.tables, self.state, area, joiner, self.power) for joiner in joiners)
        return self.valuation.pounds_per_point * sum(gains)

    def _trade_value(self, area: str, own: Marker | None) -> float:
        """Pounds of the Power's trade in an Area that a share would replace, less those of the piece that gets free."""
        if own is not None:
            return max(0.0, self.valuation.marker_value(self.state, area, own.marker)) - self.valuation.free_piece_value
        if not self.valuation.has_round_pieces:
            return 0.0
        return max(
            0.0,
            self.valuation.marker_value(self.state, area, INTEREST)
            - self.valuation.pound_now * self._price_of_interest,
        )

    @property
    def _price_of_interest(self) -> int:
        return self.tables.markers[INTEREST].price

    def _without_others(self, area: str) -> State:
        """The position with the Power alone in an Area."""
        here = area_state(self.state, area)
        own = tuple(m for m in here.markers if m.power == self.power)
        return replace(self.state, areas={**self.state.areas, area: replace(here, markers=own)})

    # --- kept ---------------------------------------------------------------------------------------------------

    def _named_enemies(self, clause: Clause) -> tuple[str, ...]:
        return clause.against or tuple(p for p in self.state.players if p not in self.parties)

    def _defensive(self, clause: Clause) -> float:
        relations, total = self.relations, 0.0
        owers = self._obliged_powers(clause)
        for other in self.parties:
            if other == self.power:
                continue
            for foe in self._named_enemies(clause):
                common = relations.is_stronger(foe, self.power) and relations.is_stronger(foe, other)
                together = relations.strength(other) + (relations.strength(self.power) if common else 0)
                if other in owers:
                    friends = sum(p != other for p in relations.defensive_allies(self.power, foe))
                    aid = AID_SHARE * min(1.0, together / relations.strength(foe)) / (1 + friends)
                    total += relations.threat_value(self.power, foe) * aid * relations.trust(other)
                if self.power in owers:
                    share = (
                        (COMMON_ENEMY_FACTOR if common else 1.0)
                        * self.valuation.character.caution
                        / len(self._named_enemies(clause)) ** 0.5
                    )
                    total -= BURDEN_SHARE * relations.threat_value(other, foe) * share
        return total

    def _offensive(self, clause: Clause) -> float:
        against = self._named_enemies(clause)
        helped = any(self.relations.has_cause(self.power, foe) for foe in against)
        owes = self.power in self._obliged_powers(clause)
        helpers = [p for p in self._obliged_powers(clause) if p != self.power]
        total = OFFENSIVE_COST * self.relations.trust(helpers[0]) if helped and helpers else 0.0
        if owes and any(self.relations.is_great_war(self.parties, foe) for foe in against):
            return -GREAT_WAR_COST * self.valuation.pounds_per_point
        if helpers and self.valuation.should_weigh_opponents and self.relations.leader in against:
            stake = self.relations.stake(self.power, self.relations.leader)
            total += (
                WAR_CHANCE
                * LEADER_WAR_LOSS
                * stake
                * self.valuation.pounds_per_point
                * self.relations.trust(helpers[0])
            )
        return total - (WAR_CHANCE * OFFENSIVE_COST * self.valuation.character.caution if owes else 0.0)

    def _non_aggression(self, clause: Clause) -> float:
        relations, total = self.relations, 0.0
        for other in self.parties:
            if other != self.power:
                total += relations.threat_value(self.power, other) * relations.trust(other)
                total -= NON_AGGRESSION_COST
                if relations.has_cause(self.power, other) and relations.is_stronger(self.power, other):
                    total -= OFFENSIVE_COST
        return total

    def _service(self, clause: Clause) -> float:
        """Pounds for coaling or passage."""
        at_war = any(war.side_of(clause.to) for war in self.state.wars)
        if clause.power == self.power:
            return -SERVICE_COST * (2.0 if at_war else 1.0)
        if clause.to == self.power:
            return SERVICE_COST * (3.0 if at_war else 1.0) * self.relations.trust(clause.power)
        return 0.0

    def _shared_cause(self, clause: Clause) -> float:
        return 0.5 if any(self.relations.is_stronger(foe, self.power) for foe in self._named_enemies(clause)) else 0.0

    def _no_marker(self, clause: Clause) -> float:
        owers, total = self._obliged_powers(clause), 0.0
        for area in clause.places:
            wanted = self.expansion_value(area, clause.marker or INTEREST)
            total -= AREA_CHANGE_CHANCE * wanted if self.power in owers else 0.0
            for other in owers:
                if other != self.power and area in linked_areas(self.tables, self.state, other):
                    total += AREA_CHANGE_CHANCE * wanted * self.relations.trust(other)
        return total

    def expansion_value(self, area: str, marker: str) -> float:
        """Pounds for the markers that the Power may still place in an Area, at a level or above."""
        state, power, best = self.state, self.power, 0.0
        if area not in linked_areas(self.tables, state, power):
            return 0.0
        own = highest_marker(state, area, power)
        if own and own.marker in CONTROL:
            return 0.0
        if unestablished(state, area, power) is None and not any(p != power for p in controllers(state, area)):
            best = self.valuation.marker_value(state, area, PROTECTORATE)
            best -= self.valuation.pound_now * (marker_price(self.tables, state, power, area, PROTECTORATE)
                                      + STRENGTH_POINT_COST * self.tables.areas[area].strength)  # fmt: skip
        if LEVEL[marker] <= LEVEL[INTEREST] and own is None:
            trade = self.valuation.marker_value(state, area, INTEREST)
            best = max(best, trade - self.valuation.pound_now * self.tables.markers[INTEREST].price)
        return max(0.0, best)

    def _unit_limit(self, clause: Clause) -> float:
        """Pounds for Units kept away from a place, or kept in one."""
        places = max(1, len(clause.places))
        if self.power in self._obliged_powers(clause):
            return (
                -UNIT_LIMIT_COST
                * self.valuation.character.caution
                * (1.5 if clause.kind == "no_build" else min(2.0, places**0.5))
            )
        return 0.3 * UNIT_LIMIT_COST * self.relations.trust(clause.power)

    def _build(self, clause: Clause) -> float:
        if clause.power != self.power:
            return 0.0
        costs = self.tables.units
        pounds = sum(costs[int(u[1:])].naval if u[0] == "N" else costs[int(u[1:])].army for u in clause.units
                     if u[1:].isdigit())  # fmt: skip
        return -0.6 * self.valuation.pound_now * (pounds or 5)

    def _vote(self, clause: Clause) -> float:
        if clause.power == self.power:
            return -VOTE_COST
        return 0.6 * VOTE_COST * self.relations.trust(clause.power) if clause.to in ("", self.power) else 0.0

    def _free_text(self, clause: Clause) -> float:
        return -FREE_TEXT_COST


CLAUSE_VALUES: dict[str, Callable[[TreatyValuation, Clause], float]] = {
    "pay": TreatyValuation._pay,
    "waive": TreatyValuation._waive,
    "lower": TreatyValuation._lower,
    "transfer": TreatyValuation._transfer,
    "cede": TreatyValuation._transfer,
    "codominion": TreatyValuation._codominion,
    "grant": TreatyValuation._grant,
    "defensive": TreatyValuation._defensive,
    "offensive": TreatyValuation._offensive,
    "non_aggression": TreatyValuation._non_aggression,
    "shared_cause": TreatyValuation._shared_cause,
    "passage": TreatyValuation._service,
    "coaling": TreatyValuation._service,
    "no_marker": TreatyValuation._no_marker,
    "no_unit": TreatyValuation._unit_limit,
    "at_most": TreatyValuation._unit_limit,
    "at_least": TreatyValuation._unit_limit,
    "no_build": TreatyValuation._unit_limit,
    "build": TreatyValuation._build,
    "vote": TreatyValuation._vote,
    "text": TreatyValuation._free_text,
}
"""Valuation method by kind of clause, except peace, which needs simulation."""


def treaty_gain(
    relations: PowerRelations,
    valuation: PositionValuation,
    parties: Sequence[str],
    clauses: Sequence[Clause],
    public: bool,
) -> float:
    """Pounds at the end that an agreement is worth to a Power, with its effect on everybody's chance to win."""
    gains = {valuation.power: TreatyValuation(relations, valuation, parties, clauses, public).total()}
    for other in parties:
        if other != valuation.power and other in relations.state.players:
            theirs = TreatyValuation(relations, relations.valuation(other), parties, clauses, public, doubtful=True)
            gains[other] = theirs.total()
    return relations.net_gain(valuation, gains)
