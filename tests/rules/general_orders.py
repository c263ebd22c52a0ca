"""A Power under General Orders for tests: its orders, and positions with little else on the map."""

from __future__ import annotations

from typing import Any

from paxtui.bots.pax.caretaker import general_orders
from paxtui.engine.bots import BotAction
from paxtui.engine.refusal import Refusal
from paxtui.games.pax.visibility import visible_state
from tests.rules.harness import Bench, at_home, here, moving, start


def orders(g: Bench, seat: str, seed: str = "orders") -> list[BotAction]:
    """The actions that the caretaker chooses for a seat."""
    return general_orders.choose_caretaker_actions(g.tables, visible_state(g.tables, g.state, seat), seat, seed)


def answers(g: Bench, seat: str) -> list[str]:
    """The answers that the caretaker chooses, without the ids of the questions."""
    return [" ".join(act.text.split()[2:]) for act in orders(g, seat) if act.text.startswith("choose ")]


def follow(g: Bench, seat: str, seed: str = "orders") -> list[str]:
    """Let the caretaker act. Returns: the accepted orders, without `ready`."""
    done: list[str] = []
    phase = g.state.phase
    for act in orders(g, seat, seed):
        assert act.why
        try:
            g.act(seat, act.text)
        except Refusal:
            assert act.text in ("ready", "garrison"), act
            continue
        if act.text == "ready" or g.state.phase != phase:
            break
        done.append(act.text)
    return done


def nothing_held(power: str) -> dict[str, Any]:
    """`areas` of a patch: every Area in which the Power has pieces in 1880, emptied."""
    areas = start().state.areas
    return {a: here() for a, x in areas.items() if any(p.power == power for p in (*x.markers, *x.units))}


def alone(
    power: str, areas: dict[str, Any], money: int = 0, home: tuple[dict[str, Any], ...] = (), **patch: Any
) -> Bench:
    """A Movement/Status Change Phase in which a Power has only these Areas and Units."""
    return moving({power: money}, areas={**nothing_held(power), **areas}, homes=at_home(power, *home), **patch)
