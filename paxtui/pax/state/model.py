"""The state of a game: what stands where, who owns what, and what is waited for.

Frozen structs throughout; a change copies the small part it touches. Nothing here is a rule: `decide` modules
hold the rules, `evolve` applies events to this state.
"""

from __future__ import annotations

import msgspec

from paxtui.engine.choices import Choice
from paxtui.engine.frames import Frame
from paxtui.pax.state.congress import Congress
from paxtui.pax.state.treaty import Treaty

ARMY = "army"
NAVAL = "naval"

INTEREST = "interest"
INFLUENCE = "influence"
PROTECTORATE = "protectorate"
POSSESSION = "possession"
DOMINION = "dominion"
STATE = "state"

LEVEL = {"": 0, INTEREST: 1, INFLUENCE: 2, PROTECTORATE: 3, POSSESSION: 4, DOMINION: 5, STATE: 5}
"""Ladder of Status: the steps counted for the European Tensions Index are differences of these."""

STEP_DOWN = {DOMINION: POSSESSION, STATE: POSSESSION, POSSESSION: PROTECTORATE, PROTECTORATE: INFLUENCE}
CONTROL = frozenset({PROTECTORATE, POSSESSION, DOMINION, STATE})
FULL = frozenset({POSSESSION, DOMINION, STATE})
"""Control markers beside which no Interest of another Power can stand."""

EXPANSION = "ottoman_empire"
"""Owner of the markers and armies of the optional Ottoman expansion; never a Power with a seat."""

PHASES = (
    "random_events",
    "administrative",
    "minor_powers",
    "movement",
    "colonial_combat",
    "marker_adjustment",
    "negotiation",
    "congress",
    "chinese_resentment",
    "war",
    "victory_point_record",
    "final_record",
)


class Marker(msgspec.Struct, frozen=True, omit_defaults=True):
    """A Status marker. `since` is the Game Turn in which it got its present level (0: it stood there in 1880)."""

    power: str
    marker: str
    established: bool = True
    since: int = 0


class Unit(msgspec.Struct, frozen=True, omit_defaults=True):
    """A Military Unit. `coast` is a Sea Zone: its home box, or its side of an Area with several.

    `halted` units have ended their movement for the Phase.
    """

    power: str
    kind: str
    strength: int
    coast: str = ""
    halted: bool = False

    @property
    def name(self) -> str:
        """Short name as in the notation: A10, N3."""
        return ("A" if self.kind == ARMY else "N") + str(self.strength)


class AreaState(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is in an Area. `type` overrides the table where the optional Ottoman expansion has changed it."""

    markers: tuple[Marker, ...] = ()
    units: tuple[Unit, ...] = ()
    unrest: bool = False
    codominion: tuple[str, ...] = ()
    canal: bool = False
    type: str = ""


class PowerState(msgspec.Struct, frozen=True, omit_defaults=True):
    """A Power with a player (Austria-Hungary included). Money in pounds, spending of the current turn."""

    treasury: int = 0
    victory_points: int = 0
    merchants_due: int = 0
    record: dict[str, int | None] = {}
    past: dict[str, dict[str, int | None]] = {}  # finished record sheets by turn number
    upkeep: int = 0  # maintenance of units paid this turn that counts towards a forced expenditure
    spent_on_units: int = 0
    spent_on_naval: int = 0
    had_control: bool = False
    bonus: int = 0  # Victory Points awarded or lost this turn outside lines 24 and 25 (canal, refused Dominion)


class CasusBelli(msgspec.Struct, frozen=True, omit_defaults=True):
    """A cause of war: `holder` may use it against `against`.

    Attributes:
        cause: its row in the Casus Belli Summary (`Tables.causes`); "" for a conflict of markers set up by hand.
        lapses: "negotiation" where the end of that Phase settles it unless a Congress is called, "turn" where it is
            there till the end of the Game Turn (`paxtui.pax.play.casus_belli`).
        treaty: id of the Treaty that was broken, or that grants it.
        minor: Minor Power whose rights the holder defends.
    """

    id: str
    holder: str
    against: str
    area: str = ""
    rule: str = ""
    cause: str = ""
    lapses: str = ""
    treaty: str = ""
    minor: str = ""


class Result(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a game ended: `reason` "last_turn" or "great_war"; ranks by seat."""

    reason: str
    turn: int
    culprits: tuple[str, ...] = ()
    ranks: dict[str, int] = {}
    totals: dict[str, int] = {}


class State(msgspec.Struct, frozen=True, omit_defaults=True):
    """A position of the game. Its place in the sequence is the stack `frames`."""

    turn: int
    frames: tuple[Frame, ...]
    areas: dict[str, AreaState]
    homes: dict[str, tuple[Unit, ...]]
    sea_zones: dict[str, tuple[str, ...]]  # Powers with a Merchant Fleet there
    powers: dict[str, PowerState]
    players: tuple[str, ...]  # seats, in the order of the powers table
    minors: tuple[str, ...]  # Minor Powers in the order in which they act
    options: dict[str, str]
    tension: int = 0
    resentment: int = 0
    events: tuple[str, ...] = ()  # Random Events in force this turn, by dice
    balkan_wars: int = 0
    casus_belli: tuple[CasusBelli, ...] = ()
    treaties: tuple[Treaty, ...] = ()  # drafts, settlements and Treaties, ended ones included
    choices: tuple[Choice, ...] = ()
    ready: tuple[str, ...] = ()
    cleared: dict[str, int] = {}  # how often a seat has cleared the others' flags this Phase
    active_minors: dict[str, str] = {}  # Minor Power -> Area of its activity this turn
    moved_minors: dict[str, int] = {}  # "power area" -> turn in which it sent units there against Unrest
    ungarrisoned: tuple[str, ...] = ()  # "power area" that failed the garrison test of this turn
    handed_over: tuple[str, ...] = ()  # "power area" whose marker came from another Power this turn
    leopold: bool = False
    rebellion: bool = False
    ottoman_wars: tuple[str, ...] = ()  # "power area": wars the Ottoman Empire will declare this turn
    congress: Congress | None = None  # of this Game Turn, from its call on
    ballots: dict[str, tuple[str, str]] = {}  # seat -> sealed vote, and whether it would sign or defy
    next_choice: int = 1
    next_cause: int = 1
    result: Result | None = None

    @property
    def phase(self) -> str:
        """Phase in progress: that of the lowest frame."""
        return self.frames[0].phase

    @property
    def top(self) -> Frame:
        """Frame that decides who must act."""
        return self.frames[-1]


def home(power: str) -> str:
    """Place id of a Power's Home Country."""
    return "home:" + power
