"""What a client and the hub say to each other. Versioned: the first message of either side names the version.

Messages on a socket: four bytes of length, the most significant first, and then the message.
"""

from __future__ import annotations

from typing import Any

import msgspec

from paxtui.engine.refusal import Refusal
from paxtui.engine.upcast import Raw
from paxtui.games.pax.text.free_text import ChatLine

VERSION = 3
"""The number of this language; whoever speaks another one is turned away in a sentence."""


class _Message(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, omit_defaults=True):
    """One message."""


# --- a client to the hub ------------------------------------------------------------------------------------------


class JoinGame(_Message, frozen=True, tag="enter"):
    """Sit down: the first message of a client.

    Attributes:
        version: of this language.
        ticket: what the hub has given out for one seat of one game.
        line: the last line of the seat's log that the client has already, 0 for nothing.
        tip: the hash of that line.
        heard: the last line of table talk that the client has.
    """

    version: int
    ticket: str
    line: int = 0
    tip: str = ""
    heard: int = 0


class Act(_Message, frozen=True, tag="act"):
    """An order, in words of the notation or structured."""

    order: str | Raw


class Advance(_Message, frozen=True, tag="go_on"):
    """Play on what is automatic, where no seat must act."""


class Undo(_Message, frozen=True, tag="take_back"):
    """Take back the last act, or go back to the position after a line of the seat's."""

    to: int | None = None


class Redo(_Message, frozen=True, tag="bring_back"):
    """Bring back what the last undo took back."""


class DiceWord(_Message, frozen=True, tag="give"):
    """Something for fair dice: the hash of the seat's word, or the word, as builtins of a note."""

    note: Raw


Operation = Act | Advance | Undo | Redo | DiceWord


class Command(_Message, frozen=True, tag="command"):
    """Something that a seat does.

    Attributes:
        id: made up by the client; the same command sent again is answered again, and not done twice.
        line: the last line that the seat had when it decided on this.
        deed: what it does.
    """

    id: str
    line: int
    deed: Operation


class SendChat(_Message, frozen=True, tag="say"):
    """Something said to everybody at the table.

    Attributes:
        id: made up by the client.
        text: the words.
    """

    id: str
    text: str


class EnterLobby(_Message, frozen=True, tag="visit"):
    """Come into the lobby: the first message of a client that has no seat yet.

    Attributes:
        version: of this language.
        ticket: what the hub has given out for the lobby.
    """

    version: int
    ticket: str


class LobbyRequest(_Message, frozen=True, tag="wish"):
    """What a visitor in the lobby wants; `Told` answers it.

    Attributes:
        what: the name of what he wants.
        about: what it is about, by name.
    """

    what: str
    about: dict[str, str] = {}


# --- who runs the house, to the hub -------------------------------------------------------------------------------


class AdminRequest(_Message, frozen=True, tag="manage"):
    """Something that only the house itself may ask: its door for SSH, and whoever runs it.

    Attributes:
        version: of this language.
        ask: the name of what is asked.
        about: what it is asked about, by name.
    """

    version: int
    ask: str
    about: dict[str, str] = {}


class Reply(_Message, frozen=True, tag="told"):
    """The answer to that, as builtins."""

    answer: Any


# --- the hub to a client ------------------------------------------------------------------------------------------


class Welcome(_Message, frozen=True, tag="welcome"):
    """The seat is taken.

    Attributes:
        name: of the game in the house.
        seat: whose eyes the client has.
        header: the first line of the seat's log; nothing where the client has some of the log already.
        lines: the further lines of it, as bytes of a log.
        here: the seats at which somebody sits.
        notice: what the host wants to be known.
        talks: whether the seat may talk.
        advice: whether the seat may ask a statesman for advice.
    """

    name: str
    seat: str
    header: bytes
    lines: bytes
    here: tuple[str, ...] = ()
    notice: str = ""
    talks: bool = False
    advice: bool = True


class LogLines(_Message, frozen=True, tag="news"):
    """Further lines of the seat's log, as bytes of a log."""

    lines: bytes


class Presence(_Message, frozen=True, tag="here"):
    """The seats at which somebody sits now."""

    seats: tuple[str, ...]


class ChatMessages(_Message, frozen=True, tag="heard"):
    """What has been said at the table."""

    lines: tuple[ChatLine, ...]


