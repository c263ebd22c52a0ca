"""Terms of a peace, the possible fates of Areas, and a preview of the result once all parties sign.

Rules: WEN-027, WEN-028, WEN-036, WEN-037, WEN-038, WEN-045, WEN-046, NEG-011, NEG-012, NEG-014, COD-001
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import msgspec
from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.status import area_state, controllers, seat_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.clauses.exchanges import PEACE
from paxtui.games.pax.clauses.registry import is_immediate
from paxtui.games.pax.diplomacy import settlement
from paxtui.games.pax.diplomacy.settlement import SettlementRun, played_belligerents
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.figures import FigureChange
from paxtui.games.pax.narration.narrator import BAD, GOOD, ReportLine
from paxtui.games.pax.preview import war_answers
from paxtui.games.pax.preview.dry_run import Outcome, outcome_of, run_trial
from paxtui.games.pax.preview.war_answers import describe_consequences
from paxtui.games.pax.state.diplomacy import DRAFT, SETTLEMENT, Clause, Treaty
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import CONTROL, INFLUENCE, INTEREST, LEVEL, OTTOMAN_EMPIRE
from paxtui.games.pax.state.war import REBELLION, RESOLUTION, War
from paxtui.games.pax.text.display import (
    marker_with_article,
    of_power,
    place_name,
    power_name,
    sentence,
    the_power,
    the_powers,
)
from paxtui.games.pax.text.parsing import in_table_order
from paxtui.games.pax.transaction import DryRun, GameOver

PAYMENT_STEP = 5
"""Change of a payment per key press, in pounds."""
_OF_AN_AREA = ("transfer", "lower", "codominion")
"""Kinds of clause that decide the fate of an Area."""


class PeaceTerms(msgspec.Struct, frozen=True):
    """Terms of a peace as edited by one of its parties.

    Attributes:
        war: id of the War that it ends.
        power: the Power that drafts it.
        signers: the other signers.
        fates: the clause for each Area; Areas without one return to their state before the War.
        money: pounds that each other Power pays the drafter; negative for payments by the drafter.
        others: clauses of other kinds.
        instead: id of the draft that it replaces.
    """

    war: str
    power: str
    signers: tuple[str, ...]
    fates: dict[str, Clause] = {}
    money: dict[str, int] = {}
    others: tuple[Clause, ...] = ()
    instead: str = ""

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """The clauses, peace itself first."""
        paid = (
            Clause("pay", power=other, to=self.power, amount=pounds)
            if pounds > 0
            else Clause("pay", power=self.power, to=other, amount=-pounds)
            for other, pounds in self.money.items()
            if pounds
        )
        return (Clause(PEACE.id), *self.fates.values(), *paid, *self.others)

    def with_fate(self, area: str, clause: Clause | None) -> PeaceTerms:
        """Return a copy with another fate of an Area; None restores the state before the War."""
        fates = {**self.fates, area: clause} if clause else {a: c for a, c in self.fates.items() if a != area}
        return replace(self, fates=fates)

    def toggled(self, power: str) -> PeaceTerms:
        """Return a copy with a signer added, or removed together with its payment."""
        signers = tuple(p for p in self.signers if p != power)
        if len(signers) < len(self.signers):
            return replace(self, signers=signers, money={p: n for p, n in self.money.items() if p != power})
        return replace(self, signers=(*self.signers, power))

    def paying(self, power: str, more: int) -> PeaceTerms:
        """Return a copy with the payment of another Power to the drafter increased."""
        return replace(self, money={**self.money, power: self.money.get(power, 0) + more})

    def without(self, number: int) -> PeaceTerms:
        """Return a copy without one of the other clauses (index from 0)."""
        return replace(self, others=tuple(c for n, c in enumerate(self.others) if n != number))


def wars_to_end(tables: Tables, state: State, power: str) -> tuple[War, ...]:
    """Return the Wars of a Power in which a belligerent can make peace with it. Rules: WEN-036, WEN-045, REB-058."""
    return tuple(
        war
        for war in state.wars
        if war.side_of(power)
        and war.kind != REBELLION
        and war.stage != RESOLUTION
        and any(war.opposes(power, p) for p in played_belligerents(tables, state, war))
    )


def initial_terms(tables: Tables, state: State, war: War, power: str) -> PeaceTerms:
    """Return a peace that all sign and that changes nothing: conquered Areas are returned."""
    return PeaceTerms(war.id, power, tuple(p for p in played_belligerents(tables, state, war) if p != power))


def is_peace(treaty: Treaty) -> bool:
    """Whether a draft would end a War."""
    return treaty.stage == DRAFT and any(clause.kind == PEACE.id for clause in treaty.clauses)


def proposed_treaties(state: State, power: str) -> tuple[Treaty, ...]:
    """Return the peace drafts to which a Power is a party, those that it must sign first."""
    found = [t for t in state.treaties if is_peace(t) and power in t.parties]
    return tuple(sorted(found, key=lambda t: power in t.signed))


def terms_from_draft(
    war: War, power: str, clauses: tuple[Clause, ...], parties: tuple[str, ...], instead: str = ""
) -> PeaceTerms:
    """Convert the clauses of a draft to terms; clauses without a field of their own go to `others`."""
    fates: dict[str, Clause] = {}
    money: dict[str, int] = {}
    others: list[Clause] = []
    for clause in clauses:
        if clause.kind == PEACE.id and is_immediate(clause):
            continue
        if clause.kind in _OF_AN_AREA and is_immediate(clause) and clause.places[0] not in fates:
            fates[clause.places[0]] = clause
        elif clause.kind == "pay" and is_immediate(clause) and power in (clause.power, clause.to):
            other = clause.to if clause.power == power else clause.power
            money[other] = money.get(other, 0) + (clause.amount if clause.to == power else -clause.amount)
        else:
            others.append(clause)
    signers = tuple(p for p in parties if p != power)
    return PeaceTerms(war.id, power, signers, fates, money, tuple(others), instead)


def main_areas(tables: Tables, state: State, war: War, terms: PeaceTerms) -> tuple[str, ...]:
    """Return the main Areas of a peace, most valuable first.

    These are conquered Areas, the Areas in dispute, Areas with enemy Armies, and those with a clause.
    """
    contested = {area for area in state.areas if _holds_units_of_several_sides(state, war, area)}
    wanted = {c.area for c in war.conquered} | contested | (set(war.over) & set(state.areas)) | set(terms.fates)
    known = {a for a in wanted if a in terms.fates or next(possible_fates(tables, state, war, a), None)}
    return tuple(sorted(known, key=lambda a: (not war.conqueror(a), -tables.areas[a].value, a)))


def _holds_units_of_several_sides(state: State, war: War, area: str) -> bool:
    sides = {war.side_of(p) for p in controllers(state, area)} - {0}
    return bool(sides) and any(war.side_of(u.power) not in (0, *sides) for u in area_state(state, area).units)


def other_areas(tables: Tables, state: State, war: War, terms: PeaceTerms) -> tuple[str, ...]:
    """Return the other Areas with a belligerent's marker that could change hands, most valuable first."""
    shown = set(main_areas(tables, state, war, terms))
    found = [a for a in state.areas if a not in shown and next(possible_fates(tables, state, war, a), None)]
    return tuple(sorted(found, key=lambda a: (-tables.areas[a].value, place_name(tables, a))))


