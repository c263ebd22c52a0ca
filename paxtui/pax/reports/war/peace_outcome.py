"""What a peace would leave once all of its parties have signed: who fights on, what goes back, tensions, figures.

Rules: WEN-027, WEN-036, WEN-037, WEN-038, WEN-045, WEN-046
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.pax.board.status import controllers, seat_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.clauses.kinds import at_once
from paxtui.pax.diplomacy.bundle import Bundle
from paxtui.pax.diplomacy.peace import with_a_voice
from paxtui.pax.history import events as ev
from paxtui.pax.play.play import GameOver, Trial
from paxtui.pax.reports.page import BAD, GOOD, Told
from paxtui.pax.reports.war import shares
from paxtui.pax.reports.war.following import what_follows
from paxtui.pax.reports.war.shares import Figure
from paxtui.pax.reports.war.terms import changed
from paxtui.pax.state.model import State
from paxtui.pax.state.treaty import Clause
from paxtui.pax.state.war import War
from paxtui.pax.words.spoken import place_name, power_name, sentence, the_powers

OWN = ("Line 22", "Line 31")
"""Figures that are told of each Power: what a Game Turn brings, and the Victory Points if the game ended now."""


class Outcome(NamedTuple):
    """What a peace would leave.

    Attributes:
        state: the position then; as it is where the peace cannot be made.
        refusal: why it cannot be made, None where it can.
        events: what would have happened.
        areas: Areas in which a marker would be another.
    """

    state: State
    refusal: Refusal | None
    events: tuple[ev.Event, ...]
    areas: tuple[str, ...]


def outcome(tables: Tables, state: State, clauses: tuple[Clause, ...], parties: tuple[str, ...]) -> Outcome:
    """What a peace of these articles would leave, were it signed by all now.

    Args: the tables; the position as the seat may know it; the articles; all parties, the drafter among them.
    """
    trial = Trial(tables, state)
    try:
        with suppress(GameOver):  # what would end the game is among the events
            Bundle(trial, [c for c in clauses if at_once(c)], (), False, parties).do()
    except Refusal as refusal:
        return Outcome(state, refusal, (), ())
    # a War that is decided counts no conquests any more
    then = replace(trial.state, wars=tuple(w for w in trial.state.wars if not w.outcome))
    return Outcome(then, None, tuple(trial.events), changed(state, then))


def told(tables: Tables, power: str, before: State, war: War, found: Outcome) -> list[Told]:
    """A peace in sentences: the War, what goes back, tensions, causes of war, and what new Control asks of a Power."""
    if found.refusal is not None:
        return [Told(found.refusal.message, tone=BAD)]
    return [
        *_who_fights_on(tables, before, war, found),
        *_what_goes_back(tables, before, war, found),
        *what_follows(tables, power, found.events),
        *shares.duty(tables, power, before, found.state),
    ]


def _who_fights_on(tables: Tables, before: State, war: War, found: Outcome) -> Iterator[Told]:
    """Whether the War is over, or who leaves it. Rules: WEN-027, WEN-036, WEN-037, WEN-046."""
    minors = [p for p in war.powers if p not in with_a_voice(tables, before, war)]
    if any(isinstance(e, ev.WarDecided) and e.war == war.id for e in found.events):
        yield Told("The War is over: all who fight it sign.", tone=GOOD)
        if minors:
            verb = "accepts" if len(minors) == 1 else "accept"
            yield Told(sentence(f"{the_powers(tables, minors)} {verb} it unasked"))
    left = [e.power for e in found.events if isinstance(e, ev.PowerLeftWar) and e.war == war.id]
    if left:
        rest = [[p for p in side if p not in left] for side in war.alliances]
        sides = " against ".join(the_powers(tables, side) for side in rest if side)
        verb = "leaves" if len(left) == 1 else "leave"
        yield Told(sentence(f"{the_powers(tables, left)} {verb} the War, which goes on: {sides}"), tone=BAD)
    if war.surrendered:
        yield Told("Units that have surrendered go home." if not left else "The prisoners of who leaves go home.")


def _what_goes_back(tables: Tables, before: State, war: War, found: Outcome) -> Iterator[Told]:
    """The conquered Areas that no article gives away. Rules: WEN-037 (R-WEN-04)."""
    over = any(isinstance(e, ev.WarDecided) and e.war == war.id for e in found.events)
    freed = {e.area for e in found.events if isinstance(e, ev.AreaConquered) and not e.alliance}
    for taken in war.conquered:
        if taken.area in found.areas or not (over or taken.area in freed):
            continue
        held = [p for p in controllers(before, taken.area) if war.side_of(p) not in (0, taken.alliance)]
        if held:
            text = f"{place_name(tables, taken.area)} goes back to {the_powers(tables, held)}"
            yield Told(sentence(text), taken.area)


def figures(tables: Tables, powers: tuple[str, ...], before: State, found: Outcome) -> list[Figure]:
    """What a Game Turn brings each Power, and its Victory Points if the game ended now, before and after."""
    out = []
    for power in powers:
        name = power_name(tables, power)
        for figure in shares.figures(tables, power, seat_of(tables, before, power), before, found.state):
            if figure.what.startswith(OWN):
                what = "£ a turn" if figure.what.startswith(OWN[0]) else "VP now"
                out.append(figure._replace(what=f"{name}, {what}"[:26]))
    return out
