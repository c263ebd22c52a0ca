"""Acts at sea at random by the thousand: nothing but refusals fails; ships, corps and points are accounted for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random

import msgspec
import pytest

from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.games.empires.decider import current_step, decide_action, waiting_powers
from paxtui.games.empires.events.base import Event
from paxtui.games.empires.events.sea import Drowned, FleetRemoved, ShipsLost
from paxtui.games.empires.naval.fleets import blockade_box, place_kind, place_of_fleet
from paxtui.games.empires.orders import (
    Action,
    Answer,
    AttackFleet,
    Done,
    PlaceFleet,
    PlaceShips,
    Sail,
    Scuttle,
    TransferShips,
    action_text,
    parse_action,
)
from paxtui.games.empires.pieces import Fleet, ShipsDue
from paxtui.games.empires.state import Minor, State
from tests.empires.land import corps
from tests.empires.sea import SUMMER, TABLES, WINTER, Sea, fleet, garrison, nelson

POWERS = ("great_britain", "france", "spain", "russia", "turkey")
SEAS = [area.id for area in TABLES.areas.values() if area.sea]
PORTS = [area.id for area in TABLES.areas.values() if area.port]
PLACES = [*SEAS, *PORTS, *map(blockade_box, PORTS)]
ACTS = 400
"""Acts tried in one game."""


def _somewhere(random: Random) -> Sea:
    """A position at random: fleets anywhere, wars, access, allies who combine, corps aboard and ashore."""
    letters = {"great_britain": "gb", "france": "fr", "spain": "sp", "russia": "ru", "turkey": "tu"}
    fleets = [
        fleet(f"{letters[power]}{n}", random.choice(PLACES), random.randint(1, 30), most=random.choice((0, 30)))
        for power in POWERS
        for n in range(1, random.randint(2, 5))
    ]
    fleets.append(fleet("du1", random.choice(PLACES), 8))
    harbours = [one.where for one in fleets if one.box == "port"] or PORTS
    troops = [corps(f"{power}_{n}", power, random.choice(harbours), 10) for power in POWERS for n in (1, 2, 3)]
    pairs = [(a, b) for at, a in enumerate(POWERS) for b in POWERS[at + 1 :]]
    combined = (("france", "spain"),) if random.random() < 0.5 else ()
    groups = [("great_britain",), *([("france", "spain")] if combined else [("france",), ("spain",)]), ("russia",)]
    random.shuffle(groups)
    due = tuple(
        ShipsDue(turn=SUMMER, power=power, nation=power, ships=5, fleets=(fleet(f"{letters[power]}9", "brest", 0),))
        for power in POWERS
    )
    return Sea(
        *fleets,
        groups=groups,
        wars=[pair for pair in pairs if random.random() < 0.5 and pair != ("france", "spain")],
        troops=troops,
        leaders=[nelson("gb1")],
        garrisons=tuple(garrison(port, TABLES.areas[port].owner) for port in PORTS if random.random() < 0.7),
        control={port: random.choice(POWERS) for port in PORTS if random.random() < 0.15},
        access=tuple(pair for pair in pairs if random.random() < 0.2),
        combined=combined,
        minors=(Minor(id="holland", status="free", controller="france"), Minor(id="portugal")),
        turn=random.choice((SUMMER, WINTER)),
        shipyard=due,
        step=random.choice(("movement", "navy")),
    )


def _any_act(state: State, power: str, random: Random) -> Action:
    """Something that a Power might ask for, allowed or not."""
    own = [one for one in state.fleets.values() if one.power == power] or list(state.fleets.values())
    if not own:
        return Done()
    one = random.choice(own)
    here = [other.id for other in own if place_of_fleet(other) == place_of_fleet(one)]
    some = tuple(random.sample(here, random.randint(1, len(here))))
    ashore = [name for name, each in state.corps.items() if each.where == one.where]
    ashore.sort(key=lambda name: state.corps[name].power != power)
    fitting = {"movement": (0, 1, 2, 2, 2), "combat": (3,), "navy": (4, 5, 6)}.get(state.cursor.step, (0,))
    match random.choice(fitting) if random.random() < 0.9 else random.randint(0, 6):
        case 0 | 1:
            route = tuple(random.choices(PLACES, k=random.randint(1, 3)))
            return Sail(fleets=some, route=route, seeking=random.choice(("", "battle")))
        case 2:
            offered = [act for act in current_step(state).offers(TABLES, state, power) if isinstance(act, Sail)]
            act = random.choice(offered) if offered else Sail(fleets=some, route=("channel",))
            return msgspec.structs.replace(act, corps=tuple(ashore[: random.randint(0, 2)]))
        case 3:
            beside = [other.power for other in state.fleets.values() if place_of_fleet(other) == place_of_fleet(one)]
            target = random.choice((*beside, *POWERS))
            return AttackFleet(place=place_of_fleet(one), power=target, declaring=random.choice(((), (target,))))
        case 4:
            return PlaceShips(fleet=one.id, ships=2) if random.random() < 0.9 else Scuttle(fleet=one.id)
        case 5:
            return TransferShips(ships=random.randint(1, 9), giver=one.id, taker=random.choice(own).id)
        case _:
            return PlaceFleet(fleet=one.id[:2] + "9", place=random.choice(PLACES), ships=random.randint(0, 3))


def _ships(fleets: Iterable[Fleet]) -> int:
    return sum(one.ships for one in fleets)


def _lost(events: Sequence[Event]) -> int:
    """Ships that went down."""
    sunk = sum(event.ships for event in events if isinstance(event, ShipsLost))
    return sunk + sum(event.ships for event in events if isinstance(event, FleetRemoved))


def _check(before: State, after: State, events: Sequence[Event]) -> None:
    """Everything that must hold after an act."""
    assert _ships(after.fleets.values()) + _lost(events) + sum(one.ships for one in after.shipyard) == (
        _ships(before.fleets.values()) + sum(one.ships for one in before.shipyard)
    )
    assert set(before.corps) - set(after.corps) == {event.corps for event in events if isinstance(event, Drowned)}
    aboard = Counter(name for one in after.fleets.values() for name in one.cargo)
    assert all(number == 1 and not after.corps[name].where for name, number in aboard.items())
    assert {name for name, one in after.corps.items() if not one.where} == set(aboard)
    for one in after.fleets.values():
        assert place_kind(TABLES, place_of_fleet(one)) == {"": "sea", "port": "port", "blockade": "box"}[one.box]
        assert one.ships >= 0 and len(one.cargo) <= 1 and one.moved <= 7
        assert not one.most or one.ships <= one.most
    for leader in after.leaders.values():
        assert leader.captor or not leader.where or leader.where in after.fleets
    for power, account in after.accounts.items():
        assert account.points == sum(one.amount for one in after.ledger if one.power == power)


@pytest.mark.parametrize("seed", range(14))
def test_games_at_random_end_in_refusals_or_in_order(seed: int) -> None:
    random = Random(seed)
    sea = _somewhere(random)
    state, done = sea.state, 0
    for number in range(ACTS):
        seats = waiting_powers(TABLES, state)
        if not seats:
            break
        seat = random.choice(seats)
        if state.questions:
            action: Action = Answer(random.choice(state.questions[-1].choices))
        elif state.cursor.step == "army":
            action = Done()
        elif state.cursor.step == "announce" or random.random() < 0.2:
            offered = list(current_step(state).offers(TABLES, state, seat)) if random.random() < 0.6 else []
            action = random.choice([*offered[:40], Done()])
        else:
            action = _any_act(state, seat, random)
        assert parse_action(action_text(action)) == action
        try:
            play = decide_action(TABLES, state, seat, action, Dice(str(seed), number * 50))
        except Refusal as refusal:
            assert refusal.rules or refusal.code in ("unknown_seat", "bad_order"), (refusal.code, action_text(action))
            continue
        _check(state, play.state, play.events)
        folded = state
        for event in play.events:
            folded = event.evolve(folded)
        assert folded == play.state == msgspec.convert(msgspec.to_builtins(play.state), type=State)
        state, done = play.state, done + 1
    assert done > 20
