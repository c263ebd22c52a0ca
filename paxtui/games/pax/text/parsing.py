"""Parsing of names, places, units and Game Turns in orders.

Names match by id, by name, or by any unique beginning. Case, blanks, hyphens, underscores, apostrophes and accents are
ignored. A place of a path is an Area, a Sea Zone, or a Power's name for its Home Country; `home` is the acting Power's
own. Groups of places: `kenya, region:near_east`, `coast:black_sea`, `anywhere`.

Rules: TRE-004
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches

import msgspec

from paxtui.engine.free_text import check_stacks, clean_text
from paxtui.engine.refusal import Refusal
from paxtui.games.pax.board.caching import cached
from paxtui.games.pax.board.tables import HOME, Tables
from paxtui.games.pax.state.pieces import OTTOMAN_EMPIRE
from paxtui.games.pax.text.display import join_with_or, place_name, the_zone

EMPIRE_NAMES = {OTTOMAN_EMPIRE: "Ottoman Empire"}
"""The party to disputes and Wars that is no Power, with its name."""

HOME_WORD = "home"
"""Word for the acting Power's Home Country in a path."""

_MAX_SHOWN_LENGTH = 60  # no name is longer; what is goes into no message and no comparison in full

_DROPPED = str.maketrans("", "", " _-'’.\t")


def fold_name(text: str) -> str:
    """Return `text` for comparison: case-folded, without accents and separators."""
    plain = text.translate(_DROPPED)
    if not plain.isascii():
        plain = "".join(c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c))
    return plain.casefold()


class NameTable(msgspec.Struct, frozen=True):
    """All names of one kind: `ids` maps folded names to ids, `shown` ids to display names.

    `closed` maps names to ids that a rule excludes. They match only if no other name does, so that the rule can refuse.
    """

    what: str
    ids: dict[str, str]
    shown: dict[str, str]
    closed: dict[str, str] = {}

    def among(self, text: str) -> tuple[str, ...]:
        """Return the ids that `text` may mean: an exact match, or all with this beginning."""
        return _matching_ids(self.ids, text)

    def kept_out(self, text: str) -> tuple[str, ...]:
        """Return the excluded ids that `text` may mean."""
        return _matching_ids(self.closed, text)

    def nearest(self, text: str) -> str:
        """Return the most similar display name, "" if none is similar."""
        close = get_close_matches(fold_name(text)[:_MAX_SHOWN_LENGTH], self.ids, n=1, cutoff=0.55)
        return self.shown[self.ids[close[0]]] if close else ""

    def find(self, text: str, word: int = 0) -> str:
        """Return the id that `text` means, an excluded one only if no other matches.

        Args:
            word: number of its first word in the order, from 1, for the message.

        Raises:
            Refusal: `notation` for no match, `ambiguous` for several.
        """
        found = self.among(text) or self.kept_out(text)
        if len(found) == 1:
            return found[0]
        if found:
            raise ambiguous_name(text, self.what, [self.shown[f] for f in found], word)
        raise unknown_name(text, self.what, self.nearest(text), word)


def _matching_ids(ids: dict[str, str], text: str) -> tuple[str, ...]:
    wanted = fold_name(text)
    found = ids.get(wanted)
    if found is not None:
        return (found,)
    if not wanted:
        return ()
    return tuple(dict.fromkeys(id_ for name, id_ in ids.items() if name.startswith(wanted)))


class NameIndex(msgspec.Struct, frozen=True):
    """The names of one set of tables by kind."""

    areas: NameTable
    zones: NameTable
    powers: NameTable
    parties: NameTable  # Powers, and the Ottoman Empire, which may be party to a dispute
    markers: NameTable
    places: NameTable  # Areas, Sea Zones, and Home Countries under their Powers' names


