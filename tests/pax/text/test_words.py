"""Parsing and display of words: names, places, groups, units, figures, years, and unknown words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from paxtui.engine import free_text as chat
from paxtui.games.pax.text import display, parsing
from tests.recorded import answer, same_as_recorded
from tests.rules.harness import tables

T = tables()
PLACES = (
    "", ",", "and", "kenya", "kenya and", "kenya and uganda", "kenya, and uganda", "Hong Kong Hawaii",
    "hawaii hong_kong hawaii", "federated malay states egypt", "region:near east", "kenya, Region: Balkans",
    "region:nowhere", "coast:black sea", "coast:baltic", "type:ottoman", "type:x", "list:india", "list:x",
    "black sea", "baltic and kenya", "new", "congo", "kongo tunis atlantis", "cape_horn", "north", "egypt, black sea",
)  # fmt: skip
NAMES = ("Great Britain", "gb", "u", "united", "US", "AH", "austria", "ottoman", "nobody", "", "é" * 99, "côte d'or")
MARKERS = ("influence", "i", "in", "inf", "p", "poss", "●", "○", "◇", "◆", "★", "control", "")
UNITS = ("A10", "n3 A1", "2xA1 N10", "A10A3N1", "A7", "A5", "21xA1", "x", "", "A1, N1", "3a10")


def parser_cases() -> Iterator[tuple[str, Callable[..., Any], tuple[Any, ...]]]:
    """Every case: its name, the parser, and its arguments without the tables."""
    index = parsing.name_index(T)
    for text in PLACES:
        yield "places", lambda t: parsing.parse_place_groups(T, t, False, 3), (text,)
        yield "places and seas", lambda t: parsing.parse_place_groups(T, t, True, 3), (text,)
    for text in ("tunis", "black sea", "nor", "cape of good hope", "atlantis"):
        yield "a place", lambda t: parsing.parse_place(T, t, True), (text,)
    for text in NAMES:
        yield "a power", index.powers.find, (text, 2)
        yield "a party", index.parties.find, (text,)
        yield "powers one by one", lambda t: parsing.WordReader(T, t, 4).powers(), (f"{text} france",)
    for text in MARKERS:
        for area in ("", "australia", "tunis"):
            yield "a marker", lambda t, a: parsing.find_marker(T, t, a, 2), (text, area)
    for text in UNITS:
        yield "units", lambda t: parsing.WordReader(T, t, 2).units(), (text,)
    for text in ("5", "£5", "5£", "-3", "x", "", "1234567890"):
        yield "a number", lambda t: parsing.WordReader(T, t, 2).number("pounds"), (text,)
        yield "parts", lambda t: parsing.WordReader(T, t, 2).parts("pounds"), (text,)
    for text in ("15/15", "1/2/3", "1//2", "/"):
        yield "parts", lambda t: parsing.WordReader(T, t, 2).parts("pounds"), (text,)
    for text in ("1888", "1890", "x", "", "1880", "1916", "1920"):
        yield "a turn", lambda t: parsing.parse_turn(T, t, 5), (text,)
    for text in (
        "  Peace\n of Rome ",
        "a:b",
        "with us",
        "known as x",
        "quite public",
        "x" * 41,
        'so "called"',
        "",
    ):
        yield "a name", parsing.clean_name, (text,)
    for text in ("hello  there", " \n", "x" * 5000):
        yield "table talk", chat.clean_chat, (text,)


def display_names() -> Iterator[str]:
    """The display names of everything."""
    for power in (*T.powers, "ottoman_empire", "china"):
        forms = (display.power_name, display.the_power, display.of_power)
        yield f"{power}: {', '.join(form(T, power) for form in forms)}"
    for zone in (*T.sea_zones, *T.capes, "home:britain", "no_such_place"):
        yield f"{zone}: {display.place_name(T, zone)}, {display.the_zone(T, zone)}"
    for marker in (*T.markers, "nothing"):
        yield f"{marker}: {display.marker_name(T, marker)}"
    for phase in ("movement", "random_events", "minor_powers", "victory_point_record", "congress", "war"):
        yield f"{phase}: {display.phase_name(phase)}"
    for name in ("London", *(f"{ordinal} London" for ordinal in display.ORDINALS), "Third Atlantis", "Act"):
        yield f"{name}: {display.treaty_of_city(T, name)}, {display.the_proposal(T, name)}"
    for some in ((), ("a",), ("a", "b"), ("a", "b", "c")):
        yield f"{some}: {display.join_with_and(some)!r}, {display.join_with_or(some)!r}"
    for powers in ((), ("france",), ("united_states", "netherlands", "italy")):
        yield f"{powers}: {display.powers_text(T, powers)}, {display.the_powers(T, powers)}"
    for turn in (1, 5, 10):
        yield f"turn {turn}: {parsing.turn_year(T, turn)}"


def test_words_are_parsed_as_recorded() -> None:
    lines = (f"{what} {given}: {answer(function, *given)}" for what, function, given in parser_cases())
    same_as_recorded(Path(__file__).with_name("words.txt"), lines)


def test_display_names_are_as_recorded() -> None:
    same_as_recorded(Path(__file__).with_name("names.txt"), display_names())


def test_ambiguous_name_lists_at_most_eight() -> None:
    many = [f"name {n}" for n in range(9)]
    assert "name 7; write" in parsing.ambiguous_name("n", "an Area", many[:8]).message
    assert "name 7, ...; write" in parsing.ambiguous_name("n", "an Area", many).message
