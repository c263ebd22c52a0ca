"""Commands for a running server: join, invite, seat, terms, clock, players, status, stop."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import Any

import msgspec

from paxtui.cli.runtime import CommandError, need_terminal
from paxtui.engine.clock import OTHER_PHASES, duration_text, parse_duration
from paxtui.engine.seats import SPECTATOR
from paxtui.server.client import ConnectionLost, HubClient
from paxtui.server.data_directory import DataDirectory
from paxtui.session.storage.files import player_data, typed_path

JOIN_USAGE = """Play or watch a game of a server on this machine, as its host.

Without a game the lobby opens. The host may take any seat.

examples:
  paxtui join
  paxtui join friday britain
  paxtui join friday                 watch
  paxtui join friday britain --plain plain mode, the default if TERM=dumb
"""

INVITE_USAGE = """Offer seats to friends: print an invitation code for each. A code is valid once.

With a web server (paxtui serve --web), a link follows each code. It opens the game in a browser.

examples:
  paxtui invite friday                    all free seats
  paxtui invite friday france japan       these two
"""

SEAT_USAGE = """Assign a seat of a game on a server; without --to, list the players and their seats.

examples:
  paxtui seat friday                              all players with their seats
  paxtui seat friday france --to caretaker        a caretaker plays France while the player is away
  paxtui seat friday france --to statesman:hard   a bot that plays to win
  paxtui seat friday france --to person           the player is back
  paxtui seat friday france --to free             take the seat from its player
  paxtui seat friday --begin                      begin now, and wait two minutes for words for the dice
  paxtui seat friday --rewind 120                 rewind the game to line 120
"""

TERMS_USAGE = """Set what people without a seat in a game may do: watch, chat, take a free seat.

"known" are people who have or had a seat on this server, "anybody" is any person with an SSH key.

examples:
  paxtui terms friday                                  show the terms
  paxtui terms friday --watch anybody --delay 10       anybody may watch, ten minutes behind
  paxtui terms friday --talk everybody                 spectators may chat
  paxtui terms friday --seats known                    known people may take free seats
"""

CLOCK_USAGE = """Set or pause the clock of a game; without an option, show the time left.

Write times as 90s, 10m, 2h, 3d or 1h30m. --then says what happens when the time of a Phase is over: the defaults apply,
the caretaker acts for late seats, or you decide (arbiter). In the last case the program of `serve --hook` starts with
PAXTUI_ASKS=host. Decide with --end, or give more time with --give. The clock starts again meanwhile.

examples:
  paxtui clock friday --each 10m                          ten minutes for each Phase
  paxtui clock friday --phase movement=30m --phase negotiation=1h --each 10m --then caretaker
  paxtui clock slow --each 2d --warn 6h                   a slow game
  paxtui clock friday --give 5m                           five minutes more for this Phase
  paxtui clock friday --pause "the pizza is here"         stop the game and the clock
  paxtui clock friday --resume
  paxtui clock friday --end default                       end the time of all late seats now
  paxtui clock friday --off                               no clock
"""

PLAYERS_USAGE = """List the players of a server: id, name, seats, and the fingerprints of all keys.

examples:
  paxtui players
  paxtui players --rename 5f0c1a2b3c4d Ann             give the player with this id another name
  paxtui players --remove-key 5f0c1a2b3c4d SHA256:AbCd  the key no longer opens the player's seats
  paxtui players --json
"""

STATUS_USAGE = """Show the games of a server, the connected seats, and the seats that must act.

examples:
  paxtui status
  paxtui status --json
  paxtui status --clear-limits     forget wrong codes, message floods and closed connections
"""

STOP_USAGE = """Stop a server. All actions are saved. Returns when all processes have ended and the port is free.

examples:
  paxtui stop
  paxtui stop --data ~/table
"""


def data_argument(part: argparse.ArgumentParser) -> None:
    """Add the argument for the server's data directory."""
    part.add_argument("--data", metavar="DIR", help="data directory of the server (default: next to your games)")


def open_data_directory(args: argparse.Namespace, make: bool = False) -> DataDirectory:
    """Open the data directory.

    Args:
        make: whether to create it if missing.

    Raises:
        CommandError, OSError, StorageError: it cannot be used.
    """
    root = data_root(args)
    if not make and not root.exists():
        raise CommandError(_not_running(root))
    return DataDirectory(root)


def _not_running(root: Path) -> str:
    return f"no server runs in {root}: 'paxtui serve --data {root}' starts one"


