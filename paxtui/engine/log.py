"""Encode and parse the log of a game: one header line, then one JSON object per accepted line.

File access is in `paxtui.session.storage.log_store`. Each line holds the hash of the line before it, so a change inside
the log is detected and reported with its line number.
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

# The `type` of the note that requests an undo; the only note type the kernel knows.
UNDO_REQUEST = "undo_request"

FIRST_RULEBOOK = "pax"
"""The rulebook of a log whose header names none."""

FIRST_RULES = 1
"""The rules number of a log whose header has none."""

Visible = Callable[[Raw, str], Raw | None]

_Count = Annotated[int, msgspec.Meta(ge=0)]
_Face = Annotated[int, msgspec.Meta(ge=1, le=6)]


class BrokenLog(Exception):
    """A log that is damaged from some line on.

    Args:
        line_number: the damaged line; the header is line 1.
        reason: a description for the user.
    """

    def __init__(self, line_number: int, reason: str) -> None:
        super().__init__(line_number, reason)
        self.line_number = line_number
        self.reason = reason

    def __str__(self) -> str:
        return f"Line {self.line_number} of the log: {self.reason}"


class LogParent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The line of another log from which a game plays on.

    Attributes:
        hash: the hash of the header of that log.
        line: the line whose position is the start of this game.
        tip: the hash of that line.
    """

    hash: str
    line: Annotated[int, msgspec.Meta(ge=1)]
    tip: str


