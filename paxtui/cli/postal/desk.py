"""What a gamemaster asks of a mail game."""

from __future__ import annotations

import argparse
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

import msgspec

from paxtui.cli.outward.faults import CommandError
from paxtui.cli.postal.page import pages
from paxtui.engine.dice import Dice
from paxtui.pax.position.setup import seats_for
from paxtui.pax.postal.deadlines import PACES, WAITS, Kind
from paxtui.pax.postal.preferences import assigned
from paxtui.pax.words.names import index
from paxtui.pax.words.spoken import power_name
from paxtui.table.disk.files import typed_path
from paxtui.table.postal import seals
from paxtui.table.postal.arrivals import Status
from paxtui.table.postal.desk import Desk, Reports, desk_of
from paxtui.table.postal.folder import MARKDOWN, PAGE, PUBLIC, TEXT, Folder
from paxtui.table.postal.keeping.moments import meant
from paxtui.table.postal.keeping.transfer import to_mail
from paxtui.table.postal.terms import said
from paxtui.table.tables import load_tables


def new(args: argparse.Namespace) -> int:
    """Begin a game."""
    if args.log:
        return _from_table(args)
    if not 4 <= args.players <= 8:
        raise CommandError(f"--players takes 4 to 8, not {args.players}")
    tables, seats = load_tables(), seats_for(args.players)
    options = dict(_pair("--option", text) for text in args.option)
    if args.players == 8:
        options.setdefault("belgium", "yes")
    find = index(tables).powers.find
    players = {find(seat): name for seat, name in (_pair("--player", text) for text in args.player)}
    if unknown := set(players) - set(seats):
        raise CommandError(f"--player {', '.join(sorted(unknown))}: the seats are {', '.join(seats)}")
    if args.fair and args.seed:
        raise CommandError("--fair takes no --seed: whoever guesses the seed knows the dice; leave --seed out")
    seed = args.seed or secrets.token_hex(16)
    sealed = args.sealed or args.two_step
    if sealed:
        seals.check()
    if args.wish:
        players = _by_wishes([_pair("--wish", text) for text in args.wish], seats, find, seed)
    days = _lengths(args)
    with _new_folder(args.dir) as folder:
        desk = Desk.begin(
            folder, tables, seats, seed=seed, options=options, players=players, days=days, sealed=sealed,
            two_step=args.two_step, fair=args.fair, draw=pages,
        )  # fmt: skip
    for seat in seats if sealed else ():
        print(f"{seat:16}{desk.new_code(seat)}")
    _tell(desk, desk.status())
    return 0


@contextmanager
def _new_folder(name: str) -> Iterator[Folder]:
    """Make a directory for a new game; when the game cannot begin, nothing of it stays.

    Raises: Refusal `exists`; OSError.
    """
    root = typed_path(name)
    was_there = root.exists()
    folder = Folder.made(root)
    try:
        yield folder
    except BaseException:
        folder.discard()
        if not was_there:
            with suppress(OSError):
                root.rmdir()
        raise


def _from_table(args: argparse.Namespace) -> int:
    """Go on by mail with a game that was played at a table."""
    given = [name for name in ("player", "wish", "option", "seed", "fair") if getattr(args, name)]
    if given:
        raise CommandError(f"--from takes no --{given[0]}: the game has its own")
    days, log = _lengths(args), typed_path(args.log)
    with _new_folder(args.dir) as folder:
        desk = to_mail(folder, log, days=days, sealed=args.sealed, two_step=args.two_step, draw=pages)
    for seat in desk.terms.waits_for if desk.terms.desk_key else ():
        print(f"{seat:16}{desk.new_code(seat)}")
    _tell(desk, desk.status())
    return 0


def _by_wishes(
    wishes: Sequence[tuple[str, str]], seats: Sequence[str], find: Callable[[str], str], seed: str
) -> dict[str, str]:
    """The players by seat. Rules: PBM-003."""
    lists = {name: [find(seat.strip()) for seat in said.split(",")] for name, said in wishes}
    found = assigned(lists, seats, Dice(f"{seed}|seats"))
    return {seat: name for name, seat in found.items()}


def _lengths(args: argparse.Namespace) -> dict[Kind, int]:
    """Days of each kind of stop that is not as long as usual."""
    chosen = {**PACES[args.pace], **dict(_days(text) for text in args.days)}
    return {kind: days for kind, days in chosen.items() if days != WAITS[kind].days}


