"""Fuzzing of games with random legal actions, bots and invalid input.

After each action the invariants are checked. The first fault ends the game; its log up to the fault is saved.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from itertools import islice
from math import inf
from multiprocessing import get_context
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, Literal, NamedTuple

import msgspec

from paxtui.bots.pax.registry import BOTS
from paxtui.engine.log import Line
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.status import powers_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.menus.menu import Menu
from paxtui.games.pax.position.setup import seats_for
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import home_place
from paxtui.session.bot_runner import suggest_orders
from paxtui.session.game_host import empty_clock
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.loader import load_tables
from paxtui.simulation.invariants import InvariantFault, audit_events
from tools.fuzz import checks


def offered_action(random: Random, menu: Menu) -> actions.Action | None:
    """Choose a random action from the menu."""
    kinds = [k for k, there in (("order", menu.actions), ("move", menu.moves), ("pay", menu.pays)) if there]
    if not kinds:
        return None
    kind = random.choice(kinds)
    if kind == "order":
        # "ready" is one of hundreds: raise its odds so that Phases end
        if actions.Ready() in menu.actions and random.random() < 0.15:
            return actions.Ready()
        return random.choice(menu.actions)
    if kind == "pay":
        gift = random.choice(menu.pays)
        amount = random.randint(1, gift.most)
        return None if amount in gift.offered else menu.gift(gift, amount)
    moves = random.choice(menu.moves)
    units = random.sample(moves.units, random.randint(1, len(moves.units)))
    return menu.move(moves, units, random.choice(moves.ends))


def wild_action(tables: Tables, random: Random, state: State, seat: str) -> actions.Action:
    """Build a random well-formed action that may be illegal."""
    powers, markers, zones = list(tables.powers), list(tables.markers), list(tables.sea_zones)
    kinds = [kind + str(strength) for kind in "AN" for strength in tables.units]
    power = random.choice(["", *powers_of(tables, state, seat), random.choice(powers)])
    acting = power or seat
    own = [
        area
        for area, here in state.areas.items()
        if any(m.power == acting for m in here.markers) or any(u.power == acting for u in here.units)
    ]
    area = random.choice(own) if own and random.random() < 0.6 else random.choice(list(tables.areas))
    other = random.choice(own) if own and random.random() < 0.6 else random.choice(list(tables.areas))
    marker, to = random.choice(markers), random.choice(powers)
    here = [u.name for u in (*state.areas[area].units, *state.homes.get(acting, ())) if u.power == acting]
    units = tuple(random.choice(here if here and random.random() < 0.7 else kinds) for _ in range(random.randint(1, 3)))
    zone, zone2 = random.choice(zones), random.choice(zones)
    start = random.choice([area, home_place(acting), "home", zone])
    end = random.choice([other, home_place(acting), home_place(to), "home", zone2])
    middle = tuple(random.choice([zone, area, other]) for _ in range(random.choice([0, 0, 0, 1, 2])))
    choices = [c.id for c in state.choices] + ["c1", "c999"]
    answers = [o for c in state.choices for o in c.options if isinstance(o, str)] + ["accept", "A1", "home", "x"]
    causes = [c.id for c in state.casus_belli] + ["cb1", "cb9"]
    coast = random.choice(["", "", zone, zone2])
    return random.choice(
        [
            actions.Place(marker, area, power),
            actions.Upgrade(marker, area, power),
            actions.Downgrade(marker, area, power),
            actions.Withdraw(marker, area, power),
            actions.Transfer(area, to, power),
            actions.Build(units, random.choice(["", zone]), power),
            actions.Move(units, (start, *middle, end), coast, power),
            actions.Move(units, (random.choice(["home", area]), end), coast, power),
            actions.Merchant(random.choice([zone, "new"]), zone2, power),
            actions.Canal(random.choice([area, "panama"]), power),
            actions.Pay(to, random.choice([0, 1, 5, -3, 1000]), power),
            actions.Garrison(power),
            actions.Fight(area, power),
            actions.Decline(area, power),
            actions.Choose(random.choice(choices), tuple(random.choice(answers) for _ in range(random.randint(0, 2)))),
            actions.Codominion(area, tuple(random.sample(powers, random.randint(0, 2))), power),
            actions.Waive(random.choice(causes)),
            actions.Defend(random.choice(powers), area, power),
            actions.Unready(),
            actions.Advance(),
            actions.SetPosition({}),
        ]
    )


PlayerKind = Literal["random", "mixed", "hostile"]
PLAYER_KINDS: tuple[PlayerKind, ...] = ("random", "mixed", "hostile")
"""Kinds of players: random legal, bots at every other seat, and also illegal input."""

OPTION_SETS: tuple[dict[str, str], ...] = (
    {},
    {"counter_limits": "unlimited", "balkan_routes": "yes"},
    {"edition": "1993", "failed_upgrade_keeps_old": "no", "transfer_raises_eti": "yes"},
    {"ottoman_expansion": "yes", "minor_fresh_protectorate_upgrades": "yes"},
    {"ungarrisoned_new_control_becomes_influence": "no", "eti_for_lost_garrisons": "no", "cri_per_phase": "sheet"},
)
"""Option sets, used in rotation."""

MOST_ACTS_IN_PHASE = 40
"""Number of actions after which the arbiter continues, so that a Phase ends."""
THOROUGH_EVERY = 25
"""Number of actions between full checks; other checks are partial."""
UNDO_SHARE = 0.1
WILD_SHARE = 0.5

JUNK_ORDERS: tuple[Any, ...] = (
    "", " ", "ready ready", "place", "move A3 home >", "choose c1", "undo 99999", "redo", "x" * 500, "pay france -1",
    "treaty : :", "\x00", "move A1 home > home", "france: france: ready", "build 99xA10", "dispatch", "congress",
    {}, {"type": "place"}, {"type": 7}, {"type": "undo", "to": "x"}, {"type": "move", "units": [], "path": []},
    {"type": "pay", "to": "france", "amount": 1 << 70}, {"type": "choose", "id": "c1", "answer": ["\ud800"]},
)  # fmt: skip
"""Invalid input that no client should send."""


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """A fault and its place.

    Attributes:
        seed: of the game.
        players: kind of players.
        kind, found: kind and description of the fault.
        line: first line of the log with the fault.
        seat, asked: the action that caused it, if it is not in the log.
        file: the log up to the fault.
    """

    seed: str
    players: PlayerKind
    kind: str
    found: str
    line: int
    seat: str = ""
    asked: Any = None
    file: str = ""


class Tally(msgspec.Struct):
    """Result of a game: actions done, actions rejected, and the fault that ended it."""

    acts: int = 0
    refused: int = 0
    finding: Finding | None = None


class FuzzTrial(NamedTuple):
    """A game to test.

    Attributes:
        seed, players: seed of the game, and kind of players.
        plies: maximum number of actions.
        thorough: number of actions between full checks.
        directory: where a fault is saved, "" for nowhere.
        tables: a directory of replacement tables, "" for none.
    """

    seed: str
    players: PlayerKind
    plies: int
    thorough: int = THOROUGH_EVERY
    directory: str = ""
    tables: str = ""


def run_trials(trials: Iterable[FuzzTrial], jobs: int, seconds: float = 0) -> Iterator[Tally]:
    """Test games in parallel processes; yield the results in order of completion.

    Args:
        trials: the games.
        jobs: number of processes, 1 for this one.
        seconds: time after which no game is started, 0 for no limit.
    """
    end = monotonic() + seconds if seconds else inf
    todo = (trial for trial in trials if monotonic() < end)
    if jobs == 1:
        yield from map(run_trial, todo)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        running = {pool.submit(run_trial, trial) for trial in islice(todo, jobs)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            running |= {pool.submit(run_trial, trial) for trial in islice(todo, len(done))}
            for future in done:
                yield future.result()


def run_trial(trial: FuzzTrial) -> Tally:
    """Try one game of many."""
    tables = load_tables(Path(trial.tables) if trial.tables else None)
    directory = Path(trial.directory) if trial.directory else None
    return play_trial(tables, trial.seed, trial.players, trial.plies, directory, trial.thorough)


def play_trial(
    tables: Tables,
    seed: str,
    players: PlayerKind,
    plies: int,
    directory: Path | None = None,
    thorough: int = THOROUGH_EVERY,
) -> Tally:
    """Test one game for faults."""
    random = Random(f"fuzz {seed} {players}")
    game_seed = f"fuzz {seed}"  # "2-2" alone is also the id of a Random Event, which every view may contain
    table = begin_trial_game(tables, random, game_seed)
    tally = Tally()
    asked: tuple[str, Any] = ("", None)
    try:
        for seat, what in _attempts(table, random, players, plies):
            asked = (seat, what)
            before = table.state
            done = _attempt(table, seat, what, tally)
            asked = ("", None)
            if done is not None:
                checks.check_position(tables, table.state, game_seed, random, tally.acts % thorough == 0)
                if done.kind == "act" and seat != ARBITER and random.random() < UNDO_SHARE:
                    checks.check_undo(table, seat, before)
        checks.check_log(tables, table.log(), table.state)
    except Exception as error:
        tally.finding = _finding(table, error, seed, players, asked, directory)
    return tally


def begin_trial_game(tables: Tables, random: Random, seed: str) -> PaxHost:
    """Create a game of four to eight players with some options."""
    count = random.choice((4, 5, 6, 7, 7, 8))
    options = dict(random.choice(OPTION_SETS))
    if count == 8:
        options["belgium"] = "yes"
    return PaxHost.new(tables, seats_for(count), seed, options, clock=empty_clock, game_id=seed, undo="free")


def _attempts(table: PaxHost, random: Random, players: PlayerKind, plies: int) -> Iterator[tuple[str, Any]]:
    """Yield the next attempts with their seats, until the game is over or long enough."""
    idle = 0
    bots = table.state.players[::2] if players == "mixed" else ()
    names = tuple(BOTS)
    for _ in range(plies):
        if table.state.result is not None:
            return
        due = table.waiting
        idle += 1
        if not due or idle > MOST_ACTS_IN_PHASE:
            idle = 0
            yield ARBITER, random.choice(("advance!", "step")) if due else "advance"
            continue
        seat = random.choice(due if random.random() < 0.8 else table.state.players)
        if seat in bots:
            name = names[bots.index(seat) % len(names)]
            for act in suggest_orders(table, seat, name):
                yield seat, act.text
        elif players == "hostile" and random.random() < WILD_SHARE:
            yield _hostile_attempt(table, random, seat)
        else:
            action = offered_action(random, legal_actions(table.tables, table.state, seat))
            if action is not None:
                yield seat, action


def _hostile_attempt(table: PaxHost, random: Random, seat: str) -> tuple[str, Any]:
    """Choose an attempt of a malicious player."""
    kind = random.random()
    if kind < 0.15:
        return random.choice((seat, "nobody", "")), random.choice(JUNK_ORDERS)
    if kind < 0.3:
        to = random.choice(("", f" {random.randint(-1, table.version + 1)}"))
        return seat, random.choice((f"undo{to}", "redo"))
    return seat, wild_action(table.tables, random, table.state, seat)


def _attempt(table: PaxHost, seat: str, asked: Any, tally: Tally) -> Line | None:
    """Try an action; return its line if accepted. A rejected action must change nothing.

    Raises:
        InvariantFault: an invariant is violated.
    """
    before, version = table.state, table.version
    try:
        line, _ = table.act(seat, asked)
    except Refusal as refusal:
        tally.refused += 1
        if table.version != version or table.state is not before:
            raise InvariantFault("refusal", f"{asked!r} of {seat} was refused, and something has changed") from refusal
        if not refusal.message or not refusal.code:
            raise InvariantFault("refusal", f"{asked!r} of {seat} was refused without a word") from refusal
        return None
    tally.acts += 1
    if line.kind == "act":
        audit_events(table.tables, before, table.game.events(line.n), table.state)
    return line


# --- what is found ----------------------------------------------------------------------------------------------------


def _finding(
    table: PaxHost, error: Exception, seed: str, players: PlayerKind, asked: tuple[str, Any], directory: Path | None
) -> Finding:
    """A fault, saved with the shortest beginning of its game that has it."""
    kind = error.kind if isinstance(error, InvariantFault) else type(error).__name__
    seat, what = asked
    line = table.version if seat else first_line(table, kind, table.version)
    file = ""
    if directory is not None:
        directory.mkdir(parents=True, exist_ok=True)
        path = directory / f"{players}-{seed}.jsonl"
        path.write_bytes(b"".join(table.log().splitlines(keepends=True)[:line]))
        file = str(path)
    text = what if isinstance(what, str | dict | None) else msgspec.to_builtins(what)
    finding = Finding(seed, players, kind, str(error)[:500], line, seat, text, file)
    if directory is not None:
        path.with_suffix(".fault.json").write_bytes(msgspec.json.format(encode_finding(finding)))
    return finding


def encode_finding(finding: Finding) -> bytes:
    """Encode a finding as JSON; values without a JSON form are written with `repr`."""
    try:
        return msgspec.json.encode(finding)
    except (TypeError, ValueError, OverflowError):
        return msgspec.json.encode(msgspec.structs.replace(finding, asked=repr(finding.asked)))


def first_line(table: PaxHost, kind: str, last: int) -> int:
    """Find the first line after which the position has a fault of this kind; `last` if none is found."""
    seed = table.game.header.seed
    if kind == "log":
        pieces = table.log().splitlines(keepends=True)
        return bisect_left(range(1, last), True, key=lambda n: bool(log_fault(table.tables, b"".join(pieces[:n])))) + 1
    for line in range(1, last):
        if fault_at(table.tables, table.game.seek(line), seed) == kind:
            return line
    return last


def fault_at(tables: Tables, state: State, seed: str) -> str:
    """Return the kind of the fault in a position, "" for none."""
    try:
        checks.check_position(tables, state, seed, Random(0), True)
    except InvariantFault as fault:
        return fault.kind
    except Exception as error:  # any error of the program is a finding
        return type(error).__name__
    return ""


def log_fault(tables: Tables, data: bytes) -> str:
    """Return the fault found by reloading a log, "" for none."""
    try:
        checks.check_log(tables, data)
    except Exception as error:  # any error of the program is a finding
        return str(error)
    return ""
