"""The switches of a game. Unlike the other tables their ids and values are known to the code, so they are fixed."""

from __future__ import annotations

from collections.abc import Mapping

from paxtui.pax.board.tables import Area, MapChange, Option, SeaZone
from paxtui.table.tablefiles.text import Document, Rows, nearest

YES_NO = frozenset({"yes", "no"})
SWITCHES: dict[str, frozenset[str]] = {
    "edition": frozenset({"consolidated", "1993"}),
    "fiji_south_pacific": YES_NO,
    "balkan_routes": YES_NO,
    "ottoman_expansion": YES_NO,
    "cri_per_phase": frozenset({"flat", "sheet"}),
    "counter_limits": frozenset({"table", "unlimited"}),
    "failed_upgrade_keeps_old": YES_NO,
    "ungarrisoned_new_control_becomes_influence": YES_NO,
    "eti_for_lost_garrisons": YES_NO,
    "minor_fresh_protectorate_upgrades": YES_NO,
    "transfer_raises_eti": YES_NO,
    "belgium": YES_NO,
    "treaty_referee": YES_NO,
    "congress_proposals": frozenset({"1", "2", "3", "4", "5", "6"}),
    "congress_free_codominion": frozenset({"anywhere", "disputed"}),
    "l547_full_removal": YES_NO,
    "vienna_neutral_for_german_disputes": YES_NO,
    "unwritten_treaties": YES_NO,
    "negotiation_deadline": frozenset({"off", "5", "10", "15", "30", "60", "120", "1440", "4320", "10080"}),
    "unsettled_disputes": frozenset({"give_way", "removed"}),
    "granted_control_angers_ottomans": YES_NO,
}
"""The switches that the rules ask for, and the values they know."""


def read_options(texts: Mapping[str, str]) -> dict[str, Option]:
    """The options by id, with defaults among their values."""
    document = Document("options.toml", texts["options.toml"])
    options: dict[str, Option] = {}
    for id in document.top.values:
        if id not in SWITCHES:
            raise document.top.error(id, f"the game has no option '{id}' ({nearest(id, SWITCHES)})")
    for id, known in SWITCHES.items():
        record = document.table(id)
        values = record.all_known("values", known, "value")
        editions = record.inner("for_edition")
        for_edition = {}
        if editions is not None:
            for edition in editions.values:
                if edition not in SWITCHES["edition"]:
                    raise editions.error(edition, f"there is no edition '{edition}' (consolidated or 1993)")
                for_edition[edition] = editions.text(edition, one_of=values)
        options[id] = Option(
            id=id,
            default=record.text("default", one_of=values or known),
            values=values,
            help=record.text("help"),
            rules=record.rules(),
            for_edition=for_edition,
        )
        record.done()
    return options


MAP_CHANGES = ("route_added", "route_removed", "coast_added")


def read_map_changes(
    texts: Mapping[str, str], options: Mapping[str, Option], areas: Mapping[str, Area], zones: Mapping[str, SeaZone]
) -> tuple[MapChange, ...]:
    """What options redraw on the map, in the order of the file."""
    rows = Rows("map_variants.csv", texts["map_variants.csv"], ("option", "value", "balkan_wars", "change", "a", "b"))
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
