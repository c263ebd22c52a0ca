"""The Alliance Attack Phase: combats of the phasing Alliance, in the order it wishes, one a place and kind of Unit.

Rules: WCB-002 to WCB-020, WCB-029 to WCB-039, REB-016 to REB-018, REB-022, REB-023 (R-WCB-03, R-WCB-08)

Retreats in War: whole forces that have to leave a place, each Unit to a place that it could enter, or to prison.

Rules: WCB-020, WCB-021, WCB-022, WCB-029, WCB-034 to WCB-037, SUP-020, WCD-001, REB-019 to REB-021
(R-WCB-07, R-WCB-09, R-WCB-10, R-WCB-12, R-REB-22, R-REB-23)

The six results of a combat in War, and the losses of an exchange.

Rules: WCB-019, WCB-020, WCB-023 to WCB-030, WCB-038, REB-024 to REB-026 (R-WCB-05, R-WCB-06, R-REB-20)
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
    current_war,
    enemies,
    unallied_empire,
    war_phase_name,
)
from paxtui.games.pax.war.campaign import maneuver, supply, supply_lines, war_adjacency
from paxtui.games.pax.war.campaign.maneuver import open_steps
from paxtui.games.pax.war.campaign.supply import surrender_after_combat, surrender_stranded
from paxtui.games.pax.war.campaign.war_adjacency import WarStep, is_sea

RetreatingUnits = tuple[Unit, ...]


# --- where to -------------------------------------------------------------------------------------------------------


def retreat_steps(play: Transaction, war: War, unit: Unit, place: str) -> list[WarStep]:
    """The places a Unit may retreat to, the one it takes by itself first.

    By itself it goes to an own Area or home, where it is supplied before where it is not; then armies to land, fleets
    to sea; to allies before enemies; to friends before empty places, and to waters that only enemies hold last of all.

    Rules: WCB-020, WCB-034, WCB-035, WCB-036 (R-WCB-07, R-WCB-09, R-WCB-10)
    """
    found = [
        s
        for s in open_steps(play.tables, play.state, war, unit, place)
        if _is_open_for_retreat(play, war, unit, place, s)
    ]
    return sorted(found, key=lambda step: _retreat_preference(play, war, unit, step))


def _is_open_for_retreat(play: Transaction, war: War, unit: Unit, place: str, step: WarStep) -> bool:
    """Whether enemy Units, or an Area that fights by itself, leave a place open for retreat.

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
    """How far down its list a place stands for a Unit that nobody sends."""
    tables, state = play.tables, play.state
    at_sea = is_sea(tables, step.place)
    there = units_at(state, step.place)
    foes = any(u.power in enemies(war, unit.power) for u in there)
    friends = any(u.power in allies(war, unit.power) for u in there)
    holders = controllers(state, step.place) if step.place in state.areas else ()
    own = unit.power in holders or step.place == HOME + unit.power
    hungry = not step.place.startswith(HOME) and not is_supplied_after(play, war, unit, step)
    allied = not set(holders).isdisjoint(allies(war, unit.power))
    company = 2 if foes else 0 if friends else 1
    return hungry, not own, at_sea and foes and not friends, at_sea != (unit.kind == NAVAL), not allied, company


def is_supplied_after(play: Transaction, war: War, unit: Unit, step: WarStep) -> bool:
    """Whether a Unit would be in supply at a place abroad, as the board stands. Rules: R-WCB-10."""
    if unit.kind == ARMY:
        return supply_lines.is_army_supplied(play.tables, play.state, war, unit.power, step.place)
    return supply_lines.has_coaling(play.tables, play.state, war, replace(unit, coast=step.coast), step.place)


# --- going ----------------------------------------------------------------------------------------------------------


