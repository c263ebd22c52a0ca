"""What happens in a field combat."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from paxtui.empires.history.event import Event, Kinds
from paxtui.empires.state.campaign import Battle, Force
from paxtui.empires.state.model import State


class Stayed(Event, frozen=True, tag="stayed"):
    """Counters that are attacked stay outside the city."""

    corps: tuple[str, ...]


class AgreedToRetire(Event, frozen=True, tag="agreed_to_retire"):
    """A Power that is attacked together with others agrees to retire into the city."""

    power: str


class JoinRefused(Event, frozen=True, tag="join_refused"):
    """A Power does not declare war to defend an ally beside it."""

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
    """Who has picked the outflank chit: attacker, defender, both or nobody."""

    sides: tuple[str, ...]


class Divided(Event, frozen=True, tag="divided"):
    """A side sends part of its force around the flank; with nobody around, no side divides."""

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
    """A field combat is over: who won ("" for nobody), and how."""

    area: str
    winner: str
    why: str


def _battle(state: State, battle: Battle | None) -> State:
    return replace(state, campaign=replace(state.campaign, battle=battle))


def _now(state: State) -> Battle:
    battle = state.campaign.battle
    if battle is None:
        raise ValueError("no field combat is fought")
    return battle


def _stayed(state: State, event: Stayed) -> State:
    return replace(state, campaign=replace(state.campaign, stayed=(*state.campaign.stayed, *event.corps)))


def _agreed(state: State, event: AgreedToRetire) -> State:
    return replace(state, campaign=replace(state.campaign, agreed=(*state.campaign.agreed, event.power)))


def _aside(state: State, event: JoinRefused) -> State:
    aside = (*state.campaign.aside, (event.power, event.area))
    return replace(state, campaign=replace(state.campaign, aside=aside))


def _on(state: State, event: FightsOn) -> State:
    return _battle(state, replace(_now(state), fights_on=(*_now(state).fights_on, event.side)))


def _retreated(state: State, event: Retreated) -> State:
    corps = replace(state.corps[event.corps], where=event.to, inside=False)
    return replace(state, corps={**state.corps, corps.id: corps})


def _began(state: State, event: BattleBegan) -> State:
    return _battle(state, event.battle)


def _announced(state: State, event: OutflankAnnounced) -> State:
    return _battle(state, replace(_now(state), announced=True))


def _divided(state: State, event: Divided) -> State:
    battle = _now(state)
    if event.side == "attacker":
        battle = replace(battle, attacker=replace(battle.attacker, around=event.around))
    elif event.side == "defender":
        battle = replace(battle, defender=replace(battle.defender, around=event.around))
    return _battle(state, replace(battle, divided=True))


def _shown(state: State, event: ChitsShown) -> State:
    battle = _now(state)
    attacker = replace(battle.attacker, chit=event.attacker, morale=event.morale[0])
    defender = replace(battle.defender, chit=event.defender, morale=event.morale[1])
    return _battle(state, replace(battle, attacker=attacker, defender=defender))


def _withdrawal(state: State, event: WithdrawalRolled) -> State:
    return _battle(state, replace(_now(state), withdrawal=True))


def _flank(state: State, event: FlankRolled) -> State:
    battle = _now(state)
    return _battle(state, replace(battle, arrived=battle.arrived or event.arrived, flank_rolls=battle.flank_rolls + 1))


def _fought(state: State, event: RoundFought) -> State:
    battle = _now(state)

    def after(force: Force, side: int) -> Force:
        return replace(force, morale=event.morale[side], lost=force.lost + event.lost[side])

    changed = replace(
        battle, round=event.number, attacker=after(battle.attacker, 0), defender=after(battle.defender, 1)
    )
    return _battle(state, changed)


def _over(state: State, event: BattleOver) -> State:
    campaign = replace(state.campaign, battle=None, fought=state.campaign.fought + 1)
    return replace(state, campaign=campaign)


KINDS: Kinds = {
    Stayed: _stayed,
    AgreedToRetire: _agreed,
    JoinRefused: _aside,
    FightsOn: _on,
    Retreated: _retreated,
    BattleBegan: _began,
    OutflankAnnounced: _announced,
    Divided: _divided,
    ChitsShown: _shown,
    WithdrawalRolled: _withdrawal,
    FlankRolled: _flank,
    RoundFought: _fought,
    BattleOver: _over,
}
