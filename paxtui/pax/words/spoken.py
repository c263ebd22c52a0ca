"""How Powers, places, markers and Phases are called in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from paxtui.pax.board.tables import HOME, Tables


def power_name(tables: Tables, power: str) -> str:
    """Name of a Power for people."""
    if power in tables.powers:
        return tables.powers[power].name
    return power.replace("_", " ").title()


def place_name(tables: Tables, place: str) -> str:
    """Name of an Area, a Sea Zone or a Home Country for people."""
    if place.startswith(HOME):
        return power_name(tables, place[len(HOME) :])
    for known in (tables.areas, tables.sea_zones, tables.capes):
        if place in known:
            return known[place].name
    return place.replace("_", " ").title()


def marker_name(tables: Tables, marker: str) -> str:
    """Sign and name of a Status marker."""
    kind = tables.markers.get(marker)
    return f"{kind.sign} {kind.name}" if kind else marker


def powers_named(tables: Tables, powers: tuple[str, ...]) -> str:
    """Several Powers in one phrase."""
    return all_of([power_name(tables, p) for p in powers]) or "nobody"


def all_of(names: Sequence[str]) -> str:
    """Several names in one phrase, `a, b and c`; "" for none."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def any_of(names: Sequence[str]) -> str:
    """One of several names in one phrase, `a, b or c`; "" for none."""
    return " or ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def phase_name(phase: str) -> str:
    """Name of a Phase for people."""
    return {
        "movement": "Movement/Status Change",
        "random_events": "Random Events",
        "minor_powers": "Minor Powers",
        "victory_point_record": "Victory Point Record",
        "congress": "Congress of Europe",
    }.get(phase, phase.replace("_", " ").title())
