"""Meeting a deficit: which Military Units abroad and which Status markers are given up, and by whose choice.

A unit saves its Strength Points, a linked marker its maintenance. What is given up must save the deficit with the
least possible excess, and the Treasury is then 0. When an event makes the Power spend on units, everything else
goes before the units that the event counts. The Indian Army goes only if nothing else covers the deficit.
Rules: ADM-020, ADM-021, ADM-024, ETI-038, EVT-020, EVT-021, R-ADM-04, Decisions 19, 20 and 39
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from paxtui.pax.board.holdings import holdings
from paxtui.pax.board.links import linked_areas
from paxtui.pax.board.tables import RandomEvent, Tables
from paxtui.pax.expansion import duties
from paxtui.pax.expansion.special_garrisons import INDIAN, KEPT, india_zone, is_heavy
from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import LEVEL, NAVAL
from paxtui.pax.state.questions import Deficit, Pending
from paxtui.pax.turn.record_sheet import free_of_upkeep
from paxtui.pax.words.spoken import power_name

RULES = ("ADM-020", "ADM-021", "ADM-024")


class Asset(msgspec.Struct, frozen=True):
    """Something that can be given up: `text` names it in answers, `saves` pounds; a unit's name or a marker."""

    text: str
    saves: int
    area: str
    unit: str = ""
    marker: str = ""
    counted: bool = False  # a unit whose maintenance counts towards a forced expenditure of this turn
    indian: bool = False  # an Army (10) where the Indian Army has to be


# --- what units cost, and what of it an event counts --------------------------------------------------------------


def forced(tables: Tables, state: State, power: str) -> RandomEvent | None:
    """The event of this turn that makes the Power spend on units, if there is one (EVT-022)."""
    events = (tables.events[d] for d in state.events)
    return next((e for e in events if e.power == power and e.spend_at_least), None)


def assets(tables: Tables, state: State, power: str) -> list[Asset]:
    """Everything that a Power can give up: units abroad outside its States and Dominions, linked markers with a cost.

    Rules: ADM-017, ADM-024, EVT-043, EVT-063, R-EVT-06
    """
    event = forced(tables, state, power)
    out = []
    spared = _left_out(tables, state, power, event)
    zone = india_zone(tables, state) if power == INDIAN else frozenset[str]()
    for area, here in state.areas.items():
        if free_of_upkeep(here, power):
            continue
        for unit in here.units:
            if unit.power != power:
                continue
            counted = event is not None and (event.spend_on != NAVAL or unit.kind == NAVAL)
            indian = area in zone and is_heavy(unit, power)
            if indian and spared.get(area, 0):
                spared[area] -= 1
                counted = False
            text = f"{unit.name} {area}"
            out.append(Asset(text, unit.strength, area, unit=unit.name, counted=counted, indian=indian))
    linked = linked_areas(tables, state, power)
    for area, marker in holdings(state, power):
        cost = tables.markers[marker].maintenance
        if cost and area in linked:
            out.append(Asset(f"{marker} {area}", cost, area, marker=marker))
    return out


def _left_out(tables: Tables, state: State, power: str, event: RandomEvent | None) -> dict[str, int]:
    """How many Armies (10) of the Indian Army stand in each Area, where the event leaves the Indian Army out."""
    if event is None or event.spend_except != "indian_army":
        return {}
    left = KEPT
    zone = india_zone(tables, state)
    out: dict[str, int] = {}
    for area, here in state.areas.items():
        for unit in here.units if area in zone else ():
            if left and is_heavy(unit, power):
                out[area] = out.get(area, 0) + 1
                left -= 1
    return out


def upkeep_counted(tables: Tables, state: State, power: str) -> int:
    """Pounds of this turn's unit maintenance that count towards a forced expenditure; 0 where there is none.

    Rules: EVT-017, EVT-043, EVT-063, R-EVT-06
    """
    if forced(tables, state, power) is None:
        return 0
    return sum(a.saves for a in assets(tables, state, power) if a.counted)


