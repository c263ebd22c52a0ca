"""Garrisons: a Power's Army Unit in every Area it Controls, the Indian Army, and the automatic fix of what is missing.

Rules: STA-014, STA-037 to STA-050, COD-007 (R-STA-09 to R-STA-12, Decision 33)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from paxtui.pax.board import paths
from paxtui.pax.board.status import seat_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.expansion.garrison_plan import March, garrisoned, indian_marches, missing, plan
from paxtui.pax.expansion.sent_away import Lacking, complete, lacking
from paxtui.pax.history import events as ev
from paxtui.pax.history.evolve import evolve
from paxtui.pax.orders import actions as ac
from paxtui.pax.orders.notation import typed
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.model import State
from paxtui.pax.words.spoken import place_name, power_name


class Sailing(NamedTuple):
    """A Merchant Fleet of the automatic fix: armies need it for a moment where the Phase found it."""

    start: str
    to: str

    def order(self, power: str) -> ac.Merchant:
        """The order, `power` being who acts."""
        return ac.Merchant(self.start, self.to, power)


class Remedy(NamedTuple):
    """What an automatic fix does, in order, and what it cannot bring back."""

    steps: tuple[Sailing | March, ...]
    left: Lacking


# --- the automatic fix --------------------------------------------------------------------------------------------


def remedy(tables: Tables, state: State, power: str) -> Remedy:
    """The automatic fix: the fewest moves after which no garrison is missing that could be there.

    Where an army has lost its way back because a Merchant Fleet has sailed, the fleet fetches it and returns.

    Rules: STA-039, STA-040, STA-041, STA-042, STA-045, MOV-002 (Decision 33)
    """
    if complete(tables, state, power):
        return Remedy((), Lacking())
    found: Remedy | None = None
    for fetching in _ways_back(state, power):
        back = tuple(Sailing(s.to, s.start) for s in fetching)
        there = _after(state, power, fetching)
        marches = plan(tables, there, power)
        left = lacking(tables, _after(there, power, (*marches, *back)), power)
        if found is None or _weight(left) < _weight(found.left):
            found = Remedy((*fetching, *marches, *back), left)
        if not _weight(left):
            break
    assert found is not None
    return found


def _weight(left: Lacking) -> int:
    return len(left.areas) + left.indian


def _ways_back(state: State, power: str) -> Iterator[tuple[Sailing, ...]]:
    """Merchant Fleets to send where the Phase found one: none, one, all that have left."""
    yield ()
    if state.phase_start is None:
        return
    both = (state.phase_start.sea_zones, state.sea_zones)
    then, now = ([zone for zone, fleets in zones.items() if power in fleets] for zones in both)
    gone = [z for z in then if z not in now]
    new = [z for z in now if z not in then]
    yield from ((Sailing(start, to),) for to, start in product(gone, new))
    if len(gone) > 1:
        yield tuple(Sailing(start, to) for start, to in zip(new, gone, strict=False))


def _after(state: State, power: str, steps: Sequence[Sailing | March]) -> State:
    """The position after some steps of a fix."""
    for step in steps:
        if isinstance(step, Sailing):
            state = evolve(state, ev.MerchantMoved(power=power, start=step.start, to=step.to))
        else:
            state = evolve(state, ev.UnitsMoved(power=power, units=(step.unit,), path=step.path))
    return state


def fix(play: Play, power: str, action: ac.Garrison) -> None:
    """Carry the automatic fix out.

    Raises: Refusal `nothing_to_fix`.
    Rules: STA-039, STA-040, STA-045
    """
    found = remedy(play.tables, play.state, power)
    if not found.steps:
        refuse(
            "nothing_to_fix",
            ("STA-039",),
            "No army has to move: every Area that can be garrisoned is.",
        )
    carry_out(play, power, found.steps)


def carry_out(play: Play, power: str, steps: Sequence[Sailing | March]) -> None:
    """Do what a fix consists of."""
    for step in steps:
        if isinstance(step, Sailing):
            rules = ("STA-039", "MOV-002", "MOV-003")
            play.emit(ev.MerchantMoved(power=power, start=step.start, to=step.to, rules=rules))
            continue
        halted, rule = paths.arrival(play.state, power, step.path[-1])
        play.emit(
            ev.UnitsMoved(
                power=power,
                units=(step.unit,),
                path=step.path,
                halted=halted,
                reason="fix",
                rules=("STA-039", "STA-040", rule),
            )
        )


def force(play: Play, power: str) -> None:
    """Carry the automatic fix out for the arbiter, who goes on without what it cannot bring back.

    Rules: STA-039, STA-045, SEQ-010
    """
    carry_out(play, power, remedy(play.tables, play.state, power).steps)
    left = lacking(play.tables, play.state, power)
    for area in left.areas:
        duty = f"a garrison in {place_name(play.tables, area)}"
        play.emit(ev.DutyWaived(power=power, duty=duty, rules=("STA-039",)))
    if left.indian:
        play.emit(ev.DutyWaived(power=power, duty="the Indian Army near India", rules=("STA-045", "STA-047")))


def warn(play: Play, power: str) -> None:
    """Tell a Power at once when it has sent a garrison where no fix can bring it back from: it may still undo that.

    Rules: STA-039, STA-045 (Decision 33)
    """
    tables, state = play.tables, play.state
    left = remedy(tables, state, power).left
    if not _weight(left):
        return
    what = _named(tables, left.areas) or "India"
    name = power_name(tables, power)
    play.noted(
        "sent_away",
        f"No army can get back to {what} as things are: {name} cannot be ready unless that is undone or another army "
        f"comes.",
        ("STA-039",) if left.areas else ("STA-045", "STA-047"),
        power,
        left.areas[0] if left.areas else "",
    )


# --- the test -----------------------------------------------------------------------------------------------------


def check(play: Play, power: str) -> None:
    """Whether the garrisons of a Power are as good as its armies can make them, or could when the Phase began.

    Raises: Refusal `garrison`, with the orders of the automatic fix.
    Rules: STA-039, STA-040, STA-042, STA-045, STA-047 (Decision 33)
    """
    tables, state = play.tables, play.state
    found = remedy(tables, state, power)
    if not found.steps and not _weight(found.left):
        return
    seat = seat_of(tables, state, power)
    texts = [typed(tables, step.order(power), seat) for step in found.steps]
    garrison = f"'{typed(tables, ac.Garrison(power), seat)}'"
    if indian_marches(tables, state, power) or lacking(tables, state, power).indian:
        barred = "what has left it" if found.left.indian else ""
        refuse(
            "garrison",
            ("STA-045", "STA-047", "STA-042"),
            f"The Indian Army of three Army (10) Units must end the Phase within two Areas of India"
            f"{_how(garrison, texts, barred)}.",
            fix=texts,
        )
    after = _after(state, power, found.steps)
    never = found.left.areas
    bare = [a for a in missing(tables, state, power) if a in never or garrisoned(after, a, power)]
    barred = f"an army for {_named(tables, never)}" if never else ""
    refuse(
        "garrison",
        ("STA-039", "STA-040", "STA-037"),
        f"{power_name(tables, power)} must garrison what it Controls, the most important first, as far as its armies "
        f"go; without one: {_named(tables, bare)}{_how(garrison, texts, barred)}.",
        fix=texts,
        areas=bare,
    )


def _how(garrison: str, texts: Sequence[str], barred: str) -> str:
    """What can be done, in the words of the seat: the orders of the fix; for what is `barred`, an undo."""
    undo = f"; {barred} can only get there if you undo what bars its way" if barred else ""
    if not texts:
        return undo
    orders = f"({'; '.join(texts)})"
    return f"; {garrison} does what it can {orders}{undo}" if barred else f": {garrison} does it {orders}"


def _named(tables: Tables, areas: Sequence[str]) -> str:
    return ", ".join(place_name(tables, area) for area in areas)
