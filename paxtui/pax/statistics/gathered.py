"""The course of a game, gathered from its acts; positions are asked for where a Game Turn ends only."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.history.evolve import evolve
from paxtui.pax.state.model import State
from paxtui.pax.statistics.course import Course
from paxtui.pax.statistics.ledgers import figures
from paxtui.pax.statistics.regions import regions
from paxtui.pax.statistics.sources import sources
from paxtui.pax.statistics.spans import spans


def course(
    tables: Tables, acts: Sequence[tuple[ev.Event, ...]], after: Callable[[int], State], now: State | None = None
) -> Course:
    """The course of a game.

    Args:
        tables: of the game.
        acts: what has happened by each act in force, as the seat may know it.
        after: the position after so many acts, as the seat may know it; 0 asks for the start.
        now: the position after all of them, where it is at hand.
    """
    first = after(0)
    now = after(len(acts)) if now is None else now
    turns = []
    by_turn: dict[int, list[ev.Event]] = {first.turn: []}
    here = by_turn[first.turn]
    for n, events in enumerate(acts):
        for at, event in enumerate(events):
            if isinstance(event, ev.TurnBegan):
                end = after(n)
                for earlier in events[:at]:
                    end = evolve(end, earlier)
                turns.append(figures(tables, end, here))
                here = by_turn[event.turn] = []
            elif isinstance(event, ev.PositionSet):
                # what came before has nothing to do with the new position
                turns.clear()
                by_turn.clear()
                first = after(n + 1)
                here = by_turn[first.turn] = []
            here.append(event)
    turns.append(figures(tables, now, here))
    return Course(
        players=now.players,
        turns=tuple(turns),
        sources={seat: sources(tables, now, seat, by_turn) for seat in now.players},
        regions=regions(tables, first, now),
        spans=spans(tables, now, by_turn),
        reason=now.result.reason if now.result else "",
        culprits=now.result.culprits if now.result else (),
        ranks=dict(now.result.ranks) if now.result else {},
    )
