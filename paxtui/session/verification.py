"""Verification of a log: replay by the kernel, times, rules version, fair dice and the end of the file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from enum import IntEnum
from typing import Any

from paxtui.engine.clock import ClockState, clock_state
from paxtui.engine.fair_dice import HashesClosed, WordsClosed, WordsReopened, WordsRequested, is_dice_note, read_note
from paxtui.engine.game_log import GameLog
from paxtui.engine.log import Header, Line
from paxtui.engine.seating import PERSON, seat_occupants
from paxtui.engine.seats import ARBITER
from paxtui.engine.verify import Difference


class Verdict(IntEnum):
    """The result of a verification; the numbers are exit codes that other programs rely on."""

    SOUND = 0
    """All lines are valid, and each act gives the same result today."""
    DIFFERENT = 1
    """A difference that no change of the rules explains."""
    UNREADABLE = 2
    """The file is not a usable log."""
    ACTS_ALONE = 3
    """The chain is valid. The only differences are acts of an earlier rules version with another result today, or a
    seed of fair dice that is not yet published. Or the log is that of one seat.
    """


def is_seat_log(header: Header, lines: Iterable[Line]) -> bool:
    """Whether a log is what one seat knows: it has no dice, and no actions of other seats."""
    acts = [line for line in lines if line.kind == "act"]
    if header.seed or any(line.dice or line.queue for line in acts):
        return False
    known = {line.seat for line in acts if line.action is not None}
    return len(known) <= 1 and any(line.action is None for line in acts)


def differences(game: GameLog[Any]) -> list[Difference]:
    """Return all differences in the log of `game`, one per line, the first line first.

    Acts in the log of one seat are not decided again: it lacks what the rules need.
    """
    decided = () if is_seat_log(game.header, game.lines) else game.verify()
    found = {difference.line: difference for difference in decided}
    for difference in (
        *_newer_rules(game.header, game.rules.rules_number),
        *_times(game.header, game.lines),
        *_early_exclusions(game),
        *_acts_in_pauses(game),
    ):
        if difference.line not in found or found[difference.line].what == "no_seed":  # not an error of the log
            found[difference.line] = difference
    return [found[n] for n in sorted(found)]


def overall_verdict(header: Header, found: Sequence[Difference], latest: int) -> Verdict:
    """Return the verdict of a list of differences. Args: `latest`: the rules number of this program."""
    if not found:
        return Verdict.SOUND
    earlier, promised = header.rules < latest, header.dice == "fair" and bool(header.commitment)
    acts = all(one.in_act if earlier else promised and one.what == "no_seed" for one in found)
    return Verdict.ACTS_ALONE if acts else Verdict.DIFFERENT


def parse_time(text: str) -> datetime | None:
    """Parse a time of a log; None if it is invalid or has no UTC offset."""
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return None
    return time if time.tzinfo is not None else None


def latest_time(time: str, last: str) -> str:
    """Return the later of `time` and `last`: log times never decrease, even if the system clock is set back."""
    now, then = parse_time(time), parse_time(last)
    return last if now is not None and then is not None and now < then else time


def _newer_rules(header: Header, latest: int) -> list[Difference]:
    """Return the difference of a header that names rules of a later program. Args: latest: the number known here."""
    if header.rules <= latest:
        return []
    message = f"it names rules version {header.rules}, and this program knows versions up to {latest}"
    return [Difference(1, "header", message)]


def _times(header: Header, lines: Iterable[Line]) -> Iterable[Difference]:
    """Yield invalid times, and times earlier than a previous one. A line may have no time."""
    last = None
    for n, text in ((1, header.created), *((line.n, line.time) for line in lines)):
        if not text:
            continue
        time = parse_time(text)
        if time is None:
            yield Difference(n, "time", "its time cannot be read")
        elif last is not None and time < last:
            yield Difference(n, "time", "its time is earlier than that of a line before it")
        else:
            last = time


def _early_exclusions(game: GameLog[Any]) -> Iterable[Difference]:
    """Yield seats that were left out of fair dice before their deadline, or wrongly as bots."""
    until = ""
    for line in game.lines if game.dice.fair else ():
        if line.kind != "note" or not is_dice_note(line.action):
            continue
        try:
            note = read_note(line.action)
        except ValueError:
            continue  # reported by the kernel
        if isinstance(note, HashesClosed | WordsClosed) and note.silent and _is_earlier(line.time, until):
            names = ", ".join(note.silent)
            yield Difference(line.n, "fair", f"it passes over {names} before their deadline")
        if isinstance(note, HashesClosed):
            occupants = seat_occupants(game.lines[: line.n - 2])
            persons = [seat for seat in note.bots if not occupants.get(seat, PERSON).is_automatic]
            if persons:
                yield Difference(line.n, "fair", f"it calls {', '.join(persons)} a bot, but a person plays there")
        if isinstance(note, WordsRequested | HashesClosed):
            until = note.until
        elif isinstance(note, WordsReopened):
            until = ""


def _acts_in_pauses(game: GameLog[Any]) -> Iterable[Difference]:
    """Yield acts of seats during a pause; the arbiter may act then."""
    paused = ClockState()
    for line in game.lines:
        if line.kind == "note":
            paused = clock_state((line,), paused)
        elif paused.paused and line.seat != ARBITER:
            yield Difference(line.n, "paused", "it was done while the game was paused")


def _is_earlier(time: str, until: str) -> bool:
    """Whether a line was written before a deadline; False for a log without times."""
    now, then = parse_time(time), parse_time(until)
    return bool(time) and (then is None or now is None or now < then)


def dice_taken_back(game: GameLog[Any]) -> list[tuple[int, int]]:
    """Return the undos that went past dice: their lines, and the number of dice taken back. These never fall again."""
    found = []
    for line in game.lines:
        if line.kind == "undo":
            gone = {act.n for act in game.effective_lines(line.n - 1)} - {act.n for act in game.effective_lines(line.n)}
            drawn = sum(game.line(n).dice for n in gone)
            if drawn:
                found.append((line.n, drawn))
    return found
