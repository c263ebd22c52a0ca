"""The name proposed for a new Treaty: a city of one of its parties, as Treaties are called after where they were made.

Rules: TRE-002
"""

from __future__ import annotations

from paxtui.pax.board.tables import Tables
from paxtui.pax.play import secrecy
from paxtui.pax.state.model import State
from paxtui.pax.state.treaty import Treaty
from paxtui.pax.words.spoken import ORDINALS, power_name, powers_named


def display_name(tables: Tables, treaty: Treaty) -> str:
    """The name of an agreement; for a settlement without one its parties and its year."""
    if treaty.name:
        return treaty.name
    year = tables.turns[max(1, treaty.drafted) - 1].year
    return f"Settlement of {powers_named(tables, treaty.parties)} ({year})"


def proposed(tables: Tables, state: State, seat: str, parties: tuple[str, ...]) -> str:
    """A city that no agreement known to the seat is called after, the seat's own cities first.

    Args: the tables; the position; who drafts; the parties, its own Power among them or not.
    """
    used = {t.name.casefold() for t in secrecy.known_treaties(tables, state, seat)}
    lists = [tables.treaty_cities.get(p, ()) for p in dict.fromkeys((seat, *parties))]
    cities = [city for cities in lists for city in cities] or [power_name(tables, seat)]
    for before in ("", *(f"{ordinal} " for ordinal in ORDINALS)):
        for city in cities:
            if f"{before}{city}".casefold() not in used:
                return before + city
    return cities[0]
