"""Letters of a mail game, carried by e-mail."""

from __future__ import annotations

import argparse

from paxtui.cli.postal.page import pages
from paxtui.pax.words.spoken import power_name
from paxtui.postal.courier import Courier, Round
from paxtui.postal.settings import read_settings
from paxtui.table.postal.desk import desk_of
from paxtui.table.tables import load_tables


def mail(args: argparse.Namespace) -> int:
    """Fetch the letters, answer them, and send reports that have not been sent; 1 where some could not be sent."""
    courier = courier_of(args.dir)
    if args.remind:
        reminded = courier.remind()
        print(f"reminded: {_named(reminded)}")
    done = courier.round()
    print("\n".join(said(done)))
    return 1 if done.waiting else 0


def courier_of(path: str) -> Courier:
    """Who carries the letters of a game. Raises: Refusal, OSError."""
    desk = desk_of(path, draw=pages)
    return Courier(desk, read_settings(desk.folder, desk.terms.players))


def said(done: Round) -> list[str]:
    """What a round has done, a line for each matter."""
    out = [f"taken: {_named(done.taken)}"]
    out += [f"refused: {sender or 'somebody'}: {' '.join(why.split())}" for sender, why in done.refused]
    out.append(f"sent: {done.sent}" + (f"; {done.waiting} wait to be sent" if done.waiting else ""))
    return [*out, *done.told]


def _named(seats: tuple[str, ...]) -> str:
    tables = load_tables()
    return ", ".join(power_name(tables, seat) for seat in seats) or "none"