def data_root(args: argparse.Namespace) -> Path:
    """Return the path of the data directory, which may not exist. Raises: StorageError."""
    return typed_path(args.data) if args.data else default_root()


def default_root() -> Path:
    """Return the data directory of the player's own server. Raises: StorageError."""
    return player_data() / "house"


def is_running(data_directory: DataDirectory) -> bool:
    """Whether a server runs on a data directory."""
    try:
        HubClient(data_directory.socket).close()
    except ConnectionLost:
        return False
    return True


def ask_hub(data_directory: DataDirectory, ask: str, **about: str) -> Any:
    """Send a request to the running hub. Raises: Refusal; CommandError if no server runs."""
    try:
        client = HubClient(data_directory.socket)
    except ConnectionLost:
        raise CommandError(_not_running(data_directory.root)) from None
    try:
        return client.admin_request(ask, **about)
    except ConnectionLost as lost:
        raise CommandError(str(lost)) from None
    finally:
        client.close()


NO_SCREEN = ("", "dumb", "unknown")
"""Values of TERM without cursor control: `join` uses the plain mode there."""


def join_arguments(part: argparse.ArgumentParser) -> None:
    part.add_argument("game", nargs="?", default="", metavar="GAME", help="a game of the server (default: the lobby)")
    part.add_argument("seat", nargs="?", default=SPECTATOR, metavar="SEAT", help="a seat (default: watch)")
    part.add_argument("--plain", action="store_true", help="line by line, for screen readers and slow links")
    data_argument(part)


def run_join(args: argparse.Namespace) -> int:
    """Open the screen of the seat."""
    data_directory = open_data_directory(args)
    lobby = not args.game
    asked = (
        ask_hub(data_directory, "lobby") if lobby else ask_hub(data_directory, "ticket", game=args.game, seat=args.seat)
    )
    if args.plain or (sys.stdin.isatty() and os.environ.get("TERM", "") in NO_SCREEN):
        from paxtui.cli.hosting.remote_plain import open_lobby_plain, play_plain

        return (open_lobby_plain if lobby else play_plain)(data_directory.socket, asked["ticket"])
    need_terminal()
    from paxtui.cli.hosting.remote_screen import open_lobby, play_seat

    return (open_lobby if lobby else play_seat)(data_directory.socket, asked["ticket"], "join")


def clock_arguments(part: argparse.ArgumentParser) -> None:
    part.add_argument("game", metavar="GAME", help="a game of the server")
    part.add_argument("--each", metavar="TIME", help="the time of each Phase without its own time")
    part.add_argument("--phase", action="append", default=[], metavar="PHASE=TIME", help="the time of one Phase")
    part.add_argument("--then", choices=("default", "caretaker", "arbiter"), help="what happens when the time is over")
    part.add_argument("--warn", metavar="TIME", help="time left at the warning (default: a tenth)")
    part.add_argument("--off", action="store_true", help="no clock")
    part.add_argument("--give", metavar="TIME", help="more time for the current Phase")
    part.add_argument("--pause", nargs="?", const="", metavar="WHY", help="pause the game")
    part.add_argument("--resume", action="store_true", help="continue")
    part.add_argument("--end", choices=("default", "caretaker"), help="end the time now, with this result")
    data_argument(part)


def run_clock(args: argparse.Namespace) -> int:
    """Change the given settings and print the time left."""
    data_directory = open_data_directory(args)
    for request in _clock_requests(args):
        ask_hub(data_directory, "clock", game=args.game, **request)
    print(ask_hub(data_directory, "clock", game=args.game)["told"] or f"{args.game} has no clock.")
    return 0


def _clock_requests(args: argparse.Namespace) -> list[dict[str, str]]:
    """Requests to the hub, in order. Raises: CommandError."""
    asked: list[dict[str, str]] = []
    limits = {OTHER_PHASES: _seconds("--each", args.each)} if args.each else {}
    for text in args.phase:
        phase, equals, time = text.partition("=")
        if not equals:
            raise CommandError(f"--phase {text}: it takes PHASE=TIME, as in movement=30m")
        limits[phase.strip()] = _seconds("--phase", time)
    if limits:
        warn = _seconds("--warn", args.warn) if args.warn else min(limits.values()) // 10
        written = ",".join(f"{phase}={seconds}" for phase, seconds in limits.items())
        asked.append({"what": "set", "limits": written, "warn": str(warn), "then": args.then or "default"})
    elif args.off:
        asked.append({"what": "set"})
    elif args.then or args.warn:
        raise CommandError("--then and --warn go with --each or --phase")
    if args.give:
        asked.append({"what": "give", "seconds": str(_seconds("--give", args.give))})
    if args.pause is not None:
        asked.append({"what": "pause", "why": args.pause})
    if args.resume:
        asked.append({"what": "resume"})
    if args.end:
        asked.append({"what": "end", "then": args.end})
    return asked


