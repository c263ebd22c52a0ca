"""Access control: players with their keys, seats and invitations, and the access terms of each game.

A player is identified by a public key. An invitation is a code for one seat, used once; only its hash is stored.
"""

from __future__ import annotations

import base64
import secrets
from collections.abc import Callable, Collection
from functools import wraps
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Concatenate, Literal, ParamSpec, Protocol, TypeVar

import msgspec

from paxtui.engine.free_text import check_stacks, clean_text, without_stacks
from paxtui.engine.refusal import Refusal
from paxtui.session.storage.files import readable_json
from paxtui.session.storage.interface import FILES, ChangedElsewhere, Storage

CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Characters of a code, without letters and digits that look or sound alike."""

CODE_LENGTH, CODE_GROUP = 12, 4
"""Characters of a code, and the size of a printed group. 59 bits; wrong codes are rate-limited."""

LONGEST_NAME = 40
"""Maximum length of a player name, in characters."""

MOST_KEYS = 8
"""Maximum number of keys per player."""

MOST_UNREGISTERED = 500
"""Maximum number of stored keys of unregistered visitors."""


class Player(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A player with at least one public key.

    Attributes:
        key: the first public key, type and content without comment.
        keys: further keys, for other machines.
        name: the name shown in games.
        stranger: true for a visitor who has never had a seat or redeemed a code.
    """

    key: str
    name: str = ""
    stranger: bool = False
    keys: list[str] = []


