"""Play one game of bots in memory to its end, and return its outcome; the log can be opened in the screen."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import msgspec
from msgspec.structs import replace

from paxtui.engine.game import Game
from paxtui.engine.log import FIRST_RULEBOOK
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.statistics import PointSources
from paxtui.session.game_host import Clock, GameHost, empty_clock
from paxtui.session.game_viewer import game_course
from paxtui.session.games import GAME_KINDS, find_scenario
from paxtui.session.hosts import bot_runner, new_game
from paxtui.session.pax_host import PaxHost
from paxtui.simulation.invariants import check_course


class MatchSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What the games of a run have in common.

    Attributes:
        options: those that differ from their defaults.
        tables: a directory of replacement tables, "" for none.
        check: whether to audit the finished games line by line.
        game: a key of `GAME_KINDS`. scenario: its scenario, "" for the first.
    """

    options: dict[str, str] = {}
    tables: str = ""
    check: bool = False
    game: str = FIRST_RULEBOOK
    scenario: str = ""


class Match(MatchSettings, frozen=True, kw_only=True):
    """One game to play.

    Attributes:
        number: its number in the run, from 1.
        seed: of its dice.
        bots: seat -> bot, in the order of the seats.
        file: the log file, "" for none.
    """

    number: int
    seed: str
    bots: dict[str, str]
    file: str = ""


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """The outcome of a game. Figures that its rules do not have are empty.

    Attributes:
        number, seed, bots, options: as in `Match`.
        error: why there is no result, "" for a result.
        reason, turn: how and in which turn it ended, from 1. culprits: the Powers to blame for the Great War.
        ranks, totals: by seat. points: the sources of the Victory Points of each seat.
        by_turn: Victory Points at the end of each Game Turn, by seat, without the final record.
        tension, resentment: the indexes at the end of each Game Turn.
        wars, rebellions, congresses: their numbers.
        treaties_made, treaties_broken: their numbers. treaties_kept: Treaties that were never broken.
        declared, broken: Wars declared (not required by a Treaty), and Treaties broken, by Power.
        pushed: how often the arbiter chose a default.
        lines: of the log. seconds: duration. cpu: processor seconds. file: its log.
        phases: seconds by Phase, bots included.
        attempts: number of attempts.
    """

    number: int
    seed: str
    bots: dict[str, str]
    options: dict[str, str] = {}
    error: str = ""
    reason: str = ""
    turn: int = 0
    culprits: tuple[str, ...] = ()
    ranks: dict[str, int] = {}
    totals: dict[str, int] = {}
    points: dict[str, PointSources] = {}
    by_turn: dict[str, tuple[int, ...]] = {}
    tension: tuple[int, ...] = ()
    resentment: tuple[int, ...] = ()
    wars: int = 0
    rebellions: int = 0
    congresses: int = 0
    treaties_made: int = 0
    treaties_broken: int = 0
    treaties_kept: int = 0
    declared: dict[str, int] = {}
    broken: dict[str, int] = {}
    pushed: int = 0
    lines: int = 0
    seconds: float = 0.0
    cpu: float = 0.0
    phases: dict[str, float] = {}
    file: str = ""
    attempts: int = 1


def failed_outcome(match: Match, error: str, attempts: int = 1) -> Outcome:
    """Return the outcome of a failed game. Args: the game; the error; the number of attempts."""
    return Outcome(match.number, match.seed, match.bots, match.options, error=error, attempts=attempts)


MOST_ROUNDS = 5_000
"""Number of rounds after which a game is aborted as an endless loop."""


def play_match(match: Match) -> Outcome:
    """Play a game to its end; an internal error becomes its outcome, and the log so far is kept."""
    table: GameHost | None = None
    began, worked = perf_counter(), process_time()
    try:
        watch = Stopwatch()
        table = watch.table = begin_match(match, watch)
        play_to_end(table)
        if match.check:
            audit(table)
        outcome = match_outcome(table, match, perf_counter() - began, process_time() - worked)
        outcome = replace(outcome, phases={phase: round(spent, 4) for phase, spent in watch.spent.items()})
    except Exception as error:
        outcome = failed_outcome(match, f"{type(error).__name__}: {error}")
    if table is not None and match.file:
        table.save_as(Path(match.file))
    return outcome


