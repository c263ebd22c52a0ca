"""One step of a Unit in War, whoever sends it: a player, the engine, or an attack that drives it out.

Rules: WMV-006, WMV-034, WCB-020, ORD-037
"""

from __future__ import annotations

from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play
from paxtui.pax.state.pieces import Unit
from paxtui.pax.war.campaign.ways import Step


def take(play: Play, unit: Unit, place: str, step: Step, reason: str, rules: tuple[str, ...]) -> None:
    """A Unit goes to a place beside it and moves no more in this Phase.

    Args: the Unit as it stands; where it stands; where it goes; why, as `UnitsMoved` has it; the rules that send it.
    """
    play.emit(
        ev.UnitsMoved(
            power=unit.power,
            units=(unit.name,),
            path=(place, step.place),
            coast=step.coast,
            halted=True,
            was_halted=unit.halted,
            reason=reason,
            start_coast=unit.coast,
            rules=rules,
        )
    )
