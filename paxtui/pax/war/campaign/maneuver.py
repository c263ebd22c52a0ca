"""The Alliance Maneuver Phase: one step a Unit, in the order given, each judged on the board as it then stands.

Rules: WMV-004 to WMV-020, WMV-030 to WMV-034, WMV-036, WMV-037, STA-047, STA-050 (R-WMV-01, R-WMV-02, R-WMV-06,
R-WMV-08 to R-WMV-10, R-WMV-12, R-WMV-14, Decision 55)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from paxtui.pax.board.status import at, controllers, seat_of
from paxtui.pax.board.tables import HOME, Tables
from paxtui.pax.expansion.special_garrisons import HEAVY, INDIAN, KEPT, WESTERN, heavies_free, india_zone, is_heavy
from paxtui.pax.history import events as ev
from paxtui.pax.orders import actions as ac
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.model import State, units_at
from paxtui.pax.state.pieces import ARMY, NAVAL, Unit, unit_of
from paxtui.pax.state.war import MANEUVER, War
from paxtui.pax.war import empire
from paxtui.pax.war.alliances import commanded, enemies
from paxtui.pax.war.campaign import coaling, codominion_entry, stepping
from paxtui.pax.war.campaign.ways import Step, apart, is_sea, steps
from paxtui.pax.war.cycle import current, phase_of
from paxtui.pax.words.spoken import place_name, power_name


class Bar(NamedTuple):
    """Why a step is closed to a Unit: code, rules, one sentence."""

    code: str
    rules: tuple[str, ...]
    message: str


# --- who moves ------------------------------------------------------------------------------------------------------


def waits(tables: Tables, state: State, war: War) -> tuple[str, ...]:
    """The seats of the phasing Alliance with a Unit that stands, or could stand, outside its Home Country.

    Rules: WMV-004
    """
    return tuple(seat for seat in state.players if _could_move(tables, state, war, seat))


def _could_move(tables: Tables, state: State, war: War, seat: str) -> bool:
    powers = [p for p in commanded(tables, state, war, seat) if war.side_of(p) == war.turn_of]
    if not powers:
        return False
    abroad = (*(here.units for here in state.areas.values()), *state.at_sea.values())
    if any(u.power in powers for units in abroad for u in units):
        return True
    return any(next(open_steps(tables, state, war, u, HOME + p), None) for p in powers for u in state.homes.get(p, ()))


def open_steps(tables: Tables, state: State, war: War, unit: Unit, place: str) -> Iterator[Step]:
    """Every step that the rules let a Unit take from where it stands, were it its turn."""
    for step in steps(tables, state, war, unit, place):
        if barred(tables, state, war, unit, place, step) is None:
            yield step


# --- what bars a step -----------------------------------------------------------------------------------------------


def barred(tables: Tables, state: State, war: War, unit: Unit, start: str, step: Step) -> Bar | None:
    """What keeps a Unit from taking a step to a place beside it; None where it may go.

    Rules: WMV-008 to WMV-020, WMV-030, WMV-032, WMV-036, WMV-037
    """
    if unit.kind == NAVAL:
        return _naval(tables, state, war, unit, start, step)
    return _army(tables, state, war, unit, start, step) or _garrison(tables, state, unit, start, step.place)


def _naval(tables: Tables, state: State, war: War, unit: Unit, start: str, step: Step) -> Bar | None:
    """Rules: WMV-008, WMV-009, WMV-010 (R-WMV-01, R-WMV-02)."""
    power, place = unit.power, step.place
    if place.startswith(HOME) or place == start:
        return None
    if is_sea(tables, place):
        if start == HOME + power or place in coaling.rights(tables, state, war, power):
            return None
        where = place_name(tables, place)
        return Bar("no_coaling", ("WMV-008",), f"{power_name(tables, power)} has no Coaling Rights in {where}.")
    return _area(tables, state, war, place, "WMV-009")


def _army(tables: Tables, state: State, war: War, unit: Unit, start: str, step: Step) -> Bar | None:
    """Rules: WMV-013 to WMV-020, WMV-030, WMV-037 (R-WMV-02, R-WMV-08, R-WMV-09, R-WMV-14)."""
    power, place = unit.power, step.place
    if power in empire.EMPIRES and (closed := _imperial(tables, state, war, place)):
        return closed
    sea = next((p for p in (start, place) if is_sea(tables, p)), "")
    land = next((p for p in (start, place) if p in tables.areas), "")
    if sea and land and _ships(state, war, power, land, sea if tables.areas[land].passage else ""):
        where = place_name(tables, land)
        return Bar("blockaded", ("WMV-019", "WMV-037"), f"An enemy fleet in {where} lets no Army Unit land or embark.")
    if place.startswith(HOME):
        if place == HOME + power or _friendly_country(tables, war, power, place):
            return None
        return Bar("foreign_home", ("WMV-017",), "No Unit enters the Home Country of another Power.")
    if is_sea(tables, place):
        return _embark(tables, state, war, power, place)
    if not is_sea(tables, start) and _armies(state, war, power, start) and _armies(state, war, power, place):
        return Bar(
            "enemy_to_enemy",
            ("WMV-020",),
            f"No Army Unit goes straight from enemy armies to others: {place_name(tables, place)} holds some too.",
        )
    return None if power in empire.EMPIRES else _area(tables, state, war, place, "WMV-015")


def _imperial(tables: Tables, state: State, war: War, place: str) -> Bar | None:
    """Where the Armies of an Empire may not go. Rules: REB-014, OTT-020, OTT-021, OTT-022 (R-OTT-18)."""
    if place in empire.roams(tables, state, war):
        return None
    if place == empire.egypt(tables):
        return Bar("outside_empire", ("OTT-022",), f"{place_name(tables, place)} is a neutral's.")
    return Bar("outside_empire", ("OTT-021",), "Ottoman Armies stay within the Empire and Egypt.")


def _embark(tables: Tables, state: State, war: War, power: str, zone: str) -> Bar | None:
    """Rules: WMV-013, WMV-014, WMV-018, WMV-030."""
    beside = tables.capes[zone].adjacent if zone in tables.capes else (zone,)
    where = place_name(tables, zone)
    if not any(power in state.sea_zones.get(z, ()) for z in beside):
        name = power_name(tables, power)
        rules = ("WMV-030",) if zone in tables.capes else ("WMV-013", "WMV-014")
        return Bar("no_merchant_fleet", rules, f"{name} has no Merchant Fleet of its own for {where}.")
    there = units_at(state, zone)
    foes = enemies(war, power)
    hostile = any(u.kind == NAVAL and u.power in foes for u in there)
    escort = any(u.kind == NAVAL and war.side_of(u.power) == war.side_of(power) for u in there)
    if hostile and not escort:
        return Bar("no_escort", ("WMV-018",), f"Enemy fleets in {where}, and none of your Alliance.")
    return None


def _area(tables: Tables, state: State, war: War, area: str, rule: str) -> Bar | None:
    """Rules: WMV-009, WMV-015, WMV-032, REB-009 (R-WMV-02)."""
    if open_area(tables, state, war, area):
        return None
    return Bar("no_belligerent", (rule,), f"No belligerent holds a Control marker in {place_name(tables, area)}.")


def open_area(tables: Tables, state: State, war: War, area: str) -> bool:
    """An Area is open where a belligerent holds Control, and every Area of the Empire that a War is fought with.

    Rules: WMV-009, WMV-015, WMV-032, REB-009 (R-WMV-02)
    """
    if any(war.side_of(p) for p in controllers(state, area)):
        return True
    return area in empire.land(tables, state, war)


def may_enter(tables: Tables, state: State, war: War, power: str, place: str) -> bool:
    """Whether the Armies of a Power may ever enter an Area or a Home Country in a War, whatever stands there.

    Rules: WMV-015, WMV-017, WMV-032 (R-WMV-02, R-WMV-09)
    """
    if place.startswith(HOME):
        return place == HOME + power or _friendly_country(tables, war, power, place)
    return open_area(tables, state, war, place)


def _garrison(tables: Tables, state: State, unit: Unit, start: str, place: str) -> Bar | None:
    """What the Indian Army and the Western Garrison forbid an Army (10), in War as in peace.

    Rules: WMV-036, STA-047, STA-050 (R-WMV-10, Decision 55)
    """
    if unit.strength != HEAVY:
        return None
    zone = india_zone(tables, state)
    leaves = unit.power == INDIAN and start in zone and place not in zone
    if leaves and sum(is_heavy(u, INDIAN) for area in zone for u in units_at(state, area)) <= KEPT:
        return Bar(
            "indian_army_bound",
            ("WMV-036", "STA-047"),
            f"{KEPT} Army ({HEAVY}) Units have to stay within two Overland Routes of India.",
        )
    if unit.power == WESTERN and not heavies_free(tables, state, WESTERN, start, place):
        return Bar(
            "western_garrison",
            ("WMV-036", "STA-050"),
            f"{KEPT} Army ({HEAVY}) Units have to stay in Russia, the Balkans and Anatolia.",
        )
    return None


def _friendly_country(tables: Tables, war: War, power: str, place: str) -> bool:
    """Whether a Power's armies may pass the Home Country of the Power that its own seat plays. Rules: WMV-017."""
    owner = place[len(HOME) :]
    return tables.powers[owner].seat == power and war.side_of(owner) == war.side_of(power) != 0


