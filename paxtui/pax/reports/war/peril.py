"""What an Alliance would lose at its next Supply Determination as the board stands, and what an act would add to that.

Rules: SUP-001, SUP-002, SUP-007, SUP-015, SUP-016, SUP-019, WMV-025, WMV-026
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.pax.board.status import controllers, powers_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.decide import played
from paxtui.pax.menus.trial import TRIAL
from paxtui.pax.orders import actions as ac
from paxtui.pax.sequence import waiting
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import ARMY
from paxtui.pax.state.questions import JoinAttack
from paxtui.pax.state.war import ALLIANCES, ATTACK, MANEUVER, RESOLUTION, War
from paxtui.pax.war import cycle
from paxtui.pax.war.alliances import commanded
from paxtui.pax.war.campaign import coaling, supply
from paxtui.pax.war.campaign.battle import ASIDE
from paxtui.pax.words.spoken import all_of, of_power, place_name, powers_named, sentence, the_powers

ARMIES, FLEETS, AREA = "armies", "fleets", "area"
"""What is in danger."""


class Peril(NamedTuple):
    """Something that surrenders, or falls, at the next Supply Determination of its Alliance.

    Attributes:
        kind: ARMIES, FLEETS or AREA.
        place: where.
        power: whose Units; "" for an Area.
        units: names of the Units.
        to: the Alliance that an Area falls to, 0 for Units.
    """

    kind: str
    place: str
    power: str = ""
    units: tuple[str, ...] = ()
    to: int = 0


def perils(tables: Tables, state: State, war: War, side: int) -> tuple[Peril, ...]:
    """What an Alliance would lose if its supply were determined on this board.

    Rules: SUP-001, SUP-002, SUP-015, SUP-016
    """
    if war.stage in (ALLIANCES, RESOLUTION) or not side:
        return ()
    found = supply.judged(tables, state, war, side)
    return (
        *(Peril(ARMIES, place, power, names) for power, place, names in found.armies),
        *(Peril(FLEETS, place, power, names) for power, place, names in found.fleets),
        *(Peril(AREA, area, to=to) for area, to in found.areas),
    )


def said(tables: Tables, war: War, peril: Peril) -> str:
    """A peril in a sentence."""
    where = place_name(tables, peril.place)
    if peril.kind == AREA:
        to = powers_named(tables, war.alliance(peril.to))
        return f"{where} will fall to {to}: it has no Line of Supply, and enemy Armies could come there."
    whose, why = of_power(tables, peril.power), "no Line of Supply" if peril.kind == ARMIES else "no Coaling Rights"
    text = f"{whose} {' '.join(peril.units)} in {where} will surrender at the next Supply Determination: {why} there"
    return sentence(text)


def belligerents(tables: Tables, state: State, seat: str) -> Iterator[tuple[War, int, tuple[str, ...]]]:
    """The Wars of a seat, each with the number of its Alliance and the Powers that it commands there."""
    for war in state.wars:
        own = commanded(tables, state, war, seat)
        for number in dict.fromkeys(war.side_of(power) for power in own):
            yield war, number, tuple(p for p in own if war.side_of(p) == number)


# --- what an act would add ----------------------------------------------------------------------------------------


def warnings(tables: Tables, state: State, seat: str, action: ac.Action) -> list[str]:
    """What a seat would lose by an act in War: Units and Areas that would be out of supply, Areas left without an
    Army, Coaling Rights; in sentences. Empty where it is nothing, or where the act is refused anyway.

    Rules: SUP-001, SUP-007, SUP-015, SUP-019, WMV-024, WMV-025
    """
    if state.phase != "war":
        return []
    if isinstance(action, ac.Pass | ac.Ready):
        return _on_passing(tables, state, seat)
    if isinstance(action, ac.Choose):
        return _on_standing_aside(tables, state, seat, action)
    if not isinstance(action, ac.Move | ac.Deny | ac.Allow | ac.Volunteer):
        return []
    try:
        after = played(tables, state, seat, action, Dice(TRIAL)).state
    except Refusal:
        return []
    out = _provoked(tables, state, after, seat) if isinstance(action, ac.Deny) else []
    if isinstance(action, ac.Volunteer):
        out.append("What is volunteered for coaling cannot be taken back while the War lasts.")
    for war, number, own in belligerents(tables, state, seat):
        then = next((w for w in after.wars if w.id == war.id), None)
        if then is None:
            continue
        known = perils(tables, state, war, number)
        out += [
            said(tables, then, new)
            for new in perils(tables, after, then, number)
            if not any(_as_bad(old, new) for old in known)
        ]
        out += _uncoaled(tables, state, after, war, then, own)
        if isinstance(action, ac.Move):
            out += _bared(tables, state, after, war, number, action.path[0])
    return list(dict.fromkeys(out))


def _provoked(tables: Tables, state: State, after: State, seat: str) -> list[str]:
    """The causes of war that an act gives others against the seat's Powers.

    Rules: STR-003, STR-006
    """
    known, mine = {c.id for c in state.casus_belli}, powers_of(tables, state, seat)
    new = [c for c in after.casus_belli if c.id not in known and c.against in mine]
    names = tuple(dict.fromkeys(c.holder for c in new))
    if not names:
        return []
    verb = "gets" if len(names) == 1 else "get"
    return [sentence(f"{the_powers(tables, names)} {verb} a Casus Belli against you, to declare War by in this Phase")]


def _on_passing(tables: Tables, state: State, seat: str) -> list[str]:
    """What of the seat's own would be out of supply if the Phase of its Alliance ended so; nothing where nobody waits.

    Rules: SUP-001, SUP-015, SUP-016
    """
    war = cycle.current(state)
    if war is None or war.stage not in (MANEUVER, ATTACK) or seat not in waiting(tables, state):
        return []
    own = commanded(tables, state, war, seat)
    found = perils(tables, state, war, war.turn_of)
    return [said(tables, war, danger) for danger in found if _concerns(state, war, danger, own)]


def _concerns(state: State, war: War, danger: Peril, own: tuple[str, ...]) -> bool:
    """Whether what is in danger is some Powers' own: Units of theirs, an Area that they hold or have won."""
    if danger.kind != AREA:
        return danger.power in own
    held = set(controllers(state, danger.place)) & set(own)
    return bool(held) or war.conqueror(danger.place) in {war.side_of(power) for power in own} - {0}


