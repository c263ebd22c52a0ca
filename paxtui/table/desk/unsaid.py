"""What an order leaves open although its player should say it, and the rules would choose for him."""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.pax.orders import actions as ac
from paxtui.table.session import Session


def ports(session: Session, asked: str) -> tuple[ac.Build, ...]:
    """The same order for each home box in which its fleets could stand, where it names none; () where one is certain.

    Rules: SET-027
    """
    try:
        order = session.order_of(asked)
    except Refusal:
        return ()
    if not isinstance(order, ac.Build) or order.box or not any(name.upper().startswith("N") for name in order.units):
        return ()
    home = session.tables.homes.get(order.power or session.seat)
    boxes = home.boxes if home else ()
    return tuple(replace(order, box=box[0]) for box in boxes) if len(boxes) > 1 else ()
