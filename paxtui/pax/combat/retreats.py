"""Retreats in peace: out of a lost Colonial Combat, a lost Area, or an Area that was never one's own.

Armies go to an adjacent Area that their Power Controls, home, or by sea through Merchant Fleets of their own; they
are eliminated where nothing is open. Naval Units always find a harbour.

Rules: CCB-011, CCB-026, CCB-049, CCB-050, CCB-051, CCB-065, MOV-016, MIN-058, STA-048, STA-050, STA-051
(R-CCB-11, R-CCB-12, Decisions 21 and 35)
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeVar

from paxtui.engine.frames import Option
from paxtui.pax.board.neighbours import board
from paxtui.pax.board.paths import naval_ends
from paxtui.pax.board.status import at, controls
from paxtui.pax.board.tables import HOME, Tables
from paxtui.pax.expansion.special_garrisons import HEAVY, WESTERN, check_western, heavies_free, western_zone
from paxtui.pax.history import events as ev
from paxtui.pax.play.choices import default_of
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.model import State, units_at
from paxtui.pax.state.pieces import ARMY, CONTROL, NAVAL, Unit, home
from paxtui.pax.state.questions import Pending, Retreat
from paxtui.pax.words.names import OWN_HOME

Rules = tuple[str, ...]
Way = TypeVar("Way")

HEAVY_ARMY = f"A{HEAVY}"
"""Name of the armies that special garrisons consist of."""


# --- where to -----------------------------------------------------------------------------------------------------


def ways(tables: Tables, state: State, power: str, area: str) -> dict[str, tuple[str, ...]]:
    """Every place the Power's armies may retreat to from `area`, with a shortest way there, ends included.

    Next door by Overland Route, or by sea from the Area's own coast through Sea Zones that each hold one of its
    Merchant Fleets. Only established Control counts; the Home Country next door is as good as an Area (Decision 21).

    Rules: CCB-049, CCB-050, CCB-051
    """
    map_ = board(tables, state)
    found: dict[str, tuple[str, ...]] = {}
    for place in map_.routes.get(area, ()):
        if _own(state, power, place):
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
                    if place != area and place not in found and _own(state, power, place):
                        found[place] = (*sailed[zone], place)
    return found


def _own(state: State, power: str, place: str) -> bool:
    return place == home(power) if place.startswith(HOME) else controls(state, place, power)


def targets(
    tables: Tables, state: State, power: str, area: str, within: frozenset[str] | None = None
) -> list[str]:
    """Places the Power's armies may retreat to from `area`: own Areas, the nearest first, then the Home Country.

    A Minor Power goes next door if it can, else home. `within`: only these places, None for all.

    Rules: CCB-049, CCB-050, CCB-051, MIN-058
    """
    found = {p: way for p, way in ways(tables, state, power, area).items() if within is None or p in within}
    areas = [place for place in tables.areas if place in found]
    homes = [place for place in found if place.startswith(HOME)]
    if power in state.powers:
        return sorted(areas, key=lambda place: len(found[place])) + homes
    return [place for place in areas if len(found[place]) == 2] or homes


def harbours(tables: Tables, state: State, power: str, area: str) -> dict[str, tuple[str, str]]:
    """Where the Power's Naval Units may retreat to from `area`: the text of each harbour, its place and coast.

    Every Coastal Area it Controls, at any distance, the nearest first, and every box of its Home Country; a Minor
    Power's go home. Where a place has several coasts, its bare name means the nearest.

    Rules: CCB-026, SET-015, R-CCB-12, R-MOV-05, R-MIN-19
    """
    map_ = board(tables, state)
    distance = _zone_distances(tables, state, area)
    ends = [a for a in naval_ends(tables, state, power) if a != area] if power in state.powers else []
    near = {a: min(distance.get(z, 99) for z in map_.zones_of[a]) for a in ends}
    found: dict[str, tuple[str, str]] = {}
    for place in sorted(ends, key=lambda a: near[a]):
        coasts = sorted(map_.split_coasts(place), key=lambda z: distance.get(z, 99))
        found[place] = (place, coasts[0] if coasts else "")
        found.update({f"{place} {zone}": (place, zone) for zone in coasts})
    boxes = sorted(tables.homes[power].boxes, key=lambda box: min(distance.get(z, 99) for z in box))
    if len(tables.homes[power].port_boxes) > 1:
        found.update({f"{OWN_HOME} {box[0]}": (home(power), box[0]) for box in boxes})
    else:
        found[OWN_HOME] = (home(power), boxes[0][0])
    return found


def way_home(found: Mapping[str, Way]) -> Way:
    """The way home, of several the one to the nearest port box."""
    return next(way for text, way in found.items() if text.split()[0] == OWN_HOME)


def _zone_distances(tables: Tables, state: State, area: str) -> dict[str, int]:
    """Sea Zones by their distance from the Area's coast."""
    map_ = board(tables, state)
    distance = dict.fromkeys(map_.zones_of.get(area, ()), 0)
    todo = deque(distance)
    while todo:
        zone = todo.popleft()
        for other in map_.zone_next[zone]:
            if other not in distance:
                distance[other] = distance[zone] + 1
                todo.append(other)
    return distance


