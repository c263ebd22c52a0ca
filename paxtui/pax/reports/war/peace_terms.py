"""A peace as it is put together: who signs, what becomes of each Area, who pays whom, and what all of it would leave.

An article of any other kind may stand beside these. What is tried here is tried with the rules' own functions, on the
position as the seat may know it.

Rules: WEN-027, WEN-028, WEN-036, WEN-037, WEN-038, WEN-046, NEG-011, NEG-012, NEG-014, COD-001
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.pax.board.status import at, controllers, seat_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.clauses.kinds import at_once
from paxtui.pax.clauses.peace import PEACE
from paxtui.pax.diplomacy import acts
from paxtui.pax.diplomacy.peace import with_a_voice
from paxtui.pax.menus.trial import try_action
from paxtui.pax.orders import actions as ac
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import CONTROL, EXPANSION, INFLUENCE, INTEREST, LEVEL
from paxtui.pax.state.treaty import DRAFT, SETTLEMENT, Clause, Treaty
from paxtui.pax.state.war import REBELLION, RESOLUTION, War
from paxtui.pax.words.places import in_order
from paxtui.pax.words.spoken import of_power, place_name, power_name, the_power, the_powers

STEP = 5
"""Pounds by which a sum grows with a key."""
_OF_AN_AREA = ("transfer", "lower", "codominion")
"""Kinds of article that say what becomes of an Area."""


class Terms(msgspec.Struct, frozen=True):
    """A peace as one of its parties writes it.

    Attributes:
        war: id of the War that it ends.
        power: who writes it.
        signers: who else signs.
        fates: what becomes of Areas, an article each; an Area without one is as the War found it.
        money: pounds that pass between the writer and another: what that one pays, negative for what it is paid.
        others: articles of other kinds.
        instead: id of the draft that it answers.
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
        """The articles, peace itself first."""
        paid = (
            Clause("pay", power=other, to=self.power, amount=pounds)
            if pounds > 0
            else Clause("pay", power=self.power, to=other, amount=-pounds)
            for other, pounds in self.money.items()
            if pounds
        )
        return (Clause(PEACE.id), *self.fates.values(), *paid, *self.others)

    def with_fate(self, area: str, clause: Clause | None) -> Terms:
        """The same with another fate of an Area; None leaves it as the War found it."""
        fates = {**self.fates, area: clause} if clause else {a: c for a, c in self.fates.items() if a != area}
        return replace(self, fates=fates)

    def toggled(self, power: str) -> Terms:
        """The same with another signer, or one less, who then pays and is paid nothing."""
        signers = tuple(p for p in self.signers if p != power)
        if len(signers) < len(self.signers):
            return replace(self, signers=signers, money={p: n for p, n in self.money.items() if p != power})
        return replace(self, signers=(*self.signers, power))

    def paying(self, power: str, more: int) -> Terms:
        """The same with so many pounds more from another to the writer."""
        return replace(self, money={**self.money, power: self.money.get(power, 0) + more})

    def without(self, number: int) -> Terms:
        """The same without one of the articles of other kinds (from 0)."""
        return replace(self, others=tuple(c for n, c in enumerate(self.others) if n != number))


# --- where it begins ------------------------------------------------------------------------------------------------


def wars_to_end(tables: Tables, state: State, power: str) -> tuple[War, ...]:
    """The Wars of a Power in which there is somebody to make peace with.

    Rules: WEN-036, WEN-045, REB-058
    """
    return tuple(
        war
        for war in state.wars
        if war.side_of(power)
        and war.kind != REBELLION
        and war.stage != RESOLUTION
        and any(war.opposes(power, p) for p in with_a_voice(tables, state, war))
    )


def begun(tables: Tables, state: State, war: War, power: str) -> Terms:
    """A peace that all sign and that changes nothing: what is conquered goes back."""
    return Terms(war.id, power, tuple(p for p in with_a_voice(tables, state, war) if p != power))


def is_peace(treaty: Treaty) -> bool:
    """Whether a draft would end a War."""
    return treaty.stage == DRAFT and any(clause.kind == PEACE.id for clause in treaty.clauses)


def proposed(state: State, power: str) -> tuple[Treaty, ...]:
    """The drafts of a peace to which a Power is a party, those that wait for it first."""
    found = [t for t in state.treaties if is_peace(t) and power in t.parties]
    return tuple(sorted(found, key=lambda t: power in t.signed))


def read(war: War, power: str, clauses: tuple[Clause, ...], parties: tuple[str, ...], instead: str = "") -> Terms:
    """The articles of a draft as terms; what does not fit into a row of its own stands among the others."""
    fates: dict[str, Clause] = {}
    money: dict[str, int] = {}
    others: list[Clause] = []
    for clause in clauses:
        if clause.kind == PEACE.id and at_once(clause):
            continue
        if clause.kind in _OF_AN_AREA and at_once(clause) and clause.places[0] not in fates:
            fates[clause.places[0]] = clause
        elif clause.kind == "pay" and at_once(clause) and power in (clause.power, clause.to):
            other = clause.to if clause.power == power else clause.power
            money[other] = money.get(other, 0) + (clause.amount if clause.to == power else -clause.amount)
        else:
            others.append(clause)
    signers = tuple(p for p in parties if p != power)
    return Terms(war.id, power, signers, fates, money, tuple(others), instead)


# --- Areas ----------------------------------------------------------------------------------------------------------


