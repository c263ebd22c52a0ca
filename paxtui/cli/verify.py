"""Check a saved game: account for every line of it, and decide every act again under today's rules.

exit codes:
  0  sound: the header, the start, every act, undo and note, and the order of times are accounted for, and every act
     would be decided alike today
  3  the chain is sound, and what is open are acts alone, which are named: the game began under an earlier number of
     the rules, and they would be decided otherwise today; or they rolled fair dice, the seed of which is promised in
     the header and told when the game is over
  1  anything else differs: the file was changed or damaged
  2  a file is no log that can be read, or its chain is broken
Of several files the worst counts, in the order 2, 1, 3, 0.

A last line that was cut off while it was written is a warning: nobody was told that its act was accepted. The lines
before it are judged as usual.

The chain of the lines has no key: whoever writes a whole log anew by the rules, or takes whole lines off its end, is
not found out.

examples:
  paxtui verify saves/ten-turns.jsonl
  paxtui verify game.jsonl && echo sound
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from paxtui.engine.verify import Difference
    from paxtui.table.authority import Table
    from paxtui.table.verification import Verdict


def arguments(part: argparse.ArgumentParser) -> None:
    """The arguments of `verify`."""
    part.add_argument("file", nargs="+", metavar="FILE", help="saved games")


def run(args: argparse.Namespace) -> int:
    """Verify each file; the worst of their exit codes."""
    from paxtui.cli.outward.faults import explain
    from paxtui.engine.log import FIRST_RULEBOOK, BrokenLog
    from paxtui.table.authority import Table
    from paxtui.table.disk.store import rulebook_of
    from paxtui.table.tables import TableError
    from paxtui.table.verification import Verdict

    worst = (Verdict.SOUND, Verdict.ACTS_ALONE, Verdict.DIFFERENT, Verdict.UNREADABLE)
    found = Verdict.SOUND
    for name in args.file:
        try:
            exercise = rulebook_of(Path(name)) != FIRST_RULEBOOK
            if exercise:
                told = _exercise(Path(name))
            else:
                table = Table.open(Path(name), write=False)
                told = partial(_tell, name, table, table.verify())
        except OSError as error:  # which names the file
            print(f"paxtui: {explain(error)}", file=sys.stderr)
            one = Verdict.UNREADABLE
        except (BrokenLog, TableError) as error:
            print(f"paxtui: {name}: {error}", file=sys.stderr)
            one = Verdict.UNREADABLE
        else:
            one = told()
        found = max(found, one, key=worst.index)
    return int(found)


def _exercise(path: Path) -> Callable[[], Verdict]:
    """Check an exercise of Empires in Arms; what says what has come of it. Raises: OSError, BrokenLog, TableError."""
    from paxtui.cli.exercises.shown import checked

    return checked(path)


def _tell(name: str, table: Table, differences: list[Difference]) -> Verdict:
    """Say what has come of it, what differs first."""
    from paxtui.table.verification import Verdict, verdict

    header, lines = table.game.header, table.game.lines
    came_to = verdict(header, differences)
    acts = sum(1 for line in lines if line.kind == "act")
    seedless = [difference for difference in differences if difference.what == "no_seed"]
    for difference in differences:
        if difference in seedless[1:]:
            continue
        print(f"{name}: {_place(table, difference.line)}: {difference.message}")
    if len(seedless) > 1:
        print(f"{name}: and so it is with {len(seedless) - 1} more acts that rolled dice")
    if came_to is Verdict.SOUND:
        print(f"{name}: sound; {table.version} lines, {acts} acts, all decided alike today")
    elif came_to is Verdict.ACTS_ALONE:
        print(f"{name}: the chain is sound; {_open(len(differences), len(seedless), acts, header.rules)}")
    else:
        print(f"{name}: not sound; {len(differences)} of {table.version} lines differ")
    if table.notice:
        print(f"{name}: warning: {table.notice}")
    for told in _dice(table):
        print(f"{name}: {told}")
    by_hand = [line.n for line in lines if line.queue]
    if by_hand:
        print(f"{name}: dice were set by hand in {len(by_hand)} lines, first in line {by_hand[0]}")
    return came_to


def _open(open_: int, seedless: int, acts: int, began: int) -> str:
    """Which acts are open, and why. Args: how many; those without a seed; all acts; the rules the game began under."""
    from paxtui.pax.rules_of_play import RULES_NUMBER

    said = []
    if open_ > seedless:
        said.append(
            f"{open_ - seedless} of {acts} acts would be decided otherwise today: the game began under rules number "
            f"{began}, and today's are number {RULES_NUMBER}"
        )
    if seedless:
        said.append(
            f"{acts - open_} of {acts} acts are decided alike today, and the {seedless} that rolled dice can be "
            "checked when the seed is told, as the header promises"
        )
    return "; ".join(said)


def _dice(table: Table) -> list[str]:
    """What there is to know of fair dice, a sentence each."""
    from paxtui.pax.orders.dice_words import made_of
    from paxtui.table.verification import dice_taken_back

    dice = table.game.dice
    if not dice.fair:
        return []
    used = table.game.dice_used
    fell = f", {used} number{'s' * (used != 1)} drawn" if dice.stage in ("made", "told") else ""
    told = [f"dice: {made_of(table.tables, dice.contributors, dice.stage, dice.lacking)}{fell}"]
    if not table.game.has_seed:
        told.append("the seed is neither told in the log nor kept beside it: no die can be rolled again yet")
    back = dice_taken_back(table.game)
    if back:
        numbers = ", ".join(f"line {n} ({drawn})" for n, drawn in back)
        told.append(f"dice were taken back, and did not fall again: {numbers}")
    return told


def _place(table: Table, number: int) -> str:
    """A line in words, with the act that it holds."""
    if number == 1:
        return "line 1, the header"
    if number > table.version:
        return f"after line {table.version}"
    line = table.game.line(number)
    if line.kind != "act":
        return f"line {number}, {line.kind} of {line.seat}"
    kind = line.action.get("type", "") if isinstance(line.action, dict) else ""
    return f"line {number}, {line.seat}: {str(kind).replace('_', ' ')[:40]}"
