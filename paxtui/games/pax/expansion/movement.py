"""The Movement/Status Change Phase: Military Units, Merchant Fleets, and its end.

Builds and moves Military Units, moves and places Merchant Fleets, explains moves that are not allowed, and checks that
seats are ready.

Rules: SET-049
"""

from __future__ import annotations

from collections import Counter
from heapq import heappop, heappush
from typing import NoReturn

from paxtui.games.pax import transaction
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board import routes, status
from paxtui.games.pax.board.adjacency import board
from paxtui.games.pax.board.status import area_state, controllers, controls, established, influence_holders, powers_of
from paxtui.games.pax.board.tables import HOME, Pressure, Tables
from paxtui.games.pax.events import events
from paxtui.games.pax.expansion import duties, garrisons
from paxtui.games.pax.expansion.garrisons import HEAVY, check_western, has_garrison
from paxtui.games.pax.state.model import State, at_phase_start, units_at
from paxtui.games.pax.state.pieces import ARMY, CONTROL, NAVAL, Unit
from paxtui.games.pax.state.questions import Coast, Pending
from paxtui.games.pax.text.display import place_name, powers_text, the_zone
from paxtui.games.pax.transaction import ActTable, Phase, Transaction, refuse, seats_not_ready, single_answer


def move_merchant_fleet(play: Transaction, power: str, action: actions.Merchant) -> None:
    """Move a fleet any distance, or place a new one that is due.

    Raises: Refusal.
    Rules: MOV-002, MOV-003, MOV-004, MOV-005, SEQ-012
    """
    tables, state = play.tables, play.state
    who = tables.powers[power].name
    for place in (action.start, action.to):
        if place in tables.capes:
            name = place_name(tables, place)
            refuse("cape", ("MOV-005", "SET-019"), f"{name} exists only in War: Merchant Fleets cannot go there.")
    if action.to not in tables.sea_zones:
        refuse("no_sea", ("MOV-002",), f"{place_name(tables, action.to)} is not a Sea Zone.")
    if action.start == "new":
        if state.powers[power].merchants_due < 1:
            refuse(
                "none_due",
                ("MOV-004", "SEQ-012", "SET-064"),
                f"{who} has no Merchant Fleet due. They come only from the turn track and cannot be bought.",
            )
    elif power not in state.sea_zones.get(action.start, ()):
        where = place_name(tables, action.start)
        refuse("no_fleet", ("MOV-002",), f"{who} has no Merchant Fleet in the {where}.")
    if action.start == action.to:
        refuse("nowhere", ("MOV-002",), "The fleet is already there.")
    if power in state.sea_zones.get(action.to, ()):
        refuse(
            "two_fleets",
            ("MOV-003",),
            f"{who} already has a Merchant Fleet in {the_zone(tables, action.to)}. Each Sea Zone can have only one.",
        )
    rule = "MOV-004" if action.start == "new" else "MOV-002"
    play.emit(events.MerchantMoved(power=power, start=action.start, to=action.to, rules=(rule, "MOV-003")))


def refuse_step(play: Transaction, power: str, path: tuple[str, ...], i: int, why: str) -> NoReturn:
    """Raises: Refusal for the step of a path spelt out that is not allowed."""
    here, there = place_name(play.tables, path[i - 1]), place_name(play.tables, path[i])
    who = play.tables.powers[power].name
    if why == "apart":
        refuse("no_path", ("MOV-010", "SET-021", "SET-022"), f"{there} is not next to {here}.", step=i)
    if why == "no_fleet":
        refuse("no_fleet", ("MOV-012", "MOV-011"), f"{who} has no Merchant Fleet in the {there}.", step=i)
    if why == "sea":
        refuse("at_sea", ("MOV-011", "SET-081"), f"Army Units can pass the {there} but cannot stop there.", step=i)
    if why == "foreign_home":
        refuse("foreign_home", ("SET-024",), f"{there} is the Home Country of another Power.", step=i)
    if why == "stop":
        refuse(
            "must_stop",
            ("MOV-013", "MOV-014", "MOV-015"),
            f"Army Units that enter {there} must stop there, because it is in Unrest or its Control is not "
            "established.",
            step=i,
        )
    _refuse_entry(play, power, path[i])


