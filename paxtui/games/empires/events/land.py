"""Events on land: depots, movement, garrisons, supply, sieges, reinforcements, attacks and field combats."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from paxtui.games.empires.board import trek_of
from paxtui.games.empires.events.base import Event
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


def with_campaign(state: State, **changes: object) -> State:
    """Return the state with changes of the land phase."""
    changed = replace(state.campaign, **changes)
    return replace(state, campaign=changed)


def current_battle(state: State) -> Battle:
    """Return the field combat in progress. Raises: ValueError."""
    if state.campaign.battle is None:
        raise ValueError("no field combat is fought")
    return state.campaign.battle


def with_battle(state: State, **changes: object) -> State:
    """Return the state with changes of the field combat in progress."""
    return with_campaign(state, battle=replace(current_battle(state), **changes))


def with_trek(state: State, corps: str, **changes: object) -> State:
    """Return the state with changes of what a corps has done in this sequence."""
    trek = replace(trek_of(state, state.corps[corps]), **changes)
    return with_campaign(state, treks={**state.campaign.treks, corps: trek})


class SequenceBegan(Event, frozen=True, tag="sequence_began"):
    """Powers begin their land sequence; with none, one is over."""

    powers: tuple[str, ...]

    def evolve(self, state: State) -> State:
        treks = {
            corps.id: Trek(start=corps.where)
            for corps in state.corps.values()
            if corps.power in self.powers and corps.where
        }
        campaign = state.campaign
        fresh = Campaign(
            phasing=self.powers,
            treks=treks,
            sieges=campaign.sieges,
            fought=campaign.fought,
            due=campaign.due,
            mustered=campaign.mustered,
            besieged_since=campaign.besieged_since,
            foot_first=campaign.foot_first,
        )
        return replace(state, campaign=fresh)


class DepotPlaced(Event, frozen=True, tag="depot_placed"):
    """A depot is placed, or one of the enemy converted."""

    depot: Depot

    def evolve(self, state: State) -> State:
        return replace(state, depots=(*state.depots, self.depot))


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

    def evolve(self, state: State) -> State:
        gone = (self.where, self.power, self.inside)
        left = replace(state, depots=tuple(one for one in state.depots if (one.where, one.power, one.inside) != gone))
        if not self.by:
            return left
        return with_trek(left, self.by, captured=self.where)


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

    def evolve(self, state: State) -> State:
        corps = state.corps[self.corps]
        trek = trek_of(state, corps)
        path, abroad = (*trek.path, *self.path), trek.abroad or self.abroad
        trek = replace(trek, path=path, over_river=self.over_river, abroad=abroad, besieges=False)
        moved = replace(
            corps,
            where=self.path[-1],
            inside=False,
            moved=corps.moved + self.cost,
            forced=corps.forced or self.forced,
        )
        campaign = replace(state.campaign, treks={**state.campaign.treks, corps.id: trek}, moving=corps.id)
        return replace(state, corps={**state.corps, corps.id: moved}, campaign=campaign)


class Landed(Event, frozen=True, tag="landed"):
    """A corps leaves its fleet for an area, with its movement points used up; "": it is lost with the step."""

    corps: str
    fleet: str
    area: str
    cost: int
    abroad: bool = False

    def evolve(self, state: State) -> State:
        corps = replace(state.corps[self.corps], where=self.area, moved=self.cost)
        fleet = state.fleets[self.fleet]
        fleet = replace(fleet, cargo=tuple(one for one in fleet.cargo if one != corps.id))
        trek = Trek(start=self.area, path=(self.area,), over_river=True, landed=True, abroad=self.abroad)
        campaign = replace(state.campaign, treks={**state.campaign.treks, corps.id: trek}, moving=corps.id)
        fleets = {**state.fleets, fleet.id: fleet}
        return replace(state, corps={**state.corps, corps.id: corps}, fleets=fleets, campaign=campaign)


class Quartered(Event, frozen=True, tag="quartered"):
    """A counter goes into the city of its area, or out of it."""

    corps: str
    inside: bool

    def evolve(self, state: State) -> State:
        corps = replace(state.corps[self.corps], inside=self.inside)
        return replace(state, corps={**state.corps, corps.id: corps})


class CorpsStrength(Event, frozen=True, tag="corps_strength"):
    """A corps has these factors now; with none it is gone."""

    corps: str
    factors: Factors
    why: str

    def evolve(self, state: State) -> State:
        corps = dict(state.corps)
        if self.factors.total:
            corps[self.corps] = replace(corps[self.corps], factors=self.factors)
            return replace(state, corps=corps)
        del corps[self.corps]
        treks = {name: trek for name, trek in state.campaign.treks.items() if name != self.corps}
        return replace(state, corps=corps, campaign=replace(state.campaign, treks=treks))


class GarrisonStrength(Event, frozen=True, kw_only=True, tag="garrison_strength"):
    """A garrison has these factors now; with none it is gone."""

    where: str
    power: str
    of_depot: bool = False
    factors: Factors
    why: str

    def evolve(self, state: State) -> State:
        key = (self.where, self.power, self.of_depot)
        others = tuple(one for one in state.garrisons if (one.where, one.power, one.of_depot) != key)
        if not self.factors.total:
            return replace(state, garrisons=others)
        new = Garrison(where=self.where, power=self.power, of_depot=self.of_depot, factors=self.factors)
        return replace(state, garrisons=(*others, new))


class LeftBehind(Event, frozen=True, tag="left_behind"):
    """What a corps has left behind on its march, all of it."""

    corps: str
    detached: tuple[Detached, ...]

    def evolve(self, state: State) -> State:
        return with_trek(state, self.corps, detached=self.detached)


class CorpsArrived(Event, frozen=True, tag="corps_arrived"):
    """A corps counter comes onto the map."""

    corps: Corps

    def evolve(self, state: State) -> State:
        return replace(state, corps={**state.corps, self.corps.id: self.corps})


class LeaderMoved(Event, frozen=True, tag="leader_moved"):
    """A leader goes to a corps, a fleet or an area, leaves the map, or is captured."""

    leader: str
    where: str
    captor: str = ""

    def evolve(self, state: State) -> State:
        leader = replace(state.leaders[self.leader], where=self.where, captor=self.captor)
        return replace(state, leaders={**state.leaders, leader.id: leader})


class Siege(Event, frozen=True, tag="siege"):
    """A city is besieged by a Power; "": no longer."""

    area: str
    power: str

    def evolve(self, state: State) -> State:
        sieges = {area: power for area, power in state.campaign.sieges.items() if area != self.area}
        if self.power:
            sieges[self.area] = self.power
        since = {area: state.campaign.besieged_since.get(area, state.turn) for area in sieges}
        return with_campaign(state, sieges=sieges, besieged_since=since)


class Besieging(Event, frozen=True, tag="besieging"):
    """A corps besieges, or is going to."""

    corps: str

    def evolve(self, state: State) -> State:
        return with_trek(state, self.corps, besieges=True)


class Supplied(Event, frozen=True, tag="supplied"):
    """A corps has its supply for the month: foraged, captured, paid."""

    corps: str
    how: str

    def evolve(self, state: State) -> State:
        return with_trek(state, self.corps, fed=self.how)


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


class ControlChanged(Event, frozen=True, tag="control_changed"):
    """Control of an area and its city changes."""

    area: str
    power: str

    def evolve(self, state: State) -> State:
        return replace(state, control={**state.control, self.area: self.power})


class ReinforcementsCame(Event, frozen=True, tag="reinforcements_came"):
    """Army factors of a Power are due and wait for their place: all that now do."""

    power: str
    due: tuple[Due, ...]

    def evolve(self, state: State) -> State:
        others = tuple(one for one in state.campaign.due if one.power != self.power)
        mustered = {**state.campaign.mustered, self.power: state.turn}
        return with_campaign(state, due=(*others, *self.due), mustered=mustered)


class ReinforcementLost(Event, frozen=True, kw_only=True, tag="reinforcement_lost"):
    """A reinforcement finds no place: a corps by its name, or factors."""

    power: str
    corps: str = ""
    factors: Factors


class SupplyRefused(Event, frozen=True, tag="supply_refused"):
    """An ally will not supply a corps."""

    corps: str
    ally: str

    def evolve(self, state: State) -> State:
        refused = (*state.campaign.refused, (self.corps, self.ally))
        return with_campaign(state, refused=refused)


class AttackDeclared(Event, frozen=True, tag="attack_declared"):
    """An attack is declared."""

    attack: Attack

    def evolve(self, state: State) -> State:
        others = tuple(one for one in state.campaign.attacks if one.area != self.attack.area)
        return with_campaign(state, attacks=(*others, self.attack))


class AttacksDeclared(Event, frozen=True, tag="attacks_declared"):
    """All attacks of a sequence are declared, and who takes part is settled."""

    def evolve(self, state: State) -> State:
        return with_campaign(state, declared=True)


class FirstProposed(Event, frozen=True, tag="first_proposed"):
    """One of the allies who move together says who should move first."""

    power: str
    first: str

    def evolve(self, state: State) -> State:
        proposed = {**state.campaign.proposed, self.power: self.first}
        return with_campaign(state, proposed=proposed)


class MoversOrdered(Event, frozen=True, tag="movers_ordered"):
    """The order in which they move."""

    order: tuple[str, ...]

    def evolve(self, state: State) -> State:
        return with_campaign(state, order=self.order)


class AttackChosen(Event, frozen=True, tag="attack_chosen"):
    """The attack in an area is fought next."""

    area: str

    def evolve(self, state: State) -> State:
        return with_campaign(state, engaged=self.area, stayed=(), agreed=())


class AttackOver(Event, frozen=True, tag="attack_over"):
    """An attack is over, or has no target left."""

    area: str

    def evolve(self, state: State) -> State:
        left = tuple(one for one in state.campaign.attacks if one.area != self.area)
        return with_campaign(state, attacks=left, engaged="", stayed=(), agreed=())


class Stayed(Event, frozen=True, tag="stayed"):
    """Counters that are attacked stay outside the city."""

    corps: tuple[str, ...]

    def evolve(self, state: State) -> State:
        return with_campaign(state, stayed=(*state.campaign.stayed, *self.corps))


class AgreedToRetire(Event, frozen=True, tag="agreed_to_retire"):
    """A Power that is attacked together with others agrees to retire into the city."""

    power: str

    def evolve(self, state: State) -> State:
        return with_campaign(state, agreed=(*state.campaign.agreed, self.power))


class JoinRefused(Event, frozen=True, tag="join_refused"):
    """A Power does not declare war to defend an ally in the same area."""

    power: str
    area: str

    def evolve(self, state: State) -> State:
        return with_campaign(state, aside=(*state.campaign.aside, (self.power, self.area)))


class FightsOn(Event, frozen=True, tag="fights_on"):
    """A side wants another day of combat."""

    side: str

    def evolve(self, state: State) -> State:
        return with_battle(state, fights_on=(*current_battle(state).fights_on, self.side))


class Retreated(Event, frozen=True, tag="retreated"):
    """A counter that has lost goes back into an adjacent area."""

    corps: str
    to: str

    def evolve(self, state: State) -> State:
        corps = replace(state.corps[self.corps], where=self.to, inside=False)
        return replace(state, corps={**state.corps, corps.id: corps})


class BattleBegan(Event, frozen=True, tag="battle_began"):
    """A field combat begins, or a new day of one."""

    battle: Battle

    def evolve(self, state: State) -> State:
        return with_campaign(state, battle=self.battle, choices=BattleChoices())


class OutflankAnnounced(Event, frozen=True, tag="outflank_announced"):
    """The sides that picked the outflank chit: attacker, defender, both or none."""

    sides: tuple[str, ...]

    def evolve(self, state: State) -> State:
        return with_battle(state, announced=True)


class Divided(Event, frozen=True, tag="divided"):
    """A side sends part of its force around the flank; an empty part means that no side divides."""

    side: str
    around: tuple[str, ...]

    def evolve(self, state: State) -> State:
        if not self.side:
            return with_battle(state, divided=True)
        force = replace(current_battle(state).force(self.side), around=self.around)
        return with_battle(state, divided=True, **{self.side: force})


class ChitsShown(Event, frozen=True, tag="chits_shown"):
    """Both chits lie open, and the morale with which each side begins, in tenths."""

    attacker: str
    defender: str
    morale: tuple[int, int]

    def evolve(self, state: State) -> State:
        battle = current_battle(state)
        attacker = replace(battle.attacker, chit=self.attacker, morale=self.morale[0])
        defender = replace(battle.defender, chit=self.defender, morale=self.morale[1])
        return with_battle(state, attacker=attacker, defender=defender)


class WithdrawalRolled(Event, frozen=True, tag="withdrawal_rolled"):
    """A roll of the defender to withdraw: at most `needed`."""

    die: int
    needed: int
    away: bool

    def evolve(self, state: State) -> State:
        return with_battle(state, withdrawal=True)


class FlankRolled(Event, frozen=True, tag="flank_rolled"):
    """A roll for the outflanking force to arrive: at most `needed`."""

    die: int
    needed: int
    arrived: bool

    def evolve(self, state: State) -> State:
        battle = current_battle(state)
        return with_battle(state, arrived=battle.arrived or self.arrived, flank_rolls=battle.flank_rolls + 1)


class Volley(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one side does to the other in a round.

    Attributes:
        table: the table it uses, "" if it does not fight.
        die: what it threw; 0 if it does not fight.
        modifier: what was added.
        percent: of its own factors, what the other side loses.
        losses: factors that the other side loses.
        morale: tenths of morale that the other side loses.
    """

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

    def evolve(self, state: State) -> State:
        battle = current_battle(state)

        def after(force: Force, side: int) -> Force:
            return replace(force, morale=self.morale[side], lost=force.lost + self.lost[side])

        return with_battle(
            state, round=self.number, attacker=after(battle.attacker, 0), defender=after(battle.defender, 1)
        )


class BattleOver(Event, frozen=True, tag="battle_over"):
    """A field combat is over: the winner ("" for none), and the reason."""

    area: str
    winner: str
    why: str

    def evolve(self, state: State) -> State:
        return with_campaign(state, battle=None, fought=state.campaign.fought + 1)
