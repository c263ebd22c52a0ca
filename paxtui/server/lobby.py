"""The lobby: the games that a visitor can enter, watch or open. Each request checks the visitor's rights again."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import msgspec

from paxtui.engine.clock import OTHER_PHASES
from paxtui.engine.log import FIRST_RULEBOOK
from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import SeatOccupant
from paxtui.engine.seats import SPECTATOR
from paxtui.games.pax.position.setup import seats_for
from paxtui.server.access_control import PlayerRegistry, ServerTerms
from paxtui.server.club.service import HOST, ClubService, followed_game
from paxtui.server.data_directory import DataDirectory
from paxtui.server.games import GameRegistry
from paxtui.server.limits import RateLimits
from paxtui.server.notification_service import NotificationService
from paxtui.server.standings import MOST_TASKS
from paxtui.session import lobby
from paxtui.session.fair_dice import new_seed
from paxtui.session.game_host import DiceKind
from paxtui.session.hosts import new_game
from paxtui.session.storage.saved_games import check_name
from paxtui.session.tables.records import new_game_tables
from paxtui.session.tables.scenarios import hosted_scenarios

WARN_S = 6 * 3600
"""Time before the end of a Phase at which players of a table with a clock are warned, in seconds, at most."""

MOST_OPENED = 5
"""Maximum number of running games opened by one player; the host has no limit."""

LOOK_S = 0.4
"""Time in which one request may read logs, in seconds. The standings of most games are known without that."""

COUNTS = ("4", "5", "6", "7", "8")
"""Numbers of players of a game without a scenario."""

MOST_GAMES = 200
"""Maximum number of games on a server, to limit disk use."""


class LobbyService:
    """The lobby of a server.

    Args:
        data_directory: the data directory.
        players: keys, seats and invitations.
        terms: access terms.
        games: the games.
        limits: rate limits.
        dice: kind of dice of games that are opened here.
        notifications: webhooks and e-mail of players.

    Attributes:
        club: the club.
    """

    def __init__(
        self,
        data_directory: DataDirectory,
        players: PlayerRegistry,
        terms: ServerTerms,
        games: GameRegistry,
        limits: RateLimits,
        dice: DiceKind,
        notifications: NotificationService,
    ) -> None:
        self._data_directory, self._players, self._terms, self._games = data_directory, players, terms, games
        self._dice: DiceKind = dice
        self._limits = limits
        self.club = ClubService(
            data_directory, players, self._open_for, self._open_table, self._is_over, self._may_follow
        )
        # each takes the visitor, and its parameters by the names that the protocol uses
        self._wishes: dict[str, Callable[..., Any]] = {
            "look": self.look,
            "sit": self.sit,
            "take": self.take,
            "watch": self.watch,
            "redeem": self.redeem,
            "open": self.open,
            "notify": notifications.request,
            "club": self.club.request,
        }

    def request(self, player: str, what: str, about: dict[str, str], now: float) -> Any:
        """Answer a request with a ticket or with the lobby view. Args: visitor, name, parameters; seconds since 1970.

        Raises: Refusal; OSError; TypeError for an unknown request or parameter.
        """
        wish = self._wishes.get(what)
        if wish is None:
            raise Refusal("no_wish", (), f"There is no lobby request {what!r}.")
        answer = wish(player, **about)
        if isinstance(answer, tuple):
            game, seat = answer
            return {"ticket": self._data_directory.ticket(game, seat, player, now), "game": game, "seat": seat}
        return msgspec.to_builtins(answer)

    # --- view -----------------------------------------------------------------------------------------------------

    def look(self, player: str) -> lobby.LobbyView:
        """Return the lobby view: the visitor's own games first, then those open to the visitor."""
        own = {game for game, _ in self._players.seats_of(player)}
        names = sorted(self._data_directory.names(), key=lambda name: name not in own)  # own games are read first
        ends = time.monotonic() + LOOK_S
        found = [self._glance(player, name, ends) for name in names if name in own or self._may_see(player, name)]
        mine = [t for t in found if t.trouble or t.own_seats or t.watch or any(seat.open for seat in t.seats)]
        mine.sort(key=_rank)
        return lobby.LobbyView(self._players.name(player), tuple(mine), self._may_open(player))

    def _may_follow(self, player: str, game: str) -> bool:
        exists = game in self._data_directory.names()
        return exists and (self._plays(player, game) or self._may_see(player, game))

    def _may_see(self, player: str, game: str) -> bool:
        """Whether a game may concern a visitor who has no seat in it."""
        terms = self._terms.of(game)
        return self._lets(player, terms.watch) or self._lets(player, terms.seats)

    def _glance(self, player: str, name: str, ends: float) -> lobby.LobbyGame:
        """Return a game; if its log has not been read and the time is over, only its name. Args: monotonic seconds."""
        if time.monotonic() > ends:
            with suppress(Refusal):
                if not self._games.is_read(name, self._delay_for(player, name)):
                    return lobby.LobbyGame(name, trouble=lobby.UNREAD)
        return self._table(player, name)

    def _delay_for(self, player: str, game: str) -> int:
        """Return how many minutes a visitor sees a game behind."""
        return 0 if self._plays(player, game) else self._terms.of(game).delay

    def _table(self, player: str, name: str) -> lobby.LobbyGame:
        terms, delay = self._terms.of(name), self._delay_for(player, name)
        try:
            there = self._games.standing(name)
            if delay and not there.over:
                there = self._games.delayed_standing(name, there, delay)
        except Refusal as refusal:
            return lobby.LobbyGame(name, trouble=refusal.message)
        open_ = not there.over and self._lets(player, terms.seats)
        seats = []
        followed = self.club.followed(player)
        for seat in there.seats:
            who = self._players.at(name, seat)
            holder, called = "nobody", ""
            if seat in there.bots:
                holder, called = "bot", there.bots[seat]
            elif player != HOST and who == player:
                holder = "you"
            elif who:
                holder, called = "player", self._players.name(who)
            found = {
                "seat": seat,
                "title": there.seat_names[seat],
                "holder": holder,
                "name": called,
                "here": seat in there.here,
                "since": there.since.get(seat, ""),
                "followed": (who or f"bot:{called}") in followed,
                "open": player == HOST or (open_ and holder == "nobody" and seat not in self._players.invited(name)),
            }
            seats.append(msgspec.convert(found, lobby.LobbySeat))
        tasks = [task for seat in seats if seat.holder == "you" for task in self._games.tasks(name, seat.seat)]
        return lobby.LobbyGame(
            name,
            there.year,
            there.turn,
            there.phase_name,
            there.over,
            tuple(seats),
            tuple(tasks[:MOST_TASKS]),
            self._lets(player, terms.watch),
            terms.delay,
            dice=there.dice,
            clock=there.clock,
            conditions=self.club.conditions(name),
            moved_at=there.moved_at,
            followed=followed_game(name) in followed,
        )

    def _plays(self, player: str, game: str) -> bool:
        """Whether a visitor is the host, or has a seat in a game."""
        return player == HOST or any(table == game for table, _ in self._players.seats_of(player))

    def _lets(self, player: str, who: str) -> bool:
        return player == HOST or who == "anybody" or (who == "known" and self._players.is_known(player))

    def _may_open(self, player: str) -> bool:
        return player == HOST or (self._terms.opens == "known" and self._players.is_known(player))

    def _is_over(self, game: str) -> bool:
        """Whether a game has ended; one that cannot be opened counts as running."""
        try:
            return self._games.standing(game).over
        except Refusal:
            return False

    # --- requests for a seat; each returns game and seat of the ticket --------------------------------------------

    def sit(self, player: str, game: str, seat: str) -> tuple[str, str]:
        """Enter a seat of the visitor. Raises: Refusal `not_yours`."""
        if seat not in self._games.standing(game).seats or (player != HOST and self._players.at(game, seat) != player):
            raise Refusal("not_yours", (), "This seat is not yours.")
        return game, seat

    def take(self, player: str, game: str, seat: str) -> tuple[str, str]:
        """Take a free seat. Raises: Refusal `not_free`, `conditions`; OSError."""
        table = self._table(player, game)
        if not any(there.seat == seat and there.open for there in table.seats):
            raise Refusal("not_free", (), "This seat is not free, or needs an invitation code.")
        self.club.check_seat(player, game)
        if player != HOST:
            self._players.seat(game, seat, player)
        return game, seat

    def watch(self, player: str, game: str) -> tuple[str, str]:
        """Watch a game. Raises: Refusal `no_spectators`."""
        self._games.standing(game)
        if not self._lets(player, self._terms.of(game).watch):
            raise Refusal("no_spectators", (), "Only players can see this game.")
        return game, SPECTATOR

    def redeem(self, player: str, code: str) -> tuple[str, str]:
        """Take the seat of an invitation. Raises: Refusal `wrong_code`."""
        wrong, who = self._limits.wrong_codes, player or "host"
        if wait := wrong.wait_s(who):
            raise Refusal("wrong_code", (), f"Too many wrong codes. Try again in {wait} seconds.")
        try:
            found = self._players.redeem_for(player, code)
        except Refusal:
            wrong.use(who)
            raise
        wrong.reset(who)
        return found

    def open(self, player: str, name: str, players: str, seat: str) -> tuple[str, str]:
        """Open a game and take a seat; the other seats are free for registered players.

        Args: the visitor; the name of the game; the number of players, 4 to 8, or a scenario; the visitor's seat.
        Raises: Refusal `not_host`, `full`, `bad_name`, `taken`, `bad_count`, `unknown_seat`; OSError.
        """
        self._check_may_open(player)
        wanted = check_name(name.strip())
        scenarios = {} if players in COUNTS else hosted_scenarios()
        if players not in (*COUNTS, *scenarios):
            known = f", or is a scenario: {', '.join(scenarios)}" if scenarios else ""
            raise Refusal("bad_count", (), f"A game has 4 to 8 players{known}.")
        seats = scenarios[players].free_seats if players in scenarios else seats_for(int(players))
        if seat not in seats:
            raise Refusal("unknown_seat", (), f"The seats are {', '.join(seats)}.")
        scenario = players if players in scenarios else ""
        self._create(wanted, scenario, seats, {}, player)
        if player != HOST:
            self._players.seat(wanted, seat, player)
        return wanted, seat

    def _check_may_open(self, player: str) -> None:
        """Raise Refusal `not_host` or `full` if a visitor may not open one more game."""
        if not self._may_open(player):
            raise Refusal("not_host", (), "Only the host of this server can open games.")
        opened = [game for game in self._data_directory.names() if self._terms.opener(game) == player != HOST]
        if sum(not self._is_over(game) for game in opened) >= MOST_OPENED:
            text = f"You have opened {MOST_OPENED} games that are still running: {', '.join(opened[:MOST_OPENED])}."
            raise Refusal("full", (), f"{text} Finish one, or ask the host.")

    def _create(
        self, name: str, scenario: str, seats: Sequence[str], bots: Mapping[str, SeatOccupant], opener: str
    ) -> None:
        """Create a game. Args: its name; scenario, "" for none; seats; bots by seat; who opens it.

        Raises: Refusal `full`, `bad_name`, `taken`; OSError.
        """
        if len(self._data_directory.names()) >= MOST_GAMES:
            raise Refusal("full", (), f"The server has {MOST_GAMES} games, the maximum.")
        path = self._data_directory.games / f"{check_name(name)}.jsonl"
        if self._data_directory.storage.exists(path):
            raise Refusal("taken", (), f"The server already has a game {name!r}.")
        new_game(
            FIRST_RULEBOOK,
            new_seed(),
            scenario=scenario,
            seats=None if scenario else tuple(seats),
            options={"belgium": "yes"} if len(seats) == 8 else {},
            path=path,
            tables_dir=new_game_tables(),
            dice=self._dice,
            occupants=dict(bots),
            storage=self._data_directory.storage,
        ).close()
        self._terms.set(name, {"seats": "known"}, opener=opener)

    # --- for the club ---------------------------------------------------------------------------------------------

    def _open_for(
        self, name: str, scenario: str, people: Mapping[str, str], bots: Mapping[str, SeatOccupant], opener: str
    ) -> None:
        """Open a game for certain players and bots. Raises: Refusal, OSError."""
        self._check_may_open(opener)
        self._create(name, scenario, tuple({**people, **bots}), bots, opener)
        for seat, player in people.items():
            if player:
                self._players.seat(name, seat, player)

    def _open_table(self, player: str, name: str, players: str, seat: str, seconds: int) -> None:
        """Open a game with free seats and a clock. Args: as `open`; seconds for each Phase, 0 for no clock.

        Raises: as `open`, and Refusal `bad_clock`.
        """
        self.open(player, name, players, seat)
        if seconds:
            hosted = self._games.game(name)
            clock = {"limits": f"{OTHER_PHASES}={seconds}", "warn": str(min(WARN_S, seconds // 4))}
            hosted.arbitrate(lambda: hosted.time.arbitrate("set", clock))


def _rank(table: lobby.LobbyGame) -> tuple[object, ...]:
    """Return the sort key of a game: those that wait for the visitor, the visitor's others, followed ones, the rest."""
    waits = any(seat.since for seat in table.own_seats)
    return not waits, not table.own_seats, not lobby.is_followed(table), lobby.natural_key(table.name)
