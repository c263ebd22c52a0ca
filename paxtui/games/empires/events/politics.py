"""Events of war, peace, alliances and minor countries."""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.games.empires.events.base import Event
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

    def evolve(self, state: State) -> State:
        war = Relation(kind="war", a=self.aggressor, b=self.defender, since=state.turn, order=self.order)
        kept = tuple(one for one in state.relations if not (one.kind == "war" and one.between(war.a, war.b)))
        politics = state.politics
        if self.calls:
            declaration = Declaration(self.aggressor, self.defender, self.mutual)
            politics = replace(politics, declared=(*politics.declared, declaration))
        return replace(state, relations=(*kept, war), politics=politics)


class WarEnded(Event, frozen=True, tag="war_ended"):
    """A war ends: by a peace, a lapse, or because one side backs down."""

    a: str
    b: str
    how: str

    def evolve(self, state: State) -> State:
        kept = tuple(one for one in state.relations if not (one.kind == "war" and one.between(self.a, self.b)))
        politics = state.politics
        if self.how == "lapse":
            politics = replace(politics, peace=(*politics.peace, (self.a, self.b, self.how)))
        return replace(state, relations=kept, politics=politics)


class CompetitiveRolled(Event, frozen=True, tag="competitive_rolled"):
    """Dice that order Powers; ties are rolled again."""

    about: str
    order: tuple[str, ...]
    dice: tuple[tuple[int, ...], ...]


class CallersOrdered(Event, frozen=True, tag="callers_ordered"):
    """The order of the Powers that may call allies."""

    callers: tuple[CallingPower, ...]

    def evolve(self, state: State) -> State:
        return replace(state, politics=replace(state.politics, callers=self.callers))


class CallMade(Event, frozen=True, tag="call_made"):
    """A Power calls an ally against an enemy."""

    call: Call

    def evolve(self, state: State) -> State:
        return replace(state, politics=replace(state.politics, calls=(*state.politics.calls, self.call)))


class CallsFinished(Event, frozen=True, tag="caller_done"):
    """A caller has finished; the next one may call."""

    def evolve(self, state: State) -> State:
        callers = state.politics.callers or ()
        cursor = replace(state.cursor, done=tuple(one for one in state.cursor.done if one != callers[0].power))
        return replace(state, cursor=cursor, politics=replace(state.politics, callers=callers[1:]))


class AllianceMade(Event, frozen=True, tag="alliance_made"):
    """Two Powers become allies."""

    a: str
    b: str

    def evolve(self, state: State) -> State:
        alliance = Relation(kind="alliance", a=self.a, b=self.b, since=state.turn)
        return replace(state, relations=(*state.relations, alliance))


class AllianceBroken(Event, frozen=True, tag="alliance_broken"):
    """An alliance ends; for some time it cannot be made again."""

    a: str
    b: str
    until: int

    def evolve(self, state: State) -> State:
        gone = ("alliance", "broken_alliance")
        kept = tuple(one for one in state.relations if not (one.kind in gone and one.between(self.a, self.b)))
        broken = Relation(kind="broken_alliance", a=self.a, b=self.b, since=state.turn, until=self.until)
        return replace(state, relations=(*kept, broken))


class Offered(Event, frozen=True, tag="offered"):
    """A Power offers an alliance, or combined movement."""

    kind: str
    power: str
    to: str

    def evolve(self, state: State) -> State:
        offers = (*state.politics.offers, (self.kind, self.power, self.to))
        return replace(state, politics=replace(state.politics, offers=offers))


class MovementCombined(Event, frozen=True, tag="movement_combined"):
    """Allies combine their movement this month."""

    powers: tuple[str, ...]

    def evolve(self, state: State) -> State:
        apart = tuple(group for group in state.combined if not set(group) & set(self.powers))
        return replace(state, combined=(*apart, self.powers))


class PapersOpened(Event, frozen=True, tag="papers_opened"):
    """The Peace Step continues with the proposals."""

    surrenders: tuple[Surrender, ...]

    def evolve(self, state: State) -> State:
        return replace(state, politics=replace(state.politics, opened=True, surrenders=self.surrenders))


class SurrenderChanged(Event, frozen=True, tag="surrender_changed"):
    """A formal peace changes: its kind, its acceptance, its terms."""

    surrender: Surrender

    def evolve(self, state: State) -> State:
        new = self.surrender
        changed = tuple(
            new if (one.loser, one.victor) == (new.loser, new.victor) else one for one in state.politics.surrenders
        )
        return replace(state, politics=replace(state.politics, surrenders=changed))


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

    def evolve(self, state: State) -> State:
        pair = (self.loser, self.victor)
        over = ("war", "enforced_peace")
        relations = tuple(one for one in state.relations if not (one.kind in over and one.between(*pair)))
        treaties = state.treaties
        if self.until:
            relations += tuple(
                Relation(kind="enforced_peace", a=a, b=b, since=state.turn, until=self.until)
                for a, b in (pair, pair[::-1])
            )
        if self.kind != "informal":
            treaties += (Treaty(state.turn, self.loser, self.victor, self.kind, self.terms),)
        politics = replace(state.politics, peace=(*state.politics.peace, (*pair, self.kind)))
        return replace(state, relations=relations, treaties=treaties, politics=politics)


