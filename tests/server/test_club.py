"""The club: results and conduct from logs, ratings, seasons, and the command."""

from __future__ import annotations

import json
import random
import sqlite3
import statistics
from collections import Counter
from contextlib import closing
from itertools import combinations
from pathlib import Path

import pytest

from paxtui.cli.main import main
from paxtui.engine.refusal import Refusal
from paxtui.games.pax.position.setup import seats_for
from paxtui.server.access_control import PlayerRegistry
from paxtui.server.club.club import CLUB_FILE, CLUB_INDEX, Club
from paxtui.server.club.ratings import Place, Rating, rate_games, rating_order
from paxtui.server.club.results import read_result
from paxtui.server.club.seasons import (
    Season,
    SeasonGame,
    SeasonResult,
    division_sizes,
    order_after,
    schedule_season,
    season_standings,
    split_divisions,
)
from paxtui.server.data_directory import DataDirectory
from paxtui.session.storage.files import StorageError
from tests.places import SAVES
from tests.server.club_logs import SEATS, make_log

WHOLE = (SAVES / "whole-game-0.2.0.jsonl").read_bytes()


@pytest.fixture
def data(tmp_path: Path) -> DataDirectory:
    """An empty data directory."""
    (tmp_path / "data").mkdir(mode=0o700)
    return DataDirectory(tmp_path / "data")


def _register(data: DataDirectory, seats: dict[str, dict[str, str]]) -> PlayerRegistry:
    """Write a register with the players Ann, Bob, Cleo and Dan at seats of games."""
    players = {name: {"key": f"ssh-ed25519 {name}", "name": name.title()} for name in ("ann", "bob", "cleo", "dan")}
    data.register.write_text(json.dumps({"players": players, "seats": seats}))
    return PlayerRegistry(data.register)


# --- results ----------------------------------------------------------------------------------------------------------


def test_result_is_read_from_the_log() -> None:
    found = read_result("g", WHOLE)
    assert found is not None and {one.seat: one.rank for one in found.seats}["britain"] == 1
    assert all(one.phases > 10 and not one.late for one in found.seats)
    assert read_result("g", WHOLE[: WHOLE.rindex(b"\n", 0, -1) + 1]) is None
    assert read_result("g", WHOLE.replace(b"kongo", b"kango", 1)) is None
    assert read_result("g", b"garbage") is None


def test_late_and_abandoned_seats_are_found() -> None:
    late = {"type": "time_out", "seats": ["france"], "then": "default"}
    left = {"type": "seating", "seats": {"germany": {"by": "bot", "level": "caretaker", "name": "Cleo"}}}
    found = read_result("g", make_log({"britain": 1, "france": 2, "germany": 3, "united_states": 4}, (late, left)))
    assert found is not None
    seats = {one.seat: one for one in found.seats}
    assert (seats["france"].phases, seats["france"].late) == (2, 1)
    assert seats["germany"].is_abandoned and seats["germany"].person == "Cleo" and not seats["france"].is_abandoned
    bot = {"type": "seating", "seats": {"france": {"by": "bot", "level": "hard"}}}
    seated = read_result("g", make_log({"britain": 1, "france": 2}, (bot,)))
    assert seated is not None and seated.seats[1].bot == "statesman:hard" and seated.seats[1].is_abandoned


# --- ratings ----------------------------------------------------------------------------------------------------------