def _ships(state: State, war: War, power: str, area: str, coast: str) -> bool:
    """Whether an enemy fleet lies in an Area, on that coast where the coast matters. Rules: WMV-019, WMV-037."""
    foes = enemies(war, power)
    return any(u.kind == NAVAL and u.power in foes and coast in ("", u.coast) for u in at(state, area).units)


def _armies(state: State, war: War, power: str, area: str) -> bool:
    """Whether enemy Army Units stand in an Area."""
    foes = enemies(war, power)
    return any(u.kind == ARMY and u.power in foes for u in at(state, area).units)


# --- the order ------------------------------------------------------------------------------------------------------


def move(play: Play, power: str, action: ac.Move) -> None:
    """Move Units one step.

    Raises: Refusal `no_war`, `not_your_turn`, `choose_first`, `one_step`, `no_unit`, what keeps the places apart, or
    what bars the step.
    Rules: WMV-004, WMV-005, WMV-006, WMV-034, WCD-001
    """
    war = _turn(play, power)
    if len(action.path) != 2:
        refuse("one_step", ("WMV-006",), "In a Maneuver Phase a Unit goes one step: name where it stands and the next.")
    start, place = action.path
    for name in action.units:
        unit, step = _found(play, war, power, name, action)
        stepping.take(play, unit, start, step, "war", ("WMV-006",))
        codominion_entry.entered(play, war.id, power, place)
        if unit.kind == ARMY:
            _invade(play, war.id, power, place)


