"""Readers of the scoring tables: turn track, record sheet, bonuses, paths, Casus Belli and marker effects."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from paxtui.games.pax.board.tables import (
    ANY_KIND,
    BONUS_KINDS,
    AfricaPath,
    Bonus,
    Cause,
    ControlTest,
    MarkerType,
    Power,
    RecordLine,
    TreatyTest,
    TurnRow,
)
from paxtui.session.tables.board import AreaLists
from paxtui.session.tables.records import TableFiles, TableRecord

YEARS = tuple(range(1880, 1917, 4))
RECORD_LINES = tuple(f"{number:02d}" for number in range(1, 32))
EFFECTS = ("none", "cb_holder", "mutual", "illegal", "removed")
SAME_TURN = "placed_same_turn"
PLAYER_COUNTS = range(2, 9)
"""Numbers of players that a game can have."""


def read_turns(files: TableFiles, powers: Collection[str]) -> tuple[TurnRow, ...]:
    """Read the ten spaces of the Game Turn Track."""
    document = files.toml("reconstructed/game_turn_track.toml")
    turns: list[TurnRow] = []
    for record in document.tables("turn"):
        number = len(turns)
        year = record.whole("year", most=9999)
        if number >= len(YEARS) or year != YEARS[number]:
            raise record.error("year", f"turn {number + 1} is in {year} (ten turns, 1880 to 1916, every four years)")
        fleets = record.all_known("merchant_fleets", powers, "Power")
        turns.append(TurnRow(year, fleets, record.whole("great_war_penalty")))
        record.done()
    document.top.done()
    if len(turns) != len(YEARS):
        raise document.top.error("", f"{len(turns)} turns (ten, 1880 to 1916, every four years)")
    return tuple(turns)


def read_record(files: TableFiles) -> dict[str, RecordLine]:
    """Read the lines of the Administrative Record Sheet, "01" to "31"."""
    rows = files.csv("record_sheet.csv", ("line", "section", "what", "rules"))
    found: dict[str, RecordLine] = {}
    for record in rows.records:
        line = record.text("line", one_of=RECORD_LINES)
        if line in found:
            raise record.error("line", f"line {line} is there twice (once)")
        found[line] = RecordLine(line, record.text("section"), record.text("what"), record.rules())
    missing = [line for line in RECORD_LINES if line not in found]
    if missing:
        raise rows.error(f"no line {missing[0]} (01 to 31)")
    return found


USED_BY_RULES = ("india", "western_garrison")
"""Lists of `area_lists.toml` that the garrison rules use."""


def read_area_lists(files: TableFiles, words: AreaLists) -> None:
    """Add the named lists. Raises: TableError, also if a list that the rules use is missing."""
    top = files.toml("area_lists.toml").top
    words.read_lists(top)
    for name in USED_BY_RULES:
        if name not in words.lists:
            raise top.error(name, f"the list {name} is missing (the ids of its Areas; data/area_lists.toml has it)")


def read_africa_paths(files: TableFiles, words: AreaLists) -> tuple[AfricaPath, ...]:
    """Read the paths across Africa; both ends are among the Areas of the path."""
    document = files.toml("africa_paths.toml")
    paths: dict[str, AfricaPath] = {}
    for record in document.tables("path"):
        path = AfricaPath(
            id=record.new_id("id", paths),
            what=record.text("what"),
            points=record.whole("points", least=1),
            one_end=words.expand(record, "one_end"),
            other_end=words.expand(record, "other_end"),
            through=words.expand(record, "through"),
            rules=record.rules(),
        )
        record.done()
        for key, end in (("one_end", path.one_end), ("other_end", path.other_end)):
            outside = [area for area in end if area not in path.through]
            if outside:
                raise record.error(key, f"'{outside[0]}' is not among the Areas of `through` (both ends are)")
        paths[path.id] = path
    document.top.done()
    return tuple(paths.values())


def read_bonuses(
    files: TableFiles, powers: Mapping[str, Power], words: AreaLists
) -> tuple[tuple[Bonus, ...], tuple[Bonus, ...]]:
    """Read the bonuses per turn, and those at the end."""
    document = files.toml("reconstructed/bonus_victory_points.toml")
    reconstructed = document.top.flag("reconstructed", False)
    if document.top.has("area_lists"):
        words.read_lists(document.table("area_lists"))
    taken: set[tuple[str, str]] = set()
    both: list[tuple[Bonus, ...]] = []
    for key in ("per_turn", "end_of_game"):
        found = []
        for record in document.tables(key, required=False):
            bonus = _bonus(record, powers, words, reconstructed)
            if (bonus.power, bonus.id) in taken:
                raise record.error("id", f"'{bonus.id}' of '{bonus.power}' is given twice (once)")
            taken.add((bonus.power, bonus.id))
            found.append(bonus)
        both.append(tuple(found))
    document.top.done()
    return both[0], both[1]


def _bonus(record: TableRecord, powers: Mapping[str, Power], words: AreaLists, reconstructed: bool) -> Bonus:
    power = record.known("power", [*powers, "each"], "Power")
    bonus = Bonus(
        power=power,
        id=record.new_id("id", ()),
        points=record.whole("points", least=-100, most=100),
        what=record.text("what"),
        when=_control(record.inner("when"), powers, words),
        unless=_control(record.inner("unless"), powers, words),
        per_area_lost=_control(record.inner("per_area_lost"), powers, words),
        treaty=_treaty(record.inner("treaty"), powers, power),
        players=record.choice_of_wholes("players", PLAYER_COUNTS),
        reconstructed=record.flag("reconstructed", reconstructed),
        rules=record.rules(),
    )
    record.done()
    if not (bonus.when or bonus.unless or bonus.per_area_lost or bonus.treaty or bonus.players):
        raise record.error("", "a bonus without a condition (when, unless, per_area_lost, treaty or players)")
    return bonus


def _control(record: TableRecord | None, powers: Collection[str], words: AreaLists) -> ControlTest | None:
    """Condition on Control of Areas, None if there is none."""
    if record is None:
        return None
    areas = words.expand(record, "areas")
    if record.has("not"):
        left_out = words.expand(record, "not")
        areas = tuple(area for area in areas if area not in left_out)
    test = ControlTest(
        by=record.known("by", [*powers, "each", "others", "european_others", "anyone"], "Power"),
        areas=areas,
        at_least=record.whole("at_least", 1, least=1, most=max(1, len(areas))),
        except_start=record.flag("except_start", False),
    )
    record.done()
    return test


def _treaty(record: TableRecord | None, powers: Mapping[str, Power], own: str) -> TreatyTest | None:
    """Condition on Treaties, if any. "european_great_powers" excludes the Power itself and its enemy."""
    if record is None:
        return None
    against = record.known("against", powers, "Power", "")
    partners: dict[str, None] = {}
    for word in record.all_known("partners", [*powers, "european_great_powers"], "Power", ()):
        if word == "european_great_powers":
            partners |= {id: None for id, power in powers.items() if power.european and id not in (own, against)}
        else:
            partners[word] = None
    test = TreatyTest(
        kind=record.text("kind", one_of=(*BONUS_KINDS, ANY_KIND)),
        against=against,
        revealed=record.flag("revealed", True),
        partners=tuple(partners),
        at_most=record.whole("at_most", 0),
    )
    record.done()
    return test


def read_placement_effects(files: TableFiles, markers: Mapping[str, MarkerType]) -> dict[str, dict[str, str]]:
    """Read the effects by placed marker and other marker.

    Each marker that a Power can place has a section, with a key for each marker that can be there.
    """
    document = files.toml("reconstructed/status_marker_placement_effects.toml")
    found: dict[str, dict[str, str]] = {}
    for marker, kind in markers.items():
        if kind.only_for and not document.top.has(marker):
            continue
        table = document.table(marker)
        found[marker] = {other: table.text(other, one_of=EFFECTS) for other in markers}
        if table.has(SAME_TURN):
            found[marker][SAME_TURN] = table.text(SAME_TURN, one_of=EFFECTS)
        table.done()
    document.top.done()
    return found


def read_causes(files: TableFiles, powers: Collection[str], words: AreaLists) -> tuple[Cause, ...]:
    """Read the Casus Belli Summary."""
    document = files.toml("reconstructed/casus_belli.toml")
    causes: dict[str, Cause] = {}
    for record in document.tables("cause"):
        cause = Cause(
            id=record.new_id("id", causes),
            what=record.text("what"),
            rules=record.rules(),
            reconstructed=record.flag("reconstructed", False),
            holder=record.known("holder", powers, "Power", ""),
            areas=words.expand(record, "areas") if record.has("areas") else (),
            start_holders_exempt_in=(
                words.expand(record, "start_holders_exempt_in") if record.has("start_holders_exempt_in") else ()
            ),
        )
        record.done()
        if bool(cause.holder) != bool(cause.areas):
            raise record.error("", "holder and areas belong together (both, or neither)")
        causes[cause.id] = cause
    document.top.done()
    return tuple(causes.values())
