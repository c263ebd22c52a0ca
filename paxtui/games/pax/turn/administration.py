"""The Administrative Phase: Record Sheets of all Powers (lines 01 to 22), Treasuries, and the coverage of deficits.

Only established markers with a Communication Link count, for income and for maintenance (R-ADM-02). Units abroad cost
maintenance anywhere. Each Power with a Treasury follows in table order: Colonial Office, lines 01 to 22, Treasury.

A deficit is covered at once if only one way is allowed; otherwise the seat chooses which units and markers to give up.
A unit saves its Strength Points, a linked marker its maintenance. The choice must have the least possible excess; the
Treasury is then 0. If an event forces spending on units, counted units go last. The Indian Army goes only if nothing
else covers the deficit.

Rules: ADM-001, R-ADM-04
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from paxtui.games.pax.board.caching import CacheKey, cached
from paxtui.games.pax.board.routes import linked_areas
from paxtui.games.pax.board.status import effective_value, holdings
from paxtui.games.pax.board.tables import MINOR_OR_EIGHTH_PLAYER, PLAYED_BY_GERMANY, Tables
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.expansion import duties
from paxtui.games.pax.expansion.garrisons import INDIAN, KEPT_ARMIES, india_zone, is_heavy
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import (
    CONTROL,
    DOMINION,
    INFLUENCE,
    INTEREST,
    LEVEL,
    NAVAL,
    POSSESSION,
    PROTECTORATE,
    STATE,
    AreaState,
)
from paxtui.games.pax.state.questions import Deficit, Pending
from paxtui.games.pax.text.display import power_name
from paxtui.games.pax.transaction import Phase, Transaction, refuse

FIGURED = ("01", "02", "03", "04", "05", "06", "07", "08", "09", "11", "12", "13", "14", "16", "17", "18", "19", "20")
"""Lines computed from the position alone; line 21 is a sum of them, lines 10, 15 and 22 need the Colonial Office."""
DEFICIT_RULES = ("ADM-020", "ADM-021", "ADM-024")
NO_CONTROL_COLUMN = 6
"""Column for Powers without a Control marker (ADM-009)."""
BELGIAN_ROW = "italy"
"""Row of which Belgium gets half, or all when King Leopold demands colonies (BEL-008, BEL-011)."""
SHEET_RULES = (
    "ADM-004",
    "ADM-005",
    "ADM-006",
    "ADM-011",
    "ADM-012",
    "ADM-013",
    "ADM-015",
    "ADM-016",
    "ADM-018",
)


class MarkerLines(msgspec.Struct, frozen=True):
    """Lines of a kind of marker on the sheet: number, value, income and maintenance ("": none)."""

    number: str
    value: str
    income: str
    maintenance: str
    shared: bool  # in a Codominion its Area counts with the effective value


SHEET = {
    DOMINION: MarkerLines("01", "03", "11", "17", True),
    STATE: MarkerLines("01", "03", "11", "17", True),
    POSSESSION: MarkerLines("02", "03", "11", "18", True),
    PROTECTORATE: MarkerLines("04", "05", "12", "19", True),
    INFLUENCE: MarkerLines("06", "07", "13", "20", False),
    INTEREST: MarkerLines("08", "09", "14", "", False),
}


@cached(most=8, by=lambda areas: ((), (areas,)))
def _strength_abroad(areas: dict[str, AreaState]) -> dict[str, int]:
    """Return the strength points abroad with upkeep of each Power, cached per position."""
    abroad: dict[str, int] = {}
    for here in areas.values():
        for power in {unit.power for unit in here.units}:
            if not is_free_of_upkeep(here, power):
                points = sum(unit.strength for unit in here.units if unit.power == power)
                abroad[power] = abroad.get(power, 0) + points
    return abroad


def is_free_of_upkeep(here: AreaState, power: str) -> bool:
    """Return whether units of the Power in this Area cost nothing: its own State or Dominion.

    Rules: ADM-017, R-ADM-06
    """
    return any(m.power == power and m.established and m.marker in (STATE, DOMINION) for m in here.markers)


def area_value(tables: Tables, state: State, area: str, marker: str) -> int:
    """Return the Economic Value in pounds on which a marker of this kind earns. Rules: ADM-023."""
    return effective_value(tables, state, area) if SHEET[marker].shared else tables.areas[area].value


def sheet_lines(tables: Tables, state: State, power: str) -> dict[str, int]:
    """Return lines 01-09, 11-14 and 16-21 of a Power in the present position, in pieces and pounds.

    Rules: ADM-004, ADM-005, ADM-006, ADM-007, ADM-011, ADM-013 to ADM-017, ADM-022, ADM-023
    """
    return dict(_compute_lines(tables, state, power))


def _sheet_cache_key(tables: Tables, state: State, power: str) -> CacheKey:
    return (power, state.balkan_wars), (tables, state.options, state.areas, state.sea_zones)


@cached(most=64, by=_sheet_cache_key)
def _compute_lines(tables: Tables, state: State, power: str) -> dict[str, int]:
    lines = dict.fromkeys(FIGURED, 0)
    markers = holdings(state, power)
    linked = linked_areas(tables, state, power) if markers else frozenset()
    for area, marker in markers:
        if area not in linked:
            continue
        kind, cost, value = SHEET[marker], tables.markers[marker], area_value(tables, state, area, marker)
        lines[kind.number] += 1
        lines[kind.value] += value
        lines[kind.income] += value * cost.multiplier
        if kind.maintenance:
            lines[kind.maintenance] += cost.maintenance
    lines["16"] = _strength_abroad(state.areas).get(power, 0)
    lines["21"] = sum(lines[line] for line in ("16", "17", "18", "19", "20"))
    return lines


def area_earnings(tables: Tables, state: State, power: str) -> dict[str, int]:
    """Return the earnings of each Area with a marker of the Power, in pounds per turn after the marker's maintenance.

    Rules: ADM-011, ADM-013 to ADM-016, ADM-023
    """
    linked = linked_areas(tables, state, power)
    out: dict[str, int] = {}
    for area, marker in holdings(state, power):
        cost = tables.markers[marker]
        income = area_value(tables, state, area, marker) * cost.multiplier
        upkeep = cost.maintenance if SHEET[marker].maintenance else 0
        out[area] = out.get(area, 0) + (income - upkeep if area in linked else 0)
    return out


def colonial_income(lines: dict[str, int]) -> int:
    """Return the sum of lines 11 to 14 in pounds: income from Areas, without the Colonial Office."""
    return lines["11"] + lines["12"] + lines["13"] + lines["14"]


def forecast_net_income(tables: Tables, state: State, power: str) -> int:
    """Return the expected line 22 in pounds, without the Colonial Office (line 10). Rules: ADM-018, SET-066."""
    lines = sheet_lines(tables, state, power)
    return colonial_income(lines) - lines["21"]


def sheet_values(tables: Tables, state: State, power: str) -> dict[str, int | None]:
    """Return the whole sheet, lines 01 to 31: recorded values of this turn, else values of the position.

    An unknown line (10, 15 and 22 before the Colonial Office, 23 to 31 before their Phase) is None.

    Rules: SET-054, ADM-022
    """
    record = state.powers[power].record
    written = record.get("01") is not None
    figured: dict[str, int] = {} if written else sheet_lines(tables, state, power)
    return {line: figured.get(line, record.get(line)) for line in tables.record}


class DeficitAsset(msgspec.Struct, frozen=True):
    """A unit or marker that can be given up: `text` is its name in answers, `saves` is in pounds."""

    text: str
    saves: int
    area: str
    unit: str = ""
    marker: str = ""
    counted: bool = False  # a unit whose maintenance counts towards a forced expenditure of this turn
    indian: bool = False  # an Army (10) where the Indian Army has to be


def deficit_assets(tables: Tables, state: State, power: str) -> list[DeficitAsset]:
    """Return what a Power can give up: units abroad outside its States and Dominions, linked markers with a cost.

    Rules: ADM-017, ADM-024, EVT-043, EVT-063, R-EVT-06
    """
    event = duties.forcing_event(tables, state, power)
    out = []
    spared = KEPT_ARMIES if event is not None and event.spend_except == "indian_army" else 0
    zone = india_zone(tables, state) if power == INDIAN else frozenset[str]()
    for area, here in state.areas.items():
        free = is_free_of_upkeep(here, power)
        for unit in here.units:
            if unit.power != power:
                continue
            indian = area in zone and is_heavy(unit, power)
            excluded = indian and spared > 0
            spared -= excluded
            if not free:
                counted = event is not None and not excluded and (event.spend_on != NAVAL or unit.kind == NAVAL)
                text = f"{unit.name} {area}"
                out.append(DeficitAsset(text, unit.strength, area, unit=unit.name, counted=counted, indian=indian))
    linked = linked_areas(tables, state, power)
    for area, marker in holdings(state, power):
        cost = tables.markers[marker].maintenance
        if cost and area in linked:
            out.append(DeficitAsset(f"{marker} {area}", cost, area, marker=marker))
    return out


def counted_upkeep(tables: Tables, state: State, power: str) -> int:
    """Return the pounds of this turn's unit maintenance that count towards a forced expenditure, or 0.

    Rules: EVT-017, EVT-043, EVT-063, R-EVT-06
    """
    if duties.forcing_event(tables, state, power) is None:
        return 0
    return sum(a.saves for a in deficit_assets(tables, state, power) if a.counted)


def least_excess(
    offered: Sequence[DeficitAsset], deficit: int, of_india: int | None = None
) -> tuple[int, bool, tuple[str, ...]]:
    """Find the best way to save `deficit` pounds with at most `of_india` Armies (10) near India (None: any number).

    Returns: the least sum of savings that reaches the deficit (the maximum, if that is too little); whether only one
    set of pieces saves exactly this sum; and such a set with the fewest pieces, as texts.

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
        for (reached, used), (set_count, pieces) in best.items():
            for n in range(1, count + 1):
                if reached + (n - 1) * saves >= deficit or used + n * near > most:
                    break
                key = (reached + n * saves, used + n * near)
                combination = (*pieces, *[text] * n)
                before = grown.get(key)
                if before is not None:
                    known_count, fewest = before
                    shorter = combination if len(combination) < len(fewest) else fewest
                    grown[key] = (min(2, known_count + set_count), shorter)
                else:
                    grown[key] = (set_count, combination)
        best = grown
    totals = {total for total, _ in best}
    least = min((total for total in totals if total >= deficit), default=max(totals))
    found = [(set_count, pieces) for (total, _), (set_count, pieces) in best.items() if total == least]
    return least, sum(set_count for set_count, _ in found) == 1, min((pieces for _, pieces in found), key=len)


