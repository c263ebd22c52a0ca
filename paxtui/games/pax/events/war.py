"""Events of War, from the declaration to the end, and their evolvers.

Units move, appear and are lost by the events of the map (`UnitsMoved`, `UnitsBuilt`, `UnitsLost`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from paxtui.engine.frames import replace_top
from paxtui.games.pax.events.encoding import Event
from paxtui.games.pax.events.map import take_units
from paxtui.games.pax.state.model import State, units_at, with_units
from paxtui.games.pax.state.phases import InProgress, WarNotes
from paxtui.games.pax.state.pieces import NAVAL, Unit, unit_from_name
from paxtui.games.pax.state.war import (
    ATTACK,
    INITIATIVE,
    OTTOMAN,
    REBELLION,
    RESOLUTION,
    WAR_STAGES,
    AidRequest,
    Clash,
    Coaling,
    Conquest,
    Consent,
    Declaration,
    Denial,
    SurrenderedUnit,
    War,
)

# --- declarations and sides -----------------------------------------------------------------------------------------


class DeclarationQueued(Event, frozen=True):
    """A declaration of War joins the queue."""

    declaration: Declaration


class DeclarationDropped(Event, frozen=True):
    """The first declaration of the queue is dropped: its targets are already at War with the declarer."""

    declaration: Declaration


class WarDeclared(Event, frozen=True):
    """`power` declares War on `on` and leaves the queue; `war` is the new state of the War it begins or joins."""

    power: str
    on: tuple[str, ...]
    war: War
    treaty: str = ""


class WarArose(Event, frozen=True):
    """A War that no Power with a player has declared: a Chinese Rebellion, an Ottoman War, a Minor Power's."""

    war: War


class AidAsked(Event, frozen=True):
    """An enemy of the Ottoman Empire, `host`, asks Powers for aid, in this order."""

    war: str
    host: str
    guests: tuple[str, ...]


class AidAnswered(Event, frozen=True):
    """A Power answers a request for aid: `join` or `stay out`."""

    war: str
    power: str
    answer: str


class WarsMerged(Event, frozen=True):
    """Linked Wars merge into `war`; `gone` are the ids of the merged ones."""

    war: War
    gone: tuple[str, ...]


class GreatWarBegan(Event, frozen=True):
    """The Great War, `war`, begins and ends the game; `gone` are the ids of the Wars merged into it."""

    war: War
    gone: tuple[str, ...] = ()


class CommandGiven(Event, frozen=True):
    """A seat gets command of a Minor Power without an ally for this War; "" returns it to the engine."""

    war: str
    minor: str
    seat: str


class PowerLeftWar(Event, frozen=True):
    """A Power leaves a War that goes on: "separate_peace", "defeated"."""

    war: str
    power: str
    reason: str


# --- the sequence ---------------------------------------------------------------------------------------------------


class DefenceGivenUp(Event, frozen=True):
    """A Power that defends a Minor Power has not done its best, and pays a penalty."""

    war: str
    minor: str
    power: str


class WarStepTaken(Event, frozen=True):
    """The War Phase goes to a `step` (`opening`, `window`, `fought`); ready flags are cleared.

    `since`: number of the first Casus Belli that counts as new.
    """

    step: str
    since: int = 0


class WarPhaseBegan(Event, frozen=True):
    """A War goes to a Phase (`stage`) of the War Sequence, and to the Alliance with this number.

    Ready flags are cleared; all Units may act again.
    """

    war: str
    stage: str
    turn_of: int = 0
    since: int = 0


class InitiativeRolled(Event, frozen=True):
    """Initiative dice by round and Alliance (0: no roll), and the resulting order."""

    war: str
    rolls: tuple[tuple[int, ...], ...]
    order: tuple[int, ...]


class CycleEnded(Event, frozen=True):
    """A War continues after a pass of the War Sequence; the last `quiet` passes had no attack."""

    war: str
    cycle: int
    quiet: int


class EndTestsWaived(Event, frozen=True):
    """A belligerent asks to ignore the end tests of this cycle."""

    war: str
    power: str


class WarDecided(Event, frozen=True):
    """A War ends by a test, for an Alliance (0: none). Its Resolution comes next.

    `test`: "peace", "no_units", "occupied", "stalemate", "announced", "rebels_won", "rebels_beaten", "island".
    """

    war: str
    test: str
    victor: int = 0
    power: str = ""