# Unknown fields are errors: a damaged field name must not look like an omitted field.
class Header(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Line 1: everything that is fixed when a game begins.

    Attributes:
        format: version of the log format.
        program: name and version of the program that created the game.
        game: id of this game.
        edition: edition of the rules.
        options: the options chosen, as builtins.
        seats: seat -> the Powers it controls.
        seed: seed of the dice; empty in a hosted game until it ends.
        commitment: hash of a seed that is kept elsewhere; empty if the header holds the seed.
        rulebook: name of the rules package.
        dice: ``plain``, or ``fair`` if the seats contribute to the dice (`paxtui.engine.fair_dice`).
        tables: tables that differ from the shipped ones, in full.
        start: the start position, as builtins.
        undo: ``strict`` (dice, reveals and other seats' acts are barriers) or ``free``.
        rules: number of the rules at the start of the game; raised whenever a decision changes.
        parent: the line of another log whose position is the start; None for a game of its own.
        created: ISO 8601 creation time; the kernel has no clock and only stores it.
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
    parent: LogParent | None = None


class ActionReason(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The reason that a seat gives for an act. No position depends on it.

    Attributes:
        text: the reason.
        sealed: True if it may reveal secrets; only the seat itself sees it until the game is over.
    """

    text: str
    sealed: bool = False


class Line(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One accepted line after the header.

    Attributes:
        n: line number; the header is 1, so the first line is 2.
        time: ISO 8601 time, as the caller gave it.
        seat: the author.
        kind: ``act``, ``undo``, ``redo``, or ``note`` (changes no position: chat, requests).
        action: the action (`act`) or the content (`note`), as builtins of a tagged struct.
        events: the events, as builtins of tagged structs.
        dice: count of seeded numbers used.
        queue: the dice set by hand that were used.
        target: of an `undo` or `redo`, the line whose position is restored.
        kept: of an `undo` or `redo`, the acts after that position that stay in force.
        why: of an `act`, the seat's reason; usually None.
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
    """A parsed log.

    Attributes:
        header: line 1.
        lines: the lines after it.
        notice: description of an incomplete last line that was dropped, or "".
        raw: the bytes of the header and the valid lines.
        tip: `digest` of the last line, the `prev` of the next one.
    """

    header: Header
    lines: tuple[Line, ...]
    notice: str
    raw: bytes
    tip: str

    @property
    def sound(self) -> int:
        """Count of valid bytes from the beginning."""
        return len(self.raw)


_encoder = msgspec.json.Encoder()
_header_decoder = msgspec.json.Decoder(Header)
_line_decoder = msgspec.json.Decoder(Line)

# Besides msgspec's own errors, hostile bytes can nest too deeply, or hold numbers or text that
# Python rejects (UnicodeDecodeError is a ValueError).
_UNREADABLE = (msgspec.MsgspecError, ValueError, OverflowError, RecursionError)


def encode_header(header: Header) -> bytes:
    """Encode `header` as a line, newline included. Fields added later are omitted if they hold their default."""
    fields = msgspec.to_builtins(header)
    if header.rules == FIRST_RULES:
        del fields["rules"]
    if header.dice == "plain":
        del fields["dice"]
    if header.rulebook == FIRST_RULEBOOK:
        del fields["rulebook"]
    if header.parent is None:
        del fields["parent"]
    return _encoder.encode(fields) + b"\n"


def encode_line(line: Line) -> bytes:
    """Encode `line`, newline included.

    Raises:
        UnicodeEncodeError: a text in it is not valid Unicode (a lone surrogate).
    """
    return _encoder.encode(line) + b"\n"


def digest(line: bytes) -> str:
    """The first 32 hexadecimal digits of the SHA-256 of a line without its newline."""
    return sha256(line.removesuffix(b"\n")).hexdigest()[:32]


def decode_header(data: bytes) -> Header:
    """Decode the header from one line, with or without newline.

    Raises:
        BrokenLog: it is not a header, or its format is newer than this program.
    """
    if data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        raise BrokenLog(1, "it begins with a byte order mark, added by an editor: use the original file")
    if data.removesuffix(b"\n").endswith(b"\r"):
        raise BrokenLog(1, "its lines end with CR LF, changed by another program: convert them back to LF")
    try:
        header = _header_decoder.decode(data)
    except _UNREADABLE as error:
        # A later format may have unknown fields; report the format instead of the field.
        if _format_of(data) > FORMAT:
            raise BrokenLog(1, _later_format(_format_of(data))) from error
        raise BrokenLog(1, f"this is not the header of a game ({error})") from error
    if header.format > FORMAT:
        raise BrokenLog(1, _later_format(header.format))
    if header.format < 1:
        raise BrokenLog(1, f"there is no format {header.format}")
    return header


def decode_line(data: bytes, number: int) -> Line:
    """Decode line `number`. The hash chain is not checked.

    Raises:
        BrokenLog: it is not a line of a log, or has another number.
    """
    try:
        line = _line_decoder.decode(data)
    except _UNREADABLE as error:
        raise BrokenLog(number, f"it cannot be read ({error})") from error
    check_line(line, number)
    return line


def check_line(line: Line, number: int) -> None:
    """Check the number and the target of a line.

    Raises:
        BrokenLog: `line` has another number than `number`, or its target is not an earlier line.
    """
    if line.n != number:
        raise BrokenLog(number, f"it says that it is line {line.n}")
    if line.kind in ("undo", "redo"):
        if not 1 <= line.target < number:
            raise BrokenLog(number, f"its {line.kind} points to line {line.target}")
        if any(not 1 < n < number for n in line.kept):
            raise BrokenLog(number, f"its {line.kind} keeps a line that is not before it")
    elif line.target or line.kept:
        raise BrokenLog(number, f"a line of kind {line.kind} cannot point to another line")
    if line.why is not None and line.kind != "act":
        raise BrokenLog(number, f"a line of kind {line.kind} cannot have a reason")


def parse(data: bytes) -> Parsed:
    """Parse a log.

    An incomplete last line, without newline, is dropped: it was never acknowledged. Any other damage is an error, in
    the last line too.

    Raises:
        BrokenLog: the log is damaged. No bytes raise any other exception.
    """
    if not data:
        raise BrokenLog(1, "the file is empty")
    whole = data.rfind(b"\n") + 1
    if not whole:
        raise BrokenLog(1, "the header is incomplete")
    first = data[: data.index(b"\n")]
    header = decode_header(first)
    lines, tip = parse_further(data[len(first) + 1 : whole], 2, digest(first))
    notice = ""
    if torn := data[whole:]:
        number = len(lines) + 2
        _check_torn(torn, number, tip)
        notice = (
            f"The last line (line {number}) was not written to its end: {len(torn)} bytes were dropped. "
            "Only complete lines count."
        )
    return Parsed(header, lines, notice, data[:whole], tip)


def _decode_next(piece: bytes, number: int, tip: str) -> Line:
    """Decode line `number` and check that it follows a line with the hash `tip`. Raises: BrokenLog."""
    line = decode_line(piece, number)
    if line.prev != tip:
        raise BrokenLog(number, "it does not follow from the line before: one of the two has been changed")
    return line


def parse_further(data: bytes, number: int, tip: str) -> tuple[tuple[Line, ...], str]:
    """Parse whole lines that continue a log.

    Args:
        data: the lines, newlines included; may be empty.
        number: number of the first of them.
        tip: `digest` of the line before it.

    Returns:
        The lines, and `digest` of the last one.

    Raises:
        BrokenLog: they do not continue that line, or cannot be read.
    """
    if data and not data.endswith(b"\n"):
        raise BrokenLog(number, "it is incomplete")
    lines: list[Line] = []
    for piece in data.split(b"\n")[:-1]:
        lines.append(_decode_next(piece, number + len(lines), tip))
        tip = digest(piece)
    return tuple(lines), tip


def redact_header(header: Header, seat: str) -> Header:
    """Remove the seed and the start position, which holds secrets, unless `seat` is the arbiter."""
    if seat == ARBITER:
        return header
    return msgspec.structs.replace(header, seed="", start=None)


def _check_torn(piece: bytes, number: int, tip: str) -> None:
    """Check that the end of a log without newline is an incomplete line.

    A complete object without newline means that the newline was damaged later; that line had been accepted.

    Raises:
        BrokenLog: the last line is complete.
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
    _decode_next(piece, number, tip)


class _AnyFormat(msgspec.Struct):
    format: int = 0


def _format_of(data: bytes) -> int:
    try:
        return msgspec.json.decode(data, type=_AnyFormat).format
    except _UNREADABLE:
        return 0


def _later_format(number: int) -> str:
    return f"it was written in format {number} by a newer program; this one reads up to format {FORMAT}"
