"""Victory Points: bonuses, the Victory Point Record Phase (Section V), and the Final Record Phase (Section VI).

Remaining money buys Victory Points, the rest is lost. Section VI is filled in after the last Game Turn, or in the Phase
in which the Great War breaks out.

Rules: R-VIC-09, R-VIC-10
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from paxtui.games.pax.board.adjacency import board
from paxtui.games.pax.board.caching import CacheKey, cached
from paxtui.games.pax.board.routes import path_back
from paxtui.games.pax.board.status import controls, powers_of
from paxtui.games.pax.board.tables import ANY_KIND, BONUS_KINDS, AfricaPath, Bonus, ControlTest, Tables, TreatyTest
from paxtui.games.pax.events import events
from paxtui.games.pax.state.diplomacy import IN_FORCE, Clause, Treaty
from paxtui.games.pax.state.model import Result, State
from paxtui.games.pax.state.phases import PHASES
from paxtui.games.pax.state.pieces import CONTROL
from paxtui.games.pax.text.display import place_name, power_name
from paxtui.games.pax.transaction import Phase, Transaction, void_choices
from paxtui.games.pax.treaties import lifecycle
from paxtui.games.pax.turn.administration import colonial_income, sheet_lines

RECONSTRUCTED = " (reconstructed table)"
"""Mark of a bonus from a table of ours."""
CountedBonus = tuple[Bonus | AfricaPath, int, str]
"""A bonus, its Victory Points (negative: a penalty), and the reason as text."""
PossibleBonus = tuple[Bonus | AfricaPath, str]
"""A bonus or penalty that a seat may get, and its condition."""
RECORD_RULES = ("SEQ-025", "VIC-006", "VIC-011", "VIC-012")
CULPRIT_MULTIPLE = 3
"""Multiple of the turn's penalty that a Power responsible for the Great War loses (SET-035)."""


def fitting_treaties(state: State, seat: str, test: TreatyTest) -> list[tuple[Treaty, str]]:
    """Return the Treaties that count for a seat, each with the partner it counts for.

    Each Treaty and each partner counts once, even if partners share several Treaties.

    Rules: VIC-009, VIC-010
    """
    able = {}
    for treaty in state.treaties:
        partners = tuple(p for p in treaty.partners(seat) if not test.partners or p in test.partners)
        if partners and _fits_test(state, treaty, test):
            able[treaty.id] = (treaty, partners)
    taken: dict[str, str] = {}  # partner -> Treaty
    for id_ in able:
        _find_partner(able, taken, id_, set())
    found = [(able[id_][0], partner) for partner, id_ in taken.items()]
    return found[: test.at_most] if test.at_most else found


def _find_partner(
    able: dict[str, tuple[Treaty, tuple[str, ...]]], taken: dict[str, str], id_: str, tried: set[str]
) -> bool:
    """Assign a partner to a Treaty, reassigning others if necessary."""
    for partner in able[id_][1]:
        if partner not in tried:
            tried.add(partner)
            if partner not in taken or _find_partner(able, taken, taken[partner], tried):
                taken[partner] = id_
                return True
    return False


def _fits_test(state: State, treaty: Treaty, test: TreatyTest) -> bool:
    """Return whether a Treaty is in effect, revealed if required, and has the clause that the row requires."""
    if treaty.stage != IN_FORCE or (test.revealed and not treaty.public):
        return False
    if test.against and test.against in treaty.bound:
        return False
    return any(_clause_fits(state, treaty, n, clause, test) for n, clause in enumerate(treaty.clauses))


def _clause_fits(state: State, treaty: Treaty, n: int, clause: Clause, test: TreatyTest) -> bool:
    """Return whether a public clause is of the kind, binds now, and is aimed at the foe or at any Power."""
    fits = test.kind in (clause.kind, ANY_KIND) and clause.kind in BONUS_KINDS
    if not fits or clause.power or clause.upon or 0 < clause.until < state.turn:
        return False
    if test.revealed and clause.secret and n not in treaty.shown:
        return False
    return not test.against or not clause.against or test.against in clause.against


