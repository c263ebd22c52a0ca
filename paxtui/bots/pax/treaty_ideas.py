"""Ready-made Treaties for two Powers: what each brings, and how likely the other side signs.

Everything comes from one position, as the Power may know it. The other side is assumed to be an ordinary player.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, exp
from typing import NamedTuple

from msgspec.structs import replace

from paxtui.bots.pax.own_drafts import find_obstacle
from paxtui.bots.pax.statesman.evaluation import PositionValuation
from paxtui.bots.pax.statesman.treaties import MIN_SIGNING_GAIN, payment_turn, terms_with_share
from paxtui.bots.pax.statesman.treaty_values import PowerRelations, TreatyValuation, treaty_gain
from paxtui.games.pax.actions.actions import Draft
from paxtui.games.pax.board.status import controllers
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.clauses.exchanges import PAY
from paxtui.games.pax.state.diplomacy import SETTLEMENT, TREATY, Clause
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import CONTROL, PROTECTORATE
from paxtui.games.pax.text.display import place_name, power_name
from paxtui.games.pax.transaction import DryRun, find_refusal
from paxtui.games.pax.treaties import lifecycle
from paxtui.games.pax.treaties.conflicts import contradicted_treaty

PROMISE_SPAN = 3
"""Duration of promises, in Game Turns after the present one."""
WAR_SPAN = 1
"""Duration of a joint War, in Game Turns after the present one."""
FAIR_GAIN = 1.0
"""Gain in pounds at the end that a price leaves to the side that is paid."""
MAX_PRICE = 40
"""Maximum price, in pounds."""
SALE_COUNT = 4
"""Number of Areas of each side that are considered for a sale."""
MAX_SPHERE_AREAS = 2
"""Maximum number of Areas on each side of a division into spheres."""
MIN_UNCERTAINTY, UNCERTAINTY_SHARE = 0.4, 0.1
"""Uncertainty of the other side's gain: in pounds, and as a share of what its articles are worth."""
MAX_DEVIATION = 50.0
"""Maximum number of these uncertainties by which a gain falls short; larger ones have no exponential."""
MAX_SALE_LOSS = 3.0
"""Victory Points that a sale may cost the Power and still be suggested."""
SHARE_REQUEST_CHANCE = 0.45
"""Maximum chance of a signature if the other side would ask for a share."""
LIKELY, PERHAPS, UNLIKELY = 0.5, 0.45, 0.2
"""Chances of a signature from which words change (`python -m tools.calibrate words`)."""


class TreatyIdea(NamedTuple):
    """A ready-made Treaty.

    Attributes:
        title: what it is, in a few words.
        draft: the order that offers it.
        gain: what it brings the Power, in Victory Points; its effect on everybody's chance to win included.
        partner_gain: the same for the other side, as far as the Power may know.
        chance: chance that the other side signs, 0 to 1.
    """

    title: str
    draft: Draft
    gain: float
    partner_gain: float
    chance: float


class _Sketch(NamedTuple):
    title: str
    clauses: tuple[Clause, ...]
    form: str = TREATY
    public: bool = False


def suggest_treaties(
    tables: Tables, state: State, power: str, partner: str, valuation: PositionValuation | None = None
) -> list[TreatyIdea]:
    """Return the common Treaties of a Power with another one that are allowed now, in a fixed order of kinds.

    A side that would lose by a Treaty is paid for it, if the other side gains enough. Sales by which the Power loses
    much are left out.

    Args:
        tables: the tables of the game.
        state: the position, as the Power's seat may know it.
        power: the Power.
        partner: the other Power, which has a player.
        valuation: the valuation of the Power; that of an ordinary player by default.
    """
    return _IdeaFinder(tables, state, power, partner, valuation).ideas()


def evaluate_draft(tables: Tables, state: State, power: str, draft: Draft) -> list[TreatyIdea]:
    """Return what a draft brings a Power and each of the other seats that must sign; nothing for one not allowed now.

    Args:
        tables: the tables of the game.
        state: the position, as the Power's seat may know it.
        power: the Power that drafts.
        draft: the draft, with its other parties.
    """
    found = []
    for partner in draft.parties:
        if partner in state.players and partner != power:
            finder = _IdeaFinder(tables, state, power, partner)
            finder.parties = (power, *draft.parties)
            if idea := finder.evaluate_terms(draft.name, draft):
                found.append(idea)
    return found


