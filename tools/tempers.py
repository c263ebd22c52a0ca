"""Count what statesmen of each temper do: `python -m tools.tempers --games 10`.

Each game seats all tempers; from game to game each seat has another one.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from paxtui.games.pax.events import events as ev
from paxtui.games.pax.position.setup import seats_for
from paxtui.games.pax.state.pieces import CONTROL
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.records import new_game_tables
from paxtui.simulation.match import Match, begin_match, play_to_end

TEMPERS = ("", "cautious", "bold", "treacherous")
FIGURES = ("seats", "won", "points", "control", "wars", "offers", "signed", "broken")
HEADER = (
    "| temper | seats | won | points | Control placed | Wars declared | Treaties offered | in force | broken |\n"
    "|---|---|---|---|---|---|---|---|---|"
)


def tempers_of_game(number: int) -> dict[str, str]:
    """Return the temper of each seat in a game."""
    return {seat: TEMPERS[(number + n) % len(TEMPERS)] for n, seat in enumerate(seats_for(7))}


def play_game(number: int, seed: str, level: str) -> dict[str, Counter[str]]:
    """Play a game and return the figures of each temper."""
    tempers = tempers_of_game(number)
    bots = {seat: f"statesman:{level}:{temper}".rstrip(":") for seat, temper in tempers.items()}
    match = Match(number=number, seed=f"{seed}-{number}", bots=bots, tables=str(new_game_tables("") or ""))
    table = begin_match(match)
    play_to_end(table)
    assert isinstance(table, PaxHost)
    return count_acts(table, tempers)


def count_acts(table: PaxHost, tempers: Mapping[str, str]) -> dict[str, Counter[str]]:
    """Count what seats did in a finished game, by temper."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    result = table.state.result
    assert result is not None
    for seat, temper in tempers.items():
        found[temper] += Counter(seats=1, won=int(result.ranks[seat] == 1), points=result.totals[seat])
    drafters = {treaty.id: (treaty.drafter, treaty.parties) for treaty in table.state.treaties}
    events = (event for line in table.game.effective_lines() for event in table.game.events(line.n))
    for event in events:
        for power, what in _scores_of(event, drafters):
            if power in tempers:
                found[tempers[power]][what] += 1
    return dict(found)


def _scores_of(event: ev.Event, treaties: Mapping[str, tuple[str, tuple[str, ...]]]) -> list[tuple[str, str]]:
    """Return the Powers that an event counts for, each with the figure."""
    match event:
        case ev.WarDeclared(power=power, treaty=""):
            return [(power, "wars")]
        case ev.TreatyBroken(power=power):
            return [(power, "broken")]
        case ev.TreatyDrafted(treaty=treaty):
            return [(treaty.drafter, "offers")]
        case ev.TreatyInForce(id=id_):
            return [(power, "signed") for power in treaties.get(id_, ("", ()))[1]]
        case ev.MarkerPlaced(power=power, marker=marker) if marker in CONTROL:
            return [(power, "control")]
    return []


def tempers_table(games: list[dict[str, Counter[str]]]) -> str:
    """Return the figures in Markdown; all but the first two are means of a seat and game."""
    total: dict[str, Counter[str]] = defaultdict(Counter)
    for game in games:
        for temper, figures in game.items():
            total[temper] += figures
    lines = [HEADER]
    for temper in TEMPERS:
        figures = total[temper]
        means = (f"{figures[what] / max(1, figures['seats']):.2f}" for what in FIGURES[2:])
        lines.append(f"| {temper or 'none'} | {figures['seats']} | {figures['won']} | {' | '.join(means)} |")
    return "\n".join(lines)


def main() -> None:
    """Play the games and print the table."""
    part = argparse.ArgumentParser(prog="python -m tools.tempers", description=__doc__)
    part.add_argument("--games", type=int, default=10)
    part.add_argument("--level", default="normal")
    part.add_argument("--seed", default="tempers")
    part.add_argument("--jobs", type=int, default=1)
    args = part.parse_args()
    with ProcessPoolExecutor(args.jobs) as pool:
        games = list(pool.map(partial(play_game, seed=args.seed, level=args.level), range(1, args.games + 1)))
    print(tempers_table(games))


if __name__ == "__main__":
    main()