def _current_bonuses_key(tables: Tables, state: State, seat: str) -> CacheKey:
    treaties = state.treaties if any(row.treaty is not None for row in tables.bonuses_at_end) else ()
    return (seat, state.turn, len(state.players)), (tables, board(tables, state), state.options, state.areas, treaties)


@cached(most=32, by=_current_bonuses_key)
def current_bonuses(tables: Tables, state: State, seat: str) -> tuple[CountedBonus, ...]:
    """Return the end-of-game bonuses and penalties of a seat if the game ended now: line 28 is their sum.

    Rules: VIC-003, VIC-015, VIC-025, VIC-026
    """
    out: list[CountedBonus] = []
    for bonus, full, why in _counted_rows(tables, state, seat, tables.bonuses_at_end):
        if points := scaled_bonus(state, full):
            out.append((bonus, points, why))
    for path in tables.africa_paths:
        chain = crossing_areas(tables, state, seat, path)
        points = scaled_bonus(state, path.points) if chain else 0
        if points:
            out.append((path, points, f"{path.what}: {' → '.join(place_name(tables, a) for a in chain)}"))
    return tuple(out)


def scaled_bonus(state: State, points: int) -> int:
    """Return the Victory Points that a bonus at the end is worth in this game, rounded to the nearest."""
    scaled = (abs(points) * state.options.final_bonus_percent + 50) // 100
    return scaled if points > 0 else -scaled


def turn_bonuses(tables: Tables, state: State, seat: str) -> list[CountedBonus]:
    """Return the per-turn bonuses of a seat in the Victory Point Record Phase, without those awarded at once.

    Rules: VIC-009, VIC-010
    """
    return list(_counted_rows(tables, state, seat, tables.bonuses_per_turn))


def _counted_rows(tables: Tables, state: State, seat: str, rows: Iterable[Bonus]) -> Iterator[CountedBonus]:
    for bonus in _seat_rows(state, seat, rows):
        points, why = _bonus_points(tables, state, seat, bonus)
        if points:
            yield bonus, points, _bonus_label(bonus, why)


def _seat_rows(state: State, seat: str, rows: Iterable[Bonus]) -> Iterator[Bonus]:
    """Yield the rows for a seat that count with the number of players of the game."""
    players = len(state.players)
    return (row for row in rows if row.power in (seat, "each") and row.is_for(players))


def possible_bonuses(tables: Tables, state: State, seat: str) -> list[PossibleBonus]:
    """Return all bonuses and penalties that a seat may get in a game, the per-turn ones first.

    Rules: VIC-009, VIC-015, VIC-021, VIC-023
    """
    turn_bonuses = [(row, f"a turn: {what}") for row, what in possible_turn_bonuses(tables, state, seat)]
    return turn_bonuses + possible_final_bonuses(tables, state, seat)


def possible_turn_bonuses(tables: Tables, state: State, seat: str) -> list[PossibleBonus]:
    """Return the possible bonuses of each Game Turn. Rules: VIC-009."""
    return _possible_rows(tables.bonuses_per_turn, state, seat)


def possible_final_bonuses(tables: Tables, state: State, seat: str) -> list[PossibleBonus]:
    """Return the possible bonuses of the end of the game. Rules: VIC-015, VIC-021, VIC-023."""
    paths: list[PossibleBonus] = [(path, path.what) for path in tables.africa_paths]
    return _possible_rows(tables.bonuses_at_end, state, seat) + paths


class AreaBonus(NamedTuple):
    """A bonus at the end that depends on who has Control of an Area.

    Attributes:
        seat: the seat that may get it.
        points: its Victory Points.
        missing: number of further Areas that the seat must have under Control.
        others: Powers that may not have Control, as in `ControlTest.by`; "" if the seat's own Control counts.
    """

    seat: str
    points: int
    missing: int
    others: str = ""


