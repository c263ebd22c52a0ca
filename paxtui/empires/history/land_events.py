"""What happens on land: depots, marches, garrisons, supply, sieges, reinforcements."""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.empires.history.event import Event, Kinds
from paxtui.empires.state.campaign import Campaign, Detached, Due, Trek
from paxtui.empires.state.model import State
from paxtui.empires.state.pieces import Corps, Depot, Factors, Garrison


class SequenceBegan(Event, frozen=True, tag="sequence_began"):
    """Powers begin their land sequence; with none, one is over."""

    powers: tuple[str, ...]


class DepotPlaced(Event, frozen=True, tag="depot_placed"):
    """A depot is placed, or one of the enemy converted."""

    depot: Depot


class DepotRemoved(Event, frozen=True, kw_only=True, tag="depot_removed"):
    """A depot is gone.

    Attributes:
        why: the reason, as a word.
        by: the counter that destroyed it during its march, "" for any other reason.
    """

    where: str
    power: str
    inside: bool = False
    why: str
    by: str = ""


class Marched(Event, frozen=True, tag="marched"):
    """A counter enters areas, one after the other.

    Attributes:
        cost: movement points used.
        forced: by a force march.
        over_river: whether it came into the last one over a river or from the sea.
        abroad: whether one of them is outside its Power's territory.
    """

    corps: str
    path: tuple[str, ...]
    cost: int
    forced: bool = False
    over_river: bool = False
    abroad: bool = False


class Landed(Event, frozen=True, tag="landed"):
    """A corps leaves its fleet for an area, with its movement points used up; "": it is lost with the step."""

    corps: str
    fleet: str
    area: str
    cost: int
    abroad: bool = False


class Quartered(Event, frozen=True, tag="quartered"):
    """A counter goes into the city of its area, or out of it."""

    corps: str
    inside: bool


class CorpsStrength(Event, frozen=True, tag="corps_strength"):
    """A corps has these factors now; with none it is gone."""

    corps: str
    factors: Factors
    why: str


class GarrisonStrength(Event, frozen=True, kw_only=True, tag="garrison_strength"):
    """A garrison has these factors now; with none it is gone."""

    where: str
    power: str
    of_depot: bool = False
    factors: Factors
    why: str


class LeftBehind(Event, frozen=True, tag="left_behind"):
    """What a corps has left behind on its march, all of it."""

    corps: str
    detached: tuple[Detached, ...]


class CorpsArrived(Event, frozen=True, tag="corps_arrived"):
    """A corps counter comes onto the map."""

    corps: Corps


class LeaderMoved(Event, frozen=True, tag="leader_moved"):
    """A leader goes to a corps, a fleet or an area, or off the map; or he is taken prisoner."""

    leader: str
    where: str
    captor: str = ""


class Siege(Event, frozen=True, tag="siege"):
    """A city is besieged by a Power; "": no longer."""

    area: str
    power: str


class Besieging(Event, frozen=True, tag="besieging"):
    """A corps besieges, or is going to."""

    corps: str


class Supplied(Event, frozen=True, tag="supplied"):
    """A corps has its supply for the month: foraged, captured, paid."""

    corps: str
    how: str


class Foraged(Event, frozen=True, kw_only=True, tag="foraged"):
    """A roll for a corps that forages, or for a besieged city.

    Attributes:
        corps: the corps, "" for a city.
        area: where.
        die: what was thrown.
        modifiers: what was added, with the reasons.
        value: the forage value, or the supply value of the city.
        loss: factors it costs.
    """

    corps: str = ""
    area: str
    die: int
    modifiers: tuple[tuple[str, int], ...] = ()
    value: int
    loss: int


class SupplyRefused(Event, frozen=True, tag="supply_refused"):
    """An ally will not supply a corps."""

    corps: str
    ally: str


class ControlChanged(Event, frozen=True, tag="control_changed"):
    """An area with its city is controlled by somebody else."""

    area: str
    power: str


class ReinforcementsCame(Event, frozen=True, tag="reinforcements_came"):
    """Army factors of a Power are due and wait for their place: all that now do."""

    power: str
    due: tuple[Due, ...]


class ReinforcementLost(Event, frozen=True, kw_only=True, tag="reinforcement_lost"):
    """A reinforcement finds no place: a corps by its name, or factors."""

    power: str
    corps: str = ""
    factors: Factors


def _campaign(state: State, campaign: Campaign) -> State:
    return replace(state, campaign=campaign)


def _began(state: State, event: SequenceBegan) -> State:
    treks = {
        corps.id: Trek(start=corps.where)
        for corps in state.corps.values()
        if corps.power in event.powers and corps.where
    }
    campaign = state.campaign
    fresh = Campaign(
        phasing=event.powers,
        treks=treks,
        sieges=campaign.sieges,
        fought=campaign.fought,
        due=campaign.due,
        mustered=campaign.mustered,
    )
    return _campaign(state, fresh)


def _placed(state: State, event: DepotPlaced) -> State:
    return replace(state, depots=(*state.depots, event.depot))


def _removed(state: State, event: DepotRemoved) -> State:
    gone = (event.where, event.power, event.inside)
    left = replace(state, depots=tuple(one for one in state.depots if (one.where, one.power, one.inside) != gone))
    if not event.by:
        return left
    return _trek(left, event.by, replace(_of(left, event.by), captured=event.where))


