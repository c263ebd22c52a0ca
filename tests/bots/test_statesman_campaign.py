"""The statesman at War: it compares simulated orders, and makes peace if going on is worth less."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pytest

from paxtui.bots.pax.caretaker import war as general_orders
from paxtui.bots.pax.caretaker.planner import Planner
from paxtui.bots.pax.profiles import character_of
from paxtui.bots.pax.statesman import player, war
from paxtui.bots.pax.statesman.evaluation import PositionValuation
from paxtui.engine.bots import BotAction
from paxtui.engine.seating import BotLevel
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.status import controls
from paxtui.games.pax.state.model import State
from tests.rules import wars
from tests.rules.harness import Bench, army, at_home, held, tables

AREAS = {
    "tunis": held("italy", "protectorate", army("italy", 1), army("france", 10)),
    "algiers": held("france", "possession", army("france", 10), army("france", 3)),
}


def at_war(stage: str = "attack", cycle: int = 2) -> Bench:
    """War of France and Italy in a Phase of France, with ten strength points against one in Tunis."""
    return wars.at_war([["france"], ["italy"]], stage, areas=AREAS, war={"cycle": cycle, "turn_of": 1, "order": [1, 2]})


def planning(bench: Bench, level: BotLevel = "normal") -> tuple[PositionValuation, Planner]:
    """Return the valuation and the planner of France."""
    character = character_of(level, "")
    return PositionValuation(tables(), bench.state, "france", character, "1"), Planner(
        tables(), bench.state, "france", "france", "1"
    )


def texts(acts: Sequence[BotAction]) -> list[str]:
    """The orders without their reasons."""
    return [act.text for act in acts]


def test_armies_go_for_the_richest_areas_with_what_each_needs() -> None:
    """The General Orders send all Armies to one Area, and those at home stay after the first cycle."""
    areas = {
        "algiers": held("france", "possession", *(army("france", n) for n in (1, 1, 3, 10))),
        "tunis": held("italy", "protectorate", army("italy", 1)),
        "marocco": held("italy", "protectorate", army("italy", 1)),
    }
    later = {"cycle": 2, "turn_of": 1, "order": [1, 2]}
    bench = wars.at_war([["france"], ["italy"]], "maneuver", areas=areas, war=later)
    orders = texts(war.statesman_war_orders(*planning(bench)))
    assert orders == ["move A1 algiers > marocco", "move A3 algiers > marocco", "move A10 algiers > tunis", "pass"]
    assert texts(general_orders.war_orders(tables(), bench.state, "france")) == ["pass"]


def test_armies_leave_home_in_later_cycles_too() -> None:
    areas = {"marocco": held("italy", "protectorate"), "algiers": held("france", "possession", army("france", 1))}
    homes, later = at_home("france", army("france", 3)), {"cycle": 2, "turn_of": 1, "order": [1, 2]}
    bench = wars.at_war([["france"], ["italy"]], "maneuver", areas=areas, homes=homes, war=later)
    assert [text for text in texts(war.statesman_war_orders(*planning(bench))) if text.startswith("move A3 home > ")]
    assert texts(general_orders.war_orders(tables(), bench.state, "france")) == ["pass"]


def simulated_ends(bench: Bench) -> list[State]:
    """Ends of the War as France plays it through."""
    valuation, planner = planning(bench)
    takes_spoils = partial(war._simulated_answer, valuation, planner)
    return list(war.simulate_wars(tables(), bench.state, "france", (), "seed", 4, takes_spoils))


def test_simulated_armies_attack_at_no_lower_odds_than_in_the_war() -> None:
    """The General Orders attack at 3 to 2, as 20 strength points against 13."""
    areas = {
        "algiers": held("france", "possession", *(army("france", n) for n in (1, 10, 10))),
        "tunis": held("italy", "protectorate", *(army("italy", n) for n in (1, 1, 1, 10))),
    }
    first = {"cycle": 1, "turn_of": 1, "order": [1, 2]}
    bench = wars.at_war([["france"], ["italy"]], "maneuver", areas=areas, war=first)
    assert texts(war.statesman_war_orders(*planning(bench))) == ["pass"]
    for end in simulated_ends(bench):
        assert end.areas["tunis"].units == bench.state.areas["tunis"].units


def test_enemies_take_spoils_in_a_simulation() -> None:
    strong = [army("italy", 10)] * 3
    areas = {"algiers": held("france", "protectorate"), "tunis": held("italy", "protectorate", *strong)}
    first = {"cycle": 1, "turn_of": 2, "order": [2, 1]}
    bench = wars.at_war([["france"], ["italy"]], "maneuver", areas=areas, homes=at_home("france"), war=first)
    assert [end for end in simulated_ends(bench) if controls(end, "algiers", "italy")]


def test_peace_is_offered_once_a_turn_if_war_is_worth_less(monkeypatch: pytest.MonkeyPatch) -> None:
    def prospect(valuation: PositionValuation, planner: Planner, *more: object) -> float:
        return war.position_value(valuation, planner, planner.state) - 25.0

    monkeypatch.setattr(war, "expected_value", prospect)
    bench = at_war("maneuver")
    (offered,) = [act for act in war.statesman_war_orders(*planning(bench)) if act.text.startswith("treaty")]
    assert "peace" in offered.text and "£25" in offered.why
    bench.act("france", offered.text)
    assert not [act for act in war.statesman_war_orders(*planning(bench)) if act.text.startswith("treaty")]
    early = at_war("maneuver", cycle=1)
    assert not [act for act in war.statesman_war_orders(*planning(early)) if act.text.startswith("treaty")]


@pytest.mark.parametrize(("gain", "word"), [(25.0, "sign"), (-25.0, "reject")])
def test_peace_is_signed_if_it_is_worth_more_than_war(gain: float, word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(war, "peace_value", lambda *_: gain)
    bench = at_war("maneuver")
    bench.act("france", "treaty Bardo with italy: peace")
    (answer,) = player.statesman_replies(tables(), bench.state, "italy", character_of("normal", ""), "1", ())
    assert answer.text.split()[0] == word


def test_simulated_war_is_reproducible() -> None:
    bench = at_war("maneuver")
    once, again = (war.peace_value(*planning(bench), 2) for _ in range(2))
    assert once == again
    assert once < 0, "France is about to win"


@pytest.mark.parametrize(("promised", "simulations"), [(3.0, 1), (6.0, 3)])
def test_war_that_does_not_promise_half_is_simulated_once(
    promised: float, simulations: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    valuation, planner = planning(at_war())
    monkeypatch.setattr(war, "simulate_wars", lambda *asked: iter(["war" if asked[3] else "peace"] * 3))
    monkeypatch.setattr(war, "_value", lambda valuation, planner, ends: promised * (ends[0] == "war"))
    found = war.WarSimulations(valuation, planner, "war", 3)
    act = actions.DeclareWar(("italy",), ("cb1",))
    assert found.gain(act, 10.0) == promised
    assert len(found.ends(act, 0)) == 0 and len(found._made[act][1]) == simulations


def test_without_dice_a_simulation_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    _, planner = planning(at_war())
    played: list[object] = []
    monkeypatch.setattr(war, "_play_wars", lambda play, *_: played.append(play))
    ends = list(war.simulate_wars(tables(), planner.state, planner.seat, (), "s", 3, lambda *_: None))
    assert ends == [planner.state] * 3 and len(played) == 1