class SpoilsDivided(Event, frozen=True):
    """The victors settle the spoils of an Area."""

    war: str
    area: str


class WarOver(Event, frozen=True):
    """The Resolution of a War is complete; the War is removed."""

    war: str


# --- campaigning ----------------------------------------------------------------------------------------------------


class CoalingVolunteered(Event, frozen=True):
    """A neutral volunteers an Area to an Alliance for coaling, for the rest of the War."""

    war: str
    area: str
    power: str
    to: int


class PassageDenied(Event, frozen=True):
    """`by` denies a passage to `to`, or (`denied` false) allows it again."""

    war: str
    passage: str
    to: str
    by: str
    denied: bool = True


class CodominionEntered(Event, frozen=True):
    """`power` moves Units into a Codominion of an enemy and a neutral: the neutral's one pretext."""

    war: str
    area: str
    power: str


class ArmyMarched(Event, frozen=True):
    """An Army of an Empire moves towards a target: this cycle does not count towards a Stalemate."""

    war: str


class ArmiesRolled(Event, frozen=True):
    """The die for the number of Chinese Armies."""

    war: str
    die: int


class ArmyRolled(Event, frozen=True):
    """All dice for the Area of a Chinese Army; `area` is the last result, "" if it cannot be placed."""

    war: str
    dice: tuple[tuple[int, ...], ...]
    area: str


class AreaCeded(Event, frozen=True):
    """China cedes an Area to a Power after a Rebellion, which places a marker there."""

    war: str
    power: str
    area: str
    marker: str


class AreaInvaded(Event, frozen=True):
    """Armies of `power` enter an Area of an Empire, and must attack it."""

    war: str
    area: str
    power: str


class TargetRolled(Event, frozen=True):
    """Choice among equally near `targets` of an Empire's Army in `area`; no dice if one die cannot decide."""

    war: str
    area: str
    army: str
    targets: tuple[str, ...]
    dice: tuple[int, ...]
    target: str


class UnitMarches(Event, frozen=True):
    """The engine moves an Army Unit overland by one step towards `there`."""

    war: str
    power: str
    unit: str
    path: tuple[str, str]
    there: bool


class BattleFought(Event, frozen=True):
    """A combat in War: sides with strength points, column, die and result.

    `aside` are allies of the attackers with Units there that did not join. `area` is the part of an Empire's strength
    points
    that is the Combat Strength of the Area.
    """

    war: str
    place: str
    kind: str
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    attack: int
    defend: int
    table: int
    column: str
    die: int
    result: str
    aside: tuple[str, ...] = ()
    area: int = 0


class ConsentGiven(Event, frozen=True):
    """A seat consents to an order for a Minor Power with several commanders; the last consent carries it out."""

    war: str
    minor: str
    seat: str
    order: str


class UnitsSurrendered(Event, frozen=True):
    """Units surrender: they are set aside until the War ends."""

    war: str
    power: str
    units: tuple[str, ...]
    place: str
    reason: str


class UnitsReturned(Event, frozen=True):
    """Surrendered units come home when their War ends; `coast` is the home box of naval ones."""

    war: str
    power: str
    units: tuple[str, ...]
    place: str
    coast: str = ""


class AreaConquered(Event, frozen=True):
    """An Alliance conquers an Area (0: it returns to the Powers with markers there)."""

    war: str
    area: str
    alliance: int


class AreaDefeated(Event, frozen=True):
    """The Combat Strength of an Area no longer counts in this War, or (`defeated` false) counts again."""

    war: str
    area: str
    defeated: bool = True


class SupplyNoted(Event, frozen=True):
    """Areas and Army Units ("power area") without a Line of Supply when the War of these Minor Powers begins."""

    war: str
    powers: tuple[str, ...]
    lacking: tuple[str, ...] = ()


class SupplyFound(Event, frozen=True):
    """An Area or Army Unit of a Minor Power has its first Line of Supply and is tested from now on."""

    war: str
    what: str


