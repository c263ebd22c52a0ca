"""Kept games as their logs have them: events and positions, nothing played again, so that it takes milliseconds."""

from __future__ import annotations

from functools import cache
from itertools import accumulate, chain
from typing import NamedTuple

from paxtui.engine.log import parse
from paxtui.games.pax.actions import actions
from paxtui.games.pax.events import events
from paxtui.games.pax.events.events import evolve
from paxtui.games.pax.game import PaxGame
from paxtui.games.pax.narration.narrator import Narrator, VisibleAct
from paxtui.games.pax.state.model import State
from tests.places import SAVES
from tests.rules.harness import tables


class Kept(NamedTuple):
    """A game in which nothing was taken back.

    Attributes:
        acts: who acted and what came of it; the first is that of line 2.
        orders: what each act says; None for a line that is none.
        states: the position after so many acts.
    """

    acts: tuple[VisibleAct, ...]
    orders: tuple[actions.Action | None, ...]
    states: tuple[State, ...]

    def happened(self, first: int, last: int) -> list[events.Event]:
        """What came of the acts of some lines, the last among them."""
        return [*chain.from_iterable(act.events for act in self.acts[first - 2 : last - 1])]

    def after(self, line: int) -> State:
        """The position after a line of the log."""
        return self.states[line - 1]

    def narrator(self, line: int) -> Narrator:
        """One that has heard everything up to a line."""
        narrator = Narrator(tables(), self.states[0])
        narrator.learn(self.happened(2, line))
        return narrator


@cache
def kept(name: str) -> Kept:
    """A game of `saves/` by its name."""
    rules, log = PaxGame(tables()), parse((SAVES / f"{name}.jsonl").read_bytes())
    assert all(line.kind in ("act", "note") for line in log.lines)
    acts = tuple(
        VisibleAct(line.seat, tuple(rules.decode_event(raw) for raw in line.events) if line.kind == "act" else ())
        for line in log.lines
    )
    orders = tuple(rules.decode_action(line.action) if line.kind == "act" else None for line in log.lines)
    begin = rules.decode_state(log.header.start)
    return Kept(acts, orders, tuple(accumulate((act.events for act in acts), _folded, initial=begin)))


def _folded(state: State, events: tuple[events.Event, ...]) -> State:
    for event in events:
        state = evolve(state, event)
    return state
