"""The books of a game: whether events explain all that has changed, and whether a position is one that a game can have.

The sums are made anew here, by other ways than those of the rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from paxtui.arena.fault import claim
from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import CONTROL, NAVAL
from paxtui.pax.war.empire import EMPIRES


def audit(tables: Tables, before: State, events: Sequence[ev.Event], after: State) -> None:
    """Whether the events explain everything that has changed, and whether the new position can be."""
    if any(isinstance(e, ev.PositionSet) for e in events):
        return
    _audit_ledgers(before, events, after)
    _audit_pieces(before, events, after)
    _audit_markers(before, events, after)
    possible(tables, after)


def _audit_ledgers(before: State, events: Sequence[ev.Event], after: State) -> None:
    money = {name: p.treasury for name, p in before.powers.items()}
    points = {name: p.victory_points for name, p in before.powers.items()}
    tension, resentment = before.tension, before.resentment
    for e in events:
        if isinstance(e, ev.TreasuryChanged):
            money[e.power] += e.amount
            claim(money[e.power] == e.total, e)
            claim(bool(e.reason), e)
        elif isinstance(e, ev.VictoryPointsChanged):
            points[e.power] += e.amount
            claim(points[e.power] == e.total, e)
            claim(bool(e.reason), e)
        elif isinstance(e, ev.TensionRaised):
            tension += e.amount
            claim(e.amount > 0 and tension == e.total, e)
            claim(bool(e.reason and e.rules), e)
        elif isinstance(e, ev.ResentmentRaised):
            resentment += e.amount
            claim(e.amount > 0 and resentment == e.total, e)
            claim(bool(e.reason and e.rules), e)
        elif isinstance(e, ev.ResentmentReset):
            resentment = 0
            claim(bool(e.reason and e.rules), e)
    claim(
        money == {name: p.treasury for name, p in after.powers.items()},
        "a Treasury that no event explains",
    )
    claim(
        points == {name: p.victory_points for name, p in after.powers.items()},
        "Victory Points that no event explains",
    )
    claim(
        (tension, resentment) == (after.tension, after.resentment),
        "an index that no event explains",
    )


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


def _audit_pieces(before: State, events: Sequence[ev.Event], after: State) -> None:
    count = _pieces(before)
    for e in events:
        if isinstance(e, ev.UnitsBuilt):
            count.update((e.power, name) for name in e.units)
        elif isinstance(e, ev.UnitsLost):
            count.subtract((e.power, name) for name in e.units)
        elif isinstance(e, ev.TurnBegan):
            count.update({(power, "M"): n for power, n in e.fleets.items()})
    left = _pieces(after)
    if any(isinstance(e, ev.WarOver) for e in events):  # captive Armies of the Empires are gone with their War
        count, left = (Counter({k: n for k, n in c.items() if k[0] not in EMPIRES}) for c in (count, left))
    claim(+count == left, "Units or fleets that no event explains")
    claim(all(n >= 0 for n in count.values()), "Units lost that were not there")


def _audit_markers(before: State, events: Sequence[ev.Event], after: State) -> None:
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
            claim(
                (here.markers, here.codominion, here.unrest, here.type, here.canal)
                == (
                    was.markers,
                    was.codominion,
                    was.unrest,
                    was.type,
                    was.canal,
                ),
                name,
            )
    free = {"REB-041", "WEN-041", "CON-020"}  # what a War brings costs nothing, nor what a Congress grants
    spent = Counter(e.power for e in events if isinstance(e, ev.MarkerPlaced) and free.isdisjoint(e.rules))
    paid = {e.power for e in events if isinstance(e, ev.TreasuryChanged) and e.amount < 0}
    claim(all(power in paid for power in spent if power in before.powers), "a marker that nobody paid")


def possible(tables: Tables, state: State) -> None:
    """Whether a position is one that a game can have."""
    owned: Counter[tuple[str, str]] = Counter()
    redrawn = {change.a for change in tables.map_changes if change.change == "coast_added"}
    coastal = {area.id for area in tables.areas.values() if area.sea_zones} | redrawn
    for name, here in state.areas.items():
        standing = Counter((m.power, m.established) for m in here.markers)
        claim(all(n == 1 for n in standing.values()), (name, here.markers))
        for power, pool in {(m.power, tables.markers[m.marker].pool) for m in here.markers}:
            owned[power, pool] += 1
        for m in here.markers:
            kind = tables.markers[m.marker]
            claim(kind.only_for in ("", m.power), (name, m))
            claim(not kind.only_for or tables.areas[name].upgrade == m.marker, (name, m))
        control = {m.power for m in here.markers if m.established and m.marker in CONTROL}
        claim(set(here.codominion) <= control, (name, here))
        claim(len(here.codominion) != 1, (name, here))
        for u in here.units:
            owned[u.power, str(u.strength)] += 1
            claim(u.kind != NAVAL or name in coastal, (name, u))
    for place, units in state.homes.items():
        for u in units:
            owned[u.power, str(u.strength)] += 1
            # in War a seat's armies pass the country of the other Power that it plays (WMV-017)
            passing = bool(state.wars) and tables.powers[place].seat == u.power
            claim(u.power == place or passing, (place, u))
    for zone, fleets in state.sea_zones.items():
        claim(len(set(fleets)) == len(fleets), zone)
        for power in fleets:
            owned[power, "merchant_fleet"] += 1
    if state.options.counter_limits == "table":
        for (power, pool), n in owned.items():
            if power in tables.counters:
                claim(n <= most(tables, power, pool, power in state.minors), (power, pool, n))
    for name, p in state.powers.items():
        claim(p.treasury >= 0, (name, p.treasury))
        claim(p.merchants_due >= 0, (name, p.merchants_due))
    claim(state.tension < 100 or state.result is not None, "the Index is 100, and the game goes on")
    claim(set(state.ready) <= set(state.players), "somebody is ready who has no seat")
    claim({c.seat for c in state.choices} <= set(state.players), "somebody is asked who has no seat")
    claim(len({c.id for c in state.choices}) == len(state.choices), "two questions of one name")


def most(tables: Tables, power: str, pool: str, minor: bool) -> int:
    """Pieces of a Power, straight from the table; a Minor Japan has a spare Merchant Fleet."""
    pieces: Any = tables.counters[power]
    named = {"10": pieces.tens, "3": pieces.threes, "1": pieces.ones}
    spare = int(pool == "merchant_fleet" and minor and power == "japan")
    return int(named[pool] if pool in named else getattr(pieces, pool)) + spare
