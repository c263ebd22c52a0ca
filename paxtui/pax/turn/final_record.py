"""The Final Record Phase: the turn marker moves on, or Section VI of every sheet tells who has won.

Section VI is filled after the last Game Turn, and in whatever Phase the Great War breaks out.
Rules: SEQ-002, SEQ-005, SEQ-026, SEQ-027, SET-003, SET-004, SET-035, BEL-013, ETI-003 to ETI-005, ETI-011, ETI-012,
VIC-001, VIC-004, VIC-014 to VIC-020, AUS-013
"""

from __future__ import annotations

from paxtui.pax.board.status import powers_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.play.phase import Phase
from paxtui.pax.play.play import Play
from paxtui.pax.state.model import Result, State
from paxtui.pax.state.phases import PHASES
from paxtui.pax.treaties import ending
from paxtui.pax.turn import bonuses
from paxtui.pax.turn.record_sheet import colonial_income, figure
from paxtui.pax.turn.victory_point_record import bought
from paxtui.pax.words.spoken import power_name

CULPRIT_PAYS = 3
"""Times the penalty of the turn that a Power responsible for the Great War loses (SET-035)."""


def run(play: Play) -> None:
    """Go on to the next Game Turn, or end the game after the last one.

    Rules: SET-003, SEQ-005, SEQ-026, SEQ-027, VIC-014
    """
    if play.state.turn >= len(play.tables.turns):
        finish(play, "last_turn", ())
    else:
        next_turn(play)


def next_turn(play: Play) -> None:
    """The turn marker advances one space, four years; due Merchant Fleets come off the track for Powers with a player.

    Rules: SEQ-002, SEQ-026, MOV-002, BEL-013
    """
    row = play.tables.turns[play.state.turn]
    fleets = {p: row.merchant_fleets.count(p) for p in row.merchant_fleets if p in play.state.powers}
    rules = ("SEQ-026", "SEQ-002", *(("BEL-013",) if "belgium" in fleets else ()))
    play.emit(ev.TurnBegan(turn=play.state.turn + 1, year=row.year, fleets=fleets, rules=rules))
    ending.new_turn(play)


def great_war(play: Play, culprits: tuple[str, ...]) -> None:
    """The Great War ends the game at once: what is pending is void, the turn has no Victory Point Record Phase.

    `culprits`: the seats that pay the triple penalty. What was awarded or lost at once this turn stands.

    Rules: SET-004, SET-035, ETI-002, ETI-003, ETI-011, VIC-005, R-VIC-04
    """
    for choice in play.state.choices:
        play.emit(ev.ChoiceMade(id=choice.id, void=True, rules=("ETI-002",)))
    for seat in play.state.players:
        none: dict[str, int | None] = {"23": None, "24": None, "25": None, "26": 0}
        play.emit(ev.RecordWritten(power=seat, lines=none, rules=("ETI-003",)))
    finish(play, "great_war", culprits)


def finish(play: Play, reason: str, culprits: tuple[str, ...]) -> None:
    """Section VI of every seat, and the ranks.

    Rules: SEQ-027, VIC-001, VIC-014, VIC-015, VIC-020
    """
    tables, state = play.tables, play.state
    totals: dict[str, int] = {}
    for seat in state.players:
        for bonus, points, why in bonuses.current(tables, state, seat):
            text = f"{power_name(tables, seat)} {points:+} Victory Points: {why}."
            play.noted("final_bonus", text, bonus.rules, seat)
        penalty = great_war_penalty(tables, state, seat, culprits) if reason == "great_war" else 0
        lines = section_six(tables, state, seat, penalty)
        totals[seat] = lines["31"]
        rules = ["VIC-015", "VIC-016", "VIC-020", "SEQ-027"]
        if penalty:
            rules.append("VIC-019" if seat in culprits else "VIC-018")
        play.emit(ev.RecordWritten(power=seat, lines=dict(lines), rules=tuple(rules)))
    result = Result(reason, state.turn, culprits, ranks(totals), totals)
    why = "SET-004" if reason == "great_war" else "SET-003"
    play.emit(ev.GameEnded(result=result, rules=(why, "SEQ-027")))


def great_war_penalty(tables: Tables, state: State, seat: str, culprits: tuple[str, ...]) -> int:
    """Line 30 of a seat after the Great War, in Victory Points (negative): once, three times for a culprit.

    Rules: ETI-004, ETI-005, ETI-011, ETI-012, VIC-018, VIC-019, SET-035
    """
    points = tables.turns[state.turn - 1].great_war_penalty
    return -points * (CULPRIT_PAYS if seat in culprits else 1)


def final_income(tables: Tables, state: State, seat: str) -> int:
    """Lines 11 to 14 in pounds as they stand now, of all the Powers of a seat.

    Without the Colonial Office and without any maintenance.

    Rules: VIC-004, VIC-016, VIC-017, AUS-013, R-VIC-01
    """
    return sum(colonial_income(figure(tables, state, power)) for power in powers_of(tables, state, seat))


def income_is_over(tables: Tables, state: State) -> bool:
    """Whether the net income of the last Game Turn has been paid out: what is earned now counts at the end alone.

    Rules: SET-003, ADM-018, VIC-016
    """
    return state.turn >= len(tables.turns) and PHASES.index(state.phase) > PHASES.index("administrative")


def section_six(tables: Tables, state: State, seat: str, penalty: int = 0) -> dict[str, int]:
    """Lines 27 to 31 of a seat in Victory Points, as the position stands now.

    Rules: VIC-015, VIC-016, VIC-020
    """
    lines = {
        "27": state.powers[seat].victory_points,
        "28": bonuses.total(bonuses.current(tables, state, seat)),
        "29": bought(tables, seat, 2 * final_income(tables, state, seat)),
        "30": penalty,
    }
    lines["31"] = sum(lines.values())
    return lines


def ranks(totals: dict[str, int]) -> dict[str, int]:
    """Rank of every seat, 1 for the most points; equal totals share a rank and the next one is left out.

    Rules: VIC-001, VIC-020, R-VIC-05
    """
    return {seat: 1 + sum(other > total for other in totals.values()) for seat, total in totals.items()}


def forecast(tables: Tables, state: State) -> dict[str, dict[str, int]]:
    """Lines 27 to 31 of every seat if the game ended now without a Great War."""
    return {seat: section_six(tables, state, seat) for seat in state.players}


PHASE = Phase(name="final_record", run=run)
