"""Events at sea: movement, dice, losses and transported counters."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from paxtui.games.empires.events.base import Event, EvolveByEvent
from paxtui.games.empires.pieces import AtSea, Encounter, Fleet, SideName, Voyage
from paxtui.games.empires.state import State

Errand = Literal["sail", "intercept", "retreat", "pursue", "enter", "leave"]
"""Reason of a stack's movement: order, interception, retreat, pursuit, entry into a port it won, exit from a fallen
port.
"""


class NavalSequenceEnded(Event, frozen=True, tag="naval_sequence_ended"):
    """The naval sequence of Powers ends; movement is reset for the next one."""

    powers: tuple[str, ...]


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


class VoyageSet(Event, frozen=True, tag="voyage"):
    """The stack that sails now; None: no stack."""

    voyage: Voyage | None


class MovementEnded(Event, frozen=True, tag="fleets_done"):
    """The movement of fleets ends for this sequence."""

    fleets: tuple[str, ...]


class Barred(Event, frozen=True, tag="fleets_barred"):
    """Fleets beaten in an interception may not intercept again in this sequence."""

    fleets: tuple[str, ...]


class PlaceClosed(Event, frozen=True, tag="place_closed"):
    """No further attack is allowed at a place in this sequence."""

    place: str


class Embarked(Event, frozen=True, tag="embarked"):
    """A corps boards a fleet."""

    corps: str
    fleet: str


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


class Drowned(Event, frozen=True, tag="corps_drowned"):
    """A corps is lost at sea: with its transport, or because it did not land."""

    corps: str
    why: Literal["transport", "not_landed"]


class CorpsShifted(Event, frozen=True, tag="corps_shifted"):
    """A corps moves from a sunk fleet to another one."""

    corps: str
    giver: str
    taker: str


class LeaderWent(Event, frozen=True, tag="leader_went"):
    """A leader moves to another counter; "" if there is none: the leader is retired."""

    leader: str
    where: str


class LeaderTaken(Event, frozen=True, tag="leader_taken"):
    """A leader is captured."""

    leader: str
    captor: str


class FleetPlaced(Event, frozen=True, tag="fleet_placed"):
    """A fleet counter that was due is placed on the map, empty."""

    power: str
    nation: str
    fleet: Fleet


class ShipsPlaced(Event, frozen=True, tag="ships_placed"):
    """Ships that were due join a fleet."""

    power: str
    nation: str
    fleet: str
    ships: int


class ShipsTransferred(Event, frozen=True, tag="ships_transferred"):
    """Ships move from one fleet to another."""

    giver: str
    taker: str
    ships: int


def _with_sea(state: State, **changes: object) -> State:
    return replace(state, at_sea=replace(state.at_sea, **changes))


def _on_naval_sequence_ended(state: State, event: NavalSequenceEnded) -> State:
    return replace(state, at_sea=AtSea())


def _on_stack_moved(state: State, event: StackMoved) -> State:
    fleets = {
        name: replace(fleet, where=event.where, box=event.box, moved=fleet.moved + event.points)
        if name in event.fleets
        else fleet
        for name, fleet in state.fleets.items()
    }
    return replace(state, fleets=fleets)


def _on_voyage_set(state: State, event: VoyageSet) -> State:
    return _with_sea(state, voyage=event.voyage)


def _on_movement_ended(state: State, event: MovementEnded) -> State:
    return _with_sea(state, done=(*state.at_sea.done, *event.fleets))


def _on_barred(state: State, event: Barred) -> State:
    return _with_sea(state, barred=(*state.at_sea.barred, *event.fleets))


def _on_place_closed(state: State, event: PlaceClosed) -> State:
    return _with_sea(state, closed=(*state.at_sea.closed, event.place))


def _on_embarked(state: State, event: Embarked) -> State:
    fleet = state.fleets[event.fleet]
    corps = {**state.corps, event.corps: replace(state.corps[event.corps], where="", inside=False)}
    return replace(state, corps=corps, fleets=_fleet_by_id(state, replace(fleet, cargo=(*fleet.cargo, event.corps))))


def _fleet_by_id(state: State, fleet: Fleet) -> dict[str, Fleet]:
    return {**state.fleets, fleet.id: fleet}


def _on_encounter_set(state: State, event: EncounterSet) -> State:
    return _with_sea(state, encounter=event.encounter)


def _keep_state_at_sea(state: State, event: Event) -> State:
    return state


def _on_ships_lost(state: State, event: ShipsLost) -> State:
    fleet = state.fleets[event.fleet]
    return replace(state, fleets=_fleet_by_id(state, replace(fleet, ships=fleet.ships - event.ships)))


def _on_fleet_removed(state: State, event: FleetRemoved) -> State:
    return replace(state, fleets={name: fleet for name, fleet in state.fleets.items() if name != event.fleet})


def _on_drowned(state: State, event: Drowned) -> State:
    fleets = {
        name: replace(fleet, cargo=tuple(one for one in fleet.cargo if one != event.corps))
        if event.corps in fleet.cargo
        else fleet
        for name, fleet in state.fleets.items()
    }
    return replace(state, fleets=fleets, corps={name: one for name, one in state.corps.items() if name != event.corps})


def _on_corps_shifted(state: State, event: CorpsShifted) -> State:
    giver, taker = state.fleets[event.giver], state.fleets[event.taker]
    fleets = {
        **state.fleets,
        giver.id: replace(giver, cargo=tuple(one for one in giver.cargo if one != event.corps)),
        taker.id: replace(taker, cargo=(*taker.cargo, event.corps)),
    }
    return replace(state, fleets=fleets)


def _on_leader_went(state: State, event: LeaderWent) -> State:
    leader = replace(state.leaders[event.leader], where=event.where)
    return replace(state, leaders={**state.leaders, event.leader: leader})


def _on_leader_taken(state: State, event: LeaderTaken) -> State:
    leader = replace(state.leaders[event.leader], where="", captor=event.captor)
    return replace(state, leaders={**state.leaders, event.leader: leader})


def _on_fleet_placed(state: State, event: FleetPlaced) -> State:
    due = tuple(
        replace(one, fleets=tuple(fleet for fleet in one.fleets if fleet.id != event.fleet.id))
        for one in state.shipyard
    )
    return replace(state, shipyard=due, fleets=_fleet_by_id(state, event.fleet))


def _on_ships_placed(state: State, event: ShipsPlaced) -> State:
    left = event.ships
    due = []
    for one in state.shipyard:
        used = min(left, one.ships) if (one.power, one.nation) == (event.power, event.nation) else 0
        left -= used
        due.append(replace(one, ships=one.ships - used))
    fleet = state.fleets[event.fleet]
    return replace(
        state, shipyard=tuple(due), fleets=_fleet_by_id(state, replace(fleet, ships=fleet.ships + event.ships))
    )


def _on_ships_transferred(state: State, event: ShipsTransferred) -> State:
    giver, taker = state.fleets[event.giver], state.fleets[event.taker]
    fleets = {
        **state.fleets,
        giver.id: replace(giver, ships=giver.ships - event.ships),
        taker.id: replace(taker, ships=taker.ships + event.ships),
    }
    return replace(state, fleets=fleets)


SEA_EVENTS: EvolveByEvent = {
    NavalSequenceEnded: _on_naval_sequence_ended,
    StackMoved: _on_stack_moved,
    VoyageSet: _on_voyage_set,
    MovementEnded: _on_movement_ended,
    Barred: _on_barred,
    PlaceClosed: _on_place_closed,
    Embarked: _on_embarked,
    InterceptionRolled: _keep_state_at_sea,
    EncounterSet: _on_encounter_set,
    EvasionRolled: _keep_state_at_sea,
    WindRolled: _keep_state_at_sea,
    Fired: _keep_state_at_sea,
    ShipsLost: _on_ships_lost,
    CombatDecided: _keep_state_at_sea,
    FleetRemoved: _on_fleet_removed,
    Drowned: _on_drowned,
    CorpsShifted: _on_corps_shifted,
    LeaderWent: _on_leader_went,
    LeaderTaken: _on_leader_taken,
    FleetPlaced: _on_fleet_placed,
    ShipsPlaced: _on_ships_placed,
    ShipsTransferred: _on_ships_transferred,
}
