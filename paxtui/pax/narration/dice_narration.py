"""What dice have decided, in plain words: Random Events, Unrest, Colonial Offices, Minor Powers, combat."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.words.spoken import of_power, place_name, power_name, sentence, the_power, the_powers


def _dice(dice: tuple[int, ...]) -> str:
    return "-".join(map(str, dice))


def _rolled(t: Tables, e: ev.DiceRolled) -> str:
    who = f"{sentence(the_power(t, e.power)).rstrip('.')}: " if e.power else ""
    return f"{who}dice {_dice(e.dice)} for {e.what.replace('_', ' ')}" + (f": {e.outcome}" if e.outcome else "")


def _event(t: Tables, e: ev.RandomEventRolled) -> str:
    if not e.happens:
        return f"dice {e.event}: {e.title}; rolled again ({e.why})"
    effect = t.events[e.event].says if e.event in t.events else ""
    extra = " King Leopold demands colonial expansion." if e.leopold else ""
    return f"dice {e.event}: {e.title}. {effect}{extra}".rstrip()


def _unrest(t: Tables, e: ev.UnrestBegan) -> str:
    dice = f"dice {_dice(e.dice)} on Unrest Table {e.table}: " if e.dice else ""
    if not e.happens:
        return f"{dice}{place_name(t, e.area)} cannot rise; rolled again"
    return f"{dice}Unrest in {place_name(t, e.area)}!"


def _calm(t: Tables, e: ev.UnrestEnded) -> str:
    by = f"; {the_powers(t, e.by)} put{'' if len(e.by) > 1 else 's'} it down" if e.by else ""
    return f"The Unrest in {place_name(t, e.area)} is over{by}"


def _office(t: Tables, e: ev.OfficeIncome) -> str:
    die = f"die {e.die}" if e.die else "no die"
    note = f" ({e.note})" if e.note else ""
    return f"{of_power(t, e.power)} Colonial Office pays £{e.amount}: {die}{note}"


def _minor(t: Tables, e: ev.MinorActivity) -> str:
    return f"{the_power(t, e.power)} {'is active' if e.active else 'stays quiet'} (die {e.die})"


def _directed(t: Tables, e: ev.MinorDirected) -> str:
    if not e.accepted:
        return f"{the_power(t, e.power)}: dice {_dice(e.dice)}, {place_name(t, e.area)} is not open to it; rolled again"
    return f"{the_power(t, e.power)} turns to {place_name(t, e.area)} (dice {_dice(e.dice)})"


RESULTS = {
    "E": "attacker eliminated",
    "AR": "attacker retreats",
    "EX": "exchange",
    "HX": "half exchange",
    "DR": "defender retreats",
    "DE": "defender eliminated",
}
"""Results of the Combat Results Tables."""


def _combat(t: Tables, e: ev.ColonialCombat) -> str:
    who, several = the_powers(t, e.powers), len(e.powers) > 1
    where = place_name(t, e.area)
    if not e.die:
        return f"{who} {'take' if several else 'takes'} {where}, which does not resist"
    means = {
        "defeated": "the Area is defeated",
        "eliminated": "all armies there are lost",
        "retreat": "the armies retreat",
        "losses": f"strength {e.losses} must be lost",
    }.get(e.effect, e.effect)
    return (
        f"{who} {'attack' if several else 'attacks'} {where}: {e.attack} against {e.defend}, Table {e.table} at "
        f"{e.column}, die {e.die}: {RESULTS.get(e.result, e.result)}; {means}"
    )


def _order(t: Tables, e: ev.OrderDrawn) -> str:
    return f"Order of attack in {place_name(t, e.area)}: {', '.join(power_name(t, p) for p in e.powers)}"


def _rebellion(t: Tables, e: ev.RebellionChecked) -> str:
    out = "the Chinese rise" if e.rebellion else "no Rebellion"
    return f"Chinese Rebellion on {e.target} or less: dice {_dice(e.dice)} = {sum(e.dice)}, {out}"


WORDS: dict[type, Callable[[Tables, Any], str]] = {
    ev.DiceRolled: _rolled,
    ev.RandomEventRolled: _event,
    ev.UnrestBegan: _unrest,
    ev.UnrestEnded: _calm,
    ev.OfficeIncome: _office,
    ev.MinorActivity: _minor,
    ev.MinorDirected: _directed,
    ev.ColonialCombat: _combat,
    ev.OrderDrawn: _order,
    ev.RebellionChecked: _rebellion,
}
"""A line for each of these events, for `paxtui.pax.narration.narrate`."""
