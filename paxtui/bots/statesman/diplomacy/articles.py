"""What each article of a Treaty is worth to a Power, in pounds at the end of the game: its own side, and the other's.

What is done at once counts in full, what others promise as far as their word is believed, and only while it lasts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from paxtui.bots.statesman.diplomacy.regard import Regard
from paxtui.bots.statesman.outlook import Outlook
from paxtui.pax.board.links import linked_areas
from paxtui.pax.board.status import at, controllers, established, unestablished
from paxtui.pax.clauses.kinds import at_once
from paxtui.pax.diplomacy.sharing import JOINING
from paxtui.pax.expansion.placement import highest, price
from paxtui.pax.state.causes import CasusBelli
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import CONTROL, INTEREST, LEVEL, PROTECTORATE
from paxtui.pax.state.treaty import IN_FORCE, Clause, Treaty
from paxtui.pax.treaties import treaty_bonuses

UNSURE = 0.35
"""What an article is worth that binds only when something else happens."""
TAKEN = 0.15
"""Chance that an Area within reach changes hands in the time of a Treaty because another keeps out, or stays out."""
A_STRENGTH = 3
"""Pounds for each strength point of an Area, in armies that win it."""
PRESSED = 0.25
"""What a quarrel over an Area decides of its worth, for whoever holds the Casus Belli and whoever it is against."""
AID = 0.5
"""What an ally takes of the menace of a foe of his own strength."""
BURDEN = 0.3
"""What the menace of an ally's foes is to whoever has to come to his defence."""
COMMON = 0.4
"""What is left of that where the foe outweighs both: whoever falls first, the other is next."""
ADVENTURE, FREE_HAND, A_VOTE, A_SERVICE, TIED_HANDS, WORDS = 6.0, 0.6, 3.0, 1.5, 4.0, 2.0
"""Pounds that it costs to be drawn into an attack, to leave one Power alone, to promise a vote, to coal a fleet or let
it pass, to keep Units away from where they would be wanted, and to sign words that others will read as they like."""