def final_bonuses_of_area(tables: Tables, state: State, area: str) -> list[AreaBonus]:
    """Return the bonuses at the end that Control of an Area decides, or helps to get.

    Left out are bonuses for any Areas, and those that other Areas have decided. Rules: VIC-015
    """
    found = []
    for seat in state.players:
        for row in _seat_rows(state, seat, tables.bonuses_at_end):
            test = row.when or row.unless
            if test is None or area not in test.areas or len(test.areas) == len(tables.areas):
                continue
            needed = {
                one: one.at_least - sum(a != area for a in controlled_test_areas(tables, state, seat, one))
                for one in (row.when, row.unless)
                if one is not None
            }
            is_lost = row.unless is not None and needed[row.unless] <= 0
            if needed[test] > 0 and not is_lost:
                missing, others = (needed[test] - 1, "") if row.when else (0, test.by)
                found.append(AreaBonus(seat, scaled_bonus(state, row.points), missing, others))
    return found


def _possible_rows(rows: Iterable[Bonus], state: State, seat: str) -> list[PossibleBonus]:
    return [(row, _bonus_label(row, row.what)) for row in _seat_rows(state, seat, rows)]


def _bonus_label(bonus: Bonus, what: str) -> str:
    """Return the condition of a bonus, and whether its table is the lost one or ours."""
    return f"{what}{RECONSTRUCTED}" if bonus.reconstructed else what


def _bonus_points(tables: Tables, state: State, seat: str, bonus: Bonus) -> tuple[int, str]:
    """Return the present points of a bonus for a seat and the reason; 0 if its conditions are not met."""
    points, what = bonus.points, bonus.what
    if bonus.treaty is not None:
        found = fitting_treaties(state, seat, bonus.treaty)
        if not found:
            return 0, ""
        points *= len(found)
        what += ": " + ", ".join(treaty.name or treaty.id for treaty, _ in found)
    if bonus.when is not None and len(controlled_test_areas(tables, state, seat, bonus.when)) < bonus.when.at_least:
        return 0, ""
    unless = bonus.unless
    if unless is not None and len(controlled_test_areas(tables, state, seat, unless)) >= unless.at_least:
        return 0, ""
    if bonus.per_area_lost is None:
        return points, what
    kept = controlled_test_areas(tables, state, seat, bonus.per_area_lost)
    lost = [a for a in bonus.per_area_lost.areas if a not in kept]
    names = ", ".join(place_name(tables, a) for a in lost)
    return bonus.points * len(lost), f"{bonus.what}: {names}"


def controlled_test_areas(tables: Tables, state: State, seat: str, test: ControlTest) -> list[str]:
    """Return the Areas of a test in which the named Powers hold (established) Control.

    Codominions count. With `except_start`, Control of Areas that the Power owned in 1880 does not.

    Rules: VIC-015
    """
    start = _start_control(tables) if test.except_start else frozenset()
    out = []
    for area in test.areas:
        for m in state.areas[area].markers:
            if m.established and m.marker in CONTROL and (m.power, area) not in start:
                if _is_meant_power(tables, seat, test.by, m.power):
                    out.append(area)
                    break
    return out


@cached(most=8, by=lambda tables: ((), (tables.start_markers,)))
def _start_control(tables: Tables) -> frozenset[tuple[str, str]]:
    """Powers with the Areas that they Control in 1880."""
    return frozenset((row.power, row.area) for row in tables.start_markers if row.marker in CONTROL)


def _is_meant_power(tables: Tables, seat: str, by: str, power: str) -> bool:
    """Return whether a test `by` refers to this Power, seen from `seat`."""
    if by == "anyone":
        return power in tables.powers
    if by == "others":
        return power in tables.powers and power != seat
    if by == "european_others":
        return power in tables.powers and power != seat and tables.powers[power].european
    return power == (seat if by == "each" else by)


