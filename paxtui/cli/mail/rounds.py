"""Subcommands of `postal` for games that are played in rounds: all but Pax Britannica."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence

from paxtui.cli.mail.gamemaster import name_seats, new_folder
from paxtui.cli.runtime import CommandError
from paxtui.mail.game_directory import (
    PUBLIC_REPORT,
    TEXT_SUFFIX,
    GameDirectory,
    deadline_text,
    parse_deadline,
    read_small,
)
from paxtui.mail.rounds import ROUND_DAYS, RoundMaster
from paxtui.mail.submissions import decode_form, now_utc
from paxtui.session.games import GAME_KINDS, find_scenario
from paxtui.session.storage.files import typed_path

PAX_ONLY = ("wish", "option", "log", "sealed", "two_step", "fair")
"""Arguments of `new` that games in rounds do not have."""


def read_form(name: str) -> str:
    """Read a form from a file, or from standard input for `-`. Raises: Refusal, OSError."""
    data = sys.stdin.buffer.read() if name == "-" else read_small(typed_path(name))
    return decode_form(data)


def run_new_round_game(args: argparse.Namespace) -> int:
    """Set up a game in rounds."""
    if given := next((name for name in PAX_ONLY if getattr(args, name)), ""):
        raise CommandError(f"--{given.replace('_', '-')} is for Pax Britannica only")
    scenario = find_scenario(args.game, args.scenario)
    rules = GAME_KINDS[args.game].start(scenario.id, None)
    players = {}
    for text in args.player:
        seat, equals, name = text.partition("=")
        if not equals:
            raise CommandError(f"--player takes SEAT=NAME, not {text!r}")
        players[rules.find_seat(seat)] = name.strip()
    with new_folder(args.dir) as folder:
        master = RoundMaster.begin(
            folder, args.game, scenario=scenario.id, seed=args.seed, players=players, round_days=_round_days(args.days)
        )
    return _print_status(master)


def _round_days(texts: Sequence[str]) -> int:
    days = ROUND_DAYS
    for text in texts:
        kind, _, number = text.partition("=")
        if kind != "round" or not number.isdecimal() or not 1 <= int(number) <= 3650:
            raise CommandError(f"--days {text}: use round=N with 1 to 3650 days")
        days = int(number)
    return days


def _print_status(master: RoundMaster) -> int:
    found = master.status()
    terms, folder = found.terms, master.folder

    def names(seats: Sequence[str]) -> str:
        return name_seats(terms.players, seats, str)

    print(f"game {terms.game} in {folder.root}")
    if terms.over:
        print(f"the game is over; the last reports are in {folder.reports_of(terms.stop)}")
        return 0
    print(f"stop {terms.stop}: orders from {names(terms.waits_for)}; deadline {deadline_text(terms.deadline)}")
    print(f"arrived: {names(found.arrived)}")
    print(f"missing: {names(found.missing)}")
    if found.can_adjudicate:
        print(f"ready to adjudicate: paxtui postal adjudicate {folder.root}")
    else:
        print(f"reports to send: {folder.reports_of(terms.stop)}")
    return 0


def _master(args: argparse.Namespace) -> RoundMaster:
    return RoundMaster(GameDirectory(typed_path(args.dir)))


def run_round_status(args: argparse.Namespace) -> int:
    return _print_status(_master(args))


def run_round_submit(args: argparse.Namespace) -> int:
    master = _master(args)
    path = master.submit(read_form(args.file), args.seat)
    print(f"{path}: submitted for stop {master.terms.stop}; deadline {deadline_text(master.terms.deadline)}")
    return 0


def run_round_withdraw(args: argparse.Namespace) -> int:
    """Withdraw the submitted form."""
    master = _master(args)
    master.withdraw(args.seat)
    print(f"your form for stop {master.terms.stop} is withdrawn; deadline {deadline_text(master.terms.deadline)}")
    return 0


def run_round_adjudicate(args: argparse.Namespace) -> int:
    if args.dry_run:
        raise CommandError("--dry-run is for Pax Britannica only")
    master = _master(args)
    master.adjudicate()
    return _print_status(master)


def run_round_deadline(args: argparse.Namespace) -> int:
    master = _master(args)
    master.extend(parse_deadline(args.time, master.terms.deadline, now_utc()))
    return _print_status(master)


def run_round_report(args: argparse.Namespace) -> int:
    master = _master(args)
    path = master.folder.reports_of(args.stop or master.terms.stop) / ((args.seat or PUBLIC_REPORT) + TEXT_SUFFIX)
    print(decode_form(read_small(path)), end="")
    return 0


ROUND_COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "status": run_round_status,
    "submit": run_round_submit,
    "withdraw": run_round_withdraw,
    "adjudicate": run_round_adjudicate,
    "deadline": run_round_deadline,
    "report": run_round_report,
}
"""The subcommands that games in rounds have."""
