"""Measures of the core on a finished game: folding, deciding, menus, views, seeking, and the disk."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from paxtui.cli.measure.campaign import war_menu_times
from paxtui.cli.measure.rebellion import chinese_turn_times
from paxtui.engine.dice import Dice
from paxtui.engine.game import Game
from paxtui.engine.log import Header, Line, encode_line
from paxtui.pax.decide import decide
from paxtui.pax.history.evolve import evolve
from paxtui.pax.legal import legal
from paxtui.pax.position.view import view
from paxtui.pax.rules_of_play import PaxRules
from paxtui.pax.sequence import waiting
from paxtui.pax.state.model import State
from paxtui.pax.state.war import War
from paxtui.pax.war.campaign.supply import judged
from paxtui.table.authority import Table
from paxtui.table.disk.store import Store
from paxtui.table.tablefiles.sources import TABLE_FILES, shipped_text
from paxtui.table.tables import load_tables_from_header

RUNS = 5
SECONDS = 0.4
"""Shortest time of one run of a throughput."""
LONG_LOG = 10_000
"""Events of the log in which any line is looked for."""
APPENDS = 200
MID_GAME = range(3, 9)
"""Game Turns whose Movement Phases give the menus."""
MENU_POSITIONS = 120
VIEW_POSITIONS = 200
REBELLIONS = 40
CAMPAIGNS = 10


class Sample:
    """A finished game with the position before each of its acts.

    Attributes:
        path: the file. size: bytes on disk. acts: its act lines. before: the position before each. first_die: the
        number of its first seeded number, for each. events: all events, decoded. game: the game, as it was loaded.
        seek: the position after a line.
    """

    def __init__(self, path: Path) -> None:
        table = Table.open(path, write=False)
        self.path = path
        self.game = table.game
        self.seek = table.game.seek
        self.tables = table.tables
        self.rules = PaxRules(self.tables)
        self.header: Header = table.game.header
        self.lines = table.game.lines
        self.size = path.stat().st_size
        self.start: State = self.rules.decode_state(self.header.start)
        self.acts: list[Line] = []
        self.before: list[State] = []
        self.first_die: list[int] = []
        self.events: list[Any] = []
        used = 0
        for line in self.lines:
            if line.kind == "act":
                self.acts.append(line)
                self.before.append(table.game.seek(line.n - 1))
                self.first_die.append(used)
                self.events += table.game.events(line.n)
            used += line.dice


def measure_core(sample: Sample) -> dict[str, float]:
    """All figures of the core, by name."""
    return {
        "fold_events_per_s": throughput(lambda: fold(sample), len(sample.events)),
        "decide_actions_per_s": decide_rate(sample),
        "verify_lines_per_s": throughput(sample.game.verify, len(sample.lines)),
        "menu_ms_p95": percentile(menu_times(sample), 95),
        "war_menu_ms_p95": percentile(war_menu_times(sample.tables, campaigns(sample)), 95),
        "view_ms_p95": percentile(view_times(sample), 95),
        "supply_ms_p95": percentile(supply_times(sample), 95),
        "chinese_turn_ms_p95": percentile(chinese_turn_times(sample.tables, rebellions(sample)), 95),
        "seek_ms_max": seek_worst(sample),
        "tables_ms": tables_time(),
        "log_bytes": sample.size,
        "append_fsync_ms_median": append_median(sample),
    }


def throughput(work: Callable[[], object], amount: int) -> float:
    """Pieces of work a second: `work` does `amount` of them. The median of several runs."""
    work()
    rates = []
    for _ in range(RUNS):
        start, rounds = perf_counter(), 0
        while not rounds or perf_counter() - start < SECONDS:
            work()
            rounds += 1
        rates.append(rounds * amount / (perf_counter() - start))
    return median(rates)


def percentile(times: Sequence[float], percent: int) -> float:
    """The time that so many percent do not exceed."""
    ordered = sorted(times)
    return ordered[-(-len(ordered) * percent // 100) - 1] if ordered else 0.0


def fold(sample: Sample) -> State:
    """The last position, from the first by every event."""
    state = sample.start
    for event in sample.events:
        state = evolve(state, event)
    return state


def decide_rate(sample: Sample) -> float:
    """Acts of the whole game decided again a second, each at its own position with its own dice."""
    rules, seed = sample.rules, sample.header.seed
    work = [
        (before, line.seat, rules.decode_action(line.action), index, line.queue)
        for line, before, index in zip(sample.acts, sample.before, sample.first_die, strict=True)
    ]

    def again() -> None:
        for before, seat, action, index, queue in work:
            decide(sample.tables, before, seat, action, Dice(seed, index, queue))

    return throughput(again, len(work))


def _spread(items: Sequence[State], most: int) -> list[State]:
    """At most so many of the items, evenly spread."""
    step = max(1, -(-len(items) // most))
    return list(items[::step])


def timed(work: Callable[[], object]) -> float:
    """Milliseconds of the median of several runs."""
    runs = []
    for _ in range(RUNS):
        start = perf_counter()
        work()
        runs.append((perf_counter() - start) * 1000)
    return median(runs)


def menu_times(sample: Sample) -> list[float]:
    """Milliseconds of one legal menu, texts included, for seats at Movement Phase positions, each met once."""
    middle = [s for s in sample.before if s.phase == "movement" and s.turn in MID_GAME]
    times = []
    for state in _spread(middle, MENU_POSITIONS):
        for seat in waiting(sample.tables, state):
            start = perf_counter()
            list(legal(sample.tables, state, seat).texts())
            times.append((perf_counter() - start) * 1000)
    return times


def view_times(sample: Sample) -> list[float]:
    """Milliseconds of one view, for each seat at positions far from each other, each met once."""
    times = []
    for state in _spread(sample.before, VIEW_POSITIONS):
        for seat in state.players:
            start = perf_counter()
            view(sample.tables, state, seat, 1)
            times.append((perf_counter() - start) * 1000)
    return times


def supply_times(sample: Sample) -> list[float]:
    """Milliseconds of judging the supply of every Unit and Area, all Powers of the game at War in two Alliances."""
    times = []
    for state in _spread([s for s in sample.before if s.turn in MID_GAME], VIEW_POSITIONS):
        powers = (*state.powers, *state.minors)
        everybody = War("w1", (powers[::2], powers[1::2]), order=(1, 2))
        start = perf_counter()
        judged(sample.tables, state, everybody, 1)
        judged(sample.tables, state, everybody, 2)
        times.append((perf_counter() - start) * 1000)
    return times


def campaigns(sample: Sample) -> list[State]:
    """Positions of the middle of the game in whose place a great War is put."""
    return _spread([s for s in sample.before if s.turn in MID_GAME], CAMPAIGNS)


def rebellions(sample: Sample) -> list[State]:
    """Positions of the middle of the game in which a Rebellion could break out."""
    return _spread([s for s in sample.before if s.turn in MID_GAME], REBELLIONS)


def long_game(sample: Sample) -> Game[State]:
    """A game whose log is that of the sample, its acts repeated until there are 10,000 events."""
    lines: list[Line] = []
    events = 0
    while events < LONG_LOG:
        for line in sample.acts:
            lines.append(Line(n=len(lines) + 2, seat=line.seat, action=line.action, events=line.events, dice=line.dice))
            events += len(line.events)
            if events >= LONG_LOG:
                break
    return Game.load(sample.rules, sample.header, lines)


def seek_worst(sample: Sample) -> float:
    """The longest time in milliseconds that going to a line takes, each line's own time being the median of three."""
    game = long_game(sample)
    numbers = list(range(1, game.version + 1))
    times: dict[int, list[float]] = {n: [] for n in numbers}
    for turn in range(3):
        random.Random(turn).shuffle(numbers)
        for n in numbers:
            start = perf_counter()
            game.seek(n)
            times[n].append((perf_counter() - start) * 1000)
    return max(median(runs) for runs in times.values())


def tables_time() -> float:
    """Median milliseconds of reading every shipped table anew."""
    name = next(iter(TABLE_FILES))
    again = {name: shipped_text(name)}  # tables that a header names are read each time
    times = []
    for _ in range(RUNS):
        start = perf_counter()
        load_tables_from_header(again)
        times.append((perf_counter() - start) * 1000)
    return median(times)


def append_median(sample: Sample) -> float:
    """Milliseconds until one line is safely on the disk of the temporary directory."""
    times = []
    with (
        tempfile.TemporaryDirectory() as directory,
        Store.create(Path(directory) / "bench.jsonl", sample.header) as store,
    ):
        for n, line in enumerate(sample.acts[:APPENDS], start=2):
            data = encode_line(
                Line(n=n, seat=line.seat, action=line.action, events=line.events, dice=line.dice, prev=store.tip)
            )
            start = perf_counter()
            store.append(data)
            times.append((perf_counter() - start) * 1000)
    return median(times)