def possible_fates(tables: Tables, state: State, war: War, area: str, power: str = "") -> Iterator[Clause]:
    """Return the possible clauses for an Area, besides its state before the War.

    They are ordered: markers of belligerents transferred to enemies, allies and neutrals; shared Areas; markers lowered
    or given up. States and Dominions cannot change hands. Gains of `power` come first in each group.

    Rules: NEG-011, NEG-012, NEG-018, STA-036, COD-001
    """
    crown = {kind for kind, row in tables.markers.items() if row.only_for}
    own = [
        m for m in area_state(state, area).markers if m.established and war.side_of(m.power) and m.marker not in crown
    ]
    holders = [m for m in own if m.power != OTTOMAN_EMPIRE]
    holders.sort(key=lambda m: m.marker not in CONTROL)
    for m in holders:
        for to in _receivers(state, war, m.power, area, power):
            yield Clause("transfer", power=m.power, to=to, places=(area,))
    control = controllers(state, area)
    if any(m.marker in CONTROL for m in holders):
        for to in _receivers(state, war, control[0], area, power):
            if to not in control and war.side_of(to):
                yield Clause("codominion", places=(area,), against=in_table_order(tables.powers, (*control, to)))
    for m in own:
        lower = [kind for kind in (INFLUENCE, INTEREST) if LEVEL[kind] < LEVEL[m.marker]]
        for to in (*lower, ""):
            yield Clause("lower", power=m.power, places=(area,), marker=to)


