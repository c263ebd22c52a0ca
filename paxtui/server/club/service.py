"""Requests to the club from the lobby: profile, ratings, seasons, favourites, followed games, rematch, own data.

A request is a line of words, and the answer a text, so that the screen and the plain mode use the same.
"""

from __future__ import annotations

import itertools
import math
import string
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from paxtui.engine.clock import duration_text, parse_duration
from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import SeatOccupant
from paxtui.games.pax.position.setup import seats_for
from paxtui.server.access_control import PlayerRegistry
from paxtui.server.club.conditions import CLUB_FILE, TableConditions
from paxtui.server.club.seasons import (
    Season,
    SeasonGame,
    division_sizes,
    order_after,
    schedule_season,
    season_standings,
    split_divisions,
)
from paxtui.server.data_directory import DataDirectory
from paxtui.session.games import GAME_KINDS
from paxtui.session.storage.files import readable_json
from paxtui.session.tables.scenarios import hosted_scenarios

if TYPE_CHECKING:
    from paxtui.server.club.club import Club

MOST_READ = 20
"""Maximum number of logs that one request reads, so that the server stays responsive."""
HOST = ""
"""The visitor id of the host, who may ask everything and take any seat."""

OpenGame = Callable[[str, str, Mapping[str, str], Mapping[str, SeatOccupant], str], None]
"""Opens a game: its name, its scenario ("" for the whole game), the players and the bots by seat, and who opens it.
Raises: Refusal, OSError.
"""
OpenTable = Callable[[str, str, str, str, int], None]
"""Opens a table: the visitor, its name, the number of players or the scenario, the visitor's seat, and the seconds for
each Phase, 0 for no clock. Raises: Refusal, OSError.
"""
IsOver = Callable[[str], bool]
MayFollow = Callable[[str, str], bool]
"""Whether a visitor sees a game: the visitor, and its name."""


class SeasonPlan(NamedTuple):
    """How a season is to be.

    Attributes:
        rounds: number of rounds.
        scenario: the scenario of all games, "" for the whole game of 7 players.
        divisions: number of divisions.
        moves: number of participants who rise and fall between two divisions afterwards.
        after: the finished season that it continues, "" for none.
        without: participants of that one who leave: names, ids or bots.
    """

    rounds: int
    scenario: str = ""
    divisions: int = 1
    moves: int = 1
    after: str = ""
    without: tuple[str, ...] = ()


def followed_game(name: str) -> str:
    """Return by what a followed game is stored, which is no id of a player."""
    return f"game:{name}"


TABLE_EXAMPLE = "table friday: 7 france each 1d in-time 90 unrated"
HELP = (
    "profile [NAME] · ratings · season [NAME] · favourite NAME · follow NAME · rematch GAME · table NAME: ... · "
    "export · delete"
)
"""All requests, and how a table with conditions is written."""