def _seconds(name: str, text: str) -> int:
    """Parse a duration in seconds. Raises: CommandError."""
    seconds = parse_duration(text)
    if not seconds:
        raise CommandError(f"{name} {text}: a time is written as 90s, 10m, 2h, 3d or 1h30m; {duration_text(90)} is 90s")
    return seconds


def invite_arguments(part: argparse.ArgumentParser) -> None:
    part.add_argument("game", metavar="GAME", help="a game of the server")
    part.add_argument("seat", nargs="*", metavar="SEAT", help="its seats (default: all that are free)")
    data_argument(part)


def run_invite(args: argparse.Namespace) -> int:
    """Print an invitation code for each seat."""
    data_directory = open_data_directory(args)
    games = {game["game"]: game for game in ask_hub(data_directory, "status")["games"]}
    if args.game not in games:
        raise CommandError(
            f"there is no game {args.game} in {data_directory.root}; the games are {', '.join(games) or 'none'}"
        )
    seats = args.seat or games[args.game].get("free", [])
    if not seats:
        raise CommandError(f"every seat of {args.game} is taken; name a seat to offer it again")
    for seat in seats:
        invitation = ask_hub(data_directory, "invite", game=args.game, seat=seat)
        print(f"{seat:16}{invitation['code']}{'  ' + invitation['link'] if 'link' in invitation else ''}")
        if holder := invitation.get("holder"):
            print(f"{holder} plays {seat} now and loses the seat when this code is used.", file=sys.stderr)
    return 0


def players_arguments(part: argparse.ArgumentParser) -> None:
    change = part.add_mutually_exclusive_group()
    change.add_argument("--rename", nargs=2, metavar=("ID", "NAME"), help="give a player another name")
    change.add_argument(
        "--remove-key", nargs=2, metavar=("ID", "FINGERPRINT"), help="remove a key; its beginning is enough"
    )
    data_argument(part)
    part.add_argument("--json", action="store_true", help="as one line of JSON")


def run_players(args: argparse.Namespace) -> int:
    """Apply the requested change, then print all players."""
    data_directory = open_data_directory(args)
    if args.rename:
        ask_hub(data_directory, "rename_player", player=args.rename[0], name=args.rename[1])
    if args.remove_key:
        ask_hub(data_directory, "remove_key", player=args.remove_key[0], fingerprint=args.remove_key[1])
    players = ask_hub(data_directory, "players")
    if args.json:
        print(msgspec.json.encode(players).decode())
        return 0
    for player in players:
        seats = ", ".join(f"{seat} of {game}" for game, seat in player["seats"])
        state = seats or ("visitor" if player["stranger"] else "no seat now")
        first, *others = player["keys"] or [""]
        print(f"{player['player']}  {player['name']:16} {first}  {state}")
        for key in others:
            print(f"{'':12}  {'':16} {key}")
    return 0


def seat_arguments(part: argparse.ArgumentParser) -> None:
    part.add_argument("game", metavar="GAME", help="a game of the server")
    part.add_argument("seat", nargs="?", default="", metavar="SEAT", help="one of its seats")
    part.add_argument("--to", metavar="WHO", help="a bot, person, nobody, free, or the id of a player")
    part.add_argument("--begin", action="store_true", help="begin the game without waiting until all are ready")
    part.add_argument("--rewind", metavar="LINE", help="take the game back to a line of its log")
    data_argument(part)


def run_seat(args: argparse.Namespace) -> int:
    """Assign a seat, rewind the game, or list the players."""
    data_directory = open_data_directory(args)
    players = {player["player"]: player for player in ask_hub(data_directory, "players")}
    if args.rewind:
        answer = ask_hub(data_directory, "rewind", game=args.game, line=args.rewind)
        if answer["reopened"]:
            print(f"{args.game} has not begun: players give new words for the dice and confirm the start again")
    elif args.begin:
        waits = ask_hub(data_directory, "begin", game=args.game)["waits_for"]
        waited = f"waiting two minutes for words from {', '.join(waits)}" if waits else "the dice are made"
        print(f"{args.game} begins; {waited}")
    elif not args.to:
        for id_, player in players.items():
            seats = ", ".join(seat for game, seat in player["seats"] if game == args.game)
            print(f"{id_}  {player['name']:16} {seats or '-'}")
    elif not args.seat:
        raise CommandError("--to needs a seat, as in 'paxtui seat friday france --to caretaker'")
    elif args.to == "free" or args.to in players:
        ask_hub(data_directory, "seat", game=args.game, seat=args.seat, player=args.to if args.to in players else "")
    else:
        ask_hub(data_directory, "sit", game=args.game, seat=args.seat, who=args.to)
    return 0