def _receivers(state: State, war: War, power: str, area: str, first: str) -> list[str]:
    """Powers that could receive a marker: its conqueror first, then other enemies, allies, neutrals."""
    winner, side = war.conqueror(area), war.side_of(power)

    def rank(other: str) -> tuple[bool, ...]:
        number = war.side_of(other)
        return not number, number == side, number != winner, other != first

    return sorted((p for p in state.powers if p != power), key=rank)


def default_fate_text(tables: Tables, state: State, war: War, area: str) -> str:
    """Describe the fate of an Area without a clause."""
    holders = controllers(state, area)
    winner = war.conqueror(area)
    lost = [p for p in holders if winner and war.side_of(p) not in (0, winner)]
    if lost:
        return f"goes back to {the_powers(tables, lost)}"
    markers = [m.power for m in area_state(state, area).markers if m.established and war.side_of(m.power)]
    return f"stays with {the_powers(tables, holders or markers[:1])}" if holders or markers else "stays as it is"


def fate_text(tables: Tables, state: State, clause: Clause) -> str:
    """Describe the effect of a clause on its Area in a few words."""
    several = len([m for m in area_state(state, clause.places[0]).markers if m.established]) > 1
    whose = f"{of_power(tables, clause.power)} marker " if several and clause.power else ""
    if clause.kind == "transfer":
        return f"{whose}to {the_power(tables, clause.to)}"
    if clause.kind == "codominion":
        return f"shared by {the_powers(tables, clause.against)}"
    who = power_name(tables, clause.power)
    return f"{who} keeps {marker_with_article(tables, clause.marker)}" if clause.marker else f"{who} gives it up"


def peace_draft(tables: Tables, state: State, terms: PeaceTerms) -> actions.Draft:
    """Return the order that proposes a peace; each Power whose consent a clause needs is a party.

    Rules: WEN-036, NEG-019, TRE-002
    """
    needed = settlement.required_signers(tables, state, (c for c in terms.clauses if is_immediate(c)))
    named = (*terms.signers, *(p for p in needed if p in state.powers))
    parties = in_table_order(tables.powers, (p for p in named if p != terms.power))
    power = "" if terms.power == seat_of(tables, state, terms.power) else terms.power
    return actions.Draft("", parties, terms.clauses, SETTLEMENT, instead=terms.instead, power=power)


def peace_refusal(tables: Tables, state: State, terms: PeaceTerms) -> Refusal | None:
    """Return why a peace cannot be proposed; None if it can."""
    found = run_trial(tables, state, seat_of(tables, state, terms.power), peace_draft(tables, state, terms))
    return found if isinstance(found, Refusal) else None


FIGURE_LINES = ("Line 22", "Line 31")
"""Figures shown for each Power: the money lines of a Game Turn, and the Victory Points if the game ended now."""


