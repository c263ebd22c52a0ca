"""Wars in a position: sides, the place in the War Sequence, and intermediate results. Data only.

The rules are in the package `paxtui.games.pax.war`.

Rules: WAR-019, WAR-020, WAR-055, WAR-064
"""

from __future__ import annotations

import msgspec

from paxtui.games.pax.state.pieces import Unit

WAR, REBELLION, OTTOMAN, GREAT = WAR_KINDS = ("war", "rebellion", "ottoman", "great")
"""Kinds of War: ordinary, Chinese Rebellion, Ottoman War, Great War."""

ALLIANCES, INITIATIVE, MANEUVER, ATTACK, SUPPLY, END, RESOLUTION = WAR_STAGES = (
    "alliances", "initiative", "maneuver", "attack", "supply", "end", "resolution",
)  # fmt: skip
"""Phases of the War Sequence. A declared War waits at ALLIANCES until it is fought."""

OPENING, WINDOW, FOUGHT = "opening", "window", "fought"
"""Steps of the War Phase: opening declarations, window for causes that arose inside a War, War Sequence."""


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

    In a Codominion each holder denies separately; the passage is closed when all of them do.
    """

    passage: str
    to: str
    by: str


class SurrenderedUnit(msgspec.Struct, frozen=True):
    """A surrendered Military Unit, set aside until the War ends."""

    power: str
    kind: str
    strength: int

    @property
    def name(self) -> str:
        """Short name in the notation: A10, N3."""
        return Unit(self.power, self.kind, self.strength).name


class MinorFleet(msgspec.Struct, frozen=True):
    """The place of a Minor Power's Naval Unit when its War began."""

    power: str
    area: str


class Clash(msgspec.Struct, frozen=True):
    """A combat between Units of one kind in a place. `aside` are the allies that did not join the attack."""

    place: str
    kind: str
    aside: tuple[str, ...] = ()


class AidRequest(msgspec.Struct, frozen=True):
    """A request of `host` to a Power for aid against the Ottoman Empire; `answer` is "", `join` or `stay out`."""

    host: str
    power: str
    answer: str = ""


class Consent(msgspec.Struct, frozen=True):
    """A seat's consent to an order for a Minor Power that several seats command, by the order's text."""

    seat: str
    order: str


class War(msgspec.Struct, frozen=True, omit_defaults=True):
    """A War between sides, called Alliances, numbered from 1.

    Attributes:
        id: w1, w2, ... in the order in which the Wars of the game began.
        alliances: the sides; 1 is that of the first declarer, 2 that of the first Power it named.
        kind: one of `WAR_KINDS`.
        declared: first declarers, of every War merged into this one; in an Ottoman War the placers.
        over: Areas of the causes it was declared on, "" for a cause without one.
        commands: seat that commands each Minor Power without an ally; the engine commands the others.
        stage: its place in the War Sequence, one of `WAR_STAGES`.
        cycle: passes of the Sequence, from 1.
        order: numbers of the Alliances in the order of this cycle; empty before the roll.
        turn_of: number of the Alliance whose Phase it is, 0 for none; in the Alliance Determination of an Ottoman War,
            the Alliance whose request for aid is open.
        quiet: consecutive completed cycles without an attack.
        attacked: whether an attack, or a march of an Empire's Army, has happened in this cycle.
        links: pairs of Powers at War with each other in two Wars that will merge.
        helps: pairs of Powers of two Wars, of which the first came to the aid of the second: allies once these merge.
        clashes: combats of this Attack Phase.
        consents: orders of this Phase that not all commanders of a Minor Power have given yet.
        coaling: Areas volunteered for coaling.
        denied: passages denied.
        conquered: Areas conquered.
        defeated: Areas whose Combat Strength no longer counts (Chinese and Ottoman ones).
        surrendered: Units set aside.
        began: places of Minor Powers' Naval Units when it began.
        entered: "mover area" of Codominions whose entry has given the neutrals their one pretext.
        invaded: "power area" of Areas of an Empire entered in this cycle, which must be attacked.
        unsupplied: Areas and "power area" of Army Units of Minor Powers that have had no Line of Supply yet.
        looked_at: Minor Powers whose Lines of Supply at the start have been checked.
        marching: "power area unit" of Army Units that the engine is moving overland.
        guests: requests for aid against the Ottoman Empire, in order.
        voted: Minor Powers whose command the players have voted on.
        left: Powers that have left it, whose Units come home while the others fight on.
        beaten: those of them that were defeated, and made no peace.
        divided: Areas whose spoils are settled.
        waived: belligerents that have asked in this cycle to ignore the end tests.
        defended: Minor Power and the Power that has announced its defence and joined.
        outcome: in its Resolution, the test that ended it (`WarDecided.test`).
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
    beaten: tuple[str, ...] = ()
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
        """Return the number of the Power's Alliance, 0 for a neutral."""
        for number, alliance in enumerate(self.alliances, start=1):  # hot path: faster than a generator
            if power in alliance:
                return number
        return 0

    def opposes(self, one: str, other: str) -> bool:
        """Return whether two Powers are at War with each other, including Wars that will merge with this one."""
        own_side, other_side = self.side_of(one), self.side_of(other)
        return (
            bool(own_side and other_side and own_side != other_side)
            or (one, other) in self.links
            or (other, one) in self.links
        )

    def alliance(self, number: int) -> tuple[str, ...]:
        """Return the Powers of an Alliance."""
        return self.alliances[number - 1] if 1 <= number <= len(self.alliances) else ()

    def is_against(self, power: str, side: int) -> bool:
        """Return whether a Power fights against an Alliance, or has been defeated in this War."""
        own = self.side_of(power)
        return own != side if own else power in self.beaten

    def conqueror(self, area: str) -> int:
        """Return the number of the Alliance that has conquered an Area, 0 for none."""
        return next((c.alliance for c in self.conquered if c.area == area), 0)


class Declaration(msgspec.Struct, frozen=True, omit_defaults=True):
    """A queued declaration of War (R-WAR-04).

    Attributes:
        power: the declarer.
        on: targets, the first named first.
        treaty: id of the Treaty that it honours; "" for the declarer's own.
        over: Areas of the causes it is declared on, "" for a cause without one.
        called_by: the Power whose declaration has called the declarer; "" for the declarer's own.
        defends: Minor Power whose defence the declarer has announced, or "".
        partner: the Power that the declarer helps; "" for none, or if `treaty` or `defends` tells.
    """

    power: str
    on: tuple[str, ...]
    treaty: str = ""
    over: tuple[str, ...] = ()
    called_by: str = ""
    defends: str = ""
    partner: str = ""