class Scales:
    """An agreement on the scales of one Power.

    Args:
        regard: how Powers stand to each other.
        judge: the judgement of the Power.
        parties: those who sign.
        clauses: what they sign.
        public: whether all would know of it.
    """

    def __init__(
        self, regard: Regard, judge: Outlook, parties: Sequence[str], clauses: Sequence[Clause], public: bool
    ) -> None:
        self.regard, self.judge, self.power = regard, judge, judge.power
        self.state, self.tables = regard.state, regard.tables
        self.parties, self.clauses, self.public = tuple(parties), tuple(clauses), public

    def total(self) -> float:
        """Pounds that all of it brings the Power."""
        return sum(self.articles()) + self.bonus()

    def articles(self) -> list[float]:
        """Pounds that each article brings the Power."""
        return [self._worth(clause) for clause in self.clauses]

    def bonus(self) -> float:
        """Pounds for the Victory Points that the Treaty brings every turn."""
        if self.public:
            made = Treaty("", "", "treaty", self.power, self.parties, self.clauses, True, IN_FORCE)
            after = replace(self.state, treaties=(*self.state.treaties, made))
            points = sum(
                row.points * (len(treaty_bonuses.fitting(after, self.power, row.treaty))
                              - len(treaty_bonuses.fitting(self.state, self.power, row.treaty)))
                for row in self.tables.bonuses_per_turn
                if row.power in (self.power, "each") and row.treaty is not None
            )  # fmt: skip
            return points * self.judge.point * (self.judge.years + 1)
        return 0.0

    def _worth(self, clause: Clause) -> float:
        weigh = WORTH.get(clause.kind)
        if weigh is None:
            return 0.0
        lasts = 1.0
        if clause.until:
            lasts = min(1.0, max(0, clause.until - self.state.turn + 1) / (self.judge.years + 1))
        return weigh(self, clause) * lasts * (UNSURE if clause.upon else 1.0)

    def _owers(self, clause: Clause) -> tuple[str, ...]:
        return (clause.power,) if clause.power else self.parties

    def _trust(self, clause: Clause, power: str) -> float:
        """How far what a Power owes by an article is counted on."""
        return 1.0 if at_once(clause) else self.regard.trust(power)

    # --- done at once or at a date ------------------------------------------------------------------------------

    def _pay(self, clause: Clause) -> float:
        # Money with a date changes hands in Negotiation, when it buys nothing any more but Victory Points; whoever owes
        # it cannot spend it in the Movement Phase before.
        now, judge = self.state.turn, self.judge
        last = (clause.until or len(self.tables.turns)) if clause.every_turn else clause.turn
        dates = range(now if clause.every_turn else clause.turn, last + 1) if last else ()
        pays = clause.power == self.power
        pounds = clause.amount * sum(judge.pound(turn) if pays and turn > now else 1.0 for turn in dates)
        if not dates:
            pounds = clause.amount * judge.cash
        if clause.every_turn and clause.until:  # `_worth` takes a share of what lasts; here each turn counts for itself
            pounds *= (judge.years + 1) / max(1, clause.until - now + 1)
        if clause.to == self.power:
            return pounds * self._trust(clause, clause.power)
        return -pounds if pays else 0.0

    def _waive(self, clause: Clause) -> float:
        area = clause.places[0] if clause.places else ""
        total = 0.0
        for cause in self.state.casus_belli:
            alike = cause.area == area if area else True
            if cause.holder == clause.power and alike and clause.to in ("", cause.against):
                total += self._relief(cause) if cause.against == self.power else 0.0
                total -= self._claim(cause) if cause.holder == self.power else 0.0
        return total

    def _relief(self, cause: CasusBelli) -> float:
        """Pounds for being rid of a Casus Belli that somebody holds against the Power."""
        own = established(self.state, cause.area, self.power) if cause.area else None
        stake = self._stake(cause.area, own.marker) if own else 0.0
        return self.judge.feared(self.state, cause.holder) + 0.5 * PRESSED * stake

    def _claim(self, cause: CasusBelli) -> float:
        """Pounds that a Casus Belli is worth to the Power that holds it."""
        own = established(self.state, cause.area, self.power) if cause.area else None
        return 2.0 + (PRESSED * self._stake(cause.area, PROTECTORATE) if own else 0.0)

    def _stake(self, area: str, marker: str) -> float:
        """Pounds between a marker in an Area and the Interest that is left to who gives way."""
        worth = self.judge.worth
        return max(0.0, worth(self.state, area, marker) - max(0.0, worth(self.state, area, INTEREST)))

    def _lower(self, clause: Clause) -> float:
        area = clause.places[0]
        own = established(self.state, area, self.power)
        held = max(0.0, self.judge.worth(self.state, area, own.marker)) if own else 0.0
        if clause.power == self.power:
            return (max(0.0, self.judge.worth(self.state, area, clause.marker)) if clause.marker else 0.0) - held
        return PRESSED * self._stake(area, own.marker) if own and LEVEL[own.marker] > LEVEL[INTEREST] else 0.0

    def _transfer(self, clause: Clause) -> float:
        area = clause.places[0]
        giver = clause.power or next(iter(controllers(self.state, area)), "")
        given = established(self.state, area, giver)
        marker = clause.marker or (given.marker if given else "")
        own = established(self.state, area, self.power)
        held = max(0.0, self.judge.worth(self.state, area, own.marker)) if own else 0.0
        if clause.to == self.power:
            return self.judge.worth(self._without(area, giver), area, marker) - held
        return -held if giver == self.power else 0.0

    def _without(self, area: str, power: str) -> State:
        """The position without a Power's markers in an Area."""
        here = at(self.state, area)
        left = tuple(m for m in here.markers if m.power != power)
        return replace(self.state, areas={**self.state.areas, area: replace(here, markers=left)})

    def _codominion(self, clause: Clause) -> float:
        if self.power not in clause.against:
            return 0.0
        return self._shared(clause.places[0], clause.against, clause.power)

    def _grant(self, clause: Clause) -> float:
        if self.power not in (clause.power, clause.to):
            return 0.0
        held = controllers(self.state, clause.places[0])
        return self._shared(clause.places[0], (*held, clause.to), clause.against[0] if clause.against else "")

    def _shared(self, area: str, members: Sequence[str], payer: str) -> float:
        """Pounds between a share of an Area and what the Power may expect there without it."""
        judge, state = self.judge, self.state
        own = established(state, area, self.power)
        rivals = [p for p in controllers(state, area) if p != self.power]
        kind = self.tables.markers[PROTECTORATE]
        value = max(0, self.tables.areas[area].value - len(set(members)) + 1)
        share = judge.income(value * kind.multiplier, kind.maintenance + 1)
        trade = max(0.0, judge.worth(state, area, INTEREST))
        new = sum(established(state, area, p) is None or p not in controllers(state, area) for p in set(members))
        cost = judge.cash * JOINING * (new if payer == self.power else 0)
        if own is None or own.marker not in CONTROL:
            return share - trade - (cost or (judge.cash * JOINING if not payer else 0.0))
        alone = judge.worth(self._without_others(area), area, own.marker)
        expected = 0.5 * alone + 0.5 * trade if rivals else alone
        causes = [c for c in state.casus_belli if c.area == area and c.against == self.power and c.holder in members]
        return share - expected - cost + sum(judge.feared(state, c.holder) for c in causes)

    def _without_others(self, area: str) -> State:
        """The position with the Power alone in an Area."""
        here = at(self.state, area)
        own = tuple(m for m in here.markers if m.power == self.power)
        return replace(self.state, areas={**self.state.areas, area: replace(here, markers=own)})

    # --- kept ---------------------------------------------------------------------------------------------------

    def _foes(self, clause: Clause) -> tuple[str, ...]:
        return clause.against or tuple(p for p in self.state.players if p not in self.parties)

    def _defensive(self, clause: Clause) -> float:
        regard, total = self.regard, 0.0
        owers = self._owers(clause)
        for other in self.parties:
            if other == self.power:
                continue
            for foe in self._foes(clause):
                common = regard.outweighs(foe, self.power) and regard.outweighs(foe, other)
                together = regard.strength(other) + (regard.strength(self.power) if common else 0)
                if other in owers:
                    aid = AID * min(1.0, together / regard.strength(foe))
                    total += regard.menace(self.power, foe) * aid * regard.trust(other)
                if self.power in owers:
                    share = (COMMON if common else 1.0) * self.judge.who.care / len(self._foes(clause)) ** 0.5
                    total -= BURDEN * regard.menace(other, foe) * share
        return total

    def _offensive(self, clause: Clause) -> float:
        against = self._foes(clause)
        helped = any(self.regard.has_cause(self.power, foe) for foe in against)
        owes = self.power in self._owers(clause)
        helpers = [p for p in self._owers(clause) if p != self.power]
        total = ADVENTURE * self.regard.trust(helpers[0]) if helped and helpers else 0.0
        return total - (ADVENTURE * self.judge.who.care if owes else 0.0)

    def _non_aggression(self, clause: Clause) -> float:
        regard, total = self.regard, 0.0
        for other in self.parties:
            if other != self.power:
                total += regard.menace(self.power, other) * regard.trust(other)
                total -= FREE_HAND
                if regard.has_cause(self.power, other) and regard.outweighs(self.power, other):
                    total -= ADVENTURE
        return total

    def _service(self, clause: Clause) -> float:
        """Coaling, or a passage."""
        at_war = any(war.side_of(clause.to) for war in self.state.wars)
        if clause.power == self.power:
            return -A_SERVICE * (2.0 if at_war else 1.0)
        if clause.to == self.power:
            return A_SERVICE * (3.0 if at_war else 1.0) * self.regard.trust(clause.power)
        return 0.0

    def _shared_cause(self, clause: Clause) -> float:
        return 0.5 if any(self.regard.outweighs(foe, self.power) for foe in self._foes(clause)) else 0.0

    def _no_marker(self, clause: Clause) -> float:
        owers, total = self._owers(clause), 0.0
        for area in clause.places:
            wanted = self.wanted(area, clause.marker or INTEREST)
            total -= TAKEN * wanted if self.power in owers else 0.0
            for other in owers:
                if other != self.power and area in linked_areas(self.tables, self.state, other):
                    total += TAKEN * wanted * self.regard.trust(other)
        return total

    def wanted(self, area: str, marker: str) -> float:
        """Pounds for what the Power might still place in an Area, at the level named or above it."""
        state, power, best = self.state, self.power, 0.0
        own = highest(state, area, power)
        if area not in linked_areas(self.tables, state, power) or (own and own.marker in CONTROL):
            return 0.0
        if unestablished(state, area, power) is None and not any(p != power for p in controllers(state, area)):
            best = self.judge.worth(state, area, PROTECTORATE)
            best -= self.judge.now * (price(self.tables, state, power, area, PROTECTORATE)
                                      + A_STRENGTH * self.tables.areas[area].strength)  # fmt: skip
        if LEVEL[marker] <= LEVEL[INTEREST] and own is None:
            trade = self.judge.worth(state, area, INTEREST)
            best = max(best, trade - self.judge.now * self.tables.markers[INTEREST].price)
        return max(0.0, best)

    def _tied(self, clause: Clause) -> float:
        """Units kept away, or kept somewhere."""
        places = max(1, len(clause.places))
        if self.power in self._owers(clause):
            return -TIED_HANDS * self.judge.who.care * (1.5 if clause.kind == "no_build" else min(2.0, places**0.5))
        return 0.3 * TIED_HANDS * self.regard.trust(clause.power)

    def _build(self, clause: Clause) -> float:
        if clause.power != self.power:
            return 0.0
        costs = self.tables.units
        pounds = sum(costs[int(u[1:])].naval if u[0] == "N" else costs[int(u[1:])].army for u in clause.units
                     if u[1:].isdigit())  # fmt: skip
        return -0.6 * self.judge.now * (pounds or 5)

    def _vote(self, clause: Clause) -> float:
        if clause.power == self.power:
            return -A_VOTE
        return 0.6 * A_VOTE * self.regard.trust(clause.power) if clause.to in ("", self.power) else 0.0

    def _words(self, clause: Clause) -> float:
        return -WORDS