# --- the least excess ---------------------------------------------------------------------------------------------


def least_excess(
    offered: Sequence[Asset], deficit: int, of_india: int | None = None
) -> tuple[int, bool, tuple[str, ...]]:
    """The best way to save `deficit` pounds, with at most `of_india` of the Armies (10) near India; None: any number.

    Returns: the least sum of savings that reaches the deficit (the most there is, if that is too little); whether
        only one set of pieces saves exactly this sum; and such a set with the fewest pieces, as texts.
    Rules: ADM-020, ADM-021, ADM-024
    """
    most = len(offered) if of_india is None else of_india
    groups = Counter(a.text for a in offered)
    known = {a.text: a for a in offered}
    # (sum of savings, Armies near India) -> how many sets reach it (2 means several), and one with the fewest pieces
    best: dict[tuple[int, int], tuple[int, tuple[str, ...]]] = {(0, 0): (1, ())}
    for text, count in groups.items():
        saves, near = known[text].saves, int(known[text].indian)
        grown = dict(best)
        for (reached, used), (ways, pieces) in best.items():
            for n in range(1, count + 1):
                if reached + (n - 1) * saves >= deficit or used + n * near > most:
                    break
                key = (reached + n * saves, used + n * near)
                mine = (*pieces, *[text] * n)
                before = grown.get(key)
                if before is not None:
                    ways_now, fewest = before
                    grown[key] = (min(2, ways_now + ways), mine if len(mine) < len(fewest) else fewest)
                else:
                    grown[key] = (ways, mine)
        best = grown
    totals = {total for total, _ in best}
    least = min((total for total in totals if total >= deficit), default=max(totals))
    found = [(ways, pieces) for (total, _), (ways, pieces) in best.items() if total == least]
    return least, sum(ways for ways, _ in found) == 1, min((pieces for _, pieces in found), key=len)


# --- giving up ----------------------------------------------------------------------------------------------------


def cover(play: Play, power: str, deficit: int) -> None:
    """Meet a deficit of so many pounds: at once where there is one way, else by a choice of the Power's seat.

    In a turn of forced expenditure all else goes before the units that the event counts. The three Armies (10) of the
    Indian Army go last of all, and no more of them than must.

    Rules: ADM-020, ADM-021, ADM-024, EVT-020, EVT-021 (Decision 39)
    """
    have = assets(play.tables, play.state, power)
    near_india = [a for a in have if a.indian]
    offered = [a for a in have if not a.indian]
    of_india = max(0, len(near_india) - KEPT)
    if forced(play.tables, play.state, power) is not None:
        first = [a for a in offered if not a.counted]
        if sum(a.saves for a in first) >= deficit:
            offered, near_india = first, []
        else:
            give_up(play, power, first)
            deficit -= sum(a.saves for a in first)
            offered = [a for a in offered if a.counted]
    while of_india < len(near_india) and sum(a.saves for a in (*offered, *near_india[:of_india])) < deficit:
        of_india += 1
    if of_india:
        offered = [*offered, *near_india]
    least, single, default = least_excess(offered, deficit, of_india)
    saves = {a.text: a.saves for a in offered}
    if single:
        give_up(play, power, [named(text, saves[text]) for text in default])
        spare(play, power, least - deficit)
        return
    name = power_name(play.tables, power)
    bound = f"; of the Armies (10) near India {of_india} at most" if 0 < of_india < len(near_india) else ""
    play.offer(
        power,
        Deficit(deficit, least, saves, tuple(sorted({a.text for a in offered if a.indian})), of_india),
        tuple(a.text for a in offered),
        default,
        prompt=f"{name} lacks £{deficit}: give up Military Units abroad (each saves its strength) and markers "
        f"(each saves its maintenance) worth exactly £{least}{bound}.",
        rules=RULES,
    )


