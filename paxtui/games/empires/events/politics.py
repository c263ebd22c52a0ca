"""Events of war, peace, alliances and minor countries."""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.games.empires.events.base import Event, EvolveByEvent
from paxtui.games.empires.pieces import Garrison
from paxtui.games.empires.state import Call, CallingPower, Declaration, Minority, Relation, State, Surrender, Treaty


class WarDeclared(Event, frozen=True, tag="war_declared"):
    """War between two Powers, or of a Power on a minor country.

    Attributes: the declarer; the defender; the number of the war, the same for all revealed together; whether it is
        mutual; whether allies may be called because of it.
    """

    aggressor: str
    defender: str
    order: int
    mutual: bool = False
    calls: bool = False


class WarEnded(Event, frozen=True, tag="war_ended"):
    """A war ends: by a peace, a lapse, or because one side backs down."""

    a: str
    b: str
    how: str


class CompetitiveRolled(Event, frozen=True, tag="competitive_rolled"):
    """Dice that order Powers; ties are rolled again."""

    about: str
    order: tuple[str, ...]
    dice: tuple[tuple[int, ...], ...]


class CallersOrdered(Event, frozen=True, tag="callers_ordered"):
    """The order of the Powers that may call allies."""

    callers: tuple[CallingPower, ...]


class CallMade(Event, frozen=True, tag="call_made"):
    """A Power calls an ally against an enemy."""

    call: Call


class CallsFinished(Event, frozen=True, tag="caller_done"):
    """A caller has finished; the next one may call."""


class AllianceMade(Event, frozen=True, tag="alliance_made"):
    """Two Powers become allies."""

    a: str
    b: str


class AllianceBroken(Event, frozen=True, tag="alliance_broken"):
    """An alliance ends; for some time it cannot be made again."""

    a: str
    b: str
    until: int


class Offered(Event, frozen=True, tag="offered"):
    """A Power offers an alliance, or combined movement."""

    kind: str
    power: str
    to: str


class MovementCombined(Event, frozen=True, tag="movement_combined"):
    """Allies combine their movement this month."""

    powers: tuple[str, ...]


class PapersOpened(Event, frozen=True, tag="papers_opened"):
    """The Peace Step continues with the proposals."""

    surrenders: tuple[Surrender, ...]


class SurrenderChanged(Event, frozen=True, tag="surrender_changed"):
    """A formal peace changes: its kind, its acceptance, its terms."""

    surrender: Surrender


class PeaceMade(Event, frozen=True, tag="peace_made"):
    """Peace between two Powers; an informal one has neither terms nor an enforced time.

    Attributes: loser and victor (of an informal one any order); conditional, unconditional or informal; the terms;
        the last month of the enforced peace, 0 for none.
    """

    loser: str
    victor: str
    kind: str
    terms: tuple[str, ...] = ()
    until: int = 0


class DemandSettled(Event, frozen=True, tag="demand_settled"):
    """A Power left alone in a war decides whether it demands that an ally end the alliance."""

    power: str
    ally: str


class CorpsWentHome(Event, frozen=True, tag="corps_went_home"):
    """A corps moves out of land that is at peace with it."""

    corps: str
    where: str


class GarrisonWentHome(Event, frozen=True, tag="garrison_went_home"):
    """A garrison moves out of land that is at peace with it; "" if no place can hold it, and it is lost."""

    power: str
    origin: str
    of_depot: bool
    where: str
    to_depot: bool = False


class DepotTakenUp(Event, frozen=True, tag="depot_taken_up"):
    """A depot is removed from the map."""

    power: str
    where: str


class FleetsMustLeave(Event, frozen=True, tag="fleets_must_leave"):
    """Fleets must leave by the end of the next Naval Phase."""

    fleets: tuple[str, ...]


class MinorAttacked(Event, frozen=True, tag="minor_attacked"):
    """These Powers declare war on a neutral minor country."""

    minority: Minority


class MinorControlOffered(Event, frozen=True, tag="minor_asked"):
    """The decision on the control of a minor country changes."""

    minority: Minority


class MinorRolled(Event, frozen=True, tag="minor_rolled"):
    """The dice for a minor country: each roller, die and modified result."""

    minor: str
    dice: dict[str, int]
    totals: dict[str, int]


class MinorControlled(Event, frozen=True, tag="minor_controlled"):
    """A Power takes control of a minor country: free with forces of its own, else conquered."""

    minor: str
    power: str
    status: str