class ClubService:
    """The club for visitors of the lobby. The host may ask everything; strangers nothing.

    Args:
        data_directory: the data directory.
        players: the register of players.
        open_game: opens a game with players and bots.
        open_table: opens a game with free seats.
        is_over: whether a game has ended.
        may_follow: whether a visitor sees a game.
    """

    def __init__(
        self,
        data_directory: DataDirectory,
        players: PlayerRegistry,
        open_game: OpenGame,
        open_table: OpenTable,
        is_over: IsOver,
        may_follow: MayFollow,
    ) -> None:
        self._data, self._players, self._is_over = data_directory, players, is_over
        self._open_game, self._open_table = open_game, open_table
        self._may_follow = may_follow
        self._opened: Club | None = None
        self._requests: dict[str, Callable[[str, str], str]] = {
            "profile": self._profile,
            "ratings": self._ratings,
            "season": self._season,
            "favourite": self._favourite,
            "follow": self._follow,
            "rematch": self._rematch,
            "table": self._table,
            "export": self._export,
            "delete": self._delete,
        }

    def request(self, player: str, words: str) -> str:
        """Carry out a request and return the answer in lines.

        Args: the visitor; the request, "" for the visitor's profile.
        Raises: Refusal, OSError.
        """
        if player != HOST and not self._players.is_known(player):
            raise Refusal("not_known", (), "The club is for players who have or had a seat on this server.")
        what, _, about = words.strip().partition(" ")
        ask = self._requests.get(what.casefold() or ("profile" if player else "ratings"))
        if ask is None:
            raise Refusal("no_wish", (), f"The club has no request {what!r}. It has: {HELP}.")
        return ask(player, about.strip())

    @property
    def club(self) -> Club:
        """The club, brought up to date. Raises: OSError."""
        club = self._load()
        club.update(MOST_READ)
        return club

    def _load(self) -> Club:
        """Return the club as it was last read. Raises: OSError."""
        if self._opened is None:
            from paxtui.server.club.club import Club  # with SQLite, which a server without a club does not need

            self._opened = Club(self._data, self._players)
        return self._opened

    def forget_file(self, path: Path) -> None:
        """Read the club's file again, if another hub has replaced it. Raises: OSError."""
        if self._opened is not None and path.name == CLUB_FILE:
            self._opened.reload()

    # --- tables -----------------------------------------------------------------------------------------------------

    def _profile(self, player: str, name: str) -> str:
        from paxtui.server.club.club import ClubMember

        club = self.club
        if name or player == HOST:
            member = club.find_member(name)
        else:
            member = ClubMember(player, self._players.name(player) or player, False)
        lines = club.profile_lines(member)
        if member.id == player:
            for title, ids in (("Favourites", club.favourites(player)), ("You follow", club.followed(player))):
                if ids:
                    lines.append(f"{title}: {', '.join(map(self._name, ids))}")
        return "\n".join(lines)

    def _name(self, id_: str) -> str:
        """Return the name of a player, a bot or a followed game."""
        return self._players.name(id_) or id_.removeprefix("bot:").removeprefix(followed_game(""))

    def _ratings(self, player: str, about: str) -> str:
        return "\n".join(self.club.rating_lines(set(self.club.favourites(player))))

    def _season(self, player: str, name: str) -> str:
        club = self.club
        if not club.seasons:
            return "There is no season. The host begins one with 'paxtui club --begin NAME'."
        name = name or club.seasons[-1].league or club.seasons[-1].name
        for division in club.league(name):
            self.open_round(division)
        return "\n".join(club.season_lines(name))

    def _favourite(self, player: str, name: str) -> str:
        if player == HOST:
            raise Refusal("not_yours", (), "Only players can have favourites.")
        member = self.club.find_member(name)
        marked = self.club.mark_favourite(player, member.id)
        return f"{member.name} is {'one' if marked else 'no longer one'} of your favourites."

    def _follow(self, player: str, name: str) -> str:
        """Follow a game or a player, or stop that."""
        if player == HOST:
            raise Refusal("not_yours", (), "Only players can follow games and people. The host sees everything.")
        club = self.club
        is_game = self._may_follow(player, name)
        member = None if is_game else club.find_member(name)
        what = followed_game(name) if member is None else member.id
        title = name if member is None else member.name
        if club.follow(player, what):
            return f"You follow {title}. The lobby marks {'it' if is_game else 'the games there'} with a star."
        return f"You no longer follow {title}."

    def followed(self, player: str) -> Collection[str]:
        """Return what a visitor follows: ids of players, and of games by `followed_game`. Raises: OSError."""
        return self._load().followed(player) if player != HOST and self._has_file else ()

    # --- games ------------------------------------------------------------------------------------------------------

    def _rematch(self, player: str, name: str) -> str:
        """Open a game with the people and bots of a finished one; each gets the next Power."""
        game = next((one for one in self.club.games() if one.name == name), None)
        if game is None:
            raise Refusal("no_such_game", (), f"No game {name!r} has been finished here.")
        people = {one.seat: self._players.at(name, one.seat) for one in game.seats}
        if player != HOST and player not in people.values():
            raise Refusal("not_yours", (), f"You did not play {name}; its players can ask for a rematch.")
        bots = GAME_KINDS["pax"].bots()
        holders = {one.seat: people[one.seat] or (bots.parse_name(one.bot) if one.bot else "") for one in game.seats}
        seats = list(holders)
        moved = dict(zip(seats[1:] + seats[:1], holders.values(), strict=True))
        new = self._free_name(name)
        self._open_game(
            new,
            game.scenario,
            {seat: who for seat, who in moved.items() if isinstance(who, str)},
            {seat: who for seat, who in moved.items() if isinstance(who, SeatOccupant)},
            player,
        )
        return f"{new} is open: the players of {name}, each with the next Power."

    def _table(self, player: str, about: str) -> str:
        """Open a table with conditions: `friday: 7 france each 1d in-time 90 rating 20 unrated`."""
        name, colon, rest = about.partition(":")
        words = rest.split()
        if not colon or len(words) < 2:
            raise Refusal("bad_table", (), f"A table is written as {TABLE_EXAMPLE!r}.")
        players, seat, *asked = words
        seconds, values, rated = 0, {"in-time": 0, "rating": 0}, True
        while asked:
            word = asked.pop(0).casefold()
            if word in ("rated", "unrated"):
                rated = word == "rated"
            elif word == "each" and asked:
                seconds = parse_duration(asked.pop(0))
            elif word in values and asked and asked[0].rstrip("%").isdecimal():
                values[word] = min(100, int(asked.pop(0).rstrip("%")))
            else:
                raise Refusal("bad_table", (), f"{word!r} is not a condition, or has no value: {TABLE_EXAMPLE!r}.")
        name = " ".join(name.split())
        self._open_table(player, name, players, seat.casefold(), seconds)
        conditions = TableConditions(rated, values["in-time"], values["rating"])
        self.club.set_conditions(name, conditions)
        clock = f", {duration_text(seconds)} for each Phase" if seconds else ""
        return f"{name} is open: {conditions}{clock}. You are {seat}."

    def check_seat(self, player: str, game: str) -> None:
        """Check that a visitor meets the conditions of a game. Raises: Refusal `conditions`; OSError."""
        if player != HOST and self._has_file:
            self.club.check_conditions(player, game)

    def conditions(self, game: str) -> str:
        """Return the conditions of a game in words, "" for none. Raises: OSError."""
        if not self._has_file or not self._load().has_conditions:
            return ""
        found = self._load().conditions(game)
        return "" if found == TableConditions() else str(found)

    @property
    def _has_file(self) -> bool:
        """Whether there may be conditions. Without them the club is not opened."""
        return self._opened is not None or self._data.storage.exists(self._data.root / CLUB_FILE)

    def _free_name(self, name: str) -> str:
        taken = set(self._data.names())
        stem, _, number = name.rpartition(" ")
        stem, n = (stem, int(number)) if stem and number.isdecimal() else (name, 1)
        while f"{stem} {n + 1}" in taken:
            n += 1
        return f"{stem} {n + 1}"

    def begin_season(self, name: str, participants: list[str], plan: SeasonPlan) -> list[Season]:
        """Draw up a season or the divisions of a league, save it, and open the games of the first round.

        The first season of a league has the participants by their ratings. A later one has the divisions of the season
        before, after its last have fallen and its first have risen; new participants begin in the lowest division.

        Args:
            name: its name.
            participants: names or ids of players, and bots such as `statesman:hard`.
            plan: how it is to be.

        Returns: the divisions, the highest first.
        Raises: Refusal, OSError.
        """
        club = self.club
        if any(name in (season.name, season.league) for season in club.seasons):
            raise Refusal("taken", (), f"The season {name!r} already exists.")
        scenario, scenarios = plan.scenario, hosted_scenarios()
        if scenario and scenario not in scenarios:
            raise Refusal("unknown_scenario", (), f"There is no scenario {scenario!r}: {', '.join(scenarios)}.")
        seats = scenarios[scenario].free_seats if scenario else seats_for(7)
        names: dict[str, str] = {}
        bots: dict[str, str] = {}
        before = self._finished(plan.after) if plan.after else []
        for season in before:
            names |= {id_: self._players.name(id_) or old for id_, old in season.participants.items()}
            bots |= season.bots
        order = order_after([self._order(season) for season in before], before[0].moves) if before else []
        for one in plan.without:
            left = next((id_ for id_ in order if one.casefold() in (id_.casefold(), names[id_].casefold())), None)
            if left is None:
                raise Refusal("no_such_player", (), f"{one!r} has not played the season {plan.after}.")
            order.remove(left)
        new = self._new_participants(participants, names, bots)
        if not before:
            ratings = club.ratings()
            new.sort(key=lambda id_: -ratings[id_].floor if id_ in ratings else math.inf)
        order += new
        divisions = len(before) or plan.divisions
        sizes = division_sizes(len(order), divisions, len(seats))
        found = []
        for letter, ids in zip(string.ascii_uppercase, split_divisions(order, sizes), strict=False):
            season = schedule_season(
                f"{name} {letter}" if divisions > 1 else name,
                {id_: names[id_] for id_ in ids},
                seats,
                plan.rounds,
                bots={id_: bots[id_] for id_ in ids if id_ in bots},
                scenario=scenario,
            )
            if divisions > 1:
                season = replace(season, league=name, moves=plan.moves)
            found.append(season)
        for season in found:
            club.add_season(season)
        for season in found:
            self.open_round(season)
        return found

    def _finished(self, name: str) -> list[Season]:
        """Return the divisions of a finished season. Raises: Refusal `no_such_season`, `not_over`."""
        divisions = self.club.league(name)
        results = [self.club.season_results(season) for season in divisions]
        left = [
            g.name for season, over in zip(divisions, results, strict=True) for g in season.games if g.name not in over
        ]
        if left:
            raise Refusal("not_over", (), f"{name} is not over: {', '.join(left[:3])} must be finished first.")
        return divisions

    def _order(self, season: Season) -> list[str]:
        return [row.participant for row in season_standings(season, self.club.season_results(season))]

    def _new_participants(self, participants: list[str], names: dict[str, str], bots: dict[str, str]) -> list[str]:
        """Add participants to names and bots by id; return the ids. Raises: Refusal `no_such_player`, `bad_season`."""
        by_name = {self._players.name(id_).casefold(): id_ for id_ in self._players.ids()}
        found = []
        for one in participants:
            id_ = one if one in self._players.ids() else by_name.get(one.casefold(), "")
            if not id_:
                try:
                    GAME_KINDS["pax"].bots().parse_name(one)
                except ValueError as error:
                    message = f"{one!r} is not a player of this server ('paxtui players'), and {error}."
                    raise Refusal("no_such_player", (), message) from None
                number = next(n for n in itertools.count(1) if f"bot-{one.replace(':', '-')}-{n}" not in names)
                id_ = f"bot-{one.replace(':', '-')}-{number}"
                bots[id_] = one
            elif id_ in names:
                raise Refusal("bad_season", (), f"{one} already takes part.")
            names[id_] = self._players.name(id_) or f"{one} {id_.rpartition('-')[2]}"
            found.append(id_)
        return found

    def open_round(self, season: Season) -> list[SeasonGame]:
        """Open the games of the current round of a season that do not exist, and return them.

        A round begins when all games of the round before are over. Raises: Refusal, OSError.
        """
        existing = set(self._data.names())
        for games in season.rounds:
            missing = [game for game in games if game.name not in existing]
            for game in missing:
                people = {seat: one for seat, one in game.seats.items() if one not in season.bots}
                bots = GAME_KINDS["pax"].bots()
                occupants = {s: bots.parse_name(season.bots[o]) for s, o in game.seats.items() if o in season.bots}
                self._open_game(game.name, season.scenario, people, occupants, HOST)
            if missing or not all(self._is_over(game.name) for game in games):
                return missing
        return []

    # --- one's own data ---------------------------------------------------------------------------------------------

    def _export(self, player: str, about: str) -> str:
        if player == HOST:
            raise Refusal("not_yours", (), "The host exports with 'paxtui club PLAYER --export'.")
        return readable_json(self.club.export(player)).decode().rstrip()

    def _delete(self, player: str, name: str) -> str:
        """Delete a player: name, keys, seats and settings. The results stay, without the name."""
        if player == HOST or not name or name.casefold() != self._players.name(player).casefold():
            message = f"To delete your name, keys and settings here, type: delete {self._players.name(player)}"
            raise Refusal("not_sure", (), f"{message}. Results stay, without your name.")
        over = {game.name for game in self.club.games()}
        seats = self._players.seats_of(player)
        running = [game for game, _ in seats if game not in over and not self._is_over(game)]
        if running:
            message = f"You still have a seat in {', '.join(running)}: ask the host to free it first."
            raise Refusal("seated", (), message)
        self.club.forget(player)
        self._data.forget_player(player)
        self._players.delete(player)
        return "Your name, keys, seats and settings are deleted. You are a new visitor now."
