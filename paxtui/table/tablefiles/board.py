"""The board: Powers, Sea Zones, Areas, Cape Zones, Home Countries and Overland Routes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping

from paxtui.pax.board.tables import HOME, Area, Cape, Home, Power, SeaZone
from paxtui.table.tablefiles.text import Record, Rows, nearest

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


def read_powers(texts: Mapping[str, str]) -> tuple[dict[str, Power], tuple[str, ...]]:
    """The Powers by id, and those whose Naval Units raise no tension."""
    rows = Rows("powers.csv", texts["powers.csv"], POWER_COLUMNS)
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


def read_sea_zones(texts: Mapping[str, str]) -> dict[str, SeaZone]:
    """The Sea Zones by id."""
    rows = Rows("sea_zones.csv", texts["sea_zones.csv"], ("id", "name", "adjacent"))
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


def read_areas(texts: Mapping[str, str], zones: Collection[str]) -> dict[str, Area]:
    """The Areas by id. That each can be reached is tested with the routes."""
    rows = Rows("areas.csv", texts["areas.csv"], AREA_COLUMNS)
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


def read_capes(texts: Mapping[str, str], zones: Mapping[str, SeaZone]) -> dict[str, Cape]:
    """The Cape Zones by id; each lies between two Sea Zones that are next to each other in peace."""
    rows = Rows("capes.csv", texts["capes.csv"], ("id", "name", "adjacent"))
    capes: dict[str, Cape] = {}
    for record in rows.records:
        id = record.new_id("id", [*capes, *zones])
        adjacent = record.all_known("adjacent", zones, "Sea Zone")
        if len(adjacent) != 2 or adjacent[1] not in zones[adjacent[0]].adjacent:
            raise record.error("adjacent", f"'{id}' is next to {' '.join(adjacent)} (two adjacent Sea Zones)")
        capes[id] = Cape(id=id, name=record.text("name"), adjacent=adjacent)
    return capes


def read_homes(texts: Mapping[str, str], powers: Collection[str], zones: Collection[str]) -> dict[str, Home]:
    """The Home Countries by Power; the boxes open on each of its Sea Zones exactly once."""
    rows = Rows("homes.csv", texts["homes.csv"], ("power", "sea_zones", "boxes"))
    homes: dict[str, Home] = {}
    for record in rows.records:
        power = record.known("power", powers, "Power")
        record.new_id("power", homes)
        sea_zones = record.all_known("sea_zones", zones, "Sea Zone")
        boxes = tuple(tuple(box.split("+")) for box in record.texts("boxes"))
        if sorted(zone for box in boxes for zone in box) != sorted(sea_zones):
            raise record.error("boxes", f"boxes are '{record.text('boxes')}' (each Sea Zone of the home in one box)")
        homes[power] = Home(power=power, sea_zones=sea_zones, boxes=boxes)
    missing = [power for power in powers if power not in homes]
    if missing:
        raise rows.error(f"no Home Country of '{missing[0]}' (one of each Power)")
    return homes


def read_french(texts: Mapping[str, str], powers: Collection[str]) -> dict[str, str]:
    """Names of the Powers in French without accents, by which the delegates of a Congress are seated."""
    rows = Rows("french_names.csv", texts["french_names.csv"], ("power", "name"))
    found: dict[str, str] = {}
    for row in rows.records:
        power = row.known("power", powers, "Power")
        row.new_id("power", found)
        found[power] = row.text("name")
    return found


def read_cities(texts: Mapping[str, str], powers: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Cities after which a Treaty may be called, by Power."""
    rows = Rows("treaty_cities.csv", texts["treaty_cities.csv"], ("power", "cities"))
    found: dict[str, tuple[str, ...]] = {}
    for row in rows.records:
        power = row.known("power", powers, "Power")
        row.new_id("power", found)
        cities = tuple(city.strip() for city in row.text("cities").split(";") if city.strip())
        for city in cities:
            if len(city) > 30 or any(mark in city for mark in ':;"'):
                raise row.error("cities", f"'{city}' is no name (a name of 30 letters at most)")
        found[power] = cities
    return found


def read_routes(
    texts: Mapping[str, str], areas: Mapping[str, Area], powers: Collection[str]
) -> dict[str, tuple[str, ...]]:
    """The Overland Routes from every Area and Home Country, both ways; an Area without any has an empty tuple."""
    rows = Rows("overland_routes.csv", texts["overland_routes.csv"], ("a", "b"))
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


class Words:
    """Lists of Areas in a table: ids, and words for many of them.

    Words: "region:NAME", "type:NAME", "coast:SEA_ZONE", "list:NAME", "next_to:NAME" (Areas joined by one route to one
    of the list, and not in it), "all".

    Args:
        areas: the Areas.
        routes: the Overland Routes.
        lists: the named lists known so far; new ones are added by `read_lists`.
    """

    def __init__(
        self, areas: Mapping[str, Area], routes: Mapping[str, tuple[str, ...]], lists: dict[str, tuple[str, ...]]
    ) -> None:
        self.areas = areas
        self._routes = routes
        self.lists = lists

    def read_lists(self, record: Record) -> None:
        """Add the lists of a TOML table, in their order; a list may name Home Countries too."""
        for key in record.values:
            record.new_key(key, self.lists)
            self.lists[key] = self.expand(record, key, homes=True)

    def expand(self, record: Record, key: str, homes: bool = False) -> tuple[str, ...]:
        """The ids that a field of a record stands for, each once. `homes`: Home Countries are allowed."""
        ids: dict[str, None] = {}
        for word in record.texts(key):
            for id in self._one(record, key, word):
                if id.startswith(HOME) and not homes:
                    raise record.error(key, f"'{id}' is a Home Country (Areas only)")
                ids[id] = None
        if not ids:
            raise record.error(key, f"{key} is empty (one Area at least)")
        return tuple(ids)

    def _one(self, record: Record, key: str, word: str) -> Collection[str]:
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
            raise record.error(key, f"'{word}' stands for no Area ({nearest(word, [*self._routes, 'all'])})")
        return found
