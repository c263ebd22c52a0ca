"""Readers of the tables of the board, the pieces and the options.

Powers, Sea Zones, Areas, Cape Zones, Home Countries, routes, markers, units, counters and the setup of 1880.
Option ids and values are fixed, because the code uses them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping

from paxtui.games.pax.board.tables import (
    HOME,
    Area,
    Cape,
    CounterLimits,
    Home,
    MapChange,
    MarkerType,
    OtherArmies,
    Power,
    Resentment,
    SeaZone,
    StartMarker,
    StartUnits,
    TurnRow,
    UnitCost,
)
from paxtui.games.pax.state.options import OPTIONS, Option
from paxtui.session.tables.records import TableFiles, TableRecord, suggest_nearest

POWER_KINDS = ("great", "great_or_minor", "played_by_germany", "minor_or_eighth_player", "minor")
AREA_TYPES = {"independent": 25, "ottoman": 3, "chinese_empire": 15, "chinese_vassal": 4, "unorganized": 57}
UPGRADES = ("state", "dominion")
PASSAGES = ("canal", "suez", "straits")
POWER_COUNT = 12
POWER_COLUMNS = (
    *("id", "name", "letters", "kind", "european", "fleets_raise_tension"),
    *("vp_pounds", "vp_points", "active_on", "seat"),
)
AREA_COLUMNS = ("id", "name", "region", "type", "value", "strength", "sea_zones", "upgrade", "passage")
SEA_ZONE_COUNT = 12


def read_powers(files: TableFiles) -> tuple[dict[str, Power], tuple[str, ...]]:
    """Read the Powers by id, and those whose Naval Units raise no tension."""
    rows = files.csv("powers.csv", POWER_COLUMNS)
    powers: dict[str, Power] = {}
    letters: set[str] = set()
    for record in rows.records:
        power = Power(
            id=record.new_id("id", powers),
            name=record.text("name"),
            letters=record.text("letters"),
            kind=record.text("kind", one_of=POWER_KINDS),
            european=record.flag("european"),
            vp_pounds=record.whole("vp_pounds"),
            vp_points=record.whole("vp_points", least=1),
            active_on=record.whole("active_on", most=6),
            seat=record.text("seat", ""),
        )
        if not re.fullmatch("[A-Z]{2}", power.letters) or power.letters in letters:
            raise record.error("letters", f"letters are '{power.letters}' (two capitals that no other Power has)")
        if power.kind != "minor" and not power.vp_pounds:
            raise record.error("vp_pounds", f"'{power.id}' has no Victory Point divisor (pounds, 1 or more)")
        may_be_minor = power.kind in ("minor", "minor_or_eighth_player", "great_or_minor")
        if may_be_minor != (power.active_on > 0):
            right = "a die from 1 to 6" if may_be_minor else "0, as it is never a Minor Power"
            raise record.error("active_on", f"active_on of '{power.id}' is {power.active_on} ({right})")
        letters.add(power.letters)
        powers[power.id] = power
    for record in rows.records:
        seat = record.known("seat", powers, "Power", "")
        if bool(seat) != (record.text("kind") == "played_by_germany") or (seat and powers[seat].seat):
            raise record.error("seat", f"seat is '{seat}' (for played_by_germany: the Power whose player plays it)")
    if len(powers) != POWER_COUNT:
        raise rows.error(f"{len(powers)} Powers ({POWER_COUNT})")
    silent = tuple(r.text("id") for r in rows.records if not r.flag("fleets_raise_tension"))
    return powers, silent


def read_sea_zones(files: TableFiles) -> dict[str, SeaZone]:
    """Read the Sea Zones by id."""
    rows = files.csv("sea_zones.csv", ("id", "name", "adjacent"))
    zones: dict[str, SeaZone] = {}
    for record in rows.records:
        id = record.new_id("id", zones)
        zones[id] = SeaZone(id=id, name=record.text("name"), adjacent=record.texts("adjacent"))
    for record in rows.records:
        record.all_known("adjacent", zones, "Sea Zone")
    for record in rows.records:
        id = record.text("id")
        for other in zones[id].adjacent:
            if other == id or id not in zones[other].adjacent:
                raise record.error("adjacent", f"'{id}' is next to '{other}' one way only (both ways, two zones)")
    if len(zones) != SEA_ZONE_COUNT:
        raise rows.error(f"{len(zones)} Sea Zones ({SEA_ZONE_COUNT})")
    return zones


def read_areas(files: TableFiles, zones: Collection[str]) -> dict[str, Area]:
    """Read the Areas by id. `read_routes` checks that each is reachable."""
    rows = files.csv("areas.csv", AREA_COLUMNS)
    areas: dict[str, Area] = {}
    for record in rows.records:
        id = record.new_id("id", areas)
        if id in zones:
            raise record.error("id", f"'{id}' is a Sea Zone too (an id of its own)")
        areas[id] = Area(
            id=id,
            name=record.text("name"),
            region=record.text("region"),
            type=record.text("type", one_of=AREA_TYPES),
            value=record.whole("value", most=99),
            strength=record.whole("strength", most=99),
            sea_zones=record.all_known("sea_zones", zones, "Sea Zone", ()),
            upgrade=record.text("upgrade", "", one_of=UPGRADES),
            passage=record.text("passage", "", one_of=PASSAGES),
        )
    counts = Counter(area.type for area in areas.values())
    for type, count in AREA_TYPES.items():
        if counts[type] != count:
            raise rows.error(f"{counts[type]} Areas of type {type} ({count}; {sum(AREA_TYPES.values())} in all)")
    return areas


def read_capes(files: TableFiles, zones: Mapping[str, SeaZone]) -> dict[str, Cape]:
    """Read the Cape Zones by id; each lies between two Sea Zones that are adjacent in peace."""
    rows = files.csv("capes.csv", ("id", "name", "adjacent"))
    capes: dict[str, Cape] = {}
    for record in rows.records:
        id = record.new_id("id", [*capes, *zones])
        adjacent = record.all_known("adjacent", zones, "Sea Zone")
        if len(adjacent) != 2 or adjacent[1] not in zones[adjacent[0]].adjacent:
            raise record.error("adjacent", f"'{id}' is next to {' '.join(adjacent)} (two adjacent Sea Zones)")
        capes[id] = Cape(id=id, name=record.text("name"), adjacent=adjacent)
    return capes


def read_homes(files: TableFiles, powers: Collection[str], zones: Collection[str]) -> dict[str, Home]:
    """Read the Home Countries by Power; each Sea Zone of a Home Country has exactly one box."""
    rows = files.csv("homes.csv", ("power", "sea_zones", "boxes"))
    homes: dict[str, Home] = {}
    for record in rows.records:
        power = record.new_known("power", powers, "Power", homes)
        sea_zones = record.all_known("sea_zones", zones, "Sea Zone")
        boxes = tuple(tuple(box.split("+")) for box in record.texts("boxes"))
        if sorted(zone for box in boxes for zone in box) != sorted(sea_zones):
            raise record.error("boxes", f"boxes are '{record.text('boxes')}' (each Sea Zone of the home in one box)")
        homes[power] = Home(power=power, sea_zones=sea_zones, boxes=boxes)
    missing = [power for power in powers if power not in homes]
    if missing:
        raise rows.error(f"no Home Country of '{missing[0]}' (one of each Power)")
    return homes


def read_french(files: TableFiles, powers: Collection[str]) -> dict[str, str]:
    """Read the French names of the Powers, without accents; they order the seats in a Congress."""
    rows = files.csv("french_names.csv", ("power", "name"))
    found: dict[str, str] = {}
    for row in rows.records:
        power = row.new_known("power", powers, "Power", found)
        found[power] = row.text("name")
    return found


def read_cities(files: TableFiles, powers: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Read the cities for Treaty names, by Power."""
    rows = files.csv("treaty_cities.csv", ("power", "cities"))
    found: dict[str, tuple[str, ...]] = {}
    for row in rows.records:
        power = row.new_known("power", powers, "Power", found)
        cities = tuple(city.strip() for city in row.text("cities").split(";") if city.strip())
        for city in cities:
            if len(city) > 30 or any(mark in city for mark in ':;"'):
                raise row.error("cities", f"'{city}' is not a name (at most 30 letters)")
        found[power] = cities
    return found


