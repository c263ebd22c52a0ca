"""Seasons and leagues: schedules that give each player all Powers and opponents equally often; standings; divisions."""

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
        league: the name of the league season of which this is a division, "" for a season without divisions.
        moves: number of participants who rise and fall between two divisions afterwards.
    """

    name: str
    participants: dict[str, str]
    bots: dict[str, str] = {}
    scenario: str = ""
    rounds: tuple[tuple[SeasonGame, ...], ...] = ()
    league: str = ""
    moves: int = 0

    @property
    def games(self) -> tuple[SeasonGame, ...]:
        return tuple(game for games in self.rounds for game in games)


def schedule_season(
    name: str,
    participants: Mapping[str, str],
    seats: Sequence[str],
    rounds: int,
    *,
    bots: Mapping[str, str] | None = None,
    scenario: str = "",
) -> Season:
    """Draw up a season.

    In each round those with the fewest games play, against opponents whom they have met least, and each at the Power
    that they have had least. The name is the seed of the draw.

    Args:
        name: its name; the games are called `NAME R.T` by round and table.
        participants: id -> name.
        seats: the seats of each game.
        rounds: number of rounds.
        bots, scenario: as in `Season`.

    Raises:
        Refusal: `bad_season`: too few or too many participants or rounds.
    """
    if not len(seats) <= len(participants) <= MOST_PARTICIPANTS:
        text = f"A season of games with {len(seats)} seats has {len(seats)} to {MOST_PARTICIPANTS} participants"
        raise Refusal("bad_season", (), f"{text}, not {len(participants)}.")
    if not 1 <= rounds <= MOST_ROUNDS:
        raise Refusal("bad_season", (), f"A season has 1 to {MOST_ROUNDS} rounds, not {rounds}.")
    rng = random.Random(f"{name}|")
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
        mean_rank: mean rank, 0.0 without a game.
        share: mean share of the Victory Points of the games, times the number of seats: 1.0 is average.
        against: among participants with as many points per game, the mean result of the games with one another: 1 for
            each of them beaten, 1/2 for each tie; 0.5 if they have not met.
    """

    participant: str
    games: int
    points: float
    wins: int
    mean_rank: float
    share: float
    against: float = 0.5

    @property
    def mean(self) -> float:
        """League points per game."""
        return self.points / self.games if self.games else 0.0


def season_standings(season: Season, results: Mapping[str, SeasonResult]) -> list[Standing]:
    """Return the standings, the first first.

    A game gives as many points as seats were beaten, and half a point for each tie. Order: points per game; the games
    that those with equal points played with one another; mean rank; wins per game; share of the Victory Points; the
    order in which the season has the participants.

    Args:
        season: the season.
        results: the finished games, by name.
    """
    points: Counter[str] = Counter()  # in halves
    ranks: dict[str, list[int]] = {one: [] for one in season.participants}
    shares: dict[str, list[float]] = {one: [] for one in season.participants}
    duels: dict[tuple[str, str], list[float]] = {}
    for game in season.games:
        result = results.get(game.name)
        if result is None:
            continue
        whole = sum(max(0, total) for total in result.totals.values()) or 1
        for seat, one in game.seats.items():
            ranks[one].append(result.ranks[seat])
            shares[one].append(max(0, result.totals[seat]) * len(result.totals) / whole)
            for other_seat, other in game.seats.items():
                if other != one:
                    better = result.ranks[other_seat] - result.ranks[seat]
                    halves = 2 * (better > 0) + (better == 0)
                    points[one] += halves
                    duels.setdefault((one, other), []).append(halves / 2)
    rows = [
        Standing(
            one,
            len(ranks[one]),
            points[one] / 2,
            ranks[one].count(1),
            _mean(ranks[one]),
            _mean(shares[one]),
        )
        for one in season.participants
    ]
    tied: dict[float, list[str]] = {}
    for row in rows:
        tied.setdefault(row.mean, []).append(row.participant)
    rows = [row._replace(against=_result_against(row.participant, tied[row.mean], duels)) for row in rows]
    return sorted(
        rows, key=lambda row: (-row.mean, -row.against, row.mean_rank, -row.wins / max(1, row.games), -row.share)
    )


def _result_against(one: str, others: Iterable[str], duels: Mapping[tuple[str, str], Sequence[float]]) -> float:
    found = [result for other in others for result in duels.get((one, other), ())]
    return _mean(found) if found else 0.5


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


# --- divisions --------------------------------------------------------------------------------------------------------


def split_divisions(order: Sequence[str], sizes: Sequence[int]) -> list[list[str]]:
    """Split participants into divisions, the strongest first. Args: the participants; the size of each division."""
    found, at = [], 0
    for size in sizes:
        found.append(list(order[at : at + size]))
        at += size
    return found


def division_sizes(participants: int, divisions: int, seats: int) -> list[int]:
    """Return the sizes of divisions that are as equal as possible, larger ones below.

    Raises: Refusal `bad_season`: a division is too small for a game.
    """
    if divisions < 1 or participants // divisions < seats:
        text = f"{participants} participants are too few for {divisions} divisions: each has {seats} or more"
        raise Refusal("bad_season", (), f"{text}.")
    size, more = divmod(participants, divisions)
    return [size] * (divisions - more) + [size + 1] * more


def order_after(divisions: Sequence[Sequence[str]], moves: int) -> list[str]:
    """Return the participants of a league in the order for its next season.

    The last of each division change places with the first of the division below. Those who fall stand before those who
    rise: they are the first to stay if somebody leaves.

    Args:
        divisions: the participants of each division, by their standing.
        moves: how many change places, at most half of a division.
    """
    found: list[str] = []
    fallen: list[str] = []
    for n, division in enumerate(divisions):
        room = min(moves, len(division) // 2)
        up = min(room, len(divisions[n - 1]) // 2) if n else 0
        down = min(room, len(divisions[n + 1]) // 2) if n + 1 < len(divisions) else 0
        risen, stayed = list(division[:up]), list(division[up : len(division) - down])
        found += risen + fallen + stayed
        fallen = list(division[len(division) - down :])
    return found