def answer_deficit(play: Play, choice: Pending, about: Deficit, answer: tuple[str, ...]) -> None:
    """Give up what the seat has named.

    Raises: Refusal `not_offered`, `not_exact`, `indian_army`.
    Rules: ADM-020, ADM-021, ADM-024 (Decision 39)
    """
    few = Counter(answer) - Counter(o for o in choice.options if isinstance(o, str))
    if few:
        refuse(
            "not_offered",
            ("ADM-024",),
            f"{', '.join(few)}: there are not so many to give up. On offer: {', '.join(map(str, choice.options))}.",
            too_many=dict(few),
        )
    if sum(text in about.near_india for text in answer) > about.of_india:
        refuse(
            "indian_army",
            ("ADM-021", "STA-045"),
            f"The Indian Army is given up only as far as nothing else covers the deficit: name {about.of_india} of the "
            f"Armies (10) near India at most.",
            at_most=about.of_india,
        )
    saved, exactly = sum(about.saves[text] for text in answer), about.exactly
    if saved != exactly:
        refuse(
            "not_exact",
            ("ADM-020", "ADM-024"),
            f"That saves £{saved}; what is given up must save exactly £{exactly}, the nearest to the deficit of "
            f"£{about.deficit}. For example: {', '.join(map(str, choice.default))}.",
            saved=saved,
            exactly=exactly,
        )
    give_up(play, choice.power, [named(text, about.saves[text]) for text in answer])
    spare(play, choice.power, saved - about.deficit)


def named(text: str, saves: int) -> Asset:
    """The asset that a text of `assets` names ("A3 algiers", "influence siam")."""
    what, area = text.split()
    if what in LEVEL:
        return Asset(text, saves, area, marker=what)
    return Asset(text, saves, area, unit=what)


def give_up(play: Play, power: str, gone: Sequence[Asset]) -> None:
    """Take units and markers off the map; a marker raises the tensions by one a step, its owner is to blame.

    Raises: GameOver.
    Rules: ADM-020, ADM-024, ETI-013, ETI-038
    """
    paid = upkeep_counted(play.tables, play.state, power)
    units: dict[str, list[str]] = {}
    for asset in gone:
        if asset.unit:
            units.setdefault(asset.area, []).append(asset.unit)
    for area, names in units.items():
        play.emit(ev.UnitsLost(power=power, units=tuple(names), place=area, reason="deficit", rules=RULES))
    unpaid = paid - upkeep_counted(play.tables, play.state, power)
    if unpaid:
        # only money that was paid counts towards the duty
        treasury: dict[str, int | None] = {"22": play.state.powers[power].treasury}
        play.emit(ev.RecordWritten(power=power, lines=treasury, upkeep=-unpaid, rules=("EVT-017",)))
    tense = play.state.options.eti_for_lost_garrisons
    for asset in gone:
        if asset.marker:
            blame = power if tense else None
            play.lower(asset.area, power, asset.marker, "", "deficit", ("ETI-038", *RULES), blame)


def spare(play: Play, power: str, excess: int) -> None:
    """What giving up has saved beyond the deficit: lost, except as far as a forced expenditure can use it for units.

    Rules: ADM-020, ADM-024, EVT-021 (Decision 19)
    """
    event = forced(play.tables, play.state, power)
    if excess <= 0 or event is None:
        return
    due = event.spend_at_least - play.state.powers[power].upkeep
    kept = buys(play.tables, due, excess) if duties.cheapest(play.tables, play.state, power) else 0
    if kept:
        play.money(power, kept, "left over for the units an event demands", ("EVT-021",))
        play.emit(ev.RecordWritten(power=power, lines={"22": play.state.powers[power].treasury}, rules=("EVT-021",)))


def buys(tables: Tables, due: int, pounds: int) -> int:
    """How much of `pounds` goes into units when `due` pounds are demanded: no more units than meet the demand."""
    if due <= 0:
        return 0
    prices = {price for cost in tables.units.values() for price in (cost.army, cost.naval)}
    sums = {0}
    for total in range(1, pounds + 1):
        if any(total - price in sums for price in prices):
            sums.add(total)
    return min((total for total in sums if total >= due), default=max(sums))
