"""Results of combat: the Combat Results Tables, the loss of units, and retreats in peace.

Armies retreat to an adjacent Area that their Power Controls, home, or by sea through their own Merchant Fleets; without
a destination they are eliminated. Naval Units always find a harbour.

Rules: R-CCB-11
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeVar

import msgspec

from paxtui.games.pax.board.adjacency import board, distances
from paxtui.games.pax.board.routes import naval_destinations
from paxtui.games.pax.board.status import area_state, controls, seat_of
from paxtui.games.pax.board.tables import HOME, Ratio, Tables
from paxtui.games.pax.events import events
from paxtui.games.pax.expansion.garrisons import HEAVY, WESTERN, check_western, free_heavy_armies, western_zone
from paxtui.games.pax.state.model import State, units_at
from paxtui.games.pax.state.pieces import ARMY, CONTROL, NAVAL, Unit, home_place
from paxtui.games.pax.state.questions import Option, Pending, Retreat
from paxtui.games.pax.text.display import place_name
from paxtui.games.pax.text.parsing import HOME_WORD
from paxtui.games.pax.transaction import Transaction, default_answer, refuse

ELIMINATED, RETREAT, LOSE_UNITS, DEFEATED = "eliminated", "retreat", "losses", "defeated"

SMALL_FORCE = 5
"""Strength points of the smaller force from which Table 2 applies (CCB-043)."""
Piece = tuple[str, str]
"""A Unit that may be lost: its Power and its name."""
Rules = tuple[str, ...]
Way = TypeVar("Way")
HEAVY_ARMY = f"A{HEAVY}"
"""Name of the armies in special garrisons."""


class CombatOutcome(msgspec.Struct, frozen=True):
    """The meaning of a result: `effect` on the attackers, minimum `losses` in strength points, and rules."""

    effect: str
    losses: int
    rules: tuple[str, ...]


def table_number(attack: int, defend: int) -> int:
    """Return 2 if the smaller force has 5 strength points or more, else 1. Rules: CCB-043."""
    return 1 if min(attack, defend) < SMALL_FORCE else 2


def ratio_column(tables: Tables, attack: int, defend: int) -> int:
    """Return the index of the ratio column, rounded in the Area's favour; 0 for worse ratios.

    Args: strength points of attackers and Area, the latter not 0.

    Rules: CCB-044, CCB-045
    """
    reached = [i for i, ratio in enumerate(tables.ratios) if attack * ratio.defend >= defend * ratio.attack]
    return reached[-1] if reached else 0


def ratio_label(ratio: Ratio) -> str:
    """Return a ratio as it is printed: 3-2."""
    return f"{ratio.attack}-{ratio.defend}"


def look_up_result(tables: Tables, table: int, die: int, index: int) -> str:
    """Return the result of a die in a column: E, AR, EX, HX, DR or DE. Rules: CCB-046."""
    return tables.combat[table][die - 1][index]


def read_result(result: str, attack: int, defend: int) -> CombatOutcome:
    """Return the meaning of a result for attackers of `attack` against an Area of `defend` strength points.

    Half of an odd Combat Strength is rounded up (R-CCB-13).

    Rules: CCB-047, CCB-048, CCB-052, CCB-054, CCB-055, CCB-057, CCB-058, CCB-059, CCB-060
    """
    if result == "E":
        return CombatOutcome(ELIMINATED, 0, ("CCB-047",))
    if result == "AR":
        return CombatOutcome(RETREAT, 0, ("CCB-048",))
    if result == "EX":
        if defend >= attack:
            return CombatOutcome(ELIMINATED, 0, ("CCB-054", "CCB-060"))
        return CombatOutcome(LOSE_UNITS, defend, ("CCB-052", "CCB-060"))
    if result == "HX":
        if defend > attack:
            return CombatOutcome(ELIMINATED, 0, ("CCB-057", "CCB-060"))
        return CombatOutcome(LOSE_UNITS, (defend + 1) // 2, ("CCB-055", "CCB-060"))
    return CombatOutcome(DEFEATED, 0, ("CCB-058" if result == "DR" else "CCB-059",))


def army_names(state: State, area: str, power: str) -> tuple[str, ...]:
    """Return the names of the Power's Army Units in the Area, heavy ones first. Naval Units never count (CCB-007)."""
    return unit_names(state, power, area, ARMY)


