"""Events on land: depots, movement, garrisons, supply, sieges, reinforcements, attacks and field combats."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from paxtui.games.empires.events.base import Event, EvolveByEvent
from paxtui.games.empires.pieces import (
    Attack,
    Battle,
    BattleChoices,
    Campaign,
    Corps,
    Depot,
    Detached,
    Due,
    Factors,
    Force,
    Garrison,
    Trek,
)
from paxtui.games.empires.state import State


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
    """A leader goes to a corps, a fleet or an area, leaves the map, or is captured."""

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
    """Control of an area and its city changes."""

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


def _with_campaign(state: State, campaign: Campaign) -> State:
    return replace(state, campaign=campaign)


def _on_sequence_began(state: State, event: SequenceBegan) -> State:
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
        besieged_since=campaign.besieged_since,
    )
    return _with_campaign(state, fresh)


def _on_depot_placed(state: State, event: DepotPlaced) -> State:
    return replace(state, depots=(*state.depots, event.depot))


def _on_depot_removed(state: State, event: DepotRemoved) -> State:
    gone = (event.where, event.power, event.inside)
    left = replace(state, depots=tuple(one for one in state.depots if (one.where, one.power, one.inside) != gone))
    if not event.by:
        return left
    return _with_trek(left, event.by, replace(_trek_of_corps(left, event.by), captured=event.where))


def _on_marched(state: State, event: Marched) -> State:
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


def _on_landed(state: State, event: Landed) -> State:
    corps = replace(state.corps[event.corps], where=event.area, moved=event.cost)
    fleet = state.fleets[event.fleet]
    fleet = replace(fleet, cargo=tuple(one for one in fleet.cargo if one != corps.id))
    trek = Trek(start=event.area, path=(event.area,), over_river=True, landed=True, abroad=event.abroad)
    campaign = replace(state.campaign, treks={**state.campaign.treks, corps.id: trek}, moving=corps.id)
    fleets = {**state.fleets, fleet.id: fleet}
    return replace(state, corps={**state.corps, corps.id: corps}, fleets=fleets, campaign=campaign)


def _on_quartered(state: State, event: Quartered) -> State:
    corps = replace(state.corps[event.corps], inside=event.inside)
    return replace(state, corps={**state.corps, corps.id: corps})


def _on_corps_strength(state: State, event: CorpsStrength) -> State:
    corps = dict(state.corps)
    if event.factors.total:
        corps[event.corps] = replace(corps[event.corps], factors=event.factors)
        return replace(state, corps=corps)
    del corps[event.corps]
    treks = {name: trek for name, trek in state.campaign.treks.items() if name != event.corps}
    return replace(state, corps=corps, campaign=replace(state.campaign, treks=treks))


def _on_garrison_strength(state: State, event: GarrisonStrength) -> State:
    key = (event.where, event.power, event.of_depot)
    others = tuple(one for one in state.garrisons if (one.where, one.power, one.of_depot) != key)
    if not event.factors.total:
        return replace(state, garrisons=others)
    new = Garrison(where=event.where, power=event.power, of_depot=event.of_depot, factors=event.factors)
    return replace(state, garrisons=(*others, new))


def _on_left_behind(state: State, event: LeftBehind) -> State:
    trek = replace(state.campaign.treks[event.corps], detached=event.detached)
    return _with_campaign(state, replace(state.campaign, treks={**state.campaign.treks, event.corps: trek}))


def _on_corps_arrived(state: State, event: CorpsArrived) -> State:
    return replace(state, corps={**state.corps, event.corps.id: event.corps})


def _on_leader_moved(state: State, event: LeaderMoved) -> State:
    leader = replace(state.leaders[event.leader], where=event.where, captor=event.captor)
    return replace(state, leaders={**state.leaders, leader.id: leader})


def _on_siege(state: State, event: Siege) -> State:
    sieges = {area: power for area, power in state.campaign.sieges.items() if area != event.area}
    if event.power:
        sieges[event.area] = event.power
    since = {area: state.campaign.besieged_since.get(area, state.turn) for area in sieges}
    return _with_campaign(state, replace(state.campaign, sieges=sieges, besieged_since=since))


def _on_besieging(state: State, event: Besieging) -> State:
    return _with_trek(state, event.corps, replace(_trek_of_corps(state, event.corps), besieges=True))


def _on_supplied(state: State, event: Supplied) -> State:
    return _with_trek(state, event.corps, replace(_trek_of_corps(state, event.corps), fed=event.how))


def _trek_of_corps(state: State, corps: str) -> Trek:
    return state.campaign.treks.get(corps) or Trek(start=state.corps[corps].where)


def _with_trek(state: State, corps: str, trek: Trek) -> State:
    return _with_campaign(state, replace(state.campaign, treks={**state.campaign.treks, corps: trek}))


def _on_foraged(state: State, event: Foraged) -> State:
    return state


def _on_control_changed(state: State, event: ControlChanged) -> State:
    return replace(state, control={**state.control, event.area: event.power})


def _on_reinforcements_came(state: State, event: ReinforcementsCame) -> State:
    others = tuple(one for one in state.campaign.due if one.power != event.power)
    mustered = {**state.campaign.mustered, event.power: state.turn}
    return _with_campaign(state, replace(state.campaign, due=(*others, *event.due), mustered=mustered))


def _keep_state(state: State, event: ReinforcementLost) -> State:
    return state


def _on_supply_refused(state: State, event: SupplyRefused) -> State:
    refused = (*state.campaign.refused, (event.corps, event.ally))
    return _with_campaign(state, replace(state.campaign, refused=refused))


LAND_EVENTS: EvolveByEvent = {
    SequenceBegan: _on_sequence_began,
    DepotPlaced: _on_depot_placed,
    DepotRemoved: _on_depot_removed,
    Marched: _on_marched,
    Landed: _on_landed,
    Quartered: _on_quartered,
    CorpsStrength: _on_corps_strength,
    GarrisonStrength: _on_garrison_strength,
    LeftBehind: _on_left_behind,
    CorpsArrived: _on_corps_arrived,
    LeaderMoved: _on_leader_moved,
    Siege: _on_siege,
    Besieging: _on_besieging,
    Supplied: _on_supplied,
    Foraged: _on_foraged,
    ControlChanged: _on_control_changed,
    ReinforcementsCame: _on_reinforcements_came,
    ReinforcementLost: _keep_state,
    SupplyRefused: _on_supply_refused,
}


class AttackDeclared(Event, frozen=True, tag="attack_declared"):
    """An attack is declared."""

    attack: Attack


class AttacksDeclared(Event, frozen=True, tag="attacks_declared"):
    """All attacks of a sequence are declared, and who takes part is settled."""


class FirstProposed(Event, frozen=True, tag="first_proposed"):
    """One of the allies who move together says who should move first."""

    power: str
    first: str


class MoversOrdered(Event, frozen=True, tag="movers_ordered"):
    """The order in which they move."""

    order: tuple[str, ...]


class AttackChosen(Event, frozen=True, tag="attack_chosen"):
    """The attack in an area is fought next."""

    area: str


class AttackOver(Event, frozen=True, tag="attack_over"):
    """An attack is over, or has no target left."""

    area: str


def _on_attack_declared(state: State, event: AttackDeclared) -> State:
    others = tuple(one for one in state.campaign.attacks if one.area != event.attack.area)
    return _with_attack_campaign(state, replace(state.campaign, attacks=(*others, event.attack)))


def _on_attacks_declared(state: State, event: AttacksDeclared) -> State:
    return _with_attack_campaign(state, replace(state.campaign, declared=True))


def _on_first_proposed(state: State, event: FirstProposed) -> State:
    proposed = {**state.campaign.proposed, event.power: event.first}
    return _with_attack_campaign(state, replace(state.campaign, proposed=proposed))


def _on_movers_ordered(state: State, event: MoversOrdered) -> State:
    return _with_attack_campaign(state, replace(state.campaign, order=event.order))


def _on_attack_chosen(state: State, event: AttackChosen) -> State:
    return _with_attack_campaign(state, replace(state.campaign, engaged=event.area, stayed=(), agreed=()))


def _on_attack_over(state: State, event: AttackOver) -> State:
    left = tuple(one for one in state.campaign.attacks if one.area != event.area)
    return _with_attack_campaign(state, replace(state.campaign, attacks=left, engaged="", stayed=(), agreed=()))


def _with_attack_campaign(state: State, campaign: Campaign) -> State:
    return replace(state, campaign=campaign)


ATTACK_EVENTS: EvolveByEvent = {
    AttackDeclared: _on_attack_declared,
    AttacksDeclared: _on_attacks_declared,
    FirstProposed: _on_first_proposed,
    MoversOrdered: _on_movers_ordered,
    AttackChosen: _on_attack_chosen,
    AttackOver: _on_attack_over,
}


class Stayed(Event, frozen=True, tag="stayed"):
    """Counters that are attacked stay outside the city."""

    corps: tuple[str, ...]


class AgreedToRetire(Event, frozen=True, tag="agreed_to_retire"):
    """A Power that is attacked together with others agrees to retire into the city."""

    power: str


class JoinRefused(Event, frozen=True, tag="join_refused"):
    """A Power does not declare war to defend an ally in the same area."""

    power: str
    area: str


class FightsOn(Event, frozen=True, tag="fights_on"):
    """A side wants another day of combat."""

    side: str


class Retreated(Event, frozen=True, tag="retreated"):
    """A counter that has lost goes back into an adjacent area."""

    corps: str
    to: str


class BattleBegan(Event, frozen=True, tag="battle_began"):
    """A field combat begins, or a new day of one."""

    battle: Battle


class OutflankAnnounced(Event, frozen=True, tag="outflank_announced"):
    """The sides that picked the outflank chit: attacker, defender, both or none."""

    sides: tuple[str, ...]


class Divided(Event, frozen=True, tag="divided"):
    """A side sends part of its force around the flank; an empty part means that no side divides."""

    side: str
    around: tuple[str, ...]


class ChitsShown(Event, frozen=True, tag="chits_shown"):
    """Both chits lie open, and the morale with which each side begins, in tenths."""

    attacker: str
    defender: str
    morale: tuple[int, int]


class WithdrawalRolled(Event, frozen=True, tag="withdrawal_rolled"):
    """A roll of the defender to withdraw: at most `needed`."""

    die: int
    needed: int
    away: bool


class FlankRolled(Event, frozen=True, tag="flank_rolled"):
    """A roll for the outflanking force to arrive: at most `needed`."""

    die: int
    needed: int
    arrived: bool


class Volley(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one side did in a round: table, die with what was added, and what it cost the other side."""

    table: str
    die: int
    modifier: int
    percent: int
    losses: int
    morale: int


