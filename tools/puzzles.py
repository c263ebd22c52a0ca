"""Make puzzles from games of statesmen: positions in which one marker is clearly the best purchase.

`python -m tools.puzzles RUN/games/*.jsonl --out data/puzzles`

The candidates are what a statesman would buy in that Movement Phase. Each is bought alone. The strongest rivals reply
with plans of statesmen, the Game Turn is played to its end, and the prediction judges. A puzzle is kept if the best
candidate leads the second by `MARGIN`, `RATIO` and `CERTAINTY` standard errors.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import NamedTuple

import msgspec

from paxtui.bots.pax.expert.rollouts import carry_out, play_turn
from paxtui.bots.pax.profiles import character_of
from paxtui.bots.pax.statesman.player import movement_actions
from paxtui.engine.bots import BotAction
from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.notation import parse_order
from paxtui.games.pax.board.status import area_state
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.decide import decide_with_state
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.position.setup import start_position
from paxtui.games.pax.position.writer import diff_positions, dump_position
from paxtui.games.pax.state.model import State
from paxtui.games.pax.text.display import marker_with_article, place_name
from paxtui.session.pax_bot_runner import split_into_steps
from paxtui.session.pax_host import PaxHost
from paxtui.studies.puzzles import PUZZLE_VERSION, Candidate, Puzzle, open_puzzle
from paxtui.studies.review import Chances, position_chances

MOST_CANDIDATES = 4
REPLIES, DICE = 4, 5
"""Replies and dice: the rollouts of a candidate are their product."""
REPLYING = 3
"""Number of rivals that reply, the strongest first."""
MARGIN, RATIO = 0.01, 1.15
"""Chance by which the best candidate leads the second, and the least ratio of their chances."""
CERTAINTY = 3.0
"""Standard errors by which it leads."""
STATESMAN = character_of("normal", "")
TURNS = range(1, 11)
OPTIONS = {"counter_limits": "unlimited"}
"""Positions late in a game can have more pieces than a patch may have under the limits."""
PER_GAME = 8
"""Maximum number of puzzles from a game."""


class Purchase(NamedTuple):
    """A marker with its army: the Area, the act in words, the orders, and what speaks for it."""

    area: str
    text: str
    orders: list[BotAction]
    why: str


def main(words: Sequence[str] | None = None) -> int:
    """Write puzzles until there are enough, after those that are in the folder. 1: there are too few."""
    parser = argparse.ArgumentParser(prog="python -m tools.puzzles", description=__doc__)
    parser.add_argument("logs", nargs="+", type=Path, metavar="LOG")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    parser.add_argument("--count", type=int, default=20)
    args = parser.parse_args(words)
    args.out.mkdir(parents=True, exist_ok=True)
    made = len([*args.out.glob("*.json")])
    for log in args.logs:
        host = PaxHost.open(log, write=False)
        here = 0
        for draft, found in promising(host):
            if made >= args.count or here == PER_GAME:
                break
            puzzle = check(host.tables, draft, found)
            if puzzle is not None:
                made, here = made + 1, here + 1
                puzzle = msgspec.structs.replace(puzzle, id=f"{made:02}")
                data = msgspec.json.format(msgspec.json.encode(puzzle), indent=1)
                (args.out / f"{puzzle.id}.json").write_bytes(data + b"\n")
                print(f"{puzzle.id}: {log.name}, {puzzle.year}, {puzzle.seat}, {describe(puzzle)}", flush=True)
    return int(made < args.count)


def promising(host: PaxHost) -> list[tuple[Puzzle, list[Purchase]]]:
    """Return positions with their candidates; first those whose best candidate leads most when no rival replies."""
    tables, found = host.tables, []
    for state in movement_positions(host):
        for seat in state.players:
            draft = draft_puzzle(tables, state, seat)
            candidates = purchases(tables, state, seat)
            if draft is None or len({one.area for one in candidates}) < MOST_CANDIDATES:
                continue
            bought = [carry_out(tables, state, seat, one.orders, Dice("")) for one in candidates]
            ends = [position_chances(tables, play_turn(tables, one, Dice("")))[seat] for one in bought]
            best, second = sorted(ends, reverse=True)[:2]
            if best - second >= MARGIN and best >= RATIO * second:
                found.append((best - second, draft, candidates))
    return [(draft, candidates) for _, draft, candidates in sorted(found, key=lambda one: -one[0])]


def movement_positions(host: PaxHost) -> Iterator[State]:
    """Yield the positions in which Movement Phases begin."""
    for line in host.game.effective_lines():
        if any(isinstance(e, ev.PhaseBegan) and e.phase == "movement" for e in host.game.events(line.n)):
            state = host.game.seek(line.n)
            if state.phase == "movement" and state.turn in TURNS and not state.choices:
                yield state


def draft_puzzle(tables: Tables, state: State, seat: str) -> Puzzle | None:
    """Return a puzzle without candidates, None if a patch cannot describe the position."""
    patch = diff_positions(dump_position(start_position(tables, state.players, state.options)), dump_position(state))
    year = tables.turns[state.turn - 1].year
    puzzle = Puzzle(PUZZLE_VERSION, "", seat, year, state.players, OPTIONS, patch, (), REPLIES * DICE)
    try:
        open_puzzle(puzzle)
    except Refusal:
        return None
    return puzzle


def check(tables: Tables, draft: Puzzle, found: Sequence[Purchase]) -> Puzzle | None:
    """Return a puzzle with its candidates, None if none of them is clearly the best."""
    state, seat = open_puzzle(draft).state, draft.seat
    chances = [rollouts(tables, state, seat, one) for one in found]
    ahead, error = lead([[c[seat] for c in part] for part in chances])
    means = sorted((fmean(c[seat] for c in part) for part in chances), reverse=True)
    if ahead < max(MARGIN, CERTAINTY * error) or means[0] < RATIO * means[1]:
        return None
    candidates = sorted(
        (
            Candidate(one.text, one.area, tuple(o.text for o in one.orders), mean_chances(part), one.why)
            for one, part in zip(found, chances, strict=True)
        ),
        key=lambda candidate: place_name(tables, candidate.place),
    )
    return msgspec.structs.replace(draft, candidates=tuple(candidates))


def purchases(tables: Tables, state: State, seat: str) -> list[Purchase]:
    """Return markers that a statesman would buy, in its order."""
    found: dict[str, Purchase] = {}
    for step in split_into_steps(movement_actions(tables, state, seat, STATESMAN, "puzzle")):
        order = parse_order(tables, step[0].text)
        if isinstance(order, actions.Place | actions.Upgrade) and order.power in ("", seat) and order.area not in found:
            after = carry_out_whole(tables, state, seat, step)
            if after is None or area_state(after, order.area) == area_state(state, order.area):
                continue
            text = f"{marker_with_article(tables, order.marker)} in {place_name(tables, order.area)}"
            found[order.area] = Purchase(order.area, text, step, step[0].why)
    every = list(found.values())
    # the first ones are nearly as good as each other: take some from the whole plan
    return [every[n * len(every) // MOST_CANDIDATES] for n in range(MOST_CANDIDATES)] if every else []


def carry_out_whole(tables: Tables, state: State, seat: str, orders: Sequence[BotAction]) -> State | None:
    """Return the position after all orders; None if one is refused, because it needs what another purchase builds."""
    try:
        for order in orders:
            action = parse_order(tables, order.text)
            assert isinstance(action, actions.Action)
            state = decide_with_state(tables, state, seat, action, Dice("")).state
    except Refusal:
        return None
    return state


def rollouts(tables: Tables, state: State, seat: str, one: Purchase) -> list[Chances]:
    """Return the chances at the end of the Game Turn after a purchase, for each reply and dice."""
    bought = carry_out(tables, state, seat, one.orders, Dice(""))
    now = position_chances(tables, state)
    rivals = sorted((rival for rival in now if rival != seat), key=lambda rival: -now[rival])[:REPLYING]
    found = []
    for reply in range(REPLIES):
        after = bought
        for rival in rivals:
            plan = movement_actions(tables, after, rival, STATESMAN, f"reply/{reply}")
            after = carry_out(tables, after, rival, plan, Dice(f"reply/{reply}"))
        for die in range(DICE):
            found.append(position_chances(tables, play_turn(tables, after, Dice(f"{reply}/{die}"))))
    return found


def lead(scores: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Return by how much the best candidate leads the second, and the standard error of that."""
    best, second = sorted(scores, key=fmean, reverse=True)[:2]
    differences = [a - b for a, b in zip(best, second, strict=True)]
    return fmean(differences), stdev(differences) / len(differences) ** 0.5


def mean_chances(found: Sequence[Chances]) -> Chances:
    """Return the mean chances of rollouts."""
    return {seat: round(fmean(one[seat] for one in found), 4) for seat in found[0]}


def describe(puzzle: Puzzle) -> str:
    """Return the candidates with the chance of each."""
    return ", ".join(f"{c.text} {c.chances[puzzle.seat]:.0%}" for c in puzzle.candidates)


if __name__ == "__main__":
    sys.exit(main())
