"""Loads and checks the tables of the game from `data/`, with optional replacement files of the player.

`replaced_tables` and `load_tables_from_header` store the replaced files in the header of a log, so that a game does not
depend on a directory later. `load_rules` reads the rule reference.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path

import msgspec

from paxtui.games.pax.board.tables import PredictionWeights, Rule, Tables
from paxtui.session.tables import board, dice_tables, scoring
from paxtui.session.tables.records import (
    TABLE_FILES,
    TableError,
    TableFiles,
    canonical_name,
    replacement_texts,
    shipped_text,
)

_RULES_FILE = "rules.tsv"
PREDICTION_FILE = "prediction.json"
"""Weights with which bots predict results. No table of the game: a log never contains them."""
_RULE_FIELDS = 8
MOST_SETS = 8
"""Maximum number of table sets kept in memory; games with the same tables share them."""


def load_tables(replacements: Path | None = None) -> Tables:
    """Load all tables of a game.

    Args:
        replacements: a directory of files that replace shipped ones of the same name, or None. Equal sets are loaded
            once per process.

    Raises:
        TableError: a file is invalid, refers to an unknown item, or lacks the result of a roll; or the directory
            contains
            a file that replaces nothing.
    """
    return load_tables_from_header(replaced_tables(replacements))


def replaced_tables(replacements: Path | None) -> dict[str, str]:
    """Return the files in a directory that differ from the shipped ones, by name in `data/`, for a log header.

    Raises:
        TableError: the directory or a file in it cannot be used.
    """
    return {} if replacements is None else replacement_texts(replacements)


def load_tables_from_header(texts: Mapping[str, str]) -> Tables:
    """Load all tables of a game whose log contains replaced files.

    Args:
        texts: result of `replaced_tables`, by name in `data/`; may be empty.

    Raises:
        TableError: as in `load_tables`.
    """
    return _read_tables(tuple(sorted((canonical_name(name), text) for name, text in texts.items())))


RECONSTRUCTED = {
    "turns": "reconstructed/game_turn_track.toml",
    "chinese_armies": "reconstructed/chinese_army_placement.toml",
    "counters": "reconstructed/counter_limits.toml",
    "bonuses_per_turn": "reconstructed/bonus_victory_points.toml",
    "bonuses_at_end": "reconstructed/bonus_victory_points.toml",
    "placement_effects": "reconstructed/status_marker_placement_effects.toml",
    "causes": "reconstructed/casus_belli.toml",
}
"""Fields of `Tables` that can be reconstructions, with their files."""


@lru_cache(maxsize=MOST_SETS)
def _read_tables(texts: tuple[tuple[str, str], ...]) -> Tables:
    """Read and check all tables, each after the tables it refers to. Args: names and texts of replaced files."""
    replaced = dict(texts)
    files = TableFiles({name: replaced[name] if name in replaced else shipped_text(name) for name in TABLE_FILES})
    powers, tension_without = board.read_powers(files)
    zones = board.read_sea_zones(files)
    areas = board.read_areas(files, zones)
    capes = board.read_capes(files, zones)
    homes = board.read_homes(files, powers, zones)
    routes = board.read_routes(files, areas, powers)
    words = board.AreaLists(areas, routes, {})
    scoring.read_area_lists(files, words)

    markers = board.read_markers(files, powers)
    start_markers = board.read_start_markers(files, areas, powers, markers)
    options = board.read_options(files)
    start_units = board.read_start_units(files, areas, zones, homes, markers, start_markers)
    turns = scoring.read_turns(files, powers)
    counters, other_armies = board.read_counters(files, powers, markers, start_units, start_markers, turns)
    ratios, combat = dice_tables.read_combat(files)
    minor_activity = dice_tables.read_minor_activity(files, powers, areas)
    chinese_armies = dice_tables.read_chinese_armies(files, areas)
    bonuses_per_turn, bonuses_at_end = scoring.read_bonuses(files, powers, words)
    placement_effects = scoring.read_placement_effects(files, markers)
    causes = scoring.read_causes(files, powers, words)
    return Tables(
        areas=areas,
        sea_zones=zones,
        capes=capes,
        homes=homes,
        routes=routes,
        powers=powers,
        markers=markers,
        units=board.read_unit_costs(files),
        resentment=board.read_resentment(files, markers),
        colonial_office=dice_tables.read_colonial_office(files, powers),
        ratios=ratios,
        combat=combat,
        minor_activity=minor_activity,
        minor_order=tuple(minor_activity),
        unrest=dice_tables.read_unrest(files, areas),
        events=dice_tables.read_events(files, powers, markers, words),
        start_units=start_units,
        start_markers=start_markers,
        record=scoring.read_record(files),
        turns=turns,
        chinese_armies=chinese_armies,
        counters=counters,
        area_lists=words.lists,
        bonuses_per_turn=bonuses_per_turn,
        bonuses_at_end=bonuses_at_end,
        africa_paths=scoring.read_africa_paths(files, words),
        placement_effects=placement_effects,
        causes=causes,
        options=options,
        map_changes=board.read_map_changes(files, options, areas, zones),
        tension_without=tension_without,
        reconstructed=tuple(field for field, file in RECONSTRUCTED.items() if file in files.reconstructed),
        replaced=tuple(sorted(replaced)),
        other_armies=other_armies,
        treaty_cities=board.read_cities(files, powers),
        french_names=board.read_french(files, powers),
        prediction=msgspec.json.decode(shipped_text(PREDICTION_FILE), type=PredictionWeights),
    )


@cache
def load_rules() -> dict[str, Rule]:
    """Load the rule reference by id, in catalogue order. Separate from `load_tables` to speed up the start.

    Raises:
        TableError: the file is invalid.
    """
    rules: dict[str, Rule] = {}
    for number, line in enumerate(shipped_text(_RULES_FILE).split("\n"), 1):
        if number == 1 or not line:
            continue
        fields = line.split("\t")
        if len(fields) != _RULE_FIELDS:
            raise TableError(_RULES_FILE, number, f"{len(fields)} fields ({_RULE_FIELDS}, separated by tabs)")
        if fields[0] in rules:
            raise TableError(_RULES_FILE, number, f"'{fields[0]}' is given twice (each rule once)")
        rules[fields[0]] = Rule(*fields[:7])
    return rules