def _invade(play: Play, id_: str, power: str, place: str) -> None:
    """Armies that enter an Area of an Empire that fights by itself have to attack it in the Attack Phase that follows.

    Rules: REB-030 (R-REB-06)
    """
    war = next(w for w in play.state.wars if w.id == id_)
    new = empire.against(war, (power,)) and f"{power} {place}" not in war.invaded
    if new and empire.resists(play.tables, play.state, war, place):
        play.emit(ev.AreaInvaded(war=war.id, area=place, power=power, rules=("REB-030",)))


def _turn(play: Play, power: str) -> War:
    """The War in which a Power may move now.

    Raises: Refusal `no_war`, `not_your_turn`, `choose_first`.
    """
    war = current(play.state)
    if war is None:
        refuse("no_war", ("WMV-004",), "Units move in the Maneuver Phases of a War.")
    if war.stage != MANEUVER:
        now = phase_of(play.tables, war)
        refuse("other_war_phase", ("WMV-004",), f"This is {now}: Units move in the Maneuver Phase of their Alliance.")
    if war.side_of(power) != war.turn_of:
        refuse("not_your_turn", ("WMV-004",), "It is the Maneuver Phase of another Alliance.")
    if any(c.about.pressing for c in play.state.choices):
        refuse("choose_first", ("WCD-002",), "A choice has to be made first.")
    return war


def _found(play: Play, war: War, power: str, name: str, action: ac.Move) -> tuple[Unit, Step]:
    """A Unit of that name at the start that can take the step, and the step.

    Where there are like Units on two coasts or in two boxes, the one that can go is taken.

    Raises: Refusal `no_unit`, `has_moved`, what keeps the places apart, or what bars the step.
    """
    tables, state = play.tables, play.state
    start, place = action.path
    wanted = unit_of(name, power)
    here = [u for u in units_at(state, start) if (u.power, u.kind, u.strength) == (power, wanted.kind, wanted.strength)]
    if not here:
        refuse("no_unit", ("WMV-006",), f"There is no {name}{_of_others(play, war, power, wanted, start)}.")
    lying = [u for u in here if action.start_coast in ("", u.coast)]
    if not lying:
        where = f"{place_name(tables, start)} ({place_name(tables, action.start_coast)})"
        refuse("no_unit", ("WMV-011",), f"There is no {name} in {where}.")
    fresh = [u for u in lying if not u.halted]
    if not fresh:
        refuse("has_moved", ("WMV-006",), f"{name} has moved in this Phase.")
    first: Bar | None = None
    for unit in fresh:
        for step in steps(tables, state, war, unit, start):
            if step.place != place or action.coast not in ("", step.coast):
                continue
            bar = barred(tables, state, war, unit, start, step)
            if bar is None:
                return unit, step
            first = first or bar
    if first:
        refuse(*first)
    refuse(*apart(tables, state, war, fresh[0], start, place))


def _of_others(play: Play, war: War, power: str, wanted: Unit, start: str) -> str:
    """Where a Power has no such Unit, and, where one of another Power that its seat commands stands there, how it is
    ordered. Rules: WMV-031."""
    tables, state = play.tables, play.state
    where = f" of yours in {place_name(tables, start)}"
    for other in commanded(tables, state, war, seat_of(tables, state, power)):
        if other != power and any((u.power, u.name) == (other, wanted.name) for u in units_at(state, start)):
            return f"{where}; the one of {power_name(tables, other)} is ordered by '{other}: move ...'"
    return where