WarEvent = (
    DeclarationQueued
    | DeclarationDropped
    | WarDeclared
    | WarArose
    | AidAsked
    | AidAnswered
    | WarsMerged
    | GreatWarBegan
    | CommandGiven
    | PowerLeftWar
    | DefenceGivenUp
    | WarStepTaken
    | WarPhaseBegan
    | InitiativeRolled
    | CycleEnded
    | EndTestsWaived
    | WarDecided
    | SpoilsDivided
    | WarOver
    | CoalingVolunteered
    | PassageDenied
    | CodominionEntered
    | ArmyMarched
    | ArmiesRolled
    | ArmyRolled
    | AreaCeded
    | AreaInvaded
    | TargetRolled
    | UnitMarches
    | BattleFought
    | ConsentGiven
    | UnitsSurrendered
    | UnitsReturned
    | AreaConquered
    | AreaDefeated
    | SupplyNoted
    | SupplyFound
)


_FIRST = {REBELLION: 0, OTTOMAN: 1}
"""Kinds of War that come first in the list, in this order."""


def _war_of(state: State, id_: str) -> War | None:
    return next((w for w in state.wars if w.id == id_), None)


def _with_war(state: State, id_: str, **changes: Any) -> State:
    """Return the state with one War changed; unchanged if the id is unknown."""
    return replace(state, wars=tuple(replace(w, **changes) if w.id == id_ else w for w in state.wars))


def _put(state: State, war: War) -> State:
    """Return the state with this War in place of the one with its id, or after those of its kind."""
    if _war_of(state, war.id):
        return replace(state, wars=tuple(war if w.id == war.id else w for w in state.wars))
    wars = sorted((*state.wars, war), key=lambda w: _FIRST.get(w.kind, len(_FIRST)))
    return replace(state, wars=tuple(wars), next_war=state.next_war + 1)


def _rest(state: State, power: str, on: tuple[str, ...]) -> tuple[Declaration, ...]:
    """Return the queue without its first declaration, if that is this one."""
    queue = state.declarations
    return queue[1:] if [(d.power, d.on) for d in queue[:1]] == [(power, on)] else queue


# --- declarations and sides -----------------------------------------------------------------------------------------


def _queued(s: State, e: DeclarationQueued) -> State:
    return replace(s, declarations=(*s.declarations, e.declaration))


def _dropped(s: State, e: DeclarationDropped) -> State:
    return replace(s, declarations=_rest(s, e.declaration.power, e.declaration.on))


def _declared(s: State, e: WarDeclared) -> State:
    return replace(_put(s, e.war), declarations=_rest(s, e.power, e.on))


def _begin_war(s: State, e: WarArose) -> State:
    s = _put(s, e.war)
    if e.war.kind == REBELLION:
        return replace(s, rebellion=False)
    return replace(s, ottoman_wars=()) if e.war.kind == OTTOMAN else s


def _request_aid(s: State, e: AidAsked) -> State:
    war = _war_of(s, e.war)
    return _with_war(s, e.war, guests=(*war.guests, *(AidRequest(e.host, guest) for guest in e.guests))) if war else s


def _aid_answered(s: State, e: AidAnswered) -> State:
    war = _war_of(s, e.war)
    if war is None:
        return s
    return _with_war(
        s, e.war, guests=tuple(replace(g, answer=e.answer) if g.power == e.power else g for g in war.guests)
    )


def _merged(s: State, e: WarsMerged | GreatWarBegan) -> State:
    return replace(_put(s, e.war), wars=tuple(w for w in _put(s, e.war).wars if w.id not in e.gone))


def _command(s: State, e: CommandGiven) -> State:
    war = _war_of(s, e.war)
    if war is None:
        return s
    rest = {minor: seat for minor, seat in war.commands.items() if minor != e.minor}
    commands = {**rest, e.minor: e.seat} if e.seat else rest
    return _with_war(s, e.war, commands=commands, voted=(*war.voted, e.minor))


def _left(s: State, e: PowerLeftWar) -> State:
    war = _war_of(s, e.war)
    if war is None:
        return s
    sides = tuple(tuple(p for p in side if p != e.power) for side in war.alliances)
    return _with_war(s, e.war, alliances=sides, left=(*war.left, e.power))


def _given_up(s: State, e: DefenceGivenUp) -> State:
    war = _war_of(s, e.war)
    return _with_war(s, e.war, defended=tuple(d for d in war.defended if d != (e.minor, e.power))) if war else s


# --- the sequence ---------------------------------------------------------------------------------------------------


def _step(s: State, e: WarStepTaken) -> State:
    top = replace(s.top, step=e.step, notes=WarNotes(e.since))
    return replace(s, frames=replace_top(s.frames, top), ready=())