def preview_peace(tables: Tables, state: State, clauses: tuple[Clause, ...], parties: tuple[str, ...]) -> Outcome:
    """Preview a peace as if all parties, the drafter included, signed it now."""
    trial = DryRun(tables, state)
    try:
        with suppress(GameOver):  # the events include the end of the game
            SettlementRun(trial, [c for c in clauses if is_immediate(c)], (), False, parties).do()
    except Refusal as refusal:
        return Outcome(state, refusal=refusal)
    # a decided War has no conquests
    then = replace(trial.state, wars=tuple(w for w in trial.state.wars if not w.outcome))
    return outcome_of(state, then, trial.events)


def describe_peace(tables: Tables, power: str, before: State, war: War, found: Outcome) -> list[ReportLine]:
    """Describe a peace: the War, returned Areas, tensions, causes of war, and requirements of new Control."""
    if found.refusal is not None:
        return [ReportLine(found.refusal.message, tone=BAD)]
    return [
        *_remaining_war(tables, before, war, found),
        *_returned_areas(tables, before, war, found),
        *describe_consequences(tables, power, found.events),
        *war_answers.describe_duty(tables, power, before, found),
    ]


def _remaining_war(tables: Tables, before: State, war: War, found: Outcome) -> Iterator[ReportLine]:
    """Describe whether the War ends, or which Powers leave it. Rules: WEN-027, WEN-036, WEN-037, WEN-046."""
    minors = [p for p in war.powers if p not in played_belligerents(tables, before, war)]
    if any(isinstance(e, ev.WarDecided) and e.war == war.id for e in found.events):
        yield ReportLine("The War is over: all belligerents sign.", tone=GOOD)
        if minors:
            verb = "accepts" if len(minors) == 1 else "accept"
            yield ReportLine(sentence(f"{the_powers(tables, minors)} {verb} it without being asked"))
    left = [e.power for e in found.events if isinstance(e, ev.PowerLeftWar) and e.war == war.id]
    if left:
        rest = [[p for p in side if p not in left] for side in war.alliances]
        sides = " against ".join(the_powers(tables, side) for side in rest if side)
        verb = "leaves" if len(left) == 1 else "leave"
        yield ReportLine(sentence(f"{the_powers(tables, left)} {verb} the War, which continues: {sides}"), tone=BAD)
    if war.surrendered:
        yield ReportLine(f"Surrendered Units {'of the leaving Powers ' * bool(left)}return home.")


def _returned_areas(tables: Tables, before: State, war: War, found: Outcome) -> Iterator[ReportLine]:
    """The conquered Areas without a clause that transfers them. Rules: WEN-037 (R-WEN-04)."""
    over = any(isinstance(e, ev.WarDecided) and e.war == war.id for e in found.events)
    freed = {e.area for e in found.events if isinstance(e, ev.AreaConquered) and not e.alliance}
    for taken in war.conquered:
        if taken.area in found.areas or not (over or taken.area in freed):
            continue
        losers = [p for p in controllers(before, taken.area) if war.side_of(p) not in (0, taken.alliance)]
        if losers:
            text = f"{place_name(tables, taken.area)} goes back to {the_powers(tables, losers)}"
            yield ReportLine(sentence(text), taken.area)


def peace_figures(tables: Tables, powers: tuple[str, ...], before: State, found: Outcome) -> list[FigureChange]:
    """Return each Power's figures of a Game Turn and final Victory Points, before and after."""
    out = []
    for power in powers:
        name = power_name(tables, power)
        for figure in war_answers.figure_changes(tables, power, seat_of(tables, before, power), before, found.state):
            if figure.what.startswith(FIGURE_LINES):
                what = "£ a turn" if figure.what.startswith(FIGURE_LINES[0]) else "VP now"
                out.append(figure._replace(what=f"{name}, {what}"[:26]))
    return out
