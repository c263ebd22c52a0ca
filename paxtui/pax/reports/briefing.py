"""Everything a seat has not been told yet, in order: what others did, how the Game Turn ended, how the next began."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from paxtui.pax.history import events as ev
from paxtui.pax.narration.narrate import Narrator
from paxtui.pax.reports.page import Act, Page
from paxtui.pax.reports.since import ELSEWHERE, since
from paxtui.pax.reports.turn_begin import begin_of_turn
from paxtui.pax.reports.turn_end import end_of_turn
from paxtui.pax.state.model import State

CLOSING = ("chinese_resentment", "victory_point_record", "final_record")
OPENING = ("random_events", "administrative", "minor_powers")
"""Phases that are told on the pages of a turn's end and beginning."""


class Stretch(NamedTuple):
    """Events of one Game Turn.

    Attributes:
        turn: its number.
        acts: what seats did and what came of it, without the Phases that are told on the other pages.
        events: all of it.
        over: whether the Game Turn ended in it.
        open: whether its Movement/Status Change Phase has been reached.
    """

    turn: int
    acts: tuple[Act, ...]
    events: tuple[ev.Event, ...]
    over: bool
    open: bool


def stretches(acts: Sequence[Act], turn: int, phase: str = "") -> list[Stretch]:
    """Acts cut where a Game Turn begins. `turn`, `phase`: those in which they begin."""
    out: list[Stretch] = []
    here: list[Act] = []
    whole: list[ev.Event] = []
    told_apart, reached = phase in (*CLOSING, *OPENING), False

    def cut(over: bool) -> None:
        out.append(Stretch(turn, tuple(here), tuple(whole), over, reached))

    for act in acts:
        some: list[ev.Event] = []
        for event in act.events:
            if isinstance(event, ev.TurnBegan):
                here.append(Act(act.seat, tuple(some)))
                cut(True)
                here, whole, some, turn, reached, told_apart = [], [], [], event.turn, False, True
            if isinstance(event, ev.PositionSet):
                turn = event.state.turn
            if isinstance(event, ev.PhaseBegan):
                told_apart = event.phase in (*CLOSING, *OPENING)
                reached = reached or event.phase == "movement"
            whole.append(event)
            if not told_apart or isinstance(event, ev.PhaseBegan):
                some.append(event)
            if isinstance(event, ev.GameEnded):
                here.append(Act(act.seat, tuple(some)))
                cut(True)
                return out
        here.append(Act(act.seat, tuple(some)))
    cut(False)
    return out


def briefing(
    narrator: Narrator,
    seat: str,
    now: State,
    acts: Sequence[Act],
    told: int,
    turn: int,
    position: Callable[[int], State],
    everything: bool = False,
) -> list[Page]:
    """The pages that a seat has not read yet, in order.

    Args:
        narrator: of the seat.
        seat: who reads them.
        now: the position as the seat may know it.
        acts: those in force from the beginning of Game Turn `turn` on, as the seat may know them.
        told: how many of them it has been told of.
        turn: see `acts`.
        position: the position as the seat may know it once a Game Turn has begun, by its number.
        everything: also pages of nothing that concerns the seat.
    """
    fresh = stretches(acts[told:], *_moment_after(acts[:told], turn))
    whole = {stretch.turn: stretch for stretch in stretches(acts, turn)}
    years = narrator.known.tables.turns
    out: list[Page] = []
    for n, stretch in enumerate(fresh):
        over = n + 1 < len(fresh) or stretch.over
        if n or any(isinstance(e, ev.PhaseBegan) and e.phase in OPENING for e in stretch.events):
            begun = position(stretch.turn)
            out.append(begin_of_turn(narrator, seat, begun, whole[stretch.turn].events))
        page = since(narrator, seat, position(stretch.turn + 1) if n + 1 < len(fresh) else now, stretch.acts)
        if any(everything or section.title != ELSEWHERE for section in page.sections):
            out.append(page)
        if over:
            after = position(stretch.turn + 1) if n + 1 < len(fresh) else now
            events = whole[stretch.turn].events
            out.append(end_of_turn(narrator, seat, after, events, years[stretch.turn - 1].year))
    return out


def _moment_after(acts: Sequence[Act], turn: int) -> tuple[int, str]:
    """The Game Turn and the Phase after some acts that begin in `turn`."""
    phase = ""
    for act in acts:
        for event in act.events:
            if isinstance(event, ev.TurnBegan):
                turn = event.turn
            elif isinstance(event, ev.PhaseBegan):
                phase = event.phase
            elif isinstance(event, ev.PositionSet):
                turn, phase = event.state.turn, event.state.phase
    return turn, phase