def _rested(units: tuple[Unit, ...]) -> tuple[Unit, ...]:
    return tuple(replace(u, halted=False) if u.halted else u for u in units)


def _phase(s: State, e: WarPhaseBegan) -> State:
    stage = WAR_STAGES[
        WAR_STAGES.index(e.stage)
    ]  # the very string of the default, or the same War is written in two ways
    s = _with_war(s, e.war, stage=stage, turn_of=e.turn_of, clashes=(), consents=())
    if e.stage == INITIATIVE:
        s = _with_war(s, e.war, order=())
    if e.stage != ATTACK:  # the Attack Phase comes straight after the moves
        s = _with_war(s, e.war, invaded=())
    if any(u.halted for a in s.areas.values() for u in a.units):
        s = replace(s, areas={name: replace(a, units=_rested(a.units)) for name, a in s.areas.items()})
    homes = {name: _rested(units) for name, units in s.homes.items()}
    at_sea = {zone: _rested(units) for zone, units in s.at_sea.items()}
    top: InProgress = replace(s.top, notes=WarNotes(e.since))
    return replace(s, frames=replace_top(s.frames, top), homes=homes, at_sea=at_sea, ready=(), cleared={})


def _initiative(s: State, e: InitiativeRolled) -> State:
    return _with_war(s, e.war, order=e.order)


def _cycle(s: State, e: CycleEnded) -> State:
    s = _with_war(s, e.war, cycle=e.cycle + 1, quiet=e.quiet, attacked=False, waived=())
    war = _war_of(s, e.war)
    return _put(s, _without_empty_sides(war)) if war else s


def _without_empty_sides(war: War) -> War:
    """Return the War without empty sides; the others are renumbered."""
    kept = [n for n, side in enumerate(war.alliances, start=1) if side]
    number = {old: new for new, old in enumerate(kept, start=1)}
    return replace(
        war,
        alliances=tuple(war.alliance(n) for n in kept),
        order=tuple(number[n] for n in war.order if n in number),
        coaling=tuple(replace(c, to=number[c.to]) for c in war.coaling if c.to in number),
        conquered=tuple(replace(c, alliance=number[c.alliance]) for c in war.conquered if c.alliance in number),
    )


def _waived(s: State, e: EndTestsWaived) -> State:
    war = _war_of(s, e.war)
    return _with_war(s, e.war, waived=(*war.waived, e.power)) if war and e.power not in war.waived else s


def _decided(s: State, e: WarDecided) -> State:
    return _with_war(s, e.war, stage=RESOLUTION, turn_of=0, outcome=e.test, victor=e.victor)


def _divided(s: State, e: SpoilsDivided) -> State:
    war = _war_of(s, e.war)
    return _with_war(s, e.war, divided=(*war.divided, e.area)) if war else s


def _over(s: State, e: WarOver) -> State:
    return replace(s, wars=tuple(w for w in s.wars if w.id != e.war))


# --- campaigning ----------------------------------------------------------------------------------------------------


def _coaling(s: State, e: CoalingVolunteered) -> State:
    war = _war_of(s, e.war)
    return _with_war(s, e.war, coaling=(*war.coaling, Coaling(e.area, e.to))) if war else s


def _denied(s: State, e: PassageDenied) -> State:
    war = _war_of(s, e.war)
    if war is None:
        return s
    denial = Denial(e.passage, e.to, e.by)
    rest = tuple(d for d in war.denied if d != denial)
    return _with_war(s, e.war, denied=(*rest, denial) if e.denied else rest)


def _entered(s: State, e: CodominionEntered) -> State:
    war = _war_of(s, e.war)
    return _with_war(s, e.war, entered=(*war.entered, f"{e.power} {e.area}")) if war else s


def _marched(s: State, e: ArmyMarched) -> State:
    return _with_war(s, e.war, attacked=True)


def _invaded(s: State, e: AreaInvaded) -> State:
    war = _war_of(s, e.war)
    return _with_war(s, e.war, invaded=(*war.invaded, f"{e.power} {e.area}")) if war else s


def _marches(s: State, e: UnitMarches) -> State:
    war = _war_of(s, e.war)
    if war is None:
        return s
    start, end = (f"{e.power} {place} {e.unit}" for place in e.path)
    rest = list(war.marching)
    if start in rest:
        rest.remove(start)
    return _with_war(s, e.war, marching=tuple(rest) if e.there else (*rest, end))


