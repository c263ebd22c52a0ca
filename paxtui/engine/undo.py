"""Decide what an undo takes back, which barriers it has, and whose consent removes them.

At least part of a *public* act is visible to every seat; a *private* act is visible to some seats only. A seat's undo
does not take back private acts of others; they block nothing and stay secret. A seat's own private act is taken back
unless others have built on it. Only the arbiter takes back everything.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
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
    """The result of a seat's undo command.

    Attributes:
        target: `Line.target` of the undo line.
        kept: `Line.kept` of the undo line.
        request: the line whose position the seat must request first; 0 if no request is needed or one exists.
        missing: the seats whose consent is missing, sorted; the undo waits for them.
    """

    target: int
    kept: tuple[int, ...] = ()
    request: int = 0
    missing: tuple[str, ...] = ()


def decide_undo(
    replayer: LogReplayer[Any],
    seat: str,
    to: int | None = None,
    force: bool = False,
    known: Projection | None = None,
    answers: bool = True,
) -> UndoDecision:
    """Decide what a seat may take back, alone or with the consent of others.

    Args:
        to: the line whose position is restored. Default: take back the seat's last act and all later acts.
        force: ignore all barriers; for the arbiter only.
        known: the seat's projection of the log; refusals then use its line numbers.
        answers: whether undoing a private act in a game with free undo also takes back its answers. False in early
            logs.

    Raises:
        Refusal: ``undo_barrier``, ``nothing_to_undo``, ``undo_target``, ``already_asked``, ``not_arbiter``,
            ``not_a_player``, ``seed_told``.
    """
    timeline = replayer.timeline
    check_seat(replayer, seat)
    replayer.fair.check_open()
    if force and seat != ARBITER:
        raise Refusal("not_arbiter", (), "Only the arbiter may take back what others would have to agree to.")
    if to is None:
        taken = last_taken(timeline, seat)
        if replayer.header.undo == "free" and answers:
            taken = with_dependent_acts(replayer, seat, taken)
    else:
        taken = taken_since(timeline, seat, to, known.number(to) if known else to)
    lines = [timeline.line(n) for n in taken]
    found = barriers(seat, lines, replayer.reveals)
    if to is None and timeline.between(taken[0]):
        found = found.joined(acted_since(timeline, seat, taken[0]))
    path = _path_without(timeline, taken)
    asked_for = to is not None and timeline.position_of(to) == path.base
    decision = UndoDecision(to if to is not None and asked_for else path.base, path.kept)
    # No seat may roll fair dice again alone, even with free undo.
    free = replayer.header.undo == "free" and not (replayer.fair.fair and found.dice)
    if not found or force or free:
        return decision
    found_by_seat = found.numbered(known.number) if known else found
    if not replayer.any_public(n for n in timeline.in_force() if n >= taken[0]):
        # Others have built on a private agreement: a request for consent would reveal it.
        raise barrier_refusal(found_by_seat, to=None)
    # The seat's own private acts do not change whose consent is needed; otherwise others could infer them.
    visible = [line for line in lines if line.seat != seat or not timeline.between(line.n)]
    needed = consent_needed(seat, visible, found_by_seat, replayer.header.seats)
    if to is None:
        before = replayer.last_public([n for n in timeline.in_force() if n < taken[0]])
        raise barrier_refusal(found_by_seat, to=known.position(before) if known else before)
    asked = replayer.requests.requesters(replayer.known_position(to))
    missing = tuple(sorted(needed - asked - {seat}))
    if seat in asked and missing:
        names = ", ".join(missing)
        raise Refusal("already_asked", (), f"You have asked for this; it waits for {names}.", missing=list(missing))
    return msgspec.structs.replace(decision, request=0 if seat in asked else to, missing=missing)


def decide_redo(replayer: LogReplayer[Any], seat: str) -> PositionPath:
    """Find the position to which a seat may redo.

    A seat may redo its own undo if that undo took back only its own acts. The arbiter may always redo, and so may every
    seat in a game with free undo.

    Raises:
        Refusal: ``nothing_to_redo``, ``redo_barrier``, ``not_a_player``, ``seed_told``.
    """
    timeline = replayer.timeline
    check_seat(replayer, seat)
    replayer.fair.check_open()
    found = [u for u in timeline.undone if seat in (ARBITER, timeline.line(u.line).seat) or replayer.any_public(u.acts)]
    if not found:
        raise Refusal("nothing_to_redo", (), "There is nothing to bring back.")
    last = found[-1]
    if last.line < replayer.fair.reopened_at:
        message = "It was taken back before the words for the dice were collected again, and cannot be brought back."
        raise Refusal("redo_barrier", (), message, seats=[])
    if replayer.header.undo != "free" and seat != ARBITER:
        visible = [n for n in last.acts if not timeline.between(n) or seat in timeline.between(n)]
        others = sorted({timeline.line(n).seat for n in (*visible, last.line)} - {seat})
        if others:
            message = f"This concerns {', '.join(others)} too, so it cannot be brought back by one seat."
            raise Refusal("redo_barrier", (), message, seats=others)
    return timeline.positions.path_to(tuple(sorted({*timeline.in_force(), *last.acts})), last.before)


def check_seat(replayer: LogReplayer[Any], seat: str) -> None:
    """Check that a seat belongs to the game.

    Raises:
        Refusal: ``not_a_player``.
    """
    if seat != ARBITER and seat not in replayer.header.seats:
        raise Refusal("not_a_player", (), f"{seat} is no seat of this game.", seat=seat)


def _path_without(timeline: Timeline[Any], taken: tuple[int, ...]) -> PositionPath:
    gone = frozenset(taken)
    acts = tuple(n for n in timeline.in_force() if n not in gone)
    return timeline.positions.path_to(acts, timeline.position)


def last_taken(timeline: Timeline[Any], seat: str) -> tuple[int, ...]:
    """Find the last act in force of `seat` (of any seat for the arbiter) and the acts taken back with it.

    A public act takes all later public acts with it. A private act goes alone; otherwise others could infer it.

    Raises:
        Refusal: ``nothing_to_undo``.
    """
    acts = timeline.in_force()
    for i in range(len(acts) - 1, -1, -1):
        if seat in (ARBITER, timeline.line(acts[i]).seat):
            later = () if timeline.between(acts[i]) else acts[i + 1 :]
            return (acts[i], *(n for n in later if not timeline.between(n)))
    raise Refusal("nothing_to_undo", (), "There is no action to take back.")


def with_dependent_acts(replayer: LogReplayer[Any], seat: str, taken: tuple[int, ...]) -> tuple[int, ...]:
    """Add to a private act the acts that are impossible without it.

    If no consent is needed, no barrier protects the act, so its answers must go too. A public answer takes all later
    acts with it; otherwise the other seats see no difference.
    """
    timeline = replayer.timeline
    known = timeline.between(taken[0]) - {seat}
    later = [n for n in timeline.in_force() if n > taken[0]]
    gone, on_top = [*taken], False
    for n in later if known else ():
        between = timeline.between(n)
        if on_top:
            goes = not between or seat in between
        else:
            goes = timeline.line(n).seat in known and _depends_on(replayer, n, gone)
            on_top = goes and not between
        if goes:
            gone.append(n)
    return tuple(gone)


def _depends_on(replayer: LogReplayer[Any], n: int, gone: Collection[int]) -> bool:
    """Whether an act without dice would be refused without some earlier acts."""
    timeline, rules, line = replayer.timeline, replayer.rules, replayer.timeline.line(n)
    if line.dice or line.queue:
        return False
    acts = tuple(a for a in timeline.in_force() if a < n and a not in gone)
    path = timeline.positions.path_to(acts, timeline.position)
    state = timeline.state_at(path.base)
    try:
        for kept in path.kept:
            for event in timeline.events(kept):
                state = rules.evolve(state, event)
        rules.decide(state, line.seat, rules.decode_action(line.action), Dice(""))
    except Exception:  # a refusal, or an event with unknown names
        return True
    return False


def taken_since(timeline: Timeline[Any], seat: str, to: int, number: int) -> tuple[int, ...]:
    """Find the acts that an undo to line `to` takes back.

    These are all later public acts and the seat's own private acts that no seat has built on. For the arbiter, all
    acts. `number` is the seat's number of that line, for refusals.

    Raises:
        Refusal: ``undo_target``, ``nothing_to_undo``.
    """
    now, then = timeline.in_force(), timeline.in_force(timeline.position_of(to))
    public = [n for n in then if not timeline.between(n)]
    if [n for n in now if not timeline.between(n)][: len(public)] != public:
        message = f"Line {number} has been taken back itself; the game never went on from it."
        raise Refusal("undo_target", (), message)
    kept = frozenset(then)

    def is_taken(n: int) -> bool:
        if seat == ARBITER or not timeline.between(n):
            return True
        return timeline.line(n).seat == seat and not built_on(timeline, seat, n)

    taken = tuple(n for n in now if n not in kept and is_taken(n))
    if not taken:
        raise Refusal("nothing_to_undo", (), f"Nothing has happened since line {number}.")
    return taken


def built_on(timeline: Timeline[Any], seat: str, act: int) -> frozenset[str]:
    """Other seats that see a private act of `seat` and later made a private act that `seat` sees."""
    later = (n for n in timeline.in_force() if n > act and seat in timeline.between(n))
    return frozenset(timeline.line(n).seat for n in later) & timeline.between(act) - {seat}


def acted_since(timeline: Timeline[Any], seat: str, act: int) -> frozenset[str]:
    """Other seats that made a public act after `act`, or have built on it."""
    later = (n for n in timeline.in_force() if n > act and not timeline.between(n))
    return built_on(timeline, seat, act) | {timeline.line(n).seat for n in later} - {seat}


class Barriers(msgspec.Struct, frozen=True):
    """The obstacles to an undo.

    Attributes:
        dice: the lines that drew a number from the seed or the queue.
        reveals: the lines that showed hidden information.
        seats: the other seats that acted, sorted.
    """

    dice: tuple[int, ...] = ()
    reveals: tuple[int, ...] = ()
    seats: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.dice or self.reveals or self.seats)

    def numbered(self, number: Callable[[int], int]) -> Barriers:
        """Return a copy with the seat's line numbers."""
        dice, reveals = (tuple(number(n) for n in lines) for lines in (self.dice, self.reveals))
        return Barriers(dice, reveals, self.seats)

    def joined(self, seats: Iterable[str]) -> Barriers:
        """Return a copy with more seats."""
        return Barriers(self.dice, self.reveals, tuple(sorted({*self.seats, *seats})))

    def __str__(self) -> str:
        """Describe the barriers, to follow "because"."""
        parts: list[str] = []
        if self.dice:
            parts.append(f"a die was rolled ({_lines(self.dice)})")
        if self.reveals:
            parts.append(f"something hidden was revealed ({_lines(self.reveals)})")
        if self.seats:
            parts.append(f"others have acted since: {', '.join(self.seats)}")
        return "; ".join(parts)