def retreat_units(play: Transaction, war: War, place: str, units: RetreatingUnits, rules: tuple[str, ...]) -> None:
    """Units leave a place; those without a way out surrender, those with several go where their owner sends them.

    With the fleets that leave a Sea Zone go the armies of their side there.

    Rules: WCB-020, WCB-021, WCB-022, WCB-029, WCB-037, SUP-020
    """
    for power in dict.fromkeys(u.power for u in units):
        _retreat_power(play, war, place, tuple(u for u in units if u.power == power), rules)
    if units and units[0].kind == NAVAL:
        _carry_armies(play, war, place, units[0].power, rules)


def _retreat_power(play: Transaction, war: War, place: str, units: RetreatingUnits, rules: tuple[str, ...]) -> None:
    """The Units of one Power leave: as they are sent where there is a choice and somebody to make it."""
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


def _retreat_empire_armies(play: Transaction, war: War, place: str, units: RetreatingUnits) -> None:
    """Armies of an Empire that fights alone retreat within it, each by itself, or are eliminated.

    Rules: REB-019, REB-020, REB-021 (R-REB-23)
    """
    for unit in units:
        ways = empire.retreat_areas(play.tables, play.state, war, place)
        if not ways:
            results.remove_units(play, place, ((unit.power, unit.name),), "combat", ("REB-021",))
            continue
        to = ways[0] if len(ways) == 1 else ways[play.dice.draw(len(ways))]
        _retreat_unit(play, war, place, unit, WarStep(to), ("REB-019", "REB-020"))


def _retreat_unit(
    play: Transaction, war: War, place: str, unit: Unit, step: WarStep | None, rules: tuple[str, ...]
) -> None:
    """A Unit goes to a place beside it, or surrenders."""
    if step is None:
        supply.surrender_units(
            play, war, unit.power, (unit.name,), place, "no way of retreat", ("WCB-021", "SUP-020", *rules)
        )
        return
    war_adjacency.take_step(play, unit, place, step, "retreat", rules)
    maneuver.record_entry(play, war.id, unit.power, step.place)