def _marched(state: State, event: Marched) -> State:
    corps = state.corps[event.corps]
    trek = state.campaign.treks.get(corps.id, Trek(start=corps.where))
    trek = replace(
        trek,
        path=(*trek.path, *event.path),
        over_river=event.over_river,
        abroad=trek.abroad or event.abroad,
        besieges=False,
    )
    moved = replace(
        corps,
        where=event.path[-1],
        inside=False,
        moved=corps.moved + event.cost,
        forced=corps.forced or event.forced,
    )
    campaign = replace(state.campaign, treks={**state.campaign.treks, corps.id: trek}, moving=corps.id)
    return replace(state, corps={**state.corps, corps.id: moved}, campaign=campaign)


def _landed(state: State, event: Landed) -> State:
    corps = replace(state.corps[event.corps], where=event.area, moved=event.cost)
    fleet = state.fleets[event.fleet]
    fleet = replace(fleet, cargo=tuple(one for one in fleet.cargo if one != corps.id))
    trek = Trek(start=event.area, path=(event.area,), over_river=True, landed=True, abroad=event.abroad)
    campaign = replace(state.campaign, treks={**state.campaign.treks, corps.id: trek}, moving=corps.id)
    fleets = {**state.fleets, fleet.id: fleet}
    return replace(state, corps={**state.corps, corps.id: corps}, fleets=fleets, campaign=campaign)


def _quartered(state: State, event: Quartered) -> State:
    corps = replace(state.corps[event.corps], inside=event.inside)
    return replace(state, corps={**state.corps, corps.id: corps})


def _strength(state: State, event: CorpsStrength) -> State:
    corps = dict(state.corps)
    if event.factors.total:
        corps[event.corps] = replace(corps[event.corps], factors=event.factors)
        return replace(state, corps=corps)
    del corps[event.corps]
    treks = {name: trek for name, trek in state.campaign.treks.items() if name != event.corps}
    return replace(state, corps=corps, campaign=replace(state.campaign, treks=treks))


def _garrison(state: State, event: GarrisonStrength) -> State:
    key = (event.where, event.power, event.of_depot)
    others = tuple(one for one in state.garrisons if (one.where, one.power, one.of_depot) != key)
    if not event.factors.total:
        return replace(state, garrisons=others)
    new = Garrison(where=event.where, power=event.power, of_depot=event.of_depot, factors=event.factors)
    return replace(state, garrisons=(*others, new))


def _left(state: State, event: LeftBehind) -> State:
    trek = replace(state.campaign.treks[event.corps], detached=event.detached)
    return _campaign(state, replace(state.campaign, treks={**state.campaign.treks, event.corps: trek}))


def _arrived(state: State, event: CorpsArrived) -> State:
    return replace(state, corps={**state.corps, event.corps.id: event.corps})


def _leader(state: State, event: LeaderMoved) -> State:
    leader = replace(state.leaders[event.leader], where=event.where, captor=event.captor)
    return replace(state, leaders={**state.leaders, leader.id: leader})


def _siege(state: State, event: Siege) -> State:
    sieges = {area: power for area, power in state.campaign.sieges.items() if area != event.area}
    if event.power:
        sieges[event.area] = event.power
    return _campaign(state, replace(state.campaign, sieges=sieges))


def _besieging(state: State, event: Besieging) -> State:
    return _trek(state, event.corps, replace(_of(state, event.corps), besieges=True))


def _supplied(state: State, event: Supplied) -> State:
    return _trek(state, event.corps, replace(_of(state, event.corps), fed=event.how))


def _of(state: State, corps: str) -> Trek:
    return state.campaign.treks.get(corps) or Trek(start=state.corps[corps].where)


def _trek(state: State, corps: str, trek: Trek) -> State:
    return _campaign(state, replace(state.campaign, treks={**state.campaign.treks, corps: trek}))


def _foraged(state: State, event: Foraged) -> State:
    return state


def _control(state: State, event: ControlChanged) -> State:
    return replace(state, control={**state.control, event.area: event.power})


def _came(state: State, event: ReinforcementsCame) -> State:
    others = tuple(one for one in state.campaign.due if one.power != event.power)
    mustered = {**state.campaign.mustered, event.power: state.turn}
    return _campaign(state, replace(state.campaign, due=(*others, *event.due), mustered=mustered))


def _unchanged(state: State, event: ReinforcementLost) -> State:
    return state


def _refused(state: State, event: SupplyRefused) -> State:
    refused = (*state.campaign.refused, (event.corps, event.ally))
    return _campaign(state, replace(state.campaign, refused=refused))


KINDS: Kinds = {
    SequenceBegan: _began,
    DepotPlaced: _placed,
    DepotRemoved: _removed,
    Marched: _marched,
    Landed: _landed,
    Quartered: _quartered,
    CorpsStrength: _strength,
    GarrisonStrength: _garrison,
    LeftBehind: _left,
    CorpsArrived: _arrived,
    LeaderMoved: _leader,
    Siege: _siege,
    Besieging: _besieging,
    Supplied: _supplied,
    Foraged: _foraged,
    ControlChanged: _control,
    ReinforcementsCame: _came,
    ReinforcementLost: _unchanged,
    SupplyRefused: _refused,
}
