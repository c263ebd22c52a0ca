"""The log of a game as bytes: one header line, then one JSON object per accepted line.

Bytes in, bytes out; files belong to `paxtui.session.storage.log_store`. Each line carries the hash of the line
before, so that a log which somebody or some disk has changed in the middle is noticed and named by
its line number instead of being played on.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from typing import Annotated, Any, Literal

import msgspec

from paxtui.engine.seats import ARBITER
from paxtui.engine.upcast import Raw

FORMAT = 1

# The `type` of the note by which a seat asks the others for an undo; the only note the kernel knows.
UNDO_REQUEST = "undo_request"

FIRST_RULEBOOK = "pax"
"""The rules of a log that does not say which rules it is played by."""

FIRST_RULES = 1
"""The number of the rules in a log that does not name one."""

Visible = Callable[[Raw, str], Raw | None]

_Count = Annotated[int, msgspec.Meta(ge=0)]
_Face = Annotated[int, msgspec.Meta(ge=1, le=6)]


class BrokenLog(Exception):
    """A log that cannot be trusted from some line on.

    Args:
        line_number: the line at fault, the header being line 1.
        reason: what is wrong with it, for a person.
    """

    def __init__(self, line_number: int, reason: str) -> None:
        super().__init__(line_number, reason)
        self.line_number = line_number
        self.reason = reason

    def __str__(self) -> str:
        return f"Line {self.line_number} of the log: {self.reason}"


# Unknown fields are refused: a damaged field name must not pass for a field left out.
class Header(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Line 1: everything that is fixed when a game begins.

    Attributes:
        format: version of the log's own format.
        program: name and version of the program that began the game.
        game: id of this game.
        edition: the edition of the rules.
        options: the options chosen, as builtins.
        seats: seat -> the Powers it acts for.
        seed: seed of the dice; empty in a hosted game until it ends.
        commitment: hash of a seed that is kept elsewhere, empty where `seed` stands in the header.
        rulebook: by which rules it is played, a name that a rules package gives itself.
        dice: ``plain``, or ``fair`` where the seats have a part in them (`paxtui.engine.fair_dice`).
        tables: tables that differ from the shipped ones, in full.
        start: the position at the start, as builtins.
        undo: ``strict`` (dice, reveals and other seats stand in the way) or ``free``.
        rules: number of the rules under which the game began, raised whenever a decision changes.
        created: when, ISO 8601; the kernel has no clock and only keeps it.
    """

    format: int = FORMAT
    program: str
    game: str
    edition: str
    options: Raw = {}
    seats: dict[str, list[str]] = {}
    seed: str = ""
    commitment: str = ""
    tables: Raw = {}
    start: Any = None
    undo: Literal["strict", "free"] = "strict"
    created: str = ""
    rules: Annotated[int, msgspec.Meta(ge=FIRST_RULES)] = FIRST_RULES
    dice: Literal["plain", "fair"] = "plain"
    rulebook: str = FIRST_RULEBOOK


