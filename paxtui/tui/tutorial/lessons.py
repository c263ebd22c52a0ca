"""What makes a step of the tutorial done: conditions of a few kinds, as `data/tutorial.toml` names them.

They look at the open game and at what the learner has done since the step began. Nothing here draws or acts.

The lessons of the tutorial as data: steps with a text, what has to happen, and what is said on the way.

The prompt of the tutorial: which step it is, what to do and why, and a hint for whoever does something else.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec
from rich.text import Text

from paxtui.games.pax.board.tables import Rule
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.phases import PHASES
from paxtui.games.pax.state.war import ALLIANCES, ATTACK, INITIATIVE, MANEUVER, SUPPLY
from paxtui.games.pax.war import alliances
from paxtui.session.local_session import Session
from paxtui.session.storage.files import data_path
from paxtui.session.storage.saved_games import TURN_LESSON, WAR_LESSON
from paxtui.tui.formatting.look import Look

# --- kinds ------------------------------------------------------------------------------------------------------------


class Condition(msgspec.Struct, frozen=True, tag_field="kind", tag=str.lower, forbid_unknown_fields=True):
    """What makes a step done; `kind` in the file names it."""


class Read(Condition, frozen=True):
    """Nothing to do but read on."""


class Cursor(Condition, frozen=True):
    """The cursor stands on a place."""

    place: str


class Opened(Condition, frozen=True):
    """One of these screens has been opened; the step is done when it is left again, or (`at_once`) while it is open."""

    screens: list[str]
    at_once: bool = False


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


class AtWar(Condition, frozen=True):
    """The War has come to a Phase of a cycle, or past it; one that is over is past everything.

    `stage`: of the War Sequence; `side`: the number of the Alliance whose Phase it is, 0 for nobody's.
    """

    cycle: int
    stage: str
    side: int = 0


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
    Read
    | Cursor
    | Opened
    | Pane
    | Filter
    | Happened
    | Reached
    | AtWar
    | Refused
    | Undone
    | Redone
    | Past
    | Present
)

# --- where the learner is ---------------------------------------------------------------------------------------------


@dataclass
class LearnerActions:
    """What the learner has done since the step began."""

    line: int
    opened: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)
    acts: int = 0
    moves: int = 0


@dataclass(frozen=True)
class ScreenState:
    """What the screen shows."""

    cursor: str
    pane: str
    filter: str


WAR_ENDED = Happened(event="WarOver")
"""That a War has had its end."""


def place_in_turn(phase: str, turn: int = 1) -> tuple[int, int]:
    """Where a Phase stands in the game, to be compared."""
    return turn, PHASES.index(phase) if phase in PHASES else len(PHASES)


PHASES_OF_A_SIDE = (MANEUVER, ATTACK, SUPPLY)
"""The Phases of the War Sequence that each Alliance has."""


def war_is_at(state: State, moment: AtWar, past: bool) -> bool:
    """Whether the War of a position is at a moment of its Sequence or beyond it.

    Args: the position; the moment; whether it must be beyond it.
    """
    war = alliances.current_war(state)
    if war is None or war.stage == ALLIANCES:
        return False

    def place(cycle: int, stage: str, side: int) -> tuple[int, int, int]:
        if stage in PHASES_OF_A_SIDE and side in war.order:
            return cycle, 1 + war.order.index(side), PHASES_OF_A_SIDE.index(stage)
        return cycle, 0 if stage == INITIATIVE else len(war.order) + 1, 0

    now, then = place(war.cycle, war.stage, war.turn_of), place(moment.cycle, moment.stage, moment.side)
    return now > then or (now == then and not past)


def has_happened(session: Session, wanted: Happened) -> bool:
    """Whether an event is in force."""
    for _, events in session.in_force():
        for event in events:
            if type(event).__name__ != wanted.event:
                continue
            path = getattr(event, "path", ())
            powers, area = _about(event)
            if (
                wanted.power in ("", *powers)
                and wanted.area in ("", area)
                and wanted.start in ("", path[0] if path else "")
                and wanted.marker in ("", getattr(event, "marker", ""))
            ):
                return True
    return False


def _about(event: ev.Event) -> tuple[tuple[str, ...], str]:
    """The Powers that an event is about, and its Area or Sea Zone, or where a move ended."""
    if isinstance(event, ev.BattleFought):
        return event.attackers, event.place
    if isinstance(event, ev.ChoiceOffered):
        return (event.choice.power,), event.choice.area
    path = getattr(event, "path", ())
    return getattr(event, "powers", (getattr(event, "power", ""),)), path[-1] if path else getattr(event, "area", "")


def is_condition_met(session: Session, condition: AnyCondition, seen: LearnerActions, sight: ScreenState) -> bool:
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
            return has_happened(session, condition)
        case Reached(phase=phase, turn=turn):
            return place_in_turn(live.phase, live.turn) >= place_in_turn(phase, turn)
        case AtWar():
            return has_happened(session, WAR_ENDED) or war_is_at(live, condition, past=False)
        case Refused(rule=rule):
            return rule in seen.refused
        case Undone() | Redone():
            kind = "undo" if isinstance(condition, Undone) else "redo"
            return any(line.kind == kind and line.n > seen.line for line in session.lines)
        case Past():
            return session.at is not None
        case Present():
            return session.at is None


FILES = {TURN_LESSON: "tutorial.toml", WAR_LESSON: "tutorial-war.toml"}
"""The file of each lesson in `data/`."""


class LessonStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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


class LessonCue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What others do in the lesson's War, as "seat: order", when it is `at` a Phase of it; then they pass."""

    at: AtWar
    acts: list[str]


