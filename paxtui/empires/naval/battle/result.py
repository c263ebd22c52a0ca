"""What a naval combat has come to: the winner, political points, sunk counters, and who was aboard.

Rules: EIA 6.2.5.3, 6.3.4, 6.3.6
"""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.empires.history.sea_events import (
    CombatDecided,
    CorpsShifted,
    Drowned,
    EncounterSet,
    FleetRemoved,
    LeaderTaken,
    LeaderWent,
)
from paxtui.empires.naval.battle.sides import BOTH, left, of, other
from paxtui.empires.naval.battle.victory import points, winner
from paxtui.empires.play.play import Play
from paxtui.empires.state.pieces import Fleet
from paxtui.empires.state.sea import Encounter, Side


def decide(play: Play, fight: Encounter) -> None:
    """Say who has won, and clear the water of what is sunk.

    Rules: EIA 6.3.4.1, 6.3.6
    """
    attacker, defender = fight.attacker, fight.defender
    won = winner((attacker.ships, attacker.lost), (defender.ships, defender.lost))
    play.emit(
        CombatDecided(
            place=fight.place,
            winner=won or "",
            attackers=attacker.powers,
            defenders=defender.powers,
            attacker_lost=attacker.lost,
            defender_lost=defender.lost,
            rules=("EIA 6.3.4.1",),
        )
    )
    if won:
        _points(play, of(fight, won), of(fight, other(won)))
    for side in BOTH:
        captor = of(fight, other(side)).powers[0]
        clear(play, of(fight, side), captor)
    beaten = other(won) if won else ""
    play.emit(EncounterSet(encounter=replace(fight, stage="retreat", beaten=beaten)))


def _points(play: Play, victor: Side, loser: Side) -> None:
    """Political points of a victory; Nelson's are those of his Power.

    Rules: EIA 6.3.4.2, 6.3.4.2.1, 6.3.4.2.2
    """
    fleets = len(loser.fleets)
    for side, sign in ((victor, 1), (loser, -1)):
        admiral = play.state.leaders.get(side.naval_leader)
        for power in side.powers:
            his = admiral is not None and admiral.power == power
            gain, loss = points(fleets, his, his)
            amount = gain if sign > 0 else loss
            nelson = ("EIA 6.3.4.2.1" if sign > 0 else "EIA 6.3.4.2.2",) if his else ()
            play.points(power, amount, "naval victory" if sign > 0 else "naval defeat", "EIA 6.3.4.2", *nelson)


def clear(play: Play, side: Side, captor: str) -> None:
    """Take the counters without ships off the map, and see to corps and leaders who were aboard.

    Rules: EIA 6.2.5.3, 6.3.6
    """
    fleets = left(play.state, side)
    afloat = tuple(fleet for fleet in fleets if fleet.ships)
    sunk = tuple(fleet for fleet in fleets if not fleet.ships)
    if not sunk:
        return
    aboard = [corps for fleet in (*afloat, *sunk) for corps in fleet.cargo]
    drown(play, aboard[len(afloat) :], aboard[: len(afloat)], captor)
    _rescue(play, afloat, sunk, captor)
    for fleet in sunk:
        play.emit(FleetRemoved(fleet=fleet.id, ships=0, why="lost", rules=("EIA 6.3.6",)))


def _rescue(play: Play, afloat: tuple[Fleet, ...], sunk: tuple[Fleet, ...], captor: str) -> None:
    """Corps and admirals of sunk fleets go aboard others of their side, which have room for a corps each."""
    free = [fleet.id for fleet in afloat if not play.state.fleets[fleet.id].cargo]
    for fleet in sunk:
        for corps in play.state.fleets[fleet.id].cargo:
            play.emit(CorpsShifted(corps=corps, giver=fleet.id, taker=free.pop(0), rules=("EIA 6.2.5.3",)))
        for leader in tuple(play.state.leaders.values()):
            if leader.where != fleet.id:
                continue
            own = [one for one in afloat if one.power == leader.power] or list(afloat)
            if own:
                play.emit(LeaderWent(leader=leader.id, where=own[0].id, rules=("EIA 6.3.6",)))
            else:
                play.emit(LeaderTaken(leader=leader.id, captor=captor, rules=("EIA 6.3.6",)))


def drown(play: Play, lost: list[str], saved: list[str], captor: str) -> None:
    """Corps are lost with their transports; their leaders go to the saved ones beside them, or into captivity.

    Rules: EIA 6.2.5.3
    """
    for leader in tuple(play.state.leaders.values()):
        if leader.where in lost:
            own = [corps for corps in saved if play.state.corps[corps].power == leader.power]
            if own:
                play.emit(LeaderWent(leader=leader.id, where=own[0], rules=("EIA 6.2.5.3",)))
            else:
                play.emit(LeaderTaken(leader=leader.id, captor=captor, rules=("EIA 6.2.5.3",)))
    for corps in lost:
        play.emit(Drowned(corps=corps, why="transport", rules=("EIA 6.2.5.3",)))
