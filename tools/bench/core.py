"""Measure the core on a finished game: folding, deciding, menus, views, seeking and the disk.

Also the menus of a campaign in which two Alliances have all Units, and what the engine does for China in a Rebellion.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from msgspec.structs import replace

from paxtui.engine.dice import Dice
from paxtui.engine.game_log import GameLog
from paxtui.engine.log import Header, Line, encode_line
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.status import is_chinese
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.decide import decide
from paxtui.games.pax.events.events import evolve
from paxtui.games.pax.game import PaxGame
from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.position.view import view_for_seat
from paxtui.games.pax.sequence import waiting_seats
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.phases import InProgress, WarNotes
from paxtui.games.pax.state.pieces import ARMY, CHINA, NAVAL, PROTECTORATE, AreaState, Marker, Unit
from paxtui.games.pax.state.war import FOUGHT, MANEUVER, REBELLION, War
from paxtui.games.pax.war.campaign import war_adjacency
from paxtui.games.pax.war.campaign.supply import supply_verdict
from paxtui.session.pax_host import PaxHost
from paxtui.session.storage.log_store import LogStore
from paxtui.session.tables.loader import load_tables_from_header
from paxtui.session.tables.records import shipped_text


def war_menu_times(tables: Tables, states: list[State]) -> list[float]:
    """Milliseconds of one legal menu, texts included, for each seat whose Maneuver Phase it is, at these positions.

    All Powers of the game are at War in two Alliances, and every piece of the counter limits stands abroad as a Unit.
    """
    times = []
    for state in states:
        for side in (1, 2):
            at_war = campaign_state(tables, state, side)
            for seat in at_war.players:
                if at_war.wars[0].side_of(seat) == side:
                    start = perf_counter()
                    list(legal_actions(tables, at_war, seat).texts())
                    times.append((perf_counter() - start) * 1000)
    return times


def campaign_state(tables: Tables, state: State, side: int) -> State:
    """A position with everybody at War in the Maneuver Phase of an Alliance, every Area held and all Units abroad."""
    powers = (*state.powers, *state.minors)
    war = War("w1", (powers[::2], powers[1::2]), stage=MANEUVER, order=(1, 2), turn_of=side, looked_at=state.minors)
    areas = {
        area: AreaState(markers=(Marker(powers[n % len(powers)], PROTECTORATE),)) for n, area in enumerate(state.areas)
    }
    at_sea: dict[str, tuple[Unit, ...]] = dict.fromkeys((*tables.sea_zones, *tables.capes), ())
    for number, power in enumerate(powers):
        own = [area for n, area in enumerate(areas) if n % len(powers) == number]
        for n, strength in enumerate(_unit_strengths(tables, power)):
            unit = Unit(power, NAVAL if n % 3 == 2 else ARMY, strength)
            if unit.kind == NAVAL:
                zone = list(at_sea)[(n + number) % len(at_sea)]
                at_sea[zone] = (*at_sea[zone], unit)
            else:
                area = own[n % len(own)]
                areas[area] = replace(areas[area], units=(*areas[area].units, unit))
    fleets = {zone: tuple(p for p in powers if (len(zone) + len(p)) % 2) for zone in tables.sea_zones}
    phase = InProgress(phase="war", step=FOUGHT, notes=WarNotes())
    ready = replace(
        state, areas=areas, homes=dict.fromkeys(state.homes, ()), sea_zones=fleets, wars=(war,), frames=(phase,),
        choices=(), ready=(), phase_start=None, at_sea=at_sea,
    )  # fmt: skip
    assert not list(war_adjacency.units_without_coast(tables, ready))
    return ready


def _unit_strengths(tables: Tables, power: str) -> list[int]:
    """The strength of every Military Unit that the counters of a Power allow."""
    counters = tables.counters[power]
    return [10] * counters.tens + [3] * counters.threes + [1] * counters.ones


TURNS = 2
"""Phases of China that are timed: Maneuver and Attack."""


def chinese_turn_times(tables: Tables, states: list[State]) -> list[float]:
    """Milliseconds of China's Maneuver and Attack Phase in a Rebellion that breaks out at these positions.

    All six Armies have risen, all Powers of the game stand against them, and armies stand in every other Area of China.
    """
    times = []
    for number, state in enumerate(states):
        at_war = _rebellion_state(tables, state, number)
        start = perf_counter()
        for _ in range(TURNS):
            at_war = decide(tables, at_war, ARBITER, actions.Step(), Dice(f"bench {number}")).state
        times.append((perf_counter() - start) * 1000)
    return times


def _rebellion_state(tables: Tables, state: State, number: int) -> State:
    """The position with a Rebellion in China's first Maneuver Phase; `number` shifts who stands where."""
    powers = (*state.powers, *state.minors)
    places = sorted(set(tables.chinese_armies.values()))
    rising = [places[(number + n * 2) % len(places)] for n in range(tables.other_armies.count)]
    rebel = Unit(CHINA, ARMY, tables.other_armies.strength)
    areas = dict(state.areas)
    for n, area in enumerate(a for a in areas if is_chinese(tables, state, a)):
        power = powers[(number + n) % len(powers)]
        held = (Marker(power, PROTECTORATE),) if n % 2 else ()
        garrison = (Unit(power, ARMY, max(tables.units)),) if n % 2 else ()
        areas[area] = AreaState(markers=held, units=(*garrison, *(rebel for _ in range(rising.count(area)))))
    war = War("w1", ((CHINA,), powers), kind=REBELLION, stage=MANEUVER, order=(1, 2), turn_of=1, looked_at=state.minors)
    phase = InProgress(phase="war", step=FOUGHT, notes=WarNotes())
    return replace(state, areas=areas, wars=(war,), frames=(phase,), choices=(), ready=(), phase_start=None)


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
        table = PaxHost.open(path, write=False)
        self.path = path
        self.game = table.game
        self.seek = table.game.seek
        self.tables = table.tables
        self.rules = PaxGame(self.tables)
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
        "seek_ms_max": worst_seek_ms(sample),
        "tables_ms": load_tables_ms(),
        "log_bytes": sample.size,
        "append_fsync_ms_median": append_ms(sample),
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
        for seat in waiting_seats(sample.tables, state):
            start = perf_counter()
            list(legal_actions(sample.tables, state, seat).texts())
            times.append((perf_counter() - start) * 1000)
    return times


