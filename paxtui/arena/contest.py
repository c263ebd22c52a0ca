"""One game of bots, played at a table in memory to its end, and kept as a log that the screen opens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter, process_time

from paxtui.arena.match import Match, Outcome, Points, failed
from paxtui.bots.players import sitter_named
from paxtui.engine.seats import ARBITER
from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.orders.actions import Advance
from paxtui.pax.state.model import PowerState
from paxtui.pax.state.phases import PHASES
from paxtui.table.authority import Table, no_clock
from paxtui.table.rivals import Rivals

MOST_ROUNDS = 5_000
"""Rounds of the seats after which a game is given up: it goes round in circles."""


def play(tables: Tables, match: Match) -> Outcome:
    """Play a game to its end; a mistake of the program is its outcome, and the log up to there is kept."""
    table: Table | None = None
    began, worked = perf_counter(), process_time()
    try:
        table = begin(tables, match)
        to_the_end(table)
        outcome = outcome_of(table, match, perf_counter() - began, process_time() - worked)
    except Exception as error:
        outcome = failed(match, f"{type(error).__name__}: {error}")
    if table is not None and match.file:
        table.save_as(Path(match.file))
    return outcome


def begin(tables: Tables, match: Match) -> Table:
    """The game with its bots seated, nobody having moved. Raises: Refusal, ValueError for what no game has."""
    directory = Path(match.tables) if match.tables else None
    game_id = f"arena-{match.number}"
    seats = tuple(match.bots)
    table = Table.new(
        tables, seats, match.seed, match.options, tables_dir=directory, game_id=game_id, clock=no_clock, undo="free"
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
    tension, resentment = curves(events)
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
        points={seat: points_of(state.powers[seat]) for seat in state.players},
        tension=tension,
        resentment=resentment,
        wars=sum(isinstance(e, ev.WarDeclared) and not e.treaty for e in events),
        rebellions=sum(isinstance(e, ev.RebellionChecked) and e.rebellion for e in events),
        congresses=sum(isinstance(e, ev.PhaseBegan) and e.phase == "congress" for e in events),
        treaties_made=sum(isinstance(e, ev.TreatyInForce) for e in events),
        treaties_broken=sum(isinstance(e, ev.TreatyBroken) for e in events),
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


def curves(events: tuple[ev.Event, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """European Tensions and Chinese Resentment at the end of each Game Turn."""
    tension = resentment = 0
    ends: list[tuple[int, int]] = []
    for event in events:
        if isinstance(event, ev.TensionRaised):
            tension = event.total
        elif isinstance(event, ev.ResentmentRaised):
            resentment = event.total
        elif isinstance(event, ev.ResentmentReset):
            resentment = 0
        elif isinstance(event, ev.GameEnded) or (isinstance(event, ev.PhaseBegan) and event.phase == PHASES[-1]):
            ends.append((tension, resentment))
    if len(ends) > 1 and ends[-1] == ends[-2]:
        ends.pop()  # the last turn ends with the game
    return tuple(t for t, _ in ends), tuple(r for _, r in ends)


def points_of(power: PowerState) -> Points:
    """Where a player's Victory Points came from, by the lines of his record sheets."""
    sheets = [*power.past.values(), power.record]
    treasury = sum(sheet.get("24") or 0 for sheet in sheets)
    final = power.record
    accumulated = final.get("27") or 0
    return Points(
        treasury=treasury,
        bonuses=accumulated - treasury + (final.get("28") or 0),
        income=final.get("29") or 0,
        penalty=final.get("30") or 0,
    )
