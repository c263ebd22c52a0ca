"""The pieces: Status markers, units, prices, Chinese Resentment, how many there are, where they stand in 1880."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from paxtui.pax.board.tables import (
    HOME,
    Area,
    CounterLimits,
    Home,
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
from paxtui.table.tablefiles.text import Document, Record, Rows

MARKER_COLUMNS = ("id", "name", "sign", "level", "pool", "price", "maintenance", "multiplier", "control", "only_for")
RESENTMENT_COLUMNS = ("placed_in_empire", "placed_in_vassal", "per_phase", "per_phase_sheet")
LEVELS = 5
POOLS = ("round", "hexagon", "state", "dominion")
STRENGTHS = (1, 3, 10)
UNITS = ("army", "naval", "merchant_fleet")


def read_markers(texts: Mapping[str, str], powers: Collection[str]) -> dict[str, MarkerType]:
    """The kinds of Status marker by id, every level of the ladder among them."""
    rows = Rows("status_markers.csv", texts["status_markers.csv"], MARKER_COLUMNS)
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


def read_unit_costs(texts: Mapping[str, str]) -> dict[int, UnitCost]:
    """The prices by strength: 1, 3 and 10."""
    rows = Rows("unit_costs.csv", texts["unit_costs.csv"], ("strength", "army", "naval", "tension"))
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


def read_resentment(texts: Mapping[str, str], markers: Collection[str]) -> dict[str, Resentment]:
    """Chinese Resentment by kind of marker, every kind."""
    rows = Rows("chinese_resentment.csv", texts["chinese_resentment.csv"], ("marker", *RESENTMENT_COLUMNS))
    found: dict[str, Resentment] = {}
    for record in rows.records:
        marker = record.known("marker", markers, "Status marker")
        record.new_id("marker", found)
        found[marker] = Resentment(marker, *(record.whole(column) for column in RESENTMENT_COLUMNS))
    missing = [marker for marker in markers if marker not in found]
    if missing:
        raise rows.error(f"no row for '{missing[0]}' (one for each Status marker)")
    return found


def read_start_markers(
    texts: Mapping[str, str],
    areas: Mapping[str, Area],
    powers: Collection[str],
    markers: Mapping[str, MarkerType],
) -> tuple[StartMarker, ...]:
    """The markers of 1880: one of a Power in an Area, Control of several Powers in a Codominion only."""
    rows = Rows("initial_markers.csv", texts["initial_markers.csv"], ("power", "area", "marker", "codominion"))
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
    texts: Mapping[str, str],
    areas: Mapping[str, Area],
    zones: Mapping[str, SeaZone],
    homes: Mapping[str, Home],
    markers: Mapping[str, MarkerType],
    start_markers: tuple[StartMarker, ...],
) -> tuple[StartUnits, ...]:
    """The units of 1880: at home or under their own Control marker, fleets at sea, coasts where there is a choice."""
    columns = ("power", "place", "unit", "strength", "count", "coast", "only_as_minor")
    rows = Rows("initial_units.csv", texts["initial_units.csv"], columns)
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
    record: Record,
    row: StartUnits,
    areas: Mapping[str, Area],
    zones: Mapping[str, SeaZone],
    homes: Mapping[str, Home],
) -> None:
    """A Naval Unit names its coast in a home of several boxes, and in an Area whose Sea Zones do not hang together."""
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
    """Whether one can sail between all the coasts through those Sea Zones alone."""
    reached = {coasts[0]}
    for _ in coasts:
        reached |= {zone for zone in coasts if reached & set(zones[zone].adjacent)}
    return len(reached) == len(coasts)


def read_counters(
    texts: Mapping[str, str],
    powers: Mapping[str, Power],
    markers: Mapping[str, MarkerType],
    start_units: tuple[StartUnits, ...],
    start_markers: tuple[StartMarker, ...],
    turns: tuple[TurnRow, ...],
) -> tuple[dict[str, CounterLimits], OtherArmies, bool]:
    """The pieces of each Power, not fewer than stand on the map in 1880 or come by the turn track; then the armies
    of Chinese and Ottomans; then whether the table is a reconstruction."""
    file = "reconstructed/counter_limits.toml"
    document = Document(file, texts[file])
    reconstructed = document.top.flag("reconstructed", False)
    table = document.table("counter_limits")
    counters: dict[str, CounterLimits] = {}
    # what a Minor Power alone gets comes from spare counters
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
    return counters, others, reconstructed


def _pieces_of_1880(
    power: str,
    markers: Mapping[str, MarkerType],
    start_units: tuple[StartUnits, ...],
    start_markers: tuple[StartMarker, ...],
    turns: tuple[TurnRow, ...],
) -> Counter[str]:
    """How many pieces of a Power are used by the deployment and the turn track, by field of `CounterLimits`."""
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
