"""What an undo takes back, what stands in its way, and whose consent removes that.

A *public* act is one of which all seats know something. What others have done between some seats only is not taken
back by a seat, stands in nobody's way and is told to nobody; what a seat has done itself so goes, until others have
built on it. Only the arbiter takes back everything.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

import msgspec

from paxtui.engine.dice import Dice
from paxtui.engine.log import Line
from paxtui.engine.log_replayer import LogReplayer
from paxtui.engine.positions import PositionPath
from paxtui.engine.projection import Projection
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER
from paxtui.engine.timeline import Timeline


class UndoDecision(msgspec.Struct, frozen=True):
    """What it comes to when a seat asks for an undo.

    Attributes:
        target: what the line of the undo says, see `Line`.
        kept: likewise.
        request: the line for whose position the seat has to ask first; 0 where it need not, or has asked.
        missing: the seats that have still to agree, sorted; the undo waits for them.
    """

    target: int
    kept: tuple[int, ...] = ()
    request: int = 0
    missing: tuple[str, ...] = ()


def decide_undo(
    course: LogReplayer[Any],
    seat: str,
    to: int | None = None,
    force: bool = False,
    known: Projection | None = None,
    answers: bool = True,
) -> UndoDecision:
    """What a seat may take back, alone or with the consent of others.

    Args:
        course: the game so far.
        seat: who wants it.
        to: the line whose position is to hold again; without it, the seat's last act goes, and what came after it.
        force: the arbiter's right to pass over everything that stands in the way.
        known: the log as the seat has it; the numbers of refusals are then those of the seat.
        answers: whether a private act of a free game takes what answers it along, which it did not in early logs.

    Raises:
        Refusal: ``undo_barrier``, ``nothing_to_undo``, ``undo_target``, ``already_asked``, ``not_arbiter``,
            ``not_a_player``, ``seed_told``.
    """
    timeline = course.timeline
    check_seat(course, seat)
    course.fair.check_open()
    if force and seat != ARBITER:
        raise Refusal("not_arbiter", (), "Only the arbiter may take back what others would have to agree to.")
    if to is None:
        taken = last_taken(timeline, seat)
        if course.header.undo == "free" and answers:
            taken = with_dependent_acts(course, seat, taken)
    else:
        taken = taken_since(timeline, seat, to, known.number(to) if known else to)
    lines = [timeline.line(n) for n in taken]
    found = barriers(seat, lines, course.reveals)
    if to is None and timeline.between(taken[0]):
        found = found.joined(acted_since(timeline, seat, taken[0]))
    way = _way_without(timeline, taken)
    asked_for = to is not None and timeline.position_of(to) == way.base
    undoing = UndoDecision(to if to is not None and asked_for else way.base, way.kept)
    # Fair dice are nobody's to roll anew by his own word, however freely else is taken back.
    free = course.header.undo == "free" and not (course.fair.fair and found.dice)
    if not found or force or free:
        return undoing
    found_by_seat = found.numbered(known.number) if known else found
    if not course.any_public(n for n in timeline.in_force() if n >= taken[0]):
        # Others have built on what was agreed in private: no consent could be asked for without telling of it.
        raise barrier_refusal(found_by_seat, to=None)
    # A private act of the seat's own that goes too changes nothing for whom it takes: others could tell it by that.
    told = [line for line in lines if line.seat != seat or not timeline.between(line.n)]
    needed = consent_needed(seat, told, found_by_seat, course.header.seats)
    if to is None:
        before = course.last_public([n for n in timeline.in_force() if n < taken[0]])
        raise barrier_refusal(found_by_seat, to=known.position(before) if known else before)
    asked = course.requests.asked(course.known_position(to))
    missing = tuple(sorted(needed - asked - {seat}))
    if seat in asked and missing:
        names = ", ".join(missing)
        raise Refusal("already_asked", (), f"You have asked for this; it waits for {names}.", missing=list(missing))
    return msgspec.structs.replace(undoing, request=0 if seat in asked else to, missing=missing)


def decide_redo(course: LogReplayer[Any], seat: str) -> PositionPath:
    """Where a seat may go by bringing back what the last undo took back.

    A seat may do so where the undo was its own and concerned only its own actions; the arbiter, and anybody in a game
    with free undo, always.

    Raises:
        Refusal: ``nothing_to_redo``, ``redo_barrier``, ``not_a_player``, ``seed_told``.
    """
    timeline = course.timeline
    check_seat(course, seat)
    course.fair.check_open()
    found = [
        u for u in timeline.undone if seat in (ARBITER, timeline.line(u.line).seat) or course.any_public(u.acts)
    ]
    if not found:
        raise Refusal("nothing_to_redo", (), "There is nothing to bring back.")
    last = found[-1]
    if last.line < course.fair.reopened_at:
        message = "It was taken back before the words for the dice were collected again, and cannot be brought back."
        raise Refusal("redo_barrier", (), message, seats=[])
    if course.header.undo != "free" and seat != ARBITER:
        told = [n for n in last.acts if not timeline.between(n) or seat in timeline.between(n)]
        others = sorted({timeline.line(n).seat for n in (*told, last.line)} - {seat})
        if others:
            message = f"This concerns {', '.join(others)} too, so it cannot be brought back by one seat."
            raise Refusal("redo_barrier", (), message, seats=others)
    return timeline.positions.way_to(tuple(sorted({*timeline.in_force(), *last.acts})), last.before)


def check_seat(course: LogReplayer[Any], seat: str) -> None:
    """Raises: Refusal ``not_a_player``, when a seat is none of the game's."""
    if seat != ARBITER and seat not in course.header.seats:
        raise Refusal("not_a_player", (), f"{seat} is no seat of this game.", seat=seat)


