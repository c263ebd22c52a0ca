"""Places by their names and by groups of them, read and said: `kenya, region:near_east`, `coast:black_sea`, `anywhere`.

Rules: TRE-004
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from paxtui.engine.refusal import Refusal
from paxtui.pax.board.tables import HOME, Tables
from paxtui.pax.words.names import Names, index, key, unknown
from paxtui.pax.words.spoken import any_of, place_name, the_zone

EVERYWHERE = "anywhere"
"""Group of all Areas, Sea Zones and Home Countries."""

_GROUP = re.compile(r"\s*(region|list|type|coast)\s*:\s*([^\s:,;]+(?:\s+[^\s:,;]+)*)\s*", re.IGNORECASE)


def in_order(known: Iterable[str], named: Iterable[str]) -> tuple[str, ...]:
    """Ids in the order of their table, each once."""
    wanted = set(named)
    return tuple(id_ for id_ in known if id_ in wanted)


def all_places(tables: Tables) -> tuple[str, ...]:
    """Every place a clause may name, in the order of the tables: Areas, Sea Zones, Home Countries."""
    return (*tables.areas, *tables.sea_zones, *(HOME + p for p in tables.homes))


def listed(tables: Tables, places: Iterable[str], zones: bool) -> tuple[str, ...]:
    """Areas, and Sea Zones where the kind allows them, by their names. Raises: Refusal."""
    return in_order(all_places(tables), (place(tables, p, zones) for p in places))


def place(tables: Tables, text: str, zones: bool, word: int = 0) -> str:
    """An Area, or with `zones` a Sea Zone, by id, name or beginning.

    Raises: Refusal; `cape` for a Cape Zone where Sea Zones may be named.
    Rules: SET-019
    """
    known = index(tables)
    areas = known.areas.among(text)
    if zones and len(areas) != 1:
        if not areas and not known.zones.among(text) and known.zones.kept_out(text):
            name = known.zones.shown[known.zones.kept_out(text)[0]]
            message = f"{name} exists in War only: name the Sea Zones on both sides of it."
            raise Refusal("cape", ("SET-019",), message, position=word)
        seas = known.zones.among(text)
        if len(seas) == 1 and not areas:
            return seas[0]
        if seas:
            ids, shown = {**known.areas.ids, **known.zones.ids}, {**known.areas.shown, **known.zones.shown}
            return Names("an Area or a Sea Zone", ids, shown).find(text, word)
    return known.areas.find(text, word)


def written_out(tables: Tables, text: str, zones: bool, word: int = 0) -> tuple[str, tuple[str, ...]]:
    """Places by names and groups, `kenya, region:near_east`: the words as they are kept ("" without a group), and
    every place.

    Raises: Refusal.
    """
    parts: list[str] = []
    found: list[str] = []
    grouped = False
    for piece, at in _pieces(text, word):
        group = _GROUP.fullmatch(piece)
        if group or key(piece) in ("all", EVERYWHERE):
            what, which = (group[1], group[2]) if group else (piece, "")
            name, members = _group(tables, what, which, zones, at)
            grouped = True
            parts.append(name)
            found += members
            continue
        for one in _one_after_the_other(tables, piece, zones, at):
            parts.append(one)
            found.append(one)
    if not found:
        raise unknown("", "an Area", word=word)
    places = in_order(all_places(tables), found)
    return (", ".join(dict.fromkeys(parts)) if grouped else "", places)


def _pieces(text: str, word: int) -> list[tuple[str, int]]:
    """What stands between commas, with the number of its first word."""
    out = []
    for piece in text.split(","):
        if piece.strip():
            out.append((piece.strip(), word))
        word += len(piece.split())
    return out


def _one_after_the_other(tables: Tables, text: str, zones: bool, word: int) -> list[str]:
    """Places with blanks or `and` between them; the longest name wins. Raises: Refusal."""
    found: list[str] = []
    words = text.split()
    while words:
        if words[0].casefold() == "and" and len(words) > 1:
            words, word = words[1:], word + bool(word)
            continue
        for n in range(min(len(words), 5), 0, -1):
            said = " ".join(words[:n])
            if n == 1:
                found.append(place(tables, said, zones, word))
            elif not _names_one(tables, said, zones):
                continue
            else:
                found.append(place(tables, said, zones, word))
            words, word = words[n:], word + n * bool(word)
            break
    return found


def _names_one(tables: Tables, text: str, zones: bool) -> bool:
    known = index(tables)
    seas = known.zones.among(text) or known.zones.kept_out(text)
    return len(known.areas.among(text)) == 1 or (zones and len(seas) == 1)


def _group(tables: Tables, what: str, name: str, zones: bool, word: int) -> tuple[str, tuple[str, ...]]:
    """A group of places: its word as it is kept, and its members. Raises: Refusal `notation` or `ambiguous`."""
    what = what.casefold()
    if not name:
        if key(what) == EVERYWHERE and zones:
            return EVERYWHERE, all_places(tables)
        return "all", tuple(tables.areas)
    members: dict[str, tuple[str, ...]] = {}
    if what == "list":
        members = {n: tuple(p for p in places if p in tables.areas) for n, places in tables.area_lists.items()}
    elif what == "coast":
        members = {z: tuple(a.id for a in tables.areas.values() if z in a.sea_zones) for z in tables.sea_zones}
    else:
        for area in tables.areas.values():
            own = area.region if what == "region" else area.type
            members[own] = (*members.get(own, ()), area.id)
    members = {n: m for n, m in members.items() if m}
    known = Names(f"a {what} of Areas ({', '.join(members)})", {key(n): n for n in members}, {n: n for n in members})
    found = known.find(name, word)
    return f"{what}:{found}", members[found]


# --- saying them --------------------------------------------------------------------------------------------------


def places_said(tables: Tables, places: tuple[str, ...], region: str) -> str:
    """`any of` some places, by their region or list where they were named so."""
    if not region:
        return any_of([place_name(tables, p) for p in places])
    return any_of([_part_said(tables, part) for part in region.split(", ")])


def _part_said(tables: Tables, part: str) -> str:
    what, colon, name = part.partition(":")
    if part == EVERYWHERE:
        return "any place at all"
    if part == "all":
        return "any Area"
    if not colon:
        return place_name(tables, part)
    if what == "coast":
        return f"any Area on {the_zone(tables, name)}"
    if what == "type":
        return f"any {name.replace('_', ' ').title()} Area"
    return f"any Area of {name.replace('_', ' ').title()}"