def _carry_armies(play: Transaction, war: War, place: str, power: str, rules: tuple[str, ...]) -> None:
    """Armies at sea leave with the fleets of their side, unless fleets of their own or of allies stay.

    Nothing happens while a fleet still has to be sent.

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


# --- asking ---------------------------------------------------------------------------------------------------------


def _retreat_text(unit: Unit, place: str, step: WarStep) -> str:
    """A Unit and where it goes, as answers name it: "A3 manchuria > korea"."""
    return f"{unit.name} {place} > {place_text(step.place)}"


def _ask_retreat(
    play: Transaction, war: War, place: str, units: RetreatingUnits, seat: str, rules: tuple[str, ...]
) -> None:
    """Ask a seat where the Units of a Power go, each by itself."""
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
    """The Units go where they are sent; the armies that they carried along follow.

    Raises: Refusal `bad_answer` where not every Unit gets exactly one place, `no_way_there`.
    Rules: WCB-020, WCB-022, WCB-029, WCB-037
    """
    war = next((w for w in play.state.wars if w.id == about.war), None)
    if war is None:
        return
    place, power = choice.area, choice.power
    orders = results.read_destinations(answer)
    if Counter(name for name, _ in orders) != Counter(about.units):
        names = " ".join(about.units)
        refuse("bad_answer", choice.rules, f"Name every one of {names} once, with the place it goes to.")
    rules = tuple(rule for rule in choice.rules if rule != "WCB-022")
    by_itself = answer == default_answer(choice)  # what others have done meanwhile may have closed the way
    for name, to in orders:
        _send_unit(play, war, place, power, name, to, rules, by_itself)
    if orders[0][0].startswith("N"):
        _carry_armies(play, war, place, power, rules)
    supply.surrender_after_combat(play, war, place)


def retreat_by_schedule(play: Transaction, choice: Pending, war: War, ways: list[tuple[Unit, WarStep | None]]) -> None:
    """The Units of a choice that its seat has said nothing about go, or surrender where there is no step for them.

    Rules: PBM-086, PBM-087
    """
    rules = (*(rule for rule in choice.rules if rule != "WCB-022"), "PBM-087")
    for unit, step in ways:
        _retreat_unit(play, war, choice.area, unit, step, rules)
    if ways[0][0].kind == NAVAL:
        _carry_armies(play, war, choice.area, choice.power, rules)
    supply.surrender_after_combat(play, war, choice.area)


def _send_unit(
    play: Transaction, war: War, place: str, power: str, name: str, to: str, rules: tuple[str, ...], by_itself: bool
) -> None:
    """Send one Unit of that name to a place; of like Units on two coasts the one that can go. `by_itself`: where that
    way is closed it takes the next one.

    Raises: Refusal `no_way_there`.
    """
    ways = [
        (unit, step)
        for unit in units_at(play.state, place)
        if (unit.power, unit.name) == (power, name)
        for step in retreat_steps(play, war, unit, place)
    ]
    unit, step = next(((u, s) for u, s in ways if place_text(s.place) == to), (None, None))
    if unit is None:
        if ways and by_itself:
            _retreat_unit(play, war, place, *ways[0], rules)
            return
        if ways:
            refuse("no_way_there", rules, f"{name} cannot retreat to {to} once the others have gone.")
        unit = next(u for u in units_at(play.state, place) if (u.power, u.name) == (power, name))
    _retreat_unit(play, war, place, unit, step, rules)


Units = tuple[Unit, ...]


class CombatResult(NamedTuple):
    """A combat after the die: the result, the strengths that counted, and the Units of both sides that suffer it.

    Units that have retreated into the combat suffer with their side and have added nothing to its strength. `area`:
    strength points that an Area of an Empire has added to its side.
    """

    result: str
    attack: int
    defend: int
    ours: Units
    theirs: Units
    area: int = 0


def apply_result(play: Transaction, war: War, place: str, combat: CombatResult) -> None:
    """Do to attackers and defenders what the result says, and to an Area of an Empire that fought with them.

    Rules: WCB-019, WCB-020, WCB-023, WCB-026, WCB-027, WCB-029, WCB-030 (R-WCB-05)
    """
    if combat.area and _defeats_area(war, combat):
        play.emit(events.AreaDefeated(war=war.id, area=place, rules=("REB-024", "REB-025", "REB-026")))
    if combat.result == "E":
        _eliminate_units(play, place, combat.ours, ("WCB-019",))
    elif combat.result == "AR":
        retreat_units(play, war, place, combat.ours, ("WCB-020",))
    elif combat.result == "DR":
        retreat_units(play, war, place, combat.theirs, ("WCB-029",))
    elif combat.result == "DE":
        _eliminate_units(play, place, combat.theirs, ("WCB-030",))
    else:
        exchange_units(play, war, place, combat)


def _defeats_area(war: War, combat: CombatResult) -> bool:
    """Whether a combat defeats the Area of an Empire that fought in it.

    Attacking, it falls with the Empire's Armies; attacked, it withstands an exchange with a force no stronger.

    Rules: REB-024, REB-025, REB-026 (R-REB-20)
    """
    if empire.empire_of(war) in war.alliance(war.turn_of):
        return combat.result in ("E", "AR")
    return combat.result in ("DR", "DE") or (combat.result in ("EX", "HX") and combat.defend < combat.attack)


def _eliminate_units(play: Transaction, place: str, units: Units, rules: tuple[str, ...]) -> None:
    """Units leave the map for good."""
    results.remove_units(play, place, [(u.power, u.name) for u in units], "combat", rules)


# --- exchanges ------------------------------------------------------------------------------------------------------


def exchange_units(play: Transaction, war: War, place: str, combat: CombatResult) -> None:
    """The weaker force is removed, the stronger loses as much, or half as much, of its own.

    Equal forces: both in an exchange; in a half one the attacker is the weaker. What an Area has added to a force
    counts, but the Area pays none of it.

    Rules: WCB-023, WCB-026, WCB-027 (R-WCB-05, R-REB-20)
    """
    weak, strong = (combat.ours, combat.theirs) if combat.attack <= combat.defend else (combat.theirs, combat.ours)
    least = min(combat.attack, combat.defend)
    rule, needed = ("WCB-023", least) if combat.result == "EX" else ("WCB-026", (least + 1) // 2)
    _eliminate_units(play, place, weak, (rule,))
    share_losses(play, war, place, strong, needed, (rule,))


def share_losses(play: Transaction, war: War, place: str, units: Units, needed: int, rules: tuple[str, ...]) -> None:
    """The stronger force loses at least so many strength points, Great Powers' Units before those of Minor Powers.

    Who has more than one way to lose enough chooses, no Unit too many; Minor Powers by whoever commands them alone.

    Rules: WCB-023, WCB-024, WCB-025, WCB-026, WCB-028 (R-WCB-06)
    """
    great = [(u.power, u.name) for u in units if u.power in play.state.powers]
    minor = [(u.power, u.name) for u in units if u.power not in play.state.powers]
    own, rest = great, needed
    total = results.units_strength(name for _, name in great)
    if total < needed:
        results.remove_units(play, place, great, "combat", (*rules, "WCB-024"))
        own, rest = minor, needed - total
    chosen = results.smallest_loss(own, rest)
    if not own or results.is_only_loss(own, chosen, rest):
        results.remove_units(play, place, chosen, "combat", (*rules, "WCB-024"))
        return
    powers = tuple(p for p in war.powers if any(p == owner for owner, _ in own))
    seats = {seat for p in powers for seat in commanders(play.tables, play.state, war, p)}
    if own is minor and len(seats) != 1:  # nobody, or several who would have to agree
        results.remove_units(play, place, chosen, "combat", (*rules, "WCB-024"))
        return
    about = WarLosses(war=war.id, unit_kind=units[0].kind, powers=powers, needed=rest)
    _ask_losses(play, place, about, powers[0], rules, next(iter(seats)) if own is minor else "")


def _losable_pieces(play: Transaction, place: str, about: WarLosses) -> list[results.Piece]:
    """The Units that may be named, heavy ones of each Power first."""
    there = [u for u in units_at(play.state, place) if u.kind == about.unit_kind]
    return [
        (power, u.name)
        for power in about.powers
        for u in sorted(there, key=lambda u: -u.strength)
        if u.power == power
    ]


def _ask_losses(
    play: Transaction, place: str, about: WarLosses, asked: str, rules: tuple[str, ...], seat: str = ""
) -> None:
    """Ask a Power which Units are lost; what a partner has named first is what is agreed to by default."""
    own = _losable_pieces(play, place, about)
    first = next(iter(about.said.values()), None)
    default = first or results.loss_texts(results.smallest_loss(own, about.needed), about.powers)
    what = "fleets" if about.unit_kind == NAVAL else "armies"
    shared = len(about.powers) > 1 and not seat
    agree = " The allies have to name the same ones, or all of theirs are lost." if shared else ""
    heard = "".join(f" Proposed by {power_name(play.tables, p)}: {', '.join(t)}." for p, t in about.said.items())
    play.offer(
        asked,
        about,
        results.loss_texts(own, about.powers),
        default if len(default) > 1 else default[0],
        place,
        f"Which {what} of at least {about.needed} strength points are lost in {place_name(play.tables, place)}, none "
        f"too many?{agree}{heard}",
        (*rules, "WCB-024", "WCB-025"),
        seat,
    )


def answer_losses(play: Transaction, choice: Pending, about: WarLosses, answer: tuple[str, ...]) -> None:
    """Lose the Units named; Great Powers that fought together name the same ones, or lose all of theirs.

    Raises: Refusal `not_there`, `not_enough`, `more_than_needed`.
    Rules: WCB-023, WCB-025, WCB-026, WCB-028 (R-WCB-06)
    """
    own = _losable_pieces(play, choice.area, about)
    named = results.read_losses(play, choice, about.powers, own, about.needed, answer)
    spare = results.units_strength(name for _, name in named) - about.needed
    extra = next((text for text, (_, name) in zip(answer, named, strict=True) if int(name[1:]) <= spare), "")
    if extra:
        refuse("more_than_needed", choice.rules, f"{extra} need not be lost: the others are enough.")
    said = {**about.said, choice.power: tuple(sorted(answer))}
    left = [p for p in about.powers if p not in said]
    if left and about.powers[0] in play.state.powers:
        _ask_losses(play, choice.area, replace(about, said=said), left[0], choice.rules)
    elif all(names == said[choice.power] for names in said.values()):
        results.remove_units(play, choice.area, named, "combat", choice.rules)
    else:
        results.remove_units(play, choice.area, own, "combat", ("WCB-025", "WCB-028"))
    war = next((w for w in play.state.wars if w.id == about.war), None)
    if war:
        supply.surrender_after_combat(play, war, choice.area)


JOIN_ATTACK, DECLINE = "attack", "stand aside"
"""What an ally may answer when it is asked to join an attack."""


def waiting_seats(tables: Tables, state: State, war: War) -> tuple[str, ...]:
    """The seats of the phasing Alliance that could attack.

    Rules: WCB-002
    """
    open_ = attack_places(tables, state, war)
    found = {seat for place, kind in open_ for seat in _attacking_seats(tables, state, war, place, kind)}
    return tuple(seat for seat in state.players if seat in found)


def attack_places(tables: Tables, state: State, war: War) -> tuple[tuple[str, str], ...]:
    """Where the phasing Alliance could attack: place and kind of Unit, no combat having been there in the Phase.

    An Area of an Empire that defends itself can be attacked whether or not Armies stand in it.

    Rules: WCB-003, WCB-004, REB-022, REB-056 (R-WCB-08)
    """
    fought = {(clash.place, clash.kind) for clash in war.clashes}
    side_of = {p: n for n, alliance in enumerate(war.alliances, start=1) for p in alliance}
    found = []
    for place, units in (*((name, here.units) for name, here in state.areas.items()), *state.at_sea.items()):
        if not units:
            continue
        for kind in (ARMY, NAVAL) if place in state.areas else (NAVAL,):
            sides = {side_of.get(u.power, 0) for u in units if u.kind == kind and not u.halted} - {0}
            if war.turn_of not in sides or (place, kind) in fought:
                continue
            if len(sides) > 1 or (kind == ARMY and area_defence(tables, state, war, place)):
                found.append((place, kind))
    return tuple(found)


def _attacking_seats(tables: Tables, state: State, war: War, place: str, kind: str) -> tuple[str, ...]:
    """The seats that could order an attack in a place; a Minor Power attacks with its Great Power allies there."""
    there = {u.power for u in attackers(state, war, place, kind)}
    powers = {p for p in there if not leading_allies(state, war, p, place, kind)}
    seats = {seat for p in powers for seat in commanders(tables, state, war, p)}
    return tuple(s for s in state.players if s in seats)


def attackers(
    state: State, war: War, place: str, kind: str, aside: tuple[str, ...] = (), arrived: bool = False
) -> tuple[Unit, ...]:
    """Units of the phasing Alliance that can attack in a place, without those of the allies that stand `aside`.

    Units that have retreated in this Phase do not attack; `arrived`: with those of them that came there, which suffer
    with their side.

    Rules: WCB-010, WCB-011, WCB-016, WCB-038 (R-WCB-08)
    """
    powers = set(war.alliance(war.turn_of)) - set(aside)
    return tuple(
        u for u in units_at(state, place) if u.kind == kind and u.power in powers and (arrived or not u.halted)
    )


def defenders(state: State, war: War, place: str, kind: str, arrived: bool = False) -> tuple[Unit, ...]:
    """Enemy Units in a place: all of them defend together, whoever owns them; `arrived` as above.

    Rules: WCB-012, WCB-038
    """
    foes = {p for n, alliance in enumerate(war.alliances, start=1) if n != war.turn_of for p in alliance}
    return tuple(
        u for u in units_at(state, place) if u.kind == kind and u.power in foes and (arrived or not u.halted)
    )


def bound_attacks(tables: Tables, state: State, war: War) -> dict[str, tuple[str, ...]]:
    """Where Powers of the phasing Alliance have to attack still: Areas of an Empire that they have entered.

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
    """An Area that Armies which a seat commands have entered and have to attack still, "" for none.

    Rules: REB-030
    """
    for place, powers in bound_attacks(tables, state, war).items():
        if seat in _attacking_seats(tables, state, war, place, ARMY):
            if not set(powers).isdisjoint(commanded_powers(tables, state, war, seat)):
                return place
    return ""


