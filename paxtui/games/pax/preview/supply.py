"""Supply risks of an Alliance now and after an action, and supply after a retreat.

Rules: SUP-001, SUP-002, SUP-007, SUP-008, SUP-015, SUP-016, SUP-019, WMV-025, WMV-026, WCB-034 (R-WCB-10)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.status import controllers, powers_of
from paxtui.games.pax.board.tables import HOME, Tables
from paxtui.games.pax.combat.results import read_destinations
from paxtui.games.pax.preview.dry_run import run_trial
from paxtui.games.pax.sequence import waiting_seats
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import ARMY
from paxtui.games.pax.state.questions import JoinAttack, Pending
from paxtui.games.pax.state.war import ALLIANCES, ATTACK, MANEUVER, RESOLUTION, War
from paxtui.games.pax.text.display import join_with_and, of_power, place_name, powers_text, sentence, the_powers
from paxtui.games.pax.transaction import Transaction
from paxtui.games.pax.war import alliances
from paxtui.games.pax.war.alliances import commanded_powers
from paxtui.games.pax.war.campaign import supply, supply_lines, war_adjacency
from paxtui.games.pax.war.campaign.battle import DECLINE

ARMIES, FLEETS, AREA = "armies", "fleets", "area"
"""Kind of a supply risk."""


class SupplyRisk(NamedTuple):
    """Units that surrender, or an Area that falls, at the next Supply Determination of an Alliance.

    Attributes:
        kind: ARMIES, FLEETS or AREA.
        place: the place.
        power: the owner of the Units; "" for an Area.
        units: names of the Units.
        to: the Alliance that an Area falls to; 0 for Units.
    """

    kind: str
    place: str
    power: str = ""
    units: tuple[str, ...] = ()
    to: int = 0


def supply_risks(tables: Tables, state: State, war: War, side: int) -> tuple[SupplyRisk, ...]:
    """Return what an Alliance would lose if its supply were determined now.

    Rules: SUP-001, SUP-002, SUP-015, SUP-016
    """
    if war.stage in (ALLIANCES, RESOLUTION) or not side:
        return ()
    found = supply.supply_verdict(tables, state, war, side)
    return (
        *(SupplyRisk(ARMIES, place, power, names) for power, place, names in found.armies),
        *(SupplyRisk(FLEETS, place, power, names) for power, place, names in found.fleets),
        *(SupplyRisk(AREA, area, to=to) for area, to in found.areas),
    )


def describe_risk(tables: Tables, war: War, peril: SupplyRisk) -> str:
    """Describe a supply risk in a sentence."""
    where = place_name(tables, peril.place)
    if peril.kind == AREA:
        to = powers_text(tables, war.alliance(peril.to))
        return f"{where} will fall to {to}: it has no Line of Supply, and enemy Armies could come there."
    whose, why = of_power(tables, peril.power), "no Line of Supply" if peril.kind == ARMIES else "no Coaling Rights"
    text = f"{whose} {' '.join(peril.units)} in {where} will surrender at the next Supply Determination: {why} there"
    return sentence(text)


def commanded_wars(tables: Tables, state: State, seat: str) -> Iterator[tuple[War, int, tuple[str, ...]]]:
    """Return the Wars of a seat, each with its Alliance's number and the Powers that the seat commands there."""
    for war in state.wars:
        own = commanded_powers(tables, state, war, seat)
        for number in dict.fromkeys(war.side_of(power) for power in own):
            yield war, number, tuple(p for p in own if war.side_of(p) == number)


def war_risks(state: State, seat: str, action: actions.Action, play: Transaction) -> list[str]:
    """Return the risks of an action in War for a seat, as sentences.

    These are Units and Areas out of supply, Areas without an Army, and lost Coaling Rights.

    Args:
        state: the position as the seat knows it.
        play: the dry run of the action in this position.

    Rules: SUP-001, SUP-007, SUP-015, SUP-019, WMV-024, WMV-025
    """
    tables = play.tables
    if state.phase != "war":
        return []
    if isinstance(action, actions.Pass | actions.Ready):
        return _warn_passing(tables, state, seat)
    if isinstance(action, actions.Choose):
        return _warn_not_joining(tables, state, seat, action)
    if not isinstance(action, actions.Move | actions.Deny | actions.Allow | actions.Volunteer):
        return []
    after = play.state
    out = _new_causes(tables, state, after, seat) if isinstance(action, actions.Deny) else []
    if isinstance(action, actions.Volunteer):
        out.append("You cannot take it back during this War.")
    for war, number, own in commanded_wars(tables, state, seat):
        then = after.war(war.id)
        if then is None:
            continue
        known = supply_risks(tables, state, war, number)
        out += [
            describe_risk(tables, then, new)
            for new in supply_risks(tables, after, then, number)
            if not any(_was_at_risk(old, new) for old in known)
        ]
        out += _lost_coaling_zones(tables, state, after, war, then, own)
        if isinstance(action, actions.Move):
            out += _undefended_areas(tables, state, after, war, number, action.path[0])
    return list(dict.fromkeys(out))


