"""The process that owns the games. Clients come to it over a socket that only its own user can open."""

from __future__ import annotations

import asyncio
import os
import socket
import struct
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from paxtui.bots.players import sitter_named
from paxtui.engine.log import BrokenLog
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.engine.upcast import Raw
from paxtui.net import messages as say
from paxtui.net.framing import FROM_CLIENT, Frames, framed
from paxtui.net.hosted import Hosted
from paxtui.net.house import House
from paxtui.net.players import Players, normal_key
from paxtui.pax.orders.seating import PERSON, Sitter
from paxtui.table.authority import Table
from paxtui.table.disk.files import StoreError
from paxtui.table.thinker import Thinker

PATIENCE = 10.0
"""Seconds in which a connection must have said who it is."""

UNREAD = 8 * 1024 * 1024
"""Bytes that wait for a client before it is dropped; it gets what it lacks when it comes back."""

_PEER = struct.Struct("3i")


class Caller:
    """A connection: a client at a seat once it has entered, or a door of the house.

    Attributes:
        seat: whose eyes it has, "" before it has entered.
        has: the last line of the seat's log that it has been sent.
        game: the game it looks at.
        player: who it is.
    """

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self.seat = self.player = ""
        self.has = 0
        self.game: Hosted | None = None

    def send(self, message: say.ToClient) -> None:
        """Send something; who does not listen is dropped."""
        if self._writer.is_closing():
            return
        self._writer.write(framed(say.encode(message)))
        if self._writer.transport.get_write_buffer_size() > UNREAD:
            self._writer.transport.abort()

    def close(self) -> None:
        """End the connection when everything is sent."""
        self._writer.close()


