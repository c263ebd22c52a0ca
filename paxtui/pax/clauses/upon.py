"""What a clause may wait for: a War, Control of an Area, Unrest in one.

Rules: TRE-004, TRE-005 (Decisions 47 and 77)
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from msgspec import to_builtins

from paxtui.engine.refusal import Refusal
from paxtui.pax.board.status import at, controls
from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.state.model import State
from paxtui.pax.state.treaty import Clause, Upon
from paxtui.pax.words.names import index, shorten, unknown
from paxtui.pax.words.spoken import place_name, power_name


class Condition(NamedTuple):
    """A kind of thing that a clause waits for.

    Attributes:
        usage: how it is written, with what is to be filled in in capitals.
        read: what stands after its name; the number of the first word comes with it.
        text: its words in the notation, in ids.
        say: what has to be so, in words.
        events: kinds of event after which it may be so.
        happened: whether it is so in a position.
    """

    usage: str
    read: Callable[[Tables, str, int], Upon]
    text: Callable[[Upon], str]
    say: Callable[[Tables, Upon], str]
    events: tuple[type[ev.Event], ...]
    happened: Callable[[State, Upon], bool]


def _power_first(tables: Tables, text: str, at: int) -> tuple[str, str, int]:
    """The Power that a text begins with, what is left without `and` and the like, and the number of its first word."""
    powers = index(tables).powers
    words = [w for w in re.split(r"[\s,]+", text) if w]
    n = next((n for n in range(min(3, len(words)), 1, -1) if len(powers.among(" ".join(words[:n]))) == 1), 1)
    left = [w for w in words[n:] if w.casefold() not in ("and", "with", "of", "in")]
    return powers.find(" ".join(words[:n]), at), " ".join(left), at + n


def _read_war(tables: Tables, text: str, at: int) -> Upon:
    first, left, at = _power_first(tables, text, at)
    second = index(tables).powers.find(left, at) if left else ""
    if second == first:
        raise Refusal("notation", (), "A War has two sides.", position=at)
    return Upon("war", power=first, other=second)


def _say_war(tables: Tables, upon: Upon) -> str:
    first = power_name(tables, upon.power)
    return f"{first} and {power_name(tables, upon.other)} are at War" if upon.other else f"{first} is at War"


def _is_at_war(state: State, upon: Upon) -> bool:
    """Whether the Power is at War with the other, or with anybody where no other is named."""
    if upon.other:
        return any(war.opposes(upon.power, upon.other) for war in state.wars)
    return any(war.side_of(upon.power) for war in state.wars)


def _read_control(tables: Tables, text: str, at: int) -> Upon:
    power, left, at = _power_first(tables, text, at)
    return Upon("control", power=power, area=index(tables).areas.find(left, at))


def _read_unrest(tables: Tables, text: str, at: int) -> Upon:
    return Upon("unrest", area=index(tables).areas.find(text.removeprefix("in ").strip(), at))


CONDITIONS: dict[str, Condition] = {
    "war": Condition(
        usage="war POWER [POWER]",
        read=_read_war,
        text=lambda u: f"war {u.power} {u.other}".strip(),
        say=_say_war,
        events=(ev.WarDeclared, ev.WarArose, ev.WarsMerged),
        happened=_is_at_war,
    ),
    "control": Condition(
        usage="control POWER AREA",
        read=_read_control,
        text=lambda u: f"control {u.power} {u.area}",
        say=lambda t, u: f"{power_name(t, u.power)} has Control of {place_name(t, u.area)}",
        events=(ev.MarkerPlaced, ev.MarkerEstablished, ev.MarkerTransferred),
        happened=lambda state, u: controls(state, u.area, u.power),
    ),
    "unrest": Condition(
        usage="unrest AREA",
        read=_read_unrest,
        text=lambda u: f"unrest {u.area}",
        say=lambda t, u: f"there is Unrest in {place_name(t, u.area)}",
        events=(ev.UnrestBegan,),
        happened=lambda state, u: at(state, u.area).unrest,
    ),
}
"""What a clause may wait for, by the word it begins with."""


def read(tables: Tables, text: str, word: int = 0) -> Upon:
    """What a clause waits for. Raises: Refusal."""
    head, _, rest = text.strip().partition(" ")
    condition = CONDITIONS.get(head.casefold())
    if condition is None:
        raise unknown(head.casefold(), f"what has to happen first ({', '.join(CONDITIONS)})", word=word)
    return condition.read(tables, rest.strip(), word + bool(word))


def structured(tables: Tables, clause: object) -> object:
    """A raw clause with what it waits for as a structure, where it says so in words of the notation.

    Raises: Refusal.
    """
    if not isinstance(clause, dict) or not isinstance(clause.get("upon"), str):
        return clause
    rest = {name: value for name, value in clause.items() if name != "upon"}
    return {**rest, "upon": to_builtins(read(tables, clause["upon"]))} if clause["upon"] else rest


def put_right(tables: Tables, upon: Upon) -> Upon:
    """The same with ids for names, and nothing in it that it has no use for. Raises: Refusal."""
    condition = CONDITIONS.get(upon.kind)
    if condition is None:
        what = f"There is no condition {shorten(upon.kind)!r}; there are {', '.join(CONDITIONS)}."
        raise Refusal("bad_action", (), what)
    names = index(tables)
    fixed = Upon(
        upon.kind,
        power=names.powers.find(upon.power) if upon.power else "",
        other=names.powers.find(upon.other) if upon.other else "",
        area=names.areas.find(upon.area) if upon.area else "",
    )
    try:
        again = read(tables, text_of(fixed))
    except Refusal:
        again = None
    if again != fixed:
        raise Refusal("bad_action", (), f"A condition is written so: {condition.usage}.")
    return fixed


def text_of(upon: Upon) -> str:
    """Its words in the notation, in ids."""
    return CONDITIONS[upon.kind].text(upon)


def said(tables: Tables, upon: Upon) -> str:
    """What a clause waits for, in words."""
    return CONDITIONS[upon.kind].say(tables, upon)


def waits_for_war(clause: Clause) -> bool:
    """Whether a clause is due when a War begins. It is then carried out in whatever Phase that is.

    Rules: TRE-004 (Decision 77)
    """
    return clause.upon is not None and clause.upon.kind == "war"


def happened(state: State, upon: Upon) -> bool:
    """Whether it is so now."""
    return CONDITIONS[upon.kind].happened(state, upon)
