"""Dispatches: private messages between seats, public proclamations, and sealed letters that open at a date.

A dispatch is a note in the log. It changes no position, play waits for no answer, and no undo removes it.
`paxtui.games.pax.visibility.visible_raw` decides which seats may read it.

Rules: TRE-001 (R-TRE-01)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Literal

import msgspec

from paxtui.engine.free_text import check_stacks, clean_text
from paxtui.engine.log import Line
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.engine.upcast import Raw
from paxtui.games.pax.actions.forms import order
from paxtui.games.pax.board.status import seat_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.state.model import State
from paxtui.games.pax.text.parsing import WordReader, parse_turn, turn_year, unknown_name

DISPATCH = "dispatch"
"""Type of the note of a dispatch."""

LETTER = "letter"
"""Type of the note that publishes the text of a sealed letter when it opens."""

MAX_DISPATCH_LENGTH = 2000
"""Maximum length of a dispatch, in characters."""

WISH_QUESTION = "What do you want?"
"""Text by which a seat asks another what it wants; bots answer it."""

EVERYBODY_WORDS = ("all", "everybody", "everyone")

_SEAL = re.compile(r"\s*\bsealed\b\s*(\S*)\s*$", re.IGNORECASE)


class Letter(msgspec.Struct, frozen=True, kw_only=True):
    """A dispatch as a seat may read it.

    Attributes:
        line: number of its line in the seat's log.
        sender: seat that wrote it.
        to: seats that receive it; empty for all.
        text: its text; empty while it is sealed for the seat.
        opens: Game Turn in which it opens, 0 if it was never sealed.
        sealed: whether the seat cannot read it yet.
        time: time in the log.
    """

    line: int
    sender: str
    to: tuple[str, ...] = ()
    text: str = ""
    opens: int = 0
    sealed: bool = False
    time: str = ""


def _parse_dispatch(verb: str, words: WordReader) -> dict[str, Any]:
    """Parse `dispatch POWERS [sealed YEAR]: WORDS`, or `proclaim [sealed YEAR]: WORDS`."""
    head, colon, body = words.text.partition(":")
    if verb == "proclaim" and not colon:
        head, body = "", words.text
    elif not colon:
        end = words.first + len(words.words)
        raise unknown_name("", "':' and the words, as in 'dispatch france: greetings',", word=end)
    opens = 0
    seal = _SEAL.search(head)
    if seal:
        head = head[: seal.start()]
        at = words.first + len(head.split()) + 1
        opens = parse_turn(words.tables, seal.group(1), at)
    if verb == "proclaim" and head.strip():  # the colon belongs to the text
        return {"to": (), "text": words.text}
    if verb == "proclaim" or head.strip(" ,").casefold() in EVERYBODY_WORDS:
        return {"to": (), "text": body.strip(), "opens": opens}
    to = tuple(dict.fromkeys(WordReader(words.tables, head, words.first).powers()))
    if not to:
        raise unknown_name("", "a Power, as in 'dispatch france: greetings',", word=words.first)
    return {"to": to, "text": body.strip(), "opens": opens}


def _format_dispatch(tables: Tables, dispatch: Dispatch) -> str:
    sealed = f" sealed {turn_year(tables, dispatch.opens)}" if dispatch.opens else ""
    head = "dispatch " + ", ".join(dispatch.to) if dispatch.to else "proclaim"
    return f"{head}{sealed}: {dispatch.text}"


@order(
    "proclaim TEXT",
    example="proclaim: peace in our time",
    usage="proclaim [sealed YEAR]: WORDS",
    help="Write to everybody, spectators included.",
    parse=_parse_dispatch,
    format=_format_dispatch,
    is_long=True,
)
@order(
    "dispatch TEXT",
    example="dispatch france, italy: shall we talk about Tunis?",
    usage="dispatch POWERS [sealed YEAR]: WORDS",
    help="Write to other seats; nobody else can read it. A sealed letter can be read from that year on.",
    parse=_parse_dispatch,
    format=_format_dispatch,
    is_long=True,
)
class Dispatch(msgspec.Struct, frozen=True):
    """A message to the Powers `to`, or to all if `to` is empty; sealed until Game Turn `opens`, 0 for open.

    No rule of the game reads it.
    """

    to: tuple[str, ...]
    text: str
    opens: int = 0


def make_dispatch_note(tables: Tables, state: State, seat: str, dispatch: Dispatch) -> Raw:
    """Return the content of the note that `seat` sends at this position.

    Raises:
        Refusal: `not_a_player`, `no_seat`, `yourself`, `empty`, `too_long`, `bad_date`.
    """
    if seat == SPECTATOR or seat not in (*state.players, ARBITER):
        raise Refusal("not_a_player", (), "Only players with a seat can send dispatches.")
    found = set()
    for power in dispatch.to:
        addressee = seat_of(tables, state, power)
        if not addressee:
            name = tables.powers[power].name if power in tables.powers else power
            raise Refusal("no_seat", (), f"Nobody plays {name}, so nobody can read it.", power=power)
        found.add(addressee)
    to = [s for s in state.players if s in found and s != seat]
    if dispatch.to and not to:
        raise Refusal("yourself", (), "A dispatch needs another seat as recipient.")
    text = clean_text(dispatch.text)
    check_stacks(text)
    if not text:
        raise Refusal("empty", (), "A dispatch needs a text.")
    if len(text) > MAX_DISPATCH_LENGTH:
        message = f"A dispatch has {MAX_DISPATCH_LENGTH} characters at most, not {len(text)}."
        raise Refusal("too_long", (), message, most=MAX_DISPATCH_LENGTH)
    if dispatch.opens and not state.turn < dispatch.opens <= state.last_turn:
        last = tables.turns[state.last_turn - 1].year
        raise Refusal("bad_date", (), f"A letter is sealed until a later Game Turn, {last} at the latest.")
    return {"type": DISPATCH, "to": to, "text": text, "opens": dispatch.opens}


def make_opening_note(line: int, sender: str, sealed: Raw) -> Raw:
    """Return the content of the note that opens the sealed letter in log line `line`."""
    return {**sealed, "type": LETTER, "from": sender, "line": line}


class _DispatchNote(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    type: Literal["dispatch", "letter"]
    to: tuple[str, ...]
    text: str
    opens: int
    sender: str = msgspec.field(default="", name="from")
    line: int = 0


def rewrite_dispatch_note(tables: Tables, state: State, note: Line, lines: Sequence[Line]) -> Raw:
    """Return the content of a note as it would be written now. A valid note is unchanged.

    Args:
        state: the position at which it was written.
        note: a line of this kind.
        lines: the lines of the log before it.

    Raises:
        Refusal: as `make_dispatch_note`.
        ValueError: it is no dispatch, or opens a letter that does not exist, is not due, or is already open.
    """
    content = msgspec.convert(note.action, _DispatchNote)
    if content.type == DISPATCH:
        return make_dispatch_note(tables, state, note.seat, Dispatch(content.to, content.text, content.opens))
    sealed = next((line for line in lines if line.n == content.line and is_sealed_letter(line.action)), None)
    if sealed is None or sealed.seat != note.seat:
        raise ValueError("it opens a letter that its seat never sealed")
    if not is_letter_due(state, sealed.action):
        raise ValueError("it opens a letter too early")
    opened_before = (line.action for line in lines if line.kind == "note" and isinstance(line.action, dict))
    if any(a.get("type") == LETTER and a.get("line") == content.line for a in opened_before):
        raise ValueError("it opens a letter that is already open")
    return make_opening_note(content.line, sealed.seat, sealed.action)


def is_letter_due(state: State, said: Raw) -> bool:
    """Return whether a sealed letter opens now: its Game Turn has begun, or the game is over."""
    return state.turn >= said["opens"] or state.result is not None


def is_sealed_letter(said: object) -> bool:
    """Return whether the content of a note is a letter that opens later."""
    return isinstance(said, dict) and said.get("type") == DISPATCH and bool(said.get("opens"))


def asks_for_wishes(text: str) -> bool:
    """Return whether a dispatch asks what its reader wants."""
    return text.strip().rstrip("?!. ").casefold() == WISH_QUESTION.rstrip("?").casefold()


def visible_note(raw: Raw, seat: str) -> Raw | None:
    """Return what a seat other than the sender may see of a dispatch; a sealed one has no text."""
    to = raw.get("to")
    if to and seat not in to and seat != ARBITER:
        return None
    return {**raw, "text": ""} if raw["type"] == DISPATCH and raw.get("opens") and seat != ARBITER else raw


def list_letters(lines: Iterable[Line], seat: str) -> tuple[Letter, ...]:
    """Return the dispatches in a seat's log, its own included, in order."""
    found: dict[int, Letter] = {}
    for line in lines:
        said = line.action
        if line.kind != "note" or not isinstance(said, dict):
            continue
        if said.get("type") == DISPATCH:
            sealed = bool(said.get("opens")) and line.seat != seat and seat != ARBITER
            found[line.n] = Letter(
                line=line.n,
                sender=line.seat,
                to=tuple(said.get("to", ())),
                text=str(said.get("text", "")),
                opens=said.get("opens", 0),
                sealed=sealed,
                time=line.time,
            )
        elif said.get("type") == LETTER and said.get("line") in found:
            sent = found[said["line"]]
            found[sent.line] = msgspec.structs.replace(sent, text=str(said.get("text", "")), sealed=False)
    return tuple(found.values())