def _battle(s: State, e: BattleFought) -> State:
    war = _war_of(s, e.war)
    if war is None:
        return s
    return _with_war(s, e.war, attacked=True, clashes=(*war.clashes, Clash(e.place, e.kind, e.aside)))


def _consent(s: State, e: ConsentGiven) -> State:
    war = _war_of(s, e.war)
    return _with_war(s, e.war, consents=(*war.consents, Consent(e.seat, e.order))) if war else s


def _surrendered(s: State, e: UnitsSurrendered) -> State:
    s = with_units(s, e.place, take_units(units_at(s, e.place), e.power, e.units, "", False))
    war = _war_of(s, e.war)
    if war is None:
        return s
    lost = [unit_from_name(name, e.power) for name in e.units]
    return _with_war(
        s, e.war, surrendered=(*war.surrendered, *(SurrenderedUnit(u.power, u.kind, u.strength) for u in lost))
    )


def _returned(s: State, e: UnitsReturned) -> State:
    war = _war_of(s, e.war)
    if war is None:
        return s
    held = list(war.surrendered)
    home: list[Unit] = []
    for name in e.units:
        unit = unit_from_name(name, e.power)
        found = SurrenderedUnit(unit.power, unit.kind, unit.strength)
        if found in held:
            held.remove(found)
            home.append(replace(unit, coast=e.coast) if unit.kind == NAVAL else unit)
    s = _with_war(s, e.war, surrendered=tuple(held))
    return with_units(s, e.place, (*units_at(s, e.place), *home))


def _conquered(s: State, e: AreaConquered) -> State:
    war = _war_of(s, e.war)
    if war is None:
        return s
    rest = tuple(c for c in war.conquered if c.area != e.area)
    return _with_war(s, e.war, conquered=(*rest, Conquest(e.area, e.alliance)) if e.alliance else rest)


def _defeated(s: State, e: AreaDefeated) -> State:
    war = _war_of(s, e.war)
    if war is None:
        return s
    rest = tuple(a for a in war.defeated if a != e.area)
    return _with_war(s, e.war, defeated=(*rest, e.area) if e.defeated else rest)


def _supply_noted(s: State, e: SupplyNoted) -> State:
    war = _war_of(s, e.war)
    if war is None:
        return s
    lacking = tuple(w for w in e.lacking if w not in war.unsupplied)
    return _with_war(s, e.war, looked_at=(*war.looked_at, *e.powers), unsupplied=(*war.unsupplied, *lacking))


def _supply_found(s: State, e: SupplyFound) -> State:
    war = _war_of(s, e.war)
    return _with_war(s, e.war, unsupplied=tuple(w for w in war.unsupplied if w != e.what)) if war else s


WAR_EVOLVERS: dict[type, Callable[[State, Any], State]] = {
    DeclarationQueued: _queued,
    DeclarationDropped: _dropped,
    WarDeclared: _declared,
    WarArose: _begin_war,
    AidAsked: _request_aid,
    AidAnswered: _aid_answered,
    WarsMerged: _merged,
    GreatWarBegan: _merged,
    CommandGiven: _command,
    PowerLeftWar: _left,
    DefenceGivenUp: _given_up,
    WarStepTaken: _step,
    WarPhaseBegan: _phase,
    InitiativeRolled: _initiative,
    CycleEnded: _cycle,
    EndTestsWaived: _waived,
    WarDecided: _decided,
    SpoilsDivided: _divided,
    WarOver: _over,
    CoalingVolunteered: _coaling,
    PassageDenied: _denied,
    CodominionEntered: _entered,
    ArmyMarched: _marched,
    ArmiesRolled: lambda s, e: s,
    ArmyRolled: lambda s, e: s,
    AreaCeded: lambda s, e: s,
    AreaInvaded: _invaded,
    TargetRolled: lambda s, e: s,
    UnitMarches: _marches,
    BattleFought: _battle,
    ConsentGiven: _consent,
    UnitsSurrendered: _surrendered,
    UnitsReturned: _returned,
    AreaConquered: _conquered,
    AreaDefeated: _defeated,
    SupplyNoted: _supply_noted,
    SupplyFound: _supply_found,
}
"""The evolvers of these events, by struct."""
