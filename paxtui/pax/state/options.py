"""The options of a game: what the rules leave to the players, and what the editions and rulings differ in. Data only.

In a log's header, in views and in words an option has a text as its value (`yes`, `3`, `sheet`); the help, and what an
edition sets, stand in `data/options.toml` under the same names.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args, get_origin

import msgspec

Value = bool | int | str


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """What a game is played with. Logs that do not name an option, because it came later, have its default."""

    edition: Literal["consolidated", "1993"] = "consolidated"
    fiji_south_pacific: bool = False
    balkan_routes: bool = False
    ottoman_expansion: bool = False
    cri_per_phase: Literal["flat", "sheet"] = "flat"
    counter_limits: Literal["table", "unlimited"] = "table"
    failed_upgrade_keeps_old: bool = True
    ungarrisoned_new_control_becomes_influence: bool = True
    eti_for_lost_garrisons: bool = True
    minor_fresh_protectorate_upgrades: bool = False
    transfer_raises_eti: bool = False
    belgium: bool = False
    unsettled_disputes: Literal["give_way", "removed"] = "give_way"
    granted_control_angers_ottomans: bool = True
    treaty_referee: bool = True
    unwritten_treaties: bool = False
    congress_proposals: Literal[1, 2, 3, 4, 5, 6] = 3
    congress_free_codominion: Literal["anywhere", "disputed"] = "anywhere"
    l547_full_removal: bool = True
    vienna_neutral_for_german_disputes: bool = True
    armies_only: bool = False
    neutral_command: bool = False
    spoils_any_marker: bool = False
    congress_beside_war: bool = False
    passages_denied: Literal["phase_start", "any_time"] = "phase_start"


def _known(kind: object) -> dict[str, Value]:
    """The values of an option by their texts."""
    values: tuple[Value, ...] = get_args(kind) if get_origin(kind) is Literal else (True, False)
    return {text_of(value): value for value in values}


def text_of(value: Value) -> str:
    """A value as it is written and said."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


VALUES: dict[str, dict[str, Value]] = {
    field.name: _known(field.type) for field in msgspec.structs.fields(Options)
}
"""Every option, and its values by their texts."""


def in_texts(options: Options) -> dict[str, str]:
    """All options with their values as texts."""
    return {name: text_of(getattr(options, name)) for name in VALUES}


def of_texts(texts: Mapping[str, object]) -> Options:
    """The options with these values; what is left out has its default.

    Raises: ValueError, when there is no such option or value.
    """
    values: dict[str, Value] = {}
    for name, text in texts.items():
        if name not in VALUES:
            raise ValueError(f"there is no option '{name[:40]}'")
        if not isinstance(text, str) or text not in VALUES[name]:
            raise ValueError(f"option {name} takes {' or '.join(VALUES[name])}")
        values[name] = VALUES[name][text]
    return msgspec.convert(values, type=Options)
