"""The table of `measure`: results by seat, the course by Game Turn, and the aims of docs/balance.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt
from statistics import fmean, pstdev

from paxtui.bots.pax.prediction import FEATURES, position_features
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.state.model import State
from tools.calibrate.games import GameRecord

SECOND_HALF = range(6, 11)
HALF = 5
"""Game Turn whose leader is compared with the winner."""
BEFORE_1900 = 5
"""Last Game Turn before 1900."""
GREAT_WAR = "great_war"


def balance_report(records: Sequence[GameRecord]) -> list[str]:
    """Return the report on games with the same seats, in lines of Markdown."""
    return [*_summary(records), "", *_seats(records), "", *_turns(records)]


def _summary(records: Sequence[GameRecord]) -> Iterator[str]:
    games = len(records)
    wars = sum(bool(record.wars) for record in records)
    great = [record.outcome.turn for record in records if record.outcome.reason == GREAT_WAR]
    long = [record for record in records if len(record.ends) > HALF]
    kept = sum(first_seat(final_points(r.tables, r.ends[HALF - 1])) in winners(r) for r in long)
    changes = [n for r in records for turn, n in enumerate(r.new_controls, 1) if turn in SECOND_HALF]
    yield f"| {games} games | | aim |"
    yield "|---|---|---|"
    yield f"| Areas with a new Control, a turn, turns 6 to 10 | {fmean(changes or [0]):.2f} | 2.0 |"
    yield f"| the leader after turn 5 wins | {share(kept, len(long))} | at most 50 % |"
    yield f"| games with a War between Powers | {share(wars, games)} | 50 to 80 % |"
    yield f"| Great War | {share(len(great), games)} | 15 to 35 % |"
    yield f"| Great War before 1900 | {share(sum(t <= BEFORE_1900 for t in great), games)} | at least 3 % |"
    yield f"| Treaties made, broken a game | {_mean(records, 'treaties_made')}, {_mean(records, 'treaties_broken')} | |"
    yield f"| Congresses a game | {_mean(records, 'congresses')} | |"
    yield f"| CPU seconds a game | {_mean(records, 'cpu')} | |"


def final_points(tables: Tables, state: State) -> dict[str, float]:
    """Return the Victory Points of each seat at the end of the game if nothing changes."""
    found = {}
    for seat, values in position_features(tables, state).items():
        points = dict(zip(FEATURES, values, strict=True))
        found[seat] = state.powers[seat].victory_points + points["income_at_end"] + max(0.0, points["net_income"])
        found[seat] += points["bonuses_at_end"] + points["bonuses_per_turn"]
    return found


def _mean(records: Sequence[GameRecord], field: str) -> str:
    return f"{fmean(getattr(record.outcome, field) for record in records):.1f}"


def _seats(records: Sequence[GameRecord]) -> Iterator[str]:
    yield "| seat | won | mean rank | points | spread | left over a turn, turns 6 to 10 | Wars declared |"
    yield "|---|---|---|---|---|---|---|"
    for seat in records[0].outcome.totals:
        totals = [r.outcome.totals[seat] for r in records]
        left = [r.pounds_left(t)[seat] for r in records for t in SECOND_HALF if t <= len(r.ends)]
        ranks = fmean(r.outcome.ranks[seat] for r in records)
        won = sum(seat in winners(r) for r in records)
        declared = sum(r.outcome.declared.get(seat, 0) for r in records)
        yield (
            f"| {seat} | {share(won, len(records))} | {ranks:.1f} | {fmean(totals):.0f} | {pstdev(totals):.0f} "
            f"| £{fmean(left or [0]):.0f} | {declared} |"
        )


def _turns(records: Sequence[GameRecord]) -> Iterator[str]:
    seats = list(records[0].outcome.totals)
    yield f"| turn | {' | '.join(seats)} | tension | new Control | left over | Wars | Great Wars |"
    yield "|---" * (len(seats) + 6) + "|"
    for turn in range(1, max(len(r.ends) for r in records) + 1):
        there = [r for r in records if len(r.ends) >= turn]
        points = (fmean(r.ends[turn - 1].powers[seat].victory_points for r in there) for seat in seats)
        cells = [
            *(f"{mean:.0f}" for mean in points),
            f"{fmean(r.ends[turn - 1].tension for r in there):.0f}",
            f"{fmean(r.new_controls[turn - 1] for r in there):.1f}",
            f"£{fmean(sum(r.pounds_left(turn).values()) / len(seats) for r in there):.0f}",
            str(sum(r.wars.count(turn) for r in there)),
            str(sum(r.outcome.reason == GREAT_WAR and r.outcome.turn == turn for r in there)),
        ]
        yield f"| {turn} | {' | '.join(cells)} |"


def winners(record: GameRecord) -> list[str]:
    """Seats with rank 1; several in a tie."""
    return [seat for seat, rank in record.outcome.ranks.items() if rank == 1]


def first_seat(points: dict[str, float]) -> str:
    """The seat with the most points."""
    return max(points, key=lambda seat: points[seat])


def share(hits: int, of: int) -> str:
    """Format a share in per cent, with its 95 % interval after Wilson."""
    if not of:
        return "-"
    p, z = hits / of, 1.96
    middle, half = p + z * z / (2 * of), z * sqrt(p * (1 - p) / of + z * z / (4 * of * of))
    low, high = (middle - half) / (1 + z * z / of), (middle + half) / (1 + z * z / of)
    return f"{100 * p:.0f} % ({max(0.0, 100 * low):.0f} to {100 * high:.0f})"