class RoundFought(Event, frozen=True, tag="round_fought"):
    """A round: what attacker and defender did, the morale of each after it, and what each lost."""

    number: int
    attacker: Volley
    defender: Volley
    morale: tuple[int, int]
    lost: tuple[int, int]


class BattleOver(Event, frozen=True, tag="battle_over"):
    """A field combat is over: the winner ("" for none), and the reason."""

    area: str
    winner: str
    why: str


def _with_battle(state: State, battle: Battle | None) -> State:
    return replace(state, campaign=replace(state.campaign, battle=battle))


def _current_battle(state: State) -> Battle:
    battle = state.campaign.battle
    if battle is None:
        raise ValueError("no field combat is fought")
    return battle


def _on_retirement_declined(state: State, event: Stayed) -> State:
    return replace(state, campaign=replace(state.campaign, stayed=(*state.campaign.stayed, *event.corps)))


def _on_agreed_to_retire(state: State, event: AgreedToRetire) -> State:
    return replace(state, campaign=replace(state.campaign, agreed=(*state.campaign.agreed, event.power)))


def _on_join_refused(state: State, event: JoinRefused) -> State:
    aside = (*state.campaign.aside, (event.power, event.area))
    return replace(state, campaign=replace(state.campaign, aside=aside))


def _on_continuation_chosen(state: State, event: FightsOn) -> State:
    return _with_battle(
        state, replace(_current_battle(state), fights_on=(*_current_battle(state).fights_on, event.side))
    )


