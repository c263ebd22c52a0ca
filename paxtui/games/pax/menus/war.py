"""Menu of War: declarations, neutrality, unit moves, attacks and passing.

Other modules implement these rules; the menu calls them.

Rules: WAR-015, WAR-017, WMV-004, WMV-006, WMV-024, STR-021, WCB-002
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.notation import format_order
from paxtui.games.pax.board.caching import cached
from paxtui.games.pax.board.status import powers_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.expansion.garrisons import is_heavy
from paxtui.games.pax.menus.menu import MoveEnd, UnitMoves
from paxtui.games.pax.sequence import waiting_seats
from paxtui.games.pax.state.model import State, units_at
from paxtui.games.pax.state.pieces import NAVAL, OTTOMAN_EMPIRE, Unit, home_place
from paxtui.games.pax.state.war import ATTACK, FOUGHT, MANEUVER, War
from paxtui.games.pax.war import alliances, command, declarations, ottomans, war_sequence
from paxtui.games.pax.war.campaign import battle, maneuver, supply_lines, war_adjacency
from paxtui.games.pax.war.outcome import ends


@cached(most=16, by=lambda tables, state, seat: ((seat,), (tables, state)))
def war_orders(tables: Tables, state: State, seat: str) -> tuple[actions.Action, ...]:
    """Return the orders of a seat in War, or before it, except moves."""
    return tuple(_war_orders(tables, state, seat))


def _war_orders(tables: Tables, state: State, seat: str) -> Iterator[actions.Action]:
    yield from _declarations(tables, state, seat)
    if state.phase == "war" and state.wars:
        yield from _neutrality(tables, state, seat)
        yield from _announcements(tables, state, seat)
    if state.phase != "war" or state.has_pressing_choice:
        return
    if state.top.step == FOUGHT:
        yield from _aid_requests(tables, state, seat)
    war = alliances.current_war(state)
    if war and state.top.step == FOUGHT and war.stage == ATTACK:
        yield from _attacks(tables, state, seat, war)
    if seat in waiting_seats(tables, state) and not war_sequence.area_to_attack(tables, state, seat):
        yield actions.Pass()


def _declarations(tables: Tables, state: State, seat: str) -> Iterator[actions.Action]:
    """Declarations of War on each Power against which one of the seat's Powers has a cause."""
    for power in powers_of(tables, state, seat):
        causes = declarations.usable_causes(tables, state, power)
        if causes and declarations.can_declare(state, power):
            foes = [c.against for c in causes]
            for cause in causes:
                over = (cause.id,) if foes.count(cause.against) > 1 else ()
                own = "" if power == seat else power
                yield actions.DeclareWar((cause.against,), over, own)
                for side in declarations.open_alliances(tables, state, power, (cause.against,)):
                    yield actions.DeclareWar((cause.against,), over, own, side[0])


def _neutrality(tables: Tables, state: State, seat: str) -> Iterator[actions.Action]:
    """Areas to volunteer for coaling, and passages to deny or open, solicited or not."""
    for war in alliances.active_wars(state):
        for power in powers_of(tables, state, seat):
            own = "" if power == seat else power
            for area, side in supply_lines.coaling_offers(tables, state, war, power):
                yield actions.Volunteer(area, next(p for p in war.alliance(side) if p in tables.powers), own)
            for passage, to, denied in war_adjacency.passage_changes(tables, state, war, power):
                yield actions.Allow(passage, to, own) if denied else actions.Deny(passage, to, own)


def _announcements(tables: Tables, state: State, seat: str) -> Iterator[actions.Action]:
    """Announcements that end a War in which the remaining forces cannot reach each other."""
    for power in powers_of(tables, state, seat):
        if ends.announceable_war(tables, state, power):
            yield actions.AnnounceEnd("" if power == seat else power)


def _aid_requests(tables: Tables, state: State, seat: str) -> Iterator[actions.Action]:
    """The Empire's side to join in an Ottoman War, and each Power to ask for aid against it."""
    war = ottomans.forming_war(state)
    if war is None or seat not in waiting_seats(tables, state):
        return
    for power in powers_of(tables, state, seat):
        own = "" if power == seat else power
        if ottomans.can_aid(tables, state, war, power):
            yield actions.JoinWar(OTTOMAN_EMPIRE, own)
        if ottomans.can_ask_for_aid(tables, state, war, power):
            for guest in ottomans.askable_powers(tables, state, war):
                yield actions.InviteAid((guest,), own)


def _attacks(tables: Tables, state: State, seat: str, war: War) -> Iterator[actions.Action]:
    """Attacks open to the Powers that the seat commands."""
    own = alliances.commanded_powers(tables, state, war, seat)
    for place, kind in battle.attack_places(tables, state, war):
        for power in dict.fromkeys(u.power for u in battle.attackers(state, war, place, kind)):
            order = actions.Attack(place, kind == NAVAL, "" if power == seat else power)
            seats = alliances.commanders(tables, state, war, power)
            waited = command.missing_consents(war, seats, format_order(tables, replace(order, power="")))
            bound = command.is_too_weak(tables, state, war, power, place, kind)
            if (
                power in own
                and seat in waited
                and not battle.leading_allies(state, war, power, place, kind)
                and not bound
            ):
                yield order


@cached(most=16, by=lambda tables, state, seat: ((seat,), (tables, state)))
def war_moves(tables: Tables, state: State, seat: str) -> tuple[UnitMoves, ...]:
    """Return the moves in War of the Units that a seat commands, in groups."""
    return tuple(_war_moves(tables, state, seat))


def _war_moves(tables: Tables, state: State, seat: str) -> Iterator[UnitMoves]:
    war = alliances.current_war(state) if state.phase == "war" and state.top.step == FOUGHT else None
    if war is None or war.stage != MANEUVER or state.has_pressing_choice:
        return
    for power in alliances.commanded_powers(tables, state, war, seat):
        if war.side_of(power) != war.turn_of:
            continue
        for place in (home_place(power), *state.areas, *state.at_sea):
            units = [u for u in units_at(state, place) if u.power == power and not u.halted]
            for steps in _steps_from(tables, state, war, power, place, units):
                yield from _without_ordered(tables, state, war, seat, steps)


def _without_ordered(tables: Tables, state: State, war: War, seat: str, steps: UnitMoves) -> Iterator[UnitMoves]:
    """Remove the steps that the seat has already ordered and that wait for orders of others."""
    seats = alliances.commanders(tables, state, war, steps.power)

    def given(end: MoveEnd) -> bool:
        orders = {command.move_text((u,), steps.start, end.place, end.coast) for u in steps.units}
        return any(seat not in command.missing_consents(war, seats, order) for order in orders)

    ends = steps.ends if len(seats) < 2 else tuple(end for end in steps.ends if not given(end))
    if ends:
        yield UnitMoves(steps.power, steps.start, steps.kind, steps.units, ends)


def _steps_from(
    tables: Tables, state: State, war: War, power: str, place: str, units: list[Unit]
) -> Iterator[UnitMoves]:
    """The steps from one place, grouped by unit kind and coast; heavy armies of garrisons are separate."""
    for kind, coast, heavy in dict.fromkeys((u.kind, u.coast, is_heavy(u, power)) for u in units):
        alike = [u for u in units if (u.kind, u.coast, is_heavy(u, power)) == (kind, coast, heavy)]
        ends = tuple(
            MoveEnd(s.place, s.coast)
            for s in maneuver.open_steps(tables, state, war, alike[0], place)
            if command.general_order_bar(tables, state, war, alike[0], place, s) is None
        )
        if ends:
            yield UnitMoves(power, place, kind, tuple(u.name for u in alike), ends)