def on_the_table(tables: Tables, state: State, war: War, terms: Terms) -> tuple[str, ...]:
    """The Areas that a peace speaks of without being asked: conquered ones, those the War is about, those in which
    enemy Armies stand, and those for which there is an article; the best first.
    """
    held = {area for area in state.areas if _entered(state, war, area)}
    wanted = {c.area for c in war.conquered} | held | (set(war.over) & set(state.areas)) | set(terms.fates)
    known = {a for a in wanted if a in terms.fates or next(fates(tables, state, war, a), None)}
    return tuple(sorted(known, key=lambda a: (not war.conqueror(a), -tables.areas[a].value, a)))


def _entered(state: State, war: War, area: str) -> bool:
    sides = {war.side_of(p) for p in controllers(state, area)} - {0}
    return bool(sides) and any(war.side_of(u.power) not in (0, *sides) for u in at(state, area).units)


def others(tables: Tables, state: State, war: War, terms: Terms) -> tuple[str, ...]:
    """The other Areas in which a belligerent has a marker that could change hands, the best first."""
    shown = set(on_the_table(tables, state, war, terms))
    found = [a for a in state.areas if a not in shown and next(fates(tables, state, war, a), None)]
    return tuple(sorted(found, key=lambda a: (-tables.areas[a].value, place_name(tables, a))))


def fates(tables: Tables, state: State, war: War, area: str, power: str = "") -> Iterator[Clause]:
    """What can be agreed about an Area, apart from leaving it as the War found it.

    First the markers of belligerents handed to enemies, to allies and to neutrals, then Areas shared, then markers
    lowered or given up. States and Dominions are nobody else's. What `power` itself would get comes before the like.

    Rules: NEG-011, NEG-012, NEG-018, STA-036, COD-001
    """
    crown = {kind for kind, row in tables.markers.items() if row.only_for}
    own = [m for m in at(state, area).markers if m.established and war.side_of(m.power) and m.marker not in crown]
    holders = [m for m in own if m.power != EXPANSION]
    holders.sort(key=lambda m: m.marker not in CONTROL)
    for m in holders:
        for to in _receivers(state, war, m.power, area, power):
            yield Clause("transfer", power=m.power, to=to, places=(area,))
    control = controllers(state, area)
    if any(m.marker in CONTROL for m in holders):
        for to in _receivers(state, war, control[0], area, power):
            if to not in control and war.side_of(to):
                yield Clause("codominion", places=(area,), against=in_order(tables.powers, (*control, to)))
    for m in own:
        lower = [kind for kind in (INFLUENCE, INTEREST) if LEVEL[kind] < LEVEL[m.marker]]
        for to in (*lower, ""):
            yield Clause("lower", power=m.power, places=(area,), marker=to)


def _receivers(state: State, war: War, power: str, area: str, first: str) -> list[str]:
    """Who could get the marker of a Power: first who has conquered it, then other enemies, allies, neutrals."""
    winner, side = war.conqueror(area), war.side_of(power)

    def rank(other: str) -> tuple[bool, ...]:
        number = war.side_of(other)
        return not number, number == side, number != winner, other != first

    return sorted((p for p in state.powers if p != power), key=rank)


def stays(tables: Tables, state: State, war: War, area: str) -> str:
    """What becomes of an Area without an article, in words."""
    held = controllers(state, area)
    winner = war.conqueror(area)
    lost = [p for p in held if winner and war.side_of(p) not in (0, winner)]
    if lost:
        return f"goes back to {the_powers(tables, lost)}"
    markers = [m.power for m in at(state, area).markers if m.established and war.side_of(m.power)]
    return f"stays with {the_powers(tables, held or markers[:1])}" if held or markers else "stays as it is"


def fate_said(tables: Tables, state: State, clause: Clause) -> str:
    """What an article makes of its Area, in a few words."""
    several = len([m for m in at(state, clause.places[0]).markers if m.established]) > 1
    whose = f"{of_power(tables, clause.power)} marker " if several and clause.power else ""
    if clause.kind == "transfer":
        return f"{whose}to {the_power(tables, clause.to)}"
    if clause.kind == "codominion":
        return f"shared by {the_powers(tables, clause.against)}"
    name = tables.markers[clause.marker].name if clause.marker else ""
    who = power_name(tables, clause.power)
    return f"{who} keeps {'an' if name[:1] in 'AEIOU' else 'a'} {name}" if name else f"{who} gives it up"


# --- the order ------------------------------------------------------------------------------------------------------


def draft(tables: Tables, state: State, terms: Terms) -> ac.Draft:
    """The order that proposes a peace; whoever has to sign for an article is a party.

    Rules: WEN-036, NEG-019, TRE-002
    """
    needed = acts.must_sign(tables, state, (c for c in terms.clauses if at_once(c)))
    named = (*terms.signers, *(p for p in needed if p in state.powers))
    parties = in_order(tables.powers, (p for p in named if p != terms.power))
    power = "" if terms.power == seat_of(tables, state, terms.power) else terms.power
    return ac.Draft("", parties, terms.clauses, SETTLEMENT, instead=terms.instead, power=power)


def refused(tables: Tables, state: State, terms: Terms) -> Refusal | None:
    """Why a peace cannot be proposed; None where it can."""
    said = try_action(tables, state, seat_of(tables, state, terms.power), draft(tables, state, terms))
    return said if isinstance(said, Refusal) else None

