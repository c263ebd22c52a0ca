"""Events at sea: movement, dice, losses and transported counters."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from paxtui.games.empires.events.base import Event
from paxtui.games.empires.pieces import AtSea, Encounter, Fleet, SideName, Voyage
from paxtui.games.empires.state import State

Errand = Literal["sail", "intercept", "retreat", "pursue", "enter", "leave"]
"""Reason of a stack's movement: order, interception, retreat, pursuit, entry into a port it won, exit from a fallen
port.
"""


class NavalSequenceEnded(Event, frozen=True, tag="naval_sequence_ended"):
    """The naval sequence of Powers ends; movement is reset for the next one."""

    powers: tuple[str, ...]

    def evolve(self, state: State) -> State:
        return replace(state, at_sea=AtSea())


class StackMoved(Event, frozen=True, tag="stack_moved"):
    """Fleets move to the next place: `where` and `box` as in a fleet, and the movement points spent."""

    fleets: tuple[str, ...]
    where: str
    box: str
    points: int
    errand: Errand

    @property
    def place(self) -> str:
        """Their new place, as orders name it."""
        return f"off_{self.where}" if self.box == "blockade" else self.where

    def evolve(self, state: State) -> State:
        fleets = {
            name: replace(fleet, where=self.where, box=self.box, moved=fleet.moved + self.points)
            if name in self.fleets
            else fleet
            for name, fleet in state.fleets.items()
        }
        return replace(state, fleets=fleets)


class VoyageSet(Event, frozen=True, tag="voyage"):
    """The stack that sails now; None: no stack."""

    voyage: Voyage | None

    def evolve(self, state: State) -> State:
        return _with_sea(state, voyage=self.voyage)


class MovementEnded(Event, frozen=True, tag="fleets_done"):
    """The movement of fleets ends for this sequence."""

    fleets: tuple[str, ...]

    def evolve(self, state: State) -> State:
        return _with_sea(state, done=(*state.at_sea.done, *self.fleets))


class Barred(Event, frozen=True, tag="fleets_barred"):
    """Fleets beaten in an interception may not intercept again in this sequence."""

    fleets: tuple[str, ...]

    def evolve(self, state: State) -> State:
        return _with_sea(state, barred=(*state.at_sea.barred, *self.fleets))


class PlaceClosed(Event, frozen=True, tag="place_closed"):
    """No further attack is allowed at a place in this sequence."""

    place: str

    def evolve(self, state: State) -> State:
        return _with_sea(state, closed=(*state.at_sea.closed, self.place))


class Embarked(Event, frozen=True, tag="embarked"):
    """A corps boards a fleet."""

    corps: str
    fleet: str

    def evolve(self, state: State) -> State:
        fleet = state.fleets[self.fleet]
        corps = {**state.corps, self.corps: replace(state.corps[self.corps], where="", inside=False)}
        return replace(state, corps=corps, fleets=_fleet_by_id(state, replace(fleet, cargo=(*fleet.cargo, self.corps))))


class InterceptionRolled(Event, frozen=True, tag="interception_rolled"):
    """A stack tries to intercept at sea: the die, the die modified by Nelson, and the highest that succeeds."""

    powers: tuple[str, ...]
    start: str
    place: str
    die: int
    modified: int
    needed: int


class EncounterSet(Event, frozen=True, tag="encounter"):
    """The state of the naval combat; None: it is over."""

    encounter: Encounter | None

    def evolve(self, state: State) -> State:
        return _with_sea(state, encounter=self.encounter)


class EvasionRolled(Event, frozen=True, tag="evasion_rolled"):
    """The attacked side tries to evade."""

    powers: tuple[str, ...]
    die: int
    evaded: bool


class WindRolled(Event, frozen=True, tag="wind_rolled"):
    """Both sides roll for the wind: the dice, and the dice after modifiers."""

    attacker: int
    defender: int
    attacker_modified: int
    defender_modified: int


class Fired(Event, frozen=True, tag="fired"):
    """A side, or the guns of a harbour, fires."""

    side: SideName
    harbour: bool
    die: int
    modified: int
    percent: int
    ships: int
    losses: int


class ShipsLost(Event, frozen=True, tag="ships_lost"):
    """A fleet loses ships."""

    fleet: str
    ships: int

    def evolve(self, state: State) -> State:
        fleet = state.fleets[self.fleet]
        return replace(state, fleets=_fleet_by_id(state, replace(fleet, ships=fleet.ships - self.ships)))


class CombatDecided(Event, frozen=True, tag="naval_combat_decided"):
    """A naval combat ends: the winner ("" for a draw), the losses of both sides, and their Powers."""

    place: str
    winner: Literal["", "attacker", "defender"]
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    attacker_lost: int
    defender_lost: int


class FleetRemoved(Event, frozen=True, tag="fleet_removed"):
    """A fleet counter leaves the map, with its remaining ships."""

    fleet: str
    ships: int
    why: Literal["lost", "emptied", "scuttled"]

    def evolve(self, state: State) -> State:
        return replace(state, fleets={name: fleet for name, fleet in state.fleets.items() if name != self.fleet})


class Drowned(Event, frozen=True, tag="corps_drowned"):
    """A corps is lost at sea: with its transport, or because it did not land."""

    corps: str
    why: Literal["transport", "not_landed"]

    def evolve(self, state: State) -> State:
        fleets = {
            name: replace(fleet, cargo=tuple(one for one in fleet.cargo if one != self.corps))
            if self.corps in fleet.cargo
            else fleet
            for name, fleet in state.fleets.items()
        }
        return replace(
            state, fleets=fleets, corps={name: one for name, one in state.corps.items() if name != self.corps}
        )


class CorpsShifted(Event, frozen=True, tag="corps_shifted"):
    """A corps moves from a sunk fleet to another one."""

    corps: str
    giver: str
    taker: str

    def evolve(self, state: State) -> State:
        giver, taker = state.fleets[self.giver], state.fleets[self.taker]
        fleets = {
            **state.fleets,
            giver.id: replace(giver, cargo=tuple(one for one in giver.cargo if one != self.corps)),
            taker.id: replace(taker, cargo=(*taker.cargo, self.corps)),
        }
        return replace(state, fleets=fleets)


class LeaderWent(Event, frozen=True, tag="leader_went"):
    """A leader moves to another counter; "" if there is none: the leader is retired."""

    leader: str
    where: str

    def evolve(self, state: State) -> State:
        leader = replace(state.leaders[self.leader], where=self.where)
        return replace(state, leaders={**state.leaders, self.leader: leader})


class LeaderTaken(Event, frozen=True, tag="leader_taken"):
    """A leader is captured."""

    leader: str
    captor: str

    def evolve(self, state: State) -> State:
        leader = replace(state.leaders[self.leader], where="", captor=self.captor)
        return replace(state, leaders={**state.leaders, self.leader: leader})


class FleetPlaced(Event, frozen=True, tag="fleet_placed"):
    """A fleet counter that was due is placed on the map, empty."""

    power: str
    nation: str
    fleet: Fleet

    def evolve(self, state: State) -> State:
        due = tuple(
            replace(one, fleets=tuple(fleet for fleet in one.fleets if fleet.id != self.fleet.id))
            for one in state.shipyard
        )
        return replace(state, shipyard=due, fleets=_fleet_by_id(state, self.fleet))


class ShipsPlaced(Event, frozen=True, tag="ships_placed"):
    """Ships that were due join a fleet."""

    power: str
    nation: str
    fleet: str
    ships: int

    def evolve(self, state: State) -> State:
        left = self.ships
        due = []
        for one in state.shipyard:
            used = min(left, one.ships) if (one.power, one.nation) == (self.power, self.nation) else 0
            left -= used
            due.append(replace(one, ships=one.ships - used))
        fleet = state.fleets[self.fleet]
        return replace(
            state, shipyard=tuple(due), fleets=_fleet_by_id(state, replace(fleet, ships=fleet.ships + self.ships))
        )


class ShipsTransferred(Event, frozen=True, tag="ships_transferred"):
    """Ships move from one fleet to another."""

    giver: str
    taker: str
    ships: int

    def evolve(self, state: State) -> State:
        giver, taker = state.fleets[self.giver], state.fleets[self.taker]
        fleets = {
            **state.fleets,
            giver.id: replace(giver, ships=giver.ships - self.ships),
            taker.id: replace(taker, ships=taker.ships + self.ships),
        }
        return replace(state, fleets=fleets)


def _with_sea(state: State, **changes: object) -> State:
    return replace(state, at_sea=replace(state.at_sea, **changes))


def _fleet_by_id(state: State, fleet: Fleet) -> dict[str, Fleet]:
    return {**state.fleets, fleet.id: fleet}