def _refuse_entry(play: Transaction, power: str, area: str) -> NoReturn:
    """Raises: Refusal `closed`, saying why armies of the Power may not enter an Area."""
    tables, state = play.tables, play.state
    name, who = place_name(tables, area), tables.powers[power].name
    here, holders = area_state(state, area), controllers(state, area)
    rules: tuple[str, ...] = ()
    owners = powers_text(tables, holders)
    if here.unrest and here.codominion:
        why, rules = f"{name} is in Unrest. Only {owners}, who share it, can bring armies there.", ("CCB-041",)
    elif here.unrest and holders:
        why, rules = f"{name} is in revolt against {owners}. No other Power can bring armies there.", ("CCB-030",)
    elif holders:
        why = f"{name} is under the Control of {owners}. No other armies can go there."
    elif here.unrest:
        why, rules = (
            f"{name} is in Unrest under the Influence of "
            f"{powers_text(tables, influence_holders(state, area))}. {who} needs an established Influence "
            "there, or must place a Control marker first.",
            ("CCB-033",),
        )
    else:
        why, rules = f"{who} has no Control marker in {name}. Place one first; then the army can enter.", ("MOV-019",)
    refuse("closed", ("MOV-015", *rules), why, area=area)


def refuse_unreachable(play: Transaction, power: str, start: str, end: str) -> NoReturn:
    """Raises: Refusal for a move to a place no army of the Power can reach, naming what is in the way."""
    tables, state = play.tables, play.state
    if end in tables.sea_zones:
        refuse("at_sea", ("MOV-011", "SET-081"), f"Army Units cannot stop in {the_zone(tables, end)}.")
    if end.startswith(HOME) and end != HOME + power:
        refuse("foreign_home", ("SET-024",), f"{place_name(tables, end)} is the Home Country of another Power.")
    if not end.startswith(HOME) and not routes.entry(state, power, end):
        _refuse_entry(play, power, end)
    fleets, areas = _obstacles(play, power, start, end)
    needs = []
    if fleets:
        needs.append(f"a Merchant Fleet in {' and '.join('the ' + place_name(tables, z) for z in fleets)}")
    if areas:
        needs.append(f"established Control, without Unrest, of {' and '.join(place_name(tables, a) for a in areas)}")
    hint = f": {' and '.join(needs)} would open the nearest way" if needs else ": nothing leads there"
    refuse(
        "no_path",
        ("MOV-010", *(("MOV-012",) if fleets else ()), *(("MOV-015",) if areas else ()), "SET-022"),
        f"No army of {tables.powers[power].name} can get from {place_name(tables, start)} to "
        f"{place_name(tables, end)}{hint}.",
        missing_fleets=list(fleets),
        closed_areas=list(areas),
    )


