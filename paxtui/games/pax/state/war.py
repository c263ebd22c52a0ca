"""Wars as they stand in a position: sides, the place in the War Sequence, and what a War leaves behind on the way.

Data only; the rules are in the room `paxtui.games.pax.war`.

Rules: WAR-019, WAR-020, WAR-055, WAR-064
"""

from __future__ import annotations

import msgspec

from paxtui.games.pax.state.pieces import Unit

WAR, REBELLION, OTTOMAN, GREAT = WAR_KINDS = ("war", "rebellion", "ottoman", "great")
"""Kinds of War: an ordinary one, a Chinese Rebellion, an Ottoman War, and one that has become the Great War."""

ALLIANCES, INITIATIVE, MANEUVER, ATTACK, SUPPLY, END, RESOLUTION = WAR_STAGES = (
    "alliances", "initiative", "maneuver", "attack", "supply", "end", "resolution",
)  # fmt: skip
"""Phases of the War Sequence; ALLIANCES is where a declared War waits until it is fought."""

OPENING, WINDOW, FOUGHT = "opening", "window", "fought"
"""Steps of the War Phase: declarations at its opening; a window for causes that arose inside a War; the Sequence."""


class Conquest(msgspec.Struct, frozen=True):
    """An Area that an Alliance (its number, from 1) has conquered."""

    area: str
    alliance: int


class Coaling(msgspec.Struct, frozen=True):
    """A neutral's Area volunteered to an Alliance (its number, from 1) for coaling."""

    area: str
    to: int


class Denial(msgspec.Struct, frozen=True):
    """A passage (`suez`, `straits`, `panama`, `central_america`) that Power `by` denies to Power `to`.

    In a Codominion each holder denies for himself; the passage is closed when all of them do.
    """

    passage: str
    to: str
    by: str


class SurrenderedUnit(msgspec.Struct, frozen=True):
    """A Military Unit that has surrendered: set aside until the War ends."""

    power: str
    kind: str
    strength: int

    @property
    def name(self) -> str:
        """Short name as in the notation: A10, N3."""
        return Unit(self.power, self.kind, self.strength).name


class MinorFleet(msgspec.Struct, frozen=True):
    """Where a Minor Power had a Naval Unit when its War began."""

    power: str
    area: str


class Clash(msgspec.Struct, frozen=True):
    """A combat of Units of one kind in a place, one a Phase: `aside` are the allies that did not join the attack."""

    place: str
    kind: str
    aside: tuple[str, ...] = ()


class AidRequest(msgspec.Struct, frozen=True):
    """A Power that `host` has asked for aid against the Ottoman Empire, and what it has answered so far: "" for nothing
    yet, `join`, or `stay out`."""

    host: str
    power: str
    answer: str = ""


class Consent(msgspec.Struct, frozen=True):
    """A seat's consent to an order for a Minor Power that several command, by the order's text."""

    seat: str
    order: str