def describe_chance(chance: float) -> str:
    """Return a chance of a signature in a word."""
    if chance >= LIKELY:
        return "likely"
    return "perhaps" if chance >= PERHAPS else "unlikely" if chance >= UNLIKELY else "hardly"


class _IdeaFinder:
    """Finds ready-made Treaties of a Power with a partner."""

    def __init__(
        self, tables: Tables, state: State, power: str, partner: str, valuation: PositionValuation | None = None
    ) -> None:
        self.tables, self.state, self.power, self.partner = tables, state, power, partner
        self.relations = PowerRelations(tables, state)
        self.valuation = valuation or self.relations.valuation(power)
        self.partner_valuation = self.relations.valuation(partner)
        self.parties: tuple[str, ...] = (power, partner)

    def ideas(self) -> list[TreatyIdea]:
        found = (self._evaluate_sketch(sketch) for sketch in self._sketches())
        return [idea for idea in found if idea is not None]

    # --- kinds ------------------------------------------------------------------------------------------------------

    def _sketches(self) -> Iterator[_Sketch]:
        yield from self._defensive()
        yield _Sketch("Non-aggression", (Clause("non_aggression", until=self._until(PROMISE_SPAN)),))
        yield from self._spheres()
        yield from self._settlement()
        yield from self._sales()
        for kind, title in (("coaling", "Coaling"), ("passage", "Passage")):
            for gets, owes in (self.parties, self.parties[::-1]):
                if gets == self.power or any(war.side_of(gets) for war in self.state.wars):
                    clause = Clause(kind, power=owes, to=gets, until=self._until(PROMISE_SPAN))
                    yield _Sketch(f"{title} for {power_name(self.tables, gets)}", (clause,))
        yield from self._joint_war()

    def _until(self, span: int) -> int:
        return min(self.state.last_turn, self.state.turn + span)

    def _defensive(self) -> Iterator[_Sketch]:
        """A pact against the Power that threatens both most, made public for its Victory Points."""
        foes = [p for p in self._others if not self.relations.are_allied(self.power, p)]
        for row in self.tables.bonuses_per_turn:  # a Treaty that earns Victory Points names its enemy
            test = row.treaty
            if test is None or test.kind != "defensive" or not row.is_for(len(self.state.players)):
                continue
            if row.power in self.parties and test.against in foes:
                yield self._pact(test.against)
                return
        if foes:
            yield self._pact(max(foes, key=lambda foe: sum(self.relations.threat_value(p, foe) for p in self.parties)))

    def _pact(self, foe: str) -> _Sketch:
        title = f"Defensive pact against {power_name(self.tables, foe)}"
        return _Sketch(title, (Clause("defensive", against=(foe,)),), public=True)

    def _joint_war(self) -> Iterator[_Sketch]:
        """A joint War on a Power against which one side has a cause, or on the leader."""
        causes = {c.against for c in self.state.casus_belli if c.holder in self.parties}
        foes = [foe for foe in self._others if foe in causes] or [self.relations.leader]
        for foe in foes[:1]:
            if foe in self._others and not self.relations.is_great_war(self.parties, foe):
                clause = Clause("offensive", against=(foe,), until=self._until(WAR_SPAN))
                yield _Sketch(f"Joint War on {power_name(self.tables, foe)}", (clause,))

    @property
    def _others(self) -> tuple[str, ...]:
        return tuple(p for p in self.state.players if p not in self.parties)

    def _spheres(self) -> Iterator[_Sketch]:
        """Areas that both might take, divided so that both gain as much as possible."""
        valuations = [
            TreatyValuation(self.relations, valuation, (), (), False)
            for valuation in (self.valuation, self.partner_valuation)
        ]
        wanted = {
            area: [one.expansion_value(area, PROTECTORATE) / one.valuation.pounds_per_point for one in valuations]
            for area in self.tables.areas
        }
        both = sorted((a for a, (ours, theirs) in wanted.items() if ours > 0 and theirs > 0),
                      key=lambda area: wanted[area][1] - wanted[area][0])  # fmt: skip
        half = min(MAX_SPHERE_AREAS, len(both) // 2)
        divisions = [(both[:ours], both[-theirs:]) for ours in range(1, half + 1) for theirs in range(1, half + 1)]
        sketches = [self._division(ours, theirs) for ours, theirs in divisions]
        if sketches:
            yield max(
                sketches,
                key=lambda one: min(
                    self._points(valuation, one) for valuation in (self.valuation, self.partner_valuation)
                ),
            )

    def _division(self, ours: Sequence[str], theirs: Sequence[str]) -> _Sketch:
        """A Treaty by which each side stays out of the other's Areas."""
        clauses = tuple(
            Clause("no_marker", power=power, marker=PROTECTORATE, until=self._until(PROMISE_SPAN),
                   places=tuple(area for area in self.tables.areas if area in areas))
            for power, areas in ((self.partner, ours), (self.power, theirs))
        )  # fmt: skip
        return _Sketch("Spheres of influence", clauses)

    def _settlement(self) -> Iterator[_Sketch]:
        """A Casus Belli between the two, given up."""
        for cause in self.state.casus_belli:
            if {cause.holder, cause.against} == set(self.parties):
                where = place_name(self.tables, cause.area) if cause.area else "the Casus Belli"
                places = (cause.area,) if cause.area else ()
                waiver = Clause("waive", power=cause.holder, to=cause.against, places=places)
                yield _Sketch(f"Settle {where}", (waiver,), self._form)
                return

    @property
    def _form(self) -> str:
        return SETTLEMENT if self.state.phase == "negotiation" else TREATY

    def _sales(self) -> Iterator[_Sketch]:
        """For each direction, the sale on which both sides can agree most easily, at a price."""
        for buyer, seller in (self.parties, self.parties[::-1]):
            verb = "Buy" if buyer == self.power else "Sell"
            sales = []
            for area in self._for_sale(seller, buyer):
                sale = Clause("transfer", power=seller, to=buyer, places=(area,))
                if self._is_allowed((sale,), self._form):
                    clauses = sale, self._price(seller, buyer, sale)
                    sales.append(_Sketch(f"{verb} {place_name(self.tables, area)}", clauses, self._form))
            if sales:
                best = max(
                    sales,
                    key=lambda one: min(
                        self._points(valuation, one) for valuation in (self.valuation, self.partner_valuation)
                    ),
                )
                if self._points(self.valuation, best) >= -MAX_SALE_LOSS:
                    yield best

    def _price(self, seller: str, buyer: str, sale: Clause) -> Clause:
        """What the seller needs, but not more than the buyer has and gains."""
        needs, gains = (
            TreatyValuation(self.relations, valuation, self.parties, (sale,), False).total() / valuation.exchanged_pound
            for valuation in (self._valuation_of(seller), self._valuation_of(buyer))
        )
        most = min(MAX_PRICE, self.state.powers[buyer].treasury, int(gains))
        return Clause(PAY.id, power=buyer, to=seller, amount=max(1, min(ceil(FAIR_GAIN - needs), most)))

    def _valuation_of(self, power: str) -> PositionValuation:
        return self.valuation if power == self.power else self.partner_valuation

    def _for_sale(self, seller: str, buyer: str) -> list[str]:
        """The seller's Areas, alone under its Control, that the buyer values most in comparison."""
        values = self.relations.valuation(seller), self.relations.valuation(buyer)
        found: dict[str, float] = {}
        for area, here in self.state.areas.items():
            own = next((m for m in here.markers if m.power == seller and m.marker in CONTROL), None)
            if own is not None and controllers(self.state, area) == (seller,) and not self._is_crown(own.marker):
                ours, theirs = (
                    valuation.marker_value(self.state, area, own.marker) / valuation.pounds_per_point
                    for valuation in values
                )
                found[area] = ours - theirs
        return sorted(found, key=lambda area: found[area])[:SALE_COUNT]

    def _is_crown(self, marker: str) -> bool:
        return bool(self.tables.markers[marker].only_for)

    # --- prices -----------------------------------------------------------------------------------------------------

    def _evaluate_sketch(self, sketch: _Sketch) -> TreatyIdea | None:
        """Add a fair price, and evaluate; None if the draft is not allowed now or is in force already."""
        if not sketch.clauses or self._is_known(sketch.clauses):
            return None
        if any(contradicted_treaty(self.state, p, self.parties, sketch.clauses) is not None for p in self.parties):
            return None
        draft = Draft("", (self.partner,), self._with_price(sketch), sketch.form, sketch.public)
        return self.evaluate_terms(sketch.title, draft)

    def evaluate_terms(self, title: str, draft: Draft) -> TreatyIdea | None:
        """Return what a draft brings both sides; None if it is not allowed now."""
        clauses, public = draft.clauses, draft.public
        if not self._is_allowed(clauses, draft.form):
            return None
        mine, theirs = (
            self._gain(valuation, clauses, public) for valuation in (self.valuation, self.partner_valuation)
        )
        articles = TreatyValuation(self.relations, self.partner_valuation, self.parties, clauses, public).articles()
        doubt = MIN_UNCERTAINTY + UNCERTAINTY_SHARE * sum(map(abs, articles))
        chance = 1.0 / (1.0 + exp(min(MAX_DEVIATION, -(theirs - MIN_SIGNING_GAIN) / doubt)))
        if self._asks_for_share(clauses, public, theirs):
            chance = min(chance, SHARE_REQUEST_CHANCE)
        return TreatyIdea(
            title,
            draft,
            mine / self.valuation.pounds_per_point,
            theirs / self.partner_valuation.pounds_per_point,
            chance,
        )

    def _with_price(self, sketch: _Sketch) -> tuple[Clause, ...]:
        """Let the side that gains pay the one that would lose, if it has the money and still gains."""
        if any(clause.kind == PAY.id for clause in sketch.clauses):
            return sketch.clauses
        for payer, paid in ((self.valuation, self.partner_valuation), (self.partner_valuation, self.valuation)):
            lacks = FAIR_GAIN - self._gain(paid, sketch.clauses, sketch.public)
            gains = self._gain(payer, sketch.clauses, sketch.public)
            if lacks <= 0 or gains <= 0:
                continue
            for fee in self._payments(payer.power, paid, lacks):
                clauses = (*sketch.clauses, fee)
                if self._gain(payer, clauses, sketch.public) > 0 and self._gain(paid, clauses, sketch.public) > 0:
                    return clauses
        return sketch.clauses

    def _payments(self, payer: str, paid: PositionValuation, lacks: float) -> Iterator[Clause]:
        """Payments that make up for a loss in pounds at the end: at once, or later for a payer without money."""
        pounds = ceil(lacks / paid.exchanged_pound)
        if pounds <= min(MAX_PRICE, self.state.powers[payer].treasury):
            yield Clause(PAY.id, power=payer, to=paid.power, amount=pounds)
        date = payment_turn(self.state, payer)
        for more in (1.2, 1.6, 2.2) if date else ():  # a promise counts for less than money
            if pounds * more <= MAX_PRICE:
                yield Clause(PAY.id, power=payer, to=paid.power, amount=ceil(pounds * more), turn=date)

    def _asks_for_share(self, clauses: Sequence[Clause], public: bool, theirs: float) -> bool:
        """Whether the other side would ask for a share, because the Power gains far more by the Treaty."""
        return terms_with_share(self.relations, self.partner_valuation, self.power, clauses, public, theirs) is not None

    def _gain(self, valuation: PositionValuation, clauses: Sequence[Clause], public: bool) -> float:
        return treaty_gain(self.relations, valuation, self.parties, clauses, public)

    def _points(self, valuation: PositionValuation, sketch: _Sketch) -> float:
        return self._gain(valuation, sketch.clauses, sketch.public) / valuation.pounds_per_point

    # --- rules ------------------------------------------------------------------------------------------------------

    def _is_known(self, clauses: Sequence[Clause]) -> bool:
        return all(self.relations.is_promised(clause, self.parties) for clause in clauses)

    def _is_allowed(self, clauses: tuple[Clause, ...], form: str = "") -> bool:
        """Whether the rules allow the draft, and its immediate articles can be carried out."""
        trial = DryRun(self.tables, replace(self.state, treaties=()))  # open drafts do not count here
        draft = Draft("", self.parties[1:], clauses, form or self._form)
        if find_refusal(lambda: lifecycle.draft_treaty(trial, self.power, draft)) is not None:
            return False
        return find_obstacle(self.tables, self.state, self.parties, clauses) is None
