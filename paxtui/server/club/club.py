"""The club of a server: what has been read from the logs, in `club.sqlite`, and what no log says, in `club.json`."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

import msgspec

from paxtui.engine.refusal import Refusal
from paxtui.server.access_control import PlayerRegistry, repeat_change
from paxtui.server.club.conditions import CLUB_FILE, TableConditions
from paxtui.server.club.ratings import Place, Rating, rate_games, rating_order
from paxtui.server.club.results import GameResult, SeatResult, read_result
from paxtui.server.club.seasons import Season, SeasonResult, season_standings
from paxtui.server.data_directory import DataDirectory
from paxtui.session.storage.files import StorageError, readable_json

CLUB_INDEX = "club.sqlite"
"""Name of the index in the data directory of the server."""
VERSION = 1
BUSY_S = 2.0
"""How long to wait for another program that writes the index, in seconds."""
NOT_FINISHED = ""
"""Stored for a log without a result."""
FEW_GAMES = 5
"""Ratings from fewer games are marked."""
NAME_WIDTH, SHORT_NAME_WIDTH = 26, 22
LAST_GAMES = 8
"""Number of games on a profile."""


class ClubMember(NamedTuple):
    """A player of the club.

    Attributes:
        id: the id in the register of players, that of a season, or `bot:` and a bot.
        name: for tables.
        is_bot: whether it is a bot.
    """

    id: str
    name: str
    is_bot: bool


class Conduct(NamedTuple):
    """The reputation of a person.

    Attributes:
        games: finished games. phases: Phases in which the person had to act. late: those in which the time ran out.
        abandoned: games that the person left to a bot or to nobody.
    """

    games: int = 0
    phases: int = 0
    late: int = 0
    abandoned: int = 0

    @property
    def in_time(self) -> float:
        """Share of the Phases in time, 0 to 1."""
        return 1 - self.late / self.phases if self.phases else 1.0

    def __str__(self) -> str:
        """The reputation in words: "98% in time, 1 of 12 games abandoned"."""
        abandoned = f"{self.abandoned} of {self.games} games abandoned" if self.abandoned else "no game abandoned"
        return f"{self.in_time:.0%} of {self.phases} Phases in time, {abandoned}"


class PlayedGame(NamedTuple):
    """A finished game of a member: the result of the game, and the seat."""

    game: GameResult
    seat: SeatResult


class _ClubFile(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The file format: seasons; players marked by players; conditions of tables by game; what players follow."""

    version: int = VERSION
    seasons: list[Season] = []
    favourites: dict[str, list[str]] = {}
    tables: dict[str, TableConditions] = {}
    followed: dict[str, list[str]] = {}


def _index_error(path: Path, error: sqlite3.DatabaseError) -> StorageError:
    """Return what is wrong with the index, and what to do."""
    if not isinstance(error, sqlite3.OperationalError):
        what = f"{path} is damaged ({error}); stop the server and delete the file: the next start reads the logs again"
    elif "locked" in str(error) or "busy" in str(error):
        what = f"another program updates {path} ({error}); try again in a moment"
    else:
        what = f"{path} cannot be used ({error}); check the disk and the permissions of the file"
    return StorageError(path, what)


