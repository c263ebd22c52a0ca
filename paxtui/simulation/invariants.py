"""Invariants of a game: events explain all changes, and each position is possible.

Totals are computed independently of the rules. Also checks menus, notation, undo, secrecy and serialization.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from paxtui.engine.dice import Dice
from paxtui.engine.log import parse as parse_log
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.notation import format_order, parse_order
from paxtui.games.pax.board.status import powers_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.decide import decide
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.game import PaxGame
from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.position.view import view_for_seat
from paxtui.games.pax.position.writer import dump_position
from paxtui.games.pax.sequence import waiting_seats
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
from paxtui.games.pax.visibility import seats_between, visible_state
from paxtui.games.pax.war.empire import EMPIRES
from paxtui.session.game_host import empty_clock
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
    check_invariant(
        money == {name: p.treasury for name, p in after.powers.items()},
        "unexplained change of a Treasury",
    )
    check_invariant(
        points == {name: p.victory_points for name, p in after.powers.items()},
        "unexplained change of Victory Points",
    )
    check_invariant(
        (tension, resentment) == (after.tension, after.resentment),
        "unexplained change of an index",
    )


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
            check_invariant(
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
            if power in tables.counters:
                check_invariant(n <= piece_limit(tables, power, pool, power in state.minors), (power, pool, n))
    for name, p in state.powers.items():
        check_invariant(p.treasury >= 0, (name, p.treasury))
        check_invariant(p.merchants_due >= 0, (name, p.merchants_due))
    check_invariant(state.tension < 100 or state.result is not None, "the game continues at an Index of 100")
    check_invariant(set(state.ready) <= set(state.players), "a Power without a seat is ready")
    check_invariant({c.seat for c in state.choices} <= set(state.players), "a question to a Power without a seat")
    check_invariant(len({c.id for c in state.choices}) == len(state.choices), "two questions with the same id")


def piece_limit(tables: Tables, power: str, pool: str, minor: bool) -> int:
    """Number of pieces of a Power by the table; a Minor Japan has a spare Merchant Fleet."""
    pieces: Any = tables.counters[power]
    named = {"10": pieces.tens, "3": pieces.threes, "1": pieces.ones}
    spare = int(pool == "merchant_fleet" and minor and power == "japan")
    return int(named[pool] if pool in named else getattr(pieces, pool)) + spare


PAPER = "paper"
"""Dice seed for trial actions."""
AT_ONCE = 24
"""Maximum number of menu texts tested per position in a partial check."""


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


def check_position(tables: Tables, state: State, seed: str, random: Random, thorough: bool) -> None:
    """Check all invariants of a position.

    With `thorough`, all menus and a reload of the position are checked; otherwise one random waiting seat and a part of
    its menu. No view may contain the seed of the game.

    Raises:
        InvariantFault: a check fails.
    """
    check_possible(tables, state)
    due = waiting_seats(tables, state)
    for seat in state.players if thorough else random.sample(due, min(1, len(due))):
        check_menu(tables, state, seat, random, thorough)
        check_secrecy(tables, state, seat)
    check_views(tables, state, seed)
    if thorough:
        check_round_trip(state)
        check_setup(tables, state)


def check_menu(tables: Tables, state: State, seat: str, random: Random, thorough: bool) -> None:
    """Check that each menu action is accepted and has one text that parses to the same action.

    Raises:
        InvariantFault: `menu`, `notation`.
    """
    texts = list(legal_actions(tables, state, seat).texts())
    check_invariant(
        len(set(texts)) == len(texts), f"{seat} is offered a text twice in the {state.phase} Phase", "notation"
    )
    meant: dict[object, str] = {}
    for text in texts if thorough or len(texts) <= AT_ONCE else random.sample(texts, AT_ONCE):
        action = parse_order(tables, text, state)
        check_invariant(isinstance(action, actions.Action), f"{text!r} is not an action", "notation")
        assert isinstance(action, actions.Action)
        check_invariant(
            format_order(tables, action) == text,
            f"{text!r} is formatted as {format_order(tables, action)!r}",
            "notation",
        )
        raw = msgspec.json.encode(action)
        check_invariant(raw not in meant, f"{text!r} has the same meaning as {meant.get(raw)!r}", "notation")
        meant[raw] = text
        try:
            decide(tables, state, seat, action, Dice(PAPER))
        except Refusal as refusal:
            check_invariant(False, f"{seat} is offered {text!r}, but it is refused: {refusal.message}", "menu")


def check_secrecy(tables: Tables, state: State, seat: str) -> None:
    """Check that a seat's legal actions follow from its view, without other seats' questions and Treaties.

    Raises:
        InvariantFault: `secrecy`.
    """
    seen = visible_state(tables, state, seat)
    same = legal_actions(tables, state, seat) == legal_actions(tables, seen, seat)
    check_invariant(same, f"the menu of {seat} depends on what it cannot know", "secrecy")
    for choice in seen.choices:
        check_invariant(seat in seats_between(tables, state, choice), f"{seat} knows of {choice.id}", "secrecy")
    own = powers_of(tables, state, seat)
    for treaty in seen.treaties:
        if not treaty.public:
            check_invariant(any(p in treaty.parties for p in own), f"{seat} knows of {treaty.id}", "secrecy")


def check_views(tables: Tables, state: State, seed: str) -> None:
    """Check that no view contains the seed or a question to another seat.

    Raises:
        InvariantFault: `secrecy`.
    """
    for seat in (*state.players, SPECTATOR):
        seen = view_for_seat(tables, state, seat, 1)
        text = msgspec.json.encode(seen).decode()
        check_invariant(not seed or f'"{seed}"' not in text, f"the view of {seat} contains the seed", "secrecy")
        check_invariant(
            all(c["seat"] == seat for c in seen["pending"]), f"the view of {seat} has others' questions", "secrecy"
        )


def check_round_trip(state: State) -> None:
    """Check that the position survives JSON encoding and decoding.

    Raises:
        InvariantFault: `round trip`.
    """
    text = msgspec.json.encode(state)
    check_invariant(msgspec.json.decode(text, type=State) == state, "the reloaded position differs", "round trip")


def check_log(tables: Tables, data: bytes, state: State | None = None) -> None:
    """Check that reloading a log gives the same position, and each action the same events.

    Args:
        tables: the tables of the game.
        log: the log.
        state: the resulting position, None if unknown.

    Raises:
        InvariantFault: `log`.
    """
    again = PaxHost(PaxGame(tables), parse_log(data), None, empty_clock)
    check_invariant(state is None or again.state == state, "the reloaded log gives a different position", "log")
    wrong = again.verify()
    check_invariant(not wrong, f"the log is not valid: {wrong[:3]}", "log")


def check_setup(tables: Tables, state: State) -> None:
    """Check that the position can be restored from its setup patch.

    Raises:
        InvariantFault: `position`.
    """
    if state.result is not None:
        return
    try:
        decide(tables, state, ARBITER, actions.SetPosition(dump_position(state)), Dice(PAPER))
    except Refusal as refusal:
        check_invariant(False, refusal.message, "position")


def check_undo(table: PaxHost, seat: str, before: State) -> None:
    """Check that undo of the seat's last action restores the exact position, and redo works.

    Raises:
        InvariantFault: `undo`.
    """
    after = msgspec.json.encode(table.state)
    try:
        table.undo(seat)
    except Refusal:
        return  # dice were rolled, or something was revealed
    check_invariant(msgspec.json.encode(table.state) == msgspec.json.encode(before), f"the undo of {seat}", "undo")
    table.redo(seat)
    check_invariant(msgspec.json.encode(table.state) == after, f"the redo of {seat}", "undo")
