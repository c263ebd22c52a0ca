"""The menu of War: declarations, what neutrals may do, the steps of the Units, attacks, and the pass.

Rules: WAR-015, WAR-017, WMV-004, WMV-006, WMV-024, STR-021, WCB-002, asked of the modules that hold them
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from paxtui.pax.board.status import powers_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.expansion.special_garrisons import is_heavy
from paxtui.pax.menus.menu import End, Moves
from paxtui.pax.orders import actions as ac
from paxtui.pax.orders.notation import text_of
from paxtui.pax.sequence import waiting
from paxtui.pax.state.model import State, units_at
from paxtui.pax.state.pieces import EXPANSION, NAVAL, Unit, home
from paxtui.pax.state.war import ATTACK, FOUGHT, MANEUVER, War
from paxtui.pax.war import aid, alliances, cycle, declarations, war_sequence
from paxtui.pax.war.campaign import battle, coaling, maneuver, passages
from paxtui.pax.war.command import consents, general_orders
from paxtui.pax.war.outcome import announcement


def orders(tables: Tables, state: State, seat: str) -> Iterator[ac.Action]:
    """What a seat may order in War, or on the way to it, but for the moves."""
    yield from _declarations(tables, state, seat)
    if state.phase == "war" and state.wars:
        yield from _neutrality(tables, state, seat)
        yield from _announcements(tables, state, seat)
    if state.phase != "war" or any(c.about.pressing for c in state.choices):
        return
    if state.top.step == FOUGHT:
        yield from _aid(tables, state, seat)
    war = cycle.current(state)
    if war and state.top.step == FOUGHT and war.stage == ATTACK:
        yield from _attacks(tables, state, seat, war)
    if seat in waiting(tables, state) and not war_sequence.must_attack(tables, state, seat):
        yield ac.Pass()


def _declarations(tables: Tables, state: State, seat: str) -> Iterator[ac.Action]:
    """A declaration on each Power that one of the seat's Powers has a cause against."""
    for power in powers_of(tables, state, seat):
        causes = declarations.usable(tables, state, power)
        if causes and declarations.window(tables, state, power):
            foes = [c.against for c in causes]
            for cause in causes:
                over = (cause.id,) if foes.count(cause.against) > 1 else ()
                own = "" if power == seat else power
                yield ac.DeclareWar((cause.against,), over, own)
                for side in declarations.open_alliances(state, power, (cause.against,)):
                    yield ac.DeclareWar((cause.against,), over, own, side[0])


def _neutrality(tables: Tables, state: State, seat: str) -> Iterator[ac.Action]:
    """Areas to volunteer for coaling, and passages to deny or open, waited for or not."""
    for war in cycle.fought(state):
        for power in powers_of(tables, state, seat):
            own = "" if power == seat else power
            for area, side in coaling.offers(tables, state, war, power):
                yield ac.Volunteer(area, next(p for p in war.alliance(side) if p in tables.powers), own)
            for passage, to, denied in passages.changes(tables, state, war, power):
                yield ac.Allow(passage, to, own) if denied else ac.Deny(passage, to, own)


def _announcements(tables: Tables, state: State, seat: str) -> Iterator[ac.Action]:
    """The end of a War in which the forces left cannot get at each other."""
    for power in powers_of(tables, state, seat):
        if announcement.may_announce(tables, state, power):
            yield ac.AnnounceEnd("" if power == seat else power)


def _aid(tables: Tables, state: State, seat: str) -> Iterator[ac.Action]:
    """The Empire's side to join in an Ottoman War, or each Power that may be asked for aid against it."""
    war = aid.forming(state)
    if war is None or seat not in waiting(tables, state):
        return
    for power in powers_of(tables, state, seat):
        own = "" if power == seat else power
        if aid.may_aid(tables, state, war, power):
            yield ac.JoinWar(EXPANSION, own)
        if aid.may_ask(tables, state, war, power):
            for guest in aid.guests_for(tables, state, war):
                yield ac.InviteAid((guest,), own)


def _attacks(tables: Tables, state: State, seat: str, war: War) -> Iterator[ac.Action]:
    """Every place where one of the Powers that the seat commands could attack."""
    own = alliances.commanded(tables, state, war, seat)
    for place, kind in battle.places(tables, state, war):
        for power in dict.fromkeys(u.power for u in battle.attackers(state, war, place, kind)):
            order = ac.Attack(place, kind == NAVAL, "" if power == seat else power)
            seats = alliances.commanders(tables, state, war, power)
            waited = consents.missing(war, seats, text_of(tables, replace(order, power="")))
            bound = general_orders.too_weak(tables, state, war, power, place, kind)
            if power in own and seat in waited and not battle.leaders(state, war, power, place, kind) and not bound:
                yield order


def moves(tables: Tables, state: State, seat: str) -> Iterator[Moves]:
    """The steps that the Units a seat commands may take now, as a grammar."""
    war = cycle.current(state) if state.phase == "war" and state.top.step == FOUGHT else None
    if war is None or war.stage != MANEUVER or any(c.about.pressing for c in state.choices):
        return
    for power in alliances.commanded(tables, state, war, seat):
        if war.side_of(power) != war.turn_of:
            continue
        for place in (home(power), *state.areas, *state.at_sea):
            units = [u for u in units_at(state, place) if u.power == power and not u.halted]
            for steps in _steps(tables, state, war, power, place, units):
                yield from _not_given(tables, state, war, seat, steps)


def _not_given(tables: Tables, state: State, war: War, seat: str, steps: Moves) -> Iterator[Moves]:
    """The steps without those that the seat has ordered already, where others have to give the order too."""
    seats = alliances.commanders(tables, state, war, steps.power)

    def given(end: End) -> bool:
        orders = {consents.text_of_move((u,), steps.start, end.place, end.coast) for u in steps.units}
        return any(seat not in consents.missing(war, seats, order) for order in orders)

    ends = steps.ends if len(seats) < 2 else tuple(end for end in steps.ends if not given(end))
    if ends:
        yield Moves(steps.power, steps.start, steps.kind, steps.units, ends)


def _steps(tables: Tables, state: State, war: War, power: str, place: str, units: list[Unit]) -> Iterator[Moves]:
    """The steps from one place: for all units of a kind on one coast alike, but for the heavy armies of garrisons."""
    for kind, coast, heavy in dict.fromkeys((u.kind, u.coast, is_heavy(u, power)) for u in units):
        alike = [u for u in units if (u.kind, u.coast, is_heavy(u, power)) == (kind, coast, heavy)]
        ends = tuple(
            End(s.place, s.coast)
            for s in maneuver.open_steps(tables, state, war, alike[0], place)
            if general_orders.bar(tables, state, war, alike[0], place, s) is None
        )
        if ends:
            yield Moves(power, place, kind, tuple(u.name for u in alike), ends)