def cover_deficit(play: Transaction, power: str, deficit: int) -> None:
    """Cover a deficit in pounds: at once if there is one way, else by a choice of the Power's seat.

    In a turn of forced expenditure, units that the event counts go last. The three Armies (10) of the Indian Army go
    only after all else, as few as necessary.

    Rules: ADM-020, ADM-021, ADM-024, EVT-020, EVT-021 (Decision 39)
    """
    have = deficit_assets(play.tables, play.state, power)
    near_india = [a for a in have if a.indian]
    offered = [a for a in have if not a.indian]
    of_india = max(0, len(near_india) - KEPT_ARMIES)
    if duties.forcing_event(play.tables, play.state, power) is not None:
        first = [a for a in offered if not a.counted]
        if sum(a.saves for a in first) >= deficit:
            offered, near_india = first, []
        else:
            give_up_assets(play, power, first)
            deficit -= sum(a.saves for a in first)
            offered = [a for a in offered if a.counted]
    while of_india < len(near_india) and sum(a.saves for a in (*offered, *near_india[:of_india])) < deficit:
        of_india += 1
    if of_india:
        offered = [*offered, *near_india]
    least, single, default = least_excess(offered, deficit, of_india)
    saves = {a.text: a.saves for a in offered}
    if single:
        give_up_assets(play, power, [parse_asset(text, saves[text]) for text in default])
        credit_excess(play, power, least - deficit)
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
        rules=DEFICIT_RULES,
    )


