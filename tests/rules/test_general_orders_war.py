"""A caretaker at War gives the same orders as the engine for uncommanded forces."""

from __future__ import annotations

from typing import Any

from paxtui.games.pax.events import events
from tests.rules import wars
from tests.rules.general_orders import answers, orders
from tests.rules.harness import UNLIMITED, Bench, army, held, here

SIDES = [["italy"], ["spain"]]
EMPTY = {area: here() for area in ("marocco", "rio_de_oro", "tunis", "tripoli", "cuba", "porto_rico", "philippines")}
FLEETS = {"mediterranean": {"merchant_fleets": ["italy", "spain"], "units": []}}


def war(phase: str, **patch: Any) -> Bench:
    """Italy, with a caretaker at its seat, at War with Spain."""
    return wars.at_war(SIDES, phase, options=UNLIMITED, **patch)


def test_caretaker_moves_like_the_engine() -> None:
    garrison = held("italy", "possession", army("italy"), army("italy", 3))
    areas = {**EMPTY, "marocco": held("spain", "possession", army("spain")), "tunis": garrison}
    alone = war("maneuver", areas=areas, sea_zones=FLEETS, abandoned=["italy"])
    alone.advance()
    there = [
        f"move {e.units[0]} {e.path[0]} > {e.path[1]}" for e in alone.all_of(events.UnitsMoved) if e.power == "italy"
    ]
    g = war("maneuver", areas=areas, sea_zones=FLEETS)
    given = [act.text for act in orders(g, "italy")]
    assert given[:-1] == there[: len(given) - 1] == ["move A3 tunis > mediterranean"] and given[-1] == "pass"
    for text in given:
        g.act("italy", text)


def test_caretaker_attacks_at_three_to_two_or_better() -> None:
    theirs = [army("spain", 3), army("spain"), army("spain")]
    for spares, first in (((1,), "pass"), ((1, 1), "attack marocco")):
        ours = [army("italy", 3), army("italy", 3), *(army("italy", s) for s in spares)]
        g = war("attack", areas={"marocco": held("spain", "possession", *ours, *theirs)})
        assert orders(g, "italy")[0].text == first
        g.act("italy", first)


def test_caretaker_does_not_join_a_weak_attack_of_an_ally() -> None:
    theirs = [army("spain", 10)]
    ours = [army("france", 3), army("italy", 3)]
    for more, word in (((), "stand aside"), ((army("france", 10),), "attack")):
        g = wars.at_war(
            [["france", "italy"], ["spain"]],
            "attack",
            options=UNLIMITED,
            areas={"marocco": held("spain", "possession", *ours, *more, *theirs)},
        )
        g.act("france", "attack marocco")
        assert answers(g, "italy") == [word]
