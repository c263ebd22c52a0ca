"""Events of War: from the declaration through the Phases of the War Sequence to the end.

Units move, come and go by the events of the map (`UnitsMoved`, `UnitsBuilt`, `UnitsLost`) in War as in peace.
"""

from __future__ import annotations

from paxtui.pax.history.event import Event
from paxtui.pax.state.war import Declaration, War

# --- declarations and sides -----------------------------------------------------------------------------------------


class DeclarationQueued(Event, frozen=True):
    """A declaration of War waits to be worked off after those before it."""

    declaration: Declaration


class DeclarationDropped(Event, frozen=True):
    """The first declaration of the queue has lost its object: its targets are at War with the declarer already."""

    declaration: Declaration


class WarDeclared(Event, frozen=True):
    """`power` declares War on `on`; `war` is the War it begins or joins, as it is now. It leaves the queue."""

    power: str
    on: tuple[str, ...]
    war: War
    treaty: str = ""


class WarArose(Event, frozen=True):
    """A War arises that no Power with a player has declared: a Chinese Rebellion, an Ottoman War, a Minor Power's."""

    war: War


class AidAsked(Event, frozen=True):
    """An enemy of the Ottoman Empire, `host`, asks Powers for aid, in this order."""

    war: str
    host: str
    guests: tuple[str, ...]


class AidAnswered(Event, frozen=True):
    """A Power that was asked for aid answers: `join` or `stay out`."""

    war: str
    power: str
    answer: str


class WarsMerged(Event, frozen=True):
    """Linked Wars become one, `war`; those with the ids `gone` are in it now."""

    war: War
    gone: tuple[str, ...]


class GreatWarBegan(Event, frozen=True):
    """A War has become the Great War: `war`, in which those with the ids `gone` are now. The game is over."""

    war: War
    gone: tuple[str, ...] = ()


class CommandGiven(Event, frozen=True):
    """A seat commands a Minor Power without an ally for this War; "" gives it back to the engine."""

    war: str
    minor: str
    seat: str


class PowerLeftWar(Event, frozen=True):
    """A Power is at War no longer, while others fight on: "separate_peace", "defeated"."""

    war: str
    power: str
    reason: str


# --- the sequence ---------------------------------------------------------------------------------------------------


class DefenceGivenUp(Event, frozen=True):
    """A Power that has come to defend a Minor Power has not done its best for it, and pays for that."""

    war: str
    minor: str
    power: str


class WarStepTaken(Event, frozen=True):
    """The War Phase goes to a `step` (`opening`, `window`, `fought`); ready flags are gone.

    `since`: number of the first Casus Belli that can be new from now on.
    """

    step: str
    since: int = 0


class WarPhaseBegan(Event, frozen=True):
    """A War comes to a Phase of the War Sequence: `stage`, and the number of the Alliance whose Phase it is.

    Ready flags are gone, every Unit may act again.
    """

    war: str
    stage: str
    turn_of: int = 0
    since: int = 0


class InitiativeRolled(Event, frozen=True):
    """Dice by round and Alliance (0: it did not roll in that round), and the order they give; no dice where none."""

    war: str
    rolls: tuple[tuple[int, ...], ...]
    order: tuple[int, ...]


class CycleEnded(Event, frozen=True):
    """A War goes on past a pass of the War Sequence; `quiet` passes in a row have seen no attack."""

    war: str
    cycle: int
    quiet: int


class EndTestsWaived(Event, frozen=True):
    """A belligerent asks for the end tests of this cycle to be ignored."""

    war: str
    power: str


class WarDecided(Event, frozen=True):
    """A War ends: by which test, and for which Alliance (0: for nobody). Its Resolution comes next.

    `test`: "peace", "no_units", "occupied", "stalemate", "announced", "rebels_won", "rebels_beaten", "island".
    """

    war: str
    test: str
    victor: int = 0
    power: str = ""


class SpoilsDivided(Event, frozen=True):
    """The victors have said what becomes of an Area."""

    war: str
    area: str


class WarOver(Event, frozen=True):
    """A War has had its Resolution and is gone."""

    war: str


# --- campaigning ----------------------------------------------------------------------------------------------------


class CoalingVolunteered(Event, frozen=True):
    """A neutral volunteers an Area to an Alliance for coaling, for the rest of the War."""

    war: str
    area: str
    power: str
    to: int


class PassageDenied(Event, frozen=True):
    """`by` denies a passage to `to`, or (`denied` false) no longer."""

    war: str
    passage: str
    to: str
    by: str
    denied: bool = True


class CodominionEntered(Event, frozen=True):
    """`power` has moved Units into a Codominion of an enemy and a neutral: the neutral's one pretext."""

    war: str
    area: str
    power: str


class ArmyMarched(Event, frozen=True):
    """An Army of an Empire has moved towards a target: this cycle does not count towards a Stalemate."""

    war: str


class ArmiesRolled(Event, frozen=True):
    """The die that says how many Chinese Armies rise."""

    war: str
    die: int


class ArmyRolled(Event, frozen=True):
    """Every throw of two dice for the Area where a Chinese Army rises; `area` is where the last one puts it, "" where
    it cannot be placed."""

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
    """Armies of `power` have entered an Area of an Empire that fights by itself, and have to attack it."""

    war: str
    area: str
    power: str


class TargetRolled(Event, frozen=True):
    """Which of the equally near Areas `targets` an Army of an Empire in `area` heads for; no dice where one die cannot
    tell them apart."""

    war: str
    area: str
    army: str
    targets: tuple[str, ...]
    dice: tuple[int, ...]
    target: str


class UnitMarches(Event, frozen=True):
    """An Army Unit that the engine sends has taken a step overland; `there`: to where it was sent."""

    war: str
    power: str
    unit: str
    path: tuple[str, str]
    there: bool


class BattleFought(Event, frozen=True):
    """A combat in War: who fought with how many strength points, the column of the table, the die and its result.

    `aside` are allies of the attackers with Units there that did not join. `area`: how many of the strength points of
    an Empire's side are the Combat Strength of the Area itself.
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
    """A seat consents to an order for a Minor Power that others command with it; it is carried out with the last."""

    war: str
    minor: str
    seat: str
    order: str


class UnitsSurrendered(Event, frozen=True):
    """Units surrender: they leave the map and are set aside until the War ends."""

    war: str
    power: str
    units: tuple[str, ...]
    place: str
    reason: str


class UnitsReturned(Event, frozen=True):
    """Units that had surrendered come home when their War ends; `coast` is the home box of naval ones."""

    war: str
    power: str
    units: tuple[str, ...]
    place: str
    coast: str = ""


class AreaConquered(Event, frozen=True):
    """An Alliance conquers an Area (0: it goes back to those whose markers stand there)."""

    war: str
    area: str
    alliance: int


class AreaDefeated(Event, frozen=True):
    """The Combat Strength of an Area counts no more in this War, or (`defeated` false) counts again."""

    war: str
    area: str
    defeated: bool = True


class SupplyNoted(Event, frozen=True):
    """The War of these Minor Powers begins: which Areas and Army Units ("power area") have no Line of Supply then."""

    war: str
    powers: tuple[str, ...]
    lacking: tuple[str, ...] = ()


class SupplyFound(Event, frozen=True):
    """An Area or Army Unit of a Minor Power has a Line of Supply for the first time and is tested from now on."""

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
