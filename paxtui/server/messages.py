"""The protocol between clients and the hub. The first message of either side names the protocol version.

A message on the socket has a length prefix of four bytes, big-endian.
"""

from __future__ import annotations

from typing import Any

import msgspec

from paxtui.engine.free_text import ChatLine
from paxtui.engine.refusal import Refusal
from paxtui.engine.upcast import Raw

VERSION = 3
"""Protocol version; the hub rejects clients with another version."""


class _Message(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, omit_defaults=True):
    """Base class of messages."""


# --- client to hub ------------------------------------------------------------------------------------------------


class JoinGame(_Message, frozen=True, tag="enter"):
    """Join a game: the first message of a client.

    Attributes:
        version: protocol version.
        ticket: the ticket for one seat of one game.
        line: the last line of the seat's log that the client has, 0 for none.
        tip: the hash of that line.
        heard: the last chat line that the client has.
    """

    version: int
    ticket: str
    line: int = 0
    tip: str = ""
    heard: int = 0


class Act(_Message, frozen=True, tag="act"):
    """An order, in the notation or structured."""

    order: str | Raw


class Advance(_Message, frozen=True, tag="go_on"):
    """Play the automatic Phases when no seat must act."""


class Undo(_Message, frozen=True, tag="take_back"):
    """Undo the last act, or return to the position after a line of the seat."""

    to: int | None = None


class Redo(_Message, frozen=True, tag="bring_back"):
    """Redo the last undo."""


class DiceWord(_Message, frozen=True, tag="give"):
    """A contribution to fair dice: the hash of the seat's word, or the word, as builtins of a note."""

    note: Raw


Operation = Act | Advance | Undo | Redo | DiceWord


class Command(_Message, frozen=True, tag="command"):
    """A command of a seat.

    Attributes:
        id: chosen by the client; a command that is sent again is answered again, but not carried out twice.
        line: the last line that the seat had seen.
        operation: the operation.
    """

    id: str
    line: int
    operation: Operation = msgspec.field(name="deed")


class SendChat(_Message, frozen=True, tag="say"):
    """A chat message.

    Attributes:
        id: chosen by the client.
        text: the text.
    """

    id: str
    text: str


class WatchOrdersAhead(_Message, frozen=True, tag="watch_ahead"):
    """Ask for the orders ahead of the seat, now and after each change; `OrdersAheadList` has them."""


class LeaveOrders(_Message, frozen=True, tag="leave_orders"):
    """Replace the orders ahead of the seat; `CommandResult` answers it.

    Attributes:
        id: chosen by the client.
        version: the version of the list that was changed.
        lines: the orders, each with whether it is standing.
    """

    id: str
    version: int
    lines: tuple[tuple[str, bool], ...]


class EnterLobby(_Message, frozen=True, tag="visit"):
    """Enter the lobby: the first message of a client without a seat.

    Attributes:
        version: protocol version.
        ticket: the lobby ticket.
    """

    version: int
    ticket: str


class LobbyRequest(_Message, frozen=True, tag="wish"):
    """A request of a visitor in the lobby; `Reply` answers it.

    Attributes:
        what: the name of the request.
        about: its parameters.
    """

    what: str
    about: dict[str, str] = {}


# --- administration to hub ----------------------------------------------------------------------------------------


class AdminRequest(_Message, frozen=True, tag="manage"):
    """An administrative request of the SSH server or the host.

    Attributes:
        version: protocol version.
        ask: the name of the request.
        about: its parameters.
    """

    version: int
    ask: str
    about: dict[str, str] = {}


class Reply(_Message, frozen=True, tag="told"):
    """The answer to a request, as builtins."""

    answer: Any


# --- hub to client ------------------------------------------------------------------------------------------------


class Welcome(_Message, frozen=True, tag="welcome"):
    """The answer to `JoinGame`.

    Attributes:
        name: name of the game.
        seat: the seat.
        header: the header of the seat's log; empty if the client has a part of the log already.
        lines: its further lines, in the log format.
        here: the connected seats.
        notice: a notice about the log file.
        talks: whether the seat may chat.
        advice: whether the seat may ask for advice.
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
    """Further lines of the seat's log, in the log format."""

    lines: bytes


class Presence(_Message, frozen=True, tag="here"):
    """The connected seats."""

    seats: tuple[str, ...]


class ChatMessages(_Message, frozen=True, tag="heard"):
    """New chat lines."""

    lines: tuple[ChatLine, ...]


