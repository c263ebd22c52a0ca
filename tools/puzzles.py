"""Make puzzles from games of statesmen: positions in which one act is clearly the best.

`python -m tools.puzzles RUN/games/*.jsonl --out data/puzzles`

- Marker: the candidates are what a statesman would buy in that Movement Phase. Each is bought alone. The strongest
  rivals reply with plans of statesmen, the Game Turn is played to its end, and the prediction judges. Late in the game
  a candidate is to buy nothing.
- Treaty: a seat signed a draft; the other candidate is to reject it. War: a seat declared it; the other candidate is
  not to. Statesmen play all seats for two Game Turns, and the prediction judges.

A puzzle is kept if the best candidate leads the second by `MARGIN`, `RATIO` and `CERTAINTY` standard errors. `QUOTAS`
limit how many puzzles are alike. Positions of a Power, a time or a kind that has enough are not even looked at.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
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
from paxtui.games.pax.actions.notation import format_for_seat, parse_order
from paxtui.games.pax.actions.structured import decode_action
from paxtui.games.pax.board.status import area_state
from paxtui.games.pax.board.tables import HOME, Tables
from paxtui.games.pax.decide import decide
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.game import PaxGame
from paxtui.games.pax.position.setup import start_position
from paxtui.games.pax.position.writer import diff_positions, dump_position
from paxtui.games.pax.state.model import State
from paxtui.games.pax.text.display import marker_with_article, place_name, the_powers
from paxtui.session.pax_bot_runner import split_into_steps
from paxtui.session.pax_host import PaxHost
from paxtui.studies.puzzles import MARKER, PUZZLE_VERSION, TREATY, WAR, Candidate, Puzzle, open_puzzle, read_puzzle
from paxtui.studies.review import Chances, position_chances
from paxtui.studies.rollouts import play_rollout

LEAST_CANDIDATES, MOST_CANDIDATES = 3, 4
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
PER_GAME = 3
"""Maximum number of puzzles from a game."""
SEATS = 2
"""Number of Powers whose markers are looked at in each Game Turn."""
MOST_CHECKED = 4
"""Maximum number of positions with markers of a game that rollouts check."""
LATE = 7
"""Game Turn from which a candidate is to buy nothing."""
FIRST_ROLLOUTS = 6
"""Number of rollouts after which a Treaty or a War that decides nothing is given up."""
QUOTAS = {"seat": 3, "time": 10, "kind marker": 14, "kind treaty": 5, "kind war": 3, "solution": 14, "moment": 1}
"""Maximum number of puzzles that are alike: by seat, time of the game, kind of act, and marker of the solution."""


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
    made = [read_puzzle(path) for path in sorted(args.out.glob("*.json"))]
    for log in args.logs:
        here = 0
        for puzzle in find_puzzles(PaxHost.open(log, write=False), made):
            if len(made) >= args.count or here == PER_GAME:
                break
            if not is_wanted(puzzle, made):
                continue
            here += 1
            puzzle = msgspec.structs.replace(puzzle, id=f"{len(made) + 1:02}")
            made.append(puzzle)
            data = msgspec.json.format(msgspec.json.encode(puzzle), indent=1)
            (args.out / f"{puzzle.id}.json").write_bytes(data + b"\n")
            print(f"{puzzle.id}: {log.name}, {puzzle.year}, {puzzle.seat}, {describe(puzzle)}", flush=True)
    return int(len(made) < args.count)


# --- variety ----------------------------------------------------------------------------------------------------------


def features(puzzle: Puzzle) -> dict[str, str]:
    """Return what must not be alike in too many puzzles, by quota; a draft has no solution."""
    time = "early" if puzzle.year < 1892 else "middle" if puzzle.year < 1904 else "late"
    found = {"seat": puzzle.seat, "time": time, f"kind {puzzle.kind}": ""}
    if puzzle.kind != MARKER:
        found["moment"] = f"{puzzle.seat} {puzzle.year}"
    if puzzle.candidates and puzzle.kind == MARKER:
        found["solution"] = puzzle.candidates[puzzle.solution].text.rpartition(" in ")[0]
    return found


def is_wanted(puzzle: Puzzle, made: Sequence[Puzzle]) -> bool:
    """Whether no quota is full of puzzles like this one."""
    counts = Counter(feature for other in made for feature in features(other).items())
    return all(counts[feature] < QUOTAS[feature[0]] for feature in features(puzzle).items())


def find_puzzles(host: PaxHost, made: Sequence[Puzzle]) -> Iterator[Puzzle]:
    """Yield the puzzles of a game, Treaties and Wars first: they are rarer.

    Args: the game; the puzzles so far, also those that were made from what this yields.
    """
    for draft, candidates in answers(host):
        if is_wanted(draft, made) and (puzzle := check_answer(host.tables, draft, candidates)) is not None:
            yield puzzle
    for draft, found in promising(host, made)[:MOST_CHECKED]:
        if is_wanted(draft, made) and (puzzle := check(host.tables, draft, found)) is not None:
            yield puzzle


# --- Treaties and Wars ------------------------------------------------------------------------------------------------


def answers(host: PaxHost) -> Iterator[tuple[Puzzle, list[Candidate]]]:
    """Yield the positions in which a seat signed a draft or declared War, with its candidates."""
    lines = host.game.effective_lines()
    for before, line in pairwise(lines):
        action = decode_action(host.tables, dict(line.action)) if line.kind == "act" else None
        if not isinstance(action, actions.Sign | actions.DeclareWar):
            continue
        state = host.game.seek(before.n)
        draft = (
            draft_puzzle(host.tables, state, line.seat) if not state.choices and line.seat in state.players else None
        )
        if draft is None or action.power not in ("", line.seat):
            continue
        order = format_for_seat(host.tables, action, line.seat)
        if isinstance(action, actions.DeclareWar):
            text = f"War on {the_powers(host.tables, action.on)}"
            found = [Candidate(text, action.on[0], (order,), {}), Candidate("no War", line.seat, ("pass",), {})]
            yield msgspec.structs.replace(draft, kind=WAR), found
        elif (treaty := state.treaty(action.id)) is not None:
            others = [party for party in treaty.parties if party != line.seat]
            if {*treaty.signed, line.seat} >= {*treaty.parties} and treaty.form == TREATY:
                text = f"sign the draft with {the_powers(host.tables, others)}"
                reject = Candidate("reject it", line.seat, (f"reject {treaty.id}",), {})
                yield msgspec.structs.replace(draft, kind=TREATY), [Candidate(text, others[0], (order,), {}), reject]


def check_answer(tables: Tables, draft: Puzzle, candidates: Sequence[Candidate]) -> Puzzle | None:
    """Return a puzzle with its candidates, None if none of them is clearly the best. Takes a minute at most."""
    host, found = open_puzzle(draft), list[list[Chances]]()
    rules = host.rules
    assert isinstance(rules, PaxGame)
    ends = [after_orders(tables, host.state, draft.seat, one.orders) for one in candidates]
    if draft.kind == TREATY:  # most of them change little: do not play these out
        now = [position_chances(tables, end)[draft.seat] for end in ends if end is not None]
        if max(now) - min(now) < MARGIN:
            return None
    for count in (FIRST_ROLLOUTS, draft.rollouts):
        done = len(found[0]) if found else 0
        found = [
            [*(found[n] if found else ()), *(play_rollout(rules, host.game.header, end, f"puzzle/{number}")
              for number in range(done, count))]
            for n, end in enumerate(ends) if end is not None
        ]  # fmt: skip
        if len(found) < len(candidates):
            return None
        ahead, error = lead([[chances[draft.seat] for chances in part] for part in found])
        if ahead < max(MARGIN, (CERTAINTY if count == draft.rollouts else 1.0) * error):
            return None
    means = sorted((fmean(chances[draft.seat] for chances in part) for part in found), reverse=True)
    if means[0] < RATIO * means[1]:
        return None
    complete = [
        msgspec.structs.replace(one, chances=mean_chances(part)) for one, part in zip(candidates, found, strict=True)
    ]
    return msgspec.structs.replace(draft, candidates=tuple(complete))


def after_orders(tables: Tables, state: State, seat: str, orders: Sequence[str]) -> State | None:
    """Return the position after orders; None if one is refused."""
    return carry_out_whole(tables, state, seat, [BotAction(order, "") for order in orders])


# --- markers ----------------------------------------------------------------------------------------------------------


def promising(host: PaxHost, made: Sequence[Puzzle]) -> list[tuple[Puzzle, list[Purchase]]]:
    """Return positions with their candidates; first those whose best candidate leads most when no rival replies.

    Only Powers with the fewest puzzles are looked at.
    """
    tables, found = host.tables, []
    count = Counter(puzzle.seat for puzzle in made)
    for state in movement_positions(host):
        drafts = (draft_puzzle(tables, state, seat) for seat in sorted(state.players, key=lambda seat: count[seat]))
        wanted = (draft for draft in drafts if draft is not None and is_wanted(draft, made))
        several = ((draft, purchases(tables, state, draft.seat)) for draft in wanted)
        possible = ((draft, some) for draft, some in several if len(some) >= LEAST_CANDIDATES)
        for draft, candidates in islice(possible, SEATS):
            seat = draft.seat
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
    count = min(len(every), MOST_CANDIDATES)
    some = [every[n * len(every) // count] for n in range(count)]
    if some and state.turn >= LATE:
        pounds = state.powers[seat].treasury
        why = "no marker returns its price in the turns to come"
        some = [*some[: MOST_CANDIDATES - 1], Purchase(HOME + seat, f"nothing: it keeps £{pounds}", [], why)]
    return some


def carry_out_whole(tables: Tables, state: State, seat: str, orders: Sequence[BotAction]) -> State | None:
    """Return the position after all orders; None if one is refused, because it needs what another purchase builds."""
    try:
        for order in orders:
            action = parse_order(tables, order.text)
            assert isinstance(action, actions.Action)
            state = decide(tables, state, seat, action, Dice("")).state
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