class Hub:
    """The games of a house, and who is connected to them.

    Args:
        house: the directory.

    Attributes:
        players: keys, seats and invitations.
        refused: how many messages could not be trusted.
    """

    def __init__(self, house: House) -> None:
        self.house = house
        self.players = Players(house.register)
        self.refused = 0
        self._games: dict[str, Hosted] = {}
        self._thinker = Thinker()
        self._callers: set[Caller] = set()
        self._server: asyncio.Server | None = None
        self._asked: dict[str, Callable[..., Any]] = {
            "who": self._who,
            "redeem": self._redeem,
            "ticket": self._ticket,
            "invite": self._invite,
            "seat": self._seat,
            "sit": self._sit,
            "rewind": self._rewind,
            "players": self._players,
            "status": self.status,
            "log": self._log,
        }

    # --- games ----------------------------------------------------------------------------------------------------

    def game(self, name: str) -> Hosted:
        """A game of the house, opened where it is not open yet.

        Raises: Refusal `no_such_game`, `cannot_open`.
        """
        hosted = self._games.get(name)
        if hosted is None:
            path = self.house.game_file(name)
            try:
                hosted = self._games[name] = Hosted(name, Table.open(path), self._thinker)
            except (OSError, BrokenLog, StoreError) as error:
                raise Refusal("cannot_open", (), f"The game {name} cannot be opened: {error}") from None
        return hosted

    # --- connections ----------------------------------------------------------------------------------------------

    async def listen(self) -> None:
        """Begin to take connections. Raises: StoreError when another hub is there; OSError."""
        path = self.house.socket
        if path.exists():
            if _answers(path):
                raise StoreError(path, "another hub runs in this directory")
            path.unlink()
        before = os.umask(0o177)
        try:
            self._server = await asyncio.start_unix_server(self._receive, path=str(path))
        finally:
            os.umask(before)

    async def close(self, reason: str = "The table closes; nothing is lost.") -> None:
        """Say goodbye to everybody and let go of the games."""
        for caller in tuple(self._callers):
            caller.send(say.Goodbye(reason, back=True))
            caller.close()
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()
        for hosted in self._games.values():
            hosted.close()
        self._games.clear()
        self._thinker.end()
        self.house.socket.unlink(missing_ok=True)

    async def _receive(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection to its end."""
        caller = Caller(writer)
        self._callers.add(caller)
        try:
            if not _own(writer):
                raise say.Malformed("Only the owner of the house may use its socket.")
            await self._converse(reader, caller)
        except (say.Malformed, TimeoutError) as error:
            self.refused += 1
            caller.send(say.Goodbye(str(error) or "You have said nothing."))
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            self._callers.discard(caller)
            if caller.game is not None:
                caller.game.leave(caller)
            writer.close()
            with suppress(OSError, asyncio.CancelledError):
                await writer.wait_closed()

    async def _converse(self, reader: asyncio.StreamReader, caller: Caller) -> None:
        frames = Frames(FROM_CLIENT)
        patience: float | None = PATIENCE
        while True:
            data = await asyncio.wait_for(reader.read(65536), patience)
            if not data:
                return
            for message in frames.take(data):
                self._hear(caller, say.read_by_hub(message))
                patience = None

    def _hear(self, caller: Caller, message: say.ToHub) -> None:
        """Answer one message. Raises: Malformed for what ends the connection."""
        if isinstance(message, say.Command):
            if caller.game is None:
                raise say.Malformed("Nobody acts before he has sat down.")
            caller.game.do(caller, message)
            return
        if message.version != say.VERSION:
            raise say.Malformed(f"The house speaks version {say.VERSION}, and you speak {message.version}.")
        if isinstance(message, say.Manage):
            caller.send(say.Told(self._managed(message)))
        elif caller.game is not None:
            raise say.Malformed("You sit already.")
        else:
            self._enter(caller, message)

    def _enter(self, caller: Caller, message: say.Enter) -> None:
        try:
            ticket = self.house.read_ticket(message.ticket, time.time())
            held = self.players.at(ticket.game, ticket.seat)
            if ticket.player and ticket.seat != SPECTATOR and held != ticket.player:
                raise Refusal("seat_gone", (), "The seat has been given to somebody else.")
            hosted = self.game(ticket.game)
            caller.seat, caller.player = ticket.seat, ticket.player
            hosted.enter(caller, message.line, message.tip)
            caller.game = hosted
        except Refusal as refusal:
            caller.send(say.Goodbye(refusal.message))
            caller.close()

    # --- what the doors of the house ask --------------------------------------------------------------------------

    def _managed(self, message: say.Manage) -> Any:
        """The answer to a question of the house's own doors: builtins, with `refusal` where it is refused."""
        ask = self._asked.get(message.ask)
        if ask is None:
            return {"refusal": f"Nobody knows what {message.ask!r} means."}
        try:
            return ask(**message.about)
        except Refusal as refusal:
            return {"refusal": refusal.message, "code": refusal.code}
        except (TypeError, OSError) as error:
            return {"refusal": str(error)}

    def _who(self, key: str) -> Any:
        player = self.players.known(normal_key(key))
        return {"player": player, "name": self.players.name(player), "seats": self.players.seats_of(player)}

    def _redeem(self, key: str, code: str, name: str = "") -> Any:
        player, game, seat = self.players.redeem(normal_key(key), code, name)
        return {"player": player, "game": game, "seat": seat}

    def _ticket(self, game: str, seat: str, player: str = "") -> Any:
        """A ticket: of a player for a seat that is his, of whoever runs the house for any."""
        hosted = self.game(game)
        hosted.log_of(seat)
        if player and seat != SPECTATOR and self.players.at(game, seat) != player:
            raise Refusal("not_yours", (), "This seat is not yours.")
        return {"ticket": self.house.ticket(game, seat, player, time.time())}

    def _invite(self, game: str, seat: str) -> Any:
        hosted = self.game(game)
        if seat not in hosted.table.state.players:
            raise Refusal("unknown_seat", (), f"{game} has no seat {seat!r}: {', '.join(hosted.table.state.players)}.")
        return {"code": self.players.invite(game, seat), "seat": seat}

    def _seat(self, game: str, seat: str, player: str = "") -> Any:
        self.game(game)
        self.players.seat(game, seat, player)
        for guest in tuple(self.game(game).guests):
            if isinstance(guest, Caller) and guest.seat == seat and guest.player not in ("", player):
                guest.send(say.Goodbye("The seat has been given to somebody else."))
                guest.close()
        return {}

    def _sit(self, game: str, seat: str, who: str) -> Any:
        """Let a bot sit at a seat, nobody, or the person whose it is again."""
        hosted = self.game(game)
        sitters = {"person": PERSON, "nobody": Sitter(by="nobody")}
        try:
            sitter = sitters.get(who) or sitter_named(who)
        except ValueError as error:
            raise Refusal("bad_sitter", (), f"{error}, person and nobody.") from None
        hosted.arbitrate(lambda: hosted.table.seat({seat: sitter}))
        return {}

    def _rewind(self, game: str, line: str) -> Any:
        """Take a game back to a line of its log, as the arbiter may; everybody sees it."""
        hosted = self.game(game)
        if not line.isdecimal():
            raise Refusal("no_such_line", (), f"A game goes back to the number of a line, and {line!r} is none.")
        hosted.arbitrate(lambda: hosted.table.undo(ARBITER, int(line)))
        return {"line": hosted.table.version}

    def _players(self) -> Any:
        """Everybody with a key, and his seats."""
        players = self.players
        return [{"player": id_, "name": players.name(id_), "seats": players.seats_of(id_)} for id_ in players.ids()]

    def _log(self, game: str, seat: str) -> Any:
        """The log of a game: a seat's own, and the whole one when the game is over or for who runs the house ("")."""
        hosted = self.game(game)
        whole = not seat or hosted.table.state.result is not None
        return {"log": (hosted.table.log() if whole else hosted.log_of(seat).whole()).decode()}

    def status(self) -> Any:
        """The games: what moment, who is there, whom they wait for, which seats have nobody yet."""
        games: list[Raw] = []
        for name in self.house.names():
            try:
                hosted = self.game(name)
            except Refusal as refusal:
                games.append({"game": name, "trouble": refusal.message})
                continue
            table = hosted.table
            free = [
                seat
                for seat in table.state.players
                if not self.players.at(name, seat) and not table.sitter(seat).plays_itself
            ]
            games.append(
                {
                    "game": name,
                    "turn": table.state.turn,
                    "phase": table.state.phase,
                    "over": table.state.result is not None,
                    "seats": list(table.state.players),
                    "here": list(hosted.here),
                    "waits_for": list(table.waiting),
                    "free": free,
                    "lines": table.version,
                }
            )
        return {"games": games, "connected": len(self._callers), "refused": self.refused}


def _own(writer: asyncio.StreamWriter) -> bool:
    """Whether who has connected is the user that runs the hub."""
    sock = writer.get_extra_info("socket")
    if not hasattr(socket, "SO_PEERCRED"):
        return True  # the socket's own rights keep others out
    _, user, _ = _PEER.unpack(sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _PEER.size))
    return bool(user == os.getuid())


def _answers(path: os.PathLike[str]) -> bool:
    """Whether a hub listens at a socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(os.fspath(path))
        except OSError:
            return False
        return True
