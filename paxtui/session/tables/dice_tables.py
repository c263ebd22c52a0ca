"""The dice tables. Each covers every roll exactly once, so that no roll in a game can find nothing."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from paxtui.games.pax.board.tables import Area, MarkerType, Permit, Power, Pressure, RandomEvent, Ratio, UnrestTable
from paxtui.session.tables.board import AreaLists
from paxtui.session.tables.records import TableFiles, TableRecord

DIE = ("1", "2", "3", "4", "5", "6")
PAIRS = tuple(f"{first}-{second}" for first in DIE for second in DIE)
SUMS = tuple(str(total) for total in range(2, 13))
COMBAT_RESULTS = ("E", "AR", "EX", "HX", "DR", "DE")
UNREST_DICE = {"A": 2, "B": 1, "C": 2, "D": 2}
RATIO_COUNT = 9


def _first_missing(wanted: Iterable[str], found: Collection[str]) -> str:
    return next((roll for roll in wanted if roll not in found), "")


def read_colonial_office(files: TableFiles, powers: Mapping[str, Power]) -> dict[str, tuple[int, ...]]:
    """Six amounts for every Power that a player may run."""
    rows = files.csv("colonial_office_income.csv", ("power", *DIE))
    found: dict[str, tuple[int, ...]] = {}
    for record in rows.records:
        power = record.new_known("power", powers, "Power", found)
        found[power] = tuple(record.whole(die) for die in DIE)
    for id, each in powers.items():
        if (each.kind == "minor") == (id in found):
            raise rows.error(f"a row too many or too few for '{id}' (one for each Power but the four Minor ones)")
    return found


def read_combat(files: TableFiles) -> tuple[tuple[Ratio, ...], dict[int, tuple[tuple[str, ...], ...]]]:
    """The ratios from the worst to the best for the attacker, and the results by table, die and ratio."""
    name = "combat_results.csv"
    # The columns are the ratios themselves, so the head has to be read before the rows.
    head = next((line for line in files.texts[name].split("\n") if line.strip() and not line.startswith("#")), "")
    columns = tuple(cell.strip() for cell in head.split(","))
    ratios = tuple(cell for cell in columns if cell not in ("table", "die"))
    rows = files.csv(name, ("table", "die", *ratios))
    parts = [re.fullmatch(r"([1-9][0-9]?)-([1-9][0-9]?)", ratio) for ratio in ratios]
    values = [int(part[1]) / int(part[2]) for part in parts if part]
    if len(values) != len(ratios) or len(values) != RATIO_COUNT or sorted(set(values)) != values:
        raise rows.error(f"ratios are {' '.join(ratios)} ({RATIO_COUNT} like 1-2, from the worst to the best)")
    found: dict[tuple[int, int], tuple[str, ...]] = {}
    for record in rows.records:
        roll = record.whole("table", least=1, most=2), record.whole("die", least=1, most=6)
        if roll in found:
            raise record.error("die", f"table {roll[0]}, die {roll[1]} is there twice (once)")
        found[roll] = tuple(record.text(ratio, one_of=COMBAT_RESULTS) for ratio in ratios)
    if len(found) != 12:
        raise rows.error(f"{len(found)} rows (tables 1 and 2, dice 1 to 6)")
    tables = {table: tuple(found[table, die] for die in range(1, 7)) for table in (1, 2)}
    return tuple(Ratio(int(part[1]), int(part[2])) for part in parts if part), tables


def read_minor_activity(
    files: TableFiles, powers: Mapping[str, Power], areas: Collection[str]
) -> dict[str, dict[int, str]]:
    """The Area of each sum of two dice, by Minor Power in the order in which they act."""
    rows = files.csv("minor_activity.csv", ("power", *SUMS))
    found: dict[str, dict[int, str]] = {}
    for record in rows.records:
        power = record.new_known("power", powers, "Power", found)
        found[power] = {int(total): record.known(total, areas, "Area") for total in SUMS}
    for id, each in powers.items():
        if bool(each.active_on) != (id in found):
            raise rows.error(f"a row too many or too few for '{id}' (one for each Power that can be a Minor Power)")
    return found


def read_unrest(files: TableFiles, areas: Collection[str]) -> dict[str, UnrestTable]:
    """The four Unrest Tables by letter: B has six results, the others 36."""
    rows = files.csv("unrest_tables.csv", ("table", "first_die", "second_die", "area"))
    found: dict[str, dict[str, str]] = {letter: {} for letter in UNREST_DICE}
    for record in rows.records:
        letter = record.text("table", one_of=UNREST_DICE)
        roll = record.text("first_die", one_of=DIE)
        second = record.text("second_die", "", one_of=DIE)
        if bool(second) != (UNREST_DICE[letter] == 2):
            raise record.error("second_die", f"table {letter} is rolled with {UNREST_DICE[letter]} (so many dice)")
        roll = f"{roll}-{second}" if second else roll
        if roll in found[letter]:
            raise record.error("first_die", f"{roll} of table {letter} is there twice (once)")
        found[letter][roll] = record.known("area", areas, "Area")
    for letter, dice in UNREST_DICE.items():
        missing = _first_missing(DIE if dice == 1 else PAIRS, found[letter])
        if missing:
            raise rows.error(f"no result for {missing} of table {letter} (every roll once)")
    return {letter: UnrestTable(letter, dice, found[letter]) for letter, dice in UNREST_DICE.items()}


def read_events(
    files: TableFiles, powers: Mapping[str, Power], markers: Mapping[str, MarkerType], words: AreaLists
) -> dict[str, RandomEvent]:
    """The Random Events by dice ("2-5"), all 36."""
    document = files.toml("random_events.toml")
    records = document.tables("event")
    found: dict[str, RandomEvent] = {}
    for record in records:
        event = _event(record, powers, markers, words)
        if event.dice in found:
            raise record.error("dice", f"{event.dice} is there twice (every pair of dice once)")
        found[event.dice] = event
    document.top.done()
    missing = _first_missing(PAIRS, found)
    if missing:
        raise document.top.error("", f"no event for {missing} (every pair of dice from 1-1 to 6-6 once)")
    for record in records:
        event = found[record.text("dice")]
        for other in event.excludes:
            if other == event.dice or event.dice not in found[other].excludes:
                raise record.error("excludes", f"{event.dice} excludes {other} one way only (both ways, two events)")
    return {dice: found[dice] for dice in PAIRS}


def _event(
    record: TableRecord, powers: Mapping[str, Power], markers: Mapping[str, MarkerType], words: AreaLists
) -> RandomEvent:
    """One result of the Random Events Table."""
    event = RandomEvent(
        dice=record.text("dice", one_of=PAIRS),
        title=record.text("title"),
        says=record.text("says", ""),
        power=record.known("power", powers, "Power", ""),
        tension=record.whole("tension", 0, most=100),
        resentment=record.whole("resentment", 0, most=100),
        office=record.text("office", "", one_of=("double", "halve", "none")),
        spend_at_least=record.whole("spend_at_least", 0),
        spend_on=record.text("spend_on", "units", one_of=("units", "naval")),
        spend_except=record.text("spend_except", "", one_of=("indian_army",)),
        units_at_most=record.whole("units_at_most", -1),
        permit=_permit(record.inner("permit"), powers, words),
        pressure=_pressure(record.inner("pressure"), powers, markers, words),
        casus_belli_against=record.known("casus_belli_against", powers, "Power", ""),
        excludes=record.all_known("excludes", PAIRS, "pair of dice", ()),
        unrest=record.text("unrest", "", one_of=UNREST_DICE),
        with_player=record.known("with_player", powers, "Power", ""),
        extra=record.text("extra", "", one_of=("colonial_expansion",)),
        balkan_war=record.flag("balkan_war", False),
        rules=record.rules(),
    )
    record.done()
    on_a_power = event.office or event.spend_at_least or event.units_at_most >= 0 or event.casus_belli_against
    if on_a_power and not event.power:
        raise record.error("", "the event has effects on a Power but names none (power = ...)")
    if bool(event.extra) != bool(event.with_player):
        raise record.error("extra", "extra and with_player belong together (both, or neither)")
    return event


def _permit(record: TableRecord | None, powers: Collection[str], words: AreaLists) -> Permit | None:
    """The permission of an event, if it gives one."""
    if record is None:
        return None
    areas = words.expand(record, "areas")
    permit = Permit(
        power=record.known("power", powers, "Power"),
        areas=areas,
        at_most=record.whole("at_most", least=1, most=len(areas)),
    )
    record.done()
    return permit


def _pressure(
    record: TableRecord | None, powers: Collection[str], markers: Mapping[str, MarkerType], words: AreaLists
) -> Pressure | None:
    """The demand of an event, if it makes one: a marker that the Power has and the Area may become."""
    if record is None:
        return None
    pressure = Pressure(
        power=record.known("power", powers, "Power"),
        area=record.known("area", words.areas, "Area"),
        marker=record.known("marker", markers, "Status marker"),
        points=record.whole("points", least=1),
    )
    record.done()
    if markers[pressure.marker].only_for not in ("", pressure.power):
        raise record.error("marker", f"'{pressure.power}' has no {pressure.marker} (a marker of that Power)")
    if words.areas[pressure.area].upgrade != pressure.marker:
        raise record.error("area", f"'{pressure.area}' cannot become a {pressure.marker} (see upgrade in areas.csv)")
    return pressure


def read_chinese_armies(files: TableFiles, areas: Mapping[str, Area]) -> dict[int, str]:
    """Read the Area of the Chinese Empire for each sum of two dice."""
    document = files.toml("reconstructed/chinese_army_placement.toml")
    table = document.table("placement")
    found: dict[int, str] = {}
    for total in SUMS:
        area = table.known(total, areas, "Area")
        if areas[area].type != "chinese_empire":
            raise table.error(total, f"'{area}' is not of the Chinese Empire (an Area of it)")
        found[int(total)] = area
    table.done()
    document.top.done()
    return found