@cached(most=4, by=lambda tables: ((), (tables,)))
def name_index(tables: Tables) -> NameIndex:
    """Return the names of `tables`."""
    areas = {a.id: a.name for a in tables.areas.values()}
    zones = {z.id: z.name for z in tables.sea_zones.values()}
    capes = {c.id: c.name for c in tables.capes.values()}
    powers = {p.id: p.name for p in tables.powers.values()}
    kinds = {m.id: m.name for m in tables.markers.values()}
    homes = {HOME + p: powers[p] for p in tables.homes}
    letters = {fold_name(p.letters): p.id for p in tables.powers.values()}
    area_names, zone_names, power_names = _folded_names(areas), _folded_names(zones), _folded_names(powers)
    place_names = {**area_names, **zone_names, fold_name(HOME_WORD): HOME_WORD}
    for name, power in power_names.items():
        if HOME + power in homes:
            place_names.setdefault(name, HOME + power)
            place_names[HOME + name] = HOME + power
    return NameIndex(
        areas=NameTable("an Area", area_names, areas),
        zones=NameTable("a Sea Zone", zone_names, {**zones, **capes}, _folded_names(capes)),
        powers=NameTable("a Power", {**letters, **power_names}, powers),
        parties=NameTable(
            "a Power",
            {**letters, **power_names, **_folded_names(EMPIRE_NAMES), "ottomans": OTTOMAN_EMPIRE},
            {**powers, **EMPIRE_NAMES},
        ),
        markers=NameTable("a Status marker", _folded_names(kinds), {m: m for m in kinds}),
        places=NameTable(
            "a place", place_names, {**areas, **zones, **homes, **capes, HOME_WORD: HOME_WORD}, _folded_names(capes)
        ),
    )


def _folded_names(named: dict[str, str]) -> dict[str, str]:
    out = {fold_name(name): id_ for id_, name in named.items()}
    out.update({fold_name(id_): id_ for id_ in named})
    return out


def marker_kinds(tables: Tables, text: str) -> tuple[str, ...]:
    """Return the kinds of marker that a word may mean, by id, sign or beginning."""
    by_sign = tuple(m.id for m in tables.markers.values() if m.sign == text.strip())
    return by_sign or name_index(tables).markers.among(text)


def find_marker(tables: Tables, text: str, area: str = "", word: int = 0) -> str:
    """Return the kind of marker that a word means; `area` decides between kinds that share a sign.

    Raises:
        Refusal: `notation` or `ambiguous`.
    """
    kinds = marker_kinds(tables, text)
    if len(kinds) > 1 and area:
        able = tuple(k for k in kinds if k == tables.areas[area].upgrade)
        kinds = able if len(able) == 1 else kinds
    if len(kinds) == 1:
        return kinds[0]
    if kinds:
        raise ambiguous_name(text, "a Status marker", kinds, word)
    names = name_index(tables).markers
    raise unknown_name(text, f"a Status marker ({', '.join(tables.markers)})", names.nearest(text), word)


def expand_home(path: tuple[str, ...], power: str) -> tuple[str, ...]:
    """Replace `home` in a path by the acting Power's Home Country."""
    if HOME_WORD not in path or not power:
        return path
    return tuple(HOME + power if place == HOME_WORD else place for place in path)


def place_text(place: str, power: str = "") -> str:
    """Return a place of a path in the notation; `power` is the acting Power, whose Home Country is `home`."""
    if not place.startswith(HOME):
        return place
    return HOME_WORD if place == HOME + power else place[len(HOME) :]


def ambiguous_name(text: str, what: str, candidates: Iterable[str], word: int = 0) -> Refusal:
    """Return the refusal of an ambiguous beginning."""
    names = list(candidates)
    shown = ", ".join(names[:8]) + (", ..." if len(names) > 8 else "")
    message = f"{_at(word)}'{shorten(text)}' could be {shown}; write more letters to name {what}."
    return Refusal("ambiguous", (), message, position=word, candidates=names)


def unknown_name(text: str, what: str, near: str = "", word: int = 0) -> Refusal:
    """Return the refusal of an unknown name."""
    hint = f" Did you mean {near}?" if near else ""
    if not text.strip():
        return Refusal("notation", (), f"{_at(word)}{what} is expected here.", position=word, expected=what)
    message = f"{_at(word)}{what} is expected here, not '{shorten(text)}'.{hint}"
    return Refusal("notation", (), message, position=word, expected=what, near=near)


def shorten(text: str) -> str:
    """Shorten `text` for a message."""
    text = " ".join(text.split())
    return text if len(text) <= _MAX_SHOWN_LENGTH else text[:_MAX_SHOWN_LENGTH] + "..."


def _at(word: int) -> str:
    return f"Word {word}: " if word else ""


def parse_turn(tables: Tables, word: str, at: int = 0) -> int:
    """Return the Game Turn of a year, or of its number.

    Raises:
        Refusal: `notation`.
    """
    number = int(word) if word.isascii() and word.isdecimal() and len(word) < 6 else 0
    for n, row in enumerate(tables.turns, start=1):
        if row.year == number or n == number:
            return n
    years = ", ".join(str(row.year) for row in tables.turns)
    raise unknown_name(word, f"a year of a Game Turn ({years})", word=at)


def turn_year(tables: Tables, number: int) -> int:
    """Return the first year of a Game Turn."""
    return tables.turns[number - 1].year


