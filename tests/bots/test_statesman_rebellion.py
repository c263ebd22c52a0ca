"""The statesman in a Chinese Rebellion: it gathers enough strength together with others, then attacks."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from paxtui.bots.pax.caretaker.planner import Planner
from paxtui.bots.pax.profiles import character_of
from paxtui.bots.pax.statesman import war
from paxtui.bots.pax.statesman.evaluation import PositionValuation
from paxtui.engine.bots import BotAction
from tests.rules.harness import Bench, army, held, tables
from tests.rules.rebellions import rebellion, rebels

HONG_KONG = {"hong_kong": held("france", "possession", army("france", 10), army("france", 10), army("france", 1))}
"""A French Area next to Kwang-Si, with one army to stay and two to go."""


def rebellion_of(n: int, **areas: Any) -> Bench:
    """A Maneuver Phase of France and Germany against `n` Chinese Armies in Kwang-Si, which adds 5."""
    china = {"units": rebels(n)}
    return rebellion(["france", "germany"], turn_of=2, areas={"kwang_si": china, **HONG_KONG, **areas})


def orders(bench: Bench, power: str = "france") -> list[BotAction]:
    """Return the orders of a statesman."""
    character = character_of("normal", "")
    planner = Planner(tables(), bench.state, power, power, "1")
    return war.statesman_war_orders(PositionValuation(tables(), bench.state, power, character, "1"), planner)


def moves(acts: list[BotAction]) -> list[str]:
    """Return the moves in China, without those from home and the final pass."""
    assert acts[-1].text == "pass"
    return [act.text for act in acts[:-1] if "home >" not in act.text]


def test_statesman_enters_at_three_to_two() -> None:
    assert moves(orders(rebellion_of(1))) == ["move A10 hong_kong > kwang_si"] * 2, "20 against 10"
    assert moves(orders(rebellion_of(2))) == [], "20 against 15 is too little"
    friends = {"fukien": held("germany", "protectorate", army("germany", 10), army("germany", 1))}
    assert moves(orders(rebellion_of(2, **friends))) == ["move A10 hong_kong > kwang_si"] * 2, "with the German ten"


def test_halted_allies_do_not_count() -> None:
    moved = {**army("germany", 10), "halted": True}
    bench = rebellion_of(2, fukien=held("germany", "protectorate", moved, army("germany", 1)))
    assert any(unit.halted for unit in bench.state.areas["fukien"].units)
    assert moves(orders(bench)) == []


def test_heavy_armies_leave_home_until_twice_the_rebels() -> None:
    bench = rebellion_of(2)
    at_home = [unit.strength for unit in bench.state.homes["germany"]]
    assert at_home.count(10) > 1, "more than one could go"
    sent = [act.text for act in orders(bench, "germany") if "home >" in act.text]
    assert sent == ["move A10 home > north_atlantic"], "20 of France and 10 of Germany are twice 15"


def test_armies_stay_home_if_all_together_are_too_few() -> None:
    nobody: dict[str, Any] = {power: {"units": []} for power in rebellion_of(1).state.homes if power != "germany"}
    areas = {"kwang_si": {"units": rebels(6)}, **HONG_KONG}
    alone = rebellion(["france", "germany"], turn_of=2, areas=areas, homes=nobody)
    assert [act.text for act in orders(alone, "germany")] == ["pass"], "28 of Germany and 20 of France against 35"
    assert len(orders(rebellion_of(2), "germany")) > 1


def test_statesman_brings_half_of_the_strength_itself() -> None:
    """Others may stay where they are: three strength points would face ten Chinese alone."""
    few = held("france", "possession", army("france", 3), army("france", 1))
    friends = {"fukien": held("germany", "protectorate", army("germany", 10), army("germany", 10), army("germany", 1))}
    bench = rebellion_of(1, **friends, hong_kong=few)
    assert moves(orders(bench)) == []
    assert moves(orders(bench, "germany")) == ["move A10 fukien > kwang_si"] * 2
    among = {**friends, "kwang_si": {"units": [*rebels(1), army("germany", 10)]}}
    assert moves(orders(rebellion_of(1, hong_kong=few, **among))) == ["move A3 hong_kong > kwang_si"], (
        "with the ten there"
    )


def test_promised_attack_is_made_without_allies() -> None:
    areas = {**HONG_KONG, "kwang_si": {"units": [*rebels(2), army("france", 10)]}}
    bench = rebellion(["france", "germany"], "attack", turn_of=2, areas=areas)
    assert [act.text for act in orders(bench)] == ["pass"], "10 against 15"
    (war,) = bench.state.wars
    bench.state = replace(bench.state, wars=(replace(war, invaded=("france kwang_si",)),))
    assert [act.text for act in orders(bench)] == ["attack kwang_si", "pass"]