class TimeLeft(_Message, frozen=True, tag="time"):
    """How much time is left.

    Attributes:
        left: seconds, -1 where there is no clock.
        warn: seconds before its end at which it is said.
        paused: whether the table is paused, and its clock stands still.
    """

    left: float = -1
    warn: float = 0
    paused: bool = False


class CommandResult(_Message, frozen=True, tag="answer"):
    """What has become of a command; the lines that it made come before.

    Attributes:
        id: of the command.
        line: the seat's last line after it.
        refusal: why nothing was done; None where it was.
        failed: why the log could not be written; "" where it could.
    """

    id: str
    line: int
    refusal: Refused | None = None
    failed: str = ""


class Refused(msgspec.Struct, frozen=True, omit_defaults=True):
    """A refusal on the wire."""

    code: str
    rules: tuple[str, ...]
    message: str
    detail: dict[str, Any] = {}

    @classmethod
    def of(cls, refusal: Refusal) -> Refused:
        """A refusal, to be sent."""
        return cls(refusal.code, refusal.rules, refusal.message, msgspec.to_builtins(refusal.detail))

    def again(self) -> Refusal:
        """The refusal as it was."""
        return Refusal(self.code, self.rules, self.message, **self.detail)


class Goodbye(_Message, frozen=True, tag="goodbye"):
    """The connection ends.

    Attributes:
        reason: in a sentence.
        back: whether it is worth coming back.
    """

    reason: str
    back: bool = False


ToHub = JoinGame | AdminRequest | Command | SendChat | EnterLobby | LobbyRequest
ToClient = Welcome | LogLines | Presence | ChatMessages | CommandResult | Goodbye | Reply | TimeLeft

_encoder = msgspec.msgpack.Encoder()
_to_hub: msgspec.msgpack.Decoder[ToHub] = msgspec.msgpack.Decoder(ToHub)
_to_client: msgspec.msgpack.Decoder[ToClient] = msgspec.msgpack.Decoder(ToClient)

_UNREADABLE = (msgspec.MsgspecError, ValueError, OverflowError, RecursionError)


class MalformedMessage(Exception):
    """Bytes that are no message; the message says what they are, in a sentence."""


def encode(message: ToHub | ToClient) -> bytes:
    """A message as bytes."""
    return _encoder.encode(message)


def read_by_hub(data: bytes) -> ToHub:
    """What a client says. Raises: Malformed."""
    try:
        return _to_hub.decode(data)
    except _UNREADABLE as error:
        raise MalformedMessage(f"This is no message to the hub: {error}.") from None


def read_by_client(data: bytes) -> ToClient:
    """What the hub says. Raises: Malformed."""
    try:
        return _to_client.decode(data)
    except _UNREADABLE as error:
        raise MalformedMessage(f"This is no message of the hub's: {error}.") from None


LENGTH_BYTES = 4
"""Bytes that say how long a message is."""

MAX_CLIENT_MESSAGE = 64 * 1024
"""Bytes of the longest message that the hub takes; a Treaty of many articles has some thousand."""

MAX_HUB_MESSAGE = 64 * 1024 * 1024
"""Bytes of the longest message that a client takes; the log of a long game has a million."""


def frame_message(message: bytes) -> bytes:
    """A message with its length before it."""
    return len(message).to_bytes(LENGTH_BYTES, "big") + message


class FrameReader:
    """What comes in, cut into messages.

    Args:
        longest: bytes of the longest message that is taken.
    """

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._waiting = bytearray()

    def take(self, data: bytes) -> list[bytes]:
        """The messages that are whole now. Raises: Malformed for one that is too long."""
        self._waiting += data
        found: list[bytes] = []
        while len(self._waiting) >= LENGTH_BYTES:
            length = int.from_bytes(self._waiting[:LENGTH_BYTES], "big")
            if length > self._longest:
                raise MalformedMessage(f"A message of {length} bytes is too long: at most {self._longest} are taken.")
            if len(self._waiting) < LENGTH_BYTES + length:
                break
            found.append(bytes(self._waiting[LENGTH_BYTES : LENGTH_BYTES + length]))
            del self._waiting[: LENGTH_BYTES + length]
        return found
