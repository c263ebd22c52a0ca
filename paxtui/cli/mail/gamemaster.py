"""The gamemaster's subcommands of `postal`: set up, adjudicate, deadlines, pauses, replacements and the audit."""

from __future__ import annotations

import argparse
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from paxtui.cli.mail.pages import report_pages
from paxtui.cli.runtime import CommandError
from paxtui.engine.dice import Dice
from paxtui.games.pax.mail.stops import PACES, STOP_DEADLINES, StopKind
from paxtui.games.pax.position.setup import assign_seats, seats_for
from paxtui.games.pax.text.display import power_name
from paxtui.games.pax.text.parsing import name_index
from paxtui.mail import administration, keys
from paxtui.mail.administration import convert_to_mail
from paxtui.mail.audit import audit_game
from paxtui.mail.game_directory import (
    MARKDOWN_SUFFIX,
    PAGE_SUFFIX,
    PUBLIC_REPORT,
    TEXT_SUFFIX,
    GameDirectory,
    deadline_text,
    parse_deadline,
)
from paxtui.mail.gamemaster import GamemasterService, Reports, open_gamemaster
from paxtui.mail.submissions import MailStatus
from paxtui.session.storage.files import typed_path
from paxtui.session.tables.loader import load_tables


def run_new_game(args: argparse.Namespace) -> int:
    """Set up a game."""
    if args.log:
        return _from_table(args)
    if args.scenario:
        first = f"paxtui new --scenario {args.scenario} --no-play --file game.jsonl"
        raise CommandError(f"--scenario: begin with '{first}', then 'paxtui postal new {args.dir} --from game.jsonl'")
    if not 4 <= args.players <= 8:
        raise CommandError(f"--players takes 4 to 8, not {args.players}")
    tables_dir = Path(args.tables) if args.tables else None
    tables, seats = load_tables(tables_dir), seats_for(args.players)
    options = dict(_split_pair("--option", text) for text in args.option)
    if args.players == 8:
        options.setdefault("belgium", "yes")
    find = name_index(tables).powers.find
    players = {find(seat): name for seat, name in (_split_pair("--player", text) for text in args.player)}
    if unknown := set(players) - set(seats):
        raise CommandError(f"--player {', '.join(sorted(unknown))}: the seats are {', '.join(seats)}")
    if args.fair and args.seed:
        raise CommandError("--fair cannot be combined with --seed: a known seed reveals the dice")
    seed = args.seed or secrets.token_hex(16)
    sealed = args.sealed or args.two_step
    if sealed:
        keys.check_library()
    if args.wish:
        players = _assign_by_preferences([_split_pair("--wish", text) for text in args.wish], seats, find, seed)
    days = _lengths(args)
    with new_folder(args.dir) as folder:
        service = GamemasterService.begin(
            folder, tables, seats, seed=seed, options=options, players=players, days=days, sealed=sealed,
            two_step=args.two_step, fair=args.fair, draw=report_pages, tables_dir=tables_dir,
        )  # fmt: skip
    for seat in seats if sealed else ():
        print(f"{seat:16}{service.new_code(seat)}")
    _print_status(service, service.status())
    return 0


@contextmanager
def new_folder(name: str) -> Iterator[GameDirectory]:
    """Make the directory of a new game, and remove it if the game cannot begin.

    Raises: Refusal `exists`; OSError.
    """
    root = typed_path(name)
    was_there = root.exists()
    folder = GameDirectory.made(root)
    try:
        yield folder
    except BaseException:
        folder.discard()
        if not was_there:
            with suppress(OSError):
                root.rmdir()
        raise


def _from_table(args: argparse.Namespace) -> int:
    """Continue a saved game by mail."""
    given = [name for name in ("player", "wish", "option", "seed", "fair") if getattr(args, name)]
    if given:
        raise CommandError(f"--from cannot be combined with --{given[0]}: the saved game sets it")
    days, log = _lengths(args), typed_path(args.log)
    with new_folder(args.dir) as folder:
        service = convert_to_mail(folder, log, days=days, sealed=args.sealed, two_step=args.two_step, draw=report_pages)
    for seat in service.terms.waits_for if service.terms.desk_key else ():
        print(f"{seat:16}{service.new_code(seat)}")
    _print_status(service, service.status())
    return 0


