"""The lessons of the tutorial as data: steps, the conditions that complete them, and the prompt text.

Lessons are read from `data/tutorial.toml` and its siblings. Conditions are evaluated on the open game and on the
learner's actions since the step began.
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
from paxtui.session.session import Session
from paxtui.session.storage.files import data_path
from paxtui.session.storage.saved_games import TURN_LESSON, WAR_LESSON
from paxtui.tui.formatting.look import Look

# --- kinds ------------------------------------------------------------------------------------------------------------


class Condition(msgspec.Struct, frozen=True, tag_field="kind", tag=str.lower, forbid_unknown_fields=True):
    """The condition that completes a step; the file names it by `kind`."""


class Read(Condition, frozen=True):
    """No condition: the learner reads on."""


class Cursor(Condition, frozen=True):
    """The cursor is on a place."""

    place: str


class Opened(Condition, frozen=True):
    """One of these screens was opened and closed again; with `at_once`, opened."""

    screens: list[str]
    at_once: bool = False


class Pane(Condition, frozen=True):
    """A pane is visible."""

    name: str


class Filter(Condition, frozen=True):
    """The map shows a single filter."""

    name: str


class Happened(Condition, frozen=True):
    """An event is in the log and is not undone.

    `area`: the place of the event, or the end of a move; `start`: the start of a move.
    """

    event: str
    power: str = ""
    area: str = ""
    start: str = ""
    marker: str = ""


class Reached(Condition, frozen=True):
    """The game has reached or passed a Phase of a Game Turn."""

    phase: str
    turn: int = 1


class AtWar(Condition, frozen=True):
    """The War has reached or passed a Phase of a cycle. A finished War has passed all of them.

    `stage`: of the War Sequence; `side`: the number of the Alliance whose Phase it is, 0 for a Phase of no Alliance.
    """

    cycle: int
    stage: str
    side: int = 0


class Refused(Condition, frozen=True):
    """An order was refused by a rule."""

    rule: str


class Undone(Condition, frozen=True):
    """An action was undone."""


class Redone(Condition, frozen=True):
    """An action was redone."""


class Past(Condition, frozen=True):
    """The screen shows an earlier moment."""


class Present(Condition, frozen=True):
    """The screen shows the present."""


AnyCondition = (
    Read | Cursor | Opened | Pane | Filter | Happened | Reached | AtWar | Refused | Undone | Redone | Past | Present
)

# --- evaluation ---------------------------------------------------------------------------------------------


@dataclass
class LearnerActions:
    """The learner's actions since the step began."""

    line: int
    opened: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)
    acts: int = 0
    moves: int = 0


@dataclass(frozen=True)
class ScreenState:
    """The visible state of the screen."""

    cursor: str
    pane: str
    filter: str


WAR_ENDED = Happened(event="WarOver")
"""Events that end a War."""


def place_in_turn(phase: str, turn: int = 1) -> tuple[int, int]:
    """Return a sort key for a Phase."""
    return turn, PHASES.index(phase) if phase in PHASES else len(PHASES)


PHASES_OF_A_SIDE = (MANEUVER, ATTACK, SUPPLY)
"""Phases of the War Sequence that each Alliance has."""


