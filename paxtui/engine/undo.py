"""What an undo takes back, what stands in its way, and whose consent removes that.

A *public* act is one of which all seats know something. What others have done between some seats only is not taken
back by a seat, stands in nobody's way and is told to nobody; what a seat has done itself so goes, until others have
built on it. Only the arbiter takes back everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from paxtui.engine.log import UNDO_REQUEST, Line
from paxtui.engine.positions import START
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER
from paxtui.engine.timeline import Timeline


def any_public(timeline: Timeline[Any], acts: Iterable[int]) -> bool:
    """Whether all seats know of any of these acts."""
    return any(not timeline.between(n) for n in acts)


def anchor(timeline: Timeline[Any], acts: Sequence[int]) -> int:
    """The last public one of some acts in force, 1 for none: by it all seats know a position."""
    return next((n for n in reversed(acts) if not timeline.between(n)), START)


def last_taken(timeline: Timeline[Any], seat: str) -> tuple[int, ...]:
    """The last act in force of `seat`, or of anybody for the arbiter, and what goes with it.

    With a public one all public ones after it go; a private one goes alone, or others could see that there was one.

    Raises:
        Refusal: ``nothing_to_undo``.
    """
    acts = timeline.in_force()
    for i in range(len(acts) - 1, -1, -1):
        if seat in (ARBITER, timeline.line(acts[i]).seat):
            later = () if timeline.between(acts[i]) else acts[i + 1 :]
            return (acts[i], *(n for n in later if not timeline.between(n)))
    raise Refusal("nothing_to_undo", (), "There is no action to take back.")


def taken_since(timeline: Timeline[Any], seat: str, to: int, number: int) -> tuple[int, ...]:
    """What an undo to line `to` takes back: all public acts since, and the own private ones nobody has built on.

    The arbiter takes back everything.

    Args:
        timeline: the game so far.
        seat: who wants it.
        to: a line that there is.
        number: what the seat calls it.

    Raises:
        Refusal: ``undo_target``, ``nothing_to_undo``.
    """
    now, then = timeline.in_force(), timeline.in_force(timeline.position_of(to))
    public = [n for n in then if not timeline.between(n)]
    if [n for n in now if not timeline.between(n)][: len(public)] != public:
        message = f"Line {number} has been taken back itself; the game never went on from it."
        raise Refusal("undo_target", (), message)
    held = frozenset(then)

    def goes(n: int) -> bool:
        if seat == ARBITER or not timeline.between(n):
            return True
        return timeline.line(n).seat == seat and not built_on(timeline, seat, n)

    taken = tuple(n for n in now if n not in held and goes(n))
    if not taken:
        raise Refusal("nothing_to_undo", (), f"Nothing has happened since line {number}.")
    return taken


def built_on(timeline: Timeline[Any], seat: str, act: int) -> frozenset[str]:
    """The others that know of a private act of `seat` and have done something private since that `seat` knows of."""
    later = (n for n in timeline.in_force() if n > act and seat in timeline.between(n))
    return frozenset(timeline.line(n).seat for n in later) & timeline.between(act) - {seat}


def acted_since(timeline: Timeline[Any], seat: str, act: int) -> frozenset[str]:
    """The others that have done something public since an act, or have built on it."""
    later = (n for n in timeline.in_force() if n > act and not timeline.between(n))
    return built_on(timeline, seat, act) | {timeline.line(n).seat for n in later} - {seat}


class Barriers(msgspec.Struct, frozen=True):
    """What stands in the way of taking some lines back.

    Attributes:
        dice: the lines in which a number was drawn from the seed or the queue.
        reveals: the lines in which something hidden was shown.
        seats: the other seats that acted in them, sorted.
    """

    dice: tuple[int, ...] = ()
    reveals: tuple[int, ...] = ()
    seats: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.dice or self.reveals or self.seats)

    def numbered(self, number: Callable[[int], int]) -> Barriers:
        """The same with the numbers that a seat has for the lines."""
        dice, reveals = (tuple(number(n) for n in lines) for lines in (self.dice, self.reveals))
        return Barriers(dice, reveals, self.seats)

    def joined(self, seats: Iterable[str]) -> Barriers:
        """The same with more seats that acted."""
        return Barriers(self.dice, self.reveals, tuple(sorted({*self.seats, *seats})))

    def __str__(self) -> str:
        """The barriers in words, to stand after "because"."""
        parts: list[str] = []
        if self.dice:
            parts.append(f"a die was rolled ({_lines(self.dice)})")
        if self.reveals:
            parts.append(f"something hidden was revealed ({_lines(self.reveals)})")
        if self.seats:
            parts.append(f"others have acted since: {', '.join(self.seats)}")
        return "; ".join(parts)


def barriers(seat: str, lines: Iterable[Line], reveals: Callable[[Line], bool]) -> Barriers:
    """What keeps `seat` from taking back `lines` alone.

    Args:
        seat: who wants to.
        lines: the act lines in force that would be taken back.
        reveals: whether a line showed somebody something hidden.
    """
    taken = tuple(lines)
    return Barriers(
        dice=tuple(line.n for line in taken if line.dice or line.queue),
        reveals=tuple(line.n for line in taken if reveals(line)),
        seats=tuple(sorted({line.seat for line in taken} - {seat})),
    )


def consent_needed(seat: str, lines: Iterable[Line], found: Barriers, table: Iterable[str]) -> frozenset[str]:
    """The seats that must all ask for an undo before it happens despite its barriers.

    They are the seats that acted in the lines to be taken back. Nobody may roll a die anew by their
    own word alone: where only one seat acted, it takes the whole table.
    The arbiter only plays on what is automatic, and is not asked.

    Args:
        seat: who asks now.
        lines: the act lines in force that would be taken back.
        found: their barriers.
        table: all seats of the game.

    Raises:
        Refusal: ``undo_barrier``, when there is nobody else who could consent.
    """
    needed = frozenset(line.seat for line in lines) - {ARBITER}
    if len(needed) < 2:
        needed = frozenset(table)
        if not needed - {seat}:
            raise barrier_refusal(found, to=None)
    return needed


def barrier_refusal(found: Barriers, to: int | None) -> Refusal:
    """The refusal that says what stands in the way.

    Args:
        found: the barriers.
        to: the line that could be asked for by consent, None where nobody could give it.
    """
    message = f"This cannot be taken back, because {found}."
    if to is not None:
        message += f" The seats concerned can agree on it: each asks for the undo to line {to}."
    return Refusal(
        "undo_barrier", (), message, to=to, dice=list(found.dice), reveals=list(found.reveals), seats=list(found.seats)
    )


class Requests:
    """Who has asked for an undo to which position, as the lines of the log tell it."""

    def __init__(self) -> None:
        self._asked: dict[int, set[str]] = {}

    def asked(self, position: int) -> frozenset[str]:
        """The seats that ask for this position now."""
        return frozenset(self._asked.get(position, ()))

    def open(self) -> dict[int, tuple[str, ...]]:
        """Position -> seats that ask for it, for showing."""
        return {position: tuple(sorted(seats)) for position, seats in self._asked.items()}

    def follow(self, line: Line, position_of: Callable[[int], int], public: bool = True) -> None:
        """Take account of the next line of the log.

        Who plays on no longer asks; once something was taken back or brought back, nobody does. What happens
        between some seats only makes no difference: the others could tell it by that.

        Args:
            line: the next line.
            position_of: the position after a line before it, as all seats know it.
            public: whether all seats know of it.
        """
        if not public and line.kind != "note":
            return
        if line.kind == "act":
            for seats in self._asked.values():
                seats.discard(line.seat)
            self._asked = {position: seats for position, seats in self._asked.items() if seats}
        elif line.kind in ("undo", "redo"):
            self._asked = {}
        elif isinstance(line.action, dict) and line.action.get("type") == UNDO_REQUEST:
            to = line.action.get("to")
            # A damaged or foreign request that points nowhere asks for nothing.
            if isinstance(to, int) and 1 <= to < line.n:
                self._asked.setdefault(position_of(to), set()).add(line.seat)


def request(to: int) -> dict[str, object]:
    """The content of the note that asks for an undo to line `to`."""
    return {"type": UNDO_REQUEST, "to": to}


def _lines(numbers: tuple[int, ...]) -> str:
    return ("line " if len(numbers) == 1 else "lines ") + ", ".join(map(str, numbers))