def _days(text: str) -> tuple[Kind, int]:
    """A kind of stop and its days. Raises: CommandError."""
    name, number = _pair("--days", text)
    try:
        weeks = number.casefold().endswith("w")
        kind, days = msgspec.convert(name, Kind), int(number[:-1]) * 7 if weeks else int(number)
    except (msgspec.ValidationError, ValueError):
        raise CommandError(f"--days {text}: it takes {'=N, '.join(WAITS)}=N days, or 3w for weeks") from None
    if not 1 <= days <= 3650:
        raise CommandError(f"--days {text}: from 1 to 3650 days")
    return kind, days


def _pair(option: str, text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip() or not value.strip():
        raise CommandError(f"{option} takes NAME=VALUE, not {text!r}")
    return name.strip(), value.strip()


def code(args: argparse.Namespace) -> int:
    """Print a fresh code for a seat."""
    print(desk_of(args.dir, draw=pages).new_code(index(load_tables()).powers.find(args.seat)))
    return 0


def status(args: argparse.Namespace) -> int:
    """Say how a game stands."""
    desk = desk_of(args.dir, draw=pages)
    _tell(desk, desk.status())
    return 0


def adjudicate(args: argparse.Namespace) -> int:
    """Open the forms, or only show what would come of it."""
    desk = desk_of(args.dir, draw=pages)
    if args.dry_run:
        if desk.trial_closes:
            print("after a dry run of this game no more forms are taken for the stop; the next report says so")
        _print(desk.dry_run())
        return 0
    _tell(desk, desk.adjudicate())
    return 0


def deadline(args: argparse.Namespace) -> int:
    """Set another deadline."""
    desk = desk_of(args.dir, draw=pages)
    desk.extend(meant(args.time, desk.terms.deadline, desk.now()))
    _tell(desk, desk.status())
    return 0


def report(args: argparse.Namespace) -> int:
    """Print a report."""
    desk = desk_of(args.dir, draw=pages)
    name = index(load_tables()).powers.find(args.seat) if args.seat else PUBLIC
    reports = desk.reports(args.stop or desk.terms.stop)
    if name + TEXT not in reports:
        raise CommandError(f"there is no seat {name} in this game")
    print(reports[name + {"text": TEXT, "markdown": MARKDOWN, "html": PAGE}[args.format]], end="")
    return 0


def _print(reports: Reports) -> None:
    for name, text in reports.items():
        if name.endswith(TEXT):
            print(f"=== {name}\n{text}")


def _tell(desk: Desk, found: Status) -> None:
    """Say how a game stands."""
    terms, tables = found.terms, load_tables()
    print(f"game {terms.game} in {desk.folder.root}")
    if terms.over:
        print(f"the game is over; its last reports lie in {desk.folder.reports_of(terms.stop)}")
        return
    passed = " (passed)" if found.closed else ""
    print(f"stop {terms.stop}: {terms.asks}; deadline {said(terms.deadline)}{passed}")
    if terms.opening:
        print(f"no more forms are taken; their keys are waited for until {said(terms.opening)}")
    if terms.paused:
        print(f"paused: 'paxtui postal resume {desk.folder.root}' lets the clock go on")
    ready = [seat for seat in found.arrived if seat not in found.extend]
    print(f"arrived: {_named(terms.players, ready, lambda seat: power_name(tables, seat))}")
    print(f"missing: {_named(terms.players, found.missing, lambda seat: power_name(tables, seat))}")
    for seat, days in found.extend.items():
        grant = f"'paxtui postal deadline {desk.folder.root} +{days}' grants it"
        print(f"{power_name(tables, seat)} asks for {days} more days: {grant}")
    for seat, until in terms.away.items():
        print(f"{power_name(tables, seat)} is on vacation until {until}: the caretaker plays, and a form ends it")
    if terms.opening:
        print(f"keys missing: {_named(terms.players, found.keys_missing, lambda seat: power_name(tables, seat))}")
    for name, why in found.refused.items():
        print(f"not taken: {name}: {why}")
    if found.may_open:
        print(f"the forms may be opened: paxtui postal adjudicate {desk.folder.root}")
    else:
        print(f"reports to send: {desk.folder.reports_of(terms.stop)}")


def _named(players: Mapping[str, str], seats: Sequence[str], name: Callable[[str], str]) -> str:
    """Some seats, with their players where these are known."""
    return ", ".join(f"{name(s)} ({players[s]})" if players.get(s) else name(s) for s in seats) or "none"
