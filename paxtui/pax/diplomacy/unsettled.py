"""What becomes of disputes that nobody settles: before a Congress, after it, and when the declarations of War at the
opening of the War Phase are closed.

Who holds the Casus Belli and has not acted gives way: down to the best marker that can stand beside the others.

Rules: SEQ-019, NEG-006, NEG-008, NEG-009, NEG-010, NEG-029, MIN-039, ETI-013, ETI-031, WAR-031, WAR-035, WAR-060
(R-NEG-09, R-WAR-24, Decisions 12 and 23)
"""

from __future__ import annotations

from paxtui.pax.board.status import controllers, established, level
from paxtui.pax.combat import retreats
from paxtui.pax.diplomacy.disputes import at_stake, best_beside, disputes, overruled, placer, rivals, yielding
from paxtui.pax.history import events as ev
from paxtui.pax.play import casus_belli
from paxtui.pax.play.play import Play
from paxtui.pax.state.causes import CasusBelli
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import INFLUENCE, INTEREST


def close_talks(play: Play, congress: bool = False) -> None:
    """The end of Negotiation, or of a Congress: what nobody can fight over any more is settled.

    Who has given up his Casus Belli gives way, and so does a Minor Power's Influence. Where a Casus Belli is left,
    its holder may still declare War. With `congress` what a Congress of Europe can settle is left to it.

    Rules: SEQ-019, NEG-002, NEG-006, NEG-029, WAR-060 (R-NEG-09, R-WAR-24)
    """
    for found in disputes(play.tables, play.state):
        minors_give_way(play, found.area)
        if congress and any(_of_markers(cause) for cause in found.causes):
            continue
        _give_up(play, found.area)
        casus_belli.settle(play, found.area, ("SEQ-019",))
        if not any(c.area == found.area and _of_markers(c) for c in play.state.casus_belli):
            settle_by_default(play, found.area)


def _of_markers(cause: CasusBelli) -> bool:
    """Whether a cause is one that is settled by default when nobody acts on it."""
    return casus_belli.lapses(cause) == casus_belli.NEGOTIATION


def settle_all(play: Play) -> None:
    """No more War is declared when the War Phase opens: every dispute over an Area is settled by default, but for
    those between Powers at War, and every Casus Belli ends. Units left where their owner has Control no longer go home.
    What is before a Congress that stays open beside the War is left to it.

    Rules: WAR-031, WAR-035, WAR-060, PBM-057, CON-037, NEG-006 (R-NEG-09, R-WAR-24, Decision 56)
    """
    put = left_to_congress(play.state)
    for found in disputes(play.tables, play.state):
        if any(cause.id in put for cause in found.causes):
            continue
        held = controllers(play.state, found.area)
        settle_by_default(play, found.area)
        for power in held:
            if power in play.tables.homes and power not in controllers(play.state, found.area):
                retreats.send_home(play, power, found.area, ("WAR-060", "CON-037"))
    rule = "WAR-035" if play.state.wars else "WAR-060"
    for cause in play.state.casus_belli:
        if cause.id not in put:
            play.emit(ev.CasusBelliEnded(id=cause.id, reason="lapsed", rules=(rule,)))


def left_to_congress(state: State) -> tuple[str, ...]:
    """The ids of the Casus Belli before a Congress that stays open beside a War. Rules: PBM-057."""
    return state.congress.causes if state.beside is not None and state.congress is not None else ()


def say_what_is_open(play: Play) -> None:
    """Tell everybody that disputes are left and nobody has called a Congress over them."""
    ending = [c for c in play.state.casus_belli if _of_markers(c)]
    if ending:
        places = ", ".join(sorted({play.tables.areas[c.area].name for c in ending}))
        play.noted(
            "left_open",
            f"The dispute over {places} is still open and nobody has called a Congress of Europe: whoever holds the "
            f"Casus Belli may declare War when the War Phase opens, or gives way then.",
            ("SEQ-019", "NEG-002", "WAR-060"),
        )