def test_ratings_recover_the_true_order() -> None:
    rng = random.Random(1)
    level = {f"p{n:02d}": n // 10 for n in range(40)}
    games = []
    for _ in range(200):
        table = rng.sample(sorted(level), 7)
        order = sorted(table, key=lambda one: -(1.5 * level[one] + rng.gauss(0, 1)))
        games.append([Place(one, rank) for rank, one in enumerate(order, start=1)])
    ratings = rate_games(games)
    means = [statistics.mean(ratings[one].mean for one in level if level[one] == n) for n in range(4)]
    assert means == sorted(means)
    order = rating_order(ratings)
    pairs = [(a, b) for a, b in combinations(order, 2) if level[a] != level[b]]
    assert sum(level[a] > level[b] for a, b in pairs) > 0.95 * len(pairs)
    assert all(1 < ratings[one].deviation < 6 for one in order)


def test_ratings_with_ties_and_several_seats_of_one_player() -> None:
    tied = rate_games([[Place("a", 1), Place("b", 1)]])
    assert tied["a"].mean == pytest.approx(tied["b"].mean) and tied["a"].games == 1
    bots = rate_games([[Place("a", 1), Place("bot", 2), Place("bot", 3)]])
    assert bots["a"].mean > bots["bot"].mean and bots["bot"].games == 1
    assert rate_games([[Place("bot", 1), Place("bot", 2)]]) == {}
    assert str(Rating()) == "25.0 ± 16.7"


# --- seasons ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "rounds"), [(7, 7), (21, 14), (40, 20)])
def test_a_schedule_is_even(players: int, rounds: int) -> None:
    names = {f"p{n}": f"P {n}" for n in range(players)}
    season = schedule_season("s", names, seats_for(7), rounds)
    assert season == schedule_season("s", names, seats_for(7), rounds)
    had = Counter((one, seat) for game in season.games for seat, one in game.seats.items())
    games = Counter(one for game in season.games for one in game.seats.values())
    assert max(games.values()) - min(games.values()) <= 1
    assert max(had.values()) - min(had[one, seat] for one in names for seat in seats_for(7)) <= 2
    for round_ in season.rounds:
        playing = [one for game in round_ for one in game.seats.values()]
        assert len(playing) == len(set(playing)) == players // 7 * 7


@pytest.mark.parametrize(("players", "rounds"), [(6, 1), (65, 1), (7, 0), (7, 61)])
def test_an_impossible_season_is_refused(players: int, rounds: int) -> None:
    with pytest.raises(Refusal):
        schedule_season("s", {f"p{n}": "" for n in range(players)}, seats_for(7), rounds)


def test_standings_count_beaten_seats_and_break_ties() -> None:
    names = {"a": "A", "b": "B", "c": "C"}
    games = (SeasonGame("1", {"x": "a", "y": "b", "z": "c"}), SeasonGame("2", {"x": "b", "y": "a", "z": "c"}))
    season = Season("s", names, rounds=(games[:1], games[1:]))
    results = {
        "1": SeasonResult({"x": 1, "y": 2, "z": 3}, {"x": 50, "y": 30, "z": 20}),
        "2": SeasonResult({"x": 1, "y": 2, "z": 2}, {"x": 90, "y": 5, "z": 5}),
    }
    rows = season_standings(season, results)
    assert [(row.participant, row.points, row.wins) for row in rows] == [("b", 3.0, 1), ("a", 2.5, 1), ("c", 0.5, 0)]
    assert season_standings(season, {})[0].games == 0
    even = {"1": SeasonResult({"x": 1, "y": 1, "z": 3}, {"x": 50, "y": 50, "z": 1})}
    assert [row.points for row in season_standings(season, even)] == [1.5, 1.5, 0.0]


def _standings(*games: dict[str, int], totals: dict[str, int] | None = None) -> list[str]:
    """Return the order of participants after games in which each seat has their name. Args: the ranks of each game."""
    names = sorted({one for ranks in games for one in ranks})
    played = tuple(SeasonGame(str(n), {one: one for one in ranks}) for n, ranks in enumerate(games))
    season = Season("s", dict.fromkeys(names, ""), rounds=(played,))
    results = {str(n): SeasonResult(ranks, totals or dict.fromkeys(ranks, 10)) for n, ranks in enumerate(games)}
    return [row.participant for row in season_standings(season, results)]


def test_each_tie_break_decides_when_those_before_it_do_not() -> None:
    """Head-to-head, mean rank, wins, share of the Victory Points, and at the end the order of the season."""
    head_to_head = _standings({"b": 1, "a": 2}, {"a": 1, "c": 2}, {"d": 1, "b": 2})
    assert head_to_head == ["d", "b", "a", "c"]
    mean_rank = _standings({"b": 2, "c": 2, "d": 1}, {"a": 3, "e": 3, "f": 1, "g": 2})
    assert mean_rank.index("b") < mean_rank.index("a")
    wins = _standings(
        {"a": 2, "c": 1, "d": 3}, {"a": 2, "e": 1, "f": 3}, {"b": 1, "g": 2, "h": 3}, {"b": 3, "i": 1, "j": 2}
    )
    assert wins.index("b") < wins.index("a")
    assert _standings({"a": 1, "b": 1}, totals={"a": 40, "b": 60}) == ["b", "a"]
    assert _standings({"a": 1, "b": 1}) == ["a", "b"]


def test_players_move_between_divisions() -> None:
    assert division_sizes(15, 2, 7) == [7, 8] and split_divisions("abcdefg", [3, 4]) == [list("abc"), list("defg")]
    for participants, divisions in ((13, 2), (7, 0), (7, 2)):
        with pytest.raises(Refusal, match="too few"):
            division_sizes(participants, divisions, 7)
    divisions = ["abcd", "efgh", "ijkl"]
    assert split_divisions(order_after(divisions, 1), [4, 4, 4]) == [list("abce"), list("dfgi"), list("hjkl")]
    assert split_divisions(order_after(divisions, 9), [4, 4, 4]) == [list("abef"), list("cdij"), list("ghkl")]
    assert order_after(divisions, 0) == order_after(["abcdefghijkl"], 3) == list("abcdefghijkl")


# --- the club ---------------------------------------------------------------------------------------------------------


def register_after_three_games(data: DataDirectory) -> PlayerRegistry:
    """Write three games of Ann, Bob, Cleo and Dan. Ann wins them; Cleo leaves the last one."""
    people = dict(zip(SEATS, ("ann", "bob", "cleo", "dan"), strict=True))
    left = {"type": "seating", "seats": {"germany": {"by": "bot", "level": "caretaker", "name": "Cleo"}}}
    late = {"type": "time_out", "seats": ["united_states"], "then": "default"}
    ranks = {seat: n for n, seat in enumerate(SEATS, start=1)}
    for n in (1, 2, 3):
        notes = (late, left) if n == 3 else ()
        (data.games / f"g{n}.jsonl").write_bytes(make_log(ranks, notes, f"2026-01-0{n}T10:00:00Z"))
    return _register(data, {f"g{n}": people for n in (1, 2, 3)})


def test_ratings_profiles_and_reputation(data: DataDirectory) -> None:
    players = register_after_three_games(data)
    with Club(data, players) as club:
        assert (club.update(), club.update()) == (3, 0)
        assert rating_order(club.ratings()) == ["ann", "bob", "cleo", "dan"]
        assert club.conduct("cleo").abandoned == 1 and club.conduct("dan").late == 1
        assert "83% of 6 Phases in time, no game abandoned" in "\n".join(club.profile_lines(club.find_member("Dan")))
        assert [game.name for game, _ in club.played("ann")] == ["g3", "g2", "g1"]
        assert "few games" in club.rating_lines()[1] and "Ann" in club.rating_lines()[1]
        assert club.mark_favourite("ann", "bob") and club.favourites("ann") == ("bob",)
        exported = club.export("ann")
        assert exported["favourites"] == ["bob"] and len(exported["games"]) == 3  # type: ignore[arg-type]
        club.forget("bob")
        assert club.favourites("ann") == ()
        for name in ("", "zed"):
            with pytest.raises(Refusal):
                club.find_member(name)


def test_the_index_is_rebuilt_from_the_logs(data: DataDirectory) -> None:
    players = register_after_three_games(data)
    with Club(data, players) as club:
        club.update()
        before = club.ratings()
    for damage in (b"", b"no database" * 999):
        (data.root / CLUB_INDEX).write_bytes(damage)
        with Club(data, players) as club:
            assert club.update() == 3 and club.ratings() == before
    (data.games / "g1.jsonl").unlink()
    (data.games / "g4.jsonl").write_bytes(WHOLE[:20_000])
    with Club(data, players) as club:
        assert club.update(most=0) == 0 and len(club.games()) == 2
        assert club.update() == 1 and len(club.games()) == 2


def test_an_index_that_cannot_be_used_is_reported(data: DataDirectory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paxtui.server.club.club.BUSY_S", 0.01)
    players = register_after_three_games(data)
    path = data.root / CLUB_INDEX
    with Club(data, players) as club, closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        for use in (club.update, club.games):
            with pytest.raises(StorageError, match=r"another program updates .*club\.sqlite .*try again"):
                use()
        other.execute("ROLLBACK")
        assert club.update() == 3
        other.execute("ALTER TABLE results RENAME TO others")
        for use in (club.update, club.games):
            with pytest.raises(StorageError, match=r"cannot be used .no such table: results"):
                use()
        other.execute("ALTER TABLE others RENAME TO results")
        assert club.update() == 0
        path.write_bytes(b"no database" * 999)
        for use in (club.update, club.games):
            with pytest.raises(StorageError, match=r"is damaged .* delete the file"):
                use()
    path.unlink()
    with Club(data, players) as club:
        assert club.update() == 3


def test_a_season_names_the_players_of_its_games(data: DataDirectory) -> None:
    players = register_after_three_games(data)
    bots = {f"bot-{n}": f"Bot {n}" for n in range(4)}
    game = SeasonGame("g1", dict(zip(SEATS, bots, strict=True)))
    with Club(data, players) as club:
        club.update()
        club.add_season(Season("autumn", bots, dict.fromkeys(bots, "steady"), rounds=((game,),)))
    with Club(data, players) as club:
        assert club.members()["bot-0"] == ("bot-0", "Bot 0", True) and len(club.played("ann")) == 2
        lines = club.season_lines("autumn")
        assert lines[0].startswith("Season autumn: 1 of 1") and "Bot 0" in lines[2]
        with pytest.raises(Refusal, match="no season 'winter'"):
            club.season("winter")


def test_a_damaged_file_of_seasons_is_not_overwritten(data: DataDirectory) -> None:
    for text in ("{", '{"version":99}'):
        (data.root / CLUB_FILE).write_text(text)
        with pytest.raises(StorageError):
            Club(data)
        assert (data.root / CLUB_FILE).read_text() == text


def test_a_change_that_cannot_be_saved_is_not_kept(data: DataDirectory, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with Club(data) as club:
        assert club.mark_favourite("ann", "bob")
        with monkeypatch.context() as patch:
            patch.setattr(type(data.storage), "replace", fail)
            with pytest.raises(OSError, match="No space"):
                club.mark_favourite("ann", "cleo")
        assert club.favourites("ann") == ("bob",)


def test_the_command_shows_tables(data: DataDirectory, capsys: pytest.CaptureFixture[str]) -> None:
    register_after_three_games(data)
    at = ["--data", str(data.root)]
    assert main(["club", *at]) == 0 and "Ann" in capsys.readouterr().out
    assert main(["club", "ann", *at]) == 0 and "Rating: " in capsys.readouterr().out
    assert main(["club", "ann", "--export", *at]) == 0
    assert json.loads(capsys.readouterr().out)["name"] == "Ann"
    assert main(["club", "--json", *at]) == 0 and json.loads(capsys.readouterr().out)[0]["id"] == "ann"
    assert main(["club", "--seasons", *at]) == 0 and "There is no season." in capsys.readouterr().out
    for wrong in (["zed"], ["--season", "x"], ["--export"]):
        assert main(["club", *wrong, *at]) == 2 and capsys.readouterr().err.startswith("paxtui: ")