def unit_names(state: State, power: str, place: str, kind: str) -> tuple[str, ...]:
    """Return the names of the Power's units of a kind in a place, heavy ones first."""
    units = [u for u in units_at(state, place) if u.power == power and u.kind == kind]
    return tuple(u.name for u in sorted(units, key=lambda u: -u.strength))


def units_strength(pieces: Iterable[str]) -> int:
    """Return the strength points of units given by name."""
    return sum(int(name[1:]) for name in pieces)


def remove_units(play: Transaction, area: str, pieces: Iterable[Piece], rules: tuple[str, ...]) -> None:
    """Remove units lost in combat from the map, grouped by Power."""
    removed: dict[str, list[str]] = {}
    for power, name in pieces:
        removed.setdefault(power, []).append(name)
    for power, names in removed.items():
        play.emit(events.UnitsLost(power=power, units=tuple(names), place=area, reason="combat", rules=rules))


def smallest_loss(pieces: list[Piece], required: int) -> list[Piece]:
    """Return the pieces with the smallest sum of at least `required` strength points, then with the fewest units.

    Rules: R-CCB-13
    """
    best: dict[int, list[Piece]] = {0: []}
    for piece in pieces:
        for total, chosen in sorted(best.items(), reverse=True):
            if total < required:
                sum_ = total + units_strength([piece[1]])
                if sum_ not in best or len(best[sum_]) > len(chosen) + 1:
                    best[sum_] = [*chosen, piece]
    enough = [total for total in best if total >= required]
    return best[min(enough)] if enough else list(pieces)


def is_only_loss(pieces: list[Piece], chosen: list[Piece], required: int) -> bool:
    """Return whether each sufficient loss contains `chosen`, so that there is no choice."""
    have, lost = Counter(pieces), Counter(chosen)
    total = units_strength(name for _, name in pieces)
    return all(total - (have[piece] - n + 1) * units_strength([piece[1]]) < required for piece, n in lost.items())