class War(msgspec.Struct, frozen=True, omit_defaults=True):
    """A War: Powers linked by being at War, on sides that are called Alliances and numbered from 1.

    Attributes:
        id: w1, w2, ... in the order in which the Wars of the game began.
        alliances: the sides; Alliance 1 is the first declarer's, 2 that of the first Power it named.
        kind: one of `KINDS`.
        declared: first declarers, of every War merged into this one; in an Ottoman War the placers.
        over: Areas of the causes it was declared on, "" for a cause without one.
        commands: Minor Power without an ally -> seat that commands it; the engine commands those that are not named.
        stage: its place in the War Sequence, one of `STAGES`.
        cycle: passes of the Sequence, from 1.
        order: numbers of the Alliances in the order of this cycle; empty before the roll.
        turn_of: number of the Alliance whose Phase it is, 0 where it is nobody's; in the Alliance Determination of an
            Ottoman War the Alliance whose aid is asked about.
        quiet: completed cycles in a row without an attack.
        attacked: whether anybody has attacked, or an Empire's Army has marched, in this cycle.
        links: pairs of Powers at War with each other that belong to two Wars until these merge.
        helps: pairs of Powers of two Wars, of which the first came to the aid of the second: allies once these merge.
        clashes: combats of this Attack Phase.
        consents: orders of this Phase that not all who command a Minor Power have given yet.
        coaling: Areas volunteered.
        denied: passages denied.
        conquered: Areas conquered.
        defeated: Areas whose Combat Strength counts no more (Chinese and Ottoman ones).
        surrendered: Units set aside.
        began: where Minor Powers had Naval Units when it began.
        entered: "mover area" of Codominions whose entry has given the neutrals their one pretext.
        invaded: "power area" of Areas of an Empire that fight by themselves, entered in this cycle: they have to be
            attacked.
        unsupplied: Areas and "power area" of Army Units of Minor Powers that have had no Line of Supply yet.
        looked_at: Minor Powers whose lines as their War began have been looked at.
        marching: "power area unit" of Army Units that the engine has on the way overland to where they are sent.
        guests: whom the enemies of the Ottoman Empire have asked for aid, in the order in which they were named.
        voted: Minor Powers about whose command the players have voted.
        left: Powers that are in it no longer, whose Units come home while the others fight on.
        divided: Areas about whose spoils nothing is left to be asked.
        waived: belligerents that have asked in this cycle for the end tests to be ignored.
        defended: Minor Power and Power that has announced its defence and come.
        outcome: in its Resolution, which test ended it (`WarDecided.test`).
        victor: in its Resolution, the Alliance that has won, 0 for none.
    """

    id: str
    alliances: tuple[tuple[str, ...], ...]
    kind: str = WAR
    declared: tuple[str, ...] = ()
    over: tuple[str, ...] = ()
    commands: dict[str, str] = {}
    stage: str = ALLIANCES
    cycle: int = 1
    order: tuple[int, ...] = ()
    turn_of: int = 0
    quiet: int = 0
    attacked: bool = False
    links: tuple[tuple[str, str], ...] = ()
    helps: tuple[tuple[str, str], ...] = ()
    clashes: tuple[Clash, ...] = ()
    consents: tuple[Consent, ...] = ()
    coaling: tuple[Coaling, ...] = ()
    denied: tuple[Denial, ...] = ()
    conquered: tuple[Conquest, ...] = ()
    defeated: tuple[str, ...] = ()
    surrendered: tuple[SurrenderedUnit, ...] = ()
    began: tuple[MinorFleet, ...] = ()
    entered: tuple[str, ...] = ()
    invaded: tuple[str, ...] = ()
    unsupplied: tuple[str, ...] = ()
    looked_at: tuple[str, ...] = ()
    marching: tuple[str, ...] = ()
    guests: tuple[AidRequest, ...] = ()
    voted: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    divided: tuple[str, ...] = ()
    waived: tuple[str, ...] = ()
    defended: tuple[tuple[str, str], ...] = ()
    outcome: str = ""
    victor: int = 0

    @property
    def powers(self) -> tuple[str, ...]:
        """All belligerents, Alliance by Alliance."""
        return tuple(p for alliance in self.alliances for p in alliance)

    def side_of(self, power: str) -> int:
        """Number of the Power's Alliance, 0 for a neutral."""
        for number, alliance in enumerate(self.alliances, start=1):  # asked too often for a generator
            if power in alliance:
                return number
        return 0

    def opposes(self, one: str, other: str) -> bool:
        """Whether two Powers are at War with each other in it, those of a War that it will merge with among them."""
        ours, theirs = self.side_of(one), self.side_of(other)
        return bool(ours and theirs and ours != theirs) or (one, other) in self.links or (other, one) in self.links

    def alliance(self, number: int) -> tuple[str, ...]:
        """The Powers of an Alliance."""
        return self.alliances[number - 1] if 1 <= number <= len(self.alliances) else ()

    def conqueror(self, area: str) -> int:
        """Number of the Alliance that has conquered an Area, 0 for none."""
        return next((c.alliance for c in self.conquered if c.area == area), 0)


class Declaration(msgspec.Struct, frozen=True, omit_defaults=True):
    """A declaration of War that has still to be worked off (R-WAR-04).

    Attributes:
        power: who declares.
        on: Powers it is declared on, the first named first.
        treaty: id of the Treaty it honours; "" for one of the declarer's own.
        over: Areas of the causes it is declared on, "" for a cause without one.
        called_by: the Power whose declaration has made the call that it answers; "" for one of the declarer's own.
        defends: Minor Power whose defence the declarer has announced, "" for none.
        partner: the power that the declarer comes to help; "" when `treaty` or `defends` tells, or for none.
    """

    power: str
    on: tuple[str, ...]
    treaty: str = ""
    over: tuple[str, ...] = ()
    called_by: str = ""
    defends: str = ""
    partner: str = ""
