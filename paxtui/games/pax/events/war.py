"""Events of War, from the declaration to the end: what they change and how they read.

Units move, appear and are lost by the events of the map (`UnitsMoved`, `UnitsBuilt`, `UnitsLost`).
"""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events.encoding import Event
from paxtui.games.pax.events.map import take_units, without_halts
from paxtui.games.pax.events.names import Names
from paxtui.games.pax.state.model import State, units_at, with_power, with_units
from paxtui.games.pax.state.phases import InProgress, WarNotes
from paxtui.games.pax.state.pieces import NAVAL, Unit, unit_from_name
from paxtui.games.pax.state.war import (
    ALLIANCES,
    ATTACK,
    END,
    INITIATIVE,
    MANEUVER,
    OTTOMAN,
    REBELLION,
    RESOLUTION,
    SUPPLY,
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
from paxtui.games.pax.text.display import join_with_or, place_name, sentence, the_place, the_power, the_powers

STAGE_NAMES = {
    ALLIANCES: "Alliance Determination",
    INITIATIVE: "Initiative Determination",
    MANEUVER: "Maneuver Phase",
    ATTACK: "Attack Phase",
    SUPPLY: "Supply Determination Phase",
    END: "War End Determination",
    RESOLUTION: "War Resolution",
}
"""Names of the Phases of the War Sequence."""

WAR_COMBAT_RESULTS = {
    "E": "the attackers are eliminated",
    "AR": "the attackers retreat",
    "EX": "exchange",
    "HX": "half exchange",
    "DR": "the defenders retreat",
    "DE": "the defenders are eliminated",
}
"""Names of the results of the Combat Results Tables."""

END_TEST_NAMES = {
    "peace": "by agreement",
    "no_units": "because one side has no Military Unit left abroad",
    "occupied": "because every Area of one side is occupied",
    "stalemate": "as a Stalemate",
    "announced": "by announcement",
    "rebels_won": "because no colonial army is left in China",
    "rebels_beaten": "because China has no Army left",
    "island": "by announcement: no Chinese Army can reach the colonial armies",
    "ottomans_won": "because the enemies of the Ottoman Empire have no Unit left in it",
    "ottomans_beaten": "because the Ottoman Empire has no Army left in it",
    "cut_off": "by announcement",
}
"""Texts for the ends of a War."""


def sides_text(t: Tables, war: War) -> str:
    """Format the sides of a War as a phrase."""
    return " against ".join(the_powers(t, side) for side in war.alliances if side)


def _ordinal(n: int) -> str:
    return {1: "first", 2: "second", 3: "third"}.get(n, f"{n}th")


class WarEvent(Event, frozen=True):
    """Base of the events that change one War. An event of an unknown War changes nothing."""

    war: str

    def evolve(self, s: State) -> State:
        return replace(s, wars=tuple(self.change(war) if war.id == self.war else war for war in s.wars))

    def change(self, war: War) -> War:
        """Return the War after the event."""
        raise NotImplementedError


class DeclarationQueued(Event, frozen=True):
    """A declaration of War joins the queue."""

    declaration: Declaration

    def evolve(self, s: State) -> State:
        return replace(s, declarations=(*s.declarations, self.declaration))


class DeclarationDropped(Event, frozen=True):
    """The first declaration of the queue is dropped: its targets are already at War with the declarer."""

    declaration: Declaration

    def evolve(self, s: State) -> State:
        return replace(s, declarations=_without_declaration(s, self.declaration.power, self.declaration.on))

    def describe(self, t: Tables, names: Names) -> str:
        return f"{the_power(t, self.declaration.power)} is already at War with {the_powers(t, self.declaration.on)}."


class WarDeclared(Event, frozen=True):
    """`power` declares War on `on` and leaves the queue; `war` is the new state of the War it begins or joins."""

    power: str
    on: tuple[str, ...]
    war: War
    treaty: str = ""

    def evolve(self, s: State) -> State:
        if declarer := s.powers.get(self.power):
            s = with_power(s, self.power, declared_on=(*declarer.declared_on, *self.on))
        return replace(_with_war(s, self.war), declarations=_without_declaration(s, self.power, self.on))

    def describe(self, t: Tables, names: Names) -> str:
        honours = ", as its Treaty requires" if self.treaty else ""
        sides = sides_text(t, self.war)
        return f"{the_power(t, self.power)} declares War on {the_powers(t, self.on)}{honours}. At War: {sides}."


class WarArose(Event, frozen=True):
    """A War that no Power with a player has declared: a Chinese Rebellion, an Ottoman War, a Minor Power's."""

    war: War

    def evolve(self, s: State) -> State:
        s = _with_war(s, self.war)
        if self.war.kind == REBELLION:
            return replace(s, rebellion=False)
        return replace(s, ottoman_wars=()) if self.war.kind == OTTOMAN else s

    def describe(self, t: Tables, names: Names) -> str:
        return f"War: {sides_text(t, self.war)}."


class AidAsked(WarEvent, frozen=True):
    """An enemy of the Ottoman Empire, `host`, asks Powers for aid, in this order."""

    host: str
    guests: tuple[str, ...]

    def change(self, war: War) -> War:
        return replace(war, guests=(*war.guests, *(AidRequest(self.host, guest) for guest in self.guests)))

    def describe(self, t: Tables, names: Names) -> str:
        return f"{the_power(t, self.host)} asks {the_powers(t, self.guests)} for aid."


class AidAnswered(WarEvent, frozen=True):
    """A Power answers a request for aid: `join` or `stay out`."""

    power: str
    answer: str

    def change(self, war: War) -> War:
        return replace(
            war,
            guests=tuple(replace(g, answer=self.answer) if g.power == self.power else g for g in war.guests),
        )

    def describe(self, t: Tables, names: Names) -> str:
        return "" if self.answer == "join" else f"{the_power(t, self.power)} stays out of the War."


class WarsMerged(Event, frozen=True):
    """Linked Wars merge into `war`; `gone` are the ids of the merged ones."""

    war: War
    gone: tuple[str, ...]

    def evolve(self, s: State) -> State:
        return _merge(s, self)

    def describe(self, t: Tables, names: Names) -> str:
        return f"The Wars become one: {sides_text(t, self.war)}."


class GreatWarBegan(Event, frozen=True):
    """The Great War, `war`, begins and ends the game; `gone` are the ids of the Wars merged into it."""

    war: War
    gone: tuple[str, ...] = ()

    def evolve(self, s: State) -> State:
        return _merge(s, self)

    def describe(self, t: Tables, names: Names) -> str:
        return f"This is the Great War: {sides_text(t, self.war)}."


class CommandGiven(WarEvent, frozen=True):
    """A seat gets command of a Minor Power without an ally for this War; "" returns it to the engine."""

    minor: str
    seat: str

    def change(self, war: War) -> War:
        rest = {minor: seat for minor, seat in war.commands.items() if minor != self.minor}
        commands = {**rest, self.minor: self.seat} if self.seat else rest
        return replace(war, commands=commands, voted=(*war.voted, self.minor))

    def describe(self, t: Tables, names: Names) -> str:
        return (
            f"{the_power(t, self.seat)} commands {the_power(t, self.minor)} in this War."
            if self.seat
            else f"The engine commands {the_power(t, self.minor)} in this War."
        )


class PowerLeftWar(WarEvent, frozen=True):
    """A Power leaves a War that goes on: "separate_peace", "defeated"."""

    power: str
    reason: str

    def change(self, war: War) -> War:
        sides = tuple(tuple(p for p in side if p != self.power) for side in war.alliances)
        beaten = (*war.beaten, self.power) if self.reason == "defeated" else war.beaten
        return replace(war, alliances=sides, left=(*war.left, self.power), beaten=beaten)

    def describe(self, t: Tables, names: Names) -> str:
        return f"{the_power(t, self.power)} is no longer at War."


class WarTiesEnded(WarEvent, frozen=True):
    """Denials of passages by these Powers and to them end in their War, and nothing links another War with them."""

    powers: tuple[str, ...]

    def evolve(self, s: State) -> State:
        s = super().evolve(s)
        return replace(s, wars=tuple(replace(w, links=self._rest(w.links), helps=self._rest(w.helps)) for w in s.wars))

    def change(self, war: War) -> War:
        return replace(war, denied=tuple(d for d in war.denied if d.by not in self.powers and d.to not in self.powers))

    def _rest(self, pairs: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
        return tuple(pair for pair in pairs if not set(pair).intersection(self.powers))


class DefenceGivenUp(WarEvent, frozen=True):
    """A Power that defends a Minor Power has not done its best, and pays a penalty."""

    minor: str
    power: str

    def change(self, war: War) -> War:
        return replace(war, defended=tuple(d for d in war.defended if d != (self.minor, self.power)))

    def describe(self, t: Tables, names: Names) -> str:
        return f"{the_power(t, self.power)} did not do its best to defend {the_power(t, self.minor)}."


class WarStepTaken(Event, frozen=True):
    """The War Phase goes to a `step` (`opening`, `window`, `fought`); ready flags are cleared.

    `since`: number of the first Casus Belli that counts as new.
    """

    step: str
    since: int = 0

    def evolve(self, s: State) -> State:
        top = replace(s.top, step=self.step, notes=WarNotes(self.since))
        return replace(s, frames=(*s.frames[:-1], top), ready=())


class WarPhaseBegan(WarEvent, frozen=True):
    """A War goes to a Phase (`stage`) of the War Sequence, and to the Alliance with this number.

    Ready flags are cleared; all Units may act again.
    """

    stage: str
    turn_of: int = 0
    since: int = 0

    def change(self, war: War) -> War:
        return replace(
            war,
            # the very string of the default, or the same War is written in two ways
            stage=WAR_STAGES[WAR_STAGES.index(self.stage)],
            turn_of=self.turn_of,
            clashes=(),
            consents=(),
            order=() if self.stage == INITIATIVE else war.order,
            invaded=war.invaded if self.stage == ATTACK else (),  # the Attack Phase comes straight after the moves
        )

    def evolve(self, s: State) -> State:
        s = super().evolve(s)
        tired = {name for name, a in s.areas.items() if a.units for u in a.units if u.halted}
        if tired:
            rested = {name: replace(s.areas[name], units=without_halts(s.areas[name].units)) for name in tired}
            s = replace(s, areas={**s.areas, **rested})
        homes = {name: without_halts(units) for name, units in s.homes.items()}
        at_sea = {zone: without_halts(units) for zone, units in s.at_sea.items()}
        top: InProgress = replace(s.top, notes=WarNotes(self.since))
        return replace(s, frames=(*s.frames[:-1], top), homes=homes, at_sea=at_sea, ready=(), cleared={})

    def describe(self, t: Tables, names: Names) -> str:
        owner = f" of {names.alliance(self.war, self.turn_of)}" if self.turn_of else ""
        return (
            f"{STAGE_NAMES[self.stage]}{owner}."
            if owner
            else f"{sentence(names.war(self.war))[:-1]}: {STAGE_NAMES[self.stage]}."
        )


class InitiativeRolled(WarEvent, frozen=True):
    """Initiative dice by round and Alliance (0: no roll), and the resulting order."""

    rolls: tuple[tuple[int, ...], ...]
    order: tuple[int, ...]

    def change(self, war: War) -> War:
        return replace(war, order=self.order)

    def describe(self, t: Tables, names: Names) -> str:
        dice = "; ".join(" ".join(str(d) if d else "–" for d in row) for row in self.rolls)
        order = ", then ".join(names.alliance(self.war, n) for n in self.order)
        return f"Initiative{f' (dice {dice})' if dice else ''}: {order}."


class CycleEnded(WarEvent, frozen=True):
    """A War continues after a pass of the War Sequence; the last `quiet` passes had no attack."""

    cycle: int
    quiet: int

    def change(self, war: War) -> War:
        return _without_empty_sides(replace(war, cycle=self.cycle + 1, quiet=self.quiet, attacked=False, waived=()))

    def describe(self, t: Tables, names: Names) -> str:
        return sentence(f"{names.war(self.war)} continues after its {_ordinal(self.cycle)} cycle")


class EndTestsWaived(WarEvent, frozen=True):
    """A belligerent asks to ignore the end tests of this cycle."""

    power: str

    def change(self, war: War) -> War:
        return replace(war, waived=(*war.waived, self.power)) if self.power not in war.waived else war

    def describe(self, t: Tables, names: Names) -> str:
        return f"{the_power(t, self.power)} asks to continue the War."


class WarDecided(WarEvent, frozen=True):
    """A War ends by a test, for an Alliance (0: none). Its Resolution comes next.

    `test`: "peace", "no_units", "occupied", "stalemate", "announced", "rebels_won", "rebels_beaten", "island".
    """

    test: str
    victor: int = 0
    power: str = ""

    def change(self, war: War) -> War:
        return replace(war, stage=RESOLUTION, turn_of=0, outcome=self.test, victor=self.victor)

    def describe(self, t: Tables, names: Names) -> str:
        winner = f" Victory for {names.alliance(self.war, self.victor)}." if self.victor else ""
        return f"{sentence(names.war(self.war))[:-1]} ends {END_TEST_NAMES.get(self.test, 'here')}.{winner}"


class SpoilsDivided(WarEvent, frozen=True):
    """The victors settle the spoils of an Area."""

    area: str

    def change(self, war: War) -> War:
        return replace(war, divided=(*war.divided, self.area))


class WarOver(Event, frozen=True):
    """The Resolution of a War is complete; the War is removed."""

    war: str

    def evolve(self, s: State) -> State:
        return replace(s, wars=tuple(w for w in s.wars if w.id != self.war))

    def describe(self, t: Tables, names: Names) -> str:
        return sentence(f"{names.war(self.war)} is over")


class CoalingVolunteered(WarEvent, frozen=True):
    """A neutral volunteers an Area to an Alliance for coaling, for the rest of the War."""

    area: str
    power: str
    to: int

    def change(self, war: War) -> War:
        return replace(war, coaling=(*war.coaling, Coaling(self.area, self.to)))

    def describe(self, t: Tables, names: Names) -> str:
        return (
            f"{the_power(t, self.power)} volunteers {place_name(t, self.area)} for coaling "
            f"to {names.alliance(self.war, self.to)}, for this War."
        )


class PassageDenied(WarEvent, frozen=True):
    """`by` denies a passage to `to`, or (`denied` false) allows it again."""

    passage: str
    to: str
    by: str
    denied: bool = True

    def change(self, war: War) -> War:
        denial = Denial(self.passage, self.to, self.by)
        rest = tuple(d for d in war.denied if d != denial)
        return replace(war, denied=(*rest, denial) if self.denied else rest)

    def describe(self, t: Tables, names: Names) -> str:
        what = "denies" if self.denied else "opens"
        name = self.passage.replace("_", " ").title()
        return f"{the_power(t, self.by)} {what} {name} to {the_power(t, self.to)}."


class CodominionEntered(WarEvent, frozen=True):
    """`power` moves Units into a Codominion of an enemy and a neutral: the neutral's one pretext."""

    area: str
    power: str

    def change(self, war: War) -> War:
        return replace(war, entered=(*war.entered, f"{self.power} {self.area}"))

    def describe(self, t: Tables, names: Names) -> str:
        return f"{the_power(t, self.power)} has entered the Codominion {place_name(t, self.area)}."


class ArmyMarched(WarEvent, frozen=True):
    """An Army of an Empire moves towards a target: this cycle does not count towards a Stalemate."""

    def change(self, war: War) -> War:
        return replace(war, attacked=True)


class ArmiesRolled(Event, frozen=True):
    """The die for the number of Chinese Armies."""

    war: str
    die: int

    def describe(self, t: Tables, names: Names) -> str:
        return f"Chinese Armies: die {self.die}."


class ArmyRolled(Event, frozen=True):
    """All dice for the Area of a Chinese Army; `area` is the last result, "" if it cannot be placed."""

    war: str
    dice: tuple[tuple[int, ...], ...]
    area: str

    def describe(self, t: Tables, names: Names) -> str:
        dice = "; ".join(" ".join(map(str, throw)) for throw in self.dice)
        where = place_name(t, self.area) if self.area else "nowhere"
        return f"A Chinese Army rises: dice {dice}, {where}."


class AreaCeded(Event, frozen=True):
    """China cedes an Area to a Power after a Rebellion, which places a marker there."""

    war: str
    power: str
    area: str
    marker: str

    def describe(self, t: Tables, names: Names) -> str:
        return f"China cedes {place_name(t, self.area)} to {the_power(t, self.power)} ({self.marker})."


class AreaInvaded(WarEvent, frozen=True):
    """Armies of `power` enter an Area of an Empire, and must attack it."""

    area: str
    power: str

    def change(self, war: War) -> War:
        return replace(war, invaded=(*war.invaded, f"{self.power} {self.area}"))

    def describe(self, t: Tables, names: Names) -> str:
        where = place_name(t, self.area)
        return f"{the_power(t, self.power)} has entered {where}, which resists: its armies there must attack."


class TargetRolled(Event, frozen=True):
    """Choice among equally near `targets` of an Empire's Army in `area`; no dice if one die cannot decide."""

    war: str
    area: str
    army: str
    targets: tuple[str, ...]
    dice: tuple[int, ...]
    target: str

    def describe(self, t: Tables, names: Names) -> str:
        dice = f" ({'die' if len(self.dice) == 1 else 'dice'} {' '.join(map(str, self.dice))})" if self.dice else ""
        others = join_with_or([place_name(t, area) for area in self.targets if area != self.target])
        where = f"{place_name(t, self.target)} rather than {others}"
        return f"The {self.army} in {place_name(t, self.area)} goes towards {where}, which is just as near{dice}."


class UnitMarches(WarEvent, frozen=True):
    """The engine moves an Army Unit overland by one step towards `there`."""

    power: str
    unit: str
    path: tuple[str, str]
    there: bool

    def change(self, war: War) -> War:
        start, end = (f"{self.power} {place} {self.unit}" for place in self.path)
        rest = list(war.marching)
        if start in rest:
            rest.remove(start)
        return replace(war, marching=tuple(rest) if self.there else (*rest, end))


class BattleFought(WarEvent, frozen=True):
    """A combat in War: sides with strength points, column, die and result.

    `aside` are allies of the attackers with Units there that did not join. `area` is the part of an Empire's strength
    points that is the Combat Strength of the Area.
    """

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

    def change(self, war: War) -> War:
        return replace(war, attacked=True, clashes=(*war.clashes, Clash(self.place, self.kind, self.aside)))

    def describe(self, t: Tables, names: Names) -> str:
        kind = "fleets" if self.kind == "naval" else "armies"
        absent_text = f" The Units of {the_powers(t, self.aside)} there do not join." if self.aside else ""
        against = f"attack those of {the_powers(t, self.defenders)}" if self.defenders else "attack the Area"
        with_it = f" The Area itself adds {self.area}." if self.area and self.defenders else ""
        return (
            f"{place_name(t, self.place)}: the {kind} of {the_powers(t, self.attackers)} ({self.attack}) {against} "
            f"({self.defend}), {self.column} on Table {self.table}, die {self.die}: "
            f"{WAR_COMBAT_RESULTS[self.result]} ({self.result}).{with_it}{absent_text}"
        )


class ConsentGiven(WarEvent, frozen=True):
    """A seat consents to an order for a Minor Power with several commanders; the last consent carries it out."""

    minor: str
    seat: str
    order: str

    def change(self, war: War) -> War:
        return replace(war, consents=(*war.consents, Consent(self.seat, self.order)))

    def describe(self, t: Tables, names: Names) -> str:
        return f"{the_power(t, self.seat)} consents for {the_power(t, self.minor)}: {self.order}."


class UnitsSurrendered(WarEvent, frozen=True):
    """Units surrender: they are set aside until the War ends."""

    power: str
    units: tuple[str, ...]
    place: str
    reason: str

    def evolve(self, s: State) -> State:
        s = with_units(s, self.place, take_units(units_at(s, self.place), self.power, self.units, "", False))
        return super().evolve(s)

    def change(self, war: War) -> War:
        lost = (unit_from_name(name, self.power) for name in self.units)
        prisoners = (SurrenderedUnit(unit.power, unit.kind, unit.strength) for unit in lost)
        return replace(war, surrendered=(*war.surrendered, *prisoners))

    def describe(self, t: Tables, names: Names) -> str:
        units = " ".join(self.units)
        verb = "surrender" if len(self.units) > 1 else "surrenders"
        return f"{the_power(t, self.power)}: {units} in {the_place(t, self.place)} {verb} ({self.reason})."


class UnitsReturned(Event, frozen=True):
    """Surrendered units come home when their War ends; `coast` is the home box of naval ones."""

    war: str
    power: str
    units: tuple[str, ...]
    place: str
    coast: str = ""

    def evolve(self, s: State) -> State:
        war = s.war(self.war)
        if war is None:
            return s
        surrendered = list(war.surrendered)
        home: list[Unit] = []
        for name in self.units:
            unit = unit_from_name(name, self.power)
            found = SurrenderedUnit(unit.power, unit.kind, unit.strength)
            if found in surrendered:
                surrendered.remove(found)
                home.append(replace(unit, coast=self.coast) if unit.kind == NAVAL else unit)
        s = _with_war(s, replace(war, surrendered=tuple(surrendered)))
        return with_units(s, self.place, (*units_at(s, self.place), *home))

    def describe(self, t: Tables, names: Names) -> str:
        verb = "return" if len(self.units) > 1 else "returns"
        return f"{the_power(t, self.power)}: {' '.join(self.units)} {verb} home after the surrender."


class AreaConquered(WarEvent, frozen=True):
    """An Alliance conquers an Area (0: it returns to the Powers with markers there)."""

    area: str
    alliance: int

    def change(self, war: War) -> War:
        rest = tuple(c for c in war.conquered if c.area != self.area)
        return replace(war, conquered=(*rest, Conquest(self.area, self.alliance)) if self.alliance else rest)

    def describe(self, t: Tables, names: Names) -> str:
        where = place_name(t, self.area)
        by = names.alliance(self.war, self.alliance)
        return f"{where} is conquered by {by}." if self.alliance else f"{where} is free again."


class AreaDefeated(WarEvent, frozen=True):
    """The Combat Strength of an Area no longer counts in this War, or (`defeated` false) counts again."""

    area: str
    defeated: bool = True

    def change(self, war: War) -> War:
        rest = tuple(a for a in war.defeated if a != self.area)
        return replace(war, defeated=(*rest, self.area) if self.defeated else rest)

    def describe(self, t: Tables, names: Names) -> str:
        return (
            f"{place_name(t, self.area)} is defeated."
            if self.defeated
            else f"{place_name(t, self.area)} has its Combat Strength again."
        )


class SupplyNoted(WarEvent, frozen=True):
    """Areas and Army Units ("power area") without a Line of Supply when the War of these Minor Powers begins."""

    powers: tuple[str, ...]
    lacking: tuple[str, ...] = ()

    def change(self, war: War) -> War:
        lacking = tuple(w for w in self.lacking if w not in war.unsupplied)
        return replace(war, looked_at=(*war.looked_at, *self.powers), unsupplied=(*war.unsupplied, *lacking))


class SupplyFound(WarEvent, frozen=True):
    """An Area or Army Unit of a Minor Power has its first Line of Supply and is tested from now on."""

    what: str

    def change(self, war: War) -> War:
        return replace(war, unsupplied=tuple(w for w in war.unsupplied if w != self.what))


_FIRST = {REBELLION: 0, OTTOMAN: 1}
"""Kinds of War that come first in the list, in this order."""


def _with_war(state: State, war: War) -> State:
    """Return the state with this War in place of the one with its id, or after those of its kind."""
    if state.war(war.id):
        return replace(state, wars=tuple(war if w.id == war.id else w for w in state.wars))
    wars = sorted((*state.wars, war), key=lambda w: _FIRST.get(w.kind, len(_FIRST)))
    return replace(state, wars=tuple(wars), next_war=state.next_war + 1)


def _without_declaration(state: State, power: str, on: tuple[str, ...]) -> tuple[Declaration, ...]:
    """Return the queue without its first declaration, if that is this one."""
    queue = state.declarations
    return queue[1:] if [(d.power, d.on) for d in queue[:1]] == [(power, on)] else queue


def _merge(s: State, e: WarsMerged | GreatWarBegan) -> State:
    return replace(_with_war(s, e.war), wars=tuple(w for w in _with_war(s, e.war).wars if w.id not in e.gone))


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
