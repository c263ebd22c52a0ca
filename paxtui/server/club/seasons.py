"""Seasons: a schedule that gives each player all Powers and opponents equally often, and standings."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import msgspec

from paxtui.engine.refusal import Refusal

MOST_PARTICIPANTS, MOST_ROUNDS = 64, 60


class SeasonGame(msgspec.Struct, frozen=True):
    """A game of a season: its name on the server, and the participant of each seat."""

    name: str
    seats: dict[str, str]


class Season(msgspec.Struct, frozen=True):
    """A season.

    Attributes:
        name: its name.
        participants: id -> name. The id of a player of the server, or any other for a bot.
        bots: id -> bot, such as `statesman:hard`, of the participants that are bots.
        scenario: scenario of all games, "" for the whole game.
        rounds: the games of each round.
    """

    name: str
    participants: dict[str, str]
    bots: dict[str, str] = {}
    scenario: str = ""
    rounds: tuple[tuple[SeasonGame, ...], ...] = ()

    @property
    def games(self) -> tuple[SeasonGame, ...]:
        """All games."""
        return tuple(game for games in self.rounds for game in games)


def schedule_season(
    name: str,
    participants: Mapping[str, str],
    seats: Sequence[str],
    rounds: int,
    *,
    bots: Mapping[str, str] | None = None,
    scenario: str = "",
    seed: str = "",
) -> Season:
    """Draw up a season.

    In each round those with the fewest games play, against opponents whom they have met least, and each at the Power
    that they have had least. The same seed gives the same season.

    Args:
        name: its name; the games are called `NAME R.T` by round and table.
        participants: id -> name.
        seats: the seats of each game.
        rounds: number of rounds.
        bots, scenario: as in `Season`.
        seed: of the draw.

    Raises:
        Refusal: `bad_season`: too few or too many participants or rounds.
    """
    if not len(seats) <= len(participants) <= MOST_PARTICIPANTS:
        said = f"A season of games with {len(seats)} seats has {len(seats)} to {MOST_PARTICIPANTS} participants"
        raise Refusal("bad_season", (), f"{said}, not {len(participants)}.")
    if not 1 <= rounds <= MOST_ROUNDS:
        raise Refusal("bad_season", (), f"A season has 1 to {MOST_ROUNDS} rounds, not {rounds}.")
    rng = random.Random(f"{name}|{seed}")
    played: Counter[str] = Counter()
    met: Counter[frozenset[str]] = Counter()
    had: Counter[tuple[str, str]] = Counter()
    found: list[tuple[SeasonGame, ...]] = []
    for number in range(1, rounds + 1):
        waiting = sorted(participants)
        rng.shuffle(waiting)
        waiting.sort(key=lambda one: played[one])
        waiting = waiting[: len(waiting) // len(seats) * len(seats)]
        games: list[SeasonGame] = []
        while waiting:
            table = [waiting.pop(0)]
            while len(table) < len(seats):
                table.append(min(waiting, key=lambda one: sum(met[frozenset((one, other))] for other in table)))
                waiting.remove(table[-1])
            assigned = _assign_seats(table, seats, had)
            games.append(SeasonGame(f"{name} {number}.{len(games) + 1}", assigned))
            played.update(table)
            met.update(map(frozenset, combinations(table, 2)))
            had.update((one, seat) for seat, one in assigned.items())
        found.append(tuple(games))
    return Season(name, dict(participants), dict(bots or {}), scenario, tuple(found))


def _assign_seats(table: Sequence[str], seats: Sequence[str], had: Mapping[tuple[str, str], int]) -> dict[str, str]:
    """Assign seats so that the sum of the squares of how often each participant has a seat grows least."""
    best: dict[int, tuple[int, tuple[str, ...]]] = {0: (0, ())}
    for one in table:
        longer: dict[int, tuple[int, tuple[str, ...]]] = {}
        for taken, (cost, chosen) in best.items():
            for n, seat in enumerate(seats):
                if not taken >> n & 1:
                    option = (cost + 2 * had.get((one, seat), 0) + 1, (*chosen, seat))
                    longer[taken | 1 << n] = min(option, longer.get(taken | 1 << n, option))
        best = longer
    ((_, chosen),) = best.values()
    where = dict(zip(chosen, table, strict=True))
    return {seat: where[seat] for seat in seats}


class SeasonResult(NamedTuple):
    """A finished game of a season, by seat: ranks, and Victory Points."""

    ranks: Mapping[str, int]
    totals: Mapping[str, int]


class Standing(NamedTuple):
    """A row of the standings.

    Attributes:
        participant: id.
        games: finished games. points: league points. wins: games with the first rank alone or with others.
        share: mean share of the Victory Points of the games, times the number of seats: 1.0 is average.
    """

    participant: str
    games: int
    points: float
    wins: int
    share: float

    @property
    def mean(self) -> float:
        """League points per game."""
        return self.points / self.games if self.games else 0.0


def season_standings(season: Season, results: Mapping[str, SeasonResult]) -> list[Standing]:
    """Return the standings, the first first.

    A game gives as many points as seats were beaten, and half a point for each tie. Order: points per game, wins per
    game, share of the Victory Points, then the name.

    Args:
        season: the season.
        results: the finished games, by name.
    """
    points: Counter[str] = Counter()
    games: Counter[str] = Counter()
    wins: Counter[str] = Counter()
    shares: dict[str, list[float]] = {}
    for game in season.games:
        result = results.get(game.name)
        if result is None:
            continue
        whole = sum(max(0, total) for total in result.totals.values()) or 1
        for seat, one in game.seats.items():
            rank = result.ranks[seat]
            games[one] += 1
            points[one] += 2 * sum(other > rank for other in result.ranks.values())  # in halves
            points[one] += sum(other == rank for other in result.ranks.values()) - 1
            wins[one] += rank == 1
            shares.setdefault(one, []).append(max(0, result.totals[seat]) * len(result.totals) / whole)
    rows = [
        Standing(one, games[one], points[one] / 2, wins[one], _mean(shares.get(one, ()))) for one in season.participants
    ]
    return sorted(rows, key=lambda row: (-row.mean, -row.wins / max(1, row.games), -row.share, row.participant))


def _mean(values: Iterable[float]) -> float:
    some = list(values)
    return sum(some) / len(some) if some else 0.0