class Club:
    """The club of a server.

    Args:
        data_directory: the data directory.
        players: the register of players; by default it is read from the data directory.

    Raises:
        StorageError: `club.json` or `club.sqlite` cannot be read, or another program holds the latter.
        OSError, Refusal: the register cannot be read.
    """

    def __init__(self, data_directory: DataDirectory, players: PlayerRegistry | None = None) -> None:
        self._data = data_directory
        self._players = players or PlayerRegistry(data_directory.register, data_directory.storage)
        self._ratings: dict[str, Rating] | None = None
        self._games: list[GameResult] | None = None
        self.reload()
        self._db = self._open()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self._db.close()

    # --- files ------------------------------------------------------------------------------------------------------

    @property
    def _path(self) -> Path:
        return self._data.root / CLUB_FILE

    def reload(self) -> None:
        """Read the file again: another hub has replaced it. Raises: OSError."""
        self._file = self._read_file()
        self._saved = readable_json(self._file)
        self._index_seasons()

    def _read_file(self) -> _ClubFile:
        try:
            found = msgspec.json.decode(self._data.storage.read(self._path), type=_ClubFile)
        except FileNotFoundError:
            return _ClubFile()
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            message = f"{self._path} contains no valid seasons ({error}); restore it from a backup, or move it away"
            raise StorageError(self._path, message) from None
        if found.version > VERSION:
            raise StorageError(self._path, f"{self._path} was written by a newer paxtui; use that one")
        return found

    def _index_seasons(self) -> None:
        """Note the season and the participants of each game of a season, and forget what depends on them."""
        self._season_games = {game.name: (season, game.seats) for season in self._file.seasons for game in season.games}
        self._ratings = self._games = None

    def _write_file(self) -> None:
        """Save the file; restore what was saved last on failure. Raises: OSError."""
        data = readable_json(self._file)
        try:
            self._data.storage.replace(self._path, data)
        except OSError:
            self._file = msgspec.json.decode(self._saved, type=_ClubFile)
            raise
        self._saved = data
        self._index_seasons()

    def _open(self) -> sqlite3.Connection:
        """Open the index. A damaged one, or one of another version, is deleted: the logs have everything."""
        path = self._data.root / CLUB_INDEX
        for _ in range(2):
            db = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
            try:
                version = int(db.execute("PRAGMA user_version").fetchone()[0])
                if version not in (0, VERSION):
                    raise sqlite3.DatabaseError("another version")
                db.executescript(
                    "CREATE TABLE IF NOT EXISTS results (name TEXT PRIMARY KEY, size INT, mtime INT, result TEXT);"
                    f"PRAGMA user_version = {VERSION};"
                )
                return db
            except sqlite3.OperationalError as error:
                db.close()
                raise _index_error(path, error) from None
            except sqlite3.DatabaseError:
                db.close()
                for suffix in ("", "-journal", "-wal", "-shm"):
                    path.with_name(path.name + suffix).unlink(missing_ok=True)
        raise StorageError(path, f"{path} cannot be used")

    @contextmanager
    def _index_errors(self) -> Iterator[None]:
        """Undo what is not committed if the index cannot be used. Raises: StorageError."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            with suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            raise _index_error(self._data.root / CLUB_INDEX, error) from None

    def update(self, most: int = -1) -> int:
        """Read the results of new and changed logs.

        Args: the maximum number of logs to read, -1 for all.
        Returns: the number of logs read.
        Raises: StorageError: another program holds the index, or it cannot be used.
        """
        names, read = self._data.names(), 0
        with self._index_errors():
            stored = self._db.execute("SELECT name, size, mtime FROM results")
            known = {name: (size, mtime) for name, size, mtime in stored}
            self._db.execute("BEGIN IMMEDIATE")
            for name in names:
                path = self._data.games / f"{name}.jsonl"
                with suppress(OSError):
                    state = self._data.storage.state(path)
                    if known.get(name) != state and read != most:
                        result = read_result(name, self._data.storage.read(path))
                        text = msgspec.json.encode(result).decode() if result else NOT_FINISHED
                        row = (name, *state, text)
                        self._db.execute("INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?)", row)
                        read += 1
            gone = [(name,) for name in known if name not in names]
            self._db.executemany("DELETE FROM results WHERE name = ?", gone)
            self._db.execute("COMMIT")
        if read or gone:
            self._ratings = self._games = None
        return read

    # --- members and results ----------------------------------------------------------------------------------------

    def games(self) -> list[GameResult]:
        """Return the finished games in the order in which they ended. Raises: StorageError."""
        if self._games is None:
            with self._index_errors():
                rows = self._db.execute("SELECT result FROM results WHERE result > ''").fetchall()
            found = [msgspec.json.decode(text, type=GameResult) for (text,) in rows]
            order = {name: n for n, name in enumerate(self._season_games)}
            self._games = sorted(found, key=lambda game: (game.ended, order.get(game.name, 0), game.name))
        return self._games

    def member_at(self, game: str, seat: SeatResult) -> ClubMember:
        """Return who had a seat of a finished game. The id is "" for a person who is no longer registered."""
        if game in self._season_games:
            season, participants = self._season_games[game]
            if seat.seat in participants:
                return self._season_member(season, participants[seat.seat])
        player = self._players.at(game, seat.seat)
        if player and (not seat.bot or seat.is_abandoned):
            return ClubMember(player, self._players.name(player) or player, False)
        if seat.bot and not seat.is_abandoned:
            return ClubMember(f"bot:{seat.bot}", seat.bot, True)
        return ClubMember("", seat.person or "a former player", False)

    def _season_member(self, season: Season, id_: str) -> ClubMember:
        name = self._players.name(id_) or season.participants.get(id_, id_)
        return ClubMember(id_, name, id_ in season.bots)

    def members(self) -> dict[str, ClubMember]:
        """Return all members with a finished game, by id."""
        found = (self.member_at(game.name, seat) for game in self.games() for seat in game.seats)
        return {member.id: member for member in found if member.id}

    def find_member(self, text: str) -> ClubMember:
        """Return the player with an id or a name, or a unique beginning of it.

        Players who have not finished a game are found, too. Raises: Refusal `no_such_player`.
        """
        registered = (ClubMember(id_, self._players.name(id_) or id_, False) for id_ in self._players.ids())
        known = {one.id: one for one in registered if self._players.is_known(one.id)}
        wanted, members = text.strip().casefold(), known | self.members()
        exact = [one for one in members.values() if wanted in (one.id.casefold(), one.name.casefold())]
        found = exact or [one for one in members.values() if wanted and one.name.casefold().startswith(wanted)]
        if len(found) == 1:
            return found[0]
        if found:
            names = ", ".join(one.name for one in found[:8])
            raise Refusal("no_such_player", (), f"{text!r} can be {names}. Write more letters.")
        raise Refusal(
            "no_such_player", (), f"There is no player {text!r} here; 'paxtui club' lists those with a rating."
        )

    def played(self, member: str) -> list[PlayedGame]:
        """Return the finished games of a member, the latest first."""
        found = [
            PlayedGame(game, seat)
            for game in self.games()
            for seat in game.seats
            if self.member_at(game.name, seat).id == member
        ]
        return found[::-1]

    def ratings(self) -> dict[str, Rating]:
        """Return the rating of each member. Persons who left a game count with its result."""
        if self._ratings is None:
            rated = [game for game in self.games() if self.conditions(game.name).rated]
            places = [[Place(self.member_at(game.name, s).id, s.rank) for s in game.seats] for game in rated]
            self._ratings = rate_games([place for place in game if place.player] for game in places)
        return self._ratings

    def conduct(self, member: str) -> Conduct:
        """Return the reputation of a person."""
        played = self.played(member)
        return Conduct(
            len(played),
            sum(seat.phases for _, seat in played),
            sum(seat.late for _, seat in played),
            sum(seat.is_abandoned for _, seat in played),
        )

    # --- seasons ----------------------------------------------------------------------------------------------------

    @property
    def seasons(self) -> Sequence[Season]:
        """All seasons, the latest last."""
        return self._file.seasons

    def season(self, name: str) -> Season:
        """Return a season. Raises: Refusal `no_such_season`."""
        found = next((one for one in self._file.seasons if one.name == name), None)
        if found is None:
            names = ", ".join(one.name for one in self._file.seasons) or "none"
            raise Refusal("no_such_season", (), f"There is no season {name!r}; the seasons are: {names}.")
        return found

    def league(self, name: str) -> list[Season]:
        """Return the divisions of a league season, the highest first; a season without divisions is its only one.

        Raises: Refusal `no_such_season`.
        """
        return [one for one in self._file.seasons if one.league == name] or [self.season(name)]

    @repeat_change
    def add_season(self, season: Season) -> None:
        """Add a season, or replace the one of its name. Raises: OSError."""
        self._file.seasons = [one for one in self._file.seasons if one.name != season.name] + [season]
        self._write_file()

    def season_results(self, season: Season) -> Mapping[str, SeasonResult]:
        """Return the finished games of a season, by name."""
        names = {game.name for game in season.games}
        return {
            game.name: SeasonResult({s.seat: s.rank for s in game.seats}, {s.seat: s.total for s in game.seats})
            for game in self.games()
            if game.name in names
        }

    # --- tables with conditions -------------------------------------------------------------------------------------

    @property
    def has_conditions(self) -> bool:
        """Whether any game has conditions."""
        return bool(self._file.tables)

    def conditions(self, game: str) -> TableConditions:
        return self._file.tables.get(game, TableConditions())

    @repeat_change
    def set_conditions(self, game: str, conditions: TableConditions) -> None:
        """Set the conditions of a game. Raises: OSError."""
        self._file.tables[game] = conditions
        self._write_file()

    def check_conditions(self, player: str, game: str) -> None:
        """Check that a player may take a seat. Raises: Refusal `conditions`."""
        asked = self.conditions(game)
        if asked.in_time:
            conduct = self.conduct(player)
            if conduct.phases and conduct.in_time * 100 < asked.in_time:
                text = f"{game} is for players with {asked.in_time}% of their Phases in time; you have"
                raise Refusal("conditions", (), f"{text} {conduct.in_time:.0%}.")
        if asked.rating:
            rating = self.ratings().get(player, Rating())
            if rating.floor < asked.rating:
                text = f"{game} is for players with a rating of {asked.rating} or more, less its uncertainty; yours is"
                raise Refusal("conditions", (), f"{text} {rating}, so {rating.floor:.1f}.")

    # --- favourites, export, deletion -------------------------------------------------------------------------------

    def favourites(self, player: str) -> tuple[str, ...]:
        """Return the ids of the players that a player has marked."""
        return tuple(self._file.favourites.get(player, ()))

    @repeat_change
    def mark_favourite(self, player: str, other: str) -> bool:
        """Mark another player, or remove the mark; return whether the player is marked now. Raises: OSError."""
        return self._toggle(self._file.favourites.setdefault(player, []), other)

    def followed(self, player: str) -> Collection[str]:
        """Return what a player follows: ids of players, and what `followed_game` returns for games."""
        return self._file.followed.get(player, ())

    @repeat_change
    def follow(self, player: str, what: str) -> bool:
        """Follow a player or a game, or stop that; return whether it is followed now. Raises: OSError."""
        return self._toggle(self._file.followed.setdefault(player, []), what)

    def _toggle(self, listed: list[str], one: str) -> bool:
        if one in listed:
            listed.remove(one)
        else:
            listed.append(one)
        self._write_file()
        return one in listed

    def export(self, player: str) -> dict[str, object]:
        """Return everything that the club knows about a player, for JSON."""
        rating = self.ratings().get(player)
        return {
            "player": player,
            "name": self._players.name(player),
            "keys": self._players.fingerprints(player),
            "seats": self._players.seats_of(player),
            "rating": msgspec.to_builtins(rating) if rating else None,
            "conduct": self.conduct(player)._asdict(),
            "favourites": list(self.favourites(player)),
            "followed": list(self.followed(player)),
            "seasons": [
                {
                    "season": season.name,
                    "name": season.participants[player],
                    "games": [
                        {"game": game.name, "seat": seat}
                        for game in season.games
                        for seat, one in game.seats.items()
                        if one == player
                    ],
                }
                for season in self.seasons
                if player in season.participants
            ],
            "games": [
                {"game": game.name, "ended": game.ended, **msgspec.to_builtins(seat)}
                for game, seat in self.played(player)
            ],
        }

    @repeat_change
    def forget(self, player: str) -> None:
        """Remove a player from favourites, from what is followed, and from the names of seasons. Raises: OSError."""
        for lists in (self._file.favourites, self._file.followed):
            lists.pop(player, None)
            for marked in lists.values():
                if player in marked:
                    marked.remove(player)
        self._file.seasons = [
            msgspec.structs.replace(
                season,
                participants={id_: "a former player" if id_ == player else n for id_, n in season.participants.items()},
            )
            for season in self._file.seasons
        ]
        self._write_file()

    # --- texts ------------------------------------------------------------------------------------------------------

    def rating_lines(self, favourites: Collection[str] = ()) -> list[str]:
        """Return the table of ratings. Args: ids of the players to mark with a star."""
        members, ratings = self.members(), self.ratings()
        if not ratings:
            return ["Nobody has a rating yet: a rated game is finished and has two players or more."]
        out = [f"{'':>3}  {'player':<{NAME_WIDTH}} {'rating':>12}  games"]
        for n, id_ in enumerate(rating_order(ratings), start=1):
            rating, name = ratings[id_], members[id_].name
            bot = " (bot)" if members[id_].is_bot else ""
            few = "  few games" if rating.games < FEW_GAMES else ""
            star = "*" if id_ in favourites else " "
            out.append(f"{n:>3} {star}{_cut(name + bot):<{NAME_WIDTH}} {rating!s:>12}  {rating.games:>5}{few}")
        return out

    def season_lines(self, name: str) -> list[str]:
        """Return the standings of a season or of all divisions of a league, and the games of the current rounds.

        Raises: Refusal.
        """
        divisions, out = self.league(name), list[str]()
        for n, season in enumerate(divisions):
            out += self._division_lines(season, season.moves * bool(n), season.moves * (n + 1 < len(divisions)))
        return out

    def _division_lines(self, season: Season, rise: int, fall: int) -> list[str]:
        """Return the lines of a season. Args: the season; how many of its participants rise and fall afterwards."""
        results = self.season_results(season)
        left = [game for game in season.games if game.name not in results]
        out = [f"Season {season.name}: {len(season.games) - len(left)} of {len(season.games)} games are finished."]
        out.append(f"{'':>3}   {'player':<{SHORT_NAME_WIDTH}} points  games  a game  rank  wins  share")
        rows = season_standings(season, results)
        for n, row in enumerate(rows, start=1):
            who = _cut(self._season_member(season, row.participant).name, SHORT_NAME_WIDTH)
            figures = f"{row.points:>6.1f}  {row.games:>5}  {row.mean:>6.2f}  {row.mean_rank:>4.1f}  {row.wins:>4}"
            move = "+" if n <= rise else "-" if n > len(rows) - fall else " "
            out.append(f"{n:>3} {move} {who:<{SHORT_NAME_WIDTH}} {figures}  {row.share:>5.2f}")
        current = next((games for games in season.rounds if any(game in left for game in games)), ())
        out += [f"to play: {game.name}" for game in current if game in left]
        return out

    def profile_lines(self, member: ClubMember) -> list[str]:
        """Return the profile of a member: rating, reputation, Powers, last games."""
        played, rating = self.played(member.id), self.ratings().get(member.id)
        out = [member.name + (" (bot)" if member.is_bot else "")]
        if rating:
            order = rating_order(self.ratings())
            out.append(f"Rating: {rating}, place {order.index(member.id) + 1} of {len(order)}, {rating.games} games")
        else:
            out.append("Rating: none yet")
        if not member.is_bot:
            out.append(f"Reputation: {self.conduct(member.id)}")
        if played:
            wins = sum(seat.rank == 1 for _, seat in played)
            mean = sum(seat.rank for _, seat in played) / len(played)
            out.append(f"Games: {len(played)}, won {wins}, mean rank {mean:.1f}")
            out.append("Powers: " + ", ".join(_by_power(played)))
            out.append("Last games:")
            out += [
                f"  {game.name}: {_title(seat.seat)}, rank {seat.rank}, {seat.total} Victory Points"
                for game, seat in played[:LAST_GAMES]
            ]
        return out


def _by_power(played: Sequence[PlayedGame]) -> Iterator[str]:
    ranks: dict[str, list[int]] = {}
    for _, seat in played:
        ranks.setdefault(seat.seat, []).append(seat.rank)
    for power, some in sorted(ranks.items(), key=lambda item: -len(item[1])):
        yield f"{_title(power)} {len(some)} (mean rank {sum(some) / len(some):.1f})"


def _title(seat: str) -> str:
    return seat.replace("_", " ").title()


def _cut(name: str, width: int = NAME_WIDTH) -> str:
    return name if len(name) <= width else name[: width - 1] + "…"
