"""What makes a step of the tutorial done: conditions of a few kinds, as `data/tutorial.toml` names them.

They look at the open game and at what the learner has done since the step began. Nothing here draws or acts.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

from paxtui.pax.history import events as ev
from paxtui.pax.state.model import State
from paxtui.pax.state.phases import PHASES
from paxtui.pax.state.war import ALLIANCES, ATTACK, INITIATIVE, MANEUVER, SUPPLY
from paxtui.pax.war import cycle as war_cycle
from paxtui.table.session import Session

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


WAR_OVER = Happened(event="WarOver")
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
    war = war_cycle.current(state)
    if war is None or war.stage == ALLIANCES:
        return False

    def place(cycle: int, stage: str, side: int) -> tuple[int, int, int]:
        if stage in PHASES_OF_A_SIDE and side in war.order:
            return cycle, 1 + war.order.index(side), PHASES_OF_A_SIDE.index(stage)
        return cycle, 0 if stage == INITIATIVE else len(war.order) + 1, 0

    now, then = place(war.cycle, war.stage, war.turn_of), place(moment.cycle, moment.stage, moment.side)
    return now > then or (now == then and not past)


def happened(session: Session, wanted: Happened) -> bool:
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
        case AtWar():
            return happened(session, WAR_OVER) or war_is_at(live, condition, past=False)
        case Refused(rule=rule):
            return rule in seen.refused
        case Undone() | Redone():
            kind = "undo" if isinstance(condition, Undone) else "redo"
            return any(line.kind == kind and line.n > seen.line for line in session.lines)
        case Past():
            return session.at is not None
        case Present():
            return session.at is None
