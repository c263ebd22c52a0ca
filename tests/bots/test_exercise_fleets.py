"""The bot of the naval steps: interceptions, combats, blockades, and games against random actions."""

from __future__ import annotations

from random import Random

import pytest

from paxtui.bots.empires import fleets as admiral
from paxtui.games.empires.decider import legal_actions
from paxtui.games.empires.orders import Action, Answer, AttackFleet, Done, Sail
from tests.empires.hosting import host_exercise
from tests.empires.sea import Sea, fleet, nelson


def chosen_action(sea: Sea, seat: str) -> Action:
    return admiral.choose_naval_action(sea.tables, sea.state, seat, legal_actions(sea.tables, sea.state, seat))


@pytest.mark.parametrize(("ships", "answer"), [(30, "off_brest"), (5, "none")])
def test_fleet_intercepts_a_weaker_fleet(ships: int, answer: str) -> None:
    sea = Sea(fleet("fr1", "brest", 20), fleet("gb1", "off_brest", ships), groups=[("france",)])
    sea.act("france", "sail fr1 to off_brest,bay_of_biscay")
    assert chosen_action(sea, "great_britain") == Answer(answer)


@pytest.mark.parametrize(("ships", "answer"), [(8, "evade"), (30, "stand")])
def test_fleet_evades_a_stronger_fleet(ships: int, answer: str) -> None:
    sea = Sea(fleet("gb1", "channel", 20), fleet("fr1", "channel", ships), step="combat")
    sea.act("great_britain", "strike france at channel")
    assert chosen_action(sea, "france") == Answer(answer)


def test_fleet_attacks_at_bad_odds_only_if_it_must() -> None:
    good = Sea(fleet("gb1", "channel", 20), fleet("fr1", "channel", 10), step="combat", leaders=[nelson("gb1")])
    assert chosen_action(good, "great_britain") == AttackFleet(place="channel", power="france")
    bad = Sea(fleet("gb1", "channel", 5), fleet("fr1", "channel", 30), step="combat")
    assert chosen_action(bad, "great_britain") == Done()
    must = Sea(fleet("gb1", "off_brest", 5), fleet("fr1", "off_brest", 30), step="combat")
    assert isinstance(chosen_action(must, "great_britain"), AttackFleet)


def test_fleet_sails_to_stations_worth_points() -> None:
    sea = Sea(fleet("gb1", "plymouth", 20), groups=[("great_britain",)])
    exercise = host_exercise("channel-1805", "x").tables  # with its stations
    act = admiral.choose_naval_action(
        exercise, sea.state, "great_britain", legal_actions(sea.tables, sea.state, "great_britain")
    )
    assert isinstance(act, Sail) and act.route[-1] in ("western_approaches", "straits_of_gibraltar")


@pytest.mark.parametrize(("blockade", "leaves"), [(24, False), (4, True)])
def test_fleet_leaves_a_blockaded_port_only_at_good_odds(blockade: int, leaves: bool) -> None:
    fleets = fleet("fr1", "brest", 21), fleet("gb1", "off_brest", blockade)
    sea = Sea(*fleets, groups=[("france",)])
    exercise = host_exercise("channel-1805", "x").tables
    act = admiral.choose_naval_action(exercise, sea.state, "france", legal_actions(sea.tables, sea.state, "france"))
    assert isinstance(act, Sail) is leaves


@pytest.mark.parametrize(("seed", "side"), [(1, ("great_britain",)), (2, ("france", "spain"))])
def test_fleet_bot_beats_random_actions(seed: int, side: tuple[str, ...]) -> None:
    host, random = host_exercise("channel-1805", str(seed)), Random(seed)
    while host.waiting:
        seat = host.waiting[0]
        acts = legal_actions(host.tables, host.state_for(seat), seat)
        acts_now = host.state.questions or random.random() < 0.6
        by_chance = random.choice(acts) if acts_now else acts[-1]
        host.act(seat, admiral.choose_naval_action(host.tables, host.state, seat, acts) if seat in side else by_chance)
    points = {power: account.points for power, account in host.state.accounts.items()}
    rivals = [points[power] for power in points if power not in side]
    assert max(points[power] for power in side) > max(rivals) + 5
