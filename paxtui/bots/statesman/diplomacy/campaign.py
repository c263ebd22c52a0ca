"""How a War is fought: the General Orders are tried on paper against holding still and against leaving one order out.

Each way is played through to the end of the cycle, with dice that are drawn, and the one that ends best is taken. Where
going on brings nothing more, peace is offered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from paxtui.bots.act import Act
from paxtui.bots.caretaker import campaign as general_orders
from paxtui.bots.caretaker.desk import Desk
from paxtui.bots.statesman.diplomacy import rebellion, war
from paxtui.bots.statesman.diplomacy.rehearsal import Until
from paxtui.bots.statesman.outlook import Outlook
from paxtui.engine.refusal import Refusal
from paxtui.pax.board.status import seat_of
from paxtui.pax.diplomacy.peace import with_a_voice
from paxtui.pax.orders import actions as ac
from paxtui.pax.orders.notation import parse
from paxtui.pax.state.model import State
from paxtui.pax.state.treaty import TREATY, Clause, Treaty
from paxtui.pax.state.war import MANEUVER, REBELLION, War
from paxtui.pax.war.cycle import current

LOOKS = {"easy": 0, "normal": 2, "hard": 4}
"""How often each way is played through."""
LEFT_OUT = 2
"""How many of the orders are tried without."""
BETTER = 1.0
"""Pounds by the end by which another way must beat the General Orders."""
HOLD = Act("pass", "It holds its ground: to go on now promises less")


def orders(outlook: Outlook, desk: Desk) -> list[Act]:
    """What it does in the present Phase of a War; at last it passes."""
    plain = general_orders.orders(desk.tables, desk.state, desk.seat)
    fought, times = current(desk.state), LOOKS.get(outlook.who.level, 0)
    if fought is None or not times:
        return plain
    if not any(fought.side_of(p) == fought.turn_of for p in (desk.power,) if fought.side_of(p)):
        return plain
    if fought.kind == REBELLION:
        return rebellion.maneuver(desk, fought) if fought.stage == MANEUVER else rebellion.attacks(desk, fought, plain)
    best, found = plain, war.prospect(outlook, desk, _actions(desk, plain), times, _same_cycle(fought))
    for other in _others(plain):
        worth = war.prospect(outlook, desk, _actions(desk, other), times, _same_cycle(fought))
        if worth > found + BETTER:
            best, found = other, worth
    return [*_peace(outlook, desk, fought, times), *best]


def _others(plain: Sequence[Act]) -> Iterator[list[Act]]:
    """Other ways: nothing at all, and all but one of the orders. The last of them is to pass."""
    given = plain[:-1]
    if given:
        yield [HOLD]
    if len(given) > 1:
        for n in range(min(LEFT_OUT, len(given))):
            yield [*given[:n], *given[n + 1 :], plain[-1]]


def _actions(desk: Desk, acts: Sequence[Act]) -> list[ac.Action]:
    """The acts as they are played on paper."""
    found: list[ac.Action] = []
    for act in acts:
        try:
            order = parse(desk.tables, act.text, desk.state)
        except Refusal:
            continue
        if isinstance(order, ac.Action):
            found.append(order)
    return found


def _same_cycle(fought: War) -> Until:
    """Whether a position is past the present cycle of a War, or the War is over."""

    def past(state: State) -> bool:
        now = next((w for w in state.wars if w.id == fought.id), None)
        return now is None or now.cycle > fought.cycle

    return past


# --- peace ------------------------------------------------------------------------------------------------------------


def _peace(outlook: Outlook, desk: Desk, fought: War, times: int) -> list[Act]:
    """Offer peace as things stand, where going on promises less; once a Game Turn to the same enemies."""
    voices = with_a_voice(desk.tables, desk.state, fought)
    foes = tuple(p for p in voices if fought.opposes(desk.power, p))
    if fought.stage != MANEUVER or fought.cycle < 2 or not foes:
        return []
    parties = tuple(p for p in voices if p != desk.power and seat_of(desk.tables, desk.state, p) != desk.seat)
    if any(_offered(treaty, desk, foes) for treaty in desk.state.treaties):
        return []
    gain = worth(outlook, desk, times)
    draft = ac.Draft("", parties, (Clause("peace"),), TREATY, True)
    if gain < BETTER or desk.tried(draft) is None:
        return []
    before = len(desk.acts)
    desk.do(draft, f"What it fought for is won or lost: to go on would cost some £{gain:.0f}")
    return desk.acts[before:]


def _offered(treaty: Treaty, desk: Desk, foes: Sequence[str]) -> bool:
    """Whether peace has been offered between the Power and its enemies in this Game Turn."""
    spoken = treaty.drafted == desk.state.turn and desk.power in treaty.parties
    return spoken and any(c.kind == "peace" for c in treaty.clauses) and any(p in treaty.parties for p in foes)


def worth(outlook: Outlook, desk: Desk, times: int) -> float:
    """Pounds by the end that peace as things stand is worth over going on."""
    going_on = war.prospect(outlook, desk, (), max(1, times))
    return war.standing(outlook, desk, desk.state) - going_on