def view_times(sample: Sample) -> list[float]:
    """Milliseconds of one view, for each seat at positions far from each other, each met once."""
    times = []
    for state in _spread(sample.before, VIEW_POSITIONS):
        for seat in state.players:
            start = perf_counter()
            view_for_seat(sample.tables, state, seat, 1)
            times.append((perf_counter() - start) * 1000)
    return times


def supply_times(sample: Sample) -> list[float]:
    """Milliseconds of judging the supply of every Unit and Area, all Powers of the game at War in two Alliances."""
    times = []
    for state in _spread([s for s in sample.before if s.turn in MID_GAME], VIEW_POSITIONS):
        powers = (*state.powers, *state.minors)
        everybody = War("w1", (powers[::2], powers[1::2]), order=(1, 2))
        start = perf_counter()
        supply_verdict(sample.tables, state, everybody, 1)
        supply_verdict(sample.tables, state, everybody, 2)
        times.append((perf_counter() - start) * 1000)
    return times


def campaigns(sample: Sample) -> list[State]:
    """Positions of the middle of the game in whose place a great War is put."""
    return _spread([s for s in sample.before if s.turn in MID_GAME], CAMPAIGNS)


def rebellions(sample: Sample) -> list[State]:
    """Positions of the middle of the game in which a Rebellion could break out."""
    return _spread([s for s in sample.before if s.turn in MID_GAME], REBELLIONS)


def repeated_game(sample: Sample) -> GameLog[State]:
    """A game whose log is that of the sample, its acts repeated until there are 10,000 events."""
    lines: list[Line] = []
    events = 0
    while events < LONG_LOG:
        for line in sample.acts:
            lines.append(Line(n=len(lines) + 2, seat=line.seat, action=line.action, events=line.events, dice=line.dice))
            events += len(line.events)
            if events >= LONG_LOG:
                break
    return GameLog(sample.rules, sample.header, lines)


def worst_seek_ms(sample: Sample) -> float:
    """The longest time in milliseconds that going to a line takes, each line's own time being the median of three."""
    game = repeated_game(sample)
    numbers = list(range(1, game.version + 1))
    times: dict[int, list[float]] = {n: [] for n in numbers}
    for turn in range(3):
        random.Random(turn).shuffle(numbers)
        for n in numbers:
            start = perf_counter()
            game.seek(n)
            times[n].append((perf_counter() - start) * 1000)
    return max(median(runs) for runs in times.values())


def load_tables_ms() -> float:
    """Median milliseconds of reading every shipped table anew."""
    name = "reconstructed/counter_limits.toml"
    times = []
    for number in range(RUNS):
        changed = {name: f"{shipped_text(name)}\n# {number}\n"}  # tables with the same texts are read once
        start = perf_counter()
        load_tables_from_header(changed)
        times.append((perf_counter() - start) * 1000)
    return median(times)


def append_ms(sample: Sample) -> float:
    """Milliseconds until one line is safely on the disk of the temporary directory."""
    times = []
    with (
        tempfile.TemporaryDirectory() as directory,
        LogStore.create(Path(directory) / "bench.jsonl", sample.header) as store,
    ):
        for n, line in enumerate(sample.acts[:APPENDS], start=2):
            data = encode_line(
                Line(n=n, seat=line.seat, action=line.action, events=line.events, dice=line.dice, prev=store.tip)
            )
            start = perf_counter()
            store.append(data)
            times.append((perf_counter() - start) * 1000)
    return median(times)