class Invitation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A code for a seat, or, without a game, a code that adds a key to a player.

    Attributes:
        code: the hash of the code.
        game: the game, by its name on the server; "" for a code that adds a key.
        seat: the seat; or the id of the player.
    """

    code: str
    game: str
    seat: str


class _Register(msgspec.Struct, forbid_unknown_fields=True):
    """The file format: players by id, invitations, and for each game the player of each seat."""

    players: dict[str, Player] = {}
    invitations: list[Invitation] = []
    seats: dict[str, dict[str, str]] = {}


class _Reloaded(Protocol):
    """Something whose file several hubs replace."""

    def reload(self) -> None:
        """Read the file again."""


S = TypeVar("S", bound=_Reloaded)
P = ParamSpec("P")
R = TypeVar("R")

MOST_TRIES = 5
"""Maximum number of attempts to change a file that other hubs change at the same time."""


def repeat_change(method: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
    """Repeat a change that another hub came before, with the file as it is now."""

    @wraps(method)
    def run(self: S, /, *args: P.args, **kwargs: P.kwargs) -> R:
        for _ in range(MOST_TRIES):
            try:
                return method(self, *args, **kwargs)
            except ChangedElsewhere:
                self.reload()
        return method(self, *args, **kwargs)

    return run


class PlayerRegistry:
    """The players, seats and invitations of a server, stored in one file that is replaced atomically.

    Args:
        path: the file; it may be missing.
        storage: where it is stored.

    Attributes:
        seat_changed: callback with game, seat and new player ("" for none) after a seat changed hands.
        key_removed: callback with the player id after one of the player's keys was removed.
        forget: callback with the id of each unregistered visitor that is dropped from the register.

    Raises:
        OSError: the file cannot be read.
        Refusal: `bad_register`: the file is not a valid register.
    """

    def __init__(self, path: Path, storage: Storage = FILES) -> None:
        self._path, self._storage = path, storage
        self.seat_changed: Callable[[str, str, str], None] = lambda game, seat, player: None
        self.key_removed: Callable[[str], None] = lambda player: None
        self.forget: Callable[[str], None] = lambda player: None
        self._register = self._read()
        self._saved = readable_json(self._register)

    def _read(self) -> _Register:
        """Read the file; a missing one is empty. Raises: OSError; Refusal `bad_register`."""
        try:
            return msgspec.json.decode(self._storage.read(self._path), type=_Register)
        except FileNotFoundError:
            return _Register()
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise Refusal("bad_register", (), f"{self._path} is not a register of players: {error}.") from None

    def reload(self) -> None:
        """Read the file again after another hub changed it, and report seats and keys that have changed.

        Raises: OSError; Refusal `bad_register`.
        """
        before, self._register = self._register, self._read()
        self._saved = readable_json(self._register)
        now = self._register.seats
        for game in before.seats.keys() | now.keys():
            old, new = before.seats.get(game, {}), now.get(game, {})
            for seat in old.keys() | new.keys():
                if old.get(seat) != new.get(seat):
                    self.seat_changed(game, seat, new.get(seat, ""))
        for id_, player in before.players.items():
            known = self._register.players.get(id_)
            if not {player.key, *player.keys} <= ({known.key, *known.keys} if known else set()):
                self.key_removed(id_)

    # --- reading --------------------------------------------------------------------------------------------------

    def known(self, key: str) -> str:
        """Return the id of the player with a key, in the form of `normalize_key`; "" for an unknown key."""
        players = self._register.players.items()
        return next((id_ for id_, player in players if key == player.key or key in player.keys), "")

    def name(self, player: str) -> str:
        """Return the name of a player; "" for an unknown id."""
        known = self._register.players.get(player)
        return known.name if known else ""

    def fingerprints(self, player: str) -> list[str]:
        """Return the SHA256 fingerprints of a player's keys, the first key first."""
        known = self._register.players.get(player)
        return [_key_fingerprint(key) for key in (known.key, *known.keys)] if known else []

    def seats_of(self, player: str) -> list[tuple[str, str]]:
        """Return game and seat of each seat of a player."""
        seats = self._register.seats.items()
        return sorted((game, seat) for game, taken in seats for seat, who in taken.items() if who == player)

    def at(self, game: str, seat: str) -> str:
        """Return the player of a seat, "" for a free seat."""
        return self._register.seats.get(game, {}).get(seat, "")

    def ids(self) -> list[str]:
        """Return the ids of all players, including unregistered visitors."""
        return sorted(self._register.players)

    def invited(self, game: str) -> tuple[str, ...]:
        """Return the seats of a game with an open invitation."""
        return tuple(i.seat for i in self._register.invitations if i.game == game)

    def is_known(self, player: str) -> bool:
        """Whether a player has or had a seat on this server."""
        known = self._register.players.get(player)
        return known is not None and not known.stranger

    # --- changing -------------------------------------------------------------------------------------------------

    @repeat_change
    def invite(self, game: str, seat: str) -> str:
        """Create an invitation code for a seat, which replaces an earlier one. Raises: OSError."""
        return self._issue(game, seat)

    @repeat_change
    def key_code(self, player: str) -> str:
        """Create a code by which a player adds another key: the player types it when connecting with that key.

        Raises: Refusal `no_such_player`, `too_many`; OSError.
        """
        known = self._register.players.get(player)
        if known is None:
            raise Refusal("no_such_player", (), "This key has no player on this server yet.")
        if len(known.keys) + 1 >= MOST_KEYS:
            raise Refusal("too_many", (), f"You have {MOST_KEYS} keys here, the maximum.")
        return self._issue("", player)

    @repeat_change
    def rename(self, player: str, name: str) -> str:
        """Rename a player and return the cleaned name. Raises: Refusal `no_such_player`, `bad_name`, `taken`;
        OSError.
        """
        check_stacks(name)
        wanted = " ".join(clean_text(name).split())[:LONGEST_NAME].strip()
        players = self._register.players
        if player not in players:
            raise Refusal("no_such_player", (), "No player of this server has this key or id.")
        if not wanted:
            raise Refusal("bad_name", (), "A name needs at least one letter, as in `name Ann`.")
        if any(other.name.casefold() == wanted.casefold() for id_, other in players.items() if id_ != player):
            raise Refusal("taken", (), f"Another player here is called {wanted}: choose another name.")
        players[player].name = wanted
        self._write()
        return wanted

    @repeat_change
    def remove_key(self, player: str, fingerprint: str) -> None:
        """Remove a key of a player, and the player's open codes for further keys.

        Args: the player id; the fingerprint or a unique prefix of it, with or without `SHA256:`.
        Raises: Refusal `no_such_player`, `no_such_key`, `only_key`; OSError.
        """
        known = self._register.players.get(player)
        if known is None:
            raise Refusal("no_such_player", (), f"There is no player {player} on this server; see 'paxtui players'.")
        start = fingerprint.strip().removeprefix("SHA256:")
        keys = [known.key, *known.keys]
        found = [key for key in keys if start and _key_fingerprint(key).removeprefix("SHA256:").startswith(start)]
        if len(found) != 1:
            what = f"{len(found)} keys that begin" if found else "no key that begins"
            raise Refusal("no_such_key", (), f"{known.name or player} has {what} with SHA256:{start}.")
        if len(keys) == 1:
            text = "This is the player's only key. To give the seat to another player: paxtui seat GAME SEAT --to free."
            raise Refusal("only_key", (), text)
        known.key, *known.keys = [key for key in keys if key != found[0]]
        self._register.invitations = [i for i in self._register.invitations if (i.game, i.seat) != ("", player)]
        self._write()
        self.key_removed(player)

    def _issue(self, game: str, seat: str) -> str:
        signs = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
        kept = [i for i in self._register.invitations if (i.game, i.seat) != (game, seat)]
        self._register.invitations = [*kept, Invitation(_code_hash(signs), game, seat)]
        self._write()
        return "-".join(signs[n : n + CODE_GROUP] for n in range(0, CODE_LENGTH, CODE_GROUP))

    @repeat_change
    def redeem(self, key: str, code: str, name: str) -> tuple[str, str, str]:
        """Give the seat of an invitation to the player with a key; the code is used up.

        Returns: player, game and seat; game and seat are empty if the code added the key to a player.
        Raises: Refusal `wrong_code`, `known_key`; OSError.
        """
        offer = self._offer(code)
        if not offer.game:
            self._add_key(key, offer)
            return offer.seat, "", ""
        return self._take(self.known(key) or self._new(key, name), offer)

    @repeat_change
    def redeem_for(self, player: str, code: str) -> tuple[str, str]:
        """Redeem a code for a connected player and return game and seat. Raises: as `redeem`, and Refusal
        `key_added`.
        """
        offer = self._offer(code)
        if not offer.game and player in self._register.players:
            self._add_key(self._register.players[player].key, offer)
            raise Refusal("key_added", (), "This key is now one of yours. Leave and connect again.")
        return self._take(player, offer)[1:]

    def _add_key(self, key: str, offer: Invitation) -> None:
        """Add a key to the player of a code. Raises: Refusal `no_such_player`, `known_key`; OSError."""
        players, before = self._register.players, self.known(key)
        if offer.seat not in players:
            raise Refusal("no_such_player", (), "The player of this code is no longer registered.")
        if before == offer.seat:
            raise Refusal("known_key", (), "This is already your key. Connect with the key that you want to add.")
        if before and not players[before].stranger:
            raise Refusal("known_key", (), "This key belongs to another player of this server.")
        players.pop(before, None)
        self._register.invitations.remove(offer)
        players[offer.seat].keys.append(key)
        self._write()
        if before:
            self.forget(before)

    @repeat_change
    def meet(self, key: str, name: str, connected: Collection[str] = ()) -> str:
        """Return the player with a key; register a new key as an unregistered visitor ("stranger").

        When the register is full, the visitor who came first and is not connected is dropped.

        Args: the key and the name; the ids of the connected players.
        Raises: Refusal `too_many`: all stored visitors are connected; OSError.
        """
        player = self.known(key)
        if player:
            return player
        strangers = [id_ for id_, known in self._register.players.items() if known.stranger]
        dropped = [id_ for id_ in strangers if id_ not in connected][: max(0, len(strangers) - MOST_UNREGISTERED + 1)]
        if len(strangers) - len(dropped) >= MOST_UNREGISTERED:
            raise Refusal("too_many", (), "This server accepts no more visitors now. Try again later.")
        for id_ in dropped:
            del self._register.players[id_]
        player = self._new(key, name)
        self._register.players[player].stranger = True
        self._write()
        for id_ in dropped:
            self.forget(id_)
        return player

    def _offer(self, code: str) -> Invitation:
        """Return the invitation with a code. Raises: Refusal `wrong_code`."""
        wanted = _code_hash("".join(sign for sign in code.upper() if sign.isalnum()))
        found = [i for i in self._register.invitations if secrets.compare_digest(i.code, wanted)]
        if not found:
            raise Refusal("wrong_code", (), "This code is not valid. It may have been used or replaced.")
        return found[0]

    def _free_name(self, name: str) -> str:
        """Append a number to a name that is taken; an empty name stays empty."""
        taken = {player.name.casefold() for player in self._register.players.values()}
        free, number = name, 1
        while name and free.casefold() in taken:
            number += 1
            free = f"{name[: LONGEST_NAME - 4]} {number}"
        return free

    def _new(self, key: str, name: str) -> str:
        player = secrets.token_hex(6)
        self._register.players[player] = Player(key, self._free_name(without_stacks(clean_text(name))[:LONGEST_NAME]))
        return player

    def _take(self, player: str, offer: Invitation) -> tuple[str, str, str]:
        if player not in self._register.players:
            raise Refusal("no_such_player", (), "A code is for a player with a key.")
        self._register.invitations.remove(offer)
        self._register.seats.setdefault(offer.game, {})[offer.seat] = player
        self._register.players[player].stranger = False
        self._write()
        self.seat_changed(offer.game, offer.seat, player)
        return player, offer.game, offer.seat

    @repeat_change
    def seat(self, game: str, seat: str, player: str) -> None:
        """Assign a seat to a player, or free it (""). Raises: Refusal `no_such_player`; OSError."""
        if player and player not in self._register.players:
            raise Refusal("no_such_player", (), f"There is no player {player} on this server.")
        taken = self._register.seats.setdefault(game, {})
        taken.pop(seat, None)
        if player:
            taken[seat] = player
            self._register.players[player].stranger = False
        self._write()
        self.seat_changed(game, seat, player)

    @repeat_change
    def delete(self, player: str) -> None:
        """Delete a player: name, keys, seats, and codes for further keys. Raises: Refusal `no_such_player`; OSError."""
        register = self._register
        if player not in register.players:
            raise Refusal("no_such_player", (), f"There is no player {player} on this server; see 'paxtui players'.")
        del register.players[player]
        register.invitations = [i for i in register.invitations if (i.game, i.seat) != ("", player)]
        for game, taken in register.seats.items():
            register.seats[game] = {seat: who for seat, who in taken.items() if who != player}
        self._write()

    def _write(self) -> None:
        """Save the register; restore the last saved state on failure. Raises: OSError."""
        data = readable_json(self._register)
        try:
            self._storage.replace(self._path, data)
        except OSError:
            self._register = msgspec.json.decode(self._saved, type=_Register)
            raise
        self._saved = data


