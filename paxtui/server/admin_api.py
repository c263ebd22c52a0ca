"""Handle administrative requests: status, invitations, seats, clocks, terms, backup."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import msgspec

from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import PERSON, SeatOccupant
from paxtui.engine.seats import SPECTATOR
from paxtui.engine.upcast import Raw
from paxtui.server import messages
from paxtui.server.access_control import PlayerRegistry, ServerTerms, normalize_key
from paxtui.server.backup import write_backup
from paxtui.server.club.service import SeasonPlan
from paxtui.server.data_directory import DataDirectory
from paxtui.server.games import GameRegistry
from paxtui.server.hosted_game import ClientConnection
from paxtui.server.limits import RateLimits, network_of
from paxtui.server.lobby import LobbyService
from paxtui.server.metrics import ActTimings, private_memory
from paxtui.server.notification_service import NotificationService
from paxtui.session.games import bots_of
from paxtui.session.storage.files import describe_error
from paxtui.session.storage.interface import OutcomeUnknown

LONGEST_NUMBER, LONGEST_LINE_NUMBER = 4, 12
"""Maximum number of digits of a number of a season, and of the number of a log line."""


class AdminApi:
    """The administrative requests of a server.

    No authentication: the permissions of the Unix socket control access.

    Args:
        data_directory: the data directory.
        players: keys, seats and invitations.
        terms: access terms of the games.
        lobby: the lobby.
        games: the games.
        callers: the open connections.
        limits: rate limits.
        notifications: webhooks and e-mail of players.

    Attributes:
        OF_HOLDER: the requests that only the hub can answer that holds the game.
        refused: number of malformed messages.
        over: set when the server is to stop.
        pace: durations of acts.
        web_url: address of the web server; "" without one.
    """

    OF_HOLDER = frozenset({"begin", "clock", "log", "rewind", "sit"})

    def __init__(
        self,
        data_directory: DataDirectory,
        players: PlayerRegistry,
        terms: ServerTerms,
        lobby: LobbyService,
        games: GameRegistry,
        callers: Collection[ClientConnection],
        limits: RateLimits,
        notifications: NotificationService,
    ) -> None:
        self._data_directory, self._players, self._terms, self._lobby = data_directory, players, terms, lobby
        self._games, self._callers, self._limits, self._notifications = games, callers, limits, notifications
        self.refused = 0
        self.over = asyncio.Event()
        self.pace = ActTimings()
        self.web_url = ""
        self._began = time.monotonic()
        self._handlers: dict[str, Callable[..., Any]] = {
            "who": self._who,
            "redeem": self._redeem,
            "rename": self._rename,
            "notify": self._notify,
            "key_code": self._key_code,
            "rename_player": self._rename_player,
            "remove_key": self._remove_key,
            "ticket": self._ticket,
            "invite": self._invite,
            "seat": self._seat,
            "sit": self._sit,
            "rewind": self._rewind,
            "begin": self._begin,
            "players": self._everybody,
            "status": self.status,
            "clock": self._time,
            "log": self._log,
            "meet": self._meet,
            "lobby": self._lobby_ticket,
            "terms": self._set_terms,
            "let_open": self._let_open,
            "turned_away": self._count_turned_away,
            "clear_limits": self._clear_limits,
            "web_opened": self._note_web_server,
            "season": self._begin_season,
            "stop": self._stop,
            "backup": self._backup,
        }

    def answer(self, message: messages.AdminRequest) -> Any:
        """Answer a request with builtins; a refused request gets a dict with `refusal`."""
        ask = self._handlers.get(message.ask)
        if ask is None:
            return {"refusal": f"There is no request {message.ask!r}."}
        try:
            return ask(**message.about)
        except Refusal as refusal:
            return {"refusal": refusal.message, "code": refusal.code}
        except FileExistsError as error:
            return {"refusal": f"{describe_error(error)}; choose another name"}
        except OutcomeUnknown:
            return {"refusal": "The database connection was lost. It is unknown whether this was done. Check the game."}
        except OSError as error:
            return {"refusal": f"The server could not save this: {describe_error(error)}. Nothing has changed."}
        except TypeError as error:
            return {"refusal": str(error)}

    def _who(self, key: str) -> Any:
        player = self._players.known(normalize_key(key))
        known = self._players.is_known(player)
        seats = self._players.seats_of(player)
        return {"player": player, "name": self._players.name(player), "seats": seats, "known": known}

    def _redeem(self, key: str, code: str, name: str = "", address: str = "") -> Any:
        """Give the seat of a code. Wrong codes count against a registered player's key, else against the address.

        Raises: Refusal `wrong_code`; `often_wrong`, which the SSH server answers more slowly; OSError.
        """
        known = self._players.known(normalize_key(key))
        wrong, who = self._limits.wrong_codes, known if self._players.is_known(known) else network_of(address)
        try:
            player, game, seat = self._players.redeem(normalize_key(key), code, name)
        except Refusal as refusal:
            if refusal.code == "wrong_code":
                wrong.use(who)
                if wrong.wait_s(who):
                    raise Refusal("often_wrong", (), refusal.message) from None
            raise
        wrong.reset(who)
        return {"player": player, "game": game, "seat": seat}

    def _count_turned_away(self, **reasons: str) -> Any:
        self._limits.turned_away.update({reason: int(n) for reason, n in reasons.items() if n.isdecimal()})
        return {}

    def _clear_limits(self) -> Any:
        self._limits.clear()
        return {}

    def _rename(self, key: str, name: str) -> Any:
        return {"name": self._players.rename(self._players.known(normalize_key(key)), name)}

    def _notify(self, words: str, key: str = "", player: str = "") -> Any:
        """Carry out a command for the notifications of a player, by key or id."""
        return {"text": self._notifications.request(self._players.known(normalize_key(key)) if key else player, words)}

    def _rename_player(self, player: str, name: str) -> Any:
        return {"name": self._players.rename(player, name)}

    def _remove_key(self, player: str, fingerprint: str) -> Any:
        self._players.remove_key(player, fingerprint)
        return {}

    def _key_code(self, key: str) -> Any:
        return {"code": self._players.key_code(self._players.known(normalize_key(key)))}

    def _ticket(self, game: str, seat: str, player: str = "") -> Any:
        """Return a ticket: a player gets one for an own seat or to watch, the host ("") for any seat."""
        if seat not in (*self._games.standing(game).seats, SPECTATOR):
            raise Refusal("unknown_seat", (), f"{game} has no seat {seat!r}.")
        if player and seat != SPECTATOR and self._players.at(game, seat) != player:
            raise Refusal("not_yours", (), "This seat is not yours.")
        self._data_directory.fetch_settings(player)
        return {"ticket": self._data_directory.ticket(game, seat, player, time.time())}

    def _invite(self, game: str, seat: str) -> Any:
        seats = self._games.standing(game).seats
        if seat not in seats:
            raise Refusal("unknown_seat", (), f"{game} has no seat {seat!r}: {', '.join(seats)}.")
        holder = self._players.at(game, seat)
        invitation = {"code": self._players.invite(game, seat), "seat": seat}
        if self.web_url:
            invitation["link"] = f"{self.web_url}/join#{invitation['code']}"
        return invitation | ({"holder": self._players.name(holder) or holder} if holder else {})

    def _seat(self, game: str, seat: str, player: str = "") -> Any:
        self._games.standing(game)
        self._players.seat(game, seat, player)
        return {}

    def _sit(self, game: str, seat: str, who: str) -> Any:
        """Assign a seat to a bot, to its person again, or leave it empty."""
        hosted = self._games.game(game)
        occupants = {"person": PERSON, "nobody": SeatOccupant(by="nobody")}
        try:
            occupant = occupants.get(who) or bots_of(hosted.host.rules).parse_name(who)
        except ValueError as error:
            raise Refusal("bad_sitter", (), f"{error}, person or nobody.") from None
        hosted.arbitrate(lambda: hosted.host.seat({seat: occupant}))
        return {}

    def _rewind(self, game: str, line: str) -> Any:
        hosted = self._games.game(game)
        if not line.isdecimal() or len(line) > LONGEST_LINE_NUMBER:
            raise Refusal("no_such_line", (), f"{line[:20]!r} is not a line number.")
        reopened = hosted.rewind(int(line))
        return {"line": hosted.host.version, "reopened": reopened}

    def _begin(self, game: str) -> Any:
        """Start a game whose dice are not made yet: ask all players for their words."""
        hosted = self._games.game(game)
        hosted.start()
        return {"waits_for": list(hosted.missing_words)}

    def _time(self, game: str, what: str = "", **about: str) -> Any:
        """Set, extend, pause or resume the clock of a game, or end the time of the late seats."""
        if what:
            hosted = self._games.game(game)
            hosted.arbitrate(lambda: hosted.time.arbitrate(what, about))
        return {"told": self._games.standing(game).clock}

    def _everybody(self) -> Any:
        players = self._players
        return [
            {
                "player": id_,
                "name": players.name(id_),
                "seats": players.seats_of(id_),
                "key": next(iter(players.fingerprints(id_)), ""),
                "keys": players.fingerprints(id_),
                "stranger": not players.is_known(id_),
            }
            for id_ in players.ids()
        ]

    def _log(self, game: str, seat: str) -> Any:
        """Return the log of a seat; the full log for the host ("") or when the game is over."""
        hosted = self._games.game(game)
        whole = not seat or hosted.host.is_over
        return {"log": (hosted.host.log() if whole else hosted.log_of(seat).whole()).decode()}

    def status(self) -> Any:
        """Return the state of all games and the load of the server."""
        games: list[Raw] = []
        for name in self._games.names:
            try:
                there = self._games.standing(name)
            except Refusal as refusal:
                games.append({"game": name, "trouble": refusal.message})
                continue
            about: Raw = msgspec.to_builtins(there)
            about["seats"] = list(there.seats)
            del about["name"], about["bots"], about["seat_names"], about["phase_name"]
            free = [seat for seat in there.seats if not self._players.at(name, seat) and seat not in there.bots]
            games.append({"game": name, **about, "free": free, "invited": list(self._players.invited(name))})
        return {
            "games": games,
            "connected": len(self._callers),
            "limits": self._limits.lines,
            "refused": self.refused,
            "acts": self.pace.acts,
            "act_ms": [round(self.pace.quantile(share) * 1000, 2) for share in (0.5, 0.99)],
            "memory_mb": round(private_memory() / 1e6, 1),
            "uptime_s": round(time.monotonic() - self._began),
        }

    def figures(self) -> dict[str, float]:
        """Return the metrics of the server by their Prometheus names."""
        status = self.status()
        games = [game for game in status["games"] if "trouble" not in game]
        return {
            "paxtui_games": len(status["games"]),
            "paxtui_games_asleep": sum(game["asleep"] for game in games),
            "paxtui_games_over": sum(game["over"] for game in games),
            "paxtui_games_in_trouble": len(status["games"]) - len(games),
            "paxtui_seats_here": sum(len(game["here"]) for game in games),
            "paxtui_seats_waited_for": sum(len(game["waits_for"]) for game in games),
            "paxtui_connections": status["connected"],
            "paxtui_refused_total": self.refused,
            "paxtui_acts_total": self.pace.acts,
            'paxtui_act_seconds{quantile="0.5"}': self.pace.quantile(0.5),
            'paxtui_act_seconds{quantile="0.99"}': self.pace.quantile(0.99),
            "paxtui_memory_bytes": private_memory(),
            "paxtui_uptime_seconds": time.monotonic() - self._began,
        }

    # --- the lobby and its terms --------------------------------------------------------------------------------------

    def _meet(self, key: str, name: str = "") -> Any:
        """Return the player with a key, the player's seats, and whether to show the lobby.

        The lobby is skipped if it offers nothing but the player's only seat. Visitors are registered if a game admits
        anybody.
        """
        player = self._players.known(normalize_key(key))
        terms = [self._terms.of(game) for game in self._data_directory.names()]
        if not player and any("anybody" in (t.watch, t.seats) for t in terms):
            connected = {caller.player for caller in self._callers if caller.player}
            player = self._players.meet(normalize_key(key), name, connected)
        if not player:
            return {"player": "", "seats": [], "lobby": False}
        found, seats = self._lobby.look(player), self._players.seats_of(player)
        others = [seat for table in found.tables for seat in table.seats if seat.open]
        one = len(seats) == 1 and len(found.tables) == 1 and not others and not found.opens
        return {"player": player, "seats": seats, "lobby": not one and bool(found.tables or found.opens)}

    def _lobby_ticket(self, player: str = "") -> Any:
        self._data_directory.fetch_settings(player)
        return {"ticket": self._data_directory.ticket("", "", player, time.time())}

    def _backup(self, path: str) -> Any:
        """Write a backup of the data directory. Raises: OSError."""
        return {"files": write_backup(self._data_directory, Path(path))}

    def _note_web_server(self, url: str) -> Any:
        self.web_url = url
        return {}

    def _stop(self) -> Any:
        self.over.set()
        return {}

    def _begin_season(
        self,
        name: str,
        participants: str,
        rounds: str,
        scenario: str = "",
        divisions: str = "1",
        moves: str = "1",
        after: str = "",
        without: str = "",
    ) -> Any:
        """Begin a season. Args: `participants` and `without` are names, ids and bots, one a line."""
        for text in (rounds, divisions, moves):
            if not text.isdecimal() or len(text) > LONGEST_NUMBER:
                raise Refusal("bad_season", (), f"{text!r} is not a number.")
        plan = SeasonPlan(int(rounds), scenario, int(divisions), int(moves), after, tuple(without.splitlines()))
        seasons = self._lobby.club.begin_season(name, participants.splitlines(), plan)
        return {
            "games": sum(len(season.games) for season in seasons),
            "first": [game.name for season in seasons for game in season.rounds[0]],
        }

    def _set_terms(self, game: str, **wanted: str) -> Any:
        self._games.standing(game)
        terms = self._terms.set(game, dict(wanted)) if wanted else self._terms.of(game)
        hosted = self._games.awake(game)
        if hosted is not None:
            hosted.delay = terms.delay
        return {**msgspec.to_builtins(terms), "open": self._terms.opens}

    def _let_open(self, who: str) -> Any:
        self._terms.let_open(who)
        return {}
