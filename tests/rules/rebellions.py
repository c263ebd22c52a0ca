"""Chinese Rebellions for tests: positions in their Phases, and the state of China."""

from __future__ import annotations

from typing import Any

from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions import actions
from paxtui.games.pax.events import events
from paxtui.games.pax.state.war import ALLIANCES
from tests.rules import wars
from tests.rules.harness import UNLIMITED, Bench
from tests.rules.wars import only, the_war


def rebels(n: int = 1) -> list[dict[str, Any]]:
    """Chinese Armies of a patch."""
    return [{"power": "china", "kind": "army", "strength": 5} for _ in range(n)]


def rebellion(members: list[str], phase: str = "maneuver", turn_of: int | None = 1, **patch: Any) -> Bench:
    """A Rebellion against these Powers, in a Phase of China unless `turn_of` is 2, with nothing else on the map."""
    war = {"kind": "rebellion", "turn_of": turn_of, "unsupplied": [], **patch.pop("war", {})}
    options = {**UNLIMITED, **patch.pop("options", {})}
    areas = only(**patch.pop("areas", {}))
    return wars.at_war([["china"], members], phase, options=options, areas=areas, war=war, **patch)


def where(g: Bench) -> dict[str, int]:
    """The number of Chinese Armies by Area."""
    found = {area: len(g.units(area, "china")) for area in g.state.areas}
    return {area: n for area, n in found.items() if n}


def battles(g: Bench) -> list[tuple[str, int, int, str]]:
    """Combats since the start: place, strength of both sides, result."""
    return [(e.place, e.attack, e.defend, e.result) for e in g.all_of(events.BattleFought)]


def defeated(g: Bench) -> tuple[str, ...]:
    """The defeated Areas of the present Rebellion."""
    return the_war(g).defeated


def breaking_out(*dice: int, members: dict[str, Any] | None = None, players: int = 7, **patch: Any) -> Bench:
    """A Chinese Resentment Phase in which a Rebellion breaks out, played until it is fought or over.

    dice: those after the three ones of the outbreak; members: Areas of the patch.
    """
    g = wars.bench(players)
    areas = only(**(members or {}))
    indexes = {"chinese_resentment": 180, "european_tensions": 10}
    g.do(ARBITER, actions.SetPosition({"phase": "chinese_resentment", "areas": areas, "indexes": indexes, **patch}))
    g.dice(1, 1, 1, *dice)
    g.step()
    assert g.state.phase == "war" and g.state.rebellion
    while not g.state.wars or the_war(g).stage == ALLIANCES:
        g.step()
    return g