def loss_texts(pieces: Iterable[Piece], powers: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of units for answers, with their Power if several Powers are involved."""
    return tuple(name if len(powers) == 1 else f"{power} {name}" for power, name in pieces)


def unheard_powers(play: Transaction, powers: tuple[str, ...], said: Iterable[str]) -> list[str]:
    """Return the Powers whose seat has not yet said what it loses; `said`: those that have answered. Rules: AUS-001."""
    heard = {seat_of(play.tables, play.state, power) for power in said}
    return [p for p in powers if seat_of(play.tables, play.state, p) not in heard]


def read_losses(
    play: Transaction, choice: Pending, powers: tuple[str, ...], own: list[Piece], needed: int, answer: tuple[str, ...]
) -> list[Piece]:
    """Return the units of `own` that an answer names: at least `needed` strength points of them.

    Raises: Refusal `not_there`, `not_enough`.
    Rules: CCB-052, CCB-055, WCB-023, WCB-026
    """
    found = [(text.split()[0], text.split()[1]) if " " in text else (powers[0], text) for text in answer]
    if Counter(found) - Counter(own):
        where = place_name(play.tables, choice.area)
        refuse("not_there", choice.rules, f"Not all of {' '.join(answer)} are in {where}.")
    if units_strength(name for _, name in found) < needed:
        refuse(
            "not_enough",
            choice.rules,
            f"{' '.join(answer) or 'Nothing'} is not enough: the loss is at least {needed} strength points.",
            needed=needed,
        )
    return found


def retreat_paths(tables: Tables, state: State, power: str, area: str) -> dict[str, tuple[str, ...]]:
    """Return each place that the Power's armies may retreat to, with a shortest path there, both ends included.

    An adjacent place is reached by Overland Route. By sea, each Sea Zone from the Area's own coast must hold one of the
    Power's Merchant Fleets. Only established Control counts. An adjacent Home Country counts as an Area (Decision 21).

    Rules: CCB-049, CCB-050, CCB-051
    """
    map_ = board(tables, state)
    found: dict[str, tuple[str, ...]] = {}
    for place in map_.routes.get(area, ()):
        if _is_own_place(state, power, place):
            found[place] = (area, place)
    sailed: dict[str, tuple[str, ...]] = {area: (area,)}
    todo = deque([area])
    while todo:
        here = todo.popleft()
        zones = map_.zones_of.get(area, ()) if here == area else map_.zone_next[here]
        for zone in zones:
            if zone not in sailed and power in state.sea_zones.get(zone, ()):
                sailed[zone] = (*sailed[here], zone)
                todo.append(zone)
                for place in map_.coast_of[zone]:
                    if place != area and place not in found and _is_own_place(state, power, place):
                        found[place] = (*sailed[zone], place)
    return found


def _is_own_place(state: State, power: str, place: str) -> bool:
    return place == home_place(power) if place.startswith(HOME) else controls(state, place, power)


def retreat_targets(
    tables: Tables, state: State, power: str, area: str, within: frozenset[str] | None = None
) -> list[str]:
    """Return the places that the Power's armies may retreat to: own Areas, nearest first, then the Home Country.

    A Minor Power retreats to an adjacent Area if possible, else home. `within`: only these places, None for all.

    Rules: CCB-049, CCB-050, CCB-051, MIN-058
    """
    found = {p: way for p, way in retreat_paths(tables, state, power, area).items() if within is None or p in within}
    areas = [place for place in tables.areas if place in found]
    homes = [place for place in found if place.startswith(HOME)]
    if power in state.powers:
        return sorted(areas, key=lambda place: len(found[place])) + homes
    return [place for place in areas if len(found[place]) == 2] or homes


def retreat_harbours(tables: Tables, state: State, power: str, area: str) -> dict[str, tuple[str, str]]:
    """Return the harbours that the Power's Naval Units may retreat to: text, place and coast of each.

    These are all Coastal Areas it Controls, nearest first, and all boxes of its Home Country. Naval Units of a Minor
    Power go home. For a place with several coasts, its bare name means the nearest.

    Rules: CCB-026, SET-015, R-CCB-12, R-MOV-05, R-MIN-19
    """
    map_ = board(tables, state)
    distance = distances(map_.zones_of.get(area, ()), map_.zone_next.__getitem__)
    ends = [a for a in naval_destinations(tables, state, power) if a != area] if power in state.powers else []
    near = {a: min(distance.get(z, 99) for z in map_.zones_of[a]) for a in ends}
    found: dict[str, tuple[str, str]] = {}
    for place in sorted(ends, key=lambda a: near[a]):
        coasts = sorted(map_.split_coasts(place), key=lambda z: distance.get(z, 99))
        found[place] = (place, coasts[0] if coasts else "")
        found.update({f"{place} {zone}": (place, zone) for zone in coasts})
    boxes = sorted(tables.homes[power].boxes, key=lambda box: min(distance.get(z, 99) for z in box))
    if len(tables.homes[power].port_boxes) > 1:
        found.update({f"{HOME_WORD} {box[0]}": (home_place(power), box[0]) for box in boxes})
    else:
        found[HOME_WORD] = (home_place(power), boxes[0][0])
    return found


def nearest_way_home(found: Mapping[str, Way]) -> Way:
    """Return the path home; of several, the one to the nearest port box."""
    return next(way for text, way in found.items() if text.split()[0] == HOME_WORD)


class RetreatOpenings(NamedTuple):
    """Possible retreats of the armies in an Area: `bound` of the heavy ones only to the places `inside`.

    Only the Western Garrison binds armies.
    """

    places: list[str]
    inside: list[str]
    bound: int

    def together(self) -> list[str]:
        """Return the places where all may go."""
        return self.inside if self.bound else self.places

    def alone(self, unit: str, heavies: int) -> list[str]:
        """Return the places where a unit may go, given the number of heavy ones."""
        return self.inside if unit == HEAVY_ARMY and self.bound >= heavies else self.places

    def nearest(self, units: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
        """Return the default destinations: the nearest place of each unit; "" for none."""
        tied = units[: self.bound]  # heavy ones stand first
        out: dict[str, tuple[str, ...]] = {}
        for group, places in ((tied, self.inside), (units[self.bound :], self.places)):
            place = places[0] if places else ""
            if group:
                out[place] = (*out.get(place, ()), *group)
        return out


def retreat_openings(tables: Tables, state: State, power: str, area: str) -> RetreatOpenings:
    """Return the possible retreats of the Power's armies. A retreat counts as a move for the Western Garrison.

    Rules: CCB-049, CCB-050, CCB-051, STA-048, STA-050, STA-051 (Decision 35)
    """
    places = retreat_targets(tables, state, power, area)
    zone = western_zone(tables)
    outside = [place for place in places if place not in zone]
    if power != WESTERN or not outside:
        return RetreatOpenings(places, places, 0)
    heavies = unit_names(state, power, area, ARMY).count(HEAVY_ARMY)
    bound = heavies - free_heavy_armies(tables, state, power, area, outside[0])
    return RetreatOpenings(places, retreat_targets(tables, state, power, area, zone), bound)


def retreat_armies(play: Transaction, power: str, area: str, rules: Rules) -> None:
    """Retreat all armies of the Power from `area`: by choice if several places are open.

    Armies without a destination are eliminated. `rules`: the reason for the retreat.

    Rules: CCB-011, CCB-049, CCB-050, CCB-051, MIN-058, STA-050 (Decision 35)
    """
    armies = unit_names(play.state, power, area, ARMY)
    if not armies:
        return
    found = retreat_openings(play.tables, play.state, power, area)
    if found.bound and not found.inside:
        _lose_units(play, power, area, armies[: found.bound], (*rules, "STA-050"))
        retreat_armies(play, power, area, rules)
        return
    open_ = found.inside if found.bound == len(armies) else found.places
    if len(open_) < 2 or power not in play.state.powers:
        _retreat_groups(play, power, area, found.nearest(armies), rules)
        return
    heavies = armies.count(HEAVY_ARMY)
    options = [_place_text(place) for place in found.together()]
    if len(armies) > 1:
        options += [f"{u} > {_place_text(p)}" for u in dict.fromkeys(armies) for p in found.alone(u, heavies)]
    nearest = found.nearest(armies)
    default: Option = tuple(f"{unit} > {_place_text(place)}" for place, units in nearest.items() for unit in units)
    if len(nearest) == 1:
        default = _place_text(*nearest)
    _offer_retreat(play, power, area, ARMY, armies, tuple(options), default, rules)


def _place_text(place: str) -> str:
    return HOME_WORD if place.startswith(HOME) else place


def _retreat_groups(play: Transaction, power: str, area: str, groups: dict[str, tuple[str, ...]], rules: Rules) -> None:
    """Move each group of armies to its place, or eliminate it if it has none."""
    for place, units in groups.items():
        if place:
            _retreat_to(play, power, area, units, place, rules)
        else:
            _lose_units(play, power, area, units, rules)


def retreat_naval(play: Transaction, power: str, area: str, rules: Rules) -> None:
    """Retreat all Naval Units of the Power from `area` to an own Coastal Area or home; none is ever eliminated.

    Rules: CCB-026, R-CCB-12
    """
    ships = unit_names(play.state, power, area, NAVAL)
    if not ships:
        return
    found = retreat_harbours(play.tables, play.state, power, area)
    if len(found) == 1 or power not in play.state.powers:
        _sail_to(play, power, area, ships, nearest_way_home(found), rules)
    else:
        texts = tuple(found)
        each = tuple(f"{ship} > {text}" for ship in dict.fromkeys(ships) for text in texts) if len(ships) > 1 else ()
        _offer_retreat(play, power, area, NAVAL, ships, (*texts, *each), texts[0], rules)


def retreat_all(play: Transaction, area: str, rules: Rules, powers: Iterable[str] | None = None) -> None:
    """Retreat all Military Units in `area`, or those of `powers`. Rules: CCB-026, CCB-035, CCB-040, CCB-064."""
    for power in dict.fromkeys(u.power for u in area_state(play.state, area).units):
        if (powers is None or power in powers) and power in play.tables.powers:
            retreat_armies(play, power, area, rules)
            retreat_naval(play, power, area, rules)


def send_home(play: Transaction, power: str, area: str, rules: Rules) -> None:
    """Send all Military Units of the Power in `area` or a foreign Home Country home, at any distance.

    Rules: CON-037
    """
    for kind in (ARMY, NAVAL):
        names = unit_names(play.state, power, area, kind)
        if names:
            place, coast = home_place(power), ""
            if kind == NAVAL:
                place, coast = nearest_way_home(retreat_harbours(play.tables, play.state, power, area))
            play.emit(
                events.UnitsMoved(
                    power=power, units=names, path=(area, place), coast=coast, reason="sent_home", rules=rules
                )
            )


def units_without_control(state: State) -> list[tuple[str, str]]:
    """Return (Area, Power) for Military Units without established Control of their owner.

    Rules: CCB-065, MOV-016, MOV-019
    """
    found: list[tuple[str, str]] = []
    for name, here in state.areas.items():
        if here.units:
            owners = {m.power for m in here.markers if m.established and m.marker in CONTROL}
            found += [(name, p) for p in dict.fromkeys(u.power for u in here.units) if p not in owners]
    return found


def _offer_retreat(
    play: Transaction,
    power: str,
    area: str,
    kind: str,
    units: tuple[str, ...],
    options: tuple[str, ...],
    default: Option,
    rules: Rules,
) -> None:
    """Ask for the destination. Several units may split up: "A3 > gabon"."""
    what = "army" if kind == ARMY else "fleet"
    each = ", all together or each by itself" if len(units) > 1 else ""
    play.offer(
        power,
        Retreat(kind, units),
        options,
        default,
        area,
        f"Where does the {what} in {play.tables.areas[area].name} ({' '.join(units)}) retreat to{each}?",
        rules,
    )


def answer_retreat(play: Transaction, choice: Pending, about: Retreat, answer: tuple[str, ...]) -> None:
    """Retreat to one place for all, or a place for each unit. The default is always possible.

    Raises: Refusal `bad_answer` unless each unit gets exactly one place, `western_garrison`.
    Rules: CCB-049, CCB-050, CCB-026, STA-048, STA-050 (Decision 35)
    """
    power, area, kind = choice.power, choice.area, about.unit_kind
    units = unit_names(play.state, power, area, kind)
    if kind == ARMY and answer == default_answer(choice):
        # what was free when it was asked may be bound by now, when armies have been lost elsewhere
        _retreat_groups(
            play, power, area, retreat_openings(play.tables, play.state, power, area).nearest(units), choice.rules
        )
        return
    orders: list[tuple[str, str]] = []
    if len(answer) == 1 and " > " not in answer[0]:
        orders = [(unit, answer[0]) for unit in units]
    else:
        orders = read_destinations(answer)
    if Counter(unit for unit, _ in orders) != Counter(units):
        refuse(
            "bad_answer",
            choice.rules,
            f"Name one place for all of {' '.join(units)}, or one for each of them, such as "
            f"'{units[0]} > {choice.default if isinstance(choice.default, str) else 'home'}'.",
        )
    rules = choice.rules
    if kind == ARMY:
        zone = western_zone(play.tables)
        out = [to for unit, to in orders if unit == HEAVY_ARMY and to != HOME_WORD and to not in zone]
        if out:
            check_western(play, power, [Unit(power, ARMY, HEAVY)] * len(out), area, out[0])
    for text in dict.fromkeys(text for _, text in orders):
        group = tuple(unit for unit, to in orders if to == text)
        if kind == NAVAL:
            found = retreat_harbours(play.tables, play.state, power, area)
            _sail_to(play, power, area, group, found.get(text) or nearest_way_home(found), rules)
        else:
            _retreat_to(play, power, area, group, home_place(power) if text == "home" else text, rules)


def read_destinations(answer: tuple[str, ...]) -> list[tuple[str, str]]:
    """Return the unit and the destination in each part of an answer: "A3 > gabon", "A3 tunis > gabon"."""
    return [(text.split()[0], text.split(" > ")[1]) for text in answer if " > " in text]


def _retreat_to(play: Transaction, power: str, area: str, units: tuple[str, ...], place: str, rules: Rules) -> None:
    path = retreat_paths(play.tables, play.state, power, area)[place]
    minor = () if power in play.state.powers else ("MIN-058",)
    how: Rules = ("CCB-051",) if place.startswith(HOME) and len(path) == 2 else ("CCB-049",)
    if len(path) > 2:
        how = ("CCB-050",)
    play.emit(events.UnitsMoved(power=power, units=units, path=path, reason="retreat", rules=(*rules, *how, *minor)))


def _sail_to(
    play: Transaction, power: str, area: str, units: tuple[str, ...], to: tuple[str, str], rules: Rules
) -> None:
    place, coast = to
    play.emit(
        events.UnitsMoved(
            power=power, units=units, path=(area, place), coast=coast, reason="retreat", rules=(*rules, "CCB-026")
        )
    )


def _lose_units(play: Transaction, power: str, area: str, units: tuple[str, ...], rules: Rules) -> None:
    minor = () if power in play.state.powers else ("MIN-058",)
    play.emit(
        events.UnitsLost(power=power, units=units, place=area, reason="no_retreat", rules=(*rules, "CCB-051", *minor))
    )
