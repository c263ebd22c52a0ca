"""The lessons of the tutorial as data: steps with a text, what has to happen, and what is said on the way."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from paxtui.table.disk.resources import data_path
from paxtui.table.session import Session
from paxtui.tui.learning.conditions import (
    WAR_OVER,
    AnyCondition,
    AtWar,
    Happened,
    happened,
    place_in_turn,
    war_is_at,
)
from paxtui.tui.learning.saved_lessons import TURN, WAR

FILES = {TURN: "tutorial.toml", WAR: "tutorial-war.toml"}
"""The file of each lesson in `data/`."""


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
        war: moment of the War up to which it makes sense; once that is over the step is passed by.
        needs: what must have happened for the step to make sense.
        map: the whole map comes back when it begins.
        line: how the line of the pane begins that has to be in sight.
        acts: what other seats do before it, as "seat: order".
        plays: orders that do it, for whoever skips it; undoing, the dice and what only the eye does go without.
            `answer TEXT` answers the first question that waits for the learner, `answer` alone by its default.
    """

    id: str
    title: str
    text: str
    done: AnyCondition
    keys: list[str]
    rules: list[str] = []
    hint: str = ""
    phase: str = ""
    war: AtWar | None = None
    needs: Happened | None = None
    map: bool = False
    line: str = ""
    acts: list[str] = []
    plays: list[str] = []


class Cue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What others do in the lesson's War, as "seat: order", when it is `at` a Phase of it; then they pass."""

    at: AtWar
    acts: list[str]


class Way(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something to try next, on the last page."""

    id: str
    title: str
    text: str


class Lesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A lesson: the game it plays, its steps, and its last page.

    `position`: where it begins, as a patch; empty for the start of the game.
    """

    id: str
    title: str
    seed: str
    seat: str
    pane: str
    farewell: str
    steps: list[Step]
    ways: list[Way]
    position: dict[str, Any] = {}
    cues: list[Cue] = []


def load_lesson(name: str = TURN) -> Lesson:
    """A lesson of the program. Args: one of FILES.

    Raises: msgspec.ValidationError, tomllib.TOMLDecodeError, OSError: the file is broken.
    """
    raw = tomllib.loads(data_path(FILES[name]).read_text("utf-8"))
    return msgspec.convert(raw, Lesson)


def passed(session: Session, step: Step) -> bool:
    """Whether the game has gone past the Phase that a step is about, or what it needs has not happened."""
    live = session.live
    if step.phase and place_in_turn(live.phase, live.turn) > place_in_turn(step.phase):
        return True
    if step.war and (happened(session, WAR_OVER) or war_is_at(live, step.war, past=True)):
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
