"""Putting a clause right: ids for names, regions written out, and nothing in it that its kind has no use for.

What comes from the notation and what comes as a structure go through the same door, so that a clause always says what
it means: the places are those of its region, the words are clean, every list is in the order of the tables.

Rules: TRE-002, TRE-004 (R-TRE-01)
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NoReturn

from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.pax.board.tables import HOME, Tables
from paxtui.pax.state.congress import VOTES
from paxtui.pax.state.pieces import ARMY, NAVAL
from paxtui.pax.state.treaty import Clause
from paxtui.pax.words.clause_kinds import CONDITIONS, KINDS, LONGEST_NAME, LONGEST_TEXT, Kind
from paxtui.pax.words.free_text import clean
from paxtui.pax.words.names import Names, find_marker, index, key, shorten, unknown
from paxtui.pax.words.order_words import unit_name

EVERYWHERE = "anywhere"
"""Group of all Areas, Sea Zones and Home Countries."""


MOST_UNITS = 20
"""Units that one clause may name."""

_WORTH = 10**6
_GROUP = re.compile(r"\s*(region|list|type|coast)\s*:\s*([^\s:,;]+(?:\s+[^\s:,;]+)*)\s*", re.IGNORECASE)
_NOT_IN_A_NAME = re.compile(r"[:;\"]|(?<!\S)(?:with|as)(?!\S)|(?<!\S)(?:public|secret)$", re.IGNORECASE)
_PLAIN: dict[str, Any] = {
    "power": "",
    "to": "",
    "against": (),
    "places": (),
    "region": "",
    "marker": "",
    "units": (),
    "amount": 0,
    "every_turn": False,
    "turn": 0,
    "until": 0,
    "upon": "",
    "vote": "",
    "text": "",
}
"""Every field but `kind` and `secret`, with what it is when it is not set."""


def put_right(tables: Tables, clause: Clause) -> Clause:
    """The clause as it is kept: with ids, its places written out, its words clean.

    Raises: Refusal `bad_action` for a clause that its kind makes no sense of, `notation` or `ambiguous` for a name.
    """
    kind = KINDS.get(clause.kind)
    if kind is None:
        _wrong(f"There is no kind of clause {shorten(clause.kind)!r}; there are {', '.join(KINDS)}.")
    allowed = {n for need in kind.needs for n in need.split("|")} | set(kind.may)
    for field, plain in _PLAIN.items():
        if getattr(clause, field) != plain and field not in allowed:
            _wrong(f"A clause of the kind {clause.kind} has no use for {field!r}.")
    powers = index(tables).powers
    changes: dict[str, Any] = {
        "power": powers.find(clause.power) if clause.power else "",
        "to": powers.find(clause.to) if clause.to else "",
        "against": in_order(tables.powers, (powers.find(p) for p in clause.against)),
        "units": units(tables, clause),
        "upon": condition(tables, clause.upon) if clause.upon else "",
        "text": clean(clause.text),
    }
    changes["region"], changes["places"] = (
        written_out(tables, clause.region, kind.zones)
        if clause.region
        else ("", _listed(tables, clause.places, kind.zones))
    )
    if clause.marker:
        where = changes["places"][0] if kind.areas and changes["places"] else ""
        changes["marker"] = find_marker(tables, clause.marker, where)
    fixed = replace(clause, **changes)
    _fits(tables, fixed, kind)
    return fixed


def _fits(tables: Tables, clause: Clause, kind: Kind) -> None:
    """Raises: Refusal `bad_action`, when something is missing or out of range."""
    for need in kind.needs:
        if not any(getattr(clause, field) for field in need.split("|")):
            _wrong(f"A clause of the kind {clause.kind} says {need.replace('|', ' or ')!r}: {kind.example}.")
    if kind.areas and len(clause.places) > kind.areas:
        _wrong(f"A clause of the kind {clause.kind} is about one Area.")
    if not 0 <= clause.amount < _WORTH:
        _wrong("Nobody has that much.")
    if not (0 <= clause.turn <= len(tables.turns) and 0 <= clause.until <= len(tables.turns)):
        _wrong(f"A date is a Game Turn from 1 to {len(tables.turns)}.")
    if clause.vote and clause.vote not in VOTES:
        _wrong(f"A vote is {', '.join(VOTES)}.")
    if len(clause.text) > LONGEST_TEXT:
        _wrong(f"A clause in words has {LONGEST_TEXT} characters at most.")
    if clause.kind == "grant" and len(clause.against) > 1:
        _wrong("One Power pays for a marker.")


def in_order(known: Iterable[str], named: Iterable[str]) -> tuple[str, ...]:
    """Ids in the order of their table, each once."""
    wanted = set(named)
    return tuple(id_ for id_ in known if id_ in wanted)


def units(tables: Tables, clause: Clause) -> tuple[str, ...]:
    """The units of a clause: names, or `army` and `naval` for a kind of them; what is to be built keeps its number.

    Raises: Refusal.
    """
    if len(clause.units) > MOST_UNITS:
        _wrong(f"A clause names {MOST_UNITS} units at most.")
    named = [u if u in (ARMY, NAVAL) else unit_name(tables, u) for u in clause.units]
    if clause.kind == "build":
        return tuple(named)
    if {ARMY, NAVAL} <= set(named):
        return ()
    return tuple(sorted(set(named), key=_weight))


def _weight(unit: str) -> tuple[bool, str, int]:
    """Kinds before names, armies before fleets, heavy units before light ones."""
    return unit not in (ARMY, NAVAL), unit[0], -int(unit[1:]) if unit[1:].isdigit() else 0


def named(text: str) -> str:
    """The name of an agreement, clean.

    Raises: Refusal `notation`, when the notation could not say it again.
    """
    name = clean(text)
    if len(name) > LONGEST_NAME:
        raise Refusal("notation", (), f"A name has {LONGEST_NAME} characters at most.", expected="a name")
    if _NOT_IN_A_NAME.search(name):
        raise Refusal(
            "notation",
            (),
            "A name has no colon, semicolon or quotation mark, no 'with' or 'as', nor 'public' or 'secret' at its end.",
            expected="a name",
        )
    return name


# --- places -------------------------------------------------------------------------------------------------------


def all_places(tables: Tables) -> tuple[str, ...]:
    """Every place a clause may name, in the order of the tables: Areas, Sea Zones, Home Countries."""
    return (*tables.areas, *tables.sea_zones, *(HOME + p for p in tables.homes))


def _listed(tables: Tables, places: Iterable[str], zones: bool) -> tuple[str, ...]:
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


# --- conditions and dates -----------------------------------------------------------------------------------------


def condition(tables: Tables, text: str, word: int = 0) -> str:
    """What a clause waits for, with ids: `war POWER [POWER]`, `control POWER AREA`, `unrest AREA`.

    Raises: Refusal.
    """
    head, _, rest = text.strip().partition(" ")
    head, rest = head.casefold(), rest.strip()
    powers, areas = index(tables).powers, index(tables).areas
    at = word + bool(word)
    if head == "unrest":
        return f"unrest {areas.find(rest.removeprefix('in ').strip(), at)}"
    if head in ("war", "control"):
        words = [w for w in re.split(r"[\s,]+", rest) if w]
        for n in range(min(3, len(words)), 0, -1):
            meant = powers.among(" ".join(words[:n]))
            if len(meant) == 1:
                break
        else:
            n = 1
        first = powers.find(" ".join(words[:n]), at)
        left = [w for w in words[n:] if w.casefold() not in ("and", "with", "of", "in")]
        if head == "control":
            return f"control {first} {areas.find(' '.join(left), at + n)}"
        if not left:
            return f"war {first}"
        second = powers.find(" ".join(left), at + n)
        if second == first:
            raise Refusal("notation", (), "A War has two sides.", position=at + n)
        return f"war {first} {second}"
    raise unknown(head, f"what has to happen first ({', '.join(CONDITIONS)})", word=word)


def turn(tables: Tables, word: str, at: int = 0) -> int:
    """The Game Turn of a year, or of its number. Raises: Refusal `notation`."""
    number = int(word) if word.isascii() and word.isdecimal() and len(word) < 6 else 0
    for n, row in enumerate(tables.turns, start=1):
        if row.year == number or n == number:
            return n
    years = ", ".join(str(row.year) for row in tables.turns)
    raise unknown(word, f"a year of a Game Turn ({years})", word=at)


def year(tables: Tables, number: int) -> int:
    """The year in which a Game Turn begins."""
    return tables.turns[number - 1].year


def _wrong(message: str) -> NoReturn:
    raise Refusal("bad_action", (), message)
