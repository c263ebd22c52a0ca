"""Dispatches: private notes between seats, open proclamations, and sealed letters to be opened at a date.

A dispatch is no act of the game: it changes no position, waits for nobody, and no undo takes it back. It stands in
the log as a note, and `paxtui.games.pax.visibility.visible_raw` says who may read it.

Rules: TRE-001 (R-TRE-01)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from paxtui.engine.log import Line
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.engine.upcast import Raw
from paxtui.games.pax.board.status import seat_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.state.model import State
from paxtui.games.pax.text.free_text import check_stacks, clean_text
from paxtui.games.pax.text.parsing import WordReader, parse_turn, turn_year, unknown_name

DISPATCH = "dispatch"
"""Type of the note that is sent."""

LETTER = "letter"
"""Type of the note that brings the text of a sealed letter when its date has come."""

MAX_DISPATCH_LENGTH = 2000
"""Characters of a dispatch."""

EVERYBODY_WORDS = ("all", "everybody", "everyone")

_SEAL = re.compile(r"\s*\bsealed\b\s*(\S*)\s*$", re.IGNORECASE)


class Dispatch(msgspec.Struct, frozen=True):
    """What a seat has to say: `to` Powers, or to everybody where none is named; shut until Game Turn `opens`, 0: open.

    The log keeps it; no rule of the game judges it.
    """

    to: tuple[str, ...]
    text: str
    opens: int = 0


class Letter(msgspec.Struct, frozen=True, kw_only=True):
    """A dispatch as a seat has it.

    Attributes:
        line: the seat's number of the line in which it was sent.
        sender: seat that wrote it.
        to: seats that it is for; empty for everybody.
        text: what it says; empty while it is sealed for the seat.
        opens: Game Turn in which it opens, 0 where it was never sealed.
        sealed: whether the seat cannot read it yet.
        time: when it was sent, as the log has it.
    """

    line: int
    sender: str
    to: tuple[str, ...] = ()
    text: str = ""
    opens: int = 0
    sealed: bool = False
    time: str = ""


# --- words --------------------------------------------------------------------------------------------------------


def parse_dispatch(verb: str, words: WordReader) -> Dispatch:
    """`dispatch POWERS [sealed YEAR]: WORDS`, or `proclaim [sealed YEAR]: WORDS`.

    Raises: Refusal `notation` or `ambiguous`.
    """
    head, colon, said = words.text.partition(":")
    if verb == "proclaim" and not colon:
        head, said = "", words.text
    elif not colon:
        end = words.first + len(words.words)
        raise unknown_name("", "':' and the words, as in 'dispatch france: greetings',", word=end)
    opens = 0
    seal = _SEAL.search(head)
    if seal:
        head = head[: seal.start()]
        at = words.first + len(head.split()) + 1
        opens = parse_turn(words.tables, seal.group(1), at)
    if verb == "proclaim" and head.strip():  # a colon of the proclamation's own
        return Dispatch((), words.text)
    if verb == "proclaim" or head.strip(" ,").casefold() in EVERYBODY_WORDS:
        return Dispatch((), said.strip(), opens)
    to = tuple(dict.fromkeys(WordReader(words.tables, head, words.first).powers()))
    if not to:
        raise unknown_name("", "a Power, as in 'dispatch france: greetings',", word=words.first)
    return Dispatch(to, said.strip(), opens)


def format_dispatch(tables: Tables, dispatch: Dispatch) -> str:
    """The text that `read_dispatch` reads again."""
    sealed = f" sealed {turn_year(tables, dispatch.opens)}" if dispatch.opens else ""
    head = "dispatch " + ", ".join(dispatch.to) if dispatch.to else "proclaim"
    return f"{head}{sealed}: {dispatch.text}"


# --- sending ------------------------------------------------------------------------------------------------------


def make_dispatch_note(tables: Tables, state: State, seat: str, dispatch: Dispatch) -> Raw:
    """The note that `seat` sends at this position.

    Raises: Refusal `not_a_player`, `no_seat`, `yourself`, `empty`, `too_long`, `bad_date`.
    """
    if seat == SPECTATOR or seat not in (*state.players, ARBITER):
        raise Refusal("not_a_player", (), "Only who has a seat sends dispatches.")
    found = set()
    for power in dispatch.to:
        addressee = seat_of(tables, state, power)
        if not addressee:
            name = tables.powers[power].name if power in tables.powers else power
            raise Refusal("no_seat", (), f"Nobody plays {name}, so nobody would read it.", power=power)
        found.add(addressee)
    to = [s for s in state.players if s in found and s != seat]
    if dispatch.to and not to:
        raise Refusal("yourself", (), "A dispatch goes to another seat.")
    text = clean_text(dispatch.text)
    check_stacks(text)
    if not text:
        raise Refusal("empty", (), "A dispatch has words in it.")
    if len(text) > MAX_DISPATCH_LENGTH:
        raise Refusal(
            "too_long",
            (),
            f"A dispatch has {MAX_DISPATCH_LENGTH} characters at most, not {len(text)}.",
            most=MAX_DISPATCH_LENGTH,
        )
    if dispatch.opens and not state.turn < dispatch.opens <= len(tables.turns):
        last = tables.turns[-1].year
        raise Refusal("bad_date", (), f"A letter is sealed until a later Game Turn, {last} at the latest.")
    return {"type": DISPATCH, "to": to, "text": text, "opens": dispatch.opens}


def make_opening_note(line: int, sender: str, sealed: Raw) -> Raw:
    """The note that opens a sealed letter. `line`: where it stands in the log."""
    return {**sealed, "type": LETTER, "from": sender, "line": line}


class _DispatchNote(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A note as it stands in a log."""

    type: Literal["dispatch", "letter"]
    to: tuple[str, ...]
    text: str
    opens: int
    sender: str = msgspec.field(default="", name="from")
    line: int = 0