class Stopwatch:
    """A log clock without times that measures the seconds spent in each Phase.

    Attributes:
        table: the game, once it exists.
        spent: seconds by Phase.
    """

    def __init__(self) -> None:
        self.table: GameHost | None = None
        self.spent: dict[str, float] = {}
        self._last = perf_counter()

    def __call__(self) -> str:
        """Add the time since the last line to the current Phase."""
        now = perf_counter()
        if self.table is not None:
            phase = self.table.rules.phase(self.table.state).id
            self.spent[phase] = self.spent.get(phase, 0.0) + now - self._last
        self._last = now
        return empty_clock()


def load_game_kind(game: str, scenario: str, tables: str) -> Game[Any]:
    """Return the rules of a scenario. Args: as in `Match`. Raises: Refusal `unknown_scenario`; TableError."""
    return GAME_KINDS[game].start(find_scenario(game, scenario).id, Path(tables) if tables else None)


def begin_match(match: Match, clock: Clock = empty_clock) -> GameHost:
    """Create the game with its bots, without any move. Raises: Refusal, ValueError for invalid settings."""
    bots = GAME_KINDS[match.game].bots()
    return new_game(
        match.game,
        match.seed,
        scenario=match.scenario,
        seats=tuple(match.bots),
        options=match.options,
        tables_dir=Path(match.tables) if match.tables else None,
        game_id=f"arena-{match.number}",
        undo="free",
        clock=clock,
        occupants={seat: bots.parse_name(bot) for seat, bot in match.bots.items()},
    )


def play_to_end(table: GameHost) -> None:
    """Run the bots until the game is over. Raises: RuntimeError if it does not end."""
    rivals = bot_runner(table)
    for _ in range(MOST_ROUNDS):
        if table.is_over:
            return
        before = table.version
        table.advance()
        rivals.run()
        if table.version == before:
            table.take_defaults()
    phase = table.rules.phase(table.state)
    raise RuntimeError(f"no end after {MOST_ROUNDS} rounds, in the {phase.id} Phase of turn {phase.turn}")


def audit(table: GameHost) -> None:
    """Check a finished game line by line. Raises: InvariantFault, RuntimeError."""
    if isinstance(table, PaxHost):
        check_course(table)
    elif found := table.verify():
        raise RuntimeError(f"line {found[0].line}: {found[0].message}")


# --- what it came to --------------------------------------------------------------------------------------------------


def match_outcome(table: GameHost, match: Match, seconds: float, cpu: float) -> Outcome:
    """Return the outcome of a finished game."""
    rules = table.rules
    result = rules.result(table.state)
    assert result is not None
    first = rules.phase(rules.decode_state(table.game.header.start)).turn
    outcome = Outcome(
        match.number,
        match.seed,
        match.bots,
        match.options,
        reason=result.reason,
        turn=rules.phase(table.state).turn - first + 1,
        ranks=dict(result.ranks),
        totals={seat: round(score) for seat, score in result.scores.items()},
        pushed=sum(bool(line.action.get("force")) for line in table.game.lines),
        lines=table.version,
        seconds=round(seconds, 3),
        cpu=round(cpu, 3),
        file=match.file,
    )
    return _with_pax_figures(outcome, table) if isinstance(table, PaxHost) else outcome


def _with_pax_figures(outcome: Outcome, table: PaxHost) -> Outcome:
    """Add the figures of Pax Britannica."""
    state = table.state
    assert state.result is not None
    events = tuple(event for line in table.game.effective_lines() for event in table.game.events(line.n))
    course = game_course(table, ARBITER)
    treaties = [span for span in course.spans if span.kind == "treaty"]
    return replace(
        outcome,
        turn=state.result.turn,
        culprits=state.result.culprits,
        points={seat: replace(course.sources[seat], why=()) for seat in state.players},
        by_turn={seat: tuple(turn.points[seat] for turn in course.turns) for seat in state.players},
        tension=tuple(turn.tension for turn in course.turns),
        resentment=tuple(turn.resentment for turn in course.turns),
        wars=sum(isinstance(e, ev.WarDeclared) and not e.treaty for e in events),
        rebellions=sum(isinstance(e, ev.RebellionChecked) and e.rebellion for e in events),
        congresses=sum(isinstance(e, ev.PhaseBegan) and e.phase == "congress" for e in events),
        treaties_made=sum(isinstance(e, ev.TreatyInForce) for e in events),
        treaties_broken=sum(isinstance(e, ev.TreatyBroken) for e in events),
        treaties_kept=sum(not treaty.broken for treaty in treaties),
        declared=dict(Counter(e.power for e in events if isinstance(e, ev.WarDeclared) and not e.treaty)),
        broken=dict(Counter(e.power for e in events if isinstance(e, ev.TreatyBroken))),
    )