class TimeLeft(_Message, frozen=True, tag="time"):
    """The remaining time.

    Attributes:
        left: seconds, -1 for a game without a clock.
        warn: seconds before the end at which the player is warned.
        paused: whether the game is paused.
    """

    left: float = -1
    warn: float = 0
    paused: bool = False


class OrdersAheadList(_Message, frozen=True, tag="orders_ahead"):
    """The orders ahead of the seat, as builtins of `SeatOrders`; None in a game without them."""

    orders: Raw | None


class CommandResult(_Message, frozen=True, tag="answer"):
    """The result of a command; the lines that it made are sent before.

    Attributes:
        id: of the command.
        line: the seat's last line after it.
        refusal: why it was refused; None if it was carried out.
        failed: the error when the log could not be written; "" for none.
    """

    id: str
    line: int
    refusal: Refused | None = None
    failed: str = ""


class Refused(msgspec.Struct, frozen=True, omit_defaults=True):
    """A refusal in the protocol."""

    code: str
    rules: tuple[str, ...]
    message: str
    detail: dict[str, Any] = {}

    @classmethod
    def of(cls, refusal: Refusal) -> Refused:
        """Convert a refusal for sending."""
        return cls(refusal.code, refusal.rules, refusal.message, msgspec.to_builtins(refusal.detail))

    def again(self) -> Refusal:
        """Convert back to a refusal."""
        return Refusal(self.code, self.rules, self.message, **self.detail)


class Goodbye(_Message, frozen=True, tag="goodbye"):
    """The hub closes the connection.

    Attributes:
        reason: in a sentence.
        back: whether to reconnect.
    """

    reason: str
    back: bool = False


ToHub = JoinGame | AdminRequest | Command | SendChat | EnterLobby | LobbyRequest | WatchOrdersAhead | LeaveOrders
ToClient = Welcome | LogLines | Presence | ChatMessages | CommandResult | Goodbye | Reply | TimeLeft | OrdersAheadList

_encoder = msgspec.msgpack.Encoder()
_to_hub: msgspec.msgpack.Decoder[ToHub] = msgspec.msgpack.Decoder(ToHub)
_to_client: msgspec.msgpack.Decoder[ToClient] = msgspec.msgpack.Decoder(ToClient)

_UNREADABLE = (msgspec.MsgspecError, ValueError, OverflowError, RecursionError)


class MalformedMessage(Exception):
    """Bytes that are not a valid message; the text gives the error in a sentence."""


def encode(message: ToHub | ToClient) -> bytes:
    return _encoder.encode(message)


def read_by_hub(data: bytes) -> ToHub:
    """Decode a message of a client. Raises: MalformedMessage."""
    try:
        return _to_hub.decode(data)
    except _UNREADABLE as error:
        raise MalformedMessage(f"The message of the client is malformed: {error}.") from None


def read_by_client(data: bytes) -> ToClient:
    """Decode a message of the hub. Raises: MalformedMessage."""
    try:
        return _to_client.decode(data)
    except _UNREADABLE as error:
        raise MalformedMessage(f"The message of the server is malformed: {error}.") from None


LENGTH_BYTES = 4
"""Size of the length prefix, in bytes."""

MAX_CLIENT_MESSAGE = 64 * 1024
"""Maximum size of a message to the hub, in bytes; a Treaty of many articles has some thousand."""

MAX_HUB_MESSAGE = 64 * 1024 * 1024
"""Maximum size of a message to a client, in bytes; the log of a long game has a million."""


def frame_message(message: bytes) -> bytes:
    """Add the length prefix to a message."""
    return len(message).to_bytes(LENGTH_BYTES, "big") + message


class FrameReader:
    """Split a byte stream into messages.

    Args:
        longest: maximum size of a message, in bytes.
    """

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._waiting = bytearray()

    @property
    def rest(self) -> bytes:
        """The bytes of a message that is not complete yet."""
        return bytes(self._waiting)

    def take(self, data: bytes) -> list[bytes]:
        """Return the messages that are complete. Raises: MalformedMessage for one that is too long."""
        self._waiting += data
        found: list[bytes] = []
        while len(self._waiting) >= LENGTH_BYTES:
            length = int.from_bytes(self._waiting[:LENGTH_BYTES], "big")
            if length > self._longest:
                raise MalformedMessage(f"A message of {length} bytes is too long; the maximum is {self._longest}.")
            if len(self._waiting) < LENGTH_BYTES + length:
                break
            found.append(bytes(self._waiting[LENGTH_BYTES : LENGTH_BYTES + length]))
            del self._waiting[: LENGTH_BYTES + length]
        return found
