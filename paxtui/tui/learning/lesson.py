"""The tutorial as data: steps with a text, what has to happen, and what is said on the way (`data/tutorial.toml`)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable

import msgspec

from paxtui.table.disk.resources import data_path
from paxtui.table.session import Session
from paxtui.tui.learning.conditions import AnyCondition, Happened, happened, place_in_turn


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
        plays: orders that do it, for whoever skips it; undoing, the dice and what only the eye does go without.
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
    plays: list[str] = []


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


def passed(session: Session, step: Step) -> bool:
    """Whether the game has gone past the Phase that a step is about, or what it needs has not happened."""
    live = session.live
    if step.phase and place_in_turn(live.phase, live.turn) > place_in_turn(step.phase):
        return True
    return step.needs is not None and not happened(session, step.needs)


# --- words ------------------------------------------------------------------------------------------------------------

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
