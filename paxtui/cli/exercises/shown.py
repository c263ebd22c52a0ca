"""Any moment of an exercise in lines, and whether its log is sound: `paxtui show`, `paxtui verify`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import msgspec

from paxtui.cli.outward.faults import CommandError
from paxtui.cli.outward.outlet import clean, escaped
from paxtui.empires.narration.narrate import tell
from paxtui.empires.narration.summary import heading, ours, pieces, postings, record
from paxtui.empires.rules_of_play import RULES_NUMBER
from paxtui.engine.refusal import Refusal
from paxtui.engine.verify import Difference
from paxtui.table.exercises.desk import Desk
from paxtui.table.verification import Verdict, later_rules


def show(path: Path, seat: str, at: int | None, *, log: bool, json: bool) -> int:
    """Print a moment of an exercise; the exit code. Raises: CommandError, OSError, BrokenLog, TableError."""
    desk = Desk.open(path, write=False)
    try:
        state = desk.state_for(seat, at)
    except Refusal as refusal:
        raise CommandError(refusal.message) from None
    known = desk.known(seat)
    if json:
        print(escaped(msgspec.json.encode({**msgspec.to_builtins(state), "seat": seat}).decode()))
        return 0
    if log:
        for line in known.lines[: None if at is None else at - 1]:
            for raw in line.events:
                text = tell(desk.tables, desk.event(raw))
                if text:
                    print(clean(f"{line.n:>5} {text}"))
        return 0
    print(f"line {known.version if at is None else at} of {known.version}")
    for text in (heading(desk.tables, state), *record(desk.tables, state), *pieces(desk.tables, state)):
        print(clean(text))
    for title, lines in (("political points", postings(desk.tables, state)), ("numbers of ours", ours(desk.tables))):
        print(f"{title}:")
        for text in lines:
            print(clean(f"  {text}"))
    return 0


def checked(path: Path) -> Callable[[], Verdict]:
    """Check the log of an exercise; what says what has come of it. Raises: OSError, BrokenLog, TableError."""
    desk = Desk.open(path, write=False)
    return partial(_tell, path, desk, [*later_rules(desk.game.header, RULES_NUMBER), *desk.verify()])


def _tell(path: Path, desk: Desk, found: list[Difference]) -> Verdict:
    """Say what has come of a check."""
    for one in found:
        print(f"{path}: line {one.line}: {one.message}")
    acts = sum(line.kind == "act" for line in desk.game.lines)
    if desk.notice:
        print(f"{path}: warning: {desk.notice}")
    if found:
        earlier = desk.game.header.rules < RULES_NUMBER and all(one.in_act for one in found)
        return Verdict.ACTS_ALONE if earlier else Verdict.DIFFERENT
    print(f"{path}: sound; {desk.version} lines, {acts} acts, all decided alike today")
    return Verdict.SOUND