# --- going --------------------------------------------------------------------------------------------------------


class Openings(NamedTuple):
    """Where the armies of an Area may retreat to: `bound` of the heavy ones only to the places `inside`.

    Only the Western Garrison binds any.
    """

    places: list[str]
    inside: list[str]
    bound: int

    def together(self) -> list[str]:
        """Places where all may go."""
        return self.inside if self.bound else self.places

    def alone(self, unit: str, heavies: int) -> list[str]:
        """Places where a unit may go that is one of so many heavy ones, if it is heavy."""
        return self.inside if unit == HEAVY_ARMY and self.bound >= heavies else self.places

    def nearest(self, units: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
        """Who goes where if nobody says otherwise: to the nearest place; "" for nowhere."""
        tied = units[: self.bound]  # heavy ones stand first
        out: dict[str, tuple[str, ...]] = {}
        for group, places in ((tied, self.inside), (units[self.bound :], self.places)):
            place = places[0] if places else ""
            if group:
                out[place] = (*out.get(place, ()), *group)
        return out


def openings(tables: Tables, state: State, power: str, area: str) -> Openings:
    """Where the Power's armies in the Area may retreat to now. A retreat is a move to the Western Garrison.

    Rules: CCB-049, CCB-050, CCB-051, STA-048, STA-050, STA-051 (Decision 35)
    """
    places = targets(tables, state, power, area)
    zone = western_zone(tables)
    outside = [place for place in places if place not in zone]
    if power != WESTERN or not outside:
        return Openings(places, places, 0)
    heavies = _names(state, power, area, ARMY).count(HEAVY_ARMY)
    bound = heavies - heavies_free(tables, state, power, area, outside[0])
    return Openings(places, targets(tables, state, power, area, zone), bound)


def retreat_armies(play: Play, power: str, area: str, rules: Rules) -> None:
    """All armies of the Power leave `area`: at once where one place is open, by choice where several are, else they
    are eliminated. `rules` made them leave.

    Rules: CCB-011, CCB-049, CCB-050, CCB-051, MIN-058, STA-050 (Decision 35)
    """
    armies = _names(play.state, power, area, ARMY)
    if not armies:
        return
    found = openings(play.tables, play.state, power, area)
    if found.bound and not found.inside:
        _lose(play, power, area, armies[: found.bound], (*rules, "STA-050"))
        retreat_armies(play, power, area, rules)
        return
    open_ = found.inside if found.bound == len(armies) else found.places
    if len(open_) < 2 or power not in play.state.powers:
        _scatter(play, power, area, found.nearest(armies), rules)
        return
    heavies = armies.count(HEAVY_ARMY)
    options = [_text(place) for place in found.together()]
    if len(armies) > 1:
        options += [f"{u} > {_text(p)}" for u in dict.fromkeys(armies) for p in found.alone(u, heavies)]
    nearest = found.nearest(armies)
    default: Option = tuple(f"{unit} > {_text(place)}" for place, units in nearest.items() for unit in units)
    if len(nearest) == 1:
        default = _text(*nearest)
    _offer(play, power, area, ARMY, armies, tuple(options), default, rules)


def _text(place: str) -> str:
    """A place as answers name it."""
    return OWN_HOME if place.startswith(HOME) else place


def _scatter(play: Play, power: str, area: str, groups: dict[str, tuple[str, ...]], rules: Rules) -> None:
    """Each group of armies goes to its place, or is lost where it has none."""
    for place, units in groups.items():
        if place:
            _march(play, power, area, units, place, rules)
        else:
            _lose(play, power, area, units, rules)


def retreat_naval(play: Play, power: str, area: str, rules: Rules) -> None:
    """All Naval Units of the Power leave `area` for a Coastal Area of its own or home; none is ever eliminated.

    Rules: CCB-026, R-CCB-12
    """
    ships = _names(play.state, power, area, NAVAL)
    if not ships:
        return
    found = harbours(play.tables, play.state, power, area)
    if len(found) == 1 or power not in play.state.powers:
        _sail(play, power, area, ships, way_home(found), rules)
    else:
        texts = tuple(found)
        each = tuple(f"{ship} > {text}" for ship in dict.fromkeys(ships) for text in texts) if len(ships) > 1 else ()
        _offer(play, power, area, NAVAL, ships, (*texts, *each), texts[0], rules)


def leave(play: Play, area: str, rules: Rules, powers: Iterable[str] | None = None) -> None:
    """All Military Units in `area` retreat, or those of `powers`.

    Rules: CCB-026, CCB-035, CCB-040, CCB-064
    """
    for power in dict.fromkeys(u.power for u in at(play.state, area).units):
        if (powers is None or power in powers) and power in play.tables.powers:
            retreat_armies(play, power, area, rules)
            retreat_naval(play, power, area, rules)


def send_home(play: Play, power: str, area: str, rules: Rules) -> None:
    """All Military Units of the Power in `area`, or another's Home Country, go to its own, whatever lies between.

    Rules: CON-037
    """
    for kind in (ARMY, NAVAL):
        names = _names(play.state, power, area, kind)
        if names:
            place, coast = home(power), ""
            if kind == NAVAL:
                place, coast = way_home(harbours(play.tables, play.state, power, area))
            play.emit(
                ev.UnitsMoved(
                    power=power, units=names, path=(area, place), coast=coast, reason="sent_home", rules=rules
                )
            )


def homeless(state: State) -> list[tuple[str, str]]:
    """(Area, Power) of every Military Unit where its owner has no established Control marker.

    Rules: CCB-065, MOV-016, MOV-019
    """
    found: list[tuple[str, str]] = []
    for name, here in state.areas.items():
        if here.units:
            owners = {m.power for m in here.markers if m.established and m.marker in CONTROL}
            found += [(name, p) for p in dict.fromkeys(u.power for u in here.units) if p not in owners]
    return found


def _names(state: State, power: str, area: str, kind: str) -> tuple[str, ...]:
    """The Power's units of a kind in the Area by name, heavy ones first."""
    units = [u for u in units_at(state, area) if u.power == power and u.kind == kind]
    return tuple(u.name for u in sorted(units, key=_heavy_first))


def _heavy_first(unit: Unit) -> int:
    return -unit.strength


def _offer(
    play: Play,
    power: str,
    area: str,
    kind: str,
    units: tuple[str, ...],
    options: tuple[str, ...],
    default: Option,
    rules: Rules,
) -> None:
    """Ask where to. Several units may split up: "A3 > gabon"."""
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


def answer_retreat(play: Play, choice: Pending, about: Retreat, answer: tuple[str, ...]) -> None:
    """Retreat as chosen: one place for all, or a place for each unit. The default is always possible.

    Raises: Refusal `bad_answer` where not every unit gets exactly one place, `western_garrison`.
    Rules: CCB-049, CCB-050, CCB-026, STA-048, STA-050 (Decision 35)
    """
    power, area, kind = choice.power, choice.area, about.unit_kind
    units = _names(play.state, power, area, kind)
    if kind == ARMY and answer == default_of(choice):
        # what was free when it was asked may be bound by now, when armies have been lost elsewhere
        _scatter(play, power, area, openings(play.tables, play.state, power, area).nearest(units), choice.rules)
        return
    orders: list[tuple[str, str]] = []
    if len(answer) == 1 and " > " not in answer[0]:
        orders = [(unit, answer[0]) for unit in units]
    else:
        orders = sent(answer)
    if Counter(unit for unit, _ in orders) != Counter(units):
        refuse(
            "bad_answer",
            choice.rules,
            f"Name one place for all of {' '.join(units)}, or one for each of them, such as "
            f"'{units[0]} > {choice.default if isinstance(choice.default, str) else 'home'}'.",
        )
    rules = choice.rules
    if kind == ARMY:
        _check_western(play, power, area, orders)
    for text in dict.fromkeys(text for _, text in orders):
        group = tuple(unit for unit, to in orders if to == text)
        if kind == NAVAL:
            found = harbours(play.tables, play.state, power, area)
            _sail(play, power, area, group, found.get(text) or way_home(found), rules)
        else:
            _march(play, power, area, group, home(power) if text == "home" else text, rules)


def sent(answer: tuple[str, ...]) -> list[tuple[str, str]]:
    """The unit that each part of an answer names, and where it sends it: "A3 > gabon", "A3 tunis > gabon"."""
    return [(text.split()[0], text.split(" > ")[1]) for text in answer if " > " in text]


def _check_western(play: Play, power: str, area: str, orders: list[tuple[str, str]]) -> None:
    """Whether the Western Garrison lets all of these armies go where they are sent, taken together.

    Raises: Refusal `western_garrison`.
    Rules: STA-048, STA-050 (Decision 35)
    """
    zone = western_zone(play.tables)
    out = [to for unit, to in orders if unit == HEAVY_ARMY and to != OWN_HOME and to not in zone]
    if out:
        check_western(play, power, [Unit(power, ARMY, HEAVY)] * len(out), area, out[0])


def _march(play: Play, power: str, area: str, units: tuple[str, ...], place: str, rules: Rules) -> None:
    path = ways(play.tables, play.state, power, area)[place]
    minor = () if power in play.state.powers else ("MIN-058",)
    how: Rules = ("CCB-051",) if place.startswith(HOME) and len(path) == 2 else ("CCB-049",)
    if len(path) > 2:
        how = ("CCB-050",)
    play.emit(ev.UnitsMoved(power=power, units=units, path=path, reason="retreat", rules=(*rules, *how, *minor)))


def _sail(play: Play, power: str, area: str, units: tuple[str, ...], to: tuple[str, str], rules: Rules) -> None:
    place, coast = to
    play.emit(
        ev.UnitsMoved(
            power=power, units=units, path=(area, place), coast=coast, reason="retreat", rules=(*rules, "CCB-026")
        )
    )


def _lose(play: Play, power: str, area: str, units: tuple[str, ...], rules: Rules) -> None:
    minor = () if power in play.state.powers else ("MIN-058",)
    play.emit(
        ev.UnitsLost(power=power, units=units, place=area, reason="no_retreat", rules=(*rules, "CCB-051", *minor))
    )
