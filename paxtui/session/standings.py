"""Victory Points of all seats, and their expected ranks at the end of the game."""

from __future__ import annotations

from typing import NamedTuple

from paxtui.bots.pax.prediction import predict_results, usual_error
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.state.model import State
from paxtui.games.pax.text.display import join_with_and, power_name
from paxtui.games.pax.turn.victory import rank_seats
from paxtui.session.session import Session

ORDINALS = ("0th", "1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th")


class SeatProspect(NamedTuple):
    """A seat's Victory Points, its expected rank and final total, and its chance to win, 0 to 1.

    In a finished game these are the result; `points` then is the total.
    """

    seat: str
    points: int
    rank: int
    total: int
    chance: float


def expected_standings(session: Session) -> tuple[SeatProspect, ...]:
    """Return all seats in the order expected at the end, by what the seat may know of the displayed position."""
    if session.at is None:
        return session.derived("standings", lambda: _prospects(session.tables, session.live))
    return _prospects(session.tables, session.state)


def expected_ranks(session: Session) -> tuple[int, int]:
    """Return the best and the worst rank that the seat can expect at the end.

    Seats whose expected totals differ by less than the prediction usually errs count as equal. So an act that moves
    money into markers, or a rival who acts first, changes the expected rank little.
    """
    rows = expected_standings(session)
    own = next(one.total for one in rows if one.seat == session.seat)
    doubt = usual_error(session.tables, session.state) if session.state.result is None else 0.0
    rivals = [one.total for one in rows if one.seat != session.seat]
    above = sum(total > own + doubt for total in rivals)
    return 1 + above, 1 + above + sum(own - doubt < total <= own + doubt for total in rivals)


def describe_challenge(session: Session) -> str:
    """Return the goals of a solo challenge and how far the seat is from them, as a sentence; "" in other games."""
    if not session.live.scenario:
        return ""
    from paxtui.session.tables.scenarios import find_challenge

    challenge = find_challenge(session.live.scenario)
    own = next((one for one in expected_standings(session) if one.seat == session.seat), None)
    if challenge is None or own is None or session.seat != challenge.seat:
        return ""
    goals = join_with_and([f"{goal} for {name}" for name, goal in sorted(challenge.goals.items(), key=lambda g: g[1])])
    made = "you made" if session.state.result is not None else "expected now:"
    return f"Goals of the challenge: {goals}; {made} {own.total}."


def _prospects(tables: Tables, state: State) -> tuple[SeatProspect, ...]:
    result = state.result
    if result is not None:
        wins = sum(rank == 1 for rank in result.ranks.values())
        found = [
            SeatProspect(seat, result.totals[seat], rank, result.totals[seat], (rank == 1) / wins)
            for seat, rank in result.ranks.items()
        ]
    else:
        predictions = predict_results(tables, state)
        totals = {seat: round(predicted.total) for seat, predicted in predictions.items()}
        ranks = rank_seats(totals)
        found = [
            SeatProspect(seat, state.powers[seat].victory_points, ranks[seat], totals[seat], predictions[seat].chance)
            for seat in state.players
        ]
    return tuple(sorted(found, key=lambda one: (one.rank, state.players.index(one.seat))))


def describe_standings(session: Session) -> str:
    """Return the Victory Points of all seats in a sentence, in the order expected at the end."""
    rows = expected_standings(session)
    names = (f"{one.rank}. {power_name(session.tables, one.seat)} {one.points}" for one in rows)
    if session.state.result is not None:
        return f"Result: {', '.join(names)}."
    return f"Victory Points, in the order expected at the end: {', '.join(names)}."
