"""Who may sit where: keys, seats and invitations of a house, in one file that is written whole or not at all.

A player is a public key. An invitation is a code that is good for one seat, once; only its hash is kept.

The terms of a house: what those may do who have no seat at a table, or want one, as the host has said.
"""

from __future__ import annotations

import base64
import secrets
from collections.abc import Callable, Collection
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Literal, TypeVar

import msgspec

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.text.free_text import check_stacks, clean_text, without_stacks
from paxtui.session.storage.files import read_regular, replace_file

CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Signs of a code: none that is taken for another when it is read out."""

CODE_LENGTH, CODE_GROUP = 12, 4
"""Signs of a code, and how many stand together; 59 bits, and the house counts wrong ones."""

LONGEST_NAME = 40
"""Characters of a player's name."""

MOST_KEYS = 8
"""Keys of one player."""

MOST_UNREGISTERED = 500
"""Keys that are remembered of those who have only looked in."""


class Player(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Somebody with a key.

    Attributes:
        key: the first public key, type and content without comment.
        keys: further keys, for other machines.
        name: what he is called at the table.
        stranger: he has only looked in: no seat and no code has been his.
    """

    key: str
    name: str = ""
    stranger: bool = False
    keys: list[str] = []


class Invitation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat that is offered to whoever knows a code; or, without a game, a player to whom a key may be added.

    Attributes:
        code: the hash of the code.
        game: the game, by its name on the server; "" for a code that adds a key.
        seat: the seat; or the id of the player.
    """

    code: str
    game: str
    seat: str


class _Register(msgspec.Struct, forbid_unknown_fields=True):
    """The file: players by id, invitations, and for each game the player of each seat."""

    players: dict[str, Player] = {}
    invitations: list[Invitation] = []
    seats: dict[str, dict[str, str]] = {}


class PlayerRegistry:
    """The register of a house.

    Args:
        path: its file; it need not be there yet.

    Attributes:
        seat_changed: is called with game, seat and new player ("" for nobody) after a seat was given away.
        key_removed: is called with the id of a player after one of the player's keys was removed.
        forget: is called with the id of each unregistered visitor that is dropped from the register.

    Raises:
        OSError: it cannot be read.
        Refusal: `bad_register`: it is none.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.seat_changed: Callable[[str, str, str], None] = lambda game, seat, player: None
        self.key_removed: Callable[[str], None] = lambda player: None
        self.forget: Callable[[str], None] = lambda player: None
        self._register = _Register()
        if path.exists():
            try:
                self._register = msgspec.json.decode(read_regular(path), type=_Register)
            except (msgspec.MsgspecError, ValueError, RecursionError) as error:
                raise Refusal("bad_register", (), f"{path} is no register of players: {error}.") from None
        self._saved = msgspec.json.encode(self._register)

    # --- reading --------------------------------------------------------------------------------------------------

    def known(self, key: str) -> str:
        """The player with a key, "" for nobody. Args: the public key, as `normal_key` gives it."""
        players = self._register.players.items()
        return next((id_ for id_, player in players if key == player.key or key in player.keys), "")

    def name(self, player: str) -> str:
        """What a player is called."""
        known = self._register.players.get(player)
        return known.name if known else ""

    def fingerprints(self, player: str) -> list[str]:
        """The fingerprints of a player's keys, as SSH programs show them; the first key comes first."""
        known = self._register.players.get(player)
        return [_key_fingerprint(key) for key in (known.key, *known.keys)] if known else []

    def seats_of(self, player: str) -> list[tuple[str, str]]:
        """Game and seat of each seat that a player has."""
        seats = self._register.seats.items()
        return sorted((game, seat) for game, taken in seats for seat, who in taken.items() if who == player)

    def at(self, game: str, seat: str) -> str:
        """The player of a seat, "" for nobody."""
        return self._register.seats.get(game, {}).get(seat, "")

    def ids(self) -> list[str]:
        """All players."""
        return sorted(self._register.players)

    def invited(self, game: str) -> tuple[str, ...]:
        """The seats of a game that are offered to somebody."""
        return tuple(i.seat for i in self._register.invitations if i.game == game)

    def is_known(self, player: str) -> bool:
        """Whether a player has, or has had, a seat in the house."""
        known = self._register.players.get(player)
        return known is not None and not known.stranger

    # --- changing -------------------------------------------------------------------------------------------------

    def invite(self, game: str, seat: str) -> str:
        """Offer a seat; an earlier offer of it is no longer good. The code, which is nowhere kept. Raises: OSError."""
        return self._issue(game, seat)

    def key_code(self, player: str) -> str:
        """Make a code by which a player adds another key: it is typed when connecting with that key.

        Raises: Refusal `no_such_player`, `too_many`; OSError.
        """
        known = self._register.players.get(player)
        if known is None:
            raise Refusal("no_such_player", (), "This key has no player here yet.")
        if len(known.keys) + 1 >= MOST_KEYS:
            raise Refusal("too_many", (), f"You have {MOST_KEYS} keys here, and cannot add more.")
        return self._issue("", player)

    def rename(self, player: str, name: str) -> str:
        """Give a player another name, and return it as it is shown. Raises: Refusal `bad_name`, `taken`; OSError."""
        check_stacks(name)
        wanted = " ".join(clean_text(name).split())[:LONGEST_NAME].strip()
        players = self._register.players
        if player not in players:
            raise Refusal("no_such_player", (), "No player of this server has this key or id.")
        if not wanted:
            raise Refusal("bad_name", (), "A name has at least one letter, as in `name Ann`.")
        if any(other.name.casefold() == wanted.casefold() for id_, other in players.items() if id_ != player):
            raise Refusal("taken", (), f"Another player here is called {wanted}: choose another name.")
        players[player].name = wanted
        self._write()
        return wanted

    def remove_key(self, player: str, fingerprint: str) -> None:
        """Remove a key of a player, and the player's open codes for further keys.

        Args: the id of the player; the fingerprint, or enough of it to be clear, with or without `SHA256:`.
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
            text = "This is the player's only key. To give the seat to somebody else: paxtui seat GAME SEAT --to free."
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

    def redeem(self, key: str, code: str, name: str) -> tuple[str, str, str]:
        """Give the seat of an invitation to the player with a key; the code is used up.

        Returns: the player, the game and the seat; no game where the code has added the key to a player.
        Raises: Refusal `wrong_code`, `known_key`; OSError.
        """
        offer = self._offer(code)
        if not offer.game:
            self._add_key(key, offer)
            return offer.seat, "", ""
        return self._take(self.known(key) or self._new(key, name), offer)

    def redeem_for(self, player: str, code: str) -> tuple[str, str]:
        """As `redeem`, for a player who is here already: game and seat."""
        offer = self._offer(code)
        if not offer.game and player in self._register.players:
            self._add_key(self._register.players[player].key, offer)
            raise Refusal("key_added", (), "This key is one of yours now: leave, and connect again.")
        return self._take(player, offer)[1:]

    def _add_key(self, key: str, offer: Invitation) -> None:
        """Add a key to the player of a code. Raises: Refusal `known_key`; OSError."""
        players, before = self._register.players, self.known(key)
        if offer.seat not in players:
            raise Refusal("no_such_player", (), "The player of this code is no longer registered.")
        if before == offer.seat:
            raise Refusal("known_key", (), "This is your key already: connect with the one you want to add.")
        if before and not players[before].stranger:
            raise Refusal("known_key", (), "This key belongs to another player of this server.")
        players.pop(before, None)
        self._register.invitations.remove(offer)
        players[offer.seat].keys.append(key)
        self._write()
        if before:
            self.forget(before)

    def meet(self, key: str, name: str, connected: Collection[str] = ()) -> str:
        """Return the player with a key; register a new key as an unregistered visitor ("stranger").

        When the register is full, the visitor who came first and is not connected is dropped.

        Args: the key and the name; the players who are connected now.
        Raises: Refusal `too_many`: only connected visitors are left to drop; OSError.
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
        """The invitation with a code. Raises: Refusal `wrong_code`."""
        wanted = _code_hash("".join(sign for sign in code.upper() if sign.isalnum()))
        found = [i for i in self._register.invitations if secrets.compare_digest(i.code, wanted)]
        if not found:
            raise Refusal("wrong_code", (), "There is no such code: it may be used up, or another has taken its place.")
        return found[0]

    def _free_name(self, name: str) -> str:
        """A name that no other player has: a number follows where it is taken. No name stays no name."""
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
        """Give a player the seat of an invitation, which is used up."""
        if player not in self._register.players:
            raise Refusal("no_such_player", (), "A code is for a player with a key.")
        self._register.invitations.remove(offer)
        self._register.seats.setdefault(offer.game, {})[offer.seat] = player
        self._register.players[player].stranger = False
        self._write()
        self.seat_changed(offer.game, offer.seat, player)
        return player, offer.game, offer.seat

    def seat(self, game: str, seat: str, player: str) -> None:
        """Give a seat to a player, or to nobody (""). Raises: Refusal `no_such_player`; OSError."""
        if player and player not in self._register.players:
            raise Refusal("no_such_player", (), f"There is no player {player} in this house.")
        taken = self._register.seats.setdefault(game, {})
        taken.pop(seat, None)
        if player:
            taken[seat] = player
            self._register.players[player].stranger = False
        self._write()
        self.seat_changed(game, seat, player)

    def _write(self) -> None:
        """Save the register. Raises: OSError; then it is as it was when it was saved last."""
        data = msgspec.json.encode(self._register)
        try:
            replace_file(self._path, msgspec.json.format(data, indent=1) + b"\n")
        except OSError:
            self._register = msgspec.json.decode(self._saved, type=_Register)
            raise
        self._saved = data


def normalize_key(text: str) -> str:
    """A public key without its comment, as it is compared. Raises: Refusal `bad_key`."""
    words = text.split()
    if len(words) < 2:
        raise Refusal("bad_key", (), "A public key is its type and its content, as in `ssh-ed25519 AAAA...`.")
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
"""Nobody; whoever has a seat in the house, or has had a code; everybody with a key."""

LONGEST_DELAY = 24 * 60
"""Minutes by which spectators may be behind."""


class AccessTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The terms of one table.

    Attributes:
        watch: who may look on.
        delay: minutes by which those who look on are behind.
        talk: whether they may talk, too: the players alone, or everybody.
        seats: who may take a seat that has nobody.
    """

    watch: Audience = "known"
    delay: Annotated[int, msgspec.Meta(ge=0, le=LONGEST_DELAY)] = 0
    talk: Literal["players", "everybody"] = "players"
    seats: Audience = "nobody"


class _TermsFile(msgspec.Struct, forbid_unknown_fields=True):
    """The file: who may open a game, the terms of each table, and the player who opened each game of a player."""

    open: Literal["host", "known"] = "host"
    tables: dict[str, AccessTerms] = {}
    openers: dict[str, str] = {}


class ServerTerms:
    """The terms of a house.

    Args:
        path: their file; it need not be there.

    Raises:
        OSError: it cannot be read.
        Refusal: `bad_terms`: it is none.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = _TermsFile()
        if path.exists():
            try:
                self._file = msgspec.json.decode(read_regular(path), type=_TermsFile)
            except (msgspec.MsgspecError, ValueError, RecursionError) as error:
                raise Refusal("bad_terms", (), f"{path} holds no terms: {error}.") from None

    def of(self, game: str) -> AccessTerms:
        """The terms of a table."""
        return self._file.tables.get(game, AccessTerms())

    @property
    def opens(self) -> str:
        """Who may open a game: `host`, or `known` for whoever is known."""
        return self._file.open

    def let_open(self, who: str) -> None:
        """Say who may open a game. Raises: Refusal `bad_terms`; OSError."""
        self._file = _parse_terms(_TermsFile, {"open": who, "tables": self._file.tables, "openers": self._file.openers})
        self._write()

    def opener(self, game: str) -> str:
        """The player who opened a game, "" for the host."""
        return self._file.openers.get(game, "")

    def set(self, game: str, wanted: dict[str, str], opener: str = "") -> AccessTerms:
        """Change terms of a table; what is not named stays. Args: it; what is changed; who opens it now.

        Raises: Refusal `bad_terms`; OSError.
        """
        now = msgspec.to_builtins(self.of(game))
        terms = self._file.tables[game] = _parse_terms(AccessTerms, {**now, **wanted})
        if opener:
            self._file.openers[game] = opener
        self._write()
        return terms

    def _write(self) -> None:
        replace_file(self._path, msgspec.json.format(msgspec.json.encode(self._file), indent=1) + b"\n")


def _parse_terms(kind: type[T], said: dict[str, object]) -> T:
    """Terms of what was said. Raises: Refusal `bad_terms`."""
    try:
        return msgspec.convert(said, kind, strict=False)
    except msgspec.ValidationError as error:
        raise Refusal("bad_terms", (), f"These are no terms: {error}.") from None