def read_routes(files: TableFiles, areas: Mapping[str, Area], powers: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Read the Overland Routes of each Area and Home Country, both ways; an Area without any has an empty tuple."""
    rows = files.csv("overland_routes.csv", ("a", "b"))
    found: dict[str, list[str]] = {place: [] for place in (*areas, *(HOME + power for power in powers))}
    for record in rows.records:
        a, b = (record.known(end, found, "Area or Home Country") for end in ("a", "b"))
        if a == b or b in found[a]:
            raise record.error("a", f"the route {a} - {b} is wrong or there twice (two places, once)")
        found[a].append(b)
        found[b].append(a)
    for id, area in areas.items():
        if not found[id] and not area.sea_zones:
            raise rows.error(f"'{id}' cannot be reached (an Overland Route here, or a Sea Zone in areas.csv)")
    return {place: tuple(ends) for place, ends in found.items()}


class AreaLists:
    """Lists of Areas in a table: ids, and words for groups of them.

    Words: "region:NAME", "type:NAME", "coast:SEA_ZONE", "list:NAME", "next_to:NAME" (Areas one route from the list and
    not in it), "all".

    Args:
        areas: the Areas.
        routes: the Overland Routes.
        lists: the named lists so far; `read_lists` adds new ones.
    """

    def __init__(
        self, areas: Mapping[str, Area], routes: Mapping[str, tuple[str, ...]], lists: dict[str, tuple[str, ...]]
    ) -> None:
        self.areas = areas
        self._routes = routes
        self.lists = lists

    def read_lists(self, record: TableRecord) -> None:
        """Add the lists of a TOML table, in order; a list may include Home Countries."""
        for key in record.values:
            record.check_new_key(key, self.lists)
            self.lists[key] = self.expand(record, key, homes=True)

    def expand(self, record: TableRecord, key: str, homes: bool = False) -> tuple[str, ...]:
        """Return the ids in a field of a record, without duplicates. `homes`: allow Home Countries."""
        ids: dict[str, None] = {}
        for word in record.texts(key):
            for id in self._one(record, key, word):
                if id.startswith(HOME) and not homes:
                    raise record.error(key, f"'{id}' is a Home Country (Areas only)")
                ids[id] = None
        if not ids:
            raise record.error(key, f"{key} is empty (one Area at least)")
        return tuple(ids)

    def _one(self, record: TableRecord, key: str, word: str) -> Collection[str]:
        if word in self._routes:
            return (word,)
        if word == "all":
            return self.areas
        kind, colon, name = word.partition(":")
        listed = self.lists.get(name, ())
        match kind if colon else "":
            case "region":
                found = [id for id, area in self.areas.items() if area.region == name]
            case "type":
                found = [id for id, area in self.areas.items() if area.type == name]
            case "coast":
                found = [id for id, area in self.areas.items() if name in area.sea_zones]
            case "list":
                found = list(listed)
            case "next_to":
                near = {end for place in listed for end in self._routes[place]} - set(listed)
                found = [id for id in self.areas if id in near]
            case _:
                found = []
        if not found:
            raise record.error(key, f"'{word}' is not an Area ({suggest_nearest(word, [*self._routes, 'all'])})")
        return found


def read_options(files: TableFiles) -> dict[str, Option]:
    """Return the options by id, with the defaults and texts of `options.toml`."""
    document = files.toml("options.toml")
    options = dict(OPTIONS)
    for id in document.top.values:
        if id not in OPTIONS:
            raise document.top.error(id, f"the game has no option '{id}' ({suggest_nearest(id, OPTIONS)})")
        known = OPTIONS[id]
        record = document.table(id)
        values = record.all_known("values", known.values, "value", known.values)
        editions = record.inner("for_edition")
        for_edition = {}
        if editions is not None:
            for edition in editions.values:
                if edition not in OPTIONS["edition"].values:
                    raise editions.error(edition, f"there is no edition '{edition}' (consolidated or 1993)")
                for_edition[edition] = editions.text(edition, one_of=values)
        says = record.inner("says")
        for value in () if says is None else says.values:
            if says is not None and value not in values:
                raise says.error(value, f"'{value}' is not a value of {id} ({suggest_nearest(value, values)})")
        options[id] = Option(
            id=id,
            default=record.text("default", known.default, one_of=values or known.values),
            values=values,
            help=record.text("help", known.help),
            rules=record.rules() or known.rules,
            for_edition=for_edition,
            title=record.text("title", known.title),
            meanings=known.meanings if says is None else {v: says.text(v) for v in says.values if says.has(v)},
        )
        record.done()
    return options


MAP_CHANGES = ("route_added", "route_removed", "coast_added")


def read_map_changes(
    files: TableFiles, options: Mapping[str, Option], areas: Mapping[str, Area], zones: Mapping[str, SeaZone]
) -> tuple[MapChange, ...]:
    """Read the changes that options make to the map, in file order."""
    rows = files.csv("map_variants.csv", ("option", "value", "balkan_wars", "change", "a", "b"))
    changes = []
    for record in rows.records:
        option = record.known("option", options, "option")
        change = record.text("change", one_of=MAP_CHANGES)
        changes.append(
            MapChange(
                option=option,
                value=record.text("value", one_of=options[option].values),
                balkan_wars=record.whole("balkan_wars", least=0, most=9),
                change=change,
                a=record.known("a", areas, "Area"),
                b=record.known("b", zones, "Sea Zone") if change == "coast_added" else record.known("b", areas, "Area"),
            )
        )
    return tuple(changes)


MARKER_COLUMNS = ("id", "name", "sign", "level", "pool", "price", "maintenance", "multiplier", "control", "only_for")
RESENTMENT_COLUMNS = ("placed_in_empire", "placed_in_vassal", "per_phase", "per_phase_sheet")
LEVELS = 5
POOLS = ("round", "hexagon", "state", "dominion")
STRENGTHS = (1, 3, 10)
UNITS = ("army", "naval", "merchant_fleet")


def read_markers(files: TableFiles, powers: Collection[str]) -> dict[str, MarkerType]:
    """Read the kinds of Status marker by id, including all levels of the ladder."""
    rows = files.csv("status_markers.csv", MARKER_COLUMNS)
    markers: dict[str, MarkerType] = {}
    for record in rows.records:
        marker = MarkerType(
            id=record.new_id("id", markers),
            name=record.text("name"),
            sign=record.text("sign"),
            level=record.whole("level", least=1, most=LEVELS),
            pool=record.text("pool", one_of=POOLS),
            price=record.whole("price", least=1),
            maintenance=record.whole("maintenance"),
            multiplier=record.whole("multiplier", least=1, most=99),
            control=record.flag("control"),
            only_for=record.known("only_for", powers, "Power", ""),
        )
        if len(marker.sign) != 1:
            raise record.error("sign", f"sign is '{marker.sign}' (one character)")
        markers[marker.id] = marker
    for level in range(1, LEVELS + 1):
        if level not in {marker.level for marker in markers.values()}:
            raise rows.error(f"no Status marker of level {level} (one of each level from 1 to {LEVELS})")
    return markers


def read_unit_costs(files: TableFiles) -> dict[int, UnitCost]:
    """Read the prices by strength: 1, 3 and 10."""
    rows = files.csv("unit_costs.csv", ("strength", "army", "naval", "tension"))
    units: dict[int, UnitCost] = {}
    for record in rows.records:
        strength = record.whole("strength", least=1)
        if strength not in STRENGTHS or strength in units:
            raise record.error("strength", f"strength {strength} is wrong or there twice (1, 3 and 10, once each)")
        units[strength] = UnitCost(
            strength=strength,
            army=record.whole("army", least=1),
            naval=record.whole("naval", least=1),
            tension=record.whole("tension"),
        )
    if len(units) != len(STRENGTHS):
        raise rows.error(f"{len(units)} strengths ({', '.join(map(str, STRENGTHS))})")
    return units


def read_resentment(files: TableFiles, markers: Collection[str]) -> dict[str, Resentment]:
    """Read the Chinese Resentment of each kind of marker."""
    rows = files.csv("chinese_resentment.csv", ("marker", *RESENTMENT_COLUMNS))
    found: dict[str, Resentment] = {}
    for record in rows.records:
        marker = record.new_known("marker", markers, "Status marker", found)
        found[marker] = Resentment(marker, *(record.whole(column) for column in RESENTMENT_COLUMNS))
    missing = [marker for marker in markers if marker not in found]
    if missing:
        raise rows.error(f"no row for '{missing[0]}' (one for each Status marker)")
    return found


def read_start_markers(
    files: TableFiles,
    areas: Mapping[str, Area],
    powers: Collection[str],
    markers: Mapping[str, MarkerType],
) -> tuple[StartMarker, ...]:
    """Read the markers of 1880: one per Power and Area; shared Control only in a Codominion."""
    rows = files.csv("initial_markers.csv", ("power", "area", "marker", "codominion"))
    found: dict[tuple[str, str], StartMarker] = {}
    for record in rows.records:
        row = StartMarker(
            power=record.known("power", powers, "Power"),
            area=record.known("area", areas, "Area"),
            marker=record.known("marker", markers, "Status marker"),
            codominion=record.flag("codominion", False),
        )
        if (row.power, row.area) in found:
            raise record.error("area", f"'{row.power}' has two markers in '{row.area}' (one)")
        kind = markers[row.marker]
        if kind.only_for and kind.only_for != row.power:
            raise record.error("marker", f"a {kind.name} of '{row.power}' (of '{kind.only_for}' only)")
        if kind.level == LEVELS and areas[row.area].upgrade != row.marker:
            raise record.error("marker", f"'{row.area}' cannot be a {kind.name} (an Area with that upgrade)")
        if row.codominion and (not kind.control or kind.level == LEVELS):
            raise record.error("codominion", f"a {kind.name} in a Codominion (Protectorates and Possessions only)")
        found[row.power, row.area] = row
    for record in rows.records:
        here = [row for row in found.values() if row.area == record.text("area")]
        control = [row for row in here if markers[row.marker].control]
        if record.flag("codominion", False) and len(control) < 2:
            raise record.error("codominion", "a Codominion of one (two Powers or more with codominion = yes)")
        if len(control) > 1 and not all(row.codominion for row in control):
            raise record.error("area", f"several Powers control '{control[0].area}' (codominion = yes for all of them)")
    return tuple(found.values())


def read_start_units(
    files: TableFiles,
    areas: Mapping[str, Area],
    zones: Mapping[str, SeaZone],
    homes: Mapping[str, Home],
    markers: Mapping[str, MarkerType],
    start_markers: tuple[StartMarker, ...],
) -> tuple[StartUnits, ...]:
    """Read the units of 1880: at home, under own Control, or at sea; with a coast if there are several."""
    columns = ("power", "place", "unit", "strength", "count", "coast", "only_as_minor")
    rows = files.csv("initial_units.csv", columns)
    controlled = {(row.power, row.area) for row in start_markers if markers[row.marker].control}
    fleets: set[tuple[str, str]] = set()
    found = []
    for record in rows.records:
        row = StartUnits(
            power=record.known("power", homes, "Power"),
            place=record.text("place"),
            unit=record.text("unit", one_of=UNITS),
            strength=record.whole("strength", 0),
            count=record.whole("count", least=1, most=99),
            coast=record.known("coast", zones, "Sea Zone", ""),
            only_as_minor=record.flag("only_as_minor"),
        )
        if row.unit == "merchant_fleet":
            record.known("place", zones, "Sea Zone")
            if row.strength or row.count != 1 or (row.power, row.place) in fleets:
                raise record.error("count", "a Merchant Fleet with strength or company (no strength, alone)")
            fleets.add((row.power, row.place))
        elif row.strength not in STRENGTHS:
            raise record.error("strength", f"strength is '{row.strength}' (1, 3 or 10)")
        elif row.place != HOME + row.power:
            record.known("place", areas, "Area or home of its own")
            if (row.power, row.place) not in controlled:
                raise record.error("place", f"'{row.power}' does not control '{row.place}' (a marker of its own there)")
        _check_coast(record, row, areas, zones, homes)
        found.append(row)
    return tuple(found)


def _check_coast(
    record: TableRecord,
    row: StartUnits,
    areas: Mapping[str, Area],
    zones: Mapping[str, SeaZone],
    homes: Mapping[str, Home],
) -> None:
    """Require a coast for Naval Units in homes with several boxes and Areas on unconnected Sea Zones."""
    if row.unit != "naval":
        if row.coast:
            raise record.error("coast", f"an {row.unit} with a coast (Naval Units only)")
        return
    at_home = row.place == HOME + row.power
    coasts = homes[row.power].sea_zones if at_home else areas[row.place].sea_zones
    if not coasts:
        raise record.error("place", f"a Naval Unit in '{row.place}' (a Coastal Area)")
    several = len(homes[row.power].boxes) > 1 if at_home else not _connected(coasts, zones)
    if (several and not row.coast) or (row.coast and row.coast not in coasts):
        raise record.error("coast", f"coast is '{row.coast}' (one of: {', '.join(coasts)})")


def _connected(coasts: tuple[str, ...], zones: Mapping[str, SeaZone]) -> bool:
    """Whether ships can sail between all the coasts through these Sea Zones alone."""
    reached = {coasts[0]}
    for _ in coasts:
        reached |= {zone for zone in coasts if reached & set(zones[zone].adjacent)}
    return len(reached) == len(coasts)


def read_counters(
    files: TableFiles,
    powers: Mapping[str, Power],
    markers: Mapping[str, MarkerType],
    start_units: tuple[StartUnits, ...],
    start_markers: tuple[StartMarker, ...],
    turns: tuple[TurnRow, ...],
) -> tuple[dict[str, CounterLimits], OtherArmies]:
    """Read the pieces of each Power, and the Chinese and Ottoman armies.

    There are at least as many pieces as the map of 1880 and the turn track use.
    """
    document = files.toml("reconstructed/counter_limits.toml")
    table = document.table("counter_limits")
    counters: dict[str, CounterLimits] = {}
    # pieces that only a Minor Power gets are spare counters
    played = tuple(row for row in start_units if not row.only_as_minor)
    for power in table.values:
        if power not in powers:
            raise table.error(power, f"there is no Power '{power}' (one of: {', '.join(powers)})")
        record = table.inner(power)
        assert record is not None  # the key is there
        tens, threes, ones = record.wholes("unit", 3)
        pools = {pool: record.whole(pool, 0) for pool in (*POOLS, "merchant_fleet")}
        record.done()
        counters[power] = CounterLimits(tens=tens, threes=threes, ones=ones, **pools)
        for piece, needed in _pieces_of_1880(power, markers, played, start_markers, turns).items():
            there = getattr(counters[power], piece)
            if there < needed:
                raise record.error("", f"'{power}' has {there} pieces '{piece}' ({needed} at least, as many are used)")
    missing = [power for power in powers if power not in counters]
    if missing:
        raise table.error("", f"no limits for '{missing[0]}' (one line for each Power)")
    armies = document.table("other_armies")
    others = OtherArmies(strength=armies.whole("strength", least=1), count=armies.whole("count", least=1))
    armies.done()
    document.top.done()
    return counters, others


def _pieces_of_1880(
    power: str,
    markers: Mapping[str, MarkerType],
    start_units: tuple[StartUnits, ...],
    start_markers: tuple[StartMarker, ...],
    turns: tuple[TurnRow, ...],
) -> Counter[str]:
    """Number of a Power's pieces in the deployment and the turn track, by field of `CounterLimits`."""
    needed: Counter[str] = Counter()
    by_strength = {10: "tens", 3: "threes", 1: "ones", 0: "merchant_fleet"}
    for units in start_units:
        if units.power == power:
            needed[by_strength[units.strength]] += units.count
    for marker in start_markers:
        if marker.power == power:
            needed[markers[marker.marker].pool] += 1
    needed["merchant_fleet"] += sum(turn.merchant_fleets.count(power) for turn in turns)
    return needed
