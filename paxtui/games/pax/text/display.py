"""Display names of Powers, places, markers and Phases, for use in sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from paxtui.games.pax.board.tables import HOME, Tables
from paxtui.games.pax.state.pieces import Marker


def power_name(tables: Tables, power: str) -> str:
    """Return the display name of a Power."""
    if power in tables.powers:
        return tables.powers[power].name
    return power.replace("_", " ").title()


ARTICLE = ("United States", "Netherlands", "Ottoman Empire")
"""Powers whose names take an article."""


def the_power(tables: Tables, power: str) -> str:
    """Return a Power inside a sentence: `the United States`."""
    name = power_name(tables, power)
    return f"the {name}" if name in ARTICLE else name


_BARE = re.compile(rf"(?<!the )(?<!The )\b({'|'.join(ARTICLE)})\b")
_QUOTED = re.compile(r"(“[^”]*”)")
_WITH_ARTICLE = re.compile(rf"\bthe ({'|'.join(ARTICLE)})\b", re.IGNORECASE)


def add_articles(text: str) -> str:
    """Add the missing articles to the names of Powers in a sentence: `France pays the United States £10`.

    What stands in quotation marks stays: players wrote it.
    """
    added = "".join(part if part[:1] == "“" else _BARE.sub(r"the \1", part) for part in _QUOTED.split(text))
    return capitalize(added) if text[:1].isupper() else added


def drop_articles(text: str) -> str:
    """Remove the articles of Powers, in any case: `France pays United States £10`. The notation has none."""
    return _WITH_ARTICLE.sub(r"\1", text)


def the_powers(tables: Tables, powers: Sequence[str]) -> str:
    """Return several Powers inside a sentence."""
    return join_with_and([the_power(tables, p) for p in powers]) or "nobody"


def of_power(tables: Tables, power: str) -> str:
    """Return the possessive of a Power: `France's`, `the United States'`."""
    name = the_power(tables, power)
    return f"{name}'" if name.endswith("s") else f"{name}'s"


ORDINALS = ("Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth", "Ninth")
"""Prefixes for further Treaties named after the same city."""


def treaty_of_city(tables: Tables, name: str) -> str:
    """Name a Treaty after a city: `the Treaty of London`, `the Second Treaty of London`; "" for other names."""
    cities = {city for some in tables.treaty_cities.values() for city in some}
    ordinal, _, city = name.rpartition(" ")
    if name in cities:
        return f"the Treaty of {name}"
    return f"the {ordinal} Treaty of {city}" if ordinal in ORDINALS and city in cities else ""


def the_proposal(tables: Tables, name: str) -> str:
    """Name a proposal to a Congress inside a sentence: `the Treaty of London`, `the Act of Tunis`."""
    return treaty_of_city(tables, name) or f"the {name}"


def capitalize(text: str) -> str:
    """Return a text with a capital letter at its beginning; the rest is unchanged."""
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """Capitalize a text and end it with a full stop if it lacks a final mark; "" is unchanged."""
    return text and capitalize(text) + ("" if text[-1] in ".!?:" else ".")


def reword(text: str, wordings: Iterable[tuple[str, str]]) -> str:
    """Return a text of a log in the present wording.

    Logs contain texts, and `verify` compares them: the rules cannot change them, only their display can.

    Args:
        text: the stored text.
        wordings: pairs of a regular expression and its replacement.
    """
    for pattern, wording in wordings:
        text = re.sub(pattern, wording, text)
    return text


def place_name(tables: Tables, place: str) -> str:
    """Return the display name of an Area, a Sea Zone or a Home Country."""
    if place.startswith(HOME):
        return power_name(tables, place[len(HOME) :])
    for known in (tables.areas, tables.sea_zones, tables.capes):
        if place in known:
            return known[place].name
    return place.replace("_", " ").title()


def the_place(tables: Tables, place: str) -> str:
    """Return an Area, a Sea Zone or a Home Country inside a sentence: `the United States`, `the North Atlantic`."""
    if place.startswith(HOME):
        return the_power(tables, place[len(HOME) :])
    return place_name(tables, place) if place in tables.areas else the_zone(tables, place)


def the_zone(tables: Tables, zone: str) -> str:
    """Return a Sea or Cape Zone inside a sentence: `the North Atlantic`, `Oceania`."""
    name = place_name(tables, zone)
    return name if name in ("Oceania", "Cape Horn") else f"the {name}"


def marker_name(tables: Tables, marker: str) -> str:
    """Return sign and name of a Status marker."""
    kind = tables.markers.get(marker)
    return f"{kind.sign} {kind.name}" if kind else marker


def percent(chance: float) -> str:
    """Return a chance as a whole percentage: `40 %`."""
    return f"{chance * 100:.0f} %"


def describe_marker(tables: Tables, marker: Marker) -> str:
    """Return the name of a placed marker, with a remark if it is not established."""
    return tables.markers[marker.marker].name + ("" if marker.established else " (unestablished)")


def marker_with_article(tables: Tables, marker: str) -> str:
    """Return the name of a Status marker with its article: `an Influence`."""
    name = tables.markers[marker].name
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"


def powers_text(tables: Tables, powers: tuple[str, ...]) -> str:
    """Join the names of several Powers."""
    return join_with_and([power_name(tables, p) for p in powers]) or "nobody"


def join_with_and(names: Sequence[str]) -> str:
    """Join names as `a, b and c`; "" for none."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def join_with_or(names: Sequence[str]) -> str:
    """Join names as `a, b or c`; "" for none."""
    return " or ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def phase_name(phase: str) -> str:
    """Return the display name of a Phase."""
    return {
        "movement": "Movement/Status Change",
        "random_events": "Random Events",
        "minor_powers": "Minor Powers",
        "victory_point_record": "Victory Point Record",
        "congress": "Congress of Europe",
    }.get(phase, phase.replace("_", " ").title())


class PaxNames:
    """Names of seats and Phases: `paxtui.engine.seats.Names`."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    def seat_name(self, seat: str) -> str:
        return power_name(self.tables, seat) if seat in self.tables.powers else ""

    def phase_name(self, phase: str) -> str:
        """Return the name of a Phase."""
        return phase_name(phase)