def _assign_by_preferences(
    wishes: Sequence[tuple[str, str]], seats: Sequence[str], find: Callable[[str], str], seed: str
) -> dict[str, str]:
    """Return the players by seat. Rules: PBM-003."""
    lists = {name: [find(seat.strip()) for seat in text.split(",")] for name, text in wishes}
    found = assign_seats(lists, seats, Dice(f"{seed}|seats"))
    return {seat: name for name, seat in found.items()}


def _lengths(args: argparse.Namespace) -> dict[StopKind, int]:
    """Return the days of each kind of stop that differs from the default."""
    chosen = {**PACES[args.pace], **dict(_stop_days(text) for text in args.days)}
    return {kind: days for kind, days in chosen.items() if days != STOP_DEADLINES[kind].days}


def _stop_days(text: str) -> tuple[StopKind, int]:
    """Parse a kind of stop and its days. Raises: CommandError."""
    name, number = _split_pair("--days", text)
    try:
        weeks = number.casefold().endswith("w")
        kind, days = msgspec.convert(name, StopKind), int(number[:-1]) * 7 if weeks else int(number)
    except (msgspec.ValidationError, ValueError):
        raise CommandError(f"--days {text}: use {'=N, '.join(STOP_DEADLINES)}=N with days, or 3w for weeks") from None
    if not 1 <= days <= 3650:
        raise CommandError(f"--days {text}: days must be 1 to 3650")
    return kind, days