def status_arguments(part: argparse.ArgumentParser) -> None:
    data_argument(part)
    part.add_argument("--clear-limits", action="store_true", help="reset the limits of visitors and players")
    part.add_argument("--json", action="store_true", help="as one line of JSON")


def run_status(args: argparse.Namespace) -> int:
    """Print the hub's status of its games."""
    data_directory = open_data_directory(args)
    if args.clear_limits:
        ask_hub(data_directory, "clear_limits")
    status = ask_hub(data_directory, "status")
    if args.json:
        print(msgspec.json.encode(status).decode())
        return 0
    for game in status["games"]:
        if "trouble" in game:
            print(f"{game['game']}: {game['trouble']}")
            continue
        moment = f"turn {game['turn']}, {game['phase'].replace('_', ' ')}{', over' * game['over']}"
        print(f"{game['game']}: {moment}{', asleep' * game['asleep']}")
        since = {seat: f" (since {time[:16].replace('T', ' ')})" for seat, time in game["since"].items() if time}
        for title, seats in (("here", "here"), ("waits for", "waits_for"), ("free", "free")):
            known = since if seats == "waits_for" else {}
            print(f"  {title:10} {', '.join(seat + known.get(seat, '') for seat in game[seats]) or '-'}")
        print(f"  {'ready':10} {', '.join(game['ready']) or '-'}")
        print(f"  {'dice':10} {game['dice']}")
        if game["clock"]:
            print(f"  {'clock':10} {game['clock']}")
    print(f"{status['connected']} connected, {status['refused']} refused")
    for line in status["limits"]:
        print(f"limit: {line}")
    usual, slow = status["act_ms"]
    acts = f"{status['acts']} acts" + f", half within {usual} ms, 99 of 100 within {slow} ms" * bool(status["acts"])
    print(f"{acts}; {status['memory_mb']} MB")
    return 0


PARTS = ("front", "forks", "web")
"""Child processes of a server."""

STOP_TIMEOUT_S = 60.0
"""Maximum time for a server to stop, in seconds."""

STOP_POLL_S = 0.05
"""Interval between checks that it has stopped, in seconds."""


def stop_arguments(part: argparse.ArgumentParser) -> None:
    data_argument(part)


def run_stop(args: argparse.Namespace) -> int:
    """Stop the server and wait for its end."""
    stop_server(open_data_directory(args))
    return 0


def stop_server(data_directory: DataDirectory) -> None:
    """Stop a server and wait for the end of its processes. Raises: Refusal; CommandError if none runs or none ends."""
    ask_hub(data_directory, "stop")
    end = time.monotonic() + STOP_TIMEOUT_S
    while is_running(data_directory) or any(map(data_directory.running, PARTS)):
        if time.monotonic() > end:
            message = f"the server in {data_directory.root} did not stop within {STOP_TIMEOUT_S:.0f} seconds"
            raise CommandError(f"{message}: 'paxtui status' shows whether it still answers")
        time.sleep(STOP_POLL_S)


AUDIENCES = ("nobody", "known", "anybody")


def terms_arguments(part: argparse.ArgumentParser) -> None:
    part.add_argument("game", metavar="GAME", help="a game of the server")
    part.add_argument("--watch", choices=AUDIENCES, help="who may watch")
    part.add_argument("--delay", metavar="MINUTES", help="how far spectators are behind")
    part.add_argument("--talk", choices=("players", "everybody"), help="who may chat")
    part.add_argument("--seats", choices=AUDIENCES, help="who may take a free seat")
    data_argument(part)


def run_terms(args: argparse.Namespace) -> int:
    """Change the given terms and print all of them."""
    wanted = {name: value for name in ("watch", "delay", "talk", "seats") if (value := getattr(args, name)) is not None}
    terms = ask_hub(open_data_directory(args), "terms", game=args.game, **wanted)
    print(f"watch       {terms['watch']}{', ' + str(terms['delay']) + ' minutes behind' if terms['delay'] else ''}")
    print(f"chat        {terms['talk']}")
    print(f"free seats  {terms['seats']}")
    return 0
