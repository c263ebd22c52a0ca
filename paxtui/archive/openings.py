"""The first placements of a Power in many games, as a tree with counts and results.

A branch is a set of placements, each in the first or the second Game Turn. A node below it is one more Area, with the
finished games in which the Power placed there too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from paxtui.archive.index import Archive
from paxtui.archive.query import Condition
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.text.display import capitalize, place_name, the_power

ALL_GAMES = Condition("1")


class Step(NamedTuple):
    """A placement of an opening: the Game Turn, 1 or 2, and the Area."""

    turn: int
    area: str


class OpeningNode(NamedTuple):
    """A placement, and the results of the Power in the games with it.

    Attributes:
        step: the placement.
        games: number of finished games.
        share: of the games of the branch above, 0 to 1.
        mean_rank: of the Power's seat.
        wins: games with the first rank.
    """

    step: Step
    games: int
    share: float
    mean_rank: float
    wins: int


class Opening(NamedTuple):
    """A branch of the tree and the nodes below it, the most frequent first.

    Attributes:
        power: whose opening. steps: the placements of the branch.
        games, mean_rank, wins: the finished games with the branch, as in `OpeningNode`.
        nodes: the next placements.
    """

    power: str
    steps: tuple[Step, ...]
    games: int
    mean_rank: float
    wins: int
    nodes: tuple[OpeningNode, ...]


def find_opening(archive: Archive, power: str, steps: Sequence[Step] = (), condition: Condition = ALL_GAMES) -> Opening:
    """Return a branch of the openings of a Power.

    Args:
        archive: the games.
        power: id of the Power.
        steps: the placements of the branch.
        condition: which games count, as a condition on the table `games`; unfinished ones never do.

    Raises:
        ArchiveError: the index cannot be read.
    """
    chosen = _choose_games(archive, power, steps, condition)
    found = archive.rows("SELECT seat FROM seats WHERE instr(powers, ?) LIMIT 1", (power,))
    seat = found[0][0] if found else power
    games, mean, wins = archive.rows(
        f"SELECT count(*), avg(rank), sum(rank = 1) FROM seats WHERE seat = ? AND rank > 0 {chosen} "
        "AND EXISTS (SELECT 1 FROM placements WHERE placements.game = seats.game AND power = ?)",
        (seat, power),
    )[0]
    rows = archive.rows(
        "SELECT turn, area, count(*), avg(rank), sum(rank = 1) FROM placements "
        f"WHERE power = ? AND rank > 0 {chosen} GROUP BY turn, area ORDER BY 3 DESC, 4, 1, 2",
        (power,),
    )
    nodes = tuple(
        OpeningNode(Step(turn, area), count, count / games, mean_rank, won)
        for turn, area, count, mean_rank, won in rows
        if Step(turn, area) not in steps
    )
    return Opening(power, tuple(steps), games, mean or 0.0, wins or 0, nodes)


def _choose_games(archive: Archive, power: str, steps: Sequence[Step], condition: Condition) -> str:
    """Return the condition for the games of a branch, "" for all. Their numbers are put into a temporary table."""
    sets, values = list[str](), list[object]()
    if condition != ALL_GAMES:
        sets.append(f"SELECT id FROM games WHERE {condition.where}")
        values += condition.values
    for step in steps:
        sets.append("SELECT game FROM placements WHERE power = ? AND turn = ? AND area = ?")
        values += [power, step.turn, step.area]
    if not sets:
        return ""
    archive.rows("CREATE TEMP TABLE IF NOT EXISTS chosen (id INTEGER PRIMARY KEY)")
    archive.rows("DELETE FROM chosen")
    archive.rows(f"INSERT INTO chosen {' INTERSECT '.join(sets)}", values)
    # The plus sign keeps SQLite from looking up each game: reading all placements of the Power in order is faster.
    return "AND +game IN (SELECT id FROM temp.chosen)"


def describe_opening(tables: Tables, opening: Opening) -> str:
    """Describe a branch: "Great Britain opens in Egypt, then Kongo: 41 games, mean rank 3.1"."""
    who = capitalize(the_power(tables, opening.power))
    first, second = (", ".join(place_name(tables, s.area) for s in opening.steps if s.turn == n) for n in (1, 2))
    where = f" in {first}" if first else ""
    where += f"{', and' if first else ''} in the second turn in {second}" if second else ""
    return f"{who} opens{where}: {describe_results(opening)}"


def describe_results(node: Opening | OpeningNode) -> str:
    """Describe the results of a branch: "41 games, mean rank 3.1, 5 won"."""
    if not node.games:
        return "no finished game"
    return f"{node.games} {'game' if node.games == 1 else 'games'}, mean rank {node.mean_rank:.1f}, {node.wins} won"
