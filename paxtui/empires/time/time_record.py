"""The end of a month: the next one, or the end of the exercise."""

from __future__ import annotations

from paxtui.empires.history.time_events import Ended, MonthBegan
from paxtui.empires.play.play import Play
from paxtui.empires.play.standing import owner, runner
from paxtui.empires.time.calendar import month, turn_of


def record(play: Play) -> None:
    """Record that a month has passed. Rules: EIA 3.6"""
    state = play.state
    if state.turn >= turn_of(play.tables.exercise.last):
        end(play, f"{month(state.turn)} was the last month of the exercise.")
    else:
        play.emit(MonthBegan(turn=state.turn + 1, combined=play.tables.exercise.combined, rules=("EIA 3.6",)))


def end(play: Play, reason: str) -> None:
    """End the exercise: whoever has the most political points has won it."""
    for area, points in play.tables.exercise.prizes.items():
        holder, native = owner(play.tables, play.state, area), runner(play.state, play.tables.areas[area].owner)
        if holder != native:
            play.points(holder, points, f"{play.tables.name(area)} is held at the end")
    accounts = play.state.accounts
    most = max(accounts[power].points for power in play.state.powers)
    winners = tuple(power for power in play.state.powers if accounts[power].points == most)
    play.emit(Ended(winners=winners, reason=reason))
