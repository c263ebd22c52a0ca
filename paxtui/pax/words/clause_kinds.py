"""The kinds of clause an agreement may have: which fields of `Clause` each of them uses, and which it needs.

Rules: TRE-004, TRE-005, TRE-009, NEG-011 to NEG-014, NEG-018, CON-016 to CON-020
"""

from __future__ import annotations

from typing import NamedTuple


class Kind(NamedTuple):
    """A kind of clause.

    Attributes:
        what: what it is, in a few words.
        needs: fields of `Clause` that must be set; `x|y` for one of two.
        may: fields that may be set besides.
        example: a clause of the kind in the notation.
        areas: how many Areas it names at most; 0 for as many as one likes.
        zones: whether it may name Sea Zones too.
    """

    what: str
    needs: tuple[str, ...]
    may: tuple[str, ...]
    example: str
    areas: int = 0
    zones: bool = False


LASTING: dict[str, Kind] = {
    "defensive": Kind(
        "a defensive Alliance", (), ("power", "against", "until", "upon"), "defensive against germany until 1892"
    ),
    "offensive": Kind("an offensive Alliance", (), ("power", "against", "until", "upon"), "offensive against germany"),
    "non_aggression": Kind("no War between the signers", (), ("until", "upon"), "non-aggression"),
    "shared_cause": Kind(
        "a Casus Belli shared once a partner is at War", (), ("against", "until", "upon"), "shared cause"
    ),
    "no_marker": Kind(
        "no Status marker placed in some Areas",
        ("places",),
        ("power", "region", "marker", "until", "upon"),
        "no marker by britain in kenya, uganda until 1892",
    ),
    "no_unit": Kind(
        "no Military Units in some places",
        ("places",),
        ("power", "region", "units", "until", "upon"),
        "no units by germany in region:near_east",
        zones=True,
    ),
    "at_most": Kind(
        "a limit to the strength points in some places",
        ("places",),
        ("power", "region", "units", "amount", "until", "upon"),
        "at most 4 army by russia in persia",
        zones=True,
    ),
    "at_least": Kind(
        "strength points that have to be in some places",
        ("power", "places", "amount"),
        ("region", "units", "until", "upon"),
        "at least 4 army by russia in persia",
        zones=True,
    ),
    "build": Kind("Military Units to be built", ("power", "units", "turn"), ("upon",), "germany builds N10 by 1888"),
    "no_build": Kind(
        "no Military Units built", (), ("power", "units", "until", "upon"), "germany builds no naval until 1900"
    ),
    "vote": Kind("a vote promised", ("power", "vote"), ("to", "places", "until"), "italy votes yes"),
    "passage": Kind(
        "canals and straits kept open", ("power", "to"), ("until", "upon"), "britain lets russia through canals"
    ),
    "coaling": Kind("coaling promised for a War", ("power", "to"), ("until", "upon"), "britain coals japan"),
    "text": Kind("words that the signers judge", ("text",), (), '"any words"'),
}
"""What binds as long as the agreement does."""

DONE: dict[str, Kind] = {
    "pay": Kind(
        "money paid",
        ("power", "to", "amount"),
        ("every_turn", "turn", "until", "upon"),
        "france pays italy 5 every turn until 1892",
    ),
    "transfer": Kind(
        "a Status marker handed over",
        ("power", "to", "places"),
        ("marker", "turn", "until", "upon"),
        "britain transfers hong_kong to japan upon war britain germany",
        1,
    ),
    "grant": Kind(
        "a new Status marker allowed beside one's own",
        ("power", "to", "marker", "places"),
        ("against", "turn", "until", "upon"),
        "britain grants germany protectorate in kenya",
        1,
    ),
    "lower": Kind(
        "an own Status marker lowered or withdrawn",
        ("power", "places"),
        ("marker", "turn", "until", "upon"),
        "france lowers tunis to influence",
        1,
    ),
    "codominion": Kind(
        "an Area shared",
        ("against", "places"),
        ("power", "marker", "turn", "until", "upon"),
        "codominion of tunis with france, italy",
        1,
    ),
    "waive": Kind("a Casus Belli given up", ("power", "places|to"), ("turn", "until", "upon"), "italy waives tunis", 1),
}
"""What is done: at once, at a date, each Game Turn, or when something happens."""

KINDS: dict[str, Kind] = {**LASTING, **DONE}
"""All kinds of clause by id."""

ACTS = tuple(DONE)
"""Kinds that are done, not kept."""

CONDITIONS = ("war", "control", "unrest")
"""What a clause may wait for: `war POWER [POWER]`, `control POWER AREA`, `unrest AREA`."""

LONGEST_TEXT = 300
"""Characters of a clause in free words."""

MOST_CLAUSES = 20
"""Clauses of one agreement."""

LONGEST_NAME = 40
"""Characters of the name of an agreement."""


def at_once(kind: str, turn: int, every_turn: bool, upon: str) -> bool:
    """Whether a clause of this kind, with this date and condition, is done the moment the agreement is signed."""
    return kind in DONE and not turn and not every_turn and not upon