class MinorSetUp(Event, frozen=True, tag="minor_set_up"):
    """A corps of a minor country is placed in an area of it."""

    corps: str
    where: str


class MinorFleetSetUp(Event, frozen=True, tag="minor_fleet_set_up"):
    """A fleet of a minor country is placed in a port of it, or at sea next to one."""

    fleet: str
    where: str
    box: str = ""


class FreeStateDeclared(Event, frozen=True, tag="free_state_declared"):
    """A conquered minor country becomes a free state."""

    minor: str


def _on_war_declared(state: State, event: WarDeclared) -> State:
    war = Relation(kind="war", a=event.aggressor, b=event.defender, since=state.turn, order=event.order)
    kept = tuple(one for one in state.relations if not (one.kind == "war" and one.between(war.a, war.b)))
    politics = state.politics
    if event.calls:
        declaration = Declaration(event.aggressor, event.defender, event.mutual)
        politics = replace(politics, declared=(*politics.declared, declaration))
    return replace(state, relations=(*kept, war), politics=politics)


def _on_war_ended(state: State, event: WarEnded) -> State:
    kept = tuple(one for one in state.relations if not (one.kind == "war" and one.between(event.a, event.b)))
    politics = state.politics
    if event.how == "lapse":
        politics = replace(politics, peace=(*politics.peace, (event.a, event.b, event.how)))
    return replace(state, relations=kept, politics=politics)


def _on_competitive_rolled(state: State, event: CompetitiveRolled | MinorRolled) -> State:
    return state


def _on_callers_ordered(state: State, event: CallersOrdered) -> State:
    return replace(state, politics=replace(state.politics, callers=event.callers))


def _on_call_made(state: State, event: CallMade) -> State:
    return replace(state, politics=replace(state.politics, calls=(*state.politics.calls, event.call)))


def _on_calls_finished(state: State, event: CallsFinished) -> State:
    callers = state.politics.callers or ()
    cursor = replace(state.cursor, done=tuple(one for one in state.cursor.done if one != callers[0].power))
    return replace(state, cursor=cursor, politics=replace(state.politics, callers=callers[1:]))


def _on_alliance_made(state: State, event: AllianceMade) -> State:
    alliance = Relation(kind="alliance", a=event.a, b=event.b, since=state.turn)
    return replace(state, relations=(*state.relations, alliance))


def _on_alliance_broken(state: State, event: AllianceBroken) -> State:
    gone = ("alliance", "broken_alliance")
    kept = tuple(one for one in state.relations if not (one.kind in gone and one.between(event.a, event.b)))
    broken = Relation(kind="broken_alliance", a=event.a, b=event.b, since=state.turn, until=event.until)
    return replace(state, relations=(*kept, broken))


def _on_offered(state: State, event: Offered) -> State:
    offers = (*state.politics.offers, (event.kind, event.power, event.to))
    return replace(state, politics=replace(state.politics, offers=offers))


def _on_movement_combined(state: State, event: MovementCombined) -> State:
    apart = tuple(group for group in state.combined if not set(group) & set(event.powers))
    return replace(state, combined=(*apart, event.powers))


def _on_papers_opened(state: State, event: PapersOpened) -> State:
    return replace(state, politics=replace(state.politics, opened=True, surrenders=event.surrenders))


def _on_surrender_changed(state: State, event: SurrenderChanged) -> State:
    new = event.surrender
    changed = tuple(
        new if (one.loser, one.victor) == (new.loser, new.victor) else one for one in state.politics.surrenders
    )
    return replace(state, politics=replace(state.politics, surrenders=changed))


def _on_peace_made(state: State, event: PeaceMade) -> State:
    pair = (event.loser, event.victor)
    over = ("war", "enforced_peace")
    relations = tuple(one for one in state.relations if not (one.kind in over and one.between(*pair)))
    treaties = state.treaties
    if event.until:
        relations += tuple(
            Relation(kind="enforced_peace", a=a, b=b, since=state.turn, until=event.until)
            for a, b in (pair, pair[::-1])
        )
    if event.kind != "informal":
        treaties += (Treaty(state.turn, event.loser, event.victor, event.kind, event.terms),)
    politics = replace(state.politics, peace=(*state.politics.peace, (*pair, event.kind)))
    return replace(state, relations=relations, treaties=treaties, politics=politics)


