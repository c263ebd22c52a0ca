"""What keeps a mail game going beside its turns: pauses, other players, a game without a gamemaster, and its proof."""

from __future__ import annotations

import argparse

from paxtui.cli.outward.faults import CommandError
from paxtui.cli.postal.page import pages
from paxtui.pax.words.names import index
from paxtui.pax.words.spoken import power_name
from paxtui.table.postal.desk import desk_of
from paxtui.table.postal.keeping import care, runner
from paxtui.table.postal.keeping.audit import audit as audit_of
from paxtui.table.postal.terms import said
from paxtui.table.tables import load_tables


def pause(args: argparse.Namespace) -> int:
    """Stop the clock."""
    terms = care.pause(desk_of(args.dir, draw=pages))
    print(f"stop {terms.stop} is paused: no deadline passes until 'paxtui postal resume {args.dir}'")
    return 0


def resume(args: argparse.Namespace) -> int:
    """Let the clock go on."""
    terms = care.go_on(desk_of(args.dir, draw=pages))
    print(f"stop {terms.stop} goes on; deadline {said(terms.deadline)}")
    return 0


def open_forms(args: argparse.Namespace) -> int:
    """Print the forms that have come in before they are due, which every report will tell."""
    if not args.early:
        raise CommandError("'adjudicate' opens forms when they are due; --early shows them before, and tells everybody")
    tables = load_tables()
    for seat, text in care.open_early(desk_of(args.dir, draw=pages)).items():
        print(f"=== {power_name(tables, seat)}\n{text.rstrip()}\n")
    return 0


def caretaker(args: argparse.Namespace) -> int:
    """Hand a seat to the caretaker."""
    seat = index(load_tables()).powers.find(args.seat)
    care.to_caretaker(desk_of(args.dir, draw=pages), seat)
    print(f"{power_name(load_tables(), seat)} is played by the caretaker; 'postal replace' gives it to a player again")
    return 0


def replace(args: argparse.Namespace) -> int:
    """Give a seat to another player."""
    seat = index(load_tables()).powers.find(args.seat)
    code = care.to_player(desk_of(args.dir, draw=pages), seat, args.name)
    print(f"{power_name(load_tables(), seat)} is {args.name}'s" + (f"; their code: {code}" if code else ""))
    return 0


def run(args: argparse.Namespace) -> int:
    """Do what is due, once or again and again."""
    if args.every is not None and not 1 <= args.every <= 86_400:
        raise CommandError("--every takes 1 to 86400 seconds")

    def say(text: str) -> None:
        print(text, flush=True)

    desk = desk_of(args.dir, draw=pages)
    if args.every is not None:
        runner.keep_looking(desk, args.every, say)
        return 0
    told = list(runner.look(desk))
    for text in told:
        say(text)
    if not told:
        found = desk.status()
        what, seats = ("keys missing", found.keys_missing) if found.terms.opening else ("missing", found.missing)
        missing = ", ".join(power_name(load_tables(), seat) for seat in seats) or "none"
        say("the game is over" if found.terms.over else f"nothing is due; {what}: {missing}")
    return 0


def audit(args: argparse.Namespace) -> int:
    """Prove a game from its files; the exit code is 1 where something does not fit."""
    found = audit_of(desk_of(args.dir, draw=pages))
    proved = (
        (found.stops, "stops"), (found.forms, "forms"), (found.signatures, "signatures"), (found.dice, "dice"),
        (found.reports, "reports"),
    )  # fmt: skip
    for left in found.left:
        print(f"not proved: {left}")
    if found.fault is not None:
        print(f"does not fit: {found.fault}")
        return 1
    print("sound: " + ", ".join(f"{number} {what}" for number, what in proved))
    return 0