def minors_give_way(play: Play, area: str) -> None:
    """A Minor Power's Influence gives way to a Great Power's Control, unless somebody defends it.

    Rules: NEG-029, NEG-008, NEG-009, MIN-039, MIN-040, ETI-031
    """
    defended = {c.minor for c in play.state.casus_belli if c.area == area and c.cause == casus_belli.DEFENCE}
    for power in overruled(play.state, area):
        if power in play.state.minors and power not in (*defended, *at_stake(play.state, area)):
            _give_way(play, area, power)


def _give_way(play: Play, area: str, power: str) -> None:
    """An Influence goes down to the best beside the Control that stands there; its placer is to blame.

    Rules: NEG-006, NEG-008, NEG-009, NEG-029, SEQ-019, ETI-031
    """
    own = established(play.state, area, power)
    if own is None:
        return
    minor = power in play.state.minors
    to = best_beside(play.state, area, power) if minor else _reduced(play, best_beside(play.state, area, power))
    rules = ("NEG-029" if minor else "SEQ-019", "NEG-006", "NEG-008" if to else "NEG-009", "ETI-031")
    play.lower(area, power, own.marker, to, "gives way to Control", rules, placer(play.state, area, power))


def _reduced(play: Play, best: str) -> str:
    """What the holder of a Casus Belli keeps who did not act: the best that can stand, or nothing by the option.

    Rules: SEQ-019 (R-NEG-09, CON-036)
    """
    return "" if play.state.options.unsettled_disputes == "removed" else best


def settle_by_default(play: Play, area: str) -> None:
    """Take markers down until those of the Area can stand together.

    What Powers at War with each other have there stays. Powers that gave up their Casus Belli against one that stays
    give way first. Then holders of a Casus Belli do: all
    of them to Influence where every Control marker goes, else to the best beside the Control that stays. At last
    Influences give way to Control.

    Rules: SEQ-019, NEG-006, NEG-008, NEG-009, NEG-010, NEG-029, ETI-031, WAR-060 (R-NEG-09, Decisions 12, 23 and 50)
    """
    while held := tuple(p for p in rivals(play.state, area) if p not in at_stake(play.state, area)):
        first = yielding(play.state, area, held)
        down = first if first and len(first) < len(held) else _holders(play.state, area, held) or held
        _take_down(play, area, down, any(p in first for p in down))
    under = tuple(p for p in overruled(play.state, area) if p not in at_stake(play.state, area))
    for power in _in_order(play, area, under):
        _give_way(play, area, power)


def _give_up(play: Play, area: str) -> None:
    """Who has given up his Casus Belli against a Power that keeps its own gives way.

    Rules: NEG-003, SEQ-019 (R-NEG-09, Decision 50)
    """
    while held := rivals(play.state, area):
        first = yielding(play.state, area, held)
        if not first or len(first) == len(held):
            return
        _take_down(play, area, first, True)


def _holders(state: State, area: str, held: tuple[str, ...]) -> tuple[str, ...]:
    """Those of `held` with a Casus Belli against another of them."""
    return tuple(
        p
        for p in held
        if any(c.area == area and c.holder == p and c.against in held for c in state.casus_belli)
    )


def _take_down(play: Play, area: str, yielding: tuple[str, ...], own_will: bool) -> None:
    """Lower the Control markers of `yielding`, each step blamed on the other side, or on the yielding by `own_will`."""
    blames = {p: p if own_will else placer(play.state, area, p) for p in yielding}
    targets = {p: _reduced(play, best_beside(play.state, area, p, yielding)) for p in yielding}
    for power in _in_order(play, area, yielding):
        own = established(play.state, area, power)
        if own is None:
            continue
        to = targets[power]
        rule = {INFLUENCE: "NEG-010", INTEREST: "NEG-008"}.get(to, "NEG-009")
        play.lower(
            area, power, own.marker, to, "gives way in a dispute", ("SEQ-019", "NEG-006", rule), blames[power]
        )


def _in_order(play: Play, area: str, powers: tuple[str, ...]) -> tuple[str, ...]:
    """The order in which markers go down: drawn where it decides who brings on the Great War."""
    steps = sum(level(established(play.state, area, p)) for p in powers)
    if len(powers) < 2 or play.state.tension + steps < 100:
        return powers
    left, out = list(powers), []
    while left:
        out.append(left.pop(play.dice.draw(len(left))))
    return tuple(out)