def war_is_at(state: State, moment: AtWar, past: bool) -> bool:
    """Return whether the War has reached a moment of its Sequence.

    Args: the position; the moment; whether the War must be past it.
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
    """Return whether an event is in the log and not undone."""
    for _, events in session.view.in_force():
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
    """Return the Powers of an event, and its Area or Sea Zone, or the end of a move."""
    if isinstance(event, ev.BattleFought):
        return event.attackers, event.place
    if isinstance(event, ev.ChoiceOffered):
        return (event.choice.power,), event.choice.area
    path = getattr(event, "path", ())
    return getattr(event, "powers", (getattr(event, "power", ""),)), path[-1] if path else getattr(event, "area", "")


def is_condition_met(session: Session, condition: AnyCondition, seen: LearnerActions, sight: ScreenState) -> bool:
    """Return whether a condition holds."""
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
            return any(line.kind == kind and line.n > seen.line for line in session.view.lines)
        case Past():
            return session.at is not None
        case Present():
            return session.at is None


FILES = {TURN_LESSON: "tutorial.toml", WAR_LESSON: "tutorial-war.toml"}
"""The file of each lesson in `data/`."""


class LessonStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One step of a lesson.

    Attributes:
        id: its name.
        title: the subject, in a word or two.
        text: two or three short sentences. `{game.ready}` is the key of that binding, `{treasury}` and the like are
            current figures, and text between backticks is typed literally.
        done: the condition that completes it.
        keys: keys that complete it, for the tests.
        rules: rows of the rules catalogue behind it.
        hint: shown when the learner does something else.
        phase: Phase of the first Game Turn after which the step is skipped.
        war: moment of the War after which the step is skipped.
        needs: events without which the step is skipped.
        map: whether the step restores the whole map.
        line: beginning of the line of the pane that must be visible.
        acts: orders of other seats before the step, as "seat: order".
        plays: orders that complete it, used if the learner skips it. Steps about undo, dice and reading have none.
            `answer TEXT` answers the learner's first pending question; `answer` alone takes its default.
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
    """Orders of other seats in the War, as "seat: order", at a Phase `at` of it. These seats then pass."""

    at: AtWar
    acts: list[str]


class LessonLink(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A suggestion on the last page."""

    id: str
    title: str
    text: str


class Lesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A lesson: its game, its steps, and its last page.

    `position`: the initial position as a patch; empty for the start of the game.
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
    """Load a lesson. Args: one of FILES.

    Raises: msgspec.ValidationError, tomllib.TOMLDecodeError, OSError: the file is invalid.
    """
    raw = tomllib.loads(data_path(FILES[name]).read_text("utf-8"))
    return msgspec.convert(raw, Lesson)


def is_step_past(session: Session, step: LessonStep) -> bool:
    """Return whether the game has passed the Phase of a step, or an event that it needs is missing."""
    live = session.live
    if step.phase and place_in_turn(live.phase, live.turn) > place_in_turn(step.phase):
        return True
    if step.war and (has_happened(session, WAR_ENDED) or war_is_at(live, step.war, past=True)):
        return True
    return step.needs is not None and not has_happened(session, step.needs)


# --- words ------------------------------------------------------------------------------------------------------------

_MARK = re.compile(r"\{([a-z_]+(?:\.[a-z_0-9]+)?)\}|`([^`]+)`")


def split_markup(text: str, key: Callable[[str], str], figures: dict[str, str]) -> Iterable[tuple[str, bool]]:
    """Split a text into pieces, each with a flag for text to press or type.

    Args: the text; the key of each binding by id; the current figures.

    Raises: KeyError for an unknown binding or figure.
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
"""Names of the arrow keys, for terminals without arrow characters."""
BAR = 12
"""Cells of the progress bar."""


def render_prompt(
    step: LessonStep, number: int, of: int, keys: Mapping[str, str], figures: Mapping[str, str], look: Look, width: int
) -> Text:
    """Render the prompt: a line with number, title, rules and keys, then the text.

    Args: the step; its number from 1, and the number of steps; keys by binding id, as displayed; current figures by
        name; colours; columns of the strip.
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
    """Format a text with highlighted keys."""
    out = Text()
    for body, pressed in split_markup(text.strip(), keys.__getitem__, dict(figures)):
        if look.palette.ascii:
            body = body.translate(ARROWS)
        out.append_text(look.text((body, look.key if pressed else "")))
    return out


def _ids(rules: list[str]) -> str:
    return f"[{' '.join(rules)}]  " if rules else ""


def rule_behind_step(rules: list[Rule], look: Look) -> Text:
    """Return the text of the first rule behind a step, for large screens."""
    out = Text()
    for rule in rules[:1]:
        out.append(f"{rule.id} ", look.key)
        out.append(look.palette.text(rule.statement), look.faint)
    return out
