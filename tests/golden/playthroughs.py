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

from paxtui.engine.log import parse
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.notation import format_order
from paxtui.games.pax.game import PaxGame
from paxtui.games.pax.narration.narrator import Narrator
from tests.places import SAVES
from tests.rules.harness import tables

TEXTS = Path(__file__).with_name("playthroughs")
GAMES = tuple(
    f"{name}-0.2.0"
    for name in ("congress", "great-war", "ottoman-war", "rebellion-won", "russo-japanese", "scenes", "tension")
)
"""The games whose text is kept: those that are short."""


def told(name: str) -> str:
    """A game as a text."""
    return "\n".join(_lines(name)) + "\n"


def _lines(name: str) -> Iterator[str]:
    # as the log has it: nothing is played again, so it takes milliseconds
    log, rules = parse((SAVES / f"{name}.jsonl").read_bytes()), PaxGame(tables())
    narrator = Narrator(tables(), rules.decode_state(log.header.start))
    for line in log.lines:
        if line.kind != "act":
            yield f"{line.n} {line.seat}: {line.kind} {line.target or ''}".rstrip()
            continue
        action = rules.decode_action(line.action)
        said = "sets up a position" if isinstance(action, actions.SetPosition) else format_order(tables(), action)
        yield f"{line.n} {line.seat}: {said}"
        for raw in line.events:
            text = narrator.tell(rules.decode_event(raw))
            if text:
                yield f"    {text}"


def differences(name: str) -> list[str]:
    """What of a game is other than recorded, as a diff."""
    recorded = (TEXTS / f"{name}.txt").read_text("utf-8").splitlines(True)
    return [*unified_diff(recorded, told(name).splitlines(True), f"{name}, recorded", f"{name}, found", n=1)]


def main() -> int:
    """Record or compare."""
    args = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    args.add_argument("what", choices=("record", "compare"))
    if args.parse_args().what == "record":
        TEXTS.mkdir(exist_ok=True)
        for name in GAMES:
            (TEXTS / f"{name}.txt").write_text(told(name), encoding="utf-8")
        return 0
    found = [line for name in GAMES for line in differences(name)]
    sys.stdout.writelines(found)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
