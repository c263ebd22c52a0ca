"""Military Units: building them, and moving them in the Movement/Status Change Phase.

Rules: STA-005, STA-006, SET-024 to SET-028, SET-039 to SET-044, MOV-001, MOV-006 to MOV-019, ETI-024 to ETI-026
"""

from __future__ import annotations

from collections import Counter

from paxtui.pax.board import counters, paths
from paxtui.pax.board.neighbours import board
from paxtui.pax.board.status import at, controls
from paxtui.pax.board.tables import HOME, Tables
from paxtui.pax.expansion import duties, garrisons, obstacles
from paxtui.pax.expansion.special_garrisons import check_western
from paxtui.pax.history import events as ev
from paxtui.pax.orders import actions as ac
from paxtui.pax.play.choices import one_of
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.model import units_at
from paxtui.pax.state.pieces import ARMY, NAVAL, Unit
from paxtui.pax.state.questions import Coast, Pending
from paxtui.pax.words.spoken import place_name

HEAVY = 10


def read_unit(play: Play, name: str) -> tuple[str, int]:
    """Kind and strength of a unit named A10 or N3.

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
            "Merchant Fleets are never bought: they come from the turn track, as 'merchant new > caribbean'.",
        )
    strengths = ", ".join(f"A{n} N{n}" for n in sorted(play.tables.units))
    refuse("no_such_unit", ("SET-041",), f"There is no unit {name!r}; there are {strengths}.")


def home_box(tables: Tables, power: str, zone: str) -> str:
    """The name of the home box that opens on `zone`: the first Sea Zone of the box; "" where there is none.

    Rules: SET-027
    """
    return next((box[0] for box in tables.homes[power].boxes if zone in box), "")


# --- building -----------------------------------------------------------------------------------------------------


def build(play: Play, power: str, action: ac.Build) -> None:
    """Buy units; they stand in the Home Country at once, Naval Units in one of its boxes.

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
        left = counters.free(tables, play.state, power, str(strength))
        if left < n:
            refuse(
                "no_piece",
                ("SET-039", "SET-042"),
                f"{tables.powers[power].name} has {left} free piece{'s' * (left != 1)} of strength {strength}, "
                f"army and naval together; {n} would be needed{counters.limits_note(tables)}.",
                free=left,
            )
    duties.check_purse(play, power, sum(_price(tables, kind, strength) for kind, strength in kinds))
    for name, (kind, strength) in zip(action.units, kinds, strict=True):
        _buy_unit(play, power, name, kind, strength, box)


def _building_box(play: Play, power: str, wanted: str) -> str:
    """The home box for new Naval Units.

    Raises: Refusal `cape`, `no_such_box`, `no_coast`.
    Rules: SET-019, SET-027
    """
    _no_cape(play.tables, wanted, "SET-027")
    boxes = play.tables.homes[power].boxes
    if not boxes:
        refuse("no_coast", ("SET-027",), f"{play.tables.powers[power].name} has no coast for Naval Units.")
    box = home_box(play.tables, power, wanted) if wanted else boxes[0][0]
    if not box:
        names = ", ".join(place_name(play.tables, b[0]) for b in boxes)
        refuse(
            "no_such_box",
            ("SET-027", "STA-006"),
            f"New units stand at home, and {play.tables.powers[power].name} has no home box on "
            f"{place_name(play.tables, wanted)}; it has: {names}.",
        )
    return box


def _price(tables: Tables, kind: str, strength: int) -> int:
    """Pounds that a new unit costs. Rules: STA-006."""
    cost = tables.units[strength]
    return cost.army if kind == ARMY else cost.naval


def _buy_unit(play: Play, power: str, name: str, kind: str, strength: int, box: str) -> None:
    """Pay for one unit and place it; a Naval Unit may raise tensions at that moment."""
    cost = play.tables.units[strength]
    price = _price(play.tables, kind, strength)
    heavy = int(kind == ARMY and strength == HEAVY)
    duties.check_spending(play, power, price, kind, heavy)
    blame = duties.naval_blame(play, power) if kind == NAVAL else ""
    counted = duties.counted(play.tables, play.state, power, price, heavy)
    play.money(power, -price, f"builds {name}", ("STA-005",), counted, price if kind == NAVAL else 0)
    coast = box if kind == NAVAL else ""
    place = HOME + power
    play.emit(ev.UnitsBuilt(power=power, units=(name,), place=place, coast=coast, rules=("STA-006",)))
    if kind == NAVAL and power not in play.tables.tension_without:
        rule = "ETI-025" if strength == HEAVY else "ETI-024"
        who = play.tables.powers[power].name
        play.tension(cost.tension, f"{who} builds {name}", (rule, "ETI-026", "SEQ-004"), blame)