def answer_deficit(play: Transaction, choice: Pending, about: Deficit, answer: tuple[str, ...]) -> None:
    """Give up what the seat has named.

    Raises: Refusal `not_offered`, `not_exact`, `indian_army`.
    Rules: ADM-020, ADM-021, ADM-024 (Decision 39)
    """
    few = Counter(answer) - Counter(o for o in choice.options if isinstance(o, str))
    if few:
        refuse(
            "not_offered",
            ("ADM-024",),
            f"There are not so many to give up: {', '.join(few)}. Options: {', '.join(map(str, choice.options))}.",
            too_many=dict(few),
        )
    if sum(text in about.near_india for text in answer) > about.of_india:
        refuse(
            "indian_army",
            ("ADM-021", "STA-045"),
            "The Indian Army covers only the part of the deficit that nothing else can cover. Name at "
            f"most {about.of_india} of the Armies (10) near India.",
            at_most=about.of_india,
        )
    saved, exactly = sum(about.saves[text] for text in answer), about.exactly
    if saved != exactly:
        refuse(
            "not_exact",
            ("ADM-020", "ADM-024"),
            f"That saves £{saved}, but it must save exactly £{exactly}, the nearest to the deficit of "
            f"£{about.deficit}. For example: {', '.join(map(str, choice.default))}.",
            saved=saved,
            exactly=exactly,
        )
    give_up_assets(play, choice.power, [parse_asset(text, about.saves[text]) for text in answer])
    credit_excess(play, choice.power, saved - about.deficit)


