"""One game of bots, played at a table in memory to its end, and kept as a log that the screen opens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter, process_time

from msgspec.structs import replace

from paxtui.arena.checks import course
from paxtui.arena.match import Match, Outcome, Points, failed
from paxtui.bots.players import sitter_named
from paxtui.engine.seats import ARBITER
from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.orders.actions import Advance
from paxtui.pax.statistics.course import Sources
from paxtui.table.authority import Clock, Table, no_clock
from paxtui.table.onlooker import course_of
from paxtui.table.rivals import Rivals

MOST_ROUNDS = 5_000
"""Rounds of the seats after which a game is given up: it goes round in circles."""


def play(tables: Tables, match: Match) -> Outcome:
    """Play a game to its end; a mistake of the program is its outcome, and the log up to there is kept."""
    table: Table | None = None
    began, worked = perf_counter(), process_time()
    try:
        watch = Stopwatch()
        table = watch.table = begin(tables, match, watch)
        to_the_end(table)
        if match.check:
            course(table)
        outcome = outcome_of(table, match, perf_counter() - began, process_time() - worked)
        outcome = replace(outcome, phases={phase: round(spent, 4) for phase, spent in watch.spent.items()})
    except Exception as error:
        outcome = failed(match, f"{type(error).__name__}: {error}")
    if table is not None and match.file:
        table.save_as(Path(match.file))
    return outcome


class Stopwatch:
    """The clock of a table that tells no time, and counts the seconds that pass in each Phase.

    Attributes:
        table: the game, once there is one.
        spent: seconds by Phase.
    """

    def __init__(self) -> None:
        self.table: Table | None = None
        self.spent: dict[str, float] = {}
        self._last = perf_counter()

    def __call__(self) -> str:
        """A line is about to be written: what has passed since the last one belongs to the Phase it is played in."""
        now = perf_counter()
        if self.table is not None:
            phase = self.table.state.phase
            self.spent[phase] = self.spent.get(phase, 0.0) + now - self._last
        self._last = now
        return no_clock()


def begin(tables: Tables, match: Match, clock: Clock = no_clock) -> Table:
    """The game with its bots seated, nobody having moved. Raises: Refusal, ValueError for what no game has."""
    directory = Path(match.tables) if match.tables else None
    game_id = f"arena-{match.number}"
    seats = tuple(match.bots)
    table = Table.new(
        tables, seats, match.seed, match.options, tables_dir=directory, game_id=game_id, clock=clock, undo="free"
    )
    table.seat({seat: sitter_named(bot) for seat, bot in match.bots.items()})
    return table


def to_the_end(table: Table) -> None:
    """Let the bots play until the game is over. Raises: RuntimeError, when the game does not end."""
    rivals = Rivals(table)
    for _ in range(MOST_ROUNDS):
        if table.state.result is not None:
            return
        before = table.version
        table.advance()
        rivals.go_on()
        if table.version == before:
            table.act(ARBITER, Advance(force=True))
    where = f"the {table.state.phase} Phase of Game Turn {table.state.turn}"
    raise RuntimeError(f"no end after {MOST_ROUNDS} rounds, in {where}")


# --- what it came to --------------------------------------------------------------------------------------------------


def outcome_of(table: Table, match: Match, seconds: float = 0.0, cpu: float = 0.0) -> Outcome:
    """What a finished game came to."""
    state = table.state
    assert state.result is not None
    events = tuple(every_event(table))
    told = course_of(table, ARBITER)
    treaties = [span for span in told.spans if span.kind == "treaty"]
    return Outcome(
        match.number,
        match.seed,
        match.bots,
        match.options,
        reason=state.result.reason,
        turn=state.result.turn,
        culprits=state.result.culprits,
        ranks=state.result.ranks,
        totals=state.result.totals,
        points={seat: points_of(told.sources[seat]) for seat in state.players},
        by_turn={seat: tuple(turn.points[seat] for turn in told.turns) for seat in state.players},
        tension=tuple(turn.tension for turn in told.turns),
        resentment=tuple(turn.resentment for turn in told.turns),
        wars=sum(isinstance(e, ev.WarDeclared) and not e.treaty for e in events),
        rebellions=sum(isinstance(e, ev.RebellionChecked) and e.rebellion for e in events),
        congresses=sum(isinstance(e, ev.PhaseBegan) and e.phase == "congress" for e in events),
        treaties_made=sum(isinstance(e, ev.TreatyInForce) for e in events),
        treaties_broken=sum(isinstance(e, ev.TreatyBroken) for e in events),
        treaties_kept=sum(not treaty.broken for treaty in treaties),
        declared=dict(Counter(e.power for e in events if isinstance(e, ev.WarDeclared) and not e.treaty)),
        broken=dict(Counter(e.power for e in events if isinstance(e, ev.TreatyBroken))),
        pushed=sum(bool(line.action.get("force")) for line in table.game.lines),
        lines=table.version,
        seconds=round(seconds, 3),
        cpu=round(cpu, 3),
        file=match.file,
    )


def every_event(table: Table) -> Iterator[ev.Event]:
    """The events of a game from its start."""
    for line in table.game.effective_lines():
        yield from table.game.events(line.n)


def points_of(sources: Sources) -> Points:
    """Where a player's Victory Points came from."""
    return Points(sources.treasury, sources.bonuses, sources.ending, sources.income, sources.penalty)
