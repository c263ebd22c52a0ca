"""Invariants of a game: events explain all changes, and each position is possible.

Totals are computed independently of the rules. `tools.fuzz.checks` checks menus, undo, secrecy and more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from paxtui.games.pax.board.status import piece_limit
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import (
    CONTROL,
    FULL_CONTROL,
    INFLUENCE,
    INTEREST,
    NAVAL,
    POSSESSION,
    PROTECTORATE,
)
from paxtui.games.pax.war.empire import EMPIRES
from paxtui.session.pax_host import PaxHost


class InvariantFault(Exception):
    """A violated invariant: its kind in a word or two, and the details."""

    def __init__(self, kind: str, found: object = "") -> None:
        super().__init__(f"{kind}: {found}" if found != "" else kind)
        self.kind = kind


def check_invariant(holds: bool, found: object, kind: str = "books") -> None:
    """Raise InvariantFault if a condition is false."""
    if not holds:
        raise InvariantFault(kind, found)


def audit_events(tables: Tables, before: State, events: Sequence[ev.Event], after: State) -> None:
    """Check that the events explain all changes and that the new position is possible."""
    if any(isinstance(e, ev.PositionSet) for e in events):
        return
    _audit_ledgers(before, events, after)
    _audit_pieces(before, events, after)
    _audit_markers(before, events, after)
    check_possible(tables, after)
    if after.phase == "final_record" and after.result is None:
        _check_settled(after)


def _check_settled(state: State) -> None:
    """Check that a Game Turn ends without a War, a dispute or markers that cannot stand together.

    A Treaty broken in its last Phases still gives a Casus Belli until the turn is over.

    Rules: WAR-031, NEG-006, STA-053, COD-001, COD-013
    """
    check_invariant(not state.wars, "a War outlives the Game Turn")
    check_invariant(not any(cause.area for cause in state.casus_belli), "a dispute outlives the Game Turn")
    for name, here in state.areas.items():
        check_invariant(not here.unrest and all(m.established for m in here.markers), (name, here))
        control = {m.power: m.marker for m in here.markers if m.marker in CONTROL}
        check_invariant(len(control) < 2 or set(control) == set(here.codominion), (name, here))
        check_invariant(len(control) < 2 or set(control.values()) <= {PROTECTORATE, POSSESSION}, (name, here))
        for m in here.markers:
            others = {kind for power, kind in control.items() if power != m.power}
            check_invariant(m.marker != INFLUENCE or not others, (name, here))
            check_invariant(m.marker != INTEREST or not others.intersection(FULL_CONTROL), (name, here))


def _audit_ledgers(before: State, events: Sequence[ev.Event], after: State) -> None:
    money = {name: p.treasury for name, p in before.powers.items()}
    points = {name: p.victory_points for name, p in before.powers.items()}
    tension, resentment = before.tension, before.resentment
    for e in events:
        if isinstance(e, ev.TreasuryChanged):
            money[e.power] += e.amount
            check_invariant(money[e.power] == e.total, e)
            check_invariant(bool(e.reason), e)
        elif isinstance(e, ev.VictoryPointsChanged):
            points[e.power] += e.amount
            check_invariant(points[e.power] == e.total, e)
            check_invariant(bool(e.reason), e)
        elif isinstance(e, ev.TensionRaised):
            tension += e.amount
            check_invariant(e.amount > 0 and tension == e.total, e)
            check_invariant(bool(e.reason and e.rules), e)
        elif isinstance(e, ev.ResentmentRaised):
            resentment += e.amount
            check_invariant(e.amount > 0 and resentment == e.total, e)
            check_invariant(bool(e.reason and e.rules), e)
        elif isinstance(e, ev.ResentmentReset):
            resentment = 0
            check_invariant(bool(e.reason and e.rules), e)
    check_invariant(money == {name: p.treasury for name, p in after.powers.items()}, "unexplained change of a Treasury")
    won = {name: p.victory_points for name, p in after.powers.items()}
    check_invariant(points == won, "unexplained change of Victory Points")
    check_invariant((tension, resentment) == (after.tension, after.resentment), "unexplained change of an index")


def _piece_counts(state: State) -> Counter[tuple[str, str]]:
    """Military Units by Power and name, including at sea and captured, and Merchant Fleets on the map and due."""
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
    count = _piece_counts(before)
    for e in events:
        if isinstance(e, ev.UnitsBuilt):
            count.update((e.power, name) for name in e.units)
        elif isinstance(e, ev.UnitsLost):
            count.subtract((e.power, name) for name in e.units)
        elif isinstance(e, ev.TurnBegan):
            count.update({(power, "M"): n for power, n in e.fleets.items()})
    left = _piece_counts(after)
    if any(isinstance(e, ev.WarOver) for e in events):  # captured Armies of the Empires vanish with their War
        count, left = (Counter({k: n for k, n in c.items() if k[0] not in EMPIRES}) for c in (count, left))
    check_invariant(+count == left, "unexplained change of Units or fleets")
    check_invariant(all(n >= 0 for n in count.values()), "loss of missing Units")


def _audit_markers(before: State, events: Sequence[ev.Event], after: State) -> None:
    explained = {
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
        if name not in explained:
            check_invariant(replace(here, units=was.units) == was, name)
    free = {"REB-041", "WEN-041", "CON-020"}  # markers from a War or a Congress are free
    spent = Counter(e.power for e in events if isinstance(e, ev.MarkerPlaced) and free.isdisjoint(e.rules))
    paid = {e.power for e in events if isinstance(e, ev.TreasuryChanged) and e.amount < 0}
    check_invariant(all(power in paid for power in spent if power in before.powers), "unpaid marker")


def check_possible(tables: Tables, state: State) -> None:
    """Check that a position is possible in a game."""
    owned: Counter[tuple[str, str]] = Counter()
    redrawn = {change.a for change in tables.map_changes if change.change == "coast_added"}
    coastal = {area.id for area in tables.areas.values() if area.sea_zones} | redrawn
    for name, here in state.areas.items():
        standing = Counter((m.power, m.established) for m in here.markers)
        check_invariant(all(n == 1 for n in standing.values()), (name, here.markers))
        for power, pool in {(m.power, tables.markers[m.marker].pool) for m in here.markers}:
            owned[power, pool] += 1
        for m in here.markers:
            kind = tables.markers[m.marker]
            check_invariant(kind.only_for in ("", m.power), (name, m))
            check_invariant(not kind.only_for or tables.areas[name].upgrade == m.marker, (name, m))
        control = {m.power for m in here.markers if m.established and m.marker in CONTROL}
        check_invariant(set(here.codominion) <= control, (name, here))
        check_invariant(len(here.codominion) != 1, (name, here))
        for u in here.units:
            owned[u.power, str(u.strength)] += 1
            check_invariant(u.kind != NAVAL or name in coastal, (name, u))
    for place, units in state.homes.items():
        for u in units:
            owned[u.power, str(u.strength)] += 1
            # in War a seat's armies pass the country of the other Power that it plays (WMV-017)
            passing = bool(state.wars) and tables.powers[place].seat == u.power
            check_invariant(u.power == place or passing, (place, u))
    for zone, fleets in state.sea_zones.items():
        check_invariant(len(set(fleets)) == len(fleets), zone)
        for power in fleets:
            owned[power, "merchant_fleet"] += 1
    if state.options.counter_limits == "table":
        for (power, pool), n in owned.items():
            # a Minor Japan has a spare Merchant Fleet
            spare = int(pool == "merchant_fleet" and power == "japan" and power in state.minors)
            if power in tables.counters:
                check_invariant(n <= piece_limit(tables, power, pool) + spare, (power, pool, n))
    for name, p in state.powers.items():
        check_invariant(p.treasury >= 0, (name, p.treasury))
        check_invariant(p.merchants_due >= 0, (name, p.merchants_due))
    check_invariant(state.tension < 100 or state.result is not None, "the game continues at an Index of 100")
    check_invariant(set(state.ready) <= set(state.players), "a Power without a seat is ready")
    check_invariant({c.seat for c in state.choices} <= set(state.players), "a question to a Power without a seat")
    check_invariant(len({c.id for c in state.choices}) == len(state.choices), "two questions with the same id")


def check_course(table: PaxHost) -> None:
    """Check every line of a game: its events explain all changes, and each position is possible.

    Raises:
        InvariantFault: the check fails.
    """
    before: State | None = None
    for line in table.game.effective_lines():
        after = table.game.seek(line.n)
        if before is not None and line.kind == "act":
            audit_events(table.tables, before, table.game.events(line.n), after)
        before = after
