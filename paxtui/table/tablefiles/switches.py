"""The options of a game. Unlike the other tables their ids and values are known to the code, so they are fixed."""

from __future__ import annotations

from collections.abc import Mapping

from paxtui.pax.board.tables import Area, MapChange, Option, SeaZone
from paxtui.pax.state.options import VALUES
from paxtui.table.tablefiles.text import Document, Rows, nearest


def read_options(texts: Mapping[str, str]) -> dict[str, Option]:
    """The options by id, with defaults among their values."""
    document = Document("options.toml", texts["options.toml"])
    options: dict[str, Option] = {}
    for id in document.top.values:
        if id not in VALUES:
            raise document.top.error(id, f"the game has no option '{id}' ({nearest(id, VALUES)})")
    for id, known in VALUES.items():
        record = document.table(id)
        values = record.all_known("values", known, "value")
        editions = record.inner("for_edition")
        for_edition = {}
        if editions is not None:
            for edition in editions.values:
                if edition not in VALUES["edition"]:
                    raise editions.error(edition, f"there is no edition '{edition}' (consolidated or 1993)")
                for_edition[edition] = editions.text(edition, one_of=values)
        says = record.inner("says")
        for value in () if says is None else says.values:
            if says is not None and value not in values:
                raise says.error(value, f"'{value}' is no value of {id} ({nearest(value, values)})")
        options[id] = Option(
            id=id,
            default=record.text("default", one_of=values or tuple(known)),
            values=values,
            help=record.text("help"),
            rules=record.rules(),
            for_edition=for_edition,
            title=record.text("title", ""),
            says={} if says is None else {value: says.text(value) for value in says.values if says.has(value)},
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