def _on_retreated(state: State, event: Retreated) -> State:
    corps = replace(state.corps[event.corps], where=event.to, inside=False)
    return replace(state, corps={**state.corps, corps.id: corps})


def _on_battle_began(state: State, event: BattleBegan) -> State:
    campaign = replace(state.campaign, battle=event.battle, choices=BattleChoices())
    return replace(state, campaign=campaign)


def _on_outflank_announced(state: State, event: OutflankAnnounced) -> State:
    return _with_battle(state, replace(_current_battle(state), announced=True))


def _on_divided(state: State, event: Divided) -> State:
    battle = _current_battle(state)
    if event.side == "attacker":
        battle = replace(battle, attacker=replace(battle.attacker, around=event.around))
    elif event.side == "defender":
        battle = replace(battle, defender=replace(battle.defender, around=event.around))
    return _with_battle(state, replace(battle, divided=True))


def _on_chits_shown(state: State, event: ChitsShown) -> State:
    battle = _current_battle(state)
    attacker = replace(battle.attacker, chit=event.attacker, morale=event.morale[0])
    defender = replace(battle.defender, chit=event.defender, morale=event.morale[1])
    return _with_battle(state, replace(battle, attacker=attacker, defender=defender))


def _on_withdrawal_rolled(state: State, event: WithdrawalRolled) -> State:
    return _with_battle(state, replace(_current_battle(state), withdrawal=True))


def _on_flank_rolled(state: State, event: FlankRolled) -> State:
    battle = _current_battle(state)
    return _with_battle(
        state, replace(battle, arrived=battle.arrived or event.arrived, flank_rolls=battle.flank_rolls + 1)
    )


def _on_round_fought(state: State, event: RoundFought) -> State:
    battle = _current_battle(state)

    def after(force: Force, side: int) -> Force:
        return replace(force, morale=event.morale[side], lost=force.lost + event.lost[side])

    changed = replace(
        battle, round=event.number, attacker=after(battle.attacker, 0), defender=after(battle.defender, 1)
    )
    return _with_battle(state, changed)


def _on_battle_over(state: State, event: BattleOver) -> State:
    campaign = replace(state.campaign, battle=None, fought=state.campaign.fought + 1)
    return replace(state, campaign=campaign)


BATTLE_EVENTS: EvolveByEvent = {
    Stayed: _on_retirement_declined,
    AgreedToRetire: _on_agreed_to_retire,
    JoinRefused: _on_join_refused,
    FightsOn: _on_continuation_chosen,
    Retreated: _on_retreated,
    BattleBegan: _on_battle_began,
    OutflankAnnounced: _on_outflank_announced,
    Divided: _on_divided,
    ChitsShown: _on_chits_shown,
    WithdrawalRolled: _on_withdrawal_rolled,
    FlankRolled: _on_flank_rolled,
    RoundFought: _on_round_fought,
    BattleOver: _on_battle_over,
}