def _obstacles(play: Transaction, power: str, start: str, end: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the obstacles on the path with the fewest of them.

    Obstacles are Sea Zones without an own fleet, and Areas that cannot be passed. Areas weigh more than Sea Zones,
    because a fleet sails anywhere at once.
    """
    tables, state = play.tables, play.state
    map_ = board(tables, state)
    todo: list[tuple[int, int, str, tuple[str, ...], tuple[str, ...]]] = [(0, 0, start, (), ())]
    done = set()
    while todo:
        _, steps, here, fleets, areas = heappop(todo)
        if here == end:
            return fleets, areas
        if here in done:
            continue
        done.add(here)
        for there in map_.around(here):
            lacking, closed = fleets, areas
            if there in map_.zone_next:
                if power not in state.sea_zones.get(there, ()):
                    lacking = (*fleets, there)
            elif there.startswith(HOME):
                if there != HOME + power:
                    continue
            elif there != end and routes.entry(state, power, there) != routes.PASS:
                closed = (*areas, there)
            if there not in done:
                heappush(todo, (len(lacking) + 100 * len(closed), steps + 1, there, lacking, closed))
    return (), ()


def read_unit(play: Transaction, name: str) -> tuple[str, int]:
    """Return kind and strength of a unit named A10 or N3.

    Raises: Refusal `no_such_unit`, `never_bought`.
    Rules: SET-041, SEQ-012
    """
    kinds = {"A": ARMY, "N": NAVAL}
    if len(name) > 1 and name[0] in kinds and name[1:].isdecimal() and int(name[1:]) in play.tables.units:
        return kinds[name[0]], int(name[1:])
    if name.casefold().startswith("merchant"):
        refuse(
            "never_bought",
            ("SEQ-012", "MOV-004"),
            "Merchant Fleets cannot be bought. They come from the turn track: 'merchant new > caribbean'.",
        )
    strengths = ", ".join(f"A{n} N{n}" for n in sorted(play.tables.units))
    refuse("no_such_unit", ("SET-041",), f"There is no unit {name!r}. Known ones: {strengths}.")


def home_box(tables: Tables, power: str, zone: str) -> str:
    """Return the name of the home box that opens on `zone`, its first Sea Zone; "" if there is none.

    Rules: SET-027
    """
    return next((box[0] for box in tables.homes[power].boxes if zone in box), "")


def build_units(play: Transaction, power: str, action: actions.Build) -> None:
    """Buy units; they are placed in the Home Country at once, Naval Units in one of its boxes.

    Raises: Refusal.
    Rules: STA-001, STA-004, STA-005, STA-006, SET-027, SET-039, SET-042, ETI-024, ETI-025, ETI-026
    """
    tables = play.tables
    if not action.units:
        refuse("no_units", (), "Name the units to build, such as A3 or N10.")
    kinds = [read_unit(play, name) for name in action.units]
    naval = any(kind == NAVAL for kind, _ in kinds)
    box = _building_box(play, power, action.box) if naval or action.box else ""
    wanted = Counter(strength for _, strength in kinds)
    for strength, n in wanted.items():
        left = status.free_pieces(tables, play.state, power, str(strength))
        if left < n:
            refuse(
                "no_piece",
                ("SET-039", "SET-042"),
                f"{tables.powers[power].name} needs {n} piece{'s' * (n != 1)} of strength {strength} (army "
                f"and naval together), but has only {left} free{status.limits_note(tables)}.",
                free=left,
            )
    duties.check_purse(play, power, sum(_unit_price(tables, kind, strength) for kind, strength in kinds))
    for name, (kind, strength) in zip(action.units, kinds, strict=True):
        _buy_unit(play, power, name, kind, strength, box)


def _building_box(play: Transaction, power: str, wanted: str) -> str:
    _refuse_cape(play.tables, wanted, "SET-027")
    boxes = play.tables.homes[power].boxes
    if not boxes:
        refuse("no_coast", ("SET-027",), f"{play.tables.powers[power].name} has no coast for Naval Units.")
    box = home_box(play.tables, power, wanted) if wanted else boxes[0][0]
    if not box:
        names = ", ".join(place_name(play.tables, b[0]) for b in boxes)
        refuse(
            "no_such_box",
            ("SET-027", "STA-006"),
            f"New units appear at home, and {play.tables.powers[power].name} has no home box on "
            f"{place_name(play.tables, wanted)}. It has: {names}.",
        )
    return box


def _unit_price(tables: Tables, kind: str, strength: int) -> int:
    cost = tables.units[strength]
    return cost.army if kind == ARMY else cost.naval


def _buy_unit(play: Transaction, power: str, name: str, kind: str, strength: int, box: str) -> None:
    """Pay for one unit and place it; a Naval Unit may raise tensions at that moment."""
    cost = play.tables.units[strength]
    price = _unit_price(play.tables, kind, strength)
    heavy = int(kind == ARMY and strength == HEAVY)
    duties.check_spending(play, power, price, kind, heavy)
    blame = duties.naval_blame(play, power) if kind == NAVAL else ""
    counted = duties.counted_pounds(play.tables, play.state, power, price, heavy)
    play.money(power, -price, f"builds {name}", ("STA-005",), counted, price if kind == NAVAL else 0)
    coast = box if kind == NAVAL else ""
    place = HOME + power
    play.emit(events.UnitsBuilt(power=power, units=(name,), place=place, coast=coast, rules=("STA-006",)))
    if kind == NAVAL and power not in play.tables.tension_without:
        rule = "ETI-025" if strength == HEAVY else "ETI-024"
        who = play.tables.powers[power].name
        play.tension(cost.tension, f"{who} builds {name}", (rule, "ETI-026", "SEQ-004"), blame)


def move_units(play: Transaction, power: str, action: actions.Move) -> None:
    """Move units of one place along a path; two places alone mean the shortest path.

    Raises: Refusal, with the forbidden step and the reason.
    Rules: MOV-001, MOV-006 to MOV-019
    """
    tables = play.tables
    if not action.units or len(action.path) < 2:
        refuse("no_move", (), "A move needs units, their place and a destination: move A3 A1 home > egypt.")
    start, end = action.path[0], action.path[-1]
    for place in action.path:
        _refuse_cape(tables, place, "MOV-010")
        if place not in tables.areas and place not in tables.sea_zones and not place.startswith(HOME):
            name = place_name(tables, place)
            refuse("unknown_place", (), f"Units cannot be in {name} in peace.")
    kinds = [read_unit(play, name)[0] for name in action.units]
    armies = tuple(n for n, k in zip(action.units, kinds, strict=True) if k == ARMY)
    fleets = tuple(n for n, k in zip(action.units, kinds, strict=True) if k == NAVAL)
    found = _pick_units(play, power, start, action.units, _end_coast(tables, power, action) if start == end else "")
    if armies:
        _move_armies(play, power, armies, [u for u in found if u.kind == ARMY], action.path)
    if fleets:
        _move_fleets(play, power, [u for u in found if u.kind == NAVAL], start, end, action)


def _refuse_cape(tables: Tables, place: str, rule: str) -> None:
    """Refuse a Cape Zone, which does not exist in peace; `rule`: that of the refused act."""
    if place in tables.capes:
        refuse(
            "cape",
            ("SET-019", rule),
            f"{place_name(tables, place)} exists only in War: in peace the oceans on both sides are adjacent.",
        )


def _end_coast(tables: Tables, power: str, action: actions.Move) -> str:
    if not action.path[-1].startswith(HOME):
        return action.coast
    boxes = tables.homes[power].boxes if power in tables.homes else ()
    return home_box(tables, power, action.coast) or (boxes[0][0] if boxes and not action.coast else "")


def _pick_units(play: Transaction, power: str, start: str, names: tuple[str, ...], lying: str) -> list[Unit]:
    """Return the named units: free ones before halted ones, those already at `lying` last."""
    there = [u for u in units_at(play.state, start) if u.power == power]
    there.sort(key=lambda u: (u.halted, bool(lying) and u.coast == lying))
    found = []
    for name in names:
        unit = next((u for u in there if u.name == name), None)
        where = place_name(play.tables, start)
        if unit is None:
            refuse("no_unit", (), f"{play.tables.powers[power].name} has no {name} (left) in {where}.")
        if unit.halted:
            refuse(
                "halted",
                ("MOV-013", "MOV-014", "MOV-015", "MOV-009"),
                f"{name} in {where} cannot move again in this Phase. It entered an Area in Unrest or "
                "without established Control, or was there when the marker was handed over.",
            )
        there.remove(unit)
        found.append(unit)
    return found


def _move_armies(
    play: Transaction, power: str, names: tuple[str, ...], found: list[Unit], path: tuple[str, ...]
) -> None:
    """Move Army Units overland and by own Merchant Fleets. Rules: MOV-009 to MOV-018, STA-048, STA-050."""
    tables, state, start, end = play.tables, play.state, path[0], path[-1]
    if not routes.can_start_move(state, power, start):
        refuse(
            "cannot_start",
            ("MOV-009",),
            "Army Units start from the Home Country or an Area with established Control. "
            f"{place_name(tables, start)} is neither.",
        )
    if start == end:
        refuse("nowhere", ("MOV-010",), "The army is already there.")
    if len(path) == 2:
        way = routes.army_path(tables, state, power, start, end)
        if not way:
            refuse_unreachable(play, power, start, end)
    else:
        at_step, why = routes.find_broken_step(tables, state, power, path)
        if why:
            refuse_step(play, power, path, at_step, why)
        way = path
    check_western(play, power, found, start, end)
    halted, rule = routes.arrival(state, power, end)
    play.emit(events.UnitsMoved(power=power, units=names, path=way, halted=halted, rules=("MOV-001", "MOV-010", rule)))
    if halted:
        garrisons.warn_lost_garrison(play, power)


def _move_fleets(play: Transaction, power: str, found: list[Unit], start: str, end: str, action: actions.Move) -> None:
    """Move Naval Units any distance to a Coastal Area that the Power Controls or a home box."""
    tables = play.tables
    zones: tuple[str, ...] = ()
    if end.startswith(HOME):
        if end != HOME + power:
            refuse("foreign_home", ("SET-024",), f"{place_name(tables, end)} is the Home Country of another Power.")
        coast = _building_box(play, power, action.coast)
    else:
        coast, zones = _landing_coast(play, power, end, action.coast)
    if start == end and all(u.coast == coast for u in found):
        refuse("nowhere", ("MOV-006",), "The fleet is already there.")
    _drop_coast_questions(play, power, start, found)
    for old in dict.fromkeys(u.coast for u in found if start != end or u.coast != coast):
        group = tuple(u.name for u in found if u.coast == old)
        rule = "MOV-007" if end.startswith(HOME) else "MOV-006"
        play.emit(
            events.UnitsMoved(
                power=power, units=group, path=(start, end), coast=coast, start_coast=old, rules=("MOV-001", rule)
            )
        )
    if zones and not action.coast:
        for unit in found:
            play.offer(
                power,
                Coast(unit.name),
                zones,
                coast,
                end,
                f"On which coast of {place_name(tables, end)} does {unit.name} lie?",
                ("SET-015",),
            )


def _drop_coast_questions(play: Transaction, power: str, start: str, leaving: list[Unit]) -> None:
    """Cancel open questions about the coast of units that leave `start`."""
    left = Counter(u.name for u in units_at(play.state, start) if u.power == power)
    left.subtract(u.name for u in leaving)
    for choice in play.state.choices:
        if isinstance(choice.about, Coast) and choice.power == power and choice.area == start:
            unit = choice.about.unit
            left[unit] -= 1
            if left[unit] < 0:
                play.emit(events.ChoiceMade(id=choice.id, void=True, rules=choice.rules))


def _landing_coast(play: Transaction, power: str, end: str, coast: str) -> tuple[str, tuple[str, ...]]:
    """Return the coast of a Naval Unit in an Area, and the coasts to choose from if it matters.

    Rules: MOV-008, SET-014, SET-015, SET-019
    """
    tables, state = play.tables, play.state
    name = place_name(tables, end)
    _refuse_cape(tables, coast, "SET-015")
    if end in tables.sea_zones:
        refuse("at_sea", ("MOV-008", "SET-081"), f"Naval Units cannot stop in the {name} in peace.")
    map_ = board(tables, state)
    zones = map_.zones_of[end]
    if not zones:
        refuse("no_coast", ("MOV-008", "SET-013"), f"{name} is not a Coastal Area.")
    if not controls(state, end, power):
        refuse(
            "no_control",
            ("MOV-008", "MOV-006", "MOV-019"),
            f"{tables.powers[power].name} has no established Control marker in {name}. Naval Units can go "
            "only where it has one.",
        )
    if coast and coast not in zones:
        names = ", ".join(place_name(tables, z) for z in zones)
        wrong = place_name(tables, coast)
        refuse("no_such_coast", ("SET-015",), f"{name} does not border {wrong}. It borders {names}.")
    split = map_.split_coasts(end)
    if not split:
        return "", ()
    steps = routes.steps_from_home(tables, state, power)
    return coast or min(split, key=lambda zone: steps.get(zone, 99)), split


def answer_coast(play: Transaction, choice: Pending, about: Coast, answer: tuple[str, ...]) -> None:
    """Place a Naval Unit on the chosen coast, if it is still there. Rules: SET-015."""
    zone, unit = single_answer(choice, answer), about.unit
    start = str(choice.default)
    fleets = [u for u in area_state(play.state, choice.area).units if u.power == choice.power and u.name == unit]
    if any(u.coast == start for u in fleets) and zone != start:
        play.emit(
            events.CoastChosen(
                power=choice.power, unit=unit, place=choice.area, start=start, coast=zone, rules=("SET-015",)
            )
        )


def check_ready(play: Transaction, seat: str) -> None:
    """Check that a seat has met its duties before it is ready.

    Raises: Refusal, with what is missing.
    Rules: STA-039, STA-045, EVT-018, BEL-012
    """
    for power in powers_of(play.tables, play.state, seat):
        garrisons.check_garrisons(play, power)
    duties.check_duties(play, seat)


def force_ready(play: Transaction) -> None:
    """Mark every seat ready, for the arbiter: the automatic garrison fix, nothing bought, duties waived.

    Rules: SEQ-010, STA-039
    """
    for seat in play.state.players:
        for power in powers_of(play.tables, play.state, seat):
            garrisons.force_garrison_fix(play, power)
        duties.waive_duties(play, seat)
        if seat not in play.state.ready:
            play.emit(events.SeatReady(seat=seat, rules=("SEQ-010",)))


def close_phase(play: Transaction) -> None:
    """End the Phase: offers lapse, coasts keep their default, garrisons are tested, unmet demands cost points."""
    transaction.lapse_offers(play)
    for choice in play.state.choices:
        if isinstance(choice.about, Coast):
            play.emit(
                events.ChoiceMade(id=choice.id, answer=(str(choice.default),), by_default=True, rules=choice.rules)
            )
    test_garrisons(play)
    for pressure, rules in pressure_unmet(play.tables, play.state):
        lose_refusal_points(play, pressure, rules)


def test_garrisons(play: Transaction) -> None:
    """Record all Control markers, established or not, without an Army Unit of their Power.

    Rules: STA-014, STA-037, COD-007 (R-SEQ-02)
    """
    for area in play.tables.areas:
        for marker in area_state(play.state, area).markers:
            if marker.marker in CONTROL and not has_garrison(play.state, area, marker.power):
                if marker.power in play.tables.powers:
                    rules = (
                        "STA-014",
                        "COD-007" if marker.power in area_state(play.state, area).codominion else "STA-037",
                    )
                    play.emit(events.GarrisonMissing(area=area, power=marker.power, rules=rules))


def pressure_unmet(tables: Tables, state: State) -> list[tuple[Pressure, tuple[str, ...]]]:
    """Return the unmet demands of this turn for a Dominion or Statehood, with their rules.

    There is no demand if the Power does not Control the Area and did not when the Phase began. Handing the Area over
    does not avoid the demand.

    Rules: EVT-056, EVT-057, EVT-058, EVT-059 (R-EVT-12, Decision 33)
    """
    out = []
    then = at_phase_start(state)
    for dice in state.events:
        event = tables.events[dice]
        want = event.pressure
        if want is None or want.power not in state.powers:
            continue
        if not controls(state, want.area, want.power) and not controls(then, want.area, want.power):
            continue
        marker = established(state, want.area, want.power)
        if marker is None or marker.marker != want.marker:
            out.append((want, event.rules))
    return out


def lose_refusal_points(play: Transaction, pressure: Pressure, rules: tuple[str, ...]) -> None:
    """Take the Victory Points that a refused Dominion or State costs.

    Rules: EVT-056, EVT-057, EVT-058, EVT-059, VIC-005
    """
    name = play.tables.areas[pressure.area].name
    marker = play.tables.markers[pressure.marker].name
    play.victory_points(
        pressure.power, -pressure.points, f"{name} was not made a {marker}", (*rules, "VIC-005"), bonus=True
    )


PHASE = Phase(
    name="movement",
    close=close_phase,
    waits=seats_not_ready,
    open=True,
    check_ready=check_ready,
    force_ready=force_ready,
)


ACTS: ActTable = {
    actions.Build: {"movement": build_units},
    actions.Move: {"movement": move_units},
    actions.Merchant: {"movement": move_merchant_fleet},
}
