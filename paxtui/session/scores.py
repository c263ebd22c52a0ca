"""The score table of solo challenges: `scores.jsonl` in the player's data directory, one line for each finished game.

Scores come from the logs of finished games. A game counts if its log is sound, has the seed of the challenge, allows no
free undo, and a person played the challenge's seat against the bots of the scenario to the end.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from paxtui.bots.pax.registry import parse_bot_name
from paxtui.engine.log import BrokenLog
from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import PERSON, is_seating_note, seat_occupants
from paxtui.session.hosts import open_game
from paxtui.session.pax_host import PaxHost
from paxtui.session.storage.files import append_private, player_data, read_regular
from paxtui.session.storage.log_store import save_dir
from paxtui.session.storage.saved_games import SaveSummary, list_games, read_progress
from paxtui.session.tables.records import TableError
from paxtui.session.tables.scenarios import PaxScenario

SCORES_FILE = "scores.jsonl"


class Score(msgspec.Struct, frozen=True):
    """A finished game of a challenge.

    Attributes:
        scenario: id of the scenario.
        game: id of the game.
        points: Victory Points at the end.
        rank: rank among the seats.
        day: date of the last act, ISO 8601; "" if unknown.
    """

    scenario: str
    game: str
    points: int
    rank: int
    day: str = ""


def best_scores(scenario: str) -> list[Score]:
    """Return the scores of a scenario, the best first."""
    return sorted((one for one in read_scores() if one.scenario == scenario), key=lambda one: -one.points)


def medal_of(scenario: PaxScenario, points: int) -> str:
    """Return the highest goal of a challenge that these Victory Points reach; "" for none."""
    goals = scenario.challenge.goals if scenario.challenge else {}
    reached = [name for name, goal in sorted(goals.items(), key=lambda item: item[1]) if points >= goal]
    return reached[-1] if reached else ""


def read_scores() -> list[Score]:
    """Return all scores; lines that cannot be read are left out."""
    try:
        lines = read_regular(player_data() / SCORES_FILE).splitlines()
    except OSError:
        return []
    found = []
    for line in lines:
        try:
            found.append(msgspec.json.decode(line, type=Score))
        except (msgspec.MsgspecError, UnicodeDecodeError):
            continue
    return found


def record_scores(scenarios: Iterable[PaxScenario]) -> list[Score]:
    """Add the scores of saved games that finished since the last call, and return them. Raises: OSError."""
    challenges = {one.id: one for one in scenarios if one.challenge is not None}
    known = {one.game for one in read_scores()}
    added = []
    for game in list_games(save_dir()) if challenges else ():
        if not game.error and game.game not in known and _may_count(game, challenges.values()):
            score = score_of(game.path, challenges)
            if score is not None:
                append_private(player_data() / SCORES_FILE, msgspec.json.encode(score) + b"\n")
                added.append(score)
    return added


def _may_count(game: SaveSummary, challenges: Iterable[PaxScenario]) -> bool:
    """Return whether a game is over and has the options of a challenge, without reading all of it."""
    same = any(
        set(game.seats) == set(one.seats)
        and all(game.options.get(name) == value for name, value in one.options.items())
        for one in challenges
    )
    return same and bool(read_progress(game).winners)


def score_of(path: Path, challenges: dict[str, PaxScenario]) -> Score | None:
    """Return the score of a finished game; None if it does not count."""
    try:
        table = open_game(path, write=False)
        if not isinstance(table, PaxHost) or table.state.result is None:
            return None
        scenario = challenges.get(table.state.scenario)
        if scenario is None or scenario.challenge is None or not _is_fair(table, scenario):
            return None
    except (OSError, BrokenLog, Refusal, TableError):
        return None
    seat, result = scenario.challenge.seat, table.state.result
    day = table.game.lines[-1].time[:10] if table.game.lines else ""
    return Score(scenario.id, table.game.header.game, result.totals[seat], result.ranks[seat], day)


def _is_fair(table: PaxHost, scenario: PaxScenario) -> bool:
    """Return whether a game kept the terms of its challenge."""
    challenge, header, lines = scenario.challenge, table.game.header, table.game.lines
    if challenge is None or header.seed != challenge.seed or header.undo != "strict":
        return False
    if any(line.kind in ("undo", "redo") or line.queue for line in lines):
        return False
    bots = {seat: parse_bot_name(bot) for seat, bot in scenario.bots.items()}
    seatings = [line for line in lines if line.kind == "note" and is_seating_note(line.action)]
    for n in range(1, len(seatings) + 1):
        occupants = seat_occupants(seatings[:n])
        if occupants.get(challenge.seat, PERSON) != PERSON or any(occupants.get(s) != bot for s, bot in bots.items()):
            return False
    return bool(seatings) and not table.verify()