MAX_UNITS = 200
"""Maximum number of units in an order."""

_UNITS = re.compile(r"(?:(\d{1,3})(?:\s*[x×*]\s*|\s+)?)?((?:[an]\d{1,3})+)(?:[\s,;]+|$)", re.IGNORECASE | re.ASCII)
"""Units with an optional count: A10, A10A3, 8A1, 8 A1, 8xA1, 8 x A1."""
_ONE_UNIT = re.compile(r"[an]\d{1,3}", re.IGNORECASE | re.ASCII)
_WORD = re.compile(r"\S+")


class WordReader:
    """Reads the words of an order after its verb; words are numbered from 1 in the whole order."""

    def __init__(self, tables: Tables, text: str, first: int) -> None:
        self.tables = tables
        self.text = text.strip()
        self.first = first

    @property
    def words(self) -> list[str]:
        """The remaining words."""
        return _WORD.findall(self.text)

    def take(self, expected: str) -> str:
        """Return the next word.

        Raises:
            Refusal: `notation`, if there is none.
        """
        found = _WORD.match(self.text)
        if found is None:
            raise unknown_name("", expected, word=self.first)
        self.text = self.text[found.end() :].lstrip()
        self.first += 1
        return found.group()

    def take_words(self, count: int) -> WordReader:
        """Take the next words, fewer if there are fewer, and return a reader for them."""
        ends = [found.end() for found in _WORD.finditer(self.text)][:count]
        end = ends[-1] if ends else 0
        taken = WordReader(self.tables, self.text[:end], self.first)
        self.text = self.text[end:].lstrip()
        self.first += len(ends)
        return taken

    def rest(self) -> tuple[str, int]:
        """Return the remaining text, and the number of its first word."""
        text, first = self.text, self.first
        self.first += len(self.words)
        self.text = ""
        return text, first

    def end(self) -> None:
        """Check that no words remain.

        Raises:
            Refusal: `notation`.
        """
        if self.text:
            message = f"Word {self.first}: nothing more is expected here, not '{shorten(self.text)}'."
            raise Refusal("notation", (), message, position=self.first, expected="nothing")

    def split(self, word: str) -> tuple[WordReader, WordReader | None]:
        """Return readers for the text before and after the last `word`; the second is None if it does not occur."""
        found = list(re.finditer(rf"(?<!\S){word}(?!\S)", self.text, re.IGNORECASE))
        if not found:
            return self, None
        at = found[-1]
        before = WordReader(self.tables, self.text[: at.start()], self.first)
        number = self.first + len(before.words) + 1
        return before, WordReader(self.tables, self.text[at.end() :], number)

    def number(self, expected: str) -> int:
        """Return the next word as a whole number, with or without a pound sign.

        Raises:
            Refusal: `notation`.
        """
        at = self.first
        word = self.take(expected).removeprefix("£").removesuffix("£")
        if not re.fullmatch(r"-?\d{1,9}", word, re.ASCII):
            raise unknown_name(word or "£", expected, word=at)
        return int(word)

    def parts(self, expected: str) -> tuple[int, ...]:
        """Read the next word as whole numbers separated by slashes: 15/15.

        Raises:
            Refusal: `notation`.
        """
        at = self.first
        word = self.take(f"{expected} of each, as in 15/15,")
        if not re.fullmatch(r"\d{1,4}(/\d{1,4}){0,11}", word, re.ASCII):
            raise unknown_name(word, f"{expected} of each, as in 15/15,", word=at)
        return tuple(int(n) for n in word.split("/"))

    def area(self) -> str:
        """Read the rest as an Area."""
        return name_index(self.tables).areas.find(*self.rest())

    def zone(self) -> str:
        """Read the rest as a Sea Zone."""
        return name_index(self.tables).zones.find(*self.rest())

    def power(self) -> str:
        """Read the rest as a Power."""
        return name_index(self.tables).powers.find(*self.rest())

    def powers(self) -> tuple[str, ...]:
        """Read the rest as a list of Powers."""
        return self._one_by_one(name_index(self.tables).powers)

    def parties(self) -> tuple[str, ...]:
        """Read the rest as parties to disputes, the Ottoman Empire included."""
        return self._one_by_one(name_index(self.tables).parties)

    def _one_by_one(self, names: NameTable) -> tuple[str, ...]:
        found: list[str] = []
        at = self.first
        words = [w for w in re.split(r"[\s,]+", self.rest()[0]) if w and w.casefold() != "and"]
        while words:
            for n in range(min(len(words), 3), 0, -1):
                meant = names.among(" ".join(words[:n]))
                if len(meant) == 1:
                    found.append(meant[0])
                    words, at = words[n:], at + n
                    break
            else:
                names.find(words[0], at)
        return tuple(found)

    def units(self) -> tuple[str, ...]:
        """Read the units that come next: A10, n3, 2xA1, 8 A1, A10A3N1.

        Raises:
            Refusal: `notation`.
        """
        names: list[str] = []
        while found := _UNITS.match(self.text):
            count, several = found.groups()
            for name in _ONE_UNIT.findall(several):
                names.extend([unit_name(self.tables, name, self.first)] * (int(count) if count else 1))
            if len(names) > MAX_UNITS:
                message = f"Word {self.first}: that is more units than possible."
                raise Refusal("notation", (), message, position=self.first)
            self.first += len(found.group().split())
            self.text = self.text[found.end() :]
        if not names:
            raise unknown_name(self.text.split(" ")[0], "a unit such as A10, A3 or N1", word=self.first)
        return tuple(names)