def _on_standing_aside(tables: Tables, state: State, seat: str, action: ac.Choose) -> list[str]:
    """What it means for the seat's Units not to join an attack, and what is in danger where they stay.

    Rules: WCB-006, SUP-001, SUP-015
    """
    choice = next((c for c in state.choices if c.id == action.id and c.seat == seat), None)
    if choice is None or not isinstance(choice.about, JoinAttack) or " ".join(action.answer) != ASIDE:
        return []
    war = next((w for w in state.wars if w.id == choice.about.war), None)
    place = place_name(tables, choice.area)
    out = [f"Your Units in {place} then attack nobody in this Phase."]
    if war is not None:
        own = commanded(tables, state, war, seat)
        found = perils(tables, state, war, war.side_of(choice.power))
        out += [said(tables, war, danger) for danger in found if _concerns(state, war, danger, own)]
    return out


def _as_bad(old: Peril, new: Peril) -> bool:
    """Whether what is in danger was so before, all of it."""
    same = (old.kind, old.place, old.power) == (new.kind, new.place, new.power)
    return same and set(new.units) <= set(old.units)


def _uncoaled(tables: Tables, state: State, after: State, war: War, then: War, own: tuple[str, ...]) -> list[str]:
    """The seas in which a Power has Coaling Rights no longer."""
    lost: dict[str, None] = {}
    for power in own:
        had, has = coaling.rights(tables, state, war, power), coaling.rights(tables, after, then, power)
        lost.update(dict.fromkeys(sorted(had - has)))
    return [f"You lose the Coaling Rights in {all_of([place_name(tables, z) for z in lost])}."] if lost else []


def _bared(tables: Tables, state: State, after: State, war: War, number: int, start: str) -> list[str]:
    """That an Area of the Alliance has no Army any more."""
    if start not in state.areas:
        return []
    side = war.alliance(number)
    held = war.conqueror(start) == number or any(p in side for p in controllers(state, start))

    def guarded(position: State) -> bool:
        return any(u.kind == ARMY and u.power in side for u in position.areas[start].units)

    if not held or not guarded(state) or guarded(after):
        return []
    return [f"{place_name(tables, start)} is left without an Army: any enemy Army that comes takes it without a fight."]