def crossing_areas(tables: Tables, state: State, power: str, path: AfricaPath) -> tuple[str, ...]:
    """Return the shortest chain of Areas under the Power's own Control from end to end of a path; () for none.

    It uses only Overland Routes through the path's Areas, and needs no link to the Home Country.

    Rules: VIC-021, VIC-022, VIC-023, VIC-024, R-VIC-06, R-VIC-08
    """
    ends = {a for a in path.other_end if controls(state, a, power)}
    starts = [a for a in path.one_end if ends and controls(state, a, power)]
    if not starts:
        return ()
    routes = board(tables, state).routes
    open_ = {a for a in (*path.through, *path.one_end, *path.other_end) if controls(state, a, power)}
    back: dict[str, str] = dict.fromkeys(starts, "")
    todo = deque(starts)
    while todo:
        area = todo.popleft()
        if area in ends:
            return path_back(back, area)
        for other in routes.get(area, ()):
            if other in open_ and other not in back:
                back[other] = area
                todo.append(other)
    return ()


def total_points(counted: Iterable[CountedBonus]) -> int:
    """Return the sum of the Victory Points of several bonuses."""
    return sum(points for _, points, _ in counted)


def run_victory_point_record(play: Transaction) -> None:
    """Fill in section V of each seat's sheet, then empty all Treasuries."""
    for seat in play.state.players:
        record_points(play, seat)
    for power, p in play.state.powers.items():
        if p.treasury:
            play.money(power, -p.treasury, "Victory Points bought, the rest lost", ("VIC-007",))


def money_left(tables: Tables, state: State, seat: str) -> int:
    """Return line 23 in pounds: the Treasuries of a seat, with Austria-Hungary's added to Germany's.

    Rules: VIC-002, VIC-006, AUS-012
    """
    return sum(state.powers[power].treasury for power in powers_of(tables, state, seat))


def bought_points(tables: Tables, seat: str, pounds: int) -> int:
    """Return the Victory Points that pounds buy at the divisor of the seat's Power, rounded down.

    Rules: VIC-006, VIC-008, VIC-013, VIC-027, BEL-007, R-VIC-02
    """
    power = tables.powers[seat]
    return max(0, pounds) * power.vp_points // power.vp_pounds


def record_points(play: Transaction, seat: str) -> None:
    """Fill in lines 23 to 26 of a seat.

    Line 25 includes points awarded or lost at once during the turn; the running total has them already.

    Rules: VIC-006, VIC-011, VIC-012, R-VIC-03
    """
    tables = play.tables
    pounds = money_left(tables, play.state, seat)
    points = bought_points(tables, seat, pounds)
    if points:
        play.victory_points(seat, points, f"£{pounds} left", ("VIC-006",))
    for bonus, worth, why in turn_bonuses(tables, play.state, seat):
        play.victory_points(seat, worth, why, bonus.rules, bonus=True)
    extra = play.state.powers[seat].bonus
    lines: dict[str, int | None] = {"23": pounds, "24": points, "25": extra, "26": points + extra}
    play.emit(events.RecordWritten(power=seat, lines=lines, rules=RECORD_RULES))


VICTORY_POINT_RECORD = Phase(name="victory_point_record", run=run_victory_point_record)


def run_final_record(play: Transaction) -> None:
    """Begin the next Game Turn, or end the game after the last one.

    Rules: SET-003, SEQ-005, SEQ-026, SEQ-027, VIC-014
    """
    if play.state.turn >= play.state.last_turn:
        finish_game(play, "last_turn", ())
    else:
        begin_next_turn(play)


def begin_next_turn(play: Transaction) -> None:
    """Advance the turn marker one space, four years; release due Merchant Fleets to Powers with a player.

    Rules: SEQ-002, SEQ-026, MOV-002, BEL-013
    """
    row = play.tables.turns[play.state.turn]
    fleets = {p: row.merchant_fleets.count(p) for p in row.merchant_fleets if p in play.state.powers}
    rules = ("SEQ-026", "SEQ-002", *(("BEL-013",) if "belgium" in fleets else ()))
    play.emit(events.TurnBegan(turn=play.state.turn + 1, year=row.year, fleets=fleets, rules=rules))
    lifecycle.start_turn(play)


