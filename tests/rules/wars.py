"""Wars for tests: positions, steps through Phases, and results."""

from __future__ import annotations

from typing import Any

from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions import actions
from paxtui.games.pax.events import events
from paxtui.games.pax.state.war import War
from tests.rules.harness import Bench, here, tables

Sides = list[list[str]]

ALLIED: dict[str, Any] = {
    "name": "Pact",
    "stage": "in_force",
    "since": 1,
    "drafted": 1,
    "public": True,
}


def treaty(kind: str, *parties: str, **more: Any) -> dict[str, Any]:
    """A Treaty in force of one clause."""
    clause = {"kind": kind, **more.pop("clause", {})}
    return {**ALLIED, "id": "pact", "parties": list(parties), "signed": list(parties), "clauses": [clause], **more}


def calls(g: Bench) -> dict[str, tuple[str, ...]]:
    """The called Powers and their possible answers."""
    return {c.power: tuple(str(o) for o in c.options) for c in g.state.choices if c.kind == "call"}


def bench(players: int = 7, options: dict[str, str] | None = None, seed: str = "war") -> Bench:
    """A game without a position."""
    return Bench(players, options or {}, seed)


def negotiating(*causes: tuple[str, str], players: int = 7, tension: int = 0, **patch: Any) -> Bench:
    """The Negotiation Phase with causes of War without an Area, each `(holder, against)`."""
    g = bench(players, patch.pop("options", None))
    listed = [{"holder": holder, "against": against} for holder, against in causes]
    g.do(
        ARBITER,
        actions.SetPosition(
            {"phase": "negotiation", "casus_belli": listed, "indexes": {"european_tensions": tension}, **patch}
        ),
    )
    return g


def at_war(sides: Sides, phase: str = "maneuver", **patch: Any) -> Bench:
    """A War between these sides, in a Phase of Alliance 1. `war`: more fields of the War."""
    g = bench(patch.pop("players", 7), patch.pop("options", None))
    war = {"alliances": sides, "phase": phase, **patch.pop("war", {})}
    g.do(ARBITER, actions.SetPosition({"phase": "war", "wars": [war], **patch}))
    return g


def the_war(g: Bench) -> War:
    """The one War of the game."""
    (war,) = g.state.wars
    return war


def place(g: Bench) -> tuple[str, int]:
    """The Phase of the War and its phasing Alliance."""
    war = the_war(g)
    return war.stage, war.turn_of


def stepped_to(g: Bench, there: tuple[str, int]) -> None:
    """Step until the War is in this Phase, at most 100 times."""
    for _ in range(100):
        if place(g) == there:
            return
        g.step()
    raise AssertionError(f"the War never comes to {there}")


def sign(g: Bench, drafter: str, text: str, *others: str) -> None:
    """Propose an agreement and let the others sign."""
    g.act(drafter, text)
    for power in others:
        g.act(power, f"sign {g.state.treaties[-1].id}")


def all_pass(g: Bench) -> None:
    """Let each awaited seat pass."""
    for seat in g.waiting():
        g.act(seat, "pass")


def at_sea(g: Bench, zone: str, power: str = "") -> list[str]:
    """Names of the Units in a Sea or Cape Zone, sorted; of one Power."""
    return sorted(u.name for u in g.state.at_sea.get(zone, ()) if power in ("", u.power))


def zones(**fleets: str) -> dict[str, Any]:
    """Sea Zones of a patch with Merchant Fleets, names apart by blanks; all others have none."""
    everywhere = dict.fromkeys(
        (
            "north_atlantic", "south_atlantic", "caribbean", "mediterranean", "baltic", "black_sea", "indian_ocean",
            "south_pacific", "north_pacific", "oceania", "north_china_sea", "south_china_sea",
        ),
        "",
    )  # fmt: skip
    return {zone: {"merchant_fleets": powers.split()} for zone, powers in {**everywhere, **fleets}.items()}


def zone(*fleets: str, units: tuple[dict[str, Any], ...] = ()) -> dict[str, Any]:
    """A Sea Zone of a patch with the Merchant Fleets of these Powers, and Units at sea."""
    return {"merchant_fleets": list(fleets), "units": list(units)}


def only(**areas: Any) -> dict[str, Any]:
    """`areas` of a patch: these Areas; all others are empty."""
    table = tables()
    old = {s.area for s in table.start_markers} | {u.place for u in table.start_units if u.place in table.areas}
    return {**{area: here() for area in sorted(old)}, **areas}


def decided(g: Bench) -> list[tuple[str, int]]:
    """The test and the victor of each War that was decided since the start."""
    return [(e.test, e.victor) for e in g.all_of(events.WarDecided)]
