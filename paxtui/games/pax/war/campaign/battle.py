"""The Alliance Attack Phase: attacks, combat results, losses and retreats.

The phasing Alliance chooses the order of its combats. Each place has at most one combat of armies and one of fleets in
a Phase. Retreating Units leave a place one by one; a Unit without a possible place surrenders.

Rules: R-WCB-03
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from msgspec.structs import replace

from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.status import controllers
from paxtui.games.pax.board.tables import HOME, Tables
from paxtui.games.pax.combat import results
from paxtui.games.pax.events import events
from paxtui.games.pax.state.model import State, units_at
from paxtui.games.pax.state.pieces import ARMY, NAVAL, Unit
from paxtui.games.pax.state.questions import JoinAttack, Pending, WarLosses, WarRetreat
from paxtui.games.pax.state.war import ATTACK, War
from paxtui.games.pax.text.display import place_name, power_name, powers_text
from paxtui.games.pax.text.parsing import place_text
from paxtui.games.pax.transaction import DryRun, Transaction, default_answer, refuse, single_answer
from paxtui.games.pax.war import empire
from paxtui.games.pax.war.alliances import (
    allies,
    commanded_powers,
    commanders,
    current_form,
    enemies,
    phasing_war,
    unallied_empire,
)
from paxtui.games.pax.war.campaign import maneuver, supply, supply_lines, war_adjacency
from paxtui.games.pax.war.campaign.maneuver import open_steps
from paxtui.games.pax.war.campaign.war_adjacency import WarStep, is_sea

Units = tuple[Unit, ...]
JOIN_ATTACK, DECLINE = "attack", "stand aside"
"""Answers of an ally that is asked to join an attack."""


def retreat_steps(play: Transaction, war: War, unit: Unit, place: str) -> list[WarStep]:
    """Return the places to which a Unit can retreat, in its order of preference.

    First own Areas and home, supplied ones before others. Then land for armies and sea for fleets; allies before
    enemies; places with friends before empty ones; waters with only enemies last.

    Rules: WCB-020, WCB-034, WCB-035, WCB-036 (R-WCB-07, R-WCB-09, R-WCB-10)
    """
    found = [
        s
        for s in open_steps(play.tables, play.state, war, unit, place)
        if _is_open_for_retreat(play, war, unit, place, s)
    ]
    return sorted(found, key=lambda step: _retreat_preference(play, war, unit, step))


def _is_open_for_retreat(play: Transaction, war: War, unit: Unit, place: str, step: WarStep) -> bool:
    """Return whether a place is open for retreat in spite of enemy Units or a defended Area of an Empire there.

    Rules: WCB-034, WCB-035, WCB-036 (R-WCB-07, R-REB-22)
    """
    if step.place == place:
        return False
    if unit.kind == ARMY and empire.are_against_empire(war, (unit.power,)):
        if empire.is_resisting(play.tables, play.state, war, step.place):
            return False
    there = units_at(play.state, step.place)
    foes = [u for u in there if u.power in enemies(war, unit.power)]
    if unit.kind == ARMY:
        return not any(u.kind == ARMY for u in foes)
    if is_sea(play.tables, step.place) or not foes:
        return True
    return any(u.power in allies(war, unit.power) for u in there)


def _retreat_preference(play: Transaction, war: War, unit: Unit, step: WarStep) -> tuple[int, ...]:
    tables, state = play.tables, play.state
    at_sea = is_sea(tables, step.place)
    there = units_at(state, step.place)
    foes = any(u.power in enemies(war, unit.power) for u in there)
    friends = any(u.power in allies(war, unit.power) for u in there)
    holders = controllers(state, step.place) if step.place in state.areas else ()
    own = unit.power in holders or step.place == HOME + unit.power
    hungry = not supply_lines.is_supplied_at(tables, state, war, unit, step)
    allied = not set(holders).isdisjoint(allies(war, unit.power))
    company = 2 if foes else 0 if friends else 1
    return hungry, not own, at_sea and foes and not friends, at_sea != (unit.kind == NAVAL), not allied, company


def retreat_units(play: Transaction, war: War, place: str, units: Units, rules: tuple[str, ...]) -> None:
    """Remove Units from a place. Those without a way out surrender; for those with a choice the owner is asked.

    Armies in a Sea Zone leave with the fleets of their side.

    Rules: WCB-020, WCB-021, WCB-022, WCB-029, WCB-037, SUP-020
    """
    for power in dict.fromkeys(u.power for u in units):
        _retreat_power(play, war, place, tuple(u for u in units if u.power == power), rules)
    if units and units[0].kind == NAVAL:
        _carry_armies(play, war, place, units[0].power, rules)


def _retreat_power(play: Transaction, war: War, place: str, units: Units, rules: tuple[str, ...]) -> None:
    """Retreat the Units of one Power; ask its seat if they have a choice."""
    if units[0].power == unallied_empire(play.state, war):
        _retreat_empire_armies(play, war, place, units)
        return
    stuck = tuple(u for u in units if not retreat_steps(play, war, u, place))
    for unit in stuck:
        _retreat_unit(play, war, place, unit, None, rules)
    rest = tuple(u for u in units if u not in stuck)
    seats = commanders(play.tables, play.state, war, rest[0].power) if rest else ()
    if len(seats) == 1 and any(len(retreat_steps(play, war, u, place)) > 1 for u in rest):
        _ask_retreat(play, war, place, rest, seats[0], rules)
        return
    for unit in rest:
        _retreat_unit(play, war, place, unit, next(iter(retreat_steps(play, war, unit, place)), None), rules)


def _retreat_empire_armies(play: Transaction, war: War, place: str, units: Units) -> None:
    """Retreat the Armies of an Empire without an ally within it, one by one; eliminate those without a place.

    Rules: REB-019, REB-020, REB-021 (R-REB-23)
    """
    for unit in units:
        areas = empire.retreat_areas(play.tables, play.state, war, place)
        if not areas:
            results.remove_units(play, place, ((unit.power, unit.name),), ("REB-021",))
            continue
        _retreat_unit(play, war, place, unit, WarStep(play.draw_one(areas)), ("REB-019", "REB-020"))


def _retreat_unit(
    play: Transaction, war: War, place: str, unit: Unit, step: WarStep | None, rules: tuple[str, ...]
) -> None:
    """Move a Unit to an adjacent place, or make it surrender if `step` is None."""
    if step is None:
        supply.surrender_units(
            play, war, unit.power, (unit.name,), place, "no way of retreat", ("WCB-021", "SUP-020", *rules)
        )
        return
    war_adjacency.take_step(play, unit, place, step, "retreat", rules)
    maneuver.record_entry(play, war.id, unit.power, step.place)


def _carry_armies(play: Transaction, war: War, place: str, power: str, rules: tuple[str, ...]) -> None:
    """Move armies at sea with the leaving fleets of their side, unless own or allied fleets stay.

    Does nothing while a fleet still waits for a destination.

    Rules: WCB-037 (R-WCB-12)
    """
    if not is_sea(play.tables, place) or any(
        isinstance(c.about, WarRetreat) and c.area == place for c in play.state.choices
    ):
        return
    side = allies(war, power)
    there = tuple(u for u in units_at(play.state, place) if u.power in side)
    if any(u.kind == NAVAL for u in there):
        return
    for owner in dict.fromkeys(u.power for u in there):
        _retreat_power(play, war, place, tuple(u for u in there if u.power == owner), (*rules, "WCB-037"))


def _retreat_text(unit: Unit, place: str, step: WarStep) -> str:
    """Return a Unit with its destination, as answers name it: "A3 manchuria > korea"."""
    return f"{unit.name} {place} > {place_text(step.place)}"


def _ask_retreat(play: Transaction, war: War, place: str, units: Units, seat: str, rules: tuple[str, ...]) -> None:
    options = tuple(
        dict.fromkeys(
            _retreat_text(unit, place, step) for unit in units for step in retreat_steps(play, war, unit, place)
        )
    )
    trial = DryRun(play.tables, play.state)
    default = []
    for unit in units:  # one after the other, for one may be free to go where two are not
        step = next(iter(retreat_steps(trial, war, unit, place)), None)
        _retreat_unit(trial, war, place, unit, step, rules)
        default.append(_retreat_text(unit, place, step or retreat_steps(play, war, unit, place)[0]))
    power = units[0].power
    names = " ".join(u.name for u in units)
    play.offer(
        power,
        WarRetreat(war=war.id, units=tuple(u.name for u in units)),
        options,
        tuple(default) if len(default) > 1 else default[0],
        place,
        f"Where do the Units of {power_name(play.tables, power)} in {place_name(play.tables, place)} ({names}) "
        f"retreat to, each by itself?",
        (*rules, "WCB-022"),
        seat,
    )


def answer_retreat(play: Transaction, choice: Pending, about: WarRetreat, answer: tuple[str, ...]) -> None:
    """Send the Units to the named places, and the armies that they carry.

    Raises: Refusal `bad_answer` where not every Unit gets exactly one place, `no_way_there`.
    Rules: WCB-020, WCB-022, WCB-029, WCB-037
    """
    war = play.state.war(about.war)
    if war is None:
        return
    place, power = choice.area, choice.power
    orders = results.read_destinations(answer)
    if Counter(name for name, _ in orders) != Counter(about.units):
        names = " ".join(about.units)
        refuse("bad_answer", choice.rules, f"Name each of {names} once, with its destination.")
    rules = tuple(rule for rule in choice.rules if rule != "WCB-022")
    by_itself = answer == default_answer(choice)  # what others have done meanwhile may have closed the way
    for name, to in orders:
        _send_unit(play, war, place, power, name, to, rules, by_itself)
    if orders[0][0].startswith("N"):
        _carry_armies(play, war, place, power, rules)
    supply.surrender_after_combat(play, war, place)


def retreat_by_schedule(play: Transaction, choice: Pending, war: War, steps: list[tuple[Unit, WarStep | None]]) -> None:
    """Retreat the Units of an unanswered question by default; those without a possible step surrender.

    Rules: PBM-086, PBM-087
    """
    rules = (*(rule for rule in choice.rules if rule != "WCB-022"), "PBM-087")
    for unit, step in steps:
        _retreat_unit(play, war, choice.area, unit, step, rules)
    if steps[0][0].kind == NAVAL:
        _carry_armies(play, war, choice.area, choice.power, rules)
    supply.surrender_after_combat(play, war, choice.area)


def _send_unit(
    play: Transaction, war: War, place: str, power: str, name: str, to: str, rules: tuple[str, ...], by_itself: bool
) -> None:
    """Send one Unit with this name to a place; of equal Units on two coasts, one that can go there.

    With `by_itself`, it takes its next preference if the way is closed.
    """
    options = [
        (unit, step)
        for unit in units_at(play.state, place)
        if (unit.power, unit.name) == (power, name)
        for step in retreat_steps(play, war, unit, place)
    ]
    unit, step = next(((u, s) for u, s in options if place_text(s.place) == to), (None, None))
    if unit is None:
        if options and by_itself:
            _retreat_unit(play, war, place, *options[0], rules)
            return
        if options:
            refuse("no_way_there", rules, f"{name} cannot retreat to {to} after the other retreats.")
        unit = next(u for u in units_at(play.state, place) if (u.power, u.name) == (power, name))
    _retreat_unit(play, war, place, unit, step, rules)


class CombatResult(NamedTuple):
    """A combat after the die: its result, the strengths, and the Units of both sides that it affects.

    Attributes: `area`: strength points that an Area of an Empire has added to its side. Units that retreated into the
    place suffer with their side but do not count in its strength.
    """

    result: str
    attack: int
    defend: int
    attackers: Units
    defenders: Units
    area: int = 0


def apply_result(play: Transaction, war: War, place: str, combat: CombatResult) -> None:
    """Apply a result to attackers, defenders, and an Area of an Empire that fought with them.

    Rules: WCB-019, WCB-020, WCB-023, WCB-026, WCB-027, WCB-029, WCB-030 (R-WCB-05)
    """
    if combat.area and _defeats_area(war, combat):
        play.emit(events.AreaDefeated(war=war.id, area=place, rules=("REB-024", "REB-025", "REB-026")))
    if combat.result == "E":
        _eliminate_units(play, place, combat.attackers, ("WCB-019",))
    elif combat.result == "AR":
        retreat_units(play, war, place, combat.attackers, ("WCB-020",))
    elif combat.result == "DR":
        retreat_units(play, war, place, combat.defenders, ("WCB-029",))
    elif combat.result == "DE":
        _eliminate_units(play, place, combat.defenders, ("WCB-030",))
    else:
        exchange_units(play, war, place, combat)


def _defeats_area(war: War, combat: CombatResult) -> bool:
    """Return whether a combat defeats the Area of an Empire that took part.

    As an attacker, the Area falls together with the Empire's Armies. As a defender, it survives an exchange with a
    force that is not stronger.
    """
    if empire.empire_of(war) in war.alliance(war.turn_of):
        return combat.result in ("E", "AR")
    return combat.result in ("DR", "DE") or (combat.result in ("EX", "HX") and combat.defend < combat.attack)


def _eliminate_units(play: Transaction, place: str, units: Units, rules: tuple[str, ...]) -> None:
    results.remove_units(play, place, [(u.power, u.name) for u in units], rules)


def exchange_units(play: Transaction, war: War, place: str, combat: CombatResult) -> None:
    """Remove the weaker force; the stronger one loses as much, or half as much.

    With equal forces both are removed in an exchange, and the attacker in a half exchange. The strength of an Area
    counts, but the Area loses nothing.

    Rules: WCB-023, WCB-026, WCB-027 (R-WCB-05, R-REB-20)
    """
    weak, strong = combat.attackers, combat.defenders
    if combat.attack > combat.defend:
        weak, strong = strong, weak
    least = min(combat.attack, combat.defend)
    rule, needed = ("WCB-023", least) if combat.result == "EX" else ("WCB-026", (least + 1) // 2)
    _eliminate_units(play, place, weak, (rule,))
    share_losses(play, war, place, strong, needed, (rule,))


def share_losses(play: Transaction, war: War, place: str, units: Units, needed: int, rules: tuple[str, ...]) -> None:
    """Make the stronger force lose at least `needed` strength points, Units of Great Powers first.

    A Power with several ways to lose enough is asked. It cannot name more Units than necessary. The sole commander of a
    Minor Power answers for it.

    Rules: WCB-023, WCB-024, WCB-025, WCB-026, WCB-028 (R-WCB-06)
    """
    great = [(u.power, u.name) for u in units if u.power in play.state.powers]
    minor = [(u.power, u.name) for u in units if u.power not in play.state.powers]
    own, rest = great, needed
    total = results.units_strength(name for _, name in great)
    if total < needed:
        results.remove_units(play, place, great, (*rules, "WCB-024"))
        own, rest = minor, needed - total
    chosen = results.smallest_loss(own, rest)
    if not own or results.is_only_loss(own, chosen, rest):
        results.remove_units(play, place, chosen, (*rules, "WCB-024"))
        return
    powers = tuple(p for p in war.powers if any(p == owner for owner, _ in own))
    seats = {seat for p in powers for seat in commanders(play.tables, play.state, war, p)}
    if own is minor and len(seats) != 1:  # none, or several that would have to agree
        results.remove_units(play, place, chosen, (*rules, "WCB-024"))
        return
    about = WarLosses(war=war.id, unit_kind=units[0].kind, powers=powers, needed=rest)
    _ask_losses(play, place, about, powers[0], rules, next(iter(seats)) if own is minor else "")


def _losable_pieces(play: Transaction, place: str, about: WarLosses) -> list[results.Piece]:
    """Return the Units that may be named, the heaviest of each Power first."""
    return [(p, name) for p in about.powers for name in results.unit_names(play.state, p, place, about.unit_kind)]


def _ask_losses(
    play: Transaction, place: str, about: WarLosses, asked_power: str, rules: tuple[str, ...], seat: str = ""
) -> None:
    """Ask a Power which Units it loses. The default is the answer of the first partner."""
    own = _losable_pieces(play, place, about)
    first = next(iter(about.said.values()), None)
    default = first or results.loss_texts(results.smallest_loss(own, about.needed), about.powers)
    what = "fleets" if about.unit_kind == NAVAL else "armies"
    shared = about.said or (not seat and results.unheard_powers(play, about.powers, (asked_power,)))
    agree = " The allies have to name the same ones, or all of theirs are lost." if shared else ""
    proposals_text = "".join(
        f" Proposed by {power_name(play.tables, p)}: {', '.join(t)}." for p, t in about.said.items()
    )
    play.offer(
        asked_power,
        about,
        results.loss_texts(own, about.powers),
        default if len(default) > 1 else default[0],
        place,
        f"Which {what} of at least {about.needed} strength points are lost in {place_name(play.tables, place)}, none "
        f"too many?{agree}{proposals_text}",
        (*rules, "WCB-024", "WCB-025"),
        seat,
    )


def answer_losses(play: Transaction, choice: Pending, about: WarLosses, answer: tuple[str, ...]) -> None:
    """Remove the named Units. Players that fought together must name the same Units, or they lose all.

    A seat answers once for all its Powers.

    Raises: Refusal `not_there`, `not_enough`, `more_than_needed`.
    Rules: WCB-023, WCB-025, WCB-026, WCB-028, AUS-001 (R-WCB-06)
    """
    own = _losable_pieces(play, choice.area, about)
    named = results.read_losses(play, choice, about.powers, own, about.needed, answer)
    spare = results.units_strength(name for _, name in named) - about.needed
    extra = next((text for text, (_, name) in zip(answer, named, strict=True) if int(name[1:]) <= spare), "")
    if extra:
        refuse("more_than_needed", choice.rules, f"Leave out {extra}: the other Units are enough.")
    answers = {**about.said, choice.power: tuple(sorted(answer))}
    left = results.unheard_powers(play, about.powers, answers)
    if left and about.powers[0] in play.state.powers:
        _ask_losses(play, choice.area, replace(about, said=answers), left[0], choice.rules)
    elif all(names == answers[choice.power] for names in answers.values()):
        results.remove_units(play, choice.area, named, choice.rules)
    else:
        results.remove_units(play, choice.area, own, ("WCB-025", "WCB-028"))
    war = play.state.war(about.war)
    if war:
        supply.surrender_after_combat(play, war, choice.area)


def waiting_seats(tables: Tables, state: State, war: War) -> tuple[str, ...]:
    """Return the seats of the phasing Alliance that could attack. Rules: WCB-002."""
    open_ = attack_places(tables, state, war)
    found = {seat for place, kind in open_ for seat in _attacking_seats(tables, state, war, place, kind)}
    return tuple(seat for seat in state.players if seat in found)


def attack_places(tables: Tables, state: State, war: War) -> tuple[tuple[str, str], ...]:
    """Return each place and kind of Unit where the phasing Alliance could attack and has not attacked in this Phase.

    An Area of an Empire that defends itself can be attacked with or without Armies in it.

    Rules: WCB-003, WCB-004, REB-022, REB-056 (R-WCB-08)
    """
    fought = {(clash.place, clash.kind) for clash in war.clashes}
    side_of = {p: n for n, alliance in enumerate(war.alliances, start=1) for p in alliance}
    found = []
    for place, units in (*((name, here.units) for name, here in state.areas.items()), *state.at_sea.items()):
        if not units:
            continue
        there: dict[str, set[int]] = {ARMY: set(), NAVAL: set()}
        for unit in units:
            if not unit.halted and unit.power in side_of:
                there[unit.kind].add(side_of[unit.power])
        for kind in (ARMY, NAVAL) if place in state.areas else (NAVAL,):
            sides = there[kind]
            if war.turn_of not in sides or (place, kind) in fought:
                continue
            if len(sides) > 1 or (kind == ARMY and area_defence(tables, state, war, place)):
                found.append((place, kind))
    return tuple(found)


def _attacking_seats(tables: Tables, state: State, war: War, place: str, kind: str) -> tuple[str, ...]:
    """Return the seats that could order an attack in a place; Minor Powers attack with their Great Power allies."""
    there = {u.power for u in attackers(state, war, place, kind)}
    powers = {p for p in there if not leading_allies(state, war, p, place, kind)}
    seats = {seat for p in powers for seat in commanders(tables, state, war, p)}
    return tuple(s for s in state.players if s in seats)


def attackers(
    state: State, war: War, place: str, kind: str, absent: tuple[str, ...] = (), arrived: bool = False
) -> tuple[Unit, ...]:
    """Return the Units of the phasing Alliance that can attack in a place, without allies in `absent`.

    Units that retreated in this Phase do not attack. With `arrived`, those of them in the place are included, because
    they share the losses.

    Rules: WCB-010, WCB-011, WCB-016, WCB-038 (R-WCB-08)
    """
    powers = set(war.alliance(war.turn_of)) - set(absent)
    return tuple(
        u for u in units_at(state, place) if u.kind == kind and u.power in powers and (arrived or not u.halted)
    )


def defenders(state: State, war: War, place: str, kind: str, arrived: bool = False) -> tuple[Unit, ...]:
    """Return the enemy Units in a place: they all defend together. `arrived`: as in `attackers`.

    Rules: WCB-012, WCB-038
    """
    foes = {p for n, alliance in enumerate(war.alliances, start=1) if n != war.turn_of for p in alliance}
    return tuple(u for u in units_at(state, place) if u.kind == kind and u.power in foes and (arrived or not u.halted))


def bound_attacks(tables: Tables, state: State, war: War) -> dict[str, tuple[str, ...]]:
    """Return the Areas of an Empire that Powers of the phasing Alliance have entered and must still attack.

    Rules: REB-030 (R-REB-06)
    """
    found: dict[str, tuple[str, ...]] = {}
    if war.stage != ATTACK or not war.invaded:
        return found
    for place in (place for place, kind in attack_places(tables, state, war) if kind == ARMY):
        there = {u.power for u in attackers(state, war, place, ARMY)}
        powers = tuple(p for p in war.alliance(war.turn_of) if p in there and f"{p} {place}" in war.invaded)
        if powers:
            found[place] = powers
    return found


def area_to_attack(tables: Tables, state: State, war: War, seat: str) -> str:
    """Return an Area that Armies of a seat have entered and must still attack, "" for none. Rules: REB-030."""
    for place, powers in bound_attacks(tables, state, war).items():
        if seat in _attacking_seats(tables, state, war, place, ARMY):
            if not set(powers).isdisjoint(commanded_powers(tables, state, war, seat)):
                return place
    return ""


def make_bound_attacks(play: Transaction, war: War) -> None:
    """Make the required attacks that no seat has ordered, until a seat is asked something. Rules: REB-030."""
    for place, powers in bound_attacks(play.tables, play.state, war).items():
        greats = _great_attackers(play.state, war, place, ARMY)
        now = current_form(play.state, war)
        fight_combat(play, now, place, ARMY, tuple(p for p in greats if p not in powers))
        if play.state.has_pressing_choice:
            return


def area_defence(tables: Tables, state: State, war: War, place: str) -> int:
    """Return the strength points with which an Area of an Empire itself defends against the phasing Alliance.

    Rules: REB-022, REB-023, REB-056
    """
    hostile = empire.are_against_empire(war, war.alliance(war.turn_of))
    return empire.area_strength(tables, state, war, place) if hostile else 0


def area_support(tables: Tables, state: State, war: War, place: str) -> int:
    """Return the strength points that an Area of an Empire adds to the Empire's Armies that attack in it.

    Rules: REB-022, REB-023
    """
    own = empire.empire_of(war) in war.alliance(war.turn_of)
    attacks = own and any(u.power == empire.empire_of(war) and not u.halted for u in units_at(state, place))
    return empire.area_strength(tables, state, war, place) if attacks else 0


def combat_strengths(
    tables: Tables, state: State, war: War, place: str, kind: str, absent: tuple[str, ...] = ()
) -> tuple[int, int]:
    """Return the strength points of possible attackers and defenders in a place, including the Area.

    Rules: WCB-011, WCB-012, REB-023
    """
    own, enemy = attackers(state, war, place, kind, absent), defenders(state, war, place, kind)
    attack_, defend = sum(u.strength for u in own), sum(u.strength for u in enemy)
    if kind != ARMY:
        return attack_, defend
    return attack_ + area_support(tables, state, war, place), defend + area_defence(tables, state, war, place)


def begin_attack(play: Transaction, power: str, action: actions.Attack) -> None:
    """Attack the enemy in a place with all own Units there, and ask allies with Units there to join.

    Raises: Refusal `no_war`, `neutral`, `other_war_phase`, `not_your_turn`, `choose_first`, `fought_here`, `no_units`,
        `no_enemy`, `with_its_ally`.
    Rules: WCB-002, WCB-003, WCB-004, WCB-005, WCB-006, WCB-007, WCB-010, WCB-011, WCB-012, WCB-032
    """
    tables, state = play.tables, play.state
    kind, place = NAVAL if action.naval else ARMY, action.place
    war = phasing_war(play, power, ATTACK, "attack", "WCB-002", "SEQ-010")
    where = place_name(tables, place)
    if any((c.place, c.kind) == (place, kind) for c in war.clashes):
        refuse("fought_here", ("WCB-006",), f"There was already a combat in {where} in this Phase.")
    if not any(u.power == power for u in attackers(state, war, place, kind)):
        if any(u.power == power and u.kind == ARMY for u in units_at(state, place)) and is_sea(tables, place):
            refuse("no_units", ("WCB-004",), f"Only fleets fight in {where}: armies at sea cannot attack.")
        refuse("no_units", ("WCB-006",), f"No Unit of yours can attack in {where}.")
    if not defenders(state, war, place, kind) and not (kind == ARMY and area_defence(tables, state, war, place)):
        refuse("no_enemy", ("WCB-003",), f"There is no enemy to attack in {where}.")
    greats = leading_allies(state, war, power, place, kind)
    if greats:
        names = powers_text(tables, greats)
        refuse(
            "with_its_ally",
            ("WCB-007",),
            f"The Units of {power_name(tables, power)} in {where} attack only together with those of {names}.",
        )
    _ask_next_ally(play, war, place, JoinAttack(war=war.id, by=power, unit_kind=kind), power)


def _great_attackers(state: State, war: War, place: str, kind: str) -> tuple[str, ...]:
    """Return the Powers with a player that could attack in a place, in the order of their Alliance."""
    there = {u.power for u in attackers(state, war, place, kind)}
    return tuple(p for p in war.alliance(war.turn_of) if p in there and p in state.powers)


def leading_allies(state: State, war: War, power: str, place: str, kind: str) -> tuple[str, ...]:
    """Return the Great Power allies without which a Minor Power cannot attack in a place; none for other Powers.

    Rules: WCB-007
    """
    return () if power in state.powers else _great_attackers(state, war, place, kind)


def _ask_next_ally(play: Transaction, war: War, place: str, about: JoinAttack, after: str) -> None:
    """Ask the next ally with Units in the place to join; fight when all have answered.

    Minor Powers and Powers with a required attack there join without being asked.
    """
    must = bound_attacks(play.tables, play.state, war).get(place, ()) if about.unit_kind == ARMY else ()
    allies = tuple(
        p for p in _great_attackers(play.state, war, place, about.unit_kind) if p != about.by and p not in must
    )
    rest = allies if after == about.by else allies[allies.index(after) + 1 :]
    if not rest:
        fight_combat(play, war, place, about.unit_kind, about.aside)
        return
    where, by = place_name(play.tables, place), power_name(play.tables, about.by)
    play.offer(
        rest[0],
        about,
        (JOIN_ATTACK, DECLINE),
        JOIN_ATTACK,
        place,
        f"{by} attacks the enemy in {where}. Join with all your Units there, or stand aside?",
        ("WCB-006", "WCB-010"),
        next(iter(commanders(play.tables, play.state, war, rest[0])), ""),
    )


def answer_join(play: Transaction, choice: Pending, about: JoinAttack, words: tuple[str, ...]) -> None:
    """Join an attack or not; after the last answer the combat is fought. Rules: WCB-006, WCB-016."""
    war = play.state.war(about.war)
    if war is None:
        return
    stands = single_answer(choice, words) == DECLINE
    absent = (*about.aside, choice.power) if stands else about.aside
    _ask_next_ally(play, war, choice.area, replace(about, aside=absent), choice.power)


def fight_combat(play: Transaction, war: War, place: str, kind: str, absent: tuple[str, ...] = ()) -> None:
    """Fight one combat: strengths, column, die, and the result for both sides.

    An Area of an Empire adds its Combat Strength to the Empire's side in a combat of armies.

    Rules: WCB-011, WCB-012, WCB-013, WCB-014, WCB-017, WCB-018, WCB-033, REB-016 to REB-018, REB-023
    """
    own, enemy = attackers(play.state, war, place, kind, absent), defenders(play.state, war, place, kind)
    attack_, defend = combat_strengths(play.tables, play.state, war, place, kind, absent)
    area = attack_ + defend - sum(u.strength for u in (*own, *enemy))
    table = results.table_number(attack_, defend)
    column = results.ratio_column(play.tables, attack_, defend)
    die = play.dice.roll()
    result = results.look_up_result(play.tables, table, die, column)
    play.emit(
        events.BattleFought(
            war=war.id,
            place=place,
            kind=kind,
            attackers=tuple(dict.fromkeys(u.power for u in own)),
            defenders=tuple(dict.fromkeys(u.power for u in enemy)),
            attack=attack_,
            defend=defend,
            table=table,
            column=results.ratio_label(play.tables.ratios[column]),
            die=die,
            result=result,
            aside=absent,
            area=area,
            rules=("WCB-018", "WCB-014", "WCB-017", *(("REB-023",) if area else ())),
        )
    )
    apply_result(
        play,
        war,
        place,
        CombatResult(
            result,
            attack_,
            defend,
            attackers(play.state, war, place, kind, absent, arrived=True),
            defenders(play.state, war, place, kind, arrived=True),
            area,
        ),
    )
    supply.surrender_after_combat(play, war, place)
