"""Decide a game again under today's rules and say where they would have decided otherwise."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from paxtui.engine.dice import Dice
from paxtui.engine.log import Header, Line
from paxtui.engine.refusal import Refusal
from paxtui.engine.timeline import Rules, S, Timeline


class Difference(msgspec.Struct, frozen=True):
    """The first difference in one line; information, since rules change between versions.

    Attributes:
        line: its number in the log.
        what: ``event``, ``dice``, ``refused``, ``failed`` (the rules broke down), or ``no_seed``
            (the line rolled dice and the seed is not known).
        message: in words.
        index: the event at fault, counted from 0; -1 where that means nothing.
        recorded: what the log says (an event in today's form, or None when it has no more).
        decided: what would be decided today.
    """

    line: int
    what: str
    message: str
    index: int = -1
    recorded: Any = None
    decided: Any = None


def verify(rules: Rules[S], header: Header, lines: Iterable[Line], *, seed: str = "") -> list[Difference]:
    """Decide every act of a log again, each from the position the log had then.

    One difference does not lead to others: the next act is decided from the recorded position.

    Args:
        rules: today's rules.
        header: line 1.
        lines: the lines after it.
        seed: the seed, where the header does not hold it.

    Returns:
        At most one difference per line, in order; empty when all is as it was.

    Raises:
        BrokenLog: the log itself cannot be followed.
    """
    timeline: Timeline[S] = Timeline(rules, header)
    seed = header.seed or seed
    differences: list[Difference] = []
    dice_used = 0
    for line in lines:
        if line.kind == "act":
            if line.dice and header.commitment and not seed:
                message = "its dice cannot be rolled again: the seed of this game is not known"
                differences.append(Difference(line.n, "no_seed", message))
            else:
                state = timeline.state_at(timeline.position)
                found = _decide_again(rules, state, line, Dice(seed, dice_used, line.queue))
                if found is not None:
                    differences.append(found)
        timeline.append(line)
        dice_used += line.dice
    return differences


def _decide_again(rules: Rules[S], state: S, line: Line, dice: Dice) -> Difference | None:
    """The first difference in one act, None when there is none."""
    first = dice.index
    try:
        action = rules.decode_action(line.action)
        decided = [_plain(rules.encode_event(event)) for event in rules.decide(state, line.seat, action, dice)]
        # Recorded events are compared in today's form: a changed shape alone is no difference.
        recorded = [_plain(rules.encode_event(rules.decode_event(raw))) for raw in line.events]
    except Refusal as refusal:
        return Difference(line.n, "refused", f"today this would be refused: {refusal}", decided=refusal.code)
    except Exception as error:  # old actions may be anything to today's rules, and the other lines matter too
        return Difference(line.n, "failed", f"today's rules cannot decide this: {type(error).__name__}: {error}")
    for index in range(max(len(recorded), len(decided))):
        was = recorded[index] if index < len(recorded) else None
        now = decided[index] if index < len(decided) else None
        if was != now:
            return Difference(line.n, "event", f"event {index + 1} would be another one today", index, was, now)
    used = (dice.index - first, dice.queue_taken)
    if used != (line.dice, line.queue):
        message = f"it took {line.dice + len(line.queue)} numbers, and would take {used[0] + len(used[1])} today"
        return Difference(line.n, "dice", message)
    return None


def _plain(raw: Any) -> Any:
    """`raw` as it looks after a journey through JSON, so that a tuple equals a list."""
    return msgspec.json.decode(msgspec.json.encode(raw))
