"""The command `club`: ratings, profiles and seasons of a server."""

from __future__ import annotations

import argparse
from typing import Any

import msgspec

from paxtui.cli.hosting.admin import ask_hub, data_argument, open_data_directory
from paxtui.cli.hosting.store import open_stored_directory
from paxtui.cli.runtime import CommandError, clean_line, escape_json
from paxtui.server.club.club import Club
from paxtui.server.club.ratings import rating_order
from paxtui.server.club.seasons import season_standings

CLUB_USAGE = """Show the ratings, players and seasons of a server. The server may run or not.

examples:
  paxtui club                       ratings of all players and bots, with their uncertainty
  paxtui club ann                   the profile of a player: rating, reputation, Powers, last games
  paxtui club --seasons             the seasons
  paxtui club --season autumn       standings of a season, and the games to play
  paxtui club ann --export          everything that the club knows about a player, as JSON
  paxtui club --begin autumn --players Ann Bob Cleo Dan statesman:hard statesman:hard steady --rounds 7
                                    begin a season on a running server and open the games of the first round
  paxtui club --begin autumn --divisions 2 --moves 2 --players ...
                                    a league: the two first and last of a division change places afterwards
  paxtui club --begin winter --after autumn --without Bob --players Eve
                                    its next season
  paxtui club --json
"""


def club_arguments(part: argparse.ArgumentParser) -> None:
    part.add_argument("player", nargs="?", metavar="PLAYER", help="name or id of a player, or a bot")
    what = part.add_mutually_exclusive_group()
    what.add_argument("--season", metavar="NAME", help="show the standings of a season")
    what.add_argument("--seasons", action="store_true", help="list the seasons")
    what.add_argument("--export", action="store_true", help="print all data of the player as JSON")
    what.add_argument("--begin", metavar="NAME", help="begin a season; needs --players")
    part.add_argument("--players", nargs="+", default=[], metavar="P", help="names or ids of players, and bots")
    part.add_argument("--rounds", type=int, default=7, metavar="N", help="rounds of the season (default 7)")
    part.add_argument("--divisions", type=int, default=1, metavar="N", help="divisions of a league (default 1)")
    part.add_argument("--moves", type=int, default=1, metavar="N", help="how many rise and fall (default 1)")
    part.add_argument("--after", default="", metavar="NAME", help="the season that the new one continues")
    part.add_argument("--without", nargs="+", default=[], metavar="P", help="participants of that one who leave")
    part.add_argument("--scenario", default="", metavar="NAME", help="scenario of the season's games")
    part.add_argument("--json", action="store_true", help="print JSON")
    data_argument(part)


def run_club(args: argparse.Namespace) -> int:
    """Print ratings, a profile or standings."""
    if args.begin:
        return _begin_season(args)
    if args.export and not args.player:
        raise CommandError("--export needs the player: paxtui club PLAYER --export")
    with Club(open_stored_directory(args)) as club:
        club.update()
        if args.json or args.export:
            print(escape_json(msgspec.json.encode(_as_json(club, args)).decode()))
            return 0
        for line in _lines(club, args):
            print(clean_line(line))
    return 0


def _begin_season(args: argparse.Namespace) -> int:
    """Begin a season on the running server."""
    if not args.players and not args.after:
        raise CommandError("--begin needs --players: names of players ('paxtui players' lists them), and bots")
    about = {"name": args.begin, "participants": "\n".join(args.players), "rounds": str(args.rounds)}
    about |= {"divisions": str(args.divisions), "moves": str(args.moves)}
    about |= {"after": args.after, "without": "\n".join(args.without), "scenario": args.scenario}
    found = ask_hub(open_data_directory(args), "season", **about)
    print(f"Season {args.begin}: {found['games']} games. Open now: {', '.join(found['first'])}.")
    return 0


def _lines(club: Club, args: argparse.Namespace) -> list[str]:
    if args.seasons:
        return list(dict.fromkeys(season.league or season.name for season in club.seasons)) or ["There is no season."]
    if args.season:
        return club.season_lines(args.season)
    return club.profile_lines(club.find_member(args.player)) if args.player else club.rating_lines()


def _as_json(club: Club, args: argparse.Namespace) -> Any:
    """Return the figures of the tables."""
    if args.seasons:
        return [season.name for season in club.seasons]
    if args.season:
        return [
            {"season": season.name, **row._asdict()}
            for season in club.league(args.season)
            for row in season_standings(season, club.season_results(season))
        ]
    if args.player:
        return club.export(club.find_member(args.player).id)
    members, ratings = club.members(), club.ratings()
    return [
        {**members[id_]._asdict(), "mean": rating.mean, "deviation": rating.deviation, "games": rating.games}
        for id_ in rating_order(ratings)
        for rating in (ratings[id_],)
    ]