def _split_pair(option: str, text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip() or not value.strip():
        raise CommandError(f"{option} takes NAME=VALUE, not {text!r}")
    return name.strip(), value.strip()


def run_code(args: argparse.Namespace) -> int:
    """Print a new invitation code for a seat."""
    print(open_gamemaster(args.dir, draw=report_pages).new_code(name_index(load_tables()).powers.find(args.seat)))
    return 0


def run_status(args: argparse.Namespace) -> int:
    service = open_gamemaster(args.dir, draw=report_pages)
    _print_status(service, service.status())
    return 0


def run_adjudicate(args: argparse.Namespace) -> int:
    """Adjudicate a stop, or only print its reports."""
    service = open_gamemaster(args.dir, draw=report_pages)
    if args.dry_run:
        if service.dry_run_closes:
            print("this dry run closes the stop: no more forms are accepted, and the next report says so")
        _print_reports(service.dry_run().reports)
        return 0
    _print_status(service, service.adjudicate())
    return 0


def run_deadline(args: argparse.Namespace) -> int:
    service = open_gamemaster(args.dir, draw=report_pages)
    service.extend(parse_deadline(args.time, service.terms.deadline, service.now()))
    _print_status(service, service.status())
    return 0


def run_report(args: argparse.Namespace) -> int:
    service = open_gamemaster(args.dir, draw=report_pages)
    name = name_index(load_tables()).powers.find(args.seat) if args.seat else PUBLIC_REPORT
    reports = service.reports(args.stop or service.terms.stop)
    if name + TEXT_SUFFIX not in reports:
        raise CommandError(f"no seat {name} in this game")
    print(reports[name + {"text": TEXT_SUFFIX, "markdown": MARKDOWN_SUFFIX, "html": PAGE_SUFFIX}[args.format]], end="")
    return 0


def _print_reports(reports: Reports) -> None:
    for name, text in reports.items():
        if name.endswith(TEXT_SUFFIX):
            print(f"=== {name}\n{text}")


def _print_status(service: GamemasterService, found: MailStatus) -> None:
    terms, tables = found.terms, load_tables()
    print(f"game {terms.game} in {service.folder.root}")
    if terms.over:
        print(f"the game is over; the last reports are in {service.folder.reports_of(terms.stop)}")
        return
    passed = " (passed)" if found.closed else ""
    print(f"stop {terms.stop}: {terms.asks}; deadline {deadline_text(terms.deadline)}{passed}")
    if terms.opening:
        print(f"forms are closed; waiting for their keys until {deadline_text(terms.opening)}")
    if terms.paused:
        print(f"paused; run 'paxtui postal resume {service.folder.root}' to continue")
    ready = [seat for seat in found.arrived if seat not in found.extend]

    def names(seats: Sequence[str]) -> str:
        return name_seats(terms.players, seats, lambda seat: power_name(tables, seat))

    print(f"arrived: {names(ready)}")
    print(f"missing: {names(found.missing)}")
    for seat, days in found.extend.items():
        grant = f"'paxtui postal deadline {service.folder.root} +{days}' grants them"
        print(f"{power_name(tables, seat)} requests {days} more days: {grant}")
    for seat, until in terms.away.items():
        print(f"{power_name(tables, seat)} is on vacation until {until}: the caretaker plays until a form arrives")
    if terms.opening:
        print(f"keys missing: {names(found.keys_missing)}")
    for name, why in found.refused.items():
        print(f"rejected: {name}: {why}")
    if found.may_open:
        print(f"ready to adjudicate: paxtui postal adjudicate {service.folder.root}")
    else:
        print(f"reports to send: {service.folder.reports_of(terms.stop)}")


def name_seats(players: Mapping[str, str], seats: Sequence[str], name: Callable[[str], str]) -> str:
    """Return the names of seats, with their players if known."""
    return ", ".join(f"{name(s)} ({players[s]})" if players.get(s) else name(s) for s in seats) or "none"


def run_pause(args: argparse.Namespace) -> int:
    """Stop the clock."""
    terms = administration.pause_game(open_gamemaster(args.dir, draw=report_pages))
    print(f"stop {terms.stop} is paused; run 'paxtui postal resume {args.dir}' to continue")
    return 0


def run_resume(args: argparse.Namespace) -> int:
    """Restart the clock."""
    terms = administration.resume_game(open_gamemaster(args.dir, draw=report_pages))
    print(f"stop {terms.stop} continues; deadline {deadline_text(terms.deadline)}")
    return 0


def run_open(args: argparse.Namespace) -> int:
    """Print the submitted forms before the deadline; every report will say so."""
    if not args.early:
        raise CommandError("'open' needs --early: it prints the forms before the deadline and notifies all players")
    tables = load_tables()
    for seat, text in administration.open_forms_early(open_gamemaster(args.dir, draw=report_pages)).items():
        print(f"=== {power_name(tables, seat)}\n{text.rstrip()}\n")
    return 0


def run_caretaker(args: argparse.Namespace) -> int:
    """Give a seat to the caretaker."""
    seat = name_index(load_tables()).powers.find(args.seat)
    administration.assign_caretaker(open_gamemaster(args.dir, draw=report_pages), seat)
    print(
        f"{power_name(load_tables(), seat)} is now played by the caretaker; 'paxtui postal replace' gives it to a "
        "player"
    )
    return 0


def run_replace(args: argparse.Namespace) -> int:
    """Give a seat to a new player."""
    seat = name_index(load_tables()).powers.find(args.seat)
    code = administration.assign_player(open_gamemaster(args.dir, draw=report_pages), seat, args.name)
    print(
        f"{power_name(load_tables(), seat)} is now played by {args.name}"
        + (f"; invitation code: {code}" if code else "")
    )
    return 0


def run_due(args: argparse.Namespace) -> int:
    """Adjudicate what is due, once or at an interval."""
    if args.every is not None and not 1 <= args.every <= 86_400:
        raise CommandError("--every must be 1 to 86400 seconds")

    def print_line(text: str) -> None:
        print(text, flush=True)

    service = open_gamemaster(args.dir, draw=report_pages)
    if args.every is not None:
        administration.run_until_over(service, args.every, print_line)
        return 0
    lines = list(administration.run_due_tasks(service))
    for text in lines:
        print_line(text)
    if not lines:
        found = service.status()
        what, seats = ("keys missing", found.keys_missing) if found.terms.opening else ("missing", found.missing)
        missing = ", ".join(power_name(load_tables(), seat) for seat in seats) or "none"
        print_line("the game is over" if found.terms.over else f"nothing is due; {what}: {missing}")
    return 0


def run_audit(args: argparse.Namespace) -> int:
    """Verify a game from its files; the exit code is 1 if something does not match."""
    found = audit_game(open_gamemaster(args.dir, draw=report_pages))
    proved = (
        (found.stops, "stops"), (found.forms, "forms"), (found.signatures, "signatures"), (found.dice, "dice"),
        (found.reports, "reports"),
    )  # fmt: skip
    for left in found.left:
        print(f"not verified: {left}")
    if found.fault is not None:
        print(f"mismatch: {found.fault}")
        return 1
    print("verified: " + ", ".join(f"{number} {what}" for number, what in proved))
    return 0
