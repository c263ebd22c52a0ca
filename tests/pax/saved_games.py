"""Saved games as in their logs: events and positions, without deciding any act again, so that it takes milliseconds."""

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


class SavedGame(NamedTuple):
    """A saved game without undo.

    Attributes:
        acts: seat and events of each act; the first is line 2.
        orders: the action of each act; None for a note.
        states: the position after so many acts.
    """

    acts: tuple[VisibleAct, ...]
    orders: tuple[actions.Action | None, ...]
    states: tuple[State, ...]

    def events_between(self, first: int, last: int) -> list[events.Event]:
        """The events of lines `first` to `last`."""
        return [*chain.from_iterable(act.events for act in self.acts[first - 2 : last - 1])]

    def after(self, line: int) -> State:
        """The position after a line of the log."""
        return self.states[line - 1]

    def narrator(self, line: int) -> Narrator:
        """A narrator that knows all events up to a line."""
        narrator = Narrator(tables(), self.states[0])
        narrator.learn(self.events_between(2, line))
        return narrator


@cache
def saved_game(name: str) -> SavedGame:
    """A game of `saves/` by its name."""
    rules, log = PaxGame(tables()), parse((SAVES / f"{name}.jsonl").read_bytes())
    assert all(line.kind in ("act", "note") for line in log.lines)
    acts = tuple(
        VisibleAct(line.seat, tuple(rules.decode_event(raw) for raw in line.events) if line.kind == "act" else ())
        for line in log.lines
    )
    orders = tuple(rules.decode_action(line.action) if line.kind == "act" else None for line in log.lines)
    begin = rules.decode_state(log.header.start)
    return SavedGame(acts, orders, tuple(accumulate((act.events for act in acts), _evolve_all, initial=begin)))


def _evolve_all(state: State, events: tuple[events.Event, ...]) -> State:
    for event in events:
        state = evolve(state, event)
    return state
