"""Play a season between bots with names, and compare the ratings with the levels of the bots.

    python -m tools.club_season DIR [--rounds 40] [--each 10] [--jobs 2]

DIR becomes a data directory of a server with the logs and the season; `paxtui club --data DIR` shows its tables.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from paxtui.games.pax.position.setup import seats_for
from paxtui.server.club.club import Club
from paxtui.server.club.seasons import Season, schedule_season
from paxtui.server.data_directory import DataDirectory
from paxtui.simulation.match import Match
from paxtui.simulation.workers import play_all

LEVELS = ("caretaker", "steady", "statesman:easy", "statesman:normal")
"""Bots from the weakest to the strongest."""


def season_of_bots(each: int, rounds: int, seats: int = 7) -> Season:
    """Return a season between bots: so many of each level, named after it."""
    bots = {f"bot-{level.replace(':', '-')}-{n:02d}": level for level in LEVELS for n in range(1, each + 1)}
    names = {id_: f"{level} {id_[-2:]}" for id_, level in bots.items()}
    return schedule_season("bots", names, seats_for(seats), rounds, bots=bots, scenario="evening")


def main() -> int:
    """Play the games that are missing, and print the tables."""
    part = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    part.add_argument("directory", type=Path)
    part.add_argument("--rounds", type=int, default=40)
    part.add_argument("--each", type=int, default=10, help="bots of each level")
    part.add_argument("--jobs", type=int, default=2)
    args = part.parse_args()
    data = DataDirectory(args.directory)
    season = season_of_bots(args.each, args.rounds)
    matches = [
        Match(
            number=number,
            seed=f"season-{number}",
            bots={seat: season.bots[one] for seat, one in game.seats.items()},
            scenario=season.scenario,
            file=str(data.games / f"{game.name}.jsonl"),
        )
        for number, game in enumerate(season.games, start=1)
        if not (data.games / f"{game.name}.jsonl").exists()
    ]
    for done, outcome in enumerate(play_all(matches, args.jobs), start=1):
        print(f"{done} of {len(matches)}: {outcome.error or 'played'}", file=sys.stderr, flush=True)
    with Club(data) as club:
        club.add_season(season)
        club.update()
        print("\n".join(club.rating_lines()))
        print("\n".join(club.season_lines(season.name)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
