"""How Powers, places, markers and Phases are called in a sentence."""

from __future__ import annotations

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
    names = [power_name(tables, p) for p in powers]
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1] if names else "nobody"


def phase_name(phase: str) -> str:
    """Name of a Phase for people."""
    return {
        "movement": "Movement/Status Change",
        "random_events": "Random Events",
        "minor_powers": "Minor Powers",
        "victory_point_record": "Victory Point Record",
        "congress": "Congress of Europe",
    }.get(phase, phase.replace("_", " ").title())
