"""The passages that can be denied in a War: the canals and the straits, by name and by the Area they lie in.

Rules: STR-001, STR-004, STR-009, STR-011
"""

from __future__ import annotations

from paxtui.pax.board.tables import Tables

CANAL = "canal"
"""What the table says of an Area where a canal may be built; its passage has the Area's own name."""


def passage_of(tables: Tables, area: str) -> str:
    """The passage through an Area: suez, straits, or the Area's id where a canal may be built; "" for none."""
    kind = tables.areas[area].passage
    return area if kind == CANAL else kind


def passages(tables: Tables) -> dict[str, str]:
    """Every passage with its Area."""
    return {passage_of(tables, a.id): a.id for a in tables.areas.values() if a.passage}


def area_of(tables: Tables, passage: str) -> str:
    """The Area of a passage, "" where there is none of that name."""
    return passages(tables).get(passage, "")
