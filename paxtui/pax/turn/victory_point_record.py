"""The Victory Point Record Phase: Section V of every sheet. Money left buys Victory Points, the rest is lost.

Rules: SEQ-025, VIC-002, VIC-006 to VIC-008, VIC-011 to VIC-013, VIC-027, AUS-012, BEL-007
"""

from __future__ import annotations

from paxtui.pax.board.status import powers_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.play.phase import Phase
from paxtui.pax.play.play import Play
from paxtui.pax.state.model import State
from paxtui.pax.turn import bonuses

RULES = ("SEQ-025", "VIC-006", "VIC-011", "VIC-012")


def run(play: Play) -> None:
    """Section V of every seat's sheet, then every Treasury is emptied."""
    for seat in play.state.players:
        record(play, seat)
    for power, p in play.state.powers.items():
        if p.treasury:
            play.money(power, -p.treasury, "Victory Points bought, the rest lost", ("VIC-007",))


def money_left(tables: Tables, state: State, seat: str) -> int:
    """Line 23 in pounds: what is left in the Treasuries of a seat, Austria-Hungary's with Germany's.

    Rules: VIC-002, VIC-006, AUS-012
    """
    return sum(state.powers[power].treasury for power in powers_of(tables, state, seat))


def bought(tables: Tables, seat: str, pounds: int) -> int:
    """Victory Points that pounds buy at the divisor of the seat's Power, fractions lost.

    Rules: VIC-006, VIC-008, VIC-013, VIC-027, BEL-007, R-VIC-02
    """
    power = tables.powers[seat]
    return max(0, pounds) * power.vp_points // power.vp_pounds


def record(play: Play, seat: str) -> None:
    """Lines 23 to 26 of a seat.

    Line 25 shows what was awarded or lost at once during the turn, too; that is in the running total already.

    Rules: VIC-006, VIC-011, VIC-012, R-VIC-03
    """
    tables = play.tables
    pounds = money_left(tables, play.state, seat)
    points = bought(tables, seat, pounds)
    if points:
        play.victory_points(seat, points, f"£{pounds} left", ("VIC-006",))
    for bonus, worth, why in bonuses.of_turn(tables, play.state, seat):
        play.victory_points(seat, worth, why, bonus.rules, bonus=True)
    extra = play.state.powers[seat].bonus
    lines: dict[str, int | None] = {"23": pounds, "24": points, "25": extra, "26": points + extra}
    play.emit(ev.RecordWritten(power=seat, lines=lines, rules=RULES))


PHASE = Phase(name="victory_point_record", run=run)
