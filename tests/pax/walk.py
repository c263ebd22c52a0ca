"""A random walk through whole games, with the books audited after every act.

`Walk` plays a game by a seeded generator: mostly what the menu offers, often something wild, now and then the
arbiter. `audit` compares the positions before and after an act with its events, by sums of its own.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import msgspec

from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER
from paxtui.pax.board.status import powers_of
from paxtui.pax.decide import decide
from paxtui.pax.history import events as ev
from paxtui.pax.history.evolve import evolve
from paxtui.pax.legal import legal
from paxtui.pax.menus.menu import Menu
from paxtui.pax.orders import actions as ac
from paxtui.pax.orders.notation import parse
from paxtui.pax.position.setup import new_game, seats_for
from paxtui.pax.sequence import waiting
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import CONTROL, NAVAL, home
from tests.rules.harness import reasoned, tables

T = tables()
AREAS, ZONES, POWERS, MARKERS = list(T.areas), list(T.sea_zones), list(T.powers), list(T.markers)
UNITS = [kind + str(strength) for kind in "AN" for strength in T.units]
SWITCHES: list[dict[str, str]] = [
    {},
    {"counter_limits": "unlimited", "balkan_routes": "yes"},
    {"edition": "1993", "failed_upgrade_keeps_old": "no", "transfer_raises_eti": "yes"},
    {"ottoman_expansion": "yes", "minor_fresh_protectorate_upgrades": "yes"},
    {"ungarrisoned_new_control_becomes_influence": "no", "eti_for_lost_garrisons": "no", "cri_per_phase": "sheet"},
]


class Walk:
    """One game played at random. `acts` counts what was accepted, `refused` what was not."""

    def __init__(self, seed: int, players: int = 0, options: dict[str, str] | None = None) -> None:
        self.random = Random(seed)
        count = players or self.random.choice([4, 5, 6, 7, 7, 7, 8])
        chosen = dict(self.random.choice(SWITCHES) if options is None else options)
        if count == 8:
            chosen["belgium"] = "yes"
        self.state = new_game(T, seats_for(count), chosen)
        self.seed = f"walk {seed}"
        self.index = 0
        self.acts = self.refused = 0
        self.since_step = 0

    def decide(self, seat: str, action: ac.Action) -> list[ev.Event]:
        """The events of an act. Raises: Refusal."""
        return decide(T, self.state, seat, action, Dice(self.seed, self.index))

    def act(self, seat: str, action: ac.Action, thorough: bool = False) -> list[ev.Event] | None:
        """Let a seat act, audited; None when it was refused."""
        before = self.state
        frozen = msgspec.json.encode(before) if thorough else b""
        dice = Dice(self.seed, self.index)
        try:
            events = decide(T, before, seat, action, dice)
        except Refusal as refusal:
            self.refused += 1
            assert refusal.message and refusal.code
            assert not thorough or msgspec.json.encode(before) == frozen
            return None
        after = before
        for event in events:
            if thorough:
                again = msgspec.json.decode(msgspec.json.encode(event), type=ev.AnyEvent)
                assert again == event
            after = evolve(after, event)
        assert not thorough or msgspec.json.encode(before) == frozen
        if thorough:
            assert decide(T, before, seat, action, Dice(self.seed, self.index)) == events
        audit(before, events, after)
        self.state = after
        self.index = dice.index
        self.acts += 1
        return events

    def turn(self, wild: float = 0.3, thorough: bool = False) -> None:
        """One more attempt of somebody at something; the arbiter keeps the game going."""
        state, random = self.state, self.random
        due = waiting(T, state)
        self.since_step += 1
        if not due or self.since_step > 40:
            self.since_step = 0
            choice = random.choice([ac.Advance(force=bool(due)), ac.Step()])
            assert self.act(ARBITER, choice, thorough) is not None, "the game does not go on"
            return
        seat = random.choice(due if random.random() < 0.8 else state.players)
        if random.random() < wild:
            action = wild_action(random, state, seat)
        else:
            action = offered_action(random, legal(T, state, seat))
        if action is not None:
            self.act(seat, action, thorough)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state.result is not None


# --- actions ---------------------------------------------------------------------------------------------------------


def offered_action(random: Random, menu: Menu) -> ac.Action | None:
    """Something that the menu offers."""
    kinds = [k for k, there in (("order", menu.orders), ("move", menu.moves), ("pay", menu.pays)) if there]
    if not kinds:
        return None
    kind = random.choice(kinds)
    if kind == "order":
        # ready is one of hundreds: give it its share, so that Phases end by themselves too
        text = "ready" if "ready" in menu.orders and random.random() < 0.15 else random.choice(menu.orders)
    elif kind == "pay":
        gift = random.choice(menu.pays)
        amount = random.randint(1, gift.most)
        text = f"{gift.power}: pay {gift.to} {amount}"
        if amount in gift.offered:
            return None
    else:
        moves = random.choice(menu.moves)
        units = random.sample(moves.units, random.randint(1, len(moves.units)))
        text = menu.move_text(moves, units, random.choice(moves.ends))
    order = parse(T, text)
    assert isinstance(order, ac.Action)
    return order


def wild_action(random: Random, state: State, seat: str) -> ac.Action:
    """Something that may or may not be allowed, of the right words."""
    power = random.choice(["", *powers_of(T, state, seat), random.choice(POWERS)])
    acting = power or seat
    own = [a for a, here in state.areas.items() if any(p.power == acting for p in (*here.markers, *here.units))]
    area = random.choice(own) if own and random.random() < 0.6 else random.choice(AREAS)
    other = random.choice(own) if own and random.random() < 0.6 else random.choice(AREAS)
    marker, to = random.choice(MARKERS), random.choice(POWERS)
    here = [u.name for u in (*state.areas[area].units, *state.homes.get(acting, ())) if u.power == acting]
    units = tuple(random.choice(here if here and random.random() < 0.7 else UNITS) for _ in range(random.randint(1, 3)))
    zone, zone2 = random.choice(ZONES), random.choice(ZONES)
    start = random.choice([area, home(acting), "home", zone])
    end = random.choice([other, home(acting), home(to), "home", zone2])
    middle = tuple(random.choice([zone, area, other]) for _ in range(random.choice([0, 0, 0, 1, 2])))
    choices = [c.id for c in state.choices] + ["c1", "c999"]
    answers = [o for c in state.choices for o in c.options if isinstance(o, str)] + ["accept", "A1", "home", "x"]
    causes = [c.id for c in state.casus_belli] + ["cb1", "cb9"]
    coast = random.choice(["", "", zone, zone2])
    return random.choice(
        [
            ac.Place(marker, area, power),
            ac.Upgrade(marker, area, power),
            ac.Downgrade(marker, area, power),
            ac.Withdraw(marker, area, power),
            ac.Transfer(area, to, power),
            ac.Build(units, random.choice(["", zone]), power),
            ac.Move(units, (start, *middle, end), coast, power),
            ac.Move(units, (random.choice(["home", area]), end), coast, power),
            ac.Merchant(random.choice([zone, "new"]), zone2, power),
            ac.Canal(random.choice([area, "panama"]), power),
            ac.Pay(to, random.choice([0, 1, 5, -3, 1000]), power),
            ac.Garrison(power),
            ac.Fight(area, power),
            ac.Decline(area, power),
            ac.Choose(random.choice(choices), tuple(random.choice(answers) for _ in range(random.randint(0, 2)))),
            ac.Codominion(area, tuple(random.sample(POWERS, random.randint(0, 2))), power),
            ac.Waive(random.choice(causes)),
            ac.Defend(random.choice(POWERS), area, power),
            ac.Unready(),
            ac.Advance(),
            ac.SetPosition({}),
        ]
    )


# --- the books -------------------------------------------------------------------------------------------------------


def audit(before: State, events: list[ev.Event], after: State) -> None:
    """Whether the events explain everything that has changed, and whether the new position can be."""
    assert all(reasoned(e) for e in events)
    if any(isinstance(e, ev.PositionSet) for e in events):
        return
    _audit_ledgers(before, events, after)
    _audit_pieces(before, events, after)
    _audit_markers(before, events, after)
    possible(after)


def _audit_ledgers(before: State, events: list[ev.Event], after: State) -> None:
    money = {name: p.treasury for name, p in before.powers.items()}
    points = {name: p.victory_points for name, p in before.powers.items()}
    tension, resentment = before.tension, before.resentment
    for e in events:
        if isinstance(e, ev.TreasuryChanged):
            money[e.power] += e.amount
            assert money[e.power] == e.total, e
            assert e.reason
        elif isinstance(e, ev.VictoryPointsChanged):
            points[e.power] += e.amount
            assert points[e.power] == e.total, e
            assert e.reason
        elif isinstance(e, ev.TensionRaised):
            tension += e.amount
            assert e.amount > 0 and tension == e.total, e
            assert e.reason and e.rules
        elif isinstance(e, ev.ResentmentRaised):
            resentment += e.amount
            assert e.amount > 0 and resentment == e.total, e
            assert e.reason and e.rules
        elif isinstance(e, ev.ResentmentReset):
            resentment = 0
            assert e.reason and e.rules
    assert money == {name: p.treasury for name, p in after.powers.items()}
    assert points == {name: p.victory_points for name, p in after.powers.items()}
    assert (tension, resentment) == (after.tension, after.resentment)


def _pieces(state: State) -> Counter[tuple[str, str]]:
    """Military Units by Power and name, at sea and in captivity too, Merchant Fleets on the map and due."""
    count: Counter[tuple[str, str]] = Counter()
    for units in (*state.homes.values(), *state.at_sea.values(), *(a.units for a in state.areas.values())):
        count.update((u.power, u.name) for u in units)
    for war in state.wars:
        count.update((prisoner.power, prisoner.name) for prisoner in war.surrendered)
    for fleets in state.sea_zones.values():
        count.update((power, "M") for power in fleets)
    for name, p in state.powers.items():
        count[name, "M"] += p.merchants_due
    return +count


def _audit_pieces(before: State, events: list[ev.Event], after: State) -> None:
    count = _pieces(before)
    for e in events:
        if isinstance(e, ev.UnitsBuilt):
            count.update((e.power, name) for name in e.units)
        elif isinstance(e, ev.UnitsLost):
            count.subtract((e.power, name) for name in e.units)
        elif isinstance(e, ev.TurnBegan):
            count.update({(power, "M"): n for power, n in e.fleets.items()})
    assert +count == _pieces(after)
    assert all(n >= 0 for n in count.values())


def _audit_markers(before: State, events: list[ev.Event], after: State) -> None:
    told = {
        e.area
        for e in events
        if isinstance(
            e,
            ev.MarkerPlaced
            | ev.MarkerEstablished
            | ev.MarkerLowered
            | ev.MarkerTransferred
            | ev.CodominionSet
            | ev.UnrestBegan
            | ev.UnrestEnded
            | ev.AreaTypeChanged
            | ev.CanalBuilt,
        )
    }
    for name, here in after.areas.items():
        was = before.areas[name]
        if name not in told:
            assert (here.markers, here.codominion, here.unrest, here.type, here.canal) == (
                was.markers,
                was.codominion,
                was.unrest,
                was.type,
                was.canal,
            ), name
    free = {"REB-041", "WEN-041"}  # what a War brings costs nothing
    spent = Counter(e.power for e in events if isinstance(e, ev.MarkerPlaced) and free.isdisjoint(e.rules))
    paid = {e.power for e in events if isinstance(e, ev.TreasuryChanged) and e.amount < 0}
    assert all(power in paid for power in spent if power in before.powers), "a marker that nobody paid"


def possible(state: State) -> None:
    """Whether a position is one that a game can have."""
    owned: Counter[tuple[str, str]] = Counter()
    for name, here in state.areas.items():
        standing = Counter((m.power, m.established) for m in here.markers)
        assert all(n == 1 for n in standing.values()), (name, here.markers)
        for power, pool in {(m.power, T.markers[m.marker].pool) for m in here.markers}:
            owned[power, pool] += 1
        for m in here.markers:
            kind = T.markers[m.marker]
            assert kind.only_for in ("", m.power)
            assert not kind.only_for or T.areas[name].upgrade == m.marker
        control = {m.power for m in here.markers if m.established and m.marker in CONTROL}
        assert set(here.codominion) <= control, (name, here)
        assert len(here.codominion) != 1
        for u in here.units:
            owned[u.power, str(u.strength)] += 1
            assert u.kind != NAVAL or T.areas[name].sea_zones or name in ("bulgaria", "fiji")
    for place, units in state.homes.items():
        for u in units:
            owned[u.power, str(u.strength)] += 1
            assert u.power == place
    for zone, fleets in state.sea_zones.items():
        assert len(set(fleets)) == len(fleets), zone
        for power in fleets:
            owned[power, "merchant_fleet"] += 1
    if state.options.counter_limits == "table":
        for (power, pool), n in owned.items():
            if power in T.counters:
                assert n <= most(power, pool, power in state.minors), (power, pool, n)
    for name, p in state.powers.items():
        assert p.treasury >= 0, (name, p.treasury)
        assert p.merchants_due >= 0
    assert state.tension < 100 or state.result is not None
    assert set(state.ready) <= set(state.players)
    assert {c.seat for c in state.choices} <= set(state.players)
    assert len({c.id for c in state.choices}) == len(state.choices)


def most(power: str, pool: str, minor: bool) -> int:
    """Pieces of a Power, straight from the table; a Minor Japan has a spare Merchant Fleet."""
    pieces: Any = T.counters[power]
    named = {"10": pieces.tens, "3": pieces.threes, "1": pieces.ones}
    spare = int(pool == "merchant_fleet" and minor and power == "japan")
    return int(named[pool] if pool in named else getattr(pieces, pool)) + spare
