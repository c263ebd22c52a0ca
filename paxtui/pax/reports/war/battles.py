"""A battle of War as it went: both sides, the die, and all that followed from it.

Rules: WCB-018 to WCB-030, WCB-034 to WCB-039
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from paxtui.pax.history import events as ev
from paxtui.pax.narration.narrate import Narrator
from paxtui.pax.reports.page import BAD, GOOD, PLAIN, Told
from paxtui.pax.words.spoken import of_power, place_name, sentence

_FOLLOWS = (ev.UnitsLost, ev.UnitsMoved, ev.UnitsSurrendered, ev.AreaConquered)
_BREAKS = (ev.WarPhaseBegan, ev.PhaseBegan, ev.ColonialCombat)


class Battle(NamedTuple):
    """A battle with what followed from it in the same act."""

    fought: ev.BattleFought
    follows: tuple[ev.Event, ...]


def battles(events: Sequence[ev.Event]) -> list[Battle]:
    """The battles among some events, each with what came of it in its place."""
    starts = [n for n, event in enumerate(events) if isinstance(event, ev.BattleFought)]
    out = []
    for start, end in pairwise([*starts, len(events)]):
        fought = events[start]
        assert isinstance(fought, ev.BattleFought)
        rest = events[start + 1 : end]
        stop = next((n for n, e in enumerate(rest) if isinstance(e, _BREAKS)), len(rest))
        follows = tuple(e for e in rest[:stop] if isinstance(e, _FOLLOWS) and fought.place in _places(e))
        out.append(Battle(fought, follows))
    return out


def _places(event: ev.Event) -> tuple[str, ...]:
    if isinstance(event, ev.UnitsMoved):
        return event.path
    return (getattr(event, "area", "") or getattr(event, "place", ""),)


def after_it(narrator: Narrator, battle: Battle) -> list[str]:
    """What followed from a battle, a sentence each; Units of a Power that retreat to the same place stand in one."""
    tables = narrator.known.tables
    gone: dict[tuple[str, str], list[str]] = {}
    for event in battle.follows:
        if isinstance(event, ev.UnitsMoved):
            gone.setdefault((event.power, event.path[-1]), []).extend(event.units)
    out, told = [], set[tuple[str, str]]()
    for event in battle.follows:
        if isinstance(event, ev.UnitsMoved):
            way = event.power, event.path[-1]
            if way not in told:
                told.add(way)
                verb = "retreats" if len(gone[way]) == 1 else "retreat"
                units = f"{of_power(tables, event.power)} {' '.join(gone[way])}"
                out.append(sentence(f"{units} {verb} to {place_name(tables, event.path[-1])}"))
        elif text := narrator.tell(event):
            out.append(sentence(text))
    return out


def told_battle(narrator: Narrator, battle: Battle, mine: tuple[str, ...]) -> Told:
    """A battle in one line of a report.

    Args: the narrator of who reads it; the battle; the Powers of who reads it.
    """
    fought = battle.fought
    text = " ".join([sentence(narrator.tell(fought)), *after_it(narrator, battle)])
    tone = PLAIN
    if set(mine) & {*fought.attackers, *fought.defenders}:
        won = fought.result in ("DR", "DE") or (fought.result in ("EX", "HX") and fought.attack > fought.defend)
        tone = GOOD if won == bool(set(mine) & set(fought.attackers)) else BAD
    return Told(text, fought.place, tone)