# --- moving -------------------------------------------------------------------------------------------------------


def move(play: Play, power: str, action: ac.Move) -> None:
    """Move units of one place along a path; with two places only the shortest way is taken.

    Raises: Refusal, naming the step that is not allowed and why.
    Rules: MOV-001, MOV-006 to MOV-019
    """
    tables = play.tables
    if not action.units or len(action.path) < 2:
        refuse("no_move", (), "A move names units, where they are, and where they go: move A3 A1 home > egypt.")
    start, end = action.path[0], action.path[-1]
    for place in action.path:
        _no_cape(tables, place, "MOV-010")
        if place not in tables.areas and place not in tables.sea_zones and not place.startswith(HOME):
            name = place_name(tables, place)
            refuse("unknown_place", (), f"{name} is no place a unit can be in or pass in peace.")
    kinds = [read_unit(play, name)[0] for name in action.units]
    armies = tuple(n for n, k in zip(action.units, kinds, strict=True) if k == ARMY)
    fleets = tuple(n for n, k in zip(action.units, kinds, strict=True) if k == NAVAL)
    found = _pick(play, power, start, action.units, _lying(tables, power, action) if start == end else "")
    if armies:
        _move_armies(play, power, armies, [u for u in found if u.kind == ARMY], action.path)
    if fleets:
        _move_fleets(play, power, [u for u in found if u.kind == NAVAL], start, end, action)


def _no_cape(tables: Tables, place: str, rule: str) -> None:
    """Raises: Refusal `cape` for a Cape Zone, which is not there in peace; `rule` of what is done there.

    Rules: SET-019
    """
    if place in tables.capes:
        refuse(
            "cape",
            ("SET-019", rule),
            f"{place_name(tables, place)} exists in War only: in peace the oceans on both sides of it meet directly.",
        )


def _lying(tables: Tables, power: str, action: ac.Move) -> str:
    """The coast or home box where a move ends."""
    if not action.path[-1].startswith(HOME):
        return action.coast
    boxes = tables.homes[power].boxes if power in tables.homes else ()
    return home_box(tables, power, action.coast) or (boxes[0][0] if boxes and not action.coast else "")


def _pick(play: Play, power: str, start: str, names: tuple[str, ...], lying: str) -> list[Unit]:
    """The units named, free ones before halted ones, those that lie at `lying` already last.

    Raises: Refusal `no_unit`, `halted`.
    Rules: MOV-009, MOV-013, MOV-014, MOV-015
    """
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
                f"{name} in {where} has ended its movement for this Phase: it entered an Area in Unrest, or one "
                f"whose Control is not established yet, or was there when the marker was handed over.",
            )
        there.remove(unit)
        found.append(unit)
    return found


def _move_armies(play: Play, power: str, names: tuple[str, ...], found: list[Unit], path: tuple[str, ...]) -> None:
    """Move Army Units overland and by own Merchant Fleets.

    Raises: Refusal.
    Rules: MOV-009 to MOV-018, STA-048, STA-050
    """
    tables, state, start, end = play.tables, play.state, path[0], path[-1]
    if not paths.may_start(state, power, start):
        refuse(
            "cannot_start",
            ("MOV-009",),
            f"Army Units start from the Home Country or an Area under established Control; "
            f"{place_name(tables, start)} is neither.",
        )
    if start == end:
        refuse("nowhere", ("MOV-010",), "The army is there already.")
    if len(path) == 2:
        way = paths.way(tables, state, power, start, end)
        if not way:
            obstacles.refuse_way(play, power, start, end)
    else:
        at_step, why = paths.broken_step(tables, state, power, path)
        if why:
            obstacles.refuse_step(play, power, path, at_step, why)
        way = path
    check_western(play, power, found, start, end)
    halted, rule = paths.arrival(state, power, end)
    play.emit(ev.UnitsMoved(power=power, units=names, path=way, halted=halted, rules=("MOV-001", "MOV-010", rule)))
    if halted:
        garrisons.warn(play, power)