def _new_causes(tables: Tables, state: State, after: State, seat: str) -> list[str]:
    """The causes of war that an action gives other Powers against the seat's Powers. Rules: STR-003, STR-006."""
    known, mine = {c.id for c in state.casus_belli}, powers_of(tables, state, seat)
    new = [c for c in after.casus_belli if c.id not in known and c.against in mine and c.holder not in mine]
    names = tuple(dict.fromkeys(c.holder for c in new))
    if not names:
        return []
    verb = "gets" if len(names) == 1 else "get"
    return [sentence(f"{the_powers(tables, names)} {verb} a Casus Belli against you, to declare War by in this Phase")]


def _warn_passing(tables: Tables, state: State, seat: str) -> list[str]:
    """Supply risks of the seat if its Alliance's Phase ended now; empty if the game does not wait for it.

    Rules: SUP-001, SUP-015, SUP-016
    """
    war = alliances.current_war(state)
    if war is None or war.stage not in (MANEUVER, ATTACK) or seat not in waiting_seats(tables, state):
        return []
    own = commanded_powers(tables, state, war, seat)
    found = supply_risks(tables, state, war, war.turn_of)
    return [describe_risk(tables, war, danger) for danger in found if _concerns(state, war, danger, own)]


def _concerns(state: State, war: War, danger: SupplyRisk, own: tuple[str, ...]) -> bool:
    """Whether a risk affects some Powers: their Units, or an Area that they hold or have conquered."""
    if danger.kind != AREA:
        return danger.power in own
    own_holders = set(controllers(state, danger.place)) & set(own)
    return bool(own_holders) or war.conqueror(danger.place) in {war.side_of(power) for power in own} - {0}


def _warn_not_joining(tables: Tables, state: State, seat: str, action: actions.Choose) -> list[str]:
    """Consequences for the seat's Units of not joining an attack, and supply risks if they stay.

    Rules: WCB-006, SUP-001, SUP-015
    """
    choice = next((c for c in state.choices if c.id == action.id and c.seat == seat), None)
    if choice is None or not isinstance(choice.about, JoinAttack) or " ".join(action.answer) != DECLINE:
        return []
    war = state.war(choice.about.war)
    place = place_name(tables, choice.area)
    out = [f"Your Units in {place} then do not attack in this Phase."]
    if war is not None:
        own = commanded_powers(tables, state, war, seat)
        found = supply_risks(tables, state, war, war.side_of(choice.power))
        out += [describe_risk(tables, war, danger) for danger in found if _concerns(state, war, danger, own)]
    return out


def _was_at_risk(old: SupplyRisk, new: SupplyRisk) -> bool:
    same = (old.kind, old.place, old.power) == (new.kind, new.place, new.power)
    return same and set(new.units) <= set(old.units)


def _lost_coaling_zones(
    tables: Tables, state: State, after: State, war: War, then: War, own: tuple[str, ...]
) -> list[str]:
    lost: dict[str, None] = {}
    for power in own:
        had = supply_lines.coaling_zones(tables, state, war, power)
        lost.update(dict.fromkeys(sorted(had - supply_lines.coaling_zones(tables, after, then, power))))
    return [f"You lose the Coaling Rights in {join_with_and([place_name(tables, z) for z in lost])}."] if lost else []


def _undefended_areas(tables: Tables, state: State, after: State, war: War, number: int, start: str) -> list[str]:
    """Warn if an Area of the Alliance loses its last Army."""
    if start not in state.areas:
        return []
    side = war.alliance(number)
    is_held = war.conqueror(start) == number or any(p in side for p in controllers(state, start))

    def has_army(position: State) -> bool:
        return any(u.kind == ARMY and u.power in side for u in position.areas[start].units)

    if not is_held or not has_army(state) or has_army(after):
        return []
    return [f"{place_name(tables, start)} has no Army left: any enemy Army that enters takes it without a fight."]


def retreat_end(tables: Tables, text: str) -> str:
    """Return the destination in an answer to a retreat, such as "A3 manchuria > korea"."""
    _, place = read_destinations((text,))[0]
    return place if place in tables.areas or war_adjacency.is_sea(tables, place) else HOME + place


def unsupplied_places(
    tables: Tables, state: State, choice: Pending, answer: tuple[str, ...]
) -> frozenset[str] | Refusal:
    """Return the places in which retreating Units of the Power would be out of supply after the retreat.

    Conquests that result from the retreat are included.

    Args:
        choice: a `WarRetreat`.
        answer: the destination of each Unit.

    Returns:
        The places, or the refusal if the retreat is impossible.

    Rules: SUP-001, SUP-008, SUP-019 (R-WCB-10)
    """
    play = run_trial(tables, state, choice.seat, actions.Choose(choice.id, answer))
    if isinstance(play, Refusal):
        return play
    found: set[str] = set()
    for war in play.state.wars:
        if war.stage == ATTACK:
            supply.conquer_areas(play, war)
    for war in play.state.wars:
        mine = supply_risks(tables, play.state, war, war.side_of(choice.power))
        found.update(peril.place for peril in mine if peril.power == choice.power)
    return frozenset(found)
