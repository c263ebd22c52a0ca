"""The kinds of values in actions: how each is typed, printed and normalized.

The annotation of a field of an action names its kind: `area: AreaId`. `paxtui.games.pax.actions.forms` parses and
prints orders with it, `paxtui.games.pax.actions.structured` decodes JSON with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.board.adjacency import passages
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.text.parsing import (
    MAX_UNITS,
    NameTable,
    WordReader,
    expand_home,
    find_marker,
    name_index,
    unit_name,
    unknown_name,
)

MAX_PATH_LENGTH = 60
"""Maximum number of places in a path."""

MAX_ARTICLES = 99
"""Highest article number."""

AGREEMENT_ID = re.compile(r"[a-z0-9_]{1,40}")


class FieldKind(NamedTuple):
    """What a field of an action holds.

    Attributes:
        usage: placeholder in the usage line of an order.
        parse: reads the value from the words of an order. Raises Refusal `notation` or `ambiguous`.
        find: normalizes the value of a structured action: (tables, action, value). Some kinds depend on other fields.
            Raises Refusal `bad_action`, `notation` or `ambiguous`.
        is_word: the value ends by itself. Other kinds take all words up to the next keyword.
        what: for messages: "a Power".
        format: prints the value in the notation.
    """

    usage: str
    parse: Callable[[WordReader], Any]
    find: Callable[[Tables, Any, Any], Any]
    is_word: bool = False
    what: str = ""
    format: Callable[[Any], str] = str


def _name_kind(usage: str, what: str, names: Callable[[Tables], NameTable]) -> FieldKind:
    """Return the kind of a field that holds the id of one object."""
    return FieldKind(
        usage,
        lambda words: names(words.tables).find(*words.rest()),
        lambda tables, action, value: names(tables).find(value),
        what=what,
    )


def _powers_kind(one: FieldKind, parse: Callable[[WordReader], Any]) -> FieldKind:
    """Return the kind of a field that holds several Powers."""

    def find(tables: Tables, action: Any, values: tuple[str, ...]) -> tuple[str, ...]:
        if not values:
            raise Refusal("bad_action", (), "Name at least one Power.")
        return tuple(one.find(tables, action, value) for value in values)

    return FieldKind(f"{one.usage}S", parse, find, what=one.what, format=" ".join)


def _unchanged(tables: Tables, action: Any, value: Any) -> Any:
    return value


def _parse_zone(words: WordReader) -> str:
    bracket = re.fullmatch(r"\(([^()]*)\)\s*", words.text)
    if bracket:
        words.text = bracket[1].strip()
    return words.zone()


def _find_start(tables: Tables, action: Any, value: str) -> str:
    return value if value == "new" else name_index(tables).zones.find(value)


def _find_marker(tables: Tables, action: Any, value: str) -> str:
    return find_marker(tables, value, name_index(tables).areas.find(getattr(action, "area", "")))


def find_passage(tables: Tables, text: str, word: int = 0) -> str:
    """Return the passage that a text names.

    Raises:
        Refusal: `notation`.
    """
    known_ones = passages(tables)
    found = [known for known in known_ones if text and known.startswith(text.casefold().replace(" ", "_"))]
    if len(found) != 1:
        raise unknown_name(text, f"a passage ({', '.join(known_ones)})", word=word)
    return found[0]


def _find_units(tables: Tables, action: Any, value: tuple[str, ...]) -> tuple[str, ...]:
    if not value or len(value) > MAX_UNITS:
        raise Refusal("bad_action", (), f"From 1 to {MAX_UNITS} units can be named at once.")
    return tuple(unit_name(tables, unit) for unit in value)


def _find_path(tables: Tables, action: Any, value: tuple[str, ...]) -> tuple[str, ...]:
    if not 2 <= len(value) <= MAX_PATH_LENGTH:
        raise Refusal("bad_action", (), "A path needs a start and an end.")
    names, power = name_index(tables), getattr(action, "power", "")
    return expand_home(tuple(names.places.find(place) for place in value), power and names.parties.find(power))


AREA = _name_kind("AREA", "an Area", lambda tables: name_index(tables).areas)
PLACE = _name_kind("PLACE", "a place", lambda tables: name_index(tables).places)
POWER = _name_kind("POWER", "a Power", lambda tables: name_index(tables).powers)
PARTY = _name_kind("POWER", "a Power", lambda tables: name_index(tables).parties)
ZONE = _name_kind("SEA ZONE", "a Sea Zone", lambda tables: name_index(tables).zones)._replace(parse=_parse_zone)
START = ZONE._replace(find=_find_start)
MARKER = FieldKind("MARKER", lambda words: find_marker(words.tables, words.take("a Status marker")), _find_marker, True)
PASSAGE = FieldKind(
    "PASSAGE",
    lambda words: find_passage(words.tables, *words.rest()),
    lambda tables, action, value: find_passage(tables, value),
)
UNITS = FieldKind("UNITS", WordReader.units, _find_units, True, format=" ".join)
PATH = FieldKind("PLACE > PLACE", lambda words: tuple(words.rest()[0].split(">")), _find_path, format=" > ".join)

AreaId = Annotated[str, AREA]
MarkerId = Annotated[str, MARKER]
"""A kind of Status marker, in the `area` of the same action."""
PassageId = Annotated[str, PASSAGE]
PlacePath = Annotated[tuple[str, ...], PATH]
"""Places from start to end; `home` is the Home Country of the `power` of the same action."""
PlaceId = Annotated[str, PLACE]
"""An Area, a Sea Zone or a Home Country."""
FleetStart = Annotated[str, START]
"""A Sea Zone, or "new"."""
UnitNames = Annotated[tuple[str, ...], UNITS]
ZoneId = Annotated[str, ZONE]
PowerId = Annotated[str, POWER]
PowerIds = Annotated[tuple[str, ...], _powers_kind(POWER, WordReader.powers)]
MinorId = Annotated[str, POWER._replace(usage="MINOR")]
SiteId = Annotated[str, POWER._replace(usage="SITE")]
PartyId = Annotated[str, PARTY]
"""A Power, or the Ottoman Empire."""
PartyIds = Annotated[tuple[str, ...], _powers_kind(PARTY, WordReader.parties)]


def _id_kind(what: str) -> FieldKind:
    """Return the kind of an id that the game gives."""
    return FieldKind("ID", lambda words: words.take(what).casefold(), _unchanged, True)


def _parse_causes(words: WordReader) -> tuple[str, ...]:
    at, text = words.first, words.rest()[0]
    causes = tuple(dict.fromkeys(text.casefold().replace(",", " ").split()))
    if not causes:
        raise unknown_name("", "a Casus Belli, such as cb4,", word=at)
    return causes


def parse_agreement(words: WordReader) -> str:
    """Parse the id of an agreement.

    Raises:
        Refusal: `notation`.
    """
    at = words.first
    id_ = words.take("the name of an agreement in orders, such as kq7d,").casefold()
    if not AGREEMENT_ID.fullmatch(id_):
        raise unknown_name(id_, "the name of an agreement in orders, such as kq7d,", word=at)
    return id_


def find_agreement(tables: Tables, action: Any, value: str) -> str:
    """Normalize the id of an agreement.

    Raises:
        Refusal: `bad_action`.
    """
    if not AGREEMENT_ID.fullmatch(value.casefold()):
        raise Refusal("bad_action", (), "The name of an agreement has letters and digits, such as kq7d.")
    return value.casefold()


def _parse_article(words: WordReader) -> int:
    at = words.first
    number = words.number("the number of an article")
    if not 1 <= number <= MAX_ARTICLES:
        raise unknown_name(str(number), "the number of an article, from 1,", word=at)
    return number


def _find_article(tables: Tables, action: Any, value: int) -> int:
    if not 1 <= value <= MAX_ARTICLES:
        raise Refusal("bad_action", (), "Articles are numbered from 1.")
    return value


def _parse_verdict(words: WordReader) -> bool:
    at = words.first
    verdict = words.take("guilty or innocent")
    if verdict.casefold() not in ("guilty", "innocent"):
        raise unknown_name(verdict, "guilty or innocent", word=at)
    return verdict.casefold() == "guilty"


def _find_pounds(tables: Tables, action: Any, value: int) -> int:
    if abs(value) >= 10**9:
        raise Refusal("bad_action", (), "No Power has that much money.")
    return value


def _shares_kind(what: str, usage: str) -> FieldKind:
    """Return the kind of numbers separated by slashes, one for each builder of a canal."""
    return FieldKind(
        f"{usage}/{usage}", lambda words: words.parts(what), _unchanged, True, format=lambda n: "/".join(map(str, n))
    )


AgreementId = Annotated[str, FieldKind("ID", parse_agreement, find_agreement, True)]
Article = Annotated[int, FieldKind("ARTICLE", _parse_article, _find_article, True)]
"""Number of an article, from 1."""
Verdict = Annotated[
    bool,
    FieldKind("guilty|innocent", _parse_verdict, _unchanged, True, format=lambda v: "guilty" if v else "innocent"),
]
CauseId = Annotated[str, _id_kind("the name of a Casus Belli, such as cb4")]
CauseIds = Annotated[tuple[str, ...], FieldKind("CAUSES", _parse_causes, _unchanged, format=" ".join)]
ChoiceId = Annotated[str, _id_kind("the name of a choice, such as c12")]
Answer = Annotated[
    tuple[str, ...], FieldKind("OPTION...", lambda words: tuple(words.rest()[0].split()), _unchanged, format=" ".join)
]
Pounds = Annotated[int, FieldKind("POUNDS", lambda words: words.number("an amount in pounds"), _find_pounds, True)]
PoundShares = Annotated[tuple[int, ...], _shares_kind("pounds", "POUNDS")]
PointShares = Annotated[tuple[int, ...], _shares_kind("Victory Points", "VP")]