def make_bound_attacks(play: Transaction, war: War) -> None:
    """Make the attacks that have to be made and that nobody has ordered, until one has a choice to be made.

    Rules: REB-030
    """
    for place, powers in bound_attacks(play.tables, play.state, war).items():
        greats = _great_attackers(play.state, war, place, ARMY)
        now = next(w for w in play.state.wars if w.id == war.id)
        fight_combat(play, now, place, ARMY, tuple(p for p in greats if p not in powers))
        if any(c.about.pressing for c in play.state.choices):
            return


def area_defence(tables: Tables, state: State, war: War, place: str) -> int:
    """Strength points by which an Area of an Empire itself defends against the phasing Alliance.

    Rules: REB-022, REB-023, REB-056
    """
    hostile = empire.are_against_empire(war, war.alliance(war.turn_of))
    return empire.area_strength(tables, state, war, place) if hostile else 0


def area_support(tables: Tables, state: State, war: War, place: str) -> int:
    """Strength points by which an Area of an Empire helps the Empire's Armies that attack in it.

    Rules: REB-022, REB-023
    """
    own = empire.empire_of(war) in war.alliance(war.turn_of)
    attacks = own and any(u.power == empire.empire_of(war) and not u.halted for u in units_at(state, place))
    return empire.area_strength(tables, state, war, place) if attacks else 0