WORTH: dict[str, Callable[[Scales, Clause], float]] = {
    "pay": Scales._pay,
    "waive": Scales._waive,
    "lower": Scales._lower,
    "transfer": Scales._transfer,
    "cede": Scales._transfer,
    "codominion": Scales._codominion,
    "grant": Scales._grant,
    "defensive": Scales._defensive,
    "offensive": Scales._offensive,
    "non_aggression": Scales._non_aggression,
    "shared_cause": Scales._shared_cause,
    "passage": Scales._service,
    "coaling": Scales._service,
    "no_marker": Scales._no_marker,
    "no_unit": Scales._tied,
    "at_most": Scales._tied,
    "at_least": Scales._tied,
    "no_build": Scales._tied,
    "build": Scales._build,
    "vote": Scales._vote,
    "text": Scales._words,
}
"""How each kind of clause is weighed, but for peace: what a War may still bring has to be played through."""


def gain(
    regard: Regard, judge: Outlook, parties: Sequence[str], clauses: Sequence[Clause], public: bool
) -> float:
    """Pounds that an agreement brings a Power by the end, less what it costs to see the others gain by it."""
    total = Scales(regard, judge, parties, clauses, public).total()
    for other in parties:
        if other != judge.power and other in regard.state.players:
            theirs = Scales(regard, regard.judgement(other), parties, clauses, public).total()
            total -= regard.weight(judge.power, other) * max(0.0, theirs)
    return total