def rewrite_dispatch_note(tables: Tables, state: State, note: Line, lines: Sequence[Line]) -> Raw:
    """What a note would say that its seat wrote now: it is the same note wherever it could have been written.

    Args:
        tables: of the game.
        state: the position at which it was written.
        note: a line of this kind.
        lines: the lines of the log before it.

    Raises:
        Refusal: as `content`.
        ValueError: it is no dispatch, or a letter that nobody sealed, that is not due, or that was opened before.
    """
    said = msgspec.convert(note.action, _DispatchNote)
    if said.type == DISPATCH:
        return make_dispatch_note(tables, state, note.seat, Dispatch(said.to, said.text, said.opens))
    sealed = next((line for line in lines if line.n == said.line and is_sealed_letter(line.action)), None)
    if sealed is None or sealed.seat != note.seat:
        raise ValueError("it opens a letter that its seat never sealed")
    if not is_letter_due(state, sealed.action):
        raise ValueError("it opens a letter before its time")
    opened_before = (line.action for line in lines if line.kind == "note" and isinstance(line.action, dict))
    if any(a.get("type") == LETTER and a.get("line") == said.line for a in opened_before):
        raise ValueError("it opens a letter that was opened before")
    return make_opening_note(said.line, sealed.seat, sealed.action)


def is_letter_due(state: State, said: Raw) -> bool:
    """Whether a sealed letter opens at this position: its Game Turn has begun, or the game is over."""
    return state.turn >= said["opens"] or state.result is not None


# --- reading ------------------------------------------------------------------------------------------------------


def is_sealed_letter(said: object) -> bool:
    """Whether the content of a note is a letter that opens later."""
    return isinstance(said, dict) and said.get("type") == DISPATCH and bool(said.get("opens"))


def is_private_note(said: object) -> bool:
    """Whether the content of a note is for some seats only."""
    return isinstance(said, dict) and said.get("type") in (DISPATCH, LETTER) and bool(said.get("to"))


def visible_note(raw: Raw, seat: str) -> Raw | None:
    """What a seat that did not send it may see of a dispatch: a sealed one without its text."""
    to = raw.get("to")
    if to and seat not in to and seat != ARBITER:
        return None
    return {**raw, "text": ""} if raw["type"] == DISPATCH and raw.get("opens") and seat != ARBITER else raw


def list_letters(lines: Any, seat: str) -> tuple[Letter, ...]:
    """The dispatches among the lines that a seat has, its own included, in the order in which they were sent."""
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
