"""Finding Areas, Sea Zones, Powers and markers by id, by name or by any unique beginning of either.

Upper and lower case, blanks, hyphens, underscores, apostrophes and accents make no difference. A place of a path
is an Area, a Sea Zone, or a Power's name for its Home Country; `home` alone is the acting Power's own.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches

import msgspec

from paxtui.engine.refusal import Refusal
from paxtui.pax.board.remembered import remembered
from paxtui.pax.board.tables import HOME, Tables
from paxtui.pax.state.pieces import EXPANSION

EMPIRE = {EXPANSION: "Ottoman Empire"}
"""The one party to disputes and Wars that is no Power of the game, with its name."""

OWN_HOME = "home"
"""Place of a path that stands for the Home Country of whoever acts."""

_LONGEST = 60  # no name is longer; what is goes into no message and no comparison in full

_DROPPED = str.maketrans("", "", " _-'’.\t")


def key(text: str) -> str:
    """`text` as it is compared: folded, without accents and without anything between the words."""
    plain = text.translate(_DROPPED)
    if not plain.isascii():
        plain = "".join(c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c))
    return plain.casefold()


class Names(msgspec.Struct, frozen=True):
    """All names of one kind: `ids` maps a compared name to an id, `shown` an id to what a person reads.

    `closed` maps names to ids that a rule keeps out of it: they are meant only where nothing else can be, so that the
    rule can say no.
    """

    what: str
    ids: dict[str, str]
    shown: dict[str, str]
    closed: dict[str, str] = {}

    def among(self, text: str) -> tuple[str, ...]:
        """Every id that `text` may mean: the one it names in full, or those it begins; empty for none."""
        return _meant(self.ids, text)

    def kept_out(self, text: str) -> tuple[str, ...]:
        """Every id that `text` may mean among those that a rule keeps out."""
        return _meant(self.closed, text)

    def nearest(self, text: str) -> str:
        """The known name most like `text`, as a person reads it; "" when nothing is."""
        close = get_close_matches(key(text)[:_LONGEST], self.ids, n=1, cutoff=0.55)
        return self.shown[self.ids[close[0]]] if close else ""

    def find(self, text: str, word: int = 0) -> str:
        """The one id that `text` means, where need be among those that a rule keeps out.

        Args: the text; `word`: the number of its first word in the whole order, from 1, for the message.
        Raises: Refusal `notation` when there is none, `ambiguous` when there are several.
        """
        found = self.among(text) or self.kept_out(text)
        if len(found) == 1:
            return found[0]
        if found:
            raise ambiguous(text, self.what, [self.shown[f] for f in found], word)
        raise unknown(text, self.what, self.nearest(text), word)


def _meant(ids: dict[str, str], text: str) -> tuple[str, ...]:
    wanted = key(text)
    found = ids.get(wanted)
    if found is not None:
        return (found,)
    if not wanted:
        return ()
    return tuple(dict.fromkeys(id_ for name, id_ in ids.items() if name.startswith(wanted)))


class Index(msgspec.Struct, frozen=True):
    """The names of one set of tables by kind."""

    areas: Names
    zones: Names
    powers: Names
    parties: Names  # Powers, and the Ottoman Empire, which may be party to a dispute
    markers: Names
    places: Names  # Areas, Sea Zones, and Home Countries under their Powers' names


@remembered(most=4, by=lambda tables: ((), (tables,)))
def index(tables: Tables) -> Index:
    """The names of `tables`."""
    areas = {a.id: a.name for a in tables.areas.values()}
    zones = {z.id: z.name for z in tables.sea_zones.values()}
    capes = {c.id: c.name for c in tables.capes.values()}
    powers = {p.id: p.name for p in tables.powers.values()}
    kinds = {m.id: m.name for m in tables.markers.values()}
    homes = {HOME + p: powers[p] for p in tables.homes}
    letters = {key(p.letters): p.id for p in tables.powers.values()}
    area_names, zone_names, power_names = _keys(areas), _keys(zones), _keys(powers)
    place_names = {**area_names, **zone_names, key(OWN_HOME): OWN_HOME}
    for name, power in power_names.items():
        if HOME + power in homes:
            place_names.setdefault(name, HOME + power)
            place_names[HOME + name] = HOME + power
    return Index(
        areas=Names("an Area", area_names, areas),
        zones=Names("a Sea Zone", zone_names, {**zones, **capes}, _keys(capes)),
        powers=Names("a Power", {**letters, **power_names}, powers),
        parties=Names("a Power", {**letters, **power_names, **_keys(EMPIRE)}, {**powers, **EMPIRE}),
        markers=Names("a Status marker", _keys(kinds), {m: m for m in kinds}),
        places=Names("a place", place_names, {**areas, **zones, **homes, **capes, OWN_HOME: OWN_HOME}, _keys(capes)),
    )


def _keys(named: dict[str, str]) -> dict[str, str]:
    out = {key(name): id_ for id_, name in named.items()}
    out.update({key(id_): id_ for id_ in named})
    return out


def marker_kinds(tables: Tables, text: str) -> tuple[str, ...]:
    """Kinds of marker that a word means: by id, sign or beginning; several share a sign or a beginning."""
    by_sign = tuple(m.id for m in tables.markers.values() if m.sign == text.strip())
    return by_sign or index(tables).markers.among(text)


def find_marker(tables: Tables, text: str, area: str = "", word: int = 0) -> str:
    """The kind of marker that a word means; `area` decides between kinds that share a sign.

    Raises: Refusal `notation` or `ambiguous`.
    """
    kinds = marker_kinds(tables, text)
    if len(kinds) > 1 and area:
        able = tuple(k for k in kinds if k == tables.areas[area].upgrade)
        kinds = able if len(able) == 1 else kinds
    if len(kinds) == 1:
        return kinds[0]
    if kinds:
        raise ambiguous(text, "a Status marker", kinds, word)
    names = index(tables).markers
    raise unknown(text, f"a Status marker ({', '.join(tables.markers)})", names.nearest(text), word)


def own_home(path: tuple[str, ...], power: str) -> tuple[str, ...]:
    """`path` with `home` put into words for the Power that acts."""
    if OWN_HOME not in path or not power:
        return path
    return tuple(HOME + power if place == OWN_HOME else place for place in path)


def place_text(place: str, power: str = "") -> str:
    """A place of a path as the notation writes it; `power` is who acts, its own Home Country being `home`."""
    if not place.startswith(HOME):
        return place
    return OWN_HOME if place == HOME + power else place[len(HOME) :]


def ambiguous(text: str, what: str, candidates: Iterable[str], word: int = 0) -> Refusal:
    """The refusal of a beginning that several names share."""
    names = list(candidates)
    shown = ", ".join(names[:8]) + (", ..." if len(names) > 8 else "")
    message = f"{_at(word)}'{shorten(text)}' could be {shown}; write more of it to name {what}."
    return Refusal("ambiguous", (), message, position=word, candidates=names)


def unknown(text: str, what: str, near: str = "", word: int = 0) -> Refusal:
    """The refusal of a word that names nothing."""
    hint = f" Did you mean {near}?" if near else ""
    if not text.strip():
        return Refusal("notation", (), f"{_at(word)}{what} is expected here.", position=word, expected=what)
    message = f"{_at(word)}{what} is expected here, not '{shorten(text)}'.{hint}"
    return Refusal("notation", (), message, position=word, expected=what, near=near)


def shorten(text: str) -> str:
    """`text` short enough for a message."""
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "..."


def _at(word: int) -> str:
    return f"Word {word}: " if word else ""