def _way_without(timeline: Timeline[Any], taken: tuple[int, ...]) -> PositionPath:
    """The way to the position in which some acts are taken back and the rest stays in force."""
    gone = frozenset(taken)
    acts = tuple(n for n in timeline.in_force() if n not in gone)
    return timeline.positions.way_to(acts, timeline.position)


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


def with_dependent_acts(course: LogReplayer[Any], seat: str, taken: tuple[int, ...]) -> tuple[int, ...]:
    """A private act that goes alone, with what others could not have done without it.

    Where nobody's consent is needed no barrier keeps the act from going, and its answer must not stay without it. An
    answer of which all know takes what has come on top of it along; for anything less the others see no difference.
    """
    timeline = course.timeline
    known = timeline.between(taken[0]) - {seat}
    later = [n for n in timeline.in_force() if n > taken[0]]
    gone, on_top = [*taken], False
    for n in later if known else ():
        between = timeline.between(n)
        if on_top:
            goes = not between or seat in between
        else:
            goes = timeline.line(n).seat in known and _rests_on(course, n, gone)
            on_top = goes and not between
        if goes:
            gone.append(n)
    return tuple(gone)


def _rests_on(course: LogReplayer[Any], n: int, gone: Collection[int]) -> bool:
    """Whether an act for which no dice fell would be refused, had some acts before it not been done."""
    timeline, rules, line = course.timeline, course.rules, course.timeline.line(n)
    if line.dice or line.queue:
        return False
    acts = tuple(a for a in timeline.in_force() if a < n and a not in gone)
    way = timeline.positions.way_to(acts, timeline.position)
    state = timeline.state_at(way.base)
    try:
        for kept in way.kept:
            for event in timeline.events(kept):
                state = rules.evolve(state, event)
        rules.decide(state, line.seat, rules.decode_action(line.action), Dice(""))
    except Exception:  # a refusal, or whatever an event does that names what is not there
        return True
    return False


def taken_since(timeline: Timeline[Any], seat: str, to: int, number: int) -> tuple[int, ...]:
    """What an undo to line `to` takes back: all public acts since, and the seat's private ones nobody has built on.

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


def barriers(seat: str, lines: Iterable[Line], reveals: Callable[[int], bool]) -> Barriers:
    """What keeps `seat` from taking back `lines` alone.

    Args:
        seat: who wants to.
        lines: the act lines in force that would be taken back.
        reveals: whether the line of this number showed somebody something hidden.
    """
    taken = tuple(lines)
    return Barriers(
        dice=tuple(line.n for line in taken if line.dice or line.queue),
        reveals=tuple(line.n for line in taken if reveals(line.n)),
        seats=tuple(sorted({line.seat for line in taken} - {seat})),
    )


def consent_needed(seat: str, lines: Iterable[Line], found: Barriers, table: Iterable[str]) -> frozenset[str]:
    """The seats that must all ask for an undo before it happens despite its barriers.

    They are the seats that acted in the lines to be taken back. Nobody may roll a die anew by their
    own word alone: where only one seat acted, it takes the whole table.
    The arbiter only plays on what is automatic, and is not asked.

    Args:
        seat: who asks now.
        lines: the act lines in force that would be taken back, without private ones of the seat's own.
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


def _lines(numbers: tuple[int, ...]) -> str:
    return ("line " if len(numbers) == 1 else "lines ") + ", ".join(map(str, numbers))
