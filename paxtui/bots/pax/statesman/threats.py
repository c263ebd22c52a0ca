"""Threats of War: a dispatch and a draft with a date, to a Power against which a War would pay.

Rules: STA-052, TRE-001
"""

from __future__ import annotations

from paxtui.bots.pax.caretaker.planner import Planner
from paxtui.bots.pax.statesman import war
from paxtui.bots.pax.statesman.evaluation import PositionValuation
from paxtui.bots.pax.statesman.treaty_values import PowerRelations
from paxtui.engine.bots import BotAction
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.dispatches import Dispatch
from paxtui.games.pax.actions.notation import format_order
from paxtui.games.pax.board.status import controls, established
from paxtui.games.pax.state.diplomacy import TREATY, CasusBelli, Clause
from paxtui.games.pax.state.pieces import INFLUENCE, INTEREST, LEVEL
from paxtui.games.pax.text.display import place_name, power_name

WORTH_A_THREAT = 10.0
"""Minimum value of the Area to the Power that threatens, in pounds at the end."""


def threaten(outlook: PositionValuation, desk: Planner) -> None:
    """Demand one Area of a Power over which the Power has a Casus Belli, if a War over it could be won."""
    who = outlook.who
    if desk.power != desk.seat or who.level == "easy" or who.care > 2.0 or "threats" in who.lacks:
        return
    regard = PowerRelations(desk.tables, desk.state)
    found = [
        (outlook.worth(desk.state, cause.area, "protectorate"), cause.area, cause)
        for cause in desk.state.casus_belli
        if cause.holder == desk.power and cause.area and cause.against in desk.state.players
        if controls(desk.state, cause.area, cause.against) and war.is_war_bearable(outlook, desk, regard, cause.against)
    ]
    worth, _, cause = max(found, default=(0.0, "", None), key=lambda one: one[:2])
    if cause is not None and worth > WORTH_A_THREAT:
        _demand_area(desk, cause)


def _demand_area(desk: Planner, cause: CasusBelli) -> None:
    """Draft what the other Power shall do and when, and say in a dispatch what follows otherwise."""
    tables, state, foe = desk.tables, desk.state, cause.against
    own = established(state, cause.area, desk.power)
    turn = state.turn + 1 if state.turn < state.last_turn else 0
    marker = INTEREST if own is not None and LEVEL[own.marker] >= LEVEL[INFLUENCE] else ""
    lower = Clause("lower", power=foe, places=(cause.area,), marker=marker, turn=turn)
    waive = Clause("waive", power=desk.power, places=(cause.area,), to=foe)
    where, date = place_name(tables, cause.area), f" by {tables.turns[turn - 1].year}" if turn else ""
    draft = actions.Draft("", (desk.power, foe), (lower, waive), TREATY, False)
    why = f"{power_name(tables, foe)} is weaker, and may leave {where} rather than fight for it"
    if desk.do(draft, why):
        words = f"Leave {where}{date}, or expect War. Sign, and we give up our Casus Belli over it."
        desk.acts.append(BotAction(format_order(tables, Dispatch((foe,), words)), why))