def parse_asset(text: str, saves: int) -> DeficitAsset:
    """Return the asset that a text names ("A3 algiers", "influence siam")."""
    what, area = text.split()
    if what in LEVEL:
        return DeficitAsset(text, saves, area, marker=what)
    return DeficitAsset(text, saves, area, unit=what)


def give_up_assets(play: Transaction, power: str, assets: Sequence[DeficitAsset]) -> None:
    """Remove units and markers from the map; a marker raises the tensions by one a step, blamed on its owner.

    Raises: GameOver.
    Rules: ADM-020, ADM-024, ETI-013, ETI-038
    """
    paid = counted_upkeep(play.tables, play.state, power)
    units: dict[str, list[str]] = {}
    for asset in assets:
        if asset.unit:
            units.setdefault(asset.area, []).append(asset.unit)
    for area, names in units.items():
        play.emit(ev.UnitsLost(power=power, units=tuple(names), place=area, reason="deficit", rules=DEFICIT_RULES))
    unpaid = paid - counted_upkeep(play.tables, play.state, power)
    if unpaid:
        # only money that was paid counts towards the duty
        treasury: dict[str, int | None] = {"22": play.state.powers[power].treasury}
        play.emit(ev.RecordWritten(power=power, lines=treasury, upkeep=-unpaid, rules=("EVT-017",)))
    tense = play.state.options.eti_for_lost_garrisons
    for asset in assets:
        if asset.marker:
            blame = power if tense else None
            play.lower(asset.area, power, asset.marker, "", "deficit", ("ETI-038", *DEFICIT_RULES), blame)


def credit_excess(play: Transaction, power: str, excess: int) -> None:
    """Credit savings beyond the deficit only as far as a forced expenditure can spend them on units; the rest is lost.

    Rules: ADM-020, ADM-024, EVT-021 (Decision 19)
    """
    event = duties.forcing_event(play.tables, play.state, power)
    if excess <= 0 or event is None:
        return
    due = event.spend_at_least - play.state.powers[power].upkeep
    kept = unit_spending(play.tables, due, excess) if duties.cheapest_unit_price(play.tables, play.state, power) else 0
    if kept:
        play.money(power, kept, "left over for the units an event demands", ("EVT-021",))
        play.emit(ev.RecordWritten(power=power, lines={"22": play.state.powers[power].treasury}, rules=("EVT-021",)))


def unit_spending(tables: Tables, due: int, pounds: int) -> int:
    """Return how much of `pounds` buys units when `due` pounds are demanded: no more units than meet the demand."""
    if due <= 0:
        return 0
    prices = {price for cost in tables.units.values() for price in (cost.army, cost.naval)}
    sums = {0}
    for total in range(1, pounds + 1):
        if any(total - price in sums for price in prices):
            sums.add(total)
    return min((total for total in sums if total >= due), default=max(sums))


def run(play: Transaction) -> None:
    """Fill in the sheet of each Power, once. Rules: SEQ-008, SET-068, ADM-003."""
    if play.state.top.step == "done":
        return
    for power in play.tables.powers:
        if power in play.state.powers:
            fill_in_sheet(play, power)
    play.emit(ev.StepTaken(step="done", rules=("SET-068",)))