def unit_name(tables: Tables, word: str, at: int = 0) -> str:
    """Return the short name of a unit as in the state: A10, N3; A5 for an Army of the Empires.

    Raises:
        Refusal: `notation`.
    """
    digits = word[1:]
    imperial = f"a{tables.other_armies.strength}"
    written = re.fullmatch(r"[anAN]\d{1,3}", word, re.ASCII)
    if not written or (int(digits) not in tables.units and word.casefold() != imperial):
        strengths = ", ".join(str(s) for s in sorted(tables.units))
        raise unknown_name(word, f"a unit, A or N with one of the strengths {strengths},", word=at)
    return word[0].upper() + str(int(digits))


EVERYWHERE = "anywhere"
"""Group of all Areas, Sea Zones and Home Countries."""

_GROUP = re.compile(r"\s*(region|list|type|coast)\s*:\s*([^\s:,;]+(?:\s+[^\s:,;]+)*)\s*", re.IGNORECASE)


def in_table_order(known: Iterable[str], named: Iterable[str]) -> tuple[str, ...]:
    """Return ids in table order, without duplicates."""
    wanted = set(named)
    return tuple(id_ for id_ in known if id_ in wanted)


def all_places(tables: Tables) -> tuple[str, ...]:
    """Return all places that a clause may name, in table order: Areas, Sea Zones, Home Countries."""
    return (*tables.areas, *tables.sea_zones, *(HOME + p for p in tables.homes))


def parse_places(tables: Tables, places: Iterable[str], zones: bool) -> tuple[str, ...]:
    """Return Areas, and with `zones` Sea Zones, by their names, in table order.

    Raises:
        Refusal: as `parse_place`.
    """
    return in_table_order(all_places(tables), (parse_place(tables, p, zones) for p in places))


def parse_place(tables: Tables, text: str, zones: bool, word: int = 0) -> str:
    """Return an Area, or with `zones` a Sea Zone, by id, name or beginning.

    Raises:
        Refusal: `notation`, `ambiguous`; `cape` for a Cape Zone where Sea Zones may be named.

    Rules: SET-019
    """
    known = name_index(tables)
    areas = known.areas.among(text)
    if zones and len(areas) != 1:
        if not areas and not known.zones.among(text) and known.zones.kept_out(text):
            name = known.zones.shown[known.zones.kept_out(text)[0]]
            message = f"{name} exists only in War. Name the Sea Zones on both sides of it."
            raise Refusal("cape", ("SET-019",), message, position=word)
        seas = known.zones.among(text)
        if len(seas) == 1 and not areas:
            return seas[0]
        if seas:
            ids, shown = {**known.areas.ids, **known.zones.ids}, {**known.areas.shown, **known.zones.shown}
            return NameTable("an Area or a Sea Zone", ids, shown).find(text, word)
    return known.areas.find(text, word)


def parse_place_groups(tables: Tables, text: str, zones: bool, word: int = 0) -> tuple[str, tuple[str, ...]]:
    """Parse places by names and groups: `kenya, region:near_east`.

    Returns:
        The text with the groups in the notation ("" without a group), and all places.

    Raises:
        Refusal: as `parse_place`.
    """
    parts: list[str] = []
    found: list[str] = []
    grouped = False
    for piece, at in _pieces(text, word):
        group = _GROUP.fullmatch(piece)
        if group or fold_name(piece) in ("all", EVERYWHERE):
            what, which = (group[1], group[2]) if group else (piece, "")
            name, members = _group(tables, what, which, zones, at)
            grouped = True
            parts.append(name)
            found += members
            continue
        names = _split_place_names(tables, piece, zones, at)
        parts += names
        found += names
    if not found:
        raise unknown_name("", "an Area", word=word)
    places = in_table_order(all_places(tables), found)
    return (", ".join(dict.fromkeys(parts)) if grouped else "", places)