def normalize_key(text: str) -> str:
    """Return type and content of a public key, without its comment. Raises: Refusal `bad_key`."""
    words = text.split()
    if len(words) < 2:
        raise Refusal("bad_key", (), "A public key consists of type and content, as in `ssh-ed25519 AAAA...`.")
    return f"{words[0]} {words[1]}"


def _key_fingerprint(key: str) -> str:
    words = key.split()
    try:
        data = base64.b64decode(words[1], validate=True) if len(words) > 1 else b""
    except ValueError:
        data = b""
    return "SHA256:" + base64.b64encode(sha256(data).digest()).decode().rstrip("=") if data else ""


def _code_hash(code: str) -> str:
    return sha256(b"paxtui/invitation|" + code.encode()).hexdigest()


T = TypeVar("T")

Audience = Literal["nobody", "known", "anybody"]
"""No one; players who have or had a seat on this server; all visitors with a key."""

LONGEST_DELAY = 24 * 60
"""Maximum delay for spectators, in minutes."""


class AccessTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The access terms of one game.

    Attributes:
        watch: who may watch.
        delay: delay for spectators, in minutes.
        talk: whether only players or also spectators may chat.
        seats: who may take a free seat.
    """

    watch: Audience = "known"
    delay: Annotated[int, msgspec.Meta(ge=0, le=LONGEST_DELAY)] = 0
    talk: Literal["players", "everybody"] = "players"
    seats: Audience = "nobody"


class _TermsFile(msgspec.Struct, forbid_unknown_fields=True):
    """The file format: who may open games, the terms of each game, and the opener of each player-opened game."""

    open: Literal["host", "known"] = "host"
    tables: dict[str, AccessTerms] = {}
    openers: dict[str, str] = {}


class ServerTerms:
    """The access terms of all games of a server.

    Args:
        path: the file; it may be missing.
        storage: where it is stored.

    Raises:
        OSError: the file cannot be read.
        Refusal: `bad_terms`: the file holds no valid terms.
    """

    def __init__(self, path: Path, storage: Storage = FILES) -> None:
        self._path, self._storage = path, storage
        self._file = _TermsFile()
        self.reload()

    def reload(self) -> None:
        """Read the file again. Raises: OSError; Refusal `bad_terms`."""
        try:
            self._file = msgspec.json.decode(self._storage.read(self._path), type=_TermsFile)
        except FileNotFoundError:
            self._file = _TermsFile()
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise Refusal("bad_terms", (), f"{self._path} contains no valid terms: {error}.") from None

    def of(self, game: str) -> AccessTerms:
        return self._file.tables.get(game, AccessTerms())

    @property
    def opens(self) -> str:
        """Who may open games: `host`, or `known` for all registered players."""
        return self._file.open

    @repeat_change
    def let_open(self, who: str) -> None:
        """Set who may open games. Raises: Refusal `bad_terms`; OSError."""
        self._save(_parse_terms(_TermsFile, {"open": who, "tables": self._file.tables, "openers": self._file.openers}))

    def opener(self, game: str) -> str:
        """Return the player who opened a game, "" for the host."""
        return self._file.openers.get(game, "")

    @repeat_change
    def set(self, game: str, wanted: dict[str, str], opener: str = "") -> AccessTerms:
        """Change the given terms of a game and keep the others; record the player who opened it, if given.

        Raises: Refusal `bad_terms`; OSError.
        """
        terms = _parse_terms(AccessTerms, {**msgspec.to_builtins(self.of(game)), **wanted})
        openers = {**self._file.openers, game: opener} if opener else self._file.openers
        self._save(_TermsFile(self._file.open, {**self._file.tables, game: terms}, openers))
        return terms

    def _save(self, file: _TermsFile) -> None:
        """Write the terms; they count when they are written. Raises: OSError."""
        self._storage.replace(self._path, readable_json(file))
        self._file = file


def _parse_terms(kind: type[T], fields: dict[str, object]) -> T:
    try:
        return msgspec.convert(fields, kind, strict=False)
    except msgspec.ValidationError as error:
        raise Refusal("bad_terms", (), f"These terms are invalid: {error}.") from None
