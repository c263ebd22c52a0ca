"""Bonus Victory Points: the Bonus Summary's typed conditions, and the paths across Africa.

Rules: VIC-003, VIC-009, VIC-010, VIC-015, VIC-021 to VIC-026, R-VIC-06 to R-VIC-09
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from paxtui.pax.board.neighbours import board
from paxtui.pax.board.status import controls
from paxtui.pax.board.tables import AfricaPath, Bonus, ControlTest, Tables
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import CONTROL
from paxtui.pax.treaties.treaty_bonuses import fitting
from paxtui.pax.words.spoken import place_name

Counted = tuple[Bonus | AfricaPath, int, str]
"""A bonus, its Victory Points (negative: a penalty), and why in plain words."""


def current(tables: Tables, state: State, seat: str) -> list[Counted]:
    """The end-of-game bonuses and penalties that a seat would get if the game ended now: line 28 is their sum.

    Rules: VIC-003, VIC-015, VIC-025, VIC-026
    """
    out: list[Counted] = []
    for bonus in tables.bonuses_at_end:
        if bonus.power in (seat, "each"):
            points, why = _worth(tables, state, seat, bonus)
            if points:
                out.append((bonus, points, _marked(bonus, why)))
    for path in tables.africa_paths:
        chain = crossing(tables, state, seat, path)
        if chain:
            out.append((path, path.points, f"{path.what}: {' → '.join(place_name(tables, a) for a in chain)}"))
    return out


def of_turn(tables: Tables, state: State, seat: str) -> list[Counted]:
    """The per-turn bonuses that a seat gets in the Victory Point Record Phase beyond those awarded at once.

    Rules: VIC-009, VIC-010
    """
    out: list[Counted] = []
    for bonus in tables.bonuses_per_turn:
        if bonus.power in (seat, "each"):
            points, why = _worth(tables, state, seat, bonus)
            if points:
                out.append((bonus, points, _marked(bonus, why)))
    return out


Open = tuple[Bonus | AfricaPath, str]
"""A bonus or penalty that a seat may get, and what it is for."""


def open_to(tables: Tables, seat: str) -> list[Open]:
    """Every bonus and penalty that a seat may get in a game, those of each turn first.

    Rules: VIC-009, VIC-015, VIC-021, VIC-023
    """
    return [(row, f"a turn: {what}") for row, what in open_each_turn(tables, seat)] + open_at_end(tables, seat)


def open_each_turn(tables: Tables, seat: str) -> list[Open]:
    """Those that count in each Game Turn. Rules: VIC-009."""
    return _open(tables.bonuses_per_turn, seat)


def open_at_end(tables: Tables, seat: str) -> list[Open]:
    """Those that count at the end of the game. Rules: VIC-015, VIC-021, VIC-023."""
    return _open(tables.bonuses_at_end, seat) + [(path, path.what) for path in tables.africa_paths]


def _open(rows: Iterable[Bonus], seat: str) -> list[Open]:
    return [(row, _marked(row, row.what)) for row in rows if row.power in (seat, "each")]


def _marked(bonus: Bonus, what: str) -> str:
    """What a bonus is for, and whether its table is the lost one or ours."""
    return f"{what} (reconstructed table)" if bonus.reconstructed else what


def _worth(tables: Tables, state: State, seat: str, bonus: Bonus) -> tuple[int, str]:
    """Points of a bonus for a seat now, and why; 0 where its conditions do not hold."""
    points, what = bonus.points, bonus.what
    if bonus.treaty is not None:
        found = fitting(state, seat, bonus.treaty)
        if not found:
            return 0, ""
        points *= len(found)
        what += ": " + ", ".join(treaty.name or treaty.id for treaty, _ in found)
    if bonus.when is not None and len(held(tables, state, seat, bonus.when)) < bonus.when.at_least:
        return 0, ""
    if bonus.unless is not None and len(held(tables, state, seat, bonus.unless)) >= bonus.unless.at_least:
        return 0, ""
    if bonus.per_area_lost is None:
        return points, what
    kept = held(tables, state, seat, bonus.per_area_lost)
    lost = [a for a in bonus.per_area_lost.areas if a not in kept]
    names = ", ".join(place_name(tables, a) for a in lost)
    return bonus.points * len(lost), f"{bonus.what}: {names}"


def held(tables: Tables, state: State, seat: str, test: ControlTest) -> list[str]:
    """The Areas of a test in which those it names hold (established) Control.

    Codominions count. With `except_start` a Power's Control of an Area that was its own in 1880 does not.

    Rules: VIC-015
    """
    start: set[tuple[str, str]] = set()
    if test.except_start:
        start = {(row.power, row.area) for row in tables.start_markers if row.marker in CONTROL}
    out = []
    for area in test.areas:
        for m in state.areas[area].markers:
            if m.established and m.marker in CONTROL and (m.power, area) not in start:
                if _meant(tables, seat, test.by, m.power):
                    out.append(area)
                    break
    return out


def _meant(tables: Tables, seat: str, by: str, power: str) -> bool:
    """Whether a test `by` means this Power, seen from `seat`."""
    if by == "anyone":
        return power in tables.powers
    if by == "others":
        return power in tables.powers and power != seat
    if by == "european_others":
        return power in tables.powers and power != seat and tables.powers[power].european
    return power == (seat if by == "each" else by)


def crossing(tables: Tables, state: State, power: str, path: AfricaPath) -> tuple[str, ...]:
    """The shortest chain of Areas under the Power's own Control from one end of a path to the other; () for none.

    By Overland Routes, through the path's Areas only. It needs no link to the Home Country.

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
            return _chain(back, area)
        for other in routes.get(area, ()):
            if other in open_ and other not in back:
                back[other] = area
                todo.append(other)
    return ()


def _chain(back: dict[str, str], area: str) -> tuple[str, ...]:
    chain: list[str] = []
    while area:
        chain.append(area)
        area = back[area]
    return tuple(reversed(chain))


def total(counted: Iterable[Counted]) -> int:
    """Victory Points of several bonuses."""
    return sum(points for _, points, _ in counted)