class ActionReason(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Why a seat has done something, in its own words. It is no part of the game: no position depends on it.

    Attributes:
        text: the reason.
        sealed: whether it may give away what others do not know; then it is the seat's own till the game is over.
    """

    text: str
    sealed: bool = False


class Line(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One accepted line after the header.

    Attributes:
        n: its number; the header is 1, so the first is 2.
        time: when, ISO 8601, as the caller gave it.
        seat: who.
        kind: ``act``, ``undo``, ``redo``, or ``note`` (changes no position: chat, requests).
        action: what was asked (`act`) or said (`note`), as builtins of a tagged struct.
        events: what happened, as builtins of tagged structs.
        dice: how many seeded numbers it used.
        queue: the dice set by hand that it used.
        target: of an `undo` or `redo`, the line whose position holds again.
        kept: of an `undo` or `redo`, the acts after that position that hold nevertheless.
        why: of an `act`, the reason that the seat has given for it, None for most.
        prev: hash of the line before, see `digest`.
    """

    n: int
    time: str = ""
    seat: str
    kind: Literal["act", "undo", "redo", "note"] = "act"
    action: Any = None
    events: tuple[Raw, ...] = ()
    dice: _Count = 0
    queue: tuple[_Face, ...] = ()
    target: _Count = 0
    kept: tuple[_Count, ...] = ()
    why: ActionReason | None = None
    prev: str = ""


class Parsed(msgspec.Struct, frozen=True):
    """A log that was read.

    Attributes:
        header: line 1.
        lines: the lines after it.
        notice: what was dropped at the end, in words; empty when nothing was.
        raw: the bytes of the header and the lines, as they were read.
        tip: `digest` of the last line, the `prev` of the next one.
    """

    header: Header
    lines: tuple[Line, ...]
    notice: str
    raw: bytes
    tip: str

    @property
    def sound(self) -> int:
        """How many bytes from the beginning are sound."""
        return len(self.raw)


_encoder = msgspec.json.Encoder()
_header_decoder = msgspec.json.Decoder(Header)
_line_decoder = msgspec.json.Decoder(Line)

# Beyond msgspec's own errors, hostile bytes can nest too deeply, or hold numbers or text that
# Python refuses (UnicodeDecodeError is a ValueError).
_UNREADABLE = (msgspec.MsgspecError, ValueError, OverflowError, RecursionError)


def encode_header(header: Header) -> bytes:
    """`header` as a line, newline included; what came later is not written where it says what was so at first."""
    fields = msgspec.to_builtins(header)
    if header.rules == FIRST_RULES:
        del fields["rules"]
    if header.dice == "plain":
        del fields["dice"]
    if header.rulebook == FIRST_RULEBOOK:
        del fields["rulebook"]
    return _encoder.encode(fields) + b"\n"


def encode_line(line: Line) -> bytes:
    """`line` as a line, newline included.

    Raises:
        UnicodeEncodeError: a text in it is no valid Unicode (a lone surrogate).
    """
    return _encoder.encode(line) + b"\n"


def digest(line: bytes) -> str:
    """The first 32 hexadecimal digits of the SHA-256 of a line without its newline."""
    return sha256(line.removesuffix(b"\n")).hexdigest()[:32]


def decode_header(data: bytes) -> Header:
    """The header in `data` (one line, newline or not).

    Raises:
        BrokenLog: it is none, or one of a later format than this program knows.
    """
    if data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        raise BrokenLog(1, "it begins with a byte order mark, which an editor has added: use the original file")
    if data.removesuffix(b"\n").endswith(b"\r"):
        raise BrokenLog(1, "its lines end with CR LF, which another program has changed: turn them back into LF")
    try:
        header = _header_decoder.decode(data)
    except _UNREADABLE as error:
        # A later format may have fields that this one does not; say the more helpful thing.
        if _format_of(data) > FORMAT:
            raise BrokenLog(1, _later_format(_format_of(data))) from error
        raise BrokenLog(1, f"this is no header of a game ({error})") from error
    if header.format > FORMAT:
        raise BrokenLog(1, _later_format(header.format))
    if header.format < 1:
        raise BrokenLog(1, f"there is no format {header.format}")
    return header


def decode_line(data: bytes, number: int) -> Line:
    """The line in `data`, which stands at line `number`. The chain is not checked.

    Raises:
        BrokenLog: it is no line of a log, or has another number.
    """
    try:
        line = _line_decoder.decode(data)
    except _UNREADABLE as error:
        raise BrokenLog(number, f"it cannot be read ({error})") from error
    check_line(line, number)
    return line


def check_line(line: Line, number: int) -> None:
    """Check what a line says about its own place.

    Raises:
        BrokenLog: `line` has another number than `number`, or points to no line before it.
    """
    if line.n != number:
        raise BrokenLog(number, f"it says that it is line {line.n}")
    if line.kind in ("undo", "redo"):
        if not 1 <= line.target < number:
            raise BrokenLog(number, f"its {line.kind} points to line {line.target}")
        if any(not 1 < n < number for n in line.kept):
            raise BrokenLog(number, f"its {line.kind} keeps a line that is none before it")
    elif line.target or line.kept:
        raise BrokenLog(number, f"a line of kind {line.kind} points to no other")
    if line.why is not None and line.kind != "act":
        raise BrokenLog(number, f"a line of kind {line.kind} has no reason")


def parse(data: bytes) -> Parsed:
    """The log in `data`.

    A last line that was not written to its end is dropped: a line counts only when its newline stands behind it, and
    nobody was ever told that this one was accepted. Anything else that is wrong is refused, in the last line as in any
    other.

    Raises:
        BrokenLog: and never anything else, whatever the bytes are.
    """
    if not data:
        raise BrokenLog(1, "the file is empty")
    pieces = data.split(b"\n")
    torn = pieces.pop()
    if not pieces:
        raise BrokenLog(1, "the header was not written to its end")
    header = decode_header(pieces[0])
    tip = digest(pieces[0])
    lines: list[Line] = []
    texts: dict[str, str] = {}
    for number, piece in enumerate(pieces[1:], start=2):
        line = _follow(piece, number, tip)
        _share(line.action, texts)
        for event in line.events:
            _share(event, texts)
        lines.append(line)
        tip = digest(piece)
    notice = ""
    if torn:
        number = len(pieces) + 1
        _check_torn(torn, number, tip)
        notice = (
            f"The last line (line {number}) was not written to its end: {len(torn)} bytes were dropped. "
            "A line counts only when it is whole."
        )
    return Parsed(header, tuple(lines), notice, data[: len(data) - len(torn)], tip)


def _follow(piece: bytes, number: int, tip: str) -> Line:
    """The line in `piece`, line `number`, which follows one with the hash `tip`. Raises: BrokenLog."""
    line = decode_line(piece, number)
    if line.prev != tip:
        raise BrokenLog(number, "it does not follow from the line before: one of the two has been changed")
    return line


def _share(raw: Any, texts: dict[str, str]) -> None:
    """Have equal texts among builtins be one, in place: a game says a few hundred words many thousand times.

    Args: what was decoded; the texts so far.
    """
    if isinstance(raw, dict):
        for name, value in raw.items():
            if isinstance(value, str):
                raw[name] = texts.setdefault(value, value)
            else:
                _share(value, texts)
    elif isinstance(raw, list):
        for at, value in enumerate(raw):
            if isinstance(value, str):
                raw[at] = texts.setdefault(value, value)
            else:
                _share(value, texts)


def parse_further(data: bytes, number: int, tip: str) -> tuple[tuple[Line, ...], str]:
    """Whole lines that go on with a log.

    Args:
        data: the lines, newlines included; nothing for no lines.
        number: of the first of them.
        tip: `digest` of the line before it.

    Returns: the lines, and `digest` of the last one.

    Raises:
        BrokenLog: they do not follow from that line, or cannot be read.
    """
    if data and not data.endswith(b"\n"):
        raise BrokenLog(number, "it was not written to its end")
    lines: list[Line] = []
    for piece in data.split(b"\n")[:-1]:
        lines.append(_follow(piece, number + len(lines), tip))
        tip = digest(piece)
    return tuple(lines), tip


def redact_header(header: Header, seat: str) -> Header:
    """`header` as `seat` may have it: without the seed and the position of the start, which holds secrets."""
    if seat == ARBITER:
        return header
    return msgspec.structs.replace(header, seed="", start=None)


def _check_torn(piece: bytes, number: int, tip: str) -> None:
    """Make sure that the end of a log, which has no newline, is a line that was never written to its end.

    An object that ends with its bracket was; if it has no newline and something else behind it, the newline was
    damaged later, and then the line had been accepted.

    Raises:
        BrokenLog: it is more than a beginning.
    """
    text = piece.decode("utf-8", "replace")
    try:
        _, end = json.JSONDecoder().raw_decode(text)
    except ValueError:
        return
    except RecursionError as error:
        raise BrokenLog(number, "it cannot be read (it is nested too deeply)") from error
    if end < len(text):
        raise BrokenLog(number, "the newline at its end has been changed")
    _follow(piece, number, tip)


class _AnyFormat(msgspec.Struct):
    format: int = 0


def _format_of(data: bytes) -> int:
    try:
        return msgspec.json.decode(data, type=_AnyFormat).format
    except _UNREADABLE:
        return 0


def _later_format(number: int) -> str:
    return f"it was written in format {number} by a newer program; this one reads up to format {FORMAT}"
