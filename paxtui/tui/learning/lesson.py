"""The tutorial as data: steps with a text, what has to happen, and how one knows that it has.

The steps stand in `data/tutorial.toml`. A step is done when its condition holds; conditions are of a few kinds and
look at the session and at what the learner has done since the step began. Nothing here draws or acts.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import msgspec

from paxtui.pax.sequence import PHASES
from paxtui.table.resources import data_path
from paxtui.table.session import Session

# --- conditions ---------------------------------------------------------------------------------------------------


class Condition(msgspec.Struct, frozen=True, tag_field="kind", tag=str.lower, forbid_unknown_fields=True):
    """What makes a step done; `kind` in the file names it."""


class Read(Condition, frozen=True):
    """Nothing to do but read on."""


class Cursor(Condition, frozen=True):
    """The cursor stands on a place."""

    place: str


class Opened(Condition, frozen=True):
    """One of these screens has been opened."""

    screens: list[str]


class Pane(Condition, frozen=True):
    """A pane is in sight."""

    name: str


class Filter(Condition, frozen=True):
    """The map shows one question alone."""

    name: str


class Happened(Condition, frozen=True):
    """An event is in the log, and has not been taken back.

    `area`: where it was, or where a move ended; `start`: where a move began.
    """

    event: str
    power: str = ""
    area: str = ""
    start: str = ""
    marker: str = ""


class Reached(Condition, frozen=True):
    """The game has come to a Phase of a Game Turn, or past it."""

    phase: str
    turn: int = 1


class Refused(Condition, frozen=True):
    """An order has been refused by a rule."""

    rule: str


class Undone(Condition, frozen=True):
    """Something has been taken back."""


class Redone(Condition, frozen=True):
    """Something has been brought back."""


class Past(Condition, frozen=True):
    """An earlier moment is looked at."""


class Present(Condition, frozen=True):
    """The present is looked at."""


AnyCondition = (
    Read | Cursor | Opened | Pane | Filter | Happened | Reached | Refused | Undone | Redone | Past | Present
)

# --- steps --------------------------------------------------------------------------------------------------------


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One prompt of the tutorial.

    Attributes:
        id: its name.
        title: what it is about, in a word or two.
        text: two or three short sentences. `{game.ready}` is the key of that binding, `{treasury}` and the like are
            figures of the moment, and what stands between backticks is typed as it is.
        done: what makes it done.
        keys: keys that do it, as the tests press them.
        rules: rows of the catalogue behind it.
        hint: what is said to somebody who does something else.
        phase: Phase of the first Game Turn in which it makes sense; once that is over the step is passed by.
        needs: what must have happened for the step to make sense.
        map: the whole map comes back when it begins.
        line: how the line of the pane begins that has to be in sight.
        acts: what other seats do before it, as "seat: order".
    """

    id: str
    title: str
    text: str
    done: AnyCondition
    keys: list[str]
    rules: list[str] = []
    hint: str = ""
    phase: str = ""
    needs: Happened | None = None
    map: bool = False
    line: str = ""
    acts: list[str] = []


class Way(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something to try next, on the last page."""

    id: str
    title: str
    text: str


class Lesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole tutorial: the game it plays, its steps, and its last page."""

    seed: str
    seat: str
    pane: str
    farewell: str
    steps: list[Step]
    ways: list[Way]


def load_lesson() -> Lesson:
    """The tutorial of the program.

    Raises: msgspec.ValidationError, tomllib.TOMLDecodeError, OSError: the file is broken.
    """
    raw = tomllib.loads(data_path("tutorial.toml").read_text("utf-8"))
    return msgspec.convert(raw, Lesson)


# --- where the learner is -----------------------------------------------------------------------------------------


@dataclass
class Seen:
    """What the learner has done since the step began."""

    line: int
    opened: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)
    acts: int = 0
    moves: int = 0


@dataclass(frozen=True)
class Sight:
    """What the screen shows."""

    cursor: str
    pane: str
    filter: str


def place_in_turn(phase: str, turn: int = 1) -> tuple[int, int]:
    """Where a Phase stands in the game, to be compared."""
    return turn, PHASES.index(phase) if phase in PHASES else len(PHASES)


def passed(session: Session, step: Step) -> bool:
    """Whether the game has gone past the Phase that a step is about, or what it needs has not happened."""
    live = session.live
    if step.phase and place_in_turn(live.phase, live.turn) > place_in_turn(step.phase):
        return True
    return step.needs is not None and not happened(session, step.needs)


def happened(session: Session, wanted: Happened) -> bool:
    """Whether an event is in force."""
    for _, events in session.in_force():
        for event in events:
            if type(event).__name__ != wanted.event:
                continue
            path = getattr(event, "path", ())
            powers = getattr(event, "powers", (getattr(event, "power", ""),))
            area = path[-1] if path else getattr(event, "area", "")
            if (
                wanted.power in ("", *powers)
                and wanted.area in ("", area)
                and wanted.start in ("", path[0] if path else "")
                and wanted.marker in ("", getattr(event, "marker", ""))
            ):
                return True
    return False


def done(session: Session, condition: AnyCondition, seen: Seen, sight: Sight) -> bool:
    """Whether a condition holds."""
    live = session.live
    match condition:
        case Read():
            return False
        case Cursor(place=place):
            return sight.cursor == place
        case Opened(screens=screens):
            return not seen.opened.isdisjoint(screens)
        case Pane(name=name):
            return sight.pane == name
        case Filter(name=name):
            return sight.filter == name
        case Happened():
            return happened(session, condition)
        case Reached(phase=phase, turn=turn):
            return place_in_turn(live.phase, live.turn) >= place_in_turn(phase, turn)
        case Refused(rule=rule):
            return rule in seen.refused
        case Undone() | Redone():
            kind = "undo" if isinstance(condition, Undone) else "redo"
            return any(line.kind == kind and line.n > seen.line for line in session.lines)
        case Past():
            return session.at is not None
        case Present():
            return session.at is None


# --- words --------------------------------------------------------------------------------------------------------

_MARK = re.compile(r"\{([a-z_]+(?:\.[a-z_0-9]+)?)\}|`([^`]+)`")


def pieces(text: str, key: Callable[[str], str], figures: dict[str, str]) -> Iterable[tuple[str, bool]]:
    """A text in pieces, and whether each is something to press or to type.

    Args: the text; the key of a binding by its id; the figures of the moment.

    Raises: KeyError for a binding or a figure that there is none of.
    """
    at = 0
    for found in _MARK.finditer(text):
        if found.start() > at:
            yield text[at : found.start()], False
        name, typed = found.groups()
        if typed is not None:
            yield typed, True
        elif "." in name:
            yield key(name), True
        else:
            yield figures[name], False
        at = found.end()
    if at < len(text):
        yield text[at:], False
