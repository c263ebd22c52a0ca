"""Whether every line of a log is accounted for: what the kernel decides again, and times, rules and the file's end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from enum import IntEnum

from paxtui.engine.game import Game
from paxtui.engine.log import Header, Line
from paxtui.engine.verify import Difference
from paxtui.pax.rules_of_play import RULES_NUMBER
from paxtui.pax.state.model import State


class Verdict(IntEnum):
    """What it comes to; the numbers are exit codes that other programs rely on."""

    SOUND = 0
    """Every line is accounted for, and every act decided alike today."""
    DIFFERENT = 1
    """Something differs that no change of the rules explains."""
    UNREADABLE = 2
    """It is no log that can be followed."""
    EARLIER_RULES = 3
    """The game began under an earlier number of the rules, and nothing differs but acts."""


def differences(game: Game[State], torn: str = "") -> list[Difference]:
    """Everything in a log that is not accounted for, the first line first; one difference a line.

    Args:
        game: the game that the log tells.
        torn: what stands behind the last whole line, in words.
    """
    found = {difference.line: difference for difference in game.verify()}
    for difference in (*_rules(game.header), *_times(game.header, game.lines)):
        found.setdefault(difference.line, difference)
    if torn:
        found[game.version + 1] = Difference(game.version + 1, "end", torn)
    return [found[n] for n in sorted(found)]


def verdict(header: Header, found: Sequence[Difference]) -> Verdict:
    """What the differences of a log come to."""
    if not found:
        return Verdict.SOUND
    earlier = header.rules < RULES_NUMBER and all(difference.in_act for difference in found)
    return Verdict.EARLIER_RULES if earlier else Verdict.DIFFERENT


def moment(text: str) -> datetime | None:
    """The time that a log names, None where that is no time with its distance from UTC."""
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return None
    return time if time.tzinfo is not None else None


def not_before(time: str, last: str) -> str:
    """`time`, or `last` where that is later: clocks are set back, and a log still goes forward."""
    now, then = moment(time), moment(last)
    return last if now is not None and then is not None and now < then else time


def _rules(header: Header) -> Iterable[Difference]:
    """A number of the rules that this program does not know."""
    if header.rules > RULES_NUMBER:
        message = f"it names rules number {header.rules}, and this program knows them up to number {RULES_NUMBER}"
        yield Difference(1, "header", message)


def _times(header: Header, lines: Iterable[Line]) -> Iterable[Difference]:
    """Times that are none, or earlier than one before. A line may have none."""
    last = None
    for n, text in ((1, header.created), *((line.n, line.time) for line in lines)):
        if not text:
            continue
        time = moment(text)
        if time is None:
            yield Difference(n, "time", "its time cannot be read")
        elif last is not None and time < last:
            yield Difference(n, "time", "its time is earlier than that of a line before it")
        else:
            last = time
