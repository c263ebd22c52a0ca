"""The options of a game. Each field of `Options` declares the values, the default and the texts of one option.

Log headers and views have the texts of the values (`yes`, `3`, `sheet`). `data/options.toml` has defaults of editions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, get_args, get_origin

import msgspec
from msgspec.structs import replace

OptionValue = bool | int | str


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """Description of an option.

    Attributes:
        title: its name for players.
        help: what it changes.
        rules: ids of the rules that it changes.
        meanings: what a value means, by value, where the value itself does not say it.
        id: name of the field in `Options`.
        default: value of a new game.
        values: allowed values. The default comes first if the option is yes or no.
        for_edition: default by edition of the rules, where it differs from `default`.
    """

    title: str
    help: str
    rules: tuple[str, ...]
    meanings: dict[str, str] = {}
    id: str = ""
    default: str = ""
    values: tuple[str, ...] = ()
    for_edition: dict[str, str] = {}

    def meaning(self, value: str) -> str:
        """Return the meaning of a value in a few words."""
        return self.meanings.get(value, value.replace("_", " "))


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """The options of a game. Options that a log does not name have their default."""

    last_turn: Annotated[
        Literal[10, 9, 8, 7, 6, 5, 4, 3, 2, 1],
        Option(
            title="Last Game Turn",
            help="The Game Turn after which the game ends: 10 is 1916, 4 is 1892.",
            rules=("SET-003",),
        ),
    ] = 10
    final_bonus_percent: Annotated[
        Literal[100, 90, 80, 70, 60, 50, 40, 30, 20, 10, 0],
        Option(
            title="Bonuses at the end, in percent",
            help="How much of its bonuses and penalties at the end of the game a Power gets. A short game leaves less "
            "time for them.",
            rules=("VIC-015",),
        ),
    ] = 100
    powers: Annotated[
        Literal["by_number", "any"],
        Option(
            title="Powers with a player",
            help="Which Powers have players: those of the rules for the number of players, or any two to seven.",
            rules=("SET-001", "SET-055"),
            meanings={"by_number": "as many players require", "any": "any two to seven"},
        ),
    ] = "by_number"
    edition: Annotated[
        Literal["consolidated", "1993"],
        Option(
            title="Edition of the rules",
            help="Which text is valid where the editions differ: the consolidated rules, or those of 1993.",
            rules=("SET-007",),
            meanings={"consolidated": "consolidated", "1993": "that of 1993"},
        ),
    ] = "consolidated"
    fiji_south_pacific: Annotated[
        bool,
        Option(
            title="Fiji lies on",
            help="Fiji borders the South Pacific as well as Oceania.",
            rules=("SET-007",),
            meanings={"no": "Oceania", "yes": "Oceania and the South Pacific"},
        ),
    ] = False
    balkan_routes: Annotated[
        bool,
        Option(
            title="Wars in the Balkans change Overland Routes",
            help="Wars in the Balkans (event 1-1) change the Overland Routes of Greece, Serbia, Bulgaria and Anatolia.",
            rules=("SET-008", "SET-009", "SET-010"),
        ),
    ] = False
    ottoman_expansion: Annotated[
        bool,
        Option(
            title="Ottoman expansion into Unrest",
            help="The Ottoman Empire may take a neighbouring Area with unsuppressed Unrest.",
            rules=("EVT-033", "EVT-034", "EVT-035", "EVT-036", "EVT-037", "EVT-038", "EVT-039", "EVT-040", "EVT-041"),
        ),
    ] = False
    cri_per_phase: Annotated[
        Literal["flat", "sheet"],
        Option(
            title="Yearly Chinese Resentment of Control",
            help="Yearly Chinese Resentment of a Control marker in the Empire: always 3, or 3 or 5 by the sheet.",
            rules=("CRI-008",),
            meanings={"flat": "3, whatever its level", "sheet": "3 or 5, by the sheet"},
        ),
    ] = "flat"
    counter_limits: Annotated[
        Literal["table", "unlimited"],
        Option(
            title="Pieces of each Power",
            help="Pieces of each Power: limited by the (reconstructed) table, or without limit.",
            rules=("SET-039",),
            meanings={"table": "as many as in the box", "unlimited": "without limit"},
        ),
    ] = "table"
    failed_upgrade_keeps_old: Annotated[
        bool,
        Option(
            title="After a failed upgrade",
            help="After an upgrade to Control fails in combat, the old marker stays; otherwise it is lost.",
            rules=("CCB-010", "CCB-063"),
            meanings={"yes": "the old marker stays", "no": "the old marker is lost"},
        ),
    ] = True
    ungarrisoned_new_control_becomes_influence: Annotated[
        bool,
        Option(
            title="New Control without an army",
            help="A new Control marker without an Army becomes an Influence at Marker Adjustment; "
            "otherwise it is removed.",
            rules=("STA-015",),
            meanings={"yes": "becomes Influence", "no": "is removed"},
        ),
    ] = True
    eti_for_lost_garrisons: Annotated[
        bool,
        Option(
            title="A lost garrison raises European Tensions",
            help="A Control marker lost because of a missing garrison or missing money raises the European "
            "Tensions, one for each step.",
            rules=("ETI-013", "ETI-037", "STA-038", "SEQ-017", "ADM-020"),
        ),
    ] = True
    minor_fresh_protectorate_upgrades: Annotated[
        bool,
        Option(
            title="A Minor Power's new Protectorate",
            help="A Minor Power's Protectorate of this turn may become a Possession when it suppresses Unrest.",
            rules=("MIN-057",),
            meanings={"no": "stays one this turn", "yes": "may become a Possession"},
        ),
    ] = False
    transfer_raises_eti: Annotated[
        bool,
        Option(
            title="Handing over a marker raises Tensions",
            help="A marker handed over to another Power raises the European Tensions by one.",
            rules=("STA-034", "NEG-011"),
            meanings={"no": "no", "yes": "by one"},
        ),
    ] = False
    belgium: Annotated[
        bool,
        Option(
            title="An eighth player",
            help="An eighth player plays Belgium; all seven Great Powers must have players.",
            rules=("BEL-001", "BEL-002", "BEL-007", "BEL-008", "BEL-013"),
            meanings={"no": "no", "yes": "plays Belgium"},
        ),
    ] = False
    unsettled_disputes: Annotated[
        Literal["give_way", "removed"],
        Option(
            title="Disputes left unsettled",
            help="If the holder of a Casus Belli over markers does nothing before the declarations at the "
            "opening of the War Phase end, its marker is lowered to the best compatible one, or removed.",
            rules=("SEQ-019", "WAR-060", "NEG-006", "NEG-008", "NEG-009", "NEG-010"),
            meanings={"give_way": "the holder's marker is lowered", "removed": "the holder's marker is removed"},
        ),
    ] = "give_way"
    granted_control_angers_ottomans: Annotated[
        bool,
        Option(
            title="Granted Control starts an Ottoman War",
            help="Control in an Ottoman Area that is granted by agreement starts an Ottoman War like any other "
            "Control.",
            rules=("OTT-002", "OTT-036", "STA-025", "NEG-012"),
        ),
    ] = True
    treaty_referee: Annotated[
        bool,
        Option(
            title="Breach of words in a Treaty of two",
            help="If a Treaty has only two signers, the other seats judge whether an article in free words was "
            "broken; otherwise there is no judgment.",
            rules=("TRE-004", "TRE-007"),
            meanings={"yes": "the others judge", "no": "not judged"},
        ),
    ] = True
    unwritten_treaties: Annotated[
        bool,
        Option(
            title="Oral Treaties",
            help="A Treaty can be signed without a written article.",
            rules=("TRE-002", "TRE-003"),
            meanings={"no": "no", "yes": "can be signed"},
        ),
    ] = False
    congress_proposals: Annotated[
        Literal[1, 2, 3, 4, 5, 6],
        Option(
            title="Rounds of proposals at a Congress",
            help="How often the members of a Congress of Europe can make proposals before it fails.",
            rules=("CON-027",),
        ),
    ] = 3
    congress_free_codominion: Annotated[
        Literal["anywhere", "disputed"],
        Option(
            title="A Congress grants Codominions free",
            help="A Congress grants Codominions for free in each Area with Control, or only in disputed Areas (1993).",
            rules=("CON-020", "CON-021"),
            meanings={"anywhere": "in each Area with Control", "disputed": "only in disputed Areas"},
        ),
    ] = "anywhere"
    l547_full_removal: Annotated[
        bool,
        Option(
            title="Undefended markers after a failed Congress",
            help="Markers not defended by War after a failed Congress are removed, or lowered to the best "
            "compatible one.",
            rules=("CON-035", "CON-036"),
            meanings={"yes": "are removed", "no": "are lowered"},
        ),
    ] = True
    vienna_neutral_for_german_disputes: Annotated[
        bool,
        Option(
            title="Vienna hosts Germany's disputes",
            help="Vienna can be the site of a Congress even if Germany is a party to the dispute.",
            rules=("CON-039", "CON-040"),
        ),
    ] = True
    armies_only: Annotated[
        bool,
        Option(
            title="A War ends when one side has",
            help="What ends a War: no Military Unit outside the Home Countries, fleets and Units at sea "
            "too, or no Army Unit in any Area.",
            rules=("WEN-029",),
            meanings={"no": "no Military Unit outside its Home Countries", "yes": "no Army Unit in any Area"},
        ),
    ] = False
    neutral_command: Annotated[
        bool,
        Option(
            title="A Minor Power at War without an ally",
            help="Before a War with a Minor Power without an ally begins, all players can name one neutral to "
            "command it; all must agree.",
            rules=("WAR-058", "WAR-021"),
            meanings={"no": "is commanded by the engine", "yes": "can be commanded by a neutral that all players name"},
        ),
    ] = False
    spoils_any_marker: Annotated[
        bool,
        Option(
            title="Spoils of War may be markers of any Power",
            help="Victors can place markers of any Power in a conquered Area, not only their own.",
            rules=("WEN-054", "WEN-041"),
        ),
    ] = False
    congress_beside_war: Annotated[
        bool,
        Option(
            title="By mail, a Congress during a War",
            help="In mail games, a Congress stays open during a War that will not settle all its disputes. The "
            "Victory Point Record waits for both.",
            rules=("PBM-057", "WAR-046"),
            meanings={"no": "ends before the War begins", "yes": "stays open while the War is fought"},
        ),
    ] = False
    passages_denied: Annotated[
        Literal["phase_start", "any_time"],
        Option(
            title="Canals and straits are denied",
            help="In a War, canals and the straits are denied and opened when it starts and at the start "
            "of a Maneuver Phase, or at any moment.",
            rules=("STR-021",),
            meanings={"phase_start": "at the start of a War or Maneuver Phase", "any_time": "at any moment of a War"},
        ),
    ] = "phase_start"


def option_text(value: OptionValue) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _values(field: msgspec.structs.FieldInfo) -> dict[str, OptionValue]:
    kind = get_args(field.type)[0]
    values = get_args(kind) if get_origin(kind) is Literal else (field.default, not field.default)
    return {option_text(value): value for value in values}


OPTION_VALUES: dict[str, dict[str, OptionValue]] = {f.name: _values(f) for f in msgspec.structs.fields(Options)}
"""All options with their values by text."""

OPTIONS: dict[str, Option] = {
    field.name: replace(
        get_args(field.type)[1],
        id=field.name,
        default=option_text(field.default),
        values=tuple(OPTION_VALUES[field.name]),
    )
    for field in msgspec.structs.fields(Options)
}
"""Descriptions of all options by id."""


def options_to_texts(options: Options) -> dict[str, str]:
    return {name: option_text(getattr(options, name)) for name in OPTION_VALUES}


def options_from_texts(texts: Mapping[str, object]) -> Options:
    """Return options with these values; missing ones have their default.

    Raises:
        ValueError: an option or a value does not exist.
    """
    values: dict[str, OptionValue] = {}
    for name, text in texts.items():
        if name not in OPTION_VALUES:
            raise ValueError(f"there is no option '{name[:40]}'")
        if not isinstance(text, str) or text not in OPTION_VALUES[name]:
            raise ValueError(f"option {name} takes {' or '.join(OPTION_VALUES[name])}")
        values[name] = OPTION_VALUES[name][text]
    return msgspec.convert(values, type=Options)