def combat_strengths(
    tables: Tables, state: State, war: War, place: str, kind: str, aside: tuple[str, ...] = ()
) -> tuple[int, int]:
    """Strength points of those that could attack in a place, and of those that would defend, Areas that fight included.

    Rules: WCB-011, WCB-012, REB-023
    """
    ours, theirs = attackers(state, war, place, kind, aside), defenders(state, war, place, kind)
    attack_, defend = sum(u.strength for u in ours), sum(u.strength for u in theirs)
    if kind != ARMY:
        return attack_, defend
    return attack_ + area_support(tables, state, war, place), defend + area_defence(tables, state, war, place)


# --- the order ------------------------------------------------------------------------------------------------------


def begin_attack(play: Transaction, power: str, action: actions.Attack) -> None:
    """Attack the enemy in a place with all own Units there; allies with Units there are asked to join.

    Raises: Refusal `no_war`, `not_your_turn`, `choose_first`, `fought_here`, `no_units`, `no_enemy`, `with_its_ally`.
    Rules: WCB-002, WCB-003, WCB-004, WCB-005, WCB-006, WCB-007, WCB-010, WCB-011, WCB-012, WCB-032
    """
    tables, state = play.tables, play.state
    war = current_war(state)
    kind, place = NAVAL if action.naval else ARMY, action.place
    if war is None:
        refuse("no_war", ("WCB-002",), "Units attack in the Attack Phases of a War.")
    if war.stage != ATTACK:
        now = war_phase_name(tables, war)
        refuse("other_war_phase", ("WCB-002",), f"This is {now}: Units attack in the Attack Phase of their Alliance.")
    if war.side_of(power) != war.turn_of:
        refuse("not_your_turn", ("WCB-002",), "It is the Attack Phase of another Alliance.")
    if any(c.about.pressing for c in state.choices):
        refuse("choose_first", ("SEQ-010",), "A choice has to be made first.")
    where = place_name(tables, place)
    if any((c.place, c.kind) == (place, kind) for c in war.clashes):
        refuse("fought_here", ("WCB-006",), f"There has been a combat in {where} in this Phase.")
    if not any(u.power == power for u in attackers(state, war, place, kind)):
        if any(u.power == power and u.kind == ARMY for u in units_at(state, place)) and is_sea(tables, place):
            refuse("no_units", ("WCB-004",), f"Only fleets fight in {where}; armies at sea attack nobody.")
        refuse("no_units", ("WCB-006",), f"No Unit of yours can attack in {where}.")
    if not defenders(state, war, place, kind) and not (kind == ARMY and area_defence(tables, state, war, place)):
        refuse("no_enemy", ("WCB-003",), f"There is no enemy in {where} to attack.")
    greats = leading_allies(state, war, power, place, kind)
    if greats:
        names = powers_text(tables, greats)
        refuse(
            "with_its_ally",
            ("WCB-007",),
            f"The Units of {power_name(tables, power)} attack in {where} together with those of {names}.",
        )
    _ask_next_ally(play, war, place, JoinAttack(war=war.id, by=power, unit_kind=kind), power)