def end_by_great_war(play: Transaction, culprits: tuple[str, ...]) -> None:
    """End the game by the Great War: open choices are void, and there is no Victory Point Record Phase.

    `culprits`: the seats that pay the triple penalty. Points awarded or lost at once this turn stand.

    Rules: SET-004, SET-035, ETI-002, ETI-003, ETI-011, VIC-005, R-VIC-04
    """
    void_choices(play, play.state.choices, "ETI-002")
    for seat in play.state.players:
        none: dict[str, int | None] = {"23": None, "24": None, "25": None, "26": 0}
        play.emit(events.RecordWritten(power=seat, lines=none, rules=("ETI-003",)))
    finish_game(play, "great_war", culprits)


def finish_game(play: Transaction, reason: str, culprits: tuple[str, ...]) -> None:
    """Fill in section VI of each seat, and rank the seats. Rules: SEQ-027, VIC-001, VIC-014, VIC-015, VIC-020."""
    tables, state = play.tables, play.state
    totals: dict[str, int] = {}
    for seat in state.players:
        for bonus, points, why in current_bonuses(tables, state, seat):
            text = f"{power_name(tables, seat)} {points:+} Victory Points: {why}."
            play.add_note("final_bonus", text, bonus.rules, seat)
        penalty = great_war_penalty(tables, state, seat, culprits) if reason == "great_war" else 0
        lines = final_lines(tables, state, seat, penalty)
        totals[seat] = lines["31"]
        rules = ["VIC-015", "VIC-016", "VIC-020", "SEQ-027"]
        if penalty:
            rules.append("VIC-019" if seat in culprits else "VIC-018")
        play.emit(events.RecordWritten(power=seat, lines=dict(lines), rules=tuple(rules)))
    result = Result(reason, state.turn, culprits, rank_seats(totals), totals)
    why = "SET-004" if reason == "great_war" else "SET-003"
    play.emit(events.GameEnded(result=result, rules=(why, "SEQ-027")))


def great_war_penalty(tables: Tables, state: State, seat: str, culprits: tuple[str, ...]) -> int:
    """Return line 30 of a seat after the Great War, in Victory Points (negative): once, or three times for a culprit.

    Rules: ETI-004, ETI-005, ETI-011, ETI-012, VIC-018, VIC-019, SET-035
    """
    points = tables.turns[state.turn - 1].great_war_penalty
    return -points * (CULPRIT_MULTIPLE if seat in culprits else 1)


def final_income(tables: Tables, state: State, seat: str) -> int:
    """Return the present lines 11 to 14 in pounds for all Powers of a seat.

    The Colonial Office and maintenance are not included.

    Rules: VIC-004, VIC-016, VIC-017, AUS-013, R-VIC-01
    """
    return sum(colonial_income(sheet_lines(tables, state, power)) for power in powers_of(tables, state, seat))


def is_income_over(tables: Tables, state: State) -> bool:
    """Return whether the last Game Turn's net income has been paid out; later earnings count only at the end.

    Rules: SET-003, ADM-018, VIC-016
    """
    return state.turn >= state.last_turn and PHASES.index(state.phase) > PHASES.index("administrative")


def final_lines(tables: Tables, state: State, seat: str, penalty: int = 0) -> dict[str, int]:
    """Return lines 27 to 31 of a seat in Victory Points for the present position. Rules: VIC-015, VIC-016, VIC-020."""
    lines = {
        "27": state.powers[seat].victory_points,
        "28": total_points(current_bonuses(tables, state, seat)),
        "29": bought_points(tables, seat, 2 * final_income(tables, state, seat)),
        "30": penalty,
    }
    lines["31"] = sum(lines.values())
    return lines


def rank_seats(totals: dict[str, int]) -> dict[str, int]:
    """Return the rank of each seat, 1 for the most points; equal totals share a rank and the next one is skipped.

    Rules: VIC-001, VIC-020, R-VIC-05
    """
    return {seat: 1 + sum(other > total for other in totals.values()) for seat, total in totals.items()}


FINAL_RECORD = Phase(name="final_record", run=run_final_record)