def fill_in_sheet(play: Transaction, power: str) -> None:
    """Fill in sections I to IV of one Power's sheet.

    Lines 16 to 21 do not change when a deficit then makes the Power give something up. Line 22 is the resulting
    Treasury, never below 0.

    Rules: ADM-002, ADM-012, ADM-016, ADM-018, ADM-019, ADM-020, SET-054
    """
    tables = play.tables
    figures = sheet_lines(tables, play.state, power)
    office = colonial_office(play, power)
    income = office + colonial_income(figures)
    net = income - figures["21"]
    lines: dict[str, int | None] = dict.fromkeys(tables.record)
    lines.update(figures)
    lines["10"], lines["15"], lines["22"] = office, income, max(0, net)
    play.emit(
        ev.RecordWritten(
            power=power,
            lines=lines,
            fresh=True,
            upkeep=counted_upkeep(tables, play.state, power),
            had_control=has_control(play.state, power),
            rules=SHEET_RULES,
        )
    )
    left = play.state.powers[power].treasury
    # the Treasury is set: what was left of the last turn is gone
    play.money(power, max(0, net) - left, "net income of the turn", ("ADM-018", "ADM-019"))
    if net < 0:
        cover_deficit(play, power, -net)


def has_control(state: State, power: str) -> bool:
    """Return whether the Power has an established Control marker on the map, linked or not (R-ADM-05)."""
    return any(marker in CONTROL for _, marker in holdings(state, power))


def has_colonial_office_roll(tables: Tables, state: State, power: str) -> bool:
    """Return whether the Power rolls for its Colonial Office instead of taking column six.

    Austria-Hungary always rolls. Belgium rolls from its first Control marker on, even after losing it.

    Rules: ADM-009, ADM-010, BEL-009, R-BEL-01
    """
    kind = tables.powers[power].kind
    if kind == PLAYED_BY_GERMANY:
        return True
    if kind == MINOR_OR_EIGHTH_PLAYER:
        return state.powers[power].had_control
    return has_control(state, power)


def colonial_office(play: Transaction, power: str) -> int:
    """Return line 10 of a Power in pounds: one die on its row, or column six, and the events of the turn.

    An event that removes the income takes precedence, and no die is rolled.

    Rules: ADM-008, ADM-009, ADM-010, SET-067, BEL-008, BEL-009, BEL-011, EVT-013, EVT-023, EVT-043, EVT-045, EVT-047,
    EVT-050 to EVT-055, EVT-061
    """
    tables, state = play.tables, play.state
    of_turn = [tables.events[dice] for dice in state.events]
    events = [event for event in of_turn if event.power == power and event.office]
    rules = ["ADM-008", *(e.rules[0] for e in events if e.rules)]
    notes = [f"{e.title}: {e.office}" for e in events]
    if any(e.office == "none" for e in events):
        die = column = 0
    elif has_colonial_office_roll(tables, state, power):
        die = column = play.dice.roll()
        if tables.powers[power].kind == PLAYED_BY_GERMANY:
            rules.append("ADM-010")
    else:
        die, column = 0, NO_CONTROL_COLUMN
        notes.insert(0, ev.NO_CONTROL_NOTE)
        rules.append("BEL-009" if tables.powers[power].kind == MINOR_OR_EIGHTH_PLAYER else "ADM-009")
    row = tables.colonial_office[power]
    if state.leopold and tables.powers[power].kind == MINOR_OR_EIGHTH_PLAYER:
        row = tables.colonial_office[BELGIAN_ROW]
        notes.append("King Leopold demands colonial expansion: not halved")
        rules.append("BEL-011")
    if sum(e.office == "double" for e in events) > 1 and column:
        rules.append("EVT-013")
    amount = row[column - 1] * 2 ** sum(e.office == "double" for e in events) if column else 0
    for _ in range(sum(e.office == "halve" for e in events)):
        amount = (amount + 1) // 2
    play.emit(ev.OfficeIncome(power=power, die=die, amount=amount, note="; ".join(notes), rules=tuple(rules)))
    return amount


PHASE = Phase(name="administrative", run=run)