def _on_demand_settled(state: State, event: DemandSettled) -> State:
    demands = (*state.politics.demands, (event.power, event.ally))
    return replace(state, politics=replace(state.politics, demands=demands))


def _on_corps_went_home(state: State, event: CorpsWentHome | MinorSetUp) -> State:
    corps = replace(state.corps[event.corps], where=event.where, inside=False)
    return replace(state, corps={**state.corps, event.corps: corps})


def _on_garrison_went_home(state: State, event: GarrisonWentHome) -> State:
    key = (event.power, event.origin, event.of_depot)
    moving = next(one for one in state.garrisons if (one.power, one.where, one.of_depot) == key)
    rest = tuple(one for one in state.garrisons if one is not moving)
    if not event.where:
        return replace(state, garrisons=rest)
    goal = (event.power, event.where, event.to_depot)
    there = next((one for one in rest if (one.power, one.where, one.of_depot) == goal), None)
    if there is None:
        arrived = Garrison(where=event.where, power=event.power, of_depot=event.to_depot, factors=moving.factors)
        return replace(state, garrisons=(*rest, arrived))
    joined = replace(there, factors=there.factors.plus(moving.factors))
    return replace(state, garrisons=tuple(joined if one is there else one for one in rest))


def _on_depot_taken_up(state: State, event: DepotTakenUp) -> State:
    kept = tuple(one for one in state.depots if (one.power, one.where) != (event.power, event.where))
    return replace(state, depots=kept)


def _on_fleets_must_leave(state: State, event: FleetsMustLeave) -> State:
    return replace(state, leaving=tuple(dict.fromkeys((*state.leaving, *event.fleets))))


def _on_minor_fleet_set_up(state: State, event: MinorFleetSetUp) -> State:
    fleet = replace(state.fleets[event.fleet], where=event.where, box=event.box)
    return replace(state, fleets={**state.fleets, event.fleet: fleet})


def _on_minor_attacked(state: State, event: MinorAttacked) -> State:
    return replace(state, politics=replace(state.politics, minors=(*state.politics.minors, event.minority)))


def _on_minor_control_offered(state: State, event: MinorControlOffered) -> State:
    new = event.minority
    changed = tuple(new if one.minor == new.minor else one for one in state.politics.minors)
    return replace(state, politics=replace(state.politics, minors=changed))


def _on_minor_controlled(state: State, event: MinorControlled) -> State:
    minor = replace(state.minors[event.minor], controller=event.power, status=event.status)
    corps = {n: replace(c, power=event.power) if c.nation == event.minor else c for n, c in state.corps.items()}
    fleets = {n: replace(f, power=event.power) if f.nation == event.minor else f for n, f in state.fleets.items()}
    return replace(state, minors={**state.minors, event.minor: minor}, corps=corps, fleets=fleets)


def _on_free_state_declared(state: State, event: FreeStateDeclared) -> State:
    minor = replace(state.minors[event.minor], status="free")
    return replace(state, minors={**state.minors, event.minor: minor})


POLITICS_EVENTS: EvolveByEvent = {
    WarDeclared: _on_war_declared,
    WarEnded: _on_war_ended,
    CompetitiveRolled: _on_competitive_rolled,
    CallersOrdered: _on_callers_ordered,
    CallMade: _on_call_made,
    CallsFinished: _on_calls_finished,
    AllianceMade: _on_alliance_made,
    AllianceBroken: _on_alliance_broken,
    Offered: _on_offered,
    MovementCombined: _on_movement_combined,
    PapersOpened: _on_papers_opened,
    SurrenderChanged: _on_surrender_changed,
    PeaceMade: _on_peace_made,
    DemandSettled: _on_demand_settled,
    CorpsWentHome: _on_corps_went_home,
    GarrisonWentHome: _on_garrison_went_home,
    DepotTakenUp: _on_depot_taken_up,
    FleetsMustLeave: _on_fleets_must_leave,
    MinorAttacked: _on_minor_attacked,
    MinorControlOffered: _on_minor_control_offered,
    MinorRolled: _on_competitive_rolled,
    MinorControlled: _on_minor_controlled,
    MinorSetUp: _on_corps_went_home,
    MinorFleetSetUp: _on_minor_fleet_set_up,
    FreeStateDeclared: _on_free_state_declared,
}