class DemandSettled(Event, frozen=True, tag="demand_settled"):
    """A Power left alone in a war decides whether it demands that an ally end the alliance."""

    power: str
    ally: str

    def evolve(self, state: State) -> State:
        demands = (*state.politics.demands, (self.power, self.ally))
        return replace(state, politics=replace(state.politics, demands=demands))


class CorpsWentHome(Event, frozen=True, tag="corps_went_home"):
    """A corps moves out of land that is at peace with it."""

    corps: str
    where: str

    def evolve(self, state: State) -> State:
        corps = replace(state.corps[self.corps], where=self.where, inside=False)
        return replace(state, corps={**state.corps, self.corps: corps})


class GarrisonWentHome(Event, frozen=True, tag="garrison_went_home"):
    """A garrison moves out of land that is at peace with it; "" if no place can hold it, and it is lost."""

    power: str
    origin: str
    of_depot: bool
    where: str
    to_depot: bool = False

    def evolve(self, state: State) -> State:
        key = (self.power, self.origin, self.of_depot)
        moving = next(one for one in state.garrisons if (one.power, one.where, one.of_depot) == key)
        rest = tuple(one for one in state.garrisons if one is not moving)
        if not self.where:
            return replace(state, garrisons=rest)
        goal = (self.power, self.where, self.to_depot)
        there = next((one for one in rest if (one.power, one.where, one.of_depot) == goal), None)
        if there is None:
            arrived = Garrison(where=self.where, power=self.power, of_depot=self.to_depot, factors=moving.factors)
            return replace(state, garrisons=(*rest, arrived))
        joined = replace(there, factors=there.factors + moving.factors)
        return replace(state, garrisons=tuple(joined if one is there else one for one in rest))


class DepotTakenUp(Event, frozen=True, tag="depot_taken_up"):
    """A depot is removed from the map."""

    power: str
    where: str

    def evolve(self, state: State) -> State:
        kept = tuple(one for one in state.depots if (one.power, one.where) != (self.power, self.where))
        return replace(state, depots=kept)


class FleetsMustLeave(Event, frozen=True, tag="fleets_must_leave"):
    """Fleets must leave by the end of the next Naval Phase."""

    fleets: tuple[str, ...]

    def evolve(self, state: State) -> State:
        return replace(state, leaving=tuple(dict.fromkeys((*state.leaving, *self.fleets))))


class MinorAttacked(Event, frozen=True, tag="minor_attacked"):
    """These Powers declare war on a neutral minor country."""

    minority: Minority

    def evolve(self, state: State) -> State:
        return replace(state, politics=replace(state.politics, minors=(*state.politics.minors, self.minority)))


class MinorControlOffered(Event, frozen=True, tag="minor_asked"):
    """The decision on the control of a minor country changes."""

    minority: Minority

    def evolve(self, state: State) -> State:
        new = self.minority
        changed = tuple(new if one.minor == new.minor else one for one in state.politics.minors)
        return replace(state, politics=replace(state.politics, minors=changed))


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

    def evolve(self, state: State) -> State:
        minor = replace(state.minors[self.minor], controller=self.power, status=self.status)
        corps = {n: replace(c, power=self.power) if c.nation == self.minor else c for n, c in state.corps.items()}
        fleets = {n: replace(f, power=self.power) if f.nation == self.minor else f for n, f in state.fleets.items()}
        return replace(state, minors={**state.minors, self.minor: minor}, corps=corps, fleets=fleets)


class MinorSetUp(Event, frozen=True, tag="minor_set_up"):
    """A corps of a minor country is placed in an area of it."""

    corps: str
    where: str

    def evolve(self, state: State) -> State:
        corps = replace(state.corps[self.corps], where=self.where, inside=False)
        return replace(state, corps={**state.corps, self.corps: corps})


class MinorFleetSetUp(Event, frozen=True, tag="minor_fleet_set_up"):
    """A fleet of a minor country is placed in a port of it, or at sea next to one."""

    fleet: str
    where: str
    box: str = ""

    def evolve(self, state: State) -> State:
        fleet = replace(state.fleets[self.fleet], where=self.where, box=self.box)
        return replace(state, fleets={**state.fleets, self.fleet: fleet})


class FreeStateDeclared(Event, frozen=True, tag="free_state_declared"):
    """A conquered minor country becomes a free state."""

    minor: str

    def evolve(self, state: State) -> State:
        minor = replace(state.minors[self.minor], status="free")
        return replace(state, minors={**state.minors, self.minor: minor})