def _move_fleets(play: Play, power: str, found: list[Unit], start: str, end: str, action: ac.Move) -> None:
    """Move Naval Units any distance to a Coastal Area that the Power Controls or a home box.

    Raises: Refusal.
    Rules: MOV-006, MOV-007, MOV-008, SET-015, SET-024, SET-027
    """
    tables = play.tables
    zones: tuple[str, ...] = ()
    if end.startswith(HOME):
        if end != HOME + power:
            refuse("foreign_home", ("SET-024",), f"{place_name(tables, end)} is the Home Country of another Power.")
        coast = _building_box(play, power, action.coast)
    else:
        coast, zones = _landfall(play, power, end, action.coast)
    if start == end and all(u.coast == coast for u in found):
        refuse("nowhere", ("MOV-006",), "The fleet is there already.")
    _forget_coasts(play, power, start, found)
    for old in dict.fromkeys(u.coast for u in found if start != end or u.coast != coast):
        group = tuple(u.name for u in found if u.coast == old)
        rule = "MOV-007" if end.startswith(HOME) else "MOV-006"
        play.emit(
            ev.UnitsMoved(
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


def _forget_coasts(play: Play, power: str, start: str, leaving: list[Unit]) -> None:
    """Drop the questions still open on which coast units lie that now leave `start`."""
    left = Counter(u.name for u in units_at(play.state, start) if u.power == power)
    left.subtract(u.name for u in leaving)
    for choice in play.state.choices:
        if isinstance(choice.about, Coast) and choice.power == power and choice.area == start:
            unit = choice.about.unit
            left[unit] -= 1
            if left[unit] < 0:
                play.emit(ev.ChoiceMade(id=choice.id, void=True, rules=choice.rules))


def _landfall(play: Play, power: str, end: str, coast: str) -> tuple[str, tuple[str, ...]]:
    """The coast a Naval Unit lies on in an Area, and the coasts to choose from where it matters.

    Raises: Refusal `cape`, `at_sea`, `no_coast`, `no_control`, `no_such_coast`.
    Rules: MOV-008, SET-014, SET-015, SET-019
    """
    tables, state = play.tables, play.state
    name = place_name(tables, end)
    _no_cape(tables, coast, "SET-015")
    if end in tables.sea_zones:
        refuse("at_sea", ("MOV-008", "SET-081"), f"Naval Units cannot stop in the {name} in peace.")
    map_ = board(tables, state)
    zones = map_.zones_of[end]
    if not zones:
        refuse("no_coast", ("MOV-008", "SET-013"), f"{name} is no Coastal Area.")
    if not controls(state, end, power):
        refuse(
            "no_control",
            ("MOV-008", "MOV-006", "MOV-019"),
            f"{tables.powers[power].name} has no established Control marker in {name}: Naval Units go only where "
            f"there is one.",
        )
    if coast and coast not in zones:
        names = ", ".join(place_name(tables, z) for z in zones)
        wrong = place_name(tables, coast)
        refuse("no_such_coast", ("SET-015",), f"{name} does not lie on {wrong}; it lies on {names}.")
    split = map_.split_coasts(end)
    if not split:
        return "", ()
    return coast or _nearest_coast(play, power, split), split


def _nearest_coast(play: Play, power: str, zones: tuple[str, ...]) -> str:
    """The Sea Zone with the fewest steps from the Home Country."""
    steps = paths.steps_from_home(play.tables, play.state, power)
    return min(zones, key=lambda z: steps.get(z, 99))


def answer_coast(play: Play, choice: Pending, about: Coast, answer: tuple[str, ...]) -> None:
    """Lay a Naval Unit on the coast chosen, if it is still there.

    Raises: Refusal `bad_answer`.
    Rules: SET-015
    """
    zone, unit = one_of(choice, answer), about.unit
    start = str(choice.default)
    lying = [u for u in at(play.state, choice.area).units if u.power == choice.power and u.name == unit]
    if any(u.coast == start for u in lying) and zone != start:
        play.emit(
            ev.CoastChosen(
                power=choice.power, unit=unit, place=choice.area, start=start, coast=zone, rules=("SET-015",)
            )
        )
