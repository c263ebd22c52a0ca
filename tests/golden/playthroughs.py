"""Kept games as texts, to be read: each act with what came of it. A change of the rules or of the words is a diff.

    python -m tests.golden.playthroughs record      # write the texts anew
    python -m tests.golden.playthroughs compare     # say what is other than recorded
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path

from paxtui import __version__
from paxtui.engine.seats import ARBITER
from paxtui.pax.narration.narrate import Narrator
from paxtui.pax.orders import actions as ac
from paxtui.pax.orders.notation import text_of
from paxtui.table.authority import Table
from tests.places import SAVES

TEXTS = Path(__file__).with_name("playthroughs")
GAMES = tuple(
    f"{name}-{__version__}"
    for name in ("congress", "great-war", "ottoman-war", "rebellion-won", "russo-japanese", "scenes", "tension")
)
"""The games whose text is kept: those that are short."""


def told(name: str) -> str:
    """A game as a text."""
    with Table.open(SAVES / f"{name}.jsonl", write=False) as table:
        return "\n".join(_lines(table)) + "\n"


def _lines(table: Table) -> Iterator[str]:
    narrator = Narrator(table.tables, table.state_for(ARBITER, 1))
    for line in table.game.lines:
        if line.kind != "act":
            yield f"{line.n} {line.seat}: {line.kind} {line.target or ''}".rstrip()
            continue
        action = table.read(line.action)
        said = "sets up a position" if isinstance(action, ac.SetPosition) else text_of(table.tables, action)
        yield f"{line.n} {line.seat}: {said}"
        for event in table.game.events(line.n):
            text = narrator.tell(event)
            if text:
                yield f"    {text}"


def differences() -> list[str]:
    """What is other than recorded, game by game, as a diff."""
    out: list[str] = []
    for name in GAMES:
        recorded = (TEXTS / f"{name}.txt").read_text("utf-8").splitlines(True)
        out += unified_diff(recorded, told(name).splitlines(True), f"{name}, recorded", f"{name}, found", n=1)
    return out


def main() -> int:
    """Record or compare."""
    args = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    args.add_argument("what", choices=("record", "compare"))
    if args.parse_args().what == "record":
        TEXTS.mkdir(exist_ok=True)
        for name in GAMES:
            (TEXTS / f"{name}.txt").write_text(told(name), encoding="utf-8")
        return 0
    found = differences()
    sys.stdout.writelines(found)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