class LessonLink(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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
    steps: list[LessonStep]
    ways: list[LessonLink]
    position: dict[str, Any] = {}
    cues: list[LessonCue] = []


def load_lesson(name: str = TURN_LESSON) -> Lesson:
    """A lesson of the program. Args: one of FILES.

    Raises: msgspec.ValidationError, tomllib.TOMLDecodeError, OSError: the file is broken.
    """
    raw = tomllib.loads(data_path(FILES[name]).read_text("utf-8"))
    return msgspec.convert(raw, Lesson)


def is_step_past(session: Session, step: LessonStep) -> bool:
    """Whether the game has gone past the Phase that a step is about, or what it needs has not happened."""
    live = session.live
    if step.phase and place_in_turn(live.phase, live.turn) > place_in_turn(step.phase):
        return True
    if step.war and (has_happened(session, WAR_ENDED) or war_is_at(live, step.war, past=True)):
        return True
    return step.needs is not None and not has_happened(session, step.needs)


# --- words ------------------------------------------------------------------------------------------------------------

_MARK = re.compile(r"\{([a-z_]+(?:\.[a-z_0-9]+)?)\}|`([^`]+)`")


def split_markup(text: str, key: Callable[[str], str], figures: dict[str, str]) -> Iterable[tuple[str, bool]]:
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


ARROWS = {ord("↑"): "Up", ord("↓"): "Down", ord("←"): "Left", ord("→"): "Right"}
"""Arrow keys in words, for terminals without arrows."""
BAR = 12
"""Cells of the bar that shows how far the tutorial has come."""


def render_prompt(
    step: LessonStep, number: int, of: int, keys: Mapping[str, str], figures: Mapping[str, str], look: Look, width: int
) -> Text:
    """The strip: a line with number, title, rules and keys, then the text.

    Args: the step; its number from 1, and how many there are; keys by binding id, as people write them; figures of the
        moment by name; colours; columns of the strip.
    """
    out = Text()
    left = look.text((f"{step.title} ", "bold"))
    right = Text(f"{keys['tutorial.back']} back  {keys['tutorial.skip']} skip  {keys['game.leave']} leave", look.faint)
    filled = number * BAR // of
    bar = f"{number:>2}/{of} {'█' * filled}{'░' * (BAR - filled)}  "
    if look.palette.ascii:
        bar = bar.translate({ord("█"): "#", ord("░"): "-"})
    # as many rules as there is room for
    room = width - left.cell_len - right.cell_len - len(bar) - 1
    count = next((n for n in range(len(step.rules), 0, -1) if len(_ids(step.rules[:n])) <= room), 0)
    rules = _ids(step.rules[:count])
    out.append(bar, look.key)
    out.append_text(left)
    out.append(" " * max(1, room - len(rules) + 1))
    out.append(rules, look.faint)
    out.append_text(right)
    out.append("\n")
    return out.append_text(format_lesson_text(step.text, keys, figures, look))


def format_lesson_text(text: str, keys: Mapping[str, str], figures: Mapping[str, str], look: Look) -> Text:
    """A text with its keys lit."""
    out = Text()
    for body, pressed in split_markup(text.strip(), keys.__getitem__, dict(figures)):
        if look.palette.ascii:
            body = body.translate(ARROWS)
        out.append_text(look.text((body, look.key if pressed else "")))
    return out


def _ids(rules: list[str]) -> str:
    """Rules as they stand in the first line."""
    return f"[{' '.join(rules)}]  " if rules else ""


def rule_behind_step(rules: list[Rule], look: Look) -> Text:
    """The first rule behind a step in its own words, for screens with room."""
    out = Text()
    for rule in rules[:1]:
        out.append(f"{rule.id} ", look.key)
        out.append(look.palette.text(rule.statement), look.faint)
    return out
