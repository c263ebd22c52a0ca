"""What a statesman offers of its own accord: Treaties and settlements that bring it something, and the other too.

Each idea gives drafts; what is offered is weighed for both sides, and nothing is offered that the other would be a fool
to sign, that it has turned down before, or that stands already.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import ceil
from typing import NamedTuple

from paxtui.bots.statesman.diplomacy.articles import Scales, gain
from paxtui.bots.statesman.diplomacy.prices import asked, pay_day
from paxtui.bots.statesman.diplomacy.regard import Regard
from paxtui.bots.statesman.outlook import Outlook
from paxtui.pax.board.status import controllers, controls, established
from paxtui.pax.board.tables import Bonus
from paxtui.pax.diplomacy.sharing import JOINING
from paxtui.pax.orders import actions as ac
from paxtui.pax.state.pieces import CONTROL, INFLUENCE, PROTECTORATE
from paxtui.pax.state.questions import ShareOffer
from paxtui.pax.state.treaty import DRAFT, ENDED, IN_FORCE, SETTLEMENT, TREATY, Clause
from paxtui.pax.words.spoken import place_name, power_name

SPAN = 3
"""Game Turns after the present one for which spheres are divided and peace is promised."""
SPHERE = 3
"""Areas on each side of a division at most."""
HAGGLED = 0.5
"""What share of its gain who pays gives to the other."""
DEAREST_PROMISE = 40
"""Pounds that are offered at most."""
DOUBTED = 0.35
"""Trust below which nothing is offered."""
ENOUGH = 1.0
"""Pounds by the end from which a Treaty is worth its paper."""
PATIENCE = 2
"""Game Turns for which nothing is offered again that was turned down."""



class Offer(NamedTuple):
    """A draft worth offering. Attributes: it; why; pounds at the end that it brings, and that it brings the other."""

    draft: ac.Draft
    why: str
    gain: float
    theirs: float


def _earns(row: Bonus, power: str, clause: Clause) -> bool:
    """Whether an article is drafted for the Victory Points that a row of the Bonus Summary pays for Treaties."""
    test = row.treaty
    if test is None or row.power != power or clause.kind != test.kind:
        return False
    return clause.against == ((test.against,) if test.against else ())


class Offers:
    """The drafts of one Power. Args: how Powers stand to each other; the judgement of the Power."""

    def __init__(self, regard: Regard, judge: Outlook) -> None:
        self.regard, self.judge, self.power = regard, judge, judge.power
        self.tables, self.state = regard.tables, regard.state
        self._ours: dict[str, float] | None = None

    def best(self, partners: Sequence[str], most: int) -> list[Offer]:
        """The drafts that bring most, one for each partner. Args: with whom; how many at most."""
        found: list[Offer] = []
        for partner in partners:
            if self.regard.trust(partner) < DOUBTED:
                continue
            ideas = (self._weighed(partner, *idea) for idea in self._ideas(partner))
            worth = [offer for offer in ideas if offer is not None]
            if worth:
                found.append(max(worth, key=lambda offer: offer.gain))
        return self._no_bonus_twice(sorted(found, key=lambda offer: -offer.gain))[:most]

    def settlements(self, partners: Sequence[str]) -> list[Offer]:
        """The best settlement for each partner that holds a Casus Belli against the Power."""
        found: list[Offer] = []
        for partner in partners:
            if self.regard.has_cause(partner, self.power) and self.regard.trust(partner) >= DOUBTED:
                ideas = self._disputes(partner, power_name(self.tables, partner))
                worth = [offer for idea in ideas if (offer := self._weighed(partner, *idea)) is not None]
                found += [max(worth, key=lambda offer: offer.gain)] if worth else []
        return found

    def _no_bonus_twice(self, offers: Sequence[Offer]) -> list[Offer]:
        """The offers without those for Victory Points that those before them bring already, as often as they count."""
        chosen: list[Offer] = []
        brought: Counter[str] = Counter()
        for offer in offers:
            clause = offer.draft.clauses[0]
            row = next((row for row in self.tables.bonuses_per_turn if _earns(row, self.power, clause)), None)
            if row is not None and row.treaty is not None and row.treaty.at_most:
                if brought[row.id] >= row.treaty.at_most:
                    continue
                brought[row.id] += 1
            chosen.append(offer)
        return chosen

    def _weighed(self, partner: str, clauses: tuple[Clause, ...], form: str, public: bool, why: str) -> Offer | None:
        """The offer of an idea; None where it is not worth making, or has been made."""
        parties = (self.power, partner)
        if not clauses or self._known(parties, clauses):
            return None
        mine = gain(self.regard, self.judge, parties, clauses, public)
        theirs = gain(self.regard, self.regard.judgement(partner), parties, clauses, public)
        if mine < ENOUGH or theirs < ENOUGH:
            return None
        mine -= self._dearer(partner, parties, clauses, public, theirs)
        return Offer(ac.Draft("", parties, clauses, form, public), why, mine, theirs)

    def _dearer(
        self, partner: str, parties: Sequence[str], clauses: Sequence[Clause], public: bool, theirs: float
    ) -> float:
        """Pounds at the end that a draft will cost beyond what it says: the partner is likely to ask for a share."""
        surplus = Scales(self.regard, self.judge, parties, clauses, public).total()
        pounds = asked(self.regard, self.regard.judgement(partner), self.judge, theirs, surplus)
        date = pay_day(self.tables, self.state, self.power)
        return pounds * (self.judge.pound(date) + self.regard.weight(self.power, partner)) if date else 0.0

    def _known(self, parties: Sequence[str], clauses: Sequence[Clause]) -> bool:
        """Whether such articles bind these already, wait for a signature, or were turned down of late."""
        kinds = {(c.kind, c.places, c.to) for c in clauses}
        for treaty in self.state.treaties:
            of_late = treaty.stage == ENDED and treaty.reason in ("rejected", "withdrawn", "superseded")
            of_late = of_late and treaty.drafted > self.state.turn - PATIENCE
            if (treaty.stage in (DRAFT, IN_FORCE) or of_late) and set(parties) == set(treaty.parties):
                if kinds & {(c.kind, c.places, c.to) for c in treaty.clauses}:
                    return True
        return False

    # --- ideas --------------------------------------------------------------------------------------------------

    def _ideas(self, partner: str) -> Iterator[tuple[tuple[Clause, ...], str, bool, str]]:
        """Articles, form, whether public, and why."""
        name = power_name(self.tables, partner)
        yield from self._alliances(partner, name)
        if self.state.phase == "negotiation":
            yield from self._disputes(partner, name)
        yield (
            (Clause("non_aggression", until=min(len(self.tables.turns), self.state.turn + SPAN)),),
            TREATY,
            False,
            f"While it is busy elsewhere, {name} is better bound",
        )
        yield self._spheres(partner, name)
        if any(war.side_of(self.power) for war in self.state.wars):
            fee = self._fee(partner, 3)
            coal = Clause("coaling", power=partner, to=self.power, until=self.state.turn)
            yield (coal, fee), TREATY, False, f"Its fleets need the coal of {name}"

    def _alliances(self, partner: str, name: str) -> Iterator[tuple[tuple[Clause, ...], str, bool, str]]:
        """Defensive Treaties: against who outweighs both, and those that bring Victory Points."""
        tables, regard = self.tables, self.regard
        for foe in self.state.players:
            if foe in (self.power, partner) or regard.allied(self.power, foe):
                continue
            if regard.outweighs(foe, self.power) and regard.outweighs(foe, partner):
                why = f"{power_name(tables, foe)} outweighs both {power_name(tables, self.power)} and {name}"
                yield (Clause("defensive", against=(foe,)),), TREATY, True, why
        for row in tables.bonuses_per_turn:
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
        """Settlements of disputes: a Codominion, for money where one side gains more by it, or a waiver for money."""
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

    def _shares(self, partner: str, area: str, why: str) -> Iterator[tuple[tuple[Clause, ...], str, bool, str]]:
        """A Codominion of an Area where both have markers, with money from who gains more by it."""
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
        """A settlement with as much money as makes it fair to the partner; without articles where that is too much.

        `later`: what it has not got may be promised for a turn to come, and a little more, for it has to be believed.
        """
        parties = (self.power, partner)
        theirs = self.regard.judgement(partner)
        lacks = ENOUGH - Scales(self.regard, theirs, parties, clauses, False).total()
        mine = Scales(self.regard, self.judge, parties, clauses, False).total()
        pounds = max(1, ceil(max(lacks / theirs.cash + 1, HAGGLED * 0.5 * mine / self.judge.cash)))
        most = (self.state.powers[self.power].treasury - JOINING) // 2
        if later and pounds > most and pay_day(self.tables, self.state, self.power):
            pounds, most = ceil(pounds / self.regard.trust(self.power)), DEAREST_PROMISE
        if lacks > mine or pounds > min(DEAREST_PROMISE, most):
            return (), SETTLEMENT, False, why
        return (*clauses, self._fee(partner, pounds)), SETTLEMENT, False, f"{why}, for £{pounds}"

    def _fee(self, partner: str, pounds: int) -> Clause:
        """Money for the partner: now where there is enough, else when money is to be had."""
        late = pounds > self.state.powers[self.power].treasury // 2
        date = pay_day(self.tables, self.state, self.power) if late else 0
        return Clause("pay", power=self.power, to=partner, amount=pounds, turn=date)

    def _spheres(self, partner: str, name: str) -> tuple[tuple[Clause, ...], str, bool, str]:
        """Each leaves to the other some of the Areas that both might take, so that neither races for them."""
        ours, theirs = self._open_to(self.judge), self._open_to(self.regard.judgement(partner))
        both = sorted(area for area in ours if area in theirs)
        both.sort(key=lambda area: ours[area] / self.judge.point - theirs[area] / self.regard.judgement(partner).point)
        mine, yours = both[::-1][: len(both) // 2][:SPHERE], both[: len(both) // 2][:SPHERE]
        until = min(len(self.tables.turns), self.state.turn + SPAN)
        clauses = tuple(
            Clause("no_marker", power=power, marker=PROTECTORATE, places=self._in_order(areas), until=until)
            for power, areas in ((partner, mine), (self.power, yours))
            if areas
        )
        return clauses, TREATY, False, f"{name} and it need not race for the same Areas"

    def _in_order(self, areas: Sequence[str]) -> tuple[str, ...]:
        return tuple(area for area in self.tables.areas if area in areas)

    def _open_to(self, judge: Outlook) -> dict[str, float]:
        """Areas of which a Power might take Control, with what that is worth to it."""
        if judge is self.judge and self._ours is not None:
            return self._ours
        scales = Scales(self.regard, judge, (), (), False)
        found = {area: scales.wanted(area, PROTECTORATE) for area in self.tables.areas}
        found = {area: worth for area, worth in found.items() if worth > 0}
        if judge is self.judge:
            self._ours = found
        return found
