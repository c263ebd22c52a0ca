"""Rule 7a: an army of 3 to 2 for an Area in Unrest, from home and bought.

Rules: ORD-022, ORD-023, ORD-024, ORD-032 (R-ORD-09, R-ORD-21)
"""

from __future__ import annotations

from paxtui.bots.caretaker.desk import Desk
from paxtui.bots.caretaker.superiority import cheapest, fewest, free_pieces, needed
from paxtui.pax.board.status import at, controls
from paxtui.pax.expansion.special_garrisons import heavies_free
from paxtui.pax.orders import actions as ac
from paxtui.pax.state.pieces import ARMY, PROTECTORATE
from paxtui.pax.words.spoken import place_name


def suppress(desk: Desk, area: str) -> bool:
    """Send an army of 3 to 2, behind a new Protectorate where the Power has an Influence only; or do nothing.

    Rules: ORD-022, ORD-023, ORD-024
    """
    why = f"Rule 7a: 3 to 2 over {place_name(desk.tables, area)}"

    def steps() -> bool:
        if not controls(desk.state, area, desk.power):
            if not desk.do(ac.Upgrade(PROTECTORATE, area), f"{why}, with a Protectorate"):
                return False
        return raise_force(desk, area, why)

    return desk.all_or_none(steps)


def raise_force(desk: Desk, area: str, why: str) -> bool:
    """Bring the armies in an Area up to 3 to 2 over its Combat Strength: from home, else bought, with no excess.

    Returns: whether they are, or there was nothing to do; where not, some acts may have been drawn up.
    Rules: ORD-022, ORD-023, ORD-032
    """
    tables, power = desk.tables, desk.power
    missing = needed(tables.areas[area].strength) - strength_there(desk, area)
    if missing <= 0:
        return True
    home = _may_leave(desk, area)
    chosen = fewest(home, missing)
    bought: tuple[int, ...] = ()
    if chosen is None:
        purchase = cheapest(tables, free_pieces(tables, desk.state, power), ARMY, missing - sum(home))
        if purchase is None or not desk.build(purchase.strengths, why):
            return False
        chosen, bought = tuple(home), purchase.strengths
    return desk.move((*chosen, *bought), desk.home, area, why)


def strength_there(desk: Desk, area: str) -> int:
    """Strength points of the armies that would attack the Area: the Power's, and those of its partners there.

    Rules: ORD-032 (R-ORD-09, R-ORD-21)
    """
    here = at(desk.state, area)
    own = sum(u.strength for u in here.units if u.power == desk.power and u.kind == ARMY)
    shared = desk.power in here.codominion
    partners = sum(u.strength for u in here.units if u.power != desk.power and u.power in here.codominion)
    return own + (partners if shared else 0)


def _may_leave(desk: Desk, area: str) -> list[int]:
    """Strengths of the Army Units at home that may go to an Area, the light ones first."""
    home = desk.armies_at_home()
    heavy = heavies_free(desk.tables, desk.state, desk.power, desk.home, area)
    return [s for n, s in enumerate(home) if s < 10 or n >= len(home) - heavy]