def _great_attackers(state: State, war: War, place: str, kind: str) -> tuple[str, ...]:
    """Powers with a player that could attack in a place, in the order of their Alliance."""
    there = {u.power for u in attackers(state, war, place, kind)}
    return tuple(p for p in war.alliance(war.turn_of) if p in there and p in state.powers)


def leading_allies(state: State, war: War, power: str, place: str, kind: str) -> tuple[str, ...]:
    """The Great Power allies with which alone a Minor Power's Units attack in a place; none for others.

    Rules: WCB-007
    """
    return () if power in state.powers else _great_attackers(state, war, place, kind)


def _ask_next_ally(play: Transaction, war: War, place: str, about: JoinAttack, after: str) -> None:
    """Ask the next ally with Units in the place, in the order of the Alliance; when all have answered, fight.

    Minor Powers attack with their allies and are not asked, nor is who has to attack there.

    Rules: WCB-006, WCB-007, REB-030
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
    """An ally joins an attack or stands aside; the die falls when all have answered.

    Raises: Refusal `bad_answer`.
    Rules: WCB-006, WCB-016
    """
    war = next((w for w in play.state.wars if w.id == about.war), None)
    if war is None:
        return
    stands = single_answer(choice, words) == DECLINE
    aside = (*about.aside, choice.power) if stands else about.aside
    _ask_next_ally(play, war, choice.area, replace(about, aside=aside), choice.power)


def fight_combat(play: Transaction, war: War, place: str, kind: str, aside: tuple[str, ...] = ()) -> None:
    """One combat: strengths, column, die, and what the result does to both sides.

    An Area of an Empire adds its Combat Strength to the Empire's side of a combat of armies.

    Rules: WCB-011, WCB-012, WCB-013, WCB-014, WCB-017, WCB-018, WCB-033, REB-016 to REB-018, REB-023
    """
    ours, theirs = attackers(play.state, war, place, kind, aside), defenders(play.state, war, place, kind)
    attack_, defend = combat_strengths(play.tables, play.state, war, place, kind, aside)
    area = attack_ + defend - sum(u.strength for u in (*ours, *theirs))
    table = results.table_number(attack_, defend)
    column = results.ratio_column(play.tables, attack_, defend)
    die = play.dice.roll()
    result = results.look_up_result(play.tables, table, die, column)
    play.emit(
        events.BattleFought(
            war=war.id,
            place=place,
            kind=kind,
            attackers=tuple(dict.fromkeys(u.power for u in ours)),
            defenders=tuple(dict.fromkeys(u.power for u in theirs)),
            attack=attack_,
            defend=defend,
            table=table,
            column=results.ratio_label(play.tables.ratios[column]),
            die=die,
            result=result,
            aside=aside,
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
            attackers(play.state, war, place, kind, aside, arrived=True),
            defenders(play.state, war, place, kind, arrived=True),
            area,
        ),
    )
    surrender_after_combat(play, war, place)


def close_attack_phase(play: Transaction, war: War) -> None:
    """The end of an Attack Phase: Armies stranded at sea surrender, Areas are conquered.

    Rules: WCB-039, WMV-035, SUP-003
    """
    surrender_stranded(play, war)
    supply.conquer_areas(play, war)