def _pieces(text: str, word: int) -> list[tuple[str, int]]:
    """Split at commas, with the number of each first word."""
    out = []
    for piece in text.split(","):
        if piece.strip():
            out.append((piece.strip(), word))
        word += len(piece.split())
    return out


def _split_place_names(tables: Tables, text: str, zones: bool, word: int) -> list[str]:
    """Return places with blanks or `and` between them; the longest name wins."""
    found: list[str] = []
    words = text.split()
    while words:
        if words[0].casefold() == "and" and len(words) > 1:
            words, word = words[1:], word + bool(word)
            continue
        for n in range(min(len(words), 5), 0, -1):
            phrase = " ".join(words[:n])
            if n == 1 or _is_place_name(tables, phrase, zones):
                found.append(parse_place(tables, phrase, zones, word))
                words, word = words[n:], word + n * bool(word)
                break
    return found


def _is_place_name(tables: Tables, text: str, zones: bool) -> bool:
    known = name_index(tables)
    seas = known.zones.among(text) or known.zones.kept_out(text)
    return len(known.areas.among(text)) == 1 or (zones and len(seas) == 1)


def _group(tables: Tables, what: str, name: str, zones: bool, word: int) -> tuple[str, tuple[str, ...]]:
    """Return the name of a group of places in the notation, and its members."""
    what = what.casefold()
    if not name:
        if fold_name(what) == EVERYWHERE and zones:
            return EVERYWHERE, all_places(tables)
        return "all", tuple(tables.areas)
    members = _groups(tables, what)
    known = NameTable(
        f"a {what} of Areas ({', '.join(members)})", {fold_name(n): n for n in members}, {n: n for n in members}
    )
    found = known.find(name, word)
    return f"{what}:{found}", members[found]


def _groups(tables: Tables, what: str) -> dict[str, tuple[str, ...]]:
    """Return the groups of Areas of a sort (list, coast, type or region) and their members."""
    members: dict[str, tuple[str, ...]] = {}
    if what == "list":
        members = {n: tuple(p for p in places if p in tables.areas) for n, places in tables.area_lists.items()}
    elif what == "coast":
        members = {z: tuple(a.id for a in tables.areas.values() if z in a.sea_zones) for z in tables.sea_zones}
    else:
        for area in tables.areas.values():
            own = area.region if what == "region" else area.type
            members[own] = (*members.get(own, ()), area.id)
    return {n: m for n, m in members.items() if m}


def places_text(tables: Tables, places: tuple[str, ...], region: str) -> str:
    """`any of` some places, by their region or list where they were named so."""
    if not region:
        return join_with_or([place_name(tables, p) for p in places])
    return join_with_or([_describe_part(tables, part) for part in region.split(", ")])


def replace_group_names(tables: Tables, text: str) -> str:
    """Replace the groups of places in a sentence by the notation: `every Area of West Africa`, `region:west_africa`."""
    if re.search(r"\b(?:any|every) ", text, re.IGNORECASE):
        parts = [f"{what}:{name}" for what in ("list", "coast", "type", "region") for name in _groups(tables, what)]
        said = {_describe_part(tables, part).partition(" ")[2]: part for part in (EVERYWHERE, "all", *parts)}
        for words in sorted(said, key=len, reverse=True):
            text = re.sub(rf"\b(?:any|every) {re.escape(words)}\b", said[words], text, flags=re.IGNORECASE)
    return text


def _describe_part(tables: Tables, part: str) -> str:
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


MAX_NAME_LENGTH = 40
"""Maximum length of an agreement's name, in characters."""

_NOT_IN_A_NAME = re.compile(r"[:;\"]|(?<!\S)(?:with|as)(?!\S)|(?<!\S)(?:public|secret)$", re.IGNORECASE)


def clean_name(text: str) -> str:
    """Return the cleaned name of an agreement.

    Raises:
        Refusal: `notation`, if the notation could not represent it.
    """
    name = clean_text(text)
    check_stacks(name)
    if len(name) > MAX_NAME_LENGTH:
        raise Refusal("notation", (), f"A name has at most {MAX_NAME_LENGTH} characters.", expected="a name")
    if _NOT_IN_A_NAME.search(name):
        message = (
            "A name cannot contain a colon, a semicolon, a quotation mark, 'with' or 'as', or end with "
            "'public' or 'secret'."
        )
        raise Refusal("notation", (), message, expected="a name")
    return name