def barriers(seat: str, lines: Sequence[Line], reveals: Callable[[int], bool]) -> Barriers:
    """Find what prevents `seat` from taking back `lines` alone."""
    return Barriers(
        dice=tuple(line.n for line in lines if line.dice or line.queue),
        reveals=tuple(line.n for line in lines if reveals(line.n)),
        seats=tuple(sorted({line.seat for line in lines} - {seat})),
    )


def consent_needed(seat: str, lines: Iterable[Line], found: Barriers, table: Iterable[str]) -> frozenset[str]:
    """Find the seats that must all request an undo with barriers.

    These are the seats that acted in the lines. No seat may roll a die again alone: if only one seat acted, all seats
    of the game must consent. The arbiter makes only automatic acts and is not asked.

    Args:
        lines: the acts that would be taken back, without the seat's own private ones.
        found: their barriers.
        table: all seats of the game.

    Raises:
        Refusal: ``undo_barrier``, if no other seat could consent.
    """
    needed = frozenset(line.seat for line in lines) - {ARBITER}
    if len(needed) < 2:
        needed = frozenset(table)
        if not needed - {seat}:
            raise barrier_refusal(found, to=None)
    return needed


def barrier_refusal(found: Barriers, to: int | None) -> Refusal:
    """Create the refusal that names the barriers; `to` is the line that a request could name, None for none."""
    message = f"This cannot be taken back, because {found}."
    if to is not None:
        message += f" The seats concerned can agree on it: each asks for the undo to line {to}."
    return Refusal(
        "undo_barrier", (), message, to=to, dice=list(found.dice), reveals=list(found.reveals), seats=list(found.seats)
    )


def _lines(numbers: tuple[int, ...]) -> str:
    return ("line " if len(numbers) == 1 else "lines ") + ", ".join(map(str, numbers))
